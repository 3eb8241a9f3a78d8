//! Structures that are newer than the bindings, and the names under which promoted ones are looked for.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

pub use vk::{
    PhysicalDeviceShaderExpectAssumeFeaturesKHR as PhysicalDeviceShaderExpectAssumeFeatures,
    PhysicalDeviceShaderFloatControls2FeaturesKHR as PhysicalDeviceShaderFloatControls2Features,
    PhysicalDeviceShaderSubgroupRotateFeaturesKHR as PhysicalDeviceShaderSubgroupRotateFeatures,
};

/// Structures of members of 32 bits, truth values or numbers; behind a semicolon the pointer to a list
/// that some end with.
macro_rules! structures {
    ($($(#[$d:meta])* $name:ident = $number:literal { $($field:ident),* $(,)? $(; $list:ident)? })*) => {$(
        $(#[$d])*
        #[repr(C)]
        pub struct $name {
            s_type: vk::StructureType,
            p_next: *mut c_void,
            $(pub $field: vk::Bool32,)*
            $($list: *mut c_void,)?
        }

        // SAFETY: number and members are those of the structure in the specification, as its row lists them:
        // `sType`, `pNext`, members of 32 bits (`VkBool32` or `uint32_t`), then a pointer if it has one.
        unsafe impl TaggedStructure for $name {
            const STRUCTURE_TYPE: vk::StructureType = vk::StructureType::from_raw($number);
        }
    )*};
}

structures! {
    /// VK_KHR_shader_untyped_pointers.
    PhysicalDeviceShaderUntypedPointersFeaturesKHR = 1_000_387_000 { shader_untyped_pointers }
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
    /// VK_KHR_maintenance7.
    PhysicalDeviceLayeredApiPropertiesListKHR = 1_000_562_002 { layered_api_count; layered_apis }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: Vulkan, VkPhysicalDeviceLayeredApiPropertiesListKHR.
    #[test]
    fn a_list_has_its_pointer_behind_the_count() {
        type List = PhysicalDeviceLayeredApiPropertiesListKHR;
        let offsets =
            [std::mem::offset_of!(List, layered_api_count), std::mem::offset_of!(List, layered_apis)];
        assert_eq!((offsets, size_of::<List>()), ([16, 24], 32));
    }
}
