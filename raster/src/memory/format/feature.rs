//! Feature bits of each format, derived from the table; only features that work end to end are reported.

use std::ops::{BitOr, BitOrAssign};

use super::{Aspects, Format, FormatInfo, Numeric};

/// Format feature bits, with the values of `VkFormatFeatureFlagBits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FormatFeatures(pub u32);

impl BitOr for FormatFeatures {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        FormatFeatures(self.0 | other.0)
    }
}

impl BitOrAssign for FormatFeatures {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

#[expect(missing_docs, reason = "the names are those of VkFormatFeatureFlagBits")]
impl FormatFeatures {
    pub const NONE: Self = Self(0);
    pub const SAMPLED_IMAGE: Self = Self(0x1);
    pub const STORAGE_IMAGE: Self = Self(0x2);
    pub const STORAGE_IMAGE_ATOMIC: Self = Self(0x4);
    pub const UNIFORM_TEXEL_BUFFER: Self = Self(0x8);
    pub const STORAGE_TEXEL_BUFFER: Self = Self(0x10);
    pub const STORAGE_TEXEL_BUFFER_ATOMIC: Self = Self(0x20);
    pub const VERTEX_BUFFER: Self = Self(0x40);
    pub const COLOR_ATTACHMENT: Self = Self(0x80);
    pub const COLOR_ATTACHMENT_BLEND: Self = Self(0x100);
    pub const DEPTH_STENCIL_ATTACHMENT: Self = Self(0x200);
    pub const BLIT_SRC: Self = Self(0x400);
    pub const BLIT_DST: Self = Self(0x800);
    pub const SAMPLED_IMAGE_FILTER_LINEAR: Self = Self(0x1000);
    pub const SAMPLED_IMAGE_FILTER_CUBIC: Self = Self(0x2000);
    pub const SAMPLED_IMAGE_FILTER_MINMAX: Self = Self(0x1_0000);
    pub const TRANSFER_SRC: Self = Self(0x4000);
    pub const TRANSFER_DST: Self = Self(0x8000);
    pub const MIDPOINT_CHROMA_SAMPLES: Self = Self(0x2_0000);
    pub const SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER: Self = Self(0x4_0000);
    pub const SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER: Self = Self(0x8_0000);
    pub const DISJOINT: Self = Self(0x40_0000);
    pub const COSITED_CHROMA_SAMPLES: Self = Self(0x80_0000);
    pub const FRAGMENT_SHADING_RATE_ATTACHMENT: Self = Self(0x4000_0000);
    /// Fragment density map.
    pub const FRAGMENT_DENSITY_MAP: Self = Self(0x100_0000);

    /// True if all of `other` are in `self`.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// `true` while sampler Y'CbCr conversion is implemented.
const YCBCR_SAMPLING: bool = true;

/// True if the components are wide enough for storage images.
fn is_wide(row: &FormatInfo) -> bool {
    // True for components of at least 8 bits and for 4-byte texels, which excludes the 16-bit packed formats.
    row.fields.iter().all(|f| f.bits == 0 || f.bits >= 8) || row.bytes == 4
}

/// True for one or two components in the upper bits of 16-bit words, whose lower bits are unused.
///
/// Storage images do not have such formats. libplacebo uploads planes with data in all 16 bits in any format of such words,
/// and prefers the format with most uses, then the one with fewest bits: as storage images, these formats would lose
/// the lower bits of its planes.
fn has_unused_bits(row: &FormatInfo) -> bool {
    let mut fields = (0..).step_by(16).zip(&row.fields).filter(|(_, f)| f.bits != 0);
    row.bytes <= 4 && fields.all(|(word, f)| matches!(f.bits, 10 | 12) && f.shift + f.bits == word + 16)
}

impl Format {
    /// Features of images with optimal tiling, which have linear rows here, and of buffers.
    pub fn features(self) -> FormatFeatures {
        let image = self.image_features();
        image | self.buffer_features()
    }

