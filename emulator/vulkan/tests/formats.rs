//! Formats and features that layers over Vulkan require: DXVK, zink, WebGPU with `texture-formats-tier1` and `-tier2`.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Gpu;
use ash::vk;
use ash::vk::{
    Format as V, FormatFeatureFlags as F, ImageCreateFlags as C, ImageTiling, ImageType, ImageUsageFlags as U,
};

const SAMPLED: F =
    F::from_raw(F::SAMPLED_IMAGE.as_raw() | F::TRANSFER_SRC.as_raw() | F::TRANSFER_DST.as_raw());
const FILTERED: F =
    F::from_raw(SAMPLED.as_raw() | F::SAMPLED_IMAGE_FILTER_LINEAR.as_raw() | F::BLIT_SRC.as_raw());
const TARGET: F = F::from_raw(SAMPLED.as_raw() | F::COLOR_ATTACHMENT.as_raw() | F::BLIT_DST.as_raw());
const BLENDED: F = F::from_raw(FILTERED.as_raw() | TARGET.as_raw() | F::COLOR_ATTACHMENT_BLEND.as_raw());
const DEPTH: F = F::from_raw(FILTERED.as_raw() | F::DEPTH_STENCIL_ATTACHMENT.as_raw() | F::BLIT_DST.as_raw());
const STORED: F = F::from_raw(TARGET.as_raw() | F::STORAGE_IMAGE.as_raw());
const BOTH: F = F::from_raw(BLENDED.as_raw() | F::STORAGE_IMAGE.as_raw());
const VERTICES_AND_TEXELS: F = F::from_raw(F::VERTEX_BUFFER.as_raw() | F::UNIFORM_TEXEL_BUFFER.as_raw());

/// Name of the layer, formats, and required features of images and of buffers.
const DEMANDS: &[(&str, &[V], F, F)] = &[
    (
        "DXVK and zink: depth",
        &[V::D16_UNORM, V::X8_D24_UNORM_PACK32, V::D24_UNORM_S8_UINT, V::D32_SFLOAT, V::D32_SFLOAT_S8_UINT],
        DEPTH,
        F::empty(),
    ),
    (
        "DXVK: blocks",
        &[
            V::BC1_RGBA_UNORM_BLOCK,
            V::BC1_RGBA_SRGB_BLOCK,
            V::BC2_UNORM_BLOCK,
            V::BC3_SRGB_BLOCK,
            V::BC4_SNORM_BLOCK,
            V::BC5_UNORM_BLOCK,
            V::BC6H_UFLOAT_BLOCK,
            V::BC6H_SFLOAT_BLOCK,
            V::BC7_SRGB_BLOCK,
        ],
        FILTERED,
        F::empty(),
    ),
    (
        "WebGPU: blocks",
        &[
            V::ETC2_R8G8B8A1_SRGB_BLOCK,
            V::EAC_R11G11_SNORM_BLOCK,
            V::ASTC_4X4_UNORM_BLOCK,
            V::ASTC_12X10_SRGB_BLOCK,
        ],
        FILTERED,
        F::empty(),
    ),
    (
        "DXVK and zink: three components of 32 bits",
        &[V::R32G32B32_SFLOAT, V::R32G32B32_UINT, V::R32G32B32_SINT],
        F::empty(),
        VERTICES_AND_TEXELS,
    ),
    (
        "DXVK: small colours",
        &[
            V::B5G6R5_UNORM_PACK16,
            V::A1R5G5B5_UNORM_PACK16,
            V::A4R4G4B4_UNORM_PACK16,
            V::B4G4R4A4_UNORM_PACK16,
        ],
        BLENDED,
        F::empty(),
    ),
    (
        "DXVK and WebGPU: packed floats and 10 bits",
        &[V::B10G11R11_UFLOAT_PACK32, V::A2B10G10R10_UNORM_PACK32],
        BOTH,
        F::UNIFORM_TEXEL_BUFFER,
    ),
    ("WebGPU: 10 bits", &[V::A2B10G10R10_UINT_PACK32], STORED, F::empty()),
    (
        "WebGPU: 16 bits as fractions, signed bytes",
        &[
            V::R16_UNORM,
            V::R16_SNORM,
            V::R16G16_UNORM,
            V::R16G16_SNORM,
            V::R16G16B16A16_UNORM,
            V::R16G16B16A16_SNORM,
            V::R8_SNORM,
            V::R8G8_SNORM,
            V::R8G8B8A8_SNORM,
        ],
        BOTH,
        F::empty(),
    ),
    (
        "WebGPU: small integers",
        &[V::R8_UINT, V::R8_SINT, V::R8G8_UINT, V::R8G8_SINT, V::R16_UINT, V::R16_SINT, V::R16G16_SINT],
        STORED,
        F::empty(),
    ),
    (
        "zink and DXVK: atomics of 64 bits",
        &[V::R64_UINT, V::R64_SINT],
        F::STORAGE_IMAGE_ATOMIC,
        F::STORAGE_TEXEL_BUFFER_ATOMIC,
    ),
    (
        "zink: integers of 64 bits",
        &[V::R64_UINT, V::R64_SINT, V::R64G64_UINT, V::R64G64_SINT],
        F::STORAGE_IMAGE,
        F::from_raw(F::UNIFORM_TEXEL_BUFFER.as_raw() | F::STORAGE_TEXEL_BUFFER.as_raw()),
    ),
];

