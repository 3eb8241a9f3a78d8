//! The functions of OpenCL.std: exact values, and the precision that OpenCL requires, which is what we promise.
//!
//! Spec: OpenCL C, "Relative Error as ULPs", single and double precision, whose bounds are the same for these functions.

use super::big::{self, Big};
use super::functions::{Function, Promise, function};
use super::range::{Format, Range};

/// Measured widths. Results of f16 are the nearest values.
const ALL: &[u32] = &[16, 32, 64];
/// OpenCL states no bound for f64.
const NARROW: &[u32] = &[16, 32];

/// OpenCL's table is the promise. Only NaN is not permitted where the exact value is a number.
fn permits(_: &[f64], _: Format) -> Range {
    Range { low: f64::NEG_INFINITY, high: f64::INFINITY, any: false }
}

/// A row: name, number of operands, bound in units in the last place.
const fn row(
    name: &'static str,
    arity: usize,
    bound: f64,
    exact: fn(&[f64]) -> f64,
    big: fn(&[f64]) -> (f64, f64),
) -> Function {
    Function { big, signed_zero: false, ..function(name, arity, ALL, exact, permits, Promise::Ulp(bound)) }
}

/// A function of one operand by one of [`Big`].
macro_rules! one {
    ($f:expr) => {
        |a| big::of(a, |b| $f(&b[0]))
    };
}

/// A function of two operands by one of [`Big`].
macro_rules! two {
    ($f:expr) => {
        |a| big::of(a, |b| $f(&b[0], &b[1]))
    };
}

/// Exact multiple of pi, for which the functions of half turns are exact.
fn half_turns(x: f64) -> f64 {
    x % 2.0
}

fn sinpi(x: f64) -> f64 {
    let (x, pi) = (half_turns(x), std::f64::consts::PI);
    match x {
        _ if x == x.trunc() => 0.0,
        _ if x.abs() < 0.25 => (pi * x).sin(),
        // Near the zeros of the sine.
        _ if x.abs() > 0.75 && x.abs() < 1.25 => (pi * (x.signum() - x)).sin(),
        _ if x.abs() > 1.75 => (pi * (x - 2.0 * x.signum())).sin(),
        _ => {
            (pi * (x.abs() - if x.abs() < 1.0 { 0.5 } else { 1.5 })).cos()
                * if x.abs() < 1.0 { x.signum() } else { -x.signum() }
        }
    }
}

fn cospi(x: f64) -> f64 {
    let x = half_turns(x).abs();
    let near = if x < 1.0 { x } else { 2.0 - x };
    sinpi(0.5 - near)
}

fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

fn powr(x: f64, y: f64) -> f64 {
    let undefined = x < 0.0 || x.is_nan() || y.is_nan() || x == 1.0 && y.is_infinite();
    let undefined = undefined || y == 0.0 && (x == 0.0 || x.is_infinite());
    if undefined { f64::NAN } else { libm::pow(x.abs(), y) }
}

/// The second operand of `pown` and `rootn`, as the module converts it.
fn integer(y: f64) -> i32 {
    y as i32
}

fn rootn(x: f64, n: i32) -> f64 {
    let odd = n & 1 != 0;
    if n == 0 || x < 0.0 && !odd {
        return f64::NAN;
    }
    let root = match n {
        // Only these roots may be as small as denormal numbers, where this value is the reference for f64, too.
        1 => x.abs(),
        -1 => 1.0 / x.abs(),
        _ => (x.abs().ln() / f64::from(n)).exp(),
    };
    if odd { root.copysign(x) } else { root }
}

fn big_power(a: &[f64]) -> (f64, f64) {
    let odd = a[1] == a[1].trunc() && (a[1] / 2.0) != (a[1] / 2.0).trunc();
    let (high, low) = big::of(&[a[0].abs(), a[1]], |b| b[0].powf(&b[1]));
    if a[0] < 0.0 && odd { (-high, -low) } else { (high, low) }
}

fn big_root(a: &[f64]) -> (f64, f64) {
    let n = integer(a[1]);
    let (high, low) = big::of(&[a[0].abs(), f64::from(n)], |b| b[0].powf(&(big::new(1.0) / b[1].clone())));
    if a[0] < 0.0 { (-high, -low) } else { (high, low) }
}

/// `f(pi x)` after an exact reduction.
fn of_half_turns(a: &[f64], f: impl Fn(&Big) -> Big) -> (f64, f64) {
    big::of(&[half_turns(a[0])], |b| f(&(big::pi() * b[0].clone())))
}

fn over_pi(x: Big) -> Big {
    x / big::pi()
}

