//! Commands that synchronize, and commands of queries.
//!
//! Commands of a queue run in order, and each sees the writes of all earlier ones, so that barriers have an effect only
//! between the draws of a render pass.

use ash::vk;
use quadrille::image_layouts::{LayoutChange, LayoutUse};
use quadrille::{Barrier, BarrierOf, Buffer, CommandBuffer, Dependency, Event, Image, QueryPool};

use crate::command_buffer::list;
use crate::interface::chain::{Few, find, slice};
use crate::interface::convert::range;
use crate::interface::guard::commands;
use crate::interface::handle::get;
use crate::newer::{MemoryRangeBarrierKHR, MemoryRangeBarriersInfoKHR};

/// Returns the subject of an image barrier.
///
/// # Safety
/// The image is live.
unsafe fn of_image<'a>(
    image: vk::Image,
    texels: &vk::ImageSubresourceRange,
    layouts: [vk::ImageLayout; 2],
) -> BarrierOf<'a> {
    let layouts = layouts.map(vk::ImageLayout::as_raw);
    // SAFETY: the caller promises that the image is live.
    BarrierOf::Image { image: unsafe { get::<Image>(image) }, range: range(texels), layouts }
}

/// Converts the barriers of the first version of the command, all with the same stages.
///
/// # Safety
/// The objects in the barriers are live.
unsafe fn barriers<'a>(
    stages: [vk::PipelineStageFlags; 2],
    memory: &[vk::MemoryBarrier<'_>],
    buffers: &[vk::BufferMemoryBarrier<'_>],
    images: &[vk::ImageMemoryBarrier<'_>],
) -> Vec<Barrier<'a>> {
    // The first 32 bits of stages and accesses are the same in both versions.
    let [src_stages, dst_stages]: [u64; 2] = stages.map(|s| s.as_raw().into());
    let dependency = |src: vk::AccessFlags, dst: vk::AccessFlags| Dependency {
        src_stages,
        src_access: src.as_raw().into(),
        dst_stages,
        dst_access: dst.as_raw().into(),
    };
    // The stages alone are an execution dependency.
    let none = vk::AccessFlags::empty();
    let mut all = vec![Barrier { dependency: dependency(none, none), of: BarrierOf::Memory }];
    all.extend(memory.iter().map(|b| Barrier {
        dependency: dependency(b.src_access_mask, b.dst_access_mask),
        of: BarrierOf::Memory,
    }));
    // SAFETY: the caller promises that the objects are live.
    unsafe {
        all.extend(buffers.iter().map(|b| Barrier {
            dependency: dependency(b.src_access_mask, b.dst_access_mask),
            of: BarrierOf::Buffer { buffer: get::<Buffer>(b.buffer), offset: b.offset, size: b.size },
        }));
        all.extend(images.iter().map(|b| Barrier {
            dependency: dependency(b.src_access_mask, b.dst_access_mask),
            of: of_image(b.image, &b.subresource_range, [b.old_layout, b.new_layout]),
        }));
    }
    if all.len() > 1 {
        all.remove(0);
    }
    all
}

/// A barrier of a memory range, with the buffer of its address and the offset in it.
type RangeBarrier<'a> = (&'a MemoryRangeBarrierKHR, Buffer, u64);

/// Returns the memory range barriers of a dependency. Spec: Vulkan, VkMemoryRangeBarriersInfoKHR.
///
/// # Safety
/// The structure and its chain are valid.
unsafe fn range_barriers<'a>(list: &CommandBuffer, info: &vk::DependencyInfo<'a>) -> Vec<RangeBarrier<'a>> {
    // SAFETY: the caller promises a valid chain, whose structure has `memory_range_barrier_count` barriers.
    let all = unsafe {
        find::<MemoryRangeBarriersInfoKHR>(info.p_next)
            .map_or(&[][..], |r| slice(r.p_memory_range_barriers, r.memory_range_barrier_count))
    };
    let of = |b: &'a MemoryRangeBarrierKHR| {
        let (buffer, offset) = list.buffer_at(b.address_range.address).ok()?;
        Some((b, buffer, offset))
    };
    all.iter().filter_map(of).collect()
}

