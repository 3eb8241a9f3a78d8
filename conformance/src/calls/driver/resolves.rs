//! Custom resolves: a shader of the program combines the samples of a scope's attachment, whose values are known.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;

use ash::prelude::VkResult;
use ash::vk;
use quadrille::Stage;

use super::World;

const FORMAT: vk::Format = vk::Format::R32_UINT;
const GENERAL: vk::ImageLayout = vk::ImageLayout::GENERAL;
/// Subresource range of images with one level and one layer.
const WHOLE: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};

/// A triangle that covers the render area.
const VERTEX: &str = "#version 450
void main() { gl_Position = vec4(gl_VertexIndex % 2 * 4 - 1, gl_VertexIndex / 2 * 4 - 1, 0.0, 1.0); }
";
const FRAGMENT: &str = "#version 450
layout(push_constant) uniform P { uint value; };
layout(location = 0) out uvec4 color;
void main() { color = uvec4(value); }
";
/// Factor of the sum that a resolve computes, sample by sample.
const FACTOR: u32 = 0x0100_0193;

/// Resolve of so many samples.
fn resolve_shader(samples: u32) -> String {
    format!(
        "#version 450
layout(push_constant) uniform P {{ uint value; }};
layout(input_attachment_index = 0, binding = 0) uniform usubpassInputMS samples;
layout(location = 0) out uvec4 color;
void main() {{
    uint sum = value;
    for (int i = 0; i < {samples}; i++) sum = sum * {FACTOR}u + subpassLoad(samples, i).x;
    color = uvec4(sum);
}}
"
    )
}

/// VkCustomResolveCreateInfoEXT.
#[repr(C)]
struct CustomResolve {
    ty: i32,
    next: *const c_void,
    resolves: vk::Bool32,
    count: u32,
    formats: *const vk::Format,
    depth: vk::Format,
    stencil: vk::Format,
}

/// Type of vkCmdBeginCustomResolveEXT.
pub(super) type Begin = unsafe extern "system" fn(vk::CommandBuffer, *const c_void);

/// The command of custom resolves.
pub(super) fn command(instance: &ash::Instance, device: &ash::Device) -> Option<Begin> {
    // SAFETY: the handles are live, and the device has the extension, whose command has this type.
    unsafe {
        let found = instance.get_device_proc_addr(device.handle(), c"vkCmdBeginCustomResolveEXT".as_ptr());
        found.map(|begin| std::mem::transmute::<unsafe extern "system" fn(), Begin>(begin))
    }
}

/// A draw of one value: its scissor, its sample mask.
struct Drawn {
    value: u32,
    area: vk::Rect2D,
    mask: u32,
}

/// A random scope.
struct Plan {
    size: [u32; 2],
    samples: u32,
    clear: u32,
    draws: Vec<Drawn>,
    /// Begin of the sum, and the texels that are resolved.
    seed: u32,
    area: vk::Rect2D,
}

impl Plan {
    /// Value of a texel after the scope; none if the resolve does not write it.
    fn texel(&self, x: u32, y: u32) -> Option<u32> {
        let inside = |area: &vk::Rect2D| {
            let (left, top) = (area.offset.x as u32, area.offset.y as u32);
            (left..left + area.extent.width).contains(&x) && (top..top + area.extent.height).contains(&y)
        };
        let sample = |i: u32| {
            let last = self.draws.iter().rev().find(|of| inside(&of.area) && of.mask >> i & 1 == 1);
            last.map_or(self.clear, |of| of.value)
        };
        let sum =
            (0..self.samples).fold(self.seed, |sum, i| sum.wrapping_mul(FACTOR).wrapping_add(sample(i)));
        inside(&self.area).then_some(sum)
    }
}

/// An image with its memory and view.
struct Image {
    image: vk::Image,
    memory: vk::DeviceMemory,
    view: vk::ImageView,
}

/// Objects of a scope.
struct Objects {
    images: [Image; 2],
    set_layout: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    pool: vk::DescriptorPool,
    set: vk::DescriptorSet,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    mapped: *const u32,
    /// Pipelines of the draws, then that of the resolve.
    pipelines: Vec<vk::Pipeline>,
}

