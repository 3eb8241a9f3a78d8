//! Structures, handles and commands that are newer than the bindings, with the names that the table uses for them.
//!
//! `generated` has their declarations, which `quadrille-conformance registry` writes from Vulkan's registry: rows for the
//! macros of this file. Flags and enumerants that the driver uses are constants of this file.

use ash::vk;

pub use vk::{
    PhysicalDeviceShaderExpectAssumeFeaturesKHR as PhysicalDeviceShaderExpectAssumeFeatures,
    PhysicalDeviceShaderFloatControls2FeaturesKHR as PhysicalDeviceShaderFloatControls2Features,
    PhysicalDeviceShaderSubgroupRotateFeaturesKHR as PhysicalDeviceShaderSubgroupRotateFeatures,
};

/// Defines C structures with `sType` and `pNext`.
macro_rules! structures {
    ($($(#[$d:meta])* $name:ident = $number:literal { $($field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$d])*
        #[repr(C)]
        pub struct $name {
            pub s_type: vk::StructureType,
            pub p_next: *mut c_void,
            $(pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                // SAFETY: all members are numbers, handles, pointers and arrays of these, for which zero bytes are
                // valid.
                let zero = unsafe { std::mem::zeroed::<Self>() };
                Self { s_type: Self::STRUCTURE_TYPE, ..zero }
            }
        }

        // SAFETY: each row of `generated` has the type number and the members of the structure in the registry, after
        // `sType` and `pNext`.
        unsafe impl TaggedStructure for $name {
            const STRUCTURE_TYPE: vk::StructureType = vk::StructureType::from_raw($number);
        }
    )*};
}

/// Defines C structures without `sType`.
macro_rules! plain_structures {
    ($($(#[$d:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$d])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub struct $name {
            $(pub $field: $type,)*
        }
    )*};
}

/// Defines C unions.
macro_rules! unions {
    ($($(#[$d:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$d])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub union $name {
            $(pub $field: $type,)*
        }
    )*};
}

/// Defines non-dispatchable handles.
macro_rules! handles {
    ($($(#[$d:meta])* $name:ident = $number:literal;)*) => {$(
        $(#[$d])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(u64);

        impl vk::Handle for $name {
            const TYPE: vk::ObjectType = vk::ObjectType::from_raw($number);
            fn as_raw(self) -> u64 {
                self.0
            }
            fn from_raw(raw: u64) -> Self {
                $name(raw)
            }
        }
    )*};
}

/// Defines function pointer types of commands.
macro_rules! command_types {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {$(
        #[expect(non_camel_case_types, reason = "has the name in the specification")]
        pub type $name = unsafe extern "system" fn($($argument),*) $(-> $result)?;
    )*};
}

mod generated;

pub use generated::*;

/// VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT.
pub const PRESENT_STAGE_LOCAL: vk::TimeDomainKHR = vk::TimeDomainKHR::from_raw(1_000_208_000);
/// VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT.
pub const ERROR_PRESENT_TIMING_QUEUE_FULL: vk::Result = vk::Result::from_raw(-1_000_208_000);
/// VK_PRESENT_MODE_FIFO_LATEST_READY_KHR.
pub const FIFO_LATEST_READY: vk::PresentModeKHR = vk::PresentModeKHR::from_raw(1_000_361_000);

/// VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR.
pub const ALIAS_SINGLE_LAYER_DESCRIPTOR: vk::ImageCreateFlags = vk::ImageCreateFlags::from_raw(1 << 22);

/// VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR, and on transfer queues.
pub const DEPTH_COPY_ON_ANY_QUEUE: vk::FormatFeatureFlags2 = vk::FormatFeatureFlags2::from_raw(3 << 52);

/// VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR, and on transfer queues.
pub const STENCIL_COPY_ON_ANY_QUEUE: vk::FormatFeatureFlags2 = vk::FormatFeatureFlags2::from_raw(3 << 54);

/// VK_FORMAT_FEATURE_2_COPY_IMAGE_INDIRECT_DST_BIT_KHR.
pub const COPY_IMAGE_INDIRECT_DST: vk::FormatFeatureFlags2 = vk::FormatFeatureFlags2::from_raw(1 << 59);

/// VK_PIPELINE_BINARY_MISSING_KHR.
pub const PIPELINE_BINARY_MISSING: vk::Result = vk::Result::from_raw(1_000_483_000);

/// VK_ERROR_NOT_ENOUGH_SPACE_KHR.
pub const NOT_ENOUGH_SPACE: vk::Result = vk::Result::from_raw(-1_000_483_000);

/// VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR, which is among the first 32 flags.
pub const CAPTURE_DATA: vk::PipelineCreateFlags = vk::PipelineCreateFlags::from_raw(1 << 31);

/// VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT.
pub const DESCRIPTOR_HEAP: u32 = 1 << 28;

/// VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT.
pub const PIPELINE_WITH_HEAPS: u64 = 1 << 36;

/// VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT.
pub const PIPELINE_WITH_64_BIT_INDEXING: u64 = 1 << 43;

/// VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT.
pub const USER_DEFINED_RANGE: i32 = 1;

/// VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE.
pub const DENSITY_BY_LAYER: vk::RenderingFlags = vk::RenderingFlags::from_raw(1 << 5);
/// VK_RENDER_PASS_CREATE_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE.
pub const PASS_DENSITY_BY_LAYER: vk::RenderPassCreateFlags = vk::RenderPassCreateFlags::from_raw(1 << 2);
/// VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT.
pub const CUSTOM_RESOLVE: vk::RenderingFlags = vk::RenderingFlags::from_raw(1 << 7);

/// VK_RESOLVE_MODE_CUSTOM_BIT_EXT.
pub const RESOLVE_CUSTOM: vk::ResolveModeFlags = vk::ResolveModeFlags::from_raw(1 << 5);

/// VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT.
pub const SHADER_WITH_HEAPS: u32 = 1 << 10;

/// VK_SHADER_CREATE_64_BIT_INDEXING_BIT_EXT.
pub const SHADER_WITH_64_BIT_INDEXING: u32 = 1 << 15;

/// VK_ACCELERATION_STRUCTURE_TYPE_OPACITY_MICROMAP_KHR.
pub const OPACITY_MICROMAP: vk::AccelerationStructureTypeKHR =
    vk::AccelerationStructureTypeKHR::from_raw(1_000_623_000);

#[cfg(test)]
mod tests {
    use super::*;

    /// The pointer follows the count and its padding. Spec: Vulkan, VkPhysicalDeviceLayeredApiPropertiesListKHR.
    #[test]
    fn a_list_has_its_pointer_behind_the_count() {
        type List = PhysicalDeviceLayeredApiPropertiesListKHR;
        let offsets =
            [std::mem::offset_of!(List, layered_api_count), std::mem::offset_of!(List, p_layered_apis)];
        assert_eq!((offsets, size_of::<List>()), ([16, 24], 32));
    }

    /// Sizes are those of the C structures. Spec: Vulkan, VkPhysicalDeviceVulkan14Features and
    /// VkPhysicalDeviceVulkan14Properties.
    #[test]
    fn structures_of_1_4_are_those_of_c() {
        assert_eq!(size_of::<PhysicalDeviceVulkan14Features>(), 16 + 21 * 4 + 4);
        assert_eq!(std::mem::offset_of!(PhysicalDeviceVulkan14Properties, p_copy_src_layouts), 96);
        assert_eq!(std::mem::offset_of!(PhysicalDeviceVulkan14Properties, p_copy_dst_layouts), 112);
        assert_eq!(size_of::<PhysicalDeviceVulkan14Properties>(), 144);
    }

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
