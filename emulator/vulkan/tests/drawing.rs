//! Extensions of drawing, by the pixels that they draw: ranges of depth, discard rectangles, conservative rasterization,
//! dithering, attributes without a description.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};
use std::ptr::null;

use crate::common::Gpu;
use crate::common::canvas::{self, Onto, Recipe, Target};
use crate::common::sets::{Bound, Sets};
use ash::vk;
use vk::ShaderStageFlags as S;

const SIDE: u32 = 16;
const POSITIONS: (S, &str) = (S::VERTEX, include_str!("shaders/positions.vert.spvasm"));
const WHITE: (S, &str) = (S::FRAGMENT, include_str!("shaders/color.frag.spvasm"));
/// A triangle that covers the image.
const WHOLE: [[f32; 4]; 3] = [[-1.0, -1.0, 0.0, 1.0], [3.0, -1.0, 0.0, 1.0], [-1.0, 3.0, 0.0, 1.0]];

/// A structure with one number, such as a feature that the bindings lack.
#[repr(C)]
struct Number {
    ty: vk::StructureType,
    next: *const c_void,
    value: u32,
}

impl Number {
    fn new(ty: i32, value: u32) -> Number {
        Number { ty: vk::StructureType::from_raw(ty), next: null(), value }
    }
}

/// Creates a device that draws with dynamic rendering, with more extensions and structures of features.
fn gpu(more: &[&'static CStr], mut features: Vec<Number>) -> Gpu {
    let core =
        vk::PhysicalDeviceFeatures::default().depth_clamp(true).vertex_pipeline_stores_and_atomics(true);
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let mut clip = vk::PhysicalDeviceDepthClipEnableFeaturesEXT::default().depth_clip_enable(true);
    let extensions = [&[c"VK_KHR_dynamic_rendering", c"VK_EXT_depth_clip_enable"][..], more].concat();
    let gpu = Gpu::with(&extensions, |info| {
        let mut info = info.enabled_features(&core).push_next(&mut rendering).push_next(&mut clip);
        for feature in &mut features {
            feature.next = info.p_next;
            info.p_next = (&raw const *feature).cast();
        }
        info
    });
    gpu.unwrap()
}

/// Corners of a triangle that covers the image, whose z is -0.5 at the left edge and 1.5 at the right one.
const SLOPE: [[f32; 4]; 3] = [[-1.0, -1.0, -0.5, 1.0], [3.0, -1.0, 3.5, 1.0], [-1.0, 3.0, -0.5, 1.0]];

/// Depth of that triangle in a column, in a viewport with this range.
fn slope(x: u32, [near, far]: [f32; 2]) -> f32 {
    let z = (x as f32 + 0.5) / SIDE as f32 * 2.0 - 0.5;
    near + z * (far - near)
}

/// Asserts that depths are those of `expected`, but for rounding.
fn check_depths(depths: &[f32], expected: impl Fn(u32) -> f32, case: &str) {
    for (i, depth) in (0..).zip(depths) {
        let expected = expected(i % SIDE);
        assert!((depth - expected).abs() < 1e-6, "{case}: pixel {i} is {depth}, not {expected}");
    }
}

/// VkPipelineViewportDepthClampControlCreateInfoEXT, which the bindings lack.
#[repr(C)]
struct ClampRange {
    ty: vk::StructureType,
    next: *const c_void,
    mode: i32,
    range: *const [f32; 2],
}

type SetClampRange = unsafe extern "system" fn(vk::CommandBuffer, i32, *const [f32; 2]);

/// Depth is clamped to the range of the viewport, or to another one, which the pipeline or a command states. Spec: Vulkan,
/// "Depth Clamping and Range Adjustment".
#[test]
fn depth_is_clamped_to_a_range() {
    let gpu = gpu(&[c"VK_EXT_depth_clamp_control"], vec![Number::new(1_000_582_000, vk::TRUE)]);
    // SAFETY: the device is live, and the command has this type.
    let set: SetClampRange = unsafe {
        let name = c"vkCmdSetDepthClampRangeEXT";
        let get = gpu.instance.get_device_proc_addr(gpu.device.handle(), name.as_ptr());
        std::mem::transmute::<vk::PFN_vkVoidFunction, SetClampRange>(get)
    };
    let of_viewport = [0.75, 0.125];
    // Modes: the range of the viewport, and the range of the application.
    for (mode, range, dynamic) in
        [(0, [0.125, 0.75], false), (1, [0.25, 0.5], false), (1, [0.25, 0.5], true), (0, [0.125, 0.75], true)]
    {
        let other = [0.3125, 0.375];
        let clamp = ClampRange {
            ty: vk::StructureType::from_raw(1_000_582_001),
            next: null(),
            mode: if dynamic { 1 } else { mode },
            range: if dynamic { &other } else { &range },
        };
        let plain = Recipe::new(SIDE, SIDE);
        // VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT.
        let states = [vk::DynamicState::from_raw(1_000_582_000)];
        let viewport =
            vk::Viewport { min_depth: of_viewport[0], max_depth: of_viewport[1], ..plain.viewport };
        let recipe = Recipe {
            shaders: &[POSITIONS],
            depth_clamp: true,
            of_viewport: (&raw const clamp).cast(),
            dynamic: if dynamic { &states } else { &[] },
            viewport,
            ..plain
        };
        let depths: Vec<f32> = canvas::drawn(&gpu, recipe, &SLOPE, vk::Format::D32_SFLOAT, |cmd| {
            if dynamic {
                // SAFETY: valid usage of Vulkan: recording has begun, and the range outlives the call.
                unsafe { set(cmd, mode, &range) };
            }
        });
        let expected = |x| slope(x, of_viewport).clamp(range[0], range[1]);
        check_depths(&depths, expected, &format!("mode {mode}, dynamic {dynamic}"));
    }
}

/// Depth clipping is the opposite of depth clamping that a command enables, unless the pipeline states it. Spec: Vulkan,
/// vkCmdSetDepthClampEnableEXT, `maintenance11`.
#[test]
fn pipelines_state_depth_clipping() {
    let more = [c"VK_EXT_extended_dynamic_state3", c"VK_KHR_maintenance11"];
    // VkPhysicalDeviceMaintenance11FeaturesKHR.
    let mut dynamic = vk::PhysicalDeviceExtendedDynamicState3FeaturesEXT::default()
        .extended_dynamic_state3_depth_clamp_enable(true);
    let mut maintenance = Number::new(1_000_657_000, vk::TRUE);
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let mut clip = vk::PhysicalDeviceDepthClipEnableFeaturesEXT::default().depth_clip_enable(true);
    let core = vk::PhysicalDeviceFeatures::default().depth_clamp(true);
    let extensions = [&[c"VK_KHR_dynamic_rendering", c"VK_EXT_depth_clip_enable"][..], &more].concat();
    let gpu = Gpu::with(&extensions, |info| {
        let info = info.enabled_features(&core).push_next(&mut dynamic);
        let mut info = info.push_next(&mut rendering).push_next(&mut clip);
        maintenance.next = info.p_next;
        info.p_next = (&raw const maintenance).cast();
        info
    });
    let gpu = gpu.unwrap();
    let commands = ash::ext::extended_dynamic_state3::Device::new(&gpu.instance, &gpu.device);
    for stated in [None, Some(false), Some(true)] {
        for clamps in [false, true] {
            let state = vk::PipelineRasterizationDepthClipStateCreateInfoEXT::default()
                .depth_clip_enable(stated == Some(true));
            let recipe = Recipe {
                shaders: &[POSITIONS, WHITE],
                // The command replaces this value.
                depth_clamp: !clamps,
                of_raster: if stated.is_some() { (&raw const state).cast() } else { null() },
                dynamic: &[vk::DynamicState::DEPTH_CLAMP_ENABLE_EXT],
                ..Recipe::new(SIDE, SIDE)
            };
            let pixels: Vec<f32> = canvas::drawn(&gpu, recipe, &SLOPE, vk::Format::R32_SFLOAT, |cmd| {
                // SAFETY: valid usage of Vulkan: recording has begun.
                unsafe { commands.cmd_set_depth_clamp_enable(cmd, clamps) };
            });
            let clips = stated.unwrap_or(!clamps);
            for (i, pixel) in (0..).zip(pixels) {
                let inside = (0.0..=1.0).contains(&slope(i % SIDE, [0.0, 1.0]));
                let expected = if clips && !inside { 0.0 } else { 1.0 };
                assert_eq!(pixel, expected, "stated {stated:?}, clamps {clamps}: pixel {i}");
            }
        }
    }
}

/// Without depth clamping, depth beyond the range of the viewport is clamped to the range from 0 to 1 alone, by either
/// name of the extension.
#[test]
fn depth_is_clamped_to_zero_and_one() {
    for name in [c"VK_EXT_depth_clamp_zero_one", c"VK_KHR_depth_clamp_zero_one"] {
        let gpu = gpu(&[name], vec![Number::new(1_000_421_000, vk::TRUE)]);
        let clip = vk::PipelineRasterizationDepthClipStateCreateInfoEXT::default();
        let plain = Recipe::new(SIDE, SIDE);
        let recipe = Recipe {
            shaders: &[POSITIONS],
            of_raster: (&raw const clip).cast(),
            viewport: vk::Viewport { min_depth: 0.25, max_depth: 0.875, ..plain.viewport },
            ..plain
        };
        let corners = SLOPE.map(|[x, y, z, w]| [x, y, z * 2.0, w]);
        let depths: Vec<f32> = canvas::drawn(&gpu, recipe, &corners, vk::Format::D32_SFLOAT, |_| ());
        let unclamped = |x| {
            let z = (x as f32 + 0.5) / SIDE as f32 * 4.0 - 1.0;
            0.25 + z * 0.625
        };
        assert!(unclamped(0) < 0.0 && unclamped(SIDE - 1) > 1.0);
        check_depths(&depths, |x| unclamped(x).clamp(0.0, 1.0), &format!("{name:?}"));
    }
}

/// Fragments in one of the rectangles are discarded, or those in none of them. Spec: Vulkan, "Discard Rectangles Test".
#[test]
fn rectangles_discard_fragments() {
    let gpu = gpu(&[c"VK_EXT_discard_rectangles"], Vec::new());
    let rect = |x, y, width, height| vk::Rect2D {
        offset: vk::Offset2D { x, y },
        extent: vk::Extent2D { width, height },
    };
    let rects =
        [rect(0, 0, 3, 2), rect(2, 1, 5, 9), rect(12, 4, 100, 1), rect(9, 13, 0, 3), rect(15, 15, 1, 1)];
    let inside = |x: i32, y: i32| {
        rects.iter().any(|r| {
            let [right, below] = [r.offset.x + r.extent.width as i32, r.offset.y + r.extent.height as i32];
            (r.offset.x..right).contains(&x) && (r.offset.y..below).contains(&y)
        })
    };
    use vk::DiscardRectangleModeEXT as M;
    for (mode, keeps) in [(M::INCLUSIVE, true), (M::EXCLUSIVE, false)] {
        let state = vk::PipelineDiscardRectangleStateCreateInfoEXT::default()
            .discard_rectangle_mode(mode)
            .discard_rectangles(&rects);
        let recipe = Recipe {
            shaders: &[POSITIONS, WHITE],
            of_pipeline: (&raw const state).cast(),
            ..Recipe::new(SIDE, SIDE)
        };
        let pixels: Vec<f32> = canvas::drawn(&gpu, recipe, &WHOLE, vk::Format::R32_SFLOAT, |_| ());
        for (i, pixel) in (0..).zip(pixels) {
            let (x, y) = (i % SIDE as i32, i / SIDE as i32);
            assert_eq!(pixel, if inside(x, y) == keeps { 1.0 } else { 0.0 }, "{mode:?}: pixel {x}, {y}");
        }
    }
}

type Point = [i64; 2];

/// Returns true if a triangle and a square, both with their edges, have a point in common: no axis separates them.
fn touches(t: &[Point; 3], [left, top]: Point, side: i64) -> bool {
    let square = [[left, top], [left + side, top], [left, top + side], [left + side, top + side]];
    let edge = |i: usize| {
        let (a, b) = (t[i], t[(i + 1) % 3]);
        [a[1] - b[1], b[0] - a[0]]
    };
    let axes = [[1, 0], [0, 1], edge(0), edge(1), edge(2)];
    let range = |points: &[Point], axis: Point| {
        let on: Vec<i64> = points.iter().map(|p| p[0] * axis[0] + p[1] * axis[1]).collect();
        (*on.iter().min().unwrap(), *on.iter().max().unwrap())
    };
    axes.iter().all(|&axis| {
        let ((a, b), (c, d)) = (range(t, axis), range(&square, axis));
        a <= d && c <= b
    })
}

/// Returns true if all corners of a square are within a triangle, and not on its edges.
fn contains(t: &[Point; 3], [left, top]: Point, side: i64) -> bool {
    let square = [[left, top], [left + side, top], [left, top + side], [left + side, top + side]];
    let cross = |a: Point, b: Point, p: Point| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
    let turn = cross(t[0], t[1], t[2]).signum();
    turn != 0 && square.iter().all(|&p| (0..3).all(|i| cross(t[i], t[(i + 1) % 3], p) * turn > 0))
}

/// Overestimation covers the pixels that a triangle touches, or touches when pixels grow by the extra size; underestimation
/// covers those that it contains. Positions are in 1/256 pixels. Spec: Vulkan, "Conservative Rasterization".
#[test]
fn rasterization_is_conservative() {
    use vk::ConservativeRasterizationModeEXT as M;
    let gpu = gpu(&[c"VK_EXT_conservative_rasterization"], Vec::new());
    let mut limits = vk::PhysicalDeviceConservativeRasterizationPropertiesEXT::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut limits);
    // SAFETY: valid usage of Vulkan: the structures are live during the call.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    assert_eq!(limits.primitive_overestimation_size, 0.0);
    assert_eq!(limits.extra_primitive_overestimation_size_granularity, 1.0 / 256.0);
    assert!(limits.max_extra_primitive_overestimation_size >= 0.5);
    assert_eq!(limits.primitive_underestimation, vk::TRUE);
    // Steep and flat edges, a triangle within a pixel, one whose corners are on corners of pixels, one of 3 by 3 pixels.
    let triangles: [[Point; 3]; 6] = [
        [[300, 200], [3900, 700], [1500, 3800]],
        [[10, 4000], [4090, 3950], [2000, 4010]],
        [[1300, 1310], [1400, 1320], [1350, 1500]],
        [[512, 512], [1024, 512], [512, 1024]],
        [[256, 3072], [1024, 3072], [640, 2304]],
        [[3500, 20], [3600, 30], [3550, 3000]],
    ];
    let place = |v: i64| v as f32 / (SIDE as f32 * 128.0) - 1.0;
    let corners: Vec<[f32; 4]> =
        triangles.iter().flatten().map(|c| [place(c[0]), place(c[1]), 0.0, 1.0]).collect();
    for (mode, extra) in
        [(M::OVERESTIMATE, 0i64), (M::OVERESTIMATE, 77), (M::OVERESTIMATE, 128), (M::UNDERESTIMATE, 0)]
    {
        let state = vk::PipelineRasterizationConservativeStateCreateInfoEXT::default()
            .conservative_rasterization_mode(mode)
            .extra_primitive_overestimation_size(extra as f32 / 256.0);
        let recipe = Recipe {
            shaders: &[POSITIONS, WHITE],
            adds: true,
            of_raster: (&raw const state).cast(),
            ..Recipe::new(SIDE, SIDE)
        };
        let pixels: Vec<f32> = canvas::drawn(&gpu, recipe, &corners, vk::Format::R32_SFLOAT, |_| ());
        for (i, pixel) in (0..).zip(pixels) {
            let (x, y) = (i64::from(i % SIDE), i64::from(i / SIDE));
            let [left, top] = [x, y].map(|v| v * 256 - extra);
            let covers = |t: &&[Point; 3]| match mode {
                M::UNDERESTIMATE => contains(t, [left, top], 256),
                _ => touches(t, [left, top], 256 + 2 * extra),
            };
            let expected = triangles.iter().filter(covers).count() as f32;
            assert_eq!(pixel, expected, "{mode:?} with {extra}: pixel {x}, {y}");
        }
    }
}

