//! Chapter "Shaders": modules, stages of pipelines, shader objects, and the contents of binaries.
//!
//! * `object`: shader objects.
//! * `identifier`: identifiers of modules. `validation_cache`: validation caches.
//! * `binary`, `heap_binary`: contents of binaries: a stage, and its mappings to descriptor heaps.
//!
//! Left to others: `pipeline` creates pipelines of stages; the device library compiles.

pub(crate) mod binary;
mod heap_binary;
pub(crate) mod identifier;
pub(crate) mod object;
pub(crate) mod validation_cache;

use ash::vk;
use quadrille::{ShaderModule, ShaderStage};

use crate::descriptor::heap::mappings;
use crate::device::Device;
use crate::interface::chain::{find, slice, text};
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::{create, destroy, get, objects};
use crate::newer::{PIPELINE_WITH_64_BIT_INDEXING, PIPELINE_WITH_HEAPS, PipelineBinaryKHR};
use binary::module_of;

objects!(ShaderModule => ShaderModule);

/// Returns the specialization constants: id and bits of the value, which has an entry for each eight bytes.
///
/// # Safety
/// `info` is valid.
pub unsafe fn specialization(info: Option<&vk::SpecializationInfo<'_>>) -> Vec<(u32, u64)> {
    let Some(info) = info else { return Vec::new() };
    // SAFETY: the caller promises a valid structure, which has `data_size` bytes and `map_entry_count` entries.
    let (entries, data) = unsafe {
        let data = info.p_data.cast::<u8>();
        let size = if data.is_null() { 0 } else { info.data_size };
        let data = if size == 0 { &[][..] } else { std::slice::from_raw_parts(data, size) };
        (slice(info.p_map_entries, info.map_entry_count), data)
    };
    let bytes = |e: &vk::SpecializationMapEntry| data.get(e.offset as usize..)?.get(..e.size);
    let words = entries.iter().flat_map(|e| {
        bytes(e).unwrap_or_default().chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            (e.constant_id, u64::from_le_bytes(word))
        })
    });
    words.collect()
}

/// Effect of the flags of a pipeline on its stages.
#[derive(Clone, Copy)]
pub struct StageFlags {
    /// The stages use descriptor heaps.
    pub has_heaps: bool,
    /// The stages have 64-bit indexing.
    pub wide_indexing: bool,
}

impl StageFlags {
    /// Returns the effect of the flags of a pipeline, which only a structure in its chain can hold.
    ///
    /// # Safety
    /// `next` starts a valid chain.
    pub unsafe fn of(next: *const std::ffi::c_void) -> StageFlags {
        // SAFETY: the caller promises a valid chain.
        let flags = unsafe { find::<vk::PipelineCreateFlags2CreateInfoKHR>(next) };
        let flags = flags.map_or(0, |f| f.flags.as_raw());
        StageFlags {
            has_heaps: flags & PIPELINE_WITH_HEAPS != 0,
            wide_indexing: flags & PIPELINE_WITH_64_BIT_INDEXING != 0,
        }
    }
}

/// Returns a stage of a pipeline, with code from `binaries` if there are any.
///
/// # Safety
/// `info` is valid, and the handles are live.
pub unsafe fn stage(
    device: &Device,
    info: &vk::PipelineShaderStageCreateInfo<'_>,
    binaries: &[PipelineBinaryKHR],
    flags: StageFlags,
) -> VkResult<ShaderStage> {
    // SAFETY: the caller promises a valid structure and live handles; without a module, the code is in the chain
    // (maintenance5).
    unsafe {
        let module = match (module_of(binaries, info.stage)?, find::<vk::ShaderModuleCreateInfo>(info.p_next))
        {
            (Some(module), _) => module,
            (None, Some(code)) if info.module == vk::ShaderModule::null() => &module(device, code)?,
            (None, None) if info.module == vk::ShaderModule::null() => {
                // The stage names its module by an identifier.
                return Err(vk::Result::PIPELINE_COMPILE_REQUIRED);
            }
            _ => get::<ShaderModule>(info.module),
        };
        let mut stage = ShaderStage::new(module, text(info.p_name));
        stage.spec = specialization(info.p_specialization_info.as_ref());
        let size = find::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo>(info.p_next);
        stage.lanes = size.map(|s| s.required_subgroup_size);
        stage.wide_indexing = flags.wide_indexing;
        if flags.has_heaps {
            stage.mappings = Some(mappings(device, info.p_next)?);
        }
        Ok(stage)
    }
}

/// Creates a shader module.
///
/// # Safety
/// `info` is valid.
unsafe fn module(device: &Device, info: &vk::ShaderModuleCreateInfo<'_>) -> VkResult<ShaderModule> {
    // SAFETY: the caller promises a valid create info.
    let words = unsafe { slice(info.p_code, (info.code_size / 4) as u32) };
    device.device.create_shader_module(words).map_err(|e| code(&e))
}

commands! {
    fn create_shader_module(
        device: vk::Device,
        info: *const vk::ShaderModuleCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::ShaderModule,
    ) -> vk::Result {
        *out = create(module(get::<Device>(device), &*info)?);
        Ok(())
    }

    fn destroy_shader_module(
        _d: vk::Device,
        module: vk::ShaderModule,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<ShaderModule>(module));
    }
}
