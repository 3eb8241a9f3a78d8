//! Device extensions: descriptors, and bounds of accesses through them.

use crate::acceleration_structure;
use crate::descriptor;

rows! {
    device VK_EXT_descriptor_buffer = 1, needs "(((VK_KHR_buffer_device_address+VK_EXT_descriptor_indexing),VK_VERSION_1_2)+VK_KHR_synchronization2),VK_VERSION_1_3" {
        features [PhysicalDeviceDescriptorBufferFeaturesEXT]
        properties [PhysicalDeviceDescriptorBufferPropertiesEXT, PhysicalDeviceDescriptorBufferDensityMapPropertiesEXT]
        commands Device {
            PFN_vkGetDescriptorSetLayoutSizeEXT = descriptor::buffer::get_descriptor_set_layout_size,
            PFN_vkGetDescriptorSetLayoutBindingOffsetEXT = descriptor::buffer::get_descriptor_set_layout_binding_offset,
            PFN_vkGetDescriptorEXT = descriptor::buffer::get_descriptor,
            PFN_vkCmdBindDescriptorBuffersEXT = descriptor::buffer::cmd_bind_descriptor_buffers,
            PFN_vkCmdSetDescriptorBufferOffsetsEXT = descriptor::buffer::cmd_set_descriptor_buffer_offsets,
            PFN_vkCmdSetDescriptorBufferOffsets2EXT = descriptor::buffer::cmd_set_descriptor_buffer_offsets2,
            PFN_vkCmdBindDescriptorBufferEmbeddedSamplersEXT = descriptor::buffer::cmd_bind_descriptor_buffer_embedded_samplers,
            PFN_vkCmdBindDescriptorBufferEmbeddedSamplers2EXT = descriptor::buffer::cmd_bind_descriptor_buffer_embedded_samplers2,
            PFN_vkGetBufferOpaqueCaptureDescriptorDataEXT = descriptor::buffer::get_buffer_opaque_capture_descriptor_data,
            PFN_vkGetImageOpaqueCaptureDescriptorDataEXT = descriptor::buffer::get_image_opaque_capture_descriptor_data,
            PFN_vkGetImageViewOpaqueCaptureDescriptorDataEXT = descriptor::buffer::get_image_view_opaque_capture_descriptor_data,
            PFN_vkGetSamplerOpaqueCaptureDescriptorDataEXT = descriptor::buffer::get_sampler_opaque_capture_descriptor_data,
            PFN_vkGetAccelerationStructureOpaqueCaptureDescriptorDataEXT = acceleration_structure::get_acceleration_structure_opaque_capture_descriptor_data,
        }
    }
    device VK_EXT_descriptor_heap = 1, needs "((VK_KHR_maintenance5+(VK_KHR_buffer_device_address,VK_VERSION_1_2)),VK_VERSION_1_4)" {
        features [PhysicalDeviceDescriptorHeapFeaturesEXT]
        properties [PhysicalDeviceDescriptorHeapPropertiesEXT]
        commands PhysicalDevice {
            PFN_vkGetPhysicalDeviceDescriptorSizeEXT = descriptor::heap::get_physical_device_descriptor_size,
        }
        commands Device {
            PFN_vkWriteSamplerDescriptorsEXT = descriptor::heap::write_sampler_descriptors,
            PFN_vkWriteResourceDescriptorsEXT = descriptor::heap::write_resource_descriptors,
            PFN_vkCmdBindSamplerHeapEXT = descriptor::heap::cmd_bind_sampler_heap,
            PFN_vkCmdBindResourceHeapEXT = descriptor::heap::cmd_bind_resource_heap,
            PFN_vkCmdPushDataEXT = descriptor::heap::cmd_push_data,
            PFN_vkGetImageOpaqueCaptureDataEXT = descriptor::heap::get_image_opaque_capture_data,
            PFN_vkRegisterCustomBorderColorEXT = descriptor::heap::register_custom_border_color,
            PFN_vkUnregisterCustomBorderColorEXT = descriptor::heap::unregister_custom_border_color,
        }
    }
    device VK_EXT_descriptor_indexing = 2, core 1 2 {
        features [PhysicalDeviceDescriptorIndexingFeatures]
        properties [PhysicalDeviceDescriptorIndexingProperties]
    }
    device VK_EXT_image_robustness = 1, core 1 3 {
        features [PhysicalDeviceImageRobustnessFeatures]
    }
    device VK_EXT_inline_uniform_block = 1, core 1 3 {
        features [PhysicalDeviceInlineUniformBlockFeatures]
        properties [PhysicalDeviceInlineUniformBlockProperties]
    }
    device VK_EXT_mutable_descriptor_type = 1 {
        features [PhysicalDeviceMutableDescriptorTypeFeaturesEXT]
    }
    device VK_VALVE_mutable_descriptor_type = 1 {
        features [PhysicalDeviceMutableDescriptorTypeFeaturesEXT]
    }
    device VK_EXT_pipeline_robustness = 1, core 1 4 {
        features [PhysicalDevicePipelineRobustnessFeaturesEXT]
        properties [PhysicalDevicePipelineRobustnessPropertiesEXT]
    }
    device VK_EXT_robustness2 = 1 {
        features [PhysicalDeviceRobustness2FeaturesEXT]
        properties [PhysicalDeviceRobustness2PropertiesEXT]
    }
    device VK_EXT_texel_buffer_alignment = 1, core 1 3 {
        features [PhysicalDeviceTexelBufferAlignmentFeaturesEXT]
        properties [PhysicalDeviceTexelBufferAlignmentProperties]
    }
    device VK_KHR_descriptor_update_template = 1, core 1 1 {
        commands Device {
            PFN_vkCreateDescriptorUpdateTemplate = descriptor::update::create_descriptor_update_template,
            PFN_vkDestroyDescriptorUpdateTemplate = descriptor::update::destroy_descriptor_update_template,
            PFN_vkUpdateDescriptorSetWithTemplate = descriptor::update::update_descriptor_set_with_template,
        }
    }
    device VK_KHR_push_descriptor = 2, core 1 4 {
        properties [PhysicalDevicePushDescriptorPropertiesKHR]
        commands Device {
            PFN_vkCmdPushDescriptorSetKHR = descriptor::update::cmd_push_descriptor_set,
            PFN_vkCmdPushDescriptorSetWithTemplateKHR = descriptor::update::cmd_push_descriptor_set_with_template,
        }
    }
    device VK_KHR_robustness2 = 1 {
        features [PhysicalDeviceRobustness2FeaturesEXT]
        properties [PhysicalDeviceRobustness2PropertiesEXT]
    }
}
