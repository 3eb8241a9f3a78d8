//! Set-up: computes edge functions and plane equations of triangles from vertices in clip space.
//!
//! Positions are snapped to 8 fractional bits; coverage is exact from there, and planes are computed from the snapped
//! positions. All arithmetic is plain IEEE-754 in the order written. Points and lines are left to [`super::lines`].
//!
//! Spec: Vulkan, "Basic Polygon Rasterization" (primsrast-polygons-basic).

use std::ops::Range;
use std::ptr;

use quadrille_jit::abi::{Plane, Primitive};
use quadrille_jit::ir::Interpolation;
use smallvec::SmallVec;

use super::state::{FrontState, Link};
use crate::bins::{Block, Edge, Outline, Parts, Prim, Shape, StampShape, intersect, kind};
use crate::limits::{GUARD_MAX_PX, GUARD_MIN_PX, SUBPIXEL_BITS, SUBPIXELS};
use crate::memory::format::Format;
use crate::state::{DepthBias, DepthBiasUnit, DrawStateDesc, Dynamic, FrontFace, LineStipple, Viewport};

/// A vertex in framebuffer space.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScreenVertex {
    /// Snapped x coordinate, in 1/256 pixels.
    pub x_fx8: i32,
    /// Snapped y coordinate, in 1/256 pixels.
    pub y_fx8: i32,
    /// Depth.
    pub z: f32,
    /// 1 / w.
    pub inv_w: f32,
    /// Outcode, see [`code`].
    pub code: u32,
}

/// Bits of outcodes.
pub(crate) mod code {
    /// Outside the view volume to the left.
    pub const LEFT: u32 = 1;
    /// Outside the view volume to the right.
    pub const RIGHT: u32 = 2;
    /// Outside the view volume at the top.
    pub const TOP: u32 = 4;
    /// Outside the view volume at the bottom.
    pub const BOTTOM: u32 = 8;
    /// In front of the near plane.
    pub const NEAR: u32 = 16;
    /// Beyond the far plane.
    pub const FAR: u32 = 32;
    /// Outside the guard band, or w is not positive.
    pub const GUARD: u32 = 64;
    /// Not finite; primitives with such a vertex are dropped.
    pub const BAD: u32 = 128;
    /// Negative value of some clip distance.
    pub const USER: u32 = 256;
    /// If all vertices of a primitive share one of these bits, the primitive is invisible.
    pub const VIEW: u32 = LEFT | RIGHT | TOP | BOTTOM | NEAR | FAR;
    /// A primitive with any of these bits needs clipping.
    pub const CLIP: u32 = NEAR | FAR | GUARD | USER;
}

/// A viewport prepared for transforming vertices.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ViewTransform {
    pub(super) scale: [f32; 3],
    offset: [f32; 3],
    /// Guard band in units of w: left, right, top, bottom.
    pub guard: [f32; 4],
    /// Pixels that triangles may cover: inside scissor, render area and viewport.
    pub bounds: [i32; 4],
    /// Like `bounds` but without the viewport, for points and lines.
    pub scissor: [i32; 4],
    /// Depth range, ascending.
    pub depth: [f32; 2],
    /// `true` if primitives are clipped to the depth range of the view volume.
    clips_depth: bool,
}

impl ViewTransform {
    /// Replacement for a missing viewport, which makes everything invisible.
    pub const NONE: ViewTransform = ViewTransform {
        scale: [0.0; 3],
        offset: [0.0; 3],
        guard: [0.0; 4],
        bounds: [0; 4],
        scissor: [0; 4],
        depth: [0.0; 2],
        clips_depth: false,
    };

