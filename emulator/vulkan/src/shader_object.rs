//! Chapter "Shaders", shader objects: their code as SPIR-V or as a binary, and their binding.
//!
//! A binary is the SPIR-V after a header that identifies the writer.

use std::ffi::c_void;

use ash::vk;
use quadrille::{PipelineLayout, ShaderObject, ShaderObjectDesc, ShaderStage, Stage};

use crate::chain::{find, slice, text};
use crate::command::list;
use crate::descriptor::layout_of;
use crate::descriptor_heap::mappings;
use crate::device::Device;
use crate::guard::{VkResult, code, commands};
use crate::handle::{create, destroy, get, get_opt, objects};
use crate::heap_binary;
use crate::newer::SHADER_WITH_HEAPS;
use crate::properties::{SHADER_BINARY_VERSION, shader_binary_uuid};
use crate::shader::specialization;

/// A VkShaderEXT.
pub struct Shader {
    /// The shader itself.
    pub object: ShaderObject,
    /// Mappings of a shader with descriptor heaps, for its binary.
    mappings: Option<Vec<u32>>,
}

objects!(Shader => ShaderEXT);

/// Size of the header, in bytes: `shaderBinaryUUID`, `shaderBinaryVersion`, stage, size of the code in bytes, and a
/// last word. That word is 0, or, with descriptor heaps, 2 plus four times the number of words of mappings after the
/// code.
const HEADER: usize = vk::UUID_SIZE + 16;

/// Converts a stage bit.
pub fn stage(flag: vk::ShaderStageFlags) -> VkResult<Stage> {
    use vk::ShaderStageFlags as Flags;
    Ok(match flag {
        Flags::VERTEX => Stage::Vertex,
        Flags::TESSELLATION_CONTROL => Stage::TessellationControl,
        Flags::TESSELLATION_EVALUATION => Stage::TessellationEvaluation,
        Flags::GEOMETRY => Stage::Geometry,
        Flags::FRAGMENT => Stage::Fragment,
        Flags::COMPUTE => Stage::Compute,
        Flags::TASK_EXT => Stage::Task,
        Flags::MESH_EXT => Stage::Mesh,
        _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    })
}

