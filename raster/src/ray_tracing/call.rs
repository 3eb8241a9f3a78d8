//! Calls of a shader for some rays of a caller.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use quadrille_jit::abi::{Ctx, MAX_LANES, RayCallRoutine, RayTracer};
use quadrille_jit::ir::{BuiltIn, Stage};

use super::bad_record::{BadRecord, RecordFault, Table};
use super::memory::{CallMemory, Worker};
use super::shaders::{Input, Output, TraceGroup, TracePipeline, TraceShader};
use super::table::{Handle, Record, Region};
use crate::activity::Activity;
use crate::invoke::{call_rays, ctx_for};
use crate::rays::Scenes;
use crate::resources::BoundResources;

/// Shader binding tables that shaders select records of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Regions {
    pub miss: Region,
    pub hit: Region,
    pub callable: Region,
}

/// Receiver of selected records that name no suitable shaders, on the thread of the shader that selects them.
pub type BadRecords<'a> = &'a (dyn Fn(&BadRecord) + Sync);

/// Tells whether a shader group suits the selection of its record.
type Fits<'a> = &'a dyn Fn(&TraceGroup) -> bool;

/// A trace command while it runs.
pub(super) struct Running<'a> {
    pub pipeline: &'a TracePipeline,
    pub resources: BoundResources<'a>,
    pub scenes: &'a Scenes,
    pub raygen: Region,
    pub regions: Regions,
    /// Size of the command, in invocations.
    pub size: [u32; 3],
    /// Maximum nesting of callable shaders.
    pub callable_depth: u32,
    /// Executes the calls of shaders.
    pub routine: RayCallRoutine,
    pub stop: &'a AtomicU32,
    /// `true` once a shader was stopped or a call has failed: no further shader begins.
    pub over: AtomicBool,
    /// Receiver of selected records that name no suitable shaders.
    pub bad_records: Option<BadRecords<'a>>,
    /// Panic of a call that a shader made.
    pub panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Running<'_> {
    /// `true` if no further shader begins.
    pub fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0 || self.over.load(Ordering::Relaxed)
    }

    /// Ends the command with a panic, which the caller of the command gets.
    pub fn fail(&self, panic: Box<dyn Any + Send>) {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        self.over.store(true, Ordering::Relaxed);
    }

    /// The region of a table.
    pub fn region(&self, table: Table) -> Region {
        match table {
            Table::RayGeneration => self.raygen,
            Table::Miss => self.regions.miss,
            Table::Hit => self.regions.hit,
            Table::Callable => self.regions.callable,
        }
    }

    /// Reads a record.
    pub fn record(&self, table: Table, index: u64) -> Record {
        self.region(table).record(self.resources.addresses(), index)
    }

    /// Reports a selected record unless it is null or its group fits, or the table is empty.
    pub fn look_at(
        &self,
        lane: Option<usize>,
        (table, index): (Table, u64),
        record: &Record,
        fits: Fits<'_>,
    ) {
        let Some(tell) = self.bad_records else { return };
        let region = self.region(table);
        let fault = match self.pipeline.group(record.handle) {
            _ if region.address == 0 || region.size == 0 => return,
            _ if index >= region.count() => RecordFault::PastEnd,
            None if record.handle == Handle::default() => return,
            None => RecordFault::NoGroup,
            Some(group) if fits(group) => return,
            Some(group) => RecordFault::OtherKind(group.kind),
        };
        tell(&BadRecord { lane, table, index, fault });
    }

    /// The shader of this stage that a record names.
    pub fn general(&self, lane: Option<usize>, at: (Table, u64), stage: Stage) -> Option<(usize, Record)> {
        let record = self.record(at.0, at.1);
        let shader = self.pipeline.general(record.handle, stage);
        if shader.is_none() {
            self.look_at(lane, at, &record, &|_| false);
        }
        Some((shader?, record))
    }

    /// A context without inputs and outputs.
    pub fn ctx(&self) -> Ctx {
        ctx_for(&self.resources, self.stop)
    }
}

/// The receiver of reported hits: rays that an intersection shader runs for.
pub(super) trait Reports {
    /// Handles the hits that lanes of the intersection shader's group report. `frame` is that of the group.
    fn report(&self, frame: &Frame<'_>, rows: &mut Rows<'_>);
}

/// A lane group of a shader that runs.
#[repr(C)]
pub(super) struct Frame<'a> {
    /// First, so that its address is that of the whole. It has the LaunchId of each lane.
    pub tracer: RayTracer,
    pub running: &'a Running<'a>,
    /// The thread that runs the group.
    pub worker: &'a Worker<'a>,
    /// Number of traces that this call is nested in.
    pub depth: u32,
    /// Number of executions of callable shaders that this call is nested in.
    pub callables: u32,
    /// Intersection: the receiver of its reports.
    pub reports: Option<&'a dyn Reports>,
}

const _: () = assert!(std::mem::offset_of!(Frame<'static>, tracer) == 0);

impl<'a> Frame<'a> {
    /// A frame of invocations with these launch ids, nested in nothing.
    pub fn new(
        running: &'a Running<'a>,
        worker: &'a Worker<'a>,
        ids: impl Iterator<Item = [u32; 3]>,
    ) -> Frame<'a> {
        let mut launch = [[0; 3]; MAX_LANES];
        launch.iter_mut().zip(ids).for_each(|(to, id)| *to = id);
        let max_depth = running.pipeline.max_depth;
        let tracer = RayTracer { routine: running.routine, launch, triangles: 0, max_depth };
        Frame { tracer, running, worker, depth: 0, callables: 0, reports: None }
    }

    /// The frame of a shader that some lanes of this one call.
    pub fn callee(&self, lanes: impl Iterator<Item = usize>) -> Frame<'a> {
        let (depth, callables) = (self.depth, self.callables);
        Frame {
            depth,
            callables,
            ..Frame::new(self.running, self.worker, lanes.map(|lane| self.tracer.launch[lane]))
        }
    }
}

