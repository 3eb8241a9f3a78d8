//! Operations on matrices whose elements are spread over the lane group.
//!
//! The rows of the arguments, one after another in memory, are the elements in row-major order. A host function reads
//! them there and writes the results there.

use super::Gen;
use crate::ir::{Inst, MatrixOp, Ty};
use crate::lane::Lane;
use crate::runtime::matrix;
use crate::{Error, Result};

impl Gen<'_, '_, '_> {
    pub(super) fn matrix(&mut self, i: &Inst, op: MatrixOp) -> Result<()> {
        let ty = i.args.first().map_or(Ty::F32, |&a| self.shader.ty(a));
        let lanes = self.b.lanes() as usize;
        let mark = self.b.mark_temporaries();
        let (mut rest, mut at) = (&i.args[..], Vec::new());
        for n in op.elements() {
            let (own, others) = rest.split_at(n.div_ceil(lanes).min(rest.len()));
            rest = others;
            at.push(self.matrix_rows(own)?);
        }
        let out = match (op, &at[..]) {
            (MatrixOp::MulAdd { rows, columns, inner, saturates }, &[a, b, c]) => {
                let routine = match (ty, saturates) {
                    (Ty::F32, _) => matrix::multiply_floats(self.b.cpu()),
                    (_, None) => matrix::multiply_integers(self.b.cpu()),
                    (_, Some(true)) => matrix::multiply_saturating_signed as *const u8,
                    (_, Some(false)) => matrix::multiply_saturating_unsigned as *const u8,
                };
                let shape = matrix::packed([rows, columns, inner]);
                let (f, shape) = (self.b.ptr(routine), self.b.i64(shape as i64));
                self.b.call_values(f, &[a, b, c, shape], None);
                c
            }
            (MatrixOp::Transpose { rows, columns }, &[from]) => {
                let to = self.b.temporary(4 * u32::from(rows) * u32::from(columns));
                let shape = matrix::packed([rows, columns, 0]);
                let f = self.b.ptr(matrix::transpose(self.b.cpu()));
                let shape = self.b.i64(shape as i64);
                self.b.call_values(f, &[from, to, shape], None);
                to
            }
            _ => return Err(Error::Internal("malformed matrix operation".into())),
        };
        let row = 4 * self.b.lanes() as i32;
        for (k, &r) in i.results.iter().enumerate() {
            let v = self.b.load_row(ty, out, row * k as i32);
            self.def(r, v);
        }
        self.b.release_temporaries(mark);
        Ok(())
    }

    /// Stores the rows of a matrix one after another, with zeros in inactive lanes.
    fn matrix_rows(&mut self, values: &[crate::ir::Value]) -> Result<Lane> {
        let row = 4 * self.b.lanes();
        let at = self.b.temporary(row * values.len() as u32);
        let mask = self.mask();
        let full = self.b.as_const(mask) == Some(1);
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
