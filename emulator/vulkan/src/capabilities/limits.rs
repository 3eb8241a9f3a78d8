//! Limits: the rows of the device library in the form of Vulkan's structures, and limits that only the driver has.

use ash::vk;
use quadrille::DESCRIPTOR_BYTES;
use quadrille::limits::{FEATURES, LIMITS};

use crate::interface::chain::Link;
use crate::newer::PhysicalDeviceDescriptorHeapPropertiesEXT;

/// Structures of the bindings, and newer ones.
mod structures {
    pub use ash::vk::*;

    pub use crate::newer::*;
}

/// Number of valid bits of timestamps.
pub const TIMESTAMP_BITS: u32 = 64;
/// Greatest total size of sparse resources, in bytes; 0 if the host has none.
const SPARSE_ADDRESS_SPACE: u64 = if FEATURES.sparse_binding { 1 << 40 } else { 0 };
/// Greatest number of faults that are kept until the application reads them.
pub const MAX_FAULTS: u32 = 64;
/// Alignment of host memory that can be imported, in bytes.
pub const HOST_ALIGNMENT: u64 = 4096;
/// Alignment of mapped ranges that are flushed, in bytes.
const ATOM: u64 = 64;

/// Least greatest size of an allocation, in bytes. Spec: Vulkan, "Required Limits", `maxMemoryAllocationSize`.
const LEAST_MAX_ALLOCATION: u64 = 1 << 30;

/// Greatest size of an allocation, in bytes.
pub fn max_allocation() -> u64 {
    max_allocation_in(crate::capabilities::heap::size())
}

/// Greatest size of an allocation in a heap of this size, in bytes. A smaller heap than the least limit is a limit of its
/// own: allocations above it fail.
fn max_allocation_in(heap: u64) -> u64 {
    LIMITS.max_memory_allocation_size.min(heap.max(LEAST_MAX_ALLOCATION))
}

/// All supported stages, all of which have subgroup operations.
pub fn stages() -> vk::ShaderStageFlags {
    vk::ShaderStageFlags::COMPUTE | graphics_stages() | ray_stages()
}

/// Stages of ray tracing pipelines.
pub fn ray_stages() -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as Flags;
    Flags::RAYGEN_KHR
        | Flags::ANY_HIT_KHR
        | Flags::CLOSEST_HIT_KHR
        | Flags::MISS_KHR
        | Flags::INTERSECTION_KHR
        | Flags::CALLABLE_KHR
}

/// Stages that generated commands can bind as shader objects.
pub fn generated_shader_stages() -> vk::ShaderStageFlags {
    vk::ShaderStageFlags::COMPUTE | graphics_stages()
}

/// Stages that generated commands can run, and bind as pipelines.
pub fn generated_stages() -> vk::ShaderStageFlags {
    generated_shader_stages() | ray_stages()
}

/// Stages of graphics pipelines.
pub fn graphics_stages() -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as Flags;
    Flags::VERTEX
        | Flags::TESSELLATION_CONTROL
        | Flags::TESSELLATION_EVALUATION
        | Flags::GEOMETRY
        | Flags::TASK_EXT
        | Flags::MESH_EXT
        | Flags::FRAGMENT
}

/// Supported classes of subgroup operations.
pub fn subgroup_operations() -> vk::SubgroupFeatureFlags {
    use vk::SubgroupFeatureFlags as Kind;
    Kind::BASIC
        | Kind::VOTE
        | Kind::ARITHMETIC
        | Kind::BALLOT
        | Kind::SHUFFLE
        | Kind::SHUFFLE_RELATIVE
        | Kind::CLUSTERED
        | Kind::QUAD
        | Kind::ROTATE_KHR
        | Kind::ROTATE_CLUSTERED_KHR
        | Kind::PARTITIONED_NV
}

/// Other properties of VkPhysicalDeviceMeshShaderPropertiesEXT.
pub fn mesh_shaders(p: &mut vk::PhysicalDeviceMeshShaderPropertiesEXT<'_>) {
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
    vk::SampleCountFlags::from_raw(LIMITS.sample_counts & !1)
}

