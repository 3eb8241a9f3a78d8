//! What draws and indirect commands take past the end of a buffer, or past a limit, for those who watch the device.

use std::sync::Arc;

use quadrille_jit::interp::events::{Event, Exceeds, Excess};
use quadrille_jit::ir::{Shader, Slot};
use quadrille_raster::pass::Draw;
use quadrille_raster::state::{DrawStateDesc, VertexAttribute, VertexRate};

use super::list::{DrawCall, Indices, Recorded, Ref};
use crate::error::Result;
use crate::watching::Watching;

/// Tells of a draw.
pub(super) fn draw(watch: &Watching, list: &Recorded, call: Ref<DrawCall>, draw: &Draw) -> Result<()> {
    let call = &list.draw_calls[call];
    let prepared = &list.prepared[call.prepared];
    let Some(first) = list.graphics[prepared.pipeline].variants().next() else { return Ok(()) };
    let shader = &first.shader;
    if draw.count == 0 || draw.instances == 0 {
        return Ok(());
    }
    let last = match (draw.indexed, &call.index) {
        (true, Some(indices)) => match last_of(watch, list, shader, indices, draw)? {
            Some(last) => last,
            None => return Ok(()),
        },
        (true, None) => return Ok(()),
        (false, _) => u64::from(draw.first) + u64::from(draw.count) - 1,
    };
    let state = list.states[prepared.state].desc();
    let slices = list.vertex_buffers(call.vertex_buffers);
    for attribute in state.vertex_attributes.iter().filter(|a| reads(shader, a.location)) {
        // What is not bound is null.
        let Some(Some(slice)) = slices.get(attribute.binding as usize) else { continue };
        let Some((stride, element, instanced)) = element(state, attribute, draw, last) else { continue };
        let within = u64::from(attribute.offset) + u64::from(attribute.format.bytes());
        let end = element.saturating_mul(stride).saturating_add(within);
        if end > slice.size {
            let what =
                Excess::Attribute { location: attribute.location, instanced, element, end, size: slice.size };
            tell(watch, shader, what);
        }
    }
    Ok(())
}

/// Tells of something that a command takes for these shaders.
pub(super) fn tell(watch: &Watching, shader: &Arc<Shader>, what: Excess) {
    watch.0.told(&Event::Exceeds(&Exceeds { shader, what }));
}

fn reads(shader: &Shader, location: u32) -> bool {
    shader.inputs.iter().any(|i| matches!(i.slot, Slot::Location { location: l, .. } if l == location))
}

/// The last vertex that indices name; what is past the end of the index buffer is told of, and names none.
fn last_of(
    watch: &Watching,
    list: &Recorded,
    shader: &Arc<Shader>,
    indices: &Indices,
    draw: &Draw,
) -> Result<Option<u64>> {
    let Some(slice) = &indices.slice else { return Ok(None) };
    let bytes = indices.ty.bytes();
    let held = slice.size / bytes;
    if u64::from(draw.first) + u64::from(draw.count) > held {
        tell(watch, shader, Excess::Indices { first: draw.first, count: draw.count, held });
    }
    let first = u64::from(draw.first).min(held);
    let count = u64::from(draw.count).min(held - first);
    let data =
        list.buffers[slice.buffer].read::<u8>(slice.offset + first * bytes, (count * bytes) as usize)?;
    let index = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |index, &byte| index << 8 | u32::from(byte));
    let vertices = data.chunks_exact(bytes as usize).map(index).filter(|&i| i != indices.restart);
    // Past the first or the last vertex there is is as far as one can get.
    Ok(vertices.map(|i| u64::from(i.wrapping_add_signed(draw.vertex_offset))).max())
}

/// Bytes between elements of a binding, the last element that a draw takes, and whether they are of instances.
fn element(
    state: &DrawStateDesc,
    attribute: &VertexAttribute,
    draw: &Draw,
    last: u64,
) -> Option<(u64, u64, bool)> {
    let binding = state.vertex_bindings.iter().find(|b| b.binding == attribute.binding)?;
    let stride = state.vertex_strides.get(binding.binding as usize).copied().flatten();
    let stride = u64::from(stride.unwrap_or(binding.stride));
    let first_instance = u64::from(draw.first_instance);
    Some(match binding.rate {
        VertexRate::Vertex => (stride, last, false),
        VertexRate::Instance(0) => (stride, first_instance, true),
        VertexRate::Instance(n) => (stride, first_instance + u64::from((draw.instances - 1) / n), true),
    })
}
