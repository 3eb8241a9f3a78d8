//! Intrinsics, expanded in place of their calls.

use cranelift_codegen::ir::{Inst, Opcode, Type, Value, types};
use iced_x86::Code;
use regalloc2::VReg;

use super::build::{Addr, Rm};
use super::{Lower, by_count, by_lane, lanes};
use crate::inst::Base;
use crate::intrinsics::Intrinsic;
use crate::ops::M;
use crate::regs::{Slot, Width};
use crate::{Error, Level, Result};

pub(crate) fn lower(l: &mut Lower, inst: Inst, i: Intrinsic) -> Result<()> {
    let result = l.function.dfg.inst_results(inst).first().copied();
    let args = l.args(inst).to_vec();
    let named = |l: &Lower, v: Option<Value>| v.map_or(types::INVALID, |v| l.ty(v));
    let key = named(l, result.or(args.last().copied()));
    if i.is_pure() && !result.is_some_and(|r| l.wanted(r)) {
        return Ok(());
    }
    let fits = |t: Type| {
        !t.is_vector() || (128..=512).contains(&t.bits()) && (t.bits() < 512 || l.level == Level::Avx512)
    };
    if !fits(key) || !args.iter().all(|&a| fits(l.ty(a))) {
        return Err(Error::Intrinsic(i, key));
    }
    let done = match result {
        None => match i {
            Intrinsic::StoreMasked => store_masked(l, &args),
            Intrinsic::ScatterUnsigned => scatter(l, &args),
            Intrinsic::Prefetch => prefetch(l, &args),
            _ => false,
        },
        Some(r) => {
            let d = l.d(r);
            expand(l, i, d, l.ty(r), &args)
        }
    };
    if !done || l.missing.take().is_some() {
        return Err(Error::Intrinsic(i, key));
    }
    if let Some(r) = result {
        l.other_form(r);
    }
    Ok(())
}

/// Expands an intrinsic; returns false if there is no rule.
fn expand(l: &mut Lower, i: Intrinsic, d: VReg, ty: Type, args: &[Value]) -> bool {
    let w = Width::of(ty);
    let bits = ty.lane_bits();
    match (i, args) {
        (Intrinsic::ShlLanes | Intrinsic::UshrLanes | Intrinsic::SshrLanes, &[a, n])
            if bits == 32 || bits == 64 =>
        {
            let m = match i {
                Intrinsic::ShlLanes => [M::Psllvd, M::Psllvq],
                Intrinsic::UshrLanes => [M::Psrlvd, M::Psrlvq],
                _ => [M::Psravd, M::Psravq],
            }[usize::from(bits == 64)];
            if m == M::Psravq && l.level == Level::Avx2 {
                return false;
            }
            let (x, y) = (l.r(a), l.rm(n, m));
            l.m(m, w).def(d).reg(x).rm(y).end();
            true
        }
        (Intrinsic::Gather | Intrinsic::GatherUnsigned, &[base, index, k, mask, other]) => {
            let Some(k @ 0..=3) = l.int_const(k) else { return false };
            gather(l, d, ty, i == Intrinsic::GatherUnsigned, [base, index, mask, other], k as u8)
        }
        (Intrinsic::LoadMasked, &[p, mask, other]) => load_masked(l, d, ty, p, mask, other),
        (Intrinsic::SwizzleQuads, &[a, k]) if bits == 32 => {
            let Some(k) = l.int_const(k) else { return false };
            let x = l.rm(a, M::Pshufd);
            l.m(M::Pshufd, w).def(d).rm(x).imm(k & 255).end();
            true
        }
        (Intrinsic::ShuffleQuads, &[a, b, k]) if bits == 32 => {
            let Some(k) = l.int_const(k) else { return false };
            let words = [0, 4, 8, 12].map(|at| (k >> at & 7) as u8);
            let (x, y) = (l.r(a), l.r(b));
            lanes::shuffle_words(l, d, x, y, words, w)
        }
        (Intrinsic::ShuffleBytes, &[a, index]) if l.ty(index).bits() == ty.bits() => {
            let (x, y) = (l.r(a), l.rm(index, M::Pshufb));
            l.m(M::Pshufb, w).def(d).reg(x).rm(y).end();
            true
        }
        (Intrinsic::Permute, &[a, index]) => permute(l, d, w, bits, a, index),
        (Intrinsic::Permute2, &[a, b, index]) if bits == 32 || bits == 16 && l.level == Level::Avx512 => {
            permute2(l, d, w, bits, a, b, index)
        }
        (Intrinsic::Part, &[a, k]) => part(l, d, ty, a, k),
        (Intrinsic::WithPart, &[a, b, k]) => with_part(l, d, ty, a, b, k),
        _ => convert(l, i, d, ty, args),
    }
}

