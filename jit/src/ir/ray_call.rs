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
    /// Traces a ray to its closest hit without a shader for it: the operands of `Trace`, then the words of a hit object
    /// ([`hit_object`]); then the scalars of the payload. Results: the new words, and the new values of the scalars.
    /// Spec: SPIR-V, OpHitObjectTraceRayEXT.
    HitTrace,
    /// Executes the closest hit or miss shader of a hit object: its words; then the scalars of the payload, whose new
    /// values are the results. Spec: SPIR-V, OpHitObjectExecuteShaderEXT.
    HitExecute,
    /// Reads what a hit object refers to: number of a [`HitQuery`], the words of the hit object. Results:
    /// [`HIT_RESULTS`] words, the first of which have the answer.
    HitGet,
    /// Reports an intersection: t, hit kind; then the scalars of the hit attribute. Results: what became of the hit, as
    /// [`Report`] numbers it, and the t maximum from now on. Spec: SPIR-V, OpReportIntersectionKHR.
    Report,
}

impl RayCall {
    /// Every call, in the order of the numbers.
    pub const ALL: &'static [RayCall] = &[
        RayCall::Trace,
        RayCall::Execute,
        RayCall::HitTrace,
        RayCall::HitExecute,
        RayCall::HitGet,
        RayCall::Report,
    ];

    /// The call with this number.
    pub fn from_number(number: u32) -> Option<RayCall> {
        RayCall::ALL.get(number as usize).copied()
    }

    /// Types of the operands before the scalars of the payload, the data or the hit attribute.
    pub fn operands(self) -> &'static [Ty] {
        use Ty::{F32, I32};
        match self {
            RayCall::Trace => &TRACE,
            RayCall::HitTrace => &HIT_TRACE,
            RayCall::HitExecute => &[I32; HIT_WORDS],
            RayCall::HitGet => &[I32; 1 + HIT_WORDS],
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
            RayCall::Trace | RayCall::Execute | RayCall::HitExecute => scalars.to_vec(),
            RayCall::HitTrace => [&[Ty::I32; HIT_WORDS], scalars].concat(),
            RayCall::HitGet => vec![Ty::I32; HIT_RESULTS],
            RayCall::Report => vec![Ty::I32, Ty::F32],
        }
    }

    /// Number of the word from which on the results replace operands and scalars.
    pub fn results_at(self) -> u32 {
        match self {
            RayCall::Report | RayCall::HitGet => 0,
            RayCall::HitTrace => self.operand_words() - HIT_WORDS as u32,
            RayCall::Trace | RayCall::Execute | RayCall::HitExecute => self.operand_words(),
        }
    }

    /// Number of results before the new values of scalars; `None` for calls that return no scalars.
    pub fn results_before_scalars(self) -> Option<usize> {
        match self {
            RayCall::Report | RayCall::HitGet => None,
            RayCall::HitTrace => Some(HIT_WORDS),
            RayCall::Trace | RayCall::Execute | RayCall::HitExecute => Some(0),
        }
    }

    /// Returns true if shaders of a stage may make the call.
    pub fn is_of(self, stage: Stage) -> bool {
        match self {
            RayCall::Trace | RayCall::HitTrace | RayCall::HitExecute | RayCall::HitGet => stage.traces(),
            RayCall::Execute => stage.executes_callables(),
            RayCall::Report => stage == Stage::Intersection,
        }
    }
}

/// Types of the operands of a trace.
const TRACE: [Ty; 14] = {
    use Ty::{F32, I32, I64};
    [I64, I32, I32, I32, I32, I32, F32, F32, F32, F32, F32, F32, F32, F32]
};

/// Types of the operands of a trace, and of the words of a hit object.
const HIT_TRACE: [Ty; TRACE.len() + HIT_WORDS] = {
    let mut all = [Ty::I32; TRACE.len() + HIT_WORDS];
    let mut i = 0;
    while i < TRACE.len() {
        all[i] = TRACE[i];
        i += 1;
    }
    all
};

/// Number of words of a hit object.
pub const HIT_WORDS: usize = (hit_object::ATTRIBUTE + MAX_ATTRIBUTE_WORDS) as usize;
/// Number of results of [`RayCall::HitGet`].
pub const HIT_RESULTS: usize = 12;

/// Words of a hit object. Zeros are an empty one. Spec: SPIR-V, OpTypeHitObjectEXT.
pub mod hit_object {
    /// [`EMPTY`], [`MISS`], [`TRIANGLE`], or [`PROCEDURAL`].
    pub const KIND: u32 = 0;
    /// Kind: neither a hit nor a miss.
    pub const EMPTY: u32 = 0;
    /// Kind: a miss.
    pub const MISS: u32 = 1;
    /// Kind: a hit on a triangle.
    pub const TRIANGLE: u32 = 2;
    /// Kind: a hit in a box.
    pub const PROCEDURAL: u32 = 3;
    /// Reference of the acceleration structure, low word first.
    pub const STRUCTURE: u32 = 1;
    /// Ray flags.
    pub const FLAGS: u32 = 3;
    /// Cull mask.
    pub const MASK: u32 = 4;
    /// Origin in the world.
    pub const ORIGIN: u32 = 5;
    /// t minimum.
    pub const T_MIN: u32 = 8;
    /// Direction in the world.
    pub const DIRECTION: u32 = 9;
    /// t maximum: that of the hit, or of the ray that missed.
    pub const T_MAX: u32 = 12;
    /// Index of the instance.
    pub const INSTANCE: u32 = 13;
    /// Index of the geometry.
    pub const GEOMETRY: u32 = 14;
    /// Index of the primitive.
    pub const PRIMITIVE: u32 = 15;
    /// Place of the triangle in its bottom level, which only the owner of structures understands.
    pub const PLACE: u32 = 16;
    /// Hit kind.
    pub const HIT_KIND: u32 = 17;
    /// Index of the record in the table of hit groups, or in that of miss shaders.
    pub const RECORD: u32 = 18;
    /// The hit attribute.
    pub const ATTRIBUTE: u32 = 19;
}

/// Answer of [`RayCall::HitGet`]. Its number is part of the contract with the routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum HitQuery {
    /// Custom index of the instance.
    CustomIndex,
    /// Origin of the ray in the space of the object.
    ObjectOrigin,
    /// Direction of the ray in the space of the object.
    ObjectDirection,
    /// Matrix from object to world, four columns of three rows.
    ObjectToWorld,
    /// Matrix from world to object, four columns of three rows.
    WorldToObject,
    /// Positions of the vertices of the triangle, in the space of the object.
    Positions,
    /// Device address of the data in the shader record, low word first.
    RecordData,
}

impl HitQuery {
    /// Every answer, in the order of the numbers.
    pub const ALL: &'static [HitQuery] = &[
        HitQuery::CustomIndex,
        HitQuery::ObjectOrigin,
        HitQuery::ObjectDirection,
        HitQuery::ObjectToWorld,
        HitQuery::WorldToObject,
        HitQuery::Positions,
        HitQuery::RecordData,
    ];

    /// The answer with this number.
    pub fn from_number(number: u32) -> Option<HitQuery> {
        HitQuery::ALL.get(number as usize).copied()
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
