//! Limits of Roadmap 2026, each used in full by shaders and draws. Spec: Vulkan, "Roadmap 2026".

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::canvas::{self, Onto, Recipe, Target};
use crate::common::sets::{Bound, Extra, Sets};
use crate::common::{Gpu, Mapped};
use ash::vk;
use vk::DescriptorType as D;
use vk::ShaderStageFlags as S;

const VERTEX: (S, &str) = (S::VERTEX, include_str!("shaders/wide.vert.spvasm"));
const POSITIONS: (S, &str) = (S::VERTEX, include_str!("shaders/positions.vert.spvasm"));
const ONE: (S, &str) = (S::FRAGMENT, include_str!("shaders/color.frag.spvasm"));

/// Creates a device that draws with dynamic rendering.
fn gpu() -> Gpu {
    let features = vk::PhysicalDeviceFeatures::default()
        .geometry_shader(true)
        .tessellation_shader(true)
        .fragment_stores_and_atomics(true)
        .shader_uniform_buffer_array_dynamic_indexing(true)
        .shader_storage_buffer_array_dynamic_indexing(true);
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let mut local =
        vk::PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR::default().dynamic_rendering_local_read(true);
    let extensions = [c"VK_KHR_dynamic_rendering", c"VK_KHR_dynamic_rendering_local_read"];
    let gpu = Gpu::with(&extensions, |info| {
        info.enabled_features(&features).push_next(&mut rendering).push_next(&mut local)
    });
    gpu.unwrap()
}

/// A compute shader multiplies the word of each uniform buffer by 3, adds its number, and stores the sum in the storage
/// buffer of this number: with 200 buffers of each kind in a stage, and with 1800 in a set.
#[test]
fn stages_use_hundreds_of_buffers() {
    let gpu = gpu();
    let shader = include_str!("shaders/buffers.comp.spvasm");
    for count in [200, 1800] {
        let make = |usage| -> Vec<Mapped> { (0..count).map(|_| gpu.buffer(4, usage)).collect() };
        let inputs = make(vk::BufferUsageFlags::UNIFORM_BUFFER);
        let outputs = make(vk::BufferUsageFlags::STORAGE_BUFFER);
        let word = |i: u32| i * 7 + 11;
        (0..).zip(&inputs).for_each(|(i, buffer)| buffer.write(&[word(i)]));
        outputs.iter().for_each(|buffer| buffer.write(&[0u32]));
        let [of_inputs, of_outputs] =
            [&inputs, &outputs].map(|list| list.iter().map(|b| b.buffer).collect::<Vec<_>>());
        let bound =
            [Bound::Buffers(D::UNIFORM_BUFFER, &of_inputs), Bound::Buffers(D::STORAGE_BUFFER, &of_outputs)];
        let sets = Sets::new(&gpu, S::COMPUTE, &bound);
        sets.dispatch(&gpu, shader, count, [count, 1, 1]);
        for (i, buffer) in (0..).zip(&outputs) {
            assert_eq!(buffer.at::<u32>(0), word(i) * 3 + i, "buffer {i} of {count}");
        }
        sets.destroy(&gpu);
        inputs.into_iter().chain(outputs).for_each(|buffer| buffer.destroy(&gpu));
    }
}

/// Eight uniform and four storage buffers of a set have offsets of their own. Spec: Vulkan,
/// VkPhysicalDeviceMaintenance7PropertiesKHR.
#[test]
fn twelve_buffers_have_dynamic_offsets() {
    let gpu = Gpu::new(&[c"VK_KHR_maintenance7"]);
    let (inputs, outputs) = (
        gpu.buffer(4096, vk::BufferUsageFlags::UNIFORM_BUFFER),
        gpu.buffer(2048, vk::BufferUsageFlags::STORAGE_BUFFER),
    );
    outputs.write(&[0u32; 512]);
    // Offsets of the uniform buffers, then of the storage buffers: multiples of 256, the greatest alignment.
    let offsets = [7, 3, 5, 0, 2, 6, 4, 1, 2, 0, 3, 1].map(|n| n * 256);
    (0..8u64).for_each(|n| inputs.put(n * 256, n as u32 + 1));
    let bound = [
        Bound::Buffers(D::UNIFORM_BUFFER_DYNAMIC, &[inputs.buffer; 8]),
        Bound::Buffers(D::STORAGE_BUFFER_DYNAMIC, &[outputs.buffer; 4]),
    ];
    let sets = Sets::new(&gpu, S::COMPUTE, &bound);
    let shader = include_str!("shaders/dynamic.comp.spvasm");
    sets.dispatch_with(&gpu, shader, 0, [1; 3], &Extra { offsets: &offsets, ..Extra::default() });
    let value = |i: usize| offsets[i] / 256 + 1;
    for i in 0..4 {
        let stored = outputs.at::<u32>(u64::from(offsets[8 + i]));
        assert_eq!(stored, value(i) + 16 * value(i + 4), "output {i}");
    }
    sets.destroy(&gpu);
    [inputs, outputs].into_iter().for_each(|buffer| buffer.destroy(&gpu));
}

