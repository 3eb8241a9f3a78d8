//! Register allocation: implements the interface of `regalloc2` for a [`Machine`].

use regalloc2::checker::Checker;
use regalloc2::{
    Algorithm, Ctx, Function, InstRange, Operand, Output, PRegSet, RegClass, RegallocOptions, VReg,
};

use crate::inst::{Kind, Machine};
use crate::regs;
use crate::{Error, Options, Result};

impl Function for Machine {
    fn num_insts(&self) -> usize {
        self.insts.len()
    }
    fn num_blocks(&self) -> usize {
        self.blocks.len()
    }
    fn entry_block(&self) -> regalloc2::Block {
        regalloc2::Block::new(0)
    }
    fn block_insns(&self, block: regalloc2::Block) -> InstRange {
        let b = &self.blocks[block.index()];
        InstRange::new(regalloc2::Inst::new(b.first as usize), regalloc2::Inst::new(b.end as usize))
    }
    fn block_succs(&self, block: regalloc2::Block) -> &[regalloc2::Block] {
        &self.blocks[block.index()].succs
    }
    fn block_preds(&self, block: regalloc2::Block) -> &[regalloc2::Block] {
        &self.blocks[block.index()].preds
    }
    fn block_params(&self, block: regalloc2::Block) -> &[VReg] {
        &self.blocks[block.index()].params
    }
    fn is_ret(&self, inst: regalloc2::Inst) -> bool {
        matches!(self.insts[inst.index()].kind, Kind::Ret { .. } | Kind::Trap(_))
    }
    fn is_branch(&self, inst: regalloc2::Inst) -> bool {
        matches!(self.insts[inst.index()].kind, Kind::Jump(_) | Kind::Branch { .. } | Kind::JumpTable(_))
    }
    fn branch_blockparams(&self, block: regalloc2::Block, _: regalloc2::Inst, _: usize) -> &[VReg] {
        &self.blocks[block.index()].args
    }
    fn inst_operands(&self, inst: regalloc2::Inst) -> &[Operand] {
        let i = &self.insts[inst.index()];
        &self.operands[i.first as usize..(i.first + i.count) as usize]
    }
    fn inst_clobbers(&self, inst: regalloc2::Inst) -> PRegSet {
        match self.insts[inst.index()].kind {
            // Registers that a call defines are not listed as clobbers.
            Kind::Call { preserves_all: false, .. } => {
                let mut all = self.abi.clobbers();
                for o in self.inst_operands(inst) {
                    if let (regalloc2::OperandKind::Def, regalloc2::OperandConstraint::FixedReg(r)) =
                        (o.kind(), o.constraint())
                    {
                        all.remove(r);
                    }
                }
                all
            }
            _ => PRegSet::empty(),
        }
    }
    fn num_vregs(&self) -> usize {
        self.vregs
    }
    fn spillslot_size(&self, class: RegClass) -> usize {
        match class {
            RegClass::Float => self.widest.bytes() as usize / 8,
            RegClass::Int | RegClass::Vector => 1,
        }
    }
}

/// Allocates a register or spill slot for each operand.
pub(crate) fn allocate<'a>(machine: &Machine, options: &Options, ctx: &'a mut Ctx) -> Result<&'a Output> {
    let env = regs::environment(options.level, &machine.abi);
    let how = RegallocOptions { validate_ssa: options.check, algorithm: Algorithm::Ion, verbose_log: false };
    let output =
        regalloc2::run_with_ctx(machine, &env, &how, ctx).map_err(|e| Error::Allocation(e.to_string()))?;
    if options.check {
        let mut checker = Checker::new(machine, &env);
        checker.prepare(output);
        checker.run().map_err(|e| Error::Allocation(format!("{e:?}")))?;
    }
    Ok(output)
}
