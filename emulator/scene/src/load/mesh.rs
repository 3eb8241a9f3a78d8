//! Meshes: attributes of vertices from accessors, indices, morph targets.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3, Vec4};
use quadrille::{Error, Result};

use super::access::{Data, Elements, at};
use super::draco;
use super::json::{self, nums};
use super::topology::{self, List};
use super::{Loader, flat, within};
use crate::model::{Influences, Mesh, Primitive, Target, Topology};

/// Memory of a vertex on the device, in bytes, whichever attributes the file has.
const DRAWN: u64 = 72;
/// Memory of a vertex for each target on the device, in bytes: three vectors, also for a target without attributes.
const MOVED: u64 = 48;

/// Loads all meshes; primitives without a material get `default_material`.
pub fn meshes(loader: &mut Loader, default_material: usize) -> Result<Vec<Mesh>> {
    let root = loader.root;
    let mut meshes = Vec::new();
    for (i, from) in root.meshes.iter().enumerate() {
        let made = mesh(loader, from, default_material);
        meshes.push(made.map_err(|e| within(format!("meshes[{i}]"), e))?);
    }
    Ok(meshes)
}

fn mesh(loader: &mut Loader, from: &json::Mesh, default_material: usize) -> Result<Mesh> {
    let mut primitives = Vec::new();
    let targets = from.primitives.first().map_or(0, |p| p.targets.len());
    for (i, part) in from.primitives.iter().enumerate() {
        let place = || format!("primitives[{i}]");
        if part.targets.len() != targets {
            return Err(Error::invalid(format!(
                "{}: it has {} targets, the first primitive has {targets}",
                place(),
                part.targets.len()
            )));
        }
        let material = match part.material {
            None => default_material,
            Some(material) => {
                at(&loader.root.materials, material, "material").map_err(|e| within(place(), e))?;
                material
            }
        };
        let made = primitive(loader, part).map_err(|e| within(place(), e))?;
        primitives.extend(made.map(|made| Primitive { material, ..made }));
    }
    let weights = match &from.weights {
        None => vec![0.0; targets],
        Some(weights) if weights.len() == targets => weights.iter().map(|w| w.0).collect(),
        Some(weights) => {
            return Err(Error::invalid(format!("there are {} weights for {targets} targets", weights.len())));
        }
    };
    Ok(Mesh { name: from.name.clone(), primitives, weights })
}

/// Loads a primitive without its material; `None` if it has no vertices.
fn primitive(loader: &mut Loader, from: &json::Primitive) -> Result<Option<Primitive>> {
    let Some(position) = from.attributes.get("POSITION") else {
        loader.warn("a primitive without positions is not drawn");
        return Ok(None);
    };
    for name in from.attributes.keys().filter(|name| ignored(name)) {
        loader.warn(format!("attribute {name} is ignored"));
    }
    let data = loader.data;
    let packed = draco::decode(data, from).map_err(|e| within(draco::NAME, e))?;
    let (count, list) = match &packed {
        Some(packed) => (packed.vertices, packed.list(data.budget)?),
        None => plain(data, from, *position)?,
    };
    if list.rest > 0 {
        loader.warn(format!("the last {} vertices of a primitive do not form a complete one", list.rest));
    }
    if list.indices.as_ref().map_or(count, Vec::len) == 0 {
        return Ok(None);
    }
    let flat = list.topology == Topology::Triangles && !from.attributes.contains_key("NORMAL");
    let (vertices, list) = choose(list, count, flat, data)?;
    let packed = packed.as_ref();
    let source = Source { data, vertices, count, attributes: &from.attributes, packed };
    data.budget.take((source.len() as u64).saturating_mul(DRAWN))?;
    let mut out = source.primitive(list)?;
    if flat {
        out.normals = Some(flat::normals(&out.positions, data.budget)?);
        out.tangents = None;
    }
    for (i, target) in from.targets.iter().enumerate() {
        for name in target.keys().filter(|n| n.starts_with("TEXCOORD_") || n.starts_with("COLOR_")) {
            loader.warn(format!("morph targets of {name} are ignored"));
        }
        data.budget.take((source.len() as u64).saturating_mul(MOVED))?;
        let source = Source { attributes: target, vertices: source.vertices.clone(), packed: None, ..source };
        let made = source.target(&out, flat).map_err(|e| within(format!("targets[{i}]"), e))?;
        out.targets.push(made);
    }
    Ok(Some(out))
}

/// Number of vertices of a primitive that is not compressed, and its list.
fn plain(data: &Data, from: &json::Primitive, position: usize) -> Result<(usize, List)> {
    let positions = data.elements(position, &["VEC3"]).map_err(|e| within("POSITION", e))?;
    let count = positions.count();
    if u32::try_from(count).is_err() {
        return Err(Error::Limit(format!("{count} vertices of a primitive")));
    }
    let indices = match from.indices {
        Some(accessor) => Some(indices(data, accessor, count).map_err(|e| within("indices", e))?),
        None => None,
    };
    Ok((count, topology::list(from.mode.unwrap_or(4), indices, count, data.budget)?))
}

