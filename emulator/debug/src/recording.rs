//! A recording: what one lane group did, step by step, so that it can be looked at from any step.
//!
//! A step is an instruction executed by the active lanes. What it changes is kept as the exclusive or of old and new
//! bits, which leads forwards as well as backwards. The state is a list of slots: every value of the shader in every
//! lane, then every scalar of its variables, then the words of memory that the group has touched, as this group has
//! last seen them.

use std::collections::HashMap;
use std::sync::Arc;

use quadrille_jit::interp::watch::Invocation;
use quadrille_jit::ir::debug::{Debug, Space};
use quadrille_jit::ir::{Inst, Shader, Slot, Value, Var};

use crate::builtins::BuiltIns;
use crate::target::name_of;

/// An instruction that was executed.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Index into [`Recording::insts`].
    pub inst: u32,
    /// Index into [`Debug::places`].
    pub place: u32,
    /// Lanes that executed it.
    pub active: u32,
    /// Index of the first of its changes; they end where those of the next step begin.
    pub first: u32,
}

/// A slot of the state that changes.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    pub slot: u32,
    pub low: u32,
    pub high: u32,
}

impl Change {
    pub fn bits(self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
}

/// A scalar in memory: whose, which descriptor of an array, which byte.
pub type Address = (Space, u32, u64);

/// What one lane group did.
pub struct Recording {
    /// The shader.
    pub shader: Arc<Shader>,
    /// What its author calls things.
    pub debug: Arc<Debug>,
    /// Lanes of the group.
    pub lanes: usize,
    /// The lane of the invocation that was asked for.
    pub focus: usize,
    /// Who the lanes are.
    pub who: Vec<Invocation>,
    /// Lanes that were there at the start.
    pub full: u32,
    /// Lanes that were helper invocations at the start.
    pub helpers: u32,
    /// Lanes that were killed in the end.
    pub killed: u32,
    /// Outputs at the end: of each scalar, in each lane.
    pub outputs: Vec<Vec<u64>>,
    /// What the inputs were: by slot, in each lane.
    pub inputs: HashMap<Slot, Vec<u64>>,
    /// What built-ins were.
    pub(crate) builtins: BuiltIns,
    /// It was cut: why.
    pub cut: Option<String>,
    pub(crate) insts: Vec<Inst>,
    pub(crate) steps: Vec<Step>,
    pub(crate) changes: Vec<Change>,
    pub(crate) n_slots: usize,
    /// First slot of each variable.
    pub(crate) var_slots: Vec<u32>,
    /// Slot of each scalar in memory.
    pub(crate) memory: HashMap<Address, u32>,
    /// Step before which a value, a variable or a scalar in memory is unknown, by its first slot.
    pub(crate) known: HashMap<u32, u32>,
}

impl Recording {
    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Nothing was executed.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What a lane is called.
    pub fn name(&self, lane: usize) -> String {
        self.who.get(lane).map_or_else(String::new, |who| name_of(who, self.shader.local_size))
    }

    /// First slot of a value.
    pub(crate) fn value_slot(&self, v: Value) -> u32 {
        v.0 * self.lanes as u32
    }

    /// First slot of a scalar of a variable, if it has it.
    pub(crate) fn var_slot(&self, var: Var, elem: u32) -> Option<u32> {
        let decl = self.shader.vars.get(var.0 as usize)?;
        let first = *self.var_slots.get(var.0 as usize)?;
        ((elem as usize) < decl.elems.len()).then(|| first + elem * self.lanes as u32)
    }

    /// Whether what begins at a slot has been set before step `at`.
    pub(crate) fn is_known(&self, slot: u32, at: usize) -> bool {
        self.known.get(&slot).is_some_and(|&step| (step as usize) < at)
    }

    /// Changes of a step.
    pub(crate) fn changes_of(&self, step: usize) -> &[Change] {
        let Some(first) = self.steps.get(step).map(|s| s.first as usize) else { return &[] };
        let end = self.steps.get(step + 1).map_or(self.changes.len(), |s| s.first as usize);
        &self.changes[first..end]
    }
}

/// A place in a recording: the state before a step, or after the last.
pub struct Cursor {
    state: Vec<u64>,
    at: usize,
}

impl Cursor {
    /// At the start.
    pub fn new(recording: &Recording) -> Cursor {
        Cursor { state: vec![0; recording.n_slots], at: 0 }
    }

    /// The step that comes next.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Goes to a step.
    pub fn seek(&mut self, recording: &Recording, to: usize) {
        let to = to.min(recording.len());
        while self.at < to {
            self.apply(recording, self.at);
            self.at += 1;
        }
        while self.at > to {
            self.at -= 1;
            self.apply(recording, self.at);
        }
    }

    fn apply(&mut self, recording: &Recording, step: usize) {
        for change in recording.changes_of(step) {
            if let Some(slot) = self.state.get_mut(change.slot as usize) {
                *slot ^= change.bits();
            }
        }
    }

    /// Bits of a slot.
    pub fn bits(&self, slot: u32) -> u64 {
        self.state.get(slot as usize).copied().unwrap_or(0)
    }
}
