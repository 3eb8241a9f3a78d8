//! Definitions and uses of the values of a shader with matrices, by position.

use rustc_hash::FxHashMap;

use crate::ir::{End, Inst, Node, Op, Region, Shader, Value};

/// Position of an instruction: number of its region, index in it.
pub(super) type At = (usize, usize);

/// Definitions and uses.
pub(super) struct Walk<'s> {
    pub shader: &'s Shader,
    /// Nodes of each region, by its number.
    pub regions: Vec<&'s [Node]>,
    /// Position of each value's definition.
    pub defs: FxHashMap<Value, At>,
    /// Number of uses of each value, and the instruction that has the last.
    pub uses: FxHashMap<Value, (u32, At)>,
    /// Operations on matrices.
    pub products: Vec<(At, &'s Inst)>,
}

/// A value, and the conversion of it.
pub(super) type Origin<'s> = (Value, Option<&'s Inst>);

impl<'s> Walk<'s> {
    /// Visits a shader.
    pub fn of(shader: &'s Shader) -> Self {
        let mut walk = Walk {
            shader,
            regions: Vec::new(),
            defs: FxHashMap::default(),
            uses: FxHashMap::default(),
            products: Vec::new(),
        };
        walk.region(&shader.body);
        walk
    }

    fn use_(&mut self, v: Value, at: At) {
        let of = self.uses.entry(v).or_insert((0, at));
        *of = (of.0 + 1, at);
    }

    fn region(&mut self, region: &'s Region) {
        let number = self.regions.len();
        self.regions.push(&region.nodes);
        for (k, node) in region.nodes.iter().enumerate() {
            let at = (number, k);
            match node {
                Node::Inst(i) => {
                    i.args.iter().for_each(|&v| self.use_(v, at));
                    self.defs.extend(i.results.iter().map(|&v| (v, at)));
                    if i.op == Op::Matrix {
                        self.products.push((at, i));
                    }
                }
                Node::If(n) => {
                    self.use_(n.cond, at);
                    self.region(&n.then);
                    self.region(&n.els);
                }
                Node::Block(n) => self.region(&n.body),
                Node::Loop(n) => {
                    n.params.iter().for_each(|&(_, init)| self.use_(init, at));
                    self.region(&n.body);
                }
            }
        }
        let end = (number, region.nodes.len());
        match &region.end {
            End::Yield(args) | End::Break(_, args) => args.iter().for_each(|&v| self.use_(v, end)),
            End::Return | End::Kill | End::Unreachable => {}
        }
    }

    /// The value from which a scalar is converted, or the scalar. Values of narrow types are often loaded long before the
    /// product, and converted just before it.
    pub fn origin(&self, v: Value) -> Origin<'s> {
        match self.defs.get(&v).and_then(|&at| self.inst_at(at)) {
            Some(i) if matches!(i.op, Op::FConvert | Op::SConvert | Op::UConvert) => (i.args[0], Some(i)),
            _ => (v, None),
        }
    }

    /// The instruction at a position; `None` for a construct.
    pub fn inst_at(&self, at: At) -> Option<&'s Inst> {
        match self.regions[at.0].get(at.1)? {
            Node::Inst(i) => Some(i),
            Node::If(_) | Node::Block(_) | Node::Loop(_) => None,
        }
    }

    /// The only use of a value, if it is in this region.
    pub fn once(&self, v: Value, region: usize) -> Option<At> {
        self.uses.get(&v).filter(|of| of.0 == 1 && of.1.0 == region).map(|of| of.1)
    }

    /// `true` if the values are results of instructions of one region.
    pub fn is_together(&self, origins: &[Origin]) -> bool {
        let region = |(v, _): &Origin| self.defs.get(v).map(|at| at.0);
        let first = origins.first().and_then(region);
        first.is_some() && origins.iter().all(|v| region(v) == first)
    }
}
