//! Coverage of triangles, points and lines. A reference for triangles tests every pixel.

use quadrille_jit::ir::Interpolation;

use super::harness::*;
use crate::memory::format::Format;
use crate::state::{CullMode, FrontFace, LineMode, Rect, Topology};

/// Position of a vertex in 1/256 pixels, from normalized coordinates with w = 1.
pub(super) fn snap(v: [f32; 2], size: [u32; 2]) -> [i128; 2] {
    let at = |c: usize| {
        let half = size[c] as f32 * 0.5;
        ((half + v[c] * half) * 256.0).round_ties_even() as i128
    };
    [at(0), at(1)]
}

/// Returns true if `p` is inside by the top-left rule, as the specification words the rule.
pub(super) fn inside(t: [[i128; 2]; 3], p: [i128; 2]) -> bool {
    let cross = |a: [i128; 2], b: [i128; 2], p: [i128; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    let area = cross(t[0], t[1], t[2]);
    let t = if area < 0 { [t[0], t[2], t[1]] } else { t };
    area != 0
        && (0..3).all(|i| {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            // The triangle is clockwise with y down: an upward edge is a left edge, a rightward flat edge is a top
            // edge.
            let owned = b[1] < a[1] || (b[1] == a[1] && b[0] > a[0]);
            let c = cross(a, b, p);
            c > 0 || (c == 0 && owned)
        })
}

fn covers(t: [[i128; 2]; 3], x: u32, y: u32) -> bool {
    inside(t, [i128::from(x) * 256 + 128, i128::from(y) * 256 + 128])
}

fn counts(threads: usize, size: [u32; 2], lanes: u32, triangles: &[[[f32; 2]; 3]]) -> Picture {
    let mut s = Scene::new(1, Interpolation::Flat, size);
    s.lanes = lanes;
    s.desc.blend = vec![additive()];
    for t in triangles {
        for v in t {
            s.vertex([v[0], v[1], 0.5, 1.0], &[1.0]);
        }
    }
    render(threads, Format::R32_SFLOAT, size, &mut [s])
}

fn check(size: [u32; 2], triangles: &[[[f32; 2]; 3]], pictures: &[Picture]) {
    let snapped: Vec<_> = triangles.iter().map(|t| t.map(|v| snap(v, size))).collect();
    for y in 0..size[1] {
        for x in 0..size[0] {
            let want = snapped.iter().filter(|t| covers(**t, x, y)).count() as f32;
            for p in pictures {
                assert_eq!(p.float(x, y)[0], want, "pixel {x},{y}");
            }
        }
    }
}

#[test]
fn random_triangles_match_the_reference_at_every_stamp_shape() {
    let size = [203, 141];
    let mut rng = Rng(1);
    let mut triangles = Vec::new();
    for i in 0..300 {
        let reach = [0.05, 0.3, 1.0, 20.0][i % 4];
        let at = [rng.range(-1.1, 1.1), rng.range(-1.1, 1.1)];
        triangles
            .push([(); 3].map(|()| [at[0] + rng.range(-reach, reach), at[1] + rng.range(-reach, reach)]));
    }
    let pictures: Vec<_> = [4, 8, 16, 32].map(|lanes| counts(2, size, lanes, &triangles)).into();
    check(size, &triangles, &pictures);
}

#[test]
fn vertices_on_pixel_centres_follow_the_top_left_rule() {
    let size = [64, 64];
    let mut rng = Rng(2);
    let grid = |rng: &mut Rng| ((rng.next() % 130) as f32 * 0.5 - 0.5) / 32.0 - 1.0;
    let triangles: Vec<_> = (0..200).map(|_| [(); 3].map(|()| [grid(&mut rng), grid(&mut rng)])).collect();
    check(size, &triangles, &[counts(1, size, 8, &triangles)]);
}

/// A mesh larger than the picture, with jittered inner vertices.
fn mesh(n: u32, rng: &mut Rng) -> Vec<[[f32; 2]; 3]> {
    let mut at = Vec::new();
    for j in 0..=n {
        for i in 0..=n {
            let mut moved = |k: u32| {
                let edge = k == 0 || k == n;
                (k as f32 + if edge { 0.0 } else { rng.range(-0.2, 0.2) }) / n as f32 * 2.4 - 1.2
            };
            at.push([moved(i), moved(j)]);
        }
    }
    let mut out = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let k = |i: u32, j: u32| at[(j * (n + 1) + i) as usize];
            let (a, b, c, d) = (k(i, j), k(i + 1, j), k(i, j + 1), k(i + 1, j + 1));
            out.extend(if rng.next() & 1 == 0 { [[a, b, c], [c, b, d]] } else { [[a, b, d], [a, d, c]] });
        }
    }
    out
}

