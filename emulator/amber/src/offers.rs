//! Features, properties and extensions that scripts can require by name, and whether Quadrille has them.

use quadrille::{FEATURES, Features};

const F: Features = FEATURES;

/// Features that scripts can name: members of Vulkan's structures, after the structure's short name. The device library
/// says which of them it has.
#[rustfmt::skip]
const NAMED_FEATURES: &[&str] = &[
    "robustBufferAccess", "fullDrawIndexUint32", "imageCubeArray", "independentBlend", "geometryShader",
    "tessellationShader", "sampleRateShading", "dualSrcBlend", "logicOp", "multiDrawIndirect",
    "drawIndirectFirstInstance", "depthClamp", "depthBiasClamp", "fillModeNonSolid", "depthBounds",
    "wideLines", "largePoints", "alphaToOne", "multiViewport", "samplerAnisotropy",
    "textureCompressionETC2", "textureCompressionASTC_LDR", "textureCompressionBC", "occlusionQueryPrecise",
    "pipelineStatisticsQuery", "vertexPipelineStoresAndAtomics", "fragmentStoresAndAtomics",
    "shaderTessellationAndGeometryPointSize", "shaderImageGatherExtended",
    "shaderStorageImageExtendedFormats", "shaderStorageImageMultisample",
    "shaderStorageImageReadWithoutFormat", "shaderStorageImageWriteWithoutFormat",
    "shaderUniformBufferArrayDynamicIndexing", "shaderSampledImageArrayDynamicIndexing",
    "shaderStorageBufferArrayDynamicIndexing", "shaderStorageImageArrayDynamicIndexing",
    "shaderClipDistance", "shaderCullDistance", "shaderFloat64", "shaderInt64", "shaderInt16",
    "shaderResourceResidency", "shaderResourceMinLod", "sparseBinding", "sparseResidencyBuffer",
    "sparseResidencyImage2D", "sparseResidencyImage3D", "sparseResidency2Samples",
    "sparseResidency4Samples", "sparseResidency8Samples", "sparseResidency16Samples",
    "sparseResidencyAliased", "variableMultisampleRate", "inheritedQueries",
    "VariablePointerFeatures.variablePointers", "VariablePointerFeatures.variablePointersStorageBuffer",
    "Float16Int8Features.shaderFloat16", "Float16Int8Features.shaderInt8",
    "VulkanMemoryModelFeatures.vulkanMemoryModel", "VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope",
    "CooperativeMatrixFeaturesKHR.cooperativeMatrix",
    "ZeroInitializeWorkgroupMemoryFeatures.shaderZeroInitializeWorkgroupMemory",
    "Storage8BitFeatures.storageBuffer8BitAccess", "Storage8BitFeatures.uniformAndStorageBuffer8BitAccess",
    "Storage8BitFeatures.storagePushConstant8", "Storage16BitFeatures.storageBuffer16BitAccess",
    "Storage16BitFeatures.uniformAndStorageBuffer16BitAccess", "Storage16BitFeatures.storagePushConstant16",
    "Storage16BitFeatures.storageInputOutput16", "SubgroupSizeControl.subgroupSizeControl",
    "SubgroupSizeControl.computeFullSubgroups", "DepthClampZeroOneFeatures.depthClampZeroOne",
    "IndexTypeUint8Features.indexTypeUint8",
    "ShaderSubgroupExtendedTypesFeatures.shaderSubgroupExtendedTypes",
    "RayTracingPipelineFeaturesKHR.rayTracingPipeline",
    "AccelerationStructureFeaturesKHR.accelerationStructure",
    "BufferDeviceAddressFeatures.bufferDeviceAddress", "ShaderLongVectorFeaturesEXT.longVector",
];

/// Features that the device has and scripts cannot use: they bind no sparse memory, build no acceleration structures and
/// have no shader binding tables.
#[rustfmt::skip]
const NOT_IN_SCRIPTS: &[&str] = &[
    "sparseBinding", "sparseResidencyBuffer", "sparseResidencyImage2D", "sparseResidencyImage3D",
    "sparseResidencyAliased", "RayTracingPipelineFeaturesKHR.rayTracingPipeline",
    "AccelerationStructureFeaturesKHR.accelerationStructure",
];

