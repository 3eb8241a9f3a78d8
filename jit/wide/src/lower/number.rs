//! Conversions between scalar integers and floats.

use cranelift_codegen::ir::{Inst, Opcode, Value, types};
use iced_x86::Code;
use regalloc2::VReg;

use super::Lower;
use super::common::{cmov, extended};
use super::convert::to_int_sat_into;
use crate::inst::Cc;
use crate::ops::M;
use crate::regs::{Slot, Width};
use crate::{Level, Result};

/// Converts an integer to a scalar float.
pub(crate) fn from_int(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let signed = l.function.dfg.insts[inst].opcode() == Opcode::FcvtFromSint;
    let (d, from, double) = (l.d(v), l.ty(a), l.ty(v) == types::F64);
    if from.bits() == 64 && !signed {
        from_u64(l, d, a, double);
        return Ok(true);
    }
    let mut x = extended(l, a, signed);
    let small = from.bits() < 64 && signed;
    if from.bits() == 32 && !signed {
        let t = l.int();
        l.g(Code::Mov_r32_rm32, [Slot::R32, Slot::R32]).def(t).reg(x).end();
        x = t;
    }
    let m = match (double, small) {
        (false, true) => M::Cvtsi2ss32,
        (false, false) => M::Cvtsi2ss64,
        (true, true) => M::Cvtsi2sd32,
        (true, false) => M::Cvtsi2sd64,
    };
    from_register(l, m, d, x);
    Ok(true)
}

fn from_register(l: &mut Lower, m: M, d: VReg, x: VReg) {
    let z = l.vec();
    l.load_vector(z, &[0; 16]);
    l.m(m, Width::W128).def(d).reg(z).reg(x).end();
}

/// Converts an unsigned 64-bit integer. With AVX2, a number with the top bit set is halved, keeping the lost bit for
/// rounding, and the float is doubled.
fn from_u64(l: &mut Lower, d: VReg, a: Value, double: bool) {
    let x = l.r(a);
    if l.level == Level::Avx512 {
        return from_register(l, if double { M::Cvtusi2sd64 } else { M::Cvtusi2ss64 }, d, x);
    }
    let (half, low, both, y) = (l.int(), l.int(), l.int(), l.int());
    let (once, twice) = (l.vec(), l.vec());
    let r64 = [Slot::R64, Slot::R64];
    l.g(Code::Shr_rm64_imm8, [Slot::R64, Slot::I]).tied(half, x).imm(1).end();
    l.g(Code::And_rm32_imm8, [Slot::R32, Slot::I]).tied(low, x).imm(1).end();
    l.g(Code::Or_r64_rm64, r64).tied(both, half).reg(low).end();
    l.g(Code::Test_rm64_r64, r64).reg(x).reg(x).end();
    l.g(cmov(Cc::s, types::I64), r64).tied(y, x).reg(both).end();
    from_register(l, if double { M::Cvtsi2sd64 } else { M::Cvtsi2ss64 }, once, y);
    l.m(if double { M::Addsd } else { M::Addss }, Width::W128).def(twice).reg(once).reg(once).end();
    l.g(Code::Test_rm64_r64, r64).reg(x).reg(x).end();
    l.choose(Cc::s, Width::W128, d, twice, once);
}

