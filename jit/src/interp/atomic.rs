//! New contents of memory after atomic operations. Accesses are left to the machine.

use crate::ir::{AtomicOp, Op, Ty};
use crate::ops;

/// New contents of memory after an atomic operation. CompareExchange: (value, comparator).
pub fn eval_atomic(op: AtomicOp, ty: Ty, old: u64, value: u64, comparator: u64) -> u64 {
    let alu = match op {
        AtomicOp::Load => return old,
        AtomicOp::Store | AtomicOp::Exchange => return value,
        AtomicOp::CompareExchange => return if old == comparator { value } else { old },
        AtomicOp::IAdd => Op::IAdd,
        AtomicOp::ISub => Op::ISub,
        AtomicOp::SMin => Op::SMin,
        AtomicOp::UMin => Op::UMin,
        AtomicOp::SMax => Op::SMax,
        AtomicOp::UMax => Op::UMax,
        AtomicOp::And => Op::And,
        AtomicOp::Or => Op::Or,
        AtomicOp::Xor => Op::Xor,
        AtomicOp::FAdd => Op::FAdd,
        AtomicOp::FMin => Op::NMin,
        AtomicOp::FMax => Op::NMax,
    };
    ops::eval(alu, &[ty, ty], ty, &[old, value])
}
