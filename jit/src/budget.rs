//! CPU time budget for compilation, and the limits that keep its steps short.
//!
//! [`within`] sets a budget for a closure on the calling thread. Every step from a module's words to a lane function
//! counts its work with [`work`], which checks the clock now and then, and returns `Limit` once the time is over. Time
//! counts from the first check: small compilations end before it. Cranelift cannot be interrupted, so
//! [`MAX_CLIF_INSTS`] and related constants limit its input: the largest function takes a fraction of the default
//! budget.
//!
//! The size limits do not depend on the host's speed: a module is refused on every host or on none. The budget covers
//! cases that the limits do not foresee, and hosts much slower than those they were measured on.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::sys::clock;

/// Default budget.
pub const DEFAULT: Duration = Duration::from_secs(60);

/// Maximum number of Cranelift IR instructions in a lane function.
pub const MAX_CLIF_INSTS: usize = 2_000_000;
/// Maximum number of blocks in a lane function.
pub const MAX_CLIF_BLOCKS: usize = 250_000;
/// Functions with at most this many instructions are compiled without checking the limits below.
pub const SMALL_CLIF_INSTS: usize = 10_000;
/// Functions with more instructions are compiled as in the first tier, regardless of the requested tier: good register
/// allocation is not worth its time in huge functions. The exception is a function whose values would take too much
/// stack that way.
pub const MAX_OPTIMIZED_CLIF_INSTS: usize = 200_000;
/// Like [`MAX_OPTIMIZED_CLIF_INSTS`], for the number of instructions that values are live across, summed over all
/// values.
pub const MAX_LIVE_INSTS: u64 = 40_000_000;
/// Like [`MAX_OPTIMIZED_CLIF_INSTS`], for the number of pairs of edges into a block that pass values, summed over the
/// block's parameters: merging the values takes time quadratic in their number. The limit takes about a second.
pub const MAX_MERGED_EDGES: u64 = 100_000_000;
/// Like [`MAX_LIVE_INSTS`], if the single-pass allocator may exceed the stack limit. The limit takes about four
/// seconds.
pub const MAX_DEEP_LIVE_INSTS: u64 = 200_000_000;
/// Maximum number of blocks that values are live across, summed over all values. Functions above it are compiled with
/// their variables in memory; if that does not help, with values in memory, too; and refused if that does not help
/// either.
pub const MAX_LIVE_BLOCKS: u64 = 200_000_000;

/// Maximum stack frame of a lane function, in bytes: threads have two mebibytes of stack.
pub const MAX_STACK_BYTES: u32 = 1 << 20;

/// True if vectors of 128 bits, each with a stack slot of its own, do not fit on the stack. The single-pass allocator gives
/// each value a slot; the backtracking allocator shares slots.
pub(crate) fn is_deep(vectors: usize) -> bool {
    vectors > MAX_STACK_BYTES as usize / 16
}

/// Work between two checks of the clock; a unit is about a tenth of a microsecond.
const LOOK_EVERY: u32 = 4096;

struct Watch {
    entry: String,
    budget: Duration,
    /// End of the budget in the thread's CPU time, set at the first check of the clock: most compilations end before
    /// that, and reading a thread's clock is a system call.
    end: Option<Duration>,
}

thread_local! {
    static WATCH: RefCell<Option<Watch>> = const { RefCell::new(None) };
    /// Work until the next check.
    static LEFT: Cell<u32> = const { Cell::new(LOOK_EVERY) };
}

/// Clears the watch when the closure ends, also by a panic.
struct Ends;

impl Drop for Ends {
    fn drop(&mut self) {
        WATCH.set(None);
    }
}

/// Runs `f` under a budget of CPU time on this thread; zero means no budget. `entry` names the compiled entry point in
/// the error message. A nested call keeps the outer budget.
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
        let now = clock::thread_cpu();
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

    /// Does work until the budget is over.
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
        // The watch is cleared.
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
