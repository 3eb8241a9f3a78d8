//! Tools for scenes of several steps: images, buffers, samplers, passes and queries, each with one call.
//!
//! A [`Studio`] records one command buffer with a full barrier between two steps; all images are in the general layout.
//! [`Studio::paint`] shows the results of the steps: it draws a rectangle over the picture. [`super::draw`] defines the
//! state of a draw.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::vk;

use super::SIZE;
use super::client::{Client, text};
use super::draw::{Bind, Draw};
pub use super::targets::{Image, Of, Pass, RGBA8, Target, aspects, rgba, whole, zs};

/// Reason why a scene ends early.
#[derive(Debug)]
pub enum Stop {
    /// The device lacks a feature of the scene.
    Lacks(&'static str),
    /// An error occurred.
    Failed(String),
}

impl From<vk::Result> for Stop {
    fn from(e: vk::Result) -> Stop {
        Stop::Failed(text(e))
    }
}

impl From<String> for Stop {
    fn from(e: String) -> Stop {
        Stop::Failed(e)
    }
}

/// Result of a step.
pub type Made<T> = Result<T, Stop>;

/// Steps of one scene.
pub struct Studio<'a> {
    /// Device of the scene.
    pub client: &'a Client,
    /// Commands recorded so far.
    pub commands: vk::CommandBuffer,
    /// The picture of the scene.
    pub picture: Image,
    /// View of the picture.
    pub view: vk::ImageView,
}

/// A sampler with clamped edges, nearest filters and all levels.
fn clamped() -> vk::SamplerCreateInfo<'static> {
    let edge = vk::SamplerAddressMode::CLAMP_TO_EDGE;
    vk::SamplerCreateInfo::default()
        .address_mode_u(edge)
        .address_mode_v(edge)
        .address_mode_w(edge)
        .max_lod(vk::LOD_CLAMP_NONE)
}

impl<'a> Studio<'a> {
    /// Starts with an empty picture.
    pub fn new(client: &'a Client) -> Made<Studio<'a>> {
        let commands = begin(client)?;
        let none = Image { image: vk::Image::null(), of: Of::target(RGBA8) };
        let mut s = Studio { client, commands, picture: none, view: vk::ImageView::null() };
        s.picture = s.image(none.of)?;
        s.view = s.view(&s.picture)?;
        s.clear(&s.picture, [0.05, 0.05, 0.1, 1.0]);
        Ok(s)
    }

    /// Ends the scene if the device lacks the named feature.
    pub fn need(&self, has: impl Into<bool>, name: &'static str) -> Made<()> {
        if has.into() { Ok(()) } else { Err(Stop::Lacks(name)) }
    }

    /// Records a full barrier.
    pub fn barrier(&self) {
        let barrier = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE);
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let d = &self.client.device;
        // SAFETY: the callers are outside of a pass, so `commands` may record a barrier; `barrier` outlives the call.
        unsafe { d.cmd_pipeline_barrier(self.commands, all, all, Default::default(), &[barrier], &[], &[]) };
    }

    /// Creates an image with undefined contents.
    pub fn image(&self, of: Of) -> Made<Image> {
        let d = &self.client.device;
        let usage = of.usage | vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        let samples = vk::SampleCountFlags::from_raw(of.samples);
        // SAFETY: the handles are made right here from the live device, after a check that it supports such images; the
        // structures outlive the calls, and `commands` is recording.
        unsafe {
            let offered = self.client.instance.get_physical_device_image_format_properties(
                self.client.physical,
                of.format,
                of.ty,
                vk::ImageTiling::OPTIMAL,
                usage,
                of.flags,
            );
            let fits = |o: &vk::ImageFormatProperties| {
                o.sample_counts.contains(samples)
                    && o.max_mip_levels >= of.levels
                    && o.max_array_layers >= of.layers
            };
            if !offered.as_ref().is_ok_and(fits) {
                return Err(Stop::Lacks(if of.samples > 1 { "number of samples" } else { "format" }));
            }
            let info = vk::ImageCreateInfo::default()
                .flags(of.flags)
                .image_type(of.ty)
                .format(of.format)
                .extent(vk::Extent3D { width: of.size[0], height: of.size[1], depth: of.size[2] })
                .mip_levels(of.levels)
                .array_layers(of.layers)
                .samples(samples)
                .usage(usage);
            let image = d.create_image(&info, None)?;
            let memory = self.client.allocate(d.get_image_memory_requirements(image), false)?;
            d.bind_image_memory(image, memory, 0)?;
            let image = Image { image, of };
            let barrier = vk::ImageMemoryBarrier::default()
                .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
                .new_layout(vk::ImageLayout::GENERAL)
                .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
                .image(image.image)
                .subresource_range(whole(aspects(of.format)));
            let all = vk::PipelineStageFlags::ALL_COMMANDS;
            d.cmd_pipeline_barrier(self.commands, all, all, Default::default(), &[], &[], &[barrier]);
            Ok(image)
        }
    }

