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
    static NONE: RayTracer = RayTracer { routine: call_nothing, launch: [[0; 3]; MAX_LANES], triangles: 0 };
    &NONE
}

/// Executes a call without shaders: the scalars stay as they are, and reported hits are ignored.
///
/// # Safety
/// `args` and its rows are valid, and nothing else accesses them during the call.
unsafe extern "C" fn call_nothing(args: *mut RayCallArgs) {
    // SAFETY: by the contract of this function. A report has two rows of operands, and so has its result.
    unsafe {
        if (*args).call == RayCall::Report as u32 {
            (*args).rows.write_bytes(0, 2 * (*args).lanes as usize);
        }
    }
}

/// Executes an operation of ray queries without acceleration structures: all results are zero.
///
/// # Safety
/// `args` is valid, and nothing else accesses it during the call.
unsafe extern "C" fn hit_nothing(args: *mut RayArgs) {
    // SAFETY: by the contract of this function.
    unsafe { (*args).results = [[0; MAX_LANES]; RAY_RESULTS] };
}
