//! Number literals of SPIR-V text, hexadecimal floats included.

use std::fmt;

use crate::ir::Ty;
use crate::ops::{decimal, value};
use crate::spirv::types::SmallFloat;

/// A number type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Int { bits: u32, signed: bool },
    Float { bits: u32 },
    Small(SmallFloat),
}

impl Number {
    /// The float type with these operands of OpTypeFloat.
    pub(super) fn float(operands: &[u32]) -> Number {
        let bits = operands.first().copied().unwrap_or(0);
        let small = operands.get(1).and_then(|&encoding| SmallFloat::of(bits, encoding));
        small.map_or(Number::Float { bits }, Number::Small)
    }

    pub(super) fn bits(self) -> u32 {
        match self {
            Number::Int { bits, .. } | Number::Float { bits } => bits,
            Number::Small(small) => small.bits(),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int { bits, signed: true } => write!(f, "signed {bits}-bit integer"),
            Number::Int { bits, signed: false } => write!(f, "unsigned {bits}-bit integer"),
            Number::Float { bits } => write!(f, "{bits}-bit float"),
            Number::Small(small) => write!(f, "number of {}", small.name()),
        }
    }
}

/// Parses a decimal or hexadecimal integer with an optional sign.
pub(super) fn integer(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from(u64::from_str_radix(hex, 16).ok()?),
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    Some(if negative { -value } else { value })
}

/// Bits of a literal, as the words of a constant hold them: narrow signed integers sign-extended to
/// 32 bits, everything else zero-extended.
pub(super) fn number(number: Number, word: &str) -> Option<u64> {
    match number {
        Number::Int { bits, signed } => {
            let value = integer(word).filter(|_| matches!(bits, 1..=64))?;
            // Hexadecimal literals may give the bits of negative numbers.
            let (low, high) = (-(1i128 << (bits - 1)), 1i128 << bits);
            if value < low || value >= high {
                return None;
            }
            let bits_of = value as u64;
            Some(if bits >= 64 {
                bits_of
            } else if signed && bits_of >> (bits - 1) & 1 == 1 {
                (bits_of | !0 << bits) & 0xffff_ffff
            } else if bits < 32 {
                bits_of & ((1 << bits) - 1)
            } else {
                bits_of & 0xffff_ffff
            })
        }
        Number::Float { bits } => {
            let body = word.trim_start_matches(['-', '+']);
            if body.starts_with("0x") || body.starts_with("0X") {
                return hex_float(word, bits);
            }
            // The type has no number that is too large for it; only words such as `inf` are infinite.
            let fits = |v: f64| v.is_finite() || !body.contains(|c: char| c.is_ascii_digit());
            match bits {
                16 => {
                    let half = u64::from(decimal::parse_half(word)?);
                    fits(value::to_f64(Ty::F16, half)).then_some(half)
                }
                32 => {
                    let v: f32 = word.parse().ok()?;
                    fits(f64::from(v)).then(|| u64::from(v.to_bits()))
                }
                64 => {
                    let v: f64 = word.parse().ok()?;
                    fits(v).then(|| v.to_bits())
                }
                _ => None,
            }
        }
        Number::Small(small) => {
            let bits = self::number(Number::Float { bits: 64 }, word)?;
            // Only decimal numbers are parsed here.
            let decimal = decimal::nearest(word, |x| small.nearest(x));
            decimal.unwrap_or_else(|| small.nearest(f64::from_bits(bits)))
        }
    }
}

/// Number of mantissa bits and exponent bias of a float type.
fn shape(bits: u32) -> Option<(u32, i32)> {
    match bits {
        16 => Some((10, 15)),
        32 => Some((23, 127)),
        64 => Some((52, 1023)),
        _ => None,
    }
}

/// Parses a float such as `0x1.8p+3`. An exponent one above the largest yields infinities and NaNs, as in the Khronos
/// tools.
fn hex_float(word: &str, bits: u32) -> Option<u64> {
    let (mantissa_bits, bias) = shape(bits)?;
    let negative = word.starts_with('-');
    let body = word.trim_start_matches(['-', '+']).get(2..)?;
    let (digits, exponent) = body.split_once(['p', 'P'])?;
    let mut exponent: i32 = exponent.parse::<i32>().ok().filter(|e| e.abs() < 1 << 20)?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let (mut value, mut any) = (0u64, false);
    for (i, c) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(c.to_digit(16)?);
        if value >> 60 == 0 {
            value = value << 4 | digit;
            if i >= whole.len() {
                exponent -= 4;
            }
        } else {
            // Beyond 60 bits, a digit only sets the sticky bit.
            value |= u64::from(digit != 0);
            if i < whole.len() {
                exponent += 4;
            }
        }
        any = true;
    }
    if !any {
        return None;
    }
    let sign = u64::from(negative) << (bits - 1);
    if value == 0 {
        return Some(sign);
    }
    // value * 2^exponent = 1.xxx * 2^top
    let top = exponent + 63 - value.leading_zeros() as i32;
    let normal = value << value.leading_zeros();
    if top == bias + 1 {
        let mantissa = (normal << 1) >> (64 - mantissa_bits);
        return Some(sign | ((2 * bias as u64 + 1) << mantissa_bits) | mantissa);
    }
    if top > bias {
        return None;
    }
    // Round to nearest even at the last bit kept; denormals keep fewer bits.
    let drop = 63 - mantissa_bits as i32 + (1 - bias - top).max(0);
    let (kept, rest, half) = match drop {
        0..=63 => (normal >> drop, normal & ((1 << drop) - 1), 1u64 << (drop - 1).max(0)),
        64 => (0, normal, 1 << 63),
        _ => (0, 0, 1),
    };
    let up = rest > half || (rest == half && kept & 1 == 1);
    let kept = kept + u64::from(up);
    let field = if top < 1 - bias { kept } else { kept + ((top + bias - 1) as u64) * (1 << mantissa_bits) };
    Some(sign | field)
}

/// Formats the encoding of a small float as text that reads back exactly: as a number, or as a word for other encodings of
/// NaN and for words with bits beyond the encoding.
pub(super) fn small_text(bits: u64, small: SmallFloat) -> String {
    let x = small.number(bits);
    match small.nearest(x) == Some(bits) {
        true => float_text(x.to_bits(), 64),
        false => format!("!{bits}"),
    }
}

/// Formats a float's bits as text that [`number`] reads back exactly.
pub(super) fn float_text(bits_of: u64, bits: u32) -> String {
    let Some((mantissa_bits, bias)) = shape(bits) else { return bits_of.to_string() };
    let exponent = bits_of >> mantissa_bits & (2 * bias as u64 + 1);
    if exponent == 2 * bias as u64 + 1 {
        let sign = if bits_of >> (bits - 1) & 1 == 1 { "-" } else { "" };
        let mantissa = bits_of & ((1 << mantissa_bits) - 1);
        if mantissa == 0 {
            return format!("{sign}0x1p+{}", bias + 1);
        }
        let digits = mantissa_bits.div_ceil(4);
        let aligned = mantissa << (digits * 4 - mantissa_bits);
        let hex = format!("{aligned:0width$x}", width = digits as usize);
        return format!("{sign}0x1.{}p+{}", hex.trim_end_matches('0'), bias + 1);
    }
    match bits {
        16 => format!("{}", half::f16::from_bits(bits_of as u16)),
        32 => format!("{}", f32::from_bits(bits_of as u32)),
        _ => format!("{}", f64::from_bits(bits_of)),
    }
}
