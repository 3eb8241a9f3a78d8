//! Instructions and enumerants that are newer than the bindings.
//!
//! The bindings' opcodes are an enumeration, which cannot be extended. An opcode of `SPV_AMDX_shader_enqueue`, which is
//! provisional and never accepted, therefore represents each newer instruction; modules cannot contain its own
//! instruction. A row goes once the bindings have its instruction.

use rspirv::grammar::{Instruction, LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

/// OpAbortKHR. Spec: SPV_KHR_abort.
pub const ABORT: Op = Op::EnqueueNodePayloadsAMDX;
/// OpConstantDataKHR. Spec: SPV_KHR_constant_data.
pub const CONSTANT_DATA: Op = Op::ConstantStringAMDX;
/// OpSpecConstantDataKHR. Spec: SPV_KHR_constant_data.
pub const SPEC_CONSTANT_DATA: Op = Op::SpecConstantStringAMDX;

const fn one(kind: OperandKind) -> LogicalOperand {
    LogicalOperand { kind, quantifier: OperandQuantifier::One }
}

const DATA: &[LogicalOperand] = &[
    one(OperandKind::IdResultType),
    one(OperandKind::IdResult),
    LogicalOperand { kind: OperandKind::LiteralInteger, quantifier: OperandQuantifier::ZeroOrMore },
];

/// The instructions: number and grammar.
pub const INSTRUCTIONS: &[(u32, Instruction<'static>)] = &[
    (5121, row("AbortKHR", ABORT, &[one(OperandKind::IdRef), one(OperandKind::IdRef)])),
    (5147, row("ConstantDataKHR", CONSTANT_DATA, DATA)),
    (5148, row("SpecConstantDataKHR", SPEC_CONSTANT_DATA, DATA)),
];

const fn row(opname: &'static str, opcode: Op, operands: &'static [LogicalOperand]) -> Instruction<'static> {
    Instruction { opname, opcode, capabilities: &[], extensions: &[], operands }
}

/// The enumerants, none of which has parameters: kind, number and name.
pub const ENUMERANTS: &[(OperandKind, u32, &str)] = &[
    (OperandKind::Capability, 5120, "AbortKHR"),
    (OperandKind::Capability, 5146, "ConstantDataKHR"),
    (OperandKind::Decoration, UTF_ENCODED, "UTFEncodedKHR"),
];

/// UTFEncodedKHR: the array is text. Spec: SPV_KHR_constant_data.
pub const UTF_ENCODED: u32 = 5145;

/// Returns true for the number of a capability of this table.
pub fn is_capability(number: u32) -> bool {
    ENUMERANTS.iter().any(|row| row.0 == OperandKind::Capability && row.1 == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows whose instruction or enumerant the bindings have are no longer needed.
    #[test]
    fn rows_are_newer_than_the_bindings() {
        for (number, row) in INSTRUCTIONS {
            assert_eq!(Op::from_u32(*number), None, "{}", row.opname);
        }
        for &(kind, number, name) in ENUMERANTS {
            let known = match kind {
                OperandKind::Capability => spirv::Capability::from_u32(number).is_some(),
                OperandKind::Decoration => spirv::Decoration::from_u32(number).is_some(),
                _ => panic!("{name} of {kind:?}"),
            };
            assert!(!known, "{name}");
        }
    }
}
