//! The table of versions and extensions: a row says everything about one, in the words of the registry
//! (`vk.xml`): revision, the version it became part of, what it needs, feature and property structures,
//! commands.
//!
//! What is handed out, answered and checked derives from the rows in `extensions` and `lookup`; the values of fields are in
//! `features` and `properties`. Each command's function is checked against the type that the specification
//! gives it.

use ash::vk;
use ash::vk::TaggedStructure;

use crate::*;

/// Name of an extension.
pub type Extension = &'static str;

/// Major and minor number of a version.
pub type Version = (u32, u32);

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A version of Vulkan.
    Version,
    /// An instance extension.
    Instance,
    /// A device extension.
    Device,
}

/// What a command's first argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// No handle.
    Global,
    /// An instance.
    Instance,
    /// A physical device.
    PhysicalDevice,
    /// A device, queue or command buffer.
    Device,
}

/// A command, whatever its type.
pub type Function = unsafe extern "system" fn();

/// A version or an extension.
#[derive(Debug)]
pub struct Row {
    /// What the row is about.
    pub kind: Kind,
    /// Name, as `VK_VERSION_1_1` or `VK_KHR_maintenance1`.
    pub name: Extension,
    /// Revision of the extension that is implemented.
    pub revision: u32,
    /// The version that it became part of, or is.
    pub core: Option<Version>,
    /// What must be enabled too: names with `+` for "and", `,` for "or", and parentheses. What 1.1 satisfies is
    /// left out, since all devices are of 1.1 at least.
    pub needs: &'static str,
    /// Structures that extend VkPhysicalDeviceFeatures2.
    pub features: &'static [vk::StructureType],
    /// Structures that extend VkPhysicalDeviceProperties2.
    pub properties: &'static [vk::StructureType],
    /// Commands: first argument, name of the type in the bindings, function. An extension's commands have its
    /// suffix, whatever the type's has.
    pub commands: &'static [(Level, &'static str, Function)],
}

/// Structures of the bindings and newer ones.
mod structures {
    pub use ash::vk::*;

    pub use crate::newer::*;
}

/// Commands of promoted extensions that stayed behind.
pub const NOT_PROMOTED: &[&str] = &["vkCmdSetPatchControlPoints", "vkCmdSetLogicOp"];

/// Commands of extensions with another suffix, which keep theirs: EXT.
pub const OWN_SUFFIX: &[&str] = &[
    "vkCmdBeginConditionalRendering2",
    "vkCmdBindTransformFeedbackBuffers2",
    "vkCmdBeginTransformFeedback2",
    "vkCmdEndTransformFeedback2",
    "vkCmdDrawIndirectByteCount2",
    "vkCmdDrawMeshTasksIndirect2",
    "vkCmdDrawMeshTasksIndirectCount2",
];

const fn first(list: &[Version]) -> Option<Version> {
    match list {
        [version, ..] => Some(*version),
        [] => None,
    }
}

macro_rules! kind {
    (version) => {
        Kind::Version
    };
    (instance) => {
        Kind::Instance
    };
    (device) => {
        Kind::Device
    };
}

