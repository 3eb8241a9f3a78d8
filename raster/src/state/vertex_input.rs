//! Vertex input and input assembly.

use quadrille_jit::ir::GeometryInput;

use crate::memory::format::Format;

/// When a vertex binding advances. Spec: VkVertexInputRate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexRate {
    /// Every vertex.
    #[default]
    Vertex,
    /// Every so many instances; 0 never advances.
    Instance(u32),
}

/// Spec: VkVertexInputBindingDescription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VertexBinding {
    /// Binding number: index into the bound vertex buffers.
    pub binding: u32,
    /// Bytes between elements.
    pub stride: u32,
    /// When it advances.
    pub rate: VertexRate,
}

/// Spec: VkVertexInputAttributeDescription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VertexAttribute {
    /// Location of the shader input.
    pub location: u32,
    /// Binding number.
    pub binding: u32,
    /// Format in memory.
    pub format: Format,
    /// Bytes from the start of the element.
    pub offset: u32,
}

/// Spec: VkPrimitiveTopology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkPrimitiveTopology")]
pub enum Topology {
    PointList,
    LineList,
    LineStrip,
    #[default]
    TriangleList,
    TriangleStrip,
    TriangleFan,
    LineListWithAdjacency,
    LineStripWithAdjacency,
    TriangleListWithAdjacency,
    TriangleStripWithAdjacency,
    PatchList,
}

impl Topology {
    /// What a geometry stage takes that gets its primitives as they are; `None` for patches.
    pub fn primitive(self) -> Option<GeometryInput> {
        Some(match self {
            Topology::PointList => GeometryInput::Points,
            Topology::LineList | Topology::LineStrip => GeometryInput::Lines,
            Topology::TriangleList | Topology::TriangleStrip | Topology::TriangleFan => {
                GeometryInput::Triangles
            }
            Topology::LineListWithAdjacency | Topology::LineStripWithAdjacency => {
                GeometryInput::LinesAdjacency
            }
            Topology::TriangleListWithAdjacency | Topology::TriangleStripWithAdjacency => {
                GeometryInput::TrianglesAdjacency
            }
            Topology::PatchList => return None,
        })
    }
}

/// Where v is 0 in the domain of tessellation: it says which order of vertices is clockwise.
/// Spec: VkTessellationDomainOrigin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkTessellationDomainOrigin")]
pub enum DomainOrigin {
    #[default]
    UpperLeft,
    LowerLeft,
}
