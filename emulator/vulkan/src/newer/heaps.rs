//! Structures and constants of VK_EXT_descriptor_heap.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

use super::DeviceAddressRangeKHR;

/// VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT.
pub const DESCRIPTOR_HEAP: u32 = 1 << 28;

/// VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT.
pub const PIPELINE_WITH_HEAPS: u64 = 1 << 36;

/// VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT.
pub const SHADER_WITH_HEAPS: u32 = 1 << 10;

/// VkHostAddressRangeEXT, and VkHostAddressRangeConstEXT.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct HostAddressRangeEXT {
    pub address: *mut c_void,
    pub size: usize,
}

/// Defines C structures without `sType`.
macro_rules! plain_structures {
    ($($name:ident { $($field:ident $(: $type:ty)?),* $(,)? })*) => {$(
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name {
            $(pub $field: member!($($type)?),)*
        }
    )*};
}

// Mappings of bindings to descriptor heaps.
plain_structures! {
    DescriptorMappingSourceConstantOffsetEXT {
        heap_offset,
        heap_array_stride,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        sampler_heap_offset,
        sampler_heap_array_stride,
    }
    DescriptorMappingSourcePushIndexEXT {
        heap_offset,
        push_offset,
        heap_index_stride,
        heap_array_stride,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        use_combined_image_sampler_index,
        sampler_heap_offset,
        sampler_push_offset,
        sampler_heap_index_stride,
        sampler_heap_array_stride,
    }
    DescriptorMappingSourceIndirectIndexEXT {
        heap_offset,
        push_offset,
        address_offset,
        heap_index_stride,
        heap_array_stride,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        use_combined_image_sampler_index,
        sampler_heap_offset,
        sampler_push_offset,
        sampler_address_offset,
        sampler_heap_index_stride,
        sampler_heap_array_stride,
    }
    DescriptorMappingSourceIndirectIndexArrayEXT {
        heap_offset,
        push_offset,
        address_offset,
        heap_index_stride,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        use_combined_image_sampler_index,
        sampler_heap_offset,
        sampler_push_offset,
        sampler_address_offset,
        sampler_heap_index_stride,
    }
    DescriptorMappingSourceHeapDataEXT { heap_offset, push_offset }
    DescriptorMappingSourceIndirectAddressEXT { push_offset, address_offset }
}

/// VkDescriptorMappingSourceDataEXT.
#[repr(C)]
#[derive(Clone, Copy)]
pub union DescriptorMappingSourceDataEXT {
    pub constant_offset: DescriptorMappingSourceConstantOffsetEXT,
    pub push_index: DescriptorMappingSourcePushIndexEXT,
    pub indirect_index: DescriptorMappingSourceIndirectIndexEXT,
    pub indirect_index_array: DescriptorMappingSourceIndirectIndexArrayEXT,
    pub heap_data: DescriptorMappingSourceHeapDataEXT,
    pub push_data_offset: u32,
    pub push_address_offset: u32,
    pub indirect_address: DescriptorMappingSourceIndirectAddressEXT,
}

command_types! {
    PFN_vkWriteSamplerDescriptorsEXT(
        vk::Device, u32, *const vk::SamplerCreateInfo<'_>, *const HostAddressRangeEXT
    ) -> vk::Result;
    PFN_vkWriteResourceDescriptorsEXT(
        vk::Device, u32, *const ResourceDescriptorInfoEXT, *const HostAddressRangeEXT
    ) -> vk::Result;
    PFN_vkCmdBindSamplerHeapEXT(vk::CommandBuffer, *const BindHeapInfoEXT);
    PFN_vkCmdBindResourceHeapEXT(vk::CommandBuffer, *const BindHeapInfoEXT);
    PFN_vkCmdPushDataEXT(vk::CommandBuffer, *const PushDataInfoEXT);
    PFN_vkGetImageOpaqueCaptureDataEXT(
        vk::Device, u32, *const vk::Image, *mut HostAddressRangeEXT
    ) -> vk::Result;
    PFN_vkGetPhysicalDeviceDescriptorSizeEXT(vk::PhysicalDevice, vk::DescriptorType) -> vk::DeviceSize;
    PFN_vkRegisterCustomBorderColorEXT(
        vk::Device, *const vk::SamplerCustomBorderColorCreateInfoEXT<'_>, vk::Bool32, *mut u32
    ) -> vk::Result;
    PFN_vkUnregisterCustomBorderColorEXT(vk::Device, u32);
}

