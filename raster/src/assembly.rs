//! Primitive assembly: which vertices make which primitive.
//!
//! A draw's vertices have positions 0.. in the order the draw names them. A [`Span`] is a range of
//! positions, each taken as the last vertex of a primitive; spans of one draw are worked on
//! independently. The provoking vertex comes first in what is given out.
//!
//! Spec: Vulkan, "Primitive Topologies" (drawing-primitive-topologies).

use crate::state::Topology;

/// Stands for the restart index in lists of local vertices.
pub(crate) const RESTART: u32 = u32::MAX;

/// A range of positions of a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// First position that may end a primitive.
    pub first: u32,
    /// Position after the last.
    pub end: u32,
    /// Where the strip, fan or list began that `first` continues.
    pub start: u32,
    /// Number of the first primitive.
    pub primitive: u32,
}

impl Topology {
    /// Vertices of a primitive.
    pub(crate) fn vertices(self) -> u32 {
        match self {
            Topology::PointList => 1,
            Topology::LineList | Topology::LineStrip => 2,
            _ => 3,
        }
    }

    /// Primitives that `count` vertices make without restart.
    pub(crate) fn primitives(self, count: u32) -> u32 {
        match self {
            Topology::PointList => count,
            Topology::LineList => count / 2,
            Topology::TriangleList => count / 3,
            Topology::LineStrip => count.saturating_sub(1),
            Topology::TriangleStrip | Topology::TriangleFan => count.saturating_sub(2),
        }
    }
}

impl Span {
    /// The earliest position that primitives of the span use, apart from `start` for fans.
    pub fn reach_back(&self, topology: Topology) -> u32 {
        let back = topology.vertices() - 1;
        self.first.saturating_sub(back).max(self.start)
    }
}

/// Whether position `n` after the start ends a primitive.
#[inline]
fn ends(topology: Topology, n: u32) -> bool {
    match topology {
        Topology::PointList => true,
        Topology::LineList => n % 2 == 1,
        Topology::LineStrip => n >= 1,
        Topology::TriangleList => n % 3 == 2,
        Topology::TriangleStrip | Topology::TriangleFan => n >= 2,
    }
}

/// Splits the positions below `count` into spans of at most `len` positions. `is_restart` says
/// whether a position holds the restart index.
pub(crate) fn split(
    topology: Topology,
    count: u32,
    len: u32,
    is_restart: Option<&dyn Fn(u32) -> bool>,
    mut emit: impl FnMut(Span),
) {
    let (mut start, mut primitive, mut first) = (0, 0, 0);
    while first < count {
        let end = first.saturating_add(len).min(count);
        emit(Span { first, end, start, primitive });
        match is_restart {
            None => primitive += topology.primitives(end - start) - topology.primitives(first - start),
            Some(f) => {
                for p in first..end {
                    if f(p) {
                        start = p + 1;
                    } else if ends(topology, p - start) {
                        primitive += 1;
                    }
                }
            }
        }
        first = end;
    }
}

/// Gives out the primitives of a span: vertices (provoking first, unused ones repeat it) and number.
///
/// `local(p)` is the local vertex at position `p`, or [`RESTART`].
#[inline]
pub(crate) fn assemble(
    topology: Topology,
    span: &Span,
    local: impl Fn(u32) -> u32,
    mut emit: impl FnMut([u32; 3], u32),
) {
    let (mut start, mut primitive) = (span.start, span.primitive);
    for p in span.first..span.end {
        let c = local(p);
        if c == RESTART {
            start = p + 1;
            continue;
        }
        let n = p - start;
        if !ends(topology, n) {
            continue;
        }
        let vertices = match topology {
            Topology::PointList => [c; 3],
            Topology::LineList | Topology::LineStrip => {
                let a = local(p - 1);
                [a, c, a]
            }
            Topology::TriangleList => [local(p - 2), local(p - 1), c],
            // Odd triangles: the first vertex stays the provoking one, the other two change places.
            Topology::TriangleStrip if n % 2 == 1 => [local(p - 2), c, local(p - 1)],
            Topology::TriangleStrip => [local(p - 2), local(p - 1), c],
            Topology::TriangleFan => [local(p - 1), c, local(start)],
        };
        emit(vertices, primitive);
        primitive += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(topology: Topology, indices: &[u32], len: u32) -> Vec<([u32; 3], u32)> {
        let mut out = Vec::new();
        let restart = |p: u32| indices[p as usize] == RESTART;
        split(topology, indices.len() as u32, len, Some(&restart), |s| {
            assemble(topology, &s, |p| indices[p as usize], |v, n| out.push((v, n)));
        });
        out
    }

    #[test]
    fn orders_of_the_specification() {
        use Topology::*;
        let v = [0, 1, 2, 3, 4];
        let t = |t| all(t, &v, 100).into_iter().map(|p| p.0).collect::<Vec<_>>();
        assert_eq!(t(TriangleList), [[0, 1, 2]]);
        assert_eq!(t(TriangleStrip), [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
        assert_eq!(t(TriangleFan), [[1, 2, 0], [2, 3, 0], [3, 4, 0]]);
        assert_eq!(t(LineStrip), [[0, 1, 0], [1, 2, 1], [2, 3, 2], [3, 4, 3]]);
        assert_eq!(t(LineList), [[0, 1, 0], [2, 3, 2]]);
        assert_eq!(t(PointList).len(), 5);
    }

    #[test]
    fn restart_and_splitting_do_not_depend_on_the_span_length() {
        use Topology::*;
        let r = RESTART;
        let v = [0, 1, 2, 3, r, 4, 5, r, r, 6, 7, 8, 9, 10, r, 11];
        assert_eq!(
            all(TriangleStrip, &v, 100),
            [([0, 1, 2], 0), ([1, 3, 2], 1), ([6, 7, 8], 2), ([7, 9, 8], 3), ([8, 9, 10], 4)]
        );
        for t in [PointList, LineList, LineStrip, TriangleList, TriangleStrip, TriangleFan] {
            for len in 1..9 {
                assert_eq!(all(t, &v, len), all(t, &v, 100), "{t:?} {len}");
            }
        }
    }
}
