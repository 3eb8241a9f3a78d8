//! Descriptor set layouts, sets and pools.
//!
//! A set is a list of plain [`abi::Descriptor`] records, which shaders read as they are. What the
//! Rust API binds is kept alive by a list beside the records; a driver, whose callers promise to keep
//! resources alive themselves, allocates sets without that list from a [`DescriptorPool`].
//!
//! Fresh sets hold null descriptors: they read as zero and drop writes.
//!
//! A mutable descriptor has two records, one for shaders that read it as a buffer and one for those that read
//! it as an image, texel buffer or sampler. The one that it is not is null, so that a shader which takes it for
//! something else reads zeros. Views of every sort may stand for each other: their routines check.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_jit::abi;
use quadrille_jit::ir::ResourceKind;
use quadrille_jit::reserve;
use quadrille_raster::sampling::View;

use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::{BufferUsage, ImageUsage, ShaderStages};
use crate::image::{BufferView, ImageView};
use crate::limits::{LIMITS, at_most};
use crate::memory::{SetMemory, null_buffer};
use crate::object::{objects, same_device, shared};
use crate::sampler::Sampler;

/// Type of a descriptor; the numbers are those of VkDescriptorType as far as they are of Vulkan 1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkDescriptorType")]
#[repr(u32)]
pub enum DescriptorKind {
    Sampler = 0,
    CombinedImageSampler = 1,
    SampledImage = 2,
    StorageImage = 3,
    UniformTexelBuffer = 4,
    StorageTexelBuffer = 5,
    UniformBuffer = 6,
    StorageBuffer = 7,
    UniformBufferDynamic = 8,
    StorageBufferDynamic = 9,
    InputAttachment = 10,
    /// Bytes in the set itself; the count is their number.
    InlineUniformBlock = 11,
    /// What is written says what it is. Spec: VK_EXT_mutable_descriptor_type.
    Mutable = 12,
}

impl DescriptorKind {
    /// Every kind, in the order of the numbers.
    pub const ALL: [DescriptorKind; 13] = [
        DescriptorKind::Sampler,
        DescriptorKind::CombinedImageSampler,
        DescriptorKind::SampledImage,
        DescriptorKind::StorageImage,
        DescriptorKind::UniformTexelBuffer,
        DescriptorKind::StorageTexelBuffer,
        DescriptorKind::UniformBuffer,
        DescriptorKind::StorageBuffer,
        DescriptorKind::UniformBufferDynamic,
        DescriptorKind::StorageBufferDynamic,
        DescriptorKind::InputAttachment,
        DescriptorKind::InlineUniformBlock,
        DescriptorKind::Mutable,
    ];

    /// The kind of a VkDescriptorType number.
    pub fn from_vk(number: i32) -> Option<Self> {
        match number {
            1_000_138_000 => Some(DescriptorKind::InlineUniformBlock),
            1_000_351_000 => Some(DescriptorKind::Mutable),
            0..=10 => Self::ALL.get(number as usize).copied(),
            _ => None,
        }
    }

    /// Whether an offset is added when the set is bound.
    pub fn is_dynamic(self) -> bool {
        matches!(self, DescriptorKind::UniformBufferDynamic | DescriptorKind::StorageBufferDynamic)
    }

    fn is_image(self) -> bool {
        use DescriptorKind::*;
        matches!(self, CombinedImageSampler | SampledImage | StorageImage | InputAttachment)
    }

    fn is_texel_buffer(self) -> bool {
        matches!(self, DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer)
    }

    fn is_buffer(self) -> bool {
        use DescriptorKind::*;
        matches!(self, UniformBuffer | StorageBuffer | UniformBufferDynamic | StorageBufferDynamic)
    }

