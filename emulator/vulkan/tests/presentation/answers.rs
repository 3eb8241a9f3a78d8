//! Answers of surfaces and swapchains: protected images, compression, colour spaces.

use ash::vk;

use crate::SIZE;
use crate::common::Gpu;
use crate::common::window::{Windows, pattern};

/// Compression that an answer tells of, with a value that no driver gives.
fn unknown() -> vk::ImageCompressionPropertiesEXT<'static> {
    vk::ImageCompressionPropertiesEXT::default()
        .image_compression_flags(vk::ImageCompressionFlagsEXT::from_raw(u32::MAX))
        .image_compression_fixed_rate_flags(vk::ImageCompressionFixedRateFlagsEXT::from_raw(u32::MAX))
}

/// A device without protected memory has no protected swapchains. Spec: Vulkan, VkSurfaceProtectedCapabilitiesKHR.
#[test]
fn surfaces_have_no_protected_images() {
    let on = Windows::new();
    let surface = on.headless();
    let mut memory = vk::PhysicalDeviceProtectedMemoryFeatures::default().protected_memory(true);
    let mut features = vk::PhysicalDeviceFeatures2::default().push_next(&mut memory);
    let mut protected = vk::SurfaceProtectedCapabilitiesKHR::default().supports_protected(true);
    let mut out = vk::SurfaceCapabilities2KHR::default().push_next(&mut protected);
    let info = vk::PhysicalDeviceSurfaceInfo2KHR::default().surface(surface);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the calls.
    unsafe {
        on.gpu.instance.get_physical_device_features2(on.gpu.physical, &mut features);
        on.capabilities2.get_physical_device_surface_capabilities2(on.gpu.physical, &info, &mut out).unwrap();
        on.surface.destroy_surface(surface, None);
    }
    assert_eq!([memory.protected_memory, protected.supports_protected], [vk::FALSE; 2]);
}

/// Images of swapchains are not compressed, whatever the application asks for. Spec: Vulkan,
/// `imageCompressionControlSwapchain`.
#[test]
fn images_of_swapchains_are_not_compressed() {
    let on = Windows::new();
    let surface = on.headless();
    let instance = &on.gpu.instance;
    let layouts = ash::ext::image_compression_control::Device::new(instance, &on.gpu.device);
    let info = vk::PhysicalDeviceSurfaceInfo2KHR::default().surface(surface);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the calls.
    let mut found = unsafe {
        let n = on.capabilities2.get_physical_device_surface_formats2_len(on.gpu.physical, &info).unwrap();
        let mut found = vec![unknown(); n];
        let with = |of| vk::SurfaceFormat2KHR::default().push_next(of);
        let mut formats: Vec<_> = found.iter_mut().map(with).collect();
        on.capabilities2.get_physical_device_surface_formats2(on.gpu.physical, &info, &mut formats).unwrap();
        assert!(formats.iter().any(|of| of.surface_format.format == vk::Format::B8G8R8A8_UNORM));
        found
    };
    use vk::ImageCompressionFlagsEXT as F;
    for flags in [F::DEFAULT, F::FIXED_RATE_DEFAULT, F::FIXED_RATE_EXPLICIT, F::DISABLED] {
        let mut rates = [vk::ImageCompressionFixedRateFlagsEXT::TYPE_4BPC];
        let mut control = vk::ImageCompressionControlEXT::default().flags(flags);
        if flags == F::FIXED_RATE_EXPLICIT {
            control = control.fixed_rate_flags(&mut rates);
        }
        let chain = on.chain(&Windows::info(surface, SIZE).push_next(&mut control)).unwrap();
        let aspect_mask = vk::ImageAspectFlags::COLOR;
        let which = vk::ImageSubresource2KHR::default()
            .image_subresource(vk::ImageSubresource { aspect_mask, ..Default::default() });
        for &image in &chain.images {
            let mut of = unknown();
            let mut layout = vk::SubresourceLayout2KHR::default().push_next(&mut of);
            // SAFETY: valid usage of Vulkan: the image is live, and the structures outlive the call.
            unsafe { layouts.get_image_subresource_layout2(image, &which, &mut layout) };
            found.push(of);
        }
        chain.show(&pattern(SIZE, 1)).unwrap();
    }
    for of in found {
        assert_eq!(of.image_compression_flags, F::DISABLED);
        assert_eq!(of.image_compression_fixed_rate_flags, vk::ImageCompressionFixedRateFlagsEXT::NONE);
    }
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Formats and colour spaces of a headless surface.
fn spaces(gpu: &Gpu) -> Vec<(vk::Format, vk::ColorSpaceKHR)> {
    let entry = vk_quadrille::entry();
    let headless = ash::ext::headless_surface::Instance::new(&entry, &gpu.instance);
    let surfaces = ash::khr::surface::Instance::new(&entry, &gpu.instance);
    // SAFETY: valid usage of Vulkan: the surface is live while the calls use it.
    let formats = unsafe {
        let surface = headless.create_headless_surface(&Default::default(), None).unwrap();
        let formats = surfaces.get_physical_device_surface_formats(gpu.physical, surface).unwrap();
        surfaces.destroy_surface(surface, None);
        formats
    };
    formats.iter().map(|of| (of.format, of.color_space)).collect()
}

/// Only instances with the extension hear of other colour spaces than sRGB, which swapchains then have. Tests with windows
/// compare their pixels. Spec: Vulkan, VkColorSpaceKHR, VK_EXT_swapchain_colorspace.
#[test]
fn colour_spaces_are_those_of_the_instance() {
    let of_instance = [c"VK_KHR_surface", c"VK_EXT_headless_surface"];
    let plain = spaces(&Gpu::with_instance(&of_instance, &[], |info| info).unwrap());
    assert!(!plain.is_empty() && plain.iter().all(|(_, space)| *space == vk::ColorSpaceKHR::SRGB_NONLINEAR));
    let on = Windows::new();
    let all = spaces(&on.gpu);
    let pass = vk::ColorSpaceKHR::PASS_THROUGH_EXT;
    let through: Vec<_> = all.iter().filter(|(_, space)| *space == pass).map(|(format, _)| *format).collect();
    assert_eq!(through, plain.iter().map(|(format, _)| *format).collect::<Vec<_>>());
    let surface = on.headless();
    for format in through {
        let info = Windows::info(surface, SIZE).image_format(format).image_color_space(pass);
        let chain = on.chain(&info).unwrap();
        assert!(!chain.show(&pattern(SIZE, 3)).unwrap(), "{format:?}");
    }
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}
