//! Conversion between records in memory, one per lane, and rows of words.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use quadrille_wide::intrinsics::Intrinsic;
use smallvec::SmallVec;

use super::mem::Access;
use super::{Lane, LaneBuilder, Parts, element_type, shape};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    /// Transposes four rows of four words; the result is in bytes.
    fn transpose_words(&mut self, m: [Value; 4]) -> [Value; 4] {
        let mut pair = |a, b| [[0, 4, 1, 5], [2, 6, 3, 7]].map(|words| self.shuffle_words(a, b, words));
        let ([t0, t2], [t1, t3]) = (pair(m[0], m[1]), pair(m[2], m[3]));
        let mut pair = |a, b| [[0, 1, 4, 5], [2, 3, 6, 7]].map(|words| self.shuffle_words(a, b, words));
        let ([c0, c1], [c2, c3]) = (pair(t0, t1), pair(t2, t3));
        [c0, c1, c2, c3]
    }

    /// Transposes four rows of four words in each 128 bits.
    pub(super) fn transpose(&mut self, m: [Value; 4]) -> [Value; 4] {
        let ty = self.fb.func.dfg.value_type(m[0]);
        if ty.bits() == 128 && ty.lane_bits() == 32 {
            return self.transpose_words(m).map(|v| self.vcast(ty, v));
        }
        let t0 = self.shuffle32(m[0], m[1], [0, 4, 1, 5]);
        let t1 = self.shuffle32(m[2], m[3], [0, 4, 1, 5]);
        let t2 = self.shuffle32(m[0], m[1], [2, 6, 3, 7]);
        let t3 = self.shuffle32(m[2], m[3], [2, 6, 3, 7]);
        [
            self.shuffle32(t0, t1, [0, 1, 4, 5]),
            self.shuffle32(t0, t1, [2, 3, 6, 7]),
            self.shuffle32(t2, t3, [0, 1, 4, 5]),
            self.shuffle32(t2, t3, [2, 3, 6, 7]),
        ]
    }

    /// From the four words of each lane: the vectors of the first, second, third and fourth words.
    pub(super) fn transpose_lanes(&mut self, lanes: &[Value]) -> [Value; 4] {
        self.transpose_each(lanes.chunks(4), |_, four| [four[0], four[1], four[2], four[3]])
    }

    /// The same for four lanes after four, which `words` emits. Loads stay in their order: processors foresee those from
    /// ascending addresses. Few addresses are live at a time.
    pub(super) fn transpose_each<T>(
        &mut self,
        fours: impl IntoIterator<Item = T>,
        mut words: impl FnMut(&mut Self, T) -> [Value; 4],
    ) -> [Value; 4] {
        let mut m: Option<[Value; 4]> = None;
        for (part, four) in (0..).zip(fours) {
            let lanes = words(self, four);
            if !self.is_wide_code() {
                m = Some(lanes);
                break;
            }
            let ty = shape::vector_of(self.fb.func.dfg.value_type(lanes[0]).lane_type(), self.vector_bits);
            let to = m.get_or_insert([self.vconst32(ty, &[0]); 4]);
            for (v, &lane) in to.iter_mut().zip(&lanes) {
                *v = self.intrinsic_of(Intrinsic::WithPart, &[*v, lane], part, ty);
            }
        }
        self.transpose(m.expect("at least four lanes"))
    }

    /// Stores one record of 32-bit words per lane; lane l's record is at `addr + l * stride`.
    pub fn store_records(&mut self, words: &[Lane], addr: Lane, stride: u32) {
        if self.store_dense_records(words, addr, stride)
            || self.store_pairs(words, addr, stride)
            || self.scatter_records(words, addr, stride)
        {
            return;
        }
        let a = self.scalar(addr);
        let per = self.per_vec(Ty::I32) as usize;
        for (block, four) in words.chunks(4).enumerate() {
            if four.len() < 4 {
                let at = |lane: u32, word: usize| (lane * stride) as i32 + ((block * 4 + word) * 4) as i32;
                for (word, &w) in four.iter().enumerate() {
                    let w = self.to_word(w);
                    self.store_apart(w, a, |lane| at(lane, word));
                }
                continue;
            }
            let rows: SmallVec<[super::Vecs; 4]> = four
                .iter()
                .map(|&w| {
                    let w = if self.ty(w) == Ty::F32 { w } else { self.to_word(w) };
                    self.vecs(w)
                })
                .collect();
            for i in 0..self.n_vecs(Ty::I32) {
                let m = [rows[0][i], rows[1][i], rows[2][i], rows[3][i]];
                let m = if self.is_wide_code() { self.transpose(m) } else { self.transpose_words(m) };
                for (k, v) in m.into_iter().enumerate() {
                    for (quad, v) in self.cut(v).into_iter().enumerate() {
                        let lane = (i * per + 4 * quad + k) as u32;
                        self.fb.ins().store(
                            Self::flags(),
                            v,
                            a,
                            (lane * stride) as i32 + (block * 16) as i32,
                        );
                    }
                }
            }
        }
    }

    /// Stores the word of each lane to a separate address.
    fn store_apart(&mut self, word: Lane, addr: Value, at: impl Fn(u32) -> i32) {
        if self.is_uniform(word) {
            let x = self.scalar(word);
            for lane in 0..self.lanes() {
                self.fb.ins().store(Self::flags(), x, addr, at(lane));
            }
            return;
        }
        for (quad, v) in (0..).zip(self.quads(word)) {
            for k in 0..4 {
                let x = self.fb.ins().extractlane(v, k);
                self.fb.ins().store(Self::flags(), x, addr, at(4 * quad + u32::from(k)));
            }
        }
    }

    /// Loads `n` words of one record per lane, where lane l's record is at `addr + l * stride`; `ty` is I32 or F32.
    pub fn load_records(&mut self, ty: Ty, addr: Lane, stride: u32, n: u32) -> SmallVec<[Lane; 4]> {
        if let Some(words) = self.load_dense_records(ty, addr, stride, n) {
            return words;
        }
        if self.is_wide_code() && n < 4 {
            let offset = self.record_offsets(stride);
            return (0..n)
                .map(|word| {
                    let base = self.offset(addr, i64::from(4 * word));
                    self.gather_from(ty, base, offset, Access::Plain)
                })
                .collect();
        }
        let a = self.scalar(addr);
        let (lane, per) = (element_type(ty), self.per_vec(ty) as usize);
        let at = |lane: usize| (lane as u32 * stride) as i32;
        let mut rows: Vec<super::Vecs> = vec![super::Vecs::new(); n as usize];
        for first in (0..self.lanes() as usize).step_by(per) {
            let lanes = first..first + per;
            if n == 4 {
                let vt = shape::vector_of(lane, 128);
                let loads: shape::Quads =
                    lanes.map(|l| self.fb.ins().load(vt, Self::flags(), a, at(l))).collect();
                for (row, v) in rows.iter_mut().zip(self.transpose_lanes(&loads)) {
                    row.push(v);
                }
            } else {
                for (word, row) in rows.iter_mut().enumerate() {
                    let place = |l| at(l) + 4 * word as i32;
                    let s: Vec<Value> =
                        lanes.clone().map(|l| self.fb.ins().load(lane, Self::flags(), a, place(l))).collect();
                    let v = self.vectors_of(ty, &s);
                    row.extend(v);
                }
            }
        }
        rows.into_iter().map(|r| self.push(ty, Parts::Varying(r))).collect()
    }

    /// Byte offset of each lane's record.
    fn record_offsets(&mut self, stride: u32) -> Lane {
        let offsets: SmallVec<[u32; 32]> = (0..self.lanes()).map(|l| l * stride).collect();
        self.row_const(Ty::I32, &offsets)
    }

    /// Returns true if consecutive records of `n` words fill whole vectors that cross-lane moves can sort.
    pub(crate) fn sorts_records(&self, stride: u32, n: u32) -> bool {
        let sorts = n == 2 && self.is_wide_code() || n == 4 && self.has_mask_registers();
        sorts && stride == 4 * n
    }

    /// Splits vectors into their even and their odd words, in half as many vectors each.
    fn part_words(&mut self, v: &[Value]) -> [super::Vecs; 2] {
        [false, true].map(|odd| v.chunks(2).map(|p| self.words_of(p[0], p[1], odd)).collect())
    }

    fn load_dense_records(&mut self, ty: Ty, addr: Lane, stride: u32, n: u32) -> Option<SmallVec<[Lane; 4]>> {
        if !self.sorts_records(stride, n) {
            return None;
        }
        let (a, vt, bytes) = (self.scalar(addr), self.vector_type(ty), self.vector_bytes() as i32);
        let n_loads = (self.n_vecs(ty) as u32 * n) as i32;
        let loads: super::Vecs =
            (0..n_loads).map(|i| self.fb.ins().load(vt, Self::flags(), a, bytes * i)).collect();
        let [even, odd] = self.part_words(&loads);
        let rows: SmallVec<[super::Vecs; 4]> = if n == 2 {
            [even, odd].into_iter().collect()
        } else {
            let ([first, third], [second, fourth]) = (self.part_words(&even), self.part_words(&odd));
            [first, second, third, fourth].into_iter().collect()
        };
        Some(
            rows.into_iter()
                .map(|row| {
                    let row = row.into_iter().map(|v| self.vcast(vt, v)).collect();
                    self.push(ty, Parts::Varying(row))
                })
                .collect(),
        )
    }

    /// Interleaves the lanes of both vectors: first halves, and second halves.
    fn interleave(&mut self, x: Value, y: Value) -> [Value; 2] {
        let ty = self.int_vector();
        let n = ty.lane_count();
        [0, n / 2].map(|first| {
            let order: SmallVec<[u32; 16]> = (0..n).map(|i| first + i / 2 + i % 2 * n).collect();
            let order = self.vconst32(ty, &order);
            self.intrinsic(Intrinsic::Permute2, &[x, y, order], ty)
        })
    }

    fn store_dense_records(&mut self, words: &[Lane], addr: Lane, stride: u32) -> bool {
        if !self.sorts_records(stride, words.len() as u32) {
            return false;
        }
        let ty = self.int_vector();
        let (a, bytes) = (self.scalar(addr), self.vector_bytes() as i32);
        let rows: SmallVec<[super::Vecs; 4]> = words
            .iter()
            .map(|&w| {
                let w = self.to_word(w);
                self.vecs(w)
            })
            .collect();
        let mut at = 0;
        for i in 0..self.n_vecs(Ty::I32) {
            let v: SmallVec<[Value; 4]> = rows.iter().map(|r| r[i]).map(|v| self.vcast(ty, v)).collect();
            let sorted: SmallVec<[Value; 4]> = if v.len() == 2 {
                self.interleave(v[0], v[1]).into_iter().collect()
            } else {
                let (even, odd) = (self.interleave(v[0], v[2]), self.interleave(v[1], v[3]));
                [0, 1].into_iter().flat_map(|k| self.interleave(even[k], odd[k])).collect()
            };
            for v in sorted {
                self.fb.ins().store(Self::flags(), v, a, at);
                at += bytes;
            }
        }
        true
    }

    /// Stores records of two words, each as 64 bits; returns false for others, and in code of 128 bits.
    fn store_pairs(&mut self, words: &[Lane], addr: Lane, stride: u32) -> bool {
        let &[x, y] = words else { return false };
        if !self.is_wide_code() {
            return false;
        }
        let a = self.scalar(addr);
        let [x, y] = [x, y].map(|w| {
            let w = self.to_word(w);
            self.vecs(w)
        });
        let mut at = 0;
        for (&x, &y) in x.iter().zip(&y) {
            for pair in self.word_pairs(x, y) {
                self.fb.ins().store(Self::flags(), pair, a, at);
                at += stride as i32;
            }
        }
        true
    }

    /// The words of two vectors, a pair of 64 bits for each lane.
    pub(super) fn word_pairs(&mut self, x: Value, y: Value) -> SmallVec<[Value; 16]> {
        let [low, high] = [[0, 4, 1, 5], [2, 6, 3, 7]].map(|order| {
            let v = self.shuffle32(x, y, order);
            self.cut(v)
        });
        let quads: SmallVec<[Value; 8]> = low.into_iter().zip(high).flat_map(|(l, h)| [l, h]).collect();
        let mut half = |v: Value, ty, lane| {
            let pairs = self.fb.ins().bitcast(ty, shape::le(), v);
            self.fb.ins().extractlane(pairs, lane)
        };
        // As a float, the low half is stored from the vector register.
        quads.into_iter().flat_map(|v| [half(v, types::F64X2, 0), half(v, types::I64X2, 1)]).collect()
    }

    /// Stores records of one to three words with the host's scatter; returns false if it cannot.
    fn scatter_records(&mut self, words: &[Lane], addr: Lane, stride: u32) -> bool {
        if !self.has_masked_stores() || words.len() > 3 {
            return false;
        }
        let (offset, all) = (self.record_offsets(stride), self.bool(true));
        for (k, &w) in words.iter().enumerate() {
            let w = self.to_word(w);
            let base = self.offset(addr, 4 * k as i64);
            self.scatter_where(w, base, offset, all);
        }
        true
    }
}
