//! Splits an index that a loop carries into its first value and the sum of the steps since.
//!
//! Loops over an array often start at the number of the invocation, so that the indices of the lanes are always as far apart as
//! at the start. As a sum of the first index and a number that is the same in all lanes, the index is a line of which accesses
//! know the distances, and the loop carries one scalar instead of a vector. An index that an inner loop returns is such a sum,
//! too.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::uniformity::{self, Uniformity};
use crate::error::Result;
use crate::ir::{End, Imm, Inst, Label, Loop, Node, Op, Region, Shader, Src, Ty, Value};

/// Splits the indices of all loops, the innermost ones first; returns true if there was one.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn steps(shader: &mut Shader, lanes: u32) -> Result<bool> {
    if !shader.stage.has_workgroups() || !has_candidate(&shader.body, &shader.values) {
        return Ok(false);
    }
    let found = uniformity::analyse(shader, lanes)?;
    let mut body = std::mem::take(&mut shader.body);
    let mut s = Steps { values: &mut shader.values, found, sums: FxHashMap::default(), changed: false };
    let result = s.region(&mut body);
    let changed = s.changed;
    shader.body = body;
    result.map(|()| changed)
}

/// True if a loop carries a word.
fn has_candidate(r: &Region, values: &[Ty]) -> bool {
    r.nodes.iter().any(|node| match node {
        Node::Inst(_) => false,
        Node::If(n) => has_candidate(&n.then, values) || has_candidate(&n.els, values),
        Node::Block(n) => has_candidate(&n.body, values),
        Node::Loop(n) => {
            n.params.iter().any(|(p, _)| values[p.0 as usize] == Ty::I32) || has_candidate(&n.body, values)
        }
    })
}

struct Steps<'a> {
    values: &'a mut Vec<Ty>,
    found: Uniformity,
    /// The terms of sums.
    sums: FxHashMap<Value, [Value; 2]>,
    changed: bool,
}

impl Steps<'_> {
    fn region(&mut self, r: &mut Region) -> Result<()> {
        let mut out = Vec::with_capacity(r.nodes.len());
        for mut node in std::mem::take(&mut r.nodes) {
            crate::budget::work(1)?;
            let mut after = Vec::new();
            match &mut node {
                Node::Inst(i) => self.note(i),
                Node::If(n) => {
                    self.region(&mut n.then)?;
                    self.region(&mut n.els)?;
                }
                Node::Block(n) => self.region(&mut n.body)?,
                Node::Loop(n) => {
                    self.region(&mut n.body)?;
                    for k in 0..n.params.len() {
                        if let Some(step) = self.step(n, k) {
                            out.push(self.split(n, k, step, &mut after));
                        }
                    }
                }
            }
            out.push(node);
            out.extend(after);
        }
        r.nodes = out;
        Ok(())
    }

    fn note(&mut self, i: &Inst) {
        if let (Op::IAdd, [result], &[a, b]) = (i.op, &i.results[..], &i.args[..]) {
            self.sums.insert(*result, [a, b]);
        }
    }

    fn varies(&self, v: Value) -> bool {
        self.found.varying[v.0 as usize]
    }

    /// The value that each iteration adds to a param, which differs between lanes only as its initial value does.
    fn step(&self, n: &Loop, k: usize) -> Option<Value> {
        let (param, first) = n.params[k];
        let End::Yield(next) = &n.body.end else { return None };
        let &[a, b] = self.sums.get(&next[k])?;
        let step = if a == param { b } else { a };
        let sum = (a == param) != (b == param);
        (sum && self.values[param.0 as usize] == Ty::I32 && self.varies(first) && !self.varies(step))
            .then_some(step)
    }

    /// Replaces a param by the sum of its steps. Returns the initial value of that, and adds the operations behind the loop.
    fn split(&mut self, n: &mut Loop, k: usize, step: Value, after: &mut Vec<Node>) -> Node {
        self.changed = true;
        let (param, first) = n.params[k];
        let (zero, steps, next) = (self.fresh(), self.fresh(), self.fresh());
        n.params[k] = (steps, zero);
        n.body.nodes.insert(0, sum(first, steps, param, n.src));
        self.sums.insert(param, [first, steps]);
        n.body.nodes.push(sum(steps, step, next, n.src));
        if let End::Yield(args) = &mut n.body.end {
            args[k] = next;
        }
        if !self.found.divergent_exit.get(&n.label).copied().unwrap_or(false) {
            for at in 0..n.results.len() {
                if exits(&n.body, n.label, &mut |args| args[at] == param) {
                    let result = n.results[at];
                    let steps_then = self.fresh();
                    n.results[at] = steps_then;
                    replace(&mut n.body, n.label, at, steps);
                    after.push(sum(first, steps_then, result, n.src));
                    self.sums.insert(result, [first, steps_then]);
                }
            }
        }
        let results = [zero].into_iter().collect();
        Node::Inst(Inst { op: Op::Const, args: SmallVec::new(), results, imm: Imm::Bits(0), src: n.src })
    }

    /// A value that is the same in all lanes.
    fn fresh(&mut self) -> Value {
        self.values.push(Ty::I32);
        self.found.varying.push(false);
        Value(self.values.len() as u32 - 1)
    }
}

