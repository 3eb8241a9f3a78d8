//! Read-modify-write of memory, per lane in ascending order.

use cranelift_codegen::ir::{AtomicRmwOp, InstBuilder, MemFlagsData, Value, types};

use super::{Lane, LaneBuilder};
use crate::ir::{AtomicOp, Ty};

/// The operand that leaves a word unchanged; `None` if the operation has no such operand, or only has a helper.
pub(crate) fn neutral(op: AtomicOp) -> Option<u32> {
    Some(match op {
        AtomicOp::IAdd | AtomicOp::ISub | AtomicOp::Or | AtomicOp::Xor | AtomicOp::UMax => 0,
        AtomicOp::And | AtomicOp::UMin => !0,
        AtomicOp::SMax => i32::MIN as u32,
        AtomicOp::SMin => i32::MAX as u32,
        _ => return None,
    })
}

impl LaneBuilder<'_> {
    fn combine(&mut self, op: AtomicOp, old: Value, v: Value) -> Value {
        let ins = self.fb.ins();
        match op {
            AtomicOp::IAdd => ins.iadd(old, v),
            AtomicOp::ISub => ins.isub(old, v),
            AtomicOp::And => ins.band(old, v),
            AtomicOp::Or => ins.bor(old, v),
            AtomicOp::Xor => ins.bxor(old, v),
            AtomicOp::SMin => ins.smin(old, v),
            AtomicOp::SMax => ins.smax(old, v),
            AtomicOp::UMin => ins.umin(old, v),
            AtomicOp::UMax => ins.umax(old, v),
            _ => old,
        }
    }

    /// Combines each lane's I32 into the word at `base + zext(offset)`; returns the old words if `wanted`. All words
    /// must be valid, and no other thread may use them. `op` must have a [`neutral`] operand.
    pub(crate) fn update_lanes(
        &mut self,
        op: AtomicOp,
        base: Lane,
        offset: Lane,
        value: Lane,
        wanted: bool,
    ) -> Option<Lane> {
        let values = self.lane_scalars(value);
        let mut before = Vec::new();
        if self.is_uniform(offset) {
            let at = self.index_const(base, offset);
            let at = self.scalar(at);
            let mut word = self.fb.ins().load(types::I32, Self::flags(), at, 0);
            for v in values {
                before.push(word);
                word = self.combine(op, word, v);
            }
            self.fb.ins().store(Self::flags(), word, at, 0);
        } else {
            let b = self.scalar(base);
            let addresses = self.lane_addresses(b, offset);
            for (v, at) in values.into_iter().zip(addresses) {
                let word = self.fb.ins().load(types::I32, Self::flags(), at, 0);
                before.push(word);
                let word = self.combine(op, word, v);
                self.fb.ins().store(Self::flags(), word, at, 0);
            }
        }
        wanted.then(|| self.from_scalars(Ty::I32, &before))
    }

    /// As [`Self::update_lanes`] with atomic instructions, for aligned words that other threads may use. Returns `None`
    /// if the host has no such instruction.
    pub(crate) fn update_lanes_atomic(
        &mut self,
        op: AtomicOp,
        base: Lane,
        offset: Lane,
        value: Lane,
    ) -> Option<Lane> {
        let op = host_op(op)?;
        let values = self.lane_scalars(value);
        let offset = self.splat(offset);
        let b = self.scalar(base);
        let addresses = self.lane_addresses(b, offset);
        let flags = MemFlagsData::new().with_notrap();
        let before: Vec<Value> = values
            .into_iter()
            .zip(addresses)
            .map(|(v, at)| self.fb.ins().atomic_rmw(types::I32, flags, op, at, v))
            .collect();
        Some(self.from_scalars(Ty::I32, &before))
    }
}

/// The host instruction of an atomic operation, if there is one.
pub(crate) fn host_op(op: AtomicOp) -> Option<AtomicRmwOp> {
    Some(match op {
        AtomicOp::IAdd => AtomicRmwOp::Add,
        AtomicOp::ISub => AtomicRmwOp::Sub,
        AtomicOp::And => AtomicRmwOp::And,
        AtomicOp::Or => AtomicRmwOp::Or,
        AtomicOp::Xor => AtomicRmwOp::Xor,
        _ => return None,
    })
}
