//! Propagation of undefined values through operations, and operations that make values undefined, within one lane.

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::{Inst, Op, Partial, Ty, Value};

use super::number::{exponent, is_nan, is_non_finite};
use super::origin::Origins;
use super::surface::is_of_nan;
use super::taint::{Shadow, Taint};

/// Returns the lanes whose result is a NaN or an infinity.
pub fn non_finite(ty: Ty, row: &[u64], active: u32) -> u32 {
    let exponent = exponent(ty);
    let mut mask = 0;
    for (l, &bits) in row.iter().enumerate() {
        mask |= u32::from(bits & exponent == exponent) << l;
    }
    mask & active
}

/// True if an operation made a NaN, or made an infinity from finite numbers.
pub fn makes_non_finite(at: &View<'_>, inst: &Inst, ty: Ty, result: u64, lane: usize) -> bool {
    if matches!(inst.op, Op::Bitcast | Op::LoadConstant | Op::LoadInput | Op::BuiltIn | Op::Interpolate)
        || !quadrille_jit::ops::has_row(inst.op)
    {
        return false;
    }
    let mut odd = false;
    for &a in &inst.args {
        let (ty, bits) = (at.shader().ty(a), at.value(a, lane));
        if is_nan(ty, bits) {
            return false;
        }
        odd |= is_non_finite(ty, bits);
    }
    // A NaN made from an infinity is new; an infinity made from one is not.
    !odd || is_nan(ty, result)
}

/// Returns the taint of a value: a soft taint (a NaN or infinity) ends when the value is finite again.
pub fn keeps(taint: Taint, ty: Ty, bits: u64) -> Taint {
    if taint.is_hard() || !ty.is_float() || is_non_finite(ty, bits) { taint } else { Taint::default() }
}

/// Returns the taint of the result of an operation with undefined operands, in a lane.
pub fn through(
    at: &View<'_>,
    (shadow, origins): (&Shadow, &Origins),
    inst: &Inst,
    ty: Ty,
    lane: usize,
) -> Taint {
    let args = &inst.args;
    let taint_of = |v: Value| shadow.get(v, lane);
    let clean = |v: Value| !taint_of(v).is_set();
    let first = args.iter().map(|&v| taint_of(v)).find(|t| t.is_set()).unwrap_or_default();
    let bits = at.value(inst.results[0], lane);
    match inst.op {
        // The shader tests for a NaN or infinity on purpose.
        Op::IsNan | Op::IsInf => Taint::default(),
        Op::FOrdEq | Op::FUnordEq | Op::FOrdNe | Op::FUnordNe if args[0] == args[1] => Taint::default(),
        // The sign of a NaN is none of the three results, although the operation returns one of them.
        Op::FSign if is_nan(ty, at.value(args[0], lane)) => first.hardened(),
        // A defined operand may determine the result alone.
        Op::And | Op::Or | Op::IMul | Op::UMulHigh | Op::SMulHigh => {
            let decisive = |v: Value| {
                let (ty, bits) = (at.shader().ty(v), at.value(v, lane));
                let ones = ty.bits().map_or(1, |n| u64::MAX >> (64 - n));
                clean(v) && bits == if inst.op == Op::Or { ones } else { 0 }
            };
            if args.iter().any(|&v| decisive(v)) { Taint::default() } else { first }
        }
        // Comparisons with infinities, or with their bits, are well defined; those with NaNs are not.
        _ if ty == Ty::Bool && !first.is_hard() => {
            let nan = |&v: &Value| {
                let (taint, ty, bits) = (taint_of(v), at.shader().ty(v), at.value(v, lane));
                let of_nan = || origins.get(taint.origin()).is_none_or(|o| is_of_nan(o, ty, bits));
                taint.is_hard() || taint.is_set() && of_nan()
            };
            args.iter().find(|v| nan(v)).map_or_else(Taint::default, |&v| taint_of(v))
        }
        _ => {
            let hard = args.iter().map(|&v| taint_of(v)).find(|t| t.is_hard());
            keeps(hard.unwrap_or(first), ty, bits)
        }
    }
}

/// Quick test whether an instruction may have violated its rule in any lane; most have not.
pub fn may_break(at: &View<'_>, inst: Partial, (operands, results): (&[Value], &[Value])) -> bool {
    use Partial::{
        Acos, Acosh, Asin, Atanh, FMax, FMin, InverseSqrt, Log, Log2, MatrixInverse, Normalize, Sqrt,
    };
    let odd = |list: &[Value]| {
        list.iter().any(|&v| {
            let ty = at.shader().ty(v);
            !ty.is_float() || non_finite(ty, at.row(v), at.active()) != 0
        })
    };
    match inst {
        // Violations of these rules show in the result.
        Asin | Acos | Acosh | Atanh | Log | Log2 | Sqrt | InverseSqrt | MatrixInverse => odd(results),
        Normalize => results.len() == 1 || odd(results),
        FMin | FMax => odd(operands),
        _ => true,
    }
}
