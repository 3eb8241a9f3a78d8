//! Loads runs of words where each invocation reads its own part of a buffer word by word, in a loop.
//!
//! Such loads are gathers, of which processors do few. A loop that only reads therefore loads four words of each invocation
//! at once, which are vector loads and transposes, and takes them one by one in the next iterations. A load at an offset
//! that one of these words decides, as in a sparse matrix, goes with them, so that processors wait for four at once. Loops
//! that may write are left alone, as are offsets that advance from lane to lane: these are vector loads anyway.
//!
//! The words of the next iterations lie behind the first if its offset is far from the greatest: an offset that wraps or
//! saturates is beyond [`FAR`], and such invocations load each word. The interpreter, which runs the shader from before
//! all passes, is the slow twin.

mod find;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::error::Result;
use crate::ir::{End, If, Imm, Inst, Label, Mem, Node, Op, Region, Shader, Src, Ty, Value, Var, VarDecl};

/// Words that are loaded at once.
const RUN: u32 = 4;
/// Most loads of a loop that are changed, each of which keeps `RUN` values.
const MOST: usize = 3;
/// Offsets up to this one do not wrap within a run.
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
    let mut change = Streams {
        shader,
        loops: FxHashMap::default(),
        loads: FxHashMap::default(),
        seconds: FxHashMap::default(),
        defs: FxHashMap::default(),
    };
    for (label, streams) in found {
        for stream in streams {
            let var = change.state(stream.load);
            change.loops.entry(label).or_default().push(var);
            let then = stream.then.map(|then| {
                let second = change.state(then.load);
                change.seconds.insert(then.load, (second, var));
                (second, then)
            });
            change.loads.insert(stream.load, (var, then));
        }
    }
    let thens = change.loads.values().filter_map(|(_, second)| second.as_ref());
    let wanted: FxHashSet<Value> =
        thens.flat_map(|(_, then)| then.chain.iter().copied().chain([then.load])).collect();
    crate::ir::each_inst(&body, &mut |i| {
        if let Some(&v) = i.results.first().filter(|v| wanted.contains(v)) {
            change.defs.insert(v, i.clone());
        }
    });
    change.region(&mut body)?;
    shader.body = body;
    Ok(true)
}

/// A load of words that follow one another, by its result.
struct Stream {
    load: Value,
    /// A load that its word decides.
    then: Option<Then>,
}

/// A load whose offset follows from a word.
struct Then {
    load: Value,
    /// The first results of the operations between, in order.
    chain: Vec<Value>,
}

/// Loads, by the loop that they are in.
type Found = FxHashMap<Label, Vec<Stream>>;

/// Elements of the variable of a load: words of the run, words left, and true if the invocation has a run.
const LEFT: u32 = RUN;
const HAS_RUN: u32 = RUN + 1;

