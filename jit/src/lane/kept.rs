//! What was computed of a value and is of use again, within one block: results of a block may not be there in
//! the next.

use cranelift_codegen::ir::Block;
use rustc_hash::FxHashMap;

use super::{Lane, LaneBuilder};

/// Parts of values, of one block.
#[derive(Default)]
pub(super) struct Kept {
    block: Option<Block>,
    parts: FxHashMap<Lane, [Lane; 3]>,
}

impl LaneBuilder<'_> {
    /// Keeps what was made of `x`, until another block begins.
    pub(crate) fn keep_parts(&mut self, x: Lane, parts: [Lane; 3]) {
        let block = self.fb.current_block();
        if self.kept.block != block {
            self.kept.block = block;
            self.kept.parts.clear();
        }
        self.kept.parts.insert(x, parts);
    }

    /// What was kept of `x`.
    pub(crate) fn kept_parts(&self, x: Lane) -> Option<[Lane; 3]> {
        let here = self.kept.block.is_some() && self.kept.block == self.fb.current_block();
        here.then(|| self.kept.parts.get(&x).copied()).flatten()
    }
}
