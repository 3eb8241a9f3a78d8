//! What every arithmetic operation of the IR computes: on one invocation (`eval_*`) and on a lane
//! group (`lower_*`), side by side, one row per [`Op`].
//!
//! | file | rows |
//! |---|---|
//! | [`arith`] | float and integer arithmetic |
//! | [`bit`] | logic, shifts, counting, bit fields |
//! | [`compare`] | comparisons, tests, select |
//! | [`convert`] | conversions |
//! | [`math`] | transcendental functions, over the generic [`approx`] |
//!
//! Memory, control, images and everything that looks at other invocations belong to the interpreter
//! and the code generator; those have no row here ([`has_row`]).

mod approx;
mod arith;
mod bit;
mod compare;
mod convert;
mod math;
pub(crate) mod value;

use crate::ir::{Op, Ty};
use value::Args;

type Eval = fn(&Args) -> u64;

/// The row of an operation. Exhaustive: a new [`Op`] does not compile without its row.
fn row(op: Op) -> Option<Eval> {
    use {arith as a, bit as b, compare as c, convert as v, math as m};
    Some(match op {
        Op::FAdd => a::eval_fadd,
        Op::FSub => a::eval_fsub,
        Op::FMul => a::eval_fmul,
        Op::FDiv => a::eval_fdiv,
        Op::FRem => a::eval_frem,
        Op::FMod => a::eval_fmod,
        Op::FNeg => a::eval_fneg,
        Op::FAbs => a::eval_fabs,
        Op::FSign => a::eval_fsign,
        Op::FFloor => a::eval_ffloor,
        Op::FCeil => a::eval_fceil,
        Op::FTrunc => a::eval_ftrunc,
        Op::FRound => a::eval_fround,
        Op::FFract => a::eval_ffract,
        Op::FMin => a::eval_fmin,
        Op::FMax => a::eval_fmax,
        Op::NMin => a::eval_nmin,
        Op::NMax => a::eval_nmax,
        Op::Fma => a::eval_fma,
        Op::FSqrt => a::eval_fsqrt,
        Op::FInvSqrt => a::eval_finvsqrt,

        Op::IAdd => a::eval_iadd,
        Op::ISub => a::eval_isub,
        Op::IMul => a::eval_imul,
        Op::SDiv => a::eval_sdiv,
        Op::UDiv => a::eval_udiv,
        Op::SRem => a::eval_srem,
        Op::SMod => a::eval_smod,
        Op::UMod => a::eval_umod,
        Op::INeg => a::eval_ineg,
        Op::SAbs => a::eval_sabs,
        Op::SSign => a::eval_ssign,
        Op::SMin => a::eval_smin,
        Op::SMax => a::eval_smax,
        Op::UMin => a::eval_umin,
        Op::UMax => a::eval_umax,
        Op::IAddCarry => a::eval_iaddcarry,
        Op::ISubBorrow => a::eval_isubborrow,
        Op::UMulHigh => a::eval_umulhigh,
        Op::SMulHigh => a::eval_smulhigh,

        Op::And => b::eval_and,
        Op::Or => b::eval_or,
        Op::Xor => b::eval_xor,
        Op::Not => b::eval_not,
        Op::Shl => b::eval_shl,
        Op::ShrU => b::eval_shru,
        Op::ShrS => b::eval_shrs,
        Op::BitCount => b::eval_bitcount,
        Op::BitReverse => b::eval_bitreverse,
        Op::FindILsb => b::eval_findilsb,
        Op::FindSMsb => b::eval_findsmsb,
        Op::FindUMsb => b::eval_findumsb,
        Op::BitFieldInsert => b::eval_insert,
        Op::BitFieldSExtract => b::eval_sextract,
        Op::BitFieldUExtract => b::eval_uextract,

        Op::IEq => c::eval_ieq,
        Op::INe => c::eval_ine,
        Op::SLt => c::eval_slt,
        Op::SLe => c::eval_sle,
        Op::ULt => c::eval_ult,
        Op::ULe => c::eval_ule,
        Op::FOrdEq => c::eval_foeq,
        Op::FOrdNe => c::eval_fone,
        Op::FOrdLt => c::eval_folt,
        Op::FOrdLe => c::eval_fole,
        Op::FUnordEq => c::eval_fueq,
        Op::FUnordNe => c::eval_fune,
        Op::FUnordLt => c::eval_fult,
        Op::FUnordLe => c::eval_fule,
        Op::IsNan => c::eval_isnan,
        Op::IsInf => c::eval_isinf,
        Op::Select => c::eval_select,

        Op::FToS => v::eval_ftos,
        Op::FToU => v::eval_ftou,
        Op::SToF => v::eval_stof,
        Op::UToF => v::eval_utof,
        Op::FConvert => v::eval_fconvert,
        Op::FConvertRtz => v::eval_fconvert_rtz,
        Op::SConvert => v::eval_sconvert,
        Op::UConvert => v::eval_uconvert,
        Op::Bitcast => v::eval_bitcast,
        Op::QuantizeToF16 => v::eval_quantize,

        Op::Sin => m::eval_sin,
        Op::Cos => m::eval_cos,
        Op::Tan => m::eval_tan,
        Op::Asin => m::eval_asin,
        Op::Acos => m::eval_acos,
        Op::Atan => m::eval_atan,
        Op::Sinh => m::eval_sinh,
        Op::Cosh => m::eval_cosh,
        Op::Tanh => m::eval_tanh,
        Op::Asinh => m::eval_asinh,
        Op::Acosh => m::eval_acosh,
        Op::Atanh => m::eval_atanh,
        Op::Atan2 => m::eval_atan2,
        Op::Pow => m::eval_pow,
        Op::Exp => m::eval_exp,
        Op::Log => m::eval_log,
        Op::Exp2 => m::eval_exp2,
        Op::Log2 => m::eval_log2,
        Op::Ldexp => m::eval_ldexp,
        Op::FrexpMant => m::eval_frexp_mant,
        Op::FrexpExp => m::eval_frexp_exp,

        // Constants have no operands; the rest looks beyond the invocation.
        Op::Const
        | Op::DdxFine
        | Op::DdyFine
        | Op::DdxCoarse
        | Op::DdyCoarse
        | Op::VarGet
        | Op::VarSet
        | Op::VarGetDyn
        | Op::VarSetDyn
        | Op::LoadInput
        | Op::StoreOutput
        | Op::BuiltIn
        | Op::Interpolate
        | Op::BufferDescriptor
        | Op::PushConstants
        | Op::BufferSize
        | Op::LoadBuffer
        | Op::StoreBuffer
        | Op::AtomicBuffer
        | Op::LoadShared
        | Op::StoreShared
        | Op::AtomicShared
        | Op::ImageDescriptor
        | Op::SampledImage
        | Op::ImageOp
        | Op::ImageWrite
        | Op::ControlBarrier
        | Op::MemoryBarrier
        | Op::Demote
        | Op::IsHelper
        | Op::Group => return None,
    })
}

