//! Lookups into the Khronos grammar tables of `rspirv`: instructions by number, names of operands.

use std::sync::OnceLock;

use rspirv::grammar::{
    GLSL_STD_450_INSTRUCTION_TABLE, INSTRUCTION_TABLE, Instruction, OperandKind, OperandQuantifier,
};

/// Grammar of the instruction with this opcode, if there is one.
pub fn instruction(opcode: u32) -> Option<&'static Instruction<'static>> {
    static TABLE: OnceLock<Vec<Option<&'static Instruction<'static>>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = Vec::new();
        for row in INSTRUCTION_TABLE.iter() {
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
        Some(row) => format!("Op{}", row.opname),
        None => format!("opcode {opcode}"),
    }
}

/// Name of a GLSL.std.450 instruction, such as `FMix`.
pub fn glsl_name(number: u32) -> Option<&'static str> {
    GLSL_STD_450_INSTRUCTION_TABLE.lookup_opcode(number).map(|row| row.opname)
}

/// Shape of an instruction: has a result type, has a result, least number of further operand words.
pub fn shape(row: &Instruction<'_>) -> (bool, bool, usize) {
    let mut shape = (false, false, 0);
    for operand in row.operands {
        match operand.kind {
            OperandKind::IdResultType => shape.0 = true,
            OperandKind::IdResult => shape.1 = true,
            _ if operand.quantifier == OperandQuantifier::One => shape.2 += 1,
            _ => {}
        }
    }
    shape
}
