//! Lod and texel coordinates in lanes: the formulas of [`crate::sampling::lod`] and
//! [`crate::sampling::coords`], operation by operation.

use std::mem::offset_of;

use quadrille_jit::abi::{ImageArgs, MAX_LEVELS};
use quadrille_jit::ir::{LodMode, Ty};
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::super::coords::FAR;
use super::super::lod::{LOG2, RATIO_SLACK};
use super::super::state::{AddressMode, Filter, MAX_SAMPLER_LOD_BIAS};
use super::{COORD, FastKey, Group, Kind, Lod, cube};
use crate::sampling::{LevelInfo, View};

const SIZES_F: [usize; 3] =
    [offset_of!(LevelInfo, width_f), offset_of!(LevelInfo, height_f), offset_of!(LevelInfo, depth_f)];
const SIZES: [usize; 3] =
    [offset_of!(LevelInfo, width), offset_of!(LevelInfo, height), offset_of!(LevelInfo, depth)];

/// `x` clamped; NaN gives `lo`.
pub fn clamp(b: &mut LaneBuilder, x: Lane, lo: Lane, hi: Lane) -> Lane {
    let x = b.fmax(x, lo);
    b.fmin(x, hi)
}

/// See [`crate::sampling::lod::log2`].
pub fn log2(b: &mut LaneBuilder, x: Lane) -> Lane {
    let bits = b.bitcast(x, Ty::I32);
    let (magnitude, mantissa) = (b.u32(0x7fff_ffff), b.u32(0x7f_ffff));
    let (shift, bias, one) = (b.u32(23), b.u32(127), b.u32(0x3f80_0000));
    let bits = b.and(bits, magnitude);
    let e = b.ushr(bits, shift);
    let e = b.isub(e, bias);
    let e = b.s32_to_f32(e);
    let m = b.and(bits, mantissa);
    let m = b.or(m, one);
    let m = b.bitcast(m, Ty::F32);
    let one = b.f32(1.0);
    let t = b.fsub(m, one);
    let c = LOG2.map(|c| b.f32(c));
    let low = b.fmul(c[1], t);
    let low = b.fadd(c[0], low);
    let high = b.fmul(c[3], t);
    let high = b.fadd(c[2], high);
    let square = b.fmul(t, t);
    let high = b.fmul(square, high);
    let r = b.fadd(low, high);
    let r = b.fmul(t, r);
    b.fadd(e, r)
}

/// What a pixel covers; see [`crate::sampling::lod::Footprint`].
pub struct Footprint {
    /// Number of samples (F32).
    pub samples: Lane,
    /// Change of the coordinates along it.
    pub along: Vec<Lane>,
}

/// Lod and, for anisotropic filters, footprint.
pub struct Selection {
    pub lambda: Lane,
    pub footprint: Option<Footprint>,
}

/// Lengths of changes of the coordinates, in texels, squared. `v`: where the changes are, for cubes.
fn lengths(b: &mut LaneBuilder, g: &Group, v: Option<[Lane; 3]>, d: &[Vec<Lane>; 2]) -> [Lane; 2] {
    if let Some(v) = v {
        return cube::lengths(b, g, v, d);
    }
    let level = g.level0(b);
    [0, 1].map(|i| {
        let mut sum: Option<Lane> = None;
        for (axis, &v) in d[i].iter().enumerate() {
            let size = b.load(Ty::F32, level, SIZES_F[axis] as i32);
            let v = b.fmul(v, size);
            let square = b.fmul(v, v);
            sum = Some(sum.map_or(square, |s| b.fadd(s, square)));
        }
        sum.unwrap_or_else(|| b.f32(0.0))
    })
}

