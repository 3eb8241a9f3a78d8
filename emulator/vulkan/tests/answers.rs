//! Answers to questions about compression of images, merged subpasses and cubic filters, and blits with a cubic filter.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;

use crate::common::Gpu;
use ash::vk;

/// VkPhysicalDeviceImageTilingControlFeaturesEXT, VkImageTilingControlCreateInfoEXT and others of one word, which the
/// bindings lack.
#[repr(C)]
struct Tiling {
    ty: vk::StructureType,
    next: *const c_void,
    value: u32,
}

/// Images of every kind have an alignment that the application may ask for: vkd3d-proton asks for that of pages.
/// Spec: Vulkan, VkImageAlignmentControlCreateInfoMESA.
#[test]
fn images_have_small_alignments() {
    let words = |number, value| Tiling {
        ty: vk::StructureType::from_raw(1_000_575_000 + number),
        next: std::ptr::null(),
        value,
    };
    let feature = words(0, vk::TRUE);
    let gpu = Gpu::with(&[c"VK_MESA_image_alignment_control"], |mut info| {
        info.p_next = (&raw const feature).cast();
        info
    });
    let gpu = gpu.unwrap();
    let (mut feature, mut limit) = (words(0, vk::FALSE), words(1, 0));
    let mut features =
        vk::PhysicalDeviceFeatures2 { p_next: (&raw mut feature).cast(), ..Default::default() };
    let mut limits = vk::PhysicalDeviceProperties2 { p_next: (&raw mut limit).cast(), ..Default::default() };
    // SAFETY: valid usage of Vulkan: the chains are live structures.
    unsafe {
        gpu.instance.get_physical_device_features2(gpu.physical, &mut features);
        gpu.instance.get_physical_device_properties2(gpu.physical, &mut limits);
    }
    assert_eq!(feature.value, vk::TRUE);
    // D3D12 has pages of 4 KiB for small images, and of 64 KiB for others.
    let all: Vec<u32> = (0..32).map(|bit| 1 << bit).filter(|bit| limit.value & bit != 0).collect();
    assert!(all.contains(&0x1000) && all.contains(&0x1_0000), "{all:?}");
    for (asked, (samples, side)) in
        all.iter().flat_map(|bit| [(1, 16), (4, 128), (1, 1024)].map(|i| (bit, i)))
    {
        let asks = words(2, *asked);
        let mut info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(vk::Format::R8G8B8A8_UNORM)
            .extent(vk::Extent3D { width: side, height: side, depth: 1 })
            .mip_levels(1)
            .array_layers(2)
            .samples(vk::SampleCountFlags::from_raw(samples))
            .usage(vk::ImageUsageFlags::COLOR_ATTACHMENT);
        info.p_next = (&raw const asks).cast();
        // SAFETY: valid usage of Vulkan: the chain is a live structure, and the image is destroyed once.
        unsafe {
            let image = gpu.device.create_image(&info, None).unwrap();
            let need = gpu.device.get_image_memory_requirements(image);
            assert!(need.alignment <= u64::from(*asked), "{asked}: {}", need.alignment);
            gpu.device.destroy_image(image, None);
        }
    }
}

