//! Texels of eight lanes with 512 bits: loads, filters in two dimensions, results. Coordinates are left to
//! [`super::coords`].

use std::arch::x86_64::*;

use quadrille_jit::abi::ImageArgs;

use super::super::super::super::coords::{NORM8_HI, NORM8_LO};
use super::super::super::super::state::CompareOp;
use super::super::texels::{offsets, words};
use super::super::{HALF4, Plan, SHADOW, SRGB8, UNORM8};
use crate::memory::format::srgb::DECODE_BITS;

/// Components 0 and 1, then 2 and 3 of eight lanes, in the order of their position in the texel. Texels of one
/// component fill half of the first vector.
pub type Values = [__m512; 2];

/// Repeats the bits for both halves of a vector.
#[inline(always)]
pub fn twice(bits: u8) -> u16 {
    u16::from(bits) * 0x101
}

/// `a + (b - a) * w`.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
pub unsafe fn mix(a: __m512, b: __m512, w: __m512) -> __m512 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm512_add_ps(a, _mm512_mul_ps(_mm512_sub_ps(b, a), w)) }
}

/// Converts the weights of eight lanes from 1/256 to floats, in both halves.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
pub unsafe fn weight(w: __m256i) -> __m512 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let w = _mm256_mul_ps(_mm256_cvtepi32_ps(w), _mm256_set1_ps(1.0 / 256.0));
        _mm512_broadcast_f32x8(w)
    }
}

/// Index of the source byte for each byte of a vector.
type Bytes = [u8; 64];

/// Loads byte indices.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
unsafe fn bytes_of(b: &'static Bytes) -> __m512i {
    // SAFETY: the caller promises the host features; `b` has 64 bytes, the size of the load.
    unsafe { _mm512_loadu_si512(b.as_ptr().cast()) }
}

/// Bytes for components `2 * i` and `2 * i + 1` of eight lanes, from pairs of texels of four bytes: both bytes of a
/// pair at positions 0 and 2 of a word.
const fn of_pairs(i: usize) -> Bytes {
    let mut b = [0; 64];
    let mut slot = 0;
    while slot < 16 {
        let byte = 8 * (slot % 8) + 2 * i + slot / 8;
        b[4 * slot] = byte as u8;
        b[4 * slot + 2] = byte as u8 + 4;
        slot += 1;
    }
    b
}

/// Bytes for components `2 * i` and `2 * i + 1` of eight lanes, from texels of four bytes: a byte at position 0 of a
/// word.
const fn of_texels(i: usize) -> Bytes {
    let mut b = [0; 64];
    let mut slot = 0;
    while slot < 16 {
        b[4 * slot] = (4 * (slot % 8) + 2 * i + slot / 8) as u8;
        slot += 1;
    }
    b
}

/// Bytes for component `c` of eight lanes, from pairs of texels of four bytes: of the first texels, then of the second,
/// each byte at position 0 of a word.
const fn of_component(c: usize) -> Bytes {
    let mut b = [0; 64];
    let mut slot = 0;
    while slot < 16 {
        b[4 * slot] = (8 * (slot % 8) + 4 * (slot / 8) + c) as u8;
        slot += 1;
    }
    b
}

/// Order of bytes from which [`decoded`] makes four vectors. Vector `k` holds components `2 * (k / per)` and the next
/// of eight lanes, for texel `k % per` of `per` texels of four bytes.
const fn to_decode(per: usize) -> Bytes {
    let mut b = [0; 64];
    let mut k = 0;
    while k < 2 * per {
        let mut slot = 0;
        while slot < 16 {
            let to = 16 * (slot / 4) + 4 * k + slot % 4;
            b[to] = (4 * per * (slot % 8) + 4 * (k % per) + 2 * (k / per) + slot / 8) as u8;
            slot += 1;
        }
        k += 1;
    }
    b
}

static PAIRS: [Bytes; 2] = [of_pairs(0), of_pairs(1)];
static TEXELS: [Bytes; 2] = [of_texels(0), of_texels(1)];
static COMPONENTS: [Bytes; 4] = [of_component(0), of_component(1), of_component(2), of_component(3)];
static TO_DECODE: [Bytes; 2] = [to_decode(1), to_decode(2)];
/// Bytes for the alpha of eight lanes, in the second half of a vector.
static SECOND_ALPHAS: Bytes = {
    let mut b = [0; 64];
    let mut lane = 0;
    while lane < 8 {
        b[4 * (8 + lane)] = 4 * lane as u8 + 3;
        lane += 1;
    }
    b
};

