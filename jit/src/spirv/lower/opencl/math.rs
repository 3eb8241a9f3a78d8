//! Functions of floats of OpenCL.std. Spec: OpenCL Extended Instruction Set, "Math instructions"; bounds of errors:
//! OpenCL C, "Relative Error as ULPs".
//!
//! Functions of f16 and f32 are computed in 64 bits (`double`) and rounded once. Those of f64 are operations of the IR,
//! except `exp`, `exp2` and the logarithms, for which `double` is precise enough.

use std::f64::consts as k;

use spirv::FPRoundingMode as Mode;

use super::super::convert::narrow;
use super::super::{Lower, Scalars};
use super::{each, need_floats, operands_of, store_second, target};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;

/// Applies `f` to each component in 64 bits; `precise` to components that have 64 bits.
pub(super) fn by_double<const N: usize>(
    lower: &mut Lower<'_>,
    operands: &[u32],
    precise: impl Fn(&mut Lower<'_>, [Value; N]) -> Value,
    f: impl Fn(&mut Lower<'_>, [Value; N]) -> Value,
) -> Result<Scalars> {
    need_floats(lower, operands.get(..N).unwrap_or_default())?;
    each(lower, operands.get(..N).unwrap_or_default(), |b, ty, args: [Value; N]| {
        if ty == Ty::F64 {
            return precise(b, args);
        }
        let wide = args.map(|v| narrow(b, v, Ty::F64, Mode::RTE));
        let out = f(b, wide);
        narrow(b, out, ty, Mode::RTE)
    })
}

/// The operation of the IR for f16 and f32, `f` for f64.
fn or_double(
    lower: &mut Lower<'_>,
    operands: &[u32],
    op: Op,
    f: impl Fn(&mut Lower<'_>, Value) -> Value,
) -> Result<Scalars> {
    need_floats(lower, operands)?;
    each(lower, operands, |b, ty, [x]| if ty == Ty::F64 { f(b, x) } else { b.op(op, ty, &[x]) })
}

/// The operation of the IR, times `scale`. f16 is computed in f32.
fn of_ir<const N: usize>(lower: &mut Lower<'_>, operands: &[u32], op: Op, scale: f64) -> Result<Scalars> {
    need_floats(lower, operands)?;
    each(lower, operands, |b, ty, args: [Value; N]| {
        let held = if ty == Ty::F64 { ty } else { Ty::F32 };
        let wide = args.map(|v| narrow(b, v, held, Mode::RTE));
        let out = b.op(op, held, &wide);
        if scale == 1.0 {
            return narrow(b, out, ty, Mode::RTE);
        }
        let out = narrow(b, out, Ty::F64, Mode::RTE);
        let scale = b.d(scale);
        let out = b.mul(out, scale);
        narrow(b, out, ty, Mode::RTE)
    })
}

/// `sign`'s sign and the magnitude of `v`.
pub(super) fn with_sign(b: &mut Lower<'_>, v: Value, sign: Value) -> Value {
    let ty = b.ty(v);
    let int = ty.as_int();
    let bit = 1u64 << (ty.bits().unwrap_or(32) - 1);
    let (top, rest) = (b.constant(int, bit), b.constant(int, bit - 1));
    let (v, sign) = (b.cast(v, int), b.cast(sign, int));
    let (v, sign) = (b.op(Op::And, int, &[v, rest]), b.op(Op::And, int, &[sign, top]));
    let out = b.op(Op::Or, int, &[v, sign]);
    b.cast(out, ty)
}

/// `small` where the magnitude of `x` is below `limit`, else `other`.
pub(super) fn near_zero(b: &mut Lower<'_>, x: Value, limit: f64, small: Value, other: Value) -> Value {
    let (size, limit) = (b.magnitude(x), b.d(limit));
    let near = b.below(size, limit);
    b.select(near, small, other)
}

/// The odd series `x + c1 x^3 + c2 x^5`.
fn odd_series(b: &mut Lower<'_>, x: Value, c1: f64, c2: f64) -> Value {
    let z = b.mul(x, x);
    let sum = b.polynomial(z, &[c2, c1, 0.0]);
    b.fused(sum, x, x)
}

macro_rules! in_64_bits {
    ($($(#[$doc:meta])* $name:ident [$($arg:ident)*] $precise:expr, |$b:ident| $body:expr;)*) => {
        $($(#[$doc])*
        pub fn $name<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
            by_double(lower, operands, $precise, |$b: &mut Lower<'_>, [$($arg),*]| $body)
        })*
    };
}

in_64_bits! {
    /// sin.
    sin [x] row(Op::Sin), |b| b.sincos64(x).0;
    /// cos.
    cos [x] row(Op::Cos), |b| b.sincos64(x).1;
    /// tan.
    tan [x] row(Op::Tan), |b| {
        let (s, c) = b.sincos64(x);
        b.div(s, c)
    };
    /// sinpi: the sine of `pi x`.
    sinpi [x] row(Op::SinPi), |b| b.sincospi64(x).0;
    /// cospi.
    cospi [x] row(Op::CosPi), |b| b.sincospi64(x).1;
    /// tanpi.
    tanpi [x] precise_tanpi, |b| {
        let (s, c) = b.sincospi64(x);
        b.div(s, c)
    };
    /// sinh.
    sinh [x] row(Op::Sinh), |b| {
        let (up, down) = powers(b, x);
        let twice = b.sub(up, down);
        let half = b.d(0.5);
        let out = b.mul(twice, half);
        let small = odd_series(b, x, 1.0 / 6.0, 1.0 / 120.0);
        near_zero(b, x, 1e-3, small, out)
    };
    /// cosh.
    cosh [x] row(Op::Cosh), |b| {
        let (up, down) = powers(b, x);
        let twice = b.add(up, down);
        let half = b.d(0.5);
        b.mul(twice, half)
    };
    /// tanh: `1 - 2 / (e^2x + 1)`.
    tanh [x] row(Op::Tanh), |b| {
        let (one, two) = (b.d(1.0), b.d(2.0));
        let doubled = b.add(x, x);
        let power = b.exp64(doubled);
        let below = b.add(power, one);
        let part = b.div(two, below);
        let out = b.sub(one, part);
        let small = odd_series(b, x, -1.0 / 3.0, 2.0 / 15.0);
        near_zero(b, x, 1e-3, small, out)
    };
    /// asinh.
    asinh [x] row(Op::Asinh), |b| {
        let size = b.magnitude(x);
        let one = b.d(1.0);
        let square = b.fused(size, size, one);
        let root = b.op(Op::FSqrt, Ty::F64, &[square]);
        let sum = b.add(size, root);
        let out = b.log64(sum);
        let out = with_sign(b, out, x);
        let small = odd_series(b, x, -1.0 / 6.0, 3.0 / 40.0);
        near_zero(b, x, 1e-3, small, out)
    };
    /// acosh: NaN below 1.
    acosh [x] row(Op::Acosh), |b| {
        let one = b.d(1.0);
        let (less, more) = (b.sub(x, one), b.add(x, one));
        let square = b.mul(less, more);
        let root = b.op(Op::FSqrt, Ty::F64, &[square]);
        let sum = b.add(x, root);
        let out = b.log64(sum);
        let (outside, nan) = (b.below(x, one), b.d(f64::NAN));
        b.select(outside, nan, out)
    };
    /// atanh: infinite at -1 and 1, NaN beyond.
    atanh [x] row(Op::Atanh), |b| {
        let (one, half) = (b.d(1.0), b.d(0.5));
        let (up, down) = (b.add(one, x), b.sub(one, x));
        let quotient = b.div(up, down);
        let log = b.log64(quotient);
        let out = b.mul(log, half);
        let small = odd_series(b, x, 1.0 / 3.0, 1.0 / 5.0);
        near_zero(b, x, 1e-3, small, out)
    };
    /// exp10.
    exp10 [x] row(Op::Exp10), |b| {
        let scale = b.d(k::LN_10);
        let x = b.mul(x, scale);
        b.exp64(x)
    };
    /// expm1: `e^x - 1`.
    expm1 [x] row(Op::Expm1), |b| {
        let (one, half) = (b.d(1.0), b.d(0.5));
        let power = b.exp64(x);
        let out = b.sub(power, one);
        let part = b.mul(x, half);
        let small = b.fused(part, x, x);
        let small = with_sign(b, small, x);
        near_zero(b, x, 1e-5, small, out)
    };
    /// log1p: `log(1 + x)`.
    log1p [x] row(Op::Log1p), |b| {
        let (one, half) = (b.d(1.0), b.d(-0.5));
        let sum = b.add(one, x);
        let out = b.log64(sum);
        let part = b.mul(x, half);
        let small = b.fused(part, x, x);
        near_zero(b, x, 1e-5, small, out)
    };
    /// cbrt.
    cbrt [x] row(Op::Cbrt), |b| {
        let size = b.magnitude(x);
        let (log, third) = (b.log64(size), b.d(1.0 / 3.0));
        let log = b.mul(log, third);
        let root = b.exp64(log);
        with_sign(b, root, x)
    };
    /// hypot: infinite if an operand is, even beside NaN.
    hypot [x y] row(Op::Hypot), |b| {
        let square = b.mul(x, x);
        let sum = b.fused(y, y, square);
        let root = b.op(Op::FSqrt, Ty::F64, &[sum]);
        let infinities = [x, y].map(|v| b.op(Op::IsInf, Ty::Bool, &[v]));
        let either = b.op(Op::Or, Ty::Bool, &infinities);
        let infinity = b.d(f64::INFINITY);
        b.select(either, infinity, root)
    };
    /// pow.
    pow [x y] row(Op::Pow), |b| power(b, x, y);
    /// powr: pow of numbers that are not negative.
    powr [x y] precise_powr, |b| {
        let log = b.log64(x);
        let exponent = b.mul(y, log);
        b.exp64(exponent)
    };
}

/// The operation of the IR on f64.
pub(super) fn row<const N: usize>(op: Op) -> impl Fn(&mut Lower<'_>, [Value; N]) -> Value {
    move |b, args| b.op(op, Ty::F64, &args)
}

fn precise_tanpi(b: &mut Lower<'_>, [x]: [Value; 1]) -> Value {
    let (s, c) = (b.op(Op::SinPi, Ty::F64, &[x]), b.op(Op::CosPi, Ty::F64, &[x]));
    b.div(s, c)
}

/// `pow` of magnitudes, but NaN where `y log(x)` is NaN.
fn precise_powr(b: &mut Lower<'_>, [x, y]: [Value; 2]) -> Value {
    let log = b.log64(x);
    let exponent = b.mul(y, log);
    let invalid = b.op(Op::IsNan, Ty::Bool, &[exponent]);
    let size = b.magnitude(x);
    let (power, nan) = (b.op(Op::Pow, Ty::F64, &[size, y]), b.d(f64::NAN));
    b.select(invalid, nan, power)
}

/// `e^x` and `e^-x`.
fn powers(b: &mut Lower<'_>, x: Value) -> (Value, Value) {
    let other = b.negate(x);
    (b.exp64(x), b.exp64(other))
}

/// `true` for odd integers; the operand is an integer.
pub(super) fn is_odd(b: &mut Lower<'_>, y: Value) -> Value {
    let half = b.d(0.5);
    let halved = b.mul(y, half);
    let whole = b.op(Op::FFloor, Ty::F64, &[halved]);
    b.op(Op::FOrdNe, Ty::Bool, &[halved, whole])
}

/// `x^y` with the special cases of `pow`.
fn power(b: &mut Lower<'_>, x: Value, y: Value) -> Value {
    let (zero, one, nan) = (b.d(0.0), b.d(1.0), b.d(f64::NAN));
    let size = b.magnitude(x);
    let log = b.log64(size);
    let exponent = b.mul(y, log);
    let out = b.exp64(exponent);
    let floor = b.op(Op::FFloor, Ty::F64, &[y]);
    let is_whole = b.op(Op::FOrdEq, Ty::Bool, &[floor, y]);
    let odd = is_odd(b, y);
    let odd = b.op(Op::And, Ty::Bool, &[odd, is_whole]);
    let signed = with_sign(b, out, x);
    let out = b.select(odd, signed, out);
    // Negative finite numbers have no other powers.
    let negative = b.below(x, zero);
    let infinite = b.op(Op::IsInf, Ty::Bool, &[x]);
    let finite = b.op(Op::Not, Ty::Bool, &[infinite]);
    let part = b.op(Op::Not, Ty::Bool, &[is_whole]);
    let invalid = b.op(Op::And, Ty::Bool, &[negative, finite]);
    let invalid = b.op(Op::And, Ty::Bool, &[invalid, part]);
    let out = b.select(invalid, nan, out);
    // 1 to any power, and any number to the power 0, even NaN; -1 to an infinite power.
    let is_one = b.op(Op::FOrdEq, Ty::Bool, &[x, one]);
    let no_power = b.op(Op::FOrdEq, Ty::Bool, &[y, zero]);
    let unit = b.op(Op::FOrdEq, Ty::Bool, &[size, one]);
    let endless = b.op(Op::IsInf, Ty::Bool, &[y]);
    let still = b.op(Op::And, Ty::Bool, &[unit, endless]);
    let sure = b.op(Op::Or, Ty::Bool, &[is_one, no_power]);
    let sure = b.op(Op::Or, Ty::Bool, &[sure, still]);
    b.select(sure, one, out)
}

/// exp.
pub fn exp<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    by_double(lower, operands, |b, [x]| b.exp64(x), |b, [x]| b.exp64(x))
}

/// exp2.
pub fn exp2<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let f = |b: &mut Lower<'_>, [x]: [Value; 1]| {
        // The rest after the nearest integer is exact.
        let (low, high) = (b.d(-1100.0), b.d(1100.0));
        let bounded = b.op(Op::FMax, Ty::F64, &[x, low]);
        let bounded = b.op(Op::FMin, Ty::F64, &[bounded, high]);
        let n = b.op(Op::FRound, Ty::F64, &[bounded]);
        let rest = b.sub(bounded, n);
        let scale = b.d(k::LN_2);
        let rest = b.mul(rest, scale);
        let power = b.exp64(rest);
        let n = b.op(Op::FToS, Ty::I32, &[n]);
        b.op(Op::Ldexp, Ty::F64, &[power, n])
    };
    by_double(lower, operands, f, f)
}

/// log.
pub fn log<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    by_double(lower, operands, |b, [x]| b.log64(x), |b, [x]| b.log64(x))
}

/// log2.
pub fn log2<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    scaled_log(lower, operands, k::LOG2_E)
}

/// log10.
pub fn log10<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    scaled_log(lower, operands, k::LOG10_E)
}

