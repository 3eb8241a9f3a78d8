//! Types by their names in reflection (`float`, `u16vec3`, `mat4[2]`): their components, and component values as bytes
//! and text.

/// Type of a component, with its size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Float(usize),
    Int(usize),
    Uint(usize),
    Bool,
}

impl Scalar {
    /// Size in bytes.
    pub fn bytes(self) -> usize {
        match self {
            Scalar::Float(n) | Scalar::Int(n) | Scalar::Uint(n) => n,
            Scalar::Bool => 4,
        }
    }

    /// Formats the bytes of a component: a float as the shortest text with its value.
    pub fn text(self, bytes: &[u8]) -> String {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(word);
        let shift = 64 - 8 * self.bytes() as u32;
        match self {
            Scalar::Float(2) => format!("{:?}", half::f16::from_bits(bits as u16)),
            Scalar::Float(4) => format!("{:?}", f32::from_bits(bits as u32)),
            Scalar::Float(_) => format!("{:?}", f64::from_bits(bits)),
            Scalar::Int(_) => (((bits << shift) as i64) >> shift).to_string(),
            Scalar::Uint(_) => bits.to_string(),
            Scalar::Bool => (bits != 0).to_string(),
        }
    }

    /// Converts the bytes of a component to JSON. Floats that JSON cannot express are strings.
    #[cfg(feature = "json")]
    pub fn value(self, bytes: &[u8]) -> serde_json::Value {
        let text = self.text(bytes);
        // Float of 64 bits with the digits of the shorter one, not of the equal double.
        let float = |text: &str| text.parse().ok().and_then(serde_json::Number::from_f64);
        match self {
            Scalar::Float(_) => float(&text).map_or_else(|| text.into(), serde_json::Value::Number),
            _ => text.parse().expect("integers and booleans are values of JSON"),
        }
    }

    /// Parses a value into little-endian bytes: `1`, `-0.5`, `0xff`, `true`.
    ///
    /// Booleans of GLSL are 32-bit unsigned integers in memory, so these also accept `true` and `false`.
    pub fn parse(self, text: &str) -> Option<Vec<u8>> {
        let word = match text {
            "true" => Some(1u32),
            "false" => Some(0),
            _ => None,
        };
        if let (Some(word), Scalar::Int(4) | Scalar::Uint(4) | Scalar::Bool) = (word, self) {
            return Some(word.to_le_bytes().to_vec());
        }
        match self {
            Scalar::Float(n) => {
                let (bytes, infinite) = match n {
                    2 => {
                        let x = half::f16::from_bits(quadrille_jit::ops::parse_half(text)?);
                        (x.to_le_bytes().to_vec(), x.is_infinite())
                    }
                    4 => {
                        let x: f32 = text.parse().ok()?;
                        (x.to_le_bytes().to_vec(), x.is_infinite())
                    }
                    _ => {
                        let x: f64 = text.parse().ok()?;
                        (x.to_le_bytes().to_vec(), x.is_infinite())
                    }
                };
                // Refuse a number that overflows to infinity.
                let beyond = infinite && text.contains(|c: char| c.is_ascii_digit());
                (!beyond).then_some(bytes)
            }
            Scalar::Int(_) | Scalar::Uint(_) => self.integer(text),
            Scalar::Bool => matches!(text, "0" | "1").then(|| u32::from(text == "1").to_le_bytes().to_vec()),
        }
    }

    fn integer(self, text: &str) -> Option<Vec<u8>> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let size = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse::<u64>(),
        };
        let value = i128::from(size.ok()?) * if negative { -1 } else { 1 };
        let bits = 8 * self.bytes() as u32;
        let half = 1i128 << (bits - 1);
        let fits = match self {
            Scalar::Int(_) => -half..half,
            _ => 0..2 * half,
        };
        fits.contains(&value).then(|| value.to_le_bytes()[..self.bytes()].to_vec())
    }
}

/// Returns the component type, columns and rows of `float`, `u16vec3`, `dmat4`, ...
pub(crate) fn shape(ty: &str) -> Option<(Scalar, usize, usize)> {
    let side = |text: &str| text.parse::<usize>().ok().filter(|n| (2..=4).contains(n));
    if let Some((prefix, sides)) = ty.split_once("mat") {
        let (columns, rows) = sides.split_once('x').unwrap_or((sides, sides));
        return Some((prefixed(prefix)?, side(columns)?, side(rows)?));
    }
    if let Some((prefix, n)) = ty.split_once("vec") {
        return Some((prefixed(prefix)?, 1, side(n)?));
    }
    let scalar = match ty {
        "float" => Scalar::Float(4),
        "double" => Scalar::Float(8),
        "int" => Scalar::Int(4),
        "uint" => Scalar::Uint(4),
        "bool" => Scalar::Bool,
        _ => {
            let word = ty.strip_suffix("_t")?;
            let at = word.find(|c: char| c.is_ascii_digit())?;
            let bytes = word[at..].parse::<usize>().ok().filter(|n| matches!(n, 8 | 16 | 32 | 64))? / 8;
            match &word[..at] {
                "float" => Scalar::Float(bytes),
                "int" => Scalar::Int(bytes),
                "uint" => Scalar::Uint(bytes),
                _ => return None,
            }
        }
    };
    Some((scalar, 1, 1))
}

