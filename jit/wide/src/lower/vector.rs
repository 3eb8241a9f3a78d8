//! Vector arithmetic and logic, and selections.

use cranelift_codegen::ir::{Inst, Opcode, Type, Value, types};
use regalloc2::VReg;

use super::build::Rm;
use super::common::{binary_values, folds, min_max_pattern, not};
use super::{Lower, by_count, by_lane, compare};
use crate::ops::M;
use crate::regs::Width;
use crate::{Level, Result};

/// Change of the sign bit of floats.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sign {
    Flip,
    Clear,
}

/// Operation on two operands; the second may be in memory.
pub(crate) fn binary(l: &mut Lower, inst: Inst, m: M, commutes: bool) -> Result<()> {
    let &[mut a, mut b] = l.args(inst) else { return Ok(()) };
    // Swapping float operands only changes which NaN propagates, so a constant without a NaN may go second.
    let sum = matches!(l.function.dfg.insts[inst].opcode(), Opcode::Fadd | Opcode::Fmul);
    if (commutes || sum && is_number(l, a)) && folds(l, a) && !folds(l, b) {
        (a, b) = (b, a);
    }
    binary_values(l, l.result(inst), a, b, m);
    Ok(())
}

/// `true` if a value is a float constant without a NaN.
fn is_number(l: &Lower, v: Value) -> bool {
    let double = l.ty(v).lane_bits() == 64;
    let nan =
        |bits: u64| if double { f64::from_bits(bits).is_nan() } else { f32::from_bits(bits as u32).is_nan() };
    l.const_bytes(l.root(v)).is_some_and(|bytes| {
        let lanes = bytes.chunks(if double { 8 } else { 4 });
        !lanes.map(|c| c.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b))).any(nan)
    })
}

pub(crate) fn round(l: &mut Lower, inst: Inst, m: M, how: u8) -> Result<()> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let d = l.d(v);
    let x = l.rm(a, m);
    l.m(m, Width::of(l.ty(v))).def(d).rm(x).imm(i64::from(how)).end();
    Ok(())
}

/// Changes the sign bits of floats, also of scalars.
pub(crate) fn sign(l: &mut Lower, inst: Inst, how: Sign) -> Result<()> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (ty, d, x) = (l.ty(v), l.d(v), l.r(a));
    let w = Width::of(ty);
    let top = 1u64 << (ty.lane_bits() - 1);
    let (m, lane) = match how {
        Sign::Flip => (M::Pxor, top),
        Sign::Clear => (M::Pand, top - 1),
    };
    let bits = l.splat_operand(m, w, &lane.to_le_bytes()[..ty.lane_type().bytes() as usize]);
    l.m(m, w).def(d).reg(x).rm(bits).end();
    Ok(())
}

pub(crate) fn copysign(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let v = l.result(inst);
    let (ty, d, x, y) = (l.ty(v), l.d(v), l.r(a), l.r(b));
    let (w, n) = (Width::of(ty), ty.lane_type().bytes() as usize);
    let top = 1u64 << (ty.lane_bits() - 1);
    let (p, q) = (l.vec(), l.vec());
    let rest = l.splat_operand(M::Pand, w, &(top - 1).to_le_bytes()[..n]);
    l.m(M::Pand, w).def(p).reg(x).rm(rest).end();
    let sign = l.splat_operand(M::Pand, w, &top.to_le_bytes()[..n]);
    l.m(M::Pand, w).def(q).reg(y).rm(sign).end();
    l.m(M::Por, w).def(d).reg(p).reg(q).end();
    Ok(true)
}

/// A fused multiply-add with negations of its operands folded in; one code writes to the register of a factor, the
/// other to that of the addend.
struct Fused {
    factors: [Value; 2],
    sum: Value,
    by_product: M,
    by_sum: M,
}

