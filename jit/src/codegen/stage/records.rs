//! Outputs in memory that the invocations of a patch or a workgroup share: records of vertices and primitives.
//!
//! Consecutive stores to one record are emitted together.

use std::collections::BTreeMap;

use smallvec::{SmallVec, smallvec};

use crate::Result;
use crate::abi::interface_words;
use crate::codegen::Gen;
use crate::ir::op::Effect;
use crate::ir::{BuiltIn, Imm, Inst, Interface, Op, Ty, Value};
use crate::lane::{ICmp, Lane, LaneBuilder};

/// Pending stores.
#[derive(Default)]
pub(super) struct Env {
    /// Words, and their byte offsets in the record.
    stores: Vec<(Lane, i32)>,
    /// Operation and index that the pending stores share.
    of: Option<(Op, Value)>,
}

/// Records of one kind.
#[derive(Clone, Copy)]
pub(super) struct Records {
    /// Address of the first.
    pub base: Lane,
    /// 32-bit words of each.
    pub words: u32,
    /// Number of records, at least one.
    pub count: u32,
}

impl<'s> Gen<'_, '_, 's> {
    /// The interface that an output operation refers to.
    fn output_list(&self, op: Op) -> &'s [Interface] {
        let shader = self.shader;
        match op {
            Op::StorePrimitiveOutput | Op::LoadPrimitiveOutput => &shader.primitive_outputs,
            _ => &shader.outputs,
        }
    }

    /// Splits a value into words of a record, from word `at` of its list on.
    pub(super) fn record_words(&mut self, v: Lane, at: u32) -> SmallVec<[(Lane, i32); 2]> {
        let at = 4 * at as i32;
        if crate::lane::is_wide(self.b.ty(v)) {
            let v = self.b.bitcast(v, Ty::I64);
            return smallvec![(self.b.low_word(v), at), (self.b.high_word(v), at + 4)];
        }
        smallvec![(self.b.to_word(v), at)]
    }

    /// Assembles a value from words of memory: `load` returns the word at an offset.
    pub(super) fn from_record(
        &mut self,
        ty: Ty,
        at: u32,
        mut load: impl FnMut(&mut Self, i32) -> Lane,
    ) -> Lane {
        let at = 4 * at as i32;
        let lo = load(self, at);
        if crate::lane::is_wide(ty) {
            let hi = load(self, at + 4);
            let v = self.b.join_words(lo, hi);
            return self.b.bitcast(v, ty);
        }
        self.b.word_to(lo, ty)
    }

    /// Stores to an output in a record, or loads one.
    pub(super) fn record_output(&mut self, i: &Inst, k: u32) -> Result<()> {
        let list = self.output_list(i.op);
        let word = interface_words(&list[..k as usize]);
        if matches!(i.op, Op::StoreOutput | Op::StorePrimitiveOutput) {
            let v = self.val(i.args[1])?;
            let words = self.record_words(v, word);
            self.env.records.of = Some((i.op, i.args[0]));
            self.env.records.stores.extend(words);
            return Ok(());
        }
        let index = self.val(i.args[0])?;
        let Records { base, words, count } = self.records(i.op);
        let [n, last, stride] = [count, count - 1, 4 * words].map(|n| self.b.u32(n));
        let inside = self.b.icmp(ICmp::Ult, index, n);
        let index = self.b.umin(index, last);
        let offset = self.b.imul(index, stride);
        let v = self.from_record(list[k as usize].ty, word, |g, at| {
            let at = g.b.offset(base, i64::from(at));
            let v = g.b.gather(Ty::I32, at, offset);
            let zero = g.b.u32(0);
            g.b.select(inside, v, zero)
        });
        self.def(i.results[0], v);
        Ok(())
    }

    /// Emits the pending stores to a record, unless `next` is a store to the same record or has no side effects.
    pub(in crate::codegen) fn store_record(&mut self, next: Option<&Inst>) -> Result<()> {
        let Some((op, index)) = self.env.records.of else { return Ok(()) };
        match next {
            Some(i) if i.op == op && i.args[0] == index => return Ok(()),
            Some(i) if i.op.effect() == Effect::Pure => return Ok(()),
            _ => {}
        }
        self.env.records.of = None;
        let stores = std::mem::take(&mut self.env.records.stores);
        let Records { base, words, count } = self.records(op);
        let mut mask = self.store_mask();
        let at = self.val(index)?;
        if !self.is_inside(index, count) {
            let n = self.b.u32(count);
            let inside = self.b.icmp(ICmp::Ult, at, n);
            mask = self.b.and(mask, inside);
        }
        let stride = self.b.u32(4 * words);
        let offset = self.b.imul(at, stride);
        if self.b.is_uniform(offset) && stores.iter().all(|s| self.b.is_uniform(s.0)) {
            let any = self.b.any(mask);
            let store = |b: &mut LaneBuilder<'_>| {
                let record = b.index(base, offset, 1);
                stores.iter().for_each(|&(v, at)| b.store(v, record, at));
            };
            self.b.if_else(any, store, |_| {});
            return Ok(());
        }
        self.store_rows(&stores, Records { base, words, count }, offset, mask);
        Ok(())
    }

    /// Stores to the record of each lane of `mask`; the records exist. Uses vector stores if no lane is inactive and
    /// the lanes' records follow one another at a constant distance, which is the usual case.
    fn store_rows(&mut self, stores: &[(Lane, i32)], records: Records, offset: Lane, mask: Lane) {
        let base = records.base;
        let near = |distance: i32| distance >= 4 * records.words as i32 && distance < 1 << 16;
        let Some((first, distance)) = self.b.as_wide_affine(offset).filter(|r| near(r.1)) else {
            return self.b.scatter(stores, base, offset, mask);
        };
        let full = self.b.all(mask);
        self.fast_if(
            &[full],
            |g| {
                // The last store to a word wins.
                let words: BTreeMap<i32, Lane> = stores.iter().map(|&(v, at)| (at, v)).collect();
                let words: Vec<(i32, Lane)> = words.into_iter().collect();
                let record = g.b.iadd(base, first);
                for run in words.chunk_by(|a, b| a.0 + 4 == b.0) {
                    let at = g.b.offset(record, i64::from(run[0].0));
                    let values: SmallVec<[Lane; 8]> = run.iter().map(|w| w.1).collect();
                    g.b.store_records(&values, at, distance as u32);
                }
            },
            |g| g.b.scatter(stores, base, offset, mask),
        );
    }

    /// Returns true if a value is the number of the invocation and each invocation has a record.
    fn is_inside(&self, v: Value, count: u32) -> bool {
        let known = |b: BuiltIn| Imm::BuiltIn(b, 0);
        let number = [known(BuiltIn::InvocationId), known(BuiltIn::LocalInvocationIndex)];
        super::invocations(self.shader) <= count
            && self.ranges.def(v).is_some_and(|i| i.op == Op::BuiltIn && number.contains(&i.imm))
    }
}
