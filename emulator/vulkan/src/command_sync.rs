//! Commands that synchronize, and commands of queries.
//!
//! Commands of a queue take effect in order and their writes are visible to the next one, so that
//! barriers have something to do only between the draws of a render pass.

use ash::vk;
use quadrille::{Buffer, Event, QueryPool};

use crate::chain::slice;
use crate::command::list;
use crate::guard::commands;
use crate::handle::get;

unsafe fn wait_events(buffer: vk::CommandBuffer, events: &[vk::Event]) {
    // SAFETY: the callers are the commands.
    unsafe {
        let events: Vec<&Event> = events.iter().map(|&e| get::<Event>(e)).collect();
        list(buffer).wait_events(&events).pipeline_barrier();
    }
}

commands! {
    fn cmd_pipeline_barrier(
        buffer: vk::CommandBuffer,
        _src: vk::PipelineStageFlags,
        _dst: vk::PipelineStageFlags,
        _flags: vk::DependencyFlags,
        _n_memory: u32,
        _memory: *const vk::MemoryBarrier<'_>,
        _n_buffers: u32,
        _buffers: *const vk::BufferMemoryBarrier<'_>,
        _n_images: u32,
        _images: *const vk::ImageMemoryBarrier<'_>,
    ) {
        list(buffer).pipeline_barrier();
    }

    fn cmd_pipeline_barrier2(buffer: vk::CommandBuffer, _info: *const vk::DependencyInfo<'_>) {
        list(buffer).pipeline_barrier();
    }

    fn cmd_set_event(buffer: vk::CommandBuffer, event: vk::Event, _stages: vk::PipelineStageFlags) {
        list(buffer).set_event(get::<Event>(event));
    }

    fn cmd_set_event2(
        buffer: vk::CommandBuffer,
        event: vk::Event,
        _info: *const vk::DependencyInfo<'_>,
    ) {
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
        _src: vk::PipelineStageFlags,
        _dst: vk::PipelineStageFlags,
        _n_memory: u32,
        _memory: *const vk::MemoryBarrier<'_>,
        _n_buffers: u32,
        _buffers: *const vk::BufferMemoryBarrier<'_>,
        _n_images: u32,
        _images: *const vk::ImageMemoryBarrier<'_>,
    ) {
        wait_events(buffer, slice(events, n));
    }

    fn cmd_wait_events2(
        buffer: vk::CommandBuffer,
        n: u32,
        events: *const vk::Event,
        _infos: *const vk::DependencyInfo<'_>,
    ) {
        wait_events(buffer, slice(events, n));
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