    /// The transformation of viewport `index`, for a render area `area`; `centered` if pixels have one sample, at their
    /// centre.
    pub fn new(
        dynamic: &Dynamic,
        index: usize,
        area: [i32; 4],
        desc: &DrawStateDesc,
        centered: bool,
    ) -> ViewTransform {
        let Some(v) = dynamic.viewports.get(index) else { return ViewTransform::default() };
        let mut scissor = area;
        if let Some(s) = dynamic.scissors.get(index) {
            let end = |at: i32, n: u32| (i64::from(at) + i64::from(n)).clamp(0, i64::from(i32::MAX)) as i32;
            scissor = intersect(scissor, [s.x, s.y, end(s.x, s.width), end(s.y, s.height)]);
        }
        let Viewport { x, y, width, height, min_depth, max_depth } = *v;
        let (sx, sy) = (width * 0.5, height * 0.5);
        let (ox, oy) = (x + sx, y + sy);
        // Pixels with a sample inside the viewport. Its borders need not lie on pixel borders; the cast saturates.
        let ends = [x, y.min(y + height), x + width, y.max(y + height)];
        let exact = !centered && ends.iter().any(|v| *v != v.floor());
        let first = |at: f32| if centered { (at - 0.5).ceil() as i32 } else { at.floor() as i32 };
        let last = |at: f32| if centered { (at - 0.5).ceil() as i32 } else { at.ceil() as i32 };
        let visible = [first(ends[0]), first(ends[1]), last(ends[2]), last(ends[3])];
        // Guard band: with v = offset + scale * ndc, the limits of ndc, in ascending order.
        let limits = |o: f32, s: f32| {
            let (a, b) = ((GUARD_MIN_PX - o) / s, (GUARD_MAX_PX - o) / s);
            if a < b { [a, b] } else { [b, a] }
        };
        let ([gx0, gx1], [gy0, gy1]) = (limits(ox, sx), limits(oy, sy));
        let mut guard = [gx0, gx1, gy0, gy1];
        if exact {
            // A pixel may have samples on both sides of the viewport's border, so primitives must be clipped there.
            guard = [gx0.max(-1.0), gx1.min(1.0), gy0.max(-1.0), gy1.min(1.0)];
        }
        ViewTransform {
            scale: [sx, sy, max_depth - min_depth],
            offset: [ox, oy, min_depth],
            guard,
            clips_depth: desc.clips_depth(),
            bounds: intersect(scissor, visible),
            scissor,
            depth: if min_depth < max_depth { [min_depth, max_depth] } else { [max_depth, min_depth] },
        }
    }

    /// Outcode of a position in clip space.
    #[inline]
    pub fn outcode(&self, [x, y, z, w]: [f32; 4]) -> u32 {
        let bit = |c: bool, b: u32| if c { b } else { 0 };
        let [gx0, gx1, gy0, gy1] = self.guard;
        let mut out = bit(x < -w, code::LEFT)
            | bit(x > w, code::RIGHT)
            | bit(y < -w, code::TOP)
            | bit(y > w, code::BOTTOM)
            | bit(!(w > 0.0 && x >= gx0 * w && x <= gx1 * w && y >= gy0 * w && y <= gy1 * w), code::GUARD);
        if self.clips_depth {
            out |= bit(z < 0.0, code::NEAR) | bit(z > w, code::FAR);
        }
        bit(!(x + y + z + w).is_finite(), code::BAD) | out
    }

    /// Divides, transforms and snaps. The position must be inside the guard band.
    #[inline]
    pub fn transform(&self, [x, y, z, w]: [f32; 4], code: u32) -> ScreenVertex {
        let inv_w = 1.0 / w;
        let fx = |ndc: f32, c: usize| {
            let px = (self.offset[c] + ndc * self.scale[c]).clamp(GUARD_MIN_PX - 1.0, GUARD_MAX_PX + 1.0);
            nearest(px * SUBPIXELS as f32)
        };
        ScreenVertex {
            x_fx8: fx(x * inv_w, 0),
            y_fx8: fx(y * inv_w, 1),
            z: self.offset[2] + z * inv_w * self.scale[2],
            inv_w,
            code,
        }
    }
}

/// Rounds to the nearest integer, ties to even, for magnitudes below 2^31: the sum has the integer in its low bits.
#[inline]
fn nearest(v: f32) -> i32 {
    (f64::from(v) + 6_755_399_441_055_744.0).to_bits() as i32
}

