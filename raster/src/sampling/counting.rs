//! Counts of the texels that shaders look up and store, while somebody asks for them.
//!
//! While a device counts, its tables lead to a routine that counts and then calls the routine of the combination; the
//! tables are in [`super::table`]. At other times nothing is counted, and calls cost what they always do.
//!
//! Helper invocations do not count. A call of a routine cannot tell them apart, so that the fragment stage runs stamp by
//! stamp while any device counts ([`covered`]), and the counting routine knows which lanes the primitive covers.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use quadrille_jit::abi::{ImageArgs, MAX_LANES};
use quadrille_jit::ir::{AtomicOp, ImageOpKind};

/// Number of guards that make devices of this process count.
static GUARDS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// Lanes of a call that may be counted.
    static COUNTED: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// Texels that shaders have looked up and stored. Each operation of an invocation is one texel, whatever its filter.
#[derive(Debug, Default)]
pub(super) struct Texels([AtomicU64; 2]);

impl Texels {
    /// Counts a call.
    pub fn count(&self, kind: ImageOpKind, args: &ImageArgs) {
        let which = match kind {
            ImageOpKind::Sample
            | ImageOpKind::Gather
            | ImageOpKind::Fetch
            | ImageOpKind::Read
            | ImageOpKind::Atomic(AtomicOp::Load) => 0,
            ImageOpKind::Write | ImageOpKind::Atomic(_) => 1,
            ImageOpKind::QuerySize
            | ImageOpKind::QueryLevels
            | ImageOpKind::QuerySamples
            | ImageOpKind::QueryLod => return,
        };
        let n = (args.mask & COUNTED.get()).count_ones();
        self.0[which].fetch_add(n.into(), Ordering::Relaxed);
    }

    /// The counts so far: lookups, then stores.
    pub fn get(&self) -> [u64; 2] {
        [0, 1].map(|k| self.0[k].load(Ordering::Relaxed))
    }
}

/// Adds or removes a guard.
pub(super) fn guard(begins: bool) {
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
    COUNTED.set(reads.fold(0, |all, first| all | mask << first));
    let done = f();
    COUNTED.set(u32::MAX);
    done
}