/// All words of 32 KiB keep what invocations wrote until others read it.
#[test]
fn workgroups_share_32_kib() {
    let gpu = gpu();
    let out = gpu.buffer(32_768, vk::BufferUsageFlags::STORAGE_BUFFER);
    let sets = Sets::new(&gpu, S::COMPUTE, &[Bound::Buffers(D::STORAGE_BUFFER, &[out.buffer])]);
    sets.dispatch(&gpu, include_str!("shaders/workgroup.comp.spvasm"), 0, [1, 1, 1]);
    let expected: Vec<u32> = (0..8192u32).map(|i| (8191 - i).wrapping_mul(2_654_435_761)).collect();
    assert_eq!(out.read::<u32>(), expected);
    sets.destroy(&gpu);
    out.destroy(&gpu);
}

/// Draws with these stages, and returns the 28 vectors that the fragment stage reads from a location on.
fn varyings(
    gpu: &Gpu,
    stages: &[(S, &str)],
    topology: vk::PrimitiveTopology,
    count: u32,
    location: u32,
) -> Vec<[f32; 4]> {
    let out = gpu.buffer(28 * 16, vk::BufferUsageFlags::STORAGE_BUFFER);
    out.write(&[[-1.0f32; 4]; 28]);
    let sets = Sets::new(gpu, S::FRAGMENT, &[Bound::Buffers(D::STORAGE_BUFFER, &[out.buffer])]);
    let declared = "OpDecorate %values Location 0";
    let fragment = include_str!("shaders/wide.frag.spvasm");
    assert!(fragment.contains(declared));
    let fragment = fragment.replace(declared, &format!("OpDecorate %values Location {location}"));
    let shaders = [stages, &[(S::FRAGMENT, &fragment)]].concat();
    let recipe = Recipe {
        shaders: &shaders,
        topology,
        patch: count,
        layout: sets.layout,
        attribute: false,
        ..Recipe::new(1, 1)
    };
    let pipeline = canvas::pipeline(gpu, &recipe);
    let point = vk::PipelineBindPoint::GRAPHICS;
    canvas::render(gpu, Onto::default(), [1, 1], |cmd| {
        sets.bind(gpu, cmd, point);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            gpu.device.cmd_bind_pipeline(cmd, point, pipeline);
            gpu.device.cmd_draw(cmd, count, 1, 0, 0);
        }
    });
    let seen = out.read();
    // SAFETY: the draw is done, and the pipeline is not used afterwards.
    unsafe { gpu.device.destroy_pipeline(pipeline, None) };
    sets.destroy(gpu);
    out.destroy(gpu);
    seen
}

/// Checks all 124 scalars, of which a fragment stage reads 112: it is asked for the first and for the last ones.
fn check_varyings(
    stages: &[(S, &str)],
    topology: vk::PrimitiveTopology,
    count: u32,
    expected: impl Fn(u32, u32) -> u32,
) {
    let gpu = gpu();
    for location in [0, 3] {
        let seen = varyings(&gpu, stages, topology, count, location);
        let all = (location..location + 28).map(|i| [0, 1, 2, 3].map(|c| expected(i, c) as f32));
        assert_eq!(seen, all.collect::<Vec<_>>(), "from location {location}");
    }
}

/// Value of scalar `c` of location `i` of a vertex.
fn value(vertex: u32, i: u32, c: u32) -> u32 {
    128 * vertex + 4 * i + c
}

/// The vertex stage outputs 31 vectors beside the position; flat values are those of the first vertex.
#[test]
fn vertices_output_124_scalars() {
    check_varyings(&[VERTEX], vk::PrimitiveTopology::TRIANGLE_LIST, 3, |i, c| value(0, i, c));
}

/// The geometry stage reads 31 vectors, and outputs eight vertices of 31 vectors and a position: 1024 scalars.
#[test]
fn geometry_outputs_128_scalars() {
    let geometry = (S::GEOMETRY, include_str!("shaders/wide.geom.spvasm"));
    check_varyings(&[VERTEX, geometry], vk::PrimitiveTopology::POINT_LIST, 1, |i, c| value(0, i, c) * 2 + 1);
}

