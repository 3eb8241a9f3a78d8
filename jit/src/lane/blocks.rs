//! Blocks and branches between them, for code that lays out control flow itself.
//!
//! A jump is emitted only when the next block begins. In the first tier, if the next block is its target and has no
//! other predecessors, the jump is dropped and the code continues in the same block: every block costs compile time.
//! The optimized tier keeps such blocks, because its register allocator places moves between them.

use cranelift_codegen::entity::EntitySet;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{InstBuilder, InstructionData, Value, types};

use super::{Lane, LaneBuilder, Parts};
use crate::ir::Ty;

pub(crate) use cranelift_codegen::ir::Block;

/// Jumps that are known.
#[derive(Default)]
pub(super) struct Jumps {
    /// Target of the jump that ends the current block, not yet emitted.
    pending: Option<Block>,
    /// Blocks with emitted jumps to them.
    targets: EntitySet<Block>,
}

impl LaneBuilder<'_> {
    /// Emits the pending jump.
    pub(super) fn end_block(&mut self) {
        if let Some(to) = self.jumps.pending.take() {
            self.jumps.targets.insert(to);
            self.fb.ins().jump(to, &[]);
        }
    }
    /// Ends the block with a conditional branch.
    pub(super) fn branch_by(&mut self, c: Value, yes: Block, no: Block) {
        self.jumps.targets.insert(yes);
        self.jumps.targets.insert(no);
        self.fb.ins().brif(c, yes, &[], no, &[]);
    }
    /// Creates a block, to be filled later.
    pub(crate) fn block(&mut self) -> Block {
        self.fb.create_block()
    }
    /// Continues emission in a block.
    pub(crate) fn go_on_in(&mut self, block: Block) {
        self.end_block();
        self.fb.switch_to_block(block);
    }
    /// Declares that no more jumps to this block will follow.
    pub(crate) fn seal(&mut self, block: Block) {
        self.end_block();
        self.fb.seal_block(block);
    }
    /// Continues emission in a block to which no more jumps will follow.
    pub(crate) fn start_sealed(&mut self, block: Block) {
        let only = self.jumps.pending == Some(block) && !self.jumps.targets.contains(block);
        if only && self.spares_instructions() {
            self.jumps.pending = None;
            return;
        }
        self.seal(block);
        self.go_on_in(block);
    }
    /// Ends the block with a jump.
    pub(crate) fn jump(&mut self, to: Block) {
        self.jumps.pending = Some(to);
    }
    /// Ends the block with a branch on a uniform Bool, or on a uniform integer that is not zero.
    pub(crate) fn branch(&mut self, cond: Lane, yes: Block, no: Block) {
        let c = self.scalar(cond);
        self.branch_by(c, yes, no);
    }
    /// As [`Self::branch`], with the blocks swapped: the code generator places the second one next.
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
    /// As [`Self::branch`] on a Bool, with an extra comparison so that the second block is placed next.
    pub(crate) fn branch_unless(&mut self, cond: Lane, on: Block, away: Block) {
        let c = self.scalar(cond);
        let none = self.fb.ins().icmp_imm_u(IntCC::Equal, c, 0);
        self.branch_by(none, away, on);
    }
    /// Returns from the function without a result.
    pub(crate) fn leave(&mut self) {
        self.fb.ins().return_(&[]);
    }
    /// Returns from the function with a number.
    pub(crate) fn leave_with(&mut self, code: u32) {
        let v = self.fb.ins().iconst(types::I32, i64::from(code));
        self.fb.ins().return_(&[v]);
    }
    /// Emits a memory fence for all threads.
    pub(crate) fn fence(&mut self) {
        self.fb.ins().fence();
    }
    /// Orders the loads emitted before against those emitted after, on processors that may exchange them.
    pub(crate) fn order_loads(&mut self) {
        if !crate::cpu::IS_X86 {
            self.fb.ins().fence();
        }
    }
    /// Quotient of uniform I32, unsigned; the divisor is not zero.
    pub(crate) fn quotient(&mut self, a: Lane, divisor: Lane) -> Lane {
        let (x, d) = (self.scalar(a), self.scalar(divisor));
        let v = self.fb.ins().udiv(x, d);
        self.push(Ty::I32, Parts::Uniform(v))
    }
    /// Remainder of uniform I32, unsigned; the divisor is not zero.
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
