//! Names of states: the Vulkan names in lower case, with dashes.

use quadrille::data::names::COMPARISONS;
use quadrille::{BlendFactor, BlendOp, CompareOp, CullMode, FrontFace, PolygonMode, StencilOp, Topology};

/// The value with this name.
fn find<T: Copy>(what: &str, rows: &[(&str, T)], name: &str) -> Result<T, String> {
    rows.iter().find(|row| row.0 == name.trim()).map(|row| row.1).ok_or_else(|| {
        let known: Vec<&str> = rows.iter().map(|row| row.0).collect();
        format!("`{name}` is not a {what}: {}", known.join(", "))
    })
}

/// A comparison.
pub fn compare(name: &str) -> Result<CompareOp, String> {
    find("comparison", COMPARISONS, name)
}

/// A stencil operation.
pub fn stencil_op(name: &str) -> Result<StencilOp, String> {
    let rows = [
        ("keep", StencilOp::Keep),
        ("zero", StencilOp::Zero),
        ("replace", StencilOp::Replace),
        ("increment-and-clamp", StencilOp::IncrementAndClamp),
        ("decrement-and-clamp", StencilOp::DecrementAndClamp),
        ("invert", StencilOp::Invert),
        ("increment-and-wrap", StencilOp::IncrementAndWrap),
        ("decrement-and-wrap", StencilOp::DecrementAndWrap),
    ];
    find("stencil operation", &rows, name)
}

/// A blend factor.
pub fn blend_factor(name: &str) -> Result<BlendFactor, String> {
    let rows = [
        ("zero", BlendFactor::Zero),
        ("one", BlendFactor::One),
        ("src-color", BlendFactor::SrcColor),
        ("one-minus-src-color", BlendFactor::OneMinusSrcColor),
        ("dst-color", BlendFactor::DstColor),
        ("one-minus-dst-color", BlendFactor::OneMinusDstColor),
        ("src-alpha", BlendFactor::SrcAlpha),
        ("one-minus-src-alpha", BlendFactor::OneMinusSrcAlpha),
        ("dst-alpha", BlendFactor::DstAlpha),
        ("one-minus-dst-alpha", BlendFactor::OneMinusDstAlpha),
        ("src-alpha-saturate", BlendFactor::SrcAlphaSaturate),
        ("src1-color", BlendFactor::Src1Color),
        ("one-minus-src1-color", BlendFactor::OneMinusSrc1Color),
        ("src1-alpha", BlendFactor::Src1Alpha),
        ("one-minus-src1-alpha", BlendFactor::OneMinusSrc1Alpha),
    ];
    find("blend factor", &rows, name)
}

/// A blend operation.
pub fn blend_op(name: &str) -> Result<BlendOp, String> {
    let rows = [
        ("add", BlendOp::Add),
        ("subtract", BlendOp::Subtract),
        ("reverse-subtract", BlendOp::ReverseSubtract),
        ("min", BlendOp::Min),
        ("max", BlendOp::Max),
    ];
    find("blend operation", &rows, name)
}

/// A primitive topology.
pub fn topology(name: &str) -> Result<Topology, String> {
    let rows = [
        ("point-list", Topology::PointList),
        ("line-list", Topology::LineList),
        ("line-strip", Topology::LineStrip),
        ("triangle-list", Topology::TriangleList),
        ("triangle-strip", Topology::TriangleStrip),
        ("triangle-fan", Topology::TriangleFan),
        ("line-list-with-adjacency", Topology::LineListWithAdjacency),
        ("line-strip-with-adjacency", Topology::LineStripWithAdjacency),
        ("triangle-list-with-adjacency", Topology::TriangleListWithAdjacency),
        ("triangle-strip-with-adjacency", Topology::TriangleStripWithAdjacency),
        ("patch-list", Topology::PatchList),
    ];
    find("topology", &rows, name)
}

/// Culled faces.
pub fn cull(name: &str) -> Result<CullMode, String> {
    let mode = |front, back| CullMode { front, back };
    let rows = [
        ("none", mode(false, false)),
        ("front", mode(true, false)),
        ("back", mode(false, true)),
        ("front-and-back", mode(true, true)),
    ];
    find("cull mode", &rows, name)
}

/// The winding of front faces.
pub fn front_face(name: &str) -> Result<FrontFace, String> {
    let rows = [("counter-clockwise", FrontFace::CounterClockwise), ("clockwise", FrontFace::Clockwise)];
    find("front face", &rows, name)
}

/// A polygon mode.
pub fn polygon(name: &str) -> Result<PolygonMode, String> {
    let rows = [("fill", PolygonMode::Fill), ("line", PolygonMode::Line), ("point", PolygonMode::Point)];
    find("polygon mode", &rows, name)
}
