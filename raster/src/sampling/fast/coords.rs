//! Emits texel coordinates in lanes, with the formulas of [`crate::sampling::coords`], operation by operation. Loading
//! the texels is left to [`super::texel`].

use std::mem::offset_of;

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::super::coords::FAR;
use super::super::state::{AddressMode, Filter};
use super::{COORD, FastKey, Group, Kind, clamp, cube, to_int};
use crate::sampling::{LevelInfo, View};

pub(super) const SIZES_F: [usize; 3] =
    [offset_of!(LevelInfo, width_f), offset_of!(LevelInfo, height_f), offset_of!(LevelInfo, depth_f)];
const SIZES: [usize; 3] =
    [offset_of!(LevelInfo, width), offset_of!(LevelInfo, height), offset_of!(LevelInfo, depth)];

/// Unnormalized coordinate along an axis; see [`crate::sampling::coords::unnormalize`].
fn unnormalize(b: &mut LaneBuilder, mode: AddressMode, s: Lane, size: Lane, in_texels: bool) -> Lane {
    let (zero, two) = (b.f32(0.0), b.f32(2.0));
    match mode {
        AddressMode::Repeat => {
            let whole = b.floor(s);
            let f = b.fsub(s, whole);
            // The fraction is at most 1, or NaN.
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

/// Amount added before coordinates are truncated to 1/256 of a texel; see [`crate::sampling::coords::gathered`].
fn rounding(k: &FastKey) -> f32 {
    if matches!(k.kind, Kind::Gather { .. }) { 0.0 } else { 0.5 }
}

/// First texel, not wrapped, of an unnormalized coordinate, and weight of the second in 1/256.
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

/// Splits a coordinate in 1/256 of a texel into texel and weight.
fn split(b: &mut LaneBuilder, c: Lane) -> (Lane, Option<Lane>) {
    let middle = b.u32(128);
    let c = b.isub(c, middle);
    let (eight, low) = (b.u32(8), b.u32(255));
    let i = b.sshr(c, eight);
    (i, Some(b.and(c, low)))
}

/// Like [`first_texel`], for a normalized coordinate that repeats over a power of two of texels. Any integer with
/// correct low bits suffices, because the caller masks it. NaN converts to low bits of 0.
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

/// Like [`first_texel`], for a normalized coordinate that is clamped as a float. The first texel is inside, and a
/// linear filter has weight 0 where both texels would be equal. Cubes note the lanes whose filter crosses an edge.
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

/// True for address modes whose unnormalized coordinates are never negative.
fn is_positive(mode: AddressMode) -> bool {
    matches!(mode, AddressMode::Repeat | AddressMode::MirroredRepeat)
}

/// Position of a texel in a filter, which limits how far its coordinate can lie outside in repeating modes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The texel of a nearest filter: 0 to the size.
    Only,
    /// First texel of a linear filter: -1 to the last texel.
    First,
    /// Second texel of a linear filter: 0 to the size.
    Second,
}

/// Wraps a texel coordinate, which is at most one step outside in repeating modes. With a border, also returns whether
/// the texel is inside.
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

/// A wrapped texel coordinate, as a byte offset.
#[derive(Clone, Copy)]
pub struct Step {
    pub offset: Lane,
    pub inside: Option<Lane>,
}

/// Texels along one axis: one, or two with a weight for the second.
pub struct Axis {
    pub steps: Vec<Step>,
    /// Weight of the second texel as F32, a multiple of 1/256.
    pub weight: Option<Lane>,
    /// Weight of the second texel as I32, in units of 1/256.
    pub weight_fixed: Option<Lane>,
    /// If a texel and its neighbour along x can be loaded at once: a Bool, true in lanes whose second texel is not that
    /// neighbour.
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
    Axis { steps: steps(b, k, level, n, wrapped), weight, weight_fixed, apart }
}

/// Byte offsets of texels along axis `n`, each with the lanes in which it is inside the image, if that varies.
fn steps(
    b: &mut LaneBuilder,
    k: &FastKey,
    level: Lane,
    n: usize,
    texels: Vec<(Lane, Option<Lane>)>,
) -> Vec<Step> {
    let pitch = match n {
        0 => None,
        1 => Some(b.load(Ty::I32, level, offset_of!(LevelInfo, row_pitch) as i32)),
        _ => Some(b.load(Ty::I32, level, offset_of!(LevelInfo, slice_pitch) as i32)),
    };
    let step = |(i, inside)| {
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
    };
    texels.into_iter().map(step).collect()
}

/// True if both texels along x of a linear filter are usually neighbours. Loading the neighbour of the last texel reads
/// the next row or the image's padding.
fn is_paired(k: &FastKey, mode: AddressMode, filter: Filter) -> bool {
    use AddressMode::*;
    matches!(k.info().bytes, 4 | 8)
        && filter == Filter::Linear
        && matches!(mode, Repeat | ClampToEdge | ClampToBorder)
}

/// First texel of a linear filter on a cube's face, which may be outside, and weight of the second.
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

/// Byte offsets of the lanes' array layers or faces, if the view has layers or faces.
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
