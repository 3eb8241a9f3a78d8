//! Memory layout of the members of a block under std140, std430 and scalar.
//!
//! For host programs that fill the buffers of shaders written in GLSL: declare the block, compute its layout, and write
//! each member at its offset. Needs no shader module; a module states its offsets itself
//! ([`crate::spirv::reflect`]). Leaves the parsing of types and shaders to the front ends.
//!
//! Spec: GLSL 4.60, 4.4.5 "Uniform and Shader Storage Block Layout Qualifiers"; OpenGL 4.6, 7.6.2.2 "Standard
//! Uniform Block Layout" (the ten rules); `GL_EXT_scalar_block_layout`.
//!
//! ```
//! use quadrille_jit::layout::{Block, Member, Rules, Scalar, Type};
//!
//! let light = Block::new([
//!     Member::new("position", Type::vector(Scalar::F32, 3)),
//!     Member::new("power", Type::from(Scalar::F32)),
//!     Member::new("falloff", Type::array(Type::from(Scalar::F32), 4)),
//! ]);
//! let layout = light.layout(Rules::Std140)?;
//! assert_eq!(layout.member("power").unwrap().offset, 12);
//! assert_eq!(layout.member("falloff").unwrap().array_stride, 16);
//! assert_eq!(light.layout(Rules::Scalar)?.size, 32);
//! # Ok::<(), quadrille_jit::Error>(())
//! ```

use crate::error::{Error, Result};

/// Maximum nesting of arrays and structs in a block.
const MAX_DEPTH: usize = 255;

/// Rules of a memory layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Arrays and structs are aligned to 16 bytes; used by uniform blocks.
    Std140,
    /// Vectors are aligned to two or four components; used by storage blocks and push constants.
    Std430,
    /// Every type is aligned to its components (`GL_EXT_scalar_block_layout`).
    Scalar,
}

/// Type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `bool`, which blocks store as a 32-bit integer.
    Bool,
    /// `int8_t`.
    I8,
    /// `uint8_t`.
    U8,
    /// `int16_t`.
    I16,
    /// `uint16_t`.
    U16,
    /// `float16_t`.
    F16,
    /// `int`.
    I32,
    /// `uint`.
    U32,
    /// `float`.
    F32,
    /// `int64_t`.
    I64,
    /// `uint64_t`.
    U64,
    /// `double`.
    F64,
    /// A buffer reference: the address of a block.
    Address,
}

impl Scalar {
    /// Size in bytes.
    pub fn size(self) -> u32 {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 | Scalar::Address => 8,
        }
    }
}

/// The type of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A scalar.
    Scalar(Scalar),
    /// A vector of 2 to 4 components.
    Vector(Scalar, u32),
    /// A matrix, stored as columns, or as rows if `row_major`.
    Matrix {
        /// Type of the components.
        scalar: Scalar,
        /// Number of columns, 2 to 4.
        columns: u32,
        /// Number of rows, 2 to 4.
        rows: u32,
        /// `true` if stored as rows.
        row_major: bool,
    },
    /// An array with a fixed length.
    Array(Box<Type>, u32),
    /// An array without a length; only as the last member of a block.
    RuntimeArray(Box<Type>),
    /// A struct.
    Struct(Block),
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Self {
        Type::Scalar(scalar)
    }
}

impl Type {
    /// A vector of `components` components (2 to 4).
    pub fn vector(scalar: Scalar, components: u32) -> Self {
        Type::Vector(scalar, components)
    }

    /// A column-major matrix (2 to 4 columns and rows), `matCxR` in GLSL.
    pub fn matrix(scalar: Scalar, columns: u32, rows: u32) -> Self {
        Type::Matrix { scalar, columns, rows, row_major: false }
    }

    /// An array of `length` elements.
    pub fn array(element: Type, length: u32) -> Self {
        Type::Array(Box::new(element), length)
    }

    /// An array whose length is the rest of the buffer.
    pub fn runtime_array(element: Type) -> Self {
        Type::RuntimeArray(Box::new(element))
    }
}

/// A member of a block or struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: Type,
    /// `layout(offset = N)`: the member starts at this byte, or after it if alignment requires.
    pub offset: Option<u32>,
    /// `layout(align = N)`: the member starts at a multiple of this power of two.
    pub align: Option<u32>,
}

impl Member {
    /// A member without layout qualifiers; it follows the previous member.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Member { name: name.into(), ty, offset: None, align: None }
    }

    /// Adds `layout(offset = bytes)`.
    #[must_use]
    pub fn at(mut self, bytes: u32) -> Self {
        self.offset = Some(bytes);
        self
    }

    /// Adds `layout(align = bytes)`.
    #[must_use]
    pub fn aligned(mut self, bytes: u32) -> Self {
        self.align = Some(bytes);
        self
    }
}

/// Members in order: a block, or a struct inside a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// The members.
    pub members: Vec<Member>,
}

