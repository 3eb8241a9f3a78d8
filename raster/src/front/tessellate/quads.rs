//! Spec: Vulkan, "Quad Tessellation".

use super::levels::Levels;
use super::stitch::Strip;
use super::{ONE, Tessellation};

pub(super) fn divide(levels: &Levels, t: &mut Tessellation) {
    // Outer levels are those of u = 0, v = 0, u = 1 and v = 1; around the square it is v = 0, u = 1, v = 1, u = 0.
    let edges = [1, 2, 3, 0].map(|i| levels.outer[i].subdivide());
    for (e, edge) in edges.iter().enumerate() {
        for &p in &edge.at()[..edge.n() as usize] {
            t.point([[p, 0, 0], [ONE, p, 0], [ONE - p, ONE, 0], [0, ONE - p, 0]][e]);
        }
    }
    if levels.whole() {
        t.triangle([0, 1, 2]);
        return t.triangle([0, 2, 3]);
    }
    let around = t.points[0].len() as u32;
    let [columns, rows] = levels.inner.map(|l| l.subdivide());
    let (m, n) = (columns.n(), rows.n());
    for &v in &rows.at()[1..n as usize] {
        columns.at()[1..m as usize].iter().for_each(|&u| t.point([u, v, 0]));
    }
    // Columns 1 to m - 1 and rows 1 to n - 1 are there.
    let inside = |column: u32, row: u32| around + (row - 1) * (m - 1) + column - 1;
    for row in 1..n - 1 {
        for column in 1..m - 1 {
            let [a, b] = [column, column + 1].map(|c| inside(c, row));
            let [d, c] = [column, column + 1].map(|c| inside(c, row + 1));
            // The edge across runs from the outer corner towards the middle, so that a colour by ring stays a ring.
            if (2 * column + 1 < m) == (2 * row + 1 < n) {
                t.triangle([a, b, c]);
                t.triangle([a, c, d]);
            } else {
                t.triangle([a, b, d]);
                t.triangle([b, c, d]);
            }
        }
    }
    let mut first = 0;
    for (e, edge) in edges.iter().enumerate() {
        let strip = Strip { outer: edge.n(), inner: if e % 2 == 0 { m } else { n } - 2 };
        let outer = |i| (first + i) % around;
        match e {
            0 => strip.fill(t, outer, |j| inside(1 + j, 1)),
            1 => strip.fill(t, outer, |j| inside(m - 1, 1 + j)),
            2 => strip.fill(t, outer, |j| inside(m - 1 - j, n - 1)),
            _ => strip.fill(t, outer, |j| inside(1, n - 1 - j)),
        }
        first += edge.n();
    }
}
