//! Texels of eight lanes: loads, filters in two dimensions, results.

use std::arch::x86_64::*;

use quadrille_jit::abi::ImageArgs;

use super::super::super::coords::{NORM8_HI, NORM8_LO};
use super::super::super::state::CompareOp;
use super::coords::mix;
use super::{FLOAT, HALF4, Plan, SHADOW, SRGB8, UNORM8};
use crate::memory::format::srgb::DECODE_BITS;

/// Components in the order of their places in the texel.
pub type Values = [__m256; 4];

/// Bytes of a texel.
pub const fn bytes(texels: u8) -> u32 {
    if texels == HALF4 { 8 } else { 4 }
}

/// A weight in 1/256 as a float.
#[inline(always)]
pub unsafe fn weight(w: __m256i) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe { _mm256_mul_ps(_mm256_cvtepi32_ps(w), _mm256_set1_ps(1.0 / 256.0)) }
}

/// See [`crate::sampling::coords::normalize8`]; for integers up to 255, whose product with the high part is
/// exact.
#[inline(always)]
pub unsafe fn normalize8_exact(v: __m256) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe { _mm256_fmadd_ps(v, _mm256_set1_ps(NORM8_HI), _mm256_mul_ps(v, _mm256_set1_ps(NORM8_LO))) }
}

/// Byte `i` of words as floats.
#[inline(always)]
unsafe fn byte(words: __m256i, i: usize) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe { _mm256_cvtepi32_ps(code(words, i)) }
}

#[inline(always)]
unsafe fn code(words: __m256i, i: usize) -> __m256i {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let low = _mm256_set1_epi32(255);
        match i {
            0 => _mm256_and_si256(words, low),
            1 => _mm256_and_si256(_mm256_srli_epi32(words, 8), low),
            2 => _mm256_and_si256(_mm256_srli_epi32(words, 16), low),
            _ => _mm256_srli_epi32(words, 24),
        }
    }
}

/// Component `i` of a texel of one word, in the domain of filters.
#[inline(always)]
unsafe fn component<const T: u8>(
    words: __m256i,
    i: usize,
    gathers: bool,
    op: CompareOp,
    dref: __m256,
) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        match T {
            UNORM8 => byte(words, i),
            SRGB8 if i == 3 => normalize8_exact(byte(words, i)),
            SRGB8 => {
                let four_times = match i {
                    0 => _mm256_slli_epi32::<2>(words),
                    1 => _mm256_srli_epi32::<6>(words),
                    _ => _mm256_srli_epi32::<14>(words),
                };
                let at = _mm256_and_si256(four_times, _mm256_set1_epi32(0x3fc));
                _mm256_castsi256_ps(self::words(DECODE_BITS.as_ptr().cast(), at, gathers))
            }
            SHADOW => {
                let holds = compare(op, dref, _mm256_castsi256_ps(words));
                _mm256_and_ps(holds, _mm256_set1_ps(1.0))
            }
            _ => _mm256_castsi256_ps(words),
        }
    }
}

/// `dref op depth`; with a NaN only NotEqual and Always hold.
#[inline(always)]
unsafe fn compare(op: CompareOp, dref: __m256, depth: __m256) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        match op {
            CompareOp::Never => _mm256_setzero_ps(),
            CompareOp::Always => _mm256_castsi256_ps(_mm256_set1_epi32(-1)),
            CompareOp::Less => _mm256_cmp_ps::<_CMP_LT_OQ>(dref, depth),
            CompareOp::Equal => _mm256_cmp_ps::<_CMP_EQ_OQ>(dref, depth),
            CompareOp::LessOrEqual => _mm256_cmp_ps::<_CMP_LE_OQ>(dref, depth),
            CompareOp::Greater => _mm256_cmp_ps::<_CMP_GT_OQ>(dref, depth),
            CompareOp::NotEqual => _mm256_cmp_ps::<_CMP_NEQ_UQ>(dref, depth),
            CompareOp::GreaterOrEqual => _mm256_cmp_ps::<_CMP_GE_OQ>(dref, depth),
        }
    }
}

/// Number of components of a texel.
const fn components(texels: u8) -> usize {
    if matches!(texels, FLOAT | SHADOW) { 1 } else { 4 }
}

/// Texels at byte offsets, in the domain of filters.
///
/// # Safety
/// The texels are readable.
#[inline(always)]
pub unsafe fn nearest<const T: u8>(
    base: *const u8,
    at: __m256i,
    gathers: bool,
    op: CompareOp,
    dref: __m256,
) -> Values {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        if T == HALF4 {
            return halves(base, at, gathers);
        }
        values::<T>(words(base, at, gathers), gathers, op, dref)
    }
}

