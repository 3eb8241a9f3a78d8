//! Chapter "Pipelines": caches, pipelines, and their libraries and binaries. This file has the caches and the compute
//! pipelines.
//!
//! The device itself shares compiled shaders, so that a pipeline cache consists only of its header.
//!
//! * `graphics`: graphics pipelines; `viewport`: their viewports, scissors and discard rectangles. `library`: parts of
//!   them, and linking.
//! * `ray_tracing`: ray tracing pipelines, and handles of their shader groups.
//! * `executables`: descriptions of pipelines for tools.
//! * `binary`: pipeline binaries; their contents are in `shader::binary`.

pub(crate) mod binary;
pub(crate) mod executables;
pub(crate) mod graphics;
mod library;
pub(crate) mod ray_tracing;
mod viewport;

use std::ffi::c_void;
use std::time::Instant;

use ash::vk;
use quadrille::{ComputePipeline, ComputePipelineDesc, GraphicsPipeline, PipelineLayout, RayTracingPipeline};

use crate::capabilities::identity::{Identity, identity};
use crate::capabilities::properties::pipeline_cache_uuid;
use crate::device::Device;
use crate::interface::chain::{find, slice, write_whole};
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::{create, destroy, get, objects};
use crate::newer::CAPTURE_DATA;
use crate::shader::binary::{Binary, Captured, named};
use crate::shader::{self, StageFlags};
use executables::{Identifier, identifier};
use library::Draft;

/// A VkPipelineCache.
pub struct Cache;

/// A VkPipeline.
pub struct Pipeline {
    /// Kind of the pipeline.
    pub kind: Kind,
    /// Binaries that the pipeline keeps, from which pipeline binaries can be created.
    pub captured: Captured,
    /// Identifier of the pipeline, on devices that may be asked for it.
    pub identifier: Option<Identifier>,
}

/// Kind of a pipeline.
pub enum Kind {
    /// A compute pipeline.
    Compute(ComputePipeline),
    /// A graphics pipeline.
    Graphics(GraphicsPipeline),
    /// A graphics pipeline library.
    Library(Box<Draft>),
    /// A ray tracing pipeline or library.
    RayTracing(RayTracingPipeline),
}

objects!(Cache => PipelineCache, Pipeline => Pipeline);

/// VkPipelineCacheHeaderVersionOne.
fn cache_header() -> [u8; 32] {
    let Identity { vendor, device, .. } = identity();
    let version = vk::PipelineCacheHeaderVersion::ONE.as_raw() as u32;
    let mut out = [0; 32];
    for (i, word) in [32, version, vendor, device].into_iter().enumerate() {
        out[i * 4..][..4].copy_from_slice(&word.to_le_bytes());
    }
    out[16..].copy_from_slice(&pipeline_cache_uuid());
    out
}

/// Common part of valid pipeline create infos of all kinds.
pub trait PipelineInfo {
    /// Flags of the create info.
    fn flags(&self) -> vk::PipelineCreateFlags;
    /// Chain of the create info.
    fn next(&self) -> *const c_void;
}

macro_rules! pipeline_infos {
    ($($ty:ident),*) => {$(
        impl PipelineInfo for vk::$ty<'_> {
            fn flags(&self) -> vk::PipelineCreateFlags {
                // SAFETY: all implementors here come from the create info arrays of commands, whose callers promise
                // valid chains.
                let wide = unsafe { find::<vk::PipelineCreateFlags2CreateInfoKHR>(self.p_next) };
                wide.map_or(self.flags, |w| vk::PipelineCreateFlags::from_raw(w.flags.as_raw() as u32))
            }
            fn next(&self) -> *const c_void {
                self.p_next
            }
        }
    )*};
}
impl Pipeline {
    /// Creates a pipeline, which keeps its stages if the create info requests that.
    pub fn new(kind: Kind, info: &impl PipelineInfo, stages: impl IntoIterator<Item = Binary>) -> Pipeline {
        let kept = info.flags().contains(CAPTURE_DATA).then(|| stages.into_iter().collect());
        Pipeline { kind, captured: Captured::new(kept.unwrap_or_default()), identifier: None }
    }
}

pipeline_infos!(ComputePipelineCreateInfo, GraphicsPipelineCreateInfo, RayTracingPipelineCreateInfoKHR);

/// Reports the creation time of a pipeline; each stage gets the time of the whole pipeline.
///
/// # Safety
/// `next` starts a valid chain.
unsafe fn feedback(next: *const c_void, started: Instant) {
    // SAFETY: the caller promises a valid chain, whose structure points to writable feedback, one for each stage.
    unsafe {
        let Some(f) = find::<vk::PipelineCreationFeedbackCreateInfo>(next) else { return };
        let told = vk::PipelineCreationFeedback {
            flags: vk::PipelineCreationFeedbackFlags::VALID,
            duration: started.elapsed().as_nanos() as u64,
        };
        f.p_pipeline_creation_feedback.write(told);
        for i in 0..f.pipeline_stage_creation_feedback_count as usize {
            f.p_pipeline_stage_creation_feedbacks.add(i).write(told);
        }
    }
}