/// State for set-up besides the vertices.
#[derive(Clone, Copy)]
pub(crate) struct SetupState<'a> {
    pub state: &'a FrontState,
    pub view: &'a ViewTransform,
    pub bias: DepthBias,
    pub line_width: f32,
    pub line_stipple: LineStipple,
    pub draw: u32,
    pub layer: u32,
    pub viewport_index: u32,
    /// Greatest distance of a sample from the pixel centre along an axis, in 1/256 pixels.
    pub reach_fx8: i32,
    /// Bits of [`kind`] of all primitives.
    pub kind: u16,
    /// See [`FrontBoundState::grow_fx8`](super::bound::FrontBoundState::grow_fx8).
    pub grow_fx8: Option<i32>,
    /// Stamp shape of [`Block`]s, if small primitives may become blocks.
    pub blocks: Option<&'a StampShape>,
}

/// Properties that a line or point inherits from the polygon of which it is an edge or corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    /// FrontFacing.
    pub front: bool,
    /// Depth bias.
    pub bias: f32,
}

impl Face {
    /// Properties of lines and points that are primitives themselves.
    pub const NONE: Face = Face { front: true, bias: 0.0 };
}

/// Range of pixels with a sample between two snapped positions; the end is exclusive.
#[inline(always)]
pub(crate) fn pixels(low: i32, high: i32, reach_fx8: i32) -> [i32; 2] {
    [(low - reach_fx8 + 127) >> 8, (high + reach_fx8 + 128) >> 8]
}

/// Minimum and maximum of three values.
#[inline(always)]
pub(super) fn min_max(a: i32, b: i32, c: i32) -> (i32, i32) {
    (a.min(b).min(c), a.max(b).max(c))
}

/// Sets up a triangle, with its first vertex as the origin of its planes.
///
/// `records` are the vertices' words, `flat` those of the provoking vertex. Returns `None` for triangles that are
/// culled or cover no pixel.
#[inline(always)]
pub(crate) fn triangle(
    s: &SetupState<'_>,
    v: [&ScreenVertex; 3],
    records: &[&[u32]; 3],
    flat: &[u32],
    primitive_id: u32,
    parts: &mut Parts,
) -> Option<Prim> {
    let d = &s.state.desc;
    let [(x0, y0), (x1, y1), (x2, y2)] = v.map(|v| (v.x_fx8, v.y_fx8));
    let (dx1, dy1, dx2, dy2) = (x1 - x0, y1 - y0, x2 - x0, y2 - y0);
    let area = i64::from(dx1) * i64::from(dy2) - i64::from(dx2) * i64::from(dy1);
    let front = shown_face(d, area)?;
    let (min_x, max_x) = min_max(x0, x1, x2);
    let (min_y, max_y) = min_max(y0, y1, y2);
    let p = [[x0, y0], [x1, y1], [x2, y2]];
    let corners = if area > 0 { p } else { [p[0], p[2], p[1]] };
    let shape = match s.grow_fx8 {
        None => {
            let ([px0, px1], [py0, py1]) =
                (pixels(min_x, max_x, s.reach_fx8), pixels(min_y, max_y, s.reach_fx8));
            let own = [px0, py0, px1, py1];
            let bounds = intersect(s.view.bounds, own);
            if bounds[0] >= bounds[2] || bounds[1] >= bounds[3] {
                return None;
            }
            covered(s, corners, bounds, bounds != own, parts)?
        }
        Some(grow_fx8) => {
            let mut whole = None;
            conservative(s, &corners, grow_fx8, &mut |outline| whole = Some(outline));
            parts.outline(whole?)
        }
    };

    let px = 1.0 / SUBPIXELS as f32;
    let solve = gradients([dx1, dy1, dx2, dy2], area as f32);
    let mut z = solve.plane([v[0].z, v[1].z, v[2].z]);
    if d.depth_bias {
        z.a0 += s.depth_bias([z.dadx, z.dady], v.map(|v| v.z));
    }
    let w = [v[0].inv_w, v[1].inv_w, v[2].inv_w];
    let planes = input_planes(s.state, &solve, records, flat, &w, &mut parts.planes);
    Some(Prim {
        shape,
        draw: s.draw,
        planes,
        fragment: Primitive {
            origin: [x0 as f32 * px, y0 as f32 * px],
            z,
            inv_w: solve.plane(w),
            inputs: ptr::null(),
            front_facing: u32::from(front),
            primitive_id,
            layer: s.layer,
            viewport_index: s.viewport_index,
        },
    })
}

