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
unsafe fn at(buffer: vk::CommandBuffer, address: u64) -> VkResult<(Buffer, u64)> {
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
        let bytes = get::<AccelerationStructure>(info.src).to_bytes(&structure_version());
        let bytes = bytes.map_err(|e| code(&e))?;
        // The caller promises as many bytes as the serialization size.
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), info.dst.host_address.cast(), bytes.len());
        done(deferred, Ok(()))
    }

    fn copy_memory_to_acceleration_structure(
        _d: vk::Device,
        deferred: vk::DeferredOperationKHR,
        info: *const vk::CopyMemoryToAccelerationStructureInfoKHR<'_>,
    ) -> vk::Result {
        let info = &*info;
        let from = info.src.host_address.cast::<u8>();
        // The caller promises bytes of a serialization, whose header has their number behind the version.
        let header = slice(from, VERSION_BYTES as u32 + 8);
        let size = AccelerationStructure::bytes_len_of(header).and_then(|size| usize::try_from(size).ok());
        let bytes = std::slice::from_raw_parts(from, size.unwrap_or(header.len()));
        let copied = get::<AccelerationStructure>(info.dst).set_bytes(bytes, &structure_version());
        done(deferred, copied.map_err(|e| code(&e)))
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
        let kind = kind(ty, vk::QueryPipelineStatisticFlags::empty())?;
        for (i, structure) in structures(n, handles).iter().enumerate() {
            let value = structure.property(kind).map_err(|e| code(&e))?;
            let at = i.saturating_mul(stride);
            if at.saturating_add(size_of::<vk::DeviceSize>()) <= size {
                out.cast::<u8>().add(at).cast::<vk::DeviceSize>().write_unaligned(value);
            }
        }
        Ok(())
    }
}