/// True for attributes that glTF defines and this crate does not use.
fn ignored(name: &str) -> bool {
    let set = |prefix: &str| name.strip_prefix(prefix).and_then(|n| n.parse::<usize>().ok());
    set("TEXCOORD_").is_some_and(|n| n > 1) || set("COLOR_").is_some_and(|n| n > 0)
}

fn indices(data: &Data, accessor: usize, count: usize) -> Result<Vec<u32>> {
    let from = data.elements(accessor, &["SCALAR"])?;
    from.unsigned()?;
    let mut out = data.budget.room(from.count())?;
    for i in 0..from.count() {
        let [index] = from.integers(i)?;
        if index as usize >= count {
            return Err(Error::invalid(format!("index {index} at {i}, but there are {count} vertices")));
        }
        out.push(index);
    }
    Ok(out)
}

/// Selects the file's vertices for a primitive: all (`None`), the indexed ones or, for flat normals, one for each
/// corner.
fn choose(mut list: List, count: usize, flat: bool, data: &Data) -> Result<(Option<Vec<u32>>, List)> {
    let Some(indices) = &mut list.indices else { return Ok((None, list)) };
    if flat {
        return Ok((list.indices.take(), list));
    }
    if indices.len() >= count {
        return Ok((None, list));
    }
    let mut named = data.budget.room(indices.len())?;
    named.extend_from_slice(indices);
    named.sort_unstable();
    named.dedup();
    for index in indices {
        // Every index is in the list of indexed vertices.
        *index = named.partition_point(|n| *n < *index) as u32;
    }
    Ok((Some(named), list))
}

/// Attributes of a primitive, or of one of its targets.
struct Source<'a> {
    data: &'a Data<'a>,
    /// Selected vertices of the accessors.
    vertices: Option<Vec<u32>>,
    /// Number of vertices in the accessors.
    count: usize,
    attributes: &'a BTreeMap<String, usize>,
    /// The decoded mesh, which has some of the attributes.
    packed: Option<&'a draco::Decoded>,
}

