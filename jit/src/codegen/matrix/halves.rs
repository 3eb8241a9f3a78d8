//! Rows of bytes that a group loads in two halves, one for each of two scalars: they go from memory to a stored factor as a
//! whole. [`super::resident`] finds them.

use super::resident::{Form, Halves};
use crate::Result;
use crate::codegen::memory::Shape;
use crate::codegen::{Gen, Handle};
use crate::ir::{Inst, Op, Ty};
use crate::lane::Lane;

impl Gen<'_, '_, '_> {
    /// Emits a load and the one of the other halves. Returns `false` where each has to be loaded alone; then nothing is emitted.
    pub(in crate::codegen) fn load_halves(&mut self, i: &Inst, shape: Shape) -> Result<bool> {
        let Some(first) = i.results.first() else { return Ok(false) };
        if self.matrices.loaded.remove(first) {
            return Ok(true);
        }
        let Some(Halves { second, factor }) = self.matrices.halves.get(first).copied() else {
            return Ok(false);
        };
        let stored = self.matrices.list[factor];
        if !self.b.copies_bytes() {
            return Ok(false);
        }
        let (Form::Bytes(flip), Some(first)) = (stored.form, self.lines_at(i, 1)?) else { return Ok(false) };
        let (b, offset, start) = first;
        let lanes = self.b.lanes();
        let other = Shape { mem: Self::mem_of(second)?, ..shape };
        let place = |g: &Self, v| {
            let row = g.matrices.rows[v][0].row;
            stored.at + row * stored.form.row_bytes(lanes)
        };
        let places: Vec<u32> = i.results.iter().map(|v| place(self, v)).collect();
        if i.op == Op::LoadBuffer {
            self.prefetch(b, i.args[1], shape)?;
        }
        let ok = self.affine_in_range(b, start, 1, other.end(shape.n - 1));
        self.fast_if(
            &[ok],
            |g| {
                let from = g.b.iadd(b.base, start);
                for (k, &to) in (0..).zip(&places) {
                    let (from, to) = (g.b.offset(from, shape.start(k) as i64), g.factor_at(to));
                    g.b.copy_bytes(from, flip, to);
                }
            },
            |g| {
                for (half, at) in [(shape, 0), (other, lanes)] {
                    let values = g.load_by_helper(b, offset, half);
                    for (value, &to) in values.into_iter().zip(&places) {
                        let to = g.factor_at(to + at);
                        g.b.store_row_bytes(value, flip, to, 0);
                    }
                }
            },
        );
        for (half, at) in [(i, 0), (second, lanes)] {
            for (&v, &to) in half.results.iter().zip(&places) {
                self.matrices.note_stored(factor);
                let at = self.factor_at(to + at);
                let bits = self.b.load_row_narrow(1, at, 0);
                let flips = self.b.u32(u32::from(flip));
                let bits = self.b.xor(bits, flips);
                let value = self.b.word_to(bits, Ty::I8);
                self.def_stored(v, value);
            }
        }
        self.matrices.loaded.insert(second.results[0]);
        Ok(true)
    }

    /// Buffer, offset and first offset (I64) of a load in all lanes, of which each is `step` bytes after the one before; `None`
    /// for other loads.
    pub(super) fn lines_at(
        &mut self,
        i: &Inst,
        step: i32,
    ) -> Result<Option<(crate::codegen::Buffer, Lane, Lane)>> {
        if !self.is_full() {
            return Ok(None);
        }
        let (b, offset) = if i.op == Op::LoadShared {
            (self.shared_buffer(), self.val(i.args[0])?)
        } else {
            let (Handle::Buffer(b), offset) = (self.handle(i.args[0])?, self.val(i.args[1])?) else {
                return Ok(None);
            };
            (b, offset)
        };
        if self.b.ty(offset) != Ty::I32 || self.b.is_uniform(offset) {
            return Ok(None);
        }
        let first = self.b.as_checked_affine(offset).filter(|of| of.1 == step);
        Ok(first.map(|(first, _)| (b, offset, first)))
    }
}
