//! Patches of tessellation control: its invocations write the records of the patch's vertices and the patch.

use std::mem::offset_of;

use smallvec::{SmallVec, smallvec};

use crate::abi::{self, Ctx};
use crate::codegen::{Gen, Level};
use crate::ir::op::Effect;
use crate::ir::{BuiltIn, Imm, Inst, Interface, Op, Ty, Value};
use crate::lane::{ICmp, Lane};
use crate::{Error, Result};

/// Values of control shaders.
pub(super) struct Env {
    /// Number of the patch.
    patch: Lane,
    /// Its record: words of the patch, then records of its vertices.
    record: Lane,
    /// Stores to a vertex that stand one after the other, made together: words and where they are in its record.
    stores: Vec<(Lane, i32)>,
    /// The vertex that they are of.
    vertex: Option<Value>,
}

impl Env {
    pub fn new(zero: Lane) -> Env {
        Env { patch: zero, record: zero, stores: Vec::new(), vertex: None }
    }
}

impl Gen<'_, '_, '_> {
    /// Words of the patch, and of one vertex.
    fn patch_words(&self) -> (u32, u32) {
        (abi::interface_words(&self.shader.patch_outputs), abi::interface_words(&self.shader.outputs))
    }

    pub(super) fn control(&mut self) -> Result<()> {
        let (s, n) = (self.b.lanes(), self.shader.output_vertices());
        if n == 0 {
            return Err(Error::invalid(format!("'{}': no module states OutputVertices", self.shader.name)));
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

    /// Address of a word (I64), from `base` on.
    fn word_of(&mut self, base: Lane, word: Lane) -> Lane {
        let four = self.b.i64(4);
        let bytes = self.b.imul(word, four);
        self.b.iadd(base, bytes)
    }

    /// A value as words of a record, from word `at` of its list on.
    fn record_words(&mut self, v: Lane, at: u32) -> SmallVec<[(Lane, i32); 2]> {
        let at = 4 * at as i32;
        if crate::lane::is_wide(self.b.ty(v)) {
            let v = self.b.bitcast(v, Ty::I64);
            return smallvec![(self.b.low_word(v), at), (self.b.high_word(v), at + 4)];
        }
        smallvec![(self.b.to_word(v), at)]
    }

    /// A value from words of memory: `load` gives the one at an offset.
    fn from_record(&mut self, ty: Ty, at: u32, mut load: impl FnMut(&mut Self, i32) -> Lane) -> Lane {
        let at = 4 * at as i32;
        let lo = load(self, at);
        if crate::lane::is_wide(ty) {
            let hi = load(self, at + 4);
            let v = self.b.join_words(lo, hi);
            return self.b.bitcast(v, ty);
        }
        self.b.word_to(lo, ty)
    }

    /// Where the records of the patch's vertices begin, and the bytes of each.
    fn vertex_records(&mut self) -> (Lane, Lane) {
        let (patch_words, vertex_words) = self.patch_words();
        let base = self.b.offset(self.env.control.record, 4 * i64::from(patch_words));
        (base, self.b.u32(4 * vertex_words))
    }

    /// Stores to an output of a vertex, or reads one.
    pub(super) fn vertex_output(&mut self, i: &Inst, k: u32) -> Result<()> {
        let word = Self::word(&self.shader.outputs, k);
        if i.op == Op::StoreOutput {
            let v = self.val(i.args[1])?;
            let words = self.record_words(v, word);
            self.env.control.vertex = Some(i.args[0]);
            self.env.control.stores.extend(words);
            return Ok(());
        }
        let index = self.val(i.args[0])?;
        let (base, stride) = self.vertex_records();
        let n = self.b.u32(self.shader.output_vertices());
        let inside = self.b.icmp(ICmp::Ult, index, n);
        let last = self.b.u32(self.shader.output_vertices() - 1);
        let index = self.b.umin(index, last);
        let offset = self.b.imul(index, stride);
        let ty = self.shader.outputs[k as usize].ty;
        let v = self.from_record(ty, word, |g, at| {
            let at = g.b.offset(base, i64::from(at));
            let v = g.b.gather(Ty::I32, at, offset);
            let zero = g.b.u32(0);
            g.b.select(inside, v, zero)
        });
        self.def(i.results[0], v);
        Ok(())
    }

    /// Makes the stores to a vertex that wait, unless `next` is one more or does not care.
    pub(in crate::codegen) fn store_vertex(&mut self, next: Option<&Inst>) -> Result<()> {
        let Some(vertex) = self.env.control.vertex else { return Ok(()) };
        match next {
            Some(i) if i.op == Op::StoreOutput && i.args[0] == vertex => return Ok(()),
            Some(i) if i.op.effect() == Effect::Pure => return Ok(()),
            _ => {}
        }
        self.env.control.vertex = None;
        let stores = std::mem::take(&mut self.env.control.stores);
        let index = self.val(vertex)?;
        let (base, stride) = self.vertex_records();
        let mut mask = self.store_mask();
        if !self.is_invocation(vertex) {
            let n = self.b.u32(self.shader.output_vertices());
            let inside = self.b.icmp(ICmp::Ult, index, n);
            mask = self.b.and(mask, inside);
        }
        let offset = self.b.imul(index, stride);
        self.b.scatter(&stores, base, offset, mask);
        Ok(())
    }

    /// Whether a value is the number of the invocation, which is that of a vertex wherever it is active.
    fn is_invocation(&self, v: Value) -> bool {
        let invocation = Imm::BuiltIn(BuiltIn::InvocationId, 0);
        self.ranges.def(v).is_some_and(|i| i.op == Op::BuiltIn && i.imm == invocation)
    }

    /// Stores to an output of the patch, or reads one.
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
            // Lanes ascend: the last one holds.
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
