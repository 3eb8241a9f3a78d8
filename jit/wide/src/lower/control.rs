//! Blocks, branches, calls and returns.
//!
//! An edge from a block with several successors to a block with several predecessors, or with parameters, becomes a
//! separate block, as the allocator requires. Emission drops edge blocks that stay empty.

use cranelift_codegen::ir::{
    ArgumentPurpose, Block, BlockCall, Inst as ClifInst, InstructionData, Opcode, SigRef, Signature, Type,
    Value,
};
use cranelift_codegen::isa::CallConv;
use iced_x86::Code;
use regalloc2::{Operand, PReg, VReg};

use super::build::Addr;
use super::{Lower, class, compare, intrinsic, memory, successors};
use crate::inst::{self, Base, Inst, Kind, Machine};
use crate::intrinsics::Intrinsic;
use crate::ops::M;
use crate::regs::{Abi, RAX, RDX, Slot, Width, gpr, xmm};
use crate::{Error, Level, Result};

/// Location in which an argument or a result is passed.
enum Place {
    Reg(PReg),
    /// Offset in bytes from the first stack argument.
    Stack(u32),
}

/// Checks that all parameters and results of a signature can be passed.
pub(crate) fn check_signature(l: &Lower, sig: &Signature) -> Result<()> {
    for p in sig.params.iter().chain(&sig.returns) {
        let ty = p.value_type;
        let vector = ty.is_vector() && (ty.bits() < 128 || ty.bits() == 512 && l.level == Level::Avx2);
        let scalar = !ty.is_vector() && (ty.bits() > 64 || ty.bits() == 16 && ty.is_float());
        let wide = ty.is_vector() && l.abi.by_position;
        if vector || scalar || wide || p.purpose != ArgumentPurpose::Normal {
            return Err(Error::Signature(format!("{p}")));
        }
    }
    if sig.call_conv != l.function.signature.call_conv && !preserves_all(sig) {
        return Err(Error::Signature(format!("calling convention {}", sig.call_conv)));
    }
    results(sig)?;
    Ok(())
}

/// `true` for calls that take integers in the registers of System V, return nothing, and preserve all registers.
fn preserves_all(sig: &Signature) -> bool {
    let integers = sig.params.len() <= 6 && sig.params.iter().all(|p| p.value_type.is_int());
    sig.call_conv == CallConv::PreserveAll && integers && sig.returns.is_empty()
}

/// Locations of the arguments, and the size of the stack arguments in bytes.
fn places(abi: &Abi, sig: &Signature) -> Result<(Vec<(Place, Type)>, u32)> {
    let (mut ints, mut floats, mut stack) = (0, 0, 0u32);
    let mut all = Vec::new();
    for p in &sig.params {
        let ty = p.value_type;
        let vector = class(ty) == regalloc2::RegClass::Float;
        if abi.by_position {
            ints = ints.max(floats);
            floats = ints;
        }
        let place = if vector && floats < abi.floats {
            floats += 1;
            Place::Reg(xmm(floats - 1))
        } else if !vector && ints < abi.ints.len() {
            ints += 1;
            Place::Reg(abi.ints[ints - 1])
        } else if ty.is_vector() {
            return Err(Error::Signature(format!("{ty} on the stack")));
        } else {
            stack += 8;
            Place::Stack(stack - 8)
        };
        all.push((place, ty));
    }
    Ok((all, stack))
}

/// Registers of the results: at most two per class.
fn results(sig: &Signature) -> Result<Vec<(PReg, Type)>> {
    let (mut ints, mut floats) = (vec![RDX, RAX], vec![xmm(1), xmm(0)]);
    let place = |ty: Type| {
        let free = if class(ty) == regalloc2::RegClass::Float { &mut floats } else { &mut ints };
        free.pop().map(|r| (r, ty)).ok_or_else(|| Error::Signature("too many results".into()))
    };
    sig.returns.iter().map(|p| p.value_type).map(place).collect()
}

/// A block under construction: instructions backwards, each group in order.
struct Made {
    insts: Vec<Inst>,
    params: Vec<VReg>,
    args: Vec<VReg>,
    succs: Vec<u32>,
}

