//! The semantics of every arithmetic operation of the IR: on one invocation (`eval_*`) and on a lane group (`lower_*`),
//! side by side, one row per [`Op`].
//!
//! | file | rows |
//! |---|---|
//! | [`arith`] | float and integer arithmetic |
//! | [`bit`] | logic, shifts, counting, bit fields |
//! | [`compare`] | comparisons, tests, select |
//! | [`convert`] | conversions |
//! | [`math`] | transcendental functions, over the generic [`approx`] |
//! | [`double`] | functions of f64, by routines of the host |
//! | [`decimal`] | none: constants in text |
//!
//! Memory, control, image and cross-lane operations belong to the interpreter and the code generator; they have no row
//! here ([`has_row`]).

mod approx;
mod arith;
mod bit;
mod compare;
mod convert;
pub(crate) mod decimal;
#[cfg(test)]
mod differential;
mod double;
mod held;
mod math;
mod number;
pub(crate) mod value;
#[cfg(test)]
mod vector_form;

use smallvec::SmallVec;

use crate::ir::operand::Reduction;
use crate::ir::{Op, Ty};
use crate::lane::{Lane, LaneBuilder};
pub use decimal::parse_half;
use value::Args;

type Eval = fn(&Args) -> u64;
type Lower = fn(&mut LaneBuilder, Ty, &[Lane]) -> Lane;

