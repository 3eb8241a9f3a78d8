//! Sets uniforms by name, with values as on a command line: `color=1,0.5,0,1`.
//!
//! The name is that of a member of a uniform block or of the push constants, or of a uniform outside blocks. It
//! continues with a dot for members of structures, and with an index in brackets for elements of arrays, columns of
//! matrices and components of vectors: `lights[2].power`, `model[3]`, `color[0]` or `color.x`. The name of the block's
//! variable may precede it: `params.color`. A value has one number per component of its type, column by column and
//! element by element; `#rrggbb` and `#rrggbbaa` are colours.

use quadrille_jit::reserve;
use quadrille_jit::similar;
use quadrille_jit::spirv::reflect::{BlockInfo, Member, Resource};

use super::inputs::Inputs;
use crate::data::shape::{Scalar, dimensions, shape};
use crate::error::{Error, Result};

/// A uniform and its value as text.
pub type GivenUniform<'a> = (&'a str, &'a str);

/// Largest number of elements that are listed for an array of structures.
const MAX_LISTED: usize = 8;
/// Largest number of uniforms that are listed for a block.
const MAX_LEAVES: usize = 4096;

/// A uniform block or the push constants, with names for all uniforms.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Name of the variable, which may be empty.
    pub name: String,
    /// Set and binding; `None` for push constants.
    pub at: Option<(u32, u32)>,
    pub info: BlockInfo,
}

impl Block {
    /// Creates the block of a uniform buffer; `None` for other resources.
    pub fn of(resource: &Resource) -> Option<Block> {
        let info = resource.block.as_ref()?;
        Some(Block::new(&resource.name, Some((resource.set, resource.binding)), info))
    }

    /// Creates the block of the push constants.
    pub fn push(info: &BlockInfo) -> Block {
        Block::new("", None, info)
    }

    fn new(name: &str, at: Option<(u32, u32)>, info: &BlockInfo) -> Block {
        let members = opened(name, &info.members, 0);
        Block { name: name.into(), at, info: BlockInfo { members, ..info.clone() } }
    }

    /// Describes the location: `set 0, binding 1` or `push constants`.
    pub fn place(&self) -> String {
        self.at.map_or("push constants".into(), |(set, binding)| format!("set {set}, binding {binding}"))
    }
}

/// Removes the unnamed structures that naga wraps around uniforms: a structure is replaced by its members, and any
/// other type gets the variable's name.
fn opened(name: &str, members: &[Member], base: u32) -> Vec<Member> {
    let moved = |m: &Member| Member { offset: m.offset.saturating_add(base), ..m.clone() };
    match members {
        [only] if only.name.is_empty() && (only.members.is_empty() || only.ty.ends_with(']')) => {
            vec![Member { name: name.into(), ..moved(only) }]
        }
        [only] if only.name.is_empty() => opened(name, &only.members, base.saturating_add(only.offset)),
        all => all.iter().map(moved).collect(),
    }
}

/// Writes the values whose names are in `block` into its bytes, and marks them in `used`.
///
/// # Errors
/// `Invalid` for a value that does not fit its uniform.
pub(super) fn fill(
    block: &Block,
    given: &[GivenUniform<'_>],
    used: &mut [bool],
    bytes: &mut [u8],
) -> Result<()> {
    for (at, (name, text)) in given.iter().enumerate() {
        let Some(place) = find(block, name)? else { continue };
        let values = place.parse(name, text)?;
        for (offset, value) in place.offsets().zip(values) {
            let end = offset.saturating_add(value.len());
            if let Some(to) = bytes.get_mut(offset..end) {
                to.copy_from_slice(&value);
            }
        }
        if let Some(used) = used.get_mut(at) {
            *used = true;
        }
    }
    Ok(())
}

/// A uniform that a value can set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf {
    /// Name, including structure members and the first array elements: `lights[0].power`.
    pub name: String,
    /// Offset in the block, in bytes.
    pub offset: usize,
    /// Type in GLSL notation.
    pub ty: String,
}