structures! {
    TexelBufferDescriptorInfoEXT = 1_000_135_000 {
        format: vk::Format,
        address_range: DeviceAddressRangeKHR,
    }
    ImageDescriptorInfoEXT = 1_000_135_001 {
        p_view: *const vk::ImageViewCreateInfo<'static>,
        layout: vk::ImageLayout,
    }
    ResourceDescriptorInfoEXT = 1_000_135_002 { ty: vk::DescriptorType, data: *const c_void }
    BindHeapInfoEXT = 1_000_135_003 {
        heap_range: DeviceAddressRangeKHR,
        reserved_range_offset: u64,
        reserved_range_size: u64,
    }
    PushDataInfoEXT = 1_000_135_004 { offset, data: HostAddressRangeEXT }
    DescriptorSetAndBindingMappingEXT = 1_000_135_005 {
        descriptor_set,
        first_binding,
        binding_count,
        resource_mask,
        source,
        source_data: DescriptorMappingSourceDataEXT,
    }
    ShaderDescriptorSetAndBindingMappingInfoEXT = 1_000_135_006 {
        mapping_count,
        p_mappings: *const DescriptorSetAndBindingMappingEXT,
    }
    PhysicalDeviceDescriptorHeapPropertiesEXT = 1_000_135_008 {
        sampler_heap_alignment: u64,
        resource_heap_alignment: u64,
        max_sampler_heap_size: u64,
        max_resource_heap_size: u64,
        min_sampler_heap_reserved_range: u64,
        min_sampler_heap_reserved_range_with_embedded: u64,
        min_resource_heap_reserved_range: u64,
        sampler_descriptor_size: u64,
        image_descriptor_size: u64,
        buffer_descriptor_size: u64,
        sampler_descriptor_alignment: u64,
        image_descriptor_alignment: u64,
        buffer_descriptor_alignment: u64,
        max_push_data_size: u64,
        image_capture_replay_opaque_data_size: usize,
        max_descriptor_heap_embedded_samplers,
        sampler_ycbcr_conversion_count,
        sparse_descriptor_heaps,
        protected_descriptor_heaps,
    }
    PhysicalDeviceDescriptorHeapFeaturesEXT = 1_000_135_009 {
        descriptor_heap,
        descriptor_heap_capture_replay,
    }
    CommandBufferInheritanceDescriptorHeapInfoEXT = 1_000_135_010 {
        p_sampler_heap_bind_info: *const BindHeapInfoEXT,
        p_resource_heap_bind_info: *const BindHeapInfoEXT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes are those of the C structures. Spec: Vulkan, VkDescriptorSetAndBindingMappingEXT.
    #[test]
    fn mappings_are_those_of_c() {
        type Data = DescriptorMappingSourceDataEXT;
        type Mapping = DescriptorSetAndBindingMappingEXT;
        let indices = std::mem::offset_of!(DescriptorMappingSourceIndirectIndexEXT, p_embedded_sampler);
        assert_eq!((indices, size_of::<Data>()), (24, 56));
        assert_eq!((std::mem::offset_of!(Mapping, source_data), size_of::<Mapping>()), (40, 96));
        assert_eq!(size_of::<PhysicalDeviceDescriptorHeapPropertiesEXT>(), 16 + 15 * 8 + 16);
    }
}