/// Colours with dithering are at most one step away from those without, and the same in every draw. Spec: Vulkan, "Legacy
/// Dithering".
#[test]
fn dithering_moves_colours_by_one_step() {
    let gpu = gpu(
        &[c"VK_EXT_legacy_dithering", c"VK_KHR_maintenance5"],
        vec![Number::new(1_000_465_000, vk::TRUE), Number::new(1_000_470_000, vk::TRUE)],
    );
    let format = vk::Format::R8G8B8A8_UNORM;
    // VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT.
    let flags = vk::PipelineCreateFlags2CreateInfoKHR::default()
        .flags(vk::PipelineCreateFlags2KHR::from_raw(1 << 34));
    // SAFETY: valid usage of Vulkan: the layout is destroyed after the draws.
    let layout = unsafe { gpu.device.create_pipeline_layout(&Default::default(), None) }.unwrap();
    let slopes = (S::FRAGMENT, include_str!("shaders/slopes.frag.spvasm"));
    let recipe = Recipe {
        shaders: &[POSITIONS, slopes],
        formats: &[format],
        layout,
        of_pipeline: (&raw const flags).cast(),
        ..Recipe::new(SIDE, SIDE)
    };
    let pipeline = canvas::pipeline(&gpu, &recipe);
    let buffer = canvas::vertices(&gpu, &WHOLE);
    let pictures = [(); 2].map(|()| {
        let targets = [Target::new(&gpu, format, [SIDE; 2], vk::ImageUsageFlags::empty())];
        let dithers = vk::RenderingFlags::ENABLE_LEGACY_DITHERING_EXT;
        canvas::render(
            &gpu,
            Onto { colors: &targets, flags: dithers, ..Onto::default() },
            [SIDE; 2],
            |cmd| {
                canvas::draw(&gpu, cmd, pipeline, &buffer, 3);
            },
        );
        let picture = targets[0].read::<[u8; 4]>(&gpu);
        targets.into_iter().for_each(|target| target.destroy(&gpu));
        picture
    });
    assert_eq!(pictures[0], pictures[1]);
    for (i, pixel) in (0..).zip(&pictures[0]) {
        let [x, y] = [i % SIDE, i / SIDE].map(|v| (f64::from(v) + 0.5) / f64::from(SIDE));
        for (got, c) in pixel.iter().zip([x, y, x * y, 1.0 - x * 0.37]) {
            // Half a step of rounding, and one of dithering.
            assert!((f64::from(*got) - c * 255.0).abs() < 1.501, "pixel {i}: {got} for {c}");
        }
    }
    // SAFETY: the draws are done, and the objects are not used afterwards.
    unsafe {
        gpu.device.destroy_pipeline(pipeline, None);
        gpu.device.destroy_pipeline_layout(layout, None);
    }
    buffer.destroy(&gpu);
}

