//! Halves of a set of primitives, by the surface area heuristic in bins.

use glam::Vec4;

use crate::threads::prelude::*;

use super::refs::{Bounds, Extent, Ref};

/// Largest number of bins.
const MAX_BINS: usize = 32;
/// Primitives that one thread counts in large sets.
const CHUNK: usize = 1 << 16;

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

    /// The bins of the three axes. Adding 2^23 leaves the rounded integer in the low bits.
    #[inline]
    fn of(&self, r: &Ref) -> [usize; 3] {
        let x = (r.center() - self.first) * self.scale + Vec4::splat(8388608.0);
        let bin = |x: f32| x.to_bits() as usize % MAX_BINS;
        [bin(x.x), bin(x.y), bin(x.z)]
    }
}

/// Bounds and counts in the bins of each axis.
#[derive(Clone)]
struct Bins {
    bounds: [[Bounds; MAX_BINS]; 3],
    counts: [[u32; MAX_BINS]; 3],
}

impl Bins {
    fn new(refs: &[Ref], by: &Binning) -> Bins {
        let mut bins = Bins { bounds: [[Bounds::EMPTY; MAX_BINS]; 3], counts: [[0; MAX_BINS]; 3] };
        for r in refs {
            let at = by.of(r);
            for axis in by.axes.0..by.axes.1 {
                bins.bounds[axis][at[axis]].add(r.lo, r.hi);
                bins.counts[axis][at[axis]] += 1;
            }
        }
        bins
    }

    fn merged(mut self, other: &Bins) -> Bins {
        for axis in 0..3 {
            for bin in 0..MAX_BINS {
                // Bins of axes that are not split stay empty.
                self.bounds[axis][bin] = self.bounds[axis][bin].union(other.bounds[axis][bin]);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
        self
    }

    /// The axis and the first bin of the upper half with the lowest cost. `None` if all primitives are in one bin.
    fn best(&self, by: &Binning, rules: &Rules) -> Option<(usize, usize)> {
        let leaves = |count: u32| (count as usize).div_ceil(rules.leaf) as f32;
        let mut best = None;
        let mut lowest = f32::INFINITY;
        for axis in by.axes.0..by.axes.1 {
            let mut above = [(0.0f32, 0u32); MAX_BINS];
            let (mut bounds, mut count) = (Bounds::EMPTY, 0);
            for bin in (1..by.count).rev() {
                bounds = bounds.union(self.bounds[axis][bin]);
                count += self.counts[axis][bin];
                above[bin] = (bounds.area(), count);
            }
            (bounds, count) = (Bounds::EMPTY, 0);
            for bin in 1..by.count {
                bounds = bounds.union(self.bounds[axis][bin - 1]);
                count += self.counts[axis][bin - 1];
                let (area, others) = above[bin];
                if count == 0 || others == 0 {
                    continue;
                }
                let cost = bounds.area() * leaves(count) + area * leaves(others);
                if best.is_none() || cost < lowest {
                    (best, lowest) = (Some((axis, bin)), cost);
                }
            }
        }
        best
    }
}

/// Splits a set in two halves that are not empty; returns the number of primitives in the first one, and the extents.
pub fn split(refs: &mut [Ref], extent: &Extent, rules: &Rules) -> (usize, Extent, Extent) {
    let by = Binning::new(&extent.centers, refs.len(), rules);
    let bins = if refs.len() > 2 * CHUNK {
        let chunks = refs.par_chunks(CHUNK).map(|chunk| Bins::new(chunk, &by));
        chunks.reduce_with(|a, b| a.merged(&b)).unwrap_or_else(|| Bins::new(&[], &by))
    } else {
        Bins::new(refs, &by)
    };
    match bins.best(&by, rules) {
        Some((axis, bin)) => partition(refs, |r| by.of(r)[axis] < bin),
        None => halve(refs, extent),
    }
}

/// Moves the primitives for which `lower` holds to the front.
fn partition(refs: &mut [Ref], lower: impl Fn(&Ref) -> bool) -> (usize, Extent, Extent) {
    let (mut left, mut right) = (Extent::EMPTY, Extent::EMPTY);
    let (mut i, mut j) = (0, refs.len());
    loop {
        while i < j && lower(&refs[i]) {
            left.add(&refs[i]);
            i += 1;
        }
        while i < j && !lower(&refs[j - 1]) {
            j -= 1;
            right.add(&refs[j]);
        }
        if i == j {
            return (i, left, right);
        }
        refs.swap(i, j - 1);
    }
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
