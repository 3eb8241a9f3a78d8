//! Counted loops: their number of iterations, and the range of their counters.
//!
//! Both follow from the tests that a lane must pass before it starts another iteration.

use super::range::{Ranges, greatest};
use crate::ir::{End, Inst, Label, Loop, Node, Op, Region, Ty, Value};
use crate::passes::uniformity::{Uniformity, node_exits, outer_exits};

/// Most instructions that a loop runs of which it is known that it ends soon: it does not poll the stop flag.
pub(super) const MAX_UNPOLLED: u64 = 1 << 20;

/// True if lanes may leave for one of these ends at different times.
fn any_diverges(ends: &[Label], u: &Uniformity) -> bool {
    ends.iter().any(|end| u.divergent_exit.get(end).copied().unwrap_or(false))
}

/// True if all lanes in a loop leave it together.
fn left_together(n: &Loop, u: &Uniformity) -> bool {
    let mut exits = vec![n.label];
    outer_exits(&n.body, &mut vec![n.label], &mut exits);
    !any_diverges(&exits, u)
}

/// True if lanes may leave a node for the end of a construct around it while others go on behind the node.
fn parts_lanes(node: &Node, u: &Uniformity) -> bool {
    let mut exits = Vec::new();
    node_exits(node, &mut Vec::new(), &mut exits);
    any_diverges(&exits, u)
}

