//! Memory of calls: words that are aligned to 64 bytes, between guard pages if these are on.
//!
//! Owns the memory and its size. Left to others: what the words mean, and how many a call needs ([`super`]).

use quadrille_jit::guarded::{self, Guarded};
use quadrille_jit::reserve;

use crate::limits::WORKER_SCRATCH_KEEP_BYTES;

/// A block of 64 bytes of memory, aligned to 64 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line(pub [u32; 16]);

/// Aligned memory that mostly grows. While guard pages are on, its size is exactly the last requested size, rounded up
/// to 64 bytes.
#[derive(Default)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    guarded: Option<Guarded>,
}

impl Lines {
    /// Returns `bytes` bytes with arbitrary contents, rounded up to 64. An allocation failure is reported to the next
    /// enclosing guard of [`reserve`].
    #[inline]
    pub fn room(&mut self, bytes: usize) -> &mut [u32] {
        let n = bytes.div_ceil(64).max(1);
        let fits = self.lines.len() >= n && self.lines.len() <= n.max(WORKER_SCRATCH_KEEP_BYTES / 64);
        if guarded::on() || !fits {
            return self.new_room(n, fits);
        }
        self.lines.as_flattened_words()
    }

    /// Returns `n` lines, between guard pages if these are on. `fits` is true if there are as many.
    #[cold]
    fn new_room(&mut self, n: usize, fits: bool) -> &mut [u32] {
        if guarded::on() && self.guard(n * 64) {
            return self.guarded_words();
        }
        if !fits {
            self.lines.clear();
            self.lines.shrink_to(n);
            reserve::carry(reserve::more_room(&mut self.lines, n));
            self.lines.resize(n, Line([0; 16]));
        }
        self.lines.as_flattened_words()
    }

    /// The memory that the last call of `room` returned.
    pub fn words(&self) -> &[u32] {
        match &self.guarded {
            // SAFETY: `Guarded` owns `size()` initialized bytes, which `guard` aligned to 64. The result borrows
            // `self`, so the mapping outlives it.
            #[expect(unsafe_code, reason = "views a mapping as words")]
            Some(memory) => unsafe {
                std::slice::from_raw_parts(memory.as_ptr().cast::<u32>(), memory.size() / 4)
            },
            None => self.lines.flattened_words(),
        }
    }

    /// Allocates this much memory between guard pages; returns false if the host has no more mappings.
    #[cold]
    fn guard(&mut self, bytes: usize) -> bool {
        if self.guarded.as_ref().is_none_or(|g| g.size() != bytes) {
            self.guarded = Guarded::new(bytes, 0, 64).ok();
        }
        self.guarded.is_some()
    }

    #[cold]
    fn guarded_words(&mut self) -> &mut [u32] {
        let Some(memory) = &mut self.guarded else { return &mut [] };
        // SAFETY: `Guarded` owns `size()` initialized bytes, which `guard` aligned to 64. The result borrows `self`
        // mutably, so it is the only reference to the mapping.
        #[expect(unsafe_code, reason = "views a mapping as words")]
        unsafe {
            std::slice::from_raw_parts_mut(memory.as_ptr().cast::<u32>(), memory.size() / 4)
        }
    }
}

trait Flatten {
    fn flattened_words(&self) -> &[u32];
    fn as_flattened_words(&mut self) -> &mut [u32];
}

impl Flatten for Vec<Line> {
    fn flattened_words(&self) -> &[u32] {
        let n = self.len() * 16;
        // SAFETY: `Line` is 16 words without padding, so `n` initialized words start at the vector's pointer. The
        // result borrows the vector.
        #[expect(unsafe_code, reason = "views a vector of lines as words")]
        unsafe {
            std::slice::from_raw_parts(self.as_ptr().cast::<u32>(), n)
        }
    }

    fn as_flattened_words(&mut self) -> &mut [u32] {
        let n = self.len() * 16;
        // SAFETY: `Line` is 16 words without padding, so `n` initialized words start at the vector's pointer. The
        // result borrows the vector mutably.
        #[expect(unsafe_code, reason = "views a vector of lines as words")]
        unsafe {
            std::slice::from_raw_parts_mut(self.as_mut_ptr().cast::<u32>(), n)
        }
    }
}