/// Lists all uniforms of a block that can be set, and all other named members.
pub(super) fn leaves(block: &Block) -> Vec<Leaf> {
    fn add(members: &[Member], prefix: &str, base: usize, out: &mut Vec<Leaf>) {
        for member in members {
            if out.len() >= MAX_LEAVES {
                return;
            }
            // A texture in a structure is a separate uniform; the placeholder that remains here cannot be set.
            if member.name.starts_with("/*") {
                continue;
            }
            let offset = base.saturating_add(member.offset as usize);
            let name = format!("{prefix}{}", member.name);
            if member.members.is_empty() {
                out.push(Leaf { name, offset, ty: member.ty.clone() });
                continue;
            }
            let mut elements = vec![(name, offset)];
            for (length, stride) in lengths(member) {
                let one = |(name, offset): &(String, usize), i: usize| {
                    (format!("{name}[{i}]"), offset.saturating_add(i.saturating_mul(stride)))
                };
                let all = elements.iter().flat_map(|e| (0..length.min(MAX_LISTED)).map(|i| one(e, i)));
                elements = all.take(MAX_LISTED * MAX_LISTED).collect();
            }
            for (name, offset) in elements {
                add(&member.members, &format!("{name}."), offset, out);
            }
        }
    }
    let mut out = Vec::new();
    add(&block.info.members, "", 0, &mut out);
    out
}

/// Reports the uniforms without a value: those not in `given`, not in [`Inputs`] and not `known`.
///
/// # Errors
/// `Invalid` for a value that does not fit its uniform, and for a name that no uniform has.
pub(super) fn check(
    blocks: &[Block],
    given: &[GivenUniform<'_>],
    known: impl Fn(&Block, &Leaf) -> bool,
) -> Result<Vec<String>> {
    let mut used = vec![false; given.len()];
    let mut unset = Vec::new();
    for block in blocks {
        let mut bytes = reserve::zeroed(block.info.size as usize)?;
        fill(block, given, &mut used, &mut bytes)?;
        for leaf in leaves(block) {
            if !is_given(block, &leaf, given) && !Inputs::knows(&leaf.name) && !known(block, &leaf) {
                unset.push(leaf.name);
            }
        }
    }
    let unused = given.iter().zip(&used).find(|(_, used)| !**used);
    unused.map_or_else(|| Ok(without_value(&unset)), |((name, _), _)| Err(unknown(name, blocks)))
}

/// Warns about uniforms without a value, once for those that differ only in array indices.
fn without_value(names: &[String]) -> Vec<String> {
    let shape = |name: &str| -> String {
        let parts = name.split('[').map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
        parts.collect::<Vec<_>>().join("[")
    };
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for name in names {
        let shape = shape(name);
        match groups.iter_mut().find(|(of, _)| *of == shape) {
            Some((_, group)) => group.push(name),
            None => groups.push((shape, vec![name])),
        }
    }
    let sentence = |group: &[&str]| match group {
        [] => String::new(),
        [name] => format!("the uniform `{name}` gets no value: it is 0"),
        [first, .., last] => {
            format!("the {} uniforms `{first}` to `{last}` get no value: they are 0", group.len())
        }
    };
    groups.iter().map(|(_, group)| sentence(group)).collect()
}

/// True if `given` sets the uniform or a part of it.
pub(super) fn is_given(block: &Block, leaf: &Leaf, given: &[GivenUniform<'_>]) -> bool {
    given.iter().any(|(name, _)| {
        let own = name.strip_prefix(&*block.name).and_then(|rest| rest.strip_prefix('.'));
        [Some(*name), own].into_iter().flatten().any(|name| {
            let rest = name.strip_prefix(&*leaf.name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        })
    })
}

/// Returns the error for a name that no uniform has.
fn unknown(name: &str, blocks: &[Block]) -> Error {
    let mut names: Vec<String> = blocks.iter().flat_map(leaves).map(|l| l.name).collect();
    names.retain(|n| !n.is_empty());
    let near = closest(name, &names).map_or(String::new(), |near| format!("did you mean `{near}`? "));
    names.truncate(40);
    let there = if names.is_empty() { "none".into() } else { names.join(", ") };
    Error::invalid(format!("there is no uniform `{name}`; {near}there are: {there}"))
}

/// Returns the most similar name, if one is similar enough. The prefix `u_` does not count.
fn closest<'a>(name: &str, names: &'a [String]) -> Option<&'a str> {
    let plain = |text: &'a str| text.strip_prefix("u_").unwrap_or(text);
    let wanted = name.strip_prefix("u_").unwrap_or(name);
    similar::closest(wanted, names.iter().map(|name| plain(name))).map(|index| names[index].as_str())
}

/// Location and layout of a value's components.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    offset: usize,
    scalar: Scalar,
    columns: usize,
    rows: usize,
    /// Bytes between columns.
    column_stride: usize,
    /// Bytes between rows.
    row_stride: usize,
    /// Lengths and strides of the arrays, outermost first.
    arrays: Vec<(usize, usize)>,
    ty: String,
}

