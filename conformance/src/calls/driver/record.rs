//! Command buffers: recorded with their effects on the model, on one thread or on several.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::super::kernels::{KERNELS, Kernel};
use super::super::model::{Dispatch, Effect, Range, Trust};
use super::objects::{self, class, is_compressed, is_depth, texel_bytes};
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
    /// A secondary one, which must not execute others.
    pub secondary: bool,
    result: Result<(), vk::Result>,
}

impl World<'_> {
    /// Records one command buffer, or several at once, each thread with a pool of its own.
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
        // SAFETY: valid usage.
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
        // SAFETY: valid usage.
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

    fn image(&mut self) -> Option<Img> {
        let list = &self.w.images;
        list.get(self.r.below(list.len().max(1))).copied()
    }

    /// Everything before happens before everything behind.
    pub(super) fn barrier(&mut self) {
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let access = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        let barrier = vk::MemoryBarrier::default().src_access_mask(access).dst_access_mask(access);
        let mut stages = all;
        let mut barrier = [barrier];
        if self.r.one_in(4) {
            // Conditions and host accesses too.
            barrier[0] = barrier[0].dst_access_mask(access | vk::AccessFlags::CONDITIONAL_RENDERING_READ_EXT);
            stages |= vk::PipelineStageFlags::HOST;
        }
        // SAFETY: valid usage.
        unsafe {
            self.d.cmd_pipeline_barrier(self.c, all, stages, vk::DependencyFlags::empty(), &barrier, &[], &[])
        };
        self.did("vkCmdPipelineBarrier");
    }

    fn command(&mut self) {
        match self.r.below(36) {
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
            28..33 => self.scope(),
            33 => self.queries(),
            34 if !self.secondary => self.events(),
            _ if !self.secondary => self.execute(None),
            _ => {}
        }
    }

    fn copy_buffer(&mut self) {
        let (Some(src), Some(dst)) = (self.buffer(), self.buffer()) else { return };
        let mut regions: Vec<vk::BufferCopy> = Vec::new();
        let (mut effects, mut taken) = (Vec::new(), Vec::<Range>::new());
        for _ in 0..1 + self.r.below(3) {
            let size = 1 + self.r.below(src.range.size.min(dst.range.size));
            let from = self.r.below(src.range.size - size + 1);
            let to = self.r.below(dst.range.size - size + 1);
            let (a, b) = (
                Range { at: src.range.at + from, size, ..src.range },
                Range { at: dst.range.at + to, size, ..dst.range },
            );
            // No region may write what any of them reads or writes.
            if a.overlaps(&b) || taken.iter().any(|t| t.overlaps(&a) || t.overlaps(&b)) {
                continue;
            }
            taken.extend([a, b]);
            effects.push(Effect::Copy(b, a));
            regions.push(vk::BufferCopy {
                src_offset: from as u64,
                dst_offset: to as u64,
                size: size as u64,
            });
        }
        if regions.is_empty() {
            return;
        }
        // SAFETY: valid usage: the regions are inside and do not overlap.
        unsafe { self.d.cmd_copy_buffer(self.c, src.buffer, dst.buffer, &regions) };
        self.did("vkCmdCopyBuffer");
        self.uses_buffer(&src);
        self.uses_buffer(&dst);
        self.effects.extend(effects);
    }

    fn fill_buffer(&mut self) {
        let Some(dst) = self.buffer() else { return };
        let words = dst.range.size / 4;
        let at = self.r.below(words);
        let n = 1 + self.r.below(words - at);
        let (size, word) = (4 * n as u64, self.r.bits() as u32);
        let size = if at + n == words && self.r.one_in(2) { vk::WHOLE_SIZE } else { size };
        // SAFETY: valid usage.
        unsafe { self.d.cmd_fill_buffer(self.c, dst.buffer, 4 * at as u64, size, word) };
        self.did("vkCmdFillBuffer");
        self.uses_buffer(&dst);
        self.effect(Effect::Fill(Range { at: dst.range.at + 4 * at, size: 4 * n, ..dst.range }, word));
    }

    fn update_buffer(&mut self) {
        let Some(dst) = self.buffer() else { return };
        let words = dst.range.size / 4;
        let at = self.r.below(words);
        let n = 1 + self.r.below((words - at).min(40));
        let words: Vec<u32> = (0..n).map(|_| self.r.bits() as u32).collect();
        self.update(&dst, 4 * at, &words);
    }

    pub(super) fn update(&mut self, dst: &Buf, at: usize, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        // SAFETY: valid usage.
        unsafe { self.d.cmd_update_buffer(self.c, dst.buffer, at as u64, &bytes) };
        self.did("vkCmdUpdateBuffer");
        self.uses_buffer(dst);
        self.effect(Effect::Update(Range { at: dst.range.at + at, size: bytes.len(), ..dst.range }, bytes));
    }

    /// Words somewhere in a buffer, for commands that read them.
    pub(super) fn words_in_buffer(&mut self, words: &[u32]) -> Option<(Buf, usize)> {
        let buf = self.buffer().filter(|b| b.range.size >= 4 * words.len())?;
        let at = 4 * self.r.below((buf.range.size - 4 * words.len()) / 4 + 1);
        self.update(&buf, at, words);
        self.barrier();
        Some((buf, at))
    }

    fn copy_with_image(&mut self, to_image: bool) {
        let (Some(img), Some(buf)) = (self.image().filter(|i| i.samples == 1), self.buffer()) else { return };
        let mut region = region(&mut self.r, &img);
        let bytes = region_bytes(&img, &region);
        if bytes > buf.range.size as u64 {
            return;
        }
        // A multiple of 4 and of the texel, whatever that is.
        let step =
            texel_bytes(img.format).max(4) * if texel_bytes(img.format).is_multiple_of(4) { 1 } else { 4 };
        let at = self.r.below(((buf.range.size as u64 - bytes) / step) as usize + 1) as u64 * step;
        region.buffer_offset = at;
        let general = vk::ImageLayout::GENERAL;
        self.uses(&[img.uid, img.memory]);
        self.uses_buffer(&buf);
        if to_image {
            // SAFETY: valid usage.
            unsafe { self.d.cmd_copy_buffer_to_image(self.c, buf.buffer, img.image, general, &[region]) };
            self.did("vkCmdCopyBufferToImage");
        } else {
            // SAFETY: valid usage.
            unsafe { self.d.cmd_copy_image_to_buffer(self.c, img.image, general, buf.buffer, &[region]) };
            self.did("vkCmdCopyImageToBuffer");
            let range = Range { at: buf.range.at + at as usize, size: bytes as usize, ..buf.range };
            self.effect(Effect::Doubt(range, Trust::Same));
        }
    }

    fn partner(&mut self, of: &Img, fits: impl Fn(&Img) -> bool) -> Option<Img> {
        let list: Vec<&Img> = self.w.images.iter().filter(|i| i.uid != of.uid && fits(i)).collect();
        list.get(self.r.below(list.len().max(1))).map(|i| **i)
    }

    fn copy_image(&mut self) {
        let Some(src) = self.image() else { return };
        let fits = |i: &Img| i.format == src.format && i.samples == src.samples && i.ty == src.ty;
        let Some(dst) = self.partner(&src, fits) else { return };
        let (from, to) = (region(&mut self.r, &src), region(&mut self.r, &dst));
        let layers = from.image_subresource.layer_count.min(to.image_subresource.layer_count);
        let whole = is_compressed(src.format) || src.samples > 1 && is_depth(src.format);
        let smaller = |a: u32, b: u32| a.min(b);
        let extent = vk::Extent3D {
            width: smaller(from.image_extent.width, to.image_extent.width),
            height: smaller(from.image_extent.height, to.image_extent.height),
            depth: smaller(from.image_extent.depth, to.image_extent.depth),
        };
        if whole && (from.image_extent != to.image_extent) {
            return;
        }
        let aspects = objects::aspects(src.format);
        let sub = |s: vk::ImageSubresourceLayers| vk::ImageSubresourceLayers {
            aspect_mask: aspects,
            layer_count: layers,
            ..s
        };
        let copy = vk::ImageCopy {
            src_subresource: sub(from.image_subresource),
            src_offset: from.image_offset,
            dst_subresource: sub(to.image_subresource),
            dst_offset: to.image_offset,
            extent,
        };
        let general = vk::ImageLayout::GENERAL;
        // SAFETY: valid usage.
        unsafe { self.d.cmd_copy_image(self.c, src.image, general, dst.image, general, &[copy]) };
        self.did("vkCmdCopyImage");
        self.uses(&[src.uid, src.memory, dst.uid, dst.memory]);
    }

    fn blit_image(&mut self) {
        let Some(src) = self.image().filter(|i| i.samples == 1) else { return };
        use vk::FormatFeatureFlags as F;
        let client = &self.w.shared.client;
        let (features, depth) = (client.features(src.format), is_depth(src.format));
        if !features.contains(F::BLIT_SRC) {
            return;
        }
        let fits = |i: &Img| {
            let formats = if depth {
                i.format == src.format
            } else {
                !is_depth(i.format) && class(i.format) == class(src.format)
            };
            formats && i.samples == 1 && i.ty == src.ty && client.features(i.format).contains(F::BLIT_DST)
        };
        let Some(dst) = self.partner(&src, fits) else { return };
        let (from, to) = (region(&mut self.r, &src), region(&mut self.r, &dst));
        let layers = from.image_subresource.layer_count.min(to.image_subresource.layer_count);
        let mut corners = |r: &vk::BufferImageCopy| {
            let (o, e) = (r.image_offset, r.image_extent);
            let end =
                vk::Offset3D { x: o.x + e.width as i32, y: o.y + e.height as i32, z: o.z + e.depth as i32 };
            if self.r.one_in(4) {
                [vk::Offset3D { x: end.x, ..o }, vk::Offset3D { x: o.x, ..end }]
            } else {
                [o, end]
            }
        };
        let (src_offsets, dst_offsets) = (corners(&from), corners(&to));
        let aspects = objects::aspects(src.format);
        let sub = |s: vk::ImageSubresourceLayers| vk::ImageSubresourceLayers {
            aspect_mask: aspects,
            layer_count: layers,
            ..s
        };
        let blit = vk::ImageBlit {
            src_subresource: sub(from.image_subresource),
            src_offsets,
            dst_subresource: sub(to.image_subresource),
            dst_offsets,
        };
        let linear = features.contains(F::SAMPLED_IMAGE_FILTER_LINEAR) && !depth && self.r.one_in(2);
        let filter = if linear { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let general = vk::ImageLayout::GENERAL;
        // SAFETY: valid usage.
        unsafe { self.d.cmd_blit_image(self.c, src.image, general, dst.image, general, &[blit], filter) };
        self.did("vkCmdBlitImage");
        self.uses(&[src.uid, src.memory, dst.uid, dst.memory]);
    }

    fn resolve_image(&mut self) {
        let several: Vec<&Img> =
            self.w.images.iter().filter(|i| i.samples > 1 && !is_depth(i.format)).collect();
        let Some(&&src) = several.get(self.r.below(several.len().max(1))) else { return };
        let attachment = vk::ImageUsageFlags::COLOR_ATTACHMENT;
        let fits = |i: &Img| {
            i.samples == 1 && i.format == src.format && i.usage.contains(attachment) && i.ty == src.ty
        };
        let Some(dst) = self.partner(&src, fits) else { return };
        let sub = vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: 0,
            base_array_layer: 0,
            layer_count: src.layers.min(dst.layers),
        };
        let region = vk::ImageResolve {
            src_subresource: sub,
            dst_subresource: sub,
            extent: vk::Extent3D {
                width: src.extent[0].min(dst.extent[0]),
                height: src.extent[1].min(dst.extent[1]),
                depth: 1,
            },
            ..Default::default()
        };
        let general = vk::ImageLayout::GENERAL;
        // SAFETY: valid usage.
        unsafe { self.d.cmd_resolve_image(self.c, src.image, general, dst.image, general, &[region]) };
        self.did("vkCmdResolveImage");
        self.uses(&[src.uid, src.memory, dst.uid, dst.memory]);
    }

    fn clear_image(&mut self) {
        let Some(img) = self.image().filter(|i| !is_compressed(i.format)) else { return };
        let base_mip_level = self.r.below(img.levels as usize) as u32;
        let base_array_layer = self.r.below(img.layers as usize) as u32;
        let range = vk::ImageSubresourceRange {
            aspect_mask: objects::aspects(img.format),
            base_mip_level,
            level_count: vk::REMAINING_MIP_LEVELS,
            base_array_layer,
            layer_count: vk::REMAINING_ARRAY_LAYERS,
        };
        let general = vk::ImageLayout::GENERAL;
        self.uses(&[img.uid, img.memory]);
        if is_depth(img.format) {
            let value = vk::ClearDepthStencilValue { depth: self.r.below(9) as f32 / 8.0, stencil: 5 };
            // SAFETY: valid usage.
            unsafe { self.d.cmd_clear_depth_stencil_image(self.c, img.image, general, &value, &[range]) };
            self.did("vkCmdClearDepthStencilImage");
        } else {
            let value = match class(img.format) {
                0 => vk::ClearColorValue { float32: [(); 4].map(|()| self.r.below(100) as f32 / 90.0) },
                _ => vk::ClearColorValue { uint32: [(); 4].map(|()| self.r.below(100) as u32) },
            };
            // SAFETY: valid usage.
            unsafe { self.d.cmd_clear_color_image(self.c, img.image, general, &value, &[range]) };
            self.did("vkCmdClearColorImage");
        }
    }

    /// Binds descriptors whose bindings in `used` are valid: a set, or pushed ones. None if there are none.
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
                let (bound, write) = objects::choose(self.w, &mut self.r, of.kind, binding)?;
                bindings[binding] = bound;
                writes.push((binding, write));
            }
            if clashes(&bindings, [0; 3], &[]) {
                return None;
            }
            for (binding, write) in writes {
                write.with(|w| {
                    let w = w.dst_binding(binding as u32);
                    // SAFETY: valid usage.
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
                // The range must stay inside the buffer.
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
        // SAFETY: valid usage: what the shader uses of the set is valid.
        unsafe { self.d.cmd_bind_descriptor_sets(self.c, point, of.layout, 0, &[set.set], list) };
        self.did("vkCmdBindDescriptorSets");
        self.uses.push(set.uid);
        self.statics.push((set.uid, used));
        for b in (0..7).filter(|b| used[*b]) {
            self.uses.extend(&set.bindings[b].uids);
        }
        // Dynamic offsets of all buffers are applied, used or not.
        if of.kind == Kind::Dynamic {
            set.bindings[..3].iter().for_each(|b| self.uses.extend(&b.uids));
        }
        Some((set.bindings.clone(), offsets, set.inline.clone()))
    }

    fn dispatch(&mut self) {
        let layout = self.r.below(KINDS.len());
        let k = self.r.below(KERNELS.len());
        let kernel = KERNELS[k];
        let used = objects::used(kernel);
        let mut push = [push_word(&mut self.r), self.r.below(100) as u32, 0, 0];
        let mut behind = None;
        if kernel == Kernel::Address {
            // Addresses reach what is inside of their buffer, no more.
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
        // SAFETY: valid usage.
        unsafe {
            self.d.cmd_bind_pipeline(self.c, point, of.kernels[k]);
            self.d.cmd_push_constants(self.c, of.layout, vk::ShaderStageFlags::ALL, 0, &bytes);
        }
        self.did("vkCmdBindPipeline");
        self.did("vkCmdPushConstants");
        if let Some((buf, at)) = indirect {
            let range = Range { at: buf.range.at + at, size: 12, ..buf.range };
            // The shader must not write what the command reads.
            if dispatch.buffers[0].is_some_and(|o| o.overlaps(&range)) {
                return;
            }
            // SAFETY: valid usage.
            unsafe { self.d.cmd_dispatch_indirect(self.c, buf.buffer, at as u64) };
            self.did("vkCmdDispatchIndirect");
            self.uses_buffer(&buf);
            self.effect(Effect::Dispatch(Box::new(Dispatch { groups: Err(range), ..dispatch })));
            return;
        }
        // SAFETY: valid usage.
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
        // SAFETY: valid usage.
        unsafe { (conditional.fp().cmd_begin_conditional_rendering_ext)(self.c, &info) };
        self.did("vkCmdBeginConditionalRenderingEXT");
        self.uses_buffer(&buf);
        self.effect(Effect::Condition(Range { at: buf.range.at + at, size: 4, ..buf.range }, inverted));
        self.dispatch();
        // SAFETY: valid usage.
        unsafe { (conditional.fp().cmd_end_conditional_rendering_ext)(self.c) };
        self.did("vkCmdEndConditionalRenderingEXT");
        self.effect(Effect::Always);
    }

    fn queries(&mut self) {
        let Some(q) = self.query_pool(|_| true) else { return };
        // SAFETY: valid usage.
        unsafe { self.d.cmd_reset_query_pool(self.c, q.pool, 0, q.count) };
        self.did("vkCmdResetQueryPool");
        self.uses(&[q.uid]);
        if q.kind == vk::QueryType::TIMESTAMP {
            for i in 0..q.count {
                // SAFETY: valid usage: the query was reset.
                unsafe {
                    self.d.cmd_write_timestamp(self.c, vk::PipelineStageFlags::ALL_COMMANDS, q.pool, i)
                };
                self.did("vkCmdWriteTimestamp");
            }
            return;
        }
        self.copy_results(&q);
    }

    /// Results of all queries of a pool, available or not.
    pub(super) fn copy_results(&mut self, q: &Queries) {
        let Some(buf) = self.buffer() else { return };
        let stride = 8 * (u64::from(q.values) + 1);
        let span = stride * u64::from(q.count);
        if span > buf.range.size as u64 {
            return;
        }
        let at = 8 * self.r.below((buf.range.size - span as usize) / 8 + 1);
        let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WITH_AVAILABILITY;
        // SAFETY: valid usage.
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
        // SAFETY: valid usage: the event that is waited for was set before.
        unsafe {
            self.d.cmd_set_event(self.c, event, all);
            self.d.cmd_wait_events(self.c, &[event], all, all, &[], &[], &[]);
        }
        self.barrier();
        // SAFETY: valid usage: the wait happens before.
        unsafe { self.d.cmd_reset_event(self.c, event, all) };
        self.did("vkCmdSetEvent");
        self.did("vkCmdWaitEvents");
        self.did("vkCmdResetEvent");
        self.uses(&[uid]);
    }

    /// Runs a secondary command buffer that was recorded for this scope.
    pub(super) fn execute(&mut self, inside: Option<&TargetKey>) {
        let fits = |c: &&Recorded| c.secondary && c.inside.as_ref() == inside && c.effects.len() < 200;
        let list: Vec<&Recorded> = self.w.recorded.iter().filter(fits).collect();
        let Some(second) = list.get(self.r.below(list.len().max(1))) else { return };
        // SAFETY: valid usage: it is executable, and may be in use several times.
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

/// Whether invocations of a dispatch may read what others of it write.
fn races(d: &Dispatch) -> bool {
    let Some(out) = d.buffers[0] else { return false };
    let own_place = matches!(d.kernel, Kernel::Mix | Kernel::Reverse);
    let uniform = d.uniform.as_ref().ok().copied().flatten();
    let read = [d.buffers[1], d.buffers[2], uniform, d.texels].into_iter().flatten();
    let mut clashing = read.filter(|r| out.overlaps(r) && !(own_place && out == *r));
    clashing.next().is_some()
}

/// A part of an image as copies take it.
pub(super) fn region(r: &mut Random, img: &Img) -> vk::BufferImageCopy {
    let level = r.below(img.levels as usize) as u32;
    let size = img.extent.map(|e| (e >> level).max(1));
    let base = r.below(img.layers as usize) as u32;
    let layers = 1 + r.below((img.layers - base) as usize) as u32;
    let aspects = objects::aspects(img.format);
    let aspect = if aspects.contains(vk::ImageAspectFlags::STENCIL) && r.one_in(2) {
        vk::ImageAspectFlags::STENCIL
    } else if aspects.contains(vk::ImageAspectFlags::DEPTH) {
        vk::ImageAspectFlags::DEPTH
    } else {
        vk::ImageAspectFlags::COLOR
    };
    let whole = is_compressed(img.format) || img.samples > 1 && is_depth(img.format) || r.one_in(2);
    let (mut at, mut extent) = ([0; 3], size);
    if !whole {
        for i in 0..3 {
            extent[i] = 1 + r.below(size[i] as usize) as u32;
            at[i] = r.below((size[i] - extent[i]) as usize + 1) as i32;
        }
    }
    let wider = r.one_in(4) && !is_compressed(img.format);
    let mut pitch = |e: u32| if wider { e + r.below(5) as u32 } else { 0 };
    vk::BufferImageCopy {
        buffer_offset: 0,
        buffer_row_length: pitch(extent[0]),
        buffer_image_height: pitch(extent[1]),
        image_subresource: vk::ImageSubresourceLayers {
            aspect_mask: aspect,
            mip_level: level,
            base_array_layer: base,
            layer_count: layers,
        },
        image_offset: vk::Offset3D { x: at[0], y: at[1], z: at[2] },
        image_extent: vk::Extent3D { width: extent[0], height: extent[1], depth: extent[2] },
    }
}

/// An upper bound of the bytes of a buffer that a region takes.
fn region_bytes(img: &Img, r: &vk::BufferImageCopy) -> u64 {
    let [bw, bh] = quadrille::Format::from_vk(img.format.as_raw() as u32).map_or([1, 1], |f| f.block());
    let of = |pitch: u32, extent: u32, block: u32| {
        u64::from(if pitch == 0 { extent } else { pitch }.div_ceil(block))
    };
    let width = of(r.buffer_row_length, r.image_extent.width, bw);
    let height = of(r.buffer_image_height, r.image_extent.height, bh);
    let slices = u64::from(r.image_extent.depth.max(r.image_subresource.layer_count));
    width * height * slices * texel_bytes(img.format)
}
