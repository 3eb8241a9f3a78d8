//! Supported features, and the check of the features that a device requests.

use ash::vk;
use ash::vk::TaggedStructure;
use quadrille::limits::FEATURES;

use crate::interface::chain::Link;
use crate::registry::extensions::Offer;

/// Structures of the bindings, and newer ones.
mod structures {
    pub use ash::vk::*;

    pub use crate::newer::*;
}

/// VkPhysicalDeviceFeatures.
pub fn core() -> vk::PhysicalDeviceFeatures {
    let f = &FEATURES;
    vk::PhysicalDeviceFeatures {
        robust_buffer_access: f.robust_buffer_access.into(),
        full_draw_index_uint32: f.full_draw_index_uint32.into(),
        independent_blend: f.independent_blend.into(),
        multi_draw_indirect: f.multi_draw_indirect.into(),
        draw_indirect_first_instance: f.draw_indirect_first_instance.into(),
        depth_clamp: f.depth_clamp.into(),
        fill_mode_non_solid: f.fill_mode_non_solid.into(),
        tessellation_shader: f.tessellation_shader.into(),
        geometry_shader: f.geometry_shader.into(),
        shader_tessellation_and_geometry_point_size: f.shader_tessellation_and_geometry_point_size.into(),
        multi_viewport: f.multi_viewport.into(),
        sample_rate_shading: f.sample_rate_shading.into(),
        large_points: f.large_points.into(),
        wide_lines: f.wide_lines.into(),
        dual_src_blend: f.dual_src_blend.into(),
        logic_op: f.logic_op.into(),
        depth_bounds: f.depth_bounds.into(),
        alpha_to_one: f.alpha_to_one.into(),
        depth_bias_clamp: vk::TRUE,
        shader_float64: f.shader_float64.into(),
        shader_int64: f.shader_int64.into(),
        shader_int16: f.shader_int16.into(),
        shader_uniform_buffer_array_dynamic_indexing: f.descriptor_dynamic_indexing.into(),
        shader_storage_buffer_array_dynamic_indexing: f.descriptor_dynamic_indexing.into(),
        shader_sampled_image_array_dynamic_indexing: f.descriptor_dynamic_indexing.into(),
        shader_storage_image_array_dynamic_indexing: f.descriptor_dynamic_indexing.into(),
        shader_image_gather_extended: f.shader_image_gather_extended.into(),
        shader_storage_image_extended_formats: f.shader_storage_image_extended_formats.into(),
        texture_compression_bc: f.texture_compression.into(),
        texture_compression_etc2: f.texture_compression.into(),
        texture_compression_astc_ldr: f.texture_compression.into(),
        shader_clip_distance: f.shader_clip_distance.into(),
        shader_cull_distance: f.shader_cull_distance.into(),
        shader_storage_image_read_without_format: f.storage_image_read_without_format.into(),
        shader_storage_image_write_without_format: f.storage_image_write_without_format.into(),
        shader_resource_min_lod: f.shader_resource_min_lod.into(),
        shader_storage_image_multisample: f.shader_storage_image_multisample.into(),
        sampler_anisotropy: f.sampler_anisotropy.into(),
        shader_resource_residency: f.shader_resource_residency.into(),
        sparse_binding: f.sparse_binding.into(),
        sparse_residency_buffer: f.sparse_residency.into(),
        sparse_residency_image2_d: f.sparse_residency.into(),
        sparse_residency_image3_d: f.sparse_residency.into(),
        sparse_residency_aliased: f.sparse_residency_aliased.into(),
        image_cube_array: f.image_cube_array.into(),
        pipeline_statistics_query: f.pipeline_statistics_query.into(),
        variable_multisample_rate: f.variable_multisample_rate.into(),
        inherited_queries: f.inherited_queries.into(),
        occlusion_query_precise: f.occlusion_query_precise.into(),
        vertex_pipeline_stores_and_atomics: f.vertex_pipeline_stores_and_atomics.into(),
        fragment_stores_and_atomics: f.fragment_stores_and_atomics.into(),
        ..Default::default()
    }
}

