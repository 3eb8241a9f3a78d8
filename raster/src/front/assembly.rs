//! Primitive assembly: groups vertices into primitives.
//!
//! The vertices of a draw have positions 0.. in the order in which the draw references them. A [`Span`] is a range of
//! positions, each taken as the last vertex of a primitive; spans of one draw are processed independently. The
//! provoking vertex of a triangle comes first in the output. Adjacency vertices are skipped; primitives with adjacency
//! are left to [`super::primitives`].
//!
//! Spec: Vulkan, "Primitive Topologies" (drawing-primitive-topologies).

use crate::state::Topology;

/// Marks a primitive restart in lists of local vertices.
pub(crate) const RESTART: u32 = u32::MAX;

/// A range of positions of a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    /// First position that may end a primitive.
    pub first: u32,
    /// Position after the last one.
    pub end: u32,
    /// Position at which the strip, fan or list that contains `first` began.
    pub start: u32,
    /// Number of the first primitive.
    pub primitive: u32,
}

impl Topology {
    /// Number of vertices of a primitive, including adjacency; patches have `patch`.
    pub(crate) fn vertices(self, patch: u32) -> u32 {
        match self {
            Topology::PatchList => patch,
            Topology::PointList => 1,
            Topology::LineList | Topology::LineStrip => 2,
            Topology::TriangleList | Topology::TriangleStrip | Topology::TriangleFan => 3,
            Topology::LineListWithAdjacency | Topology::LineStripWithAdjacency => 4,
            Topology::TriangleListWithAdjacency | Topology::TriangleStripWithAdjacency => 6,
        }
    }

    /// True if the primitives are lines.
    pub(crate) fn is_line(self) -> bool {
        use Topology::*;
        matches!(self, LineList | LineStrip | LineListWithAdjacency | LineStripWithAdjacency)
    }

    /// True if the primitives are connected lines.
    pub(crate) fn is_line_strip(self) -> bool {
        matches!(self, Topology::LineStrip | Topology::LineStripWithAdjacency)
    }

    /// Number of primitives of `count` vertices without restart.
    pub(crate) fn primitives(self, patch: u32, count: u32) -> u32 {
        match self {
            Topology::PatchList => count / patch,
            Topology::PointList => count,
            Topology::LineList => count / 2,
            Topology::TriangleList => count / 3,
            Topology::LineStrip => count.saturating_sub(1),
            Topology::TriangleStrip | Topology::TriangleFan => count.saturating_sub(2),
            Topology::LineListWithAdjacency => count / 4,
            Topology::LineStripWithAdjacency => count.saturating_sub(3),
            Topology::TriangleListWithAdjacency => count / 6,
            Topology::TriangleStripWithAdjacency => count.saturating_sub(4) / 2,
        }
    }
}

impl Span {
    /// The earliest position that primitives of the span use, apart from `start` for fans.
    pub fn reach_back(&self, topology: Topology, patch: u32) -> u32 {
        let back = topology.vertices(patch) - 1;
        self.first.saturating_sub(back).max(self.start)
    }
}

/// True if the vertex at position `n` after the start ends a primitive.
#[inline]
pub(super) fn ends(topology: Topology, patch: u32, n: u32) -> bool {
    match topology {
        Topology::PatchList => n % patch == patch - 1,
        Topology::PointList => true,
        Topology::LineList => n % 2 == 1,
        Topology::LineStrip => n >= 1,
        Topology::TriangleList => n % 3 == 2,
        Topology::TriangleStrip | Topology::TriangleFan => n >= 2,
        Topology::LineListWithAdjacency => n % 4 == 3,
        Topology::LineStripWithAdjacency => n >= 3,
        Topology::TriangleListWithAdjacency => n % 6 == 5,
        Topology::TriangleStripWithAdjacency => n >= 5 && n % 2 == 1,
    }
}

/// Splits the positions below `count` into spans of at most `len` positions, until `emit` returns false. `is_restart`
/// returns true for positions with the restart index.
pub(crate) fn split(
    topology: Topology,
    patch: u32,
    count: u32,
    len: u32,
    is_restart: Option<&dyn Fn(u32) -> bool>,
    mut emit: impl FnMut(Span) -> bool,
) {
    let (mut start, mut primitive, mut first) = (0, 0, 0);
    while first < count {
        let end = first.saturating_add(len).min(count);
        if !emit(Span { first, end, start, primitive }) {
            return;
        }
        match is_restart {
            None => {
                primitive +=
                    topology.primitives(patch, end - start) - topology.primitives(patch, first - start);
            }
            Some(f) => {
                for p in first..end {
                    if f(p) {
                        start = p + 1;
                    } else if ends(topology, patch, p - start) {
                        primitive += 1;
                    }
                }
            }
        }
        first = end;
    }
}

/// An assembled primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Assembled {
    /// Vertices of the primitive; unused ones repeat the first. The provoking vertex of a triangle comes first, lines
    /// keep their direction.
    pub vertices: [u32; 3],
    /// Number of the primitive in its draw, for PrimitiveId.
    pub number: u32,
    /// `true` unless the primitive continues a line strip.
    pub fresh: bool,
}

