//! Types of a module, and the ways to place their scalars in memory. Leaves the sizes of types to `sizes`.

use spirv::{Dim, StorageClass};

use super::newer;
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
    /// Two bits of exponent, three of mantissa; only finite numbers.
    E2M3,
    /// Three bits of exponent, two of mantissa; only finite numbers.
    E3M2,
    /// Two bits of exponent, one of mantissa; only finite numbers.
    E2M1,
    /// The exponent of an f32, without a sign: powers of two from 2^-127, and NaN.
    E8M0,
    /// A signed integer in units of 2^-6.
    MxInt8,
}

/// Layout of an encoding that consists of sign, exponent and mantissa.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Number of bits of the mantissa.
    pub mantissa: u32,
    /// Bias of the exponent.
    pub bias: u32,
    /// The end of the finite numbers; `None` if all encodings are finite numbers.
    pub end: Option<End>,
}

/// Magnitudes at the end of the finite numbers, without the sign.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The greatest finite number.
    pub greatest: u32,
    /// Result for numbers that are too large.
    pub past: u32,
    /// NaN.
    pub nan: u32,
}

impl SmallFloat {
    /// All of them.
    pub const ALL: [SmallFloat; 8] = [
        SmallFloat::BFloat16,
        SmallFloat::E4M3,
        SmallFloat::E5M2,
        SmallFloat::E2M3,
        SmallFloat::E3M2,
        SmallFloat::E2M1,
        SmallFloat::E8M0,
        SmallFloat::MxInt8,
    ];
    /// The small float with a [name](Self::name).
    pub fn named(name: &str) -> Option<SmallFloat> {
        SmallFloat::ALL.into_iter().find(|small| small.name() == name)
    }
    /// The small float of an OpTypeFloat with an encoding.
    pub fn of(bits: u32, encoding: u32) -> Option<SmallFloat> {
        const BFLOAT16: u32 = spirv::FPEncoding::BFloat16KHR as u32;
        const E4M3: u32 = spirv::FPEncoding::Float8E4M3EXT as u32;
        const E5M2: u32 = spirv::FPEncoding::Float8E5M2EXT as u32;
        let small = match encoding {
            BFLOAT16 => SmallFloat::BFloat16,
            E4M3 => SmallFloat::E4M3,
            E5M2 => SmallFloat::E5M2,
            newer::FLOAT6_E2M3 => SmallFloat::E2M3,
            newer::FLOAT6_E3M2 => SmallFloat::E3M2,
            newer::FLOAT4_E2M1 => SmallFloat::E2M1,
            newer::FLOAT8_UNSIGNED_E8M0 => SmallFloat::E8M0,
            newer::MX_INT8 => SmallFloat::MxInt8,
            _ => return None,
        };
        (small.bits() == bits).then_some(small)
    }
    /// Number of bits of the encoding, with the sign.
    pub fn bits(self) -> u32 {
        match self {
            SmallFloat::BFloat16 => 16,
            SmallFloat::E4M3 | SmallFloat::E5M2 | SmallFloat::E8M0 | SmallFloat::MxInt8 => 8,
            SmallFloat::E2M3 | SmallFloat::E3M2 => 6,
            SmallFloat::E2M1 => 4,
        }
    }
    /// Layout of the encoding; `None` if it does not consist of sign, exponent and mantissa.
    pub fn format(self) -> Option<Format> {
        let format = |mantissa, bias, end| Some(Format { mantissa, bias, end });
        let end = |greatest, past, nan| Some(End { greatest, past, nan });
        match self {
            SmallFloat::BFloat16 => format(7, 127, end(0x7f7f, 0x7f80, 0x7fc0)),
            SmallFloat::E4M3 => format(3, 7, end(0x7e, 0x7f, 0x7f)),
            SmallFloat::E5M2 => format(2, 15, end(0x7b, 0x7c, 0x7e)),
            SmallFloat::E2M3 => format(3, 1, None),
            SmallFloat::E3M2 => format(2, 3, None),
            SmallFloat::E2M1 => format(1, 1, None),
            SmallFloat::E8M0 | SmallFloat::MxInt8 => None,
        }
    }
    /// Layout of an encoding to which numbers are converted; `None` for the types of microscaling, which Vulkan only
    /// converts to others.
    pub fn result_format(self) -> Option<(Format, End)> {
        let format = self.format()?;
        Some((format, format.end?))
    }
    /// Message for an instruction whose result is not allowed to be of this type.
    pub fn no_result(self) -> String {
        format!("numbers are not converted to {}", self.name())
    }
    /// IR type that holds the encoding, in its low bits.
    pub fn held(self) -> Ty {
        if self.bits() == 16 { Ty::I16 } else { Ty::I8 }
    }
    /// Name in GLSL, or a similar name if GLSL lacks the type.
    pub fn name(self) -> &'static str {
        match self {
            SmallFloat::BFloat16 => "bfloat16_t",
            SmallFloat::E4M3 => "floate4m3_t",
            SmallFloat::E5M2 => "floate5m2_t",
            SmallFloat::E2M3 => "floate2m3_t",
            SmallFloat::E3M2 => "floate3m2_t",
            SmallFloat::E2M1 => "floate2m1_t",
            SmallFloat::E8M0 => "floatue8m0_t",
            SmallFloat::MxInt8 => "mxint8_t",
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