fn fused(l: &Lower, inst: Inst) -> Option<Fused> {
    let &[mut a, mut b, mut c] = l.args(inst) else { return None };
    let ty = l.ty(l.result(inst));
    let negated = |l: &Lower, x: &mut Value| match l.args_of(*x, Opcode::Fneg) {
        Some(&[y]) if l.once(*x) => {
            *x = y;
            true
        }
        _ => false,
    };
    let product = negated(l, &mut a) ^ negated(l, &mut b);
    let sum = negated(l, &mut c);
    // [scalar, vector] of [f32, f64] of [213, 231].
    let row = match (product, sum) {
        (false, false) => [
            [[M::Fmadd213ss, M::Fmadd231ss], [M::Fmadd213sd, M::Fmadd231sd]],
            [[M::Fmadd213ps, M::Fmadd231ps], [M::Fmadd213pd, M::Fmadd231pd]],
        ],
        (false, true) => [
            [[M::Fmsub213ss, M::Fmsub231ss], [M::Fmsub213sd, M::Fmsub231sd]],
            [[M::Fmsub213ps, M::Fmsub231ps], [M::Fmsub213pd, M::Fmsub231pd]],
        ],
        (true, false) => [
            [[M::Fnmadd213ss, M::Fnmadd231ss], [M::Fnmadd213sd, M::Fnmadd231sd]],
            [[M::Fnmadd213ps, M::Fnmadd231ps], [M::Fnmadd213pd, M::Fnmadd231pd]],
        ],
        (true, true) => [
            [[M::Fnmsub213ss, M::Fnmsub231ss], [M::Fnmsub213sd, M::Fnmsub231sd]],
            [[M::Fnmsub213ps, M::Fnmsub231ps], [M::Fnmsub213pd, M::Fnmsub231pd]],
        ],
    };
    let [by_product, by_sum] = row[usize::from(ty.is_vector())][usize::from(ty.lane_type() == types::F64)];
    Some(Fused { factors: [a, b], sum: c, by_product, by_sum })
}

/// Most products that are added up in one register. The register allocator treats such a sum as a whole: if no register is free
/// all the while, it writes each partial sum to memory and reads it back, three times as slow as the additions. A copy ends the
/// whole, and takes no time.
const LONGEST_SUM: u32 = 4;

/// `a * b + c` with one rounding; negated factors and addends are folded in.
pub(crate) fn fma(l: &mut Lower, inst: Inst) -> Result<bool> {
    let v = l.result(inst);
    let (w, d) = (Width::of(l.ty(v)), l.d(v));
    let Some(Fused { factors: [mut a, mut b], sum: c, by_product, by_sum }) = fused(l, inst) else {
        return Ok(false);
    };
    if folds(l, a) && !folds(l, b) {
        (a, b) = (b, a);
    }
    // Prefer to overwrite an operand that dies here, and to take the operand in memory last.
    let dies = |l: &Lower, x: Value| l.once(x) && !folds(l, x);
    let in_memory = |l: &Lower, x: Value| folds(l, x) && !l.is_held(x);
    // If the addend is a constant that stays in a register, overwrite a factor.
    let stays = l.is_held(c) && !folds(l, a);
    let by_sum_is_better = in_memory(l, b) || dies(l, c) || !(folds(l, c) || dies(l, a) || dies(l, b));
    if by_sum_is_better && !stays {
        let behind = l.sums.remove(&v).unwrap_or(0) + 1;
        l.sums.insert(l.root(c), behind);
        let (x, y, mut z) = (l.r(a), l.rm(b, by_sum), l.r(c));
        if behind.is_multiple_of(LONGEST_SUM) {
            let part = l.vec();
            l.m(M::Movaps, w).def(part).reg(z).end();
            z = part;
        }
        l.m(by_sum, w).tied(d, z).reg(x).rm(y).end();
        return Ok(true);
    }
    if dies(l, b) && !dies(l, a) {
        (a, b) = (b, a);
    }
    let (x, y, z) = (l.r(a), l.r(b), l.rm(c, by_product));
    l.m(by_product, w).tied(d, x).reg(y).rm(z).end();
    Ok(true)
}