fn header(stage: Stage, bytes: usize, mappings: Option<usize>) -> [u8; HEADER] {
    let mut out = [0; HEADER];
    out[..vk::UUID_SIZE].copy_from_slice(&shader_binary_uuid());
    let mappings = mappings.map_or(0, |n| 4 * n as u32 + 2);
    let words = [SHADER_BINARY_VERSION, stage as u32, bytes as u32, mappings];
    for (i, word) in words.into_iter().enumerate() {
        out[vk::UUID_SIZE + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
    }
    out
}

/// Returns the SPIR-V and the mappings in a binary, if this driver wrote it for the stage.
fn unpack(binary: &[u8], stage: Stage) -> Option<(Vec<u32>, Option<Vec<u32>>)> {
    let (head, rest) = binary.split_at_checked(HEADER)?;
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let mappings = word(&head[HEADER - 4..]) as usize;
    let mappings = (mappings % 4 == 2).then_some(mappings / 4);
    let code = rest.len().checked_sub(4 * mappings.unwrap_or(0))?;
    let ours = head == header(stage, code, mappings) && rest.len().is_multiple_of(4);
    let words: Vec<u32> = ours.then(|| rest.chunks_exact(4).map(word).collect())?;
    let (code, after) = words.split_at(code / 4);
    Some((code.to_vec(), mappings.map(|_| after.to_vec())))
}

/// Returns the binary of a shader. Fails if the shader has mappings that binaries cannot hold.
fn pack(shader: &Shader) -> VkResult<Vec<u8>> {
    let desc = shader.object.desc();
    let words = desc.stage.module.module().words();
    let mappings = match desc.stage.mappings {
        Some(_) => Some(shader.mappings.as_deref().ok_or(vk::Result::ERROR_UNKNOWN)?),
        None => None,
    };
    let head = header(desc.kind, 4 * words.len(), mappings.map(<[u32]>::len));
    let code = words.iter().chain(mappings.unwrap_or_default()).flat_map(|word| word.to_le_bytes());
    Ok(head.into_iter().chain(code).collect())
}

/// Creates a shader object.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live.
unsafe fn make(device: &Device, info: &vk::ShaderCreateInfoEXT<'_>) -> VkResult<Shader> {
    let kind = stage(info.stage)?;
    // SAFETY: the caller promises a valid create info.
    unsafe {
        let has_heaps = info.flags.as_raw() & SHADER_WITH_HEAPS != 0;
        let (words, packed) = match info.code_type {
            vk::ShaderCodeTypeEXT::SPIRV => {
                let words = slice(info.p_code.cast(), (info.code_size / 4) as u32).to_vec();
                (words, if has_heaps { heap_binary::pack(info.p_next) } else { None })
            }
            _ => {
                let bytes =
                    u32::try_from(info.code_size).map_err(|_| vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT)?;
                let binary = slice(info.p_code.cast(), bytes);
                unpack(binary, kind).ok_or(vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT)?
            }
        };
        let module = device.device.create_shader_module(&words).map_err(|e| code(&e))?;
        let mut stage = ShaderStage::new(&module, text(info.p_name));
        stage.spec = specialization(info.p_specialization_info.as_ref());
        let size = find::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo>(info.p_next);
        stage.lanes = size.map(|s| s.required_subgroup_size);
        let sets = slice(info.p_set_layouts, info.set_layout_count);
        let push = slice(info.p_push_constant_ranges, info.push_constant_range_count);
        if has_heaps {
            stage.mappings = Some(match (info.code_type, &packed) {
                (vk::ShaderCodeTypeEXT::SPIRV, _) => mappings(device, info.p_next)?,
                (_, Some(packed)) => heap_binary::unpack(device, packed)?,
                (_, None) => return Err(vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT),
            });
        }
        let layout = match has_heaps {
            true => PipelineLayout::of_heaps(&device.device).map_err(|e| code(&e))?,
            false => layout_of(device, sets, push)?,
        };
        let desc = ShaderObjectDesc { stage, kind, layout };
        let object = device.device.create_shader_object(&desc).map_err(|e| code(&e))?;
        Ok(Shader { object, mappings: packed })
    }
}

commands! {
    fn create_shaders(
        device: vk::Device,
        n: u32,
        infos: *const vk::ShaderCreateInfoEXT<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::ShaderEXT,
    ) -> vk::Result {
        let mut answer = Ok(());
        for (i, info) in slice(infos, n).iter().enumerate() {
            let made = if answer.is_ok() { make(get::<Device>(device), info) } else { answer.and(Err(vk::Result::ERROR_UNKNOWN)) };
            out.add(i).write(match made {
                Ok(object) => create(object),
                Err(code) => {
                    answer = answer.and(Err(code));
                    vk::ShaderEXT::null()
                }
            });
        }
        answer
    }

    fn destroy_shader(
        _d: vk::Device,
        shader: vk::ShaderEXT,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Shader>(shader));
    }

    fn get_shader_binary_data(
        _d: vk::Device,
        shader: vk::ShaderEXT,
        size: *mut usize,
        out: *mut c_void,
    ) -> vk::Result {
        let binary = pack(get::<Shader>(shader))?;
        if out.is_null() {
            *size = binary.len();
            return Ok(());
        }
        if *size < binary.len() {
            *size = 0;
            return Err(vk::Result::INCOMPLETE);
        }
        std::ptr::copy_nonoverlapping(binary.as_ptr(), out.cast(), binary.len());
        *size = binary.len();
        Ok(())
    }

    fn cmd_bind_shaders(
        buffer: vk::CommandBuffer,
        n: u32,
        stages: *const vk::ShaderStageFlags,
        shaders: *const vk::ShaderEXT,
    ) {
        let bound: VkResult<Vec<_>> = slice(stages, n)
            .iter()
            .enumerate()
            .map(|(i, &flag)| {
                let shader = if shaders.is_null() { vk::ShaderEXT::null() } else { shaders.add(i).read() };
                Ok((stage(flag)?, get_opt::<Shader>(shader).map(|s| &s.object)))
            })
            .collect();
        crate::command_state::with(buffer, bound, |list, bound| {
            list.bind_shaders(&bound);
        });
    }

    fn cmd_set_rendering_attachment_locations(
        buffer: vk::CommandBuffer,
        info: *const vk::RenderingAttachmentLocationInfoKHR<'_>,
    ) {
        let info = &*info;
        let used = |&l: &u32| (l != vk::ATTACHMENT_UNUSED).then_some(l);
        let locations = slice(info.p_color_attachment_locations, info.color_attachment_count);
        let locations: Vec<_> = locations.iter().map(used).collect();
        list(buffer).set_rendering_attachment_locations(&locations);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Binaries of another version, stage or size are refused.
    #[test]
    fn binaries_of_others_are_refused() {
        let code = [1u32, 2, 3];
        let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
        let with = |head: [u8; HEADER]| head.into_iter().chain(bytes.clone()).collect::<Vec<u8>>();
        let good = with(header(Stage::Vertex, 12, None));
        assert_eq!(unpack(&good, Stage::Vertex), Some((code.to_vec(), None)));
        let mapped = with(header(Stage::Vertex, 4, Some(2)));
        assert_eq!(unpack(&mapped, Stage::Vertex), Some((vec![1], Some(vec![2, 3]))));
        assert_eq!(unpack(&with(header(Stage::Vertex, 4, Some(3))), Stage::Vertex), None);
        assert_eq!(unpack(&good, Stage::Fragment), None);
        assert_eq!(unpack(&good[..good.len() - 4], Stage::Vertex), None);
        assert_eq!(unpack(&good[..3], Stage::Vertex), None);
        for at in 0..HEADER {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert_eq!(unpack(&bad, Stage::Vertex), None, "byte {at}");
        }
    }
}
