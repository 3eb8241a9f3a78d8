//! Functions of floats of OpenCL.std whose results are exact or rounded once. Spec: OpenCL Extended Instruction Set,
//! "Math instructions".

use spirv::FPRoundingMode as Mode;

use super::super::convert::narrow;
use super::super::{Lower, Scalars};
use super::math::with_sign;
use super::{each, need_floats, operands_of, store_second, target};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;

macro_rules! by_component {
    ($($(#[$doc:meta])* $name:ident [$($arg:ident)*] = |$b:ident, $ty:ident| $body:expr;)*) => {
        $($(#[$doc])*
        pub fn $name<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
            need_floats(lower, operands)?;
            each(lower, operands, |$b: &mut Lower<'_>, $ty: Ty, [$($arg),*]| $body)
        })*
    };
}

by_component! {
    /// copysign.
    copysign [x y] = |b, _ty| with_sign(b, x, y);
    /// fdim: the difference if it is positive, else 0.
    fdim [x y] = |b, ty| {
        let (zero, difference) = (b.float(ty, 0.0), b.sub(x, y));
        let not_above = b.op(Op::FOrdLe, Ty::Bool, &[x, y]);
        b.select(not_above, zero, difference)
    };
    /// fmod: the remainder with the sign of x, exact.
    fmod [x y] = |b, ty| {
        let wide = if ty == Ty::F16 { Ty::F32 } else { ty };
        let (x, y) = (narrow(b, x, wide, Mode::RTE), narrow(b, y, wide, Mode::RTE));
        let out = modulo(b, x, y);
        narrow(b, out, ty, Mode::RTE)
    };
    /// mad: `x * y + z`, with two roundings.
    mad [x y z] = |b, _ty| {
        let product = b.mul(x, y);
        b.add(product, z)
    };
    /// maxmag: the operand of the greater magnitude.
    maxmag [x y] = |b, ty| by_magnitude(b, ty, x, y, Op::NMax, false);
    /// minmag: the operand of the smaller magnitude.
    minmag [x y] = |b, ty| by_magnitude(b, ty, x, y, Op::NMin, true);
    /// logb: the exponent as a float; -inf of 0.
    logb [x] = |b, ty| {
        let one = b.i32(1);
        let exponent = b.op(Op::FrexpExp, Ty::I32, &[x]);
        let exponent = b.op(Op::ISub, Ty::I32, &[exponent, one]);
        let out = b.op(Op::SToF, ty, &[exponent]);
        let (zero, nothing) = (b.float(ty, 0.0), b.float(ty, f64::NEG_INFINITY));
        let is_zero = b.op(Op::FOrdEq, Ty::Bool, &[x, zero]);
        let out = b.select(is_zero, nothing, out);
        let infinite = b.op(Op::IsInf, Ty::Bool, &[x]);
        let size = b.magnitude(x);
        let out = b.select(infinite, size, out);
        let is_nan = b.op(Op::IsNan, Ty::Bool, &[x]);
        b.select(is_nan, x, out)
    };
    /// nextafter: the next float from x toward y.
    nextafter [x y] = |b, ty| {
        let int = ty.as_int();
        let bit = 1u64 << (ty.bits().unwrap_or(32) - 1);
        let bits = b.cast(x, int);
        let (zero, one, top) = (b.float(ty, 0.0), b.constant(int, 1), b.constant(int, bit));
        let (up, down) = (b.op(Op::IAdd, int, &[bits, one]), b.op(Op::ISub, int, &[bits, one]));
        let rises = b.below(x, y);
        let positive = b.below(zero, x);
        // The magnitude grows if the number moves away from 0.
        let away = b.op(Op::Xor, Ty::Bool, &[rises, positive]);
        let moved = b.select(away, down, up);
        let nothing = b.constant(int, 0);
        let sign = b.select(rises, nothing, top);
        let least = b.op(Op::Or, int, &[sign, one]);
        let is_zero = b.op(Op::FOrdEq, Ty::Bool, &[x, zero]);
        let moved = b.select(is_zero, least, moved);
        let moved = b.cast(moved, ty);
        let same = b.op(Op::FOrdEq, Ty::Bool, &[x, y]);
        let out = b.select(same, y, moved);
        let nans = [x, y].map(|v| b.op(Op::IsNan, Ty::Bool, &[v]));
        let either = b.op(Op::Or, Ty::Bool, &nans);
        let sum = b.add(x, y);
        b.select(either, sum, out)
    };
    /// remainder: `x - n y` with n the integer nearest to x / y, even in a tie; exact.
    remainder [x y] = |b, ty| {
        let wide = if ty == Ty::F16 { Ty::F32 } else { ty };
        let (x, y) = (narrow(b, x, wide, Mode::RTE), narrow(b, y, wide, Mode::RTE));
        let (out, _) = nearest_remainder(b, x, y);
        narrow(b, out, ty, Mode::RTE)
    };
    /// round: to the nearest integer, ties away from 0.
    round [x] = |b, ty| {
        let whole = b.op(Op::FTrunc, ty, &[x]);
        let rest = b.sub(x, whole);
        let (rest, half) = (b.magnitude(rest), b.float(ty, 0.5));
        let one = b.float(ty, 1.0);
        let one = with_sign(b, one, x);
        let more = b.add(whole, one);
        let up = b.op(Op::FOrdLe, Ty::Bool, &[half, rest]);
        let out = b.select(up, more, whole);
        with_sign(b, out, x)
    };
    /// half_divide, native_divide.
    divide [x y] = |b, _ty| b.div(x, y);
    /// half_recip, native_recip.
    recip [x] = |b, ty| {
        let one = b.float(ty, 1.0);
        b.div(one, x)
    };
}

fn by_magnitude(b: &mut Lower<'_>, ty: Ty, x: Value, y: Value, tie: Op, smaller: bool) -> Value {
    let (a, c) = (b.magnitude(x), b.magnitude(y));
    let (x_wins, y_wins) = (b.below(c, a), b.below(a, c));
    let (x_wins, y_wins) = if smaller { (y_wins, x_wins) } else { (x_wins, y_wins) };
    let out = b.op(tie, ty, &[x, y]);
    let out = b.select(y_wins, y, out);
    b.select(x_wins, x, out)
}

/// The exact remainder of x / y with the sign of x. Each turn takes a multiple of `y * 2^n` that the significand holds.
fn modulo(b: &mut Lower<'_>, x: Value, y: Value) -> Value {
    let ty = b.ty(x);
    let digits = if ty == Ty::F64 { 50 } else { 21 };
    let (size, divisor) = (b.magnitude(x), b.magnitude(y));
    let (zero, infinity) = (b.float(ty, 0.0), b.float(ty, f64::INFINITY));
    let (some, finite) = (b.below(zero, divisor), b.below(size, infinity));
    let valid = b.op(Op::And, Ty::Bool, &[some, finite]);
    let start = b.select(valid, size, zero);
    let by = b.op(Op::FrexpExp, Ty::I32, &[divisor]);
    let more = &mut |b: &mut Lower<'_>, list: &[Value]| {
        let goes_on = b.op(Op::FOrdLe, Ty::Bool, &[divisor, list[0]]);
        b.op(Op::And, Ty::Bool, &[goes_on, valid])
    };
    let body = &mut |b: &mut Lower<'_>, list: &[Value]| {
        let r = list[0];
        let exponent = b.op(Op::FrexpExp, Ty::I32, &[r]);
        let (difference, digits, none) = (b.op(Op::ISub, Ty::I32, &[exponent, by]), b.i32(digits), b.i32(0));
        let n = b.op(Op::ISub, Ty::I32, &[difference, digits]);
        let n = b.op(Op::SMax, Ty::I32, &[n, none]);
        let step = b.op(Op::Ldexp, ty, &[divisor, n]);
        let q = b.div(r, step);
        let q = b.op(Op::FTrunc, ty, &[q]);
        let minus = b.negate(q);
        let r = b.fused(minus, step, r);
        // The rounded quotient may be one too large or too small.
        let (less, greater) = (b.add(r, step), b.sub(r, step));
        let too_small = b.op(Op::FOrdLe, Ty::Bool, &[step, r]);
        let too_large = b.below(r, zero);
        let r = b.select(too_small, greater, r);
        let r = b.select(too_large, less, r);
        Lower::one(r)
    };
    let r = b.repeat(&[start], more, body)[0];
    let out = with_sign(b, r, x);
    // NaN for NaN, infinite x and y = 0.
    let nan = b.float(ty, f64::NAN);
    let y_is_nan = b.op(Op::IsNan, Ty::Bool, &[y]);
    let fine = b.op(Op::Not, Ty::Bool, &[y_is_nan]);
    let valid = b.op(Op::And, Ty::Bool, &[valid, fine]);
    b.select(valid, out, nan)
}

/// The remainder of the nearest quotient, and the quotient's lowest seven bits with its sign.
fn nearest_remainder(b: &mut Lower<'_>, x: Value, y: Value) -> (Value, Value) {
    let ty = b.ty(x);
    let (size, divisor) = (b.magnitude(x), b.magnitude(y));
    let seven = b.i32(7);
    let far = b.op(Op::Ldexp, ty, &[divisor, seven]);
    let r = modulo(b, size, far);
    let q = b.div(r, divisor);
    let q = b.op(Op::FTrunc, ty, &[q]);
    let minus = b.negate(q);
    let rest = b.fused(minus, divisor, r);
    let (zero, one) = (b.float(ty, 0.0), b.float(ty, 1.0));
    // The rounded quotient may be one too large.
    let too_large = b.below(rest, zero);
    let (fewer, restored) = (b.sub(q, one), b.add(rest, divisor));
    let (q, rest) = (b.select(too_large, fewer, q), b.select(too_large, restored, rest));
    let left = b.sub(divisor, rest);
    let n = b.op(Op::FToS, Ty::I32, &[q]);
    let (bit, none) = (b.i32(1), b.i32(0));
    let odd = b.op(Op::And, Ty::I32, &[n, bit]);
    let odd = b.op(Op::INe, Ty::Bool, &[odd, none]);
    let tie = b.op(Op::FOrdEq, Ty::Bool, &[left, rest]);
    let tie_up = b.op(Op::And, Ty::Bool, &[tie, odd]);
    let above = b.below(left, rest);
    let up = b.op(Op::Or, Ty::Bool, &[above, tie_up]);
    let down = b.sub(rest, divisor);
    let rest = b.select(up, down, rest);
    let n_next = b.op(Op::IAdd, Ty::I32, &[n, bit]);
    let n = b.select(up, n_next, n);
    let low = b.i32(127);
    let n = b.op(Op::And, Ty::I32, &[n, low]);
    // Signs: of the remainder as of x if it is 0, else x negates it; of the quotient by both.
    let int = ty.as_int();
    let [x_bits, y_bits, rest_bits] = [x, y, rest].map(|v| b.cast(v, int));
    let top = b.constant(int, 1 << (ty.bits().unwrap_or(32) - 1));
    let x_sign = b.op(Op::And, int, &[x_bits, top]);
    let out = b.op(Op::Xor, int, &[rest_bits, x_sign]);
    let out = b.cast(out, ty);
    let differ = b.op(Op::Xor, int, &[x_bits, y_bits]);
    let nothing = b.constant(int, 0);
    let negative = b.op(Op::SLt, Ty::Bool, &[differ, nothing]);
    let minus = b.op(Op::INeg, Ty::I32, &[n]);
    let n = b.select(negative, minus, n);
    // An infinite divisor leaves x.
    let infinite = b.op(Op::IsInf, Ty::Bool, &[y]);
    let finite = b.op(Op::FOrdEq, Ty::Bool, &[r, r]);
    let whole = b.op(Op::And, Ty::Bool, &[infinite, finite]);
    (b.select(whole, x, out), b.select(whole, none, n))
}

/// ldexp: `x * 2^n`.
pub fn ldexp<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [x, n] = operands_of(lower, operands)?;
    if !lower.first_ty(&x)?.is_float() || lower.first_ty(&n)? != Ty::I32 {
        return Err(Error::invalid("operands are not floats and integers of 32 bits"));
    }
    each(lower, operands, |b, ty, [x, n]| b.op(Op::Ldexp, ty, &[x, n]))
}

