//! Commands that take device addresses instead of buffers.
//!
//! An address identifies a buffer and an offset. Each command is recorded like its buffer form, with that buffer and
//! offset.

use std::ffi::c_void;

use ash::vk;
use quadrille::{Buffer, BufferCopy, BufferImageCopy, Image, ImageType, QueryPool, SubresourceLayers};
use smallvec::SmallVec;

use super::draw::index_type;
use crate::command_buffer::list;
use crate::command_buffer::with;
use crate::interface::chain::slice;
use crate::interface::convert::layers;
use crate::interface::convert::{extent, offset};
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::get;
use crate::layouts;
use crate::newer::{
    BindIndexBuffer3InfoKHR, BindTransformFeedbackBuffer2InfoEXT, BindVertexBuffer3InfoKHR,
    ConditionalRenderingBeginInfo2EXT, CopyDeviceMemoryImageInfoKHR, CopyDeviceMemoryInfoKHR,
    CopyMemoryIndirectInfoKHR, CopyMemoryToImageIndirectInfoKHR, DeviceAddressRangeKHR,
    DeviceMemoryImageCopyKHR, DispatchIndirect2InfoKHR, DrawIndirect2InfoKHR, DrawIndirectCount2InfoKHR,
    StridedDeviceAddressRangeKHR,
};

/// Returns the buffer that an address belongs to, and the byte offset in it.
///
/// # Safety
/// The command buffer is live, and recording is externally synchronized.
unsafe fn at(buffer: vk::CommandBuffer, address: u64) -> VkResult<(Buffer, u64)> {
    // SAFETY: the caller promises the conditions of `list`.
    unsafe { list(buffer) }.buffer_at(address).map_err(|e| code(&e))
}

/// Returns the buffer that an address belongs to, and the byte offset in it; `None` for a null address.
///
/// # Safety
/// The command buffer is live, and recording is externally synchronized.
unsafe fn at_or_null(buffer: vk::CommandBuffer, address: u64) -> VkResult<Option<(Buffer, u64)>> {
    // SAFETY: the caller promises the conditions of `at`.
    unsafe { (address != 0).then(|| at(buffer, address)).transpose() }
}

fn stride(range: &StridedDeviceAddressRangeKHR) -> u32 {
    u32::try_from(range.stride).unwrap_or(u32::MAX)
}

fn image_copy(r: &DeviceMemoryImageCopyKHR, buffer_offset: u64) -> BufferImageCopy {
    BufferImageCopy {
        buffer_offset,
        row_length: r.address_row_length,
        image_height: r.address_image_height,
        subresource: layers(&r.image_subresource),
        offset: offset(r.image_offset),
        extent: extent(r.image_extent),
    }
}

/// Records an indirect draw.
///
/// # Safety
/// The command buffer is live, and recording is externally synchronized.
unsafe fn draw_indirect(buffer: vk::CommandBuffer, indexed: bool, info: &DrawIndirect2InfoKHR) {
    let range = &info.address_range;
    // SAFETY: the caller promises the conditions of `at` and `with`.
    unsafe {
        with(buffer, at(buffer, range.address), |list, (source, from)| {
            list.draw_indirect(indexed, &source, from, None, info.draw_count, stride(range));
        });
    }
}

/// Records an indirect draw with the count in a buffer.
///
/// # Safety
/// The command buffer is live, and recording is externally synchronized.
unsafe fn draw_indirect_count(buffer: vk::CommandBuffer, indexed: bool, info: &DrawIndirectCount2InfoKHR) {
    let range = &info.address_range;
    // SAFETY: the caller promises the conditions of `at` and `with`.
    unsafe {
        let count = at(buffer, info.count_address_range.address);
        let both = at(buffer, range.address).and_then(|source| Ok((source, count?)));
        with(buffer, both, |list, ((source, from), (count, at))| {
            let count = Some((&count, at));
            list.draw_indirect(indexed, &source, from, count, info.max_draw_count, stride(range));
        });
    }
}

type Counters = SmallVec<[Option<(Buffer, u64)>; 4]>;

/// Returns the counters of transform feedback, each of which may be absent.
///
/// # Safety
/// The command buffer is live, recording is externally synchronized, and `infos` is null or has `n` elements.
unsafe fn counters(
    buffer: vk::CommandBuffer,
    n: u32,
    infos: *const BindTransformFeedbackBuffer2InfoEXT,
) -> VkResult<Counters> {
    // SAFETY: the caller promises the conditions of `at_or_null`, and that `infos` is null or has `n` elements.
    unsafe { slice(infos, n).iter().map(|i| at_or_null(buffer, i.address_range.address)).collect() }
}

/// Returns references to the counters, for recording.
fn named(counters: &Counters) -> SmallVec<[Option<(&Buffer, u64)>; 4]> {
    counters.iter().map(|c| c.as_ref().map(|(b, at)| (b, *at))).collect()
}

