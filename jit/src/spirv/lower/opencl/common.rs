//! Common, geometric and relational functions of OpenCL.std. Those with the same meaning in GLSL.std.450 are shared
//! with it. Spec: OpenCL Extended Instruction Set, "Common instructions", "Geometric instructions", "Relational
//! instructions".

use super::super::{Lower, Scalars, glsl};
use super::math::with_sign;
use super::{each, need_floats, operands_of};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;

/// mix: `x + (y - x) * a`.
pub fn mix<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    need_floats(lower, operands)?;
    each(lower, operands, |b, ty, [x, y, a]| {
        let range = b.op(Op::FSub, ty, &[y, x]);
        let part = b.op(Op::FMul, ty, &[range, a]);
        b.op(Op::FAdd, ty, &[x, part])
    })
}

/// step: `x < edge ? 0 : 1`.
pub fn step<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    need_floats(lower, operands)?;
    each(lower, operands, |b, ty, [edge, x]| {
        let (zero, one) = (b.float(ty, 0.0), b.float(ty, 1.0));
        let below = b.op(Op::FOrdLt, Ty::Bool, &[x, edge]);
        b.select(below, zero, one)
    })
}

/// sign: 1, -1, or the zero with its sign; NaN gives 0.
pub fn sign<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    need_floats(lower, operands)?;
    each(lower, operands, |b, ty, [x]| {
        let zero = b.float(ty, 0.0);
        let is_zero = b.op(Op::FOrdEq, Ty::Bool, &[x, zero]);
        let sign = b.op(Op::FSign, ty, &[x]);
        b.select(is_zero, x, sign)
    })
}

/// cross: of vectors of 3 or 4 components; the fourth of the result is 0.
pub fn cross<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [a, b] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&a)?;
    if a.len() != b.len() || !matches!(a.len(), 3 | 4) || !ty.is_float() || lower.ty(b[0]) != ty {
        return Err(Error::invalid("cross product of vectors that do not have three or four components"));
    }
    let mut out: Scalars = [(1, 2), (2, 0), (0, 1)]
        .into_iter()
        .map(|(i, j)| {
            let (x, y) = (lower.op(Op::FMul, ty, &[a[i], b[j]]), lower.op(Op::FMul, ty, &[a[j], b[i]]));
            lower.op(Op::FSub, ty, &[x, y])
        })
        .collect();
    if lower.types.leaves(inst.ty)? == 4 {
        out.push(lower.float(ty, 0.0));
    }
    Ok(out)
}

/// The greatest absolute component of a vector as a power of two, so that squares neither overflow nor vanish.
fn scale(lower: &mut Lower<'_>, list: &[Value]) -> Result<Value> {
    let ty = lower.first_ty(list)?;
    let mut most = lower.float(ty, 0.0);
    for &v in list {
        let v = lower.op(Op::FAbs, ty, &[v]);
        most = lower.op(Op::NMax, ty, &[most, v]);
    }
    Ok(lower.op(Op::FrexpExp, Ty::I32, &[most]))
}

/// Length of a vector without overflow.
fn length_of(lower: &mut Lower<'_>, list: &[Value]) -> Result<Value> {
    let ty = lower.first_ty(list)?;
    if !ty.is_float() {
        return Err(Error::invalid("length of a vector that is not of floats"));
    }
    if let [one] = *list {
        return Ok(lower.op(Op::FAbs, ty, &[one]));
    }
    let exponent = scale(lower, list)?;
    let down = lower.op(Op::INeg, Ty::I32, &[exponent]);
    let small: Scalars = list.iter().map(|&v| lower.op(Op::Ldexp, ty, &[v, down])).collect();
    let square = lower.dot(&small, &small)?;
    let root = lower.op(Op::FSqrt, ty, &[square]);
    let out = lower.op(Op::Ldexp, ty, &[root, exponent]);
    // The exponent of an infinity is 0, so that its square is infinite.
    Ok(out)
}

/// length, fast_length.
pub fn length<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [x] = operands_of(lower, operands)?;
    Ok(Lower::one(length_of(lower, &x)?))
}

/// distance, fast_distance.
pub fn distance<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [a, b] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&a)?;
    if a.len() != b.len() {
        return Err(Error::invalid("vectors of different sizes"));
    }
    let d: Scalars = a.iter().zip(&b).map(|(&x, &y)| lower.op(Op::FSub, ty, &[x, y])).collect();
    Ok(Lower::one(length_of(lower, &d)?))
}

/// normalize, fast_normalize: the zero vector stays as it is. With infinite components, those count as one, with their sign, and
/// the others as zeros.
pub fn normalize<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [x] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&x)?;
    if let [x] = x[..] {
        let sign = sign(lower, inst, operands)?[0];
        let is_nan = lower.op(Op::IsNan, Ty::Bool, &[x]);
        return Ok(Lower::one(lower.select(is_nan, x, sign)));
    }
    let (zero, one) = (lower.float(ty, 0.0), lower.float(ty, 1.0));
    let infinite: Scalars = x.iter().map(|&v| lower.op(Op::IsInf, Ty::Bool, &[v])).collect();
    let mut any = infinite[0];
    for &v in &infinite[1..] {
        any = lower.op(Op::Or, Ty::Bool, &[any, v]);
    }
    let x: Scalars = x
        .iter()
        .zip(infinite)
        .map(|(&v, infinite)| {
            let (unit, nothing) = (with_sign(lower, one, v), lower.op(Op::FMul, ty, &[v, zero]));
            let part = lower.select(infinite, unit, nothing);
            lower.select(any, part, v)
        })
        .collect();
    let exponent = scale(lower, &x)?;
    let down = lower.op(Op::INeg, Ty::I32, &[exponent]);
    let small: Scalars = x.iter().map(|&v| lower.op(Op::Ldexp, ty, &[v, down])).collect();
    let length = length_of(lower, &small)?;
    let nothing = lower.op(Op::FOrdEq, Ty::Bool, &[length, zero]);
    Ok(small
        .into_iter()
        .zip(x)
        .map(|(v, x)| {
            let out = lower.op(Op::FDiv, ty, &[v, length]);
            lower.select(nothing, x, out)
        })
        .collect())
}

/// bitselect: bits of `y` where `mask` has ones, else of `x`.
pub fn bitselect<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, operands, |b, ty, [x, y, mask]| {
        let int = ty.as_int();
        let [x, y, mask] = [x, y, mask].map(|v| b.cast(v, int));
        let others = b.op(Op::Not, int, &[mask]);
        let (x, y) = (b.op(Op::And, int, &[x, others]), b.op(Op::And, int, &[y, mask]));
        let out = b.op(Op::Or, int, &[x, y]);
        b.cast(out, ty)
    })
}

/// select: `y` where the condition holds, else `x`. A component of a vector holds if its highest bit is set, a scalar
/// if it is not 0.
pub fn select<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let vector = lower.types.leaves(inst.ty)? > 1;
    let cond = lower.id_at(operands, 2)?;
    let cond = lower.scalars(cond)?;
    if !lower.first_ty(&cond)?.is_int() {
        return Err(Error::invalid("condition is not an integer"));
    }
    each(lower, operands, |b, _, [x, y, cond]| {
        let zero = b.constant(b.ty(cond), 0);
        let op = if vector { Op::SLt } else { Op::INe };
        let holds = b.op(op, Ty::Bool, &[cond, zero]);
        b.select(holds, y, x)
    })
}

/// smoothstep, degrees, radians and fclamp, as in GLSL.std.450.
pub fn smoothstep<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    need_floats(lower, operands)?;
    glsl::smooth_step(lower, inst, operands)
}
