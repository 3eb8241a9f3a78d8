//! Arithmetic on floats and integers.
//!
//! Spec: SPIR-V, "Arithmetic Instructions"; GLSL.std.450 for minimum, maximum, rounding.

use super::held::{abs, bits_of, exact, float, int, op, sign_bit, signed, wide};
use super::value::{Args, from_f32, sign_extend, width, wrap};
use crate::ir::{Op, Ty};
use crate::lane::{FCmp, ICmp, Lane, LaneBuilder};
use crate::sys::maths::{fma_f32, fma_f64};

/// Evaluates a float operation: in f64 for f64, otherwise in f32 (rounded afterwards for f16).
fn un_f(a: &Args, narrow: impl Fn(f32) -> f32, wide: impl Fn(f64) -> f64) -> u64 {
    match a.result {
        Ty::F64 => wide(a.f(0)).to_bits(),
        ty => from_f32(ty, narrow(a.f32(0))),
    }
}

fn bin_f(a: &Args, narrow: impl Fn(f32, f32) -> f32, wide: impl Fn(f64, f64) -> f64) -> u64 {
    match a.result {
        Ty::F64 => wide(a.f(0), a.f(1)).to_bits(),
        ty => from_f32(ty, narrow(a.f32(0), a.f32(1))),
    }
}

