//! Kinds of errors in shaders, as a table with a summary of the specification for each.

use std::fmt;
use std::str::FromStr;

/// Severity of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
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
    // Values. "Behavior is undefined": reported where it happens. "The resulting value is undefined": reported where
    // the value surfaces, and at the operation that made it.
    DivisionByZero "division-by-zero" Error
        "Integer division by zero"
        "Behavior is undefined if Operand 2 is 0."
        "SPIR-V OpUDiv, OpSDiv, OpUMod, OpSRem, OpSMod";
    DivisionOverflow "division-overflow" Error
        "Signed division of the least integer by -1"
        "Behavior is undefined if Operand 2 is -1 and Operand 1 is the minimum representable value for the operands' type, causing signed overflow."
        "SPIR-V OpSDiv, OpSRem, OpSMod";
    ConversionOutOfRange "conversion-out-of-range" Error
        "A float is converted to an integer type that does not hold it"
        "Behavior is undefined if Result Type is not wide enough to hold the converted value."
        "SPIR-V OpConvertFToS, OpConvertFToU";
    ShiftTooWide "shift-too-wide" Error
        "Shift by as many bits as the value has, or more"
        "The resulting value is undefined if Shift is greater than or equal to the bit width of the components of Base."
        "SPIR-V OpShiftLeftLogical, OpShiftRightLogical, OpShiftRightArithmetic";
    BitFieldOutOfRange "bit-field-out-of-range" Error
        "A bit field reaches past the bits of its value"
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
        "`smoothstep` whose first edge is above the second"
        "The resulting value is undefined if edge0 >= edge1."
        "GLSL.std.450 SmoothStep";
    ClampOrder "clamp-order" Warning
        "`clamp` whose least value is above the greatest"
        "The resulting value is undefined if minVal > maxVal."
        "GLSL.std.450 FClamp, UClamp, SClamp, NClamp";
    NanInMinMax "nan-in-min-max" Warning
        "`min`, `max` or `clamp` of a NaN"
        "Which operand is the result is undefined if one of the operands is a NaN."
        "GLSL.std.450 FMin, FMax, FClamp";
    LdexpOverflow "ldexp-overflow" Warning
        "`ldexp` past what the type holds"
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
        "A value that nothing defines is used"
        "Each consumption of Result <id> yields an arbitrary, possibly different bit pattern."
        "SPIR-V OpUndef";
    UnreachableReached "unreachable-reached" Error
        "A place that the module says is never reached is reached"
        "Behavior is undefined if this instruction is executed."
        "SPIR-V OpUnreachable";
    NanSurfaced "nan-surfaced" Error
        "A NaN made of finite numbers is written, or decides something"
        "If the infinitely precise result of the operation is not mathematically defined then the value returned is poison."
        "Vulkan, Precision and Operation of SPIR-V Instructions";
    InfinitySurfaced "infinity-surfaced" Warning
        "An infinity made of finite numbers is written"
        "Without SignedZeroInfNanPreserve, most operations may assume that their operands and results are not infinities."
        "Vulkan, Precision and Operation of SPIR-V Instructions";

    // Control.
    BarrierDivergent "barrier-divergent" Error
        "A barrier that not all invocations of the workgroup reach"
        "It only works in control flow that is uniform within its Execution scope; elsewhere invocations may wait for ever."
        "SPIR-V OpControlBarrier";
    DerivativeDivergent "derivative-divergent" Error
        "A derivative where not all invocations of the quad are"
        "Explicit derivative instructions must be executed in control flow that is uniform within a derivative group."
        "Vulkan, Derivative Operations; SPIR-V OpDPdx, OpDPdy, OpFwidth";
    DerivativeAfterDiscard "derivative-after-discard" Warning
        "A derivative after `discard` in other invocations of the quad"
        "Implementations may also terminate an invocation when OpKill is executed, and the quad is not whole then."
        "Vulkan, Shader Termination, Derivative Operations";
    ImplicitLodDivergent "implicit-lod-divergent" Error
        "A texture is sampled with an implicit level of detail where not all invocations of the quad are"
        "Implicit derivative operations in control flow that is not uniform within the derivative group have undefined results."
        "Vulkan, Derivative Operations; SPIR-V OpImageSampleImplicitLod";
    DescriptorIndexNonUniform "descriptor-index-nonuniform" Error
        "Invocations index an array of descriptors differently, without the NonUniform decoration"
        "If an index is not dynamically uniform, the operand must be decorated NonUniform."
        "Vulkan, Standalone SPIR-V Validation, VUID-RuntimeSpirv-NonUniform-06274";
    SubgroupInactive "subgroup-inactive" Error
        "A subgroup operation reads an invocation that does not take part"
        "The resulting value is undefined if Id is an inactive invocation or is greater than or equal to the size of the group."
        "SPIR-V OpGroupNonUniformShuffle, OpGroupNonUniformBroadcast and their kin";
    SubgroupReconvergence "subgroup-reconvergence" Warning
        "The result of a subgroup operation depends on where invocations rejoin"
        "Without MaximallyReconvergesKHR, where diverged invocations of a subgroup rejoin is up to the implementation."
        "SPIR-V SPV_KHR_maximal_reconvergence; Vulkan, Maximal Reconvergence";
    NoProgress "no-progress" Error
        "A loop that goes on without getting anywhere"
        "Invocations must eventually end: a loop that changes nothing never does."
        "Vulkan, Shader Termination; SPIR-V OpLoopMerge";

    // Layouts of host data.
    LayoutMismatch "layout-mismatch" Error
        "Data of the host lie elsewhere than the shader reads them"
        "Members lie at their Offset, elements at multiples of their ArrayStride, columns of their MatrixStride."
        "SPIR-V Offset, ArrayStride, MatrixStride; GLSL 4.60, Standard Uniform Block Layout";

    // Memory bounds.
    BufferOutOfBounds "buffer-out-of-bounds" Error
        "A buffer is accessed past its end"
        "Without robust access, accesses must lie within the range that is bound; with it, reads give zero or other values of the buffer."
        "Vulkan, Robustness; VUID-RuntimeSpirv-None-10909";
    WorkgroupOutOfBounds "workgroup-out-of-bounds" Error
        "Workgroup memory is accessed past its end"
        "Indices must be in bounds of the object; robust access does not cover workgroup memory."
        "SPIR-V OpAccessChain; Vulkan, Robust Buffer Access";
    IndexOutOfRange "index-out-of-range" Error
        "An index past the last element"
        "Each index must be less than the number of elements, and is undefined behaviour otherwise."
        "SPIR-V OpAccessChain, OpVectorExtractDynamic; GLSL 4.60, Arrays";
    TexelOutOfBounds "texel-out-of-bounds" Warning
        "A texel outside of its image"
        "Coordinates of single texels must be within the image; with robust image access reads give zero and writes are dropped."
        "Vulkan, Texel Input Validation Operations";
    LevelOutOfRange "level-out-of-range" Error
        "A level of detail that the image does not have"
        "If the level of detail is outside of the range of the view's levels, the result is undefined."
        "Vulkan, Texel Input Validation Operations";
    MissingDescriptor "missing-descriptor" Error
        "Nothing is bound where a shader accesses something"
        "Descriptors that are used must be valid; a null descriptor reads zero only where that feature is enabled."
        "Vulkan, Descriptor Sets; VUID-vkCmdDraw-None-08114";
    BadAddress "address-out-of-bounds" Error
        "An address that no buffer has"
        "Accesses by address must lie within a buffer that has one."
        "Vulkan, VUID-RuntimeSpirv-PhysicalStorageBuffer64-11819";
    Misaligned "misaligned-access" Error
        "An access that is not aligned"
        "Addresses of scalars must be multiples of their size."
        "Vulkan, Offset and Stride Assignment; SPIR-V, Memory Operands Aligned";

    AttributeOutOfBounds "attribute-out-of-bounds" Error
        "An input of a vertex ends past the end of its vertex buffer"
        "Addresses of attributes must be within the range that is bound; robust access gives zero or other values."
        "Vulkan, Vertex Input Extraction; VUID-vkCmdDraw-None-02721";
    IndexBufferOutOfBounds "index-buffer-out-of-bounds" Error
        "A draw takes more indices than the index buffer holds"
        "The last index must end within the range that is bound as index buffer."
        "Vulkan, VUID-vkCmdDrawIndexed-robustBufferAccess2-08798";
    IndirectOutOfRange "indirect-out-of-range" Error
        "A buffer says more than a command may do"
        "Counts of workgroups must not exceed the limits, and parameters must end within their buffer."
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
        "A push constant is used that no command has set"
        "When a command buffer begins recording, all push constant values are undefined."
        "Vulkan, vkCmdPushConstants";

    // Stages.
    InputWithoutOutput "input-without-output" Error
        "An input is used that the stage before does not write"
        "Locations and components of inputs must be declared as outputs of the stage before, which must write them."
        "Vulkan, Interface Matching; VUID-RuntimeSpirv-OpEntryPoint-08743";

    UnwrittenOutput "unwritten-output" Error
        "An output is taken that an invocation has not written"
        "Outputs that are not written have undefined values: no later stage may read them, nor an attachment or the rasterizer take them."
        "Vulkan, Shader Interfaces, Fragment Output Interface; SPIR-V OpVariable";

    InterfaceMismatch "interface-type-mismatch" Error
        "An input is of another type than what the stage before puts out there"
        "Inputs and outputs of one location and component must be of the same type."
        "Vulkan, Interface Matching; VUID-RuntimeSpirv-OpEntryPoint-07754";
    MissingAttribute "missing-attribute" Error
        "A vertex shader reads an input that the pipeline has no attribute for"
        "Each location that the vertex shader reads must have a vertex attribute."
        "Vulkan, VUID-VkGraphicsPipelineCreateInfo-Input-07904";
    AttributeMismatch "attribute-type-mismatch" Error
        "The format of a vertex attribute is not of the numeric type of the input"
        "Signed integers take formats of signed integers, unsigned ones those of unsigned integers, floats all others."
        "Vulkan, Vertex Attributes; VUID-VkGraphicsPipelineCreateInfo-Input-08733";
    AttachmentMismatch "attachment-type-mismatch" Error
        "The format of an attachment is not of the numeric type of the output"
        "If the type of what a fragment shader writes does not match the format of the attachment, the values are undefined."
        "Vulkan, Fragment Output Interface; Interpretation of Numeric Format";

    // Samplers, and declarations of resources.
    ComparisonDisabled "comparison-disabled" Error
        "A comparison with a reference by a sampler that does not compare"
        "Results are undefined if a shadow texture call is made with depth comparisons turned off."
        "GLSL 4.60, Texture Functions; Vulkan, VkSamplerCreateInfo, compareEnable";
    ComparisonOfColor "comparison-of-color" Error
        "A comparison with a reference of an image that has no depth"
        "If an image view is sampled with depth comparison, its format must support that."
        "Vulkan, VUID-vkCmdDraw-None-06479";
    UnnormalizedSampling "unnormalized-sampling" Error
        "An image is sampled by coordinates in texels in a way that has to have others"
        "With unnormalized coordinates, images have one layer, and neither implicit levels of detail, comparisons, projections nor offsets are allowed."
        "Vulkan, VUID-vkCmdDraw-None-08609, VUID-vkCmdDraw-None-08610, VUID-vkCmdDraw-None-08611";
    ReadOnlyWritten "readonly-written" Error
        "A resource is written that the shader declares as not written"
        "The module must not write through a variable, or to a member, that is decorated NonWritable."
        "SPIR-V NonWritable";
    UnwrittenAttachment "unwritten-attachment" Warning
        "An attachment is loaded, and nobody has written it"
        "When memory is allocated, its contents are undefined; a load operation that keeps them makes them be used."
        "Vulkan, VkAttachmentLoadOp; VUID-VkAttachmentDescription-format-06699";

    DestroyedObject "destroyed-object" Error
        "Commands are submitted that use an object which is destroyed"
        "Destroying an object that a command buffer uses makes the command buffer invalid, which must not be submitted then."
        "Vulkan, Command Buffer Lifecycle; VUID-vkQueueSubmit-pCommandBuffers-00070";

    // Data races.
    RaceWorkgroup "race-workgroup" Error
        "Invocations access workgroup memory, and nothing orders them"
        "Two accesses of which one writes and not both are atomic are a data race, unless one happens before the other."
        "Vulkan, Memory Model, Data Race";
    RaceBuffer "race-buffer" Error
        "Invocations access a buffer, and nothing orders them"
        "Two accesses of which one writes and not both are atomic are a data race, unless one happens before the other."
        "Vulkan, Memory Model, Data Race";
    RaceImage "race-image" Error
        "Invocations access a texel, and nothing orders them"
        "Two accesses of which one writes and not both are atomic are a data race, unless one happens before the other."
        "Vulkan, Memory Model, Data Race";
    RacePrivate "race-private" Error
        "Invocations access the same memory, and barriers do not count, as an access is private"
        "In the Vulkan memory model, shaders order accesses of different invocations only if none of the two is private."
        "Vulkan, Memory Model, Private vs. Non-Private, Location-Ordered";
    RaceVisibility "race-visibility" Error
        "What one invocation writes is not available or not visible where another one comes to it later"
        "In the Vulkan memory model, a write has to be made available to a scope that includes both invocations, and visible before it is read."
        "Vulkan, Memory Model, Availability and Visibility, Location-Ordered";
    RaceCommands "race-commands" Error
        "Two commands access the same memory, and no barrier is between them"
        "Accesses of different commands are ordered by barriers, events, subpass dependencies, semaphores and waits of the host only."
        "Vulkan, Synchronization and Cache Control, Implicit Synchronization Guarantees";
    RaceSameValue "race-same-value" Off
        "Invocations write the same value to one place, and nothing orders them"
        "It is a data race even so; devices agree on what comes out."
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
    /// The level of a kind.
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
