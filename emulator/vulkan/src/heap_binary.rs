//! Mappings to descriptor heaps in binaries of shaders: the structures of C as words.
//!
//! A mapping is `HEAD` words, those of its source's data with nothing for the pointer in it, and, if there is an
//! embedded sampler, `SAMPLER` words that say what it does.

use std::ffi::c_void;

use ash::vk;

use crate::chain::{find, slice};
use crate::guard::VkResult;
use crate::newer::{
    DescriptorMappingSourceDataEXT, DescriptorSetAndBindingMappingEXT,
    ShaderDescriptorSetAndBindingMappingInfoEXT,
};

/// Words of a union of sources.
const DATA: usize = size_of::<DescriptorMappingSourceDataEXT>() / 4;
/// Set, bindings, mask, source, data, and whether there is a sampler.
const HEAD: usize = 5 + DATA + 1;
/// Words of a sampler.
const SAMPLER: usize = 21;

/// Where among the words of its data a source has the pointer to its sampler.
fn pointer_at(source: u32) -> Option<usize> {
    [2, 4, 6, 4].get(source as usize).copied()
}

/// The words of a sampler; `None` for one that converts, which binaries do not hold.
unsafe fn sampler_words(s: &vk::SamplerCreateInfo<'_>) -> Option<[u32; SAMPLER]> {
    // SAFETY: the caller passes a valid create info; every member of the union is four words.
    let (custom, mode, ycbcr) = unsafe {
        let custom = find::<vk::SamplerCustomBorderColorCreateInfoEXT>(s.p_next);
        let mode = find::<vk::SamplerReductionModeCreateInfo>(s.p_next).map(|m| m.reduction_mode);
        let ycbcr = find::<vk::SamplerYcbcrConversionInfo>(s.p_next).is_some();
        (custom.map_or([0; 4], |c| c.custom_border_color.uint32), mode.unwrap_or_default(), ycbcr)
    };
    let words = [
        s.flags.as_raw(),
        s.mag_filter.as_raw() as u32,
        s.min_filter.as_raw() as u32,
        s.mipmap_mode.as_raw() as u32,
        s.address_mode_u.as_raw() as u32,
        s.address_mode_v.as_raw() as u32,
        s.address_mode_w.as_raw() as u32,
        s.mip_lod_bias.to_bits(),
        s.anisotropy_enable,
        s.max_anisotropy.to_bits(),
        s.compare_enable,
        s.compare_op.as_raw() as u32,
        s.min_lod.to_bits(),
        s.max_lod.to_bits(),
        s.border_color.as_raw() as u32,
        s.unnormalized_coordinates,
        custom[0],
        custom[1],
        custom[2],
        custom[3],
        mode.as_raw() as u32,
    ];
    (!ycbcr).then_some(words)
}

/// The mappings in the chain of a shader as words; `None` where a binary cannot hold them.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn pack(next: *const c_void) -> Option<Vec<u32>> {
    // SAFETY: the caller vouches for the chain; all words of the union are there, whichever member it has.
    unsafe {
        let all = find::<ShaderDescriptorSetAndBindingMappingInfoEXT>(next);
        let all = all.map_or(&[][..], |m| slice(m.p_mappings, m.mapping_count));
        let mut out = Vec::new();
        for m in all {
            out.extend([m.descriptor_set, m.first_binding, m.binding_count, m.resource_mask, m.source]);
            let mut data = (&raw const m.source_data).cast::<[u32; DATA]>().read();
            let sampler = pointer_at(m.source).map(|at| &mut data[at..at + 2]).and_then(|p| {
                let address = u64::from(p[0]) | u64::from(p[1]) << 32;
                p.fill(0);
                (address as *const vk::SamplerCreateInfo<'_>).as_ref()
            });
            out.extend(data);
            out.push(sampler.is_some().into());
            if let Some(sampler) = sampler {
                out.extend(sampler_words(sampler)?);
            }
        }
        Some(out)
    }
}

/// Gives `f` the chain that [`pack`] was given.
///
/// # Errors
/// `INCOMPATIBLE_SHADER_BINARY_EXT` for words that are not of [`pack`].
pub fn unpack<R>(words: &[u32], f: impl FnOnce(*const c_void) -> VkResult<R>) -> VkResult<R> {
    let foreign = vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT;
    let mut rest = words;
    let mut taken = Vec::new();
    while !rest.is_empty() {
        let (head, tail) = rest.split_at_checked(HEAD).ok_or(foreign)?;
        let n = if head[HEAD - 1] == 0 { 0 } else { SAMPLER };
        let (sampler, tail) = tail.split_at_checked(n).ok_or(foreign)?;
        taken.push((head, sampler));
        rest = tail;
    }
    // What structures point to is made first, and does not move.
    let mut borders: Vec<_> = taken.iter().map(|(_, s)| border(s)).collect();
    let mut modes: Vec<_> = taken.iter().map(|(_, s)| mode(s)).collect();
    let samplers: Vec<_> = taken
        .iter()
        .zip(borders.iter_mut().zip(&mut modes))
        .map(|((_, s), (border, mode))| (!s.is_empty()).then(|| sampler(s, border, mode)))
        .collect();
    let mappings: Vec<_> =
        taken.iter().zip(&samplers).map(|((head, _), s)| mapping(head, s.as_ref())).collect();
    let info = ShaderDescriptorSetAndBindingMappingInfoEXT {
        mapping_count: mappings.len() as u32,
        p_mappings: mappings.as_ptr(),
        ..Default::default()
    };
    f((&raw const info).cast())
}

