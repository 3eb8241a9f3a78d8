//! Layouts: the bindings of a set, and where the records of each lie.

use std::sync::Arc;

use quadrille_jit::{abi, reserve};
use quadrille_raster::sampling::View;

use super::kind::DescriptorKind;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::ShaderStages;
use crate::limits::{LIMITS, at_most};
use crate::memory::unwritten_buffer;
use crate::object::{objects, same_device};
use crate::sampler::Sampler;

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
    fn all_records(&self, in_buffers: bool) -> u64 {
        let count = u64::from(self.count);
        match self.kind {
            DescriptorKind::InlineUniformBlock if count == 0 => 0,
            // A record, whose address each set puts in, and the bytes.
            DescriptorKind::InlineUniformBlock => {
                1 + count.max(abi::PAD_BYTES as u64).div_ceil(size_of::<abi::Descriptor>() as u64)
            }
            DescriptorKind::Mutable if !in_buffers => 2 * count,
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

pub(super) struct LayoutInner {
    /// Number of the device.
    pub device: u64,
    /// Ordered by number.
    pub bindings: Vec<DescriptorBinding>,
    /// Index of the first record of each binding.
    pub first: Vec<u32>,
    /// Sets are in buffers.
    pub in_buffers: bool,
    /// A fresh set.
    pub template: Vec<abi::Descriptor>,
    n_dynamic: u32,
}

/// What a set holds. Spec: Vulkan, "Descriptor Set Layout".
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
        if in_buffers {
            // What is not used may be anything there.
            bindings.iter_mut().for_each(|b| b.partially_bound = true);
        }
        bindings.sort_by_key(|b| b.binding);
        if let Some(w) = bindings.windows(2).find(|w| w[0].binding == w[1].binding) {
            return Err(Error::invalid(format!("binding {} occurs twice in a set layout", w[0].binding)));
        }
        let total: u64 = bindings.iter().map(|b| u64::from(b.descriptors())).sum();
        at_most("descriptors in a set", total, LIMITS.max_descriptors_per_set.into())?;
        let records: u64 = bindings.iter().map(|b| b.all_records(in_buffers)).sum();
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
                template.resize(template.len() + b.all_records(in_buffers) as usize - 1, zero);
                continue;
            }
            if b.kind == DescriptorKind::Mutable && !in_buffers {
                let n = b.count as usize;
                template.resize(template.len() + n, unwritten_buffer());
                template.resize(template.len() + n, unwritten_image());
                continue;
            }
            for i in 0..b.count as usize {
                let mut record = if b.kind.is_buffer() { unwritten_buffer() } else { unwritten_image() };
                if let Some(s) = b.immutable_samplers.get(i) {
                    record.size = u64::from(s.number());
                }
                template.push(record);
                if b.kind.is_dynamic() {
                    template.push(unwritten_buffer());
                }
            }
        }
        let device = device.id();
        Ok(DescriptorSetLayout(Arc::new(LayoutInner {
            device,
            bindings,
            first,
            in_buffers,
            template,
            n_dynamic,
        })))
    }

    /// The bindings, ordered by number.
    pub fn bindings(&self) -> &[DescriptorBinding] {
        &self.0.bindings
    }

    /// A binding by its number.
    pub fn binding(&self, binding: u32) -> Option<&DescriptorBinding> {
        self.find(binding).map(|i| &self.0.bindings[i])
    }

    pub(super) fn find(&self, binding: u32) -> Option<usize> {
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
    pub(super) fn records_of(&self, position: usize, element: u32) -> (Option<usize>, Option<usize>) {
        let b = &self.0.bindings[position];
        let index = (self.0.first[position] + element * b.records()) as usize;
        match b.kind {
            DescriptorKind::Mutable if self.0.in_buffers => (Some(index), Some(index)),
            DescriptorKind::Mutable => (Some(index), Some(index + b.count as usize)),
            DescriptorKind::InlineUniformBlock => (Some(self.0.first[position] as usize), None),
            kind if kind.is_buffer() => (Some(index), None),
            _ => (None, Some(index)),
        }
    }

    /// Whether sets of both layouts can stand for each other.
    pub fn compatible(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.in_buffers == other.0.in_buffers
                && self.0.bindings.len() == other.0.bindings.len()
                && self.0.bindings.iter().zip(&other.0.bindings).all(|(a, b)| a.same(b)))
    }
}

/// Records in a set: descriptors, and inline uniform blocks in units of a record.
const MAX_RECORDS: u64 = 1 << 22;

/// An image of a descriptor that nobody has written: reads as zero and drops writes.
pub(super) fn unwritten_image() -> abi::Descriptor {
    abi::Descriptor { ptr: View::unwritten().address(), size: 0 }
}

/// An image that reads as zero and drops writes.
pub(super) fn null_image() -> abi::Descriptor {
    abi::Descriptor { ptr: View::null().address(), size: 0 }
}
