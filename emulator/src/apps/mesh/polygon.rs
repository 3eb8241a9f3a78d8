//! Triangles of polygons.

/// A corner in the plane of its polygon.
type Point = [f64; 2];

/// Divides a polygon of three or more corners into triangles of its winding, as numbers of corners. If a fan from the first
/// corner covers the polygon, this fan is the result; otherwise ears are clipped. Corners that lie in no plane are projected.
/// A polygon that intersects itself, and the rest of one when no `steps` are left, becomes a fan.
pub(super) fn triangles(corners: &[[f32; 3]], steps: &mut u64) -> Vec<[usize; 3]> {
    let n = corners.len();
    let is_covered = |points: &Vec<Point>| (2..n).all(|i| area([points[0], points[i - 1], points[i]]) >= 0.0);
    match projected(corners).filter(|points| !is_covered(points)) {
        Some(points) => Ring::new(points).clipped(steps),
        None => (2..n).map(|i| [0, i - 1, i]).collect(),
    }
}

/// Projects a polygon along the axis that is nearest to its normal, so that it is counter-clockwise; `None` for a polygon
/// without an area.
fn projected(corners: &[[f32; 3]]) -> Option<Vec<Point>> {
    let first = corners.first()?;
    let from_first = |corner: &[f32; 3]| -> [f64; 3] {
        std::array::from_fn(|i| f64::from(corner[i]) - f64::from(first[i]))
    };
    let all: Vec<[f64; 3]> = corners.iter().map(from_first).collect();
    let mut normal = [0.0f64; 3];
    for (a, b) in all.iter().zip(&all[1..]) {
        for (i, sum) in normal.iter_mut().enumerate() {
            let (u, v) = ((i + 1) % 3, (i + 2) % 3);
            *sum += a[u] * b[v] - a[v] * b[u];
        }
    }
    let axis = (0..3).max_by(|i, j| normal[*i].abs().total_cmp(&normal[*j].abs()))?;
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let (u, v) = if normal[axis] < 0.0 { (v, u) } else { (u, v) };
    (normal[axis] != 0.0).then(|| all.iter().map(|at| [at[u], at[v]]).collect())
}

