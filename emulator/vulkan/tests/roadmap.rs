//! Roadmap 2026, item by item, with the milestones of 2022 and 2024 that it requires. Spec: Vulkan, "Roadmap 2026",
//! "Roadmap 2024", "Roadmap 2022".

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::collections::BTreeSet;

use crate::common::Gpu;
use ash::vk;

/// Table of the tests of extensions, features and limits. `--test registry` checks that these tests exist.
const TESTS: &str = include_str!("../../../conformance/inventory/vulkan_tests.csv");

/// Asserts that an item of a milestone has a test that uses it.
fn is_tested(item: &str) {
    let rows = TESTS.lines().filter(|row| row.split(',').next() == Some(item));
    assert!(rows.count() > 0, "conformance/inventory/vulkan_tests.csv names no test of {item}");
}

/// Extensions that the milestones require of devices.
const DEVICE: &[&str] = &[
    // 2022.
    "VK_KHR_global_priority",
    // 2024.
    "VK_KHR_dynamic_rendering_local_read",
    "VK_KHR_load_store_op_none",
    "VK_KHR_shader_quad_control",
    "VK_KHR_shader_maximal_reconvergence",
    "VK_KHR_shader_subgroup_uniform_control_flow",
    "VK_KHR_shader_subgroup_rotate",
    "VK_KHR_shader_float_controls2",
    "VK_KHR_shader_expect_assume",
    "VK_KHR_line_rasterization",
    "VK_KHR_vertex_attribute_divisor",
    "VK_KHR_index_type_uint8",
    "VK_KHR_map_memory2",
    "VK_KHR_maintenance5",
    "VK_KHR_push_descriptor",
    // 2026.
    "VK_KHR_robustness2",
    "VK_KHR_pipeline_binary",
    "VK_KHR_fragment_shading_rate",
    "VK_KHR_shader_clock",
    "VK_KHR_workgroup_memory_explicit_layout",
    "VK_KHR_compute_shader_derivatives",
    "VK_KHR_maintenance7",
    "VK_KHR_maintenance8",
    "VK_KHR_maintenance9",
    "VK_KHR_depth_clamp_zero_one",
    "VK_KHR_copy_memory_indirect",
    "VK_KHR_shader_untyped_pointers",
    "VK_KHR_swapchain",
    "VK_KHR_present_mode_fifo_latest_ready",
    "VK_KHR_present_id2",
    "VK_KHR_present_wait2",
    "VK_KHR_swapchain_maintenance1",
    "VK_KHR_cooperative_matrix",
];

/// Extensions that the milestones require of instances.
const INSTANCE: &[&str] =
    &["VK_KHR_surface", "VK_KHR_surface_maintenance1", "VK_KHR_get_surface_capabilities2"];

fn names(list: &[vk::ExtensionProperties]) -> BTreeSet<String> {
    list.iter().map(|e| e.extension_name_as_c_str().unwrap().to_str().unwrap().to_owned()).collect()
}

#[test]
fn extensions_of_the_milestone_are_offered() {
    let gpu = Gpu::new(&[]);
    // SAFETY: valid usage of Vulkan: the instance and its physical device are live.
    let (device, instance, properties) = unsafe {
        (
            gpu.instance.enumerate_device_extension_properties(gpu.physical).unwrap(),
            vk_quadrille::entry().enumerate_instance_extension_properties(None).unwrap(),
            gpu.instance.get_physical_device_properties(gpu.physical),
        )
    };
    assert!(properties.api_version >= vk::make_api_version(0, 1, 4, 0), "the milestone requires Vulkan 1.4");
    let (device, instance) = (names(&device), names(&instance));
    let missing: Vec<&str> = DEVICE.iter().copied().filter(|name| !device.contains(*name)).collect();
    assert_eq!(missing, [""; 0]);
    DEVICE.iter().chain(INSTANCE).for_each(|name| is_tested(name));
    let missing: Vec<&str> = INSTANCE.iter().copied().filter(|name| !instance.contains(*name)).collect();
    assert_eq!(missing, [""; 0]);
}

