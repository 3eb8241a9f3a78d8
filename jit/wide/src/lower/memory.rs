//! Loads, stores and atomics.

use cranelift_codegen::ir::{AtomicRmwOp, Inst, InstructionData, Opcode, Type, Value, types};
use iced_x86::Code;
use regalloc2::Operand;

use super::Lower;
use super::build::Addr;
use crate::Result;
use crate::inst::{Kind, LoopOp};
use crate::ops::M;
use crate::regs::RAX;
use crate::regs::{Slot, Width};

/// `load` of any type.
pub(crate) fn load(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::Load { arg, offset, .. } = l.function.dfg.insts[inst] else { return Ok(false) };
    let v = l.result(inst);
    let d = l.d(v);
    let a = l.addr(arg, offset.into());
    let ty = l.ty(v);
    let (code, to, from) = match ty {
        types::I8 => (Code::Movzx_r32_rm8, Slot::R32, Slot::R8),
        types::I16 => (Code::Movzx_r32_rm16, Slot::R32, Slot::R16),
        types::I32 => (Code::Mov_r32_rm32, Slot::R32, Slot::R32),
        types::I64 => (Code::Mov_r64_rm64, Slot::R64, Slot::R64),
        _ => {
            let m = vector_load(ty);
            l.m(m, Width::of(ty)).def(d).mem(a).end();
            return Ok(true);
        }
    };
    l.g(code, [to, from]).def(d).mem(a).end();
    Ok(true)
}

pub(crate) fn vector_load(ty: Type) -> M {
    match ty {
        types::F32 => M::MovssLoad,
        types::F64 => M::MovsdLoad,
        _ => M::MovupsLoad,
    }
}

/// Extending loads.
pub(crate) fn load_extended(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::Load { opcode, arg, offset, .. } = l.function.dfg.insts[inst] else {
        return Ok(false);
    };
    let d = l.d(l.result(inst));
    let a = l.addr(arg, offset.into());
    let (code, to, from) = match opcode {
        Opcode::Uload8 => (Code::Movzx_r32_rm8, Slot::R32, Slot::R8),
        Opcode::Uload16 => (Code::Movzx_r32_rm16, Slot::R32, Slot::R16),
        Opcode::Uload32 => (Code::Mov_r32_rm32, Slot::R32, Slot::R32),
        Opcode::Sload8 => (Code::Movsx_r64_rm8, Slot::R64, Slot::R8),
        Opcode::Sload16 => (Code::Movsx_r64_rm16, Slot::R64, Slot::R16),
        Opcode::Sload32 => (Code::Movsxd_r64_rm32, Slot::R64, Slot::R32),
        _ => {
            let m = match opcode {
                Opcode::Uload8x8 => M::Pmovzxbw,
                Opcode::Uload16x4 => M::Pmovzxwd,
                Opcode::Uload32x2 => M::Pmovzxdq,
                Opcode::Sload8x8 => M::Pmovsxbw,
                Opcode::Sload16x4 => M::Pmovsxwd,
                Opcode::Sload32x2 => M::Pmovsxdq,
                _ => return Ok(false),
            };
            l.m(m, Width::W128).def(d).mem(a).end();
            return Ok(true);
        }
    };
    l.g(code, [to, from]).def(d).mem(a).end();
    Ok(true)
}

/// `store` of any type, `istore` of the low bits.
pub(crate) fn store(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::Store { opcode, args: [x, p], offset, .. } = l.function.dfg.insts[inst] else {
        return Ok(false);
    };
    let ty = match opcode {
        Opcode::Istore8 => types::I8,
        Opcode::Istore16 => types::I16,
        Opcode::Istore32 => types::I32,
        _ => l.ty(x),
    };
    let a = l.addr(p, offset.into());
    store_at(l, ty, x, a);
    Ok(true)
}

fn store_at(l: &mut Lower, ty: Type, x: Value, a: Addr) {
    if ty.is_vector() || ty.is_float() {
        let r = l.r(x);
        let m = match ty {
            types::F32 => M::MovssStore,
            types::F64 => M::MovsdStore,
            _ => M::MovupsStore,
        };
        l.m(m, Width::of(ty)).mem(a).reg(r).end();
        return;
    }
    let (store, constant, s) = match ty.bits() {
        8 => (Code::Mov_rm8_r8, Code::Mov_rm8_imm8, Slot::R8),
        16 => (Code::Mov_rm16_r16, Code::Mov_rm16_imm16, Slot::R16),
        32 => (Code::Mov_rm32_r32, Code::Mov_rm32_imm32, Slot::R32),
        _ => (Code::Mov_rm64_r64, Code::Mov_rm64_imm32, Slot::R64),
    };
    if let Some(k) = l.int_const(x).and_then(|k| i32::try_from(k).ok()) {
        let k = match ty.bits() {
            8 => i64::from(k as u8),
            16 => i64::from(k as u16),
            _ => i64::from(k),
        };
        l.g(constant, [s, Slot::I]).mem(a).imm(k).end();
        return;
    }
    let r = l.r(x);
    l.g(store, [s, s]).mem(a).reg(r).end();
}

/// A plain load suffices, since x86 orders loads.
pub(crate) fn atomic_load(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::LoadNoOffset { arg, .. } = l.function.dfg.insts[inst] else { return Ok(false) };
    let v = l.result(inst);
    let (d, a) = (l.d(v), l.addr(arg, 0));
    let (code, to, from) = match l.ty(v) {
        types::I8 => (Code::Movzx_r32_rm8, Slot::R32, Slot::R8),
        types::I16 => (Code::Movzx_r32_rm16, Slot::R32, Slot::R16),
        types::I32 => (Code::Mov_r32_rm32, Slot::R32, Slot::R32),
        types::I64 => (Code::Mov_r64_rm64, Slot::R64, Slot::R64),
        _ => return Ok(false),
    };
    l.g(code, [to, from]).def(d).mem(a).end();
    Ok(true)
}

