//! Prefetches of buffers: a load in a loop, whose lanes read consecutive memory, also requests memory further ahead.
//!
//! Processors foresee a row that is read from its start to its end, but not the start of the next one. Rows of matrices are
//! short, and workgroups that run one after the other read one after the other, so that what lies ahead of a row is needed
//! next. A prefetch changes nothing but time: it reaches no register and never faults, so its address is not checked.

use super::Shape;
use crate::Result;
use crate::codegen::{Buffer, Gen};
use crate::ir::Value;
use crate::lane::Lane;

/// Distance ahead of the load, in bytes: the memory that a core reads while a line arrives.
const AHEAD: u64 = 3072;
/// Size of a cache line.
const LINE: u64 = 64;
/// Most cache lines of a prefetch. Loads of more are spread so far that processors see no rows either.
const MOST_LINES: u64 = 4;

impl Gen<'_, '_, '_> {
    /// Emits the prefetch for a load from a buffer at offset `v`, if its offsets advance by a constant.
    pub(in crate::codegen) fn prefetch(&mut self, b: Buffer, v: Value, shape: Shape) -> Result<()> {
        let offset = self.val(v)?;
        if self.b.is_uniform(b.base)
            && let Some((first, stride)) = self.b.as_checked_affine(offset)
        {
            let at = self.b.iadd(b.base, first);
            self.prefetch_bytes(at, shape, u64::from(stride.unsigned_abs()) * u64::from(self.b.lanes()));
        }
        Ok(())
    }

    /// Emits the prefetch for lanes that read some bytes from an address on, if that is in a loop.
    pub(super) fn prefetch_bytes(&mut self, at: Lane, shape: Shape, bytes: u64) {
        let lines = bytes.div_ceil(LINE);
        if self.flow.loops > 0 && lines <= MOST_LINES {
            for line in 0..lines {
                self.b.prefetch(at, (AHEAD + LINE * line + shape.start(0)) as i64);
            }
        }
    }
}
