//! Image operations: one call per lane group of the routine that the view's table holds. Reads that are joined in one
//! instruction share one call; their lanes lie next to each other in the rows.

use std::mem::offset_of;

use smallvec::SmallVec;

use super::{Gen, Handle, ImageOps, PerLane};
use crate::abi::{ImageArgs, ImageView, MAX_LANES, Row};
use crate::ir::op::Effect;
use crate::ir::{AtomicOp, HandleKind, ImageDim, ImageOp, ImageOpKind, Imm, Inst, Insts, LodMode, Ty, Value};
use crate::lane::{Lane, LaneVar, is_wide};
use crate::{Error, Result};

/// Interns all image operations of a shader; returns each with its number.
pub(super) fn intern_all(insts: &Insts<'_>, ops: &dyn ImageOps) -> Result<Vec<(ImageOp, u32)>> {
    let mut found: Vec<ImageOp> = Vec::new();
    for i in insts.iter() {
        if let Imm::Image(op) = &i.imm
            && !found.contains(op)
        {
            found.push(**op);
        }
    }
    found.into_iter().map(|op| Ok((op, ops.intern(&op)?))).collect()
}

const ROW: usize = size_of::<Row>();

// A sampler word is stored as a whole.
const _: () = assert!(offset_of!(ImageArgs, sampler) == offset_of!(ImageArgs, sampler_row) + 4);

/// A view or a sampler: uniform, or chosen per lane.
#[derive(Clone, Copy)]
enum Choice {
    Uniform(Lane),
    PerLane(PerLane),
    /// Chosen per lane by a handle (I64).
    Handles(Lane, HandleKind),
}

