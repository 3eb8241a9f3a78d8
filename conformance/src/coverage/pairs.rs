//! Tables of instructions and built-ins that are easily confused, for [`super::edit`].

use rspirv::spirv::{GlslStd450Op as G, Op, OpenclStd100Op as C};

/// Pairs of instructions that are easily confused, and take the same operands.
#[rustfmt::skip]
pub const SIMILAR: &[(Op, Op)] = &[
    (Op::IAdd, Op::ISub), (Op::FAdd, Op::FSub), (Op::UDiv, Op::SDiv), (Op::UMod, Op::SMod), (Op::SRem, Op::SMod),
    (Op::FRem, Op::FMod), (Op::ShiftRightLogical, Op::ShiftRightArithmetic), (Op::BitwiseOr, Op::BitwiseXor),
    (Op::BitwiseAnd, Op::BitwiseOr), (Op::BitFieldSExtract, Op::BitFieldUExtract),
    (Op::UMulExtended, Op::SMulExtended), (Op::IAddCarry, Op::ISubBorrow),
    (Op::FOrdEqual, Op::FUnordEqual), (Op::FOrdNotEqual, Op::FUnordNotEqual),
    (Op::FOrdLessThan, Op::FUnordLessThan), (Op::FOrdGreaterThan, Op::FUnordGreaterThan),
    (Op::FOrdLessThanEqual, Op::FUnordLessThanEqual), (Op::FOrdGreaterThanEqual, Op::FUnordGreaterThanEqual),
    (Op::ULessThan, Op::SLessThan), (Op::UGreaterThan, Op::SGreaterThan),
    (Op::ULessThanEqual, Op::SLessThanEqual), (Op::UGreaterThanEqual, Op::SGreaterThanEqual),
    (Op::LogicalOr, Op::LogicalNotEqual), (Op::LogicalAnd, Op::LogicalEqual), (Op::Any, Op::All),
    (Op::ConvertFToU, Op::ConvertFToS), (Op::ConvertSToF, Op::ConvertUToF), (Op::UConvert, Op::SConvert),
    (Op::DPdx, Op::DPdy), (Op::DPdxFine, Op::DPdyFine), (Op::DPdxCoarse, Op::DPdyCoarse),
    (Op::SDot, Op::UDot), (Op::SUDot, Op::SDot), (Op::SDotAccSat, Op::SUDotAccSat), (Op::UDotAccSat, Op::SDotAccSat),
    (Op::AbsISubINTEL, Op::AbsUSubINTEL), (Op::IAddSatINTEL, Op::UAddSatINTEL), (Op::IAverageINTEL, Op::UAverageINTEL),
    (Op::IAverageRoundedINTEL, Op::IAverageINTEL), (Op::UAverageRoundedINTEL, Op::UAverageINTEL),
    (Op::ISubSatINTEL, Op::USubSatINTEL), (Op::IMul32x16INTEL, Op::UMul32x16INTEL),
    (Op::UCountLeadingZerosINTEL, Op::UCountTrailingZerosINTEL),
    (Op::AtomicSMin, Op::AtomicUMin), (Op::AtomicSMax, Op::AtomicUMax), (Op::AtomicIAdd, Op::AtomicISub),
    (Op::AtomicOr, Op::AtomicXor), (Op::AtomicAnd, Op::AtomicOr), (Op::AtomicIIncrement, Op::AtomicIDecrement),
    (Op::AtomicFMinEXT, Op::AtomicFMaxEXT),
    (Op::GroupNonUniformAll, Op::GroupNonUniformAny),
    (Op::GroupAll, Op::GroupAny), (Op::GroupIAdd, Op::GroupUMax), (Op::GroupFMin, Op::GroupFMax),
    (Op::GroupSMin, Op::GroupUMin), (Op::GroupSMax, Op::GroupUMax),
    (Op::GroupNonUniformSMin, Op::GroupNonUniformUMin), (Op::GroupNonUniformSMax, Op::GroupNonUniformUMax),
    (Op::GroupNonUniformFMin, Op::GroupNonUniformFMax), (Op::GroupNonUniformIAdd, Op::GroupNonUniformIMul),
    (Op::GroupNonUniformFAdd, Op::GroupNonUniformFMul),
    (Op::GroupNonUniformBitwiseOr, Op::GroupNonUniformBitwiseXor),
    (Op::GroupNonUniformBitwiseAnd, Op::GroupNonUniformBitwiseOr),
    (Op::GroupNonUniformLogicalOr, Op::GroupNonUniformLogicalXor),
    (Op::GroupNonUniformLogicalAnd, Op::GroupNonUniformLogicalOr),
    (Op::GroupNonUniformShuffleUp, Op::GroupNonUniformShuffleDown),
    (Op::GroupNonUniformShuffle, Op::GroupNonUniformShuffleXor),
    (Op::GroupNonUniformBallotFindLSB, Op::GroupNonUniformBallotFindMSB),
    (Op::SubgroupAllKHR, Op::SubgroupAnyKHR),
    (Op::EmitVertex, Op::EndPrimitive), (Op::EmitStreamVertex, Op::EndStreamPrimitive),
];

