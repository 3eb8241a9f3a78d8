//! Low bits of integers that are zero whatever the arguments: a proof that sums do not wrap, and that accesses do not overlap.

use crate::ir::{Imm, Inst, Op, Value};

/// Number of low bits of the result that are zero, for an instruction with one result of type I32; 32 for the number 0. `of` gives
/// the number for an argument. The saturated result of [`Op::Offset`], which is out of range of every buffer, is exempt.
pub(crate) fn low_zeros(
    i: &Inst,
    constant: impl Fn(Value) -> Option<u64>,
    mut of: impl FnMut(Value) -> u32,
) -> u32 {
    let by = i.args.get(1).and_then(|&v| constant(v));
    let shift = || by.filter(|&n| n < 32).map(|n| n as u32);
    let divisor = || by.filter(|n| n.is_power_of_two()).map(u64::trailing_zeros);
    match (i.op, &i.imm) {
        (Op::Const, Imm::Bits(bits)) => (*bits as u32).trailing_zeros(),
        // Low bits of a result follow from those of the arguments.
        (Op::IAdd | Op::ISub | Op::Or | Op::Xor, _) => of(i.args[0]).min(of(i.args[1])),
        (Op::And, _) => of(i.args[0]).max(of(i.args[1])),
        (Op::IMul, _) => (of(i.args[0]) + of(i.args[1])).min(32),
        (Op::Shl, _) => shift().map_or(0, |n| (of(i.args[0]) + n).min(32)),
        (Op::ShrU, _) => shift().map_or(0, |n| of(i.args[0]).saturating_sub(n)),
        (Op::UDiv, _) => divisor().map_or(0, |n| of(i.args[0]).saturating_sub(n)),
        // The remainder is the low bits.
        (Op::UMod, _) => divisor().map_or(0, |_| of(i.args[0])),
        (Op::Offset, Imm::Strides(strides)) => {
            let terms = i.args.iter().zip(strides).map(|(&a, s)| (of(a) + s.trailing_zeros()).min(32));
            terms.min().unwrap_or(0)
        }
        _ => 0,
    }
}