impl Gen<'_, '_, '_> {
    fn view_and_sampler(&mut self, v: Value) -> Result<(Choice, Choice)> {
        let zero = self.b.i64(0);
        let null = (Choice::Uniform(zero), Choice::Uniform(zero));
        Ok(match self.handle(v)? {
            Handle::Sampled(image, sampler) if self.is_null(image) || self.is_null(sampler) => null,
            Handle::Image { view, sampler } => (Choice::Uniform(view), Choice::Uniform(sampler)),
            Handle::ImagePerLane(p) => (Choice::PerLane(p), Choice::PerLane(p)),
            Handle::ImageOf(handle, kind) => {
                let handle = self.val(handle)?;
                match self.b.is_uniform(handle) {
                    true => {
                        let (view, sampler) = self.resolve_image(handle, kind);
                        (Choice::Uniform(view), Choice::Uniform(sampler))
                    }
                    false => (Choice::Handles(handle, kind), Choice::Handles(handle, kind)),
                }
            }
            Handle::Sampled(image, sampler) => {
                let (view, _) = self.view_and_sampler(image)?;
                let (_, sampler) = self.view_and_sampler(sampler)?;
                (view, sampler)
            }
            _ => null,
        })
    }

    fn is_null(&self, v: Value) -> bool {
        matches!(self.handles.get(&v), Some(Handle::NullImage))
    }

    pub(super) fn image(&mut self, i: &Inst) -> Result<()> {
        let Imm::Image(op) = &i.imm else {
            return Err(Error::Internal(format!("malformed {}", i.op.name())));
        };
        let op = **op;
        let number = self
            .image_ops
            .iter()
            .find(|(o, _)| *o == op)
            .map(|(_, n)| *n)
            .ok_or_else(|| Error::Internal("image operation without a number".into()))?;
        let (view, sampler) = self.view_and_sampler(i.args[0])?;
        if matches!(view, Choice::Uniform(v) if self.b.as_const(v) == Some(0)) {
            for &r in &i.results {
                let zero = self.b.bits(self.shader.ty(r), 0);
                self.def(r, zero);
            }
            return Ok(());
        }
        let results: SmallVec<[LaneVar; 5]> = i
            .results
            .iter()
            .map(|&r| {
                let var = self.b.declare(self.shader.ty(r), false);
                let zero = self.b.bits(self.shader.ty(r), 0);
                self.b.set(&var, zero);
                var
            })
            .collect();
        let writes = i.op.effect() == Effect::Write && op.kind != ImageOpKind::Atomic(AtomicOp::Load);
        let mask = if writes { self.store_mask() } else { self.mask() };
        let single = matches!((view, sampler), (Choice::Uniform(_), Choice::Uniform(_)));
        // Joined reads lie next to each other in the rows, as many per call as fit.
        let reads = op.reads(i.results.len());
        let (args, texels) = ((i.args.len() - 1) / reads, i.results.len() / reads);
        let most = MAX_LANES / self.b.lanes() as usize;
        for first in (0..reads).step_by(most) {
            let n = most.min(reads - first);
            for k in 0..n {
                self.image_arguments(&i.args[1 + (first + k) * args..][..args], &op, self.beside(k))?;
            }
            let results = &results[first * texels..][..n * texels];
            self.choose_view(view, mask, |g, view, mask| {
                g.choose_sampler(sampler, mask, |g, sampler, these| {
                    g.call_image(number, view, sampler, these, results, n, single)
                })
            })?;
        }
        // A uniform result is the same in every active lane. Lane 0 may be inactive, so it is taken from the first
        // active one.
        let uniform = i.results.iter().any(|r| !self.uniformity.varying[r.0 as usize]);
        let first = uniform.then(|| {
            let bits = self.b.mask_bits(mask);
            self.b.lowest_bit(bits)
        });
        for (&r, var) in i.results.iter().zip(results) {
            let v = self.b.take(var);
            let v = match first {
                Some(first) if !self.uniformity.varying[r.0 as usize] => self.b.extract_dynamic(v, first),
                _ => v,
            };
            self.def(r, v);
        }
        Ok(())
    }

    fn choose_view(
        &mut self,
        c: Choice,
        mask: Lane,
        f: impl FnOnce(&mut Self, Lane, Lane) -> Result<()>,
    ) -> Result<()> {
        match c {
            Choice::Uniform(v) => f(self, v, mask),
            Choice::PerLane(p) => self.for_each_descriptor(p, mask, |g, (view, _), these| f(g, view, these)),
            Choice::Handles(v, kind) => self.for_each_value(v, Ty::I64, mask, |g, handle, these| {
                let (view, _) = g.resolve_image(handle, kind);
                f(g, view, these)
            }),
        }
    }

    fn choose_sampler(
        &mut self,
        c: Choice,
        mask: Lane,
        f: impl FnOnce(&mut Self, Lane, Lane) -> Result<()>,
    ) -> Result<()> {
        match c {
            Choice::Uniform(v) => f(self, v, mask),
            Choice::PerLane(p) => {
                self.for_each_descriptor(p, mask, |g, (_, sampler), these| f(g, sampler, these))
            }
            Choice::Handles(v, _) => self.for_each_value(v, Ty::I64, mask, |g, handle, these| {
                let sampler = g.sampler_of(handle);
                f(g, sampler, these)
            }),
        }
    }

    /// Writes a value to a row of the arguments; 64-bit values take two rows, low words first.
    fn put(&mut self, at: usize, row: usize, v: Lane) {
        if is_wide(self.b.ty(v)) {
            let v = self.b.splat(v);
            for (k, word) in [self.b.low_word(v), self.b.high_word(v)].into_iter().enumerate() {
                self.b.store_row(word, self.env.image_args, (at + (2 * row + k) * ROW) as i32);
            }
            return;
        }
        let v = self.b.to_word(v);
        self.b.store_row(v, self.env.image_args, (at + row * ROW) as i32);
    }

    /// Byte offset within a row of the lanes of read `k`.
    fn beside(&self, k: usize) -> usize {
        4 * k * self.b.lanes() as usize
    }

    /// Writes the arguments of one read in the order that [`ImageOp`] documents, at byte offset `beside` in their rows.
    fn image_arguments(&mut self, args: &[Value], op: &ImageOp, beside: usize) -> Result<()> {
        let args = args.iter().map(|&a| self.val(a)).collect::<Result<SmallVec<[Lane; 16]>>>()?;
        let mut args = args.into_iter();
        let mut take = |g: &mut Self, at: usize, n: u32| -> Result<()> {
            for k in 0..n {
                let v =
                    args.next().ok_or_else(|| Error::Internal("image operation lacks arguments".into()))?;
                g.put(at + beside, k as usize, v);
            }
            Ok(())
        };
        use ImageOpKind::*;
        let query = matches!(op.kind, QuerySize | QueryLevels | QuerySamples);
        let n = op.dim.coords();
        if !query {
            take(self, offset_of!(ImageArgs, coord), n + u32::from(op.arrayed && op.kind != QueryLod))?;
        }
        if op.dref {
            take(self, offset_of!(ImageArgs, dref), 1)?;
        }
        match op.kind {
            QuerySize => {
                if op.dim != ImageDim::Buffer && !op.multisampled && op.lod == LodMode::Explicit {
                    take(self, offset_of!(ImageArgs, lod), 1)?;
                }
            }
            Sample | Gather | Fetch => match op.lod {
                LodMode::Bias | LodMode::Explicit => take(self, offset_of!(ImageArgs, lod), 1)?,
                LodMode::Grad => take(self, offset_of!(ImageArgs, grad), 2 * n)?,
                LodMode::Implicit | LodMode::Zero => {}
            },
            Read | Write | Atomic(_) | QueryLevels | QuerySamples | QueryLod => {}
        }
        if op.min_lod {
            take(self, offset_of!(ImageArgs, min_lod), 1)?;
        }
        if op.offsets4 {
            take(self, offset_of!(ImageArgs, offset), 8)?;
        } else if op.offset {
            take(self, offset_of!(ImageArgs, offset), n)?;
        }
        if op.multisampled && !query {
            take(self, offset_of!(ImageArgs, sample), 1)?;
        }
        match op.kind {
            Write => take(self, offset_of!(ImageArgs, texel), 4)?,
            Atomic(AtomicOp::Load) => {}
            Atomic(AtomicOp::CompareExchange) => take(self, offset_of!(ImageArgs, texel), 2)?,
            Atomic(_) => take(self, offset_of!(ImageArgs, texel), 1)?,
            Sample | Gather | Fetch | Read | QuerySize | QueryLevels | QuerySamples | QueryLod => {}
        }
        Ok(())
    }

    /// Calls the routine for `reads` reads that lie next to each other.
    #[expect(clippy::too_many_arguments, reason = "callers choose view, sampler and lanes separately")]
    fn call_image(
        &mut self,
        number: u32,
        view: Lane,
        sampler: Lane,
        mask: Lane,
        results: &[LaneVar],
        reads: usize,
        single: bool,
    ) -> Result<()> {
        let at = self.env.image_args;
        let active = self.mask();
        let each = (0..reads as u32).fold(0, |all, k| all | 1 << (k * self.b.lanes()));
        let [bits, quads] = [mask, active].map(|m| {
            let bits = self.b.mask_bits(m);
            if reads == 1 {
                return bits;
            }
            let each = self.b.u32(each);
            self.b.imul(bits, each)
        });
        let (op, lanes) = (self.b.u32(number), self.b.u32(self.b.lanes() * reads as u32));
        self.b.store(view, at, offset_of!(ImageArgs, view) as i32);
        self.b.store(sampler, at, offset_of!(ImageArgs, sampler_row) as i32);
        for (v, o) in [
            (op, offset_of!(ImageArgs, op)),
            (bits, offset_of!(ImageArgs, mask)),
            (quads, offset_of!(ImageArgs, quad_mask)),
            (lanes, offset_of!(ImageArgs, lanes)),
        ] {
            self.b.store(v, at, o as i32);
        }
        let table = self.b.load(Ty::I64, view, offset_of!(ImageView, table) as i32);
        let row = self.b.i64_to_i32(sampler);
        let row = self.b.index(table, row, 8);
        let row = self.b.load(Ty::I64, row, 0);
        let routine = self.b.load(Ty::I64, row, 8 * number as i32);
        let residency = self.image_ops.iter().any(|(op, n)| *n == number && op.residency);
        if residency {
            let zero = self.b.bits(Ty::I32, 0);
            self.b.store_row(zero, at, offset_of!(ImageArgs, residency) as i32);
        }
        self.b.call(routine, at);
        let full = single && self.b.as_const(mask) == Some(1);
        let texels = results.len() / reads;
        for (k, var) in results.iter().enumerate() {
            let row = (k % texels) * if is_wide(var.ty()) { 2 } else { 1 };
            let from = match residency && k + 1 == texels {
                true => offset_of!(ImageArgs, residency),
                false => offset_of!(ImageArgs, texel) + row * ROW + self.beside(k / texels),
            };
            let w = self.b.load_row(Ty::I32, at, from as i32);
            let v = if is_wide(var.ty()) {
                let high = self.b.load_row(Ty::I32, at, (from + ROW) as i32);
                self.b.join_words(w, high)
            } else {
                self.b.word_to(w, var.ty())
            };
            let v = if full {
                v
            } else {
                let old = self.b.get(var);
                self.b.select(mask, v, old)
            };
            self.b.set(var, v);
        }
        Ok(())
    }
}
