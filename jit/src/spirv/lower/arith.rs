//! Arithmetic, bits, logic, conversions and derivatives that are not one operation per component.

use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Imm, Op, Stage, Ty, Value};
use crate::spirv::module::Inst;

/// Applies two operations to the same operands; their results are the two members of the result struct.
fn pair(lower: &mut Lower<'_>, operands: &[u32], first: Op, second: Op) -> Result<Scalars> {
    let (a, b) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (a, b) = (lower.scalars(a)?, lower.scalars(b)?);
    let (n, ty) = (a.len(), lower.first_ty(&a)?);
    let args = [a, b];
    let mut out = lower.map_values(first, ty, n, &args)?;
    out.extend(lower.map_values(second, ty, n, &args)?);
    Ok(out)
}

/// OpIAddCarry.
pub fn add_carry<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    pair(lower, operands, Op::IAdd, Op::IAddCarry)
}

/// OpISubBorrow.
pub fn sub_borrow<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    pair(lower, operands, Op::ISub, Op::ISubBorrow)
}

/// OpUMulExtended: low half, high half.
pub fn umul_extended<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    pair(lower, operands, Op::IMul, Op::UMulHigh)
}

/// OpSMulExtended: low half, high half.
pub fn smul_extended<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    pair(lower, operands, Op::IMul, Op::SMulHigh)
}

/// OpIMul32x16INTEL, OpUMul32x16INTEL: the low half of the product with the low 16 bits of the second operand.
pub fn mul_32_by_16<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    if lower.types.component(inst.ty)? != Ty::I32 {
        return Err(Error::invalid("result is not of integers of 32 bits"));
    }
    let widen = if inst.op == spirv::Op::IMul32x16INTEL { Op::SConvert } else { Op::UConvert };
    let (x, y) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (x, y) = (lower.scalars(x)?, lower.scalars(y)?);
    let n = x.len();
    let y = y.into_iter().map(|v| {
        let half = lower.op(Op::UConvert, Ty::I16, &[v]);
        lower.op(widen, Ty::I32, &[half])
    });
    let args = [x, y.collect()];
    lower.map_values(Op::IMul, Ty::I32, n, &args)
}

/// Bit field instructions: offset and count become I32.
fn bit_field(lower: &mut Lower<'_>, inst: &Inst, operands: &[u32], op: Op) -> Result<Scalars> {
    let (ty, n) = (lower.types.component(inst.ty)?, lower.types.leaves(inst.ty)? as usize);
    let mut args = Vec::new();
    for (i, &id) in operands.iter().enumerate() {
        let mut s = lower.scalars(id)?;
        if i + 2 >= operands.len() {
            let signed = lower.types.is_signed(lower.module.type_of(id)?);
            for v in &mut s {
                *v = lower.i32_of(*v, signed)?;
            }
        }
        args.push(s);
    }
    lower.map_values(op, ty, n, &args)
}

/// OpBitFieldInsert.
pub fn bit_insert<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    bit_field(lower, inst, operands, Op::BitFieldInsert)
}

/// OpBitFieldSExtract.
pub fn bit_sextract<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    bit_field(lower, inst, operands, Op::BitFieldSExtract)
}

/// OpBitFieldUExtract.
pub fn bit_uextract<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    bit_field(lower, inst, operands, Op::BitFieldUExtract)
}

/// OpBitCount: the result may have another width.
pub fn bit_count<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let base = lower.scalars(id)?;
    let ty = lower.types.component(inst.ty)?;
    let mut out = Scalars::new();
    for v in base {
        let from = lower.ty(v);
        let count = lower.op(Op::BitCount, from, &[v]);
        out.push(if from == ty { count } else { lower.op(Op::UConvert, ty, &[count]) });
    }
    Ok(out)
}

/// Integer dot products, plain and with a saturating accumulator.
pub fn int_dot<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    use spirv::Op as S;
    // Signedness of the first and the second vector.
    let signs = match inst.op {
        S::SDot | S::SDotAccSat => [true, true],
        S::UDot | S::UDotAccSat => [false, false],
        _ => [true, false],
    };
    let saturates = matches!(inst.op, S::SDotAccSat | S::UDotAccSat | S::SUDotAccSat);
    let ty = lower.types.scalar(inst.ty)?;
    let bits = ty.bits().filter(|_| ty.is_int()).ok_or_else(|| Error::invalid("result is not an integer"))?;
    // Products and sums of up to four components fit into twice the width.
    let wide = if saturates { Ty::I64 } else { ty };
    let packed = operands.get(if saturates { 3 } else { 2 }).is_some();
    let sum = match packed && signs == [true, true] {
        true => packed_dot(lower, operands, wide)?,
        false => products(lower, operands, packed, signs, wide)?,
    };
    if !saturates {
        return Ok(Lower::one(sum));
    }
    let accumulator = lower.id_at(operands, 2)?;
    let accumulator = lower.scalar(accumulator)?;
    let accumulator = lower.resize(accumulator, wide, signs[0]);
    if bits == 64 {
        return Ok(Lower::one(saturated_sum(lower, sum, accumulator, signs[0])));
    }
    let sum = lower.op(Op::IAdd, wide, &[sum, accumulator]);
    let (low, high) = match signs[0] {
        true => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        false => (0, (1i64 << bits) - 1),
    };
    let (low, high) = (lower.constant(wide, low as u64), lower.constant(wide, high as u64));
    let sum = lower.op(Op::SMax, wide, &[sum, low]);
    let sum = lower.op(Op::SMin, wide, &[sum, high]);
    Ok(Lower::one(lower.resize(sum, ty, false)))
}