/// Selects lanes of a vector by the lanes of `index`.
fn permute(l: &mut Lower, d: VReg, w: Width, bits: u32, a: Value, index: Value) -> bool {
    let (m, x) = match (bits, w, l.level) {
        (32, Width::W128, _) => {
            let (x, y) = (l.r(a), l.rm(index, M::Permilps));
            l.m(M::Permilps, w).def(d).reg(x).rm(y).end();
            return true;
        }
        (32, _, _) => (M::Permd, l.rm(a, M::Permd)),
        (64, Width::W256 | Width::W512, Level::Avx512) => (M::Permq, l.rm(a, M::Permq)),
        (16, _, Level::Avx512) => (M::Permw, l.rm(a, M::Permw)),
        _ => return false,
    };
    let y = l.r(index);
    l.m(m, w).def(d).reg(y).rm(x).end();
    true
}

/// Extracts part `k` of a vector.
fn part(l: &mut Lower, d: VReg, ty: Type, a: Value, k: Value) -> bool {
    let w = Width::of(ty);
    let Some(k) = l.int_const(k) else { return false };
    let (from, x) = (l.ty(a), l.r(a));
    if k < 0 || (k + 1) * i64::from(ty.bits()) > i64::from(from.bits()) {
        return false;
    }
    match (k, ty.bits()) {
        (0, _) => l.m(M::Movaps, w).def(d).reg(x).end(),
        (_, 128) => l.m(M::Extract128, Width::of(from)).def(d).reg(x).imm(k).end(),
        (_, 256) => l.m(M::Extract256, Width::of(from)).def(d).reg(x).imm(k).end(),
        _ => return false,
    }
    true
}

/// Replaces part `k` of `a` by `b`.
fn with_part(l: &mut Lower, d: VReg, ty: Type, a: Value, b: Value, k: Value) -> bool {
    let w = Width::of(ty);
    let Some(k) = l.int_const(k) else { return false };
    let part = l.ty(b);
    if k < 0 || part.bits() >= ty.bits() || (k + 1) * i64::from(part.bits()) > i64::from(ty.bits()) {
        return false;
    }
    if k == 0 && zero(l, a) {
        // Writing the lower part of a register zeroes the rest.
        let w = Width::of(part);
        if let Some(at) = l.folded_load(b, part.bytes()) {
            l.m(M::MovupsLoad, w).def(d).mem(at).end();
            return true;
        }
        let y = l.r(b);
        l.m(M::Movaps, w).def(d).reg(y).end();
        return true;
    }
    let m = if part.bits() == 128 { M::Insert128 } else { M::Insert256 };
    let (x, y) = (l.r(a), l.rm(b, m));
    l.m(m, w).def(d).reg(x).rm(y).imm(k).end();
    true
}

/// The instruction that widens the integers of lanes.
fn widening(from: Type, to: Type, signed: bool) -> Option<M> {
    Some(match (from, to, signed) {
        (types::I8, types::I16, false) => M::Pmovzxbw,
        (types::I8, types::I32, false) => M::Pmovzxbd,
        (types::I8, types::I64, false) => M::Pmovzxbq,
        (types::I16, types::I32, false) => M::Pmovzxwd,
        (types::I16, types::I64, false) => M::Pmovzxwq,
        (types::I32, types::I64, false) => M::Pmovzxdq,
        (types::I8, types::I16, true) => M::Pmovsxbw,
        (types::I8, types::I32, true) => M::Pmovsxbd,
        (types::I8, types::I64, true) => M::Pmovsxbq,
        (types::I16, types::I32, true) => M::Pmovsxwd,
        (types::I16, types::I64, true) => M::Pmovsxwq,
        (types::I32, types::I64, true) => M::Pmovsxdq,
        _ => return None,
    })
}

