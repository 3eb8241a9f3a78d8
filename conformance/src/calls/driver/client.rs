//! The instance and the device, with every feature and extension that the programs use.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::CStr;
use std::ops::Deref;

use ash::prelude::VkResult;
use ash::vk;

use super::counters::Counters;
use super::density::{self, Offsets};
use super::presentations::{self, Presentations};
use super::tools::{self, Reports, Tools};
use super::{micromaps, placed, resolves};
use crate::client::{Host, Opened, text};

/// A device and its queue.
pub struct Client {
    opened: Opened,
    /// Guards the queue: programs on several threads share it.
    pub(super) queue_lock: std::sync::Mutex<()>,
    pub(super) rendering: ash::khr::dynamic_rendering::Device,
    pub(super) timeline: ash::khr::timeline_semaphore::Device,
    pub(super) push: ash::khr::push_descriptor::Device,
    pub(super) conditional: ash::ext::conditional_rendering::Device,
    pub(super) address: ash::khr::buffer_device_address::Device,
    pub(super) feedback: ash::ext::transform_feedback::Device,
    pub(super) patches: ash::ext::extended_dynamic_state2::Device,
    pub(super) structures: ash::khr::acceleration_structure::Device,
    pub(super) rays: ash::khr::ray_tracing_pipeline::Device,
    pub(super) executables: ash::khr::pipeline_executable_properties::Device,
    pub(super) decompression: ash::nv::memory_decompression::Device,
    pub(super) density_offsets: Offsets,
    pub(super) counters: Counters,
    pub(super) tools: Tools,
    pub(super) presentations: Presentations,
    /// vkCmdBeginCustomResolveEXT.
    pub(super) begin_resolve: resolves::Begin,
}

impl Deref for Client {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.opened
    }
}

/// Extensions that the programs use, and those that they depend on.
const EXTENSIONS: &[&CStr] = &[
    ash::khr::dynamic_rendering::NAME,
    ash::khr::depth_stencil_resolve::NAME,
    ash::khr::create_renderpass2::NAME,
    ash::khr::timeline_semaphore::NAME,
    ash::khr::push_descriptor::NAME,
    ash::ext::conditional_rendering::NAME,
    ash::ext::filter_cubic::NAME,
    ash::ext::robustness2::NAME,
    ash::ext::descriptor_indexing::NAME,
    ash::khr::maintenance3::NAME,
    ash::ext::inline_uniform_block::NAME,
    ash::ext::mutable_descriptor_type::NAME,
    ash::khr::buffer_device_address::NAME,
    ash::ext::transform_feedback::NAME,
    ash::ext::primitives_generated_query::NAME,
    ash::ext::extended_dynamic_state2::NAME,
    ash::khr::acceleration_structure::NAME,
    ash::khr::deferred_host_operations::NAME,
    ash::khr::ray_tracing_pipeline::NAME,
    ash::khr::spirv_1_4::NAME,
    ash::khr::shader_float_controls::NAME,
    ash::khr::pipeline_executable_properties::NAME,
    ash::nv::memory_decompression::NAME,
];

impl Client {
    /// Creates an instance, and a device of the first physical device of the entry.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn new(entry: ash::Entry) -> Result<Client, String> {
        let host = Host::new(entry, vk::API_VERSION_1_1, &presentations::OF_INSTANCE).map_err(text)?;
        let reports = Box::<Reports>::default();
        let opened = open(host, &reports).map_err(text)?;
        let (instance, device) = (&opened.instance, &opened.device);
        let density_offsets = Offsets::new(instance, opened.physical, device);
        let counters = Counters::new(&opened.entry, instance, opened.physical, device).map_err(text)?;
        let tools = Tools::new(instance, device, reports);
        let presentations = Presentations::new(&opened.entry, instance, device);
        let begin_resolve = resolves::command(instance, device);
        Ok(Client {
            queue_lock: std::sync::Mutex::new(()),
            rendering: ash::khr::dynamic_rendering::Device::new(instance, device),
            timeline: ash::khr::timeline_semaphore::Device::new(instance, device),
            push: ash::khr::push_descriptor::Device::new(instance, device),
            conditional: ash::ext::conditional_rendering::Device::new(instance, device),
            address: ash::khr::buffer_device_address::Device::new(instance, device),
            feedback: ash::ext::transform_feedback::Device::new(instance, device),
            patches: ash::ext::extended_dynamic_state2::Device::new(instance, device),
            structures: ash::khr::acceleration_structure::Device::new(instance, device),
            rays: ash::khr::ray_tracing_pipeline::Device::new(instance, device),
            executables: ash::khr::pipeline_executable_properties::Device::new(instance, device),
            decompression: ash::nv::memory_decompression::Device::new(instance, device),
            density_offsets: density_offsets.ok_or("the driver lacks vkCmdEndRendering2EXT")?,
            counters,
            tools: tools.ok_or("the driver lacks vkGetDeviceFaultReportsKHR")?,
            presentations: presentations.ok_or("the driver lacks times of presentations")?,
            begin_resolve: begin_resolve.ok_or("the driver lacks vkCmdBeginCustomResolveEXT")?,
            opened,
        })
    }

    /// Returns the features of a format for images with optimal tiling.
    pub(super) fn features(&self, format: vk::Format) -> vk::FormatFeatureFlags {
        // SAFETY: the instance is live, and the physical device comes from it.
        unsafe {
            self.instance.get_physical_device_format_properties(self.physical, format).optimal_tiling_features
        }
    }
}

