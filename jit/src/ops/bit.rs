//! Bit operations: logic, shifts, counting, bit fields.
//!
//! Spec: SPIR-V, "Bit Instructions"; GLSL.std.450 FindILsb, FindSMsb and FindUMsb.

use super::held::{int, op, signed, wide};
use super::value::{Args, sign_extend, width, wrap};
use crate::ir::{Op, Ty};
use crate::lane::{ICmp, Lane, LaneBuilder};

pub(crate) fn eval_and(a: &Args) -> u64 {
    a.u(0) & a.u(1)
}
pub(crate) fn lower_and(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.and(a[0], a[1])
}
pub(crate) fn eval_or(a: &Args) -> u64 {
    a.u(0) | a.u(1)
}
pub(crate) fn lower_or(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.or(a[0], a[1])
}
pub(crate) fn eval_xor(a: &Args) -> u64 {
    a.u(0) ^ a.u(1)
}
pub(crate) fn lower_xor(b: &mut LaneBuilder, _: Ty, a: &[Lane]) -> Lane {
    b.xor(a[0], a[1])
}
pub(crate) fn eval_not(a: &Args) -> u64 {
    wrap(a.result, !a.u(0))
}
pub(crate) fn lower_not(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let x = wide(b, a[0]);
    let r = b.not(x);
    int(b, ty, r)
}

/// The amount modulo the width of the shifted type.
fn amount(a: &Args) -> u64 {
    a.u(1) & u64::from(width(a.result) - 1)
}
pub(crate) fn eval_shl(a: &Args) -> u64 {
    wrap(a.result, a.u(0) << amount(a))
}
/// The amount modulo the width of the shifted type, as I32.
fn lower_amount(b: &mut LaneBuilder, ty: Ty, n: Lane) -> Lane {
    let n = match b.ty(n) {
        Ty::I64 => op(b, Op::UConvert, Ty::I32, &[n]),
        _ => wide(b, n),
    };
    let mask = b.u32(width(ty) - 1);
    op(b, Op::And, Ty::I32, &[n, mask])
}

pub(crate) fn lower_shl(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, n) = (wide(b, a[0]), lower_amount(b, ty, a[1]));
    let r = b.shl(x, n);
    int(b, ty, r)
}
pub(crate) fn eval_shru(a: &Args) -> u64 {
    a.u(0) >> amount(a)
}
pub(crate) fn lower_shru(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, n) = (wide(b, a[0]), lower_amount(b, ty, a[1]));
    let r = b.ushr(x, n);
    b.retype(r, ty)
}
pub(crate) fn eval_shrs(a: &Args) -> u64 {
    wrap(a.result, (sign_extend(a.result, a.u(0)) >> amount(a)) as u64)
}
pub(crate) fn lower_shrs(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let (x, n) = (signed(b, a[0]), lower_amount(b, ty, a[1]));
    let r = b.sshr(x, n);
    int(b, ty, r)
}

pub(crate) fn eval_bitcount(a: &Args) -> u64 {
    u64::from(a.u(0).count_ones())
}
pub(crate) fn lower_bitcount(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if ty == Ty::I64 {
        let (low, high) = (b.low_word(a[0]), b.high_word(a[0]));
        let (low, high) = (count_word(b, low), count_word(b, high));
        let sum = b.iadd(low, high);
        return b.i32_to_i64(sum, false);
    }
    let x = wide(b, a[0]);
    let r = count_word(b, x);
    b.retype(r, ty)
}

/// Number of one bits in an I32, by sums of neighbouring fields of doubling width.
fn count_word(b: &mut LaneBuilder, x: Lane) -> Lane {
    let pairs = shifted_mask(b, x, 1, 0x5555_5555);
    let x = b.isub(x, pairs);
    let high = shifted_mask(b, x, 2, 0x3333_3333);
    let mask = b.u32(0x3333_3333);
    let low = b.and(x, mask);
    let x = b.iadd(low, high);
    let four = b.i32(4);
    let high = b.ushr(x, four);
    let x = b.iadd(x, high);
    let mask = b.u32(0x0f0f_0f0f);
    let x = b.and(x, mask);
    let (ones, by) = (b.u32(0x0101_0101), b.i32(24));
    let x = b.imul(x, ones);
    b.ushr(x, by)
}

/// `(x >> by) & mask`, I32.
fn shifted_mask(b: &mut LaneBuilder, x: Lane, by: u32, mask: u32) -> Lane {
    let (by, mask) = (b.u32(by), b.u32(mask));
    let x = b.ushr(x, by);
    b.and(x, mask)
}
pub(crate) fn eval_bitreverse(a: &Args) -> u64 {
    a.u(0).reverse_bits() >> (64 - width(a.result))
}
pub(crate) fn lower_bitreverse(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if ty == Ty::I64 {
        let (low, high) = (b.low_word(a[0]), b.high_word(a[0]));
        let (low, high) = (reverse_word(b, low), reverse_word(b, high));
        let (low, high) = (b.i32_to_i64(low, false), b.i32_to_i64(high, false));
        let by = b.i32(32);
        let low = b.shl(low, by);
        return b.or(low, high);
    }
    let x = wide(b, a[0]);
    let r = reverse_word(b, x);
    let by = b.u32(32 - width(ty));
    let r = op(b, Op::ShrU, Ty::I32, &[r, by]);
    b.retype(r, ty)
}