commands! {
    fn cmd_bind_index_buffer3(buffer: vk::CommandBuffer, info: *const BindIndexBuffer3InfoKHR) {
        let info = &*info;
        let found = at_or_null(buffer, info.address_range.address);
        let both = found.and_then(|found| Ok((found, index_type(info.index_type)?)));
        with(buffer, both, |list, (found, ty)| {
            match found {
                Some((index, from)) => list.bind_index_buffer2(&index, from, Some(info.address_range.size), ty),
                None => list.bind_null_index_buffer(ty),
            };
        });
    }

    fn cmd_bind_vertex_buffers3(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        infos: *const BindVertexBuffer3InfoKHR,
    ) {
        for (i, info) in slice(infos, n).iter().enumerate() {
            let range = &info.address_range;
            with(buffer, at_or_null(buffer, range.address), |list, found| {
                let source = found.as_ref().map(|(b, from)| (b, *from));
                let stride = (info.set_stride != 0).then(|| stride(range));
                list.bind_vertex_buffer2(first + i as u32, source, Some(range.size), stride);
            });
        }
    }

    fn cmd_draw_indirect2(buffer: vk::CommandBuffer, info: *const DrawIndirect2InfoKHR) {
        draw_indirect(buffer, false, &*info);
    }

    fn cmd_draw_indexed_indirect2(buffer: vk::CommandBuffer, info: *const DrawIndirect2InfoKHR) {
        draw_indirect(buffer, true, &*info);
    }

    fn cmd_draw_indirect_count2(buffer: vk::CommandBuffer, info: *const DrawIndirectCount2InfoKHR) {
        draw_indirect_count(buffer, false, &*info);
    }

    fn cmd_draw_indexed_indirect_count2(buffer: vk::CommandBuffer, info: *const DrawIndirectCount2InfoKHR) {
        draw_indirect_count(buffer, true, &*info);
    }

    fn cmd_draw_mesh_tasks_indirect2(buffer: vk::CommandBuffer, info: *const DrawIndirect2InfoKHR) {
        let info = &*info;
        with(buffer, at(buffer, info.address_range.address), |list, (source, from)| {
            list.draw_mesh_tasks_indirect(&source, from, info.draw_count, stride(&info.address_range));
        });
    }

    fn cmd_draw_mesh_tasks_indirect_count2(buffer: vk::CommandBuffer, info: *const DrawIndirectCount2InfoKHR) {
        let info = &*info;
        let count = at(buffer, info.count_address_range.address);
        let both = at(buffer, info.address_range.address).and_then(|source| Ok((source, count?)));
        with(buffer, both, |list, ((source, from), (count, at))| {
            let (most, stride) = (info.max_draw_count, stride(&info.address_range));
            list.draw_mesh_tasks_indirect_count(&source, from, (&count, at), most, stride);
        });
    }

    fn cmd_dispatch_indirect2(buffer: vk::CommandBuffer, info: *const DispatchIndirect2InfoKHR) {
        with(buffer, at(buffer, (*info).address_range.address), |list, (source, from)| {
            list.dispatch_indirect(&source, from);
        });
    }

    fn cmd_copy_memory(buffer: vk::CommandBuffer, info: *const CopyDeviceMemoryInfoKHR) {
        for r in slice((*info).p_regions, (*info).region_count) {
            let dst = at(buffer, r.dst_range.address);
            let both = at(buffer, r.src_range.address).and_then(|src| Ok((src, dst?)));
            with(buffer, both, |list, ((src, src_offset), (dst, dst_offset))| {
                let size = r.src_range.size.min(r.dst_range.size);
                list.copy_buffer(&src, &dst, &[BufferCopy { src_offset, dst_offset, size }]);
            });
        }
    }

    fn cmd_copy_memory_to_image(buffer: vk::CommandBuffer, info: *const CopyDeviceMemoryImageInfoKHR) {
        let info = &*info;
        let image = get::<Image>(info.image);
        for r in slice(info.p_regions, info.region_count) {
            with(buffer, at(buffer, r.address_range.address), |list, (src, from)| {
                let region = image_copy(r, from);
                layouts::layers(list, (image, r.image_layout), std::iter::once(region.subresource));
                list.copy_buffer_to_image(&src, image, &[region]);
            });
        }
    }

    fn cmd_copy_image_to_memory(buffer: vk::CommandBuffer, info: *const CopyDeviceMemoryImageInfoKHR) {
        let info = &*info;
        let image = get::<Image>(info.image);
        for r in slice(info.p_regions, info.region_count) {
            with(buffer, at(buffer, r.address_range.address), |list, (dst, to)| {
                let region = image_copy(r, to);
                layouts::layers(list, (image, r.image_layout), std::iter::once(region.subresource));
                list.copy_image_to_buffer(image, &dst, &[region]);
            });
        }
    }

    fn cmd_update_memory(
        buffer: vk::CommandBuffer,
        range: *const DeviceAddressRangeKHR,
        _flags: u32,
        size: u64,
        data: *const c_void,
    ) {
        let bytes = slice(data.cast::<u8>(), u32::try_from(size).unwrap_or(u32::MAX));
        with(buffer, at(buffer, (*range).address), |list, (dst, to)| {
            list.update_buffer(&dst, to, bytes);
        });
    }

    fn cmd_fill_memory(
        buffer: vk::CommandBuffer,
        range: *const DeviceAddressRangeKHR,
        _flags: u32,
        word: u32,
    ) {
        let range = &*range;
        with(buffer, at(buffer, range.address), |list, (dst, to)| {
            list.fill_buffer(&dst, to, Some(range.size), word);
        });
    }

    fn cmd_copy_query_pool_results_to_memory(
        buffer: vk::CommandBuffer,
        pool: vk::QueryPool,
        first: u32,
        n: u32,
        range: *const StridedDeviceAddressRangeKHR,
        _flags: u32,
        flags: vk::QueryResultFlags,
    ) {
        use vk::QueryResultFlags as F;
        let options = [F::TYPE_64, F::WITH_AVAILABILITY, F::PARTIAL].map(|f| flags.contains(f));
        let range = &*range;
        with(buffer, at(buffer, range.address), |list, (dst, to)| {
            let source = (get::<QueryPool>(pool), first, n);
            list.copy_query_pool_results(source, (&dst, to, range.stride), options);
        });
    }

    fn cmd_begin_conditional_rendering2(
        buffer: vk::CommandBuffer,
        info: *const ConditionalRenderingBeginInfo2EXT,
    ) {
        let info = &*info;
        let inverted = info.flags.contains(vk::ConditionalRenderingFlagsEXT::INVERTED);
        with(buffer, at(buffer, info.address_range.address), |list, (source, from)| {
            list.begin_conditional_rendering(&source, from, inverted);
        });
    }

    fn cmd_bind_transform_feedback_buffers2(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        infos: *const BindTransformFeedbackBuffer2InfoEXT,
    ) {
        for (i, info) in slice(infos, n).iter().enumerate() {
            let range = &info.address_range;
            with(buffer, at(buffer, range.address), |list, (b, from)| {
                list.bind_transform_feedback_buffers(first + i as u32, &[(&b, from, Some(range.size))]);
            });
        }
    }

    fn cmd_begin_transform_feedback2(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        infos: *const BindTransformFeedbackBuffer2InfoEXT,
    ) {
        with(buffer, counters(buffer, n, infos), |list, counters| {
            list.begin_transform_feedback(first, &named(&counters));
        });
    }

    fn cmd_end_transform_feedback2(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        infos: *const BindTransformFeedbackBuffer2InfoEXT,
    ) {
        with(buffer, counters(buffer, n, infos), |list, counters| {
            list.end_transform_feedback(first, &named(&counters));
        });
    }

    fn cmd_draw_indirect_byte_count2(
        buffer: vk::CommandBuffer,
        instances: u32,
        first_instance: u32,
        info: *const BindTransformFeedbackBuffer2InfoEXT,
        counter_offset: u32,
        stride: u32,
    ) {
        with(buffer, at(buffer, (*info).address_range.address), |list, (counter, from)| {
            let counter = (&counter, from);
            list.draw_indirect_byte_count((instances, first_instance), counter, counter_offset, stride);
        });
    }

    fn cmd_copy_memory_indirect(buffer: vk::CommandBuffer, info: *const CopyMemoryIndirectInfoKHR) {
        let info = &*info;
        let range = &info.copy_address_range;
        with(buffer, at(buffer, range.address), |list, (source, from)| {
            list.copy_memory_indirect((&source, from), range.stride, info.copy_count);
        });
    }

    fn cmd_copy_memory_to_image_indirect(
        buffer: vk::CommandBuffer,
        info: *const CopyMemoryToImageIndirectInfoKHR,
    ) {
        let info = &*info;
        let range = &info.copy_address_range;
        let all: Vec<_> = slice(info.p_image_subresources, info.copy_count).iter().map(layers).collect();
        with(buffer, at(buffer, range.address), |list, (source, from)| {
            let image = get::<Image>(info.dst_image);
            // The layers of a 3D image are its slices, all of which have the same layout.
            let written = all.iter().map(|&of| match image.desc().image_type {
                ImageType::D3 => SubresourceLayers { base_layer: 0, layers: 1, ..of },
                ImageType::D1 | ImageType::D2 => of,
            });
            layouts::layers(list, (image, info.dst_image_layout), written);
            list.copy_memory_to_image_indirect((&source, from), range.stride, image, &all);
        });
    }
}
