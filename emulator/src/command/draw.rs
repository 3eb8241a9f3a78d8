//! Recording of draws, dispatches and clears of attachments.

use quadrille_raster::pass::Draw;

use super::blamed::of_pipeline;
use super::list::{Command, DispatchSnapshot, DrawKind, DrawSnapshot, Indirect, Ref, Regions};
use super::record::CommandBuffer;
use crate::error::{Result, ensure};
use crate::flags::BufferUsage;
use crate::limits::{LIMITS, at_most};
use crate::resource::buffer::Buffer;
use crate::resource::copies::{ClearAttachment, ClearRect};

impl CommandBuffer {
    /// Dispatches `x` × `y` × `z` workgroups of the compute pipeline.
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
            let snapshot = c.dispatch_snapshot()?;
            let shader = c.list.compute[c.list.dispatch_snapshots[snapshot].pipeline].shader();
            let cost =
                groups.iter().chain(&shader.local_size).fold(1u64, |n, g| n.saturating_mul((*g).into()));
            let push = c.state.pushed(&mut c.list);
            c.add(cost, Command::Dispatch { snapshot, push, groups, base })
        })
    }

    /// Dispatches workgroups; their number is read from three words of a buffer. Each word above
    /// `max_compute_work_group_count` counts as this limit, and the device's watcher hears of it.
    pub fn dispatch_indirect(&mut self, buffer: &Buffer, offset: u64) -> &mut Self {
        self.step(|c| {
            c.outside("dispatch")?;
            buffer.need(BufferUsage::INDIRECT, "indirect dispatch")?;
            buffer.check(offset, 12)?;
            let snapshot = c.dispatch_snapshot()?;
            let push = c.state.pushed(&mut c.list);
            let buffer = c.keep(buffer)?;
            c.add(u64::MAX, Command::DispatchIndirect { snapshot, push, buffer, offset })
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
        self.record_draw(Draw {
            first: first_vertex,
            count: vertices,
            first_instance,
            instances,
            ..Draw::default()
        })
    }

    /// Like [`CommandBuffer::draw`], as draw number `index` of several. Spec: Vulkan, vkCmdDrawMultiEXT.
    pub fn draw_number(
        &mut self,
        index: u32,
        vertices: u32,
        instances: u32,
        first_vertex: u32,
        first_instance: u32,
    ) -> &mut Self {
        self.record_draw(Draw {
            first: first_vertex,
            count: vertices,
            first_instance,
            instances,
            draw_index: index,
            ..Draw::default()
        })
    }

    /// Like [`CommandBuffer::draw_indexed`], as draw number `index` of several. Spec: Vulkan, vkCmdDrawMultiIndexedEXT.
    pub fn draw_indexed_number(
        &mut self,
        index: u32,
        indices: u32,
        instances: u32,
        first_index: u32,
        vertex_offset: i32,
        first_instance: u32,
    ) -> &mut Self {
        self.record_draw(Draw {
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
        self.record_draw(Draw {
            indexed: true,
            first: first_index,
            count: indices,
            first_instance,
            instances,
            vertex_offset,
            ..Draw::default()
        })
    }

    fn record_draw(&mut self, draw: Draw) -> &mut Self {
        self.step(|c| {
            let snapshot =
                c.draw_snapshot(if draw.indexed { DrawKind::Indexed } else { DrawKind::Vertices })?;
            let vertices = u64::from(draw.count) * u64::from(draw.instances);
            // Later stages may amplify each vertex to any number of vertices, so the cost is unknown.
            let amplified = c.list.state(snapshot).desc().stages.len() > 1;
            let cost = if amplified { u64::MAX } else { vertices.saturating_mul(4) };
            let push = c.state.pushed(&mut c.list);
            c.add(cost, Command::Draw { snapshot, push, draw })
        })
    }

    /// Snapshot of the state for a dispatch that is recorded now.
    fn dispatch_snapshot(&mut self) -> Result<Ref<DispatchSnapshot>> {
        let snapshot = self.state.dispatch_snapshot(&mut self.list);
        snapshot.map_err(|e| match self.state.compute {
            Some(at) => of_pipeline(e, &self.device, &self.list.compute[at]),
            None => e,
        })
    }

    /// Snapshot of the state for a draw that is recorded now.
    pub(super) fn draw_snapshot(&mut self, kind: DrawKind) -> Result<Ref<DrawSnapshot>> {
        self.inside("draw")?;
        self.bind_objects()?;
        let snapshot = self.state.draw_snapshot(&mut self.list);
        let suited = snapshot.and_then(|snapshot| self.suits(snapshot, kind).map(|()| snapshot));
        suited.map_err(|e| match self.state.graphics {
            Some(at) => of_pipeline(e, &self.device, &self.list.graphics[at]),
            None => e,
        })
    }

    /// Checks that the state suits the attachments and the kind of draw.
    fn suits(&self, snapshot: Ref<DrawSnapshot>, kind: DrawKind) -> Result<()> {
        let desc = self.list.state(snapshot).desc();
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
        ensure(!indexed || self.state.has_indices(), || "indexed draw without an index buffer".into())
    }

    /// Dispatches workgroups of the task stage, or of the mesh stage if there is no task stage.
    /// Spec: Vulkan, vkCmdDrawMeshTasksEXT.
    pub fn draw_mesh_tasks(&mut self, groups: [u32; 3]) -> &mut Self {
        self.step(|c| {
            let snapshot = c.draw_snapshot(DrawKind::Meshes)?;
            let l = &LIMITS;
            let has_task = c.list.state(snapshot).desc().stages.len() > 1;
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
            c.add(u64::MAX, Command::DrawMeshes { snapshot, push, groups })
        })
    }

    /// Like [`draw_mesh_tasks`](Self::draw_mesh_tasks), `draws` times. The workgroup counts of each draw are three
    /// words in a buffer, `stride` bytes apart. A draw with more workgroups than the limits allow draws nothing.
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

    /// Like [`draw_mesh_tasks_indirect`](Self::draw_mesh_tasks_indirect), with the number of draws in a buffer.
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

    /// Draws with parameters in a buffer: up to `max_draws` parameter sets, `stride` bytes apart. `count` is the
    /// location of the number of draws. Spec: Vulkan, vkCmdDrawIndirectCount and its variants.
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
                format!("indirect draws {stride} bytes apart; the stride must be a multiple of 4 and at least {least}")
            })?;
            if let Some((count, at)) = count {
                count.need(BufferUsage::INDIRECT, "indirect draw count")?;
                count.check(at, 4)?;
            }
            let snapshot = c.draw_snapshot(kind)?;
            let count = count.map(|(b, at)| c.keep(b).map(|b| (b, at))).transpose()?;
            let indirect = Indirect { buffer: c.keep(buffer)?, offset, stride, max_draws, kind, count };
            let push = c.state.pushed(&mut c.list);
            let indirect = c.list.parameters.put(indirect);
            c.add(u64::MAX, Command::DrawIndirect { snapshot, push, indirect })
        })
    }

    /// Clears parts of attachments.
    pub fn clear_attachments(&mut self, attachments: &[ClearAttachment], rects: &[ClearRect]) -> &mut Self {
        self.step(|c| {
            c.inside("clear of attachments")?;
            let cost = (rects.len() as u64).saturating_mul(1 << 12);
            let attachments = Regions::put(&mut c.list.parameters, attachments);
            let rects = Regions::put(&mut c.list.parameters, rects);
            c.add(cost, Command::ClearAttachments { attachments, rects })
        })
    }
}
