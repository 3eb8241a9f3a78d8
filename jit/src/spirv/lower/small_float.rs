//! Floats of 4, 6 and 8 bits, and bfloat16. The IR holds their encodings as integers; conversions go through F32, which
//! represents all of them exactly. Spec: SPV_KHR_bfloat16, SPV_EXT_float8, SPV_EXT_ocp_microscaling_types.

use spirv::{Decoration, Op as SpvOp};

use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;
use crate::spirv::newer;
use crate::spirv::types::{Format, SmallFloat};

impl Lower<'_> {
    /// The F32 that an encoding represents.
    pub(super) fn decoded(&mut self, v: Value, of: SmallFloat) -> Value {
        let bits = self.op(Op::UConvert, Ty::I32, &[v]);
        match (of, of.format()) {
            (SmallFloat::BFloat16, _) => {
                let sixteen = self.i32(16);
                let bits = self.op(Op::Shl, Ty::I32, &[bits, sixteen]);
                self.op(Op::Bitcast, Ty::F32, &[bits])
            }
            // The first half of an f16.
            (SmallFloat::E5M2, _) => {
                let eight = self.i32(8);
                let bits = self.op(Op::Shl, Ty::I32, &[bits, eight]);
                let half = self.op(Op::UConvert, Ty::I16, &[bits]);
                let half = self.op(Op::Bitcast, Ty::F16, &[half]);
                self.op(Op::FConvert, Ty::F32, &[half])
            }
            (SmallFloat::MxInt8, _) => {
                let code = self.op(Op::SConvert, Ty::I32, &[v]);
                let (number, unit) = (self.op(Op::SToF, Ty::F32, &[code]), self.float(Ty::F32, 1.0 / 64.0));
                self.op(Op::FMul, Ty::F32, &[number, unit])
            }
            (_, Some(format)) => self.decoded_parts(bits, of.bits(), format),
            (SmallFloat::E8M0, _) | (_, None) => {
                let (zero, most, shift) = (self.i32(0), self.i32(0xff), self.i32(23));
                let placed = self.op(Op::Shl, Ty::I32, &[bits, shift]);
                // F32 has no exponent for 2^-127, and its greatest exponent is for infinity, too.
                let (denormal, nan) = (self.i32(0x0040_0000), self.i32(0x7fc0_0000));
                let is_least = self.op(Op::IEq, Ty::Bool, &[bits, zero]);
                let is_nan = self.op(Op::IEq, Ty::Bool, &[bits, most]);
                let placed = self.op(Op::Select, Ty::I32, &[is_least, denormal, placed]);
                let placed = self.op(Op::Select, Ty::I32, &[is_nan, nan, placed]);
                self.op(Op::Bitcast, Ty::F32, &[placed])
            }
        }
    }

    /// The F32 of an encoding that consists of sign, exponent and mantissa, without infinities.
    fn decoded_parts(&mut self, bits: Value, width: u32, format: Format) -> Value {
        let (low, by) = (self.i32((1 << (width - 1)) - 1), self.i32(23 - format.mantissa));
        let magnitude = self.op(Op::And, Ty::I32, &[bits, low]);
        // Exponent and mantissa at their position in F32, scaled by the difference of the biases: exact for denormals, too.
        let placed = self.op(Op::Shl, Ty::I32, &[magnitude, by]);
        let placed = self.op(Op::Bitcast, Ty::F32, &[placed]);
        let scale = self.float(Ty::F32, 2f64.powi(127 - format.bias as i32));
        let scaled = self.op(Op::FMul, Ty::F32, &[placed, scale]);
        let mut out = self.op(Op::Bitcast, Ty::I32, &[scaled]);
        if let Some(end) = format.end {
            let (code, nan) = (self.i32(end.nan), self.i32(0x7fc0_0000));
            let is_nan = self.op(Op::IEq, Ty::Bool, &[magnitude, code]);
            out = self.op(Op::Select, Ty::I32, &[is_nan, nan, out]);
        }
        let (top, shift) = (self.i32(1 << (width - 1)), self.i32(32 - width));
        let sign = self.op(Op::And, Ty::I32, &[bits, top]);
        let sign = self.op(Op::Shl, Ty::I32, &[sign, shift]);
        let out = self.op(Op::Or, Ty::I32, &[out, sign]);
        self.op(Op::Bitcast, Ty::F32, &[out])
    }

    /// The encoding of an F32, rounded to nearest even. Values past the greatest finite one become infinite, or NaN if
    /// the type lacks infinities; if `saturates`, they become the greatest finite one.
    ///
    /// # Errors
    /// `Invalid` if numbers are not converted to the type.
    pub(super) fn encoded(&mut self, v: Value, to: SmallFloat, saturates: bool) -> Result<Value> {
        let (format, end) = to.result_format().ok_or_else(|| Error::invalid(to.no_result()))?;
        let bits = self.op(Op::Bitcast, Ty::I32, &[v]);
        let low = self.i32(0x7fff_ffff);
        let a = self.op(Op::And, Ty::I32, &[bits, low]);
        let dropped = 23 - format.mantissa;
        // Normal results: rebias the exponent, and round by adding half an ulp minus one, plus the lowest kept bit.
        let (by, one) = (self.i32(dropped), self.i32(1));
        let odd = self.op(Op::ShrU, Ty::I32, &[a, by]);
        let odd = self.op(Op::And, Ty::I32, &[odd, one]);
        let rebias = ((format.bias as i32 - 127) << 23) as u32;
        let add = self.i32(rebias.wrapping_add((1 << (dropped - 1)) - 1));
        let sum = self.op(Op::IAdd, Ty::I32, &[a, add]);
        let sum = self.op(Op::IAdd, Ty::I32, &[sum, odd]);
        let mut out = self.op(Op::ShrU, Ty::I32, &[sum, by]);
        if format.bias < 127 {
            // Small results: an addition that leaves the rounded mantissa in the low bits.
            let magic = (127 + 1 - format.bias + dropped) << 23;
            let (f, magic_bits) = (self.op(Op::Bitcast, Ty::F32, &[a]), self.i32(magic));
            let magic = self.constant(Ty::F32, u64::from(magic));
            let small = self.op(Op::FAdd, Ty::F32, &[f, magic]);
            let small = self.op(Op::Bitcast, Ty::I32, &[small]);
            let small = self.op(Op::ISub, Ty::I32, &[small, magic_bits]);
            let least = self.i32((127 + 1 - format.bias) << 23);
            let is_small = self.op(Op::ULt, Ty::Bool, &[a, least]);
            out = self.op(Op::Select, Ty::I32, &[is_small, small, out]);
        }
        let most = self.i32(end.greatest);
        let past = self.i32(if saturates { end.greatest } else { end.past });
        let too_large = self.op(Op::ULt, Ty::Bool, &[most, out]);
        out = self.op(Op::Select, Ty::I32, &[too_large, past, out]);
        let (nan, infinite) = (self.i32(end.nan), self.i32(0x7f80_0000));
        let is_nan = self.op(Op::ULt, Ty::Bool, &[infinite, a]);
        out = self.op(Op::Select, Ty::I32, &[is_nan, nan, out]);
        let ty = to.held();
        let (top, shift) = (self.i32(1 << (to.bits() - 1)), self.i32(32 - to.bits()));
        let sign = self.op(Op::ShrU, Ty::I32, &[bits, shift]);
        let sign = self.op(Op::And, Ty::I32, &[sign, top]);
        let out = self.op(Op::Or, Ty::I32, &[out, sign]);
        Ok(self.op(Op::UConvert, ty, &[out]))
    }

    /// A vector operand of a mixed dot product, as F32.
    fn decoded_vector(&mut self, inst: &Inst, id: u32) -> Result<Scalars> {
        let ty = self.module.type_of(id)?;
        let (small, held) = (self.types.small_float(ty), self.types.component(ty)?);
        let four = inst.op == newer::FDOT4_ACC32;
        let fits = match small {
            Some(SmallFloat::E4M3 | SmallFloat::E5M2) => four,
            Some(SmallFloat::BFloat16) => !four,
            Some(_) => false,
            None => !four && held == Ty::F16,
        };
        if !fits || self.types.leaves(ty)? != if four { 4 } else { 2 } {
            return Err(Error::invalid("the dot product is not of vectors of this type"));
        }
        let list = self.scalars(id)?;
        self.work(8 * list.len())?;
        Ok(list
            .into_iter()
            .map(|v| match small {
                Some(small) => self.decoded(v, small),
                None => self.op(Op::FConvert, Ty::F32, &[v]),
            })
            .collect())
    }

    /// A number as F32 for [`Self::encoded`]: rounded to odd if F32 cannot represent it, so that the result is rounded
    /// once.
    fn to_odd(&mut self, v: Value, op: SpvOp) -> Result<Value> {
        let signed = op == SpvOp::ConvertSToF;
        match (op, self.ty(v)) {
            (SpvOp::FConvert, Ty::F32) => Ok(v),
            (SpvOp::FConvert, Ty::F16) => Ok(self.op(Op::FConvert, Ty::F32, &[v])),
            (SpvOp::FConvert, Ty::F64) => Ok(self.double_to_odd(v)),
            (SpvOp::ConvertSToF | SpvOp::ConvertUToF, Ty::I8 | Ty::I16) => {
                Ok(self.op(if signed { Op::SToF } else { Op::UToF }, Ty::F32, &[v]))
            }
            (SpvOp::ConvertSToF | SpvOp::ConvertUToF, Ty::I32) => {
                let double = self.op(if signed { Op::SToF } else { Op::UToF }, Ty::F64, &[v]);
                Ok(self.double_to_odd(double))
            }
            (SpvOp::ConvertSToF | SpvOp::ConvertUToF, Ty::I64) => {
                let double = self.long_to_odd(v, signed);
                Ok(self.double_to_odd(double))
            }
            (_, ty) => Err(Error::unsupported(format!("conversion of {ty} to a small float"))),
        }
    }

    /// An I64 as F64: exact, or if its magnitude has more than 53 bits, without the last eleven, of which the last kept bit
    /// tells that one was set.
    fn long_to_odd(&mut self, v: Value, signed: bool) -> Value {
        let long = |lower: &mut Self, bits: u64| lower.constant(Ty::I64, bits);
        let zero = long(self, 0);
        let magnitude = match signed {
            true => {
                let (negated, is_negative) =
                    (self.op(Op::INeg, Ty::I64, &[v]), self.op(Op::SLt, Ty::Bool, &[v, zero]));
                self.op(Op::Select, Ty::I64, &[is_negative, negated, v])
            }
            false => v,
        };
        let exact = self.op(Op::UToF, Ty::F64, &[magnitude]);
        let (mask, one, by) = (long(self, 0x7ff), long(self, 1), long(self, 11));
        let dropped = self.op(Op::And, Ty::I64, &[magnitude, mask]);
        let is_odd = self.op(Op::ULt, Ty::Bool, &[zero, dropped]);
        let kept = self.op(Op::ShrU, Ty::I64, &[magnitude, by]);
        let odd = self.op(Op::Or, Ty::I64, &[kept, one]);
        let kept = self.op(Op::Select, Ty::I64, &[is_odd, odd, kept]);
        let (kept, unit) = (self.op(Op::UToF, Ty::F64, &[kept]), self.float(Ty::F64, 2048.0));
        let scaled = self.op(Op::FMul, Ty::F64, &[kept, unit]);
        let end = long(self, 1 << 53);
        let is_exact = self.op(Op::ULt, Ty::Bool, &[magnitude, end]);
        let number = self.op(Op::Select, Ty::F64, &[is_exact, exact, scaled]);
        if !signed {
            return number;
        }
        let (negated, is_negative) =
            (self.op(Op::FNeg, Ty::F64, &[number]), self.op(Op::SLt, Ty::Bool, &[v, zero]));
        self.op(Op::Select, Ty::F64, &[is_negative, negated, number])
    }

    /// An F64 as F32, rounded to odd: toward zero, with the last bit set if that is inexact.
    fn double_to_odd(&mut self, v: Value) -> Value {
        let near = self.op(Op::FConvertRtz, Ty::F32, &[v]);
        let back = self.op(Op::FConvert, Ty::F64, &[near]);
        let differs = self.op(Op::FOrdNe, Ty::Bool, &[back, v]);
        let bits = self.op(Op::Bitcast, Ty::I32, &[near]);
        let one = self.i32(1);
        let odd = self.op(Op::Or, Ty::I32, &[bits, one]);
        let bits = self.op(Op::Select, Ty::I32, &[differs, odd, bits]);
        self.op(Op::Bitcast, Ty::F32, &[bits])
    }
}

