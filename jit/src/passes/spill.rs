//! Moves values that are live for long to variables in memory.
//!
//! Register allocation takes time and stack for each value at each point that it is live across, which is too much for
//! a huge shader whose values come as SSA. Here, such a value is stored when it is defined and loaded close to each use.
//! Results of constructs and parameters of loops are stored where control leaves for them, so that no edge passes them.
//! Values that are live at different times share elements of the variables. Constants and descriptors are repeated
//! instead. Other handles stay, and so do 64-bit integers, which may be the base or the size of a buffer. In shaders with
//! barriers, uniform values stay, because a variable is not uniform, and barriers need uniform control flow.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::uniformity::Uniformity;
use crate::error::Result;
use crate::ir::{End, Imm, Inst, Label, Node, Op, Region, Shader, Src, Ty, Value, Var, VarDecl, each_inst};

/// Number of nodes that a value may be live across in a shader that is too large otherwise.
pub const LONG: u32 = 32;
/// Number of nodes of a region after which a loaded value is loaded again.
const NEAR: usize = 16;

/// Positions of a value in tree order.
#[derive(Clone, Copy, Default)]
struct Life {
    /// First store: the definition; for results of constructs and parameters of loops, the start of the construct.
    from: u32,
    /// The definition.
    def: u32,
    /// Last use; for a use in a loop that begins after the definition, the end of the loop.
    last: u32,
}

/// Measures lives.
struct Measure {
    at: u32,
    lives: Vec<Life>,
    /// Start of each open loop, and the values from before it that it uses.
    loops: Vec<(u32, Vec<Value>)>,
}

impl Measure {
    fn define(&mut self, v: Value, from: u32) {
        self.lives[v.0 as usize] = Life { from, def: self.at, last: self.at };
    }

    fn uses(&mut self, values: &[Value]) {
        for &v in values {
            let life = &mut self.lives[v.0 as usize];
            life.last = life.last.max(self.at);
            let def = life.def;
            // The outermost loop that begins after the definition.
            let outer = self.loops.partition_point(|(start, _)| *start <= def);
            if let Some((_, used)) = self.loops.get_mut(outer) {
                used.push(v);
            }
        }
    }

    fn region(&mut self, region: &Region) -> Result<()> {
        for node in &region.nodes {
            crate::budget::work(1)?;
            self.at += 1;
            let from = self.at;
            match node {
                Node::Inst(i) => {
                    self.uses(&i.args);
                    i.results.iter().for_each(|&v| self.define(v, from));
                    continue;
                }
                Node::If(n) => {
                    self.uses(&[n.cond]);
                    self.region(&n.then)?;
                    self.region(&n.els)?;
                    n.results.iter().for_each(|&v| self.define(v, from));
                }
                Node::Block(n) => {
                    self.region(&n.body)?;
                    n.results.iter().for_each(|&v| self.define(v, from));
                }
                Node::Loop(n) => {
                    n.params.iter().for_each(|p| self.uses(&[p.1]));
                    n.params.iter().for_each(|p| self.define(p.0, from));
                    self.at += 1;
                    // Parameters are defined before the loop's first position: every use of them lasts to its end.
                    self.loops.push((self.at, Vec::new()));
                    self.region(&n.body)?;
                    let (_, used) = self.loops.pop().unwrap_or_default();
                    for v in used {
                        self.lives[v.0 as usize].last = self.at;
                    }
                    n.results.iter().for_each(|&v| self.define(v, from));
                }
            }
        }
        self.at += 1;
        match &region.end {
            End::Yield(args) | End::Break(_, args) => self.uses(args),
            End::Return | End::Kill | End::Unreachable => {}
        }
        Ok(())
    }
}

/// Place of a value in memory.
type Place = (Var, u32);

struct Spill<'a> {
    shader: &'a mut Shader,
    /// Place of each value that is moved.
    places: FxHashMap<Value, Place>,
    /// Constants and descriptors, which are repeated.
    repeated: FxHashMap<Value, Inst>,
    /// Places of the results that breaks to a label set; `None` for results that stay.
    label_places: FxHashMap<Label, Rc<[Option<Place>]>>,
}

