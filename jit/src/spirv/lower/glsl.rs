//! GLSL.std.450 functions that expand to several operations. Functions with one operation per component are rows of the
//! table in [`crate::spirv::ops`]; matrices and packing have separate files.

use super::place::{Place, Root};
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Imm, InterpAt, Op, Ty, Value};
use crate::spirv::module::Inst;

/// Operands as lists of scalars.
pub(super) fn operands_of<const N: usize>(lower: &mut Lower<'_>, operands: &[u32]) -> Result<[Scalars; N]> {
    let mut out: [Scalars; N] = std::array::from_fn(|_| Scalars::new());
    for (i, slot) in out.iter_mut().enumerate() {
        let id = lower.id_at(operands, i)?;
        *slot = lower.scalars(id)?;
    }
    Ok(out)
}

/// Calls `f` for each component with the type of the first operand; an operand with one scalar is used for all components.
pub(super) fn each<const N: usize>(
    lower: &mut Lower<'_>,
    operands: &[u32],
    f: impl Fn(&mut Lower<'_>, Ty, [Value; N]) -> Value,
) -> Result<Scalars> {
    let args = operands_of::<N>(lower, operands)?;
    let n = args.iter().map(|a| a.len()).max().unwrap_or(0);
    if args.iter().any(|a| a.len() != n && a.len() != 1) {
        return Err(Error::invalid("operands do not fit each other"));
    }
    let ty = lower.first_ty(&args[0])?;
    Ok((0..n)
        .map(|i| {
            let parts = std::array::from_fn(|k| if args[k].len() == 1 { args[k][0] } else { args[k][i] });
            f(lower, ty, parts)
        })
        .collect())
}

/// `x * k` in the type of `x`. Vulkan derives the precision from this product, and its conformance suite expects the bits that
/// a rounded factor gives.
fn scaled(b: &mut Lower<'_>, ty: Ty, x: Value, k: f64) -> Value {
    let k = b.float(ty, k);
    b.op(Op::FMul, ty, &[x, k])
}

/// Radians: `x * (pi / 180)`.
pub fn radians<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, operands, |b, ty, [x]| scaled(b, ty, x, std::f64::consts::PI / 180.0))
}

/// Degrees: `x * (180 / pi)`.
pub fn degrees<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, operands, |b, ty, [x]| scaled(b, ty, x, 180.0 / std::f64::consts::PI))
}

impl Lower<'_> {
    /// Minimum or maximum; of NaN and a number, the number. If the module preserves the signs of zeros, -0 is less than
    /// 0; otherwise the operation chooses either zero.
    fn min_max(&mut self, op: Op, ty: Ty, x: Value, y: Value) -> Value {
        // The operation needs no NaN test for a second operand that is constant.
        let (x, y) = if self.is_constant(x) && !self.is_constant(y) { (y, x) } else { (x, y) };
        let r = self.op(op, ty, &[x, y]);
        if !self.keeps_zeros || !ty.is_float() {
            return r;
        }
        let int = ty.as_int();
        let (a, b) = (self.cast(x, int), self.cast(y, int));
        let join = if op == Op::NMin { Op::Or } else { Op::And };
        let both = self.op(join, int, &[a, b]);
        let both = self.cast(both, ty);
        let equal = self.op(Op::FOrdEq, Ty::Bool, &[x, y]);
        self.op(Op::Select, ty, &[equal, both, r])
    }
}

/// FMin, NMin.
pub fn min<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, operands, |b, ty, [x, y]| b.min_max(Op::NMin, ty, x, y))
}

/// FMax, NMax.
pub fn max<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, operands, |b, ty, [x, y]| b.min_max(Op::NMax, ty, x, y))
}

fn limited(lower: &mut Lower<'_>, operands: &[u32], max: Op, min: Op) -> Result<Scalars> {
    each(lower, operands, |b, ty, [x, low, high]| {
        let x = b.min_max(max, ty, x, low);
        b.min_max(min, ty, x, high)
    })
}

/// FClamp, NClamp: `min(max(x, low), high)`.
pub fn clamp<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    limited(lower, operands, Op::NMax, Op::NMin)
}

/// UClamp.
pub fn uclamp<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    limited(lower, operands, Op::UMax, Op::UMin)
}

/// SClamp.
pub fn sclamp<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    limited(lower, operands, Op::SMax, Op::SMin)
}

/// FMix: `x * (1 - a) + y * a`.
pub fn mix<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, operands, |b, ty, [x, y, a]| {
        let one = b.float(ty, 1.0);
        let rest = b.op(Op::FSub, ty, &[one, a]);
        let (x, y) = (b.op(Op::FMul, ty, &[x, rest]), b.op(Op::FMul, ty, &[y, a]));
        b.op(Op::FAdd, ty, &[x, y])
    })
}

