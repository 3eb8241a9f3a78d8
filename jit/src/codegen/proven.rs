//! What holds for all invocations of a workgroup at once.
//!
//! Indices that advance by a constant from invocation to invocation are followed back to what they are in
//! the workgroup's first one. Whether every access by them is in range, and what comparisons with them
//! give, is then found out once per workgroup, or for a run of workgroups side by side (`stage::runs`). Where all of
//! it holds the groups run code without those tests; elsewhere (at the edges of buffers and of the dispatch) the code
//! that has them.
//!
//! Only shaders without loops and barriers are worth the second copy of their code, and only in the
//! optimized tier.

use rustc_hash::{FxHashMap, FxHashSet};

use super::memory::Shape;
use super::{Buffer, Gen, Handle, Level};
use crate::Tier;
use crate::claims::{self, Test};
use crate::ir::each_inst;
use crate::ir::{BuiltIn, Imm, Inst, Node, Op, Region, Ty, Value};
use crate::lane::{ICmp, Lane};

/// Instructions of the largest shader that is emitted twice.
const MOST_INSTS: usize = 300;
/// Of the largest whose groups are written out one after the other.
const TINY: usize = 32;
/// Greatest step from one invocation to the next, and greatest stride of an index.
const MOST_STEP: u32 = 1 << 16;
/// Invocations of the largest workgroup: what is computed in 64 bits stays far below 2^63.
const MOST_INVOCATIONS: u32 = 1 << 16;
/// Invocations of the longest run of workgroups, likewise; nobody looks at the stop flag meanwhile.
pub(super) const MOST_IN_RUN: u32 = 1 << 18;

/// A value that is `base + step * i` (wrapping) in invocation i of the workgroup.
#[derive(Clone, Copy)]
struct Line {
    /// I32, uniform in the workgroup.
    base: Lane,
    step: u32,
}

/// What code may rely on once it was tested.
#[derive(Default)]
pub(super) struct Proven {
    /// The code that relies on it is being emitted.
    pub on: bool,
    /// Accesses that are in range in every lane.
    accesses: FxHashSet<*const Inst>,
    /// Comparisons that give the same in every lane.
    truths: FxHashMap<Value, bool>,
    /// Minima and maxima that are always the same one of their arguments.
    same: FxHashMap<Value, Value>,
    lines: FxHashMap<Value, Option<Line>>,
    /// Buffer, offset and length of what was tested.
    tested: FxHashSet<(Value, Value, u64)>,
    /// All conditions so far.
    all: Option<Lane>,
    /// Sizes of buffers, as far as 32 bits reach.
    sizes: FxHashMap<Value, Lane>,
    /// Number of the last invocation of a run of workgroups (I64), counted from the first one.
    pub last: Option<Lane>,
    insts: usize,
}

impl Proven {
    /// Whether the group's code is shorter than what a loop over groups costs.
    pub fn is_tiny(&self) -> bool {
        self.insts <= TINY
    }
}

/// Number of instructions; `None` if there are loops or barriers.
pub(super) fn straight(region: &Region) -> Option<usize> {
    region.nodes.iter().try_fold(0, |n, node| {
        Some(
            n + match node {
                Node::Inst(i) if i.op == Op::ControlBarrier => return None,
                Node::Inst(_) => 1,
                Node::If(n) => straight(&n.then)? + straight(&n.els)?,
                Node::Block(n) => straight(&n.body)?,
                Node::Loop(_) => return None,
            },
        )
    })
}

impl<'s> Gen<'_, '_, 's> {
    /// Whether the shader is of the kind that is worth it.
    pub(super) fn is_provable(&mut self) -> bool {
        let Some(n) = straight(&self.shader.body) else { return false };
        self.proven.insts = n;
        let [x, y, z] = self.shader.local_size;
        let row = x <= MOST_INVOCATIONS && y <= 1 && z <= 1;
        self.tier == Tier::Optimized && n <= MOST_INSTS && row && self.flow.full
    }