/// Coverage of a triangle with positive area inside `bounds`, which are `cut` if they do not contain the whole
/// triangle. Returns `None` if no pixel is covered.
#[inline(always)]
fn covered(
    s: &SetupState<'_>,
    corners: [[i32; 2]; 3],
    bounds: [i32; 4],
    cut: bool,
    parts: &mut Parts,
) -> Option<Shape> {
    if let Some(stamps) = s.blocks.filter(|_| !cut)
        && let Some(block) = Block::triangle(corners, bounds, stamps)
    {
        return (!block.is_empty()).then_some(Shape::Block(block));
    }
    Some(outline(s, corners, bounds, cut, parts))
}

/// The outline of a triangle with positive area inside `bounds`, which are `cut` if they do not contain the whole triangle.
#[inline]
pub(super) fn outline(
    s: &SetupState<'_>,
    [a, b, c]: [[i32; 2]; 3],
    bounds: [i32; 4],
    cut: bool,
    parts: &mut Parts,
) -> Shape {
    let edges = [Edge::new(a, b), Edge::new(b, c), Edge::new(c, a), Edge::default()];
    let kind = if cut { s.kind | kind::BOUNDED } else { s.kind };
    parts.outline(Outline { edges, n_edges: 3, kind, bounds })
}

/// Coverage of a convex polygon with positive area that covers pixels as a whole: all that it touches after they grew by
/// `grow_fx8` from their centres, or those that it contains if `grow_fx8` is negative. Edges and corners belong to the pixels,
/// and to a polygon that touches, but not to one that contains. Calls `take` with outlines that have no pixel in common, at most
/// one for a triangle. Spec: Vulkan, "Conservative Rasterization".
///
/// A square and a polygon overlap unless a side of the square, or an edge of the polygon, separates them. The bounds
/// test the former, the edges the latter. Of a polygon that has a part inside of the bounds, edges beyond them, such as those
/// that the guard band cuts, make no difference there.
#[cold]
pub(crate) fn conservative(
    s: &SetupState<'_>,
    corners: &[[i32; 2]],
    grow_fx8: i32,
    take: &mut impl FnMut(Outline),
) {
    let span = |c: usize, of: fn(i32, i32) -> i32| corners.iter().map(|p| p[c]).reduce(of).unwrap_or(0);
    let [x0, y0, x1, y1] = [span(0, i32::min), span(1, i32::min), span(0, i32::max), span(1, i32::max)];
    let half = SUBPIXELS / 2;
    // The first and the last pixel along an axis, of which the latter is exclusive.
    let first = |low: i32| (low - grow_fx8 - half + SUBPIXELS - 1) >> SUBPIXEL_BITS;
    let end = |high: i32| ((high + grow_fx8 - half) >> SUBPIXEL_BITS) + 1;
    let bounds = intersect(s.view.bounds, [first(x0), first(y0), end(x1), end(y1)]);
    if bounds[0] >= bounds[2] || bounds[1] >= bounds[3] {
        return;
    }
    // Corners that were rounded to the same place have no edge.
    let pairs = corners.iter().zip(corners.iter().cycle().skip(1)).filter(|(from, to)| from != to);
    let edges: SmallVec<[Side; 12]> =
        pairs.map(|(&from, &to)| ([from, to], Edge::new(from, to).moved(grow_fx8))).collect();
    let kind = s.kind | kind::BOUNDED | kind::WHOLE_PIXELS;
    let mut outline = Outline { edges: [Edge::default(); 4], n_edges: 0, kind, bounds };
    if edges.len() > outline.edges.len() {
        return in_parts(&edges, outline, grow_fx8, take);
    }
    outline.n_edges = edges.len() as u16;
    outline.edges.iter_mut().zip(&edges).for_each(|(to, (_, edge))| *to = *edge);
    take(outline);
}

