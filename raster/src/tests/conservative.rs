//! Conservative rasterization and discard rectangles, against brute force.

use quadrille_jit::ir::{BuiltIn, Interpolation, Slot};

use super::coverage::snap;
use super::harness::*;
use super::samples::{SIZE, render_samples, sample};
use crate::memory::format::Format;
use crate::state::{ConservativeMode, DiscardRectangles, LineMode, LineStipple, Rect, ShadingRate, Topology};

type Point = [i128; 2];

fn cross(a: Point, b: Point, p: Point) -> i128 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// Returns true if a polygon with positive area contains a point, also on its border.
fn contains(polygon: &[Point], p: Point) -> bool {
    (0..polygon.len()).all(|i| cross(polygon[i], polygon[(i + 1) % polygon.len()], p) >= 0)
}

/// Returns true if two segments have a point in common.
fn meet([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let sides = |a, b, c, d| cross(a, b, c).signum() * cross(a, b, d).signum();
    let overlap = |k: usize| a[k].max(b[k]) >= c[k].min(d[k]) && c[k].max(d[k]) >= a[k].min(b[k]);
    sides(a, b, c, d) <= 0 && sides(c, d, a, b) <= 0 && overlap(0) && overlap(1)
}

/// Returns true if a convex polygon covers the pixel (x, y) in a mode, with an extra size in 1/256 pixels: by corners and
/// edges, as the specification words it.
fn covers(mode: ConservativeMode, extra: i128, t: &[Point], x: u32, y: u32) -> bool {
    let area: i128 = t.windows(2).map(|w| cross(t[0], w[0], w[1])).sum();
    if area == 0 {
        return false;
    }
    let mut t = t.to_vec();
    if area < 0 {
        t.reverse();
    }
    let grow = if mode == ConservativeMode::Overestimate { extra } else { 0 };
    let [x, y] = [x, y].map(|v| i128::from(v) * 256);
    let (low, high) = (-grow, 256 + grow);
    let square = [[low, low], [high, low], [high, high], [low, high]].map(|[dx, dy]| [x + dx, y + dy]);
    if mode == ConservativeMode::Underestimate {
        let inside = |p| (0..t.len()).all(|i| cross(t[i], t[(i + 1) % t.len()], p) > 0);
        return square.into_iter().all(inside);
    }
    let edges = |p: &[Point]| (0..p.len()).map(|i| [p[i], p[(i + 1) % p.len()]]).collect::<Vec<_>>();
    square.iter().any(|&p| contains(&t, p))
        || t.iter().any(|&p| contains(&square, p))
        || edges(&t).into_iter().any(|a| edges(&square).into_iter().any(|b| meet(a, b)))
}

/// Triangles of different sizes; every third lies on a grid of half pixels, so that edges pass through corners.
fn triangles(n: usize, size: [u32; 2]) -> Vec<[[f32; 2]; 3]> {
    let mut rng = Rng(31);
    let mut one = |i: usize| {
        let reach = [0.02, 0.1, 0.5, 1.5][i % 4];
        let at = [rng.range(-0.9, 0.9), rng.range(-0.9, 0.9)];
        [(); 3].map(|()| {
            let p = [at[0] + rng.range(-reach, reach), at[1] + rng.range(-reach, reach)];
            let grid = |c: usize| (p[c] * size[c] as f32).round() / size[c] as f32;
            // Inside of the view volume, so that no triangle is clipped.
            let p = if i.is_multiple_of(3) { [grid(0), grid(1)] } else { p };
            p.map(|v| v.clamp(-1.0, 1.0))
        })
    };
    (0..n).map(&mut one).collect()
}

fn scene(triangles: &[[[f32; 2]; 3]], size: [u32; 2], mode: ConservativeMode, extra: f32) -> Scene {
    let mut s = Scene::new(1, Interpolation::Flat, size);
    s.desc.blend = vec![additive()];
    s.desc.conservative = mode;
    s.dynamic.overestimation = extra;
    for v in triangles.iter().flatten() {
        s.vertex([v[0], v[1], 0.5, 1.0], &[1.0]);
    }
    s
}

const MODES: [(ConservativeMode, f32, i128); 4] = [
    (ConservativeMode::Overestimate, 0.0, 0),
    (ConservativeMode::Overestimate, 0.3, 77),
    // The greatest size.
    (ConservativeMode::Overestimate, 9.0, 192),
    (ConservativeMode::Underestimate, 0.75, 0),
];

#[test]
fn pixels_are_covered_that_triangles_touch_or_contain() {
    let size = [150, 90];
    let triangles = triangles(90, size);
    let snapped: Vec<_> = triangles.iter().map(|t| t.map(|v| snap(v, size))).collect();
    for (mode, extra, fx8) in MODES {
        let pictures = [(1, 8), (2, 4), (3, 16), (1, 32)].map(|(threads, lanes)| {
            let mut s = scene(&triangles, size, mode, extra);
            s.lanes = lanes;
            render(threads, Format::R32_SFLOAT, size, &mut [s])
        });
        for y in 0..size[1] {
            for x in 0..size[0] {
                let want = snapped.iter().filter(|t| covers(mode, fx8, *t, x, y)).count() as f32;
                for p in &pictures {
                    assert_eq!(p.float(x, y)[0], want, "{mode:?} {extra}, pixel {x},{y}");
                }
            }
        }
    }
}

/// Fragments of several pixels cover the same pixels. Spec: fragmentShadingRateWithConservativeRasterization.
#[test]
fn large_fragments_cover_the_same_pixels() {
    let triangles = triangles(40, SIZE);
    for (mode, extra, _) in MODES {
        let fine = render(1, Format::R32_SFLOAT, SIZE, &mut [scene(&triangles, SIZE, mode, extra)]);
        for size in [[2, 1], [2, 2], [4, 4]] {
            let mut s = scene(&triangles, SIZE, mode, extra);
            s.dynamic.shading_rate = ShadingRate { size, ..Default::default() };
            let coarse = render(2, Format::R32_SFLOAT, SIZE, &mut [s]);
            for (y, x) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (y, x))) {
                assert_eq!(coarse.float(x, y)[0], fine.float(x, y)[0], "{mode:?} {extra} {size:?} {x},{y}");
            }
        }
    }
}

