//! Time per workgroup of a shader, measured by its dispatches.
//!
//! The first dispatch of a shader begins on one thread, to find out whether other threads pay off. Later ones know. The time
//! affects speed alone: it depends on push constants, on caches and on other processes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Measured time per workgroup of a shader.
#[derive(Debug, Default)]
pub struct Pace {
    /// A moving average in nanoseconds, at least 1; 0 before the first dispatch.
    each: AtomicU64,
}

impl Pace {
    /// Time per workgroup, `None` before the first dispatch.
    pub(crate) fn known(&self) -> Option<Duration> {
        match self.each.load(Ordering::Relaxed) {
            0 => None,
            nanos => Some(Duration::from_nanos(nanos)),
        }
    }

    /// Records the time per workgroup of a dispatch. Dispatches at the same time may lose the records of each other.
    pub(crate) fn learn(&self, each: Duration) {
        let each = each.as_nanos().clamp(1, 1 << 40) as u64;
        let before = self.each.load(Ordering::Relaxed);
        let now = if before == 0 { each } else { (3 * before + each) / 4 };
        self.each.store(now.max(1), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_follows_what_dispatches_take() {
        let nanos = Duration::from_nanos;
        let pace = Pace::default();
        assert_eq!(pace.known(), None);
        pace.learn(nanos(800));
        assert_eq!(pace.known(), Some(nanos(800)));
        pace.learn(nanos(400));
        assert_eq!(pace.known(), Some(nanos(700)));
        (0..40).for_each(|_| pace.learn(Duration::ZERO));
        assert_eq!(pace.known(), Some(nanos(1)), "a known time is not none");
    }
}
