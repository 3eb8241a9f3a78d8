//! Four 32-bit integers at once: baseline SSE2 instructions on x86-64, plain arrays elsewhere. Fixed-function coverage
//! in [`super::stamp`] uses them.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "baseline vector instructions")]
mod host {
    use std::arch::x86_64::*;

    /// Four integers; sums wrap around.
    #[derive(Clone, Copy)]
    pub(crate) struct Quad(__m128i);

    impl Quad {
        /// A quad of the four integers.
        #[inline(always)]
        pub fn new([a, b, c, d]: [i32; 4]) -> Quad {
            // SAFETY: every x86-64 host has SSE2, and the instruction accesses no memory.
            unsafe { Quad(_mm_set_epi32(d, c, b, a)) }
        }

        /// Lane-wise sums.
        #[inline(always)]
        pub fn plus(self, other: Quad) -> Quad {
            // SAFETY: every x86-64 host has SSE2, and the instruction accesses no memory.
            unsafe { Quad(_mm_add_epi32(self.0, other.0)) }
        }

        /// Bitwise or of the lanes, negative where either lane is negative.
        #[inline(always)]
        pub fn or(self, other: Quad) -> Quad {
            // SAFETY: every x86-64 host has SSE2, and the instruction accesses no memory.
            unsafe { Quad(_mm_or_si128(self.0, other.0)) }
        }

        /// Bit mask of the negative lanes.
        #[inline(always)]
        pub fn negative(self) -> u32 {
            // SAFETY: every x86-64 host has SSE2, and the instructions access no memory.
            unsafe { _mm_movemask_ps(_mm_castsi128_ps(self.0)) as u32 }
        }

        /// Bit mask of the negative ones among the sixteen lanes.
        #[inline(always)]
        pub fn negative_of([a, b, c, d]: [Quad; 4]) -> u32 {
            // SAFETY: every x86-64 host has SSE2, and the instructions access no memory. Saturation in the packs keeps
            // signs, so the mask is correct.
            unsafe {
                let (low, high) = (_mm_packs_epi32(a.0, b.0), _mm_packs_epi32(c.0, d.0));
                _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u32
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod host {
    /// Four integers; sums wrap around.
    #[derive(Clone, Copy)]
    pub(crate) struct Quad([i32; 4]);

    impl Quad {
        /// A quad of the four integers.
        #[inline(always)]
        pub fn new(v: [i32; 4]) -> Quad {
            Quad(v)
        }

        /// Lane-wise sums.
        #[inline(always)]
        pub fn plus(self, other: Quad) -> Quad {
            Quad(std::array::from_fn(|i| self.0[i].wrapping_add(other.0[i])))
        }

        /// Bitwise or of the lanes, negative where either lane is negative.
        #[inline(always)]
        pub fn or(self, other: Quad) -> Quad {
            Quad(std::array::from_fn(|i| self.0[i] | other.0[i]))
        }

        /// Bit mask of the negative lanes.
        #[inline(always)]
        pub fn negative(self) -> u32 {
            (0..4).fold(0, |bits, i| bits | u32::from(self.0[i] < 0) << i)
        }

        /// Bit mask of the negative ones among the sixteen lanes.
        #[inline(always)]
        pub fn negative_of(quads: [Quad; 4]) -> u32 {
            (0..4).fold(0, |bits, i| bits | quads[i].negative() << (4 * i))
        }
    }
}

pub(crate) use host::Quad;
