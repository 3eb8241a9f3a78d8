//! Filtered reads with 512 bits, on hosts with AVX-512 and its byte permutations.
//!
//! A round has sixteen slots. With one level they hold sixteen lanes, or eight if no more are left. Otherwise they hold
//! eight lanes at one level and, if some lanes lie between two levels, the same lanes at the next level. Properties of
//! the level are looked up per slot, so lanes at different levels need no further rounds. Texels stay contiguous as in
//! memory until byte permutations separate the components: a vector of results is one component of eight lanes, then
//! another component.
//!
//! The results are bitwise those of [`super::sample`], whose keys and plans these routines share. Keys without a
//! routine here are left to the generated routines.
//!
//! * [`self`]: filtered reads: rounds, levels, footprints; [`access`]: other reads.
//! * [`coords`]: texels along axes; [`texels`]: loads and filters; [`seams`]: filters across the edges of cubes.

pub mod access;
mod coords;
mod seams;
mod texels;

use std::arch::x86_64::*;
use std::mem::offset_of;

use quadrille_jit::CpuLevel;
use quadrille_jit::abi::ImageArgs;

use super::super::super::state::Filter;
use super::super::{COORD, LANES};
use super::coords::{ROUND, is_cube, layer, levels, row};
use super::{
    Address, CUBE, D2, D3, FLOAT, HALF4, Lod, Plan, Routine, SHADOW, SRGB8, UNORM8, bits_of, is_any, run_for,
};
use crate::sampling::View;
use coords::{Axis, Levels, axis};
use seams::Filters;
use texels::{Taps, Values, mix};

/// One level, or several levels that are not chosen by lod.
const SINGLE: u8 = 0;
/// Levels chosen by lod.
const BY_LOD: u8 = 1;
/// Levels chosen by lod, and several samples along a footprint.
const FOOTPRINT: u8 = 2;

/// True if the host and the CPU level have the features that the routines use.
pub fn is_able(cpu: CpuLevel) -> bool {
    use std::arch::is_x86_feature_detected as has;
    super::is_able(cpu)
        && cpu >= CpuLevel::V4
        && has!("avx512f")
        && has!("avx512bw")
        && has!("avx512dq")
        && has!("avx512vl")
        && has!("avx512vbmi")
}

/// Selects the function for texels, dimensions, filter and, if levels are chosen by lod, footprints.
pub fn routine(texels: u8, dim: u8, linear: bool, mips: bool, footprint: bool) -> Option<Routine> {
    if footprint {
        return match (texels, dim, linear) {
            (UNORM8, D2, true) => Some(sample::<UNORM8, D2, true, FOOTPRINT>),
            (SRGB8, D2, true) => Some(sample::<SRGB8, D2, true, FOOTPRINT>),
            (HALF4, D2, true) => Some(sample::<HALF4, D2, true, FOOTPRINT>),
            (FLOAT, D2, true) => Some(sample::<FLOAT, D2, true, FOOTPRINT>),
            _ => None,
        };
    }
    Some(filtered_read! { (texels, dim, linear, mips) => sample, SINGLE, BY_LOD })
}

/// Runs a filtered read.
///
/// # Safety
/// The host must have the features that [`is_able`] checks. The arguments must be those of an image operation that
/// nothing else uses, with a live view of the plan's class. The plan must be valid.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c")]
unsafe extern "C" fn sample<const T: u8, const DIM: u8, const LINEAR: bool, const LEVELS: u8>(
    args: *mut ImageArgs,
    plan: *const Plan,
) {
    // SAFETY: the caller promises the host features, valid arguments, a live view of the plan's class and a valid plan.
    // `axis` keeps texel coordinates inside the level, so all loads are inside the view's memory.
    unsafe {
        let (plan, view) = (&*plan, &*(*args).view.cast::<View>());
        let mut first = 0;
        loop {
            let two = LEVELS == SINGLE && first + LANES < (*args).lanes;
            let lanes = if two { 2 * LANES } else { LANES };
            let complete = if !is_any(args, first, lanes) {
                Some(())
            } else if two {
                Round::of_sixteen::<T, DIM>(args, view, plan, first).at_level0::<T, DIM, LINEAR, true>()
            } else {
                let g = Round::of_eight::<T, DIM>(args, view, plan, first);
                match LEVELS {
                    SINGLE => g.at_level0::<T, DIM, LINEAR, false>(),
                    BY_LOD => g.at_levels::<T, DIM, LINEAR>(),
                    _ => g.along_footprint::<T, DIM, LINEAR>(),
                }
            };
            if complete.is_none() {
                run_for(bits_of(first, lanes), plan.generated, args);
            }
            first += lanes;
            if first >= (*args).lanes {
                return;
            }
        }
    }
}

