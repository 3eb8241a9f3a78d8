//! Stores to buffers and workgroup memory.

use std::mem::offset_of;

use super::{Lanes, Shape};
use crate::abi::Ctx;
use crate::codegen::{Buffer, Gen, Handle};
use crate::ir::{Inst, Op, Ty, Value};
use crate::lane::{ICmp, Lane, is_wide};
use crate::missing;
use crate::runtime::{MISSING_BYTES, Rare};
use crate::{Error, Result};

/// Facts that are known about a store.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    /// The access is in range in every lane.
    in_range: bool,
    /// The bytes of two lanes are the same or do not overlap; see [`Gen::are_apart`].
    apart: bool,
}

impl Gen<'_, '_, '_> {
    pub(in crate::codegen) fn store(&mut self, i: &Inst) -> Result<()> {
        let shared = i.op == Op::StoreShared;
        let first = if shared { 1 } else { 2 };
        let values = i.args[first..].iter().map(|&a| self.val(a)).collect::<Result<Lanes>>()?;
        let shape = Shape { ty: self.b.ty(values[0]), n: values.len() as u32, mem: Self::mem_of(i)? };
        let mask = self.store_mask();
        let apart = self.are_apart(i.args[first - 1], shape);
        if shared {
            let offset = self.val(i.args[0])?;
            let b = self.shared_buffer();
            let facts = Facts { in_range: self.always_in_range(i, shape)?, apart };
            self.store_present(b, offset, shape, &values, mask, facts);
            return Ok(());
        }
        if self.store_line(i, shape, &values, mask)? {
            return Ok(());
        }
        let (handle, offset) = self.placed(i)?;
        match handle {
            Handle::Buffer(b) => {
                let facts = Facts { in_range: self.is_proven(i, b, offset, shape), apart };
                if self.missing || !self.store_likely_line(b, i.args[1], shape, &values, mask, facts)? {
                    self.store_to(b, offset, shape, &values, mask, facts);
                }
                Ok(())
            }
            Handle::BufferPerLane(p) => self.for_each_descriptor(p, mask, |g, (base, size), these| {
                let b = Buffer { base, size };
                g.store_to(b, offset, shape, &values, these, Facts { in_range: false, apart });
                Ok(())
            }),
            Handle::BufferLanes(b) => {
                self.store_lanes(b, offset, shape, &values, mask);
                Ok(())
            }
            _ => Err(Error::Internal("store to an image".into())),
        }
    }

    /// Stores to a buffer whose pages may be missing.
    pub(super) fn store_to(
        &mut self,
        b: Buffer,
        offset: Lane,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
        facts: Facts,
    ) {
        if !self.missing {
            return self.store_present(b, offset, shape, values, mask, facts);
        }
        let all = self.nothing_missing();
        self.fast_if(
            &[all],
            |g| g.store_present(b, offset, shape, values, mask, facts),
            |g| g.store_by_helper(b, offset, shape, values, mask),
        );
    }

    /// Emits the test that all pages of buffers are present.
    pub(in crate::codegen) fn nothing_missing(&mut self) -> Lane {
        let (at, zero) = (self.load_ctx(Ty::I64, offset_of!(Ctx, missing)), self.b.u32(0));
        let flag = self.b.load_access(Ty::I32, at, 0, true);
        self.b.icmp(ICmp::Eq, flag, zero)
    }

    /// Puts the address of the missing pages behind the rows of a function of [`crate::runtime`].
    pub(in crate::codegen) fn hand_over_missing(&mut self, rows: Lane, at: u32) {
        let pages = match self.missing {
            true => self.load_ctx(Ty::I64, offset_of!(Ctx, missing)),
            false => self.b.ptr((&raw const missing::NONE).cast::<u8>()),
        };
        self.b.store(pages, rows, at as i32);
    }

    /// Stores to a buffer whose pages are all present.
    fn store_present(
        &mut self,
        b: Buffer,
        offset: Lane,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
        facts: Facts,
    ) {
        let sure = facts.in_range && self.b.as_const(mask) == Some(1);
        let line = if sure { self.b.as_wide_affine(offset) } else { self.b.as_checked_affine(offset) };
        let Some((first, stride)) = line else {
            if self.b.is_uniform(offset) && values.iter().all(|&v| self.b.is_uniform(v)) {
                return self.store_uniform(b, offset, shape, values, mask);
            }
            return self.store_lane_runs(b, offset, shape, values, mask, facts);
        };
        // Rows must not overlap: the lanes store in ascending order.
        let rows = shape.is_rows(stride) && shape.mem.stride >= shape.ty.bytes() * self.b.lanes();
        if !rows && (!self.affine_layout(shape, stride) || (stride as u32) < shape.ty.bytes() * shape.n) {
            return self.store_lane_runs(b, offset, shape, values, mask, facts);
        }
        if sure {
            return self.store_affine_rows(b, first, stride as u32, shape, values);
        }
        let ok = self.affine_in_range(b, first, stride as u32, shape.end(shape.n - 1));
        let one_word = shape.n * shape.ty.bytes() == 4;
        if stride == 4 && one_word && self.b.has_masked_stores() && self.b.as_const(mask) != Some(1) {
            return self.store_masked_row(b, offset, first, ok, shape, values, mask);
        }
        let facts = Facts { apart: true, ..facts };
        let full = self.b.all(mask);
        self.fast_if(
            &[ok, full],
            |g| g.store_affine_rows(b, first, stride as u32, shape, values),
            |g| g.store_rarely(b, offset, shape, values, mask, facts),
        );
    }

    pub(super) fn store_affine_rows(
        &mut self,
        b: Buffer,
        first: Lane,
        stride: u32,
        shape: Shape,
        values: &[Lane],
    ) {
        if shape.is_rows(stride as i32) {
            let at = self.b.iadd(b.base, first);
            return self.store_matrix_rows(at, shape, values);
        }
        if let Some(words) = shape.as_words() {
            let values = self.join_to_words(values, shape);
            return self.store_affine_rows(b, first, stride, words, &values);
        }
        let at = self.b.iadd(b.base, first);
        if shape.is_narrow_row(stride as i32) {
            let at = self.b.offset(at, i64::from(shape.mem.offset));
            let word = self.b.to_word(values[0]);
            return self.b.store_row_narrow(word, stride, at);
        }
        if stride == 4 && shape.mem.offset < 1 << 16 {
            let word = self.b.to_word(values[0]);
            return self.b.store_row(word, at, shape.mem.offset as i32);
        }
        let at = self.b.offset(at, i64::from(shape.mem.offset));
        let words: Lanes = values.iter().map(|&v| self.b.to_word(v)).collect();
        if stride == 4 {
            self.b.store_row(words[0], at, 0);
        } else {
            self.b.store_records(&words, at, stride);
        }
    }

    /// Stores a row of words in some of the lanes.
    fn store_masked_row(
        &mut self,
        b: Buffer,
        offset: Lane,
        first: Lane,
        ok: Lane,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
    ) {
        self.fast_if(
            &[ok],
            |g| {
                let at = g.b.iadd(b.base, first);
                let at = g.b.offset(at, i64::from(shape.mem.offset));
                let word = match shape.as_words() {
                    Some(_) => g.join_to_words(values, shape)[0],
                    None => g.b.to_word(values[0]),
                };
                g.b.store_row_where(word, at, 0, mask);
            },
            |g| g.store_rarely(b, offset, shape, values, mask, Facts { in_range: false, apart: true }),
        );
    }

    /// Returns true if the bytes of two lanes are the same or do not overlap, since offsets are multiples of a power of
    /// two that is not less than their number in a lane.
    fn are_apart(&self, offset: Value, shape: Shape) -> bool {
        let bytes = shape.end(shape.n - 1) - shape.start(0);
        bytes <= 1 << self.ranges.zeros(offset)
    }

    /// Stores with an arbitrary offset per lane; in the usual case, where all lanes store, one vector store or scalar store for each
    /// lane.
    fn store_lane_runs(
        &mut self,
        b: Buffer,
        offset: Lane,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
        facts: Facts,
    ) {
        let words = if shape.is_words() { Some(shape) } else { shape.as_words() };
        let narrow = shape.n == 1 && matches!(shape.ty, Ty::I8 | Ty::I16 | Ty::F16);
        let by_lanes = match words {
            Some(words) if words.n == 1 => !self.b.has_masked_stores(),
            Some(words) => words.n <= 4,
            None => narrow,
        };
        // All lanes seldom store to the same place: one of them does, as a rule.
        if !by_lanes || self.b.is_uniform(offset) || !self.avoids_calls() {
            return self.store_scattered(b, offset, shape, values, mask, facts);
        }
        let all = if facts.in_range {
            mask
        } else {
            let whole = self.lanes_in_range(b, offset, shape.end(shape.n - 1));
            self.b.and(whole, mask)
        };
        let all = self.b.all(all);
        let store = |g: &mut Self| {
            let base = g.b.offset(b.base, shape.start(0) as i64);
            if narrow {
                let word = g.b.to_word(values[0]);
                return g.b.scatter_each(&[word], shape.ty.bytes(), base, offset);
            }
            let joined = match shape.as_words() {
                Some(_) => g.join_to_words(values, shape),
                None => values.iter().map(|&v| g.b.to_word(v)).collect(),
            };
            g.b.scatter_runs(&joined, base, offset);
        };
        match self.b.as_const(all) {
            Some(1) => store(self),
            _ => self.fast_if(&[all], store, |g| g.store_scattered(b, offset, shape, values, mask, facts)),
        }
    }

    /// Stores with an arbitrary offset per lane. A scatter stores one scalar of every lane, so scalars of several lanes that
    /// overlap are left to the helper, which stores all scalars of a lane before those of the next.
    fn store_scattered(
        &mut self,
        b: Buffer,
        offset: Lane,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
        facts: Facts,
    ) {
        let scatters = self.b.has_masked_stores() && (shape.n == 1 || facts.apart);
        if scatters && let Some(words) = shape.as_words() {
            return self.store_runs(b, offset, shape, words, values, mask);
        }
        let words = matches!(shape.ty.bytes(), 4 | 8) && shape.ty != Ty::Bool;
        if !words || !scatters {
            return self.store_by_helper(b, offset, shape, values, mask);
        }
        for (k, &v) in values.iter().enumerate() {
            let ok = self.lanes_in_range(b, offset, shape.end(k as u32));
            let ok = self.b.and(ok, mask);
            let base = self.b.offset(b.base, shape.start(k as u32) as i64);
            self.b.scatter_where(v, base, offset, ok);
        }
    }

    /// Stores rows that are partly out of range or masked.
    fn store_rarely(
        &mut self,
        b: Buffer,
        offset: Lane,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
        facts: Facts,
    ) {
        match self.avoids_calls() {
            true => self.store_scattered(b, offset, shape, values, mask, facts),
            false => self.store_by_helper(b, offset, shape, values, mask),
        }
    }

    fn store_uniform(&mut self, b: Buffer, offset: Lane, shape: Shape, values: &[Lane], mask: Lane) {
        let any = self.b.any(mask);
        let wide = self.b.wide_offset(offset);
        for (k, &v) in values.iter().enumerate() {
            let need = self.b.i64(shape.end(k as u32) as i64);
            let end = self.b.iadd(wide, need);
            let ok = self.b.icmp(ICmp::Ule, end, b.size);
            let ok = self.b.and(ok, any);
            self.b.if_(ok, |l| {
                let at = l.iadd(b.base, wide);
                let (at, near) = shape.place(l, at, k as u32);
                l.store(v, at, near);
            });
        }
    }

    pub(super) fn store_by_helper(
        &mut self,
        b: Buffer,
        offset: Lane,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
    ) {
        for part in 0..self.b.parts() {
            // Uniform values are broadcast to all lanes first, so that they have a vector for each part.
            let of = |g: &mut Self, l: Lane| {
                let l = if g.b.parts() > 1 { g.b.splat(l) } else { l };
                g.b.part_of(l, part)
            };
            let values: Lanes = values.iter().map(|&v| of(self, v)).collect();
            let offset = if self.b.is_uniform(offset) { self.b.splat(offset) } else { offset };
            let (offset, mask) = (of(self, offset), self.b.part_of(mask, part));
            self.store_part(b, offset, shape, &values, mask);
        }
    }

    fn store_part(&mut self, b: Buffer, offset: Lane, shape: Shape, values: &[Lane], mask: Lane) {
        let s = self.b.lanes() / self.b.parts();
        let row = s * if is_wide(shape.ty) { 8 } else { 4 };
        let mark = self.b.mark_temporaries();
        let line = shape.line(self, offset);
        let offsets = match line {
            Some(line) => line.first,
            None => self.b.spill(offset),
        };
        let rows = self.b.temporary(row * shape.n + MISSING_BYTES);
        self.hand_over_missing(rows, row * shape.n);
        for (k, &v) in values.iter().enumerate() {
            let w = self.b.to_word(v);
            self.b.store_row(w, rows, (row * k as u32) as i32);
        }
        let bits = self.b.mask_bits(mask);
        let (f, (place, form)) = match line {
            Some(line) => (Rare::StoreLine, shape.packed_line(line, s)),
            None => {
                let (place, form) = shape.packed();
                (Rare::StoreRows, (place, form | u64::from(s) << 16))
            }
        };
        let place = self.b.i64(place as i64);
        let form = match self.b.const_u32(bits) {
            Some(bits) => self.b.i64((form | u64::from(bits) << 32) as i64),
            None => {
                let form = self.b.i64(form as i64);
                let bits = self.b.u32_to_i64(bits);
                let thirty_two = self.b.i32(32);
                let bits = self.b.shl(bits, thirty_two);
                self.b.or(form, bits)
            }
        };
        self.b.call_rarely(f.entry(), &[b.base, b.size, offsets, rows, place, form]);
        self.b.release_temporaries(mark);
    }
}
