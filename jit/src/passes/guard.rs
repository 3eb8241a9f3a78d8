//! Turns selections into straight lines: small arms are always computed, and code after a test that leaves moves out of
//! the other arm to after the test.
//!
//! Both give [`super::simplify`] more to share, because a loop's condition and its body become one region.

use rustc_hash::FxHashMap;
use smallvec::smallvec;

use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{Block, End, If, Imm, Inst, Label, Node, Op, Region, Shader, Value};

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
        for node in std::mem::take(&mut region.nodes) {
            crate::budget::work(1)?;
            match node {
                Node::Inst(_) => out.push(node),
                Node::Block(mut n) => {
                    self.region(&mut n.body)?;
                    match open(&mut n)? {
                        Some(test) => {
                            out.append(&mut n.body.nodes);
                            self.selection(test, &mut out);
                        }
                        None => out.push(Node::Block(n)),
                    }
                }
                Node::Loop(mut n) => {
                    self.region(&mut n.body)?;
                    out.push(Node::Loop(n));
                }
                Node::If(mut n) => {
                    self.region(&mut n.then)?;
                    self.region(&mut n.els)?;
                    self.selection(n, &mut out);
                }
            }
        }
        region.nodes = out;
        Ok(())
    }

    fn selection(&mut self, mut n: Box<If>, out: &mut Vec<Node>) {
        if self.flattens(&n) {
            return flatten(&mut n, out);
        }
        let rest = self.unnest(&mut n);
        out.push(Node::If(n));
        out.extend(rest.into_iter().flatten());
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

/// Turns a block whose last test leaves it, and which otherwise leaves an outer construct, into a selection: the block
/// keeps the nodes before it.
///
/// ```text
/// block L1 { ... if c { break L1 } rest; break L0 }   becomes   ... if c {} else { rest; break L0 }
/// ```
fn open(n: &mut Block) -> Result<Option<Box<If>>> {
    let leaves = |r: &Region| matches!(&r.end, End::Break(label, _) if *label == n.label);
    let stays = |r: &Region| r.nodes.is_empty() && matches!(&r.end, End::Yield(args) if args.is_empty());
    let at = n.body.nodes.iter().position(|node| match node {
        Node::If(test) => leaves(&test.then) && stays(&test.els) || leaves(&test.els) && stays(&test.then),
        Node::Inst(_) | Node::Block(_) | Node::Loop(_) => false,
    });
    let Some(at) = at.filter(|_| !matches!(n.body.end, End::Yield(_))) else { return Ok(None) };
    if breaks(&n.body, n.label)? != 1 {
        return Ok(None);
    }
    let rest = n.body.nodes.split_off(at + 1);
    let Some(Node::If(mut test)) = n.body.nodes.pop() else { return Ok(None) };
    let end = std::mem::replace(&mut n.body.end, End::Unreachable);
    let (leaving, staying) = match leaves(&test.then) {
        true => (&mut test.then, &mut test.els),
        false => (&mut test.els, &mut test.then),
    };
    if let End::Break(_, args) = std::mem::replace(&mut leaving.end, End::Unreachable) {
        leaving.end = End::Yield(args);
    }
    *staying = Region { nodes: rest, end };
    test.results = std::mem::take(&mut n.results);
    Ok(Some(test))
}

/// Number of ways out of a region to the end of the construct with a label.
fn breaks(region: &Region, label: Label) -> Result<usize> {
    crate::budget::work(region.nodes.len())?;
    let mut all = usize::from(matches!(&region.end, End::Break(to, _) if *to == label));
    for node in &region.nodes {
        all += match node {
            Node::Inst(_) => 0,
            Node::If(n) => breaks(&n.then, label)? + breaks(&n.els, label)?,
            Node::Block(n) => breaks(&n.body, label)?,
            Node::Loop(n) => breaks(&n.body, label)?,
        };
    }
    Ok(all)
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
