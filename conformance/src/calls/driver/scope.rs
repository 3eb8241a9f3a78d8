//! Rendering scopes: attachments, state, draws, clears, queries.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::super::model::{Effect, Range, Trust};
use super::formats::class;
use super::record::Recorder;
use super::{Bound, Pipeline, Target, View};

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

    /// A whole scope.
    pub(super) fn scope(&mut self) {
        let targets = &self.w.targets;
        let Some(target) = targets.get(self.r.below(targets.len().max(1))).cloned() else { return };
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
            .render_area(rect(0, 0, width, height))
            .layer_count(1)
            .color_attachments(&colors);
        if let Some(depth) = &depth {
            info = info.depth_attachment(depth);
            if target.formats.1 == Some(vk::Format::D32_SFLOAT_S8_UINT) {
                info = info.stencil_attachment(depth);
            }
        }
        let secondary = !self.secondary && self.r.one_in(6);
        if secondary {
            info = info.flags(vk::RenderingFlags::CONTENTS_SECONDARY_COMMAND_BUFFERS);
        }
        let indirect = if self.r.one_in(4) { self.words_in_buffer(&[7, 2, 1, 0]) } else { None };
        let query =
            self.query_pool(|k| k != vk::QueryType::TIMESTAMP).filter(|_| !secondary && self.r.one_in(3));
        if let Some(q) = &query {
            // SAFETY: valid usage.
            unsafe { self.d.cmd_reset_query_pool(self.c, q.pool, 0, q.count) };
            self.did("vkCmdResetQueryPool");
            self.uses(&[q.uid]);
        }
        self.barrier();
        let rendering = &self.w.shared.client.rendering;
        // SAFETY: valid usage.
        unsafe { rendering.cmd_begin_rendering(self.c, &info) };
        self.did("vkCmdBeginRenderingKHR");
        if secondary {
            self.execute(Some(&target.formats));
        } else {
            if let Some(q) = &query {
                // SAFETY: valid usage: the query was reset.
                unsafe { self.d.cmd_begin_query(self.c, q.pool, 0, vk::QueryControlFlags::empty()) };
                self.did("vkCmdBeginQuery");
            }
            for _ in 0..1 + self.r.below(4) {
                if self.r.one_in(6) { self.clear(&target) } else { self.draw(&target) }
            }
            if let Some((buf, at)) = indirect
                && self.prepare(&target)
            {
                // SAFETY: valid usage.
                unsafe { self.d.cmd_draw_indirect(self.c, buf.buffer, at as u64, 1, 16) };
                self.did("vkCmdDrawIndirect");
                self.uses_buffer(&buf);
            }
            if let Some(q) = &query {
                // SAFETY: valid usage.
                unsafe { self.d.cmd_end_query(self.c, q.pool, 0) };
                self.did("vkCmdEndQuery");
            }
        }
        // SAFETY: valid usage.
        unsafe { rendering.cmd_end_rendering(self.c) };
        self.did("vkCmdEndRenderingKHR");
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
        // SAFETY: valid usage: the area is inside of the render area.
        unsafe { self.d.cmd_clear_attachments(self.c, &[clear], &[area]) };
        self.did("vkCmdClearAttachments");
    }

    /// Binds what a draw to the target needs; false if there is nothing for it.
    fn prepare(&mut self, target: &Target) -> bool {
        let fits: Vec<&Pipeline> = self.w.pipelines.iter().filter(|p| p.formats == target.formats).collect();
        let Some(&pipeline) = fits.get(self.r.below(fits.len().max(1))) else { return false };
        let mut used = [false; 7];
        (used[0], used[6]) = (pipeline.stores, pipeline.samples_image);
        let attached = |image: super::Uid| {
            let views = target.colors.iter().chain(&target.resolve).chain(&target.depth);
            views.into_iter().any(|v| v.image == image)
        };
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
        // SAFETY: valid usage.
        unsafe {
            self.d.cmd_bind_pipeline(self.c, point, pipeline.pipeline);
            self.d.cmd_push_constants(self.c, layout, vk::ShaderStageFlags::ALL, 0, &bytes);
            self.d.cmd_set_viewport(self.c, 0, &[viewport]);
            self.d.cmd_set_scissor(self.c, 0, &[rect(0, 0, width, height)]);
        }
        self.uses(&[pipeline.uid]);
        for kind in ["vkCmdBindPipeline", "vkCmdPushConstants", "vkCmdSetViewport", "vkCmdSetScissor"] {
            self.did(kind);
        }
        if pipeline.attributes {
            let Some(buf) = self.buffer() else { return false };
            let at = 4 * self.r.below(buf.range.size / 4) as u64;
            // SAFETY: valid usage: offset and stride keep the attributes aligned.
            unsafe { self.d.cmd_bind_vertex_buffers(self.c, 0, &[buf.buffer], &[at]) };
            self.did("vkCmdBindVertexBuffers");
            self.uses_buffer(&buf);
            debug_assert!(pipeline.stride % 4 == 0);
        }
        true
    }

    /// Binds and draws.
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
            // SAFETY: valid usage.
            unsafe { self.d.cmd_draw(self.c, n, instances, first, instance) };
            self.did("vkCmdDraw");
            return;
        };
        let (ty, bytes) = [(vk::IndexType::UINT16, 2), (vk::IndexType::UINT32, 4)][self.r.below(2)];
        let at = 4 * self.r.below(buf.range.size / 4);
        // Without the feature that allows more, all indices are inside of the buffer.
        let room = ((buf.range.size - at) / bytes) as u32;
        let first = first.min(room);
        let n = n.min(room - first);
        let offset = self.r.below(20) as i32 - 4;
        // SAFETY: valid usage; what vertex buffers lack reads as zero.
        unsafe {
            self.d.cmd_bind_index_buffer(self.c, buf.buffer, at as u64, ty);
            self.d.cmd_draw_indexed(self.c, n, instances, first, offset, 0);
        }
        self.did("vkCmdBindIndexBuffer");
        self.did("vkCmdDrawIndexed");
        self.uses_buffer(&buf);
    }
}
