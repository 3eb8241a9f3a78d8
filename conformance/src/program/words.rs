//! Words of directives: places, numbers, types, and lists of values.

use crate::value::{Scalar, tokens};

/// `SET.BINDING`.
pub(super) fn pair(text: &str) -> Result<(u32, u32), String> {
    let (a, b) = text.split_once('.').ok_or_else(|| format!("`{text}` is not SET.BINDING"))?;
    Ok((number(a)?, number(b)?))
}

/// `SET.BINDING` or `SET.BINDING[ELEMENT]`.
pub(super) fn place(text: &str) -> Result<(u32, u32, Option<u32>), String> {
    let (place, element) =
        text.split_once('[').map_or((text, None), |(p, e)| (p, Some(e.trim_end_matches(']'))));
    let (set, binding) = pair(place)?;
    Ok((set, binding, element.map(number).transpose()?))
}

pub(super) fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

pub(super) fn scalar(text: &str) -> Result<Scalar, String> {
    Scalar::parse(text).ok_or_else(|| format!("`{text}` is not a scalar type"))
}

/// Parses rows of 0 and 1.
pub(super) fn bits(text: &str) -> Result<Vec<bool>, String> {
    text.chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(format!("`{c}` is not 0 or 1")),
        })
        .collect()
}

/// Bytes of a value in memory.
pub(super) fn memory(ty: Scalar, bits: u64) -> Vec<u8> {
    let n = match ty {
        Scalar::Bool => 4,
        _ => ty.bits() as usize / 8,
    };
    bits.to_le_bytes()[..n].to_vec()
}

/// Parses a list: values, `_`, `VALUE*COUNT`, `iota COUNT`, `zeros COUNT`.
pub(super) fn values(ty: Scalar, text: &str) -> Result<Vec<Option<u64>>, String> {
    const MOST: u32 = 1 << 20;
    let count = |text: Option<&str>| {
        let n = number(text.ok_or("a count is wanted")?)?;
        if n <= MOST { Ok(n) } else { Err(format!("more than {MOST} values")) }
    };
    let mut out = Vec::new();
    let mut list = tokens(text);
    while let Some(token) = list.next() {
        match token {
            "iota" => {
                for i in 0..count(list.next())? {
                    out.push(Some(ty.value(&i.to_string())?));
                }
            }
            "zeros" => out.extend((0..count(list.next())?).map(|_| Some(0))),
            _ => {
                let (value, n) = match token.split_once('*') {
                    Some((value, n)) => (value, count(Some(n))?),
                    None => (token, 1),
                };
                let value = if value == "_" { None } else { Some(ty.value(value)?) };
                out.extend((0..n).map(|_| value));
            }
        }
    }
    Ok(out)
}
