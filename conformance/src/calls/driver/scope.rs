//! Rendering scopes: attachments, state, draws, clears, queries.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::super::model::{Effect, Range, Trust};
use super::super::shaders::Later;
use super::formats::class;
use super::record::Recorder;
use super::{Bound, Buf, Pipeline, Target, View};

fn rect(x: u32, y: u32, width: u32, height: u32) -> vk::Rect2D {
    vk::Rect2D { offset: vk::Offset2D { x: x as i32, y: y as i32 }, extent: vk::Extent2D { width, height } }
}

impl Recorder<'_, '_> {
    fn attachment(&mut self, view: &View, clear: vk::ClearValue) -> vk::RenderingAttachmentInfo<'static> {
        let load = [vk::AttachmentLoadOp::LOAD, vk::AttachmentLoadOp::CLEAR][self.r.below(2)];
        self.uses(&[view.uid, view.image]);
        vk::RenderingAttachmentInfo::default()
            .image_view(view.view)
            .image_layout(vk::ImageLayout::GENERAL)
            .load_op(load)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear)
    }

    /// Begins a rendering scope with a target; returns `true` if it has a fragment density map.
    fn begin(&mut self, target: &Target, flags: vk::RenderingFlags) -> bool {
        let mut colors = Vec::new();
        for (i, view) in target.colors.iter().enumerate() {
            let integer = class(target.formats.0[i]) != 0;
            let color = if integer {
                vk::ClearColorValue { uint32: [(); 4].map(|()| self.r.below(100) as u32) }
            } else {
                vk::ClearColorValue { float32: [(); 4].map(|()| self.r.below(100) as f32 / 90.0) }
            };
            let mut info = self.attachment(view, vk::ClearValue { color });
            if let Some(resolve) = target.resolve.filter(|_| i == 0) {
                let mode =
                    if integer { vk::ResolveModeFlags::SAMPLE_ZERO } else { vk::ResolveModeFlags::AVERAGE };
                info = info
                    .resolve_mode(mode)
                    .resolve_image_view(resolve.view)
                    .resolve_image_layout(vk::ImageLayout::GENERAL);
                self.uses(&[resolve.uid, resolve.image]);
            }
            colors.push(info);
        }
        let clear = vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth: 0.75, stencil: 7 } };
        let depth = target.depth.map(|view| self.attachment(&view, clear));
        let [width, height] = target.size;
        let mut info = vk::RenderingInfo::default()
            .flags(flags)
            .render_area(rect(0, 0, width, height))
            .layer_count(1)
            .color_attachments(&colors);
        if let Some(depth) = &depth {
            info = info.depth_attachment(depth);
            if target.formats.1 == Some(vk::Format::D32_SFLOAT_S8_UINT) {
                info = info.stencil_attachment(depth);
            }
        }
        let density = target.density.filter(|_| self.r.one_in(2));
        let mut map = self.density_map(density);
        if density.is_some() {
            info = info.push_next(&mut map);
        }
        let rendering = &self.w.shared.client.rendering;
        // SAFETY: recording has begun, no scope is open, and the target's views are live and in the general layout.
        unsafe { rendering.cmd_begin_rendering(self.c, &info) };
        self.did("vkCmdBeginRenderingKHR");
        density.is_some()
    }

    /// Ends a rendering scope; with a fragment density map, it may set the offset of the map.
    fn end(&mut self, mapped: bool) {
        if mapped && self.r.one_in(2) {
            return self.end_with_offset();
        }
        // SAFETY: the caller has begun a rendering scope.
        unsafe { self.w.shared.client.rendering.cmd_end_rendering(self.c) };
        self.did("vkCmdEndRenderingKHR");
    }

    /// Records scopes with transform feedback, each resuming where the one before stopped, then a draw whose vertex
    /// count is read from a counter buffer. No other command of a scope uses the captured ranges.
    pub(super) fn capture(&mut self) {
        let targets = &self.w.targets;
        let Some(target) = targets.get(self.r.below(targets.len().max(1))).cloned() else { return };
        let fits =
            |p: &&Pipeline| p.formats == target.formats && p.later.captures && !p.stores && !p.samples_image;
        let fits: Vec<&Pipeline> = self.w.pipelines.iter().filter(fits).collect();
        let Some(&pipeline) = fits.get(self.r.below(fits.len().max(1))) else { return };
        let captured = 4 * self.r.below(20) as u32;
        let Some((counters, counter)) = self.words_in_buffer(&[captured, 0, 8]) else { return };
        let mut ranges = vec![Range { at: counters.range.at + counter, size: 12, ..counters.range }];
        let mut rooms = Vec::new();
        for _ in 0..3 {
            let Some(buf) = self.buffer() else { return };
            let at = 4 * self.r.below(buf.range.size / 4);
            let size = 4 * (1 + self.r.below((buf.range.size - at) / 4));
            let range = Range { at: buf.range.at + at, size, ..buf.range };
            if ranges.iter().any(|r| r.overlaps(&range)) {
                return;
            }
            ranges.push(range);
            rooms.push((buf, at as u64, size as u64));
        }
        self.bind_rooms(&rooms);
        let feedback = self.w.shared.client.feedback.fp();
        for range in ranges {
            self.effect(Effect::Doubt(range, Trust::Same));
        }
        for buf in rooms.iter().map(|r| r.0).chain([counters]) {
            self.uses_buffer(&buf);
        }
        let all = [counters.buffer; 3];
        let places = [0, 4, 8].map(|k| (counter + k) as u64);
        let given = self.r.one_in(2);
        for round in 0..1 + self.r.below(3) {
            let streams =
                [vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT, vk::QueryType::PRIMITIVES_GENERATED_EXT];
            let query = self.query_pool(|k| streams.contains(&k)).filter(|_| self.r.one_in(2));
            if let Some(q) = &query {
                // SAFETY: the pool is live and has `count` queries, and no rendering scope is open.
                unsafe { self.d.cmd_reset_query_pool(self.c, q.pool, 0, q.count) };
                self.did("vkCmdResetQueryPool");
                self.uses(&[q.uid]);
            }
            self.barrier();
            let mapped = self.begin(&target, vk::RenderingFlags::empty());
            if let Some(q) = &query {
                let stream = self.r.below(4) as u32;
                let none = vk::QueryControlFlags::empty();
                // SAFETY: the query was reset above, and the stream is one of the four that the device has.
                unsafe { (feedback.cmd_begin_query_indexed_ext)(self.c, q.pool, 0, none, stream) };
                self.did("vkCmdBeginQueryIndexedEXT");
                self.captured_draws(&target, pipeline, given || round > 0, (&all, &places));
                // SAFETY: the query was begun above with the same stream.
                unsafe { (feedback.cmd_end_query_indexed_ext)(self.c, q.pool, 0, stream) };
                self.did("vkCmdEndQueryIndexedEXT");
            } else {
                self.captured_draws(&target, pipeline, given || round > 0, (&all, &places));
            }
            self.end(mapped);
            if let Some(q) = query.filter(|_| self.r.one_in(2)) {
                self.barrier();
                self.copy_results(&q);
            }
        }
        self.barrier();
        if self.r.one_in(2) {
            self.draw_counted(&target, counters.buffer, places[0]);
        }
    }

    /// Binds three ranges for transform feedback.
    fn bind_rooms(&mut self, rooms: &[(Buf, u64, u64)]) {
        let feedback = self.w.shared.client.feedback.fp();
        let buffers: Vec<_> = rooms.iter().map(|r| r.0.buffer).collect();
        let (offsets, sizes): (Vec<u64>, Vec<u64>) = rooms.iter().map(|r| (r.1, r.2)).unzip();
        // SAFETY: the offsets are multiples of 4, and the ranges lie within live buffers.
        unsafe {
            (feedback.cmd_bind_transform_feedback_buffers_ext)(
                self.c,
                0,
                3,
                buffers.as_ptr(),
                offsets.as_ptr(),
                sizes.as_ptr(),
            );
        }
        self.did("vkCmdBindTransformFeedbackBuffersEXT");
    }

    /// Draws as many vertices as a counter says.
    fn draw_counted(&mut self, target: &Target, counter: vk::Buffer, at: u64) {
        let mapped = self.begin(target, vk::RenderingFlags::empty());
        if self.prepare(target) {
            let (stride, left_out) = (*self.r.pick(&Later::STRIDES), 4 * self.r.below(9) as u32);
            // SAFETY: the counter lies within a live buffer, and a barrier follows its last write.
            unsafe {
                let draw = self.w.shared.client.feedback.fp().cmd_draw_indirect_byte_count_ext;
                draw(self.c, 1, 0, counter, at, left_out, stride);
            }
            self.did("vkCmdDrawIndirectByteCountEXT");
        }
        self.end(mapped);
    }

    /// Draws between the beginning and the end of transform feedback.
    fn captured_draws(
        &mut self,
        target: &Target,
        pipeline: &Pipeline,
        given: bool,
        (counters, places): (&[vk::Buffer; 3], &[u64; 3]),
    ) {
        if !self.prepare_with(target, pipeline) {
            return;
        }
        let feedback = self.w.shared.client.feedback.fp();
        let n = if given { 3 } else { 0 };
        // SAFETY: the caller bound the transform feedback buffers, and each counter is a word within a live buffer.
        unsafe {
            (feedback.cmd_begin_transform_feedback_ext)(self.c, 0, n, counters.as_ptr(), places.as_ptr());
        }
        self.did("vkCmdBeginTransformFeedbackEXT");
        for _ in 0..1 + self.r.below(2) {
            let n = [3, 4, 12, 31][self.r.below(4)];
            let (instances, first) = (1 + self.r.below(2) as u32, self.r.below(5) as u32);
            // SAFETY: `prepare_with` bound the pipeline and everything that it uses.
            unsafe { self.d.cmd_draw(self.c, n, instances, first, 0) };
            self.did("vkCmdDraw");
        }
        // SAFETY: transform feedback was begun above in the same scope.
        unsafe {
            (feedback.cmd_end_transform_feedback_ext)(self.c, 0, 3, counters.as_ptr(), places.as_ptr());
        }
        self.did("vkCmdEndTransformFeedbackEXT");
    }

    /// Records a whole rendering scope.
    pub(super) fn scope(&mut self) {
        let targets = &self.w.targets;
        let Some(target) = targets.get(self.r.below(targets.len().max(1))).cloned() else { return };
        let secondary = !self.secondary && self.r.one_in(6);
        let flags = match secondary {
            true => vk::RenderingFlags::CONTENTS_SECONDARY_COMMAND_BUFFERS,
            false => vk::RenderingFlags::empty(),
        };
        let indirect = if self.r.one_in(4) { self.words_in_buffer(&[7, 2, 1, 0]) } else { None };
        let query =
            self.query_pool(|k| k != vk::QueryType::TIMESTAMP).filter(|_| !secondary && self.r.one_in(3));
        if let Some(q) = &query {
            // SAFETY: the pool is live, and no rendering scope is open.
            unsafe { self.d.cmd_reset_query_pool(self.c, q.pool, 0, q.count) };
            self.did("vkCmdResetQueryPool");
            self.uses(&[q.uid]);
        }
        self.barrier();
        let mapped = self.begin(&target, flags);
        if secondary {
            self.execute(Some(&target.formats));
        } else {
            if let Some(q) = &query {
                // SAFETY: the query was reset before the scope began.
                unsafe { self.d.cmd_begin_query(self.c, q.pool, 0, vk::QueryControlFlags::empty()) };
                self.did("vkCmdBeginQuery");
            }
            for _ in 0..1 + self.r.below(4) {
                if self.r.one_in(6) { self.clear(&target) } else { self.draw(&target) }
            }
            if let Some((buf, at)) = indirect
                && self.prepare(&target)
            {
                // SAFETY: `prepare` bound the pipeline and everything that it uses, and the words lie within the
                // buffer.
                unsafe { self.d.cmd_draw_indirect(self.c, buf.buffer, at as u64, 1, 16) };
                self.did("vkCmdDrawIndirect");
                self.uses_buffer(&buf);
            }
            if let Some(q) = &query {
                // SAFETY: the query was begun in this scope.
                unsafe { self.d.cmd_end_query(self.c, q.pool, 0) };
                self.did("vkCmdEndQuery");
            }
        }
        self.end(mapped);
        if let Some(q) = query.filter(|_| self.r.one_in(2)) {
            self.barrier();
            self.copy_results(&q);
        }
    }

    fn clear(&mut self, target: &Target) {
        let [width, height] = target.size;
        let (x, y) = (self.r.below(width as usize) as u32, self.r.below(height as usize) as u32);
        let area =
            vk::ClearRect { rect: rect(x, y, width - x, height - y), base_array_layer: 0, layer_count: 1 };
        let clear = if target.colors.is_empty() {
            vk::ClearAttachment {
                aspect_mask: vk::ImageAspectFlags::DEPTH,
                color_attachment: 0,
                clear_value: vk::ClearValue {
                    depth_stencil: vk::ClearDepthStencilValue { depth: 0.5, stencil: 0 },
                },
            }
        } else {
            let i = self.r.below(target.colors.len());
            let color = match class(target.formats.0[i]) {
                0 => vk::ClearColorValue { float32: [0.5, 0.25, 0.75, 1.0] },
                _ => vk::ClearColorValue { uint32: [5, 6, 7, 8] },
            };
            vk::ClearAttachment {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                color_attachment: i as u32,
                clear_value: vk::ClearValue { color },
            }
        };
        // SAFETY: the rectangle lies within the render area, and the attachments exist.
        unsafe { self.d.cmd_clear_attachments(self.c, &[clear], &[area]) };
        self.did("vkCmdClearAttachments");
    }

    /// Binds a pipeline and the state and resources that it needs; `false` if no suitable ones exist.
    fn prepare(&mut self, target: &Target) -> bool {
        let fits: Vec<&Pipeline> = self.w.pipelines.iter().filter(|p| p.formats == target.formats).collect();
        let Some(&pipeline) = fits.get(self.r.below(fits.len().max(1))) else { return false };
        self.prepare_with(target, pipeline)
    }

    fn prepare_with(&mut self, target: &Target, pipeline: &Pipeline) -> bool {
        let mut used = [false; 7];
        (used[0], used[6]) = (pipeline.stores, pipeline.samples_image);
        let attached = |image: super::Uid| target.views().any(|v| v.image == image);
        let clashes = |b: &[Bound; 7], _: [usize; 3], _: &[u8]| used[6] && b[6].image.is_some_and(attached);
        let point = vk::PipelineBindPoint::GRAPHICS;
        if used[0] || used[6] {
            let Some((bindings, offsets, _)) = self.descriptors(point, pipeline.layout, used, &clashes)
            else {
                return false;
            };
            if let Some(r) = bindings[0].range.filter(|_| used[0]) {
                let range = Range { at: r.at + offsets[0], ..r };
                self.effect(Effect::Doubt(range, Trust::Same));
            }
        }
        let layout = self.w.shared.layouts[pipeline.layout].layout;
        let push = [0, self.r.below(1000) as u32, self.r.below(9) as u32, 0];
        let bytes: Vec<u8> = push.iter().flat_map(|w: &u32| w.to_le_bytes()).collect();
        let [width, height] = target.size;
        let viewport = vk::Viewport {
            x: 0.0,
            y: 0.0,
            width: width as f32,
            height: height as f32,
            min_depth: 0.0,
            max_depth: 1.0,
        };
        // SAFETY: a rendering scope is open, and the pipeline and its layout are live.
        unsafe {
            self.d.cmd_bind_pipeline(self.c, point, pipeline.pipeline);
            self.d.cmd_push_constants(self.c, layout, vk::ShaderStageFlags::ALL, 0, &bytes);
            self.d.cmd_set_viewport(self.c, 0, &[viewport]);
            self.d.cmd_set_scissor(self.c, 0, &[rect(0, 0, width, height)]);
        }
        if pipeline.later.tessellation.is_some() {
            let points = 1 + self.r.below(6) as u32;
            // SAFETY: the number of control points is between 1 and 32.
            unsafe { self.w.shared.client.patches.cmd_set_patch_control_points(self.c, points) };
            self.did("vkCmdSetPatchControlPointsEXT");
        }
        self.uses(&[pipeline.uid]);
        for kind in ["vkCmdBindPipeline", "vkCmdPushConstants", "vkCmdSetViewport", "vkCmdSetScissor"] {
            self.did(kind);
        }
        if pipeline.attributes {
            let Some(buf) = self.buffer() else { return false };
            let at = 4 * self.r.below(buf.range.size / 4) as u64;
            // SAFETY: the buffer is live, and offset and stride keep the attributes aligned.
            unsafe { self.d.cmd_bind_vertex_buffers(self.c, 0, &[buf.buffer], &[at]) };
            self.did("vkCmdBindVertexBuffers");
            self.uses_buffer(&buf);
            debug_assert!(pipeline.stride.is_multiple_of(4));
        }
        true
    }

    /// Binds a pipeline and draws, with or without an index buffer.
    pub(super) fn draw(&mut self, target: &Target) {
        if !self.prepare(target) {
            return;
        }
        let n = [3, 6, 9, 30, 64][self.r.below(5)];
        let instances = [1, 1, 2, 5][self.r.below(4)];
        let first = self.r.below(10) as u32;
        let indices = if self.r.one_in(3) { self.buffer() } else { None };
        let Some(buf) = indices else {
            let instance = self.r.below(3) as u32;
            // SAFETY: `prepare` bound the pipeline and everything that it uses.
            unsafe { self.d.cmd_draw(self.c, n, instances, first, instance) };
            self.did("vkCmdDraw");
            return;
        };
        let (ty, bytes) = [(vk::IndexType::UINT16, 2), (vk::IndexType::UINT32, 4)][self.r.below(2)];
        let at = 4 * self.r.below(buf.range.size / 4);
        // Without robust access for index buffers, all indices must lie within the buffer.
        let room = ((buf.range.size - at) / bytes) as u32;
        let first = first.min(room);
        let n = n.min(room - first);
        let offset = self.r.below(20) as i32 - 4;
        // SAFETY: `prepare` bound the pipeline, and all indices lie within the buffer. Robust access makes out-of-range
        // vertices zero.
        unsafe {
            self.d.cmd_bind_index_buffer(self.c, buf.buffer, at as u64, ty);
            self.d.cmd_draw_indexed(self.c, n, instances, first, offset, 0);
        }
        self.did("vkCmdBindIndexBuffer");
        self.did("vkCmdDrawIndexed");
        self.uses_buffer(&buf);
    }
}
