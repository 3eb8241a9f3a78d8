//! Budgets, and the watchdog that ends work beyond them.
//!
//! Generated code only polls a flag, so another thread must set it: one watchdog serves all pools of the process. It
//! wakes up a hundred times a second while there is work under a budget. It then reads the CPU clocks of the threads
//! that do the work: the thread that started the job, and the helpers that have joined. Starting and ending a watched
//! job takes a few atomic operations. The error for stopped work is left to [`crate::compute`].

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use quadrille_jit::env;
use quadrille_jit::error::{Error, Result};
use quadrille_jit::process::PerProcess;
use quadrille_jit::reserve;

use super::clock::Clock;
use super::padded::Padded;
use super::watched::{CLAIMED, Slot};

/// Limit on the CPU time of a dispatch, a draw, or draws that run together.
///
/// The time counted is that of the job's busiest thread, summed over slices of about 10 ms. It never exceeds the
/// wall-clock time, however many threads help. Time in which the system runs another process, or another device of this
/// process, does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The limit, if there is one.
    pub limit: Option<Duration>,
    /// Setting that changes the limit, which errors name.
    pub set_by: &'static str,
}

impl Default for Budget {
    fn default() -> Self {
        Budget::NONE
    }
}

impl Budget {
    /// No limit.
    pub const NONE: Budget = Budget { limit: None, set_by: env::BUDGET.name };

    /// A limit; zero means no limit.
    pub fn of(limit: Duration) -> Self {
        Budget { limit: (!limit.is_zero()).then_some(limit), ..Budget::NONE }
    }

    /// A limit in seconds; zero means no limit.
    pub fn seconds(s: u64) -> Self {
        Budget::of(Duration::from_secs(s))
    }
}

/// Interval between two checks of the watchdog.
const TICK: Duration = Duration::from_millis(10);
/// Number of checks without any work before the watchdog sleeps until called.
const IDLE_TICKS: u32 = 50;

/// A list that only grows, in pieces that never move.
struct Pieces<T> {
    piece: [Padded<T>; 64],
    next: OnceLock<Box<Pieces<T>>>,
}

impl<T: Default> Default for Pieces<T> {
    fn default() -> Self {
        Pieces { piece: std::array::from_fn(|_| Padded::default()), next: OnceLock::new() }
    }
}

impl<T: Default> Pieces<T> {
    /// All elements of the allocated pieces.
    fn iter(&self) -> impl Iterator<Item = &T> {
        let pieces = std::iter::successors(Some(self), |p| p.next.get().map(|p| &**p));
        pieces.flat_map(|p| p.piece.iter().map(|t| &**t))
    }

    /// The first element for which `f` holds, given its number and value. The list grows until there is one.
    fn find(&self, f: impl Fn(usize, &T) -> bool) -> &T {
        let (mut piece, mut first) = (self, 0);
        loop {
            if let Some((_, t)) = piece.piece.iter().enumerate().find(|(i, t)| f(first + i, t)) {
                return t;
            }
            piece = piece.next.get_or_init(Box::default);
            first += piece.piece.len();
        }
    }
}

/// A helper thread, as the watchdog sees it.
#[derive(Default)]
pub(super) struct Worker {
    taken: AtomicBool,
    clock: AtomicI32,
    /// Number of the watched job that the helper works for, 0 for none.
    job: AtomicU64,
}

impl Worker {
    /// Registers the calling thread with the watchdog until the value is dropped.
    pub fn register() -> Registered {
        let free =
            |t: &AtomicBool| t.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        let worker = DOG.get().workers.find(|_, w| free(&w.taken));
        worker.clock.store(Clock::of_this_thread().0, Ordering::Relaxed);
        Registered(worker)
    }
}

/// A helper thread registered with the watchdog.
pub(super) struct Registered(&'static Worker);

impl Registered {
    /// Marks the calling thread as working for a watched job until the value is dropped.
    pub fn works_for(&self, job: u64) -> AtWork<'_> {
        self.0.job.store(job, Ordering::Release);
        AtWork(self.0)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.0.taken.store(false, Ordering::Release);
    }
}

/// Marks a helper as working for a watched job until dropped.
pub(super) struct AtWork<'w>(&'w Worker);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.job.store(0, Ordering::Release);
    }
}

/// Jobs and helpers that the watchdog of a process watches.
#[derive(Default)]
struct Dog {
    slots: Pieces<Slot>,
    workers: Pieces<Worker>,
    asleep: AtomicBool,
    thread: OnceLock<Thread>,
    starting: Mutex<()>,
}

