//! The measured functions: exact values, the precision that Vulkan requires, and the precision that we promise.

use super::big;
use super::range::{ANY, F16, F64, Format, Range, power};
use crate::value::Scalar;

/// A function of one to three scalars.
pub struct Function {
    /// `OpX`, `OpenCL x` of OpenCL.std, or the name of an instruction of GLSL.std.450.
    pub name: &'static str,
    /// Type of the operands; `None`: the type of the result.
    pub from: Option<Scalar>,
    /// Number of operands.
    pub arity: usize,
    /// Widths of the result in bits.
    pub widths: &'static [u32],
    /// Exact value, computed in f64.
    pub exact: fn(&[f64]) -> f64,
    /// Exact value for measurements of f64.
    pub big: fn(&[f64]) -> (f64, f64),
    /// Range that Vulkan permits.
    pub permits: fn(&[f64], Format) -> Range,
    /// Precision that we promise.
    pub promise: Promise,
    /// True if zeros must have the sign of the exact function.
    pub signed_zero: bool,
    /// False for operands to which the promise does not apply.
    pub domain: fn(&[f64]) -> bool,
}

/// Promised precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promise {
    /// The nearest value, ties to even.
    Rounded,
    /// Units in the last place; of f16, which is rounded from f32, at most 0.51.
    Ulp(f64),
    /// Units in the last place of each width.
    EachUlp(f64),
    /// Absolute error; for f16, plus half a unit in the last place for the rounding.
    Absolute(f64),
    /// The precision that Vulkan requires.
    Vulkan,
}

use Promise::{Absolute, EachUlp, Rounded, Ulp, Vulkan};

const ALL: &[u32] = &[16, 32, 64];
const NARROW: &[u32] = &[16, 32];

fn anywhere(_: &[f64]) -> bool {
    true
}
fn no_big(_: &[f64]) -> (f64, f64) {
    (f64::NAN, 0.0)
}
fn at(x: f64) -> Range {
    Range::at(x)
}

/// Makes a row.
pub(super) const fn function(
    name: &'static str,
    arity: usize,
    widths: &'static [u32],
    exact: fn(&[f64]) -> f64,
    permits: fn(&[f64], Format) -> Range,
    promise: Promise,
) -> Function {
    Function {
        name,
        from: None,
        arity,
        widths,
        exact,
        big: no_big,
        permits,
        promise,
        signed_zero: true,
        domain: anywhere,
    }
}

const fn big(f: Function, big: fn(&[f64]) -> (f64, f64)) -> Function {
    Function { big, ..f }
}

/// Correctly rounded in either direction.
macro_rules! rounded {
    ($exact:expr) => {
        |a, f| Range::at($exact(a)).rounded(f)
    };
}

/// Range of `x - y * whole(x / y)`.
fn remainder(a: &[f64], f: Format, floor: bool) -> Range {
    if f == F64 {
        return ANY;
    }
    let (x, y) = (at(a[0]), at(a[1]));
    let q = x.over(y, f).whole(floor);
    // Rounding of the quotient may take it past an integer, so the range includes all remainders in between.
    x.minus(y.times(q, f), f)
}

fn inherited_hyperbolic(a: &[f64], f: Format, cosine: bool) -> Range {
    let (up, down) = (at(a[0]).exp(f, false), at(-a[0]).exp(f, false));
    let sum = if cosine { up.plus(down, f) } else { up.minus(down, f) };
    sum.times(at(0.5), f)
}