#[test]
fn formats_do_what_layers_demand() {
    let gpu = Gpu::new(&[]);
    for &(who, formats, image, buffer) in DEMANDS {
        for &format in formats {
            // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
            let has = unsafe { gpu.instance.get_physical_device_format_properties(gpu.physical, format) };
            let lacks = |demand: F, has: F| F::from_raw(demand.as_raw() & !has.as_raw());
            let missing = [lacks(image, has.optimal_tiling_features), lacks(buffer, has.buffer_features)];
            assert_eq!(missing, [F::empty(); 2], "{who}: {format:?}");
        }
    }
}

/// Formats with unused bits have fewer uses than the format with all 16 bits, so that libplacebo takes the latter for
/// planes with data in all bits. Nothing else tells the formats apart that it sees.
#[test]
fn sixteen_bits_have_more_uses_than_ten() {
    let gpu = Gpu::new(&[]);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let uses = |format| unsafe {
        gpu.instance.get_physical_device_format_properties(gpu.physical, format).optimal_tiling_features
    };
    for (unused, all) in [
        (V::R10X6_UNORM_PACK16, V::R16_UNORM),
        (V::R12X4_UNORM_PACK16, V::R16_UNORM),
        (V::R10X6G10X6_UNORM_2PACK16, V::R16G16_UNORM),
        (V::R12X4G12X4_UNORM_2PACK16, V::R16G16_UNORM),
    ] {
        assert!(uses(unused).contains(F::SAMPLED_IMAGE), "{unused:?}");
        assert!(uses(all).contains(uses(unused)) && uses(all) != uses(unused), "{unused:?}");
    }
}

/// `true` if such images with optimal tiling are supported.
fn can(gpu: &Gpu, format: V, kind: ImageType, usage: U, flags: C) -> bool {
    let (physical, tiling) = (gpu.physical, ImageTiling::OPTIMAL);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    unsafe {
        gpu.instance.get_physical_device_image_format_properties(physical, format, kind, tiling, usage, flags)
    }
    .is_ok()
}

/// With extended usage, images may have the usages that views of another format support. Spec: VkImageCreateFlagBits,
/// `VK_IMAGE_CREATE_EXTENDED_USAGE_BIT`.
#[test]
fn extended_usage_is_that_of_the_views() {
    let gpu = Gpu::new(&[]);
    for usage in [U::INPUT_ATTACHMENT, U::COLOR_ATTACHMENT] {
        let can = |flags| can(&gpu, V::R64_UINT, ImageType::TYPE_2D, usage, flags);
        assert!(!can(C::MUTABLE_FORMAT), "{usage:?}");
        assert!(can(C::MUTABLE_FORMAT | C::EXTENDED_USAGE), "{usage:?}");
    }
}

