//! Screen size of the primitives of a fragment stage. Primitives that cover many pixels gain from wide lane groups,
//! small ones from packed groups.
//!
//! The size is measured while the stage runs. It affects only speed.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Number of runs after which the sizes are judged again.
const RUNS: u32 = 256;
/// Mean number of pixels per run from which primitives become large.
const LARGE: u32 = 160;
/// Mean number of pixels per run below which primitives become small and no longer count as large.
const SMALL: u32 = 96;

/// Measured size of the primitives that a fragment stage shades.
#[derive(Debug, Default)]
pub struct Footprint {
    /// Number of runs, each the stamps of one primitive in one tile.
    runs: AtomicU32,
    pixels: AtomicU32,
    large: AtomicBool,
    small: AtomicBool,
}

impl Footprint {
    /// True if primitives cover many pixels in each tile that they touch.
    pub fn is_large(&self) -> bool {
        self.large.load(Ordering::Relaxed)
    }

    /// True if primitives are known to cover few pixels.
    pub fn is_small(&self) -> bool {
        self.small.load(Ordering::Relaxed)
    }

    /// Counts runs and the pixels of their stamps. The counters are an estimate: updates by several threads may
    /// interleave.
    pub(crate) fn note(&self, runs: u32, pixels: u32) {
        let pixels = self.pixels.fetch_add(pixels, Ordering::Relaxed).wrapping_add(pixels);
        let runs = self.runs.fetch_add(runs, Ordering::Relaxed).wrapping_add(runs);
        if runs >= RUNS {
            let least = if self.is_large() { SMALL } else { LARGE };
            self.large.store(pixels / runs >= least, Ordering::Relaxed);
            self.small.store(pixels / runs < SMALL, Ordering::Relaxed);
            self.runs.store(0, Ordering::Relaxed);
            self.pixels.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_large_changes_with_the_runs() {
        let footprint = Footprint::default();
        let after = |runs: u32, each: u32| {
            footprint.note(runs, runs * each);
            footprint.is_large()
        };
        assert!(!after(RUNS - 1, 512), "too few to tell");
        assert!(after(1, 512) && !footprint.is_small());
        assert!(after(RUNS, SMALL), "not small enough to change");
        assert!(!after(RUNS, SMALL - 1) && footprint.is_small());
        assert!(!after(RUNS, LARGE - 1), "not large enough to change");
        assert!(!footprint.is_small());
        assert!(after(RUNS, LARGE));
    }
}
