//! Chapter "Formats", and the queries of "Additional Capabilities" for image formats. Both are answered from the device
//! library's table of formats.

use ash::vk;
use quadrille::rays::is_position;
use quadrille::{FEATURES, Format, FormatFeatures, ImageType, LIMITS};

use super::{limits, modifier, sharing, wide_flags};
use crate::interface::chain::{each, find};
use crate::interface::guard::{VkResult, commands};

/// Converts a VkFormat, if the table has it.
pub fn format(f: vk::Format) -> Option<Format> {
    Format::from_vk(u32::try_from(f.as_raw()).ok()?)
}

/// Converts the format of an object that is being created.
pub fn needed(f: vk::Format) -> VkResult<Format> {
    format(f).ok_or(vk::Result::ERROR_FORMAT_NOT_SUPPORTED)
}

fn flags(f: FormatFeatures) -> vk::FormatFeatureFlags {
    vk::FormatFeatureFlags::from_raw(f.0)
}

fn features(f: vk::Format) -> vk::FormatProperties {
    let Some(f) = format(f) else { return vk::FormatProperties::default() };
    // Both tilings have the same linear rows; depth formats support only optimal tiling, as usual.
    let image = flags(f.image_features());
    let vertices = match is_position(f) {
        true => vk::FormatFeatureFlags::ACCELERATION_STRUCTURE_VERTEX_BUFFER_KHR,
        false => vk::FormatFeatureFlags::empty(),
    };
    vk::FormatProperties {
        linear_tiling_features: if f.is_depth_stencil() { Default::default() } else { image },
        optimal_tiling_features: image,
        buffer_features: flags(f.buffer_features()) | vertices,
    }
}

/// VkFormatProperties3: the features of the first version, and those beyond its 32 bits.
fn features3(f: vk::Format) -> [vk::FormatFeatureFlags2; 3] {
    use vk::FormatFeatureFlags2 as F;
    let p = features(f);
    let extend = |of: vk::FormatFeatureFlags, image: bool| {
        let mut out = F::from_raw(u64::from(of.as_raw()));
        if of.intersects(vk::FormatFeatureFlags::STORAGE_IMAGE | vk::FormatFeatureFlags::STORAGE_TEXEL_BUFFER)
        {
            out |= F::STORAGE_READ_WITHOUT_FORMAT | F::STORAGE_WRITE_WITHOUT_FORMAT;
        }
        let has = |aspect| format(f).is_some_and(|f| f.aspects().contains(aspect));
        let depth = has(quadrille::Aspects::DEPTH);
        if image && of.contains(vk::FormatFeatureFlags::TRANSFER_SRC) {
            if depth {
                out |= crate::newer::DEPTH_COPY_ON_ANY_QUEUE;
            }
            if has(quadrille::Aspects::STENCIL) {
                out |= crate::newer::STENCIL_COPY_ON_ANY_QUEUE;
            }
        }
        if depth && of.contains(vk::FormatFeatureFlags::SAMPLED_IMAGE) {
            out |= F::SAMPLED_IMAGE_DEPTH_COMPARISON;
        }
        if image && of.contains(vk::FormatFeatureFlags::TRANSFER_DST) {
            out |= crate::newer::COPY_IMAGE_INDIRECT_DST;
        }
        if image && of.contains(vk::FormatFeatureFlags::TRANSFER_SRC) {
            out |= F::HOST_IMAGE_TRANSFER_EXT;
        }
        out
    };
    [
        extend(p.linear_tiling_features, true),
        extend(p.optimal_tiling_features, true),
        extend(p.buffer_features, false),
    ]
}

/// Returns the features that image usages require. Usages that the table lacks require none.
fn asked(usage: vk::ImageUsageFlags) -> vk::FormatFeatureFlags {
    use vk::{FormatFeatureFlags as F, ImageUsageFlags as U};
    let table = [
        (U::TRANSFER_SRC, F::TRANSFER_SRC),
        (U::TRANSFER_DST, F::TRANSFER_DST),
        (U::SAMPLED, F::SAMPLED_IMAGE),
        (U::STORAGE, F::STORAGE_IMAGE),
        (U::COLOR_ATTACHMENT, F::COLOR_ATTACHMENT),
        (U::FRAGMENT_SHADING_RATE_ATTACHMENT_KHR, F::FRAGMENT_SHADING_RATE_ATTACHMENT_KHR),
        (U::FRAGMENT_DENSITY_MAP_EXT, F::FRAGMENT_DENSITY_MAP_EXT),
        (U::DEPTH_STENCIL_ATTACHMENT, F::DEPTH_STENCIL_ATTACHMENT),
    ];
    table.iter().filter(|(u, _)| usage.contains(*u)).fold(F::empty(), |all, (_, f)| all | *f)
}

