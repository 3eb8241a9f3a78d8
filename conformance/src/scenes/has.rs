//! Features of a device beyond Vulkan 1.0: queried once, enabled when the device is created, and tested by scenes.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use std::ffi::CStr;

use ash::prelude::VkResult;
use ash::vk;

use crate::client::{Host, Opened};

/// Feature structures that scenes use, and the extensions of the device.
#[derive(Default)]
pub struct Has {
    /// Core features of Vulkan 1.0.
    pub core: vk::PhysicalDeviceFeatures,
    /// Multiview.
    pub multiview: vk::PhysicalDeviceMultiviewFeatures<'static>,
    /// Y'CbCr conversion.
    pub ycbcr: vk::PhysicalDeviceSamplerYcbcrConversionFeatures<'static>,
    /// Line rasterization.
    pub lines: vk::PhysicalDeviceLineRasterizationFeaturesEXT<'static>,
    /// Provoking vertex.
    pub provoking: vk::PhysicalDeviceProvokingVertexFeaturesEXT<'static>,
    /// 8-bit indices.
    pub index8: vk::PhysicalDeviceIndexTypeUint8FeaturesEXT<'static>,
    /// Divisors of vertex bindings.
    pub divisor: vk::PhysicalDeviceVertexAttributeDivisorFeaturesEXT<'static>,
    /// Custom border colours.
    pub border: vk::PhysicalDeviceCustomBorderColorFeaturesEXT<'static>,
    /// Depth clipping independent of clamping.
    pub clip: vk::PhysicalDeviceDepthClipEnableFeaturesEXT<'static>,
    /// View volumes from -w to w.
    pub clip_control: vk::PhysicalDeviceDepthClipControlFeaturesEXT<'static>,
    /// Primitive restart in list topologies.
    pub list_restart: vk::PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT<'static>,
    /// Transform feedback.
    pub feedback: vk::PhysicalDeviceTransformFeedbackFeaturesEXT<'static>,
    /// Task and mesh shaders.
    pub mesh: vk::PhysicalDeviceMeshShaderFeaturesEXT<'static>,
    /// Resolve modes of depth and stencil.
    pub resolve: vk::PhysicalDeviceDepthStencilResolveProperties<'static>,
    /// Names of extensions.
    extensions: Vec<&'static CStr>,
}

/// Extensions that scenes use, with their dependencies.
const WANTED: &[&CStr] = &[
    ash::khr::dynamic_rendering::NAME,
    ash::khr::depth_stencil_resolve::NAME,
    ash::khr::create_renderpass2::NAME,
    ash::ext::line_rasterization::NAME,
    ash::ext::provoking_vertex::NAME,
    ash::ext::index_type_uint8::NAME,
    ash::ext::vertex_attribute_divisor::NAME,
    ash::ext::blend_operation_advanced::NAME,
    ash::ext::custom_border_color::NAME,
    ash::ext::depth_clip_enable::NAME,
    ash::ext::depth_clip_control::NAME,
    ash::ext::primitive_topology_list_restart::NAME,
    ash::ext::shader_viewport_index_layer::NAME,
    ash::ext::sampler_filter_minmax::NAME,
    ash::ext::shader_stencil_export::NAME,
    ash::ext::post_depth_coverage::NAME,
    ash::khr::sampler_mirror_clamp_to_edge::NAME,
    ash::ext::transform_feedback::NAME,
    ash::khr::shader_float_controls::NAME,
    ash::khr::spirv_1_4::NAME,
    ash::ext::mesh_shader::NAME,
];

