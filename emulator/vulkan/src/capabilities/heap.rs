//! The memory heap: its memory types, its size, and the memory that all devices of this process have allocated.

use std::sync::{Mutex, MutexGuard};

use ash::vk;
use once_cell::race::OnceBox;
use quadrille::DeviceOptions;
use quadrille::process::PerProcess;

/// Number of memory types, which have the same properties. The first is for ordinary resources and imports; the second
/// is for sparse resources, and its allocations are files.
pub const MEMORY_TYPES: usize = 2;
/// Index of the memory type for sparse resources.
pub const SPARSE_MEMORY: u32 = 1;
/// Bit mask of the memory types for ordinary resources.
pub const ORDINARY: u32 = 1;

/// Options of all devices.
pub fn options() -> &'static DeviceOptions {
    static OPTIONS: OnceBox<DeviceOptions> = OnceBox::new();
    OPTIONS.get_or_init(Box::default)
}

/// Size of the heap, in bytes.
pub fn size() -> u64 {
    options().heap_size()
}

/// Devices of this process, by handle; their allocations are counted together.
static ALL: PerProcess<Mutex<Vec<(vk::Device, quadrille::Device)>>> = PerProcess::new();

fn all() -> MutexGuard<'static, Vec<(vk::Device, quadrille::Device)>> {
    ALL.get().lock().unwrap_or_else(|e| e.into_inner())
}

/// Device memory that this process has allocated, in bytes.
pub fn used() -> u64 {
    all().iter().map(|(_, device)| device.heap_used()).sum()
}

/// Adds a device to the count.
pub fn enter(handle: vk::Device, device: quadrille::Device) {
    all().push((handle, device));
}

/// Removes a device from the count and returns it; the caller drops it, which takes time, without the lock.
pub fn leave(handle: vk::Device) -> Option<quadrille::Device> {
    let mut all = all();
    let at = all.iter().position(|(other, _)| *other == handle)?;
    Some(all.swap_remove(at).1)
}
