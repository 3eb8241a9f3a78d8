//! Trees in parts, which are built in parallel, and their concatenation.
//!
//! Parts consist of nodes and of the sizes of their leaves. Blocks, which take most of the memory, are written once, to
//! their final places: their primitives lie in the order of the leaves.

use crate::layout::{BLOCK, Block, LEAF, Node};
use crate::threads;

use super::refs::{Bounds, Ref};
use super::{BuildError, with_room};

/// Primitives from which the children of a node are built in parallel.
const PARALLEL: usize = 1 << 14;

/// `true` if one thread builds a tree of so many primitives. The tree is the same as that of parts.
pub fn is_serial(primitives: usize) -> bool {
    primitives <= PARALLEL || threads::current() == 1
}

/// Leaves of a tree.
pub trait Leaves: Sync {
    /// Largest number of primitives in a leaf.
    const CAPACITY: usize;
    /// `true` if leaves are indices of blocks.
    const BLOCKS: bool;
    /// The child that is a primitive, and its extra word. Not called if leaves are blocks.
    fn child(&self, r: &Ref) -> (u32, u32);
    /// The block of up to four primitives.
    fn block(&self, refs: &[Ref]) -> Block;
}

/// Nodes of a tree whose indices begin with 0, and the number of primitives of each block.
#[derive(Default)]
pub struct Local {
    pub nodes: Vec<Node>,
    blocks: Vec<u8>,
}

impl Local {
    /// Room for the tree of some primitives.
    pub fn with_room<L: Leaves>(primitives: usize) -> Local {
        let blocks = if L::BLOCKS { primitives * 2 / 5 + 1 } else { 0 };
        Local {
            nodes: Vec::with_capacity(primitives / (3 * L::CAPACITY) + 1),
            blocks: Vec::with_capacity(blocks),
        }
    }

    /// Appends a leaf; returns the child and its extra word.
    pub fn leaf<L: Leaves>(&mut self, leaves: &L, refs: &[Ref]) -> (u32, u32) {
        if !L::BLOCKS {
            return leaves.child(&refs[0]);
        }
        debug_assert!(refs.len() <= BLOCK);
        self.blocks.push(refs.len() as u8);
        (LEAF | (self.blocks.len() - 1) as u32, 0)
    }
}

/// A part of a tree.
pub enum Part {
    /// A leaf; an index is relative to the only block.
    Leaf(u32, u32, Local),
    /// A small tree.
    Local(Local),
    /// A node whose children are parts.
    Wide(Vec<(Bounds, Part)>),
}

/// A tree.
#[derive(Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub blocks: Vec<Block>,
}

/// Counts of nodes and blocks.
#[derive(Clone, Copy, Default)]
struct Offset {
    nodes: usize,
    blocks: usize,
}

/// Concatenates the parts of a tree of some primitives, which are in the order of the leaves.
pub fn concatenate<L: Leaves>(leaves: &L, part: Part, refs: &[Ref]) -> Result<Tree, BuildError> {
    let mut pieces = Vec::new();
    let mut end = Offset::default();
    let (child, extra) = place::<L>(part, &mut pieces, &mut end);
    debug_assert!(child == 0 && extra == 0, "the root is a node");
    let mut nodes: Vec<Node> = with_room(end.nodes)?;
    let mut blocks: Vec<Block> = with_room(end.blocks)?;
    let mut starts: Vec<u32> = with_room(end.blocks + 1)?;
    // Pieces lie one after another; each adds its offset to its children.
    let write_nodes = || {
        for (offset, local) in &pieces {
            nodes.extend(local.nodes.iter().map(|node| shifted::<L>(*node, *offset)));
        }
    };
    let write_blocks = || {
        let mut next = 0;
        for &count in pieces.iter().flat_map(|(_, local)| &local.blocks) {
            starts.push(next);
            next += u32::from(count);
        }
        starts.push(next);
        let range = |block: usize| starts[block] as usize..starts[block + 1] as usize;
        threads::fill(&mut blocks, end.blocks, 256, |block| leaves.block(&refs[range(block)]));
    };
    threads::join(write_nodes, write_blocks);
    Ok(Tree { nodes, blocks })
}

/// A node of a piece, whose children have the offset of the piece. Nodes of pieces without an offset are final.
fn shifted<L: Leaves>(mut node: Node, offset: Offset) -> Node {
    for word in &mut node.children {
        if *word == u32::MAX {
            continue;
        }
        if *word & LEAF == 0 {
            *word += offset.nodes as u32;
        } else if L::BLOCKS {
            *word += offset.blocks as u32;
        }
    }
    node
}

/// Lists the pieces of a part; returns its child and extra word.
fn place<L: Leaves>(part: Part, pieces: &mut Vec<(Offset, Local)>, end: &mut Offset) -> (u32, u32) {
    let at = *end;
    match part {
        Part::Leaf(child, extra, local) => {
            end.blocks += local.blocks.len();
            pieces.push((at, local));
            (if L::BLOCKS { child + at.blocks as u32 } else { child }, extra)
        }
        Part::Local(local) => {
            end.nodes += local.nodes.len();
            end.blocks += local.blocks.len();
            pieces.push((at, local));
            (at.nodes as u32, 0)
        }
        Part::Wide(children) => {
            let piece = pieces.len();
            pieces.push((Offset::default(), Local::default()));
            end.nodes += 1;
            let mut node = Node::EMPTY;
            for (slot, (bounds, part)) in children.into_iter().enumerate() {
                let (lo, hi) = bounds.corners();
                node.set_bounds(slot, lo, hi);
                (node.children[slot], node.extra[slot]) = place::<L>(part, pieces, end);
            }
            // Its children are final already.
            pieces[piece].1.nodes.push(node);
            (at.nodes as u32, 0)
        }
    }
}
