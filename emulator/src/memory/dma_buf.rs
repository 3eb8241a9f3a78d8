//! Dma-bufs: memory that kernel drivers share through file descriptors. [`crate::sys`] makes and recognizes them, and
//! `pages` maps them.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::sys::dma_buf::{begin, end};
pub use crate::sys::dma_buf::{is, of_file, offered, size};
use crate::sys::{AsFd, OwnedFd};

/// Dma-bufs that a device has mapped.
#[derive(Debug, Default)]
pub(crate) struct Known(Mutex<Vec<Weak<OwnedFd>>>);

impl Known {
    fn all(&self) -> Vec<Arc<OwnedFd>> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|fd| fd.strong_count() > 0);
        list.iter().filter_map(Weak::upgrade).collect()
    }

    /// Adds a dma-buf for as long as its descriptor is open.
    pub fn enter(&self, fd: &Arc<OwnedFd>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(fd));
    }

    /// `true` if no dma-buf is mapped.
    pub fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Begins accesses of the host to all dma-bufs, after waiting for other drivers. Dropping the result ends the
    /// accesses.
    pub fn access(&self) -> Access {
        let all = self.all();
        all.iter().for_each(|fd| begin(fd.as_fd()));
        Access(all)
    }
}

/// Guard of accesses of the host to dma-bufs.
#[derive(Debug)]
pub(crate) struct Access(Vec<Arc<OwnedFd>>);

impl Drop for Access {
    fn drop(&mut self) {
        self.0.iter().for_each(|fd| end(fd.as_fd()));
    }
}
