//! Types and values in the notation of test files.
//!
//! Types: `bool`, `i8` to `i64`, `u8` to `u64`, `f16`, `f32`, `f64`; `f32x3` is a vector, `f32x2x3` a matrix of two
//! columns of three, `{u32,u32}` a structure. Values: integers (decimal or `0x`), floats (decimal, `0x1.8p3`, `inf`,
//! `-inf`, `nan`), `true`, `false`; `bits:0x7f800001` states any scalar by its bits. Parentheses and commas between
//! values are ignored.

use std::fmt;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Truth value: a word 0 or 1 in memory.
    Bool,
    /// Integer: width in bits, true if signed.
    Int(u32, bool),
    /// Float: width in bits.
    Float(u32),
}

impl Scalar {
    /// Parses the name of a scalar type.
    pub fn parse(name: &str) -> Option<Scalar> {
        Some(match name {
            "bool" => Scalar::Bool,
            "i8" => Scalar::Int(8, true),
            "i16" => Scalar::Int(16, true),
            "i32" => Scalar::Int(32, true),
            "i64" => Scalar::Int(64, true),
            "u8" => Scalar::Int(8, false),
            "u16" => Scalar::Int(16, false),
            "u32" => Scalar::Int(32, false),
            "u64" => Scalar::Int(64, false),
            "f16" => Scalar::Float(16),
            "f32" => Scalar::Float(32),
            "f64" => Scalar::Float(64),
            _ => return None,
        })
    }

    /// Width of a value in bits.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int(bits, _) | Scalar::Float(bits) => bits,
        }
    }

    /// Number of 32-bit words of a value in the buffers of table tests.
    pub fn words(self) -> usize {
        if self.bits() == 64 { 2 } else { 1 }
    }

    /// Mask with all bits of a value set.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// Parses `text` into the bits of a value.
    pub fn value(self, text: &str) -> Result<u64, String> {
        let bad = || format!("`{text}` is not a value of type {self}");
        if let Some(bits) = text.strip_prefix("bits:") {
            return integer(bits).map(|v| v as u64 & self.mask()).ok_or_else(bad);
        }
        match self {
            Scalar::Bool => match text {
                "true" | "1" => Ok(1),
                "false" | "0" => Ok(0),
                _ => Err(bad()),
            },
            Scalar::Int(bits, signed) => {
                let v = integer(text).ok_or_else(bad)?;
                let low = if signed { -(1i128 << (bits - 1)) } else { 0 };
                let high = if signed { (1i128 << (bits - 1)) - 1 } else { (1i128 << bits) - 1 };
                // A hexadecimal number states the bits, also for signed types.
                let bits_of_signed = text.starts_with("0x") && v <= self.mask() as i128;
                if (v < low || v > high) && !bits_of_signed {
                    return Err(format!("{text} is out of the range of {self}"));
                }
                Ok(v as u64 & self.mask())
            }
            Scalar::Float(32) => hex_float(text, 32)
                .or_else(|| text.parse::<f32>().ok().map(|v| u64::from(v.to_bits())))
                .ok_or_else(bad),
            Scalar::Float(64) => {
                hex_float(text, 64).or_else(|| text.parse::<f64>().ok().map(f64::to_bits)).ok_or_else(bad)
            }
            Scalar::Float(_) => {
                if let Some(bits) = hex_float(text, 16) {
                    return Ok(bits);
                }
                let v: f64 = text.parse().map_err(|_| bad())?;
                let bits = f16_bits(v);
                match v.is_nan() || f16_value(bits) == v {
                    true => Ok(bits),
                    false => Err(format!("{text} is not exact in f16")),
                }
            }
        }
    }

    /// Like [`value`](Self::value), but truncates integers that are too large and rounds f16.
    pub fn wrapped(self, text: &str) -> Result<u64, String> {
        match (self, integer(text), text.parse::<f64>()) {
            (Scalar::Int(..), Some(v), _) => Ok(v as u64 & self.mask()),
            (Scalar::Float(16), _, Ok(v)) => Ok(f16_bits(v)),
            _ => self.value(text),
        }
    }

    /// True if the bits are those of a NaN.
    pub fn is_nan(self, bits: u64) -> bool {
        match self {
            Scalar::Float(16) => bits & 0x7fff > 0x7c00,
            Scalar::Float(32) => f32::from_bits(bits as u32).is_nan(),
            Scalar::Float(_) => f64::from_bits(bits).is_nan(),
            _ => false,
        }
    }

    /// Exact value of a float.
    pub fn to_f64(self, bits: u64) -> f64 {
        match self {
            Scalar::Float(16) => f16_value(bits),
            Scalar::Float(32) => f64::from(f32::from_bits(bits as u32)),
            _ => f64::from_bits(bits),
        }
    }

    /// Formats the value as text that [`Scalar::value`] reads back.
    pub fn show(self, bits: u64) -> String {
        match self {
            Scalar::Bool => (bits & 1 == 1).to_string(),
            Scalar::Int(n, true) => (((bits << (64 - n)) as i64) >> (64 - n)).to_string(),
            Scalar::Int(..) => (bits & self.mask()).to_string(),
            Scalar::Float(_) if self.is_nan(bits) => "nan".into(),
            Scalar::Float(_) => format!("{:?} (0x{:x})", self.to_f64(bits), bits & self.mask()),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool => f.write_str("bool"),
            Scalar::Int(bits, signed) => write!(f, "{}{bits}", if *signed { 'i' } else { 'u' }),
            Scalar::Float(bits) => write!(f, "f{bits}"),
        }
    }
}

