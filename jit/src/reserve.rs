//! Host memory for data without an inherent bound: requested before it is used.
//!
//! An ordinary allocation that fails ends the process, and nothing can catch that. So vectors whose length comes from
//! outside (a call, a module, a file) are created by [`filled`] and [`with_room`]. Work with many small allocations,
//! such as a compilation, holds a [`Room`], which tests whether that much memory can be mapped. Code that cannot return
//! an error, such as the parts of a job that all threads share, uses [`carry`]: it raises a panic, and the next guard
//! recovers the error with [`caught`].
//!
//! Files are written by [`write_file`], or piece by piece as a [`BoundedFile`]: the system ends a process that exceeds
//! its file size limit.
//!
//! One risk remains: the system can end a process that uses memory which it was promised.

#![expect(unsafe_code, reason = "allocates zeros")]

use std::alloc::Layout;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};

use bytemuck::Zeroable;

use crate::error::{Error, Result};
use crate::sys::{clock, limits, memory};

/// Returns `count` copies of `value`, or `OutOfMemory`.
pub fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>> {
    let mut out = with_room(count)?;
    out.resize(count, value);
    Ok(out)
}

/// Number of requests that succeed before one fails; if negative, none fails.
static LEFT: AtomicI64 = AtomicI64::new(-1);

/// Makes one memory request of this process fail after the given number of requests, or none, so that tests can prove
/// that each failure becomes an error. If an earlier requested failure has not happened yet, returns the number of
/// requests before it.
pub fn fail_after(requests: Option<u32>) -> Option<u32> {
    u32::try_from(LEFT.swap(requests.map_or(-1, i64::from), Ordering::Relaxed)).ok()
}

/// Text of the error of a simulated failure.
const SIMULATED: &str = "a request that a test made fail";

/// `true` if an error reports the failure that [`fail_after`] requested.
pub fn is_simulated(error: &Error) -> bool {
    matches!(error, Error::OutOfMemory(_) | Error::DeviceLost(_)) && error.to_string().contains(SIMULATED)
}

/// Returns the error of a simulated failure. Every request for memory that may be missing calls this first.
pub fn granted() -> Result<()> {
    let mine = LEFT.load(Ordering::Relaxed) >= 0 && LEFT.fetch_sub(1, Ordering::Relaxed) == 0;
    if mine { Err(Error::OutOfMemory(SIMULATED.into())) } else { Ok(()) }
}

/// Returns `count` zeroed values, or `OutOfMemory`; the host may not have committed their pages yet.
pub fn zeroed<T: Zeroable>(count: usize) -> Result<Vec<T>> {
    let bytes = count as u128 * size_of::<T>() as u128;
    let fail = || Error::OutOfMemory(format!("{bytes} bytes of the host's memory"));
    let layout = Layout::array::<T>(count).map_err(|_| fail())?;
    granted()?;
    if layout.size() == 0 {
        return Ok(std::iter::repeat_with(T::zeroed).take(count).collect());
    }
    // SAFETY: the layout has a nonzero size, checked above.
    let ptr = unsafe { std::alloc::alloc_zeroed(layout) };
    if ptr.is_null() {
        return Err(fail());
    }
    // SAFETY: `ptr` was allocated above with the layout of `count` values, and zero bytes are valid since `T:
    // Zeroable`.
    Ok(unsafe { Vec::from_raw_parts(ptr.cast(), count, count) })
}

/// Returns an empty vector with capacity for `count` values, or `OutOfMemory`.
pub fn with_room<T>(count: usize) -> Result<Vec<T>> {
    let mut out = Vec::new();
    more_room(&mut out, count)?;
    Ok(out)
}

/// Reserves space for exactly `more` further values in `list`, or returns `OutOfMemory`.
pub fn more_room<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    granted()?;
    list.try_reserve_exact(more).map_err(|_| {
        let bytes = (more as u128) * size_of::<T>() as u128;
        Error::OutOfMemory(format!("{bytes} bytes of the host's memory"))
    })
}

/// Reserves space for `more` further values in `list`, with amortized growth.
pub fn grow<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    if list.capacity() - list.len() >= more {
        return Ok(());
    }
    grow_slowly(list, more)
}

#[cold]
fn grow_slowly<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    granted()?;
    list.try_reserve(more).or_else(|_| more_room(list, more))
}

