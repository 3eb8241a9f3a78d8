//! Linear algebra on vectors and matrices. Sums run from left to right with separate products and additions: nothing is
//! fused.

use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

impl Lower<'_> {
    /// Sum of products, left to right.
    pub(super) fn dot(&mut self, a: &[Value], b: &[Value]) -> Result<Value> {
        if a.len() != b.len() {
            return Err(Error::invalid("vectors of different sizes"));
        }
        let ty = self.first_ty(a)?;
        let mut sum = self.op(Op::FMul, ty, &[a[0], b[0]]);
        for (&x, &y) in a.iter().zip(b).skip(1) {
            let product = self.op(Op::FMul, ty, &[x, y]);
            sum = self.op(Op::FAdd, ty, &[sum, product]);
        }
        Ok(sum)
    }

    /// Scalars, rows and columns of a matrix operand.
    fn matrix(&mut self, id: u32) -> Result<(Scalars, usize, usize)> {
        match *self.module.ty(self.module.type_of(id)?)? {
            Type::Matrix { rows, columns, .. } => Ok((self.scalars(id)?, rows as usize, columns as usize)),
            _ => Err(Error::invalid(format!("operand %{id} is not a matrix"))),
        }
    }
}

fn row(m: &[Value], rows: usize, r: usize) -> Scalars {
    m.iter().skip(r).step_by(rows).copied().collect()
}

/// OpMatrixTimesScalar; cooperative matrices may also have integers.
pub fn matrix_times_scalar<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let op = if lower.types.component(inst.ty)?.is_int() { Op::IMul } else { Op::FMul };
    lower.map(op, inst, operands, false)
}

/// OpDot.
pub fn dot<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (a, b) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let small = lower.types.small_float(lower.module.type_of(a)?);
    let (mut a, mut b) = (lower.scalars(a)?, lower.scalars(b)?);
    if let Some(small) = small {
        a.iter_mut().chain(&mut b).for_each(|v| *v = lower.decoded(*v, small));
        let sum = lower.dot(&a, &b)?;
        return Ok(Lower::one(lower.encoded(sum, small, false)?));
    }
    Ok(Lower::one(lower.dot(&a, &b)?))
}

/// OpMatrixTimesVector.
pub fn matrix_times_vector<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (m, v) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (m, rows, _) = lower.matrix(m)?;
    let v = lower.scalars(v)?;
    (0..rows).map(|r| lower.dot(&row(&m, rows, r), &v)).collect()
}

/// OpVectorTimesMatrix.
pub fn vector_times_matrix<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (v, m) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (m, rows, _) = lower.matrix(m)?;
    let v = lower.scalars(v)?;
    m.chunks(rows).map(|column| lower.dot(&v, column)).collect()
}

/// OpMatrixTimesMatrix.
pub fn matrix_times_matrix<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (a, b) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (a, a_rows, _) = lower.matrix(a)?;
    let (b, b_rows, _) = lower.matrix(b)?;
    let mut out = Scalars::new();
    for column in b.chunks(b_rows) {
        for r in 0..a_rows {
            out.push(lower.dot(&row(&a, a_rows, r), column)?);
        }
    }
    Ok(out)
}

/// OpOuterProduct.
pub fn outer_product<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (a, b) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (a, b) = (lower.scalars(a)?, lower.scalars(b)?);
    let ty = lower.first_ty(&a)?;
    let mut out = Scalars::new();
    for &y in &b {
        for &x in &a {
            out.push(lower.op(Op::FMul, ty, &[x, y]));
        }
    }
    Ok(out)
}

/// OpTranspose.
pub fn transpose<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let m = lower.id_at(operands, 0)?;
    let (m, rows, _) = lower.matrix(m)?;
    Ok((0..rows).flat_map(|r| row(&m, rows, r)).collect())
}

/// `a * b - c * d`.
fn cross_term(lower: &mut Lower<'_>, ty: Ty, a: Value, b: Value, c: Value, d: Value) -> Value {
    let (x, y) = (lower.op(Op::FMul, ty, &[a, b]), lower.op(Op::FMul, ty, &[c, d]));
    lower.op(Op::FSub, ty, &[x, y])
}

