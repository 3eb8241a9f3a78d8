//! Versions of Vulkan, with the commands and structures that came with a version and not with an extension.

use crate::*;

rows! {
    version VK_VERSION_1_0 = 0, core 1 0 {
        commands Global {
            PFN_vkGetInstanceProcAddr = loader::get_instance_proc_addr,
            PFN_vkCreateInstance = instance::create_instance,
            PFN_vkEnumerateInstanceExtensionProperties = instance::enumerate_instance_extension_properties,
            PFN_vkEnumerateInstanceLayerProperties = instance::enumerate_instance_layer_properties,
        }
        commands Instance {
            PFN_vkDestroyInstance = instance::destroy_instance,
            PFN_vkEnumeratePhysicalDevices = instance::enumerate_physical_devices,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceProperties = physical::get_physical_device_properties,
            PFN_vkGetPhysicalDeviceFeatures = physical::get_physical_device_features,
            PFN_vkGetPhysicalDeviceQueueFamilyProperties = physical::get_physical_device_queue_family_properties,
            PFN_vkGetPhysicalDeviceMemoryProperties = physical::get_physical_device_memory_properties,
            PFN_vkGetPhysicalDeviceFormatProperties = format::get_physical_device_format_properties,
            PFN_vkGetPhysicalDeviceImageFormatProperties = format::get_physical_device_image_format_properties,
            PFN_vkGetPhysicalDeviceSparseImageFormatProperties = sparse::get_physical_device_sparse_image_format_properties,
            PFN_vkEnumerateDeviceExtensionProperties = physical::enumerate_device_extension_properties,
            PFN_vkEnumerateDeviceLayerProperties = physical::enumerate_device_layer_properties,
            PFN_vkCreateDevice = device::create_device,
        }
        commands Device {
            PFN_vkGetDeviceProcAddr = loader::get_device_proc_addr,
            PFN_vkDestroyDevice = device::destroy_device,
            PFN_vkGetDeviceQueue = device::get_device_queue,
            PFN_vkDeviceWaitIdle = device::device_wait_idle,
            PFN_vkQueueSubmit = submit::queue_submit,
            PFN_vkQueueWaitIdle = queue::queue_wait_idle,
            PFN_vkQueueBindSparse = sparse::queue_bind_sparse,
            PFN_vkAllocateMemory = memory::allocate_memory,
            PFN_vkFreeMemory = memory::free_memory,
            PFN_vkMapMemory = memory::map_memory,
            PFN_vkUnmapMemory = memory::unmap_memory,
            PFN_vkFlushMappedMemoryRanges = memory::flush_mapped_memory_ranges,
            PFN_vkInvalidateMappedMemoryRanges = memory::invalidate_mapped_memory_ranges,
            PFN_vkGetDeviceMemoryCommitment = memory::get_device_memory_commitment,
            PFN_vkCreateBuffer = buffer::create_buffer,
            PFN_vkDestroyBuffer = buffer::destroy_buffer,
            PFN_vkGetBufferMemoryRequirements = buffer::get_buffer_memory_requirements,
            PFN_vkBindBufferMemory = buffer::bind_buffer_memory,
            PFN_vkCreateBufferView = buffer::create_buffer_view,
            PFN_vkDestroyBufferView = buffer::destroy_buffer_view,
            PFN_vkCreateImage = image::create_image,
            PFN_vkDestroyImage = image::destroy_image,
            PFN_vkGetImageMemoryRequirements = image::get_image_memory_requirements,
            PFN_vkGetImageSparseMemoryRequirements = image::get_image_sparse_memory_requirements,
            PFN_vkGetImageSubresourceLayout = image::get_image_subresource_layout,
            PFN_vkBindImageMemory = image::bind_image_memory,
            PFN_vkCreateImageView = image::create_image_view,
            PFN_vkDestroyImageView = image::destroy_image_view,
            PFN_vkCreateSampler = sampler::create_sampler,
            PFN_vkDestroySampler = sampler::destroy_sampler,
            PFN_vkCreateFence = sync::create_fence,
            PFN_vkDestroyFence = sync::destroy_fence,
            PFN_vkResetFences = sync::reset_fences,
            PFN_vkGetFenceStatus = sync::get_fence_status,
            PFN_vkWaitForFences = sync::wait_for_fences,
            PFN_vkCreateSemaphore = sync::create_semaphore,
            PFN_vkDestroySemaphore = sync::destroy_semaphore,
            PFN_vkCreateEvent = sync::create_event,
            PFN_vkDestroyEvent = sync::destroy_event,
            PFN_vkGetEventStatus = sync::get_event_status,
            PFN_vkSetEvent = sync::set_event,
            PFN_vkResetEvent = sync::reset_event,
            PFN_vkCreateQueryPool = query::create_query_pool,
            PFN_vkDestroyQueryPool = query::destroy_query_pool,
            PFN_vkGetQueryPoolResults = query::get_query_pool_results,
            PFN_vkCreateShaderModule = shader::create_shader_module,
            PFN_vkDestroyShaderModule = shader::destroy_shader_module,
            PFN_vkCreatePipelineCache = pipeline::create_pipeline_cache,
            PFN_vkDestroyPipelineCache = pipeline::destroy_pipeline_cache,
            PFN_vkGetPipelineCacheData = pipeline::get_pipeline_cache_data,
            PFN_vkMergePipelineCaches = pipeline::merge_pipeline_caches,
            PFN_vkCreateGraphicsPipelines = graphics_pipeline::create_graphics_pipelines,
            PFN_vkCreateComputePipelines = pipeline::create_compute_pipelines,
            PFN_vkDestroyPipeline = pipeline::destroy_pipeline,
            PFN_vkCreatePipelineLayout = descriptor::create_pipeline_layout,
            PFN_vkDestroyPipelineLayout = descriptor::destroy_pipeline_layout,
            PFN_vkCreateDescriptorSetLayout = descriptor::create_descriptor_set_layout,
            PFN_vkDestroyDescriptorSetLayout = descriptor::destroy_descriptor_set_layout,
            PFN_vkCreateDescriptorPool = descriptor::create_descriptor_pool,
            PFN_vkDestroyDescriptorPool = descriptor::destroy_descriptor_pool,
            PFN_vkResetDescriptorPool = descriptor::reset_descriptor_pool,
            PFN_vkAllocateDescriptorSets = descriptor::allocate_descriptor_sets,
            PFN_vkFreeDescriptorSets = descriptor::free_descriptor_sets,
            PFN_vkUpdateDescriptorSets = descriptor_update::update_descriptor_sets,
            PFN_vkCreateFramebuffer = render_pass::create_framebuffer,
            PFN_vkDestroyFramebuffer = render_pass::destroy_framebuffer,
            PFN_vkCreateRenderPass = render_pass::create_render_pass,
            PFN_vkDestroyRenderPass = render_pass::destroy_render_pass,
            PFN_vkGetRenderAreaGranularity = render_pass::get_render_area_granularity,
            PFN_vkCreateCommandPool = command::create_command_pool,
            PFN_vkDestroyCommandPool = command::destroy_command_pool,
            PFN_vkResetCommandPool = command::reset_command_pool,
            PFN_vkAllocateCommandBuffers = command::allocate_command_buffers,
            PFN_vkFreeCommandBuffers = command::free_command_buffers,
            PFN_vkBeginCommandBuffer = command::begin_command_buffer,
            PFN_vkEndCommandBuffer = command::end_command_buffer,
            PFN_vkResetCommandBuffer = command::reset_command_buffer,
            PFN_vkCmdExecuteCommands = command::cmd_execute_commands,
            PFN_vkCmdBindPipeline = command_state::cmd_bind_pipeline,
            PFN_vkCmdBindDescriptorSets = command_state::cmd_bind_descriptor_sets,
            PFN_vkCmdPushConstants = command_state::cmd_push_constants,
            PFN_vkCmdSetViewport = command_state::cmd_set_viewport,
            PFN_vkCmdSetScissor = command_state::cmd_set_scissor,
            PFN_vkCmdSetLineWidth = command_state::cmd_set_line_width,
            PFN_vkCmdSetDepthBias = command_state::cmd_set_depth_bias,
            PFN_vkCmdSetBlendConstants = command_state::cmd_set_blend_constants,
            PFN_vkCmdSetDepthBounds = command_state::cmd_set_depth_bounds,
            PFN_vkCmdSetStencilCompareMask = command_state::cmd_set_stencil_compare_mask,
            PFN_vkCmdSetStencilWriteMask = command_state::cmd_set_stencil_write_mask,
            PFN_vkCmdSetStencilReference = command_state::cmd_set_stencil_reference,
            PFN_vkCmdBindIndexBuffer = command_draw::cmd_bind_index_buffer,
            PFN_vkCmdBindVertexBuffers = command_draw::cmd_bind_vertex_buffers,
            PFN_vkCmdDraw = command_draw::cmd_draw,
            PFN_vkCmdDrawIndexed = command_draw::cmd_draw_indexed,
            PFN_vkCmdDrawIndirect = command_draw::cmd_draw_indirect,
            PFN_vkCmdDrawIndexedIndirect = command_draw::cmd_draw_indexed_indirect,
            PFN_vkCmdDispatch = command_draw::cmd_dispatch,
            PFN_vkCmdDispatchIndirect = command_draw::cmd_dispatch_indirect,
            PFN_vkCmdBeginRenderPass = command_render::cmd_begin_render_pass,
            PFN_vkCmdNextSubpass = command_render::cmd_next_subpass,
            PFN_vkCmdEndRenderPass = command_render::cmd_end_render_pass,
            PFN_vkCmdClearAttachments = command_render::cmd_clear_attachments,
            PFN_vkCmdCopyBuffer = command_copy::cmd_copy_buffer,
            PFN_vkCmdCopyImage = command_copy::cmd_copy_image,
            PFN_vkCmdBlitImage = command_copy::cmd_blit_image,
            PFN_vkCmdCopyBufferToImage = command_copy::cmd_copy_buffer_to_image,
            PFN_vkCmdCopyImageToBuffer = command_copy::cmd_copy_image_to_buffer,
            PFN_vkCmdResolveImage = command_copy::cmd_resolve_image,
            PFN_vkCmdUpdateBuffer = command_copy::cmd_update_buffer,
            PFN_vkCmdFillBuffer = command_copy::cmd_fill_buffer,
            PFN_vkCmdClearColorImage = command_copy::cmd_clear_color_image,
            PFN_vkCmdClearDepthStencilImage = command_copy::cmd_clear_depth_stencil_image,
            PFN_vkCmdPipelineBarrier = command_sync::cmd_pipeline_barrier,
            PFN_vkCmdSetEvent = command_sync::cmd_set_event,
            PFN_vkCmdResetEvent = command_sync::cmd_reset_event,
            PFN_vkCmdWaitEvents = command_sync::cmd_wait_events,
            PFN_vkCmdBeginQuery = command_sync::cmd_begin_query,
            PFN_vkCmdEndQuery = command_sync::cmd_end_query,
            PFN_vkCmdResetQueryPool = command_sync::cmd_reset_query_pool,
            PFN_vkCmdWriteTimestamp = command_sync::cmd_write_timestamp,
            PFN_vkCmdCopyQueryPoolResults = command_sync::cmd_copy_query_pool_results,
        }
    }
    version VK_VERSION_1_1 = 0, core 1 1 {
        features [PhysicalDeviceProtectedMemoryFeatures, PhysicalDeviceShaderDrawParametersFeatures]
        properties [PhysicalDeviceProtectedMemoryProperties, PhysicalDeviceSubgroupProperties]
        commands Global {
            PFN_vkEnumerateInstanceVersion = instance::enumerate_instance_version,
        }
        commands Device {
            PFN_vkGetDeviceQueue2 = device::get_device_queue2,
        }
    }
    version VK_VERSION_1_2 = 0, core 1 2 {
        features [PhysicalDeviceVulkan11Features, PhysicalDeviceVulkan12Features]
        properties [PhysicalDeviceVulkan11Properties, PhysicalDeviceVulkan12Properties]
    }
    version VK_VERSION_1_3 = 0, core 1 3 {
        features [PhysicalDeviceTextureCompressionASTCHDRFeatures, PhysicalDeviceVulkan13Features]
        properties [PhysicalDeviceVulkan13Properties]
    }
    version VK_VERSION_1_4 = 0, core 1 4 {
        features [PhysicalDeviceVulkan14Features]
        properties [PhysicalDeviceVulkan14Properties]
    }
}
