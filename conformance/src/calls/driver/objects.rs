//! Memory, buffers, images, views, samplers, queries and targets.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::super::model::{Bytes, Range};
use super::formats::{COLORS, DEPTHS, FORMATS, aspects, class, is_compressed, is_depth};
use super::tools::{WideFlags, WideUsage};
use super::{Buf, Img, Mem, Queries, Target, TexelView, UNFOLLOWED, View, World};
use crate::random::Random;

/// Maximum number of objects of a kind.
pub(super) const MOST: usize = 20;

impl World<'_> {
    /// Allocates and maps memory of this size; `followed` makes the model track it.
    pub(super) fn allocate(&mut self, size: u64, followed: bool) -> Option<usize> {
        let d = &self.shared.client.device;
        let placed = super::placed::OFFERED && self.r.one_in(4);
        let size = if placed { size.next_multiple_of(super::placed::ALIGNMENT) } else { size };
        let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut info = vk::MemoryAllocateInfo::default().allocation_size(size).memory_type_index(0);
        if followed {
            info = info.push_next(&mut flags);
        }
        // SAFETY: the parameters are valid and outlive the call; memory type 0 exists and is host-visible.
        let memory = unsafe { d.allocate_memory(&info, None) };
        let memory = self.judge("vkAllocateMemory", memory)?;
        self.expect_reported(memory, size);
        let place = if placed { super::placed::Place::new(size) } else { None };
        let mapped = if let Some(place) = &place {
            self.map_at(memory, place)?
        } else if self.r.one_in(3) {
            self.map_by_structure(memory)?
        } else {
            // SAFETY: the memory was just allocated from a host-visible type, and is not mapped yet.
            let mapped = unsafe { d.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()) };
            self.judge("vkMapMemory", mapped)?.cast::<u8>()
        };
        // Vulkan leaves the contents of new memory undefined. SAFETY: the range is the whole mapping, which nothing
        // else uses yet.
        unsafe { mapped.write_bytes(0, size as usize) };
        let number = if followed {
            self.model.push(Bytes::new(size as usize));
            self.model.len() - 1
        } else {
            UNFOLLOWED
        };
        let uid = self.uid();
        let (size, bound) = (size as usize, Vec::new());
        self.memories.push(Mem { uid, memory, mapped, place, number, size, bound });
        Some(self.memories.len() - 1)
    }

    /// Creates one or several buffers in one allocation.
    pub(super) fn make_buffer(&mut self) {
        if self.buffers.len() >= MOST {
            return;
        }
        use vk::BufferUsageFlags as U;
        let all = U::TRANSFER_SRC
            | U::TRANSFER_DST
            | U::UNIFORM_BUFFER
            | U::STORAGE_BUFFER
            | U::UNIFORM_TEXEL_BUFFER
            | U::VERTEX_BUFFER
            | U::INDEX_BUFFER
            | U::INDIRECT_BUFFER
            | U::SHADER_DEVICE_ADDRESS
            | U::CONDITIONAL_RENDERING_EXT
            | U::TRANSFORM_FEEDBACK_BUFFER_EXT
            | U::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT;
        let mut made = Vec::new();
        let mut total = 0;
        for _ in 0..[1, 1, 1, 2, 4][self.r.below(5)] {
            let size = match self.r.below(8) {
                0 => 4 + 4 * self.r.below(16) as u64,
                1 => 4096,
                2 => 8 << 10,
                _ => 64 + 4 * self.r.below(512) as u64,
            };
            let info = vk::BufferCreateInfo::default().size(size).usage(all);
            // SAFETY: the device is live; size and usage are valid.
            let buffer = unsafe { self.shared.client.device.create_buffer(&info, None) };
            let Some(buffer) = self.judge("vkCreateBuffer", buffer) else { return };
            // SAFETY: the buffer was just created.
            let needs = unsafe { self.shared.client.device.get_buffer_memory_requirements(buffer) };
            self.expect_requirements(&info, &needs);
            let at = u64::next_multiple_of(total, needs.alignment);
            total = at + needs.size;
            made.push((buffer, at, size));
        }
        let Some(m) = self.allocate(total, true) else { return };
        for (buffer, at, size) in made {
            // SAFETY: the memory is live, and offset and size satisfy the buffer's memory requirements.
            let bound =
                unsafe { self.shared.client.device.bind_buffer_memory(buffer, self.memories[m].memory, at) };
            self.judge("vkBindBufferMemory", bound);
            let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
            // SAFETY: the buffer is bound to memory, and was created with the device address usage.
            let address = unsafe { self.shared.client.address.get_buffer_device_address(&info) };
            self.tally.count("vkGetBufferDeviceAddressKHR", address != 0, 1);
            let uid = self.uid();
            let memory = &mut self.memories[m];
            memory.bound.push(uid);
            let range = Range { memory: memory.number, at: at as usize, size: size as usize };
            self.buffers.push(Buf { uid, buffer, range, memory: memory.uid, address });
        }
    }

    pub(super) fn make_image(&mut self) {
        if self.images.len() >= MOST {
            return;
        }
        let format = *self.r.pick(FORMATS);
        let flat = is_depth(format) || is_compressed(format);
        let ty = match self.r.below(8) {
            0 if !flat => vk::ImageType::TYPE_1D,
            1 if !flat => vk::ImageType::TYPE_3D,
            _ => vk::ImageType::TYPE_2D,
        };
        let side = [4, 8, 16, 20, 36, 64][self.r.below(6)];
        let tall = if self.r.one_in(3) { 4 * (1 + self.r.below(8) as u32) } else { side };
        let extent = match ty {
            vk::ImageType::TYPE_1D => [side, 1, 1],
            vk::ImageType::TYPE_3D => [side.min(16), tall.min(16), 1 + self.r.below(8) as u32],
            _ => [side, tall, 1],
        };
        let attachable = self.usage(format).intersects(
            vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        );
        let samples = if ty == vk::ImageType::TYPE_2D && attachable && self.r.one_in(6) { 4 } else { 1 };
        let most = 32 - extent[0].max(extent[1]).leading_zeros();
        let levels = if samples > 1 { 1 } else { 1 + self.r.below(most.min(4) as usize) as u32 };
        let layers = if ty == vk::ImageType::TYPE_3D { 1 } else { [1, 1, 2, 6][self.r.below(4)] };
        self.image(ty, format, extent, levels, layers, samples);
    }

    /// Returns every image usage that a format supports.
    fn usage(&self, format: vk::Format) -> vk::ImageUsageFlags {
        use vk::{FormatFeatureFlags as F, ImageUsageFlags as U};
        let features = self.shared.client.features(format);
        let mut usage = U::empty();
        for (feature, use_) in [
            (F::TRANSFER_SRC, U::TRANSFER_SRC),
            (F::TRANSFER_DST, U::TRANSFER_DST),
            (F::SAMPLED_IMAGE, U::SAMPLED),
            (F::STORAGE_IMAGE, U::STORAGE),
            (F::COLOR_ATTACHMENT, U::COLOR_ATTACHMENT),
            (F::DEPTH_STENCIL_ATTACHMENT, U::DEPTH_STENCIL_ATTACHMENT),
            (F::FRAGMENT_DENSITY_MAP_EXT, U::FRAGMENT_DENSITY_MAP_EXT),
        ] {
            if features.contains(feature) {
                usage |= use_;
            }
        }
        usage
    }

    /// Creates an image, transitions it to the general layout and clears it to zero.
    pub(super) fn image(
        &mut self,
        ty: vk::ImageType,
        format: vk::Format,
        extent: [u32; 3],
        levels: u32,
        layers: u32,
        samples: u32,
    ) -> Option<Img> {
        let mut usage = self.usage(format);
        if samples > 1 {
            usage &= !vk::ImageUsageFlags::STORAGE;
        }
        // Attachments and density maps may be used with offsets of a map.
        let flags = match ty {
            vk::ImageType::TYPE_2D => vk::ImageCreateFlags::FRAGMENT_DENSITY_MAP_OFFSET_QCOM,
            _ => vk::ImageCreateFlags::empty(),
        };
        // Flags of 64 bits replace those of the structure.
        let wide = self.r.one_in(3).then(|| {
            let usage = Box::new(WideUsage::new(usage, std::ptr::null()));
            let flags = WideFlags::new(flags, (&raw const *usage).cast());
            (flags, usage)
        });
        let (flags, usage_bits) = if wide.is_some() { Default::default() } else { (flags, usage) };
        let mut info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(ty)
            .format(format)
            .extent(vk::Extent3D { width: extent[0], height: extent[1], depth: extent[2] })
            .mip_levels(levels)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::from_raw(samples))
            .usage(usage_bits);
        if let Some((flags, _)) = &wide {
            info.p_next = std::ptr::from_ref(flags).cast();
        }
        // SAFETY: the device is live, and the generator checked that the format supports these parameters.
        let image = unsafe { self.shared.client.device.create_image(&info, None) };
        let image = self.judge("vkCreateImage", image)?;
        // SAFETY: the image was just created.
        let needs = unsafe { self.shared.client.device.get_image_memory_requirements(image) };
        let at = needs.alignment * self.r.below(2) as u64;
        let m = self.allocate(at + needs.size, false)?;
        // SAFETY: the memory is live, and offset and size satisfy the image's memory requirements.
        let bound =
            unsafe { self.shared.client.device.bind_image_memory(image, self.memories[m].memory, at) };
        self.judge("vkBindImageMemory", bound)?;
        let uid = self.uid();
        self.memories[m].bound.push(uid);
        let memory = self.memories[m].uid;
        let img = Img { uid, image, memory, ty, format, extent, levels, layers, samples, usage };
        self.images.push(img);
        self.prepare_image(&img);
        Some(img)
    }

    pub(super) fn make_view(&mut self) {
        let Some(i) = self.index(self.images.len()) else { return };
        if self.views.len() >= 2 * MOST {
            return;
        }
        let of = self.images[i];
        use vk::ImageViewType as T;
        let array = self.r.one_in(3);
        let base_layer = self.r.below(of.layers as usize) as u32;
        let ty = match of.ty {
            vk::ImageType::TYPE_1D => {
                if array {
                    T::TYPE_1D_ARRAY
                } else {
                    T::TYPE_1D
                }
            }
            vk::ImageType::TYPE_3D => T::TYPE_3D,
            _ => {
                if array {
                    T::TYPE_2D_ARRAY
                } else {
                    T::TYPE_2D
                }
            }
        };
        let layers = if array && of.ty != vk::ImageType::TYPE_3D { of.layers - base_layer } else { 1 };
        let base_level = self.r.below(of.levels as usize) as u32;
        let levels = 1 + self.r.below((of.levels - base_level) as usize) as u32;
        let aspect =
            if is_depth(of.format) { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR };
        let range = vk::ImageSubresourceRange {
            aspect_mask: aspect,
            base_mip_level: base_level,
            level_count: levels,
            base_array_layer: base_layer,
            layer_count: layers,
        };
        self.view(&of, ty, range, false);
    }

    pub(super) fn view(
        &mut self,
        of: &Img,
        ty: vk::ImageViewType,
        range: vk::ImageSubresourceRange,
        attachment: bool,
    ) -> Option<View> {
        if !of.usage.intersects(
            vk::ImageUsageFlags::SAMPLED
                | vk::ImageUsageFlags::STORAGE
                | vk::ImageUsageFlags::COLOR_ATTACHMENT
                | vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
        ) {
            return None;
        }
        // The device reads the map of a scope; commands write it until then.
        let flags = match attachment && of.usage.contains(vk::ImageUsageFlags::FRAGMENT_DENSITY_MAP_EXT) {
            true => vk::ImageViewCreateFlags::FRAGMENT_DENSITY_MAP_DYNAMIC_EXT,
            false => vk::ImageViewCreateFlags::empty(),
        };
        let info = vk::ImageViewCreateInfo::default()
            .flags(flags)
            .image(of.image)
            .view_type(ty)
            .format(of.format)
            .subresource_range(range);
        // SAFETY: the image is live and bound to memory, and the range and format are valid for it.
        let view = unsafe { self.shared.client.device.create_image_view(&info, None) };
        let view = self.judge("vkCreateImageView", view)?;
        let flat = ty == vk::ImageViewType::TYPE_2D && of.samples == 1 && !attachment;
        let linear = self
            .shared
            .client
            .features(of.format)
            .contains(vk::FormatFeatureFlags::SAMPLED_IMAGE_FILTER_LINEAR);
        let sampled =
            flat && linear && of.usage.contains(vk::ImageUsageFlags::SAMPLED) && class(of.format) == 0;
        let storage = flat && range.level_count == 1 && of.format == vk::Format::R8G8B8A8_UNORM;
        let uid = self.uid();
        let view = View { uid, view, image: of.uid, attachment, sampled, storage };
        self.views.push(view);
        Some(view)
    }

    pub(super) fn make_texel_view(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        let of = self.buffers[i];
        if self.texel_views.len() >= MOST || of.range.size < 16 {
            return;
        }
        let offset = 16 * self.r.below(of.range.size / 16);
        let size = 4 * (1 + self.r.below((of.range.size - offset) / 4));
        let info = vk::BufferViewCreateInfo::default()
            .buffer(of.buffer)
            .format(vk::Format::R32_UINT)
            .offset(offset as u64)
            .range(size as u64);
        // SAFETY: the buffer is live, and offset, size and format are valid for it.
        let view = unsafe { self.shared.client.device.create_buffer_view(&info, None) };
        if let Some(view) = self.judge("vkCreateBufferView", view) {
            let range = Range { at: of.range.at + offset, size, ..of.range };
            let uid = self.uid();
            self.texel_views.push(TexelView { uid, view, buffer: of.uid, range });
        }
    }

    pub(super) fn make_sampler(&mut self) {
        if self.samplers.len() >= 8 {
            return;
        }
        let filter = |r: &mut Random| if r.one_in(2) { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let modes = [
            vk::SamplerAddressMode::REPEAT,
            vk::SamplerAddressMode::MIRRORED_REPEAT,
            vk::SamplerAddressMode::CLAMP_TO_EDGE,
            vk::SamplerAddressMode::CLAMP_TO_BORDER,
        ];
        let anisotropic = self.r.one_in(4);
        let info = vk::SamplerCreateInfo::default()
            .mag_filter(filter(&mut self.r))
            .min_filter(filter(&mut self.r))
            .mipmap_mode(vk::SamplerMipmapMode::from_raw(self.r.below(2) as i32))
            .address_mode_u(*self.r.pick(&modes))
            .address_mode_v(*self.r.pick(&modes))
            .mip_lod_bias(self.r.below(5) as f32 - 2.0)
            .anisotropy_enable(anisotropic)
            .max_anisotropy(4.0)
            .max_lod(vk::LOD_CLAMP_NONE)
            .border_color(vk::BorderColor::FLOAT_OPAQUE_WHITE);
        // SAFETY: the device is live, and the parameters are valid.
        let sampler = unsafe { self.shared.client.device.create_sampler(&info, None) };
        if let Some(sampler) = self.judge("vkCreateSampler", sampler) {
            let uid = self.uid();
            self.samplers.push((uid, sampler));
        }
    }

    pub(super) fn make_queries(&mut self) {
        if self.queries.len() >= 6 {
            return;
        }
        // Any statistics except compute shader invocations, because compute shaders also run outside of rendering.
        let statistics = vk::QueryPipelineStatisticFlags::from_raw(match self.r.one_in(2) {
            true => 1 + self.r.below(7) as u32,
            false => (1 + self.r.below(0x3ff) as u32) | 1,
        });
        let (kind, values) = match self.r.below(5) {
            3 => (vk::QueryType::TRANSFORM_FEEDBACK_STREAM_EXT, 2),
            4 => (vk::QueryType::PRIMITIVES_GENERATED_EXT, 1),
            0 => (vk::QueryType::OCCLUSION, 1),
            1 => (vk::QueryType::TIMESTAMP, 1),
            _ => (vk::QueryType::PIPELINE_STATISTICS, statistics.as_raw().count_ones()),
        };
        let count = 1 + self.r.below(6) as u32;
        let mut info = vk::QueryPoolCreateInfo::default().query_type(kind).query_count(count);
        if kind == vk::QueryType::PIPELINE_STATISTICS {
            info = info.pipeline_statistics(statistics);
        }
        // SAFETY: the device is live and supports this query type with these parameters.
        let pool = unsafe { self.shared.client.device.create_query_pool(&info, None) };
        if let Some(pool) = self.judge("vkCreateQueryPool", pool) {
            let uid = self.uid();
            self.queries.push(Queries { uid, pool, kind, count, values });
        }
    }

    pub(super) fn make_target(&mut self) {
        if self.targets.len() >= 5 {
            return;
        }
        let size = [[16, 16], [32, 20], [64, 64], [8, 60]][self.r.below(4)];
        let samples = if self.r.one_in(4) { 4 } else { 1 };
        let n = [1, 1, 1, 2, 0][self.r.below(5)];
        let attachment = |w: &mut Self, format: vk::Format, samples: u32| {
            let img = w.image(vk::ImageType::TYPE_2D, format, [size[0], size[1], 1], 1, 1, samples)?;
            let range = vk::ImageSubresourceRange {
                aspect_mask: aspects(format),
                base_mip_level: 0,
                level_count: 1,
                base_array_layer: 0,
                layer_count: 1,
            };
            w.view(&img, vk::ImageViewType::TYPE_2D, range, true)
        };
        let (mut colors, mut formats) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let format = *self.r.pick(COLORS);
            let Some(view) = attachment(self, format, samples) else { return };
            colors.push(view);
            formats.push(format);
        }
        let resolve = match formats.first() {
            Some(&format) if samples > 1 && self.r.one_in(2) => attachment(self, format, 1),
            _ => None,
        };
        let mut depth = None;
        if n == 0 || self.r.one_in(2) {
            let format = *self.r.pick(DEPTHS);
            depth = attachment(self, format, samples).map(|v| (v, format));
        }
        if !colors.is_empty() || depth.is_some() {
            let density = if self.r.one_in(3) { self.make_density() } else { None };
            let formats = (formats, depth.map(|d| d.1), samples, density.is_some());
            let depth = depth.map(|d| d.0);
            self.targets.push(Target { colors, resolve, depth, density, formats, size });
            let last = self.targets.len() - 1;
            (0..2).for_each(|_| self.make_pipeline_for(last));
        }
    }
}
