//! Import and export of memory, fences and semaphores by file descriptors, and import of host memory. Spec: Vulkan,
//! "External Memory", "External Fences", "External Semaphores" and the queries about them.
//!
//! Opaque descriptors are files in memory that only this driver's device library maps. Dma-bufs may come from any
//! driver. Sync descriptors are any descriptors that become readable. `capabilities::sharing` lists the supported
//! kinds.

use std::ffi::{c_int, c_void};

use ash::vk;
use quadrille::descriptors::OwnedFd;
use quadrille::{Fence, Import, Memory, Semaphore};

use crate::capabilities::heap::ORDINARY;
use crate::capabilities::limits::HOST_ALIGNMENT;
use crate::capabilities::sharing::{
    FenceKind, MemoryKind, SemaphoreKind, dma_bufs, fences, memory, of_resource, semaphores,
};
use crate::interface::chain::find;
use crate::interface::guard::{VkResult, code, commands, log};
use crate::interface::handle::get;
use crate::sys;

const IMPORTABLE: vk::ExternalMemoryFeatureFlags = vk::ExternalMemoryFeatureFlags::IMPORTABLE;

/// Imports the external memory that VkMemoryAllocateInfo names, if any.
///
/// # Safety
/// The structure is valid, and host memory that it names outlives the result.
pub unsafe fn import(
    device: &quadrille::Device,
    info: &vk::MemoryAllocateInfo<'_>,
) -> Option<VkResult<Memory>> {
    let invalid = |e: quadrille::Error| match code(&e) {
        vk::Result::ERROR_UNKNOWN => vk::Result::ERROR_INVALID_EXTERNAL_HANDLE,
        code => code,
    };
    // SAFETY: the caller promises a valid chain, an open descriptor in it, and host memory that outlives the result.
    unsafe {
        if let Some(i) = find::<vk::ImportMemoryFdInfoKHR>(info.p_next)
            && !i.handle_type.is_empty()
        {
            let importable = memory(i.handle_type).external_memory_features.contains(IMPORTABLE);
            let Some(fd) = sys::borrow(i.fd).filter(|_| importable) else {
                return Some(Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE));
            };
            let memory = match i.handle_type {
                MemoryKind::DMA_BUF_EXT => device.import_dma_buf(fd, info.allocation_size),
                _ => device.import_memory(fd, info.allocation_size),
            };
            if memory.is_ok() {
                // A successful import transfers ownership of the descriptor to the driver.
                sys::own(i.fd);
            }
            return Some(memory.map_err(invalid));
        }
        if let Some(i) = find::<vk::ImportMemoryHostPointerInfoEXT>(info.p_next)
            && !i.handle_type.is_empty()
        {
            // Valid usage requires the size to be a multiple of the alignment too, but programs (ffmpeg) import the
            // size that a resource requires.
            let fits = i.handle_type == MemoryKind::HOST_ALLOCATION_EXT
                && !i.p_host_pointer.is_null()
                && (i.p_host_pointer as u64).is_multiple_of(HOST_ALIGNMENT);
            return Some(match fits {
                // The pointer starts a page, so that all bytes up to a multiple of `abi::BASE_BYTES` are readable.
                true => Ok(Memory::from_raw(i.p_host_pointer.cast(), info.allocation_size)),
                false => Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE),
            });
        }
    }
    None
}

/// Returns a descriptor that the application will own.
fn give(fd: quadrille::Result<OwnedFd>) -> VkResult<c_int> {
    // ERROR_TOO_MANY_OBJECTS is the closest code: the process has too many open descriptors.
    let fd = fd.map_err(|e| match code(&e) {
        vk::Result::ERROR_OUT_OF_HOST_MEMORY => vk::Result::ERROR_TOO_MANY_OBJECTS,
        code => code,
    })?;
    Ok(sys::give(fd))
}

/// Returns a descriptor that the application will own, or -1 if there is none.
fn give_some(fd: quadrille::Result<Option<OwnedFd>>) -> VkResult<c_int> {
    match fd {
        Ok(None) => Ok(-1),
        Ok(Some(fd)) => give(Ok(fd)),
        Err(e) => give(Err(e)),
    }
}

/// Imports a payload from a descriptor. On success the driver owns the descriptor.
///
/// # Safety
/// The descriptor is open, or negative.
unsafe fn import_payload(
    fd: c_int,
    copy: bool,
    import: impl FnOnce(&Import<'_>) -> quadrille::Result<()>,
) -> VkResult {
    // SAFETY: the caller promises an open descriptor, or a negative number.
    let from = match (copy, unsafe { sys::borrow(fd) }) {
        (true, fd) => Import::Copy(fd),
        (false, Some(fd)) => Import::Reference(fd),
        (false, None) => return Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE),
    };
    if let Err(e) = import(&from) {
        log(&e);
        return Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE);
    }
    // SAFETY: the caller promises an open descriptor, or a negative number; the driver owns it from here on.
    unsafe { sys::own(fd) };
    Ok(())
}

