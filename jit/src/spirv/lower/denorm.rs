//! Exponentials and logarithms under execution mode DenormPreserve for 32 bits.
//!
//! IR operations treat 32-bit denormals as zero. If a module asks to preserve them, operands are scaled into the normal
//! range and results are scaled back. The final product is the only additional rounding.

use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;

/// Exponent by which operands and results are scaled.
const SHIFT: f64 = 64.0;

impl Lower<'_> {
    fn keeps(&self, ty: Ty) -> bool {
        self.keeps_denorms && ty == Ty::F32
    }

    fn exp2_of(&mut self, ty: Ty, x: Value) -> Value {
        if !self.keeps(ty) {
            return self.op(Op::Exp2, ty, &[x]);
        }
        // 2^x = 2^(x + 64) * 2^-64; the sum is exact for the operands that take this path.
        let (limit, shift) = (self.float(ty, -126.0), self.float(ty, SHIFT));
        let moved = self.op(Op::FAdd, ty, &[x, shift]);
        let back = self.float(ty, (-SHIFT).exp2());
        self.exp_below(Op::Exp2, ty, x, limit, moved, back)
    }

    fn exp_of(&mut self, ty: Ty, x: Value) -> Value {
        if !self.keeps(ty) {
            return self.op(Op::Exp, ty, &[x]);
        }
        // 64 ln 2 in two parts; the first part has few significant bits, so that sums with it are exact.
        let limit = self.float(ty, -87.0);
        let (high, low) = (44.359_375, SHIFT * std::f64::consts::LN_2 - 44.359_375);
        let (high, low) = (self.float(ty, high), self.float(ty, low));
        let moved = self.op(Op::FAdd, ty, &[x, high]);
        let moved = self.op(Op::FAdd, ty, &[moved, low]);
        let back = self.float(ty, (-SHIFT).exp2());
        self.exp_below(Op::Exp, ty, x, limit, moved, back)
    }

    /// Computes `op(x)`; below `limit`, as `op(moved) * back`.
    fn exp_below(&mut self, op: Op, ty: Ty, x: Value, limit: Value, moved: Value, back: Value) -> Value {
        let small = self.op(Op::FOrdLt, Ty::Bool, &[x, limit]);
        let x = self.op(Op::Select, ty, &[small, moved, x]);
        let one = self.float(ty, 1.0);
        let factor = self.op(Op::Select, ty, &[small, back, one]);
        let r = self.op(op, ty, &[x]);
        self.op(Op::FMul, ty, &[r, factor])
    }

    /// Computes `op(x)`; for denormals, as `op(x * 2^64) - less`.
    fn log_of(&mut self, op: Op, ty: Ty, x: Value, less: f64) -> Value {
        if !self.keeps(ty) {
            return self.op(op, ty, &[x]);
        }
        let (limit, grow) = (self.float(ty, f64::from(f32::MIN_POSITIVE)), self.float(ty, SHIFT.exp2()));
        let small = self.op(Op::FOrdLt, Ty::Bool, &[x, limit]);
        let grown = self.op(Op::FMul, ty, &[x, grow]);
        let x = self.op(Op::Select, ty, &[small, grown, x]);
        let r = self.op(op, ty, &[x]);
        let (less, zero) = (self.float(ty, less), self.float(ty, 0.0));
        let less = self.op(Op::Select, ty, &[small, less, zero]);
        self.op(Op::FSub, ty, &[r, less])
    }

    fn log2_of(&mut self, ty: Ty, x: Value) -> Value {
        self.log_of(Op::Log2, ty, x, SHIFT)
    }
}

fn each(
    lower: &mut Lower<'_>,
    inst: &Inst,
    operands: &[u32],
    op: Op,
    f: impl Fn(&mut Lower<'_>, Ty, Value) -> Value,
) -> Result<Scalars> {
    if !lower.keeps_denorms {
        return lower.map(op, inst, operands, false);
    }
    let id = lower.id_at(operands, 0)?;
    let list = lower.scalars(id)?;
    Ok(list
        .into_iter()
        .map(|v| {
            let ty = lower.ty(v);
            f(lower, ty, v)
        })
        .collect())
}

/// Exp2.
pub fn exp2<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, inst, operands, Op::Exp2, |l, ty, x| l.exp2_of(ty, x))
}

/// Exp.
pub fn exp<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, inst, operands, Op::Exp, |l, ty, x| l.exp_of(ty, x))
}

/// Log2.
pub fn log2<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, inst, operands, Op::Log2, |l, ty, x| l.log2_of(ty, x))
}

/// Log.
pub fn log<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, inst, operands, Op::Log, |l, ty, x| l.log_of(Op::Log, ty, x, SHIFT * std::f64::consts::LN_2))
}

/// Pow: `exp2(y * log2(x))`.
pub fn pow<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    if !lower.keeps_denorms {
        return lower.map(Op::Pow, inst, operands, false);
    }
    let (x, y) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (x, y) = (lower.scalars(x)?, lower.scalars(y)?);
    if x.len() != y.len() {
        return Err(Error::invalid("operands do not fit each other"));
    }
    Ok(x.into_iter()
        .zip(y)
        .map(|(x, y)| {
            let ty = lower.ty(x);
            if !lower.keeps(ty) {
                return lower.op(Op::Pow, ty, &[x, y]);
            }
            let (log, zero) = (lower.log2_of(ty, x), lower.float(ty, 0.0));
            let product = lower.op(Op::FMul, ty, &[y, log]);
            let none = lower.op(Op::FOrdEq, Ty::Bool, &[y, zero]);
            let product = lower.op(Op::Select, ty, &[none, zero, product]);
            lower.exp2_of(ty, product)
        })
        .collect())
}
