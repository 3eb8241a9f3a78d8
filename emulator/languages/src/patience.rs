//! Time limits for compilers that cannot be interrupted. Each runs on its own thread, and the caller waits no longer
//! than the budget.
//!
//! glslang is a C++ library whose compile time is quadratic in the number of several constructs (calls, cases,
//! members). It cannot be cancelled, and a thread cannot be terminated from outside. Once the thread has used its
//! budget of CPU time, the caller gets an error and the thread continues detached. At most [`MOST_LEFT`] threads may be
//! detached; until one ends, expensive compilations are refused. `stack` owns the stack size of a compiler, `exit` the
//! end of the process while a thread is detached.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use quadrille_jit::reserve::{self, guard};
use quadrille_jit::sys::clock::ThreadClock;
use quadrille_jit::{Error, Result};

use crate::exit;

/// Largest number of detached threads.
const MOST_LEFT: usize = 2;
/// Shortest time between two checks of a thread.
const LOOK: Duration = Duration::from_millis(10);

/// Number of detached threads that are still compiling.
static LEFT: AtomicUsize = AtomicUsize::new(0);

const RUNS: usize = 0;
const DONE: usize = 1;
const ALONE: usize = 2;

/// State shared by a compiling thread and the thread that waits for it.
struct Shared {
    /// `RUNS` at first, then `DONE` or `ALONE` (detached).
    state: AtomicUsize,
}

impl Shared {
    /// Marks the thread as finished.
    fn end(&self) {
        if self.state.swap(DONE, Ordering::AcqRel) == ALONE {
            LEFT.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// Detaches the thread. Returns false if it has already finished.
    fn leave(&self) -> bool {
        exit::skip_destructors_if(|| LEFT.load(Ordering::Acquire) > 0);
        LEFT.fetch_add(1, Ordering::AcqRel);
        let left = self.state.compare_exchange(RUNS, ALONE, Ordering::AcqRel, Ordering::Acquire).is_ok();
        if !left {
            LEFT.fetch_sub(1, Ordering::AcqRel);
        }
        left
    }
}

/// Runs `f` on a thread with `stack` bytes of stack. Returns `Limit` if `f` takes more than the budget of CPU time, or
/// if too many detached threads are still compiling; a panic becomes `Internal`.
pub(super) fn within<T: Send + 'static>(
    budget: Duration,
    stack: usize,
    f: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let left = LEFT.load(Ordering::Acquire);
    if left >= MOST_LEFT {
        let text = format!(
            "{left} sources before this one took more than their budget and are still being compiled \
             (QUADRILLE_COMPILE_BUDGET)"
        );
        return Err(Error::Limit(text));
    }
    let shared = Arc::new(Shared { state: AtomicUsize::new(RUNS) });
    let (tell, told) = sync_channel(2);
    let of_thread = shared.clone();
    reserve::thread("front end", stack, move || {
        // The send fails if the thread is detached, because the receiver is gone.
        let _ = tell.send(Said::Clock(ThreadClock::of_this_thread()));
        let done = guard("the compiler", || Ok(f()));
        of_thread.end();
        let _ = tell.send(Said::Done(done));
    })?;
    wait(budget, &shared, &told)
}

/// A message of the compiling thread.
enum Said<T> {
    /// Clock of the thread's CPU time.
    Clock(ThreadClock),
    Done(Result<T>),
}

fn wait<T>(budget: Duration, shared: &Shared, told: &Receiver<Said<T>>) -> Result<T> {
    let begin = Instant::now();
    let (mut clock, mut used) = (None, Duration::ZERO);
    loop {
        // CPU time cannot grow faster than real time, so the remaining budget is the shortest useful wait.
        match told.recv_timeout(budget.saturating_sub(used).max(LOOK)) {
            Ok(Said::Clock(of_thread)) => clock = Some(of_thread),
            Ok(Said::Done(done)) => return done,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::Internal("the compiler's thread ended without a result".into()));
            }
            Err(RecvTimeoutError::Timeout) => {
                used = clock.and_then(ThreadClock::read).unwrap_or_else(|| begin.elapsed());
                if used >= budget && shared.leave() {
                    let seconds = budget.as_secs_f64();
                    return Err(Error::Limit(format!(
                        "compiling took more than its budget of {seconds} s of CPU time (QUADRILLE_COMPILE_BUDGET)"
                    )));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// A single test, because the process counts its detached threads globally.
    #[test]
    fn nobody_waits_longer_than_the_budget() {
        const STACK: usize = 1 << 20;
        let long = Duration::from_secs(600);
        assert_eq!(within(long, STACK, || 7).unwrap(), 7);
        let failed = within(long, STACK, || -> u32 { std::panic::resume_unwind(Box::new("no".to_owned())) });
        assert!(matches!(failed, Err(Error::Internal(_))), "{failed:?}");

        let stop = Arc::new(AtomicBool::new(false));
        let spin = |stop: &Arc<AtomicBool>| {
            let stop = stop.clone();
            move || while !stop.load(Ordering::Relaxed) {}
        };
        for _ in 0..MOST_LEFT {
            let error = within(Duration::from_millis(30), STACK, spin(&stop)).unwrap_err();
            assert!(matches!(&error, Error::Limit(text) if text.contains("0.03 s")), "{error}");
        }
        // The number of detached threads is at its limit.
        let error = within(long, STACK, || 7).unwrap_err();
        assert!(matches!(&error, Error::Limit(text) if text.contains("before this one")), "{error}");
        stop.store(true, Ordering::Relaxed);
        let start = Instant::now();
        while LEFT.load(Ordering::Acquire) > 0 && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(LOOK);
        }
        assert_eq!(within(long, STACK, || 7).unwrap(), 7);
        // A sleeping thread uses no CPU time.
        let waits = || std::thread::sleep(Duration::from_millis(300));
        within(Duration::from_millis(100), STACK, waits).unwrap();
    }
}
