//! A scene in which all states are visible: device, attachments, pipelines and draws.

#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;
use vk::DynamicState as S;

use crate::cases::{
    Clamp, Commands, Discards, Lines, SAMPLES, SetDepthClampRange, USER_DEFINED_RANGE, Values, Writes, at,
    locations,
};
use crate::common::{self, Gpu};

pub const SIZE: u32 = 16;
const COLOR: vk::Format = vk::Format::R8G8B8A8_UNORM;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT_S8_UINT;

/// Creates an attachment with its memory and view.
pub fn target(
    gpu: &Gpu,
    format: vk::Format,
    samples: vk::SampleCountFlags,
    aspects: vk::ImageAspectFlags,
) -> (vk::Image, vk::DeviceMemory, vk::ImageView) {
    let usage = match format {
        DEPTH => vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        _ => vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC,
    };
    let info = vk::ImageCreateInfo::default()
        .flags(match format {
            DEPTH => vk::ImageCreateFlags::SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_EXT,
            _ => vk::ImageCreateFlags::empty(),
        })
        .image_type(vk::ImageType::TYPE_2D)
        .format(format)
        .extent(vk::Extent3D { width: SIZE, height: SIZE, depth: 1 })
        .mip_levels(1)
        .array_layers(1)
        .samples(samples)
        .usage(usage);
    let d = &gpu.device;
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let image = d.create_image(&info, None).unwrap();
        let need = d.get_image_memory_requirements(image);
        let info = vk::MemoryAllocateInfo::default().allocation_size(need.size);
        let memory = d.allocate_memory(&info, None).unwrap();
        d.bind_image_memory(image, memory, 0).unwrap();
        let range = vk::ImageSubresourceRange { aspect_mask: aspects, ..common::WHOLE };
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(format)
            .subresource_range(range);
        (image, memory, d.create_image_view(&info, None).unwrap())
    }
}

/// VkPhysicalDeviceDepthClampControlFeaturesEXT, which the bindings lack.
#[repr(C)]
struct ClampControl {
    ty: vk::StructureType,
    next: *const std::ffi::c_void,
    on: vk::Bool32,
}

/// VkPipelineViewportDepthClampControlCreateInfoEXT, which the bindings lack.
#[repr(C)]
struct ClampRange {
    ty: vk::StructureType,
    next: *const std::ffi::c_void,
    mode: i32,
    range: *const [f32; 2],
}

/// The states of an attachment, without advanced blending.
pub const BLENDING: [S; 3] =
    [S::COLOR_BLEND_ENABLE_EXT, S::COLOR_BLEND_EQUATION_EXT, S::COLOR_WRITE_MASK_EXT];

/// Stage that makes the triangles: a vertex or a mesh stage, with the same tables.
#[derive(Clone, Copy, PartialEq)]
pub enum By {
    Vertices,
    Meshes,
}

pub struct Scene {
    pub gpu: Gpu,
    pub commands: Commands,
    pub layout: vk::PipelineLayout,
    pub color: (vk::Image, vk::DeviceMemory, vk::ImageView),
    pub depth: (vk::Image, vk::DeviceMemory, vk::ImageView),
    pub resolved: (vk::Image, vk::DeviceMemory, vk::ImageView),
    pub pixels: common::Mapped,
    /// Depth before the draws.
    pub clear: f32,
}

impl Scene {
    pub fn new() -> Scene {
        Scene::with(false, &[])
    }

