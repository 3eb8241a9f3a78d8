//! The features and limits of the device, in one table: each row answers queries and drives checks.
//!
//! A feature is true only if everything that it promises works; a limit is what the code checks.

use quadrille_jit::{abi, ir};
use quadrille_raster::{image, limits as raster};

use crate::error::{Error, Result};

macro_rules! limits {
    ($($(#[$d:meta])* $name:ident: $ty:ty = $v:expr;)*) => {
        /// Limits of the device. Spec: Vulkan, "Limits".
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Limits { $($(#[$d])* pub $name: $ty,)* }

        /// The limits.
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

        /// The features.
        pub const FEATURES: Features = Features { $($name: $v,)* };

        impl Features {
            /// Name and value of each row, in table order.
            pub fn rows(&self) -> Vec<(&'static str, bool)> {
                vec![$((stringify!($name), self.$name),)*]
            }
        }
    };
}

/// Sample counts that the rasterizer offers.
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
    /// Width of a 1D image.
    max_image_dimension_1d: u32 = image::MAX_DIMENSION_2D;
    /// Width and height of a 2D image.
    max_image_dimension_2d: u32 = image::MAX_DIMENSION_2D;
    /// Width, height and depth of a 3D image.
    max_image_dimension_3d: u32 = image::MAX_DIMENSION_3D;
    /// Width and height of a cube image.
    max_image_dimension_cube: u32 = image::MAX_DIMENSION_2D;
    /// Layers of an image.
    max_image_array_layers: u32 = image::MAX_LAYERS;
    /// Width and height of fragments in pixels.
    max_fragment_size: u32 = raster::MAX_FRAGMENT_PX;
    /// Samples of a fragment of several pixels, all pixels' together.
    max_fragment_coverage_samples: u32 = raster::MAX_COVERAGE_SAMPLES;
    /// Least and greatest width and height in pixels of what a texel of a shading rate attachment is for.
    shading_rate_texel_size: [u32; 2] = [raster::MIN_RATE_TEXEL_PX, raster::MAX_RATE_TEXEL_PX];
    /// Texels of a texel buffer.
    max_texel_buffer_elements: u32 = image::MAX_TEXEL_BUFFER_ELEMENTS;
    /// Bytes of a uniform buffer range.
    max_uniform_buffer_range: u32 = 1 << 26;
    /// Bytes of a storage buffer range.
    max_storage_buffer_range: u32 = 1 << 31;
    /// Bytes of push constants.
    max_push_constants_size: u32 = abi::PUSH_BYTES as u32;
    /// Memory allocations at the same time.
    max_memory_allocation_count: u32 = 1 << 20;
    /// Samplers at the same time.
    max_sampler_allocation_count: u32 = 4000;
    /// Different sampler states at the same time (number 0 means none).
    max_sampler_states: u32 = abi::MAX_SAMPLERS as u32 - 1;
    /// Bytes of one memory allocation.
    max_memory_allocation_size: u64 = 1 << 38;
    /// Bytes of a buffer.
    max_buffer_size: u64 = 1 << 38;
    /// Granularity between linear and optimal resources in bytes.
    buffer_image_granularity: u64 = 1;
    /// Descriptor sets bound at the same time.
    max_bound_descriptor_sets: u32 = abi::MAX_SETS as u32;
    /// Samplers a stage can use.
    max_per_stage_descriptor_samplers: u32 = 1 << 20;
    /// Uniform buffers a stage can use.
    max_per_stage_descriptor_uniform_buffers: u32 = 1 << 20;
    /// Storage buffers a stage can use.
    max_per_stage_descriptor_storage_buffers: u32 = 1 << 20;
    /// Sampled images a stage can use.
    max_per_stage_descriptor_sampled_images: u32 = 1 << 20;
    /// Storage images a stage can use.
    max_per_stage_descriptor_storage_images: u32 = 1 << 20;
    /// Input attachments a stage can use.
    max_per_stage_descriptor_input_attachments: u32 = 1 << 20;
    /// Resources a stage can use.
    max_per_stage_resources: u32 = 1 << 20;
    /// Descriptors in a set.
    max_descriptors_per_set: u32 = 1 << 20;
    /// Dynamic uniform buffers in a layout.
    max_descriptor_set_uniform_buffers_dynamic: u32 = 16;
    /// Dynamic storage buffers in a layout.
    max_descriptor_set_storage_buffers_dynamic: u32 = 16;
    /// Vertex attributes.
    max_vertex_input_attributes: u32 = raster::MAX_VERTEX_ATTRIBUTES as u32;
    /// Vertex buffers.
    max_vertex_input_bindings: u32 = raster::MAX_VERTEX_BINDINGS as u32;
    /// Offset of an attribute in bytes.
    max_vertex_input_attribute_offset: u32 = 4095;
    /// Stride of a vertex buffer in bytes.
    max_vertex_input_binding_stride: u32 = 8192;
    /// Scalars that the vertex stage can output.
    max_vertex_output_components: u32 = 128;
    /// Level of tessellation: higher ones count as this one.
    max_tessellation_generation_level: u32 = 64;
    /// Vertices of a patch, before and after the control stage.
    max_tessellation_patch_size: u32 = ir::MAX_PATCH_VERTICES;
    /// Scalars that the control stage can take from a vertex.
    max_tessellation_control_per_vertex_input_components: u32 = 128;
    /// Scalars that the control stage can output for a vertex.
    max_tessellation_control_per_vertex_output_components: u32 = 128;
    /// Scalars that the control stage can output for a patch.
    max_tessellation_control_per_patch_output_components: u32 = 120;
    /// Scalars that the control stage can output for a patch and all of its vertices.
    max_tessellation_control_total_output_components: u32 = 4216;
    /// Scalars that the evaluation stage can take from a vertex.
    max_tessellation_evaluation_input_components: u32 = 128;
    /// Scalars that the evaluation stage can output.
    max_tessellation_evaluation_output_components: u32 = 128;
    /// Invocations of the geometry stage for a primitive.
    max_geometry_shader_invocations: u32 = ir::MAX_GEOMETRY_INVOCATIONS;
    /// Scalars that the geometry stage can take from a vertex.
    max_geometry_input_components: u32 = 128;
    /// Scalars that the geometry stage can output for a vertex.
    max_geometry_output_components: u32 = 128;
    /// Vertices that an invocation of the geometry stage can emit.
    max_geometry_output_vertices: u32 = ir::MAX_GEOMETRY_VERTICES;
    /// Scalars of all vertices that an invocation of the geometry stage can emit.
    max_geometry_total_output_components: u32 = 1024;
    /// Streams of vertices of the geometry stage.
    max_transform_feedback_streams: u32 = ir::MAX_STREAMS as u32;
    /// Buffers that capture vertices.
    max_transform_feedback_buffers: u32 = ir::MAX_STREAMS as u32;
    /// Bytes of such a buffer that count.
    max_transform_feedback_buffer_size: u64 = u32::MAX as u64;
    /// Bytes captured of the vertices of a stream.
    max_transform_feedback_stream_data_size: u32 = 2048;
    /// Bytes captured of a vertex in a buffer.
    max_transform_feedback_buffer_data_size: u32 = 512;
    /// Bytes from vertex to vertex in such a buffer.
    max_transform_feedback_buffer_data_stride: u32 = 2048;
    /// Scalars that the fragment stage can take.
    max_fragment_input_components: u32 = 128;
    /// Colour outputs of the fragment stage.
    max_fragment_output_attachments: u32 = raster::MAX_COLOR_TARGETS as u32;
    /// Colour attachments.
    max_color_attachments: u32 = raster::MAX_COLOR_TARGETS as u32;
    /// Bytes of workgroup memory.
    max_compute_shared_memory_size: u32 = 65536;
    /// Workgroups of a dispatch, per axis.
    max_compute_work_group_count: [u32; 3] = [(1 << 22) - 1, 65535, 65535];
    /// Invocations of a workgroup.
    max_compute_work_group_invocations: u32 = 1024;
    /// Invocations of a workgroup, per axis.
    max_compute_work_group_size: [u32; 3] = [1024, 1024, 1024];
    /// Workgroups of task shaders in a draw.
    max_task_work_group_total_count: u32 = raster::MAX_MESH_GROUPS;
    /// Workgroups of task shaders in a draw, per axis.
    max_task_work_group_count: [u32; 3] = [65535; 3];
    /// Invocations of a workgroup of a task shader.
    max_task_work_group_invocations: u32 = 1024;
    /// Invocations of a workgroup of a task shader, per axis.
    max_task_work_group_size: [u32; 3] = [1024; 3];
    /// Bytes that a task shader can pass to its mesh shaders.
    max_task_payload_size: u32 = ir::MAX_PAYLOAD_BYTES;
    /// Bytes of workgroup memory of a task shader.
    max_task_shared_memory_size: u32 = 32768;
    /// Bytes of payload and workgroup memory of a task shader.
    max_task_payload_and_shared_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768;
    /// Workgroups of mesh shaders in a draw, or started by a workgroup of a task shader.
    max_mesh_work_group_total_count: u32 = raster::MAX_MESH_GROUPS;
    /// Those, per axis.
    max_mesh_work_group_count: [u32; 3] = [65535; 3];
    /// Invocations of a workgroup of a mesh shader.
    max_mesh_work_group_invocations: u32 = 1024;
    /// Invocations of a workgroup of a mesh shader, per axis.
    max_mesh_work_group_size: [u32; 3] = [1024; 3];
    /// Bytes of workgroup memory of a mesh shader.
    max_mesh_shared_memory_size: u32 = 32768;
    /// Bytes of payload and workgroup memory of a mesh shader.
    max_mesh_payload_and_shared_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768;
    /// Bytes of the outputs of a workgroup of a mesh shader, other than indices.
    max_mesh_output_memory_size: u32 = 32768;
    /// Bytes of payload and outputs of a mesh shader.
    max_mesh_payload_and_output_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768;
    /// Scalars that a mesh shader can output for a vertex and for a primitive, together.
    max_mesh_output_components: u32 = 128;
    /// Vertices that a workgroup of a mesh shader can output.
    max_mesh_output_vertices: u32 = ir::MAX_MESH_OUTPUTS;
    /// Primitives that a workgroup of a mesh shader can output.
    max_mesh_output_primitives: u32 = ir::MAX_MESH_OUTPUTS;
    /// Views of a render pass.
    max_multiview_view_count: u32 = 6;
    /// Fractional bits of a pixel.
    sub_pixel_precision_bits: u32 = raster::SUBPIXEL_BITS;
    /// Least and greatest offset of `interpolateAtOffset`, in pixels.
    interpolation_offset_range: [f32; 2] = [-0.5, 0.4375];
    /// Fractional bits of such an offset: any float is taken as it is.
    sub_pixel_interpolation_offset_bits: u32 = 4;
    /// Fractional bits of a linear filter's weight.
    sub_texel_precision_bits: u32 = 8;
    /// Fractional bits of a level.
    mipmap_precision_bits: u32 = 8;
    /// Numbers of samples of images and attachments, each a bit.
    sample_counts: u32 = SAMPLE_COUNTS;
    /// Largest index of an indexed draw.
    max_draw_indexed_index_value: u32 = u32::MAX;
    /// Draws of one indirect command.
    max_draw_indirect_count: u32 = u32::MAX;
    /// Absolute lod bias.
    max_sampler_lod_bias: f32 = quadrille_raster::sampling::MAX_SAMPLER_LOD_BIAS;
    /// Anisotropy.
    max_sampler_anisotropy: f32 = quadrille_raster::sampling::MAX_SAMPLER_ANISOTROPY;
    /// Viewports.
    max_viewports: u32 = raster::MAX_VIEWPORTS as u32;
    /// Size of a viewport, per axis.
    max_viewport_dimensions: [u32; 2] = [16384; 2];
    /// Range of viewport coordinates.
    viewport_bounds_range: [f32; 2] = [-32768.0, 32767.0];
    /// Width and height of a framebuffer.
    max_framebuffer_size: u32 = raster::MAX_FRAMEBUFFER_PX;
    /// Layers of a framebuffer.
    max_framebuffer_layers: u32 = 2048;
    /// Alignment of mapped memory in bytes.
    min_memory_map_alignment: u32 = 64;
    /// Alignment of uniform buffer offsets in bytes.
    min_uniform_buffer_offset_alignment: u32 = 16;
    /// Alignment of storage buffer offsets in bytes.
    min_storage_buffer_offset_alignment: u32 = 16;
    /// Alignment of texel buffer offsets in bytes.
    min_texel_buffer_offset_alignment: u32 = 16;
    /// Least offset of a texel fetch.
    min_texel_offset: i32 = -8;
    /// Greatest offset of a texel fetch.
    max_texel_offset: i32 = 7;
    /// Least offset of a gather.
    min_texel_gather_offset: i32 = -32;
    /// Greatest offset of a gather.
    max_texel_gather_offset: i32 = 31;
    /// Samplers with a custom border colour at the same time.
    max_custom_border_color_samplers: u32 = 4000;
    /// Clip distances.
    max_clip_distances: u32 = 8;
    /// Cull distances.
    max_cull_distances: u32 = 8;
    /// Clip and cull distances together.
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
    /// Bits below a pixel that the stipple of rectangular lines keeps.
    line_sub_pixel_precision_bits: u32 = raster::SUBPIXEL_BITS;
    /// Draws of one command with several.
    max_multi_draw_count: u32 = 1 << 20;
    /// Bytes of an inline uniform block.
    max_inline_uniform_block_size: u32 = 4096;
    /// Descriptors that can be pushed.
    max_push_descriptors: u32 = 32;
    /// Levels of secondary command buffers that execute others.
    max_command_buffer_nesting_level: u32 = 64;
    /// Commands that a command buffer takes, those of secondary ones counted each time that they run.
    max_executed_commands: u64 = 1 << 28;
    /// Sequences of generated commands.
    max_indirect_sequence_count: u32 = 1 << 20;
    /// Tokens of a sequence.
    max_indirect_commands_token_count: u32 = 64;
    /// First byte of a token in a sequence.
    max_indirect_commands_token_offset: u32 = 2047;
    /// Bytes from sequence to sequence.
    max_indirect_commands_stride: u32 = 2048;
    /// Pipelines, or shader objects, of an execution set.
    max_indirect_executables: u32 = 1 << 16;
    /// Bytes of one inline buffer update.
    max_update_buffer_size: u64 = 65536;
}

features! {
    /// BC, ETC2, EAC and ASTC LDR formats.
    texture_compression = true;
    /// Accesses outside of a buffer read zero and write nothing.
    robust_buffer_access = true;
    /// As above, by the exact size of the range.
    robust_buffer_access2 = true;
    /// Accesses outside of an image read zero and write nothing.
    robust_image_access2 = true;
    /// Null descriptors read zero and write nothing.
    null_descriptor = true;
    /// 32-bit indices of any value.
    full_draw_index_uint32 = true;
    /// Another blend state per attachment.
    independent_blend = true;
    /// More than one indirect draw per command.
    multi_draw_indirect = true;
    /// A first instance in indirect draws.
    draw_indirect_first_instance = true;
    /// Depth clamping.
    depth_clamp = true;
    /// Lines and points instead of filled polygons.
    fill_mode_non_solid = true;
    /// Lines wider than a pixel.
    wide_lines = true;
    /// Rectangular lines of strict shape, Bresenham lines, smooth lines, all of them with stipple.
    line_rasterization = true;
    /// Flat inputs from the last vertex.
    provoking_vertex_last = true;
    /// Restart in lists.
    primitive_topology_list_restart = true;
    /// 8-bit indices.
    index_type_uint8 = true;
    /// Vertex attributes that advance every so many instances, or never.
    vertex_attribute_divisor = true;
    /// The number of indirect draws in a buffer.
    draw_indirect_count = true;
    /// Several draws in one command.
    multi_draw = true;
    /// The tessellation stages.
    tessellation_shader = true;
    /// The geometry stage.
    geometry_shader = true;
    /// PointSize as an output of the tessellation and geometry stages.
    shader_tessellation_and_geometry_point_size = true;
    /// Tessellation with several views.
    multiview_tessellation_shader = true;
    /// The geometry stage with several views.
    multiview_geometry_shader = true;
    /// Restart in lists of patches.
    primitive_topology_patch_list_restart = true;
    /// Task shaders.
    task_shader = true;
    /// Mesh shaders.
    mesh_shader = true;
    /// Mesh shaders with several views.
    multiview_mesh_shader = true;
    /// Queries of what task and mesh shaders do.
    mesh_shader_queries = true;
    /// Transform feedback: what is put out before rasterization goes to buffers.
    transform_feedback = true;
    /// Several streams of vertices of the geometry stage.
    geometry_streams = true;
    /// Queries of the primitives put out before rasterization.
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
    /// The alpha of colours becomes one.
    alpha_to_one = true;
    /// Depth clipping apart from depth clamping.
    depth_clip_enable = true;
    /// A view volume from -w to w.
    depth_clip_control = true;
    /// The unit of depth bias.
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
    /// Demote.
    shader_demote_to_helper_invocation = true;
    /// Terminate.
    shader_terminate_invocation = true;
    /// Integer dot products.
    shader_integer_dot_product = true;
    /// Pointers into storage buffers as values.
    variable_pointers_storage_buffer = true;
    /// Pointers into workgroup memory as values.
    variable_pointers = true;
    /// Pointers without the type of what they point to, except in private memory.
    shader_untyped_pointers = true;
    /// Addresses of buffers; not their capture and replay.
    buffer_device_address = true;
    /// Blocks in workgroup memory, of 8- and 16-bit types too.
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
    /// Gathers with offsets that vary.
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
    /// Filters that take the least or the greatest of their texels.
    sampler_filter_minmax = true;
    /// Address mode MirrorClampToEdge.
    sampler_mirror_clamp_to_edge = true;
    /// Border colours of any value.
    custom_border_colors = true;
    /// Border colours go through the component mapping of the view.
    border_color_swizzle = true;
    /// Filters that stay on one face of a cube map.
    non_seamless_cube_map = true;
    /// Conversion of Y'CbCr images by samplers.
    sampler_ycbcr_conversion = true;
    /// A least level of detail of views.
    image_view_min_lod = true;
    /// Arrays of cube maps.
    image_cube_array = true;
    /// Accesses outside of an image read zero or a border, and write nothing.
    robust_image_access = true;
    /// 64-bit integer atomics on buffers.
    shader_buffer_int64_atomics = true;
    /// 64-bit integer atomics on workgroup memory.
    shader_shared_int64_atomics = true;
    /// 32-bit float exchange, load, store and add on buffers and workgroup memory.
    shader_buffer_float32_atomics = true;
    /// Likewise on images, with minimum and maximum.
    shader_image_float32_atomics = true;
    /// 64-bit integer atomics on images.
    shader_image_int64_atomics = true;
    /// 64-bit float exchange, load, store and add on buffers and workgroup memory.
    shader_buffer_float64_atomics = true;
    /// 16-bit float exchange, load, store and add on buffers and workgroup memory.
    shader_buffer_float16_atomics = true;
    /// Minimum and maximum of floats of 16, 32 and 64 bits on buffers and workgroup memory.
    shader_float_min_max_atomics = true;
    /// Denormals, signed zeros, infinities and NaN are kept; round to nearest even.
    shader_float_controls = true;
    /// Fast modes by instruction. Nothing is ever done that only fast modes allow.
    shader_float_controls2 = true;
    /// Rotations of the subgroup and of clusters.
    shader_subgroup_rotate = true;
    /// Subgroup operations on sets of invocations that ballots name.
    subgroup_partitioned = true;
    /// Invocations reconverge where uniform control flow of the subgroup does.
    shader_subgroup_uniform_control_flow = true;
    /// Invocations reconverge as soon as structured control flow does.
    shader_maximal_reconvergence = true;
    /// Votes in quads, full quads, derivatives in flow that is uniform in the quad.
    shader_quad_control = true;
    /// Expectations and assumptions.
    shader_expect_assume = true;
    /// Composites of one value.
    shader_replicated_composites = true;
    /// Clocks of the subgroup and of the device.
    shader_clock = true;
    /// Fused multiply-add as an instruction.
    shader_fma = true;
    /// Extended instructions that refer to later ids.
    shader_relaxed_extended_instruction = true;
    /// Derivatives in compute shaders, by lines and by squares.
    compute_shader_derivatives = true;
    /// Residency codes.
    shader_resource_residency = true;
    /// Buffers and images that get memory in pieces.
    sparse_binding = true;
    /// The same with some pieces missing: buffers, and images of two and three dimensions.
    sparse_residency = true;
    /// Memory that shows in several places of sparse resources, with the same bytes everywhere.
    sparse_residency_aliased = true;
    /// Subgroup sizes asked for by compute pipelines, and full subgroups.
    subgroup_size_control = true;
    /// Descriptor arrays without a size, partly bound, updated after binding, indexed by any value.
    descriptor_indexing = true;
    /// Queries of what the stages of a pipeline have done.
    pipeline_statistics_query = true;
    /// Queries that go on in secondary command buffers.
    inherited_queries = true;
    /// Draws with different numbers of samples where there are no attachments.
    variable_multisample_rate = true;
    /// Exact occlusion counts.
    occlusion_query_precise = true;
    /// Stores and atomics in vertex shaders.
    vertex_pipeline_stores_and_atomics = true;
    /// Stores and atomics in fragment shaders.
    fragment_stores_and_atomics = true;
    /// Samples where a draw says.
    sample_locations = true;
    /// Fragments of several pixels, by draw.
    pipeline_fragment_shading_rate = true;
    /// Likewise, by primitive.
    primitive_fragment_shading_rate = true;
    /// Likewise, by parts of the picture.
    attachment_fragment_shading_rate = true;
    /// Rendering with several samples to attachments that have one.
    multisampled_render_to_single_sampled = true;
    /// Weights of the vertices, and what each has, in fragment shaders.
    fragment_shader_barycentric = true;
    /// Invocations of one pixel, in fragment shaders, one after the other.
    fragment_shader_interlock = true;
    /// Storage images of the formats that the specification lists for it.
    shader_storage_image_extended_formats = true;
    /// Clip distances.
    shader_clip_distance = true;
    /// Cull distances.
    shader_cull_distance = true;
    /// Dynamic rendering.
    dynamic_rendering = true;
    /// Input attachments in dynamic rendering, and colour attachments with other locations.
    dynamic_rendering_local_read = true;
    /// Attachments that are sampled while they are rendered to.
    attachment_feedback_loop = true;
    /// Several views at once.
    multiview = true;
    /// Timeline semaphores.
    timeline_semaphore = true;
    /// Cull mode, front face, topology, viewport count, strides, depth and stencil state as commands.
    extended_dynamic_state = true;
    /// Rasterizer discard, depth bias and primitive restart as commands.
    extended_dynamic_state2 = true;
    /// Depth clamping and clipping, polygon mode, samples, blending and logic operations as commands.
    extended_dynamic_state3 = true;
    /// Commands that depend on a word in a buffer.
    conditional_rendering = true;
    /// Uniform blocks in descriptor sets.
    inline_uniform_block = true;
    /// Descriptors whose type is that of what is written.
    mutable_descriptor_type = true;
    /// Colour writes by attachment as a command.
    color_write_enable = true;
    /// Vertex bindings and attributes as a command.
    vertex_input_dynamic_state = true;
}

/// Version of Vulkan that driver and manifest state: major, minor, patch. The minor number is the last one
/// whose required features are all there. Spec: Vulkan, "Feature Requirements".
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

/// `Limit` unless `value` is at most `limit`; `what` names the value.
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