/// Bytes of the linear values of all sRGB codes: byte `i` of each value.
static DECODE_BYTES: [[u8; 256]; 4] = {
    let mut bytes = [[0; 256]; 4];
    let mut code = 0;
    while code < 256 {
        let all = DECODE_BITS[code].to_le_bytes();
        let mut i = 0;
        while i < 4 {
            bytes[i][code] = all[i];
            i += 1;
        }
        code += 1;
    }
    bytes
};

/// Looks up byte `i` of the linear values of 64 codes. `above` has the bits of codes above 127.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
unsafe fn looked_up(codes: __m512i, above: u64, i: usize) -> __m512i {
    // SAFETY: the caller promises the host features; the table has 256 bytes, and the four loads read 64 bytes each.
    unsafe {
        let t = DECODE_BYTES[i].as_ptr();
        let [a, b, c, d] = each!(4, k in [0, 64, 128, 192] => _mm512_loadu_si512(t.add(k).cast()));
        let low = _mm512_permutex2var_epi8(a, codes, b);
        _mm512_mask_mov_epi8(low, above, _mm512_permutex2var_epi8(c, codes, d))
    }
}

/// Decodes 64 sRGB codes to linear values; see [`to_decode`].
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
unsafe fn decoded(codes: __m512i) -> [__m512; 4] {
    // SAFETY: the caller promises the host features, which is all that the called functions require.
    unsafe {
        let above = _mm512_movepi8_mask(codes);
        let [a, b, c, d] = each!(4, i in [0, 1, 2, 3] => looked_up(codes, above, i));
        let (low0, low1) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
        let (high0, high1) = (_mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
        let v = [
            _mm512_unpacklo_epi16(low0, high0),
            _mm512_unpackhi_epi16(low0, high0),
            _mm512_unpacklo_epi16(low1, high1),
            _mm512_unpackhi_epi16(low1, high1),
        ];
        each!(4, v in v => _mm512_castsi512_ps(v))
    }
}

/// Selects bytes and converts them to floats.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
unsafe fn chosen(words: __m512i, bytes: &'static Bytes) -> __m512 {
    // SAFETY: the caller promises the host features, which is all that the called functions require.
    unsafe {
        let codes = _mm512_maskz_permutexvar_epi8(0x1111_1111_1111_1111, bytes_of(bytes), words);
        _mm512_cvtepi32_ps(codes)
    }
}

/// Like [`super::super::texels::normalize8_exact`].
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
pub unsafe fn normalize8_exact(v: __m512) -> __m512 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm512_fmadd_ps(v, _mm512_set1_ps(NORM8_HI), _mm512_mul_ps(v, _mm512_set1_ps(NORM8_LO))) }
}

/// Loads texels at byte offsets, in the domain of filters.
/// # Safety
/// The host must have the features of [`super::is_able`], and the texels must be readable.
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
        let texels = match T {
            HALF4 => doubles(base, at, gathers),
            _ => _mm512_castsi256_si512(words(base, at, gathers)),
        };
        values::<T>(texels, op, dref)
    }
}

/// Decodes eight contiguous texels.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
pub unsafe fn values<const T: u8>(texels: __m512i, op: CompareOp, dref: __m256) -> Values {
    // SAFETY: the caller promises the host features, which is all that the called functions require.
    unsafe {
        match T {
            HALF4 => {
                // Eight lanes of each component.
                let order = _mm512_set_epi16(
                    31, 27, 23, 19, 15, 11, 7, 3, 30, 26, 22, 18, 14, 10, 6, 2, 29, 25, 21, 17, 13, 9, 5, 1,
                    28, 24, 20, 16, 12, 8, 4, 0,
                );
                floats(_mm512_permutexvar_epi16(order, texels))
            }
            UNORM8 => each!(2, i in [0, 1] => chosen(texels, &TEXELS[i])),
            SRGB8 => {
                let codes = _mm512_permutexvar_epi8(bytes_of(&TO_DECODE[0]), texels);
                let [a, b, _, _] = decoded(codes);
                let alpha = normalize8_exact(chosen(texels, &SECOND_ALPHAS));
                [a, _mm512_mask_mov_ps(b, 0xff00, alpha)]
            }
            SHADOW => {
                let holds = compare(op, _mm512_broadcast_f32x8(dref), _mm512_castsi512_ps(texels));
                [_mm512_maskz_mov_ps(holds, _mm512_set1_ps(1.0)), _mm512_setzero_ps()]
            }
            _ => [_mm512_castsi512_ps(texels), _mm512_setzero_ps()],
        }
    }
}

