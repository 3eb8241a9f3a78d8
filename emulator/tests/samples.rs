//! Several samples per pixel, and points with size, through the full API, on GLSL shaders (feature `glsl`).

#![cfg(feature = "glsl")]

use quadrille::{
    BindPoint, BufferDesc, BufferUsage, CompareOp, DescriptorBinding, DescriptorKind, Device, DeviceOptions,
    Format, GraphicsPipelineDesc, ImageDesc, ImageUsage, ImageViewDesc, QueryKind, Rect, RenderingAttachment,
    RenderingInfo, Result, ShaderStage, ShaderTest, Stage, TestRun, Topology, frontend,
};
use quadrille_raster::samples::sample_positions;

const SIZE: u32 = 8;

/// A triangle whose varying `u` is 0 at the left edge of the image and 1 at its right edge.
const VERTEX: &str = "#version 450
    layout(location = 0) out vec2 u;
    void main() {
        vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
        u = p;
        gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0);
    }";

/// A triangle that covers everything above the diagonal from the lower left to the upper right corner.
const HALF: &str = "#version 450
    layout(location = 0) out vec2 u;
    void main() {
        vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
        u = p;
        gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0);
    }";

/// Draws in generated code and in the interpreter, which must agree.
fn draw(vertex: &str, head: &str, body: &str, samples: u32) -> Result<TestRun> {
    let source = format!(
        "#version 450
        layout(binding = 0) buffer B {{ vec4 b[]; }};
        layout(location = 0) out vec4 color;
        {head}
        void main() {{
            uint at = (uint(gl_FragCoord.y) * {SIZE} + uint(gl_FragCoord.x)) * 16;
            {body}
        }}"
    );
    draw_topology(&source, vertex, Topology::TriangleList, 3, samples)
}

fn draw_topology(
    source: &str,
    vertex: &str,
    topology: Topology,
    vertices: u32,
    samples: u32,
) -> Result<TestRun> {
    let run = |interp: bool| -> Result<TestRun> {
        let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() })?;
        ShaderTest::glsl_fragment(source)?
            .vertex_glsl(vertex, vertices)?
            .topology(topology)
            .on(&device)
            .target(Format::R32G32B32A32_SFLOAT)
            .samples(samples)
            .bind_zeros::<[f32; 4]>(0, 0, (SIZE * SIZE * 16) as usize)
            .draw(SIZE, SIZE)
    };
    let (generated, interpreted) = (run(false)?, run(true)?);
    assert_eq!(generated.read::<u32>(0, 0)?, interpreted.read::<u32>(0, 0)?);
    assert_eq!(generated.read_target::<u32>()?, interpreted.read_target::<u32>()?);
    Ok(generated)
}

/// SampleId, SamplePosition and FragCoord of each sample; inputs are evaluated at the sample.
#[test]
fn shaders_that_ask_for_the_sample_run_for_each() -> Result<()> {
    let body = "b[at + gl_SampleID] += vec4(gl_SamplePosition, fract(gl_FragCoord.x), u.y);
        color = vec4(gl_SampleID, gl_SampleMaskIn[0], u.x, 1.0);";
    for samples in [1, 2, 4, 8, 16] {
        let run = draw(VERTEX, "layout(location = 0) in vec2 u;", body, samples)?;
        let b: Vec<[f32; 4]> = run.read(0, 0)?;
        for (i, of_pixel) in b.chunks(16).enumerate() {
            for (k, at) in of_pixel.iter().enumerate() {
                let y = i as f32 / SIZE as f32;
                match sample_positions(samples).get(k) {
                    None => assert_eq!(*at, [0.0; 4]),
                    Some(p) => {
                        assert_eq!(at[..3], [p[0], p[1], p[0]]);
                        let want = (y.floor() + p[1]) / SIZE as f32;
                        assert!((at[3] - want).abs() < 1e-6, "{samples} {k}: {at:?}");
                    }
                }
            }
        }
        let pixels: Vec<[f32; 4]> = run.read_target()?;
        let n = samples as f32;
        let masks = ((1u32 << samples) - 1) as f32 / n;
        assert!(pixels.iter().all(|p| p[0] == (n - 1.0) / 2.0 && p[1] == masks && p[3] == 1.0));
    }
    Ok(())
}

