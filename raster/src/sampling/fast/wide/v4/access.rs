//! Gathers, fetches and storage reads with 512 bits. Filtered reads are left to the parent module.

use std::arch::x86_64::*;
use std::mem::offset_of;

use quadrille_jit::abi::ImageArgs;

use super::super::super::super::state::CompareOp;
use super::super::super::{COORD, LANES, TEXEL, row_at};
use super::super::access::integers;
use super::super::coords::{CUT, layer, offset, row};
use super::super::{FLOAT, HALF4, Plan};
use super::coords::{Levels, axis};
use super::texels::{self, Taps};
use super::{apart, half};
use crate::sampling::View;

/// Gathers the four texels of a linear filter, in the order (0, 1), (1, 1), (1, 0), (0, 0).
///
/// # Safety
/// As for [`super::sample`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c")]
pub unsafe extern "C" fn gather<const T: u8, const OFFSET: bool>(args: *mut ImageArgs, plan: *const Plan) {
    // SAFETY: the caller promises the host features, valid arguments, a live view of the plan's class and a valid plan.
    // `axis` gives texels inside the level. The word after a texel is in the next row or the image's padding.
    unsafe {
        let (plan, view) = (&*plan, &*(*args).view.cast::<View>());
        let l = Levels::first(view);
        let mut done = 0;
        loop {
            let rows = args.byte_add(4 * done as usize);
            let [u, v] = each!(2, i in [0, 1] => _mm512_castps256_ps512(row(rows, COORD, i)));
            let [mut x_by, mut y_by] = [None; 2];
            if OFFSET {
                [x_by, y_by] = each!(2, i in [0, 1] => Some(_mm512_castsi256_si512(offset(rows, i))));
            }
            let x = axis::<true>(plan.address[0], u, l.width, CUT, x_by);
            let y = axis::<true>(plan.address[1], v, l.height, CUT, y_by);
            let [x0, x1] = each!(2, i in [x.first, x.second] => _mm512_slli_epi32::<2>(i));
            let mut start = l.offset;
            if plan.arrayed {
                start = _mm512_add_epi32(start, _mm512_castsi256_si512(layer(rows, view, 2)));
            }
            let y0 = _mm512_add_epi32(_mm512_mullo_epi32(y.first, l.row_pitch), start);
            let mut taps = Taps {
                base: view.memory.base().cast_const(),
                at: [half(_mm512_add_epi32(y0, x0), 0); 4],
                near: (apart(plan.address[0], &x) | y.edge) & 0xff == 0,
                gathers: plan.gathers,
                row_pitch: l.row_pitches[0],
                weights: [_mm256_setzero_si256(); 2],
            };
            if !taps.near {
                let y1 = _mm512_add_epi32(_mm512_mullo_epi32(y.second, l.row_pitch), start);
                let [a, b] = each!(2, x in [x0, x1] => half(_mm512_add_epi32(y1, x), 0));
                taps.at = [taps.at[0], half(_mm512_add_epi32(y0, x1), 0), a, b];
            }
            let pairs = texels::pairs(&taps);
            let to = rows.cast::<u8>();
            unroll!(i in 0 1 => {
                // The first texels, then the second.
                let v = match T {
                    FLOAT => texels::firsts_and_seconds(pairs[i]),
                    _ => texels::component(pairs[i], plan.component),
                };
                let [first, second] = [[3, 2], [0, 1]][i];
                _mm256_storeu_ps(to.add(row_at(TEXEL, first) as usize).cast(), _mm512_castps512_ps256(v));
                let v = _mm512_extractf32x8_ps::<1>(v);
                _mm256_storeu_ps(to.add(row_at(TEXEL, second) as usize).cast(), v);
            });
            done += LANES;
            if done >= (*args).lanes {
                return;
            }
        }
    }
}

/// Reads texels at integer coordinates. With `LOD`, there is a lod argument, and the view has a single level.
///
/// # Safety
/// As for [`super::sample`].
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c")]
pub unsafe extern "C" fn fetch<const T: u8, const LOD: bool>(args: *mut ImageArgs, plan: *const Plan) {
    // SAFETY: the caller promises the host features, valid arguments, a live view of the plan's class and a valid plan.
    // Lanes outside the level get offset 0, where a texel exists because the class requires texels. Contiguous offsets
    // are those of eight existing texels.
    unsafe {
        let (plan, view) = (&*plan, &*(*args).view.cast::<View>());
        let level = &view.level[0];
        let base = view.memory.base().add(level.offset as usize).cast_const();
        let mut done = 0;
        loop {
            let rows = args.byte_add(4 * done as usize);
            let (x, y) = (integers(rows, COORD, 0), integers(rows, COORD, 1));
            let mut inside = _mm256_cmplt_epu32_mask(x, _mm256_set1_epi32(level.width as i32))
                & _mm256_cmplt_epu32_mask(y, _mm256_set1_epi32(level.height as i32));
            if LOD {
                let lod = integers(rows, offset_of!(ImageArgs, lod), 0);
                inside &= _mm256_cmpeq_epi32_mask(lod, _mm256_setzero_si256());
            }
            let x = match T {
                HALF4 => _mm256_slli_epi32::<3>(x),
                _ => _mm256_slli_epi32::<2>(x),
            };
            let y = _mm256_mullo_epi32(y, _mm256_set1_epi32(level.row_pitch as i32));
            let at = _mm256_maskz_add_epi32(inside, x, y);
            let first = _mm256_cvtsi256_si32(at);
            let steps = match T {
                HALF4 => _mm256_setr_epi32(0, 8, 16, 24, 32, 40, 48, 56),
                _ => _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28),
            };
            let in_a_row = _mm256_add_epi32(_mm256_set1_epi32(first), steps);
            let in_a_row = _mm256_cmpeq_epi32_mask(at, in_a_row) == 0xff;
            let texels = match (T, in_a_row) {
                (HALF4, true) => _mm512_loadu_si512(base.add(first as usize).cast()),
                (HALF4, false) => texels::doubles(base, at, plan.gathers),
                (_, true) => _mm512_castsi256_si512(_mm256_loadu_si256(base.add(first as usize).cast())),
                (_, false) => _mm512_castsi256_si512(super::super::texels::words(base, at, plan.gathers)),
            };
            let texels = match T {
                HALF4 => _mm512_maskz_mov_epi64(inside, texels),
                _ => _mm512_maskz_mov_epi32(u16::from(inside), texels),
            };
            let v = texels::values::<T>(texels, CompareOp::Always, _mm256_setzero_ps());
            texels::store::<T>(rows, plan, &texels::finish::<T, false, false>(v));
            done += LANES;
            if done >= (*args).lanes {
                return;
            }
        }
    }
}
