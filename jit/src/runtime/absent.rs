//! Hosts without acceleration structures and without a ray tracing pipeline, for stages that have none.

use crate::abi::{MAX_LANES, RAY_RESULTS, RayArgs, RayCallArgs, RayHost, RayTracer};
use crate::ir::RayCall;

/// A host without acceleration structures, whose rays hit nothing.
pub fn no_rays() -> &'static RayHost {
    static NONE: RayHost = RayHost { routine: hit_nothing };
    &NONE
}

/// A pipeline without shaders, whose calls have no effect.
pub fn no_tracer() -> &'static RayTracer {
    static NONE: RayTracer =
        RayTracer { routine: call_nothing, launch: [[0; 3]; MAX_LANES], triangles: 0, max_depth: u32::MAX };
    &NONE
}

/// Executes a call without shaders: the scalars stay as they are, and reported hits are ignored.
///
/// # Safety
/// `args` and its rows are valid, and nothing else accesses them during the call.
unsafe extern "C" fn call_nothing(args: *mut RayCallArgs) {
    // SAFETY: by the contract of this function.
    let RayCallArgs { rows, call, lanes, .. } = unsafe { *args };
    let Some(call) = RayCall::from_number(call) else { return };
    // Operands that results replace.
    let (from, to) = (call.results_at() as usize, call.operand_words() as usize);
    // SAFETY: by the contract of this function: there is a row for each word of the operands.
    unsafe { rows.add(from * lanes as usize).write_bytes(0, (to - from) * lanes as usize) };
}

/// Executes an operation of ray queries without acceleration structures: all results are zero.
///
/// # Safety
/// `args` is valid, and nothing else accesses it during the call.
unsafe extern "C" fn hit_nothing(args: *mut RayArgs) {
    // SAFETY: by the contract of this function.
    unsafe { (*args).results = [[0; MAX_LANES]; RAY_RESULTS] };
}