/// Expands conversions and mask intrinsics.
fn convert(l: &mut Lower, i: Intrinsic, d: VReg, ty: Type, args: &[Value]) -> bool {
    let w = Width::of(ty);
    let from = l.ty(args[0]);
    let enough = |from: Type, to: Type| from.lane_count() >= to.lane_count();
    match (i, args) {
        (Intrinsic::F16ToF32, &[a])
            if enough(from, ty) && from.lane_bits() == 16 && ty.lane_type() == types::F32 =>
        {
            let x = l.r(a);
            l.m(M::Cvtph2ps, w).def(d).reg(x).end();
        }
        (Intrinsic::F32ToF16, &[a])
            if enough(ty, from) && ty.lane_bits() == 16 && from.lane_type() == types::F32 =>
        {
            let x = l.r(a);
            l.m(M::Cvtps2ph, Width::of(from)).def(d).reg(x).imm(0).end();
        }
        (Intrinsic::Truncate, &[a])
            if enough(ty, from) && from.lane_type() == types::I32 && ty.lane_bits() <= 16 =>
        {
            return truncate(l, d, ty, a);
        }
        (Intrinsic::WidenUnsigned | Intrinsic::WidenSigned, &[a]) if enough(from, ty) => {
            let signed = i == Intrinsic::WidenSigned;
            let Some(m) = widening(from.lane_type(), ty.lane_type(), signed) else { return false };
            let x = l.r(a);
            l.m(m, w).def(d).reg(x).end();
        }
        (Intrinsic::Promote, &[a])
            if enough(from, ty) && (from.lane_type(), ty.lane_type()) == (types::F32, types::F64) =>
        {
            let x = l.r(a);
            l.m(M::Cvtps2pd, w).def(d).reg(x).end();
        }
        (Intrinsic::Demote, &[a])
            if enough(ty, from) && (from.lane_type(), ty.lane_type()) == (types::F64, types::F32) =>
        {
            let x = l.r(a);
            l.m(M::Cvtpd2ps, Width::of(from)).def(d).reg(x).end();
        }
        (Intrinsic::F64FromI32, &[a])
            if enough(from, ty) && (from.lane_type(), ty.lane_type()) == (types::I32, types::F64) =>
        {
            let x = l.r(a);
            l.m(M::Cvtdq2pd, w).def(d).reg(x).end();
        }
        (Intrinsic::DotBytes, &[a, b]) if ty.lane_type() == types::I32 && from == ty => {
            dot_bytes(l, d, ty, a, b);
        }
        (Intrinsic::MaskFromBits, &[a]) if ty.lane_type() == types::I32 && from == types::I32 => {
            mask_from_bits(l, d, ty, a)
        }
        (Intrinsic::MaskNarrow, &[a, b]) if ty.lane_type() == types::I32 && from.bits() == ty.bits() => {
            mask_narrow(l, d, ty, a, b);
        }
        (Intrinsic::MaskLow | Intrinsic::MaskHigh, &[a])
            if ty.lane_type() == types::I64 && from.bits() == ty.bits() =>
        {
            mask_half(l, d, from, ty, a, i == Intrinsic::MaskHigh);
        }
        _ => return false,
    }
    true
}

/// Gathers: the result shares no register with the index, and the instruction overwrites the mask.
fn gather(
    l: &mut Lower,
    d: VReg,
    ty: Type,
    unsigned: bool,
    [base, index, mask, other]: [Value; 4],
    k: u8,
) -> bool {
    let (w, n) = (Width::of(ty), ty.lane_count());
    let index_ty = l.ty(index);
    let double = ty.lane_bits() == 64;
    if !matches!(ty.lane_bits(), 32 | 64) || index_ty.lane_type() != types::I32 || index_ty.lane_count() < n {
        return false;
    }
    let at = by_index(l, base, index, k, unsigned, double);
    let keep = l.r(other);
    match l.level {
        Level::Avx512 => {
            let (k, after) = (l.k(mask), l.mask());
            let m = if double { M::KPgatherdq } else { M::KPgatherdd };
            l.m(m, w).tied(d, keep).mem_late(at).consumed_mask(k, after).end();
        }
        Level::Avx2 => {
            let (k, after) = (l.r(mask), l.vec());
            let m = if double { M::Pgatherdq } else { M::Pgatherdd };
            l.m(m, w).tied(d, keep).mem_late(at).tied(after, k).end();
        }
    }
    true
}