/// Sampled colour formats whose texels have a power-of-two size support sparse residency, including the shared exponent
/// format. Spec: Vulkan, "Sparse Image Support".
#[test]
fn colours_of_two_and_three_dimensions_are_resident_in_parts() {
    let gpu = Gpu::new(&[]);
    for format in [V::E5B9G9R9_UFLOAT_PACK32, V::R8G8B8A8_SRGB, V::R16G16B16A16_SFLOAT, V::R32G32B32A32_UINT]
    {
        for kind in [ImageType::TYPE_2D, ImageType::TYPE_3D] {
            let flags = C::SPARSE_BINDING | C::SPARSE_RESIDENCY;
            assert!(can(&gpu, format, kind, U::SAMPLED | U::TRANSFER_DST, flags), "{format:?} {kind:?}");
        }
    }
}

/// Depth formats support 3D images, as in lavapipe.
#[test]
fn depth_has_three_dimensions() {
    let gpu = Gpu::new(&[]);
    for format in [V::D16_UNORM, V::D24_UNORM_S8_UINT, V::D32_SFLOAT, V::S8_UINT] {
        let usage = U::DEPTH_STENCIL_ATTACHMENT | U::SAMPLED | U::TRANSFER_SRC;
        assert!(can(&gpu, format, ImageType::TYPE_3D, usage, C::TYPE_2D_ARRAY_COMPATIBLE), "{format:?}");
    }
}

/// Four-component 12-bit formats can only be sampled through a conversion and copied. Spec: Vulkan, "Formats Requiring
/// Sampler Y'CbCr Conversion".
#[test]
fn formats_that_need_a_conversion_are_for_nothing_else() {
    let gpu = Gpu::new(&[]);
    let format = V::R12X4G12X4B12X4A12X4_UNORM_4PACK16;
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let has = unsafe { gpu.instance.get_physical_device_format_properties(gpu.physical, format) };
    let transfer = F::TRANSFER_SRC | F::TRANSFER_DST;
    assert_eq!((has.optimal_tiling_features, has.buffer_features), (transfer, F::empty()));
}

/// Stencil may have other usages than depth. Queries take them into account as the creation of images does, and ignore
/// them for formats without stencil. Spec: Vulkan, VkImageStencilUsageCreateInfo.
#[test]
fn stencil_has_usages_of_its_own() {
    let gpu = Gpu::new(&[c"VK_EXT_separate_stencil_usage"]);
    let asked = |format, of_stencil| {
        let mut stencil = vk::ImageStencilUsageCreateInfo::default().stencil_usage(of_stencil);
        let info = vk::PhysicalDeviceImageFormatInfo2::default()
            .format(format)
            .ty(ImageType::TYPE_2D)
            .tiling(ImageTiling::OPTIMAL)
            .usage(U::SAMPLED)
            .push_next(&mut stencil);
        let mut out = vk::ImageFormatProperties2::default();
        // SAFETY: valid usage of Vulkan: the handles and the structures are live during the call.
        unsafe { gpu.instance.get_physical_device_image_format_properties2(gpu.physical, &info, &mut out) }
    };
    let made = |format, of_stencil| {
        let mut stencil = vk::ImageStencilUsageCreateInfo::default().stencil_usage(of_stencil);
        let info = vk::ImageCreateInfo::default()
            .image_type(ImageType::TYPE_2D)
            .format(format)
            .extent(vk::Extent3D { width: 4, height: 4, depth: 1 })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .tiling(ImageTiling::OPTIMAL)
            .usage(U::SAMPLED)
            .push_next(&mut stencil);
        // SAFETY: the handles and the structures are live; an image that the query does not allow is refused.
        unsafe { gpu.device.create_image(&info, None).map(|image| gpu.device.destroy_image(image, None)) }
    };
    // Neither format supports storage images.
    for format in [V::D32_SFLOAT_S8_UINT, V::R8G8B8A8_SRGB] {
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        let has = unsafe { gpu.instance.get_physical_device_format_properties(gpu.physical, format) };
        assert!(!has.optimal_tiling_features.contains(F::STORAGE_IMAGE), "{format:?}");
        assert_eq!((asked(format, U::SAMPLED), made(format, U::SAMPLED)), (Ok(()), Ok(())), "{format:?}");
    }
    let refused = Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED);
    assert_eq!(asked(V::D32_SFLOAT_S8_UINT, U::STORAGE), refused);
    assert!(made(V::D32_SFLOAT_S8_UINT, U::STORAGE).is_err());
    assert_eq!((asked(V::R8G8B8A8_SRGB, U::STORAGE), made(V::R8G8B8A8_SRGB, U::STORAGE)), (Ok(()), Ok(())));
}

