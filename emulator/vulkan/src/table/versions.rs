//! Versions of Vulkan, with the commands and structures that came with a version and not with an extension.

use crate::capabilities;
use crate::command_buffer;
use crate::commands;
use crate::descriptor;
use crate::device;
use crate::pipeline;
use crate::query;
use crate::render_pass;
use crate::resource;
use crate::shader;
use crate::sync;

rows! {
    version VK_VERSION_1_0 = 0, core 1 0 {
        commands Global {
            PFN_vkEnumerateInstanceLayerProperties = device::instance::enumerate_instance_layer_properties,
        }
        commands Instance {
            PFN_vkDestroyInstance = device::instance::destroy_instance,
            PFN_vkEnumeratePhysicalDevices = device::instance::enumerate_physical_devices,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceProperties = device::physical::get_physical_device_properties,
            PFN_vkGetPhysicalDeviceFeatures = device::physical::get_physical_device_features,
            PFN_vkGetPhysicalDeviceQueueFamilyProperties = device::physical::get_physical_device_queue_family_properties,
            PFN_vkGetPhysicalDeviceMemoryProperties = device::physical::get_physical_device_memory_properties,
            PFN_vkGetPhysicalDeviceFormatProperties = capabilities::format::get_physical_device_format_properties,
            PFN_vkGetPhysicalDeviceImageFormatProperties = capabilities::format::get_physical_device_image_format_properties,
            PFN_vkGetPhysicalDeviceSparseImageFormatProperties = resource::sparse::get_physical_device_sparse_image_format_properties,
            PFN_vkEnumerateDeviceExtensionProperties = device::physical::enumerate_device_extension_properties,
            PFN_vkEnumerateDeviceLayerProperties = device::physical::enumerate_device_layer_properties,
            PFN_vkCreateDevice = device::create_device,
        }
        commands Device {
            PFN_vkDestroyDevice = device::destroy_device,
            PFN_vkGetDeviceQueue = device::get_device_queue,
            PFN_vkDeviceWaitIdle = device::device_wait_idle,
            PFN_vkQueueSubmit = command_buffer::submit::queue_submit,
            PFN_vkQueueWaitIdle = device::queue::queue_wait_idle,
            PFN_vkQueueBindSparse = resource::sparse::queue_bind_sparse,
            PFN_vkAllocateMemory = resource::memory::allocate_memory,
            PFN_vkFreeMemory = resource::memory::free_memory,
            PFN_vkMapMemory = resource::memory::map_memory,
            PFN_vkUnmapMemory = resource::memory::unmap_memory,
            PFN_vkFlushMappedMemoryRanges = resource::memory::flush_mapped_memory_ranges,
            PFN_vkInvalidateMappedMemoryRanges = resource::memory::invalidate_mapped_memory_ranges,
            PFN_vkGetDeviceMemoryCommitment = resource::memory::get_device_memory_commitment,
            PFN_vkCreateBuffer = resource::buffer::create_buffer,
            PFN_vkDestroyBuffer = resource::buffer::destroy_buffer,
            PFN_vkGetBufferMemoryRequirements = resource::buffer::get_buffer_memory_requirements,
            PFN_vkBindBufferMemory = resource::buffer::bind_buffer_memory,
            PFN_vkCreateBufferView = resource::buffer::create_buffer_view,
            PFN_vkDestroyBufferView = resource::buffer::destroy_buffer_view,
            PFN_vkCreateImage = resource::image::create_image,
            PFN_vkDestroyImage = resource::image::destroy_image,
            PFN_vkGetImageMemoryRequirements = resource::image::get_image_memory_requirements,
            PFN_vkGetImageSparseMemoryRequirements = resource::image::get_image_sparse_memory_requirements,
            PFN_vkGetImageSubresourceLayout = resource::image::get_image_subresource_layout,
            PFN_vkBindImageMemory = resource::image::bind_image_memory,
            PFN_vkCreateImageView = resource::image::create_image_view,
            PFN_vkDestroyImageView = resource::image::destroy_image_view,
            PFN_vkCreateSampler = resource::sampler::create_sampler,
            PFN_vkDestroySampler = resource::sampler::destroy_sampler,
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
            PFN_vkCreateGraphicsPipelines = pipeline::graphics::create_graphics_pipelines,
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
            PFN_vkUpdateDescriptorSets = descriptor::update::update_descriptor_sets,
            PFN_vkCreateFramebuffer = render_pass::create_framebuffer,
            PFN_vkDestroyFramebuffer = render_pass::destroy_framebuffer,
            PFN_vkCreateRenderPass = render_pass::create_render_pass,
            PFN_vkDestroyRenderPass = render_pass::destroy_render_pass,
            PFN_vkGetRenderAreaGranularity = render_pass::get_render_area_granularity,
            PFN_vkCreateCommandPool = command_buffer::create_command_pool,
            PFN_vkDestroyCommandPool = command_buffer::destroy_command_pool,
            PFN_vkResetCommandPool = command_buffer::reset_command_pool,
            PFN_vkAllocateCommandBuffers = command_buffer::allocate_command_buffers,
            PFN_vkFreeCommandBuffers = command_buffer::free_command_buffers,
            PFN_vkBeginCommandBuffer = command_buffer::begin_command_buffer,
            PFN_vkEndCommandBuffer = command_buffer::end_command_buffer,
            PFN_vkResetCommandBuffer = command_buffer::reset_command_buffer,
            PFN_vkCmdExecuteCommands = command_buffer::cmd_execute_commands,
            PFN_vkCmdBindPipeline = commands::state::cmd_bind_pipeline,
            PFN_vkCmdBindDescriptorSets = commands::state::cmd_bind_descriptor_sets,
            PFN_vkCmdPushConstants = commands::state::cmd_push_constants,
            PFN_vkCmdSetViewport = commands::state::cmd_set_viewport,
            PFN_vkCmdSetScissor = commands::state::cmd_set_scissor,
            PFN_vkCmdSetLineWidth = commands::state::cmd_set_line_width,
            PFN_vkCmdSetDepthBias = commands::state::cmd_set_depth_bias,
            PFN_vkCmdSetBlendConstants = commands::state::cmd_set_blend_constants,
            PFN_vkCmdSetDepthBounds = commands::state::cmd_set_depth_bounds,
            PFN_vkCmdSetStencilCompareMask = commands::state::cmd_set_stencil_compare_mask,
            PFN_vkCmdSetStencilWriteMask = commands::state::cmd_set_stencil_write_mask,
            PFN_vkCmdSetStencilReference = commands::state::cmd_set_stencil_reference,
            PFN_vkCmdBindIndexBuffer = commands::draw::cmd_bind_index_buffer,
            PFN_vkCmdBindVertexBuffers = commands::draw::cmd_bind_vertex_buffers,
            PFN_vkCmdDraw = commands::draw::cmd_draw,
            PFN_vkCmdDrawIndexed = commands::draw::cmd_draw_indexed,
            PFN_vkCmdDrawIndirect = commands::draw::cmd_draw_indirect,
            PFN_vkCmdDrawIndexedIndirect = commands::draw::cmd_draw_indexed_indirect,
            PFN_vkCmdDispatch = commands::draw::cmd_dispatch,
            PFN_vkCmdDispatchIndirect = commands::draw::cmd_dispatch_indirect,
            PFN_vkCmdBeginRenderPass = commands::render::cmd_begin_render_pass,
            PFN_vkCmdNextSubpass = commands::render::cmd_next_subpass,
            PFN_vkCmdEndRenderPass = commands::render::cmd_end_render_pass,
            PFN_vkCmdClearAttachments = commands::render::cmd_clear_attachments,
            PFN_vkCmdCopyBuffer = commands::copy::cmd_copy_buffer,
            PFN_vkCmdCopyImage = commands::copy::cmd_copy_image,
            PFN_vkCmdBlitImage = commands::copy::cmd_blit_image,
            PFN_vkCmdCopyBufferToImage = commands::copy::cmd_copy_buffer_to_image,
            PFN_vkCmdCopyImageToBuffer = commands::copy::cmd_copy_image_to_buffer,
            PFN_vkCmdResolveImage = commands::copy::cmd_resolve_image,
            PFN_vkCmdUpdateBuffer = commands::copy::cmd_update_buffer,
            PFN_vkCmdFillBuffer = commands::copy::cmd_fill_buffer,
            PFN_vkCmdClearColorImage = commands::copy::cmd_clear_color_image,
            PFN_vkCmdClearDepthStencilImage = commands::copy::cmd_clear_depth_stencil_image,
            PFN_vkCmdPipelineBarrier = commands::sync::cmd_pipeline_barrier,
            PFN_vkCmdSetEvent = commands::sync::cmd_set_event,
            PFN_vkCmdResetEvent = commands::sync::cmd_reset_event,
            PFN_vkCmdWaitEvents = commands::sync::cmd_wait_events,
            PFN_vkCmdBeginQuery = commands::sync::cmd_begin_query,
            PFN_vkCmdEndQuery = commands::sync::cmd_end_query,
            PFN_vkCmdResetQueryPool = commands::sync::cmd_reset_query_pool,
            PFN_vkCmdWriteTimestamp = commands::sync::cmd_write_timestamp,
            PFN_vkCmdCopyQueryPoolResults = commands::sync::cmd_copy_query_pool_results,
        }
    }
    version VK_VERSION_1_1 = 0, core 1 1 {
        features [PhysicalDeviceProtectedMemoryFeatures, PhysicalDeviceShaderDrawParametersFeatures]
        properties [PhysicalDeviceProtectedMemoryProperties, PhysicalDeviceSubgroupProperties]
        commands Global {
            PFN_vkEnumerateInstanceVersion = device::instance::enumerate_instance_version,
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
        features [PhysicalDeviceVulkan13Features]
        properties [PhysicalDeviceVulkan13Properties]
    }
    version VK_VERSION_1_4 = 0, core 1 4 {
        features [PhysicalDeviceVulkan14Features]
        properties [PhysicalDeviceVulkan14Properties]
    }
}
