//! Device extensions: pipelines, shader objects and their state.

use crate::commands;
use crate::device;
use crate::pipeline;
use crate::shader;

rows! {
    device VK_EXT_blend_operation_advanced = 2 {
        features [PhysicalDeviceBlendOperationAdvancedFeaturesEXT]
        properties [PhysicalDeviceBlendOperationAdvancedPropertiesEXT]
    }
    device VK_EXT_color_write_enable = 1 {
        features [PhysicalDeviceColorWriteEnableFeaturesEXT]
        commands Device {
            PFN_vkCmdSetColorWriteEnableEXT = commands::state::cmd_set_color_write_enable,
        }
    }
    device VK_EXT_conservative_rasterization = 1 {
        properties [PhysicalDeviceConservativeRasterizationPropertiesEXT]
    }
    device VK_EXT_depth_bias_control = 1 {
        features [PhysicalDeviceDepthBiasControlFeaturesEXT]
        commands Device {
            PFN_vkCmdSetDepthBias2EXT = commands::state::cmd_set_depth_bias2,
        }
    }
    device VK_EXT_depth_clamp_control = 1 {
        features [PhysicalDeviceDepthClampControlFeaturesEXT]
        commands Device {
            PFN_vkCmdSetDepthClampRangeEXT = commands::state::cmd_set_depth_clamp_range,
        }
    }
    device VK_EXT_depth_clamp_zero_one = 1 {
        features [PhysicalDeviceDepthClampZeroOneFeaturesEXT]
    }
    device VK_EXT_depth_clip_control = 1 {
        features [PhysicalDeviceDepthClipControlFeaturesEXT]
    }
    device VK_EXT_depth_clip_enable = 1 {
        features [PhysicalDeviceDepthClipEnableFeaturesEXT]
    }
    device VK_EXT_depth_range_unrestricted = 1 {}
    device VK_EXT_discard_rectangles = 2 {
        properties [PhysicalDeviceDiscardRectanglePropertiesEXT]
        commands Device {
            PFN_vkCmdSetDiscardRectangleEXT = commands::state::cmd_set_discard_rectangle,
            PFN_vkCmdSetDiscardRectangleEnableEXT = commands::state::cmd_set_discard_rectangle_enable,
            PFN_vkCmdSetDiscardRectangleModeEXT = commands::state::cmd_set_discard_rectangle_mode,
        }
    }
    device VK_EXT_extended_dynamic_state = 1, core 1 3 {
        features [PhysicalDeviceExtendedDynamicStateFeaturesEXT]
        commands Device {
            PFN_vkCmdSetCullMode = commands::state::cmd_set_cull_mode,
            PFN_vkCmdSetFrontFace = commands::state::cmd_set_front_face,
            PFN_vkCmdSetPrimitiveTopology = commands::state::cmd_set_primitive_topology,
            PFN_vkCmdSetViewportWithCount = commands::state::cmd_set_viewport_with_count,
            PFN_vkCmdSetScissorWithCount = commands::state::cmd_set_scissor_with_count,
            PFN_vkCmdBindVertexBuffers2 = commands::draw::cmd_bind_vertex_buffers2,
            PFN_vkCmdSetDepthTestEnable = commands::state::cmd_set_depth_test_enable,
            PFN_vkCmdSetDepthWriteEnable = commands::state::cmd_set_depth_write_enable,
            PFN_vkCmdSetDepthCompareOp = commands::state::cmd_set_depth_compare_op,
            PFN_vkCmdSetDepthBoundsTestEnable = commands::state::cmd_set_depth_bounds_test_enable,
            PFN_vkCmdSetStencilTestEnable = commands::state::cmd_set_stencil_test_enable,
            PFN_vkCmdSetStencilOp = commands::state::cmd_set_stencil_op,
        }
    }
    device VK_EXT_extended_dynamic_state2 = 1, core 1 3 {
        features [PhysicalDeviceExtendedDynamicState2FeaturesEXT]
        commands Device {
            PFN_vkCmdSetRasterizerDiscardEnable = commands::state::cmd_set_rasterizer_discard_enable,
            PFN_vkCmdSetPatchControlPointsEXT = commands::state::cmd_set_patch_control_points,
            PFN_vkCmdSetLogicOpEXT = commands::state::cmd_set_logic_op,
            PFN_vkCmdSetDepthBiasEnable = commands::state::cmd_set_depth_bias_enable,
            PFN_vkCmdSetPrimitiveRestartEnable = commands::state::cmd_set_primitive_restart_enable,
        }
    }
    device VK_EXT_extended_dynamic_state3 = 2 {
        features [PhysicalDeviceExtendedDynamicState3FeaturesEXT]
        properties [PhysicalDeviceExtendedDynamicState3PropertiesEXT]
        commands Device {
            PFN_vkCmdSetDepthClampEnableEXT = commands::state::cmd_set_depth_clamp_enable,
            PFN_vkCmdSetPolygonModeEXT = commands::state::cmd_set_polygon_mode,
            PFN_vkCmdSetRasterizationSamplesEXT = commands::state::cmd_set_rasterization_samples,
            PFN_vkCmdSetSampleMaskEXT = commands::state::cmd_set_sample_mask,
            PFN_vkCmdSetAlphaToCoverageEnableEXT = commands::state::cmd_set_alpha_to_coverage_enable,
            PFN_vkCmdSetAlphaToOneEnableEXT = commands::state::cmd_set_alpha_to_one_enable,
            PFN_vkCmdSetLogicOpEnableEXT = commands::state::cmd_set_logic_op_enable,
            PFN_vkCmdSetColorBlendEnableEXT = commands::state::cmd_set_color_blend_enable,
            PFN_vkCmdSetColorBlendEquationEXT = commands::state::cmd_set_color_blend_equation,
            PFN_vkCmdSetColorWriteMaskEXT = commands::state::cmd_set_color_write_mask,
            PFN_vkCmdSetColorBlendAdvancedEXT = commands::state::cmd_set_color_blend_advanced,
            PFN_vkCmdSetDepthClipEnableEXT = commands::state::cmd_set_depth_clip_enable,
            PFN_vkCmdSetTessellationDomainOriginEXT = commands::state::cmd_set_tessellation_domain_origin,
            PFN_vkCmdSetRasterizationStreamEXT = commands::state::cmd_set_rasterization_stream,
            PFN_vkCmdSetConservativeRasterizationModeEXT = commands::state::cmd_set_conservative_rasterization_mode,
            PFN_vkCmdSetExtraPrimitiveOverestimationSizeEXT = commands::state::cmd_set_extra_primitive_overestimation_size,
            PFN_vkCmdSetSampleLocationsEnableEXT = commands::state::cmd_set_sample_locations_enable,
            PFN_vkCmdSetProvokingVertexModeEXT = commands::state::cmd_set_provoking_vertex_mode,
            PFN_vkCmdSetLineRasterizationModeEXT = commands::state::cmd_set_line_rasterization_mode,
            PFN_vkCmdSetLineStippleEnableEXT = commands::state::cmd_set_line_stipple_enable,
            PFN_vkCmdSetDepthClipNegativeOneToOneEXT = commands::state::cmd_set_depth_clip_negative_one_to_one,
        }
    }
    device VK_EXT_graphics_pipeline_library = 1, needs "VK_KHR_pipeline_library" {
        features [PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT]
        properties [PhysicalDeviceGraphicsPipelineLibraryPropertiesEXT]
    }
    device VK_EXT_index_type_uint8 = 1, core 1 4 {
        features [PhysicalDeviceIndexTypeUint8FeaturesKHR]
    }
    device VK_EXT_legacy_vertex_attributes = 1, needs "VK_EXT_vertex_input_dynamic_state" {
        features [PhysicalDeviceLegacyVertexAttributesFeaturesEXT]
        properties [PhysicalDeviceLegacyVertexAttributesPropertiesEXT]
    }
    device VK_EXT_line_rasterization = 1, core 1 4 {
        features [PhysicalDeviceLineRasterizationFeaturesKHR]
        properties [PhysicalDeviceLineRasterizationPropertiesKHR]
        commands_of [VK_KHR_line_rasterization]
    }
    device VK_EXT_mesh_shader = 1, needs "VK_KHR_spirv_1_4,VK_VERSION_1_2" {
        features [PhysicalDeviceMeshShaderFeaturesEXT]
        properties [PhysicalDeviceMeshShaderPropertiesEXT]
        commands Device {
            PFN_vkCmdDrawMeshTasksEXT = commands::draw::cmd_draw_mesh_tasks,
            PFN_vkCmdDrawMeshTasksIndirectEXT = commands::draw::cmd_draw_mesh_tasks_indirect,
            PFN_vkCmdDrawMeshTasksIndirectCountEXT = commands::draw::cmd_draw_mesh_tasks_indirect_count,
        }
    }
    device VK_EXT_pipeline_creation_cache_control = 3, core 1 3 {
        features [PhysicalDevicePipelineCreationCacheControlFeatures]
    }
    device VK_EXT_pipeline_creation_feedback = 1, core 1 3 {}
    device VK_EXT_pipeline_protected_access = 1, core 1 4 {
        features [PhysicalDevicePipelineProtectedAccessFeaturesEXT]
    }
    device VK_EXT_primitive_restart_index = 1 {
        features [PhysicalDevicePrimitiveRestartIndexFeaturesEXT]
        commands Device {
            PFN_vkCmdSetPrimitiveRestartIndexEXT = commands::state::cmd_set_primitive_restart_index,
        }
    }
    device VK_EXT_primitive_topology_list_restart = 1 {
        features [PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT]
    }
    device VK_EXT_provoking_vertex = 1 {
        features [PhysicalDeviceProvokingVertexFeaturesEXT]
        properties [PhysicalDeviceProvokingVertexPropertiesEXT]
    }
    device VK_EXT_sample_locations = 1 {
        properties [PhysicalDeviceSampleLocationsPropertiesEXT]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceMultisamplePropertiesEXT = device::physical::get_physical_device_multisample_properties,
        }
        commands Device {
            PFN_vkCmdSetSampleLocationsEXT = commands::state::cmd_set_sample_locations,
        }
    }
    device VK_EXT_shader_object = 1, needs "VK_KHR_dynamic_rendering,VK_VERSION_1_3" {
        features [PhysicalDeviceShaderObjectFeaturesEXT]
        properties [PhysicalDeviceShaderObjectPropertiesEXT]
        commands Device {
            PFN_vkCreateShadersEXT = shader::object::create_shaders,
            PFN_vkDestroyShaderEXT = shader::object::destroy_shader,
            PFN_vkGetShaderBinaryDataEXT = shader::object::get_shader_binary_data,
            PFN_vkCmdBindShadersEXT = shader::object::cmd_bind_shaders,
            PFN_vkCmdSetViewportWScalingEnableNV = commands::vendor::cmd_set_viewport_w_scaling_enable,
            PFN_vkCmdSetViewportSwizzleNV = commands::vendor::cmd_set_viewport_swizzle,
            PFN_vkCmdSetCoverageToColorEnableNV = commands::vendor::cmd_set_coverage_to_color_enable,
            PFN_vkCmdSetCoverageToColorLocationNV = commands::vendor::cmd_set_coverage_to_color_location,
            PFN_vkCmdSetCoverageModulationModeNV = commands::vendor::cmd_set_coverage_modulation_mode,
            PFN_vkCmdSetCoverageModulationTableEnableNV = commands::vendor::cmd_set_coverage_modulation_table_enable,
            PFN_vkCmdSetCoverageModulationTableNV = commands::vendor::cmd_set_coverage_modulation_table,
            PFN_vkCmdSetShadingRateImageEnableNV = commands::vendor::cmd_set_shading_rate_image_enable,
            PFN_vkCmdSetRepresentativeFragmentTestEnableNV = commands::vendor::cmd_set_representative_fragment_test_enable,
            PFN_vkCmdSetCoverageReductionModeNV = commands::vendor::cmd_set_coverage_reduction_mode,
        }
        commands_of [VK_EXT_extended_dynamic_state, VK_EXT_extended_dynamic_state2, VK_EXT_extended_dynamic_state3, VK_EXT_vertex_input_dynamic_state]
    }
    // Subsampled images are stored like others.
    device VK_EXT_fragment_density_map = 3, needs "VK_KHR_get_physical_device_properties2,VK_VERSION_1_1" {
        features [PhysicalDeviceFragmentDensityMapFeaturesEXT]
        properties [PhysicalDeviceFragmentDensityMapPropertiesEXT]
    }
    device VK_EXT_fragment_density_map2 = 1, needs "VK_EXT_fragment_density_map" {
        features [PhysicalDeviceFragmentDensityMap2FeaturesEXT]
        properties [PhysicalDeviceFragmentDensityMap2PropertiesEXT]
    }
    device VK_EXT_fragment_density_map_offset = 1, needs "(VK_KHR_get_physical_device_properties2,VK_VERSION_1_1)+VK_EXT_fragment_density_map+(VK_KHR_create_renderpass2,VK_VERSION_1_2)+(VK_VERSION_1_3,VK_KHR_dynamic_rendering)" {
        features [PhysicalDeviceFragmentDensityMapOffsetFeaturesQCOM]
        properties [PhysicalDeviceFragmentDensityMapOffsetPropertiesQCOM]
        commands Device {
            PFN_vkCmdEndRendering2KHR = commands::render::cmd_end_rendering2,
        }
    }
    // The flag of a pipeline and its number of layers change nothing.
    device VK_VALVE_fragment_density_map_layered = 1, needs "(VK_VERSION_1_4,VK_KHR_extended_flags,VK_KHR_maintenance5)+VK_EXT_fragment_density_map" {
        features [PhysicalDeviceFragmentDensityMapLayeredFeaturesVALVE]
        properties [PhysicalDeviceFragmentDensityMapLayeredPropertiesVALVE]
    }
    device VK_EXT_transform_feedback = 1 {
        features [PhysicalDeviceTransformFeedbackFeaturesEXT]
        properties [PhysicalDeviceTransformFeedbackPropertiesEXT]
        commands Device {
            PFN_vkCmdBindTransformFeedbackBuffersEXT = commands::feedback::cmd_bind_transform_feedback_buffers,
            PFN_vkCmdBeginTransformFeedbackEXT = commands::feedback::cmd_begin_transform_feedback,
            PFN_vkCmdEndTransformFeedbackEXT = commands::feedback::cmd_end_transform_feedback,
            PFN_vkCmdBeginQueryIndexedEXT = commands::feedback::cmd_begin_query_indexed,
            PFN_vkCmdEndQueryIndexedEXT = commands::feedback::cmd_end_query_indexed,
            PFN_vkCmdDrawIndirectByteCountEXT = commands::feedback::cmd_draw_indirect_byte_count,
        }
    }
    device VK_EXT_vertex_attribute_divisor = 3, core 1 4 {
        features [PhysicalDeviceVertexAttributeDivisorFeaturesKHR]
        properties [PhysicalDeviceVertexAttributeDivisorPropertiesEXT]
    }
    device VK_EXT_vertex_attribute_robustness = 1 {
        features [PhysicalDeviceVertexAttributeRobustnessFeaturesEXT]
    }
    device VK_EXT_vertex_input_dynamic_state = 2 {
        features [PhysicalDeviceVertexInputDynamicStateFeaturesEXT]
        commands Device {
            PFN_vkCmdSetVertexInputEXT = commands::state::cmd_set_vertex_input,
        }
    }
    device VK_KHR_depth_clamp_zero_one = 1 {
        features [PhysicalDeviceDepthClampZeroOneFeaturesEXT]
    }
    device VK_KHR_fragment_shading_rate = 2, needs "((VK_KHR_get_physical_device_properties2,VK_VERSION_1_1)+VK_KHR_create_renderpass2),VK_VERSION_1_2" {
        features [PhysicalDeviceFragmentShadingRateFeaturesKHR]
        properties [PhysicalDeviceFragmentShadingRatePropertiesKHR]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceFragmentShadingRatesKHR = device::physical::get_physical_device_fragment_shading_rates,
        }
        commands Device {
            PFN_vkCmdSetFragmentShadingRateKHR = commands::state::cmd_set_fragment_shading_rate,
        }
    }
    device VK_KHR_index_type_uint8 = 1, core 1 4 {
        features [PhysicalDeviceIndexTypeUint8FeaturesKHR]
    }
    device VK_KHR_line_rasterization = 1, core 1 4 {
        features [PhysicalDeviceLineRasterizationFeaturesKHR]
        properties [PhysicalDeviceLineRasterizationPropertiesKHR]
        commands Device {
            PFN_vkCmdSetLineStippleKHR = commands::state::cmd_set_line_stipple,
        }
    }
    device VK_KHR_pipeline_binary = 1, needs "VK_KHR_maintenance5,VK_VERSION_1_4" {
        features [PhysicalDevicePipelineBinaryFeaturesKHR]
        properties [PhysicalDevicePipelineBinaryPropertiesKHR]
        commands Device {
            PFN_vkCreatePipelineBinariesKHR = pipeline::binary::create_pipeline_binaries,
            PFN_vkDestroyPipelineBinaryKHR = pipeline::binary::destroy_pipeline_binary,
            PFN_vkGetPipelineKeyKHR = pipeline::binary::get_pipeline_key,
            PFN_vkGetPipelineBinaryDataKHR = pipeline::binary::get_pipeline_binary_data,
            PFN_vkReleaseCapturedPipelineDataKHR = pipeline::binary::release_captured_pipeline_data,
        }
    }
    device VK_KHR_pipeline_library = 1 {}
    device VK_KHR_vertex_attribute_divisor = 1, core 1 4 {
        features [PhysicalDeviceVertexAttributeDivisorFeaturesKHR]
        properties [PhysicalDeviceVertexAttributeDivisorPropertiesKHR]
    }
}
