//! Descriptor set layouts: the bindings of a set, and the places of their records.

use std::sync::Arc;

use quadrille_jit::abi::{self, DescriptorForm, sampler_word};
use quadrille_jit::handle::{Handle, HandleRecord};
use quadrille_jit::reserve;
use quadrille_raster::sampling::View;

use super::kind::DescriptorKind;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::ShaderStages;
use crate::limits::{LIMITS, at_most};
use crate::memory::unwritten_buffer;
use crate::object::{objects, same_device};
use crate::observation::watching::Watching;
use crate::resource::sampler::Sampler;
use crate::tables::handles::Handles;

/// One binding of a set layout.
#[derive(Clone, Debug)]
pub struct DescriptorBinding {
    /// Binding number.
    pub binding: u32,
    /// Descriptor type.
    pub kind: DescriptorKind,
    /// Array size; 0 reserves the binding number.
    pub count: u32,
    /// Stages that may use the binding.
    pub stages: ShaderStages,
    /// Immutable samplers: none, or one per element.
    pub immutable_samplers: Vec<Sampler>,
    /// `true` if descriptors that no invocation uses may be invalid. Those of sets of a [`DescriptorPool`] may also be
    /// written while submissions run; other sets refuse writes then. The records of such bindings are handles.
    ///
    /// [`DescriptorPool`]: super::DescriptorPool
    pub partially_bound: bool,
    /// `true` if sets may have fewer elements: those of [`DescriptorPool::allocate_with`], if the binding has the
    /// greatest number and is not dynamic. The records of such bindings are handles.
    ///
    /// [`DescriptorPool::allocate_with`]: super::DescriptorPool::allocate_with
    pub variable_count: bool,
}

impl DescriptorBinding {
    /// Returns a binding of one descriptor for every stage.
    pub fn new(binding: u32, kind: DescriptorKind) -> Self {
        DescriptorBinding {
            binding,
            kind,
            count: 1,
            stages: ShaderStages::ALL,
            immutable_samplers: Vec::new(),
            partially_bound: false,
            variable_count: false,
        }
    }

    /// Number of descriptors; an inline uniform block, whose count is its size in bytes, has one.
    pub(crate) fn descriptors(&self) -> u32 {
        if self.kind == DescriptorKind::InlineUniformBlock { self.count.min(1) } else { self.count }
    }

    /// Number of records per element. A dynamic buffer has two: the range, and the number of bytes from its start to
    /// the end of the buffer.
    fn records(&self) -> u32 {
        if self.kind.is_dynamic() { 2 } else { 1 }
    }

    /// `true` if sets may have fewer elements than the layout.
    fn varies(&self) -> bool {
        self.variable_count && !self.kind.is_dynamic()
    }

    /// Number of records of all elements.
    fn all_records(&self) -> u64 {
        self.records_of(self.count)
    }

    /// Number of records of this many elements.
    fn records_of(&self, elements: u32) -> u64 {
        let count = u64::from(elements);
        match self.kind {
            DescriptorKind::InlineUniformBlock if count == 0 => 0,
            // Records that hold the bytes of the block.
            DescriptorKind::InlineUniformBlock => {
                count.max(abi::PAD_BYTES as u64).div_ceil(size_of::<abi::Descriptor>() as u64)
            }
            _ => count * u64::from(self.records()),
        }
    }

    /// Returns the form of the records in set memory. Applications can write partially bound bindings while submissions
    /// run, and sets in buffers directly, so those records are handles. Records of mutable bindings are also handles,
    /// because the handle has the type; and those of a variable number, because shaders compare with the size of the
    /// set only where they read handles.
    fn form(&self, in_buffers: bool) -> DescriptorForm {
        match self.kind {
            DescriptorKind::InlineUniformBlock => DescriptorForm::Inline,
            DescriptorKind::Mutable => DescriptorForm::Handles,
            _ if self.partially_bound || self.varies() || in_buffers => DescriptorForm::Handles,
            _ => DescriptorForm::Resolved,
        }
    }

    /// Returns the first record of an element in a new set.
    fn unwritten(&self, form: DescriptorForm, element: usize) -> abi::Descriptor {
        let sampler = self.immutable_samplers.get(element).map_or(0, Sampler::number);
        match form {
            DescriptorForm::Handles => of_handle(Handle::UNWRITTEN.with_sampler(sampler).into()),
            DescriptorForm::Inline => abi::Descriptor { ptr: 0, size: 0 },
            DescriptorForm::Resolved if self.kind.is_buffer() => unwritten_buffer(),
            DescriptorForm::Resolved => abi::Descriptor { size: sampler_word(sampler), ..unwritten_image() },
        }
    }

    fn same(&self, other: &Self) -> bool {
        (self.binding, self.kind, self.count, self.partially_bound, self.variable_count)
            == (other.binding, other.kind, other.count, other.partially_bound, other.variable_count)
            && self.immutable_samplers.len() == other.immutable_samplers.len()
            && self
                .immutable_samplers
                .iter()
                .zip(&other.immutable_samplers)
                .all(|(a, b)| a.number() == b.number())
    }
}

pub(super) struct LayoutInner {
    /// Number that identifies the device.
    pub device: u64,
    /// Bindings, ordered by number.
    pub bindings: Vec<DescriptorBinding>,
    /// Index of the first record of each binding.
    pub first: Vec<u32>,
    /// Form of the records of each binding.
    pub forms: Vec<DescriptorForm>,
    /// Handles of the device.
    pub handles: Arc<Handles>,
    /// Watcher of the layouts that image descriptors declare.
    pub watch: Option<Watching>,
    /// `true` if the sets lie in buffers.
    pub in_buffers: bool,
    /// Records of a new set.
    pub template: Vec<abi::Descriptor>,
    n_dynamic: u32,
}

