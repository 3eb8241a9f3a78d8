//! Representation of narrow types in lanes, for `lower_*`: integers below 32 bits are zero-extended in I32, F16 is an
//! exact F32. Operations widen their operands, compute, and narrow the result.

use crate::ir::{Op, Ty};
use crate::lane::{FCmp, Lane, LaneBuilder};

/// Emits another operation, folded if its operands are constants.
pub(super) fn op(b: &mut LaneBuilder, op: Op, result: Ty, args: &[Lane]) -> Lane {
    super::lower(b, op, result, args)
}

/// Width of narrow integers; `None` for integers that fill their lane.
fn narrow_bits(ty: Ty) -> Option<u32> {
    match ty {
        Ty::I8 => Some(8),
        Ty::I16 => Some(16),
        _ => None,
    }
}

/// The type in which values of `ty` are computed.
pub(super) fn wide_ty(ty: Ty) -> Ty {
    match ty {
        Ty::I8 | Ty::I16 => Ty::I32,
        Ty::F16 => Ty::F32,
        ty => ty,
    }
}

/// An operand in the type in which it is computed: zero-extended, or exact.
pub(super) fn wide(b: &mut LaneBuilder, a: Lane) -> Lane {
    let ty = wide_ty(b.ty(a));
    b.retype(a, ty)
}

/// An integer operand, sign-extended to the type in which it is computed.
pub(super) fn signed(b: &mut LaneBuilder, a: Lane) -> Lane {
    let narrow = narrow_bits(b.ty(a));
    let a = wide(b, a);
    let Some(bits) = narrow else { return a };
    let by = b.u32(32 - bits);
    let up = op(b, Op::Shl, Ty::I32, &[a, by]);
    op(b, Op::ShrS, Ty::I32, &[up, by])
}

/// An integer result as `ty`, with high bits cleared.
pub(super) fn int(b: &mut LaneBuilder, ty: Ty, a: Lane) -> Lane {
    let Some(bits) = narrow_bits(ty) else { return a };
    let mask = b.u32((1 << bits) - 1);
    let a = b.and(a, mask);
    b.retype(a, ty)
}

/// A float result, rounded to `ty`.
pub(super) fn float(b: &mut LaneBuilder, ty: Ty, a: Lane) -> Lane {
    match ty {
        Ty::F16 => round_to_f16(b, a),
        _ => a,
    }
}

/// A float result that is exact in `ty`.
pub(super) fn exact(b: &mut LaneBuilder, ty: Ty, a: Lane) -> Lane {
    b.retype(a, ty)
}

/// A lane as the integer type of the same width, for bit operations on floats.
pub(super) fn bits_of(b: &mut LaneBuilder, a: Lane) -> Lane {
    let ty = b.ty(a).as_int();
    b.bitcast(a, ty)
}

/// The sign bit of a 32- or 64-bit lane.
pub(super) fn sign_bit(b: &mut LaneBuilder, ty: Ty) -> Lane {
    match ty {
        Ty::F64 | Ty::I64 => b.bits(Ty::I64, 1 << 63),
        _ => b.u32(1 << 31),
    }
}

/// |x| of F32 or F64, computed on its bits.
pub(super) fn abs(b: &mut LaneBuilder, a: Lane) -> Lane {
    let ty = b.ty(a);
    let mask = match ty {
        Ty::F64 => b.bits(Ty::I64, !(1 << 63)),
        _ => b.u32(!(1 << 31)),
    };
    let bits = bits_of(b, a);
    let bits = b.and(bits, mask);
    b.bitcast(bits, ty)
}

/// `a`, which is positive, with the sign bit of `s`; both F32.
fn with_sign(b: &mut LaneBuilder, a: Lane, s: Lane) -> Lane {
    let top = sign_bit(b, Ty::F32);
    let (a, s) = (bits_of(b, a), bits_of(b, s));
    let s = b.and(s, top);
    let bits = b.or(a, s);
    b.bitcast(bits, Ty::F32)
}

/// Largest finite f16.
const F16_MAX: f32 = 65504.0;
/// Smallest f32 that rounds to infinity in f16.
const F16_INF_FROM: f32 = 65520.0;
/// Smallest normal f16.
pub(crate) const F16_MIN_NORMAL: f32 = 6.103_515_6e-5;

/// Rounds F32 to the nearest f16 value, ties to even.
pub(super) fn round_to_f16(b: &mut LaneBuilder, x: Lane) -> Lane {
    if let Some(rounded) = b.round_to_half(x) {
        return rounded;
    }
    let a = abs(b, x);
    // Normal results lose 13 bits of the significand.
    let bits = bits_of(b, a);
    let (thirteen, one, below_half) = (b.i32(13), b.i32(1), b.i32(0xfff));
    let odd = b.ushr(bits, thirteen);
    let odd = b.and(odd, one);
    let bits = b.iadd(bits, below_half);
    let bits = b.iadd(bits, odd);
    let keep = b.u32(!0x1fff);
    let bits = b.and(bits, keep);
    let normal = b.bitcast(bits, Ty::F32);
    // Small results are multiples of 2^-24, which is the last place of 0.5.
    let half = b.f32(0.5);
    let small = b.fadd(a, half);
    let small = b.fsub(small, half);
    let least = b.f32(F16_MIN_NORMAL);
    let is_small = b.fcmp(FCmp::OrdLt, a, least);
    let r = b.select(is_small, small, normal);
    // Beyond the range: infinity; NaN keeps the upper bits of its payload.
    let (limit, inf) = (b.f32(F16_INF_FROM), b.f32(f32::INFINITY));
    let beyond = b.fmul(a, inf);
    let beyond = bits_of(b, beyond);
    let beyond = b.and(beyond, keep);
    let beyond = b.bitcast(beyond, Ty::F32);
    let fits = b.fcmp(FCmp::OrdLt, a, limit);
    let r = b.select(fits, r, beyond);
    let r = with_sign(b, r, x);
    b.retype(r, Ty::F16)
}

/// Rounds F32 toward zero to an f16 value.
pub(super) fn truncate_to_f16(b: &mut LaneBuilder, x: Lane) -> Lane {
    let a = abs(b, x);
    let bits = bits_of(b, a);
    let keep = b.u32(!0x1fff);
    let bits = b.and(bits, keep);
    let normal = b.bitcast(bits, Ty::F32);
    let (up, down) = (b.f32(16_777_216.0), b.f32(1.0 / 16_777_216.0));
    let small = b.fmul(a, up);
    let small = b.trunc(small);
    let small = b.fmul(small, down);
    let least = b.f32(F16_MIN_NORMAL);
    let is_small = b.fcmp(FCmp::OrdLt, a, least);
    let r = b.select(is_small, small, normal);
    let (max, inf) = (b.f32(F16_MAX), b.f32(f32::INFINITY));
    let capped = b.fmin(max, r);
    // Infinity and NaN are kept.
    let finite = b.fcmp(FCmp::OrdLt, a, inf);
    let r = b.select(finite, capped, a);
    let r = with_sign(b, r, x);
    b.retype(r, Ty::F16)
}