/// Asserts that members of a structure of features are true.
macro_rules! on {
    ($features:expr, $($member:ident)*) => {$(
        assert_eq!($features.$member, vk::TRUE, stringify!($member));
    )*};
}

/// Like [`on`], for features that tests use.
macro_rules! all {
    ($features:expr, $($member:ident)*) => {
        on!($features, $($member)*);
        $(is_tested(stringify!($member));)*
    };
}

#[test]
fn features_of_the_milestone_are_offered() {
    let gpu = Gpu::new(&[]);
    let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
    let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut robust = vk::PhysicalDeviceRobustness2FeaturesEXT::default();
    let mut copies = vk::PhysicalDeviceHostImageCopyFeaturesEXT::default();
    let mut all = vk::PhysicalDeviceFeatures2::default()
        .push_next(&mut v11)
        .push_next(&mut v12)
        .push_next(&mut robust)
        .push_next(&mut copies);
    // SAFETY: valid usage of Vulkan: the instance and its physical device are live.
    unsafe { gpu.instance.get_physical_device_features2(gpu.physical, &mut all) };
    let core = all.features;
    all!(core, full_draw_index_uint32 image_cube_array independent_blend sample_rate_shading
        draw_indirect_first_instance depth_clamp depth_bias_clamp sampler_anisotropy occlusion_query_precise
        fragment_stores_and_atomics shader_storage_image_extended_formats
        shader_uniform_buffer_array_dynamic_indexing shader_sampled_image_array_dynamic_indexing
        shader_storage_buffer_array_dynamic_indexing shader_storage_image_array_dynamic_indexing
        multi_draw_indirect shader_image_gather_extended shader_int16);
    all!(v11, sampler_ycbcr_conversion shader_draw_parameters storage_buffer16_bit_access);
    all!(v12, sampler_mirror_clamp_to_edge descriptor_indexing shader_uniform_texel_buffer_array_dynamic_indexing
        shader_storage_texel_buffer_array_dynamic_indexing shader_uniform_buffer_array_non_uniform_indexing
        shader_sampled_image_array_non_uniform_indexing shader_storage_buffer_array_non_uniform_indexing
        shader_storage_image_array_non_uniform_indexing shader_uniform_texel_buffer_array_non_uniform_indexing
        shader_storage_texel_buffer_array_non_uniform_indexing descriptor_binding_sampled_image_update_after_bind
        descriptor_binding_storage_image_update_after_bind descriptor_binding_storage_buffer_update_after_bind
        descriptor_binding_uniform_texel_buffer_update_after_bind
        descriptor_binding_storage_texel_buffer_update_after_bind
        descriptor_binding_update_unused_while_pending descriptor_binding_partially_bound
        descriptor_binding_variable_descriptor_count runtime_descriptor_array scalar_block_layout
        shader_int8 shader_float16 storage_buffer8_bit_access);
    all!(robust, robust_buffer_access2 robust_image_access2 null_descriptor);
    all!(copies, host_image_copy);
}

/// Asserts that members of a structure of limits are at least so large.
macro_rules! least {
    ($limits:expr, $($member:ident $([$i:literal])? = $value:expr,)*) => {$(
        let (has, needs) = ($limits.$member$([$i])?, $value);
        assert!(has >= needs, "{} is {has}, less than {needs}", stringify!($member$([$i])?));
    )*};
}

/// Like [`least`], for limits that tests use in full.
macro_rules! in_full {
    ($limits:expr, $($member:ident $([$i:literal])? = $value:expr,)*) => {
        least!($limits, $($member $([$i])? = $value,)*);
        $(is_tested(stringify!($member));)*
    };
}

/// Asserts that members of a structure of limits are at most so large.
macro_rules! most {
    ($limits:expr, $($member:ident = $value:expr,)*) => {$(
        let (has, needs) = ($limits.$member, $value);
        assert!(has <= needs, "{} is {has}, more than {needs}", stringify!($member));
    )*};
}