/// Converts the barriers of the second version of the command; `ranges` are those of memory ranges.
///
/// # Safety
/// The structure is valid, and its objects are live.
unsafe fn barriers2<'a>(info: &vk::DependencyInfo<'_>, ranges: &'a [RangeBarrier<'_>]) -> Vec<Barrier<'a>> {
    macro_rules! dependency {
        ($b:ident) => {
            Dependency {
                src_stages: $b.src_stage_mask.as_raw(),
                src_access: $b.src_access_mask.as_raw(),
                dst_stages: $b.dst_stage_mask.as_raw(),
                dst_access: $b.dst_access_mask.as_raw(),
            }
        };
    }
    // SAFETY: the caller promises that the structure is valid and its objects are live.
    unsafe {
        let memory = slice(info.p_memory_barriers, info.memory_barrier_count);
        let memory = memory.iter().map(|b| Barrier { dependency: dependency!(b), of: BarrierOf::Memory });
        let buffers = slice(info.p_buffer_memory_barriers, info.buffer_memory_barrier_count);
        let buffers = buffers.iter().map(|b| Barrier {
            dependency: dependency!(b),
            of: BarrierOf::Buffer { buffer: get::<Buffer>(b.buffer), offset: b.offset, size: b.size },
        });
        let images = slice(info.p_image_memory_barriers, info.image_memory_barrier_count);
        let images = images.iter().map(|b| Barrier {
            dependency: dependency!(b),
            of: of_image(b.image, &b.subresource_range, [b.old_layout, b.new_layout]),
        });
        let ranges = ranges.iter().map(|(b, buffer, offset)| Barrier {
            dependency: dependency!(b),
            of: BarrierOf::Buffer { buffer, offset: *offset, size: b.address_range.size },
        });
        memory.chain(buffers).chain(images).chain(ranges).collect()
    }
}

/// Returns the images of queue family ownership transfers. Both queues state the layouts, and either may run first, so
/// the layout is unknown in between.
///
/// # Safety
/// The images are live.
unsafe fn given<'a>(
    images: impl Iterator<Item = ([u32; 2], vk::Image, vk::ImageSubresourceRange)>,
) -> Vec<LayoutUse<'a>> {
    let given = images.filter(|([from, to], ..)| from != to);
    let of = |(_, image, texels)| LayoutUse {
        // SAFETY: the caller of this function promises that the images are live.
        image: unsafe { get::<Image>(image) },
        range: range(&texels),
        change: LayoutChange::Unknown,
    };
    given.map(of).collect()
}