// Logic.

/// `band`, `bor`, `bxor`, `band_not` of vectors or masks.
pub(crate) fn logic(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let (v, opcode) = (l.result(inst), l.function.dfg.insts[inst].opcode());
    let (ty, d) = (l.ty(v), l.d(v));
    if l.in_mask(v) {
        return mask_logic(l, d, ty, opcode, a, b);
    }
    let w = Width::of(ty);
    if l.level == Level::Avx512 && ternary_logic(l, d, w, opcode, a, b) {
        return Ok(true);
    }
    // The instruction complements its first operand.
    let complement =
        |l: &Lower, x: Value| l.args_of(l.root(x), Opcode::Bnot).filter(|_| l.once_to_root(x)).map(|n| n[0]);
    let (m, a, b) = match opcode {
        Opcode::Band => match (complement(l, a), complement(l, b)) {
            (_, Some(n)) => (M::Pandn, n, a),
            (Some(n), None) => (M::Pandn, n, b),
            _ if folds(l, a) && !folds(l, b) => (M::Pand, b, a),
            _ => (M::Pand, a, b),
        },
        Opcode::Bor if folds(l, a) && !folds(l, b) => (M::Por, b, a),
        Opcode::Bor => (M::Por, a, b),
        Opcode::Bxor if folds(l, a) && !folds(l, b) => (M::Pxor, b, a),
        Opcode::Bxor => (M::Pxor, a, b),
        _ => return Ok(false),
    };
    let (x, y) = (l.r(a), l.rm(b, m));
    l.m(m, w).def(d).reg(x).rm(y).end();
    Ok(true)
}

fn mask_logic(l: &mut Lower, d: VReg, ty: Type, opcode: Opcode, a: Value, b: Value) -> Result<bool> {
    let complement = |l: &Lower, x: Value| l.args_of(x, Opcode::Bnot).filter(|_| l.once(x)).map(|n| n[0]);
    let and = [M::Kandb, M::Kandw, M::Kandd, M::Kandq];
    let andn = [M::Kandnb, M::Kandnw, M::Kandnd, M::Kandnq];
    if opcode == Opcode::Band {
        // Do the comparison only in the lanes of the other mask.
        let (mask, compare) = match (compare::lone_compare(l, b), compare::lone_compare(l, a)) {
            (Some(compare), _) => (a, Some(compare)),
            (None, compare) => (b, compare),
        };
        if let Some((data, flip)) = compare {
            let k = l.k(mask);
            return Ok(compare::compare_into_mask(l, d, data, flip, Some(k)));
        }
    }
    let (of, a, b) = match opcode {
        Opcode::Band => match (complement(l, a), complement(l, b)) {
            (_, Some(n)) => (andn, n, a),
            (Some(n), None) => (andn, n, b),
            _ => (and, a, b),
        },
        Opcode::Bor => ([M::Korb, M::Korw, M::Kord, M::Korq], a, b),
        Opcode::Bxor => ([M::Kxorb, M::Kxorw, M::Kxord, M::Kxorq], a, b),
        _ => return Ok(false),
    };
    let (x, y) = (l.k(a), l.k(b));
    l.m(by_count(ty, of), Width::W128).def(d).reg(x).reg(y).end();
    Ok(true)
}

/// A vector logic operation whose result has a single use.
fn inner_logic<'a>(l: &Lower<'a>, v: Value) -> Option<(Opcode, &'a [Value])> {
    let root = l.root(v);
    let (inst, data) = l.def(root)?;
    let opcode = data.opcode();
    let is = matches!(opcode, Opcode::Band | Opcode::Bor | Opcode::Bxor | Opcode::Bnot);
    (is && l.ty(root).is_vector() && l.once_to_root(v) && !l.in_mask(root)).then(|| (opcode, l.args(inst)))
}

