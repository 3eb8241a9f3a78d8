//! Pipelines: many alive at once, each with its own specialization, which shows in its results.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use std::time::{Duration, Instant};

use ash::prelude::VkResult;
use ash::vk;
use quadrille::Stage;
use quadrille::frontend::{Options, compile_glsl};

use super::client::{Host, MEMORY, SIDE, Stock, area, copy_of, storage_set};
use super::points::{POINTS, Points};
use crate::calls::resident;

const COMPUTE: &str = "#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint id = 0;
layout(set = 0, binding = 0) buffer B { uint w[]; } b;
void main() { for (uint i = 0; i < id % 5u + 1u; i++) { b.w[i] = id + i; } }";

/// Vertex shader whose three vertices cover the picture.
pub(super) const VERTEX: &str = "#version 450
void main() { gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1); }";

const FRAGMENT: &str = "#version 450
layout(constant_id = 0) const uint id = 0;
layout(location = 0) out vec4 color;
void main() { color = vec4(id & 255u, id >> 8 & 255u, id >> 16 & 255u, 255u) / 255.0; }";

pub(super) fn module(device: &ash::Device, stage: Stage, text: &str) -> VkResult<vk::ShaderModule> {
    let words = compile_glsl(text, stage, &Options::named("endurance.glsl")).expect("the shader compiles");
    // SAFETY: glslang compiled `words` above, so they are valid SPIR-V; the structure outlives the call.
    unsafe { device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(&words), None) }
}

/// Creates a pipeline of these stages that draws triangles without vertex buffers to the only attachment of a pass.
pub(super) fn graphics(
    stock: &Stock<'_>,
    pass: vk::RenderPass,
    stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    viewport: &vk::PipelineViewportStateCreateInfo<'_>,
    dynamic: &[vk::DynamicState],
) -> VkResult<vk::Pipeline> {
    let input = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly =
        vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
    let samples =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let all = vk::ColorComponentFlags::RGBA;
    let attachments = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(all)];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&attachments);
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(dynamic);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .viewport_state(viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(stock.layout)
        .render_pass(pass);
    // SAFETY: the callers pass modules and a pass of the stock's device, all alive; the structures outlive the call.
    let made = unsafe { stock.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    made.map(|list| list[0]).map_err(|(_, code)| code)
}

/// The only specialization constant of the shaders.
const ENTRIES: [vk::SpecializationMapEntry; 1] =
    [vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }];

/// Objects with which pipelines are made and used.
struct Work<'a> {
    stock: &'a Stock<'a>,
    compute: vk::ShaderModule,
    vertex: vk::ShaderModule,
    fragment: vk::ShaderModule,
    framebuffer: vk::Framebuffer,
    set: vk::DescriptorSet,
    words: *const u32,
}

