//! Tables of the enumerants that modules may use, one row per enumerant: decorations, built-ins, execution modes,
//! storage classes, image operands, dimensions and formats. Lowering reads the tables, and coverage counts their rows;
//! [`super::ops`] has the tables of instructions and capabilities.

use spirv::{
    BuiltIn as B, Decoration as D, Dim, ExecutionMode as M, ImageFormat as F, ImageOperands, StorageClass,
};

use super::newer;
use crate::error::{Error, Result};
use crate::ir::{self, BuiltIn, ImageDim};

/// Effect of an enumerant on lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The generated code or the interface depends on the enumerant.
    Acts,
    /// The enumerant is a promise, permission or name that lowering does not need.
    Hint,
}

use Effect::{Acts, Hint};

/// Every accepted decoration. Spec: SPIR-V, 3.20 Decoration.
#[rustfmt::skip]
pub const DECORATIONS: &[(D, Effect)] = &[
    // Interface.
    (D::BuiltIn, Acts), (D::Location, Acts), (D::Component, Acts), (D::Index, Acts),
    (D::Flat, Acts), (D::NoPerspective, Acts), (D::Centroid, Acts), (D::Sample, Acts),
    (D::Binding, Acts), (D::DescriptorSet, Acts), (D::Block, Acts), (D::BufferBlock, Acts),
    (D::SpecId, Acts),
    // Subpass data is read through the descriptor binding instead.
    (D::InputAttachmentIndex, Hint),
    // Layout.
    (D::Offset, Acts), (D::ArrayStride, Acts), (D::OffsetIdEXT, Acts), (D::ArrayStrideIdEXT, Acts), (D::MatrixStride, Acts), (D::RowMajor, Acts),
    (D::ColMajor, Hint),
    // Arithmetic. Operations use their type's precision, in the order that the module states, and integers wrap.
    (D::FPRoundingMode, Acts), (D::SaturatedToLargestFloat8NormalConversionEXT, Acts), (D::RelaxedPrecision, Hint), (D::NoContraction, Hint), (D::Invariant, Hint),
    (D::NoSignedWrap, Hint), (D::NoUnsignedWrap, Hint), (D::FPFastMathMode, Hint),
    (newer::TRANSPOSE, Acts),
    // Memory.
    (D::Volatile, Acts), (D::Coherent, Acts), (D::Restrict, Hint), (D::Aliased, Acts),
    (D::RestrictPointer, Hint), (D::AliasedPointer, Hint), (D::NonWritable, Hint), (D::NonReadable, Hint),
    (D::Uniform, Hint), (D::UniformId, Hint), (D::NonUniform, Hint),
    // Stages between vertex and fragment.
    (D::Patch, Acts), (D::Stream, Acts), (D::XfbBuffer, Acts), (D::XfbStride, Acts),
    (D::PerPrimitiveEXT, Acts), (D::PerVertexKHR, Acts),
    // Kernels. Memory is only as aligned as its type, and attributes of parameters promise what is checked anyway.
    (D::FuncParamAttr, Acts), (D::CPacked, Acts), (D::SaturatedConversion, Acts),
    (D::Alignment, Hint), (D::AlignmentId, Hint), (D::MaxByteOffset, Hint), (D::MaxByteOffsetId, Hint),
    (D::Constant, Hint), (D::LinkageAttributes, Hint),
    // Names for the caller.
    (D::HitObjectShaderRecordBufferEXT, Hint), (D::CounterBuffer, Hint), (D::UserSemantic, Hint), (D::UserTypeGOOGLE, Hint),
];

/// Returns the effect of a decoration, if it is accepted.
pub fn decoration(d: D) -> Option<Effect> {
    DECORATIONS.iter().find(|row| row.0 == d).map(|row| row.1)
}