#[test]
fn meshes_cover_each_pixel_once() {
    for (n, size) in [(3, [300, 200]), (40, [257, 130]), (200, [128, 128])] {
        let p = counts(2, size, 8, &mesh(n, &mut Rng(u64::from(n))));
        for y in 0..size[1] {
            for x in 0..size[0] {
                assert_eq!(p.float(x, y)[0], 1.0, "mesh {n}, pixel {x},{y}");
            }
        }
    }
}

#[test]
fn a_floor_through_the_eye_is_watertight() {
    // A floor from behind the eye to the far plane, whose sides lie far beyond the guard band.
    let size = [320, 200];
    let mut s = Scene::new(1, Interpolation::Perspective, size);
    s.desc.blend = vec![additive()];
    let corner = |x: f32, depth: f32| [x, 1.0, depth * 1.001 - 0.1, depth];
    let n = 40;
    for i in 0..n {
        let x = |i: i32| {
            if i == 0 {
                -1e4
            } else if i == n {
                1e4
            } else {
                (i - n / 2) as f32 * 3.0
            }
        };
        let (a, b) = (x(i), x(i + 1));
        for v in [
            corner(a, -5.0),
            corner(b, -5.0),
            corner(a, 50.0),
            corner(a, 50.0),
            corner(b, -5.0),
            corner(b, 50.0),
        ] {
            s.vertex(v, &[1.0]);
        }
    }
    let p = render(2, Format::R32_SFLOAT, size, &mut [s]);
    for y in 0..size[1] {
        for x in 0..size[0] {
            // y_ndc = 1 / depth: the floor covers all rows below the one at depth 50 and none of the upper half.
            let want = if y >= 103 { 1.0 } else { 0.0 };
            if !(100..103).contains(&y) {
                let got = p.float(x, y)[0];
                assert!((got - want).abs() < 1e-3, "pixel {x},{y}: {got}");
            }
        }
    }
}

#[test]
fn culling_scissor_and_viewport() {
    let size = [64, 64];
    // This triangle is clockwise on the screen.
    let t = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
    let scene = |reverse: bool| {
        let mut s = Scene::new(1, Interpolation::Flat, size);
        for i in if reverse { [0, 2, 1] } else { [0, 1, 2] } {
            s.vertex([t[i][0], t[i][1], 0.5, 1.0], &[1.0]);
        }
        s
    };
    let seen = |s: Scene| render(1, Format::R32_SFLOAT, size, &mut [s]).float(8, 8)[0] == 1.0;
    for (reverse, front_face, cull_front, visible) in [
        (false, FrontFace::Clockwise, false, true),
        (false, FrontFace::Clockwise, true, false),
        (false, FrontFace::CounterClockwise, false, false),
        (true, FrontFace::CounterClockwise, false, true),
        (true, FrontFace::Clockwise, true, true),
    ] {
        let mut s = scene(reverse);
        s.desc.front_face = front_face;
        s.desc.cull = CullMode { front: cull_front, back: !cull_front };
        assert_eq!(seen(s), visible);
    }
    let mut s = scene(false);
    s.dynamic.scissors[0] = Rect { x: 3, y: 5, width: 10, height: 7 };
    let p = render(1, Format::R32_SFLOAT, size, &mut [s]);
    for y in 0..64 {
        for x in 0..64 {
            let inside = (3..13).contains(&x) && (5..12).contains(&y);
            assert_eq!(p.float(x, y)[0] == 1.0, inside, "pixel {x},{y}");
        }
    }
    // An upside-down viewport that is smaller than the triangle.
    let mut s = scene(false);
    s.vertices.chunks_exact_mut(5).for_each(|v| (0..2).for_each(|c| v[c] *= 3.0));
    let v = &mut s.dynamic.viewports[0];
    (v.x, v.y, v.width, v.height) = (10.0, 50.0, 20.0, -30.0);
    let p = render(1, Format::R32_SFLOAT, size, &mut [s]);
    for y in 0..64 {
        for x in 0..64 {
            let inside = (10..30).contains(&x) && (20..50).contains(&y);
            assert!(inside || p.float(x, y)[0] == 0.0, "pixel {x},{y}");
        }
    }
    assert_eq!((p.float(10, 49)[0], p.float(28, 49)[0]), (1.0, 1.0));
}

