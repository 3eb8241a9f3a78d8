//! The table of accepted instructions: one row each, with how it becomes IR.
//!
//! Adding an instruction is a row here and, unless it expands to an IR operation on each component,
//! a function in the family's file under `lower`. The lists are what coverage reports and the
//! documentation of supported capabilities are made from.

use std::sync::OnceLock;

use spirv::{Capability, GlslStd450Op as G, Op as S};

use super::lower::place;
use super::lower::{Lower, Scalars, arith, composite, control, matrix};
use super::module::Inst;
use crate::error::Result;
use crate::ir::Op;

/// Lowers an instruction to the scalars of its result. Operands are those after result type and
/// result (for extended instructions: after the instruction number).
pub type ValueFn = for<'a> fn(&mut Lower<'a>, &Inst, &'a [u32]) -> Result<Scalars>;
/// Lowers an instruction that has no result, or binds it itself.
pub type DoFn = for<'a> fn(&mut Lower<'a>, &Inst, &'a [u32]) -> Result<()>;

/// How an instruction becomes IR.
#[derive(Clone, Copy)]
pub enum Expand {
    /// The operation on each component; scalar operands are used for all components.
    Map(Op),
    /// As `Map`, with the operands swapped.
    Swap(Op),
    /// A function that gives the result's scalars.
    Value(ValueFn),
    /// A function that does everything.
    Do(DoFn),
    /// Nothing to do.
    Ignore,
    /// Read when the module is parsed.
    Global,
    /// Ends a block or shapes control flow.
    Control,
}

/// How an instruction becomes IR, if it is accepted.
pub fn row(op: S) -> Option<Expand> {
    static INDEX: OnceLock<Vec<Option<Expand>>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let mut index = vec![None; 8192];
        for (op, how) in ROWS {
            if let Some(slot) = index.get_mut(*op as usize) {
                *slot = Some(*how);
            }
        }
        index
    });
    index.get(op as usize).copied().flatten()
}

/// How a GLSL.std.450 instruction becomes IR, if it is accepted.
pub fn glsl_row(number: u32) -> Option<Expand> {
    GLSL_ROWS.iter().find(|r| r.0 as u32 == number).map(|r| r.1)
}

use Expand::{Control, Do, Global, Ignore, Map, Swap, Value};

