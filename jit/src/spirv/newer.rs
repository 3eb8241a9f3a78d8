//! Enumerants that are newer than the grammar tables of the bindings: their names for the assembler, and what the parser
//! of modules does with them.
//!
//! Leaves everything that the bindings know to `grammar`, `ops` and `tables`.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

/// An execution mode: a constant says if the shader uses opacity micromaps. It changes nothing: rays always see them, and
/// the result without the mode is undefined. Spec: SPV_KHR_opacity_micromap, OpacityMicromapIdKHR.
pub const OPACITY_MICROMAP_ID: u32 = 6031;

/// The capability of [`OPACITY_MICROMAP_ID`]. Spec: SPV_KHR_opacity_micromap.
const OPACITY_MICROMAP_MODE: u32 = 6032;

/// Capabilities that a module may declare, besides those of `ops`.
pub const CAPABILITIES: &[u32] = &[OPACITY_MICROMAP_MODE];

/// An enumerant: its kind, value, name, and the kinds of the operands that follow it.
pub struct Newer(OperandKind, u32, &'static str, &'static [OperandKind]);

/// The enumerants, and newer names of older ones.
const ENUMERANTS: &[Newer] = &[
    Newer(OperandKind::Capability, 5381, "RayTracingOpacityMicromapKHR", &[]),
    Newer(OperandKind::Capability, OPACITY_MICROMAP_MODE, "RayTracingOpacityMicromapExecutionModeKHR", &[]),
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
