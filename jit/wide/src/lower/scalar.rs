//! Scalars: integers in general registers, floats in the low lane of vector registers.
//!
//! The bits of an integer register above its type are undefined: code that reads them extends the value first.

use cranelift_codegen::ir::{Inst, InstructionData, Opcode, Value, types};
use iced_x86::Code;

use super::build::{Addr, Rm};
use super::common::{ADD, Alu, CMP, binary_values, cmov, extended, int_rm, min_max_pattern, slot, wide};
use super::{Lower, compare, displaced};
use crate::Result;
use crate::inst::{Base, Cc};
use crate::ops::M;
use crate::regs::{RAX, RDX};
use crate::regs::{Slot, Width};

/// `a op b`, in the register of `a`.
pub(crate) fn alu(l: &mut Lower, inst: Inst, codes: Alu) -> Result<()> {
    let &[mut a, mut b] = l.args(inst) else { return Ok(()) };
    let v = l.result(inst);
    let (ty, d) = (l.ty(v), l.d(v));
    if codes.commutes && l.int_const(a).is_some() {
        (a, b) = (b, a);
    }
    let (n, s) = (wide(ty), slot(ty));
    if let Some(k) = l.int_const(b).and_then(|k| i32::try_from(k).ok()) {
        let x = l.r(a);
        let code = if i8::try_from(k).is_ok() { codes.imm8[n] } else { codes.imm32[n] };
        l.g(code, [s, Slot::I]).tied(d, x).imm(i64::from(k)).end();
        return Ok(());
    }
    if codes.commutes && ty.bits() >= 32 {
        if let Some(m) = l.folded_load(a, ty.bytes()) {
            let y = l.r(b);
            l.g(codes.rm[n], [s, s]).tied(d, y).mem(m).end();
            return Ok(());
        }
    }
    let y = int_rm(l, b);
    let x = l.r(a);
    l.g(codes.rm[n], [s, s]).tied(d, x).rm(y).end();
    Ok(())
}

/// Additions become addresses (lea), unless a load folds.
pub(crate) fn iadd(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let v = l.result(inst);
    let ty = l.ty(v);
    let load = |l: &Lower, v: Value| matches!(l.def(v), Some((_, InstructionData::Load { .. }))) && l.once(v);
    if ty.bits() >= 32 && (load(l, a) || load(l, b)) {
        return alu(l, inst, ADD).map(|()| true);
    }
    let (code, d) = ([Code::Lea_r32_m, Code::Lea_r64_m][wide(ty)], l.d(v));
    let (a, b) = if l.int_const(a).is_some() { (b, a) } else { (a, b) };
    if let Some(k) = l.int_const(b) {
        match i32::try_from(k) {
            Ok(k) => {
                let m = if ty == types::I64 { l.addr(a, k) } else { Addr { disp: k, ..Addr::reg(l.r(a)) } };
                l.g(code, [slot(ty), Slot::M]).def(d).mem(m).end();
            }
            Err(_) => alu(l, inst, ADD)?,
        }
        return Ok(true);
    }
    let scaled = |l: &Lower, x: Value| {
        let &[y, n] = l.args_of(x, Opcode::Ishl)? else { return None };
        let n = l.int_const(n).filter(|n| (0..=3).contains(n))?;
        (l.once(x) && l.ty(x).bits() >= 32).then_some((y, n as u8))
    };
    let (base, (index, scale)) = match (scaled(l, b), scaled(l, a)) {
        (Some(s), _) => (a, s),
        (None, Some(s)) => (b, s),
        _ => (a, (b, 0)),
    };
    let (base, index) = (l.r(base), l.r(index));
    let m = Addr { index: Some((index, scale)), ..Addr::reg(base) };
    l.g(code, [slot(ty), Slot::M]).def(d).mem(m).end();
    Ok(true)
}

pub(crate) fn imul(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let v = l.result(inst);
    let (ty, d) = (l.ty(v), l.d(v));
    let (n, s) = (wide(ty), slot(ty));
    let (a, b) = if l.int_const(a).is_some() { (b, a) } else { (a, b) };
    if let Some(k) = l.int_const(b).and_then(|k| i32::try_from(k).ok()) {
        let x = int_rm(l, a);
        let code = [Code::Imul_r32_rm32_imm32, Code::Imul_r64_rm64_imm32][n];
        l.g(code, [s, s, Slot::I]).def(d).rm(x).imm(i64::from(k)).end();
        return Ok(true);
    }
    let (x, y) = (l.r(a), int_rm(l, b));
    l.g([Code::Imul_r32_rm32, Code::Imul_r64_rm64][n], [s, s]).tied(d, x).rm(y).end();
    Ok(true)
}

