//! Rays prepared for the tests against bounds and triangles.

use glam::Vec4;

use crate::geometry::{Aabb, Point};

/// Errors of the triangle test, in relation to the size of its operands: 16 units of the last place. Each of its results
/// is that of fewer than ten operations.
const TRIANGLE_SLACK: f32 = 1.0 / (1 << 20) as f32;
/// Errors of transforms of rays to objects.
const INSTANCE_SLACK: f32 = 1.0 / (1 << 18) as f32;

/// A ray against bounds.
///
/// A ray enters the bounds of an axis at `(near - origin) * inverse`, and leaves them correspondingly. The origins of
/// both sides differ, so that bounds are larger by more than the triangle test errs: a ray never misses bounds whose
/// triangle it hits. All operations are monotonic, so that a ray which hits bounds hits all bounds around them.
#[derive(Clone, Copy, Debug)]
pub struct Slabs {
    /// For each axis, 1 if the ray enters by the upper bounds. The fields after it have a fourth component, of no meaning.
    pub side: [usize; 3],
    pub near_origin: [f32; 4],
    pub far_origin: [f32; 4],
    /// Reciprocal of the direction. It may be infinite.
    pub inverse: [f32; 4],
    pub tmin: f32,
}

/// Contents of the bounds that a ray is tested against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    Triangles,
    Boxes,
    Instances,
}

impl Slabs {
    /// Meets nothing.
    pub const NOWHERE: Slabs = Slabs {
        side: [0; 3],
        near_origin: [0.0; 4],
        far_origin: [0.0; 4],
        inverse: [0.0; 4],
        tmin: f32::INFINITY,
    };

    /// Prepares a ray for the bounds of a tree, all of which lie in `bounds`.
    #[inline(always)]
    pub fn new(origin: Point, direction: Point, tmin: f32, bounds: &Aabb, contents: Contents) -> Slabs {
        let wide = |p: Point| Vec4::new(p[0], p[1], p[2], 0.0);
        let (o, d) = (wide(origin), wide(direction));
        let reach = (wide(bounds.min) - o).abs().max((wide(bounds.max) - o).abs());
        let reach = reach.min(Vec4::splat(f32::MAX / 16.0));
        let longest = Vec4::splat(reach.max_element());
        // The slack is at least one unit of the last place of the origin.
        let slack = match contents {
            Contents::Boxes => Vec4::ZERO,
            Contents::Triangles => (reach + longest) * TRIANGLE_SLACK + o.abs() * f32::EPSILON,
            Contents::Instances => {
                let out = Vec4::splat(o.abs().max_element()).min(Vec4::splat(f32::MAX / 16.0));
                (longest + out) * INSTANCE_SLACK
            }
        };
        // The rays that go up enter by the lower bounds, whose origin is higher by the slack.
        let slack = slack.copysign(d);
        let negative = d.is_negative_bitmask();
        Slabs {
            side: std::array::from_fn(|axis| (negative >> axis & 1) as usize),
            near_origin: (o + slack).to_array(),
            far_origin: (o - slack).to_array(),
            inverse: (Vec4::ONE / d).to_array(),
            tmin,
        }
    }
}

/// An axis.
#[repr(usize)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// A ray against triangles: a shear that maps its direction to the third axis of a permutation.
#[derive(Clone, Copy, Debug)]
pub struct Shear {
    /// The origin, by permuted axis.
    pub origin: [f32; 3],
    /// The permutation, in which the direction is longest along the third axis.
    pub axes: [Axis; 3],
    /// Factors of the shear of the first two axes, and of the distance.
    pub factors: [f32; 3],
}

impl Shear {
    /// Leads nowhere.
    pub const NONE: Shear = Shear { origin: [0.0; 3], axes: [Axis::X, Axis::Y, Axis::Z], factors: [0.0; 3] };

    /// Prepares a ray, with the reciprocal of its direction. `None` if its direction is zero or not finite.
    #[inline(always)]
    pub fn new(origin: Point, direction: Point, inverse: [f32; 4]) -> Option<Shear> {
        let size = direction.map(f32::abs);
        let (x, y, z) = (Axis::X, Axis::Y, Axis::Z);
        let [a, b, c] = if size[0] > size[1] && size[0] > size[2] {
            [y, z, x]
        } else if size[1] > size[2] {
            [z, x, y]
        } else {
            [x, y, z]
        };
        let along = direction[c as usize];
        // Triangles keep their orientation.
        let axes = if along < 0.0 { [b, a, c] } else { [a, b, c] };
        let factor = inverse[c as usize];
        let factors = [direction[axes[0] as usize] * factor, direction[axes[1] as usize] * factor, factor];
        let usable = along != 0.0 && factor.is_finite();
        usable.then_some(Shear { origin: axes.map(|a| origin[a as usize]), axes, factors })
    }
}

/// A test of the triangles of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// Triangles that the ray hits beyond `tmin` and not beyond `tmax`, as bits.
    pub mask: u32,
    /// Distances.
    pub t: [f32; 4],
    /// Barycentric coordinates of the second vertices, times `sum`.
    pub v: [f32; 4],
    /// Barycentric coordinates of the third vertices, times `sum`.
    pub w: [f32; 4],
    /// Sums of unnormalized barycentric coordinates. Front faces have positive sums.
    pub sum: [f32; 4],
}
