//! Memory at addresses that the caller chooses: a second mapping of the file behind shareable memory.
//!
//! The device itself keeps using the first mapping. Left to the caller: the range of addresses, and its alignment to the
//! host's pages.

use quadrille_jit::sys::memory::page_size;

use super::Memory;
use crate::error::{Error, Result};
use crate::sys::mapping;

/// `true` if the host can map memory at chosen addresses.
pub const PLACED_MAPS: bool = mapping::OFFERED;

/// Alignment of placed maps: the size of the host's pages, in bytes.
pub fn placed_map_alignment() -> u64 {
    page_size() as u64
}

/// A mapping of memory at addresses that the caller chose. It stays until it is removed.
#[derive(Debug, PartialEq, Eq)]
pub struct PlacedMap {
    at: usize,
    len: usize,
}

impl Memory {
    /// Maps the `len` bytes from `offset` at the address `at`, in place of any earlier mapping.
    ///
    /// # Errors
    /// `Invalid` for memory that is not shareable and bytes outside of it; `OutOfMemory` if the host refuses.
    ///
    /// # Safety
    /// `at` and `offset` are multiples of the host's page size. The caller owns the addresses from `at`, up to the next
    /// page behind `len` bytes, and no reference to bytes there exists.
    pub unsafe fn map_at(&self, at: *mut u8, offset: u64, len: u64) -> Result<PlacedMap> {
        self.check(offset, len)?;
        let file = self.file().ok_or_else(|| Error::invalid("the memory is not shareable"))?;
        let length = len as usize;
        // The holder of the mapping may write at any time.
        self.written(offset, len);
        // SAFETY: the caller promises whole pages that it owns and that no reference refers to; `check` ensured that the
        // file, which never shrinks, has the bytes.
        let shown = unsafe { mapping::show(at, length, file.fd(), offset) };
        shown.map_err(|e| Error::OutOfMemory(format!("{len} bytes at an address of the caller: {e}")))?;
        Ok(PlacedMap { at: at.expose_provenance(), len: length })
    }
}

impl PlacedMap {
    /// Removes the mapping. With `reserve`, the addresses stay reserved for the caller.
    ///
    /// # Errors
    /// `OutOfMemory` if the host refuses.
    ///
    /// # Safety
    /// Nobody uses the mapping any more, and the caller has not mapped anything else there.
    pub unsafe fn remove(self, reserve: bool) -> Result<()> {
        let at = std::ptr::with_exposed_provenance_mut::<u8>(self.at);
        let removed = match reserve {
            // SAFETY: `map_at` mapped these pages, and the caller promises that nobody uses them.
            true => unsafe { mapping::hide(at, self.len) },
            // SAFETY: `map_at` mapped these pages, and the caller promises that nobody uses them.
            false => unsafe { mapping::remove(at, self.len) },
        };
        removed.map_err(|e| Error::OutOfMemory(format!("unmapping of {} bytes: {e}", self.len)))
    }
}