/// Step: `edge <= x ? 1 : 0`, as WGSL defines it. Of NaN it gives 0, as other devices do.
pub fn step<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, operands, |b, ty, [edge, x]| {
        let (zero, one) = (b.float(ty, 0.0), b.float(ty, 1.0));
        let reached = b.op(Op::FOrdLe, Ty::Bool, &[edge, x]);
        b.op(Op::Select, ty, &[reached, one, zero])
    })
}

/// SmoothStep: `t * t * (3 - 2 * t)` with `t = clamp((x - edge0) / (edge1 - edge0), 0, 1)`. As for Clamp, NaN becomes 0.
pub fn smooth_step<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    each(lower, operands, |b, ty, [edge0, edge1, x]| {
        let (above, range) = (b.op(Op::FSub, ty, &[x, edge0]), b.op(Op::FSub, ty, &[edge1, edge0]));
        let (zero, one) = (b.float(ty, 0.0), b.float(ty, 1.0));
        let t = b.op(Op::FDiv, ty, &[above, range]);
        // The second operand is taken only if it is greater.
        let t = b.op(Op::FMax, ty, &[zero, t]);
        let t = b.op(Op::FMin, ty, &[t, one]);
        let (two, three) = (b.float(ty, 2.0), b.float(ty, 3.0));
        let double = b.op(Op::FMul, ty, &[two, t]);
        let rest = b.op(Op::FSub, ty, &[three, double]);
        let square = b.op(Op::FMul, ty, &[t, t]);
        b.op(Op::FMul, ty, &[square, rest])
    })
}

fn length_of(lower: &mut Lower<'_>, x: &[Value]) -> Result<Value> {
    let ty = lower.first_ty(x)?;
    if let [one] = *x {
        return Ok(lower.op(Op::FAbs, ty, &[one]));
    }
    let square = lower.dot(x, x)?;
    Ok(lower.op(Op::FSqrt, ty, &[square]))
}

fn difference(lower: &mut Lower<'_>, a: &[Value], b: &[Value]) -> Result<Scalars> {
    if a.len() != b.len() {
        return Err(Error::invalid("vectors of different sizes"));
    }
    let ty = lower.first_ty(a)?;
    Ok(a.iter().zip(b).map(|(&x, &y)| lower.op(Op::FSub, ty, &[x, y])).collect())
}

/// Length: `sqrt(dot(x, x))`; for a scalar, its absolute value.
pub fn length<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [x] = operands_of(lower, operands)?;
    Ok(Lower::one(length_of(lower, &x)?))
}

/// Distance: length of the difference.
pub fn distance<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [a, b] = operands_of(lower, operands)?;
    let d = difference(lower, &a, &b)?;
    Ok(Lower::one(length_of(lower, &d)?))
}

/// Cross.
pub fn cross<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [a, b] = operands_of(lower, operands)?;
    if a.len() != 3 || b.len() != 3 {
        return Err(Error::invalid("cross product of vectors that do not have three components"));
    }
    let ty = lower.first_ty(&a)?;
    Ok([(1, 2), (2, 0), (0, 1)]
        .into_iter()
        .map(|(i, j)| {
            let (x, y) = (lower.op(Op::FMul, ty, &[a[i], b[j]]), lower.op(Op::FMul, ty, &[b[i], a[j]]));
            lower.op(Op::FSub, ty, &[x, y])
        })
        .collect())
}

/// Normalize: `x * (1 / sqrt(dot(x, x)))`, each step correctly rounded. The result is within the 2.5 ulp of division
/// that the precision table grants to `x / length(x)`. The zero vector results in NaN. A scalar is normalized to its
/// sign.
pub fn normalize<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [x] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&x)?;
    if let [one] = x[..] {
        return Ok(Lower::one(lower.op(Op::FSign, ty, &[one])));
    }
    let square = lower.dot(&x, &x)?;
    let scale = lower.op(Op::FInvSqrt, ty, &[square]);
    Ok(x.into_iter().map(|x| lower.op(Op::FMul, ty, &[x, scale])).collect())
}

/// FaceForward: `dot(nref, i) < 0 ? n : -n`.
pub fn face_forward<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [n, i, nref] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&n)?;
    let d = lower.dot(&nref, &i)?;
    let zero = lower.float(ty, 0.0);
    let front = lower.op(Op::FOrdLt, Ty::Bool, &[d, zero]);
    Ok(n.into_iter()
        .map(|n| {
            let back = lower.op(Op::FNeg, ty, &[n]);
            lower.op(Op::Select, ty, &[front, n, back])
        })
        .collect())
}

