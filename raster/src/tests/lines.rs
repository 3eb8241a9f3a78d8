//! Points and lines, polygons drawn as points and lines, and the provoking vertex.

use quadrille_jit::ir::{BuiltIn, Interpolation, Slot};

use super::coverage::snap;
use super::harness::*;
use crate::memory::format::Format;
use crate::state::{CullMode, FrontFace, LineMode, LineStipple, PolygonMode, Rect, Topology, Viewport};

const SIZE: [u32; 2] = [120, 90];

fn lines(mode: LineMode, topology: Topology) -> Scene {
    let mut s = Scene::new(1, Interpolation::Flat, SIZE);
    s.desc.topology = topology;
    s.desc.line_mode = mode;
    s.desc.blend = vec![additive()];
    s
}

/// Normalized coordinates of a position in pixels.
fn ndc([x, y]: [f32; 2]) -> [f32; 4] {
    [x / SIZE[0] as f32 * 2.0 - 1.0, y / SIZE[1] as f32 * 2.0 - 1.0, 0.5, 1.0]
}

fn draw(s: &mut Scene) -> Picture {
    render(2, Format::R32_SFLOAT, SIZE, std::slice::from_mut(s))
}

/// Returns true if a segment passes the diamond around a pixel centre and does not end in it. Returns `None` if the
/// segment touches the diamond's border, where the specification asks for a perturbation.
fn leaves_diamond([a, b]: [[i128; 2]; 2], c: [i128; 2]) -> Option<bool> {
    let d = [b[0] - a[0], b[1] - a[1]];
    let distance = |p: [i128; 2]| (p[0] - c[0]).abs() + (p[1] - c[1]).abs();
    // The Manhattan distance to the centre is least at an end, or where the segment has the centre's x or y.
    let mut least = [(distance(a), 1), (distance(b), 1)].to_vec();
    for k in 0..2 {
        let (num, den) = (c[k] - a[k], d[k]);
        if den != 0 && (0..=den.abs()).contains(&(num * den.signum())) {
            let other = (a[1 - k] - c[1 - k]) * den + d[1 - k] * num;
            least.push((other.abs(), den.abs()));
        }
    }
    if least.iter().any(|(n, d)| *n == 128 * d) {
        return None;
    }
    Some(least.iter().any(|(n, d)| *n < 128 * d) && distance(b) >= 128)
}

#[test]
fn bresenham_lines_leave_diamonds() {
    let mut rng = Rng(5);
    let mut tested = 0;
    for i in 0..400 {
        let reach = [1.5, 6.0, 40.0, 80.0][i % 4];
        let a = [rng.range(20.0, 100.0), rng.range(20.0, 70.0)];
        let b = [0, 1].map(|k| (a[k] + rng.range(-reach, reach)).clamp(1.0, SIZE[k] as f32 - 1.0));
        let mut s = lines(LineMode::Bresenham, Topology::LineList);
        [a, b].iter().for_each(|&p| s.vertex(ndc(p), &[1.0]));
        let segment = [a, b].map(|p| {
            let [x, y, ..] = ndc(p);
            snap([x, y], SIZE)
        });
        let pixels = || (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)));
        let want: Vec<_> = pixels()
            .map(|(x, y)| leaves_diamond(segment, [x, y].map(|v| i128::from(v) * 256 + 128)))
            .collect();
        if want.contains(&None) {
            continue;
        }
        tested += 1;
        let p = draw(&mut s);
        for ((x, y), want) in pixels().zip(want) {
            assert_eq!(p.float(x, y)[0], f32::from(u8::from(want == Some(true))), "{a:?} {b:?} at {x},{y}");
        }
    }
    assert!(tested > 100, "{tested}");
}

#[test]
fn rectangular_lines_are_rectangles() {
    for (a, b, width) in [([10.5, 20.0], [70.5, 20.0], 6.0), ([30.0, 10.5], [30.0, 50.5], 3.0)] {
        let mut s = lines(LineMode::Rectangular, Topology::LineList);
        s.dynamic.line_width = width;
        [a, b].iter().for_each(|&p| s.vertex(ndc(p), &[1.0]));
        let p = draw(&mut s);
        let across = usize::from(a[0] != b[0]);
        for y in 0..SIZE[1] {
            for x in 0..SIZE[0] {
                let c = [x as f32 + 0.5, y as f32 + 0.5];
                let inside = |k: usize, from: f32, to: f32| c[k] >= from && c[k] < to;
                let along = inside(1 - across, a[1 - across], b[1 - across]);
                let wide = inside(across, a[across] - width / 2.0, a[across] + width / 2.0);
                assert_eq!(p.float(x, y)[0] != 0.0, along && wide, "pixel {x},{y}");
            }
        }
    }
    // A slanted line covers about as many pixels as the rectangle has area.
    let mut s = lines(LineMode::Rectangular, Topology::LineList);
    s.dynamic.line_width = 8.0;
    [[20.0, 20.0], [80.0, 65.0]].iter().for_each(|&p| s.vertex(ndc(p), &[1.0]));
    let p = draw(&mut s);
    let n = p.bytes.chunks(4).filter(|b| *b != [0; 4]).count();
    assert!((595..606).contains(&n), "{n}");
}

