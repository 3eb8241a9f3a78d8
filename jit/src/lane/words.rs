//! Values as 32-bit words and as records in memory.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as cl, InstBuilder, Value, types};
use smallvec::SmallVec;

use super::mem::Access;
use super::{ICmp, Lane, LaneBuilder, LaneVar, Parts, element_type, is_wide, shape};
use crate::ir::Ty;

impl LaneVar {
    /// Type of what it holds.
    pub fn ty(&self) -> Ty {
        self.ty
    }
    /// Holds one scalar for the group.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }
}

impl LaneBuilder<'_> {
    /// The vectors of a mask under another type of at most 32 bits; only for values never seen.
    pub(crate) fn reinterpret(&mut self, mask: Lane, ty: Ty) -> Lane {
        let vt = self.vector_type(ty);
        let v = self.vecs(mask).into_iter().map(|v| self.vcast(vt, v)).collect();
        self.push(ty, Parts::Varying(v))
    }

    /// A value of a type up to 32 bits as memory words: F16 as its encoding.
    pub fn to_word(&mut self, v: Lane) -> Lane {
        match self.ty(v) {
            Ty::F16 => {
                let f = self.retype(v, Ty::F32);
                self.f16_encoding(f)
            }
            Ty::F32 => self.bitcast(v, Ty::I32),
            Ty::Bool => self.bool_to_i32(v),
            Ty::I8 | Ty::I16 => self.retype(v, Ty::I32),
            _ => v,
        }
    }

    /// The opposite of [`Self::to_word`]; the word's upper bits must be zero for narrow types.
    pub fn word_to(&mut self, w: Lane, ty: Ty) -> Lane {
        match ty {
            Ty::F16 => {
                let f = self.f16_bits_to_f32(w);
                self.retype(f, Ty::F16)
            }
            Ty::F32 => self.bitcast(w, Ty::F32),
            Ty::Bool => {
                let zero = self.u32(0);
                self.icmp(ICmp::Ne, w, zero)
            }
            Ty::I8 | Ty::I16 => self.retype(w, ty),
            _ => w,
        }
    }

    /// I64 from its low and high words.
    pub fn join_words(&mut self, lo: Lane, hi: Lane) -> Lane {
        let (l, h) = (self.i32_to_i64(lo, false), self.i32_to_i64(hi, false));
        let n = self.i32(32);
        let h = self.shl(h, n);
        self.or(l, h)
    }

    /// Uniform I32 below `bound` divided by a nonzero constant: no division instruction while both are small.
    pub(crate) fn udiv_small(&mut self, a: Lane, d: u32, bound: u32) -> Lane {
        if let Some(x) = self.as_const(a) {
            return self.u32(x as u32 / d);
        }
        if bound <= d {
            return self.u32(0);
        }
        let x = self.scalar(a);
        let v = if d.is_power_of_two() {
            self.fb.ins().ushr_imm_u(x, i64::from(d.trailing_zeros()))
        } else if bound <= 1 << 16 {
            // The factor is too large by less than d / 2^32: less than 1/d in total.
            let factor = (1u64 << 32).div_ceil(u64::from(d));
            let x = self.fb.ins().uextend(types::I64, x);
            let product = self.fb.ins().imul_imm_s(x, factor as i64);
            let high = self.fb.ins().ushr_imm_u(product, 32);
            self.fb.ins().ireduce(types::I32, high)
        } else {
            let d = self.fb.ins().iconst(types::I32, i64::from(d));
            self.fb.ins().udiv(x, d)
        };
        self.push(Ty::I32, Parts::Uniform(v))
    }
    /// The remainder, likewise.
    pub(crate) fn urem_small(&mut self, a: Lane, d: u32, bound: u32) -> Lane {
        if bound <= d {
            return a;
        }
        if d.is_power_of_two() {
            let mask = self.u32(d - 1);
            return self.and(a, mask);
        }
        let q = self.udiv_small(a, d, bound);
        let k = self.u32(d);
        let whole = self.imul(q, k);
        self.isub(a, whole)
    }

    /// Branches to `yes` if a uniform I32 equals a constant, else to `no`.
    pub(crate) fn if_to(&mut self, v: Lane, k: u32, yes: cl::Block, no: cl::Block) {
        let x = self.scalar(v);
        let c = self.fb.ins().icmp_imm_u(IntCC::Equal, x, i64::from(k));
        self.fb.ins().brif(c, yes, &[], no, &[]);
    }

    /// Address plus a uniform I32 that may be known.
    pub(crate) fn index_const(&mut self, addr: Lane, i: Lane) -> Lane {
        match self.const_u32(i) {
            Some(k) => self.offset(addr, i64::from(k)),
            None => self.index(addr, i, 1),
        }
    }

    /// Loads one scalar, ordered if asked.
    pub(crate) fn load_access(&mut self, ty: Ty, addr: Lane, offset: i32, ordered: bool) -> Lane {
        let a = self.scalar(addr);
        let access = if ordered { Access::Ordered } else { Access::Plain };
        let v = self.load_scalar(ty, a, offset, access);
        self.push(ty, Parts::Uniform(v))
    }

    /// Gathers one scalar per lane, ordered if asked.
    pub(crate) fn gather_access(&mut self, ty: Ty, base: Lane, offset: Lane, ordered: bool) -> Lane {
        let access = if ordered { Access::Ordered } else { Access::Plain };
        self.gather_from(ty, base, offset, access)
    }

    /// Position of the lowest one bit of a uniform I32 (32 if there is none).
    pub fn lowest_bit(&mut self, bits: Lane) -> Lane {
        let s = self.scalar(bits);
        let v = self.fb.ins().ctz(s);
        self.push(Ty::I32, Parts::Uniform(v))
    }

    /// Uniform: the lane numbered by a uniform I32 below S.
    pub(crate) fn extract_dynamic(&mut self, v: Lane, lane: Lane) -> Lane {
        let ty = self.ty(v);
        if self.is_uniform(v) {
            return v;
        }
        let mark = self.mark_temporaries();
        let row = self.spill(v);
        self.release_temporaries(mark);
        let s = self.u32(self.lanes() - 1);
        let lane = self.umin(lane, s);
        let at = self.index(row, lane, if is_wide(ty) { 8 } else { 4 });
        if ty == Ty::Bool {
            let w = self.load(Ty::I32, at, 0);
            let zero = self.u32(0);
            return self.icmp(ICmp::Ne, w, zero);
        }
        // Narrow types lie in rows as registers hold them.
        let held = match ty {
            Ty::I8 | Ty::I16 => Ty::I32,
            Ty::F16 => Ty::F32,
            t => t,
        };
        let x = self.load(held, at, 0);
        self.retype(x, ty)
    }

    /// Each lane takes the value of the lane that `from` (I32, below S) names.
    pub(crate) fn pick_lanes(&mut self, v: Lane, from: Lane) -> Lane {
        let ty = self.ty(v);
        let v = self.splat(v);
        let mark = self.mark_temporaries();
        let row = self.spill(v);
        self.release_temporaries(mark);
        let width = self.u32(if is_wide(ty) { 8 } else { 4 });
        let offset = self.imul(from, width);
        let held = match ty {
            Ty::I8 | Ty::I16 | Ty::Bool => Ty::I32,
            Ty::F16 => Ty::F32,
            t => t,
        };
        let x = self.gather_access(held, row, offset, false);
        if ty == Ty::Bool {
            let zero = self.u32(0);
            return self.icmp(ICmp::Ne, x, zero);
        }
        self.retype(x, ty)
    }

    /// A varying value from S uniform ones.
    pub(crate) fn from_lanes(&mut self, ty: Ty, lanes: &[Lane]) -> Lane {
        let s: Vec<Value> = lanes.iter().map(|&l| self.scalar(l)).collect();
        self.from_scalars(ty, &s)
    }

    /// In each 128 bits, four rows of four to four columns.
    fn transpose(&mut self, m: [Value; 4]) -> [Value; 4] {
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

    /// From the four words of each lane of a vector to the vectors of first, second, third and fourth words.
    pub(super) fn transpose_lanes(&mut self, lanes: &[Value]) -> [Value; 4] {
        let m = [0, 1, 2, 3].map(|k| {
            let parts: shape::Quads = lanes.iter().copied().skip(k).step_by(4).collect();
            self.put_together(&parts)[0]
        });
        self.transpose(m)
    }

    /// Stores one record per lane: words of 32 bits, lane l's record at `addr + l * stride`.
    pub fn store_records(&mut self, words: &[Lane], addr: Lane, stride: u32) {
        let a = self.scalar(addr);
        let rows: Vec<super::Vecs> = words
            .iter()
            .map(|&w| {
                let w = self.to_word(w);
                self.vecs(w)
            })
            .collect();
        let per = self.per_vec(Ty::I32) as usize;
        for (block, four) in rows.chunks(4).enumerate() {
            for i in 0..self.n_vecs(Ty::I32) {
                let at = |lane: usize, word: usize| {
                    ((i * per + lane) as u32 * stride) as i32 + ((block * 4 + word) * 4) as i32
                };
                if four.len() == 4 {
                    let m = self.transpose([four[0][i], four[1][i], four[2][i], four[3][i]]);
                    for (k, v) in m.into_iter().enumerate() {
                        for (quad, v) in self.cut(v).into_iter().enumerate() {
                            self.fb.ins().store(Self::flags(), v, a, at(4 * quad + k, 0));
                        }
                    }
                } else {
                    for (word, row) in four.iter().enumerate() {
                        for (quad, v) in self.cut(row[i]).into_iter().enumerate() {
                            for k in 0..4 {
                                let x = self.fb.ins().extractlane(v, k as u8);
                                self.fb.ins().store(Self::flags(), x, a, at(4 * quad + k, word));
                            }
                        }
                    }
                }
            }
        }
    }

    /// Loads `n` words of one record per lane, lane l's at `addr + l * stride`; `ty` is I32 or F32.
    pub fn load_records(&mut self, ty: Ty, addr: Lane, stride: u32, n: u32) -> SmallVec<[Lane; 4]> {
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
}