/// Converts a scalar float to an integer, with saturation; NaN results in zero.
pub(crate) fn to_int_sat(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (to, from) = (l.ty(v), l.ty(a));
    let signed = l.function.dfg.insts[inst].opcode() == Opcode::FcvtToSintSat;
    let (d, x) = (l.d(v), l.r(a));
    match (to, from) {
        (types::I32, types::F32) => {
            // Use the vector conversion.
            let t = l.vec();
            to_int_sat_into(l, t, x, Width::W128, signed);
            l.m(M::MovdOut, Width::W128).def(d).reg(t).end();
        }
        (types::I32, types::F64) => to_i32_from_f64(l, d, x, signed),
        (types::I64, types::F32 | types::F64) => {
            let double = from == types::F64;
            if signed { to_i64(l, d, x, double) } else { to_u64(l, d, x, double) }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Bytes of a power of two, as a float operand.
fn power(n: i32, double: bool) -> Vec<u8> {
    let x = 2f64.powi(n);
    if double { x.to_le_bytes().to_vec() } else { (x as f32).to_le_bytes().to_vec() }
}

/// Every 32-bit integer is exact as an f64, so the limits are applied before the conversion.
fn to_i32_from_f64(l: &mut Lower, d: VReg, x: VReg, signed: bool) {
    let w = Width::W128;
    let (least, most) = if signed { (-2147483648f64, 2147483647f64) } else { (0.0, 4294967295.0) };
    let (p, q) = (l.vec(), l.vec());
    let bound = l.const_operand(M::Maxsd, &least.to_le_bytes());
    l.m(M::Maxsd, w).def(p).reg(x).rm(bound).end();
    let bound = l.const_operand(M::Minsd, &most.to_le_bytes());
    l.m(M::Minsd, w).def(q).reg(p).rm(bound).end();
    if !signed {
        // The maximum above has turned NaN into the lower bound, zero.
        l.m(M::Cvttsd2si64, w).def(d).reg(q).end();
        return;
    }
    let r = l.int();
    l.m(M::Cvttsd2si64, w).def(r).reg(q).end();
    zero_if_nan(l, d, r, x, true);
}

/// For numbers that are too large, the conversion itself returns the minimum.
fn to_i64(l: &mut Lower, d: VReg, x: VReg, double: bool) {
    let w = Width::W128;
    let (r, bounded, most) = (l.int(), l.int(), l.int());
    l.m(if double { M::Cvttsd2si64 } else { M::Cvttss2si64 }, w).def(r).reg(x).end();
    l.load_int(most, i64::MAX);
    compare(l, x, &power(63, double), double);
    l.g(cmov(Cc::ae, types::I64), [Slot::R64, Slot::R64]).tied(bounded, r).reg(most).end();
    zero_if_nan(l, d, bounded, x, double);
}

/// Negative numbers and NaN first become zero.
fn to_u64(l: &mut Lower, d: VReg, x: VReg, double: bool) {
    let w = Width::W128;
    let (z, p) = (l.vec(), l.vec());
    l.load_vector(z, &[0; 16]);
    l.m(if double { M::Maxsd } else { M::Maxss }, w).def(p).reg(x).reg(z).end();
    if l.level == Level::Avx512 {
        // The instruction returns all ones for numbers that are too large.
        l.m(if double { M::Cvttsd2usi64 } else { M::Cvttss2usi64 }, w).def(d).reg(p).end();
        return;
    }
    let cvt = if double { M::Cvttsd2si64 } else { M::Cvttss2si64 };
    let (low, rest, high, flipped, top) = (l.int(), l.vec(), l.int(), l.int(), l.int());
    let (either, ones) = (l.int(), l.int());
    let r64 = [Slot::R64, Slot::R64];
    l.m(cvt, w).def(low).reg(p).end();
    let sub = if double { M::Subsd } else { M::Subss };
    let bound = l.const_operand(sub, &power(63, double));
    l.m(sub, w).def(rest).reg(p).rm(bound).end();
    l.m(cvt, w).def(high).reg(rest).end();
    l.load_int(top, i64::MIN);
    l.load_int(ones, -1);
    l.g(Code::Xor_r64_rm64, r64).tied(flipped, high).reg(top).end();
    compare(l, p, &power(63, double), double);
    l.g(cmov(Cc::ae, types::I64), r64).tied(either, low).reg(flipped).end();
    compare(l, p, &power(64, double), double);
    l.g(cmov(Cc::ae, types::I64), r64).tied(d, either).reg(ones).end();
}

/// Sets the flags for a float compared with a constant.
fn compare(l: &mut Lower, x: VReg, with: &[u8], double: bool) {
    let m = if double { M::Ucomisd } else { M::Ucomiss };
    let bound = l.const_operand(m, with);
    l.m(m, Width::W128).reg(x).rm(bound).end();
}

/// `r`, or zero if the float is NaN.
fn zero_if_nan(l: &mut Lower, d: VReg, r: VReg, x: VReg, double: bool) {
    let zero = l.int();
    l.load_int(zero, 0);
    l.m(if double { M::Ucomisd } else { M::Ucomiss }, Width::W128).reg(x).reg(x).end();
    l.g(cmov(Cc::p, types::I64), [Slot::R64, Slot::R64]).tied(d, r).reg(zero).end();
}