/// Swaps neighbouring groups of 1, 2, 4, 8 and 16 bits.
fn reverse_word(b: &mut LaneBuilder, mut x: Lane) -> Lane {
    for (by, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff)] {
        let high = shifted_mask(b, x, by, mask);
        let (by, mask) = (b.u32(by), b.u32(mask));
        let low = b.and(x, mask);
        let low = b.shl(low, by);
        x = b.or(low, high);
    }
    let by = b.i32(16);
    let (low, high) = (b.shl(x, by), b.ushr(x, by));
    b.or(low, high)
}

/// Index of the highest one bit, -1 for 0.
fn msb(a: &Args, bits: u64) -> u64 {
    wrap(a.result, (63 - i64::from(bits.leading_zeros())) as u64)
}
pub(crate) fn eval_findilsb(a: &Args) -> u64 {
    let lowest = a.u(0) & a.u(0).wrapping_neg();
    msb(a, lowest)
}
/// Index of the highest one bit of a non-negative I32; -1 for 0. Its conversion to f32 must not round up to the next
/// power of two.
fn exponent(b: &mut LaneBuilder, x: Lane) -> Lane {
    let f = b.s32_to_f32(x);
    let bits = b.bitcast(f, Ty::I32);
    let e = shifted_mask(b, bits, 23, 0xff);
    let (bias, none) = (b.i32(127), b.i32(-1));
    let e = b.isub(e, bias);
    b.smax(e, none)
}

/// `x & !(x >> 1)`: keeps the highest one bit and clears the bit after it, so that rounding cannot carry into the
/// highest.
fn isolate(b: &mut LaneBuilder, x: Lane) -> Lane {
    let one = b.i32(1);
    let half = b.ushr(x, one);
    b.and_not(x, half)
}

/// Index of the highest one bit of an I32.
fn msb_word(b: &mut LaneBuilder, x: Lane) -> Lane {
    let (zero, top) = (b.i32(0), b.i32(31));
    let single = isolate(b, x);
    let e = exponent(b, single);
    let negative = b.icmp(ICmp::Slt, x, zero);
    b.select(negative, top, e)
}

/// Index of the lowest one bit of an I32. (2^31 converts to -2^31, which has the right exponent.)
fn lsb_word(b: &mut LaneBuilder, x: Lane) -> Lane {
    let minus = b.ineg(x);
    let lowest = b.and(x, minus);
    exponent(b, lowest)
}

/// The index in the first word plus `add_first` if there is one, otherwise that in the other plus `add_other`; as I64.
fn either_word(b: &mut LaneBuilder, first: Lane, add_first: i32, other: Lane, add_other: i32) -> Lane {
    let zero = b.i32(0);
    let add = |b: &mut LaneBuilder, i: Lane, by: i32| {
        let by = b.i32(by);
        let moved = b.iadd(i, by);
        let found = b.icmp(ICmp::Sge, i, zero);
        b.select(found, moved, i)
    };
    let (a, o) = (add(b, first, add_first), add(b, other, add_other));
    let found = b.icmp(ICmp::Sge, first, zero);
    let r = b.select(found, a, o);
    b.i32_to_i64(r, true)
}

pub(crate) fn lower_findilsb(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if ty == Ty::I64 {
        let (low, high) = (b.low_word(a[0]), b.high_word(a[0]));
        let (low, high) = (lsb_word(b, low), lsb_word(b, high));
        return either_word(b, low, 0, high, 32);
    }
    let x = wide(b, a[0]);
    let r = lsb_word(b, x);
    int(b, ty, r)
}
pub(crate) fn eval_findsmsb(a: &Args) -> u64 {
    let x = a.s(0);
    msb(a, (if x < 0 { !x } else { x }) as u64)
}
pub(crate) fn lower_findsmsb(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    // Complementing negative numbers removes their sign bits.
    let x = signed(b, a[0]);
    let held = b.ty(x);
    let by = b.u32(width(held) - 1);
    let sign = b.sshr(x, by);
    let x = b.xor(x, sign);
    if ty == Ty::I64 {
        return lower_findumsb(b, ty, &[x]);
    }
    let single = isolate(b, x);
    let r = exponent(b, single);
    int(b, ty, r)
}
pub(crate) fn eval_findumsb(a: &Args) -> u64 {
    msb(a, a.u(0))
}
pub(crate) fn lower_findumsb(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if ty == Ty::I64 {
        let (low, high) = (b.low_word(a[0]), b.high_word(a[0]));
        let (low, high) = (msb_word(b, low), msb_word(b, high));
        return either_word(b, high, 32, low, 0);
    }
    let x = wide(b, a[0]);
    let r = msb_word(b, x);
    int(b, ty, r)
}

