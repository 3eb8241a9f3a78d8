//! Khronos' grammar of SPIR-V: instructions by number and by name, operands, names of enumerants, extended instruction sets.
//!
//! The tables are derived: `conformance/src/grammar.rs` writes them and compares them with those of another implementation.
//! Names and numbers of enumerants are those of the crate `spirv`.

#[macro_use]
mod rows;
mod enumerants;
mod extended;
mod instructions;

use std::str::FromStr;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use spirv::Op;

pub use extended::set;
pub use instructions::is_terminator;
pub use rows::{Extended, Instruction, Operand, OperandKind, Quantifier};

/// Returns the grammar of the instruction with this opcode, if it exists.
pub fn instruction(opcode: u32) -> Option<&'static Instruction> {
    static TABLE: OnceLock<Vec<Option<&'static Instruction>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = Vec::new();
        for row in instructions::ALL.iter() {
            let at = row.opcode as usize;
            if table.len() <= at {
                table.resize(at + 1, None);
            }
            table[at].get_or_insert(row);
        }
        table
    });
    table.get(opcode as usize).copied().flatten()
}

/// Name of an instruction, such as `OpFAdd`.
pub fn op_name(opcode: u32) -> String {
    match instruction(opcode) {
        Some(row) => format!("Op{}", row.name),
        None => format!("opcode {opcode}"),
    }
}

/// Name of a GLSL.std.450 instruction, such as `FMix`.
pub fn glsl_name(number: u32) -> Option<&'static str> {
    set("GLSL.std.450").iter().find(|row| row.number == number).map(|row| row.name)
}

/// Name of an OpenCL.std instruction, such as `fma`.
pub fn opencl_name(number: u32) -> Option<&'static str> {
    set("OpenCL.std").iter().find(|row| row.number == number).map(|row| row.name)
}

/// Shape of an instruction: `true` if it has a result type, `true` if it has a result, minimum number of further
/// operand words, and `true` if that minimum is exact.
pub fn shape(row: &Instruction) -> (bool, bool, usize, bool) {
    let mut shape = (false, false, 0, true);
    // Spec: SPV_EXT_shader_invocation_reorder, revision 3: an optional hit kind, which older tables lack.
    shape.3 &= row.opcode != Op::HitObjectRecordFromQueryEXT;
    for operand in row.operands {
        match operand.kind {
            OperandKind::IdResultType => shape.0 = true,
            OperandKind::IdResult => shape.1 = true,
            _ if operand.quantifier == Quantifier::One => {
                shape.2 += 1;
                shape.3 &= operand.kind == OperandKind::IdRef || row.opcode == Op::Capability;
            }
            _ => shape.3 = false,
        }
    }
    shape
}

/// Returns the grammar of the instruction with this name (without `Op`), if it exists.
pub fn by_name(name: &str) -> Option<&'static Instruction> {
    static TABLE: OnceLock<FxHashMap<&'static str, &'static Instruction>> = OnceLock::new();
    let table = TABLE.get_or_init(|| instructions::ALL.iter().map(|row| (row.name, row)).collect());
    let name = match name {
        "DemoteToHelperInvocationEXT" => "DemoteToHelperInvocation",
        "DecorateStringGOOGLE" => "DecorateString",
        "MemberDecorateStringGOOGLE" => "MemberDecorateString",
        "GroupNonUniformPartitionNV" => "GroupNonUniformPartitionEXT",
        "ControlBarrierArriveEXT" => "ControlBarrierArriveINTEL",
        "ControlBarrierWaitEXT" => "ControlBarrierWaitINTEL",
        name => name,
    };
    table.get(name).copied()
}

/// Value of an enumerated operand: its name and the operands that follow it.
pub struct Enumerant {
    /// Name in SPIR-V assembly.
    pub name: String,
    /// Operands that follow the value.
    pub params: &'static [Operand],
}

/// Names of a set of flags, separated by `|`. A single flag has the operands that follow it.
fn flags(kind: OperandKind, value: u32) -> Enumerant {
    let set: Vec<&enumerants::Flag> =
        enumerants::flags(kind).iter().filter(|flag| value & flag.bit != 0).collect();
    let names: Vec<&str> = set.iter().map(|flag| flag.name).collect();
    let params = match set[..] {
        [flag] => flag.operands,
        _ => &[],
    };
    Enumerant { name: names.join("|"), params }
}

macro_rules! look_ups {
    (values: $($value:ident)*; masks: $($mask:ident)*; others: $($other:ident)*) => {
        /// True if an operand of this kind is a set of flags.
        pub fn is_mask(kind: OperandKind) -> bool {
            matches!(kind, $(OperandKind::$mask)|*)
        }

        /// Returns name and parameters of a value of an enumerated kind, or of one bit of a mask.
        pub fn enumerant(kind: OperandKind, value: u32) -> Option<Enumerant> {
            match kind {
                $(OperandKind::$value => {
                    let v = spirv::$value::from_u32(value)?;
                    let name = format!("{v:?}");
                    let name = match kind {
                        OperandKind::Dim => name.trim_start_matches("Dim").to_owned(),
                        _ => name,
                    };
                    Some(Enumerant { name, params: enumerants::of_value(kind, value) })
                })*
                $(OperandKind::$mask => {
                    spirv::$mask::from_bits(value)?;
                    Some(flags(kind, value))
                })*
                _ => None,
            }
        }

        /// Returns the value of a name of an enumerated kind, or of one flag of a mask.
        pub fn value(kind: OperandKind, name: &str) -> Option<u32> {
            let name = if name == "SplitBarrierEXT" { "SplitBarrierINTEL" } else { name };
            if kind == OperandKind::Dim {
                return spirv::Dim::from_str(&format!("Dim{name}")).ok().map(|v| v as u32);
            }
            match kind {
                $(OperandKind::$value => spirv::$value::from_str(name).ok().map(|v| v as u32),)*
                $(OperandKind::$mask => {
                    enumerants::flags(OperandKind::$mask).iter().find(|flag| flag.name == name).map(|flag| flag.bit)
                })*
                _ => None,
            }
        }
    };
}

each_kind!(look_ups);
