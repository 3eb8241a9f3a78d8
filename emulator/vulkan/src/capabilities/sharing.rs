//! Supported kinds of external handles. The commands are in `resource::external`.

use ash::vk;
use quadrille::Sharing;

use crate::sys;

pub type MemoryKind = vk::ExternalMemoryHandleTypeFlags;
pub type FenceKind = vk::ExternalFenceHandleTypeFlags;
pub type SemaphoreKind = vk::ExternalSemaphoreHandleTypeFlags;

/// `true` if dma-bufs are supported: the kernel can make them from memory.
pub fn dma_bufs() -> bool {
    quadrille::Device::offers_dma_bufs()
}

/// Returns the properties of external memory of a kind.
pub fn memory(kind: MemoryKind) -> vk::ExternalMemoryProperties {
    use vk::ExternalMemoryFeatureFlags as F;
    let (features, exported) = match kind {
        MemoryKind::OPAQUE_FD if sys::has_descriptors() => (F::EXPORTABLE | F::IMPORTABLE, kind),
        MemoryKind::DMA_BUF_EXT if dma_bufs() => (F::EXPORTABLE | F::IMPORTABLE, kind),
        MemoryKind::HOST_ALLOCATION_EXT => (F::IMPORTABLE, MemoryKind::empty()),
        _ => (F::empty(), MemoryKind::empty()),
    };
    vk::ExternalMemoryProperties {
        external_memory_features: features,
        export_from_imported_handle_types: exported,
        compatible_handle_types: kind,
    }
}

/// Returns the properties of external memory of a kind for a resource. Sparse resources are bound to memory of the device
/// only.
pub fn of_resource(kind: MemoryKind, sparse: bool) -> vk::ExternalMemoryProperties {
    match sparse {
        true => vk::ExternalMemoryProperties { compatible_handle_types: kind, ..Default::default() },
        false => memory(kind),
    }
}

/// Returns the sharing mode of fences with these kinds, if any is supported.
pub fn fence_sharing(kinds: FenceKind) -> Option<Sharing> {
    let table = [(FenceKind::OPAQUE_FD, Sharing::Reference), (FenceKind::SYNC_FD, Sharing::Copy)];
    table.into_iter().find(|(kind, _)| kinds.contains(*kind)).map(|(_, sharing)| sharing)
}

/// Returns the sharing mode of semaphores with these kinds, if any is supported.
pub fn semaphore_sharing(kinds: SemaphoreKind) -> Option<Sharing> {
    let table = [(SemaphoreKind::OPAQUE_FD, Sharing::Reference), (SemaphoreKind::SYNC_FD, Sharing::Copy)];
    table.into_iter().find(|(kind, _)| kinds.contains(*kind)).map(|(_, sharing)| sharing)
}

/// `true` if fences of a kind are supported.
pub fn fences(kind: FenceKind) -> bool {
    sys::has_descriptors() && matches!(kind, FenceKind::OPAQUE_FD | FenceKind::SYNC_FD)
}

/// `true` if semaphores of a kind are supported; the state of a timeline semaphore cannot be copied.
pub fn semaphores(kind: SemaphoreKind, timeline: bool) -> bool {
    sys::has_descriptors()
        && (kind == SemaphoreKind::OPAQUE_FD || (kind == SemaphoreKind::SYNC_FD && !timeline))
}
