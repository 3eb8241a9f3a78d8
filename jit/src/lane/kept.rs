//! Values derived from another value that can be reused within a block. They do not outlive the block, because its
//! values may not be available in the next one.

use cranelift_codegen::ir::{Block, Value};
use rustc_hash::FxHashMap;

use super::{Lane, LaneBuilder};

/// Derived values of the current block.
#[derive(Default)]
pub(super) struct Kept {
    block: Option<Block>,
    parts: FxHashMap<Lane, [Lane; 3]>,
    /// Quotients by dividend, divisor and sign: a remainder needs the same one.
    quotients: FxHashMap<(Value, Value, bool), Value>,
}

impl LaneBuilder<'_> {
    /// Keeps values derived from `x` until another block begins.
    pub(crate) fn keep_parts(&mut self, x: Lane, parts: [Lane; 3]) {
        self.kept_here().parts.insert(x, parts);
    }

    /// The values of the current block.
    fn kept_here(&mut self) -> &mut Kept {
        let block = self.fb.current_block();
        if self.kept.block != block {
            self.kept = Kept { block, ..Kept::default() };
        }
        &mut self.kept
    }

    /// The values kept for `x`.
    pub(crate) fn kept_parts(&self, x: Lane) -> Option<[Lane; 3]> {
        let here = self.kept.block.is_some() && self.kept.block == self.fb.current_block();
        here.then(|| self.kept.parts.get(&x).copied()).flatten()
    }

    /// The quotient of two scalars in this block; `divide` emits the first one.
    pub(super) fn kept_quotient(
        &mut self,
        of: (Value, Value, bool),
        divide: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        if let Some(&known) = self.kept_here().quotients.get(&of) {
            return known;
        }
        let quotient = divide(self);
        self.kept_here().quotients.insert(of, quotient);
        quotient
    }
}
