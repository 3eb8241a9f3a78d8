//! Recording of command buffers, with the effects on the model, on one thread or on several.

use quadrille::*;

use super::super::kernels::{KERNELS, Kernel};
use super::super::model::{Dispatch, Effect, Range, Trust};
use super::{Buf, Recorded, Set, TargetKey, World, spoiled};
use crate::random::Random;

/// A command buffer that is being recorded.
pub(super) struct Recorder<'w, 's> {
    pub w: &'w World<'s>,
    pub r: Random,
    pub(super) spoil: bool,
    pub c: CommandBuffer,
    pub(super) effects: Vec<Effect>,
    kinds: Vec<&'static str>,
    pub(super) reaches: Vec<Buffer>,
    /// Numbers of the acceleration structures that the commands name, also by address.
    pub(super) levels: Vec<usize>,
    /// Indices of the sets in use.
    sets: Vec<usize>,
    /// Description of a recorded command that must be refused.
    must_fail: Option<String>,
}

/// Results of recording.
struct Done {
    recorded: Recorded,
    kinds: Vec<&'static str>,
    sets: Vec<usize>,
    result: Result<()>,
    must_fail: Option<String>,
}

impl World<'_> {
    /// Records one command buffer, or several in parallel.
    pub(super) fn record_some(&mut self) {
        let n = if self.r.one_in(6) { 2 + self.r.below(2) } else { 1 };
        let seeds: Vec<Random> = (0..n as u64).map(|i| self.r.fork(i + 1)).collect();
        self.r.bits();
        let (world, inside) = (&*self, self.r.clone().one_in(8));
        let record = |r: Random| Recorder::new(world, r).record(inside);
        let done: Vec<Done> = if n == 1 {
            seeds.into_iter().map(record).collect()
        } else {
            std::thread::scope(|s| {
                let record = &record;
                let all: Vec<_> = seeds.into_iter().map(|r| s.spawn(move || record(r))).collect();
                all.into_iter().filter_map(|t| t.join().ok()).collect()
            })
        };
        if done.len() != n {
            self.fail("a recording thread panicked".into());
        }
        for d in done {
            for kind in &d.kinds {
                self.tally.count(kind, d.result.is_ok(), 1);
            }
            if self.judge("end", d.result).is_none() {
                continue;
            }
            if let Some(text) = d.must_fail {
                self.fail(format!("accepted: {text}"));
            }
            d.sets.iter().for_each(|&i| self.sets[i].recorded = true);
            if self.recorded.len() >= 12 {
                let i = self.r.below(12);
                let old = self.recorded.swap_remove(i);
                self.reached.extend(old.reaches);
            }
            self.recorded.push(d.recorded);
        }
    }
}

impl<'w, 's> Recorder<'w, 's> {
    fn new(w: &'w World<'s>, r: Random) -> Self {
        let (effects, kinds, reaches, levels, sets) = Default::default();
        let c = w.device().create_command_buffer();
        Recorder { w, r, spoil: w.spoil, c, effects, kinds, reaches, levels, sets, must_fail: None }
    }

    fn record(mut self, inside: bool) -> Done {
        let target = self.w.targets.get(self.r.below(self.w.targets.len().max(1))).cloned();
        let mut key = None;
        if let Some(target) = target.filter(|_| inside) {
            self.c.begin_inside(Default::default());
            for _ in 0..1 + self.r.below(3) {
                self.draw(&target);
            }
            key = Some(target.key());
        } else {
            for _ in 0..1 + self.r.below(10) {
                self.command();
            }
        }
        let result = self.c.end();
        let recorded = Recorded {
            commands: self.c,
            effects: self.effects,
            reaches: self.reaches,
            levels: self.levels,
            inside: key,
        };
        Done { recorded, kinds: self.kinds, sets: self.sets, result, must_fail: self.must_fail }
    }

    pub(super) fn did(&mut self, kind: &'static str) {
        self.kinds.push(kind);
    }

    pub(super) fn num(&mut self, good: u64) -> u64 {
        if self.spoil { spoiled(&mut self.r, good) } else { good }
    }

    pub(super) fn num32(&mut self, good: u32) -> u32 {
        self.num(good.into()) as u32
    }

    /// Returns an amount of work, small enough to complete quickly.
    pub(super) fn small(&mut self, good: u32) -> u32 {
        self.num32(good).min(3000)
    }