/// An edge of a polygon, with its ends.
type Side = ([[i32; 2]; 2], Edge);

/// Divides the bounds of an outline without edges until no part has more edges of the polygon in sight than outlines have: a
/// single pixel has none.
fn in_parts(edges: &[Side], whole: Outline, grow_fx8: i32, take: &mut impl FnMut(Outline)) {
    let [x0, y0, x1, y1] = whole.bounds;
    // Least and greatest value of an edge at the centres of the pixels.
    let range = |edge: &Edge| {
        let [x, y] = [[x0, x1 - 1], [y0, y1 - 1]];
        let (right, down) = (usize::from(edge.a > 0), usize::from(edge.b > 0));
        [edge.at_center(x[1 - right], y[1 - down]), edge.at_center(x[right], y[down])]
    };
    if edges.iter().any(|(_, edge)| range(edge)[1] < 0) {
        return;
    }
    let mut outline = whole;
    for (ends, edge) in edges {
        if range(edge)[0] >= 0 || is_beyond(*ends, whole.bounds, grow_fx8) {
            continue;
        }
        let Some(free) = outline.edges.get_mut(usize::from(outline.n_edges)) else {
            for bounds in halves(whole.bounds) {
                in_parts(edges, Outline { bounds, ..whole }, grow_fx8, take);
            }
            return;
        };
        *free = *edge;
        outline.n_edges += 1;
    }
    take(outline);
}

/// Halves of a rectangle of several pixels, which meet at a multiple of a power of two that is as large as possible: fragments
/// of several pixels are divided only where edges crowd.
fn halves(bounds: [i32; 4]) -> [[i32; 4]; 2] {
    let axis = usize::from(bounds[3] - bounds[1] > bounds[2] - bounds[0]);
    let half = ((bounds[axis + 2] - bounds[axis]) / 2).max(1);
    let step = 1 << half.ilog2();
    let middle = (bounds[axis] + half) & -step;
    let (mut before, mut after) = (bounds, bounds);
    (before[axis + 2], after[axis]) = (middle, middle);
    [before, after]
}

/// True if a segment lies beyond a side of the pixels in `bounds`, which grow by `grow_fx8` from their centres.
fn is_beyond(ends: [[i32; 2]; 2], bounds: [i32; 4], grow_fx8: i32) -> bool {
    (0..2).any(|c| {
        let center = |pixel: i32| pixel * SUBPIXELS + SUBPIXELS / 2;
        let (low, high) = (center(bounds[c]) - grow_fx8.abs(), center(bounds[c + 2] - 1) + grow_fx8.abs());
        ends.iter().all(|end| end[c] < low) || ends.iter().all(|end| end[c] > high)
    })
}

/// Returns whether a polygon with this doubled area is front-facing; `None` if it is culled or has no area.
#[inline]
fn shown_face(d: &DrawStateDesc, area: i64) -> Option<bool> {
    // In framebuffer space y points down, so a positive area is clockwise.
    let front = (area < 0) == (d.front_face == FrontFace::CounterClockwise);
    let culled = if front { d.cull.front } else { d.cull.back };
    (area != 0 && !culled).then_some(front)
}

/// Gradient coefficients of a triangle with these edge vectors from its first corner.
#[inline(always)]
pub(super) fn gradients([dx1, dy1, dx2, dy2]: [i32; 4], area: f32) -> Gradients {
    let px = 1.0 / SUBPIXELS as f32;
    let inv = 1.0 / (area * (px * px));
    let [fx1, fy1, fx2, fy2] = [dx1, dy1, dx2, dy2].map(|v| v as f32 * px);
    Gradients { x: [fy2 * inv, -fy1 * inv], y: [-fx2 * inv, fx1 * inv] }
}

