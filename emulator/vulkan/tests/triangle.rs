//! Draws a triangle through the driver, without the loader: in a render pass and with dynamic
//! rendering.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use ash::vk;
use common::{Gpu, Mapped, Picture, WHOLE};

const SIZE: u32 = 16;
const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;

fn target(gpu: &Gpu) -> (Picture, Mapped) {
    let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
    let bytes = u64::from(SIZE * SIZE * 4);
    (gpu.image(FORMAT, SIZE, usage), gpu.buffer(bytes, vk::BufferUsageFlags::TRANSFER_DST))
}

fn pipeline(gpu: &Gpu, pass: vk::RenderPass) -> (vk::Pipeline, vk::PipelineLayout) {
    let d = &gpu.device;
    let vertex = gpu.shader(include_str!("shaders/tri.vert.spvasm"));
    let fragment = gpu.shader(include_str!("shaders/tri.frag.spvasm"));
    let stages = [(vertex, vk::ShaderStageFlags::VERTEX), (fragment, vk::ShaderStageFlags::FRAGMENT)]
        .map(|(m, s)| vk::PipelineShaderStageCreateInfo::default().module(m).stage(s).name(c"main"));
    let input = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
    let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
    let samples =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let all = vk::ColorComponentFlags::RGBA;
    let attachment = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(all)];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachment);
    let states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let formats = [FORMAT];
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    // SAFETY: valid usage of Vulkan.
    unsafe {
        let layout = d.create_pipeline_layout(&Default::default(), None).unwrap();
        let mut info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .color_blend_state(&blend)
            .dynamic_state(&dynamic)
            .layout(layout)
            .render_pass(pass);
        if pass == vk::RenderPass::null() {
            info = info.push_next(&mut rendering);
        }
        let made = d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None).unwrap();
        d.destroy_shader_module(vertex, None);
        d.destroy_shader_module(fragment, None);
        (made[0], layout)
    }
}

/// The left half, which the scissor leaves, is the triangle's; the right half is cleared.
fn check(gpu: &Gpu, pixels: &Mapped) {
    let words: Vec<u32> = pixels.read();
    for (i, &word) in words.iter().enumerate() {
        let x = i as u32 % SIZE;
        let expected = match x {
            0..8 => 0xff00_ff00_u32,
            8..12 => 0x0000_ff00,
            _ => 0xff00_00ff,
        };
        assert_eq!(word, expected, "pixel {x}, {}", i as u32 / SIZE);
    }
    let _ = gpu;
}

fn draw(gpu: &Gpu, cmd: vk::CommandBuffer, pipeline: vk::Pipeline) {
    let d = &gpu.device;
    let size = SIZE as f32;
    let viewport = vk::Viewport { x: 0.0, y: 0.0, width: size, height: size, min_depth: 0.0, max_depth: 1.0 };
    let extent = vk::Extent2D { width: 12, height: SIZE };
    // SAFETY: valid usage of Vulkan.
    unsafe {
        d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
        d.cmd_set_viewport(cmd, 0, &[viewport]);
        d.cmd_set_scissor(cmd, 0, &[vk::Rect2D { offset: Default::default(), extent }]);
        d.cmd_draw(cmd, 3, 1, 0, 0);
    }
}

const RED: vk::ClearValue = vk::ClearValue { color: vk::ClearColorValue { float32: [1.0, 0.0, 0.0, 1.0] } };
const AREA: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: SIZE, height: SIZE } };

#[test]
fn in_a_render_pass() {
    let gpu = Gpu::new(&[]);
    let d = &gpu.device;
    let (picture, pixels) = target(&gpu);
    // SAFETY: valid usage of Vulkan.
    unsafe {
        let attachment = [vk::AttachmentDescription::default()
            .format(FORMAT)
            .samples(vk::SampleCountFlags::TYPE_1)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .final_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)];
        let color =
            [vk::AttachmentReference { attachment: 0, layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL }];
        let subpass = [vk::SubpassDescription::default().color_attachments(&color)];
        let info = vk::RenderPassCreateInfo::default().attachments(&attachment).subpasses(&subpass);
        let pass = d.create_render_pass(&info, None).unwrap();
        let views = [picture.view];
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&views)
            .width(SIZE)
            .height(SIZE)
            .layers(1);
        let framebuffer = d.create_framebuffer(&info, None).unwrap();
        let (pipeline, layout) = pipeline(&gpu, pass);
        gpu.run(|cmd| {
            let info = vk::RenderPassBeginInfo::default()
                .render_pass(pass)
                .framebuffer(framebuffer)
                .render_area(AREA)
                .clear_values(&[RED]);
            d.cmd_begin_render_pass(cmd, &info, vk::SubpassContents::INLINE);
            draw(&gpu, cmd, pipeline);
            d.cmd_end_render_pass(cmd);
            let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            d.cmd_copy_image_to_buffer(cmd, picture.image, layout, pixels.buffer, &[picture.region()]);
        });
        check(&gpu, &pixels);
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_framebuffer(framebuffer, None);
        d.destroy_render_pass(pass, None);
    }
    picture.destroy(&gpu);
    pixels.destroy(&gpu);
}

#[test]
fn with_dynamic_rendering() {
    let gpu = Gpu::new(&[
        c"VK_KHR_create_renderpass2",
        c"VK_KHR_depth_stencil_resolve",
        c"VK_KHR_dynamic_rendering",
    ]);
    let d = &gpu.device;
    let commands = ash::khr::dynamic_rendering::Device::new(&gpu.instance, d);
    let (picture, pixels) = target(&gpu);
    let (pipeline, layout) = pipeline(&gpu, vk::RenderPass::null());
    gpu.run(|cmd| {
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(picture.view)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(RED)];
        let info = vk::RenderingInfo::default().render_area(AREA).layer_count(1).color_attachments(&color);
        // SAFETY: valid usage of Vulkan.
        unsafe {
            commands.cmd_begin_rendering(cmd, &info);
            draw(&gpu, cmd, pipeline);
            commands.cmd_end_rendering(cmd);
            let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            d.cmd_copy_image_to_buffer(cmd, picture.image, layout, pixels.buffer, &[picture.region()]);
        }
    });
    check(&gpu, &pixels);
    let _ = WHOLE;
    // SAFETY: not used any more.
    unsafe {
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(layout, None);
    }
    picture.destroy(&gpu);
    pixels.destroy(&gpu);
}
