//! Lod, texels along axes, faces of cubes: the formulas of [`crate::sampling::fast::coords`] and
//! [`crate::sampling::fast::cube`], operation by operation, on eight lanes.

use std::arch::x86_64::*;
use std::mem::offset_of;

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::LodMode;

use super::super::super::coords::FAR;
use super::super::super::lod::{LOG2, RATIO_SLACK};
use super::super::super::state::{Filter, MAX_SAMPLER_LOD_BIAS};
use super::super::{COORD, Lod};
use super::{Address, CUBE, D2, D3};
use crate::sampling::View;

/// Eight lanes of a row of the arguments.
///
/// # Safety
/// The arguments are valid.
#[inline(always)]
pub unsafe fn row(args: *const ImageArgs, field: usize, i: usize) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let at = args.cast::<u8>().add(super::super::row_at(field, i) as usize).cast::<__m128>();
        // The row was stored by halves just now: a load of both at once would wait for the cache, which two
        // volatile ones keep the compiler from making.
        _mm256_set_m128(at.add(1).read_volatile(), at.read_volatile())
    }
}

/// All ones in the lanes of the set bits.
#[inline(always)]
pub unsafe fn lanes_of(bits: u32) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        let bits = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lane);
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(bits, lane))
    }
}

/// `x` clamped; NaN gives `lo`.
#[inline(always)]
pub unsafe fn clamp(x: __m256, lo: __m256, hi: __m256) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe { _mm256_min_ps(_mm256_max_ps(x, lo), hi) }
}

/// `a + (b - a) * w`.
#[inline(always)]
pub unsafe fn mix(a: __m256, b: __m256, w: __m256) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe { _mm256_add_ps(a, _mm256_mul_ps(_mm256_sub_ps(b, a), w)) }
}

/// Texels along an axis: the one or two of a filter, and the weight of the second in 1/256.
#[derive(Clone, Copy)]
pub struct Axis {
    pub first: __m256i,
    pub second: __m256i,
    pub weight: __m256i,
    /// Lanes whose filter takes a texel beyond an edge, if the mode clamps.
    pub crosses: __m256i,
}

impl Axis {
    /// The one texel of a nearest filter.
    #[inline(always)]
    unsafe fn one(i: __m256i) -> Axis {
        // SAFETY: the host has the features.
        let zero = unsafe { _mm256_setzero_si256() };
        Axis { first: i, second: i, weight: zero, crosses: zero }
    }
}

/// A texel behind the last is texel 0.
#[inline(always)]
unsafe fn around(i: __m256i, size: i32) -> __m256i {
    // SAFETY: the host has the features.
    unsafe { _mm256_andnot_si256(_mm256_cmpeq_epi32(i, _mm256_set1_epi32(size)), i) }
}

/// What is added before 1/256 of a texel are cut off: filters round.
pub const ROUND: f32 = 0.5;
/// Gathers do not. See [`crate::sampling::coords::gathered`].
pub const CUT: f32 = 0.0;