/// Returns the component type for the prefix of `vec` or `mat`: none, `i`, `u16`, `d`, ...
fn prefixed(prefix: &str) -> Option<Scalar> {
    let at = prefix.find(|c: char| c.is_ascii_digit()).unwrap_or(prefix.len());
    let bytes = match &prefix[at..] {
        "" => 4,
        bits => bits.parse::<usize>().ok().filter(|n| matches!(n, 8 | 16 | 32 | 64))? / 8,
    };
    Some(match &prefix[..at] {
        "" | "f" => Scalar::Float(bytes),
        "d" => Scalar::Float(8),
        "i" => Scalar::Int(bytes),
        "u" => Scalar::Uint(bytes),
        "b" => Scalar::Bool,
        _ => return None,
    })
}

/// Returns the element type and lengths of `vec2[4][3]`, outermost first; `None` for an array without a length.
pub(crate) fn dimensions(ty: &str) -> (&str, Vec<Option<usize>>) {
    let mut parts = ty.split('[');
    let element = parts.next().unwrap_or(ty);
    (element, parts.map(|n| n.strip_suffix(']').and_then(|n| n.parse().ok())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types() {
        for (ty, expected) in [
            ("float", Some((Scalar::Float(4), 1, 1))),
            ("mat4", Some((Scalar::Float(4), 4, 4))),
            ("dmat2x3", Some((Scalar::Float(8), 2, 3))),
            ("u16vec3", Some((Scalar::Uint(2), 1, 3))),
            ("i64vec2", Some((Scalar::Int(8), 1, 2))),
            ("float16_t", Some((Scalar::Float(2), 1, 1))),
            ("f16vec4", Some((Scalar::Float(2), 1, 4))),
            ("int8_t", Some((Scalar::Int(1), 1, 1))),
            ("bvec2", Some((Scalar::Bool, 1, 2))),
            ("Light", None),
            ("vec5", None),
        ] {
            assert_eq!(shape(ty), expected, "{ty}");
        }
        assert_eq!(dimensions("vec2[4][]"), ("vec2", vec![Some(4), None]));
        assert_eq!(dimensions("vec2"), ("vec2", vec![]));
    }

    #[test]
    fn texts_of_values() {
        let le = |scalar: Scalar, text: &str| scalar.parse(text);
        assert_eq!(le(Scalar::Float(4), "-0.5"), Some((-0.5f32).to_le_bytes().to_vec()));
        assert_eq!(le(Scalar::Float(8), "0.1"), Some(0.1f64.to_le_bytes().to_vec()));
        // Just above the middle of 1 and the half float after it, 1 + 2^-10; the middle is even.
        assert_eq!(le(Scalar::Float(2), "1.000488281250001"), Some(0x3c01u16.to_le_bytes().to_vec()));
        let text = "1.00048828125000000000000001";
        assert_eq!(le(Scalar::Float(2), text), Some(0x3c01u16.to_le_bytes().to_vec()));
        assert_eq!(le(Scalar::Float(2), "1.00048828125"), Some(0x3c00u16.to_le_bytes().to_vec()));
        // 1.5 in binary16: sign 0, exponent 15, fraction 0x200.
        assert_eq!(le(Scalar::Float(2), "1.5"), Some(0x3e00u16.to_le_bytes().to_vec()));
        assert_eq!(le(Scalar::Float(4), "inf"), Some(f32::INFINITY.to_le_bytes().to_vec()));
        assert_eq!(le(Scalar::Int(1), "-128"), Some(vec![0x80]));
        assert_eq!(le(Scalar::Uint(2), "0xffff"), Some(vec![0xff, 0xff]));
        assert_eq!(le(Scalar::Uint(8), "18446744073709551615"), Some(vec![0xff; 8]));
        assert_eq!(le(Scalar::Int(8), "-9223372036854775808"), Some(i64::MIN.to_le_bytes().to_vec()));
        assert_eq!(le(Scalar::Uint(4), "true"), Some(vec![1, 0, 0, 0]));
        assert_eq!(le(Scalar::Bool, "1"), Some(vec![1, 0, 0, 0]));
        for (scalar, text) in [
            (Scalar::Int(1), "128"),
            (Scalar::Uint(1), "-1"),
            (Scalar::Uint(4), "4294967296"),
            (Scalar::Int(4), "1.5"),
            (Scalar::Float(2), "70000"),
            (Scalar::Float(4), "1e39"),
            (Scalar::Float(4), "x"),
            (Scalar::Bool, "2"),
            (Scalar::Uint(2), "true"),
            (Scalar::Int(4), ""),
        ] {
            assert_eq!(scalar.parse(text), None, "{scalar:?} {text}");
        }
    }
}
