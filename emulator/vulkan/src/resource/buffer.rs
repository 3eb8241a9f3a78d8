//! Chapter "Resource Creation", buffers and buffer views, and their memory.

use ash::vk;
use quadrille::{Buffer, BufferDesc, BufferUsage, BufferView, BufferViewDesc, Memory, MemoryRequirements};

use crate::capabilities::format::needed;
use crate::capabilities::heap::{ORDINARY, SPARSE_MEMORY};
use crate::device::Device;
use crate::interface::chain::{each, find, slice};
use crate::interface::guard::{VkResult, code, commands, foreign, heap_code, log};
use crate::interface::handle::{create, destroy, get, get_opt, objects};
use crate::newer::DESCRIPTOR_HEAP;

objects!(Buffer => Buffer, BufferView => BufferView);

/// Converts to VkMemoryRequirements; sparse resources have a separate memory type.
pub fn requirements(r: MemoryRequirements) -> vk::MemoryRequirements {
    let memory_type_bits = if r.sparse { 1 << SPARSE_MEMORY } else { ORDINARY };
    vk::MemoryRequirements { size: r.size, alignment: r.alignment, memory_type_bits }
}

/// Fills VkMemoryRequirements2 and its chain. A resource that cannot be created, for which `r` is `None`, has zeros: no
/// memory type suits it.
///
/// # Safety
/// `out` is valid.
pub unsafe fn requirements2(r: Option<MemoryRequirements>, out: *mut vk::MemoryRequirements2<'_>) {
    // SAFETY: the caller promises that `out` and its chain are valid.
    unsafe {
        (*out).memory_requirements = r.map(requirements).unwrap_or_default();
        each((*out).p_next, |link| {
            if let Some(d) = link.get::<vk::MemoryDedicatedRequirements>() {
                d.prefers_dedicated_allocation = vk::FALSE;
                d.requires_dedicated_allocation = vk::FALSE;
            }
        });
    }
}

/// Converts a create info.
///
/// # Safety
/// The chain of `info` is valid.
unsafe fn desc(info: &vk::BufferCreateInfo<'_>) -> BufferDesc {
    // SAFETY: the caller promises that the chain is valid. Usage flags beyond the first 32 do not matter to the device.
    let usage = match unsafe { find::<vk::BufferUsageFlags2CreateInfoKHR>(info.p_next) } {
        Some(wide) => wide.usage.as_raw() as u32,
        None => info.usage.as_raw(),
    };
    let mut usage = BufferUsage(usage);
    if usage.0 & DESCRIPTOR_HEAP != 0 {
        // Shaders read descriptor heaps as uniform buffers.
        usage |= BufferUsage::UNIFORM;
    }
    BufferDesc { size: info.size, usage }
}

/// Creates a buffer.
///
/// # Safety
/// The chain of `info` is valid.
unsafe fn make(device: &quadrille::Device, info: &vk::BufferCreateInfo<'_>) -> quadrille::Result<Buffer> {
    // SAFETY: the caller promises that the chain is valid.
    let desc = unsafe { desc(info) };
    match info.flags.contains(vk::BufferCreateFlags::SPARSE_BINDING) {
        true => device.create_sparse_buffer(desc),
        false => device.create_buffer(desc),
    }
}

/// Creates a buffer with an address that can be captured, or a captured one.
///
/// # Safety
/// The chain of `info` is valid.
unsafe fn replayable(device: &quadrille::Device, info: &vk::BufferCreateInfo<'_>) -> VkResult<Buffer> {
    // SAFETY: the caller promises that the chain is valid.
    let (desc, asked) = unsafe {
        let opaque = find::<vk::BufferOpaqueCaptureAddressCreateInfo<'_>>(info.p_next);
        let of_ext = find::<vk::BufferDeviceAddressCreateInfoEXT<'_>>(info.p_next);
        let opaque = opaque.map(|o| o.opaque_capture_address);
        (desc(info), opaque.or(of_ext.map(|e| e.device_address)).filter(|&address| address != 0))
    };
    let sparse = info.flags.contains(vk::BufferCreateFlags::SPARSE_BINDING);
    let made = device.create_replayable_buffer(desc, sparse, asked);
    made.map_err(|e| match asked {
        Some(_) => foreign(&e, vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS),
        None => heap_code(&e),
    })
}

/// Binds a buffer to memory.
///
/// # Safety
/// The handles are live.
unsafe fn bind(device: vk::Device, handle: vk::Buffer, memory: vk::DeviceMemory, offset: u64) -> VkResult {
    // SAFETY: the caller promises that all handles are live.
    unsafe {
        let (buffer, memory) = (get::<Buffer>(handle), get::<Memory>(memory));
        buffer.bind(memory, offset).map_err(|e| code(&e))?;
        get::<Device>(device).reports.addressed(handle, buffer, vk::DeviceAddressBindingTypeEXT::BIND);
    }
    Ok(())
}

