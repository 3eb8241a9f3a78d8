//! Ray tracing pipelines: calls of their shaders, and traversal between the calls.
//!
//! * `shaders`: the shaders and groups of a pipeline; `table`: shader binding tables; `bad_record`: faults of their records
//! * `call`: calls of a shader for some rays; `hit`: built-ins of rays and hits
//! * `memory`: what a thread keeps from call to call; `path`: a ray of a call
//! * `walk`: rays of one call, on their way from candidate to candidate
//! * `hit_object`: hit objects, which have the end of such a way
//! * `routine`: the calls that shaders make
//! * `job`: a trace command, distributed over threads
//!
//! A lane group that traces rays calls `routine` once for all its active lanes. Their rays walk until each has ended or
//! needs a shader. The rays that need the same shader call it together, in the order of the shaders, then of the lanes;
//! each ray is a lane of the callee. The callee may call `routine` again: nesting is recursion, whose depth the pipeline
//! limits. The hits of a ray, and their order, depend on the ray alone. The order of the calls of different rays
//! depends on the size of lane groups, but not on threads or on the host.
//!
//! A panic or a failed allocation must not unwind through generated code. `routine` catches it and keeps it for the end of
//! the command; calls after it have no effect.
//!
//! Left to others: trees and traversal (`quadrille_rays`), acceleration structures by address ([`crate::rays`]), pipelines
//! and commands (the device).

mod bad_record;
mod call;
mod hit;
mod hit_object;
mod job;
mod memory;
mod path;
mod routine;
mod shaders;
mod table;
mod walk;

pub use bad_record::{BadRecord, RecordFault, Table};
pub use call::BadRecords;
pub use job::{TraceJob, trace_rays};
pub use shaders::{GroupKind, MAX_RECURSION_DEPTH, TraceGroup, TracePipeline, TraceShader};
pub use table::{HANDLE_BYTES, Handle, Handles, Region};