    pub(super) fn uses(&mut self, set: usize) {
        self.sets.push(set);
    }

    /// Returns a part of a buffer; if the part is out of bounds, marks the command as one that must be refused.
    pub(super) fn part(&mut self, of: &Buf, at: u64, size: u64) -> Option<Range> {
        if at.checked_add(size).is_none_or(|end| end > of.range.size as u64) {
            self.must_fail.get_or_insert(format!("bytes {at}..+{size} of {:?}", of.range));
            return None;
        }
        Some(Range { memory: of.range.memory, at: of.range.at + at as usize, size: size as usize })
    }

    pub(super) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(super) fn buffer(&mut self) -> Option<Buf> {
        let list = &self.w.buffers;
        list.get(self.r.below(list.len().max(1))).cloned()
    }

    fn image(&mut self) -> Option<Image> {
        let list = &self.w.images;
        list.get(self.r.below(list.len().max(1))).cloned()
    }

    fn command(&mut self) {
        match self.r.below(44) {
            40..44 => self.rays(),
            0..4 => self.copy_buffer(),
            4..6 => self.fill_buffer(),
            6..8 => self.update_buffer(),
            8..11 => self.copy_with_image(true),
            11..14 => self.copy_with_image(false),
            14..16 => self.copy_image(),
            16..18 => self.blit_image(),
            18 => self.resolve_image(),
            19..21 => self.clear_image(),
            21..28 => self.dispatch(),
            28 => self.conditional(),
            29..34 => self.scope(),
            34 | 35 => self.capture(),
            36 => self.queries(),
            37 => self.events(),
            38 => self.execute(None),
            _ => {
                self.c.pipeline_barrier();
                self.did("pipeline_barrier");
            }
        }
    }

    fn copy_buffer(&mut self) {
        let (Some(src), Some(dst)) = (self.buffer(), self.buffer()) else { return };
        let mut regions = Vec::new();
        for _ in 0..1 + self.r.below(3) {
            let size = self.r.below(src.range.size.min(dst.range.size) + 1);
            let src_offset = self.r.below(src.range.size - size + 1) as u64;
            let dst_offset = self.r.below(dst.range.size - size + 1) as u64;
            let (src_offset, dst_offset) = (self.num(src_offset), self.num(dst_offset));
            let size = self.num(size as u64);
            regions.push(BufferCopy { src_offset, dst_offset, size });
            let parts = (self.part(&dst, dst_offset, size), self.part(&src, src_offset, size));
            if let (Some(to), Some(from)) = parts {
                self.effect(Effect::Copy(to, from));
            }
        }
        self.c.copy_buffer(&src.buffer, &dst.buffer, &regions);
        self.did("copy_buffer");
    }

    fn fill_buffer(&mut self) {
        let Some(dst) = self.buffer() else { return };
        let words = dst.range.size / 4;
        let offset = 4 * self.r.below(words + 1) as u64;
        let size = 4 * self.r.below(words + 1 - (offset / 4) as usize) as u64;
        let (offset, size) = (self.num(offset), self.num(size));
        let all = self.r.one_in(4);
        let word = self.r.bits() as u32;
        let bytes = if all { (dst.range.size as u64).saturating_sub(offset) / 4 * 4 } else { size };
        if let Some(range) = self.part(&dst, offset, bytes) {
            self.effect(Effect::Fill(range, word));
        }
        self.c.fill_buffer(&dst.buffer, offset, (!all).then_some(size), word);
        self.did("fill_buffer");
    }

    fn update_buffer(&mut self) {
        let Some(dst) = self.buffer() else { return };
        let n = 1 + self.r.below(dst.range.size.min(64));
        let at = self.r.below(dst.range.size - n + 1) as u64;
        let at = self.num(at);
        let bytes: Vec<u8> = (0..n).map(|_| self.r.bits() as u8).collect();
        self.update(&dst, at, bytes);
    }

    pub(super) fn update(&mut self, dst: &Buf, at: u64, bytes: Vec<u8>) {
        self.c.update_buffer(&dst.buffer, at, &bytes);
        self.did("update_buffer");
        if let Some(range) = self.part(dst, at, bytes.len() as u64) {
            self.effect(Effect::Update(range, bytes));
        }
    }

