//! Operands: special values, and others as densely as requested.

use super::Effort;
use super::range::{Format, power};
use crate::random::Random;
use crate::value::Scalar;

/// Bits of a number rounded to a format; infinity if it is too large.
fn bits_of(x: f64, bits: u32) -> u64 {
    match bits {
        64 => x.to_bits(),
        32 => u64::from((x as f32).to_bits()),
        _ => {
            let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
            let f = Format::of(16);
            if x.abs() > 2.0 * f.max() {
                return sign | 0x7c00;
            }
            let e = ((x.abs().to_bits() >> 52) as i32 - 1023).max(f.least);
            let units = (x.abs() / power(e - f.precision + 1)).round_ties_even() as u64;
            // The hidden bit carries into the exponent field.
            sign | ((((e - f.least) as u64) << 10) + units).min(0x7c00)
        }
    }
}

/// Special operands: zeros, denormals, limits, powers of two, integers, multiples of pi/2, thresholds, and their
/// neighbours.
pub fn special(ty: Scalar) -> Vec<u64> {
    let n = ty.bits();
    let mask = ty.mask();
    if !matches!(ty, Scalar::Float(_)) {
        let mut list: Vec<u64> =
            (0..n).flat_map(|k| [1u64 << k, (1 << k) - 1, (1 << k) + 1, !(1 << k)]).collect();
        list.extend((0..n).flat_map(|k| [0x5555_5555_5555_5555 >> k, (3u64 << k) | 1, u64::MAX << k]));
        list.iter_mut().for_each(|v| *v &= mask);
        list.sort_unstable();
        list.dedup();
        return list;
    }
    let f = Format::of(n);
    let step = if n == 64 { 37 } else { 1 };
    let mut values: Vec<f64> = (f.least - f.precision..=f.most).step_by(step).map(power).collect();
    values.extend((1..=20).map(f64::from));
    values.extend((1..=24).map(|k| f64::from(k) * std::f64::consts::FRAC_PI_2));
    values.extend(
        [100.0, 1000.0, 65536.0, 1e5]
            .map(|k| (k * std::f64::consts::FRAC_2_PI).round() * std::f64::consts::FRAC_PI_2),
    );
    values.extend([
        0.1,
        0.3,
        std::f64::consts::FRAC_1_SQRT_2,
        std::f64::consts::SQRT_2,
        1.1,
        1.9,
        2.5,
        3.5,
        10.5,
        0.346_573_590_28,
    ]);
    values.extend([88.722_84, 87.336_54, 88.02, 103.97, 149.0, 126.0, 127.0, 11.09, 9.7, 17.33, 24.5, 25.5]);
    values.extend([f.max(), f.max() / 2.0, f.max().sqrt(), f.min_normal().sqrt()]);
    let mut list: Vec<u64> = Vec::new();
    for v in values {
        let b = bits_of(v, n);
        list.extend([b.saturating_sub(1), b, b + 1]);
    }
    let infinity = bits_of(f64::INFINITY, n);
    list.extend([0, 1, 2, infinity, infinity + 1, infinity | infinity >> 1, infinity - 1]);
    list.retain(|b| *b < 1 << (n - 1));
    list.sort_unstable();
    list.dedup();
    let negative: Vec<u64> = list.iter().map(|b| b | 1 << (n - 1)).collect();
    list.extend(negative);
    list
}

/// Returns a random operand: any bits, a moderate value, or a special one.
fn random(ty: Scalar, r: &mut Random, special: &[u64]) -> u64 {
    let n = ty.bits();
    let bits = r.bits();
    let Scalar::Float(_) = ty else { return (bits >> r.below(n as usize)) & ty.mask() };
    match r.below(8) {
        0 => bits & ty.mask(),
        1 => *r.pick(special),
        2 => {
            let x = (bits % 20_001) as f64 / 100.0 - 100.0;
            bits_of(x, n)
        }
        k => {
            // Exponents around 0, with more of them close to 0.
            let f = Format::of(n);
            let span = [2, 4, 8, 16, 60][k - 3].min(f.most);
            let e = r.below(2 * span as usize + 1) as i32 - span;
            let significand = 1.0 + (bits >> 12) as f64 * power(-52);
            let x = significand * power(e);
            bits_of(if bits & 1 == 0 { x } else { -x }, n)
        }
    }
}

/// Calls `f` with operand tuples.
pub fn each(ty: Scalar, arity: usize, effort: Effort, f: &mut dyn FnMut(&[u64])) {
    let special = special(ty);
    if arity == 1 && ty.bits() == 16 {
        return (0..1 << 16).for_each(|b| f(&[b]));
    }
    if arity == 1 && ty.bits() == 32 && effort.exhaustive {
        return (0..1 << 32).for_each(|b| f(&[b]));
    }
    let mut r = Random::new(u64::from(ty.bits()) * 8 + arity as u64);
    match arity {
        1 => {
            special.iter().for_each(|b| f(&[*b]));
            if ty.bits() == 32 {
                // An odd stride reaches every residue.
                let stride = ((1u64 << 32) / effort.tuples.max(1)) | 1;
                return (0..effort.tuples).for_each(|i| f(&[(i * stride) & 0xffff_ffff]));
            }
        }
        2 => {
            let few = special.len().div_ceil(110).max(1);
            for a in special.iter().step_by(few) {
                special.iter().skip(1).step_by(few).for_each(|b| f(&[*a, *b]));
            }
        }
        _ => {}
    }
    let mut tuple = vec![0; arity];
    for i in 0..effort.tuples {
        for k in 0..arity {
            tuple[k] = random(ty, &mut r, &special);
            // Sometimes neighbours of the previous operand.
            if k > 0 && i % 16 == 0 {
                tuple[k] = (tuple[k - 1] ^ (i >> 4 & 7)) & ty.mask();
            }
        }
        f(&tuple);
    }
}
