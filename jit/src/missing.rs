//! Missing pages of sparse buffers, which have memory only in some pages: stores of shaders to missing pages are
//! dropped.
//!
//! Loads need no special handling, since the owner of such pages keeps them zero. Code that is compiled for missing
//! pages ([`crate::codegen::CompileOptions::missing`]) checks [`flag`] before it stores. While any page is missing, it
//! stores through functions of `runtime`, which check each scalar, as the interpreter does. Addresses are those of the
//! process, so the list of ranges is per process too.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Size of a page in bytes, and alignment of the ranges.
pub const PAGE: u64 = 1 << 16;

/// Number of ranges with at least one missing page.
static FLAG: AtomicU32 = AtomicU32::new(0);
/// All ranges, by their first address.
static RANGES: RwLock<BTreeMap<u64, Arc<Range>>> = RwLock::new(BTreeMap::new());

struct Range {
    first: u64,
    pages: u64,
    /// One bit per page; set if the page is present.
    there: Box<[AtomicU64]>,
    missing: AtomicU64,
}

impl Range {
    fn has(&self, page: u64) -> bool {
        page >= self.pages || self.there[(page / 64) as usize].load(Ordering::Relaxed) >> (page % 64) & 1 != 0
    }
}

/// A range of addresses whose pages may be missing, registered until it is dropped.
pub struct Pages(Arc<Range>);

impl Pages {
    /// Registers `size` bytes at `first`, which must not overlap other ranges. All pages start as missing.
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

    /// Marks a page as present or missing. Calls must not run concurrently.
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

    /// Returns true if a page is present.
    pub fn has(&self, page: u64) -> bool {
        self.0.has(page)
    }

    /// Returns true if any page is missing.
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

/// Address of a word that is nonzero while any page is missing.
pub fn flag() -> *const u32 {
    FLAG.as_ptr()
}

/// `true` while some page is missing.
pub fn is_any() -> bool {
    FLAG.load(Ordering::Relaxed) != 0
}

/// Returns true if the bytes at an address may be stored to.
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
        // The host maps nothing at this address.
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
