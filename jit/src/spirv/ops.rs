//! The table of accepted instructions: one row per instruction, with its expansion to IR.
//!
//! A new instruction needs a row here. Unless it expands to an IR operation on each component, it also needs a function
//! in the family's file under `lower`. Coverage reports and the documentation of supported capabilities derive from
//! these lists.

use once_cell::race::OnceBox;
use spirv::{Capability, GlslStd450Op as G, Op as S, OpenclStd100Op as C};

use super::lower::opencl::{
    common as cl, exact as cl_exact, gamma as cl_gamma, integer as cl_int, math as cl_math,
    memory as cl_memory,
};
use super::lower::variable;
use super::lower::{
    Lower, Scalars, arith, atomic, attachment, composite, control, convert, cooperative, copy, denorm,
    elements, geometry, glsl, group, heap, hit_object, image, kernel, matrix, mesh, pack, pointer, ray,
    ray_call, small_float, tensor,
};
use super::module::Inst;
use super::{grammar, newer};
use crate::error::Result;
use crate::ir::Op;

/// Lowers an instruction to the scalars of its result. Operands follow the result type and result (for extended
/// instructions: the instruction number).
pub type ValueFn = for<'a> fn(&mut Lower<'a>, &Inst, &'a [u32]) -> Result<Scalars>;
/// Lowers an instruction that has no result, or binds it itself.
pub type DoFn = for<'a> fn(&mut Lower<'a>, &Inst, &'a [u32]) -> Result<()>;

/// Expansion of an instruction to IR.
#[derive(Clone, Copy)]
pub enum Expand {
    /// The operation, applied to each component; a scalar operand is used for all components.
    Map(Op),
    /// As `Map`, with the operands swapped.
    Swap(Op),
    /// A function that returns the scalars of the result.
    Value(ValueFn),
    /// A function that does the whole lowering.
    Do(DoFn),
    /// No IR is needed.
    Ignore,
    /// The parser reads the instruction.
    Global,
    /// Ends a block or shapes control flow.
    Control,
}

impl Expand {
    /// Describes the expansion, for coverage reports.
    pub fn describe(self) -> &'static str {
        match self {
            Map(op) | Swap(op) => op.name(),
            Value(_) | Do(_) => "function",
            Ignore => "nothing to do",
            Global => "module level",
            Control => "control flow",
        }
    }
}

/// Returns name and [`Expand::describe`] of every accepted instruction, GLSL.std.450 and OpenCL.std included.
pub fn coverage() -> impl Iterator<Item = (String, &'static str)> {
    let core = ROWS.iter().map(|(op, how)| (grammar::name_of(*op), how.describe()));
    let glsl = GLSL_ROWS.iter().map(|(op, how)| (format!("GLSL.std.450 {op:?}"), how.describe()));
    let opencl = OPENCL_ROWS.iter().map(|(op, how)| (format!("OpenCL.std {op:?}"), how.describe()));
    core.chain(glsl).chain(opencl)
}

/// Returns the expansion of an instruction, if it is accepted.
pub fn row(op: S) -> Option<Expand> {
    static INDEX: OnceBox<Vec<Option<Expand>>> = OnceBox::new();
    let index = INDEX.get_or_init(|| {
        let mut index = vec![None; 8192];
        for (op, how) in ROWS {
            if let Some(slot) = index.get_mut(*op as usize) {
                *slot = Some(*how);
            }
        }
        Box::new(index)
    });
    index.get(op as usize).copied().flatten()
}

/// Returns the expansion of a GLSL.std.450 instruction, if it is accepted.
pub fn glsl_row(number: u32) -> Option<Expand> {
    GLSL_ROWS.iter().find(|r| r.0 as u32 == number).map(|r| r.1)
}