    /// Writes words at a random offset of a buffer, for commands that read parameters; `None` if they do not fit.
    pub(super) fn words_in_buffer(&mut self, words: &[u32]) -> Option<(Buf, u64)> {
        let buf = self.buffer().filter(|b| b.range.size >= 4 * words.len() + 4)?;
        let at = 4 * self.r.below((buf.range.size - 4 * words.len()) / 4 + 1) as u64;
        self.update(&buf, at, words.iter().flat_map(|w| w.to_le_bytes()).collect());
        Some((buf, at))
    }

    fn copy_with_image(&mut self, to_image: bool) {
        let (Some(image), Some(buf)) = (self.image(), self.buffer()) else { return };
        let mut region = buffer_image_region(&mut self.r, &image);
        let Ok(bytes) = image.region_bytes(&region) else { return };
        if bytes > buf.range.size as u64 {
            return;
        }
        let slack = (buf.range.size as u64 - bytes) as usize;
        region.buffer_offset = self.r.below(slack + 1) as u64 / 4 * 4;
        if self.spoil {
            region.buffer_offset = self.num(region.buffer_offset);
            region.row_length = self.num32(region.row_length);
            region.image_height = self.num32(region.image_height);
            region.offset = region.offset.map(|o| self.num32(o as u32) as i32);
            region.extent = region.extent.map(|e| self.num32(e));
            region.subresource.base_layer = self.num32(region.subresource.base_layer);
            region.subresource.layers = self.num32(region.subresource.layers);
        }
        if to_image {
            self.c.copy_buffer_to_image(&buf.buffer, &image, &[region]);
            self.did("copy_buffer_to_image");
            return;
        }
        self.c.copy_image_to_buffer(&image, &buf.buffer, &[region]);
        self.did("copy_image_to_buffer");
        if let Ok(bytes) = image.region_bytes(&region)
            && let Some(range) = self.part(&buf, region.buffer_offset, bytes)
        {
            self.effect(Effect::Doubt(range, Trust::Same));
        }
    }

    /// Returns a second image for a copy between images, if one fits.
    fn partner(&mut self, of: &Image, fits: impl Fn(&Image) -> bool) -> Option<Image> {
        let same = |i: &Image| std::ptr::eq(i.desc(), of.desc());
        let list: Vec<&Image> =
            self.w.images.iter().filter(|i| (self.w.wild || !same(i)) && fits(i)).collect();
        list.get(self.r.below(list.len().max(1))).map(|i| (*i).clone())
    }

    fn copy_image(&mut self) {
        let Some(src) = self.image() else { return };
        let of = *src.desc();
        let fits = |i: &Image| {
            let d = i.desc();
            d.format == of.format && d.samples == of.samples && d.image_type == of.image_type
        };
        let Some(dst) = self.partner(&src, fits) else { return };
        let (from, to) = (buffer_image_region(&mut self.r, &src), buffer_image_region(&mut self.r, &dst));
        let layers = from.subresource.layers.min(to.subresource.layers);
        let whole = of.format.is_compressed();
        let extent = std::array::from_fn(|i| from.extent[i].min(to.extent[i]));
        if whole && from.extent != to.extent {
            return;
        }
        let copy = ImageCopy {
            src: SubresourceLayers { layers, ..from.subresource },
            src_offset: from.offset.map(|o| self.num32(o as u32) as i32),
            dst: SubresourceLayers { layers, aspects: from.subresource.aspects, ..to.subresource },
            dst_offset: to.offset,
            extent: extent.map(|e| self.num32(e)),
        };
        self.c.copy_image(&src, &dst, &[copy]);
        self.did("copy_image");
    }

