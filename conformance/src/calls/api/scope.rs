//! Rendering scopes: attachments, state, draws, clears, queries.

use quadrille::*;

use super::super::model::{Effect, Trust};
use super::super::shaders::Later;
use super::record::Recorder;
use super::{Buf, Pipeline, Seen, Target, TargetKey};

/// Kind of draw that a pipeline requires.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draws {
    Vertices,
    Meshes,
}

impl Target {
    /// Returns the properties that pipelines for the target must have.
    pub(super) fn key(&self) -> TargetKey {
        let colors = self.colors.iter().map(|c| c.image.format()).collect();
        (colors, self.depth.as_ref().map(|d| d.image.format()), self.samples)
    }

    fn images(&self) -> impl Iterator<Item = &Seen> {
        self.colors.iter().chain(&self.resolve).chain(&self.depth).chain(&self.density)
    }
}

impl Recorder<'_, '_> {
    fn load(&mut self, format: Format) -> LoadOp {
        match self.r.below(3) {
            0 => LoadOp::Load,
            1 => LoadOp::DontCare,
            _ if format.is_depth_stencil() => LoadOp::Clear([0.75f32.to_bits(), 0, 0, 0]),
            _ => LoadOp::Clear([(); 4].map(|()| (self.r.below(100) as f32 / 90.0).to_bits())),
        }
    }

    fn attachment(&mut self, seen: &Seen, resolve: Option<&Seen>) -> RenderingAttachment {
        let load = self.load(seen.image.format());
        let mode =
            if seen.image.format().is_integer() { ResolveMode::SampleZero } else { ResolveMode::Average };
        RenderingAttachment {
            load,
            store: if self.r.one_in(8) { StoreOp::DontCare } else { StoreOp::Store },
            resolve: resolve.map(|r| r.view.clone()),
            resolve_mode: mode,
            ..RenderingAttachment::load(&seen.view)
        }
    }

    fn rendering(&mut self, target: &Target) -> RenderingInfo {
        let mut info = RenderingInfo { area: self.area(target), layers: 1, ..RenderingInfo::default() };
        if let Some(map) = target.density.as_ref().filter(|_| self.r.one_in(2)) {
            let framebuffer = target.size.map(|v| self.num32(v));
            let view = map.view.clone();
            let by_layer = self.r.one_in(2);
            info.density_map =
                Some(DensityMapAttachment { view, framebuffer, by_layer, offsets: Vec::new() });
        }
        for (i, color) in target.colors.iter().enumerate() {
            let resolve = target.resolve.as_ref().filter(|_| i == 0);
            info.colors.push(Some(self.attachment(color, resolve)));
        }
        if let Some(depth) = &target.depth {
            let aspects = depth.image.format().aspects();
            if aspects.contains(Aspects::DEPTH) {
                info.depth = Some(self.attachment(depth, None));
            }
            if aspects.contains(Aspects::STENCIL) {
                let mut stencil = self.attachment(depth, None);
                if let LoadOp::Clear(_) = stencil.load {
                    stencil.load = LoadOp::Clear([7, 0, 0, 0]);
                }
                info.stencil = Some(stencil);
            }
        }
        info
    }

    /// Records a whole rendering scope.
    pub(super) fn scope(&mut self) {
        let targets = &self.w.targets;
        let Some(target) = targets.get(self.r.below(targets.len().max(1))).cloned() else { return };
        let info = self.rendering(&target);
        let indirect = if self.r.one_in(4) { self.words_in_buffer(&[7, 2, 1, 0]) } else { None };
        let known = self.effects.len();
        let query = self.query_pool(|k| k != QueryKind::Timestamp).filter(|_| self.r.one_in(3));
        let slot = query.as_ref().map_or(0, |q| self.r.below(q.len() as usize) as u32);
        if let Some(pool) = &query {
            self.c.reset_query_pool(pool, 0, pool.len());
            self.did("reset_query_pool");
        }
        let is_pass = info.density_map.is_none() && self.begin_pass(&target);
        if !is_pass {
            self.c.begin_rendering(&info);
            self.did("begin_rendering");
        }
        if let Some(pool) = &query {
            self.c.begin_query(pool, slot);
            self.did("begin_query");
        }
        for _ in 0..1 + self.r.below(4) {
            match self.r.below(8) {
                0 => self.clear(&target),
                1 => self.execute(Some(&target.key())),
                _ => self.draw(&target),
            }
        }
        if let Some((buf, at)) = indirect
            && !self.has_doubts(known, &buf, at, 16)
        {
            match self.prepare(&target) {
                Some(Draws::Vertices) => {
                    self.c.draw_indirect(false, &buf.buffer, at, None, 1, 16);
                    self.did("draw_indirect");
                }
                Some(Draws::Meshes) => {
                    self.c.draw_mesh_tasks_indirect(&buf.buffer, at, 1, 12);
                    self.did("draw_mesh_tasks_indirect");
                }
                None => {}
            }
        }
        if let Some(pool) = &query {
            self.c.end_query(pool, slot);
            self.did("end_query");
        }
        if is_pass {
            self.c.end_render_pass();
            self.did("end_render_pass");
            return;
        }
        self.end_with_offsets(info.density_map.is_some());
    }

