//! Declarations of Vulkan that are newer than the bindings, written by `quadrille-conformance registry` from
//! `conformance/inventory/vulkan_newer.txt`.

use std::ffi::{c_char, c_void};

use ash::vk;
use ash::vk::TaggedStructure;

/// VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR.
pub const MAX_PIPELINE_BINARY_KEY_SIZE_KHR: usize = 32;

handles! {
    /// VK_EXT_device_generated_commands.
    IndirectCommandsLayoutEXT = 1_000_572_000;
    /// VK_EXT_device_generated_commands.
    IndirectExecutionSetEXT = 1_000_572_001;
    /// VK_KHR_pipeline_binary.
    PipelineBinaryKHR = 1_000_483_000;
}

plain_structures! {
    /// VK_EXT_depth_clamp_control.
    DepthClampRangeEXT { min_depth_clamp: f32, max_depth_clamp: f32 }
    /// VK_EXT_descriptor_heap.
    HostAddressRangeEXT { address: *mut c_void, size: usize }
    /// VK_EXT_descriptor_heap.
    HostAddressRangeConstEXT { address: *const c_void, size: usize }
    /// VK_EXT_descriptor_heap.
    DescriptorMappingSourceConstantOffsetEXT {
        heap_offset: u32,
        heap_array_stride: u32,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        sampler_heap_offset: u32,
        sampler_heap_array_stride: u32,
    }
    /// VK_EXT_descriptor_heap.
    DescriptorMappingSourcePushIndexEXT {
        heap_offset: u32,
        push_offset: u32,
        heap_index_stride: u32,
        heap_array_stride: u32,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        use_combined_image_sampler_index: vk::Bool32,
        sampler_heap_offset: u32,
        sampler_push_offset: u32,
        sampler_heap_index_stride: u32,
        sampler_heap_array_stride: u32,
    }
    /// VK_EXT_descriptor_heap.
    DescriptorMappingSourceIndirectIndexEXT {
        heap_offset: u32,
        push_offset: u32,
        address_offset: u32,
        heap_index_stride: u32,
        heap_array_stride: u32,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        use_combined_image_sampler_index: vk::Bool32,
        sampler_heap_offset: u32,
        sampler_push_offset: u32,
        sampler_address_offset: u32,
        sampler_heap_index_stride: u32,
        sampler_heap_array_stride: u32,
    }
    /// VK_EXT_descriptor_heap.
    DescriptorMappingSourceIndirectIndexArrayEXT {
        heap_offset: u32,
        push_offset: u32,
        address_offset: u32,
        heap_index_stride: u32,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        use_combined_image_sampler_index: vk::Bool32,
        sampler_heap_offset: u32,
        sampler_push_offset: u32,
        sampler_address_offset: u32,
        sampler_heap_index_stride: u32,
    }
    /// VK_EXT_descriptor_heap.
    DescriptorMappingSourceHeapDataEXT { heap_offset: u32, push_offset: u32 }
    /// VK_EXT_descriptor_heap.
    DescriptorMappingSourceShaderRecordIndexEXT {
        heap_offset: u32,
        shader_record_offset: u32,
        heap_index_stride: u32,
        heap_array_stride: u32,
        p_embedded_sampler: *const vk::SamplerCreateInfo<'static>,
        use_combined_image_sampler_index: vk::Bool32,
        sampler_heap_offset: u32,
        sampler_shader_record_offset: u32,
        sampler_heap_index_stride: u32,
        sampler_heap_array_stride: u32,
    }
    /// VK_EXT_descriptor_heap.
    DescriptorMappingSourceIndirectAddressEXT { push_offset: u32, address_offset: u32 }
    /// VK_EXT_device_generated_commands.
    IndirectCommandsExecutionSetTokenEXT { ty: i32, shader_stages: vk::ShaderStageFlags }
    /// VK_EXT_memory_decompression.
    DecompressMemoryRegionEXT {
        src_address: vk::DeviceAddress,
        dst_address: vk::DeviceAddress,
        compressed_size: vk::DeviceSize,
        decompressed_size: vk::DeviceSize,
    }
    /// VK_EXT_present_timing.
    PresentStageTimeEXT { stage: u32, time: u64 }
    /// VK_KHR_device_address_commands.
    StridedDeviceAddressRangeKHR { address: vk::DeviceAddress, size: vk::DeviceSize, stride: vk::DeviceSize }
    /// VK_KHR_device_address_commands.
    DeviceAddressRangeKHR { address: vk::DeviceAddress, size: vk::DeviceSize }
    /// VK_KHR_device_fault.
    DeviceFaultAddressInfoKHR {
        address_type: i32,
        reported_address: vk::DeviceAddress,
        address_precision: vk::DeviceSize,
    }
    /// VK_KHR_device_fault.
    DeviceFaultVendorInfoKHR {
        description: [c_char; vk::MAX_DESCRIPTION_SIZE],
        vendor_fault_code: u64,
        vendor_fault_data: u64,
    }
    /// VK_KHR_opacity_micromap.
    MicromapUsageKHR { count: u32, subdivision_level: u32, format: vk::OpacityMicromapFormatEXT }
    /// VK_KHR_pipeline_binary.
    PipelineBinaryDataKHR { data_size: usize, p_data: *mut c_void }
    /// VK_KHR_pipeline_binary.
    PipelineBinaryKeysAndDataKHR {
        binary_count: u32,
        p_pipeline_binary_keys: *const PipelineBinaryKeyKHR,
        p_pipeline_binary_data: *const PipelineBinaryDataKHR,
    }
}

unions! {
    /// VK_EXT_descriptor_heap.
    DescriptorMappingSourceDataEXT {
        constant_offset: DescriptorMappingSourceConstantOffsetEXT,
        push_index: DescriptorMappingSourcePushIndexEXT,
        indirect_index: DescriptorMappingSourceIndirectIndexEXT,
        indirect_index_array: DescriptorMappingSourceIndirectIndexArrayEXT,
        heap_data: DescriptorMappingSourceHeapDataEXT,
        push_data_offset: u32,
        push_address_offset: u32,
        indirect_address: DescriptorMappingSourceIndirectAddressEXT,
        shader_record_index: DescriptorMappingSourceShaderRecordIndexEXT,
        shader_record_data_offset: u32,
        shader_record_address_offset: u32,
    }
}