    /// Features of images.
    pub fn image_features(self) -> FormatFeatures {
        use FormatFeatures as F;
        let row = self.info();
        let transfer = F::TRANSFER_SRC | F::TRANSFER_DST;
        if row.aspects != Aspects::COLOR {
            let blit = F::BLIT_SRC | F::BLIT_DST;
            let mut out = transfer | F::SAMPLED_IMAGE | blit | F::DEPTH_STENCIL_ATTACHMENT;
            if row.aspects.contains(Aspects::DEPTH) {
                out |= F::SAMPLED_IMAGE_FILTER_LINEAR | F::SAMPLED_IMAGE_FILTER_MINMAX;
            }
            return out;
        }
        if row.is_ycbcr() {
            let disjoint = if row.planes.is_empty() { F::NONE } else { F::DISJOINT };
            let sampled = F::SAMPLED_IMAGE
                | F::SAMPLED_IMAGE_FILTER_LINEAR
                | F::SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER
                | F::SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER
                | F::MIDPOINT_CHROMA_SAMPLES
                | F::COSITED_CHROMA_SAMPLES;
            return transfer | disjoint | if YCBCR_SAMPLING { sampled } else { F::NONE };
        }
        if self.needs_conversion() {
            return transfer;
        }
        if row.block.is_some() {
            let filters = F::SAMPLED_IMAGE_FILTER_LINEAR | F::SAMPLED_IMAGE_FILTER_CUBIC;
            return transfer | F::SAMPLED_IMAGE | filters | F::BLIT_SRC;
        }
        if row.is_64_bit() {
            let atomic = if self.is_single64() { F::STORAGE_IMAGE_ATOMIC } else { F::NONE };
            return if row.has_64_bit_texels() { transfer | F::STORAGE_IMAGE | atomic } else { F::NONE };
        }
        // Three components of 8 or 16 bits, and scaled formats, are for vertex data only.
        let three = matches!(row.bytes, 3 | 6);
        if three || matches!(row.numeric, Numeric::Uscaled | Numeric::Sscaled) {
            return F::NONE;
        }
        let integer = row.numeric.is_integer();
        let mut out = transfer | F::SAMPLED_IMAGE | F::BLIT_SRC;
        if !integer {
            out |= F::SAMPLED_IMAGE_FILTER_LINEAR
                | F::SAMPLED_IMAGE_FILTER_CUBIC
                | F::SAMPLED_IMAGE_FILTER_MINMAX;
        }
        if row.numeric != Numeric::SharedExp {
            out |= F::BLIT_DST | F::COLOR_ATTACHMENT;
            if !integer {
                out |= F::COLOR_ATTACHMENT_BLEND;
            }
            // Signed 10-bit integers support all uses but storage images.
            let signed10 = row.numeric == Numeric::Sint && row.fields[0].bits == 10;
            let stored = is_wide(row) && row.numeric != Numeric::Srgb && row.bytes != 12;
            if stored && !signed10 && !has_unused_bits(row) {
                out |= F::STORAGE_IMAGE;
            }
        }
        if matches!(self, Format::R32_UINT | Format::R32_SINT | Format::R32_SFLOAT) {
            out |= F::STORAGE_IMAGE_ATOMIC;
        }
        if self == Format::R8_UINT {
            out |= F::FRAGMENT_SHADING_RATE_ATTACHMENT;
        }
        if self == Format::R8G8_UNORM {
            out |= F::FRAGMENT_DENSITY_MAP;
        }
        out
    }

    /// True for formats that may only be sampled through a Y'CbCr conversion. Spec: Vulkan, "Formats Requiring Sampler
    /// Y'CbCr Conversion"; `VK_EXT_rgba10x6_formats` exempts the corresponding 10-bit format.
    fn needs_conversion(self) -> bool {
        self == Format::R12X4G12X4B12X4A12X4_UNORM_4PACK16
    }

    /// True for formats of one 64-bit integer, which support atomics.
    fn is_single64(self) -> bool {
        matches!(self, Format::R64_UINT | Format::R64_SINT)
    }

    /// Features of vertex buffers and texel buffers.
    pub fn buffer_features(self) -> FormatFeatures {
        use FormatFeatures as F;
        let row = self.info();
        if row.is_64_bit() {
            let atomic = if self.is_single64() { F::STORAGE_TEXEL_BUFFER_ATOMIC } else { F::NONE };
            let texels = F::UNIFORM_TEXEL_BUFFER | F::STORAGE_TEXEL_BUFFER | atomic;
            return F::VERTEX_BUFFER | if row.has_64_bit_texels() { texels } else { F::NONE };
        }
        let special = row.block.is_some() || !row.planes.is_empty() || self.needs_conversion();
        if row.aspects != Aspects::COLOR || special {
            return F::NONE;
        }
        let mut out = if row.numeric == Numeric::Srgb { F::NONE } else { F::VERTEX_BUFFER };
        if !matches!(row.numeric, Numeric::Uscaled | Numeric::Sscaled) {
            out |= F::UNIFORM_TEXEL_BUFFER;
        }
        let image = self.image_features();
        if image.contains(F::STORAGE_IMAGE) {
            out |= F::STORAGE_TEXEL_BUFFER;
        }
        if image.contains(F::STORAGE_IMAGE_ATOMIC) {
            out |= F::STORAGE_TEXEL_BUFFER_ATOMIC;
        }
        out
    }
}
