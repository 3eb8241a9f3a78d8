//! Structures of Vulkan 1.1 to 1.4, which repeat those of extensions that became core.
//!
//! Each value has one source: a field of VkPhysicalDeviceVulkan12Features, for example, is copied from the structure of
//! the extension. The few fields without another structure are rows of `features` and `properties`.

use std::ffi::c_void;

use ash::vk::TaggedStructure;

use super::{features, properties};
use crate::interface::chain::{Link, each};
use crate::registry::extensions::Offer;

/// Returns a structure that the device has filled in.
fn filled<T: TaggedStructure + Default>(fill: impl FnMut(&mut Link)) -> T {
    let mut structure = T::default();
    // SAFETY: the chain consists of one live structure.
    unsafe { each((&raw mut structure).cast(), fill) };
    structure
}

/// Structures of the bindings, and newer ones.
mod structures {
    #![allow(elided_lifetimes_in_paths, reason = "only some structures have a lifetime")]
    pub use ash::vk::*;

    pub use crate::newer::*;
}

macro_rules! sums {
    ($($sum:ident { $($part:ident { $($field:ident $(= $other:ident)?),* $(,)? })* })*) => {
        $(
            #[expect(non_snake_case, reason = "has the name of its structure")]
            fn $sum(p: &mut structures::$sum, fill: fn(&mut Link)) {
                $({
                    let part: structures::$part = filled(fill);
                    $(sums!(@copy p, part, $field $(= $other)?);)*
                })*
            }
        )*
    };
    (@copy $p:ident, $part:ident, $field:ident) => { $p.$field = $part.$field };
    (@copy $p:ident, $part:ident, $field:ident = $other:ident) => { $p.$field = $part.$other };
}

/// Expands to [`sums`], and to the check of the features that a device requests.
macro_rules! feature_sums {
    ($($sum:ident { $($part:ident { $($field:ident),* $(,)? })* })*) => {
        sums! { $($sum { $($part { $($field),* })* })* }

        /// The structures, with the numbers of members in their rows and their sizes in bytes, for tests.
        #[cfg(test)]
        const COUNTS: &[(ash::vk::StructureType, usize, usize)] = &[$((
            <structures::$sum as TaggedStructure>::STRUCTURE_TYPE,
            [$($(stringify!($field)),*),*].len(),
            size_of::<structures::$sum>(),
        ),)*];

        /// Returns a feature that a structure of a version in the chain requests and that is not supported, with its
        /// structure. `features` checks the fields that only these structures have.
        ///
        /// # Safety
        /// `next` starts a valid chain.
        pub unsafe fn feature_missing(offer: &Offer, next: *const c_void) -> Option<[&'static str; 2]> {
            // SAFETY: the caller promises a valid chain.
            unsafe {
                $(if let Some(asked) = crate::interface::chain::find::<structures::$sum>(next) {
                    let mut offered = structures::$sum::default();
                    if offer.structure(<structures::$sum as TaggedStructure>::STRUCTURE_TYPE) {
                        $sum(&mut offered, features::extended);
                    }
                    $($(if asked.$field != 0 && offered.$field == 0 {
                        return Some([stringify!($sum), stringify!($field)]);
                    })*)*
                })*
            }
            None
        }
    };
}

