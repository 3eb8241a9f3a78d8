//! Copies of nodes with values and labels of their own.

use rustc_hash::FxHashMap;

use crate::ir::{Block, End, If, Inst, Label, Loop, Node, Region, Ty, Value};

/// Copies nodes, and knows the values and labels of the copies.
pub(super) struct Copies<'a> {
    /// Types of all values of the shader.
    pub values: &'a mut Vec<Ty>,
    /// Number of labels of the shader.
    pub labels: &'a mut u32,
    /// Value in the copy for each value of the original that is not the same there.
    pub now: FxHashMap<Value, Value>,
    /// Label in the copy for each label of the original that is copied.
    targets: FxHashMap<Label, Label>,
}

impl Copies<'_> {
    /// Copies with these values at the start.
    pub fn new<'a>(values: &'a mut Vec<Ty>, labels: &'a mut u32, now: FxHashMap<Value, Value>) -> Copies<'a> {
        Copies { values, labels, now, targets: FxHashMap::default() }
    }

    /// The value in the copy for a value of the original.
    pub fn value(&self, v: Value) -> Value {
        self.now.get(&v).copied().unwrap_or(v)
    }

    pub fn all(&self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&v| self.value(v)).collect()
    }

    fn result(&mut self, v: Value) -> Value {
        let fresh = Value(self.values.len() as u32);
        self.values.push(self.values[v.0 as usize]);
        self.now.insert(v, fresh);
        fresh
    }

    fn results(&mut self, values: &[Value]) -> Vec<Value> {
        values.iter().map(|&v| self.result(v)).collect()
    }

    fn label(&mut self, label: Label) -> Label {
        let fresh = Label(*self.labels);
        *self.labels += 1;
        self.targets.insert(label, fresh);
        fresh
    }

    pub fn inst(&mut self, i: &Inst) -> Inst {
        let args = i.args.iter().map(|&a| self.value(a)).collect();
        let results = i.results.iter().map(|&r| self.result(r)).collect();
        Inst { op: i.op, args, results, imm: i.imm.clone(), src: i.src }
    }

    fn region(&mut self, r: &Region) -> Region {
        let nodes = r.nodes.iter().map(|n| self.node(n)).collect();
        let end = match &r.end {
            End::Yield(values) => End::Yield(self.all(values)),
            End::Break(label, values) => {
                End::Break(self.targets.get(label).copied().unwrap_or(*label), self.all(values))
            }
            end @ (End::Return | End::Kill | End::Unreachable) => end.clone(),
        };
        Region { nodes, end }
    }

    pub fn node(&mut self, node: &Node) -> Node {
        match node {
            Node::Inst(i) => Node::Inst(self.inst(i)),
            Node::If(n) => {
                let cond = self.value(n.cond);
                let (then, els) = (self.region(&n.then), self.region(&n.els));
                let results = self.results(&n.results);
                Node::If(Box::new(If { cond, then, els, results, src: n.src }))
            }
            Node::Block(n) => {
                let label = self.label(n.label);
                let body = self.region(&n.body);
                let results = self.results(&n.results);
                Node::Block(Box::new(Block { label, body, results }))
            }
            Node::Loop(n) => {
                let label = self.label(n.label);
                let params = n.params.iter().map(|&(p, init)| (p, self.value(init))).collect::<Vec<_>>();
                let params = params.into_iter().map(|(p, init)| (self.result(p), init)).collect();
                let body = self.region(&n.body);
                let results = self.results(&n.results);
                Node::Loop(Box::new(Loop { label, params, body, results, src: n.src }))
            }
        }
    }
}
