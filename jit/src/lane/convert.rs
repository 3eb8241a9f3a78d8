//! Conversions between types.

use cranelift_codegen::ir::{InstBuilder, types};

use super::{FCmp, Lane, LaneBuilder, Parts, scalar_type};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    /// The same bits as another type of the same width. Not for F16.
    pub fn bitcast(&mut self, a: Lane, to: Ty) -> Lane {
        if self.ty(a) == to {
            return a;
        }
        if let Some(bits) = self.as_const(a) {
            return self.bits(to, bits);
        }
        let vt = if self.is_uniform(a) { scalar_type(to) } else { self.vector_type(to) };
        self.map1(a, to, |s, a| s.vcast(vt, a))
    }

    /// Signed 32-bit to f32, rounded to nearest even.
    pub fn s32_to_f32(&mut self, a: Lane) -> Lane {
        let t = if self.is_uniform(a) { types::F32 } else { self.vector_type(Ty::F32) };
        self.map1(a, Ty::F32, |s, a| s.fb.ins().fcvt_from_sint(t, a))
    }

    /// Unsigned 32-bit to f32, rounded to nearest even.
    pub fn u32_to_f32(&mut self, a: Lane) -> Lane {
        if self.is_uniform(a) || self.is_wide_code() {
            let t = if self.is_uniform(a) { types::F32 } else { self.vector_type(Ty::F32) };
            return self.map1(a, Ty::F32, |s, a| s.fb.ins().fcvt_from_uint(t, a));
        }
        // Both halves convert exactly; only their sum is rounded.
        let (sixteen, mask, scale) = (self.i32(16), self.i32(0xffff), self.f32(65536.0));
        let (high, low) = (self.ushr(a, sixteen), self.and(a, mask));
        let (high, low) = (self.s32_to_f32(high), self.s32_to_f32(low));
        let high = self.fmul(high, scale);
        self.fadd(high, low)
    }

    /// f32 to signed 32-bit, rounded toward zero, saturating; 0 for NaN.
    pub fn f32_to_s32(&mut self, a: Lane) -> Lane {
        if self.is_uniform(a) || !crate::cpu::IS_X86 {
            let t = if self.is_uniform(a) { types::I32 } else { self.int_vector() };
            return self.map1(a, Ty::I32, |s, a| s.fb.ins().fcvt_to_sint_sat(t, a));
        }
        // The host converts NaN and out-of-range values to MIN: flip it to MAX above the range, clear it for NaN.
        let limit = self.f32(2_147_483_648.0);
        let above = self.fcmp(FCmp::OrdGe, a, limit);
        let number = self.fcmp(FCmp::Ordered, a, a);
        let r = self.convert_in_range(a);
        let (above, number) = (self.mask_words(above), self.mask_words(number));
        let r = self.xor(r, above);
        self.and(r, number)
    }

    /// f32 to unsigned 32-bit, rounded toward zero, saturating; 0 for NaN.
    pub fn f32_to_u32(&mut self, a: Lane) -> Lane {
        if self.is_uniform(a) || !crate::cpu::IS_X86 {
            let t = if self.is_uniform(a) { types::I32 } else { self.int_vector() };
            return self.map1(a, Ty::I32, |s, a| s.fb.ins().fcvt_to_uint_sat(t, a));
        }
        // Negative values and NaN become 0; the upper half of the range is converted after subtracting 2^31.
        let (zero, half, limit) = (self.f32(0.0), self.f32(2_147_483_648.0), self.f32(4_294_967_296.0));
        let a = self.fmax(a, zero);
        let upper = self.fcmp(FCmp::OrdGe, a, half);
        let beyond = self.fcmp(FCmp::OrdGe, a, limit);
        let (upper, beyond) = (self.mask_words(upper), self.mask_words(beyond));
        let half = self.bitcast(half, Ty::I32);
        let lower_by = self.and(upper, half);
        let lower_by = self.bitcast(lower_by, Ty::F32);
        let a = self.fsub(a, lower_by);
        let r = self.convert_in_range(a);
        let top = self.i32(31);
        let top = self.shl(upper, top);
        let r = self.xor(r, top);
        self.or(r, beyond)
    }

    /// The words of a varying Bool: all ones or zero.
    pub(crate) fn mask_words(&mut self, mask: Lane) -> Lane {
        let v = self.vecs(mask);
        self.push(Ty::I32, Parts::Varying(v))
    }

    /// f32 to i32, rounded toward zero, for values known to be in range: one instruction. For other values the result
    /// is arbitrary and may depend on the host.
    pub fn f32_to_s32_in_range(&mut self, a: Lane) -> Lane {
        if self.is_uniform(a) || !crate::cpu::IS_X86 {
            return self.f32_to_s32(a);
        }
        self.convert_in_range(a)
    }

    /// The host's conversion instruction, for varying values.
    fn convert_in_range(&mut self, a: Lane) -> Lane {
        let vt = self.int_vector();
        self.map1(a, Ty::I32, |s, a| s.fb.ins().x86_cvtt2dq(vt, a))
    }

    /// Zero-extends I32 to I64 (uniform only).
    pub fn u32_to_i64(&mut self, a: Lane) -> Lane {
        if let Some(c) = self.as_const(a) {
            return self.bits(Ty::I64, c & 0xffff_ffff);
        }
        let a = self.scalar(a);
        let v = self.extend_known(a);
        self.push(Ty::I64, Parts::Uniform(v))
    }

    /// Low word of a uniform I64.
    pub fn i64_to_i32(&mut self, a: Lane) -> Lane {
        let a = self.scalar(a);
        let v = self.fb.ins().ireduce(types::I32, a);
        self.push(Ty::I32, Parts::Uniform(v))
    }

    /// Bool to I32: 0 or 1.
    pub fn bool_to_i32(&mut self, a: Lane) -> Lane {
        if let Some(c) = self.as_const(a) {
            return self.bits(Ty::I32, c);
        }
        if self.is_uniform(a) {
            return self.map1(a, Ty::I32, |s, a| s.fb.ins().uextend(types::I32, a));
        }
        if self.is_wide_code() {
            let (one, zero) = (self.u32(1), self.u32(0));
            return self.select(a, one, zero);
        }
        self.map1(a, Ty::I32, |s, a| s.fb.ins().ushr_imm_u(a, 31))
    }
}