impl Ranges<'_> {
    /// Conditions that, in each iteration, have the returned truth value for every lane that starts another one.
    ///
    /// They are collected from the nodes that every lane on its way to the end of the body passes: the nodes of the
    /// body, and those of blocks in it, up to the first node that may send lanes to the end of such a block
    /// (`continue`). The condition of a selection there counts if exactly one arm only leaves the loop: at its end,
    /// with no exit to the end of a block inside the loop.
    fn tests(&self, n: &Loop) -> Vec<(Value, bool)> {
        let mut found = Vec::new();
        self.tests_in(&n.body, &mut Vec::new(), &mut found);
        found
    }

    /// Collects those in a region, up to where lanes may leave for elsewhere. `inner`: enclosing blocks inside the
    /// loop.
    fn tests_in(&self, r: &Region, inner: &mut Vec<Label>, found: &mut Vec<(Value, bool)>) {
        for node in &r.nodes {
            match node {
                Node::If(n) => {
                    let out = |r: &Region| {
                        let mut exits = Vec::new();
                        outer_exits(r, &mut Vec::new(), &mut exits);
                        !matches!(r.end, End::Yield(_)) && !exits.iter().any(|l| inner.contains(l))
                    };
                    match (out(&n.then), out(&n.els)) {
                        (true, false) => self.conjuncts(n.cond, false, 4, found),
                        (false, true) => self.conjuncts(n.cond, true, 4, found),
                        _ => {}
                    }
                }
                Node::Block(n) => {
                    inner.push(n.label);
                    self.tests_in(&n.body, inner, found);
                    inner.pop();
                }
                Node::Inst(_) | Node::Loop(_) => {}
            }
            if !inner.is_empty() && !matches!(node, Node::Inst(_)) {
                let mut exits = Vec::new();
                node_exits(node, &mut Vec::new(), &mut exits);
                if exits.iter().any(|l| inner.contains(l)) {
                    return;
                }
            }
        }
    }

    /// Upper bound of the instructions that a loop runs, if it counts up to a constant.
    pub fn work(&self, n: &Loop) -> Option<u64> {
        let tests = self.tests(n);
        let turns = tests.into_iter().filter_map(|(v, want)| self.limit(n, v, want)).min()?;
        let mut cost = 8;
        crate::ir::each_inst(&n.body, &mut |_| cost += 1);
        Some(turns.saturating_mul(cost))
    }

    /// True if lanes without an invocation, whose values can be any, do not keep a group in a region for long: each loop
    /// counts up to a constant, or all lanes of the group enter it and leave it together, so that it is as long for those with
    /// an invocation. `apart`: some lanes may be elsewhere. `work`: upper bound of the instructions that the counting loops
    /// around the region run.
    pub fn idle_lanes_end(&self, r: &Region, u: &Uniformity, mut apart: bool, work: u64) -> bool {
        r.nodes.iter().all(|node| {
            let ends = match node {
                Node::Inst(_) => true,
                Node::If(n) => {
                    let apart = apart || u.varying[n.cond.0 as usize];
                    [&n.then, &n.els].into_iter().all(|arm| self.idle_lanes_end(arm, u, apart, work))
                }
                Node::Block(n) => self.idle_lanes_end(&n.body, u, apart, work),
                Node::Loop(n) if !apart && left_together(n, u) => {
                    self.idle_lanes_end(&n.body, u, false, work)
                }
                Node::Loop(n) => {
                    let all = self.work(n).map(|k| k.saturating_mul(work)).filter(|all| *all <= MAX_UNPOLLED);
                    all.is_some_and(|all| self.idle_lanes_end(&n.body, u, true, all))
                }
            };
            apart |= parts_lanes(node, u);
            ends
        })
    }

    /// Number of iterations after which a counting parameter of the loop ends `v == want`. Start and limit must be far
    /// below the first number that wraps or is negative, and the step must be small.
    fn limit(&self, of: &Loop, v: Value, want: bool) -> Option<u64> {
        let Inst { op: Op::SLt | Op::ULt, args, .. } = self.def(v)? else { return None };
        let wide = matches!(self.shader.ty(args[0]), Ty::I32 | Ty::I64);
        let k = of.params.iter().position(|p| p.0 == args[0])?;
        let (first, limit) = (self.bits(of.params[k].1)?, self.bits(args[1])?);
        let End::Yield(next) = &of.body.end else { return None };
        let step = self.step(args[0], *next.get(k)?)?;
        let small = first < 1 << 24 && limit < 1 << 24 && (1..1 << 16).contains(&step);
        (want && wide && small).then(|| limit.saturating_sub(first) / u64::from(step) + 1)
    }

    /// The constant `next - p`, if `next` is `p` plus a constant.
    pub fn step(&self, p: Value, next: Value) -> Option<u32> {
        let Inst { op: Op::IAdd, args, .. } = self.def(next)? else { return None };
        let k = match () {
            () if args[0] == p => self.bits(args[1])?,
            () if args[1] == p => self.bits(args[0])?,
            () => return None,
        };
        u32::try_from(k).ok()
    }

    /// Records upper bounds of the counters of a loop at the start of its iterations.
    ///
    /// A bound is guessed from the tests and proved by induction: the initial value does not exceed it; and if the
    /// counter does not exceed it in one iteration, and the tests of that iteration hold, it does not exceed it in the
    /// next one. This applies only to uniform counters and tests: lanes that have left a loop keep counting with the
    /// others, past any limit.
    pub fn enter_loop(&mut self, n: &Loop, u: &Uniformity) {
        let End::Yield(next) = &n.body.end else { return };
        let uniform = |v: Value| !u.varying[v.0 as usize];
        let mut tests = self.tests(n);
        tests.retain(|t| uniform(t.0));
        for (&(p, init), &next) in n.params.iter().zip(next) {
            let Some(step) = self.step(p, next).filter(|_| uniform(p)) else { continue };
            let guesses = tests.iter().filter_map(|&(v, want)| match self.compared(v, want)? {
                (v, most, _) if v == next => Some(most),
                (v, most, _) if v == p => most.checked_add(u64::from(step)),
                _ => None,
            });
            let Some(guess) = guesses.min() else { continue };
            let most = guess.max(self.upper(init)).min(greatest(self.shader.ty(p)).0);
            let mark = self.mark();
            self.know(p, most);
            tests.iter().for_each(|&(v, want)| self.assume(v, want));
            let holds = self.upper(next) <= most;
            self.forget(mark);
            if holds {
                self.know(p, most);
            }
        }
    }
}
