//! The table of commands: name, level, what must be there for it to be handed out, function.
//!
//! Each row's function is checked against the type that the specification gives the command.

use std::sync::OnceLock;

use ash::vk;
use rustc_hash::FxHashMap;

use crate::device::Device;
use crate::extensions::{self, Extension};
use crate::instance::Instance;
use crate::versions;

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

/// What a command belongs to.
#[derive(Clone, Copy, Debug)]
pub enum Gate {
    /// A version of Vulkan.
    Core(u32, u32),
    /// An extension.
    Extension(Extension),
}

impl Gate {
    fn in_offered_version(self) -> Option<bool> {
        match self {
            Gate::Core(major, minor) => {
                Some(vk::make_api_version(0, major, minor, 0) <= crate::properties::api_version())
            }
            Gate::Extension(_) => None,
        }
    }

    /// Whether `vkGetInstanceProcAddr` hands the command out.
    pub fn open_for_instance(self, instance: &Instance) -> bool {
        let offered = |e: Extension| extensions::DEVICE.iter().any(|(d, _)| *d == e);
        match self {
            Gate::Extension(e) => instance.extensions.contains(&e) || offered(e),
            _ => self.in_offered_version() == Some(true),
        }
    }

    /// Whether `vkGetDeviceProcAddr` hands the command out.
    pub fn open_for_device(self, device: &Device) -> bool {
        match self {
            Gate::Extension(e) => device.extensions.contains(&e),
            // Not those of versions later than the application's (VK_KHR_maintenance5).
            Gate::Core(major, minor) => {
                let version = vk::make_api_version(0, major, minor, 0);
                self.in_offered_version() == Some(true) && version <= device.api_version
            }
        }
    }
}

type Function = unsafe extern "system" fn();
type Row = (Level, Gate, Function);

/// Finds a command. A command of several extensions has several rows under the same name; the first
/// one that is offered counts.
pub fn lookup(name: &[u8]) -> Option<Row> {
    static TABLE: OnceLock<FxHashMap<&'static [u8], Row>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = FxHashMap::default();
        let (core, ext) = rows();
        table.reserve(core.len() + ext.len());
        for (name, row) in core.into_iter().chain(ext) {
            table.entry(name.as_bytes()).or_insert(row);
        }
        table
    });
    table.get(name).copied()
}

