//! Operations on matrices whose elements are spread over the lane group.
//!
//! The rows of the arguments, one after another in memory, are the elements in row-major order. A host function reads
//! them there and writes the results there. [`resident`] finds matrices that need no copy; `halves` loads factors of bytes, and
//! `factors` those of half floats.

mod factors;
mod halves;
mod resident;
mod walk;

use super::{Gen, Level};
use crate::ir::{Inst, MatrixOp, Ty, Value};
use crate::lane::{ICmp, Lane};
use crate::runtime::matrix;
use crate::{Error, Result};

pub(super) use resident::Resident;
use resident::{Form, Sums};

/// Scalars of a factor, with the numbers of its rows and columns.
#[derive(Clone, Copy)]
struct Factor<'a> {
    scalars: &'a [Value],
    sides: [u8; 2],
}

impl Gen<'_, '_, '_> {
    /// Reserves the memory of factors that are stored at their definition.
    pub(super) fn place_matrices(&mut self) {
        let lanes = self.b.lanes();
        let (levels, kept) = (&self.levels, &self.barriers.kept);
        let stays = |v: Value| levels[v.0 as usize] == Level::Place && !kept.contains(&v);
        let (has_rows, cpu) = (self.b.has_byte_rows(), self.b.cpu());
        let bytes = |sides, signs| if has_rows { matrix::multiply_bytes(cpu, sides, signs) } else { None };
        self.matrices = resident::plan(self.shader, lanes, bytes, stays);
    }

    pub(super) fn matrix(&mut self, i: &Inst, op: MatrixOp) -> Result<()> {
        match op {
            MatrixOp::MulAdd { .. } => self.product(i, op),
            MatrixOp::Transpose { rows, columns } => {
                let mark = self.b.mark_temporaries();
                let from = self.matrix_rows(&i.args)?;
                let to = self.b.temporary(4 * u32::from(rows) * u32::from(columns));
                let shape = matrix::packed([rows, columns, 0]);
                let f = self.b.ptr(matrix::transpose(self.b.cpu()));
                let shape = self.b.i64(shape as i64);
                self.b.call_values(f, &[from, to, shape], None);
                self.matrix_results(i, to);
                self.b.release_temporaries(mark);
                Ok(())
            }
            MatrixOp::Pick { from, to, row, column } => {
                let lanes = self.b.lanes();
                let mark = self.b.mark_temporaries();
                let source = self.matrix_rows(&i.args)?;
                let elements = u32::from(to[0]) * u32::from(to[1]);
                let target = self.b.temporary(4 * elements.next_multiple_of(lanes));
                let [sizes, steps] = matrix::pick::operands(from, to, row, column);
                let f = self.b.ptr(matrix::pick::pick as *const u8);
                let operands = [sizes, steps, u64::from(lanes)].map(|bits| self.b.i64(bits as i64));
                let [sizes, steps, lanes] = operands;
                self.b.call_values(f, &[source, target, sizes, steps, lanes], None);
                self.matrix_results(i, target);
                self.b.release_temporaries(mark);
                Ok(())
            }
        }
    }

    /// A product. Sums in a variable are replaced there if all lanes are active and the dynamic index is within the
    /// variable; otherwise, the accesses to the variable are emitted here.
    fn product(&mut self, i: &Inst, op: MatrixOp) -> Result<()> {
        let Some(sums) = i.results.first().and_then(|r| self.matrices.sums.get(r)).cloned() else {
            return self.product_of_values(i, op);
        };
        let n = sums.reads.len() as u32;
        let uniform = match sums.index {
            Some(index) => Some(self.val(index)?).filter(|&index| self.b.is_uniform(index)),
            None => Some(self.b.u32(0)),
        };
        let (Some(index), true) = (uniform, self.is_full()) else { return self.product_apart(i, op, &sums) };
        let base = self.variable_at(sums.var)?;
        let at = self.b.offset(self.env.frame, i64::from(base + sums.elem * self.b.lanes() * 4));
        if sums.index.is_none() {
            return self.multiply(i, op, at, sums.rounded);
        }
        let last = self.shader.vars[sums.var.0 as usize].elems.len() as u32 - sums.elem - n;
        let last = self.b.u32(last);
        let within = self.b.icmp(ICmp::Ule, index, last);
        let mut made = [Ok(()), Ok(())];
        let [fast, slow] = &mut made;
        self.fast_if(
            &[within],
            |g| {
                let at = g.b.index(at, index, g.b.lanes() * 4);
                *fast = g.multiply(i, op, at, sums.rounded);
            },
            |g| *slow = g.product_apart(i, op, &sums),
        );
        made.into_iter().collect()
    }

    /// A product whose sums are read from a variable before and written after.
    fn product_apart(&mut self, i: &Inst, op: MatrixOp, sums: &Sums) -> Result<()> {
        sums.reads.iter().try_for_each(|read| self.emit(read))?;
        self.product_of_values(i, op)?;
        sums.writes.iter().try_for_each(|write| self.emit(write))
    }

    /// A product whose sums are values.
    fn product_of_values(&mut self, i: &Inst, op: MatrixOp) -> Result<()> {
        let lanes = self.b.lanes() as usize;
        let factors: usize = op.elements().take(2).map(|n| n.div_ceil(lanes)).sum();
        let c = i.args.get(factors..).ok_or_else(malformed)?;
        let mark = self.b.mark_temporaries();
        let at = self.matrix_rows(c)?;
        self.multiply(i, op, at, false)?;
        self.matrix_results(i, at);
        self.b.release_temporaries(mark);
        Ok(())
    }

    /// Adds the product to the sums at `c`, which are half floats if they are `rounded`.
    fn multiply(&mut self, i: &Inst, op: MatrixOp, c: Lane, rounded: bool) -> Result<()> {
        let MatrixOp::MulAdd { rows, columns, inner, saturates } = op else { return Err(malformed()) };
        let lanes = self.b.lanes() as usize;
        let scalars = |m: u8, n: u8| (usize::from(m) * usize::from(n)).div_ceil(lanes);
        let (a, rest) = i.args.split_at_checked(scalars(rows, inner)).ok_or_else(malformed)?;
        let b = rest.get(..scalars(inner, columns)).ok_or_else(malformed)?;
        let factors = [(a, [rows, inner]), (b, [inner, columns])];
        let [a, b] = factors.map(|(scalars, sides)| Factor { scalars, sides });
        let sides = [rows, columns, inner];
        if let Some((routine, [a, b])) = self.bytes(i, [a, b]) {
            let f = self.b.ptr(routine);
            self.b.call_values(f, &[a, b, c], None);
            return Ok(());
        }
        let ty = self.shader.ty(i.args[0]);
        let mark = self.b.mark_temporaries();
        let (a, b) = (self.factor(ty, Form::A, a)?, self.factor(ty, Form::B, b)?);
        let routine = match (ty, saturates) {
            (Ty::F32, _) => matrix::multiply_floats(self.b.cpu(), rounded),
            (_, None) => matrix::multiply_integers(self.b.cpu()),
            (_, Some(true)) => matrix::multiply_saturating_signed as *const u8,
            (_, Some(false)) => matrix::multiply_saturating_unsigned as *const u8,
        };
        let (f, shape) = (self.b.ptr(routine), self.b.i64(matrix::packed(sides) as i64));
        self.b.call_values(f, &[a, b, c, shape], None);
        self.b.release_temporaries(mark);
        Ok(())
    }

    /// Routine and factors of a product whose factors are stored as bytes.
    fn bytes(&mut self, i: &Inst, factors: [Factor; 2]) -> Option<(*const u8, [Lane; 2])> {
        let resident::Bytes { routine, forms } = *self.matrices.bytes_of.get(i.results.first()?)?;
        let (a, b) = (self.stored(forms[0], factors[0])?, self.stored(forms[1], factors[1])?);
        Some((routine, [self.factor_at(a), self.factor_at(b)]))
    }

    /// Place of a stored factor whose scalars are all stored.
    fn stored(&mut self, form: Form, factor: Factor) -> Option<u32> {
        let at = self.matrices.stored(&(factor.scalars.into(), form, factor.sides))?;
        self.is_full().then_some(at)
    }

    /// Address of a factor of words: where it was stored, or a copy.
    fn factor(&mut self, ty: Ty, form: Form, factor: Factor) -> Result<Lane> {
        if let Some(at) = self.stored(form, factor) {
            return Ok(self.factor_at(at));
        }
        let at = self.matrix_rows(factor.scalars)?;
        if ty != Ty::F32 {
            self.pack(form, factor.sides, at);
        }
        Ok(at)
    }

    /// Packs the words of a factor; bytes stay as they are.
    fn pack(&mut self, form: Form, [rows, columns]: [u8; 2], at: Lane) {
        let routine = match form {
            Form::A => matrix::pack_rows as *const u8,
            Form::B => matrix::pack_columns as *const u8,
            Form::Bytes(_) => return,
        };
        let shape = matrix::packed([rows, columns, 0]);
        let (f, shape) = (self.b.ptr(routine), self.b.i64(shape as i64));
        self.b.call_values(f, &[at, shape], None);
    }

    /// Address in the memory of stored factors.
    fn factor_at(&mut self, at: u32) -> Lane {
        self.b.reserved(self.matrices.bytes, at)
    }

    /// Stores a scalar of factors where it is defined.
    pub(super) fn store_scalar(&mut self, v: Value, l: Lane) {
        let Some(rows) = self.matrices.rows.get(&v).cloned() else { return };
        if !self.is_full() {
            return;
        }
        let lanes = self.b.lanes();
        for resident::Row { factor, row, conversion } in rows {
            let stored = self.matrices.list[factor];
            let at = self.factor_at(stored.at + row * stored.form.row_bytes(lanes));
            if let Form::Bytes(flip) = stored.form {
                let l = self.b.splat(l);
                self.b.store_row_bytes(l, flip, at, 0);
                self.matrices.note_stored(factor);
                continue;
            }
            let l = match conversion {
                Some(i) => crate::ops::lower(self.b, i.op, self.shader.ty(i.results[0]), &[l]),
                None => l,
            };
            let (l, floats) = (self.b.splat(l), self.b.ty(l) == Ty::F32);
            self.b.store_row(l, at, 0);
            if self.matrices.note_stored(factor) && !floats {
                let at = self.factor_at(stored.at);
                self.pack(stored.form, stored.sides, at);
            }
        }
    }

    /// `true` if all lanes are known to be active.
    fn is_full(&mut self) -> bool {
        let mask = self.mask();
        self.b.as_const(mask) == Some(1)
    }

    /// Defines the results of an operation from their rows.
    fn matrix_results(&mut self, i: &Inst, at: Lane) {
        let row = 4 * self.b.lanes() as i32;
        for (k, &r) in i.results.iter().enumerate() {
            let v = self.b.load_row(self.shader.ty(r), at, row * k as i32);
            self.def(r, v);
        }
    }

    /// Stores the rows of a matrix one after another, with zeros in inactive lanes.
    fn matrix_rows(&mut self, values: &[Value]) -> Result<Lane> {
        let row = 4 * self.b.lanes();
        let at = self.b.temporary(row * values.len() as u32);
        let mask = self.mask();
        let full = self.is_full();
        for (k, &v) in values.iter().enumerate() {
            let mut v = self.val(v)?;
            if !full {
                let zero = self.b.bits(self.b.ty(v), 0);
                v = self.b.select(mask, v, zero);
            }
            let v = self.b.splat(v);
            self.b.store_row(v, at, (row * k as u32) as i32);
        }
        Ok(at)
    }
}

fn malformed() -> Error {
    Error::Internal("malformed matrix operation".into())
}