/// No image is compressed, whatever the application asks for. Spec: Vulkan, VkImageCompressionPropertiesEXT.
#[test]
fn images_are_not_compressed() {
    let mut control =
        vk::PhysicalDeviceImageCompressionControlFeaturesEXT::default().image_compression_control(true);
    let tiling = |number, value| Tiling {
        ty: vk::StructureType::from_raw(1_000_687_000 + number),
        next: std::ptr::null(),
        value,
    };
    let feature = tiling(0, vk::TRUE);
    let gpu = Gpu::with(&[c"VK_EXT_image_compression_control", c"VK_EXT_image_tiling_control"], |info| {
        control.p_next = (&raw const feature).cast_mut().cast();
        info.push_next(&mut control)
    });
    let gpu = gpu.unwrap();
    let layout_of = ash::ext::image_compression_control::Device::new(&gpu.instance, &gpu.device);
    for flags in [
        vk::ImageCompressionFlagsEXT::DEFAULT,
        vk::ImageCompressionFlagsEXT::FIXED_RATE_DEFAULT,
        vk::ImageCompressionFlagsEXT::DISABLED,
    ] {
        let usage = vk::ImageUsageFlags::SAMPLED;
        let mut control = vk::ImageCompressionControlEXT::default().flags(flags);
        let asked = vk::PhysicalDeviceImageFormatInfo2::default()
            .format(vk::Format::R8G8B8A8_UNORM)
            .ty(vk::ImageType::TYPE_2D)
            .usage(usage)
            .push_next(&mut control);
        let mut of_format = vk::ImageCompressionPropertiesEXT::default();
        let mut answer = vk::ImageFormatProperties2::default().push_next(&mut of_format);
        // Fastest tiling: VK_IMAGE_TILING_CONTROL_MAX_PERFORMANCE_EXT.
        let fastest = tiling(1, 2);
        let mut control = vk::ImageCompressionControlEXT::default().flags(flags);
        control.p_next = (&raw const fastest).cast();
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(vk::Format::R8G8B8A8_UNORM)
            .extent(vk::Extent3D { width: 4, height: 4, depth: 1 })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage)
            .push_next(&mut control);
        let aspect_mask = vk::ImageAspectFlags::COLOR;
        let which = vk::ImageSubresource2KHR::default()
            .image_subresource(vk::ImageSubresource { aspect_mask, ..Default::default() });
        let mut of_image = vk::ImageCompressionPropertiesEXT::default();
        let mut layout = vk::SubresourceLayout2KHR::default().push_next(&mut of_image);
        // SAFETY: valid usage of Vulkan: all structures and objects are live while the calls use them.
        unsafe {
            gpu.instance
                .get_physical_device_image_format_properties2(gpu.physical, &asked, &mut answer)
                .unwrap();
            let image = gpu.device.create_image(&info, None).unwrap();
            layout_of.get_image_subresource_layout2(image, &which, &mut layout);
            gpu.device.destroy_image(image, None);
        }
        for of in [of_format, of_image] {
            assert_eq!(of.image_compression_flags, vk::ImageCompressionFlagsEXT::DISABLED);
            assert_eq!(of.image_compression_fixed_rate_flags, vk::ImageCompressionFixedRateFlagsEXT::NONE);
        }
    }
}

/// Spec: Vulkan, VkSubpassMergeStatusEXT.
#[test]
fn subpasses_are_not_merged() {
    use vk::SubpassMergeStatusEXT as S;
    let mut feature =
        vk::PhysicalDeviceSubpassMergeFeedbackFeaturesEXT::default().subpass_merge_feedback(true);
    let extensions = [c"VK_EXT_subpass_merge_feedback", c"VK_KHR_create_renderpass2"];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut feature)).unwrap();
    let passes = ash::khr::create_renderpass2::Device::new(&gpu.instance, &gpu.device);
    for (count, disallowed, expected) in [
        (1, None, S::NOT_MERGED_SINGLE_SUBPASS),
        (3, None, S::NOT_MERGED_UNSPECIFIED),
        (3, Some(1), S::NOT_MERGED_UNSPECIFIED),
    ] {
        let mut feedback = vec![vk::RenderPassSubpassFeedbackInfoEXT::default(); count];
        let mut asked: Vec<_> = feedback
            .iter_mut()
            .map(|f| vk::RenderPassSubpassFeedbackCreateInfoEXT::default().subpass_feedback(f))
            .collect();
        let mut controls = vec![vk::RenderPassCreationControlEXT::default().disallow_merging(true); count];
        let subpasses: Vec<_> = (0..)
            .zip(asked.iter_mut().zip(&mut controls))
            .map(|(i, (asked, control))| {
                let subpass = vk::SubpassDescription2::default().push_next(asked);
                if disallowed == Some(i) { subpass.push_next(control) } else { subpass }
            })
            .collect();
        let mut of_pass = vk::RenderPassCreationFeedbackInfoEXT::default();
        let mut asked_of_pass =
            vk::RenderPassCreationFeedbackCreateInfoEXT::default().render_pass_feedback(&mut of_pass);
        let info = vk::RenderPassCreateInfo2::default().subpasses(&subpasses).push_next(&mut asked_of_pass);
        // SAFETY: valid usage of Vulkan: all structures and objects are live while the calls use them.
        unsafe {
            let pass = passes.create_render_pass2(&info, None).unwrap();
            gpu.device.destroy_render_pass(pass, None);
        }
        assert_eq!(of_pass.post_merge_subpass_count, count as u32);
        for (i, f) in feedback.iter().enumerate() {
            let own = if disallowed == Some(i) { S::DISALLOWED } else { expected };
            assert_eq!((f.subpass_merge_status, f.post_merge_index), (own, i as u32));
            assert_ne!(f.description[0], 0);
        }
    }
}

