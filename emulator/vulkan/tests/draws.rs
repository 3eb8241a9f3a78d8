//! Commands and states of draws of extensions, by the pixels that they draw: several draws at once, counts in memory, nested
//! command buffers, representations of depth bias, attachments that are not there.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::CStr;

use crate::common::Gpu;
use crate::common::canvas::{self, Onto, Recipe, Target};
use ash::vk;
use vk::ShaderStageFlags as S;

const SIDE: u32 = 8;
const FORMAT: vk::Format = vk::Format::R32_SFLOAT;
const SHADERS: [(S, &str); 2] = [
    (S::VERTEX, include_str!("shaders/positions.vert.spvasm")),
    (S::FRAGMENT, include_str!("shaders/color.frag.spvasm")),
];

/// Creates a device with dynamic rendering, an extension and its feature structure.
fn gpu(extension: &'static CStr, feature: &mut impl vk::ExtendsDeviceCreateInfo) -> Gpu {
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let extensions = [c"VK_KHR_dynamic_rendering", extension];
    Gpu::with(&extensions, |info| info.push_next(&mut rendering).push_next(feature)).unwrap()
}

/// Columns of the image, of two triangles each: column x is covered by the vertices from 6 * x on.
fn columns() -> Vec<[f32; 4]> {
    let column = |x: u32| {
        let [left, right] = [x, x + 1].map(|x| x as f32 / SIDE as f32 * 2.0 - 1.0);
        let corner = |x, y| [x, y, 0.25, 1.0];
        let [a, b, c, d] = [corner(left, -1.0), corner(right, -1.0), corner(left, 1.0), corner(right, 1.0)];
        [a, b, c, c, b, d]
    };
    (0..SIDE).flat_map(column).collect()
}

/// Draws columns, and returns how often each column was drawn; all of its pixels must agree.
fn counted(gpu: &Gpu, record: impl FnOnce(vk::CommandBuffer)) -> Vec<f32> {
    summed(gpu, &SHADERS, record)
}

/// Like [`counted`], with other shaders, whose colours are added.
fn summed(gpu: &Gpu, shaders: &[(S, &str)], record: impl FnOnce(vk::CommandBuffer)) -> Vec<f32> {
    let recipe = Recipe { shaders, adds: true, ..Recipe::new(SIDE, SIDE) };
    let pixels: Vec<f32> = canvas::drawn_by(gpu, recipe, &columns(), FORMAT, record);
    let (first, rest) = pixels.split_at(SIDE as usize);
    assert!(rest.chunks(SIDE as usize).all(|row| row == first), "{pixels:?}");
    first.to_vec()
}

