//! Facts that hold for all invocations of a workgroup at once.
//!
//! An index that advances by a constant from invocation to invocation is traced back to its value in the workgroup's
//! first invocation. Tests then run once per workgroup, or once per run of adjacent workgroups (`stage::runs`): are all
//! accesses with such indices in range, and what is the result of each comparison with them? Where all tests succeed,
//! the groups run code without those checks. Elsewhere, at the edges of buffers and of the dispatch, they run the code
//! with the checks.
//!
//! The second copy of the code pays off only in the optimized tier, for shaders without loops and barriers.

use rustc_hash::{FxHashMap, FxHashSet};

use super::memory::Shape;
use super::{Buffer, Gen, Handle, Level};
use crate::Tier;
use crate::claims::{self, Test};
use crate::ir::{BuiltIn, Imm, Inst, Node, Op, Region, Ty, Value};
use crate::lane::{ICmp, Lane};

/// Maximum size of a shader that is emitted twice, in instructions.
const MOST_INSTS: usize = 300;
/// Maximum size of a shader whose groups are unrolled, in instructions.
const TINY: usize = 32;
/// Maximum step from one invocation to the next, and maximum stride of an index.
const MOST_STEP: u32 = 1 << 16;
/// Maximum number of invocations in a workgroup: 64-bit sums then stay far below 2^63.
const MOST_INVOCATIONS: u32 = 1 << 16;
/// Maximum number of invocations in a run of workgroups, for the same reason; a run does not poll the stop flag.
pub(super) const MOST_IN_RUN: u32 = 1 << 18;

/// A value that is `base + step * i` (wrapping) in invocation i of the workgroup.
#[derive(Clone, Copy)]
struct Line {
    /// Value in invocation 0 (I32, uniform in the workgroup).
    base: Lane,
    step: u32,
}

/// Facts that code may rely on after the tests.
#[derive(Default)]
pub(super) struct Proven {
    /// True while the code that relies on the facts is emitted.
    pub on: bool,
    /// Accesses that are in range in every lane.
    accesses: FxHashSet<*const Inst>,
    /// Comparisons with the same result in every lane.
    truths: FxHashMap<Value, bool>,
    /// Minima and maxima that always equal the same argument.
    same: FxHashMap<Value, Value>,
    lines: FxHashMap<Value, Option<Line>>,
    /// Buffer, offset and length of each access that is tested already.
    tested: FxHashSet<(Value, Value, u64)>,
    /// Conjunction of all conditions so far.
    all: Option<Lane>,
    /// Sizes of buffers, clamped to 32 bits.
    sizes: FxHashMap<Value, Lane>,
    /// Number of the last invocation of a run of workgroups (I64), counted from the first one.
    pub last: Option<Lane>,
    insts: usize,
}

impl Proven {
    /// Returns true if the group's code is shorter than the overhead of a loop over groups.
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
    /// Returns true if a second copy of this shader's code is worth it.
    pub(super) fn is_provable(&mut self) -> bool {
        let Some(n) = straight(&self.shader.body) else { return false };
        self.proven.insts = n;
        let [x, y, z] = self.shader.local_size;
        let row = x <= MOST_INVOCATIONS && y <= 1 && z <= 1;
        self.tier == Tier::Optimized && n <= MOST_INSTS && row && self.flow.full
    }

    /// Computes the values that are the same for all workgroups.
    pub(super) fn prepare_proof(&mut self) {
        if !self.is_provable() {
            return;
        }
        for i in self.insts.iter() {
            if let (Op::LoadBuffer | Op::StoreBuffer, Some(&Handle::Buffer(b))) =
                (i.op, i.args.first().and_then(|a| self.handles.get(a)))
                && self.levels[i.args[0].0 as usize] == Level::Call
                && !self.proven.sizes.contains_key(&i.args[0])
            {
                let size = self.reach(b.size);
                self.proven.sizes.insert(i.args[0], size);
            }
        }
    }

    /// A size, clamped to 32 bits.
    fn reach(&mut self, size: Lane) -> Lane {
        let most = self.b.i64(i64::from(u32::MAX));
        self.b.umin(size, most)
    }

    /// Emits the tests of the current workgroup; returns `None` if there is nothing to gain.
    pub(super) fn prove(&mut self) -> Option<Lane> {
        if !self.is_provable() {
            return None;
        }
        for i in self.insts.iter() {
            match i.op {
                Op::LoadBuffer | Op::StoreBuffer => self.prove_access(i),
                Op::ULt | Op::ULe | Op::SLt | Op::SLe => self.prove_comparison(i),
                _ => {}
            }
        }
        self.proven.all
    }

    /// Returns true if an access was tested for the whole workgroup, so that it needs no check.
    pub(super) fn is_proven(&mut self, i: &Inst, b: Buffer, offset: Lane, shape: Shape) -> bool {
        let known = self.proven.on && self.proven.accesses.contains(&std::ptr::from_ref(i));
        if known && self.verifies() {
            self.claim_range(i, b, offset, shape);
        }
        known && !self.verifies()
    }

    /// Defines the result of an instruction if it was proved for the whole workgroup.
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

    /// The value in the last invocation (I64), without wrapping. It is the greatest value if it fits in 32 bits. If it
    /// does not fit, the value of some invocation has wrapped and proves nothing; every test that uses it therefore
    /// also requires it to be below 2^32.
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

    /// A value that is known before the groups start.
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

    /// Derives the line of an operation's result. Sums, differences and products with a constant keep the form modulo
    /// 2^32; so does a shift, which is a product. Steps are added and multiplied without wrapping. A minimum or maximum
    /// keeps the form if it always equals its line argument, which becomes a requirement.
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

    /// Requires that the minimum or maximum of `line` and `k` always equals `line`. All its values must be on the right
    /// side of `k`, must not wrap and, for a signed order, must not be negative. For a minimum one comparison proves
    /// all of it, because `k` itself fits in the type.
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

    /// Requires that `x < k` or `x <= k` holds in all invocations, or `k <= x` or `k < x` in none.
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
            // Both numbers are constants. If the comparison fails here, it fails in every workgroup, and a test would
            // be useless.
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
        if self.levels[i.args[0].0 as usize] > Level::Workgroup || self.shader.ty(i.args[1]) != Ty::I32 {
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
        // The size is at most 2^32 - 1, so no index in range has wrapped.
        let size = match self.proven.sizes.get(&i.args[0]) {
            Some(&size) => size,
            None => self.reach(buffer.size),
        };
        let c = self.b.icmp(ICmp::Ule, end, size);
        self.require(c);
        self.proven.tested.insert(key);
        self.proven.accesses.insert(std::ptr::from_ref(i));
    }

    /// One past the last byte that the last invocation accesses (I64), and the lines that it is the sum of.
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
            if stride > MOST_STEP || self.shader.ty(v) != Ty::I32 {
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