/// Components of texels of one word, in the domain of filters.
#[inline(always)]
pub unsafe fn values<const T: u8>(words: __m256i, gathers: bool, op: CompareOp, dref: __m256) -> Values {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let mut v = [_mm256_setzero_ps(); 4];
        unroll!(i in 0 1 2 3 => {
            if i < components(T) {
                v[i] = component::<T>(words, i, gathers, op, dref);
            }
        });
        v
    }
}

/// The eight offsets.
#[inline(always)]
pub unsafe fn offsets(at: __m256i) -> [usize; 8] {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let (low, high) = (_mm256_castsi256_si128(at), _mm256_extracti128_si256::<1>(at));
        let [a, b] = [_mm_cvtsi128_si64(low) as u64, _mm_extract_epi64::<1>(low) as u64];
        let [c, d] = [_mm_cvtsi128_si64(high) as u64, _mm_extract_epi64::<1>(high) as u64];
        let mut at = [0; 8];
        for (i, pair) in [a, b, c, d].into_iter().enumerate() {
            at[2 * i] = pair as u32 as usize;
            at[2 * i + 1] = (pair >> 32) as usize;
        }
        at
    }
}

/// Words at byte offsets. `gathers`: by the host's gathers, else one by one; see [`super::measure`].
///
/// # Safety
/// They are readable.
#[inline(always)]
pub unsafe fn words(base: *const u8, at: __m256i, gathers: bool) -> __m256i {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        if gathers {
            return _mm256_i32gather_epi32::<1>(base.cast(), at);
        }
        let at = offsets(at);
        let mut quads = [_mm_setzero_ps(); 2];
        for i in 0..2 {
            let [a, b, c, d] = each!(4, k in [0, 1, 2, 3] => _mm_load_ss(base.add(at[4 * i + k]).cast()));
            quads[i] = _mm_movelh_ps(_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
        }
        _mm256_castps_si256(_mm256_set_m128(quads[1], quads[0]))
    }
}

/// Eight bytes at byte offsets: those of lanes 0, 1, 4, 5 and of lanes 2, 3, 6, 7.
///
/// # Safety
/// They are readable.
#[inline(always)]
unsafe fn doubles(base: *const u8, at: __m256i, gathers: bool) -> (__m256i, __m256i) {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        if gathers {
            // Those of lanes 0, 1, 4, 5 and of lanes 2, 3, 6, 7.
            let at = _mm256_permute4x64_epi64::<0b11_01_10_00>(at);
            let a = _mm256_i32gather_epi64::<1>(base.cast(), _mm256_castsi256_si128(at));
            let b = _mm256_i32gather_epi64::<1>(base.cast(), _mm256_extracti128_si256::<1>(at));
            return (a, b);
        }
        extracted(base, &offsets(at))
    }
}

#[inline(always)]
unsafe fn extracted(base: *const u8, at: &[usize; 8]) -> (__m256i, __m256i) {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let mut pairs = [_mm_setzero_pd(); 4];
        for i in 0..4 {
            let low = _mm_load_sd(base.add(at[2 * i]).cast());
            pairs[i] = _mm_loadh_pd(low, base.add(at[2 * i + 1]).cast());
        }
        let (a, b) = (_mm256_set_m128d(pairs[2], pairs[0]), _mm256_set_m128d(pairs[3], pairs[1]));
        (_mm256_castpd_si256(a), _mm256_castpd_si256(b))
    }
}

/// Texels of four 16-bit floats.
#[inline(always)]
unsafe fn halves(base: *const u8, at: __m256i, gathers: bool) -> Values {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let (a, b) = doubles(base, at, gathers);
        // In each half: lanes 0, 2 (4, 6) and 1, 3 (5, 7) of components 0 to 3, then all four.
        let (x, y) = (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b));
        let (low, high) = (_mm256_unpacklo_epi16(x, y), _mm256_unpackhi_epi16(x, y));
        let mut v = [_mm256_setzero_ps(); 4];
        for i in 0..2 {
            let pair = _mm256_permute4x64_epi64::<0b11_01_10_00>([low, high][i]);
            v[2 * i] = _mm256_cvtph_ps(_mm256_castsi256_si128(pair));
            v[2 * i + 1] = _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(pair));
        }
        v
    }
}

/// Words at byte offsets and those behind them.
///
/// # Safety
/// They are readable; behind the last texel is the next row or the image's padding.
#[inline(always)]
unsafe fn pairs_at(base: *const u8, at: __m256i, gathers: bool) -> [__m256i; 2] {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe { pairs_of(doubles(base, at, gathers)) }
}

/// The first and the second words of [`doubles`].
#[inline(always)]
unsafe fn pairs_of((a, b): (__m256i, __m256i)) -> [__m256i; 2] {
    // SAFETY: the host has the features.
    unsafe {
        let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
        let first = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b));
        [first, _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b))]
    }
}