/// Interpolation functions for other positions, in shaders that run once per pixel.
#[test]
fn inputs_are_evaluated_at_centroids_samples_and_offsets() -> Result<()> {
    let head = "layout(location = 0) in vec2 u;";
    let body = "vec2 c = interpolateAtCentroid(u);
        vec2 s = interpolateAtSample(u, 1 + int(gl_FragCoord.x) % 2);
        vec2 o = interpolateAtOffset(u, vec2(0.25, -0.375));
        b[at] += vec4(c, s);
        b[at + 1] += vec4(o, u);
        b[at + 2].x = gl_SampleMaskIn[0];
        color = vec4(1.0);";
    let positions = sample_positions(4);
    let run = draw(HALF, head, body, 4)?;
    let b: Vec<[f32; 4]> = run.read(0, 0)?;
    let mut partly = 0;
    for (i, at) in b.chunks(16).enumerate() {
        let mask = at[2][0] as usize;
        if mask == 0 {
            continue;
        }
        let (x, y) = (i as u32 % SIZE, i as u32 / SIZE);
        let near = |value: &[f32], p: [f32; 2], what: &str| {
            let want = [x as f32 + p[0], y as f32 + p[1]].map(|v| v / SIZE as f32);
            let off = (value[0] - want[0]).abs().max((value[1] - want[1]).abs());
            assert!(off < 1e-6, "{what} at {x},{y}: {value:?} {want:?}");
        };
        partly += u32::from(mask != 15);
        let centroid = if mask == 15 { [0.5; 2] } else { positions[mask.trailing_zeros() as usize] };
        near(&at[0][..2], centroid, "centroid");
        near(&at[0][2..], positions[1 + x as usize % 2], "sample");
        near(&at[1][..2], [0.75, 0.125], "offset");
        near(&at[1][2..], [0.5; 2], "centre");
    }
    assert_eq!(partly, SIZE);
    Ok(())
}

/// Centroid inputs are evaluated inside the triangle; SampleMask removes samples.
#[test]
fn centroid_inputs_and_sample_masks() -> Result<()> {
    let head = "layout(location = 0) centroid in vec2 u;";
    let body = "b[at] = vec4(u, gl_SampleMaskIn[0], 1.0); gl_SampleMask[0] = 0x5; color = vec4(1.0);";
    for samples in [4, 8] {
        let run = draw(HALF, head, body, samples)?;
        let b: Vec<[f32; 4]> = run.read(0, 0)?;
        let pixels: Vec<[f32; 4]> = run.read_target()?;
        for (at, pixel) in b.chunks(16).zip(pixels) {
            let [u, v, mask, hit] = at[0];
            assert!(hit == 0.0 || u + v < 1.0 + 1e-6, "{u} {v}");
            let left = (mask as u32 & 5).count_ones() as f32 / samples as f32;
            assert_eq!(pixel[0], left);
        }
    }
    Ok(())
}

/// Spec: Vulkan, "Basic Point Rasterization": PointCoord goes from 0 to 1 over the point.
#[test]
fn points_have_a_size_and_coordinates() -> Result<()> {
    let vertex = "#version 450
        void main() { gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 4.0; }";
    let source = "#version 450
        layout(binding = 0) buffer B { vec4 b[]; };
        layout(location = 0) out vec4 color;
        void main() {
            uint at = (uint(gl_FragCoord.y) * 8 + uint(gl_FragCoord.x)) * 16;
            b[at] = vec4(gl_PointCoord, gl_FragCoord.xy);
            color = vec4(gl_PointCoord, 0.0, 1.0);
        }";
    for samples in [1, 4] {
        let run = draw_topology(source, vertex, Topology::PointList, 1, samples)?;
        let pixels: Vec<[f32; 4]> = run.read_target()?;
        for (i, pixel) in pixels.iter().enumerate() {
            let (x, y) = (i as f32 % 8.0 - 2.0, (i as f32 / 8.0).floor() - 2.0);
            let inside = (0.0..4.0).contains(&x) && (0.0..4.0).contains(&y);
            let want = if inside { [(x + 0.5) / 4.0, (y + 0.5) / 4.0, 0.0, 1.0] } else { [0.0; 4] };
            assert_eq!(*pixel, want, "{samples} samples, pixel {i}");
        }
    }
    Ok(())
}