fn sum(a: Value, b: Value, result: Value, src: Src) -> Node {
    let (args, results) = ([a, b].into_iter().collect(), [result].into_iter().collect());
    Node::Inst(Inst { op: Op::IAdd, args, results, imm: Imm::None, src })
}

/// True if `f` is true for the values of every exit from a loop.
fn exits(r: &Region, label: Label, f: &mut impl FnMut(&[Value]) -> bool) -> bool {
    let inner = r.nodes.iter().all(|node| match node {
        Node::Inst(_) => true,
        Node::If(n) => exits(&n.then, label, f) && exits(&n.els, label, f),
        Node::Block(n) => exits(&n.body, label, f),
        Node::Loop(n) => exits(&n.body, label, f),
    });
    inner
        && match &r.end {
            End::Break(to, args) if *to == label => f(args),
            End::Break(..) | End::Yield(_) | End::Return | End::Kill | End::Unreachable => true,
        }
}

/// Replaces value `at` of every exit from a loop.
fn replace(r: &mut Region, label: Label, at: usize, by: Value) {
    for node in &mut r.nodes {
        match node {
            Node::Inst(_) => {}
            Node::If(n) => {
                replace(&mut n.then, label, at, by);
                replace(&mut n.els, label, at, by);
            }
            Node::Block(n) => replace(&mut n.body, label, at, by),
            Node::Loop(n) => replace(&mut n.body, label, at, by),
        }
    }
    if let End::Break(to, args) = &mut r.end
        && *to == label
    {
        args[at] = by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BuiltIn, If, StageKind};

    fn inst(op: Op, args: &[u32], results: &[u32], imm: Imm) -> Node {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect::<SmallVec<[Value; 4]>>();
        Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Src::default() })
    }

    /// `loop { if param < limit { } else { break param }; param += step }`
    fn turning(label: u32, [param, first, limit, step, result]: [u32; 5], inner: Option<Node>) -> Node {
        let [test, next] = [10 * (label + 1), 10 * (label + 1) + 1];
        let empty = |end| Region { nodes: Vec::new(), end };
        let test_node = If {
            cond: Value(test),
            then: empty(End::Yield(Vec::new())),
            els: empty(End::Break(Label(label), vec![Value(param)])),
            results: Vec::new(),
            src: Src::default(),
        };
        let mut nodes =
            vec![inst(Op::ULt, &[limit, limit], &[test], Imm::None), Node::If(Box::new(test_node))];
        let next = match inner {
            Some(inner) => {
                nodes.push(inner);
                step
            }
            None => {
                nodes.push(inst(Op::IAdd, &[param, step], &[next], Imm::None));
                next
            }
        };
        let body = Region { nodes, end: End::Yield(vec![Value(next)]) };
        Node::Loop(Box::new(Loop {
            label: Label(label),
            params: vec![(Value(param), Value(first))],
            body,
            results: vec![Value(result)],
            src: Src::default(),
        }))
    }

    /// The params of both loops, and the result of the outer one, as the pass leaves them: true where they vary.
    fn varying(first: Op) -> Vec<bool> {
        let mut values = vec![Ty::I32; 30];
        (values[10], values[20]) = (Ty::Bool, Ty::Bool);
        let first = match first {
            Op::BuiltIn => inst(first, &[], &[0], Imm::BuiltIn(BuiltIn::LocalInvocationId, 0)),
            _ => inst(first, &[], &[0], Imm::Bits(5)),
        };
        let inner = turning(0, [2, 4, 1, 1, 6], None);
        let nodes =
            vec![first, inst(Op::Const, &[], &[1], Imm::Bits(32)), turning(1, [4, 0, 1, 6, 8], Some(inner))];
        let body = Region { nodes, end: End::Return };
        let local_size = [8, 1, 1];
        let mut shader = Shader { values, body, local_size, ..Shader::empty(StageKind::Compute, "main") };
        assert_eq!(steps(&mut shader, 8).unwrap(), shader.values.len() > 30);
        let u = uniformity::analyse(&shader, 8).unwrap();
        let outer = shader.body.nodes.iter().find_map(|n| match n {
            Node::Loop(n) => Some(n),
            _ => None,
        });
        let outer = outer.unwrap();
        let inner = outer.body.nodes.iter().find_map(|n| match n {
            Node::Loop(n) => Some(n),
            _ => None,
        });
        let carried = [outer.params[0].0, inner.unwrap().params[0].0, outer.results[0]];
        carried.iter().map(|v| u.varying[v.0 as usize]).collect()
    }

    #[test]
    fn nested_loops_carry_steps_that_are_the_same_in_all_lanes() {
        assert_eq!(varying(Op::BuiltIn), [false, false, false]);
        assert_eq!(varying(Op::Const), [false, false, false], "nothing to do");
    }
}
