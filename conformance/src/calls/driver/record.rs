//! Recording of command buffers, with the effects on the model, on one thread or on several.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::super::kernels::{KERNELS, Kernel};
use super::super::model::{Dispatch, Effect, Range, Trust};
use super::sets;
use super::{Bound, Buf, Img, KINDS, Kind, Queries, Recorded, TargetKey, Uid, World};
use crate::random::Random;

/// A command buffer that is being recorded.
pub(super) struct Recorder<'w, 's> {
    pub w: &'w World<'s>,
    pub r: Random,
    pub c: vk::CommandBuffer,
    pub d: &'w ash::Device,
    effects: Vec<Effect>,
    kinds: Vec<&'static str>,
    uses: Vec<Uid>,
    statics: Vec<(Uid, [bool; 7])>,
    /// `true` for a secondary command buffer, which must not execute others.
    pub secondary: bool,
    result: Result<(), vk::Result>,
}

impl World<'_> {
    /// Records one command buffer, or several at once on threads that each use their own command pool.
    pub(super) fn record_some(&mut self) {
        if self.recorded.len() >= 12 {
            let uid = self.recorded[self.r.below(12)].uid;
            self.kill(vec![uid]);
        }
        let n = if self.r.one_in(6) { 2 } else { 1 };
        let seeds: Vec<Random> = (0..n as u64).map(|i| self.r.fork(i + 1)).collect();
        let shape = self.r.below(10);
        let mut buffers = Vec::new();
        let secondary = shape < 3;
        for pool in 0..n {
            let Some(c) = self.command_buffer(pool, secondary) else { return };
            buffers.push(c);
        }
        let world = &*self;
        let record =
            |(r, c): (Random, vk::CommandBuffer)| Recorder::new(world, r, c, secondary).record(shape == 0);
        let jobs = seeds.into_iter().zip(buffers);
        let done: Vec<_> = if n == 1 {
            jobs.map(record).collect()
        } else {
            std::thread::scope(|s| {
                let record = &record;
                let all: Vec<_> = jobs.map(|job| s.spawn(move || record(job))).collect();
                all.into_iter().filter_map(|t| t.join().ok()).collect()
            })
        };
        if done.len() != n {
            self.fail("a recording thread panicked".into());
        }
        for (pool, (mut recorded, kinds, result)) in done.into_iter().enumerate() {
            kinds.iter().for_each(|kind| self.tally.count(kind, true, 1));
            self.judge("vkEndCommandBuffer", result);
            (recorded.pool, recorded.uid) = (pool, self.uid());
            self.recorded.push(recorded);
        }
    }
}

impl<'w, 's> Recorder<'w, 's> {
    fn new(w: &'w World<'s>, r: Random, c: vk::CommandBuffer, secondary: bool) -> Self {
        let (effects, kinds, uses, statics) = Default::default();
        Recorder {
            w,
            r,
            c,
            d: &w.shared.client.device,
            effects,
            kinds,
            uses,
            statics,
            secondary,
            result: Ok(()),
        }
    }

    fn record(mut self, inside: bool) -> (Recorded, Vec<&'static str>, Result<(), vk::Result>) {
        let target =
            self.w.targets.get(self.r.below(self.w.targets.len().max(1))).cloned().filter(|_| inside);
        let mut of_scope = vk::CommandBufferInheritanceRenderingInfo::default();
        if let Some(target) = &target {
            let depth = target.formats.1.unwrap_or(vk::Format::UNDEFINED);
            let both = depth == vk::Format::D32_SFLOAT_S8_UINT;
            of_scope = of_scope
                .color_attachment_formats(&target.formats.0)
                .depth_attachment_format(depth)
                .stencil_attachment_format(if both { depth } else { vk::Format::UNDEFINED })
                .rasterization_samples(vk::SampleCountFlags::from_raw(target.formats.2));
        }
        let mut inheritance = vk::CommandBufferInheritanceInfo::default();
        let mut flags = vk::CommandBufferUsageFlags::SIMULTANEOUS_USE;
        if target.is_some() {
            inheritance = inheritance.push_next(&mut of_scope);
            flags |= vk::CommandBufferUsageFlags::RENDER_PASS_CONTINUE;
        }
        let mut info = vk::CommandBufferBeginInfo::default().flags(flags);
        if self.secondary {
            info = info.inheritance_info(&inheritance);
        }
        // SAFETY: the command buffer is new, this thread alone uses its pool, and `info` and its chain outlive the
        // call.
        self.result = unsafe { self.d.begin_command_buffer(self.c, &info) };
        if let Some(target) = &target {
            for _ in 0..1 + self.r.below(3) {
                self.draw(target);
            }
        } else {
            self.barrier();
            for _ in 0..1 + self.r.below(10) {
                self.command();
                self.barrier();
            }
        }
        // SAFETY: recording has begun, and every rendering scope and query was ended.
        let ended = unsafe { self.d.end_command_buffer(self.c) };
        let recorded = Recorded {
            uid: 0,
            commands: self.c,
            pool: 0,
            effects: self.effects,
            uses: self.uses,
            statics: self.statics,
            submitted: 0,
            inside: target.map(|t| t.formats),
            secondary: self.secondary,
        };
        (recorded, self.kinds, self.result.and(ended))
    }

