//! Precision that Vulkan requires: ranges of values, and the operations from which precisions are inherited.
//!
//! Spec: Vulkan, "Precision and Operation of SPIR-V Instructions". Ranges are computed in f64, whose own rounding is
//! far below a unit in the last place of the formats that are compared with them.

/// A binary float format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the significand, including the hidden bit.
    pub precision: i32,
    /// Exponent of the smallest normal number.
    pub least: i32,
    /// Exponent of the largest numbers.
    pub most: i32,
}

/// Half precision.
pub const F16: Format = Format { precision: 11, least: -14, most: 15 };
/// Single precision.
pub const F32: Format = Format { precision: 24, least: -126, most: 127 };
/// Double precision.
pub const F64: Format = Format { precision: 53, least: -1022, most: 1023 };

/// Returns `2^e`; 0 or infinity outside of the range of f64.
pub fn power(e: i32) -> f64 {
    match e {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (e + 1074)),
        -1022..=1023 => f64::from_bits(((e + 1023) as u64) << 52),
        _ => f64::INFINITY,
    }
}

impl Format {
    /// Returns the format with this many bits.
    pub fn of(bits: u32) -> Format {
        match bits {
            16 => F16,
            32 => F32,
            _ => F64,
        }
    }
    /// Largest finite number.
    pub fn max(self) -> f64 {
        (2.0 - power(1 - self.precision)) * power(self.most)
    }
    /// Smallest normal number.
    pub fn min_normal(self) -> f64 {
        power(self.least)
    }
    /// The unit in the last place at `x`, as Vulkan defines it: at a power of two, that of the numbers below.
    pub fn ulp(self, x: f64) -> f64 {
        let x = x.abs().min(self.max());
        if x == 0.0 {
            return power(self.least - self.precision + 1);
        }
        let bits = x.to_bits();
        let mut e = (bits >> 52) as i32 - 1023;
        if bits & ((1 << 52) - 1) == 0 {
            e -= 1;
        }
        power(e.max(self.least) - self.precision + 1)
    }
    /// Rounds `x` down to a number of the format; below the finite numbers, to an infinity.
    fn down(self, x: f64) -> f64 {
        if !x.is_finite() {
            return x;
        }
        if self == F64 {
            return x.next_down();
        }
        let e = ((x.abs().to_bits() >> 52) as i32 - 1023).max(self.least);
        let unit = power(e - self.precision + 1);
        (x / unit).floor() * unit
    }
    fn up(self, x: f64) -> f64 {
        -self.down(-x)
    }
}

/// Permitted values.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// True if any value is permitted, including NaN.
    pub any: bool,
}

/// The range without a requirement.
pub const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY, any: true };

impl Range {
    /// The range of one value.
    pub fn at(x: f64) -> Range {
        if x.is_nan() { ANY } else { Range { low: x, high: x, any: false } }
    }

    fn of(list: &[f64]) -> Range {
        if list.iter().any(|x| x.is_nan()) {
            return ANY;
        }
        let low = list.iter().copied().fold(f64::INFINITY, f64::min);
        let high = list.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Range { low, high, any: false }
    }

    fn and(self, any: bool) -> Range {
        if self.any || any { ANY } else { self }
    }

    /// Extends the range by the effects of overflow and of flushing denormal results.
    fn ends(mut self, f: Format) -> Range {
        if self.any {
            return self;
        }
        let (max, least) = (f.max(), f.min_normal());
        if self.high > max {
            (self.low, self.high) = (self.low.min(max), f64::INFINITY);
        }
        if self.low < -max {
            (self.low, self.high) = (f64::NEG_INFINITY, self.high.max(-max));
        }
        if self.low > 0.0 && self.low < least {
            self.low = 0.0;
        }
        if self.high < 0.0 && self.high > -least {
            self.high = 0.0;
        }
        self
    }

    /// Correctly rounded in either direction.
    pub fn rounded(self, f: Format) -> Range {
        Range { low: f.down(self.low), high: f.up(self.high), ..self }.ends(f)
    }

    /// Within `n` units in the last place.
    pub fn ulps(self, f: Format, n: f64) -> Range {
        if self.any {
            return self;
        }
        let by = |x: f64| if x.is_finite() { n * f.ulp(x) } else { 0.0 };
        Range { low: self.low - by(self.low), high: self.high + by(self.high), ..self }.ends(f)
    }

    /// Within an absolute error.
    pub fn within(self, f: Format, error: f64) -> Range {
        Range { low: self.low - error, high: self.high + error, ..self }.ends(f)
    }

