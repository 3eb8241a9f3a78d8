//! Scalars as 64 bits: encoding, decoding and rounding of values of each [`Ty`].
//!
//! Encoding: bool is 0 or 1; integers are zero-extended; floats are their IEEE-754 bits, zero-extended. `Imm::Bits` and
//! the interpreter use this encoding.

use half::f16;

use crate::ir::Ty;

/// Operands of one evaluation.
#[derive(Clone, Copy)]
pub(crate) struct Args<'a> {
    /// Types of the operands.
    pub tys: &'a [Ty],
    /// Type of the result.
    pub result: Ty,
    /// The operands.
    pub bits: &'a [u64],
}

impl Args<'_> {
    /// Type of operand `i`; the type of the result if the operand is missing.
    pub fn ty(&self, i: usize) -> Ty {
        self.tys.get(i).copied().unwrap_or(self.result)
    }
    /// Operand `i`; 0 if it is missing.
    pub fn u(&self, i: usize) -> u64 {
        self.bits.get(i).copied().unwrap_or(0)
    }
    /// Operand `i` sign-extended from the width of its type.
    pub fn s(&self, i: usize) -> i64 {
        sign_extend(self.ty(i), self.u(i))
    }
    /// Operand `i` as a float, exactly.
    pub fn f(&self, i: usize) -> f64 {
        to_f64(self.ty(i), self.u(i))
    }
    /// Operand `i` as an f32: exact for f16 and f32.
    pub fn f32(&self, i: usize) -> f32 {
        match self.ty(i) {
            Ty::F64 => self.f(i) as f32,
            Ty::F16 => f16::from_bits(self.u(i) as u16).to_f32(),
            _ => f32::from_bits(self.u(i) as u32),
        }
    }
}

/// Width of integers and bools in this encoding.
pub(crate) fn width(ty: Ty) -> u32 {
    ty.bits().unwrap_or(if ty == Ty::Bool { 1 } else { 64 })
}

/// Clears the bits that do not belong to the type.
pub(crate) fn wrap(ty: Ty, bits: u64) -> u64 {
    match width(ty) {
        64 => bits,
        w => bits & ((1 << w) - 1),
    }
}

/// The signed value of an integer.
pub(crate) fn sign_extend(ty: Ty, bits: u64) -> i64 {
    let unused = 64 - width(ty);
    ((bits << unused) as i64) >> unused
}

/// Exact value of a float.
pub(crate) fn to_f64(ty: Ty, bits: u64) -> f64 {
    match ty {
        Ty::F16 => f64::from(f16::from_bits(bits as u16).to_f32()),
        Ty::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// Bits of an f32 result; rounded if the type is f16.
pub(crate) fn from_f32(ty: Ty, x: f32) -> u64 {
    match ty {
        Ty::F16 => u64::from(f16::from_f32(x).to_bits()),
        Ty::F32 => u64::from(x.to_bits()),
        _ => f64::from(x).to_bits(),
    }
}

/// Bits of the half float nearest to `x`, ties to even. `half::f16::from_f64` rounds twice on hosts that convert f32 only.
pub(crate) fn half_bits(x: f64) -> u16 {
    f16::from_f32(round_to_odd(x)).to_bits()
}

/// Bits of `x` rounded to nearest even in the type.
pub(crate) fn from_f64(ty: Ty, x: f64) -> u64 {
    match ty {
        Ty::F16 => u64::from(half_bits(x)),
        Ty::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    }
}

/// Bits of `x` rounded toward zero in the type.
pub(crate) fn from_f64_rtz(ty: Ty, x: f64) -> u64 {
    let nearest = from_f64(ty, x);
    if ty != Ty::F64 && to_f64(ty, nearest).abs() > x.abs() { nearest - 1 } else { nearest }
}

/// `x` as f32, rounded to odd: if inexact, toward the neighbour with an odd significand. Rounding that to a much
/// narrower format has the same result as rounding `x` directly.
fn round_to_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    if back == x || x.is_nan() || near.to_bits() & 1 == 1 {
        return near;
    }
    // Magnitudes order like their bits; `near` is even and inexact, so the odd neighbour is adjacent.
    let bits = if back.abs() > x.abs() { near.to_bits() - 1 } else { near.to_bits() + 1 };
    f32::from_bits(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrowing_rounds_once() {
        // 1 + 2^-11 is a tie between 1 and 1 + 2^-10; anything above it must round up.
        let tie = 1.0 + 2f64.powi(-11);
        assert_eq!(from_f64(Ty::F16, tie), 0x3c00);
        assert_eq!(from_f64(Ty::F16, tie + 2f64.powi(-40)), 0x3c01);
        assert_eq!(from_f64(Ty::F16, tie + 2f64.powi(-10)), 0x3c02);
        assert_eq!(from_f64(Ty::F16, 65519.999), 0x7bff);
        assert_eq!(from_f64(Ty::F16, 65520.0), 0x7c00);
        assert_eq!(from_f64(Ty::F16, 1e300), 0x7c00);
        assert_eq!(from_f64_rtz(Ty::F16, 1e300), 0x7bff);
        assert_eq!(from_f64_rtz(Ty::F16, -65519.0), 0xfbff);
        assert_eq!(from_f64_rtz(Ty::F16, f64::INFINITY), 0x7c00);
        assert_eq!(from_f64_rtz(Ty::F32, 0.1), 0x3dcc_cccc);
        assert_eq!(from_f64(Ty::F16, 2f64.powi(-25)), 0);
        assert_eq!(from_f64(Ty::F16, 2f64.powi(-25) * 1.0000001), 1);
    }

    #[test]
    fn integers_extend() {
        assert_eq!(sign_extend(Ty::I8, 0x80), -128);
        assert_eq!(sign_extend(Ty::I64, u64::MAX), -1);
        assert_eq!(wrap(Ty::I16, 0x1_2345), 0x2345);
        assert_eq!(wrap(Ty::Bool, 3), 1);
    }
}
