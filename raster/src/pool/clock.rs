//! Times of activities of threads. The clocks are those of [`quadrille_jit::sys`].

use std::time::{Duration, Instant};

pub(super) use quadrille_jit::sys::clock::ThreadClock as Clock;
use quadrille_jit::sys::clock::{FINE, thread_cpu};

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

    /// Wall-clock and CPU time since the start. Must be called on the thread that started measuring. If the system
    /// counts CPU time in ticks that are longer than a job, the thread is taken to have run all the time; otherwise
    /// most jobs would seem to take no time, and no helper would be called.
    pub fn end(&self) -> (Duration, Duration) {
        let wall = self.start.elapsed();
        (wall, if FINE { thread_cpu().saturating_sub(self.cpu) } else { wall })
    }
}
