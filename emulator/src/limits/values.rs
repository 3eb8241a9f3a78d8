//! Table of the limits.
//!
//! A row has the value that the code checks. It names the members of VkPhysicalDeviceLimits in brackets, and the members
//! of other structures in braces, that the limit answers; `MEMBER[i]` is element `i` of the value. Names of structures and
//! members are those of the bindings in which the driver fills them.

/// Passes the table of the limits to the macro `$to`.
#[doc(hidden)]
#[macro_export]
macro_rules! limit_rows {
    ($to:ident) => {
        $to! {
            /// Greatest width of a 1D image, in texels.
            max_image_dimension_1d: u32 = image::MAX_DIMENSION_2D => [max_image_dimension1_d];
            /// Greatest width and height of a 2D image, in texels.
            max_image_dimension_2d: u32 = image::MAX_DIMENSION_2D => [max_image_dimension2_d];
            /// Greatest width, height and depth of a 3D image, in texels.
            max_image_dimension_3d: u32 = image::MAX_DIMENSION_3D => [max_image_dimension3_d];
            /// Greatest width and height of a cube image, in texels.
            max_image_dimension_cube: u32 = image::MAX_DIMENSION_2D => [max_image_dimension_cube];
            /// Greatest number of array layers of an image.
            max_image_array_layers: u32 = image::MAX_LAYERS
                => [max_image_array_layers] {
                    PhysicalDeviceFragmentDensityMap2PropertiesEXT { max_subsampled_array_layers }
                };
            /// Greatest size of an image with all of its levels and layers, in bytes, whatever the size of the heap.
            max_image_size: u64 = image::MAX_BYTES;
            /// Greatest width and height of a fragment, in pixels.
            max_fragment_size: u32 = raster::MAX_FRAGMENT_PX
                => {
                    PhysicalDeviceFragmentShadingRatePropertiesKHR {
                        max_fragment_size,
                        max_fragment_size_aspect_ratio,
                    }
                };
            /// Greatest number of samples of a fragment of several pixels, summed over its pixels.
            max_fragment_coverage_samples: u32 = raster::MAX_COVERAGE_SAMPLES
                => {
                    PhysicalDeviceFragmentShadingRatePropertiesKHR {
                        max_fragment_shading_rate_coverage_samples,
                    }
                };
            /// Greatest number of discard rectangles of a draw.
            max_discard_rectangles: u32 = raster::MAX_DISCARD_RECTANGLES as u32
                => { PhysicalDeviceDiscardRectanglePropertiesEXT { max_discard_rectangles } };
            /// Greatest distance by which polygons grow in conservative rasterization, in pixels.
            max_overestimation: f32 = raster::MAX_OVERESTIMATION_PX
                => {
                    PhysicalDeviceConservativeRasterizationPropertiesEXT {
                        max_extra_primitive_overestimation_size,
                    }
                };
            /// Least and greatest width and height of the area that a texel of a shading rate attachment covers, in pixels.
            shading_rate_texel_size: [u32; 2] = [raster::MIN_RATE_TEXEL_PX, raster::MAX_RATE_TEXEL_PX]
                => {
                    PhysicalDeviceFragmentShadingRatePropertiesKHR {
                        min_fragment_shading_rate_attachment_texel_size[0],
                        max_fragment_shading_rate_attachment_texel_size[1],
                    }
                };
            /// Least and greatest width and height of the region that a texel of a fragment density map covers, in pixels.
            density_texel_size: [u32; 2] = [raster::MIN_DENSITY_TEXEL_PX, raster::MAX_DENSITY_TEXEL_PX]
                => {
                    PhysicalDeviceFragmentDensityMapPropertiesEXT {
                        min_fragment_density_texel_size[0],
                        max_fragment_density_texel_size[1],
                    }
                };
            /// Granularity of the offsets of fragment density maps, in pixels.
            density_offset_granularity: u32 = raster::DENSITY_OFFSET_PX
                => {
                    PhysicalDeviceFragmentDensityMapOffsetPropertiesQCOM { fragment_density_offset_granularity }
                };
            /// Greatest number of rows and of columns of a cooperative matrix; both are multiples of the next limit.
            max_cooperative_matrix_side: u32 = cooperative::MAX_SIDE
                => {
                    PhysicalDeviceCooperativeMatrix2PropertiesNV {
                        cooperative_matrix_flexible_dimensions_max_dimension,
                    }
                };
            /// Greatest number of invocations of a workgroup with cooperative matrices of the workgroup.
            max_cooperative_matrix_invocations: u32 = 256
                => {
                    PhysicalDeviceCooperativeMatrix2PropertiesNV {
                        cooperative_matrix_workgroup_scope_max_workgroup_size,
                    }
                };
            /// Divisor of the numbers of rows and of columns of cooperative matrices.
            cooperative_matrix_granularity: u32 = cooperative::GRANULARITY;
            /// Greatest number of components of a vector.
            max_vector_components: u32 = types::MAX_COMPONENTS
                => { PhysicalDeviceShaderLongVectorPropertiesEXT { max_vector_components } };
            /// Greatest number of texels of a texel buffer.
            max_texel_buffer_elements: u32 = image::MAX_TEXEL_BUFFER_ELEMENTS => [max_texel_buffer_elements];
            /// Greatest size of a uniform buffer range, in bytes.
            max_uniform_buffer_range: u32 = 1 << 26 => [max_uniform_buffer_range];
            /// Greatest size of a storage buffer range, in bytes. Offsets of 32 bits saturate beyond it.
            max_storage_buffer_range: u32 = abi::ADDRESS_REACH as u32 => [max_storage_buffer_range];
            /// Greatest size of push constants, in bytes.
            max_push_constants_size: u32 = abi::PUSH_BYTES as u32
                => [max_push_constants_size] {
                    PhysicalDeviceDescriptorHeapPropertiesEXT { max_push_data_size }
                };
            /// Greatest number of memory allocations at the same time.
            max_memory_allocation_count: u32 = 1 << 20 => [max_memory_allocation_count];
            /// Greatest number of samplers at the same time.
            max_sampler_allocation_count: u32 = 4000 => [max_sampler_allocation_count];
            /// Greatest number of different sampler states (number 0 means none). Those of descriptor heaps live as long as
            /// the device.
            max_sampler_states: u32 = abi::MAX_SAMPLERS as u32 - 1;
            /// Greatest number of different states of sampler objects at the same time.
            max_combined_sampler_states: u32 = abi::MAX_COMBINED_SAMPLERS as u32 - 1;
            /// Greatest number of resources at the same time that descriptors in buffers and heaps, mutable descriptors and
            /// those of partially bound bindings can name: buffers, whatever their ranges, and views.
            max_handles: u32 = (1 << handle::SLOT_BITS) - 1;
            /// Greatest size of one memory allocation, in bytes.
            max_memory_allocation_size: u64 = 1 << 38;
            /// Greatest size of a buffer, in bytes.
            max_buffer_size: u64 = 1 << 38
                => {
                    PhysicalDeviceDescriptorBufferPropertiesEXT {
                        max_sampler_descriptor_buffer_range,
                        max_resource_descriptor_buffer_range,
                        sampler_descriptor_buffer_address_space_size,
                        resource_descriptor_buffer_address_space_size,
                        descriptor_buffer_address_space_size,
                    }
                    PhysicalDeviceMaintenance4Properties { max_buffer_size }
                };
            /// Granularity between linear and optimal resources, in bytes.
            buffer_image_granularity: u64 = 1 => [buffer_image_granularity];
            /// Greatest number of descriptor sets bound at the same time.
            max_bound_descriptor_sets: u32 = abi::BOUND_SETS as u32
                => [max_bound_descriptor_sets] {
                    PhysicalDeviceDescriptorBufferPropertiesEXT {
                        max_descriptor_buffer_bindings,
                        max_resource_descriptor_buffer_bindings,
                        max_sampler_descriptor_buffer_bindings,
                        max_embedded_immutable_sampler_bindings,
                    }
                };
            /// Greatest number of samplers that a stage can use.
            max_per_stage_descriptor_samplers: u32 = 1 << 20
                => [max_per_stage_descriptor_samplers, max_descriptor_set_samplers] {
                    PhysicalDeviceDescriptorIndexingProperties {
                        max_per_stage_descriptor_update_after_bind_samplers,
                        max_descriptor_set_update_after_bind_samplers,
                    }
                    PhysicalDeviceDescriptorBufferPropertiesEXT { max_embedded_immutable_samplers }
                    PhysicalDeviceDescriptorHeapPropertiesEXT { max_descriptor_heap_embedded_samplers }
                    PhysicalDeviceFragmentDensityMap2PropertiesEXT { max_descriptor_set_subsampled_samplers }
                };
            /// Greatest number of uniform buffers that a stage can use.
            max_per_stage_descriptor_uniform_buffers: u32 = 1 << 20
                => [max_per_stage_descriptor_uniform_buffers, max_descriptor_set_uniform_buffers] {
                    PhysicalDeviceDescriptorIndexingProperties {
                        max_per_stage_descriptor_update_after_bind_uniform_buffers,
                        max_descriptor_set_update_after_bind_uniform_buffers,
                    }
                };
            /// Greatest number of storage buffers that a stage can use.
            max_per_stage_descriptor_storage_buffers: u32 = 1 << 20
                => [max_per_stage_descriptor_storage_buffers, max_descriptor_set_storage_buffers] {
                    PhysicalDeviceDescriptorIndexingProperties {
                        max_per_stage_descriptor_update_after_bind_storage_buffers,
                        max_descriptor_set_update_after_bind_storage_buffers,
                    }
                };
            /// Greatest number of sampled images that a stage can use.
            max_per_stage_descriptor_sampled_images: u32 = 1 << 20
                => [max_per_stage_descriptor_sampled_images, max_descriptor_set_sampled_images] {
                    PhysicalDeviceDescriptorIndexingProperties {
                        max_per_stage_descriptor_update_after_bind_sampled_images,
                        max_descriptor_set_update_after_bind_sampled_images,
                    }
                };
            /// Greatest number of storage images that a stage can use.
            max_per_stage_descriptor_storage_images: u32 = 1 << 20
                => [max_per_stage_descriptor_storage_images, max_descriptor_set_storage_images] {
                    PhysicalDeviceDescriptorIndexingProperties {
                        max_per_stage_descriptor_update_after_bind_storage_images,
                        max_descriptor_set_update_after_bind_storage_images,
                    }
                };
            /// Greatest number of input attachments that a stage can use.
            max_per_stage_descriptor_input_attachments: u32 = 1 << 20
                => [max_per_stage_descriptor_input_attachments, max_descriptor_set_input_attachments] {
                    PhysicalDeviceDescriptorIndexingProperties {
                        max_per_stage_descriptor_update_after_bind_input_attachments,
                        max_descriptor_set_update_after_bind_input_attachments,
                    }
                };
            /// Greatest number of resources that a stage can use.
            max_per_stage_resources: u32 = 1 << 20
                => [max_per_stage_resources, max_fragment_combined_output_resources] {
                    PhysicalDeviceDescriptorIndexingProperties { max_per_stage_update_after_bind_resources }
                };
            /// Greatest number of acceleration structures that a stage can use.
            max_per_stage_descriptor_acceleration_structures: u32 = 1 << 20
                => {
                    PhysicalDeviceAccelerationStructurePropertiesKHR {
                        max_per_stage_descriptor_acceleration_structures,
                        max_per_stage_descriptor_update_after_bind_acceleration_structures,
                        max_descriptor_set_acceleration_structures,
                        max_descriptor_set_update_after_bind_acceleration_structures,
                    }
                };
            /// Greatest number of geometries of a bottom level.
            max_geometry_count: u64 = rays::MAX_GEOMETRIES as u64
                => { PhysicalDeviceAccelerationStructurePropertiesKHR { max_geometry_count } };
            /// Greatest number of primitives of a bottom level.
            max_primitive_count: u64 = rays::MAX_PRIMITIVES as u64
                => { PhysicalDeviceAccelerationStructurePropertiesKHR { max_primitive_count } };
            /// Greatest number of instances of a top level.
            max_instance_count: u64 = rays::MAX_INSTANCES as u64
                => { PhysicalDeviceAccelerationStructurePropertiesKHR { max_instance_count } };
            /// Greatest level of subdivision of micromaps.
            max_opacity_micromap_subdivision_level: u32 = rays::MAX_SUBDIVISION_LEVEL
                => {
                    PhysicalDeviceOpacityMicromapPropertiesEXT {
                        max_opacity2_state_subdivision_level,
                        max_opacity4_state_subdivision_level,
                    }
                    PhysicalDeviceOpacityMicromapPropertiesKHR {
                        max_opacity2_state_subdivision_level,
                        max_opacity4_state_subdivision_level,
                        max_opacity_lossy4_state_subdivision_level,
                    }
                };
            /// Greatest number of triangles of a micromap.
            max_micromap_triangles: u64 = rays::MAX_PRIMITIVES as u64
                => { PhysicalDeviceOpacityMicromapPropertiesKHR { max_micromap_triangles } };
            /// Greatest number of a record that a hit object can have.
            max_shader_binding_table_record_index: u32 = u32::MAX - 1
                => {
                    PhysicalDeviceRayTracingInvocationReorderPropertiesEXT { max_shader_binding_table_record_index }
                };
            /// Greatest nesting of traces of rays.
            max_ray_recursion_depth: u32 = ray_tracing::MAX_RECURSION_DEPTH
                => { PhysicalDeviceRayTracingPipelinePropertiesKHR { max_ray_recursion_depth } };
            /// Greatest number of ray generation invocations of a command.
            max_ray_dispatch_invocation_count: u32 = 1 << 30
                => { PhysicalDeviceRayTracingPipelinePropertiesKHR { max_ray_dispatch_invocation_count } };
            /// Greatest size of a hit attribute, in bytes; the compiler counts scalars, of at least a byte.
            max_ray_hit_attribute_size: u32 = ir::MAX_ATTRIBUTE_WORDS
                => { PhysicalDeviceRayTracingPipelinePropertiesKHR { max_ray_hit_attribute_size } };
            /// Size of the handle of a shader group, in bytes.
            shader_group_handle_size: u32 = ray_tracing::HANDLE_BYTES as u32
                => {
                    PhysicalDeviceRayTracingPipelinePropertiesKHR {
                        shader_group_handle_size,
                        shader_group_handle_capture_replay_size,
                    }
                };
            /// Alignment of the distance between records of shader groups, in bytes.
            shader_group_handle_alignment: u32 = ray_tracing::HANDLE_BYTES as u32
                => { PhysicalDeviceRayTracingPipelinePropertiesKHR { shader_group_handle_alignment } };
            /// Alignment of the address of a shader binding table, in bytes.
            shader_group_base_alignment: u32 = 64
                => { PhysicalDeviceRayTracingPipelinePropertiesKHR { shader_group_base_alignment } };
            /// Greatest distance between records of shader groups, in bytes.
            max_shader_group_stride: u32 = 4096
                => { PhysicalDeviceRayTracingPipelinePropertiesKHR { max_shader_group_stride } };
            /// Greatest number of descriptors in a set.
            max_descriptors_per_set: u32 = 1 << 20
                => { PhysicalDeviceMaintenance3Properties { max_per_set_descriptors } };
            /// Greatest number of dynamic uniform buffers in a pipeline layout.
            max_descriptor_set_uniform_buffers_dynamic: u32 = 16
                => [max_descriptor_set_uniform_buffers_dynamic] {
                    PhysicalDeviceDescriptorIndexingProperties {
                        max_descriptor_set_update_after_bind_uniform_buffers_dynamic,
                    }
                    PhysicalDeviceMaintenance7PropertiesKHR {
                        max_descriptor_set_total_uniform_buffers_dynamic,
                        max_descriptor_set_update_after_bind_total_uniform_buffers_dynamic,
                    }
                };
            /// Greatest number of dynamic storage buffers in a pipeline layout.
            max_descriptor_set_storage_buffers_dynamic: u32 = 16
                => [max_descriptor_set_storage_buffers_dynamic] {
                    PhysicalDeviceDescriptorIndexingProperties {
                        max_descriptor_set_update_after_bind_storage_buffers_dynamic,
                    }
                    PhysicalDeviceMaintenance7PropertiesKHR {
                        max_descriptor_set_total_storage_buffers_dynamic,
                        max_descriptor_set_update_after_bind_total_storage_buffers_dynamic,
                    }
                };
            /// Greatest number of vertex attributes.
            max_vertex_input_attributes: u32 = raster::MAX_VERTEX_ATTRIBUTES as u32
                => [max_vertex_input_attributes];
            /// Greatest number of vertex buffer bindings.
            max_vertex_input_bindings: u32 = raster::MAX_VERTEX_BINDINGS as u32
                => [max_vertex_input_bindings];
            /// Greatest offset of a vertex attribute, in bytes.
            max_vertex_input_attribute_offset: u32 = 4095 => [max_vertex_input_attribute_offset];
            /// Greatest stride of a vertex buffer, in bytes.
            max_vertex_input_binding_stride: u32 = 8192 => [max_vertex_input_binding_stride];
            /// Greatest number of scalars that the vertex stage can output.
            max_vertex_output_components: u32 = 128 => [max_vertex_output_components];
            /// Greatest tessellation level; higher levels are clamped to it.
            max_tessellation_generation_level: u32 = raster::MAX_TESSELLATION_LEVEL
                => [max_tessellation_generation_level];
            /// Greatest number of vertices of a patch, before and after the control stage.
            max_tessellation_patch_size: u32 = ir::MAX_PATCH_VERTICES => [max_tessellation_patch_size];
            /// Greatest number of scalars that the control stage can read per input vertex.
            max_tessellation_control_per_vertex_input_components: u32 = 128
                => [max_tessellation_control_per_vertex_input_components];
            /// Greatest number of scalars that the control stage can output per vertex.
            max_tessellation_control_per_vertex_output_components: u32 = 128
                => [max_tessellation_control_per_vertex_output_components];
            /// Greatest number of scalars that the control stage can output per patch.
            max_tessellation_control_per_patch_output_components: u32 = 120
                => [max_tessellation_control_per_patch_output_components];
            /// Greatest number of scalars that the control stage can output for a patch and all of its vertices.
            max_tessellation_control_total_output_components: u32 = 4216
                => [max_tessellation_control_total_output_components];
            /// Greatest number of scalars that the evaluation stage can read per vertex.
            max_tessellation_evaluation_input_components: u32 = 128
                => [max_tessellation_evaluation_input_components];
            /// Greatest number of scalars that the evaluation stage can output.
            max_tessellation_evaluation_output_components: u32 = 128
                => [max_tessellation_evaluation_output_components];
            /// Greatest number of invocations of the geometry stage per primitive.
            max_geometry_shader_invocations: u32 = ir::MAX_GEOMETRY_INVOCATIONS
                => [max_geometry_shader_invocations];
            /// Greatest number of scalars that the geometry stage can read per vertex.
            max_geometry_input_components: u32 = 128 => [max_geometry_input_components];
            /// Greatest number of scalars that the geometry stage can output per vertex.
            max_geometry_output_components: u32 = 128 => [max_geometry_output_components];
            /// Greatest number of vertices that an invocation of the geometry stage can emit.
            max_geometry_output_vertices: u32 = ir::MAX_GEOMETRY_VERTICES => [max_geometry_output_vertices];
            /// Greatest number of scalars of all vertices that an invocation of the geometry stage can emit.
            max_geometry_total_output_components: u32 = 1024 => [max_geometry_total_output_components];
            /// Number of vertex streams of the geometry stage.
            max_transform_feedback_streams: u32 = ir::MAX_STREAMS as u32
                => { PhysicalDeviceTransformFeedbackPropertiesEXT { max_transform_feedback_streams } };
            /// Number of transform feedback buffers.
            max_transform_feedback_buffers: u32 = ir::MAX_STREAMS as u32
                => { PhysicalDeviceTransformFeedbackPropertiesEXT { max_transform_feedback_buffers } };
            /// Greatest size of a transform feedback buffer, in bytes; further bytes are not used.
            max_transform_feedback_buffer_size: u64 = u32::MAX as u64
                => { PhysicalDeviceTransformFeedbackPropertiesEXT { max_transform_feedback_buffer_size } };
            /// Greatest size of the captured data of a vertex of one stream, in bytes.
            max_transform_feedback_stream_data_size: u32 = 2048
                => {
                    PhysicalDeviceTransformFeedbackPropertiesEXT { max_transform_feedback_stream_data_size }
                };
            /// Greatest size of the captured data of a vertex in one buffer, in bytes.
            max_transform_feedback_buffer_data_size: u32 = 512
                => {
                    PhysicalDeviceTransformFeedbackPropertiesEXT { max_transform_feedback_buffer_data_size }
                };
            /// Greatest stride between vertices in a transform feedback buffer, in bytes.
            max_transform_feedback_buffer_data_stride: u32 = lower::MAX_FEEDBACK_STRIDE
                => {
                    PhysicalDeviceTransformFeedbackPropertiesEXT { max_transform_feedback_buffer_data_stride }
                };
            /// Greatest number of scalars that the fragment stage can read.
            max_fragment_input_components: u32 = 128 => [max_fragment_input_components];
            /// Greatest number of colour outputs of the fragment stage.
            max_fragment_output_attachments: u32 = raster::MAX_COLOR_TARGETS as u32
                => [max_fragment_output_attachments];
            /// Greatest number of colour attachments.
            max_color_attachments: u32 = raster::MAX_COLOR_TARGETS as u32
                => [max_color_attachments] {
                    PhysicalDeviceBlendOperationAdvancedPropertiesEXT { advanced_blend_max_color_attachments }
                };
            /// Greatest size of the workgroup memory of a compute shader, in bytes.
            max_compute_shared_memory_size: u32 = lower::resource::MAX_SHARED
                => [max_compute_shared_memory_size];
            /// Greatest number of workgroups of a dispatch, per axis.
            max_compute_work_group_count: [u32; 3] = [(1 << 22) - 1, 65535, 65535]
                => [max_compute_work_group_count];
            /// Greatest number of invocations of a workgroup.
            max_compute_work_group_invocations: u32 = lower::MAX_LOCAL_INVOCATIONS
                => [max_compute_work_group_invocations];
            /// Greatest number of invocations of a workgroup, per axis.
            max_compute_work_group_size: [u32; 3] = [lower::MAX_LOCAL_INVOCATIONS; 3]
                => [max_compute_work_group_size];
            /// Greatest number of task shader workgroups in a draw.
            max_task_work_group_total_count: u32 = raster::MAX_MESH_GROUPS
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_task_work_group_total_count } };
            /// Greatest number of task shader workgroups in a draw, per axis.
            max_task_work_group_count: [u32; 3] = [65535; 3]
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_task_work_group_count } };
            /// Greatest number of invocations of a task shader workgroup.
            max_task_work_group_invocations: u32 = lower::MAX_LOCAL_INVOCATIONS
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_task_work_group_invocations } };
            /// Greatest number of invocations of a task shader workgroup, per axis.
            max_task_work_group_size: [u32; 3] = [lower::MAX_LOCAL_INVOCATIONS; 3]
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_task_work_group_size } };
            /// Greatest size of the payload that a task shader passes to its mesh shaders, in bytes.
            max_task_payload_size: u32 = ir::MAX_PAYLOAD_BYTES
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_task_payload_size } };
            /// Greatest size of the workgroup memory of a task shader, in bytes.
            max_task_shared_memory_size: u32 = 32768
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_task_shared_memory_size } };
            /// Greatest size of payload and workgroup memory of a task shader, in bytes.
            max_task_payload_and_shared_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_task_payload_and_shared_memory_size } };
            /// Greatest number of mesh shader workgroups in a draw, or launched by one task shader workgroup.
            max_mesh_work_group_total_count: u32 = raster::MAX_MESH_GROUPS
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_work_group_total_count } };
            /// Greatest number of mesh shader workgroups in a draw, or launched by one task shader workgroup, per axis.
            max_mesh_work_group_count: [u32; 3] = [65535; 3]
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_work_group_count } };
            /// Greatest number of invocations of a mesh shader workgroup.
            max_mesh_work_group_invocations: u32 = lower::MAX_LOCAL_INVOCATIONS
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_work_group_invocations } };
            /// Greatest number of invocations of a mesh shader workgroup, per axis.
            max_mesh_work_group_size: [u32; 3] = [lower::MAX_LOCAL_INVOCATIONS; 3]
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_work_group_size } };
            /// Greatest size of the workgroup memory of a mesh shader, in bytes.
            max_mesh_shared_memory_size: u32 = 32768
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_shared_memory_size } };
            /// Greatest size of payload and workgroup memory of a mesh shader, in bytes.
            max_mesh_payload_and_shared_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_payload_and_shared_memory_size } };
            /// Greatest size of the outputs of a mesh shader workgroup without indices, in bytes.
            max_mesh_output_memory_size: u32 = 32768
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_output_memory_size } };
            /// Greatest size of payload and outputs of a mesh shader, in bytes.
            max_mesh_payload_and_output_memory_size: u32 = ir::MAX_PAYLOAD_BYTES + 32768
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_payload_and_output_memory_size } };
            /// Greatest number of scalars that a mesh shader can output per vertex and per primitive, together.
            max_mesh_output_components: u32 = 128
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_output_components } };
            /// Greatest number of vertices that a mesh shader workgroup can output.
            max_mesh_output_vertices: u32 = ir::MAX_MESH_OUTPUTS
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_output_vertices } };
            /// Greatest number of primitives that a mesh shader workgroup can output.
            max_mesh_output_primitives: u32 = ir::MAX_MESH_OUTPUTS
                => { PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_output_primitives } };
            /// Greatest number of views of a render pass.
            max_multiview_view_count: u32 = 6
                => {
                    PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_multiview_view_count }
                    PhysicalDeviceMultiviewProperties { max_multiview_view_count }
                };
            /// Fractional bits of framebuffer coordinates.
            sub_pixel_precision_bits: u32 = raster::SUBPIXEL_BITS => [sub_pixel_precision_bits];
            /// Least and greatest offset of `interpolateAtOffset`, in pixels.
            interpolation_offset_range: [f32; 2] = [-0.5, 0.4375]
                => [min_interpolation_offset[0], max_interpolation_offset[1]];
            /// Fractional bits that an `interpolateAtOffset` offset has at least; every float offset is used unrounded.
            sub_pixel_interpolation_offset_bits: u32 = 4 => [sub_pixel_interpolation_offset_bits];
            /// Fractional bits of the weights of linear filters.
            sub_texel_precision_bits: u32 = 8 => [sub_texel_precision_bits];
            /// Fractional bits of the level of detail in mip filtering.
            mipmap_precision_bits: u32 = 8 => [mipmap_precision_bits];
            /// Supported sample counts of images and attachments, one bit per count.
            sample_counts: u32 = SAMPLE_COUNTS
                => [
                    framebuffer_color_sample_counts,
                    framebuffer_depth_sample_counts,
                    framebuffer_stencil_sample_counts,
                    framebuffer_no_attachments_sample_counts,
                    sampled_image_color_sample_counts,
                    sampled_image_integer_sample_counts,
                    sampled_image_depth_sample_counts,
                    sampled_image_stencil_sample_counts,
                    storage_image_sample_counts,
                ] { PhysicalDeviceVulkan12Properties { framebuffer_integer_color_sample_counts } };
            /// Largest index of an indexed draw.
            max_draw_indexed_index_value: u32 = u32::MAX => [max_draw_indexed_index_value];
            /// Greatest number of draws of one indirect command.
            max_draw_indirect_count: u32 = u32::MAX => [max_draw_indirect_count];
            /// Greatest absolute level-of-detail bias.
            max_sampler_lod_bias: f32 = quadrille_raster::sampling::MAX_SAMPLER_LOD_BIAS
                => [max_sampler_lod_bias];
            /// Greatest anisotropy.
            max_sampler_anisotropy: f32 = quadrille_raster::sampling::MAX_SAMPLER_ANISOTROPY
                => [max_sampler_anisotropy];
            /// Greatest number of viewports.
            max_viewports: u32 = raster::MAX_VIEWPORTS as u32 => [max_viewports];
            /// Greatest width and height of a viewport.
            max_viewport_dimensions: [u32; 2] = [16384; 2] => [max_viewport_dimensions];
            /// Range of viewport coordinates.
            viewport_bounds_range: [f32; 2] = [-32768.0, 32767.0] => [viewport_bounds_range];
            /// Greatest width and height of a framebuffer, in pixels.
            max_framebuffer_size: u32 = raster::MAX_FRAMEBUFFER_PX
                => [max_framebuffer_width, max_framebuffer_height];
            /// Greatest number of layers of a framebuffer.
            max_framebuffer_layers: u32 = 2048
                => [max_framebuffer_layers] {
                    PhysicalDeviceMeshShaderPropertiesEXT { max_mesh_output_layers }
                    PhysicalDeviceFragmentDensityMapLayeredPropertiesVALVE { max_fragment_density_map_layers }
                };
            /// Alignment of mapped memory, in bytes.
            min_memory_map_alignment: u32 = 64 => [min_memory_map_alignment];
            /// Alignment of uniform buffer offsets, in bytes.
            min_uniform_buffer_offset_alignment: u32 = 16 => [min_uniform_buffer_offset_alignment];
            /// Alignment of storage buffer offsets, in bytes.
            min_storage_buffer_offset_alignment: u32 = 16 => [min_storage_buffer_offset_alignment];
            /// Alignment of texel buffer offsets, in bytes.
            min_texel_buffer_offset_alignment: u32 = 16
                => [min_texel_buffer_offset_alignment] {
                    PhysicalDeviceTexelBufferAlignmentProperties {
                        storage_texel_buffer_offset_alignment_bytes,
                        uniform_texel_buffer_offset_alignment_bytes,
                    }
                };
            /// Least offset of a texel fetch.
            min_texel_offset: i32 = -8 => [min_texel_offset];
            /// Greatest offset of a texel fetch.
            max_texel_offset: i32 = 7 => [max_texel_offset];
            /// Least offset of a gather.
            min_texel_gather_offset: i32 = -32 => [min_texel_gather_offset];
            /// Greatest offset of a gather.
            max_texel_gather_offset: i32 = 31 => [max_texel_gather_offset];
            /// Greatest number of samplers with a custom border colour at the same time.
            max_custom_border_color_samplers: u32 = 4000
                => { PhysicalDeviceCustomBorderColorPropertiesEXT { max_custom_border_color_samplers } };
            /// Greatest number of clip distances.
            max_clip_distances: u32 = 8 => [max_clip_distances];
            /// Greatest number of cull distances.
            max_cull_distances: u32 = 8 => [max_cull_distances];
            /// Greatest number of clip and cull distances together.
            max_combined_clip_and_cull_distances: u32 = 8 => [max_combined_clip_and_cull_distances];
            /// Nanoseconds per tick of a timestamp.
            timestamp_period: f32 = 1.0 => [timestamp_period];
            /// Least and greatest point size.
            point_size_range: [f32; 2] = [1.0, raster::MAX_POINT_SIZE] => [point_size_range];
            /// Step between point sizes.
            point_size_granularity: f32 = 1.0 / (1 << raster::SUBPIXEL_BITS) as f32
                => [point_size_granularity];
            /// Least and greatest line width.
            line_width_range: [f32; 2] = [1.0, raster::MAX_LINE_WIDTH] => [line_width_range];
            /// Step between line widths.
            line_width_granularity: f32 = 1.0 / (1 << raster::SUBPIXEL_BITS) as f32
                => [line_width_granularity];
            /// Fractional bits of positions along a stippled rectangular line.
            line_sub_pixel_precision_bits: u32 = raster::SUBPIXEL_BITS
                => { PhysicalDeviceLineRasterizationPropertiesKHR { line_sub_pixel_precision_bits } };
            /// Greatest number of draws of one multi-draw command.
            max_multi_draw_count: u32 = 1 << 20
                => { PhysicalDeviceMultiDrawPropertiesEXT { max_multi_draw_count } };
            /// Greatest size of an inline uniform block, in bytes.
            max_inline_uniform_block_size: u32 = 4096
                => { PhysicalDeviceInlineUniformBlockProperties { max_inline_uniform_block_size } };
            /// Greatest number of push descriptors.
            max_push_descriptors: u32 = 32
                => { PhysicalDevicePushDescriptorPropertiesKHR { max_push_descriptors } };
            /// Greatest nesting depth of secondary command buffers.
            max_command_buffer_nesting_level: u32 = 64
                => { PhysicalDeviceNestedCommandBufferPropertiesEXT { max_command_buffer_nesting_level } };
            /// Greatest number of commands in a command buffer; commands of a secondary one count each time that it is
            /// executed.
            max_executed_commands: u64 = 1 << 28;
            /// Greatest number of sequences of generated commands.
            max_indirect_sequence_count: u32 = 1 << 20
                => { PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT { max_indirect_sequence_count } };
            /// Greatest number of tokens in a sequence.
            max_indirect_commands_token_count: u32 = 64
                => {
                    PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT { max_indirect_commands_token_count }
                };
            /// Greatest offset of a token in a sequence, in bytes.
            max_indirect_commands_token_offset: u32 = 2047
                => {
                    PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT { max_indirect_commands_token_offset }
                };
            /// Greatest stride between sequences, in bytes.
            max_indirect_commands_stride: u32 = 2048
                => {
                    PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT {
                        max_indirect_commands_indirect_stride,
                    }
                };
            /// Greatest number of pipelines or shader objects in an execution set.
            max_indirect_executables: u32 = 1 << 16
                => {
                    PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT {
                        max_indirect_pipeline_count,
                        max_indirect_shader_object_count,
                    }
                };
            /// Greatest number of regions of an indirect decompression.
            max_decompression_indirect_count: u64 = 1 << 20
                => { PhysicalDeviceMemoryDecompressionPropertiesNV { max_decompression_indirect_count } };
            /// Greatest size of one inline buffer update, in bytes.
            max_update_buffer_size: u64 = 65536;
        }
    };
}
