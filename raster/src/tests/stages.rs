//! Tessellation and geometry stages, built from SPIR-V.

use std::sync::Arc;

use quadrille_jit::abi::Layout;
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{self, CompileOptions, NoImageOps};
use quadrille_jit::ir::{Interpolation, Stage};
use quadrille_jit::spirv::{Module, asm};
use quadrille_jit::{CpuLevel, Tier, interp};

use super::harness::*;
use crate::format::Format;
use crate::pass::Stats;
use crate::state::{DomainOrigin, PreRasterStage, Topology};
use crate::{Draw, Pass, Pool};

const CONTROL: &str = include_str!("shaders/control.tesc.spvasm");
pub const EVALUATION: &str = include_str!("shaders/evaluation.tese.spvasm");
pub const TRIANGLES: &str = include_str!("shaders/triangles.geom.spvasm");
pub const POINTS: &str = include_str!("shaders/points.geom.spvasm");

pub const SIZE: [u32; 2] = [96, 80];

/// Way to build a lane function, with the number of lanes.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    Interpreted(u32),
    Compiled(u32),
}

/// Builds a stage from SPIR-V assembly.
pub fn stage(text: &str, stage: Stage, way: Way) -> (PreRasterStage, LaneFn) {
    let words = asm::assemble(text).unwrap_or_else(|e| panic!("{e}"));
    let module = Module::parse(&words).unwrap_or_else(|e| panic!("{e}"));
    let shader = Arc::new(module.lower("main", stage, &[]).unwrap_or_else(|e| panic!("{e}")));
    let layout = Layout::default();
    let f = match way {
        Way::Interpreted(lanes) => interp::build(shader.clone(), &layout, lanes, &NoImageOps),
        Way::Compiled(lanes) => codegen::compile(
            &shader,
            &CompileOptions {
                lanes,
                tier: Tier::Optimized,
                layout: &layout,
                cpu: CpuLevel::current(),
                image_ops: &NoImageOps,
                missing: false,
            },
        ),
    };
    (PreRasterStage { kind: shader.kind, info: (&*shader).into() }, f.unwrap_or_else(|e| panic!("{e}")))
}

impl Scene {
    pub fn then(&mut self, (stage, f): (PreRasterStage, LaneFn)) {
        self.desc.stages.push(stage);
        self.later.push(f);
    }

    /// Draws patches of four vertices, tessellated with this evaluation stage.
    pub fn tessellate(&mut self, evaluation: &str, way: Way) {
        self.desc.topology = Topology::PatchList;
        self.dynamic.patch_control_points = 4;
        self.then(stage(CONTROL, Stage::TessellationControl, way));
        self.then(stage(evaluation, Stage::TessellationEvaluation, way));
    }

    /// Adds a patch with these corners in clip space.
    pub fn patch(&mut self, corners: [[f32; 2]; 4], attributes: [f32; 4]) {
        corners.iter().for_each(|[x, y]| self.vertex([*x, *y, 0.5, 1.0], &attributes));
    }
}

/// A scene that adds four floats to each pixel.
pub fn scene() -> Scene {
    let mut s = Scene::new(4, Interpolation::Flat, SIZE);
    s.desc.color_formats = vec![Some(Format::R32G32B32A32_SFLOAT)];
    s.desc.blend = vec![additive()];
    s
}

/// Draws with these tessellation levels: four outer, then two inner.
pub fn draw(threads: usize, s: &Scene, levels: [f32; 6]) -> (Picture, Stats) {
    let pool = Pool::new(threads);
    let mut picture = Picture::new(Format::R32G32B32A32_SFLOAT, SIZE);
    let mut pass = begin(&pool, &mut picture, None);
    let prepared = s.prepare().unwrap();
    prepared.bind(s, &mut pass);
    push(&mut pass, levels);
    s.call(&mut pass).unwrap();
    let stats = pass.end().unwrap();
    (picture, stats)
}

pub fn push(pass: &mut Pass<'_>, levels: [f32; 6]) {
    pass.push(&levels.map(f32::to_le_bytes).concat());
}

