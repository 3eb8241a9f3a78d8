//! Checks of memory: accesses out of bounds, reads of unwritten memory, data races.
//!
//! ```text
//!   bounds   buffers, workgroup memory, indices, texels, levels, alignment, missing descriptors
//!   initial  reads of unwritten variables, workgroup memory, buffers and images
//!   written  bytes of device memory that were written
//!   order    happens-before relation of barriers and atomics
//!   model    happens-before in the Vulkan memory model, with availability and visibility
//!   logs     synchronizing operations of invocations, for `model`
//!   race     unordered accesses to the same memory
//!   sites    instructions whose accesses may race
//!   scopes   meaning of the stages and accesses of barriers
//!   chain    search for a chain of dependencies between two accesses
//!   timeline log of synchronization between commands: queues, semaphores, fences, the host
//!   commands memory accesses of commands
//!   race_commands  races between commands, with and without shaders
//!   supersede  commands whose memory later ones write
//!   shadow   last accesses to each location
//! ```
//!
//! Happens-before is computed, not observed: although the interpreter runs lane groups sequentially, races between
//! their accesses are found. If the kept state is coarser than the exact rule, more accesses count as ordered: races
//! may be missed, but no false race is reported.

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
mod sites;
mod supersede;
mod timeline;
mod written;

use std::sync::Arc;

use quadrille_jit::abi::{ImageArgs, ImageView};
use quadrille_jit::interp::watch::{Call, MemoryAccess, Range, Texels, View, lanes};
use quadrille_jit::ir::{AtomicOp, BuiltIn, ImageOp, ImageOpKind, Imm, Inst, Note, Op, Stage, Var};
use rustc_hash::FxHashSet;

use crate::crossing::Crossing;
use crate::outputs::Plan;
use crate::pending::{Pending, Where};
use crate::session::Session;
use crate::values::Values;
pub use bounds::key;
pub use names::Names;
use order::Sort;
pub use race::{Races, words};
pub use written::Written;

/// Memory checks of a lane function call.
pub struct Memory {
    session: Arc<Session>,
    races: Arc<Races>,
    names: Arc<Names>,
    outputs: Arc<Plan>,
    crossing: Arc<Crossing>,
    pending: Pending,
    initial: initial::Initial,
    lookup: written::Lookup,
    /// Bytes of push constants that commands have set.
    pushed: u32,
    order: order::Order,
    /// True if the module declares the Vulkan memory model.
    vulkan: bool,
    model: model::Model,
    shared: shadow::Shadow,
    /// True if units are numbered through the whole dispatch.
    numbered: bool,
    /// Alignment that the next access states, if it is less than the size of its scalars.
    aligned: Option<u32>,
    /// Indices out of bounds in this unit, as lane group, lane and line. Accesses that use them have the same cause.
    bad_indices: FxHashSet<(u32, usize, Where)>,
    /// The same for indices without a line, as lane group, lane and result id of the pointer.
    bad_pointers: FxHashSet<(u32, usize, u32)>,
}

impl Memory {
    /// Creates the checks of a call.
    pub fn new(
        pending: Pending,
        (names, outputs, crossing): (&Arc<Names>, &Arc<Plan>, &Arc<Crossing>),
        (races, written, pushed): (&Arc<Races>, &Arc<Written>, u32),
        call: &Call<'_>,
    ) -> Memory {
        Memory {
            session: pending.session().clone(),
            races: races.clone(),
            names: names.clone(),
            outputs: outputs.clone(),
            crossing: crossing.clone(),
            pending,
            initial: initial::Initial::default(),
            lookup: written::Lookup::new(written),
            pushed,
            order: order::Order::new(call.shader.stage),
            // The model knows workgroups, of which the stages of rays have none.
            vulkan: call.shader.vulkan_memory_model && !call.shader.stage.is_of_rays(),
            model: model::Model::default(),
            shared: shadow::Shadow::default(),
            numbered: call.shader.stage == Stage::Compute,
            aligned: None,
            bad_indices: FxHashSet::default(),
            bad_pointers: FxHashSet::default(),
        }
    }