/// Combines two levels of logic: one operand is itself a logic operation with a single use.
fn ternary_logic(l: &mut Lower, d: VReg, w: Width, opcode: Opcode, a: Value, b: Value) -> bool {
    let apply = |opcode: Opcode, x: u8, y: u8| match opcode {
        Opcode::Band => x & y,
        Opcode::Bor => x | y,
        _ => x ^ y,
    };
    // Truth tables of the first, second and third operand.
    let (p, q, r) = (0xf0u8, 0xccu8, 0xaau8);
    let (outer_first, (op, args), third) = match (inner_logic(l, a), inner_logic(l, b)) {
        (Some(i), _) => (true, i, b),
        (None, Some(i)) => (false, i, a),
        _ => return false,
    };
    let &[x, y] = args else {
        // A complement has a single operand, so the table ignores the second.
        let &[x] = args else { return false };
        if matches!(opcode, Opcode::Band) {
            return false;
        }
        let n = !p;
        let table = if outer_first { apply(opcode, n, r) } else { apply(opcode, r, n) };
        let (x, z) = (l.r(x), l.rm(third, M::Pternlogd));
        l.m(M::Pternlogd, w).tied(d, x).reg(x).rm(z).imm(i64::from(table)).end();
        return true;
    };
    let n = apply(op, p, q);
    let table = if outer_first { apply(opcode, n, r) } else { apply(opcode, r, n) };
    let (x, y, z) = (l.r(x), l.r(y), l.rm(third, M::Pternlogd));
    l.m(M::Pternlogd, w).tied(d, x).reg(y).rm(z).imm(i64::from(table)).end();
    true
}

pub(crate) fn bnot(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (ty, d) = (l.ty(v), l.d(v));
    if l.in_mask(v) {
        let x = l.k(a);
        if ty.lane_count() < 8 {
            // The bits above the lanes must stay zero.
            let all = l.mask_constant((1 << ty.lane_count()) - 1);
            l.m(M::Kxorb, Width::W128).def(d).reg(x).reg(all).end();
        } else {
            let m = by_count(ty, [M::Knotb, M::Knotw, M::Knotd, M::Knotq]);
            l.m(m, Width::W128).def(d).reg(x).end();
        }
        return Ok(true);
    }
    let x = l.r(a);
    not(l, d, x, Width::of(ty));
    Ok(true)
}

/// Subtraction from zero.
pub(crate) fn ineg(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (v, a) = (l.result(inst), l.args(inst)[0]);
    let (ty, d, z) = (l.ty(v), l.d(v), l.vec());
    l.load_vector(z, &vec![0; ty.bytes() as usize]);
    let m = by_lane(ty, [M::Psubb, M::Psubw, M::Psubd, M::Psubq]);
    let x = l.rm(a, m);
    l.m(m, Width::of(ty)).def(d).reg(z).rm(x).end();
    Ok(true)
}

/// Product of 32-bit lanes. For a power of two plus or minus one, a shift and an addition have lower latency.
pub(crate) fn imul32(l: &mut Lower, inst: Inst) -> Result<bool> {
    let (&[a, b], v) = (l.args(inst), l.result(inst)) else { return Ok(false) };
    let same = |x: Value| {
        let lanes = l.const_lanes(x)?;
        lanes.iter().all(|&k| k == lanes[0]).then_some(lanes[0] as u32)
    };
    let (x, k) = match (same(a), same(b)) {
        (None, Some(k)) => (a, k),
        (Some(k), None) => (b, k),
        _ => (a, 0),
    };
    let (w, more) = (Width::of(l.ty(v)), k.wrapping_sub(1).is_power_of_two());
    if k.is_power_of_two() {
        let (d, x) = (l.d(v), l.r(x));
        l.m(M::PslldI, w).def(d).reg(x).imm(i64::from(k.trailing_zeros())).end();
    } else if k > 2 && (more || k.wrapping_add(1).is_power_of_two()) {
        let (d, x, t) = (l.d(v), l.r(x), l.vec());
        let (m, power) = if more { (M::Paddd, k - 1) } else { (M::Psubd, k + 1) };
        l.m(M::PslldI, w).def(t).reg(x).imm(i64::from(power.trailing_zeros())).end();
        l.m(m, w).def(d).reg(t).reg(x).end();
    } else {
        binary(l, inst, M::Pmulld, true)?;
    }
    Ok(true)
}

