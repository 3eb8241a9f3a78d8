//! Trees in parts, which are built in parallel, and their concatenation.

use crate::layout::{Block, LEAF, Node, WIDTH};
use crate::threads::{self, prelude::*};

use super::refs::{Bounds, Ref};
use super::{BuildError, with_room};

/// Primitives from which the children of a node are built in parallel.
const PARALLEL: usize = 1 << 14;

/// `true` if one thread builds a tree of so many primitives. The tree is the same as that of parts.
pub fn is_serial(primitives: usize) -> bool {
    primitives <= PARALLEL || threads::current() == 1
}

/// Nodes and blocks of a tree whose indices begin with 0.
#[derive(Default)]
pub struct Local {
    pub nodes: Vec<Node>,
    pub blocks: Vec<Block>,
}

/// Writer of leaves.
pub trait Leaves: Sync {
    /// Largest number of primitives in a leaf.
    const CAPACITY: usize;
    /// `true` if leaves are indices of blocks.
    const BLOCKS: bool;
    /// Writes a leaf; returns the child and its extra word.
    fn leaf(&self, refs: &[Ref], out: &mut Local) -> (u32, u32);
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

/// Counts of nodes and blocks.
#[derive(Clone, Copy, Default)]
struct Offset {
    nodes: usize,
    blocks: usize,
}

/// Concatenates the parts of a tree.
pub fn concatenate<L: Leaves>(part: Part) -> Result<Local, BuildError> {
    if let Part::Local(local) = part {
        return Ok(local);
    }
    let mut pieces = Vec::new();
    let mut end = Offset::default();
    let (child, extra) = place::<L>(part, &mut pieces, &mut end);
    debug_assert!(child == 0 && extra == 0, "the root is a node");
    let mut nodes: Vec<Node> = with_room(end.nodes)?;
    let mut blocks: Vec<Block> = with_room(end.blocks)?;
    // Pieces lie one after another; each adds its offset to its children.
    pieces.par_iter_mut().for_each(|(offset, local)| {
        for child in local.nodes.iter_mut().filter(|_| offset.nodes + offset.blocks > 0) {
            shift::<L>(child, *offset);
        }
    });
    threads::join(
        || pieces.iter().for_each(|(_, local)| nodes.extend_from_slice(&local.nodes)),
        || pieces.iter().for_each(|(_, local)| blocks.extend_from_slice(&local.blocks)),
    );
    Ok(Local { nodes, blocks })
}

/// Adds the offset of its piece to the children of a node.
fn shift<L: Leaves>(node: &mut Node, offset: Offset) {
    for child in 0..WIDTH {
        let word = &mut node.children[child];
        if *word == u32::MAX {
            continue;
        }
        if *word & LEAF == 0 {
            *word += offset.nodes as u32;
        } else if L::BLOCKS {
            *word += offset.blocks as u32;
        }
    }
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
