//! Nodes from the order of primitives along a space-filling curve (Morton codes): fast to build.

use glam::Vec4;

use crate::layout::{Node, WIDTH};
use crate::threads;

use super::parts::{Leaves, Local, Part, is_serial};
use super::refs::{Bounds, Extent, Ref};
use super::wide::most;
use super::{BuildError, with_room};

/// Bits of codes for each axis.
const BITS: u32 = 10;
/// Primitives that a thread moves at a time.
const EACH: usize = 1 << 12;

/// Primitives in the order of their codes, which are the upper halves of the keys.
#[derive(Clone, Copy)]
struct Sorted<'a> {
    keys: &'a [u64],
    refs: &'a [Ref],
}

impl<'a> Sorted<'a> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn part(&self, start: usize, end: usize) -> Sorted<'a> {
        Sorted { keys: &self.keys[start..end], refs: &self.refs[start..end] }
    }

    /// Bits in which the codes of the first and last primitive differ.
    fn spread(&self) -> u32 {
        match (self.keys.first(), self.keys.last()) {
            (Some(first), Some(last)) => ((first ^ last) >> 32) as u32,
            _ => 0,
        }
    }

    /// The place at which the highest bit of `spread` changes; the middle if all codes are equal. If one node can have
    /// all the leaves, which can have `capacity` primitives, the nearest place that fills leaves: fewer blocks are
    /// written faster and traced faster.
    fn middle(&self, capacity: usize) -> usize {
        let middle = match self.spread().checked_ilog2() {
            Some(bit) => self.keys.partition_point(|key| key >> (32 + bit) & 1 == 0),
            None => self.len() / 2,
        };
        if self.len() > WIDTH * capacity {
            return middle;
        }
        let last = (self.len() - 1) / capacity * capacity;
        ((middle + capacity / 2) / capacity * capacity).clamp(capacity, last)
    }
}

/// Builds a tree with at most `levels` nodes on a path; returns it with its primitives in order.
pub fn build<L: Leaves>(
    leaves: &L,
    refs: Vec<Ref>,
    extent: &Extent,
    levels: usize,
) -> Result<(Part, Vec<Ref>), BuildError> {
    let mut keys: Vec<u64> = with_room(refs.len())?;
    let coder = Coder::new(extent);
    threads::fill(&mut keys, refs.len(), EACH, |i| coder.code(&refs[i]) << 32 | i as u64);
    sort(&mut keys)?;
    // Leaves would wait for each of their primitives; here the processor loads several at a time.
    let mut sorted = with_room(refs.len())?;
    threads::fill(&mut sorted, keys.len(), EACH, |i| refs[keys[i] as u32 as usize]);
    drop(refs);
    let part = subtree(leaves, Sorted { keys: &keys, refs: &sorted }, levels).1;
    Ok((part, sorted))
}

/// A function from centers to codes.
struct Coder {
    first: Vec4,
    scale: Vec4,
}

impl Coder {
    fn new(extent: &Extent) -> Coder {
        let size = extent.centers.hi - extent.centers.lo;
        let cells = Vec4::splat(((1 << BITS) - 1) as f32);
        let scale = Vec4::select(size.cmpgt(Vec4::splat(1e-35)), cells / size, Vec4::ZERO);
        Coder { first: extent.centers.lo, scale }
    }

    /// Adding 2^23 leaves the rounded integer in the low bits.
    #[inline]
    fn code(&self, r: &Ref) -> u64 {
        let x = (r.center() - self.first) * self.scale + Vec4::splat(8388608.0);
        let [x, y, z] = [x.x, x.y, x.z].map(|x| spread_bits(x.to_bits() & ((1 << BITS) - 1)));
        u64::from(x << 2 | y << 1 | z)
    }
}

/// Moves ten bits three places apart.
#[inline]
fn spread_bits(x: u32) -> u32 {
    let x = (x | x << 16) & 0x0300_00ff;
    let x = (x | x << 8) & 0x0300_f00f;
    let x = (x | x << 4) & 0x030c_30c3;
    (x | x << 2) & 0x0924_9249
}

/// Sorts keys: by the low half of the codes, then by the high half. The lower halves of the keys are in order before.
fn sort(keys: &mut Vec<u64>) -> Result<(), BuildError> {
    if keys.len() < 4096 {
        keys.sort_unstable();
        return Ok(());
    }
    let mut other: Vec<u64> = with_room(keys.len())?;
    other.resize(keys.len(), 0);
    for pass in 0..3 {
        radix(keys, &mut other, 32 + pass * BITS);
        std::mem::swap(keys, &mut other);
    }
    Ok(())
}

/// Number of values of a digit.
const DIGITS: usize = 1 << BITS;