    /// What is the same for all workgroups.
    pub(super) fn prepare_proof(&mut self) {
        if !self.is_provable() {
            return;
        }
        let shader = self.shader;
        each_inst(&shader.body, &mut |i| {
            if let (Op::LoadBuffer | Op::StoreBuffer, Some(&Handle::Buffer(b))) =
                (i.op, i.args.first().and_then(|a| self.handles.get(a)))
                && self.levels[i.args[0].0 as usize] == Level::Call
                && !self.proven.sizes.contains_key(&i.args[0])
            {
                let size = self.reach(b.size);
                self.proven.sizes.insert(i.args[0], size);
            }
        });
    }

    /// A size, as far as 32 bits reach.
    fn reach(&mut self, size: Lane) -> Lane {
        let most = self.b.i64(i64::from(u32::MAX));
        self.b.umin(size, most)
    }

    /// Emits the tests of the workgroup at hand; `None` if there is nothing to gain.
    pub(super) fn prove(&mut self) -> Option<Lane> {
        if !self.is_provable() {
            return None;
        }
        let shader = self.shader;
        let mut insts: Vec<&'s Inst> = Vec::new();
        each_inst(&shader.body, &mut |i| insts.push(i));
        for i in insts {
            match i.op {
                Op::LoadBuffer | Op::StoreBuffer => self.prove_access(i),
                Op::ULt | Op::ULe | Op::SLt | Op::SLe => self.prove_comparison(i),
                _ => {}
            }
        }
        self.proven.all
    }

    /// Whether an access was tested for the whole workgroup, and need not be checked.
    pub(super) fn is_proven(&mut self, i: &Inst, b: Buffer, offset: Lane, shape: Shape) -> bool {
        let known = self.proven.on && self.proven.accesses.contains(&std::ptr::from_ref(i));
        if known && self.verifies() {
            self.claim_range(i, b, offset, shape);
        }
        known && !self.verifies()
    }

    /// Gives the result of an instruction that was found out for the whole workgroup.
    pub(super) fn from_proof(&mut self, i: &Inst) -> crate::Result<bool> {
        if !self.proven.on || i.results.len() != 1 {
            return Ok(false);
        }
        let r = i.results[0];
        let same = self.proven.same.get(&r).copied();
        let v = match (self.proven.truths.get(&r), same) {
            (Some(&truth), _) => self.b.bool(truth),
            (_, Some(same)) => self.val(same)?,
            _ => return Ok(false),
        };
        self.claim_result(i, v, same)?;
        self.def(r, v);
        Ok(true)
    }

    fn require(&mut self, c: Lane) {
        self.proven.all = Some(match self.proven.all {
            Some(all) => self.b.and(all, c),
            None => c,
        });
    }

    fn last_invocation(&self) -> u64 {
        u64::from(self.shader.local_size[0].max(1) - 1)
    }

    /// The value in the last invocation (I64), not wrapped: the greatest if it fits in 32 bits. If it does
    /// not, some invocation's value has wrapped, and nothing may be concluded: every test that uses it asks
    /// for less than 2^32 as well.
    fn greatest(&mut self, l: Line) -> Lane {
        let first = self.b.u32_to_i64(l.base);
        let rise = match self.proven.last {
            Some(last) => {
                let step = self.b.i64(i64::from(l.step));
                self.b.imul(last, step)
            }
            None => self.b.i64((u64::from(l.step) * self.last_invocation()) as i64),
        };
        self.b.iadd(first, rise)
    }

    /// A value known before the groups start.
    fn fixed(&mut self, v: Value) -> Option<Lane> {
        if self.levels[v.0 as usize] > Level::Workgroup || self.shader.ty(v) != Ty::I32 {
            return None;
        }
        let l = self.vals[v.0 as usize]?;
        self.b.is_uniform(l).then_some(l)
    }

    fn line(&mut self, v: Value, depth: u32) -> Option<Line> {
        if let Some(base) = self.fixed(v) {
            return Some(Line { base, step: 0 });
        }
        if let Some(&known) = self.proven.lines.get(&v) {
            return known;
        }
        let line = if depth == 0 { None } else { self.line_of(v, depth - 1) };
        let line = line.filter(|l| l.step <= MOST_STEP);
        self.proven.lines.insert(v, line);
        line
    }