impl World<'_> {
    /// Runs a scope with a custom resolve, and compares the texels.
    pub(super) fn resolve_by_shader(&mut self) {
        let Some(plan) = self.plan_resolve() else { return };
        let modules = [
            (Stage::Vertex, VERTEX.to_owned()),
            (Stage::Fragment, FRAGMENT.to_owned()),
            (Stage::Fragment, resolve_shader(plan.samples)),
        ];
        let made = modules.map(|(stage, text)| self.shared.shader(stage, &text));
        let made: VkResult<Vec<_>> = made.into_iter().collect();
        let Some(modules) = self.judge("vkCreateShaderModule", made) else { return };
        let objects = Objects::new(self.shared, &plan, &modules);
        let Some(objects) = self.judge("objects of custom resolves", objects) else { return };
        self.run_resolve(&plan, &objects);
        if self.failure.is_none() {
            let [width, height] = plan.size;
            for i in 0..width * height {
                let Some(expected) = plan.texel(i % width, i / width) else { continue };
                // SAFETY: the buffer has a word for each texel, and the copy has completed.
                let found = unsafe { objects.mapped.add(i as usize).read() };
                if found != expected {
                    let at = [i % width, i / width];
                    self.fail(format!("custom resolve: texel {at:?} is {found:#x}, not {expected:#x}"));
                    break;
                }
            }
            self.tally.compared += u64::from(width * height) * 4;
        }
        objects.destroy(self.device());
    }

    fn plan_resolve(&mut self) -> Option<Plan> {
        let client = &self.shared.client;
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::INPUT_ATTACHMENT;
        // SAFETY: the instance is live.
        let limits = unsafe {
            let (ty, tiling) = (vk::ImageType::TYPE_2D, vk::ImageTiling::OPTIMAL);
            let flags = vk::ImageCreateFlags::empty();
            client.instance.get_physical_device_image_format_properties(
                client.physical,
                FORMAT,
                ty,
                tiling,
                usage,
                flags,
            )
        };
        let counts = self.judge("vkGetPhysicalDeviceImageFormatProperties", limits)?.sample_counts;
        let counts: Vec<u32> =
            [2, 4, 8].into_iter().filter(|&n| counts.contains(vk::SampleCountFlags::from_raw(n))).collect();
        let samples = *counts.get(self.index(counts.len())?)?;
        let size = [(); 2].map(|()| 1 + self.r.below(90) as u32);
        let draws = (0..self.r.below(4))
            .map(|_| {
                let (value, area) = (self.r.bits() as u32, self.area(size));
                Drawn { value, area, mask: self.r.below(1 << samples) as u32 }
            })
            .collect();
        let (clear, seed) = (self.r.bits() as u32, self.r.bits() as u32);
        let area = self.area(size);
        Some(Plan { size, samples, clear, draws, seed, area })
    }

    /// A rectangle of at least one texel.
    fn area(&mut self, size: [u32; 2]) -> vk::Rect2D {
        let [(x, width), (y, height)] = size.map(|size| {
            let first = self.r.below(size as usize) as u32;
            (first as i32, 1 + self.r.below((size - first) as usize) as u32)
        });
        vk::Rect2D { offset: vk::Offset2D { x, y }, extent: vk::Extent2D { width, height } }
    }

    fn run_resolve(&mut self, plan: &Plan, of: &Objects) {
        let client = &self.shared.client;
        let [from, to] = &of.images;
        let [width, height] = plan.size;
        let color = vk::ClearColorValue { uint32: [plan.clear; 4] };
        // VK_RESOLVE_MODE_CUSTOM_BIT_EXT.
        let colors = [vk::RenderingAttachmentInfo::default()
            .image_view(from.view)
            .image_layout(GENERAL)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::DONT_CARE)
            .clear_value(vk::ClearValue { color })
            .resolve_mode(vk::ResolveModeFlags::from_raw(0x20))
            .resolve_image_view(to.view)
            .resolve_image_layout(GENERAL)];
        // VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT.
        let info = vk::RenderingInfo::default()
            .flags(vk::RenderingFlags::from_raw(0x80))
            .render_area(vk::Extent2D { width, height }.into())
            .layer_count(1)
            .color_attachments(&colors);
        let point = vk::PipelineBindPoint::GRAPHICS;
        let draw = |d: &ash::Device, c, pipeline, area: vk::Rect2D, value: u32| {
            // SAFETY: a scope is open, and all objects are live.
            unsafe {
                d.cmd_bind_pipeline(c, point, pipeline);
                d.cmd_set_scissor(c, 0, &[area]);
                let stage = vk::ShaderStageFlags::FRAGMENT;
                d.cmd_push_constants(c, of.layout, stage, 0, &value.to_ne_bytes());
                d.cmd_draw(c, 3, 1, 0, 0);
            }
        };
        self.run_once(|d, c| {
            prepare(d, c, [from.image, to.image]);
            // SAFETY: recording has begun, all objects are live, and barriers order the accesses.
            unsafe {
                client.rendering.cmd_begin_rendering(c, &info);
                d.cmd_bind_descriptor_sets(c, point, of.layout, 0, &[of.set], &[]);
                for (drawn, &pipeline) in plan.draws.iter().zip(&of.pipelines) {
                    draw(d, c, pipeline, drawn.area, drawn.value);
                }
                let (write, read) =
                    (vk::AccessFlags::COLOR_ATTACHMENT_WRITE, vk::AccessFlags::INPUT_ATTACHMENT_READ);
                let local = [vk::MemoryBarrier::default().src_access_mask(write).dst_access_mask(read)];
                let (first, then) = (
                    vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT,
                    vk::PipelineStageFlags::FRAGMENT_SHADER,
                );
                d.cmd_pipeline_barrier(c, first, then, vk::DependencyFlags::BY_REGION, &local, &[], &[]);
                (client.begin_resolve)(c, std::ptr::null());
                draw(d, c, of.pipelines[plan.draws.len()], plan.area, plan.seed);
                client.rendering.cmd_end_rendering(c);
            }
            fetch(d, c, to.image, of.buffer, plan.size);
        });
        self.tally.count("vkCmdBeginCustomResolveEXT", true, 1);
    }
}

