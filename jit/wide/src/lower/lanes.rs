//! Lane insertion and extraction, and moves across lanes.

use cranelift_codegen::ir::{Inst, InstructionData, Type, Value, types};
use regalloc2::VReg;

use super::build::Rm;
use super::{Lower, by_lane, common};
use crate::ops::M;
use crate::regs::Width;
use crate::{Level, Result};

/// Copies a scalar to every lane.
pub(crate) fn splat(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (ty, d) = (l.ty(v), l.d(v));
    let w = Width::of(ty);
    if ty.lane_bits() >= 32 {
        if let Some(m) = l.folded_load(a, ty.lane_type().bytes()) {
            let by = match (ty.lane_bits(), w) {
                (32, _) => M::BroadcastssLoad,
                (_, Width::W128) => M::Pbroadcastq,
                _ => M::BroadcastsdLoad,
            };
            l.m(by, w).def(d).mem(m).end();
            return Ok(true);
        }
    }
    let x = l.r(a);
    splat_into(l, d, x, ty);
    Ok(true)
}

/// Broadcasts a scalar register to the lanes of a type.
pub(crate) fn splat_into(l: &mut Lower, d: VReg, x: VReg, ty: Type) {
    let w = Width::of(ty);
    if ty.lane_type().is_float() {
        match (ty.lane_bits(), w) {
            (32, _) => l.m(M::Broadcastss, w).def(d).reg(x).end(),
            (_, Width::W128) => l.m(M::Pbroadcastq, w).def(d).reg(x).end(),
            _ => l.m(M::Broadcastsd, w).def(d).reg(x).end(),
        }
        return;
    }
    if l.level == Level::Avx512 {
        let m = by_lane(ty, [M::PbroadcastGb, M::PbroadcastGw, M::PbroadcastGd, M::PbroadcastGq]);
        l.m(m, w).def(d).reg(x).end();
        return;
    }
    let t = l.vec();
    l.m(if ty.lane_bits() == 64 { M::Movq } else { M::Movd }, Width::W128).def(t).reg(x).end();
    let m = by_lane(ty, [M::Pbroadcastb, M::Pbroadcastw, M::Pbroadcastd, M::Pbroadcastq]);
    l.m(m, w).def(d).reg(t).end();
}

/// Sets the first lane; the other lanes are zero.
pub(crate) fn scalar_to_vector(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (ty, d) = (l.ty(v), l.d(v));
    let bits = ty.lane_bits();
    if let Some(m) = l.folded_load(a, ty.lane_type().bytes()).filter(|_| bits >= 32) {
        let load = if bits == 32 { M::MovssLoad } else { M::MovsdLoad };
        l.m(load, Width::W128).def(d).mem(m).end();
        return Ok(true);
    }
    match (ty.lane_type().is_float(), bits) {
        (true, 32) => {
            let x = l.r(a);
            l.m(M::Insertps, Width::W128).def(d).reg(x).reg(x).imm(0b1110).end();
        }
        (true, _) => {
            let x = l.r(a);
            l.m(M::MovqLow, Width::W128).def(d).reg(x).end();
        }
        (false, 64) => {
            let x = l.r(a);
            l.m(M::Movq, Width::W128).def(d).reg(x).end();
        }
        (false, _) => {
            let x = common::extended(l, a, false);
            l.m(M::Movd, Width::W128).def(d).reg(x).end();
        }
    }
    Ok(true)
}

/// The 128-bit part of a vector that contains a lane, and the lane's number in that part.
fn part_of(l: &mut Lower, x: VReg, ty: Type, lane: u32) -> (VReg, u32) {
    let per = 128 / ty.lane_bits();
    let part = lane / per;
    if part == 0 {
        return (x, lane);
    }
    let t = l.vec();
    l.m(M::Extract128, Width::of(ty)).def(t).reg(x).imm(i64::from(part)).end();
    (t, lane % per)
}

pub(crate) fn extract(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::BinaryImm8 { arg, imm, .. } = l.function.dfg.insts[inst] else { return Ok(false) };
    let d = l.d(l.result(inst));
    let ty = l.ty(arg);
    let x = l.r(arg);
    let (t, lane) = part_of(l, x, ty, u32::from(imm));
    let lane = i64::from(lane);
    let w = Width::W128;
    match (ty.lane_type(), lane) {
        (types::F32, _) => l.m(M::PermilpsI, w).def(d).reg(t).imm(lane).end(),
        (types::F64, _) => l.m(M::PermilpdI, w).def(d).reg(t).imm(lane).end(),
        (types::I32, 0) => l.m(M::MovdOut, w).def(d).reg(t).end(),
        (types::I64, 0) => l.m(M::MovqOut, w).def(d).reg(t).end(),
        _ => {
            let m = by_lane(ty, [M::Pextrb, M::Pextrw, M::Pextrd, M::Pextrq]);
            l.m(m, w).def(d).reg(t).imm(lane).end();
        }
    }
    Ok(true)
}

pub(crate) fn insert(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::TernaryImm8 { args: [a, b], imm, .. } = l.function.dfg.insts[inst] else {
        return Ok(false);
    };
    let d = l.d(l.result(inst));
    let (ty, lane) = (l.ty(a), u32::from(imm));
    let w = Width::of(ty);
    let x = l.r(a);
    if w != Width::W128 {
        return insert_wide(l, d, x, b, ty, lane);
    }
    insert_128(l, d, x, b, ty, lane)
}

