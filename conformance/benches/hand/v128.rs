//! Vectors of 128 bits; truth values are vectors, too.

use std::arch::x86_64::*;
use std::array::from_fn;

use super::{A, B, EXP2, Kernel, LOG2, N, ROUND};

type F = __m128;
type I = __m128i;
type M = __m128;
const LANES: usize = 4;

#[inline]
#[target_feature(enable = "avx2,fma")]
#[expect(unsafe_code, reason = "loads through a pointer")]
fn load(a: &[u32], i: usize) -> I {
    let lanes = &a[i..i + LANES];
    // SAFETY: the slice `lanes` has `LANES` elements of four bytes, which are 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
#[expect(unsafe_code, reason = "stores through a pointer")]
fn store(b: &mut [u32], i: usize, x: I) {
    let lanes = &mut b[i..i + LANES];
    // SAFETY: the mutable slice `lanes` has `LANES` elements of four bytes, which are 16 bytes; the store needs no
    // alignment.
    unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), x) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn splat(x: f32) -> F {
    _mm_set1_ps(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn isplat(x: i32) -> I {
    _mm_set1_epi32(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn bits(x: F) -> I {
    _mm_castps_si128(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn float(x: I) -> F {
    _mm_castsi128_ps(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn to_float(x: I) -> F {
    _mm_cvtepi32_ps(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn add(x: F, y: F) -> F {
    _mm_add_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn sub(x: F, y: F) -> F {
    _mm_sub_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn mul(x: F, y: F) -> F {
    _mm_mul_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn fused(x: F, y: F, z: F) -> F {
    _mm_fmadd_ps(x, y, z)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn min(x: F, y: F) -> F {
    _mm_min_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn max(x: F, y: F) -> F {
    _mm_max_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn iadd(x: I, y: I) -> I {
    _mm_add_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn isub(x: I, y: I) -> I {
    _mm_sub_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn imul(x: I, y: I) -> I {
    _mm_mullo_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn and(x: I, y: I) -> I {
    _mm_and_si128(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn xor(x: I, y: I) -> I {
    _mm_xor_si128(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn shl<const K: i32>(x: I) -> I {
    _mm_slli_epi32::<K>(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn shr<const K: i32>(x: I) -> I {
    _mm_srli_epi32::<K>(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn sar<const K: i32>(x: I) -> I {
    _mm_srai_epi32::<K>(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn floor(x: F) -> F {
    _mm_floor_ps(x)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn lanes() -> I {
    _mm_setr_epi32(0, 1, 2, 3)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn all() -> M {
    float(isplat(-1))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn none(m: [M; 2]) -> bool {
    _mm_movemask_ps(_mm_or_ps(m[0], m[1])) == 0
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn less(x: F, y: F) -> M {
    _mm_cmplt_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn greater(x: I, y: I) -> M {
    float(_mm_cmpgt_epi32(x, y))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn less_and(m: M, x: F, y: F) -> M {
    _mm_and_ps(m, less(x, y))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn differ_and(m: M, x: I, y: I) -> M {
    _mm_andnot_ps(float(_mm_cmpeq_epi32(x, y)), m)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn select(m: M, x: F, y: F) -> F {
    _mm_blendv_ps(y, x, m)
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn count(n: I, m: M) -> I {
    isub(n, bits(m))
}

/// `x` where the lowest bit of `of` is set, else `y`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn if_odd(of: I, x: I, y: I) -> I {
    // Moves the lowest bit to the place of the sign.
    bits(select(float(shl::<31>(of)), float(x), float(y)))
}

/// Scalar loads, which are faster than the gather instruction on many processors.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn gathered(a: &A, k: I) -> I {
    let (low, high) = (_mm_cvtsi128_si64(k) as u64, _mm_extract_epi64::<1>(k) as u64);
    let at = |k: u64| a[(k & 0xffff) as usize] as i32;
    _mm_setr_epi32(at(low), at(low >> 32), at(high), at(high >> 32))
}

/// Sum of all lanes, adding the upper half to the lower half repeatedly.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn folded(x: F) -> f32 {
    let two = _mm_add_ps(x, _mm_movehl_ps(x, x));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
}

kernels!("avx2,fma");
