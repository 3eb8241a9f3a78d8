//! Draws a triangle through the driver, without the loader: in a render pass and with dynamic rendering.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::triangle::{self, FORMAT};
use crate::common::{Gpu, Mapped, Picture};
use ash::vk;

const SIZE: u32 = 16;

fn target(gpu: &Gpu) -> (Picture, Mapped) {
    let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
    let bytes = u64::from(SIZE * SIZE * 4);
    (gpu.image(FORMAT, SIZE, usage), gpu.buffer(bytes, vk::BufferUsageFlags::TRANSFER_DST))
}

/// Within the scissor, the left half of the image shows the triangle; the right half is cleared.
fn check(pixels: &Mapped) {
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
}

const RED: vk::ClearValue = vk::ClearValue { color: vk::ClearColorValue { float32: [1.0, 0.0, 0.0, 1.0] } };
const AREA: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: SIZE, height: SIZE } };

const PIXEL: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: 1, height: 1 } };

/// The only device of the group, with a render area of its own if there is one.
fn group(areas: &[vk::Rect2D]) -> vk::DeviceGroupRenderPassBeginInfo<'_> {
    vk::DeviceGroupRenderPassBeginInfo::default().device_mask(1).device_render_areas(areas)
}

/// Draws in a render pass with this area, and with those of the devices.
fn draw_in_pass(area: vk::Rect2D, of_devices: &[vk::Rect2D]) {
    let gpu = Gpu::new(&[]);
    let d = &gpu.device;
    let (picture, pixels) = target(&gpu);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let (pass, framebuffer) = triangle::pass(&gpu, &picture, SIZE).unwrap();
        let (pipeline, layout) = triangle::pipeline(&gpu, pass).unwrap();
        gpu.run(|cmd| {
            let mut group = group(of_devices);
            let info = vk::RenderPassBeginInfo::default()
                .render_pass(pass)
                .framebuffer(framebuffer)
                .render_area(area)
                .clear_values(&[RED])
                .push_next(&mut group);
            d.cmd_begin_render_pass(cmd, &info, vk::SubpassContents::INLINE);
            triangle::draw(&gpu, cmd, pipeline, SIZE, 12);
            d.cmd_end_render_pass(cmd);
            let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            d.cmd_copy_image_to_buffer(cmd, picture.image, layout, pixels.buffer, &[picture.region()]);
        });
        check(&pixels);
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_framebuffer(framebuffer, None);
        d.destroy_render_pass(pass, None);
    }
    picture.destroy(&gpu);
    pixels.destroy(&gpu);
}

/// As [`draw_in_pass`], without a render pass.
fn draw_dynamically(area: vk::Rect2D, of_devices: &[vk::Rect2D]) {
    let gpu = Gpu::new(&[
        c"VK_KHR_create_renderpass2",
        c"VK_KHR_depth_stencil_resolve",
        c"VK_KHR_dynamic_rendering",
    ]);
    let d = &gpu.device;
    let commands = ash::khr::dynamic_rendering::Device::new(&gpu.instance, d);
    let (picture, pixels) = target(&gpu);
    let (pipeline, layout) = triangle::pipeline(&gpu, vk::RenderPass::null()).unwrap();
    gpu.run(|cmd| {
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(picture.view)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(RED)];
        let mut group = group(of_devices);
        let info = vk::RenderingInfo::default()
            .render_area(area)
            .layer_count(1)
            .color_attachments(&color)
            .push_next(&mut group);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            commands.cmd_begin_rendering(cmd, &info);
            triangle::draw(&gpu, cmd, pipeline, SIZE, 12);
            commands.cmd_end_rendering(cmd);
            gpu.barrier(cmd);
            let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            d.cmd_copy_image_to_buffer(cmd, picture.image, layout, pixels.buffer, &[picture.region()]);
        }
    });
    check(&pixels);
    // SAFETY: the draws are done, and the objects are not used afterwards.
    unsafe {
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(layout, None);
    }
    picture.destroy(&gpu);
    pixels.destroy(&gpu);
}

#[test]
fn in_a_render_pass() {
    draw_in_pass(AREA, &[]);
}

#[test]
fn with_dynamic_rendering() {
    draw_dynamically(AREA, &[]);
}

/// The areas of devices override that of all devices. Spec: Vulkan, VkDeviceGroupRenderPassBeginInfo.
#[test]
fn in_the_area_of_the_device() {
    draw_in_pass(PIXEL, &[AREA]);
    draw_dynamically(PIXEL, &[AREA]);
}