/// Images above `maxResourceSize` are too large, whatever the size of the heap, and no memory suits them. Spec: Vulkan,
/// VkImageFormatProperties.
#[test]
fn images_have_a_greatest_size() {
    let gpu = Gpu::new(&[c"VK_KHR_maintenance4", c"VK_KHR_maintenance5"]);
    let (physical, format, side) = (gpu.physical, V::R8G8B8A8_UNORM, 1u32 << 14);
    let (kind, tiling, flags) = (ImageType::TYPE_2D, ImageTiling::OPTIMAL, C::empty());
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let most = unsafe {
        gpu.instance.get_physical_device_image_format_properties(
            physical,
            format,
            kind,
            tiling,
            U::SAMPLED,
            flags,
        )
    }
    .unwrap();
    assert!(most.max_resource_size >= 1 << 31);
    let layers = (most.max_resource_size / (u64::from(side) * u64::from(side) * 4)) as u32 + 1;
    assert!(layers <= most.max_array_layers && side <= most.max_extent.width);
    let info = vk::ImageCreateInfo::default()
        .image_type(kind)
        .format(format)
        .extent(vk::Extent3D { width: side, height: side, depth: 1 })
        .mip_levels(1)
        .array_layers(layers)
        .samples(vk::SampleCountFlags::TYPE_1)
        .tiling(tiling)
        .usage(U::SAMPLED);
    // SAFETY: valid usage of Vulkan: the create info is live during the call.
    let made = unsafe { gpu.device.create_image(&info, None) };
    assert_eq!(made, Err(vk::Result::ERROR_OUT_OF_DEVICE_MEMORY));
    let queries = ash::khr::maintenance4::Device::new(&gpu.instance, &gpu.device);
    let memory_types = |info: &vk::ImageCreateInfo<'_>| {
        let mut out = vk::MemoryRequirements2::default();
        out.memory_requirements.memory_type_bits = 0x5555;
        let info = vk::DeviceImageMemoryRequirements::default().create_info(info);
        // SAFETY: valid usage of Vulkan: the structures are live during the call.
        unsafe { queries.get_device_image_memory_requirements(&info, &mut out) };
        out.memory_requirements.memory_type_bits
    };
    assert_eq!(memory_types(&info), 0);
    assert!(![0, 0x5555].contains(&memory_types(&info.array_layers(1))));
    let layouts = ash::khr::maintenance5::Device::new(&gpu.instance, &gpu.device);
    let aspect_mask = vk::ImageAspectFlags::COLOR;
    let which = vk::ImageSubresource2KHR::default()
        .image_subresource(vk::ImageSubresource { aspect_mask, ..Default::default() });
    let mut copied = vk::SubresourceHostMemcpySizeEXT { size: 5, ..Default::default() };
    let mut layout = vk::SubresourceLayout2KHR::default().push_next(&mut copied);
    layout.subresource_layout.size = 5;
    let of = vk::DeviceImageSubresourceInfoKHR::default().create_info(&info).subresource(&which);
    // SAFETY: valid usage of Vulkan: the structures are live during the call.
    unsafe { layouts.get_device_image_subresource_layout(&of, &mut layout) };
    assert_eq!(layout.subresource_layout.size, 0);
    assert_eq!(copied.size, 0);
}