/// Every accepted instruction.
#[rustfmt::skip]
pub const ROWS: &[(S, Expand)] = &[
    // Module level.
    (S::Capability, Global), (S::Extension, Global), (S::ExtInstImport, Global), (S::MemoryModel, Global),
    (S::EntryPoint, Global), (S::ExecutionMode, Global), (S::ExecutionModeId, Global),
    (S::Source, Global), (S::SourceContinued, Global), (S::SourceExtension, Global), (S::String, Global),
    (S::Name, Global), (S::MemberName, Global), (S::ModuleProcessed, Global),
    (S::Decorate, Global), (S::MemberDecorate, Global), (S::DecorateId, Global), (S::DecorateString, Global),
    (S::MemberDecorateString, Global),
    (S::DecorationGroup, Global), (S::GroupDecorate, Global), (S::GroupMemberDecorate, Global),
    (S::TypeVoid, Global), (S::TypeBool, Global), (S::TypeInt, Global), (S::TypeFloat, Global),
    (S::TypeVector, Global), (S::TypeMatrix, Global), (S::TypeArray, Global), (S::TypeRuntimeArray, Global),
    (S::TypeStruct, Global), (S::TypePointer, Global), (S::TypeFunction, Global), (S::TypeImage, Global),
    (S::TypeSampler, Global), (S::TypeSampledImage, Global), (S::TypeForwardPointer, Global),
    (S::ConstantTrue, Global), (S::ConstantFalse, Global), (S::Constant, Global),
    (S::ConstantComposite, Global), (S::ConstantNull, Global),
    (S::SpecConstantTrue, Global), (S::SpecConstantFalse, Global), (S::SpecConstant, Global),
    (S::SpecConstantComposite, Global), (S::SpecConstantOp, Global),

    // Functions and control flow.
    (S::Function, Control), (S::FunctionParameter, Control), (S::FunctionEnd, Control), (S::Label, Control),
    (S::Phi, Control), (S::LoopMerge, Control), (S::SelectionMerge, Control), (S::Branch, Control),
    (S::BranchConditional, Control), (S::Switch, Control), (S::Return, Control), (S::ReturnValue, Control),
    (S::Kill, Control), (S::TerminateInvocation, Control), (S::Unreachable, Control),
    (S::FunctionCall, Do(control::call)),
    (S::Nop, Ignore), (S::Line, Ignore), (S::NoLine, Ignore), (S::ExtInst, Ignore),
    (S::Undef, Value(control::undef)),

    // Memory.
    (S::Variable, Do(place::variable)),
    (S::Load, Value(place::load)),
    (S::Store, Do(place::store)),
    (S::CopyMemory, Do(place::copy_memory)),
    (S::AccessChain, Do(place::access_chain)),
    (S::InBoundsAccessChain, Do(place::access_chain)),
    (S::PtrAccessChain, Do(place::ptr_access_chain)),
    (S::ArrayLength, Value(place::array_length)),

    // Composites.
    (S::CopyObject, Do(place::copy_object)),
    (S::CopyLogical, Value(composite::copy_logical)),
    (S::CompositeConstruct, Value(composite::construct)),
    (S::CompositeExtract, Value(composite::extract)),
    (S::CompositeInsert, Value(composite::insert)),
    (S::VectorShuffle, Value(composite::shuffle)),
    (S::VectorExtractDynamic, Value(composite::extract_dynamic)),
    (S::VectorInsertDynamic, Value(composite::insert_dynamic)),
    (S::Select, Value(composite::select)),
    (S::Transpose, Value(matrix::transpose)),

    // Arithmetic.
    (S::SNegate, Map(Op::INeg)), (S::FNegate, Map(Op::FNeg)),
    (S::IAdd, Map(Op::IAdd)), (S::FAdd, Map(Op::FAdd)),
    (S::ISub, Map(Op::ISub)), (S::FSub, Map(Op::FSub)),
    (S::IMul, Map(Op::IMul)), (S::FMul, Map(Op::FMul)),
    (S::UDiv, Map(Op::UDiv)), (S::SDiv, Map(Op::SDiv)), (S::FDiv, Map(Op::FDiv)),
    (S::UMod, Map(Op::UMod)), (S::SRem, Map(Op::SRem)), (S::SMod, Map(Op::SMod)),
    (S::FRem, Map(Op::FRem)), (S::FMod, Map(Op::FMod)),
    (S::VectorTimesScalar, Map(Op::FMul)), (S::MatrixTimesScalar, Map(Op::FMul)),
    (S::VectorTimesMatrix, Value(matrix::vector_times_matrix)),
    (S::MatrixTimesVector, Value(matrix::matrix_times_vector)),
    (S::MatrixTimesMatrix, Value(matrix::matrix_times_matrix)),
    (S::OuterProduct, Value(matrix::outer_product)),
    (S::Dot, Value(matrix::dot)),
    (S::IAddCarry, Value(arith::add_carry)), (S::ISubBorrow, Value(arith::sub_borrow)),
    (S::UMulExtended, Value(arith::umul_extended)), (S::SMulExtended, Value(arith::smul_extended)),

    // Bits.
    (S::ShiftRightLogical, Map(Op::ShrU)), (S::ShiftRightArithmetic, Map(Op::ShrS)),
    (S::ShiftLeftLogical, Map(Op::Shl)),
    (S::BitwiseOr, Map(Op::Or)), (S::BitwiseXor, Map(Op::Xor)), (S::BitwiseAnd, Map(Op::And)), (S::Not, Map(Op::Not)),
    (S::BitFieldInsert, Value(arith::bit_insert)),
    (S::BitFieldSExtract, Value(arith::bit_sextract)), (S::BitFieldUExtract, Value(arith::bit_uextract)),
    (S::BitReverse, Map(Op::BitReverse)), (S::BitCount, Value(arith::bit_count)),

    // Comparison and logic.
    (S::Any, Value(arith::any)), (S::All, Value(arith::all)),
    (S::IsNan, Map(Op::IsNan)), (S::IsInf, Map(Op::IsInf)),
    (S::LogicalEqual, Value(arith::logical_equal)), (S::LogicalNotEqual, Map(Op::Xor)),
    (S::LogicalOr, Map(Op::Or)), (S::LogicalAnd, Map(Op::And)), (S::LogicalNot, Map(Op::Not)),
    (S::IEqual, Map(Op::IEq)), (S::INotEqual, Map(Op::INe)),
    (S::UGreaterThan, Swap(Op::ULt)), (S::SGreaterThan, Swap(Op::SLt)),
    (S::UGreaterThanEqual, Swap(Op::ULe)), (S::SGreaterThanEqual, Swap(Op::SLe)),
    (S::ULessThan, Map(Op::ULt)), (S::SLessThan, Map(Op::SLt)),
    (S::ULessThanEqual, Map(Op::ULe)), (S::SLessThanEqual, Map(Op::SLe)),
    (S::FOrdEqual, Map(Op::FOrdEq)), (S::FUnordEqual, Map(Op::FUnordEq)),
    (S::FOrdNotEqual, Map(Op::FOrdNe)), (S::FUnordNotEqual, Map(Op::FUnordNe)),
    (S::FOrdLessThan, Map(Op::FOrdLt)), (S::FUnordLessThan, Map(Op::FUnordLt)),
    (S::FOrdGreaterThan, Swap(Op::FOrdLt)), (S::FUnordGreaterThan, Swap(Op::FUnordLt)),
    (S::FOrdLessThanEqual, Map(Op::FOrdLe)), (S::FUnordLessThanEqual, Map(Op::FUnordLe)),
    (S::FOrdGreaterThanEqual, Swap(Op::FOrdLe)), (S::FUnordGreaterThanEqual, Swap(Op::FUnordLe)),

    // Conversion.
    (S::ConvertFToU, Map(Op::FToU)), (S::ConvertFToS, Map(Op::FToS)),
    (S::ConvertSToF, Map(Op::SToF)), (S::ConvertUToF, Map(Op::UToF)),
    (S::UConvert, Value(arith::uconvert)), (S::SConvert, Value(arith::sconvert)), (S::FConvert, Value(arith::fconvert)),
    (S::QuantizeToF16, Map(Op::QuantizeToF16)),
    (S::Bitcast, Value(arith::bitcast)),

    // Derivatives.
    (S::DPdx, Value(arith::ddx)), (S::DPdxFine, Value(arith::ddx)), (S::DPdxCoarse, Value(arith::ddx_coarse)),
    (S::DPdy, Value(arith::ddy)), (S::DPdyFine, Value(arith::ddy)), (S::DPdyCoarse, Value(arith::ddy_coarse)),
    (S::Fwidth, Value(arith::fwidth)), (S::FwidthFine, Value(arith::fwidth)),
    (S::FwidthCoarse, Value(arith::fwidth_coarse)),

    // Fragment shader.
    (S::DemoteToHelperInvocation, Do(arith::demote)), (S::IsHelperInvocationEXT, Value(arith::is_helper)),

    // Images.

    // Atomics and barriers.

    // Groups.
];

