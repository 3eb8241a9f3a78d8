//! Properties of the physical device, structure by structure. Features and limits come from the device library.

use ash::vk;
use quadrille::rays::{StructureVersion, VERSION_BYTES};
use quadrille::{FEATURES, GDEFLATE_1_0, LIMITS};

use super::heap::options;
use super::identity::{Identity, identity};
use super::limits;
use crate::interface::chain::{enumerate, fixed};
use crate::newer::{
    PhysicalDeviceCooperativeMatrix2PropertiesNV, PhysicalDeviceRayTracingInvocationReorderPropertiesEXT,
};
use crate::registry::extensions::Offer;

/// Version of the driver, from the version of the crate.
fn driver_version() -> u32 {
    let part = |text: &str| text.parse().unwrap_or(0);
    vk::make_api_version(
        0,
        part(env!("CARGO_PKG_VERSION_MAJOR")),
        part(env!("CARGO_PKG_VERSION_MINOR")),
        part(env!("CARGO_PKG_VERSION_PATCH")),
    )
}

/// Returns a UUID for this version of `what`.
fn uuid(what: &[u8; 8]) -> [u8; vk::UUID_SIZE] {
    let mut out = [0; vk::UUID_SIZE];
    out[..8].copy_from_slice(what);
    out[8..12].copy_from_slice(&driver_version().to_le_bytes());
    out
}

/// `shaderBinaryVersion`.
pub const SHADER_BINARY_VERSION: u32 = 3;

/// `shaderBinaryUUID`.
pub fn shader_binary_uuid() -> [u8; vk::UUID_SIZE] {
    uuid(b"qdr-shad")
}

/// `pipelineCacheUUID`.
pub fn pipeline_cache_uuid() -> [u8; vk::UUID_SIZE] {
    uuid(b"qdr-pipe")
}

/// UUID of the performance counter with this number.
pub fn counter_uuid(number: u32) -> [u8; vk::UUID_SIZE] {
    let mut out = uuid(b"qdr-cntr");
    out[12..].copy_from_slice(&number.to_le_bytes());
    out
}

/// UUID of validation caches.
pub fn validation_cache_uuid() -> [u8; vk::UUID_SIZE] {
    uuid(b"qdr-vald")
}

/// `driverUUID`.
fn driver_uuid() -> [u8; vk::UUID_SIZE] {
    uuid(b"qdr-drvr")
}

/// The first bytes of acceleration structures as bytes: `driverUUID`, and the UUID of the format.
pub fn structure_version() -> StructureVersion {
    let mut version = [0; VERSION_BYTES];
    version[..vk::UUID_SIZE].copy_from_slice(&driver_uuid());
    version[vk::UUID_SIZE..].copy_from_slice(&uuid(b"qdr-rays"));
    version
}

/// VkPhysicalDeviceProperties.
pub fn properties(offer: &Offer) -> vk::PhysicalDeviceProperties {
    let Identity { vendor, device, kind, name, .. } = identity();
    vk::PhysicalDeviceProperties {
        api_version: offer.version,
        driver_version: driver_version(),
        vendor_id: vendor,
        device_id: device,
        device_type: kind,
        device_name: fixed(name),
        pipeline_cache_uuid: pipeline_cache_uuid(),
        limits: limits::limits(),
        sparse_properties: vk::PhysicalDeviceSparseProperties {
            residency_standard2_d_block_shape: FEATURES.sparse_residency.into(),
            residency_standard3_d_block_shape: FEATURES.sparse_residency.into(),
            residency_non_resident_strict: FEATURES.sparse_residency.into(),
            ..Default::default()
        },
    }
}

fn subgroup_size() -> u32 {
    options().lanes
}