#[test]
fn limits_of_2026() {
    let gpu = Gpu::new(&[]);
    // SAFETY: valid usage of Vulkan: the instance and its physical device are live.
    let l = unsafe { gpu.instance.get_physical_device_properties(gpu.physical) }.limits;
    in_full!(
        l,
        max_per_stage_descriptor_uniform_buffers = 200,
        max_per_stage_descriptor_storage_buffers = 200,
        max_per_stage_descriptor_input_attachments = 8,
        max_descriptor_set_storage_buffers = 1800,
        max_descriptor_set_uniform_buffers = 1800,
        max_descriptor_set_input_attachments = 8,
        max_vertex_output_components = 124,
        max_tessellation_control_per_vertex_input_components = 128,
        max_tessellation_control_per_vertex_output_components = 128,
        max_tessellation_control_total_output_components = 4096,
        max_tessellation_evaluation_input_components = 128,
        max_tessellation_evaluation_output_components = 128,
        max_geometry_output_components = 128,
        max_fragment_input_components = 112,
        max_fragment_output_attachments = 8,
        max_compute_shared_memory_size = 32_768,
        sub_pixel_precision_bits = 8,
        max_viewport_dimensions[0] = 8192,
        max_viewport_dimensions[1] = 8192,
        max_framebuffer_width = 8192,
        max_framebuffer_height = 8192,
    );
}

#[test]
fn limits_of_2022_and_2024() {
    let gpu = Gpu::new(&[]);
    let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
    let mut sizes = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    let mut floats = vk::PhysicalDeviceFloatControlsProperties::default();
    let mut indexing = vk::PhysicalDeviceDescriptorIndexingProperties::default();
    let mut all = vk::PhysicalDeviceProperties2::default()
        .push_next(&mut subgroups)
        .push_next(&mut sizes)
        .push_next(&mut floats)
        .push_next(&mut indexing);
    // SAFETY: valid usage of Vulkan: the instance and its physical device are live.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    let l = all.properties.limits;
    least!(
        l,
        max_image_dimension1_d = 8192,
        max_image_dimension2_d = 8192,
        max_image_dimension_cube = 8192,
        max_image_array_layers = 2048,
        max_uniform_buffer_range = 65_536,
        max_per_stage_descriptor_samplers = 64,
        max_per_stage_descriptor_sampled_images = 200,
        max_per_stage_descriptor_storage_images = 16,
        max_per_stage_resources = 200,
        max_descriptor_set_samplers = 576,
        max_descriptor_set_sampled_images = 1800,
        max_descriptor_set_storage_images = 144,
        max_fragment_combined_output_resources = 16,
        max_compute_work_group_invocations = 256,
        max_compute_work_group_size[0] = 256,
        max_compute_work_group_size[1] = 256,
        max_compute_work_group_size[2] = 64,
        sub_texel_precision_bits = 8,
        mipmap_precision_bits = 6,
        max_sampler_lod_bias = 14.0,
        max_color_attachments = 8,
        max_bound_descriptor_sets = 7,
        standard_sample_locations = vk::TRUE,
        timestamp_compute_and_graphics = vk::TRUE,
    );
    most!(l, buffer_image_granularity = 4096, point_size_granularity = 0.125, line_width_granularity = 0.5,);
    least!(indexing, max_per_stage_descriptor_update_after_bind_input_attachments = 7,);
    least!(sizes, max_subgroup_size = 4,);
    all!(floats, shader_signed_zero_inf_nan_preserve_float16 shader_signed_zero_inf_nan_preserve_float32
        shader_rounding_mode_rte_float16 shader_rounding_mode_rte_float32);
    use vk::ShaderStageFlags as S;
    use vk::SubgroupFeatureFlags as F;
    assert!(subgroups.subgroup_size >= 4 && subgroups.supported_stages.contains(S::COMPUTE | S::FRAGMENT));
    let operations =
        F::BASIC | F::VOTE | F::ARITHMETIC | F::BALLOT | F::SHUFFLE | F::SHUFFLE_RELATIVE | F::QUAD;
    assert!(subgroups.supported_operations.contains(operations));
}

