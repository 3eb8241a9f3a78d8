//! Objects: made, bound, filled.

use quadrille::frontend::{Options, compile_glsl};
use quadrille::*;

use super::super::kernels::BLOCK_WORDS;
use super::super::model::{Bytes, Range};
use super::super::shaders::{self, FRAGMENTS, Fragment, Later};
use super::{ALL_BUFFER_USAGES, Buf, Pipeline, Seen, Set, Target, TexelView, World};

/// Formats of images: of every class that copies, blits and attachments tell apart.
const FORMATS: &[Format] = &[
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_SRGB,
    Format::B8G8R8A8_UNORM,
    Format::R8_UNORM,
    Format::R8G8_SNORM,
    Format::R5G6B5_UNORM_PACK16,
    Format::A2B10G10R10_UNORM_PACK32,
    Format::B10G11R11_UFLOAT_PACK32,
    Format::E5B9G9R9_UFLOAT_PACK32,
    Format::R16_UINT,
    Format::R16G16B16A16_SFLOAT,
    Format::R32_UINT,
    Format::R32_SINT,
    Format::R32_SFLOAT,
    Format::R32G32B32A32_SFLOAT,
    Format::R32G32B32A32_UINT,
    Format::BC1_RGBA_UNORM_BLOCK,
    Format::BC7_UNORM_BLOCK,
    Format::ETC2_R8G8B8_UNORM_BLOCK,
    Format::ASTC_5x4_UNORM_BLOCK,
    Format::D16_UNORM,
    Format::D32_SFLOAT,
    Format::S8_UINT,
    Format::D32_SFLOAT_S8_UINT,
];
/// Formats that can be rendered to.
const COLORS: &[Format] = &[
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_SRGB,
    Format::B8G8R8A8_UNORM,
    Format::R5G6B5_UNORM_PACK16,
    Format::A2B10G10R10_UNORM_PACK32,
    Format::R16G16B16A16_SFLOAT,
    Format::R32_UINT,
    Format::R32_SINT,
    Format::R32G32B32A32_SFLOAT,
];
const DEPTHS: &[Format] =
    &[Format::D16_UNORM, Format::D32_SFLOAT, Format::D32_SFLOAT_S8_UINT, Format::S8_UINT];

/// Most objects of a kind.
const MOST: usize = 24;

/// Every use that a format offers.
pub(super) fn usages(format: Format) -> ImageUsage {
    let f = format.image_features();
    let mut usage = ImageUsage::NONE;
    for (use_, feature) in [
        (ImageUsage::TRANSFER_SRC, FormatFeatures::TRANSFER_SRC),
        (ImageUsage::TRANSFER_DST, FormatFeatures::TRANSFER_DST),
        (ImageUsage::SAMPLED, FormatFeatures::SAMPLED_IMAGE),
        (ImageUsage::STORAGE, FormatFeatures::STORAGE_IMAGE),
        (ImageUsage::COLOR_ATTACHMENT, FormatFeatures::COLOR_ATTACHMENT),
        (ImageUsage::DEPTH_STENCIL_ATTACHMENT, FormatFeatures::DEPTH_STENCIL_ATTACHMENT),
    ] {
        if f.contains(feature) {
            usage |= use_;
        }
    }
    usage
}