/// Core features that the programs use.
fn core() -> vk::PhysicalDeviceFeatures {
    vk::PhysicalDeviceFeatures::default()
        .robust_buffer_access(true)
        .tessellation_shader(true)
        .geometry_shader(true)
        .shader_tessellation_and_geometry_point_size(true)
        .fragment_stores_and_atomics(true)
        .vertex_pipeline_stores_and_atomics(true)
        .depth_clamp(true)
        .depth_bounds(true)
        .fill_mode_non_solid(true)
        .large_points(true)
        .sample_rate_shading(true)
        .independent_blend(true)
        .image_cube_array(true)
        .sampler_anisotropy(true)
        .pipeline_statistics_query(true)
        .occlusion_query_precise(true)
        .inherited_queries(true)
        .full_draw_index_uint32(true)
        .texture_compression_bc(true)
        .texture_compression_etc2(true)
        .texture_compression_astc_ldr(true)
}

/// Opens a device with every feature and extension that the programs use.
fn open(host: Host, reports: &Reports) -> VkResult<Opened> {
    let core = core();
    let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
    let mut timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
    let mut conditional =
        vk::PhysicalDeviceConditionalRenderingFeaturesEXT::default().conditional_rendering(true);
    let mut robust = vk::PhysicalDeviceRobustness2FeaturesEXT::default()
        .robust_buffer_access2(true)
        .robust_image_access2(true)
        .null_descriptor(true);
    let mut indexing = vk::PhysicalDeviceDescriptorIndexingFeatures::default()
        .descriptor_binding_partially_bound(true)
        .descriptor_binding_update_unused_while_pending(true)
        .descriptor_binding_storage_buffer_update_after_bind(true)
        .descriptor_binding_uniform_buffer_update_after_bind(true)
        .descriptor_binding_uniform_texel_buffer_update_after_bind(true)
        .descriptor_binding_storage_image_update_after_bind(true)
        .descriptor_binding_sampled_image_update_after_bind(true);
    let mut inline = vk::PhysicalDeviceInlineUniformBlockFeatures::default().inline_uniform_block(true);
    let mut mutable =
        vk::PhysicalDeviceMutableDescriptorTypeFeaturesEXT::default().mutable_descriptor_type(true);
    let mut address = vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
    let mut feedback = vk::PhysicalDeviceTransformFeedbackFeaturesEXT::default()
        .transform_feedback(true)
        .geometry_streams(true);
    let mut generated = vk::PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT::default()
        .primitives_generated_query(true)
        .primitives_generated_query_with_non_zero_streams(true);
    let mut patches = vk::PhysicalDeviceExtendedDynamicState2FeaturesEXT::default()
        .extended_dynamic_state2(true)
        .extended_dynamic_state2_patch_control_points(true);
    let mut structures =
        vk::PhysicalDeviceAccelerationStructureFeaturesKHR::default().acceleration_structure(true);
    let mut rays = vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::default()
        .ray_tracing_pipeline(true)
        .ray_tracing_pipeline_trace_rays_indirect(true);
    let mut executables =
        vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
    let mut decompression =
        vk::PhysicalDeviceMemoryDecompressionFeaturesNV::default().memory_decompression(true);
    let (mut density, mut offsets) = (density::features(), density::offset_features());
    let micromaps = micromaps::features();
    let newer = tools::features((&raw const micromaps).cast());
    let mut listener = tools::listener(reports);
    let mut all = [EXTENSIONS, &micromaps::EXTENSIONS, &density::EXTENSIONS, &tools::EXTENSIONS].concat();
    all.extend(presentations::EXTENSIONS);
    all.extend(placed::OFFERED.then_some(ash::ext::map_memory_placed::NAME));
    let info = vk::DeviceCreateInfo { p_next: newer.as_ptr().cast(), ..Default::default() };
    let info = info
        .enabled_features(&core)
        .push_next(&mut rendering)
        .push_next(&mut timeline)
        .push_next(&mut conditional)
        .push_next(&mut robust)
        .push_next(&mut indexing)
        .push_next(&mut inline)
        .push_next(&mut mutable)
        .push_next(&mut address)
        .push_next(&mut feedback)
        .push_next(&mut generated)
        .push_next(&mut patches)
        .push_next(&mut structures)
        .push_next(&mut rays)
        .push_next(&mut executables)
        .push_next(&mut decompression)
        .push_next(&mut density)
        .push_next(&mut offsets)
        .push_next(&mut listener);
    // SAFETY: the structures live until the call returns. The programs wait for their work, and the owners of all other
    // objects destroy them before they drop the client.
    unsafe { Opened::new(host, &all, info) }
}
