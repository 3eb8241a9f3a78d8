//! Dma-bufs: memory that kernel drivers share through file descriptors. All ioctls on dma-bufs are here: creation from
//! a file in memory, recognition, and synchronization of accesses by the host. `pages` maps them.

#![expect(unsafe_code, reason = "ioctls of drivers")]

use std::ffi::{c_int, c_void};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use rustix::fs::{FsWord, Mode, OFlags, SeekFrom};
use rustix::io::{Errno, Result};
use rustix::ioctl::{Ioctl, IoctlOutput, Opcode, ioctl, opcode};

/// Device that makes dma-bufs from files in memory.
const MAKER: &str = "/dev/udmabuf";
/// File system type of dma-bufs: DMA_BUF_MAGIC of `linux/magic.h`.
const MAGIC: FsWord = 0x444d_4142;

/// An ioctl whose argument the kernel reads as a `T`, as the Linux headers define it.
struct Call<T> {
    opcode: Opcode,
    data: T,
}

// SAFETY: every `Call` in this module pairs its opcode with the opcode's argument type, so the kernel reads the `T` at
// `as_ptr` and does not write to it.
unsafe impl<T> Ioctl for Call<T> {
    type Output = c_int;
    const IS_MUTATING: bool = false;

    fn opcode(&self) -> Opcode {
        self.opcode
    }

    fn as_ptr(&mut self) -> *mut c_void {
        (&raw mut self.data).cast()
    }

    unsafe fn output_from_ptr(out: IoctlOutput, _data: *mut c_void) -> Result<c_int> {
        Ok(out)
    }
}

/// `struct udmabuf_create` of `linux/udmabuf.h`.
#[repr(C)]
struct Create {
    memfd: u32,
    flags: u32,
    offset: u64,
    size: u64,
}

/// UDMABUF_CREATE.
const CREATE: Opcode = opcode::write::<Create>(b'u', 0x42);
/// UDMABUF_FLAGS_CLOEXEC.
const CLOSE_ON_EXEC: u32 = 1;

/// DMA_BUF_IOCTL_SYNC of `linux/dma-buf.h`; its structure is a word of flags.
const SYNC: Opcode = opcode::write::<u64>(b'b', 0);
/// DMA_BUF_SYNC_RW.
const READ_AND_WRITE: u64 = 3;
/// DMA_BUF_SYNC_END.
const END: u64 = 4;

fn maker() -> Result<OwnedFd> {
    rustix::fs::open(MAKER, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())
}

/// `true` if the kernel lets this process make dma-bufs from files in memory.
pub fn offered() -> bool {
    static OFFERED: OnceLock<bool> = OnceLock::new();
    *OFFERED.get_or_init(|| maker().is_ok())
}

/// Makes a dma-buf from the first `size` bytes of a file in memory. `size` must be whole pages, and the file must be
/// sealed against shrinking.
pub fn of_file(file: BorrowedFd<'_>, size: u64) -> Result<OwnedFd> {
    let data = Create { memfd: file.as_raw_fd() as u32, flags: CLOSE_ON_EXEC, offset: 0, size };
    // SAFETY: UDMABUF_CREATE reads a `udmabuf_create`, and `data` is one.
    let fd = unsafe { ioctl(maker()?, Call { opcode: CREATE, data }) }?;
    // SAFETY: the ioctl succeeded and returned a new descriptor, which nothing else owns.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// `true` if a file descriptor refers to a dma-buf.
pub fn is(fd: BorrowedFd<'_>) -> bool {
    rustix::fs::fstatfs(fd).is_ok_and(|of| of.f_type == MAGIC)
}

/// Size of a dma-buf in bytes, which never changes.
pub fn size(fd: BorrowedFd<'_>) -> Result<u64> {
    rustix::fs::seek(fd, SeekFrom::End(0))
}

fn sync(fd: BorrowedFd<'_>, flags: u64) {
    // An error is ignored: the driver then needs no synchronization with the host, or cannot do it.
    // SAFETY: DMA_BUF_IOCTL_SYNC reads a word of flags, and `flags` is one.
    while unsafe { ioctl(fd, Call { opcode: SYNC, data: flags }) } == Err(Errno::INTR) {}
}

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
        all.iter().for_each(|fd| sync(fd.as_fd(), READ_AND_WRITE));
        Access(all)
    }
}

/// Guard of accesses of the host to dma-bufs.
#[derive(Debug)]
pub(crate) struct Access(Vec<Arc<OwnedFd>>);

impl Drop for Access {
    fn drop(&mut self) {
        self.0.iter().for_each(|fd| sync(fd.as_fd(), READ_AND_WRITE | END));
    }
}
