//! Supported features, and the check of the features that a device requests.
//!
//! Features of the device come from the table of the device library, whose rows name the members that they answer.
//! Features that need nothing of the device are rows of this file, together with members that are not supported.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;
use quadrille::limits::FEATURES;

use crate::interface::chain::{Link, find};
use crate::registry::extensions::Offer;

/// Structures of the bindings, and newer ones.
mod structures {
    pub use ash::vk::*;

    pub use crate::newer::*;
}

/// Defines functions over rows of feature structures: a value for each member.
macro_rules! members {
    ($fill:ident, $missing:ident, $counts:ident: $($structure:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        /// The structures, with the numbers of members in their rows and their sizes in bytes, for tests.
        #[cfg(test)]
        const $counts: &[(vk::StructureType, usize, usize)] = &[$((
            <structures::$structure as TaggedStructure>::STRUCTURE_TYPE,
            [$(stringify!($field)),*].len(),
            size_of::<structures::$structure>(),
        ),)*];

        /// Fills the members of these rows in one structure of the chain of VkPhysicalDeviceFeatures2.
        fn $fill(link: &mut Link) {
            $(if let Some(p) = link.fill::<structures::$structure>() {
                $(p.$field = vk::Bool32::from($value);)*
            })*
        }

        /// Returns a member of these rows that structures of the chain request and that is not supported, with its
        /// structure.
        ///
        /// # Safety
        /// `next` starts a valid chain.
        unsafe fn $missing(offer: &Offer, next: *const c_void) -> Option<[&'static str; 2]> {
            // SAFETY: the caller promises a valid chain.
            unsafe {
                $(if let Some(p) = find::<structures::$structure>(next) {
                    let known = offer.structure(<structures::$structure as TaggedStructure>::STRUCTURE_TYPE);
                    $(if p.$field != 0 && !(known && $value) {
                        return Some([stringify!($structure), stringify!($field)]);
                    })*
                })*
            }
            None
        }
    };
}

/// Defines functions over the rows of the device library.
macro_rules! device {
    ($($(#[$d:meta])* $name:ident
        $([$($core:ident),* $(,)?])?
        $({ $($structure:ident { $($member:ident $(if $other:ident)*),* $(,)? })* })?;)*
    ) => {
        /// VkPhysicalDeviceFeatures.
        pub fn core() -> vk::PhysicalDeviceFeatures {
            vk::PhysicalDeviceFeatures {
                $($($($core: FEATURES.$name.into(),)*)?)*
                // Sparse images have one sample per texel.
                sparse_residency2_samples: vk::FALSE,
                sparse_residency4_samples: vk::FALSE,
                sparse_residency8_samples: vk::FALSE,
                sparse_residency16_samples: vk::FALSE,
            }
        }

        /// Returns the first feature that is requested and not supported.
        pub fn core_missing(asked: &vk::PhysicalDeviceFeatures) -> Option<&'static str> {
            let offered = core();
            // The pattern is complete, so that no member is forgotten.
            let vk::PhysicalDeviceFeatures {
                $($($($core,)*)?)*
                sparse_residency2_samples,
                sparse_residency4_samples,
                sparse_residency8_samples,
                sparse_residency16_samples,
            } = *asked;
            let members = [
                $($($((stringify!($core), $core, offered.$core),)*)?)*
                ("sparse_residency2_samples", sparse_residency2_samples, offered.sparse_residency2_samples),
                ("sparse_residency4_samples", sparse_residency4_samples, offered.sparse_residency4_samples),
                ("sparse_residency8_samples", sparse_residency8_samples, offered.sparse_residency8_samples),
                ("sparse_residency16_samples", sparse_residency16_samples, offered.sparse_residency16_samples),
            ];
            members.into_iter().find(|(_, asked, offered)| *asked != 0 && *offered == 0).map(|(name, ..)| name)
        }

        members! { fill_device, device_missing, DEVICE:
            $($($($structure { $($member: FEATURES.$name $(&& FEATURES.$other)*),* })*)?)*
        }
    };
}

quadrille::feature_rows!(device);

members! { fill_driver, driver_missing, DRIVER:
    PhysicalDeviceProtectedMemoryFeatures { protected_memory: false }
    // Fields that only this structure has; `versions` fills in the others.
    PhysicalDeviceVulkan12Features { subgroup_broadcast_dynamic_id: true }
    PhysicalDeviceVulkan14Features { push_descriptor: true }
    PhysicalDeviceGlobalPriorityQueryFeaturesKHR { global_priority_query: true }
    PhysicalDevicePrivateDataFeatures { private_data: true }
    PhysicalDeviceTexelBufferAlignmentFeaturesEXT { texel_buffer_alignment: true }
    PhysicalDeviceMemoryPriorityFeaturesEXT { memory_priority: true }
    PhysicalDevicePageableDeviceLocalMemoryFeaturesEXT { pageable_device_local_memory: true }
    // All memory is zero when it is allocated, and zero bytes are a zero in every format.
    PhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT { zero_initialize_device_memory: true }
    PhysicalDevice4444FormatsFeaturesEXT { format_a4r4g4b4: true, format_a4b4g4r4: true }
    PhysicalDeviceASTCDecodeFeaturesEXT { decode_mode_shared_exponent: false }
    PhysicalDevicePresentIdFeaturesKHR { present_id: true }
    PhysicalDevicePresentWaitFeaturesKHR { present_wait: true }
    PhysicalDevicePresentId2FeaturesKHR { present_id2: true }
    PhysicalDevicePresentWait2FeaturesKHR { present_wait2: true }
    PhysicalDevicePresentTimingFeaturesEXT {
        present_timing: true,
        present_at_absolute_time: true,
        present_at_relative_time: true,
    }
    PhysicalDevicePresentModeFifoLatestReadyFeaturesKHR { present_mode_fifo_latest_ready: true }
    PhysicalDevicePrimitiveRestartIndexFeaturesEXT { primitive_restart_index: true }
    PhysicalDeviceLegacyVertexAttributesFeaturesEXT { legacy_vertex_attributes: true }
    PhysicalDeviceCopyMemoryIndirectFeaturesKHR {
        indirect_memory_copy: true,
        indirect_memory_to_image_copy: true,
    }
    PhysicalDeviceDeviceAddressCommandsFeaturesKHR { device_address_commands: true }
    PhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT {
        rasterization_order_color_attachment_access: true,
        rasterization_order_depth_attachment_access: true,
        rasterization_order_stencil_attachment_access: true,
    }
    PhysicalDeviceSwapchainMaintenance1FeaturesEXT { swapchain_maintenance1: true }
    PhysicalDeviceImageCompressionControlFeaturesEXT { image_compression_control: true }
    PhysicalDeviceImageCompressionControlSwapchainFeaturesEXT { image_compression_control_swapchain: true }
    PhysicalDeviceImageTilingControlFeaturesEXT { image_tiling_control: true }
    PhysicalDeviceImageAlignmentControlFeaturesMESA { image_alignment_control: true }
    PhysicalDeviceLegacyDitheringFeaturesEXT { legacy_dithering: true }
    PhysicalDeviceSubpassMergeFeedbackFeaturesEXT { subpass_merge_feedback: true }
    PhysicalDeviceHostImageCopyFeaturesEXT { host_image_copy: true }
    PhysicalDeviceImage2DViewOf3DFeaturesEXT { image2_d_view_of3_d: true, sampler2_d_view_of3_d: true }
    PhysicalDeviceImageSlicedViewOf3DFeaturesEXT { image_sliced_view_of3_d: true }
    PhysicalDevicePipelineProtectedAccessFeaturesEXT { pipeline_protected_access: true }
    PhysicalDeviceRGBA10X6FormatsFeaturesEXT { format_rgba10x6_without_y_cb_cr_sampler: true }
    PhysicalDeviceDescriptorBufferFeaturesEXT {
        descriptor_buffer: true,
        descriptor_buffer_capture_replay: false,
        descriptor_buffer_image_layout_ignored: true,
        descriptor_buffer_push_descriptors: true,
    }
    PhysicalDeviceDescriptorHeapFeaturesEXT { descriptor_heap: true, descriptor_heap_capture_replay: false }
    PhysicalDeviceFragmentShaderInterlockFeaturesEXT { fragment_shader_shading_rate_interlock: false }
    PhysicalDeviceCustomResolveFeaturesEXT { custom_resolve: true }
    PhysicalDeviceShaderTileImageFeaturesEXT {
        shader_tile_image_color_read_access: true,
        shader_tile_image_depth_read_access: true,
        shader_tile_image_stencil_read_access: true,
    }
    PhysicalDeviceShaderObjectFeaturesEXT { shader_object: true }
    PhysicalDeviceMaintenance4Features { maintenance4: true }
    PhysicalDeviceMaintenance5FeaturesKHR { maintenance5: true }
    PhysicalDeviceSynchronization2Features { synchronization2: true }
    PhysicalDeviceExtendedDynamicState3FeaturesEXT {
        extended_dynamic_state3_viewport_w_scaling_enable: false,
        extended_dynamic_state3_viewport_swizzle: false,
        extended_dynamic_state3_coverage_to_color_enable: false,
        extended_dynamic_state3_coverage_to_color_location: false,
        extended_dynamic_state3_coverage_modulation_mode: false,
        extended_dynamic_state3_coverage_modulation_table_enable: false,
        extended_dynamic_state3_coverage_modulation_table: false,
        extended_dynamic_state3_coverage_reduction_mode: false,
        extended_dynamic_state3_representative_fragment_test_enable: false,
        extended_dynamic_state3_shading_rate_image_enable: false,
    }
    PhysicalDevicePipelineCreationCacheControlFeatures { pipeline_creation_cache_control: true }
    PhysicalDeviceNestedCommandBufferFeaturesEXT {
        nested_command_buffer: true,
        nested_command_buffer_rendering: true,
        nested_command_buffer_simultaneous_use: true,
    }
    PhysicalDeviceMaintenance6FeaturesKHR { maintenance6: true }
    PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT { graphics_pipeline_library: true }
    PhysicalDevicePipelineBinaryFeaturesKHR { pipeline_binaries: true }
    PhysicalDeviceDeviceGeneratedCommandsFeaturesEXT {
        device_generated_commands: true,
        dynamic_generated_pipeline_layout: true,
    }
    PhysicalDeviceBlendOperationAdvancedFeaturesEXT { advanced_blend_coherent_operations: true }
    PhysicalDeviceUnifiedImageLayoutsFeaturesKHR {
        unified_image_layouts: true,
        unified_image_layouts_video: false,
    }
    PhysicalDeviceMaintenance7FeaturesKHR { maintenance7: true }
    PhysicalDeviceMaintenance8FeaturesKHR { maintenance8: true }
    PhysicalDeviceMaintenance9FeaturesKHR { maintenance9: true }
    PhysicalDeviceMaintenance10FeaturesKHR { maintenance10: true }
    PhysicalDeviceMaintenance11FeaturesKHR { maintenance11: true }
    PhysicalDeviceFaultFeaturesEXT { device_fault: true, device_fault_vendor_binary: false }
    PhysicalDeviceFaultFeaturesKHR {
        device_fault: true,
        device_fault_vendor_binary: false,
        // Checks report mistakes of shaders, which run on.
        device_fault_report_masked: true,
        device_fault_device_lost_on_masked: false,
    }
    PhysicalDevicePerformanceQueryFeaturesKHR {
        performance_counter_query_pools: true,
        performance_counter_multiple_query_pools: true,
    }
    PhysicalDeviceExtendedFlagsFeaturesKHR { extended_flags: true }
    // Queues of the device library may be used by several threads at once.
    PhysicalDeviceInternallySynchronizedQueuesFeaturesKHR { internally_synchronized_queues: true }
    PhysicalDeviceAddressBindingReportFeaturesEXT { report_address_binding: true }
    PhysicalDeviceDeviceMemoryReportFeaturesEXT { device_memory_report: true }
    PhysicalDeviceFrameBoundaryFeaturesEXT { frame_boundary: true }
    PhysicalDevicePipelinePropertiesFeaturesEXT { pipeline_properties_identifier: true }
    PhysicalDeviceShaderModuleIdentifierFeaturesEXT { shader_module_identifier: true }
    PhysicalDevicePipelineExecutablePropertiesFeaturesKHR { pipeline_executable_info: true }
    PhysicalDeviceMapMemoryPlacedFeaturesEXT {
        memory_map_placed: true,
        memory_map_range_placed: true,
        memory_unmap_reserve: true,
    }
    PhysicalDeviceImagelessFramebufferFeatures { imageless_framebuffer: true }
    PhysicalDeviceHostQueryResetFeatures { host_query_reset: true }
    PhysicalDeviceSeparateDepthStencilLayoutsFeatures { separate_depth_stencil_layouts: true }
    PhysicalDeviceBufferDeviceAddressFeatures { buffer_device_address_multi_device: false }
    PhysicalDeviceBufferDeviceAddressFeaturesEXT { buffer_device_address_multi_device: false }
}

/// Fills one structure of the chain of VkPhysicalDeviceFeatures2.
pub fn extended(link: &mut Link) {
    fill_device(link);
    fill_driver(link);
}

/// Returns a feature that structures of the chain request and that is not supported, with its structure.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn extended_missing(offer: &Offer, next: *const c_void) -> Option<[&'static str; 2]> {
    // SAFETY: the caller promises a valid chain.
    unsafe { device_missing(offer, next).or_else(|| driver_missing(offer, next)) }
}

