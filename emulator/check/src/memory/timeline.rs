//! The log of operations that order commands, and the progress known to each party: queues and their batches,
//! semaphores, fences, the host.
//!
//! Batches run one at a time, in an order that their semaphores allow. Everything that the host knew to be complete at
//! a submission precedes the submitted batch.

use std::collections::BTreeMap;

use crate::events::{Dependency, Order, Submit};
use quadrille_jit::interp::watch::Range;
use rustc_hash::FxHashMap;

use super::chain::{self, Clock, Entry, Missing, Place, Side, Walked, What};

/// Largest number of log entries.
const MAX_LOG: usize = 1 << 16;
/// Largest number of semaphore values whose signals are kept.
const MAX_VALUES: usize = 256;

/// A submitted batch that has not completed.
struct Batch {
    queue: usize,
    /// Number of the batch on its queue.
    number: u64,
    /// Progress that the host knew at the submission.
    knows: Clock,
    begun: bool,
    /// Number of the current render pass instance, and of its subpass.
    pass: Option<(u64, u32)>,
}

/// Source of a semaphore's value.
#[derive(Clone)]
enum By {
    /// The initial value.
    Nobody,
    /// A queue: number of the signal, and the progress known then.
    Queue(u64, Clock),
    /// The host, with the progress known to it.
    Host(Clock),
    /// An unknown source, for a binary semaphore.
    Other,
}

/// See the module documentation.
#[derive(Default)]
pub struct Timeline {
    log: Vec<Entry>,
    /// Number of entries removed before the first.
    base: usize,
    /// Indices of queues.
    numbers: FxHashMap<u64, usize>,
    /// Progress known to the current batch of each queue.
    queues: Vec<Clock>,
    /// Number of batches submitted to each queue.
    submitted: Vec<u64>,
    host: Clock,
    batches: FxHashMap<u64, Batch>,
    /// Batch that is running.
    current: u64,
    semaphores: FxHashMap<u64, BTreeMap<u64, By>>,
    signals: u64,
    fences: FxHashMap<u64, Clock>,
    passes: u64,
    /// Render pass instance that was suspended last.
    suspended: u64,
}

fn join(to: &mut Clock, from: &Clock) {
    if to.len() < from.len() {
        to.resize(from.len(), 0);
    }
    to.iter_mut().zip(from).for_each(|(to, from)| *to = (*to).max(*from));
}

impl Timeline {
    /// Returns the current position.
    pub fn place(&self) -> Place {
        let at = self.base + self.log.len();
        let Some(batch) = self.batches.get(&self.current) else { return Place { at, ..Place::default() } };
        let (pass, inside) = batch.pass.map_or((0, None), |(pass, subpass)| (pass, Some(subpass)));
        Place { queue: batch.queue, batch: batch.number, at, pass, inside }
    }

    /// Returns the missing part of the chain between two accesses.
    pub fn missing(&self, before: Side<'_>, now: Side<'_>, bytes: Range) -> Option<Missing> {
        chain::missing(&self.log, self.base, before, now, bytes)
    }

    /// Like [`missing`](Self::missing), from where an earlier walk between these accesses has ended.
    pub fn still_missing(
        &self,
        before: Side<'_>,
        now: Side<'_>,
        bytes: Range,
        walked: &mut Walked,
    ) -> Option<Missing> {
        chain::go_on(&self.log, self.base, before, now, bytes, walked)
    }

    /// True if the position precedes everything that is still to run.
    pub fn is_past(&self, place: &Place) -> bool {
        let knows = |clock: &Clock| clock.get(place.queue).is_some_and(|&known| place.batch <= known);
        knows(&self.host) && self.batches.values().all(|b| knows(&b.knows))
    }

    /// Removes entries before a position that no later query needs.
    pub fn forget_before(&mut self, at: usize) {
        let n = at.saturating_sub(self.base).min(self.log.len());
        self.log.drain(..n);
        self.base += n;
    }

    /// True if the log is too long.
    pub fn is_full(&self) -> bool {
        self.log.len() > MAX_LOG
    }

    fn push(&mut self, what: What) {
        let Place { queue, inside, .. } = self.place();
        self.log.push(Entry { queue, inside, what });
    }

    /// Records the dependencies of a command and returns their position.
    pub fn barrier(&mut self, dependencies: &[Dependency]) -> Place {
        let place = self.place();
        self.push(What::Barrier(dependencies.to_vec()));
        place
    }

    /// Records another operation that orders commands. Returns true if a new batch begins.
    pub fn order(&mut self, order: &Order<'_>) -> bool {
        match *order {
            Order::Barrier { dependencies, .. } => {
                self.barrier(dependencies);
            }
            Order::BeginPass { resumes } => {
                self.passes += 1;
                let pass = if resumes { self.suspended } else { self.passes };
                self.push(What::BeginPass);
                self.set_pass(Some((pass, 0)));
            }
            Order::Subpass(number) => {
                let pass = self.place().pass;
                self.set_pass(Some((pass, number)));
            }
            Order::EndPass { suspends } => {
                if suspends {
                    self.suspended = self.place().pass;
                }
                self.set_pass(None);
                self.push(What::EndPass);
            }
            Order::SetEvent { event, stages } => self.push(What::SetEvent(event, stages)),
            Order::ResetEvent(event) => self.push(What::ResetEvent(event)),
            Order::Submit(submit) => return self.submit(submit),
        }
        false
    }

