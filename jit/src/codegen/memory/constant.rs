//! Tables of constants, which exist once in memory for all invocations.

use crate::codegen::Gen;
use crate::ir::{Imm, Inst, Table, Ty};
use crate::lane::{ICmp, is_wide};
use crate::{Error, Result};

/// A table in the form that generated code reads; a 0 follows the last scalar.
pub(in crate::codegen) struct Constants {
    words: Vec<u32>,
    /// Words per scalar.
    stride: u32,
}

impl Constants {
    pub fn new(table: &Table) -> Constants {
        let stride = if table.elems.iter().any(|&t| is_wide(t)) { 2 } else { 1 };
        let scalars = table.bits.iter().copied().chain([0]);
        let words = scalars.flat_map(|bits| [bits as u32, (bits >> 32) as u32].into_iter().take(stride));
        Constants { words: words.collect(), stride: stride as u32 }
    }
}

impl Gen<'_, '_, '_> {
    pub(in crate::codegen) fn load_constant(&mut self, i: &Inst) -> Result<()> {
        let Imm::Table { table, elem } = i.imm else {
            return Err(Error::Internal(format!("malformed {}", i.op.name())));
        };
        let index = self.val(i.args[0])?;
        let Constants { words, stride } = &self.tables.constants[table as usize];
        // An out-of-range index reads the 0 at the end.
        let n = words.len() as u32 / stride - 1;
        let past = self.b.u32(n - elem);
        let at = self.b.umin(index, past);
        let (elem, bytes) = (self.b.u32(elem), self.b.u32(4 * stride));
        let at = self.b.iadd(at, elem);
        let offset = self.b.imul(at, bytes);
        let base = self.b.ptr(words.as_ptr());
        let ty = self.shader.ty(i.results[0]);
        let held = if ty == Ty::Bool { Ty::I32 } else { ty };
        let mut v = self.b.gather(held, base, offset);
        if ty == Ty::Bool {
            let zero = self.b.u32(0);
            v = self.b.icmp(ICmp::Ne, v, zero);
        }
        self.def(i.results[0], v);
        Ok(())
    }
}
