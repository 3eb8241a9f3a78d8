//! Sets: records in memory that shaders read, and what keeps the resources alive that they name.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_jit::{abi, reserve};

use super::kind::DescriptorKind;
use super::layout::{DescriptorBinding, DescriptorSetLayout, null_image, unwritten_image};
use crate::buffer::Buffer;
use crate::buffer_view::BufferView;
use crate::error::{Error, Result, ensure};
use crate::flags::{BufferUsage, ImageUsage};
use crate::image::ImageView;
use crate::memory::{SetMemory, null_buffer, unwritten_buffer};
use crate::object::{objects, same_device, shared};
use crate::sampler::Sampler;

/// What a descriptor refers to.
#[derive(Clone, Copy, Debug)]
pub enum Resource<'a> {
    /// A range of a buffer; `range: None` means up to its end.
    Buffer {
        /// The buffer.
        buffer: &'a Buffer,
        /// First byte.
        offset: u64,
        /// Bytes.
        range: Option<u64>,
    },
    /// A sampled image, storage image or input attachment.
    Image(&'a ImageView),
    /// A sampler.
    Sampler(&'a Sampler),
    /// An image with its sampler (ignored where the layout has an immutable one).
    Combined(&'a ImageView, &'a Sampler),
    /// A texel buffer.
    TexelBuffer(&'a BufferView),
    /// Reads as zero, drops writes.
    Null,
}

/// What an element of a binding holds: the records by which shaders reach it as a buffer, and as an image or sampler.
pub(crate) struct Held {
    pub kind: DescriptorKind,
    pub buffer: Option<abi::Descriptor>,
    pub image: Option<abi::Descriptor>,
}

/// What keeps a bound resource alive.
#[expect(dead_code, reason = "held, never read")]
enum Kept {
    Buffer(Buffer),
    Image(ImageView),
    TexelBuffer(BufferView),
}

struct SetInner {
    layout: DescriptorSetLayout,
    memory: SetMemory,
    /// `None` for sets that keep nothing.
    keeper: Option<Box<Keeper>>,
}

/// What makes a set of the Rust API safe: a driver has many sets, and they are smaller without.
struct Keeper {
    /// By record.
    kept: Mutex<Vec<Option<Kept>>>,
    /// Submissions that use the set at the moment.
    pending: AtomicU32,
}

/// A descriptor set. Clones are the same set. Spec: Vulkan, "Descriptor Sets".
#[derive(Clone)]
pub struct DescriptorSet(Arc<SetInner>);

objects! { DescriptorSet: "descriptor set" = |s| Some(s.0.layout.0.device); }
shared!(DescriptorSet);

impl std::fmt::Debug for DescriptorSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DescriptorSet({:?})", self.0.layout)
    }
}

impl DescriptorSet {
    pub(crate) fn new(layout: &DescriptorSetLayout, retain: bool) -> Self {
        let template = &layout.0.template;
        let memory = SetMemory::new(template);
        for (b, &first) in layout.0.bindings.iter().zip(&layout.0.first) {
            if b.kind == DescriptorKind::InlineUniformBlock && b.count > 0 {
                let ptr = memory.as_ptr() as u64 + u64::from(first + 1) * u64::from(abi::DESCRIPTOR_BYTES);
                memory.write(first as usize, abi::Descriptor { ptr, size: b.count.into() });
            }
        }
        DescriptorSet(Arc::new(SetInner {
            layout: layout.clone(),
            memory,
            keeper: retain.then(|| {
                let mut kept = reserve::carry(reserve::with_room(template.len()));
                kept.resize_with(template.len(), || None);
                Box::new(Keeper { kept: Mutex::new(kept), pending: AtomicU32::new(0) })
            }),
        }))
    }

    /// A set of no pool that keeps nothing alive, with what is in `before` if that has the same layout:
    /// the next state of pushed descriptors. Spec: Vulkan, vkCmdPushDescriptorSet.
    ///
    /// # Safety
    /// As for [`super::DescriptorPool::allocate`].
    #[expect(unsafe_code, reason = "the contract of a driver's callers")]
    pub unsafe fn pushed(layout: &DescriptorSetLayout, before: Option<&DescriptorSet>) -> DescriptorSet {
        let set = DescriptorSet::new(layout, false);
        let inline = |b: &DescriptorBinding| b.kind == DescriptorKind::InlineUniformBlock;
        let before = before.filter(|b| b.layout().compatible(layout));
        if let Some(before) = before.filter(|_| !layout.bindings().iter().any(inline)) {
            for i in 0..layout.0.template.len() {
                set.0.memory.write(i, before.0.memory.read(i));
            }
        }
        set
    }