/// Whether the operation is computed from its arguments alone, by [`eval`] and `lower`.
pub fn has_row(op: Op) -> bool {
    row(op).is_some()
}

/// One invocation of `op`: operands `args` of types `tys`, result of type `result`.
///
/// Values are 64-bit encodings: bool 0 or 1, integers zero-extended, floats their bits
/// zero-extended. An operation without a row gives 0.
pub fn eval(op: Op, tys: &[Ty], result: Ty, args: &[u64]) -> u64 {
    row(op).map_or(0, |eval| eval(&Args { tys, result, bits: args }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::op::{Effect, Sig};

    #[test]
    fn every_computing_operation_has_a_row() {
        for &op in Op::ALL {
            let computes = !matches!(op.sig(), Sig::Free | Sig::Const) && op.effect() == Effect::Pure;
            assert_eq!(has_row(op), computes, "{}", op.name());
        }
    }

    #[track_caller]
    fn check(op: Op, ty: Ty, args: &[u64], want: u64) {
        let tys = vec![ty; args.len()];
        let result = match op.sig() {
            Sig::CmpI | Sig::CmpF | Sig::TestF => Ty::Bool,
            _ => ty,
        };
        assert_eq!(eval(op, &tys, result, args), want, "{} {ty:?} {args:x?}", op.name());
    }

    #[test]
    fn integers_outside_the_domain() {
        let min = 0x8000_0000;
        check(Op::SDiv, Ty::I32, &[7, 0], 0);
        check(Op::SDiv, Ty::I32, &[min, 0xffff_ffff], min);
        check(Op::SDiv, Ty::I8, &[0x80, 0xff], 0x80);
        check(Op::SRem, Ty::I32, &[min, 0xffff_ffff], 0);
        check(Op::SRem, Ty::I32, &[-7i32 as u32 as u64, 3], -1i32 as u32 as u64);
        check(Op::SMod, Ty::I32, &[-7i32 as u32 as u64, 3], 2);
        check(Op::SMod, Ty::I32, &[7, -3i32 as u32 as u64], -2i32 as u32 as u64);
        check(Op::UDiv, Ty::I64, &[7, 0], 0);
        check(Op::UMod, Ty::I16, &[7, 0], 0);
        check(Op::SAbs, Ty::I32, &[min], min);
        check(Op::Shl, Ty::I32, &[1, 33], 2);
        check(Op::ShrS, Ty::I8, &[0x80, 9], 0xc0);
        check(Op::UMulHigh, Ty::I32, &[0xffff_ffff, 0xffff_ffff], 0xffff_fffe);
        check(Op::SMulHigh, Ty::I32, &[0xffff_ffff, 2], 0xffff_ffff);
        check(Op::IAddCarry, Ty::I8, &[0xff, 1], 1);
        check(Op::ISubBorrow, Ty::I32, &[0, 1], 1);
    }

    #[test]
    fn bits_at_the_edges() {
        check(Op::FindUMsb, Ty::I32, &[0], 0xffff_ffff);
        check(Op::FindSMsb, Ty::I32, &[0xffff_ffff], 0xffff_ffff);
        check(Op::FindSMsb, Ty::I32, &[0xffff_fffe], 0);
        check(Op::FindILsb, Ty::I32, &[0x80], 7);
        check(Op::FindILsb, Ty::I64, &[0], u64::MAX);
        check(Op::BitReverse, Ty::I16, &[1], 0x8000);
        let field = |op, args: &[u64], want| {
            let tys = vec![Ty::I32; args.len()];
            assert_eq!(eval(op, &tys, Ty::I32, args), want, "{} {args:x?}", op.name());
        };
        field(Op::BitFieldUExtract, &[0xabcd, 4, 8], 0xbc);
        field(Op::BitFieldSExtract, &[0xabcd, 4, 8], 0xffff_ffbc);
        field(Op::BitFieldSExtract, &[0xabcd, 4, 0], 0);
        field(Op::BitFieldUExtract, &[0xf000_0000, 28, 100], 0xf);
        field(Op::BitFieldUExtract, &[0xf000_0000, 40, 1], 0);
        field(Op::BitFieldInsert, &[0xffff_ffff, 0, 8, 8], 0xffff_00ff);
        field(Op::BitFieldInsert, &[1, 0xffff_ffff, 0, 32], 0xffff_ffff);
        field(Op::BitFieldInsert, &[1, 0xffff_ffff, 32, 1], 1);
    }

    #[test]
    fn floats_outside_the_domain() {
        let f = |x: f32| u64::from(x.to_bits());
        let nan = f(f32::NAN);
        check(Op::FMin, Ty::F32, &[f(1.0), nan], f(1.0));
        check(Op::FMin, Ty::F32, &[nan, f(1.0)], nan);
        check(Op::NMin, Ty::F32, &[nan, f(1.0)], f(1.0));
        check(Op::NMax, Ty::F32, &[f(1.0), nan], f(1.0));
        check(Op::FSign, Ty::F32, &[f(-0.0)], 0);
        check(Op::FSign, Ty::F32, &[nan], 0);
        check(Op::FMod, Ty::F32, &[f(5.5), f(-2.0)], f(-0.5));
        check(Op::FRem, Ty::F32, &[f(5.5), f(-2.0)], f(1.5));
        check(Op::FRound, Ty::F32, &[f(2.5)], f(2.0));
        check(Op::FOrdNe, Ty::F32, &[nan, nan], 0);
        check(Op::FUnordNe, Ty::F32, &[nan, nan], 1);
        check(Op::FUnordEq, Ty::F32, &[nan, f(1.0)], 1);
        check(Op::FAdd, Ty::F16, &[0x7bff, 0x7bff], 0x7c00);
        let to = |op, x: f32, ty| eval(op, &[Ty::F32], ty, &[f(x)]);
        assert_eq!(to(Op::FToS, f32::NAN, Ty::I32), 0);
        assert_eq!(to(Op::FToS, 3e9, Ty::I32), 0x7fff_ffff);
        assert_eq!(to(Op::FToS, -3e9, Ty::I32), 0x8000_0000);
        assert_eq!(to(Op::FToS, -200.0, Ty::I8), 0x80);
        assert_eq!(to(Op::FToU, -1.0, Ty::I32), 0);
        assert_eq!(to(Op::FToU, 300.0, Ty::I8), 255);
        assert_eq!(eval(Op::UToF, &[Ty::I64], Ty::F16, &[u64::MAX]), 0x7c00);
        assert_eq!(eval(Op::SToF, &[Ty::I32], Ty::F32, &[0xffff_ffff]), f(-1.0));
        assert_eq!(to(Op::QuantizeToF16, 1e-6, Ty::F32), 0);
        assert_eq!(to(Op::QuantizeToF16, 1e6, Ty::F32), f(f32::INFINITY));
    }
}
