//! Geometry of a frame: vertices after morph targets and skins, and the instances of primitives.

use glam::{Mat3, Mat4, Vec3, Vec4};
use quadrille::{Buffer, BufferUsage, Device, Error, Result};

use super::structure::{self, Bottom, Placement};
use crate::draw::features;
use crate::draw::geometry::{Vertex, room, vertices};
use crate::draw::materials::features_of;
use crate::frame::{Draw, Frame};
use crate::model::{Material, Primitive, Scene, Topology};

/// Maximum number of placed primitives in a frame.
const MAX_INSTANCES: usize = 1 << 20;
/// Usage of buffers from which both builds and shaders read.
const USAGE: BufferUsage = BufferUsage(
    BufferUsage::STORAGE.0
        | BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT.0
        | BufferUsage::SHADER_DEVICE_ADDRESS.0,
);

/// A primitive of triangles among the vertices and indices of all primitives.
struct Part {
    material: usize,
    first_vertex: u32,
    vertices: u32,
    first_index: u32,
    triangles: u32,
    opaque: bool,
    has_tangents: bool,
}

/// The shapes of a scene.
pub(super) struct Shapes {
    /// Primitives of each mesh; `None` if it has no triangles.
    parts: Vec<Vec<Option<Part>>>,
    /// Vertices at rest.
    rest: Vec<Vertex>,
    /// Indices of all primitives, relative to their first vertices.
    list: Vec<u32>,
    buffer: Buffer,
    indices: Buffer,
    /// Structures of shapes at rest, built at first use.
    built: Vec<Vec<Option<Bottom>>>,
}

/// A placed primitive.
pub(super) struct Instance {
    pub world: Mat4,
    pub material: usize,
    /// Number of the node, from 1.
    pub object: u32,
    pub features: u32,
    pub first_vertex: u32,
    pub first_index: u32,
    pub triangles: u32,
}

/// The geometry of a frame on the device.
pub(super) struct Placed {
    pub structure: quadrille::rays::AccelerationStructure,
    pub vertices: Buffer,
    pub instances: Vec<Instance>,
    /// Positions of all vertices, in the spaces of their instances.
    pub positions: Vec<Vec3>,
    /// Indices of all triangles.
    pub list: Vec<u32>,
    /// Structures to which the top level refers.
    _bottoms: Vec<Bottom>,
}

impl Shapes {
    pub fn new(device: &Device, scene: &Scene) -> Result<Self> {
        let (mut rest, mut list) = (Vec::new(), Vec::new());
        let mut parts = Vec::with_capacity(scene.meshes.len());
        for mesh in &scene.meshes {
            let of = |p| part(scene, p, &mut rest, &mut list);
            parts.push(mesh.primitives.iter().map(of).collect::<Result<Vec<_>>>()?);
        }
        Ok(Shapes {
            buffer: buffer(device, &rest)?,
            indices: buffer(device, &list)?,
            built: parts.iter().map(|mesh| mesh.iter().map(|_| None).collect()).collect(),
            parts,
            rest,
            list,
        })
    }

    /// Features that at least one primitive has.
    pub fn features(&self, scene: &Scene) -> u32 {
        let parts = self.parts.iter().flatten().flatten();
        parts.fold(0, |all, part| all | flags(&scene.materials[part.material], part))
    }

    /// Indices of all primitives on the device.
    pub fn indices(&self) -> &Buffer {
        &self.indices
    }