/// ilogb: the exponent as an integer; the least integer of 0, the greatest of infinities and NaN.
pub fn ilogb<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    need_floats(lower, operands)?;
    each(lower, operands, |b, ty, [x]| {
        let one = b.i32(1);
        let exponent = b.op(Op::FrexpExp, Ty::I32, &[x]);
        let out = b.op(Op::ISub, Ty::I32, &[exponent, one]);
        let (least, most, zero) = (b.i32(i32::MIN as u32), b.i32(i32::MAX as u32), b.float(ty, 0.0));
        let is_zero = b.op(Op::FOrdEq, Ty::Bool, &[x, zero]);
        let out = b.select(is_zero, least, out);
        let (size, infinity) = (b.magnitude(x), b.float(ty, f64::INFINITY));
        let finite = b.below(size, infinity);
        b.select(finite, out, most)
    })
}

/// nan: a quiet NaN with the bits of an integer.
pub fn nan<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let ty = lower.types.component(inst.ty)?;
    let [code] = operands_of(lower, operands)?;
    let quiet: u64 = match ty {
        Ty::F16 => 0x7e00,
        Ty::F32 => 0x7fc0_0000,
        Ty::F64 => 0x7ff8_0000_0000_0000,
        _ => return Err(Error::invalid("result is not a float")),
    };
    if lower.first_ty(&code)? != ty.as_int() {
        return Err(Error::invalid("operand does not have the width of the result"));
    }
    let (exponent, int) = (lower.constant(ty.as_int(), quiet), ty.as_int());
    Ok(code
        .into_iter()
        .map(|v| {
            let bits = lower.op(Op::Or, int, &[v, exponent]);
            let top = lower.constant(int, (1 << (ty.bits().unwrap_or(32) - 1)) - 1);
            let bits = lower.op(Op::And, int, &[bits, top]);
            lower.cast(bits, ty)
        })
        .collect())
}

