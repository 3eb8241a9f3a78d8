//! Moves vectors that are the same in each iteration out of innermost loops.
//!
//! A vector here is a scalar that is copied to all lanes, with the arithmetic that leads to the scalar: bounds of buffers,
//! mostly. Only the vector lives across the loop, not the scalars, for which there are few registers. The arithmetic is
//! shared between vectors, so that accesses to one buffer have one bound. Cold blocks keep theirs.

use cranelift_codegen::dominator_tree::DominatorTree;
use cranelift_codegen::entity::EntitySet;
use cranelift_codegen::flowgraph::ControlFlowGraph;
use cranelift_codegen::ir::{Block, Function, Inst, InstructionData, Opcode, Value, ValueDef, types};
use cranelift_codegen::loop_analysis::{Loop, LoopAnalysis};
use rustc_hash::FxHashMap;

/// Most instructions from values outside of the loop to a vector.
const MOST_STEPS: usize = 16;

/// Moves vectors out of all innermost loops without calls; at most `most` of each, those with most arithmetic first.
pub(super) fn vectors(func: &mut Function, most: usize) {
    if !has_loop(func) {
        return;
    }
    let cfg = ControlFlowGraph::with_function(func);
    let tree = DominatorTree::with_function(func, &cfg);
    let mut loops = LoopAnalysis::new();
    loops.compute(func, &cfg, &tree);
    let mut outer: EntitySet<Loop> = EntitySet::new();
    loops.loops().filter_map(|l| loops.loop_parent(l)).for_each(|l| _ = outer.insert(l));
    let mut blocks: FxHashMap<Loop, Vec<Block>> = FxHashMap::default();
    for b in func.layout.blocks() {
        if let Some(l) = loops.innermost_loop(b).filter(|&l| !outer.contains(l)) {
            blocks.entry(l).or_default().push(b);
        }
    }
    for l in loops.loops() {
        let Some(blocks) = blocks.get(&l) else { continue };
        let mut before = cfg.pred_iter(loops.loop_header(l)).filter(|p| !loops.is_in_loop(p.block, l));
        if let (Some(before), None) = (before.next(), before.next()) {
            let inside = |f: &Function, v: Value| match f.dfg.value_def(v) {
                ValueDef::Result(i, _) => f.layout.inst_block(i).is_some_and(|b| loops.is_in_loop(b, l)),
                ValueDef::Param(b, _) => loops.is_in_loop(b, l),
                ValueDef::Union(..) => true,
            };
            Moves { func, inside: &inside, before: before.inst, made: FxHashMap::default() }
                .run(blocks, most);
        }
    }
}

/// Returns true if a branch leads to its own block or to an earlier one, as in each loop one does.
fn has_loop(func: &Function) -> bool {
    let mut seen: EntitySet<Block> = EntitySet::new();
    func.layout.blocks().any(|b| {
        seen.insert(b);
        func.block_successors(b).any(|to| seen.contains(to))
    })
}

/// Moves out of one loop.
struct Moves<'a> {
    func: &'a mut Function,
    /// Returns true if a value is computed in the loop.
    inside: &'a dyn Fn(&Function, Value) -> bool,
    /// The branch that enters the loop.
    before: Inst,
    /// Instructions before the loop.
    made: FxHashMap<InstructionData, Inst>,
}

impl Moves<'_> {
    fn run(mut self, blocks: &[Block], most: usize) {
        let mut found: Vec<(usize, Inst)> = Vec::new();
        for &b in blocks.iter().filter(|&&b| !self.func.layout.is_cold(b)) {
            for i in self.func.layout.block_insts(b) {
                let op = self.func.dfg.insts[i].opcode();
                if op.is_call() && quadrille_wide::intrinsics::Intrinsic::called(self.func, i).is_none() {
                    return;
                }
                if op == Opcode::Splat && self.is_number(i) {
                    let mut steps = 0;
                    if self.steady(i, &mut steps) && steps > 1 {
                        found.push((steps, i));
                    }
                }
            }
        }
        found.sort_by_key(|(steps, _)| std::cmp::Reverse(*steps));
        let mut vectors: Vec<Inst> = Vec::new();
        for (_, i) in found {
            if vectors.len() == most {
                break;
            }
            let to = self.copy(i);
            if !vectors.contains(&to) {
                vectors.push(to);
            }
            self.func.dfg.replace_with_aliases(i, to);
            self.func.layout.remove_inst(i);
        }
    }

    /// Returns true for vectors of numbers, which are not masks.
    fn is_number(&self, splat: Inst) -> bool {
        let dfg = &self.func.dfg;
        let v = dfg.resolve_aliases(dfg.inst_args(splat)[0]);
        let ty = dfg.value_type(v);
        let mask = dfg.value_def(v).inst().is_some_and(|i| dfg.insts[i].opcode() == Opcode::Bmask);
        !mask && (ty == types::I32 || ty == types::F32)
    }

    /// Returns true if an instruction and all that lead to it from values outside of the loop have the same results in each
    /// iteration. `steps` counts them.
    fn steady(&self, i: Inst, steps: &mut usize) -> bool {
        *steps += 1;
        let dfg = &self.func.dfg;
        let op = dfg.insts[i].opcode();
        let effect = op.can_load() || op.can_store() || op.can_trap() || op.other_side_effects();
        let ends = op.is_call() || op.is_branch() || op.is_terminator();
        if *steps > MOST_STEPS || effect || ends || dfg.inst_results(i).len() != 1 {
            return false;
        }
        dfg.inst_args(i).iter().all(|&v| {
            let v = dfg.resolve_aliases(v);
            if !(self.inside)(self.func, v) {
                return true;
            }
            !dfg.value_type(v).is_vector() && dfg.value_def(v).inst().is_some_and(|i| self.steady(i, steps))
        })
    }

    /// Computes an instruction before the loop, for which [`Self::steady`] returned true.
    fn copy(&mut self, i: Inst) -> Inst {
        let args: Vec<Value> = self.func.dfg.inst_args(i).to_vec();
        let ty = self.func.dfg.ctrl_typevar(i);
        let args: Vec<Value> = args
            .into_iter()
            .map(|v| {
                let v = self.func.dfg.resolve_aliases(v);
                match self.func.dfg.value_def(v).inst().filter(|_| (self.inside)(self.func, v)) {
                    Some(from) => {
                        let to = self.copy(from);
                        self.func.dfg.first_result(to)
                    }
                    None => v,
                }
            })
            .collect();
        let mut data = self.func.dfg.insts[i];
        data.arguments_mut(&mut self.func.dfg.value_lists).copy_from_slice(&args);
        if let Some(&same) = self.made.get(&data)
            && self.func.dfg.ctrl_typevar(same) == ty
        {
            return same;
        }
        let to = self.func.dfg.make_inst(data);
        self.func.dfg.make_inst_results(to, ty);
        self.func.layout.insert_inst(to, self.before);
        self.made.insert(data, to);
        to
    }
}