/// Lod and footprint of changes of the coordinates. See [`crate::sampling::lod::footprint`].
fn footprint(
    b: &mut LaneBuilder,
    g: &Group,
    v: Option<[Lane; 3]>,
    d: [Vec<Lane>; 2],
    anisotropy: Option<f32>,
) -> (Lane, Option<Footprint>) {
    let [x, y] = lengths(b, g, v, &d);
    let half = b.f32(0.5);
    let long = b.fmax(x, y);
    let l = log2(b, long);
    let Some(max) = anisotropy else { return (b.fmul(half, l), None) };
    let along_x = b.fcmp(FCmp::OrdGt, x, y);
    let short = b.select(along_x, y, x);
    let square = b.fdiv(long, short);
    let (one, most) = (b.f32(1.0), b.f32(max * max));
    let square = clamp(b, square, one, most);
    let (slack, most) = (b.f32(RATIO_SLACK), b.f32(max.ceil()));
    let n = b.sqrt(square);
    let n = b.fsub(n, slack);
    let n = b.ceil(n);
    let samples = clamp(b, n, one, most);
    let less = log2(b, square);
    let l = b.fsub(l, less);
    let [dx, dy] = d;
    let along = dx.into_iter().zip(dy).map(|(x, y)| b.select(along_x, x, y)).collect();
    (b.fmul(half, l), Some(Footprint { samples, along }))
}

/// Whether each lane's quad can form differences along x and along y.
fn participation(b: &mut LaneBuilder, g: &Group) -> [Lane; 2] {
    let bits = b.load(Ty::I32, g.args, offset_of!(ImageArgs, quad_mask) as i32);
    let bits = b.ushr(bits, g.first);
    let there = b.mask_from_bits(bits);
    let there0 = b.quad_swizzle(there, [0; 4]);
    [1, 2].map(|i| {
        let there = b.quad_swizzle(there, [i; 4]);
        b.and(there, there0)
    })
}

/// Differences within quads, and for cubes where they are.
fn differences(b: &mut LaneBuilder, k: &FastKey, g: &Group) -> (Option<[Lane; 3]>, [Vec<Lane>; 2]) {
    let mut d = [Vec::new(), Vec::new()];
    let mut origins = Vec::new();
    for axis in 0..if k.cube { 3 } else { usize::from(k.axes) } {
        let c = g.row(b, Ty::F32, COORD, axis);
        let origin = b.quad_swizzle(c, [0; 4]);
        for (i, d) in d.iter_mut().enumerate() {
            let to = b.quad_swizzle(c, [i as u8 + 1; 4]);
            d.push(b.fsub(to, origin));
        }
        origins.push(origin);
    }
    (k.cube.then(|| [origins[0], origins[1], origins[2]]), d)
}

/// Differences set to 0 where a lane takes no part.
fn without_absent(b: &mut LaneBuilder, g: &Group, d: &mut [Vec<Lane>; 2]) {
    let there = participation(b, g);
    for (d, there) in d.iter_mut().zip(there) {
        let zero = b.f32(0.0);
        for v in d {
            *v = b.select(there, *v, zero);
        }
    }
}

fn implicit(
    b: &mut LaneBuilder,
    k: &FastKey,
    g: &Group,
    anisotropy: Option<f32>,
) -> (Lane, Option<Footprint>) {
    let (v, mut d) = differences(b, k, g);
    if k.cube || anisotropy.is_some() {
        without_absent(b, g, &mut d);
        return footprint(b, g, v, d, anisotropy);
    }
    let (lod, _) = footprint(b, g, v, d.clone(), None);

    // Seldom: some lane takes no part.
    let bits = b.load(Ty::I32, g.args, offset_of!(ImageArgs, quad_mask) as i32);
    let bits = b.ushr(bits, g.first);
    let all = b.u32(0xff);
    let bits = b.and(bits, all);
    let partial = b.icmp(ICmp::Ne, bits, all);
    let result = b.declare(Ty::F32, false);
    b.set(&result, lod);
    b.if_(partial, |b| {
        without_absent(b, g, &mut d);
        let (lod, _) = footprint(b, g, v, d, None);
        b.set(&result, lod);
    });
    (b.get(&result), None)
}

/// lambda and footprint.
pub fn select(b: &mut LaneBuilder, k: &FastKey, g: &Group, l: &Lod, anisotropy: Option<f32>) -> Selection {
    let axes = if k.cube { 3 } else { usize::from(k.axes) };
    let (base, footprint) = match l.mode {
        LodMode::Implicit | LodMode::Bias => implicit(b, k, g, anisotropy),
        LodMode::Grad => {
            let row = |b: &mut LaneBuilder, i| g.row(b, Ty::F32, offset_of!(ImageArgs, grad), i);
            let d = [0, axes].map(|first| (first..first + axes).map(|i| row(b, i)).collect());
            let v = k.cube.then(|| cube::direction(b, g));
            footprint(b, g, v, d, anisotropy)
        }
        LodMode::Explicit => (g.row(b, Ty::F32, offset_of!(ImageArgs, lod), 0), None),
        LodMode::Zero => (b.f32(0.0), None),
    };
    let lambda = biased(b, g, l, base);
    Selection { lambda: clamped(b, g, l, lambda), footprint }
}