/// VkPhysicalDeviceSampleLocationsPropertiesEXT.
pub fn sample_locations(p: &mut vk::PhysicalDeviceSampleLocationsPropertiesEXT<'_>) {
    p.sample_location_sample_counts = movable_samples();
    p.max_sample_location_grid_size = vk::Extent2D { width: 1, height: 1 };
    p.sample_location_coordinate_range = [0.0, 15.0 / 16.0];
    p.sample_location_sub_pixel_bits = 4;
    p.variable_sample_locations = vk::TRUE;
}

/// Other properties of VkPhysicalDeviceConservativeRasterizationPropertiesEXT.
pub fn conservative(p: &mut vk::PhysicalDeviceConservativeRasterizationPropertiesEXT<'_>) {
    // Exactly the pixels that a polygon touches are covered, and sizes have the precision of positions.
    p.primitive_overestimation_size = 0.0;
    p.extra_primitive_overestimation_size_granularity = 1.0 / (1 << LIMITS.sub_pixel_precision_bits) as f32;
    p.primitive_underestimation = vk::TRUE;
    p.conservative_point_and_line_rasterization = vk::FALSE;
    p.degenerate_triangles_rasterized = vk::FALSE;
    p.degenerate_lines_rasterized = vk::FALSE;
    p.fully_covered_fragment_shader_input_variable = vk::FALSE;
    p.conservative_rasterization_post_depth_coverage = vk::TRUE;
}

/// Other properties of VkPhysicalDeviceFragmentShadingRatePropertiesKHR.
pub fn shading_rates(p: &mut vk::PhysicalDeviceFragmentShadingRatePropertiesKHR<'_>) {
    let [least, most] = LIMITS.shading_rate_texel_size;
    let samples = 1 << LIMITS.sample_counts.ilog2();
    p.max_fragment_shading_rate_attachment_texel_size_aspect_ratio = most / least;
    p.primitive_fragment_shading_rate_with_multiple_viewports = vk::TRUE;
    p.layered_shading_rate_attachments = vk::TRUE;
    p.fragment_shading_rate_non_trivial_combiner_ops = vk::TRUE;
    p.max_fragment_shading_rate_rasterization_samples = vk::SampleCountFlags::from_raw(samples);
    p.fragment_shading_rate_with_shader_depth_stencil_writes = vk::TRUE;
    p.fragment_shading_rate_with_sample_mask = vk::TRUE;
    p.fragment_shading_rate_with_shader_sample_mask = vk::TRUE;
    p.fragment_shading_rate_with_conservative_rasterization = vk::TRUE;
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

/// Other properties of VkPhysicalDeviceDescriptorBufferPropertiesEXT.
pub fn descriptor_buffers(p: &mut vk::PhysicalDeviceDescriptorBufferPropertiesEXT<'_>) {
    p.combined_image_sampler_descriptor_single_array = vk::TRUE;
    p.bufferless_push_descriptors = vk::TRUE;
    p.allow_sampler_image_view_post_submit_creation = vk::TRUE;
    p.descriptor_buffer_offset_alignment = DESCRIPTOR_BYTES as u64;
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
        &mut p.acceleration_structure_descriptor_size,
    ] {
        *size = DESCRIPTOR_BYTES;
    }
}

/// Other properties of VkPhysicalDeviceFragmentDensityMap2PropertiesEXT: subsampled images are stored like others, so that
/// load operations keep their contents.
pub fn density_maps2(p: &mut vk::PhysicalDeviceFragmentDensityMap2PropertiesEXT<'_>) {
    p.subsampled_loads = vk::TRUE;
    p.subsampled_coarse_reconstruction_early_access = vk::FALSE;
}

/// Alignments that applications may ask of images: those of pages of up to 64 KiB. Every image has a lesser one.
pub const IMAGE_ALIGNMENTS: u32 = (2 << 16) - (1 << 12);

/// Greatest size of a descriptor heap, in bytes.
const MAX_HEAP: u64 = 1 << 30;