    /// Creates a scene whose device may clamp depth to the range from 0 to 1, with more extensions.
    pub fn with(zero_one: bool, more: &[&'static std::ffi::CStr]) -> Scene {
        let features = vk::PhysicalDeviceFeatures::default()
            .fill_mode_non_solid(true)
            .depth_clamp(true)
            .depth_bounds(true)
            .wide_lines(true)
            .logic_op(true)
            .alpha_to_one(true);
        let mut dynamic = vk::PhysicalDeviceDynamicRenderingFeatures::default().dynamic_rendering(true);
        let mut one =
            vk::PhysicalDeviceExtendedDynamicStateFeaturesEXT::default().extended_dynamic_state(true);
        let mut two = vk::PhysicalDeviceExtendedDynamicState2FeaturesEXT::default()
            .extended_dynamic_state2(true)
            .extended_dynamic_state2_logic_op(true);
        let mut three = vk::PhysicalDeviceExtendedDynamicState3FeaturesEXT::default()
            .extended_dynamic_state3_depth_clamp_enable(true)
            .extended_dynamic_state3_polygon_mode(true)
            .extended_dynamic_state3_sample_mask(true)
            .extended_dynamic_state3_alpha_to_coverage_enable(true)
            .extended_dynamic_state3_alpha_to_one_enable(true)
            .extended_dynamic_state3_logic_op_enable(true)
            .extended_dynamic_state3_color_blend_enable(true)
            .extended_dynamic_state3_color_blend_equation(true)
            .extended_dynamic_state3_color_write_mask(true)
            .extended_dynamic_state3_depth_clip_enable(true)
            .extended_dynamic_state3_depth_clip_negative_one_to_one(true)
            .extended_dynamic_state3_sample_locations_enable(true)
            .extended_dynamic_state3_provoking_vertex_mode(true)
            .extended_dynamic_state3_line_rasterization_mode(true)
            .extended_dynamic_state3_line_stipple_enable(true)
            .extended_dynamic_state3_conservative_rasterization_mode(true)
            .extended_dynamic_state3_extra_primitive_overestimation_size(true);
        let mut lines = vk::PhysicalDeviceLineRasterizationFeaturesKHR::default()
            .rectangular_lines(true)
            .bresenham_lines(true)
            .stippled_rectangular_lines(true);
        let mut provoking =
            vk::PhysicalDeviceProvokingVertexFeaturesEXT::default().provoking_vertex_last(true);
        let mut clip = vk::PhysicalDeviceDepthClipEnableFeaturesEXT::default().depth_clip_enable(true);
        let mut control = vk::PhysicalDeviceDepthClipControlFeaturesEXT::default().depth_clip_control(true);
        let mut writes = vk::PhysicalDeviceColorWriteEnableFeaturesEXT::default().color_write_enable(true);
        let mut meshes = vk::PhysicalDeviceMeshShaderFeaturesEXT::default().mesh_shader(true);
        let mut zero_one =
            vk::PhysicalDeviceDepthClampZeroOneFeaturesEXT::default().depth_clamp_zero_one(zero_one);
        let extensions = [
            c"VK_KHR_depth_clamp_zero_one",
            c"VK_KHR_depth_stencil_resolve",
            c"VK_KHR_create_renderpass2",
            c"VK_KHR_dynamic_rendering",
            c"VK_EXT_extended_dynamic_state",
            c"VK_EXT_extended_dynamic_state2",
            c"VK_EXT_extended_dynamic_state3",
            c"VK_EXT_line_rasterization",
            c"VK_EXT_provoking_vertex",
            c"VK_EXT_depth_clip_enable",
            c"VK_EXT_depth_clip_control",
            c"VK_EXT_color_write_enable",
            c"VK_EXT_sample_locations",
            c"VK_KHR_shader_float_controls",
            c"VK_KHR_spirv_1_4",
            c"VK_EXT_mesh_shader",
            c"VK_EXT_discard_rectangles",
            c"VK_EXT_conservative_rasterization",
            c"VK_EXT_depth_clamp_control",
        ];
        let ty = vk::StructureType::from_raw(1_000_582_000);
        let mut clamp = ClampControl { ty, next: std::ptr::null(), on: vk::TRUE };
        let extensions = [&extensions[..], more].concat();
        let gpu = Gpu::with(&extensions, |info| {
            let mut info = info
                .enabled_features(&features)
                .push_next(&mut dynamic)
                .push_next(&mut one)
                .push_next(&mut two)
                .push_next(&mut three)
                .push_next(&mut lines)
                .push_next(&mut provoking)
                .push_next(&mut clip)
                .push_next(&mut control)
                .push_next(&mut writes)
                .push_next(&mut meshes)
                .push_next(&mut zero_one);
            clamp.next = info.p_next;
            info.p_next = (&raw const clamp).cast();
            info
        })
        .unwrap();
        let (i, d) = (&gpu.instance, &gpu.device);
        let commands = Commands {
            d: d.clone(),
            one: ash::ext::extended_dynamic_state::Device::new(i, d),
            two: ash::ext::extended_dynamic_state2::Device::new(i, d),
            three: ash::ext::extended_dynamic_state3::Device::new(i, d),
            lines: Lines(ash::ext::line_rasterization::Device::new(i, d)),
            places: ash::ext::sample_locations::Device::new(i, d),
            writes: Writes(ash::ext::color_write_enable::Device::new(i, d)),
            meshes: ash::ext::mesh_shader::Device::new(i, d),
            rendering: ash::khr::dynamic_rendering::Device::new(i, d),
            discards: Discards(ash::ext::discard_rectangles::Device::new(i, d)),
            clamp: {
                // SAFETY: valid usage of Vulkan: the device is live.
                let function =
                    unsafe { i.get_device_proc_addr(d.handle(), c"vkCmdSetDepthClampRangeEXT".as_ptr()) };
                // SAFETY: the types are those of the function in the specification.
                Clamp(unsafe { std::mem::transmute::<vk::PFN_vkVoidFunction, SetDepthClampRange>(function) })
            },
        };
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        let layout = unsafe { d.create_pipeline_layout(&Default::default(), None) }.unwrap();
        let aspects = vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL;
        Scene {
            layout,
            color: target(&gpu, COLOR, SAMPLES, vk::ImageAspectFlags::COLOR),
            depth: target(&gpu, DEPTH, SAMPLES, aspects),
            resolved: target(&gpu, COLOR, vk::SampleCountFlags::TYPE_1, vk::ImageAspectFlags::COLOR),
            pixels: gpu.buffer(u64::from(SIZE * SIZE * 4), vk::BufferUsageFlags::TRANSFER_DST),
            commands,
            gpu,
            clear: 0.5,
        }
    }

    /// Creates a pipeline with these values, of which some may be dynamic.
    pub fn pipeline(&self, by: By, v: &Values, dynamic: impl IntoIterator<Item = S>) -> vk::Pipeline {
        let dynamic: Vec<S> = dynamic.into_iter().collect();
        let first = match by {
            By::Vertices => (vk::ShaderStageFlags::VERTEX, include_str!("../shaders/states.vert.spvasm")),
            By::Meshes => (vk::ShaderStageFlags::MESH_EXT, include_str!("../shaders/states.mesh.spvasm")),
        };
        let shaders = [first, (vk::ShaderStageFlags::FRAGMENT, include_str!("../shaders/flat.frag.spvasm"))];
        let modules = shaders.map(|(stage, text)| (stage, self.gpu.shader(text)));
        let stages = modules.map(|(stage, module)| {
            vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main")
        });
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let mut control =
            vk::PipelineViewportDepthClipControlCreateInfoEXT::default().negative_one_to_one(v.negative_one);
        let viewports =
            [vk::Viewport { width: SIZE as f32, height: SIZE as f32, max_depth: 1.0, ..Default::default() }];
        let mut viewport = vk::PipelineViewportStateCreateInfo::default()
            .viewports(&viewports)
            .scissor_count(1)
            .push_next(&mut control);
        let clamp = ClampRange {
            ty: vk::StructureType::from_raw(1_000_582_001),
            next: viewport.p_next,
            mode: USER_DEFINED_RANGE,
            range: &raw const v.clamp,
        };
        viewport.p_next = (&raw const clamp).cast();
        let mut line = v.line;
        let mut provoking = vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT::default()
            .provoking_vertex_mode(v.provoking);
        let mut clip = vk::PipelineRasterizationDepthClipStateCreateInfoEXT::default()
            .depth_clip_enable(v.depth_clip == Some(true));
        let mut conservative = vk::PipelineRasterizationConservativeStateCreateInfoEXT::default()
            .conservative_rasterization_mode(v.conservative)
            .extra_primitive_overestimation_size(v.overestimation);
        let mut raster = v.raster.push_next(&mut line).push_next(&mut provoking).push_next(&mut conservative);
        if v.depth_clip.is_some() {
            raster = raster.push_next(&mut clip);
        }
        let (places, mask) = ([at(v.location); 4], [v.mask]);
        let mut moved = vk::PipelineSampleLocationsStateCreateInfoEXT::default()
            .sample_locations_enable(v.locations_enable)
            .sample_locations_info(locations(&places));
        let samples = v.samples.sample_mask(&mask).push_next(&mut moved);
        let (attachments, enables) = ([v.blend], [v.write.into()]);
        let mut writes = vk::PipelineColorWriteCreateInfoEXT::default().color_write_enables(&enables);
        let mut blend = vk::PipelineColorBlendStateCreateInfo::default()
            .attachments(&attachments)
            .logic_op_enable(v.logic_op.is_some())
            .logic_op(v.logic_op.unwrap_or(vk::LogicOp::XOR))
            .blend_constants(v.constants)
            .push_next(&mut writes);
        if BLENDING.iter().all(|state| dynamic.contains(state)) {
            // The array is ignored.
            blend.p_attachments = std::ptr::dangling();
        }
        let states: Vec<_> = [S::SCISSOR].into_iter().chain(dynamic.iter().copied()).collect();
        let states = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
        let formats = [COLOR];
        let mut rendering = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&formats)
            .depth_attachment_format(DEPTH)
            .stencil_attachment_format(DEPTH);
        let rects = [v.rect];
        let mut discards = vk::PipelineDiscardRectangleStateCreateInfoEXT::default()
            .discard_rectangle_mode(v.discard_mode)
            .discard_rectangles(&rects);
        let mut info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&v.depth)
            .color_blend_state(&blend)
            .dynamic_state(&states)
            .layout(self.layout)
            .push_next(&mut rendering);
        // Without dynamic enable, the structure enables the rectangle.
        if v.discards || dynamic.contains(&S::DISCARD_RECTANGLE_ENABLE_EXT) {
            info = info.push_next(&mut discards);
        }
        let d = &self.gpu.device;
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let made = d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None).unwrap();
            modules.iter().for_each(|&(_, module)| d.destroy_shader_module(module, None));
            made[0]
        }
    }

    /// Draws the left half of the image, then the right one, each after its recorded commands.
    pub fn draw(
        &self,
        by: By,
        pipeline: vk::Pipeline,
        before: [&dyn Fn(vk::CommandBuffer); 2],
    ) -> Vec<[u8; 4]> {
        let (d, c) = (&self.gpu.device, &self.commands);
        let whole = vk::Extent2D { width: SIZE, height: SIZE };
        let color = [vk::RenderingAttachmentInfo::default()
            .image_view(self.color.2)
            .image_layout(vk::ImageLayout::GENERAL)
            .resolve_mode(vk::ResolveModeFlags::AVERAGE)
            .resolve_image_view(self.resolved.2)
            .resolve_image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .clear_value(vk::ClearValue { color: vk::ClearColorValue { float32: [0.75, 0.25, 1.0, 0.0] } })];
        let depth = vk::RenderingAttachmentInfo::default()
            .image_view(self.depth.2)
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .clear_value(vk::ClearValue {
                depth_stencil: vk::ClearDepthStencilValue { depth: self.clear, stencil: 1 },
            });
        let info = vk::RenderingInfo::default()
            .render_area(whole.into())
            .layer_count(1)
            .color_attachments(&color)
            .depth_attachment(&depth)
            .stencil_attachment(&depth);
        let region = vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                layer_count: 1,
                ..Default::default()
            })
            .image_extent(whole.into());
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        self.gpu.run(|cmd| unsafe {
            c.rendering.cmd_begin_rendering(cmd, &info);
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
            for (half, before) in before.iter().enumerate() {
                let offset = vk::Offset2D { x: half as i32 * 8, y: 0 };
                let extent = vk::Extent2D { width: 8, height: SIZE };
                d.cmd_set_scissor(cmd, 0, &[vk::Rect2D { offset, extent }]);
                before(cmd);
                match by {
                    By::Vertices => d.cmd_draw(cmd, 12, 1, 0, 0),
                    By::Meshes => c.meshes.cmd_draw_mesh_tasks(cmd, 1, 1, 1),
                }
            }
            c.rendering.cmd_end_rendering(cmd);
            self.gpu.barrier(cmd);
            let layout = vk::ImageLayout::GENERAL;
            d.cmd_copy_image_to_buffer(cmd, self.resolved.0, layout, self.pixels.buffer, &[region]);
        });
        // SAFETY: the draws are done, and the pipeline is not used afterwards.
        unsafe { d.destroy_pipeline(pipeline, None) };
        self.pixels.read()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let d = &self.gpu.device;
        // SAFETY: no commands are running, and the objects are not used afterwards.
        unsafe {
            d.destroy_pipeline_layout(self.layout, None);
            for (image, memory, view) in [self.color, self.depth, self.resolved] {
                d.destroy_image_view(view, None);
                d.destroy_image(image, None);
                d.free_memory(memory, None);
            }
            d.destroy_buffer(self.pixels.buffer, None);
            d.free_memory(self.pixels.memory, None);
        }
    }
}