    fn set_pass(&mut self, pass: Option<(u64, u32)>) {
        let current = self.current;
        let alone = || Batch { queue: 0, number: 0, knows: Clock::new(), begun: true, pass: None };
        self.batches.entry(current).or_insert_with(alone).pass = pass;
    }

    fn number(&mut self, queue: u64) -> usize {
        let n = self.numbers.len();
        let number = *self.numbers.entry(queue).or_insert(n);
        if self.queues.len() <= number {
            self.queues.resize(number + 1, Clock::new());
            self.submitted.resize(number + 1, 0);
        }
        number
    }

    fn submit(&mut self, submit: Submit) -> bool {
        match submit {
            Submit::Submitted { queue, batch } => {
                let queue = self.number(queue);
                self.submitted[queue] += 1;
                let (number, knows) = (self.submitted[queue], self.host.clone());
                self.batches.insert(batch, Batch { queue, number, knows, begun: false, pass: None });
            }
            Submit::Runs { batch } => return self.run(batch),
            Submit::Waited { semaphore, value, stages } => self.wait(semaphore, value, stages),
            Submit::Signals { semaphore, value, stages } => {
                self.signals += 1;
                let clock = self.clock().cloned().unwrap_or_default();
                self.push(What::Signal(self.signals, stages));
                self.put(semaphore, value, By::Queue(self.signals, clock));
            }
            Submit::Done { fence } => {
                if let (Some(fence), Some(clock)) = (fence, self.clock().cloned()) {
                    self.fences.insert(fence, clock);
                }
                self.batches.remove(&self.current);
            }
            Submit::Made { semaphore, value } => {
                self.semaphores.remove(&semaphore);
                if value.is_some() {
                    self.put(semaphore, value, By::Nobody);
                }
            }
            Submit::Signaled { semaphore, value } => {
                let by = if value.is_some() { By::Host(self.host.clone()) } else { By::Other };
                self.put(semaphore, value, by);
            }
            Submit::SeenFence(fence) => {
                if let Some(clock) = self.fences.get(&fence) {
                    join(&mut self.host, clock);
                }
            }
            Submit::SeenSemaphore { semaphore, value } => {
                let known = self.semaphores.get(&semaphore).and_then(|s| s.range(value..).next());
                if let Some((_, By::Queue(_, clock) | By::Host(clock))) = known {
                    join(&mut self.host, clock);
                }
            }
            Submit::SeenIdle(queue) => {
                let queue = self.number(queue);
                join(&mut self.host, &self.queues[queue]);
            }
        }
        false
    }

    /// Returns the progress known to the current batch, itself included.
    fn clock(&self) -> Option<&Clock> {
        self.queues.get(self.batches.get(&self.current)?.queue)
    }

    fn put(&mut self, semaphore: u64, value: Option<u64>, by: By) {
        let values = self.semaphores.entry(semaphore).or_default();
        values.insert(value.unwrap_or(0), by);
        if values.len() > MAX_VALUES {
            values.pop_first();
        }
    }

    fn run(&mut self, number: u64) -> bool {
        self.current = number;
        let Some(batch) = self.batches.get_mut(&number) else { return false };
        if std::mem::replace(&mut batch.begun, true) {
            return false;
        }
        let (queue, number, knows) = (batch.queue, batch.number, batch.knows.clone());
        let clock = &mut self.queues[queue];
        join(clock, &knows);
        if clock.len() <= queue {
            clock.resize(queue + 1, 0);
        }
        clock[queue] = number;
        self.push(What::Known(knows));
        true
    }

    fn wait(&mut self, semaphore: u64, value: Option<u64>, stages: u64) {
        let by = match (self.semaphores.get_mut(&semaphore), value) {
            (Some(values), Some(value)) => values.range(value..).next().map(|(_, by)| by.clone()),
            (Some(values), None) => values.remove(&0),
            (None, _) => None,
        };
        let clock = match by {
            Some(By::Nobody) => return,
            Some(By::Queue(number, clock)) => {
                self.push(What::Wait(number, stages));
                clock
            }
            Some(By::Host(clock)) => {
                self.push(What::Known(clock.clone()));
                clock
            }
            Some(By::Other) | None => {
                self.push(What::All);
                self.queues.iter().fold(Clock::new(), |mut all, clock| {
                    join(&mut all, clock);
                    all
                })
            }
        };
        if let Some(queue) = self.batches.get(&self.current).map(|b| b.queue) {
            join(&mut self.queues[queue], &clock);
        }
    }
}