/// Moves new images to the general layout.
fn prepare(d: &ash::Device, c: vk::CommandBuffer, images: [vk::Image; 2]) {
    let access = vk::AccessFlags::COLOR_ATTACHMENT_READ | vk::AccessFlags::COLOR_ATTACHMENT_WRITE;
    let barriers = images.map(|image| {
        vk::ImageMemoryBarrier::default()
            .dst_access_mask(access)
            .new_layout(GENERAL)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(image)
            .subresource_range(WHOLE)
    });
    let (top, all) = (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::ALL_COMMANDS);
    // SAFETY: recording has begun, and the images were just created.
    unsafe { d.cmd_pipeline_barrier(c, top, all, vk::DependencyFlags::empty(), &[], &[], &barriers) };
}

/// Copies the resolved texels to the buffer.
fn fetch(d: &ash::Device, c: vk::CommandBuffer, image: vk::Image, to: vk::Buffer, [width, height]: [u32; 2]) {
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    let barrier = [vk::MemoryBarrier::default()
        .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
        .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)];
    let region = vk::BufferImageCopy::default()
        .image_subresource(vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            layer_count: 1,
            ..Default::default()
        })
        .image_extent(vk::Extent3D { width, height, depth: 1 });
    // SAFETY: recording has begun, no scope is open, and the buffer has room for the texels.
    unsafe {
        d.cmd_pipeline_barrier(c, all, all, vk::DependencyFlags::empty(), &barrier, &[], &[]);
        d.cmd_copy_image_to_buffer(c, image, GENERAL, to, &[region]);
        let host = vk::PipelineStageFlags::HOST;
        d.cmd_pipeline_barrier(c, all, host, vk::DependencyFlags::empty(), &barrier, &[], &[]);
    }
}

