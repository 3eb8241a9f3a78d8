//! Gathers, fetches, storage reads and writes, with 256 bits. Filtered reads are left to [`super::sample`].

use std::arch::x86_64::*;
use std::mem::offset_of;

use quadrille_jit::abi::ImageArgs;

use super::super::super::state::CompareOp;
use super::super::{COORD, LANES, TEXEL, row_at};
use super::coords::{self, row};
use super::{FLOAT, HALF4, Plan, UNORM8, texels};
use crate::sampling::{LevelInfo, View};

/// Integer coordinates of eight lanes.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
pub unsafe fn integers(args: *const ImageArgs, field: usize, i: usize) -> __m256i {
    // SAFETY: the caller promises the host features, and arguments as `row` requires.
    unsafe { _mm256_castps_si256(row(args, field, i)) }
}

/// All ones in lanes where `i` is below `n`, which must not be 0. The comparison is unsigned.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn below(i: __m256i, n: u32) -> __m256i {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let last = _mm256_set1_epi32(n as i32 - 1);
        _mm256_cmpeq_epi32(_mm256_min_epu32(i, last), i)
    }
}

/// Byte offsets of texels, and whether they exist; offsets of nonexistent texels are 0.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
unsafe fn place<const T: u8>(args: *const ImageArgs, level: &LevelInfo) -> (__m256i, __m256i) {
    // SAFETY: the caller promises the host features, and arguments as `row` requires.
    unsafe {
        let (x, y) = (integers(args, COORD, 0), integers(args, COORD, 1));
        let inside = _mm256_and_si256(below(x, level.width), below(y, level.height));
        let shift = _mm_cvtsi32_si128(texels::bytes(T).trailing_zeros() as i32);
        let row = _mm256_mullo_epi32(y, _mm256_set1_epi32(level.row_pitch as i32));
        let at = _mm256_add_epi32(_mm256_sll_epi32(x, shift), row);
        (_mm256_and_si256(at, inside), inside)
    }
}

/// The first offset, if the texels of all lanes are contiguous in memory.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn in_a_row(at: __m256i, bytes: u32) -> Option<usize> {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let first = _mm_cvtsi128_si32(_mm256_castsi256_si128(at));
        let steps =
            _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(bytes as i32));
        let expected = _mm256_add_epi32(_mm256_set1_epi32(first), steps);
        (_mm256_movemask_epi8(_mm256_cmpeq_epi32(at, expected)) == -1).then_some(first as usize)
    }
}

/// Reads texels at integer coordinates. With `LOD`, there is a lod argument, and the view has a single level.
///
/// # Safety
/// As for [`super::sample::sample`].
#[target_feature(enable = "avx2,fma,f16c")]
pub unsafe extern "C" fn fetch<const T: u8, const LOD: bool>(args: *mut ImageArgs, plan: *const Plan) {
    // SAFETY: the caller promises the host features, valid arguments, a live view of the plan's class and a valid plan.
    // `place` gives offsets of texels inside the level, or 0, where a texel exists because the class requires texels.
    // Contiguous offsets are those of eight existing texels.
    unsafe {
        let (plan, view) = (&*plan, &*(*args).view.cast::<View>());
        let level = &view.level[0];
        let base = view.memory.base().add(level.offset as usize);
        let mut done = 0;
        while done < (*args).lanes {
            let rows = args.byte_add(4 * done as usize);
            done += LANES;
            let (mut at, mut inside) = place::<T>(rows, level);
            if LOD {
                let lod = integers(rows, offset_of!(ImageArgs, lod), 0);
                inside = _mm256_and_si256(inside, _mm256_cmpeq_epi32(lod, _mm256_setzero_si256()));
                at = _mm256_and_si256(at, inside);
            }
            let zero = _mm256_setzero_ps();
            let v = if T == HALF4 {
                texels::nearest::<T>(base, at, plan.gathers, CompareOp::Always, zero)
            } else {
                let words = match in_a_row(at, texels::bytes(T)) {
                    Some(at) => _mm256_loadu_si256(base.add(at).cast()),
                    None => texels::words(base, at, plan.gathers),
                };
                texels::values::<T>(_mm256_and_si256(words, inside), plan.gathers, CompareOp::Always, zero)
            };
            let v = if T == HALF4 {
                each!(4, v in v => _mm256_and_ps(v, _mm256_castsi256_ps(inside)))
            } else {
                v
            };
            let v = texels::finish::<T, false, false>(v);
            texels::store::<T>(rows, plan, &v);
        }
    }
}

