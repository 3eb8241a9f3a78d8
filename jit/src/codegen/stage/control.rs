//! Patches of tessellation control: its invocations write the records of the patch and of the patch's vertices.

use std::mem::offset_of;

use super::records::Records;
use crate::abi::{self, Ctx};
use crate::codegen::{Gen, Level};
use crate::ir::{BuiltIn, Inst, Interface, Op, Ty};
use crate::lane::Lane;
use crate::{Error, Result};

/// Values of tessellation control shaders.
pub(super) struct Env {
    /// Number of the patch.
    patch: Lane,
    /// Record of the patch: the words of the patch, then the records of its vertices.
    record: Lane,
}

impl Env {
    pub fn new(zero: Lane) -> Env {
        Env { patch: zero, record: zero }
    }
}

impl Gen<'_, '_, '_> {
    /// Numbers of words of the patch, and of one vertex.
    fn patch_words(&self) -> (u32, u32) {
        (abi::interface_words(&self.shader.patch_outputs), abi::interface_words(&self.shader.outputs))
    }

    pub(super) fn control(&mut self) -> Result<()> {
        let (s, n) = (self.b.lanes(), self.shader.output_vertices());
        if n == 0 {
            return Err(Error::invalid(format!("'{}': no module declares OutputVertices", self.shader.name)));
        }
        let n_groups = n.div_ceil(s);
        self.flow.full = n.is_multiple_of(s);
        self.emit_level(Level::Call)?;
        let records = self.load_ctx(Ty::I64, offset_of!(Ctx, patch_records));
        let stride = self.load_ctx(Ty::I32, offset_of!(Ctx, patch_stride));
        let list = self.env.vertices.list;
        let (first, end) = (self.env.first, self.env.end);
        let (var, head, done) = self.open_units(first, end);
        self.poll_stop();
        let patch = self.b.get(&var);
        let [wide, stride] = [patch, stride].map(|v| self.b.i32_to_i64(v, false));
        let words = self.b.imul(wide, stride);
        let record = self.word_of(records, words);
        let (patch_words, vertex_words) = self.patch_words();
        let bytes = 4 * (patch_words + n * vertex_words);
        if bytes > 0 {
            let f = self.b.ptr(crate::runtime::zero_bytes as *const u8);
            let bytes = self.b.i64(i64::from(bytes));
            self.b.call_values(f, &[record, bytes], None);
        }
        let count = self.b.i32_to_i64(self.env.vertices.count, false);
        let at = self.b.imul(wide, count);
        self.env.vertices.list = self.word_of(list, at);
        (self.env.control.patch, self.env.control.record) = (patch, record);
        self.emit_level(Level::Workgroup)?;
        if self.shader.has_barrier {
            self.groups_with_barriers(n_groups)?;
        } else {
            self.scratch += self.frame_bytes as usize;
            self.groups(n_groups)?;
        }
        self.close_units(&var, head, 1);
        self.finish_function(done);
        Ok(())
    }

    /// Address (I64) of a word, counted from `base`.
    fn word_of(&mut self, base: Lane, word: Lane) -> Lane {
        let four = self.b.i64(4);
        let bytes = self.b.imul(word, four);
        self.b.iadd(base, bytes)
    }

    /// Records of the patch's vertices.
    pub(super) fn control_outputs(&mut self) -> Records {
        let (patch_words, words) = self.patch_words();
        let base = self.b.offset(self.env.control.record, 4 * i64::from(patch_words));
        Records { base, words, count: self.shader.output_vertices() }
    }

    /// Stores to an output of the patch, or loads one.
    pub(super) fn patch_output(&mut self, i: &Inst, k: u32) -> Result<()> {
        let list: &[Interface] = &self.shader.patch_outputs;
        let (word, ty) = (Self::word(list, k), list[k as usize].ty);
        let record = self.env.control.record;
        if i.op == Op::LoadPatchOutput {
            let v = self.from_record(ty, word, |g, at| g.b.load(Ty::I32, record, at));
            self.def(i.results[0], v);
            return Ok(());
        }
        let v = self.val(i.args[0])?;
        let mask = self.store_mask();
        let values = self.record_words(v, word);
        if self.b.is_uniform(v) {
            let any = self.b.any(mask);
            let store = |b: &mut crate::lane::LaneBuilder<'_>| {
                values.iter().for_each(|&(v, at)| b.store(v, record, at));
            };
            self.b.if_else(any, store, |_| {});
        } else {
            // Lanes store in ascending order, so the last one wins.
            let zero = self.b.u32(0);
            self.b.scatter(&values, record, zero, mask);
        }
        Ok(())
    }

    pub(super) fn control_builtin(&mut self, b: BuiltIn) -> Result<Lane> {
        Ok(match b {
            BuiltIn::InvocationId => {
                let s = self.b.u32(self.b.lanes());
                let base = self.b.imul(self.env.unit, s);
                self.b.lanes_from(base)
            }
            BuiltIn::PatchVertices => self.env.vertices.count,
            BuiltIn::PrimitiveId => {
                let ids = self.load_ctx(Ty::I64, offset_of!(Ctx, primitive_ids));
                let at = self.b.index(ids, self.env.control.patch, 4);
                self.b.load(Ty::I32, at, 0)
            }
            other => return self.no_builtin(other),
        })
    }
}
