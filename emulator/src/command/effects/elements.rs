//! Elements of index and vertex buffers that a draw takes.
//!
//! Owns the arithmetic from a draw to elements. Left to `draws` and to `observe::excess`: what follows from them.

use quadrille_raster::buffer::IndexType;
use quadrille_raster::pass::Draw;
use quadrille_raster::state::{DrawStateDesc, VertexBinding, VertexRate};

use super::super::list::{DrawCall, Indices, Recorded, Ref};
use crate::buffer::Buffer;

/// Most indices of a draw that are read one by one.
const MOST: u64 = 1 << 24;

/// A draw that takes vertices.
pub(in crate::command) struct Elements<'a> {
    list: &'a Recorded,
    pub desc: &'a DrawStateDesc,
    pub call: &'a DrawCall,
    pub draw: &'a Draw,
}

/// Indices that a draw takes of those that are bound.
pub(in crate::command) struct Run {
    pub buffer: Ref<Buffer>,
    /// Where they begin in the buffer.
    pub offset: u64,
    /// How many there are, of those that are wanted.
    pub count: u64,
    /// How many are bound.
    pub held: u64,
    ty: IndexType,
}

impl Run {
    pub fn bytes(&self) -> u64 {
        self.count * self.ty.bytes()
    }
}

impl<'a> Elements<'a> {
    /// `None` if the draw takes nothing.
    pub fn new(list: &'a Recorded, call: Ref<DrawCall>, draw: &'a Draw) -> Option<Elements<'a>> {
        let (desc, call) = (list.state(call).desc(), &list.draw_calls[call]);
        let takes = !desc.has_mesh() && draw.count > 0 && draw.instances > 0;
        takes.then_some(Elements { list, desc, call, draw })
    }

    fn bound(&self) -> Option<&'a Indices> {
        self.call.index.as_ref().filter(|_| self.draw.indexed)
    }

    /// The indices of an indexed draw, if a buffer is bound.
    pub fn indices(&self) -> Option<Run> {
        let bound = self.bound()?;
        let slice = bound.slice.as_ref()?;
        let held = slice.size / bound.ty.bytes();
        let first = u64::from(self.draw.first).min(held);
        let count = u64::from(self.draw.count).min(held - first);
        let offset = slice.offset + first * bound.ty.bytes();
        Some(Run { buffer: slice.buffer, offset, count, held, ty: bound.ty })
    }

    /// The vertices that are named, from the first to behind the last, which may be the same; `None` if there are too many
    /// indices to look at.
    pub fn vertices(&self) -> Option<[i64; 2]> {
        let draw = self.draw;
        let Some(bound) = self.bound() else {
            let first = i64::from(draw.first);
            return Some([first, if draw.indexed { first } else { first + i64::from(draw.count) }]);
        };
        let moved = |index: u32| i64::from(index) + i64::from(draw.vertex_offset);
        // Without a buffer all indices are 0.
        let Some(run) = self.indices() else { return Some([moved(0), moved(0) + 1]) };
        if run.count > MOST {
            return None;
        }
        let bytes = self.list.buffers[run.buffer].read::<u8>(run.offset, run.bytes() as usize).ok()?;
        let index = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |index, &byte| index << 8 | u32::from(byte));
        let all = bytes.chunks_exact(run.ty.bytes() as usize).map(index);
        let used = all.filter(|i| !(self.desc.primitive_restart && *i == bound.restart));
        let range = used.fold(None, |range: Option<[u32; 2]>, i| {
            Some(range.map_or([i, i], |[least, most]| [least.min(i), most.max(i)]))
        });
        Some(range.map_or([0, 0], |[least, most]| [moved(least), moved(most) + 1]))
    }

    /// The elements of a binding that are taken for these vertices and for all instances.
    pub fn of(&self, binding: &VertexBinding, vertices: [i64; 2]) -> [i64; 2] {
        match binding.rate {
            VertexRate::Vertex => vertices,
            VertexRate::Instance(every) => {
                let base = i64::from(self.draw.first_instance);
                let last = (self.draw.instances - 1).checked_div(every).unwrap_or(0);
                [base, base + i64::from(last) + 1]
            }
        }
    }
}