    /// Returns `true` if effects from a number on may change a part of a buffer. Counts there could be any.
    fn has_doubts(&self, from: usize, buf: &Buf, at: u64, size: usize) -> bool {
        let part = super::Range { at: buf.range.at + at as usize, size, ..buf.range };
        self.effects[from..].iter().any(|effect| matches!(effect, Effect::Doubt(r, _) if r.overlaps(&part)))
    }

    /// Ends a scope, and moves its density map, if it has one.
    fn end_with_offsets(&mut self, has_map: bool) {
        let offset = [(); 2].map(|()| {
            let steps = self.r.below(9) as u32;
            self.num32(steps * LIMITS.density_offset_granularity) as i32
        });
        let offsets = [offset];
        self.c.end_rendering_with_offsets(&offsets[..usize::from(has_map)]);
        self.did("end_rendering_with_offsets");
    }

    /// Records scopes with transform feedback, each resuming where the one before stopped, then a draw whose vertex
    /// count is read from a counter buffer. No other command of a scope uses the captured ranges.
    pub(super) fn capture(&mut self) {
        let targets = &self.w.targets;
        let Some(target) = targets.get(self.r.below(targets.len().max(1))).cloned() else { return };
        let key = target.key();
        let fits = |p: &&Pipeline| p.formats == key && p.later.captures && !p.stores && !p.samples_image;
        let fits: Vec<&Pipeline> = self.w.pipelines.iter().filter(fits).collect();
        let Some(&pipeline) = fits.get(self.r.below(fits.len().max(1))) else { return };
        let Some(counters) = self.words_in_buffer(&[4 * self.r.clone().below(20) as u32, 0, 8]) else {
            return;
        };
        if !self.bind_rooms(&counters) {
            return;
        }
        let at = |k: u64| Some((&counters.0.buffer, counters.1 + 4 * k));
        let given = self.r.one_in(2);
        let streams =
            |k: QueryKind| matches!(k, QueryKind::TransformFeedbackStream | QueryKind::PrimitivesGenerated);
        for round in 0..1 + self.r.below(3) {
            let info = self.rendering(&target);
            let query = self.query_pool(streams).filter(|_| self.r.one_in(2));
            if let Some(pool) = &query {
                self.c.reset_query_pool(pool, 0, pool.len());
                self.did("reset_query_pool");
            }
            self.c.begin_rendering(&info);
            self.did("begin_rendering");
            if let Some(pool) = &query {
                let stream = self.r.below(4) as u32;
                let stream = self.num32(stream);
                self.c.begin_query_indexed(pool, 0, stream);
                self.did("begin_query_indexed");
            }
            if !self.prepare_with(&target, pipeline) {
                self.c.end_rendering();
                return;
            }
            let list = if given || round > 0 { vec![at(0), None, at(2)] } else { vec![] };
            self.c.begin_transform_feedback(0, &list);
            self.did("begin_transform_feedback");
            for _ in 0..1 + self.r.below(2) {
                let n = [3, 4, 12, 31][self.r.below(4)];
                let (n, first) = (self.small(n), self.r.below(5) as u32);
                self.c.draw(n, 1 + self.r.below(2) as u32, first, 0);
                self.did("draw");
            }
            let list = if self.r.one_in(4) { vec![at(0)] } else { vec![at(0), at(1), at(2)] };
            self.c.end_transform_feedback(0, &list);
            self.did("end_transform_feedback");
            if let Some(pool) = &query {
                self.c.end_query(pool, 0);
                self.did("end_query");
            }
            self.c.end_rendering();
            self.did("end_rendering");
            self.c.pipeline_barrier();
        }
        // Draw from the counter only if its value is known to be small.
        if !self.w.wild && !self.spoil && self.r.one_in(2) {
            self.draw_counted(&target, &counters);
        }
    }

