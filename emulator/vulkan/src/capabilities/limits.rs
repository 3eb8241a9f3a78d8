//! Limits in the form of VkPhysicalDeviceLimits, with the values of the device library.

use ash::vk;
use quadrille::DESCRIPTOR_BYTES;
use quadrille::limits::{FEATURES, LIMITS};

use crate::newer::PhysicalDeviceDescriptorHeapPropertiesEXT;

/// Number of descriptors that every set may have.
pub const MAX_PER_SET_DESCRIPTORS: u32 = LIMITS.max_descriptors_per_set;
/// Number of valid bits of timestamps.
pub const TIMESTAMP_BITS: u32 = 64;
/// Greatest total size of sparse resources, in bytes.
const SPARSE_ADDRESS_SPACE: u64 = 1 << 40;
/// Alignment of host memory that can be imported, in bytes.
pub const HOST_ALIGNMENT: u64 = 4096;
/// Alignment of mapped ranges that are flushed, in bytes.
const ATOM: u64 = 64;

/// Greatest size of an allocation, in bytes.
pub fn max_allocation() -> u64 {
    LIMITS.max_memory_allocation_size.min(crate::capabilities::heap::size())
}

/// All supported stages. All have subgroup operations, and generated commands can run and bind them.
pub fn stages() -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as Flags;
    let tessellation = match FEATURES.tessellation_shader {
        true => Flags::TESSELLATION_CONTROL | Flags::TESSELLATION_EVALUATION,
        false => Flags::empty(),
    };
    let geometry = if FEATURES.geometry_shader { Flags::GEOMETRY } else { Flags::empty() };
    let task = if FEATURES.task_shader { Flags::TASK_EXT } else { Flags::empty() };
    let mesh = if FEATURES.mesh_shader { Flags::MESH_EXT } else { Flags::empty() };
    Flags::COMPUTE | Flags::FRAGMENT | Flags::VERTEX | tessellation | geometry | task | mesh
}

/// Supported classes of subgroup operations.
pub fn subgroup_operations() -> vk::SubgroupFeatureFlags {
    use vk::SubgroupFeatureFlags as Kind;
    let rotate = if FEATURES.shader_subgroup_rotate {
        Kind::ROTATE_KHR | Kind::ROTATE_CLUSTERED_KHR
    } else {
        Kind::empty()
    };
    let partitioned = if FEATURES.subgroup_partitioned { Kind::PARTITIONED_NV } else { Kind::empty() };
    Kind::BASIC
        | Kind::VOTE
        | Kind::ARITHMETIC
        | Kind::BALLOT
        | Kind::SHUFFLE
        | Kind::SHUFFLE_RELATIVE
        | Kind::CLUSTERED
        | Kind::QUAD
        | rotate
        | partitioned
}

/// VkPhysicalDeviceMeshShaderPropertiesEXT.
pub fn mesh_shaders(p: &mut vk::PhysicalDeviceMeshShaderPropertiesEXT<'_>) {
    let l = &LIMITS;
    p.max_task_work_group_total_count = l.max_task_work_group_total_count;
    p.max_task_work_group_count = l.max_task_work_group_count;
    p.max_task_work_group_invocations = l.max_task_work_group_invocations;
    p.max_task_work_group_size = l.max_task_work_group_size;
    p.max_task_payload_size = l.max_task_payload_size;
    p.max_task_shared_memory_size = l.max_task_shared_memory_size;
    p.max_task_payload_and_shared_memory_size = l.max_task_payload_and_shared_memory_size;
    p.max_mesh_work_group_total_count = l.max_mesh_work_group_total_count;
    p.max_mesh_work_group_count = l.max_mesh_work_group_count;
    p.max_mesh_work_group_invocations = l.max_mesh_work_group_invocations;
    p.max_mesh_work_group_size = l.max_mesh_work_group_size;
    p.max_mesh_shared_memory_size = l.max_mesh_shared_memory_size;
    p.max_mesh_payload_and_shared_memory_size = l.max_mesh_payload_and_shared_memory_size;
    p.max_mesh_output_memory_size = l.max_mesh_output_memory_size;
    p.max_mesh_payload_and_output_memory_size = l.max_mesh_payload_and_output_memory_size;
    p.max_mesh_output_components = l.max_mesh_output_components;
    p.max_mesh_output_vertices = l.max_mesh_output_vertices;
    p.max_mesh_output_primitives = l.max_mesh_output_primitives;
    p.max_mesh_output_layers = l.max_framebuffer_layers;
    p.max_mesh_multiview_view_count =
        if FEATURES.multiview_mesh_shader { l.max_multiview_view_count } else { 1 };
    p.mesh_output_per_vertex_granularity = 1;
    p.mesh_output_per_primitive_granularity = 1;
    // A few lane groups; further ones would run in turn.
    p.max_preferred_task_work_group_invocations = 32;
    p.max_preferred_mesh_work_group_invocations = 32;
    // Any invocation may write outputs, which are in memory. Vertices and primitives are counted, not compacted.
    p.prefers_local_invocation_vertex_output = vk::FALSE;
    p.prefers_local_invocation_primitive_output = vk::FALSE;
    p.prefers_compact_vertex_output = vk::TRUE;
    p.prefers_compact_primitive_output = vk::TRUE;
}

