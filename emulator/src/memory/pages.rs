//! Pages of the host: mapped, emptied and unmapped here and nowhere else. Who may touch them when is the
//! business of those who ask for them.

#![expect(unsafe_code, reason = "maps memory")]

use std::os::fd::BorrowedFd;

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags};

use crate::error::{Error, Result, ensure};

/// What a large page is and where it begins.
pub(crate) const HUGE_PAGE: usize = 2 << 20;
/// The least unit of pages on all hosts; the system's may be a multiple.
const PAGE: usize = 4096;
/// Ranges of at least so many bytes are given back to the host when they are emptied; shorter ones are
/// filled with zeros, which is faster.
const GIVE_BACK: usize = 4 * PAGE;

/// A mapping of zeros. Dropping it unmaps it.
#[derive(Debug)]
pub(crate) struct Pages {
    ptr: *mut u8,
    len: usize,
}

// SAFETY: the mapping is only reached through raw pointers, whose users order their accesses.
unsafe impl Send for Pages {}
// SAFETY: the mapping is only reached through raw pointers, whose users order their accesses.
unsafe impl Sync for Pages {}

impl Pages {
    /// Maps `len` zero bytes, more than 0.
    pub fn map(len: usize) -> Result<Pages> {
        let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
        // SAFETY: a new mapping where the kernel likes.
        let ptr = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, rights, flags) };
        let ptr = ptr.map_err(|e| Error::OutOfMemory(format!("{len} bytes of the host: {e}")))?;
        Ok(Pages { ptr: ptr.cast(), len })
    }

    /// The same as addresses alone: the host keeps no memory for what is not touched.
    pub fn reserve(len: usize) -> Result<Pages> {
        let rights = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping where the kernel likes.
        let ptr = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, rights, flags) };
        let ptr = ptr.map_err(|e| Error::OutOfMemory(format!("{len} bytes of addresses: {e}")))?;
        Ok(Pages { ptr: ptr.cast(), len })
    }

    /// Asks for large pages. The host may have none, or none left: then the usual ones do.
    pub fn prefer_huge(&self) {
        // SAFETY: the mapping is this one's; the advice does not change what it holds.
        let _ = unsafe { rustix::mm::madvise(self.ptr.cast(), self.len, Advice::LinuxHugepage) };
    }

    /// First byte; at the start of a page.
    pub fn as_ptr(&self) -> *mut u8 {
        self.ptr
    }

    /// Unmaps; gives the pages back where the host does not: to unmap a part of what it sees as one mapping
    /// makes two of it, and it may have no more.
    pub fn unmap(self) -> Result<(), Pages> {
        let pages = std::mem::ManuallyDrop::new(self);
        // SAFETY: the mapping is this one's, which nobody has any more.
        match unsafe { rustix::mm::munmap(pages.ptr.cast(), pages.len) } {
            Ok(()) => Ok(()),
            Err(_) => Err(std::mem::ManuallyDrop::into_inner(pages)),
        }
    }

    /// Shows `len` bytes of a file from `offset` in place of those at `at`; all are multiples of the host's
    /// pages, but for the last page of the file. The file must never become shorter.
    pub fn show(&self, at: usize, len: usize, file: BorrowedFd<'_>, offset: u64) -> Result<()> {
        let place = self.place(at, len)?;
        let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::FIXED);
        // SAFETY: a part of this mapping, whose users expect others' writes.
        let shown = unsafe { rustix::mm::mmap(place.cast(), len, rights, flags, file, offset) };
        shown.map(drop).map_err(|e| match e {
            Errno::NOMEM | Errno::AGAIN => Error::OutOfMemory(format!("{len} bytes of a file: {e}")),
            // A dma-buf, whose driver may let nobody map it.
            _ => Error::invalid(format!("{len} bytes of a file cannot be mapped: {e}")),
        })
    }

    /// Zeros of its own in place of a file's bytes.
    pub fn hide(&self, at: usize, len: usize) -> Result<()> {
        let place = self.place(at, len)?;
        let (rights, flags) =
            (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED);
        // SAFETY: a part of this mapping, whose users expect others' writes.
        let hidden = unsafe { rustix::mm::mmap_anonymous(place.cast(), len, rights, flags) };
        hidden.map(drop).map_err(|e| Error::OutOfMemory(format!("{len} bytes of the host: {e}")))
    }

    /// Address of a range of whole pages.
    fn place(&self, at: usize, len: usize) -> Result<*mut u8> {
        let page = rustix::param::page_size();
        let inside = at.checked_add(len.next_multiple_of(page)).is_some_and(|end| end <= self.len);
        ensure(inside && len > 0 && at.is_multiple_of(page), || {
            format!("bytes {at}..+{len} of a mapping of {}", self.len)
        })?;
        Ok(self.ptr.wrapping_add(at))
    }

    /// Makes all of it zero and gives the memory back to the host; the addresses stay.
    pub fn clear(&self) {
        // SAFETY: the mapping is this one's.
        unsafe { clear(self.ptr, self.len) }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and its users are gone.
        if unsafe { rustix::mm::munmap(self.ptr.cast(), self.len) }.is_err() {
            // The addresses are lost, the memory is not.
            self.clear();
        }
    }
}

/// Makes `len` bytes zero. The host gets long ranges back.
///
/// # Safety
/// The bytes are part of [`Pages`], and nobody uses them meanwhile.
pub(crate) unsafe fn clear(ptr: *mut u8, len: usize) {
    let head = ptr.align_offset(PAGE).min(len);
    let inner = (len - head) / PAGE * PAGE;
    let start = ptr.wrapping_add(head);
    // SAFETY: whole pages in the range. Private pages are zero when they are next touched.
    let given = inner >= GIVE_BACK
        && unsafe { rustix::mm::madvise(start.cast(), inner, Advice::LinuxDontNeed) }.is_ok();
    // SAFETY: parts of the range.
    unsafe {
        if given {
            ptr.write_bytes(0, head);
            start.add(inner).write_bytes(0, len - head - inner);
        } else {
            // The host keeps pages that are locked, and those of kernels with larger pages.
            ptr.write_bytes(0, len);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleared_bytes_are_zero_and_others_stay() {
        let all = 16 * PAGE;
        let pages = Pages::map(all).unwrap();
        for (first, len) in [(0, 1), (100, 5000), (1, all - 2), (PAGE, 8 * PAGE), (0, all)] {
            // SAFETY: inside the pages, which only this test has.
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