/// Every accepted built-in variable. Spec: SPIR-V, 3.21 BuiltIn. (`WorkgroupSize` decorates a constant: see
/// [`super::Module::workgroup_size`].)
#[rustfmt::skip]
pub const BUILT_INS: &[(B, BuiltIn)] = &[
    (B::VertexIndex, BuiltIn::VertexIndex), (B::InstanceIndex, BuiltIn::InstanceIndex),
    (B::BaseVertex, BuiltIn::BaseVertex), (B::BaseInstance, BuiltIn::BaseInstance),
    (B::DrawIndex, BuiltIn::DrawIndex), (B::ViewIndex, BuiltIn::ViewIndex),
    (B::PrimitiveId, BuiltIn::PrimitiveId), (B::Layer, BuiltIn::Layer),
    (B::ViewportIndex, BuiltIn::ViewportIndex), (B::DeviceIndex, BuiltIn::DeviceIndex),
    (B::Position, BuiltIn::Position), (B::PointSize, BuiltIn::PointSize),
    (B::ClipDistance, BuiltIn::ClipDistance), (B::CullDistance, BuiltIn::CullDistance),
    (B::FragCoord, BuiltIn::FragCoord), (B::FrontFacing, BuiltIn::FrontFacing),
    (B::PointCoord, BuiltIn::PointCoord), (B::BaryCoordKHR, BuiltIn::BaryCoord),
    (B::BaryCoordNoPerspKHR, BuiltIn::BaryCoordNoPersp), (B::SampleId, BuiltIn::SampleId),
    (B::SamplePosition, BuiltIn::SamplePosition), (B::SampleMask, BuiltIn::SampleMask),
    (B::FragDepth, BuiltIn::FragDepth), (B::HelperInvocation, BuiltIn::HelperInvocation),
    (B::FragStencilRefEXT, BuiltIn::FragStencilRef),
    (B::PrimitiveShadingRateKHR, BuiltIn::PrimitiveShadingRate), (B::ShadingRateKHR, BuiltIn::ShadingRate),
    (B::FragSizeEXT, BuiltIn::FragSize), (B::FragInvocationCountEXT, BuiltIn::FragInvocationCount),
    (B::NumWorkgroups, BuiltIn::NumWorkgroups), (B::WorkgroupId, BuiltIn::WorkgroupId),
    (B::LocalInvocationId, BuiltIn::LocalInvocationId), (B::GlobalInvocationId, BuiltIn::GlobalInvocationId),
    (B::LocalInvocationIndex, BuiltIn::LocalInvocationIndex),
    (B::PatchVertices, BuiltIn::PatchVertices), (B::InvocationId, BuiltIn::InvocationId),
    (B::TessCoord, BuiltIn::TessCoord),
    (B::TessLevelOuter, BuiltIn::TessLevelOuter), (B::TessLevelInner, BuiltIn::TessLevelInner),
    (B::PrimitivePointIndicesEXT, BuiltIn::PrimitivePointIndices),
    (B::PrimitiveLineIndicesEXT, BuiltIn::PrimitiveLineIndices),
    (B::PrimitiveTriangleIndicesEXT, BuiltIn::PrimitiveTriangleIndices),
    (B::CullPrimitiveEXT, BuiltIn::CullPrimitive),
    (B::LaunchIdKHR, BuiltIn::LaunchId), (B::LaunchSizeKHR, BuiltIn::LaunchSize),
    (B::InstanceId, BuiltIn::InstanceId), (B::InstanceCustomIndexKHR, BuiltIn::InstanceCustomIndex),
    (B::RayGeometryIndexKHR, BuiltIn::GeometryIndex),
    (B::WorldRayOriginKHR, BuiltIn::WorldRayOrigin), (B::WorldRayDirectionKHR, BuiltIn::WorldRayDirection),
    (B::ObjectRayOriginKHR, BuiltIn::ObjectRayOrigin), (B::ObjectRayDirectionKHR, BuiltIn::ObjectRayDirection),
    (B::RayTminKHR, BuiltIn::RayTmin), (B::RayTmaxKHR, BuiltIn::RayTmax),
    (B::IncomingRayFlagsKHR, BuiltIn::IncomingRayFlags), (B::CullMaskKHR, BuiltIn::CullMask),
    (B::HitKindKHR, BuiltIn::HitKind),
    (B::ObjectToWorldKHR, BuiltIn::ObjectToWorld), (B::WorldToObjectKHR, BuiltIn::WorldToObject),
    (B::HitTriangleVertexPositionsKHR, BuiltIn::HitTriangleVertexPositions),
    (B::SubgroupSize, BuiltIn::SubgroupSize), (B::SubgroupId, BuiltIn::SubgroupId),
    (B::NumSubgroups, BuiltIn::NumSubgroups), (B::SubgroupLocalInvocationId, BuiltIn::SubgroupLocalInvocationId),
    (B::SubgroupEqMask, BuiltIn::SubgroupEqMask), (B::SubgroupGeMask, BuiltIn::SubgroupGeMask),
    (B::SubgroupGtMask, BuiltIn::SubgroupGtMask), (B::SubgroupLeMask, BuiltIn::SubgroupLeMask),
    (B::SubgroupLtMask, BuiltIn::SubgroupLtMask),
];

