//! The contract between generated code and the owner of ray tracing pipelines: calls of shaders by shaders.

use super::{Ctx, MAX_LANES};

/// Owner of the ray tracing pipeline that runs. It may have more fields after these.
#[repr(C)]
pub struct RayTracer {
    /// Executes a call.
    pub routine: RayCallRoutine,
    /// LaunchId of each invocation that runs, for observers.
    pub launch: [[u32; 3]; MAX_LANES],
    /// Bit k is set if invocation k runs for a hit on a triangle, for observers.
    pub triangles: u32,
    /// Greatest number of nested traces, for observers.
    pub max_depth: u32,
}

/// A call of other shaders by one lane group. Reads and writes [`RayCallArgs`].
pub type RayCallRoutine = unsafe extern "C" fn(args: *mut RayCallArgs);

/// Arguments and results of a call. Only lanes in `mask` are executed.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct RayCallArgs {
    /// Context of the caller.
    pub ctx: *const Ctx,
    /// Rows of S words: the operands of the row of the call ([`RayCall`](crate::ir::RayCall)), then the scalars. 64-bit
    /// operands and scalars take two rows, low words first. The routine replaces the scalars by their new values;
    /// other results replace operands, as the row states.
    pub rows: *mut u32,
    /// Number of the call.
    pub call: u32,
    /// Active lanes.
    pub mask: u32,
    /// Lane group size S.
    pub lanes: u32,
    /// Number of rows of scalars.
    pub words: u32,
}
