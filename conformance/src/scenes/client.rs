//! A Vulkan client that draws scenes: one device, one queue, dynamic rendering.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use std::ffi::CStr;
use std::ops::Deref;

use ash::vk;
use quadrille::Stage;
use quadrille::frontend::{Options, compile_glsl};

use super::SIZE;
use super::has::Has;
use super::list::{Draw, Scene, Texture};
pub(super) use crate::client::text;
use crate::client::{Host, Opened};

const COLOR: vk::Format = vk::Format::R8G8B8A8_UNORM;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT_S8_UINT;
const TEXELS: u32 = 16;

/// A device. The objects made from it are freed with the device.
pub struct Client {
    opened: Opened,
    pub(super) rendering: ash::khr::dynamic_rendering::Device,
    pub(super) pool: vk::CommandPool,
    memory: vk::PhysicalDeviceMemoryProperties,
    /// Features and extensions of the device.
    pub has: Has,
    /// Name of the device.
    pub name: String,
    /// True for our own driver.
    pub ours: bool,
}

impl Deref for Client {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.opened
    }
}

impl Client {
    /// Opens the first device of the entry.
    ///
    /// # Errors
    /// The error of the driver, for example if it lacks VK_KHR_dynamic_rendering.
    pub fn new(entry: ash::Entry) -> Result<Client, String> {
        let host = Host::new(entry, vk::API_VERSION_1_1, &[]).map_err(text)?;
        let (instance, physical) = (&host.instance, host.physical);
        // SAFETY: `host` keeps instance and physical device alive. The driver ends `device_name` with a zero byte.
        let (has, name, memory) = unsafe {
            let properties = instance.get_physical_device_properties(physical);
            let name = CStr::from_ptr(properties.device_name.as_ptr()).to_string_lossy().into_owned();
            let memory = instance.get_physical_device_memory_properties(physical);
            (Has::ask(instance, physical).map_err(text)?, name, memory)
        };
        let opened = has.open(host).map_err(text)?;
        // SAFETY: the device is alive.
        let pool = unsafe { opened.device.create_command_pool(&Default::default(), None) }.map_err(text)?;
        let rendering = ash::khr::dynamic_rendering::Device::new(&opened.instance, &opened.device);
        Ok(Client { opened, rendering, pool, memory, has, ours: name.contains("Quadrille"), name })
    }