/// Features of the versions that the milestone requires, as its profile lists them (VP_KHR_roadmap_2026 of Vulkan-Profiles).
#[test]
fn features_of_versions() {
    let gpu = Gpu::new(&[]);
    let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
    let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
    let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
    let mut all =
        vk::PhysicalDeviceFeatures2::default().push_next(&mut v11).push_next(&mut v12).push_next(&mut v13);
    // SAFETY: valid usage of Vulkan: the instance and its physical device are live.
    unsafe { gpu.instance.get_physical_device_features2(gpu.physical, &mut all) };
    on!(all.features, robust_buffer_access);
    on!(v11, multiview);
    on!(v12, uniform_buffer_standard_layout subgroup_broadcast_dynamic_id imageless_framebuffer
        separate_depth_stencil_layouts host_query_reset timeline_semaphore shader_subgroup_extended_types
        vulkan_memory_model vulkan_memory_model_device_scope buffer_device_address);
    on!(v13, robust_image_access shader_terminate_invocation shader_zero_initialize_workgroup_memory
        synchronization2 shader_integer_dot_product maintenance4 pipeline_creation_cache_control
        subgroup_size_control compute_full_subgroups shader_demote_to_helper_invocation inline_uniform_block
        dynamic_rendering private_data descriptor_binding_inline_uniform_block_update_after_bind);
}

/// Asserts that members of structures of features of the bindings are true.
macro_rules! features {
    ($gpu:expr, $($structure:ident { $($member:ident)* })*) => {$({
        let mut asked = vk::$structure::default();
        let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut asked);
        // SAFETY: valid usage of Vulkan: the instance and its physical device are live.
        unsafe { $gpu.instance.get_physical_device_features2($gpu.physical, &mut all) };
        on!(asked, $($member)*);
    })*};
}

/// Features of the extensions of the milestone, as its profile lists them. One kind of lines is required.
#[test]
fn features_of_extensions() {
    let gpu = Gpu::new(&[]);
    features! {
        gpu,
        PhysicalDeviceGlobalPriorityQueryFeaturesKHR { global_priority_query }
        PhysicalDeviceVertexAttributeDivisorFeaturesKHR { vertex_attribute_instance_rate_divisor }
        PhysicalDeviceIndexTypeUint8FeaturesKHR { index_type_uint8 }
        PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR { dynamic_rendering_local_read }
        PhysicalDeviceMaintenance5FeaturesKHR { maintenance5 }
        PhysicalDeviceShaderSubgroupRotateFeaturesKHR { shader_subgroup_rotate }
        PhysicalDeviceShaderFloatControls2FeaturesKHR { shader_float_controls2 }
        PhysicalDeviceShaderExpectAssumeFeaturesKHR { shader_expect_assume }
        PhysicalDeviceLineRasterizationFeaturesKHR { rectangular_lines bresenham_lines }
        PhysicalDeviceFragmentShadingRateFeaturesKHR { pipeline_fragment_shading_rate }
        PhysicalDeviceShaderClockFeaturesKHR { shader_subgroup_clock }
        PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR { workgroup_memory_explicit_layout }
        PhysicalDeviceComputeShaderDerivativesFeaturesNV { compute_derivative_group_linear }
        PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR { shader_maximal_reconvergence }
        PhysicalDeviceShaderQuadControlFeaturesKHR { shader_quad_control }
        PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR { shader_subgroup_uniform_control_flow }
        PhysicalDeviceCooperativeMatrixFeaturesKHR { cooperative_matrix }
        PhysicalDeviceSwapchainMaintenance1FeaturesEXT { swapchain_maintenance1 }
    }
}