/// A store followed by a fence.
pub(crate) fn atomic_store(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::StoreNoOffset { args: [x, p], .. } = l.function.dfg.insts[inst] else {
        return Ok(false);
    };
    let ty = l.ty(x);
    if !ty.is_int() {
        return Ok(false);
    }
    let a = l.addr(p, 0);
    store_at(l, ty, x, a);
    l.g(Code::Mfence, []).end();
    Ok(true)
}

pub(crate) fn fence(l: &mut Lower, _: Inst) -> Result<bool> {
    l.g(Code::Mfence, []).end();
    Ok(true)
}

/// Compare-and-swap with rax.
pub(crate) fn atomic_cas(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[p, e, x] = l.args(inst) else { return Ok(false) };
    let v = l.result(inst);
    let Some((code, s)) = sized(
        l.ty(v),
        [Code::Cmpxchg_rm8_r8, Code::Cmpxchg_rm16_r16, Code::Cmpxchg_rm32_r32, Code::Cmpxchg_rm64_r64],
    ) else {
        return Ok(false);
    };
    let (d, a, e, x) = (l.d(v), l.addr(p, 0), l.r(e), l.r(x));
    l.g(code, [s, s]).mem(a).reg(x).lock().fixed_use(e, RAX).fixed_def(d, RAX).end();
    Ok(true)
}

fn sized(ty: Type, codes: [Code; 4]) -> Option<(Code, Slot)> {
    let i = match ty {
        types::I8 => 0,
        types::I16 => 1,
        types::I32 => 2,
        types::I64 => 3,
        _ => return None,
    };
    Some((codes[i], [Slot::R8, Slot::R16, Slot::R32, Slot::R64][i]))
}

/// An atomic update whose old value is unused, as a single instruction.
fn update(l: &mut Lower, op: AtomicRmwOp, ty: Type, p: Value, x: Value) -> bool {
    let codes = match op {
        AtomicRmwOp::Add => [Code::Add_rm8_r8, Code::Add_rm16_r16, Code::Add_rm32_r32, Code::Add_rm64_r64],
        AtomicRmwOp::Sub => [Code::Sub_rm8_r8, Code::Sub_rm16_r16, Code::Sub_rm32_r32, Code::Sub_rm64_r64],
        AtomicRmwOp::And => [Code::And_rm8_r8, Code::And_rm16_r16, Code::And_rm32_r32, Code::And_rm64_r64],
        AtomicRmwOp::Or => [Code::Or_rm8_r8, Code::Or_rm16_r16, Code::Or_rm32_r32, Code::Or_rm64_r64],
        AtomicRmwOp::Xor => [Code::Xor_rm8_r8, Code::Xor_rm16_r16, Code::Xor_rm32_r32, Code::Xor_rm64_r64],
        _ => return false,
    };
    let Some((code, s)) = sized(ty, codes) else { return false };
    let (a, y) = (l.addr(p, 0), l.r(x));
    l.g(code, [s, s]).mem(a).reg(y).lock().end();
    true
}

pub(crate) fn atomic_rmw(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::AtomicRmw { args: [p, x], op, .. } = l.function.dfg.insts[inst] else {
        return Ok(false);
    };
    let v = l.result(inst);
    let ty = l.ty(v);
    if !l.wanted(v) && update(l, op, ty, p, x) {
        return Ok(true);
    }
    let d = l.d(v);
    let xadd = [Code::Xadd_rm8_r8, Code::Xadd_rm16_r16, Code::Xadd_rm32_r32, Code::Xadd_rm64_r64];
    let xchg = [Code::Xchg_rm8_r8, Code::Xchg_rm16_r16, Code::Xchg_rm32_r32, Code::Xchg_rm64_r64];
    let looped = match op {
        AtomicRmwOp::Add | AtomicRmwOp::Sub => {
            let Some((code, s)) = sized(ty, xadd) else { return Ok(false) };
            let a = l.addr(p, 0);
            let mut y = l.r(x);
            if op == AtomicRmwOp::Sub {
                let n = l.int();
                l.g(Code::Neg_rm64, [Slot::R64]).tied(n, y).end();
                y = n;
            }
            l.g(code, [s, s]).mem(a).tied(d, y).lock().end();
            return Ok(true);
        }
        AtomicRmwOp::Xchg => {
            let Some((code, s)) = sized(ty, xchg) else { return Ok(false) };
            let (a, y) = (l.addr(p, 0), l.r(x));
            l.g(code, [s, s]).mem(a).tied(d, y).end();
            return Ok(true);
        }
        AtomicRmwOp::And => LoopOp::And,
        AtomicRmwOp::Or => LoopOp::Or,
        AtomicRmwOp::Xor => LoopOp::Xor,
        AtomicRmwOp::Nand => LoopOp::Nand,
        AtomicRmwOp::Smin => LoopOp::Smin,
        AtomicRmwOp::Smax => LoopOp::Smax,
        AtomicRmwOp::Umin => LoopOp::Umin,
        AtomicRmwOp::Umax => LoopOp::Umax,
    };
    if ty.bits() < 32 || ty.bits() > 64 {
        return Ok(false);
    }
    let (address, y, t) = (l.r(p), l.r(x), l.int());
    let operands = [
        Operand::reg_fixed_def_at_start(d, RAX),
        Operand::reg_def_at_start(t),
        Operand::reg_use_at_end(address),
        Operand::reg_use_at_end(y),
    ];
    l.inst(Kind::AtomicLoop { op: looped, bits: ty.bits() as u8 }, &operands);
    Ok(true)
}