/// Product of 64-bit lanes with AVX2: the product of the low halves, plus the cross products.
pub(crate) fn imul64(l: &mut Lower, inst: Inst) -> Result<bool> {
    if l.level == Level::Avx512 {
        binary(l, inst, M::Pmullq, true)?;
        return Ok(true);
    }
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let v = l.result(inst);
    let (w, d) = (Width::of(l.ty(v)), l.d(v));
    let (x, y) = (l.r(a), l.r(b));
    let t: [VReg; 7] = std::array::from_fn(|_| l.vec());
    l.m(M::Pmuludq, w).def(t[0]).reg(x).reg(y).end();
    l.m(M::PsrlqI, w).def(t[1]).reg(x).imm(32).end();
    l.m(M::Pmuludq, w).def(t[2]).reg(t[1]).reg(y).end();
    l.m(M::PsrlqI, w).def(t[3]).reg(y).imm(32).end();
    l.m(M::Pmuludq, w).def(t[4]).reg(x).reg(t[3]).end();
    l.m(M::Paddq, w).def(t[5]).reg(t[2]).reg(t[4]).end();
    l.m(M::PsllqI, w).def(t[6]).reg(t[5]).imm(32).end();
    l.m(M::Paddq, w).def(d).reg(t[0]).reg(t[6]).end();
    Ok(true)
}

/// Minimum and maximum of 64-bit lanes.
pub(crate) fn min_max64(l: &mut Lower, inst: Inst) -> Result<bool> {
    if l.level == Level::Avx2 {
        return Ok(false);
    }
    let m = match l.function.dfg.insts[inst].opcode() {
        Opcode::Smin => M::Pminsq,
        Opcode::Smax => M::Pmaxsq,
        Opcode::Umin => M::Pminuq,
        _ => M::Pmaxuq,
    };
    binary(l, inst, m, true)?;
    Ok(true)
}

/// High halves of products of 32-bit lanes, computed separately for even and odd lanes.
pub(crate) fn mul_high32(l: &mut Lower, d: VReg, x: VReg, y: VReg, w: Width, signed: bool) {
    let m = if signed { M::Pmuldq } else { M::Pmuludq };
    let t: [VReg; 5] = std::array::from_fn(|_| l.vec());
    l.m(m, w).def(t[0]).reg(x).reg(y).end();
    l.m(M::PsrlqI, w).def(t[1]).reg(x).imm(32).end();
    l.m(M::PsrlqI, w).def(t[2]).reg(y).imm(32).end();
    l.m(m, w).def(t[3]).reg(t[1]).reg(t[2]).end();
    l.m(M::PsrlqI, w).def(t[4]).reg(t[0]).imm(32).end();
    if l.level == Level::Avx512 {
        let odd = l.mask_constant(0xaaaa);
        l.m(M::Pblendmd, w).def(d).reg(t[4]).reg(t[3]).mask(odd, false).end();
    } else {
        l.m(M::PblenddI, w).def(d).reg(t[4]).reg(t[3]).imm(0xaa).end();
    }
}

pub(crate) fn vector_mul_high(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[a, b] = l.args(inst) else { return Ok(false) };
    let v = l.result(inst);
    let signed = l.function.dfg.insts[inst].opcode() == Opcode::Smulhi;
    let (w, d, x, y) = (Width::of(l.ty(v)), l.d(v), l.r(a), l.r(b));
    mul_high32(l, d, x, y, w, signed);
    Ok(true)
}

