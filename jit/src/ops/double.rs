//! Functions of f64 within the bounds of OpenCL, one routine of the host per function, which is called lane by lane.
//!
//! The routines are those of `libm`, which is written in Rust, so that every host has the same bits. f16 and f32 are
//! computed in f64 and rounded. Functions that GLSL.std.450 has for f32 as well have rows in `math`, which calls these
//! routines for f64.
//!
//! Spec: OpenCL C, "Relative Error as ULPs", double precision.

use super::convert::lower_fconvert;
use super::value::{Args, from_f64};
use crate::ir::Ty;
use crate::lane::{Lane, LaneBuilder};

/// A routine of one operand.
pub(super) type Unary = extern "C" fn(f64) -> f64;
/// A routine of two operands.
pub(super) type Binary = extern "C" fn(f64, f64) -> f64;

/// NaN has one encoding, whatever the host makes of it.
fn settled(x: f64) -> f64 {
    if x.is_nan() { f64::NAN } else { x }
}

macro_rules! routines {
    ($($name:ident($($x:ident)*) = $body:expr;)*) => {
        $(pub(super) extern "C" fn $name($($x: f64),*) -> f64 { settled($body) })*
    };
}

routines! {
    sin(x) = libm::sin(x);
    cos(x) = libm::cos(x);
    tan(x) = libm::tan(x);
    asin(x) = libm::asin(x);
    acos(x) = libm::acos(x);
    atan(x) = libm::atan(x);
    sinh(x) = libm::sinh(x);
    cosh(x) = libm::cosh(x);
    tanh(x) = libm::tanh(x);
    asinh(x) = libm::asinh(x);
    acosh(x) = if x < 1.0 { f64::NAN } else { libm::acosh(x) };
    atanh(x) = libm::atanh(x);
    exp(x) = libm::exp(x);
    exp2(x) = libm::exp2(x);
    exp10(x) = libm::exp10(x);
    expm1(x) = libm::expm1(x);
    log(x) = libm::log(x);
    log2(x) = libm::log2(x);
    log10(x) = libm::log10(x);
    log1p(x) = libm::log1p(x);
    cbrt(x) = libm::cbrt(x);
    erf(x) = libm::erf(x);
    erfc(x) = libm::erfc(x);
    tgamma(x) = gamma(x);
    lgamma(x) = libm::lgamma(x);
    sinpi(x) = half_turns(x, 0);
    cospi(x) = half_turns(x, 1);
    atan2(y x) = libm::atan2(y, x);
    pow(x y) = libm::pow(x, y);
    hypot(x y) = libm::hypot(x, y);
}

/// Gamma function: infinite at 0 with the sign of 0, NaN at negative integers.
fn gamma(x: f64) -> f64 {
    if x == 0.0 { 1.0 / x } else { libm::tgamma(x) }
}

/// Sine of `pi x` plus some quarter turns. The reduction is exact. A sine of 0 has the sign of x, a cosine of 0 is +0.
fn half_turns(x: f64, quarters: i32) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    // Two half turns are a whole one; the remainder of the division by 2 is exact.
    let x = libm::fmod(x, 2.0);
    let nearest = libm::rint(2.0 * x);
    let rest = (x - 0.5 * nearest) * std::f64::consts::PI;
    let out = match (nearest as i32 + quarters) & 3 {
        0 => libm::sin(rest),
        1 => libm::cos(rest),
        2 => -libm::sin(rest),
        _ => -libm::cos(rest),
    };
    match out == 0.0 {
        true if quarters == 0 => 0f64.copysign(x),
        true => 0.0,
        false => out,
    }
}

/// The n-th root: of negative numbers only if n is odd. Spec: OpenCL C rootn.
pub(super) extern "C" fn rootn(x: f64, n: i32) -> f64 {
    let odd = n & 1 == 1;
    if n == 0 || x.is_nan() || (x < 0.0 && !odd) {
        return f64::NAN;
    }
    let sign = if odd { x } else { 1.0 };
    if x == 0.0 || x.is_infinite() {
        let grows = (x == 0.0) == (n < 0);
        return if grows { f64::INFINITY } else { 0.0 }.copysign(sign);
    }
    // x = m 2^(n q + r): the logarithm of m 2^r over n is between -1 and 1, so that its error is absolute, not
    // relative.
    let (m, e) = libm::frexp(x.abs());
    let (e, n) = (i64::from(e), i64::from(n));
    let (q, r) = (e.div_euclid(n), e.rem_euclid(n));
    let part = (libm::log2(m) + r as f64) / n as f64;
    libm::ldexp(libm::exp2(part), q as i32).copysign(sign)
}

