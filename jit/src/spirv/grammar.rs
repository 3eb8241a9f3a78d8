//! Lookups into the Khronos grammar tables of `rspirv`, and into that of newer instructions: instructions by number,
//! names of operands.

use std::str::FromStr;

use once_cell::race::OnceBox;
use rspirv::binary::Disassemble;
use rspirv::dr::Operand;
use rspirv::grammar::{
    ExtendedInstruction, GLSL_STD_450_INSTRUCTION_TABLE, INSTRUCTION_TABLE, Instruction, LogicalOperand,
    OPENCL_STD_100_INSTRUCTION_TABLE, OperandKind, OperandQuantifier, ext_inst_table,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::Op;

use super::{debug_names, newer};

/// Returns the grammar of the instruction with this opcode, if it exists.
pub fn instruction(opcode: u32) -> Option<&'static Instruction<'static>> {
    static TABLE: OnceBox<Vec<Option<&'static Instruction<'static>>>> = OnceBox::new();
    let table = TABLE.get_or_init(|| {
        let mut table = Vec::new();
        for (number, row) in numbered() {
            let at = number as usize;
            if table.len() <= at {
                table.resize(at + 1, None);
            }
            table[at].get_or_insert(row);
        }
        Box::new(table)
    });
    table.get(opcode as usize).copied().flatten()
}

/// Every instruction with its number.
fn numbered() -> impl Iterator<Item = (u32, &'static Instruction<'static>)> {
    let is_newer = |op: Op| newer::INSTRUCTIONS.iter().any(|(_, row)| row.opcode == op);
    let known = INSTRUCTION_TABLE.iter().filter(move |row| !is_newer(row.opcode));
    known.map(|row| (row.opcode as u32, row)).chain(newer::INSTRUCTIONS.iter().map(|(n, row)| (*n, row)))
}

/// Number of an instruction in a module.
pub fn number(op: Op) -> u32 {
    let newer = newer::INSTRUCTIONS.iter().find(|(_, row)| row.opcode == op);
    newer.map_or(op as u32, |row| row.0)
}

/// Returns true for an instruction that defines a constant.
pub fn is_constant(op: Op) -> bool {
    op.is_constant() || matches!(op, newer::CONSTANT_DATA | newer::SPEC_CONSTANT_DATA)
}

/// Returns true for an instruction that ends a block.
pub fn is_terminator(op: Op) -> bool {
    op == newer::ABORT || rspirv::grammar::reflect::is_block_terminator(op)
}

/// Name of an instruction, such as `OpFAdd`.
pub fn name_of(op: Op) -> String {
    op_name(number(op))
}

/// Name of the instruction with this number, such as `OpFAdd`.
pub fn op_name(opcode: u32) -> String {
    match instruction(opcode) {
        Some(row) => format!("Op{}", row.opname),
        None => format!("opcode {opcode}"),
    }
}

/// Name of a GLSL.std.450 instruction, such as `FMix`.
pub fn glsl_name(number: u32) -> Option<&'static str> {
    GLSL_STD_450_INSTRUCTION_TABLE.lookup_opcode(number).map(|row| row.opname)
}

/// Name of an OpenCL.std instruction, such as `fma`.
pub fn opencl_name(number: u32) -> Option<&'static str> {
    OPENCL_STD_100_INSTRUCTION_TABLE.lookup_opcode(number).map(|row| row.opname)
}