/// Stable sort by ten bits. Each thread moves the keys of a part of the list, to places of its own.
fn radix(from: &[u64], to: &mut [u64], shift: u32) {
    let digit = |key: u64| (key >> shift) as usize % DIGITS;
    let part = from.len().div_ceil(threads::current().min(from.len() / DIGITS)).max(1);
    let counts = |keys: &[u64]| {
        let mut counts = [0u32; DIGITS];
        keys.iter().for_each(|&key| counts[digit(key)] += 1);
        counts
    };
    let parts: Vec<&[u64]> = from.chunks(part).collect();
    let counted = threads::map(parts.clone(), counts);
    let mut places: Vec<Vec<&mut [u64]>> = parts.iter().map(|_| Vec::with_capacity(DIGITS)).collect();
    let mut rest = to;
    for digit in 0..DIGITS {
        for (counts, places) in counted.iter().zip(&mut places) {
            let (own, more) = rest.split_at_mut(counts[digit] as usize);
            places.push(own);
            rest = more;
        }
    }
    let jobs: Vec<_> = parts.into_iter().zip(places).collect();
    threads::map(jobs, |(keys, mut places)| {
        let mut next = [0u32; DIGITS];
        for &key in keys {
            let digit = digit(key);
            places[digit][next[digit] as usize] = key;
            next[digit] += 1;
        }
    });
}

/// Builds the tree of some primitives; returns their bounds.
fn subtree<L: Leaves>(leaves: &L, set: Sorted<'_>, levels: usize) -> (Bounds, Part) {
    if is_serial(set.len()) {
        let mut local = Local::with_room::<L>(set.len());
        let (bounds, _) = small(leaves, set, levels, &mut local);
        return (bounds, Part::Local(local));
    }
    let (sets, count) = children::<L>(set, levels);
    let parts = threads::map(sets[..count].to_vec(), |set| {
        if set.len() > L::CAPACITY {
            return subtree(leaves, set, levels - 1);
        }
        let mut local = Local::default();
        let (bounds, child, extra) = leaf(leaves, &set, &mut local);
        (bounds, Part::Leaf(child, extra, local))
    });
    let bounds = parts.iter().fold(Bounds::EMPTY, |sum, (bounds, _)| sum.union(*bounds));
    (bounds, Part::Wide(parts))
}

/// Writes the tree of some primitives; returns their bounds and the index of the node.
fn small<L: Leaves>(leaves: &L, set: Sorted<'_>, levels: usize, out: &mut Local) -> (Bounds, u32) {
    let at = out.nodes.len();
    out.nodes.push(Node::EMPTY);
    let (sets, count) = children::<L>(set, levels);
    let mut whole = Bounds::EMPTY;
    for (slot, set) in sets[..count].iter().enumerate() {
        let (bounds, child, extra) = if set.len() > L::CAPACITY {
            let (bounds, child) = small(leaves, *set, levels - 1, out);
            (bounds, child, 0)
        } else {
            leaf(leaves, set, out)
        };
        whole = whole.union(bounds);
        let (lo, hi) = bounds.corners();
        let node = &mut out.nodes[at];
        node.set_bounds(slot, lo, hi);
        (node.children[slot], node.extra[slot]) = (child, extra);
    }
    (whole, at as u32)
}

/// Writes a leaf; returns its bounds, the child and its extra word.
fn leaf<L: Leaves>(leaves: &L, set: &Sorted<'_>, out: &mut Local) -> (Bounds, u32, u32) {
    let mut bounds = Bounds::EMPTY;
    set.refs.iter().for_each(|r| bounds.add(r.lo, r.hi));
    let (child, extra) = out.leaf(leaves, set.refs);
    (bounds, child, extra)
}

/// Splits a set in up to eight: the one whose codes differ most first. If the levels would not suffice for every way of
/// splitting, the sets have the same size.
fn children<'a, L: Leaves>(set: Sorted<'a>, levels: usize) -> ([Sorted<'a>; WIDTH], usize) {
    let free = set.len() <= most(L::CAPACITY, levels - 1);
    // Sets that are leaves have the size 0, and others at least 1.
    let size = |set: &Sorted<'_>| match set.len() {
        len if len <= L::CAPACITY => 0,
        len if free => u64::from(set.spread()) << 32 | len as u64,
        len => len as u64,
    };
    let mut sets = [set; WIDTH];
    let mut sizes = [size(&set); WIDTH];
    let mut count = 1;
    while count < WIDTH {
        let largest = (1..count).fold(0, |best, i| if sizes[i] > sizes[best] { i } else { best });
        if sizes[largest] == 0 {
            break;
        }
        let set = sets[largest];
        let middle = if free { set.middle(L::CAPACITY) } else { set.len() / 2 };
        sets.copy_within(largest + 1..count, largest + 2);
        sizes.copy_within(largest + 1..count, largest + 2);
        for (at, part) in [(largest, set.part(0, middle)), (largest + 1, set.part(middle, set.len()))] {
            (sets[at], sizes[at]) = (part, size(&part));
        }
        count += 1;
    }
    (sets, count)
}