fn scaled_log(lower: &mut Lower<'_>, operands: &[u32], scale: f64) -> Result<Scalars> {
    let f = |b: &mut Lower<'_>, [x]: [Value; 1]| {
        let (log, scale) = (b.log64(x), b.d(scale));
        b.mul(log, scale)
    };
    by_double(lower, operands, f, f)
}

/// native_exp, half_exp: the operation of the IR, of 2 ulp.
pub fn fast_exp<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    or_double(lower, operands, Op::Exp, |b, x| b.exp64(x))
}

/// native_log, half_log.
pub fn fast_log<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    or_double(lower, operands, Op::Log, |b, x| b.log64(x))
}

macro_rules! scaled {
    ($($(#[$doc:meta])* $name:ident = $op:ident $n:literal $scale:expr;)*) => {
        $($(#[$doc])*
        pub fn $name<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
            of_ir::<$n>(lower, operands, Op::$op, $scale)
        })*
    };
}

scaled! {
    /// acos.
    acos = Acos 1 1.0;
    /// asin.
    asin = Asin 1 1.0;
    /// atan.
    atan = Atan 1 1.0;
    /// atan2.
    atan2 = Atan2 2 1.0;
    /// acospi: `acos(x) / pi`.
    acospi = Acos 1 k::FRAC_1_PI;
    /// asinpi.
    asinpi = Asin 1 k::FRAC_1_PI;
    /// atanpi.
    atanpi = Atan 1 k::FRAC_1_PI;
    /// native_exp2, half_exp2.
    fast_exp2 = Exp2 1 1.0;
    /// native_log2, half_log2.
    fast_log2 = Log2 1 1.0;
    /// native_sin.
    fast_sin = Sin 1 1.0;
    /// native_cos.
    fast_cos = Cos 1 1.0;
    /// native_tan.
    fast_tan = Tan 1 1.0;
}

/// atan2pi: `atan2(y, x) / pi`. The angles of two infinities are exact. Spec: OpenCL SPIR-V Environment, "Additional
/// Requirements Beyond ISO/IEC 9899:TC2".
pub fn atan2pi<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let angles = of_ir::<2>(lower, operands, Op::Atan2, k::FRAC_1_PI)?;
    let [y, x] = operands_of(lower, operands)?;
    Ok(angles
        .into_iter()
        .zip(y.into_iter().zip(x))
        .map(|(angle, (y, x))| {
            let ty = lower.ty(y);
            let (zero, right, left) = (lower.float(ty, 0.0), lower.float(ty, 0.25), lower.float(ty, 0.75));
            let negative = lower.below(x, zero);
            let diagonal = lower.select(negative, left, right);
            let diagonal = with_sign(lower, diagonal, y);
            let infinite = [x, y].map(|v| lower.op(Op::IsInf, Ty::Bool, &[v]));
            let both = lower.op(Op::And, Ty::Bool, &infinite);
            lower.select(both, diagonal, angle)
        })
        .collect())
}

/// Powers with an integer operand, in 64 bits; `precise` for components that have 64 bits.
fn with_int(
    lower: &mut Lower<'_>,
    operands: &[u32],
    precise: impl Fn(&mut Lower<'_>, Value, Value) -> Value,
    f: impl Fn(&mut Lower<'_>, Value, Value) -> Value,
) -> Result<Scalars> {
    let [x, n] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&x)?;
    if !ty.is_float() || lower.first_ty(&n)? != Ty::I32 || x.len() != n.len() {
        return Err(Error::unsupported(format!("this function of {ty:?} and these integers")));
    }
    Ok(x.into_iter()
        .zip(n)
        .map(|(x, n)| {
            if ty == Ty::F64 {
                return precise(lower, x, n);
            }
            let (x, n) = (narrow(lower, x, Ty::F64, Mode::RTE), lower.op(Op::SToF, Ty::F64, &[n]));
            let out = f(lower, x, n);
            narrow(lower, out, ty, Mode::RTE)
        })
        .collect())
}

/// pown: `x^n` of an integer n.
pub fn pown<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let precise = |b: &mut Lower<'_>, x, n| {
        let n = b.op(Op::SToF, Ty::F64, &[n]);
        b.op(Op::Pow, Ty::F64, &[x, n])
    };
    with_int(lower, operands, precise, power)
}