structures! {
    /// VK_EXT_cooperative_matrix_maintenance1.
    PhysicalDeviceCooperativeMatrixInfo2EXT = 1_000_659_001 {
        scope: vk::ScopeKHR,
        invocations: u32,
        subgroup_size: u32,
        flags: u32,
    }
    /// VK_EXT_cooperative_matrix_maintenance1.
    CooperativeMatrixProperties2EXT = 1_000_659_002 {
        m_granularity: u32,
        n_granularity: u32,
        k_granularity: u32,
        a_type: vk::ComponentTypeKHR,
        b_type: vk::ComponentTypeKHR,
        c_type: vk::ComponentTypeKHR,
        result_type: vk::ComponentTypeKHR,
    }
    /// VK_EXT_cooperative_matrix_maintenance1.
    PhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT = 1_000_659_000 {
        cooperative_matrix_properties2: vk::Bool32,
        cooperative_matrix_reductions: vk::Bool32,
        cooperative_matrix_conversions: vk::Bool32,
        cooperative_matrix_per_element_operations: vk::Bool32,
        cooperative_matrix_get_coordinate: vk::Bool32,
    }
    /// VK_EXT_custom_resolve.
    BeginCustomResolveInfoEXT = 1_000_628_001 {}
    /// VK_EXT_custom_resolve.
    PhysicalDeviceCustomResolveFeaturesEXT = 1_000_628_000 { custom_resolve: vk::Bool32 }
    /// VK_EXT_custom_resolve.
    CustomResolveCreateInfoEXT = 1_000_628_002 {
        custom_resolve: vk::Bool32,
        color_attachment_count: u32,
        p_color_attachment_formats: *const vk::Format,
        depth_attachment_format: vk::Format,
        stencil_attachment_format: vk::Format,
    }
    /// VK_EXT_depth_clamp_control.
    PhysicalDeviceDepthClampControlFeaturesEXT = 1_000_582_000 { depth_clamp_control: vk::Bool32 }
    /// VK_EXT_depth_clamp_control.
    PipelineViewportDepthClampControlCreateInfoEXT = 1_000_582_001 {
        depth_clamp_mode: i32,
        p_depth_clamp_range: *const DepthClampRangeEXT,
    }
    /// VK_EXT_descriptor_heap.
    TexelBufferDescriptorInfoEXT = 1_000_135_000 { format: vk::Format, address_range: DeviceAddressRangeKHR }
    /// VK_EXT_descriptor_heap.
    ImageDescriptorInfoEXT = 1_000_135_001 {
        p_view: *const vk::ImageViewCreateInfo<'static>,
        layout: vk::ImageLayout,
    }
    /// VK_EXT_descriptor_heap.
    ResourceDescriptorInfoEXT = 1_000_135_002 { ty: vk::DescriptorType, data: *const c_void }
    /// VK_EXT_descriptor_heap.
    BindHeapInfoEXT = 1_000_135_003 {
        heap_range: DeviceAddressRangeKHR,
        reserved_range_offset: vk::DeviceSize,
        reserved_range_size: vk::DeviceSize,
    }
    /// VK_EXT_descriptor_heap.
    PushDataInfoEXT = 1_000_135_004 { offset: u32, data: HostAddressRangeConstEXT }
    /// VK_EXT_descriptor_heap.
    DescriptorSetAndBindingMappingEXT = 1_000_135_005 {
        descriptor_set: u32,
        first_binding: u32,
        binding_count: u32,
        resource_mask: u32,
        source: i32,
        source_data: DescriptorMappingSourceDataEXT,
    }
    /// VK_EXT_descriptor_heap.
    ShaderDescriptorSetAndBindingMappingInfoEXT = 1_000_135_006 {
        mapping_count: u32,
        p_mappings: *const DescriptorSetAndBindingMappingEXT,
    }
    /// VK_EXT_descriptor_heap.
    SubsampledImageFormatPropertiesEXT = 1_000_135_013 { subsampled_image_descriptor_count: u32 }
    /// VK_EXT_descriptor_heap.
    PhysicalDeviceDescriptorHeapFeaturesEXT = 1_000_135_009 {
        descriptor_heap: vk::Bool32,
        descriptor_heap_capture_replay: vk::Bool32,
    }
    /// VK_EXT_descriptor_heap.
    PhysicalDeviceDescriptorHeapPropertiesEXT = 1_000_135_008 {
        sampler_heap_alignment: vk::DeviceSize,
        resource_heap_alignment: vk::DeviceSize,
        max_sampler_heap_size: vk::DeviceSize,
        max_resource_heap_size: vk::DeviceSize,
        min_sampler_heap_reserved_range: vk::DeviceSize,
        min_sampler_heap_reserved_range_with_embedded: vk::DeviceSize,
        min_resource_heap_reserved_range: vk::DeviceSize,
        sampler_descriptor_size: vk::DeviceSize,
        image_descriptor_size: vk::DeviceSize,
        buffer_descriptor_size: vk::DeviceSize,
        sampler_descriptor_alignment: vk::DeviceSize,
        image_descriptor_alignment: vk::DeviceSize,
        buffer_descriptor_alignment: vk::DeviceSize,
        max_push_data_size: vk::DeviceSize,
        image_capture_replay_opaque_data_size: usize,
        max_descriptor_heap_embedded_samplers: u32,
        sampler_ycbcr_conversion_count: u32,
        sparse_descriptor_heaps: vk::Bool32,
        protected_descriptor_heaps: vk::Bool32,
    }
    /// VK_EXT_descriptor_heap.
    CommandBufferInheritanceDescriptorHeapInfoEXT = 1_000_135_010 {
        p_sampler_heap_bind_info: *const BindHeapInfoEXT,
        p_resource_heap_bind_info: *const BindHeapInfoEXT,
    }
    /// VK_EXT_device_generated_commands.
    PhysicalDeviceDeviceGeneratedCommandsFeaturesEXT = 1_000_572_000 {
        device_generated_commands: vk::Bool32,
        dynamic_generated_pipeline_layout: vk::Bool32,
    }
    /// VK_EXT_device_generated_commands.
    PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT = 1_000_572_001 {
        max_indirect_pipeline_count: u32,
        max_indirect_shader_object_count: u32,
        max_indirect_sequence_count: u32,
        max_indirect_commands_token_count: u32,
        max_indirect_commands_token_offset: u32,
        max_indirect_commands_indirect_stride: u32,
        supported_indirect_commands_input_modes: u32,
        supported_indirect_commands_shader_stages: vk::ShaderStageFlags,
        supported_indirect_commands_shader_stages_pipeline_binding: vk::ShaderStageFlags,
        supported_indirect_commands_shader_stages_shader_binding: vk::ShaderStageFlags,
        device_generated_commands_transform_feedback: vk::Bool32,
        device_generated_commands_multi_draw_indirect_count: vk::Bool32,
    }
    /// VK_EXT_device_generated_commands.
    GeneratedCommandsMemoryRequirementsInfoEXT = 1_000_572_002 {
        indirect_execution_set: IndirectExecutionSetEXT,
        indirect_commands_layout: IndirectCommandsLayoutEXT,
        max_sequence_count: u32,
        max_draw_count: u32,
    }
    /// VK_EXT_device_generated_commands.
    IndirectExecutionSetPipelineInfoEXT = 1_000_572_010 {
        initial_pipeline: vk::Pipeline,
        max_pipeline_count: u32,
    }
    /// VK_EXT_device_generated_commands.
    IndirectExecutionSetShaderLayoutInfoEXT = 1_000_572_012 {
        set_layout_count: u32,
        p_set_layouts: *const vk::DescriptorSetLayout,
    }
    /// VK_EXT_device_generated_commands.
    IndirectExecutionSetShaderInfoEXT = 1_000_572_011 {
        shader_count: u32,
        p_initial_shaders: *const vk::ShaderEXT,
        p_set_layout_infos: *const IndirectExecutionSetShaderLayoutInfoEXT,
        max_shader_count: u32,
        push_constant_range_count: u32,
        p_push_constant_ranges: *const vk::PushConstantRange,
    }
    /// VK_EXT_device_generated_commands.
    IndirectExecutionSetCreateInfoEXT = 1_000_572_003 { ty: i32, info: *const c_void }
    /// VK_EXT_device_generated_commands.
    GeneratedCommandsInfoEXT = 1_000_572_004 {
        shader_stages: vk::ShaderStageFlags,
        indirect_execution_set: IndirectExecutionSetEXT,
        indirect_commands_layout: IndirectCommandsLayoutEXT,
        indirect_address: vk::DeviceAddress,
        indirect_address_size: vk::DeviceSize,
        preprocess_address: vk::DeviceAddress,
        preprocess_size: vk::DeviceSize,
        max_sequence_count: u32,
        sequence_count_address: vk::DeviceAddress,
        max_draw_count: u32,
    }
    /// VK_EXT_device_generated_commands.
    WriteIndirectExecutionSetPipelineEXT = 1_000_572_008 { index: u32, pipeline: vk::Pipeline }
    /// VK_EXT_device_generated_commands.
    WriteIndirectExecutionSetShaderEXT = 1_000_572_009 { index: u32, shader: vk::ShaderEXT }
    /// VK_EXT_device_generated_commands.
    IndirectCommandsLayoutCreateInfoEXT = 1_000_572_006 {
        flags: u32,
        shader_stages: vk::ShaderStageFlags,
        indirect_stride: u32,
        pipeline_layout: vk::PipelineLayout,
        token_count: u32,
        p_tokens: *const IndirectCommandsLayoutTokenEXT,
    }
    /// VK_EXT_device_generated_commands.
    IndirectCommandsLayoutTokenEXT = 1_000_572_007 { ty: i32, data: *const c_void, offset: u32 }
    /// VK_EXT_image_tiling_control.
    PhysicalDeviceImageTilingControlFeaturesEXT = 1_000_687_000 { image_tiling_control: vk::Bool32 }
    /// VK_EXT_legacy_vertex_attributes.
    PhysicalDeviceLegacyVertexAttributesFeaturesEXT = 1_000_495_000 { legacy_vertex_attributes: vk::Bool32 }
    /// VK_EXT_legacy_vertex_attributes.
    PhysicalDeviceLegacyVertexAttributesPropertiesEXT = 1_000_495_001 {
        native_unaligned_performance: vk::Bool32,
    }
    /// VK_EXT_memory_decompression.
    DecompressMemoryInfoEXT = 1_000_550_002 {
        decompression_method: u64,
        region_count: u32,
        p_regions: *const DecompressMemoryRegionEXT,
    }
    /// VK_EXT_multisampled_render_to_swapchain.
    SwapchainFlagsSurfaceCapabilitiesEXT = 1_000_616_001 {
        swapchain_supported_flags: vk::SwapchainCreateFlagsKHR,
    }
    /// VK_EXT_multisampled_render_to_swapchain.
    PhysicalDeviceMultisampledRenderToSwapchainFeaturesEXT = 1_000_616_000 {
        multisampled_render_to_swapchain: vk::Bool32,
    }
    /// VK_EXT_present_timing.
    PhysicalDevicePresentTimingFeaturesEXT = 1_000_208_000 {
        present_timing: vk::Bool32,
        present_at_absolute_time: vk::Bool32,
        present_at_relative_time: vk::Bool32,
    }
    /// VK_EXT_present_timing.
    PresentTimingSurfaceCapabilitiesEXT = 1_000_208_008 {
        present_timing_supported: vk::Bool32,
        present_at_absolute_time_supported: vk::Bool32,
        present_at_relative_time_supported: vk::Bool32,
        present_stage_queries: u32,
    }
    /// VK_EXT_present_timing.
    SwapchainTimingPropertiesEXT = 1_000_208_001 { refresh_duration: u64, refresh_interval: u64 }
    /// VK_EXT_present_timing.
    SwapchainTimeDomainPropertiesEXT = 1_000_208_002 {
        time_domain_count: u32,
        p_time_domains: *mut vk::TimeDomainKHR,
        p_time_domain_ids: *mut u64,
    }
    /// VK_EXT_present_timing.
    PastPresentationTimingInfoEXT = 1_000_208_005 { flags: u32, swapchain: vk::SwapchainKHR }
    /// VK_EXT_present_timing.
    PastPresentationTimingPropertiesEXT = 1_000_208_006 {
        timing_properties_counter: u64,
        time_domains_counter: u64,
        presentation_timing_count: u32,
        p_presentation_timings: *mut PastPresentationTimingEXT,
    }
    /// VK_EXT_present_timing.
    PastPresentationTimingEXT = 1_000_208_007 {
        present_id: u64,
        target_time: u64,
        present_stage_count: u32,
        p_present_stages: *mut PresentStageTimeEXT,
        time_domain: vk::TimeDomainKHR,
        time_domain_id: u64,
        report_complete: vk::Bool32,
    }
    /// VK_EXT_present_timing.
    PresentTimingsInfoEXT = 1_000_208_003 {
        swapchain_count: u32,
        p_timing_infos: *const PresentTimingInfoEXT,
    }
    /// VK_EXT_present_timing.
    PresentTimingInfoEXT = 1_000_208_004 {
        flags: u32,
        target_time: u64,
        time_domain_id: u64,
        present_stage_queries: u32,
        target_time_domain_present_stage: u32,
    }
    /// VK_EXT_primitive_restart_index.
    PhysicalDevicePrimitiveRestartIndexFeaturesEXT = 1_000_678_000 { primitive_restart_index: vk::Bool32 }
    /// VK_EXT_ray_tracing_invocation_reorder.
    PhysicalDeviceRayTracingInvocationReorderFeaturesEXT = 1_000_581_000 {
        ray_tracing_invocation_reorder: vk::Bool32,
    }
    /// VK_EXT_ray_tracing_invocation_reorder.
    PhysicalDeviceRayTracingInvocationReorderPropertiesEXT = 1_000_581_001 {
        ray_tracing_invocation_reorder_reordering_hint: i32,
        max_shader_binding_table_record_index: u32,
    }
    /// VK_EXT_shader_64bit_indexing.
    PhysicalDeviceShader64BitIndexingFeaturesEXT = 1_000_627_000 { shader64_bit_indexing: vk::Bool32 }
    /// VK_EXT_shader_float8.
    PhysicalDeviceShaderFloat8FeaturesEXT = 1_000_567_000 {
        shader_float8: vk::Bool32,
        shader_float8_cooperative_matrix: vk::Bool32,
    }
    /// VK_EXT_shader_long_vector.
    PhysicalDeviceShaderLongVectorFeaturesEXT = 1_000_635_000 { long_vector: vk::Bool32 }
    /// VK_EXT_shader_long_vector.
    PhysicalDeviceShaderLongVectorPropertiesEXT = 1_000_635_001 { max_vector_components: u32 }
    /// VK_EXT_shader_ocp_microscaling_types.
    PhysicalDeviceShaderOCPMicroscalingTypesFeaturesEXT = 1_000_672_000 {
        shader_float4: vk::Bool32,
        shader_float6: vk::Bool32,
        shader_float8_unsigned_e8_m0: vk::Bool32,
        shader_mx_int8: vk::Bool32,
    }
    /// VK_EXT_shader_replicated_composites.
    PhysicalDeviceShaderReplicatedCompositesFeaturesEXT = 1_000_564_000 {
        shader_replicated_composites: vk::Bool32,
    }
    /// VK_EXT_shader_split_barrier.
    PhysicalDeviceShaderSplitBarrierFeaturesEXT = 1_000_305_000 { shader_split_barrier: vk::Bool32 }
    /// VK_EXT_shader_split_barrier.
    PhysicalDeviceShaderSplitBarrierPropertiesEXT = 1_000_305_001 {
        split_barrier_reserved_shared_memory: u32,
    }
    /// VK_EXT_shader_subgroup_partitioned.
    PhysicalDeviceShaderSubgroupPartitionedFeaturesEXT = 1_000_662_000 {
        shader_subgroup_partitioned: vk::Bool32,
    }
    /// VK_EXT_shader_uniform_buffer_unsized_array.
    PhysicalDeviceShaderUniformBufferUnsizedArrayFeaturesEXT = 1_000_642_000 {
        shader_uniform_buffer_unsized_array: vk::Bool32,
    }
    /// VK_EXT_texture_compression_astc_3d.
    PhysicalDeviceTextureCompressionASTC3DFeaturesEXT = 1_000_288_000 {
        texture_compression_astc_3_d: vk::Bool32,
    }
    /// VK_EXT_vertex_attribute_robustness.
    PhysicalDeviceVertexAttributeRobustnessFeaturesEXT = 1_000_608_000 {
        vertex_attribute_robustness: vk::Bool32,
    }
    /// VK_EXT_zero_initialize_device_memory.
    PhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT = 1_000_620_000 {
        zero_initialize_device_memory: vk::Bool32,
    }
    /// VK_KHR_compute_shader_derivatives.
    PhysicalDeviceComputeShaderDerivativesPropertiesKHR = 1_000_511_000 {
        mesh_and_task_shader_derivatives: vk::Bool32,
    }
    /// VK_KHR_copy_memory_indirect.
    CopyMemoryIndirectInfoKHR = 1_000_549_002 {
        src_copy_flags: u32,
        dst_copy_flags: u32,
        copy_count: u32,
        copy_address_range: StridedDeviceAddressRangeKHR,
    }
    /// VK_KHR_copy_memory_indirect.
    CopyMemoryToImageIndirectInfoKHR = 1_000_549_003 {
        src_copy_flags: u32,
        copy_count: u32,
        copy_address_range: StridedDeviceAddressRangeKHR,
        dst_image: vk::Image,
        dst_image_layout: vk::ImageLayout,
        p_image_subresources: *const vk::ImageSubresourceLayers,
    }
    /// VK_KHR_copy_memory_indirect.
    PhysicalDeviceCopyMemoryIndirectFeaturesKHR = 1_000_549_000 {
        indirect_memory_copy: vk::Bool32,
        indirect_memory_to_image_copy: vk::Bool32,
    }
    /// VK_KHR_copy_memory_indirect.
    PhysicalDeviceCopyMemoryIndirectPropertiesKHR = 1_000_426_001 { supported_queues: vk::QueueFlags }
    /// VK_KHR_device_address_commands.
    DeviceMemoryCopyKHR = 1_000_318_000 {
        src_range: DeviceAddressRangeKHR,
        src_flags: u32,
        dst_range: DeviceAddressRangeKHR,
        dst_flags: u32,
    }
    /// VK_KHR_device_address_commands.
    CopyDeviceMemoryInfoKHR = 1_000_318_001 { region_count: u32, p_regions: *const DeviceMemoryCopyKHR }
    /// VK_KHR_device_address_commands.
    DeviceMemoryImageCopyKHR = 1_000_318_002 {
        address_range: DeviceAddressRangeKHR,
        address_flags: u32,
        address_row_length: u32,
        address_image_height: u32,
        image_subresource: vk::ImageSubresourceLayers,
        image_layout: vk::ImageLayout,
        image_offset: vk::Offset3D,
        image_extent: vk::Extent3D,
    }
    /// VK_KHR_device_address_commands.
    CopyDeviceMemoryImageInfoKHR = 1_000_318_003 {
        image: vk::Image,
        region_count: u32,
        p_regions: *const DeviceMemoryImageCopyKHR,
    }
    /// VK_KHR_device_address_commands.
    MemoryRangeBarriersInfoKHR = 1_000_318_004 {
        memory_range_barrier_count: u32,
        p_memory_range_barriers: *const MemoryRangeBarrierKHR,
    }
    /// VK_KHR_device_address_commands.
    MemoryRangeBarrierKHR = 1_000_318_005 {
        src_stage_mask: vk::PipelineStageFlags2,
        src_access_mask: vk::AccessFlags2,
        dst_stage_mask: vk::PipelineStageFlags2,
        dst_access_mask: vk::AccessFlags2,
        src_queue_family_index: u32,
        dst_queue_family_index: u32,
        address_range: DeviceAddressRangeKHR,
        address_flags: u32,
    }
    /// VK_KHR_device_address_commands.
    PhysicalDeviceDeviceAddressCommandsFeaturesKHR = 1_000_318_006 { device_address_commands: vk::Bool32 }
    /// VK_KHR_device_address_commands.
    ConditionalRenderingBeginInfo2EXT = 1_000_318_012 {
        address_range: DeviceAddressRangeKHR,
        address_flags: u32,
        flags: vk::ConditionalRenderingFlagsEXT,
    }
    /// VK_KHR_device_address_commands.
    AccelerationStructureCreateInfo2KHR = 1_000_318_015 {
        create_flags: vk::AccelerationStructureCreateFlagsKHR,
        address_range: DeviceAddressRangeKHR,
        address_flags: u32,
        ty: vk::AccelerationStructureTypeKHR,
    }
    /// VK_KHR_device_address_commands.
    BindIndexBuffer3InfoKHR = 1_000_318_007 {
        address_range: DeviceAddressRangeKHR,
        address_flags: u32,
        index_type: vk::IndexType,
    }
    /// VK_KHR_device_address_commands.
    BindVertexBuffer3InfoKHR = 1_000_318_008 {
        set_stride: vk::Bool32,
        address_range: StridedDeviceAddressRangeKHR,
        address_flags: u32,
    }
    /// VK_KHR_device_address_commands.
    DrawIndirect2InfoKHR = 1_000_318_009 {
        address_range: StridedDeviceAddressRangeKHR,
        address_flags: u32,
        draw_count: u32,
    }
    /// VK_KHR_device_address_commands.
    DrawIndirectCount2InfoKHR = 1_000_318_010 {
        address_range: StridedDeviceAddressRangeKHR,
        address_flags: u32,
        count_address_range: DeviceAddressRangeKHR,
        count_address_flags: u32,
        max_draw_count: u32,
    }
    /// VK_KHR_device_address_commands.
    DispatchIndirect2InfoKHR = 1_000_318_011 { address_range: DeviceAddressRangeKHR, address_flags: u32 }
    /// VK_KHR_device_address_commands.
    BindTransformFeedbackBuffer2InfoEXT = 1_000_318_013 {
        address_range: DeviceAddressRangeKHR,
        address_flags: u32,
    }
    /// VK_KHR_device_fault.
    DeviceFaultInfoKHR = 1_000_573_002 {
        flags: u32,
        group_id: u64,
        description: [c_char; vk::MAX_DESCRIPTION_SIZE],
        fault_address_info: DeviceFaultAddressInfoKHR,
        instruction_address_info: DeviceFaultAddressInfoKHR,
        vendor_info: DeviceFaultVendorInfoKHR,
    }
    /// VK_KHR_device_fault.
    DeviceFaultDebugInfoKHR = 1_000_573_003 { vendor_binary_size: u32, p_vendor_binary_data: *mut c_void }
    /// VK_KHR_device_fault.
    PhysicalDeviceFaultFeaturesKHR = 1_000_573_000 {
        device_fault: vk::Bool32,
        device_fault_vendor_binary: vk::Bool32,
        device_fault_report_masked: vk::Bool32,
        device_fault_device_lost_on_masked: vk::Bool32,
    }
    /// VK_KHR_device_fault.
    PhysicalDeviceFaultPropertiesKHR = 1_000_573_001 { max_device_fault_count: u32 }
    /// VK_KHR_extended_flags.
    ImageCreateFlags2CreateInfoKHR = 1_000_668_001 { flags: u64 }
    /// VK_KHR_extended_flags.
    ImageUsageFlags2CreateInfoKHR = 1_000_668_002 { usage: u64 }
    /// VK_KHR_extended_flags.
    SharedPresentSurfaceCapabilities2KHR = 1_000_668_006 { shared_present_supported_usage_flags: u64 }
    /// VK_KHR_extended_flags.
    ImageStencilUsage2CreateInfoKHR = 1_000_668_005 { stencil_usage: u64 }
    /// VK_KHR_extended_flags.
    PhysicalDeviceExtendedFlagsFeaturesKHR = 1_000_668_004 { extended_flags: vk::Bool32 }
    /// VK_KHR_extended_flags.
    FormatProperties4KHR = 1_000_668_000 {
        linear_tiling_features: u64,
        optimal_tiling_features: u64,
        buffer_features: u64,
    }
    /// VK_KHR_internally_synchronized_queues.
    PhysicalDeviceInternallySynchronizedQueuesFeaturesKHR = 1_000_504_000 {
        internally_synchronized_queues: vk::Bool32,
    }
    /// VK_KHR_maintenance10.
    PhysicalDeviceMaintenance10PropertiesKHR = 1_000_630_001 {
        rgba4_opaque_black_swizzled: vk::Bool32,
        resolve_srgb_format_applies_transfer_function: vk::Bool32,
        resolve_srgb_format_supports_transfer_function_control: vk::Bool32,
    }
    /// VK_KHR_maintenance10.
    PhysicalDeviceMaintenance10FeaturesKHR = 1_000_630_000 { maintenance10: vk::Bool32 }
    /// VK_KHR_maintenance10.
    RenderingEndInfoKHR = 1_000_619_003 {}
    /// VK_KHR_maintenance10.
    ResolveImageModeInfoKHR = 1_000_630_004 {
        flags: u32,
        resolve_mode: vk::ResolveModeFlags,
        stencil_resolve_mode: vk::ResolveModeFlags,
    }
    /// VK_KHR_maintenance11.
    PhysicalDeviceMaintenance11FeaturesKHR = 1_000_657_000 { maintenance11: vk::Bool32 }
    /// VK_KHR_maintenance11.
    QueueFamilyOptimalImageTransferGranularityPropertiesKHR = 1_000_657_001 {
        optimal_image_transfer_granularity: vk::Extent3D,
    }
    /// VK_KHR_maintenance7.
    PhysicalDeviceMaintenance7FeaturesKHR = 1_000_562_000 { maintenance7: vk::Bool32 }
    /// VK_KHR_maintenance7.
    PhysicalDeviceMaintenance7PropertiesKHR = 1_000_562_001 {
        robust_fragment_shading_rate_attachment_access: vk::Bool32,
        separate_depth_stencil_attachment_access: vk::Bool32,
        max_descriptor_set_total_uniform_buffers_dynamic: u32,
        max_descriptor_set_total_storage_buffers_dynamic: u32,
        max_descriptor_set_total_buffers_dynamic: u32,
        max_descriptor_set_update_after_bind_total_uniform_buffers_dynamic: u32,
        max_descriptor_set_update_after_bind_total_storage_buffers_dynamic: u32,
        max_descriptor_set_update_after_bind_total_buffers_dynamic: u32,
    }
    /// VK_KHR_maintenance7.
    PhysicalDeviceLayeredApiPropertiesListKHR = 1_000_562_002 {
        layered_api_count: u32,
        p_layered_apis: *mut PhysicalDeviceLayeredApiPropertiesKHR,
    }
    /// VK_KHR_maintenance7.
    PhysicalDeviceLayeredApiPropertiesKHR = 1_000_562_003 {
        vendor_id: u32,
        device_id: u32,
        layered_api: i32,
        device_name: [c_char; vk::MAX_PHYSICAL_DEVICE_NAME_SIZE],
    }
    /// VK_KHR_maintenance8.
    PhysicalDeviceMaintenance8FeaturesKHR = 1_000_574_000 { maintenance8: vk::Bool32 }
    /// VK_KHR_maintenance9.
    PhysicalDeviceMaintenance9FeaturesKHR = 1_000_584_000 { maintenance9: vk::Bool32 }
    /// VK_KHR_maintenance9.
    PhysicalDeviceMaintenance9PropertiesKHR = 1_000_584_001 {
        image2_d_view_of3_d_sparse: vk::Bool32,
        default_vertex_attribute_value: i32,
    }
    /// VK_KHR_maintenance9.
    QueueFamilyOwnershipTransferPropertiesKHR = 1_000_584_002 {
        optimal_image_transfer_to_queue_families: u32,
    }
    /// VK_KHR_opacity_micromap.
    AccelerationStructureGeometryMicromapDataKHR = 1_000_623_002 {
        usage_counts_count: u32,
        p_usage_counts: *const MicromapUsageKHR,
        pp_usage_counts: *const *const MicromapUsageKHR,
        data: vk::DeviceAddress,
        triangle_array: vk::DeviceAddress,
        triangle_array_stride: vk::DeviceSize,
    }
    /// VK_KHR_opacity_micromap.
    PhysicalDeviceOpacityMicromapFeaturesKHR = 1_000_623_000 { micromap: vk::Bool32 }
    /// VK_KHR_opacity_micromap.
    PhysicalDeviceOpacityMicromapPropertiesKHR = 1_000_623_001 {
        max_opacity2_state_subdivision_level: u32,
        max_opacity4_state_subdivision_level: u32,
        max_opacity_lossy4_state_subdivision_level: u32,
        max_micromap_triangles: u64,
    }
    /// VK_KHR_opacity_micromap.
    AccelerationStructureTrianglesOpacityMicromapKHR = 1_000_623_003 {
        index_type: vk::IndexType,
        index_buffer: vk::DeviceAddress,
        index_stride: vk::DeviceSize,
        base_triangle: u32,
        micromap: vk::AccelerationStructureKHR,
    }
    /// VK_KHR_pipeline_binary.
    PipelineBinaryCreateInfoKHR = 1_000_483_001 {
        p_keys_and_data_info: *const PipelineBinaryKeysAndDataKHR,
        pipeline: vk::Pipeline,
        p_pipeline_create_info: *const PipelineCreateInfoKHR,
    }
    /// VK_KHR_pipeline_binary.
    PipelineBinaryHandlesInfoKHR = 1_000_483_009 {
        pipeline_binary_count: u32,
        p_pipeline_binaries: *mut PipelineBinaryKHR,
    }
    /// VK_KHR_pipeline_binary.
    PipelineBinaryKeyKHR = 1_000_483_003 { key_size: u32, key: [u8; MAX_PIPELINE_BINARY_KEY_SIZE_KHR] }
    /// VK_KHR_pipeline_binary.
    PipelineBinaryInfoKHR = 1_000_483_002 { binary_count: u32, p_pipeline_binaries: *const PipelineBinaryKHR }
    /// VK_KHR_pipeline_binary.
    ReleaseCapturedPipelineDataInfoKHR = 1_000_483_005 { pipeline: vk::Pipeline }
    /// VK_KHR_pipeline_binary.
    PipelineBinaryDataInfoKHR = 1_000_483_006 { pipeline_binary: PipelineBinaryKHR }
    /// VK_KHR_pipeline_binary.
    PipelineCreateInfoKHR = 1_000_483_007 {}
    /// VK_KHR_pipeline_binary.
    PhysicalDevicePipelineBinaryFeaturesKHR = 1_000_483_000 { pipeline_binaries: vk::Bool32 }
    /// VK_KHR_pipeline_binary.
    PhysicalDevicePipelineBinaryPropertiesKHR = 1_000_483_004 {
        pipeline_binary_internal_cache: vk::Bool32,
        pipeline_binary_internal_cache_control: vk::Bool32,
        pipeline_binary_prefers_internal_cache: vk::Bool32,
        pipeline_binary_precompiled_internal_cache: vk::Bool32,
        pipeline_binary_compressed_data: vk::Bool32,
    }
    /// VK_KHR_present_id2.
    PhysicalDevicePresentId2FeaturesKHR = 1_000_479_002 { present_id2: vk::Bool32 }
    /// VK_KHR_present_id2.
    PresentId2KHR = 1_000_479_001 { swapchain_count: u32, p_present_ids: *const u64 }
    /// VK_KHR_present_id2.
    SurfaceCapabilitiesPresentId2KHR = 1_000_479_000 { present_id2_supported: vk::Bool32 }
    /// VK_KHR_present_mode_fifo_latest_ready.
    PhysicalDevicePresentModeFifoLatestReadyFeaturesKHR = 1_000_361_000 {
        present_mode_fifo_latest_ready: vk::Bool32,
    }
    /// VK_KHR_present_wait2.
    PresentWait2InfoKHR = 1_000_480_002 { present_id: u64, timeout: u64 }
    /// VK_KHR_present_wait2.
    PhysicalDevicePresentWait2FeaturesKHR = 1_000_480_001 { present_wait2: vk::Bool32 }
    /// VK_KHR_present_wait2.
    SurfaceCapabilitiesPresentWait2KHR = 1_000_480_000 { present_wait2_supported: vk::Bool32 }
    /// VK_KHR_shader_abort.
    PhysicalDeviceShaderAbortFeaturesKHR = 1_000_233_000 { shader_abort: vk::Bool32 }
    /// VK_KHR_shader_abort.
    PhysicalDeviceShaderAbortPropertiesKHR = 1_000_233_002 { max_shader_abort_message_size: u64 }
    /// VK_KHR_shader_abort.
    DeviceFaultShaderAbortMessageInfoKHR = 1_000_233_001 {
        message_data_size: u64,
        p_message_data: *mut c_void,
    }
    /// VK_KHR_shader_bfloat16.
    PhysicalDeviceShaderBfloat16FeaturesKHR = 1_000_141_000 {
        shader_b_float16_type: vk::Bool32,
        shader_b_float16_dot_product: vk::Bool32,
        shader_b_float16_cooperative_matrix: vk::Bool32,
    }
    /// VK_KHR_shader_constant_data.
    PhysicalDeviceShaderConstantDataFeaturesKHR = 1_000_231_000 { shader_constant_data: vk::Bool32 }
    /// VK_KHR_shader_fma.
    PhysicalDeviceShaderFmaFeaturesKHR = 1_000_579_000 {
        shader_fma_float16: vk::Bool32,
        shader_fma_float32: vk::Bool32,
        shader_fma_float64: vk::Bool32,
    }
    /// VK_KHR_shader_relaxed_extended_instruction.
    PhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR = 1_000_558_000 {
        shader_relaxed_extended_instruction: vk::Bool32,
    }
    /// VK_KHR_shader_untyped_pointers.
    PhysicalDeviceShaderUntypedPointersFeaturesKHR = 1_000_387_000 { shader_untyped_pointers: vk::Bool32 }
    /// VK_KHR_unified_image_layouts.
    PhysicalDeviceUnifiedImageLayoutsFeaturesKHR = 1_000_527_000 {
        unified_image_layouts: vk::Bool32,
        unified_image_layouts_video: vk::Bool32,
    }
    /// VK_MESA_image_alignment_control.
    PhysicalDeviceImageAlignmentControlFeaturesMESA = 1_000_575_000 { image_alignment_control: vk::Bool32 }
    /// VK_MESA_image_alignment_control.
    PhysicalDeviceImageAlignmentControlPropertiesMESA = 1_000_575_001 { supported_image_alignment_mask: u32 }
    /// VK_NV_cooperative_matrix2.
    PhysicalDeviceCooperativeMatrix2FeaturesNV = 1_000_593_000 {
        cooperative_matrix_workgroup_scope: vk::Bool32,
        cooperative_matrix_flexible_dimensions: vk::Bool32,
        cooperative_matrix_reductions: vk::Bool32,
        cooperative_matrix_conversions: vk::Bool32,
        cooperative_matrix_per_element_operations: vk::Bool32,
        cooperative_matrix_tensor_addressing: vk::Bool32,
        cooperative_matrix_block_loads: vk::Bool32,
    }
    /// VK_NV_cooperative_matrix2.
    PhysicalDeviceCooperativeMatrix2PropertiesNV = 1_000_593_002 {
        cooperative_matrix_workgroup_scope_max_workgroup_size: u32,
        cooperative_matrix_flexible_dimensions_max_dimension: u32,
        cooperative_matrix_workgroup_scope_reserved_shared_memory: u32,
    }
    /// VK_NV_cooperative_matrix2.
    CooperativeMatrixFlexibleDimensionsPropertiesNV = 1_000_593_001 {
        m_granularity: u32,
        n_granularity: u32,
        k_granularity: u32,
        a_type: vk::ComponentTypeKHR,
        b_type: vk::ComponentTypeKHR,
        c_type: vk::ComponentTypeKHR,
        result_type: vk::ComponentTypeKHR,
        saturating_accumulation: vk::Bool32,
        scope: vk::ScopeKHR,
        workgroup_invocations: u32,
    }
    /// VK_VALVE_fragment_density_map_layered.
    PhysicalDeviceFragmentDensityMapLayeredPropertiesVALVE = 1_000_611_001 {
        max_fragment_density_map_layers: u32,
    }
    /// VK_VALVE_fragment_density_map_layered.
    PhysicalDeviceFragmentDensityMapLayeredFeaturesVALVE = 1_000_611_000 {
        fragment_density_map_layered: vk::Bool32,
    }
    /// VK_VALVE_shader_mixed_float_dot_product.
    PhysicalDeviceShaderMixedFloatDotProductFeaturesVALVE = 1_000_673_000 {
        shader_mixed_float_dot_product_float16_acc_float32: vk::Bool32,
        shader_mixed_float_dot_product_float16_acc_float16: vk::Bool32,
        shader_mixed_float_dot_product_b_float16_acc: vk::Bool32,
        shader_mixed_float_dot_product_float8_acc_float32: vk::Bool32,
    }
    /// Vulkan.
    PhysicalDeviceVulkan14Features = 55 {
        global_priority_query: vk::Bool32,
        shader_subgroup_rotate: vk::Bool32,
        shader_subgroup_rotate_clustered: vk::Bool32,
        shader_float_controls2: vk::Bool32,
        shader_expect_assume: vk::Bool32,
        rectangular_lines: vk::Bool32,
        bresenham_lines: vk::Bool32,
        smooth_lines: vk::Bool32,
        stippled_rectangular_lines: vk::Bool32,
        stippled_bresenham_lines: vk::Bool32,
        stippled_smooth_lines: vk::Bool32,
        vertex_attribute_instance_rate_divisor: vk::Bool32,
        vertex_attribute_instance_rate_zero_divisor: vk::Bool32,
        index_type_uint8: vk::Bool32,
        dynamic_rendering_local_read: vk::Bool32,
        maintenance5: vk::Bool32,
        maintenance6: vk::Bool32,
        pipeline_protected_access: vk::Bool32,
        pipeline_robustness: vk::Bool32,
        host_image_copy: vk::Bool32,
        push_descriptor: vk::Bool32,
    }
    /// Vulkan.
    PhysicalDeviceVulkan14Properties = 56 {
        line_sub_pixel_precision_bits: u32,
        max_vertex_attrib_divisor: u32,
        supports_non_zero_first_instance: vk::Bool32,
        max_push_descriptors: u32,
        dynamic_rendering_local_read_depth_stencil_attachments: vk::Bool32,
        dynamic_rendering_local_read_multisampled_attachments: vk::Bool32,
        early_fragment_multisample_coverage_after_sample_counting: vk::Bool32,
        early_fragment_sample_mask_test_before_sample_counting: vk::Bool32,
        depth_stencil_swizzle_one_support: vk::Bool32,
        polygon_mode_point_size: vk::Bool32,
        non_strict_single_pixel_wide_lines_use_parallelogram: vk::Bool32,
        non_strict_wide_lines_use_parallelogram: vk::Bool32,
        block_texel_view_compatible_multiple_layers: vk::Bool32,
        max_combined_image_sampler_descriptor_count: u32,
        fragment_shading_rate_clamp_combiner_inputs: vk::Bool32,
        default_robustness_storage_buffers: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_uniform_buffers: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_vertex_inputs: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_images: vk::PipelineRobustnessImageBehaviorEXT,
        copy_src_layout_count: u32,
        p_copy_src_layouts: *mut vk::ImageLayout,
        copy_dst_layout_count: u32,
        p_copy_dst_layouts: *mut vk::ImageLayout,
        optimal_tiling_layout_uuid: [u8; vk::UUID_SIZE],
        identical_memory_type_requirements: vk::Bool32,
    }
}

