//! Texels along axes, and properties of levels, for sixteen slots. Loading the texels is left to [`super::texels`].

use std::arch::x86_64::*;

use super::super::super::super::coords::FAR;
use super::super::Address;
use crate::sampling::View;

/// Properties of the level of each slot.
pub struct Levels {
    pub width: __m512,
    pub height: __m512,
    pub depth: __m512,
    pub row_pitch: __m512i,
    pub slice_pitch: __m512i,
    /// Byte offset of the level's first texel.
    pub offset: __m512i,
    /// `true` if the lanes of each half share one level.
    pub uniform: bool,
    /// Pitches of the level of each half, if it is uniform.
    pub row_pitches: [usize; 2],
    pub slice_pitches: [usize; 2],
    /// `true` if the second half is used.
    pub two: bool,
}

impl Levels {
    /// The first level in all slots.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    pub unsafe fn first(view: &View) -> Levels {
        // SAFETY: the caller promises the host features; the instructions access no memory.
        unsafe {
            let l = &view.level[0];
            Levels {
                width: _mm512_set1_ps(l.width_f),
                height: _mm512_set1_ps(l.height_f),
                depth: _mm512_set1_ps(l.depth_f),
                row_pitch: _mm512_set1_epi32(l.row_pitch as i32),
                slice_pitch: _mm512_set1_epi32(l.slice_pitch as i32),
                offset: _mm512_set1_epi32(l.offset as i32),
                uniform: true,
                row_pitches: [l.row_pitch as usize; 2],
                slice_pitches: [l.slice_pitch as usize; 2],
                two: false,
            }
        }
    }

    /// The levels `fine` of the lanes in the first half, the next coarser ones in the second.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    pub unsafe fn of(view: &View, fine: __m256i, two: bool) -> Levels {
        // SAFETY: the caller promises the host features. Each table has 16 entries of 4 bytes, the size of a 512-bit
        // load.
        unsafe {
            let last = view.head.levels as i32 - 1;
            let coarse = _mm256_add_epi32(fine, _mm256_set1_epi32(1));
            let coarse = _mm256_min_epi32(coarse, _mm256_set1_epi32(last));
            let at = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(fine), coarse);
            let t = &view.by_level;
            let [width, height, depth] = [
                _mm512_permutexvar_ps(at, _mm512_loadu_ps(t.width.as_ptr())),
                _mm512_permutexvar_ps(at, _mm512_loadu_ps(t.height.as_ptr())),
                _mm512_permutexvar_ps(at, _mm512_loadu_ps(t.depth.as_ptr())),
            ];
            let first = _mm256_cvtsi256_si32(fine);
            let next = (first + 1).min(last);
            let (first_at, next_at) = (first as usize & 15, next as usize & 15);
            Levels {
                width,
                height,
                depth,
                row_pitch: _mm512_permutexvar_epi32(at, _mm512_loadu_si512(t.row_pitch.as_ptr().cast())),
                slice_pitch: _mm512_permutexvar_epi32(at, _mm512_loadu_si512(t.slice_pitch.as_ptr().cast())),
                offset: _mm512_permutexvar_epi32(at, _mm512_loadu_si512(t.offset.as_ptr().cast())),
                uniform: _mm256_cmpeq_epi32_mask(fine, _mm256_set1_epi32(first)) == 0xff,
                row_pitches: [t.row_pitch[first_at] as usize, t.row_pitch[next_at] as usize],
                slice_pitches: [t.slice_pitch[first_at] as usize, t.slice_pitch[next_at] as usize],
                two,
            }
        }
    }
}

/// Texels along an axis: one, or two with the weight of the second in 1/256.
#[derive(Clone, Copy)]
pub struct Axis {
    pub first: __m512i,
    pub second: __m512i,
    pub weight: __m512i,
    /// Slots whose second texel is not the neighbour after the first.
    pub edge: u16,
    /// Slots whose filter uses a texel beyond an edge, for modes that clamp.
    pub crosses: u16,
}

impl Axis {
    /// The single texel of a nearest filter.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    unsafe fn one(i: __m512i) -> Axis {
        // SAFETY: the caller promises the host features; the instructions access no memory.
        Axis { first: i, second: i, weight: unsafe { _mm512_setzero_si512() }, edge: 0, crosses: 0 }
    }
}

/// Clamps `x`; NaN gives `lo`.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn clamp(x: __m512, lo: __m512, hi: __m512) -> __m512 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm512_min_ps(_mm512_max_ps(x, lo), hi) }
}

/// Rounds down to integers.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn floor(x: __m512) -> __m512 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x) }
}

