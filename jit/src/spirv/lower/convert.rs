//! Conversions with the decorations FPRoundingMode and SaturatedConversion, which kernels have.

use spirv::{Decoration, FPRoundingMode as Mode};

use super::{Lower, Scalars, small_float};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;

/// The rounding mode of an instruction, if it states one.
pub(super) fn mode_of(lower: &Lower<'_>, inst: &Inst) -> Result<Option<Mode>> {
    let number = lower.module.deco(inst.id, Decoration::FPRoundingMode);
    match number.map(Mode::from_u32) {
        None => Ok(None),
        Some(Some(mode)) => Ok(Some(mode)),
        Some(None) => Err(Error::invalid("unknown rounding mode")),
    }
}

/// A float converted to another width; wider types hold it exactly.
pub(super) fn narrow(lower: &mut Lower<'_>, v: Value, to: Ty, mode: Mode) -> Value {
    let from = lower.ty(v);
    if from == to {
        return v;
    }
    if mode == Mode::RTE || to.bytes() > from.bytes() {
        return lower.op(Op::FConvert, to, &[v]);
    }
    let toward_zero = lower.op(Op::FConvertRtz, to, &[v]);
    if mode == Mode::RTZ {
        return toward_zero;
    }
    // The neighbour away from zero, if zero is not the way to round: its bits are one more.
    let back = lower.op(Op::FConvert, from, &[toward_zero]);
    let off = match mode {
        Mode::RTP => lower.below(back, v),
        _ => lower.below(v, back),
    };
    let int = to.as_int();
    let bits = lower.cast(toward_zero, int);
    let one = lower.constant(int, 1);
    let next = lower.op(Op::IAdd, int, &[bits, one]);
    let next = lower.cast(next, to);
    lower.select(off, next, toward_zero)
}

/// OpFConvert.
pub fn float_to_float<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    if let Some(converted) = small_float::convert(lower, inst, id)? {
        return Ok(converted);
    }
    let mode = mode_of(lower, inst)?.unwrap_or(Mode::RTE);
    let to = lower.types.component(inst.ty)?;
    let list = lower.scalars(id)?;
    if !to.is_float() || !lower.first_ty(&list)?.is_float() {
        return Err(Error::invalid("operand or result is not a float"));
    }
    Ok(list.into_iter().map(|v| narrow(lower, v, to, mode)).collect())
}

/// OpConvertFToS, OpConvertFToU: toward zero unless a rounding mode says otherwise; out of range saturates.
pub fn float_to_int<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    if let Some(converted) = small_float::convert(lower, inst, id)? {
        return Ok(converted);
    }
    let round = match mode_of(lower, inst)? {
        None | Some(Mode::RTZ) => None,
        Some(Mode::RTE) => Some(Op::FRound),
        Some(Mode::RTP) => Some(Op::FCeil),
        Some(Mode::RTN) => Some(Op::FFloor),
    };
    let to = lower.types.component(inst.ty)?;
    let op = if inst.op == spirv::Op::ConvertFToS { Op::FToS } else { Op::FToU };
    let list = lower.scalars(id)?;
    Ok(list
        .into_iter()
        .map(|v| {
            let ty = lower.ty(v);
            let v = round.map_or(v, |op| lower.op(op, ty, &[v]));
            lower.op(op, to, &[v])
        })
        .collect())
}

/// OpConvertSToF, OpConvertUToF.
pub fn int_to_float<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    if let Some(converted) = small_float::convert(lower, inst, id)? {
        return Ok(converted);
    }
    let mode = mode_of(lower, inst)?.unwrap_or(Mode::RTE);
    let to = lower.types.component(inst.ty)?;
    let op = if inst.op == spirv::Op::ConvertSToF { Op::SToF } else { Op::UToF };
    let list = lower.scalars(id)?;
    let mut out = Scalars::new();
    for v in list {
        let exact = lower.ty(v).bytes() < 8;
        out.push(match mode {
            Mode::RTE => lower.op(op, to, &[v]),
            // 64 bits hold every integer of 32 bits.
            _ if exact => {
                let wide = lower.op(op, Ty::F64, &[v]);
                narrow(lower, wide, to, mode)
            }
            mode => {
                return Err(Error::unsupported(format!("rounding mode {mode:?} of integers of 64 bits")));
            }
        });
    }
    Ok(out)
}

/// OpSConvert, OpUConvert, OpSatConvertSToU, OpSatConvertUToS: integers of another width or signedness; with
/// SaturatedConversion the nearest number that the result can hold.
pub fn int_to_int<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    use spirv::Op as S;
    let id = lower.id_at(operands, 0)?;
    let to = lower.types.component(inst.ty)?;
    let from_signed = matches!(inst.op, S::SConvert | S::SatConvertSToU);
    let to_signed = matches!(inst.op, S::SConvert | S::SatConvertUToS);
    let saturates = matches!(inst.op, S::SatConvertSToU | S::SatConvertUToS)
        || lower.module.deco(inst.id, Decoration::SaturatedConversion).is_some();
    let list = lower.scalars(id)?;
    let Some(bits) = to.bits().filter(|_| to.is_int()) else {
        return Err(Error::invalid("result is not an integer"));
    };
    Ok(list
        .into_iter()
        .map(|v| {
            let mut v = v;
            let from = lower.ty(v);
            let width = from.bits().unwrap_or(64);
            if saturates {
                let top = u64::MAX >> (64 - bits + u32::from(to_signed));
                if from_signed {
                    let low = if to_signed { (-1i64) << (bits - 1) } else { 0 };
                    if !to_signed || bits < width {
                        let low = lower.constant(from, low as u64 & (u64::MAX >> (64 - width)));
                        v = lower.op(Op::SMax, from, &[v, low]);
                    }
                    if bits < width {
                        let high = lower.constant(from, top);
                        v = lower.op(Op::SMin, from, &[v, high]);
                    }
                } else if bits - u32::from(to_signed) < width {
                    let high = lower.constant(from, top);
                    v = lower.op(Op::UMin, from, &[v, high]);
                }
            }
            match from == to {
                true => v,
                false if from_signed => lower.op(Op::SConvert, to, &[v]),
                false => lower.op(Op::UConvert, to, &[v]),
            }
        })
        .collect())
}