#[test]
fn wide_lines_and_points_do_not_reach_in_from_outside() {
    let mut s = lines(LineMode::Rectangular, Topology::LineList);
    s.dynamic.line_width = 20.0;
    [[10.0, -3.0], [80.0, -3.0]].iter().for_each(|&p| s.vertex(ndc(p), &[1.0]));
    assert!(draw(&mut s).bytes.iter().all(|&b| b == 0));
    let mut s = lines(LineMode::Rectangular, Topology::PointList);
    s.vertex(ndc([10.0, -3.0]), &[1.0]);
    s.desc.stages[0].info.outputs[4].slot = Slot::BuiltIn(BuiltIn::PointSize, 0);
    assert!(draw(&mut s).bytes.iter().all(|&b| b == 0));
}

/// A line whose vertices lie within the view volume covers the pixels of its rectangle, also those beyond the viewport; of
/// another one, the part within the view volume does. Spec: Vulkan, "Primitive Clipping".
#[test]
fn lines_at_the_edge_of_the_viewport_reach_out_of_it() {
    for (mode, flipped) in [LineMode::Bresenham, LineMode::Rectangular].into_iter().zip([false, true]) {
        for (from, to, covered) in [(-0.5, 0.5, 20..40), (-2.0, 0.0, 10..30)] {
            let mut s = lines(mode, Topology::LineList);
            let (y, height) = if flipped { (40.0, -30.0) } else { (10.0, 30.0) };
            s.dynamic.viewports[0] =
                Viewport { x: 10.0, y, width: 40.0, height, min_depth: 0.0, max_depth: 1.0 };
            // On the upper edge of the viewport, half a pixel above and below. Centres on an upper edge are inside.
            let y = if flipped { 1.0 } else { -1.0 };
            [from, to].iter().for_each(|&x| s.vertex([x, y, 0.5, 1.0], &[1.0]));
            let p = draw(&mut s);
            for (y, x) in (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (y, x))) {
                let want = y == 9 && covered.contains(&x);
                assert_eq!(p.float(x, y)[0] != 0.0, want, "{mode:?} {from} {to}, pixel {x},{y}");
            }
            // The scissor cuts it.
            s.dynamic.scissors = vec![Rect { x: 10, y: 10, width: 40, height: 30 }];
            assert!(draw(&mut s).bytes.iter().all(|&b| b == 0));
        }
    }
}

#[test]
fn stipple_repeats_and_goes_on_along_strips() {
    for mode in [LineMode::Bresenham, LineMode::Rectangular] {
        for topology in [Topology::LineList, Topology::LineStrip] {
            let mut s = lines(mode, topology);
            s.desc.line_stipple = true;
            s.dynamic.line_stipple = LineStipple { factor: 2, pattern: 0x00f3 };
            for x in [8.5, 47.5, 47.5, 110.5] {
                s.vertex(ndc([x, 20.5]), &[1.0]);
            }
            let p = draw(&mut s);
            for x in 0..SIZE[0] {
                let inside = (8..110).contains(&x);
                let begin = if topology == Topology::LineList && x >= 47 { 47 } else { 8 };
                let bit = x.wrapping_sub(begin) / 2 % 16;
                let want = inside && 0xf3 >> bit & 1 != 0;
                assert_eq!(p.float(x, 20)[0] != 0.0, want, "{mode:?} {topology:?} {x}");
            }
        }
    }
}

#[test]
fn long_stippled_strips_do_not_depend_on_how_they_are_worked_on() {
    // Enough lines to fill several chunks, which are small in tests, so that work is interrupted and resumed.
    let make = || {
        let mut rng = Rng(4);
        let mut s = lines(LineMode::Rectangular, Topology::LineStrip);
        s.desc.line_stipple = true;
        s.dynamic.line_stipple = LineStipple { factor: 3, pattern: 0x0ff0 };
        for _ in 0..9000 {
            s.vertex(ndc([rng.range(0.0, 120.0), rng.range(0.0, 90.0)]), &[1.0]);
        }
        s
    };
    let one = render(1, Format::R32_SFLOAT, SIZE, &mut [make()]);
    assert!(render(3, Format::R32_SFLOAT, SIZE, &mut [make()]).bytes == one.bytes);
}

