//! Records of shader binding tables that shaders select, but that name no suitable shaders.

use super::shaders::GroupKind;

/// A shader binding table of a trace command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The record of the ray generation shader.
    RayGeneration,
    /// Records of miss shaders.
    Miss,
    /// Records of hit groups.
    Hit,
    /// Records of callable shaders.
    Callable,
}

/// A selected record that names no suitable shaders. It executes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// Lane of the shader that selects the record; `None` for the record of the ray generation shader.
    pub lane: Option<usize>,
    /// The table.
    pub table: Table,
    /// Number of the record.
    pub index: u64,
    /// The fault.
    pub fault: RecordFault,
}

/// See [`BadRecord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// The record is not in the table.
    PastEnd,
    /// The handle is that of no shader group of the pipeline.
    NoGroup,
    /// The shader group is of this kind, but a shader of another stage or a hit group of another kind is needed.
    OtherKind(GroupKind),
}
