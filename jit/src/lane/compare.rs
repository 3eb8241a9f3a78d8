//! Comparisons and selection.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Opcode, Type, Value, types};
use quadrille_wide::intrinsics::Intrinsic;

use super::shape::le;
use super::{FCmp, ICmp, Lane, LaneBuilder, Parts, is_wide};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    /// Compares integers, in the width that registers hold (32 or 64 bits).
    pub fn icmp(&mut self, cc: ICmp, a: Lane, b: Lane) -> Lane {
        if cc == ICmp::Ne && !self.both_uniform(a, b) && !self.has_mask_registers() {
            // Expressed as a complement, so that an `and` can absorb it.
            let eq = self.icmp(ICmp::Eq, a, b);
            return self.not(eq);
        }
        let cc = int_cc(cc);
        self.compare(a, b, |s, a, b| s.fb.ins().icmp(cc, a, b))
    }

    /// Compares floats.
    pub fn fcmp(&mut self, cc: FCmp, a: Lane, b: Lane) -> Lane {
        use FloatCC::*;
        let scalar = self.both_uniform(a, b);
        let (cc, swap) = match cc {
            FCmp::OrdEq => (Equal, false),
            FCmp::OrdNe => (OrderedNotEqual, false),
            FCmp::OrdLt => (LessThan, false),
            FCmp::OrdLe => (LessThanOrEqual, false),
            FCmp::OrdGt => (LessThan, true),
            FCmp::OrdGe => (LessThanOrEqual, true),
            FCmp::UnordEq => (UnorderedOrEqual, false),
            FCmp::UnordNe => (NotEqual, false),
            FCmp::UnordLt => (UnorderedOrLessThan, false),
            FCmp::UnordLe => (UnorderedOrLessThanOrEqual, false),
            FCmp::UnordGt => (UnorderedOrLessThan, true),
            FCmp::UnordGe => (UnorderedOrLessThanOrEqual, true),
            FCmp::Ordered => (Ordered, false),
            FCmp::Unordered => (Unordered, false),
        };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        self.compare(a, b, |s, a, b| match cc {
            // These two have no vector form.
            OrderedNotEqual if !scalar && !s.is_wide_code() => {
                let (x, y) = (s.fb.ins().fcmp(NotEqual, a, b), s.fb.ins().fcmp(Ordered, a, b));
                s.fb.ins().band(x, y)
            }
            UnorderedOrEqual if !scalar && !s.is_wide_code() => {
                let (x, y) = (s.fb.ins().fcmp(Equal, a, b), s.fb.ins().fcmp(Unordered, a, b));
                s.fb.ins().bor(x, y)
            }
            // Nor have these on other processors than x86-64: they are the opposites of ordered comparisons.
            UnorderedOrLessThan if !scalar && !crate::cpu::IS_X86 => {
                let opposite = s.fb.ins().fcmp(GreaterThanOrEqual, a, b);
                s.fb.ins().bnot(opposite)
            }
            UnorderedOrLessThanOrEqual if !scalar && !crate::cpu::IS_X86 => {
                let opposite = s.fb.ins().fcmp(GreaterThan, a, b);
                s.fb.ins().bnot(opposite)
            }
            _ => s.fb.ins().fcmp(cc, a, b),
        })
    }

    fn compare(&mut self, a: Lane, b: Lane, f: impl Fn(&mut Self, Value, Value) -> Value) -> Lane {
        let wide = is_wide(self.ty(a));
        if self.both_uniform(a, b) || !wide {
            return self.map2(a, b, Ty::Bool, f);
        }
        let (a, b) = (self.vecs(a), self.vecs(b));
        let masks: Vec<Value> = a.into_iter().zip(b).map(|(a, b)| f(self, a, b)).collect();
        let v = masks.chunks(2).map(|m| self.narrow_mask(m[0], m[1])).collect();
        self.push(Ty::Bool, Parts::Varying(v))
    }

    /// Narrows two 64-bit masks to one 32-bit mask.
    fn narrow_mask(&mut self, lo: Value, hi: Value) -> Value {
        if self.is_wide_code() {
            let out = self.int_vector();
            return self.intrinsic(Intrinsic::MaskNarrow, &[lo, hi], out);
        }
        self.shuffle32(lo, hi, [0, 2, 4, 6])
    }

    /// The second argument where the Bool is true, otherwise the third.
    pub fn select(&mut self, c: Lane, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        if let Some(c) = self.as_const(c) {
            return if c != 0 { a } else { b };
        }
        if self.is_uniform(c) {
            let c = self.scalar(c);
            if self.both_uniform(a, b) {
                let (a, b) = (self.scalar(a), self.scalar(b));
                let v = self.fb.ins().select(c, a, b);
                return self.push(ty, Parts::Uniform(v));
            }
            let (a, b) = (self.vecs(a), self.vecs(b));
            let v = a.into_iter().zip(b).map(|(a, b)| self.fb.ins().select(c, a, b)).collect();
            return self.push(ty, Parts::Varying(v));
        }
        let (m, a, b) = (self.vecs(c), self.vecs(a), self.vecs(b));
        let v = (0..a.len())
            .map(|i| {
                let m = if is_wide(ty) {
                    let w = m[i / 2];
                    if self.is_wide_code() {
                        let half = [Intrinsic::MaskLow, Intrinsic::MaskHigh][i % 2];
                        self.intrinsic(half, &[w], self.vector_type(Ty::I64))
                    } else if i % 2 == 0 {
                        self.shuffle32(w, w, [0, 0, 1, 1])
                    } else {
                        self.shuffle32(w, w, [2, 2, 3, 3])
                    }
                } else {
                    m[i]
                };
                self.blend(self.vector_type(ty), m, a[i], b[i])
            })
            .collect();
        self.push(ty, Parts::Varying(v))
    }

    /// `m ? a : b`, with a mask in integer lanes.
    pub(crate) fn blend(&mut self, vt: Type, m: Value, a: Value, b: Value) -> Value {
        if self.is_wide_code() {
            let m = self.vcast(vt, m);
            return match self.has_mask_registers() {
                true => self.fb.ins().bitselect(m, a, b),
                false => self.fb.ins().blendv(m, a, b),
            };
        }
        if vt == types::I32X4 {
            return self.blend_i32(m, a, b);
        }
        // This is also one host instruction if the mask comes directly from a comparison.
        if vt == types::F32X4 && self.spares_instructions() && self.is_float_compare(m) {
            let m = self.vcast(vt, m);
            return self.fb.ins().bitselect(m, a, b);
        }
        let (a, b) = (self.vcast(types::I32X4, a), self.vcast(types::I32X4, b));
        let v = self.blend_i32(m, a, b);
        self.fb.ins().bitcast(vt, le(), v)
    }

    fn is_float_compare(&self, m: Value) -> bool {
        let dfg = &self.fb.func.dfg;
        let made = dfg.value_def(m).inst();
        crate::cpu::IS_X86 && made.is_some_and(|i| dfg.insts[i].opcode() == Opcode::Fcmp)
    }

    fn blend_i32(&mut self, m: Value, a: Value, b: Value) -> Value {
        if crate::cpu::IS_X86 { self.fb.ins().blendv(m, a, b) } else { self.fb.ins().bitselect(m, a, b) }
    }
}

fn int_cc(cc: ICmp) -> IntCC {
    match cc {
        ICmp::Eq => IntCC::Equal,
        ICmp::Ne => IntCC::NotEqual,
        ICmp::Slt => IntCC::SignedLessThan,
        ICmp::Sle => IntCC::SignedLessThanOrEqual,
        ICmp::Sgt => IntCC::SignedGreaterThan,
        ICmp::Sge => IntCC::SignedGreaterThanOrEqual,
        ICmp::Ult => IntCC::UnsignedLessThan,
        ICmp::Ule => IntCC::UnsignedLessThanOrEqual,
        ICmp::Ugt => IntCC::UnsignedGreaterThan,
        ICmp::Uge => IntCC::UnsignedGreaterThanOrEqual,
    }
}
