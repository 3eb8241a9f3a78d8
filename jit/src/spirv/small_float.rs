//! Numbers that small floats represent, for constants. Leaves conversions at run time to `lower`.
//!
//! A number is found among all of its type, in order, so that this also is the slow twin of the conversions that shaders
//! do.

use super::types::SmallFloat;

impl SmallFloat {
    /// The number that an encoding represents.
    pub fn number(self, bits: u64) -> f64 {
        let format = self.format();
        let top = 1 << (format.bits - 1);
        let magnitude = bits as u32 & (top - 1);
        let number = if magnitude <= format.greatest {
            self.finite(magnitude)
        } else if magnitude == format.past && format.past != format.nan {
            f64::INFINITY
        } else {
            f64::NAN
        };
        if bits as u32 & top != 0 { -number } else { number }
    }

    /// The number of a magnitude, as if no magnitude were infinite or NaN.
    fn finite(self, magnitude: u32) -> f64 {
        let format = self.format();
        let (exponent, mantissa) = (magnitude >> format.mantissa, magnitude & ((1 << format.mantissa) - 1));
        let (exponent, mantissa) = match exponent {
            0 => (1, mantissa),
            _ => (exponent, mantissa | 1 << format.mantissa),
        };
        f64::from(mantissa) * 2f64.powi(exponent as i32 - format.bias as i32 - format.mantissa as i32)
    }

    /// The encoding of a number, rounded to nearest even. Numbers past the greatest finite one become infinite, or NaN if
    /// the type lacks infinities.
    pub fn encoding(self, x: f64) -> u64 {
        let format = self.format();
        let sign = u32::from(x.is_sign_negative()) << (format.bits - 1);
        let x = x.abs();
        let magnitude = if x.is_nan() {
            format.nan
        } else {
            // The greatest magnitude that does not exceed the number, and the next one.
            let (mut below, mut above) = (0, format.greatest + 1);
            while above - below > 1 {
                let middle = below.midpoint(above);
                if self.finite(middle) <= x { below = middle } else { above = middle }
            }
            let (down, up) = (x - self.finite(below), self.finite(above) - x);
            let nearest = if down < up || down == up && below % 2 == 0 { below } else { above };
            if nearest > format.greatest { format.past } else { nearest }
        };
        u64::from(sign | magnitude)
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
                let near = SmallFloat::E5M2.encoding(half.to_f64());
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
            let got = bf16::from_bits(SmallFloat::BFloat16.encoding(f64::from(x)) as u16);
            assert!(got == wanted || got.is_nan() && wanted.is_nan(), "{word:#x}: {got} is not {wanted}");
        }
    }

    #[test]
    fn e4m3_has_no_infinities() {
        let e4m3 = SmallFloat::E4M3;
        assert_eq!([0x38, 0x7e, 0x01, 0xb8].map(|bits| e4m3.number(bits)), [1.0, 448.0, 2f64.powi(-9), -1.0]);
        assert!(e4m3.number(0x7f).is_nan());
        // 464 lies between 448 and the number that would follow; 448 is even.
        assert_eq!([448.0, 464.0, 465.0, f64::INFINITY].map(|x| e4m3.encoding(x)), [0x7e, 0x7e, 0x7f, 0x7f]);
        for bits in (0..=0xff).filter(|bits| bits & 0x7f != 0x7f) {
            assert_eq!(e4m3.encoding(e4m3.number(bits)), bits);
        }
    }
}
