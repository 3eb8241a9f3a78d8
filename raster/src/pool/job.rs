//! A job that several threads work on, and the protocol by which they join and leave.
//!
//! A [`Job`] lies on the stack of its owner, the thread that called [`Pool::run`](super::Pool::run). Helpers reach it
//! through a [`Slot`], which belongs to the crew and outlives every job. The slot's state is one word, which holds
//! three facts: a claimed bit, an open bit, and the number of helpers inside.
//!
//! 1. The owner claims the slot, stores a pointer to the job, and opens it.
//! 2. A helper enters by adding itself to the word *in the same step* in which it sees that the job is open. Only then
//!    does it follow the pointer.
//! 3. The thread that takes the last range closes the job. From then on no helper enters: a late helper sees a closed
//!    job, reads nothing but the word, and goes back.
//! 4. A helper that finds no more ranges subtracts itself as its last access to the job.
//! 5. The owner, out of ranges too, waits until no helper is inside, frees the slot, and only then returns.
//!
//! So the owner waits for helpers that have begun, never for one that was called and does not run. A panic in a range
//! ends the job early: no thread takes another range, and the owner raises the panic once all helpers are out. Waking
//! helpers is left to [`super::crew`].

#![expect(unsafe_code, reason = "helpers follow a pointer to the owner's stack")]

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::primitives::{AtomicPtr, AtomicU32, AtomicU64, Mutex, Ordering, Thread, current, park, spin_loop};
use crate::activity::Activity;

/// Numbered items of work, handed out in ranges.
pub(super) struct Job<'a> {
    /// First item that no thread has taken.
    next: AtomicU64,
    end: u64,
    /// Minimum and maximum number of items per range.
    sizes: [u64; 2],
    /// A range takes `1 / share` of the remaining items, within `sizes`, so that the last ranges are small.
    share: u64,
    /// Works on a range; returns false if the other ranges are not wanted any more.
    f: &'a (dyn Fn(Range<u64>) -> bool + Sync),
    /// Number of helpers that may still be called, before the job takes longer than expected.
    calls: AtomicU32,
    begun: Instant,
    /// Estimated time of the job with its helpers.
    expected: Duration,
    /// Number of the watched job that this job is part of, 0 if none; see [`super::watch`].
    pub watched: u64,
    /// Number of items that helpers have done, and the nanoseconds that they were inside.
    helped: AtomicU64,
    inside: AtomicU64,
    owner: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl<'a> Job<'a> {
    /// A job for `threads` threads that calls `f` with ranges of `items`, until it returns false; it may take `expected` with
    /// `calls` helpers.
    /// `sizes` are the minimum and maximum number of items per range.
    pub fn new(
        items: Range<u64>,
        sizes: [u64; 2],
        threads: usize,
        (calls, expected): (u32, Duration),
        watched: u64,
        f: &'a (dyn Fn(Range<u64>) -> bool + Sync),
    ) -> Self {
        Job {
            next: AtomicU64::new(items.start),
            end: items.end,
            sizes: [sizes[0].max(1), sizes[1].max(sizes[0]).max(1)],
            share: threads as u64 * 4,
            f,
            calls: AtomicU32::new(calls),
            begun: Instant::now(),
            expected,
            watched,
            helped: AtomicU64::new(0),
            inside: AtomicU64::new(0),
            owner: current(),
            panic: Mutex::new(None),
        }
    }

    /// Takes the next range; the flag is true if more ranges are left.
    fn take(&self) -> Option<(Range<u64>, bool)> {
        let mut at = self.next.load(Ordering::Relaxed);
        while at < self.end {
            let left = self.end - at;
            let n = (left / self.share).clamp(self.sizes[0], self.sizes[1]).min(left);
            match self.next.compare_exchange_weak(at, at + n, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some((at..at + n, n < left)),
                Err(now) => at = now,
            }
        }
        None
    }

    /// Runs ranges until none is left. `close` is called once the last range is taken, `more` before each earlier
    /// range. Returns the number of items done.
    pub fn work(&self, close: impl Fn(), more: impl Fn()) -> u64 {
        let mut done = 0;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            while let Some((range, left)) = self.take() {
                if left {
                    more()
                } else {
                    close()
                }
                done += range.end - range.start;
                if !(self.f)(range) {
                    self.next.store(self.end, Ordering::Relaxed);
                }
            }
        }));
        if let Err(panic) = outcome {
            self.next.store(self.end, Ordering::Relaxed);
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        }
        close();
        done
    }

    /// Returns whether to call another helper: as many as were asked for, and one for each further range if the job takes
    /// longer than expected, because its first items were the short ones.
    pub fn takes_call(&self) -> bool {
        let one_less = |n: u32| n.checked_sub(1);
        self.calls.load(Ordering::Relaxed) != 0
            && self.calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).is_ok()
            || self.begun.elapsed() > self.expected
    }

    /// Number of items that helpers have done with the time that they were inside, and the first panic. The job must be
    /// over.
    pub fn into_outcome(self) -> (u64, Duration, Option<Box<dyn Any + Send>>) {
        let panic = self.panic.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.helped.into_inner(), Duration::from_nanos(self.inside.into_inner()), panic)
    }
}

