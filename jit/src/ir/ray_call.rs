//! Calls of shaders by shaders in ray tracing pipelines. Leaves traversal and the choice of shaders to the owner of the
//! pipeline, which provides a routine ([`crate::abi::RayTracer`]).

use super::{Stage, Ty};

/// A call of other shaders. Its number is part of the contract with the routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum RayCall {
    /// Traces a ray: reference of the acceleration structure, ray flags, cull mask, record offset, record stride, miss
    /// index, origin, t minimum, direction, t maximum; then the scalars of the payload, whose new values are the results.
    /// Spec: SPIR-V, OpTraceRayKHR.
    Trace,
    /// Executes a callable shader: index of its record; then the scalars of its data, whose new values are the results.
    /// Spec: SPIR-V, OpExecuteCallableKHR.
    Execute,
    /// Reports an intersection: t, hit kind; then the scalars of the hit attribute. Results: what became of the hit, as
    /// [`Report`] numbers it, and the t maximum from now on. Spec: SPIR-V, OpReportIntersectionKHR.
    Report,
}

impl RayCall {
    /// Every call, in the order of the numbers.
    pub const ALL: &'static [RayCall] = &[RayCall::Trace, RayCall::Execute, RayCall::Report];

    /// The call with this number.
    pub fn from_number(number: u32) -> Option<RayCall> {
        RayCall::ALL.get(number as usize).copied()
    }

    /// Types of the operands before the scalars of the payload, the data or the hit attribute.
    pub fn operands(self) -> &'static [Ty] {
        use Ty::{F32, I32, I64};
        match self {
            RayCall::Trace => &[I64, I32, I32, I32, I32, I32, F32, F32, F32, F32, F32, F32, F32, F32],
            RayCall::Execute => &[I32],
            RayCall::Report => &[F32, I32],
        }
    }

    /// Number of words of those operands.
    pub fn operand_words(self) -> u32 {
        self.operands().iter().map(|ty| ty.bytes().div_ceil(4)).sum()
    }

    /// Types of the results of a call with these scalars.
    pub fn results(self, scalars: &[Ty]) -> Vec<Ty> {
        match self {
            RayCall::Trace | RayCall::Execute => scalars.to_vec(),
            RayCall::Report => vec![Ty::I32, Ty::F32],
        }
    }

    /// Returns true if shaders of a stage may make the call.
    pub fn is_of(self, stage: Stage) -> bool {
        match self {
            RayCall::Trace => stage.traces(),
            RayCall::Execute => stage.executes_callables(),
            RayCall::Report => stage == Stage::Intersection,
        }
    }
}

/// Outcome of a reported hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum Report {
    /// It was ignored.
    #[default]
    Ignored = 0,
    /// It is the closest one so far.
    Accepted = 1,
    /// It is the closest one so far, and the ray ends: so does the invocation that reported it.
    Ended = 2,
}

/// End of an invocation of an any-hit shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u32)]
pub enum HitEnd {
    /// The hit is accepted.
    #[default]
    Accept = 0,
    /// OpIgnoreIntersectionKHR.
    Ignore = 1,
    /// OpTerminateRayKHR: the hit is accepted, and the ray ends.
    Terminate = 2,
}

/// Maximum number of words of a payload or of callable data; here and below, every scalar takes at least one.
pub const MAX_PAYLOAD_WORDS: u32 = 1024;
/// Maximum number of words of a hit attribute.
pub const MAX_ATTRIBUTE_WORDS: u32 = 32;
