//! Chapter "Memory Allocation".

use std::ffi::c_void;

use ash::vk;
use quadrille::Memory;

use super::external;
use crate::capabilities::heap::SPARSE_MEMORY;
use crate::capabilities::sharing::MemoryKind;
use crate::device::Device;
use crate::interface::chain::find;
use crate::interface::guard::{VkResult, commands, heap_code, log};
use crate::interface::handle::{create, destroy, get, objects};

objects!(Memory => DeviceMemory);

/// Allocates memory that is not imported.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn allocate(device: &Device, info: &vk::MemoryAllocateInfo<'_>) -> VkResult<Memory> {
    // SAFETY: the caller promises a valid chain.
    let export = unsafe { find::<vk::ExportMemoryAllocateInfo>(info.p_next) };
    let kinds = export.map_or(MemoryKind::empty(), |e| e.handle_types);
    let shared = !kinds.is_empty() || info.memory_type_index == SPARSE_MEMORY || device.placed.on;
    let (device, size) = (&device.device, info.allocation_size);
    let made = match () {
        _ if kinds.contains(MemoryKind::DMA_BUF_EXT) => device.allocate_dma_buf(size),
        _ if shared => device.allocate_shared(size),
        _ => device.allocate(size),
    };
    made.map_err(|e| heap_code(&e))
}

/// Returns the address of a map of memory from `offset`.
fn mapped(memory: &Memory, offset: u64) -> VkResult<*mut c_void> {
    match offset < memory.size() {
        true => Ok(memory.as_ptr().wrapping_add(offset as usize).cast()),
        false => Err(vk::Result::ERROR_MEMORY_MAP_FAILED),
    }
}

commands! {
    fn allocate_memory(
        device: vk::Device,
        info: *const vk::MemoryAllocateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::DeviceMemory,
    ) -> vk::Result {
        let (device, info) = (get::<Device>(device), &*info);
        let asked = find::<vk::MemoryOpaqueCaptureAddressAllocateInfo<'_>>(info.p_next);
        if asked.is_some_and(|asked| asked.opaque_capture_address != 0) {
            log(&"an opaque capture address of memory, of which the driver gives none");
            return Err(vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
        }
        let imported = external::import(&device.device, info);
        let is_import = imported.is_some();
        let made = imported.unwrap_or_else(|| allocate(device, info));
        let memory = made.inspect_err(|_| device.reports.failed(info.allocation_size))?;
        let kept = memory.clone();
        *out = create(memory);
        device.reports.allocated(*out, &kept, is_import);
        Ok(())
    }

    fn free_memory(
        device: vk::Device,
        memory: vk::DeviceMemory,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        if memory != vk::DeviceMemory::null() {
            let device = get::<Device>(device);
            // Mapped memory is unmapped; a failure leaves addresses that the application does not use.
            let _ = device.placed.unmap(memory, false);
            device.reports.freed(memory);
        }
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
        *out = mapped(get::<Memory>(memory), offset)?;
        Ok(())
    }

    fn map_memory2(
        device: vk::Device,
        info: *const vk::MemoryMapInfoKHR<'_>,
        out: *mut *mut c_void,
    ) -> vk::Result {
        let info = &*info;
        let memory = get::<Memory>(info.memory);
        if info.flags.contains(vk::MemoryMapFlags::PLACED_EXT)
            && let Some(place) = find::<vk::MemoryMapPlacedInfoEXT<'_>>(info.p_next)
        {
            let rest = memory.size().saturating_sub(info.offset);
            let len = if info.size == vk::WHOLE_SIZE { rest } else { info.size };
            let at = place.p_placed_address;
            get::<Device>(device).placed.map(info.memory, memory, at.cast(), [info.offset, len])?;
            *out = at;
            return Ok(());
        }
        *out = mapped(memory, info.offset)?;
        Ok(())
    }

    fn unmap_memory2(device: vk::Device, info: *const vk::MemoryUnmapInfoKHR<'_>) -> vk::Result {
        let reserve = (*info).flags.contains(vk::MemoryUnmapFlagsKHR::RESERVE_EXT);
        get::<Device>(device).placed.unmap((*info).memory, reserve)
    }

    fn unmap_memory(device: vk::Device, memory: vk::DeviceMemory) {
        // The command cannot report an error; the addresses stay mapped then.
        let _ = get::<Device>(device).placed.unmap(memory, false);
    }

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
