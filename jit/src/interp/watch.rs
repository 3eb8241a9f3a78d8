//! The observers' door: whoever watches what interpreted shaders do, step by step.
//!
//! A [`Watch`] is asked once for every call of the lane function, on the thread of that call, and several
//! calls may run at the same time. The [`Observer`] that it gives belongs to that call alone. What an observer
//! is for is its own affair: here it is told what happens and may look at everything, through a [`View`]. A method
//! that does not return holds the call where it is; [`View::stop`] ends it.
//!
//! The order of what is told:
//!
//! ```text
//! begin                            a call of the lane function
//!   unit                           a workgroup, a patch, a stamp, a group of vertices, of points, of primitives
//!     start                        each of its lane groups, at the entry point
//!     before, after                each instruction
//!       memory, image              between the two, once what it does to memory is done
//!       barrier, released          between the two of a control barrier
//!     branch, block, round, copy, end
//!     finish                       a lane group has ended: its outputs are what they are
//!   unit_end
//! ```
//!
//! Lane groups of a unit with control barriers take turns: each runs from `start` or from a barrier to the next, so
//! that what is told of them is interleaved there. [`View::group`] says whose turn it is. Where lanes diverge, an
//! instruction is told once for each set of lanes that come to it.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use super::events::Event;
use super::group::Row;
use super::place::Place;
use crate::abi::{BindingLayout, Ctx, Descriptor, ImageArgs, ImageView, MAX_LANES};
use crate::ir::{AtomicOp, Block, BuiltIn, End, If, ImageOp, Inst, Loop, Mem, Op, Shader, Value, Var};

pub use super::events::Range;
pub use super::group::lanes_of as lanes;

/// Watches the calls of a lane function: see [`super::build_watched`].
pub trait Watch: Send + Sync {
    /// A call begins, on this thread. Without an observer it runs as if nobody watched.
    fn begin(&self, call: &Call<'_>) -> Option<Box<dyn Observer>>;

    /// A copy of a shader that computes the same, with [alarms](crate::ir::Op::Alarm) that ring wherever observers of
    /// the shader may have something to tell. If there is one, calls are compiled, and those observed again in which
    /// an alarm has rung: see [`super::alarmed`]. The shader must not mind to be run twice.
    #[expect(unused_variables, reason = "names of arguments are documentation here")]
    fn alarmed(&self, shader: &Shader) -> Option<Shader> {
        None
    }

    /// Observers of the call may have something to tell though no alarm rings; `bound` is what the shader may read.
    #[expect(unused_variables, reason = "names of arguments are documentation here")]
    fn needs_all(&self, call: &Call<'_>, bound: &[Bound]) -> bool {
        false
    }

    /// A lane function has been made that it watches, whether or not it is ever called.
    #[expect(unused_variables, reason = "names of arguments are documentation here")]
    fn built(&self, shader: &Arc<Shader>) {}

    /// Whoever calls lane functions says that other work begins: a dispatch, or draws that run together. If it is
    /// `ordered`, all accesses to memory before happen before those that come.
    fn next(&self, ordered: bool) {
        let _ = ordered;
    }

    /// Whether it looks at what orders commands: devices tell that only to those who do.
    fn looks_at_order(&self) -> bool {
        false
    }

    /// Whether it looks at what shaders put out and what not: fragments run even if nothing comes of them.
    fn looks_at_outputs(&self) -> bool {
        false
    }

    /// The device tells what it does besides running shaders.
    #[expect(unused_variables, reason = "names of arguments are documentation here")]
    fn told(&self, event: &Event<'_>) {}
}

/// A resource that is bound.
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
    },
    /// A sampler.
    Sampler {
        /// Set and number of the binding.
        binding: (u32, u32),
        /// Its number.
        number: u64,
    },
}

/// A call of a lane function: units `first..first + count`.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The shader. Its instructions stay where they are as long as the lane function lives: their addresses
    /// tell them apart.
    pub shader: &'a Arc<Shader>,
    /// S.
    pub lanes: u32,
    /// First unit.
    pub first: u32,
    /// Number of units.
    pub count: u32,
    /// What the call is given.
    pub ctx: &'a Ctx,
}

/// Is told what a call does. The methods do nothing unless they are implemented.
#[expect(unused_variables, reason = "names of arguments are documentation here")]
pub trait Observer {
    /// A unit of so many lane groups begins. Units of stages without workgroups and patches are numbered by their
    /// first invocation, those of fragments by their stamp.
    fn unit(&mut self, unit: u32, groups: u32) {}