/// Type of an operand or a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One scalar.
    Scalar(Scalar),
    /// Vector of 2 to 4 components.
    Vector(Scalar, u32),
    /// Matrix: columns, rows.
    Matrix(Scalar, u32, u32),
    /// Structure.
    Struct(Vec<Type>),
}

impl Type {
    /// Parses the name of a type.
    pub fn parse(name: &str) -> Result<Type, String> {
        let bad = || format!("`{name}` is not a type");
        if let Some(list) = name.strip_prefix('{').and_then(|n| n.strip_suffix('}')) {
            return list.split(',').map(Type::parse).collect::<Result<_, _>>().map(Type::Struct);
        }
        let mut parts = name.split('x');
        let scalar = parts.next().and_then(Scalar::parse).ok_or_else(bad)?;
        let sizes: Vec<u32> = parts
            .map(|p| p.parse().ok().filter(|n| (2..=4).contains(n)).ok_or_else(bad))
            .collect::<Result<_, _>>()?;
        match sizes[..] {
            [] => Ok(Type::Scalar(scalar)),
            [n] => Ok(Type::Vector(scalar, n)),
            [columns, rows] => Ok(Type::Matrix(scalar, columns, rows)),
            _ => Err(bad()),
        }
    }

    /// Types of the scalars, in order.
    pub fn leaves(&self) -> Vec<Scalar> {
        match self {
            Type::Scalar(s) => vec![*s],
            Type::Vector(s, n) => vec![*s; *n as usize],
            Type::Matrix(s, c, r) => vec![*s; (c * r) as usize],
            Type::Struct(list) => list.iter().flat_map(Type::leaves).collect(),
        }
    }

    /// Replaces the scalars by vectors of `n`; `None` if the type contains a vector or a matrix.
    pub fn widen(&self, n: u32) -> Option<Type> {
        match self {
            Type::Scalar(s) if n == 1 => Some(Type::Scalar(*s)),
            Type::Scalar(s) => Some(Type::Vector(*s, n)),
            Type::Struct(list) => list.iter().map(|t| t.widen(n)).collect::<Option<_>>().map(Type::Struct),
            Type::Vector(..) | Type::Matrix(..) => None,
        }
    }
}

/// Allowed difference between a result and the expected value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Tolerance {
    /// No difference (NaNs are equal to each other).
    #[default]
    Exact,
    /// Number of units in the last place of the expected value.
    Ulp(f64),
    /// An absolute difference.
    Abs(f64),
}

impl Tolerance {
    /// Parses `2ulp` or `0.001`.
    pub fn parse(text: &str) -> Result<Tolerance, String> {
        let number = |t: &str| t.parse::<f64>().map_err(|_| format!("`{text}` is not a tolerance"));
        match text.strip_suffix("ulp") {
            Some(n) => number(n).map(Tolerance::Ulp),
            None => number(text).map(Tolerance::Abs),
        }
    }

    /// True if `got` is within the tolerance of `want`.
    pub fn accepts(self, ty: Scalar, got: u64, want: u64) -> bool {
        let (got, want) = (got & ty.mask(), want & ty.mask());
        if got == want || (ty.is_nan(got) && ty.is_nan(want)) {
            return true;
        }
        let Scalar::Float(bits) = ty else { return false };
        let (g, w) = (ty.to_f64(got), ty.to_f64(want));
        if !g.is_finite() || !w.is_finite() {
            return false;
        }
        match self {
            Tolerance::Exact => false,
            Tolerance::Abs(d) => (g - w).abs() <= d,
            Tolerance::Ulp(n) => {
                let (precision, least) = match bits {
                    16 => (10, -24),
                    32 => (23, -149),
                    _ => (52, -1074),
                };
                let exponent = ((w.to_bits() >> 52 & 0x7ff) as i32 - 1023 - precision).max(least);
                (g - w).abs() <= n * power_of_two(exponent)
            }
        }
    }
}

