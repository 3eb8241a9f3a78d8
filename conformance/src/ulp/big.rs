//! Exact values of f64 functions, in 240 bits.

use std::sync::OnceLock;

use dashu_float::{FBig, round::mode::HalfEven};

/// A number of 240 bits.
pub type Big = FBig<HalfEven, 2>;

/// Converts a finite number exactly; others become zero.
pub fn new(x: f64) -> Big {
    Big::try_from(x).unwrap_or(Big::ZERO).with_precision(240).value()
}

/// Splits a value into the sum of two f64.
pub fn pair(x: &Big) -> (f64, f64) {
    let high = x.to_f64().value();
    if !high.is_finite() {
        return (high, 0.0);
    }
    (high, (x - new(high)).to_f64().value())
}

/// Evaluates a function of finite operands; returns NaN if an operand is not finite.
pub fn of(a: &[f64], f: impl Fn(&[Big]) -> Big) -> (f64, f64) {
    if a.iter().any(|x| !x.is_finite()) {
        return (f64::NAN, 0.0);
    }
    let list: Vec<Big> = a.iter().map(|x| new(*x)).collect();
    pair(&f(&list))
}

/// Precision of sums that lose bits.
const LONG: usize = 600;

fn long(x: f64) -> Big {
    Big::try_from(x).unwrap_or(Big::ZERO).with_precision(LONG).value()
}

/// Pi, with bits to spare for products.
pub fn pi() -> Big {
    Big::pi(300)
}

/// `2 / sqrt(pi) e^(-x^2) (x + 2 x^3 / 3 + 4 x^5 / 15 + ...)`, whose terms are all positive; `x` must be below 20.
fn erf_series(x: f64) -> Big {
    let x = long(x);
    let square = x.clone() * x.clone();
    let (mut term, mut sum, mut n) = (x.clone(), x.clone(), 1u32);
    let small = long(2.0f64.powi(-500)) * long(2.0f64.powi(-100));
    while term > small.clone() * sum.clone() {
        n += 2;
        term = term * (square.clone() + square.clone()) / long(f64::from(n));
        sum += term.clone();
    }
    let factor = long(2.0) / Big::pi(LONG).sqrt();
    factor * (-square).exp() * sum
}

/// Error function.
pub fn erf(x: f64) -> (f64, f64) {
    match x {
        _ if x.is_nan() => (x, 0.0),
        _ if x.abs() > 6.0 => (1f64.copysign(x), 0.0),
        _ => {
            let (high, low) = pair(&erf_series(x.abs()));
            (high.copysign(x), if x < 0.0 { -low } else { low })
        }
    }
}

/// Complementary error function. From 15 on by the asymptotic series, whose terms decrease to less than 2^-300.
pub fn erfc(x: f64) -> (f64, f64) {
    match x {
        _ if x.is_nan() => (x, 0.0),
        _ if x > 28.0 => (0.0, 0.0),
        _ if x < -6.0 => (2.0, 0.0),
        _ if x < 15.0 => {
            let erf = erf_series(x.abs());
            pair(&if x < 0.0 { long(1.0) + erf } else { long(1.0) - erf })
        }
        _ => {
            let (one, x) = (long(1.0), long(x));
            let twice = long(2.0) * x.clone() * x.clone();
            let (mut term, mut sum) = (one.clone(), one);
            for n in 0..150u32 {
                term = -term * long(f64::from(2 * n + 1)) / twice.clone();
                sum += term.clone();
            }
            let below = x.clone() * Big::pi(LONG).sqrt();
            pair(&((-(x.clone() * x)).exp() * sum / below))
        }
    }
}

/// Gamma function, by the integral of Spouge's approximation with a = 100, whose relative error is below (2 pi)^-100.
pub fn gamma(x: f64) -> (f64, f64) {
    if !x.is_finite() || x > 172.0 {
        return (x.max(f64::INFINITY), 0.0);
    }
    if x < -190.0 {
        return (0.0, 0.0);
    }
    if x <= 0.5 {
        // gamma(x) = pi / (sin(pi x) gamma(1 - x)); poles have no value.
        if x == x.trunc() {
            return (f64::NAN, 0.0);
        }
        let pi = Big::pi(LONG);
        let turns = long(x % 2.0);
        let below = (pi.clone() * turns).sin() * spouge(&(long(1.0) - long(x)));
        return pair(&(pi / below));
    }
    pair(&spouge(&long(x)))
}

/// Number of terms of Spouge's approximation.
const TERMS: u32 = 100;

/// Coefficients of Spouge's approximation, from the first pole on.
fn coefficients() -> &'static [Big] {
    static ALL: OnceLock<Vec<Big>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut factorial = long(1.0);
        let one = |k: u32| {
            if k > 1 {
                factorial *= -long(f64::from(k - 1));
            }
            let rest = long(f64::from(TERMS - k));
            let power = (rest.ln() * (long(f64::from(k)) - long(0.5))).exp();
            power * rest.exp() / factorial.clone()
        };
        (1..TERMS).map(one).collect()
    })
}

/// Gamma function of numbers from 1/2 on. Method: J. Spouge (1994).
fn spouge(x: &Big) -> Big {
    let z = x.clone() - long(1.0);
    let mut sum = (long(2.0) * Big::pi(LONG)).sqrt();
    for (c, k) in coefficients().iter().zip(1u32..) {
        sum += c.clone() / (z.clone() + long(f64::from(k)));
    }
    let base = z.clone() + long(f64::from(TERMS));
    ((z + long(0.5)) * base.ln() - base).exp() * sum
}