// Selection.

/// `bitselect` and `blendv`.
pub(crate) fn choose(l: &mut Lower, inst: Inst) -> Result<bool> {
    let &[c, a, b] = l.args(inst) else { return Ok(false) };
    let (v, opcode) = (l.result(inst), l.function.dfg.insts[inst].opcode());
    let (ty, d) = (l.ty(v), l.d(v));
    let w = Width::of(ty);
    if l.in_mask(v) {
        // (c & a) | (!c & b)
        let (k, x, y) = (l.k(c), l.k(a), l.k(b));
        let (p, q) = (l.mask(), l.mask());
        let and = by_count(ty, [M::Kandb, M::Kandw, M::Kandd, M::Kandq]);
        let andn = by_count(ty, [M::Kandnb, M::Kandnw, M::Kandnd, M::Kandnq]);
        let or = by_count(ty, [M::Korb, M::Korw, M::Kord, M::Korq]);
        l.m(and, Width::W128).def(p).reg(k).reg(x).end();
        l.m(andn, Width::W128).def(q).reg(k).reg(y).end();
        l.m(or, Width::W128).def(d).reg(p).reg(q).end();
        return Ok(true);
    }
    if let Some(m) = min_max_pattern(l, c, a, b) {
        binary_values(l, v, a, b, m);
        return Ok(true);
    }
    let root = l.root(c);
    let lanes = l.ty(root);
    let truth = l.is_truth(root);
    if opcode == Opcode::Bitselect && !truth {
        return bit_choice(l, d, w, c, a, b);
    }
    // Use the lanes of the boolean vector, regardless of the type that it was cast to.
    let lanes = if truth { lanes } else { ty };
    match l.level {
        Level::Avx512 => {
            let k = if truth && lanes.lane_count() != ty.lane_count() { l.k(root) } else { l.k(c) };
            blend_mask(l, d, lanes, w, k, a, b);
        }
        Level::Avx2 => {
            let m = match lanes.lane_bits() {
                32 => M::Blendvps,
                64 => M::Blendvpd,
                8 => M::Pblendvb,
                16 if truth => M::Pblendvb,
                _ => return Ok(false),
            };
            let k = l.r(c);
            let (y, x) = (l.r(b), l.rm(a, m));
            l.m(m, w).def(d).reg(y).rm(x).reg(k).end();
        }
    }
    Ok(true)
}

/// `k ? a : b`. If `a` has no other use, its operation is done only in the lanes of `k`.
fn blend_mask(l: &mut Lower, d: VReg, lanes: Type, w: Width, k: VReg, a: Value, b: Value) {
    let zero = |l: &Lower, v: Value| l.const_bytes(l.root(v)).is_some_and(|b| b.iter().all(|&x| x == 0));
    if let (true, Some((m, x, y))) = (zero(l, b), masked_operation(l, a, lanes)) {
        let (x, y) = (l.r(x), l.rm(y, m));
        l.m(m, w).def(d).reg(x).rm(y).mask(k, true).end();
        return;
    }
    if zero(l, b) {
        let load = by_lane(lanes, [M::MovdquLoadb, M::MovdquLoadw, M::MovdquLoadd, M::MovdquLoadq]);
        let x = match l.folded_load(a, w.bytes()) {
            Some(m) => Rm::Mem(m),
            None => Rm::Reg(l.r(a)),
        };
        l.m(load, w).def(d).rm(x).mask(k, true).end();
        return;
    }
    if let Some((m, x, y)) = masked_operation(l, a, lanes) {
        let (x, y, keep) = (l.r(x), l.rm(y, m), l.r(b));
        l.m(m, w).tied(d, keep).reg(x).rm(y).mask(k, false).end();
        return;
    }
    if let Some(inst) =
        masked_source(l, a, lanes).filter(|&i| l.function.dfg.insts[i].opcode() == Opcode::Fma)
    {
        if masked_fma(l, d, w, k, inst, b) {
            return;
        }
    }
    let m = by_lane(lanes, [M::Pblendmb, M::Pblendmw, M::Pblendmd, M::Pblendmq]);
    let (x, y) = (l.rm(a, m), l.r(b));
    l.m(m, w).def(d).reg(y).rm(x).mask(k, false).end();
}

