//! The Vulkan memory model, for modules that declare it. Spec: Vulkan, appendix "Memory Model".
//!
//! Of two accesses by different invocations, the first must happen before the second by releases and acquires whose
//! scopes include both and whose semantics name the memory, and neither access may be private. A write must also be
//! made available to a scope that includes both, by the write itself or later. To be read, it must be made visible from
//! such a scope, by the read itself or before it. Availability and visibility may pass from scope to scope.
//!
//! Two rules are not implemented: that accesses of one invocation through different descriptors need the same, and that
//! interlocked sections order only some accesses.

use quadrille_jit::interp::watch::{AccessKind, View, lanes};
use quadrille_jit::ir::{self, AtomicOp, MemoryOperands, Note};

use super::logs::{Event, Known, Logs, Seen, does};
use super::order::{Releases, SUBGROUP, Sort};
use super::shadow::{Access, Reach, Says, Thread};

/// Bits of SPIR-V's memory semantics.
const MAKE_AVAILABLE: u32 = 0x2000;
const MAKE_VISIBLE: u32 = 0x4000;

/// Result of checking two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Ordered,
    /// Neither happens before the other.
    Unordered,
    /// The order does not count, because the earlier or the later access is private.
    Private {
        before: bool,
        now: bool,
    },
    /// The write is not available to this scope.
    NotAvailable(Reach),
    /// The write is not visible to the invocation that reads.
    NotVisible(Reach),
}

impl Verdict {
    /// Explains why two accesses race.
    pub fn why(self) -> String {
        let within = |reach| match reach {
            Reach::Subgroup => "subgroup",
            Reach::Workgroup => "workgroup",
            _ => "device",
        };
        match self {
            Verdict::Ordered | Verdict::Unordered => "nothing orders the two".into(),
            Verdict::Private { before, now } => {
                let which = match (before, now) {
                    (true, false) => "the first access",
                    (false, true) => "the second access",
                    _ => "both",
                };
                format!(
                    "the synchronization between the two does not apply to private accesses: NonPrivatePointer or NonPrivateTexel is missing at {which}"
                )
            }
            Verdict::NotAvailable(need) => format!(
                "the two are ordered, but the write is not made available to the {0} (MakePointerAvailable or MakeTexelAvailable at the write, or MakeAvailable after it, with the scope of the {0})",
                within(need)
            ),
            Verdict::NotVisible(need) => format!(
                "the two are ordered, but the write, which is available to the {0}, is not made visible to the read (MakePointerVisible or MakeTexelVisible at the read, or MakeVisible before it, with the scope of the {0})",
                within(need)
            ),
        }
    }
}

/// Effect of a barrier, fence or atomic.
#[derive(Clone, Copy, Default)]
struct Does {
    semantics: u32,
    sorts: u8,
    reach: Reach,
}

impl Does {
    fn of(order: &ir::Order) -> Does {
        Does {
            semantics: order.semantics,
            sorts: Sort::in_semantics(order.semantics),
            reach: Reach::of_scope(order.scope),
        }
    }

    fn releases(self) -> bool {
        self.semantics & super::order::RELEASE != 0 && self.reach > Reach::Invocation
    }

    fn acquires(self) -> bool {
        self.semantics & super::order::ACQUIRE != 0 && self.reach > Reach::Invocation
    }

    /// Returns the bits of [`does`] that apply to earlier accesses.
    fn release_bits(self) -> u8 {
        let available = self.reach > Reach::Invocation && self.semantics & MAKE_AVAILABLE != 0;
        (u8::from(self.releases()) * does::RELEASE) | (u8::from(available) * does::AVAILABLE)
    }
}

/// State of the memory model for the invocations of a unit, and towards other units.
#[derive(Default)]
pub struct Model {
    unit: u32,
    groups: Vec<Next>,
    threads: Vec<Knowledge>,
    /// Times that any of the unit's invocations has acquired, and times made visible, by reach.
    all: [Known; 3],
    all_visible: [[Known; 3]; 3],
    /// Lanes that wait at a control barrier: number of the first, mask, and effect of the barrier.
    waiting: Vec<(u32, u32, Does)>,
}

