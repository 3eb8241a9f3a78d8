//! Four 32-bit integers at once: baseline instructions of x86-64 (SSE2) and aarch64 (NEON), plain arrays elsewhere.
//! Fixed-function coverage uses them.

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

#[cfg(target_arch = "aarch64")]
#[expect(unsafe_code, reason = "baseline vector instructions")]
mod host {
    use std::arch::aarch64::*;

    /// Four integers; sums wrap around.
    #[derive(Clone, Copy)]
    pub(crate) struct Quad(int32x4_t);

    impl Quad {
        /// A quad of the four integers.
        #[inline(always)]
        pub fn new(v: [i32; 4]) -> Quad {
            // SAFETY: every aarch64 host has NEON, and the instruction reads the four integers of the array.
            unsafe { Quad(vld1q_s32(v.as_ptr())) }
        }

        /// Lane-wise sums.
        #[inline(always)]
        pub fn plus(self, other: Quad) -> Quad {
            // SAFETY: every aarch64 host has NEON, and the instruction accesses no memory.
            unsafe { Quad(vaddq_s32(self.0, other.0)) }
        }

        /// Bitwise or of the lanes, negative where either lane is negative.
        #[inline(always)]
        pub fn or(self, other: Quad) -> Quad {
            // SAFETY: every aarch64 host has NEON, and the instruction accesses no memory.
            unsafe { Quad(vorrq_s32(self.0, other.0)) }
        }

        /// Bit mask of the negative lanes.
        #[inline(always)]
        pub fn negative(self) -> u32 {
            // SAFETY: every aarch64 host has NEON, and the instructions read the four integers of the array, or no memory.
            // Each lane keeps its sign as one bit of the sum.
            unsafe {
                let signs = vshrq_n_u32::<31>(vreinterpretq_u32_s32(self.0));
                vaddvq_u32(vshlq_u32(signs, vld1q_s32([0, 1, 2, 3].as_ptr())))
            }
        }

        /// Bit mask of the negative ones among the sixteen lanes.
        #[inline(always)]
        pub fn negative_of([a, b, c, d]: [Quad; 4]) -> u32 {
            const BITS: [i8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7];
            // SAFETY: every aarch64 host has NEON, and the instructions read the sixteen bytes of the array, or no memory.
            // Little-endian lanes have their signs in the odd halves, and these in the odd bytes. Each byte keeps its sign
            // as one bit of the sum of its eight bytes.
            unsafe {
                let halves =
                    |a: Quad, b: Quad| vuzp2q_u16(vreinterpretq_u16_s32(a.0), vreinterpretq_u16_s32(b.0));
                let (low, high) = (vreinterpretq_u8_u16(halves(a, b)), vreinterpretq_u8_u16(halves(c, d)));
                let signs = vshlq_u8(vshrq_n_u8::<7>(vuzp2q_u8(low, high)), vld1q_s8(BITS.as_ptr()));
                let sum = |bytes: uint8x8_t| u32::from(vaddv_u8(bytes));
                sum(vget_low_u8(signs)) | sum(vget_high_u8(signs)) << 8
            }
        }
    }
}

#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod plain {
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

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) use host::Quad;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use plain::Quad;

#[cfg(test)]
mod tests {
    use super::{Quad, plain};

    /// Integers of all sizes and signs.
    fn numbers(seed: u32) -> [i32; 4] {
        std::array::from_fn(|i| {
            let bits = (seed * 4 + i as u32).wrapping_mul(2_654_435_761);
            bits.rotate_left(bits >> 27) as i32 >> (bits & 31)
        })
    }

    #[test]
    fn the_hosts_instructions_agree_with_loops() {
        for seed in 0..1000 {
            let quads = [0, 1, 2, 3].map(|i| numbers(seed + i));
            let [a, b, c, d] = quads.map(Quad::new);
            let [p, q, r, s] = quads.map(plain::Quad::new);
            assert_eq!(a.negative(), p.negative());
            assert_eq!(a.plus(b).or(c).negative(), p.plus(q).or(r).negative());
            let [sums, expected] = [
                Quad::negative_of([a, b.plus(a), c.plus(d), d]),
                plain::Quad::negative_of([p, q.plus(p), r.plus(s), s]),
            ];
            assert_eq!(sums, expected, "{quads:?}");
        }
        let edges = [i32::MIN, -1, 0, i32::MAX];
        assert_eq!(Quad::new(edges).negative(), 0b11);
        assert_eq!(Quad::new(edges).plus(Quad::new([-1, 1, -1, 1])).negative(), 0b1100);
    }
}
