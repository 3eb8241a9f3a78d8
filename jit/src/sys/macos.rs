//! macOS, on Apple's processors and on those of Intel.

use std::ffi::{c_int, c_void};
use std::io;
use std::ptr;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use rustix::mm::{self, MapFlags, ProtFlags};
use rustix::process::{Resource, getrlimit};

pub(crate) use super::unix::before_forks;
pub(super) use super::unix::{
    FINE_THREAD_CPU, file_bytes, map, monotonic_nanoseconds, page_size, process_cpu, protect, thread_cpu,
    unmap,
};
use super::unix::{Mapping, READ_WRITE};

unsafe extern "C" {
    /// Makes pages of code writable (0) or executable (1) for the calling thread. Spec: pthread_jit_write_protect_np(3).
    fn pthread_jit_write_protect_np(enabled: c_int);
    /// Makes stores of code visible to instruction fetches of all processors. Spec: sys_icache_invalidate(3).
    fn sys_icache_invalidate(start: *mut c_void, len: usize);
    /// Sets how children inherit pages. Spec: minherit(2).
    fn minherit(addr: *mut c_void, len: usize, inherit: c_int) -> c_int;
}

/// A child's pages are zeros.
const VM_INHERIT_ZERO: c_int = 3;

/// # Safety
/// The requirements of [`super::memory::give_back`].
pub(super) unsafe fn give_back(at: *mut u8, len: usize) -> bool {
    // SAFETY: promised by the caller: the pages are part of a mapping of zeros, which new zeros replace at once.
    unsafe { mm::mmap_anonymous(at.cast(), len, READ_WRITE, MapFlags::PRIVATE | MapFlags::FIXED) }.is_ok()
}

/// Returns the memory of pages that were made inaccessible.
///
/// # Safety
/// The requirements of [`super::memory::protect`].
pub(super) unsafe fn forget(at: *mut u8, len: usize) {
    // SAFETY: promised by the caller; no code reads the bytes any more.
    let _ = unsafe {
        mm::mmap_anonymous(at.cast(), len, ProtFlags::empty(), MapFlags::PRIVATE | MapFlags::FIXED)
    };
}

/// # Safety
/// None needed: the system chooses the size of pages itself.
pub(super) unsafe fn prefer_huge(_: *mut u8, _: usize) {}

/// Code pages, mapped once with `MAP_JIT`: each thread sees them either writable or executable, and executable unless
/// it is inside [`CodePages::publish`]. A program with the hardened runtime needs the entitlement
/// `com.apple.security.cs.allow-jit`.
pub(crate) struct CodePages {
    pages: Mapping,
}

impl CodePages {
    /// Maps pages of at least `len` bytes.
    pub fn map(len: usize) -> io::Result<CodePages> {
        let len = len.next_multiple_of(page_size());
        let rights = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANON | libc::MAP_JIT;
        // SAFETY: the kernel chooses the address of the new mapping, so no existing memory is affected.
        let base = unsafe { libc::mmap(ptr::null_mut(), len, rights, flags, -1, 0) };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(CodePages { pages: Mapping { base, len } })
    }

    /// Size in bytes.
    pub fn len(&self) -> usize {
        self.pages.len
    }

    /// Address at which the byte `at` is executed.
    pub fn entry(&self, at: usize) -> *const u8 {
        self.pages.at(at)
    }

    /// Copies code to the bytes from `at` on, so that every thread that learns its address afterwards executes it.
    ///
    /// # Safety
    /// The bytes lie within the pages. No thread executes them, and no other call writes them at the same time.
    pub unsafe fn publish(&self, at: usize, code: &[u8]) -> io::Result<()> {
        let to = self.pages.at(at);
        // SAFETY: the range is promised by the caller. Between the two switches this thread executes no generated
        // code: no call in between leads there, and no handler of signals does.
        unsafe {
            pthread_jit_write_protect_np(0);
            ptr::copy_nonoverlapping(code.as_ptr(), to, code.len());
            pthread_jit_write_protect_np(1);
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: the range lies within the mapping, which is readable.
        unsafe {
            super::aarch64::clean_and_invalidate(to, code.len())
        };
        // SAFETY: the range lies within the mapping.
        unsafe { sys_icache_invalidate(to.cast(), code.len()) };
        Ok(())
    }
}

/// Minimum length of a mapping; the kernel rounds up.
const PAGE: usize = 4096;

/// Maps a zeroed page that is zero again in a child. `None` if memory runs out.
pub(crate) fn new_mark() -> Option<*mut AtomicU64> {
    let page = Mapping::anonymous(PAGE, READ_WRITE, MapFlags::PRIVATE).ok()?;
    // SAFETY: the range is the page mapped above.
    if unsafe { minherit(page.base, PAGE, VM_INHERIT_ZERO) } != 0 {
        return None;
    }
    Some(std::mem::ManuallyDrop::new(page).base.cast())
}

/// Unmaps the page of a mark.
///
/// # Safety
/// `mark` comes from [`new_mark`], and no other code has it.
pub(crate) unsafe fn drop_mark(mark: *mut AtomicU64) {
    drop(Mapping { base: mark.cast(), len: PAGE });
}

pub(super) fn memory_is_limited() -> bool {
    getrlimit(Resource::As).current.is_some() || getrlimit(Resource::Data).current.is_some()
}

pub(super) fn machine_memory() -> u64 {
    let mut bytes = 0u64;
    let mut len = size_of::<u64>();
    // SAFETY: the name ends with a zero byte, and the value is a live variable of `len` bytes.
    let got = unsafe {
        libc::sysctlbyname(c"hw.memsize".as_ptr(), (&raw mut bytes).cast(), &raw mut len, ptr::null_mut(), 0)
    };
    if got == 0 { bytes } else { 0 }
}

pub(super) fn coarse_milliseconds() -> u64 {
    monotonic_nanoseconds() / 1_000_000
}

pub(super) fn this_threads_clock() -> i32 {
    // SAFETY: `pthread_self` returns the calling thread, which is alive during the call.
    unsafe { libc::pthread_mach_thread_np(libc::pthread_self()) as i32 }
}

pub(super) fn read_clock(port: i32) -> Option<Duration> {
    // SAFETY: the structure consists of numbers, for which zeros are valid.
    let mut info: libc::thread_basic_info = unsafe { std::mem::zeroed() };
    let mut words = (size_of::<libc::thread_basic_info>() / size_of::<libc::integer_t>()) as u32;
    // SAFETY: `info` is a live variable of that many words. The port is a plain number, which the system validates.
    let got = unsafe {
        libc::thread_info(
            port as libc::mach_port_t,
            libc::THREAD_BASIC_INFO as u32,
            (&raw mut info).cast(),
            &raw mut words,
        )
    };
    let time = |t: libc::time_value_t| Duration::new(t.seconds as u64, t.microseconds as u32 * 1000);
    (got == libc::KERN_SUCCESS).then(|| time(info.user_time) + time(info.system_time))
}