/// Returns the image layouts of host copies by the two-call idiom: their number, or as many as `out` takes.
pub fn host_copy_layouts(count: &mut u32, out: *mut vk::ImageLayout) {
    // All layouts are the same in memory.
    use vk::ImageLayout as L;
    const LAYOUTS: [L; 21] = [
        L::GENERAL,
        L::COLOR_ATTACHMENT_OPTIMAL,
        L::DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        L::DEPTH_STENCIL_READ_ONLY_OPTIMAL,
        L::SHADER_READ_ONLY_OPTIMAL,
        L::TRANSFER_SRC_OPTIMAL,
        L::TRANSFER_DST_OPTIMAL,
        L::PREINITIALIZED,
        L::DEPTH_ATTACHMENT_OPTIMAL,
        L::DEPTH_READ_ONLY_OPTIMAL,
        L::STENCIL_ATTACHMENT_OPTIMAL,
        L::STENCIL_READ_ONLY_OPTIMAL,
        L::DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
        L::DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
        L::READ_ONLY_OPTIMAL,
        L::ATTACHMENT_OPTIMAL,
        L::RENDERING_LOCAL_READ_KHR,
        L::ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT,
        L::FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
        L::FRAGMENT_DENSITY_MAP_OPTIMAL_EXT,
        L::PRESENT_SRC_KHR,
    ];
    // SAFETY: the callers pass the pointer of a valid structure, which is null or has room for `*count` layouts.
    let _ = unsafe { enumerate(&LAYOUTS, count, out) };
}

