//! Compilers that nothing can interrupt: they run on threads of their own, and nobody waits longer than the budget.
//!
//! glslang is C++ that takes time with the square of what a source has of many things (calls, cases, members), and has
//! no place where it could be told to stop; a thread cannot be ended from outside, and a library has no process to spare.
//! So whoever asked gets an error once the thread has had the budget of CPU time, and the thread goes on alone. Of such
//! threads there are at most [`MOST_LEFT`]: until one ends, what may take long is refused. How much stack a compiler
//! needs is known in `stack`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use quadrille_jit::reserve;

use crate::error::{Error, Result, guard};
use crate::files;

/// Threads that may go on alone.
const MOST_LEFT: usize = 2;
/// The shortest time between two looks at a thread.
const LOOK: Duration = Duration::from_millis(10);

/// Threads that go on alone.
static LEFT: AtomicUsize = AtomicUsize::new(0);

const RUNS: usize = 0;
const DONE: usize = 1;
const ALONE: usize = 2;

/// What a thread that compiles and the one that waits for it share.
struct Shared {
    /// `RUNS`, then `DONE` or `ALONE`.
    state: AtomicUsize,
}

impl Shared {
    /// The thread is at its end.
    fn end(&self) {
        if self.state.swap(DONE, Ordering::AcqRel) == ALONE {
            LEFT.fetch_sub(1, Ordering::AcqRel);
        }
    }

    /// The thread goes on alone; not so if it is at its end.
    fn leave(&self) -> bool {
        LEFT.fetch_add(1, Ordering::AcqRel);
        let left = self.state.compare_exchange(RUNS, ALONE, Ordering::AcqRel, Ordering::Acquire).is_ok();
        if !left {
            LEFT.fetch_sub(1, Ordering::AcqRel);
        }
        left
    }
}

/// Runs `f` on a thread with so much stack. `Limit` when that takes more than the budget of CPU time, or when others that
/// did are still at it; a panic becomes `Internal`.
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
        // Nobody listens to a thread that goes on alone.
        let _ = tell.send(Said::Clock(clock()));
        let done = guard("the compiler", || Ok(f()));
        of_thread.end();
        let _ = tell.send(Said::Done(done));
    })?;
    wait(budget, &shared, &told)
}

/// What the thread says.
enum Said<T> {
    /// Where its CPU time stands.
    Clock(Option<PathBuf>),
    Done(Result<T>),
}

fn wait<T>(budget: Duration, shared: &Shared, told: &Receiver<Said<T>>) -> Result<T> {
    let begin = Instant::now();
    let (mut clock, mut used) = (None, Duration::ZERO);
    loop {
        // It has no more time than passes.
        match told.recv_timeout(budget.saturating_sub(used).max(LOOK)) {
            Ok(Said::Clock(path)) => clock = path,
            Ok(Said::Done(done)) => return done,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Error::Internal("the compiler's thread ended without a word".into()));
            }
            Err(RecvTimeoutError::Timeout) => {
                used = clock.as_deref().and_then(cpu_time).unwrap_or_else(|| begin.elapsed());
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

/// Where the system tells the calling thread's CPU time; `None` where it does not.
fn clock() -> Option<PathBuf> {
    let thread = std::fs::read_link("/proc/thread-self").ok()?;
    Some(Path::new("/proc").join(thread).join("stat"))
}

/// The time of a thread by its line in `stat`: in user mode and in that of the kernel, in hundredths of a second.
/// Spec: proc_pid_stat(5).
fn cpu_time(stat: &Path) -> Option<Duration> {
    let line = files::given_text(stat, 4096).ok()?;
    // The second field is a name in parentheses, which may have anything in it; the third is behind the last of them.
    let fields = line.rsplit_once(") ")?.1;
    let ticks = |n: usize| fields.split(' ').nth(n - 3)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(14)? + ticks(15)?)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// One test, since threads that go on alone are counted for the process.
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
        // As many as may be are at it.
        let error = within(long, STACK, || 7).unwrap_err();
        assert!(matches!(&error, Error::Limit(text) if text.contains("before this one")), "{error}");
        stop.store(true, Ordering::Relaxed);
        let start = Instant::now();
        while LEFT.load(Ordering::Acquire) > 0 && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(LOOK);
        }
        assert_eq!(within(long, STACK, || 7).unwrap(), 7);
        // What only waits has used no CPU time.
        let waits = || std::thread::sleep(Duration::from_millis(300));
        within(Duration::from_millis(100), STACK, waits).unwrap();
    }
}
