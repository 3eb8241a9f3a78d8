//! Ray tracing pipelines and their libraries, and the handles and stacks of their shader groups.
//!
//! Pipelines have no state but their shaders. The device computes how much stack their recursion needs; the stack size
//! that an application computes and sets matters only to callable shaders that nest deeply.

use std::ffi::c_void;

use ash::vk;
use quadrille::{
    GroupHandle, GroupShader, LIMITS, PipelineLayout, RayTracingPipeline, RayTracingPipelineDesc,
    SHADER_GROUP_HANDLE_BYTES, ShaderGroup, ShaderStage, Stage,
};

use super::executables::identifier;
use super::{Kind, Pipeline, create_all, flags};
use crate::deferred::done;
use crate::device::Device;
use crate::interface::chain::slice;
use crate::interface::guard::{VkResult, code, commands, log};
use crate::interface::handle::{get, get_opt};
use crate::newer::PipelineBinaryKHR;
use crate::shader::binary::{Binary, named};
use crate::shader::{self, StageFlags};

/// Converts a stage bit.
fn stage(flag: vk::ShaderStageFlags) -> VkResult<Stage> {
    use vk::ShaderStageFlags as Flags;
    Ok(match flag {
        Flags::RAYGEN_KHR => Stage::RayGeneration,
        Flags::ANY_HIT_KHR => Stage::AnyHit,
        Flags::CLOSEST_HIT_KHR => Stage::ClosestHit,
        Flags::MISS_KHR => Stage::Miss,
        Flags::INTERSECTION_KHR => Stage::Intersection,
        Flags::CALLABLE_KHR => Stage::Callable,
        _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    })
}

/// Converts the stages that the create info itself contains. If there are binaries, each stage has one, in the same
/// order.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live.
unsafe fn stages(
    device: &Device,
    info: &vk::RayTracingPipelineCreateInfoKHR<'_>,
) -> VkResult<Vec<(Stage, ShaderStage)>> {
    // SAFETY: the caller promises a valid create info, and with it valid stages.
    unsafe {
        let (binaries, flags) = (named(info.p_next), StageFlags::of(info.p_next));
        let of = |(i, s): (usize, &vk::PipelineShaderStageCreateInfo<'_>)| {
            let binary: &[PipelineBinaryKHR] = match binaries {
                [] => &[],
                all => all.get(i..=i).ok_or_else(|| {
                    log(&format!("{} pipeline binaries for {} stages", all.len(), info.stage_count));
                    vk::Result::ERROR_UNKNOWN
                })?,
            };
            Ok((stage(s.stage)?, shader::stage(device, s, binary, flags)?))
        };
        slice(info.p_stages, info.stage_count).iter().enumerate().map(of).collect()
    }
}

/// Converts a shader group.
fn group(info: &vk::RayTracingShaderGroupCreateInfoKHR<'_>) -> VkResult<ShaderGroup> {
    let (required, optional) = (
        |shader: u32| shader as usize,
        |shader: u32| (shader != vk::SHADER_UNUSED_KHR).then_some(shader as usize),
    );
    let (closest_hit, any_hit) = (optional(info.closest_hit_shader), optional(info.any_hit_shader));
    Ok(match info.ty {
        vk::RayTracingShaderGroupTypeKHR::GENERAL => ShaderGroup::General(required(info.general_shader)),
        vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP => {
            ShaderGroup::Triangles { closest_hit, any_hit }
        }
        vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP => {
            ShaderGroup::Procedural { intersection: required(info.intersection_shader), closest_hit, any_hit }
        }
        _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    })
}

