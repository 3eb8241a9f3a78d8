//! Types of a module: what they are, and the ways to place their scalars in memory. How large they are is in
//! `sizes`.

use spirv::{Dim, StorageClass};

use crate::ir::Ty;

/// Deepest nesting of types, so that recursion over them is bounded: 255 structures (SPIR-V 2.17), and what holds
/// and points to them.
pub const MAX_DEPTH: u32 = 272;
/// What an untyped pointer points to: no type's id.
pub const UNTYPED: u32 = 0;
/// Most scalars in one value or variable.
pub const MAX_LEAVES: u32 = 1 << 18;

/// A type. Components are named by type id. `BufferDescriptor` is what OpTypeBufferEXT declares.
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
    Function { ret: u32, params: Box<[u32]> },
}

/// Operands of OpTypeImage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageType {
    /// Type id of a component.
    pub sampled_type: u32,
    /// Dimensionality.
    pub dim: Dim,
    /// Declared as a depth image.
    pub depth: bool,
    /// Has layers.
    pub arrayed: bool,
    /// Has samples.
    pub multisampled: bool,
    /// 1: with a sampler, 2: storage.
    pub sampled: u32,
    /// Image format number.
    pub format: u32,
}

impl Type {
    /// Bool, integer or float.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Bool | Type::Int { .. } | Type::Float { .. })
    }
    /// Float.
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
            // An address.
            Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. } => Ty::I64,
            _ => return None,
        })
    }
}

/// How the leaves of a type are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Units {
    /// Index of the scalar: private variables and interface variables.
    Leaves,
    /// Bytes by Offset, ArrayStride and MatrixStride decorations: buffers.
    Explicit,
    /// Bytes, each scalar at its own alignment: workgroup memory. Bools take four bytes.
    Natural,
}

/// How a matrix lies in memory, inherited from the struct member that holds it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MatrixLayout {
    /// Bytes between columns (rows if row-major); 0 if not decorated.
    pub stride: u32,
    /// Row-major.
    pub row_major: bool,
}