/// Like [`SIMILAR`], for GLSL.std.450.
#[rustfmt::skip]
pub const SIMILAR_GLSL: &[(G, G)] = &[
    (G::Round, G::Trunc), (G::RoundEven, G::Floor), (G::Floor, G::Ceil), (G::Trunc, G::Floor),
    (G::SMin, G::UMin), (G::SMax, G::UMax), (G::SClamp, G::UClamp), (G::FMin, G::FMax), (G::NMin, G::NMax),
    (G::FindSMsb, G::FindUMsb), (G::PackSnorm4x8, G::PackUnorm4x8), (G::PackSnorm2x16, G::PackUnorm2x16),
    (G::UnpackSnorm4x8, G::UnpackUnorm4x8), (G::UnpackSnorm2x16, G::UnpackUnorm2x16),
    (G::Sin, G::Cos), (G::Sinh, G::Cosh), (G::Exp, G::Exp2), (G::Log, G::Log2),
];

/// Like [`SIMILAR`], for OpenCL.std.
#[rustfmt::skip]
pub const SIMILAR_OPENCL: &[(C, C)] = &[
    (C::sin, C::cos), (C::sinpi, C::cospi), (C::sinh, C::cosh), (C::exp, C::exp2), (C::log, C::log2), (C::erf, C::erfc),
    (C::floor, C::ceil), (C::trunc, C::round), (C::rint, C::floor), (C::fmin, C::fmax), (C::maxmag, C::minmag),
    (C::fmod, C::remainder), (C::s_min, C::u_min), (C::s_max, C::u_max), (C::s_add_sat, C::u_add_sat),
    (C::s_sub_sat, C::u_sub_sat), (C::s_hadd, C::u_hadd), (C::s_rhadd, C::u_rhadd), (C::clz, C::ctz),
    (C::s_mul_hi, C::u_mul_hi), (C::s_mad_sat, C::u_mad_sat), (C::s_abs_diff, C::u_abs_diff), (C::s_clamp, C::u_clamp),
];

/// Instructions whose operands do not commute.
#[rustfmt::skip]
pub const ORDERED: &[Op] = &[
    Op::ISub, Op::FSub, Op::UDiv, Op::SDiv, Op::FDiv, Op::UMod, Op::SRem, Op::SMod, Op::FRem, Op::FMod,
    Op::MatrixTimesMatrix, Op::ISubBorrow, Op::ShiftLeftLogical, Op::ShiftRightLogical, Op::ShiftRightArithmetic,
    Op::UGreaterThan, Op::SGreaterThan, Op::UGreaterThanEqual, Op::SGreaterThanEqual, Op::ULessThan, Op::SLessThan,
    Op::ULessThanEqual, Op::SLessThanEqual, Op::FOrdLessThan, Op::FUnordLessThan, Op::FOrdGreaterThan,
    Op::FUnordGreaterThan, Op::FOrdLessThanEqual, Op::FUnordLessThanEqual, Op::FOrdGreaterThanEqual,
    Op::FUnordGreaterThanEqual, Op::ISubSatINTEL, Op::USubSatINTEL, Op::IMul32x16INTEL, Op::UMul32x16INTEL,
];

/// Pairs of built-ins with the same type.
pub const BUILT_INS: &[(u32, u32)] = {
    use rspirv::spirv::BuiltIn as B;
    &[
        (B::VertexIndex as u32, B::InstanceIndex as u32),
        (B::InstanceIndex as u32, B::VertexIndex as u32),
        (B::BaseVertex as u32, B::VertexIndex as u32),
        (B::BaseInstance as u32, B::VertexIndex as u32),
        (B::DrawIndex as u32, B::VertexIndex as u32),
        (B::GlobalInvocationId as u32, B::LocalInvocationId as u32),
        (B::LocalInvocationId as u32, B::WorkgroupId as u32),
        (B::WorkgroupId as u32, B::LocalInvocationId as u32),
        (B::NumWorkgroups as u32, B::WorkgroupId as u32),
        (B::LocalInvocationIndex as u32, B::SubgroupId as u32),
        (B::SubgroupSize as u32, B::SubgroupId as u32),
        (B::NumSubgroups as u32, B::SubgroupLocalInvocationId as u32),
        (B::SubgroupId as u32, B::SubgroupLocalInvocationId as u32),
        (B::SubgroupLocalInvocationId as u32, B::SubgroupSize as u32),
        (B::SubgroupEqMask as u32, B::SubgroupGeMask as u32),
        (B::SubgroupGeMask as u32, B::SubgroupGtMask as u32),
        (B::SubgroupGtMask as u32, B::SubgroupLeMask as u32),
        (B::SubgroupLeMask as u32, B::SubgroupLtMask as u32),
        (B::SubgroupLtMask as u32, B::SubgroupEqMask as u32),
        (B::FrontFacing as u32, B::HelperInvocation as u32),
        (B::HelperInvocation as u32, B::FrontFacing as u32),
        (B::Layer as u32, B::ViewportIndex as u32),
        (B::ViewportIndex as u32, B::Layer as u32),
        (B::PrimitiveId as u32, B::Layer as u32),
        (B::SampleId as u32, B::PrimitiveId as u32),
        (B::PointCoord as u32, B::SamplePosition as u32),
        (B::SamplePosition as u32, B::PointCoord as u32),
        (B::DeviceIndex as u32, B::PrimitiveId as u32),
        (B::ViewIndex as u32, B::DeviceIndex as u32),
        (B::InvocationId as u32, B::PrimitiveId as u32),
        (B::PatchVertices as u32, B::PrimitiveId as u32),
        (B::GlobalSize as u32, B::GlobalOffset as u32),
        (B::GlobalOffset as u32, B::GlobalSize as u32),
        (B::EnqueuedWorkgroupSize as u32, B::GlobalSize as u32),
        (B::WorkgroupSize as u32, B::GlobalSize as u32),
        (B::GlobalLinearId as u32, B::LocalInvocationIndex as u32),
        (B::WorkDim as u32, B::SubgroupSize as u32),
    ]
};
