//! Primitives as inputs of the stages after the vertex stage: all their vertices, including adjacency, in the
//! specification's order.
//!
//! Primitives that are rasterized directly after the vertex stage are left to [`super::assembly`].
//!
//! Spec: Vulkan, "Primitive Topologies" (drawing-primitive-topologies).

use smallvec::SmallVec;

use super::assembly::{RESTART, Span, ends};
use crate::state::Topology;

/// Number of positions after a span that its primitives read, to see whether a strip with adjacency continues.
pub(super) fn reach_ahead(topology: Topology) -> u32 {
    if topology == Topology::TriangleStripWithAdjacency { 2 } else { 0 }
}

/// Number of positions before the last one that primitives read, if it exceeds their vertices.
pub(super) fn reach_back(topology: Topology) -> u32 {
    if topology == Topology::TriangleStripWithAdjacency { 7 } else { 0 }
}

/// Emits the primitives of a span: the local vertices of each, and its number.
///
/// `local(p)` is the local vertex at position `p`. It is [`RESTART`] where a strip ends, and past the last position.
pub(super) fn primitives(
    topology: Topology,
    patch: u32,
    span: &Span,
    local: impl Fn(u32) -> u32,
    mut emit: impl FnMut(&[u32], u32),
) {
    let (mut start, mut number) = (span.start, span.primitive);
    for p in span.first..span.end {
        let c = local(p);
        if c == RESTART {
            start = p + 1;
            continue;
        }
        let n = p - start;
        if !ends(topology, patch, n) {
            continue;
        }
        let at = |back: u32| local(p - back);
        match topology {
            Topology::PointList => emit(&[at(0)], number),
            Topology::LineList | Topology::LineStrip => emit(&[at(1), at(0)], number),
            Topology::TriangleStrip if n % 2 == 1 => emit(&[at(2), at(0), at(1)], number),
            Topology::TriangleList | Topology::TriangleStrip => emit(&[at(2), at(1), at(0)], number),
            Topology::TriangleFan => emit(&[at(1), at(0), at(n)], number),
            Topology::LineListWithAdjacency | Topology::LineStripWithAdjacency => {
                emit(&[3, 2, 1, 0].map(at), number);
            }
            Topology::TriangleListWithAdjacency => emit(&[5, 4, 3, 2, 1, 0].map(at), number),
            Topology::TriangleStripWithAdjacency => {
                let ahead = |k| p.checked_add(k).map_or(RESTART, &local);
                // v(2i + 6) if there is a next primitive, else v(2i + 5).
                let next = if ahead(1) == RESTART || ahead(2) == RESTART { c } else { ahead(1) };
                emit(&strip_with_adjacency(n, at, next), number);
            }
            Topology::PatchList => {
                let vertices: SmallVec<[u32; 32]> = (0..patch).rev().map(at).collect();
                emit(&vertices, number);
            }
        }
        number += 1;
    }
}

/// The six vertices of the primitive that ends `n` positions after the start of the strip; `at` counts backwards from
/// that position. Spec: drawing-triangle-strips-with-adjacency, where this primitive is number i and `n` is 2 i + 5.
fn strip_with_adjacency(n: u32, at: impl Fn(u32) -> u32, next: u32) -> [u32; 6] {
    match (n == 5, n % 4 == 3) {
        (true, _) => [at(5), at(4), at(3), next, at(1), at(2)],
        (false, true) => [at(5), at(2), at(1), next, at(3), at(7)],
        (false, false) => [at(5), at(7), at(3), next, at(1), at(2)],
    }
}

#[cfg(test)]
mod tests {
    use super::super::assembly::split;
    use super::*;

    fn all(topology: Topology, patch: u32, indices: &[u32], len: u32) -> Vec<(Vec<u32>, u32)> {
        let mut out = Vec::new();
        let restart = |p: u32| indices[p as usize] == RESTART;
        split(topology, patch, indices.len() as u32, len, Some(&restart), |s| {
            let local = |p: u32| indices.get(p as usize).copied().unwrap_or(RESTART);
            primitives(topology, patch, &s, local, |v, n| out.push((v.to_vec(), n)));
            true
        });
        out
    }

    #[test]
    fn vertices_come_in_the_order_of_the_specification() {
        use Topology::*;
        let v: Vec<u32> = (0..10).collect();
        let t = |t, patch| all(t, patch, &v, 100).into_iter().map(|p| p.0).collect::<Vec<_>>();
        assert_eq!(t(PointList, 1)[3], [3]);
        assert_eq!(t(LineList, 1)[1], [2, 3]);
        assert_eq!(t(LineStrip, 1)[1], [1, 2]);
        assert_eq!(t(TriangleList, 1)[2], [6, 7, 8]);
        assert_eq!(t(TriangleStrip, 1)[..3], [[0, 1, 2], [1, 3, 2], [2, 3, 4]]);
        assert_eq!(t(TriangleFan, 1)[..2], [[1, 2, 0], [2, 3, 0]]);
        assert_eq!(t(LineListWithAdjacency, 1)[1], [4, 5, 6, 7]);
        assert_eq!(t(LineStripWithAdjacency, 1)[1], [1, 2, 3, 4]);
        assert_eq!(t(TriangleListWithAdjacency, 1), [[0, 1, 2, 3, 4, 5]]);
        // A strip with n = 3: the first triangle, an odd one in the middle, the last one, which is even.
        let strip = t(TriangleStripWithAdjacency, 1);
        assert_eq!(strip, [[0, 1, 2, 6, 4, 3], [2, 5, 6, 8, 4, 0], [4, 2, 6, 9, 8, 7]]);
        // Strips with n = 1, and with n = 2, whose last triangle is odd.
        let ends = |n| all(TriangleStripWithAdjacency, 1, &v[..n], 100).pop().map(|p| p.0);
        assert_eq!(ends(6), Some(vec![0, 1, 2, 5, 4, 3]));
        assert_eq!(ends(7), Some(vec![0, 1, 2, 5, 4, 3]));
        assert_eq!(ends(8), Some(vec![2, 5, 6, 7, 4, 0]));
        assert_eq!(t(PatchList, 4), [[0, 1, 2, 3], [4, 5, 6, 7]]);
    }

    #[test]
    fn restart_and_splitting_do_not_depend_on_the_span_length() {
        use Topology::*;
        let r = RESTART;
        let v = [0, 1, 2, 3, r, 4, 5, r, r, 6, 7, 8, 9, 10, 11, 12, 13, r, 11, 3, 4, 5, 6, 7, 8];
        assert_eq!(all(PatchList, 3, &v[..8], 100), [(vec![0, 1, 2], 0)]);
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
            PatchList,
        ];
        for t in all_of_them {
            for len in 1..9 {
                assert_eq!(all(t, 5, &v, len), all(t, 5, &v, 100), "{t:?} {len}");
            }
        }
    }
}
