//! Executable memory. Owns the pages of generated code, and does not interpret their contents.
//!
//! The code of all shader variants shares arenas. An arena is memory mapped twice: writable at one address, executable
//! at another. No page is both writable and executable, and no page changes its rights: a change of rights per block
//! would interrupt every processor that runs a thread of the process, for as long as a small compilation takes. Later
//! code reuses the space of a freed block, so a block must live as long as any thread may execute it.
//!
//! # Children of `fork`
//!
//! A child shares both mappings with its parent, and its allocator would hand out space in which the parent's code
//! runs. A child therefore leaves inherited arenas alone, creates new arenas, and does not run inherited code: devices
//! of the parent refuse to work there, and tables of kernels start empty (see [`crate::process`]). So the parent may
//! reuse the memory that it frees.
//!
//! The memory has no file that a file size limit could apply to. On systems whose policy forbids executable memory,
//! allocation returns an error that says so.

#![expect(unsafe_code, reason = "maps and writes executable pages")]

use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex};

use rustix::mm::{MapFlags, MprotectFlags, MremapFlags, ProtFlags};

use crate::error::{Error, Result};
use crate::process::{PerProcess, Process};

const ARENA_BYTES: usize = 4 << 20;
/// Alignment of blocks, and so of the first instruction.
const ALIGN: usize = 64;

/// A mapping; unmapped when dropped.
struct Mapping {
    base: *mut c_void,
    len: usize,
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping, and no addresses into it remain: each block keeps its arena alive, and
        // the arena keeps its mappings.
        let _ = unsafe { rustix::mm::munmap(self.base, self.len) };
    }
}

struct Arena {
    write: Mapping,
    exec: Mapping,
    /// Process that created the arena.
    process: Process,
    /// Free ranges (offset, length), sorted, never adjacent.
    free: Mutex<Vec<(usize, usize)>>,
}

// SAFETY: only `CodeBlock`s access the memory, and `take` gives each block a disjoint range.
unsafe impl Send for Arena {}
// SAFETY: only `CodeBlock`s access the memory, and `take` gives each block a disjoint range; a mutex guards the free
// list.
unsafe impl Sync for Arena {}

impl Arena {
    fn new(len: usize) -> rustix::io::Result<Arena> {
        let len = len.next_multiple_of(rustix::param::page_size());
        let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::NORESERVE);
        // SAFETY: the kernel chooses the address of the new mapping, so no existing memory is affected.
        let base = unsafe { rustix::mm::mmap_anonymous(ptr::null_mut(), len, rights, flags)? };
        let write = Mapping { base, len };
        // SAFETY: with an old length of zero, `mremap` leaves the shared mapping in place and maps its pages a second
        // time.
        let base = unsafe { rustix::mm::mremap(write.base, 0, len, MremapFlags::MAYMOVE)? };
        let exec = Mapping { base, len };
        // SAFETY: the range is the second mapping, created above; nothing else has its address yet.
        unsafe { rustix::mm::mprotect(exec.base, len, MprotectFlags::READ | MprotectFlags::EXEC)? };
        Ok(Arena { write, exec, process: Process::current(), free: Mutex::new(vec![(0, len)]) })
    }

    /// Takes a free range of `size` bytes and returns its offset.
    fn take(&self, size: usize) -> Option<usize> {
        let mut free = self.free.lock().unwrap_or_else(|e| e.into_inner());
        let i = free.iter().position(|&(_, len)| len >= size)?;
        let (at, len) = free[i];
        if len == size {
            free.remove(i);
        } else {
            free[i] = (at + size, len - size);
        }
        Some(at)
    }

    fn give(&self, at: usize, size: usize) {
        let mut free = self.free.lock().unwrap_or_else(|e| e.into_inner());
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
}

static ARENAS: PerProcess<Mutex<Vec<Arc<Arena>>>> = PerProcess::new();

/// Takes a range of `size` bytes and returns its arena and offset.
fn take(size: usize) -> Result<(Arc<Arena>, usize)> {
    crate::reserve::granted()?;
    let mut arenas = ARENAS.get().lock().unwrap_or_else(|e| e.into_inner());
    if let Some(found) = arenas.iter().find_map(|a| a.take(size).map(|at| (a.clone(), at))) {
        return Ok(found);
    }
    // If address space is short, the block alone may still fit.
    let arena = Arena::new(size.next_multiple_of(ARENA_BYTES)).or_else(|_| Arena::new(size));
    let arena = Arc::new(arena.map_err(|e| match e {
        rustix::io::Errno::ACCESS | rustix::io::Errno::PERM => {
            Error::unsupported(format!("this system does not let a process make code executable: {e}"))
        }
        e => Error::OutOfMemory(format!("executable memory: {e}")),
    })?);
    arenas.push(arena.clone());
    let at = arena.take(size).ok_or_else(|| Error::Internal("code arena".into()))?;
    Ok((arena, at))
}

/// Code that stays mapped and unchanged until this is dropped.
pub struct CodeBlock {
    arena: Arc<Arena>,
    at: usize,
    size: usize,
}

impl CodeBlock {
    /// Copies position-independent code into executable memory.
    pub fn new(code: &[u8]) -> Result<CodeBlock> {
        let size = code.len().max(1).next_multiple_of(ALIGN);
        let (arena, at) = take(size)?;
        // SAFETY: `take` returned `at..at + size` from the arena's free list, so the range lies inside the mapping and
        // no other block uses it; `size >= code.len()`.
        unsafe {
            let to = arena.write.base.cast::<u8>().add(at);
            ptr::copy_nonoverlapping(code.as_ptr(), to, code.len());
        }
        Ok(CodeBlock { arena, at, size })
    }

    /// Address of the first instruction.
    pub fn entry(&self) -> *const u8 {
        // SAFETY: `new` took `at` from this arena, so it lies inside the executable mapping of the same length.
        unsafe { self.arena.exec.base.cast::<u8>().add(self.at) }
    }

    /// Address range of the code, including the padding after it.
    pub fn addresses(&self) -> std::ops::Range<usize> {
        let start = self.entry() as usize;
        start..start + self.size
    }
}

impl Drop for CodeBlock {
    fn drop(&mut self) {
        if self.arena.process.is_current() {
            self.arena.give(self.at, self.size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_reused_and_merged() {
        let arena = Arena::new(ARENA_BYTES).unwrap();
        let (a, b) = (arena.take(ALIGN).unwrap(), arena.take(2 * ALIGN).unwrap());
        assert_eq!((a, b), (0, ALIGN));
        arena.give(a, ALIGN);
        arena.give(b, 2 * ALIGN);
        assert_eq!(*arena.free.lock().unwrap(), [(0, ARENA_BYTES)]);
        assert_eq!(arena.take(4 * ALIGN), Some(0));
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
        assert_eq!(rights.as_deref(), Some("r-xs"));
        let writable_code = |line: &&str| line.split(' ').nth(1).is_some_and(|r| r.starts_with("rwx"));
        assert_eq!(maps.lines().find(writable_code), None);
    }
}
