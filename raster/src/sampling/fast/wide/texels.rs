//! Texels of eight lanes with 256 bits: loads, filters in two dimensions, results. Texel coordinates are left to
//! [`super::coords`].

use std::arch::x86_64::*;

use quadrille_jit::abi::ImageArgs;

use super::super::super::coords::{NORM8_HI, NORM8_LO};
use super::super::super::state::CompareOp;
use super::coords::mix;
use super::{FLOAT, HALF4, Plan, SHADOW, SRGB8, UNORM8};
use crate::memory::format::srgb::DECODE_BITS;

/// Components in the order of their position in the texel.
pub type Values = [__m256; 4];

/// Number of bytes of a texel.
pub const fn bytes(texels: u8) -> u32 {
    if texels == HALF4 { 8 } else { 4 }
}

/// Converts a weight in 1/256 to a float.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn weight(w: __m256i) -> __m256 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm256_mul_ps(_mm256_cvtepi32_ps(w), _mm256_set1_ps(1.0 / 256.0)) }
}

/// Like [`crate::sampling::coords::normalize8`], for integers up to 255, whose product with the high part is exact.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn normalize8_exact(v: __m256) -> __m256 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm256_fmadd_ps(v, _mm256_set1_ps(NORM8_HI), _mm256_mul_ps(v, _mm256_set1_ps(NORM8_LO))) }
}

/// Byte `i` of words as floats.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn byte(words: __m256i, i: usize) -> __m256 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm256_cvtepi32_ps(code(words, i)) }
}

/// Byte `i` of words as integers.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn code(words: __m256i, i: usize) -> __m256i {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn component<const T: u8>(
    words: __m256i,
    i: usize,
    gathers: bool,
    op: CompareOp,
    dref: __m256,
) -> __m256 {
    // SAFETY: the caller promises the host features. Offsets into `DECODE_BITS` are masked to 0..=0x3fc, so all loads
    // are inside its 256 words.
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

/// `dref op depth`; comparisons with NaN are true for NotEqual and Always only.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn compare(op: CompareOp, dref: __m256, depth: __m256) -> __m256 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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

/// Loads texels at byte offsets, in the domain of filters.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks, and the texels must be readable.
#[inline(always)]
pub unsafe fn nearest<const T: u8>(
    base: *const u8,
    at: __m256i,
    gathers: bool,
    op: CompareOp,
    dref: __m256,
) -> Values {
    // SAFETY: the caller promises the host features and readable texels.
    unsafe {
        if T == HALF4 {
            return halves(base, at, gathers);
        }
        values::<T>(words(base, at, gathers), gathers, op, dref)
    }
}

/// Decodes the components of texels of one word, in the domain of filters.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn values<const T: u8>(words: __m256i, gathers: bool, op: CompareOp, dref: __m256) -> Values {
    // SAFETY: the caller promises the host features, which is all that the called functions require.
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

/// The eight offsets as integers.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn offsets(at: __m256i) -> [usize; 8] {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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

/// Loads words at byte offsets: with `gathers` by the host's gathers, else one by one; see [`super::measure`].
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks, and the words must be readable.
#[inline(always)]
pub unsafe fn words(base: *const u8, at: __m256i, gathers: bool) -> __m256i {
    // SAFETY: the caller promises the host features and readable words. All loads are unaligned.
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

/// Loads eight bytes at byte offsets: those of lanes 0, 1, 4, 5, and those of lanes 2, 3, 6, 7.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks, and the bytes must be readable.
#[inline(always)]
unsafe fn doubles(base: *const u8, at: __m256i, gathers: bool) -> (__m256i, __m256i) {
    // SAFETY: the caller promises the host features and readable bytes. All loads are unaligned.
    unsafe {
        if gathers {
            // Offsets of lanes 0, 1, 4, 5, and of lanes 2, 3, 6, 7.
            let at = _mm256_permute4x64_epi64::<0b11_01_10_00>(at);
            let a = _mm256_i32gather_epi64::<1>(base.cast(), _mm256_castsi256_si128(at));
            let b = _mm256_i32gather_epi64::<1>(base.cast(), _mm256_extracti128_si256::<1>(at));
            return (a, b);
        }
        extracted(base, &offsets(at))
    }
}

/// Like [`doubles`], one by one.
///
/// # Safety
/// As for [`doubles`].
#[inline(always)]
unsafe fn extracted(base: *const u8, at: &[usize; 8]) -> (__m256i, __m256i) {
    // SAFETY: the caller promises the host features and readable bytes. All loads are unaligned.
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

/// Loads texels of four 16-bit floats.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks, and the texels must be readable.
#[inline(always)]
unsafe fn halves(base: *const u8, at: __m256i, gathers: bool) -> Values {
    // SAFETY: the caller promises the host features and readable texels.
    unsafe {
        let (a, b) = doubles(base, at, gathers);
        // Each 128-bit half is transposed: first lanes 0, 2 (4, 6) and 1, 3 (5, 7) of components 0 to 3, then all four
        // lanes.
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

/// Loads words at byte offsets and the words after them.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks. The words must be readable, and the words after
/// them, too: they are in the next row or the image's padding.
#[inline(always)]
unsafe fn pairs_at(base: *const u8, at: __m256i, gathers: bool) -> [__m256i; 2] {
    // SAFETY: the caller promises the host features and eight readable bytes at each offset.
    unsafe { pairs_of(doubles(base, at, gathers)) }
}

/// The first and the second words of the result of [`doubles`].
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn pairs_of((a, b): (__m256i, __m256i)) -> [__m256i; 2] {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
        let first = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b));
        [first, _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b))]
    }
}

