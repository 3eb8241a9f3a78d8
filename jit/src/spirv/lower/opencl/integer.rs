//! Integer functions of OpenCL.std. Spec: OpenCL Extended Instruction Set, "Integer instructions".

use super::super::{Lower, Scalars};
use super::{each, need_ints};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;

/// Bits of an integer type.
fn bits(ty: Ty) -> u32 {
    ty.bits().unwrap_or(32)
}

fn least(b: &mut Lower<'_>, ty: Ty) -> Value {
    b.constant(ty, 1 << (bits(ty) - 1))
}

fn most(b: &mut Lower<'_>, ty: Ty, signed: bool) -> Value {
    b.constant(ty, u64::MAX >> (64 - bits(ty) + u32::from(signed)))
}

/// `negative` where `v` is negative, else `other`.
fn by_sign(b: &mut Lower<'_>, v: Value, negative: Value, other: Value) -> Value {
    let ty = b.ty(v);
    let zero = b.constant(ty, 0);
    let below = b.op(Op::SLt, Ty::Bool, &[v, zero]);
    b.select(below, negative, other)
}

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident [$($arg:ident)*] = |$b:ident, $ty:ident| $body:expr;)*) => {
        $($(#[$doc])*
        pub fn $name<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
            need_ints(lower, operands)?;
            each(lower, operands, |$b, $ty, [$($arg),*]| $body)
        })*
    };
}

functions! {
    /// u_abs: an unsigned integer is its absolute value.
    u_abs [x] = |_b, _ty| x;
    /// s_abs_diff: `|x - y|` without overflow, as an unsigned integer.
    s_abs_diff [x y] = |b, ty| {
        let (high, low) = (b.op(Op::SMax, ty, &[x, y]), b.op(Op::SMin, ty, &[x, y]));
        b.op(Op::ISub, ty, &[high, low])
    };
    /// u_abs_diff.
    u_abs_diff [x y] = |b, ty| {
        let (high, low) = (b.op(Op::UMax, ty, &[x, y]), b.op(Op::UMin, ty, &[x, y]));
        b.op(Op::ISub, ty, &[high, low])
    };
    /// s_add_sat: the sum, saturating.
    s_add_sat [x y] = |b, ty| s_add(b, ty, x, y);
    /// u_add_sat.
    u_add_sat [x y] = |b, ty| u_add(b, ty, x, y);
    /// s_sub_sat: the difference, saturating.
    s_sub_sat [x y] = |b, ty| {
        let r = b.op(Op::ISub, ty, &[x, y]);
        // The difference overflowed if the operands have different signs and its sign is not that of x.
        let (differ, turned) = (b.op(Op::Xor, ty, &[x, y]), b.op(Op::Xor, ty, &[x, r]));
        let over = b.op(Op::And, ty, &[differ, turned]);
        let (low, high) = (least(b, ty), most(b, ty, true));
        let end = by_sign(b, x, low, high);
        by_sign(b, over, end, r)
    };
    /// u_sub_sat: 0 instead of a negative difference.
    u_sub_sat [x y] = |b, ty| {
        let high = b.op(Op::UMax, ty, &[x, y]);
        b.op(Op::ISub, ty, &[high, y])
    };
    /// s_hadd: `(x + y) >> 1` without overflow.
    s_hadd [x y] = |b, ty| half(b, ty, x, y, Op::ShrS, false);
    /// u_hadd.
    u_hadd [x y] = |b, ty| half(b, ty, x, y, Op::ShrU, false);
    /// s_rhadd: `(x + y + 1) >> 1` without overflow.
    s_rhadd [x y] = |b, ty| half(b, ty, x, y, Op::ShrS, true);
    /// u_rhadd.
    u_rhadd [x y] = |b, ty| half(b, ty, x, y, Op::ShrU, true);
    /// s_clamp: `min(max(x, low), high)`.
    s_clamp [x low high] = |b, ty| {
        let x = b.op(Op::SMax, ty, &[x, low]);
        b.op(Op::SMin, ty, &[x, high])
    };
    /// u_clamp.
    u_clamp [x low high] = |b, ty| {
        let x = b.op(Op::UMax, ty, &[x, low]);
        b.op(Op::UMin, ty, &[x, high])
    };
    /// clz: leading zeros; the width for 0.
    clz [x] = |b, ty| {
        let top = b.constant(ty, u64::from(bits(ty) - 1));
        let last = b.op(Op::FindUMsb, ty, &[x]);
        b.op(Op::ISub, ty, &[top, last])
    };
    /// ctz: trailing zeros; the width for 0.
    ctz [x] = |b, ty| {
        let first = b.op(Op::FindILsb, ty, &[x]);
        let width = b.constant(ty, u64::from(bits(ty)));
        by_sign(b, first, width, first)
    };
    /// s_mad_hi: high half of `x * y`, plus `z`.
    s_mad_hi [x y z] = |b, ty| {
        let high = b.op(Op::SMulHigh, ty, &[x, y]);
        b.op(Op::IAdd, ty, &[high, z])
    };
    /// u_mad_hi.
    u_mad_hi [x y z] = |b, ty| {
        let high = b.op(Op::UMulHigh, ty, &[x, y]);
        b.op(Op::IAdd, ty, &[high, z])
    };
    /// u_mad_sat: `x * y + z`, saturating.
    u_mad_sat [x y z] = |b, ty| {
        let (low, high) = (b.op(Op::IMul, ty, &[x, y]), b.op(Op::UMulHigh, ty, &[x, y]));
        let sum = u_add(b, ty, low, z);
        let (zero, end) = (b.constant(ty, 0), most(b, ty, false));
        let fits = b.op(Op::IEq, Ty::Bool, &[high, zero]);
        b.select(fits, sum, end)
    };
    /// s_mad_sat: `x * y + z`, saturating once.
    s_mad_sat [x y z] = |b, ty| {
        let (low, high) = (b.op(Op::IMul, ty, &[x, y]), b.op(Op::SMulHigh, ty, &[x, y]));
        // The sum in twice the width: z is sign-extended, and the low halves carry.
        let amount = b.constant(ty, u64::from(bits(ty) - 1));
        let sign = b.op(Op::ShrS, ty, &[z, amount]);
        let sum = b.op(Op::IAdd, ty, &[low, z]);
        let carries = b.op(Op::ULt, Ty::Bool, &[sum, low]);
        let (one, zero) = (b.constant(ty, 1), b.constant(ty, 0));
        let carry = b.select(carries, one, zero);
        let high = b.op(Op::IAdd, ty, &[high, sign]);
        let high = b.op(Op::IAdd, ty, &[high, carry]);
        let fill = b.op(Op::ShrS, ty, &[sum, amount]);
        let fits = b.op(Op::IEq, Ty::Bool, &[high, fill]);
        let (low, top) = (least(b, ty), most(b, ty, true));
        let end = by_sign(b, high, low, top);
        b.select(fits, sum, end)
    };
    /// rotate: `x` rotated left by `n` bits.
    rotate [x n] = |b, ty| {
        // Shifts take their amount modulo the width.
        let rest = b.op(Op::INeg, ty, &[n]);
        let (high, low) = (b.op(Op::Shl, ty, &[x, n]), b.op(Op::ShrU, ty, &[x, rest]));
        b.op(Op::Or, ty, &[high, low])
    };
    /// s_mul24, u_mul24: the product; operands with more than 24 bits give any result.
    mul24 [x y] = |b, ty| b.op(Op::IMul, ty, &[x, y]);
    /// s_mad24, u_mad24: the product of two numbers of 24 bits, plus a number of 32 bits.
    mad24 [x y z] = |b, ty| {
        let product = b.op(Op::IMul, ty, &[x, y]);
        b.op(Op::IAdd, ty, &[product, z])
    };
}

