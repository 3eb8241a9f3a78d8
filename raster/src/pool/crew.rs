//! Helper threads, which sleep until called and then work on any open job.
//!
//! A thread starts when it is first called. A call wakes one helper. Every thread that takes a range of a job with more
//! ranges left calls another helper, so that a few rounds wake many helpers and a helper that the system does not
//! schedule delays no other. Nothing here takes a lock: a thread preempted while holding a lock would block the others.
//! Joining and leaving a job is left to [`super::job`].

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use quadrille_jit::process::Process;
use quadrille_jit::reserve;

use super::clock::{Clock, Timed};
use super::job::{Job, Slot};
use super::padded::Padded;
use super::watch::Worker;
use super::worth::Spent;
use crate::activity::Activity;

/// Maximum number of jobs open to helpers at a time; owners of further jobs work alone.
const JOBS: usize = 8;
/// Time that an idle helper spins for the next job before it sleeps, and the same where jobs have lately followed each other
/// in less than that, as in a queue of dispatches: waking a helper takes as long as many of them.
const LINGER: [Duration; 2] = [Duration::from_micros(10), Duration::from_micros(100)];

/// The helpers of a pool.
pub(super) struct Crew {
    shared: Arc<Shared>,
    process: Process,
}

struct Shared {
    jobs: [Padded<Slot>; JOBS],
    /// Number of open jobs.
    open: Padded<AtomicU32>,
    /// Bit per helper that may be called: the helper sleeps, or has not been started.
    asleep: Box<[AtomicU64]>,
    helpers: Box<[OnceLock<Thread>]>,
    /// CPU clocks of the helpers that have started.
    clocks: Box<[OnceLock<Clock>]>,
    over: AtomicBool,
}

impl Crew {
    /// Returns a crew of `helpers` helpers, none of which has started.
    pub fn new(helpers: usize) -> Self {
        let bits = |word: usize| match helpers - word * 64 {
            n if n >= 64 => u64::MAX,
            n => (1 << n) - 1,
        };
        let shared = Shared {
            jobs: Default::default(),
            open: Padded::default(),
            asleep: (0..helpers.div_ceil(64)).map(|w| AtomicU64::new(bits(w))).collect(),
            helpers: (0..helpers).map(|_| OnceLock::new()).collect(),
            clocks: (0..helpers).map(|_| OnceLock::new()).collect(),
            over: AtomicBool::new(false),
        };
        Crew { shared: Arc::new(shared), process: Process::current() }
    }

    /// CPU clocks of the helpers that have started.
    pub fn clocks(&self) -> impl Iterator<Item = Clock> {
        self.shared.clocks.iter().filter_map(|clock| clock.get().copied())
    }

    /// Runs the job on this thread and on helpers that come in time. Returns the cost to the caller. Returns `None`,
    /// without running anything, if no helper can come: in a child of `fork`, or because all slots for jobs are taken.
    pub fn share(&self, job: &Job<'_>, spin: Duration) -> Option<Spent> {
        let shared = &self.shared;
        if !self.process.is_current() {
            return None;
        }
        let slot = shared.jobs.iter().find(|s| s.claim())?;
        shared.open.fetch_add(1, Ordering::SeqCst);
        let timed = Timed::start();
        let mut spent = Spent::default();
        let own = || {
            job.work(|| shared.close(slot), || shared.call_for(job));
            (spent.own, spent.cpu) = timed.end();
        };
        let waited = slot.share(job, spin, || shared.closed(), own);
        Some(Spent { waited, ..spent })
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        // A helper that sets its bit after this point sees `over`; the other helpers have stored their handles.
        self.shared.asleep.iter().for_each(|word| _ = word.fetch_or(0, Ordering::SeqCst));
        for helper in self.shared.helpers.iter().filter_map(OnceLock::get) {
            helper.unpark();
        }
    }
}

impl Shared {
    fn close(&self, slot: &Slot) {
        if slot.close() {
            self.closed();
        }
    }

    fn closed(&self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }

    /// Calls a helper, unless the job has already called as many as it wants.
    fn call_for(self: &Arc<Self>, job: &Job<'_>) {
        if job.takes_call() {
            self.call();
        }
    }