/// Reflect: `i - (2 * dot(n, i)) * n`.
pub fn reflect<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [i, n] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&i)?;
    let d = lower.dot(&n, &i)?;
    let two = lower.float(ty, 2.0);
    let double = lower.op(Op::FMul, ty, &[two, d]);
    Ok(i.into_iter()
        .zip(n)
        .map(|(i, n)| {
            let along = lower.op(Op::FMul, ty, &[double, n]);
            lower.op(Op::FSub, ty, &[i, along])
        })
        .collect())
}

/// Refract: with `d = dot(n, i)` and `k = 1 - eta * eta * (1 - d * d)`: 0 if k < 0, otherwise `eta * i - (eta * d +
/// sqrt(k)) * n`.
pub fn refract<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let [i, n, eta] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&i)?;
    let mut eta = lower.first(&eta)?;
    if lower.ty(eta) != ty && lower.ty(eta).is_float() {
        eta = lower.op(Op::FConvert, ty, &[eta]);
    }
    let d = lower.dot(&n, &i)?;
    let (zero, one) = (lower.float(ty, 0.0), lower.float(ty, 1.0));
    let dd = lower.op(Op::FMul, ty, &[d, d]);
    let sine = lower.op(Op::FSub, ty, &[one, dd]);
    let eta2 = lower.op(Op::FMul, ty, &[eta, eta]);
    let bent = lower.op(Op::FMul, ty, &[eta2, sine]);
    let k = lower.op(Op::FSub, ty, &[one, bent]);
    let total = lower.op(Op::FOrdLt, Ty::Bool, &[k, zero]);
    let root = lower.op(Op::FSqrt, ty, &[k]);
    let eta_d = lower.op(Op::FMul, ty, &[eta, d]);
    let scale = lower.op(Op::FAdd, ty, &[eta_d, root]);
    if n.len() != i.len() {
        return Err(Error::invalid("vectors of different sizes"));
    }
    Ok(i.into_iter()
        .zip(n)
        .map(|(i, n)| {
            let (a, b) = (lower.op(Op::FMul, ty, &[eta, i]), lower.op(Op::FMul, ty, &[scale, n]));
            let v = lower.op(Op::FSub, ty, &[a, b]);
            lower.op(Op::Select, ty, &[total, zero, v])
        })
        .collect())
}

/// Fractional and whole parts; the fractional part of an infinity is 0.
fn modf_parts(lower: &mut Lower<'_>, operands: &[u32]) -> Result<(Scalars, Scalars)> {
    let [x] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&x)?;
    let (mut fractions, mut wholes) = (Scalars::new(), Scalars::new());
    let zero = lower.float(ty, 0.0);
    for x in x {
        let whole = lower.op(Op::FTrunc, ty, &[x]);
        let rest = lower.op(Op::FSub, ty, &[x, whole]);
        let infinite = lower.op(Op::IsInf, Ty::Bool, &[x]);
        let rest = lower.op(Op::Select, ty, &[infinite, zero, rest]);
        // Zero fractions take the sign of x.
        let int = ty.as_int();
        let top = lower.constant(int, 1 << (ty.bits().unwrap_or(32) - 1));
        let (sign, rest) = (lower.cast(x, int), lower.cast(rest, int));
        let sign = lower.op(Op::And, int, &[sign, top]);
        let rest = lower.op(Op::Or, int, &[rest, sign]);
        fractions.push(lower.cast(rest, ty));
        wholes.push(whole);
    }
    Ok((fractions, wholes))
}

/// Stores the second result of an instruction at a place, which must have the type of the result.
pub(super) fn store_second(lower: &mut Lower<'_>, place: &Place, list: &[Value]) -> Result<()> {
    let ty = lower.types.component(place.ty)?;
    if list.iter().any(|&v| lower.ty(v) != ty) {
        return Err(Error::invalid("the second result does not have the pointer's pointee type"));
    }
    lower.store(place, list)
}

/// Modf: returns the fraction and stores the whole part.
pub fn modf<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (fractions, wholes) = modf_parts(lower, operands)?;
    let pointer = lower.id_at(operands, 1)?;
    let place = lower.place(pointer)?;
    store_second(lower, &place, &wholes)?;
    Ok(fractions)
}

/// ModfStruct: fraction, whole part.
pub fn modf_struct<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (mut fractions, wholes) = modf_parts(lower, operands)?;
    fractions.extend(wholes);
    Ok(fractions)
}

fn frexp_parts(lower: &mut Lower<'_>, operands: &[u32]) -> Result<(Scalars, Scalars)> {
    let [x] = operands_of(lower, operands)?;
    let ty = lower.first_ty(&x)?;
    let mantissas = x.iter().map(|&x| lower.op(Op::FrexpMant, ty, &[x])).collect();
    let exponents = x.iter().map(|&x| lower.op(Op::FrexpExp, Ty::I32, &[x])).collect();
    Ok((mantissas, exponents))
}

