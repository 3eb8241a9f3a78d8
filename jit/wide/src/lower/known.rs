//! Known-bits analysis.

use cranelift_codegen::ir::{Opcode, Value};

use super::Lower;

/// Maximum depth to which operands are followed.
const DEPTH: u32 = 6;

impl Lower<'_> {
    /// Number of low bits, at most 32, that can be nonzero in a 32-bit number, or in each lane of a vector of 32-bit
    /// numbers.
    pub fn low_bits(&self, v: Value) -> u32 {
        self.low_bits_within(v, DEPTH)
    }

    fn low_bits_within(&self, v: Value, depth: u32) -> u32 {
        if depth == 0 || self.ty(v).lane_bits() != 32 {
            return 32;
        }
        if let Some(lanes) = self.const_lanes(v) {
            return lanes.iter().map(|&x| u64::BITS - x.leading_zeros()).max().unwrap_or(0);
        }
        let Some((inst, data)) = self.def(v) else { return 32 };
        let args = self.args(inst);
        let bits = |i: usize| self.low_bits_within(args[i], depth - 1);
        // Scalar amounts are taken modulo 32.
        let amount = || self.int_const(args[1]).map(|n| n as u32 & 31);
        match data.opcode() {
            Opcode::Band | Opcode::Umin => bits(0).min(bits(1)),
            Opcode::Bor | Opcode::Bxor | Opcode::Umax => bits(0).max(bits(1)),
            Opcode::Iadd => (bits(0).max(bits(1)) + 1).min(32),
            Opcode::Ushr => amount().map_or(32, |n| bits(0).saturating_sub(n)),
            Opcode::Ishl => amount().map_or(32, |n| (bits(0) + n).min(32)),
            _ => 32,
        }
    }
}
