//! Missing pages of sparse buffers, which have memory only in some pages: stores of shaders to missing pages are
//! dropped.
//!
//! Owns the ranges of one device, [`MissingPages`], which shaders reach through
//! [`Ctx::missing`](crate::abi::Ctx::missing). Loads need no special handling, since the owner of such pages keeps them
//! zero. Code that is compiled for missing pages ([`crate::codegen::CompileOptions::missing`]) reads the number of ranges
//! with a missing page before it stores. While there is one, it stores through functions of `runtime`, which check each
//! scalar, as the interpreter does.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Size of a page in bytes, and alignment of the ranges.
pub const PAGE: u64 = 1 << 16;

/// The ranges of addresses of a device whose pages may be missing.
#[derive(Debug, Default)]
#[repr(C)]
pub struct MissingPages {
    /// Number of ranges with at least one missing page. Generated code reads it: it is the first field.
    ranges_with_missing: AtomicU32,
    /// All ranges, by their first address.
    ranges: RwLock<BTreeMap<u64, Arc<Range>>>,
}

/// No missing pages, for lane functions that are called outside of a device.
pub static NONE: MissingPages =
    MissingPages { ranges_with_missing: AtomicU32::new(0), ranges: RwLock::new(BTreeMap::new()) };

impl MissingPages {
    /// Returns true while any page is missing.
    pub fn is_any(&self) -> bool {
        self.ranges_with_missing.load(Ordering::Relaxed) != 0
    }

    /// Returns true if the bytes at an address may be stored to.
    pub fn is_there(&self, at: u64, bytes: u32) -> bool {
        if !self.is_any() {
            return true;
        }
        let ranges = self.ranges.read().unwrap_or_else(PoisonError::into_inner);
        let Some((_, range)) = ranges.range(..=at).next_back() else { return true };
        let first = at - range.first;
        range.has(first / PAGE) && range.has((first + u64::from(bytes) - 1) / PAGE)
    }
}

#[derive(Debug)]
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
pub struct Pages {
    of: Arc<MissingPages>,
    range: Arc<Range>,
}

impl Pages {
    /// Registers `size` bytes at `first`, which must not overlap other ranges. All pages start as missing.
    pub fn new(of: &Arc<MissingPages>, first: u64, size: u64) -> Pages {
        let pages = size.div_ceil(PAGE);
        let there = (0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let range = Arc::new(Range { first, pages, there, missing: AtomicU64::new(pages) });
        of.ranges.write().unwrap_or_else(PoisonError::into_inner).insert(first, range.clone());
        if pages > 0 {
            of.ranges_with_missing.fetch_add(1, Ordering::Relaxed);
        }
        Pages { of: of.clone(), range }
    }

    /// Marks a page as present or missing. Calls must not run concurrently.
    pub fn set(&self, page: u64, there: bool) {
        let range = &self.range;
        if page >= range.pages || range.has(page) == there {
            return;
        }
        range.there[(page / 64) as usize].fetch_xor(1 << (page % 64), Ordering::Relaxed);
        if there {
            if range.missing.fetch_sub(1, Ordering::Relaxed) == 1 {
                self.of.ranges_with_missing.fetch_sub(1, Ordering::Relaxed);
            }
        } else if range.missing.fetch_add(1, Ordering::Relaxed) == 0 {
            self.of.ranges_with_missing.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Returns true if a page is present.
    pub fn has(&self, page: u64) -> bool {
        self.range.has(page)
    }

    /// Returns true if any page is missing.
    pub fn is_any_missing(&self) -> bool {
        self.range.missing.load(Ordering::Relaxed) > 0
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.of.ranges.write().unwrap_or_else(PoisonError::into_inner).remove(&self.range.first);
        if self.is_any_missing() {
            self.of.ranges_with_missing.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_there_with_their_pages() {
        // The host maps nothing at this address.
        let (at, of) = (1 << 62, Arc::new(MissingPages::default()));
        let pages = Pages::new(&of, at, 3 * PAGE - 100);
        assert!(of.is_there(at - 4, 4) && !of.is_there(at, 4) && !of.is_there(at + 3 * PAGE - 104, 4));
        pages.set(1, true);
        pages.set(1, true);
        assert!(
            of.is_there(at + PAGE, 8) && !of.is_there(at + PAGE - 4, 4) && !of.is_there(at + 2 * PAGE - 4, 8)
        );
        pages.set(0, true);
        pages.set(2, true);
        assert!(of.is_there(at + 2 * PAGE - 4, 8) && !pages.is_any_missing());
        pages.set(2, false);
        assert!(!of.is_there(at + 2 * PAGE - 4, 8) && of.is_there(at + 3 * PAGE, 4));
        drop(pages);
        assert!(of.is_there(at, 4));
    }
}
