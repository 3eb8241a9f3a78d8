//! The kernels of `assets/kernels` by hand: 128-bit vectors in the AVX encoding, one thread.
//!
//! The same operations in the same order as the shaders, hence the same bits. Where one chain of
//! operations would leave the processor waiting, two vectors go side by side.

use std::arch::x86_64::*;
use std::array::from_fn;

/// Invocations.
pub const N: usize = 65_536;
/// The stencil reads 256 elements past its own.
pub type A = [u32; N + 256];
pub type B = [u32; N];
pub type Kernel = unsafe fn(&A, &mut B);

#[inline]
#[target_feature(enable = "avx2,fma")]
#[expect(unsafe_code, reason = "loads through a pointer")]
fn load(a: &[u32], i: usize) -> __m128i {
    let four = &a[i..i + 4];
    // SAFETY: the slice has the 16 bytes; the load needs no alignment.
    unsafe { _mm_loadu_si128(four.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
#[expect(unsafe_code, reason = "stores through a pointer")]
fn store(b: &mut [u32], i: usize, x: __m128i) {
    let four = &mut b[i..i + 4];
    // SAFETY: the slice has the 16 bytes; the store needs no alignment.
    unsafe { _mm_storeu_si128(four.as_mut_ptr().cast(), x) }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn loadf(a: &[u32], i: usize) -> __m128 {
    _mm_castsi128_ps(load(a, i))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn storef(b: &mut [u32], i: usize, x: __m128) {
    store(b, i, _mm_castps_si128(x));
}

/// `i, i + 1, i + 2, i + 3`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn index(i: usize) -> __m128i {
    _mm_add_epi32(_mm_set1_epi32(i as i32), _mm_setr_epi32(0, 1, 2, 3))
}

#[target_feature(enable = "avx2,fma")]
pub fn saxpy(a: &A, b: &mut B) {
    let k = _mm_set1_ps(2.5);
    for i in (0..N).step_by(4) {
        let x = _mm_add_ps(_mm_mul_ps(k, loadf(a, i)), loadf(b, i));
        storef(b, i, x);
    }
}

#[target_feature(enable = "avx2,fma")]
pub fn fma(a: &A, b: &mut B) {
    let (k, c) = (_mm_set1_ps(0.999), _mm_set1_ps(0.001));
    let start = [0.0, 0.1, 0.2, 0.3];
    for i in (0..N).step_by(8) {
        // Eight chains.
        let (x, y) = (loadf(a, i), loadf(a, i + 4));
        let mut x: [__m128; 4] = start.map(|s| _mm_add_ps(x, _mm_set1_ps(s)));
        let mut y: [__m128; 4] = start.map(|s| _mm_add_ps(y, _mm_set1_ps(s)));
        for _ in 0..128 {
            x = x.map(|x| _mm_fmadd_ps(x, k, c));
            y = y.map(|y| _mm_fmadd_ps(y, k, c));
        }
        for (i, x) in [(i, x), (i + 4, y)] {
            storef(b, i, _mm_add_ps(_mm_add_ps(_mm_add_ps(x[0], x[1]), x[2]), x[3]));
        }
    }
}

#[target_feature(enable = "avx2,fma")]
pub fn mandelbrot(_: &A, b: &mut B) {
    let (two, four, scale) = (_mm_set1_ps(2.0), _mm_set1_ps(4.0), _mm_set1_ps(1.0 / 128.0));
    for i in (0..N).step_by(8) {
        let at: [__m128i; 2] = from_fn(|v| index(i + 4 * v));
        let cx = at.map(|i| {
            let x = _mm_cvtepi32_ps(_mm_and_si128(i, _mm_set1_epi32(255)));
            _mm_sub_ps(_mm_mul_ps(x, scale), _mm_set1_ps(1.5))
        });
        let cy = at.map(|i| {
            let y = _mm_cvtepi32_ps(_mm_srli_epi32::<8>(i));
            _mm_sub_ps(_mm_mul_ps(y, scale), _mm_set1_ps(1.0))
        });
        let (mut x, mut y) = ([_mm_setzero_ps(); 2], [_mm_setzero_ps(); 2]);
        let mut n = [_mm_setzero_si128(); 2];
        let mut live = [_mm_castsi128_ps(_mm_set1_epi32(-1)); 2];
        for _ in 0..128 {
            for v in 0..2 {
                let (xx, yy) = (_mm_mul_ps(x[v], x[v]), _mm_mul_ps(y[v], y[v]));
                // A lane that has left the circle stays out.
                live[v] = _mm_and_ps(live[v], _mm_cmplt_ps(_mm_add_ps(xx, yy), four));
                n[v] = _mm_sub_epi32(n[v], _mm_castps_si128(live[v]));
                y[v] = _mm_add_ps(_mm_mul_ps(_mm_mul_ps(two, x[v]), y[v]), cy[v]);
                x[v] = _mm_add_ps(_mm_sub_ps(xx, yy), cx[v]);
            }
            if _mm_movemask_ps(_mm_or_ps(live[0], live[1])) == 0 {
                break;
            }
        }
        for v in 0..2 {
            storef(b, i + 4 * v, _mm_cvtepi32_ps(n[v]));
        }
    }
}

#[target_feature(enable = "avx2,fma")]
pub fn gather(a: &A, b: &mut B) {
    // Scalar loads: on most processors faster than the gather instruction.
    for i in (0..N).step_by(4) {
        let k = _mm_mullo_epi32(index(i), _mm_set1_epi32(2_654_435_761_u32 as i32));
        let k = _mm_and_si128(_mm_srli_epi32::<8>(k), _mm_set1_epi32(0xffff));
        let (low, high) = (_mm_cvtsi128_si64(k) as u64, _mm_extract_epi64::<1>(k) as u64);
        let at = |k: u64| a[(k & 0xffff) as usize] as i32;
        store(b, i, _mm_setr_epi32(at(low), at(low >> 32), at(high), at(high >> 32)));
    }
}

#[target_feature(enable = "avx2,fma")]
pub fn stencil(a: &A, b: &mut B) {
    let f = |i: usize| f32::from_bits(a[i]);
    for i in 0..256 {
        let sum = f(i) + f(i.max(1) - 1) + f(i + 1) + f(0) + f(i + 256);
        b[i] = (0.2 * sum).to_bits();
    }
    let k = _mm_set1_ps(0.2);
    for i in (256..N).step_by(4) {
        let sum = _mm_add_ps(loadf(a, i), loadf(a, i - 1));
        let sum = _mm_add_ps(sum, loadf(a, i + 1));
        let sum = _mm_add_ps(sum, loadf(a, i - 256));
        let sum = _mm_add_ps(sum, loadf(a, i + 256));
        storef(b, i, _mm_mul_ps(k, sum));
    }
}

#[target_feature(enable = "avx2,fma")]
pub fn hash(a: &A, b: &mut B) {
    let (p, q) = (_mm_set1_epi32(0x7feb_352d), _mm_set1_epi32(0x846c_a68b_u32 as i32));
    for i in (0..N).step_by(8) {
        let mut x: [__m128i; 2] = from_fn(|v| _mm_xor_si128(load(a, i + 4 * v), index(i + 4 * v)));
        for _ in 0..32 {
            x = x.map(|x| _mm_xor_si128(x, _mm_srli_epi32::<16>(x)));
            x = x.map(|x| _mm_mullo_epi32(x, p));
            x = x.map(|x| _mm_xor_si128(x, _mm_srli_epi32::<15>(x)));
            x = x.map(|x| _mm_mullo_epi32(x, q));
        }
        store(b, i, x[0]);
        store(b, i + 4, x[1]);
    }
}

#[target_feature(enable = "avx2,fma")]
pub fn collatz(_: &A, b: &mut B) {
    let one = _mm_set1_epi32(1);
    for i in (0..N).step_by(8) {
        let mut x: [__m128i; 2] = from_fn(|v| index(i + 4 * v + 1));
        let mut n = [_mm_setzero_si128(); 2];
        let mut live = [_mm_set1_epi32(-1); 2];
        for _ in 0..200 {
            for v in 0..2 {
                // A lane that has reached 1 stays out.
                live[v] = _mm_andnot_si128(_mm_cmpeq_epi32(x[v], one), live[v]);
                n[v] = _mm_sub_epi32(n[v], live[v]);
                let half = _mm_srli_epi32::<1>(x[v]);
                let triple = _mm_add_epi32(_mm_add_epi32(x[v], x[v]), _mm_add_epi32(x[v], one));
                // The lowest bit in the place of the sign.
                let odd = _mm_castsi128_ps(_mm_slli_epi32::<31>(x[v]));
                let next = _mm_blendv_ps(_mm_castsi128_ps(half), _mm_castsi128_ps(triple), odd);
                x[v] = _mm_castps_si128(next);
            }
            let any = _mm_or_si128(live[0], live[1]);
            if _mm_testz_si128(any, any) == 1 {
                break;
            }
        }
        store(b, i, n[0]);
        store(b, i + 4, n[1]);
    }
}

#[target_feature(enable = "avx2,fma")]
pub fn reduce(a: &A, b: &mut B) {
    for g in 0..N / 64 {
        // 64 to 32, 16, 8, 4, 2, 1, all in registers.
        let mut s: [__m128; 8] =
            from_fn(|k| _mm_add_ps(loadf(a, 64 * g + 4 * k), loadf(a, 64 * g + 4 * k + 32)));
        for n in [4, 2, 1] {
            for k in 0..n {
                s[k] = _mm_add_ps(s[k], s[k + n]);
            }
        }
        let two = _mm_add_ps(s[0], _mm_movehl_ps(s[0], s[0]));
        let sum = _mm_add_ss(two, _mm_movehdup_ps(two));
        b[g] = _mm_cvtss_f32(sum).to_bits();
    }
}

#[target_feature(enable = "avx2,fma")]
pub fn histogram(a: &A, b: &mut B) {
    for g in 0..N / 64 {
        let mut s = [0u32; 64];
        for &x in &a[64 * g..64 * g + 64] {
            s[(x & 63) as usize] += 1;
        }
        // Every workgroup adds to b[0..64]: one thread needs no atomics.
        for k in (0..64).step_by(4) {
            let sum = _mm_add_epi32(load(b, k), load(&s, k));
            store(b, k, sum);
        }
    }
}

/// `((c[n-1] * x + c[n-2]) * x + ...) + c[0]`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn horner<const K: usize>(x: __m128, c: [f32; K]) -> __m128 {
    let mut sum = _mm_set1_ps(c[K - 1]);
    for &k in c[..K - 1].iter().rev() {
        sum = _mm_add_ps(_mm_mul_ps(sum, x), _mm_set1_ps(k));
    }
    sum
}

/// Adding this rounds to an integer that lies in the low bits.
const ROUND: f32 = 12_582_912.0;

/// The formulas of the shader maths in `quadrille_jit`, see its module `ops::approx`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn sin(x: __m128) -> __m128 {
    let round = _mm_set1_ps(ROUND);
    let n = _mm_add_ps(_mm_mul_ps(x, _mm_set1_ps(std::f32::consts::FRAC_1_PI)), round);
    let k = _mm_sub_ps(n, round);
    let mut r = x;
    for part in [3.140_625, 9.651_184e-4, 2.535_181_7e-6] {
        r = _mm_sub_ps(r, _mm_mul_ps(k, _mm_set1_ps(part)));
    }
    let limit = std::f32::consts::FRAC_PI_2 + 0.02;
    let r = _mm_min_ps(_mm_max_ps(_mm_set1_ps(-limit), r), _mm_set1_ps(limit));
    let z = _mm_mul_ps(r, r);
    let q = horner(z, [-0.166_666_58, 8.333_045e-3, -1.980_794_3e-4, 2.601_949_5e-6]);
    let s = _mm_add_ps(r, _mm_mul_ps(_mm_mul_ps(r, z), q));
    let parity = _mm_slli_epi32::<31>(_mm_castps_si128(n));
    _mm_xor_ps(s, _mm_castsi128_ps(parity))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn exp2(x: __m128) -> __m128 {
    let x = _mm_min_ps(_mm_max_ps(_mm_set1_ps(-127.0), x), _mm_set1_ps(128.0));
    let k = _mm_floor_ps(x);
    let c = [1.0, 0.693_147_06, 0.240_229_28, 5.548_538_6e-2, 9.675_254e-3, 1.246_957_3e-3, 2.160_724_7e-4];
    let p = horner(_mm_sub_ps(x, k), c);
    let n = _mm_castps_si128(_mm_add_ps(k, _mm_set1_ps(ROUND + 127.0)));
    _mm_mul_ps(p, _mm_castsi128_ps(_mm_slli_epi32::<23>(n)))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn log2(x: __m128) -> __m128 {
    let root_half = _mm_set1_epi32(0x3f35_04f3);
    let bits = _mm_sub_epi32(_mm_castps_si128(x), root_half);
    let e = _mm_cvtepi32_ps(_mm_srai_epi32::<23>(bits));
    let significand = _mm_add_epi32(_mm_and_si128(bits, _mm_set1_epi32(0x007f_ffff)), root_half);
    let f = _mm_sub_ps(_mm_castsi128_ps(significand), _mm_set1_ps(1.0));
    let s = _mm_div_ps(f, _mm_add_ps(f, _mm_set1_ps(2.0)));
    let p = horner(_mm_mul_ps(s, s), [2.885_39, 0.961_798_3, 0.576_753_14, 0.430_985_36]);
    let r = _mm_add_ps(e, _mm_mul_ps(s, p));
    // Infinity, NaN, negative, zero.
    let finite = _mm_cmplt_ps(x, _mm_set1_ps(f32::INFINITY));
    let r = _mm_blendv_ps(x, r, finite);
    let negative = _mm_cmplt_ps(x, _mm_setzero_ps());
    let outside = _mm_blendv_ps(_mm_set1_ps(f32::NEG_INFINITY), _mm_set1_ps(f32::NAN), negative);
    _mm_blendv_ps(r, outside, _mm_cmplt_ps(x, _mm_set1_ps(f32::MIN_POSITIVE)))
}

#[target_feature(enable = "avx2,fma")]
pub fn transcendental(a: &A, b: &mut B) {
    let sign = _mm_set1_ps(-0.0);
    for i in (0..N).step_by(4) {
        let x = loadf(a, i);
        let abs = _mm_andnot_ps(sign, x);
        let pow = exp2(_mm_mul_ps(_mm_set1_ps(1.7), log2(_mm_add_ps(abs, _mm_set1_ps(0.5)))));
        let sum = _mm_add_ps(sin(x), exp2(_mm_xor_ps(abs, sign)));
        let sum = _mm_add_ps(sum, log2(_mm_add_ps(abs, _mm_set1_ps(1.0))));
        storef(b, i, _mm_add_ps(sum, pow));
    }
}