    /// Sets bytes of an inline uniform block from byte `offset` on.
    pub fn write_inline(&self, binding: u32, offset: u32, bytes: &[u8]) -> Result<()> {
        let at = self.position(binding)?;
        let DescriptorBinding { kind, count: size, .. } = self.0.layout.0.bindings[at];
        ensure(kind == DescriptorKind::InlineUniformBlock, || {
            format!("binding {binding} is a {kind:?}, bytes were given")
        })?;
        let end = u64::from(offset) + bytes.len() as u64;
        ensure(end <= u64::from(size), || {
            format!("bytes {offset}..{end} of an inline uniform block of {size}")
        })?;
        let first = self.0.layout.0.first[at] as usize;
        let _kept = self.writable()?;
        for (i, &byte) in bytes.iter().enumerate() {
            let at = offset as usize + i;
            let record = first + 1 + at / 16;
            let mut d = self.0.memory.read(record);
            let word = if at % 16 < 8 { &mut d.ptr } else { &mut d.size };
            let shift = at % 8 * 8;
            *word = *word & !(0xff << shift) | u64::from(byte) << shift;
            self.0.memory.write(record, d);
        }
        Ok(())
    }

    /// Keeps others from writing, and submissions from starting to use the set, while the result lives; gives
    /// what the set keeps alive. Sets of a pool are their users' to order.
    fn writable(&self) -> Result<Option<MutexGuard<'_, Vec<Option<Kept>>>>> {
        let Some(keeper) = &self.0.keeper else { return Ok(None) };
        let list = keeper.kept.lock().unwrap_or_else(|e| e.into_inner());
        ensure(keeper.pending.load(Ordering::Acquire) == 0, || {
            "descriptor set written while a submission uses it".into()
        })?;
        Ok(Some(list))
    }

    /// Its layout.
    pub fn layout(&self) -> &DescriptorSetLayout {
        &self.0.layout
    }

    /// Address of the records.
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.0.memory.as_ptr()
    }

    /// Binds a buffer from its first byte to its end to element 0 of a binding.
    pub fn write_buffer(&self, binding: u32, buffer: &Buffer) -> Result<()> {
        self.write(binding, 0, Resource::Buffer { buffer, offset: 0, range: None })
    }

    /// Binds a resource to element `element` of `binding`.
    ///
    /// `Invalid` when there is no such element, the resource is of another type, or the set is in
    /// use by a submission that is not done.
    pub fn write(&self, binding: u32, element: u32, resource: Resource<'_>) -> Result<()> {
        let kind = self.layout().binding(binding).map_or(DescriptorKind::Mutable, |b| b.kind);
        self.write_as(binding, element, kind, resource)
    }

    /// [`DescriptorSet::write`] to a mutable descriptor, which becomes one of this kind.
    pub fn write_as(
        &self,
        binding: u32,
        element: u32,
        kind: DescriptorKind,
        resource: Resource<'_>,
    ) -> Result<()> {
        let inner = &*self.0;
        let at = self.position(binding)?;
        let mutable;
        let b = match &inner.layout.0.bindings[at] {
            b if b.kind == DescriptorKind::Mutable && !kind.is_dynamic() => {
                mutable = DescriptorBinding { kind, ..b.clone() };
                &mutable
            }
            b => b,
        };
        ensure(b.kind != DescriptorKind::InlineUniformBlock, || {
            format!("binding {binding} is an inline uniform block, a resource was given")
        })?;
        ensure(element < b.count, || format!("element {element} of binding {binding} with {}", b.count))?;
        let immutable = b.immutable_samplers.get(element as usize);
        let (record, left, kept) = self.record(b, immutable, resource)?;
        let list = self.writable()?;
        let second = b.kind.is_dynamic().then_some(abi::Descriptor { ptr: record.ptr, size: left });
        let is_image = !b.kind.is_buffer() && b.kind != DescriptorKind::Mutable;
        let as_image = if is_image { record } else { unwritten_image() };
        let as_buffer = if is_image { unwritten_buffer() } else { record };
        let index = self.put(at, element, (as_buffer, as_image), second);
        if let Some(mut list) = list {
            list[index] = kept;
        }
        Ok(())
    }

    /// Stores what an element is as a buffer and as an image, as far as it can be either, and the second record
    /// of a dynamic buffer; gives the index of its first record.
    fn put(
        &self,
        position: usize,
        element: u32,
        (as_buffer, as_image): (abi::Descriptor, abi::Descriptor),
        second: Option<abi::Descriptor>,
    ) -> usize {
        let memory = &self.0.memory;
        let (buffer, image) = self.0.layout.records_of(position, element);
        if let Some(at) = image {
            memory.write(at, as_image);
        }
        if let Some(at) = buffer {
            memory.write(at, as_buffer);
            if let Some(second) = second {
                memory.write(at + 1, second);
            }
        }
        buffer.or(image).unwrap_or(0)
    }

    fn record(
        &self,
        b: &DescriptorBinding,
        immutable: Option<&Sampler>,
        resource: Resource<'_>,
    ) -> Result<(abi::Descriptor, u64, Option<Kept>)> {
        let wrong =
            |what: &str| Error::invalid(format!("binding {} is a {:?}, {what} given", b.binding, b.kind));
        match resource {
            Resource::Buffer { buffer, offset, range } => {
                if !b.kind.is_buffer() {
                    return Err(wrong("a buffer was"));
                }
                same_device(buffer, self)?;
                let uniform =
                    matches!(b.kind, DescriptorKind::UniformBuffer | DescriptorKind::UniformBufferDynamic);
                let usage = if uniform { BufferUsage::UNIFORM } else { BufferUsage::STORAGE };
                buffer.need(usage, "descriptor")?;
                ensure(offset.is_multiple_of(4), || format!("descriptor offset {offset} is not aligned"))?;
                let (record, left) = buffer.descriptor(offset, range)?;
                Ok((record, left, Some(Kept::Buffer(buffer.clone()))))
            }
            Resource::Image(view) => {
                if !b.kind.is_image() {
                    return Err(wrong("an image was"));
                }
                let size = immutable.map_or(0, |s| u64::from(s.number()));
                let ptr = self.view_ptr(b, view)?;
                Ok((abi::Descriptor { ptr, size }, 0, Some(Kept::Image(view.clone()))))
            }
            Resource::Combined(view, sampler) => {
                if b.kind != DescriptorKind::CombinedImageSampler {
                    return Err(wrong("an image with sampler was"));
                }
                same_device(sampler, self)?;
                let size = u64::from(immutable.unwrap_or(sampler).number());
                let ptr = self.view_ptr(b, view)?;
                Ok((abi::Descriptor { ptr, size }, 0, Some(Kept::Image(view.clone()))))
            }
            Resource::Sampler(sampler) => {
                if b.kind != DescriptorKind::Sampler {
                    return Err(wrong("a sampler was"));
                }
                same_device(sampler, self)?;
                let size = u64::from(immutable.unwrap_or(sampler).number());
                Ok((abi::Descriptor { size, ..null_image() }, 0, None))
            }
            Resource::TexelBuffer(view) => {
                if !b.kind.is_texel_buffer() {
                    return Err(wrong("a texel buffer was"));
                }
                same_device(view, self)?;
                let ptr = view.header();
                Ok((abi::Descriptor { ptr, size: 0 }, 0, Some(Kept::TexelBuffer(view.clone()))))
            }
            Resource::Null if b.kind.is_buffer() || b.kind == DescriptorKind::Mutable => {
                Ok((null_buffer(), 0, None))
            }
            Resource::Null => {
                let size = immutable.map_or(0, |s| u64::from(s.number()));
                Ok((abi::Descriptor { size, ..null_image() }, 0, None))
            }
        }
    }

    fn view_ptr(&self, b: &DescriptorBinding, view: &ImageView) -> Result<u64> {
        let usage = match b.kind {
            DescriptorKind::StorageImage => ImageUsage::STORAGE,
            DescriptorKind::InputAttachment => ImageUsage::INPUT_ATTACHMENT,
            _ => ImageUsage::SAMPLED,
        };
        same_device(view, self)?;
        view.image().need(usage, "image descriptor")?;
        Ok(view.header(b.kind == DescriptorKind::StorageImage))
    }

    /// Copies a descriptor of another set of the same type. Spec: Vulkan, VkCopyDescriptorSet.
    ///
    /// Only for sets without a list of what they keep alive (those of a driver's pool).
    pub fn copy(&self, binding: u32, element: u32, from: (&DescriptorSet, u32, u32)) -> Result<()> {
        let (src, src_binding, src_element) = from;
        same_device(src, self)?;
        ensure(self.0.keeper.is_none() && src.0.keeper.is_none(), || {
            "descriptor copies are for sets of a pool".into()
        })?;
        let (to, kind) = self.locate(binding, element)?;
        let (at, src_kind) = src.locate(src_binding, src_element)?;
        if (kind, src_kind) == (DescriptorKind::InlineUniformBlock, DescriptorKind::InlineUniformBlock) {
            let from = src.0.layout.0.first[at] as usize;
            let d = src.0.memory.read(from + 1 + src_element as usize / 16);
            let word = if src_element % 16 < 8 { d.ptr } else { d.size };
            return self.write_inline(binding, element, &[(word >> (src_element % 8 * 8)) as u8]);
        }
        let mutable = kind == DescriptorKind::Mutable || src_kind == DescriptorKind::Mutable;
        let plain = !kind.is_dynamic() && !src_kind.is_dynamic();
        ensure(kind == src_kind || (mutable && plain), || {
            format!("descriptor copy from {src_kind:?} to {kind:?}")
        })?;
        // What the source is not reads as null, and so do copies of it.
        let (buffer, image) = src.0.layout.records_of(at, src_element);
        let read = |i: usize| src.0.memory.read(i);
        let as_buffer = buffer.map_or(unwritten_buffer(), read);
        let as_image = image.map_or(unwritten_image(), read);
        let second = buffer.filter(|_| kind.is_dynamic()).map(|i| read(i + 1));
        self.put(to, element, (as_buffer, as_image), second);
        Ok(())
    }

    fn position(&self, binding: u32) -> Result<usize> {
        let found = self.0.layout.find(binding);
        found.ok_or_else(|| Error::invalid(format!("the set has no binding {binding}")))
    }

    /// Position and kind of a binding that has such an element.
    fn locate(&self, binding: u32, element: u32) -> Result<(usize, DescriptorKind)> {
        let at = self.position(binding)?;
        let b = &self.0.layout.0.bindings[at];
        ensure(element < b.count, || format!("element {element} of binding {binding} with {}", b.count))?;
        Ok((at, b.kind))
    }

    /// What an element of a binding holds; `None`: there is none.
    pub(crate) fn held(&self, binding: u32, element: u32) -> Option<Held> {
        let (at, kind) = self.locate(binding, element).ok()?;
        let (buffer, image) = self.0.layout.records_of(at, element);
        let read = |i: usize| self.0.memory.read(i);
        Some(Held { kind, buffer: buffer.map(read), image: image.map(read) })
    }

    /// Appends the records of dynamic buffers, with `offsets` applied, in binding order.
    pub(crate) fn dynamic_records(&self, offsets: &[u32], out: &mut Vec<abi::Descriptor>) {
        let mut offsets = offsets.iter();
        let layout = &self.0.layout.0;
        for (b, first) in layout.bindings.iter().zip(&layout.first) {
            if !b.kind.is_dynamic() {
                continue;
            }
            for i in 0..b.count {
                let index = (first + i * 2) as usize;
                let offset = u64::from(offsets.next().copied().unwrap_or(0));
                let base = self.0.memory.read(index);
                let left = self.0.memory.read(index + 1).size.saturating_sub(offset);
                out.push(match base.size.min(left) {
                    // What it was stays what it was: null, never written, or past its end.
                    0 => abi::Descriptor { ptr: base.ptr, size: 0 },
                    size => abi::Descriptor { ptr: base.ptr + offset, size },
                });
            }
        }
    }

    /// A submission starts to use the set.
    pub(crate) fn acquire(&self) {
        if let Some(keeper) = &self.0.keeper {
            let _guard = keeper.kept.lock().unwrap_or_else(|e| e.into_inner());
            keeper.pending.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// A submission is done with it.
    pub(crate) fn release(&self) {
        if let Some(keeper) = &self.0.keeper {
            keeper.pending.fetch_sub(1, Ordering::AcqRel);
        }
    }
}
