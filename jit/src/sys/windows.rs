//! Windows.

use std::ffi::c_void;
use std::io;
use std::ptr;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use once_cell::race::OnceBox;
use windows_sys::Win32::Foundation::{CloseHandle, FILETIME, HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::Debug::FlushInstructionCache;
use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_EXECUTE, FILE_MAP_READ, FILE_MAP_WRITE, MEM_COMMIT, MEM_DECOMMIT,
    MEM_RELEASE, MEM_RESERVE, MEMORY_MAPPED_VIEW_ADDRESS, MapViewOfFile, PAGE_EXECUTE_READWRITE,
    PAGE_READWRITE, UnmapViewOfFile, VirtualAlloc, VirtualFree,
};
use windows_sys::Win32::System::Performance::{QueryPerformanceCounter, QueryPerformanceFrequency};
use windows_sys::Win32::System::SystemInformation::{
    GetSystemInfo, GetTickCount64, GlobalMemoryStatusEx, MEMORYSTATUSEX, SYSTEM_INFO,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetCurrentThreadId, GetProcessTimes, GetThreadTimes, OpenThread,
    THREAD_QUERY_LIMITED_INFORMATION,
};

use super::memory::Backing;

/// The error of a call that returned null or false.
fn last<T>() -> io::Result<T> {
    Err(io::Error::last_os_error())
}

#[inline]
pub(super) fn page_size() -> usize {
    static SIZE: OnceBox<usize> = OnceBox::new();
    *SIZE.get_or_init(|| {
        // SAFETY: the structure consists of numbers and addresses, for which zeros are valid.
        let mut info: SYSTEM_INFO = unsafe { std::mem::zeroed() };
        // SAFETY: `info` is a live variable, which the call fills.
        unsafe { GetSystemInfo(&raw mut info) };
        Box::new(info.dwPageSize as usize)
    })
}

/// The system provides memory when a page is touched, but promises all of it in both cases: where a program may touch
/// any page, addresses without a promise would need a handler of faults.
pub(super) fn map(len: usize, backing: Backing) -> io::Result<*mut u8> {
    let kind = match backing {
        Backing::Promised | Backing::Untouched => MEM_RESERVE | MEM_COMMIT,
        Backing::Inaccessible => MEM_RESERVE,
    };
    // SAFETY: the system chooses unused addresses.
    let at = unsafe { VirtualAlloc(ptr::null(), len, kind, PAGE_READWRITE) };
    if at.is_null() { last() } else { Ok(at.cast()) }
}

/// # Safety
/// The requirements of [`super::memory::unmap`].
pub(super) unsafe fn unmap(at: *mut u8, _len: usize) -> io::Result<()> {
    // SAFETY: promised by the caller; a length of 0 means the whole allocation.
    if unsafe { VirtualFree(at.cast(), 0, MEM_RELEASE) } == 0 { last() } else { Ok(()) }
}

/// The system cannot replace pages by zeros at once: in between, accesses by other threads would fault.
///
/// # Safety
/// None needed.
pub(super) unsafe fn give_back(_: *mut u8, _: usize) -> bool {
    false
}

/// # Safety
/// The requirements of [`super::memory::protect`].
pub(super) unsafe fn protect(at: *mut u8, len: usize, accessible: bool) -> io::Result<()> {
    let done = if accessible {
        // SAFETY: promised by the caller; the pages are reserved.
        !unsafe { VirtualAlloc(at.cast(), len, MEM_COMMIT, PAGE_READWRITE) }.is_null()
    } else {
        // SAFETY: promised by the caller; every access to reserved pages faults.
        unsafe { VirtualFree(at.cast(), len, MEM_DECOMMIT) != 0 }
    };
    if done { Ok(()) } else { last() }
}

/// # Safety
/// None needed: programs need a privilege for large pages.
pub(super) unsafe fn prefer_huge(_: *mut u8, _: usize) {}

/// A view of a section; unmapped when dropped.
struct View(*mut c_void);

impl View {
    fn new(section: HANDLE, access: u32, len: usize) -> io::Result<View> {
        // SAFETY: the system chooses unused addresses, and checks the handle.
        let view = unsafe { MapViewOfFile(section, access, 0, 0, len) };
        if view.Value.is_null() { last() } else { Ok(View(view.Value)) }
    }

    fn at(&self, offset: usize) -> *mut u8 {
        self.0.cast::<u8>().wrapping_add(offset)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: this value owns the view, and no addresses into it remain.
        unsafe { UnmapViewOfFile(MEMORY_MAPPED_VIEW_ADDRESS { Value: self.0 }) };
    }
}

/// Code pages, mapped twice: writable at one address, executable at another. No page is both, and no page changes its
/// rights.
pub(crate) struct CodePages {
    write: View,
    exec: View,
    len: usize,
}

