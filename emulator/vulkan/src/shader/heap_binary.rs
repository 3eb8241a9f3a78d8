//! Mappings to descriptor heaps in shader binaries: C structures as words.
//!
//! A mapping is `HEAD` words, which contain the source data with its pointer set to zero, and, if there is an embedded
//! sampler, `SAMPLER` words with its state. Applications store the words, so they are always read as numbers, never as
//! pointers. `shader::object` puts them into binaries.

use std::ffi::c_void;
use std::sync::Arc;

use ash::vk;
use quadrille::heaps::Mapping;

use crate::descriptor::heap as descriptor_heap;
use crate::device::Device;
use crate::interface::chain::{find, slice};
use crate::interface::guard::{VkResult, foreign_code};
use crate::newer::{
    DescriptorMappingSourceDataEXT, DescriptorSetAndBindingMappingEXT,
    ShaderDescriptorSetAndBindingMappingInfoEXT,
};

/// Result code for words that this driver did not write.
const INCOMPATIBLE: vk::Result = vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT;
/// Number of words of the union of source data.
const DATA: usize = size_of::<DescriptorMappingSourceDataEXT>() / 4;
/// Set, bindings, mask, source, data, and a word that is 1 if there is a sampler.
const HEAD: usize = 5 + DATA + 1;
/// Number of words of a sampler.
const SAMPLER: usize = 21;

/// Returns the index of the sampler pointer's first word in the data of a source.
fn pointer_at(source: u32) -> Option<usize> {
    match source {
        0 => Some(2),
        1 | 3 | 8 => Some(4),
        2 => Some(6),
        _ => None,
    }
}