    /// Places the primitives of a frame.
    pub fn place(&mut self, device: &Device, scene: &Scene, frame: &Frame) -> Result<Placed> {
        let other =
            |mesh| Error::invalid(format!("the frame is of another scene: this one has no mesh {mesh}"));
        let mut instances = Vec::new();
        let mut moved: Vec<Vertex> = Vec::new();
        // For each instance: the mesh and primitive whose structure at rest it uses, or none.
        let mut at_rest = Vec::new();
        for draw in &frame.draws {
            let mesh = scene.meshes.get(draw.mesh).ok_or_else(|| other(draw.mesh))?;
            for (i, primitive) in mesh.primitives.iter().enumerate() {
                let Some(part) = &self.parts[draw.mesh][i] else { continue };
                if instances.len() == MAX_INSTANCES {
                    return Err(Error::Limit(format!("a frame places more than {MAX_INSTANCES} primitives")));
                }
                let first = self.rest.len() + moved.len();
                let deforms = deform(primitive, draw, frame, &mut moved)?;
                let material = &scene.materials[part.material];
                instances.push(Instance {
                    world: draw.world,
                    material: part.material,
                    object: object(scene, draw.node),
                    features: flags(material, part),
                    first_vertex: if deforms { counted(first)? } else { part.first_vertex },
                    first_index: part.first_index,
                    triangles: part.triangles,
                });
                at_rest.push(((draw.mesh, i), deforms));
            }
        }
        let all: Vec<Vertex>;
        let (vertices, known) = if moved.is_empty() {
            (self.buffer.clone(), &self.rest)
        } else {
            all = [&self.rest[..], &moved].concat();
            (buffer(device, &all)?, &all)
        };
        let positions: Vec<Vec3> = known.iter().map(|v| v.position).collect();
        let bottoms = self.bottoms(device, &instances, &at_rest, &vertices)?;
        let placements: Vec<Placement<'_>> = instances
            .iter()
            .zip(&bottoms)
            .map(|(instance, bottom)| Placement {
                world: instance.world,
                both_faces: instance.features & features::DOUBLE_SIDED != 0,
                bottom,
            })
            .collect();
        let structure = structure::top(device, &placements)?;
        let list = self.list.clone();
        Ok(Placed { structure, vertices, instances, positions, list, _bottoms: bottoms })
    }

    /// Bottom levels of the instances.
    fn bottoms(
        &mut self,
        device: &Device,
        instances: &[Instance],
        at_rest: &[((usize, usize), bool)],
        vertices: &Buffer,
    ) -> Result<Vec<Bottom>> {
        let mut bottoms = Vec::with_capacity(instances.len());
        for (instance, &((mesh, i), deforms)) in instances.iter().zip(at_rest) {
            let Some(part) = &self.parts[mesh][i] else { continue };
            let source = structure::Source {
                vertices: if deforms { vertices } else { &self.buffer },
                indices: &self.indices,
                first_vertex: instance.first_vertex,
                vertex_count: part.vertices,
                first_index: part.first_index,
                triangles: part.triangles,
                opaque: part.opaque,
            };
            let known = &mut self.built[mesh][i];
            let bottom = match known {
                Some(bottom) if !deforms => bottom.clone(),
                Some(_) | None => structure::bottom(device, &source)?,
            };
            if !deforms {
                *known = Some(bottom.clone());
            }
            bottoms.push(bottom);
        }
        Ok(bottoms)
    }
}

/// Number of a node of the file, from 1; a copy has that of its original.
fn object(scene: &Scene, node: usize) -> u32 {
    let own = scene.nodes.get(node).and_then(|n| n.copy_of).unwrap_or(node);
    u32::try_from(own + 1).unwrap_or(u32::MAX)
}

fn flags(material: &Material, part: &Part) -> u32 {
    let mut all = features_of(material);
    all |= if part.has_tangents { features::TANGENTS } else { 0 };
    all | if material.double_sided { features::DOUBLE_SIDED } else { 0 }
}

fn counted(n: usize) -> Result<u32> {
    // Shaders count floats, of which a vertex has 18.
    let most = u32::MAX as usize / (size_of::<Vertex>() / 4);
    u32::try_from(n)
        .ok()
        .filter(|_| n < most)
        .ok_or_else(|| Error::Limit(format!("{n} vertices or indices: at most {most} can be traced")))
}

/// A buffer with these elements, or with one zero element.
fn buffer<T: bytemuck::Pod>(device: &Device, data: &[T]) -> Result<Buffer> {
    if data.is_empty() {
        device.create_buffer_with(&[T::zeroed()], USAGE)
    } else {
        device.create_buffer_with(data, USAGE)
    }
}