feature_sums! {
    PhysicalDeviceVulkan11Features {
        PhysicalDevice16BitStorageFeatures {
            storage_buffer16_bit_access,
            uniform_and_storage_buffer16_bit_access,
            storage_push_constant16,
            storage_input_output16,
        }
        PhysicalDeviceMultiviewFeatures {
            multiview,
            multiview_geometry_shader,
            multiview_tessellation_shader,
        }
        PhysicalDeviceVariablePointersFeatures { variable_pointers_storage_buffer, variable_pointers }
        PhysicalDeviceProtectedMemoryFeatures { protected_memory }
        PhysicalDeviceSamplerYcbcrConversionFeatures { sampler_ycbcr_conversion }
        PhysicalDeviceShaderDrawParametersFeatures { shader_draw_parameters }
    }
    PhysicalDeviceVulkan12Features {
        PhysicalDevice8BitStorageFeatures {
            storage_buffer8_bit_access,
            uniform_and_storage_buffer8_bit_access,
            storage_push_constant8,
        }
        PhysicalDeviceShaderAtomicInt64Features { shader_buffer_int64_atomics, shader_shared_int64_atomics }
        PhysicalDeviceShaderFloat16Int8Features { shader_float16, shader_int8 }
        PhysicalDeviceDescriptorIndexingFeatures {
            shader_input_attachment_array_dynamic_indexing,
            shader_uniform_texel_buffer_array_dynamic_indexing,
            shader_storage_texel_buffer_array_dynamic_indexing,
            shader_uniform_buffer_array_non_uniform_indexing,
            shader_sampled_image_array_non_uniform_indexing,
            shader_storage_buffer_array_non_uniform_indexing,
            shader_storage_image_array_non_uniform_indexing,
            shader_input_attachment_array_non_uniform_indexing,
            shader_uniform_texel_buffer_array_non_uniform_indexing,
            shader_storage_texel_buffer_array_non_uniform_indexing,
            descriptor_binding_uniform_buffer_update_after_bind,
            descriptor_binding_sampled_image_update_after_bind,
            descriptor_binding_storage_image_update_after_bind,
            descriptor_binding_storage_buffer_update_after_bind,
            descriptor_binding_uniform_texel_buffer_update_after_bind,
            descriptor_binding_storage_texel_buffer_update_after_bind,
            descriptor_binding_update_unused_while_pending,
            descriptor_binding_partially_bound,
            descriptor_binding_variable_descriptor_count,
            runtime_descriptor_array,
        }
        PhysicalDeviceScalarBlockLayoutFeatures { scalar_block_layout }
        PhysicalDeviceImagelessFramebufferFeatures { imageless_framebuffer }
        PhysicalDeviceUniformBufferStandardLayoutFeatures { uniform_buffer_standard_layout }
        PhysicalDeviceShaderSubgroupExtendedTypesFeatures { shader_subgroup_extended_types }
        PhysicalDeviceSeparateDepthStencilLayoutsFeatures { separate_depth_stencil_layouts }
        PhysicalDeviceHostQueryResetFeatures { host_query_reset }
        PhysicalDeviceTimelineSemaphoreFeatures { timeline_semaphore }
        PhysicalDeviceBufferDeviceAddressFeatures {
            buffer_device_address,
            buffer_device_address_capture_replay,
            buffer_device_address_multi_device,
        }
        PhysicalDeviceVulkanMemoryModelFeatures {
            vulkan_memory_model,
            vulkan_memory_model_device_scope,
            vulkan_memory_model_availability_visibility_chains,
        }
    }
    PhysicalDeviceVulkan13Features {
        PhysicalDeviceImageRobustnessFeatures { robust_image_access }
        PhysicalDeviceInlineUniformBlockFeatures {
            inline_uniform_block,
            descriptor_binding_inline_uniform_block_update_after_bind,
        }
        PhysicalDevicePipelineCreationCacheControlFeatures { pipeline_creation_cache_control }
        PhysicalDevicePrivateDataFeatures { private_data }
        PhysicalDeviceShaderDemoteToHelperInvocationFeatures { shader_demote_to_helper_invocation }
        PhysicalDeviceShaderTerminateInvocationFeatures { shader_terminate_invocation }
        PhysicalDeviceSubgroupSizeControlFeatures { subgroup_size_control, compute_full_subgroups }
        PhysicalDeviceSynchronization2Features { synchronization2 }
        PhysicalDeviceTextureCompressionASTCHDRFeatures { texture_compression_astc_hdr }
        PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures { shader_zero_initialize_workgroup_memory }
        PhysicalDeviceDynamicRenderingFeatures { dynamic_rendering }
        PhysicalDeviceShaderIntegerDotProductFeatures { shader_integer_dot_product }
        PhysicalDeviceMaintenance4Features { maintenance4 }
    }
    PhysicalDeviceVulkan14Features {
        PhysicalDeviceGlobalPriorityQueryFeaturesKHR { global_priority_query }
        PhysicalDeviceShaderSubgroupRotateFeaturesKHR {
            shader_subgroup_rotate,
            shader_subgroup_rotate_clustered,
        }
        PhysicalDeviceShaderFloatControls2FeaturesKHR { shader_float_controls2 }
        PhysicalDeviceShaderExpectAssumeFeaturesKHR { shader_expect_assume }
        PhysicalDeviceLineRasterizationFeaturesKHR {
            rectangular_lines,
            bresenham_lines,
            smooth_lines,
            stippled_rectangular_lines,
            stippled_bresenham_lines,
            stippled_smooth_lines,
        }
        PhysicalDeviceVertexAttributeDivisorFeaturesKHR {
            vertex_attribute_instance_rate_divisor,
            vertex_attribute_instance_rate_zero_divisor,
        }
        PhysicalDeviceIndexTypeUint8FeaturesKHR { index_type_uint8 }
        PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR { dynamic_rendering_local_read }
        PhysicalDeviceMaintenance5FeaturesKHR { maintenance5 }
        PhysicalDeviceMaintenance6FeaturesKHR { maintenance6 }
        PhysicalDevicePipelineProtectedAccessFeaturesEXT { pipeline_protected_access }
        PhysicalDevicePipelineRobustnessFeaturesEXT { pipeline_robustness }
        PhysicalDeviceHostImageCopyFeaturesEXT { host_image_copy }
    }
}

