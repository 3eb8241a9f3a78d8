//! Values for uniforms by name, as they are given on a command line: `color=1,0.5,0,1`.
//!
//! A name is that of a member of a uniform block or of push constants; members of structures follow a dot, elements
//! of arrays an index in brackets: `lights[2].power`. A value has as many numbers as the member has components, column
//! by column, element by element.

use quadrille_jit::spirv::reflect::{BlockInfo, Member};

use crate::error::{Error, Result};

/// A uniform and its value as text.
pub type GivenUniform<'a> = (&'a str, &'a str);

/// Writes the values whose names are members of `block` into its bytes; `used` notes which were.
///
/// # Errors
/// `Invalid` for a value that its member does not take.
pub(super) fn fill(
    block: &BlockInfo,
    given: &[GivenUniform<'_>],
    used: &mut [bool],
    bytes: &mut [u8],
) -> Result<()> {
    for (at, (name, text)) in given.iter().enumerate() {
        let Some(place) = find(&block.members, name) else { continue };
        let words = words(name, text, &place)?;
        for (offset, word) in place.offsets().zip(words) {
            if let Some(to) = bytes.get_mut(offset..offset.saturating_add(4)) {
                to.copy_from_slice(&word.to_le_bytes());
            }
        }
        if let Some(used) = used.get_mut(at) {
            *used = true;
        }
    }
    Ok(())
}

/// Names of the members that take a value, with structures and arrays of them opened: `lights[0].power`.
pub(super) fn names(block: &BlockInfo) -> Vec<String> {
    fn add(members: &[Member], prefix: &str, out: &mut Vec<String>) {
        for member in members {
            let name = format!("{prefix}{}", member.name);
            if member.name.is_empty() {
                // What naga wraps blocks in has no name.
                add(&member.members, prefix, out);
                continue;
            }
            match (member.members.is_empty(), dimensions(&member.ty)) {
                (true, _) => out.push(name),
                (false, (_, Some(n))) => {
                    (0..n.min(8)).for_each(|i| add(&member.members, &format!("{name}[{i}]."), out));
                }
                (false, _) => add(&member.members, &format!("{name}."), out),
            }
        }
    }
    let mut out = Vec::new();
    add(&block.members, "", &mut out);
    out
}

/// What a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    Float,
    Int,
    Uint,
    Bool,
}

/// Where the components of a value are.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    offset: usize,
    scalar: Scalar,
    columns: usize,
    rows: usize,
    /// Bytes from column to column.
    column_stride: usize,
    /// Bytes from row to row.
    row_stride: usize,
    elements: usize,
    element_stride: usize,
    ty: String,
}

impl Place {
    fn components(&self) -> usize {
        self.elements.saturating_mul(self.columns * self.rows)
    }

    fn offsets(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.components()).map(|i| {
            let (row, rest) = (i % self.rows, i / self.rows);
            let (column, element) = (rest % self.columns, rest / self.columns);
            let element = element.saturating_mul(self.element_stride);
            self.offset
                .saturating_add(element)
                .saturating_add(column * self.column_stride)
                .saturating_add(row * self.row_stride)
        })
    }
}

/// Finds a member by its path. A member's own name may have dots in it.
fn find(members: &[Member], path: &str) -> Option<Place> {
    find_from(members, path, 0)
}

fn find_from(members: &[Member], path: &str, base: usize) -> Option<Place> {
    members.iter().find_map(|member| {
        let offset = base.saturating_add(member.offset as usize);
        if member.name.is_empty() {
            return find_from(&member.members, path, offset);
        }
        let rest = path.strip_prefix(&member.name)?;
        let (_, count) = dimensions(&member.ty);
        let (index, rest) = match rest.strip_prefix('[') {
            Some(rest) => {
                let (index, rest) = rest.split_once(']')?;
                let index = index.trim().parse::<usize>().ok().filter(|i| *i < count.unwrap_or(0))?;
                (Some(index), rest)
            }
            None => (None, rest),
        };
        let offset = offset.saturating_add(index.unwrap_or(0).saturating_mul(member.array_stride as usize));
        match rest.strip_prefix('.') {
            Some(rest) if count.is_none() || index.is_some() => find_from(&member.members, rest, offset),
            _ if rest.is_empty() => place(member, offset, index.is_some()),
            _ => None,
        }
    })
}

/// Element type and length of `vec2[4]`; lengths of arrays in arrays are multiplied.
fn dimensions(ty: &str) -> (&str, Option<usize>) {
    let Some((element, rest)) = ty.split_once('[') else { return (ty, None) };
    let mut product = 1usize;
    for n in rest.split('[') {
        let Some(n) = n.strip_suffix(']').and_then(|n| n.parse::<usize>().ok()) else {
            return (element, Some(0));
        };
        product = product.saturating_mul(n);
    }
    (element, Some(product))
}

fn place(member: &Member, offset: usize, one_element: bool) -> Option<Place> {
    let (element, count) = dimensions(&member.ty);
    if member.ty.matches('[').count() > 1 {
        return None;
    }
    let (scalar, columns, rows) = shape(element)?;
    let stride = member.matrix_stride as usize;
    let (column_stride, row_stride) = match (columns > 1, member.row_major) {
        (false, _) => (0, 4),
        (true, false) => (stride, 4),
        (true, true) => (4, stride),
    };
    let elements = if one_element { 1 } else { count.unwrap_or(1) };
    let element_stride = member.array_stride as usize;
    let ty = if one_element { element.to_owned() } else { member.ty.clone() };
    Some(Place { offset, scalar, columns, rows, column_stride, row_stride, elements, element_stride, ty })
}