/// fract: `x - floor(x)`, below 1; stores `floor(x)`.
pub fn fract<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let place = target(lower, operands, 1)?;
    need_floats(lower, &operands[..1])?;
    let floors = each(lower, &operands[..1], |b, ty, [x]| b.op(Op::FFloor, ty, &[x]))?;
    let parts = each(lower, &operands[..1], |b, ty, [x]| {
        let floor = b.op(Op::FFloor, ty, &[x]);
        let rest = b.sub(x, floor);
        let below_one = match ty {
            Ty::F16 => 1.0 - 2f64.powi(-11),
            Ty::F32 => 1.0 - 2f64.powi(-24),
            _ => 1.0 - 2f64.powi(-53),
        };
        let (most, zero) = (b.float(ty, below_one), b.float(ty, 0.0));
        let rest = b.op(Op::FMin, ty, &[rest, most]);
        let infinite = b.op(Op::IsInf, Ty::Bool, &[x]);
        let signed = with_sign(b, zero, x);
        let rest = b.select(infinite, signed, rest);
        let is_zero = b.op(Op::FOrdEq, Ty::Bool, &[x, zero]);
        b.select(is_zero, x, rest)
    })?;
    store_second(lower, &place, &floors)?;
    Ok(parts)
}

/// remquo: the remainder; stores the lowest bits of the quotient.
pub fn remquo<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let place = target(lower, operands, 2)?;
    need_floats(lower, &operands[..2])?;
    let [x, y] = operands_of(lower, operands)?;
    if x.len() != y.len() {
        return Err(Error::invalid("operands do not fit each other"));
    }
    let ty = lower.first_ty(&x)?;
    let wide = if ty == Ty::F16 { Ty::F32 } else { ty };
    let (mut out, mut quotients) = (Scalars::new(), Scalars::new());
    for (x, y) in x.into_iter().zip(y) {
        let (x, y) = (narrow(lower, x, wide, Mode::RTE), narrow(lower, y, wide, Mode::RTE));
        let (rest, n) = nearest_remainder(lower, x, y);
        out.push(narrow(lower, rest, ty, Mode::RTE));
        quotients.push(n);
    }
    store_second(lower, &place, &quotients)?;
    Ok(out)
}
