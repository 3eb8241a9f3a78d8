//! Counts of an instruction, of a line and of an entry point.

use quadrille_jit::ir::{If, Inst, Node, Region};

/// Counts at one place of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Instructions that lane groups executed.
    pub issued: u64,
    /// Lanes of these instructions, and active lanes among them.
    pub lanes: u64,
    pub active: u64,
    /// Active lanes of the most often executed instruction, without helper invocations.
    pub hits: u64,
    /// Of these, the lanes whose first operand was true, if it is a truth value.
    pub held: u64,
    /// Bytes that lanes read and wrote, in buffers and in workgroup memory.
    pub read: [u64; 2],
    pub written: [u64; 2],
    /// Image operations of lanes.
    pub images: u64,
    /// Bytes of texels that these operations read and wrote.
    pub texels: [u64; 2],
}

impl Counts {
    pub fn add(&mut self, other: &Counts) {
        self.issued += other.issued;
        self.lanes += other.lanes;
        self.active += other.active;
        self.hits += other.hits;
        self.held += other.held;
        for i in 0..2 {
            self.read[i] += other.read[i];
            self.written[i] += other.written[i];
            self.texels[i] += other.texels[i];
        }
        self.images += other.images;
    }
}

/// Counts of an entry point.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    /// By index of the instruction, in the order of the shader.
    pub insts: Vec<Counts>,
    /// By index of the branch: lanes that took each side, without helper invocations.
    pub branches: Vec<[u64; 2]>,
    /// Invocations without helpers.
    pub invocations: u64,
}

impl Totals {
    pub fn new(n_insts: usize, n_branches: usize) -> Totals {
        Totals { insts: vec![Counts::default(); n_insts], branches: vec![[0; 2]; n_branches], invocations: 0 }
    }

    pub fn add(&mut self, other: &Totals) {
        self.insts.iter_mut().zip(&other.insts).for_each(|(to, from)| to.add(from));
        for (to, from) in self.branches.iter_mut().zip(&other.branches) {
            to[0] += from[0];
            to[1] += from[1];
        }
        self.invocations += other.invocations;
    }
}

/// Calls `inst` and `branch` for everything in a region, in the order of the shader.
pub(crate) fn walk(region: &Region, inst: &mut impl FnMut(&Inst), branch: &mut impl FnMut(&If)) {
    for node in &region.nodes {
        match node {
            Node::Inst(i) => inst(i),
            Node::If(node) => {
                branch(node);
                walk(&node.then, inst, branch);
                walk(&node.els, inst, branch);
            }
            Node::Block(node) => walk(&node.body, inst, branch),
            Node::Loop(node) => walk(&node.body, inst, branch),
        }
    }
}