/// A built-in variable that only kernels have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelBuiltIn {
    /// Number of invocations in each dimension.
    GlobalSize,
    /// Global id of the first invocation.
    GlobalOffset,
    /// Index of the invocation among all invocations.
    GlobalLinearId,
    /// Number of dimensions of the launch.
    WorkDim,
    /// Size of the workgroup.
    WorkgroupSize,
    /// Size of the workgroups that are not smaller than others.
    WholeWorkgroupSize,
    /// Size of the largest subgroup.
    SubgroupMaxSize,
    /// Number of subgroups of a workgroup that is not smaller than others.
    NumSubgroups,
}

/// Every accepted built-in variable of kernels besides those in [`BUILT_INS`]. Spec: SPIR-V, 3.21 BuiltIn.
#[rustfmt::skip]
pub const KERNEL_BUILT_INS: &[(B, KernelBuiltIn)] = &[
    (B::GlobalSize, KernelBuiltIn::GlobalSize), (B::GlobalOffset, KernelBuiltIn::GlobalOffset),
    (B::GlobalLinearId, KernelBuiltIn::GlobalLinearId), (B::WorkDim, KernelBuiltIn::WorkDim),
    (B::WorkgroupSize, KernelBuiltIn::WorkgroupSize), (B::EnqueuedWorkgroupSize, KernelBuiltIn::WholeWorkgroupSize),
    (B::SubgroupMaxSize, KernelBuiltIn::SubgroupMaxSize), (B::NumEnqueuedSubgroups, KernelBuiltIn::NumSubgroups),
];

/// Converts a SPIR-V built-in number to an IR built-in.
///
/// # Errors
/// `Invalid` for numbers that are not built-ins, `Unsupported` for the built-ins of other stages.
pub fn builtin(number: u32) -> Result<BuiltIn> {
    let Some(b) = B::from_u32(number) else {
        return Err(Error::invalid(format!("unknown built-in {number}")));
    };
    let row = BUILT_INS.iter().find(|row| row.0 == b);
    row.map(|row| row.1).ok_or_else(|| Error::unsupported(format!("built-in {b:?}")))
}

/// Arrangement of compute invocations in quads. Spec: DerivativeGroupLinearKHR, DerivativeGroupQuadsKHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerivativeGroup {
    /// Four invocations with consecutive local indices.
    Linear,
    /// Squares of two by two invocations in x and y.
    Quads,
}

