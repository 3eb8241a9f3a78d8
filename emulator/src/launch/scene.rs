//! Acceleration structures of a scene: a bottom level for each part, and a top level.

use quadrille_raster::format::Format;

use super::parts::{Primitives, ScenePart};
use crate::device::Device;
use crate::error::Result;
use crate::flags::{BufferUsage, BuildFlags, GeometryFlags};
use crate::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, Indices, StructureBuild,
    StructureGeometry,
};
use crate::resource::buffer::BufferDesc;

/// Usage of the buffers from which structures are built.
const INPUT: BufferUsage =
    BufferUsage(BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT.0 | BufferUsage::SHADER_DEVICE_ADDRESS.0);

/// Builds a structure of one geometry with `count` primitives.
fn build(
    device: &Device,
    geometry: StructureGeometry,
    count: u32,
    flags: BuildFlags,
) -> Result<AccelerationStructure> {
    let size = device.acceleration_structure_sizes(&[(geometry, count)]).structure;
    let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let buffer = device.create_bound_buffer(BufferDesc { size, usage })?;
    let dst = device.create_acceleration_structure(&AccelerationStructureDesc {
        buffer: &buffer,
        offset: 0,
        size,
    })?;
    let range = BuildRange { primitive_count: count, ..BuildRange::default() };
    let geometries = vec![(geometry, range)];
    let build = StructureBuild { flags, update: None, dst: dst.clone(), geometries };
    let mut commands = device.create_command_buffer();
    commands.build_acceleration_structures(&[build]).end()?;
    device.queue().run(&commands)?;
    Ok(dst)
}

/// Builds the bottom level of a part. Shaders can fetch the positions of triangles.
fn bottom(device: &Device, part: &ScenePart) -> Result<AccelerationStructure> {
    let floats = match &part.primitives {
        Primitives::Triangles(list) => list.as_flattened().as_flattened(),
        Primitives::Boxes(list) => list.as_flattened().as_flattened(),
    };
    // Buffers are not empty.
    let buffer = device.create_buffer_with(if floats.is_empty() { &[0.0] } else { floats }, INPUT)?;
    let address = buffer.device_address()?;
    let data = match part.primitives {
        Primitives::Triangles(_) => GeometryData::Triangles {
            format: Format::R32G32B32_SFLOAT,
            vertices: address,
            stride: 12,
            max_vertex: (3 * part.len() as u32).saturating_sub(1),
            indices: Indices::None,
            transform: 0,
        },
        Primitives::Boxes(_) => GeometryData::Aabbs { data: address, stride: 24 },
    };
    let flags = if part.opaque { GeometryFlags::OPAQUE } else { GeometryFlags::NONE };
    build(device, StructureGeometry::new(data, flags), part.len() as u32, BuildFlags::ALLOW_DATA_ACCESS)
}

/// Builds the structures of a scene and returns the top level.
///
/// # Errors
/// Those of buffers and of builds.
pub fn build_scene(device: &Device, parts: &[ScenePart]) -> Result<AccelerationStructure> {
    let mut words = Vec::new();
    let mut bottoms = Vec::new();
    for (k, part) in (0..).zip(parts) {
        let level = bottom(device, part)?;
        let one = 1.0f32.to_bits();
        words.extend([one, 0, 0, 0, 0, one, 0, 0, 0, 0, one, 0]);
        let address = level.device_address();
        words.extend([k | 0xff << 24, part.record_offset, address as u32, (address >> 32) as u32]);
        bottoms.push(level);
    }
    let words = if words.is_empty() { &[0; 16] } else { &words[..] };
    let instances = device.create_buffer_with(words, INPUT)?;
    let data = GeometryData::Instances { data: instances.device_address()?, pointers: false };
    let geometry = StructureGeometry::new(data, GeometryFlags::NONE);
    build(device, geometry, parts.len() as u32, BuildFlags::NONE)
}