/// Notes of a lane group about its next instruction.
#[derive(Clone, Copy, Default)]
struct Next {
    order: ir::Order,
    operands: MemoryOperands,
    /// Time of the atomic that is being executed, before its releases.
    time: u32,
}

/// Knowledge of an invocation.
#[derive(Clone, Default)]
struct Knowledge {
    /// Times of control barriers that it has passed without acquiring: of the workgroup, then of the subgroup.
    barrier: u32,
    subgroup: u32,
    /// Times of atomic reads, by sort and reach.
    read: [[u32; 3]; 3],
    /// Releases of fences, by the storage sort of the atomic write that will publish them.
    fenced: [(u8, Reach); 3],
    /// Acquired times, by sort.
    known: [Known; 3],
    /// Visible times, by sort and reach.
    visible: [[Known; 3]; 3],
}

/// Returns the unit, the lane group, and its number of invocations.
fn who(unit: u32, at: &View<'_>) -> (u32, u32, u32) {
    (unit, at.group(), at.lanes())
}

impl Model {
    /// Starts a unit.
    pub fn begin(&mut self, number: u32) {
        self.unit = number;
        self.groups.clear();
        self.threads.clear();
        self.waiting.clear();
        self.all = Default::default();
        self.all_visible = Default::default();
    }

    fn group(&mut self, at: &View<'_>) -> &mut Next {
        let number = at.group() as usize;
        if self.groups.len() <= number {
            self.groups.resize(number + 1, Next::default());
        }
        &mut self.groups[number]
    }

    fn thread(&mut self, local: u32) -> &mut Knowledge {
        let local = local as usize;
        if self.threads.len() <= local {
            self.threads.resize(local + 1, Knowledge::default());
        }
        &mut self.threads[local]
    }

    /// Processes a note about the next instruction.
    pub fn note(&mut self, at: &View<'_>, note: Note) {
        match note {
            Note::Order(order) => self.group(at).order = order,
            Note::Operands(operands) => self.group(at).operands = operands,
            // Values, variables and control flow; critical sections, which order accesses without the model.
            Note::Partial(_)
            | Note::Undef
            | Note::Index { .. }
            | Note::UniformIndex
            | Note::MaximallyReconverges
            | Note::Interlock { .. }
            | Note::Fresh(_)
            | Note::Zeros(_)
            | Note::SharedZeros { .. }
            | Note::Aligned(_)
            | Note::GroupCopy
            | Note::GroupWait
            | Note::Copied
            | Note::Cooperates { .. }
            | Note::Private { .. }
            | Note::Leaves => {}
        }
    }

    /// Called at a memory barrier, or at a control barrier of the subgroup.
    pub fn fence(&mut self, (releases, logs): (&mut Releases, &mut Logs), at: &View<'_>) {
        let order = self.group(at).order;
        let does = Does::of(&order);
        self.release(releases.tick(), logs, at, does);
        let waits = order.execution.is_some_and(|scope| scope >= SUBGROUP);
        let now = releases.tick();
        for lane in lanes(at.active()) {
            let local = at.group() * at.lanes() + lane as u32;
            if waits && order.execution == Some(SUBGROUP) {
                self.thread(local).subgroup = now;
            }
            self.acquire(local, does);
        }
    }

    /// Applies the release of a barrier or fence.
    fn release(&mut self, time: u32, logs: &mut Logs, at: &View<'_>, does: Does) {
        let bits = does.release_bits();
        if bits == 0 {
            return;
        }
        let Does { sorts, reach, .. } = does;
        let event = Event { time, lanes: at.active(), does: bits, sorts, location: Sort::Buffer, reach };
        logs.put(who(self.unit, at), event);
        if !does.releases() {
            return;
        }
        for lane in lanes(at.active()) {
            let thread = self.thread(at.group() * at.lanes() + lane as u32);
            for sort in Sort::ALL.into_iter().filter(|s| s.is_in(sorts)) {
                let (all, most) = &mut thread.fenced[sort as usize];
                (*all, *most) = (*all | sorts, (*most).max(reach));
            }
        }
    }

