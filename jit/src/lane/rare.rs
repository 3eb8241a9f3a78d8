//! Moves values that only rare code uses into that code.
//!
//! The offsets of all lanes are computed where they are defined. If a test of scalars shows that a plain vector access serves,
//! only the cold block beside it needs them. Rare code here is a cold block with all blocks that it dominates. A value that
//! several such places use is computed in each of them.

use cranelift_codegen::dominator_tree::DominatorTree;
use cranelift_codegen::entity::SecondaryMap;
use cranelift_codegen::flowgraph::ControlFlowGraph;
use cranelift_codegen::ir::{Block, Function, Inst, Opcode, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Most rare places that a value is computed in instead of one place that is not rare.
const MOST_PLACES: usize = 4;

/// The rare blocks of a function.
pub(super) struct Rare {
    /// Reachable blocks, each before those that it dominates.
    pub order: Vec<Block>,
    pub tree: DominatorTree,
    /// The first block of the rare code that a block belongs to.
    pub place: SecondaryMap<Block, Option<Block>>,
}

impl Rare {
    /// Finds the blocks that cold ones dominate, which become cold, too.
    pub fn of(func: &mut Function) -> Rare {
        let cfg = ControlFlowGraph::with_function(func);
        let tree = DominatorTree::with_function(func, &cfg);
        let order: Vec<Block> = tree.cfg_rpo().copied().collect();
        let mut place: SecondaryMap<Block, Option<Block>> =
            SecondaryMap::with_capacity(func.dfg.num_blocks());
        for &b in &order {
            place[b] = if func.layout.is_cold(b) { Some(b) } else { tree.idom(b).and_then(|b| place[b]) };
        }
        order.iter().filter(|&&b| place[b].is_some()).for_each(|&b| func.layout.set_cold(b));
        Rare { order, tree, place }
    }
}

/// Moves all such values, and removes unused ones.
pub(super) fn values(func: &mut Function, rare: &Rare) {
    let Rare { order, place, tree } = rare;
    if !order.iter().any(|&b| place[b].is_some()) {
        return;
    }
    let used = SecondaryMap::with_capacity(func.dfg.num_values());
    let mut moves = Moves { func, used, copies: FxHashMap::default() };
    // Code that is never reached keeps its values where they are.
    let unreached: Vec<Block> = moves.func.layout.blocks().filter(|&b| !tree.is_reachable(b)).collect();
    unreached.into_iter().for_each(|b| moves.keep(b));
    for &b in order.iter().rev() {
        moves.block(b, place[b]);
    }
    if !moves.copies.is_empty() {
        order.iter().filter_map(|&b| Some((b, place[b]?))).for_each(|(b, place)| moves.rename(b, place));
    }
}

/// The places of code that use a value: the first block of each rare one, and `None` for all other code.
type Places = SmallVec<[Option<Block>; MOST_PLACES]>;

struct Moves<'a> {
    func: &'a mut Function,
    used: SecondaryMap<Value, Places>,
    /// The copy of a value for a rare place.
    copies: FxHashMap<(Block, Value), Value>,
}

impl Moves<'_> {
    /// Moves values out of a block, from the last to the first, so that uses are known.
    fn block(&mut self, block: Block, place: Option<Block>) {
        let mut next = self.func.layout.last_inst(block);
        while let Some(i) = next {
            next = self.func.layout.prev_inst(i);
            if !self.is_needed(i) {
                // Its arguments may go where it would not find them.
                self.func.layout.remove_inst(i);
                continue;
            }
            let to = self.rare_uses(i, place);
            let places = match to[..] {
                [] => Places::from_slice(&[place]),
                _ => to.iter().map(|&b| Some(b)).collect(),
            };
            self.uses(i, &places);
            match to[..] {
                [] => {}
                [one] => {
                    self.func.layout.remove_inst(i);
                    self.insert(i, one);
                }
                _ => self.copy(i, &to),
            }
        }
    }

    /// Counts the uses of a block as of code that is not rare.
    fn keep(&mut self, block: Block) {
        let insts: Vec<Inst> = self.func.layout.block_insts(block).collect();
        insts.into_iter().for_each(|i| self.uses(i, &Places::from_slice(&[None])));
    }

    /// The rare places that use the result of an instruction, if no other code does and it may be computed there.
    fn rare_uses(&self, i: Inst, place: Option<Block>) -> SmallVec<[Block; MOST_PLACES]> {
        let &[result] = self.func.dfg.inst_results(i) else { return SmallVec::new() };
        let places = &self.used[result];
        if !is_free(self.func.dfg.insts[i].opcode()) || places.contains(&place) || places.len() > MOST_PLACES
        {
            return SmallVec::new();
        }
        let rare: Option<_> = places.iter().copied().collect();
        rare.unwrap_or_default()
    }

    /// Returns true if an instruction has an effect or its result is used.
    fn is_needed(&self, i: Inst) -> bool {
        let results = self.func.dfg.inst_results(i);
        !is_free(self.func.dfg.insts[i].opcode()) || results.iter().any(|&r| !self.used[r].is_empty())
    }

    fn uses(&mut self, i: Inst, places: &Places) {
        let args: SmallVec<[Value; 4]> = self.func.dfg.inst_values(i).collect();
        for v in args {
            let used = &mut self.used[self.func.dfg.resolve_aliases(v)];
            // Code that is not rare counts alone.
            if places.contains(&None) {
                *used = Places::from_slice(&[None]);
            }
            for place in places {
                if used[..] != [None] && !used.contains(place) {
                    used.push(*place);
                }
            }
        }
    }

    /// Inserts an instruction before all others of a block.
    fn insert(&mut self, i: Inst, block: Block) {
        match self.func.layout.first_inst(block) {
            Some(first) => self.func.layout.insert_inst(i, first),
            None => self.func.layout.append_inst(i, block),
        }
    }

    fn copy(&mut self, i: Inst, places: &[Block]) {
        let (result, ty) = (self.func.dfg.first_result(i), self.func.dfg.ctrl_typevar(i));
        for &place in places {
            let data = self.func.dfg.insts[i];
            let data = data.deep_clone(&mut self.func.dfg.value_lists);
            let copy = self.func.dfg.make_inst(data);
            self.func.dfg.make_inst_results(copy, ty);
            self.func.srclocs[copy] = self.func.srclocs[i];
            self.insert(copy, place);
            self.copies.insert((place, result), self.func.dfg.first_result(copy));
        }
        self.func.layout.remove_inst(i);
    }

    /// Replaces values in a block of a rare place by their copies there.
    fn rename(&mut self, block: Block, place: Block) {
        let copies = &self.copies;
        let mut next = self.func.layout.first_inst(block);
        while let Some(i) = next {
            next = self.func.layout.next_inst(i);
            let dfg = &self.func.dfg;
            let args: SmallVec<[Value; 4]> = dfg.inst_values(i).map(|v| dfg.resolve_aliases(v)).collect();
            if args.iter().any(|&v| copies.contains_key(&(place, v))) {
                let to = args.into_iter().map(|v| copies.get(&(place, v)).copied().unwrap_or(v));
                self.func.dfg.overwrite_inst_values(i, to);
            }
        }
    }
}

/// Returns true for instructions that may run anywhere behind their arguments, any number of times.
pub(super) fn is_free(op: Opcode) -> bool {
    let effect = op.can_load() || op.can_store() || op.can_trap() || op.other_side_effects();
    !(effect || op.is_call() || op.is_branch() || op.is_terminator())
}