fn border(s: &[u32]) -> vk::SamplerCustomBorderColorCreateInfoEXT<'static> {
    let uint32 = s.get(16..20).and_then(|c| c.try_into().ok()).unwrap_or_default();
    vk::SamplerCustomBorderColorCreateInfoEXT::default().custom_border_color(vk::ClearColorValue { uint32 })
}

fn mode(s: &[u32]) -> vk::SamplerReductionModeCreateInfo<'static> {
    let mode = vk::SamplerReductionMode::from_raw(s.get(20).copied().unwrap_or(0) as i32);
    vk::SamplerReductionModeCreateInfo::default().reduction_mode(mode)
}

fn sampler<'a>(
    s: &[u32],
    border: &'a mut vk::SamplerCustomBorderColorCreateInfoEXT<'static>,
    mode: &'a mut vk::SamplerReductionModeCreateInfo<'static>,
) -> vk::SamplerCreateInfo<'a> {
    let address = |i: usize| vk::SamplerAddressMode::from_raw(s[i] as i32);
    vk::SamplerCreateInfo::default()
        .flags(vk::SamplerCreateFlags::from_raw(s[0]))
        .mag_filter(vk::Filter::from_raw(s[1] as i32))
        .min_filter(vk::Filter::from_raw(s[2] as i32))
        .mipmap_mode(vk::SamplerMipmapMode::from_raw(s[3] as i32))
        .address_mode_u(address(4))
        .address_mode_v(address(5))
        .address_mode_w(address(6))
        .mip_lod_bias(f32::from_bits(s[7]))
        .anisotropy_enable(s[8] != 0)
        .max_anisotropy(f32::from_bits(s[9]))
        .compare_enable(s[10] != 0)
        .compare_op(vk::CompareOp::from_raw(s[11] as i32))
        .min_lod(f32::from_bits(s[12]))
        .max_lod(f32::from_bits(s[13]))
        .border_color(vk::BorderColor::from_raw(s[14] as i32))
        .unnormalized_coordinates(s[15] != 0)
        .push_next(border)
        .push_next(mode)
}

fn mapping(head: &[u32], sampler: Option<&vk::SamplerCreateInfo<'_>>) -> DescriptorSetAndBindingMappingEXT {
    let mut data = [0; DATA];
    data.copy_from_slice(&head[5..5 + DATA]);
    if let (Some(sampler), Some(at)) = (sampler, pointer_at(head[4])) {
        let address = &raw const *sampler as u64;
        (data[at], data[at + 1]) = (address as u32, (address >> 32) as u32);
    }
    let mut mapping = DescriptorSetAndBindingMappingEXT {
        descriptor_set: head[0],
        first_binding: head[1],
        binding_count: head[2],
        resource_mask: head[3],
        source: head[4],
        ..Default::default()
    };
    // SAFETY: the union is so many words, of which any are valid for numbers; the pointer among them is to a
    // structure that lives as long as the mapping is used, or null.
    unsafe { (&raw mut mapping.source_data).cast::<[u32; DATA]>().write(data) };
    mapping
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(mappings: &[DescriptorSetAndBindingMappingEXT]) -> ShaderDescriptorSetAndBindingMappingInfoEXT {
        ShaderDescriptorSetAndBindingMappingInfoEXT {
            mapping_count: mappings.len() as u32,
            p_mappings: mappings.as_ptr(),
            ..Default::default()
        }
    }

    #[test]
    fn mappings_come_back_from_their_words() {
        let mut color = vk::SamplerCustomBorderColorCreateInfoEXT::default()
            .custom_border_color(vk::ClearColorValue { uint32: [1, 2, 3, 4] });
        let sampler = vk::SamplerCreateInfo::default()
            .mag_filter(vk::Filter::LINEAR)
            .address_mode_v(vk::SamplerAddressMode::CLAMP_TO_BORDER)
            .border_color(vk::BorderColor::INT_CUSTOM_EXT)
            .max_lod(7.5)
            .push_next(&mut color);
        let mut all: Vec<_> = (0..8)
            .map(|source| DescriptorSetAndBindingMappingEXT {
                descriptor_set: source,
                binding_count: 3,
                source,
                ..Default::default()
            })
            .collect();
        all[5].source_data.push_data_offset = 12;
        all[2].source_data.indirect_index.sampler_heap_array_stride = 32;
        let pointer = (&raw const sampler).cast();
        all[0].source_data.constant_offset.p_embedded_sampler = pointer;
        all[2].source_data.indirect_index.p_embedded_sampler = pointer;
        all[3].source_data.indirect_index_array.p_embedded_sampler = pointer;
        let info = info(&all);
        // SAFETY: valid chains.
        let words = unsafe { pack((&raw const info).cast()) }.unwrap();
        assert_eq!(words.len(), 8 * HEAD + 3 * SAMPLER);
        // SAFETY: valid chains.
        let again = unpack(&words, |chain| Ok(unsafe { pack(chain) }.unwrap())).unwrap();
        assert_eq!(again, words);
        let cut = unpack(&words[..words.len() - 1], |_| Ok(()));
        assert_eq!(cut, Err(vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT));
    }
}