/// Every accepted instruction of GLSL.std.450.
#[rustfmt::skip]
pub const GLSL_ROWS: &[(G, Expand)] = &[
    (G::Round, Map(Op::FRound)), (G::RoundEven, Map(Op::FRound)), (G::Trunc, Map(Op::FTrunc)),
    (G::FAbs, Map(Op::FAbs)), (G::SAbs, Map(Op::SAbs)), (G::FSign, Map(Op::FSign)), (G::SSign, Map(Op::SSign)),
    (G::Floor, Map(Op::FFloor)), (G::Ceil, Map(Op::FCeil)), (G::Fract, Map(Op::FFract)),
    (G::Sin, Map(Op::Sin)), (G::Cos, Map(Op::Cos)), (G::Tan, Map(Op::Tan)),
    (G::Asin, Map(Op::Asin)), (G::Acos, Map(Op::Acos)), (G::Atan, Map(Op::Atan)),
    (G::Sinh, Map(Op::Sinh)), (G::Cosh, Map(Op::Cosh)), (G::Tanh, Map(Op::Tanh)),
    (G::Asinh, Map(Op::Asinh)), (G::Acosh, Map(Op::Acosh)), (G::Atanh, Map(Op::Atanh)),
    (G::Atan2, Map(Op::Atan2)), (G::Pow, Map(Op::Pow)), (G::Exp, Map(Op::Exp)), (G::Log, Map(Op::Log)),
    (G::Exp2, Map(Op::Exp2)), (G::Log2, Map(Op::Log2)), (G::Sqrt, Map(Op::FSqrt)),
    (G::InverseSqrt, Map(Op::FInvSqrt)),
    (G::Determinant, Value(matrix::determinant)), (G::MatrixInverse, Value(matrix::inverse)),
    (G::FMin, Map(Op::FMin)), (G::UMin, Map(Op::UMin)), (G::SMin, Map(Op::SMin)),
    (G::FMax, Map(Op::FMax)), (G::UMax, Map(Op::UMax)), (G::SMax, Map(Op::SMax)),
    (G::Fma, Map(Op::Fma)), (G::PackDouble2x32, Value(arith::bitcast)),
 (G::UnpackDouble2x32, Value(arith::bitcast)),
    (G::FindILsb, Map(Op::FindILsb)), (G::FindSMsb, Map(Op::FindSMsb)), (G::FindUMsb, Map(Op::FindUMsb)),
    (G::NMin, Map(Op::NMin)), (G::NMax, Map(Op::NMax)),];

