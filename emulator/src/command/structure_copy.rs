//! Parameters of commands that copy acceleration structures and query their properties.

use super::kept::Ref;
use crate::query::QueryPool;
use crate::rays::{AccelerationStructure, StructureVersion};
use crate::resource::buffer::Buffer;

/// A copy of an acceleration structure.
pub(crate) enum StructureCopy {
    /// To another structure, which may be compact.
    Clone { src: AccelerationStructure, dst: AccelerationStructure },
    /// To the bytes from `offset` on in a buffer.
    Serialize { src: AccelerationStructure, dst: Ref<Buffer>, offset: u64, version: StructureVersion },
    /// From the bytes from `offset` on in a buffer.
    Deserialize { src: Ref<Buffer>, offset: u64, dst: AccelerationStructure, version: StructureVersion },
}

/// A query of properties of acceleration structures.
pub(crate) struct StructureProperties {
    pub structures: Vec<AccelerationStructure>,
    pub pool: Ref<QueryPool>,
    /// Query of the first structure.
    pub first: u32,
}
