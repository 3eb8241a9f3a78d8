//! Primitives on the device: vertices, indices, joint influences, morph targets.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3, Vec4};
use quadrille::{
    Buffer, BufferUsage, DescriptorKind, DescriptorSet, DescriptorSetLayout, Device, Error, Format, Result,
    VertexAttribute, VertexBinding, VertexRate,
};

use super::gpu;
use crate::model::{self, Scene, Topology};

/// A vertex as it lies in buffers.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Vertex {
    pub position: Vec3,
    pub normal: Vec3,
    pub tangent: [f32; 4],
    pub uv: [Vec2; 2],
    pub color: [f32; 4],
}

// `DRAWN` of the loader, whose budget has this size for each vertex.
const _: () = assert!(size_of::<Vertex>() == 72);

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Influence {
    joints: [u32; 4],
    weights: [f32; 4],
}

/// A primitive on the device.
pub(crate) struct Primitive {
    pub topology: Topology,
    pub material: usize,
    pub vertices: Buffer,
    pub n_vertices: u32,
    pub indices: Option<Buffer>,
    /// Number of vertices to draw.
    pub count: u32,
    /// Number of sets of four joints per vertex.
    pub joint_sets: u32,
    pub targets: u32,
    pub has_normals: bool,
    pub has_tangents: bool,
    /// Middle of the positions, in the space of the mesh.
    pub center: Vec3,
    influences: Buffer,
    deltas: Buffer,
}

/// Uniform of a draw for the vertex stage; `bindings.wgsl` declares the same.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(super) struct DrawUniform {
    pub world: Mat4,
    pub vertices: u32,
    pub joint_sets: u32,
    pub first_joint: u32,
    pub targets: u32,
    pub first_weight: u32,
    pub pad: [u32; 3],
    /// Padding to 256 bytes, the offset alignment of uniforms on other devices; this device does not need it.
    pub rest: [[u32; 8]; 5],
}

/// Vertex bindings and attributes.
pub(super) fn vertex_input() -> (Vec<VertexBinding>, Vec<VertexAttribute>) {
    let binding = VertexBinding { binding: 0, stride: size_of::<Vertex>() as u32, rate: VertexRate::Vertex };
    let attribute = |location, format, offset: usize| VertexAttribute {
        location,
        binding: 0,
        format,
        offset: offset as u32,
    };
    let attributes = vec![
        attribute(0, Format::R32G32B32_SFLOAT, std::mem::offset_of!(Vertex, position)),
        attribute(1, Format::R32G32B32_SFLOAT, std::mem::offset_of!(Vertex, normal)),
        attribute(2, Format::R32G32B32A32_SFLOAT, std::mem::offset_of!(Vertex, tangent)),
        attribute(3, Format::R32G32B32A32_SFLOAT, std::mem::offset_of!(Vertex, uv)),
        attribute(4, Format::R32G32B32A32_SFLOAT, std::mem::offset_of!(Vertex, color)),
    ];
    (vec![binding], attributes)
}

/// Descriptor set layout of a draw.
pub(super) fn layout(device: &Device) -> Result<DescriptorSetLayout> {
    use DescriptorKind::{StorageBuffer, UniformBufferDynamic};
    gpu::set_layout(device, &[UniformBufferDynamic, StorageBuffer, StorageBuffer])
}

/// Uploads the primitives of all meshes of a scene.
pub(super) fn upload(device: &Device, scene: &Scene) -> Result<Vec<Vec<Primitive>>> {
    let mesh = |m: &model::Mesh| m.primitives.iter().map(|p| Primitive::new(device, p)).collect();
    scene.meshes.iter().map(mesh).collect()
}

impl Primitive {
    fn new(device: &Device, p: &model::Primitive) -> Result<Self> {
        let count = |n: usize| {
            u32::try_from(n).map_err(|_| Error::Limit(format!("a primitive of {n} vertices or indices")))
        };
        let (low, high) = p
            .positions
            .iter()
            .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), at| (low.min(*at), high.max(*at)));
        let usage = BufferUsage::STORAGE;
        Ok(Primitive {
            topology: p.topology,
            material: p.material,
            vertices: gpu::buffer_of(device, &vertices(p)?, BufferUsage::VERTEX)?,
            n_vertices: count(p.positions.len())?,
            indices: p.indices.as_ref().map(|i| gpu::buffer_of(device, i, BufferUsage::INDEX)).transpose()?,
            count: count(p.count())?,
            joint_sets: count(p.influences.len())?,
            targets: count(p.targets.len())?,
            has_normals: p.normals.is_some(),
            has_tangents: p.tangents.is_some(),
            center: if p.positions.is_empty() { Vec3::ZERO } else { low * 0.5 + high * 0.5 },
            influences: gpu::buffer_of(device, &influences(p)?, usage)?,
            deltas: gpu::buffer_of(device, &deltas(p)?, usage)?,
        })
    }

    /// Descriptor set for draws of this primitive with uniforms in `draws`.
    pub fn set(
        &self,
        device: &Device,
        layout: &DescriptorSetLayout,
        draws: &Buffer,
    ) -> Result<DescriptorSet> {
        let set = device.create_descriptor_set(layout)?;
        let range = Some(size_of::<DrawUniform>() as u64);
        set.write(0, 0, quadrille::Resource::Buffer { buffer: draws, offset: 0, range })?;
        set.write_buffer(1, &self.influences)?;
        set.write_buffer(2, &self.deltas)?;
        Ok(set)
    }
}

/// An empty list with room for `n` elements, or `OutOfMemory`.
pub(crate) fn room<T>(n: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(n).map_err(|_| Error::OutOfMemory(format!("{n} elements of a mesh")))?;
    Ok(list)
}

/// Vertices of a primitive at rest.
pub(crate) fn vertices(p: &model::Primitive) -> Result<Vec<Vertex>> {
    let mut list = room(p.positions.len())?;
    let uv = |set: usize, i: usize| p.uv[set].as_ref().map_or(Vec2::ZERO, |uv| uv[i]);
    list.extend(p.positions.iter().enumerate().map(|(i, &position)| Vertex {
        position,
        normal: p.normals.as_ref().map_or(Vec3::ZERO, |n| n[i]),
        tangent: p.tangents.as_ref().map_or([0.0; 4], |t| t[i].to_array()),
        uv: [uv(0, i), uv(1, i)],
        color: p.colors.as_ref().map_or([1.0; 4], |c| c[i].to_array()),
    }));
    Ok(list)
}

/// For each vertex, its sets of four joints.
fn influences(p: &model::Primitive) -> Result<Vec<Influence>> {
    let mut list = room(p.positions.len() * p.influences.len())?;
    for i in 0..p.positions.len() {
        list.extend(p.influences.iter().map(|set| Influence {
            joints: set.joints[i].map(u32::from),
            weights: set.weights[i].to_array(),
        }));
    }
    Ok(list)
}

/// For each target and each vertex: position, normal, tangent.
fn deltas(p: &model::Primitive) -> Result<Vec<Vec4>> {
    let mut list = room(p.positions.len().saturating_mul(p.targets.len()).saturating_mul(3))?;
    let of = |values: &Option<Vec<Vec3>>, i: usize| values.as_ref().map_or(Vec4::ZERO, |v| v[i].extend(0.0));
    for target in &p.targets {
        for i in 0..p.positions.len() {
            list.extend([of(&target.positions, i), of(&target.normals, i), of(&target.tangents, i)]);
        }
    }
    Ok(list)
}