/// Words at byte offsets and, where lanes are `apart`, those at `next`, else those behind them.
///
/// # Safety
/// As for [`pairs_at`].
#[inline(always)]
pub unsafe fn pairs(base: *const u8, at: __m256i, next: __m256i, apart: u32, gathers: bool) -> [__m256i; 2] {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let [first, second] = pairs_at(base, at, gathers);
        [first, if apart != 0 { words(base, next, gathers) } else { second }]
    }
}

/// Where the texels of linear filters are.
pub struct Taps {
    /// Offsets in rows.
    pub xs: [__m256i; 2],
    /// Offsets of rows.
    pub ys: [__m256i; 2],
    /// Weights along both axes in 1/256.
    pub weights: [__m256i; 2],
    /// Lanes whose two texels of a row are not neighbours.
    pub apart: u32,
    /// In all lanes the texels of a row are neighbours and the second row is this far from the first.
    pub pitch: Option<usize>,
    /// Offsets of the first texels.
    pub at: __m256i,
    /// See [`words`].
    pub gathers: bool,
}

/// A linear filter of two texels in each of two rows.
///
/// # Safety
/// The texels are readable.
#[inline(always)]
pub unsafe fn linear<const T: u8>(base: *const u8, taps: &Taps, op: CompareOp, dref: __m256) -> Values {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        if T == HALF4 {
            let lanes = match taps.pitch {
                Some(pitch) => {
                    let at = offsets(taps.at);
                    let mut lanes = [_mm256_setzero_si256(); 8];
                    unroll!(i in 0 1 2 3 4 5 6 7 => {
                        let row = base.add(at[i]);
                        let first = _mm_loadu_si128(row.cast());
                        lanes[i] = _mm256_set_m128i(_mm_loadu_si128(row.add(pitch).cast()), first);
                    });
                    lanes
                }
                None => far_halves(base, taps),
            };
            return linear_halves(&lanes, &taps.weights);
        }
        let rows = match taps.pitch {
            Some(pitch) if taps.gathers => {
                [pairs_at(base, taps.at, true), pairs_at(base.add(pitch), taps.at, true)]
            }
            Some(pitch) => {
                let at = offsets(taps.at);
                [pairs_of(extracted(base, &at)), pairs_of(extracted(base.add(pitch), &at))]
            }
            None => far_pairs(base, taps),
        };
        if T == UNORM8 {
            return linear_bytes(&rows, &taps.weights);
        }
        let [wx, wy] = each!(2, w in taps.weights => weight(w));
        let mut v = [_mm256_setzero_ps(); 4];
        unroll!(i in 0 1 2 3 => {
            if i < components(T) {
                let [a, b] = each!(2, row in rows => {
                    let [x, y] = each!(2, w in row => component::<T>(w, i, taps.gathers, op, dref));
                    mix(x, y, wx)
                });
                v[i] = mix(a, b, wy);
            }
        });
        v
    }
}

/// Words of both rows wherever they are.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn far_pairs(base: *const u8, taps: &Taps) -> [[__m256i; 2]; 2] {
    // SAFETY: passed on.
    unsafe {
        each!(2, y in taps.ys => {
            let [at, next] = each!(2, x in taps.xs => _mm256_add_epi32(x, y));
            pairs(base, at, next, taps.apart, taps.gathers)
        })
    }
}

/// For each lane: two texels of four 16-bit floats of the first row, two of the second.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn far_halves(base: *const u8, taps: &Taps) -> [__m256i; 8] {
    let mut lanes = [_mm256_setzero_si256(); 8];
    // SAFETY: passed on.
    unsafe {
        let at = each!(2, y in taps.ys => offsets(_mm256_add_epi32(taps.xs[0], y)));
        let next = each!(2, y in taps.ys => offsets(_mm256_add_epi32(taps.xs[1], y)));
        for i in 0..8 {
            let [a, b] = each!(2, r in [0, 1] => _mm_loadl_epi64(base.add(at[r][i]).cast()));
            let [c, d] = each!(2, r in [0, 1] => _mm_loadl_epi64(base.add(next[r][i]).cast()));
            lanes[i] = _mm256_set_m128i(_mm_unpacklo_epi64(b, d), _mm_unpacklo_epi64(a, c));
        }
    }
    lanes
}

