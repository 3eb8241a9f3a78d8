//! Draws with tessellation and geometry stages, and reads the pixels.
//!
//! The shaders are in `shaders/`, each after the GLSL source that it was compiled from. Vertices of `patch.vert` are
//! the corners of the image: upper left, upper right, lower left, lower right.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::bench::{self, Bench, CLEAR, Draw, SIZE, When, check};
use ash::vk;

/// Returns a stage of a pipeline, by the name of its file.
macro_rules! shader {
    ($name:literal) => {
        (bench::stage($name), include_str!(concat!("shaders/", $name, ".spvasm")))
    };
}

const QUAD: &[(vk::ShaderStageFlags, &str)] =
    &[PATCH, LEVELS, (EVALUATION, include_str!("shaders/quad.tese.spvasm")), COLOR];
const EVALUATION: vk::ShaderStageFlags = vk::ShaderStageFlags::TESSELLATION_EVALUATION;
const PATCH: (vk::ShaderStageFlags, &str) =
    (vk::ShaderStageFlags::VERTEX, include_str!("shaders/patch.vert.spvasm"));
const COLOR: (vk::ShaderStageFlags, &str) =
    (vk::ShaderStageFlags::FRAGMENT, include_str!("shaders/color.frag.spvasm"));

const LEVELS: (vk::ShaderStageFlags, &str) =
    (vk::ShaderStageFlags::TESSELLATION_CONTROL, include_str!("shaders/levels.tesc.spvasm"));

/// Colour of the patch: x and y of the tint that the control stage sets, the number of patch vertices divided by 8, and
/// the patch number plus one.
const OF_PATCH: [u8; 4] = [255, 128, 128, 255];

/// A patch covers the image whatever its levels.
#[test]
fn quads_cover_their_patch() {
    let bench = Bench::new();
    for levels in [[1.0; 6], [4.0; 6], [1.0, 2.0, 3.0, 64.0, 5.0, 7.0], [2.5, 99.0, 1.5, 3.0, 64.0, 0.5]] {
        check(&bench.draw(&Draw { shaders: QUAD, push: &levels, ..Draw::default() }), |_, _| OF_PATCH);
    }
    let linked = Draw { shaders: QUAD, linked: true, ..Draw::default() };
    check(&bench.draw(&linked), |_, _| OF_PATCH);
}

/// Spec: Vulkan, "Tessellator Patch Discard".
#[test]
fn an_outer_level_of_zero_discards_the_patch() {
    let bench = Bench::new();
    for level in [0.0, -1.0, f32::NAN] {
        let levels = [4.0, 4.0, level, 4.0, 4.0, 4.0];
        check(&bench.draw(&Draw { shaders: QUAD, push: &levels, ..Draw::default() }), |_, _| CLEAR);
    }
}

/// Incomplete patches are discarded; the number of patch vertices is dynamic.
#[test]
fn the_size_of_patches_is_dynamic() {
    let bench = Bench::new();
    let dynamic = &[vk::DynamicState::PATCH_CONTROL_POINTS_EXT];
    let draw = Draw { shaders: QUAD, patch: 32, dynamic, ..Draw::default() };
    for (points, drawn) in [(4, OF_PATCH), (5, CLEAR)] {
        let pixels = bench.draw_with(&draw, |cmd, when| {
            if when == When::Before {
                // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
                unsafe { bench.dynamic2.cmd_set_patch_control_points(cmd, points) };
            }
        });
        check(&pixels, |_, _| drawn);
    }
}

/// The pipeline's values of dynamic state are ignored, even if they are unsupported, and in every library.
#[test]
fn samples_and_their_mask_are_dynamic() {
    let bench = Bench::new();
    let dynamic = &[vk::DynamicState::RASTERIZATION_SAMPLES_EXT, vk::DynamicState::SAMPLE_MASK_EXT];
    let with = |linked| Draw { shaders: QUAD, dynamic, linked, ..Draw::default() };
    for (mask, linked, drawn) in
        [(1, false, OF_PATCH), (0, false, CLEAR), (1, true, OF_PATCH), (0, true, CLEAR)]
    {
        let draw = with(linked);
        let pixels = bench.draw_with(&draw, |cmd, when| {
            if when == When::Before {
                let one = vk::SampleCountFlags::TYPE_1;
                // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
                unsafe {
                    bench.dynamic3.cmd_set_rasterization_samples(cmd, one);
                    bench.dynamic3.cmd_set_sample_mask(cmd, one, &[mask]);
                }
            }
        });
        check(&pixels, |_, _| drawn);
    }
}