pub const WHOLE: [[f32; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

/// Returns the evaluation shader with other execution modes.
fn modes(domain: &str, spacing: &str, order: &str) -> String {
    EVALUATION
        .replace("%main Quads", &format!("%main {domain}"))
        .replace("%main SpacingEqual", &format!("%main {spacing}"))
        .replace("%main VertexOrderCcw", &format!("%main {order}"))
}

#[test]
fn a_patch_covers_each_pixel_once_whatever_its_levels() {
    let mut rng = Rng(3);
    for spacing in ["SpacingEqual", "SpacingFractionalEven", "SpacingFractionalOdd"] {
        let mut s = scene();
        s.tessellate(&modes("Quads", spacing, "VertexOrderCcw"), Way::Compiled(8));
        s.patch(WHOLE, [1.0, 2.0, 0.0, 0.0]);
        for _ in 0..12 {
            let levels = [(); 6].map(|()| rng.range(0.5, 20.0));
            let (p, stats) = draw(2, &s, levels);
            for y in 0..SIZE[1] {
                for x in 0..SIZE[0] {
                    assert_eq!(p.float(x, y), [1.0, 2.0, 0.0, 4.0], "{spacing} {levels:?} {x} {y}");
                }
            }
            assert_eq!((stats.input_primitives, stats.control_patches), (1, 1));
            assert_eq!(stats.fragment_invocations, u64::from(SIZE[0] * SIZE[1]));
            assert_eq!(stats.clipping_invocations, stats.generated[0]);
        }
    }
}

#[test]
fn levels_that_are_not_positive_discard_the_patch() {
    let mut s = scene();
    s.tessellate(EVALUATION, Way::Compiled(8));
    s.patch(WHOLE, [1.0; 4]);
    for bad in [0.0, -1.0, f32::NAN] {
        let (p, stats) = draw(1, &s, [4.0, 4.0, bad, 4.0, 4.0, 4.0]);
        assert!(p.bytes.iter().all(|&b| b == 0));
        assert_eq!((stats.control_patches, stats.evaluation_invocations), (1, 0));
    }
}

/// Adds `n` small patches at random places. They overlap, so that any change of order shows.
fn field(s: &mut Scene, n: usize) {
    let mut rng = Rng(17);
    for i in 0..n {
        let (x, y) = (rng.range(-1.0, 0.8), rng.range(-1.0, 0.8));
        let mut p = |dx: f32, dy: f32| [x + dx * rng.range(0.1, 0.3), y + dy * rng.range(0.1, 0.3)];
        let corners = [p(-1.0, -1.0), p(1.0, -1.0), p(1.0, 1.0), p(-1.0, 1.0)];
        s.patch(corners, [i as f32 / n as f32, 0.25, 0.5, 1.0]);
    }
}

#[test]
fn threads_and_the_way_that_stages_run_do_not_matter() {
    for geometry in [false, true] {
        let picture = |way, threads, domain: &str| {
            let mut s = scene();
            s.desc.blend = vec![crate::state::BlendState::source_over()];
            s.tessellate(&modes(domain, "SpacingFractionalOdd", "VertexOrderCw"), way);
            if geometry {
                s.then(stage(TRIANGLES, Stage::Geometry, way));
            }
            field(&mut s, 30);
            draw(threads, &s, [3.0, 5.5, 7.25, 2.0, 9.0, 4.5])
        };
        for domain in ["Quads", "Triangles"] {
            let one = picture(Way::Interpreted(8), 1, domain);
            assert!(one.0.bytes.iter().any(|&b| b != 0));
            for (way, threads) in [
                (Way::Compiled(8), 1),
                (Way::Compiled(4), 2),
                (Way::Compiled(16), 3),
                (Way::Interpreted(32), 2),
            ] {
                let other = picture(way, threads, domain);
                assert!(other.0.bytes == one.0.bytes, "{way:?} {threads} {domain} {geometry}");
                assert_eq!(other.1, one.1);
            }
        }
    }
}

#[test]
fn work_that_fills_its_chunk_is_resumed() {
    for geometry in [false, true] {
        let mut s = scene();
        s.tessellate(EVALUATION, Way::Compiled(8));
        if geometry {
            s.then(stage(TRIANGLES, Stage::Geometry, Way::Compiled(8)));
        }
        let n = 40;
        (0..n).for_each(|_| s.patch(WHOLE, [1.0, 1.0, 1.0, 1.0]));
        let (p, stats) = draw(2, &s, [64.0; 6]);
        // Each patch is 64 x 64 squares.
        assert_eq!(stats.evaluation_invocations, n * (4 * 64 + 63 * 63));
        assert_eq!(stats.generated[0], n * 2 * 64 * 64);
        assert_eq!(stats.clipping_primitives, n * 2 * 64 * 64);
        assert_eq!(stats.geometry_invocations, if geometry { n * 2 * 64 * 64 } else { 0 });
        assert_eq!(stats.fragment_invocations, n * u64::from(SIZE[0] * SIZE[1]));
        assert_eq!(p.float(5, 7)[0], n as f32);
        let ids: f32 = (0..n).map(|i| i as f32).sum();
        assert_eq!(p.float(5, 7)[2], ids);
    }
}

/// Spec: Vulkan, "Tessellator Vertex Winding Order".
#[test]
fn order_and_origin_say_which_side_is_front() {
    for domain in ["Quads", "Triangles"] {
        for (order, origin) in [
            ("VertexOrderCcw", DomainOrigin::UpperLeft),
            ("VertexOrderCw", DomainOrigin::LowerLeft),
            ("VertexOrderCw", DomainOrigin::UpperLeft),
            ("VertexOrderCcw", DomainOrigin::LowerLeft),
        ] {
            let mut s = scene();
            s.tessellate(&modes(domain, "SpacingEqual", order), Way::Compiled(8));
            s.desc.domain_origin = origin;
            // (u, v) maps directly to the picture, so v grows downwards, as with an upper left origin.
            // Counter-clockwise triangles on the screen face front.
            s.patch(WHOLE, [1.0; 4]);
            s.desc.cull.back = true;
            let (_, stats) = draw(1, &s, [2.0; 6]);
            let front = (order == "VertexOrderCcw") == (origin == DomainOrigin::UpperLeft);
            assert_eq!(stats.fragment_invocations > 0, front, "{domain} {order} {origin:?}");
        }
    }
}

/// Spec: Vulkan, "Geometry Shader Execution": invocations, strips, InvocationId and PrimitiveId.
#[test]
fn invocations_of_geometry_emit_strips_in_order() {
    let mut s = scene();
    s.desc.topology = Topology::PointList;
    s.then(stage(POINTS, Stage::Geometry, Way::Compiled(8)));
    // Squares side by side. Two invocations make each square: the upper half, then the lower half.
    for i in 0..6 {
        for j in 0..5 {
            s.vertex([i as f32 / 3.0 - 1.0, j as f32 / 2.5 - 1.0, 0.5, 1.0], &[7.0, 0.0, 0.0, 0.0]);
        }
    }
    let (p, stats) = draw(2, &s, [1.0 / 3.0, 1.0 / 5.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(stats.geometry_invocations, 60);
    assert_eq!((stats.geometry_primitives, stats.generated[0]), (30 * 4, 120));
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let (i, j) = (x / 16, y / 16);
            let lower = (y % 16 >= 8) as u32 as f32;
            assert_eq!(p.float(x, y), [7.0, lower, (i * 5 + j) as f32, 1.0], "{x} {y}");
        }
    }
}

#[test]
fn stages_that_do_not_fit_are_refused() {
    let mut s = scene();
    s.then(stage(POINTS, Stage::Geometry, Way::Compiled(8)));
    assert!(s.prepare().is_err(), "points from triangles");
    let mut s = scene();
    s.tessellate(EVALUATION, Way::Compiled(8));
    s.desc.topology = Topology::TriangleList;
    assert!(s.prepare().is_err(), "tessellation without patches");
    let mut s = scene();
    s.desc.topology = Topology::PatchList;
    assert!(s.prepare().is_err(), "patches without tessellation");
    let mut s = scene();
    s.then(stage(EVALUATION, Stage::TessellationEvaluation, Way::Compiled(8)));
    assert!(s.prepare().is_err(), "evaluation alone");
}

#[test]
fn many_small_tessellated_draws_among_others() {
    let pool = Pool::new(2);
    let mut picture = Picture::new(Format::R32G32B32A32_SFLOAT, SIZE);
    let mut pass = begin(&pool, &mut picture, None);
    let mut t = scene();
    t.tessellate(EVALUATION, Way::Compiled(8));
    t.patch(WHOLE, [1.0, 0.0, 0.0, 0.0]);
    let mut plain = scene();
    for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
        plain.vertex([x, y, 0.5, 1.0], &[0.0, 1.0, 0.0, 0.0]);
    }
    let (a, b) = (t.prepare().unwrap(), plain.prepare().unwrap());
    for i in 0..300 {
        a.bind(&t, &mut pass);
        push(&mut pass, [(i % 5) as f32; 6]);
        t.call(&mut pass).unwrap();
        if i % 3 == 0 {
            b.bind(&plain, &mut pass);
            plain.call(&mut pass).unwrap();
        }
    }
    pass.draw(&Draw::default()).unwrap();
    let stats = pass.end().unwrap();
    assert_eq!(stats.control_patches, 300);
    // Every fifth patch has levels of zero, which discard it.
    assert!((0..SIZE[0]).all(|x| picture.float(x, 9)[..2] == [240.0, 100.0]));
}

/// A grid of patches with jittered inner corners. Patches start at random corners, run in random directions and have
/// random inner levels, but both patches at an edge use the edge's outer level. Each pixel is covered once.
#[test]
fn patches_that_share_an_edge_meet_without_a_crack() {
    let (nx, ny) = (7, 6);
    for spacing in ["SpacingEqual", "SpacingFractionalEven", "SpacingFractionalOdd"] {
        let mut rng = Rng(91);
        let mut s = scene();
        s.tessellate(&modes("Quads", spacing, "VertexOrderCcw"), Way::Compiled(8));
        let mut corner = |i: usize, j: usize| {
            let inside = i > 0 && j > 0 && i < nx && j < ny;
            let mut at = |k: usize, n: usize| {
                let moved = if inside { rng.range(-0.3, 0.3) } else { 0.0 };
                (k as f32 + moved) / n as f32 * 2.0 - 1.0
            };
            [at(i, nx), at(j, ny)]
        };
        let corners: Vec<Vec<[f32; 2]>> =
            (0..=ny).map(|j| (0..=nx).map(|i| corner(i, j)).collect()).collect();
        // Outer levels of the edges that go right and down from a corner.
        let mut level = || 0.5 + (rng.next() % 200) as f32 / 16.0;
        let edges: Vec<Vec<[f32; 2]>> =
            (0..=ny).map(|_| (0..=nx).map(|_| [level(), level()]).collect()).collect();
        let mut patches = Vec::new();
        for j in 0..ny {
            for i in 0..nx {
                // Corners around the patch, and the levels of the edge after each corner.
                let around = [corners[j][i], corners[j][i + 1], corners[j + 1][i + 1], corners[j + 1][i]];
                let after = [edges[j][i][0], edges[j][i + 1][1], edges[j + 1][i][0], edges[j][i][1]];
                let (turn, mirror) = (rng.next() as usize % 4, rng.next() % 2 == 1);
                let at = |k: usize| if mirror { (turn + 4 - k) % 4 } else { (turn + k) % 4 };
                s.patch([0, 1, 2, 3].map(|k| around[at(k)]), [1.0; 4]);
                // The edge after the first corner is v = 0; u = 1, v = 1 and u = 0 follow.
                let [v0, u1, v1, u0] = [0, 1, 2, 3].map(|k| after[if mirror { at(k + 1) } else { at(k) }]);
                patches.push([u0, v0, u1, v1, rng.range(0.5, 12.0), rng.range(0.5, 12.0)]);
            }
        }
        let pool = Pool::new(2);
        let mut picture = Picture::new(Format::R32G32B32A32_SFLOAT, SIZE);
        let mut pass = begin(&pool, &mut picture, None);
        s.prepare().unwrap().bind(&s, &mut pass);
        for (i, &levels) in patches.iter().enumerate() {
            push(&mut pass, levels);
            pass.draw(&Draw { first: 4 * i as u32, count: 4, instances: 1, ..Draw::default() }).unwrap();
        }
        pass.end().unwrap();
        for y in 0..SIZE[1] {
            for x in 0..SIZE[0] {
                assert_eq!(picture.float(x, y)[0], 1.0, "{spacing} {x} {y}");
            }
        }
    }
}

/// Spec: Vulkan, "Tessellation Point Mode", "Isoline Tessellation".
#[test]
fn points_and_isolines_are_drawn() {
    let mode = "OpExecutionMode %main Quads";
    let points = EVALUATION.replace(mode, &format!("{mode}\nOpExecutionMode %main PointMode"));
    let mut s = scene();
    s.tessellate(&points, Way::Compiled(8));
    s.patch([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]], [1.0; 4]);
    let (p, stats) = draw(1, &s, [4.0; 6]);
    // 5 x 5 points of one pixel each.
    assert_eq!((stats.generated[0], stats.clipping_primitives, stats.fragment_invocations), (25, 25, 25));
    assert_eq!(p.bytes.chunks(16).filter(|c| c.iter().any(|&b| b != 0)).count(), 25);

    let mut s = scene();
    s.tessellate(&modes("Isolines", "SpacingEqual", "VertexOrderCcw"), Way::Compiled(8));
    s.patch([[-1.0, -0.9375], [1.0, -0.9375], [1.0, 1.0625], [-1.0, 1.0625]], [1.0; 4]);
    let (p, stats) = draw(1, &s, [5.0, 3.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!((stats.generated[0], stats.evaluation_invocations), (5 * 3, 5 * 4));
    // Five lines across the whole picture, 16 pixels apart.
    for y in 0..SIZE[1] {
        let want = if y % 16 == 2 { 1.0 } else { 0.0 };
        assert!((0..SIZE[0]).all(|x| p.float(x, y)[0] == want), "{y}");
    }
}

/// Outputs of the last pre-rasterization stage select a primitive's layer and viewport. Spec: Vulkan, "Layered
/// rendering", "Controlling the Viewport".
#[test]
fn the_last_stage_numbers_primitives_for_the_fragment_stage() {
    use quadrille_jit::ir::{BuiltIn, Interface, Slot, Ty};
    let mut s = scene();
    s.tessellate(EVALUATION, Way::Compiled(8));
    s.patch(WHOLE, [1.0; 4]);
    s.patch(WHOLE, [1.0; 4]);
    let front = |s: &Scene| s.prepare().map(|_| ()).is_ok();
    assert!(front(&s));
    // The stage writes 1.0 to this word, which read as an integer is a layer that the pass lacks: nothing is drawn.
    let outputs = &mut s.desc.stages[2].info.outputs;
    let at = outputs.iter().position(|o| o.slot == Slot::Location { location: 1, component: 0, index: 0 });
    outputs[at.unwrap()] = Interface { slot: Slot::BuiltIn(BuiltIn::Layer, 0), ty: Ty::I32, ..outputs[0] };
    let (p, stats) = draw(1, &s, [2.0; 6]);
    assert!(p.bytes.iter().all(|&b| b == 0) && stats.fragment_invocations == 0);
}

/// Each stream has separate strips, one stream is rasterized, and OutputVertices limits the sum over all streams. Spec:
/// VkPipelineRasterizationStateStreamCreateInfoEXT, SPIR-V OutputVertices.
#[test]
fn any_stream_may_be_rasterized_and_vertices_count_on_all() {
    const STREAMS: &str = include_str!("shaders/streams.geom.spvasm");
    for way in [Way::Interpreted(8), Way::Compiled(8), Way::Compiled(4)] {
        let mut s = scene();
        s.desc.topology = Topology::PointList;
        s.then(stage(STREAMS, Stage::Geometry, way));
        for i in 0..5 {
            s.vertex([0.0, 0.0, 0.5, 1.0], &[i as f32, 1.0, 0.0, 0.0]);
        }
        for stream in 0..4 {
            s.desc.rasterization_stream = stream;
            let (p, stats) = draw(2, &s, [0.0; 6]);
            assert_eq!(stats.generated, [5, 5, 0, 0], "{way:?} {stream}");
            assert_eq!(stats.geometry_primitives, 10);
            // Only stream 1 has positions.
            let color = if stream == 1 { [10.0, 5.0, 0.0, 0.0] } else { [0.0; 4] };
            for (x, y) in [(0, 0), (50, 40), (SIZE[0] - 1, SIZE[1] - 1)] {
                assert_eq!(p.float(x, y), color, "{way:?} {stream}");
            }
        }
        s.desc.rasterization_stream = 4;
        assert!(s.prepare().is_err(), "there are four streams");
    }
    // Without a geometry stage, only stream 0 has primitives.
    let mut s = scene();
    for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
        s.vertex([x, y, 0.5, 1.0], &[1.0; 4]);
    }
    for stream in 0..2 {
        s.desc.rasterization_stream = stream;
        let (p, stats) = draw(1, &s, [0.0; 6]);
        assert_eq!((p.float(5, 5)[0], stats.generated[0]), (if stream == 0 { 1.0 } else { 0.0 }, 1));
    }
}