/// rootn: the n-th root; of negative numbers only if n is odd.
pub fn rootn<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let precise = |b: &mut Lower<'_>, x, n| b.op(Op::Rootn, Ty::F64, &[x, n]);
    with_int(lower, operands, precise, |b, x, n| {
        let (zero, nan) = (b.d(0.0), b.d(f64::NAN));
        let size = b.magnitude(x);
        let log = b.log64(size);
        let part = b.div(log, n);
        let root = b.exp64(part);
        let odd = is_odd(b, n);
        let signed = with_sign(b, root, x);
        let out = b.select(odd, signed, root);
        let even = b.op(Op::Not, Ty::Bool, &[odd]);
        let negative = b.below(x, zero);
        let invalid = b.op(Op::And, Ty::Bool, &[negative, even]);
        let no_root = b.op(Op::FOrdEq, Ty::Bool, &[n, zero]);
        let invalid = b.op(Op::Or, Ty::Bool, &[invalid, no_root]);
        b.select(invalid, nan, out)
    })
}

/// sincos: the sine; stores the cosine.
pub fn sincos<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let place = target(lower, operands, 1)?;
    let sines = sin(lower, inst, &operands[..1])?;
    let cosines = cos(lower, inst, &operands[..1])?;
    store_second(lower, &place, &cosines)?;
    Ok(sines)
}