/// Triangles that are counterclockwise in the domain are front-facing if the domain's origin is the upper left, as in
/// framebuffers. Spec: Vulkan, VkTessellationDomainOrigin.
#[test]
fn the_origin_of_the_domain_turns_triangles_around() {
    use vk::TessellationDomainOrigin as Origin;
    let bench = Bench::new();
    let shown = [(Origin::UPPER_LEFT, OF_PATCH), (Origin::LOWER_LEFT, CLEAR)];
    let cull = vk::CullModeFlags::BACK;
    for (origin, expected) in shown {
        check(&bench.draw(&Draw { shaders: QUAD, origin, cull, ..Draw::default() }), |_, _| expected);
        let dynamic = &[vk::DynamicState::TESSELLATION_DOMAIN_ORIGIN_EXT];
        let draw = Draw { shaders: QUAD, cull, dynamic, ..Draw::default() };
        let pixels = bench.draw_with(&draw, |cmd, when| {
            if when == When::Before {
                // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
                unsafe { bench.dynamic3.cmd_set_tessellation_domain_origin(cmd, origin) };
            }
        });
        check(&pixels, |_, _| expected);
    }
}

/// The first outer level is the number of lines, at multiples of its inverse, without one at the end.
#[test]
fn isolines_are_lines() {
    let bench = Bench::new();
    let shaders = [PATCH, LEVELS, shader!("lines.tese"), COLOR];
    let draw = Draw { shaders: &shaders, push: &[4.0, 3.0, 0.0, 0.0, 0.0, 0.0], ..Draw::default() };
    check(&bench.draw(&draw), |_, y| if y % 4 == 0 { [255, 128, 0, 255] } else { CLEAR });
}

/// Points of a domain of 4 by 2: each once, without those that only lines would need.
#[test]
fn points_of_a_domain() {
    let bench = Bench::new();
    let shaders = [PATCH, LEVELS, shader!("points.tese"), COLOR];
    let draw = Draw { shaders: &shaders, push: &[2.0, 4.0, 2.0, 4.0, 4.0, 2.0], ..Draw::default() };
    check(&bench.draw(&draw), |x, y| match (x <= 8 && x % 2 == 0, y <= 8 && y % 4 == 0) {
        (true, true) => [255, 128, 0, 255],
        _ => CLEAR,
    });
}

/// Squares of 4 by 4 pixels around two points, one of each invocation.
fn squares(x: u32, y: u32) -> Option<[u8; 4]> {
    let (point, invocation) = (x / 8, y / 8);
    let inside = (2..6).contains(&(x % 8)) && (2..6).contains(&(y % 8));
    inside.then_some([[128, 255][point as usize], point as u8 * 255, invocation as u8 * 255, 255])
}

/// Each invocation turns a point into a square; the primitive number is an input and an output.
#[test]
fn geometry_makes_squares_of_points() {
    let bench = Bench::new();
    let shaders = [shader!("point.vert"), shader!("squares.geom"), COLOR];
    let topology = vk::PrimitiveTopology::POINT_LIST;
    let draw = Draw { shaders: &shaders, topology, push: &[0.25], vertices: 2, ..Draw::default() };
    check(&bench.draw(&draw), |x, y| squares(x, y).unwrap_or(CLEAR));
    let linked = Draw { linked: true, ..draw };
    check(&bench.draw(&linked), |x, y| squares(x, y).unwrap_or(CLEAR));
    let shaders = [shader!("point.vert"), shader!("squares.geom"), shader!("primitive.frag")];
    let numbered = Draw { shaders: &shaders, linked: false, ..draw };
    // Alpha is the primitive number that the geometry stage passes to the fragment stage.
    let expected = |x, y| squares(x, y).map(|[r, g, b, _]| [r, g, b, [128, 255][x as usize / 8]]);
    check(&bench.draw(&numbered), |x, y| expected(x, y).unwrap_or(CLEAR));
}