/// Texels along an axis, moved by `offset`, which only [`Address::Clamp`] can have. See [`super::super::coords::axis`].
#[inline(always)]
pub unsafe fn axis<const LINEAR: bool>(
    mode: Address,
    s: __m256,
    size_f: f32,
    size: u32,
    round: f32,
    offset: Option<__m256i>,
) -> Axis {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let size = size as i32;
        let last = _mm256_set1_epi32(size - 1);
        let zero = _mm256_setzero_si256();
        let round = _mm256_set1_ps(round);
        let middle = _mm256_set1_epi32(128);
        let fraction = _mm256_sub_ps(s, _mm256_floor_ps(s));
        let scale = _mm256_set1_ps(256.0);
        match mode {
            Address::RepeatPow2 if !LINEAR => {
                let u = _mm256_mul_ps(fraction, _mm256_set1_ps(size_f));
                Axis::one(_mm256_and_si256(_mm256_cvttps_epi32(u), last))
            }
            Address::RepeatPow2 => {
                let c = _mm256_mul_ps(fraction, _mm256_set1_ps(size_f * 256.0));
                let c = _mm256_sub_epi32(_mm256_cvttps_epi32(_mm256_add_ps(c, round)), middle);
                let i = _mm256_srai_epi32(c, 8);
                let next = _mm256_add_epi32(i, _mm256_set1_epi32(1));
                Axis {
                    first: _mm256_and_si256(i, last),
                    second: _mm256_and_si256(next, last),
                    weight: _mm256_and_si256(c, _mm256_set1_epi32(255)),
                    crosses: zero,
                }
            }
            Address::Repeat => {
                let f = _mm256_max_ps(fraction, _mm256_setzero_ps());
                let u = _mm256_mul_ps(f, _mm256_set1_ps(size_f));
                if !LINEAR {
                    return Axis::one(around(_mm256_cvttps_epi32(u), size));
                }
                let c = _mm256_add_ps(_mm256_mul_ps(u, scale), round);
                let c = _mm256_sub_epi32(_mm256_cvttps_epi32(c), middle);
                let i = _mm256_srai_epi32(c, 8);
                Axis {
                    first: _mm256_min_epu32(i, last),
                    second: around(_mm256_add_epi32(i, _mm256_set1_epi32(1)), size),
                    weight: _mm256_and_si256(c, _mm256_set1_epi32(255)),
                    crosses: zero,
                }
            }
            Address::ClampWeightless | Address::ClampInside if !LINEAR => {
                let u = _mm256_mul_ps(s, _mm256_set1_ps(size_f));
                let u = clamp(u, _mm256_setzero_ps(), _mm256_set1_ps(size_f - 1.0));
                Axis::one(_mm256_cvttps_epi32(u))
            }
            Address::ClampWeightless | Address::ClampInside => {
                let fixed = size_f * 256.0;
                let c = _mm256_mul_ps(s, _mm256_set1_ps(fixed));
                let low = _mm256_set1_ps(128.0);
                let inside = clamp(c, low, _mm256_set1_ps(fixed - 128.0));
                let f = _mm256_cvttps_epi32(_mm256_add_ps(inside, round));
                let f = _mm256_sub_epi32(f, middle);
                let i = _mm256_srai_epi32(f, 8);
                let next = _mm256_add_epi32(i, _mm256_set1_epi32(1));
                let before = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_NGE_UQ>(c, low));
                Axis {
                    first: i,
                    second: _mm256_min_epi32(next, last),
                    weight: _mm256_and_si256(f, _mm256_set1_epi32(255)),
                    crosses: _mm256_or_si256(before, _mm256_cmpeq_epi32(i, last)),
                }
            }
            Address::Clamp => {
                let u = _mm256_mul_ps(s, _mm256_set1_ps(size_f));
                let u = clamp(u, _mm256_set1_ps(-size_f - FAR), _mm256_set1_ps(size_f + size_f + FAR));
                let c = _mm256_floor_ps(_mm256_add_ps(_mm256_mul_ps(u, scale), round));
                let c = _mm256_sub_epi32(_mm256_cvttps_epi32(c), middle);
                let mut i = _mm256_srai_epi32(c, 8);
                if let Some(offset) = offset {
                    i = _mm256_add_epi32(i, offset);
                }
                let least = _mm256_max_epu32(i, last);
                let next = _mm256_add_epi32(i, _mm256_set1_epi32(1));
                Axis {
                    first: _mm256_min_epi32(_mm256_max_epi32(i, zero), last),
                    second: _mm256_min_epi32(_mm256_max_epi32(next, zero), last),
                    weight: _mm256_and_si256(c, _mm256_set1_epi32(255)),
                    // Not below the last as unsigned.
                    crosses: _mm256_cmpeq_epi32(least, i),
                }
            }
        }
    }
}

/// Offsets of the lanes along axis `i`, in texels.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
pub unsafe fn offset(args: *const ImageArgs, i: usize) -> __m256i {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe { _mm256_castps_si256(row(args, offset_of!(ImageArgs, offset), i)) }
}

/// Byte offsets of the lanes' array layers.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
pub unsafe fn layer(args: *const ImageArgs, view: &View, axes: usize) -> __m256i {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let a = { row(args, COORD, axes) };
        let a = _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
        let last = _mm256_set1_ps((view.slices as i32 - 1) as f32);
        let i = _mm256_cvttps_epi32(clamp(a, _mm256_setzero_ps(), last));
        _mm256_mullo_epi32(i, _mm256_set1_epi32(view.layer_pitch as i32))
    }
}