/// Stores the result of a bind in VkBindMemoryStatusKHR, if the chain has one, and returns it.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn told(next: *const std::ffi::c_void, result: VkResult) -> VkResult {
    // SAFETY: the caller promises that the chain is valid, and with it `p_result`.
    unsafe {
        if let Some(s) = find::<vk::BindMemoryStatusKHR>(next) {
            s.p_result.write(result.err().unwrap_or(vk::Result::SUCCESS));
        }
    }
    result
}

commands! {
    fn create_buffer(
        device: vk::Device,
        info: *const vk::BufferCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Buffer,
    ) -> vk::Result {
        let (device, info) = (&get::<Device>(device).device, &*info);
        *out = create(match info.flags.contains(vk::BufferCreateFlags::DEVICE_ADDRESS_CAPTURE_REPLAY) {
            true => replayable(device, info)?,
            false => make(device, info).map_err(|e| heap_code(&e))?,
        });
        Ok(())
    }

    fn destroy_buffer(device: vk::Device, buffer: vk::Buffer, _allocator: *const vk::AllocationCallbacks<'_>) {
        if let Some(live) = get_opt::<Buffer>(buffer) {
            let unbind = vk::DeviceAddressBindingTypeEXT::UNBIND;
            get::<Device>(device).reports.addressed(buffer, live, unbind);
        }
        if let Some(buffer) = destroy::<Buffer>(buffer) {
            buffer.destroy();
        }
    }

    fn get_buffer_memory_requirements(
        _d: vk::Device,
        buffer: vk::Buffer,
        out: *mut vk::MemoryRequirements,
    ) {
        *out = requirements(get::<Buffer>(buffer).requirements());
    }

    fn get_buffer_memory_requirements2(
        _d: vk::Device,
        info: *const vk::BufferMemoryRequirementsInfo2<'_>,
        out: *mut vk::MemoryRequirements2<'_>,
    ) {
        requirements2(Some(get::<Buffer>((*info).buffer).requirements()), out);
    }

    fn get_device_buffer_memory_requirements(
        device: vk::Device,
        info: *const vk::DeviceBufferMemoryRequirements<'_>,
        out: *mut vk::MemoryRequirements2<'_>,
    ) {
        let made = make(&get::<Device>(device).device, &*(*info).p_create_info);
        let buffer = made.inspect_err(|e| log(e)).ok();
        requirements2(buffer.map(|buffer| buffer.requirements()), out);
    }

    fn bind_buffer_memory(
        device: vk::Device,
        buffer: vk::Buffer,
        memory: vk::DeviceMemory,
        offset: u64,
    ) -> vk::Result {
        bind(device, buffer, memory, offset)
    }

    fn bind_buffer_memory2(
        device: vk::Device,
        n: u32,
        infos: *const vk::BindBufferMemoryInfo<'_>,
    ) -> vk::Result {
        let one = |i: &vk::BindBufferMemoryInfo<'_>| bind(device, i.buffer, i.memory, i.memory_offset);
        let all = slice(infos, n).iter().map(|i| told(i.p_next, one(i)));
        // All buffers are bound, even if some fail.
        all.fold(Ok(()), VkResult::and)
    }

    fn get_buffer_device_address(
        _d: vk::Device,
        info: *const vk::BufferDeviceAddressInfo<'_>,
    ) -> vk::DeviceAddress {
        let buffer = get::<Buffer>((*info).buffer);
        buffer.device_address().ok().or(buffer.capture_address()).unwrap_or(0)
    }

    /// The device address, which a buffer that can be captured has from its creation on.
    fn get_buffer_opaque_capture_address(
        _d: vk::Device,
        info: *const vk::BufferDeviceAddressInfo<'_>,
    ) -> u64 {
        get::<Buffer>((*info).buffer).capture_address().unwrap_or(0)
    }

    /// 0, which requests nothing: device addresses do not depend on memory.
    fn get_device_memory_opaque_capture_address(
        _d: vk::Device,
        _info: *const vk::DeviceMemoryOpaqueCaptureAddressInfo<'_>,
    ) -> u64 {
        0
    }

    fn create_buffer_view(
        device: vk::Device,
        info: *const vk::BufferViewCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::BufferView,
    ) -> vk::Result {
        let info = &*info;
        let buffer = get::<Buffer>(info.buffer);
        let desc = BufferViewDesc {
            format: needed(info.format)?,
            offset: info.offset,
            range: (info.range != vk::WHOLE_SIZE).then_some(info.range),
        };
        let view = get::<Device>(device).device.create_buffer_view(buffer, desc);
        *out = create(view.map_err(|e| code(&e))?);
        Ok(())
    }

    fn destroy_buffer_view(
        _d: vk::Device,
        view: vk::BufferView,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<BufferView>(view));
    }
}
