//! What draws fetch besides what shaders read: parameters, indices, vertices, for those who look at what orders commands.
//!
//! Draws are known when they run: of vertices, those count that indices name, and only what attributes of the vertex stage
//! cover.

use quadrille_jit::interp::events::Access;
use quadrille_jit::ir::Slot;
use quadrille_raster::pass::Draw;
use quadrille_raster::state::{DrawStateDesc, VertexBinding};

use super::areas::{Areas, INDIRECT, READ_COUNTER};
use super::elements::Elements;
use super::list::{Command, DrawCall, DrawKind, Indirect, Ref};

/// Bits of VkPipelineStageFlagBits2 and of VkAccessFlagBits2.
const INDEX: Access = Access { stages: 1 << 36, access: 1 << 1, writes: false };
const ATTRIBUTE: Access = Access { stages: 1 << 37, access: 1 << 2, writes: false };

/// Most draws of a command that are looked at one by one.
const MOST_DRAWS: u32 = 1 << 10;

/// What a draw fetches.
pub(super) fn add(areas: &mut Areas<'_>, command: &Command) {
    match command {
        Command::Draw { call, draw, .. } => fetch(areas, *call, draw),
        Command::DrawIndirect { call, indirect, .. } => indirectly(areas, *call, &areas.tell.list[*indirect]),
        Command::DrawByteCount { call, bytes, .. } => {
            let bytes = &areas.tell.list[*bytes];
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
    let Some(elements) = Elements::new(list, call, draw) else { return };
    if let Some(run) = elements.indices() {
        areas.buffer(run.buffer, run.offset, run.bytes(), INDEX);
    }
    let (desc, vertices) = (elements.desc, elements.vertices());
    let slices = list.vertex_buffers(elements.call.vertex_buffers);
    for binding in &desc.vertex_bindings {
        let Some(Some(slice)) = slices.get(binding.binding as usize) else { continue };
        let Some([first, end]) = covered(desc, binding) else { continue };
        let stride = i64::from(desc.stride(binding));
        let place = |element: i64| (element * stride).max(0) as u64;
        let (at, size) = match vertices.map(|v| elements.of(binding, v)) {
            Some([from, to]) if from < to => {
                let at = place(from) + first;
                (at, (place(to - 1) + end).saturating_sub(at))
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
