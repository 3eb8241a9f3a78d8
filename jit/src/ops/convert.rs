//! Conversions between types.
//!
//! Spec: SPIR-V, "Conversion Instructions". Out of range and NaN: as the rows of [`crate::ir::Op`]
//! say.

use super::value::{Args, from_f32, from_f64, from_f64_rtz, width, wrap};
use crate::ir::Ty;

pub(crate) fn eval_ftos(a: &Args) -> u64 {
    // `as` truncates, saturates and takes NaN to 0; narrower results saturate a second time.
    let max = i64::MAX >> (64 - width(a.result));
    wrap(a.result, (a.f(0) as i64).clamp(-max - 1, max) as u64)
}
pub(crate) fn eval_ftou(a: &Args) -> u64 {
    (a.f(0) as u64).min(u64::MAX >> (64 - width(a.result)))
}
pub(crate) fn eval_stof(a: &Args) -> u64 {
    let x = a.s(0);
    match a.result {
        // Directly: through f64 it would round twice. f16 ends long before f64 rounds.
        Ty::F32 => u64::from((x as f32).to_bits()),
        Ty::F16 => from_f64(Ty::F16, x as f64),
        _ => (x as f64).to_bits(),
    }
}
pub(crate) fn eval_utof(a: &Args) -> u64 {
    let x = a.u(0);
    match a.result {
        Ty::F32 => u64::from((x as f32).to_bits()),
        Ty::F16 => from_f64(Ty::F16, x as f64),
        _ => (x as f64).to_bits(),
    }
}

pub(crate) fn eval_fconvert(a: &Args) -> u64 {
    from_f64(a.result, a.f(0))
}
pub(crate) fn eval_fconvert_rtz(a: &Args) -> u64 {
    from_f64_rtz(a.result, a.f(0))
}
pub(crate) fn eval_sconvert(a: &Args) -> u64 {
    wrap(a.result, a.s(0) as u64)
}
pub(crate) fn eval_uconvert(a: &Args) -> u64 {
    wrap(a.result, a.u(0))
}
pub(crate) fn eval_bitcast(a: &Args) -> u64 {
    wrap(a.result, a.u(0))
}

/// Smallest normal f16.
pub(crate) const F16_MIN_NORMAL: f32 = 6.103_515_6e-5;

pub(crate) fn eval_quantize(a: &Args) -> u64 {
    let half = half::f16::from_f32(a.f32(0)).to_f32();
    let flushed = if half.abs() < F16_MIN_NORMAL { 0f32.copysign(half) } else { half };
    from_f32(a.result, flushed)
}