    /// Wakes or starts a sleeping helper, if there is any.
    fn call(self: &Arc<Self>) {
        for (w, word) in self.asleep.iter().enumerate() {
            let mut bits = word.load(Ordering::SeqCst);
            while bits != 0 {
                let bit = bits & bits.wrapping_neg();
                bits = word.fetch_and(!bit, Ordering::SeqCst);
                if bits & bit != 0 {
                    let number = w * 64 + bit.trailing_zeros() as usize;
                    return match self.helpers[number].get() {
                        Some(helper) => helper.unpark(),
                        None => self.start(number),
                    };
                }
            }
        }
    }

    /// Starts a helper. A helper whose thread cannot be created is never called again.
    #[cold]
    fn start(self: &Arc<Self>, number: usize) {
        let shared = self.clone();
        let help = move || shared.help(number);
        let _ = reserve::thread(&format!("quadrille-{number}"), reserve::STACK_BYTES, help);
    }

    /// Main function of a helper thread.
    fn help(self: &Arc<Self>, number: usize) {
        // The handle is set before the helper's bit, so that a caller that clears the bit finds the handle.
        let _ = self.helpers[number].set(thread::current());
        let _ = self.clocks[number].set(Clock::of_this_thread());
        let worker = Worker::register();
        let mut pace = Pace::default();
        loop {
            let mut done = 0;
            while let Some(entry) = self.jobs.iter().find_map(|s| s.enter()) {
                let job = entry.job();
                let _at_work = worker.works_for(job.watched);
                let begun = Instant::now();
                let items = job.work(|| self.close(entry.slot()), || self.call_for(job));
                entry.count(items, begun.elapsed());
                done += items;
            }
            if self.over.load(Ordering::SeqCst) {
                return;
            }
            // A helper that found no work sleeps at once: the processors are busy, so spinning would not help either.
            let idle = Instant::now();
            if done == 0 || !self.linger(pace.linger()) {
                self.sleep(number);
            }
            pace.note(idle.elapsed());
        }
    }

    /// Spins this long for the next job; returns true if there is one.
    fn linger(&self, most: Duration) -> bool {
        let _activity = Activity::Wait.begin();
        let start = Instant::now();
        while start.elapsed() < most {
            for _ in 0..32 {
                if self.open.load(Ordering::Relaxed) != 0 {
                    return true;
                }
                std::hint::spin_loop();
            }
        }
        false
    }

    /// Sleeps until called. An owner opens its job before it looks for sleepers, and a sleeper sets its bit before it
    /// looks for jobs, so at least one of the two sees the other.
    fn sleep(&self, number: usize) {
        let (word, bit) = (&self.asleep[number / 64], 1 << (number % 64));
        word.fetch_or(bit, Ordering::SeqCst);
        if self.open.load(Ordering::SeqCst) != 0 && word.fetch_and(!bit, Ordering::SeqCst) & bit != 0 {
            return;
        }
        while word.load(Ordering::SeqCst) & bit != 0 && !self.over.load(Ordering::SeqCst) {
            thread::park();
        }
    }
}

/// Moving average of the times between a helper's jobs.
struct Pace(Duration);

impl Default for Pace {
    fn default() -> Self {
        Pace(Self::LONGEST)
    }
}

impl Pace {
    /// Longer times count as this, so that a few short ones outweigh a long one.
    const LONGEST: Duration = Duration::from_micros(800);

    fn note(&mut self, between: Duration) {
        self.0 = (3 * self.0 + between.min(Self::LONGEST)) / 4;
    }

    /// Time to spin for the next job.
    fn linger(&self) -> Duration {
        LINGER[usize::from(self.0 < LINGER[1])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_spin_longer_where_jobs_follow_each_other() {
        let mut pace = Pace::default();
        assert_eq!(pace.linger(), LINGER[0]);
        for _ in 0..16 {
            pace.note(Duration::from_micros(40));
        }
        assert_eq!(pace.linger(), LINGER[1]);
        // One frame without jobs ends that, and a few jobs bring it back.
        pace.note(Duration::from_secs(1));
        assert_eq!(pace.linger(), LINGER[0]);
        for _ in 0..8 {
            pace.note(Duration::from_micros(40));
        }
        assert_eq!(pace.linger(), LINGER[1]);
    }
}
