//! Eight 32-bit integers at once: AVX2 on hosts that have it, two quads on others.

use super::quad::Quad;
use super::{Baseline, Level};

/// Eight integers, as the lanes of two quads side by side; sums wrap around.
pub(crate) trait Octet: Copy {
    /// Lane-wise sums.
    fn plus(self, other: Self) -> Self;
    /// Bitwise or of the lanes, negative where either lane is negative.
    fn or(self, other: Self) -> Self;
    /// Bit mask of the negative lanes.
    fn negative(self) -> u32;
    /// Bit mask of the negative ones among the 32 lanes.
    fn negative_of(octets: [Self; 4]) -> u32;
}

impl Level for Baseline {
    type Octet = [Quad; 2];

    #[inline(always)]
    fn slope(self, at: i32, right: i32, below: i32) -> [Quad; 2] {
        let quad = |at: i32| {
            let next = at.wrapping_add(right);
            Quad::new([at, next, at.wrapping_add(below), next.wrapping_add(below)])
        };
        [quad(at), quad(at.wrapping_add(right.wrapping_mul(2)))]
    }

    #[inline(always)]
    fn splat(self, v: i32) -> [Quad; 2] {
        [Quad::new([v; 4]); 2]
    }
}

impl Octet for [Quad; 2] {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        [self[0].plus(other[0]), self[1].plus(other[1])]
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        [self[0].or(other[0]), self[1].or(other[1])]
    }

    #[inline(always)]
    fn negative(self) -> u32 {
        self[0].negative() | self[1].negative() << 4
    }

    #[inline(always)]
    fn negative_of([a, b, c, d]: [Self; 4]) -> u32 {
        Quad::negative_of([a[0], a[1], b[0], b[1]]) | Quad::negative_of([c[0], c[1], d[0], d[1]]) << 16
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector instructions")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::super::V3;
    use super::{Level, Octet};

    /// Eight integers of a host with AVX2.
    #[derive(Clone, Copy)]
    pub(crate) struct Ints(__m256i);

    impl Level for V3 {
        type Octet = Ints;

        #[inline(always)]
        fn slope(self, at: i32, right: i32, below: i32) -> Ints {
            // SAFETY: `self` exists only on hosts with AVX2, and the instructions access no memory.
            unsafe {
                let columns = _mm256_setr_epi32(0, 1, 0, 1, 2, 3, 2, 3);
                let rows = _mm256_setr_epi32(0, 0, -1, -1, 0, 0, -1, -1);
                let across = _mm256_mullo_epi32(_mm256_set1_epi32(right), columns);
                let down = _mm256_and_si256(_mm256_set1_epi32(below), rows);
                Ints(_mm256_add_epi32(_mm256_add_epi32(_mm256_set1_epi32(at), down), across))
            }
        }

        #[inline(always)]
        fn splat(self, v: i32) -> Ints {
            // SAFETY: `self` exists only on hosts with AVX2, and the instruction accesses no memory.
            unsafe { Ints(_mm256_set1_epi32(v)) }
        }
    }

    impl Octet for Ints {
        #[inline(always)]
        fn plus(self, other: Ints) -> Ints {
            // SAFETY: values exist only on hosts with AVX2, and the instruction accesses no memory.
            unsafe { Ints(_mm256_add_epi32(self.0, other.0)) }
        }

        #[inline(always)]
        fn or(self, other: Ints) -> Ints {
            // SAFETY: values exist only on hosts with AVX2, and the instruction accesses no memory.
            unsafe { Ints(_mm256_or_si256(self.0, other.0)) }
        }

        #[inline(always)]
        fn negative(self) -> u32 {
            // SAFETY: values exist only on hosts with AVX2, and the instructions access no memory.
            unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(self.0)) as u32 }
        }

        #[inline(always)]
        fn negative_of(octets: [Ints; 4]) -> u32 {
            let [a, b, c, d] = octets.map(Ints::negative);
            a | b << 8 | c << 16 | d << 24
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::{Work, run};
    use crate::tests::harness::Rng;

    /// Compares the operations of a level with loops.
    struct Compare;

    impl Work for Compare {
        #[inline(always)]
        fn run<L: Level>(self, level: L) {
            let mut rng = Rng(21);
            for _ in 0..1000 {
                let mut some = || {
                    let bits = rng.next() as i32;
                    bits >> (bits & 31)
                };
                let [at, right, below, by, other] = [(); 5].map(|()| some());
                let lane = |k: i32| {
                    let (column, row) = (k / 4 * 2 + k % 2, k / 2 % 2);
                    at.wrapping_add(right.wrapping_mul(column)).wrapping_add(below.wrapping_mul(row))
                };
                let sum = level.slope(at, right, below).plus(level.splat(by)).or(level.splat(other));
                let expected =
                    (0..8).fold(0, |m, k| m | u32::from(lane(k).wrapping_add(by) | other < 0) << k);
                assert_eq!(sum.negative(), expected, "{at} {right} {below} {by} {other}");
                let octets = [sum, level.splat(at), level.splat(!at), level.splat(by)];
                let bits =
                    [expected, u32::from(at < 0) * 255, u32::from(at >= 0) * 255, u32::from(by < 0) * 255];
                let expected = bits.into_iter().rev().fold(0, |all, bits| all << 8 | bits);
                assert_eq!(L::Octet::negative_of(octets), expected);
            }
        }
    }

    #[test]
    fn every_level_agrees_with_loops() {
        Compare.run(Baseline);
        run(Compare);
    }
}
