//! Checks that no operation on varying operands is split into lanes if the host has a vector form. Counts the extracted
//! lanes for every operation and type at the lowest level.

use super::differential::{decode, encode, signatures, wide_ty};
use super::*;

use crate::cpu::{CpuLevel, Tier};
use crate::ir::op::Sig;
use crate::lane::{KernelListing, build_function};

const ROW: i32 = 256;

/// The reason why an operation works lane by lane on these types, if it does.
fn exception(op: Op, tys: &[Ty], result: Ty) -> Option<&'static str> {
    let int64 = |t: &Ty| *t == Ty::I64;
    Some(match op.sig() {
        _ if matches!(op, Op::SDiv | Op::UDiv | Op::SRem | Op::SMod | Op::UMod) => {
            "no host has vector integer division"
        }
        Sig::FToI if tys == [Ty::F64] => {
            "from f64 they go through 64-bit integers, which SSE does not convert in vectors"
        }
        _ if matches!(op, Op::Ldexp | Op::FrexpMant | Op::FrexpExp) && tys[0] == Ty::F64 => {
            "the exponents of f64 are 64-bit integers, which SSE does not convert in vectors"
        }
        Sig::FToI if result == Ty::I64 => "SSE has no conversion of vectors to 64-bit integers",
        Sig::IToF if tys.iter().any(int64) => "SSE has no conversion of vectors from 64-bit integers",
        _ if matches!(op, Op::UMulHigh | Op::SMulHigh) && tys.iter().any(int64) => {
            "the high half of 64-bit products has no vector form"
        }
        Sig::Shift if tys.iter().any(int64) => "SSE shifts all lanes by the same amount",
        Sig::Shift => "SSE shifts all lanes by the same amount",
        Sig::Extract | Sig::Insert => "they shift each lane by a different amount",
        _ if matches!(op, Op::Fma) && result == Ty::F64 => {
            "the lowest level has no fused multiply-add, and no wider type: an exact helper is called"
        }
        _ if is_routine(op, result) => "functions of f64 are routines that take one invocation at a time",
        _ => return None,
    })
}

/// `true` for functions that `ops::double` computes: those that only OpenCL has, and the others for f64.
fn is_routine(op: Op, result: Ty) -> bool {
    match op {
        Op::Sin
        | Op::Cos
        | Op::Tan
        | Op::Asin
        | Op::Acos
        | Op::Atan
        | Op::Atan2
        | Op::Sinh
        | Op::Cosh
        | Op::Tanh
        | Op::Asinh
        | Op::Acosh
        | Op::Atanh
        | Op::Exp
        | Op::Exp2
        | Op::Log
        | Op::Log2
        | Op::Pow => result == Ty::F64,
        Op::SinPi
        | Op::CosPi
        | Op::Exp10
        | Op::Expm1
        | Op::Log10
        | Op::Log1p
        | Op::Cbrt
        | Op::Erf
        | Op::Erfc
        | Op::Tgamma
        | Op::Lgamma
        | Op::Hypot
        | Op::Rootn => true,
        _ => false,
    }
}

/// Number of lanes that the code of an operation extracts.
fn extracted(op: Op, tys: &[Ty], result: Ty) -> usize {
    let mut listing = KernelListing::default();
    build_function(8, CpuLevel::V2, Tier::First, &[Ty::I64], false, Some(&mut listing), |b, args| {
        let operands: Vec<Lane> = (0..tys.len())
            .map(|i| {
                let raw =
                    b.load_row(if wide_ty(tys[i]) { Ty::I64 } else { Ty::I32 }, args[0], i as i32 * ROW);
                decode(b, tys[i], raw)
            })
            .collect();
        let r = lower(b, op, result, &operands);
        let r = encode(b, r);
        b.store_row(r, args[0], 8 * ROW);
        b.leave();
        Ok(())
    })
    .unwrap_or_else(|e| panic!("{} {tys:?}: {e}", op.name()));
    listing.clif.unwrap_or_default().matches("extractlane").count()
}

#[test]
fn operations_stay_vectors() {
    let mut wrong = Vec::new();
    let mut excepted = 0;
    for &op in Op::ALL.iter().filter(|&&op| has_row(op)) {
        for (tys, result) in signatures(op) {
            let n = extracted(op, &tys, result);
            match (n, exception(op, &tys, result)) {
                (0, _) => {}
                (_, Some(_)) => excepted += 1,
                (n, None) => wrong.push(format!("{} {tys:?} -> {result:?}: {n} lanes extracted", op.name())),
            }
        }
    }
    println!("{excepted} operations and types work lane by lane, with a reason");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}
