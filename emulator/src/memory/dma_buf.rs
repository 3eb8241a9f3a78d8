//! Dma-bufs: memory that the kernel's drivers share by descriptors. What is said to the kernel about them is
//! here: one is made of a file in memory, recognized, and told when the host begins and ends to use its bytes.
//! They are mapped in `pages`.

#![expect(unsafe_code, reason = "calls of drivers")]

use std::ffi::{c_int, c_void};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use rustix::fs::{FsWord, Mode, OFlags, SeekFrom};
use rustix::io::{Errno, Result};
use rustix::ioctl::{Ioctl, IoctlOutput, Opcode, ioctl, opcode};

/// What makes dma-bufs of files in memory.
const MAKER: &str = "/dev/udmabuf";
/// Type of the file system of dma-bufs: DMA_BUF_MAGIC of `linux/magic.h`.
const MAGIC: FsWord = 0x444d_4142;

/// A call that reads `T`, as the headers of Linux define it.
struct Call<T> {
    opcode: Opcode,
    data: T,
}

// SAFETY: the opcode says that the kernel reads a `T`, which `as_ptr` points to, and the kernel changes none of it.
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

/// Whether the kernel makes dma-bufs of files in memory for this process.
pub fn offered() -> bool {
    static OFFERED: OnceLock<bool> = OnceLock::new();
    *OFFERED.get_or_init(|| maker().is_ok())
}

/// A dma-buf of the first `size` bytes of a file in memory, whole pages, that is sealed against shrinking.
pub fn of_file(file: BorrowedFd<'_>, size: u64) -> Result<OwnedFd> {
    let data = Create { memfd: file.as_raw_fd() as u32, flags: CLOSE_ON_EXEC, offset: 0, size };
    // SAFETY: the opcode is that of the structure.
    let fd = unsafe { ioctl(maker()?, Call { opcode: CREATE, data }) }?;
    // SAFETY: the call has made the descriptor, which nobody else has.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Whether a descriptor is one of a dma-buf.
pub fn is(fd: BorrowedFd<'_>) -> bool {
    rustix::fs::fstatfs(fd).is_ok_and(|of| of.f_type == MAGIC)
}

/// Bytes of a dma-buf, which never change.
pub fn size(fd: BorrowedFd<'_>) -> Result<u64> {
    rustix::fs::seek(fd, SeekFrom::End(0))
}

fn sync(fd: BorrowedFd<'_>, flags: u64) {
    // A driver that refuses has nothing to do for the host, or could not do it: the bytes are then its affair.
    // SAFETY: the opcode is that of a word.
    while unsafe { ioctl(fd, Call { opcode: SYNC, data: flags }) } == Err(Errno::INTR) {}
}

/// The dma-bufs that a device has mapped.
#[derive(Debug, Default)]
pub(crate) struct Known(Mutex<Vec<Weak<OwnedFd>>>);

impl Known {
    fn all(&self) -> Vec<Arc<OwnedFd>> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|fd| fd.strong_count() > 0);
        list.iter().filter_map(Weak::upgrade).collect()
    }

    /// Counts one as long as its descriptor is open.
    pub fn enter(&self, fd: &Arc<OwnedFd>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(fd));
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// The host uses their bytes until the answer is dropped. Waits for what other drivers do with them.
    pub fn access(&self) -> Access {
        let all = self.all();
        all.iter().for_each(|fd| sync(fd.as_fd(), READ_AND_WRITE));
        Access(all)
    }
}

/// Use of dma-bufs by the host.
#[derive(Debug)]
pub(crate) struct Access(Vec<Arc<OwnedFd>>);

impl Drop for Access {
    fn drop(&mut self) {
        self.0.iter().for_each(|fd| sync(fd.as_fd(), READ_AND_WRITE | END));
    }
}