/// The control stage reads and outputs 31 vectors and a position for each of 32 vertices, which are 4096 scalars, and 120
/// scalars of the patch. The evaluation stage reads all of them, and outputs 31 vectors and a position.
#[test]
fn patches_have_4096_scalars() {
    let control = (S::TESSELLATION_CONTROL, include_str!("shaders/wide.tesc.spvasm"));
    let evaluation = (S::TESSELLATION_EVALUATION, include_str!("shaders/wide.tese.spvasm"));
    let sum = |i, c| (0..32).map(|v| (v + 1) * 2 * value(v, i, c)).sum::<u32>();
    let of_patch = |i, c| if i < 30 { 1000 * i + c } else { 0 };
    let expected = |i, c| sum(i, c) + of_patch(i, c);
    check_varyings(&[VERTEX, control, evaluation], vk::PrimitiveTopology::PATCH_LIST, 32, expected);
}

/// A fragment stage writes eight attachments, which the next draw of the rendering reads as input attachments.
#[test]
fn eight_outputs_are_eight_inputs() {
    const SIDE: u32 = 8;
    let gpu = gpu();
    let format = vk::Format::R32G32B32A32_SFLOAT;
    let input = vk::ImageUsageFlags::INPUT_ATTACHMENT;
    let colors = [(); 8].map(|()| Target::new(&gpu, format, [SIDE; 2], input));
    let out = gpu.buffer(u64::from(SIDE * SIDE * 8 * 16), vk::BufferUsageFlags::STORAGE_BUFFER);
    let image_layout = vk::ImageLayout::RENDERING_LOCAL_READ_KHR;
    let views: Vec<_> = colors
        .iter()
        .map(|t| vk::DescriptorImageInfo { image_view: t.view, image_layout, ..Default::default() })
        .collect();
    let bound =
        [Bound::Buffers(D::STORAGE_BUFFER, &[out.buffer]), Bound::Images(D::INPUT_ATTACHMENT, &views)];
    let sets = Sets::new(&gpu, S::FRAGMENT, &bound);
    let make = |shader, writes| {
        let shaders = [POSITIONS, (S::FRAGMENT, shader)];
        let recipe = Recipe {
            shaders: &shaders,
            layout: sets.layout,
            formats: &[format; 8],
            writes,
            ..Recipe::new(SIDE, SIDE)
        };
        canvas::pipeline(&gpu, &recipe)
    };
    let pipelines = [
        make(include_str!("shaders/outputs.frag.spvasm"), true),
        make(include_str!("shaders/inputs.frag.spvasm"), false),
    ];
    let corners = canvas::vertices(&gpu, &WHOLE);
    let onto = Onto { colors: &colors, layout: image_layout, ..Onto::default() };
    canvas::render(&gpu, onto, [SIDE; 2], |cmd| {
        sets.bind(&gpu, cmd, vk::PipelineBindPoint::GRAPHICS);
        canvas::draw(&gpu, cmd, pipelines[0], &corners, 3);
        let memory = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::COLOR_ATTACHMENT_WRITE)
            .dst_access_mask(vk::AccessFlags::INPUT_ATTACHMENT_READ);
        let (src, dst) =
            (vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT, vk::PipelineStageFlags::FRAGMENT_SHADER);
        // SAFETY: valid usage of Vulkan: recording has begun, within a rendering with local reads.
        unsafe {
            let by_region = vk::DependencyFlags::BY_REGION;
            gpu.device.cmd_pipeline_barrier(cmd, src, dst, by_region, &[memory], &[], &[]);
        }
        canvas::draw(&gpu, cmd, pipelines[1], &corners, 3);
    });
    let expected = |i: u32| {
        let (k, x, y) = (i % 8, i / 8 % SIDE, i / 8 / SIDE);
        let [k, x, y] = [k as f32, x as f32 + 0.5, y as f32 + 0.5];
        [x, y, k, x * k + y]
    };
    assert_eq!(out.read::<[f32; 4]>(), (0..SIDE * SIDE * 8).map(expected).collect::<Vec<_>>());
    // SAFETY: the draws are done, and the pipelines are not used afterwards.
    pipelines.iter().for_each(|&p| unsafe { gpu.device.destroy_pipeline(p, None) });
    sets.destroy(&gpu);
    [out, corners].into_iter().for_each(|buffer| buffer.destroy(&gpu));
    colors.into_iter().for_each(|target| target.destroy(&gpu));
}

/// A triangle that covers the image.
const WHOLE: [[f32; 4]; 3] = [[-1.0, -1.0, 0.0, 1.0], [3.0, -1.0, 0.0, 1.0], [-1.0, 3.0, 0.0, 1.0]];