fn insert_128(l: &mut Lower, d: VReg, x: VReg, b: Value, ty: Type, lane: u32) -> Result<bool> {
    let (w, lane) = (Width::W128, i64::from(lane));
    match ty.lane_type() {
        types::F32 => {
            let y = l.rm(b, M::Insertps);
            l.m(M::Insertps, w).def(d).reg(x).rm(y).imm(lane << 4).end();
        }
        types::F64 => {
            let y = l.r(b);
            match lane {
                0 => l.m(M::Shufps, w).def(d).reg(y).reg(x).imm(0b11_10_01_00).end(),
                _ => l.m(M::Punpcklqdq, w).def(d).reg(x).reg(y).end(),
            }
        }
        _ => {
            let m = by_lane(ty, [M::Pinsrb, M::Pinsrw, M::Pinsrd, M::Pinsrq]);
            let y = match l.folded_load(b, ty.lane_type().bytes()) {
                Some(m) => Rm::Mem(m),
                None => Rm::Reg(l.r(b)),
            };
            l.m(m, w).def(d).reg(x).rm(y).imm(lane).end();
        }
    }
    Ok(true)
}

fn insert_wide(l: &mut Lower, d: VReg, x: VReg, b: Value, ty: Type, lane: u32) -> Result<bool> {
    let w = Width::of(ty);
    let y = l.r(b);
    if l.level == Level::Avx512 {
        let k = l.mask_constant(1 << lane);
        let m = match ty.lane_type() {
            types::F32 => M::Broadcastss,
            types::F64 => M::Broadcastsd,
            _ => by_lane(ty, [M::PbroadcastGb, M::PbroadcastGw, M::PbroadcastGd, M::PbroadcastGq]),
        };
        l.m(m, w).tied(d, x).reg(y).mask(k, false).end();
        return Ok(true);
    }
    if ty.lane_bits() >= 32 {
        let all = l.vec();
        splat_into(l, all, y, ty);
        let bits = if ty.lane_bits() == 32 { 1 << lane } else { 3 << (2 * lane) };
        l.m(M::PblenddI, w).def(d).reg(x).reg(all).imm(bits).end();
        return Ok(true);
    }
    let (part, at) = part_of(l, x, ty, lane);
    let t = l.vec();
    let m = by_lane(ty, [M::Pinsrb, M::Pinsrw, M::Pinsrd, M::Pinsrq]);
    l.m(m, Width::W128).def(t).reg(part).reg(y).imm(i64::from(at)).end();
    let n = i64::from(lane / (128 / ty.lane_bits()));
    l.m(M::Insert128, w).def(d).reg(x).reg(t).imm(n).end();
    Ok(true)
}

/// Shuffles the bytes of two vectors of 128 bits.
pub(crate) fn shuffle(l: &mut Lower, inst: Inst) -> Result<bool> {
    let InstructionData::Shuffle { args: [a, b], imm, .. } = l.function.dfg.insts[inst] else {
        return Ok(false);
    };
    let d = l.d(l.result(inst));
    let bytes: Vec<u8> =
        l.function.dfg.immediates.get(imm).map(|i| i.as_slice().to_vec()).unwrap_or_default();
    let w = Width::W128;
    let (x, y) = (l.r(a), l.r(b));
    if let Some(n) = whole(&bytes, 4)
        && shuffle_words(l, d, x, y, [n[0], n[1], n[2], n[3]], w)
    {
        return Ok(true);
    }
    // Shuffle the bytes of each vector, with zeros in the other positions.
    let (p, q) = (l.vec(), l.vec());
    let first: Vec<u8> = bytes.iter().map(|&b| if b < 16 { b } else { 0x80 }).collect();
    let second: Vec<u8> = bytes.iter().map(|&b| if b < 16 { 0x80 } else { b - 16 }).collect();
    let first = l.const_operand(M::Pshufb, &first);
    l.m(M::Pshufb, w).def(p).reg(x).rm(first).end();
    let second = l.const_operand(M::Pshufb, &second);
    l.m(M::Pshufb, w).def(q).reg(y).rm(second).end();
    l.m(M::Por, w).def(d).reg(p).reg(q).end();
    Ok(true)
}

/// In each 128 bits, selects four words from `x` (0..4) and `y` (4..8), if a single instruction can do it.
pub(crate) fn shuffle_words(l: &mut Lower, d: VReg, x: VReg, y: VReg, n: [u8; 4], w: Width) -> bool {
    let imm = |p: [u8; 4]| p.iter().rev().fold(0i64, |i, &n| i << 2 | i64::from(n & 3));
    let from = |k: usize| n[k] / 4;
    if n.iter().all(|&k| k / 4 == n[0] / 4) {
        let x = if n[0] < 4 { x } else { y };
        l.m(M::Pshufd, w).def(d).reg(x).imm(imm(n)).end();
        return true;
    }
    if from(0) == from(1) && from(2) == from(3) {
        let (p, q) = if n[0] < 4 { (x, y) } else { (y, x) };
        l.m(M::Shufps, w).def(d).reg(p).reg(q).imm(imm(n)).end();
        return true;
    }
    let (m, p, q) = match n {
        [0, 4, 1, 5] => (M::Punpckldq, x, y),
        [4, 0, 5, 1] => (M::Punpckldq, y, x),
        [2, 6, 3, 7] => (M::Punpckhdq, x, y),
        [6, 2, 7, 3] => (M::Punpckhdq, y, x),
        _ => return false,
    };
    l.m(m, w).def(d).reg(p).reg(q).end();
    true
}

/// Element numbers of a byte shuffle that moves whole elements of `n` bytes.
fn whole(bytes: &[u8], n: usize) -> Option<Vec<u8>> {
    let element = |c: &[u8]| {
        let ok = usize::from(c[0]) % n == 0 && c.iter().enumerate().all(|(i, &b)| b == c[0] + i as u8);
        ok.then_some(c[0] / n as u8)
    };
    bytes.chunks(n).map(element).collect()
}
