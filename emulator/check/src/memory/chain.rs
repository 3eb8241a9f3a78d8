//! Determines whether a dependency chain leads from one access to another. Spec: Vulkan, "Execution and Memory
//! Dependencies".
//!
//! A log records everything that orders commands, in execution order. Starting at the first access, the walk tracks
//! which stages of later commands wait for it, on which queue and in which subpass, whether its writes have been made
//! available, and whether they are visible to the second access.

use crate::events::{Access, Dependency, First, Second};
use quadrille_jit::interp::watch::Range;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::scopes::{accesses, accessing, done, waiting};

/// Numbers of the last completed batches, by queue.
pub type Clock = SmallVec<[u64; 4]>;

/// Pseudo stage of layout transitions, for which only a wait on all commands waits.
const LAYOUT: u64 = 1 << 63;

/// Log entry: an operation that orders commands.
pub struct Entry {
    /// Queue of the operation.
    pub queue: usize,
    /// Subpass of the operation.
    pub inside: Option<u32>,
    /// The operation.
    pub what: What,
}

/// Operation that orders commands.
pub enum What {
    /// Dependencies of one command.
    Barrier(Vec<Dependency>),
    /// Start of a render pass instance.
    BeginPass,
    /// End of the render pass instance.
    EndPass,
    /// An event is set after these stages.
    SetEvent(u64, u64),
    /// An event is reset.
    ResetEvent(u64),
    /// A semaphore is signaled after these stages: number of the signal, and the stages.
    Signal(u64, u64),
    /// These stages have waited for a signal: number of the signal, and the stages.
    Wait(u64, u64),
    /// Later commands were submitted when the host knew that these batches had completed.
    Known(Clock),
    /// Later commands are ordered after all earlier ones.
    All,
}

/// Position of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Queue of the access.
    pub queue: usize,
    /// Number of the batch on its queue.
    pub batch: u64,
    /// Log position: the entries before it precede the access.
    pub at: usize,
    /// Number of the render pass instance; 0 outside one.
    pub pass: u64,
    /// Subpass of the access.
    pub inside: Option<u32>,
}

/// Kind of an access in the log.
#[derive(Clone, Copy)]
pub enum By<'a> {
    /// By a command.
    Access(&'a Access),
    /// By a layout transition, between the two halves of these dependencies of the entry at its position.
    Transition(&'a [usize]),
}

/// An access with its position.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Position of the access.
    pub place: Place,
    /// Kind of the access.
    pub by: By<'a>,
}

/// Missing part of the dependency chain between two accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// No chain connects the two queues.
    Queues,
    /// No barrier waits for the first access.
    Barrier,
    /// A barrier waits for the first access, but the second access does not wait for that barrier.
    Second,
    /// The second access waits, but the writes are not made available.
    Available,
    /// The writes are available, but not visible to the second access.
    Visible,
}

impl Side<'_> {
    fn access(&self) -> Option<&Access> {
        match self.by {
            By::Access(access) => Some(access),
            By::Transition(_) => None,
        }
    }
    fn writes(&self) -> bool {
        self.access().is_none_or(|a| a.writes)
    }
}

/// Dependencies on the first access.
#[derive(Clone, Copy, Default)]
struct Flow {
    /// Stages that wait for it.
    reached: u64,
    /// True if the second access waits for it.
    waits: bool,
    /// True if the second access sees its writes.
    visible: bool,
}

impl Flow {
    const ALL: Flow = Flow { reached: !0, waits: true, visible: true };

    fn add(&mut self, other: Flow) {
        self.reached |= other.reached;
        self.waits |= other.waits;
        self.visible |= other.visible;
    }
}

/// Dependencies on the first access, on one queue.
#[derive(Clone, Default)]
struct OnQueue {
    /// Outside render pass instances.
    outside: Flow,
    /// At the start of the current render pass instance.
    begun: Flow,
    /// In the subpasses of the current render pass instance.
    subpasses: SmallVec<[Flow; 2]>,
}

impl OnQueue {
    fn of(&mut self, inside: Option<u32>) -> &mut Flow {
        let Some(number) = inside else { return &mut self.outside };
        let number = number as usize;
        if self.subpasses.len() <= number {
            self.subpasses.resize(number + 1, self.begun);
        }
        &mut self.subpasses[number]
    }
}

/// State of a walk over the log, which goes on when the log has more entries.
#[derive(Default)]
pub struct Walked {
    queues: SmallVec<[OnQueue; 2]>,
    /// Subpass of the first access, while that render pass instance runs.
    own: Option<u32>,
    /// True if its writes have been made available.
    available: bool,
    /// For each set event: `true` if it waits for the first access itself, and the other stages that it waits for.
    events: FxHashMap<u64, (bool, u64)>,
    /// Signals that are ordered after the first access.
    signals: Vec<u64>,
    any: bool,
    /// Log position of the next entry; `None` before the walk begins.
    next: Option<usize>,
}

