//! Executable memory. Owns the pages of generated code, and does not interpret their contents.
//!
//! The code of all shader variants shares arenas of pages that no thread can write while it can execute them
//! ([`crate::sys`] maps them). Later code reuses the space of a freed block, so a block must live as long as any thread
//! may execute it.
//!
//! # Children of `fork`
//!
//! A child shares both mappings with its parent, and its allocator would hand out space in which the parent's code
//! runs. A child therefore leaves inherited arenas alone, creates new arenas, and does not run inherited code: devices
//! of the parent refuse to work there, and tables of kernels start empty (see [`crate::process`]). So the parent may
//! reuse the memory that it frees.
//!
//! On systems whose policy forbids executable memory, allocation returns an error that says so.

#![expect(unsafe_code, reason = "writes executable pages")]

use std::io;
use std::sync::{Arc, Mutex};

use crate::error::{Error, Result};
use crate::process::{PerProcess, Process};
use crate::sys::code::CodePages;

const ARENA_BYTES: usize = 4 << 20;
/// Alignment of blocks, and so of the first instruction.
const ALIGN: usize = 64;

struct Arena {
    pages: CodePages,
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
    fn new(len: usize) -> io::Result<Arena> {
        let pages = CodePages::map(len)?;
        let free = Mutex::new(vec![(0, pages.len())]);
        Ok(Arena { pages, process: Process::current(), free })
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
    let arena = Arc::new(arena.map_err(failed)?);
    arenas.push(arena.clone());
    let at = arena.take(size).ok_or_else(|| Error::Internal("code arena".into()))?;
    Ok((arena, at))
}

fn failed(e: io::Error) -> Error {
    match e.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported => {
            Error::unsupported(format!("this system does not let a process make code executable: {e}"))
        }
        _ => Error::OutOfMemory(format!("executable memory: {e}")),
    }
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
        let block = CodeBlock { arena, at, size };
        // SAFETY: `take` returned `at..at + size` from the arena's free list, so the range lies inside the pages, no
        // other block uses it, and no thread executes it yet; `size >= code.len()`.
        unsafe { block.arena.pages.publish(at, code) }.map_err(failed)?;
        Ok(block)
    }

    /// Address of the first instruction.
    pub fn entry(&self) -> *const u8 {
        self.arena.pages.entry(self.at)
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
}
