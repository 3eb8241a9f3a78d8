//! A recording: the execution of one lane group, step by step, so that every step can be inspected.
//!
//! A step is an instruction that the active lanes execute. Its changes are stored as the exclusive or of old and new
//! bits, which works in both directions. The state is a list of slots: every value of the shader in every lane, then
//! every scalar of its variables, then the memory words that the group has accessed, with the contents that this group
//! last saw.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use quadrille_jit::interp::watch::Invocation;
use quadrille_jit::ir::debug::{Debug, Leaves, Space};
use quadrille_jit::ir::{Inst, Shader, Slot, Value, Var};

use crate::builtins::BuiltIns;
use crate::target::name_of;

/// An executed instruction.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Index into [`Recording::insts`].
    pub inst: u32,
    /// Index into [`Debug::places`].
    pub place: u32,
    /// Mask of the lanes that executed it.
    pub active: u32,
    /// Index of its first change; its changes end at the first change of the next step.
    pub first: u32,
}

/// A changed slot of the state.
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

/// A word of memory: memory space, descriptor index in an array, byte offset, which is a multiple of 4.
pub type Address = (Space, u32, u64);

/// The execution of one lane group.
pub struct Recording {
    /// The shader.
    pub shader: Arc<Shader>,
    /// Debug information, with the author's names.
    pub debug: Arc<Debug>,
    /// The leaves of the types of `debug`.
    pub(crate) leaves: Vec<Leaves>,
    /// Number of lanes in the group.
    pub lanes: usize,
    /// Lane of the selected invocation.
    pub focus: usize,
    /// Invocation of each lane.
    pub who: Vec<Invocation>,
    /// Mask of the lanes with an invocation at the start.
    pub full: u32,
    /// Mask of the helper invocations at the start.
    pub helpers: u32,
    /// Mask of the lanes that were killed by the end.
    pub killed: u32,
    /// Final outputs: for each scalar, its value in each lane.
    pub outputs: Vec<Vec<u64>>,
    /// Values of the inputs: by slot, in each lane.
    pub inputs: HashMap<Slot, Vec<u64>>,
    /// Values of the built-ins.
    pub(crate) builtins: BuiltIns,
    /// Reason if the recording was cut.
    pub cut: Option<String>,
    pub(crate) insts: Vec<Inst>,
    pub(crate) steps: Vec<Step>,
    pub(crate) changes: Vec<Change>,
    pub(crate) n_slots: usize,
    /// First slot of each variable.
    pub(crate) var_slots: Vec<u32>,
    /// Slot of each word of memory.
    pub(crate) memory: HashMap<Address, u32>,
    /// For each of these slots, the step before which each byte is unknown.
    pub(crate) bytes: HashMap<u32, [u32; 4]>,
    /// Ranges of device memory that were accessed by address: for each end, the lowest beginning.
    pub(crate) ranges: BTreeMap<u64, u64>,
    /// For each value or variable, by its first slot: the step before which it is unknown.
    pub(crate) known: HashMap<u32, u32>,
}

impl Recording {
    /// Number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// True if nothing was executed.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Name of a lane.
    pub fn name(&self, lane: usize) -> String {
        self.who.get(lane).map_or_else(String::new, |who| name_of(who, self.shader.local_size))
    }

    /// True if the file with this number has this name.
    pub(crate) fn is_named(&self, file: u32, name: &str) -> bool {
        self.debug.files.get(file as usize).is_some_and(|f| f.name == name)
    }

    /// First slot of a value.
    pub(crate) fn value_slot(&self, v: Value) -> u32 {
        v.0 * self.lanes as u32
    }

    /// First slot of a variable's scalar, if it exists.
    pub(crate) fn var_slot(&self, var: Var, elem: u32) -> Option<u32> {
        let decl = self.shader.vars.get(var.0 as usize)?;
        let first = *self.var_slots.get(var.0 as usize)?;
        ((elem as usize) < decl.elems.len()).then(|| first + elem * self.lanes as u32)
    }

    /// True if the object at this first slot was set before step `at`.
    pub(crate) fn is_known(&self, slot: u32, at: usize) -> bool {
        self.known.get(&slot).is_some_and(|&step| (step as usize) < at)
    }

    /// Bytes of a word of memory that are known before step `at`, by the first slot of the word.
    pub(crate) fn known_bytes(&self, slot: u32, at: usize) -> impl Iterator<Item = u32> {
        let steps = self.bytes.get(&slot).copied().unwrap_or([u32::MAX; 4]);
        (0..4u32).zip(steps).filter(move |(_, step)| (*step as usize) < at).map(|(byte, _)| byte)
    }

    /// Changes of a step.
    pub(crate) fn changes_of(&self, step: usize) -> &[Change] {
        let Some(first) = self.steps.get(step).map(|s| s.first as usize) else { return &[] };
        let end = self.steps.get(step + 1).map_or(self.changes.len(), |s| s.first as usize);
        &self.changes[first..end]
    }
}

/// A position in a recording: the state before a step, or after the last one.
pub struct Cursor {
    state: Vec<u64>,
    at: usize,
}

impl Cursor {
    /// Starts at the beginning.
    pub fn new(recording: &Recording) -> Cursor {
        Cursor { state: vec![0; recording.n_slots], at: 0 }
    }

    /// Index of the next step.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Moves to a step.
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
