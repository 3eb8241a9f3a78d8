//! Loops that are counted: how often they repeat, and what their counters can be.
//!
//! Both rest on the tests that a lane must have passed before it starts another turn.

use super::range::{Ranges, greatest};
use crate::ir::{End, Inst, Label, Loop, Node, Op, Region, Ty, Value};
use crate::passes::uniformity::{Uniformity, node_exits, outer_exits};

impl Ranges<'_> {
    /// Conditions that had this truth value, in this turn, for every lane that takes another turn.
    ///
    /// They are looked for in the nodes that every lane comes by which reaches the end of the body: those of
    /// the body, and those of blocks in it up to the first that may send lanes to the end of such a block
    /// (`continue`). There a selection decides if one of its arms only leaves the loop: by its end, with no
    /// way out of it to the end of a block inside the loop.
    fn tests(&self, n: &Loop) -> Vec<(Value, bool)> {
        let mut found = Vec::new();
        self.tests_in(&n.body, &mut Vec::new(), &mut found);
        found
    }

    /// Those in a region, up to where lanes may go on elsewhere. `inner`: blocks around, inside the loop.
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

    /// Instructions that a loop runs at most, if its turns are counted up to a constant.
    pub fn work(&self, n: &Loop) -> Option<u64> {
        let tests = self.tests(n);
        let turns = tests.into_iter().filter_map(|(v, want)| self.limit(n, v, want)).min()?;
        let mut cost = 8;
        crate::ir::each_inst(&n.body, &mut |_| cost += 1);
        Some(turns.saturating_mul(cost))
    }

    /// Turns after which a counting parameter of the loop ends `v == want`: it starts and ends far below the
    /// first number that is negative or wraps, and its steps are small.
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

    /// The constant that `next` is more than `p`.
    pub fn step(&self, p: Value, next: Value) -> Option<u32> {
        let Inst { op: Op::IAdd, args, .. } = self.def(next)? else { return None };
        let k = match () {
            () if args[0] == p => self.bits(args[1])?,
            () if args[1] == p => self.bits(args[0])?,
            () => return None,
        };
        u32::try_from(k).ok()
    }

    /// Learns what the counters of a loop can be at the start of its turns.
    ///
    /// A guess is taken from the tests and proved by induction: the first value is no greater, and if one
    /// turn's is not, and that turn's tests held, then the next one's is not. Only for counters and tests that
    /// are uniform: lanes that have left a loop go on counting with the others, past any limit.
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