pub(crate) fn eval_fadd(a: &Args) -> u64 {
    bin_f(a, |x, y| x + y, |x, y| x + y)
}
pub(crate) fn lower_fadd(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.fadd(x, y);
    float(b, ty, r)
}
pub(crate) fn eval_fsub(a: &Args) -> u64 {
    bin_f(a, |x, y| x - y, |x, y| x - y)
}
pub(crate) fn lower_fsub(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.fsub(x, y);
    float(b, ty, r)
}
pub(crate) fn eval_fmul(a: &Args) -> u64 {
    bin_f(a, |x, y| x * y, |x, y| x * y)
}
pub(crate) fn lower_fmul(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.fmul(x, y);
    float(b, ty, r)
}
pub(crate) fn eval_fdiv(a: &Args) -> u64 {
    bin_f(a, |x, y| x / y, |x, y| x / y)
}
pub(crate) fn lower_fdiv(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.fdiv(x, y);
    float(b, ty, r)
}
pub(crate) fn eval_frem(a: &Args) -> u64 {
    bin_f(a, |x, y| x - y * (x / y).trunc(), |x, y| x - y * (x / y).trunc())
}
pub(crate) fn lower_frem(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let q = b.fdiv(x, y);
    let q = b.trunc(q);
    let product = b.fmul(y, q);
    let r = b.fsub(x, product);
    float(b, ty, r)
}
pub(crate) fn eval_fmod(a: &Args) -> u64 {
    bin_f(a, |x, y| x - y * (x / y).floor(), |x, y| x - y * (x / y).floor())
}
pub(crate) fn lower_fmod(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let q = b.fdiv(x, y);
    let q = b.floor(q);
    let product = b.fmul(y, q);
    let r = b.fsub(x, product);
    float(b, ty, r)
}
pub(crate) fn eval_fneg(a: &Args) -> u64 {
    a.u(0) ^ (1 << (width(a.result) - 1))
}
pub(crate) fn lower_fneg(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let (held, top) = (b.ty(x), sign_bit(b, ty));
    let bits = bits_of(b, x);
    let bits = b.xor(bits, top);
    let r = b.bitcast(bits, held);
    exact(b, ty, r)
}
pub(crate) fn eval_fabs(a: &Args) -> u64 {
    a.u(0) & !(1 << (width(a.result) - 1))
}
pub(crate) fn lower_fabs(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let r = abs(b, x);
    exact(b, ty, r)
}
pub(crate) fn eval_fsign(a: &Args) -> u64 {
    let sign = |x: f64| if x < 0.0 { -1.0 } else { f32::from(x > 0.0) };
    from_f32(a.result, sign(a.f(0)))
}
pub(crate) fn lower_fsign(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let bits = |x: f32| from_f32(ty, x);
    let (zero, one, minus) = (b.bits(ty, 0), b.bits(ty, bits(1.0)), b.bits(ty, bits(-1.0)));
    let up = b.fcmp(FCmp::OrdLt, zero, a[0]);
    let down = b.fcmp(FCmp::OrdLt, a[0], zero);
    let r = b.select(up, one, zero);
    b.select(down, minus, r)
}
pub(crate) fn eval_ffloor(a: &Args) -> u64 {
    un_f(a, f32::floor, f64::floor)
}
pub(crate) fn lower_ffloor(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let r = b.floor(x);
    exact(b, ty, r)
}
pub(crate) fn eval_fceil(a: &Args) -> u64 {
    un_f(a, f32::ceil, f64::ceil)
}
pub(crate) fn lower_fceil(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let r = b.ceil(x);
    exact(b, ty, r)
}
pub(crate) fn eval_ftrunc(a: &Args) -> u64 {
    un_f(a, f32::trunc, f64::trunc)
}
pub(crate) fn lower_ftrunc(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let r = b.trunc(x);
    exact(b, ty, r)
}
pub(crate) fn eval_fround(a: &Args) -> u64 {
    un_f(a, f32::round_ties_even, f64::round_ties_even)
}
pub(crate) fn lower_fround(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let r = b.nearest(x);
    exact(b, ty, r)
}
pub(crate) fn eval_ffract(a: &Args) -> u64 {
    un_f(a, |x| x - x.floor(), |x| x - x.floor())
}
pub(crate) fn lower_ffract(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let floor = b.floor(x);
    let r = b.fsub(x, floor);
    float(b, ty, r)
}
pub(crate) fn eval_fmin(a: &Args) -> u64 {
    if a.f(1) < a.f(0) { a.u(1) } else { a.u(0) }
}
pub(crate) fn lower_fmin(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    // The builder's `fmin` returns its second operand if one is NaN.
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.fmin(y, x);
    exact(b, ty, r)
}
pub(crate) fn eval_fmax(a: &Args) -> u64 {
    if a.f(0) < a.f(1) { a.u(1) } else { a.u(0) }
}
pub(crate) fn lower_fmax(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    // The builder's `fmax` returns its second operand if one is NaN.
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.fmax(y, x);
    exact(b, ty, r)
}
pub(crate) fn eval_nmin(a: &Args) -> u64 {
    if a.f(1).is_nan() || a.f(0) < a.f(1) { a.u(0) } else { a.u(1) }
}
pub(crate) fn lower_nmin(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.fmin(x, y);
    number(b, ty, [x, y], r)
}
pub(crate) fn eval_nmax(a: &Args) -> u64 {
    if a.f(1).is_nan() || a.f(1) < a.f(0) { a.u(0) } else { a.u(1) }
}
pub(crate) fn lower_nmax(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.fmax(x, y);
    number(b, ty, [x, y], r)
}
/// Corrects a minimum or maximum `r` of x and y, which is y if one of them is NaN: it becomes x if y is NaN.
fn number(b: &mut LaneBuilder, ty: Ty, [x, y]: [Lane; 2], r: Lane) -> Lane {
    let known = b.as_const(y).map(|bits| super::value::to_f64(b.ty(y), bits).is_nan());
    let r = match known {
        Some(nan) => {
            if nan {
                x
            } else {
                r
            }
        }
        None => {
            let nan = b.fcmp(FCmp::Unordered, y, y);
            b.select(nan, x, r)
        }
    };
    exact(b, ty, r)
}
pub(crate) fn eval_fma(a: &Args) -> u64 {
    match a.result {
        Ty::F64 => fma_f64(a.f(0), a.f(1), a.f(2)).to_bits(),
        // If the sum is inexact in f64, it is far from any tie of f16.
        Ty::F16 => super::value::from_f64(Ty::F16, a.f(0) * a.f(1) + a.f(2)),
        ty => from_f32(ty, fma_f32(a.f32(0), a.f32(1), a.f32(2))),
    }
}
pub(crate) fn lower_fma(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y, z) = (wide(b, a[0]), wide(b, a[1]), wide(b, a[2]));
    if ty == Ty::F16 {
        // The product of two f16 is exact in f32. The sum is rounded to odd, so that the second rounding can tell on
        // which side of a tie the exact sum lies.
        let product = b.fmul(x, y);
        let sum = b.fadd(product, z);
        let part = b.fsub(sum, product);
        let rest = b.fsub(sum, part);
        let (lost, other) = (b.fsub(product, rest), b.fsub(z, part));
        let lost = b.fadd(lost, other);
        let (zero, izero, one, top) = (b.f32(0.0), b.u32(0), b.u32(1), b.i32(31));
        let (below, above) = (b.fcmp(FCmp::OrdLt, lost, zero), b.fcmp(FCmp::OrdLt, zero, lost));
        let inexact = b.or(below, above);
        let (bits, error) = (b.bitcast(sum, Ty::I32), b.bitcast(lost, Ty::I32));
        let last = b.and(bits, one);
        let even = b.icmp(ICmp::Eq, last, izero);
        let changes = b.and(inexact, even);
        let signs = b.xor(bits, error);
        let step = b.sshr(signs, top);
        let step = b.or(step, one);
        let step = b.select(changes, step, izero);
        let bits = b.iadd(bits, step);
        let r = b.bitcast(bits, Ty::F32);
        return float(b, ty, r);
    }
    b.fma(x, y, z)
}
pub(crate) fn eval_fsqrt(a: &Args) -> u64 {
    un_f(a, f32::sqrt, f64::sqrt)
}
pub(crate) fn lower_fsqrt(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let r = b.sqrt(x);
    float(b, ty, r)
}
pub(crate) fn eval_finvsqrt(a: &Args) -> u64 {
    un_f(a, |x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt())
}
pub(crate) fn lower_finvsqrt(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let held = b.ty(x);
    let one = b.bits(held, from_f32(held, 1.0));
    let root = b.sqrt(x);
    let r = b.fdiv(one, root);
    float(b, ty, r)
}

