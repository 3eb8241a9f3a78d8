//! Finds the loads that advance by one word in each iteration of a loop that only reads.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::super::invariants;
use super::super::uniformity::{self, Uniformity};
use super::{Found, MOST};
use crate::abi::{HALF_INSIDE, INSIDE};
use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{BuiltIn, End, Imm, Inst, Loop, Node, Op, Region, Shader, Ty, Value};

/// Most instructions of a loop that is changed, since it is copied.
const MOST_INSTS: usize = 64;
/// Deepest chain of operations that is followed.
const DEPTH: u32 = 24;
/// Bytes of the words that are loaded.
const WORD: i64 = 4;

/// The loads that are worth changing, by the loop that they are in.
pub(super) fn streams(shader: &Shader, lanes: u32) -> Result<Found> {
    let mut loops = Vec::new();
    innermost(&shader.body, &mut loops);
    loops.retain(|n| only_reads(&n.body) && is_small(&n.body));
    if loops.is_empty() {
        return Ok(Found::default());
    }
    let u = uniformity::analyse(shader, lanes)?;
    let mut defs: FxHashMap<Value, &Inst> = FxHashMap::default();
    crate::ir::each_inst(&shader.body, &mut |i| {
        for &v in &i.results {
            defs.insert(v, i);
        }
    });
    let mut found = Found::default();
    for n in loops {
        crate::budget::work(n.body.nodes.len() + 1)?;
        let loads = Walk::new(shader, &u, &defs, n).loads();
        if !loads.is_empty() {
            found.insert(n.label, loads);
        }
    }
    Ok(found)
}

/// Loops without loops inside.
fn innermost<'a>(region: &'a Region, out: &mut Vec<&'a Loop>) {
    for node in &region.nodes {
        match node {
            Node::Inst(_) => {}
            Node::If(n) => {
                innermost(&n.then, out);
                innermost(&n.els, out);
            }
            Node::Block(n) => innermost(&n.body, out),
            Node::Loop(n) => {
                let before = out.len();
                innermost(&n.body, out);
                if out.len() == before {
                    out.push(n);
                }
            }
        }
    }
}

/// True if a region may be copied.
fn is_small(region: &Region) -> bool {
    let mut insts = 0;
    crate::ir::each_inst(region, &mut |_| insts += 1);
    insts <= MOST_INSTS
}

/// True if nothing in a region writes, orders memory or observes other invocations.
fn only_reads(region: &Region) -> bool {
    region.nodes.iter().all(|node| match node {
        Node::Inst(i) => invariants::only_reads(i),
        Node::If(n) => only_reads(&n.then) && only_reads(&n.els),
        Node::Block(n) => only_reads(&n.body),
        Node::Loop(n) => only_reads(&n.body),
    })
}

/// The search in one loop.
struct Walk<'a> {
    shader: &'a Shader,
    u: &'a Uniformity,
    defs: &'a FxHashMap<Value, &'a Inst>,
    body: &'a Loop,
    /// Values that the loop defines.
    inside: FxHashSet<Value>,
    /// Results of selections of which one arm leaves the loop, and the values that the other arm yields for them.
    same: FxHashMap<Value, Value>,
    /// Change of each parameter from one iteration to the next, if it is a constant.
    steps: FxHashMap<Value, i64>,
}

