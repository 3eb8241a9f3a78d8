//! Folds constants, shares equal computations, and removes selections without effect.
//!
//! A single traversal in execution order. A region shares its computations with the regions inside it, but never with
//! sibling regions. Loads are shared if no write can lie in between.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{End, Imm, Inst, Node, Op, Region, ResourceKind, Shader, Sig, Stage, Ty, Value};

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
}

/// Folds, shares and simplifies.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn simplify(shader: &mut Shader) -> Result<()> {
    let mut body = std::mem::take(&mut shader.body);
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
    };
    s.region(&mut body)?;
    let subst = s.subst;
    super::map_uses(&mut body, &|v| subst.get(&v).copied().unwrap_or(v));
    shader.body = body;
    Ok(())
}

impl Simplify<'_> {
    fn region(&mut self, region: &mut Region) -> Result<()> {
        self.scopes.push(Vec::new());
        let nodes = std::mem::take(&mut region.nodes);
        region.nodes.reserve(nodes.len());
        for mut node in nodes {
            crate::budget::work(2)?;
            match &mut node {
                Node::Inst(i) => {
                    for a in &mut i.args {
                        if let Some(&s) = self.subst.get(a) {
                            *a = s;
                        }
                    }
                    if self.inst(i) {
                        continue;
                    }
                }
                Node::If(n) => {
                    if let Some(&s) = self.subst.get(&n.cond) {
                        n.cond = s;
                    }
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
                }
                Node::Block(n) => self.region(&mut n.body)?,
                Node::Loop(n) => {
                    // A parameter that keeps its initial value equals that value.
                    if let End::Yield(next) = &n.body.end {
                        for (&(p, init), &next) in n.params.iter().zip(next) {
                            let (init, next) = (self.resolve(init), self.resolve(next));
                            if next == p || next == init {
                                self.subst.insert(p, init);
                            }
                        }
                    }
                    self.region(&mut n.body)?;
                }
            }
            region.nodes.push(node);
        }
        for k in self.scopes.pop().unwrap_or_default() {
            self.seen.remove(&k);
        }
        Ok(())
    }

    fn resolve(&self, v: Value) -> Value {
        self.subst.get(&v).copied().unwrap_or(v)
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
