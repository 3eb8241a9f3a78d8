//! Threads and time limits.
//!
//! * here: the pool, which splits work;
//! * [`worth`]: whether calling helpers is worth it;
//! * [`crew`]: helper threads, which sleep until called;
//! * [`job`]: how helpers join a job and leave it;
//! * [`watch`]: budgets, and the watchdog that ends endless work;
//! * [`watched`]: how the watchdog stops a job, and never a later one;
//! * [`primitives`]: what [`job`] and [`watched`] use of the standard library;
//! * [`clock`]: CPU clocks of threads;
//! * [`padded`], [`shards`]: values that threads write, or read, without slowing each other down.
//!
//! Work is split into parts handed out in ascending order (or descending: `QUADRILLE_PARTS`). Any thread may run any
//! part, so parts must not depend on the thread. The caller always takes part, and a pool of one thread is the caller
//! alone. On a machine with busy processors a helper may come late or not at all. The caller then does the work, and
//! waits only for helpers that are inside a part. The order of results is left to the callers.

mod clock;
mod crew;
mod job;
pub(crate) mod padded;
mod primitives;
pub(crate) mod shards;
#[cfg(test)]
mod tests;
mod watch;
mod watched;
mod worth;

use std::any::Any;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use once_cell::race::{OnceBool, OnceNonZeroUsize};
use quadrille_jit::events;
use quadrille_jit::printf;

use clock::Clock;
pub(crate) use clock::Timed;
use crew::Crew;
use job::Job;
use worth::Worth;

pub use watch::{Budget, Watched, start_watchdog};

/// Time that a caller works alone before it calls helpers, and amount of work that is worth one helper.
pub(crate) const ALONE: Duration = Duration::from_micros(15);
/// Maximum time that a caller spins for helpers that are inside a part, before it sleeps.
const SPIN: Duration = Duration::from_micros(200);
/// Maximum number of threads per processor in a pool.
const THREADS_PER_PROCESSOR: usize = 8;

/// Threads that share work.
pub struct Pool {
    /// Number of threads requested.
    asked: usize,
    /// `true` if several threads take parts from the last to the first. Tests use it to show that the order does not
    /// matter.
    backwards: bool,
    crew: OnceLock<Crew>,
    worth: Worth,
    /// Memory that the last user left for the next.
    kept: Mutex<Option<Box<dyn Any + Send>>>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads()).finish_non_exhaustive()
    }
}

/// Items that are handed out in ranges.
pub(crate) struct Items {
    pub range: Range<u64>,
    /// Minimum and maximum number of items per range.
    pub sizes: [u64; 2],
    /// Estimated time per item.
    pub each: Duration,
}

impl Items {
    fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Time that the caller would need for all items alone.
    fn alone(&self) -> Duration {
        let nanos = self.each.as_nanos().saturating_mul(self.len().into());
        Duration::from_nanos(nanos.min(1 << 60) as u64)
    }

    /// Number of helpers for which there is enough work; the first range is the caller's.
    fn helpers(&self) -> usize {
        let nanos = self.each.as_nanos() * u128::from(self.len().saturating_sub(self.sizes[0]));
        (nanos / ALONE.as_nanos()).min(1 << 20) as usize
    }
}

impl Pool {
    /// A pool of `threads` threads including the caller's; 0 means one per processor. The number is limited to eight
    /// per processor, with a warning, because more would only slow each other down. No thread starts before there is
    /// work for it.
    pub fn new(threads: usize) -> Self {
        Pool {
            asked: threads,
            backwards: quadrille_jit::env::backwards(),
            crew: OnceLock::new(),
            worth: Worth::default(),
            kept: Mutex::default(),
        }
    }

    /// Number of threads. Small work avoids this call, because querying the number of processors takes longer than the
    /// work.
    pub fn threads(&self) -> usize {
        threads_for(self.asked)
    }

    /// Calls `f` with every number below `parts`, on this and on other threads, and returns when all calls have
    /// returned. The caller starts alone and calls helpers when there is enough to do.
    ///
    /// # Panics
    /// Panics if a call of `f` panics. No further call begins then.
    pub fn run(&self, parts: usize, f: impl Fn(usize) + Sync) {
        self.run_watched(&Watched::NONE, parts, f);
    }

    /// Like [`Pool::run`], and the time of helpers counts towards the budget of `watched`.
    pub fn run_watched(&self, watched: &Watched, parts: usize, f: impl Fn(usize) + Sync) {
        // One thread runs the parts in ascending order.
        if parts <= 1 || self.threads() == 1 {
            (0..parts).for_each(f);
            return;
        }
        let (mut first, mut spent) = (0, Duration::ZERO);
        let timed = Timed::start();
        while first < parts && spent < ALONE {
            f(if self.backwards { parts - 1 - first } else { first });
            first += 1;
            spent = timed.elapsed();
        }
        if first == parts {
            return;
        }
        // CPU time is used for the estimate, since the thread may have been preempted during a part.
        let spent = timed.end().1.clamp(Duration::from_nanos(first as u64), spent);
        let left = if self.backwards { 0..parts - first } else { first..parts };
        let range = left.start as u64..left.end as u64;
        let items = Items { range, sizes: [1, 1], each: spent / first as u32 };
        self.share(watched, items, |range| range.for_each(|part| f(part as usize)));
    }

