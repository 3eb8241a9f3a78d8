//! Memory shared with the server of a window system.

use std::ffi::c_void;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use ash::vk;
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::interface::guard::VkResult;

/// A mapped file in memory, initially zero.
pub struct Shared {
    at: *mut c_void,
    len: usize,
    file: OwnedFd,
}

// SAFETY: the struct owns the mapping, which any thread may access, and only raw pointers to it exist.
unsafe impl Send for Shared {}

impl Shared {
    /// Maps `len` bytes.
    pub fn new(len: usize) -> VkResult<Shared> {
        let out_of_memory = |_| vk::Result::ERROR_OUT_OF_HOST_MEMORY;
        let file = memfd_create("quadrille-images", MemfdFlags::CLOEXEC).map_err(out_of_memory)?;
        ftruncate(&file, len as u64).map_err(out_of_memory)?;
        let how = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: without `FIXED` the kernel chooses unused addresses, so no existing mapping changes.
        let at = unsafe { mmap(std::ptr::null_mut(), len, how, MapFlags::SHARED, &file, 0) };
        Ok(Shared { at: at.map_err(out_of_memory)?, len, file })
    }

    /// Returns the first byte, which is page-aligned.
    pub fn as_ptr(&self) -> *mut u8 {
        self.at.cast()
    }

    /// Size, in bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// File of the mapping.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: `new` made the mapping, and users of `as_ptr` keep the struct alive while they use the pointer.
        let _ = unsafe { munmap(self.at, self.len) };
    }
}
