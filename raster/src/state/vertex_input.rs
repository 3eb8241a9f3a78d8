//! State of vertex input and input assembly. Reading the vertices is left to `front`.

use quadrille_jit::ir::GeometryInput;

use crate::memory::format::Format;

/// When a vertex binding advances. Spec: VkVertexInputRate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum VertexRate {
    /// For every vertex.
    #[default]
    Vertex,
    /// Once per this many instances; 0 never advances.
    Instance(u32),
}

/// Spec: VkVertexInputBindingDescription.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct VertexBinding {
    /// Binding number, an index into the bound vertex buffers.
    pub binding: u32,
    /// Bytes between elements.
    pub stride: u32,
    /// Input rate of the binding.
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
    /// Byte offset within the element.
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
    /// Input primitive of a geometry stage directly after primitives of this topology; `None` for patches.
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

/// Corner of the tessellation domain with v = 0. It determines which order of vertices is clockwise. Spec:
/// VkTessellationDomainOrigin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkTessellationDomainOrigin")]
pub enum DomainOrigin {
    #[default]
    UpperLeft,
    LowerLeft,
}
