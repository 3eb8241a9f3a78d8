//! Commands that draw and dispatch, and commands that bind vertex and index buffers.

use ash::vk;
use quadrille::{Buffer, IndexType};

use crate::command_buffer::{CommandBuffer, list};
use crate::interface::chain::slice;
use crate::interface::guard::{VkResult, commands};
use crate::interface::handle::{get, get_mut, get_opt};

/// Returns element `i` of an array, or `None` if the array is null.
///
/// # Safety
/// `array` is null or has more than `i` elements.
unsafe fn at<T: Copy>(array: *const T, i: usize) -> Option<T> {
    // SAFETY: `array` is not null, so the caller promises that element `i` exists.
    (!array.is_null()).then(|| unsafe { array.add(i).read() })
}

/// Records vertex buffers; `sizes` and `strides` are null in the first version of the command.
///
/// # Safety
/// The handles are live or null, the arrays are null or as long as `buffers`, and recording is externally synchronized.
unsafe fn bind_vertex_buffers(
    buffer: vk::CommandBuffer,
    first: u32,
    buffers: &[vk::Buffer],
    offsets: *const u64,
    sizes: *const u64,
    strides: *const u64,
) {
    // SAFETY: the caller promises the conditions of `list`, live or null handles, and arrays with an element for each
    // buffer.
    unsafe {
        let mut list = list(buffer);
        for (i, &handle) in buffers.iter().enumerate() {
            let offset = at(offsets, i).unwrap_or(0);
            let size = at(sizes, i).filter(|&s| s != vk::WHOLE_SIZE);
            let stride = at(strides, i).map(|s| s.min(u64::from(u32::MAX)) as u32);
            let source = get_opt::<Buffer>(handle).map(|b| (b, offset));
            list.bind_vertex_buffer2(first + i as u32, source, size, stride);
        }
    }
}

/// Converts an index type.
pub fn index_type(ty: vk::IndexType) -> VkResult<IndexType> {
    Ok(match ty {
        vk::IndexType::UINT8_KHR => IndexType::U8,
        vk::IndexType::UINT16 => IndexType::U16,
        vk::IndexType::UINT32 => IndexType::U32,
        _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    })
}

/// Records an index buffer.
///
/// # Safety
/// The handles are live or null, and recording is externally synchronized.
unsafe fn bind_index(
    buffer: vk::CommandBuffer,
    index: vk::Buffer,
    offset: u64,
    size: u64,
    ty: vk::IndexType,
) {
    // SAFETY: the caller promises live or null handles and externally synchronized recording.
    unsafe {
        let ty = match index_type(ty) {
            Ok(ty) => ty,
            Err(code) => return get_mut::<CommandBuffer>(buffer).fail(Err(code)),
        };
        let size = (size != vk::WHOLE_SIZE).then_some(size);
        match get_opt::<Buffer>(index) {
            Some(index) => list(buffer).bind_index_buffer2(index, offset, size, ty),
            None => list(buffer).bind_null_index_buffer(ty),
        };
    }
}

