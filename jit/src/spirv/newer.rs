//! Instructions and enumerants that are newer than the grammar tables of the bindings: their grammar for the assembler,
//! and what the parser of modules does with them.
//!
//! The bindings' opcodes are an enumeration, which cannot be extended. An opcode of an extension that is never accepted
//! (the provisional `SPV_AMDX_shader_enqueue`, `SPV_ARM_graph`) therefore represents each newer instruction; modules
//! cannot contain its own instruction. The same holds for decorations that lowering reads. A row goes once the bindings
//! have it. Leaves everything that the bindings know to `grammar`, `ops` and `tables`.

use rspirv::grammar::{Instruction, LogicalOperand, OperandKind, OperandQuantifier};
use spirv::{Decoration, Op};

/// OpAbortKHR. Spec: SPV_KHR_abort.
pub const ABORT: Op = Op::EnqueueNodePayloadsAMDX;
/// OpBitcastExtractEXT. Spec: SPV_EXT_ocp_microscaling_types.
pub const BITCAST_EXTRACT: Op = Op::IsNodePayloadValidAMDX;
/// OpCooperativeMatrixGetCoordinateEXT. Spec: SPV_EXT_cooperative_matrix_maintenance1.
pub const GET_COORDINATE: Op = Op::GraphSetOutputARM;
/// OpConstantDataKHR. Spec: SPV_KHR_constant_data.
pub const CONSTANT_DATA: Op = Op::ConstantStringAMDX;
/// OpSpecConstantDataKHR. Spec: SPV_KHR_constant_data.
pub const SPEC_CONSTANT_DATA: Op = Op::SpecConstantStringAMDX;
/// OpFDot2MixAcc32VALVE. Spec: SPV_VALVE_mixed_float_dot_product.
pub const FDOT2_ACC32: Op = Op::AllocateNodePayloadsAMDX;
/// OpFDot2MixAcc16VALVE. Spec: SPV_VALVE_mixed_float_dot_product.
pub const FDOT2_ACC16: Op = Op::FinishWritingNodePayloadAMDX;
/// OpFDot4MixAcc32VALVE. Spec: SPV_VALVE_mixed_float_dot_product.
pub const FDOT4_ACC32: Op = Op::NodePayloadArrayLengthAMDX;

const fn one(kind: OperandKind) -> LogicalOperand {
    LogicalOperand { kind, quantifier: OperandQuantifier::One }
}

const DATA: &[LogicalOperand] = &[
    one(OperandKind::IdResultType),
    one(OperandKind::IdResult),
    LogicalOperand { kind: OperandKind::LiteralInteger, quantifier: OperandQuantifier::ZeroOrMore },
];

const TWO_IDS: &[LogicalOperand] = &[
    one(OperandKind::IdResultType),
    one(OperandKind::IdResult),
    one(OperandKind::IdRef),
    one(OperandKind::IdRef),
];

/// Two vectors and an accumulator.
const DOT: &[LogicalOperand] = &[
    one(OperandKind::IdResultType),
    one(OperandKind::IdResult),
    one(OperandKind::IdRef),
    one(OperandKind::IdRef),
    one(OperandKind::IdRef),
];

/// The instructions: number and grammar.
pub const INSTRUCTIONS: &[(u32, Instruction<'static>)] = &[
    (4195, row("BitcastExtractEXT", BITCAST_EXTRACT, TWO_IDS)),
    (5121, row("AbortKHR", ABORT, &[one(OperandKind::IdRef), one(OperandKind::IdRef)])),
    (5147, row("ConstantDataKHR", CONSTANT_DATA, DATA)),
    (5148, row("SpecConstantDataKHR", SPEC_CONSTANT_DATA, DATA)),
    (5363, row("CooperativeMatrixGetCoordinateEXT", GET_COORDINATE, TWO_IDS)),
    (6916, row("FDot2MixAcc32VALVE", FDOT2_ACC32, DOT)),
    (6917, row("FDot2MixAcc16VALVE", FDOT2_ACC16, DOT)),
    (6918, row("FDot4MixAcc32VALVE", FDOT4_ACC32, DOT)),
];

const fn row(opname: &'static str, opcode: Op, operands: &'static [LogicalOperand]) -> Instruction<'static> {
    Instruction { opname, opcode, capabilities: &[], extensions: &[], operands }
}

/// Newer names of instructions, and the names that the grammar tables have.
pub const ALIASES: &[(&str, &str)] = &[
    ("ControlBarrierArriveEXT", "ControlBarrierArriveINTEL"),
    ("ControlBarrierWaitEXT", "ControlBarrierWaitINTEL"),
    ("CooperativeMatrixConvertUseEXT", "CooperativeMatrixConvertNV"),
    ("CooperativeMatrixPerElementOpEXT", "CooperativeMatrixPerElementOpNV"),
    ("CooperativeMatrixReduceEXT", "CooperativeMatrixReduceNV"),
];

