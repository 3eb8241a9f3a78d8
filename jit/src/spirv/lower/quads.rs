//! Ids of compute invocations under execution mode DerivativeGroupQuadsKHR.
//!
//! Lanes traverse a workgroup in the order of the IR's LocalInvocationIndex, four lanes per quad. If quads must be
//! squares of two by two in x and y, this module computes the ids that the shader sees from that order. The rest of the
//! compiler does not depend on the arrangement. Spec: SPIR-V, SPV_KHR_compute_shader_derivatives.

use super::Lower;
use crate::ir::{BuiltIn, Imm, Op, Ty, Value};
use crate::spirv::tables::DerivativeGroup;

/// Invocation ids that the shader sees.
#[derive(Clone, Copy)]
pub struct Ids {
    local: [Value; 3],
    global: [Value; 3],
    index: Value,
}

impl Lower<'_> {
    /// Returns the value of a built-in that depends on the arrangement of quads.
    pub(super) fn in_quads(&mut self, imm: &Imm) -> Option<Value> {
        let &Imm::BuiltIn(b, c) = imm else { return None };
        if self.derivative_group != Some(DerivativeGroup::Quads) {
            return None;
        }
        let known = matches!(
            b,
            BuiltIn::LocalInvocationId | BuiltIn::GlobalInvocationId | BuiltIn::LocalInvocationIndex
        );
        if !known {
            return None;
        }
        let ids = match self.quad_ids {
            Some(ids) => ids,
            None => {
                let ids = self.make_ids();
                self.quad_ids = Some(ids);
                ids
            }
        };
        match b {
            BuiltIn::LocalInvocationId => ids.local.get(c as usize).copied(),
            BuiltIn::GlobalInvocationId => ids.global.get(c as usize).copied(),
            _ => Some(ids.index),
        }
    }

    fn first_op(&mut self, op: Op, a: Value, b: Value) -> Value {
        self.emit_first(op, &[a, b], Imm::None, &[Ty::I32])[0]
    }

    fn make_ids(&mut self) -> Ids {
        let [x, y, _] = self.shader.local_size;
        let (across, down) = (self.i32((x / 2).max(1)), self.i32((y / 2).max(1)));
        let (one, two) = (self.i32(1), self.i32(2));
        let lane = Imm::BuiltIn(BuiltIn::LocalInvocationIndex, 0);
        let lane = self.emit_first(Op::BuiltIn, &[], lane, &[Ty::I32])[0];
        let quad = self.first_op(Op::ShrU, lane, two);
        let column = self.first_op(Op::UMod, quad, across);
        let rest = self.first_op(Op::UDiv, quad, across);
        let row = self.first_op(Op::UMod, rest, down);
        let z = self.first_op(Op::UDiv, rest, down);
        let right = self.first_op(Op::And, lane, one);
        let below = self.first_op(Op::ShrU, lane, one);
        let below = self.first_op(Op::And, below, one);
        let doubled = self.first_op(Op::Shl, column, one);
        let at_x = self.first_op(Op::Or, doubled, right);
        let doubled = self.first_op(Op::Shl, row, one);
        let at_y = self.first_op(Op::Or, doubled, below);
        let local = [at_x, at_y, z];
        let (width, height) = (self.i32(x), self.i32(y));
        let rows = self.first_op(Op::IMul, z, height);
        let rows = self.first_op(Op::IAdd, rows, at_y);
        let start = self.first_op(Op::IMul, rows, width);
        let index = self.first_op(Op::IAdd, start, at_x);
        let mut global = local;
        for (c, v) in global.iter_mut().enumerate() {
            let size = self.i32(self.shader.local_size[c]);
            let group = Imm::BuiltIn(BuiltIn::WorkgroupId, c as u32);
            let group = self.emit_first(Op::BuiltIn, &[], group, &[Ty::I32])[0];
            let start = self.first_op(Op::IMul, group, size);
            *v = self.first_op(Op::IAdd, start, *v);
        }
        Ids { local, global, index }
    }
}
