//! Memory between inaccessible pages, for tests: a stray access of generated code faults immediately.
//!
//! Owns the guard mode and the mappings. While the mode is on, device memory, descriptor sets and the memory of lane
//! functions are allocated here; their behaviour is otherwise unchanged. [`Guarded`] is an allocation that ends (or
//! starts) directly at an inaccessible page. Alignment may leave a margin between the allocation and the pages; a
//! pattern in the margin is checked when the allocation is freed. Freed ranges become inaccessible immediately, and
//! their addresses are not reused for a while.
//!
//! The mode applies to the whole process: [`crate::env::GUARD`], or [`enable`] if that is not set. Memory that was
//! allocated earlier is not affected.

#![expect(unsafe_code, reason = "maps and protects pages")]

use std::collections::VecDeque;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::env;
pub use crate::env::Guard as Mode;
use crate::process::PerProcess;
use crate::sys::memory::{self, Backing};

/// The mode as a number; `u8::MAX` until the first query.
static MODE: AtomicU8 = AtomicU8::new(u8::MAX);

/// Returns the guard mode.
#[inline]
pub fn mode() -> Mode {
    match MODE.load(Ordering::Relaxed) {
        0 => Mode::Off,
        1 => Mode::End,
        2 => Mode::Start,
        _ => first_mode(),
    }
}

/// The guard mode, which the first query sets.
#[cold]
fn first_mode() -> Mode {
    enable(Mode::Off);
    mode()
}

/// Returns true if guard pages are in use.
#[inline]
pub fn on() -> bool {
    mode() != Mode::Off
}

/// Sets the mode, unless the environment sets it: for test programs, before they create a device.
pub fn enable(wanted: Mode) {
    MODE.store(env::guard().unwrap_or(wanted) as u8, Ordering::Relaxed);
}

/// Fill value of the accessible bytes around an allocation.
const CANARY: u8 = 0xca;
/// Maximum number of freed ranges that stay inaccessible, and maximum size of their address space in bytes.
const QUARANTINE_RANGES: usize = 4096;
const QUARANTINE_BYTES: usize = 64 << 30;

/// Address and length of a mapping.
struct Range(usize, usize);

#[derive(Default)]
struct Quarantine {
    ranges: VecDeque<Range>,
    bytes: usize,
}

static QUARANTINE: PerProcess<Mutex<Quarantine>> = PerProcess::new();

/// Zeroed memory between two inaccessible pages.
#[derive(Debug)]
pub struct Guarded {
    /// Address and length of the whole mapping.
    base: usize,
    len: usize,
    /// Bytes from `base` to the allocation.
    skip: usize,
    size: usize,
}

impl Guarded {
    /// Allocates `size` zero bytes at a multiple of `align`, a power of two up to a page. The next `pad` bytes may be
    /// read but not written, and the inaccessible page follows them.
    pub fn new(size: usize, pad: usize, align: usize) -> io::Result<Guarded> {
        Self::placed(size, pad, align, mode() == Mode::Start)
    }

    fn placed(size: usize, pad: usize, align: usize, at_start: bool) -> io::Result<Guarded> {
        let page = memory::page_size();
        debug_assert!(align.is_power_of_two() && align <= page);
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        let body = size.checked_add(pad).and_then(|n| n.max(1).checked_next_multiple_of(page));
        let body = body.ok_or_else(too_large)?;
        let len = body.checked_add(2 * page).ok_or_else(too_large)?;
        let base = memory::map(len, Backing::Inaccessible)?;
        let slack = if at_start { 0 } else { (body - size - pad) & !(align - 1) };
        let guarded = Guarded { base: base as usize, len, skip: page + slack, size };
        // SAFETY: `page..page + body` is the interior of the mapping of `body + 2 * page` bytes created above.
        let done = unsafe { memory::protect(base.add(page), body, true) };
        if let Err(e) = done {
            // SAFETY: the mapping was created above, and `guarded`, the only other copy of its address, is forgotten.
            let _ = unsafe { memory::unmap(base, len) };
            std::mem::forget(guarded);
            return Err(e);
        }
        guarded.paint();
        Ok(guarded)
    }

    /// Address of the first byte.
    pub fn as_ptr(&self) -> *mut u8 {
        (self.base as *mut u8).wrapping_add(self.skip)
    }

    /// Number of writable bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Address and size of the accessible bytes before and after the allocation.
    fn margins(&self) -> [(*mut u8, usize); 2] {
        let page = memory::page_size();
        let start = (self.base as *mut u8).wrapping_add(page);
        let end = self.skip + self.size;
        [(start, self.skip - page), (self.as_ptr().wrapping_add(self.size), self.len - page - end)]
    }

