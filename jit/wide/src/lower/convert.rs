//! Conversions between numeric vectors.

use cranelift_codegen::ir::{Inst, Opcode, Type, types};
use regalloc2::VReg;

use super::common::unary;
use super::{Lower, by_lane};
use crate::ops::M;
use crate::regs::Width;
use crate::{Level, Result};

/// f32 from u32 with AVX2: both halves of the bits are exact as floats, and their sum rounds once.
pub(crate) fn from_uint32(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (w, d) = (Width::of(l.ty(v)), l.d(v));
    if l.level == Level::Avx512 {
        let x = l.rm(a, M::Cvtudq2ps);
        l.m(M::Cvtudq2ps, w).def(d).rm(x).end();
        return Ok(true);
    }
    if l.low_bits(a) < 32 {
        let x = l.rm(a, M::Cvtdq2ps);
        l.m(M::Cvtdq2ps, w).def(d).rm(x).end();
        return Ok(true);
    }
    let x = l.r(a);
    let t: [VReg; 5] = std::array::from_fn(|_| l.vec());
    // 2^23 + low half, 2^39 + 65536 * high half.
    let low = l.splat_operand(M::Pand, w, &0xffffu32.to_le_bytes());
    l.m(M::Pand, w).def(t[0]).reg(x).rm(low).end();
    let base = l.splat_operand(M::Por, w, &0x4b00_0000u32.to_le_bytes());
    l.m(M::Por, w).def(t[1]).reg(t[0]).rm(base).end();
    l.m(M::PsrldI, w).def(t[2]).reg(x).imm(16).end();
    let base = l.splat_operand(M::Por, w, &0x5300_0000u32.to_le_bytes());
    l.m(M::Por, w).def(t[3]).reg(t[2]).rm(base).end();
    let both = l.splat_operand(M::Subps, w, &(549755813888f32 + 8388608f32).to_le_bytes());
    l.m(M::Subps, w).def(t[4]).reg(t[3]).rm(both).end();
    l.m(M::Addps, w).def(d).reg(t[4]).reg(t[1]).end();
    Ok(true)
}

/// f64 from 64-bit integers.
pub(crate) fn from_int64(l: &mut Lower, inst: Inst) -> Result<bool> {
    if l.level == Level::Avx2 || l.ty(l.args(inst)[0]).lane_bits() != 64 {
        return Ok(false);
    }
    let signed = l.function.dfg.insts[inst].opcode() == Opcode::FcvtFromSint;
    unary(l, inst, if signed { M::Cvtqq2pd } else { M::Cvtuqq2pd })?;
    Ok(true)
}

/// Saturating conversion from floats; NaN results in zero.
pub(crate) fn to_int_sat(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    if l.ty(v).lane_type() != types::I32 || l.ty(a).lane_type() != types::F32 {
        return Ok(false);
    }
    let signed = l.function.dfg.insts[inst].opcode() == Opcode::FcvtToSintSat;
    let (w, d, x) = (Width::of(l.ty(v)), l.d(v), l.r(a));
    to_int_sat_into(l, d, x, w, signed);
    Ok(true)
}

pub(crate) fn to_int_sat_into(l: &mut Lower, d: VReg, x: VReg, w: Width, signed: bool) {
    let limit = if signed { 2147483648f32 } else { 4294967296f32 }.to_le_bytes();
    if !signed {
        // NaN and negative numbers become zero: a maximum returns its second operand for NaN.
        let (z, p) = (l.vec(), l.vec());
        l.load_vector(z, &vec![0; w.bytes() as usize]);
        l.m(M::Maxps, w).def(p).reg(x).reg(z).end();
        if l.level == Level::Avx512 {
            l.m(M::Cvttps2udq, w).def(d).reg(p).end();
            return;
        }
        // From 2^31 on, the remainder is converted separately; from 2^32 on, all bits are set.
        let t: [VReg; 6] = std::array::from_fn(|_| l.vec());
        l.m(M::Cvttps2dq, w).def(t[0]).reg(p).end();
        let half = l.splat_operand(M::Subps, w, &2147483648f32.to_le_bytes());
        l.m(M::Subps, w).def(t[1]).reg(p).rm(half).end();
        l.m(M::Cvttps2dq, w).def(t[2]).reg(t[1]).end();
        l.m(M::PsradI, w).def(t[3]).reg(t[0]).imm(31).end();
        l.m(M::Pand, w).def(t[4]).reg(t[2]).reg(t[3]).end();
        l.m(M::Por, w).def(t[5]).reg(t[0]).reg(t[4]).end();
        let (top, over) = (l.splat_operand(M::Cmpps, w, &limit), l.vec());
        l.m(M::Cmpps, w).def(over).reg(p).rm(top).imm(0x1d).end();
        l.m(M::Por, w).def(d).reg(t[5]).reg(over).end();
        return;
    }
    let t = l.vec();
    if l.level == Level::Avx512 {
        let (number, over) = (l.mask(), l.mask());
        l.m(M::Kcmpps, w).def(number).reg(x).reg(x).imm(0x07).end();
        l.m(M::Cvttps2dq, w).def(t).reg(x).mask(number, true).end();
        let top = l.splat_operand(M::Kcmpps, w, &limit);
        l.m(M::Kcmpps, w).def(over).reg(x).rm(top).imm(0x1d).end();
        let most = l.splat_operand(M::Pblendmd, w, &i32::MAX.to_le_bytes());
        l.m(M::Pblendmd, w).def(d).reg(t).rm(most).mask(over, false).end();
        return;
    }
    // Numbers that are too large have converted to the minimum; inverting its bits yields the maximum.
    let (number, p, over) = (l.vec(), l.vec(), l.vec());
    l.m(M::Cvttps2dq, w).def(t).reg(x).end();
    l.m(M::Cmpps, w).def(number).reg(x).reg(x).imm(0x07).end();
    l.m(M::Pand, w).def(p).reg(t).reg(number).end();
    let top = l.splat_operand(M::Cmpps, w, &limit);
    l.m(M::Cmpps, w).def(over).reg(x).rm(top).imm(0x1d).end();
    l.m(M::Pxor, w).def(d).reg(p).reg(over).end();
}