    /// Name of a feature that the scene needs and the device lacks.
    fn lacks(&self, scene: &Scene) -> Option<&'static str> {
        let f = &self.has.core;
        let any = |test: fn(&Draw) -> bool| scene.draws.iter().any(test);
        [
            (any(|d| d.polygon != vk::PolygonMode::FILL) && f.fill_mode_non_solid == 0, "fillModeNonSolid"),
            (any(|d| d.bounds.is_some()) && f.depth_bounds == 0, "depthBounds"),
            (any(|d| d.logic.is_some()) && f.logic_op == 0, "logicOp"),
            (any(|d| d.depth_clamp) && f.depth_clamp == 0, "depthClamp"),
            (any(|d| d.sample_shading.is_some()) && f.sample_rate_shading == 0, "sampleRateShading"),
            (
                scene.texture.is_some_and(|t| t.anisotropy > 1.0) && f.sampler_anisotropy == 0,
                "samplerAnisotropy",
            ),
            (f.shader_clip_distance == 0, "shaderClipDistance"),
        ]
        .into_iter()
        .find(|l| l.0)
        .map(|l| l.1)
    }

    pub(super) fn limits(&self) -> vk::PhysicalDeviceLimits {
        // SAFETY: `self` keeps instance and physical device alive.
        unsafe { self.instance.get_physical_device_properties(self.physical) }.limits
    }

    pub(super) fn allocate(
        &self,
        needs: vk::MemoryRequirements,
        host: bool,
    ) -> Result<vk::DeviceMemory, String> {
        let wanted = if host {
            vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT
        } else {
            vk::MemoryPropertyFlags::empty()
        };
        let fits = |&i: &u32| {
            needs.memory_type_bits >> i & 1 == 1
                && self.memory.memory_types[i as usize].property_flags.contains(wanted)
        };
        let ty = (0..self.memory.memory_type_count).find(fits).ok_or("no memory type fits")?;
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(ty);
        // SAFETY: the device is alive, and `ty` is one of its memory types; `info` outlives the call.
        unsafe { self.device.allocate_memory(&info, None) }.map_err(text)
    }

    fn image(
        &self,
        format: vk::Format,
        size: u32,
        levels: u32,
        samples: u32,
        usage: vk::ImageUsageFlags,
        aspects: vk::ImageAspectFlags,
    ) -> Result<(vk::Image, vk::ImageView), String> {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(vk::Extent3D { width: size, height: size, depth: 1 })
            .mip_levels(levels)
            .array_layers(1)
            .samples(vk::SampleCountFlags::from_raw(samples))
            .usage(usage);
        // SAFETY: the handles are made right here from the live device, with memory as the image requires; the
        // structures outlive the calls.
        unsafe {
            let image = self.device.create_image(&info, None).map_err(text)?;
            let memory = self.allocate(self.device.get_image_memory_requirements(image), false)?;
            self.device.bind_image_memory(image, memory, 0).map_err(text)?;
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(format)
                .subresource_range(range(aspects));
            Ok((image, self.device.create_image_view(&info, None).map_err(text)?))
        }
    }

    pub(super) fn buffer(&self, size: usize) -> Result<(vk::Buffer, *mut u8), String> {
        let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        let info = vk::BufferCreateInfo::default().size(size as u64).usage(usage);
        // SAFETY: the handles are made right here from the live device, with host-visible memory as the buffer
        // requires, which is mapped once.
        unsafe {
            let buffer = self.device.create_buffer(&info, None).map_err(text)?;
            let memory = self.allocate(self.device.get_buffer_memory_requirements(buffer), true)?;
            self.device.bind_buffer_memory(buffer, memory, 0).map_err(text)?;
            let at = self.device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default()).map_err(text)?;
            Ok((buffer, at.cast()))
        }
    }

    /// Layouts of a set with a texture, and of pipelines with this set and a vector of push constants for some stages.
    fn layouts(
        &self,
        stages: vk::ShaderStageFlags,
    ) -> Result<(vk::DescriptorSetLayout, vk::PipelineLayout), String> {
        let binding = vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(vk::DescriptorType::COMBINED_IMAGE_SAMPLER)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::FRAGMENT);
        let of_set = vk::DescriptorSetLayoutCreateInfo::default().bindings(std::slice::from_ref(&binding));
        let push = [vk::PushConstantRange { stage_flags: stages, offset: 0, size: 16 }];
        // SAFETY: the device is live, the set layout is made right here, and the structures outlive the calls.
        unsafe {
            let sets = [self.device.create_descriptor_set_layout(&of_set, None).map_err(text)?];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
            let layout = self.device.create_pipeline_layout(&info, None).map_err(text)?;
            Ok((sets[0], layout))
        }
    }

    /// Draws a scene and returns the bytes R, G, B, A of the picture, or `Ok(Err(feature))` if the device lacks a
    /// feature.
    ///
    /// # Errors
    /// The error of the shader compiler or of the driver.
    pub fn draw(&self, scene: &Scene) -> Result<Result<Vec<u8>, &'static str>, String> {
        if let Some(feature) = self.lacks(scene) {
            return Ok(Err(feature));
        }
        use vk::{ImageAspectFlags as A, ImageUsageFlags as U};
        let bytes = (SIZE * SIZE * 4) as usize;
        // SAFETY: the objects are made right here from the live device, and live as long; the structures outlive the
        // calls. The mapped bytes are read after the queue is idle.
        unsafe {
            let d = &self.device;
            let (picture, picture_view) =
                self.image(COLOR, SIZE, 1, 1, U::COLOR_ATTACHMENT | U::TRANSFER_SRC, A::COLOR)?;
            let several = match scene.samples {
                1 => None,
                n => Some(self.image(COLOR, SIZE, 1, n, U::COLOR_ATTACHMENT, A::COLOR)?),
            };
            let depth_aspects = A::DEPTH | A::STENCIL;
            let (depth, depth_view) =
                self.image(DEPTH, SIZE, 1, scene.samples, U::DEPTH_STENCIL_ATTACHMENT, depth_aspects)?;
            let (read, at) = self.buffer(bytes)?;

            let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
            let (set_layout, layout) = self.layouts(stages)?;

            let info =
                vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
            let commands = d.allocate_command_buffers(&info).map_err(text)?[0];
            let info = vk::CommandBufferBeginInfo::default();
            d.begin_command_buffer(commands, &info).map_err(text)?;
            let mut set = None;
            if let Some(texture) = &scene.texture {
                set = Some(self.texture(texture, commands, set_layout)?);
            }
            let general = |image, aspects| {
                self.barrier(commands, image, aspects, vk::ImageLayout::UNDEFINED, vk::ImageLayout::GENERAL);
            };
            general(picture, A::COLOR);
            general(depth, depth_aspects);
            if let Some((image, _)) = several {
                general(image, A::COLOR);
            }
            self.begin(commands, (picture_view, several.map(|s| s.1)), depth_view);
            if let Some(set) = set {
                d.cmd_bind_descriptor_sets(commands, vk::PipelineBindPoint::GRAPHICS, layout, 0, &[set], &[]);
            }
            let modules = self.modules(scene)?;
            for draw in &scene.draws {
                let pipeline = self.pipeline(scene, draw, modules, layout)?;
                d.cmd_bind_pipeline(commands, vk::PipelineBindPoint::GRAPHICS, pipeline);
                let push = draw.push.map(f32::to_ne_bytes);
                d.cmd_push_constants(commands, layout, stages, 0, push.as_flattened());
                d.cmd_draw(commands, draw.count[0], draw.count[1], 0, 0);
            }
            self.rendering.cmd_end_rendering(commands);
            self.barrier(commands, picture, A::COLOR, vk::ImageLayout::GENERAL, vk::ImageLayout::GENERAL);
            let copy = vk::BufferImageCopy::default()
                .image_subresource(vk::ImageSubresourceLayers {
                    aspect_mask: A::COLOR,
                    mip_level: 0,
                    base_array_layer: 0,
                    layer_count: 1,
                })
                .image_extent(vk::Extent3D { width: SIZE, height: SIZE, depth: 1 });
            d.cmd_copy_image_to_buffer(commands, picture, vk::ImageLayout::GENERAL, read, &[copy]);
            self.submit(commands)?;
            Ok(Ok(std::slice::from_raw_parts(at, bytes).to_vec()))
        }
    }

    /// Begins a pass over the picture, or over an image of several samples that is resolved to it.
    ///
    /// # Safety
    /// `commands` is recording outside of a pass; the views are live, of images in the general layout.
    unsafe fn begin(
        &self,
        commands: vk::CommandBuffer,
        (picture_view, several): (vk::ImageView, Option<vk::ImageView>),
        depth_view: vk::ImageView,
    ) {
        let clear = vk::ClearValue { color: vk::ClearColorValue { float32: [0.05, 0.05, 0.1, 1.0] } };
        let mut color = vk::RenderingAttachmentInfo::default()
            .image_view(several.unwrap_or(picture_view))
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear);
        if several.is_some() {
            color = color
                .resolve_mode(vk::ResolveModeFlags::AVERAGE)
                .resolve_image_view(picture_view)
                .resolve_image_layout(vk::ImageLayout::GENERAL);
        }
        let clear = vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: 1.0, stencil: 0 } };
        let depth = vk::RenderingAttachmentInfo::default()
            .image_view(depth_view)
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear);
        let area =
            vk::Rect2D { offset: Default::default(), extent: vk::Extent2D { width: SIZE, height: SIZE } };
        let info = vk::RenderingInfo::default()
            .render_area(area)
            .layer_count(1)
            .color_attachments(std::slice::from_ref(&color))
            .depth_attachment(&depth)
            .stencil_attachment(&depth);
        // SAFETY: the caller passes live views and a command buffer outside of a pass; `info` outlives the call.
        unsafe { self.rendering.cmd_begin_rendering(commands, &info) };
    }

    /// Submits the commands and waits for them.
    ///
    /// # Safety
    /// `commands` is recording outside of a pass, and its objects are live.
    unsafe fn submit(&self, commands: vk::CommandBuffer) -> Result<(), String> {
        let d = &self.device;
        // SAFETY: the caller passes complete commands of live objects; the structures outlive the calls.
        unsafe {
            d.end_command_buffer(commands).map_err(text)?;
            let list = [commands];
            let submit = vk::SubmitInfo::default().command_buffers(&list);
            d.queue_submit(self.queue, &[submit], vk::Fence::null()).map_err(text)?;
            d.queue_wait_idle(self.queue).map_err(text)
        }
    }

    fn barrier(
        &self,
        commands: vk::CommandBuffer,
        image: vk::Image,
        aspects: vk::ImageAspectFlags,
        from: vk::ImageLayout,
        to: vk::ImageLayout,
    ) {
        let barrier = vk::ImageMemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(image)
            .subresource_range(range(aspects));
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        // SAFETY: the callers pass a command buffer that is recording outside of a pass, and an image of this device.
        unsafe {
            self.device.cmd_pipeline_barrier(commands, all, all, Default::default(), &[], &[], &[barrier]);
        }
    }

    /// Compiles both shader modules.
    fn modules(&self, scene: &Scene) -> Result<[vk::ShaderModule; 2], String> {
        let [vertex, fragment] = scene.shaders();
        let module = |source: &str, stage, file: &str| {
            let words = compile_glsl(source, stage, &Options::named(file))
                .map_err(|e| format!("{}: {e}\n{source}", scene.name))?;
            // SAFETY: glslang compiled `words` above, so they are valid SPIR-V; the structure outlives the call.
            unsafe {
                self.device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&words), None)
            }
            .map_err(text)
        };
        Ok([module(&vertex, Stage::Vertex, "scene.vert")?, module(&fragment, Stage::Fragment, "scene.frag")?])
    }

    fn pipeline(
        &self,
        scene: &Scene,
        draw: &Draw,
        [vertex, fragment]: [vk::ShaderModule; 2],
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline, String> {
        let stage = |module, stage| {
            vk::PipelineShaderStageCreateInfo::default().module(module).stage(stage).name(c"main")
        };
        let stages =
            [stage(vertex, vk::ShaderStageFlags::VERTEX), stage(fragment, vk::ShaderStageFlags::FRAGMENT)];
        let input = vk::PipelineVertexInputStateCreateInfo::default();
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(draw.topology);
        let size = SIZE as f32;
        let (y, height) = if draw.flip { (size, -size) } else { (0.0, size) };
        let viewport = [vk::Viewport { x: 0.0, y, width: size, height, min_depth: 0.0, max_depth: 1.0 }];
        let [x, y, width, height] = draw.scissor;
        let scissor = [vk::Rect2D {
            offset: vk::Offset2D { x: x as i32, y: y as i32 },
            extent: vk::Extent2D { width, height },
        }];
        let viewports =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewport).scissors(&scissor);
        let raster = raster(draw);
        let samples = vk::PipelineMultisampleStateCreateInfo::default()
            .rasterization_samples(vk::SampleCountFlags::from_raw(scene.samples))
            .alpha_to_coverage_enable(draw.alpha_to_coverage)
            .sample_shading_enable(draw.sample_shading.is_some())
            .min_sample_shading(draw.sample_shading.unwrap_or(0.0));
        let depth = depth_stencil(draw);
        let mut attachment = vk::PipelineColorBlendAttachmentState::default().color_write_mask(draw.mask);
        if let Some((source, target, op)) = draw.blend {
            attachment = attachment
                .blend_enable(true)
                .src_color_blend_factor(source)
                .dst_color_blend_factor(target)
                .color_blend_op(op)
                .src_alpha_blend_factor(vk::BlendFactor::ONE)
                .dst_alpha_blend_factor(vk::BlendFactor::ZERO);
        }
        let blend = vk::PipelineColorBlendStateCreateInfo::default()
            .attachments(std::slice::from_ref(&attachment))
            .logic_op_enable(draw.logic.is_some())
            .logic_op(draw.logic.unwrap_or(vk::LogicOp::COPY));
        let mut formats = vk::PipelineRenderingCreateInfo::default()
            .color_attachment_formats(&[COLOR])
            .depth_attachment_format(DEPTH)
            .stencil_attachment_format(DEPTH);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewports)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .layout(layout)
            .push_next(&mut formats);
        // SAFETY: modules, layout and formats fit each other and belong to the live device; the structures outlive the
        // call.
        let made = unsafe { self.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
        Ok(made.map_err(|(_, e)| format!("{}: {e}", scene.name))?[0])
    }

    /// Uploads a texture and writes a set that refers to it.
    ///
    /// # Safety
    /// `commands` is recording outside of a pass, and `layout` has a combined image sampler at binding 0.
    unsafe fn texture(
        &self,
        texture: &Texture,
        commands: vk::CommandBuffer,
        layout: vk::DescriptorSetLayout,
    ) -> Result<vk::DescriptorSet, String> {
        use vk::{ImageAspectFlags as A, ImageUsageFlags as U};
        let d = &self.device;
        let levels = TEXELS.ilog2() + 1;
        let aspects = if texture.format == vk::Format::D32_SFLOAT { A::DEPTH } else { A::COLOR };
        let (image, view) =
            self.image(texture.format, TEXELS, levels, 1, U::SAMPLED | U::TRANSFER_DST, aspects)?;
        // SAFETY: `draw`, the caller, passes a command buffer that is recording outside of a pass, and its set layout.
        // Each mapped buffer has room for its level's data.
        unsafe {
            self.barrier(commands, image, aspects, vk::ImageLayout::UNDEFINED, vk::ImageLayout::GENERAL);
            for level in 0..levels {
                let size = TEXELS >> level;
                let data: Vec<u8> =
                    (0..size * size).flat_map(|i| texel(texture.format, level, i % size, i / size)).collect();
                let (buffer, at) = self.buffer(data.len())?;
                std::ptr::copy_nonoverlapping(data.as_ptr(), at, data.len());
                let copy = vk::BufferImageCopy::default()
                    .image_subresource(vk::ImageSubresourceLayers {
                        aspect_mask: aspects,
                        mip_level: level,
                        base_array_layer: 0,
                        layer_count: 1,
                    })
                    .image_extent(vk::Extent3D { width: size, height: size, depth: 1 });
                d.cmd_copy_buffer_to_image(commands, buffer, image, vk::ImageLayout::GENERAL, &[copy]);
            }
            self.barrier(commands, image, aspects, vk::ImageLayout::GENERAL, vk::ImageLayout::GENERAL);
            let info = vk::SamplerCreateInfo::default()
                .mag_filter(texture.filter)
                .min_filter(texture.filter)
                .mipmap_mode(texture.mip)
                .address_mode_u(texture.address)
                .address_mode_v(texture.address)
                .max_lod(vk::LOD_CLAMP_NONE)
                .border_color(vk::BorderColor::FLOAT_OPAQUE_WHITE)
                .anisotropy_enable(texture.anisotropy > 1.0)
                .max_anisotropy(texture.anisotropy)
                .compare_enable(texture.compare.is_some())
                .compare_op(texture.compare.unwrap_or(vk::CompareOp::NEVER));
            let sampler = d.create_sampler(&info, None).map_err(text)?;
            let sizes = [vk::DescriptorPoolSize {
                ty: vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
                descriptor_count: 1,
            }];
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None).map_err(text)?;
            let layouts = [layout];
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let set = d.allocate_descriptor_sets(&info).map_err(text)?[0];
            let image = [vk::DescriptorImageInfo {
                sampler,
                image_view: view,
                image_layout: vk::ImageLayout::GENERAL,
            }];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .descriptor_type(vk::DescriptorType::COMBINED_IMAGE_SAMPLER)
                .image_info(&image);
            d.update_descriptor_sets(&[write], &[]);
            Ok(set)
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // SAFETY: the device is idle after the first call; the remaining objects and memory of the device are freed
        // with it.
        unsafe {
            let _ = self.device.device_wait_idle();
            self.device.destroy_command_pool(self.pool, None);
        }
    }
}