    /// A lane group is at its entry point: variables and outputs are zero.
    fn start(&mut self, at: &View<'_>) {}

    /// The active lanes are about to execute an instruction.
    fn before(&mut self, at: &View<'_>, inst: &Inst) {}

    /// An instruction has accessed a buffer, push constants, the payload or workgroup memory. Results are there.
    fn memory(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>) {}

    /// An instruction has called a routine of an image; once for each image and sampler among the lanes, and for
    /// each of several reads that are joined. `args.mask` says for which lanes, `view` is `None` for a null one.
    /// Results are in `args`, not yet in values.
    fn image(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        op: &ImageOp,
        args: &ImageArgs,
        view: Option<&ImageView>,
    ) {
    }

    /// The active lanes have executed an instruction: its results are there.
    fn after(&mut self, at: &View<'_>, inst: &Inst) {}

    /// The active lanes divide: those in `taken` go to `then`, the others to `els`.
    fn branch(&mut self, at: &View<'_>, node: &If, taken: u32) {}

    /// The active lanes enter a block.
    fn block(&mut self, at: &View<'_>, node: &Block) {}

    /// The active lanes begin a round of a loop, the first one too: its params are there.
    fn round(&mut self, at: &View<'_>, node: &Loop) {}

    /// Values are about to be copied in the active lanes, all at the same time: what ends and breaks give to
    /// results and params.
    fn copy(&mut self, at: &View<'_>, from: &[Value], to: &[Value]) {}

    /// The active lanes are at the end of a region.
    fn end(&mut self, at: &View<'_>, end: &End) {}

    /// The active lanes of a group have come to a control barrier, where the group waits.
    fn barrier(&mut self, at: &View<'_>, inst: &Inst) {}

    /// All lane groups of the unit wait at a control barrier or have ended: those that wait go on.
    fn released(&mut self, unit: u32) {}

    /// A lane group has ended.
    fn finish(&mut self, at: &View<'_>) {}

    /// The lane groups of a unit have ended.
    fn unit_end(&mut self, unit: u32) {}
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Reads [`MemoryAccess::values`].
    Read,
    /// Writes them.
    Write,
    /// Reads and writes, as one.
    Atomic(AtomicOp),
}

/// Which memory is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// A buffer, push constants ([`View::push_constants`]) or the payload ([`View::payload`]).
    Buffer,
    /// Workgroup memory.
    Workgroup,
}

/// An access to memory by the lanes of a group.
pub struct MemoryAccess<'a> {
    /// What is done.
    pub kind: AccessKind,
    /// Where.
    pub space: Space,
    /// Lanes that access: without helper invocations, if it writes.
    pub lanes: u32,
    /// Static part of the place, and what the access orders.
    pub mem: Mem,
    /// What is read or written: `Mem::stride` bytes apart. Of atomics the result, or else what is stored.
    pub values: &'a [Value],
    pub(super) shader: &'a Shader,
    pub(super) ranges: Ranges<'a>,
    pub(super) offsets: &'a Row,
}

/// The range of each lane.
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

/// Byte of scalar `i` of an access.
pub(super) fn byte(mem: Mem, offset: u64, i: usize) -> u64 {
    offset + u64::from(mem.offset) + i as u64 * u64::from(mem.stride)
}

/// The part of a [`MemoryAccess`] that one lane does to one scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The lane.
    pub lane: usize,
    /// Index into [`MemoryAccess::values`].
    pub scalar: usize,
    /// What the descriptor or the address gives access to.
    pub range: Range,
    /// First byte, from the start of the range.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u32,
    /// The bytes are in the range; else a read gives 0, and a write is dropped.
    pub inside: bool,
}

impl MemoryAccess<'_> {
    /// Scalar `scalar` of lane `lane`.
    pub fn touch(&self, lane: usize, scalar: usize) -> Touch {
        let (range, offset) = (self.ranges.of(lane), byte(self.mem, self.offsets[lane], scalar));
        let bytes = self.values.get(scalar).map_or(0, |&v| self.shader.ty(v).bytes());
        let inside = offset.checked_add(u64::from(bytes)).is_some_and(|end| end <= range.size);
        Touch { lane, scalar, range, offset, bytes, inside }
    }

    /// All scalars of all lanes: lane by lane.
    pub fn touches(&self) -> impl Iterator<Item = Touch> + '_ {
        lanes(self.lanes).flat_map(move |l| (0..self.values.len()).map(move |i| self.touch(l, i)))
    }
}

/// Who an invocation is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names are those of the built-ins")]
pub enum Invocation {
    /// Of a workgroup: compute, task, mesh.
    Workgroup { workgroup: [u32; 3], local: [u32; 3] },
    /// Of a vertex.
    Vertex { vertex: u32, instance: u32 },
    /// Of an output vertex of a patch. The patch is numbered in its call.
    Control { patch: u32, invocation: u32 },
    /// Of a point of a patch, numbered in its call.
    Evaluation { primitive: u32, point: u32, coord: [f32; 3] },
    /// Of a primitive.
    Geometry { primitive: u32, invocation: u32 },
    /// Of a pixel or of one of its samples.
    Fragment { pixel: [i32; 2], primitive: u32, layer: u32, sample: u32, helper: bool },
}

/// What a [`View`] looks at: the lane group that runs. The methods are those of the view.
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
    fn descriptor(&self, op: Op, set: u32, binding: u32, index: u32) -> Option<Descriptor>;
    fn first_pixel(&self, lane: usize) -> [i32; 2];
    fn stop(&self);
}

/// Lanes of a group, as masks.
pub(super) struct Masks {
    pub active: u32,
    pub full: u32,
    pub alive: u32,
    pub killed: u32,
    pub helper: u32,
}

/// A lane group, looked at while it is held.
pub struct View<'a>(pub(super) &'a dyn Looked);

impl View<'_> {
    /// The shader.
    pub fn shader(&self) -> &Shader {
        self.0.shader()
    }

    /// S.
    pub fn lanes(&self) -> u32 {
        self.0.lanes()
    }

    /// What the call was given.
    pub fn ctx(&self) -> &Ctx {
        self.0.ctx()
    }

    /// Lanes that execute now.
    pub fn active(&self) -> u32 {
        self.0.masks().active
    }

    /// Lanes that were there at the start.
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

    /// A value in all lanes; those that are not active may hold anything. Of handles the first half.
    pub fn row(&self, v: Value) -> &[u64] {
        self.0.part(v, 0)
    }

    /// Half of a handle, in all lanes: base and size of buffers, view and number of the sampler of images.
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

    /// What a lane has stored to an output scalar, in stages whose invocations have outputs of their own.
    pub fn output(&self, output: usize, lane: usize) -> u64 {
        self.0.output(output, lane).unwrap_or(0)
    }

    /// A component of a built-in, whether or not the shader has it; 0 if the stage does not.
    pub fn builtin(&self, builtin: BuiltIn, component: u32, lane: usize) -> u64 {
        self.0.builtin(builtin, component, lane)
    }

    /// An input scalar in a lane: of a vertex, where the stage reads several.
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

    /// The payload of the workgroup: task and mesh.
    pub fn payload(&self) -> Range {
        self.0.payload()
    }

    /// Where a binding's descriptors are, if the layout has it.
    pub fn binding(&self, set: u32, binding: u32) -> Option<&BindingLayout> {
        self.0.binding(set, binding)
    }

    /// Element `index` of the array of buffers at a binding.
    pub fn buffer(&self, set: u32, binding: u32, index: u32) -> Option<Descriptor> {
        self.0.descriptor(Op::BufferDescriptor, set, binding, index)
    }

    /// Who a lane is.
    pub fn invocation(&self, lane: usize) -> Invocation {
        let word = |b: BuiltIn, c: u32| self.builtin(b, c, lane) as u32;
        let three = |b: BuiltIn| [word(b, 0), word(b, 1), word(b, 2)];
        match self.0.place() {
            Place::None | Place::Compute(_) => Invocation::Workgroup {
                workgroup: three(BuiltIn::WorkgroupId),
                local: three(BuiltIn::LocalInvocationId),
            },
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

    /// Ends the call as soon as the observer returns: it gives [`crate::abi::STOPPED`].
    pub fn stop(&self) {
        self.0.stop();
    }
}

/// The observer of a call.
pub(super) struct Watcher {
    pub observer: RefCell<Box<dyn Observer>>,
    /// It has asked for the end.
    pub stopped: Cell<bool>,
}

impl Watcher {
    pub fn new(observer: Box<dyn Observer>) -> Watcher {
        Watcher { observer: RefCell::new(observer), stopped: Cell::new(false) }
    }
}