/// Returns the expansion of an OpenCL.std instruction, if it is accepted.
pub fn opencl_row(number: u32) -> Option<Expand> {
    OPENCL_ROWS.iter().find(|r| r.0 as u32 == number).map(|r| r.1)
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
    (S::TypeVector, Global), (S::TypeVectorIdEXT, Global), (S::TypeMatrix, Global), (S::TypeArray, Global), (S::TypeRuntimeArray, Global),
    (S::TypeStruct, Global), (S::TypePointer, Global), (S::TypeFunction, Global), (S::TypeImage, Global),
    (S::TypeSampler, Global), (S::TypeSampledImage, Global), (S::TypeForwardPointer, Global), (S::TypeEvent, Global), (S::TypeUntypedPointerKHR, Global), (S::UntypedVariableKHR, Global),
    (S::TypeAccelerationStructureKHR, Global), (S::TypeRayQueryKHR, Global), (S::TypeHitObjectEXT, Global),
    (S::TypeCooperativeMatrixKHR, Global), (S::TypeTensorLayoutNV, Global), (S::TypeTensorViewNV, Global),
    (S::TypeBufferEXT, Global), (S::ConstantSizeOfEXT, Global), (S::MemberDecorateIdEXT, Global),
    (S::ConstantTrue, Global), (S::ConstantFalse, Global), (S::Constant, Global),
    (S::ConstantComposite, Global), (S::ConstantNull, Global), (S::ConstantSampler, Global),
    (newer::CONSTANT_DATA, Global), (newer::SPEC_CONSTANT_DATA, Global),
    (S::SpecConstantTrue, Global), (S::SpecConstantFalse, Global), (S::SpecConstant, Global),
    (S::SpecConstantComposite, Global), (S::SpecConstantOp, Global),
    (S::ConstantCompositeReplicateEXT, Global), (S::SpecConstantCompositeReplicateEXT, Global),

    // Functions and control flow.
    (S::Function, Control), (S::FunctionParameter, Control), (S::FunctionEnd, Control), (S::Label, Control),
    (S::Phi, Control), (S::LoopMerge, Control), (S::SelectionMerge, Control), (S::Branch, Control),
    (S::BranchConditional, Control), (S::Switch, Control), (S::Return, Control), (S::ReturnValue, Control),
    (S::Kill, Control), (S::TerminateInvocation, Control), (S::Unreachable, Control), (S::EmitMeshTasksEXT, Control), (newer::ABORT, Control),
    (S::FunctionCall, Do(control::call)),
    (S::Nop, Ignore), (S::Line, Ignore), (S::NoLine, Ignore), (S::ExtInst, Ignore),
    // The pipeline processes the primitives of a pixel in order, so interlocks need no code of their own.
    (S::BeginInvocationInterlockEXT, Do(atomic::interlock)), (S::EndInvocationInterlockEXT, Do(atomic::interlock)),
    (S::ExtInstWithForwardRefsKHR, Ignore), (S::AssumeTrueKHR, Ignore), (S::ExpectKHR, Value(composite::expect)),
    (S::Undef, Value(control::undef)),

    // Memory.
    (S::Variable, Do(variable::variable)),
    (S::Load, Do(variable::load)),
    (S::Store, Do(variable::store)),
    (S::CopyMemory, Do(variable::copy_memory)), (S::CopyMemorySized, Do(copy::copy_sized)),
    (S::AccessChain, Do(variable::access_chain)),
    (S::InBoundsAccessChain, Do(variable::access_chain)),
    (S::PtrAccessChain, Do(pointer::ptr_access_chain)), (S::InBoundsPtrAccessChain, Do(pointer::ptr_access_chain)),
    (S::PtrCastToGeneric, Do(kernel::cast_pointer)), (S::GenericCastToPtr, Do(kernel::cast_pointer)),
    (S::GenericCastToPtrExplicit, Value(kernel::cast_explicit)),
    (S::GenericPtrMemSemantics, Value(kernel::pointer_semantics)),
    (S::LifetimeStart, Ignore), (S::LifetimeStop, Ignore),
    (S::UntypedAccessChainKHR, Do(pointer::untyped_access_chain)),
    (S::UntypedInBoundsAccessChainKHR, Do(pointer::untyped_access_chain)),
    (S::UntypedPtrAccessChainKHR, Do(pointer::untyped_ptr_access_chain)),
    (S::UntypedInBoundsPtrAccessChainKHR, Do(pointer::untyped_ptr_access_chain)),
    (S::UntypedPrefetchKHR, Ignore),
    (S::UntypedArrayLengthKHR, Value(pointer::untyped_array_length)),
    (S::BufferPointerEXT, Do(heap::buffer_pointer)),
    (S::PtrEqual, Value(pointer::compare)), (S::PtrNotEqual, Value(pointer::compare)),
    (S::PtrDiff, Value(pointer::diff)),
    (S::ConvertPtrToU, Value(pointer::convert)), (S::ConvertUToPtr, Value(pointer::convert)),
    (S::ArrayLength, Value(variable::array_length)),

    // Composites.
    (S::CopyObject, Do(variable::copy_object)),
    (S::CopyLogical, Value(composite::copy_logical)),
    (S::CompositeConstruct, Value(composite::construct)),
    (S::CompositeConstructReplicateEXT, Value(composite::replicate)),
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
    (S::FRem, Map(Op::FRem)), (S::FMod, Map(Op::FMod)), (S::FmaKHR, Map(Op::Fma)),
    (S::VectorTimesScalar, Map(Op::FMul)), (S::MatrixTimesScalar, Value(matrix::matrix_times_scalar)),
    (S::VectorTimesMatrix, Value(matrix::vector_times_matrix)),
    (S::MatrixTimesVector, Value(matrix::matrix_times_vector)),
    (S::MatrixTimesMatrix, Value(matrix::matrix_times_matrix)),
    (S::OuterProduct, Value(matrix::outer_product)),
    (S::Dot, Value(matrix::dot)),
    (S::IAddCarry, Value(arith::add_carry)), (S::ISubBorrow, Value(arith::sub_borrow)),
    (S::SDot, Value(arith::int_dot)), (S::UDot, Value(arith::int_dot)), (S::SUDot, Value(arith::int_dot)),
    (S::SDotAccSat, Value(arith::int_dot)), (S::UDotAccSat, Value(arith::int_dot)),
    (S::SUDotAccSat, Value(arith::int_dot)),
    (S::UMulExtended, Value(arith::umul_extended)), (S::SMulExtended, Value(arith::smul_extended)),
    (newer::FDOT2_ACC32, Value(small_float::mixed_dot)), (newer::FDOT2_ACC16, Value(small_float::mixed_dot)),
    (newer::FDOT4_ACC32, Value(small_float::mixed_dot)),
    (S::UCountLeadingZerosINTEL, Value(cl_int::clz)), (S::UCountTrailingZerosINTEL, Value(cl_int::ctz)),
    (S::AbsISubINTEL, Value(cl_int::s_abs_diff)), (S::AbsUSubINTEL, Value(cl_int::u_abs_diff)),
    (S::IAddSatINTEL, Value(cl_int::s_add_sat)), (S::UAddSatINTEL, Value(cl_int::u_add_sat)),
    (S::IAverageINTEL, Value(cl_int::s_hadd)), (S::UAverageINTEL, Value(cl_int::u_hadd)),
    (S::IAverageRoundedINTEL, Value(cl_int::s_rhadd)), (S::UAverageRoundedINTEL, Value(cl_int::u_rhadd)),
    (S::ISubSatINTEL, Value(cl_int::s_sub_sat)), (S::USubSatINTEL, Value(cl_int::u_sub_sat)),
    (S::IMul32x16INTEL, Value(arith::mul_32_by_16)), (S::UMul32x16INTEL, Value(arith::mul_32_by_16)),

    // Cooperative matrices.
    (S::CooperativeMatrixLoadKHR, Value(cooperative::load)), (S::CooperativeMatrixStoreKHR, Do(cooperative::store)),
    (S::CooperativeMatrixMulAddKHR, Value(cooperative::mul_add)),
    (S::CooperativeMatrixLengthKHR, Value(cooperative::length)),
    (S::CooperativeMatrixConvertNV, Value(elements::convert)),
    (newer::GET_COORDINATE, Value(elements::coordinate)),
    (S::CooperativeMatrixTransposeNV, Value(elements::transpose)),
    (S::CooperativeMatrixReduceNV, Value(elements::reduce)),
    (S::CooperativeMatrixPerElementOpNV, Value(elements::per_element)),
    (S::CooperativeMatrixLoadTensorNV, Value(tensor::load)), (S::CooperativeMatrixStoreTensorNV, Do(tensor::store)),
    (S::CreateTensorLayoutNV, Value(tensor::create_layout)),
    (S::TensorLayoutSetBlockSizeNV, Value(tensor::set_block_size)),
    (S::TensorLayoutSetDimensionNV, Value(tensor::set_dimension)),
    (S::TensorLayoutSetStrideNV, Value(tensor::set_stride)), (S::TensorLayoutSliceNV, Value(tensor::slice)),
    (S::TensorLayoutSetClampValueNV, Value(tensor::set_clamp_value)),
    (S::CreateTensorViewNV, Value(tensor::create_view)),
    (S::TensorViewSetDimensionNV, Value(tensor::set_view_dimension)),
    (S::TensorViewSetStrideNV, Value(tensor::set_view_stride)), (S::TensorViewSetClipNV, Value(tensor::set_clip)),

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
    (S::IsFinite, Value(arith::is_finite)), (S::IsNormal, Value(arith::is_normal)),
    (S::SignBitSet, Value(arith::sign_bit_set)), (S::LessOrGreater, Map(Op::FOrdNe)),
    (S::Ordered, Value(arith::ordered)), (S::Unordered, Value(arith::unordered)),
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
    (S::ConvertFToU, Value(elements::float_to_int)), (S::ConvertFToS, Value(elements::float_to_int)),
    (S::ConvertSToF, Value(elements::int_to_float)), (S::ConvertUToF, Value(elements::int_to_float)),
    (S::UConvert, Value(elements::int_to_int)), (S::SConvert, Value(elements::int_to_int)),
    (S::SatConvertSToU, Value(convert::int_to_int)), (S::SatConvertUToS, Value(convert::int_to_int)),
    (S::FConvert, Value(elements::float_to_float)),
    (S::QuantizeToF16, Map(Op::QuantizeToF16)),
    (S::Bitcast, Do(kernel::bitcast)),
    (newer::BITCAST_EXTRACT, Value(small_float::bitcast_extract)),

    // Derivatives.
    (S::DPdx, Value(arith::ddx)), (S::DPdxFine, Value(arith::ddx)), (S::DPdxCoarse, Value(arith::ddx_coarse)),
    (S::DPdy, Value(arith::ddy)), (S::DPdyFine, Value(arith::ddy)), (S::DPdyCoarse, Value(arith::ddy_coarse)),
    (S::Fwidth, Value(arith::fwidth)), (S::FwidthFine, Value(arith::fwidth)),
    (S::FwidthCoarse, Value(arith::fwidth_coarse)),

    // Fragment shader.
    (S::DemoteToHelperInvocation, Do(arith::demote)), (S::IsHelperInvocationEXT, Value(arith::is_helper)),

    // Images.
    (S::SampledImage, Value(image::sampled_image)), (S::Image, Value(image::image)),
    (S::ImageSampleImplicitLod, Value(image::sample)), (S::ImageSampleExplicitLod, Value(image::sample)),
    (S::ImageSampleDrefImplicitLod, Value(image::sample)), (S::ImageSampleDrefExplicitLod, Value(image::sample)),
    (S::ImageSampleProjImplicitLod, Value(image::sample)), (S::ImageSampleProjExplicitLod, Value(image::sample)),
    (S::ImageSampleProjDrefImplicitLod, Value(image::sample)),
    (S::ImageSampleProjDrefExplicitLod, Value(image::sample)),
    (S::ImageFetch, Value(image::fetch)), (S::ImageGather, Value(image::sample)),
    (S::ImageDrefGather, Value(image::sample)),
    (S::ImageRead, Value(image::fetch)), (S::ImageWrite, Do(image::write)),
    (S::ColorAttachmentReadEXT, Value(attachment::read_color)),
    (S::DepthAttachmentReadEXT, Value(attachment::read_depth)), (S::StencilAttachmentReadEXT, Value(attachment::read_stencil)),
    (S::ImageTexelPointer, Do(image::texel_pointer)), (S::UntypedImageTexelPointerEXT, Do(image::texel_pointer)),
    (S::ImageSparseSampleImplicitLod, Value(image::sparse)), (S::ImageSparseSampleExplicitLod, Value(image::sparse)),
    (S::ImageSparseSampleDrefImplicitLod, Value(image::sparse)),
    (S::ImageSparseSampleDrefExplicitLod, Value(image::sparse)),
    (S::ImageSparseFetch, Value(image::sparse)), (S::ImageSparseRead, Value(image::sparse)),
    (S::ImageSparseGather, Value(image::sparse)), (S::ImageSparseDrefGather, Value(image::sparse)),
    (S::ImageSparseTexelsResident, Value(image::texels_resident)),
    (S::ImageQuerySizeLod, Value(image::query)), (S::ImageQuerySize, Value(image::query)),
    (S::ImageQueryLod, Value(image::query)), (S::ImageQueryLevels, Value(image::query)),
    (S::ImageQuerySamples, Value(image::query)),
    (S::ImageQueryFormat, Value(kernel::query_channel)), (S::ImageQueryOrder, Value(kernel::query_channel)),

    // Atomics and barriers.
    (S::AtomicLoad, Value(atomic::load)), (S::AtomicStore, Do(atomic::store)),
    (S::AtomicExchange, Value(atomic::exchange)), (S::AtomicCompareExchange, Value(atomic::compare_exchange)),
    (S::AtomicIIncrement, Value(atomic::increment)), (S::AtomicIDecrement, Value(atomic::decrement)),
    (S::AtomicIAdd, Value(atomic::rmw)), (S::AtomicISub, Value(atomic::rmw)),
    (S::AtomicSMin, Value(atomic::rmw)), (S::AtomicUMin, Value(atomic::rmw)),
    (S::AtomicSMax, Value(atomic::rmw)), (S::AtomicUMax, Value(atomic::rmw)),
    (S::AtomicAnd, Value(atomic::rmw)), (S::AtomicOr, Value(atomic::rmw)), (S::AtomicXor, Value(atomic::rmw)),
    (S::AtomicFAddEXT, Value(atomic::rmw)), (S::AtomicFMinEXT, Value(atomic::rmw)),
    (S::AtomicFMaxEXT, Value(atomic::rmw)),
    (S::ReadClockKHR, Value(atomic::read_clock)),
    (S::AtomicCompareExchangeWeak, Value(atomic::compare_exchange)),
    (S::AtomicFlagTestAndSet, Value(kernel::flag_test_and_set)), (S::AtomicFlagClear, Do(kernel::flag_clear)),
    (S::ControlBarrierArriveINTEL, Do(atomic::barrier_arrive)), (S::ControlBarrierWaitINTEL, Do(atomic::barrier_wait)),
    (S::ControlBarrier, Do(atomic::control_barrier)), (S::MemoryBarrier, Do(atomic::memory_barrier)),
    (S::EmitVertex, Do(geometry::emit_vertex)), (S::EmitStreamVertex, Do(geometry::emit_vertex)),
    (S::EndPrimitive, Do(geometry::end_primitive)), (S::EndStreamPrimitive, Do(geometry::end_primitive)),
    (S::SetMeshOutputsEXT, Do(mesh::set_mesh_outputs)),

    // Acceleration structures.
    (S::ConvertUToAccelerationStructureKHR, Do(ray::from_address)),
    // Ray tracing pipelines.
    (S::TraceRayKHR, Do(ray_call::trace)), (S::ExecuteCallableKHR, Do(ray_call::execute)),
    (S::ReportIntersectionKHR, Value(ray_call::report)),
    (S::IgnoreIntersectionKHR, Control), (S::TerminateRayKHR, Control),
    // Hit objects.
    (S::HitObjectTraceRayEXT, Do(hit_object::trace)),
    (S::HitObjectTraceReorderExecuteEXT, Do(hit_object::trace_execute)),
    (S::HitObjectExecuteShaderEXT, Do(hit_object::execute)),
    (S::HitObjectReorderExecuteShaderEXT, Do(hit_object::reorder_execute)),
    (S::HitObjectRecordEmptyEXT, Do(hit_object::record_empty)),
    (S::HitObjectRecordMissEXT, Do(hit_object::record_miss)),
    (S::HitObjectRecordFromQueryEXT, Do(hit_object::record_from_query)),
    (S::HitObjectSetShaderBindingTableRecordIndexEXT, Do(hit_object::set_record)),
    (S::HitObjectGetAttributesEXT, Do(hit_object::attributes)),
    (S::ReorderThreadWithHintEXT, Do(hit_object::reorder_by_hint)),
    (S::ReorderThreadWithHitObjectEXT, Do(hit_object::reorder)),
    (S::HitObjectIsEmptyEXT, Value(hit_object::is)),
    (S::HitObjectIsHitEXT, Value(hit_object::is)),
    (S::HitObjectIsMissEXT, Value(hit_object::is)),
    (S::HitObjectGetRayTMinEXT, Value(hit_object::word)),
    (S::HitObjectGetRayTMaxEXT, Value(hit_object::word)),
    (S::HitObjectGetRayFlagsEXT, Value(hit_object::word)),
    (S::HitObjectGetWorldRayOriginEXT, Value(hit_object::word)),
    (S::HitObjectGetWorldRayDirectionEXT, Value(hit_object::word)),
    (S::HitObjectGetInstanceIdEXT, Value(hit_object::word)),
    (S::HitObjectGetGeometryIndexEXT, Value(hit_object::word)),
    (S::HitObjectGetPrimitiveIndexEXT, Value(hit_object::word)),
    (S::HitObjectGetHitKindEXT, Value(hit_object::word)),
    (S::HitObjectGetShaderBindingTableRecordIndexEXT, Value(hit_object::word)),
    (S::HitObjectGetInstanceCustomIndexEXT, Value(hit_object::query)),
    (S::HitObjectGetObjectRayOriginEXT, Value(hit_object::query)),
    (S::HitObjectGetObjectRayDirectionEXT, Value(hit_object::query)),
    (S::HitObjectGetObjectToWorldEXT, Value(hit_object::query)),
    (S::HitObjectGetWorldToObjectEXT, Value(hit_object::query)),
    (S::HitObjectGetIntersectionTriangleVertexPositionsEXT, Value(hit_object::query)),
    (S::HitObjectGetShaderRecordBufferHandleEXT, Value(hit_object::query)),
    // Ray queries.
    (S::RayQueryInitializeKHR, Do(ray::step)),
    (S::RayQueryTerminateKHR, Do(ray::step)),
    (S::RayQueryGenerateIntersectionKHR, Do(ray::step)),
    (S::RayQueryConfirmIntersectionKHR, Do(ray::step)),
    (S::RayQueryProceedKHR, Value(ray::value)),
    (S::RayQueryGetRayTMinKHR, Value(ray::value)),
    (S::RayQueryGetRayFlagsKHR, Value(ray::value)),
    (S::RayQueryGetWorldRayDirectionKHR, Value(ray::value)),
    (S::RayQueryGetWorldRayOriginKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionCandidateAABBOpaqueKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionTypeKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionTKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionInstanceCustomIndexKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionInstanceIdKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionGeometryIndexKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionPrimitiveIndexKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionBarycentricsKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionFrontFaceKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionObjectRayDirectionKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionObjectRayOriginKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionObjectToWorldKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionWorldToObjectKHR, Value(ray::value)),
    (S::RayQueryGetIntersectionTriangleVertexPositionsKHR, Value(ray::value)),

    // Groups.
    (S::GroupNonUniformElect, Value(group::elect)), (S::GroupNonUniformAll, Value(group::vote)),
    (S::GroupNonUniformAny, Value(group::vote)), (S::GroupNonUniformAllEqual, Value(group::all_equal)),
    (S::GroupNonUniformBroadcast, Value(group::with_index)),
    (S::GroupNonUniformBroadcastFirst, Value(group::broadcast_first)),
    (S::GroupNonUniformBallot, Value(group::ballot)),
    (S::GroupNonUniformInverseBallot, Value(group::inverse_ballot)),
    (S::GroupNonUniformBallotBitExtract, Value(group::ballot_bit_extract)),
    (S::GroupNonUniformBallotBitCount, Value(group::ballot_bit_count)),
    (S::GroupNonUniformBallotFindLSB, Value(group::ballot_find)),
    (S::GroupNonUniformBallotFindMSB, Value(group::ballot_find)),
    (S::GroupNonUniformShuffle, Value(group::with_index)), (S::GroupNonUniformShuffleXor, Value(group::with_index)),
    (S::GroupNonUniformShuffleUp, Value(group::with_index)),
    (S::GroupNonUniformShuffleDown, Value(group::with_index)),
    (S::GroupNonUniformIAdd, Value(group::reduce)), (S::GroupNonUniformFAdd, Value(group::reduce)),
    (S::GroupNonUniformIMul, Value(group::reduce)), (S::GroupNonUniformFMul, Value(group::reduce)),
    (S::GroupNonUniformSMin, Value(group::reduce)), (S::GroupNonUniformUMin, Value(group::reduce)),
    (S::GroupNonUniformFMin, Value(group::reduce)), (S::GroupNonUniformSMax, Value(group::reduce)),
    (S::GroupNonUniformUMax, Value(group::reduce)), (S::GroupNonUniformFMax, Value(group::reduce)),
    (S::GroupNonUniformBitwiseAnd, Value(group::reduce)), (S::GroupNonUniformBitwiseOr, Value(group::reduce)),
    (S::GroupNonUniformBitwiseXor, Value(group::reduce)), (S::GroupNonUniformLogicalAnd, Value(group::reduce)),
    (S::GroupNonUniformLogicalOr, Value(group::reduce)), (S::GroupNonUniformLogicalXor, Value(group::reduce)),
    (S::GroupNonUniformQuadBroadcast, Value(group::with_index)),
    (S::GroupNonUniformQuadSwap, Value(group::quad_swap)),
    (S::GroupNonUniformQuadAllKHR, Value(group::quad_vote)), (S::GroupNonUniformQuadAnyKHR, Value(group::quad_vote)),
    (S::GroupNonUniformRotateKHR, Value(group::rotate)),
    (S::GroupNonUniformPartitionEXT, Value(group::partition)),
    (S::GroupAll, Value(kernel::all_or_any)), (S::GroupAny, Value(kernel::all_or_any)),
    (S::GroupBroadcast, Value(kernel::broadcast)),
    (S::GroupIAdd, Value(kernel::reduce)), (S::GroupFAdd, Value(kernel::reduce)),
    (S::GroupFMin, Value(kernel::reduce)), (S::GroupUMin, Value(kernel::reduce)), (S::GroupSMin, Value(kernel::reduce)),
    (S::GroupFMax, Value(kernel::reduce)), (S::GroupUMax, Value(kernel::reduce)), (S::GroupSMax, Value(kernel::reduce)),
    (S::GroupAsyncCopy, Do(kernel::group_copy)), (S::GroupWaitEvents, Do(kernel::wait_group_events)),
    (S::SubgroupAllKHR, Value(group::vote_khr)), (S::SubgroupAnyKHR, Value(group::vote_khr)),
    (S::SubgroupAllEqualKHR, Value(group::vote_khr)),
    (S::SubgroupBallotKHR, Value(group::ballot_khr)),
    (S::SubgroupFirstInvocationKHR, Value(group::first_khr)),
    (S::SubgroupReadInvocationKHR, Value(group::read_khr)),
];