sums! {
    PhysicalDeviceVulkan11Properties {
        PhysicalDeviceIDProperties {
            device_uuid,
            driver_uuid,
            device_luid,
            device_node_mask,
            device_luid_valid,
        }
        PhysicalDeviceSubgroupProperties {
            subgroup_size,
            subgroup_supported_stages = supported_stages,
            subgroup_supported_operations = supported_operations,
            subgroup_quad_operations_in_all_stages = quad_operations_in_all_stages,
        }
        PhysicalDevicePointClippingProperties { point_clipping_behavior }
        PhysicalDeviceMultiviewProperties { max_multiview_view_count, max_multiview_instance_index }
        PhysicalDeviceProtectedMemoryProperties { protected_no_fault }
        PhysicalDeviceMaintenance3Properties { max_per_set_descriptors, max_memory_allocation_size }
    }
    PhysicalDeviceVulkan12Properties {
        PhysicalDeviceDriverProperties { driver_id, driver_name, driver_info, conformance_version }
        PhysicalDeviceFloatControlsProperties {
            denorm_behavior_independence,
            rounding_mode_independence,
            shader_signed_zero_inf_nan_preserve_float16,
            shader_signed_zero_inf_nan_preserve_float32,
            shader_signed_zero_inf_nan_preserve_float64,
            shader_denorm_preserve_float16,
            shader_denorm_preserve_float32,
            shader_denorm_preserve_float64,
            shader_denorm_flush_to_zero_float16,
            shader_denorm_flush_to_zero_float32,
            shader_denorm_flush_to_zero_float64,
            shader_rounding_mode_rte_float16,
            shader_rounding_mode_rte_float32,
            shader_rounding_mode_rte_float64,
            shader_rounding_mode_rtz_float16,
            shader_rounding_mode_rtz_float32,
            shader_rounding_mode_rtz_float64,
        }
        PhysicalDeviceDescriptorIndexingProperties {
            max_update_after_bind_descriptors_in_all_pools,
            shader_uniform_buffer_array_non_uniform_indexing_native,
            shader_sampled_image_array_non_uniform_indexing_native,
            shader_storage_buffer_array_non_uniform_indexing_native,
            shader_storage_image_array_non_uniform_indexing_native,
            shader_input_attachment_array_non_uniform_indexing_native,
            robust_buffer_access_update_after_bind,
            quad_divergent_implicit_lod,
            max_per_stage_descriptor_update_after_bind_samplers,
            max_per_stage_descriptor_update_after_bind_uniform_buffers,
            max_per_stage_descriptor_update_after_bind_storage_buffers,
            max_per_stage_descriptor_update_after_bind_sampled_images,
            max_per_stage_descriptor_update_after_bind_storage_images,
            max_per_stage_descriptor_update_after_bind_input_attachments,
            max_per_stage_update_after_bind_resources,
            max_descriptor_set_update_after_bind_samplers,
            max_descriptor_set_update_after_bind_uniform_buffers,
            max_descriptor_set_update_after_bind_uniform_buffers_dynamic,
            max_descriptor_set_update_after_bind_storage_buffers,
            max_descriptor_set_update_after_bind_storage_buffers_dynamic,
            max_descriptor_set_update_after_bind_sampled_images,
            max_descriptor_set_update_after_bind_storage_images,
            max_descriptor_set_update_after_bind_input_attachments,
        }
        PhysicalDeviceDepthStencilResolveProperties {
            supported_depth_resolve_modes,
            supported_stencil_resolve_modes,
            independent_resolve_none,
            independent_resolve,
        }
        PhysicalDeviceSamplerFilterMinmaxProperties {
            filter_minmax_single_component_formats,
            filter_minmax_image_component_mapping,
        }
        PhysicalDeviceTimelineSemaphoreProperties { max_timeline_semaphore_value_difference }
    }
    PhysicalDeviceVulkan13Properties {
        PhysicalDeviceSubgroupSizeControlProperties {
            min_subgroup_size,
            max_subgroup_size,
            max_compute_workgroup_subgroups,
            required_subgroup_size_stages,
        }
        PhysicalDeviceInlineUniformBlockProperties {
            max_inline_uniform_block_size,
            max_per_stage_descriptor_inline_uniform_blocks,
            max_per_stage_descriptor_update_after_bind_inline_uniform_blocks,
            max_descriptor_set_inline_uniform_blocks,
            max_descriptor_set_update_after_bind_inline_uniform_blocks,
        }
        PhysicalDeviceShaderIntegerDotProductProperties {
            integer_dot_product8_bit_unsigned_accelerated,
            integer_dot_product8_bit_signed_accelerated,
            integer_dot_product8_bit_mixed_signedness_accelerated,
            integer_dot_product4x8_bit_packed_unsigned_accelerated,
            integer_dot_product4x8_bit_packed_signed_accelerated,
            integer_dot_product4x8_bit_packed_mixed_signedness_accelerated,
            integer_dot_product16_bit_unsigned_accelerated,
            integer_dot_product16_bit_signed_accelerated,
            integer_dot_product16_bit_mixed_signedness_accelerated,
            integer_dot_product32_bit_unsigned_accelerated,
            integer_dot_product32_bit_signed_accelerated,
            integer_dot_product32_bit_mixed_signedness_accelerated,
            integer_dot_product64_bit_unsigned_accelerated,
            integer_dot_product64_bit_signed_accelerated,
            integer_dot_product64_bit_mixed_signedness_accelerated,
            integer_dot_product_accumulating_saturating8_bit_unsigned_accelerated,
            integer_dot_product_accumulating_saturating8_bit_signed_accelerated,
            integer_dot_product_accumulating_saturating8_bit_mixed_signedness_accelerated,
            integer_dot_product_accumulating_saturating4x8_bit_packed_unsigned_accelerated,
            integer_dot_product_accumulating_saturating4x8_bit_packed_signed_accelerated,
            integer_dot_product_accumulating_saturating4x8_bit_packed_mixed_signedness_accelerated,
            integer_dot_product_accumulating_saturating16_bit_unsigned_accelerated,
            integer_dot_product_accumulating_saturating16_bit_signed_accelerated,
            integer_dot_product_accumulating_saturating16_bit_mixed_signedness_accelerated,
            integer_dot_product_accumulating_saturating32_bit_unsigned_accelerated,
            integer_dot_product_accumulating_saturating32_bit_signed_accelerated,
            integer_dot_product_accumulating_saturating32_bit_mixed_signedness_accelerated,
            integer_dot_product_accumulating_saturating64_bit_unsigned_accelerated,
            integer_dot_product_accumulating_saturating64_bit_signed_accelerated,
            integer_dot_product_accumulating_saturating64_bit_mixed_signedness_accelerated,
        }
        PhysicalDeviceTexelBufferAlignmentProperties {
            storage_texel_buffer_offset_alignment_bytes,
            storage_texel_buffer_offset_single_texel_alignment,
            uniform_texel_buffer_offset_alignment_bytes,
            uniform_texel_buffer_offset_single_texel_alignment,
        }
        PhysicalDeviceMaintenance4Properties { max_buffer_size }
    }
    PhysicalDeviceVulkan14Properties {
        PhysicalDeviceLineRasterizationPropertiesKHR { line_sub_pixel_precision_bits }
        PhysicalDeviceVertexAttributeDivisorPropertiesKHR {
            max_vertex_attrib_divisor,
            supports_non_zero_first_instance,
        }
        PhysicalDevicePushDescriptorPropertiesKHR { max_push_descriptors }
        PhysicalDeviceMaintenance5PropertiesKHR {
            early_fragment_multisample_coverage_after_sample_counting,
            early_fragment_sample_mask_test_before_sample_counting,
            depth_stencil_swizzle_one_support,
            polygon_mode_point_size,
            non_strict_single_pixel_wide_lines_use_parallelogram,
            non_strict_wide_lines_use_parallelogram,
        }
        PhysicalDeviceMaintenance6PropertiesKHR {
            block_texel_view_compatible_multiple_layers,
            max_combined_image_sampler_descriptor_count,
            fragment_shading_rate_clamp_combiner_inputs,
        }
        PhysicalDevicePipelineRobustnessPropertiesEXT {
            default_robustness_storage_buffers,
            default_robustness_uniform_buffers,
            default_robustness_vertex_inputs,
            default_robustness_images,
        }
        PhysicalDeviceHostImageCopyPropertiesEXT {
            optimal_tiling_layout_uuid,
            identical_memory_type_requirements,
        }
    }
}