/// Component `c` of pairs of texels of four 8-bit components, normalized: of the first texels, then of the second.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
pub unsafe fn component(pairs: __m512i, c: u32) -> __m512 {
    // SAFETY: the caller promises the host features, which is all that the called functions require.
    unsafe { normalize8_exact(chosen(pairs, &COMPONENTS[c as usize & 3])) }
}

/// The first words of pairs, then the second words.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
pub unsafe fn firsts_and_seconds(pairs: __m512i) -> __m512 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let order = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
        _mm512_castsi512_ps(_mm512_permutexvar_epi32(order, pairs))
    }
}

/// Loads eight bytes at byte offsets, lane by lane.
/// # Safety
/// The host must have the features of [`super::is_able`], and the bytes must be readable.
#[inline(always)]
pub unsafe fn doubles(base: *const u8, at: __m256i, gathers: bool) -> __m512i {
    // SAFETY: the caller promises the host features and readable bytes.
    unsafe {
        if gathers {
            return _mm512_i32gather_epi64::<1>(at, base.cast());
        }
        extracted(base, &offsets(at))
    }
}

/// Like [`doubles`], one by one.
/// # Safety
/// As for [`doubles`].
#[inline(always)]
unsafe fn extracted(base: *const u8, at: &[usize; 8]) -> __m512i {
    // SAFETY: the caller promises the host features and readable bytes. All loads are unaligned.
    unsafe {
        let mut pairs = [_mm_setzero_pd(); 4];
        unroll!(i in 0 1 2 3 => {
            let low = _mm_load_sd(base.add(at[2 * i]).cast());
            pairs[i] = _mm_loadh_pd(low, base.add(at[2 * i + 1]).cast());
        });
        let (a, b) = (_mm256_set_m128d(pairs[1], pairs[0]), _mm256_set_m128d(pairs[3], pairs[2]));
        _mm512_castpd_si512(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(a), b))
    }
}

/// Texels of linear filters.
pub struct Taps {
    pub base: *const u8,
    /// Byte offsets of the texels (0, 0), (1, 0), (0, 1), (1, 1). If `near`, only the first is used.
    pub at: [__m256i; 4],
    /// `true` if in all lanes the texels of a row are neighbours and the second row is `row_pitch` from the first.
    pub near: bool,
    /// `true` for loads by the host's gathers.
    pub gathers: bool,
    pub row_pitch: usize,
    /// Weights of the second texel along both axes in 1/256.
    pub weights: [__m256i; 2],
}

/// Applies a linear filter to two texels in each of two rows.
/// # Safety
/// The host must have the features of [`super::is_able`]. The texels of `taps` must be readable, and the bytes of a
/// texel after them, too: they are in the next row or the image's padding.
#[inline(always)]
pub unsafe fn linear<const T: u8>(taps: &Taps, op: CompareOp, dref: __m256) -> Values {
    // SAFETY: the caller promises the host features and readable texels.
    unsafe {
        if T == HALF4 {
            return linear_halves(taps);
        }
        let [wx, wy] = taps.weights;
        let rows = pairs(taps);
        match T {
            UNORM8 => linear_bytes(&rows, wx, wy),
            SRGB8 => {
                let (wx, wy) = (weight(wx), weight(wy));
                let [a, b] = each!(2, row in rows => {
                    let codes = _mm512_permutexvar_epi8(bytes_of(&TO_DECODE[1]), row);
                    let [a0, a1, b0, b1] = decoded(codes);
                    // Alpha of the first texels, then of the second.
                    let alpha = normalize8_exact(chosen(row, &COMPONENTS[3]));
                    let b0 = _mm512_insertf32x8::<1>(b0, _mm512_castps512_ps256(alpha));
                    let b1 = _mm512_mask_mov_ps(b1, 0xff00, alpha);
                    [mix(a0, a1, wx), mix(b0, b1, wx)]
                });
                each!(2, i in [0, 1] => mix(a[i], b[i], wy))
            }
            _ => linear_words::<T>(&rows, wx, wy, op, dref),
        }
    }
}

/// Loads pairs of words of both rows.
/// # Safety
/// As for [`linear`].
#[inline(always)]
pub unsafe fn pairs(taps: &Taps) -> [__m512i; 2] {
    // SAFETY: the caller promises the host features and readable texels, whose neighbours `near` locates.
    unsafe {
        match (taps.near, taps.gathers) {
            (true, false) => {
                let at = offsets(taps.at[0]);
                [extracted(taps.base, &at), extracted(taps.base.add(taps.row_pitch), &at)]
            }
            (true, true) => {
                let (base, at) = (taps.base, taps.at[0]);
                [doubles(base, at, true), doubles(base.add(taps.row_pitch), at, true)]
            }
            (false, _) => far_pairs(taps),
        }
    }
}

