//! Commands that trace rays.

use ash::vk;
use quadrille::{Region, ShaderBindingTables};

use crate::command_buffer::list;
use crate::interface::guard::commands;

/// A region of a shader binding table; null is one without records.
///
/// # Safety
/// The pointer is null or valid.
unsafe fn region(region: *const vk::StridedDeviceAddressRegionKHR) -> Region {
    // SAFETY: the caller promises a valid pointer or null.
    let region = unsafe { region.as_ref() };
    region.map_or(Region::default(), |r| Region { address: r.device_address, stride: r.stride, size: r.size })
}

/// Tables of ray generation, miss, hit and callable shaders.
///
/// # Safety
/// The pointers are null or valid.
unsafe fn tables(regions: [*const vk::StridedDeviceAddressRegionKHR; 4]) -> ShaderBindingTables {
    // SAFETY: the caller promises valid pointers or null.
    let [raygen, miss, hit, callable] = regions.map(|r| unsafe { region(r) });
    ShaderBindingTables { raygen, miss, hit, callable }
}

commands! {
    fn cmd_trace_rays(
        buffer: vk::CommandBuffer,
        raygen: *const vk::StridedDeviceAddressRegionKHR,
        miss: *const vk::StridedDeviceAddressRegionKHR,
        hit: *const vk::StridedDeviceAddressRegionKHR,
        callable: *const vk::StridedDeviceAddressRegionKHR,
        width: u32,
        height: u32,
        depth: u32,
    ) {
        list(buffer).trace_rays(&tables([raygen, miss, hit, callable]), [width, height, depth]);
    }

    fn cmd_trace_rays_indirect(
        buffer: vk::CommandBuffer,
        raygen: *const vk::StridedDeviceAddressRegionKHR,
        miss: *const vk::StridedDeviceAddressRegionKHR,
        hit: *const vk::StridedDeviceAddressRegionKHR,
        callable: *const vk::StridedDeviceAddressRegionKHR,
        address: vk::DeviceAddress,
    ) {
        list(buffer).trace_rays_indirect(&tables([raygen, miss, hit, callable]), address);
    }

    fn cmd_trace_rays_indirect2(buffer: vk::CommandBuffer, address: vk::DeviceAddress) {
        list(buffer).trace_rays_indirect2(address);
    }

    fn cmd_set_ray_tracing_pipeline_stack_size(buffer: vk::CommandBuffer, size: u32) {
        list(buffer).set_ray_tracing_stack_size(size);
    }
}
