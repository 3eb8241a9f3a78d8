//! Draws with dynamic rendering into attachments of any size and format, and reads them.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;

use ash::vk;

use super::{Gpu, Mapped};

const GENERAL: vk::ImageLayout = vk::ImageLayout::GENERAL;

/// Parameters of a pipeline.
pub struct Recipe<'a> {
    pub shaders: &'a [(vk::ShaderStageFlags, &'a str)],
    pub topology: vk::PrimitiveTopology,
    pub patch: u32,
    pub layout: vk::PipelineLayout,
    pub formats: &'a [vk::Format],
    pub depth: vk::Format,
    pub viewport: vk::Viewport,
    pub scissor: vk::Rect2D,
    /// `true` if the location 0 of the vertex stage is an attribute of four floats of buffer 0.
    pub attribute: bool,
    /// `true` to add colours to those of the attachment.
    pub adds: bool,
    /// `false` to write no colours.
    pub writes: bool,
    pub depth_clamp: bool,
    pub depth_bias: f32,
    pub dynamic: &'a [vk::DynamicState],
    pub flags: vk::PipelineCreateFlags,
    pub blend_flags: vk::PipelineColorBlendStateCreateFlags,
    /// Chains of the viewport state, of the rasterization state and of the pipeline.
    pub of_viewport: *const c_void,
    pub of_raster: *const c_void,
    pub of_pipeline: *const c_void,
}

impl Recipe<'_> {
    /// A triangle list of attributes, into a canvas of this size.
    pub fn new(width: u32, height: u32) -> Self {
        Recipe {
            shaders: &[],
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            patch: 0,
            layout: vk::PipelineLayout::null(),
            formats: &[],
            depth: vk::Format::UNDEFINED,
            viewport: vk::Viewport {
                width: width as f32,
                height: height as f32,
                max_depth: 1.0,
                ..Default::default()
            },
            scissor: vk::Extent2D { width, height }.into(),
            attribute: true,
            adds: false,
            writes: true,
            depth_clamp: false,
            depth_bias: 0.0,
            dynamic: &[],
            flags: vk::PipelineCreateFlags::empty(),
            blend_flags: vk::PipelineColorBlendStateCreateFlags::empty(),
            of_viewport: std::ptr::null(),
            of_raster: std::ptr::null(),
            of_pipeline: std::ptr::null(),
        }
    }

    fn blend(&self) -> vk::PipelineColorBlendAttachmentState {
        let mask = match self.writes {
            true => vk::ColorComponentFlags::RGBA,
            false => vk::ColorComponentFlags::empty(),
        };
        vk::PipelineColorBlendAttachmentState::default()
            .color_write_mask(mask)
            .blend_enable(self.adds)
            .src_color_blend_factor(vk::BlendFactor::ONE)
            .dst_color_blend_factor(vk::BlendFactor::ONE)
            .src_alpha_blend_factor(vk::BlendFactor::ONE)
            .dst_alpha_blend_factor(vk::BlendFactor::ONE)
    }
}

/// An attachment with its memory and view.
pub struct Target {
    pub image: vk::Image,
    pub view: vk::ImageView,
    memory: vk::DeviceMemory,
    extent: vk::Extent2D,
    aspect: vk::ImageAspectFlags,
}

impl Target {
    pub fn new(
        gpu: &Gpu,
        format: vk::Format,
        [width, height]: [u32; 2],
        more: vk::ImageUsageFlags,
    ) -> Target {
        use vk::ImageAspectFlags as A;
        use vk::ImageUsageFlags as U;
        let (aspect, usage) = match format {
            vk::Format::D32_SFLOAT | vk::Format::D16_UNORM => (A::DEPTH, U::DEPTH_STENCIL_ATTACHMENT),
            _ => (A::COLOR, U::COLOR_ATTACHMENT),
        };
        let usage = usage | U::TRANSFER_SRC | more;
        let super::Picture { image, memory, view, .. } =
            gpu.picture(format, [width, height], usage, aspect).unwrap();
        Target { image, view, memory, extent: vk::Extent2D { width, height }, aspect }
    }

