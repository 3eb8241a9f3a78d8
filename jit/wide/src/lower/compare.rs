//! Comparisons, flags, and selections by boolean values.

use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{Inst, InstructionData, Opcode, Type, Value, types};
use iced_x86::Code;
use regalloc2::VReg;

use super::build::Rm;
use super::common::{CMP, extended, folds, int_rm, not, slot, wide};
use super::{Lower, by_count, by_lane};
use crate::inst::Cc;
use crate::ops::M;
use crate::regs::{Slot, Width};
use crate::{Level, Result};

fn setcc(cc: Cc) -> Code {
    const CODES: [Code; 16] = [
        Code::Seto_rm8,
        Code::Setno_rm8,
        Code::Setb_rm8,
        Code::Setae_rm8,
        Code::Sete_rm8,
        Code::Setne_rm8,
        Code::Setbe_rm8,
        Code::Seta_rm8,
        Code::Sets_rm8,
        Code::Setns_rm8,
        Code::Setp_rm8,
        Code::Setnp_rm8,
        Code::Setl_rm8,
        Code::Setge_rm8,
        Code::Setle_rm8,
        Code::Setg_rm8,
    ];
    CODES[cc.number()]
}

fn int_cc(cc: IntCC) -> Cc {
    match cc {
        IntCC::Equal => Cc::e,
        IntCC::NotEqual => Cc::ne,
        IntCC::SignedLessThan => Cc::l,
        IntCC::SignedGreaterThanOrEqual => Cc::ge,
        IntCC::SignedGreaterThan => Cc::g,
        IntCC::SignedLessThanOrEqual => Cc::le,
        IntCC::UnsignedLessThan => Cc::b,
        IntCC::UnsignedGreaterThanOrEqual => Cc::ae,
        IntCC::UnsignedGreaterThan => Cc::a,
        IntCC::UnsignedLessThanOrEqual => Cc::be,
    }
}

/// Maximum number of instructions through which a condition is traced.
const DEPTH: u32 = 6;

/// Sets the flags, and returns the condition that holds if a scalar is nonzero.
pub(crate) fn flags(l: &mut Lower, v: Value) -> Cc {
    flags_within(l, v, DEPTH)
}

fn flags_within(l: &mut Lower, v: Value, depth: u32) -> Cc {
    if l.once(v) && depth > 0 {
        if let Some((inst, data)) = l.def(v) {
            match *data {
                InstructionData::IntCompare { args, cond, .. } if !l.ty(args[0]).is_vector() => {
                    return int_flags(l, cond, args[0], args[1]);
                }
                InstructionData::FloatCompare { args, cond, .. } if !l.ty(args[0]).is_vector() => {
                    return float_flags(l, cond, args[0], args[1]);
                }
                InstructionData::Unary { opcode: Opcode::VanyTrue | Opcode::VallTrue, .. } => {
                    if let Some(cc) = vector_flags(l, inst) {
                        return cc;
                    }
                }
                InstructionData::Unary { opcode: Opcode::Uextend, arg } => {
                    return flags_within(l, arg, depth - 1);
                }
                InstructionData::Binary { opcode: Opcode::Bxor, args: [a, one] }
                    if l.int_const(one) == Some(1) && is_bit(l, a, DEPTH) =>
                {
                    return flags_within(l, a, depth - 1).inverse();
                }
                InstructionData::Binary { opcode: Opcode::Band, args: [a, b] } if l.ty(v).bits() >= 32 => {
                    let (w, s) = (wide(l.ty(v)), slot(l.ty(v)));
                    let x = l.r(a);
                    match l.int_const(b).and_then(|k| i32::try_from(k).ok()) {
                        Some(k) => {
                            let code = [Code::Test_rm32_imm32, Code::Test_rm64_imm32][w];
                            l.g(code, [s, Slot::I]).reg(x).imm(i64::from(k)).end();
                        }
                        None => {
                            let y = l.r(b);
                            l.g([Code::Test_rm32_r32, Code::Test_rm64_r64][w], [s, s]).reg(x).reg(y).end();
                        }
                    }
                    return Cc::ne;
                }
                _ => {}
            }
        }
    }
    let x = l.r(v);
    let (code, s) = match l.ty(v).bits() {
        8 => (Code::Test_rm8_r8, Slot::R8),
        16 => (Code::Test_rm16_r16, Slot::R16),
        64 => (Code::Test_rm64_r64, Slot::R64),
        _ => (Code::Test_rm32_r32, Slot::R32),
    };
    l.g(code, [s, s]).reg(x).reg(x).end();
    Cc::ne
}

