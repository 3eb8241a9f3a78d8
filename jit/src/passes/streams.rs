//! Loads runs of words where each invocation reads its own part of a buffer word by word, in a loop.
//!
//! Such loads are gathers, of which processors do few. A loop that only reads therefore loads four words of each invocation
//! at once, which are vector loads and transposes, and does the four iterations that take them in one. Each run is loaded one
//! run ahead of its first use: addresses are often made of its words, and accesses at those would wait for it. Loops that may
//! write are left alone, as are offsets that advance from lane to lane: these are vector loads anyway.
//!
//! The words of the next iterations lie behind the first if its offset is far from the greatest: the offset before one that
//! wraps is beyond [`FAR`]. One that saturates lower is out of reach, and so are the words of two runs behind it. While an invocation of the group is there, each word is loaded by itself. The interpreter,
//! which runs the shader from before all passes, is the slow twin.

mod find;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::copy::Copies;
use crate::error::Result;
use crate::ir::{
    End, GroupOp, If, Imm, Inst, Label, Loop, Mem, Node, Op, Region, Shader, Src, Ty, Value, Var, VarDecl,
};

/// Words that are loaded at once.
const RUN: u32 = 4;
/// Most loads of a loop that are changed, each of which keeps two runs.
const MOST: usize = 3;
/// Offsets up to this one do not wrap within two runs.
const FAR: u64 = u32::MAX as u64 - 64;

/// Changes loads in loops. Returns true if there is any; its state is then in variables.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn streams(shader: &mut Shader, lanes: u32) -> Result<bool> {
    let mut by_address = false;
    crate::ir::each_inst(&shader.body, &mut |i| by_address |= i.op == Op::AddressBuffer);
    if !by_address {
        return Ok(false);
    }
    let found = find::streams(shader, lanes)?;
    if found.is_empty() {
        return Ok(false);
    }
    let mut body = std::mem::take(&mut shader.body);
    let mut change = Streams { shader, loops: FxHashMap::default(), loads: FxHashMap::default() };
    for (label, loads) in found {
        for (load, ty) in loads.into_iter().take(MOST) {
            let var = change.state(ty);
            change.loops.entry(label).or_default().push(var);
            change.loads.insert(load, var);
        }
    }
    change.region(&mut body)?;
    shader.body = body;
    Ok(true)
}

/// A load by its result, and the loop that it is in.
type Found = FxHashMap<Label, SmallVec<[(Value, Ty); 4]>>;

/// Elements of the variable of a load behind the words of its run: the words of the next run, and a number, the same in all
/// invocations, that is 0 while there is no next run.
const NEXT: u32 = RUN;
const READY: u32 = NEXT + RUN;

struct Streams<'a> {
    shader: &'a mut Shader,
    /// Variables of the loads in each loop.
    loops: FxHashMap<Label, Vec<Var>>,
    loads: FxHashMap<Value, Var>,
}

/// The loads of one of the iterations that are done at once: the variable of each, by its result.
struct Turn {
    number: u32,
    loads: FxHashMap<Value, Var>,
}

/// Emits instructions to a list.
struct Emit<'a> {
    shader: &'a mut Shader,
    nodes: Vec<Node>,
    src: Src,
}

