//! Shader binding tables: handles of shader groups in records, and the memory of the records.
//!
//! A table lies in memory that applications and shaders write at any time. A handle therefore holds numbers only, which
//! are checked each time: a forged one names at most another group of the pipeline that runs.

#![expect(unsafe_code, reason = "reads device memory by address")]

use std::sync::atomic::{AtomicU32, Ordering};

use quadrille_jit::abi::{ADDRESS_SHIFT, INSIDE};
use quadrille_jit::error::Result;
use quadrille_jit::reserve;

use crate::resources::AddressTable;

/// Size of a handle, in bytes. Spec: Vulkan, shaderGroupHandleSize.
pub const HANDLE_BYTES: u64 = 32;

/// Handle of a shader group. Null names no shaders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Handle([u32; 8]);

/// Handles of the groups of a pipeline, which name each group of it and nothing else.
#[derive(Debug, Default)]
pub struct Handles {
    /// The handle of each group.
    handles: Vec<Handle>,
    /// Groups in the order of their handles, if some handle is not the one of its number.
    sorted: Vec<u32>,
}

impl Handle {
    /// The handle of a group: its number in the pipeline that created it, the number of that pipeline in its process, and
    /// a number of that process if other processes may use the handle, or else 0.
    pub fn new(process: u64, generation: u64, group: u32) -> Handle {
        let halves = |number: u64| [number as u32, (number >> 32) as u32];
        let ([a, b], [c, d]) = (halves(generation), halves(process));
        Handle([group, !group, a, b, c, d, 0, 0])
    }

    /// Reads the bytes of a handle; `None` for bytes that are not those of a handle.
    pub fn of_bytes(bytes: [u8; HANDLE_BYTES as usize]) -> Option<Handle> {
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let [group, inverted, _, _, _, _, zero, also_zero] = words;
        (inverted == !group && [zero, also_zero] == [0; 2]).then_some(Handle(words))
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

impl Handles {
    /// The handles of the groups of a pipeline, in their order. If two groups have the same handle, it names the first.
    pub fn new(handles: Vec<Handle>) -> Result<Handles> {
        let mut sorted = Vec::new();
        if (0..).zip(&handles).any(|(group, handle)| handle.0[0] != group) {
            sorted = reserve::with_room(handles.len())?;
            sorted.extend(0..handles.len() as u32);
            sorted.sort_by_key(|&group| handles[group as usize]);
        }
        Ok(Handles { handles, sorted })
    }

    /// The handles, in the order of the groups.
    pub fn all(&self) -> &[Handle] {
        &self.handles
    }

    /// Number of the group of a handle. `None` for null, and for handles of groups of other pipelines.
    pub fn group(&self, handle: Handle) -> Option<u32> {
        let group = handle.0[0];
        if self.handles.get(group as usize) == Some(&handle) {
            return Some(group);
        }
        let at = self.sorted.partition_point(|&group| self.handles[group as usize] < handle);
        self.sorted.get(at).copied().filter(|&group| self.handles[group as usize] == handle)
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
    /// Number of records.
    pub fn count(&self) -> u64 {
        self.size
            .checked_sub(HANDLE_BYTES)
            .map_or(0, |rest| rest.checked_div(self.stride).map_or(1, |n| n + 1))
    }

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
    let offset = address & INSIDE;
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
        let of = |generation: u64| -> Vec<_> { (0..5).map(|g| Handle::new(11, generation, g)).collect() };
        let own = of(7 << 32 | 9);
        let linked = [&of(3)[..2], &own, &of(1), &own].concat();
        for (all, first) in [(&own, 0), (&linked, 2)] {
            let handles = Handles::new(all.clone()).unwrap();
            assert_eq!(handles.all(), all);
            for (group, handle) in (first..).zip(&own) {
                assert_eq!(handles.group(*handle), Some(group));
                assert_eq!(Handle::of_bytes(handle.bytes()), Some(*handle));
            }
            assert_eq!(handles.group(Handle::default()), None);
            assert_eq!(handles.group(Handle::new(11, 9, 3)), None);
            assert_eq!(handles.group(Handle::new(0, 7 << 32 | 9, 3)), None);
            for word in 0..8 {
                let mut forged = own[3];
                forged.0[word] ^= 1;
                assert_eq!(handles.group(forged), None, "word {word}");
            }
        }
        assert_eq!(Handles::default().group(Handle::default()), None);
        assert_eq!(Handle::of_bytes([0; 32]), None);
        assert_eq!(Handle::of_bytes([0xff; 32]), None);
    }
}
