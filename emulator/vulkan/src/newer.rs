//! Structures that are newer than the bindings, and the names under which promoted ones are looked for.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

pub use vk::{
    PhysicalDeviceShaderExpectAssumeFeaturesKHR as PhysicalDeviceShaderExpectAssumeFeatures,
    PhysicalDeviceShaderFloatControls2FeaturesKHR as PhysicalDeviceShaderFloatControls2Features,
    PhysicalDeviceShaderSubgroupRotateFeaturesKHR as PhysicalDeviceShaderSubgroupRotateFeatures,
};

/// Type of a member: what is stated, else a truth value or a number of 32 bits.
macro_rules! member {
    () => {
        vk::Bool32
    };
    ($type:ty) => {
        $type
    };
}

/// Structures of C; the type of a member is told unless it is a truth value or a number of 32 bits.
macro_rules! structures {
    ($($(#[$d:meta])* $name:ident = $number:literal { $($field:ident $(: $type:ty)?),* $(,)? })*) => {$(
        $(#[$d])*
        #[repr(C)]
        pub struct $name {
            s_type: vk::StructureType,
            p_next: *mut c_void,
            $(pub $field: member!($($type)?),)*
        }

        impl Default for $name {
            fn default() -> Self {
                // SAFETY: members are numbers, handles, pointers and arrays of them: zero is a value of each.
                let zero = unsafe { std::mem::zeroed::<Self>() };
                Self { s_type: Self::STRUCTURE_TYPE, ..zero }
            }
        }

        // SAFETY: number and members are those of the structure in the specification, as its row lists them,
        // behind `sType` and `pNext`.
        unsafe impl TaggedStructure for $name {
            const STRUCTURE_TYPE: vk::StructureType = vk::StructureType::from_raw($number);
        }
    )*};
}

structures! {
    /// Vulkan 1.4.
    PhysicalDeviceVulkan14Features = 55 {
        global_priority_query,
        shader_subgroup_rotate,
        shader_subgroup_rotate_clustered,
        shader_float_controls2,
        shader_expect_assume,
        rectangular_lines,
        bresenham_lines,
        smooth_lines,
        stippled_rectangular_lines,
        stippled_bresenham_lines,
        stippled_smooth_lines,
        vertex_attribute_instance_rate_divisor,
        vertex_attribute_instance_rate_zero_divisor,
        index_type_uint8,
        dynamic_rendering_local_read,
        maintenance5,
        maintenance6,
        pipeline_protected_access,
        pipeline_robustness,
        host_image_copy,
        push_descriptor,
    }
    /// Vulkan 1.4.
    PhysicalDeviceVulkan14Properties = 56 {
        line_sub_pixel_precision_bits,
        max_vertex_attrib_divisor,
        supports_non_zero_first_instance,
        max_push_descriptors,
        dynamic_rendering_local_read_depth_stencil_attachments,
        dynamic_rendering_local_read_multisampled_attachments,
        early_fragment_multisample_coverage_after_sample_counting,
        early_fragment_sample_mask_test_before_sample_counting,
        depth_stencil_swizzle_one_support,
        polygon_mode_point_size,
        non_strict_single_pixel_wide_lines_use_parallelogram,
        non_strict_wide_lines_use_parallelogram,
        block_texel_view_compatible_multiple_layers,
        max_combined_image_sampler_descriptor_count,
        fragment_shading_rate_clamp_combiner_inputs,
        default_robustness_storage_buffers: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_uniform_buffers: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_vertex_inputs: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_images: vk::PipelineRobustnessImageBehaviorEXT,
        copy_src_layout_count,
        p_copy_src_layouts: *mut vk::ImageLayout,
        copy_dst_layout_count,
        p_copy_dst_layouts: *mut vk::ImageLayout,
        optimal_tiling_layout_uuid: [u8; vk::UUID_SIZE],
        identical_memory_type_requirements,
    }
    /// VK_EXT_zero_initialize_device_memory.
    PhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT = 1_000_620_000 { zero_initialize_device_memory }
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
    /// VK_KHR_maintenance8.
    PhysicalDeviceMaintenance8FeaturesKHR = 1_000_574_000 { maintenance8 }
    /// VK_KHR_maintenance9.
    PhysicalDeviceMaintenance9FeaturesKHR = 1_000_584_000 { maintenance9 }
    /// VK_KHR_maintenance9.
    PhysicalDeviceMaintenance9PropertiesKHR = 1_000_584_001 {
        image2_d_view_of3_d_sparse,
        default_vertex_attribute_value,
    }
    /// VK_KHR_maintenance9.
    QueueFamilyOwnershipTransferPropertiesKHR = 1_000_584_002 { optimal_image_transfer_to_queue_families }
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
    PhysicalDeviceLayeredApiPropertiesListKHR = 1_000_562_002 {
        layered_api_count,
        layered_apis: *mut c_void,
    }
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

    /// Spec: Vulkan, VkPhysicalDeviceVulkan14Features and VkPhysicalDeviceVulkan14Properties; sizes as of C.
    #[test]
    fn structures_of_1_4_are_those_of_c() {
        assert_eq!(size_of::<PhysicalDeviceVulkan14Features>(), 16 + 21 * 4 + 4);
        assert_eq!(std::mem::offset_of!(PhysicalDeviceVulkan14Properties, p_copy_src_layouts), 96);
        assert_eq!(std::mem::offset_of!(PhysicalDeviceVulkan14Properties, p_copy_dst_layouts), 112);
        assert_eq!(size_of::<PhysicalDeviceVulkan14Properties>(), 144);
    }
}
