//! Types of a module, and the ways to place their scalars in memory. Leaves the sizes of types to `sizes`.

use spirv::{Dim, StorageClass};

use crate::ir::Ty;

/// Maximum nesting depth of types, which bounds recursion: 255 nested structures (SPIR-V 2.17), plus the arrays and
/// pointers around them.
pub const MAX_DEPTH: u32 = 272;
/// Pointee of an untyped pointer. 0 is not a valid id.
pub const UNTYPED: u32 = 0;
/// Maximum number of components of a vector.
pub const MAX_COMPONENTS: u32 = 1024;
/// Maximum number of scalars in one value or variable.
pub const MAX_LEAVES: u32 = 1 << 18;

/// A type; component types are given as ids. `BufferDescriptor` represents OpTypeBufferEXT. `Address` represents the
/// pointers of kernels, which are numbers of 64 bits in every storage class.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are the operands that the SPIR-V specification names")]
pub enum Type {
    Void,
    Bool,
    Int {
        bits: u32,
        signed: bool,
    },
    Float {
        bits: u32,
    },
    SmallFloat(SmallFloat),
    Vector {
        elem: u32,
        n: Components,
    },
    Matrix {
        elem: u32,
        column: u32,
        rows: u32,
        columns: u32,
    },
    CooperativeMatrix(Cooperative),
    Array {
        elem: u32,
        len: u32,
    },
    RuntimeArray {
        elem: u32,
    },
    Struct {
        members: Box<[u32]>,
    },
    Pointer {
        class: StorageClass,
        pointee: u32,
    },
    Address {
        class: StorageClass,
        pointee: u32,
    },
    Event,
    Image(ImageType),
    Sampler,
    SampledImage {
        image: u32,
    },
    BufferDescriptor,
    AccelerationStructure,
    RayQuery,
    HitObject,
    /// Number of dimensions and TensorClampMode, as ids of constants.
    TensorLayout {
        dim: u32,
        clamp: u32,
    },
    /// Number of dimensions, HasDimensions and the permutation, as ids of constants.
    TensorView {
        dim: u32,
        has_dimensions: u32,
        permutation: Box<[u32]>,
    },
    Function {
        ret: u32,
        params: Box<[u32]>,
    },
}

/// Number of components of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Components {
    /// The operand of OpTypeVector.
    Literal(u32),
    /// Id of the constant that is the operand of OpTypeVectorIdEXT.
    Constant(u32),
}

/// Floating-point type with an encoding of its own. The IR holds the encoding as an integer. Spec: SPIR-V, FP Encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SmallFloat {
    /// The first half of an f32.
    BFloat16,
    /// Four bits of exponent, three of mantissa; no infinities.
    E4M3,
    /// Five bits of exponent, two of mantissa: the first half of an f16.
    E5M2,
}

/// Layout of the encoding of a small float; magnitudes without the sign.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Number of bits, with the sign.
    pub bits: u32,
    /// Number of bits of the mantissa.
    pub mantissa: u32,
    /// Bias of the exponent.
    pub bias: u32,
    /// The greatest finite number.
    pub greatest: u32,
    /// Result for numbers that are too large.
    pub past: u32,
    /// NaN.
    pub nan: u32,
}

impl SmallFloat {
    /// The small float of an OpTypeFloat with an encoding.
    pub fn of(bits: u32, encoding: u32) -> Option<SmallFloat> {
        use spirv::FPEncoding as E;
        match (bits, E::from_u32(encoding)?) {
            (16, E::BFloat16KHR) => Some(SmallFloat::BFloat16),
            (8, E::Float8E4M3EXT) => Some(SmallFloat::E4M3),
            (8, E::Float8E5M2EXT) => Some(SmallFloat::E5M2),
            _ => None,
        }
    }
    /// Layout of the encoding.
    pub fn format(self) -> Format {
        match self {
            SmallFloat::BFloat16 => {
                Format { bits: 16, mantissa: 7, bias: 127, greatest: 0x7f7f, past: 0x7f80, nan: 0x7fc0 }
            }
            SmallFloat::E4M3 => {
                Format { bits: 8, mantissa: 3, bias: 7, greatest: 0x7e, past: 0x7f, nan: 0x7f }
            }
            SmallFloat::E5M2 => {
                Format { bits: 8, mantissa: 2, bias: 15, greatest: 0x7b, past: 0x7c, nan: 0x7e }
            }
        }
    }
    /// IR type that holds the encoding.
    pub fn held(self) -> Ty {
        if self.format().bits == 16 { Ty::I16 } else { Ty::I8 }
    }
    /// Name in GLSL.
    pub fn name(self) -> &'static str {
        match self {
            SmallFloat::BFloat16 => "bfloat16_t",
            SmallFloat::E4M3 => "floate4m3_t",
            SmallFloat::E5M2 => "floate5m2_t",
        }
    }
}

/// Operands of OpTypeCooperativeMatrixKHR; all but the component type are ids of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cooperative {
    /// Type id of an element.
    pub elem: u32,
    /// Scope of the invocations that share the matrix.
    pub scope: u32,
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
    /// Operand of OpCooperativeMatrixMulAddKHR that the matrix can be.
    pub usage: u32,
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
    /// Access qualifier of kernels.
    pub access: Option<spirv::AccessQualifier>,
}

impl Type {
    /// `true` for Bool, integer and float types.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Bool | Type::Int { .. } | Type::Float { .. } | Type::SmallFloat(_))
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
            Type::SmallFloat(small) => small.held(),
            // A physical pointer is a 64-bit address.
            Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. } | Type::Address { .. } => {
                Ty::I64
            }
            // The number of the asynchronous copy that made the event; 0 is not an event.
            Type::Event => Ty::I32,
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
