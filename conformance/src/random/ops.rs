//! Instructions that compute a scalar or vector from operands of the same size.

use crate::value::Scalar;

/// Kind of a scalar operand or result; the width is separate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Float.
    F,
    /// Unsigned.
    U,
    /// Signed.
    I,
    /// Truth value.
    B,
    /// Signed, 32 bits.
    Exponent,
    /// Unsigned, 32 bits.
    Count,
}

use Kind::{B, Count, Exponent, F, I, U};

impl Kind {
    /// Scalar type of this kind at a width.
    pub fn at(self, width: u32) -> Scalar {
        match self {
            F => Scalar::Float(width),
            U => Scalar::Int(width, false),
            I => Scalar::Int(width, true),
            B => Scalar::Bool,
            Exponent => Scalar::Int(32, true),
            Count => Scalar::Int(32, false),
        }
    }
    /// Kind of a scalar type.
    pub fn of(s: Scalar) -> Kind {
        match s {
            Scalar::Bool => B,
            Scalar::Float(_) => F,
            Scalar::Int(_, false) => U,
            Scalar::Int(_, true) => I,
        }
    }
}

/// Kind of the result, instruction (without `Op`: GLSL.std.450), kinds of the operands, minimum and maximum width.
pub type Row = (Kind, &'static str, &'static [Kind], u32, u32);

