//! Acceleration structures: a bottom level per primitive, and a top level with all instances.

use glam::Mat4;
use quadrille::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, Indices, StructureBuild,
    StructureGeometry,
};
use quadrille::{Buffer, BufferDesc, BufferUsage, BuildFlags, Device, Format, GeometryFlags, Result};

use crate::draw::geometry::Vertex;

/// Bit of VkGeometryInstanceFlagsKHR by which both faces of a triangle are visible to rays that cull. In the right-handed
/// space of glTF, counter-clockwise triangles are front faces without a flag. Spec: Vulkan, "Ray Face Culling".
const BOTH_FACES: u32 = 1;

/// A bottom level.
pub(super) type Bottom = AccelerationStructure;

/// Triangles of a bottom level.
pub(super) struct Source<'a> {
    pub vertices: &'a Buffer,
    pub indices: &'a Buffer,
    pub first_vertex: u32,
    pub vertex_count: u32,
    pub first_index: u32,
    pub triangles: u32,
    pub opaque: bool,
}

fn build(device: &Device, geometry: StructureGeometry, range: BuildRange) -> Result<AccelerationStructure> {
    let size = device.acceleration_structure_sizes(&[(geometry, range.primitive_count)]).structure;
    let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let buffer = device.create_bound_buffer(BufferDesc { size, usage })?;
    let desc = AccelerationStructureDesc { buffer: &buffer, offset: 0, size };
    let dst = device.create_acceleration_structure(&desc)?;
    let geometries = vec![(geometry, range)];
    let build =
        StructureBuild { flags: BuildFlags::PREFER_FAST_TRACE, update: None, dst: dst.clone(), geometries };
    let mut commands = device.create_command_buffer();
    commands.build_acceleration_structures(&[build]).end()?;
    device.queue().run(&commands)?;
    Ok(dst)
}

/// Builds the bottom level of a primitive.
pub(super) fn bottom(device: &Device, source: &Source<'_>) -> Result<Bottom> {
    let stride = size_of::<Vertex>() as u64;
    let data = GeometryData::Triangles {
        format: Format::R32G32B32_SFLOAT,
        vertices: source.vertices.device_address()? + u64::from(source.first_vertex) * stride,
        stride,
        max_vertex: source.vertex_count.saturating_sub(1),
        indices: Indices::U32(source.indices.device_address()? + u64::from(source.first_index) * 4),
        transform: 0,
    };
    let flags = if source.opaque { GeometryFlags::OPAQUE } else { GeometryFlags::NONE };
    let range = BuildRange { primitive_count: source.triangles, ..BuildRange::default() };
    build(device, StructureGeometry::new(data, flags), range)
}

/// An instance of a bottom level.
pub(super) struct Placement<'a> {
    pub world: Mat4,
    /// Rays that cull back faces hit both faces of its triangles.
    pub both_faces: bool,
    pub bottom: &'a Bottom,
}

/// Builds the top level of a frame: an instance for each placement, whose index is its number.
pub(super) fn top(device: &Device, instances: &[Placement<'_>]) -> Result<AccelerationStructure> {
    let mut words: Vec<[u32; 16]> = Vec::with_capacity(instances.len());
    for (i, instance) in (0u32..).zip(instances) {
        let mut of = [0; 16];
        for row in 0..3 {
            of[4 * row..4 * row + 4].copy_from_slice(&instance.world.row(row).to_array().map(f32::to_bits));
        }
        let flags = if instance.both_faces { BOTH_FACES } else { 0 };
        let address = instance.bottom.device_address();
        of[12..].copy_from_slice(&[i | 0xff << 24, flags << 24, address as u32, (address >> 32) as u32]);
        words.push(of);
    }
    let usage = BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT | BufferUsage::SHADER_DEVICE_ADDRESS;
    let count = words.len() as u32;
    if words.is_empty() {
        words.push([0; 16]);
    }
    let data = device.create_buffer_with(&words, usage)?;
    let data = GeometryData::Instances { data: data.device_address()?, pointers: false };
    let range = BuildRange { primitive_count: count, ..BuildRange::default() };
    build(device, StructureGeometry::new(data, GeometryFlags::NONE), range)
}