/// Every accepted instruction of GLSL.std.450.
#[rustfmt::skip]
pub const GLSL_ROWS: &[(G, Expand)] = &[
    (G::Round, Map(Op::FRound)), (G::RoundEven, Map(Op::FRound)), (G::Trunc, Map(Op::FTrunc)),
    (G::FAbs, Map(Op::FAbs)), (G::SAbs, Map(Op::SAbs)), (G::FSign, Map(Op::FSign)), (G::SSign, Map(Op::SSign)),
    (G::Floor, Map(Op::FFloor)), (G::Ceil, Map(Op::FCeil)), (G::Fract, Map(Op::FFract)),
    (G::Radians, Value(glsl::radians)), (G::Degrees, Value(glsl::degrees)),
    (G::Sin, Map(Op::Sin)), (G::Cos, Map(Op::Cos)), (G::Tan, Map(Op::Tan)),
    (G::Asin, Map(Op::Asin)), (G::Acos, Map(Op::Acos)), (G::Atan, Map(Op::Atan)),
    (G::Sinh, Map(Op::Sinh)), (G::Cosh, Map(Op::Cosh)), (G::Tanh, Map(Op::Tanh)),
    (G::Asinh, Map(Op::Asinh)), (G::Acosh, Map(Op::Acosh)), (G::Atanh, Map(Op::Atanh)),
    (G::Atan2, Map(Op::Atan2)), (G::Pow, Value(denorm::pow)), (G::Exp, Value(denorm::exp)), (G::Log, Value(denorm::log)),
    (G::Exp2, Value(denorm::exp2)), (G::Log2, Value(denorm::log2)), (G::Sqrt, Map(Op::FSqrt)),
    (G::InverseSqrt, Map(Op::FInvSqrt)),
    (G::Determinant, Value(matrix::determinant)), (G::MatrixInverse, Value(matrix::inverse)),
    (G::Modf, Value(glsl::modf)), (G::ModfStruct, Value(glsl::modf_struct)),
    (G::FMin, Value(glsl::min)), (G::UMin, Map(Op::UMin)), (G::SMin, Map(Op::SMin)),
    (G::FMax, Value(glsl::max)), (G::UMax, Map(Op::UMax)), (G::SMax, Map(Op::SMax)),
    (G::FClamp, Value(glsl::clamp)), (G::UClamp, Value(glsl::uclamp)), (G::SClamp, Value(glsl::sclamp)),
    (G::FMix, Value(glsl::mix)), (G::Step, Value(glsl::step)), (G::SmoothStep, Value(glsl::smooth_step)),
    (G::Fma, Map(Op::Fma)), (G::Frexp, Value(glsl::frexp)), (G::FrexpStruct, Value(glsl::frexp_struct)),
    (G::Ldexp, Value(glsl::ldexp)),
    (G::PackSnorm4x8, Value(pack::pack_snorm4x8)), (G::PackUnorm4x8, Value(pack::pack_unorm4x8)),
    (G::PackSnorm2x16, Value(pack::pack_snorm2x16)), (G::PackUnorm2x16, Value(pack::pack_unorm2x16)),
    (G::PackHalf2x16, Value(pack::pack_half2x16)), (G::PackDouble2x32, Value(arith::bitcast)),
    (G::UnpackSnorm2x16, Value(pack::unpack_snorm2x16)), (G::UnpackUnorm2x16, Value(pack::unpack_unorm2x16)),
    (G::UnpackHalf2x16, Value(pack::unpack_half2x16)), (G::UnpackSnorm4x8, Value(pack::unpack_snorm4x8)),
    (G::UnpackUnorm4x8, Value(pack::unpack_unorm4x8)), (G::UnpackDouble2x32, Value(arith::bitcast)),
    (G::Length, Value(glsl::length)), (G::Distance, Value(glsl::distance)), (G::Cross, Value(glsl::cross)),
    (G::Normalize, Value(glsl::normalize)), (G::FaceForward, Value(glsl::face_forward)),
    (G::Reflect, Value(glsl::reflect)), (G::Refract, Value(glsl::refract)),
    (G::FindILsb, Map(Op::FindILsb)), (G::FindSMsb, Map(Op::FindSMsb)), (G::FindUMsb, Map(Op::FindUMsb)),
    (G::InterpolateAtCentroid, Value(glsl::interpolate)), (G::InterpolateAtSample, Value(glsl::interpolate)),
    (G::InterpolateAtOffset, Value(glsl::interpolate)),
    (G::NMin, Value(glsl::min)), (G::NMax, Value(glsl::max)), (G::NClamp, Value(glsl::clamp)),
];