/// The gl_SampleMaskIn of each pixel, 0 where the fragment shader did not run. Depth increases by 1/16 per pixel to the
/// right and down, and must be less than a limit.
fn masks(modes: &str, less_than: f32, samples: u32, interp: bool) -> Result<Vec<u32>> {
    let vertex = "#version 450
        void main() {
            vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
            gl_Position = vec4(p * 2.0 - 1.0, (p.x + p.y) / 2.0, 1.0);
        }";
    let fragment = format!(
        "#version 450
        #extension GL_ARB_post_depth_coverage : require
        {modes}
        layout(binding = 0) buffer B {{ uint b[]; }};
        layout(location = 0) out vec4 color;
        void main() {{
            b[uint(gl_FragCoord.y) * {SIZE} + uint(gl_FragCoord.x)] += uint(gl_SampleMaskIn[0]);
            color = vec4(1.0);
        }}"
    );
    let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() })?;
    let run = ShaderTest::glsl_fragment(&fragment)?
        .vertex_glsl(vertex, 3)?
        .on(&device)
        .samples(samples)
        .depth_test(CompareOp::Less, less_than)
        .bind_zeros::<u32>(0, 0, (SIZE * SIZE) as usize)
        .draw(SIZE, SIZE)?;
    run.read(0, 0)
}

/// Spec: SPV_KHR_post_depth_coverage: SampleMask is the coverage after the early depth test. Without the mode, the
/// shader sees every sample that the triangle covers, whether tests run before or after it.
#[test]
fn sample_masks_after_the_depth_test() -> Result<()> {
    let [post, early] = ["layout(post_depth_coverage) in;", "layout(early_fragment_tests) in;"];
    for (samples, interp) in [(2, false), (4, false), (4, true), (8, false), (16, false)] {
        // No sample lies on the limit, since samples are at multiples of 1/16 pixel.
        let limit = 8.0 + 1.0 / 32.0;
        let after = masks(post, limit / 16.0, samples, interp)?;
        let before = masks("", limit / 16.0, samples, interp)?;
        let covered = masks(early, limit / 16.0, samples, interp)?;
        let mut partly = 0;
        for (i, (after, before)) in after.iter().zip(&before).enumerate() {
            let (x, y) = ((i as u32 % SIZE) as f32, (i as u32 / SIZE) as f32);
            let passes = |p: &[f32; 2]| x + p[0] + y + p[1] < limit;
            let passing = sample_positions(samples).iter().enumerate().filter(|(_, p)| passes(p));
            let want: u32 = passing.map(|(k, _)| 1 << k).sum();
            let all = (1 << samples) - 1;
            partly += u32::from(want != 0 && want != all);
            assert_eq!(*after, want, "{samples} samples, pixel {x}, {y}");
            assert_eq!(*before, all, "{samples} samples, pixel {x}, {y}");
            assert_eq!(covered[i], if want == 0 { 0 } else { all }, "{samples} samples, pixel {x}, {y}");
        }
        assert!(partly >= SIZE, "{partly} pixels partly covered");
    }
    Ok(())
}

/// Samples of a pixel that pass the tests of a triangle masked to every other sample, and of an unmasked one behind it.
fn passing_samples(mode: &str, body: &str, samples: u32, interp: bool) -> Result<[u64; 2]> {
    let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() })?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let shader = |source: &str, stage| -> Result<_> {
        let words = frontend::compile_glsl(source, stage, &frontend::Options::default())?;
        ShaderStage::only(&device.create_shader_module(&words)?, stage)
    };
    let vertex = "#version 450
        void main() {
            vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
            gl_Position = vec4(p * 2.0 - 1.0, 0.5 + 0.25 * gl_InstanceIndex, 1.0);
        }";
    let fragment = format!(
        "#version 450
        #extension GL_ARB_post_depth_coverage : require
        {mode}
        void main() {{ {body} }}"
    );
    let pipeline = |mask| -> Result<_> {
        let fragment = shader(&fragment, Stage::Fragment)?;
        let mut desc = GraphicsPipelineDesc::new(&layout, shader(vertex, Stage::Vertex)?, Some(fragment));
        (desc.state.samples, desc.state.sample_mask) = (samples, Some(mask));
        desc.state.depth_format = Some(Format::D32_SFLOAT);
        (desc.state.depth.test, desc.state.depth.write) = (true, true);
        desc.state.depth.compare = CompareOp::Less;
        device.create_graphics_pipeline(&desc)
    };
    let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT;
    let desc = ImageDesc { samples, ..ImageDesc::new_2d(Format::D32_SFLOAT, SIZE, SIZE, usage) };
    let view = device
        .create_image_view(&device.create_bound_image(desc)?, ImageViewDesc::new_2d(Format::D32_SFLOAT))?;
    let depth = Some(RenderingAttachment::clear_depth(&view, 1.0));
    let occlusion = device.create_query_pool(QueryKind::Occlusion, 2)?;
    let mut commands = device.create_command_buffer();
    let area = Rect::of_size(SIZE, SIZE);
    commands.reset_query_pool(&occlusion, 0, 2);
    commands.begin_rendering(&RenderingInfo { area, depth, ..RenderingInfo::default() }).set_size(SIZE, SIZE);
    for (i, mask) in [0b0101, 0b1111].into_iter().enumerate() {
        commands.bind_graphics_pipeline(&pipeline(mask)?);
        commands.begin_query(&occlusion, i as u32).draw(3, 1, 0, i as u32).end_query(&occlusion, i as u32);
    }
    commands.end_rendering().end()?;
    device.queue().run(&commands)?;
    Ok([0, 1].map(|i| occlusion.result(i).unwrap_or(u64::MAX) / u64::from(SIZE * SIZE)))
}

