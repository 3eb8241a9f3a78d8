//! Pages of memory. Their owners are values of the callers, which promise in each call that the pages are theirs.

use std::io;

use super::host;

/// Backing of a new mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backing {
    /// Readable and writable zeros, which the system promises to provide.
    Promised,
    /// Readable and writable zeros for large ranges of which little is touched. Systems that tell the two apart promise
    /// nothing.
    Untouched,
    /// Addresses alone: every access faults until [`protect`] permits it.
    Inaccessible,
}

/// Size of a page in bytes, a power of two from 4096.
#[inline]
pub fn page_size() -> usize {
    host::page_size()
}

/// Maps `len` bytes, at least 1, at an address that the system chooses, which is a multiple of the page size.
pub fn map(len: usize, backing: Backing) -> io::Result<*mut u8> {
    host::map(len, backing)
}

/// Tests whether `len` bytes could be mapped now.
pub fn can_map(len: usize) -> io::Result<()> {
    let at = map(len, Backing::Promised)?;
    // SAFETY: the mapping was made above, and nothing has its address.
    unsafe { unmap(at, len) }
}

/// Unmaps the pages. On an error they stay mapped.
///
/// # Safety
/// `at` and `len` are those of a mapping made by [`map`], to which no pointer is used any more.
pub unsafe fn unmap(at: *mut u8, len: usize) -> io::Result<()> {
    // SAFETY: promised by the caller.
    unsafe { host::unmap(at, len) }
}

/// Returns the memory of whole pages to the system and makes them zero. Returns false if the system kept the memory;
/// then the bytes are unchanged.
///
/// # Safety
/// `at` and `len` are multiples of the page size, within a mapping made by [`map`]. No reference to the bytes exists,
/// and users of raw pointers expect zeros.
pub unsafe fn give_back(at: *mut u8, len: usize) -> bool {
    debug_assert!((at as usize).is_multiple_of(page_size()) && len.is_multiple_of(page_size()));
    // SAFETY: promised by the caller.
    unsafe { host::give_back(at, len) }
}

/// Permits or forbids all accesses to pages. Forbidden pages may lose their bytes, and return their memory.
///
/// # Safety
/// The range is whole pages of a mapping made by [`map`], and no other code relies on its accessibility.
pub unsafe fn protect(at: *mut u8, len: usize, accessible: bool) -> io::Result<()> {
    // SAFETY: promised by the caller.
    unsafe { host::protect(at, len, accessible) }
}

/// Asks for large pages. Systems that have none, or give them unasked, do nothing.
///
/// # Safety
/// The range lies within a mapping made by [`map`].
pub unsafe fn prefer_huge(at: *mut u8, len: usize) {
    // SAFETY: promised by the caller.
    unsafe { host::prefer_huge(at, len) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_zero_protected_and_given_back() {
        let page = page_size();
        assert!(page.is_power_of_two() && page >= 4096);
        for backing in [Backing::Promised, Backing::Untouched, Backing::Inaccessible] {
            let at = map(8 * page, backing).unwrap();
            assert!((at as usize).is_multiple_of(page));
            // SAFETY: the pages were mapped above, and only this test has their address.
            unsafe {
                if backing == Backing::Inaccessible {
                    protect(at.add(page), 6 * page, true).unwrap();
                }
                let inner = std::slice::from_raw_parts_mut(at.add(page), 6 * page);
                assert!(inner.iter().all(|&b| b == 0));
                inner.fill(7);
                let given = give_back(at.add(2 * page), 4 * page);
                let kept = inner[0] == 7 && inner[6 * page - 1] == 7;
                assert!(kept && inner[page..5 * page].iter().all(|&b| b == if given { 0 } else { 7 }));
                unmap(at, 8 * page).unwrap();
            }
        }
        can_map(page).unwrap();
    }
}