/// Dot product of two words of four signed bytes.
fn packed_dot(lower: &mut Lower<'_>, operands: &[u32], wide: Ty) -> Result<Value> {
    let (a, b) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (a, b) = (lower.scalar(a)?, lower.scalar(b)?);
    let sum = lower.op(Op::SDotBytes, Ty::I32, &[a, b]);
    Ok(lower.resize(sum, wide, true))
}

/// Dot product by one product per component.
fn products(
    lower: &mut Lower<'_>,
    operands: &[u32],
    packed: bool,
    signs: [bool; 2],
    wide: Ty,
) -> Result<Value> {
    let mut vectors = Vec::new();
    for (k, signed) in signs.into_iter().enumerate() {
        let id = lower.id_at(operands, k)?;
        let mut list = lower.scalars(id)?;
        if packed {
            let word = lower.first(&list)?;
            let eight = lower.i32(8);
            let op = if signed { Op::BitFieldSExtract } else { Op::BitFieldUExtract };
            let field = |lower: &mut Lower<'_>, i: u32| {
                let at = lower.i32(8 * i);
                lower.op(op, Ty::I32, &[word, at, eight])
            };
            list = (0..4).map(|i| field(lower, i)).collect();
        }
        vectors.push(list.into_iter().map(|v| lower.resize(v, wide, signed)).collect::<Scalars>());
    }
    if vectors[0].len() != vectors[1].len() || vectors[0].is_empty() {
        return Err(Error::invalid("vectors of different sizes"));
    }
    let mut sum = lower.constant(wide, 0);
    for (&a, &b) in vectors[0].iter().zip(&vectors[1]) {
        let product = lower.op(Op::IMul, wide, &[a, b]);
        sum = lower.op(Op::IAdd, wide, &[sum, product]);
    }
    Ok(sum)
}

/// Saturating sum of two I64.
fn saturated_sum(lower: &mut Lower<'_>, a: Value, b: Value, signed: bool) -> Value {
    let sum = lower.op(Op::IAdd, Ty::I64, &[a, b]);
    if !signed {
        let over = lower.op(Op::ULt, Ty::Bool, &[sum, a]);
        let most = lower.constant(Ty::I64, u64::MAX);
        return lower.op(Op::Select, Ty::I64, &[over, most, sum]);
    }
    // The sum overflowed if its sign differs from the signs of both operands.
    let (x, y) = (lower.op(Op::Xor, Ty::I64, &[sum, a]), lower.op(Op::Xor, Ty::I64, &[sum, b]));
    let differs = lower.op(Op::And, Ty::I64, &[x, y]);
    let zero = lower.constant(Ty::I64, 0);
    let over = lower.op(Op::SLt, Ty::Bool, &[differs, zero]);
    let (amount, most) = (lower.i32(63), lower.constant(Ty::I64, i64::MAX as u64));
    let sign = lower.op(Op::ShrS, Ty::I64, &[a, amount]);
    let end = lower.op(Op::Xor, Ty::I64, &[sign, most]);
    lower.op(Op::Select, Ty::I64, &[over, end, sum])
}

fn fold(lower: &mut Lower<'_>, operands: &[u32], op: Op) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let mut list = lower.scalars(id)?;
    if lower.is_kernel() && lower.first_ty(&list)?.is_int() {
        // clang writes `any` and `all` of OpenCL C so, which test the sign bits.
        let zero = lower.constant(lower.first_ty(&list)?, 0);
        list = list.into_iter().map(|v| lower.op(Op::SLt, Ty::Bool, &[v, zero])).collect();
    }
    let mut out = lower.first(&list)?;
    for &v in &list[1..] {
        out = lower.op(op, Ty::Bool, &[out, v]);
    }
    Ok(Lower::one(out))
}

/// OpAny.
pub fn any<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    fold(lower, operands, Op::Or)
}

/// OpAll.
pub fn all<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    fold(lower, operands, Op::And)
}

