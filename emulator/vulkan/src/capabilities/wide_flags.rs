//! Flags of images that chains state: those with 64 bits, which replace those of 32 bits in the structures that they
//! extend, and the usage of the stencil aspect. Spec: Vulkan, VK_KHR_extended_flags, VkImageStencilUsageCreateInfo.
//!
//! No flag beyond the first 32 is defined, so that the device library sees flags of 32 bits only. It knows one usage for
//! all aspects: images and queries have the usages of both. `resource::image` reads its creation parameters through
//! [`image`], queries of formats through [`query`].

use std::ffi::c_void;

use ash::vk;
use quadrille::{Aspects, Format};

use crate::interface::chain::{Link, find};
use crate::newer::{
    FormatProperties4KHR, ImageCreateFlags2CreateInfoKHR, ImageStencilUsage2CreateInfoKHR,
    ImageUsageFlags2CreateInfoKHR, SharedPresentSurfaceCapabilities2KHR,
};

/// Returns the usage that a chain states, or `usage` of the structure itself.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn usage(next: *const c_void, usage: vk::ImageUsageFlags) -> vk::ImageUsageFlags {
    // SAFETY: the caller promises a valid chain.
    let wide = unsafe { find::<ImageUsageFlags2CreateInfoKHR>(next) };
    wide.map_or(usage, |w| vk::ImageUsageFlags::from_raw(w.usage as u32))
}

/// Returns the creation flags that a chain states, or `flags` of the structure itself.
///
/// # Safety
/// `next` starts a valid chain.
unsafe fn flags(next: *const c_void, flags: vk::ImageCreateFlags) -> vk::ImageCreateFlags {
    // SAFETY: the caller promises a valid chain.
    let wide = unsafe { find::<ImageCreateFlags2CreateInfoKHR>(next) };
    wide.map_or(flags, |w| vk::ImageCreateFlags::from_raw(w.flags as u32))
}

/// Returns the usages of all aspects of an image: stencil may have others than depth.
///
/// # Safety
/// `next` starts a valid chain.
unsafe fn all_usages(
    next: *const c_void,
    format: vk::Format,
    usage_of_info: vk::ImageUsageFlags,
) -> vk::ImageUsageFlags {
    // SAFETY: the caller promises a valid chain.
    let (all, wide, narrow) = unsafe {
        let wide = find::<ImageStencilUsage2CreateInfoKHR>(next);
        (usage(next, usage_of_info), wide, find::<vk::ImageStencilUsageCreateInfo<'_>>(next))
    };
    let wide = wide.map(|w| vk::ImageUsageFlags::from_raw(w.stencil_usage as u32));
    let of_stencil = wide.or(narrow.map(|n| n.stencil_usage)).unwrap_or_default();
    let format = u32::try_from(format.as_raw()).ok().and_then(Format::from_vk);
    match format.is_some_and(|f| f.aspects().contains(Aspects::STENCIL)) {
        true => all | of_stencil,
        false => all,
    }
}

/// Returns a create info with the flags of its chain.
///
/// # Safety
/// The chain of `info` is valid.
pub unsafe fn image<'a>(info: &vk::ImageCreateInfo<'a>) -> vk::ImageCreateInfo<'a> {
    // SAFETY: the caller promises a valid chain.
    let (flags, usage) =
        unsafe { (flags(info.p_next, info.flags), all_usages(info.p_next, info.format, info.usage)) };
    vk::ImageCreateInfo { flags, usage, ..*info }
}

/// Returns the parameters of a query with the flags of its chain.
///
/// # Safety
/// The chain of `info` is valid.
pub unsafe fn query<'a>(
    info: &vk::PhysicalDeviceImageFormatInfo2<'a>,
) -> vk::PhysicalDeviceImageFormatInfo2<'a> {
    // SAFETY: the caller promises a valid chain.
    let (flags, usage) =
        unsafe { (flags(info.p_next, info.flags), all_usages(info.p_next, info.format, info.usage)) };
    vk::PhysicalDeviceImageFormatInfo2 { flags, usage, ..*info }
}

/// Fills a structure with the features of a format: none is defined.
pub fn format(link: &mut Link) {
    if let Some(p) = link.get::<FormatProperties4KHR>() {
        (p.linear_tiling_features, p.optimal_tiling_features, p.buffer_features) = (0, 0, 0);
    }
}

/// Fills a structure with the usages of images of a surface.
pub fn surface(link: &mut Link, supported: vk::ImageUsageFlags) {
    if let Some(p) = link.get::<ImageUsageFlags2CreateInfoKHR>() {
        p.usage = supported.as_raw().into();
    }
    if let Some(p) = link.get::<SharedPresentSurfaceCapabilities2KHR>() {
        p.shared_present_supported_usage_flags = supported.as_raw().into();
    }
}