/// `true` if a scalar is known to be 0 or 1.
fn is_bit(l: &Lower, v: Value, depth: u32) -> bool {
    let Some((_, data)) = l.def(v) else { return false };
    match *data {
        InstructionData::IntCompare { .. }
        | InstructionData::FloatCompare { .. }
        | InstructionData::Unary { opcode: Opcode::VanyTrue | Opcode::VallTrue, .. } => true,
        InstructionData::Binary { opcode: Opcode::Band | Opcode::Bor | Opcode::Bxor, args } if depth > 0 => {
            args.iter().all(|&a| is_bit(l, a, depth - 1) || matches!(l.int_const(a), Some(0 | 1)))
        }
        _ => false,
    }
}

fn int_flags(l: &mut Lower, cc: IntCC, a: Value, b: Value) -> Cc {
    let ty = l.ty(a);
    let (a, b, cc) = if l.int_const(a).is_some() { (b, a, cc.swap_args()) } else { (a, b, cc) };
    let out = int_cc(cc);
    if ty.bits() < 32 {
        let signed = matches!(
            cc,
            IntCC::SignedLessThan
                | IntCC::SignedGreaterThanOrEqual
                | IntCC::SignedGreaterThan
                | IntCC::SignedLessThanOrEqual
        );
        let (x, y) = (extended(l, a, signed), extended(l, b, signed));
        l.g(CMP.rm[0], [Slot::R32, Slot::R32]).reg(x).reg(y).end();
        return out;
    }
    let (w, s) = (wide(ty), slot(ty));
    match l.int_const(b).and_then(|k| i32::try_from(k).ok()) {
        Some(0) if matches!(cc, IntCC::Equal | IntCC::NotEqual) => {
            let x = l.r(a);
            l.g([Code::Test_rm32_r32, Code::Test_rm64_r64][w], [s, s]).reg(x).reg(x).end();
        }
        Some(k) => {
            let x = int_rm(l, a);
            let code = if i8::try_from(k).is_ok() { CMP.imm8[w] } else { CMP.imm32[w] };
            l.g(code, [s, Slot::I]).rm(x).imm(i64::from(k)).end();
        }
        None => {
            let (y, x) = (int_rm(l, b), l.r(a));
            l.g(CMP.rm[w], [s, s]).reg(x).rm(y).end();
        }
    }
    out
}

fn float_flags(l: &mut Lower, cc: FloatCC, a: Value, b: Value) -> Cc {
    use FloatCC::*;
    // After ucomis: carry if less or unordered, zero if equal or unordered, parity if unordered.
    let (swap, out) = match cc {
        GreaterThan => (false, Cc::a),
        GreaterThanOrEqual => (false, Cc::ae),
        LessThan => (true, Cc::a),
        LessThanOrEqual => (true, Cc::ae),
        UnorderedOrLessThan => (false, Cc::b),
        UnorderedOrLessThanOrEqual => (false, Cc::be),
        UnorderedOrGreaterThan => (true, Cc::b),
        UnorderedOrGreaterThanOrEqual => (true, Cc::be),
        Ordered => (false, Cc::np),
        Unordered => (false, Cc::p),
        OrderedNotEqual => (false, Cc::ne),
        UnorderedOrEqual => (false, Cc::e),
        Equal | NotEqual => {
            let r = float_bits(l, cc, a, b);
            l.g(Code::Test_rm32_r32, [Slot::R32, Slot::R32]).reg(r).reg(r).end();
            return Cc::ne;
        }
    };
    let (a, b) = if swap { (b, a) } else { (a, b) };
    let m = if l.ty(a) == types::F64 { M::Ucomisd } else { M::Ucomiss };
    let (x, y) = (l.r(a), l.rm(b, m));
    l.m(m, Width::W128).reg(x).rm(y).end();
    out
}

