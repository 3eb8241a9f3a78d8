//! Descriptor heaps: by what rules variables with DescriptorSet and Binding find their descriptors in them.
//!
//! A shader of a pipeline with heaps finds two uniform buffers in set 0, one for each heap: see [`Heap`]. What lies
//! in them are [handles](crate::handle). Spec: Vulkan, "Descriptor Heaps", Shader Bindings.

use crate::abi::DESCRIPTOR_BYTES;

/// Bytes of every descriptor, and what their offsets are multiples of.
pub const HEAP_DESCRIPTOR_BYTES: u32 = DESCRIPTOR_BYTES;

/// The heaps; numbers are those of their bindings in set 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heap {
    /// Images, texel buffers, buffers.
    Resource = 0,
    /// Samplers.
    Sampler = 1,
}

/// Kinds of resource variables. Spec: Vulkan, VkSpirvResourceTypeFlagBitsEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceTypes(pub u32);

#[expect(missing_docs, reason = "the names are those of VkSpirvResourceTypeFlagBitsEXT")]
impl ResourceTypes {
    pub const SAMPLER: ResourceTypes = ResourceTypes(1);
    pub const SAMPLED_IMAGE: ResourceTypes = ResourceTypes(1 << 1);
    pub const READ_ONLY_IMAGE: ResourceTypes = ResourceTypes(1 << 2);
    pub const READ_WRITE_IMAGE: ResourceTypes = ResourceTypes(1 << 3);
    pub const COMBINED_SAMPLED_IMAGE: ResourceTypes = ResourceTypes(1 << 4);
    pub const UNIFORM_BUFFER: ResourceTypes = ResourceTypes(1 << 5);
    pub const READ_ONLY_STORAGE_BUFFER: ResourceTypes = ResourceTypes(1 << 6);
    pub const READ_WRITE_STORAGE_BUFFER: ResourceTypes = ResourceTypes(1 << 7);

    /// Whether `kind` is among them.
    pub fn contains(self, kind: ResourceTypes) -> bool {
        self.0 & kind.0 == kind.0
    }
}

/// A mapping. Spec: Vulkan, VkDescriptorSetAndBindingMappingEXT.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// Variables of this set,
    pub set: u32,
    /// from this binding on,
    pub first_binding: u32,
    /// of so many bindings,
    pub binding_count: u32,
    /// and of these kinds.
    pub resources: ResourceTypes,
    /// What they are.
    pub source: Source,
}

/// What a variable is backed by. Spec: Vulkan, VkDescriptorMappingSourceEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A descriptor in a heap.
    Descriptor(DescriptorSource),
    /// Bytes of the resource heap.
    HeapData {
        /// First byte,
        offset: u32,
        /// to which the word at this byte of the push data is added.
        push: u32,
    },
    /// Push data from a byte on.
    PushData(u32),
    /// Memory at the address in the push data.
    PushAddress(u32),
    /// Memory at the address that lies in memory.
    IndirectAddress {
        /// Where in the push data the address of that memory is.
        push: u32,
        /// Where in that memory the address is.
        offset: u32,
    },
}

/// Where a descriptor is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DescriptorSource {
    /// Of everything but the samplers of combined image samplers.
    pub place: HeapPlace,
    /// Of those.
    pub sampler: HeapPlace,
    /// The index of a combined image sampler is that of its image in 20 bits, and of its sampler in 12.
    pub combined_index: bool,
    /// Number of the sampler that is taken instead of one of the heap.
    pub embedded: Option<u32>,
}

/// A byte of a heap: `offset + index * index_stride + (binding - first_binding + array index) * array_stride`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the terms of the sum")]
pub struct HeapPlace {
    pub offset: u32,
    pub index: HeapIndex,
    pub index_stride: u32,
    pub array_stride: u32,
}

/// Where an index is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HeapIndex {
    /// It is 0.
    #[default]
    None,
    /// At a byte of the push data.
    Push(u32),
    /// In memory.
    Indirect {
        /// Where in the push data the memory's address is.
        push: u32,
        /// Where in the memory the index is.
        offset: u32,
        /// Each element of the binding has an index of its own, one behind the other.
        each: bool,
    },
}