    /// Returns the texels of a part, whose texels have the size of `T`.
    pub fn read_part<T: Copy>(&self, gpu: &Gpu, part: vk::Rect2D) -> Vec<T> {
        let vk::Extent2D { width, height } = part.extent;
        let count = u64::from(width) * u64::from(height);
        let to = gpu.buffer(count * size_of::<T>() as u64, vk::BufferUsageFlags::TRANSFER_DST);
        let region = vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: self.aspect,
                layer_count: 1,
                ..Default::default()
            })
            .image_offset(vk::Offset3D { x: part.offset.x, y: part.offset.y, z: 0 })
            .image_extent(vk::Extent3D { width, height, depth: 1 });
        gpu.run(|cmd| {
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
            unsafe { gpu.device.cmd_copy_image_to_buffer(cmd, self.image, GENERAL, to.buffer, &[region]) };
        });
        let texels = to.read();
        to.destroy(gpu);
        texels
    }

    pub fn read<T: Copy>(&self, gpu: &Gpu) -> Vec<T> {
        self.read_part(gpu, self.extent.into())
    }

    pub fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the image are done, and it is not used afterwards.
        unsafe {
            gpu.device.destroy_image_view(self.view, None);
            gpu.device.destroy_image(self.image, None);
            gpu.device.free_memory(self.memory, None);
        }
    }
}

/// Creates a pipeline.
pub fn pipeline(gpu: &Gpu, r: &Recipe<'_>) -> vk::Pipeline {
    let d = &gpu.device;
    let modules: Vec<_> = r.shaders.iter().map(|(_, text)| gpu.shader(text)).collect();
    let stages: Vec<_> = r
        .shaders
        .iter()
        .zip(&modules)
        .map(|((stage, _), &m)| {
            vk::PipelineShaderStageCreateInfo::default().module(m).stage(*stage).name(c"main")
        })
        .collect();
    let binding =
        r.attribute.then_some(vk::VertexInputBindingDescription { stride: 16, ..Default::default() });
    let format = vk::Format::R32G32B32A32_SFLOAT;
    let attribute = binding.map(|_| vk::VertexInputAttributeDescription { format, ..Default::default() });
    let input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(binding.as_slice())
        .vertex_attribute_descriptions(attribute.as_slice());
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(r.topology);
    let patches = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(r.patch);
    let (viewports, scissors) = ([r.viewport], [r.scissor]);
    let mut viewport =
        vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    viewport.p_next = r.of_viewport;
    let mut raster = vk::PipelineRasterizationStateCreateInfo::default()
        .line_width(1.0)
        .depth_clamp_enable(r.depth_clamp)
        .depth_bias_enable(r.depth_bias != 0.0)
        .depth_bias_constant_factor(r.depth_bias);
    raster.p_next = r.of_raster;
    let samples =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let tested = r.depth != vk::Format::UNDEFINED;
    let depth = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(tested)
        .depth_write_enable(tested)
        .depth_compare_op(vk::CompareOp::ALWAYS);
    let attachments = vec![r.blend(); r.formats.len()];
    let blend =
        vk::PipelineColorBlendStateCreateInfo::default().flags(r.blend_flags).attachments(&attachments);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(r.dynamic);
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(r.formats)
        .depth_attachment_format(r.depth);
    rendering.p_next = r.of_pipeline;
    let mut info = vk::GraphicsPipelineCreateInfo::default()
        .flags(r.flags)
        .stages(&stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .tessellation_state(&patches)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(r.layout);
    info.p_next = (&raw const rendering).cast();
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live during the calls.
    unsafe {
        let made = d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None);
        modules.iter().for_each(|&m| d.destroy_shader_module(m, None));
        made.unwrap()[0]
    }
}

/// Attachments of a rendering, all of one size.
#[derive(Clone, Copy, Default)]
pub struct Onto<'a> {
    pub colors: &'a [Target],
    pub depth: Option<&'a Target>,
    pub layout: vk::ImageLayout,
    pub flags: vk::RenderingFlags,
    /// `true` to neither load nor store.
    pub none: bool,
}

