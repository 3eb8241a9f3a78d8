//! Device memory as pointer and length; every access is checked against the length.
//!
//! No slice is ever formed over device memory, since shaders and the host may write to it at any time; bytes are copied
//! in and out. Racing plain accesses return unspecified values, and have no other effect. The meaning of the bytes is
//! left to [`super::layout`].

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// A range of device memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Span {
    base: *mut u8,
    size: u64,
}

// SAFETY: the caller of `new` promised that any thread may access the bytes.
#[expect(unsafe_code, reason = "pointer to device memory")]
unsafe impl Send for Span {}
// SAFETY: the caller of `new` promised that any thread may access the bytes, and no method forms a plain reference to
// them.
#[expect(unsafe_code, reason = "pointer to device memory")]
unsafe impl Sync for Span {}

impl Span {
    /// Offset of the base address in a Span, for generated code.
    pub const BASE_OFFSET: usize = std::mem::offset_of!(Span, base);

    /// Address of the first byte, for hand-written kernels.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn base(&self) -> *mut u8 {
        self.base
    }

    /// A range of `size` bytes at `base`.
    ///
    /// # Safety
    /// The bytes must be readable and writable from any thread as long as this value, a copy, or anything made from it
    /// is used. No Rust reference to the bytes may exist during that time.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    pub const unsafe fn new(base: *mut u8, size: u64) -> Self {
        Span { base, size }
    }

    /// A range of zero bytes.
    pub const fn empty() -> Self {
        Span { base: std::ptr::dangling_mut(), size: 0 }
    }

    /// Address of the first byte.
    pub fn address(&self) -> u64 {
        self.base as u64
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    fn contains(&self, offset: u64, n: u64) -> bool {
        offset.checked_add(n).is_some_and(|end| end <= self.size)
    }

    fn at(&self, offset: u64) -> *mut u8 {
        self.base.wrapping_add(offset as usize)
    }

    /// Part of the range; `None` if the part is not inside.
    pub fn sub(&self, offset: u64, size: u64) -> Option<Span> {
        self.contains(offset, size).then(|| Span { base: self.at(offset), size })
    }

    /// Copies bytes out. Returns false, without any effect, if they are out of range.
    #[must_use]
    pub fn read(&self, offset: u64, out: &mut [u8]) -> bool {
        let inside = self.contains(offset, out.len() as u64);
        if inside {
            // SAFETY: the check above keeps the source inside the range, which the caller of `new` promised to be
            // readable. `out` is a Rust slice; the caller of `new` promised that no reference to the range exists, so
            // the two do not overlap.
            #[expect(unsafe_code, reason = "reads device memory")]
            unsafe {
                self.at(offset).copy_to_nonoverlapping(out.as_mut_ptr(), out.len());
            }
        }
        inside
    }

    /// Copies bytes in. Returns false, without any effect, if they are out of range.
    #[must_use]
    pub fn write(&self, offset: u64, bytes: &[u8]) -> bool {
        let inside = self.contains(offset, bytes.len() as u64);
        if inside {
            // SAFETY: the check above keeps the destination inside the range, which the caller of `new` promised to be
            // writable. `bytes` is a Rust slice; the caller of `new` promised that no reference to the range exists, so
            // the two do not overlap.
            #[expect(unsafe_code, reason = "writes device memory")]
            unsafe {
                self.at(offset).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
        }
        inside
    }

    /// Reads a little-endian word of `n` bytes (at most 16); 0 if out of range.
    pub fn read_texel(&self, offset: u64, n: u32) -> u128 {
        /// Reads a word of `N` bytes; `read_texel` has checked the range.
        fn word<const N: usize>(at: *const u8) -> u128 {
            let mut bytes = [0; 16];
            // SAFETY: `read_texel` has checked that N bytes lie inside the range, which the caller of `Span::new`
            // promised to be readable. The read is unaligned.
            #[expect(unsafe_code, reason = "reads device memory")]
            let w = unsafe { at.cast::<[u8; N]>().read_unaligned() };
            bytes[..N].copy_from_slice(&w);
            u128::from_le_bytes(bytes)
        }
        if !self.contains(offset, u64::from(n)) {
            return 0;
        }
        let at = self.at(offset);
        match n {
            1 => word::<1>(at),
            2 => word::<2>(at),
            4 => word::<4>(at),
            8 => word::<8>(at),
            16 => word::<16>(at),
            n => {
                let mut bytes = [0; 16];
                let n = (n as usize).min(16);
                let _ = self.read(offset, &mut bytes[..n]);
                u128::from_le_bytes(bytes)
            }
        }
    }

    /// Writes the low `n` bytes (at most 16) of a little-endian word; does nothing if out of range.
    pub fn write_texel(&self, offset: u64, n: u32, word: u128) {
        let bytes = word.to_le_bytes();
        let _ = self.write(offset, &bytes[..(n as usize).min(16)]);
    }

    /// Copies `n` bytes from another range, which may overlap. Returns false, without any effect, if out of range.
    #[must_use]
    pub fn copy_from(&self, offset: u64, source: &Span, source_offset: u64, n: u64) -> bool {
        let inside = self.contains(offset, n) && source.contains(source_offset, n);
        if inside {
            // SAFETY: the check above keeps both parts inside their ranges, which the callers of `new` promised to be
            // readable and writable. `copy_from` permits overlap.
            #[expect(unsafe_code, reason = "copies device memory")]
            unsafe {
                self.at(offset).copy_from(source.at(source_offset), n as usize);
            }
        }
        inside
    }

    /// Fills `n` bytes with `byte`. Returns false, without any effect, if out of range.
    #[must_use]
    pub fn fill(&self, offset: u64, n: u64, byte: u8) -> bool {
        let inside = self.contains(offset, n);
        if inside {
            // SAFETY: the check above keeps the bytes inside the range, which the caller of `new` promised to be
            // writable.
            #[expect(unsafe_code, reason = "writes device memory")]
            unsafe {
                self.at(offset).write_bytes(byte, n as usize);
            }
        }
        inside
    }

    /// Calls `f` with the 32-bit word at `offset` as an atomic. Returns `None` if the word is out of range or not
    /// aligned to 4 bytes.
    pub fn atomic_u32<R>(&self, offset: u64, f: impl FnOnce(&AtomicU32) -> R) -> Option<R> {
        let at = self.at(offset);
        if !self.contains(offset, 4) || (at as usize) & 3 != 0 {
            return None;
        }
        // SAFETY: the checks above keep the word aligned and inside the range, which the caller of `new` promised to be
        // readable and writable from any thread. Atomics may be shared.
        #[expect(unsafe_code, reason = "atomic access to device memory")]
        let word = unsafe { AtomicU32::from_ptr(at.cast()) };
        Some(f(word))
    }

    /// Atomically replaces the word at `offset` by `f` of it. Returns the old value; 0 if out of range.
    pub fn update_u32(&self, offset: u64, f: impl Fn(u32) -> u32) -> u32 {
        let update = |word: &AtomicU32| match word
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(f(old)))
        {
            Ok(old) | Err(old) => old,
        };
        self.atomic_u32(offset, update).unwrap_or(0)
    }

    /// Like [`Span::update_u32`], for a 64-bit word.
    pub fn update_u64(&self, offset: u64, f: impl Fn(u64) -> u64) -> u64 {
        let at = self.at(offset);
        if !self.contains(offset, 8) || (at as usize) & 7 != 0 {
            return 0;
        }
        // SAFETY: the checks above keep the word aligned and inside the range, which the caller of `new` promised to be
        // readable and writable from any thread. Atomics may be shared.
        #[expect(unsafe_code, reason = "atomic access to device memory")]
        let word = unsafe { AtomicU64::from_ptr(at.cast()) };
        let (Ok(old) | Err(old)) = word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(f(old)));
        old
    }
}