command_types! {
    PFN_vkGetPhysicalDeviceCooperativeMatrixProperties2EXT(
        vk::PhysicalDevice,
        *const PhysicalDeviceCooperativeMatrixInfo2EXT,
        *mut u32,
        *mut CooperativeMatrixProperties2EXT
    ) -> vk::Result;
    PFN_vkCmdBeginCustomResolveEXT(vk::CommandBuffer, *const BeginCustomResolveInfoEXT);
    PFN_vkWriteSamplerDescriptorsEXT(
        vk::Device,
        u32,
        *const vk::SamplerCreateInfo<'_>,
        *const HostAddressRangeEXT
    ) -> vk::Result;
    PFN_vkWriteResourceDescriptorsEXT(
        vk::Device,
        u32,
        *const ResourceDescriptorInfoEXT,
        *const HostAddressRangeEXT
    ) -> vk::Result;
    PFN_vkCmdBindSamplerHeapEXT(vk::CommandBuffer, *const BindHeapInfoEXT);
    PFN_vkCmdBindResourceHeapEXT(vk::CommandBuffer, *const BindHeapInfoEXT);
    PFN_vkCmdPushDataEXT(vk::CommandBuffer, *const PushDataInfoEXT);
    PFN_vkRegisterCustomBorderColorEXT(
        vk::Device,
        *const vk::SamplerCustomBorderColorCreateInfoEXT<'_>,
        vk::Bool32,
        *mut u32
    ) -> vk::Result;
    PFN_vkUnregisterCustomBorderColorEXT(vk::Device, u32);
    PFN_vkGetImageOpaqueCaptureDataEXT(
        vk::Device,
        u32,
        *const vk::Image,
        *mut HostAddressRangeEXT
    ) -> vk::Result;
    PFN_vkGetPhysicalDeviceDescriptorSizeEXT(vk::PhysicalDevice, vk::DescriptorType) -> vk::DeviceSize;
    PFN_vkCmdExecuteGeneratedCommandsEXT(vk::CommandBuffer, vk::Bool32, *const GeneratedCommandsInfoEXT);
    PFN_vkCmdPreprocessGeneratedCommandsEXT(
        vk::CommandBuffer,
        *const GeneratedCommandsInfoEXT,
        vk::CommandBuffer
    );
    PFN_vkGetGeneratedCommandsMemoryRequirementsEXT(
        vk::Device,
        *const GeneratedCommandsMemoryRequirementsInfoEXT,
        *mut vk::MemoryRequirements2<'_>
    );
    PFN_vkCreateIndirectCommandsLayoutEXT(
        vk::Device,
        *const IndirectCommandsLayoutCreateInfoEXT,
        *const vk::AllocationCallbacks<'_>,
        *mut IndirectCommandsLayoutEXT
    ) -> vk::Result;
    PFN_vkDestroyIndirectCommandsLayoutEXT(
        vk::Device,
        IndirectCommandsLayoutEXT,
        *const vk::AllocationCallbacks<'_>
    );
    PFN_vkCreateIndirectExecutionSetEXT(
        vk::Device,
        *const IndirectExecutionSetCreateInfoEXT,
        *const vk::AllocationCallbacks<'_>,
        *mut IndirectExecutionSetEXT
    ) -> vk::Result;
    PFN_vkDestroyIndirectExecutionSetEXT(
        vk::Device,
        IndirectExecutionSetEXT,
        *const vk::AllocationCallbacks<'_>
    );
    PFN_vkUpdateIndirectExecutionSetPipelineEXT(
        vk::Device,
        IndirectExecutionSetEXT,
        u32,
        *const WriteIndirectExecutionSetPipelineEXT
    );
    PFN_vkUpdateIndirectExecutionSetShaderEXT(
        vk::Device,
        IndirectExecutionSetEXT,
        u32,
        *const WriteIndirectExecutionSetShaderEXT
    );
    PFN_vkCmdDecompressMemoryEXT(vk::CommandBuffer, *const DecompressMemoryInfoEXT);
    PFN_vkCmdDecompressMemoryIndirectCountEXT(
        vk::CommandBuffer,
        u64,
        vk::DeviceAddress,
        vk::DeviceAddress,
        u32,
        u32
    );
    PFN_vkSetSwapchainPresentTimingQueueSizeEXT(vk::Device, vk::SwapchainKHR, u32) -> vk::Result;
    PFN_vkGetSwapchainTimingPropertiesEXT(
        vk::Device,
        vk::SwapchainKHR,
        *mut SwapchainTimingPropertiesEXT,
        *mut u64
    ) -> vk::Result;
    PFN_vkGetSwapchainTimeDomainPropertiesEXT(
        vk::Device,
        vk::SwapchainKHR,
        *mut SwapchainTimeDomainPropertiesEXT,
        *mut u64
    ) -> vk::Result;
    PFN_vkGetPastPresentationTimingEXT(
        vk::Device,
        *const PastPresentationTimingInfoEXT,
        *mut PastPresentationTimingPropertiesEXT
    ) -> vk::Result;
    PFN_vkCmdSetPrimitiveRestartIndexEXT(vk::CommandBuffer, u32);
    PFN_vkCmdSetDepthClampRangeEXT(vk::CommandBuffer, i32, *const DepthClampRangeEXT);
    PFN_vkCmdCopyMemoryIndirectKHR(vk::CommandBuffer, *const CopyMemoryIndirectInfoKHR);
    PFN_vkCmdCopyMemoryToImageIndirectKHR(vk::CommandBuffer, *const CopyMemoryToImageIndirectInfoKHR);
    PFN_vkCmdCopyMemoryKHR(vk::CommandBuffer, *const CopyDeviceMemoryInfoKHR);
    PFN_vkCmdCopyMemoryToImageKHR(vk::CommandBuffer, *const CopyDeviceMemoryImageInfoKHR);
    PFN_vkCmdCopyImageToMemoryKHR(vk::CommandBuffer, *const CopyDeviceMemoryImageInfoKHR);
    PFN_vkCmdUpdateMemoryKHR(
        vk::CommandBuffer,
        *const DeviceAddressRangeKHR,
        u32,
        vk::DeviceSize,
        *const c_void
    );
    PFN_vkCmdFillMemoryKHR(vk::CommandBuffer, *const DeviceAddressRangeKHR, u32, u32);
    PFN_vkCmdCopyQueryPoolResultsToMemoryKHR(
        vk::CommandBuffer,
        vk::QueryPool,
        u32,
        u32,
        *const StridedDeviceAddressRangeKHR,
        u32,
        vk::QueryResultFlags
    );
    PFN_vkCmdBeginConditionalRendering2EXT(vk::CommandBuffer, *const ConditionalRenderingBeginInfo2EXT);
    PFN_vkCmdBindTransformFeedbackBuffers2EXT(
        vk::CommandBuffer,
        u32,
        u32,
        *const BindTransformFeedbackBuffer2InfoEXT
    );
    PFN_vkCmdBeginTransformFeedback2EXT(
        vk::CommandBuffer,
        u32,
        u32,
        *const BindTransformFeedbackBuffer2InfoEXT
    );
    PFN_vkCmdEndTransformFeedback2EXT(
        vk::CommandBuffer,
        u32,
        u32,
        *const BindTransformFeedbackBuffer2InfoEXT
    );
    PFN_vkCmdDrawIndirectByteCount2EXT(
        vk::CommandBuffer,
        u32,
        u32,
        *const BindTransformFeedbackBuffer2InfoEXT,
        u32,
        u32
    );
    PFN_vkCmdBindIndexBuffer3KHR(vk::CommandBuffer, *const BindIndexBuffer3InfoKHR);
    PFN_vkCmdBindVertexBuffers3KHR(vk::CommandBuffer, u32, u32, *const BindVertexBuffer3InfoKHR);
    PFN_vkCmdDrawIndirect2KHR(vk::CommandBuffer, *const DrawIndirect2InfoKHR);
    PFN_vkCmdDrawIndexedIndirect2KHR(vk::CommandBuffer, *const DrawIndirect2InfoKHR);
    PFN_vkCmdDrawIndirectCount2KHR(vk::CommandBuffer, *const DrawIndirectCount2InfoKHR);
    PFN_vkCmdDrawIndexedIndirectCount2KHR(vk::CommandBuffer, *const DrawIndirectCount2InfoKHR);
    PFN_vkCmdDrawMeshTasksIndirect2EXT(vk::CommandBuffer, *const DrawIndirect2InfoKHR);
    PFN_vkCmdDrawMeshTasksIndirectCount2EXT(vk::CommandBuffer, *const DrawIndirectCount2InfoKHR);
    PFN_vkCmdDispatchIndirect2KHR(vk::CommandBuffer, *const DispatchIndirect2InfoKHR);
    PFN_vkCreateAccelerationStructure2KHR(
        vk::Device,
        *const AccelerationStructureCreateInfo2KHR,
        *const vk::AllocationCallbacks<'_>,
        *mut vk::AccelerationStructureKHR
    ) -> vk::Result;
    PFN_vkGetDeviceFaultReportsKHR(vk::Device, u64, *mut u32, *mut DeviceFaultInfoKHR) -> vk::Result;
    PFN_vkGetDeviceFaultDebugInfoKHR(vk::Device, *mut DeviceFaultDebugInfoKHR) -> vk::Result;
    PFN_vkCmdEndRendering2KHR(vk::CommandBuffer, *const RenderingEndInfoKHR);
    PFN_vkCreatePipelineBinariesKHR(
        vk::Device,
        *const PipelineBinaryCreateInfoKHR,
        *const vk::AllocationCallbacks<'_>,
        *mut PipelineBinaryHandlesInfoKHR
    ) -> vk::Result;
    PFN_vkDestroyPipelineBinaryKHR(vk::Device, PipelineBinaryKHR, *const vk::AllocationCallbacks<'_>);
    PFN_vkGetPipelineKeyKHR(
        vk::Device,
        *const PipelineCreateInfoKHR,
        *mut PipelineBinaryKeyKHR
    ) -> vk::Result;
    PFN_vkGetPipelineBinaryDataKHR(
        vk::Device,
        *const PipelineBinaryDataInfoKHR,
        *mut PipelineBinaryKeyKHR,
        *mut usize,
        *mut c_void
    ) -> vk::Result;
    PFN_vkReleaseCapturedPipelineDataKHR(
        vk::Device,
        *const ReleaseCapturedPipelineDataInfoKHR,
        *const vk::AllocationCallbacks<'_>
    ) -> vk::Result;
    PFN_vkWaitForPresent2KHR(vk::Device, vk::SwapchainKHR, *const PresentWait2InfoKHR) -> vk::Result;
    PFN_vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
        vk::PhysicalDevice,
        *mut u32,
        *mut CooperativeMatrixFlexibleDimensionsPropertiesNV
    ) -> vk::Result;
}
