//! The cost of an input: bytes of memory and CPU time that it takes, which are in proportion to its length.
//!
//! This file counts, for the whole process, what is had at a time from the allocator ([`Counting`], which the program
//! makes its global allocator) and what all threads compute, and says whether that is more than a [`Share`]. Memory of
//! devices is mapped, not allocated: it has heaps with a size. What is done with an input is for others.

#![expect(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counted.
pub struct Counting;

fn add(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(now, Ordering::Relaxed);
}

fn take(bytes: usize) {
    NOW.fetch_sub(bytes, Ordering::Relaxed);
}

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller vouches.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller vouches.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        take(layout.size());
        // SAFETY: as the caller vouches.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both are there while the bytes are copied.
        add(size);
        take(layout.size());
        // SAFETY: as the caller vouches.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// CPU time of all threads of the process.
fn cpu_time() -> Duration {
    let t = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(t.tv_sec.unsigned_abs(), t.tv_nsec.unsigned_abs() as u32)
}

/// Memory and time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The most bytes that were had at a time, beside those from before.
    pub bytes: usize,
    /// CPU time.
    pub time: Duration,
}

/// The cost of something; bytes are 0 without [`Counting`].
pub fn of(run: impl FnOnce()) -> Cost {
    let (before, start) = (NOW.load(Ordering::Relaxed), cpu_time());
    MOST.store(before, Ordering::Relaxed);
    run();
    let bytes = MOST.load(Ordering::Relaxed).saturating_sub(before);
    Cost { bytes, time: cpu_time().saturating_sub(start) }
}

/// What inputs may take.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Whatever the length of the input: devices, pipelines, shaders that run.
    pub free: Cost,
    /// For each byte of the input.
    pub each: Cost,
}

impl Share {
    /// What an input of so many bytes may take.
    pub fn of(&self, length: usize) -> Cost {
        let times = u32::try_from(length).unwrap_or(u32::MAX);
        Cost {
            bytes: self.each.bytes.saturating_mul(length).saturating_add(self.free.bytes),
            time: self.each.time.saturating_mul(times).saturating_add(self.free.time),
        }
    }

    /// Runs an input of so many bytes.
    ///
    /// # Panics
    /// Where it takes more than its share.
    pub fn hold(&self, length: usize, run: impl FnOnce()) {
        let (cost, most) = (of(run), self.of(length));
        let is_less = cost.bytes <= most.bytes && cost.time <= most.time;
        assert!(is_less, "{length} bytes of input took {cost:?}, more than {most:?}");
    }
}