macro_rules! rows {
    ($(
        $kind:ident $name:ident = $revision:literal
        $(, core $major:literal $minor:literal)? $(, needs $needs:literal)? {
            $(features [$($feature:ident),* $(,)?])?
            $(properties [$($property:ident),* $(,)?])?
            $(commands $level:ident { $($pfn:ident = $function:path),* $(,)? })*
        }
    )*) => {
        /// The rows.
        pub static ROWS: &[Row] = &[$(Row {
            kind: kind!($kind),
            name: stringify!($name),
            revision: $revision,
            core: first(&[$(($major, $minor))?]),
            needs: concat!("" $(, $needs)?),
            features: &[$($(<structures::$feature as TaggedStructure>::STRUCTURE_TYPE,)*)?],
            properties: &[$($(<structures::$property as TaggedStructure>::STRUCTURE_TYPE,)*)?],
            commands: &[$($((
                Level::$level,
                stringify!($pfn),
                {
                    let function: structures::$pfn = $function;
                    // SAFETY: a function pointer; whoever calls it casts it back to the command's type.
                    unsafe { std::mem::transmute::<structures::$pfn, Function>(function) }
                },
            ),)*)*],
        },)*];
    };
}

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
    instance VK_EXT_headless_surface = 1, needs "VK_KHR_surface" {
        commands Instance {
            PFN_vkCreateHeadlessSurfaceEXT = wsi::surface::create_headless_surface,
        }
    }
    instance VK_EXT_surface_maintenance1 = 1, needs "VK_KHR_surface+VK_KHR_get_surface_capabilities2" {}
    instance VK_EXT_swapchain_colorspace = 5, needs "VK_KHR_surface" {}
    instance VK_KHR_device_group_creation = 1, core 1 1 {
        commands Instance {
            PFN_vkEnumeratePhysicalDeviceGroups = instance::enumerate_physical_device_groups,
        }
    }
    instance VK_KHR_external_fence_capabilities = 1, core 1 1 {
        properties [PhysicalDeviceIDProperties]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalFenceProperties = external::get_physical_device_external_fence_properties,
        }
    }
    instance VK_KHR_external_memory_capabilities = 1, core 1 1 {
        properties [PhysicalDeviceIDProperties]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalBufferProperties = external::get_physical_device_external_buffer_properties,
        }
    }
    instance VK_KHR_external_semaphore_capabilities = 1, core 1 1 {
        properties [PhysicalDeviceIDProperties]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalSemaphoreProperties = external::get_physical_device_external_semaphore_properties,
        }
    }
    instance VK_KHR_get_physical_device_properties2 = 2, core 1 1 {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceProperties2 = physical::get_physical_device_properties2,
            PFN_vkGetPhysicalDeviceFeatures2 = physical::get_physical_device_features2,
            PFN_vkGetPhysicalDeviceQueueFamilyProperties2 = physical::get_physical_device_queue_family_properties2,
            PFN_vkGetPhysicalDeviceMemoryProperties2 = physical::get_physical_device_memory_properties2,
            PFN_vkGetPhysicalDeviceFormatProperties2 = format::get_physical_device_format_properties2,
            PFN_vkGetPhysicalDeviceImageFormatProperties2 = format::get_physical_device_image_format_properties2,
            PFN_vkGetPhysicalDeviceSparseImageFormatProperties2 = sparse::get_physical_device_sparse_image_format_properties2,
        }
    }
    instance VK_KHR_get_surface_capabilities2 = 1, needs "VK_KHR_surface" {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceSurfaceCapabilities2KHR = wsi::surface::get_physical_device_surface_capabilities2,
            PFN_vkGetPhysicalDeviceSurfaceFormats2KHR = wsi::surface::get_physical_device_surface_formats2,
        }
    }
    instance VK_KHR_surface = 25 {
        commands Instance {
            PFN_vkDestroySurfaceKHR = wsi::surface::destroy_surface,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceSurfaceSupportKHR = wsi::surface::get_physical_device_surface_support,
            PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR = wsi::surface::get_physical_device_surface_capabilities,
            PFN_vkGetPhysicalDeviceSurfaceFormatsKHR = wsi::surface::get_physical_device_surface_formats,
            PFN_vkGetPhysicalDeviceSurfacePresentModesKHR = wsi::surface::get_physical_device_surface_present_modes,
        }
    }
    instance VK_KHR_surface_maintenance1 = 1, needs "VK_KHR_surface+VK_KHR_get_surface_capabilities2" {}
    instance VK_KHR_surface_protected_capabilities = 1, needs "VK_KHR_get_surface_capabilities2" {}
    instance VK_KHR_wayland_surface = 6, needs "VK_KHR_surface" {
        commands Instance {
            PFN_vkCreateWaylandSurfaceKHR = wsi::surface::create_wayland_surface,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceWaylandPresentationSupportKHR = wsi::surface::get_physical_device_wayland_presentation_support,
        }
    }
    instance VK_KHR_xcb_surface = 6, needs "VK_KHR_surface" {
        commands Instance {
            PFN_vkCreateXcbSurfaceKHR = wsi::surface::create_xcb_surface,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceXcbPresentationSupportKHR = wsi::surface::get_physical_device_xcb_presentation_support,
        }
    }
    instance VK_KHR_xlib_surface = 6, needs "VK_KHR_surface" {
        commands Instance {
            PFN_vkCreateXlibSurfaceKHR = wsi::surface::create_xlib_surface,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceXlibPresentationSupportKHR = wsi::surface::get_physical_device_xlib_presentation_support,
        }
    }
    device VK_EXT_4444_formats = 1, core 1 3 {
        features [PhysicalDevice4444FormatsFeaturesEXT]
    }
    device VK_EXT_astc_decode_mode = 1 {
        features [PhysicalDeviceASTCDecodeFeaturesEXT]
    }
    device VK_EXT_attachment_feedback_loop_dynamic_state = 1, needs "VK_EXT_attachment_feedback_loop_layout" {
        features [PhysicalDeviceAttachmentFeedbackLoopDynamicStateFeaturesEXT]
        commands Device {
            PFN_vkCmdSetAttachmentFeedbackLoopEnableEXT = command_state::cmd_set_attachment_feedback_loop_enable,
        }
    }
    device VK_EXT_attachment_feedback_loop_layout = 2 {
        features [PhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT]
    }
    device VK_EXT_blend_operation_advanced = 2 {
        features [PhysicalDeviceBlendOperationAdvancedFeaturesEXT]
        properties [PhysicalDeviceBlendOperationAdvancedPropertiesEXT]
    }
    device VK_EXT_border_color_swizzle = 1, needs "VK_EXT_custom_border_color" {
        features [PhysicalDeviceBorderColorSwizzleFeaturesEXT]
    }
    device VK_EXT_buffer_device_address = 2 {
        features [PhysicalDeviceBufferDeviceAddressFeaturesEXT]
        commands Device {
            PFN_vkGetBufferDeviceAddress = buffer::get_buffer_device_address,
        }
    }
    device VK_EXT_calibrated_timestamps = 2 {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsKHR = query::get_physical_device_calibrateable_time_domains,
        }
        commands Device {
            PFN_vkGetCalibratedTimestampsKHR = query::get_calibrated_timestamps,
        }
    }
    device VK_EXT_color_write_enable = 1 {
        features [PhysicalDeviceColorWriteEnableFeaturesEXT]
        commands Device {
            PFN_vkCmdSetColorWriteEnableEXT = command_state::cmd_set_color_write_enable,
        }
    }
    device VK_EXT_conditional_rendering = 2 {
        features [PhysicalDeviceConditionalRenderingFeaturesEXT]
        commands Device {
            PFN_vkCmdBeginConditionalRenderingEXT = command_draw::cmd_begin_conditional_rendering,
            PFN_vkCmdEndConditionalRenderingEXT = command_draw::cmd_end_conditional_rendering,
        }
    }
    device VK_EXT_custom_border_color = 12 {
        features [PhysicalDeviceCustomBorderColorFeaturesEXT]
        properties [PhysicalDeviceCustomBorderColorPropertiesEXT]
    }
    // What it needs of the instance is the loader's.
    device VK_EXT_debug_marker = 4 {
        commands Device {
            PFN_vkDebugMarkerSetObjectTagEXT = private_data::debug_marker_set_object_tag,
            PFN_vkDebugMarkerSetObjectNameEXT = private_data::debug_marker_set_object_name,
            PFN_vkCmdDebugMarkerBeginEXT = private_data::cmd_debug_marker_begin,
            PFN_vkCmdDebugMarkerEndEXT = private_data::cmd_debug_marker_end,
            PFN_vkCmdDebugMarkerInsertEXT = private_data::cmd_debug_marker_insert,
        }
    }
    device VK_EXT_depth_bias_control = 1 {
        features [PhysicalDeviceDepthBiasControlFeaturesEXT]
        commands Device {
            PFN_vkCmdSetDepthBias2EXT = command_state::cmd_set_depth_bias2,
        }
    }
    device VK_EXT_depth_clip_control = 1 {
        features [PhysicalDeviceDepthClipControlFeaturesEXT]
    }
    device VK_EXT_depth_clip_enable = 1 {
        features [PhysicalDeviceDepthClipEnableFeaturesEXT]
    }
    device VK_EXT_depth_range_unrestricted = 1 {}
    device VK_EXT_descriptor_buffer = 1, needs "(((VK_KHR_buffer_device_address+VK_EXT_descriptor_indexing),VK_VERSION_1_2)+VK_KHR_synchronization2),VK_VERSION_1_3" {
        features [PhysicalDeviceDescriptorBufferFeaturesEXT]
        properties [PhysicalDeviceDescriptorBufferPropertiesEXT]
        commands Device {
            PFN_vkGetDescriptorSetLayoutSizeEXT = descriptor_buffer::get_descriptor_set_layout_size,
            PFN_vkGetDescriptorSetLayoutBindingOffsetEXT = descriptor_buffer::get_descriptor_set_layout_binding_offset,
            PFN_vkGetDescriptorEXT = descriptor_buffer::get_descriptor,
            PFN_vkCmdBindDescriptorBuffersEXT = descriptor_buffer::cmd_bind_descriptor_buffers,
            PFN_vkCmdSetDescriptorBufferOffsetsEXT = descriptor_buffer::cmd_set_descriptor_buffer_offsets,
            PFN_vkCmdSetDescriptorBufferOffsets2EXT = descriptor_buffer::cmd_set_descriptor_buffer_offsets2,
            PFN_vkCmdBindDescriptorBufferEmbeddedSamplersEXT = descriptor_buffer::cmd_bind_descriptor_buffer_embedded_samplers,
            PFN_vkCmdBindDescriptorBufferEmbeddedSamplers2EXT = descriptor_buffer::cmd_bind_descriptor_buffer_embedded_samplers2,
            PFN_vkGetBufferOpaqueCaptureDescriptorDataEXT = descriptor_buffer::get_buffer_opaque_capture_descriptor_data,
            PFN_vkGetImageOpaqueCaptureDescriptorDataEXT = descriptor_buffer::get_image_opaque_capture_descriptor_data,
            PFN_vkGetImageViewOpaqueCaptureDescriptorDataEXT = descriptor_buffer::get_image_view_opaque_capture_descriptor_data,
            PFN_vkGetSamplerOpaqueCaptureDescriptorDataEXT = descriptor_buffer::get_sampler_opaque_capture_descriptor_data,
        }
    }
    device VK_EXT_descriptor_indexing = 2, core 1 2 {
        features [PhysicalDeviceDescriptorIndexingFeatures]
        properties [PhysicalDeviceDescriptorIndexingProperties]
    }
    device VK_EXT_device_fault = 2 {
        features [PhysicalDeviceFaultFeaturesEXT]
        commands Device {
            PFN_vkGetDeviceFaultInfoEXT = device::get_device_fault_info,
        }
    }
    device VK_EXT_dynamic_rendering_unused_attachments = 1, needs "VK_KHR_dynamic_rendering,VK_VERSION_1_3" {
        features [PhysicalDeviceDynamicRenderingUnusedAttachmentsFeaturesEXT]
    }
    device VK_EXT_extended_dynamic_state = 1, core 1 3 {
        features [PhysicalDeviceExtendedDynamicStateFeaturesEXT]
        commands Device {
            PFN_vkCmdSetCullMode = command_state::cmd_set_cull_mode,
            PFN_vkCmdSetFrontFace = command_state::cmd_set_front_face,
            PFN_vkCmdSetPrimitiveTopology = command_state::cmd_set_primitive_topology,
            PFN_vkCmdSetViewportWithCount = command_state::cmd_set_viewport_with_count,
            PFN_vkCmdSetScissorWithCount = command_state::cmd_set_scissor_with_count,
            PFN_vkCmdBindVertexBuffers2 = command_draw::cmd_bind_vertex_buffers2,
            PFN_vkCmdSetDepthTestEnable = command_state::cmd_set_depth_test_enable,
            PFN_vkCmdSetDepthWriteEnable = command_state::cmd_set_depth_write_enable,
            PFN_vkCmdSetDepthCompareOp = command_state::cmd_set_depth_compare_op,
            PFN_vkCmdSetDepthBoundsTestEnable = command_state::cmd_set_depth_bounds_test_enable,
            PFN_vkCmdSetStencilTestEnable = command_state::cmd_set_stencil_test_enable,
            PFN_vkCmdSetStencilOp = command_state::cmd_set_stencil_op,
        }
    }
    device VK_EXT_extended_dynamic_state2 = 1, core 1 3 {
        features [PhysicalDeviceExtendedDynamicState2FeaturesEXT]
        commands Device {
            PFN_vkCmdSetRasterizerDiscardEnable = command_state::cmd_set_rasterizer_discard_enable,
            PFN_vkCmdSetPatchControlPointsEXT = command_state::cmd_set_patch_control_points,
            PFN_vkCmdSetLogicOpEXT = command_state::cmd_set_logic_op,
            PFN_vkCmdSetDepthBiasEnable = command_state::cmd_set_depth_bias_enable,
            PFN_vkCmdSetPrimitiveRestartEnable = command_state::cmd_set_primitive_restart_enable,
        }
    }
    device VK_EXT_extended_dynamic_state3 = 2 {
        features [PhysicalDeviceExtendedDynamicState3FeaturesEXT]
        properties [PhysicalDeviceExtendedDynamicState3PropertiesEXT]
        commands Device {
            PFN_vkCmdSetDepthClampEnableEXT = command_state::cmd_set_depth_clamp_enable,
            PFN_vkCmdSetPolygonModeEXT = command_state::cmd_set_polygon_mode,
            PFN_vkCmdSetRasterizationSamplesEXT = command_state::cmd_set_rasterization_samples,
            PFN_vkCmdSetSampleMaskEXT = command_state::cmd_set_sample_mask,
            PFN_vkCmdSetAlphaToCoverageEnableEXT = command_state::cmd_set_alpha_to_coverage_enable,
            PFN_vkCmdSetAlphaToOneEnableEXT = command_state::cmd_set_alpha_to_one_enable,
            PFN_vkCmdSetLogicOpEnableEXT = command_state::cmd_set_logic_op_enable,
            PFN_vkCmdSetColorBlendEnableEXT = command_state::cmd_set_color_blend_enable,
            PFN_vkCmdSetColorBlendEquationEXT = command_state::cmd_set_color_blend_equation,
            PFN_vkCmdSetColorWriteMaskEXT = command_state::cmd_set_color_write_mask,
            PFN_vkCmdSetColorBlendAdvancedEXT = command_state::cmd_set_color_blend_advanced,
            PFN_vkCmdSetDepthClipEnableEXT = command_state::cmd_set_depth_clip_enable,
            PFN_vkCmdSetTessellationDomainOriginEXT = command_state::cmd_set_tessellation_domain_origin,
            PFN_vkCmdSetRasterizationStreamEXT = command_state::cmd_set_rasterization_stream,
            PFN_vkCmdSetConservativeRasterizationModeEXT = command_state::cmd_set_conservative_rasterization_mode,
            PFN_vkCmdSetExtraPrimitiveOverestimationSizeEXT = command_state::cmd_set_extra_primitive_overestimation_size,
            PFN_vkCmdSetSampleLocationsEnableEXT = command_state::cmd_set_sample_locations_enable,
            PFN_vkCmdSetProvokingVertexModeEXT = command_state::cmd_set_provoking_vertex_mode,
            PFN_vkCmdSetLineRasterizationModeEXT = command_state::cmd_set_line_rasterization_mode,
            PFN_vkCmdSetLineStippleEnableEXT = command_state::cmd_set_line_stipple_enable,
            PFN_vkCmdSetDepthClipNegativeOneToOneEXT = command_state::cmd_set_depth_clip_negative_one_to_one,
        }
    }
    device VK_EXT_external_memory_acquire_unmodified = 1 {}
    device VK_EXT_external_memory_host = 1 {
        properties [PhysicalDeviceExternalMemoryHostPropertiesEXT]
        commands Device {
            PFN_vkGetMemoryHostPointerPropertiesEXT = external::get_memory_host_pointer_properties,
        }
    }
    device VK_EXT_fragment_shader_interlock = 1 {
        features [PhysicalDeviceFragmentShaderInterlockFeaturesEXT]
    }
    device VK_EXT_global_priority = 2 {}
    device VK_EXT_global_priority_query = 1, needs "VK_EXT_global_priority" {
        features [PhysicalDeviceGlobalPriorityQueryFeaturesKHR]
    }
    device VK_EXT_graphics_pipeline_library = 1, needs "VK_KHR_pipeline_library" {
        features [PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT]
        properties [PhysicalDeviceGraphicsPipelineLibraryPropertiesEXT]
    }
    device VK_EXT_hdr_metadata = 3, needs "VK_KHR_swapchain" {
        commands Device {
            PFN_vkSetHdrMetadataEXT = wsi::swapchain::set_hdr_metadata,
        }
    }
    device VK_EXT_host_image_copy = 1, core 1 4, needs "(VK_KHR_copy_commands2+VK_KHR_format_feature_flags2),VK_VERSION_1_3" {
        features [PhysicalDeviceHostImageCopyFeaturesEXT]
        properties [PhysicalDeviceHostImageCopyPropertiesEXT]
        commands Device {
            PFN_vkCopyMemoryToImageEXT = host_copy::copy_memory_to_image,
            PFN_vkCopyImageToMemoryEXT = host_copy::copy_image_to_memory,
            PFN_vkCopyImageToImageEXT = host_copy::copy_image_to_image,
            PFN_vkTransitionImageLayoutEXT = host_copy::transition_image_layout,
            PFN_vkGetImageSubresourceLayout2KHR = image::get_image_subresource_layout2,
        }
    }
    device VK_EXT_host_query_reset = 1, core 1 2 {
        features [PhysicalDeviceHostQueryResetFeatures]
        commands Device {
            PFN_vkResetQueryPool = query::reset_query_pool,
        }
    }
    device VK_EXT_image_2d_view_of_3d = 1 {
        features [PhysicalDeviceImage2DViewOf3DFeaturesEXT]
    }
    device VK_EXT_image_robustness = 1, core 1 3 {
        features [PhysicalDeviceImageRobustnessFeatures]
    }
    device VK_EXT_image_sliced_view_of_3d = 1 {
        features [PhysicalDeviceImageSlicedViewOf3DFeaturesEXT]
    }
    device VK_EXT_image_view_min_lod = 1 {
        features [PhysicalDeviceImageViewMinLodFeaturesEXT]
    }
    device VK_EXT_index_type_uint8 = 1, core 1 4 {
        features [PhysicalDeviceIndexTypeUint8FeaturesKHR]
    }
    device VK_EXT_inline_uniform_block = 1, core 1 3 {
        features [PhysicalDeviceInlineUniformBlockFeatures]
        properties [PhysicalDeviceInlineUniformBlockProperties]
    }
    device VK_EXT_legacy_vertex_attributes = 1, needs "VK_EXT_vertex_input_dynamic_state" {
        features [PhysicalDeviceLegacyVertexAttributesFeaturesEXT]
        properties [PhysicalDeviceLegacyVertexAttributesPropertiesEXT]
    }
    device VK_EXT_line_rasterization = 1, core 1 4 {
        features [PhysicalDeviceLineRasterizationFeaturesKHR]
        properties [PhysicalDeviceLineRasterizationPropertiesKHR]
        commands Device {
            PFN_vkCmdSetLineStippleKHR = command_state::cmd_set_line_stipple,
        }
    }
    device VK_EXT_load_store_op_none = 1, core 1 4 {}
    device VK_EXT_memory_budget = 1 {}
    device VK_EXT_memory_priority = 1 {
        features [PhysicalDeviceMemoryPriorityFeaturesEXT]
    }
    device VK_EXT_mesh_shader = 1, needs "VK_KHR_spirv_1_4,VK_VERSION_1_2" {
        features [PhysicalDeviceMeshShaderFeaturesEXT]
        properties [PhysicalDeviceMeshShaderPropertiesEXT]
        commands Device {
            PFN_vkCmdDrawMeshTasksEXT = command_draw::cmd_draw_mesh_tasks,
            PFN_vkCmdDrawMeshTasksIndirectEXT = command_draw::cmd_draw_mesh_tasks_indirect,
            PFN_vkCmdDrawMeshTasksIndirectCountEXT = command_draw::cmd_draw_mesh_tasks_indirect_count,
        }
    }
    device VK_EXT_multi_draw = 1 {
        features [PhysicalDeviceMultiDrawFeaturesEXT]
        properties [PhysicalDeviceMultiDrawPropertiesEXT]
        commands Device {
            PFN_vkCmdDrawMultiEXT = command_draw::cmd_draw_multi_ext,
            PFN_vkCmdDrawMultiIndexedEXT = command_draw::cmd_draw_multi_indexed_ext,
        }
    }
    device VK_EXT_mutable_descriptor_type = 1 {
        features [PhysicalDeviceMutableDescriptorTypeFeaturesEXT]
    }
    device VK_EXT_nested_command_buffer = 1 {
        features [PhysicalDeviceNestedCommandBufferFeaturesEXT]
        properties [PhysicalDeviceNestedCommandBufferPropertiesEXT]
    }
    device VK_EXT_non_seamless_cube_map = 1 {
        features [PhysicalDeviceNonSeamlessCubeMapFeaturesEXT]
    }
    device VK_EXT_pageable_device_local_memory = 1, needs "VK_EXT_memory_priority" {
        features [PhysicalDevicePageableDeviceLocalMemoryFeaturesEXT]
        commands Device {
            PFN_vkSetDeviceMemoryPriorityEXT = memory::set_device_memory_priority,
        }
    }
    device VK_EXT_pipeline_creation_cache_control = 3, core 1 3 {
        features [PhysicalDevicePipelineCreationCacheControlFeatures]
    }
    device VK_EXT_pipeline_creation_feedback = 1, core 1 3 {}
    device VK_EXT_pipeline_protected_access = 1, core 1 4 {
        features [PhysicalDevicePipelineProtectedAccessFeaturesEXT]
    }
    device VK_EXT_pipeline_robustness = 1, core 1 4 {
        features [PhysicalDevicePipelineRobustnessFeaturesEXT]
        properties [PhysicalDevicePipelineRobustnessPropertiesEXT]
    }
    device VK_EXT_post_depth_coverage = 1 {}
    device VK_EXT_present_mode_fifo_latest_ready = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDevicePresentModeFifoLatestReadyFeaturesKHR]
    }
    device VK_EXT_primitive_restart_index = 1 {
        features [PhysicalDevicePrimitiveRestartIndexFeaturesEXT]
        commands Device {
            PFN_vkCmdSetPrimitiveRestartIndexEXT = command_state::cmd_set_primitive_restart_index,
        }
    }
    device VK_EXT_primitive_topology_list_restart = 1 {
        features [PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT]
    }
    device VK_EXT_primitives_generated_query = 1, needs "VK_EXT_transform_feedback" {
        features [PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT]
    }
    device VK_EXT_private_data = 1, core 1 3 {
        features [PhysicalDevicePrivateDataFeatures]
        commands Device {
            PFN_vkCreatePrivateDataSlot = private_data::create_private_data_slot,
            PFN_vkDestroyPrivateDataSlot = private_data::destroy_private_data_slot,
            PFN_vkSetPrivateData = private_data::set_private_data,
            PFN_vkGetPrivateData = private_data::get_private_data,
        }
    }
    device VK_EXT_provoking_vertex = 1 {
        features [PhysicalDeviceProvokingVertexFeaturesEXT]
        properties [PhysicalDeviceProvokingVertexPropertiesEXT]
    }
    device VK_EXT_queue_family_foreign = 1 {}
    device VK_EXT_rasterization_order_attachment_access = 1 {
        features [PhysicalDeviceRasterizationOrderAttachmentAccessFeaturesEXT]
    }
    device VK_EXT_rgba10x6_formats = 1 {
        features [PhysicalDeviceRGBA10X6FormatsFeaturesEXT]
    }
    device VK_EXT_robustness2 = 1 {
        features [PhysicalDeviceRobustness2FeaturesEXT]
        properties [PhysicalDeviceRobustness2PropertiesEXT]
    }
    device VK_EXT_sample_locations = 1 {
        properties [PhysicalDeviceSampleLocationsPropertiesEXT]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceMultisamplePropertiesEXT = physical::get_physical_device_multisample_properties,
        }
        commands Device {
            PFN_vkCmdSetSampleLocationsEXT = command_state::cmd_set_sample_locations,
        }
    }
    device VK_EXT_sampler_filter_minmax = 2, core 1 2 {
        properties [PhysicalDeviceSamplerFilterMinmaxProperties]
    }
    device VK_EXT_scalar_block_layout = 1, core 1 2 {
        features [PhysicalDeviceScalarBlockLayoutFeatures]
    }
    device VK_EXT_separate_stencil_usage = 1, core 1 2 {}
    device VK_EXT_shader_atomic_float = 1 {
        features [PhysicalDeviceShaderAtomicFloatFeaturesEXT]
    }
    device VK_EXT_shader_atomic_float2 = 1, needs "VK_EXT_shader_atomic_float" {
        features [PhysicalDeviceShaderAtomicFloat2FeaturesEXT]
    }
    device VK_EXT_shader_demote_to_helper_invocation = 1, core 1 3 {
        features [PhysicalDeviceShaderDemoteToHelperInvocationFeatures]
    }
    device VK_EXT_shader_image_atomic_int64 = 1 {
        features [PhysicalDeviceShaderImageAtomicInt64FeaturesEXT]
    }
    device VK_EXT_shader_object = 1, needs "VK_KHR_dynamic_rendering,VK_VERSION_1_3" {
        features [PhysicalDeviceShaderObjectFeaturesEXT]
        properties [PhysicalDeviceShaderObjectPropertiesEXT]
        commands Device {
            PFN_vkCreateShadersEXT = shader_object::create_shaders,
            PFN_vkDestroyShaderEXT = shader_object::destroy_shader,
            PFN_vkGetShaderBinaryDataEXT = shader_object::get_shader_binary_data,
            PFN_vkCmdBindShadersEXT = shader_object::cmd_bind_shaders,
            PFN_vkCmdSetCullMode = command_state::cmd_set_cull_mode,
            PFN_vkCmdSetFrontFace = command_state::cmd_set_front_face,
            PFN_vkCmdSetPrimitiveTopology = command_state::cmd_set_primitive_topology,
            PFN_vkCmdSetViewportWithCount = command_state::cmd_set_viewport_with_count,
            PFN_vkCmdSetScissorWithCount = command_state::cmd_set_scissor_with_count,
            PFN_vkCmdBindVertexBuffers2 = command_draw::cmd_bind_vertex_buffers2,
            PFN_vkCmdSetDepthTestEnable = command_state::cmd_set_depth_test_enable,
            PFN_vkCmdSetDepthWriteEnable = command_state::cmd_set_depth_write_enable,
            PFN_vkCmdSetDepthCompareOp = command_state::cmd_set_depth_compare_op,
            PFN_vkCmdSetDepthBoundsTestEnable = command_state::cmd_set_depth_bounds_test_enable,
            PFN_vkCmdSetStencilTestEnable = command_state::cmd_set_stencil_test_enable,
            PFN_vkCmdSetStencilOp = command_state::cmd_set_stencil_op,
            PFN_vkCmdSetRasterizerDiscardEnable = command_state::cmd_set_rasterizer_discard_enable,
            PFN_vkCmdSetPatchControlPointsEXT = command_state::cmd_set_patch_control_points,
            PFN_vkCmdSetLogicOpEXT = command_state::cmd_set_logic_op,
            PFN_vkCmdSetDepthBiasEnable = command_state::cmd_set_depth_bias_enable,
            PFN_vkCmdSetPrimitiveRestartEnable = command_state::cmd_set_primitive_restart_enable,
            PFN_vkCmdSetDepthClampEnableEXT = command_state::cmd_set_depth_clamp_enable,
            PFN_vkCmdSetPolygonModeEXT = command_state::cmd_set_polygon_mode,
            PFN_vkCmdSetRasterizationSamplesEXT = command_state::cmd_set_rasterization_samples,
            PFN_vkCmdSetSampleMaskEXT = command_state::cmd_set_sample_mask,
            PFN_vkCmdSetAlphaToCoverageEnableEXT = command_state::cmd_set_alpha_to_coverage_enable,
            PFN_vkCmdSetAlphaToOneEnableEXT = command_state::cmd_set_alpha_to_one_enable,
            PFN_vkCmdSetLogicOpEnableEXT = command_state::cmd_set_logic_op_enable,
            PFN_vkCmdSetColorBlendEnableEXT = command_state::cmd_set_color_blend_enable,
            PFN_vkCmdSetColorBlendEquationEXT = command_state::cmd_set_color_blend_equation,
            PFN_vkCmdSetColorWriteMaskEXT = command_state::cmd_set_color_write_mask,
            PFN_vkCmdSetColorBlendAdvancedEXT = command_state::cmd_set_color_blend_advanced,
            PFN_vkCmdSetDepthClipEnableEXT = command_state::cmd_set_depth_clip_enable,
            PFN_vkCmdSetTessellationDomainOriginEXT = command_state::cmd_set_tessellation_domain_origin,
            PFN_vkCmdSetRasterizationStreamEXT = command_state::cmd_set_rasterization_stream,
            PFN_vkCmdSetConservativeRasterizationModeEXT = command_state::cmd_set_conservative_rasterization_mode,
            PFN_vkCmdSetExtraPrimitiveOverestimationSizeEXT = command_state::cmd_set_extra_primitive_overestimation_size,
            PFN_vkCmdSetSampleLocationsEnableEXT = command_state::cmd_set_sample_locations_enable,
            PFN_vkCmdSetProvokingVertexModeEXT = command_state::cmd_set_provoking_vertex_mode,
            PFN_vkCmdSetLineRasterizationModeEXT = command_state::cmd_set_line_rasterization_mode,
            PFN_vkCmdSetLineStippleEnableEXT = command_state::cmd_set_line_stipple_enable,
            PFN_vkCmdSetDepthClipNegativeOneToOneEXT = command_state::cmd_set_depth_clip_negative_one_to_one,
            PFN_vkCmdSetVertexInputEXT = command_state::cmd_set_vertex_input,
        }
    }
    device VK_EXT_shader_replicated_composites = 1 {
        features [PhysicalDeviceShaderReplicatedCompositesFeaturesEXT]
    }
    device VK_EXT_shader_stencil_export = 1 {}
    device VK_EXT_shader_subgroup_ballot = 1 {}
    device VK_EXT_shader_subgroup_vote = 1 {}
    device VK_EXT_shader_viewport_index_layer = 1, core 1 2 {}
    device VK_EXT_subgroup_size_control = 2, core 1 3 {
        features [PhysicalDeviceSubgroupSizeControlFeatures]
        properties [PhysicalDeviceSubgroupSizeControlProperties]
    }
    device VK_EXT_swapchain_maintenance1 = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDeviceSwapchainMaintenance1FeaturesEXT]
        commands Device {
            PFN_vkReleaseSwapchainImagesEXT = wsi::swapchain::release_swapchain_images,
        }
    }
    device VK_EXT_texel_buffer_alignment = 1, core 1 3 {
        features [PhysicalDeviceTexelBufferAlignmentFeaturesEXT]
        properties [PhysicalDeviceTexelBufferAlignmentProperties]
    }
    device VK_EXT_tooling_info = 1, core 1 3 {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceToolProperties = private_data::get_physical_device_tool_properties,
        }
    }
    device VK_EXT_transform_feedback = 1 {
        features [PhysicalDeviceTransformFeedbackFeaturesEXT]
        properties [PhysicalDeviceTransformFeedbackPropertiesEXT]
        commands Device {
            PFN_vkCmdBindTransformFeedbackBuffersEXT = command_feedback::cmd_bind_transform_feedback_buffers,
            PFN_vkCmdBeginTransformFeedbackEXT = command_feedback::cmd_begin_transform_feedback,
            PFN_vkCmdEndTransformFeedbackEXT = command_feedback::cmd_end_transform_feedback,
            PFN_vkCmdBeginQueryIndexedEXT = command_feedback::cmd_begin_query_indexed,
            PFN_vkCmdEndQueryIndexedEXT = command_feedback::cmd_end_query_indexed,
            PFN_vkCmdDrawIndirectByteCountEXT = command_feedback::cmd_draw_indirect_byte_count,
        }
    }
    device VK_EXT_vertex_attribute_divisor = 3, core 1 4 {
        features [PhysicalDeviceVertexAttributeDivisorFeaturesKHR]
        properties [PhysicalDeviceVertexAttributeDivisorPropertiesEXT]
    }
    device VK_EXT_vertex_input_dynamic_state = 2 {
        features [PhysicalDeviceVertexInputDynamicStateFeaturesEXT]
        commands Device {
            PFN_vkCmdSetVertexInputEXT = command_state::cmd_set_vertex_input,
        }
    }
    device VK_EXT_ycbcr_2plane_444_formats = 1, core 1 3 {
        features [PhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT]
    }
    device VK_EXT_ycbcr_image_arrays = 1 {
        features [PhysicalDeviceYcbcrImageArraysFeaturesEXT]
    }
    device VK_EXT_zero_initialize_device_memory = 1 {
        features [PhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT]
    }
    device VK_GOOGLE_decorate_string = 1 {}
    device VK_GOOGLE_hlsl_functionality1 = 1 {}
    device VK_GOOGLE_user_type = 1 {}
    device VK_KHR_16bit_storage = 1, core 1 1 {
        features [PhysicalDevice16BitStorageFeatures]
    }
    device VK_KHR_8bit_storage = 1, core 1 2 {
        features [PhysicalDevice8BitStorageFeatures]
    }
    device VK_KHR_bind_memory2 = 1, core 1 1 {
        commands Device {
            PFN_vkBindBufferMemory2 = buffer::bind_buffer_memory2,
            PFN_vkBindImageMemory2 = image::bind_image_memory2,
        }
    }
    device VK_KHR_buffer_device_address = 1, core 1 2 {
        features [PhysicalDeviceBufferDeviceAddressFeatures]
        commands Device {
            PFN_vkGetBufferDeviceAddress = buffer::get_buffer_device_address,
            PFN_vkGetBufferOpaqueCaptureAddress = buffer::get_buffer_opaque_capture_address,
            PFN_vkGetDeviceMemoryOpaqueCaptureAddress = buffer::get_device_memory_opaque_capture_address,
        }
    }
    device VK_KHR_calibrated_timestamps = 1 {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsKHR = query::get_physical_device_calibrateable_time_domains,
        }
        commands Device {
            PFN_vkGetCalibratedTimestampsKHR = query::get_calibrated_timestamps,
        }
    }
    device VK_KHR_compute_shader_derivatives = 1 {
        features [PhysicalDeviceComputeShaderDerivativesFeaturesNV]
        properties [PhysicalDeviceComputeShaderDerivativesPropertiesKHR]
    }
    device VK_KHR_copy_commands2 = 1, core 1 3 {
        commands Device {
            PFN_vkCmdCopyBuffer2 = command_copy::cmd_copy_buffer2,
            PFN_vkCmdCopyImage2 = command_copy::cmd_copy_image2,
            PFN_vkCmdBlitImage2 = command_copy::cmd_blit_image2,
            PFN_vkCmdCopyBufferToImage2 = command_copy::cmd_copy_buffer_to_image2,
            PFN_vkCmdCopyImageToBuffer2 = command_copy::cmd_copy_image_to_buffer2,
            PFN_vkCmdResolveImage2 = command_copy::cmd_resolve_image2,
        }
    }
    device VK_KHR_copy_memory_indirect = 1, needs "VK_KHR_buffer_device_address,VK_VERSION_1_2" {
        features [PhysicalDeviceCopyMemoryIndirectFeaturesKHR]
        properties [PhysicalDeviceCopyMemoryIndirectPropertiesKHR]
        commands Device {
            PFN_vkCmdCopyMemoryIndirectKHR = command_address::cmd_copy_memory_indirect,
            PFN_vkCmdCopyMemoryToImageIndirectKHR = command_address::cmd_copy_memory_to_image_indirect,
        }
    }
    device VK_KHR_create_renderpass2 = 1, core 1 2 {
        commands Device {
            PFN_vkCreateRenderPass2 = render_pass::create_render_pass2,
            PFN_vkCmdBeginRenderPass2 = command_render::cmd_begin_render_pass2,
            PFN_vkCmdNextSubpass2 = command_render::cmd_next_subpass2,
            PFN_vkCmdEndRenderPass2 = command_render::cmd_end_render_pass2,
        }
    }
    device VK_KHR_dedicated_allocation = 3, core 1 1 {}
    device VK_KHR_depth_stencil_resolve = 1, core 1 2, needs "VK_KHR_create_renderpass2,VK_VERSION_1_2" {
        properties [PhysicalDeviceDepthStencilResolveProperties]
    }
    device VK_KHR_descriptor_update_template = 1, core 1 1 {
        commands Device {
            PFN_vkCreateDescriptorUpdateTemplate = descriptor_update::create_descriptor_update_template,
            PFN_vkDestroyDescriptorUpdateTemplate = descriptor_update::destroy_descriptor_update_template,
            PFN_vkUpdateDescriptorSetWithTemplate = descriptor_update::update_descriptor_set_with_template,
        }
    }
    device VK_KHR_device_address_commands = 1, needs "((VK_KHR_buffer_device_address,VK_VERSION_1_2)+VK_KHR_synchronization2+VK_EXT_extended_dynamic_state),VK_VERSION_1_3" {
        features [PhysicalDeviceDeviceAddressCommandsFeaturesKHR]
        commands Device {
            PFN_vkCmdBindIndexBuffer3KHR = command_address::cmd_bind_index_buffer3,
            PFN_vkCmdBindVertexBuffers3KHR = command_address::cmd_bind_vertex_buffers3,
            PFN_vkCmdDrawIndirect2KHR = command_address::cmd_draw_indirect2,
            PFN_vkCmdDrawIndexedIndirect2KHR = command_address::cmd_draw_indexed_indirect2,
            PFN_vkCmdDrawIndirectCount2KHR = command_address::cmd_draw_indirect_count2,
            PFN_vkCmdDrawIndexedIndirectCount2KHR = command_address::cmd_draw_indexed_indirect_count2,
            PFN_vkCmdDispatchIndirect2KHR = command_address::cmd_dispatch_indirect2,
            PFN_vkCmdCopyMemoryKHR = command_address::cmd_copy_memory,
            PFN_vkCmdCopyMemoryToImageKHR = command_address::cmd_copy_memory_to_image,
            PFN_vkCmdCopyImageToMemoryKHR = command_address::cmd_copy_image_to_memory,
            PFN_vkCmdUpdateMemoryKHR = command_address::cmd_update_memory,
            PFN_vkCmdFillMemoryKHR = command_address::cmd_fill_memory,
            PFN_vkCmdCopyQueryPoolResultsToMemoryKHR = command_address::cmd_copy_query_pool_results_to_memory,
            PFN_vkCmdBeginConditionalRendering2EXT = command_address::cmd_begin_conditional_rendering2,
            PFN_vkCmdBindTransformFeedbackBuffers2EXT = command_address::cmd_bind_transform_feedback_buffers2,
            PFN_vkCmdBeginTransformFeedback2EXT = command_address::cmd_begin_transform_feedback2,
            PFN_vkCmdEndTransformFeedback2EXT = command_address::cmd_end_transform_feedback2,
            PFN_vkCmdDrawIndirectByteCount2EXT = command_address::cmd_draw_indirect_byte_count2,
            PFN_vkCmdDrawMeshTasksIndirect2EXT = command_address::cmd_draw_mesh_tasks_indirect2,
            PFN_vkCmdDrawMeshTasksIndirectCount2EXT = command_address::cmd_draw_mesh_tasks_indirect_count2,
        }
    }
    device VK_KHR_device_group = 4, core 1 1 {
        commands Device {
            PFN_vkGetDeviceGroupPeerMemoryFeatures = device::get_device_group_peer_memory_features,
            PFN_vkCmdSetDeviceMask = command_state::cmd_set_device_mask,
            PFN_vkCmdDispatchBase = command_draw::cmd_dispatch_base,
        }
    }
    device VK_KHR_draw_indirect_count = 1, core 1 2 {
        commands Device {
            PFN_vkCmdDrawIndirectCount = command_draw::cmd_draw_indirect_count,
            PFN_vkCmdDrawIndexedIndirectCount = command_draw::cmd_draw_indexed_indirect_count,
        }
    }
    device VK_KHR_driver_properties = 1, core 1 2 {
        properties [PhysicalDeviceDriverProperties]
    }
    device VK_KHR_dynamic_rendering = 1, core 1 3, needs "VK_KHR_depth_stencil_resolve,VK_VERSION_1_2" {
        features [PhysicalDeviceDynamicRenderingFeatures]
        commands Device {
            PFN_vkCmdBeginRendering = command_render::cmd_begin_rendering,
            PFN_vkCmdEndRendering = command_render::cmd_end_rendering,
        }
    }
    device VK_KHR_dynamic_rendering_local_read = 1, core 1 4, needs "VK_KHR_dynamic_rendering,VK_VERSION_1_3" {
        features [PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR]
        commands Device {
            PFN_vkCmdSetRenderingAttachmentLocationsKHR = shader_object::cmd_set_rendering_attachment_locations,
            PFN_vkCmdSetRenderingInputAttachmentIndicesKHR = command_render::cmd_set_rendering_input_attachment_indices,
        }
    }
    device VK_KHR_external_fence = 1, core 1 1 {}
    device VK_KHR_external_fence_fd = 1 {
        commands Device {
            PFN_vkImportFenceFdKHR = external::import_fence_fd,
            PFN_vkGetFenceFdKHR = external::get_fence_fd,
        }
    }
    device VK_KHR_external_memory = 1, core 1 1 {}
    device VK_KHR_external_memory_fd = 1 {
        commands Device {
            PFN_vkGetMemoryFdKHR = external::get_memory_fd,
            PFN_vkGetMemoryFdPropertiesKHR = external::get_memory_fd_properties,
        }
    }
    device VK_KHR_external_semaphore = 1, core 1 1 {}
    device VK_KHR_external_semaphore_fd = 1 {
        commands Device {
            PFN_vkImportSemaphoreFdKHR = external::import_semaphore_fd,
            PFN_vkGetSemaphoreFdKHR = external::get_semaphore_fd,
        }
    }
    device VK_KHR_format_feature_flags2 = 2, core 1 3 {}
    device VK_KHR_get_memory_requirements2 = 1, core 1 1 {
        commands Device {
            PFN_vkGetBufferMemoryRequirements2 = buffer::get_buffer_memory_requirements2,
            PFN_vkGetImageMemoryRequirements2 = image::get_image_memory_requirements2,
            PFN_vkGetImageSparseMemoryRequirements2 = image::get_image_sparse_memory_requirements2,
        }
    }
    device VK_KHR_global_priority = 1, core 1 4 {
        features [PhysicalDeviceGlobalPriorityQueryFeaturesKHR]
    }
    device VK_KHR_image_format_list = 1, core 1 2 {}
    device VK_KHR_imageless_framebuffer = 1, core 1 2, needs "VK_KHR_image_format_list,VK_VERSION_1_2" {
        features [PhysicalDeviceImagelessFramebufferFeatures]
    }
    device VK_KHR_incremental_present = 2, needs "VK_KHR_swapchain" {}
    device VK_KHR_index_type_uint8 = 1, core 1 4 {
        features [PhysicalDeviceIndexTypeUint8FeaturesKHR]
    }
    device VK_KHR_line_rasterization = 1, core 1 4 {
        features [PhysicalDeviceLineRasterizationFeaturesKHR]
        properties [PhysicalDeviceLineRasterizationPropertiesKHR]
        commands Device {
            PFN_vkCmdSetLineStippleKHR = command_state::cmd_set_line_stipple,
        }
    }
    device VK_KHR_maintenance1 = 2, core 1 1 {
        commands Device {
            PFN_vkTrimCommandPool = command::trim_command_pool,
        }
    }
    device VK_KHR_maintenance2 = 1, core 1 1 {
        properties [PhysicalDevicePointClippingProperties]
    }
    device VK_KHR_maintenance3 = 1, core 1 1 {
        properties [PhysicalDeviceMaintenance3Properties]
        commands Device {
            PFN_vkGetDescriptorSetLayoutSupport = descriptor::get_descriptor_set_layout_support,
        }
    }
    device VK_KHR_maintenance4 = 2, core 1 3 {
        features [PhysicalDeviceMaintenance4Features]
        properties [PhysicalDeviceMaintenance4Properties]
        commands Device {
            PFN_vkGetDeviceBufferMemoryRequirements = buffer::get_device_buffer_memory_requirements,
            PFN_vkGetDeviceImageMemoryRequirements = image::get_device_image_memory_requirements,
            PFN_vkGetDeviceImageSparseMemoryRequirements = image::get_device_image_sparse_memory_requirements,
        }
    }
    device VK_KHR_maintenance5 = 1, core 1 4, needs "VK_KHR_dynamic_rendering,VK_VERSION_1_3" {
        features [PhysicalDeviceMaintenance5FeaturesKHR]
        properties [PhysicalDeviceMaintenance5PropertiesKHR]
        commands Device {
            PFN_vkCmdBindIndexBuffer2KHR = command_draw::cmd_bind_index_buffer2,
            PFN_vkGetRenderingAreaGranularityKHR = render_pass::get_rendering_area_granularity,
            PFN_vkGetDeviceImageSubresourceLayoutKHR = image::get_device_image_subresource_layout,
            PFN_vkGetImageSubresourceLayout2KHR = image::get_image_subresource_layout2,
        }
    }
    device VK_KHR_maintenance6 = 1, core 1 4 {
        features [PhysicalDeviceMaintenance6FeaturesKHR]
        properties [PhysicalDeviceMaintenance6PropertiesKHR]
        commands Device {
            PFN_vkCmdBindDescriptorSets2KHR = descriptor_update::cmd_bind_descriptor_sets2,
            PFN_vkCmdPushConstants2KHR = descriptor_update::cmd_push_constants2,
            PFN_vkCmdPushDescriptorSet2KHR = descriptor_update::cmd_push_descriptor_set2,
            PFN_vkCmdPushDescriptorSetWithTemplate2KHR = descriptor_update::cmd_push_descriptor_set_with_template2,
        }
    }
    device VK_KHR_maintenance7 = 1 {
        features [PhysicalDeviceMaintenance7FeaturesKHR]
        properties [PhysicalDeviceMaintenance7PropertiesKHR, PhysicalDeviceLayeredApiPropertiesListKHR]
    }
    device VK_KHR_load_store_op_none = 1, core 1 4 {}
    device VK_KHR_maintenance8 = 1 {
        features [PhysicalDeviceMaintenance8FeaturesKHR]
    }
    device VK_KHR_maintenance9 = 1 {
        features [PhysicalDeviceMaintenance9FeaturesKHR]
        properties [PhysicalDeviceMaintenance9PropertiesKHR]
    }
    device VK_KHR_maintenance10 = 1 {
        features [PhysicalDeviceMaintenance10FeaturesKHR]
        properties [PhysicalDeviceMaintenance10PropertiesKHR]
        commands Device {
            PFN_vkCmdEndRendering2KHR = command_render::cmd_end_rendering2,
        }
    }
    device VK_KHR_maintenance11 = 1 {
        features [PhysicalDeviceMaintenance11FeaturesKHR]
    }
    device VK_KHR_map_memory2 = 1, core 1 4 {
        commands Device {
            PFN_vkMapMemory2KHR = memory::map_memory2,
            PFN_vkUnmapMemory2KHR = memory::unmap_memory2,
        }
    }
    device VK_KHR_multiview = 1, core 1 1 {
        features [PhysicalDeviceMultiviewFeatures]
        properties [PhysicalDeviceMultiviewProperties]
    }
    device VK_KHR_pipeline_library = 1 {}
    device VK_KHR_present_id = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDevicePresentIdFeaturesKHR]
    }
    device VK_KHR_present_id2 = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDevicePresentId2FeaturesKHR]
    }
    device VK_KHR_present_mode_fifo_latest_ready = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDevicePresentModeFifoLatestReadyFeaturesKHR]
    }
    device VK_KHR_present_wait = 1, needs "VK_KHR_swapchain+VK_KHR_present_id" {
        features [PhysicalDevicePresentWaitFeaturesKHR]
        commands Device {
            PFN_vkWaitForPresentKHR = wsi::swapchain::wait_for_present,
        }
    }
    device VK_KHR_present_wait2 = 1, needs "VK_KHR_swapchain+VK_KHR_present_id2" {
        features [PhysicalDevicePresentWait2FeaturesKHR]
        commands Device {
            PFN_vkWaitForPresent2KHR = wsi::swapchain::wait_for_present2,
        }
    }
    device VK_KHR_push_descriptor = 2, core 1 4 {
        properties [PhysicalDevicePushDescriptorPropertiesKHR]
        commands Device {
            PFN_vkCmdPushDescriptorSetKHR = descriptor_update::cmd_push_descriptor_set,
            PFN_vkCmdPushDescriptorSetWithTemplateKHR = descriptor_update::cmd_push_descriptor_set_with_template,
        }
    }
    device VK_KHR_relaxed_block_layout = 1, core 1 1 {}
    device VK_KHR_robustness2 = 1 {
        features [PhysicalDeviceRobustness2FeaturesEXT]
        properties [PhysicalDeviceRobustness2PropertiesEXT]
    }
    device VK_KHR_sampler_mirror_clamp_to_edge = 3, core 1 2 {}
    device VK_KHR_sampler_ycbcr_conversion = 14, core 1 1 {
        features [PhysicalDeviceSamplerYcbcrConversionFeatures]
        commands Device {
            PFN_vkCreateSamplerYcbcrConversion = sampler::create_sampler_ycbcr_conversion,
            PFN_vkDestroySamplerYcbcrConversion = sampler::destroy_sampler_ycbcr_conversion,
        }
    }
    device VK_KHR_separate_depth_stencil_layouts = 1, core 1 2, needs "VK_KHR_create_renderpass2,VK_VERSION_1_2" {
        features [PhysicalDeviceSeparateDepthStencilLayoutsFeatures]
    }
    device VK_KHR_shader_atomic_int64 = 1, core 1 2 {
        features [PhysicalDeviceShaderAtomicInt64Features]
    }
    device VK_KHR_shader_clock = 1 {
        features [PhysicalDeviceShaderClockFeaturesKHR]
    }
    device VK_KHR_shader_draw_parameters = 1, core 1 1 {}
    device VK_KHR_shader_expect_assume = 1, core 1 4 {
        features [PhysicalDeviceShaderExpectAssumeFeatures]
    }
    device VK_KHR_shader_float16_int8 = 1, core 1 2 {
        features [PhysicalDeviceShaderFloat16Int8Features]
    }
    device VK_KHR_shader_float_controls = 4, core 1 2 {
        properties [PhysicalDeviceFloatControlsProperties]
    }
    device VK_KHR_shader_float_controls2 = 1, core 1 4, needs "VK_KHR_shader_float_controls" {
        features [PhysicalDeviceShaderFloatControls2Features]
    }
    device VK_KHR_shader_fma = 1 {
        features [PhysicalDeviceShaderFmaFeaturesKHR]
    }
    device VK_KHR_shader_integer_dot_product = 1, core 1 3 {
        features [PhysicalDeviceShaderIntegerDotProductFeatures]
        properties [PhysicalDeviceShaderIntegerDotProductProperties]
    }
    device VK_KHR_shader_maximal_reconvergence = 1 {
        features [PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR]
    }
    device VK_KHR_shader_non_semantic_info = 1, core 1 3 {}
    device VK_KHR_shader_quad_control = 1, needs "(VK_KHR_vulkan_memory_model,VK_VERSION_1_2)+VK_KHR_shader_maximal_reconvergence" {
        features [PhysicalDeviceShaderQuadControlFeaturesKHR]
    }
    device VK_KHR_shader_relaxed_extended_instruction = 1 {
        features [PhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR]
    }
    device VK_KHR_shader_subgroup_extended_types = 1, core 1 2 {
        features [PhysicalDeviceShaderSubgroupExtendedTypesFeatures]
    }
    device VK_KHR_shader_subgroup_rotate = 2, core 1 4 {
        features [PhysicalDeviceShaderSubgroupRotateFeatures]
    }
    device VK_KHR_shader_subgroup_uniform_control_flow = 1 {
        features [PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR]
    }
    device VK_KHR_shader_terminate_invocation = 1, core 1 3 {
        features [PhysicalDeviceShaderTerminateInvocationFeatures]
    }
    device VK_KHR_shader_untyped_pointers = 1 {
        features [PhysicalDeviceShaderUntypedPointersFeaturesKHR]
    }
    device VK_KHR_spirv_1_4 = 1, core 1 2, needs "VK_KHR_shader_float_controls" {}
    device VK_KHR_storage_buffer_storage_class = 1, core 1 1 {}
    // Of this one and those that need it, instance extensions are not asked for, although the registry has them need
    // some: programs enable all that there is for a device, and the loader hides instance extensions it does not know.
    device VK_KHR_swapchain = 70 {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDevicePresentRectanglesKHR = wsi::surface::get_physical_device_present_rectangles,
        }
        commands Device {
            PFN_vkCreateSwapchainKHR = wsi::swapchain::create_swapchain,
            PFN_vkDestroySwapchainKHR = wsi::swapchain::destroy_swapchain,
            PFN_vkGetSwapchainImagesKHR = wsi::swapchain::get_swapchain_images,
            PFN_vkAcquireNextImageKHR = wsi::swapchain::acquire_next_image,
            PFN_vkAcquireNextImage2KHR = wsi::swapchain::acquire_next_image2,
            PFN_vkQueuePresentKHR = wsi::swapchain::queue_present,
            PFN_vkGetDeviceGroupPresentCapabilitiesKHR = wsi::surface::get_device_group_present_capabilities,
            PFN_vkGetDeviceGroupSurfacePresentModesKHR = wsi::surface::get_device_group_surface_present_modes,
        }
    }
    device VK_KHR_swapchain_maintenance1 = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDeviceSwapchainMaintenance1FeaturesEXT]
        commands Device {
            PFN_vkReleaseSwapchainImagesEXT = wsi::swapchain::release_swapchain_images,
        }
    }
    device VK_KHR_swapchain_mutable_format = 1, needs "VK_KHR_swapchain+(VK_KHR_image_format_list,VK_VERSION_1_2)" {}
    device VK_KHR_synchronization2 = 1, core 1 3 {
        features [PhysicalDeviceSynchronization2Features]
        commands Device {
            PFN_vkQueueSubmit2 = submit::queue_submit2,
            PFN_vkCmdPipelineBarrier2 = command_sync::cmd_pipeline_barrier2,
            PFN_vkCmdSetEvent2 = command_sync::cmd_set_event2,
            PFN_vkCmdResetEvent2 = command_sync::cmd_reset_event2,
            PFN_vkCmdWaitEvents2 = command_sync::cmd_wait_events2,
            PFN_vkCmdWriteTimestamp2 = command_sync::cmd_write_timestamp2,
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
    device VK_KHR_unified_image_layouts = 1 {
        features [PhysicalDeviceUnifiedImageLayoutsFeaturesKHR]
    }
    device VK_KHR_uniform_buffer_standard_layout = 1, core 1 2 {
        features [PhysicalDeviceUniformBufferStandardLayoutFeatures]
    }
    device VK_KHR_variable_pointers = 1, core 1 1 {
        features [PhysicalDeviceVariablePointersFeatures]
    }
    device VK_KHR_vertex_attribute_divisor = 1, core 1 4 {
        features [PhysicalDeviceVertexAttributeDivisorFeaturesKHR]
        properties [PhysicalDeviceVertexAttributeDivisorPropertiesKHR]
    }
    device VK_KHR_vulkan_memory_model = 3, core 1 2 {
        features [PhysicalDeviceVulkanMemoryModelFeatures]
    }
    device VK_KHR_workgroup_memory_explicit_layout = 1 {
        features [PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR]
    }
    device VK_KHR_zero_initialize_workgroup_memory = 1, core 1 3 {
        features [PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures]
    }
    device VK_NV_compute_shader_derivatives = 1 {
        features [PhysicalDeviceComputeShaderDerivativesFeaturesNV]
    }
    device VK_NV_shader_subgroup_partitioned = 1 {}
}