#[test]
fn points_are_squares() {
    let size = [32, 32];
    let mut s = Scene::new(1, Interpolation::Flat, size);
    s.desc.topology = Topology::PointList;
    s.vertex([0.0, 0.0, 0.5, 1.0], &[1.0]);
    s.vertex([-0.5, -0.5, 0.5, 1.0], &[2.0]);
    s.vertex([1.5, 0.0, 0.5, 1.0], &[1.0]);
    let p = render(1, Format::R32_SFLOAT, size, &mut [s]);
    let lit: Vec<_> =
        (0..1024).filter(|i| p.float(i % 32, i / 32)[0] != 0.0).map(|i| (i % 32, i / 32)).collect();
    assert_eq!(lit, [(7, 7), (15, 15)]);
}

#[test]
fn lines_have_one_pixel_per_column_or_row() {
    let size = [64, 48];
    let mut rng = Rng(4);
    for _ in 0..60 {
        let mut s = Scene::new(1, Interpolation::Perspective, size);
        s.desc.topology = Topology::LineList;
        s.desc.line_mode = LineMode::Bresenham;
        let ends = [(); 2].map(|()| [rng.range(-0.95, 0.95), rng.range(-0.95, 0.95)]);
        for (i, e) in ends.iter().enumerate() {
            s.vertex([e[0], e[1], 0.5, 1.0], &[1.0 + i as f32]);
        }
        let p = render(1, Format::R32_SFLOAT, size, &mut [s]);
        let [a, b] = ends.map(|e| snap(e, size));
        let wide = (b[0] - a[0]).abs() >= (b[1] - a[1]).abs();
        let (along, across) = if wide { (0, 1) } else { (1, 0) };
        for i in 0..size[along] {
            let lit: Vec<u32> = (0..size[across])
                .filter(|&j| if wide { p.float(i, j)[0] } else { p.float(j, i)[0] } != 0.0)
                .collect();
            let center = i128::from(i) * 256 + 128;
            let inside = center > a[along].min(b[along]) && center < a[along].max(b[along]);
            // At the ends, the diamond-exit rule decides.
            let near_end = [a, b].iter().any(|e| (e[along] - center).abs() <= 128);
            assert!(lit.len() == usize::from(inside) || (near_end && lit.len() < 2), "{ends:?} {i}");
            if let [j] = lit[..] {
                let t = (center - a[along]) as f64 / (b[along] - a[along]) as f64;
                let exact = a[across] as f64 + t * (b[across] - a[across]) as f64;
                assert!((f64::from(j) * 256.0 + 128.0 - exact).abs() <= 128.0);
                let value = if wide { p.float(i, j) } else { p.float(j, i) }[0];
                assert!((0.9..=2.1).contains(&value));
            }
        }
    }
}

#[test]
fn lines_are_clipped() {
    let size = [64, 64];
    let mut s = Scene::new(1, Interpolation::Perspective, size);
    s.desc.topology = Topology::LineStrip;
    // The strip crosses the picture from far outside, then enters from behind the eye.
    s.vertex([-1e6, 0.01, 0.5, 1.0], &[1.0]);
    s.vertex([1e6, 0.01, 0.5, 1.0], &[1.0]);
    s.vertex([0.01, 0.5, -1.0, -1.0], &[1.0]);
    s.vertex([0.01, 0.5, 1.0, 1.0], &[1.0]);
    let p = render(1, Format::R32_SFLOAT, size, &mut [s]);
    assert!((0..64).all(|x| p.float(x, 32)[0] == 1.0));
    assert!((50..64).all(|y| p.float(32, y)[0] > 0.99));
    assert!((0..30).all(|y| p.float(32, y)[0] == 0.0));
}