/// All instructions. Widths of integers start at 8, of floats at 16.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    (F, "OpFAdd", &[F, F], 16, 64), (F, "OpFSub", &[F, F], 16, 64), (F, "OpFMul", &[F, F], 16, 64),
    (F, "OpFDiv", &[F, F], 16, 64), (F, "OpFRem", &[F, F], 16, 64), (F, "OpFMod", &[F, F], 16, 64),
    (F, "OpFNegate", &[F], 16, 64), (F, "OpSelect", &[B, F, F], 16, 64), (F, "OpQuantizeToF16", &[F], 32, 32),
    (F, "FAbs", &[F], 16, 64), (F, "Floor", &[F], 16, 64), (F, "Ceil", &[F], 16, 64), (F, "Trunc", &[F], 16, 64),
    (F, "Fract", &[F], 16, 64), (F, "RoundEven", &[F], 16, 64), (F, "Round", &[F], 16, 64), (F, "FSign", &[F], 16, 64),
    (F, "Sqrt", &[F], 16, 64), (F, "InverseSqrt", &[F], 16, 64), (F, "FMin", &[F, F], 16, 64),
    (F, "FMax", &[F, F], 16, 64), (F, "NMin", &[F, F], 16, 64), (F, "NMax", &[F, F], 16, 64),
    (F, "FClamp", &[F, F, F], 16, 64), (F, "NClamp", &[F, F, F], 16, 64), (F, "FMix", &[F, F, F], 16, 64),
    (F, "Step", &[F, F], 16, 64), (F, "SmoothStep", &[F, F, F], 16, 64), (F, "Fma", &[F, F, F], 16, 64),
    (F, "Ldexp", &[F, Exponent], 16, 64),
    (F, "Sin", &[F], 16, 32), (F, "Cos", &[F], 16, 32), (F, "Tan", &[F], 16, 32), (F, "Asin", &[F], 16, 32),
    (F, "Acos", &[F], 16, 32), (F, "Atan", &[F], 16, 32), (F, "Atan2", &[F, F], 16, 32), (F, "Sinh", &[F], 16, 32),
    (F, "Cosh", &[F], 16, 32), (F, "Tanh", &[F], 16, 32), (F, "Asinh", &[F], 16, 32), (F, "Acosh", &[F], 16, 32),
    (F, "Atanh", &[F], 16, 32), (F, "Exp", &[F], 16, 32), (F, "Exp2", &[F], 16, 32), (F, "Log", &[F], 16, 32),
    (F, "Log2", &[F], 16, 32), (F, "Pow", &[F, F], 16, 32), (F, "Radians", &[F], 16, 32), (F, "Degrees", &[F], 16, 32),
    (U, "OpIAdd", &[U, U], 8, 64), (U, "OpISub", &[U, U], 8, 64), (U, "OpIMul", &[U, U], 8, 64),
    (U, "OpUDiv", &[U, U], 8, 64), (U, "OpUMod", &[U, U], 8, 64), (U, "OpShiftLeftLogical", &[U, U], 8, 64),
    (U, "OpShiftRightLogical", &[U, U], 8, 64), (U, "OpShiftLeftLogical", &[U, Count], 8, 64),
    (U, "OpShiftRightLogical", &[U, Count], 8, 64),
    (U, "OpBitwiseAnd", &[U, U], 8, 64), (U, "OpBitwiseOr", &[U, U], 8, 64), (U, "OpBitwiseXor", &[U, U], 8, 64),
    (U, "OpNot", &[U], 8, 64), (U, "OpSelect", &[B, U, U], 8, 64), (U, "OpBitcast", &[I], 8, 64),
    (U, "UMin", &[U, U], 8, 64), (U, "UMax", &[U, U], 8, 64), (U, "UClamp", &[U, U, U], 8, 64),
    (U, "OpBitReverse", &[U], 32, 32), (U, "OpBitCount", &[U], 32, 32), (U, "FindUMsb", &[U], 32, 32),
    (U, "FindILsb", &[U], 32, 32),
    (I, "OpIAdd", &[I, I], 8, 64), (I, "OpISub", &[I, I], 8, 64), (I, "OpIMul", &[I, I], 8, 64),
    (I, "OpSDiv", &[I, I], 8, 64), (I, "OpSRem", &[I, I], 8, 64), (I, "OpSMod", &[I, I], 8, 64),
    (I, "OpSNegate", &[I], 8, 64), (I, "OpShiftRightArithmetic", &[I, U], 8, 64),
    (I, "OpShiftRightArithmetic", &[I, Count], 8, 64), (I, "OpSelect", &[B, I, I], 8, 64), (I, "OpBitcast", &[U], 8, 64),
    (I, "SMin", &[I, I], 8, 64), (I, "SMax", &[I, I], 8, 64), (I, "SClamp", &[I, I, I], 8, 64),
    (I, "SAbs", &[I], 8, 64), (I, "SSign", &[I], 8, 64), (I, "FindSMsb", &[I], 32, 32),
    (B, "OpFOrdLessThan", &[F, F], 16, 64), (B, "OpFOrdGreaterThan", &[F, F], 16, 64),
    (B, "OpFUnordLessThan", &[F, F], 16, 64), (B, "OpFOrdEqual", &[F, F], 16, 64),
    (B, "OpFUnordNotEqual", &[F, F], 16, 64), (B, "OpFOrdLessThanEqual", &[F, F], 16, 64),
    (B, "OpFUnordGreaterThanEqual", &[F, F], 16, 64), (B, "OpFOrdNotEqual", &[F, F], 16, 64),
    (B, "OpFUnordEqual", &[F, F], 16, 64), (B, "OpFOrdGreaterThanEqual", &[F, F], 16, 64),
    (B, "OpFUnordGreaterThan", &[F, F], 16, 64), (B, "OpFUnordLessThanEqual", &[F, F], 16, 64),
    (B, "OpIsNan", &[F], 16, 64), (B, "OpIsInf", &[F], 16, 64),
    (B, "OpIEqual", &[U, U], 8, 64), (B, "OpINotEqual", &[I, I], 8, 64), (B, "OpULessThan", &[U, U], 8, 64),
    (B, "OpSLessThan", &[I, I], 8, 64), (B, "OpUGreaterThanEqual", &[U, U], 8, 64),
    (B, "OpSGreaterThan", &[I, I], 8, 64), (B, "OpULessThanEqual", &[U, U], 8, 64),
    (B, "OpSLessThanEqual", &[I, I], 8, 64), (B, "OpSGreaterThanEqual", &[I, I], 8, 64),
    (B, "OpUGreaterThan", &[U, U], 8, 64),
    (B, "OpLogicalAnd", &[B, B], 1, 64), (B, "OpLogicalOr", &[B, B], 1, 64), (B, "OpLogicalNot", &[B], 1, 64),
    (B, "OpLogicalEqual", &[B, B], 1, 64), (B, "OpLogicalNotEqual", &[B, B], 1, 64), (B, "OpSelect", &[B, B, B], 1, 64),
];
