//! Primitives as the builders see them: bounds and numbers.

use glam::Vec4;

use crate::geometry::{Aabb, Point};

/// Bounds of a primitive; its two numbers are the bits of the fourth components. They are below 2^30, so that they are
/// bits of finite floats, which copies keep and comparisons can handle.
#[derive(Clone, Copy, Debug)]
pub struct Ref {
    pub lo: Vec4,
    pub hi: Vec4,
}

impl Ref {
    /// A value for places without a primitive.
    pub const NONE: Ref = Ref { lo: Vec4::ZERO, hi: Vec4::ZERO };

    /// A primitive that is not in the tree.
    pub const INACTIVE: Ref = Ref { lo: Vec4::new(0.0, 0.0, 0.0, 2.0), hi: Vec4::ZERO };

    /// `true` for [`Ref::INACTIVE`].
    pub fn is_inactive(&self) -> bool {
        self.primitive() == Ref::INACTIVE.primitive()
    }

    /// A primitive with bounds from [`Bounds::of_box`] or [`triangle_bounds`].
    #[inline]
    pub fn new(bounds: Bounds, primitive: u32, geometry: u32) -> Ref {
        let Bounds { mut lo, mut hi } = bounds;
        (lo.w, hi.w) = (f32::from_bits(primitive), f32::from_bits(geometry));
        Ref { lo, hi }
    }

    /// Number of the primitive in its geometry, or of an instance.
    #[inline]
    pub fn primitive(&self) -> u32 {
        self.lo.w.to_bits()
    }

    /// Number of the geometry.
    #[inline]
    pub fn geometry(&self) -> u32 {
        self.hi.w.to_bits()
    }

    /// Twice the center.
    #[inline]
    pub fn center(&self) -> Vec4 {
        self.lo + self.hi
    }
}

/// Bounds, which ignore the fourth component.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub lo: Vec4,
    pub hi: Vec4,
}

impl Bounds {
    /// Bounds of nothing.
    pub const EMPTY: Bounds = Bounds { lo: Vec4::INFINITY, hi: Vec4::NEG_INFINITY };

    /// Bounds of a box. Corners that are not numbers become 0, infinite ones the largest numbers.
    #[inline]
    pub fn of_box(b: Aabb) -> Bounds {
        // The sum with 0 makes -0 be 0, since the smaller one of two zeros depends on the host.
        let clean = |x: f32| if x.is_nan() { 0.0 } else { x.clamp(-f32::MAX, f32::MAX) + 0.0 };
        let corner = |p: Point| Vec4::new(clean(p[0]), clean(p[1]), clean(p[2]), 0.0);
        Bounds { lo: corner(b.min), hi: corner(b.max) }
    }

    /// Adds bounds.
    #[inline]
    pub fn add(&mut self, lo: Vec4, hi: Vec4) {
        self.lo = self.lo.min(lo);
        self.hi = self.hi.max(hi);
    }

    /// The bounds of both.
    #[inline]
    pub fn union(mut self, other: Bounds) -> Bounds {
        self.add(other.lo, other.hi);
        self
    }

    /// Half of the surface area.
    #[inline]
    pub fn area(&self) -> f32 {
        let d = self.hi - self.lo;
        d.x * (d.y + d.z) + d.y * d.z
    }

    /// The corners.
    #[inline]
    pub fn corners(&self) -> (Point, Point) {
        ([self.lo.x, self.lo.y, self.lo.z], [self.hi.x, self.hi.y, self.hi.z])
    }
}

/// Bounds of primitives and of twice their centers.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    pub bounds: Bounds,
    pub centers: Bounds,
}

impl Extent {
    /// The extent of nothing.
    pub const EMPTY: Extent = Extent { bounds: Bounds::EMPTY, centers: Bounds::EMPTY };

    /// Adds a primitive.
    #[inline]
    pub fn add(&mut self, r: &Ref) {
        self.bounds.add(r.lo, r.hi);
        let c = r.center();
        self.centers.add(c, c);
    }

    /// The extent of both.
    pub fn union(self, other: Extent) -> Extent {
        Extent { bounds: self.bounds.union(other.bounds), centers: self.centers.union(other.centers) }
    }

    /// The extent of a list.
    pub fn of(refs: &[Ref]) -> Extent {
        let mut extent = Extent::EMPTY;
        refs.iter().for_each(|r| extent.add(r));
        extent
    }
}

/// Bounds of a triangle. Components that are not finite are ignored.
#[inline]
pub fn triangle_bounds(vertices: &[Point; 3]) -> Bounds {
    let [a, b, c] = vertices.map(|p| Vec4::new(p[0], p[1], p[2], 0.0));
    if (a + b + c).is_finite() {
        // As in `of_box`: -0 becomes 0.
        return Bounds { lo: a.min(b).min(c) + Vec4::ZERO, hi: a.max(b).max(c) + Vec4::ZERO };
    }
    Bounds::of_box(finite_bounds(vertices))
}

#[cold]
fn finite_bounds(vertices: &[Point; 3]) -> Aabb {
    let bound = |axis: usize, pick: fn(f32, f32) -> f32| {
        let finite = vertices.iter().map(|v| v[axis]).filter(|x| x.is_finite());
        finite.reduce(pick).unwrap_or(0.0)
    };
    let all = |pick| [bound(0, pick), bound(1, pick), bound(2, pick)];
    let (lo, hi): (fn(f32, f32) -> f32, fn(f32, f32) -> f32) = (f32::min, f32::max);
    Aabb { min: all(lo), max: all(hi) }
}

impl From<Ref> for Bounds {
    fn from(r: Ref) -> Bounds {
        Bounds { lo: r.lo, hi: r.hi }
    }
}
