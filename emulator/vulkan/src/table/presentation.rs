//! Device extensions: presentation.

use crate::wsi;

rows! {
    device VK_EXT_hdr_metadata = 3, needs "VK_KHR_swapchain" {
        commands Device {
            PFN_vkSetHdrMetadataEXT = wsi::swapchain::set_hdr_metadata,
        }
    }
    device VK_EXT_image_compression_control_swapchain = 1, needs "VK_EXT_image_compression_control" {
        features [PhysicalDeviceImageCompressionControlSwapchainFeaturesEXT]
    }
    device VK_EXT_multisampled_render_to_swapchain = 1, needs "VK_KHR_swapchain+VK_EXT_multisampled_render_to_single_sampled" {
        features [PhysicalDeviceMultisampledRenderToSwapchainFeaturesEXT]
    }
    device VK_EXT_present_mode_fifo_latest_ready = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDevicePresentModeFifoLatestReadyFeaturesKHR]
    }
    device VK_EXT_swapchain_maintenance1 = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDeviceSwapchainMaintenance1FeaturesEXT]
        commands_of [VK_KHR_swapchain_maintenance1]
    }
    device VK_KHR_incremental_present = 2, needs "VK_KHR_swapchain" {}
    device VK_KHR_present_id = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDevicePresentIdFeaturesKHR]
    }
    device VK_KHR_present_id2 = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDevicePresentId2FeaturesKHR]
    }
    device VK_EXT_present_timing = 3, needs "VK_KHR_swapchain+VK_KHR_present_id2+VK_KHR_calibrated_timestamps" {
        features [PhysicalDevicePresentTimingFeaturesEXT]
        commands Device {
            PFN_vkSetSwapchainPresentTimingQueueSizeEXT = wsi::timing::set_swapchain_present_timing_queue_size,
            PFN_vkGetSwapchainTimingPropertiesEXT = wsi::timing::get_swapchain_timing_properties,
            PFN_vkGetSwapchainTimeDomainPropertiesEXT = wsi::timing::get_swapchain_time_domain_properties,
            PFN_vkGetPastPresentationTimingEXT = wsi::timing::get_past_presentation_timing,
        }
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
    // The registry makes this extension, and those that require it, depend on instance extensions. These dependencies
    // are omitted, because programs enable every device extension and the loader hides instance extensions that it does
    // not know.
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
    device VK_KHR_shared_presentable_image = 1, needs "VK_KHR_swapchain" {
        commands Device {
            PFN_vkGetSwapchainStatusKHR = wsi::swapchain::get_swapchain_status,
        }
    }
    device VK_KHR_swapchain_maintenance1 = 1, needs "VK_KHR_swapchain" {
        features [PhysicalDeviceSwapchainMaintenance1FeaturesEXT]
        commands Device {
            PFN_vkReleaseSwapchainImagesEXT = wsi::swapchain::release_swapchain_images,
        }
    }
    device VK_KHR_swapchain_mutable_format = 1, needs "VK_KHR_swapchain+(VK_KHR_image_format_list,VK_VERSION_1_2)" {}
}