/// Meaning of an execution mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Workgroup size, as literals.
    LocalSize,
    /// Workgroup size, as ids of constants.
    LocalSizeId,
    /// Kernels: workgroup size that suits the kernel, unless the launch states one.
    LocalSizeHint,
    /// Kernels: workgroup size that suits the kernel, as ids of constants.
    LocalSizeHintId,
    /// Depth and stencil tests run before the shader.
    EarlyFragmentTests,
    /// Early fragment tests, and SampleMask holds the samples that pass them.
    PostDepthCoverage,
    /// Guarantee about the depth that the shader writes.
    Depth(ir::DepthLayout),
    /// Denormals of the given width are preserved.
    DenormPreserve,
    /// All four invocations of a quad run.
    FullQuads,
    /// Zeros keep their signs, also in minimum and maximum.
    SignedZeros,
    /// Arrangement of compute invocations in quads.
    DerivativeGroup(DerivativeGroup),
    /// Vertices of an output patch, or the maximum number of vertices of a geometry or mesh shader.
    OutputVertices,
    /// Domain of tessellation. `Triangles` is also an input primitive of geometry shaders.
    Domain(ir::TessellationDomain),
    /// Spacing of the tessellator's edge subdivision.
    Spacing(ir::TessellationSpacing),
    /// Vertex order of the triangles that the tessellator generates.
    Order(ir::VertexOrder),
    /// The tessellator generates points.
    PointMode,
    /// Input primitive of a geometry shader.
    Input(ir::GeometryInput),
    /// Output primitive of a geometry shader.
    Output(ir::GeometryOutput),
    /// Number of invocations of a geometry shader per primitive.
    Invocations,
    /// Maximum number of primitives of a mesh.
    OutputPrimitives,
    /// Output primitive of a mesh shader. Points are also an output primitive of geometry shaders.
    MeshOutput(ir::MeshOutput),
    /// Transform feedback captures outputs.
    Xfb,
    /// Indices make offsets of 64 bits.
    WideIndexing,
    /// An attachment, colour (0), depth (1) or stencil (2), is read without an order.
    UnorderedReads(usize),
    /// A hint, or a guarantee that always holds here.
    Hint,
}

