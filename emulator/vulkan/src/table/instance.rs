//! Instance extensions.

use crate::capabilities;
use crate::debug_utils;
use crate::device;
use crate::resource;
use crate::sys;
use crate::wsi;

rows! {
    instance VK_EXT_debug_utils = 2 {
        commands Instance {
            PFN_vkCreateDebugUtilsMessengerEXT = debug_utils::create_debug_utils_messenger,
            PFN_vkDestroyDebugUtilsMessengerEXT = debug_utils::destroy_debug_utils_messenger,
            PFN_vkSubmitDebugUtilsMessageEXT = debug_utils::submit_debug_utils_message,
        }
        commands Device {
            PFN_vkSetDebugUtilsObjectNameEXT = debug_utils::set_debug_utils_object_name,
            PFN_vkSetDebugUtilsObjectTagEXT = debug_utils::set_debug_utils_object_tag,
            PFN_vkCmdBeginDebugUtilsLabelEXT = debug_utils::cmd_begin_debug_utils_label,
            PFN_vkCmdEndDebugUtilsLabelEXT = debug_utils::cmd_end_debug_utils_label,
            PFN_vkCmdInsertDebugUtilsLabelEXT = debug_utils::cmd_insert_debug_utils_label,
            PFN_vkQueueBeginDebugUtilsLabelEXT = debug_utils::queue_begin_debug_utils_label,
            PFN_vkQueueEndDebugUtilsLabelEXT = debug_utils::queue_end_debug_utils_label,
            PFN_vkQueueInsertDebugUtilsLabelEXT = debug_utils::queue_insert_debug_utils_label,
        }
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
            PFN_vkEnumeratePhysicalDeviceGroups = device::instance::enumerate_physical_device_groups,
        }
    }
    instance VK_KHR_external_fence_capabilities = 1, core 1 1 {
        properties [PhysicalDeviceIDProperties]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalFenceProperties = resource::external::get_physical_device_external_fence_properties,
        }
    }
    instance VK_KHR_external_memory_capabilities = 1, core 1 1 {
        properties [PhysicalDeviceIDProperties]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalBufferProperties = resource::external::get_physical_device_external_buffer_properties,
        }
    }
    instance VK_KHR_external_semaphore_capabilities = 1, core 1 1 {
        properties [PhysicalDeviceIDProperties]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceExternalSemaphoreProperties = resource::external::get_physical_device_external_semaphore_properties,
        }
    }
    instance VK_KHR_get_physical_device_properties2 = 2, core 1 1 {
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceProperties2 = device::physical::get_physical_device_properties2,
            PFN_vkGetPhysicalDeviceFeatures2 = device::physical::get_physical_device_features2,
            PFN_vkGetPhysicalDeviceQueueFamilyProperties2 = device::physical::get_physical_device_queue_family_properties2,
            PFN_vkGetPhysicalDeviceMemoryProperties2 = device::physical::get_physical_device_memory_properties2,
            PFN_vkGetPhysicalDeviceFormatProperties2 = capabilities::format::get_physical_device_format_properties2,
            PFN_vkGetPhysicalDeviceImageFormatProperties2 = capabilities::format::get_physical_device_image_format_properties2,
            PFN_vkGetPhysicalDeviceSparseImageFormatProperties2 = resource::sparse::get_physical_device_sparse_image_format_properties2,
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
    instance VK_KHR_wayland_surface = 6, needs "VK_KHR_surface", if sys::has_x_and_wayland {
        commands Instance {
            PFN_vkCreateWaylandSurfaceKHR = wsi::surface::create_wayland_surface,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceWaylandPresentationSupportKHR = wsi::surface::get_physical_device_wayland_presentation_support,
        }
    }
    instance VK_KHR_win32_surface = 6, needs "VK_KHR_surface", if sys::has_win32 {
        commands Instance {
            PFN_vkCreateWin32SurfaceKHR = wsi::surface::create_win32_surface,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceWin32PresentationSupportKHR = wsi::surface::get_physical_device_win32_presentation_support,
        }
    }
    instance VK_KHR_xcb_surface = 6, needs "VK_KHR_surface", if sys::has_x_and_wayland {
        commands Instance {
            PFN_vkCreateXcbSurfaceKHR = wsi::surface::create_xcb_surface,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceXcbPresentationSupportKHR = wsi::surface::get_physical_device_xcb_presentation_support,
        }
    }
    instance VK_KHR_xlib_surface = 6, needs "VK_KHR_surface", if sys::has_x_and_wayland {
        commands Instance {
            PFN_vkCreateXlibSurfaceKHR = wsi::surface::create_xlib_surface,
        }
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceXlibPresentationSupportKHR = wsi::surface::get_physical_device_xlib_presentation_support,
        }
    }
}
