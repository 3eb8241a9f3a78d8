//! Bits: logic, shifts, counting, bit fields.
//!
//! Spec: SPIR-V, "Bit Instructions"; GLSL.std.450 FindILsb and its kin.

use super::value::{Args, sign_extend, width, wrap};

pub(crate) fn eval_and(a: &Args) -> u64 {
    a.u(0) & a.u(1)
}
pub(crate) fn eval_or(a: &Args) -> u64 {
    a.u(0) | a.u(1)
}
pub(crate) fn eval_xor(a: &Args) -> u64 {
    a.u(0) ^ a.u(1)
}
pub(crate) fn eval_not(a: &Args) -> u64 {
    wrap(a.result, !a.u(0))
}

/// The amount modulo the width of the shifted type.
fn amount(a: &Args) -> u64 {
    a.u(1) & u64::from(width(a.result) - 1)
}
pub(crate) fn eval_shl(a: &Args) -> u64 {
    wrap(a.result, a.u(0) << amount(a))
}
pub(crate) fn eval_shru(a: &Args) -> u64 {
    a.u(0) >> amount(a)
}
pub(crate) fn eval_shrs(a: &Args) -> u64 {
    wrap(a.result, (sign_extend(a.result, a.u(0)) >> amount(a)) as u64)
}

pub(crate) fn eval_bitcount(a: &Args) -> u64 {
    u64::from(a.u(0).count_ones())
}
pub(crate) fn eval_bitreverse(a: &Args) -> u64 {
    a.u(0).reverse_bits() >> (64 - width(a.result))
}

/// Index of the highest one bit, -1 for 0.
fn msb(a: &Args, bits: u64) -> u64 {
    wrap(a.result, (63 - i64::from(bits.leading_zeros())) as u64)
}
pub(crate) fn eval_findilsb(a: &Args) -> u64 {
    let lowest = a.u(0) & a.u(0).wrapping_neg();
    msb(a, lowest)
}
pub(crate) fn eval_findsmsb(a: &Args) -> u64 {
    let x = a.s(0);
    msb(a, (if x < 0 { !x } else { x }) as u64)
}
pub(crate) fn eval_findumsb(a: &Args) -> u64 {
    msb(a, a.u(0))
}

/// Offset and count, clamped into the width.
fn field(a: &Args, at: usize) -> (u32, u32) {
    let w = width(a.result);
    let offset = (a.u(at) as u32).min(w);
    (offset, (a.u(at + 1) as u32).min(w - offset))
}
/// `count` ones.
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
pub(crate) fn eval_sextract(a: &Args) -> u64 {
    let (bits, count) = extract(a);
    let negative = count > 0 && bits >> (count - 1) & 1 == 1;
    wrap(a.result, if negative { bits | !ones(count) } else { bits })
}
pub(crate) fn eval_uextract(a: &Args) -> u64 {
    extract(a).0
}
