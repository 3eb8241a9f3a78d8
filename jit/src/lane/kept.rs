//! Values derived from another value that can be reused within a block. They do not outlive the block, because its
//! values may not be available in the next one.

use cranelift_codegen::ir::Block;
use rustc_hash::FxHashMap;

use super::{Lane, LaneBuilder};

/// Derived values of the current block.
#[derive(Default)]
pub(super) struct Kept {
    block: Option<Block>,
    parts: FxHashMap<Lane, [Lane; 3]>,
}

impl LaneBuilder<'_> {
    /// Keeps values derived from `x` until another block begins.
    pub(crate) fn keep_parts(&mut self, x: Lane, parts: [Lane; 3]) {
        let block = self.fb.current_block();
        if self.kept.block != block {
            self.kept.block = block;
            self.kept.parts.clear();
        }
        self.kept.parts.insert(x, parts);
    }

    /// The values kept for `x`.
    pub(crate) fn kept_parts(&self, x: Lane) -> Option<[Lane; 3]> {
        let here = self.kept.block.is_some() && self.kept.block == self.fb.current_block();
        here.then(|| self.kept.parts.get(&x).copied()).flatten()
    }
}
