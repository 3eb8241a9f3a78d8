//! The tables of SPIR-V's grammar that the compiler contains (`jit/src/spirv/grammar`), written from those of `rspirv`, which
//! its authors generate from Khronos' JSON. The compiler does not depend on `rspirv`: it would compile many times the code of
//! these tables. `--test registry` compares the files with the crate; `QUADRILLE_BLESS=1` writes them.

use std::fmt::Write;

use rspirv::binary::Disassemble;
use rspirv::dr::Operand;
use rspirv::grammar::{self, INSTRUCTION_TABLE, LogicalOperand, OperandQuantifier, reflect};
use rspirv::spirv;

/// Values above this one are not enumerated: no enumerant is larger.
const LARGEST: u32 = 0xffff;

const HEAD: &str = "// Derived from Khronos' grammar by `conformance/src/grammar.rs`.\n\n";

/// Extended instruction sets, by the names in modules.
const SETS: [&str; 15] = [
    "Arm.MotionEngine.100",
    "DebugInfo",
    "GLSL.std.450",
    "NonSemantic.ClspvReflection",
    "NonSemantic.DebugBreak",
    "NonSemantic.DebugPrintf",
    "NonSemantic.Shader.DebugInfo.100",
    "NonSemantic.VkspReflection",
    "OpenCL.DebugInfo.100",
    "OpenCL.std",
    "SPV_AMD_gcn_shader",
    "SPV_AMD_shader_ballot",
    "SPV_AMD_shader_explicit_vertex_parameter",
    "SPV_AMD_shader_trinary_minmax",
    "TOSA.001000.1",
];

/// Files of the tables, with their contents.
pub fn files() -> [(&'static str, String); 3] {
    [("instructions.rs", instructions()), ("enumerants.rs", enumerants()), ("extended.rs", extended())]
}

/// Operands as in the tables: ` [IdRef] [LiteralString ?] [IdRef *]`.
fn operands(list: &[LogicalOperand]) -> String {
    list.iter().fold(String::new(), |mut out, operand| {
        let quantifier = match operand.quantifier {
            OperandQuantifier::One => "",
            OperandQuantifier::ZeroOrOne => " ?",
            OperandQuantifier::ZeroOrMore => " *",
        };
        let _ = write!(out, " [{:?}{quantifier}]", operand.kind);
        out
    })
}

fn instructions() -> String {
    let mut out = HEAD.to_owned() + "instructions! {\n";
    for row in INSTRUCTION_TABLE.iter() {
        let _ = writeln!(out, "    {}{};", row.opname, operands(row.operands));
    }
    out += "}\n\nterminators! {\n";
    for row in INSTRUCTION_TABLE.iter().filter(|row| reflect::is_block_terminator(row.opcode)) {
        let _ = writeln!(out, "    {};", row.opname);
    }
    out + "}\n"
}

fn extended() -> String {
    let mut out = HEAD.to_owned() + "sets! {\n";
    for name in SETS {
        let _ = writeln!(out, "    \"{name}\" {{");
        for row in grammar::ext_inst_table(name).into_iter().flat_map(|table| table.iter()) {
            // Operands of the other sets are ids.
            let literals = if name == "OpenCL.std" { operands(row.operands) } else { String::new() };
            let _ = writeln!(out, "        {} {}{literals};", u32::from(row.opcode), row.opname);
        }
        out += "    }\n";
    }
    out + "}\n"
}

macro_rules! kinds {
    (values: $($value:ident)*; masks: $($mask:ident)*) => {
        fn enumerants() -> String {
            let mut out = HEAD.to_owned() + "// Values of enumerations that have operands.\nvalues! {\n";
            $(
                let mut lines = String::new();
                for value in 0..=LARGEST {
                    let list = spirv::$value::from_u32(value).map(|v| Operand::$value(v).additional_operands());
                    if let Some(list) = list.filter(|list| !list.is_empty()) {
                        let _ = writeln!(lines, "        {value}{};", operands(&list));
                    }
                }
                if !lines.is_empty() {
                    let _ = write!(out, "    {} {{\n{}    }}\n", stringify!($value), lines);
                }
            )*
            out += "}\n\n// Flags by name, with their operands.\nflags! {\n";
            $(
                let _ = writeln!(out, "    {} {{", stringify!($mask));
                for bit in (0..32).map(|at| 1u32 << at) {
                    if let Some(v) = spirv::$mask::from_bits(bit) {
                        let list = Operand::$mask(v).additional_operands();
                        let _ = writeln!(out, "        {bit:#x} {:?}{};", v.disassemble(), operands(&list));
                    }
                }
                out += "    }\n";
            )*
            out + "}\n"
        }
    };
}

kinds! {
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
        MatrixMultiplyAccumulateOperands TensorOperands
}
