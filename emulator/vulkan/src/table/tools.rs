//! Device extensions: reports to tools, and descriptions of pipelines and shaders.

use crate::counters;
use crate::pipeline;
use crate::shader;

rows! {
    // The instance extension that it requires belongs to the loader.
    device VK_EXT_device_address_binding_report = 1 {
        features [PhysicalDeviceAddressBindingReportFeaturesEXT]
    }
    device VK_EXT_device_memory_report = 2 {
        features [PhysicalDeviceDeviceMemoryReportFeaturesEXT]
    }
    device VK_EXT_frame_boundary = 1 {
        features [PhysicalDeviceFrameBoundaryFeaturesEXT]
    }
    device VK_EXT_pipeline_properties = 1 {
        features [PhysicalDevicePipelinePropertiesFeaturesEXT]
        commands Device {
            PFN_vkGetPipelinePropertiesEXT = pipeline::executables::get_pipeline_properties,
        }
    }
    device VK_EXT_shader_module_identifier = 1, needs "VK_EXT_pipeline_creation_cache_control" {
        features [PhysicalDeviceShaderModuleIdentifierFeaturesEXT]
        properties [PhysicalDeviceShaderModuleIdentifierPropertiesEXT]
        commands Device {
            PFN_vkGetShaderModuleIdentifierEXT = shader::identifier::get_shader_module_identifier,
            PFN_vkGetShaderModuleCreateInfoIdentifierEXT = shader::identifier::get_shader_module_create_info_identifier,
        }
    }
    device VK_EXT_validation_cache = 1 {
        commands Device {
            PFN_vkCreateValidationCacheEXT = shader::validation_cache::create_validation_cache,
            PFN_vkDestroyValidationCacheEXT = shader::validation_cache::destroy_validation_cache,
            PFN_vkMergeValidationCachesEXT = shader::validation_cache::merge_validation_caches,
            PFN_vkGetValidationCacheDataEXT = shader::validation_cache::get_validation_cache_data,
        }
    }
    device VK_KHR_performance_query = 1 {
        features [PhysicalDevicePerformanceQueryFeaturesKHR]
        properties [PhysicalDevicePerformanceQueryPropertiesKHR]
        commands PhysicalDevice {
            PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR = counters::enumerate_physical_device_queue_family_performance_query_counters,
            PFN_vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR = counters::get_physical_device_queue_family_performance_query_passes,
        }
        commands Device {
            PFN_vkAcquireProfilingLockKHR = counters::acquire_profiling_lock,
            PFN_vkReleaseProfilingLockKHR = counters::release_profiling_lock,
        }
    }
    device VK_KHR_pipeline_executable_properties = 1 {
        features [PhysicalDevicePipelineExecutablePropertiesFeaturesKHR]
        commands Device {
            PFN_vkGetPipelineExecutablePropertiesKHR = pipeline::executables::get_pipeline_executable_properties,
            PFN_vkGetPipelineExecutableStatisticsKHR = pipeline::executables::get_pipeline_executable_statistics,
            PFN_vkGetPipelineExecutableInternalRepresentationsKHR = pipeline::executables::get_pipeline_executable_internal_representations,
        }
    }
}
