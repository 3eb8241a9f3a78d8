//! Shifts of vectors by one scalar amount, and signed fields of words. Amounts for each lane are intrinsics.

use cranelift_codegen::ir::{Inst, Opcode, Value};
use iced_x86::Code;
use regalloc2::VReg;

use super::Lower;
use crate::ops::M;
use crate::regs::{Slot, Width};
use crate::{Level, Result};

/// Shift of a vector by one scalar amount, modulo the lane width.
pub(super) fn vector(l: &mut Lower, inst: Inst, by_constant: M, by_register: M) -> Result<()> {
    let &[a, n] = l.args(inst) else { return Ok(()) };
    let v = l.result(inst);
    let (ty, w, d) = (l.ty(v), Width::of(l.ty(v)), l.d(v));
    let top = i64::from(ty.lane_bits() - 1);
    if l.level == Level::Avx2 && by_constant == M::PsraqI {
        let x = l.r(a);
        return sshr64(l, d, x, n, w);
    }
    if let Some(k) = l.int_const(n) {
        if by_constant == M::PsradI
            && let Some((y, up)) = signed_field(l, a, k & top)
        {
            let mut x = l.r(y);
            if up > 0 {
                let t = l.vec();
                l.m(M::PslldI, w).def(t).reg(x).imm(up).end();
                x = t;
            }
            l.m(by_constant, w).def(d).reg(x).imm(k & top).end();
            return Ok(());
        }
        let x = l.r(a);
        l.m(by_constant, w).def(d).reg(x).imm(k & top).end();
        return Ok(());
    }
    let (x, amount) = (l.r(a), amount(l, n, top));
    l.m(by_register, w).def(d).reg(x).reg(amount).end();
    Ok(())
}

/// Most instructions that are followed to the bits of a field.
const MOST_STEPS: usize = 8;

/// For the signed field `(x << k) >> k`, of which `shifted` is `x << k`: a value y and an amount, with the same result
/// `(y << amount) >> k`. Masks and shifts that leave the bits of the field in y are skipped. `None` if there are none.
fn signed_field(l: &Lower, shifted: Value, k: i64) -> Option<(Value, i64)> {
    let amount = |l: &Lower, n: Value| l.int_const(n).map(|n| n & 31);
    let &[x, n] = l.args_of(shifted, Opcode::Ishl)? else { return None };
    // Bits `at..at + n` of y are the field.
    let (mut y, mut at, bits) = (x, 0, 32 - k);
    if k == 0 || amount(l, n)? != k {
        return None;
    }
    for _ in 0..MOST_STEPS {
        let Some((inst, data)) = l.def(y) else { break };
        let &[a, b] = l.args(inst) else { break };
        let field = (u64::from(u32::MAX) >> k) << at;
        let keeps = |mask: Value| l.const_lanes(mask).is_some_and(|m| m.iter().all(|m| m & field == field));
        (y, at) = match (data.opcode(), amount(l, b)) {
            (Opcode::Band, _) if keeps(b) => (a, at),
            (Opcode::Band, _) if keeps(a) => (b, at),
            (Opcode::Ushr | Opcode::Sshr, Some(n)) if at + n + bits <= 32 => (a, at + n),
            (Opcode::Ishl, Some(n)) if at >= n => (a, at - n),
            _ => break,
        };
    }
    (y != x).then_some((y, k - at))
}

/// A scalar amount, modulo a power of two, in a vector register.
fn amount(l: &mut Lower, n: Value, top: i64) -> VReg {
    let (y, t, amount) = (l.r(n), l.int(), l.vec());
    l.g(Code::And_rm32_imm8, [Slot::R32, Slot::I]).tied(t, y).imm(top).end();
    l.m(M::Movd, Width::W128).def(amount).reg(t).end();
    amount
}

/// AVX2 has no arithmetic shift of 64-bit lanes: the shifted sign bit shows where to extend the sign.
fn sshr64(l: &mut Lower, d: VReg, x: VReg, n: Value, w: Width) -> Result<()> {
    let (s, e, sign) = (l.vec(), l.vec(), l.vec());
    if let Some(k) = l.int_const(n) {
        let k = k & 63;
        l.m(M::PsrlqI, w).def(s).reg(x).imm(k).end();
        l.load_vector(sign, &(1u64 << (63 - k)).to_le_bytes().repeat(w.bytes() as usize / 8));
    } else {
        let top = l.vec();
        let amount = amount(l, n, 63);
        l.m(M::Psrlq, w).def(s).reg(x).reg(amount).end();
        l.load_vector(top, &(1u64 << 63).to_le_bytes().repeat(w.bytes() as usize / 8));
        l.m(M::Psrlq, w).def(sign).reg(top).reg(amount).end();
    }
    l.m(M::Pxor, w).def(e).reg(s).reg(sign).end();
    l.m(M::Psubq, w).def(d).reg(e).reg(sign).end();
    Ok(())
}
