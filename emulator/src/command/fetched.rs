//! What draws fetch besides what shaders read: parameters, indices, vertices, for those who look at what orders commands.
//!
//! Draws are known when they run: of vertices, those count that indices name, and only what attributes of the vertex stage
//! cover.

use quadrille_jit::interp::events::Access;
use quadrille_jit::ir::Slot;
use quadrille_raster::buffer::IndexType;
use quadrille_raster::pass::Draw;
use quadrille_raster::state::{DrawStateDesc, VertexBinding, VertexRate};

use super::areas::{Areas, INDIRECT, READ_COUNTER};
use super::list::{Command, DrawCall, DrawKind, Indices, Indirect, Recorded, Ref};

/// Bits of VkPipelineStageFlagBits2 and of VkAccessFlagBits2.
const INDEX: Access = Access { stages: 1 << 36, access: 1 << 1, writes: false };
const ATTRIBUTE: Access = Access { stages: 1 << 37, access: 1 << 2, writes: false };

/// Most draws of a command, and most indices of a draw, that are looked at one by one.
const MOST: u32 = 1 << 20;
const MOST_DRAWS: u32 = 1 << 10;

/// What a draw fetches.
pub(super) fn add(areas: &mut Areas<'_>, command: &Command) {
    match command {
        Command::Draw { call, draw, .. } => fetch(areas, *call, draw),
        Command::DrawIndirect { call, indirect, .. } => indirectly(areas, *call, indirect),
        Command::DrawByteCount { call, bytes, .. } => {
            let (buffer, offset) = bytes.counter;
            areas.buffer(buffer, offset, 4, READ_COUNTER);
            let captured = areas.tell.list.buffers[buffer].read::<u32>(offset, 1).map_or(0, |words| words[0]);
            fetch(areas, *call, &Draw { count: bytes.vertices(captured), ..bytes.draw });
        }
        _ => {}
    }
}

fn indirectly(areas: &mut Areas<'_>, call: Ref<DrawCall>, indirect: &Indirect) {
    let list = areas.tell.list;
    let mut draws = indirect.max_draws;
    if let Some((buffer, offset)) = indirect.count {
        areas.buffer(buffer, offset, 4, INDIRECT);
        draws = draws.min(list.buffers[buffer].read::<u32>(offset, 1).map_or(0, |words| words[0]));
    }
    let (words, stride) = (indirect.kind.words(), u64::from(indirect.stride));
    for i in 0..draws.min(MOST_DRAWS) {
        let at = u64::from(i).saturating_mul(stride).saturating_add(indirect.offset);
        areas.buffer(indirect.buffer, at, words as u64 * 4, INDIRECT);
        let Ok(p) = list.buffers[indirect.buffer].read::<u32>(at, words) else { return };
        let draw = Draw { count: p[0], instances: p[1], first: p[2], ..Draw::default() };
        match indirect.kind {
            DrawKind::Meshes => {}
            DrawKind::Vertices => fetch(areas, call, &Draw { first_instance: p[3], ..draw }),
            DrawKind::Indexed => {
                let (vertex_offset, first_instance) = (p[3] as i32, p[4]);
                fetch(areas, call, &Draw { indexed: true, vertex_offset, first_instance, ..draw });
            }
        }
    }
}

/// Indices and attributes of a draw.
fn fetch(areas: &mut Areas<'_>, call: Ref<DrawCall>, draw: &Draw) {
    let list = areas.tell.list;
    let (desc, call) = (list.state(call).desc(), &list.draw_calls[call]);
    if desc.has_mesh() || draw.count == 0 || draw.instances == 0 {
        return;
    }
    let mut vertices = Some([i64::from(draw.first), i64::from(draw.first) + i64::from(draw.count)]);
    if let (true, Some(indices)) = (draw.indexed, &call.index) {
        if let Some(slice) = &indices.slice {
            let (first, n) = (u64::from(draw.first), u64::from(draw.count));
            let (at, size) = (first * indices.ty.bytes(), n * indices.ty.bytes());
            let size = size.min(slice.size.saturating_sub(at));
            areas.buffer(slice.buffer, slice.offset + at, size, INDEX);
        }
        vertices = named(list, indices, draw, desc.primitive_restart);
    }
    let slices = list.vertex_buffers(call.vertex_buffers);
    for binding in &desc.vertex_bindings {
        let Some(Some(slice)) = slices.get(binding.binding as usize) else { continue };
        let Some([first, end]) = covered(desc, binding) else { continue };
        let elements = match binding.rate {
            VertexRate::Vertex => vertices,
            VertexRate::Instance(every) => {
                let base = i64::from(draw.first_instance);
                let last = (draw.instances - 1).checked_div(every).unwrap_or(0);
                Some([base, base + i64::from(last) + 1])
            }
        };
        let stride = i64::from(desc.stride(binding));
        let (at, size) = match elements {
            Some([from, to]) if from < to => {
                let at = (from * stride).max(0) as u64 + first;
                (
                    at,
                    ((to - 1) * stride).max(0) as u64 + end - at.min(((to - 1) * stride).max(0) as u64 + end),
                )
            }
            Some(_) => continue,
            None => (0, slice.size),
        };
        let size = size.min(slice.size.saturating_sub(at));
        areas.buffer(slice.buffer, slice.offset + at, size, ATTRIBUTE);
    }
}

/// The bytes of an element of a binding that attributes of the vertex stage cover: first and end.
fn covered(desc: &DrawStateDesc, binding: &VertexBinding) -> Option<[u64; 2]> {
    let read = |location: u32| {
        let is = |slot: &Slot| matches!(slot, Slot::Location { location: l, .. } if *l == location);
        desc.vertex().inputs.iter().any(|input| is(&input.slot))
    };
    let own = desc.vertex_attributes.iter().filter(|a| a.binding == binding.binding && read(a.location));
    own.map(|a| [u64::from(a.offset), u64::from(a.offset) + u64::from(a.format.bytes())])
        .reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}

/// The vertices that indices name, from the first to behind the last; `None` if there are too many to look at.
fn named(list: &Recorded, indices: &Indices, draw: &Draw, restarts: bool) -> Option<[i64; 2]> {
    let moved = |index: u32| i64::from(index) + i64::from(draw.vertex_offset);
    let Some(slice) = &indices.slice else { return Some([moved(0), moved(0) + 1]) };
    if draw.count > MOST {
        return None;
    }
    let (buffer, size) = (&list.buffers[slice.buffer], indices.ty.bytes());
    let at = u64::from(draw.first) * size;
    let n = (slice.size.saturating_sub(at) / size).min(draw.count.into()) as usize;
    let offset = slice.offset + at;
    let all: Vec<u32> = match indices.ty {
        IndexType::U8 => buffer.read::<u8>(offset, n).ok()?.into_iter().map(u32::from).collect(),
        IndexType::U16 => buffer.read::<u16>(offset, n).ok()?.into_iter().map(u32::from).collect(),
        IndexType::U32 => buffer.read::<u32>(offset, n).ok()?,
    };
    let used = all.into_iter().filter(|i| !(restarts && *i == indices.restart));
    let range = used.fold(None, |range: Option<[u32; 2]>, i| {
        Some(range.map_or([i, i], |[least, most]| [least.min(i), most.max(i)]))
    });
    Some(range.map_or([0, 0], |[least, most]| [moved(least), moved(most) + 1]))
}
