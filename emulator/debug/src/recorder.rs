//! The watcher that makes recordings: it finds the lane group with the selected invocation, and records its execution.
//!
//! A pixel or a vertex may be shaded several times. Each time is a separate recording, in the order of execution.

use std::collections::{BTreeMap, HashMap};
use std::mem::size_of;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_jit::interp::watch::{
    AccessKind, Call, MemoryAccess, Observer, Range, Space as Memory, View, Watch, eval_atomic, lanes,
};
use quadrille_jit::ir::debug::{Debug, Home, Space};
use quadrille_jit::ir::{Imm, Inst, Loop, Op, Shader, Slot, Value, each_inst};
use quadrille_jit::spirv::listing::with_lines;

use crate::builtins::BuiltIns;
use crate::recording::{Address, Change, Recording, Step};
use crate::rounds::Rounds;
use crate::target::Target;

/// Default limit of the memory of recordings, in bytes.
pub const MAX_BYTES: usize = 512 << 20;
/// Maximum number of recordings of one invocation.
const MAX_RECORDINGS: usize = 256;

/// State that the observers of all calls share.
struct Shared {
    target: Target,
    /// Bytes left.
    left: Mutex<usize>,
    /// Recordings, each with its number in the order in which they began.
    done: Mutex<Vec<(usize, Recording)>>,
    begun: AtomicUsize,
}

/// Records an invocation: see [`Recorder::watch`].
#[derive(Clone)]
pub struct Recorder(Arc<Shared>);

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    /// Records an invocation in at most `max_bytes`. At the limit, the recorder stops the call, and [`Recording::cut`]
    /// gives the reason. If the device stops a call, the recording up to that point is kept.
    pub fn new(target: Target, max_bytes: usize) -> Recorder {
        let shared = Shared {
            target,
            left: Mutex::new(max_bytes),
            done: Mutex::default(),
            begun: AtomicUsize::new(0),
        };
        Recorder(Arc::new(shared))
    }

    /// The watcher, for a device.
    pub fn watch(&self) -> Arc<dyn Watch> {
        Arc::new(self.clone())
    }

    /// True if the limit is reached, and the recorder has stopped the call itself.
    pub fn is_full(&self) -> bool {
        *lock(&self.0.left) == 0
    }

    /// Takes out the recordings, in the order of execution.
    pub fn take(&self) -> Vec<Recording> {
        let mut done = std::mem::take(&mut *lock(&self.0.done));
        // A shader that calls others ends after them.
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, recording)| recording).collect()
    }
}

impl Watch for Recorder {
    fn begin(&self, call: &Call<'_>) -> Option<Box<dyn Observer>> {
        let wanted = self.0.target.runs(call.shader.stage) && call.shader.debug.is_some();
        let full = || lock(&self.0.done).len() >= MAX_RECORDINGS || *lock(&self.0.left) == 0;
        if !wanted || full() {
            return None;
        }
        Some(Box::new(Follower { shared: self.0.clone(), shader: call.shader.clone(), open: None }))
    }
}

/// The observer of a call.
struct Follower {
    shared: Arc<Shared>,
    shader: Arc<Shader>,
    open: Option<Open>,
}

/// An unfinished recording.
struct Open {
    /// Number of the recording.
    number: usize,
    unit: u32,
    group: u32,
    recording: Recording,
    /// Contents of the slots.
    state: Vec<u64>,
    /// Index of each instruction, by its address.
    numbers: HashMap<usize, u32>,
    /// Memory of a handle, and the value that selects the descriptor.
    handles: HashMap<Value, (Space, Option<Value>)>,
    /// Device address of the memory at a host address.
    addresses: HashMap<u64, u64>,
    /// Bytes that were left at the start.
    budget: usize,
    rounds: Rounds,
    /// Address of the last instruction.
    last: usize,
}

impl Follower {
    /// Returns the recording if the view is of its group and there is room.
    fn mine(&mut self, at: &View<'_>) -> Option<&mut Open> {
        let open = self.open.as_mut()?;
        let mine = (open.unit, open.group) == (at.unit(), at.group()) && open.recording.cut.is_none();
        mine.then_some(open)
    }
}