/// Every accepted instruction of OpenCL.std.
#[rustfmt::skip]
pub const OPENCL_ROWS: &[(C, Expand)] = &[
    // Math.
    (C::acos, Value(cl_math::acos)), (C::acosh, Value(cl_math::acosh)), (C::acospi, Value(cl_math::acospi)),
    (C::asin, Value(cl_math::asin)), (C::asinh, Value(cl_math::asinh)), (C::asinpi, Value(cl_math::asinpi)),
    (C::atan, Value(cl_math::atan)), (C::atan2, Value(cl_math::atan2)), (C::atanh, Value(cl_math::atanh)),
    (C::atanpi, Value(cl_math::atanpi)), (C::atan2pi, Value(cl_math::atan2pi)), (C::cbrt, Value(cl_math::cbrt)),
    (C::ceil, Map(Op::FCeil)), (C::copysign, Value(cl_exact::copysign)), (C::cos, Value(cl_math::cos)),
    (C::cosh, Value(cl_math::cosh)), (C::cospi, Value(cl_math::cospi)), (C::erfc, Value(cl_gamma::erfc)),
    (C::erf, Value(cl_gamma::erf)), (C::exp, Value(cl_math::exp)), (C::exp2, Value(cl_math::exp2)),
    (C::exp10, Value(cl_math::exp10)), (C::expm1, Value(cl_math::expm1)), (C::fabs, Map(Op::FAbs)),
    (C::fdim, Value(cl_exact::fdim)), (C::floor, Map(Op::FFloor)), (C::fma, Map(Op::Fma)), (C::fmax, Value(glsl::max)),
    (C::fmin, Value(glsl::min)), (C::fmod, Value(cl_exact::fmod)), (C::fract, Value(cl_exact::fract)),
    (C::frexp, Value(glsl::frexp)), (C::hypot, Value(cl_math::hypot)), (C::ilogb, Value(cl_exact::ilogb)),
    (C::ldexp, Value(cl_exact::ldexp)), (C::lgamma, Value(cl_gamma::lgamma)), (C::lgamma_r, Value(cl_gamma::lgamma_r)),
    (C::log, Value(cl_math::log)), (C::log2, Value(cl_math::log2)), (C::log10, Value(cl_math::log10)),
    (C::log1p, Value(cl_math::log1p)), (C::logb, Value(cl_exact::logb)), (C::mad, Value(cl_exact::mad)),
    (C::maxmag, Value(cl_exact::maxmag)), (C::minmag, Value(cl_exact::minmag)), (C::modf, Value(glsl::modf)),
    (C::nan, Value(cl_exact::nan)), (C::nextafter, Value(cl_exact::nextafter)), (C::pow, Value(cl_math::pow)),
    (C::pown, Value(cl_math::pown)), (C::powr, Value(cl_math::powr)), (C::remainder, Value(cl_exact::remainder)),
    (C::remquo, Value(cl_exact::remquo)), (C::rint, Map(Op::FRound)), (C::rootn, Value(cl_math::rootn)),
    (C::round, Value(cl_exact::round)), (C::rsqrt, Map(Op::FInvSqrt)), (C::sin, Value(cl_math::sin)),
    (C::sincos, Value(cl_math::sincos)), (C::sinh, Value(cl_math::sinh)), (C::sinpi, Value(cl_math::sinpi)),
    (C::sqrt, Map(Op::FSqrt)), (C::tan, Value(cl_math::tan)), (C::tanh, Value(cl_math::tanh)),
    (C::tanpi, Value(cl_math::tanpi)), (C::tgamma, Value(cl_gamma::tgamma)), (C::trunc, Map(Op::FTrunc)),
    (C::half_cos, Value(cl_math::cos)), (C::half_divide, Value(cl_exact::divide)), (C::half_exp, Value(cl_math::fast_exp)),
    (C::half_exp2, Value(cl_math::fast_exp2)), (C::half_exp10, Value(cl_math::exp10)),
    (C::half_log, Value(cl_math::fast_log)), (C::half_log2, Value(cl_math::fast_log2)),
    (C::half_log10, Value(cl_math::log10)), (C::half_powr, Value(cl_math::powr)), (C::half_recip, Value(cl_exact::recip)),
    (C::half_rsqrt, Map(Op::FInvSqrt)), (C::half_sin, Value(cl_math::sin)), (C::half_sqrt, Map(Op::FSqrt)),
    (C::half_tan, Value(cl_math::tan)), (C::native_cos, Value(cl_math::fast_cos)),
    (C::native_divide, Value(cl_exact::divide)), (C::native_exp, Value(cl_math::fast_exp)),
    (C::native_exp2, Value(cl_math::fast_exp2)), (C::native_exp10, Value(cl_math::exp10)),
    (C::native_log, Value(cl_math::fast_log)), (C::native_log2, Value(cl_math::fast_log2)),
    (C::native_log10, Value(cl_math::log10)), (C::native_powr, Value(cl_math::powr)),
    (C::native_recip, Value(cl_exact::recip)), (C::native_rsqrt, Map(Op::FInvSqrt)),
    (C::native_sin, Value(cl_math::fast_sin)), (C::native_sqrt, Map(Op::FSqrt)), (C::native_tan, Value(cl_math::fast_tan)),
    // Common, geometric and relational.
    (C::fclamp, Value(glsl::clamp)), (C::degrees, Value(glsl::degrees)), (C::fmax_common, Value(glsl::max)),
    (C::fmin_common, Value(glsl::min)), (C::mix, Value(cl::mix)), (C::radians, Value(glsl::radians)),
    (C::step, Value(cl::step)), (C::smoothstep, Value(cl::smoothstep)), (C::sign, Value(cl::sign)),
    (C::cross, Value(cl::cross)), (C::distance, Value(cl::distance)), (C::length, Value(cl::length)),
    (C::normalize, Value(cl::normalize)), (C::fast_distance, Value(cl::distance)), (C::fast_length, Value(cl::length)),
    (C::fast_normalize, Value(cl::normalize)), (C::bitselect, Value(cl::bitselect)), (C::select, Value(cl::select)),
    // Integers.
    (C::s_abs, Map(Op::SAbs)), (C::s_abs_diff, Value(cl_int::s_abs_diff)), (C::s_add_sat, Value(cl_int::s_add_sat)),
    (C::u_add_sat, Value(cl_int::u_add_sat)), (C::s_hadd, Value(cl_int::s_hadd)), (C::u_hadd, Value(cl_int::u_hadd)),
    (C::s_rhadd, Value(cl_int::s_rhadd)), (C::u_rhadd, Value(cl_int::u_rhadd)), (C::s_clamp, Value(cl_int::s_clamp)),
    (C::u_clamp, Value(cl_int::u_clamp)), (C::clz, Value(cl_int::clz)), (C::ctz, Value(cl_int::ctz)),
    (C::s_mad_hi, Value(cl_int::s_mad_hi)), (C::u_mad_sat, Value(cl_int::u_mad_sat)),
    (C::s_mad_sat, Value(cl_int::s_mad_sat)), (C::s_max, Map(Op::SMax)), (C::u_max, Map(Op::UMax)),
    (C::s_min, Map(Op::SMin)), (C::u_min, Map(Op::UMin)), (C::s_mul_hi, Map(Op::SMulHigh)),
    (C::rotate, Value(cl_int::rotate)), (C::s_sub_sat, Value(cl_int::s_sub_sat)), (C::u_sub_sat, Value(cl_int::u_sub_sat)),
    (C::u_upsample, Value(cl_int::upsample)), (C::s_upsample, Value(cl_int::upsample)), (C::popcount, Map(Op::BitCount)),
    (C::s_mad24, Value(cl_int::mad24)), (C::u_mad24, Value(cl_int::mad24)), (C::s_mul24, Value(cl_int::mul24)),
    (C::u_mul24, Value(cl_int::mul24)), (C::u_abs, Value(cl_int::u_abs)), (C::u_abs_diff, Value(cl_int::u_abs_diff)),
    (C::u_mul_hi, Map(Op::UMulHigh)), (C::u_mad_hi, Value(cl_int::u_mad_hi)),
    // Vectors in memory, and printf. Prefetches are hints.
    (C::vloadn, Value(cl_memory::vloadn)), (C::vstoren, Do(cl_memory::vstoren)),
    (C::vload_half, Value(cl_memory::vload_half)), (C::vload_halfn, Value(cl_memory::vload_half)),
    (C::vstore_half, Do(cl_memory::vstore_half)), (C::vstore_half_r, Do(cl_memory::vstore_half)),
    (C::vstore_halfn, Do(cl_memory::vstore_half)), (C::vstore_halfn_r, Do(cl_memory::vstore_half)),
    (C::vloada_halfn, Value(cl_memory::vloada_half)), (C::vstorea_halfn, Do(cl_memory::vstore_half)),
    (C::vstorea_halfn_r, Do(cl_memory::vstore_half)), (C::shuffle, Value(cl_memory::shuffle)),
    (C::shuffle2, Value(cl_memory::shuffle2)), (C::printf, Value(cl_memory::printf)), (C::prefetch, Ignore),
];