static DOG: PerProcess<Dog> = PerProcess::new();

/// State that a thread keeps between watched jobs.
#[derive(Clone, Copy)]
struct Here {
    dog: &'static Dog,
    clock: Clock,
    /// Number and reference of the last job's slot.
    slot: (usize, &'static Slot),
}

thread_local! {
    static HERE: Cell<Option<Here>> = const { Cell::new(None) };
}

/// Work under a budget, until dropped. The CPU time of the thread that began it counts.
pub struct Watched {
    slot: Option<&'static Slot>,
}

static NEVER: AtomicU32 = AtomicU32::new(0);

impl Watched {
    /// Work without a budget.
    pub const NONE: Watched = Watched { slot: None };

    /// Starts counting against `budget`. Fails with `OutOfMemory` if the watchdog does not run and cannot be started.
    pub fn begin(budget: Budget) -> Result<Watched> {
        let Some(limit) = budget.limit else { return Ok(Watched::NONE) };
        let dog = DOG.get();
        if dog.thread.get().is_none() {
            dog.start()?;
        }
        let here = HERE.get().filter(|h| std::ptr::eq(h.dog, dog));
        let here = match here.filter(|h| h.slot.1.take(h.slot.0, limit, h.clock.0)) {
            Some(here) => here,
            None => {
                let clock = here.map_or_else(Clock::of_this_thread, |h| h.clock);
                let number = Cell::new(0);
                let slot = dog.slots.find(|n, s| {
                    number.set(n);
                    s.take(n, limit, clock.0)
                });
                Here { dog, clock, slot: (number.get(), slot) }
            }
        };
        HERE.set(Some(here));
        // Either this thread sees that the watchdog is about to sleep, or the watchdog sees the job, and the piece of the list
        // that its slot is in.
        fence(Ordering::SeqCst);
        if dog.asleep.load(Ordering::SeqCst)
            && let Some(thread) = dog.thread.get()
        {
            thread.unpark();
        }
        Ok(Watched { slot: Some(here.slot.1) })
    }

    /// Flag that becomes nonzero when the budget has run out, for `Ctx::stop`.
    pub fn flag(&self) -> &'static AtomicU32 {
        self.slot.map_or(&NEVER, |s| &s.stop)
    }

    /// True when the budget has run out.
    pub fn stopped(&self) -> bool {
        self.flag().load(Ordering::Relaxed) != 0
    }

    /// Number of the job, 0 without a budget.
    pub(super) fn job(&self) -> u64 {
        self.slot.map_or(0, Slot::number)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(slot) = self.slot {
            slot.give_back();
        }
    }
}

/// Starts the watchdog unless it runs, so that no later job fails because it cannot be started.
pub fn start_watchdog() -> Result<()> {
    DOG.get().start()
}

impl Dog {
    #[cold]
    fn start(&'static self) -> Result<()> {
        let _one_at_a_time = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if self.thread.get().is_some() {
            return Ok(());
        }
        let watch = || self.run();
        let handle = reserve::thread("quadrille-watch", reserve::STACK_BYTES, watch).map_err(|e| {
            Error::OutOfMemory(format!(
                "no thread for the watchdog, without which an endless shader would not end: {e}; \
                 a device without a budget needs none"
            ))
        })?;
        let _ = self.thread.set(handle.thread().clone());
        Ok(())
    }

    /// Main function of the watchdog thread.
    fn run(&self) -> ! {
        let mut looks = Looks::default();
        let mut idle = 0;
        loop {
            thread::park_timeout(TICK);
            idle = if looks.look(self) { 0 } else { idle + 1 };
            if idle >= IDLE_TICKS {
                idle = 0;
                self.asleep.store(true, Ordering::SeqCst);
                fence(Ordering::SeqCst);
                if self.slots.iter().all(|s| s.job.load(Ordering::SeqCst) == 0) {
                    thread::park();
                }
                self.asleep.store(false, Ordering::SeqCst);
            }
        }
    }
}

/// State of the jobs and helpers when the watchdog last checked.
#[derive(Default)]
struct Looks {
    /// Per slot: its job, the CPU time of the job's first thread, and the time used of the budget.
    slots: Vec<(u64, Option<Duration>, Duration)>,
    /// Per helper: its job, and its CPU time.
    workers: Vec<(u64, Option<Duration>)>,
    /// Jobs that helpers have worked for since the last check, each with the time of one helper.
    helped: Vec<(u64, Duration)>,
}

