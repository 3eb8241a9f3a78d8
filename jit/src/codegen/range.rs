//! Upper bounds of unsigned 32-bit values, so that checks which cannot fail are not emitted.
//!
//! A bound holds for every lane of the group, active or not: lanes that are away compute addresses
//! too. Only uniform conditions are therefore taken as known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Gen;
use crate::ir::{BuiltIn, End, If, Imm, Inst, Label, Loop, Node, Op, Region, Shader, Ty, Value};
use crate::passes::uniformity::node_exits;

/// Definitions, and what is known where code is being emitted.
#[derive(Default)]
pub(super) struct Ranges<'s> {
    shader: Option<&'s Shader>,
    defs: FxHashMap<Value, &'s Inst>,
    /// Known greatest values, innermost last.
    known: Vec<(Value, u64)>,
    /// Loop parameters that start at a constant of at least zero and only grow, by small constants.
    rising: FxHashSet<Value>,
}

impl<'s> Ranges<'s> {
    pub fn new(shader: &'s Shader) -> Ranges<'s> {
        let mut r = Ranges { shader: Some(shader), ..Ranges::default() };
        crate::passes::each_inst(&shader.body, &mut |i| {
            for &v in &i.results {
                r.defs.insert(v, i);
            }
        });
        r
    }

    /// What makes a value.
    pub fn def(&self, v: Value) -> Option<&'s Inst> {
        self.defs.get(&v).copied()
    }

    pub fn mark(&self) -> usize {
        self.known.len()
    }

    pub fn forget(&mut self, mark: usize) {
        self.known.truncate(mark);
    }

    fn constant(&self, v: Value) -> Option<u64> {
        self.bits(v).map(|b| b & 0xffff_ffff)
    }

    fn bits(&self, v: Value) -> Option<u64> {
        match self.defs.get(&v) {
            Some(Inst { op: Op::Const, imm: Imm::Bits(b), .. }) => Some(*b),
            _ => None,
        }
    }

    /// Notes which parameters of a loop only grow.
    pub fn enter_loop(&mut self, n: &Loop) {
        let End::Yield(next) = &n.body.end else { return };
        for (&(p, init), &next) in n.params.iter().zip(next) {
            let from_zero = self.constant(init).is_some_and(|c| c <= i32::MAX as u64);
            let step = match self.defs.get(&next) {
                Some(Inst { op: Op::IAdd, args, .. }) if args[0] == p => self.constant(args[1]),
                Some(Inst { op: Op::IAdd, args, .. }) if args[1] == p => self.constant(args[0]),
                _ => None,
            };
            if from_zero && step.is_some_and(|c| c <= 0xffff) {
                self.rising.insert(p);
            }
        }
    }

    /// Instructions that a loop runs at most, if its turns are counted up to a constant.
    pub fn work(&self, n: &Loop) -> Option<u64> {
        let turns = self.turns(n, &n.body, &mut Vec::new())?;
        let mut cost = 8;
        crate::passes::each_inst(&n.body, &mut |_| cost += 1);
        Some(turns.saturating_mul(cost))
    }

    /// Looks for a test that every lane passes in every turn, and leaves the loop by. `inner`: blocks around.
    fn turns(&self, of: &Loop, r: &Region, inner: &mut Vec<Label>) -> Option<u64> {
        for node in &r.nodes {
            match node {
                Node::If(n) => {
                    let out = |r: &Region| match &r.end {
                        End::Yield(_) => false,
                        End::Break(l, _) => !inner.contains(l),
                        _ => true,
                    };
                    let mut parts = Vec::new();
                    match (out(&n.then), out(&n.els)) {
                        (true, false) => self.conjuncts(n.cond, false, 4, &mut parts),
                        (false, true) => self.conjuncts(n.cond, true, 4, &mut parts),
                        _ => {}
                    }
                    let turns = parts.into_iter().filter_map(|(v, want)| self.limit(of, v, want)).min();
                    if turns.is_some() {
                        return turns;
                    }
                }
                Node::Block(n) => {
                    inner.push(n.label);
                    let turns = self.turns(of, &n.body, inner);
                    inner.pop();
                    if turns.is_some() {
                        return turns;
                    }
                }
                Node::Inst(_) | Node::Loop(_) => {}
            }
            if !inner.is_empty() && !matches!(node, Node::Inst(_)) {
                // Some lanes may have gone to the end of a block.
                let mut exits = Vec::new();
                node_exits(node, &mut Vec::new(), &mut exits);
                if exits.iter().any(|l| inner.contains(l)) {
                    return None;
                }
            }
        }
        None
    }

    /// Turns after which a counting parameter of the loop ends `v == want`.
    fn limit(&self, of: &Loop, v: Value, want: bool) -> Option<u64> {
        let Inst { op: Op::SLt | Op::ULt, args, .. } = self.defs.get(&v)? else { return None };
        let wide = matches!(self.shader?.ty(args[0]), Ty::I32 | Ty::I64);
        let k = of.params.iter().position(|p| p.0 == args[0])?;
        let (first, limit) = (self.bits(of.params[k].1)?, self.bits(args[1])?);
        let End::Yield(next) = &of.body.end else { return None };
        let step = self.step(args[0], *next.get(k)?)?;
        let small = first < 1 << 24 && limit < 1 << 24 && (1..1 << 16).contains(&step);
        (want && wide && small).then(|| limit.saturating_sub(first) / u64::from(step) + 1)
    }