    /// Whether a shader's binding of kind `used` can read such descriptors.
    pub(crate) fn serves(self, used: ResourceKind) -> bool {
        use DescriptorKind as D;
        if self == D::Mutable {
            return true;
        }
        match used {
            ResourceKind::UniformBuffer => {
                matches!(self, D::UniformBuffer | D::UniformBufferDynamic | D::InlineUniformBlock)
            }
            ResourceKind::StorageBuffer => matches!(self, D::StorageBuffer | D::StorageBufferDynamic),
            ResourceKind::SampledImage => matches!(self, D::SampledImage | D::CombinedImageSampler),
            ResourceKind::Sampler => matches!(self, D::Sampler | D::CombinedImageSampler),
            ResourceKind::CombinedImageSampler => self == D::CombinedImageSampler,
            ResourceKind::StorageImage => self == D::StorageImage,
            ResourceKind::UniformTexelBuffer => self == D::UniformTexelBuffer,
            ResourceKind::StorageTexelBuffer => self == D::StorageTexelBuffer,
            ResourceKind::InputAttachment => self == D::InputAttachment,
        }
    }

    /// The kind that a reflected binding asks for.
    pub fn of(used: ResourceKind) -> Self {
        match used {
            ResourceKind::UniformBuffer => DescriptorKind::UniformBuffer,
            ResourceKind::StorageBuffer => DescriptorKind::StorageBuffer,
            ResourceKind::SampledImage => DescriptorKind::SampledImage,
            ResourceKind::Sampler => DescriptorKind::Sampler,
            ResourceKind::CombinedImageSampler => DescriptorKind::CombinedImageSampler,
            ResourceKind::StorageImage => DescriptorKind::StorageImage,
            ResourceKind::UniformTexelBuffer => DescriptorKind::UniformTexelBuffer,
            ResourceKind::StorageTexelBuffer => DescriptorKind::StorageTexelBuffer,
            ResourceKind::InputAttachment => DescriptorKind::InputAttachment,
        }
    }
}

/// One binding of a set layout.
#[derive(Clone, Debug)]
pub struct DescriptorBinding {
    /// Binding number.
    pub binding: u32,
    /// Type.
    pub kind: DescriptorKind,
    /// Array size; 0 reserves the number.
    pub count: u32,
    /// Stages that use it.
    pub stages: ShaderStages,
    /// Samplers that never change: none, or one per element.
    pub immutable_samplers: Vec<Sampler>,
    /// Descriptors that no invocation uses need not be valid. Matters to sets that keep nothing alive.
    pub partially_bound: bool,
}

impl DescriptorBinding {
    /// One descriptor for every stage.
    pub fn new(binding: u32, kind: DescriptorKind) -> Self {
        DescriptorBinding {
            binding,
            kind,
            count: 1,
            stages: ShaderStages::ALL,
            immutable_samplers: Vec::new(),
            partially_bound: false,
        }
    }

    /// Number of descriptors; the count of an inline uniform block is its size.
    pub(crate) fn descriptors(&self) -> u32 {
        if self.kind == DescriptorKind::InlineUniformBlock { self.count.min(1) } else { self.count }
    }

    /// Records per element: dynamic buffers keep what is left of the buffer beside the range. Mutable ones
    /// have a second list behind the first.
    fn records(&self) -> u32 {
        if self.kind.is_dynamic() { 2 } else { 1 }
    }

    /// Records in all.
    fn all_records(&self) -> u64 {
        let count = u64::from(self.count);
        match self.kind {
            DescriptorKind::InlineUniformBlock if count == 0 => 0,
            // A record, whose address each set puts in, and the bytes.
            DescriptorKind::InlineUniformBlock => {
                1 + count.max(abi::PAD_BYTES as u64).div_ceil(size_of::<abi::Descriptor>() as u64)
            }
            DescriptorKind::Mutable => 2 * count,
            _ => count * u64::from(self.records()),
        }
    }

    fn same(&self, other: &Self) -> bool {
        (self.binding, self.kind, self.count, self.partially_bound)
            == (other.binding, other.kind, other.count, other.partially_bound)
            && self.immutable_samplers.len() == other.immutable_samplers.len()
            && self
                .immutable_samplers
                .iter()
                .zip(&other.immutable_samplers)
                .all(|(a, b)| a.number() == b.number())
    }
}

struct LayoutInner {
    /// Number of the device.
    device: u64,
    /// Ordered by number.
    bindings: Vec<DescriptorBinding>,
    /// Index of the first record of each binding.
    first: Vec<u32>,
    /// A fresh set.
    template: Vec<abi::Descriptor>,
    n_dynamic: u32,
}

