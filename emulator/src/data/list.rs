//! Converts lists of values as people write them, `f32:1,0.5,0*64`, to bytes and back.
//!
//! Values are little-endian without padding, as shaders see them in buffers. Error messages describe the text.

use quadrille_jit::ops::parse_half;
use quadrille_jit::reserve;

/// A value, or a message about the text.
pub type Result<T> = std::result::Result<T, String>;

/// Type of the elements of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Signed integer of this many bytes.
    Int(usize),
    /// Unsigned integer of this many bytes.
    Uint(usize),
    /// Float of this many bytes: 2, 4 or 8.
    Float(usize),
    /// Bytes in hexadecimal.
    Hex,
}

const NAMES: &[(&str, Type)] = &[
    ("f32", Type::Float(4)),
    ("i32", Type::Int(4)),
    ("u32", Type::Uint(4)),
    ("f64", Type::Float(8)),
    ("i64", Type::Int(8)),
    ("u64", Type::Uint(8)),
    ("f16", Type::Float(2)),
    ("i16", Type::Int(2)),
    ("u16", Type::Uint(2)),
    ("i8", Type::Int(1)),
    ("u8", Type::Uint(1)),
    ("hex", Type::Hex),
];

/// Names of the types, for help texts.
pub fn type_names() -> String {
    NAMES.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" ")
}

impl Type {
    /// Returns the type called `name`.
    ///
    /// # Errors
    /// A name that is not a type; the message lists all types.
    pub fn parse(name: &str) -> Result<Type> {
        NAMES
            .iter()
            .find(|(n, _)| *n == name.trim())
            .map(|(_, t)| *t)
            .ok_or_else(|| format!("`{name}` is not a type; types: {}", type_names()))
    }

    /// Size of an element, in bytes.
    pub fn bytes(self) -> usize {
        match self {
            Type::Int(n) | Type::Uint(n) | Type::Float(n) => n,
            Type::Hex => 1,
        }
    }

    /// Encodes a list of values, which commas or white space separate. A comma may end the list.
    ///
    /// # Errors
    /// Words that are not values of the type, numbers that only infinity would represent, and commas without a value
    /// before them.
    pub fn encode(self, values: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut parts = values.split(',').enumerate().peekable();
        while let Some((n, part)) = parts.next() {
            if part.trim().is_empty() && parts.peek().is_some() {
                return Err(format!("there is no value before comma {}", n + 1));
            }
            self.encode_words(part, &mut bytes)?;
        }
        Ok(bytes)
    }

    /// Encodes values, which white space separates.
    fn encode_words(self, values: &str, bytes: &mut Vec<u8>) -> Result<()> {
        for word in values.split_whitespace() {
            // `0*64` repeats the value.
            let (value, times) = match word.split_once('*') {
                Some((value, times)) => (value, times.parse::<usize>().map_err(|_| self.bad(word))?),
                None => (word, 1),
            };
            let one = self.encode_one(value)?;
            if times.saturating_mul(one.len()).saturating_add(bytes.len()) > MAX_BYTES {
                return Err(format!("`{word}` makes a buffer of more than {MAX_BYTES} bytes"));
            }
            let room = reserve::grow(bytes, times * one.len());
            room.map_err(|e| e.to_string())?;
            for _ in 0..times {
                bytes.extend(&one);
            }
        }
        Ok(())
    }

