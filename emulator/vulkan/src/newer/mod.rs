//! Structures, handles and commands that are newer than the bindings, with the names that the table uses for them.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

pub use vk::{
    PhysicalDeviceShaderExpectAssumeFeaturesKHR as PhysicalDeviceShaderExpectAssumeFeatures,
    PhysicalDeviceShaderFloatControls2FeaturesKHR as PhysicalDeviceShaderFloatControls2Features,
    PhysicalDeviceShaderSubgroupRotateFeaturesKHR as PhysicalDeviceShaderSubgroupRotateFeatures,
};

/// Type of a member: the given type, or else a 32-bit truth value or number.
macro_rules! member {
    () => {
        vk::Bool32
    };
    ($type:ty) => {
        $type
    };
}

/// Defines C structures; members without a type are 32-bit truth values or numbers.
macro_rules! structures {
    ($($(#[$d:meta])* $name:ident = $number:literal { $($field:ident $(: $type:ty)?),* $(,)? })*) => {$(
        $(#[$d])*
        #[repr(C)]
        pub struct $name {
            pub s_type: vk::StructureType,
            pub p_next: *mut c_void,
            $(pub $field: member!($($type)?),)*
        }

        impl Default for $name {
            fn default() -> Self {
                // SAFETY: all members are numbers, handles, pointers and arrays of these, for which zero bytes are
                // valid.
                let zero = unsafe { std::mem::zeroed::<Self>() };
                Self { s_type: Self::STRUCTURE_TYPE, ..zero }
            }
        }

        // SAFETY: each row below repeats the type number and the members of the structure in the specification, after
        // `sType` and `pNext`.
        unsafe impl TaggedStructure for $name {
            const STRUCTURE_TYPE: vk::StructureType = vk::StructureType::from_raw($number);
        }
    )*};
}

/// VkDeviceAddressRangeKHR.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct DeviceAddressRangeKHR {
    pub address: vk::DeviceAddress,
    pub size: vk::DeviceSize,
}

/// VkStridedDeviceAddressRangeKHR.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StridedDeviceAddressRangeKHR {
    pub address: vk::DeviceAddress,
    pub size: vk::DeviceSize,
    pub stride: vk::DeviceSize,
}

/// VK_PRESENT_MODE_FIFO_LATEST_READY_KHR.
pub const FIFO_LATEST_READY: vk::PresentModeKHR = vk::PresentModeKHR::from_raw(1_000_361_000);

/// VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR.
pub const ALIAS_SINGLE_LAYER_DESCRIPTOR: vk::ImageCreateFlags = vk::ImageCreateFlags::from_raw(1 << 22);

/// VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR, and on transfer queues.
pub const DEPTH_COPY_ON_ANY_QUEUE: vk::FormatFeatureFlags2 = vk::FormatFeatureFlags2::from_raw(3 << 52);

/// VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR, and on transfer queues.
pub const STENCIL_COPY_ON_ANY_QUEUE: vk::FormatFeatureFlags2 = vk::FormatFeatureFlags2::from_raw(3 << 54);

/// VK_FORMAT_FEATURE_2_COPY_IMAGE_INDIRECT_DST_BIT_KHR.
pub const COPY_IMAGE_INDIRECT_DST: vk::FormatFeatureFlags2 = vk::FormatFeatureFlags2::from_raw(1 << 59);

