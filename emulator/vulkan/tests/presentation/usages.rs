//! Usages and numbers of the images of swapchains.

use ash::vk;

use crate::SIZE;
use crate::common::window::Windows;

/// Images of swapchains with mutable formats have the usages of their views, here those of storage images, which sRGB lacks.
/// Spec: Vulkan, vkCreateSwapchainKHR: they are equivalent to images with VK_IMAGE_CREATE_EXTENDED_USAGE_BIT.
#[test]
fn mutable_images_have_the_usages_of_their_views() {
    use vk::Format as F;
    let on = Windows::new();
    let surface = on.headless();
    let d = &on.gpu.device;
    for formats in [[F::B8G8R8A8_SRGB, F::B8G8R8A8_UNORM], [F::R8G8B8A8_SRGB, F::R8G8B8A8_UNORM]] {
        let mut list = vk::ImageFormatListCreateInfo::default().view_formats(&formats);
        let info = Windows::info(surface, SIZE)
            .flags(vk::SwapchainCreateFlagsKHR::MUTABLE_FORMAT)
            .image_format(formats[0])
            .image_usage(vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::COLOR_ATTACHMENT)
            .push_next(&mut list);
        let chain = on.chain(&info).unwrap();
        let range = vk::ImageSubresourceRange::default()
            .aspect_mask(vk::ImageAspectFlags::COLOR)
            .level_count(1)
            .layer_count(1);
        let mut usage = vk::ImageViewUsageCreateInfo::default().usage(vk::ImageUsageFlags::STORAGE);
        let info = vk::ImageViewCreateInfo::default()
            .image(chain.images[0])
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(formats[1])
            .subresource_range(range)
            .push_next(&mut usage);
        // SAFETY: valid usage of Vulkan: the image is live, and nothing uses the view.
        unsafe {
            let view = d.create_image_view(&info, None).unwrap();
            d.destroy_image_view(view, None);
        }
    }
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Very many images are refused, however small they are: they would take all memory of the host. Spec: Vulkan,
/// VkSurfaceCapabilitiesKHR, `maxImageCount`.
#[test]
fn very_many_images_are_refused() {
    let on = Windows::new();
    let surface = on.headless();
    for count in [100_000, 1 << 31, u32::MAX] {
        let refused = on.chain(&Windows::info(surface, [1, 1]).min_image_count(count)).err();
        assert_eq!(refused, Some(vk::Result::ERROR_OUT_OF_HOST_MEMORY), "{count}");
    }
    assert_eq!(on.chain(&Windows::info(surface, [1, 1]).min_image_count(64)).unwrap().images.len(), 64);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}