/// Facing and depth bias that the edges and corners of a polygon inherit when they are drawn in its place. Returns
/// `None` if the polygon is culled. A polygon without an area is back-facing, and has no slope. Spec: VkFrontFace.
pub(crate) fn face(s: &SetupState<'_>, v: &[ScreenVertex]) -> Option<Face> {
    let [first, rest @ ..] = v else { return None };
    let triangles = || {
        rest.windows(2).map(|w| {
            let [dx1, dy1] = [w[0].x_fx8 - first.x_fx8, w[0].y_fx8 - first.y_fx8];
            let [dx2, dy2] = [w[1].x_fx8 - first.x_fx8, w[1].y_fx8 - first.y_fx8];
            let area = i64::from(dx1) * i64::from(dy2) - i64::from(dx2) * i64::from(dy1);
            ([dx1, dy1, dx2, dy2], area, [first.z, w[0].z, w[1].z])
        })
    };
    let d = &s.state.desc;
    let area: i64 = triangles().map(|t| t.1).sum();
    let front = if area == 0 { (!d.cull.back).then_some(false) } else { shown_face(d, area) };
    let bias = triangles().max_by_key(|t| t.1.abs()).filter(|_| d.depth_bias);
    let bias = bias.map_or(0.0, |(edges, area, z)| {
        let plane = if area == 0 { Plane::default() } else { gradients(edges, area as f32).plane(z) };
        s.depth_bias([plane.dadx, plane.dady], z)
    });
    Some(Face { front: front?, bias })
}

/// Coefficients that convert differences along two edges into differences along x and y.
pub(crate) struct Gradients {
    pub x: [f32; 2],
    pub y: [f32; 2],
}

impl Gradients {
    #[inline(always)]
    pub fn plane(&self, [a, b, c]: [f32; 3]) -> Plane {
        let (d1, d2) = (b - a, c - a);
        Plane { a0: a, dadx: d1 * self.x[0] + d2 * self.x[1], dady: d1 * self.y[0] + d2 * self.y[1] }
    }
}

#[inline(always)]
pub(crate) fn input_plane(
    link: &Link,
    solve: &Gradients,
    r: &[&[u32]; 3],
    flat: &[u32],
    w: &[f32; 3],
) -> Plane {
    let Some(word) = link.word else { return Plane::default() };
    let word = word as usize;
    let values = || [f32::from_bits(r[0][word]), f32::from_bits(r[1][word]), f32::from_bits(r[2][word])];
    match link.interpolation {
        Interpolation::Flat => Plane { a0: f32::from_bits(flat[word]), dadx: 0.0, dady: 0.0 },
        Interpolation::Linear => solve.plane(values()),
        Interpolation::Perspective => {
            let v = values();
            solve.plane([v[0] * w[0], v[1] * w[1], v[2] * w[2]])
        }
    }
}

/// Adds the planes of the fragment stage's inputs; returns the number of the first.
#[inline(always)]
pub(super) fn input_planes(
    state: &FrontState,
    solve: &Gradients,
    records: &[&[u32]; 3],
    flat: &[u32],
    w: &[f32; 3],
    to: &mut Vec<Plane>,
) -> u32 {
    let first = to.len() as u32;
    match &state.together {
        Some(words) => planes_together(words, solve, records, w, to),
        None => to.extend(state.links.iter().map(|link| input_plane(link, solve, records, flat, w))),
    }
    first
}

/// Adds the planes of contiguous links, each like that of [`input_plane`]; see [`together`](super::state::together).
#[inline(always)]
fn planes_together(
    words: &Range<usize>,
    solve: &Gradients,
    r: &[&[u32]; 3],
    w: &[f32; 3],
    to: &mut Vec<Plane>,
) {
    // Slices by name: an array of them would be copied by way of memory, in larger pieces than it is stored in.
    let (a, b, c) = (&r[0][words.clone()], &r[1][words.clone()], &r[2][words.clone()]);
    let first = to.len();
    to.resize(first + words.len(), Plane::default());
    for (((to, &a), &b), &c) in to[first..].iter_mut().zip(a).zip(b).zip(c) {
        let (a, b, c) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
        *to = solve.plane([a * w[0], b * w[1], c * w[2]]);
    }
}