    /// Encodes one value.
    ///
    /// # Errors
    /// A word that is not a value of the type, or a number that only infinity would represent.
    pub fn encode_one(self, word: &str) -> Result<Vec<u8>> {
        let bad = || self.bad(word);
        // A number with digits is not infinite.
        let fits = |infinite: bool| {
            if infinite && word.contains(|c: char| c.is_ascii_digit()) { Err(bad()) } else { Ok(()) }
        };
        match self {
            Type::Float(2) => {
                let bits = parse_half(word).ok_or_else(bad)?;
                fits(half_value(bits).is_infinite())?;
                Ok(bits.to_le_bytes().to_vec())
            }
            Type::Float(4) => {
                let value = word.parse::<f32>().map_err(|_| bad())?;
                fits(value.is_infinite())?;
                Ok(value.to_le_bytes().to_vec())
            }
            Type::Float(_) => {
                let value = word.parse::<f64>().map_err(|_| bad())?;
                fits(value.is_infinite())?;
                Ok(value.to_le_bytes().to_vec())
            }
            Type::Int(n) => {
                let value = integer(word).ok_or_else(bad)?;
                let half = 1i128 << (8 * n - 1);
                // A hexadecimal value may be the bit pattern of a negative number.
                let top = if word.starts_with("0x") { 2 * half } else { half };
                if value < -half || value >= top {
                    return Err(bad());
                }
                Ok(value.to_le_bytes()[..n].to_vec())
            }
            Type::Uint(n) => {
                let value = integer(word).filter(|v| (0..1i128 << (8 * n)).contains(v)).ok_or_else(bad)?;
                Ok(value.to_le_bytes()[..n].to_vec())
            }
            Type::Hex => {
                let digits = word.strip_prefix("0x").unwrap_or(word);
                if digits.is_empty() || !digits.len().is_multiple_of(2) || !digits.is_ascii() {
                    return Err(bad());
                }
                (0..digits.len() / 2)
                    .map(|n| u8::from_str_radix(&digits[2 * n..2 * n + 2], 16).map_err(|_| bad()))
                    .collect()
            }
        }
    }

    /// Name of the type.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, t)| *t == self).map_or("", |(n, _)| n)
    }

    fn bad(self, word: &str) -> String {
        format!("`{word}` is not a value of type {}", self.name())
    }

    /// Number of elements in this number of bytes.
    ///
    /// # Errors
    /// Bytes that are left over.
    pub fn count(self, bytes: usize) -> Result<usize> {
        match bytes % self.bytes() {
            0 => Ok(bytes / self.bytes()),
            rest => Err(format!(
                "{bytes} bytes are not a whole number of elements of {}: {rest} bytes remain",
                self.name()
            )),
        }
    }

    /// Yields the elements as printed text.
    ///
    /// # Errors
    /// Bytes that are left over.
    pub fn decode(self, bytes: &[u8]) -> Result<impl Iterator<Item = String> + '_> {
        self.count(bytes.len())?;
        Ok(bytes.chunks_exact(self.bytes()).map(move |b| self.decode_one(b)))
    }

    fn decode_one(self, b: &[u8]) -> String {
        let mut wide = [0; 8];
        wide[..b.len()].copy_from_slice(b);
        let bits = u64::from_le_bytes(wide);
        match self {
            Type::Float(2) => float(half_value(bits as u16).into(), half_value(bits as u16)),
            Type::Float(4) => float(f32::from_bits(bits as u32).into(), f32::from_bits(bits as u32)),
            Type::Float(_) => float(f64::from_bits(bits), f64::from_bits(bits)),
            Type::Int(n) => {
                let shift = 64 - 8 * n as u32;
                (((bits << shift) as i64) >> shift).to_string()
            }
            Type::Uint(_) => bits.to_string(),
            Type::Hex => format!("{bits:02x}"),
        }
    }

    /// Yields the elements as JSON. Floats that JSON cannot express are strings.
    ///
    /// # Errors
    /// Bytes that are left over.
    pub fn decode_json(self, bytes: &[u8]) -> Result<impl Iterator<Item = String> + '_> {
        Ok(self.decode(bytes)?.map(move |text| {
            let number = self != Type::Hex && text.parse::<f64>().is_ok_and(f64::is_finite);
            if number { text } else { format!("\"{text}\"") }
        }))
    }
}

/// Formats a float so that parsing it gives the same float; very large and small values get an exponent.
fn float<T: std::fmt::Display + std::fmt::LowerExp>(value: f64, exact: T) -> String {
    let size = value.abs();
    if size.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
        return format!("{exact:e}");
    }
    exact.to_string()
}

/// Returns true for `TYPE:VALUES` or `zeros:BYTES`, as opposed to a file name.
pub fn is_list(text: &str) -> bool {
    text.split_once(':').is_some_and(|(ty, _)| ty == "zeros" || Type::parse(ty).is_ok())
}

/// Encodes `TYPE:VALUES` or `zeros:BYTES`.
///
/// # Errors
/// A text of another form, and the errors of [`Type::encode`]; more than [`MAX_BYTES`], or more than the host has
/// memory for.
pub fn encode(text: &str) -> Result<Vec<u8>> {
    match text.split_once(':') {
        Some(("zeros", _)) => reserve::zeroed(bytes(text, "zeros:")?).map_err(|e| e.to_string()),
        Some((ty, values)) => Type::parse(ty)?.encode(values),
        None => Err(format!("`{text}` is not TYPE:VALUES, as in f32:1,2,3, or zeros:BYTES")),
    }
}