/// Like [`assemble`], for lists of triangles without restart; [`RESTART`] marks the end of the vertices.
#[inline]
pub(crate) fn triangle_list(
    last: bool,
    span: &Span,
    local: impl Fn(u32) -> u32,
    mut emit: impl FnMut([u32; 3], u32),
) {
    let per = Topology::TriangleList.vertices(1);
    // The first position of the span that ends a triangle.
    let before = (span.first - span.start) % per;
    let ends = (span.first + (per - 1 - before)..span.end).step_by(per as usize);
    for (p, number) in ends.zip(span.primitive..) {
        let [x, y, z] = [local(p - 2), local(p - 1), local(p)];
        if z == RESTART {
            return;
        }
        emit(if last { [z, x, y] } else { [x, y, z] }, number);
    }
}

/// Emits the primitives of a span. With `last`, the last vertex of each primitive is the provoking one.
///
/// `local(p)` is the local vertex at position `p`, or [`RESTART`].
#[inline]
pub(crate) fn assemble(
    topology: Topology,
    last: bool,
    span: &Span,
    local: impl Fn(u32) -> u32,
    mut emit: impl FnMut(Assembled),
) {
    let (mut start, mut number) = (span.start, span.primitive);
    for p in span.first..span.end {
        let c = local(p);
        if c == RESTART {
            start = p + 1;
            continue;
        }
        let n = p - start;
        if !ends(topology, 1, n) {
            continue;
        }
        // Triangles in the order of the first-vertex convention; odd triangles of a strip swap the other two vertices.
        let mut odd = false;
        let mut vertices = match topology {
            // Patches are left to the tessellation stages.
            Topology::PointList | Topology::PatchList => [c; 3],
            Topology::LineList | Topology::LineStrip => {
                let a = local(p - 1);
                [a, c, a]
            }
            Topology::LineListWithAdjacency | Topology::LineStripWithAdjacency => {
                let a = local(p - 2);
                [a, local(p - 1), a]
            }
            Topology::TriangleList => [local(p - 2), local(p - 1), c],
            Topology::TriangleStrip => {
                odd = n % 2 == 1;
                [local(p - 2), local(p - 1), c]
            }
            Topology::TriangleFan => [local(p - 1), c, local(start)],
            Topology::TriangleListWithAdjacency => [local(p - 5), local(p - 3), local(p - 1)],
            Topology::TriangleStripWithAdjacency => {
                odd = (n - 5) % 4 == 2;
                [local(p - 5), local(p - 3), local(p - 1)]
            }
        };
        if topology.vertices(1).is_multiple_of(3) {
            let [x, y, z] = vertices;
            vertices = match (last, topology == Topology::TriangleFan, odd) {
                (false, _, false) => [x, y, z],
                (false, _, true) => [x, z, y],
                (true, true, _) => [y, z, x],
                (true, false, false) => [z, x, y],
                (true, false, true) => [z, y, x],
            };
        }
        emit(Assembled { vertices, number, fresh: !topology.is_line_strip() || n < topology.vertices(1) });
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(topology: Topology, indices: &[u32], len: u32) -> Vec<([u32; 3], u32)> {
        provoked(topology, false, indices, len)
    }

    fn provoked(topology: Topology, last: bool, indices: &[u32], len: u32) -> Vec<([u32; 3], u32)> {
        let mut out = Vec::new();
        let restart = |p: u32| indices[p as usize] == RESTART;
        split(topology, 1, indices.len() as u32, len, Some(&restart), |s| {
            let emit = |a: Assembled| out.push((a.vertices, a.number));
            assemble(topology, last, &s, |p| indices[p as usize], emit);
            true
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
        let v: Vec<u32> = (0..12).collect();
        let t = |t| all(t, &v, 100).into_iter().map(|p| p.0).collect::<Vec<_>>();
        assert_eq!(t(LineListWithAdjacency), [[1, 2, 1], [5, 6, 5], [9, 10, 9]]);
        assert_eq!(t(LineStripWithAdjacency)[..2], [[1, 2, 1], [2, 3, 2]]);
        assert_eq!(t(LineStripWithAdjacency).len(), 9);
        assert_eq!(t(TriangleListWithAdjacency), [[0, 2, 4], [6, 8, 10]]);
        assert_eq!(t(TriangleStripWithAdjacency), [[0, 2, 4], [2, 6, 4], [4, 6, 8], [6, 10, 8]]);
    }

    /// Spec: the tables of "Primitive Topologies", with the last vertex provoking.
    #[test]
    fn the_last_vertex_comes_first_when_it_provokes_and_winding_stays() {
        use Topology::*;
        let v: Vec<u32> = (0..12).collect();
        for t in
            [TriangleList, TriangleStrip, TriangleFan, TriangleListWithAdjacency, TriangleStripWithAdjacency]
        {
            for ((first, _), (last, n)) in all(t, &v, 100).into_iter().zip(provoked(t, true, &v, 100)) {
                let step = match t {
                    TriangleList => 3 * n + 2,
                    TriangleStrip | TriangleFan => n + 2,
                    TriangleListWithAdjacency => 6 * n + 4,
                    _ => 2 * n + 4,
                };
                assert_eq!(last[0], step, "{t:?}");
                let turned = (0..3).any(|k| (0..3).all(|i| first[(i + k) % 3] == last[i]));
                assert!(turned, "{t:?}: {first:?} {last:?}");
            }
        }
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
        let all_of_them = [
            PointList,
            LineList,
            LineStrip,
            TriangleList,
            TriangleStrip,
            TriangleFan,
            LineListWithAdjacency,
            LineStripWithAdjacency,
            TriangleListWithAdjacency,
            TriangleStripWithAdjacency,
        ];
        for t in all_of_them {
            for len in 1..9 {
                assert_eq!(all(t, &v, len), all(t, &v, 100), "{t:?} {len}");
            }
        }
    }
}