/// The row of an operation. The match is exhaustive: a new [`Op`] does not compile without its row.
fn row(op: Op) -> Option<(Eval, Lower)> {
    use {arith as a, bit as b, compare as c, convert as v, double as d, math as m};
    Some(match op {
        Op::FAdd => (a::eval_fadd, a::lower_fadd),
        Op::FSub => (a::eval_fsub, a::lower_fsub),
        Op::FMul => (a::eval_fmul, a::lower_fmul),
        Op::FDiv => (a::eval_fdiv, a::lower_fdiv),
        Op::FRem => (a::eval_frem, a::lower_frem),
        Op::FMod => (a::eval_fmod, a::lower_fmod),
        Op::FNeg => (a::eval_fneg, a::lower_fneg),
        Op::FAbs => (a::eval_fabs, a::lower_fabs),
        Op::FSign => (a::eval_fsign, a::lower_fsign),
        Op::FFloor => (a::eval_ffloor, a::lower_ffloor),
        Op::FCeil => (a::eval_fceil, a::lower_fceil),
        Op::FTrunc => (a::eval_ftrunc, a::lower_ftrunc),
        Op::FRound => (a::eval_fround, a::lower_fround),
        Op::FFract => (a::eval_ffract, a::lower_ffract),
        Op::FMin => (a::eval_fmin, a::lower_fmin),
        Op::FMax => (a::eval_fmax, a::lower_fmax),
        Op::NMin => (a::eval_nmin, a::lower_nmin),
        Op::NMax => (a::eval_nmax, a::lower_nmax),
        Op::Fma => (a::eval_fma, a::lower_fma),
        Op::FSqrt => (a::eval_fsqrt, a::lower_fsqrt),
        Op::FInvSqrt => (a::eval_finvsqrt, a::lower_finvsqrt),

        Op::IAdd => (a::eval_iadd, a::lower_iadd),
        Op::ISub => (a::eval_isub, a::lower_isub),
        Op::IMul => (a::eval_imul, a::lower_imul),
        Op::SDiv => (a::eval_sdiv, a::lower_sdiv),
        Op::UDiv => (a::eval_udiv, a::lower_udiv),
        Op::SRem => (a::eval_srem, a::lower_srem),
        Op::SMod => (a::eval_smod, a::lower_smod),
        Op::UMod => (a::eval_umod, a::lower_umod),
        Op::INeg => (a::eval_ineg, a::lower_ineg),
        Op::SAbs => (a::eval_sabs, a::lower_sabs),
        Op::SSign => (a::eval_ssign, a::lower_ssign),
        Op::SMin => (a::eval_smin, a::lower_smin),
        Op::SMax => (a::eval_smax, a::lower_smax),
        Op::UMin => (a::eval_umin, a::lower_umin),
        Op::UMax => (a::eval_umax, a::lower_umax),
        Op::IAddCarry => (a::eval_iaddcarry, a::lower_iaddcarry),
        Op::ISubBorrow => (a::eval_isubborrow, a::lower_isubborrow),
        Op::UMulHigh => (a::eval_umulhigh, a::lower_umulhigh),
        Op::SMulHigh => (a::eval_smulhigh, a::lower_smulhigh),

        Op::And => (b::eval_and, b::lower_and),
        Op::Or => (b::eval_or, b::lower_or),
        Op::Xor => (b::eval_xor, b::lower_xor),
        Op::Not => (b::eval_not, b::lower_not),
        Op::Shl => (b::eval_shl, b::lower_shl),
        Op::ShrU => (b::eval_shru, b::lower_shru),
        Op::ShrS => (b::eval_shrs, b::lower_shrs),
        Op::BitCount => (b::eval_bitcount, b::lower_bitcount),
        Op::BitReverse => (b::eval_bitreverse, b::lower_bitreverse),
        Op::FindILsb => (b::eval_findilsb, b::lower_findilsb),
        Op::FindSMsb => (b::eval_findsmsb, b::lower_findsmsb),
        Op::FindUMsb => (b::eval_findumsb, b::lower_findumsb),
        Op::BitFieldInsert => (b::eval_insert, b::lower_insert),
        Op::BitFieldSExtract => (b::eval_sextract, b::lower_sextract),
        Op::BitFieldUExtract => (b::eval_uextract, b::lower_uextract),
        Op::SDotBytes => (b::eval_sdot_bytes, b::lower_sdot_bytes),

        Op::IEq => (c::eval_ieq, c::lower_ieq),
        Op::INe => (c::eval_ine, c::lower_ine),
        Op::SLt => (c::eval_slt, c::lower_slt),
        Op::SLe => (c::eval_sle, c::lower_sle),
        Op::ULt => (c::eval_ult, c::lower_ult),
        Op::ULe => (c::eval_ule, c::lower_ule),
        Op::FOrdEq => (c::eval_foeq, c::lower_foeq),
        Op::FOrdNe => (c::eval_fone, c::lower_fone),
        Op::FOrdLt => (c::eval_folt, c::lower_folt),
        Op::FOrdLe => (c::eval_fole, c::lower_fole),
        Op::FUnordEq => (c::eval_fueq, c::lower_fueq),
        Op::FUnordNe => (c::eval_fune, c::lower_fune),
        Op::FUnordLt => (c::eval_fult, c::lower_fult),
        Op::FUnordLe => (c::eval_fule, c::lower_fule),
        Op::IsNan => (c::eval_isnan, c::lower_isnan),
        Op::IsInf => (c::eval_isinf, c::lower_isinf),
        Op::Select => (c::eval_select, c::lower_select),

        Op::FToS => (v::eval_ftos, v::lower_ftos),
        Op::FToU => (v::eval_ftou, v::lower_ftou),
        Op::SToF => (v::eval_stof, v::lower_stof),
        Op::UToF => (v::eval_utof, v::lower_utof),
        Op::FConvert => (v::eval_fconvert, v::lower_fconvert),
        Op::FConvertRtz => (v::eval_fconvert_rtz, v::lower_fconvert_rtz),
        Op::SConvert => (v::eval_sconvert, v::lower_sconvert),
        Op::UConvert => (v::eval_uconvert, v::lower_uconvert),
        Op::Bitcast => (v::eval_bitcast, v::lower_bitcast),
        Op::QuantizeToF16 => (v::eval_quantize, v::lower_quantize),

        Op::Sin => (m::eval_sin, m::lower_sin),
        Op::Cos => (m::eval_cos, m::lower_cos),
        Op::Tan => (m::eval_tan, m::lower_tan),
        Op::Asin => (m::eval_asin, m::lower_asin),
        Op::Acos => (m::eval_acos, m::lower_acos),
        Op::Atan => (m::eval_atan, m::lower_atan),
        Op::Sinh => (m::eval_sinh, m::lower_sinh),
        Op::Cosh => (m::eval_cosh, m::lower_cosh),
        Op::Tanh => (m::eval_tanh, m::lower_tanh),
        Op::Asinh => (m::eval_asinh, m::lower_asinh),
        Op::Acosh => (m::eval_acosh, m::lower_acosh),
        Op::Atanh => (m::eval_atanh, m::lower_atanh),
        Op::Atan2 => (m::eval_atan2, m::lower_atan2),
        Op::Pow => (m::eval_pow, m::lower_pow),
        Op::Exp => (m::eval_exp, m::lower_exp),
        Op::Log => (m::eval_log, m::lower_log),
        Op::Exp2 => (m::eval_exp2, m::lower_exp2),
        Op::Log2 => (m::eval_log2, m::lower_log2),
        Op::Ldexp => (m::eval_ldexp, m::lower_ldexp),
        Op::FrexpMant => (m::eval_frexp_mant, m::lower_frexp_mant),
        Op::FrexpExp => (m::eval_frexp_exp, m::lower_frexp_exp),

        Op::SinPi => (d::eval_sinpi, d::lower_sinpi),
        Op::CosPi => (d::eval_cospi, d::lower_cospi),
        Op::Exp10 => (d::eval_exp10, d::lower_exp10),
        Op::Expm1 => (d::eval_expm1, d::lower_expm1),
        Op::Log10 => (d::eval_log10, d::lower_log10),
        Op::Log1p => (d::eval_log1p, d::lower_log1p),
        Op::Cbrt => (d::eval_cbrt, d::lower_cbrt),
        Op::Erf => (d::eval_erf, d::lower_erf),
        Op::Erfc => (d::eval_erfc, d::lower_erfc),
        Op::Tgamma => (d::eval_tgamma, d::lower_tgamma),
        Op::Lgamma => (d::eval_lgamma, d::lower_lgamma),
        Op::Hypot => (d::eval_hypot, d::lower_hypot),
        Op::Rootn => (d::eval_rootn, d::lower_rootn),

        // Constants have no operands; all others depend on more than their arguments.
        Op::Const
        | Op::DdxFine
        | Op::DdyFine
        | Op::DdxCoarse
        | Op::DdyCoarse
        | Op::VarGet
        | Op::VarSet
        | Op::VarGetDyn
        | Op::VarSetDyn
        | Op::LoadConstant
        | Op::RayStep
        | Op::RayGet
        | Op::RayCall
        | Op::LoadInput
        | Op::LoadPatchInput
        | Op::StoreOutput
        | Op::LoadOutput
        | Op::StorePatchOutput
        | Op::LoadPatchOutput
        | Op::StorePrimitiveOutput
        | Op::LoadPrimitiveOutput
        | Op::SetMeshOutputs
        | Op::EmitMeshTasks
        | Op::Payload
        | Op::EmitVertex
        | Op::EndPrimitive
        | Op::BuiltIn
        | Op::Interpolate
        | Op::Offset
        | Op::BufferAt
        | Op::BufferParts
        | Op::AddressBuffer
        | Op::HandleBuffer
        | Op::NullImage
        | Op::HandleImage
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
        | Op::Group
        | Op::Matrix
        | Op::Printf
        | Op::Abort
        | Op::Note
        | Op::Alarm
        | Op::ReadClock => return None,
    })
}

