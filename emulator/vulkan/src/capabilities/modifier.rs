//! DRM format modifiers: image layouts that other drivers know by number. Only the linear layout is supported, which
//! all images have. Spec: Vulkan, VK_EXT_image_drm_format_modifier.

use ash::vk;
use quadrille::{Format, Image, PlaneLayout};

use crate::interface::chain::{Link, enumerate_from, find, slice};
use crate::interface::guard::VkResult;

/// DRM_FORMAT_MOD_LINEAR of `drm/drm_fourcc.h`.
pub const LINEAR: u64 = 0;

/// Number of memory planes of an image of a format.
fn count(format: Format) -> u32 {
    format.stored_aspects().singles().count() as u32
}

/// Fills the list of modifiers of a format, if the structure is one; `linear` has the features of linear images, in the
/// first and the second version of the flags.
///
/// # Safety
/// The structure is valid, with room for as many elements as it states.
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
        // SAFETY: the caller promises room for `*n` elements. The command cannot return that the array is too short.
        let _ = unsafe { enumerate_from(one.iter().len(), one.into_iter(), n, out) };
    }
    if let Some(p) = link.get::<vk::DrmFormatModifierPropertiesList2EXT<'_>>() {
        let one = of.map(|_| vk::DrmFormatModifierProperties2EXT {
            drm_format_modifier: LINEAR,
            drm_format_modifier_plane_count: planes,
            drm_format_modifier_tiling_features: linear.1,
        });
        let (n, out) = (&raw mut p.drm_format_modifier_count, p.p_drm_format_modifier_properties);
        // SAFETY: the caller promises room for `*n` elements.
        let _ = unsafe { enumerate_from(one.iter().len(), one.into_iter(), n, out) };
    }
}

/// `true` if the modifier in a query, if any, is supported.
///
/// # Safety
/// The chain of `info` is valid.
pub unsafe fn asked(info: &vk::PhysicalDeviceImageFormatInfo2<'_>) -> bool {
    // SAFETY: the caller promises a valid chain.
    let which = unsafe { find::<vk::PhysicalDeviceImageDrmFormatModifierInfoEXT<'_>>(info.p_next) };
    which.is_none_or(|which| which.drm_format_modifier == LINEAR)
}

/// Returns the layouts of an image's planes, if the create info gives them. `ERROR_FORMAT_NOT_SUPPORTED` for
/// unsupported modifiers.
///
/// # Safety
/// The structure and its chain are valid.
pub unsafe fn planes(info: &vk::ImageCreateInfo<'_>) -> VkResult<Option<Vec<PlaneLayout>>> {
    if info.tiling != vk::ImageTiling::DRM_FORMAT_MODIFIER_EXT {
        return Ok(None);
    }
    let refused = Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED);
    // SAFETY: the caller promises a valid chain.
    let list = unsafe { find::<vk::ImageDrmFormatModifierListCreateInfoEXT<'_>>(info.p_next) };
    if let Some(list) = list {
        // SAFETY: the caller promises a valid chain, whose structure has `drm_format_modifier_count` modifiers.
        let all = unsafe { slice(list.p_drm_format_modifiers, list.drm_format_modifier_count) };
        return if all.contains(&LINEAR) { Ok(None) } else { refused };
    }
    // SAFETY: the caller promises a valid chain.
    let one = unsafe { find::<vk::ImageDrmFormatModifierExplicitCreateInfoEXT<'_>>(info.p_next) };
    let Some(one) = one.filter(|one| one.drm_format_modifier == LINEAR) else { return refused };
    // SAFETY: the caller promises a valid chain, whose structure has `drm_format_modifier_plane_count` layouts.
    let all = unsafe { slice(one.p_plane_layouts, one.drm_format_modifier_plane_count) };
    let at = |l: &vk::SubresourceLayout| PlaneLayout { offset: l.offset, row_pitch: l.row_pitch };
    Ok(Some(all.iter().map(at).collect()))
}

/// Returns the layouts of the planes of an image with one level and layer.
pub fn own_planes(image: &Image) -> Vec<PlaneLayout> {
    let aspects = image.format().stored_aspects();
    let places = aspects.singles().filter_map(|aspect| image.subresource(aspect, 0, 0).ok());
    places.map(|s| PlaneLayout { offset: s.offset, row_pitch: s.row_pitch }).collect()
}

/// Converts a memory plane aspect to the aspect of the format; other aspects are unchanged.
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
