//! Compares the layout of host data with the blocks of a shader, and reports fields at other offsets.
//!
//! A [`HostStruct`] describes the fields of a Rust struct ([`host_struct!`](crate::host_struct)) or of a numpy array;
//! [`compare`] reports each field that does not match the reflected block.

use quadrille_jit::spirv::reflect::{BlockInfo, Member};

use crate::kind::Kind;
use crate::report::Report;

/// Layout of a struct on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostStruct {
    /// Name of the struct.
    pub name: String,
    /// Size in bytes.
    pub size: u32,
    /// Fields of the struct.
    pub fields: Vec<HostField>,
}

/// A field of a struct.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostField {
    /// Name of the field.
    pub name: String,
    /// Offset in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// Array dimensions, outermost first: number of elements and stride in bytes.
    pub arrays: Vec<(u32, u32)>,
    /// Type of the scalars, if known: `f32`, `u32`, `i16`, `bool`.
    pub scalar: Option<String>,
    /// Fields of a nested struct.
    pub fields: Vec<HostField>,
}

impl HostField {
    /// Creates a field from the name of its Rust type; arrays of numbers are recognized.
    pub fn of_type(name: &str, offset: usize, size: usize, type_name: &str) -> HostField {
        let (arrays, scalar) = parse(type_name, size as u32);
        HostField {
            name: name.to_owned(),
            offset: offset as u32,
            size: size as u32,
            arrays,
            scalar,
            fields: Vec::new(),
        }
    }
}

/// Parses the array dimensions and scalar type of `[[f32; 4]; 3]`; other types have neither.
fn parse(mut text: &str, mut size: u32) -> (Vec<(u32, u32)>, Option<String>) {
    let mut arrays = Vec::new();
    while let Some((inner, count)) =
        text.strip_prefix('[').and_then(|t| t.strip_suffix(']')?.rsplit_once("; "))
    {
        let Some(count) = count.parse::<u32>().ok().filter(|&n| n > 0) else { return (Vec::new(), None) };
        size /= count;
        arrays.push((count, size));
        text = inner;
    }
    let scalars = ["f32", "u32", "i32", "f64", "u64", "i64", "u16", "i16", "u8", "i8", "bool"];
    match scalars.contains(&text) {
        true => (arrays, Some(text.to_owned())),
        false => (Vec::new(), None),
    }
}

/// Describes the layout of a Rust struct for [`compare`]: `host_struct!(Light { position, color })`.
///
/// ```
/// #[repr(C)]
/// struct Light { position: [f32; 3], power: f32 }
/// let light = quadrille_check::host_struct!(Light { position, power });
/// assert_eq!((light.size, light.fields[1].offset, light.fields[0].arrays[0]), (16, 12, (3, 4)));
/// ```
#[macro_export]
macro_rules! host_struct {
    ($of:ty { $($field:ident),* $(,)? }) => {
        $crate::layouts::HostStruct {
            name: stringify!($of).to_owned(),
            size: ::std::mem::size_of::<$of>() as u32,
            fields: vec![$({
                // Infers the type of a field from a function that borrows it.
                fn of<T, F>(_: fn(&T) -> &F) -> (usize, &'static str) {
                    (::std::mem::size_of::<F>(), ::std::any::type_name::<F>())
                }
                let (size, name) = of(|s: &$of| &s.$field);
                let offset = ::std::mem::offset_of!($of, $field);
                $crate::layouts::HostField::of_type(stringify!($field), offset, size, name)
            }),*],
        }
    };
}

/// A field that does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Path of the field from the outermost struct: `lights.position`.
    pub field: String,
    /// Description of the mismatch, as a sentence.
    pub message: String,
}

