//! Prefetches of buffers: a load in a loop, whose lanes read consecutive memory, also requests memory further ahead.
//!
//! Processors foresee a row that is read from its start to its end, but not the start of the next one. Rows of matrices are
//! short, and workgroups that run one after the other read one after the other, so that what lies ahead of a row is needed
//! next. A prefetch changes nothing but time: it reaches no register and never faults, so its address is not checked.
//!
//! A loop that waits at barriers mostly copies a piece of many rows to workgroup memory in each iteration, as products of
//! matrices do. Its next iteration reads what follows in each row, so it requests the next line instead, also for lanes that
//! read apart.

use super::Shape;
use crate::Result;
use crate::codegen::{Buffer, Gen};
use crate::ir::{Imm, Op, Value};
use crate::lane::Lane;

/// Distance ahead of the load, in bytes: the memory that a core reads while a line arrives.
const AHEAD: u64 = 3072;
/// Size of a cache line.
const LINE: u64 = 64;
/// Most cache lines of a prefetch. Loads of more are spread so far that processors see no rows either.
const MOST_LINES: u64 = 4;
/// Of lanes that read apart, one in so many requests its next line: neighbours mostly read the same row.
const NEIGHBOURS: usize = 4;

impl Gen<'_, '_, '_> {
    /// Emits the prefetch for a load from a buffer at offset `v`, if its offsets advance by a constant.
    pub(in crate::codegen) fn prefetch(&mut self, b: Buffer, v: Value, shape: Shape) -> Result<()> {
        let offset = self.val(v)?;
        if self.flow.loops > 0
            && self.b.is_uniform(b.base)
            && let Some((first, stride)) = self.b.as_checked_affine(offset)
            && self.is_new_line(b, v)
        {
            let at = self.b.iadd(b.base, first);
            self.prefetch_bytes(at, shape, u64::from(stride.unsigned_abs()) * u64::from(self.b.lanes()));
        }
        Ok(())
    }

    /// Returns false if a load that a constant of less than a cache line lies before or behind this one has its prefetch.
    fn is_new_line(&mut self, b: Buffer, v: Value) -> bool {
        let Some(of) = self.ranges.def(v).filter(|i| i.op == Op::Offset) else { return true };
        let Imm::Strides(strides) = &of.imm else { return true };
        let start = |index: Value, stride: u32| {
            let sum = self.ranges.def(index).filter(|i| i.op == Op::IAdd)?;
            let bytes = self.ranges.bits(sum.args[1])?.checked_mul(stride.into())?;
            (bytes < LINE).then_some(sum.args[0])
        };
        let starts =
            of.args.iter().zip(strides).map(|(&index, &stride)| start(index, stride).unwrap_or(index));
        let line = (b.base, starts.collect());
        self.flow.requested.insert(line)
    }

    /// Emits the prefetch for lanes that read some bytes from an address on, if that is in a loop.
    pub(super) fn prefetch_bytes(&mut self, at: Lane, shape: Shape, bytes: u64) {
        let lines = bytes.div_ceil(LINE);
        if self.flow.loops > 0 && lines <= MOST_LINES {
            let ahead = if self.flow.phased { LINE } else { AHEAD };
            for line in 0..lines {
                self.b.prefetch(at, (ahead + LINE * line + shape.start(0)) as i64);
            }
        }
    }

    /// Emits the prefetch for lanes that read apart, if that is in a loop that waits at barriers.
    pub(super) fn prefetch_apart(&mut self, b: Buffer, offset: Lane, shape: Shape) {
        let apart = !self.b.is_uniform(offset) && self.b.as_checked_affine(offset).is_none();
        if !self.flow.phased || !apart || !self.b.is_uniform(b.base) || !self.b.is_wide_code() {
            return;
        }
        for lane in (0..self.b.lanes()).step_by(NEIGHBOURS) {
            let offset = self.b.extract(offset, lane);
            let offset = self.b.wide_offset(offset);
            let at = self.b.iadd(b.base, offset);
            self.b.prefetch(at, (LINE + shape.start(0)) as i64);
        }
    }
}
