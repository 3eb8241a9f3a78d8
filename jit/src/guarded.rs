//! Memory between inaccessible pages, for tests: a stray access of generated code faults where it happens.
//!
//! Owns the mode and the mappings. Device memory, descriptor sets and the memory of lane functions take
//! theirs from here while the mode is on; whatever else they do stays the same. [`Guarded`] is an
//! allocation that ends (or starts) right at such a page. What lies between it and the pages, because of
//! its alignment, holds a pattern which is checked at the end. Freed ranges become inaccessible at once and
//! keep their addresses for a while.
//!
//! The mode is one of the process: [`crate::env::GUARD`], or [`enable`] where that is not set. Memory that is
//! allocated before stays as it is.

#![expect(unsafe_code, reason = "maps and protects pages")]

use std::collections::VecDeque;
use std::ffi::c_void;
use std::io;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use rustix::mm;

use crate::env;
pub use crate::env::Guard as Mode;

/// The mode as a number; anything else before somebody asked.
static MODE: AtomicU8 = AtomicU8::new(u8::MAX);

/// The mode.
pub fn mode() -> Mode {
    match MODE.load(Ordering::Relaxed) {
        0 => Mode::Off,
        1 => Mode::End,
        2 => Mode::Start,
        _ => {
            enable(Mode::Off);
            mode()
        }
    }
}

/// Whether there is any guard.
pub fn on() -> bool {
    mode() != Mode::Off
}

/// Sets the mode unless the environment does: for test programs, before they make a device.
pub fn enable(wanted: Mode) {
    MODE.store(env::guard().unwrap_or(wanted) as u8, Ordering::Relaxed);
}

/// What fills the accessible bytes around an allocation.
const CANARY: u8 = 0xca;
/// Freed ranges that stay inaccessible, and their bytes of address space together.
const QUARANTINE_RANGES: usize = 4096;
const QUARANTINE_BYTES: usize = 64 << 30;

/// A mapping by address and length.
struct Range(usize, usize);

#[derive(Default)]
struct Quarantine {
    ranges: VecDeque<Range>,
    bytes: usize,
}

static QUARANTINE: Mutex<Quarantine> = Mutex::new(Quarantine { ranges: VecDeque::new(), bytes: 0 });

/// Zeroed memory between two inaccessible pages.
#[derive(Debug)]
pub struct Guarded {
    /// The whole mapping.
    base: usize,
    len: usize,
    /// Bytes from `base` to the allocation.
    skip: usize,
    size: usize,
}

impl Guarded {
    /// Allocates `size` zero bytes with `pad` bytes behind them that may be read and not written (the
    /// inaccessible page follows these), at a multiple of `align`, a power of two up to a page.
    pub fn new(size: usize, pad: usize, align: usize) -> io::Result<Guarded> {
        Self::placed(size, pad, align, mode() == Mode::Start)
    }

    fn placed(size: usize, pad: usize, align: usize, at_start: bool) -> io::Result<Guarded> {
        let page = rustix::param::page_size();
        debug_assert!(align.is_power_of_two() && align <= page);
        let too_large = || io::Error::from(io::ErrorKind::OutOfMemory);
        let body = size.checked_add(pad).and_then(|n| n.max(1).checked_next_multiple_of(page));
        let body = body.ok_or_else(too_large)?;
        let len = body.checked_add(2 * page).ok_or_else(too_large)?;
        // SAFETY: a new mapping at an address of the system's choice touches nothing that exists.
        let base = unsafe {
            mm::mmap_anonymous(ptr::null_mut(), len, mm::ProtFlags::empty(), mm::MapFlags::PRIVATE)?
        };
        let slack = if at_start { 0 } else { (body - size - pad) & !(align - 1) };
        let guarded = Guarded { base: base as usize, len, skip: page + slack, size };
        // SAFETY: the pages between the first and the last of the mapping made above.
        let done = unsafe {
            mm::mprotect(
                base.cast::<u8>().add(page).cast(),
                body,
                mm::MprotectFlags::READ | mm::MprotectFlags::WRITE,
            )
        };
        if let Err(e) = done {
            // SAFETY: the mapping made above, which nobody else knows of.
            let _ = unsafe { mm::munmap(base, len) };
            std::mem::forget(guarded);
            return Err(e.into());
        }
        guarded.paint();
        Ok(guarded)
    }