/// Level and, for linear filters between levels, weight of the next (F32, multiple of 1/256).
pub fn levels(b: &mut LaneBuilder, g: &Group, lambda: Lane, filter: Filter) -> (Lane, Option<Lane>) {
    // Clamping to the levels of the view and then to its least lod is clamping to both at once.
    let n = g.levels(b);
    let one = b.u32(1);
    let last = b.isub(n, one);
    let q = b.s32_to_f32(last);
    let zero = b.f32(0.0);
    let view_min = b.load(Ty::F32, g.view, offset_of!(View, min_lod) as i32);
    let lo = clamp(b, view_min, zero, q);
    let d = clamp(b, lambda, lo, q);
    let half = b.f32(0.5);
    match filter {
        Filter::Nearest => {
            let l = b.fadd(d, half);
            let l = b.ceil(l);
            let one = b.f32(1.0);
            let l = b.fsub(l, one);
            (to_int(b, l), None)
        }
        Filter::Linear => {
            let fine = b.floor(d);
            let fraction = b.fsub(d, fine);
            let (scale, inverse) = (b.f32(256.0), b.f32(1.0 / 256.0));
            let w = b.fmul(fraction, scale);
            let w = b.fadd(w, half);
            let w = b.floor(w);
            let w = b.fmul(w, inverse);
            let w = b.splat(w);
            (to_int(b, fine), Some(w))
        }
    }
}

/// See [`crate::sampling::lod::biased`].
fn biased(b: &mut LaneBuilder, g: &Group, l: &Lod, base: Lane) -> Lane {
    if l.mode != LodMode::Bias && f32::from_bits(l.lod_bias) == 0.0 {
        return base;
    }
    let (least, most) = (b.f32(-MAX_SAMPLER_LOD_BIAS), b.f32(MAX_SAMPLER_LOD_BIAS));
    let mut bias = b.f32(f32::from_bits(l.lod_bias));
    if l.mode == LodMode::Bias {
        let given = g.row(b, Ty::F32, offset_of!(ImageArgs, lod), 0);
        bias = b.fadd(bias, given);
    }
    let bias = clamp(b, bias, least, most);
    b.fadd(base, bias)
}

/// See [`crate::sampling::lod::clamped`].
fn clamped(b: &mut LaneBuilder, g: &Group, l: &Lod, lambda: Lane) -> Lane {
    let (least, most) = (f32::from_bits(l.min_lod), f32::from_bits(l.max_lod));
    // No view has a level above 16.
    if least == 0.0 && most >= MAX_LEVELS as f32 && !l.min_lod_argument {
        return lambda;
    }
    let mut lo = b.f32(least);
    if l.min_lod_argument {
        let given = g.row(b, Ty::F32, offset_of!(ImageArgs, min_lod), 0);
        lo = b.fmax(given, lo);
    }
    let hi = b.f32(most);
    clamp(b, lambda, lo, hi)
}

/// A float that is an integer in range, in lanes.
pub fn to_int(b: &mut LaneBuilder, x: Lane) -> Lane {
    let x = b.splat(x);
    b.f32_to_s32_in_range(x)
}

/// Unnormalized coordinate along an axis. See [`crate::sampling::coords::unnormalize`].
fn unnormalize(b: &mut LaneBuilder, mode: AddressMode, s: Lane, size: Lane, in_texels: bool) -> Lane {
    let (zero, two) = (b.f32(0.0), b.f32(2.0));
    match mode {
        AddressMode::Repeat => {
            let whole = b.floor(s);
            let f = b.fsub(s, whole);
            // At most 1, or NaN.
            let f = b.fmax(f, zero);
            b.fmul(f, size)
        }
        AddressMode::MirroredRepeat => {
            let half = b.f32(0.5);
            let f = b.fmul(s, half);
            let f = b.floor(f);
            let f = b.fmul(f, two);
            let f = b.fsub(s, f);
            let f = b.fmax(f, zero);
            b.fmul(f, size)
        }
        _ => {
            let u = if in_texels { s } else { b.fmul(s, size) };
            let far = b.f32(FAR);
            let lo = b.fneg(size);
            let lo = b.fsub(lo, far);
            let hi = b.fadd(size, size);
            let hi = b.fadd(hi, far);
            clamp(b, u, lo, hi)
        }
    }
}

