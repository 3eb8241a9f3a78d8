//! Chapter "Pipelines", pipeline binaries: data from which pipelines can be created again without shader modules.
//!
//! There is a binary for each stage that a create info itself contains, and none for stages of libraries. It holds the
//! stage's SPIR-V, packed by `binary`. All other state comes from the create info that is passed with the binary. Data
//! from applications is compared with its digest, and its SPIR-V is checked like that of any module.

use std::ffi::c_void;

use ash::vk;
use ash::vk::Handle;
use quadrille::ShaderModule;

use super::Pipeline;
use super::graphics::own_stages;
use crate::capabilities::properties::pipeline_cache_uuid;
use crate::device::Device;
use crate::interface::chain::{find, slice};
use crate::interface::guard::{VkResult, commands, foreign, log};
use crate::interface::handle::{create, destroy, get, get_opt};
use crate::newer::{
    NOT_ENOUGH_SPACE, PIPELINE_BINARY_MISSING, PipelineBinaryCreateInfoKHR, PipelineBinaryDataInfoKHR,
    PipelineBinaryHandlesInfoKHR, PipelineBinaryKHR, PipelineBinaryKeyKHR, PipelineBinaryKeysAndDataKHR,
    PipelineCreateInfoKHR, ReleaseCapturedPipelineDataInfoKHR,
};
use crate::shader::binary::{Binary, Digest, Mix, PIPELINE_BINARY_VERSION, PIPELINES};

/// Returns the digest of the contents that binaries of a pipeline would have.
///
/// # Safety
/// The chain of `info` is valid and has the create info of a pipeline.
unsafe fn key_of(info: &PipelineCreateInfoKHR) -> Digest {
    let mut mix = Mix::new();
    // This word is the value of no stage: keys of pipelines differ from those of binaries.
    mix.add(u32::MAX);
    // SAFETY: the caller promises a valid chain with the valid create info of a pipeline.
    unsafe {
        let compute = find::<vk::ComputePipelineCreateInfo<'_>>(info.p_next);
        let graphics = find::<vk::GraphicsPipelineCreateInfo<'_>>(info.p_next);
        let rays = find::<vk::RayTracingPipelineCreateInfoKHR<'_>>(info.p_next);
        let stages = match (compute, graphics, rays) {
            (Some(compute), ..) => vec![&compute.stage],
            (_, Some(graphics), _) => own_stages(graphics),
            (.., Some(rays)) => slice(rays.p_stages, rays.stage_count).iter().collect(),
            (None, None, None) => Vec::new(),
        };
        for stage in stages {
            mix.add(stage.stage.as_raw());
            match find::<vk::ShaderModuleCreateInfo<'_>>(stage.p_next) {
                Some(m) if stage.module == vk::ShaderModule::null() => {
                    mix.add_all(slice(m.p_code, (m.code_size / 4) as u32));
                }
                _ => match get_opt::<ShaderModule>(stage.module) {
                    Some(module) => mix.add_all(module.module().words()),
                    None => mix.add(0),
                },
            }
        }
    }
    mix.end()
}

/// Returns the key that all pipelines share.
fn global_key() -> Digest {
    let mut mix = Mix::new();
    mix.add(PIPELINE_BINARY_VERSION);
    pipeline_cache_uuid().iter().for_each(|&byte| mix.add(byte.into()));
    mix.end()
}

fn write_key(out: &mut PipelineBinaryKeyKHR, key: Digest) {
    out.key_size = key.len() as u32;
    out.key = key;
}

