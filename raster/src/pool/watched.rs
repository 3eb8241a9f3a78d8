//! A job under a budget, and the protocol by which the watchdog stops it and never a later one.
//!
//! A slot's job has a number that differs from those of earlier jobs. The watchdog marks the number, sets the stop flag,
//! and removes the mark; it cannot mark a number that has changed, and a marked number does not change. Counting of
//! time is left to [`super::watch`].

use std::time::Duration;

use super::primitives::{AtomicI32, AtomicU32, AtomicU64, Ordering, yield_now};

/// A job under a budget.
#[derive(Default)]
pub(super) struct Slot {
    /// Number of the running job, 0 for none.
    pub job: AtomicU64,
    /// Number of jobs that the slot has had.
    count: AtomicU64,
    /// Budget, in microseconds.
    pub limit_us: AtomicU64,
    /// CPU clock of the thread that started the job.
    pub clock: AtomicI32,
    /// Nonzero once the budget has run out.
    pub stop: AtomicU32,
}

/// Marks a slot as taken while its other fields are written.
pub(super) const CLAIMED: u64 = u64::MAX;
/// Bit of a job's number: the watchdog is about to stop the job, and no other thread may change the number.
const STOPPING: u64 = 1 << 63;

impl Slot {
    /// Takes the slot, if it is free, for a job of the thread with this CPU clock.
    pub fn take(&self, number: usize, limit: Duration, clock: i32) -> bool {
        let free = self.job.load(Ordering::Relaxed) == 0
            && self.job.compare_exchange(0, CLAIMED, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        if free {
            let count = self.count.load(Ordering::Relaxed) + 1;
            self.count.store(count, Ordering::Relaxed);
            self.stop.store(0, Ordering::Relaxed);
            self.limit_us.store(limit.as_micros().try_into().unwrap_or(u64::MAX), Ordering::Relaxed);
            self.clock.store(clock, Ordering::Relaxed);
            // Slot number and count make the job number unique for long enough.
            let job = (number as u64 & 0x7fff) << 48 | (count & 0xffff_ffff_ffff).max(1);
            self.job.store(job & !STOPPING, Ordering::SeqCst);
        }
        free
    }

    /// Ends the job.
    pub fn give_back(&self) {
        loop {
            let job = self.job.load(Ordering::Relaxed);
            if job & STOPPING == 0
                && self.job.compare_exchange(job, 0, Ordering::SeqCst, Ordering::Relaxed).is_ok()
            {
                return;
            }
            yield_now();
        }
    }

    /// Sets the stop flag of this job, and never that of a later job in the slot.
    pub fn stop(&self, job: u64) {
        if self.job.compare_exchange(job, job | STOPPING, Ordering::SeqCst, Ordering::Relaxed).is_ok() {
            self.stop.store(1, Ordering::SeqCst);
            self.job.store(job, Ordering::SeqCst);
        }
    }

    /// Number of the job, from which the watchdog's mark is removed.
    pub fn number(&self) -> u64 {
        self.job.load(Ordering::Relaxed) & !STOPPING
    }
}