    pub(super) fn did(&mut self, kind: &'static str) {
        self.kinds.push(kind);
    }

    pub(super) fn uses(&mut self, uids: &[Uid]) {
        self.uses.extend(uids);
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn buffer(&mut self) -> Option<Buf> {
        let list = &self.w.buffers;
        let of = *list.get(self.r.below(list.len().max(1)))?;
        Some(of)
    }

    pub(super) fn uses_buffer(&mut self, of: &Buf) {
        self.uses(&[of.uid, of.memory]);
    }

    pub(super) fn image(&mut self) -> Option<Img> {
        let list = &self.w.images;
        list.get(self.r.below(list.len().max(1))).copied()
    }

    /// Records a full memory barrier between earlier and later commands.
    pub(super) fn barrier(&mut self) {
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let access = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        let barrier = vk::MemoryBarrier::default().src_access_mask(access).dst_access_mask(access);
        let mut stages = all;
        let mut barrier = [barrier];
        if self.r.one_in(4) {
            // Also cover reads of conditional rendering, and host accesses.
            barrier[0] = barrier[0].dst_access_mask(access | vk::AccessFlags::CONDITIONAL_RENDERING_READ_EXT);
            stages |= vk::PipelineStageFlags::HOST;
        }
        // SAFETY: recording has begun, and the stages and accesses match; no rendering scope is open.
        unsafe {
            self.d.cmd_pipeline_barrier(self.c, all, stages, vk::DependencyFlags::empty(), &barrier, &[], &[])
        };
        self.did("vkCmdPipelineBarrier");
    }

    fn command(&mut self) {
        match self.r.below(40) {
            0..3 => self.copy_buffer(),
            3..5 => self.fill_buffer(),
            5..7 => self.update_buffer(),
            7..10 => self.copy_with_image(true),
            10..13 => self.copy_with_image(false),
            13..15 => self.copy_image(),
            15..17 => self.blit_image(),
            17 => self.resolve_image(),
            18..20 => self.clear_image(),
            20..27 => self.dispatch(),
            27 => self.conditional(),
            28..31 => self.scope(),
            31 | 32 => self.capture(),
            33 => self.queries(),
            36..39 => self.rays(),
            39 => self.decompress(),
            34 if !self.secondary => self.events(),
            _ if !self.secondary => self.execute(None),
            _ => {}
        }
    }

    /// Records a write of words at a random offset of a buffer, for commands that read parameters from memory.
    pub(super) fn words_in_buffer(&mut self, words: &[u32]) -> Option<(Buf, usize)> {
        let buf = self.buffer().filter(|b| b.range.size >= 4 * words.len())?;
        let at = 4 * self.r.below((buf.range.size - 4 * words.len()) / 4 + 1);
        self.update(&buf, at, words);
        self.barrier();
        Some((buf, at))
    }

    /// Binds a set, or pushes descriptors, such that the bindings in `used` are valid; `None` if no suitable ones
    /// exist.
    pub(super) fn descriptors(
        &mut self,
        point: vk::PipelineBindPoint,
        layout: usize,
        used: [bool; 7],
        clashes: &dyn Fn(&[Bound; 7], [usize; 3], &[u8]) -> bool,
    ) -> Option<([Bound; 7], [usize; 3], Vec<u8>)> {
        let of = &self.w.shared.layouts[layout];
        if of.kind == Kind::Push {
            let mut bindings: [Bound; 7] = Default::default();
            let mut writes = Vec::new();
            for binding in (0..7).filter(|b| used[*b]) {
                let (bound, write) = sets::choose(self.w, &mut self.r, of.kind, binding)?;
                bindings[binding] = bound;
                writes.push((binding, write));
            }
            if clashes(&bindings, [0; 3], &[]) {
                return None;
            }
            for (binding, write) in writes {
                write.with(|w| {
                    let w = w.dst_binding(binding as u32);
                    // SAFETY: recording has begun, and the writes name live resources of the layout's types.
                    unsafe {
                        self.w.shared.client.push.cmd_push_descriptor_set(self.c, point, of.layout, 0, &[w])
                    }
                });
                self.did("vkCmdPushDescriptorSetKHR");
            }
            bindings.iter().for_each(|b| self.uses.extend(&b.uids));
            return Some((bindings, [0; 3], Vec::new()));
        }
        let alive = |b: &Bound| b.written && b.uids.iter().all(|u| self.w.is_alive(*u));
        let fits: Vec<usize> = (0..self.w.sets.len())
            .filter(|&i| {
                let s = &self.w.sets[i];
                s.layout == layout && (0..7).all(|b| !used[b] || alive(&s.bindings[b]))
            })
            .collect();
        let i = *fits.get(self.r.below(fits.len().max(1)))?;
        let set = &self.w.sets[i];
        let mut offsets = [0usize; 3];
        if of.kind == Kind::Dynamic {
            for (b, offset) in offsets.iter_mut().enumerate() {
                // The range with its dynamic offset must stay within the buffer.
                let bound = &set.bindings[b];
                let room = bound.range.map_or(0, |r| bound.end - r.at - r.size);
                *offset = 16 * self.r.below(room / 16 + 1);
            }
        }
        if clashes(&set.bindings, offsets, &set.inline) {
            return None;
        }
        let list = offsets.map(|o| o as u32);
        let list = if of.kind == Kind::Dynamic { &list[..] } else { &[] };
        // SAFETY: the set and the layout are live and match, and every binding that the shader uses is valid.
        unsafe { self.d.cmd_bind_descriptor_sets(self.c, point, of.layout, 0, &[set.set], list) };
        self.did("vkCmdBindDescriptorSets");
        self.uses.push(set.uid);
        self.statics.push((set.uid, used));
        for b in (0..7).filter(|b| used[*b]) {
            self.uses.extend(&set.bindings[b].uids);
        }
        // The offsets of all dynamic buffers take effect, even if the shader does not use them.
        if of.kind == Kind::Dynamic {
            set.bindings[..3].iter().for_each(|b| self.uses.extend(&b.uids));
        }
        Some((set.bindings.clone(), offsets, set.inline.clone()))
    }

    fn dispatch(&mut self) {
        let layout = self.r.below(KINDS.len());
        let k = self.r.below(KERNELS.len());
        let kernel = KERNELS[k];
        let used = kernel.bindings();
        let mut push = [push_word(&mut self.r), self.r.below(100) as u32, 0, 0];
        let mut behind = None;
        if kernel == Kernel::Address {
            // Accesses through addresses must stay within the buffer.
            let Some(of) = self.buffer().filter(|b| b.range.size >= 4096) else { return };
            push[0] = self.r.below(200) as u32;
            (push[2], push[3]) = (of.address as u32, (of.address >> 32) as u32);
            behind = Some(of.range);
            self.uses_buffer(&of);
        }
        let kind = KINDS[layout];
        let dispatch = |bindings: &[Bound; 7], offsets: [usize; 3], inline: &[u8]| Dispatch {
            kernel,
            push,
            groups: Ok(0),
            buffers: std::array::from_fn(|b| {
                let of = bindings[b].range.filter(|_| used[b])?;
                Some(Range { at: of.at + offsets[b], ..of })
            }),
            uniform: if kind == Kind::Dynamic {
                Err(inline.to_vec())
            } else {
                Ok(bindings[3].range.filter(|_| used[3]))
            },
            texels: behind.or(bindings[4].range.filter(|_| used[4])),
        };
        let clashes = |bindings: &[Bound; 7], offsets: [usize; 3], inline: &[u8]| {
            let images = used[5] && bindings[5].image.is_some() && bindings[5].image == bindings[6].image;
            images || races(&dispatch(bindings, offsets, inline))
        };
        let point = vk::PipelineBindPoint::COMPUTE;
        let Some((bindings, offsets, inline)) = self.descriptors(point, layout, used, &clashes) else {
            return;
        };
        let dispatch = dispatch(&bindings, offsets, &inline);
        let of = &self.w.shared.layouts[layout];
        let bytes: Vec<u8> = push.iter().flat_map(|w| w.to_le_bytes()).collect();
        let n = [1, 2, 3, 8, 33][self.r.below(5)];
        let indirect = if self.r.one_in(5) { self.words_in_buffer(&[n, 1, 1]) } else { None };
        // SAFETY: the pipeline and its layout are live, and the constants fit the layout's range.
        unsafe {
            self.d.cmd_bind_pipeline(self.c, point, of.kernels[k]);
            self.d.cmd_push_constants(self.c, of.layout, vk::ShaderStageFlags::ALL, 0, &bytes);
        }
        self.did("vkCmdBindPipeline");
        self.did("vkCmdPushConstants");
        if let Some((buf, at)) = indirect {
            let range = Range { at: buf.range.at + at, size: 12, ..buf.range };
            // The shader must not write the words that the indirect dispatch reads.
            if dispatch.buffers[0].is_some_and(|o| o.overlaps(&range)) {
                return;
            }
            // SAFETY: the pipeline and its descriptors are bound, and the words lie within the buffer.
            unsafe { self.d.cmd_dispatch_indirect(self.c, buf.buffer, at as u64) };
            self.did("vkCmdDispatchIndirect");
            self.uses_buffer(&buf);
            self.effect(Effect::Dispatch(Box::new(Dispatch { groups: Err(range), ..dispatch })));
            return;
        }
        // SAFETY: the pipeline and its descriptors are bound, and the group count is below the limit.
        unsafe { self.d.cmd_dispatch(self.c, n, 1, 1) };
        self.did("vkCmdDispatch");
        self.effect(Effect::Dispatch(Box::new(Dispatch { groups: Ok(n), ..dispatch })));
    }

    fn conditional(&mut self) {
        let word = self.r.below(2) as u32;
        let Some((buf, at)) = self.words_in_buffer(&[word]) else { return };
        let inverted = self.r.one_in(2);
        let flags = if inverted {
            vk::ConditionalRenderingFlagsEXT::INVERTED
        } else {
            vk::ConditionalRenderingFlagsEXT::empty()
        };
        let info =
            vk::ConditionalRenderingBeginInfoEXT::default().buffer(buf.buffer).offset(at as u64).flags(flags);
        let conditional = &self.w.shared.client.conditional;
        // SAFETY: the word lies within the live buffer, and conditional rendering is not active yet.
        unsafe { (conditional.fp().cmd_begin_conditional_rendering_ext)(self.c, &info) };
        self.did("vkCmdBeginConditionalRenderingEXT");
        self.uses_buffer(&buf);
        self.effect(Effect::Condition(Range { at: buf.range.at + at, size: 4, ..buf.range }, inverted));
        self.dispatch();
        // SAFETY: conditional rendering was begun above, in the same command buffer.
        unsafe { (conditional.fp().cmd_end_conditional_rendering_ext)(self.c) };
        self.did("vkCmdEndConditionalRenderingEXT");
        self.effect(Effect::Always);
    }

    fn queries(&mut self) {
        let Some(q) = self.query_pool(|_| true) else { return };
        // SAFETY: the pool is live and has `count` queries, and no rendering scope is open.
        unsafe { self.d.cmd_reset_query_pool(self.c, q.pool, 0, q.count) };
        self.did("vkCmdResetQueryPool");
        self.uses(&[q.uid]);
        if q.kind == vk::QueryType::TIMESTAMP {
            for i in 0..q.count {
                // SAFETY: the queries were reset by the command before.
                unsafe {
                    self.d.cmd_write_timestamp(self.c, vk::PipelineStageFlags::ALL_COMMANDS, q.pool, i)
                };
                self.did("vkCmdWriteTimestamp");
            }
            return;
        }
        self.copy_results(&q);
    }

    /// Copies the results of all queries of a pool, with their availability, to a buffer.
    pub(super) fn copy_results(&mut self, q: &Queries) {
        let Some(buf) = self.buffer() else { return };
        let stride = 8 * (u64::from(q.values) + 1);
        let span = stride * u64::from(q.count);
        if span > buf.range.size as u64 {
            return;
        }
        let at = 8 * self.r.below((buf.range.size - span as usize) / 8 + 1);
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WITH_AVAILABILITY;
        // SAFETY: `span` bytes from `at` lie within the buffer, and offset and stride are multiples of 8.
        unsafe {
            self.d.cmd_copy_query_pool_results(
                self.c, q.pool, 0, q.count, buf.buffer, at as u64, stride, flags,
            );
        }
        self.did("vkCmdCopyQueryPoolResults");
        self.uses_buffer(&buf);
        let range = Range { at: buf.range.at + at, size: span as usize, ..buf.range };
        self.effect(Effect::Doubt(range, Trust::Same));
    }

    pub(super) fn query_pool(&mut self, fits: impl Fn(vk::QueryType) -> bool) -> Option<Queries> {
        let list: Vec<&Queries> = self.w.queries.iter().filter(|q| fits(q.kind)).collect();
        list.get(self.r.below(list.len().max(1))).map(|q| **q)
    }

    fn events(&mut self) {
        let Some(&(uid, event)) = self.w.events.get(self.r.below(self.w.events.len().max(1))) else { return };
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        // SAFETY: the event is live, and the command before the wait sets it.
        unsafe {
            self.d.cmd_set_event(self.c, event, all);
            self.d.cmd_wait_events(self.c, &[event], all, all, &[], &[], &[]);
        }
        self.barrier();
        // SAFETY: the barrier orders the reset after the wait.
        unsafe { self.d.cmd_reset_event(self.c, event, all) };
        self.did("vkCmdSetEvent");
        self.did("vkCmdWaitEvents");
        self.did("vkCmdResetEvent");
        self.uses(&[uid]);
    }

    /// Executes a secondary command buffer that was recorded for this scope.
    pub(super) fn execute(&mut self, inside: Option<&TargetKey>) {
        let fits = |c: &&Recorded| c.secondary && c.inside.as_ref() == inside && c.effects.len() < 200;
        let list: Vec<&Recorded> = self.w.recorded.iter().filter(fits).collect();
        let Some(second) = list.get(self.r.below(list.len().max(1))) else { return };
        // SAFETY: the secondary command buffer is executable, was recorded for this scope, and allows simultaneous use.
        unsafe { self.d.cmd_execute_commands(self.c, &[second.commands]) };
        self.did("vkCmdExecuteCommands");
        self.uses.push(second.uid);
        self.uses.extend(&second.uses);
        self.statics.extend(&second.statics);
        self.effects.extend(second.effects.iter().cloned());
    }
}

fn push_word(r: &mut Random) -> u32 {
    match r.below(8) {
        0 => u32::MAX,
        1 => 0x8000_0000 | r.below(64) as u32,
        2 => 0x4000_0000,
        3 => 0,
        _ => r.below(600) as u32,
    }
}

/// Returns `true` if invocations of a dispatch may read words that other invocations of it write.
fn races(d: &Dispatch) -> bool {
    let Some(out) = d.buffers[0] else { return false };
    let own_place = matches!(d.kernel, Kernel::Mix | Kernel::Reverse);
    let uniform = d.uniform.as_ref().ok().copied().flatten();
    let read = [d.buffers[1], d.buffers[2], uniform, d.texels].into_iter().flatten();
    let mut clashing = read.filter(|r| out.overlaps(r) && !(own_place && out == *r));
    clashing.next().is_some()
}
