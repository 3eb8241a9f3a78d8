//! Resolves with a mode per aspect (VK_KHR_maintenance10), and blits of 3D images.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;

use crate::common::{Gpu, WHOLE};
use ash::vk;

const FORMAT: vk::Format = vk::Format::D32_SFLOAT_S8_UINT;
const SIZE: u32 = 4;

/// VkResolveImageModeInfoKHR.
#[repr(C)]
struct Modes {
    ty: i32,
    next: *const c_void,
    flags: u32,
    resolve: vk::ResolveModeFlags,
    stencil: vk::ResolveModeFlags,
}

fn image(gpu: &Gpu, samples: vk::SampleCountFlags) -> (vk::Image, vk::DeviceMemory) {
    let info = vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(FORMAT)
        .extent(vk::Extent3D { width: SIZE, height: SIZE, depth: 1 })
        .mip_levels(1)
        .array_layers(1)
        .samples(samples)
        .usage(vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let image = gpu.device.create_image(&info, None).unwrap();
        let need = gpu.device.get_image_memory_requirements(image);
        let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
        let memory = gpu.device.allocate_memory(&info, None).unwrap();
        gpu.device.bind_image_memory(image, memory, 0).unwrap();
        (image, memory)
    }
}

const BOTH: vk::ImageAspectFlags = vk::ImageAspectFlags::from_raw(
    vk::ImageAspectFlags::DEPTH.as_raw() | vk::ImageAspectFlags::STENCIL.as_raw(),
);

fn layers(aspect_mask: vk::ImageAspectFlags) -> vk::ImageSubresourceLayers {
    vk::ImageSubresourceLayers { aspect_mask, mip_level: 0, base_array_layer: 0, layer_count: 1 }
}

/// Depth and stencil are each resolved with their own mode, and unchanged without one. Spec: Vulkan,
/// VkResolveImageModeInfoKHR.
#[test]
fn aspects_are_resolved_by_modes_of_their_own() {
    use vk::ResolveModeFlags as R;
    let gpu = Gpu::new(&[c"VK_KHR_copy_commands2", c"VK_KHR_maintenance10"]);
    let d = &gpu.device;
    let commands = ash::khr::copy_commands2::Device::new(&gpu.instance, d);
    let general = vk::ImageLayout::GENERAL;
    let (from, from_memory) = image(&gpu, vk::SampleCountFlags::TYPE_4);
    let (to, to_memory) = image(&gpu, vk::SampleCountFlags::TYPE_1);
    let bytes = u64::from(SIZE * SIZE * 4);
    let depths = gpu.buffer(bytes, vk::BufferUsageFlags::TRANSFER_DST);
    let stencils = gpu.buffer(bytes, vk::BufferUsageFlags::TRANSFER_DST);
    for (resolve, stencil, expected) in
        [(R::MAX, R::NONE, (0.25, 1)), (R::NONE, R::MIN, (1.0, 7)), (R::AVERAGE, R::SAMPLE_ZERO, (0.25, 7))]
    {
        gpu.run(|cmd| {
            let range = vk::ImageSubresourceRange {
                aspect_mask: BOTH,
                base_mip_level: 0,
                level_count: 1,
                base_array_layer: 0,
                layer_count: 1,
            };
            let value = |depth, stencil| vk::ClearDepthStencilValue { depth, stencil };
            let mode = Modes { ty: 1_000_630_004, next: std::ptr::null(), flags: 0, resolve, stencil };
            let extent = vk::Extent3D { width: SIZE, height: SIZE, depth: 1 };
            let regions = [vk::ImageResolve2::default()
                .src_subresource(layers(BOTH))
                .dst_subresource(layers(BOTH))
                .extent(extent)];
            let mut info = vk::ResolveImageInfo2::default()
                .src_image(from)
                .src_image_layout(general)
                .dst_image(to)
                .dst_image_layout(general)
                .regions(&regions);
            info.p_next = (&raw const mode).cast();
            let copy = |aspect| {
                [vk::BufferImageCopy::default().image_subresource(layers(aspect)).image_extent(extent)]
            };
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
            unsafe {
                d.cmd_clear_depth_stencil_image(cmd, from, general, &value(0.25, 7), &[range]);
                d.cmd_clear_depth_stencil_image(cmd, to, general, &value(1.0, 1), &[range]);
                gpu.barrier(cmd);
                commands.cmd_resolve_image2(cmd, &info);
                gpu.barrier(cmd);
                let depth = copy(vk::ImageAspectFlags::DEPTH);
                d.cmd_copy_image_to_buffer(cmd, to, general, depths.buffer, &depth);
                let stencil = copy(vk::ImageAspectFlags::STENCIL);
                d.cmd_copy_image_to_buffer(cmd, to, general, stencils.buffer, &stencil);
            }
        });
        assert!(depths.read::<f32>().iter().all(|&v| v == expected.0), "{resolve:?} {stencil:?}");
        let stencils = &stencils.read::<u8>()[..(SIZE * SIZE) as usize];
        assert!(stencils.iter().all(|&v| v == expected.1), "{resolve:?} {stencil:?}");
    }
    // SAFETY: the commands are done, and the objects are not used afterwards.
    unsafe {
        for (image, memory) in [(from, from_memory), (to, to_memory)] {
            d.destroy_image(image, None);
            d.free_memory(memory, None);
        }
    }
    depths.destroy(&gpu);
    stencils.destroy(&gpu);
}

