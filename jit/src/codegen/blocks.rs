//! Blocks of generated code, and the two ways of an operation that is fast in the usual case.
//!
//! Left to `control`: masks of lanes and the constructs of a shader.

use super::Gen;
use crate::lane::{Block, Lane};

impl Gen<'_, '_, '_> {
    pub(super) fn block(&mut self) -> Block {
        self.b.block()
    }

    pub(super) fn jump(&mut self, to: Block) {
        self.b.jump(to);
    }

    pub(super) fn branch(&mut self, cond: Lane, yes: Block, no: Block) {
        self.b.branch(cond, yes, no);
    }

    pub(super) fn branch_on(&mut self, cond: Lane, on: Block, away: Block) {
        self.b.branch_on(cond, on, away);
    }

    pub(super) fn start_sealed(&mut self, block: Block) {
        self.b.start_sealed(block);
    }

    /// Emits `fast` for the case that `ok` holds, and `slow`, apart from the rest of the code, for the other.
    pub(super) fn fast_if(&mut self, ok: Lane, fast: impl FnOnce(&mut Self), slow: impl FnOnce(&mut Self)) {
        let (yes, no, done) = (self.block(), self.block(), self.block());
        self.branch(ok, yes, no);
        self.b.set_cold(no);
        self.start_sealed(yes);
        fast(self);
        self.jump(done);
        self.start_sealed(no);
        slow(self);
        self.jump(done);
        self.start_sealed(done);
    }
}