/// Fills one structure of the chain of VkPhysicalDeviceProperties2.
pub fn extended_properties(link: &mut crate::interface::chain::Link) {
    limits::extended(link);
    if let Some(p) = link.fill::<vk::PhysicalDeviceSubgroupProperties>() {
        p.subgroup_size = subgroup_size();
        p.supported_stages = limits::stages();
        p.supported_operations = limits::subgroup_operations();
        p.quad_operations_in_all_stages = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceIDProperties>() {
        p.device_uuid = uuid(b"qdr-devc");
        p.driver_uuid = driver_uuid();
        p.device_luid = Default::default();
        p.device_node_mask = 0;
        p.device_luid_valid = vk::FALSE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceDriverProperties>() {
        // No id is registered for this driver.
        p.driver_id = vk::DriverId::from_raw(0);
        p.driver_name = fixed("quadrille");
        p.driver_info = fixed(concat!("version ", env!("CARGO_PKG_VERSION")));
        p.conformance_version = Default::default();
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceAccelerationStructurePropertiesKHR>() {
        // Builds use no scratch memory.
        p.min_acceleration_structure_scratch_offset_alignment = 1;
    }
    if let Some(p) = link.fill::<PhysicalDeviceCooperativeMatrix2PropertiesNV>() {
        p.cooperative_matrix_workgroup_scope_reserved_shared_memory = 0;
    }
    if let Some(p) = link.fill::<PhysicalDeviceRayTracingInvocationReorderPropertiesEXT>() {
        // VK_RAY_TRACING_INVOCATION_REORDER_MODE_NONE_EXT: invocations that reorder stay in their groups.
        p.ray_tracing_invocation_reorder_reordering_hint = 0;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceMaintenance3Properties>() {
        p.max_memory_allocation_size = limits::max_allocation();
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceMultiviewProperties>() {
        p.max_multiview_instance_index = (1 << 27) - 1;
    }
    if let Some(p) = link.fill::<vk::PhysicalDevicePointClippingProperties>() {
        p.point_clipping_behavior = vk::PointClippingBehavior::ALL_CLIP_PLANES;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceProtectedMemoryProperties>() {
        p.protected_no_fault = vk::FALSE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceDepthStencilResolveProperties>() {
        use vk::ResolveModeFlags as R;
        p.supported_depth_resolve_modes = R::SAMPLE_ZERO | R::AVERAGE | R::MIN | R::MAX;
        p.supported_stencil_resolve_modes = R::SAMPLE_ZERO | R::MIN | R::MAX;
        p.independent_resolve_none = vk::TRUE;
        p.independent_resolve = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceFloatControlsProperties>() {
        p.denorm_behavior_independence = vk::ShaderFloatControlsIndependence::ALL;
        p.rounding_mode_independence = vk::ShaderFloatControlsIndependence::ALL;
        for b in [
            &mut p.shader_signed_zero_inf_nan_preserve_float16,
            &mut p.shader_signed_zero_inf_nan_preserve_float32,
            &mut p.shader_signed_zero_inf_nan_preserve_float64,
            &mut p.shader_denorm_preserve_float16,
            &mut p.shader_denorm_preserve_float32,
            &mut p.shader_denorm_preserve_float64,
            &mut p.shader_rounding_mode_rte_float16,
            &mut p.shader_rounding_mode_rte_float32,
            &mut p.shader_rounding_mode_rte_float64,
        ] {
            *b = vk::TRUE;
        }
        for b in [
            &mut p.shader_denorm_flush_to_zero_float16,
            &mut p.shader_denorm_flush_to_zero_float32,
            &mut p.shader_denorm_flush_to_zero_float64,
            &mut p.shader_rounding_mode_rtz_float16,
            &mut p.shader_rounding_mode_rtz_float32,
            &mut p.shader_rounding_mode_rtz_float64,
        ] {
            *b = vk::FALSE;
        }
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceShaderIntegerDotProductProperties>() {
        // Only packed signed bytes have instructions of their own. They are not reported, since programs would take them instead
        // of products of matrices, which are faster here.
        *p = vk::PhysicalDeviceShaderIntegerDotProductProperties { p_next: p.p_next, ..Default::default() };
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceComputeShaderDerivativesPropertiesKHR>() {
        p.mesh_and_task_shader_derivatives = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceCooperativeMatrixPropertiesKHR>() {
        p.cooperative_matrix_supported_stages = vk::ShaderStageFlags::COMPUTE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceSubgroupSizeControlProperties>() {
        p.min_subgroup_size = 4;
        p.max_subgroup_size = 32;
        p.max_compute_workgroup_subgroups = LIMITS.max_compute_work_group_invocations.div_ceil(4);
        p.required_subgroup_size_stages = limits::stages();
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceDescriptorIndexingProperties>() {
        p.max_update_after_bind_descriptors_in_all_pools = u32::MAX;
        p.robust_buffer_access_update_after_bind = vk::TRUE;
        p.quad_divergent_implicit_lod = vk::FALSE;
        // Lanes of a group with different descriptors are executed in turn.
        p.shader_uniform_buffer_array_non_uniform_indexing_native = vk::FALSE;
        p.shader_sampled_image_array_non_uniform_indexing_native = vk::FALSE;
        p.shader_storage_buffer_array_non_uniform_indexing_native = vk::FALSE;
        p.shader_storage_image_array_non_uniform_indexing_native = vk::FALSE;
        p.shader_input_attachment_array_non_uniform_indexing_native = vk::FALSE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceSamplerFilterMinmaxProperties>() {
        p.filter_minmax_single_component_formats = vk::TRUE;
        p.filter_minmax_image_component_mapping = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceMaintenance5PropertiesKHR>() {
        p.early_fragment_multisample_coverage_after_sample_counting = vk::TRUE;
        p.early_fragment_sample_mask_test_before_sample_counting = vk::TRUE;
        p.depth_stencil_swizzle_one_support = vk::TRUE;
        p.polygon_mode_point_size = vk::TRUE;
        p.non_strict_single_pixel_wide_lines_use_parallelogram = vk::FALSE;
        p.non_strict_wide_lines_use_parallelogram = vk::FALSE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceHostImageCopyPropertiesEXT>() {
        host_copy_layouts(&mut p.copy_src_layout_count, p.p_copy_src_layouts);
        host_copy_layouts(&mut p.copy_dst_layout_count, p.p_copy_dst_layouts);
        p.optimal_tiling_layout_uuid = uuid(b"qdr-rows");
        p.identical_memory_type_requirements = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceTransformFeedbackPropertiesEXT>() {
        p.transform_feedback_queries = vk::TRUE;
        p.transform_feedback_streams_lines_triangles = vk::TRUE;
        p.transform_feedback_rasterization_stream_select = vk::TRUE;
        p.transform_feedback_draw = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceMeshShaderPropertiesEXT>() {
        limits::mesh_shaders(p);
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceExternalMemoryHostPropertiesEXT>() {
        p.min_imported_host_pointer_alignment = limits::HOST_ALIGNMENT;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceProvokingVertexPropertiesEXT>() {
        p.provoking_vertex_mode_per_pipeline = vk::TRUE;
        p.transform_feedback_preserves_triangle_fan_provoking_vertex = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceFragmentShaderBarycentricPropertiesKHR>() {
        // In odd triangles of strips, the vertex order depends on the provoking vertex.
        p.tri_strip_vertex_order_independent_of_provoking_vertex = vk::FALSE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceVertexAttributeDivisorPropertiesEXT>() {
        p.max_vertex_attrib_divisor = u32::MAX;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceVertexAttributeDivisorPropertiesKHR>() {
        p.max_vertex_attrib_divisor = u32::MAX;
        p.supports_non_zero_first_instance = vk::TRUE;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceCopyMemoryIndirectPropertiesKHR>() {
        use vk::QueueFlags as Q;
        p.supported_queues = Q::GRAPHICS | Q::COMPUTE | Q::TRANSFER;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceMemoryDecompressionPropertiesNV>() {
        p.decompression_methods = vk::MemoryDecompressionMethodFlagsNV::from_raw(GDEFLATE_1_0);
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceLegacyVertexAttributesPropertiesEXT>() {
        p.native_unaligned_performance = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceSampleLocationsPropertiesEXT>() {
        limits::sample_locations(p);
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceConservativeRasterizationPropertiesEXT>() {
        limits::conservative(p);
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceShaderTileImagePropertiesEXT>() {
        p.shader_tile_image_coherent_read_accelerated = vk::TRUE;
        p.shader_tile_image_read_sample_from_pixel_rate_invocation = vk::TRUE;
        p.shader_tile_image_read_from_helper_invocation = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceFragmentShadingRatePropertiesKHR>() {
        limits::shading_rates(p);
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceDescriptorBufferPropertiesEXT>() {
        limits::descriptor_buffers(p);
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceDescriptorBufferDensityMapPropertiesEXT>() {
        p.combined_image_sampler_density_map_descriptor_size = quadrille::DESCRIPTOR_BYTES;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceFragmentDensityMap2PropertiesEXT>() {
        limits::density_maps2(p);
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceDescriptorHeapPropertiesEXT>() {
        limits::descriptor_heaps(p);
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceShaderObjectPropertiesEXT>() {
        p.shader_binary_uuid = shader_binary_uuid();
        p.shader_binary_version = SHADER_BINARY_VERSION;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceShaderModuleIdentifierPropertiesEXT>() {
        p.shader_module_identifier_algorithm_uuid = uuid(b"qdr-modl");
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceFaultPropertiesKHR>() {
        p.max_device_fault_count = limits::MAX_FAULTS;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceShaderAbortPropertiesKHR>() {
        p.max_shader_abort_message_size = u64::from(quadrille::MAX_ABORT_MESSAGE);
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceImageAlignmentControlPropertiesMESA>() {
        p.supported_image_alignment_mask = limits::IMAGE_ALIGNMENTS;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceShaderSplitBarrierPropertiesEXT>() {
        p.split_barrier_reserved_shared_memory = 0;
    }
    if let Some(p) = link.fill::<vk::PhysicalDevicePerformanceQueryPropertiesKHR>() {
        p.allow_command_buffer_query_copies = vk::FALSE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceMapMemoryPlacedPropertiesEXT>() {
        p.min_placed_memory_map_alignment = quadrille::placed_map_alignment();
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceTimelineSemaphoreProperties>() {
        p.max_timeline_semaphore_value_difference = u64::MAX;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceGraphicsPipelineLibraryPropertiesEXT>() {
        // Shaders are compiled when a pipeline is linked.
        p.graphics_pipeline_library_fast_linking = vk::FALSE;
        p.graphics_pipeline_library_independent_interpolation_decoration = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceBlendOperationAdvancedPropertiesEXT>() {
        p.advanced_blend_independent_blend = vk::TRUE;
        p.advanced_blend_non_premultiplied_src_color = vk::TRUE;
        p.advanced_blend_non_premultiplied_dst_color = vk::TRUE;
        p.advanced_blend_correlated_overlap = vk::TRUE;
        p.advanced_blend_all_operations = vk::TRUE;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceLayeredApiPropertiesListKHR>() {
        p.layered_api_count = 0;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceMaintenance9PropertiesKHR>() {
        p.image2_d_view_of3_d_sparse = vk::FALSE;
        // VK_DEFAULT_VERTEX_ATTRIBUTE_VALUE_ZERO_ZERO_ZERO_ZERO_KHR.
        p.default_vertex_attribute_value = 0;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceMaintenance10PropertiesKHR>() {
        p.rgba4_opaque_black_swizzled = vk::TRUE;
        p.resolve_srgb_format_applies_transfer_function = vk::TRUE;
        p.resolve_srgb_format_supports_transfer_function_control = vk::FALSE;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceMaintenance7PropertiesKHR>() {
        let both = LIMITS.max_descriptor_set_uniform_buffers_dynamic
            + LIMITS.max_descriptor_set_storage_buffers_dynamic;
        p.robust_fragment_shading_rate_attachment_access = vk::TRUE;
        p.separate_depth_stencil_attachment_access = vk::TRUE;
        p.max_descriptor_set_total_buffers_dynamic = both;
        p.max_descriptor_set_update_after_bind_total_buffers_dynamic = both;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT>() {
        // VK_INDIRECT_COMMANDS_INPUT_MODE_VULKAN_INDEX_BUFFER_EXT, and DXGI_INDEX_BUFFER.
        p.supported_indirect_commands_input_modes = 3;
        p.supported_indirect_commands_shader_stages = limits::generated_stages();
        p.supported_indirect_commands_shader_stages_pipeline_binding = limits::generated_stages();
        p.supported_indirect_commands_shader_stages_shader_binding = limits::generated_shader_stages();
        p.device_generated_commands_transform_feedback = vk::TRUE;
        p.device_generated_commands_multi_draw_indirect_count = vk::TRUE;
    }
    if let Some(p) = link.fill::<crate::newer::PhysicalDevicePipelineBinaryPropertiesKHR>() {
        // The driver has no internal cache, and binaries are not compressed.
        p.pipeline_binary_internal_cache = vk::FALSE;
        p.pipeline_binary_internal_cache_control = vk::FALSE;
        p.pipeline_binary_prefers_internal_cache = vk::FALSE;
        p.pipeline_binary_precompiled_internal_cache = vk::FALSE;
        p.pipeline_binary_compressed_data = vk::FALSE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceInlineUniformBlockProperties>() {
        let blocks = 8;
        p.max_per_stage_descriptor_inline_uniform_blocks = blocks;
        p.max_per_stage_descriptor_update_after_bind_inline_uniform_blocks = blocks;
        p.max_descriptor_set_inline_uniform_blocks = blocks;
        p.max_descriptor_set_update_after_bind_inline_uniform_blocks = blocks;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceMaintenance6PropertiesKHR>() {
        p.block_texel_view_compatible_multiple_layers = vk::TRUE;
        p.max_combined_image_sampler_descriptor_count = 1;
        p.fragment_shading_rate_clamp_combiner_inputs = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceExtendedDynamicState3PropertiesEXT>() {
        p.dynamic_primitive_topology_unrestricted = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceRobustness2PropertiesEXT>() {
        p.robust_storage_buffer_access_size_alignment = 1;
        p.robust_uniform_buffer_access_size_alignment = 1;
    }
    if let Some(p) = link.fill::<vk::PhysicalDevicePipelineRobustnessPropertiesEXT>() {
        // The strongest behaviour, whatever a pipeline requests.
        let buffers = vk::PipelineRobustnessBufferBehaviorEXT::ROBUST_BUFFER_ACCESS_2;
        p.default_robustness_storage_buffers = buffers;
        p.default_robustness_uniform_buffers = buffers;
        p.default_robustness_vertex_inputs = buffers;
        p.default_robustness_images = vk::PipelineRobustnessImageBehaviorEXT::ROBUST_IMAGE_ACCESS_2;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceTexelBufferAlignmentProperties>() {
        p.storage_texel_buffer_offset_single_texel_alignment = vk::FALSE;
        p.uniform_texel_buffer_offset_single_texel_alignment = vk::FALSE;
    }
    // Fields that only the structures of versions have; `versions` fills in the others.
    if let Some(p) = link.fill::<crate::newer::PhysicalDeviceVulkan14Properties>() {
        p.dynamic_rendering_local_read_depth_stencil_attachments = vk::TRUE;
        p.dynamic_rendering_local_read_multisampled_attachments = vk::TRUE;
    }
    if let Some(p) = link.fill::<vk::PhysicalDeviceVulkan13Properties>() {
        p.max_inline_uniform_total_size = 8 * LIMITS.max_inline_uniform_block_size;
    }
}
