//! Formats of images, and their properties.

use ash::vk;

/// Formats of images in general; common formats are listed twice.
pub(super) const FORMATS: &[vk::Format] = &[
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::R8G8B8A8_SRGB,
    vk::Format::B8G8R8A8_UNORM,
    vk::Format::R8_UNORM,
    vk::Format::R8G8_SNORM,
    vk::Format::R5G6B5_UNORM_PACK16,
    vk::Format::A2B10G10R10_UNORM_PACK32,
    vk::Format::B10G11R11_UFLOAT_PACK32,
    vk::Format::R16_UINT,
    vk::Format::R16G16B16A16_SFLOAT,
    vk::Format::R32_UINT,
    vk::Format::R32_SINT,
    vk::Format::R32_SFLOAT,
    vk::Format::R32G32B32A32_SFLOAT,
    vk::Format::BC1_RGBA_UNORM_BLOCK,
    vk::Format::BC7_UNORM_BLOCK,
    vk::Format::ETC2_R8G8B8_UNORM_BLOCK,
    vk::Format::D16_UNORM,
    vk::Format::D32_SFLOAT,
    vk::Format::D32_SFLOAT_S8_UINT,
];
/// Formats of colour attachments.
pub(super) const COLORS: &[vk::Format] = &[
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::R8G8B8A8_UNORM,
    vk::Format::B8G8R8A8_UNORM,
    vk::Format::R8G8B8A8_SRGB,
    vk::Format::R16G16B16A16_SFLOAT,
    vk::Format::R32_UINT,
    vk::Format::R32_SINT,
];
/// Formats of depth attachments.
pub(super) const DEPTHS: &[vk::Format] =
    &[vk::Format::D16_UNORM, vk::Format::D32_SFLOAT, vk::Format::D32_SFLOAT_S8_UINT];

pub(super) fn is_depth(format: vk::Format) -> bool {
    DEPTHS.contains(&format)
}

pub(super) fn is_compressed(format: vk::Format) -> bool {
    (vk::Format::BC1_RGB_UNORM_BLOCK.as_raw()..=vk::Format::ASTC_12X12_SRGB_BLOCK.as_raw())
        .contains(&format.as_raw())
}

/// Returns the numeric class of a shader's output: 0 float, 1 unsigned, 2 signed.
pub(super) fn class(format: vk::Format) -> u32 {
    match format {
        vk::Format::R16_UINT | vk::Format::R32_UINT => 1,
        vk::Format::R32_SINT => 2,
        _ => 0,
    }
}

/// Returns the size of a texel or block, in bytes.
pub(super) fn texel_bytes(format: vk::Format) -> u64 {
    quadrille::Format::from_vk(format.as_raw() as u32).map_or(16, |f| f.bytes().into())
}

/// Returns the aspects of a format.
pub(super) fn aspects(format: vk::Format) -> vk::ImageAspectFlags {
    use vk::ImageAspectFlags as A;
    match format {
        vk::Format::D32_SFLOAT_S8_UINT => A::DEPTH | A::STENCIL,
        f if is_depth(f) => A::DEPTH,
        _ => A::COLOR,
    }
}