impl CodePages {
    /// Maps pages of at least `len` bytes.
    pub fn map(len: usize) -> io::Result<CodePages> {
        let len = len.next_multiple_of(page_size());
        let (high, low) = ((len as u64 >> 32) as u32, len as u32);
        // SAFETY: without a file the section has memory of its own; null means no name and the usual security.
        let section = unsafe {
            CreateFileMappingW(
                INVALID_HANDLE_VALUE,
                ptr::null(),
                PAGE_EXECUTE_READWRITE,
                high,
                low,
                ptr::null(),
            )
        };
        if section.is_null() {
            return last();
        }
        let views = View::new(section, FILE_MAP_READ | FILE_MAP_WRITE, len)
            .and_then(|write| Ok((write, View::new(section, FILE_MAP_READ | FILE_MAP_EXECUTE, len)?)));
        // SAFETY: the handle was created above; the views keep the section.
        unsafe { CloseHandle(section) };
        let (write, exec) = views?;
        Ok(CodePages { write, exec, len })
    }

    /// Size in bytes.
    pub fn len(&self) -> usize {
        self.len
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
        // SAFETY: the range lies within the executable view.
        let done = unsafe { FlushInstructionCache(GetCurrentProcess(), self.exec.at(at).cast(), code.len()) };
        if done == 0 { last() } else { Ok(()) }
    }
}

/// A word that is never zeroed: this system has no children that inherit memory.
pub(crate) fn new_mark() -> Option<*mut AtomicU64> {
    Some(Box::into_raw(Box::default()))
}

/// Does nothing, since this system has no `fork`.
pub(crate) fn before_forks(_: extern "C" fn()) {}

/// Frees the word of a mark.
///
/// # Safety
/// `mark` comes from [`new_mark`], and no other code has it.
pub(crate) unsafe fn drop_mark(mark: *mut AtomicU64) {
    // SAFETY: promised by the caller; `new_mark` made a box.
    drop(unsafe { Box::from_raw(mark) });
}

pub(super) fn memory_is_limited() -> bool {
    false
}

pub(super) fn file_bytes() -> Option<u64> {
    None
}

pub(super) fn machine_memory() -> u64 {
    // SAFETY: the structure consists of numbers, for which zeros are valid.
    let mut status: MEMORYSTATUSEX = unsafe { std::mem::zeroed() };
    status.dwLength = size_of::<MEMORYSTATUSEX>() as u32;
    // SAFETY: `status` is a live variable of the length that it states.
    if unsafe { GlobalMemoryStatusEx(&raw mut status) } == 0 { 0 } else { status.ullTotalPhys }
}

/// Times of a thread or a process, in tenths of a microsecond: creation, exit, kernel, user.
fn times(read: impl FnOnce([*mut FILETIME; 4]) -> i32) -> Option<[u64; 4]> {
    let mut all = [FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 }; 4];
    let [a, b, c, d] = &mut all;
    if read([a, b, c, d]) == 0 {
        return None;
    }
    Some(all.map(|t| u64::from(t.dwHighDateTime) << 32 | u64::from(t.dwLowDateTime)))
}

fn cpu_of([_, _, kernel, user]: [u64; 4]) -> Duration {
    let tenths = kernel.saturating_add(user);
    Duration::from_secs(tenths / 10_000_000) + Duration::from_nanos(tenths % 10_000_000 * 100)
}

fn thread_times(thread: HANDLE) -> Option<[u64; 4]> {
    // SAFETY: the four pointers are to live variables; the system checks the handle.
    times(|[a, b, c, d]| unsafe { GetThreadTimes(thread, a, b, c, d) })
}

/// GetThreadTimes counts ticks of about 16 ms.
pub(super) const FINE_THREAD_CPU: bool = false;

pub(super) fn thread_cpu() -> Duration {
    // SAFETY: the call has no requirements.
    thread_times(unsafe { GetCurrentThread() }).map(cpu_of).unwrap_or_default()
}

pub(super) fn process_cpu() -> Duration {
    // SAFETY: the four pointers are to live variables, and the handle is the process's own.
    let all = times(|[a, b, c, d]| unsafe { GetProcessTimes(GetCurrentProcess(), a, b, c, d) });
    all.map(cpu_of).unwrap_or_default()
}

pub(super) fn coarse_milliseconds() -> u64 {
    // SAFETY: the call has no requirements.
    unsafe { GetTickCount64() }
}

pub(super) fn monotonic_nanoseconds() -> u64 {
    let (mut count, mut frequency) = (0i64, 0i64);
    // SAFETY: both pointers are to live variables.
    unsafe {
        QueryPerformanceCounter(&raw mut count);
        QueryPerformanceFrequency(&raw mut frequency);
    }
    (count.unsigned_abs() as u128 * 1_000_000_000 / u128::from(frequency.unsigned_abs().max(1))) as u64
}

pub(super) fn this_threads_clock() -> i32 {
    // SAFETY: the call has no requirements.
    unsafe { GetCurrentThreadId() as i32 }
}

pub(super) fn read_clock(thread: i32) -> Option<Duration> {
    // SAFETY: the number is plain, and the system validates it.
    let handle = unsafe { OpenThread(THREAD_QUERY_LIMITED_INFORMATION, 0, thread as u32) };
    if handle.is_null() {
        return None;
    }
    let all = thread_times(handle);
    // SAFETY: the handle was opened above.
    unsafe { CloseHandle(handle) };
    // A thread that has ended has a time of its exit.
    all.filter(|[_, exit, ..]| *exit == 0).map(cpu_of)
}
