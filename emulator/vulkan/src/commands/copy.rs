//! Chapters "Clear Commands" and "Copy Commands".
//!
//! The two versions of each command differ only in the types of their regions, except that
//! the second version of a resolve may state the mode of each aspect.

use std::ffi::c_void;

use ash::vk;
use quadrille::{
    Buffer, BufferCopy, BufferImageCopy, Image, ImageBlit, ImageCopy, ImageResolve, SubresourceLayers,
};

use crate::command_buffer::list;
use crate::interface::chain::{few, find, slice};
use crate::interface::convert::{self, extent, layers, offset, range, resolve_mode};
use crate::interface::guard::commands;
use crate::interface::handle::get;
use crate::layouts;
use crate::newer::ResolveImageModeInfoKHR;

macro_rules! buffer_copies {
    ($regions:expr) => {
        $regions.iter().map(|r| BufferCopy {
            src_offset: r.src_offset,
            dst_offset: r.dst_offset,
            size: r.size,
        })
    };
}

macro_rules! image_copies {
    ($ty:ident, $regions:expr) => {
        $regions.iter().map(|r| $ty {
            src: layers(&r.src_subresource),
            src_offset: offset(r.src_offset),
            dst: layers(&r.dst_subresource),
            dst_offset: offset(r.dst_offset),
            extent: extent(r.extent),
        })
    };
}

macro_rules! buffer_image_copies {
    ($regions:expr) => {
        $regions.iter().map(|r| BufferImageCopy {
            buffer_offset: r.buffer_offset,
            row_length: r.buffer_row_length,
            image_height: r.buffer_image_height,
            subresource: layers(&r.image_subresource),
            offset: offset(r.image_offset),
            extent: extent(r.image_extent),
        })
    };
}

macro_rules! blits {
    ($regions:expr) => {
        $regions.iter().map(|r| ImageBlit {
            src: layers(&r.src_subresource),
            src_offsets: r.src_offsets.map(offset),
            dst: layers(&r.dst_subresource),
            dst_offsets: r.dst_offsets.map(offset),
        })
    };
}

/// Records a resolve for each aspect, with the mode of the aspect.
fn resolve_by(
    list: &mut quadrille::CommandBuffer,
    src: &Image,
    dst: &Image,
    regions: &[ImageResolve],
    modes: &ResolveImageModeInfoKHR,
) {
    use quadrille::Aspects as A;
    for (aspects, mode) in [
        (A::COLOR, modes.resolve_mode),
        (A::DEPTH, modes.resolve_mode),
        (A::STENCIL, modes.stencil_resolve_mode),
    ] {
        let Some(mode) = resolve_mode(mode) else { continue };
        let of = regions.iter().filter(|r| r.src.aspects.contains(aspects)).map(|r| ImageResolve {
            src: SubresourceLayers { aspects, ..r.src },
            dst: SubresourceLayers { aspects, ..r.dst },
            ..*r
        });
        let of: Vec<_> = of.collect();
        if !of.is_empty() {
            list.resolve_image_by(src, dst, &of, mode);
        }
    }
}