    /// Calls `f` with every number below `parts`, each of which takes about `each`. This thread runs the first part,
    /// and helpers are called at once if that is worth it.
    ///
    /// # Panics
    /// Panics if a call of `f` panics. No further call begins then.
    pub fn run_long(&self, parts: usize, each: Duration, f: impl Fn(usize) + Sync) {
        let items = Items { range: 0..parts as u64, sizes: [1, 1], each };
        self.share(&Watched::NONE, items, |range| range.for_each(|part| f(part as usize)));
    }

    /// True if helpers have been called before, so that their threads may exist.
    pub fn has_helpers(&self) -> bool {
        self.crew.get().is_some()
    }

    /// CPU time that this thread and all helpers have spent so far, in jobs and between them.
    pub fn cpu_time(&self) -> Duration {
        let mut clocks: Vec<Clock> = self.crew.get().into_iter().flat_map(Crew::clocks).collect();
        clocks.push(Clock::of_this_thread());
        // Where threads have no clocks, all are that of the process.
        clocks.sort_unstable_by_key(|clock| clock.0);
        clocks.dedup();
        clocks.into_iter().filter_map(Clock::read).sum()
    }

    /// Calls `f` with ranges that make up all items, on as many helpers as the work is worth.
    pub(crate) fn share(&self, watched: &Watched, items: Items, f: impl Fn(Range<u64>) + Sync) {
        self.share_while(watched, items, |range| {
            f(range);
            true
        });
    }

    /// Like [`Pool::share`]; once `f` returns false, no thread takes another range.
    pub(crate) fn share_while(&self, watched: &Watched, items: Items, f: impl Fn(Range<u64>) -> bool + Sync) {
        let mut helpers = items.helpers();
        if helpers > 0 {
            helpers = helpers.min(self.threads() - 1);
        }
        if helpers == 0 {
            f(items.range);
            return;
        }
        if !self.worth.calls(items.alone()) {
            let timed = self.worth.measures().then(Timed::start);
            let (alone, begun) = (items.alone(), Instant::now());
            f(items.range);
            self.worth.ran_alone(alone, begun.elapsed());
            if let Some((wall, cpu)) = timed.map(|t| t.end()) {
                self.worth.learn_alone(wall, cpu);
            }
            return;
        }
        self.share_with(helpers, watched, items, f);
    }

    /// Like [`Pool::share_while`], with up to `helpers` helpers.
    fn share_with(
        &self,
        helpers: usize,
        watched: &Watched,
        items: Items,
        f: impl Fn(Range<u64>) -> bool + Sync,
    ) {
        let (alone, n) = (items.alone(), items.len());
        let Items { range, sizes, each } = items;
        let (start, end) = (range.start, range.end);
        let prints = printf::sink_of_work();
        let f = |r: Range<u64>| {
            let r = if self.backwards { start + (end - r.end)..start + (end - r.start) } else { r };
            printf::with_sink(prints.clone(), || f(r))
        };
        let range_time = each.saturating_mul(sizes[1].min(n).min(1 << 16) as u32);
        let crew = self.crew.get_or_init(|| Crew::new(self.threads() - 1));
        let calls = (helpers as u32, alone / (helpers as u32 + 1));
        let job = Job::new(range.clone(), sizes, self.threads(), calls, watched.job(), &f);
        let Some(spent) = crew.share(&job, range_time.min(SPIN)) else {
            f(range);
            return;
        };
        let (items, inside, panic) = job.into_outcome();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        self.worth.learn(alone, worth::helped(each, n, (items, inside), spent.cpu), spent);
    }

    /// Takes the memory that an earlier user left.
    pub(crate) fn take<T: Default + 'static>(&self) -> T {
        let kept = self.kept.lock().map(|mut k| k.take()).unwrap_or_default();
        kept.and_then(|k| k.downcast().ok()).map_or_else(T::default, |k| *k)
    }

    /// Leaves memory for the next user.
    pub(crate) fn give<T: Send + 'static>(&self, memory: T) {
        if let Ok(mut kept) = self.kept.lock() {
            *kept = Some(Box::new(memory));
        }
    }
}

/// Number of processors available to this process, cached because the system reads files to find it.
fn processors() -> usize {
    static KNOWN: OnceNonZeroUsize = OnceNonZeroUsize::new();
    KNOWN.get_or_init(|| thread::available_parallelism().unwrap_or(std::num::NonZeroUsize::MIN)).get()
}

/// Number of threads of a pool for a requested number; 0 requests one per processor.
pub fn threads_for(asked: usize) -> usize {
    match asked {
        0 => processors(),
        // Any machine may have this many threads.
        1..=THREADS_PER_PROCESSOR => asked,
        _ => {
            let most = processors() * THREADS_PER_PROCESSOR;
            if asked > most {
                static SAID: OnceBool = OnceBool::new();
                if SAID.set(true).is_ok() {
                    let processors = most / THREADS_PER_PROCESSOR;
                    events::warn(format_args!(
                        "{most} threads instead of {asked}: the host has {processors} processors"
                    ));
                }
            }
            asked.min(most)
        }
    }
}