/// A comparison of scalar floats as 0 or 1; the bits above the type are undefined.
fn float_bits(l: &mut Lower, cc: FloatCC, a: Value, b: Value) -> VReg {
    let double = l.ty(a) == types::F64;
    let r = l.int();
    let x = l.r(a);
    if l.level == Level::Avx512 {
        let m = if double { M::Kcmpsd } else { M::Kcmpss };
        let (k, y) = (l.mask(), l.rm(b, m));
        l.m(m, Width::W128).def(k).reg(x).rm(y).imm(predicate(cc)).end();
        l.m(M::KmovOutd, Width::W128).def(r).reg(k).end();
        return r;
    }
    let m = if double { M::Cmpsd } else { M::Cmpss };
    let (t, y, all) = (l.vec(), l.rm(b, m), l.int());
    l.m(m, Width::W128).def(t).reg(x).rm(y).imm(predicate(cc)).end();
    l.m(M::MovdOut, Width::W128).def(all).reg(t).end();
    l.g(Code::And_rm32_imm8, [Slot::R32, Slot::I]).tied(r, all).imm(1).end();
    r
}

/// The predicate of `vcmpps`; all predicates used here are non-signalling.
fn predicate(cc: FloatCC) -> i64 {
    match cc {
        FloatCC::Equal => 0x00,
        FloatCC::LessThan => 0x11,
        FloatCC::LessThanOrEqual => 0x12,
        FloatCC::Unordered => 0x03,
        FloatCC::NotEqual => 0x04,
        FloatCC::UnorderedOrGreaterThanOrEqual => 0x15,
        FloatCC::UnorderedOrGreaterThan => 0x16,
        FloatCC::Ordered => 0x07,
        FloatCC::UnorderedOrEqual => 0x08,
        FloatCC::UnorderedOrLessThan => 0x19,
        FloatCC::UnorderedOrLessThanOrEqual => 0x1a,
        FloatCC::OrderedNotEqual => 0x0c,
        FloatCC::GreaterThanOrEqual => 0x1d,
        FloatCC::GreaterThan => 0x1e,
    }
}

/// A scalar comparison as a value.
pub(crate) fn scalar_compare(l: &mut Lower, inst: Inst) -> Result<bool> {
    let d = l.d(l.result(inst));
    let cc = match l.function.dfg.insts[inst] {
        InstructionData::IntCompare { args, cond, .. } => int_flags(l, cond, args[0], args[1]),
        InstructionData::FloatCompare { args, cond: cond @ (FloatCC::Equal | FloatCC::NotEqual), .. } => {
            let r = float_bits(l, cond, args[0], args[1]);
            l.g(Code::Mov_r32_rm32, [Slot::R32, Slot::R32]).def(d).reg(r).end();
            return Ok(true);
        }
        InstructionData::FloatCompare { args, cond, .. } => float_flags(l, cond, args[0], args[1]),
        _ => return Ok(false),
    };
    l.g(setcc(cc), [Slot::R8]).def(d).end();
    Ok(true)
}

/// Vector comparison: into a mask, or into lanes of ones and zeros.
pub(crate) fn vector_compare(l: &mut Lower, inst: Inst) -> Result<bool> {
    let v = l.result(inst);
    let d = l.d(v);
    match (l.level, &l.function.dfg.insts[inst]) {
        (Level::Avx512, data) => Ok(compare_into_mask(l, d, data, false, None)),
        (Level::Avx2, &InstructionData::FloatCompare { args: [a, b], cond, .. }) => {
            let ((a, b, cond), ty) = (constant_second(l, a, b, cond), l.ty(a));
            let m = if ty.lane_type() == types::F64 { M::Cmppd } else { M::Cmpps };
            let (x, y) = (l.r(a), l.rm(b, m));
            l.m(m, Width::of(ty)).def(d).reg(x).rm(y).imm(predicate(cond)).end();
            Ok(true)
        }
        (Level::Avx2, &InstructionData::IntCompare { args: [a, b], cond, .. }) => {
            Ok(lane_compare(l, d, cond, a, b))
        }
        _ => Ok(false),
    }
}

/// The vector comparison behind a value, if the value has no other use; the flag is `true` if the value is its
/// complement.
pub(crate) fn lone_compare<'a>(l: &Lower<'a>, v: Value) -> Option<(&'a InstructionData, bool)> {
    let (v, flip) = match l.args_of(v, Opcode::Bnot).filter(|_| l.once(v)) {
        Some(&[x]) => (x, true),
        _ => (v, false),
    };
    let (_, data) = l.def(v).filter(|_| l.once(v))?;
    let compares = matches!(data, InstructionData::FloatCompare { .. } | InstructionData::IntCompare { .. });
    (compares && l.ty(v).is_vector()).then_some((data, flip))
}

