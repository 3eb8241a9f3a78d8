//! Nodes of eight children, from halves of sets of primitives.

use crate::layout::{Node, WIDTH};
use crate::threads::prelude::*;

use super::parts::{Leaves, Local, Part, is_serial};
use super::refs::{Extent, Ref};
use super::split::{Rules, halve, split};

/// A set of primitives: the first place and the one after the last, in the list of its parent.
#[derive(Clone, Copy)]
struct Set {
    start: usize,
    end: usize,
    extent: Extent,
}

impl Set {
    fn len(&self) -> usize {
        self.end - self.start
    }
}

/// Number of primitives of which a tree with this number of levels can consist, whatever its shape is.
pub fn room(leaf: usize, levels: usize) -> usize {
    leaf.saturating_mul(WIDTH.saturating_pow(levels as u32))
}

/// Builds the tree of a set, with at most `levels` nodes on a path.
pub fn build<L: Leaves>(leaves: &L, refs: &mut [Ref], extent: Extent, levels: usize, rules: &Rules) -> Part {
    if is_serial(refs.len()) {
        let mut local = Local::default();
        local.nodes.reserve(refs.len() / (3 * L::CAPACITY) + 1);
        if L::BLOCKS {
            local.blocks.reserve(refs.len() * 2 / 5 + 1);
        }
        small(leaves, refs, extent, levels, rules, &mut local);
        return Part::Local(local);
    }
    let (sets, count) = children::<L>(refs, extent, levels, rules);
    let mut rest = refs;
    let mut jobs = Vec::with_capacity(count);
    for set in &sets[..count] {
        let (own, others) = rest.split_at_mut(set.len());
        jobs.push((set.extent, own));
        rest = others;
    }
    let built = jobs.into_par_iter().map(|(extent, refs)| {
        let part = if refs.len() > L::CAPACITY {
            build(leaves, refs, extent, levels - 1, rules)
        } else {
            let mut local = Local::default();
            let (child, extra) = leaves.leaf(refs, &mut local);
            Part::Leaf(child, extra, local)
        };
        (extent.bounds, part)
    });
    Part::Wide(built.collect())
}

/// Writes the tree of a set; returns the index of its node.
fn small<L: Leaves>(
    leaves: &L,
    refs: &mut [Ref],
    extent: Extent,
    levels: usize,
    rules: &Rules,
    out: &mut Local,
) -> u32 {
    let at = out.nodes.len();
    out.nodes.push(Node::EMPTY);
    let (sets, count) = children::<L>(refs, extent, levels, rules);
    for (slot, set) in sets[..count].iter().enumerate() {
        let refs = &mut refs[set.start..set.end];
        let (child, extra) = if set.len() > L::CAPACITY {
            (small(leaves, refs, set.extent, levels - 1, rules, out), 0)
        } else {
            leaves.leaf(refs, out)
        };
        let (lo, hi) = set.extent.bounds.corners();
        let node = &mut out.nodes[at];
        node.set_bounds(slot, lo, hi);
        (node.children[slot], node.extra[slot]) = (child, extra);
    }
    at as u32
}

/// Splits a set in up to eight, in the order of their places. If the levels would not suffice for every way of
/// splitting, the sets have the same size.
fn children<L: Leaves>(
    refs: &mut [Ref],
    extent: Extent,
    levels: usize,
    rules: &Rules,
) -> ([Set; WIDTH], usize) {
    let whole = Set { start: 0, end: refs.len(), extent };
    let mut sets = [whole; WIDTH];
    let mut count = 1;
    let free = refs.len() <= room(L::CAPACITY, levels - 1);
    while count < WIDTH {
        // The largest one: by area, or by count.
        let size = |set: &Set| if free { set.extent.bounds.area() } else { set.len() as f32 };
        let open = (0..count).filter(|&i| sets[i].len() > L::CAPACITY);
        let largest = open.reduce(|best, i| if size(&sets[i]) > size(&sets[best]) { i } else { best });
        let Some(i) = largest else { break };
        let set = sets[i];
        let refs = &mut refs[set.start..set.end];
        let (middle, left, right) =
            if free { split(refs, &set.extent, rules) } else { halve(refs, &set.extent) };
        let middle = set.start + middle;
        sets.copy_within(i + 1..count, i + 2);
        sets[i] = Set { start: set.start, end: middle, extent: left };
        sets[i + 1] = Set { start: middle, end: set.end, extent: right };
        count += 1;
    }
    (sets, count)
}