/// The vector address of lanes at `base + (index << k)`.
fn by_index(l: &mut Lower, base: Value, index: Value, k: u8, unsigned: bool, double: bool) -> Addr {
    let vsib = if double { Slot::H } else { Slot::V };
    let (index, k) = scaled(l, index, k);
    let (mut x, mut b) = (l.r(index), l.r(base));
    if unsigned && l.low_bits(index) == 32 {
        // An unsigned x is the signed number x - 2^31, plus 2^31.
        let (y, to, far) = (l.vec(), l.int(), l.int());
        let iw = Width::of(l.ty(index));
        let top = l.splat_operand(M::Pxor, iw, &(1u32 << 31).to_le_bytes());
        l.m(M::Pxor, iw).def(y).reg(x).rm(top).end();
        l.load_int(far, 1 << (31 + k));
        let sum = Addr { index: Some((far, 0)), ..Addr::reg(b) };
        l.g(Code::Lea_r64_m, [Slot::R64, Slot::M]).def(to).mem(sum).end();
        (x, b) = (y, to);
    }
    Addr { index: Some((x, k)), vsib, ..Addr::reg(b) }
}

/// Merges a constant left shift of the index into the address scale `k`, if the shift loses no bits.
fn scaled(l: &Lower, index: Value, k: u8) -> (Value, u8) {
    let by = |args: &[Value]| {
        let n = l.int_const(args[1]).filter(|n| (0..=3 - i64::from(k)).contains(n))?;
        (l.low_bits(args[0]) + (n as u32) < 32).then_some((args[0], k + n as u8))
    };
    l.args_of(index, Opcode::Ishl).and_then(by).unwrap_or((index, k))
}

/// Scatters: the instruction overwrites the mask.
fn scatter(l: &mut Lower, args: &[Value]) -> bool {
    let &[base, index, k, mask, x] = args else { return false };
    let (ty, from) = (l.ty(x), l.ty(index));
    let Some(k @ 0..=3) = l.int_const(k) else { return false };
    let fits = from.lane_type() == types::I32 && from.lane_count() >= ty.lane_count();
    if l.level != Level::Avx512 || !matches!(ty.lane_bits(), 32 | 64) || !fits {
        return false;
    }
    let double = ty.lane_bits() == 64;
    let at = by_index(l, base, index, k as u8, true, double);
    let (r, k, after) = (l.r(x), l.k(mask), l.mask());
    let m = if double { M::KPscatterdq } else { M::KPscatterdd };
    l.m(m, Width::of(ty)).mem(at).reg(r).consumed_mask(k, after).end();
    true
}

fn zero(l: &Lower, v: Value) -> bool {
    l.const_bytes(l.root(v)).is_some_and(|b| b.iter().all(|&x| x == 0))
}

fn load_masked(l: &mut Lower, d: VReg, ty: Type, p: Value, mask: Value, other: Value) -> bool {
    let w = Width::of(ty);
    let at = l.addr(p, 0);
    if l.level == Level::Avx512 {
        let m = by_lane(ty, [M::MovdquLoadb, M::MovdquLoadw, M::MovdquLoadd, M::MovdquLoadq]);
        let k = l.k(mask);
        if zero(l, other) {
            l.m(m, w).def(d).mem(at).mask(k, true).end();
        } else {
            let keep = l.r(other);
            l.m(m, w).tied(d, keep).mem(at).mask(k, false).end();
        }
        return true;
    }
    let (load, blend) = match ty.lane_bits() {
        32 => (M::MaskmovpsLoad, M::Blendvps),
        64 => (M::MaskmovpdLoad, M::Blendvpd),
        _ => return false,
    };
    let k = l.r(mask);
    if zero(l, other) {
        l.m(load, w).def(d).reg(k).mem(at).end();
        return true;
    }
    let (t, keep) = (l.vec(), l.r(other));
    l.m(load, w).def(t).reg(k).mem(at).end();
    l.m(blend, w).def(d).reg(keep).reg(t).reg(k).end();
    true
}

fn prefetch(l: &mut Lower, args: &[Value]) -> bool {
    let &[p] = args else { return false };
    let at = l.addr(p, 0);
    l.g(Code::Prefetcht0_m8, [Slot::M]).mem(at).end();
    true
}