/// Cubic filters are for views of two dimensions of formats that are not integers. The usage of the image, which
/// decides over sampling alone, does not matter. Spec: Vulkan, VkFilterCubicImageViewImageFormatPropertiesEXT.
#[test]
fn cubic_filters_are_for_views_of_two_dimensions() {
    let gpu = Gpu::new(&[c"VK_EXT_filter_cubic"]);
    use vk::ImageViewType as V;
    for (format, ty, view, expected) in [
        (vk::Format::R8G8B8A8_UNORM, vk::ImageType::TYPE_2D, V::TYPE_2D, true),
        (vk::Format::R16G16B16A16_SFLOAT, vk::ImageType::TYPE_2D, V::TYPE_2D_ARRAY, true),
        (vk::Format::R8G8B8A8_UNORM, vk::ImageType::TYPE_3D, V::TYPE_3D, false),
        (vk::Format::R8G8B8A8_UINT, vk::ImageType::TYPE_2D, V::TYPE_2D, false),
        (vk::Format::D32_SFLOAT, vk::ImageType::TYPE_2D, V::TYPE_2D, false),
    ] {
        for usage in [vk::ImageUsageFlags::SAMPLED, vk::ImageUsageFlags::TRANSFER_DST] {
            let mut of_view = vk::PhysicalDeviceImageViewImageFormatInfoEXT::default().image_view_type(view);
            let asked = vk::PhysicalDeviceImageFormatInfo2::default()
                .format(format)
                .ty(ty)
                .usage(usage)
                .push_next(&mut of_view);
            let mut cubic = vk::FilterCubicImageViewImageFormatPropertiesEXT::default();
            let mut answer = vk::ImageFormatProperties2::default().push_next(&mut cubic);
            // SAFETY: valid usage of Vulkan: all structures are live during the call.
            unsafe {
                let get = gpu.instance.get_physical_device_image_format_properties2(
                    gpu.physical,
                    &asked,
                    &mut answer,
                );
                get.unwrap();
            }
            let got = (cubic.filter_cubic, cubic.filter_cubic_minmax);
            assert_eq!(got, (expected.into(), vk::FALSE), "{format:?} {view:?} {usage:?}");
        }
    }
}

/// A blit from four texels in a row to eight: weights of distances 1/4 and 3/4 between texels.
#[test]
fn blits_have_cubic_filters() {
    let gpu = Gpu::new(&[c"VK_EXT_filter_cubic"]);
    let (d, format) = (&gpu.device, vk::Format::R32_SFLOAT);
    let usage = vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
    let [from, to] = [4, 8].map(|size| gpu.image(format, size, usage));
    let texels: [f32; 4] = [0.0, 64.0, 128.0, 32.0];
    let [input, output] = [(4, vk::BufferUsageFlags::TRANSFER_SRC), (8, vk::BufferUsageFlags::TRANSFER_DST)]
        .map(|(side, usage)| gpu.buffer(side * side * 4, usage));
    input.write(&[texels; 4]);
    let corner = |v: i32| vk::Offset3D { x: v, y: v, z: i32::from(v > 0) };
    let layers = from.region().image_subresource;
    let blit = vk::ImageBlit {
        src_subresource: layers,
        src_offsets: [corner(0), corner(4)],
        dst_subresource: layers,
        dst_offsets: [corner(0), corner(8)],
    };
    let general = vk::ImageLayout::GENERAL;
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    gpu.run(|cmd| unsafe {
        d.cmd_copy_buffer_to_image(cmd, input.buffer, from.image, general, &[from.region()]);
        gpu.barrier(cmd);
        let filter = vk::Filter::CUBIC_EXT;
        d.cmd_blit_image(cmd, from.image, general, to.image, general, &[blit], filter);
        gpu.barrier(cmd);
        d.cmd_copy_image_to_buffer(cmd, to.image, general, output.buffer, &[to.region()]);
    });
    // Weights of the four texels at 1/4, by the specification's matrix, in 1/128.
    let near = [-9.0, 111.0, 29.0, -3.0];
    let at = |i: i32| texels[i.clamp(0, 3) as usize];
    let expected: Vec<f32> = (0..8)
        .map(|x| {
            let first = (x + 1) / 2 - 2;
            let weight = |k: i32| if x % 2 == 1 { near[k as usize] } else { near[3 - k as usize] };
            (0..4).map(|k| weight(k) * at(first + k)).sum::<f32>() / 128.0
        })
        .collect();
    let got: Vec<f32> = output.read();
    for row in got.chunks(8) {
        assert_eq!(row, expected);
    }
    [input, output].into_iter().for_each(|buffer| buffer.destroy(&gpu));
    [from, to].into_iter().for_each(|picture| picture.destroy(&gpu));
}
