//! The one heap: its memory types, its size, and what the devices of this process have of it.

use std::sync::{Mutex, MutexGuard, OnceLock};

use ash::vk;
use quadrille::DeviceOptions;

/// Memory types, all alike: of the first are allocations of ordinary resources and those that are imported, of the
/// second those of sparse resources, which are files.
pub const MEMORY_TYPES: usize = 2;
/// Number of the memory type of sparse resources.
pub const SPARSE_MEMORY: u32 = 1;
/// Bits of the memory types of ordinary resources.
pub const ORDINARY: u32 = 1;

/// What devices are made with.
pub fn options() -> &'static DeviceOptions {
    static OPTIONS: OnceLock<DeviceOptions> = OnceLock::new();
    OPTIONS.get_or_init(DeviceOptions::default)
}

/// Bytes of the one heap.
pub fn size() -> u64 {
    options().heap_size()
}

/// The devices of this process, by handle: what they allocate counts together.
static ALL: Mutex<Vec<(vk::Device, quadrille::Device)>> = Mutex::new(Vec::new());

fn all() -> MutexGuard<'static, Vec<(vk::Device, quadrille::Device)>> {
    ALL.lock().unwrap_or_else(|e| e.into_inner())
}

/// Bytes of device memory that this process has allocated.
pub fn used() -> u64 {
    all().iter().map(|(_, device)| device.heap_used()).sum()
}

/// Counts what a device allocates.
pub fn enter(handle: vk::Device, device: quadrille::Device) {
    all().push((handle, device));
}

/// Counts it no more; the device, whose end takes time, is the caller's to drop.
pub fn leave(handle: vk::Device) -> Option<quadrille::Device> {
    let mut all = all();
    let at = all.iter().position(|(other, _)| *other == handle)?;
    Some(all.swap_remove(at).1)
}