/// OpLogicalEqual.
pub fn logical_equal<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let differs = lower.map(Op::Xor, inst, operands, false)?;
    Ok(differs.into_iter().map(|v| lower.op(Op::Not, Ty::Bool, &[v])).collect())
}

/// Tests each component of a float by the bits of its magnitude: finite, and unless `small` normal.
fn by_exponent(lower: &mut Lower<'_>, operands: &[u32], small: bool) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let list = lower.scalars(id)?;
    let ty = lower.first_ty(&list)?;
    let (digits, infinity) = match ty {
        Ty::F16 => (10, 0x7c00),
        Ty::F32 => (23, 0x7f80_0000),
        Ty::F64 => (52, 0x7ff0_0000_0000_0000),
        _ => return Err(Error::invalid("operand is not a float")),
    };
    let int = ty.as_int();
    let (end, least) = (lower.constant(int, infinity), lower.constant(int, 1 << digits));
    Ok(list
        .into_iter()
        .map(|v| {
            let size = lower.op(Op::FAbs, ty, &[v]);
            let size = lower.cast(size, int);
            let finite = lower.op(Op::ULt, Ty::Bool, &[size, end]);
            let normal = lower.op(Op::ULe, Ty::Bool, &[least, size]);
            if small { finite } else { lower.op(Op::And, Ty::Bool, &[finite, normal]) }
        })
        .collect())
}

/// OpIsFinite.
pub fn is_finite<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    by_exponent(lower, operands, true)
}

/// OpIsNormal.
pub fn is_normal<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    by_exponent(lower, operands, false)
}

/// OpSignBitSet.
pub fn sign_bit_set<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let list = lower.scalars(id)?;
    Ok(list
        .into_iter()
        .map(|v| {
            let int = lower.ty(v).as_int();
            let (bits, zero) = (lower.cast(v, int), lower.constant(int, 0));
            lower.op(Op::SLt, Ty::Bool, &[bits, zero])
        })
        .collect())
}

/// OpUnordered: an operand is NaN.
pub fn unordered<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (x, y) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (x, y) = (lower.scalars(x)?, lower.scalars(y)?);
    if x.len() != y.len() {
        return Err(Error::invalid("operands do not fit each other"));
    }
    Ok(x.into_iter()
        .zip(y)
        .map(|pair| {
            let nans = <[Value; 2]>::from(pair).map(|v| lower.op(Op::IsNan, Ty::Bool, &[v]));
            lower.op(Op::Or, Ty::Bool, &nans)
        })
        .collect())
}

/// OpOrdered: no operand is NaN.
pub fn ordered<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let nans = unordered(lower, inst, operands)?;
    Ok(nans.into_iter().map(|v| lower.op(Op::Not, Ty::Bool, &[v])).collect())
}

/// OpBitcast, also between vectors of different component sizes: the low parts come first.
pub fn bitcast<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let list = lower.scalars(id)?;
    let to = lower.types.component(inst.ty)?;
    let n = lower.types.leaves(inst.ty)? as usize;
    let from = lower.first_ty(&list)?;
    // Floats of 4 and 6 bits are in the low bits of integers.
    let bits = |ty: u32, held: Ty| match lower.types.small_float(ty) {
        Some(small) => Some(small.bits()),
        None => held.bits(),
    };
    let (Some(from_bits), Some(to_bits)) = (bits(lower.module.type_of(id)?, from), bits(inst.ty, to)) else {
        return Err(Error::invalid("bitcast of a value that is not a number"));
    };
    let wider = from_bits.max(to_bits);
    if from_bits as usize * list.len() != to_bits as usize * n
        || wider % from_bits != 0
        || wider % to_bits != 0
    {
        return Err(Error::invalid("bitcast between types of different sizes"));
    }
    let ints: Scalars = list.into_iter().map(|v| lower.cast(v, from.as_int())).collect();
    let (wide, narrow) = (to.as_int(), from.as_int());
    let ints: Scalars = if from_bits == to_bits {
        ints
    } else if from_bits < to_bits {
        // Join narrow components into wide ones.
        let per = (to_bits / from_bits) as usize;
        let mut out = Scalars::new();
        for part in ints.chunks(per) {
            let mut whole = lower.low_bits(part[0], from_bits, wide);
            for (i, &v) in part.iter().enumerate().skip(1) {
                let v = lower.low_bits(v, from_bits, wide);
                let amount = lower.i32(from_bits * i as u32);
                let v = lower.op(Op::Shl, wide, &[v, amount]);
                whole = lower.op(Op::Or, wide, &[whole, v]);
            }
            out.push(whole);
        }
        out
    } else {
        // Split wide components into narrow ones.
        let mut out = Scalars::new();
        for v in ints {
            for i in 0..from_bits / to_bits {
                let part = if i == 0 {
                    v
                } else {
                    let amount = lower.i32(to_bits * i);
                    lower.op(Op::ShrU, narrow, &[v, amount])
                };
                out.push(lower.low_bits(part, to_bits, wide));
            }
        }
        out
    };
    Ok(ints.into_iter().map(|v| lower.cast(v, to)).collect())
}

