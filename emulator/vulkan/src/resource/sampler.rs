//! Chapter "Samplers".

use ash::vk;
use quadrille::{BorderColor, ChromaLocation, Reduction, Swizzle, YcbcrConversion, YcbcrModel};
use quadrille::{Sampler, SamplerDesc};

use crate::capabilities::format::needed;
use crate::device::Device;
use crate::interface::chain::find;
use crate::interface::convert::{address_mode, filter, mipmap_mode};
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::{create, destroy, get, objects};

objects!(Sampler => Sampler, YcbcrConversion => SamplerYcbcrConversion);

/// Returns the compare operation of a sampler.
fn compare(info: &vk::SamplerCreateInfo<'_>) -> VkResult<Option<quadrille::CompareOp>> {
    if info.compare_enable == 0 {
        return Ok(None);
    }
    crate::interface::convert::compare_op(info.compare_op).map(Some)
}

/// Returns the border colour of a sampler.
///
/// # Safety
/// The chain of `info` is valid.
unsafe fn border(info: &vk::SamplerCreateInfo<'_>) -> BorderColor {
    use vk::BorderColor as B;
    match info.border_color {
        B::FLOAT_OPAQUE_BLACK | B::INT_OPAQUE_BLACK => BorderColor::OpaqueBlack,
        B::FLOAT_OPAQUE_WHITE | B::INT_OPAQUE_WHITE => BorderColor::OpaqueWhite,
        B::FLOAT_CUSTOM_EXT | B::INT_CUSTOM_EXT => {
            // SAFETY: the caller promises a valid chain; every member of the union consists of four words.
            unsafe {
                find::<vk::SamplerCustomBorderColorCreateInfoEXT>(info.p_next)
                    .map_or(BorderColor::TransparentBlack, |c| {
                        BorderColor::Custom(c.custom_border_color.uint32)
                    })
            }
        }
        _ => BorderColor::TransparentBlack,
    }
}

fn reduction(mode: vk::SamplerReductionMode) -> VkResult<Reduction> {
    use vk::SamplerReductionMode as M;
    match mode {
        M::WEIGHTED_AVERAGE => Ok(Reduction::WeightedAverage),
        M::MIN => Ok(Reduction::Min),
        M::MAX => Ok(Reduction::Max),
        _ => Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    }
}

/// Converts a Y'CbCr conversion.
fn conversion(info: &vk::SamplerYcbcrConversionCreateInfo<'_>) -> VkResult<YcbcrConversion> {
    use vk::SamplerYcbcrModelConversion as M;
    const MODELS: [(M, YcbcrModel); 5] = [
        (M::RGB_IDENTITY, YcbcrModel::RgbIdentity),
        (M::YCBCR_IDENTITY, YcbcrModel::YcbcrIdentity),
        (M::YCBCR_709, YcbcrModel::Bt709),
        (M::YCBCR_601, YcbcrModel::Bt601),
        (M::YCBCR_2020, YcbcrModel::Bt2020),
    ];
    let model = MODELS.iter().find(|(m, _)| *m == info.ycbcr_model).map(|(_, m)| *m);
    let location = |l| match l {
        vk::ChromaLocation::COSITED_EVEN => ChromaLocation::CositedEven,
        _ => ChromaLocation::Midpoint,
    };
    let swizzle = |s: vk::ComponentSwizzle| Swizzle::from_vk(s.as_raw() as u32).unwrap_or_default();
    let c = info.components;
    Ok(YcbcrConversion {
        format: needed(info.format)?,
        model: model.ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)?,
        narrow: info.ycbcr_range == vk::SamplerYcbcrRange::ITU_NARROW,
        swizzle: [swizzle(c.r), swizzle(c.g), swizzle(c.b), swizzle(c.a)],
        chroma_location: [location(info.x_chroma_offset), location(info.y_chroma_offset)],
        chroma_filter: filter(info.chroma_filter)?,
        force_explicit: info.force_explicit_reconstruction != 0,
    })
}

/// Converts a create info.
///
/// # Safety
/// The chain of `info` is valid.
pub unsafe fn desc(info: &vk::SamplerCreateInfo<'_>) -> VkResult<SamplerDesc> {
    // SAFETY: the caller promises a valid chain, whose conversion, if any, is live.
    let (border, mode, ycbcr) = unsafe {
        let mode = find::<vk::SamplerReductionModeCreateInfo>(info.p_next).map(|m| m.reduction_mode);
        let ycbcr = find::<vk::SamplerYcbcrConversionInfo>(info.p_next);
        (border(info), mode, ycbcr.map(|i| *get::<YcbcrConversion>(i.conversion)))
    };
    Ok(SamplerDesc {
        mag_filter: filter(info.mag_filter)?,
        min_filter: filter(info.min_filter)?,
        mipmap_mode: mipmap_mode(info.mipmap_mode)?,
        address: [
            address_mode(info.address_mode_u)?,
            address_mode(info.address_mode_v)?,
            address_mode(info.address_mode_w)?,
        ],
        lod_bias: info.mip_lod_bias.to_bits(),
        min_lod: info.min_lod.to_bits(),
        max_lod: info.max_lod.to_bits(),
        compare: compare(info)?,
        border,
        ycbcr,
        unnormalized: info.unnormalized_coordinates != 0,
        anisotropy: (info.anisotropy_enable != 0).then(|| info.max_anisotropy.to_bits()),
        reduction: reduction(mode.unwrap_or_default())?,
        non_seamless: info.flags.contains(vk::SamplerCreateFlags::NON_SEAMLESS_CUBE_MAP_EXT),
    })
}

commands! {
    fn create_sampler(
        device: vk::Device,
        info: *const vk::SamplerCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Sampler,
    ) -> vk::Result {
        let sampler = get::<Device>(device).device.create_sampler(desc(&*info)?);
        *out = create(sampler.map_err(|e| code(&e))?);
        Ok(())
    }

    fn destroy_sampler(
        device: vk::Device,
        sampler: vk::Sampler,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        if let Some(s) = destroy::<Sampler>(sampler) {
            get::<Device>(device).device.release_sampler(s);
        }
    }

    fn create_sampler_ycbcr_conversion(
        _d: vk::Device,
        info: *const vk::SamplerYcbcrConversionCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::SamplerYcbcrConversion,
    ) -> vk::Result {
        *out = create(conversion(&*info)?);
        Ok(())
    }

    fn destroy_sampler_ycbcr_conversion(
        _d: vk::Device,
        conversion: vk::SamplerYcbcrConversion,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        let _ = destroy::<YcbcrConversion>(conversion);
    }
}
