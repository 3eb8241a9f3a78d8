//! Whether the threads of a dispatch hinder each other: those that count in the same few words take the cache
//! lines from each other, and one thread alone is done sooner than two.
//!
//! Learnt from a shader's own jobs: now and then one does a small part alone and the next part with helpers, and
//! compares the CPU time of a workgroup. Nothing but time depends on it.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// Jobs after which a shader is asked again.
const HOLDS: u32 = 8;

/// What is known of a shader whose workgroups meet in atomics.
#[derive(Debug, Default)]
pub struct Rivalry {
    /// Its workgroups hinder each other.
    found: AtomicBool,
    /// Jobs for which that holds.
    left: AtomicU32,
}

impl Rivalry {
    /// Whether the next job's workgroups hinder each other; `None` if it is to find out.
    pub(crate) fn known(&self) -> Option<bool> {
        let one_less = |n: u32| n.checked_sub(1);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less).ok()?;
        Some(self.found.load(Ordering::Relaxed))
    }

    /// What was found last; for jobs that were to find out and had no help.
    pub(crate) fn last(&self) -> bool {
        self.found.load(Ordering::Relaxed)
    }

    /// Takes the CPU time of a workgroup alone and on `threads` threads; true if the threads together do less than
    /// one alone, or hardly more.
    pub(crate) fn learn(&self, threads: usize, alone: Duration, shared: Duration) -> bool {
        let found = shared.as_nanos() * 10 > alone.as_nanos() * threads as u128 * 9;
        self.found.store(found, Ordering::Relaxed);
        self.left.store(HOLDS, Ordering::Relaxed);
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
        (0..HOLDS).for_each(|_| assert_eq!(rivalry.known(), Some(true)));
        assert_eq!(rivalry.known(), None, "it is asked again");
        assert!(!rivalry.learn(2, 100 * NS, 150 * NS));
        assert_eq!(rivalry.known(), Some(false));
        assert!(!rivalry.learn(8, 100 * NS, 340 * NS), "eight do more than twice as much");
        assert!(!rivalry.last());
    }
}