/// Determinant of an n x n matrix in column order, by expansion along the first row; the order of
/// operations is the same for every minor.
fn det(lower: &mut Lower<'_>, ty: Ty, m: &[Value], n: usize) -> Value {
    match n {
        1 => m[0],
        2 => cross_term(lower, ty, m[0], m[3], m[2], m[1]),
        _ => {
            let mut sum = None;
            for c in 0..n {
                let minor = minor(m, n, c, 0);
                let inner = det(lower, ty, &minor, n - 1);
                let term = lower.op(Op::FMul, ty, &[m[c * n], inner]);
                sum = Some(match sum {
                    None => term,
                    Some(s) if c % 2 == 0 => lower.op(Op::FAdd, ty, &[s, term]),
                    Some(s) => lower.op(Op::FSub, ty, &[s, term]),
                });
            }
            sum.unwrap_or(m[0])
        }
    }
}

/// The matrix without column `c` and row `r`.
fn minor(m: &[Value], n: usize, c: usize, r: usize) -> Scalars {
    let mut out = Scalars::new();
    for column in (0..n).filter(|&i| i != c) {
        for row in (0..n).filter(|&i| i != r) {
            out.push(m[column * n + row]);
        }
    }
    out
}

fn square(lower: &mut Lower<'_>, operands: &[u32]) -> Result<(Scalars, usize, Ty)> {
    let id = lower.id_at(operands, 0)?;
    let (m, rows, columns) = lower.matrix(id)?;
    if rows != columns {
        return Err(Error::invalid("matrix is not square"));
    }
    let ty = lower.first_ty(&m)?;
    Ok((m, rows, ty))
}

/// GLSL.std.450 Determinant.
pub fn determinant<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (m, n, ty) = square(lower, operands)?;
    Ok(Lower::one(det(lower, ty, &m, n)))
}

/// GLSL.std.450 MatrixInverse. For 16-bit floats, the terms are computed in 32 bits, since products of four overflow
/// easily.
pub fn inverse<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (m, n, ty) = square(lower, operands)?;
    if ty != Ty::F16 {
        return Ok(adjugate_by_determinant(lower, ty, &m, n));
    }
    let convert = |lower: &mut Lower<'m>, list: &Scalars, ty| -> Scalars {
        list.iter().map(|v| lower.op(Op::FConvert, ty, &[*v])).collect()
    };
    let wide = convert(lower, &m, Ty::F32);
    let inverse = adjugate_by_determinant(lower, Ty::F32, &wide, n);
    Ok(convert(lower, &inverse, Ty::F16))
}

/// Adjugate times the reciprocal of the determinant. The determinant is the sum of the first row's elements times their
/// cofactors.
fn adjugate_by_determinant(lower: &mut Lower<'_>, ty: Ty, m: &[Value], n: usize) -> Scalars {
    // cofactor[c * n + r] belongs to element (column c, row r).
    let mut cofactors = Scalars::new();
    for c in 0..n {
        for r in 0..n {
            let minor = minor(m, n, c, r);
            let v = det(lower, ty, &minor, n - 1);
            cofactors.push(if (c + r) % 2 == 0 { v } else { lower.op(Op::FNeg, ty, &[v]) });
        }
    }
    let mut d = None;
    for c in 0..n {
        let term = lower.op(Op::FMul, ty, &[m[c * n], cofactors[c * n]]);
        d = Some(match d {
            None => term,
            Some(sum) => lower.op(Op::FAdd, ty, &[sum, term]),
        });
    }
    let one = lower.float(ty, 1.0);
    let reciprocal = lower.op(Op::FDiv, ty, &[one, d.unwrap_or(one)]);
    let mut out = Scalars::new();
    for c in 0..n {
        for r in 0..n {
            // Transposed: the inverse's (c, r) is the cofactor of (r, c).
            out.push(lower.op(Op::FMul, ty, &[cofactors[r * n + c], reciprocal]));
        }
    }
    out
}
