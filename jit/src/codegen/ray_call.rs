//! Calls of other shaders of a ray tracing pipeline: one call of the host's routine per lane group. Arguments and rows
//! lie in scratch memory, which belongs to one call of the lane function.

use std::mem::offset_of;

use super::Gen;
use crate::Result;
use crate::abi::{Ctx, RayCallArgs, RayTracer};
use crate::ir::{Imm, Inst, Insts, RayCall, Shader, Ty};
use crate::lane::is_wide;

/// Number of rows of the largest call of a shader; `None` without calls.
fn rows(shader: &Shader, insts: &Insts<'_>) -> Option<u32> {
    let words = |i: &Inst| i.args.iter().map(|&a| shader.ty(a).bytes().div_ceil(4)).sum();
    insts.iter().filter(|i| matches!(i.imm, Imm::Call(_))).map(words).max()
}

impl Gen<'_, '_, '_> {
    /// Bytes of scratch memory for the arguments and rows of the shader's calls; 0 without calls.
    pub(super) fn ray_call_bytes(&self) -> usize {
        let rows = rows(self.shader, self.insts).map(|rows| rows as usize * self.b.lanes() as usize * 4);
        rows.map_or(0, |bytes| size_of::<RayCallArgs>() + bytes.next_multiple_of(64))
    }

    pub(super) fn ray_call(&mut self, i: &Inst, call: RayCall) -> Result<()> {
        let (at, row) = (self.env.call_args, 4 * self.b.lanes() as i32);
        let rows = self.b.offset(at, size_of::<RayCallArgs>() as i64);
        let mut words = 0;
        for &a in &i.args {
            let v = self.val(a)?;
            if is_wide(self.b.ty(v)) {
                let v = self.b.bitcast(v, Ty::I64);
                let v = self.b.splat(v);
                let (low, high) = (self.b.low_word(v), self.b.high_word(v));
                self.b.store_row(low, rows, words * row);
                self.b.store_row(high, rows, (words + 1) * row);
                words += 2;
            } else {
                let word = self.b.to_word(v);
                self.b.store_row(word, rows, words * row);
                words += 1;
            }
        }
        let operands = call.operand_words() as i32;
        let mask = self.mask();
        let bits = self.b.mask_bits(mask);
        let tracer = self.load_ctx(Ty::I64, offset_of!(Ctx, tracer));
        self.b.store(self.ctx, at, offset_of!(RayCallArgs, ctx) as i32);
        self.b.store(rows, at, offset_of!(RayCallArgs, rows) as i32);
        self.b.store(bits, at, offset_of!(RayCallArgs, mask) as i32);
        for (n, o) in [
            (call as u32, offset_of!(RayCallArgs, call)),
            (self.b.lanes(), offset_of!(RayCallArgs, lanes)),
            ((words - operands) as u32, offset_of!(RayCallArgs, words)),
        ] {
            let n = self.b.u32(n);
            self.b.store(n, at, o as i32);
        }
        let routine = self.b.load(Ty::I64, tracer, offset_of!(RayTracer, routine) as i32);
        self.b.call(routine, at);
        let mut word = call.results_at() as i32;
        for &r in &i.results {
            let ty = self.shader.ty(r);
            let low = self.b.load_row(Ty::I32, rows, word * row);
            let v = if is_wide(ty) {
                let high = self.b.load_row(Ty::I32, rows, (word + 1) * row);
                let v = self.b.join_words(low, high);
                self.b.bitcast(v, ty)
            } else {
                self.b.word_to(low, ty)
            };
            word += ty.bytes().div_ceil(4) as i32;
            let zero = self.b.bits(ty, 0);
            let v = self.b.select(mask, v, zero);
            self.def(r, v);
        }
        Ok(())
    }
}