/// `float`, `uvec3`, `mat4`, `mat2x3` (two columns of three rows).
fn shape(ty: &str) -> Option<(Scalar, usize, usize)> {
    let scalar = match ty {
        "float" => Some(Scalar::Float),
        "int" => Some(Scalar::Int),
        "uint" => Some(Scalar::Uint),
        "bool" => Some(Scalar::Bool),
        _ => None,
    };
    if let Some(scalar) = scalar {
        return Some((scalar, 1, 1));
    }
    let side = |text: &str| text.parse::<usize>().ok().filter(|n| (2..=4).contains(n));
    if let Some(sides) = ty.strip_prefix("mat") {
        let (columns, rows) = sides.split_once('x').unwrap_or((sides, sides));
        return Some((Scalar::Float, side(columns)?, side(rows)?));
    }
    let (prefix, n) = ty.split_once("vec")?;
    let scalar = match prefix {
        "" => Scalar::Float,
        "i" => Scalar::Int,
        "u" => Scalar::Uint,
        "b" => Scalar::Bool,
        _ => return None,
    };
    Some((scalar, 1, side(n)?))
}

/// The words of a value.
fn words(name: &str, text: &str, place: &Place) -> Result<Vec<u32>> {
    let bad = |what: String| Error::invalid(format!("the uniform `{name}` is {}: {what}", place.ty));
    if let Some(hex) = text.trim().strip_prefix('#') {
        let color =
            color(hex).filter(|_| place.scalar == Scalar::Float && matches!(place.components(), 3 | 4));
        let color = color.ok_or_else(|| bad(format!("`{text}` is not one")))?;
        return Ok(color[..place.components()].iter().map(|c| c.to_bits()).collect());
    }
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() != place.components() {
        return Err(bad(format!("{} numbers are wanted, {} are given", place.components(), parts.len())));
    }
    let word = |part: &&str| match place.scalar {
        Scalar::Float => part.parse::<f32>().ok().map(f32::to_bits),
        Scalar::Int => part.parse::<i32>().ok().map(|n| n as u32),
        Scalar::Uint => part.parse::<u32>().ok(),
        Scalar::Bool => match *part {
            "true" | "1" => Some(1),
            "false" | "0" => Some(0),
            _ => None,
        },
    };
    parts.iter().map(|part| word(part).ok_or_else(|| bad(format!("`{part}` is no part of it")))).collect()
}

/// `rrggbb` or `rrggbbaa` as components from 0 to 1.
fn color(hex: &str) -> Option<[f32; 4]> {
    if !matches!(hex.len(), 6 | 8) || !hex.is_ascii() {
        return None;
    }
    let mut color = [1.0; 4];
    for (at, component) in color.iter_mut().take(hex.len() / 2).enumerate() {
        *component = f32::from(u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).ok()?) / 255.0;
    }
    Some(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, offset: u32, ty: &str) -> Member {
        Member {
            name: name.into(),
            offset,
            ty: ty.into(),
            size: 0,
            array_stride: 16,
            matrix_stride: 16,
            row_major: false,
            members: Vec::new(),
        }
    }

    fn written(members: Vec<Member>, name: &str, value: &str) -> Result<Vec<f32>> {
        let block = BlockInfo { name: "B".into(), size: 128, members };
        let (mut bytes, mut used) = ([0; 128], [false]);
        fill(&block, &[(name, value)], &mut used, &mut bytes)?;
        assert!(used[0], "{name}");
        Ok(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    #[test]
    fn values_land_where_the_layout_says() {
        let all = || vec![member("a", 4, "vec2"), member("list", 16, "float[3]"), member("m", 64, "mat2")];
        assert_eq!(written(all(), "a", "1,2").unwrap()[1..3], [1.0, 2.0]);
        let list = written(all(), "list", "1, 2, 3").unwrap();
        assert_eq!([list[4], list[8], list[12]], [1.0, 2.0, 3.0]);
        assert_eq!(written(all(), "list[2]", "7").unwrap()[12], 7.0);
        let m = written(all(), "m", "1,2,3,4").unwrap();
        assert_eq!([m[16], m[17], m[20], m[21]], [1.0, 2.0, 3.0, 4.0]);
        let inner = Member { members: vec![member("b", 8, "vec3")], ..member("s", 16, "S") };
        assert_eq!(written(vec![inner.clone()], "s.b", "#ff0080").unwrap()[6..9], [1.0, 0.0, 128.0 / 255.0]);
        let wrapper = Member { members: all(), ..member("", 32, "struct%1") };
        assert_eq!(written(vec![wrapper], "a", "1,2").unwrap()[9..11], [1.0, 2.0]);
        let many = Member { ty: "S[2]".into(), array_stride: 32, ..inner };
        assert_eq!(written(vec![many], "s[1].b", "1,2,3").unwrap()[14..17], [1.0, 2.0, 3.0]);
        assert_eq!(written(vec![member("child.x", 0, "float")], "child.x", "5").unwrap()[0], 5.0);
    }

    #[test]
    fn values_that_do_not_fit() {
        for (ty, value) in [
            ("vec2", "1"),
            ("vec2", "1,2,3"),
            ("int", "1.5"),
            ("uint", "-1"),
            ("float", "x"),
            ("vec2", "#ff0000"),
        ] {
            let error = written(vec![member("a", 0, ty)], "a", value).unwrap_err();
            assert!(error.to_string().contains("`a`"), "{error}");
        }
    }
}
