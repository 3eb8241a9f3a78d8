//! Sets in buffers: a driver's callers ask for descriptors as bytes, write them to buffers, and bind ranges of these.
//!
//! The bytes are the records that sets have, so that shaders read both alike. Spec: Vulkan, "Descriptor Buffers".

#![expect(unsafe_code, reason = "records in buffers, whose contents callers vouch for")]

use quadrille_jit::abi;

use super::kind::DescriptorKind;
use super::layout::{DescriptorSetLayout, null_image};
use super::set::{Held, Resource};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::BufferUsage;
use crate::memory::null_buffer;
use crate::object::same_device;

/// Bytes of a descriptor.
pub const DESCRIPTOR_BYTES: usize = size_of::<abi::Descriptor>();

/// A range of a buffer that is a set.
#[derive(Clone)]
pub(crate) struct SetInBuffer {
    layout: DescriptorSetLayout,
    buffer: Buffer,
    first: u64,
    /// There is something to be put in before shaders read it.
    has_inline: bool,
}

impl SetInBuffer {
    pub fn new(layout: &DescriptorSetLayout, buffer: &Buffer, offset: u64) -> Result<Self> {
        ensure(layout.0.in_buffers, || "the set's layout is not one of sets in buffers".into())?;
        ensure(offset.is_multiple_of(DESCRIPTOR_BYTES as u64), || {
            format!("a set at byte {offset} of a buffer, not a multiple of {DESCRIPTOR_BYTES}")
        })?;
        let bindings = &layout.0.bindings;
        let inline = |kind| kind == DescriptorKind::InlineUniformBlock;
        let has_inline = bindings.iter().any(|b| inline(b.kind) && b.count > 0);
        // What may be shorter than the layout says is last.
        let fixed = layout.0.first.last().map_or(0, |&first| u64::from(first + u32::from(has_inline)));
        buffer.check(offset, fixed * DESCRIPTOR_BYTES as u64)?;
        let first = buffer.address()? + offset;
        Ok(SetInBuffer { layout: layout.clone(), buffer: buffer.clone(), first, has_inline })
    }

    pub fn layout(&self) -> &DescriptorSetLayout {
        &self.layout
    }

    /// What an element of a binding holds; `None`: there is none.
    pub fn held(&self, binding: u32, element: u32) -> Option<Held> {
        let at = self.layout.find(binding)?;
        let kind = self.layout.0.bindings[at].kind;
        let (buffer, image) = self.layout.records_of(at, element);
        let start = self.first - self.buffer.address().ok()?;
        let read = |i: usize| {
            let words = self.buffer.read::<u64>(start + (i * DESCRIPTOR_BYTES) as u64, 2).ok()?;
            Some(abi::Descriptor { ptr: words[0], size: words[1] })
        };
        Some(Held { kind, buffer: buffer.and_then(read), image: image.and_then(read) })
    }

    /// Address of the records, when shaders are about to read them.
    pub fn as_ptr(&self) -> *const u8 {
        let layout = &self.layout.0;
        let all = layout.bindings.iter().zip(&layout.first).filter(|_| self.has_inline);
        for (b, &first) in all.filter(|(b, _)| b.kind == DescriptorKind::InlineUniformBlock && b.count > 0) {
            let at = self.first + u64::from(first * abi::DESCRIPTOR_BYTES);
            let record = abi::Descriptor { ptr: at + u64::from(abi::DESCRIPTOR_BYTES), size: b.count.into() };
            // SAFETY: `new` has checked that the records before the last binding, and the first of that one
            // where blocks are, lie in the buffer, which lives. They are aligned, and volatile since
            // the host may write beside them.
            unsafe { (at as *mut abi::Descriptor).write_volatile(record) };
        }
        self.first as *const u8
    }
}

impl DescriptorSetLayout {
    /// Bytes of a set in a buffer.
    pub fn bytes(&self) -> u64 {
        self.0.template.len() as u64 * DESCRIPTOR_BYTES as u64
    }

    /// Where a binding begins in a buffer: its first descriptor, or the bytes of an inline uniform block.
    pub fn binding_offset(&self, binding: u32) -> Option<u64> {
        let at = self.find(binding)?;
        let inline = self.0.bindings[at].kind == DescriptorKind::InlineUniformBlock;
        Some(u64::from(self.0.first[at] + u32::from(inline)) * DESCRIPTOR_BYTES as u64)
    }
}

impl Device {
    /// The bytes of a descriptor, for sets in buffers. What it is made of must live as long as it is used.
    pub fn descriptor_data(
        &self,
        kind: DescriptorKind,
        resource: Resource<'_>,
    ) -> Result<[u8; DESCRIPTOR_BYTES]> {
        use DescriptorKind as K;
        let record = match (kind, resource) {
            (K::UniformBuffer | K::StorageBuffer, Resource::Null) => null_buffer(),
            (K::UniformBuffer | K::StorageBuffer, Resource::Buffer { buffer, offset, range }) => {
                same_device(buffer, self)?;
                let usage =
                    if kind == K::UniformBuffer { BufferUsage::UNIFORM } else { BufferUsage::STORAGE };
                buffer.need(usage, "descriptor")?;
                buffer.descriptor(offset, range)?.0
            }
            (K::UniformTexelBuffer | K::StorageTexelBuffer, Resource::TexelBuffer(view)) => {
                abi::Descriptor { ptr: view.header(), size: 0 }
            }
            (K::SampledImage | K::StorageImage | K::InputAttachment, Resource::Image(view)) => {
                same_device(view, self)?;
                abi::Descriptor { ptr: view.header(kind == K::StorageImage), size: 0 }
            }
            (K::CombinedImageSampler, Resource::Combined(view, sampler)) => {
                same_device(view, self)?;
                same_device(sampler, self)?;
                abi::Descriptor { ptr: view.header(false), size: sampler.number().into() }
            }
            (K::CombinedImageSampler | K::Sampler, Resource::Sampler(sampler)) => {
                same_device(sampler, self)?;
                abi::Descriptor { size: sampler.number().into(), ..null_image() }
            }
            (_, Resource::Null) if !kind.is_buffer() => null_image(),
            (kind, resource) => return Err(Error::invalid(format!("{resource:?} as a {kind:?}"))),
        };
        let mut out = [0; DESCRIPTOR_BYTES];
        out[..8].copy_from_slice(&record.ptr.to_ne_bytes());
        out[8..].copy_from_slice(&record.size.to_ne_bytes());
        Ok(out)
    }
}