/// Returns the number of members of a structure that have rows, for tests.
#[cfg(test)]
pub fn rows(structure: vk::StructureType) -> usize {
    let of = DEVICE.iter().chain(DRIVER).filter(|(other, ..)| *other == structure);
    of.map(|(_, members, _)| members).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ROWS;

    /// Structures of versions, which repeat members of other structures: see `versions`.
    const SUMS: [vk::StructureType; 4] = [
        vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
        vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        <structures::PhysicalDeviceVulkan14Features as TaggedStructure>::STRUCTURE_TYPE,
    ];

    #[test]
    fn structures_and_rows_belong_together() {
        let has = |structure| [DEVICE, DRIVER].concat().iter().any(|(known, ..)| *known == structure);
        for row in ROWS {
            for structure in row.features {
                let known = has(*structure) || SUMS.contains(structure);
                assert!(known, "{}: no values of {structure:?}", row.name);
            }
        }
        for (structure, ..) in [DEVICE, DRIVER].concat() {
            assert!(ROWS.iter().any(|row| row.features.contains(&structure)), "{structure:?} has no row");
        }
    }

    /// A member without a row would be accepted although it is not supported. The members follow `sType` and `pNext`;
    /// padding to eight bytes can hide a single one.
    #[test]
    fn every_member_has_a_row() {
        let all = [DEVICE, DRIVER].concat();
        for (structure, _, bytes) in all.iter().filter(|(structure, ..)| !SUMS.contains(structure)) {
            let end = 16 + 4 * rows(*structure);
            assert_eq!(end.next_multiple_of(8), *bytes, "{structure:?}");
        }
    }

    #[test]
    fn requests_are_checked_member_by_member() {
        assert_eq!(core_missing(&core()), None);
        let asked = vk::PhysicalDeviceFeatures { sparse_residency4_samples: vk::TRUE, ..core() };
        assert_eq!(core_missing(&asked), Some("sparse_residency4_samples"));
    }
}