/// What a set holds. Spec: Vulkan, "Descriptor Set Layout".
#[derive(Clone)]
pub struct DescriptorSetLayout(Arc<LayoutInner>);

objects! {
    DescriptorSetLayout: "descriptor set layout" = |l| Some(l.0.device);
    DescriptorSet: "descriptor set" = |s| Some(s.0.layout.0.device);
    DescriptorPool: "descriptor pool" = |p| p.device.device_id();
}
shared!(DescriptorSet);

impl std::fmt::Debug for DescriptorSetLayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.0.bindings).finish()
    }
}

impl DescriptorSetLayout {
    pub(crate) fn new(device: &Device, bindings: &[DescriptorBinding]) -> Result<Self> {
        let mut bindings = bindings.to_vec();
        bindings.sort_by_key(|b| b.binding);
        if let Some(w) = bindings.windows(2).find(|w| w[0].binding == w[1].binding) {
            return Err(Error::invalid(format!("binding {} occurs twice in a set layout", w[0].binding)));
        }
        let total: u64 = bindings.iter().map(|b| u64::from(b.descriptors())).sum();
        at_most("descriptors in a set", total, LIMITS.max_descriptors_per_set.into())?;
        let records: u64 = bindings.iter().map(DescriptorBinding::all_records).sum();
        at_most("descriptors and bytes in a set", records, MAX_RECORDS)?;
        let mut first = Vec::with_capacity(bindings.len());
        let mut template = reserve::with_room(records as usize)?;
        let mut n_dynamic = 0;
        for b in &bindings {
            ensure([0, b.count as usize].contains(&b.immutable_samplers.len()), || {
                format!(
                    "binding {}: {} immutable samplers for {} descriptors",
                    b.binding,
                    b.immutable_samplers.len(),
                    b.count
                )
            })?;
            first.push(template.len() as u32);
            if b.kind.is_dynamic() {
                n_dynamic += b.count;
            }
            for sampler in &b.immutable_samplers {
                same_device(sampler, device)?;
            }
            if b.kind == DescriptorKind::InlineUniformBlock && b.count > 0 {
                at_most("inline uniform block", b.count.into(), LIMITS.max_inline_uniform_block_size.into())?;
                template.push(abi::Descriptor { ptr: 0, size: b.count.into() });
                let zero = abi::Descriptor { ptr: 0, size: 0 };
                template.resize(template.len() + b.all_records() as usize - 1, zero);
                continue;
            }
            if b.kind == DescriptorKind::Mutable {
                let n = b.count as usize;
                template.resize(template.len() + n, null_buffer());
                template.resize(template.len() + n, null_image());
                continue;
            }
            for i in 0..b.count as usize {
                let mut record = if b.kind.is_buffer() { null_buffer() } else { null_image() };
                if let Some(s) = b.immutable_samplers.get(i) {
                    record.size = u64::from(s.number());
                }
                template.push(record);
                if b.kind.is_dynamic() {
                    template.push(null_buffer());
                }
            }
        }
        let device = device.id();
        Ok(DescriptorSetLayout(Arc::new(LayoutInner { device, bindings, first, template, n_dynamic })))
    }

    /// The bindings, ordered by number.
    pub fn bindings(&self) -> &[DescriptorBinding] {
        &self.0.bindings
    }

    /// A binding by its number.
    pub fn binding(&self, binding: u32) -> Option<&DescriptorBinding> {
        self.find(binding).map(|i| &self.0.bindings[i])
    }

    fn find(&self, binding: u32) -> Option<usize> {
        self.0.bindings.binary_search_by_key(&binding, |b| b.binding).ok()
    }

    /// Number of dynamic offsets that binding a set takes.
    pub fn n_dynamic(&self) -> u32 {
        self.0.n_dynamic
    }