impl Observer for Follower {
    fn start(&mut self, at: &View<'_>) {
        if self.open.is_some() {
            return;
        }
        let size = self.shader.local_size;
        let present = |l: &usize| at.full() >> l & 1 == 1;
        let found = (0..at.lanes() as usize)
            .filter(present)
            .find(|&l| self.shared.target.is(&at.invocation(l), size));
        if let (Some(focus), Some(debug)) = (found, &self.shader.debug) {
            let debug = with_lines(debug, || "disassembly.spvasm".into());
            let budget = *lock(&self.shared.left);
            let mut open = Open::new(self.shader.clone(), debug, at, focus, budget);
            open.number = self.shared.begun.fetch_add(1, Ordering::Relaxed);
            if open.recording.cut.is_some() {
                at.stop();
            }
            self.open = Some(open);
        }
    }

    fn round(&mut self, at: &View<'_>, node: &Loop) {
        if let Some(open) = self.mine(at) {
            open.rounds.begin(node);
        }
    }

    fn before(&mut self, at: &View<'_>, inst: &Inst) {
        if let Some(open) = self.mine(at) {
            open.step(at, inst);
        }
    }

    fn memory(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>) {
        if let Some(open) = self.mine(at) {
            open.memory(at, inst, access);
        }
    }

    fn after(&mut self, at: &View<'_>, inst: &Inst) {
        if let Some(open) = self.mine(at) {
            open.results(at, inst);
        }
    }

    fn copy(&mut self, at: &View<'_>, from: &[Value], to: &[Value]) {
        if let Some(open) = self.mine(at) {
            for (&from, &to) in from.iter().zip(to) {
                let first = open.recording.value_slot(to);
                for l in lanes(at.active()) {
                    open.set(first, l, at.value(from, l));
                }
            }
        }
    }

    fn finish(&mut self, at: &View<'_>) {
        let mine = self.open.as_ref().is_some_and(|o| (o.unit, o.group) == (at.unit(), at.group()));
        if let Some(open) = self.open.take_if(|_| mine) {
            let used = open.budget.min(open.recording.bytes());
            let (number, mut recording) = (open.number, open.recording);
            if recording.cut.is_some() {
                // The recorder is stopping the call.
                *lock(&self.shared.left) = 0;
                lock(&self.shared.done).push((number, recording));
                return;
            }
            recording.killed = at.killed();
            recording.outputs = (0..self.shader.outputs.len())
                .map(|i| (0..at.lanes() as usize).map(|l| at.output(i, l)).collect())
                .collect();
            *lock(&self.shared.left) -= used;
            lock(&self.shared.done).push((number, recording));
        }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        // The call was stopped; its recording is kept.
        if let Some(mut open) = self.open.take() {
            let r = &mut open.recording;
            let used = open.budget.min(r.bytes());
            let full = r.cut.is_some();
            let mut left = lock(&self.shared.left);
            *left = if full { 0 } else { left.saturating_sub(used) };
            r.cut.get_or_insert_with(|| {
                let text = open.rounds.text(&r.shader, &r.debug, open.last);
                format!("the recording ends here, where the device stopped the shader{text}")
            });
            lock(&self.shared.done).push((open.number, open.recording));
        }
    }
}

impl Recording {
    fn bytes(&self) -> usize {
        self.steps.len() * size_of::<Step>() + self.changes.len() * size_of::<Change>() + self.n_slots * 8
    }
}

