//! Memory: accesses out of bounds, reads of what nobody wrote, data races.
//!
//! ```text
//!   bounds   buffers, workgroup memory, indices, texels, levels, alignment, descriptors that are missing
//!   initial  variables, workgroup memory, buffers and images that nobody wrote
//!   written  which bytes of a device's memory somebody wrote
//!   order    what barriers and atomics order: happens-before
//!   model    the same in modules of the Vulkan memory model, with availability and visibility
//!   logs     what invocations did that others may be ordered by, for `model`
//!   race     accesses to one place that nothing orders
//!   scopes   what stages and accesses of barriers mean
//!   chain    whether what orders commands leads from one access to another
//!   timeline the log of what orders commands: queues, semaphores, fences, the host
//!   commands what commands do to memory
//!   race_commands  races between commands, with shaders and without
//!   shadow   who accessed what last
//! ```
//!
//! Happens-before is computed, not observed: that the interpreter runs lane groups one after another hides no race
//! between two accesses that were made. Where the exact rule is finer than what is kept, more is taken as ordered
//! than is: races may be missed, and none is made up.

mod bounds;
mod chain;
mod commands;
mod initial;
mod logs;
mod model;
mod names;
mod order;
mod race;
mod race_commands;
mod scopes;
mod shadow;
mod timeline;
mod written;

use std::sync::Arc;

use quadrille_jit::abi::{ImageArgs, ImageView};
use quadrille_jit::interp::watch::{Call, MemoryAccess, View, lanes};
use quadrille_jit::ir::{AtomicOp, ImageOp, ImageOpKind, Imm, Inst, Note, Op, Stage, Var};

use crate::outputs::Plan;
use crate::pending::Pending;
use crate::session::Session;
use crate::values::Values;
pub use bounds::key;
pub use names::Names;
use order::Sort;
pub use race::Races;
pub use written::Written;

/// The memory of a call of a lane function.
pub struct Memory {
    session: Arc<Session>,
    races: Arc<Races>,
    names: Arc<Names>,
    outputs: Arc<Plan>,
    pending: Pending,
    initial: initial::Initial,
    lookup: written::Lookup,
    /// Bytes of push constants that commands have set.
    pushed: u32,
    order: order::Order,
    /// The shader is of a module that declares the Vulkan memory model.
    vulkan: bool,
    model: model::Model,
    shared: shadow::Shadow,
    /// Units are numbered through the whole dispatch.
    numbered: bool,
    /// Indices past the last element in this unit: lane group, lane and line. What they lead to has one cause.
    bad_indices: Vec<(u32, usize, u32)>,
}

impl Memory {
    /// Of a call.
    pub fn new(
        pending: Pending,
        (names, outputs): (&Arc<Names>, &Arc<Plan>),
        (races, written, pushed): (&Arc<Races>, &Arc<Written>, u32),
        call: &Call<'_>,
    ) -> Memory {
        Memory {
            session: pending.session().clone(),
            races: races.clone(),
            names: names.clone(),
            outputs: outputs.clone(),
            pending,
            initial: initial::Initial::default(),
            lookup: written::Lookup::new(written),
            pushed,
            order: order::Order::default(),
            vulkan: call.shader.vulkan_memory_model,
            model: model::Model::default(),
            shared: shadow::Shadow::default(),
            numbered: call.shader.stage == Stage::Compute,
            bad_indices: Vec::new(),
        }
    }

    /// A unit of lane groups begins.
    pub fn unit(&mut self, number: u32) {
        // Only workgroups of compute shaders are numbered through a whole dispatch.
        let number = if self.numbered { number } else { self.races.next_unit() };
        self.order.begin(number);
        self.model.begin(number);
        self.initial.unit();
        self.bad_indices.clear();
        self.shared.clear();
    }

    /// A lane group is at its entry point.
    pub fn start(&mut self, at: &View<'_>) {
        self.initial.start(at);
    }

    /// An instruction is about to be executed.
    pub fn before(&mut self, at: &View<'_>, inst: &Inst) {
        let (op, location) = match (inst.op, &inst.imm) {
            (Op::AtomicShared, &Imm::Atomic(op, _)) => (op, Sort::Workgroup),
            (Op::AtomicBuffer, &Imm::Atomic(op, _)) => (op, Sort::Buffer),
            (Op::ImageWrite, Imm::Image(image)) => match image.kind {
                ImageOpKind::Atomic(op) => (op, Sort::Image),
                _ => return,
            },
            _ => return,
        };
        self.before_atomic(at, location, op);
    }

    /// An instruction has accessed memory.
    pub fn access(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>, values: &mut Values) {
        self.bounds(at, inst, access);
        self.initial_access(at, inst, access);
        self.race_access(at, inst, access, values);
    }

    /// An instruction has accessed an image.
    pub fn image(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        op: &ImageOp,
        args: &ImageArgs,
        view: Option<&ImageView>,
    ) {
        self.bounds_of_image(at, inst, op, args, view);
        if view.is_some() {
            self.race_image(at, inst, op, args);
        }
        self.initial_image(at, inst, op, args);
    }

    /// An instruction has been executed; `values` have followed it.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst, values: &mut Values) {
        match (inst.op, &inst.imm) {
            (Op::Note, &Imm::Note(Note::Index { len })) => self.index(at, inst, len),
            (Op::Note, &Imm::Note(note)) => {
                self.order.note(at, note);
                if self.vulkan {
                    self.model.note(at, note);
                }
                self.initial.note(at, note);
            }
            (Op::MemoryBarrier, _) => self.fence(at),
            (Op::VarGet | Op::VarSet | Op::VarGetDyn | Op::VarSetDyn, _) => {
                self.variable(at, inst, values);
            }
            _ => self.initial.poison(at, inst, values),
        }
    }

    /// Lanes are about to execute an atomic on memory of a sort.
    fn before_atomic(&mut self, at: &View<'_>, location: Sort, op: AtomicOp) {
        let active = at.active() & !at.helpers();
        let Memory { races, order, model, vulkan, .. } = self;
        // Before it is executed: whoever reads what it writes has to find what it releases.
        races.with_order(|releases, logs| {
            lanes(active).for_each(|lane| order.before_atomic(releases, at, lane, op));
            if *vulkan && active != 0 {
                model.before_atomic((releases, logs), (at, active), location, op);
            }
        });
    }

    /// A memory barrier, or a control barrier of the subgroup.
    fn fence(&mut self, at: &View<'_>) {
        self.order.fence(at);
        if self.vulkan {
            self.races.with_order(|releases, logs| self.model.fence((releases, logs), at));
        }
    }

    /// What resources are called.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Lanes in which a scalar of a variable has been written.
    pub fn has_written(&self, at: &View<'_>, var: Var, elem: u32) -> u32 {
        self.initial.written(at, var, elem)
    }

    /// A lane group waits at a control barrier.
    pub fn barrier(&mut self, at: &View<'_>) {
        self.order.barrier(at);
        if self.vulkan {
            self.races.with_order(|releases, logs| self.model.barrier((releases, logs), at));
        }
    }

    /// All lane groups of the unit have come to one.
    pub fn released(&mut self) {
        self.order.released();
        if self.vulkan {
            self.races.with_order(|releases, _| self.model.released(releases));
        }
    }
}