impl Place {
    fn components(&self) -> usize {
        let elements = self.arrays.iter().fold(1usize, |n, (length, _)| n.saturating_mul(*length));
        elements.saturating_mul(self.columns * self.rows)
    }

    fn offsets(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.components()).map(|i| {
            let (row, rest) = (i % self.rows, i / self.rows);
            let (column, mut rest) = (rest % self.columns, rest / self.columns);
            let mut at = self.offset + column * self.column_stride + row * self.row_stride;
            for (length, stride) in self.arrays.iter().rev() {
                at = at.saturating_add((rest % length).saturating_mul(*stride));
                rest /= length;
            }
            at
        })
    }

    /// Parses a value into the bytes of its components.
    fn parse(&self, name: &str, text: &str) -> Result<Vec<Vec<u8>>> {
        let bad = |what: String| Error::invalid(format!("the uniform `{name}` is {}: {what}", self.ty));
        if let Some(hex) = text.trim().strip_prefix('#') {
            let is_color = matches!(self.scalar, Scalar::Float(_))
                && matches!(self.components(), 3 | 4)
                && self.columns == 1;
            let color = color(hex).ok_or_else(|| bad(format!("`{text}` is not a colour like #ff8000")))?;
            if !is_color {
                return Err(bad("only a vec3 or a vec4 takes a colour".into()));
            }
            let parts = color[..self.components()].iter().map(|c| self.scalar.parse(&c.to_string()));
            return Ok(parts.flatten().collect());
        }
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        if parts.len() != self.components() {
            let (wanted, given) = (self.components(), parts.len());
            let numbers = if wanted == 1 { "number is" } else { "numbers are" };
            return Err(bad(format!("{wanted} {numbers} expected, not {given}")));
        }
        let one = |part: &&str| {
            self.scalar.parse(part).ok_or_else(|| bad(format!("`{part}` is not a valid component")))
        };
        parts.iter().map(one).collect()
    }

    /// Formats the value in a block's bytes as text.
    fn show(&self, bytes: &[u8]) -> String {
        let one = |at: usize| {
            let end = at.saturating_add(self.scalar.bytes());
            let text = bytes.get(at..end).map_or_else(|| "?".into(), |b| self.scalar.text(b));
            text.strip_suffix(".0").unwrap_or(&text).to_owned()
        };
        let shown: Vec<String> = self.offsets().take(64).map(one).collect();
        shown.join(", ") + if self.components() > 64 { ", ..." } else { "" }
    }
}

/// Writes a vector or the columns of a matrix into a block's bytes, up to the size of the uniform. Returns false if the
/// uniform has another shape.
pub(super) fn put(block: &Block, leaf: &Leaf, columns: &[[f32; 4]], bytes: &mut [u8]) -> bool {
    let Ok(Some(place)) = find(block, &leaf.name) else { return false };
    let is_matrix = columns.len() > 1;
    if !place.arrays.is_empty() || (place.columns > 1) != is_matrix || (place.rows == 1 && !is_matrix) {
        return false;
    }
    if place.scalar != Scalar::Float(4) {
        return false;
    }
    let values =
        (0..place.components()).map(|i| columns.get(i / place.rows).map_or(0.0, |c| c[i % place.rows]));
    for (offset, value) in place.offsets().zip(values) {
        if let Some(to) = bytes.get_mut(offset..offset.saturating_add(4)) {
            to.copy_from_slice(&value.to_le_bytes());
        }
    }
    true
}

/// Formats the value of a uniform in its block's bytes; `None` for a type without values.
pub(super) fn show(block: &Block, leaf: &Leaf, bytes: &[u8]) -> Option<String> {
    Some(find(block, &leaf.name).ok()??.show(bytes))
}

