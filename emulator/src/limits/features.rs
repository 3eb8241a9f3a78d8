//! Table of the features.
//!
//! A row is a feature that works, with everything that it promises. It names the members of VkPhysicalDeviceFeatures in
//! brackets, and the members of other structures in braces, that the feature answers; `MEMBER if OTHER` also needs the
//! feature `OTHER`. Names of structures and members are those of the bindings in which the driver fills them. Features
//! that need nothing of the device are rows of the driver: `emulator/vulkan/src/capabilities/features.rs`.

/// Passes the table of the features to the macro `$to`.
#[doc(hidden)]
#[macro_export]
macro_rules! feature_rows {
    ($to:ident) => {
        $to! {
            /// BC, ETC2, EAC and ASTC formats.
            texture_compression [
                texture_compression_bc,
                texture_compression_etc2,
                texture_compression_astc_ldr,
            ] {
                PhysicalDeviceTextureCompressionASTCHDRFeatures { texture_compression_astc_hdr }
                PhysicalDeviceTextureCompressionASTC3DFeaturesEXT { texture_compression_astc_3_d }
            };
            /// Accesses outside a buffer read zero and write nothing.
            robust_buffer_access [robust_buffer_access];
            /// Accesses outside a buffer range, to the exact byte, read zero and write nothing.
            robust_buffer_access2 {
                PhysicalDeviceRobustness2FeaturesEXT { robust_buffer_access2 }
                PhysicalDevicePipelineRobustnessFeaturesEXT { pipeline_robustness if robust_image_access2 }
            };
            /// Vertex attributes outside of the bound range read zero.
            vertex_attribute_robustness {
                PhysicalDeviceVertexAttributeRobustnessFeaturesEXT { vertex_attribute_robustness }
            };
            /// Accesses outside an image read zero and write nothing.
            robust_image_access2 { PhysicalDeviceRobustness2FeaturesEXT { robust_image_access2 } };
            /// Null descriptors read zero and write nothing.
            null_descriptor { PhysicalDeviceRobustness2FeaturesEXT { null_descriptor } };
            /// 32-bit indices may have any value.
            full_draw_index_uint32 [full_draw_index_uint32];
            /// Each attachment has its own blend state.
            independent_blend [independent_blend];
            /// More than one indirect draw per command.
            multi_draw_indirect [multi_draw_indirect];
            /// Indirect draws with a first instance other than 0.
            draw_indirect_first_instance [draw_indirect_first_instance];
            /// Depth clamping.
            depth_clamp [depth_clamp];
            /// Lines and points instead of filled polygons.
            fill_mode_non_solid [fill_mode_non_solid];
            /// Lines wider than a pixel.
            wide_lines [wide_lines];
            /// Strict rectangular, Bresenham and smooth lines, all with stipple.
            line_rasterization {
                PhysicalDeviceLineRasterizationFeaturesKHR {
                    rectangular_lines,
                    bresenham_lines,
                    smooth_lines,
                    stippled_rectangular_lines,
                    stippled_bresenham_lines,
                    stippled_smooth_lines,
                }
                PhysicalDeviceExtendedDynamicState3FeaturesEXT {
                    extended_dynamic_state3_line_rasterization_mode,
                    extended_dynamic_state3_line_stipple_enable,
                }
            };
            /// Flat inputs come from the last vertex of a primitive.
            provoking_vertex_last {
                PhysicalDeviceProvokingVertexFeaturesEXT {
                    provoking_vertex_last,
                    transform_feedback_preserves_provoking_vertex if transform_feedback,
                }
                PhysicalDeviceExtendedDynamicState3FeaturesEXT {
                    extended_dynamic_state3_provoking_vertex_mode,
                }
            };
            /// Primitive restart in list topologies.
            primitive_topology_list_restart {
                PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT { primitive_topology_list_restart }
            };
            /// 8-bit indices.
            index_type_uint8 { PhysicalDeviceIndexTypeUint8FeaturesKHR { index_type_uint8 } };
            /// Vertex attributes that advance every n instances, or never.
            vertex_attribute_divisor {
                PhysicalDeviceVertexAttributeDivisorFeaturesKHR {
                    vertex_attribute_instance_rate_divisor,
                    vertex_attribute_instance_rate_zero_divisor,
                }
            };
            /// Indirect draw counts that are read from a buffer.
            draw_indirect_count { PhysicalDeviceVulkan12Features { draw_indirect_count } };
            /// Several draws in one command.
            multi_draw { PhysicalDeviceMultiDrawFeaturesEXT { multi_draw } };
            /// The tessellation stages.
            tessellation_shader [tessellation_shader] {
                PhysicalDeviceExtendedDynamicState2FeaturesEXT {
                    extended_dynamic_state2_patch_control_points,
                }
                PhysicalDeviceExtendedDynamicState3FeaturesEXT {
                    extended_dynamic_state3_tessellation_domain_origin,
                }
            };
            /// The geometry stage.
            geometry_shader [geometry_shader];
            /// PointSize as an output of the tessellation and geometry stages.
            shader_tessellation_and_geometry_point_size [shader_tessellation_and_geometry_point_size];
            /// Tessellation in multiview rendering.
            multiview_tessellation_shader {
                PhysicalDeviceMultiviewFeatures { multiview_tessellation_shader }
            };
            /// The geometry stage in multiview rendering.
            multiview_geometry_shader { PhysicalDeviceMultiviewFeatures { multiview_geometry_shader } };
            /// Primitive restart in patch lists.
            primitive_topology_patch_list_restart {
                PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT {
                    primitive_topology_patch_list_restart,
                }
            };
            /// Task shaders.
            task_shader { PhysicalDeviceMeshShaderFeaturesEXT { task_shader } };
            /// Mesh shaders.
            mesh_shader { PhysicalDeviceMeshShaderFeaturesEXT { mesh_shader } };
            /// Mesh shaders in multiview rendering.
            multiview_mesh_shader { PhysicalDeviceMeshShaderFeaturesEXT { multiview_mesh_shader } };
            /// Queries of task and mesh shader statistics.
            mesh_shader_queries { PhysicalDeviceMeshShaderFeaturesEXT { mesh_shader_queries } };
            /// Transform feedback: outputs of the last stage before rasterization are captured in buffers.
            transform_feedback { PhysicalDeviceTransformFeedbackFeaturesEXT { transform_feedback } };
            /// Several vertex streams of the geometry stage.
            geometry_streams { PhysicalDeviceTransformFeedbackFeaturesEXT { geometry_streams } };
            /// Queries of the primitives generated before rasterization.
            primitives_generated_query {
                PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT {
                    primitives_generated_query,
                    primitives_generated_query_with_rasterizer_discard,
                    primitives_generated_query_with_non_zero_streams if geometry_streams,
                }
            };
            /// Layer as an output of the vertex stage.
            shader_output_layer { PhysicalDeviceVulkan12Features { shader_output_layer } };
            /// ViewportIndex as an output of the vertex stage.
            shader_output_viewport_index { PhysicalDeviceVulkan12Features { shader_output_viewport_index } };
            /// More than one viewport.
            multi_viewport [multi_viewport];
            /// Sample shading.
            sample_rate_shading [sample_rate_shading];
            /// Points larger than a pixel.
            large_points [large_points];
            /// Dual source blending.
            dual_src_blend [dual_src_blend];
            /// Logic operations.
            logic_op [logic_op];
            /// Depth bounds test.
            depth_bounds [depth_bounds];
            /// Alpha-to-one: the alpha of colours is replaced by one.
            alpha_to_one [alpha_to_one];
            /// Depth clamping to a range that commands set.
            depth_clamp_control { PhysicalDeviceDepthClampControlFeaturesEXT { depth_clamp_control } };
            /// Depth outside of the range from 0 to 1 is clamped to it.
            depth_clamp_zero_one { PhysicalDeviceDepthClampZeroOneFeaturesEXT { depth_clamp_zero_one } };
            /// Conservative rasterization of polygons.
            conservative_rasterization {
                PhysicalDeviceExtendedDynamicState3FeaturesEXT {
                    extended_dynamic_state3_conservative_rasterization_mode,
                    extended_dynamic_state3_extra_primitive_overestimation_size,
                }
            };
            /// Depth clipping independent of depth clamping.
            depth_clip_enable { PhysicalDeviceDepthClipEnableFeaturesEXT { depth_clip_enable } };
            /// A view volume with z from -w to w.
            depth_clip_control { PhysicalDeviceDepthClipControlFeaturesEXT { depth_clip_control } };
            /// A bound of depth bias.
            depth_bias_clamp [depth_bias_clamp];
            /// A selectable representation of depth bias.
            depth_bias_control {
                PhysicalDeviceDepthBiasControlFeaturesEXT {
                    depth_bias_control,
                    least_representable_value_force_unorm_representation,
                    float_representation,
                    depth_bias_exact,
                }
            };
            /// 64-bit floats in shaders.
            shader_float64 [shader_float64];
            /// 64-bit integers in shaders.
            shader_int64 [shader_int64];
            /// 16-bit integers in shaders.
            shader_int16 [shader_int16];
            /// 8-bit integers in shaders.
            shader_int8 { PhysicalDeviceShaderFloat16Int8Features { shader_int8 } };
            /// 16-bit floats in shaders.
            shader_float16 { PhysicalDeviceShaderFloat16Int8Features { shader_float16 } };
            /// 16-bit types in storage and uniform buffers and push constants.
            storage_16bit {
                PhysicalDevice16BitStorageFeatures {
                    storage_buffer16_bit_access,
                    uniform_and_storage_buffer16_bit_access,
                    storage_push_constant16,
                }
            };
            /// 16-bit types between stages.
            storage_input_output_16bit { PhysicalDevice16BitStorageFeatures { storage_input_output16 } };
            /// 8-bit types in storage and uniform buffers and push constants.
            storage_8bit {
                PhysicalDevice8BitStorageFeatures {
                    storage_buffer8_bit_access,
                    uniform_and_storage_buffer8_bit_access,
                    storage_push_constant8,
                }
            };
            /// Arrays of descriptors indexed by any dynamically uniform value.
            descriptor_dynamic_indexing [
                shader_uniform_buffer_array_dynamic_indexing,
                shader_storage_buffer_array_dynamic_indexing,
                shader_sampled_image_array_dynamic_indexing,
                shader_storage_image_array_dynamic_indexing,
            ];
            /// BaseVertex, BaseInstance and DrawIndex.
            shader_draw_parameters { PhysicalDeviceShaderDrawParametersFeatures { shader_draw_parameters } };
            /// Demotion of invocations to helper invocations.
            shader_demote_to_helper_invocation {
                PhysicalDeviceShaderDemoteToHelperInvocationFeatures { shader_demote_to_helper_invocation }
            };
            /// Termination of invocations.
            shader_terminate_invocation {
                PhysicalDeviceShaderTerminateInvocationFeatures { shader_terminate_invocation }
            };
            /// Integer dot products.
            shader_integer_dot_product {
                PhysicalDeviceShaderIntegerDotProductFeatures { shader_integer_dot_product }
            };
            /// Pointers into storage buffers as values.
            variable_pointers_storage_buffer {
                PhysicalDeviceVariablePointersFeatures { variable_pointers_storage_buffer }
            };
            /// Pointers into workgroup memory as values.
            variable_pointers { PhysicalDeviceVariablePointersFeatures { variable_pointers } };
            /// Pointers without a pointee type, except to private memory.
            shader_untyped_pointers {
                PhysicalDeviceShaderUntypedPointersFeaturesKHR { shader_untyped_pointers }
            };
            /// Device addresses of buffers, which another run of an application can request again.
            buffer_device_address {
                PhysicalDeviceBufferDeviceAddressFeatures {
                    buffer_device_address,
                    buffer_device_address_capture_replay,
                }
                PhysicalDeviceBufferDeviceAddressFeaturesEXT {
                    buffer_device_address,
                    buffer_device_address_capture_replay,
                }
            };
            /// Acceleration structures: builds by commands, with ranges in memory, and by the host; copies and queries. Their
            /// addresses follow from those of their buffers, in another run too.
            acceleration_structure {
                PhysicalDeviceAccelerationStructureFeaturesKHR {
                    acceleration_structure,
                    acceleration_structure_capture_replay,
                    acceleration_structure_indirect_build,
                    acceleration_structure_host_commands,
                    descriptor_binding_acceleration_structure_update_after_bind,
                }
                PhysicalDeviceRayTracingMaintenance1FeaturesKHR { ray_tracing_maintenance1 }
            };
            /// Opacity micromaps, built by commands and, as VkMicromapEXT, by the host.
            opacity_micromap {
                PhysicalDeviceOpacityMicromapFeaturesEXT {
                    micromap,
                    micromap_capture_replay,
                    micromap_host_commands,
                }
                PhysicalDeviceOpacityMicromapFeaturesKHR { micromap }
            };
            /// Rays that shaders of every stage trace through acceleration structures.
            ray_query { PhysicalDeviceRayQueryFeaturesKHR { ray_query } };
            /// Ray tracing pipelines, also with sizes and tables in memory; traversal without triangles or boxes; handles of
            /// shader groups that pipelines of other processes get again, and those of libraries.
            ray_tracing_pipeline {
                PhysicalDeviceRayTracingPipelineFeaturesKHR {
                    ray_tracing_pipeline,
                    ray_tracing_pipeline_shader_group_handle_capture_replay,
                    ray_tracing_pipeline_shader_group_handle_capture_replay_mixed,
                    ray_tracing_pipeline_trace_rays_indirect,
                    ray_traversal_primitive_culling,
                }
                PhysicalDeviceRayTracingMaintenance1FeaturesKHR { ray_tracing_pipeline_trace_rays_indirect2 }
                PhysicalDevicePipelineLibraryGroupHandlesFeaturesEXT { pipeline_library_group_handles }
            };
            /// Hit objects. Invocations stay in their groups.
            ray_tracing_invocation_reorder {
                PhysicalDeviceRayTracingInvocationReorderFeaturesEXT { ray_tracing_invocation_reorder }
            };
            /// Positions of the vertices of a hit in shaders.
            ray_tracing_position_fetch {
                PhysicalDeviceRayTracingPositionFetchFeaturesKHR { ray_tracing_position_fetch }
            };
            /// Blocks in workgroup memory, also with 8- and 16-bit types.
            workgroup_memory_explicit_layout {
                PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR {
                    workgroup_memory_explicit_layout,
                    workgroup_memory_explicit_layout_scalar_block_layout,
                    workgroup_memory_explicit_layout8_bit_access,
                    workgroup_memory_explicit_layout16_bit_access,
                }
            };
            /// Scalar alignment in uniform and storage buffers.
            scalar_block_layout { PhysicalDeviceScalarBlockLayoutFeatures { scalar_block_layout } };
            /// Storage buffer layouts in uniform buffers.
            uniform_buffer_standard_layout {
                PhysicalDeviceUniformBufferStandardLayoutFeatures { uniform_buffer_standard_layout }
            };
            /// The Vulkan memory model.
            vulkan_memory_model {
                PhysicalDeviceVulkanMemoryModelFeatures {
                    vulkan_memory_model,
                    vulkan_memory_model_device_scope,
                    vulkan_memory_model_availability_visibility_chains,
                }
            };
            /// Subgroup operations on 8-, 16- and 64-bit types.
            subgroup_extended_types {
                PhysicalDeviceShaderSubgroupExtendedTypesFeatures { shader_subgroup_extended_types }
            };
            /// Initializers of workgroup memory.
            zero_initialize_workgroup_memory {
                PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures {
                    shader_zero_initialize_workgroup_memory,
                }
            };
            /// Gathers with offsets that are not constant.
            shader_image_gather_extended [shader_image_gather_extended];
            /// Reads of storage images of unknown format.
            storage_image_read_without_format [shader_storage_image_read_without_format];
            /// Writes to storage images of unknown format.
            storage_image_write_without_format [shader_storage_image_write_without_format];
            /// Minimum level of detail in shaders.
            shader_resource_min_lod [shader_resource_min_lod];
            /// Storage images with several samples per texel.
            shader_storage_image_multisample [shader_storage_image_multisample];
            /// Anisotropic filters.
            sampler_anisotropy [sampler_anisotropy];
            /// Filters that return the minimum or the maximum of their texels.
            sampler_filter_minmax { PhysicalDeviceVulkan12Features { sampler_filter_minmax } };
            /// Address mode MirrorClampToEdge.
            sampler_mirror_clamp_to_edge { PhysicalDeviceVulkan12Features { sampler_mirror_clamp_to_edge } };
            /// Border colours of any value.
            custom_border_colors {
                PhysicalDeviceCustomBorderColorFeaturesEXT {
                    custom_border_colors,
                    custom_border_color_without_format,
                }
            };
            /// Border colours are affected by the component mapping of the view.
            border_color_swizzle {
                PhysicalDeviceBorderColorSwizzleFeaturesEXT {
                    border_color_swizzle,
                    border_color_swizzle_from_image,
                }
            };
            /// Filters that stay on one face of a cube map.
            non_seamless_cube_map { PhysicalDeviceNonSeamlessCubeMapFeaturesEXT { non_seamless_cube_map } };
            /// Conversion of Y'CbCr images by samplers.
            sampler_ycbcr_conversion {
                PhysicalDeviceSamplerYcbcrConversionFeatures { sampler_ycbcr_conversion }
                PhysicalDeviceYcbcrImageArraysFeaturesEXT { ycbcr_image_arrays }
                PhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT { ycbcr2plane444_formats }
            };
            /// A minimum level of detail per view.
            image_view_min_lod { PhysicalDeviceImageViewMinLodFeaturesEXT { min_lod } };
            /// Arrays of cube maps.
            image_cube_array [image_cube_array];
            /// Accesses outside an image read zero or the border colour, and write nothing.
            robust_image_access { PhysicalDeviceImageRobustnessFeatures { robust_image_access } };
            /// 64-bit integer atomics on buffers.
            shader_buffer_int64_atomics {
                PhysicalDeviceShaderAtomicInt64Features { shader_buffer_int64_atomics }
            };
            /// 64-bit integer atomics on workgroup memory.
            shader_shared_int64_atomics {
                PhysicalDeviceShaderAtomicInt64Features { shader_shared_int64_atomics }
            };
            /// 32-bit float exchange, load, store and add on buffers and workgroup memory.
            shader_buffer_float32_atomics {
                PhysicalDeviceShaderAtomicFloatFeaturesEXT {
                    shader_buffer_float32_atomics,
                    shader_buffer_float32_atomic_add,
                    shader_shared_float32_atomics,
                    shader_shared_float32_atomic_add,
                }
            };
            /// 32-bit float exchange, load, store, add, minimum and maximum on images.
            shader_image_float32_atomics {
                PhysicalDeviceShaderAtomicFloatFeaturesEXT {
                    shader_image_float32_atomics,
                    shader_image_float32_atomic_add,
                    sparse_image_float32_atomics if sparse_residency,
                    sparse_image_float32_atomic_add if sparse_residency,
                }
                PhysicalDeviceShaderAtomicFloat2FeaturesEXT {
                    shader_image_float32_atomic_min_max,
                    sparse_image_float32_atomic_min_max if sparse_residency,
                }
            };
            /// 64-bit integer atomics on images.
            shader_image_int64_atomics {
                PhysicalDeviceShaderImageAtomicInt64FeaturesEXT {
                    shader_image_int64_atomics,
                    sparse_image_int64_atomics if sparse_residency,
                }
            };
            /// 64-bit float exchange, load, store and add on buffers and workgroup memory.
            shader_buffer_float64_atomics {
                PhysicalDeviceShaderAtomicFloatFeaturesEXT {
                    shader_buffer_float64_atomics,
                    shader_buffer_float64_atomic_add,
                    shader_shared_float64_atomics,
                    shader_shared_float64_atomic_add,
                }
            };
            /// 16-bit float exchange, load, store and add on buffers and workgroup memory.
            shader_buffer_float16_atomics {
                PhysicalDeviceShaderAtomicFloat2FeaturesEXT {
                    shader_buffer_float16_atomics,
                    shader_buffer_float16_atomic_add,
                    shader_shared_float16_atomics,
                    shader_shared_float16_atomic_add,
                }
            };
            /// Minimum and maximum of floats of 16, 32 and 64 bits on buffers and workgroup memory.
            shader_float_min_max_atomics {
                PhysicalDeviceShaderAtomicFloat2FeaturesEXT {
                    shader_buffer_float16_atomic_min_max,
                    shader_buffer_float32_atomic_min_max,
                    shader_buffer_float64_atomic_min_max,
                    shader_shared_float16_atomic_min_max,
                    shader_shared_float32_atomic_min_max,
                    shader_shared_float64_atomic_min_max,
                }
            };
            /// Denormals, signed zeros, infinities and NaN are preserved; results are rounded to nearest even.
            shader_float_controls;
            /// Fast math modes per instruction. No optimization uses them.
            shader_float_controls2 { PhysicalDeviceShaderFloatControls2Features { shader_float_controls2 } };
            /// Rotations of the subgroup and of clusters.
            shader_subgroup_rotate {
                PhysicalDeviceShaderSubgroupRotateFeatures {
                    shader_subgroup_rotate,
                    shader_subgroup_rotate_clustered,
                }
            };
            /// Matrices whose elements the invocations of a subgroup share. Elements outside a buffer read zero and are not
            /// written.
            cooperative_matrix {
                PhysicalDeviceCooperativeMatrixFeaturesKHR {
                    cooperative_matrix,
                    cooperative_matrix_robust_buffer_access,
                }
            };
            /// Matrices of more sizes, reductions, conversions of the use, functions of elements, tensors, and blocks that
            /// functions decode.
            cooperative_matrix2 {
                PhysicalDeviceCooperativeMatrix2FeaturesNV {
                    cooperative_matrix_workgroup_scope if cooperative_matrix,
                    cooperative_matrix_flexible_dimensions if cooperative_matrix,
                    cooperative_matrix_reductions if cooperative_matrix,
                    cooperative_matrix_conversions if cooperative_matrix,
                    cooperative_matrix_per_element_operations if cooperative_matrix,
                    cooperative_matrix_tensor_addressing if cooperative_matrix,
                    cooperative_matrix_block_loads if cooperative_matrix,
                }
            };
            /// The parts of these that an extension of several vendors has: conversions go both ways, and may transpose.
            /// Coordinates of elements.
            cooperative_matrix_maintenance1 {
                PhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT {
                    cooperative_matrix_properties2 if cooperative_matrix,
                    cooperative_matrix_reductions if cooperative_matrix,
                    cooperative_matrix_conversions if cooperative_matrix,
                    cooperative_matrix_per_element_operations if cooperative_matrix,
                    cooperative_matrix_get_coordinate if cooperative_matrix,
                }
            };
            /// Numbers of the type bfloat16, their conversions and dot products, and matrices of them.
            shader_bfloat16 {
                PhysicalDeviceShaderBfloat16FeaturesKHR {
                    shader_b_float16_type,
                    shader_b_float16_dot_product,
                    shader_b_float16_cooperative_matrix if cooperative_matrix,
                }
            };
            /// Floats of 8 bits in both encodings, their conversions, and matrices of them.
            shader_float8 {
                PhysicalDeviceShaderFloat8FeaturesEXT {
                    shader_float8,
                    shader_float8_cooperative_matrix if cooperative_matrix,
                }
            };
            /// Floats of 4, 6 and 8 bits that microscaling formats have, and their conversions to other floats.
            shader_ocp_microscaling_types {
                PhysicalDeviceShaderOCPMicroscalingTypesFeaturesEXT {
                    shader_float4,
                    shader_float6,
                    shader_float8_unsigned_e8_m0,
                    shader_mx_int8,
                }
            };
            /// Dot products of short vectors of small floats, with an accumulator that may be wider.
            mixed_float_dot_product {
                PhysicalDeviceShaderMixedFloatDotProductFeaturesVALVE {
                    shader_mixed_float_dot_product_float16_acc_float32,
                    shader_mixed_float_dot_product_float16_acc_float16,
                    shader_mixed_float_dot_product_b_float16_acc,
                    shader_mixed_float_dot_product_float8_acc_float32,
                }
            };
            /// Saturating sums and differences, averages, magnitudes of differences, and counts of zero bits.
            shader_integer_functions2 {
                PhysicalDeviceShaderIntegerFunctions2FeaturesINTEL { shader_integer_functions2 }
            };
            /// Barriers in two halves: the arrival and the wait.
            split_barrier {
                PhysicalDeviceShaderSplitBarrierFeaturesEXT { shader_split_barrier }
            };
            /// Vectors of any number of components, which a constant may state.
            long_vector {
                PhysicalDeviceShaderLongVectorFeaturesEXT { long_vector }
            };
            /// Offsets in buffers are sums of 64 bits, and descriptors cover more than 4 GiB.
            shader_64_bit_indexing {
                PhysicalDeviceShader64BitIndexingFeaturesEXT { shader64_bit_indexing }
            };
            /// Arrays of constant data, which may be specialized.
            constant_data {
                PhysicalDeviceShaderConstantDataFeaturesKHR { shader_constant_data }
            };
            /// Invocations end their work and lose the device, with a message.
            abort {
                PhysicalDeviceShaderAbortFeaturesKHR { shader_abort }
            };
            /// Uniform blocks that end in an array whose length the buffer determines.
            uniform_buffer_unsized_array {
                PhysicalDeviceShaderUniformBufferUnsizedArrayFeaturesEXT {
                    shader_uniform_buffer_unsized_array,
                }
            };
            /// Subgroup operations on partitions of the subgroup, given as ballots.
            subgroup_partitioned {
                PhysicalDeviceShaderSubgroupPartitionedFeaturesEXT { shader_subgroup_partitioned }
            };
            /// Diverged invocations reconverge where control flow becomes subgroup-uniform again.
            shader_subgroup_uniform_control_flow {
                PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR {
                    shader_subgroup_uniform_control_flow,
                }
            };
            /// Diverged invocations reconverge as early as structured control flow allows.
            shader_maximal_reconvergence {
                PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR { shader_maximal_reconvergence }
            };
            /// Votes in quads, full quads, and derivatives in quad-uniform control flow.
            shader_quad_control { PhysicalDeviceShaderQuadControlFeaturesKHR { shader_quad_control } };
            /// Expect and assume instructions.
            shader_expect_assume { PhysicalDeviceShaderExpectAssumeFeatures { shader_expect_assume } };
            /// Composites that repeat one value.
            shader_replicated_composites {
                PhysicalDeviceShaderReplicatedCompositesFeaturesEXT { shader_replicated_composites }
            };
            /// Clocks with subgroup and device scope.
            shader_clock {
                PhysicalDeviceShaderClockFeaturesKHR { shader_subgroup_clock, shader_device_clock }
            };
            /// Fused multiply-add as an instruction.
            shader_fma {
                PhysicalDeviceShaderFmaFeaturesKHR {
                    shader_fma_float16,
                    shader_fma_float32,
                    shader_fma_float64,
                }
            };
            /// Extended instructions with forward references to ids.
            shader_relaxed_extended_instruction {
                PhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR {
                    shader_relaxed_extended_instruction,
                }
            };
            /// Derivatives in compute shaders, with linear and with quad groups of invocations.
            compute_shader_derivatives {
                PhysicalDeviceComputeShaderDerivativesFeaturesNV {
                    compute_derivative_group_quads,
                    compute_derivative_group_linear,
                }
            };
            /// Residency codes.
            shader_resource_residency [shader_resource_residency];
            /// Buffers and images to which memory is bound in pieces.
            sparse_binding [sparse_binding];
            /// Sparse buffers, and sparse 2D and 3D images, with unbound pieces.
            sparse_residency [sparse_residency_buffer, sparse_residency_image2_d, sparse_residency_image3_d];
            /// Memory that is bound to several places of sparse resources, with the same bytes everywhere.
            sparse_residency_aliased [sparse_residency_aliased];
            /// Subgroup sizes requested by compute pipelines, and full subgroups.
            subgroup_size_control {
                PhysicalDeviceSubgroupSizeControlFeatures { subgroup_size_control, compute_full_subgroups }
            };
            /// Descriptor arrays without a size, partially bound, updated after binding, indexed by any value.
            descriptor_indexing {
                PhysicalDeviceVulkan12Features { descriptor_indexing }
                PhysicalDeviceDescriptorIndexingFeatures {
                    shader_input_attachment_array_dynamic_indexing,
                    shader_uniform_texel_buffer_array_dynamic_indexing,
                    shader_storage_texel_buffer_array_dynamic_indexing,
                    shader_uniform_buffer_array_non_uniform_indexing,
                    shader_sampled_image_array_non_uniform_indexing,
                    shader_storage_buffer_array_non_uniform_indexing,
                    shader_storage_image_array_non_uniform_indexing,
                    shader_input_attachment_array_non_uniform_indexing,
                    shader_uniform_texel_buffer_array_non_uniform_indexing,
                    shader_storage_texel_buffer_array_non_uniform_indexing,
                    descriptor_binding_uniform_buffer_update_after_bind,
                    descriptor_binding_sampled_image_update_after_bind,
                    descriptor_binding_storage_image_update_after_bind,
                    descriptor_binding_storage_buffer_update_after_bind,
                    descriptor_binding_uniform_texel_buffer_update_after_bind,
                    descriptor_binding_storage_texel_buffer_update_after_bind,
                    descriptor_binding_update_unused_while_pending,
                    descriptor_binding_partially_bound,
                    descriptor_binding_variable_descriptor_count,
                    runtime_descriptor_array,
                }
            };
            /// Queries of pipeline statistics.
            pipeline_statistics_query [pipeline_statistics_query];
            /// Queries that stay active in secondary command buffers.
            inherited_queries [inherited_queries];
            /// Draws with different sample counts in a subpass without attachments.
            variable_multisample_rate [variable_multisample_rate];
            /// Exact occlusion counts.
            occlusion_query_precise [occlusion_query_precise];
            /// Stores and atomics in vertex shaders.
            vertex_pipeline_stores_and_atomics [vertex_pipeline_stores_and_atomics];
            /// Stores and atomics in fragment shaders.
            fragment_stores_and_atomics [fragment_stores_and_atomics];
            /// Programmable sample locations.
            sample_locations {
                PhysicalDeviceExtendedDynamicState3FeaturesEXT {
                    extended_dynamic_state3_sample_locations_enable,
                }
            };
            /// Shading rate per draw.
            pipeline_fragment_shading_rate {
                PhysicalDeviceFragmentShadingRateFeaturesKHR { pipeline_fragment_shading_rate }
            };
            /// Shading rate per primitive.
            primitive_fragment_shading_rate {
                PhysicalDeviceMeshShaderFeaturesEXT { primitive_fragment_shading_rate_mesh_shader }
                PhysicalDeviceFragmentShadingRateFeaturesKHR { primitive_fragment_shading_rate }
            };
            /// Shading rate from an attachment.
            attachment_fragment_shading_rate {
                PhysicalDeviceFragmentShadingRateFeaturesKHR { attachment_fragment_shading_rate }
            };
            /// Sizes of fragments from a density map, whose contents are read when the device draws.
            fragment_density_map {
                PhysicalDeviceFragmentDensityMapFeaturesEXT {
                    fragment_density_map,
                    fragment_density_map_dynamic,
                    fragment_density_map_non_subsampled_images,
                }
                PhysicalDeviceFragmentDensityMap2FeaturesEXT { fragment_density_map_deferred }
            };
            /// Offsets of density maps, which the end of a render pass sets.
            fragment_density_map_offset {
                PhysicalDeviceFragmentDensityMapOffsetFeaturesQCOM { fragment_density_map_offset }
            };
            /// Density maps with a layer for each layer of the framebuffer.
            fragment_density_map_layered {
                PhysicalDeviceFragmentDensityMapLayeredFeaturesVALVE { fragment_density_map_layered }
            };
            /// Multisampled rendering to attachments with one sample.
            multisampled_render_to_single_sampled {
                PhysicalDeviceMultisampledRenderToSwapchainFeaturesEXT { multisampled_render_to_swapchain }
                PhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT {
                    multisampled_render_to_single_sampled,
                }
            };
            /// Barycentric coordinates, and inputs of each vertex, in fragment shaders.
            fragment_shader_barycentric {
                PhysicalDeviceFragmentShaderBarycentricFeaturesKHR { fragment_shader_barycentric }
            };
            /// Ordered critical sections between fragment shader invocations of the same pixel.
            fragment_shader_interlock {
                PhysicalDeviceFragmentShaderInterlockFeaturesEXT {
                    fragment_shader_sample_interlock,
                    fragment_shader_pixel_interlock,
                }
            };
            /// Storage images of the formats that the specification lists for this feature.
            shader_storage_image_extended_formats [shader_storage_image_extended_formats];
            /// Clip distances.
            shader_clip_distance [shader_clip_distance];
            /// Cull distances.
            shader_cull_distance [shader_cull_distance];
            /// Dynamic rendering.
            dynamic_rendering {
                PhysicalDeviceDynamicRenderingFeatures { dynamic_rendering }
                PhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT {
                    dynamic_rendering_unused_attachments,
                }
            };
            /// Input attachments in dynamic rendering, and remapped colour attachment locations.
            dynamic_rendering_local_read {
                PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR { dynamic_rendering_local_read }
            };
            /// Attachments that are sampled while they are rendered to.
            attachment_feedback_loop {
                PhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT { attachment_feedback_loop_layout }
                PhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT {
                    attachment_feedback_loop_dynamic_state,
                }
            };
            /// Rendering of several views at once.
            multiview { PhysicalDeviceMultiviewFeatures { multiview } };
            /// Timeline semaphores.
            timeline_semaphore { PhysicalDeviceTimelineSemaphoreFeatures { timeline_semaphore } };
            /// Cull mode, front face, topology, viewport count, strides, depth and stencil state are set by commands.
            extended_dynamic_state {
                PhysicalDeviceExtendedDynamicStateFeaturesEXT { extended_dynamic_state }
            };
            /// Rasterizer discard, depth bias and primitive restart are set by commands.
            extended_dynamic_state2 {
                PhysicalDeviceExtendedDynamicState2FeaturesEXT {
                    extended_dynamic_state2,
                    extended_dynamic_state2_logic_op,
                }
            };
            /// Depth clamping and clipping, polygon mode, sample state, blending and logic operations are set by commands.
            extended_dynamic_state3 {
                PhysicalDeviceExtendedDynamicState3FeaturesEXT {
                    extended_dynamic_state3_depth_clamp_enable,
                    extended_dynamic_state3_polygon_mode,
                    extended_dynamic_state3_rasterization_samples,
                    extended_dynamic_state3_sample_mask,
                    extended_dynamic_state3_alpha_to_coverage_enable,
                    extended_dynamic_state3_alpha_to_one_enable,
                    extended_dynamic_state3_logic_op_enable,
                    extended_dynamic_state3_color_blend_enable,
                    extended_dynamic_state3_color_blend_equation,
                    extended_dynamic_state3_color_write_mask,
                    extended_dynamic_state3_rasterization_stream if geometry_streams,
                    extended_dynamic_state3_depth_clip_enable,
                    extended_dynamic_state3_color_blend_advanced,
                    extended_dynamic_state3_depth_clip_negative_one_to_one,
                }
            };
            /// Commands that run depending on a word in a buffer.
            conditional_rendering {
                PhysicalDeviceConditionalRenderingFeaturesEXT {
                    conditional_rendering,
                    inherited_conditional_rendering,
                }
            };
            /// Decompression of memory by commands.
            memory_decompression { PhysicalDeviceMemoryDecompressionFeaturesNV { memory_decompression } };
            /// Uniform blocks in descriptor sets.
            inline_uniform_block {
                PhysicalDeviceInlineUniformBlockFeatures {
                    inline_uniform_block,
                    descriptor_binding_inline_uniform_block_update_after_bind,
                }
            };
            /// Descriptors that take the type of the resource written to them.
            mutable_descriptor_type {
                PhysicalDeviceMutableDescriptorTypeFeaturesEXT { mutable_descriptor_type }
            };
            /// Colour write masks per attachment are set by a command.
            color_write_enable { PhysicalDeviceColorWriteEnableFeaturesEXT { color_write_enable } };
            /// Vertex bindings and attributes are set by a command.
            vertex_input_dynamic_state {
                PhysicalDeviceVertexInputDynamicStateFeaturesEXT { vertex_input_dynamic_state }
            };
        }
    };
}