// All samplers of a heap may differ, beside the embedded ones of a pipeline and the sampler objects.
const _: () = assert!(
    MAX_HEAP / DESCRIPTOR_BYTES as u64
        + LIMITS.max_per_stage_descriptor_samplers as u64
        + LIMITS.max_sampler_allocation_count as u64
        <= LIMITS.max_sampler_states as u64
);

/// Other properties of VkPhysicalDeviceDescriptorHeapPropertiesEXT.
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
    p.sampler_ycbcr_conversion_count = 1;
    p.sparse_descriptor_heaps = vk::TRUE;
    // The driver reserves nothing of a heap, captures no images, and has no protected memory.
    for bytes in [
        &mut p.min_sampler_heap_reserved_range,
        &mut p.min_sampler_heap_reserved_range_with_embedded,
        &mut p.min_resource_heap_reserved_range,
    ] {
        *bytes = 0;
    }
    p.image_capture_replay_opaque_data_size = 0;
    p.protected_descriptor_heaps = vk::FALSE;
}

/// Conversion of a limit to the type of a member that it answers.
trait Answer<T> {
    fn answer(self) -> T;
}

macro_rules! answers {
    ($($from:ty => $to:ty: $convert:expr;)*) => {$(
        impl Answer<$to> for $from {
            fn answer(self) -> $to {
                let convert: fn($from) -> $to = $convert;
                convert(self)
            }
        }
    )*};
}

answers! {
    u32 => u32: |limit| limit;
    i32 => i32: |limit| limit;
    // Greatest offsets are positive.
    i32 => u32: i32::cast_unsigned;
    f32 => f32: |limit| limit;
    u64 => u64: |limit| limit;
    u32 => u64: u64::from;
    u32 => usize: |limit| limit as usize;
    [u32; 2] => [u32; 2]: |limit| limit;
    [u32; 3] => [u32; 3]: |limit| limit;
    [f32; 2] => [f32; 2]: |limit| limit;
    u32 => vk::Extent2D: |side| vk::Extent2D { width: side, height: side };
    u32 => vk::SampleCountFlags: vk::SampleCountFlags::from_raw;
}

/// Defines functions over the rows of the device library.
macro_rules! device {
    ($($(#[$d:meta])* $name:ident: $ty:ty = $v:expr
        $(=> $([$($core:ident $([$i:literal])?),* $(,)?])?
        $({ $($structure:ident { $($member:ident $([$j:literal])?),* $(,)? })* })?)?;)*
    ) => {
        /// VkPhysicalDeviceLimits.
        pub fn limits() -> vk::PhysicalDeviceLimits {
            vk::PhysicalDeviceLimits {
                $($($($($core: LIMITS.$name$([$i])?.answer(),)*)?)?)*
                sparse_address_space_size: SPARSE_ADDRESS_SPACE,
                max_fragment_dual_src_attachments: 1,
                viewport_sub_pixel_bits: 0,
                max_sample_mask_words: 1,
                timestamp_compute_and_graphics: vk::TRUE,
                discrete_queue_priorities: 2,
                strict_lines: vk::TRUE,
                standard_sample_locations: vk::TRUE,
                optimal_buffer_copy_offset_alignment: ATOM,
                optimal_buffer_copy_row_pitch_alignment: ATOM,
                non_coherent_atom_size: ATOM,
            }
        }

        /// Fills the limits of the device in one structure of the chain of VkPhysicalDeviceProperties2.
        pub fn extended(link: &mut Link) {
            $($($($(if let Some(p) = link.fill::<structures::$structure>() {
                $(p.$member = LIMITS.$name$([$j])?.answer();)*
            })*)?)?)*
        }
    };
}

quadrille::limit_rows!(device);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_have_at_least_the_required_limit() {
        let limits = [0, 1 << 29, 1 << 33, u64::MAX].map(max_allocation_in);
        assert_eq!(limits, [1 << 30, 1 << 30, 1 << 33, LIMITS.max_memory_allocation_size]);
    }
}
