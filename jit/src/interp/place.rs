//! Position of a group in the dispatch, the draw or the primitive, and the vertices that it has emitted.

use crate::abi::{MAX_LANES, Stamp};

/// Position of a group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Not started yet.
    None,
    Compute(ComputePlace),
    Vertex(VertexPlace),
    Control(ControlPlace),
    Evaluation(EvaluationPlace),
    Geometry(GeometryPlace),
    Fragment(FragmentPlace),
}

/// Position of a group in a workgroup.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComputePlace {
    /// Number of the workgroup in the call.
    pub index: u32,
    pub workgroup: [u32; 3],
    /// Number of the group in its workgroup.
    pub group: u32,
}

/// Position of a group in a patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct ControlPlace {
    /// Number of the patch.
    pub patch: u32,
    /// Number of the group in its patch.
    pub group: u32,
}

/// Position of a group of domain points.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvaluationPlace {
    /// Point of lane 0.
    pub first: u32,
}

/// Position of a fragment group.
#[derive(Clone, Copy, Debug)]
pub(super) struct FragmentPlace {
    /// Number of the stamp in the call.
    pub unit: u32,
    pub stamp: Stamp,
}

/// Position of a group of geometry shader invocations.
#[derive(Clone, Copy, Debug)]
pub(super) struct GeometryPlace {
    /// Unit of lane 0.
    pub first: u32,
}

/// Vertices that the lanes of a group have emitted on each stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams(pub Vec<[Emitted; MAX_LANES]>);

/// Vertices that a lane has emitted on a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Emitted {
    pub vertices: u32,
    /// True if the next vertex begins a strip.
    pub begins: bool,
    /// The current word of the cut bits, as far as it is known.
    pub bits: u32,
}

/// Position of a group of vertices.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexPlace {
    /// Invocation of lane 0.
    pub first: u32,
}