/// Returns the block size of sparse images of a format and type, if they are supported.
pub fn granularity(of: Format, ty: vk::ImageType, samples: vk::SampleCountFlags) -> Option<[u32; 3]> {
    let image_type = match ty {
        vk::ImageType::TYPE_2D => ImageType::D2,
        vk::ImageType::TYPE_3D => ImageType::D3,
        _ => return None,
    };
    if samples != vk::SampleCountFlags::TYPE_1 || !FEATURES.sparse_residency {
        return None;
    }
    quadrille::residency::granularity(of, image_type)
}

/// Facts about the format of an image that limit its creation parameters.
#[derive(Clone, Copy)]
struct Kind {
    format: Option<Format>,
    planar: bool,
    ycbcr: bool,
    /// Compressed in blocks, but not a format of video.
    compressed: bool,
    /// Blocks have several slices, so that images are 3D, and views show whole levels of them.
    deep: bool,
}

impl Kind {
    fn of(number: vk::Format) -> Kind {
        let format = format(number);
        let ycbcr = format.is_some_and(|f| f.info().is_ycbcr());
        Kind {
            format,
            planar: format.is_some_and(Format::is_multi_planar),
            ycbcr,
            compressed: format.is_some_and(Format::is_compressed) && !ycbcr,
            deep: format.is_some_and(|f| f.block()[2] > 1),
        }
    }

    /// `true` if images can be created with these flags.
    fn allows(self, info: &vk::PhysicalDeviceImageFormatInfo2<'_>) -> bool {
        use vk::ImageCreateFlags as C;
        let slices = C::TYPE_2D_ARRAY_COMPATIBLE | C::TYPE_2D_VIEW_COMPATIBLE_EXT;
        let texels = self.compressed && !self.deep;
        let special =
            [(C::DISJOINT, self.planar), (C::BLOCK_TEXEL_VIEW_COMPATIBLE, texels), (slices, !self.deep)];
        let allowed = special.iter().filter(|(_, yes)| *yes).fold(C::empty(), |all, (flag, _)| all | *flag);
        let offered = allowed
            | C::MUTABLE_FORMAT
            | C::CUBE_COMPATIBLE
            | C::EXTENDED_USAGE
            | C::ALIAS
            | C::SPLIT_INSTANCE_BIND_REGIONS
            | C::SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_EXT
            | C::MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_EXT
            | C::FRAGMENT_DENSITY_MAP_OFFSET_QCOM
            | crate::newer::ALIAS_SINGLE_LAYER_DESCRIPTOR;
        let sparse = info.flags & (C::SPARSE_BINDING | C::SPARSE_RESIDENCY | C::SPARSE_ALIASED);
        if !sparse.is_empty() {
            let one = vk::SampleCountFlags::TYPE_1;
            let blocks = self.format.and_then(|f| granularity(f, info.ty, one));
            let linear = info.tiling != vk::ImageTiling::OPTIMAL;
            let resident = sparse.contains(C::SPARSE_RESIDENCY);
            if !FEATURES.sparse_binding
                || linear
                || self.ycbcr
                || self.planar
                || (resident && blocks.is_none())
            {
                return false;
            }
        }
        let cube = info.flags.contains(C::CUBE_COMPATIBLE) && info.ty != vk::ImageType::TYPE_2D;
        // Images of one level, whose texels are those of other images.
        let flat = info.ty == vk::ImageType::TYPE_2D && info.tiling == vk::ImageTiling::OPTIMAL;
        let fits = flat && !info.flags.contains(C::CUBE_COMPATIBLE);
        let subsampled = if fits { C::SUBSAMPLED_EXT } else { C::empty() };
        (offered | sparse | subsampled).contains(info.flags) && !cube
    }

