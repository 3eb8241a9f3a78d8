//! Copies, fills, decompressions, blits, resolves and clears.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::super::model::{Effect, Range, Trust};
use super::formats::{aspects, class, is_compressed, is_depth, texel_bytes};
use super::record::Recorder;
use super::{Buf, Img};
use crate::random::Random;

/// Text of the compressed pages.
const PROSE: &[u8] = include_bytes!("../../../assets/gdeflate/prose.txt");
/// Pages of GDeflate with their contents.
const PAGES: [(&[u8], &[u8]); 3] = [
    (include_bytes!("../../../assets/gdeflate/short_9.gdeflate"), PROSE.split_at(40).0),
    (include_bytes!("../../../assets/gdeflate/prose_0.gdeflate"), PROSE),
    (include_bytes!("../../../assets/gdeflate/prose_12.gdeflate"), PROSE),
];

impl Recorder<'_, '_> {
    pub(super) fn copy_buffer(&mut self) {
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
            // A region must not write bytes that any region reads or writes.
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
        // SAFETY: the regions lie within live buffers and do not overlap.
        unsafe { self.d.cmd_copy_buffer(self.c, src.buffer, dst.buffer, &regions) };
        self.did("vkCmdCopyBuffer");
        self.uses_buffer(&src);
        self.uses_buffer(&dst);
        effects.into_iter().for_each(|e| self.effect(e));
    }

    pub(super) fn fill_buffer(&mut self) {
        let Some(dst) = self.buffer() else { return };
        let words = dst.range.size / 4;
        let at = self.r.below(words);
        let n = 1 + self.r.below(words - at);
        let (size, word) = (4 * n as u64, self.r.bits() as u32);
        let size = if at + n == words && self.r.one_in(2) { vk::WHOLE_SIZE } else { size };
        // SAFETY: the range lies within a live buffer, and its bounds are multiples of 4.
        unsafe { self.d.cmd_fill_buffer(self.c, dst.buffer, 4 * at as u64, size, word) };
        self.did("vkCmdFillBuffer");
        self.uses_buffer(&dst);
        self.effect(Effect::Fill(Range { at: dst.range.at + 4 * at, size: 4 * n, ..dst.range }, word));
    }

    pub(super) fn update_buffer(&mut self) {
        let Some(dst) = self.buffer() else { return };
        let words = dst.range.size / 4;
        let at = self.r.below(words);
        let n = 1 + self.r.below((words - at).min(40));
        let words: Vec<u32> = (0..n).map(|_| self.r.bits() as u32).collect();
        self.update(&dst, 4 * at, &words);
    }

    pub(super) fn update(&mut self, dst: &Buf, at: usize, words: &[u32]) {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        // SAFETY: the range lies within a live buffer, and its bounds are multiples of 4.
        unsafe { self.d.cmd_update_buffer(self.c, dst.buffer, at as u64, &bytes) };
        self.did("vkCmdUpdateBuffer");
        self.uses_buffer(dst);
        self.effect(Effect::Update(Range { at: dst.range.at + at, size: bytes.len(), ..dst.range }, bytes));
    }

    /// Decompresses a page, undamaged or with a wrong bit.
    pub(super) fn decompress(&mut self) {
        let (page, contents) = PAGES[self.r.below(PAGES.len())];
        let (Some(src), Some(dst)) = (self.buffer(), self.buffer()) else { return };
        let most = contents.len() + 4 * self.r.below(10);
        let (Some(from), Some(to)) = (self.place(&src, page.len()), self.place(&dst, most)) else { return };
        if from.overlaps(&to) {
            return;
        }
        let (mut page, damaged) = (page.to_vec(), self.r.one_in(4));
        if damaged {
            let byte = self.r.below(page.len());
            page[byte] ^= 1 << self.r.below(8);
        }
        let words: Vec<u32> =
            page.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        self.update(&src, from.at - src.range.at, &words);
        self.barrier();
        let region = vk::DecompressMemoryRegionNV {
            src_address: src.address + (from.at - src.range.at) as u64,
            dst_address: dst.address + (to.at - dst.range.at) as u64,
            compressed_size: page.len() as u64,
            decompressed_size: most as u64,
            decompression_method: vk::MemoryDecompressionMethodFlagsNV::GDEFLATE_1_0,
        };
        // SAFETY: the region lies within live buffers, its addresses are multiples of 4, and the two parts do not overlap.
        unsafe { self.w.shared.client.decompression.cmd_decompress_memory(self.c, &[region]) };
        self.did("vkCmdDecompressMemoryNV");
        self.uses_buffer(&dst);
        self.effect(match damaged {
            // Bytes behind the damage remain as they are.
            true => Effect::Doubt(to, Trust::Any),
            false => Effect::Update(Range { size: contents.len(), ..to }, contents.to_vec()),
        });
    }

    /// Chooses a range of a buffer that begins at a multiple of 4.
    fn place(&mut self, of: &Buf, size: usize) -> Option<Range> {
        let room = of.range.size.checked_sub(size)?;
        Some(Range { at: of.range.at + 4 * self.r.below(room / 4 + 1), size, ..of.range })
    }

