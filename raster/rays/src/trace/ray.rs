//! Rays prepared for the tests against bounds and triangles.

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
    /// For each axis, 1 if the ray enters by the upper bounds.
    pub side: [usize; 3],
    pub near_origin: [f32; 3],
    pub far_origin: [f32; 3],
    /// Reciprocal of the direction. It may be infinite.
    pub inverse: [f32; 3],
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
    /// Prepares a ray for the bounds of a tree, all of which lie in `bounds`.
    #[inline(always)]
    pub fn new(origin: Point, direction: Point, tmin: f32, bounds: &Aabb, contents: Contents) -> Slabs {
        let reach: [f32; 3] = std::array::from_fn(|a| {
            let far = (bounds.min[a] - origin[a]).abs().max((bounds.max[a] - origin[a]).abs());
            far.min(f32::MAX / 16.0)
        });
        let longest = reach[0].max(reach[1]).max(reach[2]);
        let slack: [f32; 3] = match contents {
            Contents::Boxes => [0.0; 3],
            Contents::Triangles => reach.map(|r| (r + longest) * TRIANGLE_SLACK),
            Contents::Instances => {
                let out = origin[0].abs().max(origin[1].abs()).max(origin[2].abs()).min(f32::MAX / 16.0);
                [(longest + out) * INSTANCE_SLACK; 3]
            }
        };
        let mut slabs = Slabs {
            side: direction.map(|d| usize::from(d.is_sign_negative())),
            near_origin: origin,
            far_origin: origin,
            inverse: direction.map(|d| 1.0 / d),
            tmin,
        };
        if contents != Contents::Boxes {
            for axis in 0..3 {
                let (up, down) =
                    ((origin[axis] + slack[axis]).next_up(), (origin[axis] - slack[axis]).next_down());
                let (near, far) = if slabs.side[axis] == 0 { (up, down) } else { (down, up) };
                (slabs.near_origin[axis], slabs.far_origin[axis]) = (near, far);
            }
        }
        slabs
    }
}

/// An axis.
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
    /// Prepares a ray. `None` if its direction is zero or not finite.
    #[inline(always)]
    pub fn new(origin: Point, direction: Point) -> Option<Shear> {
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
        let factors = [direction[axes[0] as usize] / along, direction[axes[1] as usize] / along, 1.0 / along];
        let usable = along != 0.0 && factors.iter().all(|f| f.is_finite());
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
