//! Linux.

use std::io::{self, Read as _};
use std::ptr;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use once_cell::race::OnceBool;
use rustix::mm::{self, Advice, MapFlags, MprotectFlags, MremapFlags};
use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

pub(crate) use super::unix::before_forks;
pub(super) use super::unix::{
    FINE_THREAD_CPU, file_bytes, map, monotonic_nanoseconds, page_size, process_cpu, protect, thread_cpu,
    unmap,
};
use super::unix::{Mapping, READ_WRITE};

/// # Safety
/// The requirements of [`super::memory::give_back`].
pub(super) unsafe fn give_back(at: *mut u8, len: usize) -> bool {
    // SAFETY: promised by the caller. `LinuxDontNeed` makes private pages zero when they are next accessed; the kernel
    // refuses locked pages.
    unsafe { mm::madvise(at.cast(), len, Advice::LinuxDontNeed) }.is_ok()
}

/// Returns the memory of pages that were made inaccessible.
///
/// # Safety
/// The requirements of [`super::memory::protect`].
pub(super) unsafe fn forget(at: *mut u8, len: usize) {
    // SAFETY: promised by the caller; no code reads the bytes any more.
    let _ = unsafe { mm::madvise(at.cast(), len, Advice::LinuxDontNeed) };
}

/// # Safety
/// The requirements of [`super::memory::prefer_huge`].
pub(super) unsafe fn prefer_huge(at: *mut u8, len: usize) {
    // SAFETY: promised by the caller; the advice does not change the bytes.
    let _ = unsafe { mm::madvise(at.cast(), len, Advice::LinuxHugepage) };
}

/// Code pages, mapped twice: writable at one address, executable at another. No page is both, and no page changes its
/// rights: a change of rights per block would interrupt every processor that runs a thread of the process, for as long
/// as a small compilation takes.
pub(crate) struct CodePages {
    write: Mapping,
    exec: Mapping,
}

impl CodePages {
    /// Maps pages of at least `len` bytes. The memory has no file that a file size limit could apply to.
    pub fn map(len: usize) -> io::Result<CodePages> {
        let len = len.next_multiple_of(page_size());
        let write = Mapping::anonymous(len, READ_WRITE, MapFlags::SHARED | MapFlags::NORESERVE)?;
        // SAFETY: with an old length of zero, `mremap` leaves the shared mapping in place and maps its pages a second
        // time.
        let base = unsafe { mm::mremap(write.base, 0, len, MremapFlags::MAYMOVE)? };
        let exec = Mapping { base, len };
        // SAFETY: the range is the second mapping, created above; nothing else has its address yet.
        unsafe { mm::mprotect(exec.base, len, MprotectFlags::READ | MprotectFlags::EXEC)? };
        Ok(CodePages { write, exec })
    }

    /// Size in bytes.
    pub fn len(&self) -> usize {
        self.exec.len
    }

    /// Address at which the byte `at` is executed.
    pub fn entry(&self, at: usize) -> *const u8 {
        self.exec.at(at)
    }

    /// Copies code to the bytes from `at` on, so that every thread that learns its address afterwards executes it.
    ///
    /// # Safety
    /// The bytes lie within the pages. No thread executes them, and no other call writes them at the same time.
    pub unsafe fn publish(&self, at: usize, code: &[u8]) -> io::Result<()> {
        // SAFETY: promised by the caller; the two ranges are different memory.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), self.write.at(at), code.len()) };
        // SAFETY: the range lies within the executable mapping, which is readable.
        unsafe { made_visible(self.exec.at(at), code.len()) }
    }
}

/// Processors of this family fetch what any of them has stored.
///
/// # Safety
/// None needed.
#[cfg(target_arch = "x86_64")]
unsafe fn made_visible(_: *mut u8, _: usize) -> io::Result<()> {
    Ok(())
}

