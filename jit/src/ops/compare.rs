//! Comparisons, tests and selection.
//!
//! Spec: SPIR-V, "Relational and Logical Instructions".

use super::value::Args;

pub(crate) fn eval_ieq(a: &Args) -> u64 {
    u64::from(a.u(0) == a.u(1))
}
pub(crate) fn eval_ine(a: &Args) -> u64 {
    u64::from(a.u(0) != a.u(1))
}
pub(crate) fn eval_slt(a: &Args) -> u64 {
    u64::from(a.s(0) < a.s(1))
}
pub(crate) fn eval_sle(a: &Args) -> u64 {
    u64::from(a.s(0) <= a.s(1))
}
pub(crate) fn eval_ult(a: &Args) -> u64 {
    u64::from(a.u(0) < a.u(1))
}
pub(crate) fn eval_ule(a: &Args) -> u64 {
    u64::from(a.u(0) <= a.u(1))
}

pub(crate) fn eval_foeq(a: &Args) -> u64 {
    u64::from(a.f(0) == a.f(1))
}
pub(crate) fn eval_fone(a: &Args) -> u64 {
    u64::from(a.f(0) < a.f(1) || a.f(0) > a.f(1))
}
pub(crate) fn eval_folt(a: &Args) -> u64 {
    u64::from(a.f(0) < a.f(1))
}
pub(crate) fn eval_fole(a: &Args) -> u64 {
    u64::from(a.f(0) <= a.f(1))
}
/// Either operand is a NaN.
fn unordered(a: &Args) -> u64 {
    u64::from(a.f(0).is_nan() || a.f(1).is_nan())
}
pub(crate) fn eval_fueq(a: &Args) -> u64 {
    unordered(a) | eval_foeq(a)
}
pub(crate) fn eval_fune(a: &Args) -> u64 {
    u64::from(a.f(0) != a.f(1))
}
pub(crate) fn eval_fult(a: &Args) -> u64 {
    unordered(a) | eval_folt(a)
}
pub(crate) fn eval_fule(a: &Args) -> u64 {
    unordered(a) | eval_fole(a)
}
pub(crate) fn eval_isnan(a: &Args) -> u64 {
    u64::from(a.f(0).is_nan())
}
pub(crate) fn eval_isinf(a: &Args) -> u64 {
    u64::from(a.f(0).is_infinite())
}
pub(crate) fn eval_select(a: &Args) -> u64 {
    if a.u(0) & 1 == 1 { a.u(1) } else { a.u(2) }
}