    /// Binds buffers for transform feedback, which overlap neither each other nor the counters in valid programs.
    /// Returns `false` if there are none.
    fn bind_rooms(&mut self, counters: &(Buf, u64)) -> bool {
        let mut rooms = Vec::new();
        for _ in 0..1 + self.r.below(3) {
            let Some(buf) = self.buffer() else { return false };
            let at = 4 * self.r.below(buf.range.size / 4) as u64;
            let size = 4 * (1 + self.r.below((buf.range.size - at as usize) / 4)) as u64;
            rooms.push((buf, self.num(at), self.num(size)));
        }
        let counter_range =
            super::Range { at: counters.0.range.at + counters.1 as usize, size: 12, ..counters.0.range };
        let ranges: Vec<super::Range> = rooms
            .iter()
            .map(|(b, at, size)| {
                let at = b.range.at.saturating_add(*at as usize);
                super::Range { at, size: *size as usize, ..b.range }
            })
            .collect();
        let apart = |i: usize| {
            !ranges[i].overlaps(&counter_range) && ranges[..i].iter().all(|r| !r.overlaps(&ranges[i]))
        };
        if !self.w.wild && !self.spoil && !(0..rooms.len()).all(apart) {
            return false;
        }
        let first = if self.r.one_in(6) { self.num32(0) } else { 0 };
        let mut bound: Vec<_> = rooms.iter().map(|(b, at, size)| (&b.buffer, *at, Some(*size))).collect();
        // Buffers bound in an earlier scope stay bound and would capture: replace them with empty ranges.
        bound.resize(3, (&rooms[0].0.buffer, 0, Some(0)));
        self.c.bind_transform_feedback_buffers(first, &bound);
        self.did("bind_transform_feedback_buffers");
        for (buf, at, size) in &rooms {
            if let Some(range) = self.part(buf, *at, *size) {
                self.effect(Effect::Doubt(range, Trust::Same));
            }
        }
        if let Some(range) = self.part(&counters.0, counters.1, 12) {
            self.effect(Effect::Doubt(range, Trust::Same));
        }
        true
    }

    /// Draws as many vertices as a counter says.
    fn draw_counted(&mut self, target: &Target, counters: &(Buf, u64)) {
        let info = self.rendering(target);
        self.c.begin_rendering(&info);
        self.did("begin_rendering");
        if self.prepare(target) == Some(Draws::Vertices) {
            let stride = *self.r.pick(&Later::STRIDES);
            let left_out = 4 * self.r.below(9) as u32;
            // The draw uses the counter's value, even if fewer vertices were captured.
            self.c.draw_indirect_byte_count((1, 0), (&counters.0.buffer, counters.1), left_out, stride);
            self.did("draw_indirect_byte_count");
        }
        self.c.end_rendering();
        self.did("end_rendering");
    }

    pub(super) fn area(&mut self, target: &Target) -> Rect {
        let [width, height] = target.size;
        let whole = Rect::of_size(width, height);
        if self.r.one_in(3) {
            let (x, y) = (self.r.below(width as usize) as u32, self.r.below(height as usize) as u32);
            let rect = Rect { x: x as i32, y: y as i32, width: width - x, height: height - y };
            return Rect { width: self.num32(rect.width), ..rect };
        }
        whole
    }

    fn clear(&mut self, target: &Target) {
        let rect = self.area(target);
        let rects = [ClearRect { rect, base_layer: 0, layers: self.num32(1) }];
        let color = self.r.below(target.colors.len().max(1)) as u32;
        let list = match &target.depth {
            Some(d) if target.colors.is_empty() || self.r.one_in(2) => {
                if d.image.format() == Format::S8_UINT {
                    [ClearAttachment::Stencil(9)]
                } else {
                    [ClearAttachment::Depth(0.5)]
                }
            }
            _ => [ClearAttachment::Color(color, [0x3f00_0000, 1, 0x3e00_0000, 0x3f80_0000])],
        };
        self.c.clear_attachments(&list, &rects);
        self.did("clear_attachments");
    }

    /// Binds a pipeline and the state and resources that it needs; `None` if no suitable ones exist.
    fn prepare(&mut self, target: &Target) -> Option<Draws> {
        let key = target.key();
        let fits: Vec<&Pipeline> = self.w.pipelines.iter().filter(|p| p.formats == key).collect();
        let &pipeline = fits.get(self.r.below(fits.len().max(1)))?;
        let draws = if pipeline.later.mesh.is_some() { Draws::Meshes } else { Draws::Vertices };
        self.prepare_with(target, pipeline).then_some(draws)
    }

