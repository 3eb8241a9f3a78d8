//! Triangles between two parallel divided lines, with the inner line on the left of the outer one.
//!
//! The specification leaves the diagonal of each quad and the first vertex of each triangle open. Both follow
//! Direct3D's tessellator, like other Vulkan drivers, so that images agree. The lines are left to [`super::triangles`]
//! and [`super::quads`].

use super::{MAX_LEVEL, Tessellation};

/// A line of indexed points.
pub(super) struct Line<F> {
    /// Number of segments; 0 for an inner line that is a single point.
    pub n: u32,
    pub point: F,
}

/// The line that contains two corners of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Base {
    Outer,
    Inner,
}

/// Number of segments of half a line at the maximum level.
const HALF: u32 = MAX_LEVEL / 2;

/// Rank of segment `i` of half a line: segments appear in the order of their ranks as the level grows. Segments are
/// halved in turn, and a longer line keeps all points of a shorter one.
fn rank(i: u32) -> u32 {
    match i {
        0 => 0,
        _ => (HALF / 2 + i / 2) >> i.trailing_zeros(),
    }
}

/// The triangles in half the length between an edge of the patch and the first ring; the other half has the same
/// triangles in reverse order.
fn half(outer: u32, inner: u32) -> impl DoubleEndedIterator<Item = Base> + Clone {
    // The inner line is treated as a line as long as the outer one, without its first and last segment.
    let is_there = move |&(i, base): &(u32, Base)| match base {
        Base::Outer => rank(i) < outer / 2,
        Base::Inner => i > 0 && rank(i) < inner / 2 + 1,
    };
    (0..HALF).flat_map(|i| [(i, Base::Inner), (i, Base::Outer)]).filter(is_there).map(|(_, base)| base)
}

impl Tessellation {
    /// Fills the area between an edge of the patch and the first ring, whose levels are independent of each other.
    pub(super) fn fill_at_edge(
        &mut self,
        outer: Line<impl Fn(u32) -> u32>,
        inner: Line<impl Fn(u32) -> u32>,
    ) {
        let (mut i, mut j) = (0, 0);
        let mut step = |base, inner_first: bool| {
            let [a, d] = [(outer.point)(i), (inner.point)(j)];
            match base {
                Base::Outer => {
                    i += 1;
                    let b = (outer.point)(i);
                    self.triangle(if inner_first { [d, a, b] } else { [a, b, d] });
                }
                Base::Inner => {
                    j += 1;
                    self.triangle([d, a, (inner.point)(j)]);
                }
            }
        };
        let half = half(outer.n, inner.n);
        half.clone().for_each(|base| step(base, false));
        if inner.n % 2 == 1 {
            step(Base::Inner, true);
        }
        if outer.n % 2 == 1 {
            step(Base::Outer, true);
        }
        half.rev().for_each(|base| step(base, false));
    }

    /// Fills the area between two rings; the outer line has two segments more than the inner one.
    pub(super) fn fill_in_ring(&mut self, outer: impl Fn(u32) -> u32, inner: Line<impl Fn(u32) -> u32>) {
        let n = inner.n;
        self.triangle([outer(0), outer(1), (inner.point)(0)]);
        for i in 0..n {
            // Diagonals run from the outer corner towards the middle, so that per-ring colours are not mixed.
            let diagonal = if 2 * i < n { Diagonal::FromOuter } else { Diagonal::FromInner };
            self.quad([outer(i + 1), outer(i + 2), (inner.point)(i + 1), (inner.point)(i)], diagonal);
        }
        self.triangle([outer(n + 1), outer(n + 2), (inner.point)(n)]);
    }

    /// Adds the two triangles of a quad, whose first two points belong to the outer line.
    pub(super) fn quad(&mut self, [a, b, c, d]: [u32; 4], diagonal: Diagonal) {
        let [first, second] = match diagonal {
            Diagonal::FromOuter => [[a, c, d], [a, b, c]],
            Diagonal::FromInner => [[d, a, b], [d, b, c]],
        };
        self.triangle(first);
        self.triangle(second);
    }
}

/// The line at which the diagonal of a quad begins; the diagonal ends at the next point of the other line.
#[derive(Clone, Copy)]
pub(super) enum Diagonal {
    FromOuter,
    FromInner,
}