/// Capabilities that a module may declare.
pub const CAPABILITIES: &[Capability] = &[
    Capability::Matrix,
    Capability::Shader,
    Capability::Float16,
    Capability::Float64,
    Capability::Int64,
    Capability::Int16,
    Capability::Int8,
    Capability::StorageBuffer16BitAccess,
    Capability::UniformAndStorageBuffer16BitAccess,
    Capability::StoragePushConstant16,
    Capability::StorageInputOutput16,
    Capability::StorageBuffer8BitAccess,
    Capability::UniformAndStorageBuffer8BitAccess,
    Capability::StoragePushConstant8,
    Capability::ImageGatherExtended,
    Capability::StorageImageMultisample,
    Capability::UniformBufferArrayDynamicIndexing,
    Capability::SampledImageArrayDynamicIndexing,
    Capability::StorageBufferArrayDynamicIndexing,
    Capability::StorageImageArrayDynamicIndexing,
    Capability::ClipDistance,
    Capability::CullDistance,
    Capability::ImageCubeArray,
    Capability::SampleRateShading,
    Capability::InputAttachment,
    Capability::MinLod,
    Capability::Sampled1D,
    Capability::Image1D,
    Capability::SampledCubeArray,
    Capability::SampledBuffer,
    Capability::ImageBuffer,
    Capability::ImageMSArray,
    Capability::StorageImageExtendedFormats,
    Capability::ImageQuery,
    Capability::DerivativeControl,
    Capability::InterpolationFunction,
    Capability::TransformFeedback,
    Capability::StorageImageReadWithoutFormat,
    Capability::StorageImageWriteWithoutFormat,
    Capability::MultiViewport,
    Capability::Geometry,
    Capability::Tessellation,
    Capability::ShaderLayer,
    Capability::ShaderViewportIndex,
    Capability::ShaderViewportIndexLayerEXT,
    Capability::GroupNonUniform,
    Capability::GroupNonUniformVote,
    Capability::GroupNonUniformArithmetic,
    Capability::GroupNonUniformBallot,
    Capability::GroupNonUniformShuffle,
    Capability::GroupNonUniformShuffleRelative,
    Capability::GroupNonUniformClustered,
    Capability::GroupNonUniformQuad,
    Capability::SubgroupBallotKHR,
    Capability::SubgroupVoteKHR,
    Capability::DrawParameters,
    Capability::DeviceGroup,
    Capability::MultiView,
    Capability::StencilExportEXT,
    Capability::AtomicFloat32AddEXT,
    Capability::AtomicFloat32MinMaxEXT,
    Capability::AtomicFloat64AddEXT,
    Capability::AtomicFloat64MinMaxEXT,
    Capability::Int64Atomics,
    Capability::DenormPreserve,
    Capability::SignedZeroInfNanPreserve,
    Capability::RoundingModeRTE,
    Capability::DemoteToHelperInvocation,
    Capability::ShaderNonUniform,
    Capability::RuntimeDescriptorArray,
    Capability::InputAttachmentArrayDynamicIndexing,
    Capability::UniformTexelBufferArrayDynamicIndexing,
    Capability::StorageTexelBufferArrayDynamicIndexing,
    Capability::UniformBufferArrayNonUniformIndexing,
    Capability::SampledImageArrayNonUniformIndexing,
    Capability::StorageBufferArrayNonUniformIndexing,
    Capability::StorageImageArrayNonUniformIndexing,
    Capability::InputAttachmentArrayNonUniformIndexing,
    Capability::UniformTexelBufferArrayNonUniformIndexing,
    Capability::StorageTexelBufferArrayNonUniformIndexing,
    Capability::VulkanMemoryModel,
    Capability::VulkanMemoryModelDeviceScope,
    Capability::WorkgroupMemoryExplicitLayoutKHR,
    Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
    Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
];
