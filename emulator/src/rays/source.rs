//! Memory that builds read: buffers of the device, or memory of the host.

use bytemuck::Pod;

use crate::device::Device;
use crate::error::Result;
use crate::resource::buffer::Buffer;
use crate::tables::structures::Referenced;

use super::AccelerationStructure;

/// Memory of the host, for builds that the host runs. Addresses and references are numbers of the implementor's choice.
pub trait HostMemory: Sync {
    /// Returns `size` bytes from an address on, or fewer if not all of them exist. `OutOfMemory` without room for them.
    fn bytes(&self, address: u64, size: u64) -> Result<Vec<u8>>;

    /// Returns the structure that an instance refers to.
    fn structure(&self, reference: u64) -> Option<AccelerationStructure>;
}

/// Memory that a build reads.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    /// Buffers, at device addresses. Instances refer to structures by device address.
    Device(&'a Device),
    /// Memory of the host.
    Host(&'a dyn HostMemory),
}

impl Source<'_> {
    /// Bytes from an address to the end of its memory, at most `size` of them. `OutOfMemory` without room for them.
    pub fn bytes(&self, address: u64, size: u64) -> Result<Vec<u8>> {
        match self {
            Source::Device(device) => {
                let Ok((buffer, offset)) = Buffer::at(device, address) else { return Ok(Vec::new()) };
                let size = size.min(buffer.size().saturating_sub(offset));
                Ok(buffer.read_within(offset, size as usize)?.unwrap_or_default())
            }
            Source::Host(memory) if size > 0 => memory.bytes(address, size),
            Source::Host(_) => Ok(Vec::new()),
        }
    }

    /// Values that lie one after another from an address on, at most `count`, without those that are not wholly in memory.
    pub fn values<T: Pod>(&self, address: u64, count: u64) -> Result<Vec<T>> {
        let size = size_of::<T>() as u64;
        match self {
            Source::Device(device) => {
                let Ok((buffer, offset)) = Buffer::at(device, address) else { return Ok(Vec::new()) };
                let count = count.min(buffer.size().saturating_sub(offset) / size);
                Ok(buffer.read_within(offset, count as usize)?.unwrap_or_default())
            }
            Source::Host(_) => {
                let bytes = self.bytes(address, count.saturating_mul(size))?;
                let (values, _) = bytes.as_slice().split_at(bytes.len() / size as usize * size as usize);
                Ok(bytemuck::pod_collect_to_vec(values))
            }
        }
    }

    /// The structure that an instance refers to.
    pub fn referenced(&self, reference: u64) -> Option<Referenced> {
        let cell = match self {
            Source::Device(device) => device.structures().find(reference)?,
            Source::Host(memory) => memory.structure(reference)?.cell().ok()?.clone(),
        };
        Some(Referenced::new(&cell))
    }
}

/// Number of bytes of `count` elements of `size` bytes, `stride` bytes apart.
pub(super) fn span(count: u64, stride: u64, size: u64) -> u64 {
    count.checked_sub(1).map_or(0, |others| others.saturating_mul(stride).saturating_add(size))
}