/// CooperativeMatrixTransposeEXT: a conversion also transposes its matrix. Spec: SPV_EXT_cooperative_matrix_maintenance1.
pub const TRANSPOSE: Decoration = Decoration::NodeMaxPayloadsAMDX;

/// Numbers of the decorations that lowering reads, and what represents them.
const DECORATIONS: &[(u32, Decoration)] = &[(5440, TRANSPOSE)];

/// The decoration with this number, if it is known.
pub fn decoration(number: u32) -> Option<Decoration> {
    if let Some(row) = DECORATIONS.iter().find(|row| row.0 == number) {
        return Some(row.1);
    }
    Decoration::from_u32(number).filter(|known| DECORATIONS.iter().all(|row| row.1 != *known))
}

/// Number of a decoration in a module.
pub fn decoration_number(decoration: Decoration) -> u32 {
    DECORATIONS.iter().find(|row| row.1 == decoration).map_or(decoration as u32, |row| row.0)
}

/// An execution mode: a constant says if the shader uses opacity micromaps. It changes nothing: rays always see them, and
/// the result without the mode is undefined. Spec: SPV_KHR_opacity_micromap, OpacityMicromapIdKHR.
pub const OPACITY_MICROMAP_ID: u32 = 6031;

/// The capability of [`OPACITY_MICROMAP_ID`]. Spec: SPV_KHR_opacity_micromap.
const OPACITY_MICROMAP_MODE: u32 = 6032;

/// Capabilities that a module may declare, besides those of `ops`.
pub const CAPABILITIES: &[u32] = &[
    OPACITY_MICROMAP_MODE,
    ABORT_CAPABILITY,
    CONSTANT_DATA_CAPABILITY,
    FLOAT6_CAPABILITY,
    FLOAT4_CAPABILITY,
    FLOAT8_UNSIGNED_E8M0_CAPABILITY,
    MX_INT8_CAPABILITY,
    BITCAST_EXTRACT_CAPABILITY,
    MATRIX_CONVERSIONS_CAPABILITY,
    GET_COORDINATE_CAPABILITY,
    DOT_F16_ACC32_CAPABILITY,
    DOT_F16_ACC16_CAPABILITY,
    DOT_BFLOAT16_CAPABILITY,
    DOT_FLOAT8_CAPABILITY,
];

/// CooperativeMatrixConversionsEXT. Spec: SPV_EXT_cooperative_matrix_maintenance1.
pub const MATRIX_CONVERSIONS_CAPABILITY: u32 = 5429;
const GET_COORDINATE_CAPABILITY: u32 = 5438;

const ABORT_CAPABILITY: u32 = 5120;
const CONSTANT_DATA_CAPABILITY: u32 = 5146;

const FLOAT6_CAPABILITY: u32 = 4228;
const FLOAT4_CAPABILITY: u32 = 4229;
const FLOAT8_UNSIGNED_E8M0_CAPABILITY: u32 = 4230;
const MX_INT8_CAPABILITY: u32 = 4231;
const BITCAST_EXTRACT_CAPABILITY: u32 = 4232;

const DOT_F16_ACC32_CAPABILITY: u32 = 6912;
const DOT_F16_ACC16_CAPABILITY: u32 = 6913;
const DOT_BFLOAT16_CAPABILITY: u32 = 6914;
const DOT_FLOAT8_CAPABILITY: u32 = 6915;

/// Float6E2M3EXT, an FP encoding. Spec: SPV_EXT_ocp_microscaling_types.
pub const FLOAT6_E2M3: u32 = 4223;
/// Float6E3M2EXT, an FP encoding. Spec: SPV_EXT_ocp_microscaling_types.
pub const FLOAT6_E3M2: u32 = 4224;
/// Float4E2M1EXT, an FP encoding. Spec: SPV_EXT_ocp_microscaling_types.
pub const FLOAT4_E2M1: u32 = 4225;
/// Float8UnsignedE8M0EXT, an FP encoding. Spec: SPV_EXT_ocp_microscaling_types.
pub const FLOAT8_UNSIGNED_E8M0: u32 = 4226;
/// MXInt8EXT, an FP encoding. Spec: SPV_EXT_ocp_microscaling_types.
pub const MX_INT8: u32 = 4227;

/// UTFEncodedKHR: the array is text, which changes nothing. Spec: SPV_KHR_constant_data.
pub const UTF_ENCODED: u32 = 5145;

/// An enumerant: its kind, value, name, and the kinds of the operands that follow it.
pub struct Newer(OperandKind, u32, &'static str, &'static [OperandKind]);