impl Open {
    fn new(shader: Arc<Shader>, debug: Arc<Debug>, at: &View<'_>, focus: usize, budget: usize) -> Open {
        let lanes = at.lanes() as usize;
        let mut slots = shader.values.len() * lanes;
        let mut var_slots = Vec::with_capacity(shader.vars.len());
        for var in &shader.vars {
            var_slots.push(slots as u32);
            slots += var.elems.len() * lanes;
        }
        let mut handles = HashMap::new();
        each_inst(&shader.body, &mut |inst| {
            let space = match (inst.op, &inst.imm) {
                (Op::BufferDescriptor, &Imm::Binding { set, binding, .. }) => Space::Binding { set, binding },
                (Op::PushConstants, _) => Space::Push,
                (Op::Payload, _) => Space::Payload,
                _ => return,
            };
            if let Some(&result) = inst.results.first() {
                handles.insert(result, (space, inst.args.first().copied()));
            }
        });
        let mut recording = Recording {
            lanes,
            focus,
            who: (0..lanes).map(|l| at.invocation(l)).collect(),
            full: at.full(),
            helpers: at.helpers(),
            killed: 0,
            outputs: Vec::new(),
            inputs: inputs(&debug, at),
            builtins: BuiltIns::at(at),
            cut: None,
            insts: Vec::new(),
            steps: Vec::new(),
            changes: Vec::new(),
            n_slots: slots,
            var_slots,
            memory: HashMap::new(),
            bytes: HashMap::new(),
            ranges: BTreeMap::new(),
            known: HashMap::new(),
            leaves: debug.type_leaves(),
            shader,
            debug,
        };
        if slots * 8 > budget || slots > u32::MAX as usize / 2 {
            recording.cut = Some(too_much(budget));
            recording.n_slots = 0;
        }
        let state = vec![0; recording.n_slots];
        let (unit, group) = (at.unit(), at.group());
        let rounds = Rounds::of(&recording.shader);
        let (numbers, addresses) = (HashMap::new(), HashMap::new());
        Open {
            number: 0,
            unit,
            group,
            recording,
            state,
            numbers,
            handles,
            addresses,
            budget,
            rounds,
            last: 0,
        }
    }

    fn step(&mut self, at: &View<'_>, inst: &Inst) {
        let r = &mut self.recording;
        if r.steps.len() & 15 == 0 && r.bytes() > self.budget {
            r.cut = Some(too_much(self.budget) + &self.rounds.text(&r.shader, &r.debug, self.last));
            at.stop();
            return;
        }
        self.last = std::ptr::from_ref(inst) as usize;
        let number = *self.numbers.entry(std::ptr::from_ref(inst) as usize).or_insert_with(|| {
            r.insts.push(inst.clone());
            r.insts.len() as u32 - 1
        });
        let first = r.changes.len() as u32;
        r.steps.push(Step { inst: number, place: inst.src.place, active: at.active(), first });
    }

    fn results(&mut self, at: &View<'_>, inst: &Inst) {
        for &result in &inst.results {
            let first = self.recording.value_slot(result);
            for l in lanes(at.active()) {
                self.set(first, l, at.value(result, l));
            }
        }
        if let (Op::AddressBuffer, &[address], &[base, _]) = (inst.op, &inst.args[..], &inst.results[..]) {
            let lanes = lanes(at.active());
            self.addresses.extend(lanes.map(|l| (at.value(base, l), at.value(address, l))));
        }
        let Imm::Var { var, elem } = inst.imm else { return };
        if !matches!(inst.op, Op::VarSet | Op::VarSetDyn) {
            return;
        }
        for l in lanes(at.active()) {
            let index = match inst.op {
                Op::VarSetDyn => inst.args.first().map_or(0, |&i| at.value(i, l) as u32),
                _ => 0,
            };
            let elem = elem.checked_add(index);
            if let Some((slot, bits)) =
                elem.and_then(|e| Some((self.recording.var_slot(var, e)?, at.var(var, e, l)?)))
            {
                self.set(slot, l, bits);
            }
        }
    }

    fn memory(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>) {
        let (space, chooser) = match access.space {
            Memory::Workgroup => (Space::Shared, None),
            Memory::Buffer => {
                let bound = inst.args.first().and_then(|h| self.handles.get(h));
                bound.copied().unwrap_or((Space::Address, None))
            }
        };
        for touch in access.touches().filter(|t| t.inside) {
            let Some(&value) = access.values.get(touch.scalar) else { continue };
            let element = chooser.map_or(0, |v| at.value(v, touch.lane) as u32);
            let seen = at.value(value, touch.lane);
            let operand = |i: usize| {
                inst.args.get(atomic_value(access) + i).map_or(0, |&arg| at.value(arg, touch.lane))
            };
            let bits = match access.kind {
                AccessKind::Atomic(op) => {
                    eval_atomic(op, at.shader().ty(value), seen, operand(0), operand(1))
                }
                AccessKind::Read | AccessKind::Write => seen,
            };
            let offset = match space {
                Space::Address => match self.address(touch.range, touch.offset) {
                    Some(address) => address,
                    // Memory of a descriptor that has no variable.
                    None => continue,
                },
                Space::Binding { .. } | Space::Push | Space::Shared | Space::Payload => touch.offset,
            };
            self.set_memory(space, element, offset..offset.saturating_add(touch.bytes.into()), bits);
        }
    }