/// Operands and scalars of a call, by word and lane.
pub(super) struct Rows<'a> {
    words: &'a mut [u32],
    lanes: usize,
    /// Active lanes.
    mask: u32,
    /// Number of words of operands, and of scalars.
    operands: u32,
    scalars: u32,
}

impl<'a> Rows<'a> {
    /// Rows of `lanes` words: first the operands, then the scalars.
    pub fn new(words: &'a mut [u32], lanes: usize, mask: u32, operands: u32, scalars: u32) -> Rows<'a> {
        assert!(
            lanes <= MAX_LANES && words.len() >= (operands + scalars) as usize * lanes,
            "rows are missing"
        );
        Rows { words, lanes, mask, operands, scalars }
    }

    /// The active lanes, in ascending order.
    pub fn active(&self) -> impl Iterator<Item = usize> + use<> {
        let mut left = u64::from(self.mask) & ((1 << self.lanes) - 1);
        std::iter::from_fn(move || {
            let lane = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                lane
            })
        })
    }

    /// A word of the operands.
    pub fn operand(&self, word: u32, lane: usize) -> u32 {
        self.words[word as usize * self.lanes + lane]
    }

    /// A word of the operands, as a float.
    pub fn float(&self, word: u32, lane: usize) -> f32 {
        f32::from_bits(self.operand(word, lane))
    }

    /// Replaces a word of the operands by a result.
    pub fn set_operand(&mut self, word: u32, lane: usize, bits: u32) {
        self.words[word as usize * self.lanes + lane] = bits;
    }

    /// A word of the scalars; 0 past the last one.
    pub fn scalar(&self, word: u32, lane: usize) -> u32 {
        if word < self.scalars { self.operand(self.operands + word, lane) } else { 0 }
    }

    /// Replaces a word of the scalars, if there is one.
    pub fn set_scalar(&mut self, word: u32, lane: usize, bits: u32) {
        if word < self.scalars {
            self.set_operand(self.operands + word, lane, bits);
        }
    }
}

/// A call of a shader for a batch of rays: first its inputs are put, then it runs, then its outputs are taken.
pub(super) struct Call<'a> {
    shader: &'a TraceShader,
    memory: Box<CallMemory>,
    count: usize,
}

impl<'a> Call<'a> {
    /// A call for `count` invocations. `inputs` makes the function that tells the words of the input of an invocation,
    /// except for the launch.
    #[inline]
    pub fn new<F: Fn(Input) -> u32>(
        frame: &Frame<'_>,
        shader: &'a TraceShader,
        count: usize,
        inputs: impl Fn(usize) -> F,
    ) -> Call<'a> {
        let mut memory = frame.worker.call_memory();
        let lanes = shader.lanes;
        let words = shader.inputs.len();
        let rows = memory.inputs.room(count.next_multiple_of(lanes) * words * 4);
        for k in 0..count {
            let input = inputs(k);
            let first = k / lanes * words * lanes + k % lanes;
            for (word, &of) in shader.inputs.iter().enumerate() {
                rows[first + word * lanes] = match of {
                    Input::BuiltIn(BuiltIn::LaunchId, c) => frame.tracer.launch[k][c as usize % 3],
                    Input::BuiltIn(BuiltIn::LaunchSize, c) => frame.running.size[c as usize % 3],
                    of => input(of),
                };
            }
        }
        Call { shader, memory, count }
    }

    /// Runs the shader. `frame` is that of the shader, with a lane for each invocation.
    pub fn run(&mut self, frame: &Frame<'_>) {
        let running = frame.running;
        if running.is_over() {
            return;
        }
        let CallMemory { inputs, outputs, scratch, ctx } = &mut *self.memory;
        let (meta, count) = (self.shader.lane_fn.meta(), self.count);
        let padded = count.next_multiple_of(meta.lanes as usize);
        let outputs = outputs.room(padded * meta.n_output_words as usize * 4);
        let ctx = ctx.get_or_insert_with(|| running.ctx());
        // The pointer may be used for all of the frame, whose first field is the tracer.
        ctx.tracer = (&raw const *frame).cast();
        // Restores the line of the caller when the shader ends.
        let _activity = Activity::Rays.begin();
        let done = call_rays(&self.shader.lane_fn, ctx, inputs.words(), outputs, count, scratch);
        if !done {
            running.over.store(true, Ordering::Relaxed);
        }
    }

    /// Passes the words of the output to `take`, invocation by invocation, unless the shader was stopped.
    #[inline]
    pub fn outputs(self, frame: &Frame<'_>, mut take: impl FnMut(Output, usize, u32)) {
        if !frame.running.is_over() {
            let (words, n) = (self.memory.outputs.words(), self.shader.outputs.len());
            for k in 0..self.count {
                for (word, of) in self.shader.outputs.iter().enumerate() {
                    if let Some(of) = *of {
                        take(of, k, words[k * n + word]);
                    }
                }
            }
        }
        frame.worker.keep_call(self.memory);
    }
}
