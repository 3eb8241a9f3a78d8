//! Memory that a window system's server sees, too.

use std::ffi::c_void;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use ash::vk;
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

use crate::guard::VkResult;

/// A file in memory, mapped. Zero at first.
pub struct Shared {
    at: *mut c_void,
    len: usize,
    file: OwnedFd,
}

// SAFETY: the mapping belongs to the struct, and is reached through raw pointers only.
unsafe impl Send for Shared {}

impl Shared {
    /// So many bytes.
    pub fn new(len: usize) -> VkResult<Shared> {
        let out_of_memory = |_| vk::Result::ERROR_OUT_OF_HOST_MEMORY;
        let file = memfd_create("quadrille-images", MemfdFlags::CLOEXEC).map_err(out_of_memory)?;
        ftruncate(&file, len as u64).map_err(out_of_memory)?;
        let how = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address that the system chooses.
        let at = unsafe { mmap(std::ptr::null_mut(), len, how, MapFlags::SHARED, &file, 0) };
        Ok(Shared { at: at.map_err(out_of_memory)?, len, file })
    }

    /// The first byte; aligned to a page.
    pub fn as_ptr(&self) -> *mut u8 {
        self.at.cast()
    }

    /// Bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The file.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: the mapping of `new`, of which no pointer outlives the struct.
        let _ = unsafe { munmap(self.at, self.len) };
    }
}
