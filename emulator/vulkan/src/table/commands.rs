//! Device extensions: rendering, commands, queries and synchronization.

use crate::acceleration_structure;
use crate::command_buffer;
use crate::commands;
use crate::query;
use crate::render_pass;
use crate::shader;
use crate::sync;

rows! {
    // Identical to the EXT extension, of which this is the earlier name.
    device VK_AMD_draw_indirect_count = 2 {
        commands_of [VK_KHR_draw_indirect_count]
    }
    // Primitives reach a sample in the order of the API, which the relaxed order allows, too.
    device VK_AMD_rasterization_order = 1 {}
    device VK_ARM_rasterization_order_attachment_access = 1 {
        features [PhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT]
    }
    device VK_EXT_attachment_feedback_loop_dynamic_state = 1, needs "VK_EXT_attachment_feedback_loop_layout" {
        features [PhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT]
        commands Device {
            PFN_vkCmdSetAttachmentFeedbackLoopEnableEXT = commands::state::cmd_set_attachment_feedback_loop_enable,
        }
    }
    device VK_EXT_attachment_feedback_loop_layout = 2 {
        features [PhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT]
    }
    device VK_EXT_calibrated_timestamps = 2 {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsKHR = query::get_physical_device_calibrateable_time_domains,
        }
        commands Device {
            PFN_vkGetCalibratedTimestampsKHR = query::get_calibrated_timestamps,
        }
    }
    device VK_EXT_conditional_rendering = 2 {
        features [PhysicalDeviceConditionalRenderingFeaturesEXT]
        commands Device {
            PFN_vkCmdBeginConditionalRenderingEXT = commands::draw::cmd_begin_conditional_rendering,
            PFN_vkCmdEndConditionalRenderingEXT = commands::draw::cmd_end_conditional_rendering,
        }
    }
    device VK_EXT_device_generated_commands = 1, needs "((VK_KHR_buffer_device_address,VK_VERSION_1_2)+VK_KHR_maintenance5),VK_VERSION_1_3" {
        features [PhysicalDeviceDeviceGeneratedCommandsFeaturesEXT]
        properties [PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT]
        commands Device {
            PFN_vkGetGeneratedCommandsMemoryRequirementsEXT = commands::generated::get_generated_commands_memory_requirements,
            PFN_vkCmdPreprocessGeneratedCommandsEXT = commands::generated::cmd_preprocess_generated_commands,
            PFN_vkCmdExecuteGeneratedCommandsEXT = commands::generated::cmd_execute_generated_commands,
            PFN_vkCreateIndirectCommandsLayoutEXT = commands::generated::create_indirect_commands_layout,
            PFN_vkDestroyIndirectCommandsLayoutEXT = commands::generated::destroy_indirect_commands_layout,
            PFN_vkCreateIndirectExecutionSetEXT = commands::generated::create_indirect_execution_set,
            PFN_vkDestroyIndirectExecutionSetEXT = commands::generated::destroy_indirect_execution_set,
            PFN_vkUpdateIndirectExecutionSetPipelineEXT = commands::generated::update_indirect_execution_set_pipeline,
            PFN_vkUpdateIndirectExecutionSetShaderEXT = commands::generated::update_indirect_execution_set_shader,
        }
    }
    device VK_EXT_custom_resolve = 1 {
        features [PhysicalDeviceCustomResolveFeaturesEXT]
        commands Device {
            PFN_vkCmdBeginCustomResolveEXT = commands::render::cmd_begin_custom_resolve,
        }
    }
    device VK_EXT_dynamic_rendering_unused_attachments = 1, needs "VK_KHR_dynamic_rendering,VK_VERSION_1_3" {
        features [PhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT]
    }
    device VK_EXT_host_query_reset = 1, core 1 2 {
        features [PhysicalDeviceHostQueryResetFeatures]
        commands Device {
            PFN_vkResetQueryPool = query::reset_query_pool,
        }
    }
    // Dithering may change colours by one ULP; no format is dithered.
    device VK_EXT_legacy_dithering = 2 {
        features [PhysicalDeviceLegacyDitheringFeaturesEXT]
    }
    device VK_EXT_load_store_op_none = 1, core 1 4 {}
    device VK_EXT_memory_decompression = 1, needs "VK_KHR_buffer_device_address,VK_VERSION_1_2" {
        features [PhysicalDeviceMemoryDecompressionFeaturesNV]
        properties [PhysicalDeviceMemoryDecompressionPropertiesNV]
        commands Device {
            PFN_vkCmdDecompressMemoryEXT = commands::decompress::cmd_decompress_memory,
            PFN_vkCmdDecompressMemoryIndirectCountEXT = commands::decompress::cmd_decompress_memory_indirect_count,
        }
    }
    device VK_EXT_multi_draw = 1 {
        features [PhysicalDeviceMultiDrawFeaturesEXT]
        properties [PhysicalDeviceMultiDrawPropertiesEXT]
        commands Device {
            PFN_vkCmdDrawMultiEXT = commands::draw::cmd_draw_multi_ext,
            PFN_vkCmdDrawMultiIndexedEXT = commands::draw::cmd_draw_multi_indexed_ext,
        }
    }
    device VK_EXT_multisampled_render_to_single_sampled = 1, needs "(VK_KHR_create_renderpass2+VK_KHR_depth_stencil_resolve),VK_VERSION_1_2" {
        features [PhysicalDeviceMultisampledRenderToSingleSampledFeaturesEXT]
    }
    device VK_EXT_nested_command_buffer = 1 {
        features [PhysicalDeviceNestedCommandBufferFeaturesEXT]
        properties [PhysicalDeviceNestedCommandBufferPropertiesEXT]
    }
    device VK_EXT_primitives_generated_query = 1, needs "VK_EXT_transform_feedback" {
        features [PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT]
    }
    device VK_EXT_rasterization_order_attachment_access = 1 {
        features [PhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT]
    }
    device VK_EXT_subpass_merge_feedback = 2 {
        features [PhysicalDeviceSubpassMergeFeedbackFeaturesEXT]
    }
    device VK_KHR_calibrated_timestamps = 1 {
        commands_of [VK_EXT_calibrated_timestamps]
    }
    device VK_KHR_copy_commands2 = 1, core 1 3 {
        commands Device {
            PFN_vkCmdCopyBuffer2 = commands::copy::cmd_copy_buffer2,
            PFN_vkCmdCopyImage2 = commands::copy::cmd_copy_image2,
            PFN_vkCmdBlitImage2 = commands::copy::cmd_blit_image2,
            PFN_vkCmdCopyBufferToImage2 = commands::copy::cmd_copy_buffer_to_image2,
            PFN_vkCmdCopyImageToBuffer2 = commands::copy::cmd_copy_image_to_buffer2,
            PFN_vkCmdResolveImage2 = commands::copy::cmd_resolve_image2,
        }
    }
    device VK_KHR_copy_memory_indirect = 1, needs "VK_KHR_buffer_device_address,VK_VERSION_1_2" {
        features [PhysicalDeviceCopyMemoryIndirectFeaturesKHR]
        properties [PhysicalDeviceCopyMemoryIndirectPropertiesKHR]
        commands Device {
            PFN_vkCmdCopyMemoryIndirectKHR = commands::address::cmd_copy_memory_indirect,
            PFN_vkCmdCopyMemoryToImageIndirectKHR = commands::address::cmd_copy_memory_to_image_indirect,
        }
    }
    device VK_KHR_create_renderpass2 = 1, core 1 2 {
        commands Device {
            PFN_vkCreateRenderPass2 = render_pass::create_render_pass2,
            PFN_vkCmdBeginRenderPass2 = commands::render::cmd_begin_render_pass2,
            PFN_vkCmdNextSubpass2 = commands::render::cmd_next_subpass2,
            PFN_vkCmdEndRenderPass2 = commands::render::cmd_end_render_pass2,
        }
    }
    device VK_KHR_depth_stencil_resolve = 1, core 1 2, needs "VK_KHR_create_renderpass2,VK_VERSION_1_2" {
        properties [PhysicalDeviceDepthStencilResolveProperties]
    }
    device VK_KHR_device_address_commands = 1, needs "((VK_KHR_buffer_device_address,VK_VERSION_1_2)+VK_KHR_synchronization2+VK_EXT_extended_dynamic_state),VK_VERSION_1_3" {
        features [PhysicalDeviceDeviceAddressCommandsFeaturesKHR]
        commands Device {
            PFN_vkCmdBindIndexBuffer3KHR = commands::address::cmd_bind_index_buffer3,
            PFN_vkCmdBindVertexBuffers3KHR = commands::address::cmd_bind_vertex_buffers3,
            PFN_vkCmdDrawIndirect2KHR = commands::address::cmd_draw_indirect2,
            PFN_vkCmdDrawIndexedIndirect2KHR = commands::address::cmd_draw_indexed_indirect2,
            PFN_vkCmdDrawIndirectCount2KHR = commands::address::cmd_draw_indirect_count2,
            PFN_vkCmdDrawIndexedIndirectCount2KHR = commands::address::cmd_draw_indexed_indirect_count2,
            PFN_vkCmdDispatchIndirect2KHR = commands::address::cmd_dispatch_indirect2,
            PFN_vkCmdCopyMemoryKHR = commands::address::cmd_copy_memory,
            PFN_vkCmdCopyMemoryToImageKHR = commands::address::cmd_copy_memory_to_image,
            PFN_vkCmdCopyImageToMemoryKHR = commands::address::cmd_copy_image_to_memory,
            PFN_vkCmdUpdateMemoryKHR = commands::address::cmd_update_memory,
            PFN_vkCmdFillMemoryKHR = commands::address::cmd_fill_memory,
            PFN_vkCmdCopyQueryPoolResultsToMemoryKHR = commands::address::cmd_copy_query_pool_results_to_memory,
            PFN_vkCmdBeginConditionalRendering2EXT = commands::address::cmd_begin_conditional_rendering2,
            PFN_vkCmdBindTransformFeedbackBuffers2EXT = commands::address::cmd_bind_transform_feedback_buffers2,
            PFN_vkCmdBeginTransformFeedback2EXT = commands::address::cmd_begin_transform_feedback2,
            PFN_vkCmdEndTransformFeedback2EXT = commands::address::cmd_end_transform_feedback2,
            PFN_vkCmdDrawIndirectByteCount2EXT = commands::address::cmd_draw_indirect_byte_count2,
            PFN_vkCmdDrawMeshTasksIndirect2EXT = commands::address::cmd_draw_mesh_tasks_indirect2,
            PFN_vkCmdDrawMeshTasksIndirectCount2EXT = commands::address::cmd_draw_mesh_tasks_indirect_count2,
            PFN_vkCreateAccelerationStructure2KHR = acceleration_structure::create_acceleration_structure2,
        }
    }
    device VK_KHR_draw_indirect_count = 1, core 1 2 {
        commands Device {
            PFN_vkCmdDrawIndirectCount = commands::draw::cmd_draw_indirect_count,
            PFN_vkCmdDrawIndexedIndirectCount = commands::draw::cmd_draw_indexed_indirect_count,
        }
    }
    device VK_KHR_dynamic_rendering = 1, core 1 3, needs "VK_KHR_depth_stencil_resolve,VK_VERSION_1_2" {
        features [PhysicalDeviceDynamicRenderingFeatures]
        commands Device {
            PFN_vkCmdBeginRendering = commands::render::cmd_begin_rendering,
            PFN_vkCmdEndRendering = commands::render::cmd_end_rendering,
        }
    }
    device VK_KHR_dynamic_rendering_local_read = 1, core 1 4, needs "VK_KHR_dynamic_rendering,VK_VERSION_1_3" {
        features [PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR]
        commands Device {
            PFN_vkCmdSetRenderingAttachmentLocationsKHR = shader::object::cmd_set_rendering_attachment_locations,
            PFN_vkCmdSetRenderingInputAttachmentIndicesKHR = commands::render::cmd_set_rendering_input_attachment_indices,
        }
    }
    device VK_KHR_imageless_framebuffer = 1, core 1 2, needs "VK_KHR_image_format_list,VK_VERSION_1_2" {
        features [PhysicalDeviceImagelessFramebufferFeatures]
    }
    device VK_KHR_load_store_op_none = 1, core 1 4 {}
    device VK_KHR_multiview = 1, core 1 1 {
        features [PhysicalDeviceMultiviewFeatures]
        properties [PhysicalDeviceMultiviewProperties]
    }
    device VK_KHR_separate_depth_stencil_layouts = 1, core 1 2, needs "VK_KHR_create_renderpass2,VK_VERSION_1_2" {
        features [PhysicalDeviceSeparateDepthStencilLayoutsFeatures]
    }
    device VK_KHR_synchronization2 = 1, core 1 3 {
        features [PhysicalDeviceSynchronization2Features]
        commands Device {
            PFN_vkQueueSubmit2 = command_buffer::submit::queue_submit2,
            PFN_vkCmdPipelineBarrier2 = commands::sync::cmd_pipeline_barrier2,
            PFN_vkCmdSetEvent2 = commands::sync::cmd_set_event2,
            PFN_vkCmdResetEvent2 = commands::sync::cmd_reset_event2,
            PFN_vkCmdWaitEvents2 = commands::sync::cmd_wait_events2,
            PFN_vkCmdWriteTimestamp2 = commands::sync::cmd_write_timestamp2,
        }
    }
    device VK_KHR_timeline_semaphore = 2, core 1 2 {
        features [PhysicalDeviceTimelineSemaphoreFeatures]
        properties [PhysicalDeviceTimelineSemaphoreProperties]
        commands Device {
            PFN_vkGetSemaphoreCounterValue = sync::get_semaphore_counter_value,
            PFN_vkWaitSemaphores = sync::wait_semaphores,
            PFN_vkSignalSemaphore = sync::signal_semaphore,
        }
    }
    device VK_NV_memory_decompression = 1, needs "VK_KHR_buffer_device_address,VK_VERSION_1_2" {
        features [PhysicalDeviceMemoryDecompressionFeaturesNV]
        properties [PhysicalDeviceMemoryDecompressionPropertiesNV]
        commands Device {
            PFN_vkCmdDecompressMemoryNV = commands::decompress::cmd_decompress_memory_nv,
            PFN_vkCmdDecompressMemoryIndirectCountNV = commands::decompress::cmd_decompress_memory_indirect_count_nv,
        }
    }
}
