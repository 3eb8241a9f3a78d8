//! The contract between generated code and the owner of acceleration structures: operations of ray queries.

use super::{ImageArgs, Row};

/// Size of the state of a ray query, in bytes.
pub const RAY_QUERY_BYTES: usize = 1216;

/// Owner of the acceleration structures that shaders can see. It may have more fields after these.
#[repr(C)]
pub struct RayHost {
    /// Executes an operation of ray queries.
    pub routine: RayRoutine,
}

/// An operation of ray queries on one lane group. Reads and writes [`RayArgs`].
pub type RayRoutine = unsafe extern "C" fn(args: *mut RayArgs);

/// Maximum number of rows of operands.
pub const RAY_OPERANDS: usize = 12;
/// Maximum number of results.
pub const RAY_RESULTS: usize = 12;

/// Arguments and results of an operation of ray queries. Only lanes in `mask` are executed.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct RayArgs {
    /// The host: `Ctx::rays`.
    pub host: *const RayHost,
    /// States of the queries, [`RAY_QUERY_BYTES`] each, aligned to 64: query q of lane l is number `l * queries + q`. All
    /// zero before the first operation.
    pub states: *mut u8,
    /// Number of the operation ([`RayOp`](crate::ir::RayOp)).
    pub op: u32,
    /// Active lanes.
    pub mask: u32,
    /// Lane group size S.
    pub lanes: u32,
    /// Number of queries of a lane.
    pub queries: u32,
    /// Number of the query. A number past the last query has no effect and gives zeros.
    pub query: Row,
    /// Operands in the order of the operation's row; 64-bit operands take two rows, low words first.
    pub operands: [Row; RAY_OPERANDS],
    /// Results in the order of the operation's row.
    pub results: [Row; RAY_RESULTS],
}

// Generated code keeps the arguments of both kinds of calls in the same place.
const _: () = assert!(size_of::<RayArgs>() <= size_of::<ImageArgs>());
