//! Device extensions: features of shaders.

use crate::device;

rows! {
    device VK_EXT_cooperative_matrix_maintenance1 = 1, needs "VK_KHR_cooperative_matrix" {
        features [PhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceCooperativeMatrixProperties2EXT = device::physical::get_physical_device_cooperative_matrix_properties2,
        }
    }
    device VK_EXT_fragment_shader_interlock = 1 {
        features [PhysicalDeviceFragmentShaderInterlockFeaturesEXT]
    }
    device VK_EXT_post_depth_coverage = 1 {}
    device VK_EXT_scalar_block_layout = 1, core 1 2 {
        features [PhysicalDeviceScalarBlockLayoutFeatures]
    }
    device VK_EXT_shader_64bit_indexing = 1 {
        features [PhysicalDeviceShader64BitIndexingFeaturesEXT]
    }
    device VK_EXT_shader_atomic_float = 1 {
        features [PhysicalDeviceShaderAtomicFloatFeaturesEXT]
    }
    device VK_EXT_shader_atomic_float2 = 1, needs "VK_EXT_shader_atomic_float" {
        features [PhysicalDeviceShaderAtomicFloat2FeaturesEXT]
    }
    device VK_EXT_shader_demote_to_helper_invocation = 1, core 1 3 {
        features [PhysicalDeviceShaderDemoteToHelperInvocationFeatures]
    }
    device VK_EXT_shader_float8 = 1 {
        features [PhysicalDeviceShaderFloat8FeaturesEXT]
    }
    device VK_EXT_shader_image_atomic_int64 = 1 {
        features [PhysicalDeviceShaderImageAtomicInt64FeaturesEXT]
    }
    device VK_EXT_shader_long_vector = 1 {
        features [PhysicalDeviceShaderLongVectorFeaturesEXT]
        properties [PhysicalDeviceShaderLongVectorPropertiesEXT]
    }
    device VK_EXT_shader_ocp_microscaling_types = 1 {
        features [PhysicalDeviceShaderOCPMicroscalingTypesFeaturesEXT]
    }
    device VK_EXT_shader_replicated_composites = 1 {
        features [PhysicalDeviceShaderReplicatedCompositesFeaturesEXT]
    }
    device VK_EXT_shader_stencil_export = 1 {}
    device VK_EXT_shader_subgroup_ballot = 1 {}
    device VK_EXT_shader_subgroup_vote = 1 {}
    device VK_EXT_shader_tile_image = 1 {
        features [PhysicalDeviceShaderTileImageFeaturesEXT]
        properties [PhysicalDeviceShaderTileImagePropertiesEXT]
    }
    device VK_EXT_shader_viewport_index_layer = 1, core 1 2 {}
    device VK_EXT_subgroup_size_control = 2, core 1 3 {
        features [PhysicalDeviceSubgroupSizeControlFeatures]
        properties [PhysicalDeviceSubgroupSizeControlProperties]
    }
    device VK_GOOGLE_decorate_string = 1 {}
    device VK_GOOGLE_hlsl_functionality1 = 1 {}
    device VK_GOOGLE_user_type = 1 {}
    device VK_INTEL_shader_integer_functions2 = 1, needs "VK_KHR_get_physical_device_properties2,VK_VERSION_1_1" {
        features [PhysicalDeviceShaderIntegerFunctions2FeaturesINTEL]
    }
    device VK_KHR_16bit_storage = 1, core 1 1 {
        features [PhysicalDevice16BitStorageFeatures]
    }
    device VK_KHR_8bit_storage = 1, core 1 2 {
        features [PhysicalDevice8BitStorageFeatures]
    }
    device VK_KHR_cooperative_matrix = 2 {
        features [PhysicalDeviceCooperativeMatrixFeaturesKHR]
        properties [PhysicalDeviceCooperativeMatrixPropertiesKHR]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR = device::physical::get_physical_device_cooperative_matrix_properties,
        }
    }
    device VK_NV_cooperative_matrix2 = 1, needs "VK_KHR_cooperative_matrix" {
        features [PhysicalDeviceCooperativeMatrix2FeaturesNV]
        properties [PhysicalDeviceCooperativeMatrix2PropertiesNV]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV = device::physical::get_physical_device_cooperative_matrix_flexible_dimensions_properties,
        }
    }
    device VK_KHR_fragment_shader_barycentric = 1 {
        features [PhysicalDeviceFragmentShaderBarycentricFeaturesKHR]
        properties [PhysicalDeviceFragmentShaderBarycentricPropertiesKHR]
    }
    device VK_KHR_compute_shader_derivatives = 1 {
        features [PhysicalDeviceComputeShaderDerivativesFeaturesNV]
        properties [PhysicalDeviceComputeShaderDerivativesPropertiesKHR]
    }
    device VK_KHR_relaxed_block_layout = 1, core 1 1 {}
    device VK_KHR_shader_atomic_int64 = 1, core 1 2 {
        features [PhysicalDeviceShaderAtomicInt64Features]
    }
    device VK_KHR_shader_clock = 1 {
        features [PhysicalDeviceShaderClockFeaturesKHR]
    }
    device VK_KHR_shader_bfloat16 = 1 {
        features [PhysicalDeviceShaderBfloat16FeaturesKHR]
    }
    device VK_KHR_shader_draw_parameters = 1, core 1 1 {}
    device VK_KHR_shader_expect_assume = 1, core 1 4 {
        features [PhysicalDeviceShaderExpectAssumeFeatures]
    }
    device VK_KHR_shader_float16_int8 = 1, core 1 2 {
        features [PhysicalDeviceShaderFloat16Int8Features]
    }
    device VK_KHR_shader_float_controls = 4, core 1 2 {
        properties [PhysicalDeviceFloatControlsProperties]
    }
    device VK_KHR_shader_float_controls2 = 1, core 1 4, needs "VK_KHR_shader_float_controls" {
        features [PhysicalDeviceShaderFloatControls2Features]
    }
    device VK_KHR_shader_fma = 1 {
        features [PhysicalDeviceShaderFmaFeaturesKHR]
    }
    device VK_KHR_shader_integer_dot_product = 1, core 1 3 {
        features [PhysicalDeviceShaderIntegerDotProductFeatures]
        properties [PhysicalDeviceShaderIntegerDotProductProperties]
    }
    device VK_KHR_shader_maximal_reconvergence = 1 {
        features [PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR]
    }
    device VK_KHR_shader_non_semantic_info = 1, core 1 3 {}
    device VK_KHR_shader_quad_control = 1, needs "(VK_KHR_vulkan_memory_model,VK_VERSION_1_2)+VK_KHR_shader_maximal_reconvergence" {
        features [PhysicalDeviceShaderQuadControlFeaturesKHR]
    }
    device VK_KHR_shader_relaxed_extended_instruction = 1 {
        features [PhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR]
    }
    device VK_KHR_shader_subgroup_extended_types = 1, core 1 2 {
        features [PhysicalDeviceShaderSubgroupExtendedTypesFeatures]
    }
    device VK_KHR_shader_subgroup_rotate = 2, core 1 4 {
        features [PhysicalDeviceShaderSubgroupRotateFeatures]
    }
    device VK_KHR_shader_subgroup_uniform_control_flow = 1 {
        features [PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR]
    }
    device VK_KHR_shader_terminate_invocation = 1, core 1 3 {
        features [PhysicalDeviceShaderTerminateInvocationFeatures]
    }
    device VK_KHR_shader_untyped_pointers = 1 {
        features [PhysicalDeviceShaderUntypedPointersFeaturesKHR]
    }
    device VK_KHR_spirv_1_4 = 1, core 1 2, needs "VK_KHR_shader_float_controls" {}
    device VK_KHR_storage_buffer_storage_class = 1, core 1 1 {}
    device VK_KHR_uniform_buffer_standard_layout = 1, core 1 2 {
        features [PhysicalDeviceUniformBufferStandardLayoutFeatures]
    }
    device VK_KHR_variable_pointers = 1, core 1 1 {
        features [PhysicalDeviceVariablePointersFeatures]
    }
    device VK_KHR_vulkan_memory_model = 3, core 1 2 {
        features [PhysicalDeviceVulkanMemoryModelFeatures]
    }
    device VK_KHR_workgroup_memory_explicit_layout = 1 {
        features [PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR]
    }
    device VK_KHR_zero_initialize_workgroup_memory = 1, core 1 3 {
        features [PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures]
    }
    device VK_NV_compute_shader_derivatives = 1 {
        features [PhysicalDeviceComputeShaderDerivativesFeaturesNV]
    }
    device VK_NV_fragment_shader_barycentric = 1 {
        features [PhysicalDeviceFragmentShaderBarycentricFeaturesKHR]
    }
    device VK_EXT_shader_split_barrier = 1 {
        features [PhysicalDeviceShaderSplitBarrierFeaturesEXT]
        properties [PhysicalDeviceShaderSplitBarrierPropertiesEXT]
    }
    device VK_KHR_shader_constant_data = 1 {
        features [PhysicalDeviceShaderConstantDataFeaturesKHR]
    }
    device VK_KHR_shader_abort = 1 {
        features [PhysicalDeviceShaderAbortFeaturesKHR]
        properties [PhysicalDeviceShaderAbortPropertiesKHR]
    }
    device VK_EXT_shader_uniform_buffer_unsized_array = 1 {
        features [PhysicalDeviceShaderUniformBufferUnsizedArrayFeaturesEXT]
    }
    device VK_EXT_shader_subgroup_partitioned = 1 {
        features [PhysicalDeviceShaderSubgroupPartitionedFeaturesEXT]
    }
    device VK_NV_shader_subgroup_partitioned = 1 {}
    device VK_VALVE_shader_mixed_float_dot_product = 1, needs "(VK_KHR_get_physical_device_properties2,VK_VERSION_1_1)+(VK_KHR_shader_float16_int8,VK_VERSION_1_2)" {
        features [PhysicalDeviceShaderMixedFloatDotProductFeaturesVALVE]
    }
}