/// Every accepted execution mode. Spec: SPIR-V, 3.6 Execution Mode.
#[rustfmt::skip]
pub const EXECUTION_MODES: &[(M, Mode)] = &[
    (M::LocalSize, Mode::LocalSize), (M::LocalSizeId, Mode::LocalSizeId),
    (M::EarlyFragmentTests, Mode::EarlyFragmentTests),
    (M::DepthGreater, Mode::Depth(ir::DepthLayout::Greater)),
    (M::DepthLess, Mode::Depth(ir::DepthLayout::Less)),
    (M::DepthUnchanged, Mode::Depth(ir::DepthLayout::Unchanged)),
    (M::DenormPreserve, Mode::DenormPreserve), (M::RequireFullQuadsKHR, Mode::FullQuads),
    (M::SignedZeroInfNanPreserve, Mode::SignedZeros),
    (M::Shader64BitIndexingEXT, Mode::WideIndexing),
    (M::DerivativeGroupLinearKHR, Mode::DerivativeGroup(DerivativeGroup::Linear)),
    (M::DerivativeGroupQuadsKHR, Mode::DerivativeGroup(DerivativeGroup::Quads)),
    (M::OutputVertices, Mode::OutputVertices),
    (M::Triangles, Mode::Domain(ir::TessellationDomain::Triangles)),
    (M::Quads, Mode::Domain(ir::TessellationDomain::Quads)),
    (M::Isolines, Mode::Domain(ir::TessellationDomain::Isolines)),
    (M::SpacingEqual, Mode::Spacing(ir::TessellationSpacing::Equal)),
    (M::SpacingFractionalEven, Mode::Spacing(ir::TessellationSpacing::FractionalEven)),
    (M::SpacingFractionalOdd, Mode::Spacing(ir::TessellationSpacing::FractionalOdd)),
    (M::VertexOrderCw, Mode::Order(ir::VertexOrder::Cw)), (M::VertexOrderCcw, Mode::Order(ir::VertexOrder::Ccw)),
    (M::PointMode, Mode::PointMode),
    (M::InputPoints, Mode::Input(ir::GeometryInput::Points)), (M::InputLines, Mode::Input(ir::GeometryInput::Lines)),
    (M::InputLinesAdjacency, Mode::Input(ir::GeometryInput::LinesAdjacency)),
    (M::InputTrianglesAdjacency, Mode::Input(ir::GeometryInput::TrianglesAdjacency)),
    (M::OutputPoints, Mode::Output(ir::GeometryOutput::Points)),
    (M::OutputLineStrip, Mode::Output(ir::GeometryOutput::LineStrip)),
    (M::OutputTriangleStrip, Mode::Output(ir::GeometryOutput::TriangleStrip)),
    (M::OutputPrimitivesEXT, Mode::OutputPrimitives),
    (M::OutputLinesEXT, Mode::MeshOutput(ir::MeshOutput::Lines)),
    (M::OutputTrianglesEXT, Mode::MeshOutput(ir::MeshOutput::Triangles)),
    (M::Invocations, Mode::Invocations), (M::Xfb, Mode::Xfb),
    (M::PostDepthCoverage, Mode::PostDepthCoverage),
    (M::LocalSizeHint, Mode::LocalSizeHint), (M::LocalSizeHintId, Mode::LocalSizeHintId),
    // Products and sums are fused only where a kernel says so.
    (M::ContractionOff, Mode::Hint), (M::VecTypeHint, Mode::Hint),
    // Vulkan requires this mode of every fragment shader.
    (M::OriginUpperLeft, Mode::Hint),
    // Lowering derives these from the outputs that the shader writes.
    (M::DepthReplacing, Mode::Hint), (M::StencilRefReplacingEXT, Mode::Hint),
    // Fast-math permissions are not used; rounding is to nearest even, and reconvergence is maximal.
    (M::FPFastMathDefault, Mode::Hint), (M::RoundingModeRTE, Mode::Hint),
    (M::QuadDerivativesKHR, Mode::Hint), (M::MaximallyReconvergesKHR, Mode::Hint),
    (M::SubgroupUniformControlFlowKHR, Mode::Hint),
    // The pipeline processes the primitives of a pixel one after another, in API order.
    (M::PixelInterlockOrderedEXT, Mode::Hint), (M::PixelInterlockUnorderedEXT, Mode::Hint),
    (M::SampleInterlockOrderedEXT, Mode::Hint), (M::SampleInterlockUnorderedEXT, Mode::Hint),
    // Reads of attachments are always in rasterization order; checks are told that other devices need barriers.
    (M::NonCoherentColorAttachmentReadEXT, Mode::UnorderedReads(0)),
    (M::NonCoherentDepthAttachmentReadEXT, Mode::UnorderedReads(1)),
    (M::NonCoherentStencilAttachmentReadEXT, Mode::UnorderedReads(2)),
];

/// Returns the meaning of an execution mode.
///
/// # Errors
/// `Invalid` for modes that Vulkan forbids, `Unsupported` for all other modes without a row.
pub fn mode(mode: M) -> Result<Mode> {
    if let Some(row) = EXECUTION_MODES.iter().find(|row| row.0 == mode) {
        return Ok(row.1);
    }
    Err(match mode {
        M::PixelCenterInteger | M::OriginLowerLeft => {
            Error::invalid(format!("{mode:?} is not allowed under Vulkan"))
        }
        _ => Error::unsupported(format!("execution mode {mode:?}")),
    })
}

/// Accepted storage classes of variables and pointers. Spec: SPIR-V, 3.7 Storage Class.
pub const STORAGE_CLASSES: &[StorageClass] = &[
    StorageClass::UniformConstant,
    StorageClass::Input,
    StorageClass::Uniform,
    StorageClass::Output,
    StorageClass::Workgroup,
    StorageClass::Private,
    StorageClass::Function,
    StorageClass::PushConstant,
    StorageClass::Image,
    StorageClass::StorageBuffer,
    StorageClass::PhysicalStorageBuffer,
    StorageClass::TaskPayloadWorkgroupEXT,
    StorageClass::RayPayloadKHR,
    StorageClass::IncomingRayPayloadKHR,
    StorageClass::HitAttributeKHR,
    StorageClass::CallableDataKHR,
    StorageClass::IncomingCallableDataKHR,
    StorageClass::ShaderRecordBufferKHR,
    StorageClass::HitObjectAttributeEXT,
    StorageClass::CrossWorkgroup,
    StorageClass::Generic,
    StorageClass::TileImageEXT,
];

