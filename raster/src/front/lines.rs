//! Set-up of points and lines.
//!
//! A point is a square. A rectangular line is a rectangle around its segment. A Bresenham line is a band of pixels
//! between two edges, bounded by the columns (or rows) that the diamond-exit rule selects; it covers whole pixels.
//! Behind the planes of the inputs, stippled lines add a plane with the distance from the start of the pattern, and
//! smooth lines add planes with the distances across and along. Triangles are left to [`super::setup`].
//!
//! Spec: Vulkan, "Points" (primsrast-points) and "Line Segments" (primsrast-lines).

use std::ptr;

use quadrille_jit::abi::{Plane, Primitive};
use quadrille_jit::ir::Interpolation;

use super::setup::{Face, Gradients, ScreenVertex, SetupState, ViewTransform, code, input_plane, pixels};
use crate::bins::{self, Block, Edge, Outline, Parts, Prim, intersect, kind};
use crate::limits::{MAX_LINE_WIDTH, MAX_POINT_SIZE, SUBPIXELS};
use crate::state::LineMode;

const PX: f32 = 1.0 / SUBPIXELS as f32;

/// Sets up a point: a square around its position. Spec: Vulkan, "Basic Point Rasterization".
pub(crate) fn point(
    s: &SetupState<'_>,
    v: &ScreenVertex,
    size: f32,
    record: &[u32],
    flat: &[u32],
    face: Face,
    primitive_id: u32,
    parts: &mut Parts,
) -> Option<Prim> {
    let size = if size.is_nan() { 1.0 } else { size.clamp(1.0, MAX_POINT_SIZE) };
    let half_fx8 = (size * (SUBPIXELS / 2) as f32).round_ties_even() as i32;
    let (left, right) = (v.x_fx8 - half_fx8, v.x_fx8 + half_fx8);
    let (top, bottom) = (v.y_fx8 - half_fx8, v.y_fx8 + half_fx8);
    let ([px0, px1], [py0, py1]) = (pixels(left, right, s.reach_fx8), pixels(top, bottom, s.reach_fx8));
    let bounds = intersect(s.view.scissor, [px0, py0, px1, py1]);
    if bounds[0] >= bounds[2] || bounds[1] >= bounds[3] {
        return None;
    }
    let shape = match s.blocks {
        // Whole pixels: pixel centres on the left and upper edge are inside, those on the right and lower edge are not.
        Some(stamps) => {
            let [x0, y0] = [left, top].map(|v| (v + 127) >> 8);
            let [x1, y1] = [right, bottom].map(|v| (v + 127) >> 8);
            let centers = intersect(s.view.scissor, [x0, y0, x1, y1]);
            if centers[0] >= centers[2] || centers[1] >= centers[3] {
                return None;
            }
            Block::rectangle(centers, stamps).map(bins::Shape::Block)
        }
        None => None,
    };
    let shape = shape.unwrap_or_else(|| {
        let edges = [
            Edge::new([left, top], [right, top]),
            Edge::new([right, top], [right, bottom]),
            Edge::new([right, bottom], [left, bottom]),
            Edge::new([left, bottom], [left, top]),
        ];
        parts.outline(Outline { edges, n_edges: 4, kind: s.kind | kind::BOUNDED, bounds })
    });
    let first = parts.planes.len() as u32;
    point_planes(s, v, size, record, flat, &mut parts.planes);
    Some(Prim {
        shape,
        draw: s.draw,
        planes: first,
        fragment: Primitive {
            origin: [v.x_fx8 as f32 * PX, v.y_fx8 as f32 * PX],
            z: constant(v.z + face.bias),
            inv_w: constant(v.inv_w),
            inputs: ptr::null(),
            front_facing: u32::from(face.front),
            primitive_id,
            layer: s.layer,
            viewport_index: s.viewport_index,
        },
    })
}

fn constant(a0: f32) -> Plane {
    Plane { a0, dadx: 0.0, dady: 0.0 }
}

