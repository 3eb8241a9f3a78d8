//! Chapter "Pipelines", pipeline executable properties and pipeline properties: descriptions of pipelines for tools.
//!
//! The device library has the texts and numbers of executables. The identifier of a pipeline is a digest of its
//! description, which is computed only for devices with the extension.

use std::ffi::c_void;
use std::fmt::Debug;

use ash::vk;
use quadrille::{CompiledStage, ShaderStage};

use super::{Kind, Pipeline};
use crate::device::Device;
use crate::interface::chain::{each, enumerate_with, fixed};
use crate::interface::convert::stage_flag;
use crate::interface::guard::{VkResult, code, commands, log};
use crate::interface::handle::get;
use crate::shader::binary::Mix;

/// A pipeline identifier.
pub type Identifier = [u8; vk::UUID_SIZE];

/// Returns the identifier of a pipeline with this description and these stages, if the device may be asked for it.
pub fn identifier<'a>(
    device: &Device,
    description: &dyn Debug,
    stages: impl Iterator<Item = &'a ShaderStage>,
) -> Option<Identifier> {
    if !device.enabled.contains(&"VK_EXT_pipeline_properties") {
        return None;
    }
    let mut mix = Mix::new();
    let text = format!("{description:?}");
    let words: Vec<u32> = text.bytes().map(u32::from).collect();
    mix.add_all(&words);
    for stage in stages {
        mix.add_all(stage.module.module().words());
    }
    let mut out = Identifier::default();
    out.copy_from_slice(&mix.end()[..vk::UUID_SIZE]);
    Some(out)
}

/// Returns the executables of a pipeline; libraries of graphics pipelines have none.
///
/// # Safety
/// The pipeline is live.
unsafe fn executables(pipeline: vk::Pipeline) -> Vec<CompiledStage> {
    // SAFETY: the caller promises a live pipeline.
    match unsafe { &get::<Pipeline>(pipeline).kind } {
        Kind::Compute(pipeline) => pipeline.compiled_stages(),
        Kind::Graphics(pipeline) => pipeline.compiled_stages(),
        Kind::RayTracing(pipeline) => pipeline.compiled_stages(),
        Kind::Library(_) => Vec::new(),
    }
}

/// Returns an executable of a pipeline.
///
/// # Safety
/// `info` is valid.
unsafe fn executable(info: &vk::PipelineExecutableInfoKHR<'_>) -> VkResult<CompiledStage> {
    // SAFETY: the caller promises a valid structure with a live pipeline.
    let found = unsafe { executables(info.pipeline) }.into_iter().nth(info.executable_index as usize);
    found.ok_or_else(|| {
        log(&format!("the pipeline has no executable {}", info.executable_index));
        vk::Result::ERROR_UNKNOWN
    })
}

/// Copies a text with its terminating zero, by the two-call idiom. Returns `false` if it does not fit.
///
/// # Safety
/// The pointer of `to` is null or has room for the size in `to`.
unsafe fn copy_text(text: &str, to: &mut vk::PipelineExecutableInternalRepresentationKHR<'_>) -> bool {
    let size = text.len() + 1;
    let whole = to.p_data.is_null() || to.data_size >= size;
    if !to.p_data.is_null() && to.data_size > 0 {
        let out = to.p_data.cast::<u8>();
        let copied = text.len().min(to.data_size - 1);
        // SAFETY: the caller promises room for `data_size` bytes, of which `copied` and the zero behind are at most all.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr(), out, copied);
            out.add(copied).write(0);
        }
        to.data_size = copied + 1;
    } else if to.p_data.is_null() {
        to.data_size = size;
    }
    whole
}

commands! {
    fn get_pipeline_properties(
        _d: vk::Device,
        info: *const vk::PipelineInfoKHR<'_>,
        out: *mut vk::BaseOutStructure<'_>,
    ) -> vk::Result {
        let pipeline = get::<Pipeline>((*info).pipeline);
        each(out.cast::<c_void>(), |link| {
            if let Some(p) = link.get::<vk::PipelinePropertiesIdentifierEXT<'_>>() {
                p.pipeline_identifier = pipeline.identifier.unwrap_or_default();
            }
        });
        Ok(())
    }

    fn get_pipeline_executable_properties(
        _d: vk::Device,
        info: *const vk::PipelineInfoKHR<'_>,
        count: *mut u32,
        out: *mut vk::PipelineExecutablePropertiesKHR<'_>,
    ) -> vk::Result {
        let all = executables((*info).pipeline);
        enumerate_with(all.len(), count, out, |i, p| {
            let executable = &all[i];
            let stage = executable.stage();
            p.stages = stage_flag(stage);
            // Pipelines of rays may have several stages with the same entry point.
            p.name = fixed(&format!("{} {}", stage.name(), i));
            p.description = fixed(&format!("{} shader, entry point {:?}", stage.name(), executable.name()));
            p.subgroup_size = executable.lanes();
        })
    }

    fn get_pipeline_executable_statistics(
        _d: vk::Device,
        info: *const vk::PipelineExecutableInfoKHR<'_>,
        count: *mut u32,
        out: *mut vk::PipelineExecutableStatisticKHR<'_>,
    ) -> vk::Result {
        let all = executable(&*info)?.statistics().map_err(|e| code(&e))?;
        enumerate_with(all.len(), count, out, |i, p| {
            p.name = fixed(all[i].name);
            p.description = fixed(all[i].description);
            p.format = vk::PipelineExecutableStatisticFormatKHR::UINT64;
            p.value = vk::PipelineExecutableStatisticValueKHR { u64: all[i].value };
        })
    }

    fn get_pipeline_executable_internal_representations(
        _d: vk::Device,
        info: *const vk::PipelineExecutableInfoKHR<'_>,
        count: *mut u32,
        out: *mut vk::PipelineExecutableInternalRepresentationKHR<'_>,
    ) -> vk::Result {
        let all = executable(&*info)?.texts().map_err(|e| code(&e))?;
        let mut whole = true;
        enumerate_with(all.len(), count, out, |i, p| {
            p.name = fixed(all[i].name);
            p.description = fixed(all[i].description);
            p.is_text = vk::TRUE;
            whole &= copy_text(&all[i].text, p);
        })?;
        if whole { Ok(()) } else { Err(vk::Result::INCOMPLETE) }
    }
}
