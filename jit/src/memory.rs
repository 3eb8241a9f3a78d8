//! Executable memory. Owns the pages that generated code lies in; knows nothing of its contents.
//!
//! Code from all variants shares arenas. An arena is one memory file mapped twice: writable at one
//! address, executable at another, so that no page is ever both and none changes its rights.
//! A freed block may be reused by later code; a [`CodeBlock`] therefore lives as long as anyone may
//! be inside it.

#![expect(unsafe_code, reason = "maps and writes executable pages")]

use std::sync::{Arc, Mutex};

use crate::{Error, Result};

const ARENA_BYTES: usize = 4 << 20;
const ALIGN: usize = 64;

struct Arena {
    write: memmap2::MmapMut,
    exec: memmap2::Mmap,
    /// Free ranges (offset, length), sorted, never adjacent.
    free: Mutex<Vec<(usize, usize)>>,
}

impl Arena {
    fn new(size: usize) -> std::io::Result<Arena> {
        let size = size.next_multiple_of(ARENA_BYTES);
        let fd = rustix::fs::memfd_create("quadrille-code", rustix::fs::MemfdFlags::CLOEXEC)?;
        let file = std::fs::File::from(fd);
        file.set_len(size as u64)?;
        // SAFETY: the file is a fresh anonymous one; nobody else can truncate or write it.
        let (write, exec) = unsafe {
            let options = || {
                let mut o = memmap2::MmapOptions::new();
                o.len(size);
                o
            };
            (options().map_mut(&file)?, options().map_exec(&file)?)
        };
        Ok(Arena { write, exec, free: Mutex::new(vec![(0, size)]) })
    }

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

/// Code that stays mapped and unchanged while this lives.
pub struct CodeBlock {
    arena: Arc<Arena>,
    at: usize,
    size: usize,
}

impl CodeBlock {
    /// Copies position-independent code into executable memory.
    pub fn new(code: &[u8]) -> Result<CodeBlock> {
        static ARENAS: Mutex<Vec<Arc<Arena>>> = Mutex::new(Vec::new());
        let size = code.len().max(1).next_multiple_of(ALIGN);
        let mut arenas = ARENAS.lock().unwrap_or_else(|e| e.into_inner());
        let found = arenas.iter().find_map(|a| a.take(size).map(|at| (a.clone(), at)));
        let (arena, at) = match found {
            Some(x) => x,
            None => {
                let arena = Arc::new(
                    Arena::new(size).map_err(|e| Error::OutOfMemory(format!("executable memory: {e}")))?,
                );
                arenas.push(arena.clone());
                let at = arena.take(size).ok_or_else(|| Error::Internal("code arena".into()))?;
                (arena, at)
            }
        };
        drop(arenas);
        // SAFETY: `at..at + size` was taken from the arena's free list, so nobody else reads or
        // writes it, and it lies inside the mapping.
        unsafe {
            let to = arena.write.as_ptr().cast_mut().add(at);
            std::ptr::copy_nonoverlapping(code.as_ptr(), to, code.len());
        }
        Ok(CodeBlock { arena, at, size })
    }

    /// Address of the first instruction.
    pub fn entry(&self) -> *const u8 {
        // SAFETY: `at` lies inside the mapping.
        unsafe { self.arena.exec.as_ptr().add(self.at) }
    }
}

impl Drop for CodeBlock {
    fn drop(&mut self) {
        self.arena.give(self.at, self.size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_reused_and_merged() {
        let arena = Arena::new(1).unwrap();
        let a = arena.take(64).unwrap();
        let b = arena.take(128).unwrap();
        arena.give(a, 64);
        arena.give(b, 128);
        assert_eq!(*arena.free.lock().unwrap(), vec![(0, ARENA_BYTES)]);
    }
}