/// Returns the handle that a shader group gets again; `None` for a new one.
///
/// # Safety
/// `info` is valid.
unsafe fn replayed(info: &vk::RayTracingShaderGroupCreateInfoKHR<'_>) -> VkResult<Option<GroupHandle>> {
    let bytes = info.p_shader_group_capture_replay_handle.cast::<[u8; SHADER_GROUP_HANDLE_BYTES as usize]>();
    // SAFETY: the caller promises a valid structure, whose pointer is null or points to a handle. Bytes need no alignment.
    let Some(bytes) = (unsafe { bytes.as_ref() }) else { return Ok(None) };
    let handle = GroupHandle::of_bytes(*bytes).ok_or_else(|| {
        log(&"the capture replay handle of a shader group is not a handle");
        vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS
    })?;
    Ok(Some(handle))
}

/// Checks the interface of libraries. Spec: Vulkan, VkRayTracingPipelineInterfaceCreateInfoKHR.
///
/// # Safety
/// `info` is valid.
unsafe fn check_interface(info: &vk::RayTracingPipelineCreateInfoKHR<'_>) -> VkResult {
    // SAFETY: the caller promises a valid create info.
    let attribute = unsafe { info.p_library_interface.as_ref() };
    let attribute = attribute.map_or(0, |i| i.max_pipeline_ray_hit_attribute_size);
    if attribute > LIMITS.max_ray_hit_attribute_size {
        log(&format!("hit attributes of {attribute} bytes"));
        return Err(vk::Result::ERROR_UNKNOWN);
    }
    Ok(())
}

/// Creates a ray tracing pipeline or a library.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live or null.
unsafe fn make(device: &Device, info: &vk::RayTracingPipelineCreateInfoKHR<'_>) -> VkResult<Pipeline> {
    use vk::PipelineCreateFlags as F;
    // SAFETY: the caller promises a valid create info.
    let (desc, own, linked) = unsafe {
        check_interface(info)?;
        let flags = flags(info.p_next, info.flags);
        let infos = slice(info.p_groups, info.group_count);
        let libraries =
            info.p_library_info.as_ref().map_or(&[][..], |l| slice(l.p_libraries, l.library_count));
        let library = |&handle: &vk::Pipeline| match get_opt::<Pipeline>(handle).map(|p| &p.kind) {
            Some(Kind::RayTracing(library)) => Ok(library.clone()),
            Some(Kind::Compute(_) | Kind::Graphics(_) | Kind::Library(_)) | None => {
                log(&"a library of a ray tracing pipeline is not one of ray tracing");
                Err(vk::Result::ERROR_UNKNOWN)
            }
        };
        let layout = match StageFlags::of(info.p_next).has_heaps {
            true => PipelineLayout::of_heaps(&device.device).map_err(|e| code(&e))?,
            false => get::<PipelineLayout>(info.layout).clone(),
        };
        let desc = RayTracingPipelineDesc {
            stages: stages(device, info)?,
            groups: infos.iter().map(group).collect::<VkResult<_>>()?,
            libraries: libraries.iter().map(library).collect::<VkResult<_>>()?,
            max_recursion_depth: info.max_pipeline_ray_recursion_depth,
            skip_triangles: flags.contains(F::RAY_TRACING_SKIP_TRIANGLES_KHR),
            skip_aabbs: flags.contains(F::RAY_TRACING_SKIP_AABBS_KHR),
            is_library: flags.contains(F::LIBRARY_KHR),
            can_be_replayed: flags.contains(F::RAY_TRACING_SHADER_GROUP_HANDLE_CAPTURE_REPLAY_KHR),
            handles: infos.iter().map(|g| replayed(g)).collect::<VkResult<_>>()?,
            ..RayTracingPipelineDesc::new(&layout)
        };
        let own: Vec<_> = slice(info.p_stages, info.stage_count).iter().map(|s| s.stage).collect();
        let linked: Vec<_> =
            libraries.iter().map(|&l| get_opt::<Pipeline>(l).map(|p| p.identifier)).collect();
        (desc, own, linked)
    };
    let pipeline = device.device.create_ray_tracing_pipeline(&desc).map_err(|e| code(&e))?;
    let stages = own.iter().zip(&desc.stages).map(|(flag, (_, s))| Binary::new(*flag, &s.module));
    let identifier = identifier(device, &(&desc, &linked), desc.stages.iter().map(|(_, stage)| stage));
    Ok(Pipeline { identifier, ..Pipeline::new(Kind::RayTracing(pipeline), info, stages) })
}