/// Moves the values that are live across more than `span` nodes.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn spill(shader: &mut Shader, uniformity: &Uniformity, span: u32) -> Result<()> {
    let lives = vec![Life::default(); shader.values.len()];
    let mut measure = Measure { at: 0, lives, loops: Vec::new() };
    measure.region(&shader.body)?;
    let mut repeated = FxHashMap::default();
    each_inst(&shader.body, &mut |i| {
        if matches!(i.op, Op::Const | Op::BufferDescriptor | Op::ImageDescriptor) {
            repeated.insert(i.results[0], i.clone());
        }
    });
    let mut long: Vec<(Life, Value)> = (0..)
        .map(Value)
        .zip(measure.lives)
        .filter(|(v, life)| {
            let ty = shader.ty(*v);
            let uniform = shader.has_barrier && !uniformity.varying[v.0 as usize];
            let kept = !ty.is_plain() || ty == Ty::I64 || uniform || repeated.contains_key(v);
            !kept && life.last - life.def > span
        })
        .map(|(v, life)| (life, v))
        .collect();
    long.sort_unstable_by_key(|(life, v)| (life.from, *v));
    let places = place(shader, &long);
    let mut body = std::mem::take(&mut shader.body);
    let mut s = Spill { shader, places, repeated, label_places: FxHashMap::default() };
    s.region(&mut body, &[])?;
    shader.body = body;
    Ok(())
}

/// Gives each value an element of the variable for its type. Values whose lives overlap get different elements.
fn place(shader: &mut Shader, long: &[(Life, Value)]) -> FxHashMap<Value, Place> {
    /// Variable of a type: the ends of the lives in its elements, and the free elements.
    struct Shared {
        var: Var,
        busy: BinaryHeap<Reverse<(u32, u32)>>,
        free: Vec<u32>,
    }
    let mut shared: FxHashMap<Ty, Shared> = FxHashMap::default();
    let mut places = FxHashMap::default();
    for &(life, v) in long {
        let ty = shader.ty(v);
        let of = shared.entry(ty).or_insert_with(|| {
            shader.vars.push(VarDecl { elems: Vec::new(), name: format!("spilled {ty:?}") });
            let var = Var(shader.vars.len() as u32 - 1);
            Shared { var, busy: BinaryHeap::new(), free: Vec::new() }
        });
        while let Some(&Reverse((last, elem))) = of.busy.peek()
            && last < life.from
        {
            of.busy.pop();
            of.free.push(elem);
        }
        let elems = &mut shader.vars[of.var.0 as usize].elems;
        let elem = of.free.pop().unwrap_or_else(|| {
            elems.push(ty);
            elems.len() as u32 - 1
        });
        of.busy.push(Reverse((life.last, elem)));
        places.insert(v, (of.var, elem));
    }
    places
}

/// Values of a region that are in registers: the name of each, and the number of nodes before it.
type Loaded = FxHashMap<Value, (Value, usize)>;