/// Adds the planes of a point's inputs, which are constant but for the place within the point.
fn point_planes(
    s: &SetupState<'_>,
    v: &ScreenVertex,
    size: f32,
    record: &[u32],
    flat: &[u32],
    planes: &mut Vec<Plane>,
) {
    for link in &s.state.links {
        if let Some(c) = link.point_coord {
            // Spec: 1/2 + (x - x of the point) / size, and y likewise.
            let step = 1.0 / size;
            let (dadx, dady) = if c == 0 { (step, 0.0) } else { (0.0, step) };
            planes.push(Plane { a0: 0.5, dadx, dady });
            continue;
        }
        let record = if link.interpolation == Interpolation::Flat { flat } else { record };
        let value = link.word.map_or(0.0, |w| f32::from_bits(record[w as usize]));
        let perspective = link.word.is_some() && link.interpolation == Interpolation::Perspective;
        planes.push(constant(if perspective { value * v.inv_w } else { value }));
    }
}

/// Coverage and length of a line.
struct Shape {
    edges: [Edge; 4],
    n_edges: u16,
    /// Bounding rectangle of the line's pixels.
    own: [i32; 4],
    /// Distance by which the line advances the stipple pattern.
    length: f32,
    /// Plane of the distance along the line, 0 at its start.
    along: Plane,
}

/// The pixels that a line may cover whose ends have these outcodes. A line that leaves the view volume to a side ends at that side
/// of the viewport; only the scissor limits it to other sides. Spec: Vulkan, "Primitive Clipping".
fn bounds_of_line(view: &ViewTransform, codes: u32) -> [i32; 4] {
    let mut out = view.scissor;
    let axes = [[code::LEFT, code::RIGHT], [code::TOP, code::BOTTOM]];
    for (axis, mut sides) in axes.into_iter().enumerate() {
        if view.scale[axis] < 0.0 {
            sides.reverse();
        }
        for (side, at) in sides.into_iter().zip([axis, axis + 2]) {
            if codes & side != 0 {
                out[at] = view.bounds[at];
            }
        }
    }
    out
}

/// Sets up a line. `stipple_at` is the distance at which the stipple pattern continues; the line's length is added to
/// it.
pub(crate) fn line(
    s: &SetupState<'_>,
    v: [&ScreenVertex; 2],
    records: [&[u32]; 2],
    flat: &[u32],
    face: Face,
    primitive_id: u32,
    stipple_at: &mut f32,
    parts: &mut Parts,
) -> Option<Prim> {
    let [[x0, y0], [x1, y1]] = v.map(|v| [v.x_fx8, v.y_fx8]);
    let d = [x1 - x0, y1 - y0];
    if d == [0, 0] {
        return None;
    }
    let desc = &s.state.desc;
    // Smooth lines cover whole pixels, even with several samples.
    let smooth = desc.line_mode == LineMode::RectangularSmooth;
    let shape = match desc.line_mode {
        LineMode::Bresenham => bresenham([x0, y0], d, s.line_width)?,
        _ => rectangle([x0, y0], d, s.line_width, smooth, if smooth { 0 } else { s.reach_fx8 }),
    };
    let begin = *stipple_at;
    if desc.line_stipple {
        *stipple_at = after_line(s, begin, shape.length);
    }
    // A wide line ends where the view volume does.
    let crossed = if s.line_width > 1.0 { 0 } else { v[0].code | v[1].code };
    let bounds = intersect(bounds_of_line(s.view, crossed), shape.own);
    if bounds[0] >= bounds[2] || bounds[1] >= bounds[3] {
        return None;
    }
    // Values change only along the line: t = (p - a) . (b - a) / |b - a|^2.
    let (fx, fy) = (d[0] as f32 * PX, d[1] as f32 * PX);
    let inv = 1.0 / (fx * fx + fy * fy);
    let solve = Gradients { x: [fx * inv, 0.0], y: [fy * inv, 0.0] };
    let w = [v[0].inv_w, v[1].inv_w, v[0].inv_w];
    let planes = &mut parts.planes;
    let first = planes.len() as u32;
    for link in &s.state.links {
        planes.push(input_plane(link, &solve, &[records[0], records[1], records[0]], flat, &w));
    }
    let bits = s.kind | kind::BOUNDED | mode_of(s, &shape, begin, planes);
    let mut z = solve.plane([v[0].z, v[1].z, v[0].z]);
    z.a0 += face.bias;
    let outline = Outline { edges: shape.edges, n_edges: shape.n_edges, kind: bits, bounds };
    Some(Prim {
        shape: parts.outline(outline),
        draw: s.draw,
        planes: first,
        fragment: Primitive {
            origin: [x0 as f32 * PX, y0 as f32 * PX],
            z,
            inv_w: solve.plane(w),
            inputs: ptr::null(),
            front_facing: u32::from(face.front),
            primitive_id,
            layer: s.layer,
            viewport_index: s.viewport_index,
        },
    })
}

