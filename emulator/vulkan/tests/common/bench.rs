//! A device with all shader stages, and draws into a small image.

#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::{COPIED_AFTERWARDS, Gpu, Mapped, Picture};

pub const SIZE: u32 = 16;
pub const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;
pub const AREA: vk::Rect2D =
    vk::Rect2D { offset: vk::Offset2D { x: 0, y: 0 }, extent: vk::Extent2D { width: SIZE, height: SIZE } };
/// Clear colour of the image.
pub const CLEAR: [u8; 4] = [0; 4];

/// Stages of push constants.
const STAGES: vk::ShaderStageFlags = vk::ShaderStageFlags::from_raw(
    vk::ShaderStageFlags::ALL_GRAPHICS.as_raw()
        | vk::ShaderStageFlags::TASK_EXT.as_raw()
        | vk::ShaderStageFlags::MESH_EXT.as_raw(),
);

/// Returns the stage that the extension of a shader's file name states.
pub fn stage(name: &str) -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as Flags;
    match name.split_once('.').map(|(_, kind)| kind) {
        Some("vert") => Flags::VERTEX,
        Some("tesc") => Flags::TESSELLATION_CONTROL,
        Some("tese") => Flags::TESSELLATION_EVALUATION,
        Some("geom") => Flags::GEOMETRY,
        _ => Flags::FRAGMENT,
    }
}

/// Points at which additional commands are recorded.
#[derive(Clone, Copy, PartialEq)]
pub enum When {
    /// Before the render pass.
    Before,
    /// In the render pass, before the draw.
    Begin,
    /// In the render pass, after the draw.
    End,
    /// After the render pass.
    After,
}

/// Parameters of a draw and its pipeline.
pub struct Draw<'a> {
    pub shaders: &'a [(vk::ShaderStageFlags, &'a str)],
    pub topology: vk::PrimitiveTopology,
    pub patch: u32,
    pub origin: vk::TessellationDomainOrigin,
    pub cull: vk::CullModeFlags,
    pub dynamic: &'a [vk::DynamicState],
    pub viewports: &'a [[f32; 4]],
    pub push: &'a [f32],
    /// Number of vertices; 0 if the caller records the draw itself.
    pub vertices: u32,
    /// Stride of buffer 0 in bytes, from which attribute 0, four floats, is read.
    pub stride: Option<u32>,
    /// `true` to link the pipeline from four libraries.
    pub linked: bool,
}

/// Self-dependency of the subpass: later transform feedback resumes where the earlier one has ended.
const CAPTURE_GOES_ON: vk::SubpassDependency = vk::SubpassDependency {
    src_subpass: 0,
    dst_subpass: 0,
    src_stage_mask: vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT,
    dst_stage_mask: vk::PipelineStageFlags::TRANSFORM_FEEDBACK_EXT,
    src_access_mask: vk::AccessFlags::from_raw(
        vk::AccessFlags::TRANSFORM_FEEDBACK_WRITE_EXT.as_raw()
            | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT.as_raw(),
    ),
    dst_access_mask: vk::AccessFlags::from_raw(
        vk::AccessFlags::TRANSFORM_FEEDBACK_WRITE_EXT.as_raw()
            | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_READ_EXT.as_raw()
            | vk::AccessFlags::TRANSFORM_FEEDBACK_COUNTER_WRITE_EXT.as_raw(),
    ),
    dependency_flags: vk::DependencyFlags::empty(),
};

const WHOLE_PICTURE: &[[f32; 4]] = &[[0.0, 0.0, SIZE as f32, SIZE as f32]];

impl Default for Draw<'_> {
    fn default() -> Self {
        Draw {
            shaders: &[],
            topology: vk::PrimitiveTopology::PATCH_LIST,
            patch: 4,
            origin: vk::TessellationDomainOrigin::UPPER_LEFT,
            cull: vk::CullModeFlags::NONE,
            dynamic: &[],
            viewports: WHOLE_PICTURE,
            push: &[4.0; 6],
            vertices: 4,
            stride: None,
            linked: false,
        }
    }
}

/// The four subsets of pipeline state.
const SUBSETS: [vk::GraphicsPipelineLibraryFlagsEXT; 4] = [
    vk::GraphicsPipelineLibraryFlagsEXT::VERTEX_INPUT_INTERFACE,
    vk::GraphicsPipelineLibraryFlagsEXT::PRE_RASTERIZATION_SHADERS,
    vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_SHADER,
    vk::GraphicsPipelineLibraryFlagsEXT::FRAGMENT_OUTPUT_INTERFACE,
];