/// Returns true if a triangle covers a point: by the signs of exact edge functions, and on an edge if this is a left or
/// top one. Spec: Vulkan, "Basic Polygon Rasterization" leaves the rule to implementations, but not for shared edges.
fn covers(mut t: [[i64; 2]; 3], p: [i64; 2]) -> bool {
    let cross =
        |a: [i64; 2], b: [i64; 2], p: [i64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    if cross(t[0], t[1], t[2]) < 0 {
        t.swap(1, 2);
    }
    cross(t[0], t[1], t[2]) != 0
        && (0..3).all(|i| {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            let left_or_top = b[1] < a[1] || b[1] == a[1] && b[0] > a[0];
            let side = cross(a, b, p);
            side > 0 || side == 0 && left_or_top
        })
}

/// Triangles with corners on the grid of 1/256 pixels cover the pixels whose centres are within them, by exact arithmetic.
#[test]
fn positions_have_8_subpixel_bits() {
    const SIDE: u32 = 32;
    let gpu = gpu();
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    // Narrow triangles, so that many edges pass close to centres.
    let triangles: Vec<[[i64; 2]; 3]> = (0..400)
        .map(|_| {
            let at = [random(), random()].map(|v| i64::from(v % (SIDE * 256)));
            [(); 3].map(|()| {
                let near = at.map(|v| v + i64::from(random() % 1024) - 512);
                near.map(|v| v.clamp(0, i64::from(SIDE) * 256))
            })
        })
        .collect();
    let place = |v: i64| v as f32 / (SIDE as f32 * 128.0) - 1.0;
    let corners: Vec<[f32; 4]> =
        triangles.iter().flatten().map(|c| [place(c[0]), place(c[1]), 0.0, 1.0]).collect();
    let recipe = Recipe { shaders: &[POSITIONS, ONE], adds: true, ..Recipe::new(SIDE, SIDE) };
    let pixels: Vec<f32> = canvas::drawn(&gpu, recipe, &corners, vk::Format::R32_SFLOAT, |_| ());
    let centre = |v: u32| i64::from(v) * 256 + 128;
    let expected = |i: u32| {
        let p = [centre(i % SIDE), centre(i / SIDE)];
        triangles.iter().filter(|t| covers(**t, p)).count() as f32
    };
    assert_eq!(pixels, (0..SIDE * SIDE).map(expected).collect::<Vec<_>>());
}

/// A triangle in a viewport and a framebuffer of 8192 by 8192 pixels covers one half: its hypotenuse is the diagonal from
/// the upper right to the lower left corner, and no centre of a pixel off the diagonal is on it.
#[test]
fn viewports_have_8192_pixels_on_each_side() {
    const SIDE: u32 = 8192;
    let gpu = gpu();
    let format = vk::Format::R8_UNORM;
    let targets = [Target::new(&gpu, format, [SIDE; 2], vk::ImageUsageFlags::empty())];
    // SAFETY: valid usage of Vulkan: the layout is destroyed after the draw.
    let layout = unsafe { gpu.device.create_pipeline_layout(&Default::default(), None) }.unwrap();
    let recipe = Recipe { shaders: &[POSITIONS, ONE], layout, formats: &[format], ..Recipe::new(SIDE, SIDE) };
    let pipeline = canvas::pipeline(&gpu, &recipe);
    let buffer =
        canvas::vertices(&gpu, &[[-1.0, -1.0, 0.0, 1.0], [1.0, -1.0, 0.0, 1.0], [-1.0, 1.0, 0.0, 1.0]]);
    canvas::render(&gpu, Onto { colors: &targets, ..Onto::default() }, [SIDE; 2], |cmd| {
        canvas::draw(&gpu, cmd, pipeline, &buffer, 3);
    });
    let last = SIDE as i32 - 1;
    let strips =
        [(0, 0, SIDE, 1), (0, last, SIDE, 1), (0, 0, 1, SIDE), (last, 0, 1, SIDE), (0, 3001, SIDE, 2)];
    for (left, top, width, height) in strips {
        let part =
            vk::Rect2D { offset: vk::Offset2D { x: left, y: top }, extent: vk::Extent2D { width, height } };
        for (i, texel) in (0..).zip(targets[0].read_part::<u8>(&gpu, part)) {
            let (x, y) = (left as u32 + i % width, top as u32 + i / width);
            // Centres on the diagonal, whose x + y is 8191, may be on either side.
            if x + y + 1 != SIDE {
                assert_eq!(texel, if x + y + 1 < SIDE { 255 } else { 0 }, "pixel {x}, {y}");
            }
        }
    }
    // SAFETY: the draws are done, and the objects are not used afterwards.
    unsafe {
        gpu.device.destroy_pipeline(pipeline, None);
        gpu.device.destroy_pipeline_layout(layout, None);
    }
    buffer.destroy(&gpu);
    targets.into_iter().for_each(|target| target.destroy(&gpu));
}
