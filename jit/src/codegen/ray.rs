//! Ray queries: one call of the host's routine per lane group. The states of the queries lie in the group's frame, those
//! of one invocation next to each other.

use std::mem::offset_of;

use super::Gen;
use crate::abi::{Ctx, RAY_QUERY_BYTES, RayArgs, RayHost, Row};
use crate::ir::{Imm, Inst, Ty};
use crate::lane::{Lane, is_wide};
use crate::{Error, Result};

const ROW: usize = size_of::<Row>();

impl Gen<'_, '_, '_> {
    /// Takes room in the group's frame for the states of the queries.
    pub(super) fn place_ray_queries(&mut self) -> Result<()> {
        let bytes = u64::from(self.shader.ray_queries) * u64::from(self.b.lanes()) * RAY_QUERY_BYTES as u64;
        self.queries_at = self.frame_bytes;
        self.frame_bytes = u32::try_from(u64::from(self.frame_bytes) + bytes)
            .map_err(|_| Error::Limit("memory of ray queries".into()))?;
        Ok(())
    }

    pub(super) fn ray(&mut self, i: &Inst) -> Result<()> {
        let op = match i.imm {
            Imm::Ray(op) => op,
            Imm::Call(call) => return self.ray_call(i, call),
            _ => return Err(Error::Internal(format!("malformed {}", i.op.name()))),
        };
        let at = self.env.image_args;
        let args = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
        let index = self.b.to_word(args[0]);
        self.b.store_row(index, at, offset_of!(RayArgs, query) as i32);
        let mut row = 0;
        for &v in &args[1..] {
            row += self.put_ray_operand(row, v);
        }
        let mask = self.mask();
        let bits = self.b.mask_bits(mask);
        let states = self.b.offset(self.env.frame, i64::from(self.queries_at));
        let host = self.load_ctx(Ty::I64, offset_of!(Ctx, rays));
        self.b.store(states, at, offset_of!(RayArgs, states) as i32);
        self.b.store(host, at, offset_of!(RayArgs, host) as i32);
        self.b.store(bits, at, offset_of!(RayArgs, mask) as i32);
        for (n, o) in [
            (op as u32, offset_of!(RayArgs, op)),
            (self.b.lanes(), offset_of!(RayArgs, lanes)),
            (self.shader.ray_queries, offset_of!(RayArgs, queries)),
        ] {
            let n = self.b.u32(n);
            self.b.store(n, at, o as i32);
        }
        let routine = self.b.load(Ty::I64, host, offset_of!(RayHost, routine) as i32);
        self.b.call(routine, at);
        for (k, &r) in i.results.iter().enumerate() {
            let ty = self.shader.ty(r);
            let word = self.b.load_row(Ty::I32, at, (offset_of!(RayArgs, results) + k * ROW) as i32);
            let v = self.b.word_to(word, ty);
            let zero = self.b.bits(ty, 0);
            let v = self.b.select(mask, v, zero);
            self.def(r, v);
        }
        Ok(())
    }

    /// Writes an operand to its rows, low words first, and returns their number.
    fn put_ray_operand(&mut self, row: usize, v: Lane) -> usize {
        let put = |g: &mut Self, word: Lane, row: usize| {
            g.b.store_row(word, g.env.image_args, (offset_of!(RayArgs, operands) + row * ROW) as i32);
        };
        if is_wide(self.b.ty(v)) {
            let v = self.b.splat(v);
            let (low, high) = (self.b.low_word(v), self.b.high_word(v));
            put(self, low, row);
            put(self, high, row + 1);
            return 2;
        }
        let word = self.b.to_word(v);
        put(self, word, row);
        1
    }
}
