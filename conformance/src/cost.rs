//! Cost of an input: memory and CPU time, which must be in proportion to its size.
//!
//! This file counts allocated bytes and CPU time of the whole process and compares them with a [`Share`]. The program
//! makes [`Counting`] its global allocator. Device memory is mapped, not allocated, so it does not count; the heap size
//! limits it. [`crate::targets`] owns the inputs.

#![expect(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quadrille_jit::sys::clock::process_cpu;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The system allocator with a count of the allocated bytes.
pub struct Counting;

fn add(bytes: usize) {
    let now = NOW.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(now, Ordering::Relaxed);
}

fn take(bytes: usize) {
    NOW.fetch_sub(bytes, Ordering::Relaxed);
}

// SAFETY: every call passes its arguments unchanged to the system allocator, which is a valid `GlobalAlloc`.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller promises a layout of nonzero size, as `System` requires.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller promises a layout of nonzero size, as `System` requires.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        take(layout.size());
        // SAFETY: the caller promises a block of this allocator with this layout, and every block comes from `System`.
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist while `System` copies the bytes.
        add(size);
        take(layout.size());
        // SAFETY: the caller promises a block of this allocator with this layout and a valid new size; every block
        // comes from `System`.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// Cost in memory and CPU time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Peak of the allocated bytes, beyond those allocated before.
    pub bytes: usize,
    /// CPU time.
    pub time: Duration,
}

/// Returns the cost of a call. The number of bytes is 0 unless [`Counting`] is the global allocator.
pub fn of(run: impl FnOnce()) -> Cost {
    let (before, start) = (NOW.load(Ordering::Relaxed), process_cpu());
    MOST.store(before, Ordering::Relaxed);
    run();
    let bytes = MOST.load(Ordering::Relaxed).saturating_sub(before);
    Cost { bytes, time: process_cpu().saturating_sub(start) }
}

/// Longest wait that does not count as hung.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// CPU time of the process.
    pub cpu: Duration,
    /// Wall-clock time, of which a process of low priority may get little.
    pub wall: Duration,
}

/// The patience with a submission.
pub const PATIENCE: Patience = Patience { cpu: Duration::from_secs(120), wall: Duration::from_secs(600) };

impl Patience {
    /// Calls `wait`, which waits for as long as its argument says and returns `true` when it is over, until it is. Returns
    /// `false` if it counts as hung.
    ///
    /// # Errors
    /// The error of a wait.
    pub fn wait<E>(self, mut wait: impl FnMut(Duration) -> Result<bool, E>) -> Result<bool, E> {
        let (cpu, begun) = (process_cpu(), Instant::now());
        while process_cpu().saturating_sub(cpu) < self.cpu && begun.elapsed() < self.wall {
            if wait(self.wall / 100)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Memory and CPU time that inputs may take.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Constant part, independent of the size of the input: devices, pipelines, execution of shaders.
    pub free: Cost,
    /// Part for each byte of the input's size.
    pub each: Cost,
}

impl Share {
    /// Returns the share of an input with a size of `size` bytes.
    pub fn of(&self, size: usize) -> Cost {
        let times = u32::try_from(size).unwrap_or(u32::MAX);
        Cost {
            bytes: self.each.bytes.saturating_mul(size).saturating_add(self.free.bytes),
            time: self.each.time.saturating_mul(times).saturating_add(self.free.time),
        }
    }

    /// Compares the cost of an input with a size of `size` bytes with its share.
    ///
    /// # Errors
    /// Text that gives a cost above the share.
    pub fn judge(&self, size: usize, cost: Cost) -> Result<(), String> {
        let most = self.of(size);
        match cost.bytes <= most.bytes && cost.time <= most.time {
            true => Ok(()),
            false => Err(format!("{size} bytes of input took {cost:?}, more than {most:?}")),
        }
    }
}
