//! Conversion of values to and from 32-bit words and memory.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::mem::Access;
use super::{Block, ICmp, Lane, LaneBuilder, Parts, is_wide};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    /// The vectors of a mask as another type of at most 32 bits; only for values that no lane reads.
    pub(crate) fn reinterpret(&mut self, mask: Lane, ty: Ty) -> Lane {
        let vt = self.vector_type(ty);
        let v = self.vecs(mask).into_iter().map(|v| self.vcast(vt, v)).collect();
        self.push(ty, Parts::Varying(v))
    }

    /// The memory word of a value of a type up to 32 bits; F16 as its encoding.
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

    /// The inverse of [`Self::to_word`]; for narrow types the word's upper bits must be zero.
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

    /// Divides a uniform I32 below `bound` by a nonzero constant, without a division instruction if both are small.
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
            // The factor is too large by less than d / 2^32, so the total error is less than 1/d.
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
    /// Remainder of a uniform I32 below `bound` by a nonzero constant; see [`Self::udiv_small`].
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

    /// Branches to `yes` if a uniform I32 equals a constant, otherwise to `no`.
    pub(crate) fn if_to(&mut self, v: Lane, k: u32, yes: Block, no: Block) {
        let x = self.scalar(v);
        let c = self.fb.ins().icmp_imm_u(IntCC::Equal, x, i64::from(k));
        self.branch_by(c, yes, no);
    }

    /// An address plus a uniform I32 that may be constant.
    pub(crate) fn index_const(&mut self, addr: Lane, i: Lane) -> Lane {
        match self.const_u32(i) {
            Some(k) => self.offset(addr, i64::from(k)),
            None => self.index(addr, i, 1),
        }
    }

    /// Loads one scalar; as an ordered access if `ordered`.
    pub(crate) fn load_access(&mut self, ty: Ty, addr: Lane, offset: i32, ordered: bool) -> Lane {
        let a = self.scalar(addr);
        let access = if ordered { Access::Ordered } else { Access::Plain };
        let v = self.load_scalar(ty, a, offset, access);
        self.push(ty, Parts::Uniform(v))
    }

    /// Gathers one scalar per lane; as ordered accesses if `ordered`.
    pub(crate) fn gather_access(&mut self, ty: Ty, base: Lane, offset: Lane, ordered: bool) -> Lane {
        let access = if ordered { Access::Ordered } else { Access::Plain };
        self.gather_from(ty, base, offset, access)
    }

    /// Index of the lowest set bit of a uniform I32 (32 if there is none).
    pub fn lowest_bit(&mut self, bits: Lane) -> Lane {
        let s = self.scalar(bits);
        let v = self.fb.ins().ctz(s);
        self.push(Ty::I32, Parts::Uniform(v))
    }

    /// Uniform: the lane selected by a uniform I32 below S.
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
}
