//! Copies and properties of acceleration structures, by commands and by the host.

use std::ffi::c_void;

use ash::vk;
use quadrille::rays::{AccelerationStructure, VERSION_BYTES};
use quadrille::{Buffer, QueryPool};

use crate::capabilities::properties::structure_version;
use crate::command_buffer::{list, with};
use crate::deferred::done;
use crate::interface::chain::slice;
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::get;
use crate::query::kind;

/// Returns the buffer that an address belongs to, and the byte offset in it.
///
/// # Safety
/// The command buffer is live, and recording is externally synchronized.
pub(super) unsafe fn at(buffer: vk::CommandBuffer, address: u64) -> VkResult<(Buffer, u64)> {
    // SAFETY: the caller promises the conditions of `list`.
    unsafe { list(buffer) }.buffer_at(address).map_err(|e| code(&e))
}

/// Returns the structures behind handles.
///
/// # Safety
/// The handles are `n` live structures.
unsafe fn structures(n: u32, handles: *const vk::AccelerationStructureKHR) -> Vec<AccelerationStructure> {
    // SAFETY: the caller promises `n` live structures.
    unsafe { slice(handles, n).iter().map(|&s| get::<AccelerationStructure>(s).clone()).collect() }
}

/// Writes a structure as bytes to memory of the host.
///
/// # Safety
/// The memory has as many bytes as the serialization size.
pub(super) unsafe fn serialize(src: &AccelerationStructure, to: *mut c_void) -> VkResult {
    let bytes = src.to_bytes(&structure_version()).map_err(|e| code(&e))?;
    // SAFETY: the caller promises as many bytes as the serialization size, which is that of the bytes.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to.cast(), bytes.len()) };
    Ok(())
}

/// Writes a structure from its bytes in memory of the host.
///
/// # Safety
/// The memory has the bytes of a serialization.
pub(super) unsafe fn deserialize(from: *const c_void, dst: &AccelerationStructure) -> VkResult {
    let from = from.cast::<u8>();
    // SAFETY: the caller promises bytes of a serialization, whose header has their number behind the version.
    let bytes = unsafe {
        let header = slice(from, VERSION_BYTES as u32 + 8);
        let size = AccelerationStructure::bytes_len_of(header).and_then(|size| usize::try_from(size).ok());
        std::slice::from_raw_parts(from, size.unwrap_or(header.len()))
    };
    dst.set_bytes(bytes, &structure_version()).map_err(|e| code(&e))
}

/// Writes a property of structures to `size` bytes of the host at `out`, `stride` bytes apart.
///
/// # Safety
/// There are so many bytes.
pub(super) unsafe fn properties(
    all: &[AccelerationStructure],
    ty: vk::QueryType,
    (out, size): (*mut c_void, usize),
    stride: usize,
) -> VkResult {
    let kind = kind(ty, vk::QueryPipelineStatisticFlags::empty())?;
    for (i, structure) in all.iter().enumerate() {
        let value = structure.property(kind).map_err(|e| code(&e))?;
        let at = i.saturating_mul(stride);
        if at.saturating_add(size_of::<vk::DeviceSize>()) <= size {
            // SAFETY: the value ends in the memory that the caller promises.
            unsafe { out.cast::<u8>().add(at).cast::<vk::DeviceSize>().write_unaligned(value) };
        }
    }
    Ok(())
}

commands! {
    fn cmd_copy_acceleration_structure(
        buffer: vk::CommandBuffer,
        info: *const vk::CopyAccelerationStructureInfoKHR<'_>,
    ) {
        let info = &*info;
        let (src, dst) = (get::<AccelerationStructure>(info.src), get::<AccelerationStructure>(info.dst));
        list(buffer).copy_acceleration_structure(src, dst);
    }

    fn cmd_copy_acceleration_structure_to_memory(
        buffer: vk::CommandBuffer,
        info: *const vk::CopyAccelerationStructureToMemoryInfoKHR<'_>,
    ) {
        let info = &*info;
        let src = get::<AccelerationStructure>(info.src);
        with(buffer, at(buffer, info.dst.device_address), |list, (dst, to)| {
            list.serialize_acceleration_structure(src, (&dst, to), structure_version());
        });
    }

    fn cmd_copy_memory_to_acceleration_structure(
        buffer: vk::CommandBuffer,
        info: *const vk::CopyMemoryToAccelerationStructureInfoKHR<'_>,
    ) {
        let info = &*info;
        let dst = get::<AccelerationStructure>(info.dst);
        with(buffer, at(buffer, info.src.device_address), |list, (src, from)| {
            list.deserialize_acceleration_structure((&src, from), dst, structure_version());
        });
    }

    fn cmd_write_acceleration_structures_properties(
        buffer: vk::CommandBuffer,
        n: u32,
        handles: *const vk::AccelerationStructureKHR,
        _type: vk::QueryType,
        pool: vk::QueryPool,
        first: u32,
    ) {
        let pool = get::<QueryPool>(pool);
        list(buffer).write_acceleration_structures_properties(&structures(n, handles), pool, first);
    }

    fn copy_acceleration_structure(
        _d: vk::Device,
        deferred: vk::DeferredOperationKHR,
        info: *const vk::CopyAccelerationStructureInfoKHR<'_>,
    ) -> vk::Result {
        let info = &*info;
        let (src, dst) = (get::<AccelerationStructure>(info.src), get::<AccelerationStructure>(info.dst));
        done(deferred, dst.copy_from(src).map_err(|e| code(&e)))
    }

    fn copy_acceleration_structure_to_memory(
        _d: vk::Device,
        deferred: vk::DeferredOperationKHR,
        info: *const vk::CopyAccelerationStructureToMemoryInfoKHR<'_>,
    ) -> vk::Result {
        let info = &*info;
        done(deferred, serialize(get::<AccelerationStructure>(info.src), info.dst.host_address))
    }

    fn copy_memory_to_acceleration_structure(
        _d: vk::Device,
        deferred: vk::DeferredOperationKHR,
        info: *const vk::CopyMemoryToAccelerationStructureInfoKHR<'_>,
    ) -> vk::Result {
        let info = &*info;
        done(deferred, deserialize(info.src.host_address, get::<AccelerationStructure>(info.dst)))
    }

    fn write_acceleration_structures_properties(
        _d: vk::Device,
        n: u32,
        handles: *const vk::AccelerationStructureKHR,
        ty: vk::QueryType,
        size: usize,
        out: *mut c_void,
        stride: usize,
    ) -> vk::Result {
        properties(&structures(n, handles), ty, (out, size), stride)
    }
}