/// With post-depth coverage, the pipeline's sample mask applies after the depth test, so masked samples still write
/// depth. Spec: Vulkan, "Fragment Operations".
#[test]
fn the_states_sample_mask_comes_after_the_depth_test_with_post_depth_coverage() -> Result<()> {
    for interp in [false, true] {
        assert_eq!(passing_samples("layout(post_depth_coverage) in;", "", 4, interp)?, [2, 0]);
        assert_eq!(passing_samples("layout(early_fragment_tests) in;", "", 4, interp)?, [2, 2]);
        assert_eq!(passing_samples("", "", 4, interp)?, [2, 2]);
    }
    Ok(())
}

/// With early fragment tests, samples are counted before the fragment stage runs, whatever it drops. Spec: Vulkan,
/// "Fragment Operations".
#[test]
fn early_tests_count_samples_that_the_stage_drops() -> Result<()> {
    for body in ["discard;", "gl_SampleMask[0] = 0;"] {
        for (samples, early) in [(1, [1, 0]), (4, [2, 2])] {
            for interp in [false, true] {
                let mode = "layout(early_fragment_tests) in;";
                assert_eq!(passing_samples(mode, body, samples, interp)?, early, "{body} {samples}");
                assert_eq!(passing_samples("", body, samples, interp)?, [0, 0], "{body} {samples}");
            }
        }
    }
    Ok(())
}

/// Between begin and end of an interlock, the fragments of a pixel read and write as if primitives were drawn one after
/// another. Spec: Vulkan, "Fragment Shader Interlock".
#[test]
fn interlocked_fragments_keep_the_order_of_primitives() {
    let vertex = "#version 450
        layout(location = 0) out vec2 u;
        void main() {
            int corner = gl_VertexIndex % 3;
            vec2 p = vec2(corner & 1, corner >> 1) * 2.0;
            u = p;
            gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0);
        }";
    for (mode, slot, samples) in [
        ("pixel_interlock_ordered", "0", 1),
        ("pixel_interlock_unordered", "0", 4),
        ("sample_interlock_ordered", "gl_SampleID", 4),
        ("sample_interlock_unordered", "gl_SampleID", 1),
    ] {
        let source = format!(
            "#version 450
            #extension GL_ARB_fragment_shader_interlock : require
            layout({mode}) in;
            layout(binding = 0) coherent buffer B {{ vec4 b[]; }};
            layout(location = 0) out vec4 color;
            void main() {{
                uint at = (uint(gl_FragCoord.y) * {SIZE} + uint(gl_FragCoord.x)) * 16 + {slot};
                color = vec4(1.0);
                beginInvocationInterlockARB();
                b[at].x = b[at].x * 2.0 + float(gl_PrimitiveID + 1);
                endInvocationInterlockARB();
            }}"
        );
        let run = draw_topology(&source, vertex, Topology::TriangleList, 9, samples).unwrap();
        let values: Vec<[f32; 4]> = run.read(0, 0).unwrap();
        let n = if slot == "0" { 1 } else { samples as usize };
        for (i, value) in values.iter().enumerate() {
            // (1 * 2 + 2) * 2 + 3: the order is API order, whether or not the mode requires it.
            let wanted = if i % 16 < n { 11.0 } else { 0.0 };
            assert_eq!(value[0], wanted, "{mode}, slot {i}");
        }
    }
}

