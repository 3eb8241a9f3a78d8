//! One lane group: its values, its masks, and the traversal of the construct tree.
//!
//! The traversal keeps an explicit stack of [`Frame`]s, so that it can suspend at a barrier and resume. In each
//! construct, `active` holds the lanes that execute. Lanes that left for the end of a construct wait in `joined` of its
//! frame and become active again there. A region without active lanes ends at once.

use smallvec::SmallVec;

use super::group::{Row, lanes_of};
use super::memory::Host;
use super::place::{Place, Streams};
use super::program::{Program, rows_of};
use crate::abi::{MAX_LANES, RAY_QUERY_BYTES};
use crate::ir::{Block, End, If, Inst, Label, Loop, Node, Op, Region, Value};

/// Reason why the traversal returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The group has ended.
    Done,
    /// The group waits at a barrier.
    Barrier,
    /// The stop flag is set.
    Stopped,
}

/// The construct that a frame's region belongs to.
#[derive(Clone, Copy)]
enum Construct<'a> {
    Root,
    /// The first arm, and the lanes that take the other one.
    Then(&'a If, u32),
    Else(&'a If),
    Block(&'a Block),
    Loop(&'a Loop),
}

/// A region being executed.
struct Frame<'a> {
    construct: Construct<'a>,
    region: &'a Region,
    /// Index of the next node.
    next: usize,
    /// Lanes that wait at the end of the construct.
    joined: u32,
    /// Lanes that wait for the next iteration of the loop.
    again: u32,
}

/// State of a ray query.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct RayState([u8; RAY_QUERY_BYTES]);

impl RayState {
    const ZERO: RayState = RayState([0; RAY_QUERY_BYTES]);
}

/// A lane group.
pub(super) struct Group<'a> {
    pub program: &'a Program,
    pub host: &'a Host<'a>,
    /// Position of the group in the dispatch, the draw or the primitive.
    pub place: Place,
    rows: Vec<u64>,
    /// Buffer for rows that are being copied.
    copied: Vec<u64>,
    pub vars: Vec<u64>,
    /// States of ray queries, laid out as [`crate::abi::RayArgs`] states.
    pub queries: Vec<RayState>,
    pub outputs: Vec<u64>,
    /// Vertices emitted so far (geometry).
    pub streams: Streams,
    frames: Vec<Frame<'a>>,
    /// Lanes that execute now.
    pub active: u32,
    /// Lanes that were active at the start.
    pub full: u32,
    /// Helper invocations: their writes have no effect.
    pub helper: u32,
    /// Helper invocations at the start.
    pub helper_at_start: u32,
    /// Lanes that ended without outputs.
    pub killed: u32,
    /// An invocation has aborted: the call ends.
    pub aborted: bool,
    /// True if all tests of the workgroup hold, on which claims depend.
    pub proven: bool,
    /// Lanes that ended.
    ended: u32,
    /// The barrier that the group waits at.
    waits_at: Option<&'a Inst>,
}

impl<'a> Group<'a> {
    pub fn new(program: &'a Program, host: &'a Host<'a>) -> Self {
        let lanes = program.lanes as usize;
        Group {
            program,
            host,
            place: Place::None,
            rows: vec![0; program.n_rows * lanes],
            copied: Vec::new(),
            vars: vec![0; program.n_vars * lanes],
            queries: vec![RayState::ZERO; program.shader.ray_queries as usize * lanes],
            outputs: vec![0; program.shader.outputs.len() * lanes],
            streams: Streams::default(),
            frames: Vec::new(),
            active: 0,
            full: 0,
            helper: 0,
            helper_at_start: 0,
            killed: 0,
            proven: false,
            ended: 0,
            aborted: false,
            waits_at: None,
        }
    }

    /// Resets the group to the entry point, at another position, with these lanes.
    pub fn start(&mut self, place: Place, lanes: u32, helper: u32) {
        self.place = place;
        self.vars.fill(0);
        self.queries.fill(RayState::ZERO);
        self.outputs.fill(0);
        (self.active, self.full) = (lanes, lanes);
        (self.helper, self.helper_at_start) = (helper, helper);
        (self.killed, self.ended) = (0, 0);
        self.frames.clear();
        self.push(Construct::Root, &self.program.shader.body);
        self.tell(|o, at| o.start(at));
    }

    /// Number of lanes (S).
    pub fn lanes(&self) -> usize {
        self.program.lanes as usize
    }

    /// Lanes whose writes take effect.
    pub fn writers(&self) -> u32 {
        self.active & !self.helper
    }

    /// Lanes that have not ended.
    pub fn alive(&self) -> u32 {
        self.full & !self.ended
    }

    // Values.

    /// Row `part` of a value, borrowed.
    pub fn part_of(&self, v: Value, part: usize) -> &[u64] {
        let n = self.lanes();
        let from = (self.program.row(v) + part) * n;
        &self.rows[from..from + n]
    }

    /// Copy of row `part` of a value.
    pub fn part(&self, v: Value, part: usize) -> Row {
        let mut row = [0; MAX_LANES];
        row[..self.lanes()].copy_from_slice(self.part_of(v, part));
        row
    }

    /// Copy of the row of a number.
    pub fn row(&self, v: Value) -> Row {
        self.part(v, 0)
    }

    /// Sets row `part` of a value in the lanes of `mask`.
    pub fn set_part(&mut self, v: Value, part: usize, mask: u32, row: &Row) {
        let n = self.lanes();
        let to = (self.program.row(v) + part) * n;
        for lane in lanes_of(mask).take_while(|&l| l < n) {
            self.rows[to + lane] = row[lane];
        }
    }

    /// Sets the row of a number in the active lanes.
    pub fn set(&mut self, v: Value, row: &Row) {
        self.set_part(v, 0, self.active, row);
    }

    /// Copies values in the active lanes, all at once.
    pub fn copy(&mut self, from: &[Value], to: impl Iterator<Item = Value> + Clone) {
        if from.is_empty() {
            return;
        }
        self.tell(|o, at| o.copy(at, from, &to.clone().collect::<SmallVec<[Value; 16]>>()));
        let program = self.program;
        let parts = |v: Value| 0..rows_of(program.shader.ty(v)) as usize;
        let mut read = std::mem::take(&mut self.copied);
        for &v in from {
            parts(v).for_each(|p| read.extend_from_slice(self.part_of(v, p)));
        }
        let n = self.lanes();
        let mut rows = read.chunks_exact(n);
        for (v, &f) in to.zip(from) {
            for (p, row) in parts(f).zip(&mut rows) {
                let at = (program.row(v) + p) * n;
                lanes_of(self.active).for_each(|l| self.rows[at + l] = row[l]);
            }
        }
        read.clear();
        self.copied = read;
    }

    // Control flow.

    fn push(&mut self, construct: Construct<'a>, region: &'a Region) {
        self.frames.push(Frame { construct, region, next: 0, joined: 0, again: 0 });
    }

    /// Runs the group to the next barrier or to the end.
    pub fn run(&mut self) -> Step {
        if let Some(inst) = self.waits_at.take() {
            self.tell(|o, at| o.after(at, inst));
        }
        while let Some(frame) = self.frames.last_mut() {
            let region = frame.region;
            if self.active == 0 {
                if let Some(step) = self.leave() {
                    return step;
                }
            } else if let Some(node) = region.nodes.get(frame.next) {
                frame.next += 1;
                match node {
                    Node::Inst(inst) if inst.op == Op::ControlBarrier => {
                        self.waits_at = Some(inst);
                        self.tell(|o, at| {
                            o.before(at, inst);
                            o.barrier(at, inst);
                        });
                        return if self.halted() { Step::Stopped } else { Step::Barrier };
                    }
                    Node::Inst(inst) => {
                        self.tell(|o, at| o.before(at, inst));
                        self.execute(inst);
                        self.verify(inst);
                        self.tell(|o, at| o.after(at, inst));
                        if self.aborted || self.halted() {
                            return Step::Stopped;
                        }
                    }
                    Node::If(node) => {
                        let cond = self.row(node.cond);
                        let taken =
                            lanes_of(self.active).filter(|&l| cond[l] & 1 == 1).fold(0, |m, l| m | 1 << l);
                        self.tell(|o, at| o.branch(at, node, taken));
                        self.push(Construct::Then(node, self.active & !taken), &node.then);
                        self.active = taken;
                    }
                    Node::Block(node) => {
                        self.tell(|o, at| o.block(at, node));
                        self.push(Construct::Block(node), &node.body);
                    }
                    Node::Loop(node) => {
                        let first: Vec<Value> = node.params.iter().map(|p| p.1).collect();
                        self.copy(&first, node.params.iter().map(|p| p.0));
                        self.push(Construct::Loop(node), &node.body);
                        self.tell(|o, at| o.round(at, node));
                    }
                }
            } else {
                self.tell(|o, at| o.end(at, &region.end));
                self.end(&region.end);
                self.active = 0;
            }
        }
        self.tell(|o, at| o.finish(at));
        Step::Done
    }

    /// Ends the innermost region for the active lanes.
    fn end(&mut self, end: &'a End) {
        match end {
            End::Yield(values) => {
                let Some(frame) = self.frames.last_mut() else { return };
                match frame.construct {
                    Construct::Root => self.ended |= self.active,
                    Construct::Then(node, _) | Construct::Else(node) => {
                        frame.joined |= self.active;
                        self.copy(values, node.results.iter().copied());
                    }
                    Construct::Block(node) => {
                        frame.joined |= self.active;
                        self.copy(values, node.results.iter().copied());
                    }
                    Construct::Loop(node) => {
                        frame.again |= self.active;
                        self.copy(values, node.params.iter().map(|p| p.0));
                    }
                }
            }
            End::Break(label, values) => {
                let active = self.active;
                if let Some((results, joined)) = self.target(*label) {
                    *joined |= active;
                    self.copy(values, results.iter().copied());
                }
            }
            End::Return | End::Unreachable => self.ended |= self.active,
            End::Kill => {
                self.ended |= self.active;
                self.killed |= self.active;
            }
        }
    }

    /// Results and waiting lanes of the innermost construct with this label.
    fn target(&mut self, label: Label) -> Option<(&'a [Value], &mut u32)> {
        self.frames.iter_mut().rev().find_map(|frame| match frame.construct {
            Construct::Block(b) if b.label == label => Some((&b.results[..], &mut frame.joined)),
            Construct::Loop(l) if l.label == label => Some((&l.results[..], &mut frame.joined)),
            _ => None,
        })
    }

    /// Called when no lane is left in the innermost region: continues with the next region of the construct, or after
    /// it.
    fn leave(&mut self) -> Option<Step> {
        let frame = self.frames.last_mut()?;
        match frame.construct {
            Construct::Then(node, others) => {
                frame.construct = Construct::Else(node);
                (frame.region, frame.next) = (&node.els, 0);
                self.active = others;
                // If the other arm is empty, the next step leaves it.
                return None;
            }
            Construct::Loop(node) if frame.again != 0 => {
                self.active = std::mem::take(&mut frame.again);
                frame.next = 0;
                if self.host.stopped() || self.halted() {
                    return Some(Step::Stopped);
                }
                if self.full & !self.ended & !self.helper == 0 {
                    // Only helper invocations are left, and nothing needs them.
                    self.ended = self.full;
                    self.frames.clear();
                    self.tell(|o, at| o.finish(at));
                    return Some(Step::Done);
                }
                self.tell(|o, at| o.round(at, node));
                return None;
            }
            _ => {}
        }
        self.active = frame.joined;
        self.frames.pop();
        None
    }
}
