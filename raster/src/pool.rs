//! Threads and time: a pool that starts when first needed, and the watchdog that ends endless work.
//!
//! Work is split in parts handed out in ascending order (or the other: `QUADRILLE_PARTS`); who runs which
//! part is left to chance, so parts must not depend on it. The caller always takes part, and a pool of one thread is the
//! caller alone.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use crate::bin::Chunk;

/// CPU time that one dispatch, or one flush of a render pass, may take. `None` is without limit.
///
/// Time during which the process does not run is not counted, nor is the time of several threads
/// added up: it is what a clock on the wall shows while the process computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget(pub Option<Duration>);

impl Budget {
    /// No limit.
    pub const NONE: Budget = Budget(None);

    /// A limit in seconds; zero is no limit.
    pub fn seconds(s: u64) -> Self {
        Budget((s > 0).then(|| Duration::from_secs(s)))
    }
}

/// Time that a caller works alone before it calls for help.
pub(crate) const ALONE: Duration = Duration::from_micros(15);

/// A number of threads that share work, and a watchdog.
pub struct Pool {
    threads: usize,
    /// Parts are handed out from the last one: for tests, since it must not matter.
    backwards: bool,
    workers: OnceLock<Option<rayon::ThreadPool>>,
    watch: Arc<Watch>,
    watchdog: OnceLock<Option<Thread>>,
    /// Memory of bins that no pass uses now.
    chunks: Mutex<Vec<Mutex<Chunk>>>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Pool {
    /// A pool of `threads` threads including the caller's; 0 takes what the machine offers.
    /// No thread starts before there is work for it.
    pub fn new(threads: usize) -> Self {
        let threads = match threads {
            0 => thread::available_parallelism().map_or(1, |n| n.get()),
            n => n.min(1024),
        };
        Pool {
            threads,
            // One thread keeps the order that was asked for.
            backwards: threads != 1 && quadrille_jit::env::backwards(),
            workers: OnceLock::new(),
            watch: Arc::new(Watch::default()),
            watchdog: OnceLock::new(),
            chunks: Mutex::default(),
        }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `f` with every number below `parts`, on this and on other threads, and returns when
    /// all calls have. The caller begins alone and calls for help when there is enough to do.
    pub fn run(&self, parts: usize, f: impl Fn(usize) + Sync) {
        let f = |part: usize| f(if self.backwards { parts - 1 - part } else { part });
        let mut first = 0;
        if parts == 1 || self.threads == 1 {
            (0..parts).for_each(f);
            return;
        }
        let start = Instant::now();
        while first < parts && (first == 0 || start.elapsed() < ALONE) {
            f(first);
            first += 1;
        }
        let left = parts - first;
        let workers = if left > 1 { self.workers() } else { None };
        let Some(workers) = workers else {
            (first..parts).for_each(f);
            return;
        };
        let next = AtomicUsize::new(first);
        let work = || {
            loop {
                let part = next.fetch_add(1, Ordering::Relaxed);
                if part >= parts {
                    break;
                }
                f(part);
            }
        };
        workers.in_place_scope(|s| {
            for _ in 1..self.threads.min(left) {
                s.spawn(|_| work());
            }
            work();
        });
    }

    fn workers(&self) -> Option<&rayon::ThreadPool> {
        self.workers
            .get_or_init(|| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(self.threads - 1)
                    .thread_name(|i| format!("quadrille-{i}"))
                    .build()
                    .ok()
            })
            .as_ref()
    }

    /// Memory of bins, left by earlier passes.
    pub(crate) fn take_chunks(&self) -> Vec<Mutex<Chunk>> {
        self.chunks.lock().map(|mut c| std::mem::take(&mut *c)).unwrap_or_default()
    }

    /// Gives it back.
    pub(crate) fn give_chunks(&self, mut chunks: Vec<Mutex<Chunk>>) {
        for c in chunks.iter_mut().filter_map(|c| c.get_mut().ok()) {
            c.trim();
        }
        if let Ok(mut c) = self.chunks.lock()
            && c.len() < chunks.len()
        {
            *c = chunks;
        }
    }

    /// Starts the clock of `budget`. The flag of the returned guard is set when it has run out.
    pub fn watch(&self, budget: Budget) -> Watched<'_> {
        let Some(limit) = budget.0 else {
            return Watched { pool: self, slot: None, never: AtomicU32::new(0) };
        };
        let slot = self.watch.acquire(limit);
        let dog = self.watchdog.get_or_init(|| {
            let watch = self.watch.clone();
            let handle = thread::Builder::new().name("quadrille-watch".into()).spawn(move || watch.run());
            handle.ok().map(|h| h.thread().clone())
        });
        if self.watch.asleep.load(Ordering::SeqCst)
            && let Some(dog) = dog
        {
            dog.unpark();
        }
        Watched { pool: self, slot: Some(slot), never: AtomicU32::new(0) }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.watch.over.store(true, Ordering::SeqCst);
        if let Some(Some(dog)) = self.watchdog.get() {
            dog.unpark();
        }
    }
}

