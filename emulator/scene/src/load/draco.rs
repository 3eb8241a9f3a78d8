//! Primitives compressed by KHR_draco_mesh_compression.

use std::collections::BTreeMap;

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex};
use quadrille::error::guard;
use quadrille::{Error, Result};

use super::access::{Data, Dense};
use super::file::Budget;
use super::json;
use super::topology::{self, List};

/// Name of the extension.
pub const NAME: &str = "KHR_draco_mesh_compression";

/// Memory of the decoder for each triangle, vertex and byte of attributes, at most.
const PER_FACE: u64 = 256;
const PER_POINT: u64 = 128;
const PER_BYTE: u64 = 4;

/// A decoded primitive.
pub struct Decoded {
    /// Number of vertices.
    pub vertices: usize,
    indices: Vec<u32>,
    attributes: BTreeMap<String, Attribute>,
}

/// An attribute of all vertices, one after another.
struct Attribute {
    component: u32,
    components: usize,
    bytes: Vec<u8>,
}

impl Decoded {
    /// The triangles.
    pub fn list(&self, budget: &Budget) -> Result<List> {
        let mut indices = budget.room(self.indices.len())?;
        indices.extend_from_slice(&self.indices);
        topology::list(4, Some(indices), self.vertices, budget)
    }

    /// An attribute, if the compressed mesh has it.
    pub fn attribute(&self, name: &str) -> Option<Dense<'_>> {
        let Attribute { component, components, bytes } = self.attributes.get(name)?;
        Some(Dense { component: *component, components: *components, count: self.vertices, bytes })
    }
}

/// Decodes a primitive; `None` if it is not compressed.
pub fn decode(data: &Data, from: &json::Primitive) -> Result<Option<Decoded>> {
    let Some(packed) = from.extensions.get::<json::DracoPrimitive>(NAME)? else { return Ok(None) };
    if !matches!(from.mode.unwrap_or(4), 4 | 5) {
        return Err(Error::invalid("only triangles can be compressed"));
    }
    let (stream, _) = data.view(packed.buffer_view)?;
    let mesh = mesh(stream, data.budget.left())?;
    let vertices = mesh.num_points();
    let mut indices = data.budget.room(mesh.num_faces().saturating_mul(3))?;
    indices.extend(mesh.faces().iter().flatten().map(|point| point.0));
    if let Some(index) = indices.iter().find(|i| **i as usize >= vertices) {
        return Err(Error::invalid(format!("index {index}, but there are {vertices} vertices")));
    }
    let mut attributes = BTreeMap::new();
    for (name, id) in packed.attributes {
        let of = mesh.attribute_by_unique_id(id);
        let of = of.ok_or_else(|| Error::invalid(format!("{name}: there is no attribute {id}")))?;
        attributes.insert(name, attribute(of, vertices, data.budget)?);
    }
    if !attributes.contains_key("POSITION") {
        return Err(Error::invalid("the compressed mesh has no positions"));
    }
    Ok(Some(Decoded { vertices, indices, attributes }))
}

fn mesh(stream: &[u8], left: u64) -> Result<Mesh> {
    let limits = DecodeLimits::default()
        .with_max_faces(left / PER_FACE)
        .with_max_points(left / PER_POINT)
        .with_max_decoded_bytes(left / PER_BYTE);
    let decoded = guard("decoding a mesh", || {
        let mut mesh = Mesh::new();
        let mut buffer = DecoderBuffer::new(stream).with_limits(limits);
        match MeshDecoder::new().decode(&mut buffer, &mut mesh) {
            Ok(()) => Ok(mesh),
            Err(e) if e.kind() == draco_core::ErrorKind::LimitExceeded => Err(Error::Limit(e.to_string())),
            Err(e) => Err(Error::invalid(e.to_string())),
        }
    });
    // A panic of the decoder is a fault of the data.
    let mesh = decoded.map_err(|e| match e {
        Error::Internal(message) => Error::invalid(format!("the mesh is damaged: {message}")),
        other => other,
    })?;
    let vertices = mesh.num_points() as u64;
    if vertices > left / PER_POINT {
        return Err(Error::Limit(format!("{vertices} vertices of a compressed mesh")));
    }
    Ok(mesh)
}

fn attribute(of: &PointAttribute, vertices: usize, budget: &Budget) -> Result<Attribute> {
    let component = match of.data_type() {
        DataType::Int8 => 5120,
        DataType::Uint8 | DataType::Bool => 5121,
        DataType::Int16 => 5122,
        DataType::Uint16 => 5123,
        DataType::Uint32 => 5125,
        DataType::Float32 => 5126,
        other => return Err(Error::unsupported(format!("attributes of type {other:?}"))),
    };
    let components = usize::from(of.num_components());
    let size = components * of.data_type().byte_length();
    let stride = usize::try_from(of.byte_stride()).unwrap_or(0);
    let source = of.buffer().data();
    let mut bytes = budget.room(vertices.saturating_mul(size))?;
    for vertex in 0..vertices {
        let value = of.mapped_index(PointIndex(vertex as u32)).0 as usize;
        let from = value.checked_mul(stride).and_then(|from| source.get(from..)?.get(..size));
        let from = from.ok_or_else(|| Error::invalid(format!("vertex {vertex} has no value")))?;
        bytes.extend_from_slice(from);
    }
    Ok(Attribute { component, components, bytes })
}
