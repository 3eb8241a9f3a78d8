//! Scalars in the encoding of the interpreter: classification, and formatting for messages.

use quadrille_jit::ir::Ty;

/// Returns the exact value of a float.
pub fn float(ty: Ty, bits: u64) -> f64 {
    match ty {
        Ty::F16 => half(bits as u16),
        Ty::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

fn half(bits: u16) -> f64 {
    let (sign, exponent) = (if bits >> 15 == 1 { -1.0 } else { 1.0 }, i32::from(bits >> 10 & 31));
    let fraction = f64::from(bits & 0x3ff);
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        e => (1024.0 + fraction) * 2f64.powi(e - 25),
    }
}

/// Returns the signed value of an integer.
pub fn signed(ty: Ty, bits: u64) -> i64 {
    let unused = 64 - ty.bits().unwrap_or(64);
    ((bits << unused) as i64) >> unused
}

/// Returns the exponent bits of a float type, which are all set in infinities and NaNs.
pub fn exponent(ty: Ty) -> u64 {
    match ty {
        Ty::F16 => 0x7c00,
        Ty::F32 => 0x7f80_0000,
        _ => 0x7ff0_0000_0000_0000,
    }
}

/// True if bits are a NaN of a float type.
pub fn is_nan(ty: Ty, bits: u64) -> bool {
    let exponent = exponent(ty);
    ty.is_float() && bits & exponent == exponent && !is_infinite(ty, bits)
}

/// True if bits are an infinity of a float type.
pub fn is_infinite(ty: Ty, bits: u64) -> bool {
    let sign = 1 << (ty.bits().unwrap_or(64) - 1);
    ty.is_float() && bits & !sign == exponent(ty)
}

/// True if bits are a NaN or an infinity.
pub fn is_non_finite(ty: Ty, bits: u64) -> bool {
    ty.is_float() && bits & exponent(ty) == exponent(ty)
}

/// Formats a value for people: `-0.25`, `NaN`, `infinity`, `true`. Integers are `signed` or not.
pub fn text(ty: Ty, bits: u64, is_signed: bool) -> String {
    match ty {
        Ty::Bool => (bits & 1 == 1).to_string(),
        ty if ty.is_float() => {
            let x = float(ty, bits);
            match (x.is_nan(), x.is_infinite()) {
                (true, _) => "NaN".into(),
                (_, true) => if x > 0.0 { "infinity" } else { "-infinity" }.into(),
                // The shortest text that distinguishes the value from its neighbours.
                _ if ty == Ty::F64 => format!("{x:?}"),
                _ => {
                    let text = format!("{:?}", x as f32);
                    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
                }
            }
        }
        ty if is_signed => signed(ty, bits).to_string(),
        _ => bits.to_string(),
    }
}

/// Formats a float that is compared with the range of an integer type: with all digits of its whole part, because the
/// shortest text of 2147483648 as f32 is 2147483600, which is in the range of a signed integer.
pub fn all_digits(ty: Ty, bits: u64) -> String {
    let x = float(ty, bits);
    if x.fract() == 0.0 && x.abs() <= 2f64.powi(64) { format!("{x:.0}") } else { text(ty, bits, true) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_all_widths() {
        for (bits, expected) in [
            (0x3c00u16, 1.0),
            (0xc000, -2.0),
            (1, 2f64.powi(-24)),
            (0x7bff, 65504.0),
            (0x7c00, f64::INFINITY),
        ] {
            assert_eq!(half(bits), expected);
        }
        assert!(half(0x7e00).is_nan());
        let one = f64::from(0.1f32);
        assert_eq!(float(Ty::F32, u64::from(0.1f32.to_bits())), one);
        for ty in [Ty::F16, Ty::F32, Ty::F64] {
            let infinity = exponent(ty);
            assert!(is_infinite(ty, infinity) && !is_nan(ty, infinity));
            assert!(is_nan(ty, infinity | 1) && is_non_finite(ty, infinity | 1));
            assert!(is_infinite(ty, infinity | 1 << (ty.bits().unwrap() - 1)));
            assert!(!is_non_finite(ty, infinity - 1));
        }
        assert!(!is_non_finite(Ty::I32, 0x7f80_0000));
    }

    #[test]
    fn values_as_people_write_them() {
        let f = |x: f32| text(Ty::F32, u64::from(x.to_bits()), false);
        assert_eq!(
            [f(-0.25), f(3.0), f(0.1), f(f32::NAN), f(-f32::INFINITY), f(-0.0)],
            ["-0.25", "3", "0.1", "NaN", "-infinity", "-0"]
        );
        let whole = |x: f32| all_digits(Ty::F32, u64::from(x.to_bits()));
        assert_eq!(
            [
                whole(2f32.powi(31)),
                whole(-(2f32.powi(63))),
                whole(2f32.powi(64)),
                whole(256.5),
                whole(f32::NAN)
            ],
            ["2147483648", "-9223372036854775808", "18446744073709551616", "256.5", "NaN"]
        );
        assert_eq!([whole(1e30), whole(-f32::INFINITY)], ["1e30", "-infinity"]);
        assert_eq!(text(Ty::I8, 0xff, true), "-1");
        assert_eq!(text(Ty::I8, 0xff, false), "255");
        assert_eq!(text(Ty::Bool, 1, false), "true");
    }
}
