//! Texels along axes, and properties of levels, with the formulas of [`crate::sampling::fast::coords`], operation by
//! operation. Loading the texels is left to [`super::texels`].

use super::super::super::coords::FAR;
use super::Address;
use super::host::{I8, Vectors, clamp};
use crate::sampling::{LevelInfo, View};

/// Properties of the level of each slot.
#[derive(Clone, Copy)]
pub struct Levels<W: Vectors> {
    pub width: W::F,
    pub height: W::F,
    pub depth: W::F,
    pub row_pitch: W::I,
    pub slice_pitch: W::I,
    /// Byte offset of the level's first texel.
    pub offset: W::I,
    /// `true` if the lanes of each half share one level.
    pub uniform: bool,
    /// Pitches of the level of each half, if it is uniform.
    pub row_pitches: [usize; 2],
    pub slice_pitches: [usize; 2],
}

impl<W: Vectors> Levels<W> {
    /// One level in all slots.
    #[inline(always)]
    pub fn one(h: W, l: &LevelInfo) -> Self {
        Levels {
            width: h.f(l.width_f),
            height: h.f(l.height_f),
            depth: h.f(l.depth_f),
            row_pitch: h.i(l.row_pitch as i32),
            slice_pitch: h.i(l.slice_pitch as i32),
            offset: h.i(l.offset as i32),
            uniform: true,
            row_pitches: [l.row_pitch as usize; 2],
            slice_pitches: [l.slice_pitch as usize; 2],
        }
    }

    /// The levels `at` of the lanes in the first half, `next` in the second.
    #[inline(always)]
    pub fn of(h: W, view: &View, at: I8, next: I8) -> Self {
        let eight = h.eight();
        let first = eight.first(at);
        let uniform = eight.bits(eight.eq(at, eight.i(first as i32))) == 0xff;
        if W::HALVES == 1 && uniform {
            return Levels::one(h, &view.level[first as usize & 15]);
        }
        let t = &view.by_level;
        let [first, second] = [first as usize & 15, eight.first(next) as usize & 15];
        let at = h.join_i(at, next);
        let [width, height, depth] = each!(3, t in [&t.width, &t.height, &t.depth] =>
            h.as_f(h.look_up(bytemuck::cast_ref(t), at)));
        Levels {
            width,
            height,
            depth,
            row_pitch: h.look_up(&t.row_pitch, at),
            slice_pitch: h.look_up(&t.slice_pitch, at),
            offset: h.look_up(&t.offset, at),
            uniform,
            row_pitches: [t.row_pitch[first] as usize, t.row_pitch[second] as usize],
            slice_pitches: [t.slice_pitch[first] as usize, t.slice_pitch[second] as usize],
        }
    }
}

/// Texels along an axis: one, or two with the weight of the second in 1/256.
pub struct Axis<W: Vectors> {
    pub first: W::I,
    pub second: W::I,
    pub weight: W::I,
    /// Slots whose second texel is not the neighbour after the first.
    pub edge: W::M,
    /// Slots whose filter uses a texel beyond an edge, for modes that clamp.
    pub crosses: W::M,
}

impl<W: Vectors> Axis<W> {
    /// The single texel of a nearest filter.
    #[inline(always)]
    fn one(h: W, i: W::I) -> Self {
        Axis { first: i, second: i, weight: h.i(0), edge: h.none(), crosses: h.none() }
    }
}

/// Amount added before coordinates are truncated to 1/256 of a texel: filters round.
pub const ROUND: f32 = 0.5;
/// Gathers truncate; see [`crate::sampling::coords::gathered`].
pub const CUT: f32 = 0.0;

/// Splits coordinates in 1/256 of a texel into the first texel and the weight of the second.
#[inline(always)]
fn split<W: Vectors>(h: W, c: W::F) -> (W::I, W::I) {
    let c = h.trunc(c) - h.i(128);
    (h.sar(c, 8), c & h.i(255))
}

/// Texels along an axis. All texels are inside the image. Only [`Address::Clamp`] supports the texel offsets `by`.
/// `active` are the bits of the slots whose result matters. See [`super::super::coords::axis`].
#[inline(always)]
pub fn axis<W: Vectors, const LINEAR: bool>(
    h: W,
    mode: Address,
    s: W::F,
    size_f: W::F,
    round: f32,
    by: W::I,
    active: u32,
) -> Axis<W> {
    let size = h.trunc(size_f);
    let last = size - h.i(1);
    match mode {
        Address::RepeatPow2 => {
            let fraction = s - h.floor(s);
            if !LINEAR {
                return Axis::one(h, h.trunc(fraction * size_f) & last);
            }
            let (i, weight) = split(h, fraction * (size_f * h.f(256.0)) + h.f(round));
            let first = i & last;
            let second = (i + h.i(1)) & last;
            Axis { first, second, weight, edge: h.eq(first, last), crosses: h.none() }
        }
        Address::Repeat => {
            let u = h.max(s - h.floor(s), h.f(0.0)) * size_f;
            if !LINEAR {
                let i = h.trunc(u);
                return Axis::one(h, h.clear_i(h.eq(i, size), i));
            }
            let (i, weight) = split(h, u * h.f(256.0) + h.f(round));
            let first = h.min_u(i, last);
            let next = i + h.i(1);
            let second = h.clear_i(h.eq(next, size), next);
            Axis { first, second, weight, edge: h.eq(first, last), crosses: h.none() }
        }
        Address::ClampWeightless | Address::ClampInside if !LINEAR => {
            let u = clamp(h, s * size_f, h.f(0.0), size_f - h.f(1.0));
            Axis::one(h, h.trunc(u))
        }
        Address::ClampWeightless => inside(h, s, size_f, last, round),
        Address::ClampInside => {
            let found = inside(h, s, size_f, last, round);
            match h.bits(found.crosses) & active {
                0 => found,
                _ => clamped(h, s, size_f, last, round, h.i(0)),
            }
        }
        Address::Clamp => clamped(h, s, size_f, last, round, by),
    }
}

/// Texels of linear filters whose coordinates are clamped as floats, so that texels beyond an edge have weight 0.
#[inline(always)]
fn inside<W: Vectors>(h: W, s: W::F, size_f: W::F, last: W::I, round: f32) -> Axis<W> {
    let fixed = size_f * h.f(256.0);
    let c = s * fixed;
    let low = h.f(128.0);
    let (first, weight) = split(h, clamp(h, c, low, fixed - low) + h.f(round));
    let second = h.min_s(first + h.i(1), last);
    let edge = h.eq(first, last);
    Axis { first, second, weight, edge, crosses: h.not_ge(c, low) | edge }
}

/// The first texel of linear filters, which may be outside the image, and the weight of the second in 1/256.
#[inline(always)]
pub fn over_edges<W: Vectors>(h: W, s: W::F, size_f: W::F, round: f32) -> (W::I, W::I) {
    let far = h.f(FAR);
    let u = clamp(h, s * size_f, h.f(0.0) - size_f - far, size_f + size_f + far);
    split(h, h.floor(u * h.f(256.0) + h.f(round)))
}

/// Texels of linear filters whose texel coordinates are clamped.
#[inline(always)]
fn clamped<W: Vectors>(h: W, s: W::F, size_f: W::F, last: W::I, round: f32, by: W::I) -> Axis<W> {
    let (i, weight) = over_edges(h, s, size_f, round);
    let i = i + by;
    let [first, second] = each!(2, i in [i, i + h.i(1)] => h.min_s(h.max_s(i, h.i(0)), last));
    let out = h.ge_u(i, last);
    Axis { first, second, weight, edge: out, crosses: out }
}