    fn prepare_with(&mut self, target: &Target, pipeline: &Pipeline) -> bool {
        let used = |image: &Option<Image>| {
            image.as_ref().is_some_and(|i| target.images().any(|t| std::ptr::eq(t.image.desc(), i.desc())))
        };
        let wild = self.w.wild;
        let sets: Vec<usize> = (0..self.w.sets.len())
            .filter(|&i| self.w.sets[i].layout == pipeline.layout && (wild || !used(&self.w.sets[i].sampled)))
            .collect();
        let set = sets.get(self.r.below(sets.len().max(1))).copied();
        if set.is_none() && (pipeline.samples_image || pipeline.stores) {
            return false;
        }
        self.c.bind_graphics_pipeline(&pipeline.pipeline);
        self.did("bind_graphics_pipeline");
        if let Some(i) = set {
            let offsets = self.bind_set(BindPoint::Graphics, i);
            if let Some(range) = self.w.sets[i].buffers[0].filter(|_| pipeline.stores) {
                // Dynamic offsets move the range within the buffer.
                let end = self.w.sets[i].ends[0].min(range.at + range.size + offsets[0] as usize);
                let size = end - range.at;
                self.effect(Effect::Doubt(super::Range { size, ..range }, Trust::Same));
            }
        }
        let push = [0, self.r.below(1000) as u32, self.r.below(9) as u32, 0];
        self.c.push_constants(0, &push);
        self.did("push_constants");
        self.c.set_size(target.size[0], target.size[1]);
        self.did("set_size");
        self.dynamic_state(pipeline.dynamic);
        if pipeline.attributes {
            let Some(buf) = self.buffer() else { return false };
            let at = self.r.below(buf.range.size) as u64;
            let at = self.num(at);
            self.c.bind_vertex_buffers(0, &[(&buf.buffer, at)]);
            self.did("bind_vertex_buffers");
        }
        true
    }

    fn dynamic_state(&mut self, dynamic: DynamicStates) {
        let c = &mut self.c;
        if dynamic.contains(DynamicStates::LINE_WIDTH) {
            c.set_line_width([1.0, 2.5, 7.0][self.r.below(3)]);
        }
        if dynamic.contains(DynamicStates::BLEND_CONSTANTS) {
            c.set_blend_constants([0.5, 0.25, 1.0, 0.75]);
        }
        if dynamic.contains(DynamicStates::STENCIL_REFERENCE) {
            c.set_stencil_reference(true, true, self.r.below(256) as u32);
        }
        if dynamic.contains(DynamicStates::CULL_MODE) {
            c.set_cull_mode(CullMode { front: self.r.one_in(3), back: self.r.one_in(3) });
        }
        if dynamic.contains(DynamicStates::DEPTH_TEST_ENABLE) {
            c.set_depth_test_enable(self.r.one_in(2));
        }
        if dynamic.contains(DynamicStates::DEPTH_BIAS) {
            c.set_depth_bias(DepthBias { constant: 2.0, slope: 1.0, ..DepthBias::default() });
        }
        if dynamic.contains(DynamicStates::PATCH_CONTROL_POINTS) {
            let points = 1 + self.r.below(6) as u32;
            let points = if self.spoil { super::spoiled(&mut self.r, points.into()) as u32 } else { points };
            c.set_patch_control_points(points);
        }
        if dynamic.contains(DynamicStates::PRIMITIVE_TOPOLOGY) {
            c.set_primitive_topology(Topology::TriangleStrip);
        }
        if dynamic.contains(DynamicStates::DISCARD_RECTANGLE) {
            let mut rect =
                || Rect { x: self.r.below(9) as i32, y: 1, width: self.r.below(30) as u32, height: 9 };
            c.set_discard_rectangles(0, &[rect(), rect()]).set_discard_rectangle_enable(self.r.one_in(2));
            c.set_discard_rectangle_exclusive(self.r.one_in(2));
        }
        if dynamic.contains(DynamicStates::CONSERVATIVE_RASTERIZATION_MODE) {
            c.set_conservative_rasterization_mode(ConservativeMode::Overestimate);
        }
        if dynamic.contains(DynamicStates::DEPTH_CLAMP_RANGE) {
            c.set_depth_clamp_range(self.r.one_in(2).then_some([0.25, 0.5]));
        }
    }

    /// Binds a pipeline and draws.
    pub(super) fn draw(&mut self, target: &Target) {
        match self.prepare(target) {
            Some(Draws::Vertices) => {}
            Some(Draws::Meshes) => {
                let n = [0, 1, 3, 7, 40][self.r.below(5)];
                let groups = [self.small(n), 1 + self.r.below(2) as u32, 1];
                self.c.draw_mesh_tasks(groups);
                self.did("draw_mesh_tasks");
                return;
            }
            None => return,
        }
        let n = [3, 6, 9, 30, 64][self.r.below(5)];
        let (n, instances) = (self.small(n), [1, 1, 2, 5][self.r.below(4)]);
        let first = self.r.below(10) as u32;
        let first = self.num32(first);
        if self.r.one_in(3)
            && let Some(buf) = self.buffer()
        {
            let ty = [IndexType::U16, IndexType::U32][self.r.below(2)];
            let at = 4 * self.r.below(buf.range.size / 4 + 1) as u64;
            let at = self.num(at);
            self.c.bind_index_buffer(&buf.buffer, at, ty);
            self.did("bind_index_buffer");
            self.c.draw_indexed(n, instances, first, self.r.below(20) as i32 - 4, 0);
            self.did("draw_indexed");
        } else {
            let instance = self.r.below(3) as u32;
            self.c.draw(n, instances, first, instance);
            self.did("draw");
        }
    }
}