impl World<'_> {
    /// One of a list, by index.
    pub(super) fn index(&mut self, len: usize) -> Option<usize> {
        if len == 0 { None } else { Some(self.r.below(len)) }
    }

    /// Memory of its own with one buffer, or with several of which some may share bytes.
    pub(super) fn make_buffer(&mut self) {
        if self.buffers.len() >= MOST {
            return;
        }
        let several = self.r.one_in(3);
        let n = if several { 2 + self.r.below(3) } else { 1 };
        let sizes: Vec<u64> = (0..n).map(|_| self.buffer_size()).collect();
        let total = sizes.iter().map(|s| s.next_multiple_of(16)).sum::<u64>() + 16 * u64::from(several);
        let size = self.num(total);
        let memory = self.device().allocate(size);
        let Some(memory) = self.judge("allocate", memory) else { return };
        let Some(number) = self.keep_memory(&memory) else { return };
        let mut at = 0;
        for size in sizes {
            let wanted = self.num(size);
            let usage =
                if self.r.one_in(12) { BufferUsage(self.r.bits() as u32 & 0x1ff) } else { ALL_BUFFER_USAGES };
            let buffer = self.device().create_buffer(BufferDesc { size: wanted, usage });
            let Some(buffer) = self.judge("create_buffer", buffer) else { continue };
            let aliases = self.wild && self.r.one_in(3);
            let offset = self.num(if aliases { 0 } else { at });
            let bound = buffer.bind(&memory, offset);
            if self.judge("bind buffer", bound).is_some() {
                let range = Range { memory: number, at: offset as usize, size: buffer.size() as usize };
                if range.at + range.size > self.model[number].len() {
                    self.fail(format!("bound {range:?} in memory of {} bytes", memory.size()));
                    return;
                }
                self.buffers.push(Buf { buffer, range });
                at = at.max(offset + wanted.next_multiple_of(16));
            }
        }
    }

    fn buffer_size(&mut self) -> u64 {
        match self.r.below(8) {
            0 => 1 + self.r.below(64) as u64,
            1 => 4096,
            2 => 16 << 10,
            _ => 64 + 4 * self.r.below(512) as u64,
        }
    }

    /// Its number in the model. Large allocations are made and not followed.
    fn keep_memory(&mut self, memory: &Memory) -> Option<usize> {
        if memory.size() > 1 << 20 {
            return None;
        }
        self.memories.push(Some(memory.clone()));
        self.model.push(Bytes::new(memory.size() as usize));
        Some(self.model.len() - 1)
    }

    pub(super) fn make_image(&mut self) {
        if self.images.len() >= MOST {
            return;
        }
        let format = *self.r.pick(FORMATS);
        let image_type = match self.r.below(8) {
            0 => ImageType::D1,
            1 => ImageType::D3,
            _ => ImageType::D2,
        };
        let depth = format.is_depth_stencil() || format.is_compressed();
        let image_type = if depth { ImageType::D2 } else { image_type };
        let side = [1, 4, 8, 16, 17, 33, 64][self.r.below(7)];
        let tall = if self.r.one_in(3) { 1 + self.r.below(40) as u32 } else { side };
        let extent = match image_type {
            ImageType::D1 => [side, 1, 1],
            ImageType::D2 => [side, tall, 1],
            ImageType::D3 => [side.min(16), tall.min(16), 1 + self.r.below(8) as u32],
        };
        let samples =
            if image_type == ImageType::D2 && !format.is_compressed() && self.r.one_in(6) { 4 } else { 1 };
        let most = 32 - extent.iter().max().map_or(1, |e| *e).leading_zeros();
        let levels = if samples > 1 { 1 } else { 1 + self.r.below(most.min(4) as usize) as u32 };
        let layers = if image_type == ImageType::D3 { 1 } else { [1, 1, 2, 6][self.r.below(4)] };
        let desc = ImageDesc {
            image_type,
            format,
            extent: extent.map(|e| self.num32(e)),
            levels: self.num32(levels),
            layers: self.num32(layers),
            samples: self.num32(samples),
            usage: if self.spoil { ImageUsage(self.r.bits() as u32 & 0xff) } else { usages(format) },
            flags: ImageFlags::default(),
        };
        self.image(desc);
    }

    /// An image in memory of its own, at some offset.
    fn image(&mut self, desc: ImageDesc) -> Option<Image> {
        let image = self.device().create_image(desc);
        let image = self.judge("create_image", image)?;
        let needs = image.requirements();
        if needs.size > 4 << 20 {
            return None;
        }
        let offset = needs.alignment * self.r.below(3) as u64;
        let size = self.num(needs.size + offset);
        let memory = self.device().allocate(size);
        let memory = self.judge("allocate", memory)?;
        let bound = image.bind(&memory, offset);
        self.judge("bind image", bound)?;
        self.images.push(image.clone());
        Some(image)
    }

    pub(super) fn make_view(&mut self) {
        let Some(i) = self.index(self.images.len()) else { return };
        if self.views.len() >= MOST {
            return;
        }
        let image = self.images[i].clone();
        let of = *image.desc();
        let base_level = self.r.below(of.levels as usize) as u32;
        let base_layer = self.r.below(of.layers as usize) as u32;
        let array = self.r.one_in(3);
        let dim = match of.image_type {
            ImageType::D1 if array => ViewDim::D1Array,
            ImageType::D1 => ViewDim::D1,
            ImageType::D2 if of.layers == 6 && of.extent[0] == of.extent[1] && base_layer == 0 => {
                ViewDim::Cube
            }
            ImageType::D2 if array => ViewDim::D2Array,
            ImageType::D2 => ViewDim::D2,
            ImageType::D3 => ViewDim::D3,
        };
        let layers = match dim {
            ViewDim::Cube => 6,
            d if d.is_array() => of.layers - base_layer,
            _ => 1,
        };
        let aspects: Vec<Aspects> = of.format.aspects().singles().collect();
        let swizzle = |w: &mut Self| Swizzle::from_vk(w.r.below(7) as u32).unwrap_or_default();
        let swizzles = if self.r.one_in(4) { [(); 4].map(|()| swizzle(self)) } else { Default::default() };
        let desc = ImageViewDesc {
            dim,
            format: of.format,
            aspect: *self.r.pick(&aspects),
            swizzle: swizzles,
            base_level: self.num32(base_level),
            levels: self.num32(of.levels - base_level),
            base_layer: self.num32(base_layer),
            layers: self.num32(layers),
            slices: [0, u32::MAX],
            min_lod: 0.0,
        };
        let view = self.device().create_image_view(&image, desc);
        if let Some(view) = self.judge("create_image_view", view) {
            self.views.push(Seen { view, image });
        }
    }

    pub(super) fn make_texel_view(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        if self.texel_views.len() >= MOST {
            return;
        }
        let of = self.buffers[i].clone();
        let offset = 16 * self.r.below(of.range.size / 16 + 1) as u64;
        let left = (of.range.size as u64).saturating_sub(offset) / 4 * 4;
        let range = if self.r.one_in(2) { left } else { left / 2 / 4 * 4 };
        let (offset, range) = (self.num(offset), self.num(range));
        let desc = BufferViewDesc { format: Format::R32_UINT, offset, range: Some(range) };
        let view = self.device().create_buffer_view(&of.buffer, desc);
        if let Some(view) = self.judge("create_buffer_view", view) {
            let at =
                Range { memory: of.range.memory, at: of.range.at + offset as usize, size: range as usize };
            self.texel_views.push(TexelView { view, range: at });
        }
    }

    pub(super) fn make_sampler(&mut self) {
        if self.samplers.len() >= MOST {
            let last = self.samplers.swap_remove(0);
            // The number may serve another state: nothing that is bound or recorded may still use it.
            if self.wild {
                self.device().release_sampler(last);
            }
            return;
        }
        let filter = |w: &mut Self| if w.r.one_in(2) { Filter::Linear } else { Filter::Nearest };
        let modes = [
            AddressMode::Repeat,
            AddressMode::MirroredRepeat,
            AddressMode::ClampToEdge,
            AddressMode::ClampToBorder,
            AddressMode::MirrorClampToEdge,
        ];
        let desc = SamplerDesc {
            mag_filter: filter(self),
            min_filter: filter(self),
            mipmap_mode: filter(self),
            address: [*self.r.pick(&modes), *self.r.pick(&modes), *self.r.pick(&modes)],
            lod_bias: (self.r.below(5) as f32 - 2.0).to_bits(),
            anisotropy: self.r.one_in(4).then_some(4f32.to_bits()),
            border: BorderColor::OpaqueWhite,
            ..SamplerDesc::default()
        };
        let sampler = self.device().create_sampler(desc);
        if let Some(sampler) = self.judge("create_sampler", sampler) {
            self.samplers.push(sampler);
        }
    }

    pub(super) fn make_set(&mut self) {
        if self.sets.len() >= MOST {
            return;
        }
        let layout = self.r.below(self.shared.layouts.len());
        let set = self.device().create_descriptor_set(&self.shared.layouts[layout].set);
        let Some(set) = self.judge("create_descriptor_set", set) else { return };
        self.sets.push(Set {
            set,
            layout,
            buffers: [None; 3],
            ends: [0; 3],
            uniform: None,
            inline: vec![0; 4 * BLOCK_WORDS as usize],
            texels: None,
            storage: None,
            sampled: None,
            recorded: false,
        });
        let last = self.sets.len() - 1;
        for binding in 0..7 {
            if !self.r.one_in(5) {
                self.write_binding(last, binding);
            }
        }
    }

    pub(super) fn write_set(&mut self) {
        let Some(i) = self.index(self.sets.len()) else { return };
        // What recorded commands do is modelled with what the set held then.
        if self.sets[i].recorded && !self.wild {
            return;
        }
        let binding = self.r.below(7) as u32;
        self.write_binding(i, binding);
    }

    /// Writes one binding of a set; what cannot be there is left out.
    fn write_binding(&mut self, i: usize, binding: u32) {
        // In wild programs, binding and resource need not fit.
        let number = self.num32(binding);
        let set = self.sets[i].set.clone();
        if self.r.one_in(10) {
            let done = set.write(number, 0, Resource::Null);
            if self.judge("write null", done).is_some() {
                self.note(i, number, |s| s.forget(number));
            }
            return;
        }
        match binding {
            0..=3 => self.write_buffer_binding(i, binding, number),
            4 => {
                let Some(v) = self.index(self.texel_views.len()) else { return };
                let view = self.texel_views[v].clone();
                let done = set.write(number, 0, Resource::TexelBuffer(&view.view));
                if self.judge("write texel buffer", done).is_some() {
                    self.note(i, number, |s| s.texels = Some(view.range));
                }
            }
            _ => self.write_image_binding(i, binding, number),
        }
    }

    fn write_buffer_binding(&mut self, i: usize, binding: u32, number: u32) {
        let Some(b) = self.index(self.buffers.len()) else { return };
        let set = self.sets[i].set.clone();
        let of = self.buffers[b].clone();
        let size = of.range.size as u64;
        let offset = if self.r.one_in(2) { 0 } else { 16 * self.r.below((size / 16) as usize + 1) as u64 };
        let offset = offset.min(size.saturating_sub(4) / 16 * 16);
        if binding == 3 && self.sets[i].layout == 1 {
            let bytes: Vec<u8> = (0..4 + 4 * self.r.below(8)).map(|n| n as u8).collect();
            let at = 4 * self.r.below(8) as u32;
            let at = self.num32(at);
            let done = set.write_inline(number, at, &bytes);
            if self.judge("write inline uniform block", done).is_some() {
                let at = at as usize;
                self.note(i, number, |s| s.inline[at..at + bytes.len()].copy_from_slice(&bytes));
            }
            return;
        }
        let (offset, range) = (self.num(offset), self.num((size - offset).min(1 << 16)));
        let range = if self.r.one_in(3) { None } else { Some(range) };
        let done = set.write(number, 0, Resource::Buffer { buffer: &of.buffer, offset, range });
        if self.judge("write buffer", done).is_some() {
            let bytes = range.unwrap_or(size.saturating_sub(offset)) as usize;
            let bound = Range { memory: of.range.memory, at: of.range.at + offset as usize, size: bytes };
            if bound.at + bound.size > of.range.at + of.range.size {
                self.fail(format!("descriptor of {bound:?} in buffer {:?}", of.range));
            }
            self.note(i, number, |s| match number {
                0..=2 => {
                    s.buffers[number as usize] = Some(bound);
                    s.ends[number as usize] = of.range.at + of.range.size;
                }
                _ => s.uniform = Some(bound),
            });
        }
    }

    fn write_image_binding(&mut self, i: usize, binding: u32, number: u32) {
        let storage = binding == 5;
        let usage = if storage { ImageUsage::STORAGE } else { ImageUsage::SAMPLED };
        let fits = |s: &&Seen| {
            let (of, v) = (s.image.desc(), s.view.desc());
            let fits = v.dim == ViewDim::D2 && of.samples == 1 && of.usage.contains(usage);
            fits && if storage { v.format == Format::R8G8B8A8_UNORM } else { !v.format.is_integer() }
        };
        let all: Vec<Seen> = self.views.iter().filter(|s| self.wild || fits(s)).cloned().collect();
        let set = self.sets[i].set.clone();
        let (Some(v), Some(s)) = (self.index(all.len()), self.index(self.samplers.len())) else { return };
        let (seen, sampler) = (all[v].clone(), self.samplers[s]);
        if storage {
            let done = set.write(number, 0, Resource::Image(&seen.view));
            if self.judge("write storage image", done).is_some() {
                self.note(i, number, |s| s.storage = Some(seen.image));
            }
        } else {
            let done = set.write(number, 0, Resource::Combined(&seen.view, &sampler));
            if self.judge("write combined image", done).is_some() {
                self.note(i, number, |s| s.sampled = Some(seen.image));
            }
        }
    }

    /// Remembers what was written to a set.
    fn note(&mut self, i: usize, number: u32, f: impl FnOnce(&mut Set)) {
        if number < 7 {
            f(&mut self.sets[i]);
        } else {
            self.fail(format!("binding {number} of a set of 7 was written"));
        }
    }

    /// Images and views that are rendered to together.
    pub(super) fn make_target(&mut self) {
        if self.targets.len() >= 6 {
            return;
        }
        let size = [[16, 16], [33, 20], [64, 64], [7, 65]][self.r.below(4)];
        let samples = if self.r.one_in(4) { 4 } else { 1 };
        let n = [1, 1, 1, 2, 0][self.r.below(5)];
        let attachment = |w: &mut Self, format: Format, samples: u32| {
            let mut desc = ImageDesc::new_2d(format, size[0], size[1], usages(format));
            desc.samples = samples;
            let image = w.image(desc)?;
            let mut seen = ImageViewDesc::new_2d(format);
            seen.aspect = format.aspects();
            let view = w.device().create_image_view(&image, seen);
            let view = w.judge("create_image_view", view)?;
            w.views.push(Seen { view: view.clone(), image: image.clone() });
            Some(Seen { view, image })
        };
        let mut target = Target { colors: Vec::new(), resolve: None, depth: None, size, samples };
        for _ in 0..n {
            let format = *self.r.pick(COLORS);
            target.colors.extend(attachment(self, format, samples));
        }
        if samples > 1
            && self.r.one_in(2)
            && let Some(first) = target.colors.first()
        {
            let format = first.image.format();
            target.resolve = attachment(self, format, 1);
        }
        if n == 0 || self.r.one_in(2) {
            let format = *self.r.pick(DEPTHS);
            target.depth = attachment(self, format, samples);
        }
        if !target.colors.is_empty() || target.depth.is_some() {
            self.targets.push(target);
            let last = self.targets.len() - 1;
            (0..2).for_each(|_| self.make_pipeline_for(last));
        }
    }

    pub(super) fn make_queries(&mut self) {
        let kind = match self.r.below(5) {
            0 => QueryKind::Occlusion,
            1 => QueryKind::Timestamp,
            2 => QueryKind::TransformFeedbackStream,
            3 => QueryKind::PrimitivesGenerated,
            _ => QueryKind::PipelineStatistics(self.r.bits() as u32 & 0x7ff),
        };
        let count = 1 + self.r.below(8) as u32;
        let count = self.num32(count);
        let pool = self.device().create_query_pool(kind, count);
        if let Some(pool) = self.judge("create_query_pool", pool)
            && self.queries.len() < 6
            && pool.len() < 100_000
        {
            self.queries.push(pool);
        }
    }

    /// Modules that are words of a good one, some of them changed.
    pub(super) fn make_module(&mut self) {
        let kernel = *self.r.pick(&super::super::kernels::KERNELS);
        let mut words = kernel.words().to_vec();
        if self.spoil {
            for _ in 0..1 + self.r.below(3) {
                let at = self.r.below(words.len());
                let other = words[self.r.below(words.len())];
                words[at] = if self.r.one_in(2) { self.r.bits() as u32 } else { other };
            }
        }
        let layout = self.shared.layouts[0].layout.clone();
        let device = self.device().clone();
        let made = device.create_shader_module(&words).and_then(|module| {
            let stage = ShaderStage::new(&module, "main");
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })
        });
        self.judge("create_compute_pipeline", made);
    }

    /// Bytes of a buffer, set by the host.
    pub(super) fn write_buffer(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        if self.busy && !self.wild {
            self.wait();
        }
        let of = self.buffers[i].clone();
        let n = 1 + self.r.below(of.range.size.min(256));
        let at = self.r.below(of.range.size - n + 1);
        let at = self.num(at as u64);
        let small = self.r.one_in(3);
        let bytes: Vec<u8> = (0..n).map(|_| self.r.bits() as u8 & if small { 0x0f } else { 0xff }).collect();
        let done = of.buffer.write(at, &bytes);
        if self.judge("write buffer bytes", done).is_some() {
            self.set_model(&of.range, at, &bytes);
        }
    }

    fn set_model(&mut self, of: &Range, at: u64, bytes: &[u8]) {
        let at = at as usize;
        if at + bytes.len() > of.size {
            self.fail(format!("wrote {} bytes at {at} of {of:?}", bytes.len()));
            return;
        }
        self.model[of.memory].set(of.at + at, bytes);
    }

    /// Texels, set and read by the host, and copies by the host.
    pub(super) fn host_image(&mut self) {
        let Some(i) = self.index(self.images.len()) else { return };
        if self.busy && !self.wild {
            self.wait();
        }
        let image = self.images[i].clone();
        let aspects: Vec<Aspects> = image.format().aspects().singles().collect();
        let aspect = *self.r.pick(&aspects);
        let level = self.r.below(image.desc().levels as usize) as u32;
        let level = self.num32(level);
        if self.r.one_in(2) {
            let read = image.read_level(aspect, level);
            let Some(mut bytes) = self.judge("read level", read) else { return };
            bytes.iter_mut().for_each(|b| *b = b.wrapping_mul(5).wrapping_add(1));
            // Bits of floats that no store would leave: NaN with payloads, which copies must keep.
            let done = image.write_level(aspect, level, &bytes);
            self.judge("write level", done);
            return;
        }
        let mut region = super::record::buffer_image_region(&mut self.r, &image);
        region.buffer_offset = 0;
        let Ok(n) = image.region_bytes(&region) else { return };
        let mut bytes = vec![7u8; n.min(1 << 20) as usize];
        let device = self.device().clone();
        if self.r.one_in(2) {
            let done = device.copy_image_to_bytes(&image, &mut bytes, &region);
            self.judge("copy_image_to_bytes", done);
        } else {
            let done = device.copy_bytes_to_image(&bytes, &image, &region);
            self.judge("copy_bytes_to_image", done);
        }
    }

    /// A graphics pipeline for one of the targets.
    pub(super) fn make_pipeline(&mut self) {
        if let Some(i) = self.index(self.targets.len()) {
            self.make_pipeline_for(i);
        }
    }

    fn make_pipeline_for(&mut self, i: usize) {
        if self.pipelines.len() >= MOST {
            self.pipelines.swap_remove(0);
        }
        let target = self.targets[i].clone();
        let layout = self.r.below(self.shared.layouts.len());
        let (later, topology) = match self.r.one_in(2) {
            true => (Later::default(), None),
            false => {
                let (later, topology) = Later::random(&mut self.r);
                (later, Some(topology))
            }
        };
        // What captures is not to be read as attributes meanwhile.
        let attributes = self.r.one_in(2) && !later.captures;
        let colors: Vec<Format> = target.colors.iter().map(|c| c.image.format()).collect();
        let depth = target.depth.as_ref().map(|d| d.image.format());
        let kind = FRAGMENTS[self.r.below(FRAGMENTS.len())];
        let types: Vec<&str> = colors.iter().map(output_type).collect();
        let device = self.device().clone();
        let vertex = shader(Stage::Vertex, &shaders::vertex(attributes, &later));
        let fragment = shader(Stage::Fragment, &shaders::fragment(&types, kind));
        let module = |words: &[u32]| device.create_shader_module(words).map(|m| ShaderStage::new(&m, "main"));
        let (Ok(vertex), Ok(fragment)) = (module(&vertex), module(&fragment)) else { return };
        let mut desc = GraphicsPipelineDesc::new(&self.shared.layouts[layout].layout, vertex, Some(fragment));
        let stage = |stage: Stage, text: String| module(&shader(stage, &text)).ok();
        if later.tessellation.is_some() {
            desc.tessellation_control = stage(Stage::TessellationControl, later.control());
            desc.tessellation_evaluation = stage(Stage::TessellationEvaluation, later.evaluation());
            desc.fixed.patch_control_points = 1 + self.r.below(5) as u32;
            desc.fixed.patch_control_points = self.num32(desc.fixed.patch_control_points);
        }
        if later.geometry.is_some() {
            desc.geometry = stage(Stage::Geometry, later.geometry());
        }
        desc.state = self.draw_state(&colors, depth, target.samples, attributes);
        if let Some(topology) = topology {
            desc.state.topology = topology;
        }
        for state in [
            DynamicStates::LINE_WIDTH,
            DynamicStates::BLEND_CONSTANTS,
            DynamicStates::STENCIL_REFERENCE,
            DynamicStates::CULL_MODE,
            DynamicStates::DEPTH_TEST_ENABLE,
            DynamicStates::PRIMITIVE_TOPOLOGY,
            DynamicStates::DEPTH_BIAS,
            DynamicStates::PATCH_CONTROL_POINTS,
        ] {
            let fits = topology.is_none() || state != DynamicStates::PRIMITIVE_TOPOLOGY;
            if fits && self.r.one_in(4) {
                desc.dynamic |= state;
            }
        }
        let dynamic = desc.dynamic;
        let made = device.create_graphics_pipeline(&desc);
        if let Some(pipeline) = self.judge("create_graphics_pipeline", made) {
            let formats = (colors, depth, target.samples);
            let (samples_image, stores) = (kind == Fragment::Sample, kind == Fragment::Store);
            self.pipelines.push(Pipeline {
                pipeline,
                formats,
                layout,
                attributes,
                samples_image,
                stores,
                later,
                dynamic,
            });
        }
    }

    fn draw_state(
        &mut self,
        colors: &[Format],
        depth: Option<Format>,
        samples: u32,
        attributes: bool,
    ) -> DrawStateDesc {
        let compares = [CompareOp::Always, CompareOp::Less, CompareOp::GreaterOrEqual, CompareOp::NotEqual];
        let topologies = [
            Topology::TriangleList,
            Topology::TriangleList,
            Topology::TriangleStrip,
            Topology::TriangleFan,
            Topology::LineList,
            Topology::LineStrip,
            Topology::PointList,
        ];
        let stencil_ops =
            [StencilOp::Keep, StencilOp::Replace, StencilOp::IncrementAndWrap, StencilOp::Invert];
        let has = |aspect| depth.is_some_and(|d| d.aspects().contains(aspect));
        let mut face = || StencilFace {
            fail: *self.r.pick(&stencil_ops),
            pass: *self.r.pick(&stencil_ops),
            depth_fail: *self.r.pick(&stencil_ops),
            compare: *self.r.pick(&compares),
        };
        let faces = [face(), face()];
        let blend = colors.iter().map(|f| match self.r.below(3) {
            0 if !f.is_integer() => BlendState::source_over(),
            1 => BlendState { write_mask: 5, ..BlendState::default() },
            _ => BlendState::default(),
        });
        let blend = blend.collect();
        let stride = [0, 8, 8, 12, 20][self.r.below(5)];
        let rate = if self.r.one_in(4) { VertexRate::Instance(1) } else { VertexRate::Vertex };
        DrawStateDesc {
            vertex_bindings: if attributes {
                vec![VertexBinding { binding: 0, stride, rate }]
            } else {
                vec![]
            },
            vertex_attributes: if attributes {
                let (at, color) = (Format::R16G16_SNORM, Format::R8G8B8A8_UNORM);
                vec![
                    VertexAttribute { location: 0, binding: 0, format: at, offset: 0 },
                    VertexAttribute { location: 1, binding: 0, format: color, offset: 4 },
                ]
            } else {
                vec![]
            },
            topology: *self.r.pick(&topologies),
            cull: CullMode { front: false, back: self.r.one_in(4) },
            polygon_mode: *self.r.pick(&[
                PolygonMode::Fill,
                PolygonMode::Fill,
                PolygonMode::Fill,
                PolygonMode::Line,
            ]),
            depth_clamp: self.r.one_in(4),
            depth: DepthState {
                test: has(Aspects::DEPTH) && self.r.one_in(2),
                write: self.r.one_in(2),
                compare: *self.r.pick(&compares),
                bounds: has(Aspects::DEPTH) && self.r.one_in(6),
            },
            stencil_test: has(Aspects::STENCIL) && self.r.one_in(2),
            stencil: faces,
            blend,
            color_formats: colors.iter().copied().map(Some).collect(),
            depth_format: depth.filter(|_| has(Aspects::DEPTH)),
            stencil_format: depth.filter(|_| has(Aspects::STENCIL)),
            samples,
            sample_shading: samples > 1 && self.r.one_in(3),
            alpha_to_coverage: samples > 1 && self.r.one_in(4),
            ..DrawStateDesc::default()
        }
    }
}

impl Set {
    fn forget(&mut self, number: u32) {
        match number {
            0..=2 => self.buffers[number as usize] = None,
            3 => self.uniform = None,
            4 => self.texels = None,
            5 => self.storage = None,
            _ => self.sampled = None,
        }
    }
}

/// What a shader writes to an attachment.
fn output_type(format: &Format) -> &'static str {
    match format.info().numeric {
        Numeric::Uint => "uvec4",
        Numeric::Sint => "ivec4",
        _ => "vec4",
    }
}

/// A module of this text; compiled once.
fn shader(stage: Stage, text: &str) -> std::sync::Arc<Vec<u32>> {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex, OnceLock};
    static DONE: OnceLock<Mutex<HashMap<String, Arc<Vec<u32>>>>> = OnceLock::new();
    let mut done = DONE.get_or_init(Mutex::default).lock().unwrap_or_else(|e| e.into_inner());
    let compiled = done.entry(text.to_owned()).or_insert_with(|| {
        Arc::new(compile_glsl(text, stage, &Options::named("shader.glsl")).expect("a shader compiles"))
    });
    compiled.clone()
}