    /// Zeroes the bytes and returns their pages to the host. The addresses stay valid.
    pub fn clear(&self) {
        let page = memory::page_size();
        let (base, len) = ((self.base as *mut u8).wrapping_add(page), self.len - 2 * page);
        // SAFETY: the range is the accessible part of this object's private mapping. No Rust references into it exist,
        // and users of pointers into it must expect zeros.
        unsafe {
            if !memory::give_back(base, len) {
                base.write_bytes(0, len);
            }
        }
        self.paint();
    }

    /// Restores the bytes around the allocation, for callers that have reported the damage.
    pub fn repair(&mut self) {
        self.paint();
    }

    fn paint(&self) {
        for (at, n) in self.margins() {
            // SAFETY: `margins` returns ranges inside the accessible pages of this object's mapping.
            unsafe { at.write_bytes(CANARY, n) };
        }
    }

    /// Returns true if bytes directly before or after the allocation were written.
    pub fn is_damaged(&self) -> bool {
        self.margins().into_iter().any(|(at, n)| {
            // SAFETY: `margins` returns ranges inside the accessible pages of this object's mapping. The read is
            // volatile, since a stray store may happen concurrently.
            (0..n).any(|i| unsafe { at.add(i).read_volatile() } != CANARY)
        })
    }
}

impl Drop for Guarded {
    /// Ends the process if the bytes around the allocation were written.
    fn drop(&mut self) {
        if self.is_damaged() {
            let size = self.size;
            crate::terminal::to_stderr(format_args!(
                "quadrille: written outside of an allocation of {size} bytes"
            ));
            std::process::abort();
        }
        // SAFETY: this object owns the mapping, and `drop` has exclusive access to it.
        let _ = unsafe { memory::protect(self.base as *mut u8, self.len, false) };
        let mut q = QUARANTINE.get().lock().unwrap_or_else(|e| e.into_inner());
        q.ranges.push_back(Range(self.base, self.len));
        q.bytes += self.len;
        while q.ranges.len() > QUARANTINE_RANGES || q.bytes > QUARANTINE_BYTES {
            let Some(Range(at, len)) = q.ranges.pop_front() else { break };
            q.bytes -= len;
            // SAFETY: the object that owned the mapping has been dropped, and the quarantine holds the only copy of its
            // address.
            let _ = unsafe { memory::unmap(at as *mut u8, len) };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn ends_and_starts_at_a_page() {
        let page = memory::page_size();
        for (size, align) in [(1, 64), (64, 64), (100, 16), (4096, 64), (70_000, 64)] {
            let end = Guarded::placed(size, 64, align, false).unwrap();
            let at = end.as_ptr() as usize;
            assert!(
                at.is_multiple_of(align)
                    && (at + size + 64).next_multiple_of(page) - (at + size + 64) < align
            );
            let start = Guarded::placed(size, 64, align, true).unwrap();
            assert!((start.as_ptr() as usize).is_multiple_of(page));
            for g in [&end, &start] {
                // SAFETY: the first and the last byte of an allocation of `size` bytes.
                unsafe {
                    assert_eq!((*g.as_ptr(), *g.as_ptr().add(size - 1)), (0, 0));
                    *g.as_ptr() = 1;
                    *g.as_ptr().add(size - 1) = 1;
                }
                assert!(!g.is_damaged());
            }
        }
    }

    #[test]
    fn a_write_behind_the_end_is_seen() {
        let g = Guarded::placed(100, 64, 64, false).unwrap();
        let behind = g.as_ptr().wrapping_add(100);
        // SAFETY: the byte lies in the margin, which is in an accessible page.
        unsafe {
            *behind = 0;
            assert!(g.is_damaged());
            *behind = CANARY;
        }
        assert!(!g.is_damaged());
    }

    /// Kinds of stray access, by the name that tells a child process which access to make.
    const STRAYS: &[&str] = &["behind", "before", "freed"];

    #[test]
    fn stray_accesses_fault() {
        let child = env::TEST_CHILD;
        if let Some(stray) = child.get() {
            let page = memory::page_size();
            let g = Guarded::placed(page, 0, 64, false).unwrap();
            let at = g.as_ptr();
            let at = match stray.as_str() {
                "behind" => at.wrapping_add(page),
                "before" => at.wrapping_sub(1),
                _ => at,
            };
            if stray == "freed" {
                drop(g);
            }
            // SAFETY: none; the access must fault, and this process exists only for that.
            let value = unsafe { at.read_volatile() };
            println!("read {value}");
            std::process::exit(0);
        }
        for stray in STRAYS {
            let exe = std::env::current_exe().unwrap();
            let child = Command::new(exe)
                .args(["guarded::tests::stray_accesses_fault", "--exact", "--nocapture"])
                .env(child.name, stray)
                .output()
                .unwrap();
            // A signal ends the process without a code, an exception of Windows with its number; or a sanitizer reports.
            let faulted = child.status.code().is_none_or(|code| code as u32 == 0xc000_0005)
                || String::from_utf8_lossy(&child.stderr).contains("AddressSanitizer: SEGV");
            assert!(faulted, "{stray}: {child:?}");
        }
    }
}