/// OpFConvert, OpConvertFToU, OpConvertFToS, OpConvertSToF, OpConvertUToF if the operand or the result is of small floats;
/// `None` otherwise.
pub(super) fn convert(lower: &mut Lower<'_>, inst: &Inst, operand: u32) -> Result<Option<Scalars>> {
    let from = lower.types.small_float(lower.module.type_of(operand)?);
    let to = lower.types.small_float(inst.ty);
    if from.is_none() && to.is_none() {
        return Ok(None);
    }
    if !matches!(
        inst.op,
        SpvOp::FConvert | SpvOp::ConvertFToU | SpvOp::ConvertFToS | SpvOp::ConvertSToF | SpvOp::ConvertUToF
    ) {
        return Err(Error::invalid("this conversion does not apply to small floats"));
    }
    if let Some(from) = from.filter(|_| inst.op != SpvOp::FConvert)
        && from.result_format().is_none()
    {
        return Err(Error::invalid(format!("{} is only converted to floats", from.name())));
    }
    let saturates =
        lower.module.deco(inst.id, Decoration::SaturatedToLargestFloat8NormalConversionEXT).is_some();
    let ty = lower.types.component(inst.ty)?;
    let list = lower.scalars(operand)?;
    lower.work(16 * list.len())?;
    let out = list.into_iter().map(|v| {
        let wide = match from {
            Some(from) => lower.decoded(v, from),
            None => lower.to_odd(v, inst.op)?,
        };
        Ok(match (to, inst.op) {
            (Some(to), _) => lower.encoded(wide, to, saturates)?,
            (None, SpvOp::ConvertFToU) => lower.op(Op::FToU, ty, &[wide]),
            (None, SpvOp::ConvertFToS) => lower.op(Op::FToS, ty, &[wide]),
            (None, _) if ty == Ty::F32 => wide,
            (None, _) => lower.op(Op::FConvert, ty, &[wide]),
        })
    });
    out.collect::<Result<Scalars>>().map(Some)
}