/// Filters bytes in integers along x, then in floats along y; both are exact. Values are in units of 1/(255 * 256).
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
unsafe fn linear_bytes(rows: &[__m512i; 2], wx: __m256i, wy: __m256i) -> Values {
    // SAFETY: the caller promises the host features, which is all that the called functions require.
    unsafe {
        // Weights of the two texels side by side.
        let wx = _mm256_or_si256(_mm256_slli_epi32::<16>(wx), _mm256_sub_epi32(_mm256_set1_epi32(256), wx));
        let (wx, wy) = (_mm512_broadcast_i32x8(wx), weight(wy));
        each!(2, i in [0, 1] => {
            let bytes = bytes_of(&PAIRS[i]);
            let [a, b] = each!(2, row in *rows => {
                let pairs = _mm512_maskz_permutexvar_epi8(0x5555_5555_5555_5555, bytes, row);
                _mm512_madd_epi16(pairs, wx)
            });
            let d = _mm512_cvtepi32_ps(_mm512_sub_epi32(b, a));
            _mm512_fmadd_ps(d, wy, _mm512_cvtepi32_ps(a))
        })
    }
}

/// Filters texels of one float, or the results of comparing them.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
unsafe fn linear_words<const T: u8>(
    rows: &[__m512i; 2],
    wx: __m256i,
    wy: __m256i,
    op: CompareOp,
    dref: __m256,
) -> Values {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let [a, b] = each!(2, row in *rows => _mm512_castsi512_ps(row));
        // First texels of both rows, then second texels.
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        let odd = _mm512_or_si512(even, _mm512_set1_epi32(1));
        let [x, y] = each!(2, order in [even, odd] => {
            let v = _mm512_permutex2var_ps(a, order, b);
            match T {
                SHADOW => {
                    let holds = compare(op, _mm512_broadcast_f32x8(dref), v);
                    _mm512_maskz_mov_ps(holds, _mm512_set1_ps(1.0))
                }
                _ => v,
            }
        });
        let both = mix(x, y, weight(wx));
        let second = _mm512_castps256_ps512(_mm512_extractf32x8_ps::<1>(both));
        [mix(both, second, weight(wy)), _mm512_setzero_ps()]
    }
}

/// `dref op depth`; comparisons with NaN are true for NotEqual and Always only.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
unsafe fn compare(op: CompareOp, dref: __m512, depth: __m512) -> u16 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        match op {
            CompareOp::Never => 0,
            CompareOp::Always => 0xffff,
            CompareOp::Less => _mm512_cmp_ps_mask::<_CMP_LT_OQ>(dref, depth),
            CompareOp::Equal => _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(dref, depth),
            CompareOp::LessOrEqual => _mm512_cmp_ps_mask::<_CMP_LE_OQ>(dref, depth),
            CompareOp::Greater => _mm512_cmp_ps_mask::<_CMP_GT_OQ>(dref, depth),
            CompareOp::NotEqual => _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(dref, depth),
            CompareOp::GreaterOrEqual => _mm512_cmp_ps_mask::<_CMP_GE_OQ>(dref, depth),
        }
    }
}

/// Filters texels of four 16-bit floats.
/// # Safety
/// As for [`linear`].
#[inline(always)]
unsafe fn linear_halves(taps: &Taps) -> Values {
    // SAFETY: the caller promises the host features and readable texels, whose neighbours `near` locates.
    unsafe {
        let rows = match (taps.near, taps.gathers) {
            (true, false) => {
                let at = offsets(taps.at[0]);
                [quads(taps.base, &at), quads(taps.base.add(taps.row_pitch), &at)]
            }
            (true, true) => {
                let (base, at) = (taps.base, taps.at[0]);
                let second = base.add(taps.row_pitch);
                [gathered_quads(base, base.add(8), at, at), gathered_quads(second, second.add(8), at, at)]
            }
            (false, _) => far_quads(taps),
        };
        let [wx, wy] = each!(2, w in taps.weights => weight(w));
        // One component of eight lanes from the first texels, then the next component; then the same from the second
        // texels.
        let first = _mm512_set_epi16(
            61, 53, 45, 37, 29, 21, 13, 5, 60, 52, 44, 36, 28, 20, 12, 4, 57, 49, 41, 33, 25, 17, 9, 1, 56,
            48, 40, 32, 24, 16, 8, 0,
        );
        let next = _mm512_add_epi16(first, _mm512_set1_epi16(2));
        each!(2, order in [first, next] => {
            let [a, b] = each!(2, row in rows => {
                let [x, y] = floats(_mm512_permutex2var_epi16(row[0], order, row[1]));
                mix(x, y, wx)
            });
            mix(a, b, wy)
        })
    }
}