/// A walk over the log, from the first access to the second.
struct Walk<'a> {
    before: Side<'a>,
    now: Side<'a>,
    bytes: Range,
    to: &'a mut Walked,
}

/// Walks the log from the first access to the second; `bytes` is the memory that both access.
pub fn missing(log: &[Entry], base: usize, before: Side<'_>, now: Side<'_>, bytes: Range) -> Option<Missing> {
    go_on(log, base, before, now, bytes, &mut Walked::default())
}

/// Walks the log to the second access from where an earlier walk has ended: one between the same accesses, of which the
/// second was not later.
pub fn go_on(
    log: &[Entry],
    base: usize,
    before: Side<'_>,
    now: Side<'_>,
    bytes: Range,
    to: &mut Walked,
) -> Option<Missing> {
    let begins = to.next.is_none();
    let from = to.next.unwrap_or(before.place.at);
    let end = now.place.at.saturating_sub(base).min(log.len());
    let mut rest = log.get(from.saturating_sub(base)..end).unwrap_or_default();
    let mut walk = Walk { before, now, bytes, to };
    if begins {
        walk.to.own = before.place.inside;
        if let (By::Transition(of), Some((first, behind))) = (before.by, rest.split_first()) {
            walk.begin_at(first, of);
            rest = behind;
        }
    }
    for (n, entry) in rest.iter().enumerate() {
        // Dependencies outside render passes are never lost.
        if walk.is_ordered_for_good() {
            walk.to.next = Some(base + end - (rest.len() - n));
            return None;
        }
        walk.step(entry);
    }
    walk.to.next = Some(from.max(base + end));
    let own = log.get(now.place.at.saturating_sub(base));
    walk.verdict(own)
}

