//! The extensions offered, one row each with the revision implemented. Commands of extensions that
//! have no row here are not handed out.

/// Name of an extension.
pub type Extension = &'static str;

/// Instance extensions. All are part of Vulkan 1.1; they serve applications written for 1.0.
pub const INSTANCE: &[(Extension, u32)] = &[
    ("VK_KHR_device_group_creation", 1),
    ("VK_KHR_external_fence_capabilities", 1),
    ("VK_KHR_external_memory_capabilities", 1),
    ("VK_KHR_external_semaphore_capabilities", 1),
    ("VK_KHR_get_physical_device_properties2", 2),
];

/// Device extensions. VK_KHR_driver_properties is not among them: it asks for a registered driver id and a
/// conformance version, and there is neither.
pub const DEVICE: &[(Extension, u32)] = &[
    ("VK_EXT_border_color_swizzle", 1),
    ("VK_EXT_custom_border_color", 12),
    ("VK_EXT_descriptor_indexing", 2),
    ("VK_EXT_extended_dynamic_state", 1),
    ("VK_EXT_extended_dynamic_state2", 1),
    ("VK_EXT_host_query_reset", 1),
    ("VK_EXT_image_robustness", 1),
    ("VK_EXT_image_view_min_lod", 1),
    ("VK_EXT_non_seamless_cube_map", 1),
    ("VK_EXT_robustness2", 1),
    ("VK_EXT_sampler_filter_minmax", 2),
    ("VK_EXT_scalar_block_layout", 1),
    ("VK_EXT_shader_atomic_float", 1),
    ("VK_EXT_shader_demote_to_helper_invocation", 1),
    ("VK_KHR_8bit_storage", 1),
    ("VK_EXT_subgroup_size_control", 2),
    ("VK_KHR_16bit_storage", 1),
    ("VK_KHR_bind_memory2", 1),
    ("VK_KHR_copy_commands2", 1),
    ("VK_KHR_create_renderpass2", 1),
    ("VK_KHR_dedicated_allocation", 3),
    ("VK_KHR_depth_stencil_resolve", 1),
    ("VK_KHR_descriptor_update_template", 1),
    ("VK_KHR_device_group", 4),
    ("VK_KHR_dynamic_rendering", 1),
    ("VK_KHR_external_fence", 1),
    ("VK_KHR_external_memory", 1),
    ("VK_KHR_external_semaphore", 1),
    ("VK_KHR_get_memory_requirements2", 1),
    ("VK_KHR_image_format_list", 1),
    ("VK_KHR_imageless_framebuffer", 1),
    ("VK_KHR_maintenance1", 2),
    ("VK_KHR_maintenance2", 1),
    ("VK_KHR_maintenance3", 1),
    ("VK_KHR_relaxed_block_layout", 1),
    ("VK_KHR_sampler_mirror_clamp_to_edge", 3),
    ("VK_KHR_separate_depth_stencil_layouts", 1),
    ("VK_KHR_shader_atomic_int64", 1),
    ("VK_KHR_shader_draw_parameters", 1),
    ("VK_KHR_shader_float16_int8", 1),
    ("VK_KHR_shader_float_controls", 4),
    ("VK_KHR_shader_integer_dot_product", 1),
    ("VK_KHR_shader_non_semantic_info", 1),
    ("VK_KHR_shader_subgroup_extended_types", 1),
    ("VK_KHR_shader_terminate_invocation", 1),
    ("VK_KHR_spirv_1_4", 1),
    ("VK_KHR_storage_buffer_storage_class", 1),
    ("VK_KHR_synchronization2", 1),
    ("VK_KHR_timeline_semaphore", 2),
    ("VK_KHR_uniform_buffer_standard_layout", 1),
    ("VK_KHR_vulkan_memory_model", 3),
    ("VK_KHR_zero_initialize_workgroup_memory", 1),
];
