//! Helpers shared by several families of instructions: arithmetic of general registers by size, conditional moves,
//! operations on one or two vectors, and comparisons that are minima or maxima.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{Inst, InstructionData, Type, Value, types};
use iced_x86::Code;
use regalloc2::VReg;

use super::Lower;
use super::build::Rm;
use crate::inst::Cc;
use crate::ops::M;
use crate::regs::{Slot, Width};
use crate::{Level, Result};

/// Codes of a two-operand instruction for 32 and 64 bits, with the second operand in a register or memory, or an
/// immediate of 8 or 32 bits.
#[derive(Clone, Copy)]
pub(crate) struct Alu {
    pub rm: [Code; 2],
    pub imm8: [Code; 2],
    pub imm32: [Code; 2],
    pub commutes: bool,
}

macro_rules! alu {
    ($name:ident, $r32:ident $r64:ident, $b32:ident $b64:ident, $i32:ident $i64:ident, $commutes:literal) => {
        pub(crate) const $name: Alu = Alu {
            rm: [Code::$r32, Code::$r64],
            imm8: [Code::$b32, Code::$b64],
            imm32: [Code::$i32, Code::$i64],
            commutes: $commutes,
        };
    };
}

alu!(ADD, Add_r32_rm32 Add_r64_rm64, Add_rm32_imm8 Add_rm64_imm8, Add_rm32_imm32 Add_rm64_imm32, true);
alu!(SUB, Sub_r32_rm32 Sub_r64_rm64, Sub_rm32_imm8 Sub_rm64_imm8, Sub_rm32_imm32 Sub_rm64_imm32, false);
alu!(AND, And_r32_rm32 And_r64_rm64, And_rm32_imm8 And_rm64_imm8, And_rm32_imm32 And_rm64_imm32, true);
alu!(OR, Or_r32_rm32 Or_r64_rm64, Or_rm32_imm8 Or_rm64_imm8, Or_rm32_imm32 Or_rm64_imm32, true);
alu!(XOR, Xor_r32_rm32 Xor_r64_rm64, Xor_rm32_imm8 Xor_rm64_imm8, Xor_rm32_imm32 Xor_rm64_imm32, true);
alu!(CMP, Cmp_r32_rm32 Cmp_r64_rm64, Cmp_rm32_imm8 Cmp_rm64_imm8, Cmp_rm32_imm32 Cmp_rm64_imm32, false);

/// Index of the code for a type: 1 for 64 bits, otherwise 0.
pub(crate) fn wide(ty: Type) -> usize {
    usize::from(ty.bits() == 64)
}

pub(crate) fn slot(ty: Type) -> Slot {
    if ty.bits() == 64 { Slot::R64 } else { Slot::R32 }
}

/// An integer of 32 or 64 bits as a register or a folded load.
pub(crate) fn int_rm(l: &mut Lower, v: Value) -> Rm {
    let ty = l.ty(v);
    if ty.bits() >= 32 {
        if let Some(m) = l.folded_load(v, ty.bytes()) {
            return Rm::Mem(m);
        }
    }
    Rm::Reg(l.r(v))
}

/// A value extended to defined bits above its type.
pub(crate) fn extended(l: &mut Lower, v: Value, signed: bool) -> VReg {
    let x = l.r(v);
    let code = match (l.ty(v).bits(), signed) {
        (8, false) => Code::Movzx_r32_rm8,
        (16, false) => Code::Movzx_r32_rm16,
        (8, true) => Code::Movsx_r64_rm8,
        (16, true) => Code::Movsx_r64_rm16,
        _ => return x,
    };
    let from = if l.ty(v).bits() == 8 { Slot::R8 } else { Slot::R16 };
    let d = l.int();
    l.g(code, [if signed { Slot::R64 } else { Slot::R32 }, from]).def(d).reg(x).end();
    d
}