#[test]
fn smooth_lines_weigh_alpha_with_coverage() {
    let mut s = Scene::new(4, Interpolation::Flat, SIZE);
    s.desc.topology = Topology::LineList;
    s.desc.line_mode = LineMode::RectangularSmooth;
    [[20.0, 30.0], [80.0, 30.0]].iter().for_each(|&p| s.vertex(ndc(p), &[1.0, 1.0, 1.0, 1.0]));
    let p = render(2, Format::R32G32B32A32_SFLOAT, SIZE, &mut [s]);
    // The line lies between two rows of pixels and covers half of each.
    for x in 21..79 {
        assert_eq!(p.float(x, 29), [1.0, 1.0, 1.0, 0.5]);
        assert_eq!(p.float(x, 30), [1.0, 1.0, 1.0, 0.5]);
        assert_eq!(p.float(x, 28)[3], 0.0);
    }
}

#[test]
fn points_are_squares_with_coordinates() {
    let mut s = Scene::new(2, Interpolation::Flat, SIZE);
    s.desc.topology = Topology::PointList;
    s.desc.stages[0].info.outputs[4].slot = Slot::BuiltIn(BuiltIn::PointSize, 0);
    let f = s.desc.fragment.as_mut().unwrap();
    for (c, i) in f.inputs.iter_mut().enumerate() {
        i.slot = Slot::BuiltIn(BuiltIn::PointCoord, c as u32);
        i.interpolation = Interpolation::Linear;
    }
    s.dynamic.viewports[0].width = 120.0;
    s.vertex(ndc([40.0, 30.0]), &[8.0, 0.0]);
    let p = render(1, Format::R32G32_SFLOAT, SIZE, &mut [s]);
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let inside = (36..44).contains(&x) && (26..34).contains(&y);
            let want = if inside {
                // The harness's fragment stage divides by w, which is 1.
                [(x as f32 + 0.5 - 36.0) / 8.0, (y as f32 + 0.5 - 26.0) / 8.0]
            } else {
                [0.0; 2]
            };
            assert_eq!(p.float(x, y)[..2], want, "pixel {x},{y}");
        }
    }
}

#[test]
fn polygons_as_lines_are_their_edges() {
    let corners = [[20.3, 10.2], [100.7, 30.9], [50.1, 80.4]];
    let mut edges = lines(LineMode::Bresenham, Topology::LineList);
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        [corners[a], corners[b]].iter().for_each(|&p| edges.vertex(ndc(p), &[1.0]));
    }
    let want = draw(&mut edges);
    let polygon = |front_face| {
        let mut s = lines(LineMode::Bresenham, Topology::TriangleList);
        s.desc.polygon_mode = PolygonMode::Line;
        s.desc.front_face = front_face;
        s.desc.cull = CullMode { front: false, back: true };
        corners.iter().for_each(|&p| s.vertex(ndc(p), &[1.0]));
        draw(&mut s)
    };
    // The polygon is clockwise on the screen, where y goes down.
    assert!(polygon(FrontFace::Clockwise).bytes == want.bytes);
    assert!(polygon(FrontFace::CounterClockwise).bytes.iter().all(|&b| b == 0));
}

#[test]
fn polygons_as_points_are_their_corners() {
    let mut s = lines(LineMode::Rectangular, Topology::TriangleList);
    s.desc.polygon_mode = PolygonMode::Point;
    for p in [[20.5, 10.5], [100.5, 30.5], [50.5, 80.5]] {
        s.vertex(ndc(p), &[2.0]);
    }
    let p = draw(&mut s);
    let lit: Vec<_> = (0..SIZE[0] * SIZE[1])
        .filter(|i| p.float(i % SIZE[0], i / SIZE[0])[0] != 0.0)
        .map(|i| (i % SIZE[0], i / SIZE[0]))
        .collect();
    assert_eq!(lit, [(20, 10), (100, 30), (50, 80)]);
}

