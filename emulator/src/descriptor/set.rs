//! Descriptor sets: records in memory that shaders read, and references that keep the named resources alive.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_check::events::Event;
use quadrille_jit::abi::{self, DescriptorForm, sampler_of_word, sampler_word};
use quadrille_jit::handle::{Handle, HandleKind, HandleRecord};
use quadrille_jit::reserve;

use super::kind::DescriptorKind;
use super::layout::{
    DescriptorBinding, DescriptorSetLayout, handle_in, null_image, of_handle, unwritten_image,
};
use crate::error::{Error, Result, ensure};
use crate::flags::{BufferUsage, ImageUsage};
use crate::memory::{SetMemory, null_buffer, unwritten_buffer};
use crate::object::{objects, same_device, shared};
use crate::observation::watching::Watching;
use crate::rays::AccelerationStructure;
use crate::resource::buffer::Buffer;
use crate::resource::buffer_view::BufferView;
use crate::resource::image::ImageView;
use crate::resource::sampler::Sampler;

/// Resource that a descriptor refers to.
#[derive(Clone, Copy, Debug)]
pub enum Resource<'a> {
    /// A range of a buffer.
    Buffer {
        /// The buffer.
        buffer: &'a Buffer,
        /// First byte of the range.
        offset: u64,
        /// Size of the range, in bytes; `None` means up to the end of the buffer.
        range: Option<u64>,
    },
    /// A sampled image, storage image or input attachment.
    Image(&'a ImageView),
    /// A sampler.
    Sampler(&'a Sampler),
    /// An image with its sampler, which is ignored where the layout has an immutable one.
    Combined(&'a ImageView, &'a Sampler),
    /// A texel buffer.
    TexelBuffer(&'a BufferView),
    /// An acceleration structure.
    Structure(&'a AccelerationStructure),
    /// A null descriptor: reads give zero, and writes are dropped.
    Null,
}

/// Contents of an element of a binding: the records that shaders use as a buffer, and as an image or sampler.
pub(crate) struct Held {
    pub kind: DescriptorKind,
    pub buffer: Option<abi::Descriptor>,
    pub image: Option<abi::Descriptor>,
}

/// Resolves a handle in a set.
pub(super) fn held(layout: &DescriptorSetLayout, kind: DescriptorKind, record: HandleRecord) -> Held {
    let resolve = |kind| layout.0.handles.resolve(record, kind);
    let size = sampler_word(record.handle.sampler());
    let image = match resolve(HandleKind::Image).or_else(|| resolve(HandleKind::TexelBuffer)) {
        Some(view) => Some(abi::Descriptor { size, ..view }),
        None => (size != 0).then(|| abi::Descriptor { size, ..null_image() }),
    };
    Held { kind, buffer: resolve(HandleKind::Buffer), image }
}

/// Reference that keeps a bound resource alive.
#[expect(dead_code, reason = "the value only keeps a resource alive")]
enum Kept {
    Buffer(Buffer),
    Image(ImageView),
    TexelBuffer(BufferView),
    Structure(AccelerationStructure),
}

struct SetInner {
    layout: DescriptorSetLayout,
    memory: SetMemory,
    /// `None` for sets that keep no resource alive.
    keeper: Option<Box<Keeper>>,
    /// For each resolved record of a set that keeps nothing alive, the handle of its resource. Copies to bindings with
    /// handles need it.
    origins: Box<[AtomicU64]>,
}

/// Additional state that makes a set of the Rust API safe. Sets of a driver do without, because there are many.
struct Keeper {
    /// References by record index.
    kept: Mutex<Vec<Option<Kept>>>,
    /// Number of submissions that use the set.
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
        DescriptorSet::with(layout, &layout.0.template, retain)
    }

    /// Returns a set that keeps no resource alive, with this many elements of a last binding of variable count.
    pub(super) fn of_count(layout: &DescriptorSetLayout, elements: u32) -> Self {
        DescriptorSet::with(layout, &layout.0.template[..layout.records_with(elements)], false)
    }

    fn with(layout: &DescriptorSetLayout, template: &[abi::Descriptor], retain: bool) -> Self {
        let memory = SetMemory::new(template);
        let mut origins = reserve::carry(reserve::with_room(if retain { 0 } else { template.len() }));
        origins.resize_with(if retain { 0 } else { template.len() }, || AtomicU64::new(Handle::UNWRITTEN.0));
        DescriptorSet(Arc::new(SetInner {
            layout: layout.clone(),
            memory,
            keeper: retain.then(|| {
                let mut kept = reserve::carry(reserve::with_room(template.len()));
                kept.resize_with(template.len(), || None);
                Box::new(Keeper { kept: Mutex::new(kept), pending: AtomicU32::new(0) })
            }),
            origins: origins.into_boxed_slice(),
        }))
    }

    /// Returns a set without a pool that keeps no resource alive: the next state of push descriptors. It starts with
    /// the contents of `before` if that has a compatible layout. Spec: Vulkan, vkCmdPushDescriptorSet.
    ///
    /// # Safety
    /// The conditions of [`super::DescriptorPool::allocate`] hold.
    #[expect(unsafe_code, reason = "callers of a driver promise valid usage")]
    pub unsafe fn pushed(layout: &DescriptorSetLayout, before: Option<&DescriptorSet>) -> DescriptorSet {
        let set = DescriptorSet::new(layout, false);
        if let Some(before) = before.filter(|b| b.layout().compatible(layout)) {
            for i in 0..layout.0.template.len() {
                set.0.memory.write(i, before.0.memory.read(i));
                set.set_origin(i, before.origin(i));
                set.tell_copied(i, before, i);
            }
        }
        set
    }

    /// Writes bytes of an inline uniform block from byte `offset` on.
    ///
    /// # Errors
    /// `Invalid` if the binding is not an inline uniform block with these bytes, or if an unfinished submission uses
    /// the set.
    pub fn write_inline(&self, binding: u32, offset: u32, bytes: &[u8]) -> Result<()> {
        let at = self.position(binding)?;
        let (kind, size) = (self.0.layout.0.bindings[at].kind, self.elements(at));
        ensure(kind == DescriptorKind::InlineUniformBlock, || {
            format!("binding {binding} is a {kind:?}, but bytes were given")
        })?;
        let end = u64::from(offset) + bytes.len() as u64;
        ensure(end <= u64::from(size), || {
            format!("bytes {offset}..{end} of an inline uniform block of {size}")
        })?;
        let first = self.0.layout.0.first[at] as usize;
        let _kept = self.writable()?;
        for (i, &byte) in bytes.iter().enumerate() {
            let at = offset as usize + i;
            let record = first + at / 16;
            let mut d = self.0.memory.read(record);
            let word = if at % 16 < 8 { &mut d.ptr } else { &mut d.size };
            let shift = at % 8 * 8;
            *word = *word & !(0xff << shift) | u64::from(byte) << shift;
            self.0.memory.write(record, d);
        }
        Ok(())
    }

    /// Locks the set against other writes and against use by new submissions while the result lives. The result is the
    /// list of kept resources. Sets of a pool have no lock: their users order accesses.
    fn writable(&self) -> Result<Option<MutexGuard<'_, Vec<Option<Kept>>>>> {
        let Some(keeper) = &self.0.keeper else { return Ok(None) };
        let list = keeper.kept.lock().unwrap_or_else(|e| e.into_inner());
        ensure(keeper.pending.load(Ordering::Acquire) == 0, || {
            "descriptor set written while a submission uses it".into()
        })?;
        Ok(Some(list))
    }

    /// Layout of the set.
    pub fn layout(&self) -> &DescriptorSetLayout {
        &self.0.layout
    }

    /// Host address of the records.
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.0.memory.as_ptr()
    }

    /// Size of the records, in bytes.
    pub(crate) fn bytes(&self) -> u32 {
        (self.0.memory.len() * size_of::<abi::Descriptor>()) as u32
    }

    /// Returns the handle of a record's resource; see [`SetInner::origins`].
    fn origin(&self, record: usize) -> Handle {
        self.0.origins.get(record).map_or(Handle::UNWRITTEN, |h| Handle(h.load(Ordering::Relaxed)))
    }

    fn set_origin(&self, record: usize, handle: Handle) {
        if let Some(origin) = self.0.origins.get(record) {
            origin.store(handle.0, Ordering::Relaxed);
        }
    }

    /// Binds a whole buffer to element 0 of a binding.
    ///
    /// # Errors
    /// Those of [`DescriptorSet::write`].
    pub fn write_buffer(&self, binding: u32, buffer: &Buffer) -> Result<()> {
        self.write(binding, 0, Resource::Buffer { buffer, offset: 0, range: None })
    }

    /// Binds a resource to element `element` of `binding`.
    ///
    /// # Errors
    /// `Invalid` when there is no such element, and when an unfinished submission uses the set. `Invalid` also unless
    /// the resource has the type of the binding, the usage that it needs, memory, and the same device. `Limit` when too
    /// many resources have handles, which partially bound and mutable bindings need.
    pub fn write(&self, binding: u32, element: u32, resource: Resource<'_>) -> Result<()> {
        let kind = self.layout().binding(binding).map_or(DescriptorKind::Mutable, |b| b.kind);
        self.write_as(binding, element, kind, resource)
    }

    /// Writes like [`DescriptorSet::write`] to a mutable descriptor, which becomes one of this kind.
    ///
    /// # Errors
    /// Those of [`DescriptorSet::write`].
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
            format!("binding {binding} is an inline uniform block, but a resource was given")
        })?;
        self.has(at, element)?;
        let immutable = b.immutable_samplers.get(element as usize);
        self.fits(b, &resource)?;
        let form = inner.layout.0.forms[at];
        let handle = match form {
            DescriptorForm::Resolved if inner.keeper.is_some() => Handle::UNWRITTEN.into(),
            _ => handle_of(b, immutable, &resource)?,
        };
        let (resolved, left) = resolved(b, immutable, &resource)?;
        let list = self.writable()?;
        let record = if form == DescriptorForm::Handles { of_handle(handle) } else { resolved };
        let index = inner.layout.record_of(at, element);
        inner.memory.write(index, record);
        self.set_origin(index, handle.handle);
        if b.kind.is_dynamic() {
            inner.memory.write(index + 1, abi::Descriptor { ptr: resolved.ptr, size: left });
        }
        if let Some(mut list) = list {
            list[index] = kept(&resource);
        }
        Ok(())
    }

    /// Returns `Invalid` unless the resource has the binding's kind, belongs to the set's device, and has the required
    /// usage.
    fn fits(&self, b: &DescriptorBinding, resource: &Resource<'_>) -> Result<()> {
        use DescriptorKind as K;
        let (fits, what) = match resource {
            Resource::Buffer { .. } => {
                (b.kind.is_buffer() && b.kind != K::AccelerationStructure, "a buffer was")
            }
            Resource::Structure(_) => (b.kind == K::AccelerationStructure, "an acceleration structure was"),
            Resource::Image(_) => (b.kind.is_image(), "an image was"),
            Resource::Combined(..) => (b.kind == K::CombinedImageSampler, "an image with sampler was"),
            Resource::Sampler(_) => (b.kind == K::Sampler, "a sampler was"),
            Resource::TexelBuffer(_) => (b.kind.is_texel_buffer(), "a texel buffer was"),
            Resource::Null => (true, ""),
        };
        ensure(fits, || format!("binding {} is a {:?}, but {what} given", b.binding, b.kind))?;
        match *resource {
            Resource::Buffer { buffer, offset, .. } => {
                same_device(buffer, self)?;
                let uniform = matches!(b.kind, K::UniformBuffer | K::UniformBufferDynamic);
                let usage = if uniform { BufferUsage::UNIFORM } else { BufferUsage::STORAGE };
                buffer.need(usage, "descriptor")?;
                ensure(offset.is_multiple_of(4), || format!("descriptor offset {offset} is not aligned"))
            }
            Resource::Combined(view, sampler) => {
                same_device(sampler, self)?;
                self.fits_view(b, view)
            }
            Resource::Image(view) => self.fits_view(b, view),
            Resource::Sampler(sampler) => same_device(sampler, self),
            Resource::TexelBuffer(view) => same_device(view, self),
            Resource::Structure(structure) => same_device(structure, self),
            Resource::Null => Ok(()),
        }
    }

    fn fits_view(&self, b: &DescriptorBinding, view: &ImageView) -> Result<()> {
        let usage = match b.kind {
            DescriptorKind::StorageImage => ImageUsage::STORAGE,
            DescriptorKind::InputAttachment => ImageUsage::INPUT_ATTACHMENT,
            _ => ImageUsage::SAMPLED,
        };
        same_device(view, self)?;
        view.image().need(usage, "image descriptor")
    }

    /// Copies a descriptor of another set; immutable samplers stay. Spec: Vulkan, VkCopyDescriptorSet,
    /// VkDescriptorSetLayoutBinding.
    ///
    /// Only for sets that keep no resource alive (those of a driver's pool).
    ///
    /// # Errors
    /// `Invalid` for other sets, for sets of different devices, for an element that a set does not have, and for
    /// different types.
    pub fn copy(&self, binding: u32, element: u32, from: (&DescriptorSet, u32, u32)) -> Result<()> {
        let (src, src_binding, src_element) = from;
        same_device(src, self)?;
        ensure(self.0.keeper.is_none() && src.0.keeper.is_none(), || {
            "descriptors can only be copied between sets of a pool".into()
        })?;
        let (to, kind) = self.locate(binding, element)?;
        let (at, src_kind) = src.locate(src_binding, src_element)?;
        if (kind, src_kind) == (DescriptorKind::InlineUniformBlock, DescriptorKind::InlineUniformBlock) {
            let from = src.0.layout.0.first[at] as usize;
            let d = src.0.memory.read(from + src_element as usize / 16);
            let word = if src_element % 16 < 8 { d.ptr } else { d.size };
            return self.write_inline(binding, element, &[(word >> (src_element % 8 * 8)) as u8]);
        }
        let mutable = kind == DescriptorKind::Mutable || src_kind == DescriptorKind::Mutable;
        let plain = !kind.is_dynamic() && !src_kind.is_dynamic();
        ensure(kind == src_kind || (mutable && plain), || {
            format!("descriptor copy from {src_kind:?} to {kind:?}")
        })?;
        let (from, index) = (src.0.layout.record_of(at, src_element), self.0.layout.record_of(to, element));
        let forms = [src.0.layout.0.forms[at], self.0.layout.0.forms[to]];
        let (record, origin) = (src.0.memory.read(from), src.origin(from));
        let (copy, origin) = match forms {
            [DescriptorForm::Resolved, DescriptorForm::Handles] => {
                // The destination may be mutable, but not the source, whose form mutable descriptors do not have.
                let named = self.named(src_kind, record, origin)?;
                (of_handle(named), named.handle)
            }
            [DescriptorForm::Handles, DescriptorForm::Resolved] => self.found(kind, handle_in(record)),
            _ => (record, origin),
        };
        let (copy, origin) = match self.0.layout.0.bindings[to].immutable_samplers.get(element as usize) {
            Some(sampler) => with_sampler((copy, origin), forms[1], sampler),
            None => (copy, origin),
        };
        self.0.memory.write(index, copy);
        self.set_origin(index, origin);
        self.tell_copied(index, src, from);
        if kind.is_dynamic() {
            self.0.memory.write(index + 1, src.0.memory.read(from + 1));
        }
        Ok(())
    }

    /// Returns the descriptor with a handle that leads to the same resource as a resolved record with this origin.
    fn named(&self, kind: DescriptorKind, record: abi::Descriptor, origin: Handle) -> Result<HandleRecord> {
        if !kind.is_buffer() {
            return Ok(origin.with_sampler(sampler_of_word(record.size)).into());
        }
        let Some(buffer) = Buffer::of_handle(&self.0.layout.0.handles, origin) else {
            return Ok(origin.into());
        };
        let offset = record.ptr.checked_sub(buffer.address()?);
        let offset = offset.ok_or_else(|| Error::Internal("a range of another buffer".into()))?;
        Ok(buffer.handle(offset, Some(record.size))?.0)
    }

    /// Resolves a descriptor as a kind to a record, and returns the handle to store as the record's origin.
    fn found(&self, kind: DescriptorKind, named: HandleRecord) -> (abi::Descriptor, Handle) {
        let (as_buffer, handle) = (kind.is_buffer(), named.handle);
        let sampled = |record| match as_buffer {
            true => record,
            false => abi::Descriptor { size: sampler_word(handle.sampler()), ..record },
        };
        if let Some(record) = self.0.layout.0.handles.resolve(named, kind.handle()) {
            return (sampled(record), handle);
        }
        let (record, none) = match (as_buffer, handle.is_null()) {
            (true, true) => (null_buffer(), Handle::NULL),
            (true, false) => (unwritten_buffer(), Handle::UNWRITTEN),
            (false, true) => (null_image(), Handle::NULL),
            (false, false) => (unwritten_image(), Handle::UNWRITTEN),
        };
        (sampled(record), none)
    }

    /// Returns the watcher of the layouts that image descriptors declare.
    pub(crate) fn watch(&self) -> Option<&Watching> {
        self.0.layout.0.watch.as_ref()
    }

    /// Returns the address of an element of a binding in the set's memory.
    pub(crate) fn place_of(&self, binding: u32, element: u32) -> Option<u64> {
        let (at, _) = self.locate(binding, element).ok()?;
        Some(self.place_of_record(self.0.layout.record_of(at, element)))
    }

    fn place_of_record(&self, index: usize) -> u64 {
        self.0.memory.as_ptr() as u64 + (index * size_of::<abi::Descriptor>()) as u64
    }

    /// Tells the watcher that a descriptor was copied from another record.
    fn tell_copied(&self, index: usize, of: &DescriptorSet, from: usize) {
        if let Some(watch) = self.watch() {
            let (from, to) = (of.place_of_record(from), self.place_of_record(index));
            watch.tell(&Event::DescriptorCopied { from, to });
        }
    }

    fn position(&self, binding: u32) -> Result<usize> {
        let found = self.0.layout.find(binding);
        found.ok_or_else(|| Error::invalid(format!("the set has no binding {binding}")))
    }

    /// Returns position and kind of a binding that has the given element.
    fn locate(&self, binding: u32, element: u32) -> Result<(usize, DescriptorKind)> {
        let at = self.position(binding)?;
        self.has(at, element)?;
        Ok((at, self.0.layout.0.bindings[at].kind))
    }

    /// Number of elements of a binding, by position.
    fn elements(&self, at: usize) -> u32 {
        self.0.layout.elements(at, self.0.memory.len())
    }

    /// Returns `Invalid` unless the set has this element of a binding, by position.
    fn has(&self, at: usize, element: u32) -> Result<()> {
        let n = self.elements(at);
        ensure(element < n, || {
            format!("element {element} of binding {} with {n}", self.0.layout.0.bindings[at].binding)
        })
    }

    /// Returns the contents of an element of a binding, or `None` if there is no such element.
    pub(crate) fn held(&self, binding: u32, element: u32) -> Option<Held> {
        let (at, kind) = self.locate(binding, element).ok()?;
        let record = self.0.memory.read(self.0.layout.record_of(at, element));
        Some(match self.0.layout.0.forms[at] {
            DescriptorForm::Handles => held(&self.0.layout, kind, handle_in(record)),
            DescriptorForm::Inline => Held { kind, buffer: None, image: None },
            DescriptorForm::Resolved if kind.is_buffer() => Held { kind, buffer: Some(record), image: None },
            DescriptorForm::Resolved => Held { kind, buffer: None, image: Some(record) },
        })
    }

    /// Appends the records of dynamic buffers, with `offsets` applied, in binding order.
    pub(crate) fn dynamic_records(&self, offsets: &[u32], out: &mut Vec<abi::Descriptor>) {
        let mut offsets = offsets.iter();
        let layout = &self.0.layout.0;
        for ((b, first), form) in layout.bindings.iter().zip(&layout.first).zip(&layout.forms) {
            if !b.kind.is_dynamic() {
                continue;
            }
            for i in 0..b.count {
                let index = (first + i * 2) as usize;
                let offset = u64::from(offsets.next().copied().unwrap_or(0));
                let base = match (form, self.0.memory.read(index)) {
                    (DescriptorForm::Handles, record) => self.found(b.kind, handle_in(record)).0,
                    (_, record) => record,
                };
                let left = self.0.memory.read(index + 1).size.saturating_sub(offset);
                out.push(match base.size.min(left) {
                    // An empty range keeps its base pointer, which tells a null, an unwritten and an exhausted
                    // descriptor apart.
                    0 => abi::Descriptor { ptr: base.ptr, size: 0 },
                    size => abi::Descriptor { ptr: base.ptr + offset, size },
                });
            }
        }
    }

    /// Marks the set as used by one more submission.
    pub(crate) fn acquire(&self) {
        if let Some(keeper) = &self.0.keeper {
            let _guard = keeper.kept.lock().unwrap_or_else(|e| e.into_inner());
            keeper.pending.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Marks the set as used by one submission less.
    pub(crate) fn release(&self) {
        if let Some(keeper) = &self.0.keeper {
            keeper.pending.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// Returns a record of an image in this form, and the handle of its resource, with another sampler.
fn with_sampler(
    (record, origin): (abi::Descriptor, Handle),
    form: DescriptorForm,
    sampler: &Sampler,
) -> (abi::Descriptor, Handle) {
    match form {
        DescriptorForm::Handles => {
            let named = handle_in(record);
            let handle = named.handle.with_sampler(sampler.number());
            (of_handle(HandleRecord { handle, ..named }), handle)
        }
        DescriptorForm::Resolved => {
            (abi::Descriptor { size: sampler_word(sampler.number()), ..record }, origin)
        }
        DescriptorForm::Inline => (record, origin),
    }
}

/// Returns the descriptor of a resource with a handle, for a binding's kind.
fn handle_of(
    b: &DescriptorBinding,
    immutable: Option<&Sampler>,
    resource: &Resource<'_>,
) -> Result<HandleRecord> {
    let sampled = |handle: Handle, given: Option<&Sampler>| {
        immutable.or(given).map_or(handle, |s| handle.with_sampler(s.number())).into()
    };
    let storage = b.kind == DescriptorKind::StorageImage;
    Ok(match *resource {
        Resource::Buffer { buffer, offset, range } => buffer.handle(offset, range)?.0,
        Resource::Image(view) => sampled(view.handle(storage)?, None),
        Resource::Combined(view, sampler) => sampled(view.handle(storage)?, Some(sampler)),
        Resource::Sampler(sampler) => sampled(Handle::NULL, Some(sampler)),
        Resource::TexelBuffer(view) => view.handle()?.into(),
        Resource::Structure(of) => of.reference()?.handle(0, None)?.0,
        Resource::Null => sampled(Handle::NULL, None),
    })
}

/// Returns the record of a resource for a binding's kind, and, for a buffer, the number of bytes from the record's
/// start to the end of the buffer.
fn resolved(
    b: &DescriptorBinding,
    immutable: Option<&Sampler>,
    resource: &Resource<'_>,
) -> Result<(abi::Descriptor, u64)> {
    let sampler = |given: Option<&Sampler>| immutable.or(given).map_or(0, |s| sampler_word(s.number()));
    let storage = b.kind == DescriptorKind::StorageImage;
    let view = |ptr: u64, size: u64| Ok((abi::Descriptor { ptr, size }, 0));
    match *resource {
        Resource::Buffer { buffer, offset, range } => buffer.descriptor(offset, range),
        Resource::Image(of) => view(of.header(storage), sampler(None)),
        Resource::Combined(of, with) => view(of.header(storage), sampler(Some(with))),
        Resource::Sampler(with) => view(null_image().ptr, sampler(Some(with))),
        Resource::TexelBuffer(of) => view(of.header(), 0),
        Resource::Structure(of) => of.reference()?.descriptor(0, None),
        Resource::Null if b.kind.is_buffer() || b.kind == DescriptorKind::Mutable => Ok((null_buffer(), 0)),
        Resource::Null => view(null_image().ptr, sampler(None)),
    }
}

/// Returns the reference that keeps a resource alive.
fn kept(resource: &Resource<'_>) -> Option<Kept> {
    match *resource {
        Resource::Buffer { buffer, .. } => Some(Kept::Buffer(buffer.clone())),
        Resource::Image(view) | Resource::Combined(view, _) => Some(Kept::Image(view.clone())),
        Resource::TexelBuffer(view) => Some(Kept::TexelBuffer(view.clone())),
        Resource::Structure(of) => Some(Kept::Structure(of.clone())),
        Resource::Sampler(_) | Resource::Null => None,
    }
}
