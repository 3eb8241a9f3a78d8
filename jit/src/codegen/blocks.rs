//! Blocks of generated code, and the two ways of an operation that is fast in the usual case.
//!
//! Left to `control`: masks of lanes and the constructs of a shader.

use smallvec::SmallVec;

use super::Gen;
use crate::Tier;
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

    /// Emits `fast` for the case that all of `ok` hold, and `slow`, apart from the rest of the code, for the other.
    ///
    /// In the optimized tier, each condition takes a branch of its own: a comparison and a branch are one operation of a
    /// processor, and a truth value takes several. The first tier compiles few blocks.
    pub(super) fn fast_if(
        &mut self,
        ok: &[Lane],
        fast: impl FnOnce(&mut Self),
        slow: impl FnOnce(&mut Self),
    ) {
        let ok: SmallVec<[Lane; 4]> =
            ok.iter().copied().filter(|&ok| self.b.as_const(ok) != Some(1)).collect();
        if ok.is_empty() {
            return fast(self);
        }
        let (no, done) = (self.block(), self.block());
        let all = match self.tier {
            Tier::First => ok.iter().copied().reduce(|all, ok| self.b.and(all, ok)),
            Tier::Optimized => None,
        };
        for &ok in all.as_ref().map_or(&ok[..], std::slice::from_ref) {
            let yes = self.block();
            self.branch(ok, yes, no);
            self.start_sealed(yes);
        }
        self.b.set_cold(no);
        fast(self);
        self.jump(done);
        self.start_sealed(no);
        slow(self);
        self.jump(done);
        self.start_sealed(done);
    }
}
