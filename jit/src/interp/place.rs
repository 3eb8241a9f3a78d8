//! Where a group is in the dispatch, the draw or the primitive, and what it has emitted.

use crate::abi::{MAX_LANES, Stamp};

/// Where a group is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Nowhere yet.
    None,
    Compute(ComputePlace),
    Vertex(VertexPlace),
    Control(ControlPlace),
    Evaluation(EvaluationPlace),
    Geometry(GeometryPlace),
    Fragment(FragmentPlace),
}

/// Where a group of a workgroup is.
#[derive(Clone, Copy, Debug)]
pub(super) struct ComputePlace {
    /// Number of the workgroup in the call.
    pub index: u32,
    pub workgroup: [u32; 3],
    /// Number of the group in its workgroup.
    pub group: u32,
}

/// Where a group of a patch is.
#[derive(Clone, Copy, Debug)]
pub(super) struct ControlPlace {
    /// Number of the patch.
    pub patch: u32,
    /// Number of the group in its patch.
    pub group: u32,
}

/// Where a group of points is.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvaluationPlace {
    /// Point of lane 0.
    pub first: u32,
}

/// Where a group of a stamp is.
#[derive(Clone, Copy, Debug)]
pub(super) struct FragmentPlace {
    /// Number of the stamp in the call.
    pub unit: u32,
    pub stamp: Stamp,
}

/// Where a group of invocations of primitives is.
#[derive(Clone, Copy, Debug)]
pub(super) struct GeometryPlace {
    /// Unit of lane 0.
    pub first: u32,
}

/// What the lanes of a group have emitted on each stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Streams(pub Vec<[Emitted; MAX_LANES]>);

/// What a lane has emitted on a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Emitted {
    pub vertices: u32,
    /// The next one begins a strip.
    pub begins: bool,
    /// The word of the bits that say where strips begin, as far as it is known.
    pub bits: u32,
}

/// Where a group of vertices is.
#[derive(Clone, Copy, Debug)]
pub(super) struct VertexPlace {
    /// Invocation of lane 0.
    pub first: u32,
}
