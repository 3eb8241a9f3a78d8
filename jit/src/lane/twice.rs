//! Replaces values that were computed before.
//!
//! Accesses compute the same bounds, tests and offsets again. A value is taken from the place that dominates its own, unless
//! much code lies between, for which it would be kept in a register. Rare code keeps its own values, since nothing should be
//! kept for it.

use cranelift_codegen::ir::{Block, Function, Inst, InstructionData, Type, Value};
use rustc_hash::FxHashMap;

use super::rare::{Rare, is_free};

/// Most instructions between two computations of a value of which the second is replaced.
const FAR: u32 = 200;

/// The instruction that computes a value, its block, and its number in the order of the walk.
struct Place {
    inst: Inst,
    block: Block,
    number: u32,
}

/// Replaces values in all blocks that are not rare.
pub(super) fn values(func: &mut Function, rare: &Rare) {
    let mut known: FxHashMap<(InstructionData, Type), Place> = FxHashMap::default();
    let mut number = 0;
    for &block in rare.order.iter().filter(|&&b| rare.place[b].is_none()) {
        let mut next = func.layout.first_inst(block);
        while let Some(inst) = next {
            next = func.layout.next_inst(inst);
            number += 1;
            let Some(key) = key(func, inst) else { continue };
            let before = known.get(&key).filter(|p| {
                number - p.number <= FAR && (p.block == block || rare.tree.block_dominates(p.block, block))
            });
            match before {
                Some(before) => {
                    func.dfg.replace_with_aliases(inst, before.inst);
                    func.layout.remove_inst(inst);
                }
                None => _ = known.insert(key, Place { inst, block, number }),
            }
        }
    }
}

/// Tells whether two instructions have the same result. `None` if another one may have other results.
fn key(func: &mut Function, inst: Inst) -> Option<(InstructionData, Type)> {
    let dfg = &mut func.dfg;
    if !is_free(dfg.insts[inst].opcode()) || dfg.inst_results(inst).len() != 1 {
        return None;
    }
    let args: smallvec::SmallVec<[Value; 4]> =
        dfg.inst_args(inst).iter().map(|&v| dfg.resolve_aliases(v)).collect();
    dfg.inst_args_mut(inst).copy_from_slice(&args);
    Some((dfg.insts[inst], dfg.value_type(dfg.first_result(inst))))
}