commands! {
    fn cmd_bind_vertex_buffers(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        buffers: *const vk::Buffer,
        offsets: *const u64,
    ) {
        let none = std::ptr::null();
        bind_vertex_buffers(buffer, first, slice(buffers, n), offsets, none, none);
    }

    fn cmd_bind_vertex_buffers2(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        buffers: *const vk::Buffer,
        offsets: *const u64,
        sizes: *const u64,
        strides: *const u64,
    ) {
        bind_vertex_buffers(buffer, first, slice(buffers, n), offsets, sizes, strides);
    }

    fn cmd_bind_index_buffer(
        buffer: vk::CommandBuffer,
        index: vk::Buffer,
        offset: u64,
        ty: vk::IndexType,
    ) {
        bind_index(buffer, index, offset, vk::WHOLE_SIZE, ty);
    }

    fn cmd_bind_index_buffer2(
        buffer: vk::CommandBuffer,
        index: vk::Buffer,
        offset: u64,
        size: u64,
        ty: vk::IndexType,
    ) {
        bind_index(buffer, index, offset, size, ty);
    }

    fn cmd_draw(
        buffer: vk::CommandBuffer,
        vertices: u32,
        instances: u32,
        first_vertex: u32,
        first_instance: u32,
    ) {
        list(buffer).draw(vertices, instances, first_vertex, first_instance);
    }

    fn cmd_draw_indexed(
        buffer: vk::CommandBuffer,
        indices: u32,
        instances: u32,
        first_index: u32,
        vertex_offset: i32,
        first_instance: u32,
    ) {
        list(buffer).draw_indexed(indices, instances, first_index, vertex_offset, first_instance);
    }

    fn cmd_draw_indirect(
        buffer: vk::CommandBuffer,
        source: vk::Buffer,
        offset: u64,
        n: u32,
        stride: u32,
    ) {
        list(buffer).draw_indirect(false, get::<Buffer>(source), offset, None, n, stride);
    }

    fn cmd_draw_indexed_indirect(
        buffer: vk::CommandBuffer,
        source: vk::Buffer,
        offset: u64,
        n: u32,
        stride: u32,
    ) {
        list(buffer).draw_indirect(true, get::<Buffer>(source), offset, None, n, stride);
    }

    fn cmd_draw_indirect_count(
        buffer: vk::CommandBuffer,
        source: vk::Buffer,
        offset: u64,
        count: vk::Buffer,
        count_offset: u64,
        most: u32,
        stride: u32,
    ) {
        let count = Some((get::<Buffer>(count), count_offset));
        list(buffer).draw_indirect(false, get::<Buffer>(source), offset, count, most, stride);
    }

    fn cmd_draw_indexed_indirect_count(
        buffer: vk::CommandBuffer,
        source: vk::Buffer,
        offset: u64,
        count: vk::Buffer,
        count_offset: u64,
        most: u32,
        stride: u32,
    ) {
        let count = Some((get::<Buffer>(count), count_offset));
        list(buffer).draw_indirect(true, get::<Buffer>(source), offset, count, most, stride);
    }

    fn cmd_draw_multi_ext(
        buffer: vk::CommandBuffer,
        n: u32,
        infos: *const vk::MultiDrawInfoEXT,
        instances: u32,
        first_instance: u32,
        stride: u32,
    ) {
        for i in 0..n {
            let info = infos.cast::<u8>().add(i as usize * stride as usize);
            let info = info.cast::<vk::MultiDrawInfoEXT>().read_unaligned();
            list(buffer).draw_number(i, info.vertex_count, instances, info.first_vertex, first_instance);
        }
    }

    fn cmd_draw_multi_indexed_ext(
        buffer: vk::CommandBuffer,
        n: u32,
        infos: *const vk::MultiDrawIndexedInfoEXT,
        instances: u32,
        first_instance: u32,
        stride: u32,
        vertex_offset: *const i32,
    ) {
        let one_offset = at(vertex_offset, 0);
        for i in 0..n {
            let info = infos.cast::<u8>().add(i as usize * stride as usize);
            let info = info.cast::<vk::MultiDrawIndexedInfoEXT>().read_unaligned();
            let offset = one_offset.unwrap_or(info.vertex_offset);
            list(buffer).draw_indexed_number(
                i,
                info.index_count,
                instances,
                info.first_index,
                offset,
                first_instance,
            );
        }
    }

    fn cmd_draw_mesh_tasks(buffer: vk::CommandBuffer, x: u32, y: u32, z: u32) {
        list(buffer).draw_mesh_tasks([x, y, z]);
    }

    fn cmd_draw_mesh_tasks_indirect(
        buffer: vk::CommandBuffer,
        source: vk::Buffer,
        offset: u64,
        n: u32,
        stride: u32,
    ) {
        list(buffer).draw_mesh_tasks_indirect(get::<Buffer>(source), offset, n, stride);
    }

    fn cmd_draw_mesh_tasks_indirect_count(
        buffer: vk::CommandBuffer,
        source: vk::Buffer,
        offset: u64,
        count: vk::Buffer,
        count_offset: u64,
        most: u32,
        stride: u32,
    ) {
        let count = (get::<Buffer>(count), count_offset);
        list(buffer).draw_mesh_tasks_indirect_count(get::<Buffer>(source), offset, count, most, stride);
    }

    fn cmd_dispatch(buffer: vk::CommandBuffer, x: u32, y: u32, z: u32) {
        list(buffer).dispatch(x, y, z);
    }

    fn cmd_dispatch_base(
        buffer: vk::CommandBuffer,
        base_x: u32,
        base_y: u32,
        base_z: u32,
        x: u32,
        y: u32,
        z: u32,
    ) {
        list(buffer).dispatch_base([base_x, base_y, base_z], [x, y, z]);
    }

    fn cmd_dispatch_indirect(buffer: vk::CommandBuffer, source: vk::Buffer, offset: u64) {
        list(buffer).dispatch_indirect(get::<Buffer>(source), offset);
    }

    fn cmd_begin_conditional_rendering(
        buffer: vk::CommandBuffer,
        info: *const vk::ConditionalRenderingBeginInfoEXT<'_>,
    ) {
        let info = &*info;
        let inverted = info.flags.contains(vk::ConditionalRenderingFlagsEXT::INVERTED);
        list(buffer).begin_conditional_rendering(get::<Buffer>(info.buffer), info.offset, inverted);
    }

    fn cmd_end_conditional_rendering(buffer: vk::CommandBuffer) {
        list(buffer).end_conditional_rendering();
    }
}