/// A device with everything that these tests need.
pub struct Bench {
    pub gpu: Gpu,
    pub dynamic2: ash::ext::extended_dynamic_state2::Device,
    pub dynamic3: ash::ext::extended_dynamic_state3::Device,
    pub meshes: ash::ext::mesh_shader::Device,
    pass: vk::RenderPass,
    layout: vk::PipelineLayout,
    picture: Picture,
    framebuffer: vk::Framebuffer,
    pixels: Mapped,
}

impl Bench {
    pub fn new() -> Bench {
        Bench::with(|features| features)
    }

    /// Creates a device with more features.
    pub fn with(more: impl FnOnce(vk::PhysicalDeviceFeatures) -> vk::PhysicalDeviceFeatures) -> Bench {
        let features = vk::PhysicalDeviceFeatures::default()
            .tessellation_shader(true)
            .geometry_shader(true)
            .shader_tessellation_and_geometry_point_size(true)
            .multi_viewport(true)
            .pipeline_statistics_query(true);
        let features = more(features);
        let mut feedback = vk::PhysicalDeviceTransformFeedbackFeaturesEXT::default()
            .transform_feedback(true)
            .geometry_streams(true);
        let mut generated = vk::PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT::default()
            .primitives_generated_query(true)
            .primitives_generated_query_with_non_zero_streams(true);
        let mut patch = vk::PhysicalDeviceExtendedDynamicState2FeaturesEXT::default()
            .extended_dynamic_state2(true)
            .extended_dynamic_state2_patch_control_points(true);
        let mut origin = vk::PhysicalDeviceExtendedDynamicState3FeaturesEXT::default()
            .extended_dynamic_state3_rasterization_samples(true)
            .extended_dynamic_state3_sample_mask(true)
            .extended_dynamic_state3_tessellation_domain_origin(true);
        let mut libraries =
            vk::PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT::default().graphics_pipeline_library(true);
        let mut meshes = vk::PhysicalDeviceMeshShaderFeaturesEXT::default()
            .task_shader(true)
            .mesh_shader(true)
            .mesh_shader_queries(true);
        let mut weights = vk::PhysicalDeviceFragmentShaderBarycentricFeaturesKHR::default()
            .fragment_shader_barycentric(true);
        let mut address =
            vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
        let extensions = [
            c"VK_KHR_buffer_device_address",
            c"VK_KHR_dynamic_rendering",
            c"VK_KHR_maintenance5",
            c"VK_EXT_device_generated_commands",
            c"VK_KHR_fragment_shader_barycentric",
            c"VK_EXT_extended_dynamic_state2",
            c"VK_EXT_extended_dynamic_state3",
            c"VK_KHR_pipeline_library",
            c"VK_EXT_graphics_pipeline_library",
            c"VK_EXT_transform_feedback",
            c"VK_EXT_primitives_generated_query",
            c"VK_KHR_shader_float_controls",
            c"VK_KHR_spirv_1_4",
            c"VK_EXT_mesh_shader",
        ];
        let gpu = Gpu::with(&extensions, |info| {
            info.enabled_features(&features)
                .push_next(&mut patch)
                .push_next(&mut origin)
                .push_next(&mut libraries)
                .push_next(&mut feedback)
                .push_next(&mut generated)
                .push_next(&mut meshes)
                .push_next(&mut weights)
                .push_next(&mut address)
        });
        let gpu = gpu.unwrap();
        let d = &gpu.device;
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
        let picture = gpu.image(FORMAT, SIZE, usage);
        let pixels = gpu.buffer(u64::from(SIZE * SIZE * 4), vk::BufferUsageFlags::TRANSFER_DST);
        let attachment = [vk::AttachmentDescription::default()
            .format(FORMAT)
            .samples(vk::SampleCountFlags::TYPE_1)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .final_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)];
        let color =
            [vk::AttachmentReference { attachment: 0, layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL }];
        let subpass = [vk::SubpassDescription::default().color_attachments(&color)];
        let dependencies = [CAPTURE_GOES_ON, COPIED_AFTERWARDS];
        let info = vk::RenderPassCreateInfo::default()
            .attachments(&attachment)
            .subpasses(&subpass)
            .dependencies(&dependencies);
        let push = [vk::PushConstantRange { stage_flags: STAGES, offset: 0, size: 24 }];
        let views = [picture.view];
        // SAFETY: valid usage of Vulkan: each create info and all objects in it are live during the call.
        let (pass, framebuffer, layout) = unsafe {
            let pass = d.create_render_pass(&info, None).unwrap();
            let info = vk::FramebufferCreateInfo::default()
                .render_pass(pass)
                .attachments(&views)
                .width(SIZE)
                .height(SIZE)
                .layers(1);
            let framebuffer = d.create_framebuffer(&info, None).unwrap();
            let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
            (pass, framebuffer, d.create_pipeline_layout(&info, None).unwrap())
        };
        let dynamic2 = ash::ext::extended_dynamic_state2::Device::new(&gpu.instance, d);
        let dynamic3 = ash::ext::extended_dynamic_state3::Device::new(&gpu.instance, d);
        let meshes = ash::ext::mesh_shader::Device::new(&gpu.instance, d);
        Bench { gpu, dynamic2, dynamic3, meshes, pass, layout, picture, framebuffer, pixels }
    }

    pub fn pipeline(&self, draw: &Draw<'_>) -> vk::Pipeline {
        let d = &self.gpu.device;
        let modules: Vec<_> = draw.shaders.iter().map(|(_, text)| self.gpu.shader(text)).collect();
        let stage = |(&(flag, _), &module): (&(vk::ShaderStageFlags, &str), &vk::ShaderModule)| {
            vk::PipelineShaderStageCreateInfo::default().module(module).stage(flag).name(c"main")
        };
        let stages: Vec<_> = draw.shaders.iter().zip(&modules).map(stage).collect();
        let binding =
            draw.stride.map(|stride| vk::VertexInputBindingDescription { stride, ..Default::default() });
        let format = vk::Format::R32G32B32A32_SFLOAT;
        let attribute = binding.map(|_| vk::VertexInputAttributeDescription { format, ..Default::default() });
        let input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(binding.as_slice())
            .vertex_attribute_descriptions(attribute.as_slice());
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(draw.topology);
        let mut origin =
            vk::PipelineTessellationDomainOriginStateCreateInfo::default().domain_origin(draw.origin);
        let patches = vk::PipelineTessellationStateCreateInfo::default()
            .patch_control_points(draw.patch)
            .push_next(&mut origin);
        let count = draw.viewports.len() as u32;
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewport_count(count).scissor_count(count);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0).cull_mode(draw.cull);
        let mut samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::TYPE_1);
        // The value is ignored because the state is dynamic.
        if draw.dynamic.contains(&vk::DynamicState::RASTERIZATION_SAMPLES_EXT) {
            samples.rasterization_samples = vk::SampleCountFlags::TYPE_64;
        }
        if draw.dynamic.contains(&vk::DynamicState::SAMPLE_MASK_EXT) {
            samples.p_sample_mask = std::ptr::dangling();
        }
        let all = vk::ColorComponentFlags::RGBA;
        let attachment = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(all)];
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachment);
        let mut states = vec![vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
        states.extend(draw.dynamic);
        let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
        let mut info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .tessellation_state(&patches)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .color_blend_state(&blend)
            .dynamic_state(&dynamic)
            .layout(self.layout)
            .render_pass(self.pass);
        let meshes = draw.shaders.iter().any(|s| s.0 == vk::ShaderStageFlags::MESH_EXT);
        if meshes && !draw.linked {
            // With a mesh stage these pointers are ignored; in a vertex input library they are read.
            info.p_vertex_input_state = std::ptr::dangling();
            info.p_input_assembly_state = std::ptr::dangling();
        }
        let make = |info: vk::GraphicsPipelineCreateInfo<'_>| {
            // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
            unsafe { d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) }.unwrap()[0]
        };
        let pipeline = if draw.linked {
            let libraries = SUBSETS.map(|flags| {
                let mut subset = vk::GraphicsPipelineLibraryCreateInfoEXT::default().flags(flags);
                make(info.flags(vk::PipelineCreateFlags::LIBRARY_KHR).push_next(&mut subset))
            });
            let mut all = vk::PipelineLibraryCreateInfoKHR::default().libraries(&libraries);
            let linked =
                make(vk::GraphicsPipelineCreateInfo::default().layout(self.layout).push_next(&mut all));
            // SAFETY: the libraries are linked already and not used afterwards.
            libraries.iter().for_each(|&library| unsafe { d.destroy_pipeline(library, None) });
            linked
        } else {
            make(info)
        };
        // SAFETY: the modules are not used after the pipelines are created.
        modules.iter().for_each(|&module| unsafe { d.destroy_shader_module(module, None) });
        pipeline
    }

    /// Draws, and returns the pixels; `around` records additional commands around the draw.
    pub fn draw_with(&self, draw: &Draw<'_>, around: impl Fn(vk::CommandBuffer, When)) -> Vec<[u8; 4]> {
        let (d, pipeline) = (&self.gpu.device, self.pipeline(draw));
        let push: Vec<u8> = draw.push.iter().flat_map(|f| f.to_ne_bytes()).collect();
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        self.gpu.run(|cmd| unsafe {
            let info = vk::RenderPassBeginInfo::default()
                .render_pass(self.pass)
                .framebuffer(self.framebuffer)
                .render_area(AREA)
                .clear_values(&[vk::ClearValue { color: vk::ClearColorValue { float32: [0.0; 4] } }]);
            let viewports: Vec<_> = draw
                .viewports
                .iter()
                .map(|&[x, y, width, height]| vk::Viewport {
                    x,
                    y,
                    width,
                    height,
                    min_depth: 0.0,
                    max_depth: 1.0,
                })
                .collect();
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
            d.cmd_set_viewport(cmd, 0, &viewports);
            d.cmd_set_scissor(cmd, 0, &vec![AREA; viewports.len()]);
            d.cmd_push_constants(cmd, self.layout, STAGES, 0, &push);
            around(cmd, When::Before);
            d.cmd_begin_render_pass(cmd, &info, vk::SubpassContents::INLINE);
            around(cmd, When::Begin);
            if draw.vertices > 0 {
                d.cmd_draw(cmd, draw.vertices, 1, 0, 0);
            }
            around(cmd, When::End);
            d.cmd_end_render_pass(cmd);
            around(cmd, When::After);
            let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            let (image, region) = (self.picture.image, self.picture.region());
            d.cmd_copy_image_to_buffer(cmd, image, layout, self.pixels.buffer, &[region]);
        });
        // SAFETY: the draw is done, and the pipeline is not used afterwards.
        unsafe { d.destroy_pipeline(pipeline, None) };
        self.pixels.read()
    }

    /// Records, within the render pass, that the next capture resumes where the previous one has ended.
    pub fn capture_goes_on(&self, cmd: vk::CommandBuffer) {
        let of = CAPTURE_GOES_ON;
        let memory = vk::MemoryBarrier::default()
            .src_access_mask(of.src_access_mask)
            .dst_access_mask(of.dst_access_mask);
        let (src, dst) = (of.src_stage_mask, of.dst_stage_mask);
        // SAFETY: valid usage of Vulkan: the subpass has a matching self-dependency.
        unsafe {
            self.gpu.device.cmd_pipeline_barrier(cmd, src, dst, of.dependency_flags, &[memory], &[], &[]);
        }
    }

    pub fn draw(&self, draw: &Draw<'_>) -> Vec<[u8; 4]> {
        self.draw_with(draw, |_, _| ())
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let d = &self.gpu.device;
        // SAFETY: no commands are running, and all objects made from these are destroyed.
        unsafe {
            d.destroy_framebuffer(self.framebuffer, None);
            d.destroy_render_pass(self.pass, None);
            d.destroy_pipeline_layout(self.layout, None);
            d.destroy_image_view(self.picture.view, None);
            d.destroy_image(self.picture.image, None);
            d.free_memory(self.picture.memory, None);
            d.destroy_buffer(self.pixels.buffer, None);
            d.free_memory(self.pixels.memory, None);
        }
    }
}

/// Compares each pixel with the expected one.
pub fn check(pixels: &[[u8; 4]], expected: impl Fn(u32, u32) -> [u8; 4]) {
    assert_eq!(pixels.len(), (SIZE * SIZE) as usize);
    for (i, pixel) in pixels.iter().enumerate() {
        let (x, y) = (i as u32 % SIZE, i as u32 / SIZE);
        assert_eq!(*pixel, expected(x, y), "pixel {x}, {y}");
    }
}
