//! Recording: calls to a list.
//!
//! A command that cannot work makes the recording invalid; the first error is what
//! [`CommandBuffer::end`] returns. Barriers are not commands: the queue keeps commands in order and
//! makes their writes visible. Dynamic state is recorded in `dynamic`, copies in `copy`.

use std::sync::Arc;

use bytemuck::Pod;
use quadrille_jit::reserve;
use quadrille_raster::buffer::IndexType;
use quadrille_raster::pass::{Draw, PassDesc};
use quadrille_raster::state::Rect;

use super::dynamic::put;
use super::list::{
    BoundSet, BufferSlice, Command, CopyQueryResults, DrawCall, DrawKind, Indirect, Listed, Recorded, Ref,
    Run,
};
use super::state::{BindPoint, State};
use super::{render, transfer};
use crate::buffer::Buffer;
use crate::copies::{ClearAttachment, ClearRect};
use crate::descriptor::DescriptorSet;
use crate::device::Device;
use crate::error::{Error, Result, ensure, guard};
use crate::flags::{BufferUsage, ImageUsage};
use crate::image::ImageView;
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device};
use crate::pipeline::{ComputePipeline, GraphicsPipeline};
use crate::pipeline_layout::PipelineLayout;
use crate::query::{QueryKind, QueryPool};
use crate::render_pass::{Framebuffer, RenderPass, RenderingInfo};
use crate::sync::Event;

/// How a render pass begins. Spec: Vulkan, VkRenderPassBeginInfo.
#[derive(Clone, Debug)]
pub struct BeginRenderPass {
    /// The render pass.
    pub render_pass: RenderPass,
    /// The framebuffer.
    pub framebuffer: Framebuffer,
    /// Views of an imageless framebuffer.
    pub views: Vec<ImageView>,
    /// Pixels that may be touched.
    pub area: Rect,
    /// Clear values by attachment: bits of R, G, B, A, or of depth and stencil.
    pub clears: Vec<[u32; 4]>,
}

enum Phase {
    Recording,
    Ended(Arc<Recorded>),
}

/// A list of commands, recorded once and submitted any number of times.
///
/// Made in the recording state; [`end`](Self::end) makes it ready for [`crate::Queue::submit`].
/// Spec: Vulkan, "Command Buffers".
pub struct CommandBuffer {
    pub(super) device: Device,
    phase: Phase,
    pub(super) list: Recorded,
    pub(super) state: State,
    error: Option<Error>,
    pass: Option<(BeginRenderPass, u32)>,
    rendering: bool,
    /// What the scope renders to, where it is known.
    targets: Option<Box<PassDesc>>,
}

objects! { CommandBuffer: "command buffer" = |c| Some(c.device.id()); }

impl std::fmt::Debug for CommandBuffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = match &self.phase {
            Phase::Recording => self.list.commands.len(),
            Phase::Ended(list) => list.commands.len(),
        };
        write!(f, "CommandBuffer({n} commands)")
    }
}

impl CommandBuffer {
    pub(crate) fn new(device: &Device) -> Self {
        CommandBuffer {
            device: device.clone(),
            phase: Phase::Recording,
            list: Recorded::default(),
            state: State::default(),
            error: None,
            pass: None,
            rendering: false,
            targets: None,
        }
    }

    /// Forgets everything and starts to record.
    pub fn begin(&mut self) -> &mut Self {
        *self = CommandBuffer::new(&self.device);
        self
    }

    /// Starts to record a secondary command buffer that is executed inside of a render pass.
    pub fn begin_inside(&mut self) -> &mut Self {
        self.begin();
        self.rendering = true;
        self
    }

