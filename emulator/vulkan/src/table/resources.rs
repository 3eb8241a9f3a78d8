//! Device extensions: memory, buffers, images, samplers, formats, and sharing of these.

use crate::capabilities;
use crate::device;
use crate::resource;
use crate::sys;

rows! {
    device VK_EXT_4444_formats = 1, core 1 3 {
        features [PhysicalDevice4444FormatsFeaturesEXT]
    }
    device VK_EXT_astc_decode_mode = 1 {
        features [PhysicalDeviceASTCDecodeFeaturesEXT]
    }
    device VK_EXT_border_color_swizzle = 1, needs "VK_EXT_custom_border_color" {
        features [PhysicalDeviceBorderColorSwizzleFeaturesEXT]
    }
    device VK_EXT_buffer_device_address = 2 {
        features [PhysicalDeviceBufferDeviceAddressFeaturesEXT]
        commands Device {
            PFN_vkGetBufferDeviceAddress = resource::buffer::get_buffer_device_address,
        }
    }
    device VK_EXT_custom_border_color = 12 {
        features [PhysicalDeviceCustomBorderColorFeaturesEXT]
        properties [PhysicalDeviceCustomBorderColorPropertiesEXT]
    }
    device VK_EXT_external_memory_acquire_unmodified = 1 {}
    device VK_EXT_external_memory_dma_buf = 1, needs "VK_KHR_external_memory_fd", if capabilities::sharing::dma_bufs {}
    device VK_EXT_external_memory_host = 1 {
        properties [PhysicalDeviceExternalMemoryHostPropertiesEXT]
        commands Device {
            PFN_vkGetMemoryHostPointerPropertiesEXT = resource::external::get_memory_host_pointer_properties,
        }
    }
    device VK_EXT_filter_cubic = 3 {}
    device VK_EXT_host_image_copy = 1, core 1 4, needs "(VK_KHR_copy_commands2+VK_KHR_format_feature_flags2),VK_VERSION_1_3" {
        features [PhysicalDeviceHostImageCopyFeaturesEXT]
        properties [PhysicalDeviceHostImageCopyPropertiesEXT]
        commands Device {
            PFN_vkCopyMemoryToImageEXT = resource::host_copy::copy_memory_to_image,
            PFN_vkCopyImageToMemoryEXT = resource::host_copy::copy_image_to_memory,
            PFN_vkCopyImageToImageEXT = resource::host_copy::copy_image_to_image,
            PFN_vkTransitionImageLayoutEXT = resource::host_copy::transition_image_layout,
            PFN_vkGetImageSubresourceLayout2KHR = resource::image::get_image_subresource_layout2,
        }
    }
    device VK_EXT_image_2d_view_of_3d = 1 {
        features [PhysicalDeviceImage2DViewOf3DFeaturesEXT]
    }
    // No image is compressed beyond its format.
    device VK_EXT_image_compression_control = 1 {
        features [PhysicalDeviceImageCompressionControlFeaturesEXT]
        commands Device {
            PFN_vkGetImageSubresourceLayout2KHR = resource::image::get_image_subresource_layout2,
        }
    }
    device VK_EXT_image_drm_format_modifier = 2, needs "VK_KHR_image_format_list,VK_VERSION_1_2" {
        commands Device {
            PFN_vkGetImageDrmFormatModifierPropertiesEXT = resource::image::get_image_drm_format_modifier_properties,
        }
    }
    device VK_EXT_image_sliced_view_of_3d = 1 {
        features [PhysicalDeviceImageSlicedViewOf3DFeaturesEXT]
    }
    // Images have one tiling, which is both the smallest and the fastest.
    device VK_EXT_image_tiling_control = 1 {
        features [PhysicalDeviceImageTilingControlFeaturesEXT]
    }
    device VK_MESA_image_alignment_control = 1, needs "VK_KHR_get_physical_device_properties2,VK_VERSION_1_1" {
        features [PhysicalDeviceImageAlignmentControlFeaturesMESA]
        properties [PhysicalDeviceImageAlignmentControlPropertiesMESA]
    }
    device VK_EXT_image_view_min_lod = 1 {
        features [PhysicalDeviceImageViewMinLodFeaturesEXT]
    }
    device VK_EXT_memory_budget = 1 {}
    device VK_EXT_memory_priority = 1 {
        features [PhysicalDeviceMemoryPriorityFeaturesEXT]
    }
    device VK_EXT_non_seamless_cube_map = 1 {
        features [PhysicalDeviceNonSeamlessCubeMapFeaturesEXT]
    }
    device VK_EXT_pageable_device_local_memory = 1, needs "VK_EXT_memory_priority" {
        features [PhysicalDevicePageableDeviceLocalMemoryFeaturesEXT]
        commands Device {
            PFN_vkSetDeviceMemoryPriorityEXT = resource::memory::set_device_memory_priority,
        }
    }
    device VK_EXT_queue_family_foreign = 1 {}
    device VK_EXT_rgba10x6_formats = 1 {
        features [PhysicalDeviceRGBA10X6FormatsFeaturesEXT]
    }
    device VK_EXT_sampler_filter_minmax = 2, core 1 2 {
        properties [PhysicalDeviceSamplerFilterMinmaxProperties]
    }
    device VK_EXT_separate_stencil_usage = 1, core 1 2 {}
    device VK_EXT_texture_compression_astc_3d = 1 {
        features [PhysicalDeviceTextureCompressionASTC3DFeaturesEXT]
    }
    device VK_EXT_texture_compression_astc_hdr = 1, core 1 3 {
        features [PhysicalDeviceTextureCompressionASTCHDRFeatures]
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
    device VK_IMG_filter_cubic = 1 {}
    device VK_KHR_bind_memory2 = 1, core 1 1 {
        commands Device {
            PFN_vkBindBufferMemory2 = resource::buffer::bind_buffer_memory2,
            PFN_vkBindImageMemory2 = resource::image::bind_image_memory2,
        }
    }
    device VK_KHR_buffer_device_address = 1, core 1 2 {
        features [PhysicalDeviceBufferDeviceAddressFeatures]
        commands Device {
            PFN_vkGetBufferOpaqueCaptureAddress = resource::buffer::get_buffer_opaque_capture_address,
            PFN_vkGetDeviceMemoryOpaqueCaptureAddress = resource::buffer::get_device_memory_opaque_capture_address,
        }
        commands_of [VK_EXT_buffer_device_address]
    }
    device VK_KHR_dedicated_allocation = 3, core 1 1 {}
    device VK_KHR_external_fence = 1, core 1 1 {}
    device VK_KHR_external_fence_fd = 1, if sys::has_descriptors {
        commands Device {
            PFN_vkImportFenceFdKHR = resource::external::import_fence_fd,
            PFN_vkGetFenceFdKHR = resource::external::get_fence_fd,
        }
    }
    device VK_KHR_external_memory = 1, core 1 1 {}
    device VK_KHR_external_memory_fd = 1, if sys::has_descriptors {
        commands Device {
            PFN_vkGetMemoryFdKHR = resource::external::get_memory_fd,
            PFN_vkGetMemoryFdPropertiesKHR = resource::external::get_memory_fd_properties,
        }
    }
    device VK_KHR_external_semaphore = 1, core 1 1 {}
    device VK_KHR_external_semaphore_fd = 1, if sys::has_descriptors {
        commands Device {
            PFN_vkImportSemaphoreFdKHR = resource::external::import_semaphore_fd,
            PFN_vkGetSemaphoreFdKHR = resource::external::get_semaphore_fd,
        }
    }
    device VK_KHR_format_feature_flags2 = 2, core 1 3 {}
    device VK_KHR_get_memory_requirements2 = 1, core 1 1 {
        commands Device {
            PFN_vkGetBufferMemoryRequirements2 = resource::buffer::get_buffer_memory_requirements2,
            PFN_vkGetImageMemoryRequirements2 = resource::image::get_image_memory_requirements2,
            PFN_vkGetImageSparseMemoryRequirements2 = resource::image::get_image_sparse_memory_requirements2,
        }
    }
    device VK_KHR_image_format_list = 1, core 1 2 {}
    device VK_EXT_map_memory_placed = 1, needs "VK_KHR_map_memory2", if device::placed::offered {
        features [PhysicalDeviceMapMemoryPlacedFeaturesEXT]
        properties [PhysicalDeviceMapMemoryPlacedPropertiesEXT]
    }
    device VK_KHR_map_memory2 = 1, core 1 4 {
        commands Device {
            PFN_vkMapMemory2KHR = resource::memory::map_memory2,
            PFN_vkUnmapMemory2KHR = resource::memory::unmap_memory2,
        }
    }
    device VK_KHR_sampler_mirror_clamp_to_edge = 3, core 1 2 {}
    device VK_KHR_sampler_ycbcr_conversion = 14, core 1 1 {
        features [PhysicalDeviceSamplerYcbcrConversionFeatures]
        commands Device {
            PFN_vkCreateSamplerYcbcrConversion = resource::sampler::create_sampler_ycbcr_conversion,
            PFN_vkDestroySamplerYcbcrConversion = resource::sampler::destroy_sampler_ycbcr_conversion,
        }
    }
    device VK_KHR_unified_image_layouts = 1 {
        features [PhysicalDeviceUnifiedImageLayoutsFeaturesKHR]
    }
}