commands! {
    fn get_physical_device_external_buffer_properties(
        _d: vk::PhysicalDevice,
        info: *const vk::PhysicalDeviceExternalBufferInfo<'_>,
        out: *mut vk::ExternalBufferProperties<'_>,
    ) {
        let kind = (*info).handle_type;
        let sparse = (*info).flags.contains(vk::BufferCreateFlags::SPARSE_BINDING);
        (*out).external_memory_properties = of_resource(kind, sparse);
    }

    fn get_physical_device_external_fence_properties(
        _d: vk::PhysicalDevice,
        info: *const vk::PhysicalDeviceExternalFenceInfo<'_>,
        out: *mut vk::ExternalFenceProperties<'_>,
    ) {
        use vk::ExternalFenceFeatureFlags as F;
        let kind = (*info).handle_type;
        let offered = fences(kind);
        let kinds = if offered { kind } else { Default::default() };
        (*out).export_from_imported_handle_types = kinds;
        (*out).compatible_handle_types = kinds;
        (*out).external_fence_features = if offered { F::EXPORTABLE | F::IMPORTABLE } else { F::empty() };
    }

    fn get_physical_device_external_semaphore_properties(
        _d: vk::PhysicalDevice,
        info: *const vk::PhysicalDeviceExternalSemaphoreInfo<'_>,
        out: *mut vk::ExternalSemaphoreProperties<'_>,
    ) {
        use vk::ExternalSemaphoreFeatureFlags as F;
        let kind = (*info).handle_type;
        let of = find::<vk::SemaphoreTypeCreateInfo>((*info).p_next);
        let offered = semaphores(kind, of.is_some_and(|t| t.semaphore_type == vk::SemaphoreType::TIMELINE));
        let kinds = if offered { kind } else { Default::default() };
        (*out).export_from_imported_handle_types = kinds;
        (*out).compatible_handle_types = kinds;
        (*out).external_semaphore_features = if offered { F::EXPORTABLE | F::IMPORTABLE } else { F::empty() };
    }

    fn get_memory_fd(
        _d: vk::Device,
        info: *const vk::MemoryGetFdInfoKHR<'_>,
        out: *mut c_int,
    ) -> vk::Result {
        let memory = get::<Memory>((*info).memory);
        if memory.is_dma_buf() != ((*info).handle_type == MemoryKind::DMA_BUF_EXT) {
            return Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE);
        }
        *out = give(memory.share())?;
        Ok(())
    }

    /// Opaque descriptors cannot be queried.
    fn get_memory_fd_properties(
        _d: vk::Device,
        kind: vk::ExternalMemoryHandleTypeFlags,
        fd: c_int,
        out: *mut vk::MemoryFdPropertiesKHR<'_>,
    ) -> vk::Result {
        let offered = kind == MemoryKind::DMA_BUF_EXT && dma_bufs();
        if !offered || !sys::borrow(fd).is_some_and(Memory::is_dma_buf_fd) {
            return Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE);
        }
        (*out).memory_type_bits = ORDINARY;
        Ok(())
    }

    fn get_memory_host_pointer_properties(
        _d: vk::Device,
        kind: vk::ExternalMemoryHandleTypeFlags,
        pointer: *const c_void,
        out: *mut vk::MemoryHostPointerPropertiesEXT<'_>,
    ) -> vk::Result {
        if kind != MemoryKind::HOST_ALLOCATION_EXT || !(pointer as u64).is_multiple_of(HOST_ALIGNMENT) {
            return Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE);
        }
        (*out).memory_type_bits = ORDINARY;
        Ok(())
    }

    fn import_fence_fd(_d: vk::Device, info: *const vk::ImportFenceFdInfoKHR<'_>) -> vk::Result {
        let info = &*info;
        let copy = info.handle_type == FenceKind::SYNC_FD;
        let temporary = copy || info.flags.contains(vk::FenceImportFlags::TEMPORARY);
        import_payload(info.fd, copy, |from| get::<Fence>(info.fence).import(from, temporary))
    }

    fn get_fence_fd(_d: vk::Device, info: *const vk::FenceGetFdInfoKHR<'_>, out: *mut c_int) -> vk::Result {
        let fence = get::<Fence>((*info).fence);
        *out = match (*info).handle_type {
            FenceKind::SYNC_FD => give_some(fence.copy())?,
            _ => give(fence.share())?,
        };
        Ok(())
    }

    fn import_semaphore_fd(_d: vk::Device, info: *const vk::ImportSemaphoreFdInfoKHR<'_>) -> vk::Result {
        let info = &*info;
        let copy = info.handle_type == SemaphoreKind::SYNC_FD;
        let temporary = copy || info.flags.contains(vk::SemaphoreImportFlags::TEMPORARY);
        import_payload(info.fd, copy, |from| get::<Semaphore>(info.semaphore).import(from, temporary))
    }

    fn get_semaphore_fd(
        _d: vk::Device,
        info: *const vk::SemaphoreGetFdInfoKHR<'_>,
        out: *mut c_int,
    ) -> vk::Result {
        let semaphore = get::<Semaphore>((*info).semaphore);
        *out = match (*info).handle_type {
            SemaphoreKind::SYNC_FD => give_some(semaphore.copy())?,
            _ => give(semaphore.share())?,
        };
        Ok(())
    }
}
