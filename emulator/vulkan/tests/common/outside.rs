//! Memory that is passed from one device to another by a file descriptor.

use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use ash::vk;

use super::Gpu;

/// Allocates exportable memory and returns a descriptor of it.
pub fn exported(
    gpu: &Gpu,
    kind: vk::ExternalMemoryHandleTypeFlags,
    size: u64,
) -> (vk::DeviceMemory, OwnedFd) {
    let mut export = vk::ExportMemoryAllocateInfo::default().handle_types(kind);
    let info = vk::MemoryAllocateInfo::default().allocation_size(size).push_next(&mut export);
    let fds = ash::khr::external_memory_fd::Device::new(&gpu.instance, &gpu.device);
    // SAFETY: valid usage of Vulkan; the exported descriptor belongs to the application.
    unsafe {
        let memory = gpu.device.allocate_memory(&info, None).unwrap();
        let get = vk::MemoryGetFdInfoKHR::default().memory(memory).handle_type(kind);
        (memory, OwnedFd::from_raw_fd(fds.get_memory_fd(&get).unwrap()))
    }
}

/// Imports memory; a refused descriptor stays open.
pub fn import(
    gpu: &Gpu,
    kind: vk::ExternalMemoryHandleTypeFlags,
    fd: RawFd,
    size: u64,
) -> Result<vk::DeviceMemory, vk::Result> {
    let mut import = vk::ImportMemoryFdInfoKHR::default().handle_type(kind).fd(fd);
    let info = vk::MemoryAllocateInfo::default().allocation_size(size).push_next(&mut import);
    // SAFETY: valid usage of Vulkan, except for foreign descriptors, which the driver checks.
    unsafe { gpu.device.allocate_memory(&info, None) }
}
