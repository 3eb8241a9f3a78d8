//! Bounds the time of register allocation for a function before Cranelift begins, because Cranelift cannot be
//! interrupted.
//!
//! Both allocators do work for each value at each point that it is live across: the backtracking one per instruction,
//! the single-pass one per block, in the order of the machine code. Their time grows with the summed lengths of all
//! live ranges in that unit. The backtracking one also merges the values that edges pass to a block one by one, which
//! is quadratic in the number of edges. Everything else in Cranelift is linear.

use cranelift_codegen::dominator_tree::DominatorTree;
use cranelift_codegen::entity::SecondaryMap;
use cranelift_codegen::flowgraph::ControlFlowGraph;
use cranelift_codegen::ir::{Block, Function, Value};

/// Number of instructions that values are live across, summed over all values, in layout order. Cold blocks count at
/// their position in the layout.
pub(super) fn insts(func: &Function) -> u64 {
    let order: Vec<Block> = func.layout.blocks().collect();
    measure(func, &order).0
}

/// Number of pairs of edges into one block that pass values, summed over the parameters of all blocks.
pub(super) fn merged_edges(func: &Function) -> u64 {
    let mut edges: SecondaryMap<Block, u64> = SecondaryMap::with_capacity(func.dfg.num_blocks());
    for block in func.layout.blocks() {
        for inst in func.layout.block_insts(block) {
            let insts = &func.dfg.insts;
            let to = insts[inst].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables);
            to.iter().for_each(|to| edges[to.block(&func.dfg.value_lists)] += 1);
        }
    }
    let of = |block: Block| func.dfg.num_block_params(block) as u64 * edges[block] * edges[block];
    func.layout.blocks().map(of).fold(0, u64::saturating_add)
}

/// Number of blocks that values are live across, summed over all values, in the order of the machine code.
pub(super) fn blocks(func: &Function) -> u64 {
    let cfg = ControlFlowGraph::with_function(func);
    let tree = DominatorTree::with_function(func, &cfg);
    let (mut order, cold): (Vec<Block>, Vec<Block>) =
        tree.cfg_rpo().copied().partition(|&b| !func.layout.is_cold(b));
    order.extend(cold);
    measure(func, &order).1
}

/// A position in the order of the code: instruction and block.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct At {
    inst: u32,
    block: u32,
}

#[derive(Clone, Copy, Default)]
struct Live {
    def: At,
    /// Last use; not after `def` if there is none.
    last: At,
}

/// Sums of the lengths of all live ranges, in instructions and in blocks, for this order of blocks.
fn measure(func: &Function, order: &[Block]) -> (u64, u64) {
    let mut start: SecondaryMap<Block, At> = SecondaryMap::with_capacity(func.dfg.num_blocks());
    let mut at = At::default();
    for &block in order {
        start[block] = at;
        at.inst += func.layout.block_insts(block).count() as u32 + 1;
        at.block += 1;
    }
    let mut live: SecondaryMap<Value, Live> = SecondaryMap::with_capacity(func.dfg.num_values());
    let mut loops: Vec<(At, At)> = Vec::new();
    for &block in order {
        let mut at = start[block];
        for &v in func.dfg.block_params(block) {
            live[v].def = at;
        }
        for inst in func.layout.block_insts(block) {
            at.inst += 1;
            for v in func.dfg.inst_values(inst) {
                let v = func.dfg.resolve_aliases(v);
                live[v].last = live[v].last.max(at);
            }
            for &v in func.dfg.inst_results(inst) {
                live[v].def = at;
            }
            for to in
                func.dfg.insts[inst].branch_destination(&func.dfg.jump_tables, &func.dfg.exception_tables)
            {
                let head = start[to.block(&func.dfg.value_lists)];
                // A cold block that jumps back to its origin is not a loop.
                if head <= at && !func.layout.is_cold(block) {
                    loops.push((head, at));
                }
            }
        }
    }
    loops.sort_unstable();
    let ends = LatestEnd::new(loops);
    let mut sum = (0, 0);
    for l in live.values() {
        // A value from before a loop that the loop uses lives to the end of the loop.
        let last = l.last.max(ends.of_heads(l.def, l.last));
        sum.0 += u64::from(last.inst.saturating_sub(l.def.inst));
        sum.1 += u64::from(last.block.saturating_sub(l.def.block));
    }
    sum
}

/// Latest end among the loops whose heads lie in a range, as a sparse table.
struct LatestEnd {
    heads: Vec<At>,
    /// Row k: for each loop, the latest end of the 2^k loops from there on.
    rows: Vec<Vec<At>>,
}

impl LatestEnd {
    fn new(sorted: Vec<(At, At)>) -> Self {
        let (heads, ends): (Vec<At>, Vec<At>) = sorted.into_iter().unzip();
        let mut rows = vec![ends];
        for k in 0.. {
            let (row, step) = (&rows[k], 1 << k);
            if row.len() <= step {
                break;
            }
            rows.push((0..row.len() - step).map(|i| row[i].max(row[i + step])).collect());
        }
        LatestEnd { heads, rows }
    }

    /// Latest end of the loops whose head is after `from` and not after `to`.
    fn of_heads(&self, from: At, to: At) -> At {
        let (a, b) = (self.heads.partition_point(|h| *h <= from), self.heads.partition_point(|h| *h <= to));
        if a >= b {
            return At::default();
        }
        let k = (b - a).ilog2() as usize;
        self.rows[k][a].max(self.rows[k][b - (1 << k)])
    }
}