/// Finds a uniform by its path, with or without the name of the block's variable.
///
/// # Errors
/// `Invalid` if only a prefix of the path exists.
fn find(block: &Block, path: &str) -> Result<Option<Place>> {
    let found = find_in(&block.info.members, path, 0);
    if let Ok(Some(_)) = found {
        return found;
    }
    let own = path.strip_prefix(&*block.name).and_then(|rest| rest.strip_prefix('.'));
    match own.filter(|_| !block.name.is_empty()).map(|own| find_in(&block.info.members, own, 0)) {
        Some(own @ (Ok(Some(_)) | Err(_))) => own,
        _ => found,
    }
}

/// Finds a path in a list of members, whose names may contain dots.
fn find_in(members: &[Member], path: &str, base: usize) -> Result<Option<Place>> {
    let mut failed = None;
    for member in members.iter().filter(|m| !m.name.is_empty()) {
        let Some(rest) = path.strip_prefix(&*member.name) else { continue };
        if !(rest.is_empty() || rest.starts_with(['[', '.'])) {
            continue;
        }
        match part(member, rest, base.saturating_add(member.offset as usize)) {
            Ok(place) => return Ok(Some(place)),
            Err(what) => failed = Some(format!("the uniform `{}` is {}: {what}", member.name, member.ty)),
        }
    }
    failed.map_or(Ok(None), |message| Err(Error::invalid(message)))
}

/// Resolves the `rest` of a path in a member at `offset`.
fn part(member: &Member, rest: &str, offset: usize) -> Result<Place, String> {
    let mut arrays: Vec<(usize, usize)> = lengths(member).collect();
    let (mut rest, mut offset) = (rest, offset);
    while let Some((&(length, stride), inner)) = arrays.split_first() {
        let Some((index, after)) = index(rest)? else { break };
        offset = offset.saturating_add(within(index, length, "elements")?.saturating_mul(stride));
        (arrays, rest) = (inner.to_vec(), after);
    }
    if !member.members.is_empty() {
        let inside = rest.strip_prefix('.').filter(|_| arrays.is_empty());
        let names = || member.members.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(", ");
        let Some(inside) = inside else {
            let index = if arrays.is_empty() { "" } else { "[0]" };
            return Err(format!("values are given to its members, as in {}{index}.{}=...", member.name, {
                member.members[0].name.as_str()
            }));
        };
        return match find_in(&member.members, inside, offset) {
            Ok(Some(place)) => Ok(place),
            Ok(None) => Err(format!("there is no member `{inside}`; there are: {}", names())),
            Err(e) => Err(e.to_string()),
        };
    }
    let (element, _) = dimensions(&member.ty);
    let (scalar, columns, rows) = shape(element).ok_or("its value cannot be set")?;
    let stride = member.matrix_stride as usize;
    let (column_stride, row_stride) = match (columns > 1, member.row_major) {
        (false, _) => (0, scalar.bytes()),
        (true, false) => (stride, scalar.bytes()),
        (true, true) => (scalar.bytes(), stride),
    };
    let dims: String = arrays.iter().map(|(length, _)| format!("[{length}]")).collect();
    let ty = format!("{element}{dims}");
    let place = Place { offset, scalar, columns, rows, column_stride, row_stride, arrays, ty };
    component(place, rest)
}

/// Selects a matrix column and a vector component if the `rest` of a path names them.
fn component(mut place: Place, mut rest: &str) -> Result<Place, String> {
    if place.arrays.is_empty() && place.columns > 1 {
        if let Some((index, after)) = index(rest)? {
            place.offset += within(index, place.columns, "columns")? * place.column_stride;
            place.columns = 1;
            place.ty = format!("a vector of {}", place.rows);
            rest = after;
        }
    }
    if place.arrays.is_empty() && place.columns == 1 && place.rows > 1 && !rest.is_empty() {
        let letter = |c: char| ["xyzw", "rgba", "stpq"].iter().find_map(|set| set.find(c));
        let mut letters = rest.strip_prefix('.').unwrap_or_default().chars();
        let (row, after) = match (index(rest)?, letters.next().and_then(letter)) {
            (Some((index, after)), _) => (within(index, place.rows, "components")?, after),
            (None, Some(row)) => (within(row, place.rows, "components")?, letters.as_str()),
            (None, None) => return Err(format!("`{rest}` is not a part of it")),
        };
        place.offset += row * place.row_stride;
        (place.rows, rest) = (1, after);
        place.ty = "a component".into();
    }
    if rest.is_empty() { Ok(place) } else { Err(format!("`{rest}` is not a part of it")) }
}