/// A number as constant bits of a float type, rounded to the type.
pub fn float_bits(ty: Ty, x: f32) -> u64 {
    value::from_f32(ty, x)
}

/// Returns true if the operation depends only on its arguments, so that [`eval`] and `lower` compute it.
pub fn has_row(op: Op) -> bool {
    row(op).is_some()
}

/// Evaluates `op` for one invocation: operands `args` of types `tys`, result of type `result`.
///
/// Values are 64-bit encodings: bool 0 or 1, integers zero-extended, the bits of floats zero-extended. The result of an
/// operation without a row is 0.
pub fn eval(op: Op, tys: &[Ty], result: Ty, args: &[u64]) -> u64 {
    evaluation(op)(tys, result, args)
}

/// [`eval`] of an operation, looked up once for use in many invocations.
pub(crate) fn evaluation(op: Op) -> impl Fn(&[Ty], Ty, &[u64]) -> u64 {
    let row = row(op);
    move |tys, result, bits| row.map_or(0, |(eval, _)| eval(&Args { tys, result, bits }))
}

/// Emits code that computes `op` for a lane group, and returns the result of type `result`. The builder knows the types
/// of the operands `args`. Operations on constants are evaluated here.
///
/// Panics if the operation has no row ([`has_row`]).
pub fn lower(b: &mut LaneBuilder, op: Op, result: Ty, args: &[Lane]) -> Lane {
    let (eval, lower) = row(op).expect("the code generator handles operations without a row");
    let constants: Option<SmallVec<[u64; 4]>> = args.iter().map(|&a| b.as_const(a)).collect();
    match constants {
        Some(bits) => {
            let tys: SmallVec<[Ty; 4]> = args.iter().map(|&a| b.ty(a)).collect();
            b.bits(result, eval(&Args { tys: &tys, result, bits: &bits }))
        }
        None => lower(b, result, args),
    }
}

/// The identity of a reduction.
pub(crate) fn identity(r: Reduction, ty: Ty) -> u64 {
    let bits = ty.bits().unwrap_or(1);
    let ones = u64::MAX >> (64 - bits);
    let float = |half: u64, single: f32, double: f64| match ty {
        Ty::F16 => half,
        Ty::F64 => double.to_bits(),
        _ => u64::from(single.to_bits()),
    };
    match r {
        Reduction::IAdd | Reduction::Or | Reduction::Xor | Reduction::UMax => 0,
        // Spec: SPIR-V OpGroupNonUniformFAdd: "The identity I for Operation is 0."
        Reduction::FAdd => 0,
        Reduction::IMul => 1,
        Reduction::FMul => float(0x3c00, 1.0, 1.0),
        Reduction::SMin => ones >> 1,
        Reduction::SMax => (ones >> 1) + 1,
        Reduction::UMin | Reduction::And => ones,
        Reduction::FMin => float(0x7c00, f32::INFINITY, f64::INFINITY),
        Reduction::FMax => float(0xfc00, f32::NEG_INFINITY, f64::NEG_INFINITY),
    }
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