/// Fills a feature structure of a version.
pub fn fill_features(link: &mut Link) {
    if let Some(p) = link.fill() {
        PhysicalDeviceVulkan11Features(p, features::extended);
    }
    if let Some(p) = link.fill() {
        PhysicalDeviceVulkan12Features(p, features::extended);
    }
    if let Some(p) = link.fill() {
        PhysicalDeviceVulkan13Features(p, features::extended);
    }
    if let Some(p) = link.fill() {
        PhysicalDeviceVulkan14Features(p, features::extended);
    }
}

/// Fills a property structure of a version.
pub fn fill_properties(link: &mut Link) {
    if let Some(p) = link.fill() {
        PhysicalDeviceVulkan11Properties(p, properties::extended_properties);
    }
    if let Some(p) = link.fill() {
        PhysicalDeviceVulkan12Properties(p, properties::extended_properties);
    }
    if let Some(p) = link.fill() {
        PhysicalDeviceVulkan13Properties(p, properties::extended_properties);
    }
    if let Some(p) = link.fill() {
        PhysicalDeviceVulkan14Properties(p, properties::extended_properties);
        properties::host_copy_layouts(&mut p.copy_src_layout_count, p.p_copy_src_layouts);
        properties::host_copy_layouts(&mut p.copy_dst_layout_count, p.p_copy_dst_layouts);
    }
}