/// Operations on one operand, in its register.
fn in_place(l: &mut Lower, inst: Inst, codes: [Code; 2]) -> Result<bool> {
    let v = l.result(inst);
    let (ty, d, x) = (l.ty(v), l.d(v), l.r(l.args(inst)[0]));
    l.g(codes[wide(ty)], [slot(ty)]).tied(d, x).end();
    Ok(true)
}
pub(crate) fn bnot(l: &mut Lower, inst: Inst) -> Result<bool> {
    in_place(l, inst, [Code::Not_rm32, Code::Not_rm64])
}
pub(crate) fn ineg(l: &mut Lower, inst: Inst) -> Result<bool> {
    in_place(l, inst, [Code::Neg_rm32, Code::Neg_rm64])
}

/// Shifts and rotations; amounts are taken modulo the width.
pub(crate) fn shift(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, n] = l.args(inst) else { return Ok(false) };
    let (v, opcode) = (l.result(inst), l.function.dfg.insts[inst].opcode());
    let (ty, d) = (l.ty(v), l.d(v));
    let rotates = matches!(opcode, Opcode::Rotl | Opcode::Rotr);
    if rotates && ty.bits() < 32 {
        return Ok(false);
    }
    let x = match opcode {
        Opcode::Ushr => extended(l, a, false),
        Opcode::Sshr => extended(l, a, true),
        _ => l.r(a),
    };
    let (w, s) = (wide(ty), slot(ty));
    if let Some(k) = l.int_const(n) {
        let codes = match opcode {
            Opcode::Ishl => [Code::Shl_rm32_imm8, Code::Shl_rm64_imm8],
            Opcode::Ushr => [Code::Shr_rm32_imm8, Code::Shr_rm64_imm8],
            Opcode::Sshr => [Code::Sar_rm32_imm8, Code::Sar_rm64_imm8],
            Opcode::Rotl => [Code::Rol_rm32_imm8, Code::Rol_rm64_imm8],
            _ => [Code::Ror_rm32_imm8, Code::Ror_rm64_imm8],
        };
        let k = k & i64::from(ty.bits() - 1);
        l.g(codes[w], [s, Slot::I]).tied(d, x).imm(k).end();
        return Ok(true);
    }
    let mut y = l.r(n);
    if ty.bits() < 32 {
        let t = l.int();
        l.g(Code::And_rm32_imm8, [Slot::R32, Slot::I]).tied(t, y).imm(i64::from(ty.bits() - 1)).end();
        y = t;
    }
    let codes = match opcode {
        Opcode::Ishl => [Code::VEX_Shlx_r32_rm32_r32, Code::VEX_Shlx_r64_rm64_r64],
        Opcode::Ushr => [Code::VEX_Shrx_r32_rm32_r32, Code::VEX_Shrx_r64_rm64_r64],
        Opcode::Sshr => [Code::VEX_Sarx_r32_rm32_r32, Code::VEX_Sarx_r64_rm64_r64],
        Opcode::Rotl | Opcode::Rotr => {
            let left = opcode == Opcode::Rotl;
            let codes = if left {
                [Code::Rol_rm32_CL, Code::Rol_rm64_CL]
            } else {
                [Code::Ror_rm32_CL, Code::Ror_rm64_CL]
            };
            let c = crate::regs::RCX;
            l.g(codes[w], [s, Slot::R8]).tied(d, x).fixed(y, c).end();
            return Ok(true);
        }
        _ => return Ok(false),
    };
    l.g(codes[w], [s, s, s]).def(d).reg(x).reg(y).end();
    Ok(true)
}