    /// Sums, differences and products with the same number for all keep the form modulo 2^32, and so does a
    /// shift, which is a product; steps are added and multiplied without wrapping. A minimum or maximum has
    /// the form where it is always its first argument, which is required.
    fn line_of(&mut self, v: Value, depth: u32) -> Option<Line> {
        let i = self.ranges.def(v)?;
        if self.shader.ty(v) != Ty::I32 {
            return None;
        }
        let step = super::ledger::relied_on(1) as u32;
        match (i.op, &i.imm) {
            (Op::BuiltIn, Imm::BuiltIn(BuiltIn::GlobalInvocationId, 0)) => {
                let size = self.b.u32(self.shader.local_size[0]);
                let base = self.b.imul(self.env.compute.workgroup[0], size);
                Some(Line { base, step })
            }
            (
                Op::BuiltIn,
                Imm::BuiltIn(BuiltIn::LocalInvocationId, 0) | Imm::BuiltIn(BuiltIn::LocalInvocationIndex, _),
            ) => Some(Line { base: self.b.u32(0), step }),
            (Op::IAdd, _) => {
                let (x, y) = (self.line(i.args[0], depth)?, self.line(i.args[1], depth)?);
                Some(Line { base: self.b.iadd(x.base, y.base), step: x.step + y.step })
            }
            (Op::ISub, _) => {
                let (x, y) = (self.line(i.args[0], depth)?, self.fixed(i.args[1])?);
                Some(Line { base: self.b.isub(x.base, y), step: x.step })
            }
            (Op::IMul, _) => {
                let (a, b) = (i.args[0], i.args[1]);
                let (x, k) = match (self.fixed(a), self.fixed(b)) {
                    (_, Some(k)) => (a, k),
                    (Some(k), _) => (b, k),
                    _ => return None,
                };
                let factor = self.b.as_const(k)? as u32;
                let x = self.line(x, depth)?;
                Some(Line { base: self.b.imul(x.base, k), step: x.step.checked_mul(factor)? })
            }
            (Op::Shl, _) => {
                let n = self.fixed(i.args[1])?;
                let bits = self.b.as_const(n).filter(|&n| n <= 16)? as u32;
                let x = self.line(i.args[0], depth)?;
                Some(Line { base: self.b.shl(x.base, n), step: x.step.checked_mul(1 << bits)? })
            }
            (Op::UMax | Op::SMax | Op::UMin | Op::SMin, _) => {
                let (a, b) = (i.args[0], i.args[1]);
                let (x, k) = match (self.fixed(a), self.fixed(b)) {
                    (_, Some(k)) => (a, k),
                    (Some(k), _) => (b, k),
                    _ => return None,
                };
                let line = self.line(x, depth)?;
                self.bounded(i.op, line, k)?;
                let (line_of_x, other) =
                    (claims::Line { value: x, step: line.step }, if x == a { b } else { a });
                self.note_test(Test::Keeps { op: i.op, line: line_of_x, other });
                self.proven.same.insert(v, x);
                Some(line)
            }
            _ => None,
        }
    }

    /// Requires that a minimum or maximum of `line` and `k` is always `line`: that all of it is on the right
    /// side of `k`, where the line's numbers do not wrap and, if the order is signed, are not negative. The
    /// least that a signed minimum may be compared with is then a number of 31 bits.
    fn bounded(&mut self, op: Op, line: Line, k: Lane) -> Option<()> {
        let (low, high) = (self.b.u32_to_i64(line.base), self.greatest(line));
        let signed = matches!(op, Op::SMax | Op::SMin);
        let limit = self.b.i32_to_i64(k, signed);
        let c = if matches!(op, Op::UMin | Op::SMin) {
            self.b.icmp(ICmp::Sle, high, limit)
        } else {
            let most = self.b.i64(if signed { i64::from(i32::MAX) } else { i64::from(u32::MAX) });
            let fits = self.b.icmp(ICmp::Sle, high, most);
            let above = self.b.icmp(ICmp::Sge, low, limit);
            self.b.and(fits, above)
        };
        self.require(c);
        Some(())
    }