/// Inputs of eight lanes.
struct Eight {
    /// Coordinates; on faces for cubes.
    c: [__m256; 3],
    /// Byte offsets of layers or faces.
    slice: __m256i,
    /// Indices of faces.
    face: __m256i,
    /// Offsets in texels.
    offset: [__m256i; 3],
    /// Depth reference.
    dref: __m256,
}

impl Eight {
    /// Loads the inputs of the lanes that start at `rows`.
    ///
    /// # Safety
    /// As for [`row`].
    #[inline(always)]
    unsafe fn new<const T: u8, const DIM: u8>(rows: *const ImageArgs, view: &View, plan: &Plan) -> Eight {
        // SAFETY: the caller promises the host features, and arguments as `row` requires.
        unsafe {
            let mut c = [_mm256_setzero_ps(); 3];
            for i in 0..super::coords::coordinates(DIM) {
                c[i] = row(rows, COORD, i);
            }
            let mut slice = _mm256_setzero_si256();
            let mut face = slice;
            if is_cube(DIM) {
                (c, face) = super::coords::face(&c);
                slice = _mm256_mullo_epi32(face, _mm256_set1_epi32(view.layer_pitch as i32));
            } else if DIM == D2 && plan.arrayed {
                slice = layer(rows, view, 2);
            }
            let mut offset = [_mm256_setzero_si256(); 3];
            if plan.offset {
                offset = each!(3, i in [0, 1, 2] => super::coords::offset(rows, i));
            }
            let dref = match T {
                SHADOW => row(rows, offset_of!(ImageArgs, dref), 0),
                _ => _mm256_setzero_ps(),
            };
            Eight { c, slice, face, offset, dref }
        }
    }
}

/// The slots of a round.
struct Round<'a> {
    /// The arguments, advanced to the lanes of the round; only for access to rows.
    rows: *mut ImageArgs,
    view: &'a View,
    plan: &'a Plan,
    /// Bits of the slots with active lanes.
    active: u16,
    /// Bits of the lanes that take part in derivatives.
    quads: u32,
    /// Coordinates; on faces for cubes.
    c: [__m512; 3],
    /// Byte offsets of layers or faces.
    slice: __m512i,
    /// Indices of faces.
    face: __m512i,
    /// Offsets in texels.
    offset: [__m512i; 3],
    /// Depth reference of each half.
    dref: [__m256; 2],
}

/// Texels of linear filters.
struct Texels {
    /// Byte offset of the level, face or layer, and first slice.
    start: __m512i,
    /// Byte offset of the first row, including `start`; index of the second row.
    rows: [__m512i; 2],
    /// Byte offsets of both columns.
    columns: [__m512i; 2],
    /// Difference in bytes from the first slice to the second.
    up: __m512i,
    /// Weights of the second texel along each axis in 1/256.
    weights: [__m512i; 3],
    /// Slots whose texels are not all neighbours.
    edge: u16,
}

/// Values of both halves of the slots.
type Both = [Values; 2];

