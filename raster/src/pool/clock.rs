//! CPU clocks of threads, readable from other threads. Their use for budgets is left to [`super::watch`].

#![expect(unsafe_code, reason = "reads the clocks of threads")]

use std::time::{Duration, Instant};

/// The CPU clock of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock(pub libc::clockid_t);

impl Clock {
    /// The CPU clock of the thread that reads it.
    const CURRENT: Clock = Clock(libc::CLOCK_THREAD_CPUTIME_ID);

    /// The calling thread's CPU clock, or the CPU clock of the process if the system provides none for the thread.
    pub fn of_this_thread() -> Clock {
        let mut id = libc::CLOCK_PROCESS_CPUTIME_ID;
        // SAFETY: `pthread_self` returns the calling thread, which is alive during the call, and `id` is a live local
        // variable.
        let got = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut id) };
        Clock(if got == 0 { id } else { libc::CLOCK_PROCESS_CPUTIME_ID })
    }

    /// Time shown by the clock; `None` if its thread has ended.
    pub fn read(self) -> Option<Duration> {
        let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `t` is a live local variable. The clock id is a plain number, which the system validates.
        let got = unsafe { libc::clock_gettime(self.0, &raw mut t) };
        (got == 0).then(|| Duration::new(t.tv_sec as u64, t.tv_nsec as u32))
    }
}

/// Wall-clock and CPU time of an activity of a thread.
pub(crate) struct Timed {
    start: Instant,
    cpu: Option<Duration>,
}

impl Timed {
    /// Starts measuring.
    pub fn start() -> Timed {
        Timed { start: Instant::now(), cpu: Clock::CURRENT.read() }
    }

    /// Wall-clock time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Wall-clock and CPU time since the start. Must be called on the thread that started measuring.
    pub fn end(&self) -> (Duration, Duration) {
        let wall = self.start.elapsed();
        let cpu = Clock::CURRENT.read().zip(self.cpu).map(|(now, before)| now.saturating_sub(before));
        (wall, cpu.unwrap_or(wall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_shows_its_threads_work_alone() {
        let here = Clock::of_this_thread();
        let before = here.read().unwrap();
        let there = std::thread::spawn(|| {
            let clock = Clock::of_this_thread();
            while clock.read().unwrap() < Duration::from_millis(30) {}
            clock
        });
        let there = there.join().unwrap();
        assert_ne!(here, there);
        assert!(here.read().unwrap() - before < Duration::from_millis(30));
        assert_eq!(there.read(), None);
    }
}