/// The operands of an instruction of an extended set after its number; empty for a set whose operands are all ids.
pub fn extended_operands(set: &str, row: &ExtendedInstruction<'static>) -> &'static [LogicalOperand] {
    let is_id = |o: &LogicalOperand| matches!(o.kind, OperandKind::IdRef | OperandKind::PairIdRefIdRef);
    let of_ids = |row: &ExtendedInstruction<'_>| row.operands.iter().all(is_id);
    match ext_inst_table(set) {
        Some(table) if !table.iter().all(of_ids) => row.operands,
        _ => &[],
    }
}

/// The ids among the operands of an instruction after result type and result, up to an operand that has operands of its own:
/// no instruction names a variable behind one.
pub fn ids(op: Op, operands: &[u32]) -> SmallVec<[u32; 4]> {
    let mut out = SmallVec::new();
    let mut words = operands.iter().copied();
    for operand in instruction(number(op)).map_or(&[][..], |row| row.operands) {
        let repeats = operand.quantifier == OperandQuantifier::ZeroOrMore;
        loop {
            match operand.kind {
                OperandKind::IdResultType | OperandKind::IdResult => {}
                OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => {
                    out.extend(words.next());
                }
                OperandKind::PairIdRefIdRef => out.extend(words.by_ref().take(2)),
                OperandKind::LiteralInteger | OperandKind::LiteralExtInstInteger => _ = words.next(),
                kind => match words.next().and_then(|value| enumerant(kind, value)) {
                    Some(found) if found.params.is_empty() => {}
                    _ => return out,
                },
            }
            if !repeats || words.len() == 0 {
                break;
            }
        }
    }
    out
}

/// Shape of an instruction: `true` if it has a result type, `true` if it has a result, minimum number of further
/// operand words, and `true` if that minimum is exact.
pub fn shape(row: &Instruction<'_>) -> (bool, bool, usize, bool) {
    let mut shape = (false, false, 0, true);
    // Spec: SPV_EXT_shader_invocation_reorder, revision 3: an optional hit kind, which older tables lack.
    shape.3 &= row.opcode != Op::HitObjectRecordFromQueryEXT;
    for operand in row.operands {
        match operand.kind {
            OperandKind::IdResultType => shape.0 = true,
            OperandKind::IdResult => shape.1 = true,
            _ if operand.quantifier == OperandQuantifier::One => {
                shape.2 += 1;
                shape.3 &= operand.kind == OperandKind::IdRef || row.opcode == Op::Capability;
            }
            _ => shape.3 = false,
        }
    }
    shape
}

/// Returns the grammar of the instruction with this name (without `Op`), if it exists.
pub fn by_name(name: &str) -> Option<&'static Instruction<'static>> {
    static TABLE: OnceBox<FxHashMap<&'static str, &'static Instruction<'static>>> = OnceBox::new();
    let table = TABLE.get_or_init(|| Box::new(numbered().map(|(_, row)| (row.opname, row)).collect()));
    let name = match name {
        "DemoteToHelperInvocationEXT" => "DemoteToHelperInvocation",
        "DecorateStringGOOGLE" => "DecorateString",
        "MemberDecorateStringGOOGLE" => "MemberDecorateString",
        "GroupNonUniformPartitionNV" => "GroupNonUniformPartitionEXT",
        name => newer::ALIASES.iter().find(|row| row.0 == name).map_or(name, |row| row.1),
    };
    table.get(name).copied()
}

/// Value of an enumerated operand: its name and the operands that follow it.
pub struct Enumerant {
    /// Name in SPIR-V assembly.
    pub name: String,
    /// Operands that follow the value.
    pub params: Vec<LogicalOperand>,
}

macro_rules! kinds {
    (values: $($value:ident)*; masks: $($mask:ident)*) => {
        /// True if an operand of this kind is a set of flags.
        pub fn is_mask(kind: OperandKind) -> bool {
            matches!(kind, $(OperandKind::$mask)|*) || debug_names::is_mask(kind)
        }

        /// Returns name and parameters of a value of an enumerated kind, or of one bit of a mask.
        pub fn enumerant(kind: OperandKind, value: u32) -> Option<Enumerant> {
            match kind {
                $(OperandKind::$value => {
                    let Some(v) = spirv::$value::from_u32(value) else {
                        let row = newer::enumerant(kind, value)?;
                        return Some(Enumerant { name: row.name().into(), params: row.params() });
                    };
                    let name = format!("{v:?}");
                    let name = match kind {
                        OperandKind::Dim => name.trim_start_matches("Dim").to_owned(),
                        _ => name,
                    };
                    Some(Enumerant { name, params: Operand::$value(v).additional_operands() })
                })*
                $(OperandKind::$mask => {
                    let v = spirv::$mask::from_bits(value)?;
                    Some(Enumerant { name: v.disassemble(), params: Operand::$mask(v).additional_operands() })
                })*
                _ => Some(Enumerant { name: debug_names::name(kind, value)?, params: Vec::new() }),
            }
        }

        /// Returns the value of a name of an enumerated kind, or of one flag of a mask.
        pub fn value(kind: OperandKind, name: &str) -> Option<u32> {
            let name = if name == "SplitBarrierEXT" { "SplitBarrierINTEL" } else { name };
            if kind == OperandKind::Dim {
                return spirv::Dim::from_str(&format!("Dim{name}")).ok().map(|v| v as u32);
            }
            match kind {
                $(OperandKind::$value => {
                    let known = spirv::$value::from_str(name).ok().map(|v| v as u32);
                    known.or_else(|| newer::value(kind, name))
                })*
                $(OperandKind::$mask => {
                    (0..32).map(|bit| 1 << bit).find(|&bit| {
                        spirv::$mask::from_bits(bit).is_some_and(|v| v.disassemble() == name)
                    })
                })*
                _ => debug_names::value(kind, name),
            }
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