/// A line with adjacency has four vertices, which the shader outputs as a strip.
#[test]
fn geometry_sees_adjacent_vertices() {
    let bench = Bench::new();
    let shaders = [PATCH, shader!("adjacent.geom"), COLOR];
    let topology = vk::PrimitiveTopology::LINE_LIST_WITH_ADJACENCY;
    let draw = Draw { shaders: &shaders, topology, ..Draw::default() };
    // The sum of the corners is (2, 2, 0, 4).
    check(&bench.draw(&draw), |_, _| [255, 128, 0, 255]);
}

/// Each invocation draws to a different viewport.
#[test]
fn geometry_chooses_the_viewport() {
    let bench = Bench::new();
    let shaders = [PATCH, shader!("viewports.geom"), COLOR];
    let topology = vk::PrimitiveTopology::TRIANGLE_STRIP;
    let viewports = &[[0.0, 0.0, 8.0, 16.0], [8.0, 0.0, 8.0, 16.0]];
    let draw = Draw { shaders: &shaders, topology, viewports, ..Draw::default() };
    let pixels = bench.draw(&draw);
    for (i, pixel) in pixels.iter().enumerate() {
        let right = i as u32 % SIZE >= 8;
        assert_eq!((pixel[2], pixel[3]), (if right { 255 } else { 0 }, 255), "pixel {i}");
    }
}

/// The triangles of a tessellated patch reach the geometry stage.
#[test]
fn geometry_follows_tessellation() {
    let bench = Bench::new();
    let shaders = [
        PATCH,
        LEVELS,
        (EVALUATION, include_str!("shaders/quad.tese.spvasm")),
        shader!("viewports.geom"),
        COLOR,
    ];
    let viewports = &[[0.0, 0.0, 8.0, 16.0], [8.0, 0.0, 8.0, 16.0]];
    let draw = Draw { shaders: &shaders, viewports, ..Draw::default() };
    check(&bench.draw(&draw), |x, _| [255, 128, if x >= 8 { 255 } else { 0 }, 255]);
}

/// Vertices without outputs still form primitives.
#[test]
fn stages_may_hand_on_nothing() {
    let bench = Bench::new();
    let shaders = [shader!("nothing.vert"), shader!("fixed.geom"), COLOR];
    let topology = vk::PrimitiveTopology::POINT_LIST;
    let draw = Draw { shaders: &shaders, topology, vertices: 2, ..Draw::default() };
    check(&bench.draw(&draw), |_, _| [255, 255, 0, 255]);
    let shaders = [shader!("nothing.vert"), shader!("nothing.tesc"), shader!("fixed.tese"), COLOR];
    let draw = Draw { shaders: &shaders, ..Draw::default() };
    check(&bench.draw(&draw), |_, _| [255, 0, 255, 255]);
}

