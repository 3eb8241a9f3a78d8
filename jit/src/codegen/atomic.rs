//! Atomics on buffers and workgroup memory.
//!
//! Emitted instructions perform 32-bit integer atomics lane by lane. `crate::runtime` performs all others, and those
//! with out-of-range or inactive lanes.

use super::memory::{Lanes, Shape};
use super::{Buffer, Gen, Handle};
use crate::ir::{AtomicOp, Imm, Inst, Mem, Op, Ty, Value};
use crate::lane::{ICmp, Lane, host_op, is_wide, neutral};
use crate::runtime::MISSING_BYTES;
use crate::{Error, Result, Tier, runtime};

impl Gen<'_, '_, '_> {
    pub(super) fn atomic(&mut self, i: &Inst) -> Result<()> {
        let Imm::Atomic(op, mem) = i.imm else {
            return Err(Error::Internal(format!("malformed {}", i.op.name())));
        };
        let shared = i.op == Op::AtomicShared;
        let first = if shared { 1 } else { 2 };
        let operands = i.args[first..].iter().map(|&a| self.val(a)).collect::<Result<Lanes>>()?;
        let ty = match (i.results.first(), operands.first()) {
            (Some(&r), _) => self.shader.ty(r),
            (None, Some(&v)) => self.b.ty(v),
            _ => return Err(Error::Internal("atomic without type".into())),
        };
        if !matches!(ty, Ty::I16 | Ty::F16 | Ty::I32 | Ty::F32 | Ty::I64 | Ty::F64) {
            return Err(Error::unsupported(format!("atomics on {ty:?}")));
        }
        let mask = if op == AtomicOp::Load { self.mask() } else { self.store_mask() };
        let out = self.b.declare(ty, false);
        let zero = self.b.bits(ty, 0);
        self.b.set(&out, zero);
        let one = |g: &mut Self, b: Buffer, offset: Lane, these: Lane| {
            let old = g.atomic_by_helper(b, offset, op, ty, mem, &operands, these);
            let before = g.b.get(&out);
            let v = g.b.select(these, old, before);
            g.b.set(&out, v);
            Ok(())
        };
        let plain = ty == Ty::I32 && mem.offset.is_multiple_of(4) && neutral(op).is_some();
        let wanted = !i.results.is_empty();
        if shared {
            let shape = Shape { ty, n: 1, mem };
            if plain && u64::from(self.shader.shared_size) >= shape.end(0) {
                let old = self.atomic_in_place(i, op, shape, operands[0], mask, wanted)?;
                if let Some(old) = old {
                    self.def(i.results[0], old);
                }
                self.b.release(out);
                return Ok(());
            }
            let (b, offset) = (self.shared_buffer(), self.val(i.args[0])?);
            one(self, b, offset, mask)?;
        } else {
            let (handle, offset) = self.placed(i)?;
            match handle {
                Handle::Buffer(b) if plain && host_op(op).is_some() && self.tier == Tier::Optimized => {
                    let aligned = self.is_aligned(i, i.args[1])?;
                    let old = self.atomic_inline(b, offset, op, mem, &operands, mask, aligned);
                    self.b.set(&out, old);
                }
                Handle::Buffer(b) => one(self, b, offset, mask)?,
                Handle::BufferPerLane(p) => self.for_each_descriptor(p, mask, |g, (base, size), these| {
                    one(g, Buffer { base, size }, offset, these)
                })?,
                Handle::BufferLanes(b) => {
                    let shape = Shape { ty, n: 1, mem };
                    let old = self.atomic_lanes(b, offset, op, shape, &operands, mask);
                    let v = self.b.select(mask, old, zero);
                    self.b.set(&out, v);
                }
                _ => return Err(Error::Internal("buffer atomic on an image".into())),
            }
        }
        match i.results.first() {
            Some(&r) => {
                let v = self.b.take(out);
                self.def(r, v);
            }
            None => self.b.release(out),
        }
        Ok(())
    }

    /// Returns true if the offsets are known to be multiples of 4, so that no test is needed. A sum of multiples of 4
    /// is one, too, unless it saturates; a saturated offset is out of range.
    fn is_aligned(&mut self, i: &Inst, offset: Value) -> Result<bool> {
        let known = match self.ranges.def(offset) {
            Some(Inst { op: Op::Offset, imm: Imm::Strides(s), .. }) => s.iter().all(|s| s % 4 == 0),
            Some(Inst { op: Op::Const, imm: Imm::Bits(b), .. }) => b % 4 == 0,
            _ => false,
        };
        let known = known && self.shader.ty(offset) == Ty::I32;
        if known {
            self.claim_alignment(i, offset)?;
        }
        Ok(known && !self.verifies())
    }

    /// Emits an atomic on workgroup memory. One thread runs the whole workgroup, so nothing accesses the memory
    /// concurrently. Inactive and out-of-range lanes leave memory unchanged.
    fn atomic_in_place(
        &mut self,
        i: &Inst,
        op: AtomicOp,
        shape: Shape,
        value: Lane,
        mask: Lane,
        wanted: bool,
    ) -> Result<Option<Lane>> {
        let offset = i.args[0];
        let (in_range, aligned) = (self.always_in_range(i, shape)?, self.is_aligned(i, offset)?);
        let known = in_range && aligned;
        let mut at = self.val(offset)?;
        let mut live = mask;
        if !known {
            let limit = self.b.u32((u64::from(self.shader.shared_size) - shape.end(0)) as u32);
            let whole = self.b.u32(!3);
            let safe = self.b.umin(at, limit);
            let safe = self.b.and(safe, whole);
            let inside = self.b.icmp(ICmp::Eq, safe, at);
            live = self.b.and(live, inside);
            at = safe;
        }
        let none = self.b.u32(neutral(op).unwrap_or(0));
        let value = self.b.select(live, value, none);
        let base = self.b.offset(self.env.compute.shared, i64::from(shape.mem.offset));
        let old = self.b.update_lanes(op, base, at, value, wanted);
        let zero = self.b.u32(0);
        Ok(old.map(|old| self.b.select(live, old, zero)))
    }

    /// Emits an atomic on a buffer: inline if all lanes are active and in range, otherwise a call of the helper.
    fn atomic_inline(
        &mut self,
        b: Buffer,
        offset: Lane,
        op: AtomicOp,
        mem: Mem,
        operands: &[Lane],
        mask: Lane,
        aligned: bool,
    ) -> Lane {
        let shape = Shape { ty: Ty::I32, n: 1, mem };
        let out = self.b.declare(Ty::I32, false);
        let at = self.b.splat(offset);
        let (limit, base) = self.offset_limit(b, shape.end(0), shape.start(0));
        let safe = self.b.umin(at, limit);
        let mut ok = self.b.icmp(ICmp::Eq, safe, at);
        if !aligned {
            let (low, zero) = (self.b.u32(3), self.b.u32(0));
            let low = self.b.and(at, low);
            let even = self.b.icmp(ICmp::Eq, low, zero);
            ok = self.b.and(ok, even);
        }
        let ok = self.b.and(ok, mask);
        let ok = self.b.all(ok);
        let need = self.b.i64(shape.end(0) as i64);
        let room = self.b.icmp(ICmp::Uge, b.size, need);
        let (low, none) = (self.b.i64(3), self.b.i64(0));
        let low = self.b.and(base, low);
        let even = self.b.icmp(ICmp::Eq, low, none);
        let ok = self.b.and(ok, room);
        let mut ok = self.b.and(ok, even);
        if self.missing {
            let all = self.nothing_missing();
            ok = self.b.and(ok, all);
        }
        self.fast_if(
            &[ok],
            |g| {
                let zero = g.b.u32(0);
                let old = g.b.update_lanes_atomic(op, base, at, operands[0]).unwrap_or(zero);
                g.b.set(&out, old);
            },
            |g| {
                let old = g.atomic_by_helper(b, offset, op, Ty::I32, mem, operands, mask);
                let zero = g.b.u32(0);
                let old = g.b.select(mask, old, zero);
                g.b.set(&out, old);
            },
        );
        self.b.take(out)
    }

    fn atomic_by_helper(
        &mut self,
        b: Buffer,
        offset: Lane,
        op: AtomicOp,
        ty: Ty,
        mem: Mem,
        operands: &[Lane],
        mask: Lane,
    ) -> Lane {
        let s = self.b.lanes();
        let row = s * if is_wide(ty) { 8 } else { 4 };
        let mark = self.b.mark_temporaries();
        let offsets = self.b.spill(offset);
        // The rows hold the operands on entry; on return the first row holds the old values.
        let rows = self.b.temporary(row * 2 + MISSING_BYTES);
        self.hand_over_missing(rows, row * 2);
        for (k, &v) in operands.iter().enumerate() {
            let w = self.b.to_word(v);
            self.b.store_row(w, rows, (row * k as u32) as i32);
        }
        let f = self.b.ptr(runtime::atomic_rows as *const u8);
        let code = runtime::atomic_code(op, ty.is_float());
        let place = self.b.i64(i64::from(mem.offset) | i64::from(code) << 32);
        let form = self.b.i64(i64::from(ty.bytes()) << 8 | i64::from(s) << 16);
        let bits = self.b.mask_bits(mask);
        let bits = self.b.u32_to_i64(bits);
        let thirty_two = self.b.i32(32);
        let bits = self.b.shl(bits, thirty_two);
        let form = self.b.or(form, bits);
        self.b.call_values(f, &[b.base, b.size, offsets, rows, place, form], None);
        let old = self.b.load_row(if is_wide(ty) { ty } else { Ty::I32 }, rows, 0);
        let old = if is_wide(ty) { old } else { self.b.word_to(old, ty) };
        self.b.release_temporaries(mark);
        old
    }
}
