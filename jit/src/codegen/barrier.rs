//! The values that a group saves while it waits at a barrier.
//!
//! The groups of a workgroup run one after another, each up to its next barrier. There a group writes the values that
//! it still needs to its frame and yields. When all groups have arrived, each is re-entered and reads its values back.
//! Positions are counted along the construct tree. A value is saved at every barrier between its definition and its
//! last use. A use inside a loop that does not contain the definition counts as a use at the end of the loop.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Level;
use crate::ir::{End, Node, Op, Region, Shader, Value};
use crate::passes::uniformity::Uniformity;
use crate::{Error, Result, budget};

/// Most masks that a construct holds: a selection's mask before it, that of its second arm, and those at the ends of both
/// arms.
const MASKS: usize = 4;

/// Result of [`plan`].
#[derive(Default)]
pub(super) struct Plan {
    /// Values that are live across some barrier.
    pub kept: FxHashSet<Value>,
    /// For each barrier, in tree order: the values that are live across it.
    pub live: Vec<Vec<Value>>,
    /// Barriers emitted so far.
    pub next: usize,
}

#[derive(Default)]
struct Walk {
    at: u32,
    def: FxHashMap<Value, u32>,
    last_use: FxHashMap<Value, u32>,
    barriers: Vec<u32>,
    /// Operands of each handle; a handle is rebuilt from them where it is used.
    made_of: FxHashMap<Value, Vec<Value>>,
    /// Start of each open loop, and the values from outside that its body uses.
    loops: Vec<(u32, Vec<Value>)>,
}

/// Finds the values that are live across the barriers of a shader.
pub(super) fn plan(shader: &Shader, levels: &[Level], _u: &Uniformity) -> Result<Plan> {
    let mut w = Walk::default();
    w.region(&shader.body);
    let mut plan = Plan { live: vec![Vec::new(); w.barriers.len()], ..Plan::default() };
    let mut values: Vec<Value> = w.def.keys().copied().collect();
    values.sort_unstable();
    let mut kept = 0;
    for v in values {
        if levels[v.0 as usize] < Level::Place
            || shader.ty(v).bits().is_none() && shader.ty(v) != crate::ir::Ty::Bool
        {
            continue;
        }
        let (d, Some(&u)) = (w.def[&v], w.last_use.get(&v)) else { continue };
        let (first, end) = (w.barriers.partition_point(|&b| b <= d), w.barriers.partition_point(|&b| b < u));
        if first < end {
            plan.kept.insert(v);
            plan.live[first..end].iter_mut().for_each(|live| live.push(v));
            kept += end - first;
        }
        // Each saved value takes instructions at each barrier.
        if kept > budget::MAX_CLIF_INSTS {
            let most = budget::MAX_CLIF_INSTS;
            return Err(Error::Limit(format!(
                "'{}': more than {most} values live across barriers",
                shader.name
            )));
        }
        budget::work(1 + (end - first) / 16)?;
    }
    Ok(plan)
}

/// Returns true if an operation produces a buffer or an image.
fn gives_handle(op: Op) -> bool {
    use Op::*;
    matches!(op, BufferDescriptor | ImageDescriptor | BufferAt | HandleImage | SampledImage)
}

/// Number of barriers in a region.
pub(super) fn count(region: &Region) -> usize {
    let of = |n: &Node| match n {
        Node::Inst(i) => usize::from(i.op == Op::ControlBarrier),
        Node::If(n) => count(&n.then) + count(&n.els),
        Node::Block(n) => count(&n.body),
        Node::Loop(n) => count(&n.body),
    };
    region.nodes.iter().map(of).sum()
}

/// Most values that the constructs open at a barrier of a region hold themselves: their results, and up to
/// [`MASKS`] masks each. `None` if the region has no barrier.
pub(super) fn most_open(region: &Region) -> Option<usize> {
    let of = |n: &Node| {
        let (inner, results) = match n {
            Node::Inst(i) => return (i.op == Op::ControlBarrier).then_some(0),
            Node::If(n) => (most_open(&n.then).max(most_open(&n.els)), &n.results),
            Node::Block(n) => (most_open(&n.body), &n.results),
            Node::Loop(n) => (most_open(&n.body), &n.results),
        };
        inner.map(|inner| inner + results.len() + MASKS)
    };
    region.nodes.iter().filter_map(of).max()
}

impl Walk {
    fn define(&mut self, v: Value) {
        self.def.insert(v, self.at);
    }

    fn use_(&mut self, v: Value) {
        self.last_use.insert(v, self.at);
        for a in self.made_of.get(&v).cloned().unwrap_or_default() {
            self.use_(a);
        }
        let Some(&d) = self.def.get(&v) else { return };
        if let Some((_, outside)) = self.loops.iter_mut().find(|(start, _)| d < *start) {
            outside.push(v);
        }
    }

    fn region(&mut self, r: &Region) {
        for n in &r.nodes {
            self.at += 1;
            match n {
                Node::Inst(i) => {
                    i.args.iter().for_each(|&a| self.use_(a));
                    if i.op == Op::ControlBarrier {
                        self.barriers.push(self.at);
                    }
                    self.at += 1;
                    i.results.iter().for_each(|&v| self.define(v));
                    if gives_handle(i.op) {
                        self.made_of.insert(i.results[0], i.args.to_vec());
                    }
                }
                Node::If(n) => {
                    self.use_(n.cond);
                    self.region(&n.then);
                    self.region(&n.els);
                    // The branch of the second arm reads the mask of the condition from a separate variable.
                    self.at += 1;
                    n.results.iter().for_each(|&v| self.define(v));
                }
                Node::Block(n) => {
                    self.region(&n.body);
                    self.at += 1;
                    n.results.iter().for_each(|&v| self.define(v));
                }
                Node::Loop(n) => {
                    n.params.iter().for_each(|p| self.use_(p.1));
                    self.at += 1;
                    self.loops.push((self.at, Vec::new()));
                    self.at += 1;
                    n.params.iter().for_each(|p| self.define(p.0));
                    self.region(&n.body);
                    self.at += 1;
                    if let Some((_, outside)) = self.loops.pop() {
                        outside.into_iter().for_each(|v| self.use_(v));
                    }
                    self.at += 1;
                    n.results.iter().for_each(|&v| self.define(v));
                }
            }
        }
        self.at += 1;
        if let End::Yield(a) | End::Break(_, a) = &r.end {
            a.iter().for_each(|&v| self.use_(v));
        }
    }
}
