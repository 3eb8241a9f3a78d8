//! Happens-before by barriers and atomics.
//!
//! Workgroup control barriers divide execution into intervals, separately for each sort of memory that their semantics,
//! or those of an adjacent fence, name. Subgroup barriers divide the execution of a lane group into turns. An atomic or
//! fence with release semantics orders the invocation's earlier actions before those that another invocation performs
//! after it acquires. Between workgroups, a release counts as one of the whole workgroup.
//!
//! The shaders of a ray tracing pipeline that run for one launch call each other: they are one invocation, whose order
//! all of them share, and each launch is a unit of its own.

use quadrille_jit::interp::watch::{Invocation, View, lanes};
use quadrille_jit::ir::{self, AtomicOp, Note, Stage};
use rustc_hash::FxHashMap;

use super::shadow::{Access, Thread};

/// Releases by atomics in the running dispatch or draw.
#[derive(Default)]
pub struct Releases {
    /// Number of the dispatch or draw.
    pub step: u32,
    /// Number of releases so far.
    pub count: u32,
    /// Release numbers of each unit.
    pub of_units: FxHashMap<u32, Vec<u32>>,
    /// Order of each launch of a ray tracing pipeline, in all of its shaders.
    launches: FxHashMap<u32, ThreadOrder>,
}

/// Sorts of memory that memory semantics distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Workgroup memory.
    Workgroup,
    /// Buffers.
    Buffer,
    /// Images.
    Image,
}

/// Bits of SPIR-V's memory semantics.
pub const ACQUIRE: u32 = 0x2 | 0x8 | 0x10;
pub const RELEASE: u32 = 0x4 | 0x8 | 0x10;

impl Releases {
    /// Forgets the order of the last dispatch or draw.
    pub fn clear(&mut self) {
        self.of_units.clear();
        self.launches.clear();
    }

    /// Returns a time later than all before.
    pub fn tick(&mut self) -> u32 {
        self.count += 1;
        self.count
    }
}

impl Sort {
    /// All sorts.
    pub const ALL: [Sort; 3] = [Sort::Workgroup, Sort::Buffer, Sort::Image];

    /// Returns the sorts in memory semantics, as bits.
    pub fn in_semantics(semantics: u32) -> u8 {
        Sort::ALL.into_iter().filter(|s| semantics & s.bits() != 0).fold(0, |all, s| all | 1 << s as u8)
    }

    /// True if the sort is among these bits.
    pub fn is_in(self, sorts: u8) -> bool {
        sorts >> self as u8 & 1 == 1
    }

    /// Bits of the sort in memory semantics.
    fn bits(self) -> u32 {
        match self {
            Sort::Workgroup => 0x100,
            // UniformMemory of shaders, CrossWorkgroupMemory of kernels.
            Sort::Buffer => 0x40 | 0x200,
            Sort::Image => 0x800,
        }
    }
}

/// Numbers of SPIR-V scopes.
pub const SUBGROUP: u32 = 3;
const INVOCATION: u32 = 4;

/// Order among the invocations of a unit, and towards other units.
#[derive(Default)]
pub struct Order {
    /// True for shaders of ray tracing pipelines.
    of_rays: bool,
    unit: u32,
    /// Number of control barriers so far.
    barriers: u32,
    /// Last control barrier that orders each sort of memory.
    intervals: [u32; 3],
    /// Semantics of the fences since the last control barrier, then of the barriers at which groups wait.
    fenced: u32,
    waiting: u32,
    groups: Vec<GroupOrder>,
    threads: FxHashMap<u32, ThreadOrder>,
    /// Number of releases that the unit has acquired.
    acquired: u32,
}

/// Order of a lane group.
#[derive(Clone, Copy, Default)]
struct GroupOrder {
    /// Semantics of the next atomic or barrier.
    next: ir::Order,
    turn: u32,
    /// Nonzero in an interlocked section, which invocations enter one at a time.
    locked: u32,
}

/// Order of an invocation.
#[derive(Clone, Default)]
struct ThreadOrder {
    /// True if a fence has released; the next atomic write publishes the release.
    fenced: bool,
    /// Numbers of its releases.
    releases: Vec<u32>,
    /// Number of releases before its last atomic read.
    seen: u32,
    /// Number of releases that it has acquired.
    acquired: u32,
}

impl Order {
    /// Order of a call of a shader.
    pub fn new(stage: Stage) -> Order {
        Order { of_rays: stage.is_of_rays(), ..Order::default() }
    }

    /// Starts a unit.
    pub fn begin(&mut self, number: u32) {
        self.unit = number;
        self.barriers = 0;
        self.intervals = [0; 3];
        (self.fenced, self.waiting, self.acquired) = (0, 0, 0);
        self.groups.clear();
        self.threads.clear();
    }

    fn group(&mut self, at: &View<'_>) -> &mut GroupOrder {
        let number = at.group() as usize;
        if self.groups.len() <= number {
            self.groups.resize(number + 1, GroupOrder::default());
        }
        &mut self.groups[number]
    }

    /// Numbers of the unit, the lane group and the invocation of a lane.
    fn invocation(&self, at: &View<'_>, lane: usize) -> (u32, u32, u32) {
        match at.invocation(lane) {
            // Two launches with the same number count as ordered.
            Invocation::Ray { launch: [x, y, z] } => {
                let unit =
                    x.wrapping_add(y.wrapping_mul(0x9e37_79b1)).wrapping_add(z.wrapping_mul(0x85eb_ca77));
                (unit, 0, 0)
            }
            _ => (self.unit, at.group(), Self::local(at, lane)),
        }
    }