/// Loads words at byte offsets, and the words after them. If any lane is `apart`, the second words come from the
/// offsets `next` instead.
///
/// # Safety
/// As for [`pairs_at`]. The words at `next` must be readable, too.
#[inline(always)]
pub unsafe fn pairs(base: *const u8, at: __m256i, next: __m256i, apart: u32, gathers: bool) -> [__m256i; 2] {
    // SAFETY: the caller promises the host features and readable words at `at`, after them, and at `next`.
    unsafe {
        let [first, second] = pairs_at(base, at, gathers);
        [first, if apart != 0 { words(base, next, gathers) } else { second }]
    }
}

/// Texels of linear filters.
pub struct Taps {
    /// Byte offsets of both columns in their rows.
    pub xs: [__m256i; 2],
    /// Byte offsets of both rows.
    pub ys: [__m256i; 2],
    /// Weights of the second texel along both axes in 1/256.
    pub weights: [__m256i; 2],
    /// Bits of the lanes whose two texels of a row are not neighbours.
    pub apart: u32,
    /// Row pitch, if in all lanes the texels of a row are neighbours and the second row follows the first.
    pub pitch: Option<usize>,
    /// Byte offsets of the first texels.
    pub at: __m256i,
    /// `true` for loads by the host's gathers; see [`words`].
    pub gathers: bool,
}

/// Applies a linear filter to two texels in each of two rows.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks. The texels of `taps` must be readable, and the bytes
/// of a texel after them, too.
#[inline(always)]
pub unsafe fn linear<const T: u8>(base: *const u8, taps: &Taps, op: CompareOp, dref: __m256) -> Values {
    // SAFETY: the caller promises the host features and readable texels. If `pitch` is set, the second row and the
    // neighbours are texels of `taps`.
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

/// Loads the words of both rows at arbitrary offsets.
///
/// # Safety
/// As for [`linear`].
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn far_pairs(base: *const u8, taps: &Taps) -> [[__m256i; 2]; 2] {
    // SAFETY: the caller promises the host features and readable texels at all offsets of `taps`.
    unsafe {
        each!(2, y in taps.ys => {
            let [at, next] = each!(2, x in taps.xs => _mm256_add_epi32(x, y));
            pairs(base, at, next, taps.apart, taps.gathers)
        })
    }
}

/// Loads, for each lane, two texels of four 16-bit floats from the first row and two from the second.
///
/// # Safety
/// As for [`linear`].
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn far_halves(base: *const u8, taps: &Taps) -> [__m256i; 8] {
    let mut lanes = [_mm256_setzero_si256(); 8];
    // SAFETY: the caller promises the host features and readable texels at all offsets of `taps`.
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

/// Filters bytes in integers, which is exact; values are in units of 1/(255 * 256 * 256).
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn linear_bytes(rows: &[[__m256i; 2]; 2], [wx, wy]: &[__m256i; 2]) -> Values {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let whole = _mm256_set1_epi16(256);
        // Weights along x in both halves of the words.
        let wx = _mm256_or_si256(*wx, _mm256_slli_epi32::<16>(*wx));
        let wx0 = _mm256_sub_epi16(whole, wx);
        // Weights of the two rows side by side.
        let wy = _mm256_or_si256(_mm256_slli_epi32::<16>(*wy), _mm256_sub_epi32(_mm256_set1_epi32(256), *wy));
        let low = _mm256_set1_epi16(255);
        let top = _mm256_set1_epi16(i16::MIN);
        let mut v = [_mm256_setzero_ps(); 4];
        unroll!(odd in 0 1 => {
            // Filters two bytes of each texel along x, in 16 bits each, and subtracts 2^15 to make them signed.
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
                // The weights add up to 256, so the subtraction above amounts to 2^23.
                let sum = _mm256_cvtepi32_ps(_mm256_madd_epi16(pair, wy));
                v[odd + 2 * i] = _mm256_add_ps(sum, _mm256_set1_ps(8_388_608.0));
            });
        });
        v
    }
}

/// Filters texels of four 16-bit floats. Each lane has two texels of the first row, then two of the second.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn linear_halves(lanes: &[__m256i; 8], weights: &[__m256i; 2]) -> Values {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        // Within each half, which is a row, transposes eight lanes by eight 16-bit floats.
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
            // Component `i` of the first texel, then of the second.
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

/// Converts eight 16-bit floats in each half.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn both_halves(v: __m256i) -> [__m256; 2] {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { [_mm256_cvtph_ps(_mm256_castsi256_si128(v)), _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(v))] }
}

/// Converts from the domain of filters to results. `MIXED` is true if values may be between those of two levels.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn finish<const T: u8, const LINEAR: bool, const MIXED: bool>(v: Values) -> Values {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        if T != UNORM8 {
            return v;
        }
        if !LINEAR && !MIXED {
            return each!(4, v in v => normalize8_exact(v));
        }
        // Filters leave a factor of 2^16. In the generated routines it is 2^8, with the same products.
        let scale = if LINEAR { 1.0 / 65536.0 } else { 1.0 };
        let (hi, lo) = (_mm256_set1_ps(NORM8_HI * scale), _mm256_set1_ps(NORM8_LO * scale));
        each!(4, v in v => _mm256_add_ps(_mm256_mul_ps(v, hi), _mm256_mul_ps(v, lo)))
    }
}

/// Stores results.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks. `args` must point to valid arguments that nothing
/// else uses, as for [`super::coords::row`].
#[inline(always)]
pub unsafe fn store<const T: u8>(args: *mut ImageArgs, plan: &Plan, v: &Values) {
    // SAFETY: the caller promises the host features and valid arguments. `Plan` holds only offsets from `row_at`, so
    // all stores are inside the result rows.
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
