//! Conversions between types.
//!
//! Spec: SPIR-V, "Conversion Instructions". For NaN and out-of-range values, see the rows of [`crate::ir::Op`].

use super::held::{F16_MIN_NORMAL, exact, float, int, op, round_to_f16, signed, truncate_to_f16, wide};
use super::value::{Args, from_f32, from_f64, from_f64_rtz, width, wrap};
use crate::ir::{Op, Ty};
use crate::lane::{FCmp, ICmp, Lane, LaneBuilder};

pub(crate) fn eval_ftos(a: &Args) -> u64 {
    // `as` truncates, saturates and converts NaN to 0; narrower results saturate a second time.
    let max = i64::MAX >> (64 - width(a.result));
    wrap(a.result, (a.f(0) as i64).clamp(-max - 1, max) as u64)
}
pub(crate) fn lower_ftos(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    if ty == Ty::I64 {
        return b.float_to_int_lanes(x, true, ty);
    }
    let r = if b.ty(x) == Ty::F64 { b.float_to_int_lanes(x, true, Ty::I32) } else { b.f32_to_s32(x) };
    if ty == Ty::I32 {
        return r;
    }
    let max = (1 << (width(ty) - 1)) - 1;
    let (low, high) = (b.i32(-max - 1), b.i32(max));
    let r = op(b, Op::SMin, Ty::I32, &[r, high]);
    let r = op(b, Op::SMax, Ty::I32, &[r, low]);
    int(b, ty, r)
}
pub(crate) fn eval_ftou(a: &Args) -> u64 {
    (a.f(0) as u64).min(u64::MAX >> (64 - width(a.result)))
}
pub(crate) fn lower_ftou(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    if ty == Ty::I64 {
        return b.float_to_int_lanes(x, false, ty);
    }
    let r = if b.ty(x) == Ty::F64 { b.float_to_int_lanes(x, false, Ty::I32) } else { b.f32_to_u32(x) };
    if ty == Ty::I32 {
        return r;
    }
    let max = b.u32((1 << width(ty)) - 1);
    let r = op(b, Op::UMin, Ty::I32, &[r, max]);
    b.retype(r, ty)
}
pub(crate) fn eval_stof(a: &Args) -> u64 {
    let x = a.s(0);
    match a.result {
        // The conversion to f32 is direct, because it would round twice through f64. For f16, f64 is exact in the whole
        // range.
        Ty::F32 => u64::from((x as f32).to_bits()),
        Ty::F16 => from_f64(Ty::F16, x as f64),
        _ => (x as f64).to_bits(),
    }
}
pub(crate) fn lower_stof(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = signed(b, a[0]);
    match (b.ty(x), ty) {
        (Ty::I64, Ty::F64) => b.int_to_float_lanes(x, true, Ty::F64),
        // Numbers that f32 has to round are infinite in f16.
        (Ty::I64, _) => {
            let r = b.int_to_float_lanes(x, true, Ty::F32);
            float(b, ty, r)
        }
        (_, Ty::F64) => b.i32_to_f64(x, true),
        _ => {
            let r = b.s32_to_f32(x);
            float(b, ty, r)
        }
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
pub(crate) fn lower_utof(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    match (b.ty(x), ty) {
        (Ty::I64, Ty::F64) => b.int_to_float_lanes(x, false, Ty::F64),
        // Numbers that f32 has to round are infinite in f16.
        (Ty::I64, _) => {
            let r = b.int_to_float_lanes(x, false, Ty::F32);
            float(b, ty, r)
        }
        (_, Ty::F64) => b.i32_to_f64(x, false),
        _ => {
            let r = b.u32_to_f32(x);
            float(b, ty, r)
        }
    }
}

pub(crate) fn eval_fconvert(a: &Args) -> u64 {
    from_f64(a.result, a.f(0))
}
pub(crate) fn lower_fconvert(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    match (b.ty(x), ty) {
        (Ty::F64, Ty::F64) => x,
        (Ty::F64, Ty::F16) => {
            let odd = lower_round_to_odd(b, x);
            round_to_f16(b, odd)
        }
        (Ty::F64, _) => b.f64_to_f32(x),
        (_, Ty::F64) => b.f32_to_f64(x),
        // Halves are held as floats, with signaling NaNs.
        (_, Ty::F32) if b.ty(a[0]) == Ty::F16 && !b.has_quiet_halves() => b.quiet(x),
        _ => float(b, ty, x),
    }
}

/// F64 to F32, rounded to odd; see `value::from_f64`.
fn lower_round_to_odd(b: &mut LaneBuilder, x: Lane) -> Lane {
    let (near, back, too_large) = demote(b, x);
    let inexact = b.fcmp(FCmp::OrdNe, back, x);
    let bits = b.bitcast(near, Ty::I32);
    let (one, zero) = (b.i32(1), b.i32(0));
    let low = b.and(bits, one);
    let even = b.icmp(ICmp::Eq, low, zero);
    let minus = b.i32(-1);
    let step = b.select(too_large, minus, one);
    let adjust = b.and(inexact, even);
    let step = b.select(adjust, step, zero);
    let bits = b.iadd(bits, step);
    b.bitcast(bits, Ty::F32)
}

/// F64 to F32: the nearest value, that value as F64, and true if its magnitude is above that of `x`.
fn demote(b: &mut LaneBuilder, x: Lane) -> (Lane, Lane, Lane) {
    let near = b.f64_to_f32(x);
    let back = b.f32_to_f64(near);
    let (x_abs, back_abs) = (super::held::abs(b, x), super::held::abs(b, back));
    let too_large = b.fcmp(FCmp::OrdGt, back_abs, x_abs);
    (near, back, too_large)
}
pub(crate) fn eval_fconvert_rtz(a: &Args) -> u64 {
    from_f64_rtz(a.result, a.f(0))
}
pub(crate) fn lower_fconvert_rtz(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let narrowed = match (b.ty(x), ty) {
        (_, Ty::F64) | (Ty::F32, Ty::F32) => return lower_fconvert(b, ty, a),
        (Ty::F64, _) => {
            let (near, _, too_large) = demote(b, x);
            let bits = b.bitcast(near, Ty::I32);
            let (minus, zero) = (b.i32(-1), b.i32(0));
            let step = b.select(too_large, minus, zero);
            let bits = b.iadd(bits, step);
            b.bitcast(bits, Ty::F32)
        }
        _ => x,
    };
    if ty == Ty::F16 { truncate_to_f16(b, narrowed) } else { narrowed }
}
pub(crate) fn eval_sconvert(a: &Args) -> u64 {
    wrap(a.result, a.s(0) as u64)
}
pub(crate) fn lower_sconvert(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = signed(b, a[0]);
    match (b.ty(x), ty) {
        (Ty::I64, Ty::I64) => x,
        (Ty::I64, _) => {
            let word = b.low_word(x);
            int(b, ty, word)
        }
        (_, Ty::I64) => b.i32_to_i64(x, true),
        _ => int(b, ty, x),
    }
}
pub(crate) fn eval_uconvert(a: &Args) -> u64 {
    wrap(a.result, a.u(0))
}
pub(crate) fn lower_uconvert(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    match (b.ty(x), ty) {
        (Ty::I64, Ty::I64) => x,
        (Ty::I64, _) => {
            let word = b.low_word(x);
            int(b, ty, word)
        }
        (_, Ty::I64) => b.i32_to_i64(x, false),
        _ => int(b, ty, x),
    }
}
pub(crate) fn eval_bitcast(a: &Args) -> u64 {
    wrap(a.result, a.u(0))
}
pub(crate) fn lower_bitcast(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    match (b.ty(a[0]), ty) {
        (from, to) if from == to => a[0],
        (Ty::F16, _) => {
            let x = wide(b, a[0]);
            let bits = b.f16_encoding(x);
            b.retype(bits, ty)
        }
        (_, Ty::F16) => {
            let x = wide(b, a[0]);
            let r = b.f16_bits_to_f32(x);
            exact(b, ty, r)
        }
        _ => b.bitcast(a[0], ty),
    }
}

pub(crate) fn eval_quantize(a: &Args) -> u64 {
    let half = half::f16::from_f32(a.f32(0)).to_f32();
    let flushed = if half.abs() < F16_MIN_NORMAL { 0f32.copysign(half) } else { half };
    from_f32(a.result, flushed)
}
pub(crate) fn lower_quantize(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = match ty {
        Ty::F64 => b.f64_to_f32(a[0]),
        _ => wide(b, a[0]),
    };
    let half = round_to_f16(b, x);
    let half = wide(b, half);
    let least = b.f32(F16_MIN_NORMAL);
    let magnitude = super::held::abs(b, half);
    let small = b.fcmp(FCmp::OrdLt, magnitude, least);
    // Zero with the sign of the value.
    let top = b.u32(1 << 31);
    let bits = b.bitcast(half, Ty::I32);
    let sign = b.and(bits, top);
    let zero = b.bitcast(sign, Ty::F32);
    let r = b.select(small, zero, half);
    match ty {
        Ty::F64 => b.f32_to_f64(r),
        _ => exact(b, ty, r),
    }
}