fn part(scene: &Scene, p: &Primitive, rest: &mut Vec<Vertex>, list: &mut Vec<u32>) -> Result<Option<Part>> {
    let triangles = p.count() / 3;
    if p.topology != Topology::Triangles || triangles == 0 {
        return Ok(None);
    }
    let (first_vertex, first_index) = (counted(rest.len())?, counted(list.len())?);
    rest.extend(vertices(p)?);
    list.try_reserve(triangles * 3).map_err(|_| Error::OutOfMemory(format!("{triangles} triangles")))?;
    match &p.indices {
        Some(indices) => list.extend(&indices[..triangles * 3]),
        None => list.extend(0..counted(triangles * 3)?),
    }
    counted(rest.len())?;
    let material = features_of(&scene.materials[p.material]);
    Ok(Some(Part {
        material: p.material,
        first_vertex,
        vertices: p.positions.len() as u32,
        first_index,
        triangles: counted(triangles)?,
        opaque: material & (features::MASK | features::BLEND) == 0,
        has_tangents: p.tangents.is_some(),
    }))
}

/// Appends the vertices of a primitive after its morph targets and joints, if it has some.
fn deform(p: &Primitive, draw: &Draw, frame: &Frame, out: &mut Vec<Vertex>) -> Result<bool> {
    let skinned = draw.joints.is_some() && !p.influences.is_empty();
    let weights: Vec<(usize, f32)> =
        draw.weights.iter().copied().enumerate().filter(|(t, w)| *w != 0.0 && *t < p.targets.len()).collect();
    if !skinned && weights.is_empty() {
        return Ok(false);
    }
    let mut list = vertices(p)?;
    for (target, weight) in weights {
        let target = &p.targets[target];
        let of = |values: &Option<Vec<Vec3>>, i: usize| values.as_ref().map_or(Vec3::ZERO, |v| v[i]) * weight;
        for (i, v) in list.iter_mut().enumerate() {
            v.position += of(&target.positions, i);
            v.normal += of(&target.normals, i);
            let tangent = Vec4::from_array(v.tangent) + of(&target.tangents, i).extend(0.0);
            v.tangent = tangent.to_array();
        }
    }
    if let Some(range) = draw.joints.as_ref().filter(|_| skinned) {
        let joints = frame.joints.get(range.clone()).unwrap_or(&[]);
        for (i, v) in list.iter_mut().enumerate() {
            *v = placed(v, &skin(p, joints, i)?);
        }
    }
    let mut more = room(list.len())?;
    more.append(&mut list);
    out.extend(more);
    Ok(true)
}

/// Weighted sum of the joints' matrices of a vertex. Spec: glTF 2.0, "Skinned Mesh Attributes".
fn skin(p: &Primitive, joints: &[Mat4], vertex: usize) -> Result<Mat4> {
    let mut sum = Mat4::ZERO;
    for set in &p.influences {
        for (joint, weight) in set.joints[vertex].into_iter().zip(set.weights[vertex].to_array()) {
            let joint = joints.get(usize::from(joint)).ok_or_else(|| {
                Error::invalid(format!("a vertex has joint {joint}, but there are {}", joints.len()))
            })?;
            sum += *joint * weight;
        }
    }
    Ok(sum)
}

/// A vertex moved by a matrix.
fn placed(v: &Vertex, world: &Mat4) -> Vertex {
    let Mat3 { x_axis: x, y_axis: y, z_axis: z } = Mat3::from_mat4(*world);
    // Cofactors transform normals, without the sign of the determinant.
    let cofactors = Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let sign = if x.dot(cofactors.x_axis) < 0.0 { -1.0 } else { 1.0 };
    let [tx, ty, tz, tw] = v.tangent;
    let tangent = (Mat3::from_cols(x, y, z) * Vec3::new(tx, ty, tz)).normalize_or_zero();
    Vertex {
        position: world.transform_point3(v.position),
        normal: sign * (cofactors * v.normal).normalize_or_zero(),
        // The bitangent is a cross product in the space of the mesh: a mirrored one has the other sign.
        tangent: tangent.extend(sign * tw).to_array(),
        ..*v
    }
}
