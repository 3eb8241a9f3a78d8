//! Hand-written merge for the commonest state on hosts with AVX2: one attachment of four 8-bit components, with or
//! without blending, without write masks, at most with a depth write.
//!
//! Generated kernels use 128-bit vectors; this merge uses 256-bit vectors, with the pack instructions of the host. It
//! is selected by the same feature level as generated code, and gives the same bits. Blending is left to
//! [`super::wide_blend`], depth to [`super::wide_depth`].

#![cfg(target_arch = "x86_64")]
#![expect(unsafe_code, reason = "vector instructions on raw rows")]

use std::arch::x86_64::*;

use quadrille_jit::abi::Stamp;

use super::args::Args;
use super::wide_blend::{Colors, blend};
use super::wide_depth;
use crate::state::BlendEquation;

/// Parameters of the merge of one attachment with four bytes per texel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes {
    /// Words per stamp.
    pub words: u32,
    /// Output word of each byte, in memory order; `None` for zero.
    pub order: [Option<u32>; 4],
    /// Number of the attachment.
    pub target: usize,
    /// Blending, if enabled.
    pub blend: Option<Blended>,
    /// `true` if depth is written, too.
    pub depth: bool,
}

/// Blending of four 8-bit components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blended {
    pub equations: [BlendEquation; 2],
    /// Output word of R, G, B and A; `None` for zero.
    pub words: [Option<u32>; 4],
    /// Bit position of R, G, B and A in a texel.
    pub shifts: [u8; 4],
}

/// Merges a run of stamps of eight lanes into each sample; `args` differ only in masks and attachments.
///
/// The loops use no closures, because functions that take closures would be compiled without AVX2 and called.
///
/// # Safety
/// The host must have AVX2. Stamps and masks of each `args` must hold `count` elements, and `output` must hold
/// `b.words` rows of eight words per stamp. The attachments in `args` must be readable and writable over the whole
/// tile, and the stamps must lie inside the tile.
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn merge(args: &[Args], b: &Bytes) {
    // SAFETY: the caller promises AVX2, the sizes of the arrays in `args`, and attachments that hold the whole tile.
    unsafe {
        if b.depth {
            for a in args {
                wide_depth::write(a);
            }
        }
        match &b.blend {
            None => plain(args, b),
            Some(e) => blended(args, b, e),
        }
    }
}

const LANES: usize = 8;

/// Index of the first word of each of four rows of a stamp's output; `usize::MAX` for `None`.
fn places(words: &[Option<u32>; 4]) -> [usize; 4] {
    words.map(|w| w.map_or(usize::MAX, |w| w as usize * LANES))
}

/// Merges a run of stamps without blending.
///
/// # Safety
/// As for [`merge`].
#[target_feature(enable = "avx2")]
unsafe fn plain(args: &[Args], b: &Bytes) {
    let [first, ..] = args else { return };
    let (stride, at) = (b.words as usize * LANES, places(&b.order));
    for i in 0..first.count as usize {
        // SAFETY: the caller promises that stamps and masks hold `count` elements, that `output` holds `b.words` rows
        // per stamp, and that the stamps lie inside the tile. `i` is below `count`.
        unsafe {
            let mut any = 0;
            for a in args {
                any |= *a.masks.add(i);
            }
            if any == 0 {
                continue;
            }
            let new = texels(first.output.add(i * stride).cast::<f32>(), &at);
            for a in args {
                let mask = *a.masks.add(i);
                if mask != 0 {
                    store(rows(a, b.target, &*a.stamps.add(i)), new, mask);
                }
            }
        }
    }
}

/// Merges a run of stamps with blending.
///
/// # Safety
/// As for [`merge`].
#[target_feature(enable = "avx2")]
unsafe fn blended(args: &[Args], b: &Bytes, e: &Blended) {
    let [first, ..] = args else { return };
    let (stride, at) = (b.words as usize * LANES, places(&e.words));
    for i in 0..first.count as usize {
        for a in args {
            // SAFETY: the caller promises that stamps and masks hold `count` elements, that `output` holds `b.words`
            // rows per stamp, and that the stamps lie inside the tile. `i` is below `count`.
            unsafe {
                let mask = *a.masks.add(i);
                if mask != 0 {
                    let source = Colors::output(first.output.add(i * stride).cast::<f32>(), &at);
                    let [top, bottom] = rows(a, b.target, &*a.stamps.add(i));
                    let old = [_mm_loadu_si128(top), _mm_loadu_si128(bottom)];
                    let new = blend(&e.equations, &source, old, &e.shifts, &a.constants);
                    store([top, bottom], new, mask);
                }
            }
        }
    }
}

