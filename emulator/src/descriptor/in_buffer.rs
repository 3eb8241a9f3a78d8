//! Descriptor sets in buffers: applications of a driver get descriptors as bytes, write them to buffers, and bind
//! ranges of the buffers.
//!
//! The bytes are a handle, one word, and behind it the range of a buffer that it covers, or zeros. If an application writes
//! other bytes, shaders find a null descriptor, or a part of another live resource of the device. Spec: Vulkan,
//! "Descriptor Buffers".

use quadrille_jit::abi;
use quadrille_jit::handle::{Handle, HandleRecord};

use super::kind::DescriptorKind;
use super::layout::DescriptorSetLayout;
use super::set::{Held, Resource, held};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::BufferUsage;
use crate::object::same_device;
use crate::rays::reference;
use crate::resource::buffer::Buffer;
use crate::resource::sampler::KeptSampler;

/// Size of a descriptor, in bytes.
pub const DESCRIPTOR_BYTES: usize = size_of::<abi::Descriptor>();

/// A range of a buffer that serves as a descriptor set.
#[derive(Clone)]
pub(crate) struct SetInBuffer {
    layout: DescriptorSetLayout,
    buffer: Buffer,
    /// First byte in the buffer.
    offset: u64,
    /// Host address of the first byte.
    first: u64,
}

impl SetInBuffer {
    pub fn new(layout: &DescriptorSetLayout, buffer: &Buffer, offset: u64) -> Result<Self> {
        ensure(layout.0.in_buffers, || "the layout is not for sets in buffers".into())?;
        ensure(offset.is_multiple_of(DESCRIPTOR_BYTES as u64), || {
            format!("a set at byte {offset} of a buffer, not a multiple of {DESCRIPTOR_BYTES}")
        })?;
        // Only the last binding may be shorter than in the layout.
        let fixed = layout.0.first.last().map_or(0, |&first| u64::from(first));
        buffer.check(offset, fixed * DESCRIPTOR_BYTES as u64)?;
        let first = buffer.address()? + offset;
        Ok(SetInBuffer { layout: layout.clone(), buffer: buffer.clone(), offset, first })
    }

    pub fn layout(&self) -> &DescriptorSetLayout {
        &self.layout
    }

    /// Returns the contents of an element of a binding, or `None` if there is no such element.
    pub fn held(&self, binding: u32, element: u32) -> Option<Held> {
        let at = self.layout.find(binding)?;
        let (kind, record) = (self.layout.0.bindings[at].kind, self.layout.record_of(at, element));
        let at = self.offset + (record * DESCRIPTOR_BYTES) as u64;
        let [handle, range] = self.buffer.read_array::<u64, 2>(at).ok()?;
        Some(held(&self.layout, kind, HandleRecord { handle: Handle(handle), range }))
    }

    /// Host address of the records.
    pub fn as_ptr(&self) -> *const u8 {
        self.first as *const u8
    }

    /// Size of the set, in bytes: that of the layout, cut off at the end of the buffer.
    pub fn bytes(&self) -> u32 {
        let left = self.buffer.size().saturating_sub(self.offset);
        left.min(self.layout.bytes()).min(u32::MAX.into()) as u32
    }
}

impl DescriptorSetLayout {
    /// Size of a set's memory, in a buffer or not, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.template.len() as u64 * DESCRIPTOR_BYTES as u64
    }

    /// Byte offset of a binding in a set: of its first descriptor, or of the data of an inline uniform block.
    pub fn binding_offset(&self, binding: u32) -> Option<u64> {
        let at = self.find(binding)?;
        Some(u64::from(self.0.first[at]) * DESCRIPTOR_BYTES as u64)
    }
}

impl Device {
    /// Returns the bytes of a descriptor, for sets in buffers. When the resource is destroyed, they become a null
    /// descriptor.
    ///
    /// # Errors
    /// `Invalid` unless the resource is of this kind and has the usage that it needs, memory, and the same device.
    /// `Limit` when too many resources have handles.
    pub fn descriptor_data(
        &self,
        kind: DescriptorKind,
        resource: Resource<'_>,
    ) -> Result<[u8; DESCRIPTOR_BYTES]> {
        Ok(bytes(self.handle_of(kind, resource)?))
    }

    /// Returns the bytes of a descriptor of the acceleration structure at a device address, for sets in buffers; those
    /// of a null descriptor for address 0.
    ///
    /// # Errors
    /// `Invalid` if no structure has this address. `Limit` when too many resources have handles.
    pub fn structure_descriptor_data(&self, address: u64) -> Result<[u8; DESCRIPTOR_BYTES]> {
        let handle = match (address, self.structures().find(address)) {
            (0, _) => Handle::NULL.into(),
            (_, Some(cell)) => reference(self, &cell)?.handle(0, None)?.0,
            (_, None) => {
                return Err(Error::invalid(format!(
                    "{address:#x} is not the address of an acceleration structure"
                )));
            }
        };
        Ok(bytes(handle))
    }

    /// Returns the bytes of a descriptor of a sampler, for descriptor heaps.
    pub fn sampler_descriptor_data(&self, sampler: KeptSampler) -> [u8; DESCRIPTOR_BYTES] {
        bytes(Handle::of_sampler(sampler.number()).into())
    }

    fn handle_of(&self, kind: DescriptorKind, resource: Resource<'_>) -> Result<HandleRecord> {
        use DescriptorKind as K;
        let handle = match (kind, resource) {
            (_, Resource::Null) => Handle::NULL,
            (K::UniformBuffer | K::StorageBuffer, Resource::Buffer { buffer, offset, range }) => {
                same_device(buffer, self)?;
                let usage =
                    if kind == K::UniformBuffer { BufferUsage::UNIFORM } else { BufferUsage::STORAGE };
                buffer.need(usage, "descriptor")?;
                return Ok(buffer.handle(offset, range)?.0);
            }
            (K::AccelerationStructure, Resource::Structure(structure)) => {
                same_device(structure, self)?;
                return Ok(structure.reference()?.handle(0, None)?.0);
            }
            (K::UniformTexelBuffer | K::StorageTexelBuffer, Resource::TexelBuffer(view)) => view.handle()?,
            (K::SampledImage | K::StorageImage | K::InputAttachment, Resource::Image(view)) => {
                same_device(view, self)?;
                view.handle(kind == K::StorageImage)?
            }
            (K::CombinedImageSampler, Resource::Combined(view, sampler)) => {
                same_device(view, self)?;
                same_device(sampler, self)?;
                view.handle(false)?.with_sampler(sampler.number())
            }
            (K::CombinedImageSampler | K::Sampler, Resource::Sampler(sampler)) => {
                same_device(sampler, self)?;
                Handle::NULL.with_sampler(sampler.number())
            }
            (kind, resource) => return Err(Error::invalid(format!("{resource:?} as a {kind:?}"))),
        };
        Ok(handle.into())
    }
}

/// Returns the bytes of a descriptor.
fn bytes(record: HandleRecord) -> [u8; DESCRIPTOR_BYTES] {
    bytemuck::cast([record.handle.0, record.range])
}