impl Emit<'_> {
    fn put(&mut self, op: Op, args: &[Value], imm: Imm, tys: &[Ty]) -> SmallVec<[Value; 4]> {
        let results: SmallVec<[Value; 4]> = tys.iter().map(|&ty| self.shader.new_value(ty)).collect();
        let inst = Inst { op, args: args.into(), results: results.clone(), imm, src: self.src };
        self.nodes.push(Node::Inst(inst));
        results
    }

    fn constant(&mut self, ty: Ty, bits: u64) -> Value {
        self.put(Op::Const, &[], Imm::Bits(bits), &[ty])[0]
    }

    fn get(&mut self, var: Var, elem: u32) -> Value {
        let ty = self.shader.vars[var.0 as usize].elems[elem as usize];
        self.put(Op::VarGet, &[], Imm::Var { var, elem }, &[ty])[0]
    }

    fn set(&mut self, var: Var, elem: u32, v: Value) {
        self.put(Op::VarSet, &[v], Imm::Var { var, elem }, &[]);
    }

    fn set_all(&mut self, var: Var, from: u32, values: &[Value]) {
        for (elem, &v) in (from..).zip(values) {
            self.set(var, elem, v);
        }
    }

    fn is_zero(&mut self, v: Value) -> Value {
        let none = self.constant(Ty::I32, 0);
        self.put(Op::IEq, &[v, none], Imm::None, &[Ty::Bool])[0]
    }

    /// Emits a selection without results; `then` and `els` emit its arms.
    fn either(
        &mut self,
        cond: Value,
        then: &mut dyn FnMut(&mut Emit<'_>),
        els: &mut dyn FnMut(&mut Emit<'_>),
    ) {
        let mut arm = |body: &mut dyn FnMut(&mut Emit<'_>)| {
            let mut inner = Emit { shader: self.shader, nodes: Vec::new(), src: self.src };
            body(&mut inner);
            Region { nodes: inner.nodes, end: End::Yield(Vec::new()) }
        };
        let (then, els) = (arm(then), arm(els));
        let node = If { cond, then, els, results: Vec::new(), src: self.src };
        self.nodes.push(Node::If(Box::new(node)));
    }
}

impl Streams<'_> {
    /// The variable of a load of words of type `ty`.
    fn state(&mut self, ty: Ty) -> Var {
        let mut elems = vec![ty; READY as usize];
        elems.push(Ty::I32);
        self.shader.vars.push(VarDecl { name: String::new(), elems });
        Var(self.shader.vars.len() as u32 - 1)
    }

    fn region(&mut self, region: &mut Region) -> Result<()> {
        let nodes = std::mem::take(&mut region.nodes);
        for mut node in nodes {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(_) => {}
                Node::If(n) => {
                    self.region(&mut n.then)?;
                    self.region(&mut n.els)?;
                }
                Node::Block(n) => self.region(&mut n.body)?,
                Node::Loop(n) => {
                    if let Some(vars) = self.loops.remove(&n.label) {
                        let mut e = Emit { shader: self.shader, nodes: Vec::new(), src: n.src };
                        for var in vars {
                            let none = e.constant(Ty::I32, 0);
                            e.set(var, READY, none);
                        }
                        region.nodes.append(&mut e.nodes);
                        self.by_runs(n)?;
                    } else {
                        self.region(&mut n.body)?;
                    }
                }
            }
            region.nodes.push(node);
        }
        Ok(())
    }

    /// Makes one iteration of the iterations that take the words of a run.
    fn by_runs(&mut self, n: &mut Loop) -> Result<()> {
        let End::Yield(next) = &n.body.end else { return Ok(()) };
        let (original, next) = (n.body.nodes.clone(), next.clone());
        let (params, mut start): (Vec<Value>, Vec<Value>) = n.params.iter().map(|p| (p.0, p.0)).unzip();
        n.body.nodes.clear();
        for number in 0..RUN {
            let now = params.iter().copied().zip(start).collect();
            let mut copies = Copies::new(&mut self.shader.values, &mut self.shader.n_labels, now);
            let mut nodes: Vec<Node> = original.iter().map(|node| copies.node(node)).collect();
            start = copies.all(&next);
            let loads = self.loads.iter().map(|(&load, &var)| (copies.value(load), var)).collect();
            self.turn(&mut nodes, &Turn { number, loads })?;
            n.body.nodes.append(&mut nodes);
        }
        n.body.end = End::Yield(start);
        Ok(())
    }

    /// Changes the loads of an iteration.
    fn turn(&mut self, nodes: &mut Vec<Node>, turn: &Turn) -> Result<()> {
        for mut node in std::mem::take(nodes) {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    if let Some(&var) = i.results.first().and_then(|r| turn.loads.get(r)) {
                        nodes.extend(self.load(i, var, turn.number));
                        continue;
                    }
                }
                Node::If(n) => {
                    self.turn(&mut n.then.nodes, turn)?;
                    self.turn(&mut n.els.nodes, turn)?;
                }
                Node::Block(n) => self.turn(&mut n.body.nodes, turn)?,
                Node::Loop(n) => self.turn(&mut n.body.nodes, turn)?,
            }
            nodes.push(node);
        }
        Ok(())
    }

    /// Begins a run in the first iteration, and takes its word in each.
    fn load(&mut self, i: &Inst, var: Var, number: u32) -> Vec<Node> {
        let mut e = Emit { shader: self.shader, nodes: Vec::new(), src: i.src };
        if number == 0 {
            begin(&mut e, i, var);
        } else {
            let ready = e.get(var, READY);
            let alone = e.is_zero(ready);
            e.either(
                alone,
                &mut |e| {
                    let ty = e.shader.ty(i.results[0]);
                    let word = e.put(Op::LoadBuffer, &i.args, i.imm.clone(), &[ty])[0];
                    e.set(var, number, word);
                },
                &mut |_| {},
            );
        }
        let (args, imm) = (SmallVec::new(), Imm::Var { var, elem: number });
        let taken = Inst { op: Op::VarGet, args, results: i.results.clone(), imm, src: i.src };
        e.nodes.push(Node::Inst(taken));
        e.nodes
    }
}

/// Begins the run of a load with its next run, and loads the one after that.
fn begin(e: &mut Emit<'_>, i: &Inst, var: Var) {
    let (handle, offset) = (i.args[0], i.args[1]);
    let ty = e.shader.ty(i.results[0]);
    let mem = match i.imm {
        Imm::Mem(mem) => Imm::Mem(Mem { stride: ty.bytes(), ..mem }),
        _ => Imm::None,
    };
    let ready = e.get(var, READY);
    let first = e.is_zero(ready);
    e.either(
        first,
        &mut |e| {
            let words = e.put(Op::LoadBuffer, &[handle, offset], mem.clone(), &[ty; RUN as usize]);
            e.set_all(var, 0, &words);
        },
        &mut |e| {
            let words: SmallVec<[Value; 4]> = (0..RUN).map(|k| e.get(var, NEXT + k)).collect();
            e.set_all(var, 0, &words);
        },
    );
    let length = e.constant(Ty::I32, u64::from(RUN * ty.bytes()));
    let behind = e.put(Op::IAdd, &[offset, length], Imm::None, &[Ty::I32])[0];
    let words = e.put(Op::LoadBuffer, &[handle, behind], mem, &[ty; RUN as usize]);
    e.set_all(var, NEXT, &words);
    let [near, none, one] = [FAR, 0, 1].map(|k| e.constant(Ty::I32, k));
    let far = e.put(Op::ULt, &[near, offset], Imm::None, &[Ty::Bool])[0];
    let far = e.put(Op::Group, &[far], Imm::Group(GroupOp::Anywhere), &[Ty::Bool])[0];
    let ready = e.put(Op::Select, &[far, none, one], Imm::None, &[Ty::I32])[0];
    e.set(var, READY, ready);
}