#[test]
fn all_samples_of_a_pixel_are_covered() {
    let triangles = triangles(40, SIZE);
    for (mode, extra, _) in MODES {
        let one = render(1, Format::R32_SFLOAT, SIZE, &mut [scene(&triangles, SIZE, mode, extra)]);
        for samples in [2, 8] {
            let mut scenes = [scene(&triangles, SIZE, mode, extra)];
            let (color, ..) = render_samples(samples, 2, &mut scenes, false);
            for (y, x) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (y, x))) {
                let all: Vec<f32> = (0..samples).map(|s| sample(&color, s, x, y)).collect();
                assert_eq!(all, vec![one.float(x, y)[0]; samples as usize], "{mode:?} {extra} {x},{y}");
            }
        }
    }
}

/// A triangle that the near plane clips to a polygon of four corners, or the near and the far plane to one of five, covers each
/// pixel once, as far as it does without clipping.
#[test]
fn clipped_triangles_cover_pixels_once() {
    let mut rng = Rng(33);
    for i in 0..120 {
        // The depth is linear on the screen. Every second triangle has a corner beyond the far plane.
        let corners = [(); 3].map(|()| [rng.range(-0.9, 0.9), rng.range(-0.9, 0.9)]);
        let beyond = if i % 2 == 0 { 0.0 } else { 1.0 };
        let depth = [rng.range(0.2, 0.9), rng.range(0.2, 0.9) + beyond, rng.range(-0.9, -0.2)];
        let draw = |mode, clips: bool, extra| {
            let mut s = Scene::new(1, Interpolation::Flat, SIZE);
            s.desc.blend = vec![additive()];
            (s.desc.conservative, s.desc.depth_clip) = (mode, Some(clips));
            s.dynamic.overestimation = extra;
            corners.iter().zip(depth).for_each(|(p, z)| s.vertex([p[0], p[1], z, 1.0], &[1.0]));
            render(1, Format::R32_SFLOAT, SIZE, &mut [s])
        };
        use ConservativeMode as M;
        let [under, samples, over] =
            [M::Underestimate, M::Disabled, M::Overestimate].map(|m| draw(m, true, 0.0));
        // Corners on the near plane are rounded to 1/256 pixels.
        let free = draw(M::Overestimate, false, 1.0 / 128.0);
        for (y, x) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (y, x))) {
            let [under, samples, over, free] = [&under, &samples, &over, &free].map(|p| p.float(x, y)[0]);
            let ascending = [0.0, under, samples, over, free, 1.0];
            assert!(ascending.is_sorted(), "{corners:?} {depth:?} {x},{y}: {ascending:?}");
        }
    }
}

/// The guard band clips triangles with corners beyond it to polygons of up to seven corners, which cover each pixel once all
/// the same.
#[test]
fn triangles_beyond_the_guard_band_cover_pixels_once() {
    use ConservativeMode as M;
    let mut rng = Rng(34);
    for _ in 0..60 {
        // All of 700 and more are beyond the guard band.
        let mut far =
            || if rng.range(0.0, 1.0) < 0.5 { rng.range(-900.0, -700.0) } else { rng.range(700.0, 900.0) };
        let far = [far(), far()];
        let mut any = |reach: f32| rng.range(-reach, reach);
        let corners = [[any(0.9), any(0.9)], [far[0], any(900.0)], [any(900.0), far[1]]];
        let [under, samples, over] = [M::Underestimate, M::Disabled, M::Overestimate]
            .map(|mode| render(1, Format::R32_SFLOAT, SIZE, &mut [scene(&[corners], SIZE, mode, 0.0)]));
        let exact = corners.map(|v| snap(v, SIZE));
        for (y, x) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (y, x))) {
            let [under, samples, over] = [&under, &samples, &over].map(|p| p.float(x, y)[0]);
            // Corners at the guard band are rounded to 1/256 pixels.
            let near = f32::from(u8::from(covers(M::Overestimate, 3, &exact, x, y)));
            let ascending = [0.0, under, samples, over, near, 1.0];
            assert!(ascending.is_sorted(), "{corners:?} {x},{y}: {ascending:?}");
        }
    }
}