/// Sample counts with programmable sample locations: all but one sample.
pub fn movable_samples() -> vk::SampleCountFlags {
    match FEATURES.sample_locations {
        true => vk::SampleCountFlags::from_raw(LIMITS.sample_counts & !1),
        false => vk::SampleCountFlags::empty(),
    }
}

/// VkPhysicalDeviceSampleLocationsPropertiesEXT.
pub fn sample_locations(p: &mut vk::PhysicalDeviceSampleLocationsPropertiesEXT<'_>) {
    p.sample_location_sample_counts = movable_samples();
    p.max_sample_location_grid_size = vk::Extent2D { width: 1, height: 1 };
    p.sample_location_coordinate_range = [0.0, 15.0 / 16.0];
    p.sample_location_sub_pixel_bits = 4;
    p.variable_sample_locations = vk::TRUE;
}

/// VkPhysicalDeviceFragmentShadingRatePropertiesKHR.
pub fn shading_rates(p: &mut vk::PhysicalDeviceFragmentShadingRatePropertiesKHR<'_>) {
    let square = |side| vk::Extent2D { width: side, height: side };
    let (size, [least, most]) = (LIMITS.max_fragment_size, LIMITS.shading_rate_texel_size);
    let samples = 1 << LIMITS.sample_counts.ilog2();
    p.min_fragment_shading_rate_attachment_texel_size = square(least);
    p.max_fragment_shading_rate_attachment_texel_size = square(most);
    p.max_fragment_shading_rate_attachment_texel_size_aspect_ratio = most / least;
    p.primitive_fragment_shading_rate_with_multiple_viewports = vk::TRUE;
    p.layered_shading_rate_attachments = vk::TRUE;
    p.fragment_shading_rate_non_trivial_combiner_ops = vk::TRUE;
    p.max_fragment_size = square(size);
    p.max_fragment_size_aspect_ratio = size;
    p.max_fragment_shading_rate_coverage_samples = LIMITS.max_fragment_coverage_samples;
    p.max_fragment_shading_rate_rasterization_samples = vk::SampleCountFlags::from_raw(samples);
    p.fragment_shading_rate_with_shader_depth_stencil_writes = vk::TRUE;
    p.fragment_shading_rate_with_sample_mask = vk::TRUE;
    p.fragment_shading_rate_with_shader_sample_mask = vk::TRUE;
    p.fragment_shading_rate_with_conservative_rasterization = vk::FALSE;
    p.fragment_shading_rate_with_fragment_shader_interlock = vk::TRUE;
    p.fragment_shading_rate_with_custom_sample_locations = vk::TRUE;
    p.fragment_shading_rate_strict_multiply_combiner = vk::TRUE;
}