    /// Applies the acquire of a barrier or fence to an invocation.
    fn acquire(&mut self, local: u32, does: Does) {
        if !does.acquires() {
            return;
        }
        let (all, thread) = (self.all, self.thread(local));
        let mut read = [0; 3];
        for sort in Sort::ALL.into_iter().filter(|s| s.is_in(does.sorts)) {
            let of = thread.read[sort as usize];
            read.iter_mut().zip(of).for_each(|(r, of)| *r = (*r).max(of));
        }
        for sort in Sort::ALL.into_iter().filter(|s| s.is_in(does.sorts)) {
            let known = &mut thread.known[sort as usize];
            known.subgroup = known.subgroup.max(thread.subgroup);
            for (reach, &read) in read.iter().enumerate().take(does.reach as usize) {
                known.barrier[reach] = known.barrier[reach].max(thread.barrier);
                known.atomics[reach] = known.atomics[reach].max(read);
            }
            if thread.barrier.max(thread.subgroup) > 0 {
                // Includes what others had acquired before they reached the barrier.
                let atomics = all[sort as usize].atomics;
                known.atomics.iter_mut().zip(atomics).for_each(|(k, a)| *k = (*k).max(a));
            }
        }
        self.acquired(local, does);
    }

    /// Shares an acquire with other invocations, and updates visibility.
    fn acquired(&mut self, local: u32, does: Does) {
        let mut thread = std::mem::take(self.thread(local));
        for sort in Sort::ALL.into_iter().filter(|s| s.is_in(does.sorts)) {
            let known = thread.known[sort as usize];
            self.all[sort as usize].merge(&known);
            if does.semantics & MAKE_VISIBLE == 0 {
                continue;
            }
            let visible = &mut thread.visible[sort as usize];
            let all = &mut self.all_visible[sort as usize];
            for (reach, (own, all)) in visible.iter_mut().zip(all).enumerate() {
                if reach < does.reach as usize {
                    own.merge(&known);
                    all.merge(&known);
                } else {
                    // A chain: includes what others have made visible to a scope that contains both.
                    own.merge(all);
                }
            }
        }
        *self.thread(local) = thread;
    }

    /// Called when a lane group waits at a workgroup barrier.
    pub fn barrier(&mut self, (releases, logs): (&mut Releases, &mut Logs), at: &View<'_>) {
        let does = Does::of(&self.group(at).order);
        self.release(releases.tick(), logs, at, does);
        self.waiting.push((at.group() * at.lanes(), at.active(), does));
    }

    /// Called when all lane groups have reached the barrier.
    pub fn released(&mut self, releases: &mut Releases) {
        let now = releases.tick();
        for (first, active, does) in std::mem::take(&mut self.waiting) {
            for lane in lanes(active) {
                let local = first + lane as u32;
                self.thread(local).barrier = now;
                self.acquire(local, does);
            }
        }
    }