/// Swaps operands so that the one that may be in memory comes last.
fn constant_second<C: CondCode>(l: &Lower, a: Value, b: Value, cc: C) -> (Value, Value, C) {
    if folds(l, a) && !folds(l, b) { (b, a, cc.swap_args()) } else { (a, b, cc) }
}

/// Emits a comparison, or its complement if `flip`, into a mask register; lanes outside of `within` are false. Returns
/// false if `data` is not a comparison.
pub(crate) fn compare_into_mask(
    l: &mut Lower,
    d: VReg,
    data: &InstructionData,
    flip: bool,
    within: Option<VReg>,
) -> bool {
    match *data {
        InstructionData::FloatCompare { args: [a, b], cond, .. } => {
            let cond = if flip { cond.complement() } else { cond };
            let ((a, b, cond), ty) = (constant_second(l, a, b, cond), l.ty(a));
            let m = if ty.lane_type() == types::F64 { M::Kcmppd } else { M::Kcmpps };
            let (x, y) = (l.r(a), l.rm(b, m));
            let mut i = l.m(m, Width::of(ty));
            i.def(d).reg(x).rm(y).imm(predicate(cond));
            within.into_iter().for_each(|k| _ = i.mask(k, false));
            i.end();
        }
        InstructionData::IntCompare { args: [a, b], cond, .. } => {
            let cond = if flip { cond.complement() } else { cond };
            let (a, b, cond) = constant_second(l, a, b, cond);
            mask_compare(l, d, cond, a, b, within);
        }
        _ => return false,
    }
    true
}

fn mask_compare(l: &mut Lower, d: VReg, cc: IntCC, a: Value, b: Value, within: Option<VReg>) {
    let ty = l.ty(a);
    let signed = by_lane(ty, [M::Kpcmpb, M::Kpcmpw, M::Kpcmpd, M::Kpcmpq]);
    let unsigned = by_lane(ty, [M::Kpcmpub, M::Kpcmpuw, M::Kpcmpud, M::Kpcmpuq]);
    let (m, imm) = match cc {
        IntCC::Equal => (signed, 0),
        IntCC::SignedLessThan => (signed, 1),
        IntCC::SignedLessThanOrEqual => (signed, 2),
        IntCC::NotEqual => (signed, 4),
        IntCC::SignedGreaterThanOrEqual => (signed, 5),
        IntCC::SignedGreaterThan => (signed, 6),
        IntCC::UnsignedLessThan => (unsigned, 1),
        IntCC::UnsignedLessThanOrEqual => (unsigned, 2),
        IntCC::UnsignedGreaterThanOrEqual => (unsigned, 5),
        IntCC::UnsignedGreaterThan => (unsigned, 6),
    };
    let w = Width::of(ty);
    // A test of the common bits of two vectors against zero.
    let zero = l.const_lanes(b).is_some_and(|b| b.iter().all(|&x| x == 0));
    if zero && matches!(cc, IntCC::Equal | IntCC::NotEqual) {
        let m = match cc {
            IntCC::Equal => by_lane(ty, [M::Kptestnmb, M::Kptestnmw, M::Kptestnmd, M::Kptestnmq]),
            _ => by_lane(ty, [M::Kptestmb, M::Kptestmw, M::Kptestmd, M::Kptestmq]),
        };
        let (x, y) = match l.args_of(a, Opcode::Band).filter(|_| l.once(a)) {
            Some(&[x, y]) if !l.in_mask(a) => (l.r(x), l.rm(y, m)),
            _ => {
                let x = l.r(a);
                (x, Rm::Reg(x))
            }
        };
        let mut i = l.m(m, w);
        i.def(d).reg(x).rm(y);
        within.into_iter().for_each(|k| _ = i.mask(k, false));
        i.end();
        return;
    }
    let (x, y) = (l.r(a), l.rm(b, m));
    let mut i = l.m(m, w);
    i.def(d).reg(x).rm(y).imm(imm);
    within.into_iter().for_each(|k| _ = i.mask(k, false));
    i.end();
}

