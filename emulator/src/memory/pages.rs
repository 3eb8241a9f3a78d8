//! Pages of the host: the only module that maps, clears and unmaps them. Its callers decide who may access the pages at
//! what time.

#![expect(unsafe_code, reason = "maps memory")]

use std::io::ErrorKind;

use quadrille_jit::sys::memory::{self, Backing, page_size};

use crate::error::{Error, Result, ensure};
use crate::sys::{BorrowedFd, mapping};

/// Size and alignment of a large page, in bytes.
pub(crate) const HUGE_PAGE: usize = 2 << 20;
/// Ranges of at least this many bytes are returned to the host when they are cleared. Shorter ranges are filled with
/// zeros, which is faster.
const GIVE_BACK: usize = 16 << 10;

/// A mapping of zeros. Dropping it unmaps it.
#[derive(Debug)]
pub(crate) struct Pages {
    ptr: *mut u8,
    len: usize,
}

// SAFETY: `self` owns the mapping, which any thread may access; its bytes are reached only through raw pointers, whose
// users order their accesses.
unsafe impl Send for Pages {}
// SAFETY: shared methods form no references to the bytes, which are reached only through raw pointers, whose users
// order their accesses.
unsafe impl Sync for Pages {}

impl Pages {
    /// Maps `len` zero bytes, at least 1.
    pub fn map(len: usize) -> Result<Pages> {
        let ptr = memory::map(len, Backing::Promised);
        let ptr = ptr.map_err(|e| Error::OutOfMemory(format!("{len} bytes of the host's memory: {e}")))?;
        Ok(Pages { ptr, len })
    }

    /// Maps `len` bytes of addresses; the host provides memory only for touched pages.
    pub fn reserve(len: usize) -> Result<Pages> {
        let ptr = memory::map(len, Backing::Untouched);
        let ptr = ptr.map_err(|e| Error::OutOfMemory(format!("{len} bytes of address space: {e}")))?;
        Ok(Pages { ptr, len })
    }

    /// Requests large pages. If the host has none available, normal pages are used.
    pub fn prefer_huge(&self) {
        // SAFETY: `self` owns the mapping; the advice does not change its contents.
        unsafe { memory::prefer_huge(self.ptr, self.len) }
    }

    /// First byte, which is page-aligned.
    pub fn as_ptr(&self) -> *mut u8 {
        self.ptr
    }

    /// Unmaps the pages, or returns them if the host refuses. Unmapping part of what the host treats as one mapping
    /// splits it in two, which may exceed the limit on mappings.
    pub fn unmap(self) -> Result<(), Pages> {
        let pages = std::mem::ManuallyDrop::new(self);
        // SAFETY: `self` owns the mapping and is consumed, so that no pointer to it is used any more.
        match unsafe { memory::unmap(pages.ptr, pages.len) } {
            Ok(()) => Ok(()),
            Err(_) => Err(std::mem::ManuallyDrop::into_inner(pages)),
        }
    }

    /// Maps `len` bytes of a file from `offset` over the bytes at `at`. All are multiples of the host's page size,
    /// except at the last page of the file. The file must never shrink.
    pub fn show(&self, at: usize, len: usize, file: BorrowedFd<'_>, offset: u64) -> Result<()> {
        let place = self.place(at, len)?;
        // SAFETY: `place` checked that the range lies in this mapping, which `self` owns. No reference to the bytes
        // exists, and users of raw pointers expect concurrent writes.
        let shown = unsafe { mapping::show(place, len, file, offset) };
        shown.map_err(|e| match e.kind() {
            ErrorKind::OutOfMemory | ErrorKind::WouldBlock => {
                Error::OutOfMemory(format!("{len} bytes of a file: {e}"))
            }
            // The exporter of a dma-buf may refuse to map it.
            _ => Error::invalid(format!("{len} bytes of a file cannot be mapped: {e}")),
        })
    }

    /// Maps private zeros over a file's bytes.
    pub fn hide(&self, at: usize, len: usize) -> Result<()> {
        let place = self.place(at, len)?;
        // SAFETY: `place` checked that the range lies in this mapping, which `self` owns. No reference to the bytes
        // exists, and users of raw pointers expect concurrent writes.
        let hidden = unsafe { mapping::hide(place, len) };
        hidden.map_err(|e| Error::OutOfMemory(format!("{len} bytes of the host's memory: {e}")))
    }

    /// Checks a range of whole pages and returns its address.
    fn place(&self, at: usize, len: usize) -> Result<*mut u8> {
        let page = page_size();
        let inside = at.checked_add(len.next_multiple_of(page)).is_some_and(|end| end <= self.len);
        ensure(inside && len > 0 && at.is_multiple_of(page), || {
            format!("bytes {at}..+{len} of a mapping of {}", self.len)
        })?;
        Ok(self.ptr.wrapping_add(at))
    }

    /// Sets all bytes to zero and returns the memory to the host; the addresses stay reserved.
    pub fn clear(&self) {
        // SAFETY: `self` owns the mapping; users of raw pointers to it expect zeros from a cleared mapping.
        unsafe { clear(self.ptr, self.len) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: `self` owns the mapping and is being dropped, so that no pointer to it is used any more.
        if unsafe { memory::unmap(self.ptr, self.len) }.is_err() {
            // The addresses stay reserved, but the memory is returned.
            self.clear();
        }
    }
}

/// Sets `len` bytes to zero, and returns long ranges to the host.
///
/// # Safety
/// The bytes must be part of [`Pages`], and no reference to them may exist. Users of raw pointers to the bytes must
/// expect zeros.
pub(crate) unsafe fn clear(ptr: *mut u8, len: usize) {
    let page = page_size();
    let head = ptr.align_offset(page).min(len);
    let inner = (len - head) / page * page;
    let start = ptr.wrapping_add(head);
    // SAFETY: the whole pages lie within the range that the caller vouches for.
    let given = inner >= GIVE_BACK && unsafe { memory::give_back(start, inner) };
    // SAFETY: all three ranges lie within the range that the caller vouches for.
    unsafe {
        if given {
            ptr.write_bytes(0, head);
            start.add(inner).write_bytes(0, len - head - inner);
        } else {
            // Filled by hand: the range is short, or the host keeps its pages.
            ptr.write_bytes(0, len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleared_bytes_are_zero_and_others_stay() {
        let page = page_size();
        let all = 16 * page;
        let pages = Pages::map(all).unwrap();
        for (first, len) in [(0, 1), (100, 5000), (1, all - 2), (page, 8 * page), (0, all)] {
            // SAFETY: the range lies within the pages, which only this test has.
            let all = unsafe {
                pages.as_ptr().write_bytes(7, all);
                clear(pages.as_ptr().add(first), len);
                std::slice::from_raw_parts(pages.as_ptr(), all)
            };
            for (i, byte) in all.iter().enumerate() {
                assert_eq!(*byte == 0, (first..first + len).contains(&i), "byte {i}, {first}..+{len}");
            }
        }
        assert!(pages.unmap().is_ok());
    }
}
