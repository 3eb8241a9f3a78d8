//! Vectors of 512 bits, truth values in mask registers.

use std::arch::x86_64::*;
use std::array::from_fn;

use super::{A, B, EXP2, Kernel, LOG2, N, ROUND};

type F = __m512;
type I = __m512i;
type M = __mmask16;
const LANES: usize = 16;

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
#[expect(unsafe_code, reason = "loads through a pointer")]
fn load(a: &[u32], i: usize) -> I {
    let lanes = &a[i..i + LANES];
    // SAFETY: the slice `lanes` has `LANES` elements of four bytes, which are 64 bytes; the load needs no alignment.
    unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
#[expect(unsafe_code, reason = "stores through a pointer")]
fn store(b: &mut [u32], i: usize, x: I) {
    let lanes = &mut b[i..i + LANES];
    // SAFETY: the mutable slice `lanes` has `LANES` elements of four bytes, which are 64 bytes; the store needs no
    // alignment.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), x) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn splat(x: f32) -> F {
    _mm512_set1_ps(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn isplat(x: i32) -> I {
    _mm512_set1_epi32(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn bits(x: F) -> I {
    _mm512_castps_si512(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn float(x: I) -> F {
    _mm512_castsi512_ps(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn to_float(x: I) -> F {
    _mm512_cvtepi32_ps(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn add(x: F, y: F) -> F {
    _mm512_add_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn sub(x: F, y: F) -> F {
    _mm512_sub_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn mul(x: F, y: F) -> F {
    _mm512_mul_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn fused(x: F, y: F, z: F) -> F {
    _mm512_fmadd_ps(x, y, z)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn min(x: F, y: F) -> F {
    _mm512_min_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn max(x: F, y: F) -> F {
    _mm512_max_ps(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn iadd(x: I, y: I) -> I {
    _mm512_add_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn isub(x: I, y: I) -> I {
    _mm512_sub_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn imul(x: I, y: I) -> I {
    _mm512_mullo_epi32(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn and(x: I, y: I) -> I {
    _mm512_and_si512(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn xor(x: I, y: I) -> I {
    _mm512_xor_si512(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn shl<const K: u32>(x: I) -> I {
    _mm512_slli_epi32::<K>(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn shr<const K: u32>(x: I) -> I {
    _mm512_srli_epi32::<K>(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn sar<const K: u32>(x: I) -> I {
    _mm512_srai_epi32::<K>(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn floor(x: F) -> F {
    _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn lanes() -> I {
    _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn all() -> M {
    !0
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn none(m: [M; 2]) -> bool {
    m[0] | m[1] == 0
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn less(x: F, y: F) -> M {
    _mm512_cmp_ps_mask::<_CMP_LT_OQ>(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn greater(x: I, y: I) -> M {
    _mm512_cmpgt_epi32_mask(x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn less_and(m: M, x: F, y: F) -> M {
    _mm512_mask_cmp_ps_mask::<_CMP_LT_OQ>(m, x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn differ_and(m: M, x: I, y: I) -> M {
    _mm512_mask_cmpneq_epi32_mask(m, x, y)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn select(m: M, x: F, y: F) -> F {
    _mm512_mask_blend_ps(m, y, x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn count(n: I, m: M) -> I {
    _mm512_mask_add_epi32(n, m, n, isplat(1))
}

/// `x` where the lowest bit of `of` is set, else `y`.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn if_odd(of: I, x: I, y: I) -> I {
    _mm512_mask_blend_epi32(_mm512_test_epi32_mask(of, isplat(1)), y, x)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
#[expect(unsafe_code, reason = "loads through a pointer")]
fn gathered(a: &A, k: I) -> I {
    let k = and(k, isplat(0xffff));
    // SAFETY: every index is below 65,536, and the array has more elements.
    unsafe { _mm512_i32gather_epi32::<4>(k, a.as_ptr().cast()) }
}

/// Sum of all lanes, adding the upper half to the lower half repeatedly.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn folded(x: F) -> f32 {
    let eight = _mm256_add_ps(_mm512_castps512_ps256(x), _mm512_extractf32x8_ps::<1>(x));
    let four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps::<1>(eight));
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
}

kernels!("avx512f,avx512dq");