    /// True if images of the format have these features.
    pub fn offers(&self, format: vk::Format, features: vk::FormatFeatureFlags) -> bool {
        // SAFETY: the client keeps the instance alive, to which `physical` belongs.
        let p = unsafe {
            self.client.instance.get_physical_device_format_properties(self.client.physical, format)
        };
        p.optimal_tiling_features.contains(features)
    }

    /// True if buffers of the format have these features.
    pub fn offers_buffer(&self, format: vk::Format, features: vk::FormatFeatureFlags) -> bool {
        // SAFETY: the client keeps the instance alive, to which `physical` belongs.
        let p = unsafe {
            self.client.instance.get_physical_device_format_properties(self.client.physical, format)
        };
        p.buffer_features.contains(features)
    }

    /// A view of a whole image, with the type that its shape suggests.
    pub fn view(&self, image: &Image) -> Made<vk::ImageView> {
        let several = image.of.layers > 1;
        let cube = image.of.flags.contains(vk::ImageCreateFlags::CUBE_COMPATIBLE);
        let ty = match image.of.ty {
            vk::ImageType::TYPE_1D if several => vk::ImageViewType::TYPE_1D_ARRAY,
            vk::ImageType::TYPE_1D => vk::ImageViewType::TYPE_1D,
            vk::ImageType::TYPE_3D => vk::ImageViewType::TYPE_3D,
            _ if cube && image.of.layers > 6 => vk::ImageViewType::CUBE_ARRAY,
            _ if cube => vk::ImageViewType::CUBE,
            _ if several => vk::ImageViewType::TYPE_2D_ARRAY,
            _ => vk::ImageViewType::TYPE_2D,
        };
        self.view_as(image, |info| info.view_type(ty))
    }

    /// A view of a whole image, with changes.
    pub fn view_as(
        &self,
        image: &Image,
        edit: impl FnOnce(vk::ImageViewCreateInfo<'static>) -> vk::ImageViewCreateInfo<'static>,
    ) -> Made<vk::ImageView> {
        let info = vk::ImageViewCreateInfo::default()
            .image(image.image)
            .view_type(vk::ImageViewType::TYPE_2D)
            .format(image.of.format)
            .subresource_range(whole(aspects(image.of.format)));
        // SAFETY: the image belongs to this device; callers change the description within valid usage, and it outlives
        // the call.
        Ok(unsafe { self.client.device.create_image_view(&edit(info), None)? })
    }

    /// A view of one aspect.
    pub fn aspect(&self, image: &Image, aspect: vk::ImageAspectFlags) -> Made<vk::ImageView> {
        self.view_as(image, |info| info.subresource_range(whole(aspect)))
    }

    /// A buffer with these contents, for any usage.
    pub fn buffer(&self, data: &[u8]) -> Made<vk::Buffer> {
        use vk::BufferUsageFlags as U;
        let d = &self.client.device;
        let captured = match self.client.has.extension(ash::ext::transform_feedback::NAME) {
            true => U::TRANSFORM_FEEDBACK_BUFFER_EXT | U::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT,
            false => U::empty(),
        };
        let usage = captured
            | U::TRANSFER_SRC
            | U::TRANSFER_DST
            | U::UNIFORM_TEXEL_BUFFER
            | U::STORAGE_TEXEL_BUFFER
            | U::UNIFORM_BUFFER
            | U::STORAGE_BUFFER
            | U::INDEX_BUFFER
            | U::VERTEX_BUFFER
            | U::INDIRECT_BUFFER;
        let info = vk::BufferCreateInfo::default().size(data.len() as u64).usage(usage);
        // SAFETY: the handles are made right here from the live device, and the mapping is at least as long as the
        // data.
        unsafe {
            let buffer = d.create_buffer(&info, None)?;
            let memory = self.client.allocate(d.get_buffer_memory_requirements(buffer), true)?;
            d.bind_buffer_memory(buffer, memory, 0)?;
            let at = d.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default())?;
            std::ptr::copy_nonoverlapping(data.as_ptr(), at.cast(), data.len());
            Ok(buffer)
        }
    }