impl Walk<'_> {
    fn queue(&mut self, queue: usize) -> &mut OnQueue {
        if self.to.queues.len() <= queue {
            self.to.queues.resize(queue + 1, OnQueue::default());
        }
        &mut self.to.queues[queue]
    }

    /// Starts the walk after a layout transition, before the second halves of its dependencies.
    fn begin_at(&mut self, entry: &Entry, of: &[usize]) {
        let What::Barrier(dependencies) = &entry.what else { return };
        self.to.available = true;
        for d in of.iter().filter_map(|&i| dependencies.get(i)) {
            self.follow(entry, d);
        }
    }

    /// Returns whether a dependency waits for the first access, and whether it names the stages of the access itself.
    fn hits(&mut self, entry: &Entry, d: &Dependency) -> (bool, bool) {
        let place = match d.first {
            First::Here => entry.inside,
            First::BeforePass => None,
            First::Subpass(number) => Some(number),
            First::Event(event) => {
                let Some(&(own, reached)) = self.to.events.get(&event) else { return (false, false) };
                let own = own && self.own_stages() & done(d.src_stages) != 0;
                return (own || reached & done(d.src_stages) != 0, own);
            }
        };
        let (same, src) = (self.before.place.queue == entry.queue, done(d.src_stages));
        let own = same && self.to.own == place && self.own_stages() & src != 0;
        let reached = self.queue(entry.queue).of(place).reached;
        (own || reached & src != 0, own)
    }

    fn own_stages(&self) -> u64 {
        self.before.access().map_or(LAYOUT, |a| a.stages)
    }

    fn is_about(&self, d: &Dependency) -> bool {
        let overlap = |of: &Range| {
            of.base < self.bytes.base.saturating_add(self.bytes.size)
                && self.bytes.base < of.base.saturating_add(of.size)
        };
        d.of.as_ref().is_none_or(|of| of.iter().any(overlap))
    }

    /// True if a dependency that waits for the first access makes its writes available.
    fn makes_available(&self, d: &Dependency, own: bool) -> bool {
        let Some(access) = self.before.access() else { return true };
        self.to.available
            || own
                && self.is_about(d)
                && accessing(d.src_stages) & access.stages != 0
                && accesses(d.src_access) & access.access != 0
    }

    /// Applies the second half of a dependency that waits for the first access.
    fn second(&self, d: &Dependency, available: bool) -> Flow {
        let reached = waiting(d.dst_stages);
        let Some(now) = self.now.access() else { return Flow { reached, ..Flow::default() } };
        let sees = accessing(d.dst_stages) & now.stages != 0 && accesses(d.dst_access) & now.access != 0;
        Flow { reached, waits: reached & now.stages != 0, visible: available && sees && self.is_about(d) }
    }

    fn follow(&mut self, entry: &Entry, d: &Dependency) {
        let flow = self.second(d, self.to.available);
        let place = match d.second {
            Second::Here => entry.inside,
            Second::Subpass(number) => Some(number),
            Second::BehindPass => None,
        };
        self.to.any = true;
        self.queue(entry.queue).of(place).add(flow);
    }

    fn barrier(&mut self, entry: &Entry, dependencies: &[Dependency]) {
        // Dependencies of one barrier do not order each other: all first halves precede all second halves.
        let mut hits: SmallVec<[usize; 8]> = SmallVec::new();
        let mut available = self.to.available;
        for (i, d) in dependencies.iter().enumerate() {
            let (hit, own) = self.hits(entry, d);
            if hit {
                hits.push(i);
                available |= self.makes_available(d, own);
            }
        }
        self.to.available = available;
        for i in hits {
            self.follow(entry, &dependencies[i]);
        }
    }

    fn step(&mut self, entry: &Entry) {
        let same = self.before.place.queue == entry.queue;
        match &entry.what {
            What::Barrier(dependencies) => self.barrier(entry, dependencies),
            What::BeginPass => {
                let queue = self.queue(entry.queue);
                queue.begun = queue.outside;
                queue.subpasses.clear();
            }
            What::EndPass => {
                // Commands after the pass do not wait for its dependencies, but later barriers can chain with their
                // stages.
                let queue = self.queue(entry.queue);
                let reached = queue.subpasses.iter().fold(0, |all, s| all | s.reached);
                queue.outside.reached |= reached;
                queue.subpasses.clear();
                self.to.own = if same { None } else { self.to.own };
            }
            &What::SetEvent(event, stages) => {
                let own = same && self.to.own == entry.inside && self.own_stages() & done(stages) != 0;
                let reached = self.queue(entry.queue).of(entry.inside).reached & done(stages);
                self.to.events.insert(event, (own, reached));
            }
            What::ResetEvent(event) => {
                self.to.events.remove(event);
            }
            &What::Signal(number, stages) => {
                let own = same && self.own_stages() & done(stages) != 0;
                let reached = self.queue(entry.queue).outside.reached & done(stages) != 0;
                if own || reached {
                    // The signal's first access scope has all memory accesses of its stages.
                    self.to.available |= reached || self.own_stages() & accessing(stages) != 0;
                    self.to.signals.push(number);
                }
            }
            &What::Wait(number, stages) if self.to.signals.contains(&number) => {
                self.to.any = true;
                let now = self.now.access().map_or(0, |a| a.stages);
                let (reached, sees) = (waiting(stages), accessing(stages) & now != 0);
                let flow = Flow { reached, waits: reached & now != 0, visible: self.to.available && sees };
                self.queue(entry.queue).outside.add(flow);
            }
            What::Wait(..) => {}
            What::Known(clock) => {
                let place = self.before.place;
                if clock.get(place.queue).is_some_and(|&known| place.batch <= known) {
                    self.to.available = true;
                    self.queue(entry.queue).outside.add(Flow::ALL);
                }
            }
            What::All => {
                self.to.available = true;
                self.queue(entry.queue).outside.add(Flow::ALL);
            }
        }
    }

    fn is_ordered_for_good(&self) -> bool {
        let place = self.now.place;
        let flow = self.to.queues.get(place.queue).map_or(Flow::default(), |q| q.outside);
        let before_pass = self.to.own.is_none() || self.before.place.queue != place.queue;
        let sees = flow.visible || !self.before.writes();
        before_pass && place.inside.is_none() && flow.waits && sees && self.now.access().is_some()
    }

    /// Returns the missing part at the second access; `own` is the log entry there.
    fn verdict(&mut self, own: Option<&Entry>) -> Option<Missing> {
        if let By::Transition(of) = self.now.by {
            return self.before_transition(own?, of);
        }
        let place = self.now.place;
        let flow = *self.queue(place.queue).of(place.inside);
        let writes = self.before.writes();
        match () {
            () if flow.waits && (flow.visible || !writes) => None,
            () if flow.waits && self.to.available => Some(Missing::Visible),
            () if flow.waits => Some(Missing::Available),
            () if self.to.any => Some(Missing::Second),
            () => Some(self.nothing()),
        }
    }

    fn nothing(&self) -> Missing {
        let two = self.before.place.queue != self.now.place.queue;
        if two { Missing::Queues } else { Missing::Barrier }
    }

    /// Checks a layout transition, which follows the first halves of its dependencies and their availability
    /// operations.
    fn before_transition(&mut self, entry: &Entry, of: &[usize]) -> Option<Missing> {
        let What::Barrier(dependencies) = &entry.what else { return None };
        let (mut hit, mut available) = (false, !self.before.writes());
        for d in of.iter().filter_map(|&i| dependencies.get(i)) {
            let (hits, own) = self.hits(entry, d);
            hit |= hits;
            available |= hits && self.makes_available(d, own);
        }
        match (hit, available) {
            (true, true) => None,
            (true, false) => Some(Missing::Available),
            (false, _) if self.to.any => Some(Missing::Second),
            (false, _) => Some(self.nothing()),
        }
    }
}