impl<'a> Work<'a> {
    fn new(stock: &'a Stock<'a>) -> VkResult<Work<'a>> {
        let d = &stock.device;
        let views = [stock.view];
        let info = vk::FramebufferCreateInfo::default().render_pass(stock.pass).attachments(&views);
        let info = info.width(SIDE).height(SIDE).layers(1);
        // SAFETY: all objects belong to the stock, which is alive; the structures are locals that outlive the calls,
        // and the memory is mapped once.
        unsafe {
            Ok(Work {
                stock,
                compute: module(d, Stage::Compute, COMPUTE)?,
                vertex: module(d, Stage::Vertex, VERTEX)?,
                fragment: module(d, Stage::Fragment, FRAGMENT)?,
                framebuffer: d.create_framebuffer(&info, None)?,
                set: storage_set(d, stock.sets, stock.set_layout, stock.buffer)?,
                words: d.map_memory(stock.memory, 0, MEMORY, Default::default())?.cast(),
            })
        }
    }

    /// Creates pipeline number `id`: even numbers compute, odd numbers draw.
    fn make(&self, id: u32) -> VkResult<vk::Pipeline> {
        let (data, cache) = (id.to_ne_bytes(), vk::PipelineCache::null());
        let constants = vk::SpecializationInfo::default().map_entries(&ENTRIES).data(&data);
        let stage = |module, flag| {
            vk::PipelineShaderStageCreateInfo::default().module(module).stage(flag).name(c"main")
        };
        if id.is_multiple_of(2) {
            let stage = stage(self.compute, vk::ShaderStageFlags::COMPUTE).specialization_info(&constants);
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.stock.layout);
            // SAFETY: module and layout belong to the stock's device and are alive; `info` and `constants` outlive the
            // call.
            let made = unsafe { self.stock.device.create_compute_pipelines(cache, &[info], None) };
            return made.map(|list| list[0]).map_err(|(_, code)| code);
        }
        let stages = [
            stage(self.vertex, vk::ShaderStageFlags::VERTEX),
            stage(self.fragment, vk::ShaderStageFlags::FRAGMENT).specialization_info(&constants),
        ];
        let side = SIDE as f32;
        let viewports = [vk::Viewport { width: side, height: side, max_depth: 1.0, ..Default::default() }];
        let scissors = [area([SIDE; 2])];
        let viewport =
            vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        graphics(self.stock, self.stock.pass, &stages, &viewport, &[])
    }

    /// Uses a pipeline, and returns false if the memory is wrong.
    fn works(&self, id: u32, pipeline: vk::Pipeline) -> VkResult<bool> {
        let (s, d) = (self.stock, &self.stock.device);
        let info = vk::CommandBufferAllocateInfo::default().command_pool(s.commands).command_buffer_count(1);
        // SAFETY: all objects belong to the stock or to `self`; the queue is idle when the mapped words are read, which
        // are inside the buffer.
        unsafe {
            let c = d.allocate_command_buffers(&info)?;
            d.begin_command_buffer(c[0], &Default::default())?;
            if id.is_multiple_of(2) {
                let point = vk::PipelineBindPoint::COMPUTE;
                d.cmd_bind_pipeline(c[0], point, pipeline);
                d.cmd_bind_descriptor_sets(c[0], point, s.layout, 0, &[self.set], &[]);
                d.cmd_dispatch(c[0], 1, 1, 1);
            } else {
                let clear = [vk::ClearValue::default()];
                let begin = vk::RenderPassBeginInfo::default()
                    .render_pass(s.pass)
                    .framebuffer(self.framebuffer)
                    .render_area(area([SIDE; 2]))
                    .clear_values(&clear);
                d.cmd_begin_render_pass(c[0], &begin, vk::SubpassContents::INLINE);
                d.cmd_bind_pipeline(c[0], vk::PipelineBindPoint::GRAPHICS, pipeline);
                d.cmd_draw(c[0], 3, 1, 0, 0);
                d.cmd_end_render_pass(c[0]);
                let copy = copy_of([SIDE; 2]);
                d.cmd_copy_image_to_buffer(c[0], s.image, vk::ImageLayout::GENERAL, s.buffer, &[copy]);
            }
            d.end_command_buffer(c[0])?;
            let submit = vk::SubmitInfo::default().command_buffers(&c);
            d.queue_submit(s.queue, &[submit], vk::Fence::null())?;
            d.queue_wait_idle(s.queue)?;
            d.free_command_buffers(s.commands, &c);
            let n = if id.is_multiple_of(2) { id % 5 + 1 } else { 0 };
            let words = (0..n).all(|i| self.words.add(i as usize).read() == id + i);
            Ok(words && (n > 0 || self.words.read() == id | 0xff00_0000))
        }
    }
}

impl Drop for Work<'_> {
    fn drop(&mut self) {
        let d = &self.stock.device;
        // SAFETY: `works` waits for the queue, so nothing is in flight; `self` owns these objects.
        unsafe {
            d.destroy_framebuffer(self.framebuffer, None);
            [self.compute, self.vertex, self.fragment]
                .iter()
                .for_each(|&module| d.destroy_shader_module(module, None));
        }
    }
}

/// Makes `count` pipelines, uses some of them, and destroys all, round after round.
///
/// # Errors
/// An error of the driver, a wrong result, or growing memory.
pub fn check(host: &Host, count: u32, margin: i64) -> Result<String, String> {
    let stock = Stock::new(host, 1).map_err(|e| format!("a device: {e}"))?;
    let work = Work::new(&stock).map_err(|e| format!("the objects of the pipelines: {e}"))?;
    let mut points = Points::new(&format!("{count} pipelines"));
    let (mut making, mut most) = (Duration::ZERO, 0);
    for _ in 0..POINTS {
        let (start, resident) = (Instant::now(), resident::bytes());
        let all: VkResult<Vec<_>> = (0..count).map(|id| work.make(id)).collect();
        let all = all.map_err(|e| format!("a pipeline: {e}"))?;
        making += start.elapsed();
        most = most.max(resident::bytes().saturating_sub(resident));
        for (id, &pipeline) in (0..).zip(&all).step_by(7) {
            match work.works(id, pipeline) {
                Ok(true) => {}
                Ok(false) => return Err(format!("pipeline {id}: a wrong result")),
                Err(e) => return Err(format!("pipeline {id}: {e}")),
            }
        }
        // SAFETY: `make` created the pipelines, and `works` waits for the queue, so nothing is in flight.
        all.iter().rev().for_each(|&pipeline| unsafe { stock.device.destroy_pipeline(pipeline, None) });
        points.mark();
    }
    let each = making.as_micros() as u64 / u64::from(count) / POINTS;
    let line = points.check(margin)?;
    Ok(format!("{line}; {each} us made, {} KiB each", (most >> 10) / u64::from(count)))
}
