//! Fragments that read the attachment that they write: in the order of primitives, and between barriers.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Gpu;
use crate::common::canvas::{self, Onto, Recipe, Target};
use crate::common::sets::{Bound, Sets};
use ash::vk;
use vk::DescriptorType as D;
use vk::ShaderStageFlags as S;

const SIDE: u32 = 8;
const FORMAT: vk::Format = vk::Format::R32_SFLOAT;
const POSITIONS: (S, &str) = (S::VERTEX, include_str!("shaders/positions.vert.spvasm"));
/// A triangle that covers the image.
const WHOLE: [[f32; 4]; 3] = [[-1.0, -1.0, 0.0, 1.0], [3.0, -1.0, 0.0, 1.0], [-1.0, 3.0, 0.0, 1.0]];
/// A triangle that covers the left half: columns 0 to 3.
const LEFT: [[f32; 4]; 3] = [[0.0, -9.0, 0.0, 1.0], [0.0, 9.0, 0.0, 1.0], [-9.0, 0.0, 0.0, 1.0]];

/// Draws with a shader that reads the target, which `record` does, and returns the texels.
fn drawn(
    gpu: &Gpu,
    recipe: Recipe<'_>,
    kind: D,
    layout: vk::ImageLayout,
    usage: vk::ImageUsageFlags,
    corners: &[[f32; 4]],
    record: impl FnOnce(vk::CommandBuffer),
) -> Vec<f32> {
    let targets = [Target::new(gpu, FORMAT, [SIDE; 2], usage)];
    // SAFETY: valid usage of Vulkan: the sampler is destroyed after the draws.
    let sampler = unsafe { gpu.device.create_sampler(&Default::default(), None) }.unwrap();
    let image = [vk::DescriptorImageInfo { image_view: targets[0].view, sampler, image_layout: layout }];
    let sets = Sets::new(gpu, S::FRAGMENT, &[Bound::Images(kind, &image)]);
    let pipeline = canvas::pipeline(gpu, &Recipe { layout: sets.layout, formats: &[FORMAT], ..recipe });
    let buffer = canvas::vertices(gpu, corners);
    canvas::render(gpu, Onto { colors: &targets, layout, ..Onto::default() }, [SIDE; 2], |cmd| {
        sets.bind(gpu, cmd, vk::PipelineBindPoint::GRAPHICS);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            gpu.device.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
            gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[buffer.buffer], &[0]);
        }
        record(cmd);
    });
    let texels = targets[0].read(gpu);
    // SAFETY: the draws are done, and the objects are not used afterwards.
    unsafe {
        gpu.device.destroy_pipeline(pipeline, None);
        gpu.device.destroy_sampler(sampler, None);
    }
    sets.destroy(gpu);
    buffer.destroy(gpu);
    targets.into_iter().for_each(|target| target.destroy(gpu));
    texels
}

/// Primitives of one draw see what those before them wrote. Spec: Vulkan,
/// VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT.
#[test]
fn primitives_read_in_rasterization_order() {
    for name in
        [c"VK_EXT_rasterization_order_attachment_access", c"VK_ARM_rasterization_order_attachment_access"]
    {
        let mut order = vk::PhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT::default()
            .rasterization_order_color_attachment_access(true);
        let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut local = vk::PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR::default()
            .dynamic_rendering_local_read(true);
        let extensions = [c"VK_KHR_dynamic_rendering", c"VK_KHR_dynamic_rendering_local_read", name];
        let gpu = Gpu::with(&extensions, |info| {
            info.push_next(&mut order).push_next(&mut rendering).push_next(&mut local)
        });
        let gpu = gpu.unwrap();
        let shaders = [POSITIONS, (S::FRAGMENT, include_str!("shaders/input_more.frag.spvasm"))];
        let ordered = vk::PipelineColorBlendStateCreateFlags::RASTERIZATION_ORDER_ATTACHMENT_ACCESS_EXT;
        let recipe = Recipe { shaders: &shaders, blend_flags: ordered, ..Recipe::new(SIDE, SIDE) };
        let corners = [WHOLE, LEFT, WHOLE, LEFT, LEFT].concat();
        let (layout, usage) =
            (vk::ImageLayout::RENDERING_LOCAL_READ_KHR, vk::ImageUsageFlags::INPUT_ATTACHMENT);
        let texels = drawn(&gpu, recipe, D::INPUT_ATTACHMENT, layout, usage, &corners, |cmd| {
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe { gpu.device.cmd_draw(cmd, corners.len() as u32, 1, 0, 0) };
        });
        let expected = (0..SIDE * SIDE).map(|i| if i % SIDE < SIDE / 2 { 5.0 } else { 2.0 });
        assert_eq!(texels, expected.collect::<Vec<_>>(), "{name:?}");
    }
}