/// The number of bytes after `prefix`, as in `zeros:16`.
///
/// # Errors
/// A text that is not a number, or more than [`MAX_BYTES`].
pub fn bytes(text: &str, prefix: &str) -> Result<usize> {
    let n = text.strip_prefix(prefix).unwrap_or(text);
    let n: usize = n.trim().parse().map_err(|_| format!("`{text}`: `{n}` is not a number of bytes"))?;
    match n > MAX_BYTES {
        true => Err(format!("`{text}` is more than {MAX_BYTES} bytes")),
        false => Ok(n),
    }
}

/// Largest buffer that a list may produce, in bytes.
pub const MAX_BYTES: usize = 1 << 32;

fn integer(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => i128::from(u64::from_str_radix(hex, 16).ok()?),
        None => i128::from(digits.parse::<u64>().ok()?),
    };
    Some(if negative { -value } else { value })
}

fn half_value(bits: u16) -> f32 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff));
    match exponent {
        0 => sign * mantissa * 2f32.powi(-24),
        31 if mantissa == 0.0 => sign * f32::INFINITY,
        31 => f32::NAN,
        e => sign * (1024.0 + mantissa) * 2f32.powi(e - 25),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        for (name, text) in [
            ("f32", "1,-0,0.5,inf,1e-45"),
            ("i32", "-2147483648,2147483647"),
            ("u32", "0,4294967295"),
            ("i8", "-128,127"),
            ("u64", "18446744073709551615"),
            ("f16", "65504,-0.000000059604645,0.000060975552,1,0.33325195"),
            ("hex", "00,ff"),
        ] {
            let t = Type::parse(name).unwrap();
            let bytes = t.encode(text).unwrap();
            let printed: Vec<String> = t.decode(&bytes).unwrap().collect();
            assert_eq!(t.encode(&printed.join(" ")).unwrap(), bytes, "{name}");
            assert_eq!(printed.len(), text.split(',').count(), "{name}");
        }
        assert_eq!(Type::parse("u32").unwrap().encode("0xff*2").unwrap(), [255, 0, 0, 0, 255, 0, 0, 0]);
        let minus = Type::Int(4).encode("0xffffffff").unwrap();
        assert_eq!(Type::parse("i32").unwrap().decode(&minus).unwrap().collect::<Vec<_>>(), ["-1"]);
    }

    #[test]
    fn floats_have_exponents() {
        let show = |x: f32| Type::Float(4).decode(&x.to_le_bytes()).unwrap().collect::<String>();
        for (value, text) in [
            (1e-45, "1e-45"),
            (3.4e38, "3.4e38"),
            (0.0001, "0.0001"),
            (-1e-7, "-1e-7"),
            (0.0, "0"),
            (1e6, "1000000"),
        ] {
            assert_eq!(show(value), text);
        }
        let json: Vec<String> = Type::Float(4).decode_json(&f32::INFINITY.to_le_bytes()).unwrap().collect();
        assert_eq!(json, ["\"inf\""]);
    }

    #[test]
    fn halves() {
        for (value, bits) in [
            ("1", 0x3c00u16),
            ("-2", 0xc000),
            ("65504", 0x7bff),
            ("inf", 0x7c00),
            ("5.9604645e-8", 1),
            ("0.1", 0x2e66),
            // Just above the middle of 1 and the next half float.
            ("1.000488281250001", 0x3c01),
        ] {
            assert_eq!(Type::Float(2).encode_one(value).unwrap(), bits.to_le_bytes(), "{value}");
        }
        assert!(Type::Float(2).encode_one("65520").is_err());
        for bits in (0..0x7c00).step_by(7) {
            assert_eq!(parse_half(&half_value(bits).to_string()), Some(bits));
        }
    }

    #[test]
    fn bad_values() {
        for (name, text) in
            [("i8", "128"), ("u8", "-1"), ("u32", "4294967296"), ("f32", "x"), ("hex", "abc"), ("u32", "1*x")]
        {
            assert!(Type::parse(name).unwrap().encode(text).is_err(), "{name}:{text}");
        }
        assert!(Type::parse("float").is_err());
        assert!(Type::parse("u8").unwrap().encode("0*99999999999999").is_err());
    }
}
