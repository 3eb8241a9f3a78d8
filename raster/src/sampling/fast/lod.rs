//! Emits lods and footprints in lanes, with the formulas of [`crate::sampling::lod`], operation by operation. Sampling
//! at the levels is left to [`super::sample`].

use std::mem::offset_of;

use quadrille_jit::abi::{ImageArgs, MAX_LEVELS};
use quadrille_jit::ir::{LodMode, Ty};
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::super::lod::{LOG2, RATIO_SLACK};
use super::super::state::{Filter, MAX_SAMPLER_LOD_BIAS};
use super::coords::SIZES_F;
use super::{COORD, FastKey, Group, Lod, clamp, cube, to_int};
use crate::sampling::View;

/// Base-2 logarithm; see [`crate::sampling::lod::log2`].
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

/// Footprint of a pixel; see [`crate::sampling::lod::Footprint`].
pub struct Footprint {
    /// Number of samples (F32).
    pub samples: Lane,
    /// Change of the coordinates along the footprint.
    pub along: Vec<Lane>,
}

/// Lod and, for anisotropic filters, footprint.
pub struct Selection {
    pub lambda: Lane,
    pub footprint: Option<Footprint>,
}

/// Squared lengths, in texels, of changes of the coordinates. `v` is the direction at which the changes apply, for
/// cubes.
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

/// Lod and footprint for changes of the coordinates and their squared lengths; see
/// [`crate::sampling::lod::footprint`].
fn footprint(
    b: &mut LaneBuilder,
    [x, y]: [Lane; 2],
    d: [Vec<Lane>; 2],
    anisotropy: Option<f32>,
) -> (Lane, Option<Footprint>) {
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

/// Bools: each lane's quad has the lanes for differences along x, and along y.
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

/// Differences within quads and, for cubes, the directions at which they apply.
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

/// Sets differences to 0 in quads without the necessary lanes, and returns their squared lengths.
fn without_absent(b: &mut LaneBuilder, g: &Group, v: Option<[Lane; 3]>, d: &mut [Vec<Lane>; 2]) -> [Lane; 2] {
    let there = participation(b, g);
    let zero = b.f32(0.0);
    for (d, there) in d.iter_mut().zip(there) {
        for v in d {
            *v = b.select(there, *v, zero);
        }
    }
    let [x, y] = lengths(b, g, v, d);
    match v {
        // The direction of a missing lane may be 0 or NaN, and then have no lengths.
        Some(_) => [b.select(there[0], x, zero), b.select(there[1], y, zero)],
        None => [x, y],
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
        let squares = without_absent(b, g, v, &mut d);
        return footprint(b, squares, d, anisotropy);
    }
    let squares = lengths(b, g, v, &d);
    let (lod, _) = footprint(b, squares, d.clone(), None);

    // Rare case: some lane of a quad is missing.
    let bits = b.load(Ty::I32, g.args, offset_of!(ImageArgs, quad_mask) as i32);
    let bits = b.ushr(bits, g.first);
    let all = b.u32(0xff);
    let bits = b.and(bits, all);
    let partial = b.icmp(ICmp::Ne, bits, all);
    let result = b.declare(Ty::F32, false);
    b.set(&result, lod);
    b.if_(partial, |b| {
        let squares = without_absent(b, g, v, &mut d);
        let (lod, _) = footprint(b, squares, d, None);
        b.set(&result, lod);
    });
    (b.get(&result), None)
}

/// Computes lambda and the footprint.
pub fn select(b: &mut LaneBuilder, k: &FastKey, g: &Group, l: &Lod, anisotropy: Option<f32>) -> Selection {
    let axes = if k.cube { 3 } else { usize::from(k.axes) };
    let (base, footprint) = match l.mode {
        LodMode::Implicit | LodMode::Bias => implicit(b, k, g, anisotropy),
        LodMode::Grad => {
            let row = |b: &mut LaneBuilder, i| g.row(b, Ty::F32, offset_of!(ImageArgs, grad), i);
            let d = [0, axes].map(|first| (first..first + axes).map(|i| row(b, i)).collect());
            let v = k.cube.then(|| cube::direction(b, g));
            let squares = lengths(b, g, v, &d);
            footprint(b, squares, d, anisotropy)
        }
        LodMode::Explicit => (g.row(b, Ty::F32, offset_of!(ImageArgs, lod), 0), None),
        LodMode::Zero => (b.f32(0.0), None),
    };
    let lambda = biased(b, g, l, base);
    Selection { lambda: clamped(b, g, l, lambda), footprint }
}

/// Level and, for linear filters between levels, weight of the next (F32, multiple of 1/256).
pub fn levels(b: &mut LaneBuilder, g: &Group, lambda: Lane, filter: Filter) -> (Lane, Option<Lane>) {
    // Clamping to the view's levels and then to its minimum lod equals one clamp to both.
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
        Filter::Linear | Filter::Cubic => {
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

/// Adds the bias; see [`crate::sampling::lod::biased`].
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

/// Applies the sampler's clamp; see [`crate::sampling::lod::clamped`].
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
