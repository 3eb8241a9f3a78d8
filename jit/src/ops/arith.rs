//! Arithmetic on floats and integers.
//!
//! Spec: SPIR-V, "Arithmetic Instructions"; GLSL.std.450 for minimum, maximum, rounding.

use super::value::{Args, from_f32, sign_extend, width, wrap};
use crate::ir::Ty;

/// One float operation, in f64 for f64 and in f32 otherwise (rounded afterwards for f16).
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
pub(crate) fn eval_fsub(a: &Args) -> u64 {
    bin_f(a, |x, y| x - y, |x, y| x - y)
}
pub(crate) fn eval_fmul(a: &Args) -> u64 {
    bin_f(a, |x, y| x * y, |x, y| x * y)
}
pub(crate) fn eval_fdiv(a: &Args) -> u64 {
    bin_f(a, |x, y| x / y, |x, y| x / y)
}
pub(crate) fn eval_frem(a: &Args) -> u64 {
    bin_f(a, |x, y| x - y * (x / y).trunc(), |x, y| x - y * (x / y).trunc())
}
pub(crate) fn eval_fmod(a: &Args) -> u64 {
    bin_f(a, |x, y| x - y * (x / y).floor(), |x, y| x - y * (x / y).floor())
}
pub(crate) fn eval_fneg(a: &Args) -> u64 {
    a.u(0) ^ (1 << (width(a.result) - 1))
}
pub(crate) fn eval_fabs(a: &Args) -> u64 {
    a.u(0) & !(1 << (width(a.result) - 1))
}
pub(crate) fn eval_fsign(a: &Args) -> u64 {
    let sign = |x: f64| if x < 0.0 { -1.0 } else { f32::from(x > 0.0) };
    from_f32(a.result, sign(a.f(0)))
}
pub(crate) fn eval_ffloor(a: &Args) -> u64 {
    un_f(a, f32::floor, f64::floor)
}
pub(crate) fn eval_fceil(a: &Args) -> u64 {
    un_f(a, f32::ceil, f64::ceil)
}
pub(crate) fn eval_ftrunc(a: &Args) -> u64 {
    un_f(a, f32::trunc, f64::trunc)
}
pub(crate) fn eval_fround(a: &Args) -> u64 {
    un_f(a, f32::round_ties_even, f64::round_ties_even)
}
pub(crate) fn eval_ffract(a: &Args) -> u64 {
    un_f(a, |x| x - x.floor(), |x| x - x.floor())
}
pub(crate) fn eval_fmin(a: &Args) -> u64 {
    if a.f(1) < a.f(0) { a.u(1) } else { a.u(0) }
}
pub(crate) fn eval_fmax(a: &Args) -> u64 {
    if a.f(0) < a.f(1) { a.u(1) } else { a.u(0) }
}
pub(crate) fn eval_nmin(a: &Args) -> u64 {
    if a.f(0).is_nan() { a.u(1) } else { eval_fmin(a) }
}
pub(crate) fn eval_nmax(a: &Args) -> u64 {
    if a.f(0).is_nan() { a.u(1) } else { eval_fmax(a) }
}
pub(crate) fn eval_fma(a: &Args) -> u64 {
    match a.result {
        Ty::F64 => a.f(0).mul_add(a.f(1), a.f(2)).to_bits(),
        ty => from_f32(ty, a.f32(0).mul_add(a.f32(1), a.f32(2))),
    }
}
pub(crate) fn eval_fsqrt(a: &Args) -> u64 {
    un_f(a, f32::sqrt, f64::sqrt)
}
pub(crate) fn eval_finvsqrt(a: &Args) -> u64 {
    un_f(a, |x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt())
}

pub(crate) fn eval_iadd(a: &Args) -> u64 {
    wrap(a.result, a.u(0).wrapping_add(a.u(1)))
}
pub(crate) fn eval_isub(a: &Args) -> u64 {
    wrap(a.result, a.u(0).wrapping_sub(a.u(1)))
}
pub(crate) fn eval_imul(a: &Args) -> u64 {
    wrap(a.result, a.u(0).wrapping_mul(a.u(1)))
}
pub(crate) fn eval_sdiv(a: &Args) -> u64 {
    let quotient = if a.s(1) == 0 { 0 } else { a.s(0).wrapping_div(a.s(1)) };
    wrap(a.result, quotient as u64)
}
pub(crate) fn eval_udiv(a: &Args) -> u64 {
    a.u(0).checked_div(a.u(1)).unwrap_or(0)
}
pub(crate) fn eval_srem(a: &Args) -> u64 {
    let rem = if a.s(1) == 0 { 0 } else { a.s(0).wrapping_rem(a.s(1)) };
    wrap(a.result, rem as u64)
}
pub(crate) fn eval_smod(a: &Args) -> u64 {
    let (x, y) = (a.s(0), a.s(1));
    let rem = if y == 0 { 0 } else { x.wrapping_rem(y) };
    let modulus = if rem != 0 && (rem < 0) != (y < 0) { rem + y } else { rem };
    wrap(a.result, modulus as u64)
}
pub(crate) fn eval_umod(a: &Args) -> u64 {
    a.u(0).checked_rem(a.u(1)).unwrap_or(0)
}
pub(crate) fn eval_ineg(a: &Args) -> u64 {
    wrap(a.result, a.u(0).wrapping_neg())
}
pub(crate) fn eval_sabs(a: &Args) -> u64 {
    wrap(a.result, a.s(0).unsigned_abs())
}
pub(crate) fn eval_ssign(a: &Args) -> u64 {
    wrap(a.result, a.s(0).signum() as u64)
}
pub(crate) fn eval_smin(a: &Args) -> u64 {
    if a.s(1) < a.s(0) { a.u(1) } else { a.u(0) }
}
pub(crate) fn eval_smax(a: &Args) -> u64 {
    if a.s(0) < a.s(1) { a.u(1) } else { a.u(0) }
}
pub(crate) fn eval_umin(a: &Args) -> u64 {
    a.u(0).min(a.u(1))
}
pub(crate) fn eval_umax(a: &Args) -> u64 {
    a.u(0).max(a.u(1))
}
pub(crate) fn eval_iaddcarry(a: &Args) -> u64 {
    u64::from(eval_iadd(a) < a.u(0))
}
pub(crate) fn eval_isubborrow(a: &Args) -> u64 {
    u64::from(a.u(0) < a.u(1))
}
pub(crate) fn eval_umulhigh(a: &Args) -> u64 {
    let product = u128::from(a.u(0)) * u128::from(a.u(1));
    wrap(a.result, (product >> width(a.result)) as u64)
}
pub(crate) fn eval_smulhigh(a: &Args) -> u64 {
    let product = i128::from(a.s(0)) * i128::from(sign_extend(a.result, a.u(1)));
    wrap(a.result, (product >> width(a.result)) as u64)
}