impl<'a> Round<'a> {
    /// Loads eight lanes into both halves.
    ///
    /// # Safety
    /// As for [`sample`]. `first` must be a multiple of eight.
    #[inline(always)]
    unsafe fn of_eight<const T: u8, const DIM: u8>(
        args: *mut ImageArgs,
        view: &'a View,
        plan: &'a Plan,
        first: u32,
    ) -> Round<'a> {
        // SAFETY: the caller promises the host features, and arguments that contain the round at `first`.
        unsafe {
            let rows = args.byte_add(4 * first as usize);
            let e = Eight::new::<T, DIM>(rows, view, plan);
            let c = [
                _mm512_broadcast_f32x8(e.c[0]),
                _mm512_broadcast_f32x8(e.c[1]),
                _mm512_broadcast_f32x8(e.c[2]),
            ];
            let active = texels::twice(((*args).mask >> first) as u8);
            let quads = (*args).quad_mask >> first;
            let [slice, face] = each!(2, v in [e.slice, e.face] => _mm512_broadcast_i32x8(v));
            let offset = each!(3, v in e.offset => _mm512_broadcast_i32x8(v));
            Round { rows, view, plan, active, quads, c, slice, face, offset, dref: [e.dref; 2] }
        }
    }

    /// Loads sixteen lanes.
    ///
    /// # Safety
    /// As for [`sample`]. `first` must be a multiple of sixteen.
    #[inline(always)]
    unsafe fn of_sixteen<const T: u8, const DIM: u8>(
        args: *mut ImageArgs,
        view: &'a View,
        plan: &'a Plan,
        first: u32,
    ) -> Round<'a> {
        // SAFETY: the caller promises the host features, and arguments that contain the round at `first`.
        unsafe {
            let rows = args.byte_add(4 * first as usize);
            let a = Eight::new::<T, DIM>(rows, view, plan);
            let b = Eight::new::<T, DIM>(rows.byte_add(4 * LANES as usize), view, plan);
            let mut c = [_mm512_setzero_ps(); 3];
            unroll!(i in 0 1 2 => {
                c[i] = _mm512_insertf32x8::<1>(_mm512_castps256_ps512(a.c[i]), b.c[i]);
            });
            let slice = sixteen(a.slice, b.slice);
            let face = sixteen(a.face, b.face);
            let offset = each!(3, i in [0, 1, 2] => sixteen(a.offset[i], b.offset[i]));
            let (active, quads) = (((*args).mask >> first) as u16, (*args).quad_mask >> first);
            Round { rows, view, plan, active, quads, c, slice, face, offset, dref: [a.dref, b.dref] }
        }
    }

    /// Coordinates of the first eight lanes.
    ///
    /// # Safety
    /// The host must have the features that [`is_able`] checks.
    #[inline(always)]
    unsafe fn eight(&self) -> [__m256; 3] {
        // SAFETY: the caller promises the host features; the instructions access no memory.
        unsafe {
            [
                _mm512_castps512_ps256(self.c[0]),
                _mm512_castps512_ps256(self.c[1]),
                _mm512_castps512_ps256(self.c[2]),
            ]
        }
    }

    /// Reads from the first level; with `TWO`, for sixteen lanes. Like all methods below, returns `None` if an active
    /// lane is left to the generated routine.
    ///
    /// # Safety
    /// As for [`sample`], whose arguments `self` holds.
    #[inline(always)]
    unsafe fn at_level0<const T: u8, const DIM: u8, const LINEAR: bool, const TWO: bool>(
        &self,
    ) -> Option<()> {
        // SAFETY: the caller promises the host features, and that `self` was made from valid arguments and a live view.
        unsafe {
            let levels = Levels::first(self.view);
            let v = self.filtered::<T, DIM, LINEAR, TWO>(&self.c, &levels)?;
            texels::store::<T>(self.rows, self.plan, &texels::finish::<T, LINEAR, false>(v[0]));
            if TWO {
                let rows = self.rows.byte_add(4 * LANES as usize);
                texels::store::<T>(rows, self.plan, &texels::finish::<T, LINEAR, false>(v[1]));
            }
            Some(())
        }
    }

    /// Reads from the levels that the lods select.
    ///
    /// # Safety
    /// As for [`sample`], whose arguments `self` holds.
    #[inline(always)]
    unsafe fn at_levels<const T: u8, const DIM: u8, const LINEAR: bool>(&self) -> Option<()> {
        // SAFETY: the caller promises the host features, and that `self` was made from valid arguments and a live view.
        unsafe {
            let lod = self.plan.lod.as_ref()?;
            let lambda = super::coords::lambda::<DIM>(self.rows, self.quads, self.view, lod, &self.eight());
            let (levels, weight, between) = self.chosen(lambda, lod);
            let v = match levels.two {
                true => self.filtered::<T, DIM, LINEAR, true>(&self.c, &levels)?,
                false => self.filtered::<T, DIM, LINEAR, false>(&self.c, &levels)?,
            };
            texels::store::<T>(self.rows, self.plan, &between_levels::<T, LINEAR>(v, weight, between));
            Some(())
        }
    }

    /// Averages samples along the footprint, at each level.
    ///
    /// # Safety
    /// As for [`sample`], whose arguments `self` holds.
    #[inline(always)]
    unsafe fn along_footprint<const T: u8, const DIM: u8, const LINEAR: bool>(&self) -> Option<()> {
        // SAFETY: the caller promises the host features, and that `self` was made from valid arguments and a live view.
        unsafe {
            let (lod, most) = (self.plan.lod.as_ref()?, self.plan.anisotropy?);
            let eight = self.eight();
            let f = super::coords::footprint(self.rows, self.quads, self.view, lod, &eight, most);
            let (levels, weight, between) = self.chosen(f.lambda, lod);
            let one = _mm256_set1_ps(1.0);
            let spaces = _mm256_add_ps(f.samples, one);
            let wanted = _mm256_maskz_mov_ps(self.active as u8, f.samples);
            let mut sums = [[_mm512_setzero_ps(); 2]; 2];
            let mut i = one;
            loop {
                let counts = _mm256_cmp_ps_mask::<_CMP_LE_OQ>(i, wanted);
                if counts == 0 {
                    break;
                }
                let t = _mm256_sub_ps(_mm256_div_ps(i, spaces), _mm256_set1_ps(0.5));
                let at = each!(2, a in [0, 1] => {
                    let at = _mm256_add_ps(eight[a], _mm256_mul_ps(f.along[a], t));
                    _mm512_broadcast_f32x8(at)
                });
                let c = [at[0], at[1], at[1]];
                let v = match levels.two {
                    true => self.filtered::<T, DIM, LINEAR, true>(&c, &levels)?,
                    false => self.filtered::<T, DIM, LINEAR, false>(&c, &levels)?,
                };
                let counts = texels::twice(counts);
                unroll!(h in 0 1 => { unroll!(k in 0 1 => {
                    sums[h][k] = _mm512_mask_add_ps(sums[h][k], counts, sums[h][k], v[h][k]);
                }) });
                i = _mm256_add_ps(i, one);
            }
            let samples = _mm512_broadcast_f32x8(f.samples);
            let v = each!(2, s in sums => each!(2, s in s => _mm512_div_ps(s, samples)));
            texels::store::<T>(self.rows, self.plan, &between_levels::<T, LINEAR>(v, weight, between));
            Some(())
        }
    }

    /// The levels of the slots, the weights of the coarser levels, and the lanes with a weight above 0.
    ///
    /// # Safety
    /// The host must have the features that [`is_able`] checks.
    #[inline(always)]
    unsafe fn chosen(&self, lambda: __m256, lod: &Lod) -> (Levels, __m256, u8) {
        // SAFETY: the caller promises the host features, which is all that the called functions require.
        unsafe {
            let (fine, weight) = levels(self.view, lambda, lod.filter);
            let between = match lod.filter {
                Filter::Linear => _mm256_cmp_ps_mask::<_CMP_GT_OQ>(weight, _mm256_setzero_ps()),
                Filter::Nearest => 0,
            };
            let two = u16::from(between) & self.active & 0xff != 0;
            (Levels::of(self.view, fine, two), weight, between)
        }
    }

    /// The filters of one half of the slots, on faces of cubes.
    ///
    /// # Safety
    /// The host must have the features that [`is_able`] checks.
    #[inline(always)]
    unsafe fn over_edges(&self, c: &[__m512; 3], l: &Levels, h: usize) -> Filters {
        // SAFETY: the caller promises the host features; the instructions access no memory.
        unsafe {
            let [x, y, size] = each!(3, v in [c[0], c[1], l.width] =>
                _mm256_castsi256_ps(half(_mm512_castps_si512(v), h)));
            Filters {
                base: self.view.memory.base().cast_const(),
                gathers: self.plan.gathers,
                active: (self.active >> (8 * h)) as u8,
                at: [x, y],
                face: half(self.face, h),
                size,
                offset: half(l.offset, h),
                face_pitch: _mm256_set1_epi32(self.view.layer_pitch as i32),
                row_pitch: half(l.row_pitch, h),
            }
        }
    }

    /// The filtered values of the slots, in the domain of filters. Without `TWO`, the second half is 0.
    ///
    /// # Safety
    /// As for [`sample`], whose arguments `self` holds. `l` must hold levels of the view.
    #[inline(always)]
    unsafe fn filtered<const T: u8, const DIM: u8, const LINEAR: bool, const TWO: bool>(
        &self,
        c: &[__m512; 3],
        l: &Levels,
    ) -> Option<Both> {
        // SAFETY: the caller promises the host features, a live view and levels of that view. `axis` gives texels
        // inside the levels, and layers and faces are clamped, so all offsets are inside the view's memory.
        unsafe {
            let address = &self.plan.address;
            let slots = if TWO { 0xffff } else { 0xff };
            let active = self.active & slots;
            let x = axis::<LINEAR>(address[0], c[0], l.width, ROUND, Some(self.offset[0]));
            let y = axis::<LINEAR>(address[1], c[1], l.height, ROUND, Some(self.offset[1]));
            let (mut edge, mut crosses) = (apart(address[0], &x) | y.edge, x.crosses | y.crosses);
            let [x0, x1] = each!(2, i in [x.first, x.second] => match T {
                HALF4 => _mm512_slli_epi32::<3>(i),
                _ => _mm512_slli_epi32::<2>(i),
            });
            let mut start = l.offset;
            if is_cube(DIM) || DIM == D2 && self.plan.arrayed {
                start = _mm512_add_epi32(start, self.slice);
            }
            let mut wz = _mm512_setzero_si512();
            let mut up = _mm512_setzero_si512();
            if DIM == D3 {
                let z = axis::<LINEAR>(address[2], c[2], l.depth, ROUND, Some(self.offset[2]));
                (edge, crosses, wz) = (edge | z.edge, crosses | z.crosses, z.weight);
                let [z0, z1] = each!(2, i in [z.first, z.second] => _mm512_mullo_epi32(i, l.slice_pitch));
                start = _mm512_add_epi32(start, z0);
                up = _mm512_sub_epi32(z1, z0);
            }
            crosses &= active;
            if LINEAR && !is_cube(DIM) && matches!(T, HALF4 | FLOAT) && crosses != 0 {
                return None;
            }
            let y0 = _mm512_add_epi32(_mm512_mullo_epi32(y.first, l.row_pitch), start);
            let at = _mm512_add_epi32(y0, x0);
            let texels = Texels {
                start,
                rows: [y0, y.second],
                columns: [x0, x1],
                up,
                weights: [x.weight, y.weight, wz],
                edge,
            };
            let base = self.view.memory.base().cast_const();
            let (op, gathers) = (self.plan.compare, self.plan.gathers);
            let mut out = [[_mm512_setzero_ps(); 2]; 2];
            unroll!(h in 0 1 => {
                if h == 0 || TWO {
                    out[h] = if !LINEAR {
                        texels::nearest::<T>(base, half(at, h), gathers, op, self.dref[h])
                    } else if is_cube(DIM) && crosses >> (8 * h) & 0xff != 0 {
                        self.over_edges(c, l, h).linear::<T>()?
                    } else {
                        self.linear::<T, DIM>(&texels, l, half(at, h), h)
                    };
                }
            });
            Some(out)
        }
    }

    /// Applies the linear filters of one half of the slots, whose first texels are at `first`.
    ///
    /// # Safety
    /// As for [`Self::filtered`]. The texels of `t` must be inside the view's memory.
    #[inline(always)]
    unsafe fn linear<const T: u8, const DIM: u8>(
        &self,
        t: &Texels,
        l: &Levels,
        first: __m256i,
        h: usize,
    ) -> Values {
        // SAFETY: the caller promises the host features and texels inside the view's memory. The texel after the last
        // one is in the next row or the image's padding.
        unsafe {
            let op = self.plan.compare;
            let mut taps = Taps {
                base: self.view.memory.base().cast_const(),
                at: [first; 4],
                near: l.uniform && (t.edge >> (8 * h)) as u8 == 0,
                gathers: self.plan.gathers,
                row_pitch: l.row_pitches[h],
                weights: [half(t.weights[0], h), half(t.weights[1], h)],
            };
            if !taps.near {
                let [y0, y1] =
                    [t.rows[0], _mm512_add_epi32(_mm512_mullo_epi32(t.rows[1], l.row_pitch), t.start)];
                let [a, b] = each!(2, x in t.columns => half(_mm512_add_epi32(y1, x), h));
                taps.at = [first, half(_mm512_add_epi32(y0, t.columns[1]), h), a, b];
            }
            let v = texels::linear::<T>(&taps, op, self.dref[h]);
            if DIM != D3 {
                return v;
            }
            match taps.near {
                true => taps.base = taps.base.add(l.slice_pitches[h]),
                false => taps.at = each!(4, a in taps.at => _mm256_add_epi32(a, half(t.up, h))),
            }
            let second = texels::linear::<T>(&taps, op, self.dref[h]);
            let w = texels::weight(half(t.weights[2], h));
            each!(2, i in [0, 1] => mix(v[i], second[i], w))
        }
    }
}