#[cfg(test)]
mod tests {
    use ash::vk;

    use super::*;

    /// A member without a row would be accepted although it is not supported. The members follow `sType` and `pNext`;
    /// padding to eight bytes can hide a single one.
    #[test]
    fn every_member_of_a_version_has_a_row() {
        for (structure, rows, bytes) in COUNTS {
            let others = features::rows(*structure);
            let end = 16 + 4 * (rows + others);
            assert_eq!(end.next_multiple_of(8), *bytes, "{structure:?}: {rows} + {others}");
        }
    }

    #[test]
    fn versions_say_what_the_extensions_say() {
        let sum: vk::PhysicalDeviceVulkan12Features<'_> = filled(|link| {
            features::extended(link);
            fill_features(link);
        });
        let part: vk::PhysicalDeviceDescriptorIndexingFeatures<'_> = filled(features::extended);
        assert_eq!(sum.runtime_descriptor_array, part.runtime_descriptor_array);
        assert_eq!(sum.timeline_semaphore, vk::TRUE);
        assert_eq!(sum.buffer_device_address_multi_device, vk::FALSE);
        // Supported features may be requested, and no others.
        let ask = |version, f: &vk::PhysicalDeviceVulkan12Features<'_>| {
            let offer = Offer { version, hidden: &[], rows: crate::table::ROWS };
            // SAFETY: the chain consists of one live structure.
            unsafe { feature_missing(&offer, (&raw const *f).cast()) }.is_none()
        };
        let new = vk::API_VERSION_1_2;
        assert!(ask(new, &sum));
        assert!(!ask(
            new,
            &vk::PhysicalDeviceVulkan12Features { buffer_device_address_multi_device: 1, ..sum }
        ));
        // A device of 1.1 does not know the structure.
        assert!(!ask(vk::API_VERSION_1_1, &sum));
        assert!(ask(vk::API_VERSION_1_1, &Default::default()));
    }
}
