//! The test of a ray that meets an edge of a triangle, or is so close that f32 does not tell the side.
//!
//! Products of two floats are exact in f64, so that the sign of their difference is. If the ray meets the edge exactly,
//! the triangle behaves as if the ray was moved by an infinitely small step, the same for all triangles: of the
//! triangles around an edge or a vertex that seem to be a plane to the ray, exactly one is hit.

use crate::layout::Block;

use super::ray::{Shear, Tested};

/// Adds the triangle at a place to the test of its block.
#[cold]
#[inline(never)]
pub fn add(tested: &mut Tested, block: &Block, place: usize, shear: &Shear, tmin: f32, tmax: f32) {
    if let Some((t, v, w, sum)) = hit(block, place, shear)
        && t > tmin
        && t <= tmax
    {
        tested.mask |= 1 << place;
        tested.t[place] = t;
        tested.v[place] = v;
        tested.w[place] = w;
        tested.sum[place] = sum;
    }
}

/// A vertex in the space of the ray: two sheared coordinates, and the distance.
fn vertex(block: &Block, corner: usize, place: usize, shear: &Shear) -> [f32; 3] {
    let at = |axis: usize| block.vertices[corner][shear.axes[axis] as usize][place] - shear.origin[axis];
    let (x, y, z) = (at(0), at(1), at(2));
    [x - shear.factors[0] * z, y - shear.factors[1] * z, shear.factors[2] * z]
}

/// `true` if a point on the edge from `from` to `to` belongs to the triangle, whose orientation is positive.
fn inside(from: [f32; 3], to: [f32; 3]) -> bool {
    to[1] > from[1] || (to[1] == from[1] && to[0] > from[0])
}

/// Distance, barycentric coordinates and the sign of the area.
fn hit(block: &Block, place: usize, shear: &Shear) -> Option<(f32, f32, f32, f32)> {
    let [a, b, c] = [0, 1, 2].map(|corner| vertex(block, corner, place, shear));
    let cross =
        |p: [f32; 3], q: [f32; 3]| f64::from(p[0]) * f64::from(q[1]) - f64::from(p[1]) * f64::from(q[0]);
    let edges = [(b, c), (c, a), (a, b)];
    let weights = [cross(c, b), cross(a, c), cross(b, a)];
    let sum = (weights[0] + weights[1]) + weights[2];
    if sum == 0.0 || !sum.is_finite() {
        return None;
    }
    let front = sum > 0.0;
    for (weight, (from, to)) in weights.into_iter().zip(edges) {
        // Weights have the sign of the area inside of the triangle.
        let wrong = if front { weight < 0.0 } else { weight > 0.0 };
        let (from, to) = if front { (to, from) } else { (from, to) };
        if wrong || (weight == 0.0 && !inside(from, to)) {
            return None;
        }
    }
    let t = (weights[0] * f64::from(a[2]) + weights[1] * f64::from(b[2])) + weights[2] * f64::from(c[2]);
    let sign = if front { 1.0 } else { -1.0 };
    let [v, w] = [weights[1] / sum, weights[2] / sum].map(|x| x as f32 * sign);
    Some(((t / sum) as f32, v, w, sign))
}