/// The distance at which the stipple pattern continues after a line that begins at `begin`.
fn after_line(s: &SetupState<'_>, begin: f32, length: f32) -> f32 {
    // Distances wrap around with the pattern's period, so that they stay small.
    let period = (16 * s.line_stipple.factor.clamp(1, 256)) as f32;
    let end = begin + length;
    end - (end / period).floor() * period
}

/// Returns the bits of the kind of a line for its mode and its pattern, which begins at `begin`, and adds their planes.
fn mode_of(s: &SetupState<'_>, shape: &Shape, begin: f32, planes: &mut Vec<Plane>) -> u16 {
    let desc = &s.state.desc;
    let mut bits = 0;
    if desc.line_mode == LineMode::Bresenham {
        bits |= kind::WHOLE_PIXELS;
    }
    if desc.line_stipple {
        bits |= kind::STIPPLE;
        planes.push(Plane { a0: shape.along.a0 + begin, ..shape.along });
    }
    if desc.line_mode == LineMode::RectangularSmooth {
        bits |= kind::SMOOTH | kind::WHOLE_PIXELS;
        let (along, half) = (shape.along, line_width(s.line_width) * 0.5);
        planes.push(Plane { a0: 0.0, dadx: -along.dady, dady: along.dadx });
        planes.push(along);
        planes.push(Plane { a0: half, dadx: shape.length, dady: 0.0 });
    }
    bits
}

fn line_width(width: f32) -> f32 {
    if width.is_nan() { 1.0 } else { width.clamp(1.0, MAX_LINE_WIDTH) }
}

/// The rectangle around a segment, extended by half a pixel on all sides for smooth lines.
///
/// Spec: Vulkan, "Rectangular Line Segment Rasterization" (primsrast-lines-rectangular).
fn rectangle([x0, y0]: [i32; 2], [dx, dy]: [i32; 2], width: f32, smooth: bool, reach_fx8: i32) -> Shape {
    let length_fx8 = (f64::from(dx) * f64::from(dx) + f64::from(dy) * f64::from(dy)).sqrt();
    let [ux, uy] = [f64::from(dx) / length_fx8, f64::from(dy) / length_fx8];
    let fringe = if smooth { f64::from(SUBPIXELS / 2) } else { 0.0 };
    let half = f64::from(line_width(width)) * f64::from(SUBPIXELS / 2) + fringe;
    let nearest = |v: f64| v.round_ties_even() as i32;
    let (nx, ny) = (nearest(-uy * half), nearest(ux * half));
    let (ex, ey) = (nearest(ux * fringe), nearest(uy * fringe));
    let (a, b) = ([x0 - ex, y0 - ey], [x0 + dx + ex, y0 + dy + ey]);
    // With positive area, edge functions are not negative inside.
    let corners =
        [[a[0] - nx, a[1] - ny], [b[0] - nx, b[1] - ny], [b[0] + nx, b[1] + ny], [a[0] + nx, a[1] + ny]];
    let span = |c: usize, pick: fn(i32, i32) -> i32| corners.iter().map(|p| p[c]).fold(corners[0][c], pick);
    let [px0, px1] = pixels(span(0, i32::min), span(0, i32::max), reach_fx8);
    let [py0, py1] = pixels(span(1, i32::min), span(1, i32::max), reach_fx8);
    Shape {
        edges: std::array::from_fn(|i| Edge::new(corners[i], corners[(i + 1) % 4])),
        n_edges: 4,
        own: [px0, py0, px1, py1],
        length: (length_fx8 * f64::from(PX)) as f32,
        along: Plane { a0: 0.0, dadx: ux as f32, dady: uy as f32 },
    }
}

