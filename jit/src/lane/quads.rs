//! Gathers of four consecutive words per lane: a vector load for each lane, and transposes. Gathers of single scalars and
//! of pairs are in `mem`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use quadrille_wide::intrinsics::Intrinsic;

use super::{Lane, LaneBuilder, Parts};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    /// Gathers four consecutive 32-bit scalars per lane, and returns a row for each. Every address must be readable for
    /// 16 bytes.
    pub fn gather_quads(&mut self, base: Lane, offset: Lane) -> [Lane; 4] {
        let (b, quads) = (self.scalar(base), self.quads(offset));
        self.gather_quads_from(b, &quads, None)
    }

    /// As [`Self::gather_quads`], where the lanes go on behind these words, and others then do so behind all lanes:
    /// brings the lines near that are needed soon, if the host has an instruction for this.
    pub(crate) fn gather_runs(&mut self, base: Lane, offset: Lane) -> [Lane; 4] {
        let (b, quads) = (self.scalar(base), self.quads(offset));
        let next = self.is_wide_code().then(|| self.next_base(b, &quads));
        self.gather_quads_from(b, &quads, next)
    }

    fn gather_quads_from(&mut self, b: Value, quads: &[Value], next: Option<Value>) -> [Lane; 4] {
        let flags = Self::access_flags(self.gather_access);
        let mut rows: [super::Vecs; 4] = Default::default();
        for offsets in quads.chunks(self.per_vec(Ty::I32) as usize / 4) {
            let words = self.transpose_each(offsets, |s, &four| {
                s.quad_offsets(four).map(|o| {
                    if let Some(next) = next {
                        let at = s.fb.ins().iadd(next, o);
                        s.intrinsic_call(Intrinsic::Prefetch, &[at], types::INVALID);
                    }
                    let at = s.fb.ins().iadd(b, o);
                    s.fb.ins().load(types::I32X4, flags, at, 0)
                })
            });
            rows.iter_mut().zip(words).for_each(|(row, v)| row.push(v));
        }
        rows.map(|v| self.push(Ty::I32, Parts::Varying(v)))
    }

    /// The base from which the offsets of lanes lead to lines that are needed soon: those of the next lanes if the words
    /// of all lanes are close together, otherwise the next line of each lane.
    fn next_base(&mut self, base: Value, quads: &[Value]) -> Value {
        const CLOSE: i64 = 8192;
        const LINE: i64 = 64;
        let first = self.fb.ins().extractlane(quads[0], 0);
        let last = self.fb.ins().extractlane(quads[quads.len() - 1], 3);
        let apart = self.fb.ins().isub(last, first);
        let close = self.fb.ins().icmp_imm_u(IntCC::UnsignedLessThan, apart, CLOSE);
        let line = self.fb.ins().iconst(types::I32, LINE);
        let step = self.fb.ins().select(close, apart, line);
        let step = self.fb.ins().uextend(types::I64, step);
        self.fb.ins().iadd(base, step)
    }
}