/// All functions.
#[rustfmt::skip]
pub(super) fn all() -> Vec<Function> {
    let mut list = vec![
        row("OpenCL acos", 1, 4.0, |a| a[0].acos(), one!(Big::acos)),
        row("OpenCL acosh", 1, 4.0, |a| if a[0] < 1.0 { f64::NAN } else { libm::acosh(a[0]) }, one!(Big::acosh)),
        row("OpenCL acospi", 1, 5.0, |a| a[0].acos() / std::f64::consts::PI, one!(|x: &Big| over_pi(x.acos()))),
        row("OpenCL asin", 1, 4.0, |a| a[0].asin(), one!(Big::asin)),
        row("OpenCL asinh", 1, 4.0, |a| libm::asinh(a[0]), one!(Big::asinh)),
        row("OpenCL asinpi", 1, 5.0, |a| a[0].asin() / std::f64::consts::PI, one!(|x: &Big| over_pi(x.asin()))),
        row("OpenCL atan", 1, 5.0, |a| a[0].atan(), one!(Big::atan)),
        row("OpenCL atanh", 1, 5.0, |a| libm::atanh(a[0]), one!(Big::atanh)),
        row("OpenCL atanpi", 1, 5.0, |a| a[0].atan() / std::f64::consts::PI, one!(|x: &Big| over_pi(x.atan()))),
        row("OpenCL atan2", 2, 6.0, |a| a[0].atan2(a[1]), two!(Big::atan2)),
        row("OpenCL atan2pi", 2, 6.0, |a| a[0].atan2(a[1]) / std::f64::consts::PI, two!(|y: &Big, x: &Big| over_pi(y.atan2(x)))),
        row("OpenCL cbrt", 1, 2.0, |a| a[0].cbrt(), one!(|x: &Big| x.nth_root(3))),
        row("OpenCL cos", 1, 4.0, |a| a[0].cos(), one!(Big::cos)),
        row("OpenCL cosh", 1, 4.0, |a| a[0].cosh(), one!(Big::cosh)),
        row("OpenCL cospi", 1, 4.0, |a| cospi(a[0]), |a| of_half_turns(a, Big::cos)),
        row("OpenCL erf", 1, 16.0, |a| libm::erf(a[0]), |a| big::erf(a[0])),
        row("OpenCL erfc", 1, 16.0, |a| libm::erfc(a[0]), |a| big::erfc(a[0])),
        row("OpenCL exp", 1, 3.0, |a| a[0].exp(), one!(Big::exp)),
        row("OpenCL exp2", 1, 3.0, |a| a[0].exp2(), one!(|x: &Big| big::new(2.0).powf(x))),
        row("OpenCL exp10", 1, 3.0, |a| libm::exp10(a[0]), one!(|x: &Big| big::new(10.0).powf(x))),
        row("OpenCL expm1", 1, 3.0, |a| a[0].exp_m1(), one!(Big::exp_m1)),
        row("OpenCL hypot", 2, 4.0, |a| libm::hypot(a[0], a[1]), two!(Big::hypot)),
        row("OpenCL log", 1, 3.0, |a| a[0].ln(), one!(Big::ln)),
        row("OpenCL log2", 1, 3.0, |a| a[0].log2(), one!(Big::log2)),
        row("OpenCL log10", 1, 3.0, |a| a[0].log10(), one!(Big::log10)),
        row("OpenCL log1p", 1, 2.0, |a| a[0].ln_1p(), one!(Big::ln_1p)),
        row("OpenCL pow", 2, 16.0, |a| pow(a[0], a[1]), big_power),
        row("OpenCL pown", 2, 16.0, |a| pow(a[0], f64::from(integer(a[1]))),
            |a| big_power(&[a[0], f64::from(integer(a[1]))])),
        row("OpenCL powr", 2, 16.0, |a| powr(a[0], a[1]), big_power),
        row("OpenCL rootn", 2, 16.0, |a| rootn(a[0], integer(a[1])), big_root),
        row("OpenCL rsqrt", 1, 2.0, |a| 1.0 / a[0].sqrt(), one!(|x: &Big| big::new(1.0) / x.sqrt())),
        row("OpenCL sin", 1, 4.0, |a| a[0].sin(), one!(Big::sin)),
        row("OpenCL sinh", 1, 4.0, |a| a[0].sinh(), one!(Big::sinh)),
        row("OpenCL sinpi", 1, 4.0, |a| sinpi(a[0]), |a| of_half_turns(a, Big::sin)),
        row("OpenCL tan", 1, 5.0, |a| a[0].tan(), one!(Big::tan)),
        row("OpenCL tanh", 1, 5.0, |a| a[0].tanh(), one!(Big::tanh)),
        row("OpenCL tanpi", 1, 6.0, |a| sinpi(a[0]) / cospi(a[0]), |a| of_half_turns(a, Big::tan)),
        row("OpenCL tgamma", 1, 16.0, |a| libm::tgamma(a[0]), |a| big::gamma(a[0])),
        Function { widths: NARROW, ..row("OpenCL sqrt", 1, 3.0, |a| a[0].sqrt(), one!(Big::sqrt)) },
    ];
    for f in &mut list {
        // The sign of infinities at poles is that of a zero, which OpenCL leaves open for some.
        if f.name == "OpenCL tanpi" {
            f.domain = |a| a[0].abs() < 1e15;
        }
    }
    list
}
