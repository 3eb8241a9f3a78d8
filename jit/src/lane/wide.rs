//! Changes of width and representation, and integer products and quotients that need more bits than their operands.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use quadrille_wide::intrinsics::Intrinsic;

use super::shape::vector_of;
use super::{Lane, LaneBuilder, Parts, element_type, is_wide, scalar_type};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    /// The same representation as another type: between integers of at most 32 bits (the caller has normalized the high
    /// bits), and between F16 and F32 (the caller has rounded).
    pub(crate) fn retype(&mut self, a: Lane, ty: Ty) -> Lane {
        let from = self.ty(a);
        if from == ty {
            return a;
        }
        debug_assert_eq!(element_type(from), element_type(ty), "{from:?} is not held as {ty:?}");
        let parts = match (self.repr(a).parts.clone(), from, ty) {
            (Parts::Const(bits), Ty::F16, Ty::F32) => {
                Parts::Const(u64::from(half::f16::from_bits(bits as u16).to_f32().to_bits()))
            }
            (Parts::Const(bits), Ty::F32, Ty::F16) => {
                Parts::Const(u64::from(half::f16::from_f32(f32::from_bits(bits as u32)).to_bits()))
            }
            (parts, _, _) => parts,
        };
        self.push(ty, parts)
    }

    /// Converts one narrow vector to two wide ones.
    fn widen(&mut self, a: Lane, out: Ty, f: impl Fn(&mut Self, Value, bool) -> Value) -> Lane {
        let mut wide = super::Vecs::new();
        for v in self.vecs(a) {
            for high in [false, true] {
                wide.push(f(self, v, high));
            }
        }
        self.push(out, Parts::Varying(wide))
    }

    /// Converts two wide vectors to one narrow one.
    fn join(&mut self, a: Lane, out: Ty, f: impl Fn(&mut Self, Value, Value) -> Value) -> Lane {
        let vecs = self.vecs(a);
        let narrow = vecs.chunks(2).map(|v| f(self, v[0], v[1])).collect();
        self.push(out, Parts::Varying(narrow))
    }

    /// Sign- or zero-extends I32 to I64.
    pub fn i32_to_i64(&mut self, a: Lane, signed: bool) -> Lane {
        if self.is_uniform(a) {
            return self.map1(a, Ty::I64, |s, a| match signed {
                true => s.fb.ins().sextend(types::I64, a),
                false => s.fb.ins().uextend(types::I64, a),
            });
        }
        self.widen(a, Ty::I64, |s, v, high| match (signed, high) {
            (true, false) => s.fb.ins().swiden_low(v),
            (true, true) => s.fb.ins().swiden_high(v),
            (false, false) => s.fb.ins().uwiden_low(v),
            (false, true) => s.fb.ins().uwiden_high(v),
        })
    }

    /// Low word of I64.
    pub fn low_word(&mut self, a: Lane) -> Lane {
        if self.is_uniform(a) {
            return self.map1(a, Ty::I32, |s, a| s.fb.ins().ireduce(types::I32, a));
        }
        self.join(a, Ty::I32, |s, lo, hi| s.words_of(lo, hi, false))
    }

    /// High word of I64.
    pub fn high_word(&mut self, a: Lane) -> Lane {
        if self.is_uniform(a) {
            return self.map1(a, Ty::I32, |s, a| {
                let high = s.fb.ins().ushr_imm_u(a, 32);
                s.fb.ins().ireduce(types::I32, high)
            });
        }
        self.join(a, Ty::I32, |s, lo, hi| s.words_of(lo, hi, true))
    }

    /// F32 to F64, exact.
    pub fn f32_to_f64(&mut self, a: Lane) -> Lane {
        if self.is_uniform(a) {
            return self.map1(a, Ty::F64, |s, a| s.fb.ins().fpromote(types::F64, a));
        }
        if self.is_wide_code() {
            return self.widen(a, Ty::F64, |s, v, high| {
                let v = if high { s.half(v, true) } else { v };
                s.intrinsic(Intrinsic::Promote, &[v], s.vector_type(Ty::F64))
            });
        }
        self.widen(a, Ty::F64, |s, v, high| {
            let v = if high { s.shuffle32(v, v, [2, 3, 2, 3]) } else { v };
            s.fb.ins().fvpromote_low(v)
        })
    }

    /// F64 to F32, rounded to nearest even.
    pub fn f64_to_f32(&mut self, a: Lane) -> Lane {
        if self.is_uniform(a) {
            return self.map1(a, Ty::F32, |s, a| s.fb.ins().fdemote(types::F32, a));
        }
        if self.is_wide_code() {
            return self.join(a, Ty::F32, |s, lo, hi| {
                let whole = s.vector_type(Ty::F32);
                let half = vector_of(types::F32, whole.bits() / 2);
                let lo = s.intrinsic(Intrinsic::Demote, &[lo], whole);
                let hi = s.intrinsic(Intrinsic::Demote, &[hi], half);
                s.intrinsic_of(Intrinsic::WithPart, &[lo, hi], 1, whole)
            });
        }
        self.join(a, Ty::F32, |s, lo, hi| {
            let (lo, hi) = (s.fb.ins().fvdemote(lo), s.fb.ins().fvdemote(hi));
            s.shuffle32(lo, hi, [0, 1, 4, 5])
        })
    }

    /// I32 to F64, exact.
    pub fn i32_to_f64(&mut self, a: Lane, signed: bool) -> Lane {
        if self.is_uniform(a) {
            return self.map1(a, Ty::F64, |s, a| {
                let wide = match signed {
                    true => s.fb.ins().sextend(types::I64, a),
                    false => s.fb.ins().uextend(types::I64, a),
                };
                s.fb.ins().fcvt_from_sint(types::F64, wide)
            });
        }
        if signed && self.is_wide_code() {
            return self.widen(a, Ty::F64, |s, v, high| {
                let v = if high { s.half(v, true) } else { v };
                s.intrinsic(Intrinsic::F64FromI32, &[v], s.vector_type(Ty::F64))
            });
        }
        // The word becomes the low half of 2^52 + word; 2^31 is added to signed words first.
        let a = if signed {
            let top = self.u32(1 << 31);
            self.xor(a, top)
        } else {
            a
        };
        let base = 2f64.powi(52) + if signed { 2f64.powi(31) } else { 0.0 };
        self.widen(a, Ty::F64, |s, v, high| {
            let vt = s.vector_type(Ty::F64);
            let words = if s.is_wide_code() {
                let wide = if high { s.fb.ins().uwiden_high(v) } else { s.fb.ins().uwiden_low(v) };
                let exponent = s.vconst32(s.vector_type(Ty::I64), &[0, 0x4330_0000]);
                s.fb.ins().bor(wide, exponent)
            } else {
                let exponent = s.vconst32(types::I32X4, &[0x4330_0000]);
                s.shuffle32(v, exponent, if high { [2, 6, 3, 7] } else { [0, 4, 1, 5] })
            };
            let biased = s.vcast(vt, words);
            let base = s.vconst64(vt, base.to_bits());
            s.fb.ins().fsub(biased, base)
        })
    }

    /// Integer to float, rounded to nearest even; each lane as a scalar.
    pub(crate) fn int_to_float_lanes(&mut self, a: Lane, signed: bool, to: Ty) -> Lane {
        let t = scalar_type(to);
        self.map_lanes(&[a], to, |s, v| match signed {
            true => s.fb.ins().fcvt_from_sint(t, v[0]),
            false => s.fb.ins().fcvt_from_uint(t, v[0]),
        })
    }

    /// Float to integer, rounded toward zero, saturating, 0 for NaN; each lane as a scalar.
    pub(crate) fn float_to_int_lanes(&mut self, a: Lane, signed: bool, to: Ty) -> Lane {
        let t = scalar_type(to);
        self.map_lanes(&[a], to, |s, v| match signed {
            true => s.fb.ins().fcvt_to_sint_sat(t, v[0]),
            false => s.fb.ins().fcvt_to_uint_sat(t, v[0]),
        })
    }

    /// High half of the product of two integers of the same type (I32 or I64).
    pub fn mul_high(&mut self, a: Lane, b: Lane, signed: bool) -> Lane {
        let ty = self.ty(a);
        let scalar = |s: &mut Self, a, b| match signed {
            true => s.fb.ins().smulhi(a, b),
            false => s.fb.ins().umulhi(a, b),
        };
        if self.is_uniform(a) && self.is_uniform(b) || is_wide(ty) {
            return self.map_lanes(&[a, b], ty, |s, v| scalar(s, v[0], v[1]));
        }
        let (a, b) = (self.vecs(a), self.vecs(b));
        let vecs = (0..a.len())
            .map(|i| {
                let (a, b) = (a[i], b[i]);
                let (low, high) = if signed {
                    let (x, y) = (self.fb.ins().swiden_low(a), self.fb.ins().swiden_low(b));
                    let low = self.fb.ins().imul(x, y);
                    let (x, y) = (self.fb.ins().swiden_high(a), self.fb.ins().swiden_high(b));
                    (low, self.fb.ins().imul(x, y))
                } else {
                    let (x, y) = (self.fb.ins().uwiden_low(a), self.fb.ins().uwiden_low(b));
                    let low = self.fb.ins().imul(x, y);
                    let (x, y) = (self.fb.ins().uwiden_high(a), self.fb.ins().uwiden_high(b));
                    (low, self.fb.ins().imul(x, y))
                };
                self.words_of(low, high, true)
            })
            .collect();
        self.push(ty, Parts::Varying(vecs))
    }

    /// Quotient of I32 or I64, rounded toward zero; 0 for a zero divisor, MIN for MIN / -1. Cannot trap.
    pub fn idiv(&mut self, a: Lane, b: Lane, signed: bool) -> Lane {
        let ty = self.ty(a);
        if is_wide(ty) || self.is_uniform(a) && self.is_uniform(b) {
            return self.map_lanes(&[a, b], ty, |s, v| {
                s.kept_quotient((v[0], v[1], signed), |s| s.idiv_scalar(v[0], v[1], signed))
            });
        }
        // The f64 quotient of 32-bit integers never rounds up to the next integer, so its integral part is the
        // quotient. Adding 1.5 * 2^52 moves that into the low word, which is 0 for infinities and NaN.
        let (x, y) = (self.i32_to_f64(a, signed), self.i32_to_f64(b, signed));
        let q = self.fdiv(x, y);
        let q = self.trunc(q);
        let place = self.bits(Ty::F64, 6_755_399_441_055_744f64.to_bits());
        let sum = self.fadd(q, place);
        let words = self.bitcast(sum, Ty::I64);
        let q = self.low_word(words);
        self.retype(q, ty)
    }

    fn idiv_scalar(&mut self, a: Value, b: Value, signed: bool) -> Value {
        use cranelift_codegen::ir::condcodes::IntCC;
        let t = self.fb.func.dfg.value_type(a);
        let zero = self.fb.ins().icmp_imm_s(IntCC::Equal, b, 0);
        let one = self.fb.ins().iconst(t, 1);
        let divisor = self.fb.ins().select(zero, one, b);
        let quotient = if !signed {
            self.fb.ins().udiv(a, divisor)
        } else {
            // MIN / -1 overflows: divide by 1 instead, with the result MIN.
            let minus = self.fb.ins().icmp_imm_s(IntCC::Equal, b, -1);
            let min = self.fb.ins().iconst(t, if t == types::I64 { i64::MIN } else { 0x8000_0000 });
            let least = self.fb.ins().icmp(IntCC::Equal, a, min);
            let overflow = self.fb.ins().band(minus, least);
            let divisor = self.fb.ins().select(overflow, one, divisor);
            self.fb.ins().sdiv(a, divisor)
        };
        let none = self.fb.ins().iconst(t, 0);
        self.fb.ins().select(zero, none, quotient)
    }

    /// Calls `extern "C"` code once per lane. `helper` takes the scalars of `args` and returns a scalar of type `out`.
    pub(crate) fn call_lanes(&mut self, helper: usize, args: &[Lane], out: Ty) -> Lane {
        use cranelift_codegen::ir as cl;
        let mut sig = cl::Signature::new(self.fb.func.signature.call_conv);
        sig.params = args.iter().map(|&a| cl::AbiParam::new(scalar_type(self.ty(a)))).collect();
        sig.returns.push(cl::AbiParam::new(scalar_type(out)));
        let sig = self.fb.import_signature(sig);
        let told = self.begin_call();
        let results = self.map_lanes(args, out, |s, v| {
            let f = s.fb.ins().iconst(types::I64, helper as i64);
            let call = s.fb.ins().call_indirect(sig, f, v);
            s.fb.inst_results(call)[0]
        });
        self.end_call(told);
        results
    }
}