impl Objects {
    fn new(shared: &super::Shared, plan: &Plan, modules: &[vk::ShaderModule]) -> VkResult<Objects> {
        use vk::ImageUsageFlags as U;
        let d = &shared.client.device;
        let images = [
            image(d, plan, plan.samples, U::COLOR_ATTACHMENT | U::INPUT_ATTACHMENT)?,
            image(d, plan, 1, U::COLOR_ATTACHMENT | U::TRANSFER_SRC)?,
        ];
        let binding = [vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(vk::DescriptorType::INPUT_ATTACHMENT)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::FRAGMENT)];
        let push = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::FRAGMENT).size(4)];
        let sizes =
            [vk::DescriptorPoolSize { ty: vk::DescriptorType::INPUT_ATTACHMENT, descriptor_count: 1 }];
        let size = u64::from(plan.size[0] * plan.size[1] * 4);
        // SAFETY: the device is live, and all parameters are valid and outlive the calls.
        unsafe {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&binding);
            let layouts = [d.create_descriptor_set_layout(&info, None)?];
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&push);
            let layout = d.create_pipeline_layout(&info, None)?;
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None)?;
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let set = d.allocate_descriptor_sets(&info)?[0];
            let view = [vk::DescriptorImageInfo::default().image_view(images[0].view).image_layout(GENERAL)];
            let write = vk::WriteDescriptorSet::default().dst_set(set).image_info(&view);
            d.update_descriptor_sets(&[write.descriptor_type(vk::DescriptorType::INPUT_ATTACHMENT)], &[]);
            let info = vk::BufferCreateInfo::default().size(size).usage(vk::BufferUsageFlags::TRANSFER_DST);
            let buffer = d.create_buffer(&info, None)?;
            let needs = d.get_buffer_memory_requirements(buffer);
            let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size);
            let memory = d.allocate_memory(&info, None)?;
            d.bind_buffer_memory(buffer, memory, 0)?;
            let mapped = d.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())?;
            let mut pipelines = Vec::new();
            for drawn in &plan.draws {
                pipelines.push(pipeline(d, plan, layout, [modules[0], modules[1]], Some(drawn.mask))?);
            }
            pipelines.push(pipeline(d, plan, layout, [modules[0], modules[2]], None)?);
            let (set_layout, mapped) = (layouts[0], mapped.cast_const().cast());
            Ok(Objects { images, set_layout, layout, pool, set, buffer, memory, mapped, pipelines })
        }
    }

    fn destroy(self, d: &ash::Device) {
        // SAFETY: the scope has completed, and each object is destroyed once.
        unsafe {
            self.pipelines.iter().for_each(|&pipeline| d.destroy_pipeline(pipeline, None));
            for of in self.images {
                d.destroy_image_view(of.view, None);
                d.destroy_image(of.image, None);
                d.free_memory(of.memory, None);
            }
            d.destroy_descriptor_pool(self.pool, None);
            d.destroy_pipeline_layout(self.layout, None);
            d.destroy_descriptor_set_layout(self.set_layout, None);
            d.destroy_buffer(self.buffer, None);
            d.free_memory(self.memory, None);
        }
    }
}

fn image(d: &ash::Device, plan: &Plan, samples: u32, usage: vk::ImageUsageFlags) -> VkResult<Image> {
    let info = vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(FORMAT)
        .extent(vk::Extent3D { width: plan.size[0], height: plan.size[1], depth: 1 })
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::from_raw(samples))
        .usage(usage);
    // SAFETY: the device is live, and supports such images.
    unsafe {
        let image = d.create_image(&info, None)?;
        let needs = d.get_image_memory_requirements(image);
        let memory =
            d.allocate_memory(&vk::MemoryAllocateInfo::default().allocation_size(needs.size), None)?;
        d.bind_image_memory(image, memory, 0)?;
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(FORMAT)
            .subresource_range(WHOLE);
        Ok(Image { image, memory, view: d.create_image_view(&info, None)? })
    }
}

/// Creates the pipeline of a draw with a sample mask, or that of the resolve.
fn pipeline(
    d: &ash::Device,
    plan: &Plan,
    layout: vk::PipelineLayout,
    [vertex, fragment]: [vk::ShaderModule; 2],
    mask: Option<u32>,
) -> VkResult<vk::Pipeline> {
    let stages = [(vertex, vk::ShaderStageFlags::VERTEX), (fragment, vk::ShaderStageFlags::FRAGMENT)].map(
        |(module, stage)| {
            vk::PipelineShaderStageCreateInfo::default().module(module).stage(stage).name(c"main")
        },
    );
    let input = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let [width, height] = plan.size.map(|size| size as f32);
    let viewports = [vk::Viewport { width, height, max_depth: 1.0, ..Default::default() }];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissor_count(1);
    let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
    let masks = [mask.unwrap_or(1)];
    let samples = if mask.is_some() { plan.samples } else { 1 };
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(samples))
        .sample_mask(&masks);
    let attachments =
        [vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA)];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachments);
    let states = [vk::DynamicState::SCISSOR];
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let formats = [FORMAT];
    let custom = CustomResolve {
        ty: 1_000_628_002,
        next: std::ptr::null(),
        resolves: mask.is_none().into(),
        count: 1,
        formats: formats.as_ptr(),
        depth: vk::Format::UNDEFINED,
        stencil: vk::Format::UNDEFINED,
    };
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    rendering.p_next = (&raw const custom).cast();
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(layout)
        .push_next(&mut rendering);
    // SAFETY: the layout and the modules are live, and the state is valid.
    let made = unsafe { d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    made.map(|made| made[0]).map_err(|(_, code)| code)
}
