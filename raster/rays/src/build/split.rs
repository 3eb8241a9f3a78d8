//! Halves of a set of primitives, by the surface area heuristic in bins.

use glam::Vec4;

use crate::threads;

use super::parts::is_serial;
use super::refs::{Bounds, Extent, Ref};

/// Largest number of bins.
const MAX_BINS: usize = 32;
/// Primitives that one thread counts in large sets.
const CHUNK: usize = 1 << 14;

/// Rules of the builder.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Largest number of primitives in a leaf.
    pub leaf: usize,
    /// Largest number of bins.
    pub bins: usize,
    /// `true` if sets are split on all axes, not only on the one along which the centers differ most.
    pub all_axes: bool,
}

/// A function from primitives to bins.
#[derive(Clone, Copy)]
struct Binning {
    count: usize,
    first: Vec4,
    scale: Vec4,
    /// Axes on which the set may be split.
    axes: (usize, usize),
}

impl Binning {
    fn new(centers: &Bounds, primitives: usize, rules: &Rules) -> Binning {
        let count = rules.bins.min(MAX_BINS).min(4 + primitives / 8);
        let size = centers.hi - centers.lo;
        // Bins are rounded to the nearest: the first and the last have half the width.
        let scale =
            Vec4::select(size.cmpgt(Vec4::splat(1e-35)), Vec4::splat((count - 1) as f32) / size, Vec4::ZERO);
        let axes = if rules.all_axes { (0, 3) } else { (longest(size), longest(size) + 1) };
        Binning { count, first: centers.lo, scale, axes }
    }

    /// The function of one axis.
    #[inline]
    fn on(&self, axis: usize) -> impl Fn(&Ref) -> usize + Copy + Sync + use<> {
        let (first, scale) = (self.first[axis], self.scale[axis]);
        // Adding 2^23 leaves the rounded integer in the low bits.
        move |r| {
            let x = (r.lo[axis] + r.hi[axis] - first) * scale + 8388608.0;
            x.to_bits() as usize % MAX_BINS
        }
    }
}

/// Bounds and counts in the bins of each axis. Bins of axes that are not split, and beyond the last, have no meaning.
#[derive(Clone)]
pub struct Bins {
    bounds: [[Bounds; MAX_BINS]; 3],
    counts: [[u32; MAX_BINS]; 3],
}

/// The lowest cost of a split: the axis, the first bin of the upper half, and the bounds of the halves.
struct Best {
    axis: usize,
    bin: usize,
    bounds: [Bounds; 2],
}

impl Bins {
    /// Bins without primitives.
    pub const EMPTY: Bins = Bins { bounds: [[Bounds::EMPTY; MAX_BINS]; 3], counts: [[0; MAX_BINS]; 3] };

    /// Counts a set. Sets are mostly small, so only the bins that it uses are cleared.
    fn count(&mut self, refs: &[Ref], by: &Binning) {
        for axis in by.axes.0..by.axes.1 {
            let (bounds, counts) = (&mut self.bounds[axis], &mut self.counts[axis]);
            bounds[..by.count].fill(Bounds::EMPTY);
            counts[..by.count].fill(0);
            let bin = by.on(axis);
            for r in refs {
                let at = bin(r);
                bounds[at].add(r.lo, r.hi);
                counts[at] += 1;
            }
        }
    }

