//! Arithmetic of the lane builder: one method per host operation; operations on uniform operands stay scalar.
//!
//! These are the bare operations. `crate::ops` adds the results that the shader IR requires at the edges of their
//! domains.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Value, types};
use quadrille_wide::intrinsics::Intrinsic;

use super::shape::{self, le};
use super::{Lane, LaneBuilder, Parts, element_type, is_wide};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    pub(super) fn both_uniform(&self, a: Lane, b: Lane) -> bool {
        self.is_uniform(a) && self.is_uniform(b)
    }

    /// Applies one CLIF instruction that exists in scalar and vector form.
    pub(crate) fn map1(&mut self, a: Lane, out: Ty, f: impl Fn(&mut Self, Value) -> Value) -> Lane {
        if self.is_uniform(a) {
            let a = self.scalar(a);
            let v = f(self, a);
            self.push(out, Parts::Uniform(v))
        } else {
            let v = self.vecs(a).into_iter().map(|a| f(self, a)).collect();
            self.push(out, Parts::Varying(v))
        }
    }

    /// As [`Self::map1`], with two operands of the same width.
    pub(crate) fn map2(
        &mut self,
        a: Lane,
        b: Lane,
        out: Ty,
        f: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Lane {
        if self.both_uniform(a, b) {
            let (a, b) = (self.scalar(a), self.scalar(b));
            let v = f(self, a, b);
            self.push(out, Parts::Uniform(v))
        } else {
            let (a, b) = (self.vecs(a), self.vecs(b));
            let v = a.into_iter().zip(b).map(|(a, b)| f(self, a, b)).collect();
            self.push(out, Parts::Varying(v))
        }
    }

    /// Computes each lane separately on scalars, for operations without a vector form.
    pub(crate) fn map_lanes(
        &mut self,
        args: &[Lane],
        out: Ty,
        f: impl Fn(&mut Self, &[Value]) -> Value,
    ) -> Lane {
        if args.iter().all(|&a| self.is_uniform(a)) {
            let s: Vec<Value> = args.iter().map(|&a| self.scalar(a)).collect();
            let v = f(self, &s);
            return self.push(out, Parts::Uniform(v));
        }
        let scalars: Vec<Vec<Value>> = args.iter().map(|&a| self.lane_scalars(a)).collect();
        let results: Vec<Value> = (0..self.lanes() as usize)
            .map(|i| {
                let s: Vec<Value> = scalars.iter().map(|x| x[i]).collect();
                f(self, &s)
            })
            .collect();
        self.from_scalars(out, &results)
    }

    /// The S scalars of a value (Bool as I8 0 or 1).
    pub(crate) fn lane_scalars(&mut self, a: Lane) -> Vec<Value> {
        let ty = self.ty(a);
        if self.is_uniform(a) {
            let v = self.scalar(a);
            return vec![v; self.lanes() as usize];
        }
        let per = if is_wide(ty) { 2 } else { 4 };
        let mut out = Vec::with_capacity(self.lanes() as usize);
        for v in self.quads(a) {
            for k in 0..per {
                let x = self.fb.ins().extractlane(v, k);
                out.push(if ty == Ty::Bool {
                    let bit = self.fb.ins().band_imm_u(x, 1);
                    self.fb.ins().ireduce(types::I8, bit)
                } else {
                    x
                });
            }
        }
        out
    }

    /// A varying value from S scalars.
    pub(crate) fn from_scalars(&mut self, ty: Ty, s: &[Value]) -> Lane {
        let v = self.vectors_of(ty, s);
        self.push(ty, Parts::Varying(v))
    }

    /// Vectors from scalars.
    pub(super) fn vectors_of(&mut self, ty: Ty, s: &[Value]) -> super::Vecs {
        let vt = shape::vector_of(element_type(ty), 128);
        let per = if is_wide(ty) { 2 } else { 4 };
        let quads: shape::Quads = s
            .chunks(per)
            .map(|c| {
                let fix = |b: &mut Self, x: Value| {
                    if ty == Ty::Bool {
                        let w = b.fb.ins().uextend(types::I32, x);
                        b.fb.ins().ineg(w)
                    } else {
                        x
                    }
                };
                let first = fix(self, c[0]);
                let mut v = self.fb.ins().scalar_to_vector(vt, first);
                for (k, &x) in c.iter().enumerate().skip(1) {
                    let x = fix(self, x);
                    v = self.fb.ins().insertlane(v, x, k as u8);
                }
                v
            })
            .collect();
        self.put_together(&quads)
    }

    /// Sums of the products of signed bytes, by vectors of the wide back end; `None` for scalars and in code of 128 bits.
    pub(crate) fn dot_bytes(&mut self, a: Lane, b: Lane) -> Option<Lane> {
        if self.both_uniform(a, b) || !self.is_wide_code() {
            return None;
        }
        Some(self.map2(a, b, Ty::I32, |s, a, b| {
            let ty = s.fb.func.dfg.value_type(a);
            s.intrinsic(Intrinsic::DotBytes, &[a, b], ty)
        }))
    }

    // Floats.

    /// Sum.
    pub fn fadd(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().fadd(a, b))
    }
    /// Difference.
    pub fn fsub(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().fsub(a, b))
    }
    /// Product.
    pub fn fmul(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().fmul(a, b))
    }
    /// Quotient.
    pub fn fdiv(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().fdiv(a, b))
    }
    /// Square root, correctly rounded.
    pub fn sqrt(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        self.map1(a, ty, |s, a| s.fb.ins().sqrt(a))
    }
    /// Rounds toward negative infinity.
    pub fn floor(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        self.map1(a, ty, |s, a| s.fb.ins().floor(a))
    }
    /// Rounds toward positive infinity.
    pub fn ceil(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        self.map1(a, ty, |s, a| s.fb.ins().ceil(a))
    }
    /// Rounds toward zero.
    pub fn trunc(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        self.map1(a, ty, |s, a| s.fb.ins().trunc(a))
    }
    /// Rounds to nearest, ties to even.
    pub fn nearest(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        self.map1(a, ty, |s, a| s.fb.ins().nearest(a))
    }
    /// Flips the sign bit.
    pub fn fneg(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        self.map1(a, ty, |s, a| s.fb.ins().fneg(a))
    }
    /// Clears the sign bit.
    pub fn fabs(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        self.map1(a, ty, |s, a| s.fb.ins().fabs(a))
    }
    /// `a < b ? a : b`: b if either is NaN. One instruction.
    pub fn fmin(&mut self, a: Lane, b: Lane) -> Lane {
        self.min_max(a, b, FloatCC::LessThan, false)
    }
    /// `a > b ? a : b`: b if either is NaN. One instruction.
    pub fn fmax(&mut self, a: Lane, b: Lane) -> Lane {
        self.min_max(a, b, FloatCC::LessThan, true)
    }
    fn min_max(&mut self, a: Lane, b: Lane, cc: FloatCC, max: bool) -> Lane {
        let ty = self.ty(a);
        let scalar = self.both_uniform(a, b);
        self.map2(a, b, ty, |s, a, b| {
            let c = if max { s.fb.ins().fcmp(cc, b, a) } else { s.fb.ins().fcmp(cc, a, b) };
            if scalar {
                s.fb.ins().select(c, a, b)
            } else {
                let c = s.vcast(s.vector_type(ty), c);
                s.fb.ins().bitselect(c, a, b)
            }
        })
    }

    // Integers. I8 and I16 wrap as 32-bit; normalize with `narrow` where the high bits matter.

    /// Sum, wrapping.
    pub fn iadd(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        for (x, y) in [(a, b), (b, a)] {
            if self.as_const(x) == Some(0) {
                return y;
            }
        }
        if let Some(r) = self.affine2(a, b, |s, x, y| s.fb.ins().iadd(x, y), i32::wrapping_add) {
            return r;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(r) = self.moved_quotient(x, y, |s, x, y| s.fb.ins().iadd(x, y)) {
                return r;
            }
        }
        self.map2(a, b, ty, |s, a, b| s.fb.ins().iadd(a, b))
    }
    /// Difference, wrapping.
    pub fn isub(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        if let Some(r) = self.affine2(a, b, |s, x, y| s.fb.ins().isub(x, y), i32::wrapping_sub) {
            return r;
        }
        if let Some(r) = self.moved_quotient(a, b, |s, x, y| s.fb.ins().isub(x, y)) {
            return r;
        }
        self.map2(a, b, ty, |s, a, b| s.fb.ins().isub(a, b))
    }
    /// Keeps the form `base + stride * lane` scalar if at least one operand has it and the other has it or is uniform.
    fn affine2(
        &mut self,
        a: Lane,
        b: Lane,
        f: impl Fn(&mut Self, Value, Value) -> Value,
        g: impl Fn(i32, i32) -> i32,
    ) -> Option<Lane> {
        let part = |s: &mut Self, l: Lane| match s.repr(l).parts {
            Parts::Affine { base, stride } => Some((base, stride)),
            Parts::Const(_) | Parts::Uniform(_) => Some((s.scalar(l), 0)),
            Parts::Quotient(_) | Parts::Offset(_) | Parts::Varying(_) => None,
        };
        if self.ty(a) != Ty::I32 || self.both_uniform(a, b) {
            return None;
        }
        let ((a, sa), (b, sb)) = (part(self, a)?, part(self, b)?);
        let base = f(self, a, b);
        let stride = g(sa, sb);
        Some(self.push(Ty::I32, Parts::Affine { base, stride }))
    }
    /// Product, wrapping.
    pub fn imul(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        for (x, y) in [(a, b), (b, a)] {
            if let (Parts::Affine { base, stride }, Some(k)) = (self.repr(x).parts.clone(), self.as_const(y))
            {
                let k = k as u32;
                let base = self.times(base, k);
                return self.push(Ty::I32, Parts::Affine { base, stride: stride.wrapping_mul(k as i32) });
            }
            if let (Parts::Uniform(v), Some(k @ 0..=0xffff_ffff), Ty::I32 | Ty::I64) =
                (self.repr(x).parts.clone(), self.as_const(y), ty)
            {
                let v = self.times(v, k as u32);
                return self.push(ty, Parts::Uniform(v));
            }
        }
        if let (Some(x), Some(y), Ty::I32) = (self.as_const(a), self.as_const(b), ty) {
            return self.u32((x as u32).wrapping_mul(y as u32));
        }
        self.map2(a, b, ty, |s, a, b| s.fb.ins().imul(a, b))
    }
    /// Negation, wrapping.
    pub fn ineg(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        self.map1(a, ty, |s, a| s.fb.ins().ineg(a))
    }
    /// Signed minimum. Like the three methods below, only for 32-bit types.
    pub fn smin(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().smin(a, b))
    }
    /// Signed maximum.
    pub fn smax(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().smax(a, b))
    }
    /// Unsigned minimum.
    pub fn umin(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().umin(a, b))
    }
    /// Unsigned maximum.
    pub fn umax(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().umax(a, b))
    }
    /// Bitwise and; logical for Bool.
    pub fn and(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        for (x, y) in [(a, b), (b, a)] {
            if let (Ty::Bool, Some(k)) = (ty, self.as_const(x)) {
                return if k != 0 { y } else { x };
            }
        }
        self.map2(a, b, ty, |s, a, b| match s.is_masked(a, b) {
            true => a,
            false => s.fb.ins().band(a, b),
        })
    }
    /// True if a vector of 32-bit lanes is shifted right so far that a mask of its low bits keeps it all.
    fn is_masked(&self, v: Value, mask: Value) -> bool {
        let dfg = &self.fb.func.dfg;
        let defined = |v: Value| dfg.value_def(v).inst().map(|inst| (dfg.insts[inst], dfg.inst_args(inst)));
        let constant = |v: Value| match defined(v)?.0 {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        };
        let shifted = || {
            let (data, &[_, by]) = defined(v)? else { return None };
            constant(by).filter(|by| data.opcode() == Opcode::Ushr && (0..32).contains(by))
        };
        let masked = || match defined(mask)?.0 {
            InstructionData::UnaryConst { opcode: Opcode::Vconst, constant_handle } => {
                let bytes = dfg.constants.get(constant_handle).as_slice();
                let lanes = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
                lanes.reduce(|all, lane| all & lane)
            }
            _ => None,
        };
        let low = |by: i64| u32::MAX >> by;
        dfg.value_type(v).lane_type() == types::I32
            && dfg.value_type(v).is_vector()
            && shifted().zip(masked()).is_some_and(|(by, mask)| mask & low(by) == low(by))
    }
    /// `a & !b`.
    pub fn and_not(&mut self, a: Lane, b: Lane) -> Lane {
        let n = self.not(b);
        self.and(a, n)
    }
    /// Bitwise or; logical for Bool.
    pub fn or(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        for (x, y) in [(a, b), (b, a)] {
            if let (Ty::Bool, Some(k)) = (ty, self.as_const(x)) {
                return if k != 0 { x } else { y };
            }
        }
        self.map2(a, b, ty, |s, a, b| s.fb.ins().bor(a, b))
    }
    /// Bitwise exclusive or; logical for Bool.
    pub fn xor(&mut self, a: Lane, b: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, b, ty, |s, a, b| s.fb.ins().bxor(a, b))
    }
    /// Complement; logical for Bool.
    pub fn not(&mut self, a: Lane) -> Lane {
        let ty = self.ty(a);
        if let (Ty::Bool, Some(k)) = (ty, self.as_const(a)) {
            return self.bool(k == 0);
        }
        if let Some(&of) = self.complements.get(&a) {
            return of;
        }
        let r = if ty == Ty::Bool && self.is_uniform(a) {
            self.map1(a, ty, |s, a| s.fb.ins().bxor_imm_u(a, 1))
        } else {
            self.map1(a, ty, |s, a| s.fb.ins().bnot(a))
        };
        if ty == Ty::Bool {
            self.complements.insert(r, a);
        }
        r
    }
    /// Shift left. The amount (I32, below the width) may be uniform or differ per lane.
    pub fn shl(&mut self, a: Lane, n: Lane) -> Lane {
        if let (Parts::Affine { base, stride }, Some(k)) = (self.repr(a).parts.clone(), self.as_const(n)) {
            let base = self.fb.ins().ishl_imm_u(base, k as i64);
            return self.push(Ty::I32, Parts::Affine { base, stride: stride.wrapping_shl(k as u32) });
        }
        if !self.is_uniform(n) && !is_wide(self.ty(a)) {
            if self.is_wide_code() {
                return self.shift_lanes(Intrinsic::ShlLanes, a, n);
            }
            // Computes 2^n from the exponent of a float; 2^31 converts to the right bit pattern.
            let ty = self.ty(a);
            let (n, a) = (self.vecs(n), self.vecs(a));
            let v = n
                .into_iter()
                .zip(a)
                .map(|(n, a)| {
                    let e = self.fb.ins().ishl_imm_u(n, 23);
                    let one = self.vconst32(types::I32X4, &[0x3f80_0000]);
                    let e = self.fb.ins().iadd(e, one);
                    let f = self.fb.ins().bitcast(types::F32X4, le(), e);
                    let p = self.pow2_to_int(f);
                    self.fb.ins().imul(a, p)
                })
                .collect();
            return self.push(ty, Parts::Varying(v));
        }
        self.shift(a, n, |s, a, n| s.fb.ins().ishl(a, n))
    }
    /// Exact conversion of powers of two up to 2^31 to their bit pattern.
    fn pow2_to_int(&mut self, f: Value) -> Value {
        if crate::cpu::IS_X86 {
            self.fb.ins().x86_cvtt2dq(types::I32X4, f)
        } else {
            self.fb.ins().fcvt_to_uint_sat(types::I32X4, f)
        }
    }
    /// Logical shift right; for the amount, see [`Self::shl`].
    pub fn ushr(&mut self, a: Lane, n: Lane) -> Lane {
        if self.as_const(n) == Some(0) {
            return a;
        }
        if !self.is_uniform(n) && !is_wide(self.ty(a)) {
            return match self.is_wide_code() {
                true => self.shift_lanes(Intrinsic::UshrLanes, a, n),
                false => self.ushr_lanes(a, n),
            };
        }
        if let Some(r) = self.as_const(n).and_then(|k| self.steady_quotient(a, k)) {
            return r;
        }
        self.shift(a, n, |s, a, n| s.fb.ins().ushr(a, n))
    }
    /// Arithmetic shift right; for the amount, see [`Self::shl`].
    pub fn sshr(&mut self, a: Lane, n: Lane) -> Lane {
        if !self.is_uniform(n) && !is_wide(self.ty(a)) {
            if self.is_wide_code() {
                return self.shift_lanes(Intrinsic::SshrLanes, a, n);
            }
            // Negative values are complemented before and after a logical shift.
            let last = self.i32(31);
            let sign = self.sshr(a, last);
            let positive = self.xor(a, sign);
            let shifted = self.ushr_lanes(positive, n);
            return self.xor(shifted, sign);
        }
        self.shift(a, n, |s, a, n| s.fb.ins().sshr(a, n))
    }
    fn shift_lanes(&mut self, which: Intrinsic, a: Lane, n: Lane) -> Lane {
        let ty = self.ty(a);
        self.map2(a, n, ty, |s, a, n| s.intrinsic(which, &[a, n], s.fb.func.dfg.value_type(a)))
    }
    /// Computes `x >> n` as `(x * 2^(31 - n)) >> 31` in 64 bits: hosts have no vector shift with per-lane amounts.
    fn ushr_lanes(&mut self, a: Lane, n: Lane) -> Lane {
        let ty = self.ty(a);
        let (a, n) = (self.vecs(a), self.vecs(n));
        let vecs = a
            .into_iter()
            .zip(n)
            .map(|(a, n)| {
                let top = self.vconst32(types::I32X4, &[127 + 31]);
                let e = self.fb.ins().isub(top, n);
                let e = self.fb.ins().ishl_imm_u(e, 23);
                let f = self.fb.ins().bitcast(types::F32X4, le(), e);
                let p = self.pow2_to_int(f);
                let (x, y) = (self.fb.ins().uwiden_low(a), self.fb.ins().uwiden_low(p));
                let low = self.fb.ins().imul(x, y);
                let low = self.fb.ins().ushr_imm_u(low, 31);
                let (x, y) = (self.fb.ins().uwiden_high(a), self.fb.ins().uwiden_high(p));
                let high = self.fb.ins().imul(x, y);
                let high = self.fb.ins().ushr_imm_u(high, 31);
                self.shuffle32(low, high, [0, 2, 4, 6])
            })
            .collect();
        self.push(ty, Parts::Varying(vecs))
    }
    fn shift(&mut self, a: Lane, n: Lane, f: impl Fn(&mut Self, Value, Value) -> Value) -> Lane {
        let ty = self.ty(a);
        if self.is_uniform(n) {
            let n = self.scalar(n);
            self.map1(a, ty, |s, a| f(s, a, n))
        } else {
            self.map_lanes(&[a, n], ty, |s, v| f(s, v[0], v[1]))
        }
    }
}