/// Quotient or remainder of rdx:rax.
pub(crate) fn div(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let (v, opcode) = (l.result(inst), l.function.dfg.insts[inst].opcode());
    let ty = l.ty(v);
    if ty.bits() < 32 {
        return Ok(false);
    }
    let (w, s, d) = (wide(ty), slot(ty), l.d(v));
    let (signed, rest) =
        (matches!(opcode, Opcode::Sdiv | Opcode::Srem), matches!(opcode, Opcode::Urem | Opcode::Srem));
    let (x, mut y) = (l.r(a), l.r(b));
    if opcode == Opcode::Srem {
        // The remainder by -1 equals the remainder by 1, which cannot overflow.
        let (one, t) = (l.int(), l.int());
        l.load_int(one, 1);
        l.g(CMP.imm8[w], [s, Slot::I]).reg(y).imm(-1).end();
        l.g([Code::Cmove_r32_rm32, Code::Cmove_r64_rm64][w], [s, s]).tied(t, y).reg(one).end();
        y = t;
    }
    let high = l.int();
    if signed {
        l.g([Code::Cdq, Code::Cqo][w], []).fixed_use(x, RAX).fixed_def(high, RDX).end();
    } else {
        l.load_int(high, 0);
    }
    let code = match signed {
        true => [Code::Idiv_rm32, Code::Idiv_rm64][w],
        false => [Code::Div_rm32, Code::Div_rm64][w],
    };
    let other = l.int();
    let (q, r) = if rest { (other, d) } else { (d, other) };
    let mut b = l.g(code, [s]);
    b.reg(y).fixed_use(x, RAX).fixed_use(high, RDX).fixed_def(q, RAX).fixed_def(r, RDX).end();
    Ok(true)
}

/// The high half of a product.
pub(crate) fn mul_high(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let (v, signed) = (l.result(inst), l.function.dfg.insts[inst].opcode() == Opcode::Smulhi);
    let ty = l.ty(v);
    if ty.bits() < 32 {
        return Ok(false);
    }
    let (d, low, x, y) = (l.d(v), l.int(), l.r(a), l.r(b));
    let code = match signed {
        true => [Code::Imul_rm32, Code::Imul_rm64],
        false => [Code::Mul_rm32, Code::Mul_rm64],
    };
    let mut i = l.g(code[wide(ty)], [slot(ty)]);
    i.reg(y).fixed_use(x, RAX).fixed_def(low, RAX).fixed_def(d, RDX).end();
    Ok(true)
}

pub(crate) fn min_max(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let (v, opcode) = (l.result(inst), l.function.dfg.insts[inst].opcode());
    let ty = l.ty(v);
    let signed = matches!(opcode, Opcode::Smin | Opcode::Smax);
    let (x, y) = (extended(l, a, signed), extended(l, b, signed));
    let cc = match opcode {
        Opcode::Smin => Cc::l,
        Opcode::Smax => Cc::g,
        Opcode::Umin => Cc::b,
        _ => Cc::a,
    };
    let d = l.d(v);
    l.g(CMP.rm[wide(ty)], [slot(ty), slot(ty)]).reg(x).reg(y).end();
    l.g(cmov(cc, ty), [slot(ty), slot(ty)]).tied(d, y).reg(x).end();
    Ok(true)
}

/// Bit counts.
pub(crate) fn count(l: &mut Lower, inst: Inst) -> Result<bool> {
    let v = l.result(inst);
    let ty = l.ty(v);
    if ty.bits() < 32 {
        return Ok(false);
    }
    let codes = match l.function.dfg.insts[inst].opcode() {
        Opcode::Clz => [Code::Lzcnt_r32_rm32, Code::Lzcnt_r64_rm64],
        Opcode::Ctz => [Code::Tzcnt_r32_rm32, Code::Tzcnt_r64_rm64],
        _ => [Code::Popcnt_r32_rm32, Code::Popcnt_r64_rm64],
    };
    let (d, x) = (l.d(v), int_rm(l, l.args(inst)[0]));
    l.g(codes[wide(ty)], [slot(ty), slot(ty)]).def(d).rm(x).end();
    Ok(true)
}

pub(crate) fn bswap(l: &mut Lower, inst: Inst) -> Result<bool> {
    if l.ty(l.result(inst)).bits() < 32 {
        return Ok(false);
    }
    in_place(l, inst, [Code::Bswap_r32, Code::Bswap_r64])
}