    /// The device address of a byte of a range, which is noted; `None` if no address leads there.
    fn address(&mut self, range: Range, offset: u64) -> Option<u64> {
        let base = *self.addresses.get(&range.base)?;
        let first = self.recording.ranges.entry(base.saturating_add(range.size)).or_insert(base);
        *first = base.min(*first);
        Some(base.wrapping_add(offset))
    }

    fn memory_slot(&mut self, address: Address) -> u32 {
        let (r, state) = (&mut self.recording, &mut self.state);
        *r.memory.entry(address).or_insert_with(|| {
            state.push(0);
            r.n_slots = state.len();
            r.n_slots as u32 - 1
        })
    }

    /// Sets bytes of memory to the lowest of `bits`, whatever the width of other accesses to them.
    fn set_memory(&mut self, space: Space, element: u32, bytes: std::ops::Range<u64>, bits: u64) {
        let step = self.step_number();
        let mut at = bytes.start;
        while at < bytes.end {
            let word = at & !3;
            let end = bytes.end.min(word.saturating_add(4));
            let slot = self.memory_slot((space, element, word));
            let known = self.recording.bytes.entry(slot).or_insert([u32::MAX; 4]);
            let here = (at - word) as usize..(end - word) as usize;
            known[here.clone()].iter_mut().for_each(|first| *first = step.min(*first));
            let mask = (u64::MAX >> (64 - 8 * here.len())) << (8 * here.start);
            let part = bits >> (8 * (at - bytes.start)) << (8 * here.start);
            let old = self.state.get(slot as usize).copied().unwrap_or(0);
            self.change(slot, old & !mask | part & mask);
            at = end;
        }
    }

    /// Sets a slot of a lane as a change of the current step.
    fn set(&mut self, first: u32, lane: usize, bits: u64) {
        let step = self.step_number();
        self.recording.known.entry(first).or_insert(step);
        self.change(first + lane as u32, bits);
    }

    /// Number of the current step.
    fn step_number(&self) -> u32 {
        (self.recording.steps.len() as u32).saturating_sub(1)
    }

    /// Changes a slot in the current step.
    fn change(&mut self, slot: u32, bits: u64) {
        let r = &mut self.recording;
        let Some(old) = self.state.get_mut(slot as usize) else { return };
        let change = std::mem::replace(old, bits) ^ bits;
        if change != 0 && !r.steps.is_empty() {
            r.changes.push(Change { slot, low: change as u32, high: (change >> 32) as u32 });
        }
    }
}

/// Index of the value among an atomic's arguments; that of a comparison is followed by what it compares with.
fn atomic_value(access: &MemoryAccess<'_>) -> usize {
    // The arguments are handle, offset and value; workgroup memory has no handle.
    if access.space == Memory::Workgroup { 1 } else { 2 }
}

/// Reason of a cut at the memory limit.
fn too_much(bytes: usize) -> String {
    let mib = bytes >> 20;
    format!("the recording ends here, at its limit of {mib} MiB (--memory MIB)")
}

/// Values of the inputs that the author's variables name.
fn inputs(debug: &Debug, at: &View<'_>) -> HashMap<Slot, Vec<u64>> {
    let mut out = HashMap::new();
    let lanes = 0..at.lanes() as usize;
    let slots = debug.variables.iter().filter(|v| v.home == Home::Inputs).flat_map(|v| &v.slots);
    for &slot in slots {
        let listed = at.shader().inputs.iter().position(|i| i.slot == slot);
        let row: Option<Vec<u64>> = match (listed, slot) {
            (Some(i), _) => Some(lanes.clone().map(|l| at.input(i, l, 0)).collect()),
            (None, Slot::BuiltIn(b, c)) => Some(lanes.clone().map(|l| at.builtin(b, c, l)).collect()),
            (None, Slot::Location { .. } | Slot::Ray(_)) => None,
        };
        if let Some(row) = row {
            out.insert(slot, row);
        }
    }
    out
}