/// What is added before 1/256 of a texel are cut off. See [`crate::sampling::coords::gathered`].
fn rounding(k: &FastKey) -> f32 {
    if matches!(k.kind, Kind::Gather { .. }) { 0.0 } else { 0.5 }
}

/// First texel, not wrapped, and weight of the second in 1/256 of an unnormalized coordinate.
fn first_texel(
    b: &mut LaneBuilder,
    mode: AddressMode,
    u: Lane,
    filter: Filter,
    round: f32,
) -> (Lane, Option<Lane>) {
    if filter == Filter::Nearest {
        let u = if is_positive(mode) { u } else { b.floor(u) };
        return (to_int(b, u), None);
    }
    let (scale, round) = (b.f32(256.0), b.f32(round));
    let c = b.fmul(u, scale);
    let c = b.fadd(c, round);
    let c = if is_positive(mode) { c } else { b.floor(c) };
    let c = to_int(b, c);
    split(b, c)
}

/// Texel and weight of a coordinate in 1/256 of a texel.
fn split(b: &mut LaneBuilder, c: Lane) -> (Lane, Option<Lane>) {
    let middle = b.u32(128);
    let c = b.isub(c, middle);
    let (eight, low) = (b.u32(8), b.u32(255));
    let i = b.sshr(c, eight);
    (i, Some(b.and(c, low)))
}

/// [`first_texel`] of a normalized coordinate that repeats over a power of two of texels: any integer
/// will do whose low bits are right, for it is masked afterwards. Conversion gives NaN low bits of 0.
fn repeat_pow2(b: &mut LaneBuilder, s: Lane, size: Lane, filter: Filter, round: f32) -> (Lane, Option<Lane>) {
    let whole = b.floor(s);
    let f = b.fsub(s, whole);
    if filter == Filter::Nearest {
        let u = b.fmul(f, size);
        return (to_int(b, u), None);
    }
    let (scale, round) = (b.f32(256.0), b.f32(round));
    let scale = b.fmul(size, scale);
    let c = b.fmul(f, scale);
    let c = b.fadd(c, round);
    let c = to_int(b, c);
    split(b, c)
}

/// [`first_texel`] of a normalized coordinate, clamped as a float, so that the first texel is inside and
/// a linear filter has a weight of 0 where both its texels would be the same. Cubes note the lanes that
/// cross an edge.
fn clamp_to_edge(
    b: &mut LaneBuilder,
    g: &Group,
    s: Lane,
    size: Lane,
    last: Lane,
    filter: Filter,
) -> (Lane, Option<Lane>) {
    let one = b.f32(1.0);
    if filter == Filter::Nearest {
        let u = b.fmul(s, size);
        let (zero, most) = (b.f32(0.0), b.fsub(size, one));
        let u = clamp(b, u, zero, most);
        return (to_int(b, u), None);
    }
    let (scale, half, middle) = (b.f32(256.0), b.f32(0.5), b.f32(128.0));
    let size = b.fmul(size, scale);
    let c = b.fmul(s, size);
    let most = b.fsub(size, middle);
    let inside = clamp(b, c, middle, most);
    let fixed = b.fadd(inside, half);
    let fixed = to_int(b, fixed);
    let (i, w) = split(b, fixed);
    if g.cube.is_some() {
        let before = b.fcmp(FCmp::UnordLt, c, middle);
        let after = b.icmp(ICmp::Eq, i, last);
        let out = b.or(before, after);
        cube::note_edges(b, g, out);
    }
    (i, w)
}

/// True for modes whose unnormalized coordinates are never negative.
fn is_positive(mode: AddressMode) -> bool {
    matches!(mode, AddressMode::Repeat | AddressMode::MirroredRepeat)
}

