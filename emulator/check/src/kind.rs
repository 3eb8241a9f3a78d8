//! Kinds of errors in shaders, as a table with a summary of the specification for each.

use std::fmt;
use std::str::FromStr;

/// Severity of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Level {
    /// Not reported.
    Off,
    /// Information that does not fail a check.
    Note,
    /// Undefined, but most devices give the same result.
    Warning,
    /// Undefined behaviour, or results that differ between devices.
    Error,
}

impl Level {
    /// All levels.
    pub const ALL: [Level; 4] = [Level::Off, Level::Note, Level::Warning, Level::Error];

    /// Name of the level in messages.
    pub fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

macro_rules! kinds {
    ($($kind:ident $id:literal $level:ident $title:literal $says:literal $clause:literal;)*) => {
        /// A kind of error, described by its title.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Kind { $(#[doc = $title] $kind),* }

        impl Kind {
            /// All kinds, in table order.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind),*];
            /// Identifier in reports and options: `division-by-zero`.
            pub fn id(self) -> &'static str { match self { $(Kind::$kind => $id),* } }
            /// Default severity.
            pub fn level(self) -> Level { match self { $(Kind::$kind => Level::$level),* } }
            /// Short description.
            pub fn title(self) -> &'static str { match self { $(Kind::$kind => $title),* } }
            /// Summary of the rule in the specification, not a quotation.
            pub fn says(self) -> &'static str { match self { $(Kind::$kind => $says),* } }
            /// Section of the specification with the rule.
            pub fn clause(self) -> &'static str { match self { $(Kind::$kind => $clause),* } }
        }
    };
}

kinds! {
    // Values. "Behaviour is undefined": reported where it happens. "The resulting value is undefined": reported where
    // the value surfaces, and at the operation that made it.
    DivisionByZero "division-by-zero" Error
        "Integer division by zero"
        "Behaviour is undefined if Operand 2 is 0."
        "SPIR-V OpUDiv, OpSDiv, OpUMod, OpSRem, OpSMod";
    DivisionOverflow "division-overflow" Error
        "Signed division of the minimum integer by -1"
        "Behaviour is undefined if Operand 2 is -1 and Operand 1 is the minimum representable value for the operands' type, causing signed overflow."
        "SPIR-V OpSDiv, OpSRem, OpSMod";
    ConversionOutOfRange "conversion-out-of-range" Error
        "Conversion of a float to an integer type that cannot represent it"
        "Behaviour is undefined if Result Type is not wide enough to hold the converted value."
        "SPIR-V OpConvertFToS, OpConvertFToU";
    ShiftTooWide "shift-too-wide" Error
        "Shift by at least the bit width of the value"
        "The resulting value is undefined if Shift is greater than or equal to the bit width of the components of Base."
        "SPIR-V OpShiftLeftLogical, OpShiftRightLogical, OpShiftRightArithmetic";
    BitFieldOutOfRange "bit-field-out-of-range" Error
        "A bit field extends past the width of its value"
        "The resulting value is undefined if Count or Offset or their sum is greater than the number of bits in the result."
        "SPIR-V OpBitFieldInsert, OpBitFieldSExtract, OpBitFieldUExtract";
    RemainderByZero "remainder-by-zero" Error
        "Remainder of a float by zero"
        "The resulting value is undefined if Operand 2 is 0."
        "SPIR-V OpFRem, OpFMod";
    PowDomain "pow-domain" Error
        "`pow` of a negative number, or of 0 to a power of 0 or less"
        "The resulting value is undefined if x < 0. The resulting value is undefined if x = 0 and y <= 0."
        "GLSL.std.450 Pow";
    SqrtNegative "sqrt-negative" Error
        "Square root of a negative number"
        "The resulting value is undefined if x < 0."
        "GLSL.std.450 Sqrt";
    InverseSqrtDomain "inversesqrt-domain" Error
        "Reciprocal square root of a number that is not positive"
        "The resulting value is undefined if x <= 0."
        "GLSL.std.450 InverseSqrt";
    LogDomain "log-domain" Error
        "Logarithm of a number that is not positive"
        "The resulting value is undefined if x <= 0."
        "GLSL.std.450 Log, Log2";
    AsinDomain "asin-domain" Error
        "`asin` or `acos` of a number outside of [-1, 1]"
        "The resulting value is undefined if abs(x) > 1."
        "GLSL.std.450 Asin, Acos";
    AcoshDomain "acosh-domain" Error
        "`acosh` of a number below 1"
        "The resulting value is undefined if x < 1."
        "GLSL.std.450 Acosh";
    AtanhDomain "atanh-domain" Error
        "`atanh` of a number outside of (-1, 1)"
        "The resulting value is undefined if abs(x) >= 1."
        "GLSL.std.450 Atanh";
    Atan2Zero "atan2-zero" Warning
        "`atan` of two zeros"
        "The resulting value is undefined if x and y are both 0."
        "GLSL.std.450 Atan2";
    NormalizeZero "normalize-zero" Error
        "`normalize` of the zero vector"
        "The result is x / length(x), which is 0 / 0: poison, where infinitely precise results are not defined."
        "GLSL.std.450 Normalize; Vulkan, Precision of GLSL.std.450 Instructions";
    SmoothStepEdges "smoothstep-edges" Error
        "`smoothstep` between two equal edges"
        "The resulting value is undefined if edge0 >= edge1."
        "GLSL.std.450 SmoothStep";
    SmoothStepReversed "smoothstep-reversed" Note
        "`smoothstep` with `edge0` greater than `edge1`"
        "The resulting value is undefined if edge0 >= edge1."
        "GLSL.std.450 SmoothStep";
    ClampOrder "clamp-order" Warning
        "`clamp` with `minVal` greater than `maxVal`"
        "The resulting value is undefined if minVal > maxVal."
        "GLSL.std.450 FClamp, UClamp, SClamp, NClamp";
    NanInMinMax "nan-in-min-max" Warning
        "`min`, `max`, `clamp` or `smoothstep` of a NaN"
        "If one of the operands is a NaN, either operand may be the result."
        "GLSL.std.450 FMin, FMax, FClamp, SmoothStep";
    LdexpOverflow "ldexp-overflow" Warning
        "`ldexp` with a result too large for its type"
        "If this product is too large to be represented in the floating-point type, the resulting value is undefined."
        "GLSL.std.450 Ldexp";
    FrexpNonFinite "frexp-non-finite" Warning
        "`frexp` of a NaN or an infinity"
        "If x is an infinity or a NaN, the resulting value is undefined."
        "GLSL.std.450 Frexp, FrexpStruct";
    SingularMatrix "singular-matrix" Error
        "Inverse of a singular matrix"
        "The resulting value is undefined if x is singular or poorly-conditioned (nearly singular)."
        "GLSL.std.450 MatrixInverse";
    UndefUsed "undef-used" Error
        "Use of an undefined value"
        "Each consumption of Result <id> yields an arbitrary, possibly different bit pattern."
        "SPIR-V OpUndef";
    UnreachableReached "unreachable-reached" Error
        "Execution of code that the module declares unreachable"
        "Behaviour is undefined if this instruction is executed."
        "SPIR-V OpUnreachable";
    NanSurfaced "nan-surfaced" Error
        "A NaN computed from finite numbers is written, used as an index or decides a branch"
        "If the infinitely precise result of the operation is not mathematically defined then the value returned is poison."
        "Vulkan, Precision and Operation of SPIR-V Instructions";
    InfinitySurfaced "infinity-surfaced" Warning
        "An infinity computed from finite numbers is written"
        "Without SignedZeroInfNanPreserve, most operations may assume that their operands and results are not infinities."
        "Vulkan, Precision and Operation of SPIR-V Instructions";

    // Control.
    BarrierDivergent "barrier-divergent" Error
        "A barrier, or a request for mesh workgroups, that not all invocations of the workgroup reach"
        "A barrier requires control flow that is uniform within its Execution scope; otherwise invocations may wait forever. All invocations of a task workgroup, or none, must execute OpEmitMeshTasksEXT."
        "SPIR-V OpControlBarrier; SPV_EXT_mesh_shader";
    MatrixDivergent "matrix-divergent" Error
        "An operation on a cooperative matrix that not all invocations of its scope reach"
        "Instructions with an operand or result that is a cooperative matrix must be executed such that all the invocations in the Scope instance are active or none of them are."
        "SPIR-V OpTypeCooperativeMatrixKHR";
    CopyDivergent "copy-divergent" Error
        "An asynchronous copy, or a wait for one, that not all invocations of the workgroup reach alike"
        "All invocations of the workgroup must reach the copy or wait with the same operands; otherwise behaviour is undefined."
        "SPIR-V OpGroupAsyncCopy, OpGroupWaitEvents; OpenCL C, Async Copies";
    EventInvalid "event-invalid" Error
        "A wait for an event that no asynchronous copy made"
        "The events of a wait must be those that copies of the kernel returned."
        "SPIR-V OpGroupWaitEvents; OpenCL C, Async Copies";
    CopyUnwaited "copy-unwaited" Error
        "An asynchronous copy without a wait for its event"
        "The kernel must wait for the completion of all asynchronous copies before it exits; otherwise behaviour is undefined."
        "OpenCL C, Async Copies";
    DerivativeDivergent "derivative-divergent" Error
        "A derivative in control flow that not all invocations of the quad reach"
        "Explicit derivative instructions must be executed in control flow that is uniform within a derivative group."
        "Vulkan, Derivative Operations; SPIR-V OpDPdx, OpDPdy, OpFwidth";
    DerivativeAfterDiscard "derivative-after-discard" Warning
        "A derivative after `discard` in other invocations of the quad"
        "Implementations may terminate an invocation that executes OpKill, which leaves the quad incomplete."
        "Vulkan, Shader Termination, Derivative Operations";
    ImplicitLodDivergent "implicit-lod-divergent" Error
        "Sampling with an implicit level of detail in control flow that not all invocations of the quad reach"
        "Implicit derivative operations in control flow that is not uniform within the derivative group have undefined results."
        "Vulkan, Derivative Operations; SPIR-V OpImageSampleImplicitLod";
    DescriptorIndexNonUniform "descriptor-index-nonuniform" Error
        "Invocations index an array of descriptors differently, without the NonUniform decoration"
        "If an index is not dynamically uniform, the operand must be decorated NonUniform."
        "Vulkan, Standalone SPIR-V Validation, VUID-RuntimeSpirv-NonUniform-06274";
    SubgroupInactive "subgroup-inactive" Error
        "A subgroup operation reads from an inactive invocation"
        "The resulting value is undefined if Id is an inactive invocation or is greater than or equal to the size of the group."
        "SPIR-V OpGroupNonUniformShuffle, OpGroupNonUniformBroadcast and similar instructions";
    SubgroupReconvergence "subgroup-reconvergence" Warning
        "The result of a subgroup operation depends on where invocations reconverge"
        "Without MaximallyReconvergesKHR, the implementation decides where diverged invocations of a subgroup reconverge."
        "SPIR-V SPV_KHR_maximal_reconvergence; Vulkan, Maximal Reconvergence";
    SubgroupSizeAssumed "subgroup-size-assumed" Warning
        "A shader assumes a subgroup size that its subgroups do not have"
        "The number of invocations in a subgroup is up to the implementation, unless a pipeline asks for one."
        "Vulkan, SubgroupSize; VkPipelineShaderStageRequiredSubgroupSizeCreateInfo";
    NoProgress "no-progress" Error
        "A loop that makes no progress"
        "Invocations must eventually terminate; a loop that changes no state never does."
        "Vulkan, Shader Termination; SPIR-V OpLoopMerge";

    // Layouts of host data.
    LayoutMismatch "layout-mismatch" Error
        "Host data has another layout than the shader expects"
        "Members are located at their Offset, array elements at multiples of ArrayStride, matrix columns at multiples of MatrixStride."
        "SPIR-V Offset, ArrayStride, MatrixStride; GLSL 4.60, Standard Uniform Block Layout";

    // Memory bounds.
    BufferOutOfBounds "buffer-out-of-bounds" Error
        "A buffer is accessed past its end"
        "Without robust buffer access, accesses must be within the bound range; with it, reads return zero or other values of the buffer."
        "Vulkan, Robustness; VUID-RuntimeSpirv-None-10909";
    WorkgroupOutOfBounds "workgroup-out-of-bounds" Error
        "Workgroup memory is accessed past its end"
        "Indices must be in bounds of the object; robust access does not cover workgroup memory."
        "SPIR-V OpAccessChain; Vulkan, Robust Buffer Access";
    IndexOutOfRange "index-out-of-range" Error
        "An index past the last element"
        "Each index must be less than the number of elements; otherwise the behaviour is undefined."
        "SPIR-V OpAccessChain, OpVectorExtractDynamic; GLSL 4.60, Arrays";
    TexelOutOfBounds "texel-out-of-bounds" Warning
        "Access to a texel outside of its image"
        "Texel coordinates must be within the image; with robust image access, reads return zero and writes are discarded."
        "Vulkan, Texel Input Validation Operations";
    LevelOutOfRange "level-out-of-range" Error
        "Access to a level of detail that the image does not have"
        "If the level of detail is outside of the range of the view's levels, the result is undefined."
        "Vulkan, Texel Input Validation Operations";
    MissingDescriptor "missing-descriptor" Error
        "A shader accesses a descriptor that is not bound"
        "Each descriptor that a shader uses must be valid; a null descriptor reads as zero only if the feature nullDescriptor is enabled."
        "Vulkan, Descriptor Sets; VUID-vkCmdDraw-None-08114";
    BadAddress "address-out-of-bounds" Error
        "Access to an address outside of all buffers"
        "Accesses by address must be within a buffer that has a device address."
        "Vulkan, VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819";
    Misaligned "misaligned-access" Error
        "A misaligned access"
        "Addresses of scalars must be multiples of their size."
        "Vulkan, Offset and Stride Assignment; SPIR-V, Memory Operands Aligned";

    AttributeOutOfBounds "attribute-out-of-bounds" Error
        "A vertex attribute ends past the end of its vertex buffer"
        "Attribute addresses must be within the bound range; with robust buffer access, reads return zero or other values."
        "Vulkan, Vertex Input Extraction; VUID-vkCmdDraw-None-02721";
    IndexBufferOutOfBounds "index-buffer-out-of-bounds" Error
        "A draw uses more indices than the index buffer holds"
        "The last index must end within the bound range of the index buffer."
        "Vulkan, VUID-vkCmdDrawIndexed-robustBufferAccess2-08798";
    IndirectOutOfRange "indirect-out-of-range" Error
        "Indirect parameters exceed a limit or the end of their buffer"
        "Workgroup counts must not exceed the limits, and parameters must end within their buffer."
        "Vulkan, VkDispatchIndirectCommand, vkCmdDrawIndirectCount; VUID-VkDispatchIndirectCommand-x-00417";

    // Uninitialized memory.
    UninitializedVariable "uninitialized-variable" Error
        "A variable is used before anything is written to it"
        "Without an initializer, the initial value of a variable is undefined."
        "SPIR-V OpVariable; GLSL 4.60, Variables and Types";
    UninitializedWorkgroup "uninitialized-workgroup" Error
        "Workgroup memory is used before anything is written to it"
        "Without an initializer, the contents of workgroup memory are undefined at the start of a workgroup."
        "SPIR-V OpVariable; GLSL 4.60, Shared Variables";
    UninitializedBuffer "uninitialized-buffer" Error
        "Memory of a buffer is used before anything is written to it"
        "When memory is allocated, its contents are undefined."
        "Vulkan, Device Memory, vkAllocateMemory";
    UninitializedImage "uninitialized-image" Error
        "Texels of an image are used before anything is written to them"
        "When memory is allocated, its contents are undefined."
        "Vulkan, Device Memory, vkAllocateMemory";

    UnsetPushConstant "unset-push-constant" Error
        "Use of a push constant that no command has set"
        "When a command buffer begins recording, all push constant values are undefined."
        "Vulkan, vkCmdPushConstants";

    // Stages.
    InputWithoutOutput "input-without-output" Error
        "Use of an input that the previous stage does not write"
        "The previous stage must declare and write an output for each location and component of an input."
        "Vulkan, Interface Matching; VUID-RuntimeSpirv-OpEntryPoint-08743";

    UnwrittenOutput "unwritten-output" Error
        "Use of an output that an invocation has not written"
        "Unwritten outputs have undefined values: no later stage may read them, and neither rasterization nor attachments may use them."
        "Vulkan, Shader Interfaces, Fragment Output Interface; SPIR-V OpVariable";
    TooManyOutputs "too-many-outputs" Error
        "More vertices or primitives than the shader declares, more mesh workgroups than the device has, an index past the vertices of a mesh, or a declaration of its numbers that is a second one, that not all invocations reach or that follows a write of an output"
        "An invocation of a geometry shader must emit at most OutputVertices vertices. A mesh must have at most OutputVertices vertices and OutputPrimitivesEXT primitives, whose indices are less than its number of vertices; an invocation must execute OpSetMeshOutputsEXT at most once, in uniform control flow, before it writes outputs. A task workgroup must request at most maxMeshWorkGroupCount workgroups per axis, and maxMeshWorkGroupTotalCount in all."
        "SPIR-V OutputVertices; GLSL 4.60, Geometry Shader Functions; SPV_EXT_mesh_shader; GLSL_EXT_mesh_shader; Vulkan, VUID-RuntimeSpirv-MeshEXT-07332 and -07333, VUID-RuntimeSpirv-TaskEXT-07299 to -07302";

    InterfaceMismatch "interface-type-mismatch" Error
        "An input has another type than the matching output of the previous stage"
        "An input and an output with the same location and component must have the same type."
        "Vulkan, Interface Matching; VUID-RuntimeSpirv-OpEntryPoint-07754";
    MissingAttribute "missing-attribute" Error
        "A vertex shader reads an input without a vertex attribute in the pipeline"
        "Each location that the vertex shader reads must have a vertex attribute."
        "Vulkan, VUID-VkGraphicsPipelineCreateInfo-Input-07904";
    AttributeMismatch "attribute-type-mismatch" Error
        "The format of a vertex attribute does not match the numeric type of the input"
        "Signed integer inputs require signed integer formats, unsigned integer inputs unsigned formats, and float inputs all other formats."
        "Vulkan, Vertex Attributes; VUID-VkGraphicsPipelineCreateInfo-Input-08733";
    AttachmentMismatch "attachment-type-mismatch" Error
        "The format of an attachment does not match the numeric type of the output"
        "If the type of a fragment shader output does not match the format of the attachment, the written values are undefined."
        "Vulkan, Fragment Output Interface; Interpretation of Numeric Format";

    // Samplers, and declarations of resources.
    ComparisonDisabled "comparison-disabled" Error
        "A depth comparison with a sampler that has comparison disabled"
        "Results are undefined if a shadow texture call is made with depth comparisons turned off."
        "GLSL 4.60, Texture Functions; Vulkan, VkSamplerCreateInfo, compareEnable";
    ComparisonOfColor "comparison-of-color" Error
        "A depth comparison with an image that has no depth format"
        "If an image view is sampled with depth comparison, its format must support depth comparison."
        "Vulkan, VUID-vkCmdDraw-None-06479";
    UnnormalizedSampling "unnormalized-sampling" Error
        "A kind of sampling that does not support unnormalized coordinates"
        "With unnormalized coordinates, the image must have one layer; implicit levels of detail, comparisons, projections and offsets are not allowed."
        "Vulkan, VUID-vkCmdDraw-None-08609, VUID-vkCmdDraw-None-08610, VUID-vkCmdDraw-None-08611";
    ReadOnlyWritten "readonly-written" Error
        "A write to a resource that the shader or the host declares as read-only"
        "The module must not write through a variable, or to a member, that is decorated NonWritable, or to a buffer created with CL_MEM_READ_ONLY."
        "SPIR-V NonWritable; OpenCL API, CL_MEM_READ_ONLY";
    WriteOnlyRead "writeonly-read" Error
        "A read from a resource that the shader or the host declares as write-only"
        "The module must not read through a variable, or from a member, that is decorated NonReadable, or from a buffer created with CL_MEM_WRITE_ONLY."
        "SPIR-V NonReadable; OpenCL API, CL_MEM_WRITE_ONLY";
    RestrictAliased "restrict-aliased" Error
        "Memory of a restrict variable is accessed through another variable"
        "Memory that is written through one variable and accessed through another one, of which one is decorated Restrict, has undefined contents."
        "SPIR-V, Aliasing; GLSL 4.60, Memory Qualifiers";
    UnwrittenAttachment "unwritten-attachment" Warning
        "A load operation of an attachment that was never written"
        "When memory is allocated, its contents are undefined; the load operation LOAD uses these contents."
        "Vulkan, VkAttachmentLoadOp; VUID-VkAttachmentDescription-format-06699";

    WrongLayout "wrong-layout" Note
        "An image is in another layout than a command or a descriptor says"
        "Subresources that a command accesses must be in the layout that it, the attachment or the descriptor says when it runs."
        "Vulkan, Image Layouts, Image Layout Matching Rules; VUID-vkCmdDraw-None-09600, VUID-VkImageMemoryBarrier-oldLayout-01197";
    DestroyedObject "destroyed-object" Error
        "Submitted commands use a destroyed object"
        "Destroying an object that a command buffer uses makes the command buffer invalid; an invalid command buffer must not be submitted."
        "Vulkan, Command Buffer Lifecycle; VUID-vkQueueSubmit-pCommandBuffers-00070";

    // Rays.
    InvalidRay "invalid-ray" Error
        "A ray with a NaN, an infinity, a negative distance or an empty interval"
        "Ray Origin and Ray Direction must be finite, Ray Tmin and Ray Tmax must not be negative or NaN, and Ray Tmin must be at most Ray Tmax."
        "Vulkan, VUID-RuntimeSpirv-OpTraceRayKHR-06355 to -06358, VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06348 to -06351";
    ZeroRayDirection "zero-ray-direction" Warning
        "A ray whose direction is the zero vector"
        "A ray is the points Ray Origin + t * Ray Direction: without a direction it is one point, whose hits differ between devices."
        "Vulkan, Ray Traversal";
    RayFlagsConflict "ray-flags-conflict" Error
        "Ray flags that exclude each other"
        "Ray Flags must not contain several flags that skip or cull triangles, several of opacity, or both SkipTrianglesKHR and SkipAABBsKHR."
        "Vulkan, VUID-RuntimeSpirv-OpTraceRayKHR-06552, -06892, -06893, VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06889 to -06891";
    InvalidHit "invalid-hit" Error
        "A reported or generated hit outside of the range of its ray or with an invalid kind"
        "Hit T must be in the interval of the ray up to the committed hit, and Hit Kind at most 127."
        "Vulkan, VUID-RuntimeSpirv-OpRayQueryGenerateIntersectionKHR-06353, VUID-RuntimeSpirv-OpReportIntersectionKHR-06998";
    RecursionTooDeep "recursion-too-deep" Error
        "A trace that is nested deeper than the pipeline allows"
        "Trace ray instructions must not be executed with a recursion depth greater than maxPipelineRayRecursionDepth."
        "Vulkan, VUID-vkCmdTraceRaysKHR-maxPipelineRayRecursionDepth-03679";
    RayQueryUninitialized "ray-query-uninitialized" Error
        "A ray query is used before it is initialized"
        "OpRayQueryInitializeKHR defines the parameters of the traversal."
        "SPIR-V, SPV_KHR_ray_query";
    RayQueryState "ray-query-state" Error
        "A ray query is not in the state that the operation requires"
        "Operations on a candidate require that the last OpRayQueryProceedKHR returned true, and a candidate of a suitable type; operations on the committed intersection require a committed intersection."
        "SPIR-V, SPV_KHR_ray_query";
    StructureNotBuilt "structure-not-built" Error
        "A ray is traced in a structure that is not a built top level"
        "Acceleration Structure must be an acceleration structure built as a top-level acceleration structure."
        "Vulkan, VUID-RuntimeSpirv-OpTraceRayKHR-06359, VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06352";
    StructureDestroyed "structure-destroyed" Error
        "A ray is traced in a destroyed structure, or in one with destroyed bottom levels"
        "Acceleration structures, and those that they refer to, must be alive while commands use them."
        "Vulkan, Acceleration Structures; VUID-vkDestroyAccelerationStructureKHR-accelerationStructure-02442";
    UnwrittenPayload "unwritten-payload" Error
        "A payload or callable data is used before any shader writes it"
        "Without an initializer, the initial value of a variable is undefined; a call passes the value on."
        "SPIR-V, OpVariable, OpTraceRayKHR, OpExecuteCallableKHR, RayPayloadKHR, CallableDataKHR";
    UnwrittenHitAttribute "unwritten-hit-attribute" Error
        "A hit attribute is used that the intersection shader has not written"
        "A hit attribute has the value that the intersection shader wrote before its report; that of a triangle has two components."
        "SPIR-V, OpReportIntersectionKHR, HitAttributeKHR";
    BadShaderRecord "bad-shader-record" Error
        "A selected record of a shader binding table names no suitable shader group"
        "Records that shaders select must be in their table, and hold null or the handle of a group of the bound pipeline, of the type that the table and the geometry require."
        "Vulkan, Shader Binding Table; VUID-vkCmdTraceRaysKHR-None-04734, VUID-vkCmdTraceRaysKHR-None-04735";

    // Data races.
    RaceWorkgroup "race-workgroup" Error
        "Unordered accesses of different invocations to workgroup memory"
        "Two accesses are a data race if at least one is a write, not both are atomic, and neither happens before the other."
        "Vulkan, Memory Model, Data Race";
    RaceBuffer "race-buffer" Error
        "Unordered accesses of different invocations to a buffer"
        "Two accesses are a data race if at least one is a write, not both are atomic, and neither happens before the other."
        "Vulkan, Memory Model, Data Race";
    RaceImage "race-image" Error
        "Unordered accesses of different invocations to a texel"
        "Two accesses are a data race if at least one is a write, not both are atomic, and neither happens before the other."
        "Vulkan, Memory Model, Data Race";
    RacePrivate "race-private" Error
        "Accesses of different invocations that barriers do not order because one of them is private"
        "In the Vulkan memory model, synchronization orders accesses of different invocations only if both are non-private."
        "Vulkan, Memory Model, Private vs. Non-Private, Location-Ordered";
    RaceVisibility "race-visibility" Error
        "A write is not available or not visible to a later access of another invocation"
        "In the Vulkan memory model, a write must be made available to a scope that includes both invocations, and visible before the read."
        "Vulkan, Memory Model, Availability and Visibility, Location-Ordered";
    RaceCommands "race-commands" Error
        "Two commands access the same memory without a barrier in between"
        "Only barriers, events, subpass dependencies, semaphores and host waits order accesses of different commands."
        "Vulkan, Synchronization and Cache Control, Implicit Synchronization Guarantees";
    RaceSameValue "race-same-value" Off
        "Unordered writes of the same value by different invocations"
        "This is a data race, although devices agree on the result."
        "Vulkan, Memory Model, Data Race";
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Kind {
    type Err = String;

    /// Returns the kind with an id, or else a message that suggests a similar id.
    fn from_str(id: &str) -> Result<Kind, String> {
        if let Some(&kind) = Kind::ALL.iter().find(|k| k.id() == id) {
            return Ok(kind);
        }
        let word = |id: &str| id.split('-').map(str::to_owned).collect::<Vec<_>>();
        let shared = |k: &Kind| word(k.id()).iter().filter(|w| word(id).contains(w)).count();
        let near = Kind::ALL.iter().rev().max_by_key(|k| shared(k)).filter(|k| shared(k) > 0);
        Err(match near {
            Some(near) => format!("no kind of report is called '{id}': did you mean '{near}'?"),
            None => format!("no kind of report is called '{id}'"),
        })
    }
}

#[cfg(feature = "json")]
impl serde::Serialize for Kind {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.id())
    }
}