macro_rules! rows {
    ($($gate:expr, $suffix:literal => $($level:ident { $($pfn:ident = $function:path),* $(,)? })*;)*) => {{
        let mut rows: Vec<(&'static str, Row)> = Vec::new();
        $($($({
            const NAME: &str = concat!(stringify!($pfn), $suffix);
            let name = &NAME["PFN_".len()..];
            // Some commands of extensions never became core, so that their type has the suffix already.
            let twice = concat!($suffix, $suffix);
            let name = if $suffix != "" && name.ends_with(twice) {
                &name[..name.len() - $suffix.len()]
            } else {
                name
            };
            let function: vk::$pfn = $function;
            // SAFETY: a function pointer; whoever calls it casts it back to the command's type.
            let function = unsafe { std::mem::transmute::<vk::$pfn, Function>(function) };
            rows.push((name, (Level::$level, $gate, function)));
        })*)*)*
        rows
    }};
}

/// Rows of extensions that became part of a version, under the names they have there.
fn promoted(ext: &[(&'static str, Row)]) -> Vec<(&'static str, Row)> {
    let core = |&(name, (level, gate, function)): &(&'static str, Row)| {
        let Gate::Extension(extension) = gate else { return None };
        let (_, (major, minor)) = versions::PROMOTED.iter().find(|p| p.0 == extension)?;
        if versions::NOT_PROMOTED.contains(&name) {
            return None;
        }
        let name = name.strip_suffix("KHR").or_else(|| name.strip_suffix("EXT"))?;
        Some((name, (level, Gate::Core(*major, *minor), function)))
    };
    ext.iter().filter_map(core).collect()
}

fn rows() -> (Vec<(&'static str, Row)>, Vec<(&'static str, Row)>) {
    use crate::*;
    use Gate::{Core, Extension};
    let mut core = rows! {
        Core(1, 0), "" =>
        Global {
            PFN_vkGetInstanceProcAddr = loader::get_instance_proc_addr,
            PFN_vkCreateInstance = instance::create_instance,
            PFN_vkEnumerateInstanceExtensionProperties = instance::enumerate_instance_extension_properties,
            PFN_vkEnumerateInstanceLayerProperties = instance::enumerate_instance_layer_properties,
        }
        Instance {
            PFN_vkDestroyInstance = instance::destroy_instance,
            PFN_vkEnumeratePhysicalDevices = instance::enumerate_physical_devices,
        }
        PhysicalDevice {
            PFN_vkGetPhysicalDeviceProperties = physical::get_physical_device_properties,
            PFN_vkGetPhysicalDeviceFeatures = physical::get_physical_device_features,
            PFN_vkGetPhysicalDeviceQueueFamilyProperties = physical::get_physical_device_queue_family_properties,
            PFN_vkGetPhysicalDeviceMemoryProperties = physical::get_physical_device_memory_properties,
            PFN_vkGetPhysicalDeviceFormatProperties = format::get_physical_device_format_properties,
            PFN_vkGetPhysicalDeviceImageFormatProperties = format::get_physical_device_image_format_properties,
            PFN_vkGetPhysicalDeviceSparseImageFormatProperties = format::get_physical_device_sparse_image_format_properties,
            PFN_vkEnumerateDeviceExtensionProperties = physical::enumerate_device_extension_properties,
            PFN_vkEnumerateDeviceLayerProperties = physical::enumerate_device_layer_properties,
            PFN_vkCreateDevice = device::create_device,
        }
        Device {
            PFN_vkGetDeviceProcAddr = loader::get_device_proc_addr,
            PFN_vkDestroyDevice = device::destroy_device,
            PFN_vkGetDeviceQueue = device::get_device_queue,
            PFN_vkDeviceWaitIdle = device::device_wait_idle,
            PFN_vkQueueSubmit = submit::queue_submit,
            PFN_vkQueueWaitIdle = queue::queue_wait_idle,
            PFN_vkQueueBindSparse = submit::queue_bind_sparse,
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
        };

        Core(1, 1), "" =>
        Global {
            PFN_vkEnumerateInstanceVersion = instance::enumerate_instance_version,
        }
        Instance {
            PFN_vkEnumeratePhysicalDeviceGroups = instance::enumerate_physical_device_groups,
        }
        PhysicalDevice {
            PFN_vkGetPhysicalDeviceProperties2 = physical::get_physical_device_properties2,
            PFN_vkGetPhysicalDeviceFeatures2 = physical::get_physical_device_features2,
            PFN_vkGetPhysicalDeviceQueueFamilyProperties2 = physical::get_physical_device_queue_family_properties2,
            PFN_vkGetPhysicalDeviceMemoryProperties2 = physical::get_physical_device_memory_properties2,
            PFN_vkGetPhysicalDeviceFormatProperties2 = format::get_physical_device_format_properties2,
            PFN_vkGetPhysicalDeviceImageFormatProperties2 = format::get_physical_device_image_format_properties2,
            PFN_vkGetPhysicalDeviceSparseImageFormatProperties2 = format::get_physical_device_sparse_image_format_properties2,
            PFN_vkGetPhysicalDeviceExternalBufferProperties = physical::get_physical_device_external_buffer_properties,
            PFN_vkGetPhysicalDeviceExternalFenceProperties = physical::get_physical_device_external_fence_properties,
            PFN_vkGetPhysicalDeviceExternalSemaphoreProperties = physical::get_physical_device_external_semaphore_properties,
        }
        Device {
            PFN_vkGetDeviceQueue2 = device::get_device_queue2,
            PFN_vkGetDeviceGroupPeerMemoryFeatures = device::get_device_group_peer_memory_features,
            PFN_vkCmdSetDeviceMask = command_state::cmd_set_device_mask,
            PFN_vkCmdDispatchBase = command_draw::cmd_dispatch_base,
            PFN_vkBindBufferMemory2 = buffer::bind_buffer_memory2,
            PFN_vkBindImageMemory2 = image::bind_image_memory2,
            PFN_vkGetBufferMemoryRequirements2 = buffer::get_buffer_memory_requirements2,
            PFN_vkGetImageMemoryRequirements2 = image::get_image_memory_requirements2,
            PFN_vkGetImageSparseMemoryRequirements2 = image::get_image_sparse_memory_requirements2,
            PFN_vkTrimCommandPool = command::trim_command_pool,
            PFN_vkCreateSamplerYcbcrConversion = sampler::create_sampler_ycbcr_conversion,
            PFN_vkDestroySamplerYcbcrConversion = sampler::destroy_sampler_ycbcr_conversion,
            PFN_vkCreateDescriptorUpdateTemplate = descriptor_update::create_descriptor_update_template,
            PFN_vkDestroyDescriptorUpdateTemplate = descriptor_update::destroy_descriptor_update_template,
            PFN_vkUpdateDescriptorSetWithTemplate = descriptor_update::update_descriptor_set_with_template,
            PFN_vkGetDescriptorSetLayoutSupport = descriptor::get_descriptor_set_layout_support,
        };
    };
    let mut ext = rows! {
        Extension("VK_KHR_device_group_creation"), "KHR" =>
        Instance { PFN_vkEnumeratePhysicalDeviceGroups = instance::enumerate_physical_device_groups };

        Extension("VK_KHR_get_physical_device_properties2"), "KHR" =>
        PhysicalDevice {
            PFN_vkGetPhysicalDeviceProperties2 = physical::get_physical_device_properties2,
            PFN_vkGetPhysicalDeviceFeatures2 = physical::get_physical_device_features2,
            PFN_vkGetPhysicalDeviceQueueFamilyProperties2 = physical::get_physical_device_queue_family_properties2,
            PFN_vkGetPhysicalDeviceMemoryProperties2 = physical::get_physical_device_memory_properties2,
            PFN_vkGetPhysicalDeviceFormatProperties2 = format::get_physical_device_format_properties2,
            PFN_vkGetPhysicalDeviceImageFormatProperties2 = format::get_physical_device_image_format_properties2,
            PFN_vkGetPhysicalDeviceSparseImageFormatProperties2 = format::get_physical_device_sparse_image_format_properties2,
        };

        Extension("VK_KHR_external_memory_capabilities"), "KHR" =>
        PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalBufferProperties = physical::get_physical_device_external_buffer_properties,
        };

        Extension("VK_KHR_external_fence_capabilities"), "KHR" =>
        PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalFenceProperties = physical::get_physical_device_external_fence_properties,
        };

        Extension("VK_KHR_external_semaphore_capabilities"), "KHR" =>
        PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalSemaphoreProperties = physical::get_physical_device_external_semaphore_properties,
        };

        Extension("VK_KHR_device_group"), "KHR" =>
        Device {
            PFN_vkGetDeviceGroupPeerMemoryFeatures = device::get_device_group_peer_memory_features,
            PFN_vkCmdSetDeviceMask = command_state::cmd_set_device_mask,
            PFN_vkCmdDispatchBase = command_draw::cmd_dispatch_base,
        };

        Extension("VK_KHR_bind_memory2"), "KHR" =>
        Device {
            PFN_vkBindBufferMemory2 = buffer::bind_buffer_memory2,
            PFN_vkBindImageMemory2 = image::bind_image_memory2,
        };

        Extension("VK_KHR_get_memory_requirements2"), "KHR" =>
        Device {
            PFN_vkGetBufferMemoryRequirements2 = buffer::get_buffer_memory_requirements2,
            PFN_vkGetImageMemoryRequirements2 = image::get_image_memory_requirements2,
            PFN_vkGetImageSparseMemoryRequirements2 = image::get_image_sparse_memory_requirements2,
        };

        Extension("VK_KHR_buffer_device_address"), "KHR" =>
        Device {
            PFN_vkGetBufferDeviceAddress = buffer::get_buffer_device_address,
            PFN_vkGetBufferOpaqueCaptureAddress = buffer::get_buffer_opaque_capture_address,
            PFN_vkGetDeviceMemoryOpaqueCaptureAddress = buffer::get_device_memory_opaque_capture_address,
        };

        Extension("VK_EXT_buffer_device_address"), "EXT" =>
        Device { PFN_vkGetBufferDeviceAddress = buffer::get_buffer_device_address };

        Extension("VK_KHR_maintenance1"), "KHR" =>
        Device { PFN_vkTrimCommandPool = command::trim_command_pool };

        Extension("VK_KHR_maintenance3"), "KHR" =>
        Device { PFN_vkGetDescriptorSetLayoutSupport = descriptor::get_descriptor_set_layout_support };

        Extension("VK_KHR_descriptor_update_template"), "KHR" =>
        Device {
            PFN_vkCreateDescriptorUpdateTemplate = descriptor_update::create_descriptor_update_template,
            PFN_vkDestroyDescriptorUpdateTemplate = descriptor_update::destroy_descriptor_update_template,
            PFN_vkUpdateDescriptorSetWithTemplate = descriptor_update::update_descriptor_set_with_template,
        };

        Extension("VK_KHR_push_descriptor"), "KHR" =>
        Device {
            PFN_vkCmdPushDescriptorSetKHR = descriptor_update::cmd_push_descriptor_set,
            PFN_vkCmdPushDescriptorSetWithTemplateKHR = descriptor_update::cmd_push_descriptor_set_with_template,
        };

        Extension("VK_KHR_maintenance6"), "KHR" =>
        Device {
            PFN_vkCmdBindDescriptorSets2KHR = descriptor_update::cmd_bind_descriptor_sets2,
            PFN_vkCmdPushConstants2KHR = descriptor_update::cmd_push_constants2,
            PFN_vkCmdPushDescriptorSet2KHR = descriptor_update::cmd_push_descriptor_set2,
            PFN_vkCmdPushDescriptorSetWithTemplate2KHR = descriptor_update::cmd_push_descriptor_set_with_template2,
        };

        Extension("VK_KHR_create_renderpass2"), "KHR" =>
        Device {
            PFN_vkCreateRenderPass2 = render_pass::create_render_pass2,
            PFN_vkCmdBeginRenderPass2 = command_render::cmd_begin_render_pass2,
            PFN_vkCmdNextSubpass2 = command_render::cmd_next_subpass2,
            PFN_vkCmdEndRenderPass2 = command_render::cmd_end_render_pass2,
        };

        Extension("VK_KHR_dynamic_rendering"), "KHR" =>
        Device {
            PFN_vkCmdBeginRendering = command_render::cmd_begin_rendering,
            PFN_vkCmdEndRendering = command_render::cmd_end_rendering,
        };

        Extension("VK_KHR_dynamic_rendering_local_read"), "KHR" =>
        Device {
            PFN_vkCmdSetRenderingAttachmentLocationsKHR = command_render::cmd_set_rendering_attachment_locations,
            PFN_vkCmdSetRenderingInputAttachmentIndicesKHR = command_render::cmd_set_rendering_input_attachment_indices,
        };

        Extension("VK_KHR_draw_indirect_count"), "KHR" =>
        Device {
            PFN_vkCmdDrawIndirectCount = command_draw::cmd_draw_indirect_count,
            PFN_vkCmdDrawIndexedIndirectCount = command_draw::cmd_draw_indexed_indirect_count,
        };

        Extension("VK_EXT_multi_draw"), "EXT" =>
        Device {
            PFN_vkCmdDrawMultiEXT = command_draw::cmd_draw_multi_ext,
            PFN_vkCmdDrawMultiIndexedEXT = command_draw::cmd_draw_multi_indexed_ext,
        };

        Extension("VK_EXT_mesh_shader"), "EXT" =>
        Device {
            PFN_vkCmdDrawMeshTasksEXT = command_draw::cmd_draw_mesh_tasks,
            PFN_vkCmdDrawMeshTasksIndirectEXT = command_draw::cmd_draw_mesh_tasks_indirect,
            PFN_vkCmdDrawMeshTasksIndirectCountEXT = command_draw::cmd_draw_mesh_tasks_indirect_count,
        };

        Extension("VK_KHR_line_rasterization"), "KHR" =>
        Device { PFN_vkCmdSetLineStippleKHR = command_state::cmd_set_line_stipple };

        Extension("VK_KHR_timeline_semaphore"), "KHR" =>
        Device {
            PFN_vkGetSemaphoreCounterValue = sync::get_semaphore_counter_value,
            PFN_vkWaitSemaphores = sync::wait_semaphores,
            PFN_vkSignalSemaphore = sync::signal_semaphore,
        };

        Extension("VK_EXT_host_query_reset"), "EXT" =>
        Device { PFN_vkResetQueryPool = query::reset_query_pool };

        Extension("VK_KHR_map_memory2"), "KHR" =>
        Device {
            PFN_vkMapMemory2KHR = memory::map_memory2,
            PFN_vkUnmapMemory2KHR = memory::unmap_memory2,
        };

        Extension("VK_KHR_maintenance4"), "KHR" =>
        Device {
            PFN_vkGetDeviceBufferMemoryRequirements = buffer::get_device_buffer_memory_requirements,
            PFN_vkGetDeviceImageMemoryRequirements = image::get_device_image_memory_requirements,
            PFN_vkGetDeviceImageSparseMemoryRequirements = image::get_device_image_sparse_memory_requirements,
        };

        Extension("VK_KHR_maintenance5"), "KHR" =>
        Device {
            PFN_vkCmdBindIndexBuffer2KHR = command_draw::cmd_bind_index_buffer2,
            PFN_vkGetRenderingAreaGranularityKHR = render_pass::get_rendering_area_granularity,
            PFN_vkGetDeviceImageSubresourceLayoutKHR = image::get_device_image_subresource_layout,
            PFN_vkGetImageSubresourceLayout2KHR = image::get_image_subresource_layout2,
        };

        Extension("VK_EXT_host_image_copy"), "EXT" =>
        Device {
            PFN_vkCopyMemoryToImageEXT = host_copy::copy_memory_to_image,
            PFN_vkCopyImageToMemoryEXT = host_copy::copy_image_to_memory,
            PFN_vkCopyImageToImageEXT = host_copy::copy_image_to_image,
            PFN_vkTransitionImageLayoutEXT = host_copy::transition_image_layout,
        };

        Extension("VK_KHR_copy_commands2"), "KHR" =>
        Device {
            PFN_vkCmdCopyBuffer2 = command_copy::cmd_copy_buffer2,
            PFN_vkCmdCopyImage2 = command_copy::cmd_copy_image2,
            PFN_vkCmdBlitImage2 = command_copy::cmd_blit_image2,
            PFN_vkCmdCopyBufferToImage2 = command_copy::cmd_copy_buffer_to_image2,
            PFN_vkCmdCopyImageToBuffer2 = command_copy::cmd_copy_image_to_buffer2,
            PFN_vkCmdResolveImage2 = command_copy::cmd_resolve_image2,
        };

        Extension("VK_KHR_synchronization2"), "KHR" =>
        Device {
            PFN_vkQueueSubmit2 = submit::queue_submit2,
            PFN_vkCmdPipelineBarrier2 = command_sync::cmd_pipeline_barrier2,
            PFN_vkCmdSetEvent2 = command_sync::cmd_set_event2,
            PFN_vkCmdResetEvent2 = command_sync::cmd_reset_event2,
            PFN_vkCmdWaitEvents2 = command_sync::cmd_wait_events2,
            PFN_vkCmdWriteTimestamp2 = command_sync::cmd_write_timestamp2,
        };

        Extension("VK_EXT_extended_dynamic_state"), "EXT" =>
        Device {
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
        };

        Extension("VK_EXT_extended_dynamic_state2"), "EXT" =>
        Device {
            PFN_vkCmdSetRasterizerDiscardEnable = command_state::cmd_set_rasterizer_discard_enable,
            PFN_vkCmdSetPatchControlPointsEXT = command_state::cmd_set_patch_control_points,
            PFN_vkCmdSetLogicOpEXT = command_state::cmd_set_logic_op,
            PFN_vkCmdSetDepthBiasEnable = command_state::cmd_set_depth_bias_enable,
            PFN_vkCmdSetPrimitiveRestartEnable = command_state::cmd_set_primitive_restart_enable,
        };

        Extension("VK_EXT_private_data"), "EXT" =>
        Device {
            PFN_vkCreatePrivateDataSlot = private_data::create_private_data_slot,
            PFN_vkDestroyPrivateDataSlot = private_data::destroy_private_data_slot,
            PFN_vkSetPrivateData = private_data::set_private_data,
            PFN_vkGetPrivateData = private_data::get_private_data,
        };

        Extension("VK_EXT_tooling_info"), "EXT" =>
        PhysicalDevice { PFN_vkGetPhysicalDeviceToolProperties = private_data::get_physical_device_tool_properties };

        Extension("VK_EXT_attachment_feedback_loop_dynamic_state"), "EXT" =>
        Device { PFN_vkCmdSetAttachmentFeedbackLoopEnableEXT = command_state::cmd_set_attachment_feedback_loop_enable };

        Extension("VK_EXT_transform_feedback"), "EXT" =>
        Device {
            PFN_vkCmdBindTransformFeedbackBuffersEXT = command_feedback::cmd_bind_transform_feedback_buffers,
            PFN_vkCmdBeginTransformFeedbackEXT = command_feedback::cmd_begin_transform_feedback,
            PFN_vkCmdEndTransformFeedbackEXT = command_feedback::cmd_end_transform_feedback,
            PFN_vkCmdBeginQueryIndexedEXT = command_feedback::cmd_begin_query_indexed,
            PFN_vkCmdEndQueryIndexedEXT = command_feedback::cmd_end_query_indexed,
            PFN_vkCmdDrawIndirectByteCountEXT = command_feedback::cmd_draw_indirect_byte_count,
        };

        Extension("VK_EXT_conditional_rendering"), "EXT" =>
        Device {
            PFN_vkCmdBeginConditionalRenderingEXT = command_draw::cmd_begin_conditional_rendering,
            PFN_vkCmdEndConditionalRenderingEXT = command_draw::cmd_end_conditional_rendering,
        };

        Extension("VK_EXT_depth_bias_control"), "EXT" =>
        Device { PFN_vkCmdSetDepthBias2EXT = command_state::cmd_set_depth_bias2 };

        Extension("VK_EXT_color_write_enable"), "EXT" =>
        Device { PFN_vkCmdSetColorWriteEnableEXT = command_state::cmd_set_color_write_enable };

        Extension("VK_EXT_vertex_input_dynamic_state"), "EXT" =>
        Device { PFN_vkCmdSetVertexInputEXT = command_state::cmd_set_vertex_input };

        Extension("VK_EXT_extended_dynamic_state3"), "EXT" =>
        Device {
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
        };
    };
    // This command has another name in the extension that it is of by birth.
    let function: vk::PFN_vkGetImageSubresourceLayout2KHR = image::get_image_subresource_layout2;
    // SAFETY: a function pointer; whoever calls it casts it back to the command's type.
    let function =
        unsafe { std::mem::transmute::<vk::PFN_vkGetImageSubresourceLayout2KHR, Function>(function) };
    let row = (Level::Device, Extension("VK_EXT_host_image_copy"), function);
    ext.push(("vkGetImageSubresourceLayout2EXT", row));
    // Commands under the names that they had before, whose types have the later suffix.
    for (older, name, gate) in
        [("vkCmdSetLineStippleEXT", "vkCmdSetLineStippleKHR", Extension("VK_EXT_line_rasterization"))]
    {
        if let Some(&(_, (level, _, function))) = ext.iter().find(|(n, _)| *n == name) {
            ext.push((older, (level, gate, function)));
        }
    }
    core.extend(promoted(&ext));
    (core, ext)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_specifications() {
        let (level, _, _) = lookup(b"vkCreateRenderPass2KHR").expect("offered");
        assert_eq!(level, Level::Device);
        assert!(lookup(b"vkCmdDraw").is_some());
        assert!(lookup(b"PFN_vkCmdDraw").is_none());
    }

    #[test]
    fn every_gate_is_an_offered_extension() {
        let (core, ext) = rows();
        for (name, (_, gate, _)) in core.iter().chain(&ext) {
            if let Gate::Extension(e) = gate {
                let offered = extensions::INSTANCE.iter().chain(extensions::DEVICE).any(|(o, _)| o == e);
                assert!(offered, "{name} belongs to {e}, which is not offered");
            }
        }
    }
}