/// See [`crate::sampling::lod::log2`].
#[inline(always)]
unsafe fn log2(x: __m256) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let bits = _mm256_and_si256(_mm256_castps_si256(x), _mm256_set1_epi32(0x7fff_ffff));
        let e = _mm256_sub_epi32(_mm256_srli_epi32(bits, 23), _mm256_set1_epi32(127));
        let e = _mm256_cvtepi32_ps(e);
        let m = _mm256_and_si256(bits, _mm256_set1_epi32(0x7f_ffff));
        let m = _mm256_castsi256_ps(_mm256_or_si256(m, _mm256_set1_epi32(0x3f80_0000)));
        let t = _mm256_sub_ps(m, _mm256_set1_ps(1.0));
        let c = each!(4, c in LOG2 => _mm256_set1_ps(c));
        let low = _mm256_add_ps(c[0], _mm256_mul_ps(c[1], t));
        let high = _mm256_add_ps(c[2], _mm256_mul_ps(c[3], t));
        let high = _mm256_mul_ps(_mm256_mul_ps(t, t), high);
        _mm256_add_ps(e, _mm256_mul_ps(t, _mm256_add_ps(low, high)))
    }
}

/// Changes of the coordinates along x, then along y, in quads; 0 where a lane takes no part.
#[inline(always)]
unsafe fn differences<const DIM: u8>(quads: u32, c: &[__m256; 3]) -> [[__m256; 3]; 2] {
    // SAFETY: the host has the features.
    unsafe {
        let there = lanes_of(quads);
        let there0 = _mm256_permute_ps::<0x00>(there);
        let there_x = _mm256_and_ps(there0, _mm256_permute_ps::<0x55>(there));
        let there_y = _mm256_and_ps(there0, _mm256_permute_ps::<0xaa>(there));
        let mut d = [[_mm256_setzero_ps(); 3]; 2];
        for i in 0..coordinates(DIM) {
            let origin = _mm256_permute_ps::<0x00>(c[i]);
            let dx = _mm256_sub_ps(_mm256_permute_ps::<0x55>(c[i]), origin);
            let dy = _mm256_sub_ps(_mm256_permute_ps::<0xaa>(c[i]), origin);
            (d[0][i], d[1][i]) = (_mm256_and_ps(dx, there_x), _mm256_and_ps(dy, there_y));
        }
        d
    }
}

/// Their lengths in texels of the first level, squared.
#[inline(always)]
unsafe fn lengths<const DIM: u8>(view: &View, d: &[[__m256; 3]; 2]) -> [__m256; 2] {
    // SAFETY: the host has the features.
    unsafe {
        let level = &view.level[0];
        let sizes = [level.width_f, level.height_f, level.depth_f];
        let mut sums = [_mm256_setzero_ps(); 2];
        for i in 0..axes(DIM) {
            let size = _mm256_set1_ps(sizes[i]);
            for k in 0..2 {
                let v = _mm256_mul_ps(d[k][i], size);
                let square = _mm256_mul_ps(v, v);
                sums[k] = if i == 0 { square } else { _mm256_add_ps(sums[k], square) };
            }
        }
        sums
    }
}

/// The lod of a base: bias and clamp of the sampler.
#[inline(always)]
unsafe fn clamped(rows: *const ImageArgs, l: &Lod, base: __m256) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let bias = f32::from_bits(l.lod_bias);
        let biased = if l.mode == LodMode::Bias {
            let b = _mm256_add_ps(_mm256_set1_ps(bias), row(rows, offset_of!(ImageArgs, lod), 0));
            let most = MAX_SAMPLER_LOD_BIAS;
            _mm256_add_ps(base, clamp(b, _mm256_set1_ps(-most), _mm256_set1_ps(most)))
        } else if bias == 0.0 {
            base
        } else {
            _mm256_add_ps(base, _mm256_set1_ps(bias.clamp(-MAX_SAMPLER_LOD_BIAS, MAX_SAMPLER_LOD_BIAS)))
        };
        let (least, most) = (f32::from_bits(l.min_lod), f32::from_bits(l.max_lod));
        clamp(biased, _mm256_set1_ps(least), _mm256_set1_ps(most))
    }
}