fn to_ints(lower: &mut Lower<'_>, list: Scalars, ty: Ty) -> Scalars {
    list.into_iter().map(|v| if ty == Ty::I32 { v } else { lower.op(Op::SConvert, ty, &[v]) }).collect()
}

/// Frexp: returns the significand and stores the exponent.
pub fn frexp<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (mantissas, exponents) = frexp_parts(lower, operands)?;
    let pointer = lower.id_at(operands, 1)?;
    let place = lower.place(pointer)?;
    let ty = lower.types.component(place.ty)?;
    let ty = if ty.is_int() { ty } else { Ty::I32 };
    let exponents = to_ints(lower, exponents, ty);
    store_second(lower, &place, &exponents)?;
    Ok(mantissas)
}

/// FrexpStruct: significand, exponent.
pub fn frexp_struct<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (mut mantissas, exponents) = frexp_parts(lower, operands)?;
    let mut tys = Vec::new();
    lower.types.leaf_types(inst.ty, &mut tys)?;
    let exponents = to_ints(lower, exponents, tys.last().copied().unwrap_or(Ty::I32));
    mantissas.extend(exponents);
    Ok(mantissas)
}

/// Converts an exponent of any integer type to a signed I32, with saturation.
fn exponent_of(lower: &mut Lower<'_>, e: Value, signed: bool) -> Result<Value> {
    let ty = lower.ty(e);
    if !matches!(ty, Ty::I32 | Ty::I64) || (ty == Ty::I32 && signed) {
        return lower.i32_of(e, signed);
    }
    let most = lower.constant(ty, i32::MAX as u64);
    let e = lower.op(if signed { Op::SMin } else { Op::UMin }, ty, &[e, most]);
    if ty == Ty::I32 {
        return Ok(e);
    }
    let least = lower.constant(ty, i64::from(i32::MIN) as u64);
    let e = if signed { lower.op(Op::SMax, ty, &[e, least]) } else { e };
    Ok(lower.op(Op::UConvert, Ty::I32, &[e]))
}

/// Ldexp: `x * 2^exp`.
pub fn ldexp<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let exponent = lower.id_at(operands, 1)?;
    let signed = lower.types.is_signed(lower.module.type_of(exponent)?);
    let [x, mut exponents] = operands_of(lower, operands)?;
    for e in &mut exponents {
        *e = exponent_of(lower, *e, signed)?;
    }
    let ty = lower.first_ty(&x)?;
    let n = x.len();
    lower.map_values(Op::Ldexp, ty, n, &[x, exponents])
}

/// InterpolateAtCentroid, InterpolateAtSample, InterpolateAtOffset.
pub fn interpolate<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    use spirv::GlslStd450Op as G;
    let pointer = lower.id_at(operands, 0)?;
    let place = lower.place(pointer)?;
    let Root::Input(input) = place.root else {
        return Err(Error::invalid("interpolant is not an input"));
    };
    let number = lower.module.operand(inst, 1)?;
    let (at, args) = if number == G::InterpolateAtCentroid as u32 {
        lower.shader.centroid = true;
        (InterpAt::Centroid, Scalars::new())
    } else {
        let id = lower.id_at(operands, 1)?;
        let args = lower.scalars(id)?;
        if number == G::InterpolateAtSample as u32 {
            (InterpAt::Sample, args)
        } else {
            (InterpAt::Offset, args)
        }
    };
    let leaf = |lower: &mut Lower<'_>, i: u32| match lower.input_slot(input, i)? {
        Some((slot, ty)) => {
            let v = lower.emit(Op::Interpolate, &args, Imm::Interp(slot, at), &[ty])[0];
            let want = lower.types.component(inst.ty)?;
            Ok(if want == ty { v } else { lower.op(Op::FConvert, want, &[v]) })
        }
        None => Err(Error::invalid("built-ins cannot be interpolated")),
    };
    if place.dynamic.is_empty() {
        let n = lower.types.leaves(place.ty)?;
        return (0..n).map(|i| leaf(lower, place.offset + i)).collect();
    }
    // A dynamic index: interpolate the whole input, then index the result.
    let n = lower.input_leaves(input);
    let all = (0..n).map(|i| leaf(lower, i)).collect::<Result<Vec<_>>>()?;
    let var = lower.new_var(all.iter().map(|&v| lower.ty(v)).collect(), "interpolated");
    for (elem, &v) in all.iter().enumerate() {
        lower.emit(Op::VarSet, &[v], Imm::Var { var, elem: elem as u32 }, &[]);
    }
    let mut place = place;
    place.root = Root::Var(var);
    lower.load(&place)
}