/// Lowers all blocks, and determines their layout.
pub(crate) fn blocks(l: &mut Lower, order: &[Block]) -> Result<Machine> {
    let f = l.function;
    let n_blocks = f.dfg.num_blocks();
    let mut preds = vec![0u32; n_blocks];
    for &b in order {
        for s in successors(f, b) {
            preds[s.as_u32() as usize] += 1;
        }
    }
    let mut reached = vec![false; n_blocks];
    order.iter().for_each(|b| reached[b.as_u32() as usize] = true);
    let entry = order.first().copied();
    // Cold blocks come last; the other blocks keep their order.
    let (cold, mut laid): (Vec<Block>, Vec<Block>) =
        (f.layout.blocks().filter(|b| reached[b.as_u32() as usize]))
            .partition(|&b| f.layout.is_cold(b) && Some(b) != entry);
    l.loops.rotate(f, &mut laid);
    laid.extend(cold);
    // Edge blocks get numbers after those of the blocks; their positions are determined at the end.
    let mut made: Vec<Option<Made>> = (0..n_blocks).map(|_| None).collect();
    let mut edges_of: Vec<Vec<u32>> = vec![Vec::new(); n_blocks];
    for &b in order.iter().rev() {
        let before = made.len();
        let mut m = Made { insts: Vec::new(), params: Vec::new(), args: Vec::new(), succs: Vec::new() };
        l.enter_block(b);
        for inst in f.layout.block_insts(b).rev() {
            l.from = f.srcloc(inst);
            if f.dfg.insts[inst].opcode().is_terminator() {
                terminator(l, inst, &preds, &mut m, &mut made)?;
                m.insts.extend(l.group.drain(..).rev());
                l.load_held(b);
            } else if f.dfg.insts[inst].opcode().is_call() {
                call(l, inst)?;
            } else if matches!(f.dfg.insts[inst].opcode(), Opcode::Trapz | Opcode::Trapnz) {
                trap_if(l, inst);
            } else {
                l.lower_inst(inst)?;
            }
            m.insts.extend(l.group.drain(..).rev());
        }
        if Some(b) == entry {
            parameters(l, b)?;
        } else {
            for &p in f.dfg.block_params(b) {
                if l.uses[p.as_u32() as usize] > 0 {
                    let r = l.d(p);
                    m.params.push(r);
                    l.other_form(p);
                }
            }
        }
        m.insts.extend(l.group.drain(..).rev());
        edges_of[b.as_u32() as usize] = (before as u32..made.len() as u32).collect();
        made[b.as_u32() as usize] = Some(m);
    }
    assemble(l, order, &laid, &edges_of, made)
}

/// Numbers blocks and edges so that each precedes those that it dominates, as the allocator prefers. Emission has a
/// separate order.
fn assemble(
    l: &mut Lower,
    dominators_first: &[Block],
    laid: &[Block],
    edges_of: &[Vec<u32>],
    made: Vec<Option<Made>>,
) -> Result<Machine> {
    let with_edges =
        |b: &Block| std::iter::once(b.as_u32()).chain(edges_of[b.as_u32() as usize].iter().copied());
    let order: Vec<u32> = dominators_first.iter().flat_map(with_edges).collect();
    let mut position = vec![u32::MAX; made.len()];
    for (i, &b) in order.iter().enumerate() {
        position[b as usize] = i as u32;
    }
    let emitted = laid.iter().flat_map(with_edges).map(|b| position[b as usize]).collect();
    let mut made = made;
    let mut insts = Vec::new();
    let mut blocks = Vec::new();
    for &i in &order {
        let Some(m) = made[i as usize].take() else { continue };
        let first = insts.len() as u32;
        for mut inst in m.insts.into_iter().rev() {
            match &mut inst.kind {
                Kind::Jump(t) => *t = position[*t as usize],
                Kind::Branch { then, otherwise, .. } => {
                    (*then, *otherwise) = (position[*then as usize], position[*otherwise as usize]);
                }
                Kind::JumpTable(all) => all.iter_mut().for_each(|t| *t = position[*t as usize]),
                _ => {}
            }
            insts.push(inst);
        }
        let succs = m.succs.iter().map(|&s| regalloc2::Block::new(position[s as usize] as usize)).collect();
        let end = insts.len() as u32;
        blocks.push(inst::Block { first, end, succs, preds: Vec::new(), params: m.params, args: m.args });
    }
    for b in 0..blocks.len() {
        for s in blocks[b].succs.clone() {
            blocks[s.index()].preds.push(regalloc2::Block::new(b));
        }
    }
    Ok(Machine {
        insts,
        emitted,
        operands: std::mem::take(&mut l.operands),
        blocks,
        vregs: l.vregs,
        consts: std::mem::take(&mut l.consts),
        names: std::mem::take(&mut l.names),
        abi: Abi::of(l.function.signature.call_conv)?,
        stack: l.stack,
        outgoing: l.outgoing,
        calls: l.calls,
        widest: l.widest,
    })
}