impl SetupState<'_> {
    /// Depth bias of a triangle with these slopes of depth, and these depths of its corners. Spec: Vulkan, "Depth Bias"
    /// (primsrast-depthbias).
    pub fn depth_bias(&self, [dzdx, dzdy]: [f32; 2], depths: [f32; 3]) -> f32 {
        let bias = &self.bias;
        let slope = dzdx.abs().max(dzdy.abs());
        let greatest = depths[0].abs().max(depths[1].abs()).max(depths[2].abs());
        let unit = depth_unit(bias.unit, self.state.bias_format, greatest);
        let offset = bias.constant * unit + bias.slope * slope;
        if bias.clamp > 0.0 {
            offset.min(bias.clamp)
        } else if bias.clamp < 0.0 {
            offset.max(bias.clamp)
        } else {
            offset
        }
    }
}

/// Smallest resolvable depth difference (r in the specification) of a primitive with maximum depth `greatest`.
fn depth_unit(unit: DepthBiasUnit, format: Option<Format>, greatest: f32) -> f32 {
    match (unit, format) {
        (DepthBiasUnit::Float, _) => 1.0,
        (_, Some(Format::D16_UNORM | Format::D16_UNORM_S8_UINT)) => 1.0 / 65536.0,
        (_, Some(Format::X8_D24_UNORM_PACK32 | Format::D24_UNORM_S8_UINT))
        | (DepthBiasUnit::ForceUnorm, _) => 1.0 / 16777216.0,
        _ => {
            let exponent = (greatest.to_bits() >> 23 & 0xff).clamp(24, 254);
            f32::from_bits((exponent - 23) << 23)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::state::together;
    use crate::tests::harness::Rng;

    #[test]
    fn planes_of_links_together_are_those_of_each_link() {
        use Interpolation::{Flat, Linear, Perspective};
        let link = |word, interpolation| Link { word, point_coord: None, interpolation };
        let links = |words: Range<u32>| words.map(|w| link(Some(w), Perspective)).collect::<Vec<_>>();
        assert_eq!(together(&links(4..9)), Some(4..9));
        assert_eq!(together(&[]), None);
        for other in [link(None, Perspective), link(Some(9), Flat), link(Some(9), Linear)] {
            assert_eq!(together(&[links(4..9), vec![other]].concat()), None, "{other:?}");
        }
        assert_eq!(together(&[links(4..6), links(7..9)].concat()), None);
        let mut rng = Rng(5);
        for _ in 0..1000 {
            let mut some = |n: usize| (0..n).map(|_| rng.range(-3.0, 3.0)).collect::<Vec<f32>>();
            let records =
                [some(12), some(12), some(12)].map(|r| r.into_iter().map(f32::to_bits).collect::<Vec<_>>());
            let r = records.each_ref().map(|r| &r[..]);
            let k = some(7);
            let (solve, w) = (Gradients { x: [k[0], k[1]], y: [k[2], k[3]] }, [k[4], k[5], k[6]]);
            let bits = |p: Plane| [p.a0, p.dadx, p.dady].map(f32::to_bits);
            let each: Vec<_> =
                links(4..9).iter().map(|l| bits(input_plane(l, &solve, &r, r[0], &w))).collect();
            let mut planes = vec![Plane::default()];
            planes_together(&(4..9), &solve, &r, &w, &mut planes);
            assert_eq!(planes[1..].iter().copied().map(bits).collect::<Vec<_>>(), each);
        }
    }

    #[test]
    fn nearest_is_round_ties_even() {
        for v in [0.0f32, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 6291199.5, -2097152.5, 123.25, -7.75, 4194304.5] {
            assert_eq!(nearest(v), v.round_ties_even() as i32, "{v}");
        }
    }
}
