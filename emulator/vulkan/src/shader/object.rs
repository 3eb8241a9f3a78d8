//! Chapter "Shaders", shader objects: their code as SPIR-V or as a binary, and their binding.
//!
//! A binary holds the SPIR-V and, for a shader with descriptor heaps, its mappings (`binary`, `heap_binary`).

use std::ffi::c_void;

use ash::vk;
use quadrille::{Error, PipelineLayout, ShaderObject, ShaderObjectDesc, ShaderStage, Stage};

use super::binary::SHADERS;
use super::heap_binary;
use super::specialization;
use crate::command_buffer::list;
use crate::descriptor::heap::mappings;
use crate::descriptor::layout_of;
use crate::device::Device;
use crate::interface::chain::{find, slice, text, write_whole};
use crate::interface::guard::{VkResult, code, commands, foreign, log};
use crate::interface::handle::{create, destroy, get, get_opt, objects};
use crate::newer::{SHADER_WITH_64_BIT_INDEXING, SHADER_WITH_HEAPS};
use crate::render_pass::locations;

/// A VkShaderEXT.
pub struct Shader {
    /// The shader itself.
    pub object: ShaderObject,
    /// Mappings of a shader with descriptor heaps, for its binary.
    mappings: Option<Vec<u32>>,
}

objects!(Shader => ShaderEXT);

/// Bit of the kind of a binary, beside the stage: the shader has descriptor heaps, and its mappings follow the code.
const HAS_HEAPS: u32 = 1 << 16;

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

fn kind_of(stage: Stage, has_heaps: bool) -> u32 {
    stage as u32 | if has_heaps { HAS_HEAPS } else { 0 }
}

/// Returns the binary of a shader. Fails if the shader has mappings that binaries cannot hold.
fn pack(shader: &Shader) -> VkResult<Vec<u8>> {
    let desc = shader.object.desc();
    let words = desc.stage.module.module().words();
    let mappings = match desc.stage.mappings {
        Some(_) => Some(shader.mappings.as_deref().ok_or(vk::Result::ERROR_UNKNOWN)?),
        None => None,
    };
    Ok(SHADERS.seal(kind_of(desc.kind, mappings.is_some()), words, mappings.unwrap_or_default()))
}

/// Origin of the code of a shader. It decides which result code an error gets.
#[derive(Clone, Copy)]
enum Origin {
    /// SPIR-V of the application.
    Source,
    /// A binary: any error in it makes the binary incompatible.
    Returned,
}

impl Origin {
    /// Logs an error and returns its code.
    fn code(self, error: &Error) -> vk::Result {
        match self {
            Origin::Source => code(error),
            Origin::Returned => foreign(error, INCOMPATIBLE),
        }
    }
}

/// Result code for binaries that this driver cannot use.
const INCOMPATIBLE: vk::Result = vk::Result::INCOMPATIBLE_SHADER_BINARY_EXT;

/// Returns the SPIR-V and the mappings of a binary that this driver wrote for a stage.
fn unpack(binary: &[u8], kind: Stage, has_heaps: bool) -> VkResult<(Vec<u32>, Option<Vec<u32>>)> {
    let opened = SHADERS.open(binary).map_err(|e| foreign(&e, INCOMPATIBLE))?;
    let opened = opened.filter(|o| o.kind == kind_of(kind, has_heaps)).ok_or_else(|| {
        log(&"a shader binary is damaged, or of another driver, version or stage");
        INCOMPATIBLE
    })?;
    Ok((opened.code, has_heaps.then_some(opened.after)))
}

/// Returns the binary of a create info.
///
/// # Safety
/// `info` is valid.
unsafe fn bytes<'a>(info: &vk::ShaderCreateInfoEXT<'a>) -> VkResult<&'a [u8]> {
    let size = u32::try_from(info.code_size).map_err(|_| INCOMPATIBLE)?;
    // SAFETY: the caller promises a valid create info, whose code has `code_size` bytes.
    Ok(unsafe { slice(info.p_code.cast(), size) })
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
        let (origin, words, packed) = match info.code_type {
            vk::ShaderCodeTypeEXT::SPIRV => {
                let words = slice(info.p_code.cast(), (info.code_size / 4) as u32).to_vec();
                let packed = if has_heaps { heap_binary::pack(info.p_next) } else { None };
                (Origin::Source, words, packed)
            }
            _ => {
                let (words, packed) = unpack(bytes(info)?, kind, has_heaps)?;
                (Origin::Returned, words, packed)
            }
        };
        let refused = |e: Error| origin.code(&e);
        let module = device.device.create_shader_module(&words).map_err(refused)?;
        let mut stage = ShaderStage::new(&module, text(info.p_name));
        stage.spec = specialization(info.p_specialization_info.as_ref());
        let size = find::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo>(info.p_next);
        stage.lanes = size.map(|s| s.required_subgroup_size);
        stage.wide_indexing = info.flags.as_raw() & SHADER_WITH_64_BIT_INDEXING != 0;
        let sets = slice(info.p_set_layouts, info.set_layout_count);
        let push = slice(info.p_push_constant_ranges, info.push_constant_range_count);
        if has_heaps {
            stage.mappings = Some(match (origin, &packed) {
                (Origin::Returned, Some(packed)) => heap_binary::unpack(device, packed)?,
                _ => mappings(device, info.p_next)?,
            });
        }
        let layout = match has_heaps {
            true => PipelineLayout::of_heaps(&device.device).map_err(|e| code(&e))?,
            false => layout_of(device, sets, push)?,
        };
        let desc = ShaderObjectDesc { stage, kind, layout };
        let object = device.device.create_shader_object(&desc).map_err(refused)?;
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
        write_whole(&pack(get::<Shader>(shader))?, size, out)
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
        crate::command_buffer::with(buffer, bound, |list, bound| {
            list.bind_shaders(&bound);
        });
    }

    fn cmd_set_rendering_attachment_locations(
        buffer: vk::CommandBuffer,
        info: *const vk::RenderingAttachmentLocationInfoKHR<'_>,
    ) {
        list(buffer).set_rendering_attachment_locations(&locations(info.cast()).unwrap_or_default());
    }
}
