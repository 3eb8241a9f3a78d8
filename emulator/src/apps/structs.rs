//! The bytes of a buffer as the members that a shader's block has.

use quadrille_jit::spirv::reflect::{BlockInfo, Member};
use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// Values that are shown of one buffer: what is longer is to be read as bytes.
const MAX_VALUES: usize = 1 << 20;

/// The members by name; an array at the end has as many elements as the bytes hold.
pub(super) fn decode(block: &BlockInfo, bytes: &[u8]) -> Result<Value> {
    let mut left = MAX_VALUES;
    members(&block.members, 0, bytes.len(), bytes, &mut left)
}

fn members(list: &[Member], base: usize, end: usize, bytes: &[u8], left: &mut usize) -> Result<Value> {
    // What naga wraps a block in has no name: it is left out.
    if let [only] = list
        && only.name.is_empty()
    {
        return member(only, base, end, bytes, left);
    }
    let mut map = Map::new();
    for (i, m) in list.iter().enumerate() {
        let name = if m.name.is_empty() { format!("member{i}") } else { m.name.clone() };
        map.insert(name, member(m, base, end, bytes, left)?);
    }
    Ok(Value::Object(map))
}

fn member(m: &Member, base: usize, end: usize, bytes: &[u8], left: &mut usize) -> Result<Value> {
    let base = base.saturating_add(m.offset as usize);
    let Some((element, dimensions)) = m.ty.split_once('[') else {
        return value(m, &m.ty, base, end, bytes, left);
    };
    // Arrays of arrays are one list: only the innermost stride is known.
    let stride = m.array_stride as usize;
    let count = dimensions.split('[').try_fold(1usize, |n, d| match d.strip_suffix(']') {
        Some("") => Some(n.saturating_mul(end.saturating_sub(base).checked_div(stride)?)),
        Some(d) => Some(n.saturating_mul(d.parse().ok()?)),
        None => None,
    });
    let count = count.filter(|_| stride > 0).ok_or_else(|| {
        Error::unsupported(format!("showing `{}` of type {}: read the buffer as one type", m.name, m.ty))
    })?;
    let one = |i: usize| value(m, element, base.saturating_add(i.saturating_mul(stride)), end, bytes, left);
    Ok(Value::Array((0..count.min(MAX_VALUES + 1)).map(one).collect::<Result<_>>()?))
}

/// One element of a member.
fn value(m: &Member, ty: &str, at: usize, end: usize, bytes: &[u8], left: &mut usize) -> Result<Value> {
    if !m.members.is_empty() {
        return members(&m.members, at, end, bytes, left);
    }
    let Some((scalar, columns, rows)) = shape(ty) else {
        return Err(Error::unsupported(format!(
            "showing `{}` of type {ty}: read the buffer as one type",
            m.name
        )));
    };
    let width = scalar.bytes();
    let stride = m.matrix_stride as usize;
    let mut component = |column: usize, row: usize| {
        *left = left.checked_sub(1).ok_or_else(|| {
            Error::Limit(format!("more than {MAX_VALUES} values: read the buffer as one type"))
        })?;
        let at = match (columns, m.row_major) {
            (1, _) => at + row * width,
            (_, false) => at + column * stride + row * width,
            (_, true) => at + row * stride + column * width,
        };
        Ok(at.checked_add(width).and_then(|e| bytes.get(at..e)).map_or(Value::Null, |b| scalar.value(b)))
    };
    if columns == 1 && rows == 1 {
        return component(0, 0);
    }
    let mut list = Vec::new();
    for column in 0..columns {
        let vector = (0..rows).map(|row| component(column, row)).collect::<Result<Vec<_>>>()?;
        list.push(Value::Array(vector));
    }
    Ok(if columns == 1 { list.remove(0) } else { Value::Array(list) })
}

/// What a component is.
#[derive(Clone, Copy)]
enum Scalar {
    Float(usize),
    Int(usize),
    Uint(usize),
    Bool,
}

impl Scalar {
    fn bytes(self) -> usize {
        match self {
            Scalar::Float(n) | Scalar::Int(n) | Scalar::Uint(n) => n,
            Scalar::Bool => 4,
        }
    }

    fn value(self, bytes: &[u8]) -> Value {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(word);
        let shift = 64 - 8 * self.bytes() as u32;
        let float = |x: f64, text: String| {
            // A float is shown as short as it can be: as itself, not as the double that it is too.
            let short = text.parse().ok().and_then(serde_json::Number::from_f64);
            short.filter(|_| x.is_finite()).map_or(Value::String(text), Value::Number)
        };
        match self {
            Scalar::Float(2) => {
                let x = half::f16::from_bits(bits as u16);
                float(x.into(), x.to_string())
            }
            Scalar::Float(4) => {
                let x = f32::from_bits(bits as u32);
                float(x.into(), x.to_string())
            }
            Scalar::Float(_) => float(f64::from_bits(bits), f64::from_bits(bits).to_string()),
            Scalar::Int(_) => (((bits << shift) as i64) >> shift).into(),
            Scalar::Uint(_) => bits.into(),
            Scalar::Bool => (bits != 0).into(),
        }
    }
}

/// Component, columns and rows of `float`, `u16vec3`, `dmat4`, ...
fn shape(ty: &str) -> Option<(Scalar, usize, usize)> {
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

/// What stands before `vec` and `mat`: nothing, `i`, `u16`, `d`, ...
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn member(name: &str, offset: u32, ty: &str, array_stride: u32) -> Member {
        Member {
            name: name.into(),
            offset,
            ty: ty.into(),
            size: 0,
            array_stride,
            matrix_stride: 8,
            row_major: false,
            members: Vec::new(),
        }
    }

    #[test]
    fn members_by_name() {
        let words = [
            1.5f32.to_bits(),
            7,
            0,
            0,
            1.0f32.to_bits(),
            2.0f32.to_bits(),
            3.0f32.to_bits(),
            4.0f32.to_bits(),
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let item = Member { members: vec![member("p", 0, "vec2", 0)], ..member("items", 16, "Item[]", 8) };
        let list = vec![member("a", 0, "float", 0), member("n", 4, "uint", 0), item];
        let block = BlockInfo { name: "B".into(), size: 16, members: list };
        let expected = json!({ "a": 1.5, "n": 7, "items": [{ "p": [1.0, 2.0] }, { "p": [3.0, 4.0] }] });
        assert_eq!(decode(&block, &bytes).unwrap(), expected);
        let block = BlockInfo { name: "B".into(), size: 16, members: vec![member("m", 16, "mat2", 0)] };
        assert_eq!(decode(&block, &bytes).unwrap(), json!({ "m": [[1.0, 2.0], [3.0, 4.0]] }));
        let huge =
            BlockInfo { name: "B".into(), size: 16, members: vec![member("m", 0, "float[9999999]", 4)] };
        assert!(decode(&huge, &bytes).is_err());
    }
}
