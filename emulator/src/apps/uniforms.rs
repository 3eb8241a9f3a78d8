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
use rustc_hash::FxHashMap;

use super::inputs::Inputs;
use crate::data::shape::{Scalar, dimensions, shape};
use crate::error::{Error, Result};

/// A uniform and its value as text.
pub type GivenUniform<'a> = (&'a str, &'a str);

/// Largest number of elements that are listed for an array of structures.
const MAX_LISTED: usize = 8;
/// Largest number of uniforms that are listed for a block.
const MAX_LEAVES: usize = 4096;
/// Largest number of members that are looked at for this list, because some have no values.
const MAX_MEMBERS: usize = 16 * MAX_LEAVES;

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
    fn add(members: &[Member], prefix: &str, base: usize, left: &mut usize, out: &mut Vec<Leaf>) {
        for member in members {
            if out.len() >= MAX_LEAVES || *left == 0 {
                return;
            }
            *left -= 1;
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
                add(&member.members, &format!("{name}."), offset, left, out);
            }
        }
    }
    let (mut out, mut left) = (Vec::new(), MAX_MEMBERS);
    add(&block.info.members, "", 0, &mut left, &mut out);
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
    let (mut groups, mut known) = (Vec::<Vec<&str>>::new(), FxHashMap::default());
    for name in names {
        let group = *known.entry(shape(name)).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(name);
    }
    let sentence = |group: &[&str]| match group {
        [] => String::new(),
        [name] => format!("the uniform `{name}` gets no value: it is 0"),
        [first, .., last] => {
            format!("the {} uniforms `{first}` to `{last}` get no value: they are 0", group.len())
        }
    };
    groups.iter().map(|group| sentence(group)).collect()
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
mod tests;