/// Twice the area of a triangle, above 0 if it is counter-clockwise.
fn area([a, b, c]: [Point; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// The corners of a polygon that are left.
struct Ring {
    points: Vec<Point>,
    next: Vec<usize>,
    before: Vec<usize>,
    /// `true` for corners of more than 180 degrees.
    reflex: Vec<bool>,
}

impl Ring {
    fn new(points: Vec<Point>) -> Ring {
        let n = points.len();
        let next = (0..n).map(|i| (i + 1) % n).collect();
        let before = (0..n).map(|i| (i + n - 1) % n).collect();
        let mut ring = Ring { points, next, before, reflex: Vec::new() };
        ring.reflex = (0..n).map(|i| area(ring.triangle(i)) < 0.0).collect();
        ring
    }

    /// The triangle of a corner and its neighbours.
    fn triangle(&self, corner: usize) -> [Point; 3] {
        [self.before[corner], corner, self.next[corner]].map(|i| self.points[i])
    }

    /// `true` if the triangle at a corner contains no other corner; `None` if no steps are left.
    fn is_ear(&self, corner: usize, steps: &mut u64) -> Option<bool> {
        let triangle @ [a, b, c] = self.triangle(corner);
        let size = area(triangle);
        *steps = steps.checked_sub(1)?;
        // The triangle of a straight corner, or of a spike, has no inside.
        if size <= 0.0 {
            return Some(size == 0.0);
        }
        let end = self.before[corner];
        let mut i = self.next[self.next[corner]];
        while i != end {
            *steps = steps.checked_sub(1)?;
            let at = self.points[i];
            let is_inside =
                || [[a, b], [b, c], [c, a]].iter().all(|[from, to]| area([*from, *to, at]) >= 0.0);
            // A polygon around a hole has corners at one place.
            if self.reflex[i] && !triangle.contains(&at) && is_inside() {
                return Some(false);
            }
            i = self.next[i];
        }
        Some(true)
    }

    fn clipped(mut self, steps: &mut u64) -> Vec<[usize; 3]> {
        let n = self.points.len();
        let (mut out, mut at, mut left, mut missed) = (Vec::with_capacity(n), 0, n, 0);
        while left > 3 && missed < left {
            let (before, next) = (self.before[at], self.next[at]);
            match self.is_ear(at, steps) {
                Some(true) => {
                    out.push([before, at, next]);
                    self.next[before] = next;
                    self.before[next] = before;
                    for i in [before, next] {
                        self.reflex[i] = area(self.triangle(i)) < 0.0;
                    }
                    // Corners in turn make fewer thin triangles.
                    (at, left, missed) = (self.next[next], left - 1, 0);
                }
                Some(false) => (at, missed) = (next, missed + 1),
                None => break,
            }
        }
        let mut i = self.next[at];
        while self.next[i] != at {
            out.push([at, i, self.next[i]]);
            i = self.next[i];
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles of a polygon, which must cover it exactly, in every plane and winding.
    fn covered(polygon: &[[f32; 2]]) -> Vec<[usize; 3]> {
        let sizes = |polygon: &[[f32; 2]], all: &[[usize; 3]]| -> Vec<f64> {
            all.iter().map(|t| area(t.map(|i| polygon[i].map(f64::from)))).collect()
        };
        let fan: Vec<[usize; 3]> = (2..polygon.len()).map(|i| [0, i - 1, i]).collect();
        let whole: f64 = sizes(polygon, &fan).iter().sum();
        let mut first = Vec::new();
        for turn in 0..6 {
            let corner = |[x, y]: [f32; 2]| match turn {
                0 => [x, y, 7.0],
                1 => [7.0, x, y],
                2 => [y, 7.0, x],
                3 => [y, x, 7.0],
                4 => [7.0, y, x],
                _ => [x, 7.0 + 0.125 * x, y],
            };
            let corners: Vec<[f32; 3]> = polygon.iter().map(|at| corner(*at)).collect();
            let found = triangles(&corners, &mut (1 << 20));
            assert_eq!(found.len(), polygon.len() - 2);
            let sizes = sizes(polygon, &found);
            assert!(sizes.iter().all(|size| size * whole.signum() >= 0.0), "{sizes:?}");
            assert!((sizes.iter().sum::<f64>() - whole).abs() < 1e-6 * whole.abs(), "{sizes:?}, {whole}");
            if turn == 0 {
                first = found;
            }
        }
        first
    }

    #[test]
    fn polygons_are_covered() {
        // Convex ones, and those with a corner that sees all others, are fans.
        assert_eq!(covered(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(covered(&[[1.0, 1.0], [0.0, 0.0], [3.0, 1.0], [0.0, 2.0]]), [[0, 1, 2], [0, 2, 3]]);
        let arrow = [[0.0, 0.0], [3.0, 1.0], [0.0, 2.0], [1.0, 1.0]];
        let found = covered(&arrow);
        assert!(found.iter().all(|t| t.contains(&1) && t.contains(&3)), "{found:?}");
        // Straight corners.
        covered(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.5, 1.5], [0.0, 2.0]]);
        // A square around a square hole, with a cut between them.
        covered(&[
            [0.0, 0.0],
            [3.0, 0.0],
            [3.0, 3.0],
            [0.0, 3.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [2.0, 2.0],
            [2.0, 1.0],
            [1.0, 1.0],
        ]);
        // Teeth of a comb, and a spiral.
        let mut comb: Vec<[f32; 2]> =
            (0..100).map(|i| [i as f32, if i % 2 == 0 { 0.0 } else { 9.0 }]).collect();
        comb.extend([[99.0, -1.0], [0.0, -1.0]]);
        covered(&comb);
        let around = |i: usize, r: f32| [r * (i as f32 * 0.3).cos(), r * (i as f32 * 0.3).sin()];
        let out = (0..100).map(|i| around(i, 1.0 + 0.1 * i as f32));
        let spiral: Vec<[f32; 2]> =
            out.chain((0..100).rev().map(|i| around(i, 0.5 + 0.1 * i as f32))).collect();
        covered(&spiral);
    }

    /// Every polygon has its number of triangles, and none takes more than its steps.
    #[test]
    fn polygons_without_ears_and_large_ones_end() {
        let star: Vec<[f32; 3]> =
            (0..5).map(|i| (i as f32 * 2.5).sin_cos()).map(|(x, y)| [x, y, 0.0]).collect();
        let bow: [[f32; 3]; 5] =
            [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 3.0, 0.0]];
        let point = [[2.0f32; 3]; 6];
        for polygon in [&star[..], &bow, &point] {
            assert_eq!(triangles(polygon, &mut (1 << 20)).len(), polygon.len() - 2);
        }
        let mut teeth: Vec<[f32; 3]> =
            (0..100_000).map(|i| [i as f32, if i % 2 == 0 { 0.0 } else { 9.0 }, 0.0]).collect();
        teeth.extend([[99_999.0, -1.0, 0.0], [0.0, -1.0, 0.0]]);
        let mut steps = 1_000_000;
        assert_eq!((triangles(&teeth, &mut steps).len(), steps), (teeth.len() - 2, 0));
    }
}
