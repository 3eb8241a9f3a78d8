//! The tests as loops over lanes, for every host.

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
        let mut tested = Tested { mask: 0, t: [0.0; 4], v: [0.0; 4], w: [0.0; 4], sum: [0.0; 4] };
        for place in 0..BLOCK {
            // Two sheared coordinates, and the distance.
            let [a, b, c] = [0, 1, 2].map(|corner: usize| {
                let axis = |i: usize| block.vertices[corner][shear.axes[i] as usize][place] - shear.origin[i];
                let (x, y, z) = (axis(0), axis(1), axis(2));
                [x - shear.factors[0] * z, y - shear.factors[1] * z, shear.factors[2] * z]
            });
            // Twice the areas of the triangles of the ray and each edge. Rounded, their signs are right or they are 0.
            let u = c[0] * b[1] - c[1] * b[0];
            let v = a[0] * c[1] - a[1] * c[0];
            let w = b[0] * a[1] - b[1] * a[0];
            let one_sign = min(min(u, v), w) >= 0.0 || max(max(u, v), w) <= 0.0;
            if !one_sign {
                continue;
            }
            if u == 0.0 || v == 0.0 || w == 0.0 {
                exact::add(&mut tested, block, place, shear, tmin, tmax);
                continue;
            }
            let sum = (u + v) + w;
            let t = ((u * a[2] + v * b[2]) + w * c[2]) / sum;
            if t > tmin && t <= tmax {
                tested.mask |= 1 << place;
                tested.t[place] = t;
                tested.v[place] = v;
                tested.w[place] = w;
                tested.sum[place] = sum;
            }
        }
        tested
    }

    #[inline]
    fn run<B: Body>(self, body: B) -> B::Output {
        body.run(self)
    }
}