    fn blit_image(&mut self) {
        let Some(src) = self.image() else { return };
        let of = *src.desc();
        let class = |f: Format| (f.info().numeric == Numeric::Uint, f.info().numeric == Numeric::Sint);
        let fits = |i: &Image| {
            let d = i.desc();
            let depth = of.format.is_depth_stencil() || d.format.is_depth_stencil();
            let formats = if depth { d.format == of.format } else { class(d.format) == class(of.format) };
            let can = depth
                || of.format.image_features().contains(FormatFeatures::BLIT_SRC)
                    && d.format.image_features().contains(FormatFeatures::BLIT_DST);
            formats && can && d.samples == 1 && of.samples == 1 && (d.image_type == of.image_type)
        };
        let Some(dst) = self.partner(&src, fits) else { return };
        let (from, to) = (buffer_image_region(&mut self.r, &src), buffer_image_region(&mut self.r, &dst));
        let layers = from.subresource.layers.min(to.subresource.layers);
        let mut corners = |r: &BufferImageCopy| {
            let flip = self.r.one_in(4);
            let [a, b]: [[i32; 3]; 2] = [r.offset, std::array::from_fn(|i| r.offset[i] + r.extent[i] as i32)];
            if flip { [[b[0], a[1], a[2]], [a[0], b[1], b[2]]] } else { [a, b] }
        };
        let (mut src_offsets, dst_offsets) = (corners(&from), corners(&to));
        if self.spoil {
            src_offsets = src_offsets.map(|c| c.map(|o| self.num32(o as u32) as i32));
        }
        let blit = ImageBlit {
            src: SubresourceLayers { layers, ..from.subresource },
            src_offsets,
            dst: SubresourceLayers { layers, aspects: from.subresource.aspects, ..to.subresource },
            dst_offsets,
        };
        let integer = of.format.is_integer() || of.format.is_depth_stencil();
        let filters = [Filter::Nearest, Filter::Linear, Filter::Cubic];
        let filter = if integer { Filter::Nearest } else { *self.r.pick(&filters) };
        self.c.blit_image_by(&src, &dst, &[blit], filter);
        self.did("blit_image");
    }

    fn resolve_image(&mut self) {
        let several: Vec<&Image> = self.w.images.iter().filter(|i| i.desc().samples > 1).collect();
        let Some(src) = several.get(self.r.below(several.len().max(1))).map(|i| (*i).clone()) else { return };
        let of = *src.desc();
        let Some(dst) = self.partner(&src, |i| i.desc().samples == 1 && i.format() == of.format) else {
            return;
        };
        let size = dst.desc().extent;
        let extent = [of.extent[0].min(size[0]), of.extent[1].min(size[1]), 1].map(|e| self.num32(e));
        let aspects = of.format.aspects().singles().next().unwrap_or(Aspects::COLOR);
        let layers = SubresourceLayers { aspects, ..SubresourceLayers::COLOR };
        let region =
            ImageResolve { src: layers, src_offset: [0; 3], dst: layers, dst_offset: [0; 3], extent };
        self.c.resolve_image(&src, &dst, &[region]);
        self.did("resolve_image");
    }

    fn clear_image(&mut self) {
        let Some(image) = self.image().filter(|i| !i.format().is_compressed()) else { return };
        let of = *image.desc();
        let mut range = SubresourceRange::all(of.format.aspects());
        range.base_level = self.r.below(of.levels as usize) as u32;
        range.base_layer = self.r.below(of.layers as usize) as u32;
        if self.spoil {
            range.levels = self.num32(1);
            range.layers = self.num32(1);
        }
        let value = [(); 4].map(|()| (self.r.below(1000) as f32 / 900.0).to_bits());
        if of.format.is_depth_stencil() {
            self.c.clear_depth_stencil_image(
                &image,
                f32::from_bits(value[0]).min(1.0),
                value[1] & 0xff,
                &[range],
            );
            self.did("clear_depth_stencil_image");
        } else {
            self.c.clear_color_image(&image, value, &[range]);
            self.did("clear_color_image");
        }
    }

    /// Binds a set for later commands, and returns its dynamic offsets.
    pub(super) fn bind_set(&mut self, point: BindPoint, i: usize) -> [u32; 3] {
        let set: &Set = &self.w.sets[i];
        let layout = &self.w.shared.layouts[set.layout];
        let offsets = [(); 3].map(|()| if self.r.one_in(2) { 0 } else { 16 * self.r.below(6) as u32 });
        let number = self.num32(0);
        self.c.bind_descriptor_sets(point, &layout.layout, number, &[&set.set], &offsets[..layout.dynamic]);
        self.did("bind_descriptor_sets");
        self.uses(i);
        offsets
    }