/// Layout of the descriptors in a set. Spec: Vulkan, "Descriptor Set Layout".
#[derive(Clone)]
pub struct DescriptorSetLayout(pub(super) Arc<LayoutInner>);

objects! { DescriptorSetLayout: "descriptor set layout" = |l| Some(l.0.device); }

impl std::fmt::Debug for DescriptorSetLayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.0.bindings).finish()
    }
}

impl DescriptorSetLayout {
    pub(crate) fn new(device: &Device, bindings: &[DescriptorBinding], in_buffers: bool) -> Result<Self> {
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
        let mut forms = Vec::with_capacity(bindings.len());
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
            ensure(!in_buffers || !b.kind.is_dynamic(), || {
                format!(
                    "binding {}: a {:?} in a set in buffers, which has no dynamic offsets",
                    b.binding, b.kind
                )
            })?;
            let form = b.form(in_buffers);
            first.push(template.len() as u32);
            forms.push(form);
            if b.kind.is_dynamic() {
                n_dynamic += b.count;
            }
            for sampler in &b.immutable_samplers {
                same_device(sampler, device)?;
            }
            if b.kind == DescriptorKind::InlineUniformBlock && b.count > 0 {
                at_most("inline uniform block", b.count.into(), LIMITS.max_inline_uniform_block_size.into())?;
                let zero = abi::Descriptor { ptr: 0, size: 0 };
                template.resize(template.len() + b.all_records() as usize, zero);
                continue;
            }
            for i in 0..b.count as usize {
                template.push(b.unwritten(form, i));
                if b.kind.is_dynamic() {
                    template.push(unwritten_buffer());
                }
            }
        }
        let handles = device.handles().clone();
        // Updates of sets cannot report that memory is missing.
        handles.prepare()?;
        let watch = device.options().watch.clone().filter(|_| device.looks_at_layouts());
        let device = device.id();
        Ok(DescriptorSetLayout(Arc::new(LayoutInner {
            device,
            bindings,
            first,
            forms,
            handles,
            watch,
            in_buffers,
            template,
            n_dynamic,
        })))
    }

    /// The bindings, ordered by number.
    pub fn bindings(&self) -> &[DescriptorBinding] {
        &self.0.bindings
    }

    /// Returns a binding by its number.
    pub fn binding(&self, binding: u32) -> Option<&DescriptorBinding> {
        self.find(binding).map(|i| &self.0.bindings[i])
    }

    pub(super) fn find(&self, binding: u32) -> Option<usize> {
        self.0.bindings.binary_search_by_key(&binding, |b| b.binding).ok()
    }

    /// Number of dynamic offsets needed to bind a set.
    pub fn n_dynamic(&self) -> u32 {
        self.0.n_dynamic
    }

    /// Place of a binding in set memory, by position: its first byte, and the form of its records.
    pub(crate) fn place(&self, position: usize) -> (u32, DescriptorForm) {
        (self.0.first[position] * abi::DESCRIPTOR_BYTES, self.0.forms[position])
    }

    /// Index of the first record of an element of a binding.
    pub(super) fn record_of(&self, position: usize, element: u32) -> usize {
        (self.0.first[position] + element * self.0.bindings[position].records()) as usize
    }

    /// Number of records of a set whose last binding has this many elements, if it may have fewer than in the layout.
    /// It has at least one, which shaders read before they know that their index is out of range.
    pub(super) fn records_with(&self, elements: u32) -> usize {
        let inner = &*self.0;
        match (inner.bindings.last(), inner.first.last()) {
            (Some(last), Some(&first)) if last.varies() => {
                first as usize + last.records_of(elements.max(1).min(last.count)) as usize
            }
            _ => inner.template.len(),
        }
    }

    /// Number of elements of a binding, by position, in a set with this many records.
    pub(super) fn elements(&self, position: usize, records: usize) -> u32 {
        let b = &self.0.bindings[position];
        let records = records.saturating_sub(self.0.first[position] as usize) as u32;
        match b.kind {
            DescriptorKind::InlineUniformBlock => b.count.min(records * abi::DESCRIPTOR_BYTES),
            _ => b.count.min(records / b.records()),
        }
    }

    /// `true` if a set of either layout can be bound where the other is expected.
    pub fn compatible(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.in_buffers == other.0.in_buffers
                && self.0.bindings.len() == other.0.bindings.len()
                && self.0.bindings.iter().zip(&other.0.bindings).all(|(a, b)| a.same(b)))
    }
}

/// Greatest number of records in a set: descriptors, and inline uniform blocks in units of a record.
const MAX_RECORDS: u64 = 1 << 22;

/// Returns the record for a descriptor with a handle.
pub(super) fn of_handle(record: HandleRecord) -> abi::Descriptor {
    abi::Descriptor { ptr: record.handle.0, size: record.range }
}

/// Returns the descriptor in a record with a handle.
pub(super) fn handle_in(record: abi::Descriptor) -> HandleRecord {
    HandleRecord { handle: Handle(record.ptr), range: record.size }
}

/// Record of an image descriptor that was never written: reads give zero, and writes are dropped.
pub(super) fn unwritten_image() -> abi::Descriptor {
    abi::Descriptor { ptr: View::unwritten().address(), size: 0 }
}

/// Record of a null image: reads give zero, and writes are dropped.
pub(crate) fn null_image() -> abi::Descriptor {
    abi::Descriptor { ptr: View::null().address(), size: 0 }
}