/// Triangles without an area have edges and corners, and are back-facing. Spec: Vulkan, VkPolygonMode and VkFrontFace.
#[test]
fn polygons_without_an_area_have_edges_and_corners() {
    let (a, b, c) = ([20.5, 10.5], [100.5, 50.5], [60.5, 30.5]);
    for corners in [[a, b, b], [a, b, c], [a, a, a]] {
        let mut edges = lines(LineMode::Bresenham, Topology::LineList);
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            [corners[from], corners[to]].iter().for_each(|&p| edges.vertex(ndc(p), &[1.0]));
        }
        let mut points = lines(LineMode::Rectangular, Topology::PointList);
        corners.iter().for_each(|&p| points.vertex(ndc(p), &[1.0]));
        for (mode, want) in [(PolygonMode::Line, draw(&mut edges)), (PolygonMode::Point, draw(&mut points))] {
            for front_face in [FrontFace::Clockwise, FrontFace::CounterClockwise] {
                let polygon = |front, back| {
                    let mut s = lines(LineMode::Bresenham, Topology::TriangleList);
                    s.desc.polygon_mode = mode;
                    s.desc.front_face = front_face;
                    s.desc.cull = CullMode { front, back };
                    corners.iter().for_each(|&p| s.vertex(ndc(p), &[1.0]));
                    draw(&mut s)
                };
                assert!(polygon(false, false).bytes == want.bytes, "{mode:?} {corners:?}");
                assert!(polygon(true, false).bytes == want.bytes, "{mode:?} {corners:?}, front faces culled");
                assert!(polygon(false, true).bytes.iter().all(|&b| b == 0), "{mode:?} {corners:?}");
            }
        }
    }
}

#[test]
fn flat_inputs_come_from_the_provoking_vertex() {
    for (last, want) in [(false, [1.0, 2.0]), (true, [3.0, 4.0])] {
        let mut s = Scene::new(1, Interpolation::Flat, SIZE);
        s.desc.topology = Topology::TriangleStrip;
        s.desc.provoking_last = last;
        for (i, p) in [[0.0, 0.0], [0.0, 90.0], [60.0, 0.0], [60.0, 90.0]].into_iter().enumerate() {
            s.vertex(ndc(p), &[1.0 + i as f32]);
        }
        let p = draw(&mut s);
        assert_eq!([p.float(1, 1)[0], p.float(58, 88)[0]], want);
        let mut s = lines(LineMode::Bresenham, Topology::LineList);
        s.desc.provoking_last = last;
        s.vertex(ndc([10.5, 5.5]), &[1.0]);
        s.vertex(ndc([50.5, 5.5]), &[2.0]);
        assert_eq!(draw(&mut s).float(20, 5)[0], if last { 2.0 } else { 1.0 });
    }
}

#[test]
fn sixteen_viewports_have_their_own_scissors() {
    let mut s = Scene::new(2, Interpolation::Flat, SIZE);
    s.desc.stages[0].info.outputs[5].slot = Slot::BuiltIn(BuiltIn::ViewportIndex, 0);
    let cell = |i: u32| [i % 4 * 30, i / 4 * 20];
    s.dynamic.viewports = (0..16)
        .map(|i| {
            let [x, y] = cell(i).map(|v| v as f32);
            Viewport { x, y, width: 30.0, height: 20.0, min_depth: 0.0, max_depth: 1.0 }
        })
        .collect();
    s.dynamic.scissors = (0..16)
        .map(|i| Rect { x: cell(i)[0] as i32 + 2, y: cell(i)[1] as i32, width: 1 + i, height: 12 })
        .collect();
    for i in 0..17 {
        for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
            s.vertex([x, y, 0.5, 1.0], &[1.0 + i as f32, f32::from_bits(i)]);
        }
    }
    let p = render(2, Format::R32_SFLOAT, SIZE, &mut [s]);
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let i = y / 20 * 4 + x / 30;
            let [dx, dy] = [x % 30, y % 20];
            let inside = i < 16 && dx >= 2 && dx < 3 + i && dy < 12;
            assert_eq!(p.float(x, y)[0], if inside { 1.0 + i as f32 } else { 0.0 }, "pixel {x},{y}");
        }
    }
}

#[test]
fn view_volumes_from_minus_one_halve_depth() {
    let depth_of = |negative: bool, z: f32| {
        let pool = crate::Pool::new(1);
        let mut color = Picture::new(Format::R32_SFLOAT, SIZE);
        let mut depth = Picture::new(Format::D32_SFLOAT, SIZE);
        let mut pass = begin(&pool, &mut color, Some((&mut depth, 9.0)));
        let mut s = Scene::new(1, Interpolation::Flat, SIZE);
        s.desc.negative_one_to_one = negative;
        s.desc.color_formats = vec![Some(Format::R32_SFLOAT)];
        s.desc.depth_format = Some(Format::D32_SFLOAT);
        s.desc.depth = crate::state::DepthState { test: true, write: true, ..Default::default() };
        for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
            s.vertex([x, y, z, 1.0], &[1.0]);
        }
        s.draw(&mut pass);
        pass.end().unwrap();
        depth.float(5, 5)[0]
    };
    assert_eq!(depth_of(true, -1.0), 0.0);
    assert_eq!(depth_of(true, 0.0), 0.5);
    assert_eq!(depth_of(true, 1.0), 1.0);
    assert_eq!(depth_of(true, -1.25), 9.0);
    assert_eq!(depth_of(false, 0.25), 0.25);
    assert_eq!(depth_of(false, -0.25), 9.0);
}