/// Parses a number in brackets at the start of `rest`, and returns it with the text after it.
fn index(rest: &str) -> Result<Option<(usize, &str)>, String> {
    let Some(inside) = rest.strip_prefix('[') else { return Ok(None) };
    let (number, after) = inside.split_once(']').ok_or("a `]` is missing")?;
    let number = number.trim().parse().map_err(|_| format!("`{number}` is not an index"))?;
    Ok(Some((number, after)))
}

fn within(index: usize, length: usize, what: &str) -> Result<usize, String> {
    if index < length { Ok(index) } else { Err(format!("there is no [{index}] in {length} {what}")) }
}

/// Yields the lengths and strides of the arrays of a member, outermost first.
fn lengths(member: &Member) -> impl Iterator<Item = (usize, usize)> + '_ {
    let strides = std::iter::once(&member.array_stride).chain(&member.inner_strides);
    let (_, lengths) = dimensions(&member.ty);
    lengths.into_iter().zip(strides).map(|(length, stride)| (length.unwrap_or(0), *stride as usize))
}

/// Parses `rrggbb` or `rrggbbaa` into components from 0 to 1.
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
            inner_strides: Vec::new(),
            matrix_stride: 16,
            row_major: false,
            members: Vec::new(),
        }
    }

    fn block(members: Vec<Member>) -> Block {
        Block::new("all", Some((0, 0)), &BlockInfo { name: "B".into(), size: 128, members })
    }

    fn bytes(members: Vec<Member>, name: &str, value: &str) -> Result<[u8; 128]> {
        let (mut bytes, mut used) = ([0; 128], [false]);
        fill(&block(members), &[(name, value)], &mut used, &mut bytes)?;
        assert!(used[0], "{name}");
        Ok(bytes)
    }

    fn written(members: Vec<Member>, name: &str, value: &str) -> Result<Vec<f32>> {
        let bytes = bytes(members, name, value)?;
        Ok(bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect())
    }

    fn nested() -> Vec<Member> {
        let inner = Member { members: vec![member("b", 8, "vec3")], ..member("s", 16, "S") };
        let many =
            Member { ty: "S[2][2]".into(), array_stride: 32, inner_strides: vec![16], ..inner.clone() };
        vec![inner, Member { name: "many".into(), offset: 64, ..many }]
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
        let rows = Member { row_major: true, ..member("m", 64, "mat2") };
        let m = written(vec![rows], "m", "1,2,3,4").unwrap();
        assert_eq!([m[16], m[20], m[17], m[21]], [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(written(all(), "m[1]", "5,6").unwrap()[20..22], [5.0, 6.0]);
        assert_eq!(written(all(), "m[1][1]", "5").unwrap()[21], 5.0);
        assert_eq!(written(all(), "a.y", "5").unwrap()[2], 5.0);
        assert_eq!(written(all(), "a[0]", "5").unwrap()[1], 5.0);
        assert_eq!(written(all(), "all.a", "1,2").unwrap()[1..3], [1.0, 2.0]);
        assert_eq!(written(nested(), "s.b", "#ff0080").unwrap()[6..9], [1.0, 0.0, 128.0 / 255.0]);
        // 64 + 1 * 32 + 1 * 16 + 8 = 120.
        assert_eq!(written(nested(), "many[1][1].b.x", "3").unwrap()[30], 3.0);
        let grid = Member { inner_strides: vec![4], ..member("g", 0, "float[2][2]") };
        let g = written(vec![grid.clone()], "g", "1,2,3,4").unwrap();
        assert_eq!([g[0], g[1], g[4], g[5]], [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(written(vec![grid], "g[1]", "8,9").unwrap()[4..6], [8.0, 9.0]);
        assert_eq!(written(vec![member("child.x", 0, "float")], "child.x", "5").unwrap()[0], 5.0);
        // A member that naga wrapped has the variable's name; a wrapped structure is replaced by its members.
        let wrapper = Member { members: all(), ..member("", 32, "struct%1") };
        assert_eq!(written(vec![wrapper], "a", "1,2").unwrap()[9..11], [1.0, 2.0]);
        assert_eq!(written(vec![member("", 0, "vec2")], "all", "1,2").unwrap()[..2], [1.0, 2.0]);
    }

    #[test]
    fn components_of_all_widths() {
        let value = |ty: &str, text: &str| bytes(vec![member("a", 1, ty)], "a", text).unwrap()[1..9].to_vec();
        assert_eq!(value("u16vec2", "1,0xffff")[..4], [1, 0, 0xff, 0xff]);
        assert_eq!(value("i8vec3", "-1,2,-128")[..3], [0xff, 2, 0x80]);
        assert_eq!(value("f16vec2", "1,-2")[..4], [0, 0x3c, 0, 0xc0]);
        assert_eq!(value("int64_t", "-2"), (-2i64).to_le_bytes());
        assert_eq!(value("double", "0.1"), 0.1f64.to_le_bytes());
        assert_eq!(value("uvec2", "true,7")[..8], [1, 0, 0, 0, 7, 0, 0, 0]);
        assert_eq!(value("bvec2", "1,false")[..8], [1, 0, 0, 0, 0, 0, 0, 0]);
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
            ("uint8_t", "256"),
        ] {
            let error = written(vec![member("a", 0, ty)], "a", value).unwrap_err();
            assert!(error.to_string().contains("`a`"), "{error}");
        }
        for (path, why) in [
            ("s", "s.b="),
            ("many", "many[0].b="),
            ("many[0]", "many[0].b="),
            ("s.c", "there are: b"),
            ("many[2][0].b", "no [2] in 2 elements"),
            ("many[x][0].b", "`x` is not an index"),
            ("many[0", "`]` is missing"),
            ("s.b.w", "no [3] in 3 components"),
            ("s.b.q2", "no [3]"),
            ("s.b.xy", "`y` is not a part"),
            ("s.b.nope", "`.nope` is not a part"),
        ] {
            let error = written(nested(), path, "1,1,1").unwrap_err().to_string();
            assert!(error.contains(why), "{path}: {error}");
        }
    }

    #[test]
    fn names_that_are_not_there() {
        let blocks = [block(vec![member("color", 0, "vec3"), member("lightPower", 16, "float")])];
        let error = |name: &str| check(&blocks, &[(name, "1")], |_, _| false).unwrap_err().to_string();
        for (name, near) in [("colour", "color"), ("Color", "color"), ("u_light_power", "lightPower")] {
            assert!(
                error(name).contains(&format!("did you mean `{near}`? there are: color, lightPower")),
                "{name}"
            );
        }
        assert!(!error("shininess").contains("did you mean"));
        let warnings = check(&blocks, &[("color.x", "1")], |_, _| false).unwrap();
        assert_eq!(warnings, ["the uniform `lightPower` gets no value: it is 0"]);
    }

    #[test]
    fn arrays_without_values_are_one_warning() {
        let names = ["m[0][0].a", "lights[0].color", "lights[0].at", "lights[1].color"].map(String::from);
        let warnings = without_value(&names);
        let lights = "the 2 uniforms `lights[0].color` to `lights[1].color` get no value: they are 0";
        assert_eq!((warnings.len(), &*warnings[1]), (3, lights));
        assert_eq!(warnings[2], "the uniform `lights[0].at` gets no value: it is 0");
    }

    #[test]
    fn what_there_is() {
        let all: Vec<(String, usize, String)> =
            leaves(&block(nested())).into_iter().map(|l| (l.name, l.offset, l.ty)).collect();
        let leaf = |name: &str, offset| (name.to_owned(), offset, "vec3".to_owned());
        let many = [("many[0][0].b", 72), ("many[0][1].b", 88), ("many[1][0].b", 104), ("many[1][1].b", 120)];
        let mut expected = vec![leaf("s.b", 24)];
        expected.extend(many.map(|(name, at)| leaf(name, at)));
        assert_eq!(all, expected);
        let block = block(vec![member("a", 0, "vec2")]);
        let bytes: Vec<u8> = [0.5f32, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(show(&block, &leaves(&block)[0], &bytes).unwrap(), "0.5, -2");
    }
}