pub(crate) fn eval_iadd(a: &Args) -> u64 {
    wrap(a.result, a.u(0).wrapping_add(a.u(1)))
}
pub(crate) fn lower_iadd(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.iadd(x, y);
    int(b, ty, r)
}
pub(crate) fn eval_isub(a: &Args) -> u64 {
    wrap(a.result, a.u(0).wrapping_sub(a.u(1)))
}
pub(crate) fn lower_isub(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.isub(x, y);
    int(b, ty, r)
}
pub(crate) fn eval_imul(a: &Args) -> u64 {
    wrap(a.result, a.u(0).wrapping_mul(a.u(1)))
}
pub(crate) fn lower_imul(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.imul(x, y);
    int(b, ty, r)
}
pub(crate) fn eval_sdiv(a: &Args) -> u64 {
    let quotient = if a.s(1) == 0 { 0 } else { a.s(0).wrapping_div(a.s(1)) };
    wrap(a.result, quotient as u64)
}
/// Exponent of a constant power of two above 1 that is positive in its signed type.
fn signed_log2_const(b: &LaneBuilder, a: Lane) -> Option<u32> {
    let bits = b.as_const(a)?;
    let value = sign_extend(b.ty(a), bits);
    (value > 1 && value.count_ones() == 1).then(|| value.trailing_zeros())
}

/// `x / 2^k` rounded toward zero, k > 0: adding 2^k - 1 to negative numbers rounds them up.
fn divide_by_power(b: &mut LaneBuilder, x: Lane, k: u32) -> Lane {
    let bits = width(b.ty(x));
    let (last, rest, k) = (b.u32(bits - 1), b.u32(bits - k), b.u32(k));
    let sign = b.sshr(x, last);
    let up = b.ushr(sign, rest);
    let x = b.iadd(x, up);
    b.sshr(x, k)
}

pub(crate) fn lower_sdiv(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = signed(b, a[0]);
    if let Some(k) = signed_log2_const(b, a[1]) {
        let r = divide_by_power(b, x, k);
        return int(b, ty, r);
    }
    let y = signed(b, a[1]);
    let r = b.idiv(x, y, true);
    int(b, ty, r)
}
pub(crate) fn eval_udiv(a: &Args) -> u64 {
    a.u(0).checked_div(a.u(1)).unwrap_or(0)
}
/// Exponent of a constant power of two.
fn log2_const(b: &LaneBuilder, a: Lane) -> Option<u64> {
    b.as_const(a).filter(|c| c.is_power_of_two()).map(|c| u64::from(c.trailing_zeros()))
}