/// Which texel of a filter a coordinate is; says how far it can lie outside in repeating modes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Of a nearest filter: 0 to the size.
    Only,
    /// First of a linear filter: -1 to the last.
    First,
    /// Second of a linear filter: 0 to the size.
    Second,
}

/// Texel of a coordinate that is at most one step outside (repeating modes) or anywhere (others),
/// and whether it is inside (borders only).
fn wrap(
    b: &mut LaneBuilder,
    mode: AddressMode,
    place: Place,
    i: Lane,
    size: Lane,
    last: Lane,
) -> (Lane, Option<Lane>) {
    let zero = b.u32(0);
    match mode {
        AddressMode::Repeat if place == Place::First => (b.umin(i, last), None),
        AddressMode::Repeat => {
            let past = b.icmp(ICmp::Eq, i, size);
            (b.select(past, zero, i), None)
        }
        AddressMode::MirroredRepeat => {
            let twice = b.iadd(size, last);
            let back = b.isub(twice, i);
            let i = b.smin(i, back);
            (b.smax(i, zero), None)
        }
        AddressMode::ClampToEdge => {
            let i = b.smax(i, zero);
            (b.smin(i, last), None)
        }
        AddressMode::ClampToBorder => {
            let inside = b.icmp(ICmp::Ult, i, size);
            let i = b.smax(i, zero);
            (b.smin(i, last), Some(inside))
        }
        AddressMode::MirrorClampToEdge => {
            let n = b.u32(31);
            let sign = b.sshr(i, n);
            let i = b.xor(i, sign);
            (b.smin(i, last), None)
        }
    }
}

/// A wrapped texel coordinate, scaled to bytes.
#[derive(Clone, Copy)]
pub struct Step {
    pub offset: Lane,
    pub inside: Option<Lane>,
}

/// Texels along one axis: one or, with a weight for the second, two.
pub struct Axis {
    pub steps: Vec<Step>,
    /// F32, a multiple of 1/256.
    pub weight: Option<Lane>,
    /// The same in units of 1/256, as I32.
    pub weight_fixed: Option<Lane>,
    /// Along x, where a texel and the next can be loaded at once: Bool, the second texel is another.
    pub apart: Option<Lane>,
}

/// Texels along an axis of a uniform level.
pub fn axis(
    b: &mut LaneBuilder,
    k: &FastKey,
    g: &Group,
    level: Lane,
    n: usize,
    mode: AddressMode,
    filter: Filter,
) -> Axis {
    let s = match &g.cube {
        Some(c) => c.c[n],
        None => g.coord(b, n),
    };
    let size_f = b.load(Ty::F32, level, SIZES_F[n] as i32);
    let size = b.load(Ty::I32, level, SIZES[n] as i32);
    let size = b.splat(size);
    let masked = k.pow2 && mode == AddressMode::Repeat;
    let clamped = mode == AddressMode::ClampToEdge
        && !k.offset
        && !k.is_unnormalized()
        && (filter == Filter::Nearest || k.ignores_weightless());
    let one = b.u32(1);
    let last = b.isub(size, one);
    let (first, weight_fixed) = if masked {
        repeat_pow2(b, s, size_f, filter, rounding(k))
    } else if clamped {
        clamp_to_edge(b, g, s, size_f, last, filter)
    } else {
        let u = unnormalize(b, mode, s, size_f, k.is_unnormalized());
        first_texel(b, mode, u, filter, rounding(k))
    };
    let weight = weight_fixed.map(|w| {
        let w = b.s32_to_f32(w);
        let inverse = b.f32(1.0 / 256.0);
        b.fmul(w, inverse)
    });
    let first = if k.offset {
        let o = g.row(b, Ty::I32, offset_of!(ImageArgs, offset), n);
        b.iadd(first, o)
    } else {
        first
    };
    let mut texels = vec![(first, if weight.is_some() { Place::First } else { Place::Only })];
    if weight.is_some() {
        let one = b.u32(1);
        texels.push((b.iadd(first, one), Place::Second));
    }
    if g.cube.is_some() && filter == Filter::Linear && !clamped {
        let out = b.icmp(ICmp::Uge, first, last);
        cube::note_edges(b, g, out);
    }
    let wrapped: Vec<(Lane, Option<Lane>)> = texels
        .into_iter()
        .map(|(i, place)| {
            if masked {
                (b.and(i, last), None)
            } else if clamped {
                (if place == Place::Second { b.smin(i, last) } else { i }, None)
            } else {
                wrap(b, mode, place, i, size, last)
            }
        })
        .collect();
    let apart = (n == 0 && is_paired(k, mode, filter)).then(|| {
        let at_first = wrapped[0].0;
        if masked || clamped { b.icmp(ICmp::Eq, at_first, last) } else { b.icmp(ICmp::Uge, first, last) }
    });
    let pitch = match n {
        0 => None,
        1 => Some(b.load(Ty::I32, level, offset_of!(LevelInfo, row_pitch) as i32)),
        _ => Some(b.load(Ty::I32, level, offset_of!(LevelInfo, slice_pitch) as i32)),
    };
    let steps = wrapped
        .into_iter()
        .map(|(i, inside)| {
            let offset = match pitch {
                Some(pitch) => b.imul(i, pitch),
                None if k.info().bytes == 1 => i,
                None if k.info().bytes.is_power_of_two() => {
                    let shift = b.u32(k.info().bytes.trailing_zeros());
                    b.shl(i, shift)
                }
                None => {
                    let bytes = b.u32(k.info().bytes);
                    b.imul(i, bytes)
                }
            };
            Step { offset, inside }
        })
        .collect();
    Axis { steps, weight, weight_fixed, apart }
}

