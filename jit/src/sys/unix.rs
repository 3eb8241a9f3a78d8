//! Calls that Linux and macOS share.

use std::ffi::c_void;
use std::io;
use std::ptr;
use std::time::Duration;

use rustix::mm::{self, MapFlags, MprotectFlags, ProtFlags};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, Timespec, clock_gettime};

use super::memory::Backing;

/// Runs a function before each later `fork`, in the thread that forks. The system forgets it when this library is unloaded.
pub(crate) fn before_forks(run: extern "C" fn()) {
    // SAFETY: `run` is a function of this library without requirements, and there are no functions for after the fork.
    // The only error is a lack of memory, after which forks are as if this function had not been called.
    unsafe { libc::pthread_atfork(Some(run), None, None) };
}

/// Rights to read and write.
pub(super) const READ_WRITE: ProtFlags = ProtFlags::READ.union(ProtFlags::WRITE);

/// A mapping; unmapped when dropped.
pub(super) struct Mapping {
    pub base: *mut c_void,
    pub len: usize,
}

impl Mapping {
    /// Maps nameless memory with the given rights and flags.
    pub fn anonymous(len: usize, rights: ProtFlags, flags: MapFlags) -> io::Result<Mapping> {
        // SAFETY: without `FIXED` the kernel chooses unused addresses, so no existing mapping changes.
        let base = unsafe { mm::mmap_anonymous(ptr::null_mut(), len, rights, flags)? };
        Ok(Mapping { base, len })
    }

    /// Address of a byte.
    pub fn at(&self, offset: usize) -> *mut u8 {
        self.base.cast::<u8>().wrapping_add(offset)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping, and the owner of this value vouches that no address into it is used any
        // more.
        let _ = unsafe { mm::munmap(self.base, self.len) };
    }
}

#[inline]
pub(super) fn page_size() -> usize {
    rustix::param::page_size()
}

pub(super) fn map(len: usize, backing: Backing) -> io::Result<*mut u8> {
    let (rights, flags) = match backing {
        Backing::Promised => (READ_WRITE, MapFlags::PRIVATE),
        Backing::Untouched => (READ_WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE),
        Backing::Inaccessible => (ProtFlags::empty(), MapFlags::PRIVATE),
    };
    let mapping = std::mem::ManuallyDrop::new(Mapping::anonymous(len, rights, flags)?);
    Ok(mapping.at(0))
}

/// # Safety
/// The requirements of [`super::memory::unmap`].
pub(super) unsafe fn unmap(at: *mut u8, len: usize) -> io::Result<()> {
    // SAFETY: promised by the caller.
    unsafe { mm::munmap(at.cast(), len)? };
    Ok(())
}

/// # Safety
/// The requirements of [`super::memory::protect`].
pub(super) unsafe fn protect(at: *mut u8, len: usize, accessible: bool) -> io::Result<()> {
    let rights = if accessible { MprotectFlags::READ | MprotectFlags::WRITE } else { MprotectFlags::empty() };
    // SAFETY: promised by the caller.
    unsafe { mm::mprotect(at.cast(), len, rights)? };
    if !accessible {
        // SAFETY: promised by the caller; forbidden pages may lose their bytes.
        unsafe { super::host::forget(at, len) };
    }
    Ok(())
}

pub(super) fn file_bytes() -> Option<u64> {
    getrlimit(Resource::Fsize).current
}

/// Time of a clock as a duration.
pub(super) fn duration(t: Timespec) -> Duration {
    Duration::new(t.tv_sec.unsigned_abs(), t.tv_nsec.unsigned_abs() as u32)
}

pub(super) const FINE_THREAD_CPU: bool = true;

pub(super) fn thread_cpu() -> Duration {
    duration(clock_gettime(ClockId::ThreadCPUTime))
}

pub(super) fn process_cpu() -> Duration {
    duration(clock_gettime(ClockId::ProcessCPUTime))
}

pub(super) fn monotonic_nanoseconds() -> u64 {
    let t = clock_gettime(ClockId::Monotonic);
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}