struct Streams<'a> {
    shader: &'a mut Shader,
    /// Variables of the loads in each loop.
    loops: FxHashMap<Label, Vec<Var>>,
    loads: FxHashMap<Value, (Var, Option<(Var, Then)>)>,
    /// Loads that go with others: their variable, and that of the stream.
    seconds: FxHashMap<Value, (Var, Var)>,
    /// Instructions that define values of chains, and the loads at their ends.
    defs: FxHashMap<Value, Inst>,
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

    /// Emits a selection; `then` and `els` emit its arms and return what they yield.
    fn either(
        &mut self,
        cond: Value,
        results: &[Value],
        then: &mut dyn FnMut(&mut Emit<'_>) -> Vec<Value>,
        els: &mut dyn FnMut(&mut Emit<'_>) -> Vec<Value>,
    ) {
        let mut arm = |body: &mut dyn FnMut(&mut Emit<'_>) -> Vec<Value>| {
            let mut inner = Emit { shader: self.shader, nodes: Vec::new(), src: self.src };
            let yielded = body(&mut inner);
            Region { nodes: inner.nodes, end: End::Yield(yielded) }
        };
        let (then, els) = (arm(then), arm(els));
        let node = If { cond, then, els, results: results.to_vec(), src: self.src };
        self.nodes.push(Node::If(Box::new(node)));
    }
}

impl Streams<'_> {
    /// The variable of a load.
    fn state(&mut self, load: Value) -> Var {
        let ty = self.shader.ty(load);
        let mut elems = vec![ty; RUN as usize];
        elems.extend([Ty::I32, Ty::Bool]);
        self.shader.vars.push(VarDecl { name: String::new(), elems });
        Var(self.shader.vars.len() as u32 - 1)
    }

    fn region(&mut self, region: &mut Region) -> Result<()> {
        let nodes = std::mem::take(&mut region.nodes);
        for mut node in nodes {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    let result = i.results.first().copied().unwrap_or(Value(u32::MAX));
                    if self.loads.contains_key(&result) {
                        region.nodes.extend(self.load(i));
                        continue;
                    }
                    if let Some(&(second, stream)) = self.seconds.get(&result) {
                        let mut e = Emit { shader: self.shader, nodes: Vec::new(), src: i.src };
                        e.take(second, stream, i);
                        region.nodes.append(&mut e.nodes);
                        continue;
                    }
                }
                Node::If(n) => {
                    self.region(&mut n.then)?;
                    self.region(&mut n.els)?;
                }
                Node::Block(n) => self.region(&mut n.body)?,
                Node::Loop(n) => {
                    let mut e = Emit { shader: self.shader, nodes: Vec::new(), src: n.src };
                    for &var in self.loops.get(&n.label).into_iter().flatten() {
                        let none = e.constant(Ty::I32, 0);
                        e.set(var, LEFT, none);
                    }
                    region.nodes.append(&mut e.nodes);
                    self.region(&mut n.body)?;
                }
            }
            region.nodes.push(node);
        }
        Ok(())
    }

    /// Takes the next word of a run, or loads the next run. All invocations in the loop have as many words left.
    fn load(&mut self, i: &Inst) -> Vec<Node> {
        let Some((var, second)) = self.loads.get(&i.results[0]) else { return Vec::new() };
        let (handle, offset, var) = (i.args[0], i.args[1], *var);
        let ty = self.shader.ty(i.results[0]);
        let mem = match i.imm {
            Imm::Mem(mem) => Mem { stride: ty.bytes(), ..mem },
            _ => Mem::default(),
        };
        let defs = &self.defs;
        let mut e = Emit { shader: self.shader, nodes: Vec::new(), src: i.src };
        let left = e.get(var, LEFT);
        let none = e.constant(Ty::I32, 0);
        let empty = e.put(Op::IEq, &[left, none], Imm::None, &[Ty::Bool])[0];
        e.either(
            empty,
            &[],
            &mut |e| {
                let words = e.put(Op::LoadBuffer, &[handle, offset], Imm::Mem(mem), &[ty; RUN as usize]);
                e.keep(var, &words);
                if let Some((second, then)) = second {
                    let loaded: Vec<Value> =
                        words.iter().filter_map(|&word| e.copy(then, i.results[0], word, defs)).collect();
                    e.keep(*second, &loaded);
                }
                let far = e.constant(Ty::I32, FAR);
                let has_run = e.put(Op::ULe, &[offset, far], Imm::None, &[Ty::Bool])[0];
                e.set(var, HAS_RUN, has_run);
                let rest = e.constant(Ty::I32, u64::from(RUN - 1));
                e.set(var, LEFT, rest);
                Vec::new()
            },
            &mut |e| {
                for var in [var].into_iter().chain(second.as_ref().map(|(second, _)| *second)) {
                    let words: Vec<Value> = (1..RUN).map(|k| e.get(var, k)).collect();
                    e.keep(var, &words);
                }
                let one = e.constant(Ty::I32, 1);
                let rest = e.put(Op::ISub, &[left, one], Imm::None, &[Ty::I32])[0];
                e.set(var, LEFT, rest);
                Vec::new()
            },
        );
        e.take(var, var, i);
        e.nodes
    }
}

impl Emit<'_> {
    /// Stores the words of a run, from the first on.
    fn keep(&mut self, var: Var, words: &[Value]) {
        for (k, &v) in (0..).zip(words) {
            self.set(var, k, v);
        }
    }

    /// Defines the result of a load: the first word of a run, or what the load reads where there is none.
    fn take(&mut self, var: Var, stream: Var, load: &Inst) {
        let (has_run, first) = (self.get(stream, HAS_RUN), self.get(var, 0));
        let ty = self.shader.ty(load.results[0]);
        self.either(has_run, &[load.results[0]], &mut |_| vec![first], &mut |e| {
            e.put(load.op, &load.args, load.imm.clone(), &[ty]).to_vec()
        });
    }

    /// Emits a load that follows from a word, for another word.
    fn copy(&mut self, then: &Then, from: Value, to: Value, defs: &FxHashMap<Value, Inst>) -> Option<Value> {
        let mut subst: FxHashMap<Value, Value> = [(from, to)].into_iter().collect();
        let mut last = None;
        for v in then.chain.iter().chain([&then.load]) {
            let i = defs.get(v)?;
            let args: SmallVec<[Value; 4]> =
                i.args.iter().map(|a| subst.get(a).copied().unwrap_or(*a)).collect();
            let tys: SmallVec<[Ty; 4]> = i.results.iter().map(|&r| self.shader.ty(r)).collect();
            let results = self.put(i.op, &args, i.imm.clone(), &tys);
            subst.extend(i.results.iter().copied().zip(results.iter().copied()));
            last = results.first().copied();
        }
        last
    }
}