/// lambda. See [`super::super::lod::select`]. `quads`: lanes that take part in derivatives; `c`: coordinates, which
/// cubes do not need.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
pub unsafe fn lambda<const DIM: u8>(
    rows: *const ImageArgs,
    quads: u32,
    view: &View,
    l: &Lod,
    c: &[__m256; 3],
) -> __m256 {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let base = match l.mode {
            LodMode::Explicit => row(rows, offset_of!(ImageArgs, lod), 0),
            LodMode::Zero => _mm256_setzero_ps(),
            _ => {
                let [x, y] = if is_cube(DIM) {
                    let v = [row(rows, COORD, 0), row(rows, COORD, 1), row(rows, COORD, 2)];
                    cube_lengths(view, &v, &differences::<DIM>(quads, &v))
                } else {
                    lengths::<DIM>(view, &differences::<DIM>(quads, c))
                };
                _mm256_mul_ps(_mm256_set1_ps(0.5), log2(_mm256_max_ps(x, y)))
            }
        };
        clamped(rows, l, base)
    }
}

/// What pixels cover in two dimensions; see [`crate::sampling::lod::Footprint`].
pub struct Footprint {
    pub lambda: __m256,
    /// Number of samples.
    pub samples: __m256,
    /// Change of the coordinates along it.
    pub along: [__m256; 2],
}

/// Footprints of at most `most` samples. See [`crate::sampling::lod::footprint`].
///
/// # Safety
/// As for [`row`].
#[inline(always)]
pub unsafe fn footprint(
    rows: *const ImageArgs,
    quads: u32,
    view: &View,
    l: &Lod,
    c: &[__m256; 3],
    most: f32,
) -> Footprint {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let d = differences::<D2>(quads, c);
        let [x, y] = lengths::<D2>(view, &d);
        let long = _mm256_max_ps(x, y);
        let along_x = _mm256_cmp_ps::<_CMP_GT_OQ>(x, y);
        let one = _mm256_set1_ps(1.0);
        let square = _mm256_div_ps(long, _mm256_blendv_ps(x, y, along_x));
        let square = clamp(square, one, _mm256_set1_ps(most * most));
        let n = _mm256_ceil_ps(_mm256_sub_ps(_mm256_sqrt_ps(square), _mm256_set1_ps(RATIO_SLACK)));
        let samples = clamp(n, one, _mm256_set1_ps(most.ceil()));
        let base = _mm256_mul_ps(_mm256_set1_ps(0.5), _mm256_sub_ps(log2(long), log2(square)));
        let along = each!(2, i in [0, 1] => _mm256_blendv_ps(d[1][i], d[0][i], along_x));
        Footprint { lambda: clamped(rows, l, base), samples, along }
    }
}

/// Level and weight of the next. See [`super::super::coords::levels`].
#[inline(always)]
pub unsafe fn levels(view: &View, lambda: __m256, filter: Filter) -> (__m256i, __m256) {
    // SAFETY: the host has the features; the rest is passed on to the caller.
    unsafe {
        let q = (view.head.levels as i32 - 1) as f32;
        let lo = super::super::super::lod::clamp(view.min_lod, 0.0, q);
        let d = clamp(lambda, _mm256_set1_ps(lo), _mm256_set1_ps(q));
        let half = _mm256_set1_ps(0.5);
        if filter == Filter::Nearest {
            let l = _mm256_sub_ps(_mm256_ceil_ps(_mm256_add_ps(d, half)), _mm256_set1_ps(1.0));
            return (_mm256_cvttps_epi32(l), _mm256_setzero_ps());
        }
        let fine = _mm256_floor_ps(d);
        let w = _mm256_mul_ps(_mm256_sub_ps(d, fine), _mm256_set1_ps(256.0));
        let w = _mm256_floor_ps(_mm256_add_ps(w, half));
        (_mm256_cvttps_epi32(fine), _mm256_mul_ps(w, _mm256_set1_ps(1.0 / 256.0)))
    }
}

/// The faces that directions select. See [`super::super::cube`].
pub struct Faces {
    z_major: __m256,
    /// Not where z is.
    y_major: __m256,
    negative: __m256,
    /// The sign bit where negative.
    sign: __m256,
}

impl Faces {
    #[inline(always)]
    unsafe fn of([x, y, z]: &[__m256; 3]) -> Faces {
        // SAFETY: the host has the features.
        unsafe {
            let (x, y, z) = (*x, *y, *z);
            let top = _mm256_set1_ps(-0.0);
            let (ax, ay, az) = (_mm256_andnot_ps(top, x), _mm256_andnot_ps(top, y), _mm256_andnot_ps(top, z));
            let over_both = [_mm256_cmp_ps::<_CMP_GE_OQ>(az, ax), _mm256_cmp_ps::<_CMP_GE_OQ>(az, ay)];
            let z_major = _mm256_and_ps(over_both[0], over_both[1]);
            let y_major = _mm256_andnot_ps(z_major, _mm256_cmp_ps::<_CMP_GE_OQ>(ay, ax));
            let major = _mm256_blendv_ps(_mm256_blendv_ps(x, y, y_major), z, z_major);
            let negative = _mm256_cmp_ps::<_CMP_LT_OQ>(major, _mm256_setzero_ps());
            Faces { z_major, y_major, negative, sign: _mm256_and_ps(negative, top) }
        }
    }

