//! Calls that Linux and macOS share.

pub(crate) mod mapping {
    //! Mappings of files over pages.

    use std::io;
    use std::os::fd::BorrowedFd;

    use rustix::mm::{MapFlags, ProtFlags};

    /// `true` if files can be mapped over parts of a mapping, as sparse resources need it.
    pub const OFFERED: bool = true;

    /// Maps `len` bytes of a file from `offset` over the pages at `at`.
    ///
    /// # Safety
    /// The pages are part of a mapping of [`quadrille_jit::sys::memory`]. No reference to the bytes exists, and users
    /// of raw pointers expect concurrent writes.
    pub unsafe fn show(at: *mut u8, len: usize, file: BorrowedFd<'_>, offset: u64) -> io::Result<()> {
        let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::FIXED);
        // SAFETY: promised by the caller.
        unsafe { rustix::mm::mmap(at.cast(), len, rights, flags, file, offset) }?;
        Ok(())
    }

    /// Unmaps the pages at `at`.
    ///
    /// # Safety
    /// Nobody uses the addresses any more.
    pub unsafe fn remove(at: *mut u8, len: usize) -> io::Result<()> {
        // SAFETY: promised by the caller.
        unsafe { rustix::mm::munmap(at.cast(), len) }?;
        Ok(())
    }

    /// Maps private zeros over the pages at `at`.
    ///
    /// # Safety
    /// The requirements of [`show`].
    pub unsafe fn hide(at: *mut u8, len: usize) -> io::Result<()> {
        let rights = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        // SAFETY: promised by the caller.
        unsafe { rustix::mm::mmap_anonymous(at.cast(), len, rights, flags) }?;
        Ok(())
    }
}