/// The band of pixels of a Bresenham line; `None` if the line exits no diamond.
///
/// Along its major axis, the line has a pixel in each column (or row) whose centre it passes. It also has the pixel of
/// its start if it begins in the diamond around the centre behind it. It lacks the pixel of its end if it ends in the
/// diamond.
///
/// Spec: Vulkan, "Bresenham Line Segment Rasterization" (primsrast-lines-bresenham).
fn bresenham(start: [i32; 2], d: [i32; 2], width: f32) -> Option<Shape> {
    let major = usize::from(d[0].abs() < d[1].abs());
    let minor = 1 - major;
    // Mirrored, so that coordinates increase along the major axis.
    let sign = if d[major] < 0 { -1 } else { 1 };
    let (m0, m1) = (sign * start[major], sign * (start[major] + d[major]));
    let end = [start[0] + d[0], start[1] + d[1]];
    // Pixel centres are at 256 k + 128, also when mirrored.
    let center = |k: i32| 256 * k + 128;
    let row_center = |at: i32| center(at.div_euclid(256));
    let in_diamond = |m: i32, n: i32, k: i32| (m - center(k)).abs() + (n - row_center(n)).abs() < 128;
    // First column with its centre at or after the start, and last column with its centre before the end.
    let mut first = (m0 - 128 + 255).div_euclid(256);
    let mut last = (m1 - 128 - 1).div_euclid(256);
    if in_diamond(m0, start[minor], first - 1) {
        first -= 1;
    }
    if in_diamond(m1, end[minor], last) {
        last -= 1;
    }
    if first > last {
        return None;
    }
    let width = line_width(width).round_ties_even();
    let half = (width * (SUBPIXELS / 2) as f32) as i32;
    let mut shift = [0; 2];
    shift[minor] = half;
    let low = [[start[0] - shift[0], start[1] - shift[1]], [end[0] - shift[0], end[1] - shift[1]]];
    let high = [[start[0] + shift[0], start[1] + shift[1]], [end[0] + shift[0], end[1] + shift[1]]];
    let area = i64::from(d[0]) * i64::from(shift[1]) - i64::from(d[1]) * i64::from(shift[0]);
    let edges = if area > 0 {
        [Edge::new(low[0], low[1]), Edge::new(high[1], high[0])]
    } else {
        [Edge::new(low[1], low[0]), Edge::new(high[0], high[1])]
    };
    let mut own = [0; 4];
    // Pixel k of the mirrored axis is pixel -1 - k of the framebuffer.
    let [from, to] = if sign > 0 { [first, last + 1] } else { [-1 - last, -first] };
    (own[major], own[major + 2]) = (from, to);
    let minors = [low[0][minor], low[1][minor], high[0][minor], high[1][minor]];
    let (least, most) = minors.iter().fold((minors[0], minors[0]), |(a, b), &m| (a.min(m), b.max(m)));
    [own[minor], own[minor + 2]] = [(least >> 8) - 1, (most >> 8) + 2];
    // The distance is 0 at the centre of the first pixel, so that distances at pixel centres are whole numbers.
    let a0 = (m0 - center(first)) as f32 * PX;
    let mut along = Plane { a0, dadx: 0.0, dady: 0.0 };
    if major == 0 {
        along.dadx = sign as f32;
    } else {
        along.dady = sign as f32;
    }
    let none = Edge::default();
    let length = (last - first + 1) as f32;
    Some(Shape { edges: [edges[0], edges[1], none, none], n_edges: 2, own, length, along })
}