/// Clip distances cut the corners off triangles: polygons of six edges, all in sight, cover each pixel once.
#[test]
fn triangles_without_their_corners_cover_pixels_once() {
    use ConservativeMode as M;
    let mut rng = Rng(35);
    for _ in 0..60 {
        let corners: [[f32; 2]; 3] = std::array::from_fn(|i| {
            let (angle, reach) = (i as f32 * 2.1 + rng.range(-0.4, 0.4), rng.range(0.3, 0.9));
            [reach * angle.cos(), reach * angle.sin()]
        });
        // Distance i is negative at corner i. The cuts of two corners do not meet.
        let distances: [[f32; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|k| if k == i { rng.range(-0.5, -0.3) } else { rng.range(0.6, 1.0) })
        });
        let [under, samples, over] = [M::Underestimate, M::Disabled, M::Overestimate].map(|mode| {
            let mut s = Scene::new(4, Interpolation::Flat, SIZE);
            (s.desc.blend, s.desc.conservative) = (vec![additive()], mode);
            for i in 0..3 {
                s.desc.stages[0].info.outputs[5 + i].slot = Slot::BuiltIn(BuiltIn::ClipDistance, i as u32);
            }
            for (k, v) in corners.iter().enumerate() {
                let [a, b, c] = distances.map(|d| d[k]);
                s.vertex([v[0], v[1], 0.5, 1.0], &[1.0, a, b, c]);
            }
            render(1, Format::R32_SFLOAT, SIZE, &mut [s])
        });
        // Along each edge, the first and the last place with no negative distance.
        let cut = |of: usize, to: usize| {
            let t = distances[of][of] / (distances[of][of] - distances[of][to]);
            [0, 1].map(|c| corners[of][c] + (corners[to][c] - corners[of][c]) * t)
        };
        let polygon =
            [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2)].map(|(of, to)| snap(cut(of, to), SIZE));
        for (y, x) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (y, x))) {
            let [under, samples, over] = [&under, &samples, &over].map(|p| p.float(x, y)[0]);
            // Corners are rounded to 1/256 pixels.
            let near = f32::from(u8::from(covers(M::Overestimate, 3, &polygon, x, y)));
            let ascending = [0.0, under, samples, over, near, 1.0];
            assert!(ascending.is_sorted(), "{corners:?} {distances:?} {x},{y}: {ascending:?}");
        }
    }
}

/// Scenes of triangles that are large, small and whole tiles, of points, and of stippled lines.
fn shapes() -> Vec<Scene> {
    let off = ConservativeMode::Disabled;
    let filled = scene(&triangles(60, SIZE), SIZE, off, 0.0);
    let whole = scene(&[[[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]]], SIZE, off, 0.0);
    let mut lines = scene(&triangles(20, SIZE), SIZE, off, 0.0);
    (lines.desc.topology, lines.desc.line_mode) = (Topology::LineStrip, LineMode::Bresenham);
    (lines.desc.line_stipple, lines.dynamic.line_stipple) =
        (true, LineStipple { factor: 2, pattern: 0x5a5a });
    let mut points = scene(&triangles(20, SIZE), SIZE, off, 0.0);
    points.desc.topology = Topology::PointList;
    let conservative = scene(&triangles(20, SIZE), SIZE, ConservativeMode::Overestimate, 0.0);
    vec![filled, whole, lines, points, conservative]
}

#[test]
fn discard_rectangles_remove_pixels() {
    let rect = |x, y, width, height| Rect { x, y, width, height };
    let rects = vec![rect(3, 5, 30, 41), rect(20, 20, 64, 9), rect(64, 0, 1, 75), rect(70, 70, 0, 9)];
    for (exclusive, count) in [(false, u32::MAX), (true, u32::MAX), (false, 1), (true, 2)] {
        let of = DiscardRectangles { enable: true, exclusive, count, rects: rects.clone() };
        let kept = |x: u32, y: u32| {
            let inside = |at: u32, from: i32, n: u32| at >= from as u32 && at < from as u32 + n;
            let is_in = |r: &Rect| inside(x, r.x, r.width) && inside(y, r.y, r.height);
            rects.iter().take(count as usize).any(is_in) != exclusive
        };
        for (samples, lanes) in [(1, 8), (1, 32), (4, 16)] {
            let [free, cut] = [DiscardRectangles::default(), of.clone()].map(|rects| {
                let mut scenes = shapes();
                for s in &mut scenes {
                    (s.lanes, s.dynamic.discard_rectangles) = (lanes, rects.clone());
                }
                render_samples(samples, 2, &mut scenes, false).0
            });
            for (y, x) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (y, x))) {
                for s in 0..samples {
                    let want = if kept(x, y) { sample(&free, s, x, y) } else { 0.0 };
                    assert_eq!(sample(&cut, s, x, y), want, "{of:?}, sample {s} of {x},{y}");
                }
            }
        }
    }
}
