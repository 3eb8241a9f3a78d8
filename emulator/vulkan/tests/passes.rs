//! Render passes whose framebuffers have no images, and whose depth and stencil have layouts of their own.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::{Gpu, WHOLE};
use ash::vk;

const SIDE: u32 = 4;
const COLOR: vk::Format = vk::Format::R8G8B8A8_UNORM;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT_S8_UINT;
const SOURCE: vk::ImageLayout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;

fn gpu() -> Gpu {
    let mut imageless = vk::PhysicalDeviceImagelessFramebufferFeatures::default().imageless_framebuffer(true);
    let mut separate =
        vk::PhysicalDeviceSeparateDepthStencilLayoutsFeatures::default().separate_depth_stencil_layouts(true);
    let extensions = [
        c"VK_KHR_create_renderpass2",
        c"VK_KHR_image_format_list",
        c"VK_KHR_imageless_framebuffer",
        c"VK_KHR_separate_depth_stencil_layouts",
    ];
    Gpu::with(&extensions, |info| info.push_next(&mut imageless).push_next(&mut separate)).unwrap()
}

/// Creates a pass that clears colour and depth, and keeps the stencil.
fn pass(gpu: &Gpu) -> vk::RenderPass {
    use vk::AttachmentLoadOp as Load;
    use vk::ImageLayout as L;
    let commands = ash::khr::create_renderpass2::Device::new(&gpu.instance, &gpu.device);
    let mut of_stencil = vk::AttachmentDescriptionStencilLayout::default()
        .stencil_initial_layout(L::GENERAL)
        .stencil_final_layout(SOURCE);
    let of = |format| {
        vk::AttachmentDescription2::default()
            .format(format)
            .samples(vk::SampleCountFlags::TYPE_1)
            .load_op(Load::CLEAR)
            .stencil_load_op(Load::LOAD)
            .final_layout(SOURCE)
    };
    let attachments = [of(COLOR), of(DEPTH).push_next(&mut of_stencil)];
    let color = [vk::AttachmentReference2::default()
        .attachment(0)
        .layout(L::COLOR_ATTACHMENT_OPTIMAL)
        .aspect_mask(vk::ImageAspectFlags::COLOR)];
    let mut stencil =
        vk::AttachmentReferenceStencilLayout::default().stencil_layout(L::STENCIL_READ_ONLY_OPTIMAL);
    let depth = vk::AttachmentReference2::default()
        .attachment(1)
        .layout(L::DEPTH_ATTACHMENT_OPTIMAL)
        .push_next(&mut stencil);
    let subpass =
        [vk::SubpassDescription2::default().color_attachments(&color).depth_stencil_attachment(&depth)];
    // The pass comes after all earlier commands, and before all later ones.
    use vk::AccessFlags as A;
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    let order = |from, to| {
        vk::SubpassDependency2::default()
            .src_subpass(from)
            .dst_subpass(to)
            .src_stage_mask(all)
            .dst_stage_mask(all)
            .src_access_mask(A::MEMORY_WRITE)
            .dst_access_mask(A::MEMORY_READ | A::MEMORY_WRITE)
    };
    let orders = [order(vk::SUBPASS_EXTERNAL, 0), order(0, vk::SUBPASS_EXTERNAL)];
    let info = vk::RenderPassCreateInfo2::default()
        .attachments(&attachments)
        .subpasses(&subpass)
        .dependencies(&orders);
    // SAFETY: valid usage of Vulkan: the create info and its structures are live during the call.
    unsafe { commands.create_render_pass2(&info, None) }.unwrap()
}

/// Creates an image with a view of all of its aspects.
fn target(gpu: &Gpu, format: vk::Format, usage: vk::ImageUsageFlags) -> crate::common::Picture {
    let aspects = match format {
        DEPTH => vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
        _ => vk::ImageAspectFlags::COLOR,
    };
    gpu.picture(format, [SIDE; 2], usage, aspects).unwrap()
}