fn smooth(a: &[f64]) -> f64 {
    let t = ((a[2] - a[0]) / (a[1] - a[0])).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// All measured functions of the core and of GLSL.std.450.
#[rustfmt::skip]
pub fn all() -> Vec<Function> {
    let mut list = vec![
        big(function("OpFAdd", 2, ALL, |a| a[0] + a[1], rounded!(|a: &[f64]| a[0] + a[1]), Rounded),
            |a| big::of(a, |b| b[0].clone() + b[1].clone())),
        big(function("OpFSub", 2, ALL, |a| a[0] - a[1], rounded!(|a: &[f64]| a[0] - a[1]), Rounded),
            |a| big::of(a, |b| b[0].clone() - b[1].clone())),
        big(function("OpFMul", 2, ALL, |a| a[0] * a[1], rounded!(|a: &[f64]| a[0] * a[1]), Rounded),
            |a| big::of(a, |b| b[0].clone() * b[1].clone())),
        big(function("OpFDiv", 2, ALL, |a| a[0] / a[1], |a, f| at(a[0]).over(at(a[1]), f), Rounded),
            |a| big::of(a, |b| if b[1] == big::new(0.0) { big::new(0.0) } else { b[0].clone() / b[1].clone() })),
        function("OpFRem", 2, NARROW, |a| a[0] - a[1] * (a[0] / a[1]).trunc(), |a, f| remainder(a, f, false), Vulkan),
        function("OpFMod", 2, NARROW, |a| a[0] - a[1] * (a[0] / a[1]).floor(), |a, f| remainder(a, f, true), Vulkan),
        big(function("Fma", 3, ALL, |a| a[0].mul_add(a[1], a[2]), |a, f| at(a[0]).times(at(a[1]), f).plus(at(a[2]), f)
                .around(a[0].mul_add(a[1], a[2])), Ulp(0.5001)),
            |a| big::of(a, |b| b[0].clone() * b[1].clone() + b[2].clone())),
        big(function("Sqrt", 1, ALL, |a| a[0].sqrt(), |a, f| at(a[0]).sqrt(f).around(a[0].sqrt()), Rounded),
            |a| big::of(a, |b| b[0].sqrt())),
        big(function("InverseSqrt", 1, ALL, |a| 1.0 / a[0].sqrt(), |a, f| at(a[0]).inverse_sqrt(f), Ulp(1.5)),
            |a| big::of(a, |b| big::new(1.0) / b[0].sqrt())),
        function("Round", 1, NARROW, |a| a[0].round_ties_even(), rounded!(|a: &[f64]| a[0].round_ties_even()), Rounded),
        function("RoundEven", 1, NARROW, |a| a[0].round_ties_even(), rounded!(|a: &[f64]| a[0].round_ties_even()), Rounded),
        function("Trunc", 1, NARROW, |a| a[0].trunc(), rounded!(|a: &[f64]| a[0].trunc()), Rounded),
        function("Floor", 1, NARROW, |a| a[0].floor(), rounded!(|a: &[f64]| a[0].floor()), Rounded),
        function("Ceil", 1, NARROW, |a| a[0].ceil(), rounded!(|a: &[f64]| a[0].ceil()), Rounded),
        function("Fract", 1, NARROW, |a| a[0] - a[0].floor(), rounded!(|a: &[f64]| a[0] - a[0].floor()), Rounded),
        function("Radians", 1, NARROW, f64_radians, |a, f| {
            let k = nearest(std::f64::consts::PI / 180.0, f);
            at(a[0]).times(at(k), f).around(f64_radians(a)) }, EachUlp(1.1)),
        function("Degrees", 1, NARROW, f64_degrees, |a, f| {
            let k = nearest(180.0 / std::f64::consts::PI, f);
            at(a[0]).times(at(k), f).around(f64_degrees(a)) }, EachUlp(1.1)),
        function("Exp", 1, NARROW, |a| a[0].exp(), |a, f| at(a[0]).exp(f, false), Ulp(1.6)),
        function("Exp2", 1, NARROW, |a| a[0].exp2(), |a, f| at(a[0]).exp(f, true), Ulp(2.0)),
        function("Log", 1, NARROW, |a| a[0].ln(), |a, f| at(a[0]).log(f, false), Ulp(3.0)),
        function("Log2", 1, NARROW, |a| a[0].log2(), |a, f| at(a[0]).log(f, true), Ulp(3.0)),
        function("Pow", 2, NARROW, |a| a[0].powf(a[1]), |a, f| {
            if a[0] < 0.0 || a[0] == 0.0 && a[1] <= 0.0 { return ANY; }
            at(a[1]).times(at(a[0]).log(f, true), f).exp(f, true).around(a[0].powf(a[1])) }, Vulkan),
        function("Sin", 1, NARROW, |a| a[0].sin(), |a, f| at(a[0]).sine(f, false), Absolute(2.5e-7)),
        function("Cos", 1, NARROW, |a| a[0].cos(), |a, f| at(a[0]).sine(f, true), Absolute(2.5e-7)),
        function("Tan", 1, NARROW, |a| a[0].tan(), |a, f| {
            at(a[0]).sine(f, false).over(at(a[0]).sine(f, true), f).around(a[0].tan()) }, Vulkan),
        function("Asin", 1, NARROW, |a| a[0].asin(), |a, f| {
            if a[0].abs() > 1.0 { return ANY; }
            let root = at(1.0).minus(at(a[0]).times(at(a[0]), f), f).sqrt(f);
            at(a[0]).atan2(root, f).around(a[0].asin()) }, Ulp(4.0)),
        function("Acos", 1, NARROW, |a| a[0].acos(), |a, f| {
            if a[0].abs() > 1.0 { return ANY; }
            let root = at(1.0).minus(at(a[0]).times(at(a[0]), f), f).sqrt(f);
            root.atan2(at(a[0]), f).around(a[0].acos()) }, Ulp(4.0)),
        function("Atan", 1, NARROW, |a| a[0].atan(), |a, f| at(a[0]).atan2(at(1.0), f), Ulp(4.0)),
        function("Atan2", 2, NARROW, |a| a[0].atan2(a[1]), |a, f| at(a[0]).atan2(at(a[1]), f), Ulp(4.0)),
        function("Sinh", 1, NARROW, |a| a[0].sinh(), |a, f| {
            inherited_hyperbolic(a, f, false).around(a[0].sinh()) }, Ulp(5.0)),
        function("Cosh", 1, NARROW, |a| a[0].cosh(), |a, f| {
            inherited_hyperbolic(a, f, true).around(a[0].cosh()) }, Ulp(5.0)),
        function("Tanh", 1, NARROW, |a| a[0].tanh(), |a, f| {
            inherited_hyperbolic(a, f, false).over(inherited_hyperbolic(a, f, true), f).around(a[0].tanh()) }, Ulp(5.0)),
        function("Asinh", 1, NARROW, |a| a[0].asinh(), |a, f| {
            let root = at(a[0]).times(at(a[0]), f).plus(at(1.0), f).sqrt(f);
            at(a[0]).plus(root, f).log(f, false).around(a[0].asinh()) }, Ulp(5.0)),
        function("Acosh", 1, NARROW, |a| a[0].acosh(), |a, f| {
            if a[0] < 1.0 { return ANY; }
            let root = at(a[0]).times(at(a[0]), f).minus(at(1.0), f).sqrt(f);
            at(a[0]).plus(root, f).log(f, false).around(a[0].acosh()) }, Ulp(5.0)),
        function("Atanh", 1, NARROW, |a| a[0].atanh(), |a, f| {
            if a[0].abs() >= 1.0 { return ANY; }
            let q = at(1.0).plus(at(a[0]), f).over(at(1.0).minus(at(a[0]), f), f);
            q.log(f, false).times(at(0.5), f).around(a[0].atanh()) }, Ulp(5.0)),
        big(function("FMix", 3, ALL, |a| a[0] * (1.0 - a[2]) + a[1] * a[2], |a, f| {
            let rest = at(1.0).minus(at(a[2]), f);
            at(a[0]).times(rest, f).plus(at(a[1]).times(at(a[2]), f), f)
                .around(a[0] * (1.0 - a[2]) + a[1] * a[2]) }, Vulkan),
            |a| big::of(a, |b| b[0].clone() * (big::new(1.0) - b[2].clone()) + b[1].clone() * b[2].clone())),
        function("SmoothStep", 3, NARROW, smooth, |a, f| {
            if a[0] >= a[1] || a.iter().any(|x| !x.is_finite()) { return ANY; }
            let (low, range) = (at(a[2]).minus(at(a[0]), f), at(a[1]).minus(at(a[0]), f));
            let t = low.over(range, f).clamp(0.0, 1.0);
            t.times(t, f).times(at(3.0).minus(at(2.0).times(t, f), f), f).around(smooth(a)) }, Vulkan),
    ];
    for f in &mut list {
        // Vulkan lets implementations ignore the sign of zeros for these functions.
        f.signed_zero = f.promise != Vulkan && f.name != "Sin";
        match f.name {
            // For larger operands, the range reduction dominates the error; results stay between -1 and 1.
            "Sin" | "Cos" => f.domain = |a| a[0].abs() <= 65536.0,
            // Near its poles and zeros, the range reduction dominates the error.
            "Tan" => f.domain = |a| a[0].abs() <= 100.0 && (a[0].sin() * a[0].cos()).abs() > 1e-3,
            // For larger operands, `e^x` overflows.
            "Sinh" | "Cosh" => f.domain = |a| a[0].abs() <= 88.72,
            // For larger quotients, the quotient is not exact to a unit, and the remainder is arbitrary.
            "OpFRem" | "OpFMod" => f.domain = |a| (a[0] / a[1]).abs() <= 512.0 && a[1].abs() > 1e-4,
            "FMix" => f.domain = |a| (0.0..=1.0).contains(&a[2]) && a[0] * a[1] >= 0.0,
            "SmoothStep" => f.domain = |a| a[0] < a[1],
            "Pow" => f.domain = |a| a[0] > 0.0,
            _ => {}
        }
    }
    // Conversions must be correctly rounded.
    for (name, from, widths) in [
        ("OpFConvert", Scalar::Float(64), NARROW),
        ("OpFConvert", Scalar::Float(32), &[16, 64][..]),
        ("OpFConvert", Scalar::Float(16), &[32, 64][..]),
        ("OpConvertSToF", Scalar::Int(16, true), ALL),
        ("OpConvertSToF", Scalar::Int(32, true), ALL),
        ("OpConvertUToF", Scalar::Int(32, false), ALL),
        ("OpConvertSToF", Scalar::Int(64, true), ALL),
        ("OpConvertUToF", Scalar::Int(64, false), ALL),
    ] {
        let f = function(name, 1, widths, |a| a[0], rounded!(|a: &[f64]| a[0]), Rounded);
        list.push(Function { from: Some(from), big: |a| (a[0], a.get(1).copied().unwrap_or(0.0)), ..f });
    }
    list
}

fn f64_radians(a: &[f64]) -> f64 {
    a[0] * (std::f64::consts::PI / 180.0)
}
fn f64_degrees(a: &[f64]) -> f64 {
    a[0] * (180.0 / std::f64::consts::PI)
}

/// Rounds to the nearest value of a narrower format.
fn nearest(x: f64, f: Format) -> f64 {
    match f {
        F16 => {
            let unit = power((x.abs().to_bits() >> 52) as i32 - 1023 - 10);
            (x / unit).round_ties_even() * unit
        }
        F64 => x,
        _ => f64::from(x as f32),
    }
}