/// Arguments of a branch for the parameters that are used.
fn branch_args(l: &mut Lower, call: &BlockCall) -> Vec<VReg> {
    let params = l.function.dfg.block_params(call.block(&l.function.dfg.value_lists)).to_vec();
    let args: Vec<Value> = call.args(&l.function.dfg.value_lists).filter_map(|a| a.as_value()).collect();
    let mut out = Vec::new();
    for (p, a) in params.into_iter().zip(args) {
        if l.uses[p.as_u32() as usize] > 0 {
            out.push(if l.in_mask(p) { l.k(a) } else { l.r(a) });
        }
    }
    out
}

/// Branch target of an edge: the block itself, or an edge block.
fn edge(l: &mut Lower, call: &BlockCall, preds: &[u32], made: &mut Vec<Option<Made>>) -> u32 {
    let target = call.block(&l.function.dfg.value_lists).as_u32();
    if preds[target as usize] == 1 && l.function.dfg.block_params(Block::from_u32(target)).is_empty() {
        return target;
    }
    let group = std::mem::take(&mut l.group);
    let args = branch_args(l, call);
    l.inst(Kind::Jump(target), &[]);
    let mut insts = std::mem::replace(&mut l.group, group);
    insts.reverse();
    made.push(Some(Made { insts, params: Vec::new(), args, succs: vec![target] }));
    made.len() as u32 - 1
}

fn terminator(
    l: &mut Lower,
    inst: ClifInst,
    preds: &[u32],
    m: &mut Made,
    made: &mut Vec<Option<Made>>,
) -> Result<()> {
    let f = l.function;
    l.here = l.epochs[inst.as_u32() as usize];
    match &f.dfg.insts[inst] {
        InstructionData::Jump { destination, .. } => {
            let target = destination.block(&f.dfg.value_lists).as_u32();
            m.args = branch_args(l, destination);
            l.inst(Kind::Jump(target), &[]);
            m.succs.push(target);
        }
        InstructionData::Brif { arg, blocks, .. } => {
            let then = edge(l, &blocks[0], preds, made);
            let otherwise = edge(l, &blocks[1], preds, made);
            let cc = compare::flags(l, *arg);
            l.inst(Kind::Branch { cc, then, otherwise }, &[]);
            m.succs.extend([then, otherwise]);
        }
        InstructionData::BranchTable { arg, table, .. } => {
            let all: Vec<BlockCall> = f.dfg.jump_tables[*table].all_branches().to_vec();
            let mut targets: Vec<u32> = all.iter().map(|c| edge(l, c, preds, made)).collect();
            // The default target goes last, and larger indices are clamped to it.
            targets.rotate_left(1);
            let (x, n, bounded) = (l.r(*arg), l.int(), l.int());
            let last = targets.len() as i64 - 1;
            l.load_int(n, last);
            l.g(Code::Cmp_rm32_imm32, [Slot::R32, Slot::I]).reg(x).imm(last).end();
            l.g(Code::Cmovb_r32_rm32, [Slot::R32, Slot::R32]).tied(bounded, n).reg(x).end();
            let (t, u) = (l.int(), l.int());
            let operands = [
                Operand::reg_use_at_end(bounded),
                Operand::reg_def_at_start(t),
                Operand::reg_def_at_start(u),
            ];
            m.succs.extend(&targets);
            l.inst(Kind::JumpTable(targets), &operands);
        }
        InstructionData::MultiAry { opcode: Opcode::Return, .. } => ret(l, inst)?,
        InstructionData::Trap { code, .. } => l.inst(Kind::Trap(*code), &[]),
        data => return Err(Error::Unsupported(data.opcode(), cranelift_codegen::ir::types::INVALID)),
    }
    Ok(())
}

fn trap_if(l: &mut Lower, inst: ClifInst) {
    l.here = l.epochs[inst.as_u32() as usize];
    if let InstructionData::CondTrap { opcode, arg, code } = l.function.dfg.insts[inst] {
        let cc = compare::flags(l, arg);
        let cc = if opcode == Opcode::Trapz { cc.inverse() } else { cc };
        l.inst(Kind::TrapIf { cc, code }, &[]);
    }
}

fn ret(l: &mut Lower, inst: ClifInst) -> Result<()> {
    let places = results(&l.function.signature)?;
    let mut operands = Vec::new();
    let mut wide = false;
    for (&v, (reg, ty)) in l.args(inst).iter().zip(places) {
        wide |= ty.bits() > 128;
        let r = l.r(v);
        operands.push(Operand::reg_fixed_use(r, reg));
    }
    l.inst(Kind::Ret { clear_upper: !wide }, &operands);
    Ok(())
}