    /// Applies the releases of an atomic before lanes execute it.
    pub fn before_atomic(
        &mut self,
        (releases, logs): (&mut Releases, &mut Logs),
        (at, active): (&View<'_>, u32),
        location: Sort,
        op: AtomicOp,
    ) {
        self.group(at).time = releases.count;
        if op == AtomicOp::Load {
            return;
        }
        let own = Does::of(&self.group(at).order);
        let time = releases.tick();
        let Does { sorts, reach, .. } = own;
        let mut fenced = false;
        for lane in lanes(active) {
            let (sorts, most) = self.thread(at.group() * at.lanes() + lane as u32).fenced[location as usize];
            if most > Reach::Invocation {
                fenced = true;
                logs.pass_on(self.unit, sorts, most.min(reach), time);
            }
        }
        let bits = own.release_bits();
        if bits != 0 || fenced {
            let does = bits | does::WRITE;
            logs.put(who(self.unit, at), Event { time, lanes: active, does, sorts, location, reach });
        }
    }

    /// Applies the acquires of an atomic after a lane has executed it.
    pub fn after_atomic(
        &mut self,
        releases: &Releases,
        (at, lane): (&View<'_>, usize),
        location: Sort,
        op: AtomicOp,
    ) {
        if op == AtomicOp::Store {
            return;
        }
        let does = Does::of(&self.group(at).order);
        let local = at.group() * at.lanes() + lane as u32;
        let thread = self.thread(local);
        thread.read[location as usize].iter_mut().take(does.reach as usize).for_each(|r| *r = releases.count);
        if does.acquires() {
            for sort in Sort::ALL.into_iter().filter(|s| s.is_in(does.sorts)) {
                let known = &mut thread.known[sort as usize].atomics;
                known.iter_mut().take(does.reach as usize).for_each(|k| *k = releases.count);
            }
            self.acquired(local, does);
        }
    }

    /// Returns the time of the current access; an atomic is included in its own release.
    pub fn time(&mut self, releases: &Releases, at: &View<'_>, kind: AccessKind) -> u32 {
        match kind {
            AccessKind::Atomic(_) => self.group(at).time,
            _ => releases.count,
        }
    }

    /// Returns the module's memory operands for the current access.
    pub fn says(&mut self, at: &View<'_>, kind: AccessKind) -> Says {
        let next = self.group(at);
        let operands = match kind {
            AccessKind::Read => next.operands.reads,
            AccessKind::Write => next.operands.writes,
            AccessKind::Atomic(_) => return Says::new(false, Reach::of_scope(next.order.scope)),
        };
        let reach = operands.scope.map_or(Reach::Invocation, Reach::of_scope);
        Says::new(!operands.non_private, reach)
    }

    /// Checks an earlier and a current access to one sort of memory by different invocations; `wrote` and `reads`
    /// describe them.
    pub fn judge(
        &self,
        logs: &Logs,
        sort: Sort,
        (before, wrote): (&Access, bool),
        (now, reads): (&Access, bool),
    ) -> Verdict {
        let need = common(&before.thread, &now.thread);
        if before.atomic && now.atomic && before.says.reach().min(now.says.reach()) >= need {
            return Verdict::Ordered;
        }
        let nothing = Knowledge::default();
        let thread = self.threads.get(now.thread.local as usize).unwrap_or(&nothing);
        let known = &thread.known[sort as usize];
        if !logs.happens_before(&before.thread, sort, before.time + 1, need, known) {
            return Verdict::Unordered;
        }
        let private = (before.says.is_private(), now.says.is_private());
        if private.0 || private.1 {
            return Verdict::Private { before: private.0, now: private.1 };
        }
        if !wrote {
            return Verdict::Ordered;
        }
        match self.seen(logs, sort, before, (now, reads)) {
            Seen::Yes => Verdict::Ordered,
            Seen::NotAvailable => Verdict::NotAvailable(need),
            Seen::NotVisible => Verdict::NotVisible(need),
        }
    }

    /// Checks whether a write that happens before an access is available and, for a read, visible to it.
    fn seen(&self, logs: &Logs, sort: Sort, write: &Access, (now, reads): (&Access, bool)) -> Seen {
        let need = common(&write.thread, &now.thread);
        let nothing = Knowledge::default();
        let thread = self.threads.get(now.thread.local as usize).unwrap_or(&nothing);
        let known = &thread.known[sort as usize];
        if !logs.is_available(write, sort, need, known) {
            return Seen::NotAvailable;
        }
        let mut visible = thread.visible[sort as usize][need.index()];
        match now.says.reach() {
            own if !reads || own >= need => return Seen::Yes,
            Reach::Invocation => {}
            // A chain: other invocations have made it visible at a larger scope, so a smaller one suffices here.
            _ => visible.merge(&self.all_visible[sort as usize][need.index()]),
        }
        if logs.is_available(write, sort, need, &visible) { Seen::Yes } else { Seen::NotVisible }
    }
}

/// Returns the smallest reach that includes two invocations of a dispatch or draw.
fn common(a: &Thread, b: &Thread) -> Reach {
    match (a.unit == b.unit, a.group == b.group) {
        (true, true) => Reach::Subgroup,
        (true, false) => Reach::Workgroup,
        _ => Reach::Device,
    }
}