    /// Address of the first byte.
    pub fn as_ptr(&self) -> *mut u8 {
        (self.base as *mut u8).wrapping_add(self.skip)
    }

    /// Bytes that may be written.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The accessible bytes before and behind the allocation: address and number.
    fn margins(&self) -> [(*mut u8, usize); 2] {
        let page = rustix::param::page_size();
        let start = (self.base as *mut u8).wrapping_add(page);
        let end = self.skip + self.size;
        [(start, self.skip - page), (self.as_ptr().wrapping_add(self.size), self.len - page - end)]
    }

    /// Makes the bytes zero, and gives their pages back to the host. The addresses stay.
    pub fn clear(&self) {
        let page = rustix::param::page_size();
        let (base, len) = ((self.base as *mut u8).wrapping_add(page), self.len - 2 * page);
        // SAFETY: the accessible pages of this object's private mapping, of which no reference exists:
        // whoever reaches them through a pointer has to expect zeros.
        let _ = unsafe { mm::madvise(base.cast(), len, mm::Advice::LinuxDontNeed) };
        self.paint();
    }

    /// Restores the bytes around the allocation, for those who have reported the damage.
    pub fn repair(&mut self) {
        self.paint();
    }

    fn paint(&self) {
        for (at, n) in self.margins() {
            // SAFETY: inside the accessible pages of the mapping, which is this object's own.
            unsafe { at.write_bytes(CANARY, n) };
        }
    }

    /// Whether somebody wrote right before or right behind the allocation.
    pub fn is_damaged(&self) -> bool {
        self.margins().into_iter().any(|(at, n)| {
            // SAFETY: inside the accessible pages of the mapping, which is this object's own; read byte by
            // byte, since a stray store may be going on.
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
        let base = self.base as *mut c_void;
        // SAFETY: the mapping is this object's own, and its users are gone.
        unsafe {
            let _ = mm::mprotect(base, self.len, mm::MprotectFlags::empty());
            let _ = mm::madvise(base, self.len, mm::Advice::LinuxDontNeed);
        }
        let mut q = QUARANTINE.lock().unwrap_or_else(|e| e.into_inner());
        q.ranges.push_back(Range(self.base, self.len));
        q.bytes += self.len;
        while q.ranges.len() > QUARANTINE_RANGES || q.bytes > QUARANTINE_BYTES {
            let Some(Range(at, len)) = q.ranges.pop_front() else { break };
            q.bytes -= len;
            // SAFETY: the mapping of an object that is gone; only the quarantine knows of it.
            let _ = unsafe { mm::munmap(at as *mut c_void, len) };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn ends_and_starts_at_a_page() {
        let page = rustix::param::page_size();
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
                // SAFETY: inside the allocations.
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
        // SAFETY: still inside the accessible page.
        unsafe {
            *behind = 0;
            assert!(g.is_damaged());
            *behind = CANARY;
        }
        assert!(!g.is_damaged());
    }

    /// The kinds of stray access, each by a name that a child of the test does it by.
    const STRAYS: &[&str] = &["behind", "before", "freed"];

    #[test]
    fn stray_accesses_fault() {
        let child = env::TEST_CHILD;
        if let Some(stray) = child.get() {
            let g = Guarded::placed(4096, 0, 64, false).unwrap();
            let at = g.as_ptr();
            let at = match stray.as_str() {
                "behind" => at.wrapping_add(4096),
                "before" => at.wrapping_sub(1),
                _ => at,
            };
            if stray == "freed" {
                drop(g);
            }
            // SAFETY: none; it is the fault that is wanted, and this process is made for it.
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
            use std::os::unix::process::ExitStatusExt;
            // SIGSEGV, or what a sanitizer makes of it.
            let faulted = child.status.signal() == Some(11)
                || String::from_utf8_lossy(&child.stderr).contains("AddressSanitizer: SEGV");
            assert!(faulted, "{stray}: {child:?}");
        }
    }
}