/// Features of extensions that the bindings lack: the numbers of their structures, whose first member is required.
#[test]
fn features_of_newer_extensions() {
    const STRUCTURES: [(i32, &str); 10] = [
        (1_000_483_000, "pipelineBinaries"),
        (1_000_562_000, "maintenance7"),
        (1_000_574_000, "maintenance8"),
        (1_000_584_000, "maintenance9"),
        (1_000_421_000, "depthClampZeroOne"),
        (1_000_549_000, "indirectMemoryCopy"),
        (1_000_387_000, "shaderUntypedPointers"),
        (1_000_361_000, "presentModeFifoLatestReady"),
        (1_000_479_002, "presentId2"),
        (1_000_480_001, "presentWait2"),
    ];
    let gpu = Gpu::new(&[]);
    for (ty, name) in STRUCTURES {
        let mut words = [ty as u64, 0, 0, 0, 0, 0];
        let mut all = vk::PhysicalDeviceFeatures2 { p_next: (&raw mut words).cast(), ..Default::default() };
        // SAFETY: valid usage of Vulkan: the structure has its type, no next one, and room for its members.
        unsafe { gpu.instance.get_physical_device_features2(gpu.physical, &mut all) };
        assert_eq!(words[2] as u32, vk::TRUE, "{name}");
    }
}

/// Limits of the milestone of 2022 for descriptors that are updated after they are bound, and of versions.
#[test]
fn limits_of_updates_and_versions() {
    let gpu = Gpu::new(&[]);
    let mut v11 = vk::PhysicalDeviceVulkan11Properties::default();
    let mut v12 = vk::PhysicalDeviceVulkan12Properties::default();
    let mut v13 = vk::PhysicalDeviceVulkan13Properties::default();
    let mut all =
        vk::PhysicalDeviceProperties2::default().push_next(&mut v11).push_next(&mut v12).push_next(&mut v13);
    // SAFETY: valid usage of Vulkan: the instance and its physical device are live.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    least!(v11, max_multiview_view_count = 6, max_multiview_instance_index = 134_217_727,);
    least!(
        v12,
        max_timeline_semaphore_value_difference = 2_147_483_647,
        max_per_stage_descriptor_update_after_bind_samplers = 500_000,
        max_per_stage_descriptor_update_after_bind_uniform_buffers = 12,
        max_per_stage_descriptor_update_after_bind_storage_buffers = 500_000,
        max_per_stage_descriptor_update_after_bind_sampled_images = 500_000,
        max_per_stage_descriptor_update_after_bind_storage_images = 500_000,
        max_per_stage_update_after_bind_resources = 500_000,
        max_descriptor_set_update_after_bind_samplers = 500_000,
        max_descriptor_set_update_after_bind_uniform_buffers = 72,
        max_descriptor_set_update_after_bind_uniform_buffers_dynamic = 8,
        max_descriptor_set_update_after_bind_storage_buffers = 500_000,
        max_descriptor_set_update_after_bind_storage_buffers_dynamic = 4,
        max_descriptor_set_update_after_bind_sampled_images = 500_000,
        max_descriptor_set_update_after_bind_storage_images = 500_000,
        max_descriptor_set_update_after_bind_input_attachments = 7,
    );
    least!(
        v13,
        max_buffer_size = 1_073_741_824,
        max_inline_uniform_block_size = 256,
        max_per_stage_descriptor_inline_uniform_blocks = 4,
        max_per_stage_descriptor_update_after_bind_inline_uniform_blocks = 4,
        max_descriptor_set_inline_uniform_blocks = 4,
        max_descriptor_set_update_after_bind_inline_uniform_blocks = 4,
        max_inline_uniform_total_size = 256,
    );
    // VkPhysicalDeviceMaintenance7PropertiesKHR: two features, then the numbers of dynamic buffers of a set.
    let mut words = [1_000_562_001u64, 0, 0, 0, 0, 0];
    let mut all = vk::PhysicalDeviceProperties2 { p_next: (&raw mut words).cast(), ..Default::default() };
    // SAFETY: valid usage of Vulkan: the structure has its type, no next one, and room for its members.
    unsafe { gpu.instance.get_physical_device_properties2(gpu.physical, &mut all) };
    let [uniform, storage] = [words[3] as u32, (words[3] >> 32) as u32];
    let [both, late_uniform] = [words[4] as u32, (words[4] >> 32) as u32];
    let [late_storage, late] = [words[5] as u32, (words[5] >> 32) as u32];
    assert!(uniform >= 8 && storage >= 4 && both >= 12, "{uniform} {storage} {both}");
    assert!(late_uniform >= 8 && late_storage >= 4 && late >= 12, "{late_uniform} {late_storage} {late}");
}