/// Kinds and stages of subgroup operations that scripts can name; the device has all of them.
#[rustfmt::skip]
const SUBGROUP_OPERATIONS: &[&str] = &[
    "SubgroupSupportedOperations.basic", "SubgroupSupportedOperations.vote",
    "SubgroupSupportedOperations.arithmetic", "SubgroupSupportedOperations.ballot",
    "SubgroupSupportedOperations.shuffle", "SubgroupSupportedOperations.shuffleRelative",
    "SubgroupSupportedOperations.clustered", "SubgroupSupportedOperations.quad",
    "SubgroupSupportedStages.vertex", "SubgroupSupportedStages.tessellationControl",
    "SubgroupSupportedStages.tessellationEvaluation", "SubgroupSupportedStages.geometry",
    "SubgroupSupportedStages.fragment", "SubgroupSupportedStages.compute",
];

/// Arithmetic properties that scripts can name; `true` if the property holds.
#[rustfmt::skip]
const NAMED_PROPERTIES: &[(&str, bool)] = &[
    ("FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat16", F.shader_float_controls),
    ("FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat32", F.shader_float_controls),
    ("FloatControlsProperties.shaderSignedZeroInfNanPreserveFloat64", F.shader_float_controls),
    ("FloatControlsProperties.shaderDenormPreserveFloat16", F.shader_float_controls),
    ("FloatControlsProperties.shaderDenormPreserveFloat32", F.shader_float_controls),
    ("FloatControlsProperties.shaderDenormPreserveFloat64", F.shader_float_controls),
    ("FloatControlsProperties.shaderDenormFlushToZeroFloat16", false),
    ("FloatControlsProperties.shaderDenormFlushToZeroFloat32", false),
    ("FloatControlsProperties.shaderDenormFlushToZeroFloat64", false),
    ("FloatControlsProperties.shaderRoundingModeRTEFloat16", F.shader_float_controls),
    ("FloatControlsProperties.shaderRoundingModeRTEFloat32", F.shader_float_controls),
    ("FloatControlsProperties.shaderRoundingModeRTEFloat64", F.shader_float_controls),
    ("FloatControlsProperties.shaderRoundingModeRTZFloat16", false),
    ("FloatControlsProperties.shaderRoundingModeRTZFloat32", false),
    ("FloatControlsProperties.shaderRoundingModeRTZFloat64", false),
];

/// Vulkan extensions whose shaders and states the device library supports. Scripts have no use for the other extensions
/// of the driver.
#[rustfmt::skip]
pub const EXTENSIONS: &[&str] = &[
    "VK_EXT_4444_formats", "VK_EXT_blend_operation_advanced", "VK_EXT_buffer_device_address",
    "VK_EXT_depth_clip_control", "VK_EXT_depth_clip_enable", "VK_EXT_depth_range_unrestricted",
    "VK_EXT_descriptor_indexing", "VK_EXT_image_robustness", "VK_EXT_index_type_uint8",
    "VK_EXT_inline_uniform_block", "VK_EXT_line_rasterization", "VK_EXT_mesh_shader",
    "VK_EXT_non_seamless_cube_map", "VK_EXT_post_depth_coverage", "VK_EXT_primitive_topology_list_restart",
    "VK_EXT_provoking_vertex", "VK_EXT_robustness2", "VK_EXT_sampler_filter_minmax",
    "VK_EXT_scalar_block_layout", "VK_EXT_shader_atomic_float", "VK_EXT_shader_atomic_float2",
    "VK_EXT_shader_demote_to_helper_invocation", "VK_EXT_shader_image_atomic_int64",
    "VK_EXT_shader_replicated_composites", "VK_EXT_shader_stencil_export", "VK_EXT_shader_subgroup_ballot",
    "VK_EXT_shader_subgroup_vote", "VK_EXT_shader_viewport_index_layer", "VK_EXT_subgroup_size_control",
    "VK_EXT_texel_buffer_alignment", "VK_EXT_vertex_attribute_divisor", "VK_GOOGLE_decorate_string",
    "VK_GOOGLE_hlsl_functionality1", "VK_GOOGLE_user_type", "VK_KHR_16bit_storage", "VK_KHR_8bit_storage",
    "VK_KHR_buffer_device_address", "VK_KHR_compute_shader_derivatives", "VK_KHR_depth_stencil_resolve",
    "VK_KHR_dynamic_rendering", "VK_KHR_get_physical_device_properties2", "VK_KHR_index_type_uint8",
    "VK_KHR_line_rasterization", "VK_KHR_maintenance1", "VK_KHR_maintenance2", "VK_KHR_maintenance3",
    "VK_KHR_maintenance4", "VK_KHR_maintenance5", "VK_KHR_maintenance6", "VK_KHR_multiview",
    "VK_KHR_relaxed_block_layout", "VK_KHR_robustness2", "VK_KHR_sampler_mirror_clamp_to_edge",
    "VK_KHR_shader_atomic_int64", "VK_KHR_shader_clock", "VK_KHR_shader_draw_parameters",
    "VK_KHR_shader_expect_assume", "VK_KHR_shader_float16_int8", "VK_KHR_shader_float_controls",
    "VK_KHR_shader_float_controls2", "VK_KHR_shader_fma", "VK_KHR_shader_integer_dot_product",
    "VK_KHR_shader_maximal_reconvergence", "VK_KHR_shader_non_semantic_info", "VK_KHR_shader_quad_control",
    "VK_KHR_shader_relaxed_extended_instruction", "VK_KHR_shader_subgroup_extended_types",
    "VK_KHR_shader_subgroup_rotate", "VK_KHR_shader_subgroup_uniform_control_flow",
    "VK_KHR_shader_terminate_invocation", "VK_KHR_shader_untyped_pointers", "VK_KHR_spirv_1_4",
    "VK_KHR_storage_buffer_storage_class", "VK_KHR_uniform_buffer_standard_layout",
    "VK_KHR_variable_pointers", "VK_KHR_vertex_attribute_divisor", "VK_KHR_vulkan_memory_model",
    "VK_KHR_workgroup_memory_explicit_layout", "VK_KHR_zero_initialize_workgroup_memory",
    "VK_NV_compute_shader_derivatives", "VK_NV_shader_subgroup_partitioned",
];