/// State bit: the slot has an owner.
const CLAIMED: u32 = 1;
/// State bit: helpers may enter.
const OPEN: u32 = 2;
/// State bit: the owner sleeps until the last helper wakes it.
const WAITING: u32 = 4;
/// State count of one helper inside.
const INSIDE: u32 = 8;

/// A place where helpers find a job.
#[derive(Default)]
pub(super) struct Slot {
    state: AtomicU32,
    /// The job, while the slot is claimed.
    job: AtomicPtr<()>,
}

impl Slot {
    /// Claims the slot for a job, if it is free. The caller must call [`Slot::share`] next.
    pub fn claim(&self) -> bool {
        self.state.load(Ordering::Relaxed) == 0
            && self.state.compare_exchange(0, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Opens the job, runs `own`, closes the job (and calls `closed` if it was still open), and waits for the helpers
    /// inside. The wait spins for `spin` before it sleeps. The caller must have claimed the slot, which is free
    /// afterwards. Returns the duration of the wait.
    pub fn share(&self, job: &Job<'_>, spin: Duration, closed: impl Fn(), own: impl FnOnce()) -> Duration {
        /// Ends the job even if `own` panics.
        struct End<'s, F: Fn()>(&'s Slot, Duration, F);
        impl<F: Fn()> End<'_, F> {
            fn now(&self) -> Duration {
                if self.0.close() {
                    (self.2)();
                }
                self.0.wait(self.1)
            }
        }
        impl<F: Fn()> Drop for End<'_, F> {
            fn drop(&mut self) {
                self.now();
                self.0.job.store(ptr::null_mut(), Ordering::Relaxed);
                self.0.state.store(0, Ordering::Release);
            }
        }
        self.job.store(ptr::from_ref(job).cast_mut().cast(), Ordering::Relaxed);
        let end = End(self, spin, closed);
        // Sequentially consistent with the checks that helpers make before they sleep.
        self.state.store(CLAIMED | OPEN, Ordering::SeqCst);
        own();
        end.now()
    }

    /// Prevents helpers from entering; returns true if the job was open.
    pub fn close(&self) -> bool {
        self.state.fetch_and(!OPEN, Ordering::Relaxed) & OPEN != 0
    }

    /// Waits until no helper is inside a closed job. Returns the duration of the wait.
    fn wait(&self, spin: Duration) -> Duration {
        let inside = || self.state.load(Ordering::Acquire) >= INSIDE;
        if !inside() {
            return Duration::ZERO;
        }
        let _activity = Activity::Wait.begin();
        let start = Instant::now();
        while start.elapsed() < spin {
            for _ in 0..32 {
                if !inside() {
                    return start.elapsed();
                }
                spin_loop();
            }
        }
        self.state.fetch_or(WAITING, Ordering::Relaxed);
        while inside() {
            park();
        }
        start.elapsed()
    }

    /// Joins the job if it is open.
    pub fn enter(&self) -> Option<Entry<'_>> {
        let mut state = self.state.load(Ordering::Relaxed);
        while state & OPEN != 0 {
            let to = state + INSIDE;
            match self.state.compare_exchange_weak(state, to, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(Entry { slot: self, inside: PhantomData }),
                Err(now) => state = now,
            }
        }
        None
    }
}

/// A helper inside a job, until dropped.
pub(super) struct Entry<'s> {
    slot: &'s Slot,
    /// Not `Send`: the thread that entered must leave.
    inside: PhantomData<*const ()>,
}

impl Entry<'_> {
    /// The job.
    pub fn job(&self) -> &Job<'_> {
        // SAFETY: this helper entered an open job, so the pointer is that job's: its owner stored the pointer before it
        // opened the slot. The owner keeps the job in place until no helper is inside. The result borrows this entry,
        // which stays inside until it is dropped.
        unsafe { &*self.slot.job.load(Ordering::Relaxed).cast() }
    }

    /// The slot.
    pub fn slot(&self) -> &Slot {
        self.slot
    }

    /// Adds to the number of items that helpers have done, and to their time inside.
    pub fn count(&self, items: u64, inside: Duration) {
        let job = self.job();
        job.helped.fetch_add(items, Ordering::Relaxed);
        job.inside.fetch_add(inside.as_nanos().min(1 << 60) as u64, Ordering::Relaxed);
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let mut state = self.slot.state.load(Ordering::Relaxed);
        loop {
            // The owner's handle is cloned while the job is still alive.
            let last = state & WAITING != 0 && state / INSIDE == 1;
            let owner = last.then(|| self.job().owner.clone());
            let to = state - INSIDE;
            match self.slot.state.compare_exchange_weak(state, to, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => {
                    if let Some(owner) = owner {
                        owner.unpark();
                    }
                    return;
                }
                Err(now) => state = now,
            }
        }
    }
}
