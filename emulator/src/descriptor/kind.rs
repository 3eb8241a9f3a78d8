//! Types of descriptors, and the shader bindings that can read each.

use quadrille_jit::ir::{HandleKind, ResourceKind};

/// Type of a descriptor, with the values of VkDescriptorType for the types of Vulkan 1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "variants have the names of VkDescriptorType")]
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
    /// Bytes in the set itself; the descriptor count is the number of bytes.
    InlineUniformBlock = 11,
    /// A descriptor that takes the type of the resource written to it. Spec: VK_EXT_mutable_descriptor_type.
    Mutable = 12,
    /// An acceleration structure. Its record is that of a buffer of eight bytes, which hold the device address of the
    /// structure.
    AccelerationStructure = 13,
}

impl DescriptorKind {
    /// All kinds, in the order of their values.
    pub const ALL: [DescriptorKind; 14] = [
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
        DescriptorKind::AccelerationStructure,
    ];

    /// Returns the kind with a VkDescriptorType value.
    pub fn from_vk(number: i32) -> Option<Self> {
        match number {
            1_000_138_000 => Some(DescriptorKind::InlineUniformBlock),
            1_000_150_000 => Some(DescriptorKind::AccelerationStructure),
            1_000_351_000 => Some(DescriptorKind::Mutable),
            0..=10 => Self::ALL.get(number as usize).copied(),
            _ => None,
        }
    }

    /// `true` if a dynamic offset is added when the set is bound.
    pub fn is_dynamic(self) -> bool {
        matches!(self, DescriptorKind::UniformBufferDynamic | DescriptorKind::StorageBufferDynamic)
    }

    pub(super) fn is_image(self) -> bool {
        use DescriptorKind::*;
        matches!(self, CombinedImageSampler | SampledImage | StorageImage | InputAttachment)
    }

    pub(super) fn is_texel_buffer(self) -> bool {
        matches!(self, DescriptorKind::UniformTexelBuffer | DescriptorKind::StorageTexelBuffer)
    }

    pub(super) fn is_buffer(self) -> bool {
        use DescriptorKind::*;
        matches!(
            self,
            UniformBuffer
                | StorageBuffer
                | UniformBufferDynamic
                | StorageBufferDynamic
                | AccelerationStructure
        )
    }

    /// Kind of the handles that refer to such a resource. Mutable descriptors have no records of a fixed kind.
    pub(super) fn handle(self) -> HandleKind {
        use DescriptorKind::*;
        match self {
            UniformBuffer
            | StorageBuffer
            | UniformBufferDynamic
            | StorageBufferDynamic
            | InlineUniformBlock
            | AccelerationStructure => HandleKind::Buffer,
            UniformTexelBuffer | StorageTexelBuffer => HandleKind::TexelBuffer,
            Sampler | CombinedImageSampler | SampledImage | StorageImage | InputAttachment | Mutable => {
                HandleKind::Image
            }
        }
    }

    /// `true` if a shader binding of kind `used` can read such descriptors.
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
            ResourceKind::AccelerationStructure => self == D::AccelerationStructure,
        }
    }

    /// Returns the kind that a reflected binding requires.
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
            ResourceKind::AccelerationStructure => DescriptorKind::AccelerationStructure,
        }
    }
}