/// Returns the words of a sampler; `None` for one with Y'CbCr conversion, which binaries cannot hold.
///
/// # Safety
/// `s` and its chain are valid.
unsafe fn sampler_words(s: &vk::SamplerCreateInfo<'_>) -> Option<[u32; SAMPLER]> {
    // SAFETY: the caller promises a valid create info; every member of the union consists of four words.
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

/// Returns the mappings in the chain of a shader as words; `None` if a binary cannot hold them.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn pack(next: *const c_void) -> Option<Vec<u32>> {
    // SAFETY: the caller promises a valid chain; the union is read as words, for which all bits are valid.
    unsafe {
        let all = find::<ShaderDescriptorSetAndBindingMappingInfoEXT>(next);
        let all = all.map_or(&[][..], |m| slice(m.p_mappings, m.mapping_count));
        let mut out = Vec::new();
        for m in all {
            let source = m.source as u32;
            out.extend([m.descriptor_set, m.first_binding, m.binding_count, m.resource_mask, source]);
            let mut data = (&raw const m.source_data).cast::<[u32; DATA]>().read();
            let sampler = pointer_at(source).map(|at| &mut data[at..at + 2]).and_then(|p| {
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

/// Returns the mappings that [`pack`] was given.
///
/// # Errors
/// `INCOMPATIBLE_SHADER_BINARY_EXT` for words that did not come from [`pack`]; codes of missing memory.
pub fn unpack(device: &Device, words: &[u32]) -> VkResult<Arc<[Mapping]>> {
    let of = |(head, sampler): (&[u32], Option<&[u32]>)| {
        let sampler = sampler.map(|words| sampler_of(device, words)).transpose()?;
        descriptor_heap::mapping(&mapping(head), sampler.map(|s| s.number()))
    };
    let all: VkResult<Arc<[Mapping]>> = split(words)?.into_iter().map(of).collect();
    all.map_err(|code| foreign_code(code, INCOMPATIBLE))
}

/// Splits words into those of each mapping and of its sampler.
fn split(words: &[u32]) -> VkResult<Vec<(&[u32], Option<&[u32]>)>> {
    let (mut rest, mut taken) = (words, Vec::new());
    while !rest.is_empty() {
        let (head, tail) = rest.split_at_checked(HEAD).ok_or(INCOMPATIBLE)?;
        let n = if head[HEAD - 1] == 0 { 0 } else { SAMPLER };
        let (sampler, tail) = tail.split_at_checked(n).ok_or(INCOMPATIBLE)?;
        taken.push((head, (n > 0).then_some(sampler)));
        rest = tail;
    }
    Ok(taken)
}

fn sampler_of(device: &Device, words: &[u32]) -> VkResult<quadrille::KeptSampler> {
    let (mut border, mut mode) = (border(words), mode(words));
    let info = sampler(words, &mut border, &mut mode);
    // SAFETY: the create info consists of numbers, and its chain of two live local structures.
    unsafe { descriptor_heap::kept_sampler(device, &info) }
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

/// Returns a mapping with the given words; its pointers are null.
fn mapping(head: &[u32]) -> DescriptorSetAndBindingMappingEXT {
    let mut data = [0; DATA];
    data.copy_from_slice(&head[5..5 + DATA]);
    let mut mapping = DescriptorSetAndBindingMappingEXT {
        descriptor_set: head[0],
        first_binding: head[1],
        binding_count: head[2],
        resource_mask: head[3],
        source: head[4] as i32,
        ..Default::default()
    };
    // SAFETY: the union has `DATA` words and consists of numbers and pointers, for which all bits are valid.
    unsafe { (&raw mut mapping.source_data).cast::<[u32; DATA]>().write(data) };
    if let Some(at) = pointer_at(head[4]) {
        // SAFETY: `pointer_at` returns the index of a pointer within the union.
        unsafe { (&raw mut mapping.source_data).cast::<u32>().add(at).cast::<[u32; 2]>().write([0; 2]) };
    }
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

    fn packed(mappings: &[DescriptorSetAndBindingMappingEXT]) -> Vec<u32> {
        let info = info(mappings);
        // SAFETY: the chain consists of live local structures.
        unsafe { pack((&raw const info).cast()) }.unwrap()
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
                source: source as i32,
                ..Default::default()
            })
            .collect();
        all[5].source_data.push_data_offset = 12;
        all[2].source_data.indirect_index.sampler_heap_array_stride = 32;
        let pointer = (&raw const sampler).cast();
        all[0].source_data.constant_offset.p_embedded_sampler = pointer;
        all[2].source_data.indirect_index.p_embedded_sampler = pointer;
        all[3].source_data.indirect_index_array.p_embedded_sampler = pointer;
        let words = packed(&all);
        assert_eq!(words.len(), 8 * HEAD + 3 * SAMPLER);
        let again = |(head, words): (&[u32], Option<&[u32]>)| {
            let mut mapping = mapping(head);
            let Some(words) = words else { return packed(&[mapping]) };
            let (mut border, mut mode) = (border(words), mode(words));
            let sampler = super::sampler(words, &mut border, &mut mode);
            let pointer = (&raw const sampler).cast();
            match mapping.source {
                0 => mapping.source_data.constant_offset.p_embedded_sampler = pointer,
                2 => mapping.source_data.indirect_index.p_embedded_sampler = pointer,
                _ => mapping.source_data.indirect_index_array.p_embedded_sampler = pointer,
            }
            packed(&[mapping])
        };
        let again: Vec<u32> = split(&words).unwrap().into_iter().flat_map(again).collect();
        assert_eq!(again, words);
        let cut = split(&words[..words.len() - 1]).map(|_| ());
        assert_eq!(cut, Err(INCOMPATIBLE));
    }

    /// Words at the position of a structure's pointer are never dereferenced.
    #[test]
    fn words_are_no_pointers() {
        for source in [0, 1, 2, 3, 8] {
            let mut words = vec![0; HEAD];
            words[4] = source;
            words[5..5 + DATA].fill(0x4141_4141);
            let mapping = mapping(&words);
            // SAFETY: the union consists of numbers and pointers; the pointers are compared, not dereferenced.
            let pointer = unsafe {
                match source {
                    0 => mapping.source_data.constant_offset.p_embedded_sampler,
                    1 => mapping.source_data.push_index.p_embedded_sampler,
                    2 => mapping.source_data.indirect_index.p_embedded_sampler,
                    8 => mapping.source_data.shader_record_index.p_embedded_sampler,
                    _ => mapping.source_data.indirect_index_array.p_embedded_sampler,
                }
            };
            assert!(pointer.is_null(), "source {source}");
            assert!(descriptor_heap::mapping(&mapping, None).is_ok(), "source {source}");
        }
    }
}
