//! Chapter "Pipelines": caches and compute pipelines. Graphics pipelines are in `graphics_pipeline`.
//!
//! The device shares compiled shaders by itself, so that a cache is its header and nothing else.

use std::ffi::c_void;

use ash::vk;
use quadrille::{ComputePipeline, ComputePipelineDesc, GraphicsPipeline, PipelineLayout};

use crate::chain::slice;
use crate::device::Device;
use crate::guard::{VkResult, code, commands};
use crate::handle::{create, destroy, get, objects};
use crate::physical::{pipeline_cache_uuid, vendor_and_device};
use crate::shader;

/// A VkPipelineCache.
pub struct Cache;

/// A VkPipeline.
pub enum Pipeline {
    /// Compute.
    Compute(ComputePipeline),
    /// Graphics.
    Graphics(GraphicsPipeline),
}

objects!(Cache => PipelineCache, Pipeline => Pipeline);

/// VkPipelineCacheHeaderVersionOne.
fn cache_header() -> [u8; 32] {
    let (vendor, device) = vendor_and_device();
    let version = vk::PipelineCacheHeaderVersion::ONE.as_raw() as u32;
    let mut out = [0; 32];
    for (i, word) in [32, version, vendor, device].into_iter().enumerate() {
        out[i * 4..][..4].copy_from_slice(&word.to_le_bytes());
    }
    out[16..].copy_from_slice(&pipeline_cache_uuid());
    out
}

/// Creates `infos.len()` pipelines. Those that fail are null; the first failure is the answer.
///
/// # Safety
/// `out` has room.
pub unsafe fn create_all<I>(
    infos: &[I],
    flags: impl Fn(&I) -> vk::PipelineCreateFlags,
    out: *mut vk::Pipeline,
    mut make: impl FnMut(&I) -> VkResult<Pipeline>,
) -> VkResult {
    let mut answer = Ok(());
    let mut stop = false;
    for (i, info) in infos.iter().enumerate() {
        let handle = if stop {
            vk::Pipeline::null()
        } else {
            match make(info) {
                Ok(pipeline) => create(pipeline),
                Err(code) => {
                    answer = answer.and(Err(code));
                    stop = flags(info).contains(vk::PipelineCreateFlags::EARLY_RETURN_ON_FAILURE_EXT);
                    vk::Pipeline::null()
                }
            }
        };
        // SAFETY: as above.
        unsafe { out.add(i).write(handle) };
    }
    answer
}

unsafe fn compute(device: &Device, info: &vk::ComputePipelineCreateInfo<'_>) -> VkResult<Pipeline> {
    // SAFETY: the caller passes a valid create info.
    let desc = unsafe {
        ComputePipelineDesc {
            stage: shader::stage(device, &info.stage)?,
            layout: get::<PipelineLayout>(info.layout).clone(),
        }
    };
    device.device.create_compute_pipeline(&desc).map(Pipeline::Compute).map_err(|e| code(&e))
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
        let header = cache_header();
        if out.is_null() {
            *size = header.len();
            return Ok(());
        }
        if *size < header.len() {
            *size = 0;
            return Err(vk::Result::INCOMPLETE);
        }
        std::ptr::copy_nonoverlapping(header.as_ptr(), out.cast(), header.len());
        *size = header.len();
        Ok(())
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
        create_all(slice(infos, n), |i| i.flags, out, |info| compute(device, info))
    }

    fn destroy_pipeline(
        _d: vk::Device,
        pipeline: vk::Pipeline,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Pipeline>(pipeline));
    }
}