fn store_masked(l: &mut Lower, args: &[Value]) -> bool {
    let &[p, mask, x] = args else { return false };
    let (ty, w) = (l.ty(x), Width::of(l.ty(x)));
    let (at, r) = (l.addr(p, 0), l.r(x));
    if l.level == Level::Avx512 {
        let m = by_lane(ty, [M::MovdquStoreb, M::MovdquStorew, M::MovdquStored, M::MovdquStoreq]);
        let k = l.k(mask);
        l.m(m, w).mem(at).reg(r).mask(k, false).end();
        return true;
    }
    let m = match ty.lane_bits() {
        32 => M::MaskmovpsStore,
        64 => M::MaskmovpdStore,
        _ => return false,
    };
    let k = l.r(mask);
    l.m(m, w).mem(at).reg(k).reg(r).end();
    true
}

fn permute2(l: &mut Lower, d: VReg, w: Width, bits: u32, a: Value, b: Value, index: Value) -> bool {
    if l.level == Level::Avx512 {
        let m = if bits == 16 { M::Permt2w } else { M::Permt2d };
        let (x, i, y) = (l.r(a), l.r(index), l.rm(b, m));
        l.m(m, w).tied(d, x).reg(i).rm(y).end();
        return true;
    }
    // Permute both vectors, then select by the index bit above the lane number.
    let (x, y, i) = (l.r(a), l.r(b), l.r(index));
    let (p, q, which) = (l.vec(), l.vec(), l.vec());
    let shift = if w == Width::W128 { 29 } else { 28 };
    if w == Width::W128 {
        l.m(M::Permilps, w).def(p).reg(x).reg(i).end();
        l.m(M::Permilps, w).def(q).reg(y).reg(i).end();
    } else {
        l.m(M::Permd, w).def(p).reg(i).reg(x).end();
        l.m(M::Permd, w).def(q).reg(i).reg(y).end();
    }
    l.m(M::PslldI, w).def(which).reg(i).imm(shift).end();
    l.m(M::Blendvps, w).def(d).reg(p).reg(q).reg(which).end();
    true
}

fn truncate(l: &mut Lower, d: VReg, ty: Type, a: Value) -> bool {
    let (from, x) = (l.ty(a), l.r(a));
    let w = Width::of(from);
    let narrow = ty.lane_bits() == 8;
    if l.level == Level::Avx512 {
        l.m(if narrow { M::Pmovdb } else { M::Pmovdw }, w).def(d).reg(x).end();
        return true;
    }
    // First narrow within each 128 bits.
    let keep: Vec<u8> = (0..16u8)
        .map(|i| match narrow {
            true if i < 4 => 4 * i,
            false if i < 8 => 4 * (i / 2) + i % 2,
            _ => 0x80,
        })
        .collect();
    let bytes = l.const_operand(M::Pshufb, &keep.repeat(w.bytes() as usize / 16));
    if w == Width::W128 {
        l.m(M::Pshufb, w).def(d).reg(x).rm(bytes).end();
        return true;
    }
    let (t, order) = (l.vec(), l.vec());
    l.m(M::Pshufb, w).def(t).reg(x).rm(bytes).end();
    let words: [u32; 8] = if narrow { [0, 4, 1, 1, 1, 1, 1, 1] } else { [0, 1, 4, 5, 2, 2, 2, 2] };
    l.load_vector(order, &words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>());
    l.m(M::Permd, w).def(d).reg(order).reg(t).end();
    true
}