/// Layout of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Name.
    pub name: String,
    /// Bytes from the start of the enclosing block or struct.
    pub offset: u32,
    /// Size in bytes; 0 for runtime arrays.
    pub size: u32,
    /// Base alignment in bytes.
    pub align: u32,
    /// Bytes between the elements of an array (its outermost dimension); otherwise 0.
    pub array_stride: u32,
    /// Bytes between the columns of a matrix (rows if row-major); otherwise 0.
    pub matrix_stride: u32,
    /// Members of the struct, if the member is a struct or an array of structs.
    pub members: Vec<Placed>,
}

/// The layout of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Size in bytes, without a runtime array at the end.
    pub size: u32,
    /// Base alignment in bytes.
    pub align: u32,
    /// The members, in order.
    pub members: Vec<Placed>,
}

impl Layout {
    /// Returns the member with the given name.
    pub fn member(&self, name: &str) -> Option<&Placed> {
        self.members.iter().find(|m| m.name == name)
    }
}

impl Block {
    /// Creates a block with the given members.
    pub fn new(members: impl IntoIterator<Item = Member>) -> Self {
        Block { members: members.into_iter().collect() }
    }

    /// Computes the layout of the block.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for blocks that GLSL does not allow: an offset inside an earlier member or not a multiple of
    /// the member's base alignment, an alignment that is not a power of two, vectors and matrices of sizes other than 2
    /// to 4, a runtime array that is not last, and blocks of 2^32 bytes or more.
    pub fn layout(&self, rules: Rules) -> Result<Layout> {
        self.place(rules, 0)
    }

    fn place(&self, rules: Rules, depth: usize) -> Result<Layout> {
        let mut members: Vec<Placed> = Vec::with_capacity(self.members.len());
        let mut taken: Vec<(u32, u32)> = Vec::new();
        let (mut next, mut end, mut align) = (0, 0, 1);
        for (i, m) in self.members.iter().enumerate() {
            let of = |message: String| Error::invalid(format!("member `{}`: {message}", m.name));
            if matches!(m.ty, Type::RuntimeArray(_)) && (depth > 0 || i + 1 != self.members.len()) {
                return Err(of("a runtime array must be the last member of a block".into()));
            }
            let it = measure(&m.ty, rules, depth + 1).map_err(|e| of(e.to_string()))?;
            let asked = m.align.unwrap_or(1);
            if !asked.is_power_of_two() {
                return Err(of(format!("alignment {asked} is not a power of two")));
            }
            if let Some(offset) = m.offset
                && offset % it.align != 0
            {
                return Err(of(format!(
                    "offset {offset} is not a multiple of its base alignment {}",
                    it.align
                )));
            }
            let too_large = || of("the block reaches 2^32 bytes".into());
            let offset = round_up(m.offset.unwrap_or(next), it.align.max(asked)).ok_or_else(too_large)?;
            next = offset.checked_add(it.size).ok_or_else(too_large)?;
            if m.offset.is_some() && taken.iter().any(|&(a, b)| offset < b && a < next.max(offset + 1)) {
                return Err(of(format!("offset {offset} lies within an earlier member")));
            }
            taken.push((offset, next));
            end = end.max(next);
            align = align.max(it.align);
            members.push(Placed {
                name: m.name.clone(),
                offset,
                size: it.size,
                align: it.align,
                array_stride: it.array_stride,
                matrix_stride: it.matrix_stride,
                members: it.members,
            });
        }
        if rules == Rules::Std140 {
            align = align.max(16);
        }
        // A struct is padded to its alignment (rule 9); under scalar layout, the next member may use the padding.
        let padded = if rules == Rules::Scalar || depth == 0 { Some(end) } else { round_up(end, align) };
        let size = padded.ok_or_else(|| Error::invalid("the block reaches 2^32 bytes"))?;
        Ok(Layout { size, align, members })
    }
}

/// Size, alignment and strides of a type.
struct Measure {
    size: u32,
    align: u32,
    array_stride: u32,
    matrix_stride: u32,
    members: Vec<Placed>,
}

fn measure(ty: &Type, rules: Rules, depth: usize) -> Result<Measure> {
    if depth > MAX_DEPTH {
        return Err(Error::invalid(format!("more than {MAX_DEPTH} levels of arrays and structs")));
    }
    let plain = |size, align| Measure { size, align, array_stride: 0, matrix_stride: 0, members: Vec::new() };
    Ok(match ty {
        // Rule 1.
        Type::Scalar(s) => plain(s.size(), s.size()),
        Type::Vector(s, n) => {
            let (size, align) = vector(*s, *n, rules)?;
            plain(size, align)
        }
        // Rules 5 and 7: a matrix is laid out like an array of its columns or rows.
        Type::Matrix { scalar, columns, rows, row_major } => {
            let (length, count) = if *row_major { (*columns, *rows) } else { (*rows, *columns) };
            let (size, align) = vector(*scalar, length, rules)?;
            vector(*scalar, count, rules)?;
            let (stride, align) = stride(size, align, rules)?;
            Measure { matrix_stride: stride, ..plain(stride * count, align) }
        }
        // Rules 4, 6, 8 and 10.
        Type::Array(element, length) => {
            let e = measure(element, rules, depth + 1)?;
            let (stride, align) = stride(e.size, e.align, rules)?;
            let size = match rules {
                // The last element is not padded.
                Rules::Scalar => {
                    length.checked_sub(1).map_or(Some(0), |n| stride.checked_mul(n)?.checked_add(e.size))
                }
                _ => stride.checked_mul(*length),
            };
            let size = size.ok_or_else(|| Error::invalid("the array reaches 2^32 bytes"))?;
            Measure { size, align, array_stride: stride, ..e }
        }
        Type::RuntimeArray(element) => {
            let e = measure(element, rules, depth + 1)?;
            let (stride, align) = stride(e.size, e.align, rules)?;
            Measure { size: 0, align, array_stride: stride, ..e }
        }
        // Rule 9.
        Type::Struct(block) => {
            let l = block.place(rules, depth)?;
            Measure { members: l.members, ..plain(l.size, l.align) }
        }
    })
}

