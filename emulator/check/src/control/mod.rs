//! Control flow that the specifications leave undefined.
//!
//! ```text
//!   shape      properties of a shader that are known before it runs
//!   barriers   control barriers that not all invocations reach
//!   matrices   operations on cooperative matrices that not all invocations reach
//!   copies     asynchronous copies and waits that not all invocations reach
//!   quads      derivatives in incomplete quads
//!   groups     subgroup operations, descriptor indices
//!   identity   addresses that identify nodes and instructions
//!   sizes      subgroup sizes that a shader assumes
//!   progress   loops that never end
//! ```

mod barriers;
mod copies;
mod groups;
mod identity;
mod matrices;
mod progress;
mod quads;
mod shape;
mod sizes;

use std::sync::Arc;

use quadrille_jit::abi::ImageView;
use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::{End, ImageOp, Imm, Inst, Loop, Note, Op};

use crate::kind::Kind;
use crate::pending::{Pending, Where};
pub use shape::Shape;

/// Checks of the control flow of a lane function call.
pub struct Control {
    pending: Pending,
    shape: Arc<Shape>,
    barriers: barriers::Barriers,
    /// Operations on matrices of the workgroup.
    matrices: barriers::Barriers,
    copies: copies::Copies,
    /// Loop progress of each lane group of the unit.
    progress: Vec<progress::Progress>,
    rounds: groups::Rounds,
    taken: sizes::Taken,
}

impl Control {
    /// Creates the checks of a call.
    pub fn new(pending: Pending, shape: &Arc<Shape>) -> Control {
        Control {
            pending,
            shape: shape.clone(),
            barriers: barriers::Barriers::new(Kind::BarrierDivergent),
            matrices: barriers::Barriers::new(Kind::MatrixDivergent),
            copies: copies::Copies::default(),
            progress: Vec::new(),
            rounds: groups::Rounds::default(),
            taken: sizes::Taken::default(),
        }
    }

    /// Starts a unit with `groups` lane groups.
    pub fn unit(&mut self, groups: u32) {
        self.taken.begin(groups);
        self.barriers = barriers::Barriers::new(Kind::BarrierDivergent);
        self.matrices = barriers::Barriers::new(Kind::MatrixDivergent);
        self.copies = copies::Copies::default();
    }

    /// Starts a lane group.
    pub fn start(&mut self, at: &View<'_>) {
        self.barriers.start(at);
        self.matrices.start(at);
        self.copies.start(at);
        let group = at.group() as usize;
        if self.progress.len() <= group {
            self.progress.resize_with(group + 1, progress::Progress::default);
        }
        self.progress[group].start();
    }

    /// Called before the active lanes execute an instruction.
    pub fn before(&mut self, at: &View<'_>, inst: &Inst) {
        self.taken.before(&mut self.pending, &self.shape.sizes, at, inst);
        match (inst.op, &inst.imm) {
            (Op::DdxFine | Op::DdyFine | Op::DdxCoarse | Op::DdyCoarse, _) => {
                quads::derivative(&mut self.pending, at, inst);
            }
            (Op::Group, Imm::Group(op)) => {
                groups::reconvergence(&mut self.pending, &self.shape, &self.rounds, at, inst, *op);
            }
            (Op::Note, Imm::Note(Note::Cooperates { of_workgroup: false })) => {
                matrices::subgroup(&mut self.pending, at, inst);
            }
            (Op::Note, Imm::Note(Note::Cooperates { of_workgroup: true })) => {
                let rounds = self.iterations(at, inst);
                self.matrices.arrive(&self.pending, at, inst, rounds);
            }
            (Op::Note, Imm::Note(Note::UniformIndex)) => groups::index(&mut self.pending, at, inst),
            _ => {}
        }
    }

    /// Called after the active lanes have executed an instruction.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst) {
        self.taken.after(&self.shape.sizes, at, inst);
        if let Imm::Note(note @ (Note::GroupCopy | Note::GroupWait)) = inst.imm {
            self.copies.note(&mut self.pending, at, inst, note);
        }
    }

    /// Called after an instruction has accessed an image.
    pub fn image(&mut self, at: &View<'_>, inst: &Inst, op: &ImageOp, view: Option<&ImageView>) {
        quads::sample(&mut self.pending, at, inst, op, view);
    }

    /// Called at the start of a loop iteration.
    pub fn round(&mut self, at: &View<'_>, node: &Loop) {
        self.rounds.begin(at, node);
        if let Some(progress) = self.progress.get_mut(at.group() as usize) {
            progress.round(&mut self.pending, &self.shape, at, node);
        }
    }

    /// Called when the active lanes reach the end of a region.
    pub fn end(&mut self, at: &View<'_>, end: &End) {
        if let (End::Yield(_), Some(progress)) = (end, self.progress.get_mut(at.group() as usize)) {
            progress.end(&self.shape, end);
        }
    }

    /// Called when a lane group waits at a barrier.
    pub fn barrier(&mut self, at: &View<'_>, inst: &Inst) {
        let rounds = self.iterations(at, inst);
        self.barriers.arrive(&self.pending, at, inst, rounds);
    }

    /// Iterations of the loops around an instruction that the whole workgroup must reach.
    fn iterations(&self, at: &View<'_>, inst: &Inst) -> Vec<u64> {
        let progress = self.progress.get(at.group() as usize);
        let iteration = |&of: &usize| progress.map_or(0, |progress| progress.iteration(of));
        let around = self.shape.around.get(&identity::address(inst));
        around.into_iter().flatten().map(iteration).collect()
    }

    /// Called when all lane groups of the unit wait or have ended.
    pub fn released(&mut self) {
        self.barriers.released(&mut self.pending);
        self.matrices.released(&mut self.pending);
        self.copies.released(&mut self.pending);
    }

    /// Called when the lane groups of the unit have ended.
    pub fn unit_end(&mut self) {
        self.matrices.released(&mut self.pending);
        self.copies.released(&mut self.pending);
    }

    /// Called when a lane group has ended.
    pub fn finish(&mut self, at: &View<'_>) {
        self.taken.finish(&mut self.pending, &self.shape.sizes, at);
        self.copies.finish(&mut self.pending, at);
        if let Some(progress) = self.progress.get_mut(at.group() as usize) {
            progress.start();
        }
    }
}

impl Drop for Control {
    /// Reports the longest loop if the call was ended inside a loop.
    fn drop(&mut self) {
        let longest = self.progress.iter_mut().filter_map(progress::Progress::unfinished);
        if let Some((_, order, report)) = longest.max_by_key(|l| l.0) {
            self.pending.add_in(order, (Where::Shader, 0, report.kind), || report);
        }
    }
}