/// Fragment sizes and their supported sample counts, in descending order of width, then of height.
pub fn fragment_sizes() -> Vec<([u32; 2], vk::SampleCountFlags)> {
    let logs = || (0..=LIMITS.max_fragment_size.ilog2()).rev();
    let sizes = logs().flat_map(|w| logs().map(move |h| [1 << w, 1 << h]));
    // Fragments of one pixel allow every sample count that may ever exist, larger ones those that fit the coverage
    // mask.
    let samples = |size: [u32; 2]| match LIMITS.max_fragment_coverage_samples / (size[0] * size[1]) {
        _ if size == [1; 2] => u32::MAX,
        most => LIMITS.sample_counts & (2 * most - 1),
    };
    sizes.map(|size| (size, vk::SampleCountFlags::from_raw(samples(size)))).collect()
}

/// VkPhysicalDeviceDescriptorBufferPropertiesEXT.
pub fn descriptor_buffers(p: &mut vk::PhysicalDeviceDescriptorBufferPropertiesEXT<'_>) {
    let (bytes, sets) = (DESCRIPTOR_BYTES, LIMITS.max_bound_descriptor_sets);
    p.combined_image_sampler_descriptor_single_array = vk::TRUE;
    p.bufferless_push_descriptors = vk::TRUE;
    p.allow_sampler_image_view_post_submit_creation = vk::TRUE;
    p.descriptor_buffer_offset_alignment = bytes as u64;
    p.max_descriptor_buffer_bindings = sets;
    p.max_resource_descriptor_buffer_bindings = sets;
    p.max_sampler_descriptor_buffer_bindings = sets;
    p.max_embedded_immutable_sampler_bindings = sets;
    p.max_embedded_immutable_samplers = LIMITS.max_per_stage_descriptor_samplers;
    for size in [
        &mut p.sampler_descriptor_size,
        &mut p.combined_image_sampler_descriptor_size,
        &mut p.sampled_image_descriptor_size,
        &mut p.storage_image_descriptor_size,
        &mut p.uniform_texel_buffer_descriptor_size,
        &mut p.robust_uniform_texel_buffer_descriptor_size,
        &mut p.storage_texel_buffer_descriptor_size,
        &mut p.robust_storage_texel_buffer_descriptor_size,
        &mut p.uniform_buffer_descriptor_size,
        &mut p.robust_uniform_buffer_descriptor_size,
        &mut p.storage_buffer_descriptor_size,
        &mut p.robust_storage_buffer_descriptor_size,
        &mut p.input_attachment_descriptor_size,
    ] {
        *size = bytes;
    }
    for range in [
        &mut p.max_sampler_descriptor_buffer_range,
        &mut p.max_resource_descriptor_buffer_range,
        &mut p.sampler_descriptor_buffer_address_space_size,
        &mut p.resource_descriptor_buffer_address_space_size,
        &mut p.descriptor_buffer_address_space_size,
    ] {
        *range = LIMITS.max_buffer_size;
    }
}

/// Greatest size of a descriptor heap, in bytes.
const MAX_HEAP: u64 = 1 << 30;

/// VkPhysicalDeviceDescriptorHeapPropertiesEXT.
pub fn descriptor_heaps(p: &mut PhysicalDeviceDescriptorHeapPropertiesEXT) {
    for bytes in [
        &mut p.sampler_heap_alignment,
        &mut p.resource_heap_alignment,
        &mut p.sampler_descriptor_size,
        &mut p.image_descriptor_size,
        &mut p.buffer_descriptor_size,
        &mut p.sampler_descriptor_alignment,
        &mut p.image_descriptor_alignment,
        &mut p.buffer_descriptor_alignment,
    ] {
        *bytes = DESCRIPTOR_BYTES as u64;
    }
    (p.max_sampler_heap_size, p.max_resource_heap_size) = (MAX_HEAP, MAX_HEAP);
    p.max_push_data_size = LIMITS.max_push_constants_size.into();
    p.max_descriptor_heap_embedded_samplers = LIMITS.max_per_stage_descriptor_samplers;
    p.sampler_ycbcr_conversion_count = 1;
    p.sparse_descriptor_heaps = vk::TRUE;
}