/// Writes a file. Returns an error if the size exceeds the file size limit of the process.
pub fn write_file(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> std::io::Result<()> {
    let bytes = bytes.as_ref();
    if limits::file_bytes().is_some_and(|most| most < bytes.len() as u64) {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    std::fs::write(path, bytes)
}

/// A file that is written piece by piece. Writes beyond the file size limit of the process return an error.
pub struct BoundedFile {
    file: std::fs::File,
    written: u64,
}

impl BoundedFile {
    /// Creates an empty file, or truncates an existing file.
    pub fn create(path: impl AsRef<Path>) -> std::io::Result<BoundedFile> {
        Ok(BoundedFile { file: std::fs::File::create(path)?, written: 0 })
    }
}

impl std::io::Write for BoundedFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let end = self.written.saturating_add(bytes.len() as u64);
        if limits::file_bytes().is_some_and(|most| most < end) {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        let written = self.file.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Returns the value, or panics with the error as payload for the next guard. The panic hook does not run.
pub fn carry<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|e| resume_unwind(Box::new(e)))
}

/// Extracts the error from a caught panic: the error that [`carry`] sent, or `Internal` with the panic's text.
pub fn caught(doing: &str, panic: Box<dyn Any + Send>) -> Error {
    match panic.downcast::<Error>() {
        Ok(e) => *e,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(|s| s.to_string());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Error::Internal(format!("{doing}: {}", text.unwrap_or_else(|| "panic".into())))
        }
    }
}

/// Runs `f`; a panic inside becomes the error that the panic carries, or [`Error::Internal`] with its message.
pub fn guard<T>(doing: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => result,
        Err(payload) => Err(caught(doing, payload)),
    }
}

/// Sum of the bytes of all current [`Room`]s.
static PROMISED: AtomicUsize = AtomicUsize::new(0);

/// Memory that was found to be available, until this is dropped.
///
/// The memory is not reserved: the total of all rooms is mapped and unmapped again, as a test. Only done if the process
/// has a memory limit at which allocations fail.
#[derive(Debug)]
pub struct Room(usize);

/// Last result of [`limits::memory_is_limited`].
static LIMITED: AtomicBool = AtomicBool::new(false);
/// Time of the next such call, in milliseconds since an arbitrary moment. A call takes a hundredth of a small
/// compilation, which would call it several times.
static ASK_AT: AtomicU64 = AtomicU64::new(0);
/// Validity of a result, in milliseconds.
const HOLDS: u64 = 10;

impl Room {
    /// Requests `bytes`; `OutOfMemory` if they are not available. A limit that was set in the last ten milliseconds may
    /// go unnoticed.
    pub fn new(bytes: usize) -> Result<Room> {
        let now = clock::coarse_milliseconds();
        if now >= ASK_AT.load(Ordering::Relaxed) {
            LIMITED.store(limits::memory_is_limited(), Ordering::Relaxed);
            ASK_AT.store(now + HOLDS, Ordering::Relaxed);
        }
        Room::quick(bytes)
    }

    /// Like [`Room::new`], but never checks for a new limit: for time-critical code.
    pub fn quick(bytes: usize) -> Result<Room> {
        granted()?;
        if !LIMITED.load(Ordering::Relaxed) {
            return Ok(Room(0));
        }
        let room = Room(bytes);
        let all = PROMISED.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        match memory::can_map(all.max(1)) {
            Ok(()) => Ok(room),
            Err(e) => Err(Error::OutOfMemory(format!("{bytes} bytes of the host's memory: {e}"))),
        }
    }
}

impl Room {
    /// Both rooms as one.
    pub fn with(mut self, mut more: Room) -> Room {
        self.0 += std::mem::take(&mut more.0);
        self
    }
    /// `true` if the process has a memory limit, so that retained memory is missing elsewhere.
    pub fn is_limited(&self) -> bool {
        self.0 > 0
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if self.0 > 0 {
            PROMISED.fetch_sub(self.0, Ordering::Relaxed);
        }
    }
}

/// Memory that a new thread needs besides its stack. If this allocation fails, the process aborts.
const THREAD_BYTES: usize = 1 << 20;
/// Stack size of a thread without recursive work.
pub const STACK_BYTES: usize = 2 << 20;

/// Starts a thread with a stack of the given size. Returns `OutOfMemory` if there is not enough memory.
pub fn thread<T: Send + 'static>(
    name: &str,
    stack: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>> {
    let _room = Room::new(stack.saturating_add(THREAD_BYTES))?;
    let thread = Builder::new().name(name.into()).stack_size(stack).spawn(work);
    thread.map_err(|e| Error::OutOfMemory(format!("no thread `{name}`: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn what_cannot_be_had_is_an_error() {
        assert_eq!(filled(7u8, 3).unwrap(), [7; 3]);
        assert_eq!(zeroed::<u32>(3).unwrap(), [0; 3]);
        assert_eq!(zeroed::<u32>(0).unwrap(), []);
        for count in [usize::MAX, isize::MAX as usize, 1 << 60] {
            assert!(matches!(filled(0u64, count), Err(Error::OutOfMemory(_))));
            assert!(matches!(zeroed::<u64>(count), Err(Error::OutOfMemory(_))));
        }
    }

    #[test]
    fn errors_pass_through_a_guard() {
        let sent = catch_unwind(|| carry::<()>(Err(Error::OutOfMemory("x".into())))).unwrap_err();
        assert!(matches!(caught("testing", sent), Error::OutOfMemory(m) if m == "x"));
        let text: Box<dyn Any + Send> = Box::new("boom");
        assert!(matches!(caught("testing", text), Error::Internal(m) if m == "testing: boom"));
    }
}