    /// Greatest extent and number of layers of images of a type, if there are such images.
    fn extent(self, ty: vk::ImageType) -> Option<([u32; 3], u32)> {
        let l = limits::limits();
        match ty {
            vk::ImageType::TYPE_1D if self.compressed || self.ycbcr => None,
            vk::ImageType::TYPE_2D if self.deep => None,
            vk::ImageType::TYPE_1D => Some(([l.max_image_dimension1_d, 1, 1], l.max_image_array_layers)),
            vk::ImageType::TYPE_2D => {
                Some(([l.max_image_dimension2_d, l.max_image_dimension2_d, 1], l.max_image_array_layers))
            }
            vk::ImageType::TYPE_3D if self.ycbcr => None,
            vk::ImageType::TYPE_3D => Some(([l.max_image_dimension3_d; 3], 1)),
            _ => None,
        }
    }
}

/// Returns the properties of images with these creation parameters.
pub fn image_properties(
    info: &vk::PhysicalDeviceImageFormatInfo2<'_>,
) -> VkResult<vk::ImageFormatProperties> {
    use vk::ImageCreateFlags as C;
    const REFUSED: vk::Result = vk::Result::ERROR_FORMAT_NOT_SUPPORTED;
    let all = features(info.format);
    let have = match info.tiling {
        vk::ImageTiling::LINEAR | vk::ImageTiling::DRM_FORMAT_MODIFIER_EXT => all.linear_tiling_features,
        vk::ImageTiling::OPTIMAL => all.optimal_tiling_features,
        _ => return Err(REFUSED),
    };
    // A view of another format may support usages that the image's format does not.
    let extended = info.flags.contains(C::EXTENDED_USAGE);
    if have.is_empty() || !(extended || have.contains(asked(info.usage))) {
        return Err(REFUSED);
    }
    let colour_or_depth =
        vk::FormatFeatureFlags::COLOR_ATTACHMENT | vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT;
    let input = info.usage.contains(vk::ImageUsageFlags::INPUT_ATTACHMENT);
    if !extended && input && !have.intersects(colour_or_depth) {
        return Err(REFUSED);
    }
    let kind = Kind::of(info.format);
    // Images with a format modifier have one level and layer.
    let shared = info.tiling == vk::ImageTiling::DRM_FORMAT_MODIFIER_EXT;
    let odd = info.ty != vk::ImageType::TYPE_2D || info.flags.contains(C::CUBE_COMPATIBLE);
    if !kind.allows(info) || (shared && odd) {
        return Err(REFUSED);
    }
    let (extent, layers) = kind.extent(info.ty).ok_or(REFUSED)?;
    let of_one_sample = vk::ImageUsageFlags::FRAGMENT_SHADING_RATE_ATTACHMENT_KHR
        | vk::ImageUsageFlags::FRAGMENT_DENSITY_MAP_EXT;
    let one_level = kind.ycbcr || shared || info.flags.contains(C::SUBSAMPLED_EXT);
    let can_have_samples = !odd
        && info.tiling == vk::ImageTiling::OPTIMAL
        && !kind.compressed
        && !kind.ycbcr
        && !info.flags.contains(C::SPARSE_RESIDENCY)
        && !info.usage.intersects(of_one_sample)
        && have.intersects(colour_or_depth);
    Ok(vk::ImageFormatProperties {
        max_extent: vk::Extent3D { width: extent[0], height: extent[1], depth: extent[2] },
        max_mip_levels: if one_level { 1 } else { 32 - extent[0].leading_zeros() },
        max_array_layers: if shared { 1 } else { layers },
        sample_counts: match can_have_samples {
            true => limits::limits().framebuffer_color_sample_counts,
            false => vk::SampleCountFlags::TYPE_1,
        },
        max_resource_size: LIMITS.max_image_size,
    })
}