impl Looks {
    /// Counts time, and stops jobs that have used up their budgets. Returns true if there are jobs.
    fn look(&mut self, dog: &Dog) -> bool {
        self.look_at_workers(dog);
        let mut busy = false;
        for (i, slot) in dog.slots.iter().enumerate() {
            if i == self.slots.len() {
                self.slots.push(Default::default());
            }
            let (seen, before, used) = &mut self.slots[i];
            let job = slot.job.load(Ordering::SeqCst);
            busy |= job != 0;
            if job == 0 || job == CLAIMED {
                *seen = 0;
                continue;
            }
            let now = Clock(slot.clock.load(Ordering::Relaxed)).read();
            if *seen != job {
                (*seen, *before, *used) = (job, now, Duration::ZERO);
                continue;
            }
            let own = now.zip(*before).map_or(Duration::ZERO, |(now, before)| now.saturating_sub(before));
            let helped = self.helped.iter().filter(|h| h.0 == job).map(|h| h.1);
            *used += helped.fold(own, Duration::max);
            *before = now;
            if used.as_micros() >= slot.limit_us.load(Ordering::Relaxed).into() {
                slot.stop(job);
            }
        }
        busy
    }

    fn look_at_workers(&mut self, dog: &Dog) {
        self.helped.clear();
        for (i, worker) in dog.workers.iter().enumerate() {
            if i == self.workers.len() {
                self.workers.push(Default::default());
            }
            let (seen, before) = &mut self.workers[i];
            let job = worker.job.load(Ordering::Acquire);
            if job == 0 {
                *seen = 0;
                continue;
            }
            let now = Clock(worker.clock.load(Ordering::Relaxed)).read();
            if *seen == job
                && let (Some(now), Some(before)) = (now, *before)
            {
                self.helped.push((job, now.saturating_sub(before)));
            }
            (*seen, *before) = (job, now);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::pool::Pool;

    fn budget(ms: u64) -> Budget {
        Budget::of(Duration::from_millis(ms))
    }

    /// Runs until the budget has run out.
    fn exhaust(w: &Watched) {
        let start = Instant::now();
        while !w.stopped() {
            assert!(start.elapsed() < Duration::from_secs(60), "the watchdog does not wake up");
            std::hint::spin_loop();
        }
    }

    #[test]
    fn budget_sets_the_flag_and_the_next_job_starts_clean() {
        let w = Watched::begin(budget(30)).unwrap();
        exhaust(&w);
        drop(w);
        assert!(!Watched::begin(Budget::seconds(10)).unwrap().stopped());
        assert!(!Watched::begin(Budget::NONE).unwrap().stopped());
    }

    #[test]
    fn other_threads_do_not_use_up_a_budget() {
        let idle = Watched::begin(budget(50)).unwrap();
        thread::scope(|s| {
            for _ in 0..2 {
                s.spawn(|| exhaust(&Watched::begin(budget(200)).unwrap()));
            }
        });
        assert!(!idle.stopped());
        exhaust(&idle);
    }

    #[test]
    fn helpers_use_up_the_budget_of_their_job() {
        let pool = Pool::new(2);
        let w = Watched::begin(budget(50)).unwrap();
        let (flag, caller) = (w.flag(), thread::current().id());
        let start = Instant::now();
        // The caller sleeps in its parts until the watchdog has stopped the helper's part.
        pool.run_watched(&w, 1000, |_| {
            if thread::current().id() == caller {
                thread::sleep(Duration::from_millis(1));
            } else {
                while flag.load(Ordering::Relaxed) == 0 {
                    assert!(start.elapsed() < Duration::from_secs(60), "the watchdog does not wake up");
                }
            }
        });
        assert!(w.stopped());
    }

    #[test]
    fn many_jobs_at_a_time_have_a_place_each() {
        let all: Vec<Watched> = (0..200).map(|_| Watched::begin(budget(50)).unwrap()).collect();
        exhaust(&all[199]);
        let jobs: std::collections::HashSet<u64> = all.iter().map(Watched::job).collect();
        assert_eq!(jobs.len(), 200);
    }

    #[test]
    fn a_stop_that_comes_late_leaves_the_next_job_alone() {
        let slot = Slot::default();
        assert!(slot.take(3, Duration::from_secs(1), 0));
        let old = slot.job.load(Ordering::Relaxed);
        slot.give_back();
        assert!(slot.take(3, Duration::from_secs(1), 0));
        slot.stop(old);
        assert_eq!(slot.stop.load(Ordering::Relaxed), 0);
        slot.stop(slot.job.load(Ordering::Relaxed));
        assert_eq!(slot.stop.load(Ordering::Relaxed), 1);
    }
}
