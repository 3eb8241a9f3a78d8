//! Clocks: wall-clock time, and CPU time of threads and of the process.

use std::time::Duration;

use super::host;

/// True if [`thread_cpu`] tells microseconds apart. Otherwise the system counts in ticks of some milliseconds.
pub const FINE: bool = host::FINE_THREAD_CPU;

/// CPU time of the calling thread.
pub fn thread_cpu() -> Duration {
    host::thread_cpu()
}

/// CPU time of all threads of the process.
pub fn process_cpu() -> Duration {
    host::process_cpu()
}

/// Milliseconds since an arbitrary moment, of a clock that costs little and may stand still for some milliseconds.
pub fn coarse_milliseconds() -> u64 {
    host::coarse_milliseconds()
}

/// Nanoseconds of the monotonic clock, the same for all processes.
pub fn monotonic_nanoseconds() -> u64 {
    host::monotonic_nanoseconds()
}

/// The CPU clock of a thread, which other threads can read. The number is the system's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadClock(pub i32);

impl ThreadClock {
    /// The calling thread's CPU clock, or the CPU clock of the process if the system provides none for the thread.
    pub fn of_this_thread() -> ThreadClock {
        ThreadClock(host::this_threads_clock())
    }

    /// Time shown by the clock; `None` if its thread has ended.
    pub fn read(self) -> Option<Duration> {
        host::read_clock(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_shows_its_threads_work_alone() {
        let here = ThreadClock::of_this_thread();
        let before = here.read().unwrap();
        let there = std::thread::spawn(|| {
            let clock = ThreadClock::of_this_thread();
            while clock.read().unwrap() < Duration::from_millis(30) {}
            assert!(thread_cpu() >= Duration::from_millis(30) && process_cpu() >= Duration::from_millis(30));
            clock
        });
        let there = there.join().unwrap();
        assert_ne!(here, there);
        assert!(here.read().unwrap() - before < Duration::from_millis(30));
        assert_eq!(there.read(), None);
    }

    #[test]
    fn the_monotonic_clocks_agree() {
        let (coarse, fine) = (coarse_milliseconds(), monotonic_nanoseconds());
        std::thread::sleep(Duration::from_millis(60));
        let fine = (monotonic_nanoseconds() - fine) / 1_000_000;
        let coarse = coarse_milliseconds() - coarse;
        assert!(fine >= 60 && fine.abs_diff(coarse) <= 40, "{fine} {coarse}");
    }
}