/// Three corners with different depths and different w, so that perspective is visible.
const CORNERS: &str = "#version 450
    layout(location = 0) out vec3 weights;
    layout(location = 1) noperspective out vec3 linear;
    layout(location = 2) out vec2 corner;
    layout(location = 3) flat out uvec2 number;
    void main() {
        int i = gl_VertexIndex % 3;
        weights = vec3(i == 0, i == 1, i == 2);
        linear = weights;
        corner = vec2(i & 1, i >> 1) * BIG - 1.0;
        number = uvec2(gl_VertexIndex, 7);
        gl_Position = vec4(corner, 0.25, 1.0) * vec4(1.0, 2.0, 4.0, 0.0)[i];
    }";

/// Barycentric weights equal varyings that are 1 at one vertex, and per-vertex inputs equal the outputs of the vertex,
/// regardless of clipping. Spec: Vulkan, "Barycentric Interpolation".
#[test]
fn fragments_know_their_vertices() -> Result<()> {
    let head = "#extension GL_EXT_fragment_shader_barycentric : require
        layout(location = 0) in vec3 weights;
        layout(location = 1) noperspective in vec3 linear;
        layout(location = 2) pervertexEXT in vec2 corner[];
        layout(location = 3) pervertexEXT in uvec2 number[];";
    let body = "b[at] = vec4(gl_BaryCoordEXT, 1.0);
        b[at + 1] = vec4(weights, 1.0);
        b[at + 2] = vec4(gl_BaryCoordNoPerspEXT, 1.0);
        b[at + 3] = vec4(linear, 1.0);
        b[at + 4] = vec4(corner[0], corner[1]);
        b[at + 5] = vec4(corner[2], number[1]);
        uint i = uint(gl_FragCoord.x) % 3;
        b[at + 6] = vec4(corner[i], number[i]);
        color = vec4(1.0);";
    // The second triangle is larger than the guard band.
    for big in [4.0f32, 100000.0] {
        let vertex = CORNERS.replace("BIG", &format!("{big:.1}"));
        for samples in [1, 4] {
            let run = draw(&vertex, head, body, samples)?;
            let b: Vec<[f32; 4]> = run.read(0, 0)?;
            for (i, at) in b.chunks(16).enumerate() {
                let (weights, linear) = (at[0], at[2]);
                // Both computations are linear, through clipping too, so only rounding differs.
                let near = |a: [f32; 4], b: [f32; 4]| (0..4).all(|c| (a[c] - b[c]).abs() < 1e-5);
                assert!(near(weights, at[1]) && near(linear, at[3]), "{big} {i}: {at:?}");
                let sum = |w: [f32; 4]| w[0] + w[1] + w[2];
                assert!((sum(weights) - 1.0).abs() < 1e-5 && (sum(linear) - 1.0).abs() < 1e-5);
                let corners = [[-1.0, -1.0], [big - 1.0, -1.0], [-1.0, big - 1.0]];
                assert_eq!([at[4][0], at[4][1], at[4][2], at[4][3]], [-1.0, -1.0, big - 1.0, -1.0]);
                assert_eq!(at[5], [-1.0, big - 1.0, 1.0, 7.0]);
                let k = i % SIZE as usize % 3;
                assert_eq!(at[6], [corners[k][0], corners[k][1], k as f32, 7.0]);
            }
            if big == 4.0 {
                // The second corner has w = 2, so its perspective weight is smaller than its linear weight.
                assert!((0..64).any(|i| (b[i * 16][1] - b[i * 16 + 2][1]).abs() > 0.05));
            }
        }
    }
    Ok(())
}