/// Widens the low or high half of the lanes to twice the width.
pub(crate) fn widen(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let opcode = l.function.dfg.insts[inst].opcode();
    let (from, w, d) = (l.ty(a), Width::of(l.ty(v)), l.d(v));
    let signed = matches!(opcode, Opcode::SwidenLow | Opcode::SwidenHigh);
    let high = matches!(opcode, Opcode::UwidenHigh | Opcode::SwidenHigh);
    if from.lane_bits() == 64 {
        return Ok(false);
    }
    let m = match signed {
        true => by_lane(from, [M::Pmovsxbw, M::Pmovsxwd, M::Pmovsxdq, M::Pmovsxdq]),
        false => by_lane(from, [M::Pmovzxbw, M::Pmovzxwd, M::Pmovzxdq, M::Pmovzxdq]),
    };
    let mut x = l.r(a);
    if high {
        let t = l.vec();
        match w {
            Width::W128 => l.m(M::Psrldq, w).def(t).reg(x).imm(8).end(),
            Width::W256 => l.m(M::Extract128, w).def(t).reg(x).imm(1).end(),
            Width::W512 => l.m(M::Extract256, w).def(t).reg(x).imm(1).end(),
        }
        x = t;
    }
    l.m(m, w).def(d).reg(x).end();
    Ok(true)
}

/// Narrows the lanes of two vectors to half the width, with saturation.
pub(crate) fn narrow(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let v = l.result(inst);
    let m = match (l.function.dfg.insts[inst].opcode(), l.ty(a).lane_bits()) {
        (Opcode::Snarrow, 16) => M::Packsswb,
        (Opcode::Snarrow, 32) => M::Packssdw,
        (Opcode::Unarrow, 16) => M::Packuswb,
        (Opcode::Unarrow, 32) => M::Packusdw,
        _ => return Ok(false),
    };
    let (w, d, x, y) = (Width::of(l.ty(v)), l.d(v), l.r(a), l.r(b));
    match w {
        Width::W128 => l.m(m, w).def(d).reg(x).reg(y).end(),
        Width::W256 => {
            // The instruction packs each 128-bit half separately.
            let t = l.vec();
            l.m(m, w).def(t).reg(x).reg(y).end();
            l.m(M::PermqI, w).def(d).reg(t).imm(0b11_01_10_00).end();
        }
        Width::W512 => {
            let (t, order) = (l.vec(), l.vec());
            l.m(m, w).def(t).reg(x).reg(y).end();
            let lanes: Vec<u8> = [0u64, 2, 4, 6, 1, 3, 5, 7].iter().flat_map(|n| n.to_le_bytes()).collect();
            l.load_vector(order, &lanes);
            l.m(M::Permq, w).def(d).reg(order).reg(t).end();
        }
    }
    Ok(true)
}

/// `fvpromote_low`, `fvdemote`: convert between f64 lanes and the low half of f32 lanes.
pub(crate) fn float_size(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (d, x) = (l.d(v), l.r(a));
    let (to, from): (Type, Type) = (l.ty(v), l.ty(a));
    match l.function.dfg.insts[inst].opcode() {
        Opcode::FvpromoteLow => l.m(M::Cvtps2pd, Width::of(to)).def(d).reg(x).end(),
        Opcode::Fvdemote => l.m(M::Cvtpd2ps, Width::of(from)).def(d).reg(x).end(),
        _ => return Ok(false),
    }
    Ok(true)
}
