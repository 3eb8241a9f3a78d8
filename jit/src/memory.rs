//! Executable memory. Owns the pages that generated code lies in; knows nothing of its contents.
//!
//! Code from all variants shares arenas. A [`CodeBlock`] has pages of its own in one: they are writable
//! while the code is copied in, executable from then on, and never both, so that writing one block takes
//! no right away from another that runs. The pages of a freed block serve later code; a block therefore
//! lives as long as anyone may be inside it.
//!
//! # Why private pages
//!
//! A memory file mapped twice, writable at one address and executable at another, would pack blocks
//! tighter and needs no change of rights. But both mappings are shared with the children of `fork`, whose
//! allocators know nothing of each other: each hands out space in which the other's code runs, and no
//! handler at `fork` can prevent all of it, since other system calls make children too. Such a file also
//! grows under the limit of file sizes, past which the system ends the process. Anonymous private pages
//! are each process's own from the first write after a `fork` on, whoever forks.
//!
//! The cost is a call of `mprotect` per block, two where a freed block lay, which is a few microseconds
//! beside a compilation, and half a page of waste on average. Systems whose policy forbids to make written pages executable (SELinux without
//! `execmem`, systemd's `MemoryDenyWriteExecute`) get an error that says so.
//!
//! A child leaves the free space of inherited arenas alone, because a thread that the child does not have
//! may have held their locks.

#![expect(unsafe_code, reason = "maps and writes executable pages")]

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};

use crate::process::{PerProcess, Process};
use crate::{Error, Result};

const ARENA_BYTES: usize = 4 << 20;
/// Rights change by the page; a multiple of every page size of the hosts.
const PAGE: usize = if cfg!(target_arch = "x86_64") { 4096 } else { 65536 };
/// Of the first instruction.
const ALIGN: usize = 64;

struct Arena {
    base: *mut u8,
    len: usize,
    /// Where it was made.
    process: Process,
    free: Mutex<Free>,
}

/// What nobody uses of an arena.
struct Free {
    /// Ranges (offset, length) of whole pages, sorted, never adjacent.
    ranges: Vec<(usize, usize)>,
    /// Pages from here on are as they were mapped: writable.
    fresh: usize,
}

// SAFETY: the pages are reached through the blocks only, each of which has its own.
unsafe impl Send for Arena {}
// SAFETY: as above; the free list has a lock.
unsafe impl Sync for Arena {}

impl Arena {
    fn new(len: usize) -> rustix::io::Result<Arena> {
        let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: a new mapping where the kernel likes.
        let base = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, rights, flags)? };
        // A large page would be filled with zeros for one small block and then split. Kernels without
        // large pages refuse the advice and need none.
        // SAFETY: the mapping made above.
        let _ = unsafe { rustix::mm::madvise(base, len, Advice::LinuxNoHugepage) };
        let free = Mutex::new(Free { ranges: vec![(0, len)], fresh: 0 });
        Ok(Arena { base: base.cast(), len, process: Process::current(), free })
    }

    /// A free range of so many bytes: its offset, and whether its pages are writable already.
    fn take(&self, size: usize) -> Option<(usize, bool)> {
        let mut free = self.free.lock().unwrap_or_else(|e| e.into_inner());
        let Free { ranges, fresh } = &mut *free;
        let i = ranges.iter().position(|&(_, len)| len >= size)?;
        let (at, len) = ranges[i];
        if len == size {
            ranges.remove(i);
        } else {
            ranges[i] = (at + size, len - size);
        }
        let writable = at >= *fresh;
        *fresh = (*fresh).max(at + size);
        Some((at, writable))
    }

    fn give(&self, at: usize, size: usize) {
        let mut free = self.free.lock().unwrap_or_else(|e| e.into_inner());
        let free = &mut free.ranges;
        let i = free.partition_point(|&(o, _)| o < at);
        free.insert(i, (at, size));
        if i + 1 < free.len() && at + size == free[i + 1].0 {
            free[i].1 += free[i + 1].1;
            free.remove(i + 1);
        }
        if i > 0 && free[i - 1].0 + free[i - 1].1 == free[i].0 {
            free[i - 1].1 += free[i].1;
            free.remove(i);
        }
    }

    /// Changes the rights to whole pages.
    ///
    /// # Safety
    /// The range was taken from this arena, and nobody runs code in it.
    unsafe fn protect(&self, at: usize, size: usize, rights: MprotectFlags) -> Result<()> {
        debug_assert!(at.is_multiple_of(PAGE) && size.is_multiple_of(PAGE) && at + size <= self.len);
        let start = self.base.wrapping_add(at).cast::<c_void>();
        // SAFETY: inside the mapping, which stays; the caller has the range to itself.
        unsafe { rustix::mm::mprotect(start, size, rights) }.map_err(|e| match e {
            rustix::io::Errno::ACCESS | rustix::io::Errno::PERM => {
                Error::unsupported(format!("this system does not let a process make code executable: {e}"))
            }
            e => Error::OutOfMemory(format!("executable memory: {e}")),
        })
    }
}