/// Order of the vertices of each primitive. Spec: the table of "Barycentric Interpolation".
#[test]
fn vertices_of_primitives_have_an_order() -> Result<()> {
    let vertex = "#version 450
        layout(location = 0) flat out uint number;
        void main() {
            number = gl_VertexIndex;
            gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 1.6 - 0.7, 0.0, 1.0);
            gl_PointSize = 1.0;
        }";
    let source = "#version 450
        #extension GL_EXT_fragment_shader_barycentric : require
        layout(binding = 0) buffer B { uint b[]; };
        layout(location = 0) pervertexEXT in uint number[3];
        layout(location = 0) out vec4 color;
        void main() {
            vec3 w = gl_BaryCoordEXT;
            b[gl_PrimitiveID * 5] = number[0] * 100 + number[1] * 10 + number[2];
            b[gl_PrimitiveID * 5 + 1] = uint(all(greaterThanEqual(w, vec3(-1e-6))) && abs(w.x + w.y + w.z - 1.0) < 1e-6);
            color = vec4(0.0);
        }";
    let cases: [(Topology, u32, &[u32]); 5] = [
        (Topology::PointList, 1, &[0]),
        (Topology::LineStrip, 3, &[11, 122]),
        (Topology::TriangleList, 3, &[12]),
        (Topology::TriangleStrip, 4, &[12, 132]),
        (Topology::TriangleFan, 4, &[120, 230]),
    ];
    for (topology, vertices, expected) in cases {
        let run = draw_topology(source, vertex, topology, vertices, 1)?;
        let b: Vec<u32> = run.read(0, 0)?;
        for (primitive, &want) in expected.iter().enumerate() {
            assert_eq!((b[primitive * 5], b[primitive * 5 + 1]), (want, 1), "{topology:?} {primitive}");
        }
    }
    Ok(())
}

/// Without attachments, each draw has the sample count of its pipeline: VkPhysicalDeviceFeatures,
/// `variableMultisampleRate`.
#[test]
fn pipelines_say_how_many_samples_there_are_without_attachments() -> Result<()> {
    const PER_SAMPLE: &str = "n[at] += 1; n[at + 1] += bitCount(gl_SampleMaskIn[0]) + 0 * gl_SampleID;";
    const PER_PIXEL: &str = "n[at] += 1; n[at + 1] += bitCount(gl_SampleMaskIn[0]);";
    for interp in [false, true] {
        let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() })?;
        let sets = device
            .create_descriptor_set_layout(&[DescriptorBinding::new(0, DescriptorKind::StorageBuffer)])?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 0)?;
        let shader = |source: &str, stage| -> Result<_> {
            let words = frontend::compile_glsl(source, stage, &frontend::Options::default())?;
            ShaderStage::only(&device.create_shader_module(&words)?, stage)
        };
        let counts = [4, 1, 16, 2];
        let occlusion = device.create_query_pool(QueryKind::Occlusion, counts.len() as u32)?;
        let size = u64::from(SIZE * SIZE) * 8;
        let mut commands = device.create_command_buffer();
        commands.reset_query_pool(&occlusion, 0, counts.len() as u32);
        let area = Rect::of_size(SIZE, SIZE);
        let mut buffers = Vec::new();
        commands.begin_rendering(&RenderingInfo { area, ..RenderingInfo::default() }).set_size(SIZE, SIZE);
        for (i, samples) in counts.into_iter().enumerate() {
            for body in [PER_PIXEL, PER_SAMPLE] {
                let source = format!(
                    "#version 450
                    layout(binding = 0) buffer N {{ uint n[]; }};
                    void main() {{
                        uint at = (uint(gl_FragCoord.y) * {SIZE} + uint(gl_FragCoord.x)) * 2;
                        {body}
                    }}"
                );
                let fragment = shader(&source, Stage::Fragment)?;
                let vertex = shader(VERTEX, Stage::Vertex)?;
                let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
                desc.state.samples = samples;
                let pipeline = device.create_graphics_pipeline(&desc)?;
                let usage = BufferUsage::STORAGE;
                let buffer = device.create_bound_buffer(BufferDesc { size, usage })?;
                let set = device.create_descriptor_set(&sets)?;
                set.write_buffer(0, &buffer)?;
                commands.bind_graphics_pipeline(&pipeline);
                commands.bind_descriptor_sets(BindPoint::Graphics, &layout, 0, &[&set], &[]);
                let counted = body == PER_PIXEL;
                if counted {
                    commands.begin_query(&occlusion, i as u32);
                }
                commands.draw(3, 1, 0, 0);
                if counted {
                    commands.end_query(&occlusion, i as u32);
                }
                let runs = if counted { 1 } else { samples };
                buffers.push((buffer, [runs, samples]));
            }
        }
        commands.end_rendering().end()?;
        device.queue().run(&commands)?;
        for (buffer, expected) in buffers {
            let pixels = buffer.read::<u32>(0, (SIZE * SIZE * 2) as usize)?;
            assert!(pixels.chunks(2).all(|n| n == expected), "{expected:?}: {pixels:?}");
        }
        let passed: Vec<u64> = (0..4).filter_map(|i| occlusion.result(i)).collect();
        assert_eq!(passed, counts.map(|n| u64::from(n * SIZE * SIZE)));
    }
    Ok(())
}