    /// A view of a whole buffer as texels.
    pub fn buffer_view(&self, buffer: vk::Buffer, format: vk::Format) -> Made<vk::BufferView> {
        let info = vk::BufferViewCreateInfo::default().buffer(buffer).format(format).range(vk::WHOLE_SIZE);
        // SAFETY: the buffer belongs to this device and allows views; `info` outlives the call.
        Ok(unsafe { self.client.device.create_buffer_view(&info, None)? })
    }

    /// Fills all layers or slices of a level of an image.
    pub fn upload(&self, image: &Image, level: u32, data: &[u8]) -> Made<()> {
        self.upload_aspect(image, level, aspects(image.of.format), data)
    }

    /// Fills an aspect of a level.
    pub fn upload_aspect(
        &self,
        image: &Image,
        level: u32,
        aspect: vk::ImageAspectFlags,
        data: &[u8],
    ) -> Made<()> {
        let buffer = self.buffer(data)?;
        self.copy_in(buffer, image, aspect, level);
        Ok(())
    }

    /// Copies a buffer to an aspect of a level of an image.
    pub fn copy_in(&self, buffer: vk::Buffer, image: &Image, aspect: vk::ImageAspectFlags, level: u32) {
        let copy = self.region(image, aspect, level);
        self.barrier();
        let (d, general) = (&self.client.device, vk::ImageLayout::GENERAL);
        // SAFETY: `region` describes the level, both resources belong to the studio, and a barrier before leaves
        // `commands` outside of a pass.
        unsafe { d.cmd_copy_buffer_to_image(self.commands, buffer, image.image, general, &[copy]) };
    }

    /// Copies an aspect of a level of an image to a buffer.
    pub fn copy_out(&self, image: &Image, aspect: vk::ImageAspectFlags, level: u32, buffer: vk::Buffer) {
        let copy = self.region(image, aspect, level);
        self.barrier();
        let (d, general) = (&self.client.device, vk::ImageLayout::GENERAL);
        // SAFETY: `region` describes the level, both resources belong to the studio, and a barrier before leaves
        // `commands` outside of a pass.
        unsafe { d.cmd_copy_image_to_buffer(self.commands, image.image, general, buffer, &[copy]) };
    }

