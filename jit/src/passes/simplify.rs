//! Folds constants, shares equal computations, removes selections without effect, and code that constant conditions rule
//! out, as specialization constants leave it.
//!
//! A single traversal in execution order. A region shares its computations with the regions inside it, but never with
//! sibling regions. Loads are shared if no write can lie in between.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{
    Block, End, If, Imm, Inst, Label, Loop, Node, Op, Region, ResourceKind, Shader, Sig, Stage, Ty, Value,
};

/// Key under which equal computations are shared.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    op: Op,
    args: SmallVec<[Value; 4]>,
    imm: Imm,
    results: SmallVec<[Ty; 4]>,
}

struct Simplify<'a> {
    shader: &'a Shader,
    consts: FxHashMap<Value, u64>,
    /// Operations and operands of sums and differences.
    sums: FxHashMap<Value, (Op, [Value; 2])>,
    subst: FxHashMap<Value, Value>,
    seen: FxHashMap<Key, SmallVec<[Value; 4]>>,
    /// Keys added since the start of each open region.
    scopes: Vec<Vec<Key>>,
    /// Buffer and position of each result of `BufferParts`.
    parts: FxHashMap<Value, (Value, usize)>,
    /// Base and size of each result of `BufferAt`.
    buffers: FxHashMap<Value, [Value; 2]>,
    /// Buffers that nothing in the shader writes.
    read_only: FxHashMap<Value, bool>,
    exits: FxHashMap<Label, Exits>,
    /// Position of each value's definition; 0 if it is not defined yet.
    order: Vec<u32>,
    /// Number of definitions so far.
    defined: u32,
}

/// The regions that leave for a label.
#[derive(Default)]
struct Exits {
    count: u32,
    /// The values that all of them carry, where they carry the same.
    values: Vec<Option<Value>>,
}

/// Work that is left in a region.
enum Step {
    Node(Node),
    /// Results of a construct that is gone, and the values that it yielded.
    Bind(Vec<Value>, Vec<Value>),
}

/// Folds, shares and simplifies.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn simplify(shader: &mut Shader) -> Result<()> {
    let (mut body, order) = (std::mem::take(&mut shader.body), vec![0; shader.values.len()]);
    let mut s = Simplify {
        shader,
        consts: FxHashMap::default(),
        sums: FxHashMap::default(),
        subst: FxHashMap::default(),
        seen: FxHashMap::default(),
        scopes: Vec::new(),
        parts: FxHashMap::default(),
        buffers: FxHashMap::default(),
        read_only: FxHashMap::default(),
        exits: FxHashMap::default(),
        order,
        defined: 0,
    };
    s.region(&mut body)?;
    super::map_uses(&mut body, &|v| s.resolve(v));
    shader.body = body;
    Ok(())
}

/// Ends a region early: no node that is left runs.
fn ends(region: &mut Region, end: End, left: &mut Vec<Step>) {
    left.clear();
    region.end = end;
}