/// Defines the parameters of the function.
fn parameters(l: &mut Lower, entry: Block) -> Result<()> {
    let (places, _) = places(&l.abi, &l.function.signature)?;
    let params = l.function.dfg.block_params(entry);
    let mut operands = Vec::new();
    let mut loads = Vec::new();
    for (&p, (place, ty)) in params.iter().zip(places) {
        if !l.wanted(p) {
            continue;
        }
        let d = l.d(p);
        match place {
            Place::Reg(r) => operands.push(Operand::reg_fixed_def(d, r)),
            Place::Stack(at) => loads.push((d, at + l.abi.shadow, ty)),
        }
    }
    l.inst(Kind::Args, &operands);
    for (d, at, ty) in loads {
        let a = Addr::of(Base::Incoming(at));
        if ty.is_float() {
            l.m(memory::vector_load(ty), Width::W128).def(d).mem(a).end();
        } else {
            l.g(Code::Mov_r64_rm64, [Slot::R64, Slot::R64]).def(d).mem(a).end();
        }
    }
    for &p in params {
        l.other_form(p);
    }
    Ok(())
}

/// Lowers a call, or expands an intrinsic.
fn call(l: &mut Lower, inst: ClifInst) -> Result<()> {
    l.here = l.epochs[inst.as_u32() as usize];
    if let Some(i) = Intrinsic::called(l.function, inst) {
        return intrinsic::lower(l, inst, i);
    }
    let data = &l.function.dfg.insts[inst];
    let (sig, callee): (SigRef, VReg) = match *data {
        InstructionData::CallIndirect { sig_ref, .. } => {
            let target = l.args(inst)[0];
            (sig_ref, l.r(target))
        }
        InstructionData::Call { func_ref, .. } => {
            let ext = &l.function.dfg.ext_funcs[func_ref];
            let r = l.int();
            address_of(l, r, ext.name.clone());
            (ext.signature, r)
        }
        _ => return Err(Error::Unsupported(data.opcode(), cranelift_codegen::ir::types::INVALID)),
    };
    let signature = &l.function.dfg.signatures[sig];
    check_signature(l, signature)?;
    let preserves_all = preserves_all(signature);
    let abi = if preserves_all { Abi::of(CallConv::SystemV)? } else { l.abi.clone() };
    let (places, stack) = places(&abi, signature)?;
    l.outgoing = l.outgoing.max((stack + abi.shadow).next_multiple_of(16));
    l.calls = true;
    let args: Vec<Value> = match data.opcode() {
        Opcode::CallIndirect => l.args(inst)[1..].to_vec(),
        _ => l.args(inst).to_vec(),
    };
    let mut wide = false;
    let mut operands = vec![];
    for (&a, (place, ty)) in args.iter().zip(places) {
        wide |= ty.bits() > 128;
        let r = l.r(a);
        match place {
            Place::Reg(reg) => operands.push(Operand::reg_fixed_use(r, reg)),
            Place::Stack(at) => {
                let to = Addr::of(Base::Outgoing(at + abi.shadow));
                match ty.is_float() {
                    true if ty.bits() == 32 => l.m(M::MovssStore, Width::W128).mem(to).reg(r).end(),
                    true => l.m(M::MovsdStore, Width::W128).mem(to).reg(r).end(),
                    false => l.g(Code::Mov_rm64_r64, [Slot::R64, Slot::R64]).mem(to).reg(r).end(),
                }
            }
        }
    }
    // Use a register that carries no argument.
    operands.insert(0, Operand::reg_fixed_use(callee, gpr(10)));
    for (&v, (reg, _)) in l.function.dfg.inst_results(inst).iter().zip(results(signature)?) {
        let d = l.d(v);
        operands.push(Operand::reg_fixed_def(d, reg));
    }
    l.inst(Kind::Call { clear_upper: !wide && !preserves_all, preserves_all }, &operands);
    for &v in l.function.dfg.inst_results(inst) {
        l.other_form(v);
    }
    Ok(())
}

/// Loads the address of a name from the constants; whoever places the code writes it there.
fn address_of(l: &mut Lower, d: VReg, name: cranelift_codegen::ir::ExternalName) {
    let id = match l.names.iter().find(|(_, n)| *n == name) {
        Some(&(id, _)) => id,
        None => {
            let id = l.consts.unique(&[0; 8]);
            l.names.push((id, name));
            id
        }
    };
    let m = Addr::of(Base::Const(id));
    l.g(Code::Mov_r64_rm64, [Slot::R64, Slot::R64]).def(d).mem(m).end();
}

/// `func_addr`.
pub(crate) fn func_addr(l: &mut Lower, inst: ClifInst) -> Result<bool> {
    let InstructionData::FuncAddr { func_ref, .. } = l.function.dfg.insts[inst] else { return Ok(false) };
    let d = l.d(l.result(inst));
    address_of(l, d, l.function.dfg.ext_funcs[func_ref].name.clone());
    Ok(true)
}