fn raster(draw: &Draw) -> vk::PipelineRasterizationStateCreateInfo<'static> {
    let [bias, slope] = draw.bias.unwrap_or_default();
    vk::PipelineRasterizationStateCreateInfo::default()
        .polygon_mode(draw.polygon)
        .cull_mode(draw.cull)
        .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
        .depth_clamp_enable(draw.depth_clamp)
        .depth_bias_enable(draw.bias.is_some())
        .depth_bias_constant_factor(bias)
        .depth_bias_slope_factor(slope)
        .line_width(1.0)
}

fn depth_stencil(draw: &Draw) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    let (compare, write) = draw.depth.unwrap_or((vk::CompareOp::ALWAYS, false));
    let [low, high] = draw.bounds.unwrap_or_default();
    let stencil = draw.stencil.unwrap_or_default();
    vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(draw.depth.is_some())
        .depth_write_enable(write)
        .depth_compare_op(compare)
        .depth_bounds_test_enable(draw.bounds.is_some())
        .min_depth_bounds(low)
        .max_depth_bounds(high)
        .stencil_test_enable(draw.stencil.is_some())
        .front(stencil)
        .back(stencil)
}

/// All levels and the only layer.
fn range(aspects: vk::ImageAspectFlags) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: aspects,
        base_mip_level: 0,
        level_count: vk::REMAINING_MIP_LEVELS,
        base_array_layer: 0,
        layer_count: 1,
    }
}

/// Bytes of a texel: a smooth pattern with a checkerboard in blue; higher levels are redder.
fn texel(format: vk::Format, level: u32, x: u32, y: u32) -> Vec<u8> {
    let size = TEXELS >> level;
    let ramp = |v: u32| v * 255 / size.max(2).saturating_sub(1);
    let rgba = [(ramp(x) / 2 + level * 30).min(255), ramp(y), if (x ^ y) & 2 == 0 { 200 } else { 40 }, 255];
    match format {
        vk::Format::R16G16B16A16_SFLOAT => {
            rgba.iter().flat_map(|&c| half::f16::from_f32(c as f32 / 255.0).to_le_bytes()).collect()
        }
        vk::Format::D32_SFLOAT => (rgba[1] as f32 / 255.0).to_le_bytes().to_vec(),
        _ => rgba.map(|c| c as u8).to_vec(),
    }
}