/// Recreates binary `i` from data that an application has stored.
///
/// # Safety
/// `from` is valid, and `i` is less than its count.
unsafe fn restore(device: &Device, from: &PipelineBinaryKeysAndDataKHR, i: usize) -> VkResult<Binary> {
    let refused = vk::Result::ERROR_INITIALIZATION_FAILED;
    // SAFETY: the caller promises a valid structure with more than `i` binaries.
    let (key, data) = unsafe {
        let (key, data) = (&*from.p_pipeline_binary_keys.add(i), &*from.p_pipeline_binary_data.add(i));
        let size = u32::try_from(data.data_size).map_err(|_| refused)?;
        (key, slice(data.p_data.cast_const().cast::<u8>(), size))
    };
    let opened = PIPELINES.open(data).map_err(|e| foreign(&e, refused))?;
    let opened = opened.filter(|o| o.after.is_empty()).ok_or_else(|| {
        log(&"the data of a pipeline binary is damaged, or from another driver or version");
        refused
    })?;
    let stage = vk::ShaderStageFlags::from_raw(opened.kind);
    let module = device.device.create_shader_module(&opened.code).map_err(|e| foreign(&e, refused))?;
    let binary = Binary { stage, module };
    if key.key.get(..key.key_size as usize) != Some(&binary.key()[..]) {
        log(&"the key of a pipeline binary does not match its data");
        return Err(refused);
    }
    Ok(binary)
}

commands! {
    fn get_pipeline_key(
        _d: vk::Device,
        info: *const PipelineCreateInfoKHR,
        out: *mut PipelineBinaryKeyKHR,
    ) -> vk::Result {
        let key = match info.as_ref() {
            Some(info) => key_of(info),
            None => global_key(),
        };
        write_key(&mut *out, key);
        Ok(())
    }

    fn create_pipeline_binaries(
        device: vk::Device,
        info: *const PipelineBinaryCreateInfoKHR,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut PipelineBinaryHandlesInfoKHR,
    ) -> vk::Result {
        let (info, out) = (&*info, &mut *out);
        let captured = match (info.p_keys_and_data_info.as_ref(), get_opt::<Pipeline>(info.pipeline)) {
            (None, Some(pipeline)) => pipeline.captured.lock().unwrap_or_else(|e| e.into_inner()).clone(),
            (None, None) => {
                // The driver has no internal cache of binaries.
                out.pipeline_binary_count = 0;
                return Err(PIPELINE_BINARY_MISSING);
            }
            (Some(_), _) => Vec::new(),
        };
        let kept = info.p_keys_and_data_info.as_ref();
        let n = kept.map_or(captured.len(), |kept| kept.binary_count as usize);
        if out.p_pipeline_binaries.is_null() {
            out.pipeline_binary_count = n as u32;
            return Ok(());
        }
        let room = n.min(out.pipeline_binary_count as usize);
        let mut answer = Ok(());
        for i in 0..room {
            let made = match kept {
                Some(kept) => restore(get::<Device>(device), kept, i),
                None => Ok(captured[i].clone()),
            };
            let handle = match made {
                Ok(binary) => create(binary),
                Err(code) => {
                    answer = answer.and(Err(code));
                    PipelineBinaryKHR::from_raw(0)
                }
            };
            out.p_pipeline_binaries.add(i).write(handle);
        }
        out.pipeline_binary_count = room as u32;
        if room < n { answer.and(Err(vk::Result::INCOMPLETE)) } else { answer }
    }

    fn destroy_pipeline_binary(
        _d: vk::Device,
        binary: PipelineBinaryKHR,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Binary>(binary));
    }

    fn get_pipeline_binary_data(
        _d: vk::Device,
        info: *const PipelineBinaryDataInfoKHR,
        key: *mut PipelineBinaryKeyKHR,
        size: *mut usize,
        out: *mut c_void,
    ) -> vk::Result {
        let binary = get::<Binary>((*info).pipeline_binary);
        let data = binary.data();
        let room = std::mem::replace(&mut *size, data.len());
        if !out.is_null() {
            if room < data.len() {
                return Err(NOT_ENOUGH_SPACE);
            }
            std::ptr::copy_nonoverlapping(data.as_ptr(), out.cast(), data.len());
        }
        write_key(&mut *key, binary.key());
        Ok(())
    }

    fn release_captured_pipeline_data(
        _d: vk::Device,
        info: *const ReleaseCapturedPipelineDataInfoKHR,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) -> vk::Result {
        let pipeline = get::<Pipeline>((*info).pipeline);
        *pipeline.captured.lock().unwrap_or_else(|e| e.into_inner()) = Vec::new();
        Ok(())
    }
}