/// Code of a conditional move.
pub(crate) fn cmov(cc: Cc, ty: Type) -> Code {
    const CODES: [[Code; 2]; 16] = [
        [Code::Cmovo_r32_rm32, Code::Cmovo_r64_rm64],
        [Code::Cmovno_r32_rm32, Code::Cmovno_r64_rm64],
        [Code::Cmovb_r32_rm32, Code::Cmovb_r64_rm64],
        [Code::Cmovae_r32_rm32, Code::Cmovae_r64_rm64],
        [Code::Cmove_r32_rm32, Code::Cmove_r64_rm64],
        [Code::Cmovne_r32_rm32, Code::Cmovne_r64_rm64],
        [Code::Cmovbe_r32_rm32, Code::Cmovbe_r64_rm64],
        [Code::Cmova_r32_rm32, Code::Cmova_r64_rm64],
        [Code::Cmovs_r32_rm32, Code::Cmovs_r64_rm64],
        [Code::Cmovns_r32_rm32, Code::Cmovns_r64_rm64],
        [Code::Cmovp_r32_rm32, Code::Cmovp_r64_rm64],
        [Code::Cmovnp_r32_rm32, Code::Cmovnp_r64_rm64],
        [Code::Cmovl_r32_rm32, Code::Cmovl_r64_rm64],
        [Code::Cmovge_r32_rm32, Code::Cmovge_r64_rm64],
        [Code::Cmovle_r32_rm32, Code::Cmovle_r64_rm64],
        [Code::Cmovg_r32_rm32, Code::Cmovg_r64_rm64],
    ];
    CODES[cc.number()][wide(ty)]
}

/// `true` if a value would become a memory operand: a constant, or a load with a single use.
pub(crate) fn folds(l: &Lower, v: Value) -> bool {
    let root = l.root(v);
    l.const_bytes(root).is_some()
        || matches!(l.def(root), Some((_, InstructionData::Load { .. }))) && l.once_to_root(v)
}

pub(crate) fn binary_values(l: &mut Lower, v: Value, a: Value, b: Value, m: M) {
    let w = Width::of(l.ty(v));
    let d = l.d(v);
    let (x, y) = (l.r(a), l.rm(b, m));
    l.m(m, w).def(d).reg(x).rm(y).end();
}

pub(crate) fn unary(l: &mut Lower, inst: Inst, m: M) -> Result<()> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let d = l.d(v);
    let x = l.rm(a, m);
    l.m(m, Width::of(l.ty(v))).def(d).rm(x).end();
    Ok(())
}

/// The instruction for `c ? a : b` if it is a minimum or maximum of `a` and `b`. If either is NaN, the instruction
/// returns the second operand.
pub(crate) fn min_max_pattern(l: &Lower, c: Value, a: Value, b: Value) -> Option<M> {
    let (_, &InstructionData::FloatCompare { args: [x, y], cond, .. }) = l.def(l.root(c))? else {
        return None;
    };
    let ty = l.ty(x);
    // A vector and its first lane have the same root.
    if ty != l.ty(a) {
        return None;
    }
    let (x, y, a, b) = (l.root(x), l.root(y), l.root(a), l.root(b));
    let (ss, sd, ps, pd) = match cond {
        FloatCC::LessThan if (x, y) == (a, b) => (M::Minss, M::Minsd, M::Minps, M::Minpd),
        FloatCC::LessThan if (x, y) == (b, a) => (M::Maxss, M::Maxsd, M::Maxps, M::Maxpd),
        FloatCC::GreaterThan if (x, y) == (a, b) => (M::Maxss, M::Maxsd, M::Maxps, M::Maxpd),
        FloatCC::GreaterThan if (x, y) == (b, a) => (M::Minss, M::Minsd, M::Minps, M::Minpd),
        _ => return None,
    };
    match (ty.is_vector(), ty.lane_type()) {
        (false, types::F32) => Some(ss),
        (false, types::F64) => Some(sd),
        (true, types::F32) => Some(ps),
        (true, types::F64) => Some(pd),
        _ => None,
    }
}

/// Inverts all bits.
pub(crate) fn not(l: &mut Lower, d: VReg, x: VReg, w: Width) {
    if l.level == Level::Avx512 {
        l.m(M::Pternlogd, w).tied(d, x).reg(x).reg(x).imm(0x55).end();
        return;
    }
    let ones = l.const_operand(M::Pxor, &vec![255; w.bytes() as usize]);
    l.m(M::Pxor, w).def(d).reg(x).rm(ones).end();
}