    /// Adds the counts of another set.
    fn add(&mut self, other: &Bins, by: &Binning) {
        for axis in by.axes.0..by.axes.1 {
            for bin in 0..by.count {
                self.bounds[axis][bin] = self.bounds[axis][bin].union(other.bounds[axis][bin]);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
    }

    /// The split with the lowest cost. `None` if all primitives are in one bin.
    fn best(&self, by: &Binning, rules: &Rules) -> Option<Best> {
        let leaves = |count: u32| (count as usize).div_ceil(rules.leaf) as f32;
        let mut best = None;
        let mut lowest = f32::INFINITY;
        for axis in by.axes.0..by.axes.1 {
            let mut above = [(Bounds::EMPTY, 0u32); MAX_BINS];
            let (mut bounds, mut count) = (Bounds::EMPTY, 0);
            for bin in (1..by.count).rev() {
                bounds = bounds.union(self.bounds[axis][bin]);
                count += self.counts[axis][bin];
                above[bin] = (bounds, count);
            }
            (bounds, count) = (Bounds::EMPTY, 0);
            for bin in 1..by.count {
                bounds = bounds.union(self.bounds[axis][bin - 1]);
                count += self.counts[axis][bin - 1];
                let (upper, others) = above[bin];
                if count == 0 || others == 0 {
                    continue;
                }
                let cost = bounds.area() * leaves(count) + upper.area() * leaves(others);
                if best.is_none() || cost < lowest {
                    (best, lowest) = (Some(Best { axis, bin, bounds: [bounds, upper] }), cost);
                }
            }
        }
        best
    }

    /// Number of primitives in the lower half.
    fn below(&self, best: &Best) -> usize {
        self.counts[best.axis][..best.bin].iter().map(|&count| count as usize).sum()
    }
}

/// Splits a set in two halves that are not empty, each in the order of before unless all centers are equal; returns the
/// number of primitives in the first one, and the extents. `spare` has room for the set, and `bins` are overwritten.
pub fn split(
    refs: &mut [Ref],
    spare: &mut [Ref],
    extent: &Extent,
    rules: &Rules,
    bins: &mut Bins,
) -> (usize, Extent, Extent) {
    let by = Binning::new(&extent.centers, refs.len(), rules);
    let mut chunks = Vec::new();
    if refs.len() > 2 * CHUNK && !is_serial(refs.len()) {
        let count = |chunk: &[Ref]| {
            let mut bins = Bins::EMPTY;
            bins.count(chunk, &by);
            bins
        };
        chunks = threads::map(refs.chunks(CHUNK).collect(), count);
        *bins = Bins::EMPTY;
        chunks.iter().for_each(|chunk| bins.add(chunk, &by));
    } else {
        bins.count(refs, &by);
    }
    let Some(best) = bins.best(&by, rules) else { return halve(refs, extent) };
    let bin = by.on(best.axis);
    let lower = |r: &Ref| bin(r) < best.bin;
    let (middle, [left, right]) = if chunks.is_empty() {
        partition(refs, spare, lower)
    } else {
        let lengths = chunks.iter().map(|chunk| chunk.below(&best));
        (bins.below(&best), partition_chunks(refs, spare, lengths, lower))
    };
    let [lower, upper] = best.bounds;
    (middle, Extent { bounds: lower, centers: left }, Extent { bounds: upper, centers: right })
}

/// Moves the primitives for which `lower` holds to the front. Returns their number, and the bounds of the centers of both
/// halves. Every primitive is written to both places, since processors cannot foresee the half.
fn partition(refs: &mut [Ref], spare: &mut [Ref], lower: impl Fn(&Ref) -> bool) -> (usize, [Bounds; 2]) {
    let spare = &mut spare[..refs.len()];
    let mut centers = [Bounds::EMPTY; 2];
    let (mut low, mut high) = (0, 0);
    for at in 0..refs.len() {
        let r = refs[at];
        let half = usize::from(!lower(&r));
        (refs[low], spare[high]) = (r, r);
        let c = r.center();
        centers[half].add(c, c);
        low += 1 - half;
        high += half;
    }
    refs[low..].copy_from_slice(&spare[..high]);
    (low, centers)
}

/// [`partition`] by all threads. `lengths` are the numbers of primitives of each chunk for which `lower` holds.
fn partition_chunks(
    refs: &mut [Ref],
    spare: &mut [Ref],
    lengths: impl Iterator<Item = usize> + Clone,
    lower: impl Fn(&Ref) -> bool + Sync,
) -> [Bounds; 2] {
    let (mut lows, mut highs) = spare[..refs.len()].split_at_mut(lengths.clone().sum());
    let mut jobs = Vec::new();
    for (chunk, length) in refs.chunks(CHUNK).zip(lengths) {
        let (low, after_low) = lows.split_at_mut(length);
        let (high, after_high) = highs.split_at_mut(chunk.len() - length);
        jobs.push((chunk, low, high));
        (lows, highs) = (after_low, after_high);
    }
    let moved = threads::map(jobs, |(chunk, low, high)| {
        let mut centers = [Bounds::EMPTY; 2];
        let (mut low, mut high) = (low.iter_mut(), high.iter_mut());
        for r in chunk {
            let half = usize::from(!lower(r));
            let place = if half == 0 { low.next() } else { high.next() };
            place.into_iter().for_each(|place| *place = *r);
            let c = r.center();
            centers[half].add(c, c);
        }
        centers
    });
    let back: Vec<_> = refs.chunks_mut(CHUNK).zip(spare.chunks(CHUNK)).collect();
    threads::map(back, |(to, from)| to.copy_from_slice(&from[..to.len()]));
    let both = |sum: [Bounds; 2], next: &[Bounds; 2]| [sum[0].union(next[0]), sum[1].union(next[1])];
    moved.iter().fold([Bounds::EMPTY; 2], both)
}

/// The axis along which a size is largest.
fn longest(size: Vec4) -> usize {
    let size = size.to_array();
    (1..3).fold(0, |best, axis| if size[axis] > size[best] { axis } else { best })
}

/// Splits a set in two halves of the same size, along the axis on which the centers differ most.
pub fn halve(refs: &mut [Ref], extent: &Extent) -> (usize, Extent, Extent) {
    let axis = longest(extent.centers.hi - extent.centers.lo);
    let middle = refs.len() / 2;
    let key = |r: &Ref| (r.center()[axis], r.geometry(), r.primitive());
    refs.select_nth_unstable_by(middle, |a, b| {
        let ((x, g, p), (y, h, q)) = (key(a), key(b));
        x.total_cmp(&y).then(g.cmp(&h)).then(p.cmp(&q))
    });
    let (left, right) = refs.split_at(middle);
    (middle, Extent::of(left), Extent::of(right))
}