/// Size and base alignment of a vector: rules 2 and 3.
fn vector(scalar: Scalar, components: u32, rules: Rules) -> Result<(u32, u32)> {
    let n = scalar.size();
    let align = match (rules, components) {
        (_, 0 | 1 | 5..) => {
            return Err(Error::invalid(format!("{components} components; vectors have 2 to 4")));
        }
        (Rules::Scalar, _) => n,
        (_, 2) => 2 * n,
        _ => 4 * n,
    };
    Ok((components * n, align))
}

/// Stride and base alignment of an array whose elements have the given size and alignment.
fn stride(size: u32, align: u32, rules: Rules) -> Result<(u32, u32)> {
    let align = if rules == Rules::Std140 { align.max(16) } else { align };
    let stride = round_up(size, align).ok_or_else(|| Error::invalid("the array reaches 2^32 bytes"))?;
    Ok((stride, align))
}

/// `value` rounded up to a multiple of `to`, a power of two.
fn round_up(value: u32, to: u32) -> Option<u32> {
    Some(value.checked_add(to - 1)? & !(to - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of GLSL 4.60, 4.4.5, with its three errors.
    #[test]
    fn example_of_the_specification() {
        let f32 = || Type::from(Scalar::F32);
        let f64 = || Type::from(Scalar::F64);
        let mut block = Block::new([
            Member::new("a", Type::vector(Scalar::F32, 4)),
            Member::new("b", Type::vector(Scalar::F32, 3)).at(32),
            Member::new("d", Type::vector(Scalar::F32, 2)).at(48),
            Member::new("e", f32()).aligned(16),
            Member::new("f", f64()).aligned(2),
            Member::new("h", f32()).at(80),
            Member::new("i", Type::vector(Scalar::F64, 3)).aligned(64),
            Member::new("j", f32()).at(164).aligned(8),
        ]);
        let layout = block.layout(Rules::Std140).unwrap();
        let bytes: Vec<_> = layout.members.iter().map(|m| (m.offset, m.offset + m.size - 1)).collect();
        let expected = [(0, 15), (32, 43), (48, 55), (64, 67), (72, 79), (80, 83), (128, 151), (168, 171)];
        assert_eq!(bytes, expected);

        let mut with = |member| {
            block.members.push(member);
            let e = block.layout(Rules::Std140).unwrap_err().to_string();
            block.members.pop();
            e
        };
        let c = with(Member::new("c", Type::vector(Scalar::F32, 2)).at(40));
        assert!(c.contains("`c`") && c.contains("within an earlier member"), "{c}");
        let g = with(Member::new("g", f64()).aligned(6));
        assert!(g.contains("`g`") && g.contains("power of two"), "{g}");
        let k = with(Member::new("k", f64()).at(204));
        assert!(k.contains("`k`") && k.contains("base alignment 8"), "{k}");
    }

    #[test]
    fn what_cannot_be_placed_is_refused() {
        let f32 = || Type::from(Scalar::F32);
        let refuse =
            |members: Vec<Member>| Block::new(members).layout(Rules::Std430).unwrap_err().to_string();
        assert!(refuse(vec![Member::new("v", Type::vector(Scalar::F32, 5))]).contains("5 components"));
        assert!(refuse(vec![Member::new("m", Type::matrix(Scalar::F32, 1, 4))]).contains("1 components"));
        let early = vec![Member::new("r", Type::runtime_array(f32())), Member::new("x", f32())];
        assert!(refuse(early).contains("last member"));
        let huge = vec![Member::new("h", Type::array(Type::array(f32(), 1 << 20), 1 << 20))];
        assert!(refuse(huge).contains("2^32"));
        let late = vec![Member::new("l", f32()).at(u32::MAX - 3)];
        assert!(refuse(late).contains("2^32"));
        let deep = (0..300).fold(f32(), |t, _| Type::array(t, 1));
        assert!(refuse(vec![Member::new("d", deep)]).contains("levels"));
    }
}
