//! Builds of acceleration structures for tests.

use quadrille::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, StructureBuild,
    StructureGeometry,
};
use quadrille::{BufferDesc, BufferUsage, BuildFlags, Device, GeometryFlags};

/// Usage of buffers with geometry.
pub const INPUT: BufferUsage =
    BufferUsage(BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT.0 | BufferUsage::SHADER_DEVICE_ADDRESS.0);

/// Builds a structure of these geometries.
pub fn build(
    device: &Device,
    geometries: &[(GeometryData, BuildRange)],
    flags: GeometryFlags,
) -> AccelerationStructure {
    let geometries: Vec<_> =
        geometries.iter().map(|&(data, range)| (StructureGeometry::new(data, flags), range)).collect();
    let counts: Vec<_> = geometries.iter().map(|(g, range)| (*g, range.primitive_count)).collect();
    let size = device.acceleration_structure_sizes(&counts).structure;
    let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let buffer = device.create_bound_buffer(BufferDesc { size, usage }).unwrap();
    let desc = AccelerationStructureDesc { buffer: &buffer, offset: 0, size };
    let dst = device.create_acceleration_structure(&desc).unwrap();
    let build = StructureBuild { flags: BuildFlags::NONE, update: None, dst: dst.clone(), geometries };
    let mut commands = device.create_command_buffer();
    commands.build_acceleration_structures(&[build]).end().unwrap();
    device.queue().run(&commands).unwrap();
    dst
}
