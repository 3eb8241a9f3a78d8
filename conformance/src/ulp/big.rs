//! Exact values of f64 functions, in 240 bits.

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
