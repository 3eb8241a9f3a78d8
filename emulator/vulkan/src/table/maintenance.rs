//! Device extensions: devices and queues, debugging, and miscellaneous changes of the maintenance extensions.

use crate::command_buffer;
use crate::commands;
use crate::debug_utils;
use crate::descriptor;
use crate::device;
use crate::render_pass;
use crate::resource;

rows! {
    // The instance extension that it requires belongs to the loader.
    device VK_EXT_debug_marker = 4 {
        commands Device {
            PFN_vkDebugMarkerSetObjectTagEXT = debug_utils::debug_marker_set_object_tag,
            PFN_vkDebugMarkerSetObjectNameEXT = debug_utils::debug_marker_set_object_name,
            PFN_vkCmdDebugMarkerBeginEXT = debug_utils::cmd_debug_marker_begin,
            PFN_vkCmdDebugMarkerEndEXT = debug_utils::cmd_debug_marker_end,
            PFN_vkCmdDebugMarkerInsertEXT = debug_utils::cmd_debug_marker_insert,
        }
    }
    device VK_EXT_device_fault = 2 {
        features [PhysicalDeviceFaultFeaturesEXT]
        commands Device {
            PFN_vkGetDeviceFaultInfoEXT = device::faults::get_device_fault_info,
        }
    }
    device VK_EXT_global_priority = 2 {}
    device VK_EXT_global_priority_query = 1, needs "VK_EXT_global_priority" {
        features [PhysicalDeviceGlobalPriorityQueryFeaturesKHR]
    }
    device VK_EXT_private_data = 1, core 1 3 {
        features [PhysicalDevicePrivateDataFeatures]
        commands Device {
            PFN_vkCreatePrivateDataSlot = device::private_data::create_private_data_slot,
            PFN_vkDestroyPrivateDataSlot = device::private_data::destroy_private_data_slot,
            PFN_vkSetPrivateData = device::private_data::set_private_data,
            PFN_vkGetPrivateData = device::private_data::get_private_data,
        }
    }
    device VK_EXT_tooling_info = 1, core 1 3 {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceToolProperties = device::private_data::get_physical_device_tool_properties,
        }
    }
    device VK_KHR_device_group = 4, core 1 1 {
        commands Device {
            PFN_vkGetDeviceGroupPeerMemoryFeatures = device::get_device_group_peer_memory_features,
            PFN_vkCmdSetDeviceMask = commands::state::cmd_set_device_mask,
            PFN_vkCmdDispatchBase = commands::draw::cmd_dispatch_base,
        }
    }
    device VK_KHR_driver_properties = 1, core 1 2 {
        properties [PhysicalDeviceDriverProperties]
    }
    device VK_KHR_global_priority = 1, core 1 4 {
        features [PhysicalDeviceGlobalPriorityQueryFeaturesKHR]
    }
    device VK_KHR_device_fault = 1 {
        features [PhysicalDeviceFaultFeaturesKHR]
        properties [PhysicalDeviceFaultPropertiesKHR]
        commands Device {
            PFN_vkGetDeviceFaultReportsKHR = device::faults::get_device_fault_reports,
            PFN_vkGetDeviceFaultDebugInfoKHR = device::faults::get_device_fault_debug_info,
        }
    }
    device VK_KHR_extended_flags = 1 {
        features [PhysicalDeviceExtendedFlagsFeaturesKHR]
    }
    device VK_KHR_internally_synchronized_queues = 1 {
        features [PhysicalDeviceInternallySynchronizedQueuesFeaturesKHR]
    }
    device VK_KHR_maintenance1 = 2, core 1 1 {
        commands Device {
            PFN_vkTrimCommandPool = command_buffer::trim_command_pool,
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
            PFN_vkGetDeviceBufferMemoryRequirements = resource::buffer::get_device_buffer_memory_requirements,
            PFN_vkGetDeviceImageMemoryRequirements = resource::image::get_device_image_memory_requirements,
            PFN_vkGetDeviceImageSparseMemoryRequirements = resource::image::get_device_image_sparse_memory_requirements,
        }
    }
    device VK_KHR_maintenance5 = 1, core 1 4, needs "VK_KHR_dynamic_rendering,VK_VERSION_1_3" {
        features [PhysicalDeviceMaintenance5FeaturesKHR]
        properties [PhysicalDeviceMaintenance5PropertiesKHR]
        commands Device {
            PFN_vkCmdBindIndexBuffer2KHR = commands::draw::cmd_bind_index_buffer2,
            PFN_vkGetRenderingAreaGranularityKHR = render_pass::get_rendering_area_granularity,
            PFN_vkGetDeviceImageSubresourceLayoutKHR = resource::image::get_device_image_subresource_layout,
            PFN_vkGetImageSubresourceLayout2KHR = resource::image::get_image_subresource_layout2,
        }
    }
    device VK_KHR_maintenance6 = 1, core 1 4 {
        features [PhysicalDeviceMaintenance6FeaturesKHR]
        properties [PhysicalDeviceMaintenance6PropertiesKHR]
        commands Device {
            PFN_vkCmdBindDescriptorSets2KHR = descriptor::update::cmd_bind_descriptor_sets2,
            PFN_vkCmdPushConstants2KHR = descriptor::update::cmd_push_constants2,
            PFN_vkCmdPushDescriptorSet2KHR = descriptor::update::cmd_push_descriptor_set2,
            PFN_vkCmdPushDescriptorSetWithTemplate2KHR = descriptor::update::cmd_push_descriptor_set_with_template2,
        }
    }
    device VK_KHR_maintenance7 = 1 {
        features [PhysicalDeviceMaintenance7FeaturesKHR]
        properties [PhysicalDeviceMaintenance7PropertiesKHR, PhysicalDeviceLayeredApiPropertiesListKHR]
    }
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
            PFN_vkCmdEndRendering2KHR = commands::render::cmd_end_rendering2,
        }
    }
    device VK_KHR_maintenance11 = 1 {
        features [PhysicalDeviceMaintenance11FeaturesKHR]
    }
}
