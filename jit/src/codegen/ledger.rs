//! Records each omitted check as a claim. Code that is compiled to verify claims tests each one where the compiler
//! would rely on it, in all lanes: inactive lanes, too, compute addresses and load from them.
//!
//! Such code never relies on a claim: its accesses keep their checks.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::memory::Shape;
use super::{Buffer, Gen};
use crate::Result;
use crate::claims::{Claim, Claims, Fact, Test, Verdict};
use crate::ir::{Inst, Shader, Ty, Value};
use crate::lane::{ICmp, Lane};

/// The claims recorded so far.
pub(super) struct Ledger {
    list: Vec<Claim>,
    seen: FxHashMap<Claim, u32>,
    tests: Vec<Test>,
    /// Accesses whose check would be omitted.
    dropped: FxHashSet<u32>,
    /// Number of each instruction.
    numbers: FxHashMap<*const Inst, u32>,
    verdict: Arc<Verdict>,
}

impl Ledger {
    pub fn new(shader: &Shader) -> Ledger {
        let mut numbers = FxHashMap::default();
        crate::ir::each_inst(&shader.body, &mut |i| {
            numbers.insert(std::ptr::from_ref(i), numbers.len() as u32);
        });
        Ledger {
            list: Vec::new(),
            seen: FxHashMap::default(),
            tests: Vec::new(),
            dropped: FxHashSet::default(),
            numbers,
            verdict: Arc::default(),
        }
    }

    /// Returns the claims recorded about `shader`.
    pub fn close(self, shader: Arc<Shader>, lanes: u32) -> Claims {
        let Ledger { list, tests, dropped, verdict, .. } = self;
        Claims { shader, lanes, list, tests, dropped: dropped.len(), verdict }
    }
}

#[cfg(test)]
thread_local! {
    /// Test hook: halves bounds and steps, so that tests see that false claims are found.
    pub(super) static LIES: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// A bound or a step, as the compiler relies on it; see `LIES`.
pub(super) fn relied_on(x: u64) -> u64 {
    #[cfg(test)]
    if LIES.get() {
        return x / 2;
    }
    x
}

impl Gen<'_, '_, '_> {
    /// Returns true if claims are recorded and verified.
    pub(super) fn verifies(&self) -> bool {
        self.ledger.is_some()
    }

    /// Records a test that runs once per workgroup, before the claims that depend on it.
    pub(super) fn note_test(&mut self, test: Test) {
        if let Some(ledger) = &mut self.ledger {
            ledger.tests.push(test);
        }
    }

    /// Claims that `fact` holds whenever `i` runs; `holds` is its truth in each lane. `drops`: an access omits its
    /// check because of this claim.
    pub(super) fn claim(&mut self, i: &Inst, fact: Fact, holds: Lane, drops: bool) {
        let tested = self.proven.on;
        let Some(ledger) = &mut self.ledger else { return };
        let Some(&at) = ledger.numbers.get(&std::ptr::from_ref(i)) else { return };
        let claim = Claim { at, fact, tested };
        let next = ledger.list.len() as u32;
        let k = *ledger.seen.entry(claim).or_insert(next);
        if k == next {
            ledger.list.push(claim);
        }
        if drops {
            ledger.dropped.insert(at);
        }
        let place = ledger.verdict.place();
        let all = self.b.all(holds);
        let broken = self.b.not(all);
        let (place, mark) = (self.b.ptr(place), self.b.u32(k + 1));
        self.b.if_(broken, |l| l.store(mark, place, 0));
    }

    /// Claims that the known bound of a value holds.
    pub(super) fn claim_bound(&mut self, i: &Inst, v: Value, drops: bool) -> Result<()> {
        let most = self.ranges.upper(v);
        let value = self.val(v)?;
        if !self.verifies() || most >= u64::from(u32::MAX) || self.b.as_const(value).is_some() {
            return Ok(());
        }
        let limit = match self.shader.ty(v) {
            Ty::I64 => self.b.i64(most as i64),
            _ => self.b.u32(most as u32),
        };
        let holds = self.b.icmp(ICmp::Ule, value, limit);
        self.claim(i, Fact::AtMost(v, most as u32), holds, drops);
        Ok(())
    }

    /// Claims that offsets are multiples of 4, except u32::MAX, which is out of range of everything.
    pub(super) fn claim_alignment(&mut self, i: &Inst, v: Value) -> Result<()> {
        let value = self.val(v)?;
        if !self.verifies() || self.b.as_const(value).is_some() {
            return Ok(());
        }
        let (low, zero, last) = (self.b.u32(3), self.b.u32(0), self.b.u32(u32::MAX));
        let low = self.b.and(value, low);
        let even = self.b.icmp(ICmp::Eq, low, zero);
        let far = self.b.icmp(ICmp::Eq, value, last);
        let holds = self.b.or(even, far);
        self.claim(i, Fact::Aligned(v), holds, false);
        Ok(())
    }

    /// Claims that an access by `i` to buffer `buffer` is in range.
    pub(super) fn claim_range(&mut self, i: &Inst, b: Buffer, offset: Lane, shape: Shape) {
        let bytes = shape.end(shape.n - 1);
        let need = self.b.i64(bytes as i64);
        let some = self.b.icmp(ICmp::Uge, b.size, need);
        let room = self.b.isub(b.size, need);
        let most = self.b.i64(i64::from(u32::MAX));
        let room = self.b.umin(room, most);
        let room = self.b.i64_to_i32(room);
        let within = self.b.icmp(ICmp::Ule, offset, room);
        let within = self.b.all(within);
        let holds = self.b.and(some, within);
        self.claim(i, Fact::InRange { buffer: i.args[0], offset: i.args[1], bytes }, holds, true);
    }

    /// Claims that the result of `i` is the one proved for the whole workgroup.
    pub(super) fn claim_result(&mut self, i: &Inst, known: Lane, same: Option<Value>) -> Result<()> {
        if !self.verifies() {
            return Ok(());
        }
        let r = i.results[0];
        let ty = self.shader.ty(r);
        let args = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
        let real = crate::ops::lower(self.b, i.op, ty, &args);
        match (same, self.b.as_const(known)) {
            (Some(same), _) => {
                let holds = self.b.icmp(ICmp::Eq, real, known);
                self.claim(i, Fact::Same(r, same), holds, false);
            }
            (None, Some(truth)) if ty == Ty::Bool => {
                let holds = if truth == 1 { real } else { self.b.not(real) };
                self.claim(i, Fact::Is(r, truth == 1), holds, false);
            }
            _ => {}
        }
        Ok(())
    }
}
