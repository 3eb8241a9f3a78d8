//! Gathers and scatters of four consecutive words per lane: a vector load or store for each lane, and transposes. Scatters of
//! pairs, too; gathers of single scalars and of pairs are in `mem`.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use smallvec::SmallVec;

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

    /// Stores up to four consecutive words in each lane, lane by lane, to `base + zext(offset)`. Every address must be writable.
    pub(crate) fn scatter_runs(&mut self, words: &[Lane], base: Lane, offset: Lane) {
        if !matches!(words.len(), 2 | 4) {
            return self.scatter_each(words, 4, base, offset);
        }
        let (b, quads) = (self.scalar(base), self.quads(offset));
        let rows: SmallVec<[super::Vecs; 4]> = words
            .iter()
            .map(|&w| {
                let w = self.splat(w);
                self.vecs(w)
            })
            .collect();
        let per = self.per_vec(Ty::I32) as usize / 4;
        for (i, offsets) in quads.chunks(per).enumerate() {
            let runs: SmallVec<[Value; 16]> = match rows[..] {
                [ref x, ref y] => self.word_pairs(x[i], y[i]),
                _ => {
                    let of = self.transpose([rows[0][i], rows[1][i], rows[2][i], rows[3][i]]);
                    let cut = of.map(|v| self.cut(v));
                    (0..4 * per).map(|lane| cut[lane % 4][lane / 4]).collect()
                }
            };
            for (four, runs) in offsets.iter().zip(runs.chunks(4)) {
                for (place, &run) in self.quad_offsets(*four).into_iter().zip(runs) {
                    let at = self.fb.ins().iadd(b, place);
                    self.fb.ins().store(Self::flags(), run, at, 0);
                }
            }
        }
    }

    /// Stores the low `bytes`, 1, 2 or 4, of each of the words in each lane, lane by lane, to `base + zext(offset)` and the
    /// places behind it. Every address must be writable.
    pub(crate) fn scatter_each(&mut self, words: &[Lane], bytes: u32, base: Lane, offset: Lane) {
        let b = self.scalar(base);
        let places = self.lane_addresses(b, offset);
        let rows: SmallVec<[Vec<Value>; 4]> = words.iter().map(|&w| self.lane_scalars(w)).collect();
        for (lane, at) in places.into_iter().enumerate() {
            for (row, near) in rows.iter().zip((0..).step_by(bytes as usize)) {
                match bytes {
                    1 => self.fb.ins().istore8(Self::flags(), row[lane], at, near),
                    2 => self.fb.ins().istore16(Self::flags(), row[lane], at, near),
                    _ => self.fb.ins().store(Self::flags(), row[lane], at, near),
                };
            }
        }
    }
}