    /// Binds a kernel for sets of a layout, as a pipeline or as a shader object.
    fn bind_kernel(&mut self, layout: usize) -> Kernel {
        let objects: Vec<_> = self.w.objects.iter().filter(|o| o.layout == layout).collect();
        if let Some(of) = objects.get(self.r.below(3 * objects.len().max(1))) {
            self.c.bind_shaders(&[(Stage::Compute, Some(&of.object))]);
            self.did("bind_shaders");
            return KERNELS[of.kernel];
        }
        let k = self.r.below(KERNELS.len());
        self.c.bind_compute_pipeline(&self.w.shared.layouts[layout].kernels[k]);
        self.did("bind_compute_pipeline");
        KERNELS[k]
    }

    fn dispatch(&mut self) {
        let Some(i) = (!self.w.sets.is_empty()).then(|| self.r.below(self.w.sets.len())) else { return };
        let set = &self.w.sets[i];
        let layout = &self.w.shared.layouts[set.layout];
        let kernel = self.bind_kernel(set.layout);
        let offsets = self.bind_set(BindPoint::Compute, i);
        let bound = std::array::from_fn(|b| {
            let of = set.buffers[b]?;
            let skip = if layout.dynamic > 0 { offsets[b] as usize } else { 0 };
            let at = of.at + skip;
            let size = if skip == 0 { of.size } else { of.size.min(set.ends[b].saturating_sub(at)) };
            (size > 0).then_some(Range { at, size, ..of })
        });
        let uniform = if set.layout == 1 { Err(set.inline.clone()) } else { Ok(set.uniform) };
        let mut push = [self.push_word(), self.r.below(100) as u32, 0, 0];
        let mut texels = set.texels;
        if kernel == Kernel::Address {
            let Some(of) = self.buffer() else { return };
            let Ok(address) = of.buffer.device_address() else { return };
            (push[2], push[3]) = (address as u32, (address >> 32) as u32);
            texels = Some(of.range);
            self.reaches.push(of.buffer);
        }
        let dispatch = Dispatch { kernel, push, groups: Ok(0), buffers: bound, uniform, texels };
        if !self.w.wild && races(&dispatch, set) {
            return;
        }
        self.c.push_constants(0, &push);
        self.did("push_constants");
        let n = [1, 2, 3, 8, 33][self.r.below(5)];
        if self.r.one_in(5)
            && let Some((buf, at)) = self.words_in_buffer(&[n, 1, 1])
        {
            self.c.dispatch_indirect(&buf.buffer, at);
            self.did("dispatch_indirect");
            if let Some(range) = self.part(&buf, at, 12) {
                self.effect(Effect::Dispatch(Box::new(Dispatch { groups: Err(range), ..dispatch })));
            }
            return;
        }
        let n = self.small(n);
        self.c.dispatch(n, 1, 1);
        self.did("dispatch");
        self.effect(Effect::Dispatch(Box::new(Dispatch { groups: Ok(n), ..dispatch })));
    }

    fn push_word(&mut self) -> u32 {
        match self.r.below(8) {
            0 => u32::MAX,
            1 => 0x8000_0000 | self.r.below(64) as u32,
            2 => 0x4000_0000,
            3 => 0,
            _ => self.r.below(600) as u32,
        }
    }

    /// Records commands with conditional rendering.
    fn conditional(&mut self) {
        let word = self.r.below(2) as u32;
        let Some((buf, at)) = self.words_in_buffer(&[word]) else { return };
        let inverted = self.r.one_in(2);
        self.c.begin_conditional_rendering(&buf.buffer, at, inverted);
        self.did("begin_conditional_rendering");
        if let Some(range) = self.part(&buf, at, 4) {
            self.effect(Effect::Condition(range, inverted));
        }
        self.dispatch();
        self.c.end_conditional_rendering();
        self.did("end_conditional_rendering");
        self.effect(Effect::Always);
    }

    fn queries(&mut self) {
        let Some(pool) = self.query_pool(|_| true) else { return };
        let first = self.r.below(pool.len() as usize) as u32;
        let count = 1 + self.r.below((pool.len() - first) as usize) as u32;
        let (first, count) = (self.num32(first), self.num32(count));
        self.c.reset_query_pool(&pool, first, count);
        self.did("reset_query_pool");
        let timestamps = pool.kind() == QueryKind::Timestamp;
        if timestamps {
            self.c.write_timestamp(&pool, first);
            self.did("write_timestamp");
        }
        let Some(buf) = self.buffer() else { return };
        // Timestamps would make runs differ.
        if timestamps && !self.w.wild {
            return;
        }
        let words = pool.kind().values() as u64 + 1;
        let (stride, span) = (words * 8, words * 8 * u64::from(count));
        if span > buf.range.size as u64 {
            return;
        }
        let at = self.r.below((buf.range.size as u64 - span) as usize / 8 + 1) as u64 * 8;
        let at = self.num(at);
        let partial = self.r.one_in(2);
        self.c.copy_query_pool_results(
            (&pool, first, count),
            (&buf.buffer, at, stride),
            [true, true, partial],
        );
        self.did("copy_query_pool_results");
        if let Some(range) = self.part(&buf, at, span) {
            self.effect(Effect::Doubt(range, Trust::Same));
        }
    }