    /// The constant that `next` is more than `p`.
    pub fn step(&self, p: Value, next: Value) -> Option<u32> {
        let Inst { op: Op::IAdd, args, .. } = self.defs.get(&next)? else { return None };
        let k = match () {
            () if args[0] == p => self.bits(args[1])?,
            () if args[1] == p => self.bits(args[0])?,
            () => return None,
        };
        u32::try_from(k).ok()
    }

    /// What must hold (or not) for `v` to be `want`: all of it.
    pub fn conjuncts(&self, v: Value, want: bool, depth: u32, out: &mut Vec<(Value, bool)>) {
        if depth > 0
            && let Some(i) = self.def(v)
        {
            match (i.op, want) {
                (Op::And, true) | (Op::Or, false) => {
                    self.conjuncts(i.args[0], want, depth - 1, out);
                    return self.conjuncts(i.args[1], want, depth - 1, out);
                }
                (Op::Not, _) => return self.conjuncts(i.args[0], !want, depth - 1, out),
                _ => {}
            }
        }
        out.push((v, want));
    }

    /// Learns from a uniform condition.
    pub fn assume(&mut self, cond: Value, holds: bool) {
        let Some(Inst { op, args, .. }) = self.defs.get(&cond) else { return };
        match (op, holds) {
            (Op::Not, _) => self.assume(args[0], !holds),
            (Op::ULt, true) => {
                if let Some(k) = self.constant(args[1]) {
                    self.known.push((args[0], k.saturating_sub(1)));
                }
            }
            // A rising value below a limit is not negative, and its next step does not wrap.
            (Op::SLt, true) if self.rising.contains(&args[0]) => {
                if let Some(k) = self.constant(args[1])
                    && (1..=0x7fff_0000).contains(&k)
                {
                    self.known.push((args[0], k - 1));
                }
            }
            _ => {}
        }
    }

    fn upper(&self, v: Value, local_max: [u64; 4], depth: u32) -> Option<u64> {
        if let Some(&(_, max)) = self.known.iter().rev().find(|(k, _)| *k == v) {
            return Some(max);
        }
        let i = self.defs.get(&v)?;
        if depth == 0 {
            return None;
        }
        let sub = |k: usize| self.upper(i.args[k], local_max, depth - 1);
        let fits = |x: u64| (x <= u64::from(u32::MAX)).then_some(x);
        match (i.op, &i.imm) {
            (Op::Const, Imm::Bits(b)) => Some(*b & 0xffff_ffff),
            (Op::IAdd, _) => fits(sub(0)? + sub(1)?),
            (Op::Offset, Imm::Strides(s)) => {
                let steps = s.iter().enumerate().map(|(k, &s)| sub(k)?.checked_mul(u64::from(s)));
                fits(steps.sum::<Option<u64>>()?)
            }
            (Op::IMul, _) => fits(sub(0)?.checked_mul(sub(1)?)?),
            (Op::Shl, _) => fits(sub(0)?.checked_shl(self.constant(i.args[1])? as u32)?),
            (Op::ShrU, _) => Some(sub(0)? >> (self.constant(i.args[1])? & 31)),
            (Op::And, _) => match (sub(0), sub(1)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            (Op::UMin, _) => match (sub(0), sub(1)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            (Op::UMod, _) => Some(self.constant(i.args[1])?.saturating_sub(1)),
            (Op::UDiv, _) => Some(sub(0)? / self.constant(i.args[1])?.max(1)),
            (Op::Select, _) => Some(sub(1)?.max(sub(2)?)),
            (Op::BuiltIn, Imm::BuiltIn(BuiltIn::LocalInvocationId, c)) => Some(local_max[*c as usize]),
            (Op::BuiltIn, Imm::BuiltIn(BuiltIn::LocalInvocationIndex, _)) => Some(local_max[3]),
            _ => None,
        }
    }
}

fn falls_through(r: &Region) -> bool {
    r.nodes.is_empty() && matches!(r.end, End::Yield(_))
}

fn leaves(r: &Region) -> bool {
    !matches!(r.end, End::Yield(_))
}

impl Gen<'_, '_, '_> {
    /// Greatest value that an I32 can have in any lane here.
    pub(super) fn upper_bound(&self, v: Value) -> Option<u64> {
        let s = self.b.lanes();
        let n = self.shader.local_size.iter().product::<u32>().max(1).next_multiple_of(s);
        let ids = &self.tables.local_ids;
        let third = ids.len() / 3;
        let max = |c: usize| match ids.get(c * third..(c + 1) * third) {
            Some(t) if !t.is_empty() => u64::from(t.iter().copied().max().unwrap_or(0)),
            _ => u64::from(self.shader.local_size[c].max(1) - 1),
        };
        self.ranges.upper(v, [max(0), max(1), max(2), u64::from(n - 1)], 12)
    }

    /// After a selection whose one arm leaves, its condition is known for the rest of the region.
    pub(super) fn learn(&mut self, n: &If) {
        let uniform = self.vals[n.cond.0 as usize].is_some_and(|c| self.b.is_uniform(c));
        if !uniform {
            return;
        }
        if falls_through(&n.then) && leaves(&n.els) {
            self.ranges.assume(n.cond, true);
        } else if falls_through(&n.els) && leaves(&n.then) {
            self.ranges.assume(n.cond, false);
        }
    }
}
