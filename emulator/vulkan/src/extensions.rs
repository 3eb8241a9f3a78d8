//! The extensions offered, one row each with the revision implemented. Commands of extensions that
//! have no row here are not handed out.

use std::ffi::c_char;

use ash::vk;

use crate::chain::{fixed, slice, text};
use crate::guard::VkResult;

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
    ("VK_EXT_4444_formats", 1),
    ("VK_EXT_astc_decode_mode", 1),
    ("VK_EXT_attachment_feedback_loop_dynamic_state", 1),
    ("VK_EXT_attachment_feedback_loop_layout", 2),
    ("VK_EXT_blend_operation_advanced", 2),
    ("VK_EXT_border_color_swizzle", 1),
    ("VK_EXT_buffer_device_address", 2),
    ("VK_EXT_color_write_enable", 1),
    ("VK_EXT_conditional_rendering", 2),
    ("VK_EXT_custom_border_color", 12),
    ("VK_EXT_depth_bias_control", 1),
    ("VK_EXT_depth_clip_control", 1),
    ("VK_EXT_depth_clip_enable", 1),
    ("VK_EXT_depth_range_unrestricted", 1),
    ("VK_EXT_descriptor_indexing", 2),
    ("VK_EXT_dynamic_rendering_unused_attachments", 1),
    ("VK_EXT_extended_dynamic_state", 1),
    ("VK_EXT_extended_dynamic_state2", 1),
    ("VK_EXT_extended_dynamic_state3", 2),
    ("VK_EXT_graphics_pipeline_library", 1),
    ("VK_EXT_host_image_copy", 1),
    ("VK_EXT_host_query_reset", 1),
    ("VK_EXT_image_2d_view_of_3d", 1),
    ("VK_EXT_image_robustness", 1),
    ("VK_EXT_image_sliced_view_of_3d", 1),
    ("VK_EXT_image_view_min_lod", 1),
    ("VK_EXT_index_type_uint8", 1),
    ("VK_EXT_inline_uniform_block", 1),
    ("VK_EXT_line_rasterization", 1),
    ("VK_EXT_load_store_op_none", 1),
    ("VK_EXT_memory_budget", 1),
    ("VK_EXT_mesh_shader", 1),
    ("VK_EXT_multi_draw", 1),
    ("VK_EXT_mutable_descriptor_type", 1),
    ("VK_EXT_nested_command_buffer", 1),
    ("VK_EXT_non_seamless_cube_map", 1),
    ("VK_EXT_pipeline_creation_cache_control", 3),
    ("VK_EXT_pipeline_creation_feedback", 1),
    ("VK_EXT_pipeline_protected_access", 1),
    ("VK_EXT_pipeline_robustness", 1),
    ("VK_EXT_primitive_topology_list_restart", 1),
    ("VK_EXT_primitives_generated_query", 1),
    ("VK_EXT_private_data", 1),
    ("VK_EXT_provoking_vertex", 1),
    ("VK_EXT_rgba10x6_formats", 1),
    ("VK_EXT_post_depth_coverage", 1),
    ("VK_EXT_robustness2", 1),
    ("VK_EXT_sampler_filter_minmax", 2),
    ("VK_EXT_scalar_block_layout", 1),
    ("VK_EXT_separate_stencil_usage", 1),
    ("VK_EXT_shader_atomic_float", 1),
    ("VK_EXT_shader_atomic_float2", 1),
    ("VK_EXT_shader_demote_to_helper_invocation", 1),
    ("VK_EXT_shader_image_atomic_int64", 1),
    ("VK_EXT_shader_replicated_composites", 1),
    ("VK_EXT_shader_stencil_export", 1),
    ("VK_EXT_shader_subgroup_ballot", 1),
    ("VK_EXT_shader_subgroup_vote", 1),
    ("VK_EXT_shader_viewport_index_layer", 1),
    ("VK_EXT_subgroup_size_control", 2),
    ("VK_EXT_texel_buffer_alignment", 1),
    ("VK_EXT_tooling_info", 1),
    ("VK_EXT_transform_feedback", 1),
    ("VK_EXT_vertex_attribute_divisor", 3),
    ("VK_EXT_vertex_input_dynamic_state", 2),
    ("VK_EXT_ycbcr_2plane_444_formats", 1),
    ("VK_EXT_ycbcr_image_arrays", 1),
    ("VK_GOOGLE_decorate_string", 1),
    ("VK_GOOGLE_hlsl_functionality1", 1),
    ("VK_GOOGLE_user_type", 1),
    ("VK_KHR_16bit_storage", 1),
    ("VK_KHR_8bit_storage", 1),
    ("VK_KHR_bind_memory2", 1),
    ("VK_KHR_buffer_device_address", 1),
    ("VK_KHR_compute_shader_derivatives", 1),
    ("VK_KHR_copy_commands2", 1),
    ("VK_KHR_create_renderpass2", 1),
    ("VK_KHR_dedicated_allocation", 3),
    ("VK_KHR_depth_stencil_resolve", 1),
    ("VK_KHR_descriptor_update_template", 1),
    ("VK_KHR_device_group", 4),
    ("VK_KHR_draw_indirect_count", 1),
    ("VK_KHR_dynamic_rendering", 1),
    ("VK_KHR_dynamic_rendering_local_read", 1),
    ("VK_KHR_external_fence", 1),
    ("VK_KHR_external_memory", 1),
    ("VK_KHR_external_semaphore", 1),
    ("VK_KHR_format_feature_flags2", 2),
    ("VK_KHR_get_memory_requirements2", 1),
    ("VK_KHR_image_format_list", 1),
    ("VK_KHR_imageless_framebuffer", 1),
    ("VK_KHR_index_type_uint8", 1),
    ("VK_KHR_line_rasterization", 1),
    ("VK_KHR_maintenance1", 2),
    ("VK_KHR_maintenance2", 1),
    ("VK_KHR_maintenance3", 1),
    ("VK_KHR_maintenance4", 2),
    ("VK_KHR_maintenance5", 1),
    ("VK_KHR_maintenance6", 1),
    ("VK_KHR_maintenance7", 1),
    ("VK_KHR_map_memory2", 1),
    ("VK_KHR_multiview", 1),
    ("VK_KHR_pipeline_library", 1),
    ("VK_KHR_push_descriptor", 2),
    ("VK_KHR_relaxed_block_layout", 1),
    ("VK_KHR_sampler_mirror_clamp_to_edge", 3),
    ("VK_KHR_sampler_ycbcr_conversion", 14),
    ("VK_KHR_separate_depth_stencil_layouts", 1),
    ("VK_KHR_shader_atomic_int64", 1),
    ("VK_KHR_shader_clock", 1),
    ("VK_KHR_shader_draw_parameters", 1),
    ("VK_KHR_shader_expect_assume", 1),
    ("VK_KHR_shader_float16_int8", 1),
    ("VK_KHR_shader_float_controls", 4),
    ("VK_KHR_shader_float_controls2", 1),
    ("VK_KHR_shader_fma", 1),
    ("VK_KHR_shader_integer_dot_product", 1),
    ("VK_KHR_shader_maximal_reconvergence", 1),
    ("VK_KHR_shader_non_semantic_info", 1),
    ("VK_KHR_shader_quad_control", 1),
    ("VK_KHR_shader_relaxed_extended_instruction", 1),
    ("VK_KHR_shader_subgroup_extended_types", 1),
    ("VK_KHR_shader_subgroup_rotate", 2),
    ("VK_KHR_shader_subgroup_uniform_control_flow", 1),
    ("VK_KHR_shader_terminate_invocation", 1),
    ("VK_KHR_shader_untyped_pointers", 1),
    ("VK_KHR_spirv_1_4", 1),
    ("VK_KHR_storage_buffer_storage_class", 1),
    ("VK_KHR_synchronization2", 1),
    ("VK_KHR_timeline_semaphore", 2),
    ("VK_KHR_unified_image_layouts", 1),
    ("VK_KHR_uniform_buffer_standard_layout", 1),
    ("VK_KHR_variable_pointers", 1),
    ("VK_KHR_vertex_attribute_divisor", 1),
    ("VK_KHR_vulkan_memory_model", 3),
    ("VK_KHR_workgroup_memory_explicit_layout", 1),
    ("VK_KHR_zero_initialize_workgroup_memory", 1),
    ("VK_NV_compute_shader_derivatives", 1),
    ("VK_NV_shader_subgroup_partitioned", 1),
];

/// An extension as the enumeration commands show it.
pub fn extension_properties(list: &[(Extension, u32)]) -> Vec<vk::ExtensionProperties> {
    list.iter()
        .map(|&(name, spec_version)| vk::ExtensionProperties { extension_name: fixed(name), spec_version })
        .collect()
}

/// The subset of `offered` that is named, or the code for one that is not offered.
pub unsafe fn enabled(
    offered: &[(Extension, u32)],
    names: *const *const c_char,
    n: u32,
) -> VkResult<Vec<Extension>> {
    // SAFETY: the caller passes the array of a create info.
    let names = unsafe { slice(names, n) };
    names
        .iter()
        .map(|&name| {
            // SAFETY: names of a create info end with a zero byte.
            let name = unsafe { text(name) };
            let found = offered.iter().find(|(offered, _)| *offered == name);
            found.map(|(e, _)| *e).ok_or(vk::Result::ERROR_EXTENSION_NOT_PRESENT)
        })
        .collect()
}
