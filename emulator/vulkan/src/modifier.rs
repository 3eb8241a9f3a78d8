//! Layouts of images that other drivers know by a number: the linear one, which all images have. Spec: Vulkan,
//! VK_EXT_image_drm_format_modifier.

use ash::vk;
use quadrille::{Format, Image, PlaneLayout};

use crate::chain::{Link, enumerate_from, find, slice};
use crate::guard::VkResult;

/// DRM_FORMAT_MOD_LINEAR of `drm/drm_fourcc.h`.
pub const LINEAR: u64 = 0;

/// How many planes an image of a format has in memory.
fn count(format: Format) -> u32 {
    format.stored_aspects().singles().count() as u32
}

/// Tells the layouts of a format's images, if the structure asks for them; `linear` are their features, of the first
/// version and of the second.
///
/// # Safety
/// The structure is valid, with room for as many elements as it says.
pub unsafe fn tell(
    link: &mut Link,
    format: Option<Format>,
    linear: (vk::FormatFeatureFlags, vk::FormatFeatureFlags2),
) {
    let of = format.filter(|_| !linear.0.is_empty());
    let planes = of.map_or(0, count);
    if let Some(p) = link.get::<vk::DrmFormatModifierPropertiesListEXT<'_>>() {
        let one = of.map(|_| vk::DrmFormatModifierPropertiesEXT {
            drm_format_modifier: LINEAR,
            drm_format_modifier_plane_count: planes,
            drm_format_modifier_tiling_features: linear.0,
        });
        let (n, out) = (&raw mut p.drm_format_modifier_count, p.p_drm_format_modifier_properties);
        // SAFETY: the caller vouches for the array. No code tells that it is too short.
        let _ = unsafe { enumerate_from(one.iter().len(), one.into_iter(), n, out) };
    }
    if let Some(p) = link.get::<vk::DrmFormatModifierPropertiesList2EXT<'_>>() {
        let one = of.map(|_| vk::DrmFormatModifierProperties2EXT {
            drm_format_modifier: LINEAR,
            drm_format_modifier_plane_count: planes,
            drm_format_modifier_tiling_features: linear.1,
        });
        let (n, out) = (&raw mut p.drm_format_modifier_count, p.p_drm_format_modifier_properties);
        // SAFETY: the same.
        let _ = unsafe { enumerate_from(one.iter().len(), one.into_iter(), n, out) };
    }
}

/// Whether images can have the layout that a query is about.
///
/// # Safety
/// The chain of `info` is valid.
pub unsafe fn asked(info: &vk::PhysicalDeviceImageFormatInfo2<'_>) -> bool {
    // SAFETY: the caller vouches for the chain.
    let which = unsafe { find::<vk::PhysicalDeviceImageDrmFormatModifierInfoEXT<'_>>(info.p_next) };
    which.is_none_or(|which| which.drm_format_modifier == LINEAR)
}

/// Where the planes of an image lie, if the program says it. `ERROR_FORMAT_NOT_SUPPORTED` for a layout that is not
/// offered.
///
/// # Safety
/// The structure and its chain are valid.
pub unsafe fn planes(info: &vk::ImageCreateInfo<'_>) -> VkResult<Option<Vec<PlaneLayout>>> {
    if info.tiling != vk::ImageTiling::DRM_FORMAT_MODIFIER_EXT {
        return Ok(None);
    }
    let refused = Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED);
    // SAFETY: the caller vouches for the chain.
    let list = unsafe { find::<vk::ImageDrmFormatModifierListCreateInfoEXT<'_>>(info.p_next) };
    if let Some(list) = list {
        // SAFETY: the same for the array.
        let all = unsafe { slice(list.p_drm_format_modifiers, list.drm_format_modifier_count) };
        return if all.contains(&LINEAR) { Ok(None) } else { refused };
    }
    // SAFETY: the same.
    let one = unsafe { find::<vk::ImageDrmFormatModifierExplicitCreateInfoEXT<'_>>(info.p_next) };
    let Some(one) = one.filter(|one| one.drm_format_modifier == LINEAR) else { return refused };
    // SAFETY: the same for the array.
    let all = unsafe { slice(one.p_plane_layouts, one.drm_format_modifier_plane_count) };
    let at = |l: &vk::SubresourceLayout| PlaneLayout { offset: l.offset, row_pitch: l.row_pitch };
    Ok(Some(all.iter().map(at).collect()))
}

/// Where the planes of an image of one level and layer lie.
pub fn own_planes(image: &Image) -> Vec<PlaneLayout> {
    let aspects = image.format().stored_aspects();
    let places = aspects.singles().filter_map(|aspect| image.subresource(aspect, 0, 0).ok());
    places.map(|s| PlaneLayout { offset: s.offset, row_pitch: s.row_pitch }).collect()
}

/// The aspect of a format that an aspect of memory names; any other is itself.
pub fn aspect(aspect: vk::ImageAspectFlags, format: Format) -> vk::ImageAspectFlags {
    use vk::ImageAspectFlags as A;
    let table = [
        (A::MEMORY_PLANE_0_EXT, A::PLANE_0),
        (A::MEMORY_PLANE_1_EXT, A::PLANE_1),
        (A::MEMORY_PLANE_2_EXT, A::PLANE_2),
    ];
    let plane = table.iter().find(|(memory, _)| *memory == aspect).map(|(_, plane)| *plane);
    match plane {
        Some(A::PLANE_0) if !format.is_multi_planar() => A::COLOR,
        Some(plane) => plane,
        None => aspect,
    }
}
