//! Lanes of image operations that count, while any device of the process counts the texels of its shaders.
//!
//! Helper invocations do not count. A call of a routine cannot tell them apart, so that the fragment stage runs stamp by
//! stamp while a device counts, and the lanes that the primitive covers are kept for the thread. The counts themselves are
//! left to [`crate::sampling`].

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};

use quadrille_jit::abi::MAX_LANES;

/// Number of guards that make devices of this process count.
static GUARDS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// Lanes of a call that may be counted.
    static LANES: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// Adds or removes a guard.
pub(crate) fn guard(begins: bool) {
    match begins {
        true => GUARDS.fetch_add(1, Ordering::Relaxed),
        false => GUARDS.fetch_sub(1, Ordering::Relaxed),
    };
}

/// `true` if a device of this process counts.
pub(crate) fn is_on() -> bool {
    GUARDS.load(Ordering::Relaxed) != 0
}

/// Calls `f`, in which only the lanes in `mask` of each `lanes` count.
pub(crate) fn covered<T>(mask: u32, lanes: u32, f: impl FnOnce() -> T) -> T {
    // The lanes of joined reads lie next to each other.
    let reads = (0..MAX_LANES as u32).step_by(lanes.max(1) as usize);
    LANES.set(reads.fold(0, |all, first| all | mask << first));
    let done = f();
    LANES.set(u32::MAX);
    done
}

/// Lanes of a call on this thread that count.
pub(crate) fn lanes() -> u32 {
    LANES.get()
}