    pub(super) fn query_pool(&mut self, fits: impl Fn(QueryKind) -> bool) -> Option<QueryPool> {
        let list: Vec<_> = self.w.queries.iter().filter(|q| fits(q.kind())).collect();
        list.get(self.r.below(list.len().max(1))).map(|q| (*q).clone())
    }

    fn events(&mut self) {
        let Some(event) = self.w.events.get(self.r.below(self.w.events.len().max(1))) else { return };
        self.c.set_event(event);
        self.did("set_event");
        self.c.wait_events(&[event]);
        self.did("wait_events");
        if self.r.one_in(2) {
            self.c.reset_event(event);
            self.did("reset_event");
        }
    }

    /// Executes a recorded command buffer that fits this scope.
    pub(super) fn execute(&mut self, inside: Option<&TargetKey>) {
        let list: Vec<&Recorded> = self.w.recorded.iter().filter(|c| c.inside.as_ref() == inside).collect();
        let Some(second) = list.get(self.r.below(list.len().max(1))) else { return };
        if second.effects.len() > 200 {
            return;
        }
        self.c.execute_commands(&[&second.commands]);
        self.did("execute_commands");
        self.effects.extend(second.effects.iter().cloned());
        self.reaches.extend(second.reaches.iter().cloned());
        self.levels.extend(&second.levels);
    }
}

/// Returns `true` if invocations of a dispatch may read words that other invocations of it write.
fn races(d: &Dispatch, set: &Set) -> bool {
    if let (Some(a), Some(b)) = (&set.storage, &set.sampled)
        && std::ptr::eq(a.desc(), b.desc())
    {
        return true;
    }
    let Some(out) = d.buffers[0].filter(|_| d.kernel != Kernel::Image) else { return false };
    let reads = d.kernel.reads();
    let own_place = matches!(d.kernel, Kernel::Mix | Kernel::Reverse);
    let uniform = d.uniform.as_ref().ok().copied().flatten();
    let others = [d.buffers[1], d.buffers[2], uniform, d.texels];
    let read = others.iter().zip(&reads[1..]).filter(|(_, reads)| **reads).filter_map(|(r, _)| *r);
    let clashes = |r: Range| out.overlaps(&r) && !(own_place && out == r);
    read.into_iter().any(clashes)
}

/// Returns a random region of an image for copies, with a buffer offset of 0.
pub(super) fn buffer_image_region(r: &mut Random, image: &Image) -> BufferImageCopy {
    let of = image.desc();
    let level = r.below(of.levels as usize) as u32;
    let size = of.extent.map(|e| (e >> level).max(1));
    let base_layer = r.below(of.layers as usize) as u32;
    let layers = 1 + r.below((of.layers - base_layer) as usize) as u32;
    let aspects: Vec<Aspects> = of.format.aspects().singles().collect();
    let aspects = *r.pick(&aspects);
    let whole = of.format.is_compressed() || r.one_in(2);
    let mut offset = [0; 3];
    let mut extent = size;
    if !whole {
        for i in 0..3 {
            extent[i] = 1 + r.below(size[i] as usize) as u32;
            offset[i] = r.below((size[i] - extent[i]) as usize + 1) as i32;
        }
    }
    let wider = r.one_in(4) && !of.format.is_compressed();
    let pitch = |r: &mut Random, e: u32| if wider { e + r.below(5) as u32 } else { 0 };
    BufferImageCopy {
        buffer_offset: 0,
        row_length: pitch(r, extent[0]),
        image_height: pitch(r, extent[1]),
        subresource: SubresourceLayers { aspects, level, base_layer, layers },
        offset,
        extent,
    }
}
