//! Error and gamma functions of OpenCL.std: those of f16 and f32 computed in 64 bits, those of f64 operations of the IR.
//!
//! Spec: OpenCL Extended Instruction Set, "Math instructions".

use std::f64::consts as k;

use spirv::FPRoundingMode as Mode;

use super::super::convert::narrow;
use super::super::{Lower, Scalars};
use super::math::{by_double, is_odd, near_zero, row, with_sign};
use super::{each, store_second, target};
use crate::error::Result;
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;

macro_rules! in_64_bits {
    ($($(#[$doc:meta])* $name:ident $op:ident = |$b:ident, $x:ident| $body:expr;)*) => {
        $($(#[$doc])*
        pub fn $name<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
            by_double(lower, operands, row(Op::$op), |$b: &mut Lower<'_>, [$x]| $body)
        })*
    };
}

in_64_bits! {
    /// erf.
    erf Erf = |b, x| {
        let size = b.magnitude(x);
        let (one, z) = (b.d(1.0), b.mul(x, x));
        let rest = erfc_of(b, size);
        let out = b.sub(one, rest);
        let out = with_sign(b, out, x);
        // 2 / sqrt(pi) * (x - x^3/3 + x^5/10 - ...), whose terms alternate with 1 / (n! (2n + 1)).
        let mut coefficients = [0.0; 14];
        let mut factorial = 1.0;
        for n in 0..14 {
            if n > 0 {
                factorial *= -(n as f64);
            }
            coefficients[13 - n] = k::FRAC_2_SQRT_PI / (factorial * (2 * n + 1) as f64);
        }
        let sum = b.polynomial(z, &coefficients);
        let small = b.mul(sum, x);
        near_zero(b, x, 0.8, small, out)
    };
    /// erfc: `1 - erf(x)`.
    erfc Erfc = |b, x| {
        let size = b.magnitude(x);
        let (zero, two) = (b.d(0.0), b.d(2.0));
        let rest = erfc_of(b, size);
        let other = b.sub(two, rest);
        let negative = b.below(x, zero);
        b.select(negative, other, rest)
    };
    /// tgamma.
    tgamma Tgamma = |b, x| {
        let (half, one) = (b.d(0.5), b.d(1.0));
        let left = b.below(x, half);
        let mirrored = b.sub(one, x);
        let at = b.select(left, mirrored, x);
        let log = log_gamma_right(b, at);
        let gamma = b.exp64(log);
        // Reflection: gamma(x) gamma(1 - x) = pi / sin(pi x). Negative integers give NaN, zeros infinities.
        let (sine, _) = b.sincospi64(x);
        let below = b.mul(sine, gamma);
        let pi = b.d(k::PI);
        let reflected = b.div(pi, below);
        let out = b.select(left, reflected, gamma);
        let (whole, zero, nan) = (b.op(Op::FFloor, Ty::F64, &[x]), b.d(0.0), b.d(f64::NAN));
        let is_whole = b.op(Op::FOrdEq, Ty::Bool, &[x, whole]);
        let negative = b.below(x, zero);
        let pole = b.op(Op::And, Ty::Bool, &[is_whole, negative]);
        let is_zero = b.op(Op::FOrdEq, Ty::Bool, &[x, zero]);
        let infinity = b.div(one, x);
        let out = b.select(is_zero, infinity, out);
        b.select(pole, nan, out)
    };
    /// lgamma: logarithm of the magnitude of the gamma function.
    lgamma Lgamma = |b, x| log_gamma(b, x);
}

/// Chebyshev coefficients of `erfc(x) e^(x^2)` over `2 / (2 + x)` for x from 0 to 10.5, where f32 ends. They interpolate
/// the function, computed with 140 digits, at 40 nodes.
const ERFC: [f64; 16] = [
    0.428_621_068_605_358_04,
    0.462_503_322_087_483_96,
    0.098_243_745_127_536_49,
    0.010_911_889_488_404_443,
    -0.000_119_392_707_292_372_71,
    -0.000_164_491_929_255_791_76,
    6.889_375_264_366_013e-7,
    3.405_224_021_686_458_6e-6,
    -1.709_664_817_149_586_7e-7,
    -7.583_539_980_102_369e-8,
    1.134_983_411_773_158_2e-8,
    1.064_095_119_193_883_4e-9,
    -4.855_866_078_236_624e-10,
    3.034_304_487_667_034_5e-11,
    1.234_236_124_084_753_2e-11,
    -3.082_077_114_429_866e-12,
];

/// erfc of a number that is not negative.
fn erfc_of(b: &mut Lower<'_>, x: Value) -> Value {
    let (two, most) = (b.d(2.0), b.d(10.5));
    let bounded = b.op(Op::FMin, Ty::F64, &[x, most]);
    let below = b.add(bounded, two);
    let t = b.div(two, below);
    // From 2/12.5..1 to -1..1.
    let least = 2.0 / 12.5;
    let (scale, shift) = (b.d(2.0 / (1.0 - least)), b.d(-(1.0 + least) / (1.0 - least)));
    let u = b.fused(t, scale, shift);
    let double = b.add(u, u);
    let (mut next, mut after) = (b.d(0.0), b.d(0.0));
    for &c in ERFC[1..].iter().rev() {
        let c = b.d(c);
        let sum = b.fused(double, next, c);
        let sum = b.sub(sum, after);
        (after, next) = (next, sum);
    }
    let first = b.d(ERFC[0]);
    let sum = b.fused(u, next, first);
    let sum = b.sub(sum, after);
    let square = b.mul(x, x);
    let square = b.negate(square);
    let power = b.exp64(square);
    b.mul(power, sum)
}

/// Coefficients of Lanczos' approximation with g = 7. Method: C. Lanczos (1964); values: P. Godfrey (2001).
const LANCZOS: [f64; 9] = [
    0.999_999_999_999_809_9,
    676.520_368_121_885_1,
    -1_259.139_216_722_402_8,
    771.323_428_777_653_1,
    -176.615_029_162_140_6,
    12.507_343_278_686_905,
    -0.138_571_095_265_720_12,
    9.984_369_578_019_572e-6,
    1.505_632_735_149_311_6e-7,
];

/// Logarithm of the gamma function from 1/2 on.
fn log_gamma_right(b: &mut Lower<'_>, x: Value) -> Value {
    let mut sum = b.d(LANCZOS[0]);
    for (i, &c) in LANCZOS.iter().enumerate().skip(1) {
        let (c, step) = (b.d(c), b.d(i as f64 - 1.0));
        let below = b.add(x, step);
        let part = b.div(c, below);
        sum = b.add(sum, part);
    }
    let (far, half) = (b.d(6.5), b.d(-0.5));
    let (t, power) = (b.add(x, far), b.add(x, half));
    let log = b.log64(t);
    let sum_log = b.log64(sum);
    let minus = b.negate(t);
    let out = b.fused(power, log, minus);
    let out = b.add(out, sum_log);
    let root = b.d(0.918_938_533_204_672_8);
    let out = b.add(out, root);
    let infinity = b.d(f64::INFINITY);
    let infinite = b.op(Op::FOrdEq, Ty::Bool, &[x, infinity]);
    b.select(infinite, infinity, out)
}

/// Logarithm of the magnitude of the gamma function; infinite at 0 and at negative integers, 0 at 1 and 2.
fn log_gamma(b: &mut Lower<'_>, x: Value) -> Value {
    let (half, one) = (b.d(0.5), b.d(1.0));
    let left = b.below(x, half);
    let mirrored = b.sub(one, x);
    let at = b.select(left, mirrored, x);
    let log = log_gamma_right(b, at);
    let (sine, _) = b.sincospi64(x);
    let sine = b.magnitude(sine);
    let sine = b.log64(sine);
    let pi = b.d(1.144_729_885_849_400_2);
    let reflected = b.sub(pi, sine);
    let reflected = b.sub(reflected, log);
    let out = b.select(left, reflected, log);
    // The sum of logarithms is not exact. Spec: C, "The lgamma functions", which gives +0 exactly.
    let (zero, two) = (b.d(0.0), b.d(2.0));
    let ends = [one, two].map(|at| b.op(Op::FOrdEq, Ty::Bool, &[x, at]));
    let ends = b.op(Op::Or, Ty::Bool, &ends);
    let out = b.select(ends, zero, out);
    let (infinite, infinity) = (b.op(Op::IsInf, Ty::Bool, &[x]), b.d(f64::INFINITY));
    b.select(infinite, infinity, out)
}

/// lgamma_r: lgamma; stores the sign of the gamma function.
pub fn lgamma_r<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let place = target(lower, operands, 1)?;
    let out = lgamma(lower, inst, &operands[..1])?;
    let signs = each(lower, &operands[..1], |b, _, [x]| {
        let x = narrow(b, x, Ty::F64, Mode::RTE);
        let floor = b.op(Op::FFloor, Ty::F64, &[x]);
        let (zero, one, minus, none) = (b.d(0.0), b.i32(1), b.i32(u32::MAX), b.i32(0));
        let odd = is_odd(b, floor);
        let negative = b.below(x, zero);
        let flips = b.op(Op::And, Ty::Bool, &[odd, negative]);
        let sign = b.select(flips, minus, one);
        // The poles have no sign.
        let is_whole = b.op(Op::FOrdEq, Ty::Bool, &[x, floor]);
        let is_zero = b.op(Op::FOrdEq, Ty::Bool, &[x, zero]);
        let low = b.op(Op::Or, Ty::Bool, &[negative, is_zero]);
        let pole = b.op(Op::And, Ty::Bool, &[is_whole, low]);
        b.select(pole, none, sign)
    })?;
    store_second(lower, &place, &signs)?;
    Ok(out)
}
