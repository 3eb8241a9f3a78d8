//! Times of activities of threads. The clocks are those of [`quadrille_jit::sys`].

use std::time::{Duration, Instant};

pub(super) use quadrille_jit::sys::clock::ThreadClock as Clock;
use quadrille_jit::sys::clock::thread_cpu;

/// Wall-clock and CPU time of an activity of a thread.
pub(crate) struct Timed {
    start: Instant,
    cpu: Duration,
}

impl Timed {
    /// Starts measuring.
    pub fn start() -> Timed {
        Timed { start: Instant::now(), cpu: thread_cpu() }
    }

    /// Wall-clock time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Wall-clock and CPU time since the start. Must be called on the thread that started measuring.
    pub fn end(&self) -> (Duration, Duration) {
        let wall = self.start.elapsed();
        (wall, thread_cpu().saturating_sub(self.cpu))
    }
}
