//! Lod, texels along axes, faces of cubes on eight lanes, with the formulas of [`crate::sampling::fast::coords`] and
//! [`crate::sampling::fast::cube`], operation by operation. Loading the texels is left to [`super::texels`].

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
/// The host must have the features that [`super::is_able`] checks. `args` must point to valid arguments, advanced by 4
/// bytes per lane to a round that starts at a multiple of eight lanes. `field` must be the offset of an array of more
/// than `i` rows.
#[inline(always)]
pub unsafe fn row(args: *const ImageArgs, field: usize, i: usize) -> __m256 {
    // SAFETY: the caller promises a row of the arguments and a round inside it. The loads are aligned to 16 bytes:
    // `ImageArgs` is aligned to 64 bytes, and its rows and the rounds in them begin at multiples of 32 bytes.
    unsafe {
        let at = args.cast::<u8>().add(super::super::row_at(field, i) as usize).cast::<__m128>();
        // The caller has just stored the row in halves. A load of both halves at once could not be forwarded from the
        // store buffer. The volatile loads keep the compiler from merging them.
        _mm256_set_m128(at.add(1).read_volatile(), at.read_volatile())
    }
}

/// All ones in the lanes of the set bits.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn lanes_of(bits: u32) -> __m256 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        let bits = _mm256_and_si256(_mm256_set1_epi32(bits as i32), lane);
        _mm256_castsi256_ps(_mm256_cmpeq_epi32(bits, lane))
    }
}

/// Clamps `x`; NaN gives `lo`.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn clamp(x: __m256, lo: __m256, hi: __m256) -> __m256 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm256_min_ps(_mm256_max_ps(x, lo), hi) }
}

/// `a + (b - a) * w`.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn mix(a: __m256, b: __m256, w: __m256) -> __m256 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm256_add_ps(a, _mm256_mul_ps(_mm256_sub_ps(b, a), w)) }
}

/// Texels along an axis: one, or two with the weight of the second in 1/256.
#[derive(Clone, Copy)]
pub struct Axis {
    pub first: __m256i,
    pub second: __m256i,
    pub weight: __m256i,
    /// Lanes whose filter uses a texel beyond an edge, for modes that clamp.
    pub crosses: __m256i,
}

impl Axis {
    /// The single texel of a nearest filter.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    unsafe fn one(i: __m256i) -> Axis {
        // SAFETY: the caller promises the host features; the instructions access no memory.
        let zero = unsafe { _mm256_setzero_si256() };
        Axis { first: i, second: i, weight: zero, crosses: zero }
    }
}

/// Wraps the texel after the last to texel 0.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn around(i: __m256i, size: i32) -> __m256i {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe { _mm256_andnot_si256(_mm256_cmpeq_epi32(i, _mm256_set1_epi32(size)), i) }
}

/// Amount added before coordinates are truncated to 1/256 of a texel: filters round.
pub const ROUND: f32 = 0.5;
/// Gathers truncate; see [`crate::sampling::coords::gathered`].
pub const CUT: f32 = 0.0;

/// Texels along an axis, moved by `offset`, which only [`Address::Clamp`] supports. All texels are inside the image.
/// See [`super::super::coords::axis`].
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn axis<const LINEAR: bool>(
    mode: Address,
    s: __m256,
    size_f: f32,
    size: u32,
    round: f32,
    offset: Option<__m256i>,
) -> Axis {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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
                    // Unsigned `i >= last`.
                    crosses: _mm256_cmpeq_epi32(least, i),
                }
            }
        }
    }
}

/// Texel offsets of the lanes along axis `i`.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
pub unsafe fn offset(args: *const ImageArgs, i: usize) -> __m256i {
    // SAFETY: the caller promises the host features, and arguments as `row` requires.
    unsafe { _mm256_castps_si256(row(args, offset_of!(ImageArgs, offset), i)) }
}

/// Byte offsets of the lanes' array layers.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
pub unsafe fn layer(args: *const ImageArgs, view: &View, axes: usize) -> __m256i {
    // SAFETY: the caller promises the host features, and arguments as `row` requires.
    unsafe {
        let a = { row(args, COORD, axes) };
        let a = _mm256_round_ps::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(a);
        let last = _mm256_set1_ps((view.slices as i32 - 1) as f32);
        let i = _mm256_cvttps_epi32(clamp(a, _mm256_setzero_ps(), last));
        _mm256_mullo_epi32(i, _mm256_set1_epi32(view.layer_pitch as i32))
    }
}