pub(crate) fn extend(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let signed = l.function.dfg.insts[inst].opcode() == Opcode::Sextend;
    let d = l.d(v);
    let (code, to, from) = match (l.ty(a).bits(), signed) {
        (8, false) => (Code::Movzx_r32_rm8, Slot::R32, Slot::R8),
        (16, false) => (Code::Movzx_r32_rm16, Slot::R32, Slot::R16),
        (32, false) => (Code::Mov_r32_rm32, Slot::R32, Slot::R32),
        (8, true) => (Code::Movsx_r64_rm8, Slot::R64, Slot::R8),
        (16, true) => (Code::Movsx_r64_rm16, Slot::R64, Slot::R16),
        (32, true) => (Code::Movsxd_r64_rm32, Slot::R64, Slot::R32),
        _ => return Ok(false),
    };
    let x = match l.folded_load(a, l.ty(a).bytes()) {
        Some(m) => Rm::Mem(m),
        None => Rm::Reg(l.r(a)),
    };
    l.g(code, [to, from]).def(d).rm(x).end();
    Ok(true)
}

/// Bitcasts between integers and floats; vector bitcasts need no instruction.
pub(crate) fn bitcast(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (to, from) = (l.ty(v), l.ty(a));
    let d = l.d(v);
    let (to_vector, from_vector) = (super::class(to), super::class(from));
    let bits = to.bits();
    if to_vector == from_vector {
        let x = l.r(a);
        match to_vector {
            regalloc2::RegClass::Int => l.g(Code::Mov_r64_rm64, [Slot::R64, Slot::R64]).def(d).reg(x).end(),
            _ => l.m(M::Movaps, Width::of(to)).def(d).reg(x).end(),
        }
        return Ok(true);
    }
    let to_float = to_vector == regalloc2::RegClass::Float;
    let m = match (bits, to_float) {
        (32, true) => M::Movd,
        (64, true) => M::Movq,
        (32, false) => M::MovdOut,
        (64, false) => M::MovqOut,
        _ => return Ok(false),
    };
    let x = l.r(a);
    l.m(m, Width::W128).def(d).reg(x).end();
    Ok(true)
}

pub(crate) fn select(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[c, a, b] = l.args(inst) else { return Ok(false) };
    let v = l.result(inst);
    if let Some(m) = min_max_pattern(l, c, a, b) {
        binary_values(l, v, a, b, m);
        return Ok(true);
    }
    let (ty, d) = (l.ty(v), l.d(v));
    if !ty.is_int() {
        let masks = l.in_mask(v);
        let (x, y) = if masks { (l.k(a), l.k(b)) } else { (l.r(a), l.r(b)) };
        let cc = compare::flags(l, c);
        let width = Width::of(ty);
        l.choose(cc, width, d, x, y);
        return Ok(true);
    }
    let (x, y) = (l.r(a), l.r(b));
    let cc = compare::flags(l, c);
    l.g(cmov(cc, ty), [slot(ty), slot(ty)]).tied(d, y).reg(x).end();
    Ok(true)
}

// Floats.

/// Operations on one operand; it also supplies the upper lanes.
pub(crate) fn float_unary(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let double = l.ty(v) == types::F64;
    let pick = |s: M, d: M| if double { d } else { s };
    let (m, imm) = match l.function.dfg.insts[inst].opcode() {
        Opcode::Sqrt => (pick(M::Sqrtss, M::Sqrtsd), None),
        Opcode::Nearest => (pick(M::Roundss, M::Roundsd), Some(8)),
        Opcode::Floor => (pick(M::Roundss, M::Roundsd), Some(9)),
        Opcode::Ceil => (pick(M::Roundss, M::Roundsd), Some(10)),
        Opcode::Trunc => (pick(M::Roundss, M::Roundsd), Some(11)),
        Opcode::Fpromote => (M::Cvtss2sd, None),
        Opcode::Fdemote => (M::Cvtsd2ss, None),
        _ => return Ok(false),
    };
    let (d, x) = (l.d(v), l.r(a));
    let mut i = l.m(m, Width::W128);
    i.def(d).reg(x).reg(x);
    if let Some(k) = imm {
        i.imm(k);
    }
    i.end();
    Ok(true)
}

/// The address of a stack slot.
pub(crate) fn stack_addr(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::StackAddr { stack_slot, offset, .. } = l.function.dfg.insts[inst] else {
        return Ok(false);
    };
    let d = l.d(l.result(inst));
    let start = l.stack_offsets[stack_slot.as_u32() as usize] as i32;
    let Some(disp) = displaced(start, offset.into()) else { return Ok(false) };
    let m = Addr { disp, ..Addr::of(Base::Stack(0)) };
    l.g(Code::Lea_r64_m, [Slot::R64, Slot::M]).def(d).mem(m).end();
    Ok(true)
}
