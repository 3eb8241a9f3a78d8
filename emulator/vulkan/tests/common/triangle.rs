//! A triangle: its pipeline, a render pass with a framebuffer, and the commands that draw it.

#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::prelude::VkResult;
use ash::vk;

use super::{COPIED_AFTERWARDS, Gpu, Picture};

/// Format of the image.
pub const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;

/// Creates the pipeline, for a subpass or, if `pass` is null, for dynamic rendering.
pub fn pipeline(gpu: &Gpu, pass: vk::RenderPass) -> VkResult<(vk::Pipeline, vk::PipelineLayout)> {
    let texts = [include_str!("../shaders/tri.vert.spvasm"), include_str!("../shaders/tri.frag.spvasm")];
    pipeline_of(gpu, pass, texts, &Default::default())
}

/// Creates a pipeline of a vertex and a fragment stage, with this vertex input.
pub fn pipeline_of(
    gpu: &Gpu,
    pass: vk::RenderPass,
    shaders: [&str; 2],
    input: &vk::PipelineVertexInputStateCreateInfo<'_>,
) -> VkResult<(vk::Pipeline, vk::PipelineLayout)> {
    // SAFETY: valid usage of Vulkan: the device is live.
    let layout = unsafe { gpu.device.create_pipeline_layout(&Default::default(), None)? };
    Ok((pipeline_with(gpu, pass, shaders, input, layout)?, layout))
}

/// Like [`pipeline_of`], with a layout that exists.
pub fn pipeline_with(
    gpu: &Gpu,
    pass: vk::RenderPass,
    [vertex, fragment]: [&str; 2],
    input: &vk::PipelineVertexInputStateCreateInfo<'_>,
    layout: vk::PipelineLayout,
) -> VkResult<vk::Pipeline> {
    let d = &gpu.device;
    let vertex = gpu.try_shader(vertex)?;
    let fragment = gpu.try_shader(fragment)?;
    let stages = [(vertex, vk::ShaderStageFlags::VERTEX), (fragment, vk::ShaderStageFlags::FRAGMENT)]
        .map(|(m, s)| vk::PipelineShaderStageCreateInfo::default().module(m).stage(s).name(c"main"));
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
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let mut info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(input)
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
        let made = d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
        d.destroy_shader_module(vertex, None);
        d.destroy_shader_module(fragment, None);
        Ok(made.map_err(|(_, code)| code)?[0])
    }
}

/// Creates a render pass that clears the image and leaves it for copies, and a framebuffer of this size.
pub fn pass(gpu: &Gpu, picture: &Picture, size: u32) -> VkResult<(vk::RenderPass, vk::Framebuffer)> {
    let attachment = [vk::AttachmentDescription::default()
        .format(FORMAT)
        .samples(vk::SampleCountFlags::TYPE_1)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE)
        .final_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)];
    let color =
        [vk::AttachmentReference { attachment: 0, layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL }];
    let subpass = [vk::SubpassDescription::default().color_attachments(&color)];
    let info = vk::RenderPassCreateInfo::default()
        .attachments(&attachment)
        .subpasses(&subpass)
        .dependencies(&[COPIED_AFTERWARDS]);
    let views = [picture.view];
    // SAFETY: valid usage of Vulkan: each create info and all objects in it are live during the call.
    unsafe {
        let pass = gpu.device.create_render_pass(&info, None)?;
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&views)
            .width(size)
            .height(size)
            .layers(1);
        Ok((pass, gpu.device.create_framebuffer(&info, None)?))
    }
}

/// Records the draw to an image of this size, with a scissor of `columns` columns.
pub fn draw(gpu: &Gpu, cmd: vk::CommandBuffer, pipeline: vk::Pipeline, size: u32, columns: u32) {
    let d = &gpu.device;
    let side = size as f32;
    let viewport = vk::Viewport { x: 0.0, y: 0.0, width: side, height: side, min_depth: 0.0, max_depth: 1.0 };
    let extent = vk::Extent2D { width: columns, height: size };
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    unsafe {
        d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
        d.cmd_set_viewport(cmd, 0, &[viewport]);
        d.cmd_set_scissor(cmd, 0, &[vk::Rect2D { offset: Default::default(), extent }]);
        d.cmd_draw(cmd, 3, 1, 0, 0);
    }
}