    fn region(&self, image: &Image, aspect: vk::ImageAspectFlags, level: u32) -> vk::BufferImageCopy {
        use vk::ImageAspectFlags as A;
        // Planes after the first of 4:2:0 images have half the size.
        let halved = aspect.intersects(A::PLANE_1 | A::PLANE_2)
            && matches!(
                image.of.format,
                vk::Format::G8_B8_R8_3PLANE_420_UNORM | vk::Format::G8_B8R8_2PLANE_420_UNORM
            );
        let [width, height, depth] = image.of.size.map(|n| (n >> level).max(1));
        let half = u32::from(halved);
        vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: aspect,
                mip_level: level,
                base_array_layer: 0,
                layer_count: image.of.layers,
            })
            .image_extent(vk::Extent3D { width: width >> half, height: height >> half, depth })
    }

    /// Clears a whole colour image.
    pub fn clear(&self, image: &Image, color: [f32; 4]) {
        self.barrier();
        let d = &self.client.device;
        let value = vk::ClearColorValue { float32: color };
        let range = [whole(vk::ImageAspectFlags::COLOR)];
        let general = vk::ImageLayout::GENERAL;
        // SAFETY: the image belongs to the studio and is in the general layout, and `commands` is outside of a pass.
        unsafe { d.cmd_clear_color_image(self.commands, image.image, general, &value, &range) };
        self.barrier();
    }

    /// A sampler with clamped edges, nearest filters and all levels, with changes.
    pub fn sampler(
        &self,
        edit: impl FnOnce(vk::SamplerCreateInfo<'static>) -> vk::SamplerCreateInfo<'static>,
    ) -> Made<vk::Sampler> {
        let info = clamped();
        // SAFETY: the device is alive; callers change the description within valid usage, and it outlives the call.
        Ok(unsafe { self.client.device.create_sampler(&edit(info), None)? })
    }

    /// A sampler with another structure in its chain.
    pub fn sampler_with<T: vk::ExtendsSamplerCreateInfo>(
        &self,
        more: &mut T,
        edit: impl FnOnce(vk::SamplerCreateInfo<'_>) -> vk::SamplerCreateInfo<'_>,
    ) -> Made<vk::Sampler> {
        let info = clamped().push_next(more);
        // SAFETY: the device is alive; callers change the description within valid usage, and it outlives the call with
        // its chain.
        Ok(unsafe { self.client.device.create_sampler(&edit(info), None)? })
    }

    /// A colour attachment that is cleared to dark blue.
    pub fn target(&self, image: &Image) -> Made<Target> {
        let clear = Some(rgba([0.05, 0.05, 0.1, 1.0]));
        Ok(Target { view: self.view(image)?, format: image.of.format, clear, resolve: None })
    }

    /// A pass over the picture, which is cleared.
    pub fn pass(&self) -> Pass {
        let clear = Some(rgba([0.05, 0.05, 0.1, 1.0]));
        let color = Target { view: self.view, format: RGBA8, clear, resolve: None };
        Pass { colors: vec![color], depth: None, stencil: None, layers: 1, views: 0, size: [SIZE; 2] }
    }

    /// A pass over the picture, with depth cleared to 1 and stencil cleared to 0.
    pub fn pass_with_depth(&self, format: vk::Format) -> Made<Pass> {
        let image = self.image(Of::depth(format))?;
        let target = Target { view: self.view(&image)?, format, clear: Some(zs(1.0, 0)), resolve: None };
        let mut pass = self.pass();
        let has = aspects(format);
        pass.depth = has.contains(vk::ImageAspectFlags::DEPTH).then_some(target);
        pass.stencil = has.contains(vk::ImageAspectFlags::STENCIL).then_some(target);
        Ok(pass)
    }

    /// A pass over a multisampled image with depth and stencil, which is resolved to the picture.
    pub fn pass_of(&self, samples: u32) -> Made<Pass> {
        let color = self.image(Of { samples, ..Of::target(RGBA8) })?;
        let format = vk::Format::D32_SFLOAT_S8_UINT;
        let depth = self.image(Of {
            samples,
            usage: vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
            ..Of::depth(format)
        })?;
        let mut color = self.target(&color)?;
        color.resolve = Some((vk::ResolveModeFlags::AVERAGE, self.view));
        let depth = Target { view: self.view(&depth)?, format, clear: Some(zs(1.0, 0)), resolve: None };
        Ok(Pass { colors: vec![color], depth: Some(depth), stencil: Some(depth), ..self.pass() })
    }

    /// Begins a pass.
    pub fn begin(&self, pass: &Pass) {
        self.barrier();
        let info = |t: &Target| {
            let mut info = vk::RenderingAttachmentInfo::default()
                .image_view(t.view)
                .image_layout(vk::ImageLayout::GENERAL)
                .load_op(if t.clear.is_some() {
                    vk::AttachmentLoadOp::CLEAR
                } else {
                    vk::AttachmentLoadOp::LOAD
                })
                .store_op(vk::AttachmentStoreOp::STORE)
                .clear_value(t.clear.unwrap_or_default());
            if let Some((mode, view)) = t.resolve {
                info = info
                    .resolve_mode(mode)
                    .resolve_image_view(view)
                    .resolve_image_layout(vk::ImageLayout::GENERAL);
            }
            info
        };
        let colors: Vec<_> = pass.colors.iter().map(info).collect();
        let (depth, stencil) = (pass.depth.as_ref().map(info), pass.stencil.as_ref().map(info));
        let extent = vk::Extent2D { width: pass.size[0], height: pass.size[1] };
        let mut info = vk::RenderingInfo::default()
            .render_area(vk::Rect2D { offset: Default::default(), extent })
            .layer_count(pass.layers)
            .view_mask(pass.views)
            .color_attachments(&colors);
        if let Some(depth) = &depth {
            info = info.depth_attachment(depth);
        }
        if let Some(stencil) = &stencil {
            info = info.stencil_attachment(stencil);
        }
        // SAFETY: the pass names views of the studio's images, `commands` is recording outside of a pass, and `info`
        // outlives the call.
        unsafe { self.client.rendering.cmd_begin_rendering(self.commands, &info) };
    }

    /// Ends a pass.
    pub fn end(&self) {
        // SAFETY: `begin` began this pass on the same command buffer.
        unsafe { self.client.rendering.cmd_end_rendering(self.commands) };
        self.barrier();
    }

    /// Records a pass with these draws.
    pub fn render(&self, pass: &Pass, draws: &[Draw]) -> Made<()> {
        self.begin(pass);
        draws.iter().try_for_each(|draw| self.draw(pass, draw))?;
        self.end();
        Ok(())
    }

    /// Shows resources with a fragment shader over the whole picture. `v` goes from 0 to 1; `px` is the pixel.
    pub fn paint(&self, head: &str, body: &str, bind: &[Bind]) -> Made<()> {
        self.paint_in([0, 0, SIZE, SIZE], head, body, bind)
    }

    /// Shows resources in a rectangle. `v` goes from 0 to 1 within it; `px` is the pixel relative to its corner.
    pub fn paint_in(&self, at: [u32; 4], head: &str, body: &str, bind: &[Bind]) -> Made<()> {
        let mut pass = self.pass();
        pass.colors[0].clear = None;
        let [x, y, width, height] = at;
        let fragment = format!("ivec2 px = ivec2(gl_FragCoord.xy) - ivec2({x}, {y});\n{body}");
        let viewport = vk::Viewport {
            x: x as f32,
            y: y as f32,
            width: width as f32,
            height: height as f32,
            min_depth: 0.0,
            max_depth: 1.0,
        };
        let draw = Draw {
            fragment_head: head,
            fragment: &fragment,
            bind,
            viewports: vec![viewport],
            scissors: vec![at],
            ..Draw::quad()
        };
        self.render(&pass, &[draw])
    }

    /// Submits the recorded commands and waits for them.
    pub fn flush(&mut self) -> Made<()> {
        self.barrier();
        let d = &self.client.device;
        // SAFETY: `commands` is recording outside of a pass, and the wait for the queue ends its use.
        unsafe {
            d.end_command_buffer(self.commands)?;
            let list = [self.commands];
            let submit = vk::SubmitInfo::default().command_buffers(&list);
            d.queue_submit(self.client.queue, &[submit], vk::Fence::null())?;
            d.queue_wait_idle(self.client.queue)?;
        }
        self.commands = begin(self.client)?;
        Ok(())
    }

    /// Submits everything and returns the bytes R, G, B, A of the picture.
    pub fn finish(mut self) -> Made<Vec<u8>> {
        let bytes = (SIZE * SIZE * 4) as usize;
        let (buffer, at) = self.client.buffer(bytes)?;
        self.copy_out(&self.picture, vk::ImageAspectFlags::COLOR, 0, buffer);
        self.flush()?;
        // SAFETY: `flush` waited for the queue, and the mapping has `bytes` bytes.
        Ok(unsafe { std::slice::from_raw_parts(at, bytes) }.to_vec())
    }
}

fn begin(client: &Client) -> Result<vk::CommandBuffer, vk::Result> {
    let info = vk::CommandBufferAllocateInfo::default().command_pool(client.pool).command_buffer_count(1);
    // SAFETY: pool and device belong to the client, which keeps them alive; the structures outlive the calls.
    unsafe {
        let commands = client.device.allocate_command_buffers(&info)?[0];
        client.device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
        Ok(commands)
    }
}
