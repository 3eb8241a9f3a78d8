//! The tests in vectors of 256 bits, and of 128 bits for triangles, on hosts with AVX2.
//!
//! The token [`Avx2`] proves that the host has the instructions. It has no multiply-add that rounds once: results have
//! the bits of [`super::plain`].

#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "calls functions with AVX2 enabled"))]

use crate::layout::{Block, Node};

use super::super::ray::{Shear, Slabs, Tested};
use super::{Body, Host};

/// Proof that the host has AVX2.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

#[cfg(not(target_arch = "x86_64"))]
mod missing {
    use super::super::plain::Plain;
    use super::*;

    impl Avx2 {
        /// No host of this architecture has AVX2.
        pub fn new() -> Option<Avx2> {
            None
        }
    }

    impl Host for Avx2 {
        type Keys = [u32; 8];
        fn keys(self, node: &Node, slabs: &Slabs, tmax: f32) -> [u32; 8] {
            Plain.keys(node, slabs, tmax)
        }
        fn least(self, keys: [u32; 8]) -> u32 {
            Plain.least(keys)
        }
        fn without(self, keys: [u32; 8], key: u32) -> [u32; 8] {
            Plain.without(keys, key)
        }
        fn is_empty(self, keys: [u32; 8]) -> bool {
            Plain.is_empty(keys)
        }
        fn load(self, keys: &[u32; 8]) -> [u32; 8] {
            *keys
        }
        fn store(self, keys: [u32; 8]) -> [u32; 8] {
            keys
        }
        fn triangles(self, block: &Block, shear: &Shear, tmin: f32, tmax: f32) -> Tested {
            Plain.triangles(block, shear, tmin, tmax)
        }
        fn run<B: Body>(self, body: B) -> B::Output {
            body.run(self)
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod present {
    use std::arch::x86_64::*;

    use bytemuck::cast;

    use super::super::super::exact;
    use super::*;

    impl Avx2 {
        /// The token, if the host has the instructions.
        pub fn new() -> Option<Avx2> {
            std::arch::is_x86_feature_detected!("avx2").then_some(Avx2(()))
        }
    }

    /// Methods whose bodies may use AVX2. The compiler rejects intrinsics that access memory in them.
    macro_rules! operations {
        ($( fn $name:ident($($arg:ident: $ty:ty),*) -> $ret:ty $body:block )*) => { $(
            #[inline(always)]
            fn $name(self, $($arg: $ty),*) -> $ret {
                #[inline]
                #[target_feature(enable = "avx2")]
                fn inner($($arg: $ty),*) -> $ret $body
                // SAFETY: `self` is a token, which exists only on hosts with AVX2.
                unsafe { inner($($arg),*) }
            }
        )* };
    }

    impl Host for Avx2 {
        type Keys = __m256i;

        operations! {
            fn keys(node: &Node, slabs: &Slabs, tmax: f32) -> __m256i {
                let distance = |axis: usize, side: usize, origin: f32| {
                    let bounds: __m256 = cast(node.bounds[axis][side & 1]);
                    let moved = _mm256_sub_ps(bounds, _mm256_set1_ps(origin));
                    _mm256_mul_ps(moved, _mm256_set1_ps(slabs.inverse[axis]))
                };
                let near = |axis: usize| distance(axis, slabs.side[axis], slabs.near_origin[axis]);
                let far = |axis: usize| distance(axis, slabs.side[axis] ^ 1, slabs.far_origin[axis]);
                // Both instructions return the second operand if one is not a number.
                let enter = _mm256_max_ps(
                    _mm256_max_ps(near(0), near(1)),
                    _mm256_max_ps(near(2), _mm256_set1_ps(slabs.tmin)),
                );
                let leave = _mm256_min_ps(
                    _mm256_min_ps(far(0), far(1)),
                    _mm256_min_ps(far(2), _mm256_set1_ps(tmax)),
                );
                let key = _mm256_castps_si256(_mm256_max_ps(enter, _mm256_setzero_ps()));
                let lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let key = _mm256_or_si256(_mm256_and_si256(key, _mm256_set1_epi32(!7)), lane);
                let missed = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_NLE_UQ>(enter, leave));
                _mm256_or_si256(key, missed)
            }

            fn least(keys: __m256i) -> u32 {
                let four = _mm_min_epu32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys));
                let two = _mm_min_epu32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
                let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
                _mm_cvtsi128_si32(one) as u32
            }

            fn without(keys: __m256i, key: u32) -> __m256i {
                _mm256_or_si256(keys, _mm256_cmpeq_epi32(keys, _mm256_set1_epi32(key as i32)))
            }

            fn is_empty(keys: __m256i) -> bool {
                _mm256_testc_si256(keys, _mm256_set1_epi32(-1)) != 0
            }

            fn triangles(block: &Block, shear: &Shear, tmin: f32, tmax: f32) -> Tested {
                let corner = |corner: usize| {
                    let axis = |i: usize| {
                        let row: __m128 = cast(block.vertices[corner][shear.axes[i] as usize]);
                        _mm_sub_ps(row, _mm_set1_ps(shear.origin[i]))
                    };
                    let z = axis(2);
                    let sheared = |i: usize| _mm_sub_ps(axis(i), _mm_mul_ps(_mm_set1_ps(shear.factors[i]), z));
                    (sheared(0), sheared(1), z)
                };
                let (a, b, c) = (corner(0), corner(1), corner(2));
                let area = |p: (__m128, __m128, __m128), q: (__m128, __m128, __m128)| {
                    _mm_sub_ps(_mm_mul_ps(p.0, q.1), _mm_mul_ps(p.1, q.0))
                };
                let (u, v, w) = (area(c, b), area(a, c), area(b, a));
                let zero = _mm_setzero_ps();
                let front = _mm_cmpge_ps(_mm_min_ps(_mm_min_ps(u, v), w), zero);
                let back = _mm_cmple_ps(_mm_max_ps(_mm_max_ps(u, v), w), zero);
                let one_sign = _mm_or_ps(front, back);
                let mut tested = Tested { mask: 0, t: [0.0; 4], v: [0.0; 4], w: [0.0; 4], sum: [0.0; 4] };
                if _mm_movemask_ps(one_sign) == 0 {
                    return tested;
                }
                let zeros = _mm_or_ps(
                    _mm_or_ps(_mm_cmpeq_ps(u, zero), _mm_cmpeq_ps(v, zero)),
                    _mm_cmpeq_ps(w, zero),
                );
                let sum = _mm_add_ps(_mm_add_ps(u, v), w);
                let depth = |corner: (__m128, __m128, __m128)| _mm_mul_ps(_mm_set1_ps(shear.factors[2]), corner.2);
                let scaled = _mm_add_ps(
                    _mm_add_ps(_mm_mul_ps(u, depth(a)), _mm_mul_ps(v, depth(b))),
                    _mm_mul_ps(w, depth(c)),
                );
                let t = _mm_div_ps(scaled, sum);
                let between = _mm_and_ps(
                    _mm_cmpgt_ps(t, _mm_set1_ps(tmin)),
                    _mm_cmple_ps(t, _mm_set1_ps(tmax)),
                );
                let mask = _mm_and_ps(_mm_andnot_ps(zeros, one_sign), between);
                tested.mask = _mm_movemask_ps(mask) as u32;
                (tested.t, tested.v, tested.w, tested.sum) = (cast(t), cast(v), cast(w), cast(sum));
                let mut close = _mm_movemask_ps(_mm_and_ps(zeros, one_sign)) as u32;
                while close != 0 {
                    exact::add(&mut tested, block, close.trailing_zeros() as usize, shear, tmin, tmax);
                    close &= close - 1;
                }
                tested
            }
        }

        #[inline(always)]
        fn load(self, keys: &[u32; 8]) -> __m256i {
            cast(*keys)
        }

        #[inline(always)]
        fn store(self, keys: __m256i) -> [u32; 8] {
            cast(keys)
        }

        #[inline]
        fn run<B: Body>(self, body: B) -> B::Output {
            #[target_feature(enable = "avx2")]
            fn inner<B: Body>(host: Avx2, body: B) -> B::Output {
                body.run(host)
            }
            // SAFETY: `self` is a token, which exists only on hosts with AVX2.
            unsafe { inner(self, body) }
        }
    }
}
