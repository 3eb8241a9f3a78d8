//! Memory of the host that builds read.

use ash::vk;
use ash::vk::Handle;
use quadrille::rays::{AccelerationStructure, HostMemory};
use quadrille::{Result, reserve};

use crate::interface::handle::get_opt;

/// Memory of the host: addresses are pointers, and instances refer to structures by handle. Only host commands use it,
/// whose callers promise that all of this memory is valid while the command runs.
pub struct Host;

impl HostMemory for Host {
    fn bytes(&self, address: u64, size: u64) -> Result<Vec<u8>> {
        // More than the address space holds is missing in any case.
        let n = usize::try_from(size).unwrap_or(usize::MAX);
        let mut out = reserve::with_room(n)?;
        if address != 0 {
            // SAFETY: the caller of the host command promises that the geometry, whose bytes these are, is valid.
            out.extend_from_slice(unsafe { std::slice::from_raw_parts(address as usize as *const u8, n) });
        }
        Ok(out)
    }

    fn structure(&self, reference: u64) -> Option<AccelerationStructure> {
        let handle = vk::AccelerationStructureKHR::from_raw(reference);
        // SAFETY: the caller of the host command promises that instances refer to live structures or to none.
        unsafe { get_opt::<AccelerationStructure>(handle) }.cloned()
    }
}