/// A blit whose corners are swapped along z reverses the order of the slices. Spec: Vulkan, "Image Copies With
/// Scaling".
#[test]
fn slices_are_blitted_in_reverse() {
    let gpu = Gpu::new(&[]);
    let d = &gpu.device;
    let extent = vk::Extent3D { width: 2, height: 1, depth: 4 };
    let make = || {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_3D)
            .format(vk::Format::R32_UINT)
            .extent(extent)
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let image = d.create_image(&info, None).unwrap();
            let need = d.get_image_memory_requirements(image);
            let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
            let memory = d.allocate_memory(&info, None).unwrap();
            d.bind_image_memory(image, memory, 0).unwrap();
            (image, memory)
        }
    };
    let ((from, from_memory), (to, to_memory)) = (make(), make());
    let texels = gpu.buffer(32, vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST);
    texels.write(&[0u32, 1, 10, 11, 20, 21, 30, 31]);
    let (general, color) = (vk::ImageLayout::GENERAL, layers(vk::ImageAspectFlags::COLOR));
    let corner = |x, z| vk::Offset3D { x, y: i32::from(x != 0), z };
    gpu.run(|cmd| {
        let copy = [vk::BufferImageCopy::default().image_subresource(color).image_extent(extent)];
        let mut blit = vk::ImageBlit::default().src_subresource(color).dst_subresource(color);
        blit.src_offsets = [corner(0, 0), corner(2, 4)];
        blit.dst_offsets = [corner(0, 4), corner(2, 0)];
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_copy_buffer_to_image(cmd, texels.buffer, from, general, &copy);
            gpu.barrier(cmd);
            d.cmd_blit_image(cmd, from, general, to, general, &[blit], vk::Filter::NEAREST);
            gpu.barrier(cmd);
            d.cmd_copy_image_to_buffer(cmd, to, general, texels.buffer, &copy);
        }
    });
    assert_eq!(texels.read::<u32>(), [30, 31, 20, 21, 10, 11, 0, 1]);
    // SAFETY: the commands are done, and the objects are not used afterwards.
    unsafe {
        for (image, memory) in [(from, from_memory), (to, to_memory)] {
            d.destroy_image(image, None);
            d.free_memory(memory, None);
        }
    }
    texels.destroy(&gpu);
}

/// Depth is copied to a colour image with texels of the same size, and back. Spec: Vulkan, vkCmdCopyImage with
/// VK_KHR_maintenance8.
#[test]
fn depth_is_copied_to_colours() {
    let gpu = Gpu::new(&[c"VK_KHR_maintenance8"]);
    let d = &gpu.device;
    let usage = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
    let color = gpu.image(vk::Format::R32_SFLOAT, SIZE, usage);
    let [from, to] = [(); 2].map(|()| image(&gpu, vk::SampleCountFlags::TYPE_1));
    let texels: Vec<f32> = (0..SIZE * SIZE).map(|i| i as f32 / 32.0).collect();
    let both = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
    let [input, as_color, as_depth] = [(); 3].map(|()| gpu.buffer(u64::from(SIZE * SIZE * 4), both));
    input.write(&texels);
    let (depth, of_color) = (layers(vk::ImageAspectFlags::DEPTH), color.region().image_subresource);
    let of_depth = color.region().image_subresource(depth);
    let copy = |from, to| vk::ImageCopy {
        src_subresource: from,
        dst_subresource: to,
        extent: color.extent,
        ..Default::default()
    };
    let general = vk::ImageLayout::GENERAL;
    let zero = vk::ClearColorValue::default();
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    gpu.run(|cmd| unsafe {
        d.cmd_clear_color_image(cmd, color.image, general, &zero, &[WHOLE]);
        d.cmd_copy_buffer_to_image(cmd, input.buffer, from.0, general, &[of_depth]);
        gpu.barrier(cmd);
        d.cmd_copy_image(cmd, from.0, general, color.image, general, &[copy(depth, of_color)]);
        gpu.barrier(cmd);
        d.cmd_copy_image(cmd, color.image, general, to.0, general, &[copy(of_color, depth)]);
        gpu.barrier(cmd);
        d.cmd_copy_image_to_buffer(cmd, color.image, general, as_color.buffer, &[color.region()]);
        d.cmd_copy_image_to_buffer(cmd, to.0, general, as_depth.buffer, &[of_depth]);
    });
    assert_eq!(as_color.read::<f32>(), texels);
    assert_eq!(as_depth.read::<f32>(), texels);
    [input, as_color, as_depth].into_iter().for_each(|b| b.destroy(&gpu));
    color.destroy(&gpu);
    // SAFETY: the commands are done, and the objects are not used afterwards.
    unsafe {
        for (image, memory) in [from, to] {
            d.destroy_image(image, None);
            d.free_memory(memory, None);
        }
    }
}