    /// Starts a unit of lane groups.
    pub fn unit(&mut self, number: u32) {
        // Only workgroups of compute shaders are numbered through a whole dispatch.
        let number = if self.numbered { number } else { self.races.next_unit() };
        self.order.begin(number);
        self.model.begin(number);
        self.initial.unit();
        self.bad_indices.clear();
        self.bad_pointers.clear();
        self.shared.clear();
    }

    /// Called when a lane group starts.
    pub fn start(&mut self, at: &View<'_>) {
        self.initial.start(at);
    }

    /// Called before an instruction is executed.
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

    /// Called after an instruction has accessed memory.
    pub fn access(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>, values: &mut Values) {
        let aligned = self.aligned.take();
        self.bounds(at, inst, access, aligned);
        self.initial_access(at, inst, access);
        self.race_access(at, inst, access, values);
    }

    /// Called after an instruction has accessed an image.
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

    /// Called after an instruction has been executed and `values` updated.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst, values: &mut Values) {
        match (inst.op, &inst.imm) {
            (Op::Note, &Imm::Note(Note::Index { len, of_patch })) => {
                let vertices = || at.builtin(BuiltIn::PatchVertices, 0, 0) as u32;
                self.index(at, inst, if of_patch { len.min(vertices()) } else { len });
            }
            (Op::Note, &Imm::Note(Note::Aligned(bytes))) => self.aligned = Some(bytes),
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

    /// Called before lanes execute an atomic on memory of a sort.
    fn before_atomic(&mut self, at: &View<'_>, location: Sort, op: AtomicOp) {
        let active = at.active() & !at.helpers();
        let Memory { races, order, model, vulkan, .. } = self;
        // Record the release before the atomic executes, so that any invocation that reads its result finds it.
        races.with_order(|releases, logs| {
            lanes(active).for_each(|lane| order.before_atomic(releases, at, lane, op));
            if *vulkan && active != 0 {
                model.before_atomic((releases, logs), (at, active), location, op);
            }
        });
    }

    /// Called at a memory barrier, or at a control barrier of the subgroup.
    fn fence(&mut self, at: &View<'_>) {
        self.races.with_order(|releases, logs| {
            self.order.fence(releases, at);
            if self.vulkan {
                self.model.fence((releases, logs), at);
            }
        });
    }

    /// Returns the names of resources.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the bytes of the texel that a lane accesses, if their location is known.
    pub fn texel(&mut self, op: &ImageOp, args: &ImageArgs, lane: usize) -> Option<Range> {
        let texels = self.texels(args.view.addr() as u64)?;
        initial::texel(&texels, op, args, lane)
    }

    /// Returns the texels of the view whose record is at an address.
    pub fn texels(&mut self, record: u64) -> Option<Arc<Texels>> {
        self.lookup.view(record)
    }

    /// Returns the lanes in which a scalar of a variable has been written.
    pub fn has_written(&self, at: &View<'_>, var: Var, elem: u32) -> u32 {
        self.initial.written(at, var, elem)
    }

    /// Marks a scalar of a variable as unwritten in these lanes.
    pub fn unwrite(&mut self, at: &View<'_>, var: Var, elem: u32, lanes: u32) {
        self.initial.unwrite(at, var, elem, lanes);
    }

    /// Called when a lane group waits at a control barrier.
    pub fn barrier(&mut self, at: &View<'_>) {
        self.order.barrier(at);
        if self.vulkan {
            self.races.with_order(|releases, logs| self.model.barrier((releases, logs), at));
        }
    }

    /// Called when all lane groups of the unit have reached a control barrier.
    pub fn released(&mut self) {
        self.order.released();
        if self.vulkan {
            self.races.with_order(|releases, _| self.model.released(releases));
        }
    }
}