impl Has {
    /// Queries a physical device.
    ///
    /// # Safety
    /// `physical` belongs to `instance`.
    pub unsafe fn ask(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Result<Has, vk::Result> {
        let mut has = Has::default();
        // SAFETY: the caller passes a device of this instance; the chained structures are locals or fields of `has`,
        // which outlive the calls.
        unsafe {
            let offered = instance.enumerate_device_extension_properties(physical)?;
            let is = |name: &CStr| offered.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
            has.extensions = WANTED.iter().copied().filter(|n| is(n)).collect();
            let mut features = vk::PhysicalDeviceFeatures2::default()
                .push_next(&mut has.multiview)
                .push_next(&mut has.ycbcr)
                .push_next(&mut has.lines)
                .push_next(&mut has.provoking)
                .push_next(&mut has.index8)
                .push_next(&mut has.divisor)
                .push_next(&mut has.border)
                .push_next(&mut has.clip)
                .push_next(&mut has.clip_control)
                .push_next(&mut has.list_restart)
                .push_next(&mut has.feedback)
                .push_next(&mut has.mesh);
            instance.get_physical_device_features2(physical, &mut features);
            has.core = features.features;
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut has.resolve);
            instance.get_physical_device_properties2(physical, &mut properties);
        }
        // The chained structures are about to move, so their pointers are cleared.
        let none = std::ptr::null_mut();
        has.multiview.p_next = none;
        has.ycbcr.p_next = none;
        has.lines.p_next = none;
        has.provoking.p_next = none;
        has.index8.p_next = none;
        has.divisor.p_next = none;
        has.border.p_next = none;
        has.clip.p_next = none;
        has.clip_control.p_next = none;
        has.list_restart.p_next = none;
        has.feedback.p_next = none;
        has.resolve.p_next = none;
        has.mesh.p_next = none;
        // This feature would need another one.
        has.mesh.primitive_fragment_shading_rate_mesh_shader = vk::FALSE;
        Ok(has)
    }

    /// True if the device offers an extension that scenes use.
    pub fn extension(&self, name: &CStr) -> bool {
        self.extensions.contains(&name)
    }

    /// Opens a device with all of these features; [`Has::ask`] queried its physical device.
    ///
    /// # Errors
    /// The error of the driver.
    pub fn open(&self, host: Host) -> VkResult<Opened> {
        let mut rendering = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let (mut multiview, mut ycbcr) = (self.multiview, self.ycbcr);
        let mut info = vk::DeviceCreateInfo::default()
            .enabled_features(&self.core)
            .push_next(&mut rendering)
            .push_next(&mut multiview)
            .push_next(&mut ycbcr);
        let (mut lines, mut provoking, mut index8) = (self.lines, self.provoking, self.index8);
        let (mut divisor, mut border, mut clip) = (self.divisor, self.border, self.clip);
        let (mut control, mut restart) = (self.clip_control, self.list_restart);
        let (mut feedback, mut mesh) = (self.feedback, self.mesh);
        if self.extension(ash::ext::line_rasterization::NAME) {
            info = info.push_next(&mut lines);
        }
        if self.extension(ash::ext::provoking_vertex::NAME) {
            info = info.push_next(&mut provoking);
        }
        if self.extension(ash::ext::index_type_uint8::NAME) {
            info = info.push_next(&mut index8);
        }
        if self.extension(ash::ext::vertex_attribute_divisor::NAME) {
            info = info.push_next(&mut divisor);
        }
        if self.extension(ash::ext::custom_border_color::NAME) {
            info = info.push_next(&mut border);
        }
        if self.extension(ash::ext::depth_clip_enable::NAME) {
            info = info.push_next(&mut clip);
        }
        if self.extension(ash::ext::depth_clip_control::NAME) {
            info = info.push_next(&mut control);
        }
        if self.extension(ash::ext::primitive_topology_list_restart::NAME) {
            info = info.push_next(&mut restart);
        }
        if self.extension(ash::ext::transform_feedback::NAME) {
            info = info.push_next(&mut feedback);
        }
        if self.extension(ash::ext::mesh_shader::NAME) {
            info = info.push_next(&mut mesh);
        }
        // SAFETY: the chain has structures of extensions that the device has, all of them locals that outlive the call.
        // `Client` waits for the device before it drops it.
        unsafe { Opened::new(host, &self.extensions, info) }
    }
}
