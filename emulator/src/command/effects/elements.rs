//! Elements of index and vertex buffers that a draw fetches.
//!
//! Owns the arithmetic from a draw to elements. Left to `draws` and to `observe::excess`: the effects and the reports
//! that follow from the elements.

use quadrille_jit::reserve;
use quadrille_raster::buffer::IndexType;
use quadrille_raster::pass::Draw;
use quadrille_raster::state::{DrawStateDesc, VertexBinding, VertexRate};

use super::super::list::{CommandList, DrawSnapshot, Indices, Ref};
use crate::resource::buffer::Buffer;

/// Maximum number of indices of a draw that are read to find its range of vertices.
const MOST: u64 = 1 << 24;

/// A draw that fetches vertices.
pub(in crate::command) struct Elements<'a> {
    list: &'a CommandList,
    pub desc: &'a DrawStateDesc,
    pub snapshot: &'a DrawSnapshot,
    pub draw: &'a Draw,
}

/// The indices that a draw fetches, limited to the bound range.
pub(in crate::command) struct Run {
    pub buffer: Ref<Buffer>,
    /// Offset of the first index in the buffer, in bytes.
    pub offset: u64,
    /// Number of indices: those that the draw wants and that the bound range holds.
    pub count: u64,
    /// Number of indices in the bound range.
    pub held: u64,
    ty: IndexType,
}

impl Run {
    pub fn bytes(&self) -> u64 {
        self.count * self.ty.bytes()
    }
}

impl<'a> Elements<'a> {
    /// `None` if the draw fetches nothing.
    pub fn new(list: &'a CommandList, snapshot: Ref<DrawSnapshot>, draw: &'a Draw) -> Option<Elements<'a>> {
        let (desc, snapshot) = (list.state(snapshot).desc(), &list.draw_snapshots[snapshot]);
        let takes = !desc.has_mesh() && draw.count > 0 && draw.instances > 0;
        takes.then_some(Elements { list, desc, snapshot, draw })
    }

    fn bound(&self) -> Option<&'a Indices> {
        self.snapshot.index.as_ref().filter(|_| self.draw.indexed)
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

    /// Range of vertices that the draw fetches: first and end (exclusive), equal if empty. `None` if there are too many
    /// indices to read.
    pub fn vertices(&self) -> Option<[i64; 2]> {
        let draw = self.draw;
        let Some(bound) = self.bound() else {
            let first = i64::from(draw.first);
            return Some([first, if draw.indexed { first } else { first + i64::from(draw.count) }]);
        };
        let moved = |index: u32| i64::from(index) + i64::from(draw.vertex_offset);
        // Without an index buffer all indices are 0.
        let Some(run) = self.indices() else { return Some([moved(0), moved(0) + 1]) };
        if run.count > MOST {
            return None;
        }
        let buffer = &self.list.buffers[run.buffer];
        let bytes = reserve::carry(buffer.read_within::<u8>(run.offset, run.bytes() as usize))?;
        let index = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |index, &byte| index << 8 | u32::from(byte));
        let all = bytes.chunks_exact(run.ty.bytes() as usize).map(index);
        let used = all.filter(|i| !(self.desc.primitive_restart && *i == bound.restart));
        let range = used.fold(None, |range: Option<[u32; 2]>, i| {
            Some(range.map_or([i, i], |[least, most]| [least.min(i), most.max(i)]))
        });
        Some(range.map_or([0, 0], |[least, most]| [moved(least), moved(most) + 1]))
    }

    /// Range of elements of a binding that the draw fetches for these vertices and for all instances.
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