/// Runs the commands of a rendering; texels begin as zeros.
pub fn render(gpu: &Gpu, onto: Onto<'_>, size: [u32; 2], record: impl FnOnce(vk::CommandBuffer)) {
    let rendering = ash::khr::dynamic_rendering::Device::new(&gpu.instance, &gpu.device);
    let layout = if onto.layout == vk::ImageLayout::UNDEFINED { GENERAL } else { onto.layout };
    let (load, store) = match onto.none {
        true => (vk::AttachmentLoadOp::NONE_KHR, vk::AttachmentStoreOp::NONE),
        false => (vk::AttachmentLoadOp::CLEAR, vk::AttachmentStoreOp::STORE),
    };
    let of = |target: &Target| {
        vk::RenderingAttachmentInfo::default()
            .image_view(target.view)
            .image_layout(layout)
            .load_op(load)
            .store_op(store)
    };
    let colors: Vec<_> = onto.colors.iter().map(of).collect();
    let depth = onto.depth.map(of);
    let mut info = vk::RenderingInfo::default()
        .flags(onto.flags)
        .render_area(vk::Extent2D { width: size[0], height: size[1] }.into())
        .layer_count(1)
        .color_attachments(&colors);
    if let Some(depth) = &depth {
        info = info.depth_attachment(depth);
    }
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    gpu.run(|cmd| unsafe {
        rendering.cmd_begin_rendering(cmd, &info);
        record(cmd);
        rendering.cmd_end_rendering(cmd);
        gpu.barrier(cmd);
    });
}

/// Creates a vertex buffer.
pub fn vertices(gpu: &Gpu, corners: &[[f32; 4]]) -> Mapped {
    let buffer = gpu.buffer(size_of_val(corners) as u64, vk::BufferUsageFlags::VERTEX_BUFFER);
    buffer.write(corners);
    buffer
}

/// Records the draw of all vertices of a buffer.
pub fn draw(gpu: &Gpu, cmd: vk::CommandBuffer, pipeline: vk::Pipeline, corners: &Mapped, count: usize) {
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    unsafe {
        gpu.device.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, pipeline);
        gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[corners.buffer], &[0]);
        gpu.device.cmd_draw(cmd, count as u32, 1, 0, 0);
    }
}

/// Draws all vertices with a recipe, whose layout and formats this sets, and returns the texels of a new target. `before`
/// records commands before the draw.
pub fn drawn<T: Copy>(
    gpu: &Gpu,
    recipe: Recipe<'_>,
    corners: &[[f32; 4]],
    format: vk::Format,
    before: impl FnOnce(vk::CommandBuffer),
) -> Vec<T> {
    drawn_by(gpu, recipe, corners, format, |cmd| {
        before(cmd);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { gpu.device.cmd_draw(cmd, corners.len() as u32, 1, 0, 0) };
    })
}

/// Like [`drawn`], with the draws that `record` records; pipeline and vertex buffer are bound.
pub fn drawn_by<T: Copy>(
    gpu: &Gpu,
    recipe: Recipe<'_>,
    corners: &[[f32; 4]],
    format: vk::Format,
    record: impl FnOnce(vk::CommandBuffer),
) -> Vec<T> {
    let vk::Extent2D { width, height } = recipe.scissor.extent;
    let (size, depth) = ([width, height], format == vk::Format::D32_SFLOAT);
    let targets = [Target::new(gpu, format, size, vk::ImageUsageFlags::empty())];
    let formats = [format];
    // SAFETY: valid usage of Vulkan: the layout is destroyed after the draw.
    let layout = unsafe { gpu.device.create_pipeline_layout(&Default::default(), None) }.unwrap();
    let (recipe, onto) = match depth {
        true => {
            let onto = Onto { depth: Some(&targets[0]), ..Onto::default() };
            (Recipe { layout, depth: format, ..recipe }, onto)
        }
        false => {
            let onto = Onto { colors: &targets, ..Onto::default() };
            let formats = if recipe.formats.is_empty() { &formats[..] } else { recipe.formats };
            (Recipe { layout, formats, ..recipe }, onto)
        }
    };
    let made = pipeline(gpu, &recipe);
    let buffer = vertices(gpu, corners);
    render(gpu, onto, size, |cmd| {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            gpu.device.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::GRAPHICS, made);
            gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[buffer.buffer], &[0]);
        }
        record(cmd);
    });
    let texels = targets[0].read(gpu);
    // SAFETY: the draws are done, and the objects are not used afterwards.
    unsafe {
        gpu.device.destroy_pipeline(made, None);
        gpu.device.destroy_pipeline_layout(layout, None);
    }
    buffer.destroy(gpu);
    targets.into_iter().for_each(|target| target.destroy(gpu));
    texels
}