/// AVX2 only has equality and signed greater-than; other conditions use minimum, maximum and complement.
fn lane_compare(l: &mut Lower, d: VReg, cc: IntCC, a: Value, b: Value) -> bool {
    let (ty, w) = (l.ty(a), Width::of(l.ty(a)));
    let eq = by_lane(ty, [M::Pcmpeqb, M::Pcmpeqw, M::Pcmpeqd, M::Pcmpeqq]);
    let gt = by_lane(ty, [M::Pcmpgtb, M::Pcmpgtw, M::Pcmpgtd, M::Pcmpgtq]);
    let (a, b, cc) = match cc {
        IntCC::SignedLessThan
        | IntCC::SignedGreaterThanOrEqual
        | IntCC::UnsignedLessThan
        | IntCC::UnsignedGreaterThanOrEqual => (a, b, cc),
        IntCC::SignedGreaterThan
        | IntCC::SignedLessThanOrEqual
        | IntCC::UnsignedGreaterThan
        | IntCC::UnsignedLessThanOrEqual => (b, a, cc.swap_args()),
        _ => (a, b, cc),
    };
    // The remaining conditions are equality, less than, and their complements.
    match cc {
        IntCC::Equal => {
            let (x, y) = (l.r(a), l.rm(b, eq));
            l.m(eq, w).def(d).reg(x).rm(y).end();
        }
        IntCC::NotEqual => {
            let (x, y, t) = (l.r(a), l.rm(b, eq), l.vec());
            l.m(eq, w).def(t).reg(x).rm(y).end();
            not(l, d, t, w);
        }
        IntCC::SignedLessThan => {
            let (y, x) = (l.r(b), l.rm(a, gt));
            l.m(gt, w).def(d).reg(y).rm(x).end();
        }
        IntCC::SignedGreaterThanOrEqual => {
            let (y, x, t) = (l.r(b), l.rm(a, gt), l.vec());
            l.m(gt, w).def(t).reg(y).rm(x).end();
            not(l, d, t, w);
        }
        IntCC::UnsignedLessThan | IntCC::UnsignedGreaterThanOrEqual => {
            let (x, y) = (l.r(a), l.r(b));
            let less = cc == IntCC::UnsignedLessThan;
            if ty.lane_bits() == 64 {
                // With inverted sign bits, the unsigned order equals the signed order.
                let (p, q) = (l.vec(), l.vec());
                let sign = l.splat_operand(M::Pxor, w, &(1u64 << 63).to_le_bytes());
                l.m(M::Pxor, w).def(p).reg(x).rm(sign).end();
                l.m(M::Pxor, w).def(q).reg(y).rm(sign).end();
                let t = if less { d } else { l.vec() };
                l.m(gt, w).def(t).reg(q).reg(p).end();
                if !less {
                    not(l, d, t, w);
                }
                return true;
            }
            // a >= b if and only if max(a, b) == a.
            let max = by_lane(ty, [M::Pmaxub, M::Pmaxuw, M::Pmaxud, M::Pmaxuq]);
            let t = l.vec();
            l.m(max, w).def(t).reg(x).reg(y).end();
            let e = if less { l.vec() } else { d };
            l.m(eq, w).def(e).reg(t).reg(x).end();
            if less {
                not(l, d, e, w);
            }
        }
        _ => return false,
    }
    true
}

