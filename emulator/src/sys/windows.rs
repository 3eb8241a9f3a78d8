//! Windows, where devices share no memory yet: there are no values of the types of descriptors, and creating one is an
//! error that says so.

use std::convert::Infallible;
use std::io;
use std::marker::PhantomData;

fn refused<T>() -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no file descriptors"))
}

/// A file descriptor, of which this system has none.
#[derive(Debug)]
pub struct OwnedFd(Infallible);

/// A borrowed file descriptor, of which this system has none.
#[derive(Clone, Copy, Debug)]
pub struct BorrowedFd<'a>(Infallible, PhantomData<&'a OwnedFd>);

/// Borrows a file descriptor.
pub trait AsFd {
    /// The descriptor.
    fn as_fd(&self) -> BorrowedFd<'_>;
}

impl AsFd for OwnedFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self.0 {}
    }
}

impl OwnedFd {
    /// A second descriptor of the same file.
    pub fn try_clone(&self) -> io::Result<OwnedFd> {
        match self.0 {}
    }
}

impl BorrowedFd<'_> {
    /// A second descriptor of the same file.
    pub fn try_clone_to_owned(&self) -> io::Result<OwnedFd> {
        match self.0 {}
    }
}

pub(crate) mod mapping {
    //! Mappings of files over pages.

    use super::{BorrowedFd, io};

    /// `true` if files can be mapped over parts of a mapping, as sparse resources need it.
    pub const OFFERED: bool = false;

    /// # Safety
    /// None needed: there are no files.
    pub unsafe fn show(_: *mut u8, _: usize, file: BorrowedFd<'_>, _: u64) -> io::Result<()> {
        match file.0 {}
    }

    /// # Safety
    /// None needed: nothing was shown.
    pub unsafe fn remove(_: *mut u8, _: usize) -> io::Result<()> {
        Ok(())
    }

    /// # Safety
    /// None needed: nothing was shown.
    pub unsafe fn hide(_: *mut u8, _: usize) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) mod file {
    //! Files in memory.

    use super::{BorrowedFd, OwnedFd, io, refused};

    /// Creates a file of `size` zero bytes, whose size never changes.
    pub fn create(_size: u64) -> io::Result<OwnedFd> {
        refused()
    }

    /// Size of a file that never shrinks, or the reason why it is not one.
    pub fn lasting_size(fd: BorrowedFd<'_>) -> Result<u64, &'static str> {
        match fd.0 {}
    }

    /// Number of the file in the system, the same for all descriptors of the file.
    pub fn number(fd: BorrowedFd<'_>) -> Option<u64> {
        match fd.0 {}
    }

    /// `true` if the descriptor permits reading and writing; `None` if that is unknown.
    pub fn is_read_write(fd: BorrowedFd<'_>) -> Option<bool> {
        match fd.0 {}
    }
}

pub(crate) mod event {
    //! Descriptors that become readable once.

    use super::{BorrowedFd, OwnedFd, io, refused};

    /// Creates a descriptor that is not readable yet.
    pub fn create() -> io::Result<OwnedFd> {
        refused()
    }

    /// Makes a descriptor from [`create`] readable.
    pub fn raise(fd: &OwnedFd) {
        match fd.0 {}
    }

    /// `true` if the descriptor is readable now; `None` if it cannot be polled.
    pub fn is_raised(fd: BorrowedFd<'_>) -> Option<bool> {
        match fd.0 {}
    }
}

pub(crate) mod dma_buf {
    //! Dma-bufs, which only Linux has.

    use super::{BorrowedFd, OwnedFd, io};

    /// `true` if the kernel lets this process make dma-bufs from files in memory.
    pub fn offered() -> bool {
        false
    }

    /// Makes a dma-buf from the first `size` bytes of a file in memory.
    pub fn of_file(file: BorrowedFd<'_>, _size: u64) -> io::Result<OwnedFd> {
        match file.0 {}
    }

    /// `true` if a file descriptor refers to a dma-buf.
    pub fn is(fd: BorrowedFd<'_>) -> bool {
        match fd.0 {}
    }

    /// Size of a dma-buf in bytes, which never changes.
    pub fn size(fd: BorrowedFd<'_>) -> io::Result<u64> {
        match fd.0 {}
    }

    /// Begins accesses of the host to a dma-buf.
    pub fn begin(fd: BorrowedFd<'_>) {
        match fd.0 {}
    }

    /// Ends accesses of the host to a dma-buf.
    pub fn end(fd: BorrowedFd<'_>) {
        match fd.0 {}
    }
}