    /// The smallest range that contains both.
    fn or(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high), any: false }
            .and(self.any || other.any)
    }

    /// Permits flushing denormal operands to zero.
    pub fn flushed(self, f: Format) -> Range {
        self.ends(f)
    }

    fn corners(self, other: Range, op: impl Fn(f64, f64) -> f64) -> Range {
        let corners = [
            op(self.low, other.low),
            op(self.low, other.high),
            op(self.high, other.low),
            op(self.high, other.high),
        ];
        Range::of(&corners).and(self.any || other.any)
    }

    /// Image of the range under a function that never decreases.
    fn rising(self, op: impl Fn(f64) -> f64) -> Range {
        Range::of(&[op(self.low), op(self.high)]).and(self.any)
    }

    fn holds_zero(self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }

    /// Range of the sum.
    pub fn plus(self, other: Range, f: Format) -> Range {
        self.corners(other, |x, y| x + y).rounded(f)
    }
    /// Range of the difference.
    pub fn minus(self, other: Range, f: Format) -> Range {
        self.corners(other, |x, y| x - y).rounded(f)
    }
    /// Range of the product.
    pub fn times(self, other: Range, f: Format) -> Range {
        self.corners(other, |x, y| x * y).rounded(f)
    }
    /// Range of the quotient: 2.5 ulp for divisors of moderate size.
    pub fn over(self, other: Range, f: Format) -> Range {
        let limit = -f.least;
        let moderate = |x: f64| (power(-limit)..=power(limit)).contains(&x.abs());
        if other.holds_zero() || !moderate(other.low) || !moderate(other.high) {
            return ANY;
        }
        self.corners(other, |x, y| x / y).ulps(f, 2.5)
    }
    /// Range of `1 / sqrt(x)`: 2 ulp.
    pub fn inverse_sqrt(self, f: Format) -> Range {
        if self.low <= 0.0 {
            return ANY;
        }
        Range::of(&[1.0 / self.high.sqrt(), 1.0 / self.low.sqrt()]).and(self.any).ulps(f, 2.0)
    }
    /// Range of the square root, as `1 / inversesqrt(x)`; zero for zero.
    pub fn sqrt(self, f: Format) -> Range {
        if self.low == 0.0 && self.high == 0.0 {
            return self;
        }
        Range::at(1.0).over(self.inverse_sqrt(f), f)
    }
    /// Range of `e^x`, or of `2^x` if `two`.
    pub fn exp(self, f: Format, two: bool) -> Range {
        let bound = |x: f64| (if f == F16 { 1.0 } else { 3.0 }) + 2.0 * x.abs();
        let exp = |x: f64| if two { x.exp2() } else { x.exp() };
        let end = |x: f64| match x.is_finite() {
            true => Range::at(exp(x)).ulps(f, bound(x)),
            false => Range::at(exp(x)),
        };
        end(self.low).or(end(self.high)).and(self.any)
    }
    /// Range of the natural logarithm, or to base 2 if `two`: 3 ulp, or an absolute error near 1.
    pub fn log(self, f: Format, two: bool) -> Range {
        if self.low <= 0.0 {
            return ANY;
        }
        let log = |x: f64| if two { x.log2() } else { x.ln() };
        let end = |x: f64| match (0.5..=2.0).contains(&x) {
            true => Range::at(log(x)).within(f, if f == F16 { power(-7) } else { power(-21) }),
            false => Range::at(log(x)).ulps(f, 3.0),
        };
        end(self.low).or(end(self.high)).and(self.any)
    }
    /// Range of sine or cosine: an absolute error within [-pi, pi].
    pub fn sine(self, f: Format, cosine: bool) -> Range {
        let pi = std::f64::consts::PI + 1e-6;
        if self.any || self.low != self.high || self.low.abs() > pi {
            return ANY;
        }
        let exact = if cosine { self.low.cos() } else { self.low.sin() };
        Range::at(exact).within(f, if f == F16 { power(-7) } else { power(-11) })
    }
    /// Range of the arc tangent of `self / x`: 4096 ulp, for f16 5.
    pub fn atan2(self, x: Range, f: Format) -> Range {
        if x.holds_zero() && self.holds_zero() || self.holds_zero() && x.low < 0.0 {
            return ANY;
        }
        self.corners(x, f64::atan2).ulps(f, if f == F16 { 5.0 } else { 4096.0 })
    }
    /// Rounds toward zero, or down if `floor`.
    pub fn whole(self, floor: bool) -> Range {
        self.rising(if floor { f64::floor } else { f64::trunc })
    }
    /// Clamps the range to two values.
    pub fn clamp(self, low: f64, high: f64) -> Range {
        self.rising(|x| x.clamp(low, high))
    }
    /// Error around `x` that the inherited precision permits.
    pub fn around(self, x: f64) -> Range {
        if self.any || x.is_nan() {
            return ANY;
        }
        if x.is_infinite() {
            return self.or(Range::at(x));
        }
        let error = (x - self.low).abs().max((self.high - x).abs());
        Range { low: x - error, high: x + error, any: false }
    }
}
