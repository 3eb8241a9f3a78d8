//! Chapter "Memory Allocation".

use std::ffi::c_void;

use ash::vk;
use quadrille::Memory;

use super::external;
use crate::capabilities::heap::SPARSE_MEMORY;
use crate::capabilities::sharing::MemoryKind;
use crate::device::Device;
use crate::interface::chain::find;
use crate::interface::guard::{commands, heap_code};
use crate::interface::handle::{create, destroy, get, objects};

objects!(Memory => DeviceMemory);

commands! {
    fn allocate_memory(
        device: vk::Device,
        info: *const vk::MemoryAllocateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::DeviceMemory,
    ) -> vk::Result {
        let (device, info) = (&get::<Device>(device).device, &*info);
        let export = find::<vk::ExportMemoryAllocateInfo>(info.p_next);
        let kinds = export.map_or(MemoryKind::empty(), |e| e.handle_types);
        let shared = !kinds.is_empty() || info.memory_type_index == SPARSE_MEMORY;
        *out = create(match external::import(device, info) {
            Some(memory) => memory?,
            None if kinds.contains(MemoryKind::DMA_BUF_EXT) => {
                device.allocate_dma_buf(info.allocation_size).map_err(|e| heap_code(&e))?
            }
            None if shared => device.allocate_shared(info.allocation_size).map_err(|e| heap_code(&e))?,
            None => device.allocate(info.allocation_size).map_err(|e| heap_code(&e))?,
        });
        Ok(())
    }

    fn free_memory(
        _d: vk::Device,
        memory: vk::DeviceMemory,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        // Resources bound to the memory, and commands that use these, may still exist; they must not be used any more.
        if let Some(memory) = destroy::<Memory>(memory) {
            memory.free();
        }
    }

    fn map_memory(
        _d: vk::Device,
        memory: vk::DeviceMemory,
        offset: u64,
        _size: u64,
        _flags: vk::MemoryMapFlags,
        out: *mut *mut c_void,
    ) -> vk::Result {
        let memory = get::<Memory>(memory);
        if offset >= memory.size() {
            return Err(vk::Result::ERROR_MEMORY_MAP_FAILED);
        }
        *out = memory.as_ptr().add(offset as usize).cast();
        Ok(())
    }

    fn map_memory2(
        _d: vk::Device,
        info: *const vk::MemoryMapInfoKHR<'_>,
        out: *mut *mut c_void,
    ) -> vk::Result {
        let memory = get::<Memory>((*info).memory);
        if (*info).offset >= memory.size() {
            return Err(vk::Result::ERROR_MEMORY_MAP_FAILED);
        }
        *out = memory.as_ptr().add((*info).offset as usize).cast();
        Ok(())
    }

    fn unmap_memory2(_d: vk::Device, _info: *const vk::MemoryUnmapInfoKHR<'_>) -> vk::Result {
        Ok(())
    }

    fn unmap_memory(_d: vk::Device, _memory: vk::DeviceMemory) {}

    /// No effect: all memory is coherent.
    fn flush_mapped_memory_ranges(
        _d: vk::Device,
        _n: u32,
        _ranges: *const vk::MappedMemoryRange<'_>,
    ) -> vk::Result {
        Ok(())
    }

    /// No effect: all memory is coherent.
    fn invalidate_mapped_memory_ranges(
        _d: vk::Device,
        _n: u32,
        _ranges: *const vk::MappedMemoryRange<'_>,
    ) -> vk::Result {
        Ok(())
    }

    /// No effect: memory never moves.
    fn set_device_memory_priority(_d: vk::Device, _memory: vk::DeviceMemory, _priority: f32) {}

    /// Zero: no memory is allocated lazily.
    fn get_device_memory_commitment(_d: vk::Device, _memory: vk::DeviceMemory, out: *mut u64) {
        *out = 0;
    }
}