/// A range of pages with space for `size` bytes: its arena, its offset, and whether it is writable already.
fn take(size: usize) -> Result<(Arc<Arena>, usize, bool)> {
    static ARENAS: PerProcess<Mutex<Vec<Arc<Arena>>>> = PerProcess::new();
    let mut arenas = ARENAS.get().lock().unwrap_or_else(|e| e.into_inner());
    let found = arenas.iter().find_map(|a| a.take(size).map(|(at, writable)| (a.clone(), at, writable)));
    if let Some(found) = found {
        return Ok(found);
    }
    // Where address space is short the block alone may still fit.
    let arena = Arena::new(size.next_multiple_of(ARENA_BYTES)).or_else(|_| Arena::new(size));
    let arena = Arc::new(arena.map_err(|e| Error::OutOfMemory(format!("executable memory: {e}")))?);
    arenas.push(arena.clone());
    let (at, writable) = arena.take(size).ok_or_else(|| Error::Internal("code arena".into()))?;
    Ok((arena, at, writable))
}

/// Code that stays mapped and unchanged while this lives.
pub struct CodeBlock {
    arena: Arc<Arena>,
    at: usize,
    size: usize,
    /// Of the code behind `at`.
    skip: usize,
}

impl CodeBlock {
    /// Copies position-independent code into executable memory.
    pub fn new(code: &[u8]) -> Result<CodeBlock> {
        let size = code.len().max(1).next_multiple_of(PAGE);
        let (arena, at, writable) = take(size)?;
        let block = CodeBlock { arena, at, size, skip: colour(code.len(), size) };
        if !writable {
            // SAFETY: the range was taken for this block, whose code nobody has yet.
            unsafe { block.arena.protect(at, size, MprotectFlags::READ | MprotectFlags::WRITE)? };
        }
        // SAFETY: as above; `skip` leaves space for the code, and the pages are writable.
        unsafe {
            let to = block.arena.base.add(at + block.skip);
            std::ptr::copy_nonoverlapping(code.as_ptr(), to, code.len());
        }
        // SAFETY: as above.
        unsafe { block.arena.protect(at, size, MprotectFlags::READ | MprotectFlags::EXEC)? };
        Ok(block)
    }

    /// Address of the first instruction.
    pub fn entry(&self) -> *const u8 {
        // SAFETY: inside the mapping.
        unsafe { self.arena.base.add(self.at + self.skip) }
    }
}

impl Drop for CodeBlock {
    fn drop(&mut self) {
        if self.arena.process.is_current() {
            self.arena.give(self.at, self.size);
        }
    }
}

/// Where code begins in its pages: not always at the start, where all entries would compete for the same
/// lines of the cache.
fn colour(code: usize, size: usize) -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let lines = (size - code.max(1)) / ALIGN + 1;
    // A step that is odd and far from a divisor of the lines of a page.
    NEXT.fetch_add(27, Ordering::Relaxed) % lines * ALIGN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_reused_and_merged() {
        let arena = Arena::new(ARENA_BYTES).unwrap();
        let (a, b) = (arena.take(PAGE).unwrap(), arena.take(2 * PAGE).unwrap());
        assert_eq!((a, b), ((0, true), (PAGE, true)));
        arena.give(a.0, PAGE);
        arena.give(b.0, 2 * PAGE);
        assert_eq!(arena.free.lock().unwrap().ranges, [(0, ARENA_BYTES)]);
        // Pages that held code are not writable, and one of them suffices.
        assert_eq!(arena.take(4 * PAGE), Some((0, false)));
        assert_eq!(arena.take(PAGE), Some((4 * PAGE, true)));
    }

    #[test]
    fn code_fits_wherever_it_begins() {
        for code in [0, 1, 63, 64, 65, 100, PAGE - 64, PAGE - 1, PAGE, PAGE + 1] {
            let size = code.max(1).next_multiple_of(PAGE);
            for _ in 0..100 {
                let skip = colour(code, size);
                assert!(skip.is_multiple_of(ALIGN) && skip + code.max(1) <= size, "{code} bytes at {skip}");
            }
        }
    }

    #[test]
    fn code_is_never_writable() {
        let block = CodeBlock::new(&[0xc3; 100]).unwrap();
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let entry = block.entry() as usize;
        let rights = maps.lines().find_map(|line| {
            let (range, rest) = line.split_once(' ')?;
            let (start, end) = range.split_once('-')?;
            let at = |text| usize::from_str_radix(text, 16).ok();
            (at(start)?..at(end)?).contains(&entry).then(|| rest[..4].to_string())
        });
        assert_eq!(rights.as_deref(), Some("r-xp"));
        let writable_code = |line: &&str| line.split(' ').nth(1).is_some_and(|r| r.starts_with("rwx"));
        assert_eq!(maps.lines().find(writable_code), None);
    }
}
