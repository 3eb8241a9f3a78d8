//! Frames as in applications: each with a new command buffer, a new upload, descriptors, a draw and its presentation.
//! The surface changes its size from time to time.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::prelude::VkResult;
use ash::vk;
use quadrille::Stage;

use super::client::{Host, Stock, WHOLE, area, copy_of, memory, pass, pool, storage_set, view_info};
use super::kinds::swapchain_info;
use super::pipelines::{VERTEX, graphics, module};
use super::points::Points;

/// Number of frames in flight.
const FLIGHT: usize = 2;
/// Number of frames between changes of size, and between checks of a picture.
const RESIZE: u64 = 300;
const LOOK: u64 = 100;
/// Bytes of an upload.
const UPLOAD: u64 = 4096;
/// Sides of the surface.
const SIZES: [[u32; 2]; 3] = [[64, 48], [48, 64], [80, 16]];

const FRAGMENT: &str = "#version 450
layout(set = 0, binding = 0) readonly buffer B { uint w[]; } b;
layout(location = 0) out vec4 color;
void main() { color = unpackUnorm4x8(b.w[1023]); }";

/// Resources of a frame until it is done.
struct Flight {
    fence: vk::Fence,
    acquired: vk::Semaphore,
    rendered: vk::Semaphore,
    commands: vk::CommandPool,
    sets: vk::DescriptorPool,
    recorded: Vec<vk::CommandBuffer>,
    upload: Option<(vk::Buffer, vk::DeviceMemory)>,
}

impl Flight {
    fn new(d: &ash::Device) -> VkResult<Flight> {
        let signaled = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::SIGNALED);
        // SAFETY: `d` is alive, and `signaled` is a local that outlives the calls.
        unsafe {
            Ok(Flight {
                fence: d.create_fence(&signaled, None)?,
                acquired: d.create_semaphore(&Default::default(), None)?,
                rendered: d.create_semaphore(&Default::default(), None)?,
                commands: d.create_command_pool(&Default::default(), None)?,
                sets: pool(d, 1)?,
                recorded: Vec::new(),
                upload: None,
            })
        }
    }

    /// Waits until the frame is done, and frees its resources.
    fn recycle(&mut self, d: &ash::Device) -> VkResult<()> {
        // SAFETY: the wait for the frame's fence comes first, so no submission uses the command buffers, the set and
        // the upload, which this frame owns.
        unsafe {
            d.wait_for_fences(&[self.fence], true, u64::MAX)?;
            d.reset_command_pool(self.commands, vk::CommandPoolResetFlags::empty())?;
            if !self.recorded.is_empty() {
                d.free_command_buffers(self.commands, &self.recorded);
                self.recorded.clear();
            }
            d.reset_descriptor_pool(self.sets, vk::DescriptorPoolResetFlags::empty())?;
            if let Some((buffer, memory)) = self.upload.take() {
                d.destroy_buffer(buffer, None);
                d.free_memory(memory, None);
            }
        }
        Ok(())
    }

    fn destroy(mut self, d: &ash::Device) {
        self.recycle(d).expect("frames end");
        // SAFETY: `recycle` waited for the frame, and `self` owns these objects.
        unsafe {
            d.destroy_fence(self.fence, None);
            d.destroy_semaphore(self.acquired, None);
            d.destroy_semaphore(self.rendered, None);
            d.destroy_command_pool(self.commands, None);
            d.destroy_descriptor_pool(self.sets, None);
        }
    }
}

/// A swapchain with its framebuffers.
#[derive(Default)]
struct Chain {
    handle: vk::SwapchainKHR,
    size: [u32; 2],
    targets: Vec<(vk::Image, vk::ImageView, vk::Framebuffer)>,
}

