//! The tests as operations on arrays of lanes, for every host. They have no branches per lane, so that compilers use the
//! vectors of any processor.

use crate::layout::{BLOCK, Block, Node, WIDTH};

use super::super::exact;
use super::super::ray::{Shear, Slabs, Tested};
use super::{Body, Host, NONE};

/// The instructions that every host has.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// The larger number; `b` if one is not a number.
#[inline(always)]
fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller number; `b` if one is not a number.
#[inline(always)]
fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// A number of each triangle.
type Four = [f32; BLOCK];

/// The numbers of all triangles.
#[inline(always)]
fn each(f: impl Fn(usize) -> f32) -> Four {
    std::array::from_fn(f)
}

/// The triangles of which a statement is true, as bits.
#[inline(always)]
fn mask(f: impl Fn(usize) -> bool) -> u32 {
    let lanes: [u32; BLOCK] = std::array::from_fn(|i| u32::from(f(i)) << i);
    (lanes[0] | lanes[1]) | (lanes[2] | lanes[3])
}

impl Host for Plain {
    type Keys = [u32; WIDTH];

    #[inline(always)]
    fn keys(self, node: &Node, slabs: &Slabs, tmax: f32) -> [u32; WIDTH] {
        std::array::from_fn(|lane| {
            let near = |axis: usize| {
                let bounds = node.bounds[axis][slabs.side[axis] & 1][lane];
                (bounds - slabs.near_origin[axis]) * slabs.inverse[axis]
            };
            let far = |axis: usize| {
                let bounds = node.bounds[axis][(slabs.side[axis] & 1) ^ 1][lane];
                (bounds - slabs.far_origin[axis]) * slabs.inverse[axis]
            };
            // A product of 0 and infinity is not a number: the axis is then left out, together with another one.
            let enter = max(max(near(0), near(1)), max(near(2), slabs.tmin));
            let leave = min(min(far(0), far(1)), min(far(2), tmax));
            let key = max(enter, 0.0).to_bits() & !7 | lane as u32;
            if enter <= leave { key } else { NONE }
        })
    }

    #[inline(always)]
    fn least(self, keys: [u32; WIDTH]) -> u32 {
        keys.into_iter().fold(NONE, u32::min)
    }

    #[inline(always)]
    fn without(self, keys: [u32; WIDTH], key: u32) -> [u32; WIDTH] {
        keys.map(|k| if k == key { NONE } else { k })
    }

    #[inline(always)]
    fn is_empty(self, keys: [u32; WIDTH]) -> bool {
        keys == [NONE; WIDTH]
    }

    #[inline(always)]
    fn load(self, keys: &[u32; WIDTH]) -> [u32; WIDTH] {
        *keys
    }

    #[inline(always)]
    fn store(self, keys: [u32; WIDTH]) -> [u32; WIDTH] {
        keys
    }

    #[inline(always)]
    fn triangles(self, block: &Block, shear: &Shear, tmin: f32, tmax: f32) -> Tested {
        // Two sheared coordinates, and the distance.
        let [a, b, c] = [0, 1, 2].map(|corner: usize| {
            let axis = |i: usize| {
                let row = &block.vertices[corner][shear.axes[i] as usize];
                each(|place| row[place] - shear.origin[i])
            };
            let (x, y, z) = (axis(0), axis(1), axis(2));
            let sheared = |x: Four, i: usize| each(|place| x[place] - shear.factors[i] * z[place]);
            [sheared(x, 0), sheared(y, 1), z.map(|z| shear.factors[2] * z)]
        });
        // Twice the areas of the triangles of the ray and each edge. Rounded, their signs are right or they are 0.
        let area = |p: &[Four; 3], q: &[Four; 3]| each(|i| p[0][i] * q[1][i] - p[1][i] * q[0][i]);
        let (u, v, w) = (area(&c, &b), area(&a, &c), area(&b, &a));
        let one_sign = mask(|i| (min(min(u[i], v[i]), w[i]) >= 0.0) | (max(max(u[i], v[i]), w[i]) <= 0.0));
        let mut tested = Tested { mask: 0, t: [0.0; 4], v, w, sum: [0.0; 4] };
        if one_sign == 0 {
            return tested;
        }
        let zeros = mask(|i| (u[i] == 0.0) | (v[i] == 0.0) | (w[i] == 0.0));
        let sum = each(|i| (u[i] + v[i]) + w[i]);
        let t = each(|i| ((u[i] * a[2][i] + v[i] * b[2][i]) + w[i] * c[2][i]) / sum[i]);
        tested.mask = mask(|i| (t[i] > tmin) & (t[i] <= tmax)) & one_sign & !zeros;
        (tested.t, tested.sum) = (t, sum);
        let mut close = one_sign & zeros;
        while close != 0 {
            exact::add(&mut tested, block, close.trailing_zeros() as usize, shear, tmin, tmax);
            close &= close - 1;
        }
        tested
    }

    #[inline]
    fn run<B: Body>(self, body: B) -> B::Output {
        body.run(self)
    }
}
