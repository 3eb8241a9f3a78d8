//! Dead code elimination: removes unused computations, results and loop parameters.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{End, Label, Node, Op, Region, Shader, Value};

/// The definition of a value.
#[derive(Clone, Copy)]
enum Def {
    /// Not defined yet.
    None,
    /// An instruction: index into `insts`.
    Inst(u32),
    /// Result or parameter `k` of a construct: index into `joins`.
    Join(u32, u32),
}

struct Liveness {
    defs: Vec<Def>,
    insts: Vec<SmallVec<[Value; 4]>>,
    /// For each construct's results or parameters: the argument lists that feed them.
    joins: Vec<Vec<Vec<Value>>>,
    /// Join of each label's results.
    label_join: FxHashMap<Label, u32>,
    work: Vec<Value>,
    live: Vec<bool>,
}

/// Removes computations without effects or uses, dead results and dead parameters.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn dce(shader: &mut Shader) -> Result<()> {
    let n = shader.values.len();
    let mut l = Liveness {
        defs: vec![Def::None; n],
        insts: Vec::new(),
        joins: Vec::new(),
        label_join: FxHashMap::default(),
        work: Vec::new(),
        live: vec![false; n],
    };
    l.region(&shader.body, None);
    while let Some(v) = l.work.pop() {
        crate::budget::work(1)?;
        let feeds: Vec<Value> = match l.defs[v.0 as usize] {
            Def::None => continue,
            Def::Inst(i) => l.insts[i as usize].to_vec(),
            Def::Join(j, k) => {
                l.joins[j as usize].iter().filter_map(|a| a.get(k as usize).copied()).collect()
            }
        };
        for f in feeds {
            l.mark(f);
        }
    }
    let live = l.live;
    let mut kept: FxHashMap<Label, Vec<bool>> = FxHashMap::default();
    sweep(&mut shader.body, &live, &[], &mut kept);
    Ok(())
}

fn must_stay(op: Op) -> bool {
    op.effect() == Effect::Write
}

impl Liveness {
    fn mark(&mut self, v: Value) {
        if !self.live[v.0 as usize] {
            self.live[v.0 as usize] = true;
            self.work.push(v);
        }
    }

    fn join(&mut self, results: &[Value]) -> u32 {
        let j = self.joins.len() as u32;
        self.joins.push(Vec::new());
        for (k, r) in results.iter().enumerate() {
            self.defs[r.0 as usize] = Def::Join(j, k as u32);
        }
        j
    }

    /// Collects the definitions in a region. `yield_to`: the join that its `Yield` feeds.
    fn region(&mut self, region: &Region, yield_to: Option<u32>) {
        for node in &region.nodes {
            match node {
                Node::Inst(i) => {
                    self.insts.push(i.args.clone());
                    for r in &i.results {
                        self.defs[r.0 as usize] = Def::Inst(self.insts.len() as u32 - 1);
                    }
                    if must_stay(i.op) {
                        for &a in &i.args {
                            self.mark(a);
                        }
                    }
                }
                Node::If(n) => {
                    self.mark(n.cond);
                    let j = self.join(&n.results);
                    self.region(&n.then, Some(j));
                    self.region(&n.els, Some(j));
                }
                Node::Block(n) => {
                    let j = self.join(&n.results);
                    self.label_join.insert(n.label, j);
                    self.region(&n.body, Some(j));
                }
                Node::Loop(n) => {
                    let j = self.join(&n.results);
                    self.label_join.insert(n.label, j);
                    let params: Vec<Value> = n.params.iter().map(|p| p.0).collect();
                    let p = self.join(&params);
                    let init = n.params.iter().map(|p| p.1).collect();
                    self.joins[p as usize].push(init);
                    self.region(&n.body, Some(p));
                }
            }
        }
        match &region.end {
            End::Yield(a) => {
                if let Some(j) = yield_to {
                    self.joins[j as usize].push(a.clone());
                }
            }
            End::Break(l, a) => {
                if let Some(&j) = self.label_join.get(l) {
                    self.joins[j as usize].push(a.clone());
                }
            }
            End::Return | End::Kill | End::Unreachable => {}
        }
    }
}

fn retain_by<T>(v: &mut Vec<T>, keep: &[bool]) {
    let mut k = keep.iter();
    v.retain(|_| *k.next().unwrap_or(&true));
}

/// Returns true if the region does nothing and yields no values.
fn is_empty(r: &Region) -> bool {
    r.nodes.is_empty() && matches!(&r.end, End::Yield(a) if a.is_empty())
}

/// Removes dead nodes and values from a region. `yields`: the values of its `Yield` that stay.
fn sweep(region: &mut Region, live: &[bool], yields: &[bool], kept: &mut FxHashMap<Label, Vec<bool>>) {
    let alive = |v: &Value| live[v.0 as usize];
    region.nodes.retain_mut(|node| match node {
        Node::Inst(i) => must_stay(i.op) || i.results.iter().any(alive),
        Node::If(n) => {
            let keep: Vec<bool> = n.results.iter().map(alive).collect();
            sweep(&mut n.then, live, &keep, kept);
            sweep(&mut n.els, live, &keep, kept);
            retain_by(&mut n.results, &keep);
            !(is_empty(&n.then) && is_empty(&n.els))
        }
        Node::Block(n) => {
            let keep: Vec<bool> = n.results.iter().map(alive).collect();
            kept.insert(n.label, keep.clone());
            sweep(&mut n.body, live, &keep, kept);
            retain_by(&mut n.results, &keep);
            !is_empty(&n.body)
        }
        Node::Loop(n) => {
            let keep: Vec<bool> = n.results.iter().map(alive).collect();
            kept.insert(n.label, keep.clone());
            retain_by(&mut n.results, &keep);
            let keep: Vec<bool> = n.params.iter().map(|p| alive(&p.0)).collect();
            sweep(&mut n.body, live, &keep, kept);
            retain_by(&mut n.params, &keep);
            true
        }
    });
    match &mut region.end {
        End::Yield(a) => retain_by(a, yields),
        End::Break(l, a) => {
            if let Some(keep) = kept.get(l) {
                retain_by(a, keep);
            }
        }
        End::Return | End::Kill | End::Unreachable => {}
    }
}