/// Sums of products of signed bytes. VNNI multiplies unsigned bytes by signed ones: 128 is added to the bytes of `a`, and
/// 128 times those of `b` are taken off again. Otherwise even and odd bytes are multiplied as words of 16 bits.
fn dot_bytes(l: &mut Lower, d: VReg, ty: Type, a: Value, b: Value) {
    let w = Width::of(ty);
    let (x, y) = (l.r(a), l.r(b));
    if l.vnni {
        let [top, more, zero, sum, less, raised] = [(); 6].map(|()| l.vec());
        l.load_vector(top, &vec![0x80; w.bytes() as usize]);
        for r in [more, zero] {
            l.load_vector(r, &[0; 16]);
        }
        l.m(M::Pdpbusd, w).tied(sum, more).reg(top).reg(y).end();
        l.m(M::Psubd, w).def(less).reg(zero).reg(sum).end();
        l.m(M::Pxor, w).def(raised).reg(x).reg(top).end();
        l.m(M::Pdpbusd, w).tied(d, less).reg(raised).reg(y).end();
        return;
    }
    let mut halves = |x: VReg| {
        let [up, even, odd] = [(); 3].map(|()| l.vec());
        l.m(M::PsllwI, w).def(up).reg(x).imm(8).end();
        l.m(M::PsrawI, w).def(even).reg(up).imm(8).end();
        l.m(M::PsrawI, w).def(odd).reg(x).imm(8).end();
        [even, odd]
    };
    let ([x_even, x_odd], [y_even, y_odd]) = (halves(x), halves(y));
    let [even, odd] = [(); 2].map(|()| l.vec());
    l.m(M::Pmaddwd, w).def(even).reg(x_even).reg(y_even).end();
    l.m(M::Pmaddwd, w).def(odd).reg(x_odd).reg(y_odd).end();
    l.m(M::Paddd, w).def(d).reg(even).reg(odd).end();
}

fn mask_from_bits(l: &mut Lower, d: VReg, ty: Type, bits: Value) {
    let (x, w, n) = (l.r(bits), Width::of(ty), ty.lane_count());
    if l.level == Level::Avx512 {
        let t = l.int();
        let all = ((1u64 << n) - 1) as i64;
        l.g(Code::And_rm32_imm32, [Slot::R32, Slot::I]).tied(t, x).imm(all).end();
        l.m(M::KmovInd, Width::W128).def(d).reg(t).end();
        return;
    }
    let (all, one) = (l.vec(), l.vec());
    lanes::splat_into(l, all, x, ty);
    let bit: Vec<u8> = (0..n).flat_map(|i| (1u32 << i).to_le_bytes()).collect();
    let id = l.consts.add(&bit);
    let at = Rm::Mem(Addr::of(Base::Const(id)));
    l.m(M::Pand, w).def(one).reg(all).rm(at).end();
    l.m(M::Pcmpeqd, w).def(d).reg(one).rm(at).end();
}

fn mask_narrow(l: &mut Lower, d: VReg, ty: Type, a: Value, b: Value) {
    let w = Width::of(ty);
    if l.level == Level::Avx512 {
        let (x, y) = (l.k(a), l.k(b));
        if ty.lane_count() == 16 {
            l.m(M::Kunpckbw, Width::W128).def(d).reg(y).reg(x).end();
            return;
        }
        let t = l.mask();
        l.m(M::Kshiftlb, Width::W128).def(t).reg(y).imm(i64::from(ty.lane_count() / 2)).end();
        l.m(M::Korb, Width::W128).def(d).reg(x).reg(t).end();
        return;
    }
    let (x, y) = (l.r(a), l.r(b));
    let even = 0b10_00_10_00;
    if w == Width::W128 {
        l.m(M::Shufps, w).def(d).reg(x).reg(y).imm(even).end();
        return;
    }
    let t = l.vec();
    l.m(M::Shufps, w).def(t).reg(x).reg(y).imm(even).end();
    l.m(M::PermqI, w).def(d).reg(t).imm(0b11_01_10_00).end();
}

fn mask_half(l: &mut Lower, d: VReg, from: Type, ty: Type, a: Value, high: bool) {
    let w = Width::of(ty);
    if l.level == Level::Avx512 {
        let k = l.k(a);
        if high {
            let m = by_count(from, [M::Kshiftrb, M::Kshiftrw, M::Kshiftrd, M::Kshiftrq]);
            l.m(m, Width::W128).def(d).reg(k).imm(i64::from(ty.lane_count())).end();
        } else {
            let low = l.mask_constant((1 << ty.lane_count()) - 1);
            l.m(M::Kandw, Width::W128).def(d).reg(k).reg(low).end();
        }
        return;
    }
    let mut x = l.r(a);
    if high {
        let t = l.vec();
        match w {
            Width::W128 => l.m(M::Pshufd, w).def(t).reg(x).imm(0b11_10_11_10).end(),
            _ => l.m(M::Extract128, w).def(t).reg(x).imm(1).end(),
        }
        x = t;
    }
    l.m(M::Pmovsxdq, w).def(d).reg(x).end();
}
