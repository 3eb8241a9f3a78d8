//! Traversal of the instructions of a shader, for read-only users, and of its regions for passes that rewrite them. Passes that
//! follow values from region to region have a traversal of their own.

use smallvec::{SmallVec, smallvec};

use super::{If, Imm, Inst, Node, Op, Region, Shader};

/// Calls `f` on every instruction of a region, nested ones included, in order.
pub fn each_inst<'a>(region: &'a Region, f: &mut impl FnMut(&'a Inst)) {
    for node in &region.nodes {
        match node {
            Node::Inst(i) => f(i),
            Node::If(n) => {
                each_inst(&n.then, f);
                each_inst(&n.els, f);
            }
            Node::Block(n) => each_inst(&n.body, f),
            Node::Loop(n) => each_inst(&n.body, f),
        }
    }
}

/// The instructions of a region in order, nested ones included, for users that read them several times.
pub struct Insts<'a> {
    list: Vec<&'a Inst>,
    present: [bool; Op::ALL.len()],
}

impl<'a> Insts<'a> {
    /// Walks a region.
    pub fn of(region: &'a Region) -> Insts<'a> {
        let mut insts = Insts { list: Vec::new(), present: [false; Op::ALL.len()] };
        each_inst(region, &mut |i| {
            insts.list.push(i);
            insts.present[i.op as usize] = true;
        });
        insts
    }

    /// All instructions.
    pub fn iter(&self) -> impl Iterator<Item = &'a Inst> + '_ {
        self.list.iter().copied()
    }

    /// True if there is an instruction with this operation.
    pub fn contain(&self, op: Op) -> bool {
        self.present[op as usize]
    }
}

impl Node {
    /// The regions directly inside, in execution order.
    pub fn regions_mut(&mut self) -> SmallVec<[&mut Region; 2]> {
        match self {
            Node::Inst(_) => SmallVec::new(),
            Node::If(n) => {
                let If { then, els, .. } = &mut **n;
                SmallVec::from([then, els])
            }
            Node::Block(n) => smallvec![&mut n.body],
            Node::Loop(n) => smallvec![&mut n.body],
        }
    }
}

impl Shader {
    /// Returns true if an instruction prints.
    pub fn prints(&self) -> bool {
        let mut prints = false;
        each_inst(&self.body, &mut |i| prints |= i.op == Op::Printf);
        prints
    }

    /// Mask of the streams on which the shader emits vertices. Spec: SPIR-V, OpEmitVertex, OpEmitStreamVertex.
    pub fn emitted_streams(&self) -> u32 {
        let mut streams = 0;
        each_inst(&self.body, &mut |i| {
            if let (Op::EmitVertex, Imm::Stream(stream)) = (i.op, &i.imm) {
                streams |= 1 << stream;
            }
        });
        streams
    }
}
