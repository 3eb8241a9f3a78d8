//! Acceleration structures of a test: builds a top level with one instance of some triangles.

use crate::device::Device;
use crate::error::Result;
use crate::flags::{BufferUsage, BuildFlags, GeometryFlags};
use crate::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, Indices, StructureBuild,
    StructureGeometry,
};
use quadrille_raster::format::Format;

/// Words of an instance without transform that every ray sees, before the reference.
const INSTANCE: [u32; 14] = {
    let one = 1.0f32.to_bits();
    [one, 0, 0, 0, 0, one, 0, 0, 0, 0, one, 0, 0xff << 24, 0]
};

/// Builds a structure of one geometry with `count` primitives.
fn build(device: &Device, geometry: StructureGeometry, count: u32) -> Result<AccelerationStructure> {
    let size = device.acceleration_structure_sizes(&[(geometry, count)]).structure;
    let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let buffer = device.create_bound_buffer(crate::BufferDesc { size, usage })?;
    let dst = device.create_acceleration_structure(&AccelerationStructureDesc {
        buffer: &buffer,
        offset: 0,
        size,
    })?;
    let range = BuildRange { primitive_count: count, ..BuildRange::default() };
    let geometries = vec![(geometry, range)];
    let build = StructureBuild { flags: BuildFlags::NONE, update: None, dst: dst.clone(), geometries };
    let mut commands = device.create_command_buffer();
    commands.build_acceleration_structures(&[build]).end()?;
    device.queue().run(&commands)?;
    Ok(dst)
}

/// Builds a top level with one instance of these triangles.
pub(super) fn triangles(
    device: &Device,
    triangles: &[[[f32; 3]; 3]],
    opaque: bool,
) -> Result<AccelerationStructure> {
    let usage = BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT | BufferUsage::SHADER_DEVICE_ADDRESS;
    let floats = triangles.as_flattened().as_flattened();
    let vertices = device.create_buffer_with(if floats.is_empty() { &[0.0] } else { floats }, usage)?;
    let data = GeometryData::Triangles {
        format: Format::R32G32B32_SFLOAT,
        vertices: vertices.device_address()?,
        stride: 12,
        max_vertex: (3 * triangles.len() as u32).saturating_sub(1),
        indices: Indices::None,
        transform: 0,
    };
    let flags = if opaque { GeometryFlags::OPAQUE } else { GeometryFlags::NONE };
    let bottom = build(device, StructureGeometry { data, flags }, triangles.len() as u32)?;
    let address = bottom.device_address();
    let words: Vec<u32> = INSTANCE.into_iter().chain([address as u32, (address >> 32) as u32]).collect();
    let instances = device.create_buffer_with(&words, usage)?;
    let data = GeometryData::Instances { data: instances.device_address()?, pointers: false };
    build(device, StructureGeometry { data, flags: GeometryFlags::NONE }, 1)
}