impl Spill<'_> {
    fn access(op: Op, (var, elem): Place, value: Value, src: Src) -> Node {
        let (args, results) = match op {
            Op::VarSet => (smallvec![value], SmallVec::new()),
            _ => (SmallVec::new(), smallvec![value]),
        };
        Node::Inst(Inst { op, args, results, imm: Imm::Var { var, elem }, src })
    }

    /// Replaces a use, and loads the value before it if it is in memory.
    fn load(&mut self, v: &mut Value, nodes: &mut Vec<Node>, loaded: &mut Loaded, src: Src) {
        let (place, mut repeated) = (self.places.get(v).copied(), self.repeated.get(v).cloned());
        if place.is_none() && repeated.is_none() {
            return;
        }
        if let Some(&(name, at)) = loaded.get(v)
            && nodes.len() - at <= NEAR
        {
            *v = name;
            return;
        }
        let name = self.shader.new_value(self.shader.ty(*v));
        nodes.extend(place.map(|place| Self::access(Op::VarGet, place, name, src)));
        for arg in repeated.iter_mut().flat_map(|i| &mut i.args) {
            self.load(arg, nodes, loaded, src);
        }
        nodes.extend(repeated.map(|i| Node::Inst(Inst { results: smallvec![name], ..i })));
        loaded.insert(*v, (name, nodes.len()));
        *v = name;
    }

    /// Places of values; `None` for those that stay.
    fn places_of(&self, values: impl IntoIterator<Item = Value>) -> Rc<[Option<Place>]> {
        values.into_iter().map(|v| self.places.get(&v).copied()).collect()
    }

    /// Stores the arguments at the end of a region that have places, and removes them.
    fn leave(&mut self, args: &mut Vec<Value>, places: &[Option<Place>], nodes: &mut Vec<Node>) {
        let mut places = places.iter();
        args.retain(|&v| match places.next().copied().flatten() {
            Some(place) => {
                nodes.push(Self::access(Op::VarSet, place, v, Src::default()));
                false
            }
            None => true,
        });
    }

    /// Rewrites a region; `yields` are the places of what its `Yield` carries.
    fn region(&mut self, region: &mut Region, yields: &[Option<Place>]) -> Result<()> {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        let mut loaded = Loaded::default();
        for mut node in std::mem::take(&mut region.nodes) {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    let src = i.src;
                    for v in &mut i.args {
                        self.load(v, &mut nodes, &mut loaded, src);
                    }
                    let stores: SmallVec<[(Value, Place); 4]> =
                        i.results.iter().filter_map(|&v| Some((v, *self.places.get(&v)?))).collect();
                    nodes.push(node);
                    for (v, place) in stores {
                        nodes.push(Self::access(Op::VarSet, place, v, src));
                        loaded.insert(v, (v, nodes.len()));
                    }
                    continue;
                }
                Node::If(n) => {
                    self.load(&mut n.cond, &mut nodes, &mut loaded, n.src);
                    let places = self.places_of(n.results.iter().copied());
                    self.region(&mut n.then, &places)?;
                    self.region(&mut n.els, &places)?;
                    n.results.retain(|v| !self.places.contains_key(v));
                }
                Node::Block(n) => {
                    let places = self.places_of(n.results.iter().copied());
                    self.label_places.insert(n.label, places.clone());
                    self.region(&mut n.body, &places)?;
                    n.results.retain(|v| !self.places.contains_key(v));
                }
                Node::Loop(n) => {
                    let places = self.places_of(n.results.iter().copied());
                    self.label_places.insert(n.label, places);
                    let params = self.places_of(n.params.iter().map(|p| p.0));
                    let mut inits: Vec<Value> = n.params.iter().map(|p| p.1).collect();
                    for v in &mut inits {
                        self.load(v, &mut nodes, &mut loaded, n.src);
                    }
                    n.params.retain(|p| !self.places.contains_key(&p.0));
                    self.leave(&mut inits, &params, &mut nodes);
                    n.params.iter_mut().zip(inits).for_each(|(p, init)| p.1 = init);
                    self.region(&mut n.body, &params)?;
                    n.results.retain(|v| !self.places.contains_key(v));
                }
            }
            nodes.push(node);
            // A value that is loaded before a construct is not kept across it.
            loaded.clear();
        }
        let places = match &region.end {
            End::Yield(_) => yields.into(),
            End::Break(label, _) => self.label_places.get(label).cloned().unwrap_or_default(),
            End::Return | End::Kill | End::Unreachable => Rc::default(),
        };
        if let End::Yield(args) | End::Break(_, args) = &mut region.end {
            for v in args.iter_mut() {
                self.load(v, &mut nodes, &mut loaded, Src::default());
            }
            self.leave(args, &places, &mut nodes);
        }
        region.nodes = nodes;
        Ok(())
    }
}
