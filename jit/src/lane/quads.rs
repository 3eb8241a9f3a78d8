//! Gathers and scatters of four consecutive words per lane: a vector load or store for each lane, and transposes. Scatters of
//! pairs, too; gathers of single scalars and of pairs are in `mem`.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use quadrille_wide::intrinsics::Intrinsic;
use smallvec::SmallVec;

use super::{Lane, LaneBuilder, Parts, shape};
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

    /// Loads four consecutive scalars of 32 bits in each lane, `apart` bytes behind a uniform address, and returns a row for each.
    /// Every address must be readable for 16 bytes.
    pub(crate) fn load_quads_apart(&mut self, ty: Ty, at: Lane, apart: &[u32]) -> [Lane; 4] {
        let a = self.scalar(at);
        let flags = Self::access_flags(self.gather_access);
        let mut rows: [super::Vecs; 4] = Default::default();
        for lanes in apart.chunks(self.per_vec(Ty::I32) as usize) {
            let words = self.transpose_each(lanes.chunks(4), |s, four| {
                [0, 1, 2, 3].map(|k| s.fb.ins().load(types::I32X4, flags, a, four[k] as i32))
            });
            rows.iter_mut().zip(words).for_each(|(row, v)| row.push(v));
        }
        rows.map(|v| {
            let words = self.push(Ty::I32, Parts::Varying(v));
            self.word_to(words, ty)
        })
    }

    /// The same for words that lie in one vector, up to the last that is loaded: a vector load, and a permutation.
    fn load_window(&mut self, ty: Ty, at: Lane, apart: &[u32]) -> Option<Lane> {
        let lanes = self.per_vec(Ty::I32);
        let most = apart.iter().copied().max()? / 4;
        let fits = self.n_vecs(Ty::I32) == 1 && self.has_mask_registers() && most < lanes;
        let words = matches!(ty, Ty::I32 | Ty::F32) && apart.iter().all(|d| d.is_multiple_of(4));
        let in_order = apart.chunks(4).all(|four| {
            four.iter().all(|&d| d == four[0]) || four.windows(2).all(|pair| pair[0] + 4 == pair[1])
        });
        if !fits || !words || in_order {
            return None;
        }
        let (a, vt) = (self.scalar(at), self.int_vector());
        let zero = self.vconst32(vt, &[0]);
        let loaded: Vec<u32> = (0..lanes).map(|l| if l <= most { u32::MAX } else { 0 }).collect();
        let mask = self.vconst32(vt, &loaded);
        let window = self.intrinsic(Intrinsic::LoadMasked, &[a, mask, zero], vt);
        let order: Vec<u32> = apart.iter().map(|d| d / 4).collect();
        let order = self.vconst32(vt, &order);
        let v = self.intrinsic(Intrinsic::Permute, &[window, order], vt);
        let words = self.push(Ty::I32, Parts::Varying([v].into_iter().collect()));
        Some(self.word_to(words, ty))
    }

    /// Loads a scalar of up to 32 bits in each lane, `apart` bytes behind a uniform address. Every address must be readable.
    pub(crate) fn load_apart(&mut self, ty: Ty, at: Lane, apart: &[u32]) -> Lane {
        if let Some(words) = self.load_window(ty, at, apart) {
            return words;
        }
        if ty == Ty::F16
            && let Some(halves) = self.load_halves_apart(at, apart)
        {
            return halves;
        }
        let a = self.scalar(at);
        let held = if ty == Ty::F16 { Ty::I16 } else { ty };
        let flags = Self::access_flags(self.gather_access);
        let quads: shape::Quads = apart
            .chunks(4)
            .map(|four| {
                let scalar = |s: &mut Self, d: u32| match held {
                    Ty::I16 => s.fb.ins().uload16(types::I32, flags, a, d as i32),
                    _ => s.fb.ins().load(types::I32, flags, a, d as i32),
                };
                if four.iter().all(|&d| d == four[0]) {
                    let v = scalar(self, four[0]);
                    return self.fb.ins().splat(types::I32X4, v);
                }
                if held != Ty::I16 && four.windows(2).all(|pair| pair[0] + 4 == pair[1]) {
                    return self.fb.ins().load(types::I32X4, flags, a, four[0] as i32);
                }
                let first = scalar(self, four[0]);
                let mut v = self.fb.ins().scalar_to_vector(types::I32X4, first);
                for (k, &d) in (1..).zip(&four[1..]) {
                    let x = scalar(self, d);
                    v = self.fb.ins().insertlane(v, x, k);
                }
                v
            })
            .collect();
        let words = self.push_quads(Ty::I32, &quads);
        if ty == Ty::I32 { words } else { self.word_to(words, ty) }
    }
}