/// The enumerants, and newer names of older ones.
const ENUMERANTS: &[Newer] = &[
    Newer(OperandKind::Capability, 5381, "RayTracingOpacityMicromapKHR", &[]),
    Newer(OperandKind::Capability, OPACITY_MICROMAP_MODE, "RayTracingOpacityMicromapExecutionModeKHR", &[]),
    Newer(OperandKind::Capability, ABORT_CAPABILITY, "AbortKHR", &[]),
    Newer(OperandKind::Capability, CONSTANT_DATA_CAPABILITY, "ConstantDataKHR", &[]),
    Newer(OperandKind::Capability, FLOAT6_CAPABILITY, "Float6EXT", &[]),
    Newer(OperandKind::Capability, FLOAT4_CAPABILITY, "Float4EXT", &[]),
    Newer(OperandKind::Capability, FLOAT8_UNSIGNED_E8M0_CAPABILITY, "Float8UnsignedE8M0EXT", &[]),
    Newer(OperandKind::Capability, MX_INT8_CAPABILITY, "MXInt8EXT", &[]),
    Newer(OperandKind::Capability, BITCAST_EXTRACT_CAPABILITY, "BitcastExtractEXT", &[]),
    Newer(OperandKind::Capability, MATRIX_CONVERSIONS_CAPABILITY, "CooperativeMatrixConversionsEXT", &[]),
    Newer(OperandKind::Capability, 5430, "CooperativeMatrixReductionsEXT", &[]),
    Newer(OperandKind::Capability, 5432, "CooperativeMatrixPerElementOperationsEXT", &[]),
    Newer(OperandKind::Capability, GET_COORDINATE_CAPABILITY, "CooperativeMatrixGetCoordinateEXT", &[]),
    Newer(OperandKind::Capability, DOT_F16_ACC32_CAPABILITY, "DotProductFloat16AccFloat32VALVE", &[]),
    Newer(OperandKind::Capability, DOT_F16_ACC16_CAPABILITY, "DotProductFloat16AccFloat16VALVE", &[]),
    Newer(OperandKind::Capability, DOT_BFLOAT16_CAPABILITY, "DotProductBFloat16AccVALVE", &[]),
    Newer(OperandKind::Capability, DOT_FLOAT8_CAPABILITY, "DotProductFloat8AccFloat32VALVE", &[]),
    Newer(OperandKind::FPEncoding, FLOAT6_E2M3, "Float6E2M3EXT", &[]),
    Newer(OperandKind::FPEncoding, FLOAT6_E3M2, "Float6E3M2EXT", &[]),
    Newer(OperandKind::FPEncoding, FLOAT4_E2M1, "Float4E2M1EXT", &[]),
    Newer(OperandKind::FPEncoding, FLOAT8_UNSIGNED_E8M0, "Float8UnsignedE8M0EXT", &[]),
    Newer(OperandKind::FPEncoding, MX_INT8, "MXInt8EXT", &[]),
    Newer(OperandKind::Decoration, UTF_ENCODED, "UTFEncodedKHR", &[]),
    Newer(OperandKind::Decoration, 5440, "CooperativeMatrixTransposeEXT", &[]),
    Newer(OperandKind::ExecutionMode, OPACITY_MICROMAP_ID, "OpacityMicromapIdKHR", &[OperandKind::IdRef]),
];

/// Returns the enumerant of a kind with this value.
pub fn enumerant(kind: OperandKind, value: u32) -> Option<&'static Newer> {
    ENUMERANTS.iter().find(|row| (row.0, row.1) == (kind, value))
}

/// Returns the value of a name of an enumerated kind.
pub fn value(kind: OperandKind, name: &str) -> Option<u32> {
    ENUMERANTS.iter().find(|row| (row.0, row.2) == (kind, name)).map(|row| row.1)
}

/// Name of a capability that the bindings lack.
pub fn capability_name(number: u32) -> String {
    enumerant(OperandKind::Capability, number).map_or_else(|| number.to_string(), |row| row.name().into())
}

impl Newer {
    /// The name in SPIR-V assembly.
    pub fn name(&self) -> &'static str {
        self.2
    }

    /// Operands that follow the enumerant.
    pub fn params(&self) -> Vec<LogicalOperand> {
        self.3.iter().map(|&kind| LogicalOperand { kind, quantifier: OperandQuantifier::One }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that the bindings have are no longer needed, but for newer names.
    #[test]
    fn rows_are_newer_than_the_bindings() {
        for (number, row) in INSTRUCTIONS {
            assert_eq!(Op::from_u32(*number), None, "{}", row.opname);
        }
        for Newer(kind, number, name, _) in ENUMERANTS {
            let known = match kind {
                OperandKind::Capability => spirv::Capability::from_u32(*number).map(|c| format!("{c:?}")),
                OperandKind::Decoration => Decoration::from_u32(*number).map(|d| format!("{d:?}")),
                OperandKind::ExecutionMode => {
                    spirv::ExecutionMode::from_u32(*number).map(|m| format!("{m:?}"))
                }
                OperandKind::FPEncoding => spirv::FPEncoding::from_u32(*number).map(|e| format!("{e:?}")),
                _ => panic!("{name} of {kind:?}"),
            };
            assert!(known.is_none_or(|known| known != *name), "{name}");
        }
    }
}
