//! Blocks and what leads from one to another, for those who lay out control flow themselves.
//!
//! A jump is made when the next block begins. In the first tier, if that is where it leads and nothing else leads
//! there, none is made, and what comes next goes on in the same block: every block costs the code generator time. The
//! optimized tier keeps such blocks, between which its allocator of registers moves values.

use cranelift_codegen::entity::EntitySet;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{InstBuilder, InstructionData, Value, types};

use super::{Lane, LaneBuilder, Parts};
use crate::ir::Ty;

pub(crate) use cranelift_codegen::ir::Block;

/// Jumps that are known of.
#[derive(Default)]
pub(super) struct Jumps {
    /// Where the jump leads that ends the block at hand and is yet to be made.
    pending: Option<Block>,
    /// Blocks to which jumps were made.
    targets: EntitySet<Block>,
}

impl LaneBuilder<'_> {
    /// Makes the jump that is yet to be made.
    pub(super) fn end_block(&mut self) {
        if let Some(to) = self.jumps.pending.take() {
            self.jumps.targets.insert(to);
            self.fb.ins().jump(to, &[]);
        }
    }
    /// Ends the block by a condition.
    pub(super) fn branch_by(&mut self, c: Value, yes: Block, no: Block) {
        self.jumps.targets.insert(yes);
        self.jumps.targets.insert(no);
        self.fb.ins().brif(c, yes, &[], no, &[]);
    }
    /// A block for later.
    pub(crate) fn block(&mut self) -> Block {
        self.fb.create_block()
    }
    /// What comes next goes into this block.
    pub(crate) fn go_on_in(&mut self, block: Block) {
        self.end_block();
        self.fb.switch_to_block(block);
    }
    /// No more jumps will come to this block.
    pub(crate) fn seal(&mut self, block: Block) {
        self.end_block();
        self.fb.seal_block(block);
    }
    /// Goes on in a block to which no more jumps will come.
    pub(crate) fn start_sealed(&mut self, block: Block) {
        let only = self.jumps.pending == Some(block) && !self.jumps.targets.contains(block);
        if only && self.spares_instructions() {
            self.jumps.pending = None;
            return;
        }
        self.seal(block);
        self.go_on_in(block);
    }
    /// Ends the block.
    pub(crate) fn jump(&mut self, to: Block) {
        self.jumps.pending = Some(to);
    }
    /// Ends the block, by a uniform Bool or integer that is not zero.
    pub(crate) fn branch(&mut self, cond: Lane, yes: Block, no: Block) {
        let c = self.scalar(cond);
        self.branch_by(c, yes, no);
    }
    /// As [`Self::branch`], with the blocks in the other order: the code generator puts the second one next.
    pub(crate) fn branch_on(&mut self, cond: Lane, on: Block, away: Block) {
        let c = self.scalar(cond);
        let dfg = &self.fb.func.dfg;
        let made_by = dfg.value_def(c).inst().map(|i| dfg.insts[i]);
        match made_by {
            Some(InstructionData::IntCompare { args: [x, y], cond, .. }) => {
                let not = self.fb.ins().icmp(cond.complement(), x, y);
                self.branch_by(not, away, on)
            }
            _ => self.branch_by(c, on, away),
        };
    }
    /// As [`Self::branch`] by a Bool, with a comparison of its own, so that the second block comes next.
    pub(crate) fn branch_unless(&mut self, cond: Lane, on: Block, away: Block) {
        let c = self.scalar(cond);
        let none = self.fb.ins().icmp_imm_u(IntCC::Equal, c, 0);
        self.branch_by(none, away, on);
    }
    /// Leaves the function without a result.
    pub(crate) fn leave(&mut self) {
        self.fb.ins().return_(&[]);
    }
    /// Leaves the function with a number.
    pub(crate) fn leave_with(&mut self, code: u32) {
        let v = self.fb.ins().iconst(types::I32, i64::from(code));
        self.fb.ins().return_(&[v]);
    }
    /// Orders memory for all threads.
    pub(crate) fn fence(&mut self) {
        self.fb.ins().fence();
    }
    /// Quotient of uniform I32, unsigned; the divisor is not zero.
    pub(crate) fn quotient(&mut self, a: Lane, divisor: Lane) -> Lane {
        let (x, d) = (self.scalar(a), self.scalar(divisor));
        let v = self.fb.ins().udiv(x, d);
        self.push(Ty::I32, Parts::Uniform(v))
    }
    /// Remainder, likewise.
    pub(crate) fn remainder(&mut self, a: Lane, divisor: Lane) -> Lane {
        let (x, d) = (self.scalar(a), self.scalar(divisor));
        let v = self.fb.ins().urem(x, d);
        self.push(Ty::I32, Parts::Uniform(v))
    }
    /// Instructions and blocks emitted so far.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.fb.func.dfg.num_insts(), self.fb.func.dfg.num_blocks())
    }
}