/// Addresses of the upper and lower four texels of a stamp in an attachment.
///
/// # Safety
/// The stamp must lie inside the tile of `args`, and the attachment must hold the whole tile.
#[inline]
unsafe fn rows(args: &Args, target: usize, s: &Stamp) -> [*mut __m128i; 2] {
    let surface = &args.colors[target];
    let (x, y) = ((s.x - args.tile_x) as usize, (s.y - args.tile_y) as usize);
    // SAFETY: the caller promises that the stamp lies inside the tile, so both offsets stay inside the attachment's
    // memory.
    unsafe {
        let top = surface.base.add(y * surface.pitch as usize + x * 4);
        [top.cast(), top.add(surface.pitch as usize).cast()]
    }
}

/// Writes the lanes in a mask.
///
/// # Safety
/// The host must have AVX2, and both rows must be readable and writable.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn store([top, bottom]: [*mut __m128i; 2], [new_top, new_bottom]: [__m128i; 2], mask: u32) {
    // SAFETY: the caller promises that both rows of 16 bytes are readable and writable. The accesses are unaligned.
    unsafe {
        if mask == 0xff {
            _mm_storeu_si128(top, new_top);
            _mm_storeu_si128(bottom, new_bottom);
        } else {
            // Lanes 0, 1, 4, 5 form the upper row.
            let m0 = row_mask((mask & 3) | ((mask >> 2) & 12));
            let m1 = row_mask(((mask >> 2) & 3) | ((mask >> 4) & 12));
            _mm_storeu_si128(top, _mm_blendv_epi8(_mm_loadu_si128(top), new_top, m0));
            _mm_storeu_si128(bottom, _mm_blendv_epi8(_mm_loadu_si128(bottom), new_bottom, m1));
        }
    }
}

/// Converts a stamp's output to its upper and lower four texels. The output rows begin at `rows`; `at` is the index of
/// each byte's row, or `usize::MAX`.
///
/// # Safety
/// The host must have AVX2, and eight words must be readable at each index other than `usize::MAX`.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn texels(rows: *const f32, at: &[usize; 4]) -> [__m128i; 2] {
    // The maximum returns its second operand, zero, if the first is NaN.
    let (zero, one, scale) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0), _mm256_set1_ps(255.0));
    // Codes 0 to 255 of a row, rounded to nearest even.
    macro_rules! codes {
        ($at:expr) => {
            if $at == usize::MAX {
                _mm256_setzero_si256()
            } else {
                // SAFETY: the caller promises eight readable words at each index other than `usize::MAX`, which the
                // branch excludes.
                let x = unsafe { _mm256_loadu_ps(rows.add($at)) };
                let x = _mm256_min_ps(_mm256_max_ps(x, zero), one);
                _mm256_cvtps_epi32(_mm256_mul_ps(x, scale))
            }
        };
    }
    let (c0, c1) = (codes!(at[0]), codes!(at[1]));
    let (c2, c3) = (codes!(at[2]), codes!(at[3]));
    // Within each 128-bit half, which is a quad: first words of two bytes, then texels.
    let even = _mm256_packus_epi32(c0, c2);
    let odd = _mm256_packus_epi32(c1, c3);
    let pairs = _mm256_or_si256(even, _mm256_slli_epi16(odd, 8));
    // Elements 0 and 2 are bytes 0 and 1 of the four texels, elements 1 and 3 are bytes 2 and 3.
    let low = _mm256_castsi256_si128(pairs);
    let high = _mm256_extracti128_si256(pairs, 1);
    let quad0 = _mm_unpacklo_epi16(low, _mm_unpackhi_epi64(low, low));
    let quad1 = _mm_unpacklo_epi16(high, _mm_unpackhi_epi64(high, high));
    [_mm_unpacklo_epi64(quad0, quad1), _mm_unpackhi_epi64(quad0, quad1)]
}

/// Vector with all ones in the 32-bit lanes of the set bits.
#[target_feature(enable = "avx2")]
#[inline]
fn row_mask(bits: u32) -> __m128i {
    let lane = _mm_set_epi32(8, 4, 2, 1);
    _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32(bits as i32), lane), lane)
}