    fn local(at: &View<'_>, lane: usize) -> u32 {
        at.group() * at.lanes() + lane as u32
    }

    /// Order of the invocation of a lane.
    fn thread<'a>(
        &'a mut self,
        releases: &'a mut Releases,
        at: &View<'_>,
        lane: usize,
    ) -> &'a mut ThreadOrder {
        match self.of_rays {
            true => {
                let (launch, ..) = self.invocation(at, lane);
                releases.launches.entry(launch).or_default()
            }
            false => self.threads.entry(Self::local(at, lane)).or_default(),
        }
    }

    /// Processes a note about the next atomic or barrier.
    pub fn note(&mut self, at: &View<'_>, note: Note) {
        match note {
            Note::Order(order) => self.group(at).next = order,
            Note::Interlock { begins: true } => self.group(at).locked |= at.active(),
            Note::Interlock { begins: false } => self.group(at).locked &= !at.active(),
            // Values, variables and control flow; operands, which the memory model reads.
            Note::Partial(_)
            | Note::Undef
            | Note::Index { .. }
            | Note::UniformIndex
            | Note::MaximallyReconverges
            | Note::Operands(_)
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
    pub fn fence(&mut self, releases: &mut Releases, at: &View<'_>) {
        let order = self.group(at).next;
        if order.execution.is_some_and(|scope| scope >= SUBGROUP) {
            self.group(at).turn += 1;
        }
        if order.scope == INVOCATION {
            return;
        }
        if order.scope != SUBGROUP {
            self.fenced |= order.semantics;
            self.meet(order.semantics);
        }
        for lane in lanes(at.active()) {
            // A fence orders nothing for an invocation that uses no atomics.
            let thread = self.thread(releases, at, lane);
            thread.fenced |= order.semantics & RELEASE != 0;
            if order.semantics & ACQUIRE != 0 {
                thread.acquired = thread.acquired.max(thread.seen);
                let acquired = thread.acquired;
                self.acquired = self.acquired.max(acquired);
            }
        }
    }

    /// Adds the semantics of a fence before or after the last control barrier to that barrier. Accesses of the phase that
    /// the barrier began stay unordered.
    fn meet(&mut self, semantics: u32) {
        for sort in Sort::ALL {
            if semantics & sort.bits() != 0 {
                self.intervals[sort as usize] = self.barriers;
            }
        }
    }

    /// Called when a lane group waits at a workgroup barrier.
    pub fn barrier(&mut self, at: &View<'_>) {
        let order = self.group(at).next;
        if !matches!(order.scope, SUBGROUP | INVOCATION) {
            self.waiting |= order.semantics;
        }
    }

    /// Called when all lane groups have reached the barrier.
    pub fn released(&mut self) {
        self.barriers += 1;
        self.meet(self.waiting | self.fenced);
        (self.waiting, self.fenced) = (0, 0);
    }

    /// Applies the release of an atomic before a lane executes it.
    pub fn before_atomic(&mut self, releases: &mut Releases, at: &View<'_>, lane: usize, op: AtomicOp) {
        let semantics = self.group(at).next.semantics;
        let fenced = self.thread(releases, at, lane).fenced;
        if op != AtomicOp::Load && (semantics & RELEASE != 0 || fenced) {
            let now = releases.tick();
            self.thread(releases, at, lane).releases.push(now);
            let (unit, ..) = self.invocation(at, lane);
            releases.of_units.entry(unit).or_default().push(now);
        }
    }

    /// Applies the acquire of an atomic after a lane has executed it.
    pub fn after_atomic(&mut self, releases: &mut Releases, at: &View<'_>, lane: usize, op: AtomicOp) {
        let semantics = self.group(at).next.semantics;
        if op != AtomicOp::Store {
            let now = releases.count;
            let thread = self.thread(releases, at, lane);
            thread.seen = now;
            if semantics & ACQUIRE != 0 {
                thread.acquired = now;
                self.acquired = self.acquired.max(now);
            }
        }
    }

    /// Describes the current access of a lane.
    pub fn access(&mut self, releases: &Releases, at: &View<'_>, lane: usize, sort: Sort) -> Access {
        let (unit, number, local) = self.invocation(at, lane);
        let interval = self.intervals[sort as usize];
        let phase = self.barriers;
        let group = self.group(at);
        Access {
            thread: Thread { step: releases.step, unit, group: number, local },
            phase,
            interval,
            turn: group.turn,
            time: releases.count,
            locked: group.locked >> lane & 1 == 1,
            ..Access::default()
        }
    }

    /// True if an earlier access happens before the current one.
    pub fn is_ordered(&self, releases: &Releases, before: &Access, now: &Access) -> bool {
        let (was, is) = (before.thread, now.thread);
        if was == is || before.locked && now.locked {
            return true;
        }
        if was.step != is.step {
            return false;
        }
        // The first release after the access must have been acquired.
        let reached = |releases: &[u32], acquired: u32| {
            let first = releases.partition_point(|&r| r <= before.time);
            releases.get(first).is_some_and(|&r| r <= acquired)
        };
        if was.unit != is.unit {
            let acquired = match self.of_rays {
                true => releases.launches.get(&is.unit).map_or(0, |launch| launch.acquired),
                false => self.acquired,
            };
            return releases.of_units.get(&was.unit).is_some_and(|list| reached(list, acquired));
        }
        if before.phase < now.interval || was.group == is.group && before.turn != now.turn {
            return true;
        }
        let acquired = self.threads.get(&is.local).map_or(0, |t| t.acquired);
        acquired > 0 && self.threads.get(&was.local).is_some_and(|t| reached(&t.releases, acquired))
    }
}
