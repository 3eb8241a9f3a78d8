//! Hand-written blending of four 8-bit components on hosts with AVX2, part of [`super::wide`].
//!
//! The operations and their order are those of [`super::scalar`], eight pixels at a time. Loading and storing texels is
//! left to [`super::wide`].

#![cfg(target_arch = "x86_64")]
#![expect(unsafe_code, reason = "vector instructions on raw rows")]

use std::arch::x86_64::*;

use super::texel::inverse_255;
use crate::state::{BlendEquation, BlendFactor, BlendOp};

/// True if these equations are supported.
pub(crate) fn knows(equations: &[BlendEquation; 2]) -> bool {
    use BlendFactor::*;
    let second = |f| matches!(f, Src1Color | OneMinusSrc1Color | Src1Alpha | OneMinusSrc1Alpha);
    equations.iter().all(|e| !second(e.src) && !second(e.dst) && !matches!(e.op, BlendOp::Advanced(_)))
}

/// R, G, B and A of eight pixels, between 0 and 1.
#[derive(Clone, Copy)]
pub(crate) struct Colors([__m256; 4]);

impl Colors {
    /// Loads colours from rows of eight words at the indices `at` from `rows`, and clamps them to [0, 1]. Components
    /// with index `usize::MAX` are zero.
    ///
    /// # Safety
    /// The host must have AVX2, and eight words must be readable at each index other than `usize::MAX`.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub unsafe fn output(rows: *const f32, at: &[usize; 4]) -> Colors {
        // A loop instead of closures, because functions that take closures would be compiled without AVX2.
        let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
        let mut all = [zero; 4];
        for (color, &at) in all.iter_mut().zip(at) {
            if at != usize::MAX {
                // SAFETY: the caller promises eight readable words at each index other than `usize::MAX`, which the
                // branch excludes.
                let x = unsafe { _mm256_loadu_ps(rows.add(at)) };
                // The maximum returns its second operand, zero, if the first is NaN.
                *color = _mm256_min_ps(_mm256_max_ps(x, zero), one);
            }
        }
        Colors(all)
    }

    /// Decodes eight texels, whose components begin at the bits `shifts`.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn texels(texels: __m256i, shifts: &[u8; 4]) -> Colors {
        let (high, low) = inverse_255();
        let (high, low) = (_mm256_set1_ps(high), _mm256_set1_ps(low));
        let mut all = [high; 4];
        for (color, &shift) in all.iter_mut().zip(shifts) {
            let code = _mm256_srl_epi32(texels, _mm_cvtsi32_si128(i32::from(shift)));
            let code = _mm256_cvtepi32_ps(_mm256_and_si256(code, _mm256_set1_epi32(255)));
            *color = _mm256_add_ps(_mm256_mul_ps(code, high), _mm256_mul_ps(code, low));
        }
        Colors(all)
    }

    /// Encodes the colours as texels, rounded to nearest even.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn pack(&self, shifts: &[u8; 4]) -> __m256i {
        let (zero, one, scale) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0), _mm256_set1_ps(255.0));
        let mut texels = _mm256_setzero_si256();
        for (x, &shift) in self.0.iter().zip(shifts) {
            let x = _mm256_min_ps(_mm256_max_ps(*x, zero), one);
            let code = _mm256_cvtps_epi32(_mm256_mul_ps(x, scale));
            texels = _mm256_or_si256(texels, _mm256_sll_epi32(code, _mm_cvtsi32_si128(i32::from(shift))));
        }
        texels
    }
}

/// Blends a stamp's source colours with its upper and lower four texels, and returns the new texels.
///
/// # Safety
/// The host must have AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) unsafe fn blend(
    e: &[BlendEquation; 2],
    src: &Colors,
    [top, bottom]: [__m128i; 2],
    shifts: &[u8; 4],
    constants: &[f32; 4],
) -> [__m128i; 2] {
    // Reordered to quads, one per 128-bit half.
    let (quad0, quad1) = (_mm_unpacklo_epi64(top, bottom), _mm_unpackhi_epi64(top, bottom));
    let dst = Colors::texels(_mm256_set_m128i(quad1, quad0), shifts);
    let mut out = *src;
    for (i, out) in out.0.iter_mut().enumerate() {
        let e = &e[usize::from(i == 3)];
        let product = |v: __m256, f: BlendFactor| match f {
            BlendFactor::Zero => _mm256_setzero_ps(),
            BlendFactor::One => v,
            _ => _mm256_mul_ps(v, factor(f, i, src, &dst, constants)),
        };
        let (s, d) = (src.0[i], dst.0[i]);
        *out = match e.op {
            BlendOp::Add => _mm256_add_ps(product(s, e.src), product(d, e.dst)),
            BlendOp::Subtract => _mm256_sub_ps(product(s, e.src), product(d, e.dst)),
            BlendOp::ReverseSubtract => _mm256_sub_ps(product(d, e.dst), product(s, e.src)),
            BlendOp::Min => _mm256_min_ps(s, d),
            BlendOp::Max => _mm256_max_ps(s, d),
            BlendOp::Advanced(_) => d,
        };
    }
    let texels = out.pack(shifts);
    let (quad0, quad1) = (_mm256_castsi256_si128(texels), _mm256_extracti128_si256(texels, 1));
    [_mm_unpacklo_epi64(quad0, quad1), _mm_unpackhi_epi64(quad0, quad1)]
}

/// Returns a factor for component `i`. The factor must be one that [`knows`] supports.
#[target_feature(enable = "avx2")]
#[inline]
fn factor(f: BlendFactor, i: usize, src: &Colors, dst: &Colors, constants: &[f32; 4]) -> __m256 {
    let one = _mm256_set1_ps(1.0);
    let rest = |v: __m256| _mm256_sub_ps(one, v);
    let constant = |i: usize| {
        let v = constants[i];
        let v = if v > 0.0 { v } else { 0.0 };
        _mm256_set1_ps(if v < 1.0 { v } else { 1.0 })
    };
    match f {
        BlendFactor::Zero => _mm256_setzero_ps(),
        BlendFactor::SrcColor => src.0[i],
        BlendFactor::OneMinusSrcColor => rest(src.0[i]),
        BlendFactor::DstColor => dst.0[i],
        BlendFactor::OneMinusDstColor => rest(dst.0[i]),
        BlendFactor::SrcAlpha => src.0[3],
        BlendFactor::OneMinusSrcAlpha => rest(src.0[3]),
        BlendFactor::DstAlpha => dst.0[3],
        BlendFactor::OneMinusDstAlpha => rest(dst.0[3]),
        BlendFactor::ConstantColor => constant(i),
        BlendFactor::OneMinusConstantColor => rest(constant(i)),
        BlendFactor::ConstantAlpha => constant(3),
        BlendFactor::OneMinusConstantAlpha => rest(constant(3)),
        BlendFactor::SrcAlphaSaturate if i < 3 => _mm256_min_ps(src.0[3], rest(dst.0[3])),
        _ => one,
    }
}
