//! Shader binding tables: handles of shader groups in records, and the memory of the records.
//!
//! A table lies in memory that applications and shaders write at any time. A handle therefore holds numbers only, which
//! are checked each time: a forged one names at most another group of the pipeline that runs.

#![expect(unsafe_code, reason = "reads device memory by address")]

use std::sync::atomic::{AtomicU32, Ordering};

use quadrille_jit::abi::ADDRESS_SHIFT;

use crate::resources::AddressTable;

/// Size of a handle, in bytes. Spec: Vulkan, shaderGroupHandleSize.
pub const HANDLE_BYTES: u64 = 32;

/// Handle of a shader group. Null names no shaders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handle(pub [u32; 8]);

impl Handle {
    /// The handle of a group of the pipeline with this generation.
    pub(super) fn new(generation: u64, group: u32) -> Handle {
        Handle([group, !group, generation as u32, (generation >> 32) as u32, 0, 0, 0, 0])
    }

    /// Number of the group, if the handle is of the pipeline with this generation.
    pub(super) fn group_of(self, generation: u64) -> Option<u32> {
        let group = self.0[0];
        (self == Handle::new(generation, group)).then_some(group)
    }

    /// The bytes in a shader binding table.
    pub fn bytes(self) -> [u8; HANDLE_BYTES as usize] {
        let mut out = [0; HANDLE_BYTES as usize];
        for (bytes, word) in out.chunks_exact_mut(4).zip(self.0) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        out
    }
}

/// Region of a shader binding table. Spec: Vulkan, VkStridedDeviceAddressRegionKHR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Region {
    /// Device address of the first record; 0 for no records.
    pub address: u64,
    /// Bytes from one record to the next.
    pub stride: u64,
    /// Size in bytes.
    pub size: u64,
}

/// A record of a shader binding table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    /// The handle at its start.
    pub handle: Handle,
    /// Device address of the data behind the handle.
    pub data: u64,
}

impl Region {
    /// Reads a record. An index past the end gives null.
    pub(super) fn record(&self, addresses: AddressTable, index: u64) -> Record {
        let place = index
            .checked_mul(self.stride)
            .and_then(|at| at.checked_add(HANDLE_BYTES))
            .filter(|&end| end <= self.size);
        let address = place.and_then(|end| self.address.checked_add(end - HANDLE_BYTES));
        let Some((address, handle)) = address.and_then(|at| Some((at, read(addresses, at)?))) else {
            return Record::default();
        };
        Record { handle, data: address.saturating_add(HANDLE_BYTES) }
    }
}

/// Reads a handle at a device address, which must be aligned to four bytes.
fn read(addresses: AddressTable, address: u64) -> Option<Handle> {
    let entry = addresses.entry(address >> ADDRESS_SHIFT)?;
    let offset = address & ((1 << ADDRESS_SHIFT) - 1);
    let at = entry.ptr.wrapping_add(offset);
    if offset.checked_add(HANDLE_BYTES).is_none_or(|end| end > entry.size) || !at.is_multiple_of(4) {
        return None;
    }
    let words = at as *const AtomicU32;
    // SAFETY: the entry's memory has `size` bytes, within which the handle lies, and stays while shaders run with the
    // table. The address is aligned; other code may write the memory at the same time, so the words are atomic.
    Some(Handle(std::array::from_fn(|i| unsafe { (*words.add(i)).load(Ordering::Relaxed) })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_name_groups_of_one_pipeline() {
        let handle = Handle::new(7 << 32 | 9, 3);
        assert_eq!(handle.group_of(7 << 32 | 9), Some(3));
        assert_eq!(handle.group_of(9), None);
        assert_eq!(Handle::default().group_of(0), None);
        for word in 0..8 {
            let mut forged = handle;
            forged.0[word] ^= 1;
            assert_eq!(forged.group_of(7 << 32 | 9), None, "word {word}");
        }
    }
}
