//! Linux.

pub use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

pub(crate) use super::unix::mapping;

pub(crate) mod file {
    //! Files in memory.

    use std::io;
    use std::os::fd::{BorrowedFd, OwnedFd};

    use rustix::fs::{MemfdFlags, OFlags, SealFlags};

    /// Creates a file of `size` zero bytes, whose size never changes.
    pub fn create(size: u64) -> io::Result<OwnedFd> {
        let fd = rustix::fs::memfd_create("quadrille", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        rustix::fs::ftruncate(&fd, size)?;
        rustix::fs::fcntl_add_seals(&fd, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        Ok(fd)
    }

    /// Size of a file that never shrinks, or the reason why it is not one.
    pub fn lasting_size(fd: BorrowedFd<'_>) -> Result<u64, &'static str> {
        let seals = rustix::fs::fcntl_get_seals(fd).map_err(|_| "it is not shared memory")?;
        if !seals.contains(SealFlags::SHRINK) {
            return Err("the file may shrink");
        }
        let len = rustix::fs::fstat(fd).map_err(|_| "it has no size")?.st_size;
        Ok(u64::try_from(len).unwrap_or(0))
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

    use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
    use rustix::io::retry_on_intr;

    /// Creates a descriptor that is not readable yet.
    pub fn create() -> io::Result<OwnedFd> {
        Ok(eventfd(0, EventfdFlags::CLOEXEC)?)
    }

    /// Makes a descriptor from [`create`] readable.
    pub fn raise(fd: &OwnedFd) {
        // The counter of a new eventfd accepts a 1 without blocking.
        let _ = rustix::io::write(fd, &1u64.to_ne_bytes());
    }

    /// `true` if the descriptor is readable now; `None` if it cannot be polled.
    pub fn is_raised(fd: BorrowedFd<'_>) -> Option<bool> {
        let mut list = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
        // A signal interrupts the call, although it does not wait.
        let n = retry_on_intr(|| poll(&mut list, Some(&Default::default()))).ok()?;
        (!list[0].revents().contains(PollFlags::NVAL)).then_some(n > 0)
    }
}

pub(crate) mod dma_buf {
    //! All ioctls on dma-bufs: creation from a file in memory, recognition, and synchronization of accesses by the host.

    use std::ffi::{c_int, c_void};
    use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};

    use once_cell::race::OnceBool;
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
        static OFFERED: OnceBool = OnceBool::new();
        OFFERED.get_or_init(|| maker().is_ok())
    }

    /// Makes a dma-buf from the first `size` bytes of a file in memory. `size` must be whole pages, and the file must be
    /// sealed against shrinking.
    pub fn of_file(file: BorrowedFd<'_>, size: u64) -> std::io::Result<OwnedFd> {
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
    pub fn size(fd: BorrowedFd<'_>) -> std::io::Result<u64> {
        Ok(rustix::fs::seek(fd, SeekFrom::End(0))?)
    }

    /// Begins accesses of the host to a dma-buf, after waiting for other drivers.
    pub fn begin(fd: BorrowedFd<'_>) {
        sync(fd, READ_AND_WRITE);
    }

    /// Ends accesses of the host to a dma-buf.
    pub fn end(fd: BorrowedFd<'_>) {
        sync(fd, READ_AND_WRITE | END);
    }

    fn sync(fd: BorrowedFd<'_>, flags: u64) {
        // An error is ignored: the driver then needs no synchronization with the host, or cannot do it.
        // SAFETY: DMA_BUF_IOCTL_SYNC reads a word of flags, and `flags` is one.
        while unsafe { ioctl(fd, Call { opcode: SYNC, data: flags }) } == Err(Errno::INTR) {}
    }
}
