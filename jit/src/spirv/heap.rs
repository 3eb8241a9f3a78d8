//! Descriptor heaps: the mappings from variables with DescriptorSet and Binding to descriptors in a heap.
//!
//! A shader of a pipeline with heaps sees two uniform buffers in set 0, one per heap: see [`Heap`]. The heaps contain
//! [handles](crate::handle). Spec: Vulkan, "Descriptor Heaps", Shader Bindings.

use crate::abi::DESCRIPTOR_BYTES;

/// Size and alignment of every descriptor, in bytes.
pub const HEAP_DESCRIPTOR_BYTES: u32 = DESCRIPTOR_BYTES;

/// The two heaps; each number is the heap's binding in set 0.
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
    pub const ACCELERATION_STRUCTURE: ResourceTypes = ResourceTypes(1 << 8);

    /// `true` if the set contains `kind`.
    pub fn contains(self, kind: ResourceTypes) -> bool {
        self.0 & kind.0 == kind.0
    }
}

/// A mapping of variables to a source of data. Spec: Vulkan, VkDescriptorSetAndBindingMappingEXT.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// Descriptor set of the variables.
    pub set: u32,
    /// First binding of the variables.
    pub first_binding: u32,
    /// Number of bindings from `first_binding` on.
    pub binding_count: u32,
    /// Kinds of variables that the mapping applies to.
    pub resources: ResourceTypes,
    /// Source that backs the variables.
    pub source: Source,
}

/// Backing of a variable. Spec: Vulkan, VkDescriptorMappingSourceEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A descriptor in a heap.
    Descriptor(DescriptorSource),
    /// Bytes of the resource heap.
    HeapData {
        /// Offset of the first byte in the heap.
        offset: u32,
        /// Byte offset in the push data of a word that is added to `offset`.
        push: u32,
    },
    /// Push data, from this byte offset on.
    PushData(u32),
    /// Memory at the address that is stored at this byte offset of the push data.
    PushAddress(u32),
    /// Memory at an address that is itself stored in memory.
    IndirectAddress {
        /// Byte offset in the push data of the address of the memory that holds the final address.
        push: u32,
        /// Byte offset of the final address in that memory.
        offset: u32,
    },
    /// Data of the shader record, from this byte offset on.
    RecordData(u32),
    /// Memory at the address that is stored at this byte offset of the shader record's data.
    RecordAddress(u32),
}

impl Source {
    /// `true` if the source is in the shader record, which only ray tracing stages have.
    pub fn is_of_record(&self) -> bool {
        let indexed = |place: &HeapPlace| matches!(place.index, HeapIndex::Record(_));
        match self {
            Source::Descriptor(d) => indexed(&d.place) || indexed(&d.sampler),
            Source::RecordData(_) | Source::RecordAddress(_) => true,
            Source::HeapData { .. }
            | Source::PushData(_)
            | Source::PushAddress(_)
            | Source::IndirectAddress { .. } => false,
        }
    }
}

/// Location of a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DescriptorSource {
    /// Place of every descriptor except the sampler of a combined image sampler.
    pub place: HeapPlace,
    /// Place of the sampler of a combined image sampler.
    pub sampler: HeapPlace,
    /// `true` if the index packs the image index into the low 20 bits and the sampler index into the high 12 bits.
    pub combined_index: bool,
    /// Number of the embedded sampler that replaces a sampler of the heap.
    pub embedded: Option<u32>,
}

/// A byte of a heap: `offset + index * index_stride + (binding - first_binding + array index) * array_stride`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the formula above")]
pub struct HeapPlace {
    pub offset: u32,
    pub index: HeapIndex,
    pub index_stride: u32,
    pub array_stride: u32,
}

/// Source of the index of a descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HeapIndex {
    /// The index is 0.
    #[default]
    None,
    /// The index is stored at this byte offset of the push data.
    Push(u32),
    /// The index is stored in memory.
    Indirect {
        /// Byte offset in the push data of the memory's address.
        push: u32,
        /// Byte offset of the index in that memory.
        offset: u32,
        /// `true` if each array element of the binding has a separate index; the indices are consecutive words.
        each: bool,
    },
    /// The index is stored at this byte offset of the shader record's data.
    Record(u32),
}