impl Lower<'_> {
    /// The low bits of an integer, as another integer type.
    fn low_bits(&mut self, v: Value, bits: u32, to: Ty) -> Value {
        let v = self.resize(v, to, false);
        if bits >= 8 {
            return v;
        }
        let mask = self.constant(to, (1 << bits) - 1);
        self.op(Op::And, to, &[v, mask])
    }

    /// Converts an integer to another integer type.
    pub(super) fn resize(&mut self, v: Value, to: Ty, signed: bool) -> Value {
        match self.ty(v) {
            from if from == to => v,
            _ if signed => self.op(Op::SConvert, to, &[v]),
            _ => self.op(Op::UConvert, to, &[v]),
        }
    }

    /// Reinterprets the bits of a value as another type of the same width.
    pub(super) fn cast(&mut self, v: Value, to: Ty) -> Value {
        if self.ty(v) == to { v } else { self.op(Op::Bitcast, to, &[v]) }
    }

    /// The first scalar of a value.
    pub(super) fn first(&self, list: &[Value]) -> Result<Value> {
        list.first().copied().ok_or_else(|| Error::invalid("operand has no scalars"))
    }

    /// Type of the first scalar of a value.
    pub(super) fn first_ty(&self, list: &[Value]) -> Result<Ty> {
        Ok(self.ty(self.first(list)?))
    }

    /// `true` if invocations form quads.
    pub(super) fn has_quads(&self) -> bool {
        self.shader.stage == Stage::Fragment || self.derivative_group.is_some()
    }

    /// Records that the shader uses quads; an error if invocations do not form quads.
    pub(super) fn quads(&mut self) -> Result<()> {
        if !self.has_quads() {
            return Err(Error::unsupported(format!("derivatives in {:?} shaders", self.shader.stage)));
        }
        self.shader.needs_quads |= self.shader.stage == Stage::Fragment;
        Ok(())
    }
}

fn derivative(lower: &mut Lower<'_>, inst: &Inst, operands: &[u32], op: Op) -> Result<Scalars> {
    lower.quads()?;
    lower.map(op, inst, operands, false)
}

/// OpDPdx, OpDPdxFine.
pub fn ddx<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    derivative(lower, inst, operands, Op::DdxFine)
}

/// OpDPdxCoarse.
pub fn ddx_coarse<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    derivative(lower, inst, operands, Op::DdxCoarse)
}

/// OpDPdy, OpDPdyFine.
pub fn ddy<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    derivative(lower, inst, operands, Op::DdyFine)
}

/// OpDPdyCoarse.
pub fn ddy_coarse<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    derivative(lower, inst, operands, Op::DdyCoarse)
}

/// `|dx| + |dy|`.
fn width(lower: &mut Lower<'_>, inst: &Inst, operands: &[u32], dx: Op, dy: Op) -> Result<Scalars> {
    let dx = derivative(lower, inst, operands, dx)?;
    let dy = derivative(lower, inst, operands, dy)?;
    let mut out = Scalars::new();
    for (x, y) in dx.into_iter().zip(dy) {
        let ty = lower.ty(x);
        let (x, y) = (lower.op(Op::FAbs, ty, &[x]), lower.op(Op::FAbs, ty, &[y]));
        out.push(lower.op(Op::FAdd, ty, &[x, y]));
    }
    Ok(out)
}

/// OpFwidth, OpFwidthFine.
pub fn fwidth<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    width(lower, inst, operands, Op::DdxFine, Op::DdyFine)
}

/// OpFwidthCoarse.
pub fn fwidth_coarse<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    width(lower, inst, operands, Op::DdxCoarse, Op::DdyCoarse)
}

/// OpDemoteToHelperInvocation.
pub fn demote<'m>(lower: &mut Lower<'m>, _: &Inst, _: &'m [u32]) -> Result<()> {
    if lower.shader.stage != Stage::Fragment {
        return Err(Error::invalid("only fragment shaders can demote"));
    }
    lower.shader.discards = true;
    lower.emit(Op::Demote, &[], Imm::None, &[]);
    Ok(())
}

/// OpIsHelperInvocationEXT.
pub fn is_helper<'m>(lower: &mut Lower<'m>, _: &Inst, _: &'m [u32]) -> Result<Scalars> {
    Ok(lower.emit(Op::IsHelper, &[], Imm::None, &[Ty::Bool]))
}
