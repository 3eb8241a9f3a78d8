//! Uniform control flow: branches and loops whose condition is one scalar for the group. Control flow that differs by
//! lane is made of masks by the shader code generator.

use cranelift_codegen::ir::InstBuilder;

use super::{Block, ICmp, Lane, LaneBuilder};
use crate::ir::Ty;

/// Maximum number of blocks placed at the end of a function.
const MAX_COLD_BLOCKS: u32 = 128;

impl LaneBuilder<'_> {
    /// Places a block at the end of the function, unless there are many already. The single-pass register allocator
    /// treats values used there as live all the way to the end.
    pub(crate) fn set_cold(&mut self, block: Block) {
        self.n_cold += 1;
        if self.n_cold <= MAX_COLD_BLOCKS {
            self.fb.set_cold_block(block);
        }
    }

    /// Runs `then` if the uniform Bool is true, otherwise `els`.
    pub fn if_else(&mut self, cond: Lane, then: impl FnOnce(&mut Self), els: impl FnOnce(&mut Self)) {
        let c = self.scalar(cond);
        let (bt, be, merge) = (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
        self.fb.ins().brif(c, bt, &[], be, &[]);
        self.fb.seal_block(bt);
        self.fb.seal_block(be);
        self.fb.switch_to_block(bt);
        then(self);
        self.fb.ins().jump(merge, &[]);
        self.fb.switch_to_block(be);
        els(self);
        self.fb.ins().jump(merge, &[]);
        self.fb.seal_block(merge);
        self.fb.switch_to_block(merge);
    }

    /// Runs `then` if the uniform Bool is true.
    pub fn if_(&mut self, cond: Lane, then: impl FnOnce(&mut Self)) {
        self.if_else(cond, then, |_| {});
    }

    /// Runs `then` if the mask is true in any lane.
    pub fn if_any(&mut self, mask: Lane, then: impl FnOnce(&mut Self)) {
        let c = self.any(mask);
        self.if_(c, then);
    }

    /// Runs `body` while `cond` returns a uniform true. The loop does not poll the stop flag, so the number of
    /// iterations must be bounded.
    pub fn while_loop(&mut self, cond: impl FnOnce(&mut Self) -> Lane, body: impl FnOnce(&mut Self)) {
        let (head, inside, exit) = (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
        self.fb.ins().jump(head, &[]);
        self.fb.switch_to_block(head);
        let c = cond(self);
        let c = self.scalar(c);
        self.fb.ins().brif(c, inside, &[], exit, &[]);
        self.fb.seal_block(inside);
        self.fb.switch_to_block(inside);
        body(self);
        self.fb.ins().jump(head, &[]);
        self.fb.seal_block(head);
        self.fb.seal_block(exit);
        self.fb.switch_to_block(exit);
    }

    /// Runs `body(i)` for the uniform I32 i from `start` below `end` (unsigned).
    pub fn for_range(&mut self, start: Lane, end: Lane, body: impl FnOnce(&mut Self, Lane)) {
        let var = self.declare(Ty::I32, true);
        self.set(&var, start);
        let v = var.clone();
        self.while_loop(
            |b| {
                let i = b.get(&v);
                b.icmp(ICmp::Ult, i, end)
            },
            |b| {
                let i = b.get(&var);
                body(b, i);
                let one = b.i32(1);
                let next = b.iadd(i, one);
                b.set(&var, next);
            },
        );
        self.release(v);
    }
}