pub(crate) fn lower_udiv(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if let Some(by) = log2_const(b, a[1]) {
        let by = b.bits(Ty::I32, by);
        return op(b, Op::ShrU, ty, &[a[0], by]);
    }
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = b.idiv(x, y, false);
    int(b, ty, r)
}
pub(crate) fn eval_srem(a: &Args) -> u64 {
    let rem = if a.s(1) == 0 { 0 } else { a.s(0).wrapping_rem(a.s(1)) };
    wrap(a.result, rem as u64)
}
/// `x - (x / y) * y`, the remainder of the division toward zero; 0 for y = 0.
fn remainder(b: &mut LaneBuilder, x: Lane, y: Lane, is_signed: bool) -> Lane {
    let ty = b.ty(x);
    let q = b.idiv(x, y, is_signed);
    let product = b.imul(q, y);
    let r = b.isub(x, product);
    if b.as_const(y).is_some_and(|y| y != 0) {
        return r;
    }
    let zero = b.bits(ty, 0);
    let none = b.icmp(ICmp::Eq, y, zero);
    b.select(none, zero, r)
}

pub(crate) fn lower_srem(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if let Some(k) = signed_log2_const(b, a[1]) {
        let x = signed(b, a[0]);
        let q = divide_by_power(b, x, k);
        let k = b.u32(k);
        let product = b.shl(q, k);
        let r = b.isub(x, product);
        return int(b, ty, r);
    }
    let (x, y) = (signed(b, a[0]), signed(b, a[1]));
    let r = remainder(b, x, y, true);
    int(b, ty, r)
}
pub(crate) fn eval_smod(a: &Args) -> u64 {
    let (x, y) = (a.s(0), a.s(1));
    let rem = if y == 0 { 0 } else { x.wrapping_rem(y) };
    let modulus = if rem != 0 && (rem < 0) != (y < 0) { rem + y } else { rem };
    wrap(a.result, modulus as u64)
}
pub(crate) fn lower_smod(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if let Some(k) = signed_log2_const(b, a[1]) {
        let mask = b.bits(ty, (1 << k) - 1);
        return op(b, Op::And, ty, &[a[0], mask]);
    }
    let (x, y) = (signed(b, a[0]), signed(b, a[1]));
    let held = b.ty(x);
    let r = remainder(b, x, y, true);
    // If the remainder and y differ in sign, the modulus is the remainder plus y.
    let zero = b.bits(held, 0);
    let differ = b.xor(r, y);
    let differ = b.icmp(ICmp::Slt, differ, zero);
    let some = b.icmp(ICmp::Ne, r, zero);
    let fix = b.and(differ, some);
    let fix = b.select(fix, y, zero);
    let r = b.iadd(r, fix);
    int(b, ty, r)
}
pub(crate) fn eval_umod(a: &Args) -> u64 {
    a.u(0).checked_rem(a.u(1)).unwrap_or(0)
}
pub(crate) fn lower_umod(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if log2_const(b, a[1]).is_some() {
        let mask = b.as_const(a[1]).unwrap_or(1) - 1;
        let mask = b.bits(ty, mask);
        return op(b, Op::And, ty, &[a[0], mask]);
    }
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    let r = remainder(b, x, y, false);
    int(b, ty, r)
}
pub(crate) fn eval_ineg(a: &Args) -> u64 {
    wrap(a.result, a.u(0).wrapping_neg())
}
pub(crate) fn lower_ineg(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let r = b.ineg(x);
    int(b, ty, r)
}
pub(crate) fn eval_sabs(a: &Args) -> u64 {
    wrap(a.result, a.s(0).unsigned_abs())
}
pub(crate) fn lower_sabs(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = signed(b, a[0]);
    let minus = b.ineg(x);
    let r = op(b, Op::SMax, b.ty(x), &[x, minus]);
    int(b, ty, r)
}
pub(crate) fn eval_ssign(a: &Args) -> u64 {
    wrap(a.result, a.s(0).signum() as u64)
}
pub(crate) fn lower_ssign(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = signed(b, a[0]);
    let held = b.ty(x);
    let (one, minus) = (b.bits(held, 1), b.bits(held, wrap(held, u64::MAX)));
    let r = op(b, Op::SMin, held, &[x, one]);
    let r = op(b, Op::SMax, held, &[r, minus]);
    int(b, ty, r)
}
pub(crate) fn eval_smin(a: &Args) -> u64 {
    if a.s(1) < a.s(0) { a.u(1) } else { a.u(0) }
}
pub(crate) fn lower_smin(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (signed(b, a[0]), signed(b, a[1]));
    if ty == Ty::I64 {
        let first = super::compare::compare_int(b, ICmp::Slt, x, y);
        return b.select(first, x, y);
    }
    let r = b.smin(x, y);
    int(b, ty, r)
}
pub(crate) fn eval_smax(a: &Args) -> u64 {
    if a.s(0) < a.s(1) { a.u(1) } else { a.u(0) }
}
pub(crate) fn lower_smax(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (signed(b, a[0]), signed(b, a[1]));
    if ty == Ty::I64 {
        let first = super::compare::compare_int(b, ICmp::Sgt, x, y);
        return b.select(first, x, y);
    }
    let r = b.smax(x, y);
    int(b, ty, r)
}
pub(crate) fn eval_umin(a: &Args) -> u64 {
    a.u(0).min(a.u(1))
}
pub(crate) fn lower_umin(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    if ty == Ty::I64 {
        let first = super::compare::compare_int(b, ICmp::Ult, x, y);
        return b.select(first, x, y);
    }
    let r = b.umin(x, y);
    int(b, ty, r)
}
pub(crate) fn eval_umax(a: &Args) -> u64 {
    a.u(0).max(a.u(1))
}
pub(crate) fn lower_umax(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    if ty == Ty::I64 {
        let first = super::compare::compare_int(b, ICmp::Ugt, x, y);
        return b.select(first, x, y);
    }
    let r = b.umax(x, y);
    int(b, ty, r)
}
pub(crate) fn eval_iaddcarry(a: &Args) -> u64 {
    u64::from(eval_iadd(a) < a.u(0))
}
/// 1 or 0 of an integer type, from a truth value.
fn flag(b: &mut LaneBuilder, ty: Ty, c: Lane) -> Lane {
    match ty {
        Ty::I64 => {
            let (one, zero) = (b.i64(1), b.i64(0));
            b.select(c, one, zero)
        }
        _ => {
            let r = b.bool_to_i32(c);
            b.retype(r, ty)
        }
    }
}

