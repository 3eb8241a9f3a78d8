//! Pages without memory, of buffers that get it in pieces: what shaders store there is dropped.
//!
//! Loads need no help, since whoever has such pages keeps them zero. Code that is compiled for it
//! ([`crate::codegen::CompileOptions::missing`]) looks at [`flag`] before it stores; while some page is missing it stores
//! by the functions of `runtime`, which ask for each scalar, as the interpreter does. Addresses are those of the process,
//! and so is the list of them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Bytes of a page, and what addresses begin at.
pub const PAGE: u64 = 1 << 16;

/// Ranges of which some page is missing.
static FLAG: AtomicU32 = AtomicU32::new(0);
/// All ranges, by their first address.
static RANGES: RwLock<BTreeMap<u64, Arc<Range>>> = RwLock::new(BTreeMap::new());

struct Range {
    first: u64,
    pages: u64,
    /// A bit for each page that is there.
    there: Box<[AtomicU64]>,
    missing: AtomicU64,
}

impl Range {
    fn has(&self, page: u64) -> bool {
        page >= self.pages || self.there[(page / 64) as usize].load(Ordering::Relaxed) >> (page % 64) & 1 != 0
    }
}

/// Addresses of which pages may be missing, until it is dropped.
pub struct Pages(Arc<Range>);

impl Pages {
    /// `size` bytes at `first`, which are nobody else's. All pages are missing.
    pub fn new(first: u64, size: u64) -> Pages {
        let pages = size.div_ceil(PAGE);
        let there = (0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let range = Arc::new(Range { first, pages, there, missing: AtomicU64::new(pages) });
        RANGES.write().unwrap_or_else(PoisonError::into_inner).insert(first, range.clone());
        if pages > 0 {
            FLAG.fetch_add(1, Ordering::Relaxed);
        }
        Pages(range)
    }

    /// A page is there from now on, or not. Calls are one after the other.
    pub fn set(&self, page: u64, there: bool) {
        let range = &self.0;
        if page >= range.pages || range.has(page) == there {
            return;
        }
        range.there[(page / 64) as usize].fetch_xor(1 << (page % 64), Ordering::Relaxed);
        if there {
            if range.missing.fetch_sub(1, Ordering::Relaxed) == 1 {
                FLAG.fetch_sub(1, Ordering::Relaxed);
            }
        } else if range.missing.fetch_add(1, Ordering::Relaxed) == 0 {
            FLAG.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Whether a page is there.
    pub fn has(&self, page: u64) -> bool {
        self.0.has(page)
    }

    /// Whether some page is missing.
    pub fn is_any_missing(&self) -> bool {
        self.0.missing.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        RANGES.write().unwrap_or_else(PoisonError::into_inner).remove(&self.0.first);
        if self.is_any_missing() {
            FLAG.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// A word that is not zero while some page is missing.
pub fn flag() -> *const u32 {
    FLAG.as_ptr()
}

/// `true` while some page is missing.
pub fn is_any() -> bool {
    FLAG.load(Ordering::Relaxed) != 0
}

/// Whether the bytes at an address may be stored to.
pub fn is_there(at: u64, bytes: u32) -> bool {
    if FLAG.load(Ordering::Relaxed) == 0 {
        return true;
    }
    let ranges = RANGES.read().unwrap_or_else(PoisonError::into_inner);
    let Some((_, range)) = ranges.range(..=at).next_back() else { return true };
    let first = at - range.first;
    range.has(first / PAGE) && range.has((first + u64::from(bytes) - 1) / PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_there_with_their_pages() {
        // No mapping of the host is there.
        let at = 1 << 62;
        let pages = Pages::new(at, 3 * PAGE - 100);
        assert!(is_there(at - 4, 4) && !is_there(at, 4) && !is_there(at + 3 * PAGE - 104, 4));
        pages.set(1, true);
        pages.set(1, true);
        assert!(is_there(at + PAGE, 8) && !is_there(at + PAGE - 4, 4) && !is_there(at + 2 * PAGE - 4, 8));
        pages.set(0, true);
        pages.set(2, true);
        assert!(is_there(at + 2 * PAGE - 4, 8) && !pages.is_any_missing());
        pages.set(2, false);
        assert!(!is_there(at + 2 * PAGE - 4, 8) && is_there(at + 3 * PAGE, 4));
        drop(pages);
        assert!(is_there(at, 4));
    }
}
