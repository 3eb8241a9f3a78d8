//! macOS: files in memory, without seals and dma-bufs. A descriptor of another process is refused, because its file may
//! shrink.

pub use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

pub(crate) use super::unix::mapping;

pub(crate) mod file {
    //! Files in memory.

    use std::ffi::CString;
    use std::io;
    use std::os::fd::{BorrowedFd, OwnedFd};
    use std::sync::atomic::{AtomicU64, Ordering};

    use rustix::fs::{Mode, OFlags};
    use rustix::shm;

    /// Creates a file of `size` zero bytes. Its name is gone before anything else can open it.
    pub fn create(size: u64) -> io::Result<OwnedFd> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = CString::new(format!("/qdr-{:x}-{number:x}", std::process::id()))?;
        let flags = shm::OFlags::CREATE | shm::OFlags::EXCL | shm::OFlags::RDWR;
        let fd = shm::open(&name, flags, Mode::RUSR | Mode::WUSR)?;
        shm::unlink(&name)?;
        rustix::fs::ftruncate(&fd, size)?;
        Ok(fd)
    }

    /// Size of a file that never shrinks, or the reason why it is not one.
    pub fn lasting_size(_fd: BorrowedFd<'_>) -> Result<u64, &'static str> {
        Err("the file may shrink")
    }

    /// Number of the file in the system, the same for all descriptors of the file.
    pub fn number(fd: BorrowedFd<'_>) -> Option<u64> {
        Some(rustix::fs::fstat(fd).ok()?.st_ino)
    }

    /// `true` if the descriptor permits reading and writing; `None` if that is unknown.
    pub fn is_read_write(fd: BorrowedFd<'_>) -> Option<bool> {
        let rights = rustix::fs::fcntl_getfl(fd).ok()?;
        Some(rights & OFlags::RWMODE == OFlags::RDWR)
    }
}

pub(crate) mod event {
    //! Descriptors that become readable once.

    use std::io;
    use std::os::fd::{BorrowedFd, OwnedFd};

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::retry_on_intr;

    /// Creates a descriptor that is not readable yet: this system has none that its owner could make readable.
    pub fn create() -> io::Result<OwnedFd> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no descriptors of events"))
    }

    /// Makes a descriptor from [`create`] readable.
    pub fn raise(_fd: &OwnedFd) {}

    /// `true` if the descriptor is readable now; `None` if it cannot be polled.
    pub fn is_raised(fd: BorrowedFd<'_>) -> Option<bool> {
        let mut list = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        // A signal interrupts the call, although it does not wait.
        let n = retry_on_intr(|| poll(&mut list, Some(&Default::default()))).ok()?;
        (!list[0].revents().contains(PollFlags::NVAL)).then_some(n > 0)
    }
}

pub(crate) mod dma_buf {
    //! Dma-bufs, which only Linux has.

    use std::io;
    use std::os::fd::{BorrowedFd, OwnedFd};

    /// `true` if the kernel lets this process make dma-bufs from files in memory.
    pub fn offered() -> bool {
        false
    }

    /// Makes a dma-buf from the first `size` bytes of a file in memory.
    pub fn of_file(_file: BorrowedFd<'_>, _size: u64) -> io::Result<OwnedFd> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no dma-bufs"))
    }

    /// `true` if a file descriptor refers to a dma-buf.
    pub fn is(_fd: BorrowedFd<'_>) -> bool {
        false
    }

    /// Size of a dma-buf in bytes, which never changes.
    pub fn size(_fd: BorrowedFd<'_>) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Begins accesses of the host to a dma-buf.
    pub fn begin(_fd: BorrowedFd<'_>) {}

    /// Ends accesses of the host to a dma-buf.
    pub fn end(_fd: BorrowedFd<'_>) {}
}