/// Mixes the values of two levels, and converts them to results.
///
/// # Safety
/// The host must have the features that [`is_able`] checks.
#[inline(always)]
unsafe fn between_levels<const T: u8, const LINEAR: bool>(v: Both, weight: __m256, between: u8) -> Values {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let (weight, between) = (_mm512_broadcast_f32x8(weight), texels::twice(between));
        let v = each!(2, i in [0, 1] => _mm512_mask_mov_ps(v[0][i], between, mix(v[0][i], v[1][i], weight)));
        texels::finish::<T, LINEAR, true>(v)
    }
}

/// Slots whose second texel in a row must not be the neighbour after the first. If texels at weight 0 do not matter,
/// the neighbour may take the place of any second texel.
#[inline(always)]
fn apart(address: Address, x: &Axis) -> u16 {
    match address {
        Address::ClampWeightless | Address::ClampInside => 0,
        _ => x.edge,
    }
}

/// Combines both halves of the slots.
///
/// # Safety
/// The host must have the features that [`is_able`] checks.
#[inline(always)]
unsafe fn sixteen(a: __m256i, b: __m256i) -> __m512i {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(a), b) }
}

/// One half of the sixteen slots.
///
/// # Safety
/// The host must have the features that [`is_able`] checks.
#[inline(always)]
unsafe fn half(v: __m512i, h: usize) -> __m256i {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { if h == 0 { _mm512_castsi512_si256(v) } else { _mm512_extracti64x4_epi64::<1>(v) } }
}
