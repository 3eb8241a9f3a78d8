//! Effects of draws apart from their shaders: reads of parameters, indices and vertices, and accesses to attachments.
//!
//! Values in memory decide what a draw reads, so these effects are known when the draw runs. Vertices count as read
//! from the least to the greatest index, and only the bytes that attributes of the vertex stage cover.

use quadrille_raster::pass::Draw;
use quadrille_raster::state::{DrawStateDesc, VertexBinding};

use super::super::list::{ByteCount, DrawSnapshot, Indirect, IndirectDraw, Ref};
use super::access::{ATTRIBUTE, INDEX, INDIRECT, READ_COUNTER};
use super::{Elements, Visitor, Wants, attachments};

/// Maximum number of draws of an indirect command whose parameters are read; later draws have no effects here.
const MOST_DRAWS: u32 = 1 << 10;

/// Effects of a draw whose parameters are in the command.
pub(super) fn direct(to: &mut Visitor<'_, '_>, snapshot: Ref<DrawSnapshot>, draw: &Draw) {
    fetch(to, snapshot, draw);
    attachments::draw(to, snapshot);
}

/// Effects of a draw of mesh workgroups, which fetches no vertices.
pub(super) fn meshes(to: &mut Visitor<'_, '_>, snapshot: Ref<DrawSnapshot>) {
    attachments::draw(to, snapshot);
}

/// Effects of a draw whose number of vertices comes from a counter of transform feedback.
pub(super) fn byte_count(to: &mut Visitor<'_, '_>, snapshot: Ref<DrawSnapshot>, bytes: &ByteCount) {
    let (buffer, offset) = bytes.counter;
    to.bytes(buffer, offset, 4, READ_COUNTER);
    let captured = to.at.list.buffers[buffer].read_array::<u32, 1>(offset).map_or(0, |[count]| count);
    fetch(to, snapshot, &Draw { count: bytes.vertices(captured), ..bytes.draw });
    attachments::draw(to, snapshot);
}

/// Effects of draws with parameters in a buffer.
pub(super) fn indirect(to: &mut Visitor<'_, '_>, snapshot: Ref<DrawSnapshot>, indirect: &Indirect) {
    if to.wants == Wants::All {
        parameters(to, snapshot, indirect);
    }
    attachments::draw(to, snapshot);
}

fn parameters(to: &mut Visitor<'_, '_>, snapshot: Ref<DrawSnapshot>, indirect: &Indirect) {
    let list = to.at.list;
    let mut draws = indirect.max_draws;
    if let Some((buffer, offset)) = indirect.count {
        to.bytes(buffer, offset, 4, INDIRECT);
        draws = draws.min(list.buffers[buffer].read_array::<u32, 1>(offset).map_or(0, |[count]| count));
    }
    let words = indirect.kind.words();
    for i in 0..draws.min(MOST_DRAWS) {
        to.bytes(indirect.buffer, indirect.at(i), words as u64 * 4, INDIRECT);
        let Some(p) = indirect.parameters(&list.buffers[indirect.buffer], i) else { return };
        match indirect.kind.draw(&p, i) {
            IndirectDraw::Meshes(_) => {}
            IndirectDraw::Vertices(draw) => fetch(to, snapshot, &draw),
        }
    }
}

/// Effects of fetching the indices and vertices of a draw.
fn fetch(to: &mut Visitor<'_, '_>, snapshot: Ref<DrawSnapshot>, draw: &Draw) {
    if to.wants != Wants::All {
        return;
    }
    let list = to.at.list;
    let Some(elements) = Elements::new(list, snapshot, draw) else { return };
    if let Some(run) = elements.indices() {
        to.bytes(run.buffer, run.offset, run.bytes(), INDEX);
    }
    let (desc, vertices) = (elements.desc, elements.vertices());
    let slices = list.vertex_buffers(elements.snapshot.vertex_buffers);
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
        to.bytes(slice.buffer, slice.offset + at, size, ATTRIBUTE);
    }
}

/// Range of bytes within an element of a binding that attributes of the vertex stage cover: first byte and end.
fn covered(desc: &DrawStateDesc, binding: &VertexBinding) -> Option<[u64; 2]> {
    let own = desc.attributes_read().filter(|a| a.binding == binding.binding);
    own.map(|a| [u64::from(a.offset), u64::from(a.offset) + u64::from(a.format.bytes())])
        .reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
}