impl<'a> Walk<'a> {
    fn new(
        shader: &'a Shader,
        u: &'a Uniformity,
        defs: &'a FxHashMap<Value, &'a Inst>,
        body: &'a Loop,
    ) -> Walk<'a> {
        let inside = body.params.iter().map(|p| p.0).collect();
        let (same, steps) = (FxHashMap::default(), FxHashMap::default());
        let mut walk = Walk { shader, u, defs, body, inside, same, steps };
        walk.collect(&body.body);
        if let End::Yield(next) = &body.body.end {
            for (&(p, _), &next) in body.params.iter().zip(next) {
                if let Some(step) = walk.from(next, p, DEPTH) {
                    walk.steps.insert(p, step);
                }
            }
        }
        walk
    }

    fn collect(&mut self, region: &Region) {
        for node in &region.nodes {
            match node {
                Node::Inst(i) => self.inside.extend(i.results.iter().copied()),
                Node::If(n) => {
                    self.inside.extend(n.results.iter().copied());
                    if let Some(stays) = self.stays(&n.then, &n.els)
                        && let End::Yield(values) = &stays.end
                    {
                        self.same.extend(n.results.iter().copied().zip(values.iter().copied()));
                    }
                    self.collect(&n.then);
                    self.collect(&n.els);
                }
                Node::Block(n) => {
                    self.inside.extend(n.results.iter().copied());
                    self.collect(&n.body);
                }
                Node::Loop(_) => {}
            }
        }
    }

    /// The arm of a selection in which invocations stay, if those in the other arm leave the loop.
    fn stays<'r>(&self, then: &'r Region, els: &'r Region) -> Option<&'r Region> {
        let leaves = |r: &Region| match &r.end {
            End::Break(label, _) => *label == self.body.label || !self.within(&self.body.body, *label),
            End::Return | End::Kill | End::Unreachable => true,
            End::Yield(_) => false,
        };
        match (leaves(then), leaves(els)) {
            (true, false) => Some(els),
            (false, true) => Some(then),
            _ => None,
        }
    }

    /// True if a label belongs to a construct in a region.
    fn within(&self, region: &Region, label: crate::ir::Label) -> bool {
        region.nodes.iter().any(|node| match node {
            Node::Inst(_) => false,
            Node::If(n) => self.within(&n.then, label) || self.within(&n.els, label),
            Node::Block(n) => n.label == label || self.within(&n.body, label),
            Node::Loop(n) => n.label == label || self.within(&n.body, label),
        })
    }

    fn resolve(&self, v: Value) -> Value {
        self.same.get(&v).copied().unwrap_or(v)
    }

    fn bits(&self, v: Value) -> Option<u64> {
        match self.defs.get(&v) {
            Some(Inst { op: Op::Const, imm: Imm::Bits(bits), .. }) => Some(*bits),
            _ => None,
        }
    }

    /// A constant as a signed number.
    fn number(&self, v: Value) -> Option<i64> {
        let bits = self.bits(v)?;
        match self.shader.ty(v) {
            Ty::I64 => Some(bits as i64),
            Ty::I32 => Some(i64::from(bits as u32 as i32)),
            _ => None,
        }
    }

    /// The address of which an address that stays in its buffer has the offset: `start - 2^39 + inside(x + 2^39)`.
    fn moved(&self, i: &Inst) -> Option<Value> {
        let of = |v: Value, op: Op, k: u64| match self.defs.get(&v) {
            Some(Inst { op: known, args, .. }) if *known == op && self.bits(args[1]) == Some(k) => {
                Some(args[0])
            }
            _ => None,
        };
        let (Op::IAdd, [lowest, inside]) = (i.op, &i.args[..]) else { return None };
        of(*lowest, Op::ISub, HALF_INSIDE)?;
        of(of(*inside, Op::And, INSIDE)?, Op::IAdd, HALF_INSIDE)
    }

    /// The constant `k` for which `v` is `p + k`, wrapping.
    fn from(&self, v: Value, p: Value, depth: u32) -> Option<i64> {
        let v = self.resolve(v);
        if v == p {
            return Some(0);
        }
        let i = self.defs.get(&v).filter(|_| depth > 0)?;
        if let Some(moved) = self.moved(i) {
            return self.from(moved, p, depth - 1);
        }
        match i.op {
            Op::IAdd => match (self.number(i.args[0]), self.number(i.args[1])) {
                (_, Some(k)) => Some(self.from(i.args[0], p, depth - 1)?.wrapping_add(k)),
                (Some(k), _) => Some(self.from(i.args[1], p, depth - 1)?.wrapping_add(k)),
                _ => None,
            },
            Op::ISub => Some(self.from(i.args[0], p, depth - 1)?.wrapping_sub(self.number(i.args[1])?)),
            _ => None,
        }
    }

    /// Change of an integer from one iteration to the next, modulo 2^40 and modulo the range of its type. It is exact
    /// for numbers of 64 bits; those of 32 bits may wrap.
    fn step(&self, v: Value, depth: u32) -> Option<i64> {
        let v = self.resolve(v);
        if !self.inside.contains(&v) {
            return Some(0);
        }
        if let Some(&step) = self.steps.get(&v) {
            return Some(step);
        }
        let i = self.defs.get(&v).filter(|_| depth > 0)?;
        if let Some(moved) = self.moved(i) {
            return self.step(moved, depth - 1);
        }
        let of = |k: usize| self.step(i.args[k], depth - 1);
        match i.op {
            Op::Const => Some(0),
            Op::IAdd => of(0)?.checked_add(of(1)?),
            Op::ISub => of(0)?.checked_sub(of(1)?),
            Op::IMul => match (self.number(i.args[0]), self.number(i.args[1])) {
                (_, Some(k)) => of(0)?.checked_mul(k),
                (Some(k), _) => of(1)?.checked_mul(k),
                _ => (of(0)? == 0 && of(1)? == 0).then_some(0),
            },
            Op::Shl => match self.number(i.args[1]) {
                Some(k @ 0..32) => of(0)?.checked_mul(1 << k),
                _ => (of(0)? == 0 && of(1)? == 0).then_some(0),
            },
            _ if i.op.effect() == Effect::Pure => (0..i.args.len()).all(|k| of(k) == Some(0)).then_some(0),
            _ => None,
        }
    }

    /// True if a value is the same in all lanes, or advances by the same number from lane to lane.
    fn is_line(&self, v: Value, depth: u32) -> bool {
        let v = self.resolve(v);
        if !self.u.varying[v.0 as usize] {
            return true;
        }
        if depth == 0 {
            return false;
        }
        if let Some((_, first)) = self.body.params.iter().find(|p| p.0 == v) {
            return self.steps.contains_key(&v) && self.is_line(*first, depth - 1);
        }
        let Some(i) = self.defs.get(&v) else { return false };
        if let Some(moved) = self.moved(i) {
            return self.is_line(moved, depth - 1);
        }
        let line = |k: usize| self.is_line(i.args[k], depth - 1);
        match (i.op, &i.imm) {
            (Op::BuiltIn, Imm::BuiltIn(b, 0)) => matches!(
                b,
                BuiltIn::GlobalInvocationId | BuiltIn::LocalInvocationId | BuiltIn::LocalInvocationIndex
            ),
            (Op::IAdd | Op::ISub, _) => line(0) && line(1),
            (Op::IMul | Op::Shl, _) => self.bits(i.args[1]).is_some() && line(0),
            (Op::UConvert | Op::SConvert, _) => line(0),
            (Op::Offset, _) => (0..i.args.len()).all(line),
            _ => false,
        }
    }

    fn loads(&self) -> SmallVec<[(Value, Ty); 4]> {
        let mut out = SmallVec::new();
        self.loads_in(&self.body.body, &mut out);
        out
    }

    /// Visits the instructions that each invocation executes in every iteration before its last.
    fn loads_in(&self, region: &Region, out: &mut SmallVec<[(Value, Ty); 4]>) {
        for node in &region.nodes {
            match node {
                Node::Inst(i) if out.len() < MOST && self.is_stream(i) => {
                    out.push((i.results[0], self.shader.ty(i.results[0])));
                }
                Node::If(n) => {
                    if let Some(stays) = self.stays(&n.then, &n.els) {
                        self.loads_in(stays, out);
                    }
                }
                Node::Inst(_) | Node::Block(_) | Node::Loop(_) => {}
            }
        }
    }

    fn is_stream(&self, i: &Inst) -> bool {
        let (Op::LoadBuffer, &[word], &[handle, offset]) = (i.op, &i.results[..], &i.args[..]) else {
            return false;
        };
        let fits = matches!(self.shader.ty(word), Ty::I32 | Ty::F32) && self.shader.ty(offset) == Ty::I32;
        let uniform = !self.u.varying[handle.0 as usize];
        fits && uniform
            && self.step(handle, DEPTH) == Some(0)
            && self.u.varying[offset.0 as usize]
            && self.advance(offset) == Some(WORD)
            && !self.is_line(offset, DEPTH)
    }

    /// Bytes by which an offset advances from one iteration to the next where it does not wrap or saturate.
    fn advance(&self, offset: Value) -> Option<i64> {
        let Some(Inst { op: Op::Offset, args, imm: Imm::Strides(strides), .. }) = self.defs.get(&offset)
        else {
            return self.step(offset, DEPTH);
        };
        let wide = args.iter().any(|&a| self.shader.ty(a) == Ty::I64);
        args.iter().zip(strides).try_fold(0i64, |sum, (&a, &stride)| {
            let step = self.step(a, DEPTH)?;
            // An index of 32 bits that wraps leads to an offset that saturates, unless the sum wraps, too, or the index
            // falls.
            let exact = self.shader.ty(a) == Ty::I64;
            (step == 0 || exact || !wide && step > 0).then_some(())?;
            sum.checked_add(step.checked_mul(i64::from(stride))?)
        })
    }
}
