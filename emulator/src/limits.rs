//! Features and limits of the device, in one table: each row answers queries and is used in checks.
//!
//! A feature is true only if everything that it promises works. A limit has the value that the code checks.

use quadrille_jit::{abi, ir};
use quadrille_raster::{image, limits as raster};

use crate::error::{Error, Result};

macro_rules! limits {
    ($($(#[$d:meta])* $name:ident: $ty:ty = $v:expr;)*) => {
        /// Limits of the device. Spec: Vulkan, "Limits".
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Limits { $($(#[$d])* pub $name: $ty,)* }

        /// Limits of every device.
        pub const LIMITS: Limits = Limits { $($name: $v,)* };

        impl Limits {
            /// Name and value of each row, in table order.
            pub fn rows(&self) -> Vec<(&'static str, String)> {
                vec![$((stringify!($name), format!("{:?}", self.$name)),)*]
            }
        }
    };
}

macro_rules! features {
    ($($(#[$d:meta])* $name:ident = $v:expr;)*) => {
        /// Features of the device. Spec: Vulkan, "Features".
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Features { $($(#[$d])* pub $name: bool,)* }

        /// Features of every device.
        pub const FEATURES: Features = Features { $($name: $v,)* };

        impl Features {
            /// Name and value of each row, in table order.
            pub fn rows(&self) -> Vec<(&'static str, bool)> {
                vec![$((stringify!($name), self.$name),)*]
            }
        }
    };
}

/// Sample counts that the rasterizer supports, one bit per count.
const SAMPLE_COUNTS: u32 = {
    let (mut all, mut bit) = (0, 1);
    while bit <= 64 {
        if quadrille_raster::samples::offered(bit) {
            all |= bit;
        }
        bit <<= 1;
    }
    all
};

limits! {
    /// Greatest width of a 1D image, in texels.
    max_image_dimension_1d: u32 = image::MAX_DIMENSION_2D;
    /// Greatest width and height of a 2D image, in texels.
    max_image_dimension_2d: u32 = image::MAX_DIMENSION_2D;
    /// Greatest width, height and depth of a 3D image, in texels.
    max_image_dimension_3d: u32 = image::MAX_DIMENSION_3D;
    /// Greatest width and height of a cube image, in texels.
    max_image_dimension_cube: u32 = image::MAX_DIMENSION_2D;
    /// Greatest number of array layers of an image.
    max_image_array_layers: u32 = image::MAX_LAYERS;
    /// Greatest width and height of a fragment, in pixels.
    max_fragment_size: u32 = raster::MAX_FRAGMENT_PX;
    /// Greatest number of samples of a fragment of several pixels, summed over its pixels.
    max_fragment_coverage_samples: u32 = raster::MAX_COVERAGE_SAMPLES;
    /// Least and greatest width and height of the area that a texel of a shading rate attachment covers, in pixels.
    shading_rate_texel_size: [u32; 2] = [raster::MIN_RATE_TEXEL_PX, raster::MAX_RATE_TEXEL_PX];
    /// Greatest number of texels of a texel buffer.
    max_texel_buffer_elements: u32 = image::MAX_TEXEL_BUFFER_ELEMENTS;
    /// Greatest size of a uniform buffer range, in bytes.
    max_uniform_buffer_range: u32 = 1 << 26;
    /// Greatest size of a storage buffer range, in bytes.
    max_storage_buffer_range: u32 = 1 << 31;
    /// Greatest size of push constants, in bytes.
    max_push_constants_size: u32 = abi::PUSH_BYTES as u32;
    /// Greatest number of memory allocations at the same time.
    max_memory_allocation_count: u32 = 1 << 20;
    /// Greatest number of samplers at the same time.
    max_sampler_allocation_count: u32 = 4000;
    /// Greatest number of different sampler states at the same time (number 0 means none).
    max_sampler_states: u32 = abi::MAX_SAMPLERS as u32 - 1;
    /// Greatest size of one memory allocation, in bytes.
    max_memory_allocation_size: u64 = 1 << 38;
    /// Greatest size of a buffer, in bytes.
    max_buffer_size: u64 = 1 << 38;
    /// Granularity between linear and optimal resources, in bytes.
    buffer_image_granularity: u64 = 1;
    /// Greatest number of descriptor sets bound at the same time.
    max_bound_descriptor_sets: u32 = abi::MAX_SETS as u32;
    /// Greatest number of samplers that a stage can use.
    max_per_stage_descriptor_samplers: u32 = 1 << 20;
    /// Greatest number of uniform buffers that a stage can use.
    max_per_stage_descriptor_uniform_buffers: u32 = 1 << 20;
    /// Greatest number of storage buffers that a stage can use.
    max_per_stage_descriptor_storage_buffers: u32 = 1 << 20;
    /// Greatest number of sampled images that a stage can use.
    max_per_stage_descriptor_sampled_images: u32 = 1 << 20;
    /// Greatest number of storage images that a stage can use.
    max_per_stage_descriptor_storage_images: u32 = 1 << 20;
    /// Greatest number of input attachments that a stage can use.
    max_per_stage_descriptor_input_attachments: u32 = 1 << 20;
    /// Greatest number of resources that a stage can use.
    max_per_stage_resources: u32 = 1 << 20;
    /// Greatest number of descriptors in a set.
    max_descriptors_per_set: u32 = 1 << 20;
    /// Greatest number of dynamic uniform buffers in a pipeline layout.
    max_descriptor_set_uniform_buffers_dynamic: u32 = 16;
    /// Greatest number of dynamic storage buffers in a pipeline layout.
    max_descriptor_set_storage_buffers_dynamic: u32 = 16;
    /// Greatest number of vertex attributes.
    max_vertex_input_attributes: u32 = raster::MAX_VERTEX_ATTRIBUTES as u32;
    /// Greatest number of vertex buffer bindings.
    max_vertex_input_bindings: u32 = raster::MAX_VERTEX_BINDINGS as u32;
    /// Greatest offset of a vertex attribute, in bytes.
    max_vertex_input_attribute_offset: u32 = 4095;
    /// Greatest stride of a vertex buffer, in bytes.
    max_vertex_input_binding_stride: u32 = 8192;
    /// Greatest number of scalars that the vertex stage can output.
    max_vertex_output_components: u32 = 128;
    /// Greatest tessellation level; higher levels are clamped to it.
    max_tessellation_generation_level: u32 = 64;
    /// Greatest number of vertices of a patch, before and after the control stage.
    max_tessellation_patch_size: u32 = ir::MAX_PATCH_VERTICES;
    /// Greatest number of scalars that the control stage can read per input vertex.
    max_tessellation_control_per_vertex_input_components: u32 = 128;
    /// Greatest number of scalars that the control stage can output per vertex.
    max_tessellation_control_per_vertex_output_components: u32 = 128;
    /// Greatest number of scalars that the control stage can output per patch.
    max_tessellation_control_per_patch_output_components: u32 = 120;
    /// Greatest number of scalars that the control stage can output for a patch and all of its vertices.
    max_tessellation_control_total_output_components: u32 = 4216;
    /// Greatest number of scalars that the evaluation stage can read per vertex.
    max_tessellation_evaluation_input_components: u32 = 128;
    /// Greatest number of scalars that the evaluation stage can output.
    max_tessellation_evaluation_output_components: u32 = 128;
    /// Greatest number of invocations of the geometry stage per primitive.
    max_geometry_shader_invocations: u32 = ir::MAX_GEOMETRY_INVOCATIONS;
    /// Greatest number of scalars that the geometry stage can read per vertex.
    max_geometry_input_components: u32 = 128;
    /// Greatest number of scalars that the geometry stage can output per vertex.
    max_geometry_output_components: u32 = 128;
    /// Greatest number of vertices that an invocation of the geometry stage can emit.
    max_geometry_output_vertices: u32 = ir::MAX_GEOMETRY_VERTICES;
    /// Greatest number of scalars of all vertices that an invocation of the geometry stage can emit.
    max_geometry_total_output_components: u32 = 1024;
    /// Number of vertex streams of the geometry stage.
    max_transform_feedback_streams: u32 = ir::MAX_STREAMS as u32;
    /// Number of transform feedback buffers.
    max_transform_feedback_buffers: u32 = ir::MAX_STREAMS as u32;
    /// Greatest size of a transform feedback buffer, in bytes; further bytes are not used.
    max_transform_feedback_buffer_size: u64 = u32::MAX as u64;
    /// Greatest size of the captured data of a vertex of one stream, in bytes.
    max_transform_feedback_stream_data_size: u32 = 2048;
    /// Greatest size of the captured data of a vertex in one buffer, in bytes.
    max_transform_feedback_buffer_data_size: u32 = 512;
    /// Greatest stride between vertices in a transform feedback buffer, in bytes.
    max_transform_feedback_buffer_data_stride: u32 = 2048;
    /// Greatest number of scalars that the fragment stage can read.
    max_fragment_input_components: u32 = 128;
    /// Greatest number of colour outputs of the fragment stage.
    max_fragment_output_attachments: u32 = raster::MAX_COLOR_TARGETS as u32;
    /// Greatest number of colour attachments.
    max_color_attachments: u32 = raster::MAX_COLOR_TARGETS as u32;
    /// Greatest size of the workgroup memory of a compute shader, in bytes.
    max_compute_shared_memory_size: u32 = 65536;
    /// Greatest number of workgroups of a dispatch, per axis.
    max_compute_work_group_count: [u32; 3] = [(1 << 22) - 1, 65535, 65535];
    /// Greatest number of invocations of a workgroup.
    max_compute_work_group_invocations: u32 = 1024;
    /// Greatest number of invocations of a workgroup, per axis.
    max_compute_work_group_size: [u32; 3] = [1024, 1024, 1024];
    /// Greatest number of task shader workgroups in a draw.
    max_task_work_group_total_count: u32 = raster::MAX_MESH_GROUPS;
    /// Greatest number of task shader workgroups in a draw, per axis.
    max_task_work_group_count: [u32; 3] = [65535; 3];
    /// Greatest number of invocations of a task shader workgroup.
    max_task_work_group_invocations: u32 = 1024;
    /// Greatest number of invocations of a task shader workgroup, per axis.
    max_task_work_group_size: [u32; 3] = [1024; 3];
    /// Greatest size of the payload that a task shader passes to its mesh shaders, in bytes.
    max_task_payload_size: u32 = ir::MAX_PAYLOAD_BYTES;
    /// Greatest size of the workgroup memory of a task shader, in bytes.
    max_task_shared_memory_size: u32 = 32768;
    /// Greatest size of payload and workgroup memory of a task shader, in bytes.
    max_task_payload_and_shared_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768;
    /// Greatest number of mesh shader workgroups in a draw, or launched by one task shader workgroup.
    max_mesh_work_group_total_count: u32 = raster::MAX_MESH_GROUPS;
    /// Greatest number of mesh shader workgroups in a draw, or launched by one task shader workgroup, per axis.
    max_mesh_work_group_count: [u32; 3] = [65535; 3];
    /// Greatest number of invocations of a mesh shader workgroup.
    max_mesh_work_group_invocations: u32 = 1024;
    /// Greatest number of invocations of a mesh shader workgroup, per axis.
    max_mesh_work_group_size: [u32; 3] = [1024; 3];
    /// Greatest size of the workgroup memory of a mesh shader, in bytes.
    max_mesh_shared_memory_size: u32 = 32768;
    /// Greatest size of payload and workgroup memory of a mesh shader, in bytes.
    max_mesh_payload_and_shared_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768;
    /// Greatest size of the outputs of a mesh shader workgroup without indices, in bytes.
    max_mesh_output_memory_size: u32 = 32768;
    /// Greatest size of payload and outputs of a mesh shader, in bytes.
    max_mesh_payload_and_output_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768;
    /// Greatest number of scalars that a mesh shader can output per vertex and per primitive, together.
    max_mesh_output_components: u32 = 128;
    /// Greatest number of vertices that a mesh shader workgroup can output.
    max_mesh_output_vertices: u32 = ir::MAX_MESH_OUTPUTS;
    /// Greatest number of primitives that a mesh shader workgroup can output.
    max_mesh_output_primitives: u32 = ir::MAX_MESH_OUTPUTS;
    /// Greatest number of views of a render pass.
    max_multiview_view_count: u32 = 6;
    /// Fractional bits of framebuffer coordinates.
    sub_pixel_precision_bits: u32 = raster::SUBPIXEL_BITS;
    /// Least and greatest offset of `interpolateAtOffset`, in pixels.
    interpolation_offset_range: [f32; 2] = [-0.5, 0.4375];
    /// Fractional bits that an `interpolateAtOffset` offset has at least; every float offset is used unrounded.
    sub_pixel_interpolation_offset_bits: u32 = 4;
    /// Fractional bits of the weights of linear filters.
    sub_texel_precision_bits: u32 = 8;
    /// Fractional bits of the level of detail in mip filtering.
    mipmap_precision_bits: u32 = 8;
    /// Supported sample counts of images and attachments, one bit per count.
    sample_counts: u32 = SAMPLE_COUNTS;
    /// Largest index of an indexed draw.
    max_draw_indexed_index_value: u32 = u32::MAX;
    /// Greatest number of draws of one indirect command.
    max_draw_indirect_count: u32 = u32::MAX;
    /// Greatest absolute level-of-detail bias.
    max_sampler_lod_bias: f32 = quadrille_raster::sampling::MAX_SAMPLER_LOD_BIAS;
    /// Greatest anisotropy.
    max_sampler_anisotropy: f32 = quadrille_raster::sampling::MAX_SAMPLER_ANISOTROPY;
    /// Greatest number of viewports.
    max_viewports: u32 = raster::MAX_VIEWPORTS as u32;
    /// Greatest width and height of a viewport.
    max_viewport_dimensions: [u32; 2] = [16384; 2];
    /// Range of viewport coordinates.
    viewport_bounds_range: [f32; 2] = [-32768.0, 32767.0];
    /// Greatest width and height of a framebuffer, in pixels.
    max_framebuffer_size: u32 = raster::MAX_FRAMEBUFFER_PX;
    /// Greatest number of layers of a framebuffer.
    max_framebuffer_layers: u32 = 2048;
    /// Alignment of mapped memory, in bytes.
    min_memory_map_alignment: u32 = 64;
    /// Alignment of uniform buffer offsets, in bytes.
    min_uniform_buffer_offset_alignment: u32 = 16;
    /// Alignment of storage buffer offsets, in bytes.
    min_storage_buffer_offset_alignment: u32 = 16;
    /// Alignment of texel buffer offsets, in bytes.
    min_texel_buffer_offset_alignment: u32 = 16;
    /// Least offset of a texel fetch.
    min_texel_offset: i32 = -8;
    /// Greatest offset of a texel fetch.
    max_texel_offset: i32 = 7;
    /// Least offset of a gather.
    min_texel_gather_offset: i32 = -32;
    /// Greatest offset of a gather.
    max_texel_gather_offset: i32 = 31;
    /// Greatest number of samplers with a custom border colour at the same time.
    max_custom_border_color_samplers: u32 = 4000;
    /// Greatest number of clip distances.
    max_clip_distances: u32 = 8;
    /// Greatest number of cull distances.
    max_cull_distances: u32 = 8;
    /// Greatest number of clip and cull distances together.
    max_combined_clip_and_cull_distances: u32 = 8;
    /// Nanoseconds per tick of a timestamp.
    timestamp_period: f32 = 1.0;
    /// Least and greatest point size.
    point_size_range: [f32; 2] = [1.0, raster::MAX_POINT_SIZE];
    /// Step between point sizes.
    point_size_granularity: f32 = 1.0 / (1 << raster::SUBPIXEL_BITS) as f32;
    /// Least and greatest line width.
    line_width_range: [f32; 2] = [1.0, raster::MAX_LINE_WIDTH];
    /// Step between line widths.
    line_width_granularity: f32 = 1.0 / (1 << raster::SUBPIXEL_BITS) as f32;
    /// Fractional bits of positions along a stippled rectangular line.
    line_sub_pixel_precision_bits: u32 = raster::SUBPIXEL_BITS;
    /// Greatest number of draws of one multi-draw command.
    max_multi_draw_count: u32 = 1 << 20;
    /// Greatest size of an inline uniform block, in bytes.
    max_inline_uniform_block_size: u32 = 4096;
    /// Greatest number of push descriptors.
    max_push_descriptors: u32 = 32;
    /// Greatest nesting depth of secondary command buffers.
    max_command_buffer_nesting_level: u32 = 64;
    /// Greatest number of commands in a command buffer; commands of a secondary one count each time that it is
    /// executed.
    max_executed_commands: u64 = 1 << 28;
    /// Greatest number of sequences of generated commands.
    max_indirect_sequence_count: u32 = 1 << 20;
    /// Greatest number of tokens in a sequence.
    max_indirect_commands_token_count: u32 = 64;
    /// Greatest offset of a token in a sequence, in bytes.
    max_indirect_commands_token_offset: u32 = 2047;
    /// Greatest stride between sequences, in bytes.
    max_indirect_commands_stride: u32 = 2048;
    /// Greatest number of pipelines or shader objects in an execution set.
    max_indirect_executables: u32 = 1 << 16;
    /// Greatest size of one inline buffer update, in bytes.
    max_update_buffer_size: u64 = 65536;
}

features! {
    /// BC, ETC2, EAC and ASTC LDR formats.
    texture_compression = true;
    /// Accesses outside a buffer read zero and write nothing.
    robust_buffer_access = true;
    /// Accesses outside a buffer range, to the exact byte, read zero and write nothing.
    robust_buffer_access2 = true;
    /// Accesses outside an image read zero and write nothing.
    robust_image_access2 = true;
    /// Null descriptors read zero and write nothing.
    null_descriptor = true;
    /// 32-bit indices may have any value.
    full_draw_index_uint32 = true;
    /// Each attachment has its own blend state.
    independent_blend = true;
    /// More than one indirect draw per command.
    multi_draw_indirect = true;
    /// Indirect draws with a first instance other than 0.
    draw_indirect_first_instance = true;
    /// Depth clamping.
    depth_clamp = true;
    /// Lines and points instead of filled polygons.
    fill_mode_non_solid = true;
    /// Lines wider than a pixel.
    wide_lines = true;
    /// Strict rectangular, Bresenham and smooth lines, all with stipple.
    line_rasterization = true;
    /// Flat inputs come from the last vertex of a primitive.
    provoking_vertex_last = true;
    /// Primitive restart in list topologies.
    primitive_topology_list_restart = true;
    /// 8-bit indices.
    index_type_uint8 = true;
    /// Vertex attributes that advance every n instances, or never.
    vertex_attribute_divisor = true;
    /// Indirect draw counts that are read from a buffer.
    draw_indirect_count = true;
    /// Several draws in one command.
    multi_draw = true;
    /// The tessellation stages.
    tessellation_shader = true;
    /// The geometry stage.
    geometry_shader = true;
    /// PointSize as an output of the tessellation and geometry stages.
    shader_tessellation_and_geometry_point_size = true;
    /// Tessellation in multiview rendering.
    multiview_tessellation_shader = true;
    /// The geometry stage in multiview rendering.
    multiview_geometry_shader = true;
    /// Primitive restart in patch lists.
    primitive_topology_patch_list_restart = true;
    /// Task shaders.
    task_shader = true;
    /// Mesh shaders.
    mesh_shader = true;
    /// Mesh shaders in multiview rendering.
    multiview_mesh_shader = true;
    /// Queries of task and mesh shader statistics.
    mesh_shader_queries = true;
    /// Transform feedback: outputs of the last stage before rasterization are captured in buffers.
    transform_feedback = true;
    /// Several vertex streams of the geometry stage.
    geometry_streams = true;
    /// Queries of the primitives generated before rasterization.
    primitives_generated_query = true;
    /// Layer as an output of the vertex stage.
    shader_output_layer = true;
    /// ViewportIndex as an output of the vertex stage.
    shader_output_viewport_index = true;
    /// More than one viewport.
    multi_viewport = true;
    /// Sample shading.
    sample_rate_shading = true;
    /// Points larger than a pixel.
    large_points = true;
    /// Dual source blending.
    dual_src_blend = true;
    /// Logic operations.
    logic_op = true;
    /// Depth bounds test.
    depth_bounds = true;
    /// Alpha-to-one: the alpha of colours is replaced by one.
    alpha_to_one = true;
    /// Depth clipping independent of depth clamping.
    depth_clip_enable = true;
    /// A view volume with z from -w to w.
    depth_clip_control = true;
    /// A selectable representation of depth bias.
    depth_bias_control = true;
    /// 64-bit floats in shaders.
    shader_float64 = true;
    /// 64-bit integers in shaders.
    shader_int64 = true;
    /// 16-bit integers in shaders.
    shader_int16 = true;
    /// 8-bit integers in shaders.
    shader_int8 = true;
    /// 16-bit floats in shaders.
    shader_float16 = true;
    /// 16-bit types in storage and uniform buffers and push constants.
    storage_16bit = true;
    /// 16-bit types between stages.
    storage_input_output_16bit = true;
    /// 8-bit types in storage and uniform buffers and push constants.
    storage_8bit = true;
    /// Arrays of descriptors indexed by any dynamically uniform value.
    descriptor_dynamic_indexing = true;
    /// BaseVertex, BaseInstance and DrawIndex.
    shader_draw_parameters = true;
    /// Demotion of invocations to helper invocations.
    shader_demote_to_helper_invocation = true;
    /// Termination of invocations.
    shader_terminate_invocation = true;
    /// Integer dot products.
    shader_integer_dot_product = true;
    /// Pointers into storage buffers as values.
    variable_pointers_storage_buffer = true;
    /// Pointers into workgroup memory as values.
    variable_pointers = true;
    /// Pointers without a pointee type, except to private memory.
    shader_untyped_pointers = true;
    /// Device addresses of buffers, without capture and replay.
    buffer_device_address = true;
    /// Blocks in workgroup memory, also with 8- and 16-bit types.
    workgroup_memory_explicit_layout = true;
    /// Scalar alignment in uniform and storage buffers.
    scalar_block_layout = true;
    /// Storage buffer layouts in uniform buffers.
    uniform_buffer_standard_layout = true;
    /// The Vulkan memory model.
    vulkan_memory_model = true;
    /// Subgroup operations on 8-, 16- and 64-bit types.
    subgroup_extended_types = true;
    /// Initializers of workgroup memory.
    zero_initialize_workgroup_memory = true;
    /// Gathers with offsets that are not constant.
    shader_image_gather_extended = true;
    /// Reads of storage images of unknown format.
    storage_image_read_without_format = true;
    /// Writes to storage images of unknown format.
    storage_image_write_without_format = true;
    /// Minimum level of detail in shaders.
    shader_resource_min_lod = true;
    /// Storage images with several samples per texel.
    shader_storage_image_multisample = true;
    /// Anisotropic filters.
    sampler_anisotropy = true;
    /// Filters that return the minimum or the maximum of their texels.
    sampler_filter_minmax = true;
    /// Address mode MirrorClampToEdge.
    sampler_mirror_clamp_to_edge = true;
    /// Border colours of any value.
    custom_border_colors = true;
    /// Border colours are affected by the component mapping of the view.
    border_color_swizzle = true;
    /// Filters that stay on one face of a cube map.
    non_seamless_cube_map = true;
    /// Conversion of Y'CbCr images by samplers.
    sampler_ycbcr_conversion = true;
    /// A minimum level of detail per view.
    image_view_min_lod = true;
    /// Arrays of cube maps.
    image_cube_array = true;
    /// Accesses outside an image read zero or the border colour, and write nothing.
    robust_image_access = true;
    /// 64-bit integer atomics on buffers.
    shader_buffer_int64_atomics = true;
    /// 64-bit integer atomics on workgroup memory.
    shader_shared_int64_atomics = true;
    /// 32-bit float exchange, load, store and add on buffers and workgroup memory.
    shader_buffer_float32_atomics = true;
    /// 32-bit float exchange, load, store, add, minimum and maximum on images.
    shader_image_float32_atomics = true;
    /// 64-bit integer atomics on images.
    shader_image_int64_atomics = true;
    /// 64-bit float exchange, load, store and add on buffers and workgroup memory.
    shader_buffer_float64_atomics = true;
    /// 16-bit float exchange, load, store and add on buffers and workgroup memory.
    shader_buffer_float16_atomics = true;
    /// Minimum and maximum of floats of 16, 32 and 64 bits on buffers and workgroup memory.
    shader_float_min_max_atomics = true;
    /// Denormals, signed zeros, infinities and NaN are preserved; results are rounded to nearest even.
    shader_float_controls = true;
    /// Fast math modes per instruction. No optimization uses them.
    shader_float_controls2 = true;
    /// Rotations of the subgroup and of clusters.
    shader_subgroup_rotate = true;
    /// Subgroup operations on partitions of the subgroup, given as ballots.
    subgroup_partitioned = true;
    /// Diverged invocations reconverge where control flow becomes subgroup-uniform again.
    shader_subgroup_uniform_control_flow = true;
    /// Diverged invocations reconverge as early as structured control flow allows.
    shader_maximal_reconvergence = true;
    /// Votes in quads, full quads, and derivatives in quad-uniform control flow.
    shader_quad_control = true;
    /// Expect and assume instructions.
    shader_expect_assume = true;
    /// Composites that repeat one value.
    shader_replicated_composites = true;
    /// Clocks with subgroup and device scope.
    shader_clock = true;
    /// Fused multiply-add as an instruction.
    shader_fma = true;
    /// Extended instructions with forward references to ids.
    shader_relaxed_extended_instruction = true;
    /// Derivatives in compute shaders, with linear and with quad groups of invocations.
    compute_shader_derivatives = true;
    /// Residency codes.
    shader_resource_residency = true;
    /// Buffers and images to which memory is bound in pieces.
    sparse_binding = true;
    /// Sparse buffers, and sparse 2D and 3D images, with unbound pieces.
    sparse_residency = true;
    /// Memory that is bound to several places of sparse resources, with the same bytes everywhere.
    sparse_residency_aliased = true;
    /// Subgroup sizes requested by compute pipelines, and full subgroups.
    subgroup_size_control = true;
    /// Descriptor arrays without a size, partially bound, updated after binding, indexed by any value.
    descriptor_indexing = true;
    /// Queries of pipeline statistics.
    pipeline_statistics_query = true;
    /// Queries that stay active in secondary command buffers.
    inherited_queries = true;
    /// Draws with different sample counts in a subpass without attachments.
    variable_multisample_rate = true;
    /// Exact occlusion counts.
    occlusion_query_precise = true;
    /// Stores and atomics in vertex shaders.
    vertex_pipeline_stores_and_atomics = true;
    /// Stores and atomics in fragment shaders.
    fragment_stores_and_atomics = true;
    /// Programmable sample locations.
    sample_locations = true;
    /// Shading rate per draw.
    pipeline_fragment_shading_rate = true;
    /// Shading rate per primitive.
    primitive_fragment_shading_rate = true;
    /// Shading rate from an attachment.
    attachment_fragment_shading_rate = true;
    /// Multisampled rendering to attachments with one sample.
    multisampled_render_to_single_sampled = true;
    /// Barycentric coordinates, and inputs of each vertex, in fragment shaders.
    fragment_shader_barycentric = true;
    /// Ordered critical sections between fragment shader invocations of the same pixel.
    fragment_shader_interlock = true;
    /// Storage images of the formats that the specification lists for this feature.
    shader_storage_image_extended_formats = true;
    /// Clip distances.
    shader_clip_distance = true;
    /// Cull distances.
    shader_cull_distance = true;
    /// Dynamic rendering.
    dynamic_rendering = true;
    /// Input attachments in dynamic rendering, and remapped colour attachment locations.
    dynamic_rendering_local_read = true;
    /// Attachments that are sampled while they are rendered to.
    attachment_feedback_loop = true;
    /// Rendering of several views at once.
    multiview = true;
    /// Timeline semaphores.
    timeline_semaphore = true;
    /// Cull mode, front face, topology, viewport count, strides, depth and stencil state are set by commands.
    extended_dynamic_state = true;
    /// Rasterizer discard, depth bias and primitive restart are set by commands.
    extended_dynamic_state2 = true;
    /// Depth clamping and clipping, polygon mode, sample state, blending and logic operations are set by commands.
    extended_dynamic_state3 = true;
    /// Commands that run depending on a word in a buffer.
    conditional_rendering = true;
    /// Uniform blocks in descriptor sets.
    inline_uniform_block = true;
    /// Descriptors that take the type of the resource written to them.
    mutable_descriptor_type = true;
    /// Colour write masks per attachment are set by a command.
    color_write_enable = true;
    /// Vertex bindings and attributes are set by a command.
    vertex_input_dynamic_state = true;
}

/// Version of Vulkan in the driver and its manifest: major, minor, patch. The minor version is the last one whose
/// required features are all present. Spec: Vulkan, "Feature Requirements".
pub const VULKAN_VERSION: [u32; 3] = [1, minor_version(&FEATURES), 360];

const fn minor_version(f: &Features) -> u32 {
    let one = f.robust_buffer_access && f.multiview && f.storage_16bit;
    let two = one
        && f.uniform_buffer_standard_layout
        && f.subgroup_extended_types
        && f.timeline_semaphore
        && (!f.shader_buffer_int64_atomics || f.shader_int64)
        && (!f.descriptor_indexing || f.descriptor_dynamic_indexing);
    let three = two
        && f.shader_terminate_invocation
        && f.shader_demote_to_helper_invocation
        && f.zero_initialize_workgroup_memory
        && f.robust_image_access
        && f.subgroup_size_control
        && f.dynamic_rendering
        && f.shader_integer_dot_product
        && f.vulkan_memory_model
        && f.inline_uniform_block
        && f.buffer_device_address
        && f.extended_dynamic_state
        && f.extended_dynamic_state2;
    let drawing = f.full_draw_index_uint32
        && f.image_cube_array
        && f.independent_blend
        && f.sample_rate_shading
        && f.draw_indirect_first_instance
        && f.depth_clamp
        && f.sampler_anisotropy
        && f.fragment_stores_and_atomics
        && f.large_points
        && f.line_rasterization
        && f.vertex_attribute_divisor
        && f.index_type_uint8
        && f.dynamic_rendering_local_read;
    let shaders = f.shader_storage_image_extended_formats
        && f.descriptor_dynamic_indexing
        && f.descriptor_indexing
        && f.shader_image_gather_extended
        && f.shader_int16
        && f.shader_int8
        && f.storage_8bit
        && f.variable_pointers
        && f.scalar_block_layout
        && f.sampler_ycbcr_conversion
        && f.sampler_mirror_clamp_to_edge
        && f.shader_subgroup_rotate
        && f.shader_float_controls2
        && f.shader_expect_assume
        && f.robust_buffer_access2
        && f.robust_image_access2;
    match (one, two, three, drawing && shaders) {
        (_, _, true, true) => 4,
        (_, _, true, false) => 3,
        (_, true, false, _) => 2,
        (true, false, false, _) => 1,
        _ => 0,
    }
}

/// Returns `Limit` unless `value` is at most `limit`; `what` names the value.
pub(crate) fn at_most(what: &str, value: u64, limit: u64) -> Result<()> {
    if value <= limit {
        return Ok(());
    }
    Err(Error::Limit(format!("{what}: {value}, at most {limit}")))
}

#[cfg(test)]
mod tests {
    use quadrille_raster::format::{Format, FormatFeatures};

    use super::*;

    /// Spec: Vulkan, shaderStorageImageExtendedFormats.
    #[test]
    fn extended_storage_formats_are_there() {
        use Format::*;
        #[rustfmt::skip]
        let list = [
            R16G16_SFLOAT, B10G11R11_UFLOAT_PACK32, R16_SFLOAT, R16G16B16A16_UNORM,
            A2B10G10R10_UNORM_PACK32, R16G16_UNORM, R8G8_UNORM, R16_UNORM, R8_UNORM,
            R16G16B16A16_SNORM, R16G16_SNORM, R8G8_SNORM, R16_SNORM, R8_SNORM, R16G16_SINT, R8G8_SINT,
            R16_SINT, R8_SINT, A2B10G10R10_UINT_PACK32, R16G16_UINT, R8G8_UINT, R16_UINT, R8_UINT,
        ];
        for format in list {
            let has = format.image_features().contains(FormatFeatures::STORAGE_IMAGE);
            assert!(has || !FEATURES.shader_storage_image_extended_formats, "{}", format.name());
        }
    }

    #[test]
    fn the_version_follows_from_the_features() {
        assert_eq!(minor_version(&FEATURES), VULKAN_VERSION[1]);
        assert_eq!(minor_version(&Features { index_type_uint8: false, ..FEATURES }), 3);
        assert_eq!(minor_version(&Features { inline_uniform_block: false, ..FEATURES }), 2);
        assert_eq!(minor_version(&Features { timeline_semaphore: false, ..FEATURES }), 1);
        assert_eq!(minor_version(&Features { multiview: false, ..FEATURES }), 0);
    }

    #[test]
    fn rows_answer_and_check() {
        assert!(LIMITS.rows().iter().any(|(n, v)| *n == "max_push_constants_size" && v == "256"));
        assert!(at_most("x", 4, 4).is_ok());
        assert!(matches!(at_most("x", 5, 4), Err(Error::Limit(m)) if m == "x: 5, at most 4"));
        assert!(FEATURES.rows().iter().any(|(n, v)| *n == "robust_buffer_access" && *v));
    }
}