/// Sets the flags for `vany_true` or `vall_true`, if a single test suffices.
fn vector_flags(l: &mut Lower, inst: Inst) -> Option<Cc> {
    let (v, any) = (l.args(inst)[0], l.function.dfg.insts[inst].opcode() == Opcode::VanyTrue);
    let (ty, w) = (l.ty(v), Width::of(l.ty(v)));
    let truth = l.is_truth(v);
    if l.level == Level::Avx512 {
        let test = by_count(ty, [M::Kortestb, M::Kortestw, M::Kortestd, M::Kortestq]);
        let both = by_count(ty, [M::Ktestb, M::Ktestw, M::Ktestd, M::Ktestq]);
        if !truth {
            let x = l.r(v);
            let k = l.mask();
            let m = by_lane(ty, [M::Kptestmb, M::Kptestmw, M::Kptestmd, M::Kptestmq]);
            l.m(m, w).def(k).reg(x).reg(x).end();
            return Some(mask_flags(l, k, k, ty, any, test));
        }
        if let (Some(&[a, b]), true, true) = (l.args_of(v, Opcode::Bor), l.once(v), any) {
            let (x, y) = (l.k(a), l.k(b));
            return Some(mask_flags(l, x, y, ty, any, test));
        }
        if let (Some(&[a, b]), true, true) = (l.args_of(v, Opcode::Band), l.once(v), any) {
            let (x, y) = (l.k(a), l.k(b));
            l.m(both, Width::W128).reg(x).reg(y).end();
            return Some(Cc::ne);
        }
        let k = l.k(v);
        return Some(mask_flags(l, k, k, ty, any, test));
    }
    if any {
        let (x, y) = match l.args_of(v, Opcode::Band).filter(|_| l.once(v)) {
            Some(&[a, b]) => (l.r(a), l.r(b)),
            _ => {
                let x = l.r(v);
                (x, x)
            }
        };
        l.m(M::Ptest, w).reg(x).reg(y).end();
        return Some(Cc::ne);
    }
    if truth {
        // All lanes are set if every sign bit is set.
        let x = l.r(v);
        let bits = l.int();
        let m = if ty.lane_bits() == 64 {
            M::Movmskpd
        } else if ty.lane_bits() == 32 {
            M::Movmskps
        } else {
            M::Pmovmskb
        };
        l.m(m, w).def(bits).reg(x).end();
        let n = if ty.lane_bits() >= 32 { ty.lane_count() } else { w.bytes() };
        let all = if n == 32 { -1 } else { (1i64 << n) - 1 };
        l.g(Code::Cmp_rm32_imm32, [Slot::R32, Slot::I]).reg(bits).imm(all).end();
        return Some(Cc::e);
    }
    let (x, z, t) = (l.r(v), l.vec(), l.vec());
    l.load_vector(z, &vec![0; w.bytes() as usize]);
    let eq = by_lane(ty, [M::Pcmpeqb, M::Pcmpeqw, M::Pcmpeqd, M::Pcmpeqq]);
    l.m(eq, w).def(t).reg(x).reg(z).end();
    l.m(M::Ptest, w).reg(t).reg(t).end();
    Some(Cc::e)
}

/// Sets the flags for any bit of two masks, or for all bits of one mask.
fn mask_flags(l: &mut Lower, x: VReg, y: VReg, ty: Type, any: bool, test: M) -> Cc {
    if any || ty.lane_count() >= 8 {
        l.m(test, Width::W128).reg(x).reg(y).end();
        return if any { Cc::ne } else { Cc::b };
    }
    let r = l.int();
    l.m(M::KmovOutd, Width::W128).def(r).reg(x).end();
    let all = (1i64 << ty.lane_count()) - 1;
    l.g(Code::Cmp_rm32_imm8, [Slot::R32, Slot::I]).reg(r).imm(all).end();
    Cc::e
}

/// `vany_true` and `vall_true` as values.
pub(crate) fn any_all(l: &mut Lower, inst: Inst) -> Result<bool> {
    let d = l.d(l.result(inst));
    let Some(cc) = vector_flags(l, inst) else { return Ok(false) };
    l.g(setcc(cc), [Slot::R8]).def(d).end();
    Ok(true)
}

/// The sign bits of the lanes.
pub(crate) fn high_bits(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (d, v) = (l.d(l.result(inst)), l.args(inst)[0]);
    let (ty, w) = (l.ty(v), Width::of(l.ty(v)));
    if l.level == Level::Avx512 {
        let k = l.k(v);
        let m = if ty.lane_count() == 64 { M::KmovOutq } else { M::KmovOutd };
        l.m(m, Width::W128).def(d).reg(k).end();
        return Ok(true);
    }
    let x = l.r(v);
    match ty.lane_bits() {
        64 => l.m(M::Movmskpd, w).def(d).reg(x).end(),
        32 => l.m(M::Movmskps, w).def(d).reg(x).end(),
        8 => l.m(M::Pmovmskb, w).def(d).reg(x).end(),
        _ => {
            // Extract every other bit of the sign bits of the bytes.
            let (t, k) = (l.int(), l.int());
            l.m(M::Pmovmskb, w).def(t).reg(x).end();
            l.load_int(k, 0xaaaa_aaaa);
            l.g(Code::VEX_Pext_r32_r32_rm32, [Slot::R32, Slot::R32, Slot::R32]).def(d).reg(t).reg(k).end();
        }
    }
    Ok(true)
}
