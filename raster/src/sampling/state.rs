//! Sampler states: `VkSamplerCreateInfo` without handles. Sampling by them is left to [`super::scalar`] and `fast`.

use quadrille_jit::error::{Error, Result};

use super::view_desc::Swizzle;
pub use crate::memory::filter::Filter;
use crate::memory::format::Format;
pub use crate::state::CompareOp;

/// Address mode; the names are those of `VkSamplerAddressMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkSamplerAddressMode")]
pub enum AddressMode {
    #[default]
    Repeat,
    MirroredRepeat,
    ClampToEdge,
    ClampToBorder,
    MirrorClampToEdge,
}

/// Border colour as components R, G, B, A: words of `f32` or integers, depending on the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkBorderColor")]
pub enum BorderColor {
    #[default]
    TransparentBlack,
    OpaqueBlack,
    OpaqueWhite,
    /// Words of a custom colour.
    Custom([u32; 4]),
}

/// Reduction of the texels of a filter to one value; the names are those of `VkSamplerReductionMode`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// The weighted average.
    #[default]
    WeightedAverage,
    /// The minimum of each component among texels with a weight above 0.
    Min,
    /// The maximum of each component among texels with a weight above 0.
    Max,
}

/// Conversion of the components of a Y'CbCr colour to RGB; the names are those of `VkSamplerYcbcrModelConversion`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkSamplerYcbcrModelConversion")]
pub enum YcbcrModel {
    RgbIdentity,
    YcbcrIdentity,
    Bt709,
    Bt601,
    Bt2020,
}

/// Location of chroma samples; the names are those of `VkChromaLocation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChromaLocation {
    /// Located at the even luma texels.
    CositedEven,
    /// Located midway between an even and an odd luma texel.
    Midpoint,
}

/// Sampler Y'CbCr conversion. Spec: Vulkan, `VkSamplerYcbcrConversionCreateInfo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct YcbcrConversion {
    /// Format of the images.
    pub format: Format,
    /// Model of the colour conversion.
    pub model: YcbcrModel,
    /// `true` for ITU narrow range, `false` for full range.
    pub narrow: bool,
    /// Component mapping, applied before all else.
    pub swizzle: [Swizzle; 4],
    /// Chroma locations in x and y.
    pub chroma_location: [ChromaLocation; 2],
    /// Filter for chroma.
    pub chroma_filter: Filter,
    /// `true` if chroma is reconstructed at every luma texel before the sampler's filter.
    pub force_explicit: bool,
}

impl YcbcrConversion {
    /// A conversion with full range, without component mapping, with chroma midway between luma texels.
    pub fn new(format: Format, model: YcbcrModel) -> Self {
        YcbcrConversion {
            format,
            model,
            narrow: false,
            swizzle: [Swizzle::Identity; 4],
            chroma_location: [ChromaLocation::Midpoint; 2],
            chroma_filter: Filter::Nearest,
            force_explicit: false,
        }
    }

    /// Number of bits of the format's components.
    pub(crate) fn bits(&self) -> u32 {
        let info = self.format.info();
        if let Some(bits) = info.block.and_then(|b| b.codec.bits_422()) {
            return bits;
        }
        u32::from(info.fields.iter().map(|f| f.bits).max().unwrap_or(8)).clamp(8, 16)
    }
}

/// All parameters of a sampler. Floats are stored as bits, so that states compare and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SamplerState {
    /// Filter for lods up to 0.
    pub mag_filter: Filter,
    /// Filter for lods above 0.
    pub min_filter: Filter,
    /// Filter between levels.
    pub mipmap_mode: Filter,
    /// Address modes of u, v, w.
    pub address: [AddressMode; 3],
    /// Bits of mipLodBias.
    pub lod_bias: u32,
    /// Bits of minLod.
    pub min_lod: u32,
    /// Bits of maxLod.
    pub max_lod: u32,
    /// Compare operation, if enabled.
    pub compare: Option<CompareOp>,
    /// Border colour.
    pub border: BorderColor,
    /// `true` if coordinates are in texels.
    pub unnormalized: bool,
    /// Bits of maxAnisotropy if anisotropy is enabled.
    pub anisotropy: Option<u32>,
    /// Reduction of the texels of a filter.
    pub reduction: Reduction,
    /// `true` if filters do not cross the edges of cubes (VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT).
    pub non_seamless: bool,
    /// Conversion from Y'CbCr.
    pub ycbcr: Option<YcbcrConversion>,
}

impl Default for SamplerState {
    fn default() -> Self {
        SamplerState {
            mag_filter: Filter::Nearest,
            min_filter: Filter::Nearest,
            mipmap_mode: Filter::Nearest,
            address: [AddressMode::Repeat; 3],
            lod_bias: 0,
            min_lod: 0,
            max_lod: LOD_CLAMP_NONE.to_bits(),
            compare: None,
            border: BorderColor::TransparentBlack,
            unnormalized: false,
            anisotropy: None,
            reduction: Reduction::WeightedAverage,
            non_seamless: false,
            ycbcr: None,
        }
    }
}

/// `VK_LOD_CLAMP_NONE`.
pub const LOD_CLAMP_NONE: f32 = 1000.0;
/// `maxSamplerLodBias`.
pub const MAX_SAMPLER_LOD_BIAS: f32 = 16.0;
/// `maxSamplerAnisotropy`: maximum number of samples of a footprint.
pub const MAX_SAMPLER_ANISOTROPY: f32 = 16.0;

impl SamplerState {
    /// Linear filter of texels and levels, with one address mode for all axes.
    pub fn linear(address: AddressMode) -> Self {
        SamplerState {
            mag_filter: Filter::Linear,
            min_filter: Filter::Linear,
            mipmap_mode: Filter::Linear,
            address: [address; 3],
            ..Default::default()
        }
    }

    /// Nearest filter, with one address mode for all axes.
    pub fn nearest(address: AddressMode) -> Self {
        SamplerState { address: [address; 3], ..Default::default() }
    }

    /// Maximum number of samples of a footprint, if it can exceed one.
    pub fn max_anisotropy(&self) -> Option<f32> {
        let a = f32::from_bits(self.anisotropy?);
        (a > 1.0 && !self.unnormalized).then(|| a.min(MAX_SAMPLER_ANISOTROPY))
    }

    pub(crate) fn check(&self) -> Result<()> {
        if [self.lod_bias, self.min_lod, self.max_lod].iter().any(|&b| f32::from_bits(b).is_nan()) {
            return Err(Error::invalid("sampler: a lod is NaN"));
        }
        Ok(())
    }
}
