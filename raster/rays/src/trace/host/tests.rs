//! Every level against the plain loops, on arbitrary operands.

use bytemuck::Zeroable;

use crate::layout::{Block, Node};

use super::super::ray::{Axis, Shear, Slabs};
use super::{Avx2, Host, NONE, Plain};

/// Arbitrary bits, and numbers that matter.
struct Values(u64);

impl Values {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32
    }

    fn float(&mut self) -> f32 {
        const HARD: [f32; 8] =
            [0.0, -0.0, 1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE, f32::MAX];
        match self.bits() % 8 {
            0 => HARD[self.bits() as usize % 8],
            1 => f32::from_bits(self.bits()),
            2..4 => (self.bits() % 9) as f32 - 4.0,
            _ => self.bits() as f32 / 1e9 - 2.0,
        }
    }
}

fn slabs(v: &mut Values) -> Slabs {
    let direction = [v.float(), v.float(), v.float()];
    Slabs {
        side: direction.map(|d| usize::from(d.is_sign_negative())),
        near_origin: [v.float(), v.float(), v.float(), 0.0],
        far_origin: [v.float(), v.float(), v.float(), 0.0],
        inverse: [1.0 / direction[0], 1.0 / direction[1], 1.0 / direction[2], 0.0],
        tmin: v.float(),
    }
}

#[test]
fn keys_are_those_of_the_loops() {
    let Some(host) = Avx2::new() else { return };
    let mut v = Values(7);
    let (mut hits, mut empty) = (0, 0);
    for _ in 0..20_000 {
        let mut node = Node::zeroed();
        node.bounds.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|x| *x = v.float());
        let (slabs, tmax) = (slabs(&mut v), v.float());
        let expected = Plain.keys(&node, &slabs, tmax);
        let keys = host.keys(&node, &slabs, tmax);
        assert_eq!(host.store(keys), expected, "{node:?} {slabs:?} {tmax}");
        assert_eq!(host.least(keys), Plain.least(expected));
        assert_eq!(host.is_empty(keys), Plain.is_empty(expected));
        empty += u32::from(host.is_empty(keys));
        let key = expected[v.bits() as usize % 8];
        assert_eq!(host.store(host.without(keys, key)), Plain.without(expected, key));
        hits += expected.iter().filter(|&&key| key != NONE).count();
    }
    assert!(hits > 1000 && empty > 1000, "{hits} hits, {empty} without");
}

#[test]
fn triangles_are_those_of_the_loops() {
    let Some(host) = Avx2::new() else { return };
    let mut v = Values(8);
    let (mut hits, mut edges) = (0, 0);
    for round in 0..40_000 {
        let mut block = Block::EMPTY;
        let rows = block.vertices.as_flattened_mut().as_flattened_mut();
        // Small integers make rays meet edges.
        let small = round % 2 == 0;
        let number = |v: &mut Values| if small { (v.bits() % 5) as f32 - 2.0 } else { v.float() };
        rows.iter_mut().for_each(|x| *x = number(&mut v));
        let axes = [[Axis::X, Axis::Y, Axis::Z], [Axis::Z, Axis::Y, Axis::X]][v.bits() as usize % 2];
        let origin = [number(&mut v), number(&mut v), number(&mut v)];
        let shear = Shear { origin, axes, factors: [number(&mut v), number(&mut v), v.float()] };
        let (tmin, tmax) = (v.float(), v.float());
        let (a, b) =
            (Plain.triangles(&block, &shear, tmin, tmax), host.triangles(&block, &shear, tmin, tmax));
        assert_eq!(a.mask, b.mask, "{block:?} {shear:?} {tmin} {tmax}");
        for place in (0..4).filter(|place| a.mask >> place & 1 != 0) {
            hits += 1;
            edges += u32::from(a.sum[place].abs() == 1.0);
            let bits =
                |t: &super::Tested| [t.t[place], t.v[place], t.w[place], t.sum[place]].map(f32::to_bits);
            assert_eq!(bits(&a), bits(&b));
        }
    }
    assert!(hits > 1000 && edges > 100, "{hits} hits, {edges} at edges");
}