commands! {
    fn cmd_copy_buffer(
        buffer: vk::CommandBuffer,
        src: vk::Buffer,
        dst: vk::Buffer,
        n: u32,
        regions: *const vk::BufferCopy,
    ) {
        few!(regions = buffer_copies!(slice(regions, n)));
        list(buffer).copy_buffer(get::<Buffer>(src), get::<Buffer>(dst), &regions);
    }

    fn cmd_copy_buffer2(buffer: vk::CommandBuffer, info: *const vk::CopyBufferInfo2<'_>) {
        let info = &*info;
        few!(regions = buffer_copies!(slice(info.p_regions, info.region_count)));
        list(buffer).copy_buffer(get::<Buffer>(info.src_buffer), get::<Buffer>(info.dst_buffer), &regions);
    }

    fn cmd_copy_image(
        buffer: vk::CommandBuffer,
        src: vk::Image,
        src_layout: vk::ImageLayout,
        dst: vk::Image,
        dst_layout: vk::ImageLayout,
        n: u32,
        regions: *const vk::ImageCopy,
    ) {
        few!(regions = image_copies!(ImageCopy, slice(regions, n)));
        let (src, dst) = (get::<Image>(src), get::<Image>(dst));
        let mut list = list(buffer);
        layouts::between(&mut list, ((src, src_layout), (dst, dst_layout)), regions.iter().map(|r| (r.src, r.dst)));
        list.copy_image(src, dst, &regions);
    }

    fn cmd_copy_image2(buffer: vk::CommandBuffer, info: *const vk::CopyImageInfo2<'_>) {
        let info = &*info;
        few!(regions = image_copies!(ImageCopy, slice(info.p_regions, info.region_count)));
        let (src, dst) = (get::<Image>(info.src_image), get::<Image>(info.dst_image));
        let mut list = list(buffer);
        layouts::between(&mut list, ((src, info.src_image_layout), (dst, info.dst_image_layout)), regions.iter().map(|r| (r.src, r.dst)));
        list.copy_image(src, dst, &regions);
    }

    fn cmd_blit_image(
        buffer: vk::CommandBuffer,
        src: vk::Image,
        src_layout: vk::ImageLayout,
        dst: vk::Image,
        dst_layout: vk::ImageLayout,
        n: u32,
        regions: *const vk::ImageBlit,
        filter: vk::Filter,
    ) {
        few!(regions = blits!(slice(regions, n)));
        let (src, dst) = (get::<Image>(src), get::<Image>(dst));
        let mut list = list(buffer);
        layouts::between(&mut list, ((src, src_layout), (dst, dst_layout)), regions.iter().map(|r| (r.src, r.dst)));
        list.blit_image_by(src, dst, &regions, convert::filter(filter).unwrap_or_default());
    }

    fn cmd_blit_image2(buffer: vk::CommandBuffer, info: *const vk::BlitImageInfo2<'_>) {
        let info = &*info;
        few!(regions = blits!(slice(info.p_regions, info.region_count)));
        let (src, dst) = (get::<Image>(info.src_image), get::<Image>(info.dst_image));
        let mut list = list(buffer);
        layouts::between(&mut list, ((src, info.src_image_layout), (dst, info.dst_image_layout)), regions.iter().map(|r| (r.src, r.dst)));
        list.blit_image_by(src, dst, &regions, convert::filter(info.filter).unwrap_or_default());
    }

    fn cmd_copy_buffer_to_image(
        buffer: vk::CommandBuffer,
        src: vk::Buffer,
        dst: vk::Image,
        dst_layout: vk::ImageLayout,
        n: u32,
        regions: *const vk::BufferImageCopy,
    ) {
        few!(regions = buffer_image_copies!(slice(regions, n)));
        let (src, dst) = (get::<Buffer>(src), get::<Image>(dst));
        let mut list = list(buffer);
        layouts::layers(&mut list, (dst, dst_layout), regions.iter().map(|r| r.subresource));
        list.copy_buffer_to_image(src, dst, &regions);
    }

    fn cmd_copy_buffer_to_image2(
        buffer: vk::CommandBuffer,
        info: *const vk::CopyBufferToImageInfo2<'_>,
    ) {
        let info = &*info;
        few!(regions = buffer_image_copies!(slice(info.p_regions, info.region_count)));
        let (src, dst) = (get::<Buffer>(info.src_buffer), get::<Image>(info.dst_image));
        let mut list = list(buffer);
        layouts::layers(&mut list, (dst, info.dst_image_layout), regions.iter().map(|r| r.subresource));
        list.copy_buffer_to_image(src, dst, &regions);
    }

    fn cmd_copy_image_to_buffer(
        buffer: vk::CommandBuffer,
        src: vk::Image,
        src_layout: vk::ImageLayout,
        dst: vk::Buffer,
        n: u32,
        regions: *const vk::BufferImageCopy,
    ) {
        few!(regions = buffer_image_copies!(slice(regions, n)));
        let (src, dst) = (get::<Image>(src), get::<Buffer>(dst));
        let mut list = list(buffer);
        layouts::layers(&mut list, (src, src_layout), regions.iter().map(|r| r.subresource));
        list.copy_image_to_buffer(src, dst, &regions);
    }

    fn cmd_copy_image_to_buffer2(
        buffer: vk::CommandBuffer,
        info: *const vk::CopyImageToBufferInfo2<'_>,
    ) {
        let info = &*info;
        few!(regions = buffer_image_copies!(slice(info.p_regions, info.region_count)));
        let (src, dst) = (get::<Image>(info.src_image), get::<Buffer>(info.dst_buffer));
        let mut list = list(buffer);
        layouts::layers(&mut list, (src, info.src_image_layout), regions.iter().map(|r| r.subresource));
        list.copy_image_to_buffer(src, dst, &regions);
    }

    fn cmd_resolve_image(
        buffer: vk::CommandBuffer,
        src: vk::Image,
        src_layout: vk::ImageLayout,
        dst: vk::Image,
        dst_layout: vk::ImageLayout,
        n: u32,
        regions: *const vk::ImageResolve,
    ) {
        few!(regions = image_copies!(ImageResolve, slice(regions, n)));
        let (src, dst) = (get::<Image>(src), get::<Image>(dst));
        let mut list = list(buffer);
        layouts::between(&mut list, ((src, src_layout), (dst, dst_layout)), regions.iter().map(|r| (r.src, r.dst)));
        list.resolve_image(src, dst, &regions);
    }

    fn cmd_resolve_image2(buffer: vk::CommandBuffer, info: *const vk::ResolveImageInfo2<'_>) {
        let info = &*info;
        few!(regions = image_copies!(ImageResolve, slice(info.p_regions, info.region_count)));
        let (src, dst) = (get::<Image>(info.src_image), get::<Image>(info.dst_image));
        let mut list = list(buffer);
        layouts::between(&mut list, ((src, info.src_image_layout), (dst, info.dst_image_layout)), regions.iter().map(|r| (r.src, r.dst)));
        match find::<ResolveImageModeInfoKHR>(info.p_next) {
            None => {
                list.resolve_image(src, dst, &regions);
            }
            Some(modes) => resolve_by(&mut list, src, dst, &regions, modes),
        }
    }

    fn cmd_update_buffer(
        buffer: vk::CommandBuffer,
        dst: vk::Buffer,
        offset: u64,
        size: u64,
        data: *const c_void,
    ) {
        let bytes = slice(data.cast::<u8>(), u32::try_from(size).unwrap_or(u32::MAX));
        list(buffer).update_buffer(get::<Buffer>(dst), offset, bytes);
    }

    fn cmd_fill_buffer(buffer: vk::CommandBuffer, dst: vk::Buffer, offset: u64, size: u64, word: u32) {
        let size = (size != vk::WHOLE_SIZE).then_some(size);
        list(buffer).fill_buffer(get::<Buffer>(dst), offset, size, word);
    }

    fn cmd_clear_color_image(
        buffer: vk::CommandBuffer,
        image: vk::Image,
        layout: vk::ImageLayout,
        value: *const vk::ClearColorValue,
        n: u32,
        ranges: *const vk::ImageSubresourceRange,
    ) {
        few!(ranges = slice(ranges, n).iter().map(range));
        // Every member of the union consists of four words, so that `uint32` has the bits of any member.
        let (image, mut list) = (get::<Image>(image), list(buffer));
        layouts::ranges(&mut list, (image, layout), &ranges);
        list.clear_color_image(image, (*value).uint32, &ranges);
    }

    fn cmd_clear_depth_stencil_image(
        buffer: vk::CommandBuffer,
        image: vk::Image,
        layout: vk::ImageLayout,
        value: *const vk::ClearDepthStencilValue,
        n: u32,
        ranges: *const vk::ImageSubresourceRange,
    ) {
        few!(ranges = slice(ranges, n).iter().map(range));
        let value = *value;
        let (image, mut list) = (get::<Image>(image), list(buffer));
        layouts::ranges(&mut list, (image, layout), &ranges);
        list.clear_depth_stencil_image(image, value.depth, value.stencil, &ranges);
    }
}
