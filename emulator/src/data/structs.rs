//! Decodes the bytes of a buffer by the members of a shader's block.

use quadrille_jit::spirv::reflect::{BlockInfo, Member};
use serde_json::{Map, Value};

use super::shape::{dimensions, shape};
use crate::error::{Error, Result};

/// Largest number of values decoded from one buffer; longer buffers must be read as bytes.
const MAX_VALUES: usize = 1 << 20;

/// Decodes the members by name. A trailing runtime-sized array has as many elements as the bytes hold.
pub(crate) fn decode(block: &BlockInfo, bytes: &[u8]) -> Result<Value> {
    let mut left = MAX_VALUES;
    members(&block.members, 0, bytes.len(), bytes, &mut left)
}

fn members(list: &[Member], base: usize, end: usize, bytes: &[u8], left: &mut usize) -> Result<Value> {
    // naga wraps a block in a structure with one unnamed member, which is skipped.
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
    let (element, lengths) = dimensions(&m.ty);
    let mut strides = std::iter::once(&m.array_stride).chain(&m.inner_strides).map(|s| *s as usize);
    let sizes: Option<Vec<(usize, usize)>> = lengths
        .iter()
        .map(|length| {
            let stride = strides.next().filter(|s| *s > 0)?;
            Some((length.unwrap_or(end.saturating_sub(base) / stride), stride))
        })
        .collect();
    let sizes = sizes.ok_or_else(|| {
        Error::unsupported(format!("showing `{}` of type {}: read the buffer as one type", m.name, m.ty))
    })?;
    if sizes.iter().fold(1usize, |n, (count, _)| n.saturating_mul(*count)) > MAX_VALUES {
        return Err(too_many());
    }
    array(m, element, &sizes, base, end, bytes, left)
}

fn too_many() -> Error {
    Error::Limit(format!("more than {MAX_VALUES} values: read the buffer as one type"))
}

/// Decodes the elements of an array; `sizes` has the lengths and strides, outermost first.
fn array(
    m: &Member,
    element: &str,
    sizes: &[(usize, usize)],
    base: usize,
    end: usize,
    bytes: &[u8],
    left: &mut usize,
) -> Result<Value> {
    let Some((&(count, stride), inner)) = sizes.split_first() else {
        return value(m, element, base, end, bytes, left);
    };
    let one =
        |i: usize| array(m, element, inner, base.saturating_add(i.saturating_mul(stride)), end, bytes, left);
    Ok(Value::Array((0..count).map(one).collect::<Result<_>>()?))
}

/// Decodes one element of a member.
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
        *left = left.checked_sub(1).ok_or_else(too_many)?;
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
            inner_strides: Vec::new(),
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
        let grid = Member { inner_strides: vec![4], ..member("g", 16, "float[2][2]", 8) };
        let block = BlockInfo { name: "B".into(), size: 16, members: vec![grid] };
        assert_eq!(decode(&block, &bytes).unwrap(), json!({ "g": [[1.0, 2.0], [3.0, 4.0]] }));
        let huge =
            BlockInfo { name: "B".into(), size: 16, members: vec![member("m", 0, "float[9999999]", 4)] };
        assert!(decode(&huge, &bytes).is_err());
    }
}