impl Simplify<'_> {
    fn region(&mut self, region: &mut Region) -> Result<()> {
        self.scopes.push(Vec::new());
        let nodes = std::mem::take(&mut region.nodes);
        region.nodes.reserve(nodes.len());
        let mut left: Vec<Step> = nodes.into_iter().rev().map(Step::Node).collect();
        while let Some(step) = left.pop() {
            crate::budget::work(2)?;
            match step {
                Step::Bind(results, values) => self.bind(&results, &values),
                Step::Node(node) => self.node(node, region, &mut left)?,
            }
        }
        if let End::Break(label, values) = &region.end {
            self.leaves(*label, values);
        }
        for k in self.scopes.pop().unwrap_or_default() {
            self.seen.remove(&k);
        }
        Ok(())
    }

    /// Simplifies a node and adds what is left of it to the region. `left`: the work behind it, last first.
    fn node(&mut self, mut node: Node, region: &mut Region, left: &mut Vec<Step>) -> Result<()> {
        match &mut node {
            Node::Inst(i) => {
                for a in &mut i.args {
                    *a = self.resolve(*a);
                }
                if self.inst(i) {
                    return Ok(());
                }
                self.define(&i.results);
            }
            Node::If(n) => {
                n.cond = self.resolve(n.cond);
                if let Some(arm) = self.taken(n) {
                    match arm.end {
                        End::Yield(values) => left.push(Step::Bind(std::mem::take(&mut n.results), values)),
                        end => ends(region, end, left),
                    }
                    left.extend(arm.nodes.into_iter().rev().map(Step::Node));
                    return Ok(());
                }
                self.selection(n)?;
                self.define(&n.results);
            }
            Node::Block(n) => {
                if self.block(n, region, left)? {
                    return Ok(());
                }
            }
            Node::Loop(n) => {
                let before = self.defined;
                self.define(&n.params.iter().map(|p| p.0).collect::<SmallVec<[Value; 4]>>());
                self.steady_params(n);
                self.region(&mut n.body)?;
                self.steady_params(n);
                self.same_at_exits(n.label, &n.results, before);
                self.define(&n.results);
            }
        }
        region.nodes.push(node);
        Ok(())
    }

    /// Simplifies a block; returns true if its nodes became nodes of the region.
    fn block(&mut self, n: &mut Block, region: &mut Region, left: &mut Vec<Step>) -> Result<bool> {
        let before = self.defined;
        self.region(&mut n.body)?;
        if self.runs_through(n) {
            region.nodes.append(&mut n.body.nodes);
            match std::mem::replace(&mut n.body.end, End::Unreachable) {
                End::Yield(values) => self.bind(&n.results, &values),
                End::Break(label, values) if label == n.label => self.bind(&n.results, &values),
                end => ends(region, end, left),
            }
            return Ok(true);
        }
        if let End::Yield(values) = &n.body.end {
            self.leaves(n.label, values);
        }
        self.same_at_exits(n.label, &n.results, before);
        self.define(&n.results);
        Ok(false)
    }

    /// The arm of a selection by a constant.
    fn taken(&self, n: &mut If) -> Option<Region> {
        let &condition = self.consts.get(&n.cond)?;
        Some(std::mem::take(if condition != 0 { &mut n.then } else { &mut n.els }))
    }

    fn selection(&mut self, n: &mut If) -> Result<()> {
        self.region(&mut n.then)?;
        self.region(&mut n.els)?;
        // A value that both arms yield is available outside of them.
        if let (End::Yield(a), End::Yield(b)) = (&n.then.end, &n.els.end) {
            for ((&r, &a), &b) in n.results.iter().zip(a).zip(b) {
                let (a, b) = (self.resolve(a), self.resolve(b));
                if a == b {
                    self.subst.insert(r, a);
                }
            }
        }
        Ok(())
    }

    /// True if nothing leaves a block, whose body is simplified, before the body's end.
    fn runs_through(&mut self, n: &Block) -> bool {
        let left = self.exits.get(&n.label).map_or(0, |exits| exits.count);
        let by_end = match &n.body.end {
            End::Break(label, _) => Some(*label),
            _ => None,
        };
        let through = left == u32::from(by_end == Some(n.label));
        if let (true, Some(exits)) = (through, by_end.and_then(|label| self.exits.get_mut(&label))) {
            // The end now belongs to the region around the block.
            exits.count -= 1;
        }
        through
    }

    /// Takes note of a region that leaves for a label.
    fn leaves(&mut self, label: Label, values: &[Value]) {
        let values: SmallVec<[_; 4]> = values.iter().map(|&v| Some(self.resolve(v))).collect();
        let exits = self.exits.entry(label).or_default();
        if exits.count == 0 {
            exits.values = values.to_vec();
        } else {
            exits.values.iter_mut().zip(values).for_each(|(all, v)| *all = all.filter(|_| *all == v));
        }
        exits.count += 1;
    }

    /// Replaces the results of a construct for which all its exits carry the same value from before it. `before`: the number of
    /// definitions before it.
    fn same_at_exits(&mut self, label: Label, results: &[Value], before: u32) {
        let Some(exits) = self.exits.get(&label) else { return };
        let values: SmallVec<[_; 4]> = exits.values.iter().map(|v| v.map(|v| self.resolve(v))).collect();
        for (&r, v) in results.iter().zip(values) {
            if let Some(v) = v.filter(|v| (1..=before).contains(&self.order[v.0 as usize])) {
                self.subst.insert(r, v);
            }
        }
    }

    /// Replaces the parameters of a loop that keep their initial values.
    fn steady_params(&mut self, n: &Loop) {
        let End::Yield(next) = &n.body.end else { return };
        for (&(p, init), &next) in n.params.iter().zip(next) {
            let (init, next) = (self.resolve(init), self.resolve(next));
            if p != init && (next == p || next == init) {
                self.subst.insert(p, init);
            }
        }
    }

    fn define(&mut self, values: &[Value]) {
        self.defined += 1;
        values.iter().for_each(|v| self.order[v.0 as usize] = self.defined);
    }

    fn bind(&mut self, results: &[Value], values: &[Value]) {
        for (&r, &v) in results.iter().zip(values) {
            let v = self.resolve(v);
            self.subst.insert(r, v);
        }
    }

    fn resolve(&self, mut v: Value) -> Value {
        while let Some(&s) = self.subst.get(&v) {
            v = s;
        }
        v
    }

    /// Joins the parts of a buffer back into the buffer, or splits a joined buffer into its parts.
    fn parts(&mut self, i: &Inst) -> bool {
        match i.op {
            Op::BufferAt => {
                if let (Some(&(h, 0)), Some(&(g, 1))) =
                    (self.parts.get(&i.args[0]), self.parts.get(&i.args[1]))
                    && h == g
                {
                    self.subst.insert(i.results[0], h);
                    return true;
                }
                self.buffers.insert(i.results[0], [i.args[0], i.args[1]]);
            }
            Op::BufferParts => {
                if let Some(parts) = self.buffers.get(&i.args[0]) {
                    for (&r, &p) in i.results.iter().zip(parts) {
                        self.subst.insert(r, p);
                    }
                    return true;
                }
                for (k, &r) in i.results.iter().enumerate() {
                    self.parts.insert(r, (i.args[0], k));
                }
            }
            _ => {}
        }
        false
    }

    /// Simplifies an instruction; returns true if the caller must remove it.
    fn inst(&mut self, i: &mut Inst) -> bool {
        if let (Op::Const, Imm::Bits(b)) = (i.op, &i.imm) {
            self.consts.insert(i.results[0], *b);
        }
        self.cancel(i);
        if let Some(v) = self.same_as(i) {
            self.subst.insert(i.results[0], v);
            return true;
        }
        if matches!(i.op, Op::IAdd | Op::ISub) {
            self.sums.insert(i.results[0], (i.op, [i.args[0], i.args[1]]));
        }
        if self.parts(i) || self.element(i) {
            return true;
        }
        self.fold(i);
        self.logic(i);
        if !self.shareable(i) {
            return false;
        }
        let key = Key {
            op: i.op,
            args: i.args.clone(),
            imm: i.imm.clone(),
            results: i.results.iter().map(|&r| self.shader.ty(r)).collect(),
        };
        if let Some(same) = self.seen.get(&key) {
            for (r, s) in i.results.iter().zip(same) {
                self.subst.insert(*r, *s);
            }
            return true;
        }
        if let (Op::BufferDescriptor, Imm::Binding { set, binding, .. }) = (i.op, &i.imm) {
            let fixed = self.shader.bindings.iter().any(|b| {
                (b.set, b.binding) == (*set, *binding)
                    && (b.kind == ResourceKind::UniformBuffer || !self.shader.writes_memory)
            });
            self.read_only.insert(i.results[0], fixed);
        }
        if i.op == Op::PushConstants || i.op == Op::Payload && self.shader.stage == Stage::Mesh {
            self.read_only.insert(i.results[0], true);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(key.clone());
        }
        self.seen.insert(key, i.results.clone());
        false
    }

    fn shareable(&self, i: &Inst) -> bool {
        match i.op {
            Op::LoadBuffer => {
                let ordered = matches!(i.imm, Imm::Mem(m) if m.ordered);
                !ordered && self.read_only.get(&i.args[0]).copied().unwrap_or(false)
            }
            _ => i.op.effect() == Effect::Pure,
        }
    }

    /// The minuend of a difference from which `v` is subtracted.
    fn minuend(&self, difference: Value, v: Value) -> Option<Value> {
        let &(op, [minuend, subtrahend]) = self.sums.get(&difference)?;
        (op == Op::ISub && subtrahend == v).then_some(minuend)
    }

    /// Turns `(u + (x - m)) + m` into `u + x`, which advances from lane to lane as `x` does. Shaders split an index into a block
    /// and the rest, and add both again.
    fn cancel(&mut self, i: &mut Inst) {
        if i.op != Op::IAdd {
            return;
        }
        for (sum, m) in [(i.args[0], i.args[1]), (i.args[1], i.args[0])] {
            let Some(&(Op::IAdd, [a, b])) = self.sums.get(&sum) else { continue };
            for (u, difference) in [(a, b), (b, a)] {
                if let Some(x) = self.minuend(difference, m) {
                    i.args = SmallVec::from_slice(&[u, x]);
                    return;
                }
            }
        }
    }

    /// An argument that the result always equals, or a value that it is made of.
    fn same_as(&self, i: &Inst) -> Option<Value> {
        let c = |k: usize| self.consts.get(&i.args[k]).copied();
        match i.op {
            Op::Select => match c(0) {
                Some(0) => Some(i.args[2]),
                Some(_) => Some(i.args[1]),
                None => (i.args[1] == i.args[2]).then_some(i.args[1]),
            },
            Op::And | Op::Or if self.shader.ty(i.results[0]) == Ty::Bool => self.decided(i),
            Op::IAdd | Op::Or | Op::Xor => match (c(0), c(1)) {
                (Some(0), _) => Some(i.args[1]),
                (_, Some(0)) => Some(i.args[0]),
                _ if i.op == Op::IAdd => {
                    self.minuend(i.args[0], i.args[1]).or_else(|| self.minuend(i.args[1], i.args[0]))
                }
                _ => None,
            },
            Op::ISub | Op::Shl | Op::ShrU | Op::ShrS if c(1) == Some(0) => Some(i.args[0]),
            Op::IMul | Op::UDiv | Op::SDiv if c(1) == Some(1) => Some(i.args[0]),
            Op::IMul if c(0) == Some(1) || c(1) == Some(0) => Some(i.args[1]),
            Op::IMul if c(0) == Some(0) => Some(i.args[0]),
            Op::Bitcast if self.shader.ty(i.args[0]) == self.shader.ty(i.results[0]) => Some(i.args[0]),
            _ => None,
        }
    }

    /// The argument that a conjunction or disjunction with a constant truth value equals.
    fn decided(&self, i: &Inst) -> Option<Value> {
        let known = |k: usize| self.consts.get(&i.args[k]).map(|&c| c != 0);
        let other = i.op == Op::And;
        match (known(0), known(1)) {
            (Some(c), _) => Some(i.args[usize::from(c == other)]),
            (_, Some(c)) => Some(i.args[usize::from(c != other)]),
            _ => None,
        }
    }

    /// Turns a selection between truth values into a logical operation.
    fn logic(&self, i: &mut Inst) {
        if i.op != Op::Select || self.shader.ty(i.results[0]) != Ty::Bool {
            return;
        }
        let (c, a, b) = (i.args[0], i.args[1], i.args[2]);
        let known = |v: Value| self.consts.get(&v).map(|&k| k != 0);
        let (op, other) = if b == c || known(b) == Some(false) {
            (Op::And, a)
        } else if a == c || known(a) == Some(true) {
            (Op::Or, b)
        } else {
            return;
        };
        i.op = op;
        i.args = SmallVec::from_slice(&[c, other]);
    }

    /// Turns an access by a constant index to one of a fixed element. Returns true if it stores nothing.
    fn element(&mut self, i: &mut Inst) -> bool {
        let (Op::VarGetDyn | Op::VarSetDyn, &Imm::Var { var, elem }) = (i.op, &i.imm) else { return false };
        let Some(&index) = self.consts.get(&i.args[0]) else { return false };
        let of = i.results.first().or(i.args.get(1)).map(|&v| self.shader.ty(v));
        let elem = elem.checked_add(index as u32);
        let found = elem.and_then(|e| self.shader.vars[var.0 as usize].elems.get(e as usize).copied());
        match (found, elem) {
            (None, _) | (_, None) if i.op == Op::VarSetDyn => return true,
            (None, _) | (_, None) => {
                i.args.clear();
                (i.op, i.imm) = (Op::Const, Imm::Bits(0));
                self.consts.insert(i.results[0], 0);
            }
            (Some(ty), Some(elem)) if Some(ty) == of => {
                i.args.remove(0);
                i.op = if i.op == Op::VarGetDyn { Op::VarGet } else { Op::VarSet };
                i.imm = Imm::Var { var, elem };
            }
            // An element of another type.
            (Some(_), Some(_)) => {}
        }
        false
    }

    /// The value of an offset whose indices are constants of 32 bits.
    fn offset(&self, i: &Inst) -> Option<u64> {
        let Imm::Strides(strides) = &i.imm else { return None };
        let sum = i.args.iter().zip(strides).try_fold(0u64, |sum, (a, &stride)| {
            let index = self.consts.get(a).filter(|_| self.shader.ty(*a) == Ty::I32)?;
            Some(index.saturating_mul(u64::from(stride)).saturating_add(sum))
        })?;
        Some(sum.min(u64::from(u32::MAX)))
    }

    /// Evaluates an operation on constants.
    fn fold(&mut self, i: &mut Inst) {
        if let (Op::Offset, Some(sum)) = (i.op, self.offset(i)) {
            i.args.clear();
            (i.op, i.imm) = (Op::Const, Imm::Bits(sum));
            self.consts.insert(i.results[0], sum);
            return;
        }
        if i.op.sig() == Sig::Free || i.op == Op::Const || i.results.len() != 1 {
            return;
        }
        let args: Option<SmallVec<[u64; 4]>> = i.args.iter().map(|a| self.consts.get(a).copied()).collect();
        let Some(args) = args else { return };
        let tys: SmallVec<[Ty; 4]> = i.args.iter().map(|&a| self.shader.ty(a)).collect();
        if tys.iter().any(|t| matches!(t, Ty::Buffer | Ty::Image)) {
            return;
        }
        let result = self.shader.ty(i.results[0]);
        let bits = match crate::ops::has_row(i.op) {
            true => crate::ops::eval(i.op, &tys, result, &args),
            // The derivative of a finite constant is 0; that of another constant is NaN where the partner is active.
            false if crate::ops::eval(Op::FSub, &[result; 2], result, &[args[0]; 2]) == 0 => 0,
            false => return,
        };
        i.op = Op::Const;
        i.args.clear();
        i.imm = Imm::Bits(bits);
        self.consts.insert(i.results[0], bits);
    }
}

#[cfg(test)]
mod tests;
