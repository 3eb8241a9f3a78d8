//! Comparisons, tests and selection.
//!
//! Spec: SPIR-V, "Relational and Logical Instructions".

use super::held::{abs, sign_bit, signed, wide};
use super::value::Args;
use crate::ir::Ty;
use crate::lane::{FCmp, ICmp, Lane, LaneBuilder};

/// Compares integers in their lane type. 64-bit vectors have no unsigned order, so the signs are flipped.
pub(super) fn compare_int(b: &mut LaneBuilder, cc: ICmp, x: Lane, y: Lane) -> Lane {
    let signed_twin = match cc {
        ICmp::Ult => ICmp::Slt,
        ICmp::Ule => ICmp::Sle,
        ICmp::Ugt => ICmp::Sgt,
        ICmp::Uge => ICmp::Sge,
        cc => return b.icmp(cc, x, y),
    };
    if b.ty(x) != Ty::I64 || b.is_uniform(x) && b.is_uniform(y) {
        return b.icmp(cc, x, y);
    }
    let top = sign_bit(b, Ty::I64);
    let (x, y) = (b.xor(x, top), b.xor(y, top));
    b.icmp(signed_twin, x, y)
}

pub(crate) fn eval_ieq(a: &Args) -> u64 {
    u64::from(a.u(0) == a.u(1))
}
pub(crate) fn lower_ieq(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    compare_int(b, ICmp::Eq, x, y)
}
pub(crate) fn eval_ine(a: &Args) -> u64 {
    u64::from(a.u(0) != a.u(1))
}
pub(crate) fn lower_ine(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    compare_int(b, ICmp::Ne, x, y)
}
pub(crate) fn eval_slt(a: &Args) -> u64 {
    u64::from(a.s(0) < a.s(1))
}
pub(crate) fn lower_slt(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (signed(b, a[0]), signed(b, a[1]));
    compare_int(b, ICmp::Slt, x, y)
}
pub(crate) fn eval_sle(a: &Args) -> u64 {
    u64::from(a.s(0) <= a.s(1))
}
pub(crate) fn lower_sle(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (signed(b, a[0]), signed(b, a[1]));
    compare_int(b, ICmp::Sle, x, y)
}
pub(crate) fn eval_ult(a: &Args) -> u64 {
    u64::from(a.u(0) < a.u(1))
}
pub(crate) fn lower_ult(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    compare_int(b, ICmp::Ult, x, y)
}
pub(crate) fn eval_ule(a: &Args) -> u64 {
    u64::from(a.u(0) <= a.u(1))
}
pub(crate) fn lower_ule(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    let (x, y) = (wide(b, a[0]), wide(b, a[1]));
    compare_int(b, ICmp::Ule, x, y)
}

pub(crate) fn eval_foeq(a: &Args) -> u64 {
    u64::from(a.f(0) == a.f(1))
}
pub(crate) fn lower_foeq(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::OrdEq, a[0], a[1])
}
pub(crate) fn eval_fone(a: &Args) -> u64 {
    u64::from(a.f(0) < a.f(1) || a.f(0) > a.f(1))
}
pub(crate) fn lower_fone(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::OrdNe, a[0], a[1])
}
pub(crate) fn eval_folt(a: &Args) -> u64 {
    u64::from(a.f(0) < a.f(1))
}
pub(crate) fn lower_folt(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::OrdLt, a[0], a[1])
}
pub(crate) fn eval_fole(a: &Args) -> u64 {
    u64::from(a.f(0) <= a.f(1))
}
pub(crate) fn lower_fole(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::OrdLe, a[0], a[1])
}
/// 1 if either operand is NaN.
fn unordered(a: &Args) -> u64 {
    u64::from(a.f(0).is_nan() || a.f(1).is_nan())
}
pub(crate) fn eval_fueq(a: &Args) -> u64 {
    unordered(a) | eval_foeq(a)
}
pub(crate) fn lower_fueq(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::UnordEq, a[0], a[1])
}
pub(crate) fn eval_fune(a: &Args) -> u64 {
    u64::from(a.f(0) != a.f(1))
}
pub(crate) fn lower_fune(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::UnordNe, a[0], a[1])
}
pub(crate) fn eval_fult(a: &Args) -> u64 {
    unordered(a) | eval_folt(a)
}
pub(crate) fn lower_fult(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::UnordLt, a[0], a[1])
}
pub(crate) fn eval_fule(a: &Args) -> u64 {
    unordered(a) | eval_fole(a)
}
pub(crate) fn lower_fule(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::UnordLe, a[0], a[1])
}
pub(crate) fn eval_isnan(a: &Args) -> u64 {
    u64::from(a.f(0).is_nan())
}
pub(crate) fn lower_isnan(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.fcmp(FCmp::Unordered, a[0], a[0])
}
pub(crate) fn eval_isinf(a: &Args) -> u64 {
    u64::from(a.f(0).is_infinite())
}
pub(crate) fn lower_isinf(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let magnitude = abs(b, x);
    let ty = b.ty(x);
    let inf = b.bits(ty, super::value::from_f32(ty, f32::INFINITY));
    b.fcmp(FCmp::OrdEq, magnitude, inf)
}
pub(crate) fn eval_select(a: &Args) -> u64 {
    if a.u(0) & 1 == 1 { a.u(1) } else { a.u(2) }
}
pub(crate) fn lower_select(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.select(a[0], a[1], a[2])
}