commands! {
    fn cmd_pipeline_barrier(
        buffer: vk::CommandBuffer,
        src: vk::PipelineStageFlags,
        dst: vk::PipelineStageFlags,
        _flags: vk::DependencyFlags,
        n_memory: u32,
        memory: *const vk::MemoryBarrier<'_>,
        n_buffers: u32,
        buffers: *const vk::BufferMemoryBarrier<'_>,
        n_images: u32,
        images: *const vk::ImageMemoryBarrier<'_>,
    ) {
        let mut list = list(buffer);
        if !list.keeps_notes() {
            list.pipeline_barrier();
            return;
        }
        let (buffers, images) = (slice(buffers, n_buffers), slice(images, n_images));
        let of = |b: &vk::ImageMemoryBarrier<'_>| {
            ([b.src_queue_family_index, b.dst_queue_family_index], b.image, b.subresource_range)
        };
        list.uses_layouts(&given(images.iter().map(of)));
        list.pipeline_barriers(&barriers([src, dst], slice(memory, n_memory), buffers, images));
    }

    fn cmd_pipeline_barrier2(buffer: vk::CommandBuffer, info: *const vk::DependencyInfo<'_>) {
        let mut list = list(buffer);
        if !list.keeps_notes() {
            list.pipeline_barrier();
            return;
        }
        let of = |b: &vk::ImageMemoryBarrier2<'_>| {
            ([b.src_queue_family_index, b.dst_queue_family_index], b.image, b.subresource_range)
        };
        let images = slice((*info).p_image_memory_barriers, (*info).image_memory_barrier_count);
        list.uses_layouts(&given(images.iter().map(of)));
        let ranges = range_barriers(&list, &*info);
        list.pipeline_barriers(&barriers2(&*info, &ranges));
    }

    fn cmd_set_event(buffer: vk::CommandBuffer, event: vk::Event, stages: vk::PipelineStageFlags) {
        list(buffer).set_event_behind(get::<Event>(event), stages.as_raw().into());
    }

    fn cmd_set_event2(
        buffer: vk::CommandBuffer,
        event: vk::Event,
        _info: *const vk::DependencyInfo<'_>,
    ) {
        // The wait command repeats the first half of the dependency.
        list(buffer).set_event(get::<Event>(event));
    }

    fn cmd_reset_event(buffer: vk::CommandBuffer, event: vk::Event, _stages: vk::PipelineStageFlags) {
        list(buffer).reset_event(get::<Event>(event));
    }

    fn cmd_reset_event2(buffer: vk::CommandBuffer, event: vk::Event, _stages: vk::PipelineStageFlags2) {
        list(buffer).reset_event(get::<Event>(event));
    }

    fn cmd_wait_events(
        buffer: vk::CommandBuffer,
        n: u32,
        events: *const vk::Event,
        src: vk::PipelineStageFlags,
        dst: vk::PipelineStageFlags,
        n_memory: u32,
        memory: *const vk::MemoryBarrier<'_>,
        n_buffers: u32,
        buffers: *const vk::BufferMemoryBarrier<'_>,
        n_images: u32,
        images: *const vk::ImageMemoryBarrier<'_>,
    ) {
        let (mut list, n) = (list(buffer), n as usize);
        let events: Few<&Event> = slice(events, n as u32).iter().map(|&e| get::<Event>(e)).collect();
        if !list.keeps_notes() {
            list.wait_events(&events).pipeline_barrier();
            return;
        }
        let (buffers, images) = (slice(buffers, n_buffers), slice(images, n_images));
        let all = barriers([src, dst], slice(memory, n_memory), buffers, images);
        // Each dependency applies to all of the events.
        let each: Vec<_> = (0..n).flat_map(|i| all.iter().map(move |b| (i, *b))).collect();
        list.wait_events_with(&events, &each);
    }

    fn cmd_wait_events2(
        buffer: vk::CommandBuffer,
        n: u32,
        events: *const vk::Event,
        infos: *const vk::DependencyInfo<'_>,
    ) {
        let mut list = list(buffer);
        let events: Few<&Event> = slice(events, n).iter().map(|&e| get::<Event>(e)).collect();
        if !list.keeps_notes() {
            list.wait_events(&events).pipeline_barrier();
            return;
        }
        let infos = slice(infos, n);
        let ranges: Vec<_> = infos.iter().map(|info| range_barriers(&list, info)).collect();
        let all = infos.iter().zip(&ranges).map(|(info, ranges)| barriers2(info, ranges));
        let each: Vec<_> = all.enumerate().flat_map(|(i, all)| all.into_iter().map(move |b| (i, b))).collect();
        list.wait_events_with(&events, &each);
    }

    fn cmd_begin_query(
        buffer: vk::CommandBuffer,
        pool: vk::QueryPool,
        query: u32,
        _flags: vk::QueryControlFlags,
    ) {
        list(buffer).begin_query(get::<QueryPool>(pool), query);
    }

    fn cmd_end_query(buffer: vk::CommandBuffer, pool: vk::QueryPool, query: u32) {
        list(buffer).end_query(get::<QueryPool>(pool), query);
    }

    fn cmd_reset_query_pool(buffer: vk::CommandBuffer, pool: vk::QueryPool, first: u32, n: u32) {
        list(buffer).reset_query_pool(get::<QueryPool>(pool), first, n);
    }

    fn cmd_write_timestamp(
        buffer: vk::CommandBuffer,
        _stage: vk::PipelineStageFlags,
        pool: vk::QueryPool,
        query: u32,
    ) {
        list(buffer).write_timestamp(get::<QueryPool>(pool), query);
    }

    fn cmd_write_timestamp2(
        buffer: vk::CommandBuffer,
        _stage: vk::PipelineStageFlags2,
        pool: vk::QueryPool,
        query: u32,
    ) {
        list(buffer).write_timestamp(get::<QueryPool>(pool), query);
    }

    fn cmd_copy_query_pool_results(
        buffer: vk::CommandBuffer,
        pool: vk::QueryPool,
        first: u32,
        n: u32,
        dst: vk::Buffer,
        offset: u64,
        stride: u64,
        flags: vk::QueryResultFlags,
    ) {
        use vk::QueryResultFlags as F;
        let options = [F::TYPE_64, F::WITH_AVAILABILITY, F::PARTIAL].map(|f| flags.contains(f));
        let source = (get::<QueryPool>(pool), first, n);
        list(buffer).copy_query_pool_results(source, (get::<Buffer>(dst), offset, stride), options);
    }
}