/// A multiply-add in the lanes of `k`, if the other lanes keep one of its operands.
fn masked_fma(l: &mut Lower, d: VReg, w: Width, k: VReg, inst: Inst, other: Value) -> bool {
    let Some(Fused { factors: [a, b], sum, by_product, by_sum }) = fused(l, inst) else { return false };
    let kept = l.root(other);
    let (m, tied, x, y) = if l.root(sum) == kept {
        (by_sum, sum, a, b)
    } else if l.root(a) == kept {
        (by_product, a, b, sum)
    } else if l.root(b) == kept {
        (by_product, b, a, sum)
    } else {
        return false;
    };
    let (tied, x, y) = (l.r(tied), l.r(x), l.rm(y, m));
    l.m(m, w).tied(d, tied).reg(x).rm(y).mask(k, false).end();
    true
}

/// The instruction that defines a value, if the value has no other use and the instruction accepts a mask with these
/// lanes.
fn masked_source(l: &Lower, v: Value, lanes: Type) -> Option<Inst> {
    let root = l.root(v);
    let (inst, _) = l.def(root)?;
    let fits = l.once_to_root(v) && !l.in_mask(root) && l.ty(root).lane_count() == lanes.lane_count();
    fits.then_some(inst)
}

/// An operation with two operands that accepts a mask with these lanes.
fn masked_operation(l: &Lower, v: Value, lanes: Type) -> Option<(M, Value, Value)> {
    let inst = masked_source(l, v, lanes)?;
    let &[x, y] = l.args(inst) else { return None };
    let (data, bits) = (&l.function.dfg.insts[inst], lanes.lane_bits());
    let double = bits == 64;
    let pick = |s: M, d: M| Some(if double { d } else { s });
    let m = match data.opcode() {
        Opcode::Fadd => pick(M::Addps, M::Addpd),
        Opcode::Fsub => pick(M::Subps, M::Subpd),
        Opcode::Fmul => pick(M::Mulps, M::Mulpd),
        Opcode::Fdiv => pick(M::Divps, M::Divpd),
        Opcode::Iadd => Some(by_lane(lanes, [M::Paddb, M::Paddw, M::Paddd, M::Paddq])),
        Opcode::Isub => Some(by_lane(lanes, [M::Psubb, M::Psubw, M::Psubd, M::Psubq])),
        Opcode::Imul if bits >= 32 => pick(M::Pmulld, M::Pmullq),
        Opcode::Band if bits == 32 => Some(M::Pand),
        Opcode::Bor if bits == 32 => Some(M::Por),
        Opcode::Bxor if bits == 32 => Some(M::Pxor),
        _ => None,
    }?;
    Some((m, x, y))
}

/// Selects bit by bit.
fn bit_choice(l: &mut Lower, d: VReg, w: Width, c: Value, a: Value, b: Value) -> Result<bool> {
    let (k, x) = (l.r(c), l.r(a));
    if l.level == Level::Avx512 {
        let y = l.rm(b, M::Pternlogd);
        l.m(M::Pternlogd, w).tied(d, k).reg(x).rm(y).imm(0xca).end();
        return Ok(true);
    }
    let (p, q, y) = (l.vec(), l.vec(), l.rm(b, M::Pandn));
    l.m(M::Pand, w).def(p).reg(k).reg(x).end();
    l.m(M::Pandn, w).def(q).reg(k).rm(y).end();
    l.m(M::Por, w).def(d).reg(p).reg(q).end();
    Ok(true)
}
