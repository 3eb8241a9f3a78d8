//! Commands of transform feedback, and indexed queries.

use ash::vk;
use quadrille::{Buffer, QueryPool};
use smallvec::SmallVec;

use crate::command_buffer::list;
use crate::interface::chain::slice;
use crate::interface::guard::commands;
use crate::interface::handle::{get, get_opt};

/// Returns element `i` of an array, or `None` if the array is null.
///
/// # Safety
/// `array` is null or has more than `i` elements.
unsafe fn at<T: Copy>(array: *const T, i: usize) -> Option<T> {
    // SAFETY: `array` is not null, so the caller promises that element `i` exists.
    (!array.is_null()).then(|| unsafe { array.add(i).read() })
}

type Counters<'a> = SmallVec<[Option<(&'a Buffer, u64)>; 4]>;

/// Returns the counter buffers with their offsets; the arrays and each buffer may be null.
///
/// # Safety
/// Both arrays are null or have `n` elements, and the buffers are live or null.
unsafe fn counters<'a>(n: u32, buffers: *const vk::Buffer, offsets: *const u64) -> Counters<'a> {
    // SAFETY: the caller promises that the arrays are null or have `n` elements, and that the buffers are live or null.
    let counter = |i: usize| unsafe {
        let buffer = at(buffers, i).and_then(|b| get_opt::<Buffer>(b))?;
        Some((buffer, at(offsets, i).unwrap_or(0)))
    };
    (0..n as usize).map(counter).collect()
}

commands! {
    fn cmd_bind_transform_feedback_buffers(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        buffers: *const vk::Buffer,
        offsets: *const u64,
        sizes: *const u64,
    ) {
        let bound: SmallVec<[_; 4]> = slice(buffers, n)
            .iter()
            .enumerate()
            .map(|(i, &b)| {
                let size = at(sizes, i).filter(|&s| s != vk::WHOLE_SIZE);
                (get::<Buffer>(b), at(offsets, i).unwrap_or(0), size)
            })
            .collect();
        list(buffer).bind_transform_feedback_buffers(first, &bound);
    }

    fn cmd_begin_transform_feedback(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        buffers: *const vk::Buffer,
        offsets: *const u64,
    ) {
        list(buffer).begin_transform_feedback(first, &counters(n, buffers, offsets));
    }

    fn cmd_end_transform_feedback(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        buffers: *const vk::Buffer,
        offsets: *const u64,
    ) {
        list(buffer).end_transform_feedback(first, &counters(n, buffers, offsets));
    }

    fn cmd_begin_query_indexed(
        buffer: vk::CommandBuffer,
        pool: vk::QueryPool,
        query: u32,
        _flags: vk::QueryControlFlags,
        index: u32,
    ) {
        list(buffer).begin_query_indexed(get::<QueryPool>(pool), query, index);
    }

    fn cmd_end_query_indexed(buffer: vk::CommandBuffer, pool: vk::QueryPool, query: u32, _index: u32) {
        list(buffer).end_query(get::<QueryPool>(pool), query);
    }

    fn cmd_draw_indirect_byte_count(
        buffer: vk::CommandBuffer,
        instances: u32,
        first_instance: u32,
        counter: vk::Buffer,
        offset: u64,
        counter_offset: u32,
        stride: u32,
    ) {
        let counter = (get::<Buffer>(counter), offset);
        list(buffer).draw_indirect_byte_count((instances, first_instance), counter, counter_offset, stride);
    }
}