/// Cleans and invalidates the caches, and makes every other processor discard what it has fetched ahead.
///
/// # Safety
/// The range is readable.
#[cfg(target_arch = "aarch64")]
unsafe fn made_visible(at: *mut u8, len: usize) -> io::Result<()> {
    use rustix::io::Errno;
    use rustix::thread::{MembarrierCommand, membarrier};

    // SAFETY: promised by the caller.
    unsafe { super::aarch64::clean_and_invalidate(at, len) };
    let others = || membarrier(MembarrierCommand::PrivateExpeditedSyncCore);
    let done = match others() {
        // The process has not registered yet.
        Err(Errno::PERM) => {
            membarrier(MembarrierCommand::RegisterPrivateExpeditedSyncCore).and_then(|()| others())
        }
        done => done,
    };
    done.map_err(|e| {
        let text = format!("the kernel cannot synchronize the processors (membarrier of Linux 4.16): {e}");
        io::Error::new(io::ErrorKind::Unsupported, text)
    })
}

/// No code is generated for other processors.
///
/// # Safety
/// None needed.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
unsafe fn made_visible(_: *mut u8, _: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Minimum length of a mapping; the kernel rounds up.
const PAGE: usize = 4096;

/// Maps a zeroed page that is zero again in a child. `None` on kernels before 4.14, and if memory runs out.
pub(crate) fn new_mark() -> Option<*mut AtomicU64> {
    let page = Mapping::anonymous(PAGE, READ_WRITE, MapFlags::PRIVATE).ok()?;
    // SAFETY: the range is the page mapped above.
    unsafe { mm::madvise(page.base, PAGE, Advice::LinuxWipeOnFork) }.ok()?;
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
    static STRICT: OnceBool = OnceBool::new();
    let strict = || {
        let mut mode = [0];
        let file = std::fs::File::open("/proc/sys/vm/overcommit_memory");
        file.and_then(|mut file| file.read(&mut mode)).is_ok() && mode == *b"2"
    };
    getrlimit(Resource::As).current.is_some()
        || getrlimit(Resource::Data).current.is_some()
        || STRICT.get_or_init(strict)
}

pub(super) fn machine_memory() -> u64 {
    let host = rustix::system::sysinfo();
    host.totalram * u64::from(host.mem_unit)
}

pub(super) fn coarse_milliseconds() -> u64 {
    let t = clock_gettime(ClockId::MonotonicCoarse);
    t.tv_sec.unsigned_abs().wrapping_mul(1000) + t.tv_nsec.unsigned_abs() / 1_000_000
}

pub(super) fn this_threads_clock() -> i32 {
    let mut id = libc::CLOCK_PROCESS_CPUTIME_ID;
    // SAFETY: `pthread_self` returns the calling thread, which is alive during the call, and `id` is a live local
    // variable.
    let got = unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &raw mut id) };
    if got == 0 { id } else { libc::CLOCK_PROCESS_CPUTIME_ID }
}

pub(super) fn read_clock(id: i32) -> Option<Duration> {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a live local variable. The clock id is a plain number, which the system validates.
    let got = unsafe { libc::clock_gettime(id, &raw mut t) };
    (got == 0).then(|| Duration::new(t.tv_sec as u64, t.tv_nsec as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_never_writable() {
        let pages = CodePages::map(1).unwrap();
        // SAFETY: only this test uses the pages.
        unsafe { pages.publish(0, &[0xc3; 100]).unwrap() };
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let entry = pages.entry(0) as usize;
        let rights = maps.lines().find_map(|line| {
            let (range, rest) = line.split_once(' ')?;
            let (start, end) = range.split_once('-')?;
            let at = |text| usize::from_str_radix(text, 16).ok();
            (at(start)?..at(end)?).contains(&entry).then(|| rest[..4].to_string())
        });
        assert_eq!(rights.as_deref(), Some("r-xs"));
        let writable_code = |line: &&str| line.split(' ').nth(1).is_some_and(|r| r.starts_with("rwx"));
        assert_eq!(maps.lines().find(writable_code), None);
    }
}