/// Work under a budget, until dropped.
pub struct Watched<'a> {
    pool: &'a Pool,
    slot: Option<usize>,
    never: AtomicU32,
}

impl Watched<'_> {
    /// Nonzero when the budget has run out; what `Ctx::stop` points to.
    pub fn flag(&self) -> &AtomicU32 {
        self.slot.map_or(&self.never, |s| &self.pool.watch.slots[s].stop)
    }

    /// True when the budget has run out.
    pub fn stopped(&self) -> bool {
        self.flag().load(Ordering::Relaxed) != 0
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        if let Some(s) = self.slot {
            self.pool.watch.slots[s].job.store(0, Ordering::SeqCst);
        }
    }
}

/// How often the watchdog looks.
const TICK: Duration = Duration::from_millis(10);
/// Looks without any work before the watchdog sleeps until called.
const IDLE_TICKS: u32 = 50;

#[derive(Default)]
struct Slot {
    /// Number of the job that runs, 0 for none.
    job: AtomicU64,
    limit_us: AtomicU64,
    stop: AtomicU32,
}

/// Jobs under a budget. Starting one costs a few atomic operations; the clock is read by the
/// watchdog alone.
struct Watch {
    slots: [Slot; 64],
    next_job: AtomicU64,
    asleep: AtomicBool,
    over: AtomicBool,
}

impl Default for Watch {
    fn default() -> Self {
        Watch {
            slots: std::array::from_fn(|_| Slot::default()),
            next_job: AtomicU64::new(1),
            asleep: AtomicBool::new(false),
            over: AtomicBool::new(false),
        }
    }
}

/// Marks a slot as taken while its other fields are written.
const CLAIMED: u64 = u64::MAX;

impl Watch {
    fn acquire(&self, limit: Duration) -> usize {
        loop {
            for (i, s) in self.slots.iter().enumerate() {
                if s.job.load(Ordering::Relaxed) == 0
                    && s.job.compare_exchange(0, CLAIMED, Ordering::SeqCst, Ordering::Relaxed).is_ok()
                {
                    s.stop.store(0, Ordering::Relaxed);
                    s.limit_us.store(limit.as_micros() as u64, Ordering::Relaxed);
                    s.job.store(self.next_job.fetch_add(1, Ordering::Relaxed), Ordering::SeqCst);
                    return i;
                }
            }
            thread::yield_now();
        }
    }

    /// The watchdog thread.
    fn run(&self) {
        let mut seen = [(0u64, Duration::ZERO); 64];
        let mut idle = 0;
        let (mut wall, mut cpu) = (Instant::now(), process_time());
        while !self.over.load(Ordering::SeqCst) {
            thread::park_timeout(TICK);
            let (wall_now, cpu_now) = (Instant::now(), process_time());
            let step = (wall_now - wall).min(cpu_now.saturating_sub(cpu));
            (wall, cpu) = (wall_now, cpu_now);
            let mut busy = false;
            for (slot, (job, used)) in self.slots.iter().zip(&mut seen) {
                let now = slot.job.load(Ordering::SeqCst);
                busy |= now != 0;
                if now != *job {
                    (*job, *used) = (now, Duration::ZERO);
                } else if now != 0 && now != CLAIMED {
                    *used += step;
                    // The job may end here and another take the slot: then that one stops early
                    // only if it began within these few instructions, which the check repeats.
                    if used.as_micros() as u64 >= slot.limit_us.load(Ordering::Relaxed)
                        && slot.job.load(Ordering::SeqCst) == now
                    {
                        slot.stop.store(1, Ordering::SeqCst);
                    }
                }
            }
            idle = if busy { 0 } else { idle + 1 };
            if idle >= IDLE_TICKS {
                idle = 0;
                self.asleep.store(true, Ordering::SeqCst);
                let awake = self.over.load(Ordering::SeqCst)
                    || self.slots.iter().any(|s| s.job.load(Ordering::SeqCst) != 0);
                if !awake {
                    thread::park();
                }
                self.asleep.store(false, Ordering::SeqCst);
                (wall, cpu) = (Instant::now(), process_time());
            }
        }
    }
}

/// CPU time of the whole process.
fn process_time() -> Duration {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_runs_once() {
        for threads in [1, 2, 7] {
            let pool = Pool::new(threads);
            let hits: Vec<AtomicU32> = (0..1000).map(|_| AtomicU32::new(0)).collect();
            pool.run(1000, |i| {
                hits[i].fetch_add(1, Ordering::Relaxed);
            });
            assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn budget_sets_the_flag_and_the_next_job_starts_clean() {
        let pool = Pool::new(1);
        let w = pool.watch(Budget(Some(Duration::from_millis(30))));
        let start = Instant::now();
        while !w.stopped() {
            assert!(start.elapsed() < Duration::from_secs(60), "the watchdog sleeps");
            std::hint::spin_loop();
        }
        drop(w);
        assert!(!pool.watch(Budget::seconds(10)).stopped());
        assert!(!pool.watch(Budget::NONE).stopped());
    }
}