/// Offset and count, clamped to the width.
fn field(a: &Args, at: usize) -> (u32, u32) {
    let w = width(a.result);
    let offset = (a.u(at) as u32).min(w);
    (offset, (a.u(at + 1) as u32).min(w - offset))
}
/// `count` one bits.
fn ones(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count).unwrap_or(0)
}
fn extract(a: &Args) -> (u64, u32) {
    let (offset, count) = field(a, 1);
    (a.u(0).checked_shr(offset).unwrap_or(0) & ones(count), count)
}
pub(crate) fn eval_insert(a: &Args) -> u64 {
    let (offset, count) = field(a, 2);
    let mask = ones(count).checked_shl(offset).unwrap_or(0);
    let insert = a.u(1).checked_shl(offset).unwrap_or(0);
    (a.u(0) & !mask) | (insert & mask)
}
/// Operands that the bit field operations share, in the type that lanes hold.
struct Field {
    /// Type of the lane.
    held: Ty,
    /// Width of the lane.
    bits: u32,
    /// Offset, clamped to the width of the value; shifts by it count modulo the width of the lane.
    offset: Lane,
    count: Lane,
    /// `count` one bits.
    ones: Lane,
}

fn lower_field(b: &mut LaneBuilder, ty: Ty, offset: Lane, count: Lane) -> Field {
    let held = super::held::wide_ty(ty);
    let bits = width(held);
    let w = b.u32(width(ty));
    let offset = op(b, Op::UMin, Ty::I32, &[offset, w]);
    let rest = op(b, Op::ISub, Ty::I32, &[w, offset]);
    let count = op(b, Op::UMin, Ty::I32, &[count, rest]);
    // Shifts count modulo the width, so a count of 0 would keep all one bits.
    let (all, zero, lane) = (b.bits(held, wrap(held, u64::MAX)), b.bits(held, 0), b.u32(bits));
    let by = op(b, Op::ISub, Ty::I32, &[lane, count]);
    let ones = op(b, Op::ShrU, held, &[all, by]);
    let izero = b.i32(0);
    let none = op(b, Op::IEq, Ty::Bool, &[count, izero]);
    let ones = op(b, Op::Select, held, &[none, zero, ones]);
    Field { held, bits, offset, count, ones }
}

pub(crate) fn lower_insert(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let f = lower_field(b, ty, a[2], a[3]);
    let (base, insert) = (wide(b, a[0]), wide(b, a[1]));
    let mask = op(b, Op::Shl, f.held, &[f.ones, f.offset]);
    let insert = op(b, Op::Shl, f.held, &[insert, f.offset]);
    let insert = op(b, Op::And, f.held, &[insert, mask]);
    let keep = op(b, Op::Not, f.held, &[mask]);
    let base = op(b, Op::And, f.held, &[base, keep]);
    let r = op(b, Op::Or, f.held, &[base, insert]);
    b.retype(r, ty)
}
pub(crate) fn eval_sextract(a: &Args) -> u64 {
    let (bits, count) = extract(a);
    let negative = count > 0 && bits >> (count - 1) & 1 == 1;
    wrap(a.result, if negative { bits | !ones(count) } else { bits })
}
pub(crate) fn lower_sextract(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let f = lower_field(b, ty, a[1], a[2]);
    let x = wide(b, a[0]);
    // Shift the field up to the sign bit, and down again.
    let lane = b.u32(f.bits);
    let down = op(b, Op::ISub, Ty::I32, &[lane, f.count]);
    let up = op(b, Op::ISub, Ty::I32, &[down, f.offset]);
    let x = op(b, Op::Shl, f.held, &[x, up]);
    let x = op(b, Op::ShrS, f.held, &[x, down]);
    let (zero, izero) = (b.bits(f.held, 0), b.i32(0));
    let none = op(b, Op::IEq, Ty::Bool, &[f.count, izero]);
    let r = op(b, Op::Select, f.held, &[none, zero, x]);
    int(b, ty, r)
}
pub(crate) fn eval_sdot_bytes(a: &Args) -> u64 {
    let bytes = |k: usize| (a.u(k) as u32).to_le_bytes().map(|byte| i32::from(byte as i8));
    let sum: i32 = bytes(0).into_iter().zip(bytes(1)).map(|(x, y)| x * y).sum();
    u64::from(sum as u32)
}
pub(crate) fn lower_sdot_bytes(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if let Some(sum) = b.dot_bytes(a[0], a[1]) {
        return sum;
    }
    let mut sum = b.u32(0);
    for k in 0..4 {
        let (up, down) = (b.u32(24 - 8 * k), b.u32(24));
        let [x, y] = [a[0], a[1]].map(|word| {
            let top = op(b, Op::Shl, ty, &[word, up]);
            op(b, Op::ShrS, ty, &[top, down])
        });
        let product = b.imul(x, y);
        sum = b.iadd(sum, product);
    }
    sum
}
pub(crate) fn eval_uextract(a: &Args) -> u64 {
    extract(a).0
}
pub(crate) fn lower_uextract(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    let f = lower_field(b, ty, a[1], a[2]);
    let x = wide(b, a[0]);
    let x = op(b, Op::ShrU, f.held, &[x, f.offset]);
    let r = op(b, Op::And, f.held, &[x, f.ones]);
    b.retype(r, ty)
}