/// Feature structures of extensions and later versions, with a row for each supported field.
macro_rules! extended {
    ($($structure:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        /// The structures, for tests.
        #[cfg(test)]
        const STRUCTURES: &[vk::StructureType] =
            &[$(<structures::$structure as TaggedStructure>::STRUCTURE_TYPE,)*];

        /// Fills one structure of the chain of VkPhysicalDeviceFeatures2.
        pub fn extended(link: &mut Link) {
            $(if let Some(p) = link.get::<structures::$structure>() {
                $(p.$field = vk::Bool32::from($value);)*
            })*
        }

        /// Returns a feature that structures of the chain request and that is not supported, with its structure.
        ///
        /// # Safety
        /// `next` starts a valid chain.
        pub unsafe fn extended_missing(offer: &Offer, next: *const std::ffi::c_void) -> Option<[&'static str; 2]> {
            // SAFETY: the caller promises a valid chain.
            unsafe {
                $(if let Some(p) = crate::interface::chain::find::<structures::$structure>(next) {
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

extended! {
    PhysicalDevice16BitStorageFeatures {
        storage_buffer16_bit_access: FEATURES.storage_16bit,
        uniform_and_storage_buffer16_bit_access: FEATURES.storage_16bit,
        storage_push_constant16: FEATURES.storage_16bit,
        storage_input_output16: FEATURES.storage_input_output_16bit,
    }
    PhysicalDeviceMultiviewFeatures {
        multiview: FEATURES.multiview,
        multiview_geometry_shader: FEATURES.multiview_geometry_shader,
        multiview_tessellation_shader: FEATURES.multiview_tessellation_shader,
    }
    PhysicalDeviceVariablePointersFeatures {
        variable_pointers_storage_buffer: FEATURES.variable_pointers_storage_buffer,
        variable_pointers: FEATURES.variable_pointers,
    }
    PhysicalDeviceProtectedMemoryFeatures { protected_memory: false }
    PhysicalDeviceSamplerYcbcrConversionFeatures {
        sampler_ycbcr_conversion: FEATURES.sampler_ycbcr_conversion,
    }
    PhysicalDeviceYcbcrImageArraysFeaturesEXT {
        ycbcr_image_arrays: FEATURES.sampler_ycbcr_conversion,
    }
    PhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT {
        ycbcr2plane444_formats: FEATURES.sampler_ycbcr_conversion,
    }
    PhysicalDeviceShaderDrawParametersFeatures { shader_draw_parameters: FEATURES.shader_draw_parameters }
    // Fields that only this structure has; `versions` fills in the others.
    PhysicalDeviceVulkan12Features {
        sampler_mirror_clamp_to_edge: true,
        draw_indirect_count: FEATURES.draw_indirect_count,
        descriptor_indexing: FEATURES.descriptor_indexing,
        sampler_filter_minmax: FEATURES.sampler_filter_minmax,
        shader_output_viewport_index: FEATURES.shader_output_viewport_index,
        shader_output_layer: FEATURES.shader_output_layer,
        subgroup_broadcast_dynamic_id: true,
    }
    PhysicalDeviceVulkan14Features { push_descriptor: true }
    PhysicalDeviceGlobalPriorityQueryFeaturesKHR { global_priority_query: true }
    PhysicalDevicePrivateDataFeatures { private_data: true }
    PhysicalDeviceTexelBufferAlignmentFeaturesEXT { texel_buffer_alignment: true }
    PhysicalDeviceTextureCompressionASTCHDRFeatures { texture_compression_astc_hdr: false }
    PhysicalDeviceCustomBorderColorFeaturesEXT {
        custom_border_colors: FEATURES.custom_border_colors,
        custom_border_color_without_format: FEATURES.custom_border_colors,
    }
    PhysicalDeviceBorderColorSwizzleFeaturesEXT {
        border_color_swizzle: FEATURES.border_color_swizzle,
        border_color_swizzle_from_image: FEATURES.border_color_swizzle,
    }
    PhysicalDeviceNonSeamlessCubeMapFeaturesEXT { non_seamless_cube_map: FEATURES.non_seamless_cube_map }
    PhysicalDeviceImageViewMinLodFeaturesEXT { min_lod: FEATURES.image_view_min_lod }
    PhysicalDeviceLineRasterizationFeaturesKHR {
        rectangular_lines: FEATURES.line_rasterization,
        bresenham_lines: FEATURES.line_rasterization,
        smooth_lines: FEATURES.line_rasterization,
        stippled_rectangular_lines: FEATURES.line_rasterization,
        stippled_bresenham_lines: FEATURES.line_rasterization,
        stippled_smooth_lines: FEATURES.line_rasterization,
    }
    PhysicalDeviceProvokingVertexFeaturesEXT {
        provoking_vertex_last: FEATURES.provoking_vertex_last,
        transform_feedback_preserves_provoking_vertex: FEATURES.provoking_vertex_last
            && FEATURES.transform_feedback,
    }
    PhysicalDeviceTransformFeedbackFeaturesEXT {
        transform_feedback: FEATURES.transform_feedback,
        geometry_streams: FEATURES.geometry_streams,
    }
    PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT {
        primitives_generated_query: FEATURES.primitives_generated_query,
        primitives_generated_query_with_rasterizer_discard: FEATURES.primitives_generated_query,
        primitives_generated_query_with_non_zero_streams: FEATURES.primitives_generated_query
            && FEATURES.geometry_streams,
    }
    PhysicalDeviceMeshShaderFeaturesEXT {
        task_shader: FEATURES.task_shader,
        mesh_shader: FEATURES.mesh_shader,
        multiview_mesh_shader: FEATURES.multiview_mesh_shader,
        primitive_fragment_shading_rate_mesh_shader: FEATURES.primitive_fragment_shading_rate,
        mesh_shader_queries: FEATURES.mesh_shader_queries,
    }
    PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT {
        primitive_topology_list_restart: FEATURES.primitive_topology_list_restart,
        primitive_topology_patch_list_restart: FEATURES.primitive_topology_patch_list_restart,
    }
    PhysicalDeviceIndexTypeUint8FeaturesKHR { index_type_uint8: FEATURES.index_type_uint8 }
    PhysicalDeviceVertexAttributeDivisorFeaturesKHR {
        vertex_attribute_instance_rate_divisor: FEATURES.vertex_attribute_divisor,
        vertex_attribute_instance_rate_zero_divisor: FEATURES.vertex_attribute_divisor,
    }
    PhysicalDeviceMultiDrawFeaturesEXT { multi_draw: FEATURES.multi_draw }
    PhysicalDeviceDynamicRenderingFeatures { dynamic_rendering: FEATURES.dynamic_rendering }
    PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR {
        dynamic_rendering_local_read: FEATURES.dynamic_rendering_local_read,
    }
    PhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT {
        attachment_feedback_loop_layout: FEATURES.attachment_feedback_loop,
    }
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
    PhysicalDeviceMultisampledRenderToSwapchainFeaturesEXT {
        multisampled_render_to_swapchain: FEATURES.multisampled_render_to_single_sampled,
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
    PhysicalDeviceDescriptorHeapFeaturesEXT {
        descriptor_heap: true,
        descriptor_heap_capture_replay: false,
    }
    PhysicalDeviceFragmentShaderBarycentricFeaturesKHR {
        fragment_shader_barycentric: FEATURES.fragment_shader_barycentric,
    }
    PhysicalDeviceFragmentShaderInterlockFeaturesEXT {
        fragment_shader_sample_interlock: FEATURES.fragment_shader_interlock,
        fragment_shader_pixel_interlock: FEATURES.fragment_shader_interlock,
        fragment_shader_shading_rate_interlock: false,
    }
    PhysicalDeviceShaderObjectFeaturesEXT { shader_object: true }
    PhysicalDeviceMaintenance4Features { maintenance4: true }
    PhysicalDeviceMaintenance5FeaturesKHR { maintenance5: true }
    PhysicalDeviceSynchronization2Features { synchronization2: true }
    PhysicalDeviceTimelineSemaphoreFeatures { timeline_semaphore: FEATURES.timeline_semaphore }
    PhysicalDeviceExtendedDynamicStateFeaturesEXT { extended_dynamic_state: FEATURES.extended_dynamic_state }
    PhysicalDeviceExtendedDynamicState2FeaturesEXT {
        extended_dynamic_state2: FEATURES.extended_dynamic_state2,
        extended_dynamic_state2_logic_op: FEATURES.extended_dynamic_state2,
        extended_dynamic_state2_patch_control_points: FEATURES.tessellation_shader,
    }
    PhysicalDeviceExtendedDynamicState3FeaturesEXT {
        extended_dynamic_state3_tessellation_domain_origin: FEATURES.tessellation_shader,
        extended_dynamic_state3_depth_clamp_enable: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_polygon_mode: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_rasterization_samples: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_sample_mask: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_alpha_to_coverage_enable: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_alpha_to_one_enable: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_logic_op_enable: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_color_blend_enable: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_color_blend_equation: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_color_write_mask: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_rasterization_stream: FEATURES.extended_dynamic_state3
            && FEATURES.geometry_streams,
        extended_dynamic_state3_conservative_rasterization_mode: false,
        extended_dynamic_state3_extra_primitive_overestimation_size: false,
        extended_dynamic_state3_depth_clip_enable: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_sample_locations_enable: FEATURES.sample_locations,
        extended_dynamic_state3_color_blend_advanced: FEATURES.extended_dynamic_state3,
        extended_dynamic_state3_provoking_vertex_mode: FEATURES.provoking_vertex_last,
        extended_dynamic_state3_line_rasterization_mode: FEATURES.line_rasterization,
        extended_dynamic_state3_line_stipple_enable: FEATURES.line_rasterization,
        extended_dynamic_state3_depth_clip_negative_one_to_one: FEATURES.extended_dynamic_state3,
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
    PhysicalDeviceDepthClipControlFeaturesEXT { depth_clip_control: FEATURES.depth_clip_control }
    PhysicalDeviceDepthBiasControlFeaturesEXT {
        depth_bias_control: FEATURES.depth_bias_control,
        least_representable_value_force_unorm_representation: FEATURES.depth_bias_control,
        float_representation: FEATURES.depth_bias_control,
        depth_bias_exact: FEATURES.depth_bias_control,
    }
    PhysicalDeviceConditionalRenderingFeaturesEXT {
        conditional_rendering: FEATURES.conditional_rendering,
        inherited_conditional_rendering: FEATURES.conditional_rendering,
    }
    PhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT {
        dynamic_rendering_unused_attachments: FEATURES.dynamic_rendering,
    }
    PhysicalDeviceNestedCommandBufferFeaturesEXT {
        nested_command_buffer: true,
        nested_command_buffer_rendering: true,
        nested_command_buffer_simultaneous_use: true,
    }
    PhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT {
        attachment_feedback_loop_dynamic_state: FEATURES.attachment_feedback_loop,
    }
    PhysicalDeviceFragmentShadingRateFeaturesKHR {
        pipeline_fragment_shading_rate: FEATURES.pipeline_fragment_shading_rate,
        primitive_fragment_shading_rate: FEATURES.primitive_fragment_shading_rate,
        attachment_fragment_shading_rate: FEATURES.attachment_fragment_shading_rate,
    }
    PhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT {
        multisampled_render_to_single_sampled: FEATURES.multisampled_render_to_single_sampled,
    }
    PhysicalDeviceMaintenance6FeaturesKHR { maintenance6: true }
    PhysicalDeviceInlineUniformBlockFeatures {
        inline_uniform_block: FEATURES.inline_uniform_block,
        descriptor_binding_inline_uniform_block_update_after_bind: FEATURES.inline_uniform_block,
    }
    PhysicalDeviceMutableDescriptorTypeFeaturesEXT {
        mutable_descriptor_type: FEATURES.mutable_descriptor_type,
    }
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
    PhysicalDeviceColorWriteEnableFeaturesEXT { color_write_enable: FEATURES.color_write_enable }
    PhysicalDeviceVertexInputDynamicStateFeaturesEXT {
        vertex_input_dynamic_state: FEATURES.vertex_input_dynamic_state,
    }
    PhysicalDeviceDepthClipEnableFeaturesEXT { depth_clip_enable: FEATURES.depth_clip_enable }
    PhysicalDeviceRobustness2FeaturesEXT {
        robust_buffer_access2: FEATURES.robust_buffer_access2,
        robust_image_access2: FEATURES.robust_image_access2,
        null_descriptor: FEATURES.null_descriptor,
    }
    PhysicalDeviceImagelessFramebufferFeatures { imageless_framebuffer: true }
    PhysicalDeviceHostQueryResetFeatures { host_query_reset: true }
    PhysicalDeviceSeparateDepthStencilLayoutsFeatures { separate_depth_stencil_layouts: true }
    PhysicalDeviceUniformBufferStandardLayoutFeatures {
        uniform_buffer_standard_layout: FEATURES.uniform_buffer_standard_layout,
    }
    PhysicalDeviceScalarBlockLayoutFeatures { scalar_block_layout: FEATURES.scalar_block_layout }
    PhysicalDeviceBufferDeviceAddressFeatures {
        buffer_device_address: FEATURES.buffer_device_address,
        buffer_device_address_capture_replay: false,
        buffer_device_address_multi_device: false,
    }
    PhysicalDeviceBufferDeviceAddressFeaturesEXT {
        buffer_device_address: FEATURES.buffer_device_address,
        buffer_device_address_capture_replay: false,
        buffer_device_address_multi_device: false,
    }
    PhysicalDevicePipelineRobustnessFeaturesEXT {
        pipeline_robustness: FEATURES.robust_buffer_access2 && FEATURES.robust_image_access2,
    }
    PhysicalDeviceShaderUntypedPointersFeaturesKHR {
        shader_untyped_pointers: FEATURES.shader_untyped_pointers,
    }
    PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR {
        workgroup_memory_explicit_layout: FEATURES.workgroup_memory_explicit_layout,
        workgroup_memory_explicit_layout_scalar_block_layout: FEATURES.workgroup_memory_explicit_layout,
        workgroup_memory_explicit_layout8_bit_access: FEATURES.workgroup_memory_explicit_layout,
        workgroup_memory_explicit_layout16_bit_access: FEATURES.workgroup_memory_explicit_layout,
    }
    PhysicalDevice8BitStorageFeatures {
        storage_buffer8_bit_access: FEATURES.storage_8bit,
        uniform_and_storage_buffer8_bit_access: FEATURES.storage_8bit,
        storage_push_constant8: FEATURES.storage_8bit,
    }
    PhysicalDeviceShaderFloat16Int8Features {
        shader_float16: FEATURES.shader_float16,
        shader_int8: FEATURES.shader_int8,
    }
    PhysicalDeviceImageRobustnessFeatures { robust_image_access: FEATURES.robust_image_access }
    PhysicalDeviceShaderAtomicInt64Features {
        shader_buffer_int64_atomics: FEATURES.shader_buffer_int64_atomics,
        shader_shared_int64_atomics: FEATURES.shader_shared_int64_atomics,
    }
    PhysicalDeviceShaderAtomicFloatFeaturesEXT {
        shader_buffer_float32_atomics: FEATURES.shader_buffer_float32_atomics,
        shader_buffer_float32_atomic_add: FEATURES.shader_buffer_float32_atomics,
        shader_buffer_float64_atomics: FEATURES.shader_buffer_float64_atomics,
        shader_buffer_float64_atomic_add: FEATURES.shader_buffer_float64_atomics,
        shader_shared_float32_atomics: FEATURES.shader_buffer_float32_atomics,
        shader_shared_float32_atomic_add: FEATURES.shader_buffer_float32_atomics,
        shader_shared_float64_atomics: FEATURES.shader_buffer_float64_atomics,
        shader_shared_float64_atomic_add: FEATURES.shader_buffer_float64_atomics,
        shader_image_float32_atomics: FEATURES.shader_image_float32_atomics,
        shader_image_float32_atomic_add: FEATURES.shader_image_float32_atomics,
        sparse_image_float32_atomics: FEATURES.shader_image_float32_atomics && FEATURES.sparse_residency,
        sparse_image_float32_atomic_add: FEATURES.shader_image_float32_atomics && FEATURES.sparse_residency,
    }
    PhysicalDeviceShaderAtomicFloat2FeaturesEXT {
        shader_buffer_float16_atomics: FEATURES.shader_buffer_float16_atomics,
        shader_buffer_float16_atomic_add: FEATURES.shader_buffer_float16_atomics,
        shader_buffer_float16_atomic_min_max: FEATURES.shader_float_min_max_atomics,
        shader_buffer_float32_atomic_min_max: FEATURES.shader_float_min_max_atomics,
        shader_buffer_float64_atomic_min_max: FEATURES.shader_float_min_max_atomics,
        shader_shared_float16_atomics: FEATURES.shader_buffer_float16_atomics,
        shader_shared_float16_atomic_add: FEATURES.shader_buffer_float16_atomics,
        shader_shared_float16_atomic_min_max: FEATURES.shader_float_min_max_atomics,
        shader_shared_float32_atomic_min_max: FEATURES.shader_float_min_max_atomics,
        shader_shared_float64_atomic_min_max: FEATURES.shader_float_min_max_atomics,
        shader_image_float32_atomic_min_max: FEATURES.shader_image_float32_atomics,
        sparse_image_float32_atomic_min_max: FEATURES.shader_image_float32_atomics && FEATURES.sparse_residency,
    }
    PhysicalDeviceShaderImageAtomicInt64FeaturesEXT {
        shader_image_int64_atomics: FEATURES.shader_image_int64_atomics,
        sparse_image_int64_atomics: FEATURES.shader_image_int64_atomics && FEATURES.sparse_residency,
    }
    PhysicalDeviceComputeShaderDerivativesFeaturesNV {
        compute_derivative_group_quads: FEATURES.compute_shader_derivatives,
        compute_derivative_group_linear: FEATURES.compute_shader_derivatives,
    }
    PhysicalDeviceShaderSubgroupRotateFeatures {
        shader_subgroup_rotate: FEATURES.shader_subgroup_rotate,
        shader_subgroup_rotate_clustered: FEATURES.shader_subgroup_rotate,
    }
    PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR {
        shader_subgroup_uniform_control_flow: FEATURES.shader_subgroup_uniform_control_flow,
    }
    PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR {
        shader_maximal_reconvergence: FEATURES.shader_maximal_reconvergence,
    }
    PhysicalDeviceShaderQuadControlFeaturesKHR { shader_quad_control: FEATURES.shader_quad_control }
    PhysicalDeviceShaderExpectAssumeFeatures { shader_expect_assume: FEATURES.shader_expect_assume }
    PhysicalDeviceShaderReplicatedCompositesFeaturesEXT {
        shader_replicated_composites: FEATURES.shader_replicated_composites,
    }
    PhysicalDeviceShaderClockFeaturesKHR {
        shader_subgroup_clock: FEATURES.shader_clock,
        shader_device_clock: FEATURES.shader_clock,
    }
    PhysicalDeviceShaderFmaFeaturesKHR {
        shader_fma_float16: FEATURES.shader_fma,
        shader_fma_float32: FEATURES.shader_fma,
        shader_fma_float64: FEATURES.shader_fma,
    }
    PhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR {
        shader_relaxed_extended_instruction: FEATURES.shader_relaxed_extended_instruction,
    }
    PhysicalDeviceShaderFloatControls2Features { shader_float_controls2: FEATURES.shader_float_controls2 }
    PhysicalDeviceSubgroupSizeControlFeatures {
        subgroup_size_control: FEATURES.subgroup_size_control,
        compute_full_subgroups: FEATURES.subgroup_size_control,
    }
    PhysicalDeviceDescriptorIndexingFeatures {
        shader_input_attachment_array_dynamic_indexing: FEATURES.descriptor_indexing,
        shader_uniform_texel_buffer_array_dynamic_indexing: FEATURES.descriptor_indexing,
        shader_storage_texel_buffer_array_dynamic_indexing: FEATURES.descriptor_indexing,
        shader_uniform_buffer_array_non_uniform_indexing: FEATURES.descriptor_indexing,
        shader_sampled_image_array_non_uniform_indexing: FEATURES.descriptor_indexing,
        shader_storage_buffer_array_non_uniform_indexing: FEATURES.descriptor_indexing,
        shader_storage_image_array_non_uniform_indexing: FEATURES.descriptor_indexing,
        shader_input_attachment_array_non_uniform_indexing: FEATURES.descriptor_indexing,
        shader_uniform_texel_buffer_array_non_uniform_indexing: FEATURES.descriptor_indexing,
        shader_storage_texel_buffer_array_non_uniform_indexing: FEATURES.descriptor_indexing,
        descriptor_binding_uniform_buffer_update_after_bind: FEATURES.descriptor_indexing,
        descriptor_binding_sampled_image_update_after_bind: FEATURES.descriptor_indexing,
        descriptor_binding_storage_image_update_after_bind: FEATURES.descriptor_indexing,
        descriptor_binding_storage_buffer_update_after_bind: FEATURES.descriptor_indexing,
        descriptor_binding_uniform_texel_buffer_update_after_bind: FEATURES.descriptor_indexing,
        descriptor_binding_storage_texel_buffer_update_after_bind: FEATURES.descriptor_indexing,
        descriptor_binding_update_unused_while_pending: FEATURES.descriptor_indexing,
        descriptor_binding_partially_bound: FEATURES.descriptor_indexing,
        descriptor_binding_variable_descriptor_count: FEATURES.descriptor_indexing,
        runtime_descriptor_array: FEATURES.descriptor_indexing,
    }
    PhysicalDeviceShaderDemoteToHelperInvocationFeatures {
        shader_demote_to_helper_invocation: FEATURES.shader_demote_to_helper_invocation,
    }
    PhysicalDeviceShaderTerminateInvocationFeatures {
        shader_terminate_invocation: FEATURES.shader_terminate_invocation,
    }
    PhysicalDeviceShaderIntegerDotProductFeatures {
        shader_integer_dot_product: FEATURES.shader_integer_dot_product,
    }
    PhysicalDeviceVulkanMemoryModelFeatures {
        vulkan_memory_model: FEATURES.vulkan_memory_model,
        vulkan_memory_model_device_scope: FEATURES.vulkan_memory_model,
        vulkan_memory_model_availability_visibility_chains: FEATURES.vulkan_memory_model,
    }
    PhysicalDeviceShaderSubgroupExtendedTypesFeatures {
        shader_subgroup_extended_types: FEATURES.subgroup_extended_types,
    }
    PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures {
        shader_zero_initialize_workgroup_memory: FEATURES.zero_initialize_workgroup_memory,
    }
}

/// Returns the first feature that is requested and not supported.
pub fn core_missing(asked: &vk::PhysicalDeviceFeatures) -> Option<String> {
    const N: usize = size_of::<vk::PhysicalDeviceFeatures>() / 4;
    // SAFETY: the structure consists of N values of type Bool32.
    let bits = |f: &vk::PhysicalDeviceFeatures| -> [u32; N] { unsafe { std::mem::transmute_copy(f) } };
    let (asked_bits, offered) = (bits(asked), bits(&core()));
    let missing = (0..N).find(|&i| asked_bits[i] != 0 && offered[i] == 0)?;
    // The debug text of the bindings lists the members in order: `Name { first: 0, second: 1 }`.
    let text = format!("{asked:?}");
    let members = text.split_once('{').map_or("", |(_, members)| members).split(',');
    let name = members.filter_map(|member| member.split_once(':')).nth(missing);
    Some(name.map_or(String::new(), |(name, _)| name.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ROWS;

    #[test]
    fn structures_and_rows_belong_together() {
        // These structures repeat fields of other structures: see `versions`.
        let sums = [
            vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
            vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        ];
        for row in ROWS {
            for structure in row.features {
                let known = STRUCTURES.contains(structure) || sums.contains(structure);
                assert!(known, "{}: no values of {structure:?}", row.name);
            }
        }
        for structure in STRUCTURES {
            assert!(ROWS.iter().any(|row| row.features.contains(structure)), "{structure:?} has no row");
        }
    }
}