/// One command makes several draws, whose parameters have a stride of their own.
#[test]
fn one_command_makes_several_draws() {
    let mut feature = vk::PhysicalDeviceMultiDrawFeaturesEXT::default().multi_draw(true);
    let gpu = gpu(c"VK_EXT_multi_draw", &mut feature);
    let commands = ash::ext::multi_draw::Device::new(&gpu.instance, &gpu.device);
    let draw = |column: u32, columns: u32| [column * 6, columns * 6, u32::MAX];
    let draws = [draw(1, 2), draw(2, 1), draw(7, 1)];
    let indices = gpu.buffer(u64::from(SIDE) * 24, vk::BufferUsageFlags::INDEX_BUFFER);
    // Index i is vertex i of the columns from right to left.
    indices.write(&(0..SIDE).rev().flat_map(|x| x * 6..x * 6 + 6).collect::<Vec<u32>>());
    let seen = counted(&gpu, |cmd| {
        // SAFETY: valid usage of Vulkan: recording has begun, and the array outlives the call. Its elements begin with the
        // members of the structure.
        unsafe {
            let first = draws.as_ptr().cast::<vk::MultiDrawInfoEXT>();
            (commands.fp().cmd_draw_multi_ext)(cmd, 3, first, 1, 0, 12);
        }
    });
    assert_eq!(seen, [0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let seen = counted(&gpu, |cmd| {
        let draws = [
            vk::MultiDrawIndexedInfoEXT { first_index: 0, index_count: 6, vertex_offset: 0 },
            vk::MultiDrawIndexedInfoEXT { first_index: 6, index_count: 12, vertex_offset: -6 },
        ];
        // SAFETY: valid usage of Vulkan: recording has begun, and the buffer and the array outlive the calls.
        unsafe {
            gpu.device.cmd_bind_index_buffer(cmd, indices.buffer, 0, vk::IndexType::UINT32);
            let draw = commands.fp().cmd_draw_multi_indexed_ext;
            draw(cmd, 2, draws.as_ptr(), 1, 0, 12, std::ptr::null());
        }
    });
    // Columns 7, then 6 and 5, each moved one to the left.
    assert_eq!(seen, [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0]);
    indices.destroy(&gpu);
}

/// The number of draws is the least of the count in memory and the one of the command. Their first instances are in memory,
/// too.
#[test]
fn memory_has_the_number_of_draws() {
    let features =
        vk::PhysicalDeviceFeatures::default().multi_draw_indirect(true).draw_indirect_first_instance(true);
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let extensions = [c"VK_KHR_dynamic_rendering", c"VK_KHR_draw_indirect_count"];
    let gpu = Gpu::with(&extensions, |info| info.enabled_features(&features).push_next(&mut rendering));
    let gpu = gpu.unwrap();
    let commands = ash::khr::draw_indirect_count::Device::new(&gpu.instance, &gpu.device);
    let draws: Vec<[u32; 4]> = (0..SIDE).map(|x| [6, 1, 6 * x, 10 * x]).collect();
    let parameters = gpu.buffer(u64::from(SIDE) * 16, vk::BufferUsageFlags::INDIRECT_BUFFER);
    parameters.write(&draws);
    let counts = gpu.buffer(8, vk::BufferUsageFlags::INDIRECT_BUFFER);
    let numbered = [
        (S::VERTEX, include_str!("shaders/numbered.vert.spvasm")),
        (S::FRAGMENT, include_str!("shaders/flat.frag.spvasm")),
    ];
    for (count, most) in [(3, 8), (8, 5), (0, 8)] {
        counts.write(&[u32::MAX, count]);
        let seen = summed(&gpu, &numbered, |cmd| {
            // SAFETY: valid usage of Vulkan: recording has begun, and the buffers are live.
            unsafe {
                let (from, of) = (parameters.buffer, counts.buffer);
                commands.cmd_draw_indirect_count(cmd, from, 0, of, 4, most, 16);
            }
        });
        let expected = (0..SIDE).map(|x| if x < count.min(most) { (10 * x + 1) as f32 } else { 0.0 });
        assert_eq!(seen, expected.collect::<Vec<_>>(), "{count} of at most {most}");
    }
    [parameters, counts].into_iter().for_each(|b| b.destroy(&gpu));
}

/// Commands of a secondary command buffer that another one executes run in their order.
#[test]
fn secondary_command_buffers_are_nested() {
    let mut feature = vk::PhysicalDeviceNestedCommandBufferFeaturesEXT::default().nested_command_buffer(true);
    let gpu = gpu(c"VK_EXT_nested_command_buffer", &mut feature);
    let d = &gpu.device;
    let [from, to] = [vk::BufferUsageFlags::TRANSFER_SRC, vk::BufferUsageFlags::TRANSFER_DST]
        .map(|usage| gpu.buffer(16, usage | vk::BufferUsageFlags::TRANSFER_DST));
    let info = vk::CommandBufferAllocateInfo::default()
        .command_pool(gpu.pool)
        .level(vk::CommandBufferLevel::SECONDARY)
        .command_buffer_count(2);
    let inherited = vk::CommandBufferInheritanceInfo::default();
    let begin = vk::CommandBufferBeginInfo::default().inheritance_info(&inherited);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let nested = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(nested[0], &begin).unwrap();
        d.cmd_fill_buffer(nested[0], from.buffer, 0, 16, 77);
        gpu.barrier(nested[0]);
        d.end_command_buffer(nested[0]).unwrap();
        d.begin_command_buffer(nested[1], &begin).unwrap();
        d.cmd_execute_commands(nested[1], &nested[..1]);
        let whole = vk::BufferCopy::default().size(16);
        d.cmd_copy_buffer(nested[1], from.buffer, to.buffer, &[whole]);
        d.end_command_buffer(nested[1]).unwrap();
        gpu.run(|cmd| d.cmd_execute_commands(cmd, &nested[1..]));
        d.free_command_buffers(gpu.pool, &nested);
    }
    assert_eq!(to.read::<u32>(), [77; 4]);
    [from, to].into_iter().for_each(|b| b.destroy(&gpu));
}

/// A bias of representation FLOAT is added as it is; one of a forced fixed-point format is in steps of this format. Spec:
/// Vulkan, VkDepthBiasRepresentationEXT.
#[test]
fn depth_bias_has_representations() {
    use vk::DepthBiasRepresentationEXT as R;
    let mut feature = vk::PhysicalDeviceDepthBiasControlFeaturesEXT::default()
        .depth_bias_control(true)
        .float_representation(true);
    let gpu = gpu(c"VK_EXT_depth_bias_control", &mut feature);
    for (representation, bias, added) in [
        (R::FLOAT, 0.125, 0.125),
        // The exponent of 0.25 is -2, so that a step of 24 bits is 2^-25.
        (R::LEAST_REPRESENTABLE_VALUE_FORMAT, 1024.0, 1024.0 / 33_554_432.0),
    ] {
        let state = vk::DepthBiasRepresentationInfoEXT::default().depth_bias_representation(representation);
        let recipe = Recipe {
            shaders: &SHADERS[..1],
            depth_bias: bias,
            of_raster: (&raw const state).cast(),
            ..Recipe::new(SIDE, SIDE)
        };
        let depths: Vec<f32> = canvas::drawn(&gpu, recipe, &columns(), vk::Format::D32_SFLOAT, |_| ());
        assert_eq!(depths, [0.25 + added; (SIDE * SIDE) as usize], "{representation:?}");
    }
}

/// A pipeline may have more attachments than the rendering, and formats of attachments without a view.
#[test]
fn attachments_may_be_unused() {
    let mut feature = vk::PhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT::default()
        .dynamic_rendering_unused_attachments(true);
    let gpu = gpu(c"VK_EXT_dynamic_rendering_unused_attachments", &mut feature);
    let formats = [FORMAT, vk::Format::R8G8B8A8_UNORM, FORMAT];
    let recipe = Recipe { shaders: &SHADERS, formats: &formats, ..Recipe::new(SIDE, SIDE) };
    let pixels: Vec<f32> = canvas::drawn(&gpu, recipe, &columns(), FORMAT, |_| ());
    assert_eq!(pixels, [1.0; (SIDE * SIDE) as usize]);
    // A pipeline without attachments writes none of the rendering.
    // SAFETY: valid usage of Vulkan: the layout is destroyed after the draw.
    let layout = unsafe { gpu.device.create_pipeline_layout(&Default::default(), None) }.unwrap();
    let pipeline = canvas::pipeline(&gpu, &Recipe { shaders: &SHADERS, layout, ..Recipe::new(SIDE, SIDE) });
    let targets = [Target::new(&gpu, FORMAT, [SIDE; 2], vk::ImageUsageFlags::empty())];
    let corners = canvas::vertices(&gpu, &columns());
    canvas::render(&gpu, Onto { colors: &targets, ..Onto::default() }, [SIDE; 2], |cmd| {
        canvas::draw(&gpu, cmd, pipeline, &corners, columns().len());
    });
    assert_eq!(targets[0].read::<f32>(&gpu), [0.0; (SIDE * SIDE) as usize]);
    // SAFETY: the draws are done, and the objects are not used afterwards.
    unsafe {
        gpu.device.destroy_pipeline(pipeline, None);
        gpu.device.destroy_pipeline_layout(layout, None);
    }
    corners.destroy(&gpu);
    targets.into_iter().for_each(|target| target.destroy(&gpu));
}

/// Indices of 32 bits reach the shader whole. Spec: Vulkan, fullDrawIndexUint32.
#[test]
fn indices_have_32_bits() {
    let features = vk::PhysicalDeviceFeatures::default().full_draw_index_uint32(true);
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let extensions = [c"VK_KHR_dynamic_rendering"];
    let gpu = Gpu::with(&extensions, |info| info.enabled_features(&features).push_next(&mut rendering));
    let gpu = gpu.unwrap();
    let indices = gpu.buffer(12, vk::BufferUsageFlags::INDEX_BUFFER);
    // 2^32 - 1 is the greatest index: restart is disabled.
    indices.write(&[u32::MAX - 3, u32::MAX - 2, u32::MAX - 1]);
    let shaders = [(S::VERTEX, include_str!("shaders/indices.vert.spvasm")), SHADERS[1]];
    let recipe = Recipe { shaders: &shaders, attribute: false, ..Recipe::new(SIDE, SIDE) };
    let pixels: Vec<f32> = canvas::drawn_by(&gpu, recipe, &columns(), FORMAT, |cmd| {
        // SAFETY: valid usage of Vulkan: recording has begun, and the buffer is live.
        unsafe {
            gpu.device.cmd_bind_index_buffer(cmd, indices.buffer, 0, vk::IndexType::UINT32);
            gpu.device.cmd_draw_indexed(cmd, 3, 1, 0, 0, 0);
        }
    });
    assert_eq!(pixels, [1.0; (SIDE * SIDE) as usize]);
    indices.destroy(&gpu);
}

/// An attachment that is neither loaded nor stored keeps its texels, if nothing writes them. Spec: Vulkan,
/// VK_ATTACHMENT_LOAD_OP_NONE, VK_ATTACHMENT_STORE_OP_NONE.
#[test]
fn attachments_are_neither_loaded_nor_stored() {
    for name in [c"VK_EXT_load_store_op_none", c"VK_KHR_load_store_op_none"] {
        let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let extensions = [c"VK_KHR_dynamic_rendering", name];
        let gpu = Gpu::with(&extensions, |info| info.push_next(&mut rendering)).unwrap();
        let targets = [Target::new(&gpu, FORMAT, [SIDE; 2], vk::ImageUsageFlags::empty())];
        // SAFETY: valid usage of Vulkan: the layout is destroyed after the draw.
        let layout = unsafe { gpu.device.create_pipeline_layout(&Default::default(), None) }.unwrap();
        let recipe = Recipe { shaders: &SHADERS, layout, formats: &[FORMAT], ..Recipe::new(SIDE, SIDE) };
        let pipeline = canvas::pipeline(&gpu, &recipe);
        let corners = canvas::vertices(&gpu, &columns());
        let onto = Onto { colors: &targets, ..Onto::default() };
        canvas::render(&gpu, onto, [SIDE; 2], |cmd| {
            canvas::draw(&gpu, cmd, pipeline, &corners, 18);
        });
        let before = targets[0].read::<f32>(&gpu);
        assert_eq!(before[..4], [1.0, 1.0, 1.0, 0.0]);
        canvas::render(&gpu, Onto { none: true, ..onto }, [SIDE; 2], |_| ());
        assert_eq!(targets[0].read::<f32>(&gpu), before, "{name:?}");
        // SAFETY: the draws are done, and the objects are not used afterwards.
        unsafe {
            gpu.device.destroy_pipeline(pipeline, None);
            gpu.device.destroy_pipeline_layout(layout, None);
        }
        corners.destroy(&gpu);
        targets.into_iter().for_each(|target| target.destroy(&gpu));
    }
}
