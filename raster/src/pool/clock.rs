//! CPU clocks of threads, which other threads can read.

#![expect(unsafe_code, reason = "the system's clocks of threads")]

use std::time::{Duration, Instant};

/// The CPU clock of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock(pub libc::clockid_t);

impl Clock {
    /// The clock of whichever thread reads it.
    const CURRENT: Clock = Clock(libc::CLOCK_THREAD_CPUTIME_ID);

    /// The calling thread's clock; the process's should the system not give it.
    pub fn of_this_thread() -> Clock {
        let mut id = libc::CLOCK_PROCESS_CPUTIME_ID;
        // SAFETY: the calling thread is alive, and `id` may be written.
        let got = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut id) };
        Clock(if got == 0 { id } else { libc::CLOCK_PROCESS_CPUTIME_ID })
    }

    /// The time that it shows; none when its thread has ended.
    pub fn read(self) -> Option<Duration> {
        let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `t` may be written. The id is a number, which the system checks.
        let got = unsafe { libc::clock_gettime(self.0, &raw mut t) };
        (got == 0).then(|| Duration::new(t.tv_sec as u64, t.tv_nsec as u32))
    }
}

/// How long a thread has been at something.
pub(crate) struct Timed {
    start: Instant,
    cpu: Option<Duration>,
}

impl Timed {
    /// From now on.
    pub fn start() -> Timed {
        Timed { start: Instant::now(), cpu: Clock::CURRENT.read() }
    }

    /// Time by the clock on the wall.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The same, and CPU time of the calling thread, which has been the same.
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