impl Source<'_> {
    fn primitive(&self, list: List) -> Result<Primitive> {
        let positions = self.floats("POSITION", &["VEC3"], [0.0; 3])?.unwrap_or_default();
        let positions = self.map(positions, Vec3::from)?;
        let mut normals = match self.floats("NORMAL", &["VEC3"], [0.0; 3])? {
            Some(list) => Some(self.map(list, |n| Vec3::from(n).normalize_or_zero())?),
            None => None,
        };
        if let Some(normals) = &mut normals {
            match &list.indices {
                _ if list.topology != Topology::Triangles => {
                    flat::mend(normals, &positions, std::iter::empty())
                }
                Some(i) => flat::mend(normals, &positions, i.chunks_exact(3).map(|t| [t[0], t[1], t[2]])),
                None => {
                    let triangles = (0..positions.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
                    flat::mend(normals, &positions, triangles);
                }
            }
        }
        let tangents = match (self.floats("TANGENT", &["VEC4"], [0.0; 4])?, &normals) {
            (Some(list), Some(normals)) => {
                let mut out = self.data.budget.room(list.len())?;
                out.extend(list.iter().zip(normals).map(|(t, n)| tangent(*t, *n)));
                Some(out)
            }
            _ => None,
        };
        let mut uv = [None, None];
        for (set, uv) in uv.iter_mut().enumerate() {
            if let Some(list) = self.floats(&format!("TEXCOORD_{set}"), &["VEC2"], [0.0; 2])? {
                *uv = Some(self.map(list, Vec2::from)?);
            }
        }
        let colors = match self.floats("COLOR_0", &["VEC3", "VEC4"], [1.0; 4])? {
            Some(list) => Some(self.map(list, |c| Vec4::from(c).clamp(Vec4::ZERO, Vec4::ONE))?),
            None => None,
        };
        let influences = self.influences(positions.len())?;
        let List { topology, indices, .. } = list;
        Ok(Primitive {
            topology,
            positions,
            normals,
            tangents,
            uv,
            colors,
            influences,
            indices,
            ..Primitive::default()
        })
    }

    fn influences(&self, count: usize) -> Result<Vec<Influences>> {
        let mut sets: Vec<Influences> = Vec::new();
        loop {
            let set = sets.len();
            let (joints, weights) = (format!("JOINTS_{set}"), format!("WEIGHTS_{set}"));
            let weights =
                match (self.attributes.contains_key(&joints), self.floats(&weights, &["VEC4"], [0.0; 4])?) {
                    (true, Some(weights)) => weights,
                    (false, None) => break,
                    _ => return Err(Error::invalid(format!("{joints} and {weights} need each other"))),
                };
            let joints = self.elements(&joints, &["VEC4"])?.map(|e| self.joints(&e)).transpose();
            let joints = joints.map_err(|e| within(format!("JOINTS_{set}"), e))?.unwrap_or_default();
            sets.push(Influences { joints, weights: self.map(weights, Vec4::from)? });
        }
        if sets.is_empty() {
            return Ok(sets);
        }
        for vertex in 0..count {
            let sum: f32 = sets.iter().map(|s| s.weights[vertex].max(Vec4::ZERO).element_sum()).sum();
            if !sum.is_finite() {
                return Err(Error::invalid(format!("the weights of vertex {vertex} are infinite")));
            }
            for set in &mut sets {
                let weights = set.weights[vertex].max(Vec4::ZERO);
                set.weights[vertex] = if sum > 0.0 { weights / sum } else { Vec4::ZERO };
                for (joint, weight) in set.joints[vertex].iter_mut().zip(set.weights[vertex].to_array()) {
                    if weight == 0.0 {
                        *joint = 0;
                    }
                }
            }
            if sum <= 0.0 {
                sets[0].weights[vertex] = Vec4::X;
            }
        }
        Ok(sets)
    }

    fn joints(&self, from: &Elements) -> Result<Vec<[u16; 4]>> {
        from.unsigned()?;
        let mut out = self.data.budget.room(self.len())?;
        for vertex in self.vertices() {
            let joints = from.integers::<4>(vertex)?;
            if joints.iter().any(|j| *j > u32::from(u16::MAX)) {
                return Err(Error::invalid(format!("vertex {vertex} has joints {joints:?}")));
            }
            out.push(joints.map(|j| j as u16));
        }
        Ok(out)
    }

    fn target(&self, base: &Primitive, flat: bool) -> Result<Target> {
        let deltas = |name: &str, there: bool| -> Result<Option<Vec<Vec3>>> {
            match self.floats(name, &["VEC3"], [0.0; 3])? {
                Some(list) if there => self.map(list, Vec3::from).map(Some),
                _ => Ok(None),
            }
        };
        let positions = deltas("POSITION", true)?;
        let mut normals = deltas("NORMAL", base.normals.is_some() && !flat)?;
        let tangents = deltas("TANGENT", base.tangents.is_some())?;
        if let (true, Some(moved), Some(from)) = (flat, &positions, &base.normals) {
            normals = Some(flat::deltas(&base.positions, from, moved, self.data.budget)?);
        }
        Ok(Target { positions, normals, tangents })
    }

    /// Number of vertices to read.
    fn len(&self) -> usize {
        self.vertices.as_ref().map_or(self.count, Vec::len)
    }

    fn vertices(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).map(|i| self.vertices.as_ref().map_or(i, |list| list[i] as usize))
    }

    /// Returns the accessor of an attribute, if there is one, after checking that it has one element per vertex.
    fn elements(&self, name: &str, types: &[&str]) -> Result<Option<Elements<'_>>> {
        let Some(accessor) = self.attributes.get(name) else { return Ok(None) };
        let from = match self.packed.and_then(|packed| packed.attribute(name)) {
            Some(dense) => self.data.decoded(*accessor, types, dense),
            None => self.data.elements(*accessor, types),
        };
        let from = from.map_err(|e| within(name, e))?;
        if from.count() != self.count {
            let (have, count) = (from.count(), self.count);
            return Err(Error::invalid(format!("{name} has {have} elements, there are {count} vertices")));
        }
        Ok(Some(from))
    }

    fn floats<const N: usize>(
        &self,
        name: &str,
        types: &[&str],
        default: [f32; N],
    ) -> Result<Option<Vec<[f32; N]>>> {
        let Some(from) = self.elements(name, types)? else { return Ok(None) };
        let mut out = self.data.budget.room(self.len())?;
        for vertex in self.vertices() {
            out.push(from.floats(vertex, default).map_err(|e| within(name, e))?);
        }
        Ok(Some(out))
    }

    /// Converts the elements of a list whose memory the budget already counted.
    fn map<T, U>(&self, list: Vec<T>, f: impl Fn(T) -> U) -> Result<Vec<U>> {
        let mut out = quadrille::reserve::with_room(list.len())?;
        out.extend(list.into_iter().map(f));
        Ok(out)
    }
}

fn tangent(from: [f32; 4], normal: Vec3) -> Vec4 {
    let along = Vec4::from(from).truncate().normalize_or_zero();
    let along = if along == Vec3::ZERO { normal.any_orthonormal_vector() } else { along };
    along.extend(if from[3] < 0.0 { -1.0 } else { 1.0 })
}

/// Loads the weights of a node, whose mesh needs `needed` of them.
pub fn weights(from: &Option<Vec<json::Num>>, needed: usize) -> Result<Option<Vec<f32>>> {
    match from {
        Some(list) if list.len() != needed => {
            Err(Error::invalid(format!("there are {} weights, the mesh has {needed} targets", list.len())))
        }
        Some(list) => Ok(Some(list.iter().map(|w| w.0).collect())),
        None => Ok(None),
    }
}

/// Converts arrays to vectors and quaternions.
pub fn vec3(of: [json::Num; 3]) -> Vec3 {
    Vec3::from(nums(of))
}
