//! Division of the quad domain. Triangles between divided lines are left to [`super::stitch`]. Spec: Vulkan, "Quad
//! Tessellation".

use super::levels::Levels;
use super::stitch::{Diagonal, Line};
use super::{ONE, Tessellation};

pub(super) fn divide(levels: &Levels, t: &mut Tessellation) {
    // Outer levels are those of u = 0, v = 0, u = 1 and v = 1; the order around the square is v = 0, u = 1, v = 1, u =
    // 0.
    let edges = [1, 2, 3, 0].map(|i| levels.outer[i].subdivide());
    for (e, edge) in edges.iter().enumerate() {
        for &p in &edge.at()[..edge.n() as usize] {
            t.point([[p, 0, 0], [ONE, p, 0], [ONE - p, ONE, 0], [0, ONE - p, 0]][e]);
        }
    }
    if levels.whole() {
        t.triangle([0, 1, 3]);
        return t.triangle([1, 2, 3]);
    }
    let around = t.points[0].len() as u32;
    let inner = levels.inner.map(|l| l.subdivide());
    let [m, n] = inner.each_ref().map(|i| i.n());
    for &v in &inner[1].at()[1..n as usize] {
        inner[0].at()[1..m as usize].iter().for_each(|&u| t.point([u, v, 0]));
    }
    let grid = Grid { first: around, m, n };
    let mut first = 0;
    for (e, edge) in edges.iter().enumerate() {
        let outer = Line { n: edge.n(), point: |i| (first + i) % around };
        t.fill_at_edge(outer, grid.line(e, 1));
        first += edge.n();
    }
    for ring in 2..=m.min(n) / 2 {
        for e in 0..4 {
            t.fill_in_ring(grid.line(e, ring - 1).point, grid.line(e, ring));
        }
    }
    if m > n && n % 2 == 1 {
        grid.fill_middle_row(t);
    } else if n >= m && m % 2 == 1 {
        grid.fill_middle_column(t);
    }
}

/// The grid of inner points, row by row.
struct Grid {
    /// Index of the first point.
    first: u32,
    /// Number of columns of squares in the whole domain.
    m: u32,
    /// Number of rows of squares in the whole domain.
    n: u32,
}

impl Grid {
    /// Index of a point. The grid has columns 1 to m - 1 and rows 1 to n - 1.
    fn point(&self, column: u32, row: u32) -> u32 {
        self.first + (row - 1) * (self.m - 1) + column - 1
    }

    /// An edge of a ring, in the direction of the patch's edge.
    fn line(&self, edge: usize, ring: u32) -> Line<impl Fn(u32) -> u32> {
        let [right, bottom] = [self.m - ring, self.n - ring];
        let point = move |i| match edge {
            0 => self.point(ring + i, ring),
            1 => self.point(right, ring + i),
            2 => self.point(right - i, bottom),
            _ => self.point(ring, bottom - i),
        };
        Line { n: if edge.is_multiple_of(2) { self.m } else { self.n } - 2 * ring, point }
    }

    /// Fills the middle row of squares, for an odd number of rows that is less than the number of columns.
    fn fill_middle_row(&self, t: &mut Tessellation) {
        let row = self.n / 2;
        for column in row..self.m - row {
            let [a, b] = [column, column + 1].map(|c| self.point(c, row));
            let [d, c] = [column, column + 1].map(|c| self.point(c, row + 1));
            t.quad([a, b, c, d], Diagonal::FromInner);
        }
    }

    /// Fills the middle column of squares, for an odd number of columns that is at most the number of rows. The
    /// column's left side is the outer line, from bottom to top.
    fn fill_middle_column(&self, t: &mut Tessellation) {
        let column = self.m / 2;
        for row in (column..self.n - column).rev() {
            let [a, b] = [row + 1, row].map(|r| self.point(column, r));
            let [d, c] = [row + 1, row].map(|r| self.point(column + 1, r));
            if self.n.is_multiple_of(2) {
                t.quad([a, b, c, d], Diagonal::FromInner);
            } else if 2 * row + 1 == self.n {
                t.quad([a, b, c, d], Diagonal::FromOuter);
            } else {
                t.triangle([a, b, d]);
                t.triangle([d, b, c]);
            }
        }
    }
}