/// Returns the flags of a pipeline, which a structure in the chain may replace.
///
/// # Safety
/// `next` starts a valid chain.
unsafe fn flags(next: *const c_void, flags: vk::PipelineCreateFlags) -> vk::PipelineCreateFlags {
    // SAFETY: the caller promises a valid chain. The first 32 flags are the same in both versions.
    match unsafe { find::<vk::PipelineCreateFlags2CreateInfoKHR>(next) } {
        Some(wide) => vk::PipelineCreateFlags::from_raw(wide.flags.as_raw() as u32),
        None => flags,
    }
}

/// Creates `infos.len()` pipelines. Those that fail are null; the first failure is returned.
///
/// # Safety
/// The create infos are valid, and `out` has room for as many pipelines.
pub unsafe fn create_all<I: PipelineInfo>(
    infos: &[I],
    out: *mut vk::Pipeline,
    mut make: impl FnMut(&I) -> VkResult<Pipeline>,
) -> VkResult {
    use vk::PipelineCreateFlags as F;
    let mut answer = Ok(());
    let mut stop = false;
    for (i, info) in infos.iter().enumerate() {
        let started = Instant::now();
        // SAFETY: the caller promises valid create infos.
        let flags = unsafe { flags(info.next(), info.flags()) };
        let made = match () {
            _ if stop => None,
            // Shaders that the device has compiled already are not looked up: the answer is always that compilation is
            // required, unless the application passes pipeline binaries.
            _ if flags.contains(F::FAIL_ON_PIPELINE_COMPILE_REQUIRED)
                // SAFETY: the caller promises valid create infos.
                && unsafe { named(info.next()) }.is_empty() =>
            {
                Some(Err(vk::Result::PIPELINE_COMPILE_REQUIRED))
            }
            _ => Some(make(info)),
        };
        let handle = match made {
            Some(Ok(pipeline)) => create(pipeline),
            Some(Err(code)) => {
                answer = answer.and(Err(code));
                stop = flags.contains(F::EARLY_RETURN_ON_FAILURE);
                vk::Pipeline::null()
            }
            None => vk::Pipeline::null(),
        };
        // SAFETY: the caller promises valid create infos, and room for as many pipelines in `out`.
        unsafe {
            feedback(info.next(), started);
            out.add(i).write(handle);
        }
    }
    answer
}

/// Creates a compute pipeline.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live or null.
unsafe fn compute(device: &Device, info: &vk::ComputePipelineCreateInfo<'_>) -> VkResult<Pipeline> {
    // SAFETY: the caller promises a valid create info.
    let desc = unsafe {
        let flags = StageFlags::of(info.p_next);
        ComputePipelineDesc {
            stage: shader::stage(device, &info.stage, named(info.p_next), flags)?,
            layout: match flags.has_heaps {
                true => PipelineLayout::of_heaps(&device.device).map_err(|e| code(&e))?,
                false => get::<PipelineLayout>(info.layout).clone(),
            },
        }
    };
    let pipeline = device.device.create_compute_pipeline(&desc).map_err(|e| code(&e))?;
    let stage = Binary::new(vk::ShaderStageFlags::COMPUTE, &desc.stage.module);
    let identifier = identifier(device, &desc, [&desc.stage].into_iter());
    Ok(Pipeline { identifier, ..Pipeline::new(Kind::Compute(pipeline), info, [stage]) })
}

commands! {
    fn create_pipeline_cache(
        _d: vk::Device,
        _info: *const vk::PipelineCacheCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::PipelineCache,
    ) -> vk::Result {
        *out = create(Cache);
        Ok(())
    }

    fn destroy_pipeline_cache(
        _d: vk::Device,
        cache: vk::PipelineCache,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        let _ = destroy::<Cache>(cache);
    }

    fn get_pipeline_cache_data(
        _d: vk::Device,
        _cache: vk::PipelineCache,
        size: *mut usize,
        out: *mut c_void,
    ) -> vk::Result {
        write_whole(&cache_header(), size, out)
    }

    fn merge_pipeline_caches(
        _d: vk::Device,
        _to: vk::PipelineCache,
        _n: u32,
        _from: *const vk::PipelineCache,
    ) -> vk::Result {
        Ok(())
    }

    fn create_compute_pipelines(
        device: vk::Device,
        _cache: vk::PipelineCache,
        n: u32,
        infos: *const vk::ComputePipelineCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Pipeline,
    ) -> vk::Result {
        let device = get::<Device>(device);
        create_all(slice(infos, n), out, |info| compute(device, info))
    }

    fn destroy_pipeline(
        _d: vk::Device,
        pipeline: vk::Pipeline,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Pipeline>(pipeline));
    }
}