/// Samplers read the attachment that the draw writes; the pipeline or a command says so. Spec: Vulkan,
/// VK_PIPELINE_CREATE_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT, vkCmdSetAttachmentFeedbackLoopEnableEXT.
#[test]
fn samplers_read_the_attachment() {
    let mut loops = vk::PhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT::default()
        .attachment_feedback_loop_layout(true);
    let mut dynamic = vk::PhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT::default()
        .attachment_feedback_loop_dynamic_state(true);
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let extensions = [
        c"VK_KHR_dynamic_rendering",
        c"VK_EXT_attachment_feedback_loop_layout",
        c"VK_EXT_attachment_feedback_loop_dynamic_state",
    ];
    let gpu = Gpu::with(&extensions, |info| {
        info.push_next(&mut loops).push_next(&mut dynamic).push_next(&mut rendering)
    });
    let gpu = gpu.unwrap();
    let commands = ash::ext::attachment_feedback_loop_dynamic_state::Device::new(&gpu.instance, &gpu.device);
    let shaders = [POSITIONS, (S::FRAGMENT, include_str!("shaders/sampled_more.frag.spvasm"))];
    let state = [vk::DynamicState::ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT];
    let flags = vk::PipelineCreateFlags::COLOR_ATTACHMENT_FEEDBACK_LOOP_EXT;
    let layout = vk::ImageLayout::ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT;
    let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::ATTACHMENT_FEEDBACK_LOOP_EXT;
    for by_command in [false, true] {
        let plain = Recipe { shaders: &shaders, ..Recipe::new(SIDE, SIDE) };
        let recipe = match by_command {
            true => Recipe { dynamic: &state, ..plain },
            false => Recipe { flags, ..plain },
        };
        let texels = drawn(&gpu, recipe, D::COMBINED_IMAGE_SAMPLER, layout, usage, &WHOLE, |cmd| {
            use vk::AccessFlags as A;
            let memory = vk::MemoryBarrier::default()
                .src_access_mask(A::COLOR_ATTACHMENT_WRITE)
                .dst_access_mask(A::SHADER_READ | A::COLOR_ATTACHMENT_WRITE);
            // The end of the rendering writes, after the last read.
            let both =
                vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT | vk::PipelineStageFlags::FRAGMENT_SHADER;
            let region = vk::DependencyFlags::BY_REGION | vk::DependencyFlags::FEEDBACK_LOOP_EXT;
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
            unsafe {
                if by_command {
                    let set = commands.fp().cmd_set_attachment_feedback_loop_enable_ext;
                    set(cmd, vk::ImageAspectFlags::COLOR);
                }
                let order = || gpu.device.cmd_pipeline_barrier(cmd, both, both, region, &[memory], &[], &[]);
                for _ in 0..3 {
                    order();
                    gpu.device.cmd_draw(cmd, 3, 1, 0, 0);
                }
                order();
            }
        });
        // 2 (2 (2 * 0 + 1) + 1) + 1.
        assert_eq!(texels, [7.0; (SIDE * SIDE) as usize], "by command: {by_command}");
    }
}
