//! The interface for observers, which follow interpreted shaders step by step.
//!
//! A [`Watch`] is asked once per call of the lane function, on the thread of that call; several calls may run at the
//! same time. The [`Observer`] that it returns belongs to that call alone. Observers are told what happens and may
//! inspect everything, through a [`View`]; this module does not know what they do with it. A method that does not
//! return suspends the call; [`View::stop`] ends the call.
//!
//! The order of the events:
//!
//! ```text
//! begin                            a call of the lane function
//!   unit                           a workgroup, a patch, a stamp, a group of vertices, of points, of primitives
//!     start                        each of its lane groups, at the entry point
//!     before, after                each instruction
//!       memory, image              between the two, after the memory access
//!       barrier, released          between the two, for a control barrier
//!     branch, block, round, copy, end
//!     finish                       a lane group has ended, and its outputs are final
//!   unit_end
//! ```
//!
//! Lane groups of a unit with control barriers take turns: each runs from `start` or from a barrier to the next, so
//! their events are interleaved there. [`View::group`] identifies the group. Where lanes diverge, an instruction is
//! reported once for each set of lanes that executes it.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::group::Row;
use super::place::Place;
use crate::abi::{BindingLayout, Ctx, Descriptor, ImageArgs, ImageView, MAX_LANES, RayTracer};
use crate::ir::{
    AtomicOp, Block, BuiltIn, End, HandleKind, If, ImageOp, Inst, Loop, Mem, RayOp, Shader, Value, Var,
};

pub use super::atomic::eval_atomic;
pub use super::group::lanes_of as lanes;
pub use super::texels::{Range, TexelLevel, Texels, end_of_access};

/// Watches the calls of a lane function: see [`super::build_watched`].
pub trait Watch: Send + Sync {
    /// A call begins, on this thread. If this returns `None`, the call runs unobserved.
    fn begin(&self, call: &Call<'_>) -> Option<Box<dyn Observer>>;

    /// Returns a copy of a shader that computes the same, with [alarms](crate::ir::Op::Alarm) wherever observers of the
    /// shader may have something to report. If there is a copy, calls run compiled, and those in which an alarm was set
    /// run again under the observer; see [`super::alarmed`]. The shader must tolerate being run twice.
    #[expect(unused_variables, reason = "the parameter names serve as documentation")]
    fn alarmed(&self, shader: &Shader) -> Option<Shader> {
        None
    }

    /// Returns true if observers of the call may have something to report without an alarm; `bound` lists the resources
    /// that the shader may read.
    #[expect(unused_variables, reason = "the parameter names serve as documentation")]
    fn needs_all(&self, call: &Call<'_>, bound: &[Bound]) -> bool {
        false
    }

    /// A watched lane function has been created; it may never be called.
    #[expect(unused_variables, reason = "the parameter names serve as documentation")]
    fn built(&self, shader: &Arc<Shader>) {}

    /// The caller of lane functions begins other work: a dispatch, or draws that run together. If it is `ordered`, all
    /// earlier memory accesses happen before the later ones.
    fn next(&self, ordered: bool) {
        let _ = ordered;
    }

    /// Returns true if this needs the outputs of shaders; fragments then run even if their results are discarded.
    fn looks_at_outputs(&self) -> bool {
        false
    }
}

/// A bound resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A buffer.
    Buffer(Range),
    /// An image.
    Image {
        /// Set and number of the binding.
        binding: (u32, u32),
        /// Address of the record of its view.
        record: u64,
        /// Address of its descriptor.
        place: u64,
    },
    /// A sampler.
    Sampler {
        /// Set and number of the binding.
        binding: (u32, u32),
        /// Number of the sampler.
        number: u64,
    },
}

/// A call of a lane function: units `first..first + count`.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The shader. Its instructions do not move while the lane function lives, so their addresses identify them.
    pub shader: &'a Arc<Shader>,
    /// Number of lanes per group (S).
    pub lanes: u32,
    /// First unit.
    pub first: u32,
    /// Number of units.
    pub count: u32,
    /// The context of the call.
    pub ctx: &'a Ctx,
}

/// Receives the events of a call. All methods do nothing by default.
#[expect(unused_variables, reason = "the parameter names serve as documentation")]
pub trait Observer {
    /// A unit of `groups` lane groups begins. In stages without workgroups and patches, its number is that of its first
    /// invocation; for fragments, that of the stamp.
    fn unit(&mut self, unit: u32, groups: u32) {}