/// VkPhysicalDeviceLimits. Limits of unsupported features are zero.
pub fn limits() -> vk::PhysicalDeviceLimits {
    let l = &LIMITS;
    let counts = vk::SampleCountFlags::from_raw(l.sample_counts);
    let tessellation = |limit: u32| if FEATURES.tessellation_shader { limit } else { 0 };
    let geometry = |limit: u32| if FEATURES.geometry_shader { limit } else { 0 };
    vk::PhysicalDeviceLimits {
        max_image_dimension1_d: l.max_image_dimension_1d,
        max_image_dimension2_d: l.max_image_dimension_2d,
        max_image_dimension3_d: l.max_image_dimension_3d,
        max_image_dimension_cube: l.max_image_dimension_cube,
        max_image_array_layers: l.max_image_array_layers,
        max_texel_buffer_elements: l.max_texel_buffer_elements,
        max_uniform_buffer_range: l.max_uniform_buffer_range,
        max_storage_buffer_range: l.max_storage_buffer_range,
        max_push_constants_size: l.max_push_constants_size,
        max_memory_allocation_count: l.max_memory_allocation_count,
        max_sampler_allocation_count: l.max_sampler_allocation_count,
        buffer_image_granularity: l.buffer_image_granularity,
        sparse_address_space_size: SPARSE_ADDRESS_SPACE,
        max_bound_descriptor_sets: l.max_bound_descriptor_sets,
        max_per_stage_descriptor_samplers: l.max_per_stage_descriptor_samplers,
        max_per_stage_descriptor_uniform_buffers: l.max_per_stage_descriptor_uniform_buffers,
        max_per_stage_descriptor_storage_buffers: l.max_per_stage_descriptor_storage_buffers,
        max_per_stage_descriptor_sampled_images: l.max_per_stage_descriptor_sampled_images,
        max_per_stage_descriptor_storage_images: l.max_per_stage_descriptor_storage_images,
        max_per_stage_descriptor_input_attachments: l.max_per_stage_descriptor_input_attachments,
        max_per_stage_resources: l.max_per_stage_resources,
        max_descriptor_set_samplers: l.max_per_stage_descriptor_samplers,
        max_descriptor_set_uniform_buffers: l.max_per_stage_descriptor_uniform_buffers,
        max_descriptor_set_uniform_buffers_dynamic: l.max_descriptor_set_uniform_buffers_dynamic,
        max_descriptor_set_storage_buffers: l.max_per_stage_descriptor_storage_buffers,
        max_descriptor_set_storage_buffers_dynamic: l.max_descriptor_set_storage_buffers_dynamic,
        max_descriptor_set_sampled_images: l.max_per_stage_descriptor_sampled_images,
        max_descriptor_set_storage_images: l.max_per_stage_descriptor_storage_images,
        max_descriptor_set_input_attachments: l.max_per_stage_descriptor_input_attachments,
        max_vertex_input_attributes: l.max_vertex_input_attributes,
        max_vertex_input_bindings: l.max_vertex_input_bindings,
        max_vertex_input_attribute_offset: l.max_vertex_input_attribute_offset,
        max_vertex_input_binding_stride: l.max_vertex_input_binding_stride,
        max_vertex_output_components: l.max_vertex_output_components,
        max_tessellation_generation_level: tessellation(l.max_tessellation_generation_level),
        max_tessellation_patch_size: tessellation(l.max_tessellation_patch_size),
        max_tessellation_control_per_vertex_input_components: tessellation(
            l.max_tessellation_control_per_vertex_input_components,
        ),
        max_tessellation_control_per_vertex_output_components: tessellation(
            l.max_tessellation_control_per_vertex_output_components,
        ),
        max_tessellation_control_per_patch_output_components: tessellation(
            l.max_tessellation_control_per_patch_output_components,
        ),
        max_tessellation_control_total_output_components: tessellation(
            l.max_tessellation_control_total_output_components,
        ),
        max_tessellation_evaluation_input_components: tessellation(
            l.max_tessellation_evaluation_input_components,
        ),
        max_tessellation_evaluation_output_components: tessellation(
            l.max_tessellation_evaluation_output_components,
        ),
        max_geometry_shader_invocations: geometry(l.max_geometry_shader_invocations),
        max_geometry_input_components: geometry(l.max_geometry_input_components),
        max_geometry_output_components: geometry(l.max_geometry_output_components),
        max_geometry_output_vertices: geometry(l.max_geometry_output_vertices),
        max_geometry_total_output_components: geometry(l.max_geometry_total_output_components),
        max_fragment_input_components: l.max_fragment_input_components,
        max_fragment_output_attachments: l.max_fragment_output_attachments,
        max_fragment_dual_src_attachments: 1,
        max_fragment_combined_output_resources: l.max_per_stage_resources,
        max_compute_shared_memory_size: l.max_compute_shared_memory_size,
        max_compute_work_group_count: l.max_compute_work_group_count,
        max_compute_work_group_invocations: l.max_compute_work_group_invocations,
        max_compute_work_group_size: l.max_compute_work_group_size,
        sub_pixel_precision_bits: l.sub_pixel_precision_bits,
        min_interpolation_offset: l.interpolation_offset_range[0],
        max_interpolation_offset: l.interpolation_offset_range[1],
        sub_pixel_interpolation_offset_bits: l.sub_pixel_interpolation_offset_bits,
        sub_texel_precision_bits: l.sub_texel_precision_bits,
        mipmap_precision_bits: l.mipmap_precision_bits,
        max_draw_indexed_index_value: l.max_draw_indexed_index_value,
        max_draw_indirect_count: l.max_draw_indirect_count,
        max_sampler_lod_bias: l.max_sampler_lod_bias,
        max_sampler_anisotropy: l.max_sampler_anisotropy,
        max_viewports: if FEATURES.multi_viewport { l.max_viewports } else { 1 },
        max_viewport_dimensions: l.max_viewport_dimensions,
        viewport_bounds_range: l.viewport_bounds_range,
        viewport_sub_pixel_bits: 0,
        min_memory_map_alignment: l.min_memory_map_alignment as usize,
        min_texel_buffer_offset_alignment: l.min_texel_buffer_offset_alignment.into(),
        min_uniform_buffer_offset_alignment: l.min_uniform_buffer_offset_alignment.into(),
        min_storage_buffer_offset_alignment: l.min_storage_buffer_offset_alignment.into(),
        min_texel_offset: l.min_texel_offset,
        max_texel_offset: l.max_texel_offset as u32,
        min_texel_gather_offset: l.min_texel_gather_offset,
        max_texel_gather_offset: l.max_texel_gather_offset as u32,
        max_framebuffer_width: l.max_framebuffer_size,
        max_framebuffer_height: l.max_framebuffer_size,
        max_framebuffer_layers: l.max_framebuffer_layers,
        framebuffer_color_sample_counts: counts,
        framebuffer_depth_sample_counts: counts,
        framebuffer_stencil_sample_counts: counts,
        framebuffer_no_attachments_sample_counts: counts,
        max_color_attachments: l.max_color_attachments,
        sampled_image_color_sample_counts: counts,
        sampled_image_integer_sample_counts: counts,
        sampled_image_depth_sample_counts: counts,
        sampled_image_stencil_sample_counts: counts,
        storage_image_sample_counts: counts,
        max_sample_mask_words: 1,
        timestamp_compute_and_graphics: vk::TRUE,
        timestamp_period: l.timestamp_period,
        max_clip_distances: if FEATURES.shader_clip_distance { l.max_clip_distances } else { 0 },
        max_cull_distances: if FEATURES.shader_cull_distance { l.max_cull_distances } else { 0 },
        max_combined_clip_and_cull_distances: l.max_combined_clip_and_cull_distances,
        discrete_queue_priorities: 2,
        point_size_range: l.point_size_range,
        line_width_range: l.line_width_range,
        point_size_granularity: if FEATURES.large_points { l.point_size_granularity } else { 0.0 },
        line_width_granularity: if FEATURES.wide_lines { l.line_width_granularity } else { 0.0 },
        strict_lines: FEATURES.line_rasterization.into(),
        standard_sample_locations: vk::TRUE,
        optimal_buffer_copy_offset_alignment: ATOM,
        optimal_buffer_copy_row_pitch_alignment: ATOM,
        non_coherent_atom_size: ATOM,
    }
}