fn find(rows: &[(&str, bool)], name: &str) -> Option<bool> {
    rows.iter().find(|(n, _)| *n == name).map(|(_, offered)| *offered)
}

/// True if the feature is available; `None` if the name is not a feature.
pub fn feature(name: &str) -> Option<bool> {
    let member = name.rsplit('.').next().unwrap_or(name);
    let has = || !NOT_IN_SCRIPTS.contains(&name) && F.member(member);
    match SUBGROUP_OPERATIONS.contains(&name) {
        true => Some(true),
        false => NAMED_FEATURES.contains(&name).then(has),
    }
}

/// True if the property holds; `None` if the name is not a property.
pub fn property(name: &str) -> Option<bool> {
    find(NAMED_PROPERTIES, name)
}

/// True if the extension is available.
pub fn extension(name: &str) -> bool {
    EXTENSIONS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The driver's table is the definitive list of extensions.
    #[test]
    fn extensions_are_rows_of_the_driver() {
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../vulkan/src/table")).unwrap();
        let table: String = files.map(|f| std::fs::read_to_string(f.unwrap().path()).unwrap()).collect();
        let missing: Vec<_> =
            EXTENSIONS.iter().filter(|name| !table.contains(&format!(" {name} ="))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn names_are_those_of_the_device() {
        assert_eq!(feature("textureCompressionASTC_LDR"), Some(true));
        assert_eq!(feature("VulkanMemoryModelFeatures.vulkanMemoryModelDeviceScope"), Some(true));
        assert_eq!(feature("SubgroupSupportedStages.compute"), Some(true));
        // The device traces rays, and binds sparse memory where the host can; scripts do neither.
        assert_eq!(feature("sparseBinding"), Some(false));
        let rays = "RayTracingPipelineFeaturesKHR.rayTracingPipeline";
        assert_eq!((F.member("rayTracingPipeline"), feature(rays)), (true, Some(false)));
        assert_eq!(feature("nothing"), None);
        assert_eq!(feature("sparse_binding"), None, "the device's own name");
    }

    /// A member that needs two features is there only if both are.
    #[test]
    fn members_follow_their_features() {
        let name = "sparseImageFloat32Atomics";
        let mut both = F;
        (both.sparse_residency, both.shader_image_float32_atomics) = (true, true);
        let (mut no_pages, mut no_atomics) = (both, both);
        (no_pages.sparse_residency, no_atomics.shader_image_float32_atomics) = (false, false);
        assert!(both.member(name));
        assert!(!no_pages.member(name) && !no_atomics.member(name));
        assert!(!F.member("sparseResidency2Samples"));
    }
}