/// Returns true if views of an image can be filtered with a cubic filter, which its usage does not decide.
///
/// # Safety
/// The chain of `info` is valid.
unsafe fn filters_cubic(info: &vk::PhysicalDeviceImageFormatInfo2<'_>) -> bool {
    // SAFETY: the caller promises a valid chain.
    let view = unsafe { find::<vk::PhysicalDeviceImageViewImageFormatInfoEXT<'_>>(info.p_next) };
    let flat = [vk::ImageViewType::TYPE_2D, vk::ImageViewType::TYPE_2D_ARRAY];
    let cubic = FormatFeatures::SAMPLED_IMAGE_FILTER_CUBIC;
    let format = format(info.format).is_some_and(|f| f.image_features().contains(cubic));
    format && view.is_some_and(|v| flat.contains(&v.image_view_type))
}

/// Answers that an image is not compressed beyond its format.
pub fn uncompressed(p: &mut vk::ImageCompressionPropertiesEXT<'_>) {
    p.image_compression_flags = vk::ImageCompressionFlagsEXT::DISABLED;
    p.image_compression_fixed_rate_flags = vk::ImageCompressionFixedRateFlagsEXT::NONE;
}

commands! {
    fn get_physical_device_format_properties(
        _d: vk::PhysicalDevice,
        format: vk::Format,
        out: *mut vk::FormatProperties,
    ) {
        *out = features(format);
    }

    fn get_physical_device_format_properties2(
        _d: vk::PhysicalDevice,
        format: vk::Format,
        out: *mut vk::FormatProperties2<'_>,
    ) {
        (*out).format_properties = features(format);
        each((*out).p_next, |link| {
            if let Some(p) = link.get::<vk::SubpassResolvePerformanceQueryEXT>() {
                p.optimal = vk::TRUE;
            }
            let linear = (features(format).linear_tiling_features, features3(format)[0]);
            wide_flags::format(link);
            modifier::tell(link, crate::capabilities::format::format(format), linear);
            if let Some(p) = link.get::<vk::FormatProperties3>() {
                [p.linear_tiling_features, p.optimal_tiling_features, p.buffer_features] = features3(format);
            }
        });
    }

    fn get_physical_device_image_format_properties(
        _d: vk::PhysicalDevice,
        format: vk::Format,
        ty: vk::ImageType,
        tiling: vk::ImageTiling,
        usage: vk::ImageUsageFlags,
        flags: vk::ImageCreateFlags,
        out: *mut vk::ImageFormatProperties,
    ) -> vk::Result {
        let info = vk::PhysicalDeviceImageFormatInfo2 { format, ty, tiling, usage, flags, ..Default::default() };
        let answer = image_properties(&info);
        *out = answer.unwrap_or_default();
        answer.map(drop)
    }

    fn get_physical_device_image_format_properties2(
        _d: vk::PhysicalDevice,
        info: *const vk::PhysicalDeviceImageFormatInfo2<'_>,
        out: *mut vk::ImageFormatProperties2<'_>,
    ) -> vk::Result {
        let info = &wide_flags::query(&*info);
        let external = find::<vk::PhysicalDeviceExternalImageFormatInfo>(info.p_next);
        let sparse = info.flags.contains(vk::ImageCreateFlags::SPARSE_BINDING);
        let outside = external.filter(|e| !e.handle_type.is_empty());
        let outside = outside.map(|e| sharing::of_resource(e.handle_type, sparse));
        let answer = match outside {
            Some(p) if p.external_memory_features.is_empty() => Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED),
            _ if !modifier::asked(info) => Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED),
            _ => image_properties(info),
        };
        (*out).image_format_properties = answer.unwrap_or_default();
        each((*out).p_next, |link| {
            if let Some(p) = link.get::<vk::ExternalImageFormatProperties>() {
                p.external_memory_properties = outside.unwrap_or_default();
            }
            if let Some(p) = link.get::<vk::HostImageCopyDevicePerformanceQueryEXT>() {
                p.optimal_device_access = vk::TRUE;
                p.identical_memory_layout = vk::TRUE;
            }
            if let Some(p) = link.get::<vk::SamplerYcbcrConversionImageFormatProperties>() {
                p.combined_image_sampler_descriptor_count = 1;
            }
            if let Some(p) = link.get::<vk::FilterCubicImageViewImageFormatPropertiesEXT>() {
                p.filter_cubic = filters_cubic(info).into();
                p.filter_cubic_minmax = vk::FALSE;
            }
            if let Some(p) = link.get::<crate::newer::SubsampledImageFormatPropertiesEXT>() {
                p.subsampled_image_descriptor_count = 1;
            }
            link.get().map(uncompressed);
        });
        answer.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_come_from_the_table() {
        use vk::FormatFeatureFlags as F;
        let rgba8 = features(vk::Format::R8G8B8A8_UNORM).optimal_tiling_features;
        assert!(rgba8.contains(F::SAMPLED_IMAGE | F::COLOR_ATTACHMENT_BLEND | F::TRANSFER_SRC));
        let planar = features(vk::Format::G8_B8R8_2PLANE_420_UNORM).optimal_tiling_features;
        assert!(planar.contains(F::SAMPLED_IMAGE | F::DISJOINT | F::COSITED_CHROMA_SAMPLES));
        assert!(!planar.contains(F::COLOR_ATTACHMENT));
        let astc = features(vk::Format::ASTC_4X4_SFLOAT_BLOCK).optimal_tiling_features;
        assert!(astc.contains(F::SAMPLED_IMAGE | F::SAMPLED_IMAGE_FILTER_LINEAR | F::BLIT_SRC));
        assert!(!astc.intersects(F::COLOR_ATTACHMENT | F::STORAGE_IMAGE));
        // VK_FORMAT_ASTC_3x3x3_UNORM_BLOCK_EXT
        assert_eq!(features(vk::Format::from_raw(1000288000)).optimal_tiling_features, astc);
    }

    /// Hosts without the features have no sparse images. Spec: Vulkan, sparseBinding, sparseResidencyImage2D.
    #[test]
    fn images_are_sparse_where_the_features_are_there() {
        use vk::ImageCreateFlags as C;
        let (format, ty) = (vk::Format::R8G8B8A8_UNORM, vk::ImageType::TYPE_2D);
        let can = |flags| {
            let (tiling, usage) = (vk::ImageTiling::OPTIMAL, vk::ImageUsageFlags::SAMPLED);
            let info =
                vk::PhysicalDeviceImageFormatInfo2 { format, ty, tiling, usage, flags, ..Default::default() };
            image_properties(&info).is_ok()
        };
        let one = vk::SampleCountFlags::TYPE_1;
        let blocks = super::format(format).and_then(|f| granularity(f, ty, one)).is_some();
        let found = [can(C::SPARSE_BINDING), can(C::SPARSE_BINDING | C::SPARSE_RESIDENCY), blocks];
        assert_eq!(found, [FEATURES.sparse_binding, FEATURES.sparse_residency, FEATURES.sparse_residency]);
        assert_eq!(limits::limits().sparse_address_space_size != 0, FEATURES.sparse_binding);
    }

    #[test]
    fn images_are_refused_for_what_their_format_lacks() {
        let ask = |format, ty, usage| {
            let tiling = vk::ImageTiling::OPTIMAL;
            image_properties(&vk::PhysicalDeviceImageFormatInfo2 {
                format,
                ty,
                tiling,
                usage,
                ..Default::default()
            })
        };
        use vk::{Format as Fo, ImageType as T, ImageUsageFlags as U};
        let ok = ask(Fo::R8G8B8A8_UNORM, T::TYPE_2D, U::COLOR_ATTACHMENT).expect("the format is supported");
        assert_eq!(ok.max_mip_levels, 15);
        assert!(ask(Fo::D32_SFLOAT, T::TYPE_2D, U::COLOR_ATTACHMENT).is_err());
        assert!(ask(Fo::D32_SFLOAT, T::TYPE_3D, U::SAMPLED).is_ok());
        assert!(ask(Fo::G8_B8R8_2PLANE_420_UNORM, T::TYPE_3D, U::SAMPLED).is_err());
        // VK_FORMAT_ASTC_6x6x6_SRGB_BLOCK_EXT
        let deep = Fo::from_raw(1000288028);
        assert!(ask(deep, T::TYPE_3D, U::SAMPLED).is_ok());
        assert!(ask(deep, T::TYPE_2D, U::SAMPLED).is_err());
        assert!(ask(deep, T::TYPE_3D, U::STORAGE).is_err());
    }
}