/// In integers, which is exact; values are in units of 1/(255 * 256 * 256).
#[inline(always)]
unsafe fn linear_bytes(rows: &[[__m256i; 2]; 2], [wx, wy]: &[__m256i; 2]) -> Values {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let whole = _mm256_set1_epi16(256);
        // Weights in both halves of the words.
        let wx = _mm256_or_si256(*wx, _mm256_slli_epi32::<16>(*wx));
        let wx0 = _mm256_sub_epi16(whole, wx);
        // Those of the two rows beside each other.
        let wy = _mm256_or_si256(_mm256_slli_epi32::<16>(*wy), _mm256_sub_epi32(_mm256_set1_epi32(256), *wy));
        let low = _mm256_set1_epi16(255);
        let top = _mm256_set1_epi16(i16::MIN);
        let mut v = [_mm256_setzero_ps(); 4];
        unroll!(odd in 0 1 => {
            // Two bytes of each texel, 16 bits for each, along x; then less 2^15, to be signed.
            let [a, b] = each!(2, row in *rows => {
                let [x, y] = each!(2, w in row => match odd {
                    0 => _mm256_and_si256(w, low),
                    _ => _mm256_srli_epi16::<8>(w),
                });
                let sum = _mm256_add_epi16(_mm256_mullo_epi16(x, wx0), _mm256_mullo_epi16(y, wx));
                _mm256_xor_si256(sum, top)
            });
            let first = _mm256_blend_epi16::<0xaa>(a, _mm256_slli_epi32::<16>(b));
            let second = _mm256_blend_epi16::<0xaa>(_mm256_srli_epi32::<16>(a), b);
            unroll!(i in 0 1 => {
                let pair = [first, second][i];
                // The weights' sum is 256, which makes 2^23 less.
                let sum = _mm256_cvtepi32_ps(_mm256_madd_epi16(pair, wy));
                v[odd + 2 * i] = _mm256_add_ps(sum, _mm256_set1_ps(8_388_608.0));
            });
        });
        v
    }
}

/// Texels of four 16-bit floats. For each lane: two of the first row, two of the second.
#[inline(always)]
unsafe fn linear_halves(lanes: &[__m256i; 8], weights: &[__m256i; 2]) -> Values {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        // Within each half, which is a row, eight lanes by eight 16-bit floats are transposed.
        let (mut x, mut y) = (*lanes, *lanes);
        unroll!(i in 0 1 2 3 => {
            x[2 * i] = _mm256_unpacklo_epi16(lanes[2 * i], lanes[2 * i + 1]);
            x[2 * i + 1] = _mm256_unpackhi_epi16(lanes[2 * i], lanes[2 * i + 1]);
        });
        unroll!(i in 0 2 4 6 => {
            let (a, b) = (x[i - i % 4 + i / 2 % 2], x[i - i % 4 + i / 2 % 2 + 2]);
            y[i] = _mm256_unpacklo_epi32(a, b);
            y[i + 1] = _mm256_unpackhi_epi32(a, b);
        });
        let [wx, wy] = each!(2, w in *weights => weight(w));
        let mut v = [_mm256_setzero_ps(); 4];
        unroll!(i in 0 1 2 3 => {
            // Of the first texel, then of the second.
            let [first, second] = each!(2, k in [0, 2] => match i % 2 {
                0 => _mm256_unpacklo_epi64(y[i / 2 + k], y[i / 2 + k + 4]),
                _ => _mm256_unpackhi_epi64(y[i / 2 + k], y[i / 2 + k + 4]),
            });
            let ([a0, a1], [b0, b1]) = (both_halves(first), both_halves(second));
            v[i] = mix(mix(a0, b0, wx), mix(a1, b1, wx), wy);
        });
        v
    }
}

/// Eight 16-bit floats in each half.
#[inline(always)]
unsafe fn both_halves(v: __m256i) -> [__m256; 2] {
    // SAFETY: the host has the features.
    unsafe { [_mm256_cvtph_ps(_mm256_castsi256_si128(v)), _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(v))] }
}

/// From the domain of filters to results. `MIXED`: values may be between those of two levels.
#[inline(always)]
pub unsafe fn finish<const T: u8, const LINEAR: bool, const MIXED: bool>(v: Values) -> Values {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        if T != UNORM8 {
            return v;
        }
        if !LINEAR && !MIXED {
            return each!(4, v in v => normalize8_exact(v));
        }
        // Filters leave a factor of 2^16, which is 2^8 in the generated routines, whose products are the same.
        let scale = if LINEAR { 1.0 / 65536.0 } else { 1.0 };
        let (hi, lo) = (_mm256_set1_ps(NORM8_HI * scale), _mm256_set1_ps(NORM8_LO * scale));
        each!(4, v in v => _mm256_add_ps(_mm256_mul_ps(v, hi), _mm256_mul_ps(v, lo)))
    }
}

/// Stores results.
///
/// # Safety
/// The arguments are valid.
#[inline(always)]
pub unsafe fn store<const T: u8>(args: *mut ImageArgs, plan: &Plan, v: &Values) {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let at = args.cast::<u8>();
        unroll!(i in 0 1 2 3 => {
            if i < components(T) {
                _mm256_storeu_ps(at.add(plan.rows[i]).cast(), v[i]);
            }
        });
        for &(row, bits) in &plan.constants {
            _mm256_storeu_si256(at.add(row).cast(), _mm256_set1_epi32(bits as i32));
        }
    }
}
