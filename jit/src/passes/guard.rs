//! Turns selections into straight lines: small arms are always computed, and code after a test that leaves moves out of
//! the other arm to after the test.
//!
//! Both give [`super::simplify`] more to share, because a loop's condition and its body become one region.

use rustc_hash::FxHashMap;
use smallvec::smallvec;

use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{End, If, Imm, Inst, Node, Op, Region, Shader, Value};

/// Maximum total cost of arms that are always computed, regardless of divergence.
pub(crate) const FLAT_COST: u32 = 6;

/// Cost of always computing a region instead of branching around it; `None` if that is impossible.
pub(crate) fn flat_cost(region: &Region) -> Option<u32> {
    let End::Yield(_) = region.end else { return None };
    let mut cost = 0;
    for n in &region.nodes {
        let Node::Inst(i) = n else { return None };
        if i.op.effect() != Effect::Pure {
            return None;
        }
        cost += match i.op {
            Op::Const => 0,
            Op::FDiv | Op::FSqrt | Op::FInvSqrt | Op::FRem | Op::FMod => 6,
            Op::SDiv | Op::UDiv | Op::SRem | Op::SMod | Op::UMod => 20,
            op if op.name().starts_with("m.") => 20,
            Op::LoadInput | Op::LoadPatchInput | Op::Interpolate | Op::LoadConstant => 8,
            _ => 1,
        };
    }
    Some(cost)
}

struct Guard<'a> {
    shader: &'a Shader,
    subst: FxHashMap<Value, Value>,
}

/// Rewrites the whole body.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn guard(shader: &mut Shader) -> Result<()> {
    let mut body = std::mem::take(&mut shader.body);
    let mut g = Guard { shader, subst: FxHashMap::default() };
    g.region(&mut body)?;
    let subst = g.subst;
    let find = |mut v: Value| {
        while let Some(&to) = subst.get(&v) {
            v = to;
        }
        v
    };
    if !subst.is_empty() {
        super::map_uses(&mut body, &find);
    }
    shader.body = body;
    Ok(())
}

impl Guard<'_> {
    fn region(&mut self, region: &mut Region) -> Result<()> {
        let mut out = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(_) => {}
                Node::Block(n) => self.region(&mut n.body)?,
                Node::Loop(n) => self.region(&mut n.body)?,
                Node::If(n) => {
                    self.region(&mut n.then)?;
                    self.region(&mut n.els)?;
                    if self.flattens(n) {
                        flatten(n, &mut out);
                        continue;
                    }
                    if let Some(rest) = self.unnest(n) {
                        out.push(node);
                        out.extend(rest);
                        continue;
                    }
                }
            }
            out.push(node);
        }
        region.nodes = out;
        Ok(())
    }

    fn flattens(&self, n: &If) -> bool {
        let cost = flat_cost(&n.then).zip(flat_cost(&n.els));
        cost.is_some_and(|(a, b)| a + b <= FLAT_COST)
            && n.results.iter().all(|&r| self.shader.ty(r).is_plain())
    }

    /// If one arm always leaves, takes the nodes of the other arm out of it, to follow the selection.
    fn unnest(&mut self, n: &mut If) -> Option<Vec<Node>> {
        let leaves = |r: &Region| !matches!(r.end, End::Yield(_));
        let stay = match (leaves(&n.then), leaves(&n.els)) {
            (true, false) => &mut n.els,
            (false, true) => &mut n.then,
            _ => return None,
        };
        let Region { nodes, end } = std::mem::take(stay);
        if let End::Yield(args) = end {
            self.subst.extend(std::mem::take(&mut n.results).into_iter().zip(args));
        }
        Some(nodes)
    }
}

/// Emits both arms, then a selection between their results.
fn flatten(n: &mut If, out: &mut Vec<Node>) {
    let (then, els) = (std::mem::take(&mut n.then), std::mem::take(&mut n.els));
    out.extend(then.nodes);
    out.extend(els.nodes);
    if let (End::Yield(a), End::Yield(b)) = (then.end, els.end) {
        for ((&r, a), b) in n.results.iter().zip(a).zip(b) {
            out.push(Node::Inst(Inst {
                op: Op::Select,
                args: smallvec![n.cond, a, b],
                results: smallvec![r],
                imm: Imm::None,
                src: n.src,
            }));
        }
    }
}
