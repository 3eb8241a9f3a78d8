//! Numbers that small floats represent, for constants. Leaves conversions at run time to `lower`.
//!
//! A number is found among all of its type, in order, so that this also is the slow twin of the conversions that shaders
//! do.

use super::types::{Format, SmallFloat};

impl SmallFloat {
    /// The number that an encoding represents.
    pub fn number(self, bits: u64) -> f64 {
        let Some(format) = self.format() else {
            return match (self, bits as u8) {
                (SmallFloat::MxInt8, code) => f64::from(code as i8) / 64.0,
                (_, 0xff) => f64::NAN,
                (_, exponent) => 2f64.powi(i32::from(exponent) - 127),
            };
        };
        let top = 1 << (self.bits() - 1);
        let magnitude = bits as u32 & (top - 1);
        let number = match format.end {
            Some(end) if magnitude == end.past && end.past != end.nan => f64::INFINITY,
            Some(end) if magnitude > end.greatest => f64::NAN,
            _ => format.finite(magnitude),
        };
        if bits as u32 & top != 0 { -number } else { number }
    }

    /// The encoding of a literal: rounded as by [`Self::encoding`], or if numbers are not converted to the type, the one
    /// that represents the number exactly.
    pub fn nearest(self, x: f64) -> Option<u64> {
        let same = |code: &u64| match self.number(*code) {
            y if y.is_nan() => x.is_nan(),
            y => y.to_bits() == x.to_bits(),
        };
        self.encoding(x).or_else(|| (0..1 << self.bits()).find(same))
    }

    /// The encoding of a number, rounded to nearest even. Numbers past the greatest finite one become infinite, or NaN if
    /// the type lacks infinities. `None` if numbers are not converted to the type.
    pub fn encoding(self, x: f64) -> Option<u64> {
        let (format, end) = self.result_format()?;
        let sign = u32::from(x.is_sign_negative()) << (self.bits() - 1);
        let x = x.abs();
        let magnitude = if x.is_nan() {
            end.nan
        } else {
            // The greatest magnitude that does not exceed the number, and the next one.
            let (mut below, mut above) = (0, end.greatest + 1);
            while above - below > 1 {
                let middle = below.midpoint(above);
                if format.finite(middle) <= x { below = middle } else { above = middle }
            }
            let (down, up) = (x - format.finite(below), format.finite(above) - x);
            let nearest = if down < up || down == up && below % 2 == 0 { below } else { above };
            if nearest > end.greatest { end.past } else { nearest }
        };
        Some(u64::from(sign | magnitude))
    }
}

impl Format {
    /// The number of a magnitude, as if no magnitude were infinite or NaN.
    fn finite(self, magnitude: u32) -> f64 {
        let (exponent, mantissa) = (magnitude >> self.mantissa, magnitude & ((1 << self.mantissa) - 1));
        let (exponent, mantissa) = match exponent {
            0 => (1, mantissa),
            _ => (exponent, mantissa | 1 << self.mantissa),
        };
        f64::from(mantissa) * 2f64.powi(exponent as i32 - self.bias as i32 - self.mantissa as i32)
    }
}

#[cfg(test)]
mod tests {
    use half::{bf16, f16};

    use super::*;

    #[test]
    fn encodings_are_those_of_the_first_halves_of_wider_floats() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (SmallFloat::BFloat16.number(u64::from(bits)), bf16::from_bits(bits));
            assert!(ours == theirs.to_f64() || ours.is_nan() && theirs.is_nan(), "{bits:#x}: {ours}");
            let half = f16::from_bits(bits);
            let e5m2 = SmallFloat::E5M2.number(u64::from(bits >> 8));
            let first = f16::from_bits(bits & 0xff00);
            assert!(e5m2 == first.to_f64() || e5m2.is_nan() && first.is_nan(), "{bits:#x}: {e5m2}");
            // Every f16 becomes one of the two neighbours, the nearer one.
            if half.is_finite() {
                let near = SmallFloat::E5M2.encoding(half.to_f64()).unwrap();
                let low = u64::from(bits >> 8);
                let up = match bits & 0xff {
                    0x80 => low & 1,
                    rest => u64::from(rest > 0x80),
                };
                assert_eq!(near, low + up, "{bits:#x}");
            }
        }
        for word in (0..=u32::MAX).step_by(65_521) {
            let (x, wanted) = (f32::from_bits(word), bf16::from_f32(f32::from_bits(word)));
            let got = bf16::from_bits(SmallFloat::BFloat16.encoding(f64::from(x)).unwrap() as u16);
            assert!(got == wanted || got.is_nan() && wanted.is_nan(), "{word:#x}: {got} is not {wanted}");
        }
    }

    #[test]
    fn e4m3_has_no_infinities() {
        let e4m3 = SmallFloat::E4M3;
        assert_eq!([0x38, 0x7e, 0x01, 0xb8].map(|bits| e4m3.number(bits)), [1.0, 448.0, 2f64.powi(-9), -1.0]);
        assert!(e4m3.number(0x7f).is_nan());
        // 464 lies between 448 and the number that would follow; 448 is even.
        let codes = [448.0, 464.0, 465.0, f64::INFINITY].map(|x| e4m3.encoding(x));
        assert_eq!(codes, [0x7e, 0x7e, 0x7f, 0x7f].map(Some));
        for bits in (0..=0xff).filter(|bits| bits & 0x7f != 0x7f) {
            assert_eq!(e4m3.encoding(e4m3.number(bits)), Some(bits));
        }
    }

    /// Spec: OCP Microscaling Formats 1.0, tables 3 to 7.
    #[test]
    fn numbers_of_microscaling() {
        let magnitudes = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];
        for (code, x) in magnitudes.into_iter().enumerate() {
            assert_eq!(SmallFloat::E2M1.number(code as u64).to_bits(), f64::to_bits(x));
            assert_eq!(SmallFloat::E2M1.number(code as u64 | 8).to_bits(), f64::to_bits(-x));
        }
        // Greatest and least normal number, greatest and least denormal number.
        let e2m3 = [(0x1f, 7.5), (0x08, 1.0), (0x07, 0.875), (0x01, 0.125), (0x3f, -7.5), (0x0b, 1.375)];
        let e3m2 = [(0x1f, 28.0), (0x04, 0.25), (0x03, 0.1875), (0x01, 0.0625), (0x3f, -28.0), (0x11, 2.5)];
        let e8m0 = [(0, 2f64.powi(-127)), (127, 1.0), (128, 2.0), (254, 2f64.powi(127))];
        let mxint8 = [(0x7f, 1.984375), (0x40, 1.0), (0x01, 0.015625), (0x81, -1.984375), (0xc0, -1.0)];
        for (small, list) in [
            (SmallFloat::E2M3, &e2m3[..]),
            (SmallFloat::E3M2, &e3m2),
            (SmallFloat::E8M0, &e8m0),
            (SmallFloat::MxInt8, &mxint8),
        ] {
            for &(code, x) in list {
                assert_eq!(small.number(code), x, "{small:?} {code:#x}");
            }
            assert_eq!(small.encoding(1.0), None);
        }
        assert!(SmallFloat::E8M0.number(0xff).is_nan());
    }
}