/// Every accepted image operand, with the number of ids that follow it. Spec: SPIR-V, 3.14 Image Operands.
#[rustfmt::skip]
pub const IMAGE_OPERANDS: &[(ImageOperands, usize, Effect)] = &[
    (ImageOperands::BIAS, 1, Acts), (ImageOperands::LOD, 1, Acts), (ImageOperands::GRAD, 2, Acts),
    (ImageOperands::CONST_OFFSET, 1, Acts), (ImageOperands::OFFSET, 1, Acts),
    (ImageOperands::CONST_OFFSETS, 1, Acts),
    (ImageOperands::SAMPLE, 1, Acts), (ImageOperands::MIN_LOD, 1, Acts),
    (ImageOperands::SIGN_EXTEND, 0, Acts), (ImageOperands::ZERO_EXTEND, 0, Acts),
    // Memory is always coherent within a lane group and between lane groups.
    (ImageOperands::MAKE_TEXEL_AVAILABLE, 1, Hint), (ImageOperands::MAKE_TEXEL_VISIBLE, 1, Hint),
    (ImageOperands::NON_PRIVATE_TEXEL, 0, Hint), (ImageOperands::VOLATILE_TEXEL, 0, Hint),
    (ImageOperands::NONTEMPORAL, 0, Hint),
];

/// Number of ids that follow an image operand, if it is accepted.
pub fn image_operand(bit: ImageOperands) -> Option<usize> {
    IMAGE_OPERANDS.iter().find(|row| row.0 == bit).map(|row| row.1)
}

/// Every accepted dimension of images. Spec: SPIR-V, 3.8 Dim.
pub const DIMS: &[(Dim, ImageDim)] = &[
    (Dim::Dim1D, ImageDim::D1),
    (Dim::Dim2D, ImageDim::D2),
    (Dim::Dim3D, ImageDim::D3),
    (Dim::DimCube, ImageDim::Cube),
    (Dim::DimBuffer, ImageDim::Buffer),
    (Dim::DimSubpassData, ImageDim::SubpassData),
    (Dim::DimTileImageDataEXT, ImageDim::SubpassData),
];

/// Converts a SPIR-V image dimension to an IR dimension.
///
/// # Errors
/// `Unsupported` for dimensions that Vulkan does not have.
pub fn dim(dim: Dim) -> Result<ImageDim> {
    let row = DIMS.iter().find(|row| row.0 == dim);
    row.map(|row| row.1).ok_or_else(|| Error::unsupported(format!("image dimension {dim:?}")))
}

/// Formats that an image type may declare. Texels are converted according to the format of the bound view instead.
/// Spec: SPIR-V, 3.11 Image Format.
#[rustfmt::skip]
pub const IMAGE_FORMATS: &[F] = &[
    F::Unknown,
    F::Rgba32f, F::Rgba16f, F::R32f, F::Rgba8, F::Rgba8Snorm, F::Rg32f, F::Rg16f, F::R11fG11fB10f, F::R16f,
    F::Rgba16, F::Rgb10A2, F::Rg16, F::Rg8, F::R16, F::R8, F::Rgba16Snorm, F::Rg16Snorm, F::Rg8Snorm,
    F::R16Snorm, F::R8Snorm,
    F::Rgba32i, F::Rgba16i, F::Rgba8i, F::R32i, F::Rg32i, F::Rg16i, F::Rg8i, F::R16i, F::R8i,
    F::Rgba32ui, F::Rgba16ui, F::Rgba8ui, F::R32ui, F::Rgb10a2ui, F::Rg32ui, F::Rg16ui, F::Rg8ui, F::R16ui, F::R8ui,
    F::R64ui, F::R64i,
];
