//! Contention between the threads of a dispatch. Threads that update the same few words with atomics take the cache
//! lines from each other, and one thread alone may finish sooner than two.
//!
//! Contention is measured on the shader's own jobs: occasionally a job runs a small part on one thread and the next
//! part with helper threads, and compares the CPU time per workgroup. A single result may be wrong: caches are cold in the
//! first job, and helper threads may start late. It holds for one job, and for twice as many each time it is confirmed. The
//! result affects only speed.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// Largest number of jobs after which the contention of a shader is measured again.
const HOLDS: u32 = 8;

/// Measured contention of a shader whose workgroups use atomics on shared memory words.
#[derive(Debug, Default)]
pub struct Rivalry {
    /// True if the shader's workgroups slow each other down.
    found: AtomicBool,
    /// Number of jobs for which `found` remains valid.
    left: AtomicU32,
    /// Number of jobs for which the last result was to hold; 0 before the first.
    held: AtomicU32,
}

impl Rivalry {
    /// Returns whether the next job's workgroups slow each other down; `None` if that job must measure it.
    pub(crate) fn known(&self) -> Option<bool> {
        let one_less = |n: u32| n.checked_sub(1);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).ok()?;
        Some(self.found.load(Ordering::Relaxed))
    }

    /// The last result, for jobs that had to measure contention but had no helper threads.
    pub(crate) fn last(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }

    /// Records the CPU time per workgroup on one thread and on `threads` threads. Returns true if the threads together
    /// are slower than one, or hardly faster.
    pub(crate) fn learn(&self, threads: usize, alone: Duration, shared: Duration) -> bool {
        let found = shared.as_nanos() * 10 > alone.as_nanos() * threads as u128 * 9;
        let before = self.found.swap(found, Ordering::Relaxed);
        let held = self.held.load(Ordering::Relaxed);
        let holds = if found == before { (2 * held).clamp(1, HOLDS) } else { 1 };
        self.held.store(holds, Ordering::Relaxed);
        self.left.store(holds, Ordering::Relaxed);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NS: Duration = Duration::from_nanos(1);

    #[test]
    fn one_thread_works_where_two_do_no_more() {
        let rivalry = Rivalry::default();
        assert_eq!(rivalry.known(), None, "before the first job");
        assert!(rivalry.learn(2, 100 * NS, 340 * NS));
        assert_eq!(rivalry.known(), Some(true));
        assert_eq!(rivalry.known(), None, "it is asked again");
        assert!(!rivalry.learn(2, 100 * NS, 150 * NS));
        assert_eq!(rivalry.known(), Some(false));
        assert_eq!(rivalry.known(), None);
        assert!(!rivalry.learn(8, 100 * NS, 340 * NS), "eight do more than twice as much");
        assert!(!rivalry.last());
    }

    #[test]
    fn a_result_holds_longer_each_time_it_is_confirmed() {
        let rivalry = Rivalry::default();
        let asked_after = |shared: u32| {
            rivalry.learn(2, 100 * NS, shared * NS);
            std::iter::from_fn(|| rivalry.known()).inspect(|found| assert_eq!(*found, shared > 180)).count()
        };
        assert_eq!([(); 6].map(|()| asked_after(340)), [1, 2, 4, 8, 8, 8]);
        assert_eq!([150, 150, 340, 340].map(asked_after), [1, 2, 1, 2]);
    }
}