/// Objects that live from the first frame to the last.
struct Program<'a> {
    stock: &'a Stock<'a>,
    surface: vk::SurfaceKHR,
    pass: vk::RenderPass,
    pipeline: vk::Pipeline,
    chain: Chain,
    flights: Vec<Flight>,
    /// Destination of copies of pictures.
    picture: (vk::Buffer, vk::DeviceMemory),
    pixels: *const u32,
}

/// Creates the pipeline, whose viewport is dynamic.
fn pipeline(stock: &Stock<'_>, pass: vk::RenderPass) -> VkResult<vk::Pipeline> {
    let d = &stock.device;
    let modules = [module(d, Stage::Vertex, VERTEX)?, module(d, Stage::Fragment, FRAGMENT)?];
    let flags = [vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::FRAGMENT];
    let stages = [0, 1].map(|i| {
        vk::PipelineShaderStageCreateInfo::default().module(modules[i]).stage(flags[i]).name(c"main")
    });
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
    let states = [vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
    let made = graphics(stock, pass, &stages, &viewport, &states);
    // SAFETY: this function made the modules, and Vulkan allows their destruction once the pipeline exists.
    unsafe { modules.iter().for_each(|&module| d.destroy_shader_module(module, None)) };
    made
}

/// Creates a buffer with its own memory, and returns both with the mapped address.
fn mapped(
    stock: &Stock<'_>,
    bytes: u64,
    usage: vk::BufferUsageFlags,
) -> VkResult<((vk::Buffer, vk::DeviceMemory), *mut u32)> {
    let d = &stock.device;
    // SAFETY: all handles are made right here from the live device; the memory has the size that the buffer requires,
    // and is mapped once.
    unsafe {
        let info = vk::BufferCreateInfo::default().size(bytes).usage(usage);
        let buffer = d.create_buffer(&info, None)?;
        let memory = memory(d, d.get_buffer_memory_requirements(buffer).size)?;
        d.bind_buffer_memory(buffer, memory, 0)?;
        let at = d.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?;
        Ok(((buffer, memory), at.cast()))
    }
}

impl<'a> Program<'a> {
    fn new(stock: &'a Stock<'a>) -> VkResult<Program<'a>> {
        let pass = pass(&stock.device, vk::ImageLayout::PRESENT_SRC_KHR)?;
        let most = SIZES.iter().map(|[w, h]| u64::from(w * h * 4)).max().unwrap_or(0);
        let (picture, pixels) = mapped(stock, most, vk::BufferUsageFlags::TRANSFER_DST)?;
        let flights: VkResult<Vec<_>> = (0..FLIGHT).map(|_| Flight::new(&stock.device)).collect();
        // SAFETY: `Host::new` enabled VK_EXT_headless_surface on this live instance.
        let surface = unsafe { stock.host.headless.create_headless_surface(&Default::default(), None) }?;
        let (pipeline, flights, chain) = (pipeline(stock, pass)?, flights?, Chain::default());
        Ok(Program { stock, surface, pass, pipeline, chain, flights, picture, pixels })
    }

    /// Changes the size of the surface. The objects of the old size are destroyed when the queue is idle.
    fn resize(&mut self, size: [u32; 2]) -> VkResult<()> {
        let (s, d) = (self.stock, &self.stock.device);
        let info = swapchain_info(self.surface, size).old_swapchain(self.chain.handle);
        // SAFETY: `self` owns surface, pass and the old swapchain, which is passed as `old_swapchain`; the queue is
        // idle before `drop_chain` destroys it.
        unsafe {
            let handle = s.swapchain.create_swapchain(&info, None)?;
            d.queue_wait_idle(s.queue)?;
            self.drop_chain();
            let mut targets = Vec::new();
            for image in s.swapchain.get_swapchain_images(handle)? {
                let view = d.create_image_view(&view_info(image), None)?;
                let views = [view];
                let info = vk::FramebufferCreateInfo::default().render_pass(self.pass).attachments(&views);
                let info = info.width(size[0]).height(size[1]).layers(1);
                targets.push((image, view, d.create_framebuffer(&info, None)?));
            }
            self.chain = Chain { handle, size, targets };
        }
        Ok(())
    }

    fn drop_chain(&mut self) {
        let chain = std::mem::take(&mut self.chain);
        // SAFETY: `resize` and `drop` wait for the queue or for all frames first, and `self` owns these objects.
        unsafe {
            for (_, view, framebuffer) in chain.targets {
                self.stock.device.destroy_framebuffer(framebuffer, None);
                self.stock.device.destroy_image_view(view, None);
            }
            self.stock.swapchain.destroy_swapchain(chain.handle, None);
        }
    }

    /// Records a frame to an image of the swapchain; `look` also copies the picture.
    fn record(
        &self,
        flight: &Flight,
        set: vk::DescriptorSet,
        image: usize,
        look: bool,
    ) -> VkResult<vk::CommandBuffer> {
        let (s, d) = (self.stock, &self.stock.device);
        let (target, _, framebuffer) = self.chain.targets[image];
        let area = area(self.chain.size);
        let (width, height) = (area.extent.width as f32, area.extent.height as f32);
        let info =
            vk::CommandBufferAllocateInfo::default().command_pool(flight.commands).command_buffer_count(1);
        // SAFETY: `frame` passes its recycled `flight`, a set from its pool and an acquired image; all other objects
        // belong to `self`.
        unsafe {
            let list = d.allocate_command_buffers(&info)?;
            let once =
                vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            let c = list[0];
            d.begin_command_buffer(c, &once)?;
            let clear = [vk::ClearValue::default()];
            let begin = vk::RenderPassBeginInfo::default()
                .render_pass(self.pass)
                .framebuffer(framebuffer)
                .render_area(area)
                .clear_values(&clear);
            d.cmd_begin_render_pass(c, &begin, vk::SubpassContents::INLINE);
            let point = vk::PipelineBindPoint::GRAPHICS;
            d.cmd_bind_pipeline(c, point, self.pipeline);
            d.cmd_bind_descriptor_sets(c, point, s.layout, 0, &[set], &[]);
            let viewport = vk::Viewport { width, height, max_depth: 1.0, ..Default::default() };
            d.cmd_set_viewport(c, 0, &[viewport]);
            d.cmd_set_scissor(c, 0, &[area]);
            d.cmd_draw(c, 3, 1, 0, 0);
            d.cmd_end_render_pass(c);
            if look {
                self.copy(c, target);
            }
            d.end_command_buffer(c)?;
            Ok(c)
        }
    }

    /// Records the copy of a picture, between two layout transitions.
    fn copy(&self, c: vk::CommandBuffer, image: vk::Image) {
        use vk::ImageLayout as Layout;
        let d = &self.stock.device;
        let barrier = |from, to| {
            let all = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
            let barrier = vk::ImageMemoryBarrier::default()
                .src_access_mask(all)
                .dst_access_mask(all)
                .old_layout(from)
                .new_layout(to)
                .image(image)
                .subresource_range(WHOLE);
            let stages = vk::PipelineStageFlags::ALL_COMMANDS;
            // SAFETY: `record` passes a command buffer that is recording outside of a render pass, and an image of the
            // swapchain.
            unsafe {
                d.cmd_pipeline_barrier(c, stages, stages, Default::default(), &[], &[], &[barrier]);
            }
        };
        barrier(Layout::PRESENT_SRC_KHR, Layout::TRANSFER_SRC_OPTIMAL);
        let region = copy_of(self.chain.size);
        // SAFETY: `record` passes `c`, which is recording outside of a render pass; the image has the transfer usage and
        // layout, and the buffer has room for the largest picture.
        unsafe {
            d.cmd_copy_image_to_buffer(c, image, Layout::TRANSFER_SRC_OPTIMAL, self.picture.0, &[region]);
        }
        barrier(Layout::TRANSFER_SRC_OPTIMAL, Layout::PRESENT_SRC_KHR);
    }

    /// Renders frame `number`. Returns false if its picture is checked and wrong.
    fn frame(&mut self, number: u64) -> VkResult<bool> {
        if (number - 1).is_multiple_of(RESIZE) {
            self.resize(SIZES[(number / RESIZE) as usize % SIZES.len()])?;
        }
        let (s, d) = (self.stock, &self.stock.device);
        let look = number.is_multiple_of(LOOK);
        let color = number as u32 | 0xff00_0000;
        let at = number as usize % FLIGHT;
        self.flights[at].recycle(d)?;
        let (upload, words) = mapped(s, UPLOAD, vk::BufferUsageFlags::STORAGE_BUFFER)?;
        self.flights[at].upload = Some(upload);
        // SAFETY: the upload has `UPLOAD` mapped bytes. `recycle` has waited for the last frame with these objects, and
        // a signaled fence precedes the read of the picture, whose buffer has room for every size.
        unsafe {
            (0..UPLOAD as usize / 4).for_each(|i| words.add(i).write(color));
            let flight = &self.flights[at];
            let (acquired, none) = (flight.acquired, vk::Fence::null());
            let (image, _) = s.swapchain.acquire_next_image(self.chain.handle, u64::MAX, acquired, none)?;
            let set = storage_set(d, flight.sets, s.set_layout, upload.0)?;
            let commands = [self.record(flight, set, image as usize, look)?];
            d.reset_fences(&[flight.fence])?;
            self.flights[at].recorded.extend(commands);
            let flight = &self.flights[at];
            let (waits, signals) = ([acquired], [flight.rendered]);
            let submit = vk::SubmitInfo::default()
                .command_buffers(&commands)
                .wait_semaphores(&waits)
                .wait_dst_stage_mask(&[vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT])
                .signal_semaphores(&signals);
            d.queue_submit(s.queue, &[submit], flight.fence)?;
            let (chains, images) = ([self.chain.handle], [image]);
            let info = vk::PresentInfoKHR::default()
                .wait_semaphores(&signals)
                .swapchains(&chains)
                .image_indices(&images);
            s.swapchain.queue_present(s.queue, &info)?;
            if !look {
                return Ok(true);
            }
            d.wait_for_fences(&[flight.fence], true, u64::MAX)?;
            let [width, height] = self.chain.size;
            Ok((0..(width * height) as usize).all(|i| self.pixels.add(i).read() == color))
        }
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        let (s, d) = (self.stock, &self.stock.device);
        self.flights.drain(..).for_each(|flight| flight.destroy(d));
        self.drop_chain();
        // SAFETY: destroying the flights waited for every frame, and `self` owns these objects.
        unsafe {
            s.host.surface.destroy_surface(self.surface, None);
            d.destroy_pipeline(self.pipeline, None);
            d.destroy_render_pass(self.pass, None);
            d.destroy_buffer(self.picture.0, None);
            d.free_memory(self.picture.1, None);
        }
    }
}

/// Renders `count` frames.
///
/// # Errors
/// An error of the driver, a wrong picture, or growing memory.
pub fn check(host: &Host, count: u64, margin: i64) -> Result<String, String> {
    let stock = Stock::new(host, 1).map_err(|e| format!("a device: {e}"))?;
    let before = host.heap_used();
    let mut program = Program::new(&stock).map_err(|e| format!("a program: {e}"))?;
    let mut points = Points::new(&format!("{count} frames"));
    for number in 1..=count {
        match program.frame(number) {
            Ok(true) => points.step(number, count),
            Ok(false) => return Err(format!("frame {number}: a wrong picture")),
            Err(e) => return Err(format!("frame {number}: {e}")),
        }
    }
    drop(program);
    match host.heap_used() {
        after if after == before => points.check(margin),
        after => Err(format!("frames: {after} bytes of the heap in use, {before} before")),
    }
}
