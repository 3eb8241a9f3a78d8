//! Nodes of eight children, from halves of sets of primitives.

use crate::layout::{Node, WIDTH};
use crate::threads;

use super::parts::{Leaves, Local, Part, is_serial};
use super::refs::{Extent, Ref};
use super::split::{Bins, Rules, halve, split};

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
pub fn most(leaf: usize, levels: usize) -> usize {
    leaf.saturating_mul(WIDTH.saturating_pow(levels as u32))
}

/// A set that is divided, with spare room of the same length.
pub struct Room<'a> {
    pub refs: &'a mut [Ref],
    pub spare: &'a mut [Ref],
}

impl<'a> Room<'a> {
    fn part(&mut self, set: &Set) -> Room<'_> {
        let range = set.start..set.end;
        Room { refs: &mut self.refs[range.clone()], spare: &mut self.spare[range] }
    }

    fn split_at(self, middle: usize) -> (Room<'a>, Room<'a>) {
        let (refs, more) = self.refs.split_at_mut(middle);
        let (spare, rest) = self.spare.split_at_mut(middle);
        (Room { refs, spare }, Room { refs: more, spare: rest })
    }
}

/// Builds the tree of a set, with at most `levels` nodes on a path.
pub fn build<L: Leaves>(
    leaves: &L,
    mut room: Room<'_>,
    extent: Extent,
    levels: usize,
    rules: &Rules,
) -> Part {
    let mut bins = Bins::EMPTY;
    let refs = &room.refs;
    if is_serial(refs.len()) {
        let mut local = Local::with_room::<L>(refs.len());
        Small { leaves, rules, bins, out: &mut local }.node(room, extent, levels);
        return Part::Local(local);
    }
    let (sets, count) = children::<L>(&mut room, extent, levels, rules, &mut bins);
    let mut rest = room;
    let mut jobs = Vec::with_capacity(count);
    for set in &sets[..count] {
        let (own, others) = rest.split_at(set.len());
        jobs.push((set.extent, own));
        rest = others;
    }
    Part::Wide(threads::map(jobs, |(extent, room)| {
        let part = if room.refs.len() > L::CAPACITY {
            build(leaves, room, extent, levels - 1, rules)
        } else {
            let mut local = Local::default();
            let (child, extra) = local.leaf(leaves, room.refs);
            Part::Leaf(child, extra, local)
        };
        (extent.bounds, part)
    }))
}

/// A tree that one thread writes.
struct Small<'a, L> {
    leaves: &'a L,
    rules: &'a Rules,
    bins: Bins,
    out: &'a mut Local,
}

impl<L: Leaves> Small<'_, L> {
    /// Writes the tree of a set; returns the index of its node.
    fn node(&mut self, mut room: Room<'_>, extent: Extent, levels: usize) -> u32 {
        let at = self.out.nodes.len();
        self.out.nodes.push(Node::EMPTY);
        let (sets, count) = children::<L>(&mut room, extent, levels, self.rules, &mut self.bins);
        for (slot, set) in sets[..count].iter().enumerate() {
            let (child, extra) = if set.len() > L::CAPACITY {
                (self.node(room.part(set), set.extent, levels - 1), 0)
            } else {
                self.out.leaf(self.leaves, &room.refs[set.start..set.end])
            };
            let (lo, hi) = set.extent.bounds.corners();
            let node = &mut self.out.nodes[at];
            node.set_bounds(slot, lo, hi);
            (node.children[slot], node.extra[slot]) = (child, extra);
        }
        at as u32
    }
}

/// Splits a set in up to eight, in the order of their places. If the levels would not suffice for every way of
/// splitting, the sets have the same size.
fn children<L: Leaves>(
    room: &mut Room<'_>,
    extent: Extent,
    levels: usize,
    rules: &Rules,
    bins: &mut Bins,
) -> ([Set; WIDTH], usize) {
    let whole = Set { start: 0, end: room.refs.len(), extent };
    let mut sets = [whole; WIDTH];
    let mut count = 1;
    let free = room.refs.len() <= most(L::CAPACITY, levels - 1);
    while count < WIDTH {
        // The largest one: by area, or by count.
        let size = |set: &Set| if free { set.extent.bounds.area() } else { set.len() as f32 };
        let open = (0..count).filter(|&i| sets[i].len() > L::CAPACITY);
        let largest = open.reduce(|best, i| if size(&sets[i]) > size(&sets[best]) { i } else { best });
        let Some(i) = largest else { break };
        let set = sets[i];
        let Room { refs, spare } = room.part(&set);
        let (middle, left, right) =
            if free { split(refs, spare, &set.extent, rules, bins) } else { halve(refs, &set.extent) };
        let middle = set.start + middle;
        sets.copy_within(i + 1..count, i + 2);
        sets[i] = Set { start: set.start, end: middle, extent: left };
        sets[i + 1] = Set { start: middle, end: set.end, extent: right };
        count += 1;
    }
    (sets, count)
}