/// Converts the 16-bit floats of both halves.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
unsafe fn floats(v: __m512i) -> [__m512; 2] {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        [_mm512_cvtph_ps(_mm512_castsi512_si256(v)), _mm512_cvtph_ps(_mm512_extracti64x4_epi64::<1>(v))]
    }
}

/// Loads sixteen bytes at byte offsets, for four lanes per vector.
/// # Safety
/// The host must have the features of [`super::is_able`], and the bytes must be readable.
#[inline(always)]
unsafe fn quads(base: *const u8, at: &[usize; 8]) -> [__m512i; 2] {
    // SAFETY: the caller promises the host features and readable bytes. All loads are unaligned.
    unsafe {
        each!(2, i in [0, 4] => {
            let [a, b, c, d] = each!(4, k in [0, 1, 2, 3] => _mm_loadu_si128(base.add(at[i + k]).cast()));
            let (low, high) = (_mm256_set_m128i(b, a), _mm256_set_m128i(d, c));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
        })
    }
}

/// Loads eight bytes at byte offsets from each of two addresses, side by side, for four lanes per vector.
/// # Safety
/// The host must have the features of [`super::is_able`], and the bytes must be readable.
#[inline(always)]
unsafe fn gathered_quads(a: *const u8, b: *const u8, at: __m256i, to: __m256i) -> [__m512i; 2] {
    // SAFETY: the caller promises the host features and readable bytes.
    unsafe {
        let (a, b) = (_mm512_i32gather_epi64::<1>(at, a.cast()), _mm512_i32gather_epi64::<1>(to, b.cast()));
        let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
        let high = _mm512_add_epi64(low, _mm512_set1_epi64(4));
        each!(2, order in [low, high] => _mm512_permutex2var_epi64(a, order, b))
    }
}

/// Loads pairs of words of both rows at arbitrary offsets.
/// # Safety
/// As for [`linear`].
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c")]
unsafe fn far_pairs(taps: &Taps) -> [__m512i; 2] {
    // SAFETY: the caller promises the host features and readable texels at all offsets of `taps`.
    unsafe {
        let order = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        each!(2, i in [0, 2] => {
            let [a, b] = each!(2, k in [0, 1] => _mm512_castsi256_si512(taps.at[i + k]));
            _mm512_i32gather_epi32::<1>(_mm512_permutex2var_epi32(a, order, b), taps.base.cast())
        })
    }
}

/// Loads texels of four 16-bit floats of both rows at arbitrary offsets.
/// # Safety
/// As for [`linear`].
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c")]
unsafe fn far_quads(taps: &Taps) -> [[__m512i; 2]; 2] {
    // SAFETY: the caller promises the host features and readable texels at all offsets of `taps`.
    unsafe { each!(2, i in [0, 2] => gathered_quads(taps.base, taps.base, taps.at[i], taps.at[i + 1])) }
}

/// Converts from the domain of filters to results. `MIXED` is true if values may be between those of two levels.
/// # Safety
/// The host must have the features of [`super::is_able`].
#[inline(always)]
pub unsafe fn finish<const T: u8, const LINEAR: bool, const MIXED: bool>(v: Values) -> Values {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        if T != UNORM8 {
            return v;
        }
        if !LINEAR && !MIXED {
            return each!(2, v in v => normalize8_exact(v));
        }
        // Filters leave a factor of 2^8.
        let scale = if LINEAR { 1.0 / 256.0 } else { 1.0 };
        let (hi, lo) = (_mm512_set1_ps(NORM8_HI * scale), _mm512_set1_ps(NORM8_LO * scale));
        each!(2, v in v => _mm512_add_ps(_mm512_mul_ps(v, hi), _mm512_mul_ps(v, lo)))
    }
}

/// Stores results.
/// # Safety
/// As for [`super::super::texels::store`], with the features of [`super::is_able`].
#[inline(always)]
pub unsafe fn store<const T: u8>(args: *mut ImageArgs, plan: &Plan, v: &Values) {
    // SAFETY: the caller promises the host features and valid arguments, which the called function requires.
    unsafe {
        let [a, b] = each!(2, v in *v => [_mm512_castps512_ps256(v), _mm512_extractf32x8_ps::<1>(v)]);
        super::super::texels::store::<T>(args, plan, &[a[0], a[1], b[0], b[1]]);
    }
}