fn power_of_two(e: i32) -> f64 {
    if e < -1022 { f64::from_bits(1 << (e + 1074).max(0)) } else { f64::from_bits(((e + 1023) as u64) << 52) }
}

/// Splits a line into values, without the ignored punctuation.
pub fn tokens(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',')).filter(|t| !t.is_empty())
}

fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |t| (true, t));
    let v = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse::<i128>().ok()?,
    };
    Some(if negative { -v } else { v })
}

/// Bits of an exactly representable value such as `0x1.8p-3`.
fn hex_float(text: &str, bits: u32) -> Option<u64> {
    let (negative, body) = text.strip_prefix('-').map_or((false, text), |t| (true, t));
    let (digits, exponent) = body.strip_prefix("0x")?.split_once('p')?;
    let mut e: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut m = u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    e -= 4 * fraction.len() as i32;
    let (precision, bias) = match bits {
        16 => (10, 15),
        32 => (23, 127),
        _ => (52, 1023),
    };
    let sign = u64::from(negative) << (bits - 1);
    if m == 0 {
        return Some(sign);
    }
    // Puts the leading bit at `precision` or, for denormals, at its place in the denormal format.
    let least = 1 - bias - precision;
    while m < 1 << precision && e > least {
        m <<= 1;
        e -= 1;
    }
    while m >= 2 << precision || e < least {
        if m & 1 == 1 {
            return None;
        }
        m >>= 1;
        e += 1;
    }
    if m < 1 << precision {
        return Some(sign | m);
    }
    let field = e + precision + bias;
    if field > 2 * bias {
        return None;
    }
    Some(sign | (field as u64) << precision | (m & ((1 << precision) - 1)))
}

/// Value of an f16 with these bits.
fn f16_value(bits: u64) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (e, m) = ((bits >> 10 & 31) as i32, (bits & 1023) as f64);
    sign * match e {
        0 => m * power_of_two(-24),
        31 if m == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (m + 1024.0) * power_of_two(e - 25),
    }
}

/// Bits of the f16 with the value `v`; if there is none, of the next f16 away from zero.
fn f16_bits(v: f64) -> u64 {
    if v.is_nan() {
        return 0x7e00;
    }
    let sign = if v.is_sign_negative() { 0x8000 } else { 0 };
    // Finite values have the same order as their bits.
    let (mut low, mut high) = (0u64, 0x7c00u64);
    while low < high {
        let middle = (low + high) / 2;
        if f16_value(middle) < v.abs() { low = middle + 1 } else { high = middle }
    }
    sign | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling() {
        let f = Scalar::Float(32);
        assert_eq!(f.value("0x1.8p1").unwrap(), u64::from(3f32.to_bits()));
        assert_eq!(f.value("-0x1p-149").unwrap(), 0x8000_0001);
        assert_eq!(f.value("0x1.fffffep127").unwrap(), u64::from(f32::MAX.to_bits()));
        assert_eq!(f.value("-0.0").unwrap(), 0x8000_0000);
        assert_eq!(f.value("inf").unwrap(), 0x7f80_0000);
        assert_eq!(Scalar::Float(16).value("65504").unwrap(), 0x7bff);
        assert_eq!(Scalar::Float(16).value("0x1p-24").unwrap(), 1);
        assert_eq!(Scalar::Float(16).value("-1.5").unwrap(), 0xbe00);
        assert!(Scalar::Float(16).value("0.1").is_err());
        assert_eq!(Scalar::Int(8, true).value("-128").unwrap(), 0x80);
        assert!(Scalar::Int(8, true).value("128").is_err());
        assert_eq!(Scalar::Int(32, true).value("0x80000000").unwrap(), 0x8000_0000);
        assert_eq!(Type::parse("f32x2x3").unwrap(), Type::Matrix(f, 2, 3));
        assert_eq!(Type::parse("{u32,u32}").unwrap().leaves().len(), 2);
    }

    #[test]
    fn tolerance() {
        let f = Scalar::Float(32);
        let one = u64::from(1f32.to_bits());
        assert!(Tolerance::Ulp(2.0).accepts(f, one + 2, one));
        assert!(!Tolerance::Ulp(2.0).accepts(f, one + 3, one));
        assert!(Tolerance::Exact.accepts(f, 0x7fc0_0000, 0xffc0_0001));
        assert!(!Tolerance::Ulp(4.0).accepts(f, 0x7f80_0000, one));
        assert!(Tolerance::Abs(0.5).accepts(f, u64::from(1.5f32.to_bits()), one));
    }
}