/// Why a capability of kernels is refused.
pub const REASONS: &[(Capability, &str)] = &[
    (
        Capability::Pipes,
        "the device has no pipes, which OpenCL 3.0 makes optional; a buffer with an atomic index does the same",
    ),
    (Capability::PipeStorage, "the device has no pipes, which OpenCL 3.0 makes optional"),
    (
        Capability::DeviceEnqueue,
        "kernels cannot launch kernels, which OpenCL 3.0 makes optional; the host can",
    ),
];

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
    Capability::RayQueryKHR,
    Capability::RayQueryPositionFetchKHR,
    Capability::RayTracingKHR,
    Capability::RayTracingPositionFetchKHR,
    Capability::RayTraversalPrimitiveCullingKHR,
    Capability::RayCullMaskKHR,
    Capability::RayTracingOpacityMicromapEXT,
    Capability::ShaderInvocationReorderEXT,
    Capability::DerivativeControl,
    Capability::InterpolationFunction,
    Capability::StorageImageReadWithoutFormat,
    Capability::StorageImageWriteWithoutFormat,
    Capability::MultiViewport,
    Capability::Geometry,
    Capability::Tessellation,
    Capability::TessellationPointSize,
    Capability::GeometryPointSize,
    Capability::GeometryStreams,
    Capability::TransformFeedback,
    Capability::MeshShadingEXT,
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
    Capability::GroupNonUniformRotateKHR,
    Capability::GroupNonUniformPartitionedEXT,
    Capability::QuadControlKHR,
    Capability::ExpectAssumeKHR,
    Capability::ReplicatedCompositesEXT,
    Capability::LongVectorEXT,
    Capability::Shader64BitIndexingEXT,
    Capability::ShaderClockKHR,
    Capability::FMAKHR,
    Capability::IntegerFunctions2INTEL,
    Capability::FloatControls2,
    Capability::BitInstructions,
    Capability::SparseResidency,
    Capability::SampleMaskPostDepthCoverage,
    Capability::FragmentBarycentricKHR,
    Capability::FragmentShadingRateKHR,
    Capability::FragmentDensityEXT,
    Capability::FragmentShaderPixelInterlockEXT,
    Capability::FragmentShaderSampleInterlockEXT,
    Capability::TileImageColorReadAccessEXT,
    Capability::TileImageDepthReadAccessEXT,
    Capability::TileImageStencilReadAccessEXT,
    Capability::ComputeDerivativeGroupLinearKHR,
    Capability::ComputeDerivativeGroupQuadsKHR,
    Capability::Int64ImageEXT,
    Capability::AtomicFloat16AddEXT,
    Capability::AtomicFloat16MinMaxEXT,
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
    Capability::CooperativeMatrixKHR,
    Capability::CooperativeMatrixReductionsNV,
    Capability::CooperativeMatrixConversionsNV,
    Capability::CooperativeMatrixPerElementOperationsNV,
    Capability::CooperativeMatrixTensorAddressingNV,
    Capability::CooperativeMatrixBlockLoadsNV,
    Capability::TensorAddressingNV,
    Capability::SplitBarrierINTEL,
    Capability::BFloat16TypeKHR,
    Capability::BFloat16DotProductKHR,
    Capability::BFloat16CooperativeMatrixKHR,
    Capability::Float8EXT,
    Capability::Float8CooperativeMatrixEXT,
    Capability::DotProduct,
    Capability::DotProductInputAll,
    Capability::DotProductInput4x8Bit,
    Capability::DotProductInput4x8BitPacked,
    Capability::VulkanMemoryModel,
    Capability::VulkanMemoryModelDeviceScope,
    Capability::UntypedPointersKHR,
    Capability::DescriptorHeapEXT,
    Capability::VariablePointersStorageBuffer,
    Capability::VariablePointers,
    Capability::PhysicalStorageBufferAddresses,
    Capability::WorkgroupMemoryExplicitLayoutKHR,
    Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
    Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
    Capability::Kernel,
    Capability::Addresses,
    Capability::Linkage,
    Capability::Vector16,
    Capability::Float16Buffer,
    Capability::GenericPointer,
    Capability::Groups,
    Capability::SubgroupDispatch,
    Capability::ImageBasic,
    Capability::ImageReadWrite,
    Capability::ImageMipmap,
    Capability::LiteralSampler,
    Capability::UniformDecoration,
];