/// The memory of an image: one range, or one for each plane of a disjoint image.
#[derive(Clone, Copy, Debug)]
pub struct ImageMemory {
    spans: [Span; 3],
}

impl ImageMemory {
    /// Memory with a range for each plane, at most three.
    pub fn disjoint(planes: &[Span]) -> Self {
        ImageMemory { spans: std::array::from_fn(|i| planes.get(i).copied().unwrap_or(Span::empty())) }
    }

    /// Returns range `i`; see [`super::Subresource::memory`].
    pub fn span(&self, i: usize) -> Span {
        self.spans.get(i).copied().unwrap_or(Span::empty())
    }

    /// True if each range is at least as large as the layout requires.
    pub fn holds(&self, layout: &super::ImageLayout) -> bool {
        layout.sizes().iter().enumerate().all(|(i, &n)| self.span(i).size() >= n)
    }
}

impl From<Span> for ImageMemory {
    fn from(span: Span) -> Self {
        ImageMemory { spans: [span, Span::empty(), Span::empty()] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(unsafe_code, reason = "wraps test memory")]
    fn nothing_outside_is_touched() {
        let mut store = [0u32; 8];
        // SAFETY: `store` outlives the span, and the test does not use it before the last use of the span.
        let span = unsafe { Span::new(store.as_mut_ptr().cast(), 16) };
        assert!(span.write(12, &[1, 2, 3, 4]));
        assert!(!span.write(13, &[1, 2, 3, 4]));
        assert!(!span.write(u64::MAX, &[1]));
        span.write_texel(16, 4, 7);
        assert_eq!(span.read_texel(12, 4), 0x0403_0201);
        assert_eq!(span.read_texel(14, 4), 0);
        assert_eq!(span.update_u32(0, |v| v + 5), 0);
        assert_eq!(span.update_u32(0, |v| v + 5), 5);
        assert_eq!(span.update_u32(16, |v| v + 5), 0);
        assert_eq!(span.update_u32(2, |v| v + 5), 0);
        assert!(span.sub(8, 8).is_some() && span.sub(8, 9).is_none());
        assert_eq!(store, [10, 0, 0, 0x0403_0201, 0, 0, 0, 0]);
    }
}