/// Severity of each kind: the default of its table row unless it was set.
#[derive(Clone, Debug)]
pub struct Levels(Vec<Level>);

impl Default for Levels {
    fn default() -> Self {
        Levels(Kind::ALL.iter().map(|k| k.level()).collect())
    }
}

impl Levels {
    /// Returns the level of a kind.
    pub fn of(&self, kind: Kind) -> Level {
        self.0[kind as usize]
    }

    /// Sets the level of a kind.
    pub fn set(&mut self, kind: Kind, level: Level) {
        self.0[kind as usize] = level;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_names_and_found_again() {
        for (i, &kind) in Kind::ALL.iter().enumerate() {
            assert_eq!(kind as usize, i);
            assert_eq!(kind.id().parse(), Ok(kind));
            assert!(kind.id().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            assert!(kind.says().ends_with('.') && !kind.title().ends_with('.'), "{kind}");
            assert!(!kind.clause().is_empty(), "{kind}");
        }
        assert_eq!(
            "divide-by-zero".parse::<Kind>(),
            Err("no kind of report is called 'divide-by-zero': did you mean 'division-by-zero'?".into())
        );
        assert_eq!("xyz".parse::<Kind>(), Err("no kind of report is called 'xyz'".into()));
    }

    #[test]
    fn levels_are_those_of_the_rows_unless_set() {
        let mut levels = Levels::default();
        levels.set(Kind::ClampOrder, Level::Off);
        for &kind in Kind::ALL {
            let expected = if kind == Kind::ClampOrder { Level::Off } else { kind.level() };
            assert_eq!(levels.of(kind), expected);
        }
    }
}