fn s_add(b: &mut Lower<'_>, ty: Ty, x: Value, y: Value) -> Value {
    let r = b.op(Op::IAdd, ty, &[x, y]);
    // The sum overflowed if its sign differs from the signs of both operands.
    let (p, q) = (b.op(Op::Xor, ty, &[x, r]), b.op(Op::Xor, ty, &[y, r]));
    let over = b.op(Op::And, ty, &[p, q]);
    let (low, high) = (least(b, ty), most(b, ty, true));
    let end = by_sign(b, x, low, high);
    by_sign(b, over, end, r)
}

fn u_add(b: &mut Lower<'_>, ty: Ty, x: Value, y: Value) -> Value {
    let r = b.op(Op::IAdd, ty, &[x, y]);
    let over = b.op(Op::ULt, Ty::Bool, &[r, x]);
    let end = most(b, ty, false);
    b.select(over, end, r)
}

/// Half of the sum, rounded down or up.
fn half(b: &mut Lower<'_>, ty: Ty, x: Value, y: Value, shift: Op, up: bool) -> Value {
    let one = b.constant(ty, 1);
    let differ = b.op(Op::Xor, ty, &[x, y]);
    let rest = b.op(shift, ty, &[differ, one]);
    let (join, sum) = if up { (Op::Or, Op::ISub) } else { (Op::And, Op::IAdd) };
    let both = b.op(join, ty, &[x, y]);
    b.op(sum, ty, &[both, rest])
}

/// s_upsample, u_upsample: `hi` and `lo` as the halves of an integer of twice the width.
pub fn upsample<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    need_ints(lower, operands)?;
    let to = lower.types.component(inst.ty)?;
    each(lower, operands, |b, from, [high, low]| {
        let (high, low) = (b.op(Op::UConvert, to, &[high]), b.op(Op::UConvert, to, &[low]));
        let amount = b.constant(to, u64::from(bits(from)));
        let high = b.op(Op::Shl, to, &[high, amount]);
        b.op(Op::Or, to, &[high, low])
    })
    .and_then(|list| match to.bits() {
        Some(16 | 32 | 64) if to.is_int() => Ok(list),
        _ => Err(Error::invalid("result is not of twice the width")),
    })
}