    /// (sc, tc, rc) of vectors on the faces.
    #[inline(always)]
    unsafe fn project(&self, [x, y, z]: &[__m256; 3]) -> [__m256; 3] {
        // SAFETY: the host has the features.
        unsafe {
            let (x, y, z) = (*x, *y, *z);
            let top = _mm256_set1_ps(-0.0);
            let (ny, nz) = (_mm256_xor_ps(y, top), _mm256_xor_ps(z, top));
            let sc = _mm256_xor_ps(_mm256_blendv_ps(nz, x, self.z_major), self.sign);
            let sc = _mm256_blendv_ps(sc, x, self.y_major);
            let tc = _mm256_blendv_ps(ny, _mm256_xor_ps(z, self.sign), self.y_major);
            let rc = _mm256_blendv_ps(_mm256_blendv_ps(x, y, self.y_major), z, self.z_major);
            [sc, tc, _mm256_xor_ps(rc, self.sign)]
        }
    }

    /// Their numbers.
    #[inline(always)]
    unsafe fn numbers(&self) -> __m256i {
        // SAFETY: the host has the features.
        unsafe {
            let two = _mm256_and_si256(_mm256_castps_si256(self.y_major), _mm256_set1_epi32(2));
            let four = _mm256_and_si256(_mm256_castps_si256(self.z_major), _mm256_set1_epi32(4));
            _mm256_sub_epi32(_mm256_or_si256(two, four), _mm256_castps_si256(self.negative))
        }
    }
}

/// Coordinates on the faces that directions select, and the faces. See [`super::super::cube::prepare`].
#[inline(always)]
pub unsafe fn face(v: &[__m256; 3]) -> ([__m256; 3], __m256i) {
    // SAFETY: the host has the features.
    unsafe {
        let faces = Faces::of(v);
        let [sc, tc, rc] = faces.project(v);
        let half = _mm256_set1_ps(0.5);
        let scale = _mm256_div_ps(half, rc);
        let [s, t] = each!(2, v in [sc, tc] => _mm256_add_ps(_mm256_mul_ps(v, scale), half));
        ([s, t, t], faces.numbers())
    }
}

/// Lengths of the changes `d` of directions, in texels of the first level, squared. The faces are those of the quads'
/// first lanes. See [`super::super::cube::lengths`].
#[inline(always)]
unsafe fn cube_lengths(view: &View, directions: &[__m256; 3], d: &[[__m256; 3]; 2]) -> [__m256; 2] {
    // SAFETY: the host has the features.
    unsafe {
        let [x, y, z] = directions;
        let first =
            [_mm256_permute_ps::<0x00>(*x), _mm256_permute_ps::<0x00>(*y), _mm256_permute_ps::<0x00>(*z)];
        let faces = Faces::of(&first);
        let [sc, tc, rc] = faces.project(&first);
        let scale = _mm256_div_ps(_mm256_set1_ps(0.5), _mm256_mul_ps(rc, rc));
        let size = _mm256_set1_ps(view.level[0].width_f);
        each!(2, d in [&d[0], &d[1]] => {
            let [dsc, dtc, drc] = faces.project(d);
            let [s, t] = each!(2, c in [(sc, dsc), (tc, dtc)] => {
                let change = _mm256_sub_ps(_mm256_mul_ps(rc, c.1), _mm256_mul_ps(c.0, drc));
                let v = _mm256_mul_ps(_mm256_mul_ps(change, scale), size);
                _mm256_mul_ps(v, v)
            });
            _mm256_add_ps(s, t)
        })
    }
}

/// Number of coordinates.
pub const fn coordinates(dim: u8) -> usize {
    if dim == D2 { 2 } else { 3 }
}

/// Number of axes with texels.
pub const fn axes(dim: u8) -> usize {
    if dim == D3 { 3 } else { 2 }
}

/// True for cube maps.
pub const fn is_cube(dim: u8) -> bool {
    dim == CUBE
}