/// Defines non-dispatchable handles.
macro_rules! handles {
    ($($(#[$d:meta])* $name:ident = $number:literal;)*) => {$(
        $(#[$d])*
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(u64);

        impl vk::Handle for $name {
            const TYPE: vk::ObjectType = vk::ObjectType::from_raw($number);
            fn as_raw(self) -> u64 {
                self.0
            }
            fn from_raw(raw: u64) -> Self {
                $name(raw)
            }
        }
    )*};
}

handles! {
    /// VK_KHR_pipeline_binary.
    PipelineBinaryKHR = 1_000_483_000;
    /// VK_EXT_device_generated_commands.
    IndirectCommandsLayoutEXT = 1_000_572_000;
    /// VK_EXT_device_generated_commands.
    IndirectExecutionSetEXT = 1_000_572_001;
}

/// VK_PIPELINE_BINARY_MISSING_KHR.
pub const PIPELINE_BINARY_MISSING: vk::Result = vk::Result::from_raw(1_000_483_000);

/// VK_ERROR_NOT_ENOUGH_SPACE_KHR.
pub const NOT_ENOUGH_SPACE: vk::Result = vk::Result::from_raw(-1_000_483_000);

/// VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR, which is among the first 32 flags.
pub const CAPTURE_DATA: vk::PipelineCreateFlags = vk::PipelineCreateFlags::from_raw(1 << 31);

/// VK_MAX_PIPELINE_BINARY_KEY_SIZE_KHR.
pub const MAX_PIPELINE_BINARY_KEY_SIZE: usize = 32;

/// VkPipelineBinaryDataKHR.
#[repr(C)]
pub struct PipelineBinaryDataKHR {
    pub data_size: usize,
    pub p_data: *mut c_void,
}

/// VkPipelineBinaryKeysAndDataKHR.
#[repr(C)]
pub struct PipelineBinaryKeysAndDataKHR {
    pub binary_count: u32,
    pub p_pipeline_binary_keys: *const PipelineBinaryKeyKHR,
    pub p_pipeline_binary_data: *const PipelineBinaryDataKHR,
}

/// VkIndirectCommandsExecutionSetTokenEXT.
#[repr(C)]
pub struct IndirectCommandsExecutionSetTokenEXT {
    pub ty: i32,
    pub shader_stages: vk::ShaderStageFlags,
}

/// Defines function pointer types of commands.
macro_rules! command_types {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {$(
        #[expect(non_camel_case_types, reason = "has the name in the specification")]
        pub type $name = unsafe extern "system" fn($($argument),*) $(-> $result)?;
    )*};
}

mod heaps;

pub use heaps::*;

command_types! {
    PFN_vkCreatePipelineBinariesKHR(
        vk::Device, *const PipelineBinaryCreateInfoKHR, *const vk::AllocationCallbacks<'_>,
        *mut PipelineBinaryHandlesInfoKHR
    ) -> vk::Result;
    PFN_vkDestroyPipelineBinaryKHR(vk::Device, PipelineBinaryKHR, *const vk::AllocationCallbacks<'_>);
    PFN_vkGetPipelineKeyKHR(
        vk::Device, *const PipelineCreateInfoKHR, *mut PipelineBinaryKeyKHR
    ) -> vk::Result;
    PFN_vkGetPipelineBinaryDataKHR(
        vk::Device, *const PipelineBinaryDataInfoKHR, *mut PipelineBinaryKeyKHR, *mut usize, *mut c_void
    ) -> vk::Result;
    PFN_vkReleaseCapturedPipelineDataKHR(
        vk::Device, *const ReleaseCapturedPipelineDataInfoKHR, *const vk::AllocationCallbacks<'_>
    ) -> vk::Result;
    PFN_vkGetGeneratedCommandsMemoryRequirementsEXT(
        vk::Device, *const GeneratedCommandsMemoryRequirementsInfoEXT, *mut vk::MemoryRequirements2<'_>
    );
    PFN_vkCmdPreprocessGeneratedCommandsEXT(
        vk::CommandBuffer, *const GeneratedCommandsInfoEXT, vk::CommandBuffer
    );
    PFN_vkCmdExecuteGeneratedCommandsEXT(vk::CommandBuffer, vk::Bool32, *const GeneratedCommandsInfoEXT);
    PFN_vkCreateIndirectCommandsLayoutEXT(
        vk::Device, *const IndirectCommandsLayoutCreateInfoEXT, *const vk::AllocationCallbacks<'_>,
        *mut IndirectCommandsLayoutEXT
    ) -> vk::Result;
    PFN_vkDestroyIndirectCommandsLayoutEXT(
        vk::Device, IndirectCommandsLayoutEXT, *const vk::AllocationCallbacks<'_>
    );
    PFN_vkCreateIndirectExecutionSetEXT(
        vk::Device, *const IndirectExecutionSetCreateInfoEXT, *const vk::AllocationCallbacks<'_>,
        *mut IndirectExecutionSetEXT
    ) -> vk::Result;
    PFN_vkDestroyIndirectExecutionSetEXT(
        vk::Device, IndirectExecutionSetEXT, *const vk::AllocationCallbacks<'_>
    );
    PFN_vkUpdateIndirectExecutionSetPipelineEXT(
        vk::Device, IndirectExecutionSetEXT, u32, *const WriteIndirectExecutionSetPipelineEXT
    );
    PFN_vkUpdateIndirectExecutionSetShaderEXT(
        vk::Device, IndirectExecutionSetEXT, u32, *const WriteIndirectExecutionSetShaderEXT
    );
    PFN_vkCmdEndRendering2KHR(vk::CommandBuffer, *const RenderingEndInfoKHR);
    PFN_vkCmdSetPrimitiveRestartIndexEXT(vk::CommandBuffer, u32);
    PFN_vkWaitForPresent2KHR(vk::Device, vk::SwapchainKHR, *const PresentWait2InfoKHR) -> vk::Result;
    PFN_vkCmdCopyMemoryIndirectKHR(vk::CommandBuffer, *const CopyMemoryIndirectInfoKHR);
    PFN_vkCmdCopyMemoryToImageIndirectKHR(vk::CommandBuffer, *const CopyMemoryToImageIndirectInfoKHR);
    PFN_vkCmdBindIndexBuffer3KHR(vk::CommandBuffer, *const BindIndexBuffer3InfoKHR);
    PFN_vkCmdBindVertexBuffers3KHR(vk::CommandBuffer, u32, u32, *const BindVertexBuffer3InfoKHR);
    PFN_vkCmdDrawIndirect2KHR(vk::CommandBuffer, *const DrawIndirect2InfoKHR);
    PFN_vkCmdDrawIndexedIndirect2KHR(vk::CommandBuffer, *const DrawIndirect2InfoKHR);
    PFN_vkCmdDrawIndirectCount2KHR(vk::CommandBuffer, *const DrawIndirectCount2InfoKHR);
    PFN_vkCmdDrawIndexedIndirectCount2KHR(vk::CommandBuffer, *const DrawIndirectCount2InfoKHR);
    PFN_vkCmdDispatchIndirect2KHR(vk::CommandBuffer, *const DispatchIndirect2InfoKHR);
    PFN_vkCmdCopyMemoryKHR(vk::CommandBuffer, *const CopyDeviceMemoryInfoKHR);
    PFN_vkCmdCopyMemoryToImageKHR(vk::CommandBuffer, *const CopyDeviceMemoryImageInfoKHR);
    PFN_vkCmdCopyImageToMemoryKHR(vk::CommandBuffer, *const CopyDeviceMemoryImageInfoKHR);
    PFN_vkCmdUpdateMemoryKHR(vk::CommandBuffer, *const DeviceAddressRangeKHR, u32, u64, *const c_void);
    PFN_vkCmdFillMemoryKHR(vk::CommandBuffer, *const DeviceAddressRangeKHR, u32, u32);
    PFN_vkCmdCopyQueryPoolResultsToMemoryKHR(
        vk::CommandBuffer, vk::QueryPool, u32, u32, *const StridedDeviceAddressRangeKHR, u32,
        vk::QueryResultFlags
    );
    PFN_vkCmdBeginConditionalRendering2EXT(vk::CommandBuffer, *const ConditionalRenderingBeginInfo2EXT);
    PFN_vkCmdBindTransformFeedbackBuffers2EXT(
        vk::CommandBuffer, u32, u32, *const BindTransformFeedbackBuffer2InfoEXT
    );
    PFN_vkCmdBeginTransformFeedback2EXT(
        vk::CommandBuffer, u32, u32, *const BindTransformFeedbackBuffer2InfoEXT
    );
    PFN_vkCmdEndTransformFeedback2EXT(
        vk::CommandBuffer, u32, u32, *const BindTransformFeedbackBuffer2InfoEXT
    );
    PFN_vkCmdDrawIndirectByteCount2EXT(
        vk::CommandBuffer, u32, u32, *const BindTransformFeedbackBuffer2InfoEXT, u32, u32
    );
    PFN_vkCmdDrawMeshTasksIndirect2EXT(vk::CommandBuffer, *const DrawIndirect2InfoKHR);
    PFN_vkCmdDrawMeshTasksIndirectCount2EXT(vk::CommandBuffer, *const DrawIndirectCount2InfoKHR);
}

structures! {
    /// Vulkan 1.4.
    PhysicalDeviceVulkan14Features = 55 {
        global_priority_query,
        shader_subgroup_rotate,
        shader_subgroup_rotate_clustered,
        shader_float_controls2,
        shader_expect_assume,
        rectangular_lines,
        bresenham_lines,
        smooth_lines,
        stippled_rectangular_lines,
        stippled_bresenham_lines,
        stippled_smooth_lines,
        vertex_attribute_instance_rate_divisor,
        vertex_attribute_instance_rate_zero_divisor,
        index_type_uint8,
        dynamic_rendering_local_read,
        maintenance5,
        maintenance6,
        pipeline_protected_access,
        pipeline_robustness,
        host_image_copy,
        push_descriptor,
    }
    /// Vulkan 1.4.
    PhysicalDeviceVulkan14Properties = 56 {
        line_sub_pixel_precision_bits,
        max_vertex_attrib_divisor,
        supports_non_zero_first_instance,
        max_push_descriptors,
        dynamic_rendering_local_read_depth_stencil_attachments,
        dynamic_rendering_local_read_multisampled_attachments,
        early_fragment_multisample_coverage_after_sample_counting,
        early_fragment_sample_mask_test_before_sample_counting,
        depth_stencil_swizzle_one_support,
        polygon_mode_point_size,
        non_strict_single_pixel_wide_lines_use_parallelogram,
        non_strict_wide_lines_use_parallelogram,
        block_texel_view_compatible_multiple_layers,
        max_combined_image_sampler_descriptor_count,
        fragment_shading_rate_clamp_combiner_inputs,
        default_robustness_storage_buffers: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_uniform_buffers: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_vertex_inputs: vk::PipelineRobustnessBufferBehaviorEXT,
        default_robustness_images: vk::PipelineRobustnessImageBehaviorEXT,
        copy_src_layout_count,
        p_copy_src_layouts: *mut vk::ImageLayout,
        copy_dst_layout_count,
        p_copy_dst_layouts: *mut vk::ImageLayout,
        optimal_tiling_layout_uuid: [u8; vk::UUID_SIZE],
        identical_memory_type_requirements,
    }
    /// VK_EXT_zero_initialize_device_memory.
    PhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT = 1_000_620_000 { zero_initialize_device_memory }
    /// VK_KHR_shader_untyped_pointers.
    PhysicalDeviceShaderUntypedPointersFeaturesKHR = 1_000_387_000 { shader_untyped_pointers }
    /// VK_EXT_shader_replicated_composites.
    PhysicalDeviceShaderReplicatedCompositesFeaturesEXT = 1_000_564_000 { shader_replicated_composites }
    /// VK_KHR_shader_relaxed_extended_instruction.
    PhysicalDeviceShaderRelaxedExtendedInstructionFeaturesKHR = 1_000_558_000 {
        shader_relaxed_extended_instruction,
    }
    /// VK_KHR_compute_shader_derivatives.
    PhysicalDeviceComputeShaderDerivativesPropertiesKHR = 1_000_511_000 { mesh_and_task_shader_derivatives }
    /// VK_KHR_shader_fma.
    PhysicalDeviceShaderFmaFeaturesKHR = 1_000_579_000 {
        shader_fma_float16,
        shader_fma_float32,
        shader_fma_float64,
    }
    /// VK_KHR_unified_image_layouts.
    PhysicalDeviceUnifiedImageLayoutsFeaturesKHR = 1_000_527_000 {
        unified_image_layouts,
        unified_image_layouts_video,
    }
    /// VK_KHR_maintenance8.
    PhysicalDeviceMaintenance8FeaturesKHR = 1_000_574_000 { maintenance8 }
    /// VK_KHR_maintenance9.
    PhysicalDeviceMaintenance9FeaturesKHR = 1_000_584_000 { maintenance9 }
    /// VK_KHR_maintenance9.
    PhysicalDeviceMaintenance9PropertiesKHR = 1_000_584_001 {
        image2_d_view_of3_d_sparse,
        default_vertex_attribute_value,
    }
    /// VK_KHR_maintenance9.
    QueueFamilyOwnershipTransferPropertiesKHR = 1_000_584_002 { optimal_image_transfer_to_queue_families }
    /// VK_KHR_maintenance7.
    PhysicalDeviceMaintenance7FeaturesKHR = 1_000_562_000 { maintenance7 }
    /// VK_KHR_maintenance7. The counts after the flags have the same width.
    PhysicalDeviceMaintenance7PropertiesKHR = 1_000_562_001 {
        robust_fragment_shading_rate_attachment_access,
        separate_depth_stencil_attachment_access,
        max_descriptor_set_total_uniform_buffers_dynamic,
        max_descriptor_set_total_storage_buffers_dynamic,
        max_descriptor_set_total_buffers_dynamic,
        max_descriptor_set_update_after_bind_total_uniform_buffers_dynamic,
        max_descriptor_set_update_after_bind_total_storage_buffers_dynamic,
        max_descriptor_set_update_after_bind_total_buffers_dynamic,
    }
    /// VK_EXT_legacy_vertex_attributes.
    PhysicalDeviceLegacyVertexAttributesFeaturesEXT = 1_000_495_000 { legacy_vertex_attributes }
    /// VK_EXT_legacy_vertex_attributes.
    PhysicalDeviceLegacyVertexAttributesPropertiesEXT = 1_000_495_001 { native_unaligned_performance }
    /// VK_EXT_primitive_restart_index.
    PhysicalDevicePrimitiveRestartIndexFeaturesEXT = 1_000_678_000 { primitive_restart_index }
    /// VK_KHR_present_id2.
    PhysicalDevicePresentId2FeaturesKHR = 1_000_479_002 { present_id2 }
    /// VK_KHR_present_id2.
    SurfaceCapabilitiesPresentId2KHR = 1_000_479_000 { present_id2_supported }
    /// VK_KHR_present_id2.
    PresentId2KHR = 1_000_479_001 { swapchain_count, p_present_ids: *const u64 }
    /// VK_KHR_present_wait2.
    PhysicalDevicePresentWait2FeaturesKHR = 1_000_480_001 { present_wait2 }
    /// VK_KHR_present_wait2.
    SurfaceCapabilitiesPresentWait2KHR = 1_000_480_000 { present_wait2_supported }
    /// VK_KHR_present_wait2.
    PresentWait2InfoKHR = 1_000_480_002 { present_id: u64, timeout: u64 }
    /// VK_EXT_multisampled_render_to_swapchain.
    PhysicalDeviceMultisampledRenderToSwapchainFeaturesEXT = 1_000_616_000 { multisampled_render_to_swapchain }
    /// VK_EXT_multisampled_render_to_swapchain.
    SwapchainFlagsSurfaceCapabilitiesEXT = 1_000_616_001 { swapchain_supported_flags: vk::SwapchainCreateFlagsKHR }
    /// VK_KHR_present_mode_fifo_latest_ready.
    PhysicalDevicePresentModeFifoLatestReadyFeaturesKHR = 1_000_361_000 { present_mode_fifo_latest_ready }
    /// VK_KHR_copy_memory_indirect.
    PhysicalDeviceCopyMemoryIndirectFeaturesKHR = 1_000_549_000 {
        indirect_memory_copy,
        indirect_memory_to_image_copy,
    }
    /// VK_KHR_copy_memory_indirect.
    PhysicalDeviceCopyMemoryIndirectPropertiesKHR = 1_000_426_001 { supported_queues: vk::QueueFlags }
    /// VK_KHR_copy_memory_indirect.
    CopyMemoryIndirectInfoKHR = 1_000_549_002 {
        src_copy_flags,
        dst_copy_flags,
        copy_count,
        copy_address_range: StridedDeviceAddressRangeKHR,
    }
    /// VK_KHR_copy_memory_indirect.
    CopyMemoryToImageIndirectInfoKHR = 1_000_549_003 {
        src_copy_flags,
        copy_count,
        copy_address_range: StridedDeviceAddressRangeKHR,
        dst_image: vk::Image,
        dst_image_layout: vk::ImageLayout,
        p_image_subresources: *const vk::ImageSubresourceLayers,
    }
    /// VK_KHR_device_address_commands: this and the next structures, up to those of VK_KHR_maintenance10.
    PhysicalDeviceDeviceAddressCommandsFeaturesKHR = 1_000_318_006 { device_address_commands }
    DeviceMemoryCopyKHR = 1_000_318_000 {
        src_range: DeviceAddressRangeKHR,
        src_flags,
        dst_range: DeviceAddressRangeKHR,
        dst_flags,
    }
    CopyDeviceMemoryInfoKHR = 1_000_318_001 { region_count, p_regions: *const DeviceMemoryCopyKHR }
    DeviceMemoryImageCopyKHR = 1_000_318_002 {
        address_range: DeviceAddressRangeKHR,
        address_flags,
        address_row_length,
        address_image_height,
        image_subresource: vk::ImageSubresourceLayers,
        image_layout: vk::ImageLayout,
        image_offset: vk::Offset3D,
        image_extent: vk::Extent3D,
    }
    CopyDeviceMemoryImageInfoKHR = 1_000_318_003 {
        image: vk::Image,
        region_count,
        p_regions: *const DeviceMemoryImageCopyKHR,
    }
    BindIndexBuffer3InfoKHR = 1_000_318_007 {
        address_range: DeviceAddressRangeKHR,
        address_flags,
        index_type: vk::IndexType,
    }
    BindVertexBuffer3InfoKHR = 1_000_318_008 {
        set_stride,
        address_range: StridedDeviceAddressRangeKHR,
        address_flags,
    }
    DrawIndirect2InfoKHR = 1_000_318_009 {
        address_range: StridedDeviceAddressRangeKHR,
        address_flags,
        draw_count,
    }
    DrawIndirectCount2InfoKHR = 1_000_318_010 {
        address_range: StridedDeviceAddressRangeKHR,
        address_flags,
        count_address_range: DeviceAddressRangeKHR,
        count_address_flags,
        max_draw_count,
    }
    DispatchIndirect2InfoKHR = 1_000_318_011 { address_range: DeviceAddressRangeKHR, address_flags }
    ConditionalRenderingBeginInfo2EXT = 1_000_318_012 {
        address_range: DeviceAddressRangeKHR,
        address_flags,
        flags: vk::ConditionalRenderingFlagsEXT,
    }
    BindTransformFeedbackBuffer2InfoEXT = 1_000_318_013 {
        address_range: DeviceAddressRangeKHR,
        address_flags,
    }
    /// VK_KHR_maintenance10.
    PhysicalDeviceMaintenance10FeaturesKHR = 1_000_630_000 { maintenance10 }
    /// VK_KHR_maintenance10.
    PhysicalDeviceMaintenance10PropertiesKHR = 1_000_630_001 {
        rgba4_opaque_black_swizzled,
        resolve_srgb_format_applies_transfer_function,
        resolve_srgb_format_supports_transfer_function_control,
    }
    /// VK_KHR_maintenance10.
    RenderingEndInfoKHR = 1_000_619_003 {}
    /// VK_KHR_maintenance10.
    ResolveImageModeInfoKHR = 1_000_630_004 {
        flags,
        resolve_mode: vk::ResolveModeFlags,
        stencil_resolve_mode: vk::ResolveModeFlags,
    }
    /// VK_KHR_maintenance11.
    PhysicalDeviceMaintenance11FeaturesKHR = 1_000_657_000 { maintenance11 }
    /// VK_KHR_maintenance11.
    QueueFamilyOptimalImageTransferGranularityPropertiesKHR = 1_000_657_001 {
        optimal_image_transfer_granularity: vk::Extent3D,
    }
    /// VK_EXT_device_generated_commands: this and the next structures, up to those of VK_KHR_pipeline_binary. Pointers to
    /// one of several structures are untyped.
    PhysicalDeviceDeviceGeneratedCommandsFeaturesEXT = 1_000_572_000 {
        device_generated_commands,
        dynamic_generated_pipeline_layout,
    }
    PhysicalDeviceDeviceGeneratedCommandsPropertiesEXT = 1_000_572_001 {
        max_indirect_pipeline_count,
        max_indirect_shader_object_count,
        max_indirect_sequence_count,
        max_indirect_commands_token_count,
        max_indirect_commands_token_offset,
        max_indirect_commands_indirect_stride,
        supported_indirect_commands_input_modes,
        supported_indirect_commands_shader_stages: vk::ShaderStageFlags,
        supported_indirect_commands_shader_stages_pipeline_binding: vk::ShaderStageFlags,
        supported_indirect_commands_shader_stages_shader_binding: vk::ShaderStageFlags,
        device_generated_commands_transform_feedback,
        device_generated_commands_multi_draw_indirect_count,
    }
    GeneratedCommandsMemoryRequirementsInfoEXT = 1_000_572_002 {
        indirect_execution_set: IndirectExecutionSetEXT,
        indirect_commands_layout: IndirectCommandsLayoutEXT,
        max_sequence_count,
        max_draw_count,
    }
    IndirectExecutionSetCreateInfoEXT = 1_000_572_003 { ty: i32, info: *const c_void }
    GeneratedCommandsInfoEXT = 1_000_572_004 {
        shader_stages: vk::ShaderStageFlags,
        indirect_execution_set: IndirectExecutionSetEXT,
        indirect_commands_layout: IndirectCommandsLayoutEXT,
        indirect_address: vk::DeviceAddress,
        indirect_address_size: vk::DeviceSize,
        preprocess_address: vk::DeviceAddress,
        preprocess_size: vk::DeviceSize,
        max_sequence_count,
        sequence_count_address: vk::DeviceAddress,
        max_draw_count,
    }
    IndirectCommandsLayoutCreateInfoEXT = 1_000_572_006 {
        flags,
        shader_stages: vk::ShaderStageFlags,
        indirect_stride,
        pipeline_layout: vk::PipelineLayout,
        token_count,
        p_tokens: *const IndirectCommandsLayoutTokenEXT,
    }
    IndirectCommandsLayoutTokenEXT = 1_000_572_007 { ty: i32, data: *const c_void, offset }
    WriteIndirectExecutionSetPipelineEXT = 1_000_572_008 { index, pipeline: vk::Pipeline }
    WriteIndirectExecutionSetShaderEXT = 1_000_572_009 { index, shader: vk::ShaderEXT }
    IndirectExecutionSetPipelineInfoEXT = 1_000_572_010 {
        initial_pipeline: vk::Pipeline,
        max_pipeline_count,
    }
    IndirectExecutionSetShaderInfoEXT = 1_000_572_011 {
        shader_count,
        p_initial_shaders: *const vk::ShaderEXT,
        p_set_layout_infos: *const c_void,
        max_shader_count,
        push_constant_range_count,
        p_push_constant_ranges: *const vk::PushConstantRange,
    }
    /// VK_KHR_pipeline_binary: this and the next structures, up to those of VK_KHR_maintenance7.
    PhysicalDevicePipelineBinaryFeaturesKHR = 1_000_483_000 { pipeline_binaries }
    PhysicalDevicePipelineBinaryPropertiesKHR = 1_000_483_004 {
        pipeline_binary_internal_cache,
        pipeline_binary_internal_cache_control,
        pipeline_binary_prefers_internal_cache,
        pipeline_binary_precompiled_internal_cache,
        pipeline_binary_compressed_data,
    }
    PipelineBinaryCreateInfoKHR = 1_000_483_001 {
        p_keys_and_data_info: *const PipelineBinaryKeysAndDataKHR,
        pipeline: vk::Pipeline,
        p_pipeline_create_info: *const PipelineCreateInfoKHR,
    }
    PipelineBinaryInfoKHR = 1_000_483_002 {
        binary_count,
        p_pipeline_binaries: *const PipelineBinaryKHR,
    }
    PipelineBinaryKeyKHR = 1_000_483_003 { key_size, key: [u8; MAX_PIPELINE_BINARY_KEY_SIZE] }
    ReleaseCapturedPipelineDataInfoKHR = 1_000_483_005 { pipeline: vk::Pipeline }
    PipelineBinaryDataInfoKHR = 1_000_483_006 { pipeline_binary: PipelineBinaryKHR }
    PipelineCreateInfoKHR = 1_000_483_007 {}
    PipelineBinaryHandlesInfoKHR = 1_000_483_009 {
        pipeline_binary_count,
        p_pipeline_binaries: *mut PipelineBinaryKHR,
    }
    /// VK_KHR_maintenance7.
    PhysicalDeviceLayeredApiPropertiesListKHR = 1_000_562_002 {
        layered_api_count,
        layered_apis: *mut c_void,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pointer follows the count and its padding. Spec: Vulkan, VkPhysicalDeviceLayeredApiPropertiesListKHR.
    #[test]
    fn a_list_has_its_pointer_behind_the_count() {
        type List = PhysicalDeviceLayeredApiPropertiesListKHR;
        let offsets =
            [std::mem::offset_of!(List, layered_api_count), std::mem::offset_of!(List, layered_apis)];
        assert_eq!((offsets, size_of::<List>()), ([16, 24], 32));
    }

    /// Sizes are those of the C structures. Spec: Vulkan, VkPhysicalDeviceVulkan14Features and
    /// VkPhysicalDeviceVulkan14Properties.
    #[test]
    fn structures_of_1_4_are_those_of_c() {
        assert_eq!(size_of::<PhysicalDeviceVulkan14Features>(), 16 + 21 * 4 + 4);
        assert_eq!(std::mem::offset_of!(PhysicalDeviceVulkan14Properties, p_copy_src_layouts), 96);
        assert_eq!(std::mem::offset_of!(PhysicalDeviceVulkan14Properties, p_copy_dst_layouts), 112);
        assert_eq!(size_of::<PhysicalDeviceVulkan14Properties>(), 144);
    }
}