    /// `x < k`, `x <= k` hold everywhere, or `k <= x`, `k < x` nowhere.
    fn prove_comparison(&mut self, i: &Inst) {
        let (a, b) = (i.args[0], i.args[1]);
        let signed = matches!(i.op, Op::SLt | Op::SLe);
        let strict = matches!(i.op, Op::SLt | Op::ULt);
        let (value, line, k, truth) = match (self.fixed(a), self.fixed(b)) {
            (None, Some(k)) => (a, self.line(a, 8), k, true),
            (Some(k), None) => (b, self.line(b, 8), k, false),
            _ => return,
        };
        let Some(line) = line.filter(|l| l.step > 0) else { return };
        if let (None, Some(base), Some(k)) =
            (self.proven.last, self.b.as_const(line.base), self.b.as_const(k))
        {
            // Known now: if not everywhere, then in no workgroup.
            let high = base + u64::from(line.step) * self.last_invocation();
            if high > k {
                return;
            }
        }
        let high = self.greatest(line);
        let limit = self.b.i32_to_i64(k, signed);
        let cc = if strict == truth { ICmp::Slt } else { ICmp::Sle };
        let c = self.b.icmp(cc, high, limit);
        self.require(c);
        self.note_test(Test::Below {
            line: claims::Line { value, step: line.step },
            other: if truth { b } else { a },
            signed,
            strict: strict == truth,
        });
        self.proven.truths.insert(i.results[0], truth);
    }

    fn prove_access(&mut self, i: &'s Inst) {
        let (ty, n) = match i.op {
            Op::LoadBuffer => (self.shader.ty(i.results[0]), i.results.len()),
            _ => (self.shader.ty(i.args[2]), i.args.len() - 2),
        };
        let Imm::Mem(mem) = i.imm else { return };
        let shape = Shape { ty, n: n as u32, mem };
        if self.levels[i.args[0].0 as usize] > Level::Workgroup {
            return;
        }
        let Some(&Handle::Buffer(buffer)) = self.handles.get(&i.args[0]) else { return };
        let offset = i.args[1];
        let key = (i.args[0], offset, shape.end(shape.n - 1));
        if self.proven.tested.contains(&key) {
            self.proven.accesses.insert(std::ptr::from_ref(i));
            return;
        }
        let bytes = shape.end(shape.n - 1);
        let (end, terms) = match self.last_byte(offset, shape) {
            Some(end) => end,
            None => match self.ranges.upper(offset) {
                bound if i.op == Op::LoadBuffer && bound < u64::from(u32::MAX) => {
                    (self.b.i64((bound + bytes) as i64), Vec::new())
                }
                _ => return,
            },
        };
        let bytes = if terms.is_empty() { self.b.as_const(end).unwrap_or(bytes) } else { bytes };
        self.note_test(Test::Reaches { buffer: i.args[0], terms, bytes });
        // Nothing past 32 bits is reached, so that no index has wrapped.
        let size = match self.proven.sizes.get(&i.args[0]) {
            Some(&size) => size,
            None => self.reach(buffer.size),
        };
        let c = self.b.icmp(ICmp::Ule, end, size);
        self.require(c);
        self.proven.tested.insert(key);
        self.proven.accesses.insert(std::ptr::from_ref(i));
    }

    /// One past the last byte that the last invocation reaches (I64), and what it is the sum of.
    fn last_byte(&mut self, offset: Value, shape: Shape) -> Option<(Lane, Vec<(claims::Line, u32)>)> {
        let whole = [(offset, 1)];
        let terms: Vec<(Value, u32)> = match self.ranges.def(offset) {
            Some(Inst { op: Op::Offset, args, imm: Imm::Strides(strides), .. }) => {
                args.iter().copied().zip(strides.iter().copied()).collect()
            }
            _ => whole.to_vec(),
        };
        let mut sum = self.b.i64(shape.end(shape.n - 1) as i64);
        let mut lines = Vec::new();
        for (v, stride) in terms {
            if stride > MOST_STEP {
                return None;
            }
            let line = self.line(v, 8)?;
            lines.push((claims::Line { value: v, step: line.step }, stride));
            let most = self.greatest(line);
            let k = self.b.i64(i64::from(stride));
            let bytes = self.b.imul(most, k);
            sum = self.b.iadd(sum, bytes);
        }
        Some((sum, lines))
    }
}