    /// Byte offsets in set memory of a binding, by position: of the first descriptor as a buffer, and as an
    /// image or sampler.
    pub(crate) fn offsets(&self, position: usize) -> (u32, u32) {
        let (buffer, image) = self.records_of(position, 0);
        let first = self.0.first[position] as usize;
        let bytes = |record: Option<usize>| record.unwrap_or(first) as u32 * abi::DESCRIPTOR_BYTES;
        (bytes(buffer), bytes(image))
    }

    /// The records that an element of a binding has as a buffer, and as an image or sampler.
    fn records_of(&self, position: usize, element: u32) -> (Option<usize>, Option<usize>) {
        let b = &self.0.bindings[position];
        let index = (self.0.first[position] + element * b.records()) as usize;
        match b.kind {
            DescriptorKind::Mutable => (Some(index), Some(index + b.count as usize)),
            DescriptorKind::InlineUniformBlock => (Some(self.0.first[position] as usize), None),
            kind if kind.is_buffer() => (Some(index), None),
            _ => (None, Some(index)),
        }
    }

    /// Whether sets of both layouts can stand for each other.
    pub fn compatible(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.bindings.len() == other.0.bindings.len()
                && self.0.bindings.iter().zip(&other.0.bindings).all(|(a, b)| a.same(b)))
    }
}

/// Records in a set: descriptors, and inline uniform blocks in units of a record.
const MAX_RECORDS: u64 = 1 << 22;

/// An image that reads as zero and drops writes.
fn null_image() -> abi::Descriptor {
    abi::Descriptor { ptr: View::null().address(), size: 0 }
}

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
    /// As for [`DescriptorPool::allocate`].
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
        let as_image = if is_image { record } else { null_image() };
        let as_buffer = if is_image { null_buffer() } else { record };
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
        let as_buffer = buffer.map_or(null_buffer(), read);
        let as_image = image.map_or(null_image(), read);
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
                    0 => null_buffer(),
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

/// Accounts for sets as Vulkan's pools do. Spec: Vulkan, "Allocation of Descriptor Sets".
#[derive(Debug)]
pub struct DescriptorPool {
    device: Device,
    max_sets: u32,
    sizes: [u32; DescriptorKind::ALL.len()],
    used_sets: u32,
    used: [u32; DescriptorKind::ALL.len()],
}

impl DescriptorPool {
    pub(crate) fn new(device: &Device, max_sets: u32, sizes: &[(DescriptorKind, u32)]) -> Self {
        let mut pool = DescriptorPool {
            device: device.clone(),
            max_sets,
            sizes: Default::default(),
            used_sets: 0,
            used: Default::default(),
        };
        for (kind, count) in sizes {
            let size = &mut pool.sizes[*kind as usize];
            *size = size.saturating_add(*count);
        }
        pool
    }

    /// A set that keeps nothing alive. `OutOfMemory` when the pool is used up.
    ///
    /// # Safety
    /// Whatever is written to the set must live until no submission can use the descriptor any more,
    /// and a set in use must only be written as update-after-bind allows.
    #[expect(unsafe_code, reason = "the contract of a driver's callers")]
    pub unsafe fn allocate(&mut self, layout: &DescriptorSetLayout) -> Result<DescriptorSet> {
        same_device(layout, self)?;
        let mut used = self.used;
        for b in layout.bindings() {
            let n = &mut used[b.kind as usize];
            *n = n.saturating_add(b.count);
            if *n > self.sizes[b.kind as usize] {
                return Err(Error::OutOfMemory(format!("descriptor pool: no {:?} left", b.kind)));
            }
        }
        if self.used_sets >= self.max_sets {
            return Err(Error::OutOfMemory(format!("descriptor pool: all {} sets used", self.max_sets)));
        }
        self.used = used;
        self.used_sets += 1;
        Ok(DescriptorSet::new(layout, false))
    }

    /// Gives back what a set of this pool took.
    pub fn free(&mut self, set: &DescriptorSet) {
        self.used_sets = self.used_sets.saturating_sub(1);
        for b in set.layout().bindings() {
            let n = &mut self.used[b.kind as usize];
            *n = n.saturating_sub(b.count);
        }
    }

    /// Gives back everything.
    pub fn reset(&mut self) {
        self.used_sets = 0;
        self.used = Default::default();
    }
}
