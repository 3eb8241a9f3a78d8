//! Types of the grammar's tables, the kinds of operands, and macros that the files of tables call.

use spirv::Op;

/// Row of the table of instructions.
#[derive(Debug)]
pub struct Instruction {
    /// Name without `Op`.
    pub name: &'static str,
    /// Number in words.
    pub opcode: Op,
    /// Operands, among them result type and result.
    pub operands: &'static [Operand],
}

/// Instruction of an extended set.
#[derive(Debug)]
pub struct Extended {
    /// Number of the instruction in its set.
    pub number: u32,
    /// Name in SPIR-V assembly.
    pub name: &'static str,
    /// Operands, if some instructions of the set have literals; otherwise empty.
    pub operands: &'static [Operand],
}

/// Operand of an instruction or of an enumerant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Kind of each occurrence.
    pub kind: OperandKind,
    /// Number of occurrences.
    pub quantifier: Quantifier,
}

/// Number of times that an operand occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Once.
    One,
    /// Once or not at all.
    ZeroOrOne,
    /// Any number of times.
    ZeroOrMore,
}

/// Calls a macro with the kinds of operands: enumerations, sets of flags, and others.
macro_rules! each_kind {
    ($then:ident) => {
        $then! {
            values: SourceLanguage ExecutionModel AddressingModel MemoryModel ExecutionMode StorageClass Dim
                SamplerAddressingMode SamplerFilterMode ImageFormat ImageChannelOrder ImageChannelDataType
                FPRoundingMode FPDenormMode QuantizationModes FPOperationMode OverflowModes LinkageType
                AccessQualifier HostAccessQualifier FunctionParameterAttribute Decoration BuiltIn Scope
                GroupOperation KernelEnqueueFlags Capability RayQueryIntersection
                RayQueryCommittedIntersectionType RayQueryCandidateIntersectionType PackedVectorFormat
                CooperativeMatrixLayout CooperativeMatrixUse TensorClampMode InitializationModeQualifier
                LoadCacheControl StoreCacheControl NamedMaximumNumberOfRegisters FPEncoding
                CooperativeVectorMatrixLayout ComponentType;
            masks: ImageOperands FPFastMathMode SelectionControl LoopControl FunctionControl MemorySemantics
                MemoryAccess KernelProfilingInfo RayFlags FragmentShadingRate RawAccessChainOperands
                CooperativeMatrixOperands CooperativeMatrixReduce TensorAddressingOperands
                MatrixMultiplyAccumulateOperands TensorOperands;
            others: IdResultType IdResult IdMemorySemantics IdScope IdRef LiteralInteger LiteralString LiteralFloat
                LiteralContextDependentNumber LiteralExtInstInteger LiteralSpecConstantOpInteger
                PairLiteralIntegerIdRef PairIdRefLiteralInteger PairIdRefIdRef
        }
    };
}

macro_rules! kinds {
    (values: $($value:ident)*; masks: $($mask:ident)*; others: $($other:ident)*) => {
        /// Kind of an operand: an enumeration, a set of flags, or one of Khronos' other kinds.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the names are those of Khronos' grammar")]
        pub enum OperandKind {
            $($value,)*
            $($mask,)*
            $($other,)*
        }
    };
}

each_kind!(kinds);

/// Operands of a row: `[IdRef]` occurs once, `[IdRef ?]` at most once, `[IdRef *]` any number of times.
macro_rules! operands {
    ($([$kind:ident $($quantifier:tt)?])*) => {
        &[$($crate::spirv::grammar::rows::Operand {
            kind: $crate::spirv::grammar::rows::OperandKind::$kind,
            quantifier: operands!(@ $($quantifier)?),
        }),*]
    };
    (@) => { $crate::spirv::grammar::rows::Quantifier::One };
    (@ ?) => { $crate::spirv::grammar::rows::Quantifier::ZeroOrOne };
    (@ *) => { $crate::spirv::grammar::rows::Quantifier::ZeroOrMore };
}

/// Instructions, with their operands.
macro_rules! instructions {
    ($($name:ident $([$($operand:tt)*])*;)*) => {
        pub static ALL: &[$crate::spirv::grammar::rows::Instruction] = &[$($crate::spirv::grammar::rows::Instruction {
            name: stringify!($name),
            opcode: spirv::Op::$name,
            operands: operands!($([$($operand)*])*),
        }),*];
    };
}

/// Instructions that end a block.
macro_rules! terminators {
    ($($name:ident;)*) => {
        /// `true` for instructions that end a block.
        pub fn is_terminator(op: spirv::Op) -> bool {
            matches!(op, $(spirv::Op::$name)|*)
        }
    };
}

/// Values of enumerations, with the operands that follow them.
macro_rules! values {
    ($($kind:ident { $($value:literal $([$($operand:tt)*])*;)* })*) => {
        /// Operands that follow a value of an enumeration.
        pub fn of_value(
            kind: $crate::spirv::grammar::rows::OperandKind,
            value: u32,
        ) -> &'static [$crate::spirv::grammar::rows::Operand] {
            match (kind, value) {
                $($(($crate::spirv::grammar::rows::OperandKind::$kind, $value) => operands!($([$($operand)*])*),)*)*
                _ => &[],
            }
        }
    };
}

/// Flags of sets, with the operands that follow each.
macro_rules! flags {
    ($($kind:ident { $($bit:literal $name:literal $([$($operand:tt)*])*;)* })*) => {
        /// A flag of a set.
        pub struct Flag {
            pub bit: u32,
            pub name: &'static str,
            pub operands: &'static [$crate::spirv::grammar::rows::Operand],
        }

        /// Flags of a kind; none if it is not a set of flags.
        pub fn flags(kind: $crate::spirv::grammar::rows::OperandKind) -> &'static [Flag] {
            match kind {
                $($crate::spirv::grammar::rows::OperandKind::$kind => {
                    &[$(Flag { bit: $bit, name: $name, operands: operands!($([$($operand)*])*) }),*]
                })*
                _ => &[],
            }
        }
    };
}

/// Extended instruction sets.
macro_rules! sets {
    ($($set:literal { $($number:literal $name:tt $([$($operand:tt)*])*;)* })*) => {
        /// Instructions of the extended set that a module imports by this name; none if the set is unknown.
        pub fn set(name: &str) -> &'static [$crate::spirv::grammar::rows::Extended] {
            match name {
                $($set => &[$($crate::spirv::grammar::rows::Extended {
                    number: $number,
                    name: stringify!($name),
                    operands: operands!($([$($operand)*])*),
                }),*],)*
                _ => &[],
            }
        }
    };
}