/// Spec: Vulkan, VkQueryPipelineStatisticFlagBits.
#[test]
fn statistics_of_all_stages() {
    use vk::QueryPipelineStatisticFlags as S;
    let bench = Bench::new();
    let d = &bench.gpu.device;
    let count = |draw: &Draw<'_>, statistics: S| {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::PIPELINE_STATISTICS)
            .query_count(1)
            .pipeline_statistics(statistics);
        let mut values = vec![[0u64; 4]];
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let pool = d.create_query_pool(&info, None).unwrap();
            bench.draw_with(draw, |cmd, when| match when {
                When::Before => {
                    d.cmd_reset_query_pool(cmd, pool, 0, 1);
                    d.cmd_begin_query(cmd, pool, 0, vk::QueryControlFlags::empty());
                }
                When::After => d.cmd_end_query(cmd, pool, 0),
                When::Begin | When::End => {}
            });
            let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WAIT;
            d.get_query_pool_results(pool, 0, &mut values, flags).unwrap();
            d.destroy_query_pool(pool, None);
        }
        values[0]
    };
    let shaders = [shader!("point.vert"), shader!("squares.geom"), COLOR];
    let topology = vk::PrimitiveTopology::POINT_LIST;
    let draw = Draw { shaders: &shaders, topology, push: &[0.25], vertices: 2, ..Draw::default() };
    let geometry =
        S::GEOMETRY_SHADER_INVOCATIONS | S::GEOMETRY_SHADER_PRIMITIVES | S::VERTEX_SHADER_INVOCATIONS;
    // In the order of the bits: two invocations for each point, each with two triangles.
    assert_eq!(count(&draw, geometry)[..3], [2, 4, 8]);
    let tessellation = S::TESSELLATION_CONTROL_SHADER_PATCHES
        | S::TESSELLATION_EVALUATION_SHADER_INVOCATIONS
        | S::CLIPPING_INVOCATIONS
        | S::INPUT_ASSEMBLY_PRIMITIVES;
    let draw = Draw { shaders: QUAD, push: &[2.0; 6], vertices: 8, ..Draw::default() };
    let [primitives, clipped, patches, points] = count(&draw, tessellation);
    // Two patches of 2 by 2 squares of two triangles, with nine points, which may be evaluated more than once.
    assert_eq!((primitives, clipped, patches), (2, 16, 2));
    assert!((18..=48).contains(&points), "{points}");
}

/// An input without an attribute is (0, 0, 0, 0), as the driver reports. As a position it draws nothing, whereas (0, 0,
/// 0, 1) would be the centre of the image. Spec: Vulkan, defaultVertexAttributeValue.
#[test]
fn inputs_without_an_attribute_are_zero() {
    let bench = Bench::new();
    let shaders = &[shader!("positions.vert"), shader!("color.frag")];
    let topology = vk::PrimitiveTopology::POINT_LIST;
    let draw = Draw { shaders, topology, vertices: 1, ..Draw::default() };
    check(&bench.draw(&draw), |_, _| CLEAR);
    // With a vertex buffer, the same pipeline input draws the point.
    let vertices = bench.gpu.buffer(16, vk::BufferUsageFlags::VERTEX_BUFFER);
    vertices.write(&[0.0f32, 0.0, 0.0, 1.0]);
    let with = Draw { stride: Some(16), ..draw };
    let pixels = bench.draw_with(&with, |cmd, when| {
        if when == When::Before {
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe { bench.gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[vertices.buffer], &[0]) };
        }
    });
    assert_eq!(pixels.iter().filter(|&&p| p != CLEAR).count(), 1);
    vertices.destroy(&bench.gpu);
}

/// Barycentric coordinates of a triangle with twice the width and height of the image; w of its second vertex is 2.
/// Spec: Vulkan, BaryCoordKHR and BaryCoordNoPerspKHR.
#[test]
fn fragments_have_weights_of_vertices() {
    let bench = Bench::new();
    let shaders = &[shader!("positions.vert"), shader!("weights.frag")];
    let topology = vk::PrimitiveTopology::TRIANGLE_LIST;
    let draw = Draw { shaders, topology, vertices: 3, stride: Some(16), ..Draw::default() };
    let corners = [[-1.0f32, -1.0, 0.0, 1.0], [6.0, -2.0, 0.0, 2.0], [-1.0, 3.0, 0.0, 1.0]];
    let vertices = bench.gpu.buffer(48, vk::BufferUsageFlags::VERTEX_BUFFER);
    vertices.write(&corners);
    let pixels = bench.draw_with(&draw, |cmd, when| {
        if when == When::Before {
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe { bench.gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[vertices.buffer], &[0]) };
        }
    });
    check(&pixels, |x, y| {
        let [u, v] = [x, y].map(|at| (f64::from(at) + 0.5) / 32.0);
        let byte = |weight: f64| (weight * 2.0 * 255.0).round() as u8;
        // Without perspective the coordinates are linear in the image; with perspective they are divided by w and
        // normalized to sum 1.
        let sum = 1.0 - u - v + u / 2.0 + v;
        [byte(u / 2.0 / sum), byte(v / sum), byte(u), 255]
    });
    vertices.destroy(&bench.gpu);
}