    pub(super) fn copy_with_image(&mut self, to_image: bool) {
        let (Some(img), Some(buf)) = (self.image().filter(|i| i.samples == 1), self.buffer()) else { return };
        let mut region = region(&mut self.r, &img);
        let bytes = region_bytes(&img, &region);
        if bytes > buf.range.size as u64 {
            return;
        }
        // A common multiple of 4 and the texel size.
        let step =
            texel_bytes(img.format).max(4) * if texel_bytes(img.format).is_multiple_of(4) { 1 } else { 4 };
        let at = self.r.below(((buf.range.size as u64 - bytes) / step) as usize + 1) as u64 * step;
        region.buffer_offset = at;
        let general = vk::ImageLayout::GENERAL;
        self.uses(&[img.uid, img.memory]);
        self.uses_buffer(&buf);
        if to_image {
            // SAFETY: the region lies within the image and the buffer, and no rendering scope is open.
            unsafe { self.d.cmd_copy_buffer_to_image(self.c, buf.buffer, img.image, general, &[region]) };
            self.did("vkCmdCopyBufferToImage");
        } else {
            // SAFETY: the region lies within the image and the buffer, and no rendering scope is open.
            unsafe { self.d.cmd_copy_image_to_buffer(self.c, img.image, general, buf.buffer, &[region]) };
            self.did("vkCmdCopyImageToBuffer");
            let range = Range { at: buf.range.at + at as usize, size: bytes as usize, ..buf.range };
            self.effect(Effect::Doubt(range, Trust::Same));
        }
    }

    pub(super) fn partner(&mut self, of: &Img, fits: impl Fn(&Img) -> bool) -> Option<Img> {
        let list: Vec<&Img> = self.w.images.iter().filter(|i| i.uid != of.uid && fits(i)).collect();
        list.get(self.r.below(list.len().max(1))).map(|i| **i)
    }

    pub(super) fn copy_image(&mut self) {
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
        let aspects = aspects(src.format);
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
        // SAFETY: the images are live and compatible, and the regions lie within them.
        unsafe { self.d.cmd_copy_image(self.c, src.image, general, dst.image, general, &[copy]) };
        self.did("vkCmdCopyImage");
        self.uses(&[src.uid, src.memory, dst.uid, dst.memory]);
    }

    pub(super) fn blit_image(&mut self) {
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
            formats && i.samples == 1 && client.features(i.format).contains(F::BLIT_DST)
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
        let aspects = aspects(src.format);
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
        let flat = src.ty == vk::ImageType::TYPE_2D && features.contains(F::SAMPLED_IMAGE_FILTER_CUBIC_EXT);
        let filter = match linear {
            true if flat && self.r.one_in(2) => vk::Filter::CUBIC_EXT,
            true => vk::Filter::LINEAR,
            false => vk::Filter::NEAREST,
        };
        let general = vk::ImageLayout::GENERAL;
        // SAFETY: the images are live, their formats support blits, and the regions lie within them.
        unsafe { self.d.cmd_blit_image(self.c, src.image, general, dst.image, general, &[blit], filter) };
        self.did("vkCmdBlitImage");
        self.uses(&[src.uid, src.memory, dst.uid, dst.memory]);
    }

    pub(super) fn resolve_image(&mut self) {
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
        // SAFETY: the images are live and have the same format, and only the source is multisampled.
        unsafe { self.d.cmd_resolve_image(self.c, src.image, general, dst.image, general, &[region]) };
        self.did("vkCmdResolveImage");
        self.uses(&[src.uid, src.memory, dst.uid, dst.memory]);
    }

    pub(super) fn clear_image(&mut self) {
        let Some(img) = self.image().filter(|i| !is_compressed(i.format)) else { return };
        let base_mip_level = self.r.below(img.levels as usize) as u32;
        let base_array_layer = self.r.below(img.layers as usize) as u32;
        let range = vk::ImageSubresourceRange {
            aspect_mask: aspects(img.format),
            base_mip_level,
            level_count: vk::REMAINING_MIP_LEVELS,
            base_array_layer,
            layer_count: vk::REMAINING_ARRAY_LAYERS,
        };
        let general = vk::ImageLayout::GENERAL;
        self.uses(&[img.uid, img.memory]);
        if is_depth(img.format) {
            let value = vk::ClearDepthStencilValue { depth: self.r.below(9) as f32 / 8.0, stencil: 5 };
            // SAFETY: the image is live, has a depth format and is in the general layout.
            unsafe { self.d.cmd_clear_depth_stencil_image(self.c, img.image, general, &value, &[range]) };
            self.did("vkCmdClearDepthStencilImage");
        } else {
            let value = match class(img.format) {
                0 => vk::ClearColorValue { float32: [(); 4].map(|()| self.r.below(100) as f32 / 90.0) },
                _ => vk::ClearColorValue { uint32: [(); 4].map(|()| self.r.below(100) as u32) },
            };
            // SAFETY: the image is live, has a colour format and is in the general layout.
            unsafe { self.d.cmd_clear_color_image(self.c, img.image, general, &value, &[range]) };
            self.did("vkCmdClearColorImage");
        }
    }
}

/// Returns a random region of an image for copies.
pub(super) fn region(r: &mut Random, img: &Img) -> vk::BufferImageCopy {
    let level = r.below(img.levels as usize) as u32;
    let size = img.extent.map(|e| (e >> level).max(1));
    let base = r.below(img.layers as usize) as u32;
    let layers = 1 + r.below((img.layers - base) as usize) as u32;
    let aspects = aspects(img.format);
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

/// Returns an upper bound of the number of buffer bytes that a region accesses.
fn region_bytes(img: &Img, r: &vk::BufferImageCopy) -> u64 {
    let [bw, bh, bd] = quadrille::Format::from_vk(img.format.as_raw() as u32).map_or([1; 3], |f| f.block());
    let of = |pitch: u32, extent: u32, block: u32| {
        u64::from(if pitch == 0 { extent } else { pitch }.div_ceil(block))
    };
    let width = of(r.buffer_row_length, r.image_extent.width, bw);
    let height = of(r.buffer_image_height, r.image_extent.height, bh);
    let slices = u64::from(r.image_extent.depth.div_ceil(bd).max(r.image_subresource.layer_count));
    width * height * slices * texel_bytes(img.format)
}