    /// Ends recording. Returns the first error of any command.
    pub fn end(&mut self) -> Result<()> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if let Phase::Recording = self.phase {
            let mut list = std::mem::take(&mut self.list);
            list.close();
            self.phase = Phase::Ended(Arc::new(list));
            self.state = State::default();
        }
        Ok(())
    }

    /// The recorded list. `Invalid` unless recording has ended.
    pub(crate) fn recorded(&self) -> Result<&Arc<Recorded>> {
        match &self.phase {
            Phase::Ended(list) => Ok(list),
            Phase::Recording => Err(Error::invalid("the command buffer's recording has not ended")),
        }
    }

    /// Runs a step of recording unless an earlier one has failed.
    pub(super) fn step(&mut self, f: impl FnOnce(&mut Self) -> Result<()>) -> &mut Self {
        if self.error.is_none() {
            let recording = matches!(self.phase, Phase::Recording);
            let done = ensure(recording, || "command after the end of recording".into())
                .and_then(|()| guard("recording", || f(self)));
            self.error = done.err();
        }
        self
    }

    pub(super) fn add(&mut self, cost: u64, command: Command) -> Result<()> {
        transfer::check(&self.list, &command)?;
        self.list.n_commands = self.list.n_commands.saturating_add(1);
        self.list.cost = self.list.cost.saturating_add(cost);
        reserve::grow(&mut self.list.commands, 1)?;
        self.list.commands.push(command);
        Ok(())
    }

    /// Keeps an object alive as long as the list. `Invalid` if it belongs to another device.
    pub(super) fn keep<T: Listed>(&mut self, object: &T) -> Result<Ref<T>> {
        if let Some(at) = T::kept(&mut self.list).find(object) {
            return Ok(at);
        }
        same_device(object, self)?;
        Ok(T::kept(&mut self.list).keep(object))
    }

    pub(super) fn outside(&self, what: &str) -> Result<()> {
        ensure(!self.rendering, || format!("{what} inside of a render pass"))
    }

    pub(super) fn inside(&self, what: &str) -> Result<()> {
        ensure(self.rendering, || format!("{what} outside of a render pass"))
    }

    /// Binds a compute pipeline.
    pub fn bind_compute_pipeline(&mut self, pipeline: &ComputePipeline) -> &mut Self {
        self.step(|c| {
            let pipeline = c.keep(pipeline)?;
            c.state.set_compute(pipeline);
            Ok(())
        })
    }

    /// Binds a graphics pipeline.
    pub fn bind_graphics_pipeline(&mut self, pipeline: &GraphicsPipeline) -> &mut Self {
        self.step(|c| {
            let pipeline = c.keep(pipeline)?;
            c.state.set_graphics(&c.list, pipeline);
            Ok(())
        })
    }

    /// Binds descriptor sets from number `first` on; `offsets` are those of all dynamic buffers of the
    /// sets, in order.
    pub fn bind_descriptor_sets(
        &mut self,
        point: BindPoint,
        layout: &PipelineLayout,
        first: u32,
        sets: &[&DescriptorSet],
        offsets: &[u32],
    ) -> &mut Self {
        self.step(|c| {
            same_device(layout, c)?;
            let mut offsets = offsets;
            for (i, set) in sets.iter().enumerate() {
                let number = first as usize + i;
                let wanted = layout.sets().get(number);
                let wanted =
                    wanted.ok_or_else(|| Error::invalid(format!("the layout has no set {number}")))?;
                ensure(set.layout().compatible(wanted), || {
                    format!("the descriptor set for set {number} has another layout than the pipeline layout")
                })?;
                let n = wanted.n_dynamic() as usize;
                let mine = offsets.split_at_checked(n);
                let (mine, rest) = mine.ok_or_else(|| Error::invalid("too few dynamic offsets"))?;
                offsets = rest;
                let bound = BoundSet { set: c.keep(*set)?, offsets: Run::put(&mut c.list.offsets, mine) };
                c.state.sets(point).bind(number, bound);
            }
            ensure(offsets.is_empty(), || "too many dynamic offsets".into())?;
            c.state.changed(point);
            Ok(())
        })
    }

    /// Binds one set without dynamic offsets for dispatches.
    pub fn bind_compute_set(
        &mut self,
        layout: &PipelineLayout,
        number: u32,
        set: &DescriptorSet,
    ) -> &mut Self {
        self.bind_descriptor_sets(BindPoint::Compute, layout, number, &[set], &[])
    }

    /// Binds one set without dynamic offsets for draws.
    pub fn bind_graphics_set(
        &mut self,
        layout: &PipelineLayout,
        number: u32,
        set: &DescriptorSet,
    ) -> &mut Self {
        self.bind_descriptor_sets(BindPoint::Graphics, layout, number, &[set], &[])
    }

    /// Sets push constants from byte `offset` on, for draws and dispatches.
    pub fn push_constants<T: Pod>(&mut self, offset: u32, data: &[T]) -> &mut Self {
        self.step(|c| {
            let bytes: &[u8] = bytemuck::cast_slice(data);
            let end = u64::from(offset) + bytes.len() as u64;
            at_most("push constants", end, LIMITS.max_push_constants_size.into())?;
            c.state.push(offset as usize, bytes);
            Ok(())
        })
    }

    /// Runs `groups` workgroups of the compute pipeline.
    pub fn dispatch(&mut self, x: u32, y: u32, z: u32) -> &mut Self {
        self.dispatch_base([0; 3], [x, y, z])
    }

    /// Runs workgroups whose ids start at `base`.
    pub fn dispatch_base(&mut self, base: [u32; 3], groups: [u32; 3]) -> &mut Self {
        self.step(|c| {
            c.outside("dispatch")?;
            for ((base, n), max) in base.iter().zip(groups).zip(LIMITS.max_compute_work_group_count) {
                at_most("workgroups", u64::from(*base) + u64::from(n), max.into())?;
            }
            let total = groups.iter().try_fold(1u32, |n, g| n.checked_mul(*g));
            ensure(total.is_some(), || "2^32 or more workgroups in a dispatch".into())?;
            let call = c.state.compute_call(&mut c.list)?;
            let shader = c.list.compute[c.list.compute_calls[call].pipeline].shader();
            let size: u64 = shader.local_size.iter().map(|n| u64::from(*n)).product();
            let cost = size.saturating_mul(total.unwrap_or(0).into());
            let push = c.state.pushed(&mut c.list);
            c.add(cost, Command::Dispatch { call, push, groups, base })
        })
    }

    /// Runs as many workgroups as three words in a buffer say.
    pub fn dispatch_indirect(&mut self, buffer: &Buffer, offset: u64) -> &mut Self {
        self.step(|c| {
            c.outside("dispatch")?;
            buffer.need(BufferUsage::INDIRECT, "indirect dispatch")?;
            buffer.check(offset, 12)?;
            let call = c.state.compute_call(&mut c.list)?;
            let push = c.state.pushed(&mut c.list);
            let buffer = c.keep(buffer)?;
            c.add(u64::MAX, Command::DispatchIndirect { call, push, buffer, offset })
        })
    }

    /// Binds vertex buffers from binding `first` on: buffer and first byte.
    pub fn bind_vertex_buffers(&mut self, first: u32, buffers: &[(&Buffer, u64)]) -> &mut Self {
        self.step(|c| {
            for (i, (buffer, offset)) in buffers.iter().enumerate() {
                let size = buffer.size().saturating_sub(*offset);
                c.vertex_buffer(first as usize + i, Some((buffer, *offset, size)), None)?;
            }
            Ok(())
        })
    }

    /// Binds a vertex buffer with its size and, as dynamic state, its stride; `None` binds nothing, which
    /// reads as zero.
    pub fn bind_vertex_buffer2(
        &mut self,
        binding: u32,
        buffer: Option<(&Buffer, u64)>,
        size: Option<u64>,
        stride: Option<u32>,
    ) -> &mut Self {
        self.step(|c| {
            let slice = buffer.map(|(b, at)| (b, at, size.unwrap_or(b.size().saturating_sub(at))));
            c.vertex_buffer(binding as usize, slice, stride)
        })
    }

    fn vertex_buffer(
        &mut self,
        binding: usize,
        slice: Option<(&Buffer, u64, u64)>,
        stride: Option<u32>,
    ) -> Result<()> {
        at_most("vertex binding", binding as u64, u64::from(LIMITS.max_vertex_input_bindings) - 1)?;
        let slice = match slice {
            None => None,
            Some((buffer, offset, size)) => {
                buffer.need(BufferUsage::VERTEX, "vertex buffer")?;
                buffer.check(offset, size)?;
                Some(BufferSlice { buffer: self.keep(buffer)?, offset, size })
            }
        };
        self.state.set_vertex_buffer(binding, slice);
        if let Some(stride) = stride {
            at_most("vertex stride", stride.into(), LIMITS.max_vertex_input_binding_stride.into())?;
            put(&mut self.state.prepared_for().vertex_strides, binding, &[Some(stride)]);
        }
        Ok(())
    }

    /// Binds an index buffer.
    pub fn bind_index_buffer(&mut self, buffer: &Buffer, offset: u64, ty: IndexType) -> &mut Self {
        self.bind_index_buffer2(buffer, offset, None, ty)
    }

    /// Sets the index buffer of the next draws, `size` bytes of it; `None` up to its end.
    pub fn bind_index_buffer2(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        size: Option<u64>,
        ty: IndexType,
    ) -> &mut Self {
        self.step(|c| {
            buffer.need(BufferUsage::INDEX, "index buffer")?;
            buffer.check(offset, size.unwrap_or(0))?;
            let size = size.unwrap_or(buffer.size() - offset);
            let slice = BufferSlice { buffer: c.keep(buffer)?, offset, size };
            c.state.set_index_buffer(Some(slice), ty);
            Ok(())
        })
    }

    /// Binds an index buffer that reads as zero.
    pub fn bind_null_index_buffer(&mut self, ty: IndexType) -> &mut Self {
        self.step(|c| {
            c.state.set_index_buffer(None, ty);
            Ok(())
        })
    }

    /// Begins dynamic rendering.
    pub fn begin_rendering(&mut self, info: &RenderingInfo) -> &mut Self {
        self.step(|c| c.begin_scope(info.clone()))
    }

    fn begin_scope(&mut self, info: RenderingInfo) -> Result<()> {
        self.outside("render pass")?;
        at_most("colour attachments", info.colors.len() as u64, LIMITS.max_color_attachments.into())?;
        info.views().try_for_each(|view| same_device(view, self))?;
        for color in info.colors.iter().flatten() {
            color.view.image().need(ImageUsage::COLOR_ATTACHMENT, "colour attachment")?;
        }
        for attachment in [&info.depth, &info.stencil].into_iter().flatten() {
            let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT;
            attachment.view.image().need(usage, "depth and stencil attachment")?;
        }
        self.targets = Some(Box::new(render::check(&info)?));
        self.rendering = true;
        let pixels = u64::from(info.area.width) * u64::from(info.area.height);
        let cost = pixels.saturating_mul(info.colors.len() as u64 + 1) / 8;
        self.add(cost, Command::BeginRendering(Box::new(info)))
    }

    /// Ends dynamic rendering.
    pub fn end_rendering(&mut self) -> &mut Self {
        self.step(Self::end_scope)
    }

    fn end_scope(&mut self) -> Result<()> {
        self.inside("end of rendering")?;
        self.ends_feedback("end of rendering")?;
        self.rendering = false;
        self.targets = None;
        self.add(0, Command::EndRendering)
    }

    /// Begins the first subpass of a render pass.
    pub fn begin_render_pass(&mut self, begin: &BeginRenderPass) -> &mut Self {
        self.step(|c| {
            c.outside("render pass")?;
            same_device(&begin.render_pass, c)?;
            same_device(&begin.framebuffer, c)?;
            begin.views.iter().try_for_each(|view| same_device(view, c))?;
            c.pass = Some((begin.clone(), 0));
            c.begin_subpass()
        })
    }

    fn begin_subpass(&mut self) -> Result<()> {
        let Some((begin, index)) = &self.pass else {
            return Err(Error::invalid("no render pass has begun"));
        };
        let framebuffer = begin.framebuffer.desc();
        let views = if begin.views.is_empty() { &framebuffer.views } else { &begin.views };
        let (pass, index) = (&begin.render_pass, *index);
        let (layers, area, clears) = (framebuffer.layers, begin.area, &begin.clears);
        let loads = pass.loads(index, views, layers, area, clears)?;
        let scope = pass.scope(index, views, layers, area, clears)?;
        for load in loads {
            render::check(&load)?;
            self.add(0, Command::BeginRendering(Box::new(load)))?;
            self.add(0, Command::EndRendering)?;
        }
        self.begin_scope(scope)
    }

    /// Goes on to the next subpass.
    pub fn next_subpass(&mut self) -> &mut Self {
        self.step(|c| {
            c.end_scope()?;
            if let Some((_, index)) = &mut c.pass {
                *index += 1;
            }
            c.begin_subpass()
        })
    }

    /// Ends the render pass.
    pub fn end_render_pass(&mut self) -> &mut Self {
        self.step(|c| {
            ensure(c.pass.take().is_some(), || "no render pass has begun".into())?;
            c.end_scope()
        })
    }

    /// Draws `vertices` vertices of `instances` instances.
    pub fn draw(
        &mut self,
        vertices: u32,
        instances: u32,
        first_vertex: u32,
        first_instance: u32,
    ) -> &mut Self {
        self.draw_number(0, vertices, instances, first_vertex, first_instance)
    }

    /// As [`CommandBuffer::draw`], for draw number `index` of several. Spec: Vulkan, vkCmdDrawMultiEXT.
    pub fn draw_number(
        &mut self,
        index: u32,
        vertices: u32,
        instances: u32,
        first_vertex: u32,
        first_instance: u32,
    ) -> &mut Self {
        self.draw_with(Draw {
            first: first_vertex,
            count: vertices,
            first_instance,
            instances,
            draw_index: index,
            ..Draw::default()
        })
    }

    /// As [`CommandBuffer::draw_indexed`], for draw number `index` of several. Spec: Vulkan,
    /// vkCmdDrawMultiIndexedEXT.
    pub fn draw_indexed_number(
        &mut self,
        index: u32,
        indices: u32,
        instances: u32,
        first_index: u32,
        vertex_offset: i32,
        first_instance: u32,
    ) -> &mut Self {
        self.draw_with(Draw {
            indexed: true,
            first: first_index,
            count: indices,
            first_instance,
            instances,
            vertex_offset,
            draw_index: index,
            ..Draw::default()
        })
    }

    /// Draws `indices` indices of `instances` instances.
    pub fn draw_indexed(
        &mut self,
        indices: u32,
        instances: u32,
        first_index: u32,
        vertex_offset: i32,
        first_instance: u32,
    ) -> &mut Self {
        self.draw_indexed_number(0, indices, instances, first_index, vertex_offset, first_instance)
    }

    fn draw_with(&mut self, draw: Draw) -> &mut Self {
        self.step(|c| {
            let call = c.draw_call(if draw.indexed { DrawKind::Indexed } else { DrawKind::Vertices })?;
            let vertices = u64::from(draw.count) * u64::from(draw.instances);
            // Later stages may make any number of vertices of each.
            let amplified = c.list.state(call).desc().stages.len() > 1;
            let cost = if amplified { u64::MAX } else { vertices.saturating_mul(4) };
            let push = c.state.pushed(&mut c.list);
            c.add(cost, Command::Draw { call, push, draw })
        })
    }

    /// What a draw uses, now.
    pub(super) fn draw_call(&mut self, kind: DrawKind) -> Result<Ref<DrawCall>> {
        self.inside("draw")?;
        let call = self.state.draw_call(&mut self.list)?;
        let desc = self.list.state(call).desc();
        if let Some(targets) = &self.targets {
            targets.accepts(desc)?;
        }
        match kind {
            DrawKind::Meshes => {
                ensure(desc.has_mesh(), || "a draw of meshes by a pipeline without a mesh stage".into())?;
                self.ends_feedback("a draw of meshes")?;
            }
            DrawKind::Vertices | DrawKind::Indexed => {
                ensure(!desc.has_mesh(), || "a draw of vertices by a pipeline with a mesh stage".into())?;
            }
        }
        let indexed = kind == DrawKind::Indexed;
        ensure(!indexed || self.state.has_indices(), || "indexed draw without an index buffer".into())?;
        Ok(call)
    }

    /// Runs workgroups of the task stage, or of the mesh stage where there is no task stage.
    /// Spec: Vulkan, vkCmdDrawMeshTasksEXT.
    pub fn draw_mesh_tasks(&mut self, groups: [u32; 3]) -> &mut Self {
        self.step(|c| {
            let call = c.draw_call(DrawKind::Meshes)?;
            let l = &LIMITS;
            let has_task = c.list.state(call).desc().stages.len() > 1;
            let (each, all) = match has_task {
                true => (l.max_task_work_group_count, l.max_task_work_group_total_count),
                false => (l.max_mesh_work_group_count, l.max_mesh_work_group_total_count),
            };
            for (n, max) in groups.iter().zip(each) {
                at_most("workgroups of a draw of meshes in a direction", (*n).into(), max.into())?;
            }
            let total = groups.iter().map(|n| u64::from(*n)).product();
            at_most("workgroups of a draw of meshes", total, all.into())?;
            let push = c.state.pushed(&mut c.list);
            c.add(u64::MAX, Command::DrawMeshes { call, push, groups })
        })
    }

    /// As [`draw_mesh_tasks`](Self::draw_mesh_tasks), `draws` times, with the workgroups of each in a buffer, three
    /// words `stride` bytes apart. More workgroups than the limits allow draw nothing.
    /// Spec: Vulkan, vkCmdDrawMeshTasksIndirectEXT.
    pub fn draw_mesh_tasks_indirect(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        draws: u32,
        stride: u32,
    ) -> &mut Self {
        self.indirect(DrawKind::Meshes, (buffer, offset), None, draws, stride)
    }

    /// As [`draw_mesh_tasks_indirect`](Self::draw_mesh_tasks_indirect), with the number of draws in a buffer.
    /// Spec: Vulkan, vkCmdDrawMeshTasksIndirectCountEXT.
    pub fn draw_mesh_tasks_indirect_count(
        &mut self,
        buffer: &Buffer,
        offset: u64,
        count: (&Buffer, u64),
        max_draws: u32,
        stride: u32,
    ) -> &mut Self {
        self.indirect(DrawKind::Meshes, (buffer, offset), Some(count), max_draws, stride)
    }

    /// Draws with parameters in a buffer: `max_draws` of them, `stride` bytes apart; `count` says where
    /// the number of draws is. Spec: Vulkan, vkCmdDrawIndirectCount and its kin.
    pub fn draw_indirect(
        &mut self,
        indexed: bool,
        buffer: &Buffer,
        offset: u64,
        count: Option<(&Buffer, u64)>,
        max_draws: u32,
        stride: u32,
    ) -> &mut Self {
        let kind = if indexed { DrawKind::Indexed } else { DrawKind::Vertices };
        self.indirect(kind, (buffer, offset), count, max_draws, stride)
    }

    fn indirect(
        &mut self,
        kind: DrawKind,
        (buffer, offset): (&Buffer, u64),
        count: Option<(&Buffer, u64)>,
        max_draws: u32,
        stride: u32,
    ) -> &mut Self {
        self.step(|c| {
            c.inside("draw")?;
            buffer.need(BufferUsage::INDIRECT, "indirect draw")?;
            buffer.check(offset, 0)?;
            let least = 4 * kind.words() as u32;
            ensure(max_draws <= 1 || (stride >= least && stride.is_multiple_of(4)), || {
                format!("indirect draws {stride} bytes apart, at least {least}, in words")
            })?;
            if let Some((count, at)) = count {
                count.need(BufferUsage::INDIRECT, "indirect draw count")?;
                count.check(at, 4)?;
            }
            let call = c.draw_call(kind)?;
            let count = count.map(|(b, at)| c.keep(b).map(|b| (b, at))).transpose()?;
            let indirect = Indirect { buffer: c.keep(buffer)?, offset, stride, max_draws, kind, count };
            let push = c.state.pushed(&mut c.list);
            c.add(u64::MAX, Command::DrawIndirect { call, push, indirect: Box::new(indirect) })
        })
    }

    /// Clears parts of attachments.
    pub fn clear_attachments(&mut self, attachments: &[ClearAttachment], rects: &[ClearRect]) -> &mut Self {
        self.step(|c| {
            c.inside("clear of attachments")?;
            let (attachments, rects) = (attachments.to_vec(), rects.to_vec());
            let cost = (rects.len() as u64).saturating_mul(1 << 12);
            c.add(cost, Command::ClearAttachments { attachments, rects })
        })
    }

    /// Makes queries unavailable.
    pub fn reset_query_pool(&mut self, pool: &QueryPool, first: u32, count: u32) -> &mut Self {
        self.step(|c| {
            c.outside("reset of queries")?;
            pool.check(first, count)?;
            let pool = c.keep(pool)?;
            c.add(0, Command::ResetQueries { pool, first, count })
        })
    }

    /// Starts to count.
    pub fn begin_query(&mut self, pool: &QueryPool, query: u32) -> &mut Self {
        self.begin_query_indexed(pool, query, 0)
    }

    /// Stops to count.
    pub fn end_query(&mut self, pool: &QueryPool, query: u32) -> &mut Self {
        self.step(|c| {
            pool.check(query, 1)?;
            let pool = c.keep(pool)?;
            c.add(0, Command::EndQuery { pool, query })
        })
    }

    /// Writes the time.
    pub fn write_timestamp(&mut self, pool: &QueryPool, query: u32) -> &mut Self {
        self.step(|c| {
            pool.check(query, 1)?;
            ensure(pool.kind() == QueryKind::Timestamp, || "the pool is not for timestamps".into())?;
            let pool = c.keep(pool)?;
            c.add(0, Command::WriteTimestamp { pool, query })
        })
    }

    /// Copies results to a buffer, as 64-bit words if `wide`, each followed by its availability if
    /// `availability`; `partial` copies values that are not available. Waiting is not needed: the queue
    /// keeps order. Spec: Vulkan, vkCmdCopyQueryPoolResults.
    pub fn copy_query_pool_results(
        &mut self,
        (pool, first, count): (&QueryPool, u32, u32),
        (dst, offset, stride): (&Buffer, u64, u64),
        [wide, availability, partial]: [bool; 3],
    ) -> &mut Self {
        self.step(|c| {
            c.outside("copy")?;
            pool.check(first, count)?;
            dst.need(BufferUsage::TRANSFER_DST, "copy of queries")?;
            let words = pool.kind().values() as u64 + u64::from(availability);
            let results = words * if wide { 8 } else { 4 };
            let span = stride.saturating_mul(u64::from(count).saturating_sub(1)).saturating_add(results);
            dst.check(offset, if count == 0 { 0 } else { span })?;
            let (pool, dst) = (c.keep(pool)?, c.keep(dst)?);
            let copy =
                CopyQueryResults { pool, first, count, dst, offset, stride, wide, availability, partial };
            c.add(words.saturating_mul(count.into()), Command::CopyQueryResults(Box::new(copy)))
        })
    }

    /// Makes what was rendered before visible to what follows in the same render pass. Outside of render
    /// passes there is nothing to do: the queue keeps order.
    pub fn pipeline_barrier(&mut self) -> &mut Self {
        self.step(|c| if c.rendering { c.add(0, Command::Barrier) } else { Ok(()) })
    }

    /// From now on draws, dispatches and clears of attachments are done only if the word at `offset` is
    /// not zero, or, if `inverted`, only if it is. Spec: Vulkan, "Conditional Rendering".
    pub fn begin_conditional_rendering(&mut self, buffer: &Buffer, offset: u64, inverted: bool) -> &mut Self {
        self.step(|c| {
            buffer.check(offset, 4)?;
            let buffer = c.keep(buffer)?;
            c.add(0, Command::BeginConditional { buffer, offset, inverted })
        })
    }

    /// Everything is done again.
    pub fn end_conditional_rendering(&mut self) -> &mut Self {
        self.step(|c| c.add(0, Command::EndConditional))
    }

    /// Sets an event.
    pub fn set_event(&mut self, event: &Event) -> &mut Self {
        self.step(|c| {
            let event = c.keep(event)?;
            c.add(0, Command::SetEvent(event))
        })
    }

    /// Resets an event.
    pub fn reset_event(&mut self, event: &Event) -> &mut Self {
        self.step(|c| {
            let event = c.keep(event)?;
            c.add(0, Command::ResetEvent(event))
        })
    }

    /// Waits until all events are set.
    pub fn wait_events(&mut self, events: &[&Event]) -> &mut Self {
        self.step(|c| {
            c.list.waits = true;
            let events = events.iter().map(|e| c.keep(*e)).collect::<Result<_>>()?;
            c.add(0, Command::WaitEvents(events))
        })
    }

    /// Runs secondary command buffers. `Limit` when they are nested too deep, or when they take too many
    /// commands, those of nested ones counted each time that they run.
    pub fn execute_commands(&mut self, buffers: &[&CommandBuffer]) -> &mut Self {
        self.step(|c| {
            for buffer in buffers {
                same_device(*buffer, c)?;
                let list = buffer.recorded()?;
                let depth = list.depth + 1;
                let deepest = LIMITS.max_command_buffer_nesting_level;
                at_most("command buffer nesting level", depth.into(), deepest.into())?;
                let n = c.list.n_commands.saturating_add(list.n_commands);
                at_most("commands with those of secondary command buffers", n, LIMITS.max_executed_commands)?;
                c.list.n_commands = n;
                c.list.depth = c.list.depth.max(depth);
                c.list.waits |= list.waits;
                let nested = c.list.nested.push(list.clone());
                c.add(list.cost, Command::Execute(nested))?;
            }
            Ok(())
        })
    }
}