/// Writes texels at integer coordinates.
///
/// # Safety
/// As for [`super::sample::sample`].
#[target_feature(enable = "avx2,fma,f16c")]
pub unsafe extern "C" fn write<const T: u8>(args: *mut ImageArgs, plan: *const Plan) {
    // SAFETY: the caller promises the host features, valid arguments, a live view of the plan's class and a valid plan.
    // Only lanes that `place` found inside the level are stored.
    unsafe {
        let (plan, view) = (&*plan, &*(*args).view.cast::<View>());
        let level = &view.level[0];
        let base = view.memory.base().add(level.offset as usize);
        let mut done = 0;
        while done < (*args).lanes {
            let rows = args.byte_add(4 * done as usize);
            let mask = ((*args).mask >> done) & 0xff;
            done += LANES;
            let (at, inside) = place::<T>(rows, level);
            let mask = _mm256_movemask_ps(_mm256_castsi256_ps(inside)) as u32 & mask;
            let words: [__m256i; 2] = match T {
                UNORM8 => {
                    let (zero, one) = (_mm256_setzero_ps(), _mm256_set1_ps(1.0));
                    let [a, b, c, d] = each!(4, i in plan.sources => {
                        let x = coords::clamp(row(rows, i, 0), zero, one);
                        _mm256_cvtps_epi32(_mm256_mul_ps(x, _mm256_set1_ps(255.0)))
                    });
                    let low = _mm256_or_si256(a, _mm256_slli_epi32::<8>(b));
                    let high = _mm256_or_si256(_mm256_slli_epi32::<16>(c), _mm256_slli_epi32::<24>(d));
                    [_mm256_or_si256(low, high), _mm256_setzero_si256()]
                }
                HALF4 => {
                    let [a, b, c, d] = each!(4, i in plan.sources => {
                        let x = row(rows, i, 0);
                        let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(x, x);
                        let x = _mm256_blendv_ps(x, _mm256_set1_ps(f32::NAN), nan);
                        _mm256_cvtepu16_epi32(_mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(x))
                    });
                    let low = _mm256_or_si256(a, _mm256_slli_epi32::<16>(b));
                    [low, _mm256_or_si256(c, _mm256_slli_epi32::<16>(d))]
                }
                _ => [_mm256_castps_si256(row(rows, plan.sources[0], 0)), _mm256_setzero_si256()],
            };
            if T != HALF4
                && mask == 0xff
                && let Some(at) = in_a_row(at, 4)
            {
                _mm256_storeu_si256(base.add(at).cast(), words[0]);
            } else {
                let mut each = ([0u32; 8], [[0u32; 8]; 2]);
                _mm256_storeu_si256(each.0.as_mut_ptr().cast(), at);
                for i in 0..2 {
                    _mm256_storeu_si256(each.1[i].as_mut_ptr().cast(), words[i]);
                }
                let mut rest = mask;
                while rest != 0 {
                    let lane = rest.trailing_zeros() as usize & 7;
                    rest &= rest - 1;
                    let to = base.add(each.0[lane] as usize).cast::<u32>();
                    to.write_unaligned(each.1[0][lane]);
                    if T == HALF4 {
                        to.add(1).write_unaligned(each.1[1][lane]);
                    }
                }
            }
        }
    }
}

/// Gathers the four texels of a linear filter, in the order (0, 1), (1, 1), (1, 0), (0, 0).
///
/// # Safety
/// As for [`super::sample::sample`].
#[target_feature(enable = "avx2,fma,f16c")]
pub unsafe extern "C" fn gather<const T: u8>(args: *mut ImageArgs, plan: *const Plan) {
    // SAFETY: the caller promises the host features, valid arguments, a live view of the plan's class and a valid plan.
    // `axis` gives texels inside the level. The word after a texel is in the next row or the image's padding.
    unsafe {
        let (plan, view) = (&*plan, &*(*args).view.cast::<View>());
        let level = &view.level[0];
        let base = view.memory.base().add(level.offset as usize);
        let shift = _mm_cvtsi32_si128(8 * plan.component as i32);
        let pitch = _mm256_set1_epi32(level.row_pitch as i32);
        let mut done = 0;
        while done < (*args).lanes {
            let rows = args.byte_add(4 * done as usize);
            let mask = ((*args).mask >> done) & 0xff;
            done += LANES;
            let [u, v] = each!(2, i in [0, 1] => row(rows, COORD, i));
            let mut by = [None; 2];
            if plan.offset {
                by = each!(2, i in [0, 1] => Some(coords::offset(rows, i)));
            }
            let x = coords::axis::<true>(plan.address[0], u, level.width_f, level.width, coords::CUT, by[0]);
            let y =
                coords::axis::<true>(plan.address[1], v, level.height_f, level.height, coords::CUT, by[1]);
            let xs = each!(2, i in [x.first, x.second] => _mm256_slli_epi32::<2>(i));
            let next = _mm256_add_epi32(xs[0], _mm256_set1_epi32(4));
            let next = _mm256_castsi256_ps(_mm256_cmpeq_epi32(next, xs[1]));
            let apart = !_mm256_movemask_ps(next) as u32 & mask;
            let mut ys = each!(2, i in [y.first, y.second] => _mm256_mullo_epi32(i, pitch));
            if plan.arrayed {
                let layer = coords::layer(rows, view, 2);
                ys = each!(2, y in ys => _mm256_add_epi32(y, layer));
            }
            let at = rows.cast::<u8>();
            for i in 0..2 {
                let [a, b] = each!(2, x in xs => _mm256_add_epi32(x, ys[i]));
                let pair = texels::pairs(base, a, b, apart, plan.gathers);
                for j in 0..2 {
                    let (words, row) = (pair[j], [[3, 2], [0, 1]][i][j]);
                    let v = if T == FLOAT {
                        _mm256_castsi256_ps(words)
                    } else {
                        let code = _mm256_and_si256(_mm256_srl_epi32(words, shift), _mm256_set1_epi32(255));
                        texels::normalize8_exact(_mm256_cvtepi32_ps(code))
                    };
                    _mm256_storeu_ps(at.add(row_at(TEXEL, row) as usize).cast(), v);
                }
            }
        }
    }
}
