//! Loads from buffers and workgroup memory.

use smallvec::SmallVec;

use super::{Lanes, Shape};
use crate::abi;
use crate::codegen::{Buffer, Gen, Handle};
use crate::ir::{Inst, Op, Ty};
use crate::lane::{ICmp, Lane, LaneVar, is_wide};
use crate::runtime::Rare;
use crate::{Error, Result};

impl Gen<'_, '_, '_> {
    pub(in crate::codegen) fn load(&mut self, i: &Inst) -> Result<()> {
        let shape =
            Shape { ty: self.shader.ty(i.results[0]), n: i.results.len() as u32, mem: Self::mem_of(i)? };
        if self.load_halves(i, shape)? || self.load_factor(i)? {
            return Ok(());
        }
        if i.op == Op::LoadShared {
            let offset = self.val(i.args[0])?;
            let b = self.shared_buffer();
            let v = if self.always_in_range(i, shape)? {
                self.load_unchecked(b, offset, shape)
            } else if let Some(apart) = self.distances(i, i.args[0], shape)? {
                self.load_apart(b, i.args[0], shape, &apart)?
            } else {
                self.load_from(b, offset, shape)
            };
            return self.def_all(i, &v);
        }
        if let Some(v) = self.load_line(i, shape)? {
            return self.def_all(i, &v);
        }
        let (handle, offset) = self.placed(i)?;
        match handle {
            Handle::Buffer(b) => {
                self.prefetch(b, i.args[1], shape)?;
                let v = if self.is_proven(i, b, offset, shape) {
                    self.load_unchecked(b, offset, shape)
                } else if let Some(apart) = self.distances(i, i.args[1], shape)? {
                    self.load_apart(b, i.args[1], shape, &apart)?
                } else if let Some(v) = self.load_likely_line(b, i.args[1], shape)? {
                    v
                } else {
                    self.prefetch_apart(b, offset, shape);
                    self.load_from(b, offset, shape)
                };
                self.def_all(i, &v)
            }
            Handle::BufferPerLane(p) => {
                let vars: SmallVec<[LaneVar; 4]> =
                    (0..shape.n).map(|_| self.b.declare(shape.ty, false)).collect();
                for var in &vars {
                    let zero = self.b.bits(shape.ty, 0);
                    self.b.set(var, zero);
                }
                let mask = self.mask();
                self.for_each_descriptor(p, mask, |g, (base, size), these| {
                    let b = Buffer { base, size };
                    let v = g.load_from(b, offset, shape);
                    for (var, &v) in vars.iter().zip(&v) {
                        let old = g.b.get(var);
                        let new = g.b.select(these, v, old);
                        g.b.set(var, new);
                    }
                    Ok(())
                })?;
                let v: Lanes = vars.into_iter().map(|var| self.b.take(var)).collect();
                self.def_all(i, &v)
            }
            Handle::BufferLanes(b) => {
                let v = self.load_lanes(b, offset, shape);
                self.def_all(i, &v)
            }
            _ => Err(Error::Internal("load from an image".into())),
        }
    }

    fn def_all(&mut self, i: &Inst, v: &[Lane]) -> Result<()> {
        for (&r, &v) in i.results.iter().zip(v) {
            self.def(r, v);
        }
        Ok(())
    }

    /// Emits a load that is known to be in range.
    pub(super) fn load_unchecked(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        if self.b.is_uniform(offset) {
            let at = match self.b.const_u32(offset) {
                Some(k) => self.b.offset(b.base, i64::from(k)),
                None => {
                    let wide = self.b.wide_offset(offset);
                    self.b.iadd(b.base, wide)
                }
            };
            return (0..shape.n).map(|k| self.load_one(shape, at, k)).collect();
        }
        if !shape.mem.ordered
            && let Some((first, stride)) = self.b.as_wide_affine(offset)
            && self.affine_layout(shape, stride)
        {
            return self.load_affine_rows(b, first, stride as u32, shape, false);
        }
        if let Some(words) = shape.as_loaded_words() {
            return self.load_runs_unchecked(b, offset, shape, words);
        }
        if shape.is_quad() {
            let base = self.b.offset(b.base, shape.start(0) as i64);
            return self.gather_words(base, offset, shape).into_iter().collect();
        }
        (0..shape.n)
            .map(|k| {
                let base = self.b.offset(b.base, shape.start(k) as i64);
                self.b.gather_access(shape.ty, base, offset, shape.mem.ordered)
            })
            .collect()
    }

    /// Loads vectors from memory where lanes lie at a constant distance. `whole`: all bytes from lane to lane are in range, in
    /// the last lane, too, and [`Self::fills_records`].
    pub(super) fn load_affine_rows(
        &mut self,
        b: Buffer,
        first: Lane,
        stride: u32,
        shape: Shape,
        whole: bool,
    ) -> Lanes {
        if shape.is_rows(stride as i32) {
            let at = self.b.iadd(b.base, first);
            return self.load_matrix_rows(at, shape);
        }
        if shape.ty == Ty::F16 && shape.mem.stride == 2 && stride == 2 * shape.n {
            let at = self.b.iadd(b.base, first);
            let at = self.b.offset(at, i64::from(shape.mem.offset));
            if let Some(halves) = self.b.load_half_records(at, shape.n) {
                return halves;
            }
        }
        if let Some(words) = shape.as_words() {
            let words = self.load_affine_rows(b, first, stride, words, whole);
            return self.split_words(&words, shape);
        }
        let at = self.b.iadd(b.base, first);
        if shape.is_narrow_row(stride as i32) {
            let at = self.b.offset(at, i64::from(shape.mem.offset));
            if shape.ty == Ty::F16 {
                return [self.b.load_row_half(at, 0)].into_iter().collect();
            }
            let bits = self.b.load_row_narrow(stride, at, 0);
            return [self.b.word_to(bits, shape.ty)].into_iter().collect();
        }
        if stride == 4 && shape.mem.offset < 1 << 16 {
            return (0..shape.n).map(|k| self.b.load_row(shape.ty, at, shape.start(k) as i32)).collect();
        }
        let at = self.b.offset(at, i64::from(shape.mem.offset));
        if stride == 4 {
            return (0..shape.n).map(|k| self.b.load_row(shape.ty, at, 4 * k as i32)).collect();
        }
        if whole {
            let mut words = self.b.load_records(shape.ty, at, stride, stride / 4);
            words.truncate(shape.n as usize);
            return words;
        }
        self.b.load_records(shape.ty, at, stride, shape.n)
    }

    /// True if records at this distance have more words than the shape, and vector loads of whole records are better than
    /// gathers of its words.
    fn fills_records(&self, stride: u32, shape: Shape) -> bool {
        let words = shape.as_words().unwrap_or(shape);
        !shape.is_rows(stride as i32)
            && words.is_words()
            && self.b.sorts_records(stride, stride / 4)
            && 4 * words.n < stride
    }

    pub(super) fn load_from(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        if self.b.is_uniform(offset) {
            return self.load_uniform(b, offset, shape);
        }
        if !shape.mem.ordered
            && let Some((first, stride)) = self.b.as_checked_affine(offset)
            && self.affine_layout(shape, stride)
        {
            return self.load_affine(b, offset, first, stride as u32, shape);
        }
        match shape.as_loaded_words() {
            Some(words) => self.load_runs(b, offset, shape, words),
            None if shape.is_quad() => self.load_quads(b, offset, shape),
            None => self.load_gather(b, offset, shape),
        }
    }

    /// Loads four consecutive words of each lane as one vector where they are in range as a whole or not at all.
    fn load_quads(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        let whole = self.lanes_in_range(b, offset, shape.end(3));
        let first = self.lanes_in_range(b, offset, shape.end(0));
        let cut = self.b.and_not(first, whole);
        let cut = self.b.any(cut);
        let uncut = self.b.not(cut);
        self.load_fast_if(
            &[uncut],
            shape,
            |g| g.load_whole_quads(b, offset, shape, whole),
            |g| g.load_gather(b, offset, shape),
        )
    }

    /// Loads four consecutive words in the lanes of a mask, which are in range; the words of other lanes are 0.
    pub(super) fn load_whole_quads(&mut self, b: Buffer, offset: Lane, shape: Shape, whole: Lane) -> Lanes {
        // Lanes out of range read the last words in range, or zeros.
        let (limit, base) = self.offset_limit(b, shape.end(3), shape.start(0));
        let safe = self.b.umin(offset, limit);
        let zero = self.b.bits(shape.ty, 0);
        let words = self.gather_words(base, safe, shape);
        words.into_iter().map(|v| self.b.select(whole, v, zero)).collect()
    }

    /// Gathers four consecutive words of each lane.
    fn gather_words(&mut self, base: Lane, offset: Lane, shape: Shape) -> [Lane; 4] {
        self.b.gather_quads(base, offset).map(|w| self.b.word_to(w, shape.ty))
    }

    /// Emits one load for the whole group.
    fn load_uniform(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        let known = match (self.b.const_u32(offset), self.b.as_const(b.size)) {
            (Some(o), Some(size)) => u64::from(o) + shape.end(shape.n - 1) <= size,
            _ => false,
        };
        if known {
            let at = self.b.index_const(b.base, offset);
            return (0..shape.n).map(|k| self.load_one(shape, at, k)).collect();
        }
        let wide = self.b.wide_offset(offset);
        (0..shape.n)
            .map(|k| {
                let need = self.b.i64(shape.end(k) as i64);
                let end = self.b.iadd(wide, need);
                let ok = self.b.icmp(ICmp::Ule, end, b.size);
                // An out-of-range access reads the page of zeros instead.
                let good = self.b.iadd(b.base, wide);
                let good = self.b.offset(good, shape.start(k) as i64);
                let zeros = self.b.ptr(abi::zeros());
                let at = self.b.select(ok, good, zeros);
                self.b.load_access(shape.ty, at, 0, shape.mem.ordered)
            })
            .collect()
    }

    fn load_one(&mut self, shape: Shape, at: Lane, k: u32) -> Lane {
        let (at, near) = shape.place(self.b, at, k);
        self.b.load_access(shape.ty, at, near, shape.mem.ordered)
    }

    fn load_affine(&mut self, b: Buffer, offset: Lane, first: Lane, stride: u32, shape: Shape) -> Lanes {
        let whole = self.fills_records(stride, shape);
        let end = if whole { shape.start(0) + u64::from(stride) } else { shape.end(shape.n - 1) };
        let ok = self.affine_in_range(b, first, stride, end);
        self.load_fast_if(
            &[ok],
            shape,
            |g| g.load_affine_rows(b, first, stride, shape, whole),
            |g| match g.avoids_calls() && g.b.gathers(shape.ty) {
                true => g.load_gather(b, offset, shape),
                false => g.load_by_helper(b, offset, shape),
            },
        )
    }

    /// Emits two ways to load the scalars of a shape, as [`Gen::fast_if`] does.
    pub(super) fn load_fast_if(
        &mut self,
        ok: &[Lane],
        shape: Shape,
        fast: impl FnOnce(&mut Self) -> Lanes,
        slow: impl FnOnce(&mut Self) -> Lanes,
    ) -> Lanes {
        // Bytes are widened behind the branches, so that they stay bytes where nothing else is needed.
        let bytes = shape.ty == Ty::I8 && (shape.n == 1 || shape.mem.stride != 1);
        // Words are split behind the branches, too: programs often put them together again.
        let words = shape.as_loaded_words().filter(|_| shape.ty != Ty::F16 && self.b.is_wide_code());
        let held = words.unwrap_or(shape);
        let declare = |_| if bytes { self.b.declare_bytes() } else { self.b.declare(held.ty, false) };
        let vars: SmallVec<[LaneVar; 4]> = (0..held.n).map(declare).collect();
        let set = |g: &mut Self, scalars: Lanes| {
            let values = if words.is_some() { g.join_to_words(&scalars, shape) } else { scalars };
            vars.iter().zip(values).for_each(|(var, v)| g.b.set(var, v));
        };
        self.fast_if(
            ok,
            |g| {
                let values = fast(g);
                set(g, values);
            },
            |g| {
                let values = slow(g);
                set(g, values);
            },
        );
        let loaded: Lanes = vars.into_iter().map(|v| self.b.take(v)).collect();
        if words.is_some() { self.split_words(&loaded, shape) } else { loaded }
    }

    pub(in crate::codegen) fn load_by_helper(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        let s = self.b.lanes();
        let row = s * if is_wide(shape.ty) { 8 } else { 4 };
        let mark = self.b.mark_temporaries();
        let line = shape.line(self, offset);
        let offsets = match line {
            Some(line) => line.first,
            None => self.b.spill(offset),
        };
        let out = self.b.temporary(row * shape.n);
        let (f, (place, form)) = match line {
            Some(line) => (Rare::LoadLine, shape.packed_line(line, s)),
            None => {
                let (place, form) = shape.packed();
                (Rare::LoadRows, (place, form | u64::from(s) << 16))
            }
        };
        let (place, form) = (self.b.i64(place as i64), self.b.i64(form as i64));
        self.b.call_rarely(f.entry(), &[b.base, b.size, offsets, out, place, form]);
        let rows = (0..shape.n)
            .map(|k| {
                let at = (row * k) as i32;
                if is_wide(shape.ty) {
                    self.b.load_row(shape.ty, out, at)
                } else {
                    let w = self.b.load_row(Ty::I32, out, at);
                    self.b.word_to(w, shape.ty)
                }
            })
            .collect();
        self.b.release_temporaries(mark);
        rows
    }

    /// Gathers scalar `k` in the lanes that are in range, if the host can do that.
    fn gather_in_range(&mut self, b: Buffer, offset: Lane, shape: Shape, k: u32) -> Option<Lane> {
        let ok = self.lanes_in_range(b, offset, shape.end(k));
        let base = self.b.offset(b.base, shape.start(k) as i64);
        self.b.gather_where(shape.ty, base, offset, ok)
    }

    /// Clamps offsets into range, gathers, and zeroes the lanes that were out of range.
    pub(super) fn load_gather(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        (0..shape.n)
            .map(|k| {
                let need = shape.end(k);
                if !shape.mem.ordered
                    && let Some(v) = self.gather_in_range(b, offset, shape, k)
                {
                    return v;
                }
                let (limit, base) = self.offset_limit(b, need, shape.start(k));
                let safe = self.b.umin(offset, limit);
                let ok = self.b.icmp(ICmp::Eq, safe, offset);
                let v = self.b.gather_access(shape.ty, base, safe, shape.mem.ordered);
                let zero = self.b.bits(shape.ty, 0);
                self.b.select(ok, v, zero)
            })
            .collect()
    }
}