/// Result of a routine, rounded to the type.
fn eval(a: &Args, x: f64) -> u64 {
    from_f64(a.result, x)
}

/// Calls a routine for each lane. Integers are passed as they are.
pub(super) fn lower(b: &mut LaneBuilder, ty: Ty, a: &[Lane], routine: usize) -> Lane {
    let wide: Vec<Lane> =
        a.iter().map(|&x| if b.ty(x).is_float() { lower_fconvert(b, Ty::F64, &[x]) } else { x }).collect();
    let out = b.call_lanes(routine, &wide, Ty::F64);
    lower_fconvert(b, ty, &[out])
}

macro_rules! rows {
    ($($eval:ident $lower:ident $routine:ident $ty:ident $n:tt),* $(,)?) => {
        $(pub(crate) fn $eval(a: &Args) -> u64 {
            eval(a, rows!(@call $routine a $n))
        }
        pub(crate) fn $lower(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
            lower(b, ty, a, $routine as $ty as usize)
        })*
    };
    (@call $routine:ident $a:ident 1) => { $routine($a.f(0)) };
    (@call $routine:ident $a:ident 2) => { $routine($a.f(0), $a.f(1)) };
}

rows! {
    eval_sinpi lower_sinpi sinpi Unary 1,
    eval_cospi lower_cospi cospi Unary 1,
    eval_exp10 lower_exp10 exp10 Unary 1,
    eval_expm1 lower_expm1 expm1 Unary 1,
    eval_log10 lower_log10 log10 Unary 1,
    eval_log1p lower_log1p log1p Unary 1,
    eval_cbrt lower_cbrt cbrt Unary 1,
    eval_erf lower_erf erf Unary 1,
    eval_erfc lower_erfc erfc Unary 1,
    eval_tgamma lower_tgamma tgamma Unary 1,
    eval_lgamma lower_lgamma lgamma Unary 1,
    eval_hypot lower_hypot hypot Binary 2,
}

pub(crate) fn eval_rootn(a: &Args) -> u64 {
    eval(a, rootn(a.f(0), a.s(1) as i32))
}
pub(crate) fn lower_rootn(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    lower(b, ty, a, rootn as extern "C" fn(f64, i32) -> f64 as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_cases() {
        assert_eq!(
            [sinpi(0.5), sinpi(1.5), sinpi(1e300), cospi(0.5), cospi(1.0), cospi(3.0)],
            [1.0, -1.0, 0.0, 0.0, -1.0, -1.0]
        );
        let signs = [sinpi(1.0), sinpi(-2.0), cospi(0.5), cospi(-1.5)].map(f64::is_sign_negative);
        assert_eq!(signs, [false, true, false, false]);
        assert!(acosh(0.5).is_nan() && acosh(-1e5).is_nan());
        assert!(sinpi(f64::INFINITY).is_nan() && cospi(f64::NAN).is_nan());
        assert_eq!(
            [rootn(27.0, 3), rootn(-8.0, 3), rootn(16.0, 4), rootn(5e-324, 1)],
            [3.0, -2.0, 2.0, 5e-324]
        );
        assert_eq!(
            [rootn(0.0, -2), rootn(-0.0, -3), rootn(f64::INFINITY, -1), rootn(4.0, -2)],
            [f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.5]
        );
        assert!(rootn(-4.0, 2).is_nan() && rootn(1.0, 0).is_nan());
        assert!((rootn(2.0, i32::MIN) - 1.0).abs() < 1e-9 && rootn(1e300, i32::MAX) > 1.0);
        assert_eq!([tgamma(0.0), tgamma(-0.0), tgamma(5.0)], [f64::INFINITY, f64::NEG_INFINITY, 24.0]);
        assert!(tgamma(-3.0).is_nan());
    }
}
