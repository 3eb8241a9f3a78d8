//! Device extensions: acceleration structures and rays.

use crate::acceleration_structure;
use crate::commands;
use crate::deferred;
use crate::pipeline;

rows! {
    device VK_EXT_opacity_micromap = 2, needs "VK_KHR_acceleration_structure+(VK_KHR_synchronization2,VK_VERSION_1_3)" {
        features [PhysicalDeviceOpacityMicromapFeaturesEXT]
        properties [PhysicalDeviceOpacityMicromapPropertiesEXT]
        commands Device {
            PFN_vkCreateMicromapEXT = acceleration_structure::micromap::create_micromap,
            PFN_vkDestroyMicromapEXT = acceleration_structure::micromap::destroy_micromap,
            PFN_vkCmdBuildMicromapsEXT = acceleration_structure::micromap::cmd_build_micromaps,
            PFN_vkBuildMicromapsEXT = acceleration_structure::micromap::build_micromaps,
            PFN_vkCopyMicromapEXT = acceleration_structure::micromap::copy_micromap,
            PFN_vkCopyMicromapToMemoryEXT = acceleration_structure::micromap::copy_micromap_to_memory,
            PFN_vkCopyMemoryToMicromapEXT = acceleration_structure::micromap::copy_memory_to_micromap,
            PFN_vkWriteMicromapsPropertiesEXT = acceleration_structure::micromap::write_micromaps_properties,
            PFN_vkCmdCopyMicromapEXT = acceleration_structure::micromap::cmd_copy_micromap,
            PFN_vkCmdCopyMicromapToMemoryEXT = acceleration_structure::micromap::cmd_copy_micromap_to_memory,
            PFN_vkCmdCopyMemoryToMicromapEXT = acceleration_structure::micromap::cmd_copy_memory_to_micromap,
            PFN_vkCmdWriteMicromapsPropertiesEXT = acceleration_structure::micromap::cmd_write_micromaps_properties,
            PFN_vkGetDeviceMicromapCompatibilityEXT = acceleration_structure::micromap::get_device_micromap_compatibility,
            PFN_vkGetMicromapBuildSizesEXT = acceleration_structure::micromap::get_micromap_build_sizes,
        }
    }
    device VK_EXT_pipeline_library_group_handles = 1, needs "VK_KHR_ray_tracing_pipeline+VK_KHR_pipeline_library" {
        features [PhysicalDevicePipelineLibraryGroupHandlesFeaturesEXT]
    }
    device VK_EXT_ray_tracing_invocation_reorder = 2, needs "VK_KHR_ray_tracing_pipeline" {
        features [PhysicalDeviceRayTracingInvocationReorderFeaturesEXT]
        properties [PhysicalDeviceRayTracingInvocationReorderPropertiesEXT]
    }
    device VK_KHR_acceleration_structure = 13, needs "((VK_EXT_descriptor_indexing+VK_KHR_buffer_device_address),VK_VERSION_1_2)+VK_KHR_deferred_host_operations" {
        features [PhysicalDeviceAccelerationStructureFeaturesKHR]
        properties [PhysicalDeviceAccelerationStructurePropertiesKHR]
        commands Device {
            PFN_vkCreateAccelerationStructureKHR = acceleration_structure::create_acceleration_structure,
            PFN_vkDestroyAccelerationStructureKHR = acceleration_structure::destroy_acceleration_structure,
            PFN_vkGetAccelerationStructureDeviceAddressKHR = acceleration_structure::get_acceleration_structure_device_address,
            PFN_vkGetAccelerationStructureBuildSizesKHR = acceleration_structure::get_acceleration_structure_build_sizes,
            PFN_vkGetDeviceAccelerationStructureCompatibilityKHR = acceleration_structure::get_device_acceleration_structure_compatibility,
            PFN_vkCmdBuildAccelerationStructuresKHR = acceleration_structure::build::cmd_build_acceleration_structures,
            PFN_vkCmdBuildAccelerationStructuresIndirectKHR = acceleration_structure::build::cmd_build_acceleration_structures_indirect,
            PFN_vkBuildAccelerationStructuresKHR = acceleration_structure::build::build_acceleration_structures,
            PFN_vkCmdCopyAccelerationStructureKHR = acceleration_structure::copy::cmd_copy_acceleration_structure,
            PFN_vkCmdCopyAccelerationStructureToMemoryKHR = acceleration_structure::copy::cmd_copy_acceleration_structure_to_memory,
            PFN_vkCmdCopyMemoryToAccelerationStructureKHR = acceleration_structure::copy::cmd_copy_memory_to_acceleration_structure,
            PFN_vkCmdWriteAccelerationStructuresPropertiesKHR = acceleration_structure::copy::cmd_write_acceleration_structures_properties,
            PFN_vkCopyAccelerationStructureKHR = acceleration_structure::copy::copy_acceleration_structure,
            PFN_vkCopyAccelerationStructureToMemoryKHR = acceleration_structure::copy::copy_acceleration_structure_to_memory,
            PFN_vkCopyMemoryToAccelerationStructureKHR = acceleration_structure::copy::copy_memory_to_acceleration_structure,
            PFN_vkWriteAccelerationStructuresPropertiesKHR = acceleration_structure::copy::write_acceleration_structures_properties,
        }
    }
    device VK_KHR_deferred_host_operations = 4 {
        commands Device {
            PFN_vkCreateDeferredOperationKHR = deferred::create_deferred_operation,
            PFN_vkDestroyDeferredOperationKHR = deferred::destroy_deferred_operation,
            PFN_vkGetDeferredOperationMaxConcurrencyKHR = deferred::get_deferred_operation_max_concurrency,
            PFN_vkGetDeferredOperationResultKHR = deferred::get_deferred_operation_result,
            PFN_vkDeferredOperationJoinKHR = deferred::deferred_operation_join,
        }
    }
    device VK_KHR_opacity_micromap = 1, needs "VK_KHR_acceleration_structure+VK_KHR_device_address_commands" {
        features [PhysicalDeviceOpacityMicromapFeaturesKHR]
        properties [PhysicalDeviceOpacityMicromapPropertiesKHR]
    }
    device VK_KHR_ray_query = 1, needs "(VK_KHR_spirv_1_4,VK_VERSION_1_2)+VK_KHR_acceleration_structure" {
        features [PhysicalDeviceRayQueryFeaturesKHR]
    }
    device VK_KHR_ray_tracing_maintenance1 = 1, needs "VK_KHR_acceleration_structure" {
        features [PhysicalDeviceRayTracingMaintenance1FeaturesKHR]
        commands Device {
            PFN_vkCmdTraceRaysIndirect2KHR = commands::trace_rays::cmd_trace_rays_indirect2,
        }
    }
    device VK_KHR_ray_tracing_pipeline = 1, needs "(VK_KHR_spirv_1_4,VK_VERSION_1_2)+VK_KHR_acceleration_structure" {
        features [PhysicalDeviceRayTracingPipelineFeaturesKHR]
        properties [PhysicalDeviceRayTracingPipelinePropertiesKHR]
        commands Device {
            PFN_vkCreateRayTracingPipelinesKHR = pipeline::ray_tracing::create_ray_tracing_pipelines,
            PFN_vkGetRayTracingShaderGroupHandlesKHR = pipeline::ray_tracing::get_ray_tracing_shader_group_handles,
            PFN_vkGetRayTracingCaptureReplayShaderGroupHandlesKHR = pipeline::ray_tracing::get_ray_tracing_capture_replay_shader_group_handles,
            PFN_vkGetRayTracingShaderGroupStackSizeKHR = pipeline::ray_tracing::get_ray_tracing_shader_group_stack_size,
            PFN_vkCmdTraceRaysKHR = commands::trace_rays::cmd_trace_rays,
            PFN_vkCmdTraceRaysIndirectKHR = commands::trace_rays::cmd_trace_rays_indirect,
            PFN_vkCmdSetRayTracingPipelineStackSizeKHR = commands::trace_rays::cmd_set_ray_tracing_pipeline_stack_size,
        }
    }
    device VK_KHR_ray_tracing_position_fetch = 1, needs "VK_KHR_acceleration_structure" {
        features [PhysicalDeviceRayTracingPositionFetchFeaturesKHR]
    }
}