impl Mismatch {
    /// Converts the mismatch to a report.
    pub fn report(&self) -> Report {
        Report::new(Kind::LayoutMismatch, self.message.clone()).about(self.field.clone())
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

/// Returns the fields of a struct whose layout differs from the shader's block. Names match regardless of underscores
/// and case. Fields whose names begin with `_` or contain `pad` are ignored.
pub fn compare(host: &HostStruct, block: &BlockInfo) -> Vec<Mismatch> {
    let mut found = Vec::new();
    let members = match &block.members[..] {
        // naga wraps a block in an unnamed structure.
        [only] if only.name.is_empty() && !only.members.is_empty() => &only.members,
        members => members,
    };
    fields(&host.fields, members, "", &mut found);
    // For a block that is an array of structs, the struct's size is compared with the stride.
    if let [only] = members
        && host.fields.iter().all(|f| key(&f.name) != key(&only.name))
        && !only.members.is_empty()
    {
        found.clear();
        fields(&host.fields, &only.members, "", &mut found);
        if only.array_stride != 0 && only.array_stride != host.size {
            found.push(Mismatch {
                field: only.name.clone(),
                message: format!(
                    "`{}` has {} bytes here, elements of `{}` are {} bytes apart in the shader{}",
                    host.name,
                    host.size,
                    only.name,
                    only.array_stride,
                    because(only.array_stride)
                ),
            });
        }
    }
    found
}

/// Returns a name in lower case without underscores.
fn key(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

fn fields(host: &[HostField], members: &[Member], path: &str, found: &mut Vec<Mismatch>) {
    let named = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (i, member) in members.iter().enumerate() {
        let Some(field) = host.iter().find(|f| key(&f.name) == key(&member.name)) else {
            // A trailing runtime-sized array is not part of the host struct.
            let open = i + 1 == members.len() && member.ty.contains("[]");
            if !open && !member.name.is_empty() {
                let name = named(&member.name);
                let message = format!(
                    "the shader has `{name}` ({}) at byte {}, but it is missing here",
                    member.ty, member.offset
                );
                found.push(Mismatch { field: name, message });
            }
            continue;
        };
        let name = named(&member.name);
        let end = members.iter().map(|m| m.offset).filter(|&o| o > member.offset).min();
        if let Some(message) = field_mismatch(field, member, &name, end) {
            found.push(Mismatch { field: name.clone(), message });
        }
        if !field.fields.is_empty() && !member.members.is_empty() {
            fields(&field.fields, &member.members, &name, found);
        }
    }
    for field in host {
        let padding = field.name.starts_with('_') || key(&field.name).contains("pad");
        if !padding && members.iter().all(|m| key(&m.name) != key(&field.name)) {
            let name = named(&field.name);
            found.push(Mismatch {
                message: format!(
                    "the shader's block has no `{name}`, which is at byte {} here",
                    field.offset
                ),
                field: name,
            });
        }
    }
}

/// Describes the mismatch of a field; `end` is the offset of the next member.
fn field_mismatch(field: &HostField, member: &Member, name: &str, end: Option<u32>) -> Option<String> {
    if field.offset != member.offset {
        return Some(format!(
            "field `{name}` is at byte {} here, at {} in the shader ({} is {})",
            field.offset,
            member.offset,
            member.ty,
            alignment(member)
        ));
    }
    let (theirs, scalar) = dimensions(member);
    if let (Some(ours), Some(scalar)) = (&field.scalar, &scalar)
        && ours != scalar
    {
        let same_size = bytes(ours) == bytes(scalar);
        let hint = if ours == "bool" { ": a bool has 4 bytes in a shader" } else { "" };
        if !same_size || is_float(ours) != is_float(scalar) {
            return Some(format!("field `{name}` is {ours} here, {} in the shader{hint}", member.ty));
        }
    }
    if field.scalar.is_some() && !theirs.is_empty() && field.arrays.len() == theirs.len() {
        for (depth, (ours, theirs)) in field.arrays.iter().zip(&theirs).enumerate() {
            if ours.1 != theirs.1 {
                let what = if depth == 0 && !member.ty.contains('[') { "columns" } else { "elements" };
                return Some(format!(
                    "{what} of `{name}` are {} bytes apart here, {} in the shader ({}{})",
                    ours.1,
                    theirs.1,
                    member.ty,
                    because(theirs.1)
                ));
            }
            if ours.0 < theirs.0 {
                return Some(format!("`{name}` has {} elements here, {} in the shader", ours.0, theirs.0));
            }
        }
        return None;
    }
    // For other shapes, compare the sizes in bytes; the host type may include padding.
    let room = end.map_or(u32::MAX, |end| end - member.offset);
    let known = member.size > 0 && !member.ty.contains("[]");
    (known && (field.size < member.size || field.size > room.max(member.size))).then(|| {
        format!("field `{name}` has {} bytes here, {} in the shader ({})", field.size, member.size, member.ty)
    })
}

/// Returns the array dimensions of a member, outermost first, including matrices and vectors, and its scalar type.
fn dimensions(member: &Member) -> (Vec<(u32, u32)>, Option<String>) {
    let (base, lengths) = member.ty.split_once('[').unwrap_or((&member.ty, ""));
    let lengths = lengths.split('[').filter(|l| !l.is_empty());
    let strides = std::iter::once(&member.array_stride).chain(&member.inner_strides);
    let mut dims: Vec<(u32, u32)> =
        lengths.zip(strides).map(|(l, &s)| (l.trim_end_matches(']').parse().unwrap_or(0), s)).collect();
    let Some((scalar, columns, rows)) = shape(base) else { return (dims, None) };
    let size = bytes(scalar);
    match (columns, member.row_major) {
        (1, _) => {}
        (_, false) => dims.push((columns, member.matrix_stride)),
        (_, true) => dims.extend([(rows, member.matrix_stride), (columns, size)]),
    }
    if rows > 1 && !(columns > 1 && member.row_major) {
        dims.push((rows, size));
    }
    (dims, Some(scalar.to_owned()))
}

/// Returns the scalar type, columns and rows of a GLSL type.
fn shape(ty: &str) -> Option<(&'static str, u32, u32)> {
    let scalars = [
        ("float", "f32"),
        ("double", "f64"),
        ("int", "i32"),
        ("uint", "u32"),
        ("bool", "u32"),
        ("int64_t", "i64"),
        ("uint64_t", "u64"),
        ("int16_t", "i16"),
        ("uint16_t", "u16"),
        ("int8_t", "i8"),
        ("uint8_t", "u8"),
    ];
    if let Some((_, scalar)) = scalars.iter().find(|(name, _)| *name == ty) {
        return Some((scalar, 1, 1));
    }
    let (prefix, digits) =
        ty.split_at(ty.find(|c: char| c.is_ascii_digit() && ty.ends_with(|c: char| c.is_ascii_digit()))?);
    let scalar = match prefix.strip_suffix("vec").or_else(|| prefix.strip_suffix("mat"))? {
        "" => "f32",
        "d" => "f64",
        "i" => "i32",
        "u" | "b" => "u32",
        _ => return None,
    };
    let mut digits = digits.split('x').map(|d| d.parse::<u32>().ok());
    let first = digits.next()??;
    let second = digits.next().flatten();
    match prefix.ends_with("vec") {
        true => Some((scalar, 1, first)),
        false => Some((scalar, first, second.unwrap_or(first))),
    }
}

fn bytes(scalar: &str) -> u32 {
    match scalar {
        "bool" => 1,
        _ => scalar.get(1..).and_then(|bits| bits.parse::<u32>().ok()).unwrap_or(32) / 8,
    }
}

fn is_float(scalar: &str) -> bool {
    scalar.starts_with('f')
}

/// Describes the alignment of a member.
fn alignment(member: &Member) -> String {
    let (dims, scalar) = dimensions(member);
    let size = scalar.map_or(4, |s| bytes(&s));
    let vector = match dims.last() {
        Some(&(3 | 4, _)) => 4 * size,
        Some(&(2, _)) => 2 * size,
        _ => size,
    };
    let stride = dims.first().map_or(0, |d| d.1);
    let align = if member.ty.contains('[') || dims.len() > 1 { vector.max(stride.min(16)) } else { vector };
    if !member.members.is_empty() {
        return "a struct, aligned as its members are".into();
    }
    match member.offset.is_multiple_of(align) {
        true => format!("aligned to {align} bytes"),
        false => "placed there by the block's layout".into(),
    }
}

/// Explains the stride of elements.
fn because(stride: u32) -> &'static str {
    match stride {
        16 => ": std140 rounds strides up to 16 bytes, as vec3 and vec4 do everywhere",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, offset: u32, ty: &str, size: u32) -> Member {
        Member {
            name: name.into(),
            offset,
            ty: ty.into(),
            size,
            array_stride: 0,
            inner_strides: Vec::new(),
            matrix_stride: 0,
            row_major: false,
            members: Vec::new(),
        }
    }

    fn block(members: Vec<Member>) -> BlockInfo {
        BlockInfo { name: "B".into(), size: 64, members }
    }

    fn messages(host: &HostStruct, block: &BlockInfo) -> Vec<String> {
        compare(host, block).into_iter().map(|m| m.message).collect()
    }

    #[repr(C)]
    struct Light {
        position: [f32; 3],
        power: f32,
        color: [f32; 3],
        shadows: u32,
    }

    #[test]
    fn a_struct_that_fits_is_silent() {
        let host = host_struct!(Light { position, power, color, shadows });
        let fits = block(vec![
            member("position", 0, "vec3", 12),
            member("power", 12, "float", 4),
            member("color", 16, "vec3", 12),
            member("shadows", 28, "uint", 4),
        ]);
        assert_eq!(messages(&host, &fits), [""; 0]);
    }

    #[test]
    fn vec3_are_aligned_to_16_bytes() {
        #[repr(C)]
        struct Tight {
            a: f32,
            dir_ection: [f32; 3],
            b: f32,
        }
        let host = host_struct!(Tight { a, dir_ection, b });
        let std140 = block(vec![
            member("a", 0, "float", 4),
            member("dirEction", 16, "vec3", 12),
            member("b", 28, "float", 4),
        ]);
        let first = compare(&host, &std140)[0].report();
        assert_eq!((first.kind, first.variable.as_deref()), (Kind::LayoutMismatch, Some("dirEction")));
        assert_eq!(
            messages(&host, &std140),
            [
                "field `dirEction` is at byte 4 here, at 16 in the shader (vec3 is aligned to 16 bytes)",
                "field `b` is at byte 16 here, at 28 in the shader (float is aligned to 4 bytes)",
            ]
        );
    }

    #[test]
    fn strides_of_arrays_and_matrices() {
        #[repr(C)]
        struct Arrays {
            weights: [f32; 4],
            rotation: [[f32; 3]; 3],
            view: [[f32; 4]; 4],
        }
        let host = host_struct!(Arrays { weights, rotation, view });
        let weights = Member { array_stride: 16, ..member("weights", 0, "float[4]", 64) };
        let rotation = Member { matrix_stride: 16, ..member("rotation", 16, "mat3", 48) };
        let view = Member { matrix_stride: 16, ..member("view", 52, "mat4", 64) };
        assert_eq!(
            messages(&host, &block(vec![weights, rotation, view])),
            [
                "elements of `weights` are 4 bytes apart here, 16 in the shader (float[4]: std140 rounds strides up to 16 \
             bytes, as vec3 and vec4 do everywhere)",
                "columns of `rotation` are 12 bytes apart here, 16 in the shader (mat3: std140 rounds strides up to 16 \
             bytes, as vec3 and vec4 do everywhere)",
            ]
        );
    }

    #[test]
    fn types_sizes_and_missing_fields() {
        #[repr(C)]
        struct Flags {
            on: bool,
            _pad: [u8; 3],
            count: f32,
            extra: u32,
        }
        let host = host_struct!(Flags { on, _pad, count, extra });
        let theirs = block(vec![
            member("on", 0, "uint", 4),
            member("count", 4, "uint", 4),
            member("gone", 8, "float", 4),
        ]);
        assert_eq!(
            messages(&host, &theirs),
            [
                "field `on` is bool here, uint in the shader: a bool has 4 bytes in a shader",
                "field `count` is f32 here, uint in the shader",
                "the shader has `gone` (float) at byte 8, but it is missing here",
                "the shader's block has no `extra`, which is at byte 8 here",
            ]
        );
    }

    #[test]
    fn a_list_of_structs_is_compared_by_element() {
        let host = host_struct!(Light { position, power, color, shadows });
        let inner = vec![
            member("position", 0, "vec3", 12),
            member("power", 12, "float", 4),
            member("color", 16, "vec3", 12),
            member("shadows", 28, "uint", 4),
        ];
        let list = |stride| Member {
            array_stride: stride,
            members: inner.clone(),
            ..member("lights", 0, "Light[]", 0)
        };
        assert_eq!(messages(&host, &block(vec![list(32)])), [""; 0]);
        let far = messages(&host, &block(vec![list(48)]));
        assert_eq!(far, ["`Light` has 32 bytes here, elements of `lights` are 48 bytes apart in the shader"]);
    }

    #[test]
    fn shapes_of_types() {
        assert_eq!(shape("vec3"), Some(("f32", 1, 3)));
        assert_eq!(shape("uint"), Some(("u32", 1, 1)));
        assert_eq!(shape("mat3x2"), Some(("f32", 3, 2)));
        assert_eq!(shape("Light"), None);
        assert_eq!(shape("Light2"), None);
        assert_eq!(parse("[[f32; 4]; 3]", 48), (vec![(3, 16), (4, 4)], Some("f32".into())));
        assert_eq!(parse("glam::Vec3", 12), (vec![], None));
    }
}
