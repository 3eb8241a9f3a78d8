//! Chapter "Shaders", shader objects: their code as SPIR-V or as a binary, and how they are bound.
//!
//! A binary is the SPIR-V behind a header that says what wrote it.

use std::ffi::c_void;

use ash::vk;
use quadrille::{PipelineLayout, ShaderObject, ShaderObjectDesc, ShaderStage, Stage};

use crate::chain::{find, slice, text};
use crate::command::list;
use crate::descriptor::layout_of;
use crate::device::Device;
use crate::guard::{VkResult, code, commands};
use crate::handle::{create, destroy, get, get_opt, objects};
use crate::properties::{SHADER_BINARY_VERSION, shader_binary_uuid};
use crate::shader::specialization;

objects!(ShaderObject => ShaderEXT);

/// Bytes of the header: `shaderBinaryUUID`, `shaderBinaryVersion`, stage, and the size of the code in bytes.
const HEADER: usize = vk::UUID_SIZE + 12;

/// The stage of a bit.
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

fn header(stage: Stage, bytes: usize) -> [u8; HEADER] {
    let mut out = [0; HEADER];
    out[..vk::UUID_SIZE].copy_from_slice(&shader_binary_uuid());
    for (i, word) in [SHADER_BINARY_VERSION, stage as u32, bytes as u32].into_iter().enumerate() {
        out[vk::UUID_SIZE + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
    }
    out
}

/// The SPIR-V in a binary, if this driver wrote it for the stage.
fn unpack(binary: &[u8], stage: Stage) -> Option<Vec<u32>> {
    let (head, code) = binary.split_at_checked(HEADER)?;
    let ours = head == header(stage, code.len()) && code.len().is_multiple_of(4);
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    ours.then(|| code.chunks_exact(4).map(word).collect())
}

fn pack(object: &ShaderObject) -> Vec<u8> {
    let desc = object.desc();
    let words = desc.stage.module.module().words();
    let code = words.iter().flat_map(|word| word.to_le_bytes());
    header(desc.kind, 4 * words.len()).into_iter().chain(code).collect()
}

unsafe fn make(device: &Device, info: &vk::ShaderCreateInfoEXT<'_>) -> VkResult<ShaderObject> {
    let kind = stage(info.stage)?;
    // SAFETY: the caller passes a valid create info.
    unsafe {
        let words = match info.code_type {
            vk::ShaderCodeTypeEXT::SPIRV => slice(info.p_code.cast(), (info.code_size / 4) as u32).to_vec(),
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
        let layout: PipelineLayout = layout_of(device, sets, push)?;
        let desc = ShaderObjectDesc { stage, kind, layout };
        device.device.create_shader_object(&desc).map_err(|e| code(&e))
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
        drop(destroy::<ShaderObject>(shader));
    }

    fn get_shader_binary_data(
        _d: vk::Device,
        shader: vk::ShaderEXT,
        size: *mut usize,
        out: *mut c_void,
    ) -> vk::Result {
        let binary = pack(get::<ShaderObject>(shader));
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
                Ok((stage(flag)?, get_opt::<ShaderObject>(shader)))
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

    /// A binary of another version, stage or size is none.
    #[test]
    fn binaries_of_others_are_refused() {
        let code = [1u32, 2, 3];
        let bytes: Vec<u8> = code.iter().flat_map(|w| w.to_le_bytes()).collect();
        let good: Vec<u8> = header(Stage::Vertex, 12).into_iter().chain(bytes).collect();
        assert_eq!(unpack(&good, Stage::Vertex).as_deref(), Some(&code[..]));
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