/// Splits coordinates in 1/256 of a texel into the first texel and the weight of the second.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn split(c: __m512) -> (__m512i, __m512i) {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let c = _mm512_sub_epi32(_mm512_cvttps_epi32(c), _mm512_set1_epi32(128));
        (_mm512_srai_epi32::<8>(c), _mm512_and_si512(c, _mm512_set1_epi32(255)))
    }
}

/// Texels along an axis, moved by `offset`, which only [`Address::Clamp`] supports. All texels are inside the image.
/// Computes [`super::super::coords::axis`], operation by operation.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn axis<const LINEAR: bool>(
    mode: Address,
    s: __m512,
    size_f: __m512,
    round: f32,
    offset: Option<__m512i>,
) -> Axis {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let one = _mm512_set1_epi32(1);
        let zero = _mm512_setzero_si512();
        let size = _mm512_cvttps_epi32(size_f);
        let last = _mm512_sub_epi32(size, one);
        let round = _mm512_set1_ps(round);
        let scale = _mm512_set1_ps(256.0);
        match mode {
            Address::RepeatPow2 => {
                let fraction = _mm512_sub_ps(s, floor(s));
                if !LINEAR {
                    let u = _mm512_mul_ps(fraction, size_f);
                    return Axis::one(_mm512_and_si512(_mm512_cvttps_epi32(u), last));
                }
                let c = _mm512_mul_ps(fraction, _mm512_mul_ps(size_f, scale));
                let (i, weight) = split(_mm512_add_ps(c, round));
                let first = _mm512_and_si512(i, last);
                let second = _mm512_and_si512(_mm512_add_epi32(i, one), last);
                Axis { first, second, weight, edge: _mm512_cmpeq_epi32_mask(first, last), crosses: 0 }
            }
            Address::Repeat => {
                let fraction = _mm512_sub_ps(s, floor(s));
                let f = _mm512_max_ps(fraction, _mm512_setzero_ps());
                let u = _mm512_mul_ps(f, size_f);
                if !LINEAR {
                    let i = _mm512_cvttps_epi32(u);
                    return Axis::one(_mm512_maskz_mov_epi32(_mm512_cmpneq_epi32_mask(i, size), i));
                }
                let c = _mm512_add_ps(_mm512_mul_ps(u, scale), round);
                let (i, weight) = split(c);
                let first = _mm512_min_epu32(i, last);
                let next = _mm512_add_epi32(i, one);
                let second = _mm512_maskz_mov_epi32(_mm512_cmpneq_epi32_mask(next, size), next);
                Axis { first, second, weight, edge: _mm512_cmpeq_epi32_mask(first, last), crosses: 0 }
            }
            Address::ClampWeightless | Address::ClampInside if !LINEAR => {
                let u = _mm512_mul_ps(s, size_f);
                let most = _mm512_sub_ps(size_f, _mm512_set1_ps(1.0));
                Axis::one(_mm512_cvttps_epi32(clamp(u, _mm512_setzero_ps(), most)))
            }
            Address::ClampWeightless | Address::ClampInside => {
                let fixed = _mm512_mul_ps(size_f, scale);
                let c = _mm512_mul_ps(s, fixed);
                let low = _mm512_set1_ps(128.0);
                let inside = clamp(c, low, _mm512_sub_ps(fixed, low));
                let (first, weight) = split(_mm512_add_ps(inside, round));
                let second = _mm512_min_epi32(_mm512_add_epi32(first, one), last);
                let edge = _mm512_cmpeq_epi32_mask(first, last);
                let before = _mm512_cmp_ps_mask::<_CMP_NGE_UQ>(c, low);
                Axis { first, second, weight, edge, crosses: before | edge }
            }
            Address::Clamp => {
                let u = _mm512_mul_ps(s, size_f);
                let far = _mm512_set1_ps(FAR);
                let least = _mm512_sub_ps(_mm512_sub_ps(_mm512_setzero_ps(), size_f), far);
                let most = _mm512_add_ps(_mm512_add_ps(size_f, size_f), far);
                let u = clamp(u, least, most);
                let (mut i, weight) = split(floor(_mm512_add_ps(_mm512_mul_ps(u, scale), round)));
                if let Some(offset) = offset {
                    i = _mm512_add_epi32(i, offset);
                }
                let next = _mm512_add_epi32(i, one);
                let [first, second] = each!(2, i in [i, next] =>
                    _mm512_min_epi32(_mm512_max_epi32(i, zero), last));
                // Unsigned `i >= last`.
                let out = _mm512_cmpge_epu32_mask(i, last);
                Axis { first, second, weight, edge: out, crosses: out }
            }
        }
    }
}
