//! Memory for lane functions, between guard pages.

use std::cell::RefCell;
use std::collections::HashMap;

use quadrille_jit::abi::PAD_BYTES;
use quadrille_jit::guarded::Guarded;

/// Memory for lane functions, between guard pages, with [`PAD_BYTES`] readable bytes after the contents. Later runs of
/// the thread reuse the ranges, because a mapping costs as much as a run.
pub(super) struct Lines(Option<Guarded>);

thread_local! {
    /// Spare ranges of zeros, by size.
    static SPARE: RefCell<HashMap<usize, Vec<Guarded>>> = RefCell::default();
}

/// Maximum number of spare ranges per thread, and the size from which ranges are not kept.
const MOST_SPARE: usize = 256;
const LARGE: usize = 1 << 20;

impl Lines {
    pub(super) fn new(bytes: usize) -> Lines {
        let spare = SPARE.with_borrow_mut(|s| s.get_mut(&bytes)?.pop());
        let fresh = || Guarded::new(bytes, PAD_BYTES, 64).expect("memory for a run is available");
        Lines(Some(spare.unwrap_or_else(fresh)))
    }
    pub(super) fn of(contents: &[u8]) -> Lines {
        let mut lines = Lines::new(contents.len());
        lines.bytes().copy_from_slice(contents);
        lines
    }
    pub(super) fn bytes(&mut self) -> &mut [u8] {
        let Some(range) = &mut self.0 else { return &mut [] };
        // SAFETY: `self` owns the range, all of whose `size()` bytes are mapped and initialized; a `u8` has no
        // alignment, and the slice borrows `self` mutably.
        unsafe { std::slice::from_raw_parts_mut(range.as_ptr(), range.size()) }
    }
    pub(super) fn words(&mut self) -> Vec<u32> {
        self.bytes().chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
    }
    pub(super) fn pointer(&mut self) -> *mut u8 {
        self.bytes().as_mut_ptr()
    }
    /// True if bytes beside the contents were overwritten since the last call.
    pub(super) fn was_damaged(&mut self) -> bool {
        let damaged = self.0.as_mut().filter(|r| r.is_damaged());
        damaged.map(Guarded::repair).is_some()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.bytes().fill(0);
        let Some(range) = self.0.take().filter(|r| r.size() < LARGE) else { return };
        let size = range.size();
        // At the end of the thread, the spare list may be gone; then the range is dropped, too.
        let _ = SPARE.try_with(|s| {
            let mut s = s.borrow_mut();
            if s.values().map(Vec::len).sum::<usize>() >= MOST_SPARE {
                s.clear();
            }
            s.entry(size).or_default().push(range);
        });
    }
}

/// Returns `words` words that are not zero.
pub(super) fn dirty(words: usize) -> Lines {
    let mut lines = Lines::new(4 * words);
    lines.bytes().fill(0xa5);
    lines
}

pub(super) fn bytes_of(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}
