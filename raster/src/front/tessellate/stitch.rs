//! Triangles between two divided lines that run side by side.

use super::Tessellation;

/// Two lines, the inner one on the left of the outer one.
pub(super) struct Strip {
    /// Segments of the outer line.
    pub outer: u32,
    /// Segments of the inner line, which may be a single point.
    pub inner: u32,
}

impl Strip {
    /// Fills the area between the lines; `outer(i)` and `inner(j)` number their points in the same direction.
    ///
    /// The inner line stands for one that reaches as far as the outer one, without its first and its last
    /// segment. Whichever segment has its middle first gets the next triangle. What comes out depends on the
    /// numbers of segments alone.
    pub fn fill(&self, t: &mut Tessellation, outer: impl Fn(u32) -> u32, inner: impl Fn(u32) -> u32) {
        let (mut i, mut j) = (0, 0);
        while i < self.outer || j < self.inner {
            // (i + 1/2) / outer against (j + 3/2) / (inner + 2).
            let outer_first = (2 * i + 1) * (self.inner + 2) <= (2 * j + 3) * self.outer;
            if j == self.inner || (i < self.outer && outer_first) {
                t.triangle([outer(i), outer(i + 1), inner(j)]);
                i += 1;
            } else {
                t.triangle([outer(i), inner(j + 1), inner(j)]);
                j += 1;
            }
        }
    }
}