/// An attribute without a description is (0, 0, 0, 0) or (0, 0, 0, 1), whatever its type, beside others with a
/// description. Spec: Vulkan, "Attribute Location and Component Assignment".
#[test]
fn attributes_without_a_description_have_a_value() {
    check_unbound(c"VK_EXT_vertex_attribute_robustness", 1_000_608_000, |_| [0, 1]);
    // Spec: Vulkan, VkDefaultVertexAttributeValueKHR.
    let values = |gpu: &Gpu| {
        let mut of = Defaults { ty: 1_000_584_001, next: null(), of_sparse: 0, value: -1 };
        let mut all = vk::PhysicalDeviceProperties2 { p_next: (&raw mut of).cast(), ..Default::default() };
        // SAFETY: valid usage of Vulkan: the structures are live during the call.
        unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
        match of.value {
            0 => [0, 0],
            1 => [1, 1],
            other => panic!("{other}"),
        }
    };
    check_unbound(c"VK_KHR_maintenance9", 1_000_584_000, values);
}

/// VkPhysicalDeviceMaintenance9PropertiesKHR, which the bindings lack.
#[repr(C)]
struct Defaults {
    ty: i32,
    next: *const c_void,
    of_sparse: vk::Bool32,
    value: i32,
}

/// Reads attributes without a description; their last components are 0 or 1, as `last` says.
fn check_unbound(extension: &'static CStr, feature: i32, last: impl Fn(&Gpu) -> [u32; 2]) {
    let gpu = gpu(&[extension], vec![Number::new(feature, vk::TRUE)]);
    let ones = last(&gpu);
    let out = gpu.buffer(3 * 5 * 16, vk::BufferUsageFlags::STORAGE_BUFFER);
    out.write(&[u32::MAX; 60]);
    let bound = [Bound::Buffers(vk::DescriptorType::STORAGE_BUFFER, &[out.buffer])];
    let sets = Sets::new(&gpu, S::VERTEX, &bound);
    let shaders = [(S::VERTEX, include_str!("shaders/unbound.vert.spvasm"))];
    let recipe = Recipe { shaders: &shaders, layout: sets.layout, ..Recipe::new(SIDE, SIDE) };
    let pipeline = canvas::pipeline(&gpu, &recipe);
    let buffer = canvas::vertices(&gpu, &SLOPE);
    canvas::render(&gpu, Onto::default(), [SIDE; 2], |cmd| {
        sets.bind(&gpu, cmd, vk::PipelineBindPoint::GRAPHICS);
        canvas::draw(&gpu, cmd, pipeline, &buffer, 3);
    });
    let seen: Vec<[u32; 4]> = out.read();
    let float = |one: u32| (one as f32).to_bits();
    for (vertex, position) in seen.chunks(5).zip(SLOPE) {
        assert_eq!(vertex[0], position.map(f32::to_bits));
        let last = [ones.map(float), ones, ones, [0; 2]];
        for (value, last) in vertex[1..].iter().zip(last) {
            assert!(value[..3] == [0; 3] && last.contains(&value[3]), "{extension:?}: {value:?}");
        }
    }
    // SAFETY: the draw is done, and the pipeline is not used afterwards.
    unsafe { gpu.device.destroy_pipeline(pipeline, None) };
    sets.destroy(&gpu);
    [out, buffer].into_iter().for_each(|b| b.destroy(&gpu));
}
