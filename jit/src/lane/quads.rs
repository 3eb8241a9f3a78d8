//! Gathers of four consecutive words per lane: a vector load for each lane, and transposes. Gathers of single scalars and
//! of pairs are in `mem`.

use cranelift_codegen::ir::{InstBuilder, types};

use super::{Lane, LaneBuilder, Parts};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    /// Gathers four consecutive 32-bit scalars per lane, and returns a row for each. Every address must be readable for
    /// 16 bytes.
    pub fn gather_quads(&mut self, base: Lane, offset: Lane) -> [Lane; 4] {
        let (b, quads) = (self.scalar(base), self.quads(offset));
        let flags = Self::access_flags(self.gather_access);
        let mut rows: [super::Vecs; 4] = Default::default();
        for offsets in quads.chunks(self.per_vec(Ty::I32) as usize / 4) {
            let words = self.transpose_each(offsets, |s, &four| {
                s.quad_offsets(four).map(|o| {
                    let at = s.fb.ins().iadd(b, o);
                    s.fb.ins().load(types::I32X4, flags, at, 0)
                })
            });
            rows.iter_mut().zip(words).for_each(|(row, v)| row.push(v));
        }
        rows.map(|v| self.push(Ty::I32, Parts::Varying(v)))
    }
}
