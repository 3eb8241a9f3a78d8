//! Types of a module, and the ways to place their scalars in memory. Leaves the sizes of types to `sizes`.

use spirv::{Dim, StorageClass};

use crate::ir::Ty;

/// Maximum nesting depth of types, which bounds recursion: 255 nested structures (SPIR-V 2.17), plus the arrays and
/// pointers around them.
pub const MAX_DEPTH: u32 = 272;
/// Pointee of an untyped pointer. 0 is not a valid id.
pub const UNTYPED: u32 = 0;
/// Maximum number of scalars in one value or variable.
pub const MAX_LEAVES: u32 = 1 << 18;

/// A type; component types are given as ids. `BufferDescriptor` represents OpTypeBufferEXT.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are the operands that the SPIR-V specification names")]
pub enum Type {
    Void,
    Bool,
    Int { bits: u32, signed: bool },
    Float { bits: u32 },
    Vector { elem: u32, n: u32 },
    Matrix { elem: u32, column: u32, rows: u32, columns: u32 },
    Array { elem: u32, len: u32 },
    RuntimeArray { elem: u32 },
    Struct { members: Box<[u32]> },
    Pointer { class: StorageClass, pointee: u32 },
    Image(ImageType),
    Sampler,
    SampledImage { image: u32 },
    BufferDescriptor,
    AccelerationStructure,
    RayQuery,
    HitObject,
    Function { ret: u32, params: Box<[u32]> },
}

/// Operands of OpTypeImage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageType {
    /// Type id of a component.
    pub sampled_type: u32,
    /// Dimensionality.
    pub dim: Dim,
    /// `true` if the type is declared as a depth image.
    pub depth: bool,
    /// `true` if the image is arrayed.
    pub arrayed: bool,
    /// `true` if the image is multisampled.
    pub multisampled: bool,
    /// The Sampled operand: 1 for images used with a sampler, 2 for storage images.
    pub sampled: u32,
    /// Image format number.
    pub format: u32,
}

impl Type {
    /// `true` for Bool, integer and float types.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Bool | Type::Int { .. } | Type::Float { .. })
    }
    /// `true` for float types.
    pub fn is_float(&self) -> bool {
        matches!(self, Type::Float { .. })
    }
    /// IR type of a scalar.
    pub fn scalar(&self) -> Option<Ty> {
        Some(match self {
            Type::Bool => Ty::Bool,
            Type::Int { bits: 8, .. } => Ty::I8,
            Type::Int { bits: 16, .. } => Ty::I16,
            Type::Int { bits: 32, .. } => Ty::I32,
            Type::Int { .. } => Ty::I64,
            Type::Float { bits: 16 } => Ty::F16,
            Type::Float { bits: 32 } => Ty::F32,
            Type::Float { .. } => Ty::F64,
            // A physical pointer is a 64-bit address.
            Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. } => Ty::I64,
            _ => return None,
        })
    }
}

/// Placement of the leaves of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Units {
    /// Index of the leaf: private variables and interface variables.
    Leaves,
    /// Byte offsets from the Offset, ArrayStride and MatrixStride decorations: buffers.
    Explicit,
    /// Byte offsets, each scalar naturally aligned: workgroup memory. A Bool takes four bytes.
    Natural,
}

/// Memory layout of a matrix, inherited from the struct member that holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatrixLayout {
    /// Bytes between columns (rows if row-major); 0 if not decorated.
    pub stride: u32,
    /// `true` if the matrix is row-major.
    pub row_major: bool,
}