    /// A lane group is at its entry point; variables and outputs are zero.
    fn start(&mut self, at: &View<'_>) {}

    /// The active lanes are about to execute an instruction.
    fn before(&mut self, at: &View<'_>, inst: &Inst) {}

    /// An instruction has accessed a buffer, push constants, the payload or workgroup memory. Its results are set.
    fn memory(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>) {}

    /// An instruction has called an image routine: once for each image and sampler among the lanes, and for each of
    /// several joined reads. `args.mask` has the lanes; `view` is `None` for a null view. The results are in `args`,
    /// not yet in values.
    fn image(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        op: &ImageOp,
        args: &ImageArgs,
        view: Option<&ImageView>,
    ) {
    }

    /// The active lanes have executed an instruction; its results are set.
    fn after(&mut self, at: &View<'_>, inst: &Inst) {}

    /// The active lanes split: those in `taken` go to `then`, the rest to `els`.
    fn branch(&mut self, at: &View<'_>, node: &If, taken: u32) {}

    /// The active lanes enter a block.
    fn block(&mut self, at: &View<'_>, node: &Block) {}

    /// The active lanes begin an iteration of a loop, including the first; its parameters are set.
    fn round(&mut self, at: &View<'_>, node: &Loop) {}

    /// Values are about to be copied in the active lanes, all at once: from ends and breaks to results and parameters.
    fn copy(&mut self, at: &View<'_>, from: &[Value], to: &[Value]) {}

    /// The active lanes have reached the end of a region.
    fn end(&mut self, at: &View<'_>, end: &End) {}

    /// The active lanes of a group have reached a control barrier, where the group waits.
    fn barrier(&mut self, at: &View<'_>, inst: &Inst) {}

    /// All lane groups of the unit wait at a control barrier or have ended; the waiting ones continue.
    fn released(&mut self, unit: u32) {}

    /// A lane group has ended.
    fn finish(&mut self, at: &View<'_>) {}

    /// The lane groups of a unit have ended.
    fn unit_end(&mut self, unit: u32) {}
}

/// The kind of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Reads [`MemoryAccess::values`].
    Read,
    /// Writes [`MemoryAccess::values`].
    Write,
    /// Reads and writes atomically.
    Atomic(AtomicOp),
}

/// The kind of memory that is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// A buffer, push constants ([`View::push_constants`]) or the payload ([`View::payload`]).
    Buffer,
    /// Workgroup memory.
    Workgroup,
}

/// An access to memory by the lanes of a group.
pub struct MemoryAccess<'a> {
    /// Kind of the access.
    pub kind: AccessKind,
    /// Kind of memory.
    pub space: Space,
    /// Lanes that access memory; for writes, without helper invocations.
    pub lanes: u32,
    /// Static part of the address, and the memory ordering.
    pub mem: Mem,
    /// The values read or written, `Mem::stride` bytes apart in memory. For atomics: the result or, if there is none,
    /// the operand.
    pub values: &'a [Value],
    pub(super) shader: &'a Shader,
    pub(super) ranges: Ranges<'a>,
    pub(super) offsets: &'a Row,
}

/// The accessible range of each lane.
#[derive(Clone, Copy)]
pub(super) enum Ranges<'a> {
    Same(Range),
    Each(&'a [Range; MAX_LANES]),
}

impl Ranges<'_> {
    pub fn of(self, lane: usize) -> Range {
        match self {
            Ranges::Same(range) => range,
            Ranges::Each(ranges) => ranges[lane],
        }
    }
}

/// Byte offset of scalar `i` of an access.
pub(super) fn byte(mem: Mem, offset: u64, i: usize) -> u64 {
    end_of_access(offset, u64::from(mem.offset) + i as u64 * u64::from(mem.stride))
}

/// The part of a [`MemoryAccess`] that one lane does to one scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The lane.
    pub lane: usize,
    /// Index into [`MemoryAccess::values`].
    pub scalar: usize,
    /// The range that the descriptor or the address gives access to.
    pub range: Range,
    /// Offset of the first byte in the range.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u32,
    /// True if the bytes are in the range. Otherwise a read returns 0, and a write is dropped.
    pub inside: bool,
}

impl MemoryAccess<'_> {
    /// Scalar `scalar` of lane `lane`.
    pub fn touch(&self, lane: usize, scalar: usize) -> Touch {
        let (range, offset) = (self.ranges.of(lane), byte(self.mem, self.offsets[lane], scalar));
        let bytes = self.values.get(scalar).map_or(0, |&v| self.shader.ty(v).bytes());
        let inside = range.holds(offset, bytes);
        Touch { lane, scalar, range, offset, bytes, inside }
    }

    /// All scalars of all lanes, lane by lane.
    pub fn touches(&self) -> impl Iterator<Item = Touch> + '_ {
        lanes(self.lanes).flat_map(move |l| (0..self.values.len()).map(move |i| self.touch(l, i)))
    }
}

/// Identity of an invocation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the built-ins")]
pub enum Invocation {
    /// In a workgroup: compute, task, mesh.
    Workgroup { workgroup: [u32; 3], local: [u32; 3] },
    /// In a vertex shader.
    Vertex { vertex: u32, instance: u32 },
    /// In a tessellation control shader; `patch` is its number in the call.
    Control { patch: u32, invocation: u32 },
    /// In a tessellation evaluation shader; `point` is its number in the call.
    Evaluation { primitive: u32, point: u32, coord: [f32; 3] },
    /// In a geometry shader.
    Geometry { primitive: u32, invocation: u32 },
    /// In a shader of a ray tracing pipeline.
    Ray { launch: [u32; 3] },
    /// In a fragment shader, for a pixel or one of its samples.
    Fragment { pixel: [i32; 2], primitive: u32, layer: u32, sample: u32, helper: bool },
}

/// The lane group behind a [`View`]. The methods are those of the view.
pub(super) trait Looked {
    fn shader(&self) -> &Shader;
    fn lanes(&self) -> u32;
    fn ctx(&self) -> &Ctx;
    fn masks(&self) -> Masks;
    /// First unit of the call.
    fn first(&self) -> u32;
    fn place(&self) -> Place;
    fn part(&self, v: Value, part: usize) -> &[u64];
    fn var(&self, var: Var, elem: u32, lane: usize) -> Option<u64>;
    fn output(&self, output: usize, lane: usize) -> Option<u64>;
    fn builtin(&self, builtin: BuiltIn, component: u32, lane: usize) -> u64;
    fn input(&self, input: usize, lane: usize, vertex: u32) -> u64;
    fn push_constants(&self) -> Range;
    fn payload(&self) -> Range;
    fn binding(&self, set: u32, binding: u32) -> Option<&BindingLayout>;
    fn descriptor(&self, kind: HandleKind, set: u32, binding: u32, index: u32) -> Option<Descriptor>;
    fn descriptor_place(&self, set: u32, binding: u32, index: u32) -> Option<u64>;
    fn first_pixel(&self, lane: usize) -> [i32; 2];
    fn tracer(&self) -> &RayTracer;
    fn query_word(&self, op: RayOp, query: u32, lane: usize, committed: bool) -> u32;
    fn stop(&self);
}

/// Lane masks of a group.
pub(super) struct Masks {
    pub active: u32,
    pub full: u32,
    pub alive: u32,
    pub killed: u32,
    pub helper: u32,
}

/// A view of a lane group while the observer holds it.
pub struct View<'a>(pub(super) &'a dyn Looked);

impl View<'_> {
    /// The shader.
    pub fn shader(&self) -> &Shader {
        self.0.shader()
    }

    /// Number of lanes (S).
    pub fn lanes(&self) -> u32 {
        self.0.lanes()
    }

    /// The context of the call.
    pub fn ctx(&self) -> &Ctx {
        self.0.ctx()
    }

    /// Lanes that are executing.
    pub fn active(&self) -> u32 {
        self.0.masks().active
    }

    /// Lanes that were active at the start.
    pub fn full(&self) -> u32 {
        self.0.masks().full
    }

    /// Lanes that have not ended.
    pub fn alive(&self) -> u32 {
        self.0.masks().alive
    }

    /// Lanes that have ended without outputs.
    pub fn killed(&self) -> u32 {
        self.0.masks().killed
    }

    /// Helper invocations.
    pub fn helpers(&self) -> u32 {
        self.0.masks().helper
    }

    /// The unit that the group belongs to.
    pub fn unit(&self) -> u32 {
        match self.0.place() {
            Place::None => 0,
            Place::Compute(place) => self.0.first().wrapping_add(place.index),
            Place::Vertex(place) => place.first,
            Place::Control(place) => place.patch,
            Place::Evaluation(place) => place.first,
            Place::Geometry(place) => place.first,
            Place::Fragment(place) => place.unit,
        }
    }

    /// Number of the group in its unit.
    pub fn group(&self) -> u32 {
        match self.0.place() {
            Place::Compute(place) => place.group,
            Place::Control(place) => place.group,
            _ => 0,
        }
    }

    /// A value in all lanes; inactive lanes may hold anything. For handles, the first half.
    pub fn row(&self, v: Value) -> &[u64] {
        self.0.part(v, 0)
    }

    /// Half of a handle in all lanes: base or size of buffers; view or sampler word of images.
    pub fn part(&self, v: Value, part: usize) -> &[u64] {
        self.0.part(v, part)
    }

    /// A value in a lane.
    pub fn value(&self, v: Value, lane: usize) -> u64 {
        self.row(v).get(lane).copied().unwrap_or(0)
    }

    /// An element of a variable in a lane, if the variable has it.
    pub fn var(&self, var: Var, elem: u32, lane: usize) -> Option<u64> {
        self.0.var(var, elem, lane)
    }

    /// The value that a lane has stored to an output scalar, in stages whose invocations have their own outputs.
    pub fn output(&self, output: usize, lane: usize) -> u64 {
        self.0.output(output, lane).unwrap_or(0)
    }

    /// A component of a built-in, whether or not the shader uses it; 0 if the stage does not have it.
    pub fn builtin(&self, builtin: BuiltIn, component: u32, lane: usize) -> u64 {
        self.0.builtin(builtin, component, lane)
    }

    /// An input scalar in a lane; `vertex` selects a vertex in stages that read several.
    pub fn input(&self, input: usize, lane: usize, vertex: u32) -> u64 {
        match input < self.shader().inputs.len() {
            true => self.0.input(input, lane, vertex),
            false => 0,
        }
    }

    /// Push constants.
    pub fn push_constants(&self) -> Range {
        self.0.push_constants()
    }

    /// The payload of the workgroup (task and mesh).
    pub fn payload(&self) -> Range {
        self.0.payload()
    }

    /// Location of a binding's descriptors, if the layout has the binding.
    pub fn binding(&self, set: u32, binding: u32) -> Option<&BindingLayout> {
        self.0.binding(set, binding)
    }

    /// Element `index` of the array of buffers at a binding.
    pub fn buffer(&self, set: u32, binding: u32, index: u32) -> Option<Descriptor> {
        self.0.descriptor(HandleKind::Buffer, set, binding, index)
    }

    /// Address of element `index` of a binding in the memory of its set, if it is there.
    pub fn descriptor_place(&self, set: u32, binding: u32, index: u32) -> Option<u64> {
        self.0.descriptor_place(set, binding, index)
    }

    /// Identity of the invocation in a lane.
    pub fn invocation(&self, lane: usize) -> Invocation {
        let word = |b: BuiltIn, c: u32| self.builtin(b, c, lane) as u32;
        let three = |b: BuiltIn| [word(b, 0), word(b, 1), word(b, 2)];
        match self.0.place() {
            Place::None | Place::Compute(_) => Invocation::Workgroup {
                workgroup: three(BuiltIn::WorkgroupId),
                local: three(BuiltIn::LocalInvocationId),
            },
            Place::Vertex(place) if self.shader().stage.is_of_rays() => {
                let k = place.first as usize + lane;
                Invocation::Ray { launch: self.0.tracer().launch.get(k).copied().unwrap_or_default() }
            }
            Place::Vertex(_) => Invocation::Vertex {
                vertex: word(BuiltIn::VertexIndex, 0),
                instance: word(BuiltIn::InstanceIndex, 0),
            },
            Place::Control(place) => {
                Invocation::Control { patch: place.patch, invocation: word(BuiltIn::InvocationId, 0) }
            }
            Place::Evaluation(place) => Invocation::Evaluation {
                primitive: word(BuiltIn::PrimitiveId, 0),
                point: place.first + lane as u32,
                coord: three(BuiltIn::TessCoord).map(f32::from_bits),
            },
            Place::Geometry(_) => Invocation::Geometry {
                primitive: word(BuiltIn::PrimitiveId, 0),
                invocation: word(BuiltIn::InvocationId, 0),
            },
            Place::Fragment(_) => Invocation::Fragment {
                pixel: self.0.first_pixel(lane),
                primitive: word(BuiltIn::PrimitiveId, 0),
                layer: word(BuiltIn::Layer, 0),
                sample: word(BuiltIn::SampleId, 0),
                helper: self.helpers() >> lane & 1 == 1,
            },
        }
    }

    /// Greatest number of nested traces of the ray tracing pipeline that runs.
    pub fn max_trace_depth(&self) -> u32 {
        self.0.tracer().max_depth
    }

    /// Lanes of a ray tracing stage that run for a hit on a triangle.
    pub fn triangles(&self) -> u32 {
        match self.0.place() {
            Place::Vertex(place) if self.shader().stage.is_of_rays() => {
                self.0.tracer().triangles.checked_shr(place.first).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// First word that a read of a ray query gives, of the committed intersection or of the candidate; 0 for steps, and
    /// if the shader does not have the query.
    pub fn query_word(&self, op: RayOp, query: u32, lane: usize, committed: bool) -> u32 {
        if op.is_step() { 0 } else { self.0.query_word(op, query, lane, committed) }
    }

    /// Ends the call as soon as the observer returns; the call then returns [`crate::abi::STOPPED`].
    pub fn stop(&self) {
        self.0.stop();
    }
}

/// The observer of a call.
pub(super) struct Watcher {
    pub observer: RefCell<Box<dyn Observer>>,
    /// True if the observer has requested the end of the call.
    pub stopped: Cell<bool>,
}

impl Watcher {
    pub fn new(observer: Box<dyn Observer>) -> Watcher {
        Watcher { observer: RefCell::new(observer), stopped: Cell::new(false) }
    }
}