/// Base-2 logarithm; see [`crate::sampling::lod::log2`].
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn log2(x: __m256) -> __m256 {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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

/// Changes of the coordinates along x and along y in quads; 0 where a necessary lane is missing.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn differences<const DIM: u8>(quads: u32, c: &[__m256; 3]) -> [[__m256; 3]; 2] {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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

/// Squared lengths of changes of the coordinates, in texels of the first level.
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn lengths<const DIM: u8>(view: &View, d: &[[__m256; 3]; 2]) -> [__m256; 2] {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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

/// Applies the sampler's bias and clamp to the lod `base`.
///
/// # Safety
/// As for [`row`].
#[inline(always)]
unsafe fn clamped(rows: *const ImageArgs, l: &Lod, base: __m256) -> __m256 {
    // SAFETY: the caller promises the host features, and arguments as `row` requires.
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

/// Computes lambda; see [`super::super::lod::select`]. `quads` are the lanes that take part in derivatives; `c` are the
/// coordinates, which are unused for cubes.
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
    // SAFETY: the caller promises the host features, and arguments as `row` requires.
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

/// Footprint of pixels in two dimensions; see [`crate::sampling::lod::Footprint`].
pub struct Footprint {
    pub lambda: __m256,
    /// Number of samples.
    pub samples: __m256,
    /// Change of the coordinates along the footprint.
    pub along: [__m256; 2],
}

/// Computes footprints of at most `most` samples; see [`crate::sampling::lod::footprint`].
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
    // SAFETY: the caller promises the host features, and arguments as `row` requires.
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

/// Level, and weight of the next level; see [`super::super::lod::levels`].
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn levels(view: &View, lambda: __m256, filter: Filter) -> (__m256i, __m256) {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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

/// The faces that directions select; see [`super::super::cube`].
pub struct Faces {
    z_major: __m256,
    /// False where `z_major`.
    y_major: __m256,
    negative: __m256,
    /// Sign bit in negative lanes.
    sign: __m256,
}

impl Faces {
    /// Selects the faces of directions.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    unsafe fn of([x, y, z]: &[__m256; 3]) -> Faces {
        // SAFETY: the caller promises the host features; the instructions access no memory.
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

    /// Components (sc, tc, rc) of vectors for the faces.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    unsafe fn project(&self, [x, y, z]: &[__m256; 3]) -> [__m256; 3] {
        // SAFETY: the caller promises the host features; the instructions access no memory.
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

    /// Indices of the faces.
    ///
    /// # Safety
    /// The host must have the features that [`super::is_able`] checks.
    #[inline(always)]
    unsafe fn numbers(&self) -> __m256i {
        // SAFETY: the caller promises the host features; the instructions access no memory.
        unsafe {
            let two = _mm256_and_si256(_mm256_castps_si256(self.y_major), _mm256_set1_epi32(2));
            let four = _mm256_and_si256(_mm256_castps_si256(self.z_major), _mm256_set1_epi32(4));
            _mm256_sub_epi32(_mm256_or_si256(two, four), _mm256_castps_si256(self.negative))
        }
    }
}

/// The faces that directions select, and coordinates on them; see [`super::super::cube::prepare`].
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
pub unsafe fn face(v: &[__m256; 3]) -> ([__m256; 3], __m256i) {
    // SAFETY: the caller promises the host features; the instructions access no memory.
    unsafe {
        let faces = Faces::of(v);
        let [sc, tc, rc] = faces.project(v);
        let half = _mm256_set1_ps(0.5);
        let scale = _mm256_div_ps(half, rc);
        let [s, t] = each!(2, v in [sc, tc] => _mm256_add_ps(_mm256_mul_ps(v, scale), half));
        ([s, t, t], faces.numbers())
    }
}

/// Squared lengths of changes `d` of directions, in texels of the first level. The faces are those of the first lane in
/// each quad. See [`super::super::cube::lengths`].
///
/// # Safety
/// The host must have the features that [`super::is_able`] checks.
#[inline(always)]
unsafe fn cube_lengths(view: &View, directions: &[__m256; 3], d: &[[__m256; 3]; 2]) -> [__m256; 2] {
    // SAFETY: the caller promises the host features; the instructions access no memory.
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