pub(crate) fn lower_iaddcarry(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let sum = lower_iadd(b, ty, a);
    let carry = op(b, Op::ULt, Ty::Bool, &[sum, a[0]]);
    flag(b, ty, carry)
}
pub(crate) fn eval_isubborrow(a: &Args) -> u64 {
    u64::from(a.u(0) < a.u(1))
}
pub(crate) fn lower_isubborrow(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let borrow = op(b, Op::ULt, Ty::Bool, a);
    flag(b, ty, borrow)
}
pub(crate) fn eval_umulhigh(a: &Args) -> u64 {
    let product = u128::from(a.u(0)) * u128::from(a.u(1));
    wrap(a.result, (product >> width(a.result)) as u64)
}
pub(crate) fn lower_umulhigh(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    if matches!(ty, Ty::I8 | Ty::I16) {
        let product = b.imul(x, y);
        let by = b.u32(width(ty));
        let high = op(b, Op::ShrU, Ty::I32, &[product, by]);
        return int(b, ty, high);
    }
    b.mul_high(x, y, false)
}
pub(crate) fn eval_smulhigh(a: &Args) -> u64 {
    let product = i128::from(a.s(0)) * i128::from(sign_extend(a.result, a.u(1)));
    wrap(a.result, (product >> width(a.result)) as u64)
}
pub(crate) fn lower_smulhigh(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (signed(b, a[0]), signed(b, a[1]));
    if matches!(ty, Ty::I8 | Ty::I16) {
        let product = b.imul(x, y);
        let by = b.u32(width(ty));
        let high = op(b, Op::ShrU, Ty::I32, &[product, by]);
        return int(b, ty, high);
    }
    b.mul_high(x, y, true)
}