/// Creates a framebuffer that knows the formats and usages of its images alone.
fn framebuffer(gpu: &Gpu, pass: vk::RenderPass, usages: [vk::ImageUsageFlags; 2]) -> vk::Framebuffer {
    let formats = [[COLOR], [DEPTH]];
    let images = [0, 1].map(|i| {
        vk::FramebufferAttachmentImageInfo::default()
            .usage(usages[i])
            .width(SIDE)
            .height(SIDE)
            .layer_count(1)
            .view_formats(&formats[i])
    });
    let mut of = vk::FramebufferAttachmentsCreateInfo::default().attachment_image_infos(&images);
    let mut info = vk::FramebufferCreateInfo::default()
        .flags(vk::FramebufferCreateFlags::IMAGELESS)
        .render_pass(pass)
        .width(SIDE)
        .height(SIDE)
        .layers(1)
        .push_next(&mut of);
    info.attachment_count = 2;
    // SAFETY: valid usage of Vulkan: the create info and its structures are live during the call.
    unsafe { gpu.device.create_framebuffer(&info, None) }.unwrap()
}

/// Each beginning of the pass names the images: those are cleared, and their stencil is as before.
#[test]
fn passes_begin_with_their_images() {
    use vk::ImageUsageFlags as U;
    let gpu = gpu();
    let (d, pass) = (&gpu.device, pass(&gpu));
    let copied = U::TRANSFER_SRC | U::TRANSFER_DST;
    let usages = [U::COLOR_ATTACHMENT | copied, U::DEPTH_STENCIL_ATTACHMENT | copied];
    let framebuffer = framebuffer(&gpu, pass, usages);
    for (byte, depth, stencil) in [(51u8, 0.25f32, 7u32), (204, 0.75, 9)] {
        let [color, zs] = [(COLOR, usages[0]), (DEPTH, usages[1])].map(|(f, u)| target(&gpu, f, u));
        let out = [(); 3].map(|()| gpu.buffer(64, vk::BufferUsageFlags::TRANSFER_DST));
        let value = f32::from(byte) / 255.0;
        let clears = [
            vk::ClearValue { color: vk::ClearColorValue { float32: [value; 4] } },
            vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth, stencil: 1 } },
        ];
        let views = [color.view, zs.view];
        let mut named = vk::RenderPassAttachmentBeginInfo::default().attachments(&views);
        let begin = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(framebuffer)
            .render_area(vk::Extent2D { width: SIDE, height: SIDE }.into())
            .clear_values(&clears)
            .push_next(&mut named);
        let region = |aspect_mask| {
            let layers = vk::ImageSubresourceLayers { aspect_mask, layer_count: 1, ..Default::default() };
            color.region().image_subresource(layers)
        };
        use vk::ImageAspectFlags as A;
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        gpu.run(|cmd| unsafe {
            let range = vk::ImageSubresourceRange { aspect_mask: A::DEPTH | A::STENCIL, ..WHOLE };
            let before = vk::ClearDepthStencilValue { depth: 0.5, stencil };
            d.cmd_clear_depth_stencil_image(cmd, zs.image, vk::ImageLayout::GENERAL, &before, &[range]);
            gpu.barrier(cmd);
            d.cmd_begin_render_pass(cmd, &begin, vk::SubpassContents::INLINE);
            d.cmd_end_render_pass(cmd);
            gpu.barrier(cmd);
            for (i, (image, aspect)) in
                [(color.image, A::COLOR), (zs.image, A::DEPTH), (zs.image, A::STENCIL)]
                    .into_iter()
                    .enumerate()
            {
                d.cmd_copy_image_to_buffer(cmd, image, SOURCE, out[i].buffer, &[region(aspect)]);
            }
        });
        assert_eq!(out[0].read::<u8>(), [byte; 64]);
        assert_eq!(out[1].read::<f32>(), [depth; 16]);
        assert_eq!(out[2].read::<u8>()[..16], [stencil as u8; 16]);
        out.into_iter().for_each(|b| b.destroy(&gpu));
        [color, zs].into_iter().for_each(|t| t.destroy(&gpu));
    }
    // SAFETY: the commands are done, and the objects are not used afterwards.
    unsafe {
        d.destroy_framebuffer(framebuffer, None);
        d.destroy_render_pass(pass, None);
    }
}
