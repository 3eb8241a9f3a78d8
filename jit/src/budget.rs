//! CPU time that compiling may take, and the limits that keep its steps short.
//!
//! [`within`] sets a budget for what runs inside it on the calling thread. Every step from a module's words
//! to a lane function counts its work with [`work`], which looks at the clock now and then, and ends with a
//! `Limit` once the time is over. Time counts from the first look: small compilations end before it.
//! Cranelift cannot be interrupted: what is given to it is bounded before, by [`MAX_CLIF_INSTS`] and its kin,
//! so that the largest function takes a fraction of the default budget.
//!
//! The limits on sizes do not depend on the host's speed: a module is refused everywhere or nowhere. The
//! budget is for what they do not foresee, and for hosts much slower than those they were measured on.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::error::{Error, Result};

/// Budget where nobody asks for another one.
pub const DEFAULT: Duration = Duration::from_secs(60);

/// Most instructions of Cranelift's IR in a lane function.
pub const MAX_CLIF_INSTS: usize = 2_000_000;
/// Most blocks in a lane function.
pub const MAX_CLIF_BLOCKS: usize = 250_000;
/// Functions of no more than this many instructions are compiled as they are, without a look at the limits
/// below.
pub const SMALL_CLIF_INSTS: usize = 10_000;
/// Above this many instructions a function is compiled as in the first tier, whatever the tier asked for:
/// the registers of huge functions are not worth the time that choosing them well takes. Unless values would
/// take too much of the stack that way.
pub const MAX_OPTIMIZED_CLIF_INSTS: usize = 200_000;
/// Likewise above this many instructions that values are live across, summed over all values.
pub const MAX_LIVE_INSTS: u64 = 40_000_000;
/// Likewise above this many pairs of edges into one block that hand on values, summed over its parameters: merging what
/// they hand on takes time with the square of their number. About a second.
pub const MAX_MERGED_EDGES: u64 = 100_000_000;
/// The same where the single-pass allocator may need more stack than there is: about four seconds.
pub const MAX_DEEP_LIVE_INSTS: u64 = 200_000_000;
/// Most blocks that values are live across, summed over all values. Functions above it are compiled with
/// their variables in memory, and refused if that does not help.
pub const MAX_LIVE_BLOCKS: u64 = 200_000_000;

/// Most bytes of stack of a lane function: threads have two mebibytes.
pub const MAX_STACK_BYTES: u32 = 1 << 20;

/// Work between two looks at the clock; a unit is about a tenth of a microsecond.
const LOOK_EVERY: u32 = 4096;

struct Watch {
    entry: String,
    budget: Duration,
    /// Of the thread's CPU time, from the first look at the clock on: most compilations end before it, and
    /// reading the clock of a thread is a system call.
    end: Option<Duration>,
}

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
    /// Work until the next look.
    static LEFT: Cell<u32> = const { Cell::new(LOOK_EVERY) };
}

/// CPU time of the calling thread.
fn cpu_time() -> Duration {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(t.tv_sec.unsigned_abs(), t.tv_nsec.unsigned_abs() as u32)
}

/// Takes the watch away when what it is for ends, by a panic too.
struct Ends;

impl Drop for Ends {
    fn drop(&mut self) {
        WATCH.set(None);
    }
}

/// Runs `f` under a budget of CPU time on this thread, zero for none. `entry` is what is compiled, for the
/// message. Inside another budget that one stays.
pub fn within<T>(budget: Duration, entry: &str, f: impl FnOnce() -> T) -> T {
    if budget.is_zero() || WATCH.with_borrow(Option::is_some) {
        return f();
    }
    WATCH.set(Some(Watch { entry: entry.to_owned(), budget, end: None }));
    let _ends = Ends;
    f()
}

/// Counts `n` units of work.
///
/// # Errors
/// `Limit` when the budget is used up.
#[inline]
pub fn work(n: usize) -> Result<()> {
    let left = LEFT.get();
    match u32::try_from(n) {
        Ok(n) if n < left => {
            LEFT.set(left - n);
            Ok(())
        }
        _ => look(),
    }
}

#[cold]
fn look() -> Result<()> {
    LEFT.set(LOOK_EVERY);
    WATCH.with_borrow_mut(|watch| {
        let Some(w) = watch else { return Ok(()) };
        let now = cpu_time();
        if now <= *w.end.get_or_insert_with(|| now.saturating_add(w.budget)) {
            return Ok(());
        }
        Err(Error::Limit(format!(
            "compiling '{}' took more than its budget of {} s of CPU time (compile_budget)",
            w.entry,
            w.budget.as_secs_f64()
        )))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works until the budget is over.
    fn spin() -> Error {
        loop {
            if let Err(e) = work(100) {
                return e;
            }
        }
    }

    #[test]
    fn ends_with_a_name() {
        let e = within(Duration::from_millis(2), "main", spin);
        assert!(matches!(&e, Error::Limit(m) if m.contains("'main'") && m.contains("compile_budget")), "{e}");
        // Nothing is left of it.
        assert!((0..100_000).all(|_| work(100).is_ok()));
    }

    #[test]
    fn the_outer_one_stays() {
        let e = within(Duration::from_millis(2), "outer", || within(Duration::from_secs(60), "inner", spin));
        assert!(e.to_string().contains("'outer'"), "{e}");
    }

    #[test]
    fn none_and_panics() {
        assert!(within(Duration::ZERO, "main", || (0..10_000).all(|_| work(1000).is_ok())));
        let r = std::panic::catch_unwind(|| within(Duration::from_millis(1), "main", || panic!("stop")));
        assert!(r.is_err() && (0..100_000).all(|_| work(100).is_ok()));
    }
}