/// OpFDot2MixAcc32VALVE, OpFDot2MixAcc16VALVE, OpFDot4MixAcc32VALVE: the sum of the products and the accumulator, as F32,
/// in which products are exact but for the range of bfloat16; a result of 16 bits is rounded once more.
pub fn mixed_dot<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [a, b, sum] = [lower.id_at(operands, 0)?, lower.id_at(operands, 1)?, lower.id_at(operands, 2)?];
    let types = [lower.module.type_of(a)?, lower.module.type_of(b)?];
    let (ty, small) = (lower.types.component(inst.ty)?, lower.types.small_float(inst.ty));
    let of_f32 = ty == Ty::F32;
    let fits = match inst.op {
        newer::FDOT4_ACC32 => of_f32,
        newer::FDOT2_ACC32 => of_f32 && types[0] == types[1],
        _ => {
            let same = lower.types.small_float(types[0]) == small && lower.types.component(types[0])? == ty;
            same && types[0] == types[1]
        }
    };
    if !fits || lower.types.leaves(inst.ty)? != 1 || lower.module.type_of(sum)? != inst.ty {
        return Err(Error::invalid("the vectors, the accumulator and the result do not fit each other"));
    }
    let a = lower.decoded_vector(inst, a)?;
    let b = lower.decoded_vector(inst, b)?;
    let sum = lower.scalar(sum)?;
    let sum = match (small, ty) {
        (Some(small), _) => lower.decoded(sum, small),
        (None, Ty::F32) => sum,
        (None, _) => lower.op(Op::FConvert, Ty::F32, &[sum]),
    };
    let dot = lower.dot(&a, &b)?;
    let sum = lower.op(Op::FAdd, Ty::F32, &[dot, sum]);
    Ok(Lower::one(match (small, ty) {
        (Some(small), _) => lower.encoded(sum, small, false)?,
        (None, Ty::F32) => sum,
        (None, _) => lower.op(Op::FConvert, ty, &[sum]),
    }))
}

/// OpBitcastExtractEXT: bits of each component of integers become floats of 4 or 6 bits. If the bits are not all in the
/// component, which leaves the result undefined, the offset is taken modulo the component's width.
pub fn bitcast_extract<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (base, offset) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let Some(small) = lower.types.small_float(inst.ty).filter(|small| small.bits() < 8) else {
        return Err(Error::invalid("result is not of floats of 4 or 6 bits"));
    };
    let (list, offset) = (lower.scalars(base)?, lower.scalar(offset)?);
    let from = lower.first_ty(&list)?;
    let is_small = lower.types.small_float(lower.module.type_of(base)?).is_some();
    if !from.is_int() || is_small || list.len() != lower.types.leaves(inst.ty)? as usize {
        return Err(Error::invalid("base does not have as many integers as the result has floats"));
    }
    let offset = lower.i32_of(offset, false)?;
    let mask = lower.constant(from, (1 << small.bits()) - 1);
    let extract = |v| {
        let bits = lower.op(Op::ShrU, from, &[v, offset]);
        let bits = lower.op(Op::And, from, &[bits, mask]);
        lower.resize(bits, small.held(), false)
    };
    Ok(list.into_iter().map(extract).collect())
}
