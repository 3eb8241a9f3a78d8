//! Structures that are newer than the bindings, all of truth values, and the names under which promoted
//! ones are looked for.

use ash::vk;
use ash::vk::TaggedStructure;

pub use vk::{
    PhysicalDeviceShaderExpectAssumeFeaturesKHR as PhysicalDeviceShaderExpectAssumeFeatures,
    PhysicalDeviceShaderFloatControls2FeaturesKHR as PhysicalDeviceShaderFloatControls2Features,
    PhysicalDeviceShaderSubgroupRotateFeaturesKHR as PhysicalDeviceShaderSubgroupRotateFeatures,
};

macro_rules! structures {
    ($($(#[$d:meta])* $name:ident = $number:literal { $($field:ident),* $(,)? })*) => {$(
        $(#[$d])*
        #[repr(C)]
        pub struct $name {
            s_type: vk::StructureType,
            p_next: *mut std::ffi::c_void,
            $(pub $field: vk::Bool32,)*
        }

        // SAFETY: the number is that of the structure in the specification, whose layout this is.
        unsafe impl TaggedStructure for $name {
            const STRUCTURE_TYPE: vk::StructureType = vk::StructureType::from_raw($number);
        }
    )*};
}

structures! {
    /// VK_KHR_shader_untyped_pointers.
    PhysicalDeviceShaderUntypedPointersFeatures = 1_000_387_000 { shader_untyped_pointers }
    /// VK_EXT_shader_replicated_composites.
    PhysicalDeviceShaderReplicatedCompositesFeaturesEXT = 1_000_564_000 { shader_replicated_composites }
    /// VK_KHR_shader_relaxed_extended_instruction.
    PhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR = 1_000_558_000 {
        shader_relaxed_extended_instruction,
    }
    /// VK_KHR_compute_shader_derivatives.
    PhysicalDeviceComputeShaderDerivativesPropertiesKHR = 1_000_511_000 { mesh_and_task_shader_derivatives }
    /// VK_KHR_shader_fma.
    PhysicalDeviceShaderFmaFeaturesKHR = 1_000_579_000 {
        shader_fma_float16,
        shader_fma_float32,
        shader_fma_float64,
    }
    /// VK_KHR_unified_image_layouts.
    PhysicalDeviceUnifiedImageLayoutsFeaturesKHR = 1_000_527_000 {
        unified_image_layouts,
        unified_image_layouts_video,
    }
    /// VK_KHR_maintenance7.
    PhysicalDeviceMaintenance7FeaturesKHR = 1_000_562_000 { maintenance7 }
    /// VK_KHR_maintenance7; the numbers follow the flags and are as wide.
    PhysicalDeviceMaintenance7PropertiesKHR = 1_000_562_001 {
        robust_fragment_shading_rate_attachment_access,
        separate_depth_stencil_attachment_access,
        max_descriptor_set_total_uniform_buffers_dynamic,
        max_descriptor_set_total_storage_buffers_dynamic,
        max_descriptor_set_total_buffers_dynamic,
        max_descriptor_set_update_after_bind_total_uniform_buffers_dynamic,
        max_descriptor_set_update_after_bind_total_storage_buffers_dynamic,
        max_descriptor_set_update_after_bind_total_buffers_dynamic,
    }
    /// VK_KHR_maintenance7; a pointer to that many follows.
    PhysicalDeviceLayeredApiPropertiesListKHR = 1_000_562_002 { layered_api_count }
}