/// Returns a ray tracing pipeline.
///
/// # Safety
/// The handle is live.
unsafe fn pipeline_of<'a>(pipeline: vk::Pipeline) -> VkResult<&'a RayTracingPipeline> {
    // SAFETY: the caller promises that the handle is live.
    match unsafe { &get::<Pipeline>(pipeline).kind } {
        Kind::RayTracing(pipeline) => Ok(pipeline),
        Kind::Compute(_) | Kind::Graphics(_) | Kind::Library(_) => {
            log(&"not a ray tracing pipeline");
            Err(vk::Result::ERROR_UNKNOWN)
        }
    }
}

/// Writes the handles of some shader groups.
///
/// # Safety
/// The pipeline is live, and `out` has room for `size` bytes.
unsafe fn write_handles(
    pipeline: vk::Pipeline,
    [first, count]: [u32; 2],
    size: usize,
    out: *mut c_void,
) -> VkResult {
    // SAFETY: the caller promises that the pipeline is live.
    let pipeline = unsafe { pipeline_of(pipeline)? };
    let bytes = SHADER_GROUP_HANDLE_BYTES as usize;
    for i in 0..count as usize {
        if (i + 1) * bytes > size {
            log(&format!("{size} bytes for the handles of {count} shader groups"));
            return Err(vk::Result::ERROR_UNKNOWN);
        }
        let number = first.saturating_add(i as u32);
        let handle = pipeline.group_handle(number).map_err(|e| code(&e))?;
        // SAFETY: the handle ends at or before `size`, and the caller promises that many bytes.
        unsafe { std::ptr::copy_nonoverlapping(handle.as_ptr(), out.cast::<u8>().add(i * bytes), bytes) };
    }
    Ok(())
}

commands! {
    fn create_ray_tracing_pipelines(
        device: vk::Device,
        deferred: vk::DeferredOperationKHR,
        _cache: vk::PipelineCache,
        n: u32,
        infos: *const vk::RayTracingPipelineCreateInfoKHR<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Pipeline,
    ) -> vk::Result {
        let device = get::<Device>(device);
        done(deferred, create_all(slice(infos, n), out, |info| make(device, info)))
    }

    fn get_ray_tracing_shader_group_handles(
        _d: vk::Device,
        pipeline: vk::Pipeline,
        first: u32,
        count: u32,
        size: usize,
        out: *mut c_void,
    ) -> vk::Result {
        write_handles(pipeline, [first, count], size, out)
    }

    /// The handles themselves, which no other process gives to other groups.
    fn get_ray_tracing_capture_replay_shader_group_handles(
        _d: vk::Device,
        pipeline: vk::Pipeline,
        first: u32,
        count: u32,
        size: usize,
        out: *mut c_void,
    ) -> vk::Result {
        write_handles(pipeline, [first, count], size, out)
    }

    fn get_ray_tracing_shader_group_stack_size(
        _d: vk::Device,
        pipeline: vk::Pipeline,
        group: u32,
        shader: vk::ShaderGroupShaderKHR,
    ) -> vk::DeviceSize {
        let shader = match shader {
            vk::ShaderGroupShaderKHR::CLOSEST_HIT => GroupShader::ClosestHit,
            vk::ShaderGroupShaderKHR::ANY_HIT => GroupShader::AnyHit,
            vk::ShaderGroupShaderKHR::INTERSECTION => GroupShader::Intersection,
            _ => GroupShader::General,
        };
        let size = pipeline_of(pipeline).map(|p| p.group_stack_bytes(group, shader).map_err(|e| code(&e)));
        size.and_then(|size| size).unwrap_or(0)
    }
}