/// Both texels along x of a linear filter are mostly neighbours. Loading the neighbour of the last texel
/// reads the next row or the image's padding.
fn is_paired(k: &FastKey, mode: AddressMode, filter: Filter) -> bool {
    use AddressMode::*;
    matches!(k.info().bytes, 4 | 8)
        && filter == Filter::Linear
        && matches!(mode, Repeat | ClampToEdge | ClampToBorder)
}

/// First texel, which may be outside, and weight of the second of a linear filter on a cube's face.
pub fn cube_axis(b: &mut LaneBuilder, g: &Group, level: Lane, n: usize) -> (Lane, Lane) {
    let s = g.coord(b, n);
    let s = g.cube.map_or(s, |c| c.c[n]);
    let size = b.load(Ty::F32, level, SIZES_F[n] as i32);
    let u = unnormalize(b, AddressMode::ClampToEdge, s, size, false);
    let (i, w) = first_texel(b, AddressMode::ClampToEdge, u, Filter::Linear, 0.5);
    let w = w.unwrap_or_else(|| b.u32(0));
    let w = b.s32_to_f32(w);
    let inverse = b.f32(1.0 / 256.0);
    (i, b.fmul(w, inverse))
}

/// Byte offsets of the lanes' array layers or faces, if the view has any.
pub fn slice(b: &mut LaneBuilder, k: &FastKey, g: &Group) -> Option<Lane> {
    match &g.cube {
        Some(c) => Some(c.slice),
        None => k.arrayed.then(|| layer(b, k, g)),
    }
}

fn layer(b: &mut LaneBuilder, k: &FastKey, g: &Group) -> Lane {
    let a = g.row(b, Ty::F32, COORD, usize::from(k.axes));
    let a = b.nearest(a);
    let n = b.load(Ty::I32, g.view, offset_of!(View, slices) as i32);
    let one = b.u32(1);
    let last = b.isub(n, one);
    let last = b.s32_to_f32(last);
    let zero = b.f32(0.0);
    let a = clamp(b, a, zero, last);
    let i = to_int(b, a);
    let pitch = b.load(Ty::I32, g.view, offset_of!(View, layer_pitch) as i32);
    b.imul(i, pitch)
}

/// `dref op depth` as a Bool; with a NaN only NotEqual and Always hold.
pub fn compare(b: &mut LaneBuilder, op: super::super::state::CompareOp, dref: Lane, depth: Lane) -> Lane {
    use super::super::state::CompareOp as C;
    let cc = match op {
        C::Never => return b.bool(false),
        C::Always => return b.bool(true),
        C::Less => FCmp::OrdLt,
        C::Equal => FCmp::OrdEq,
        C::LessOrEqual => FCmp::OrdLe,
        C::Greater => FCmp::OrdGt,
        C::NotEqual => FCmp::UnordNe,
        C::GreaterOrEqual => FCmp::OrdGe,
    };
    b.fcmp(cc, dref, depth)
}
