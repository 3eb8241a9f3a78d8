//! Division of the triangle domain. Triangles between divided lines are left to [`super::stitch`]. Spec: Vulkan,
//! "Triangle Tessellation".

use super::levels::Levels;
use super::stitch::Line;
use super::{ONE, Tessellation};

/// A ring of points around the middle, along the edges with minimal v, w and u in that order. The point at the end of
/// an edge is the first of the next.
struct Ring {
    /// Index of the ring's first point.
    first: u32,
    /// Number of segments of each edge; 0 if the ring is a single point.
    n: [u32; 3],
}

impl Ring {
    /// Index of the point `i` segments along an edge.
    fn point(&self, edge: usize, i: u32) -> u32 {
        let around = self.n.iter().sum::<u32>().max(1);
        self.first + (self.n[..edge].iter().sum::<u32>() + i) % around
    }
}

pub(super) fn divide(levels: &Levels, t: &mut Tessellation) {
    // Outer levels are those of u = 0, v = 0 and w = 0.
    let [u, v, w] = [0, 1, 2].map(|i| levels.outer[i].subdivide());
    let edges = [v, w, u];
    let mut ring = Ring { first: 0, n: edges.each_ref().map(|e| e.n()) };
    for (e, edge) in edges.iter().enumerate() {
        for &p in &edge.at()[..edge.n() as usize] {
            t.point(turned(e, [p, 0, ONE - p]));
        }
    }
    if levels.whole() {
        return t.triangle([0, 1, 2]);
    }
    let inner = levels.inner[0].subdivide();
    let n = inner.n();
    for k in 1..=n / 2 {
        let next = Ring { first: t.points[0].len() as u32, n: [n - 2 * k; 3] };
        ring_points(inner.at(), k as usize, t);
        for e in 0..3 {
            let outer = Line { n: ring.n[e], point: |i| ring.point(e, i) };
            let inner = Line { n: next.n[e], point: |i| next.point(e, i) };
            match k {
                1 => t.fill_at_edge(outer, inner),
                _ => t.fill_in_ring(outer.point, inner),
            }
        }
        ring = next;
    }
    if n % 2 == 1 {
        t.triangle([ring.first, ring.first + 1, ring.first + 2]);
    }
}

/// Maps a point near the edge v = 0 to the corresponding point near another edge.
fn turned(edge: usize, [u, v, w]: [u32; 3]) -> [u32; 3] {
    match edge {
        0 => [u, v, w],
        1 => [w, u, v],
        _ => [v, w, u],
    }
}

/// Adds the points of ring `k` in a triangle whose edges are divided at `at`.
///
/// The perpendiculars through the points of number `k` next to a corner meet where two coordinates are two thirds of
/// the distance of those points from the corner.
fn ring_points(at: &[u32], k: usize, t: &mut Tessellation) {
    let n = at.len() - 1;
    if 2 * k == n {
        return t.point([ONE / 3, ONE / 3, ONE - 2 * (ONE / 3)]);
    }
    // A third, rounded down, so that the perpendicular through the next point never lies before the corner.
    let third = at[k] / 3;
    for e in 0..3 {
        t.point(turned(e, [2 * third, 2 * third, ONE - 4 * third]));
        for &p in &at[k + 1..n - k] {
            t.point(turned(e, [p - third, 2 * third, ONE - p - third]));
        }
    }
}
