//! Descriptions of scenes, from which acceleration structures are built: triangles, boxes, instances and their flags.
//!
//! All data is decoded: formats of vertices and indices, and where the data lies, are left to the caller.

use std::sync::Arc;

use crate::micromap::Micromap;

/// A position or direction.
pub type Point = [f32; 3];

/// A 3x4 matrix as three rows, which transforms columns.
pub type Affine = [[f32; 4]; 3];

/// The transform that changes nothing.
pub const IDENTITY: Affine = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// Largest number of primitives in a bottom level.
pub const MAX_PRIMITIVES: usize = (1 << 29) - 1;
/// Largest number of geometries in a bottom level.
pub const MAX_GEOMETRIES: usize = (1 << 24) - 1;
/// Largest number of instances in a top level.
pub const MAX_INSTANCES: usize = (1 << 24) - 1;

/// An axis-aligned box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The lower corner.
    pub min: Point,
    /// The upper corner.
    pub max: Point,
}

/// Primitives of one geometry.
#[derive(Clone, Copy, Debug)]
pub enum Primitives<'a> {
    /// Triangles.
    Triangles(Triangles<'a>),
    /// Boxes, whose contents the user of a ray intersects. A box is inactive if the lower x is NaN.
    Boxes(&'a [Aabb]),
}

/// Triangles of one geometry.
///
/// A triangle is inactive if x is NaN in one of its vertices, or if an index is out of range.
#[derive(Clone, Copy, Debug)]
pub struct Triangles<'a> {
    /// Positions of vertices.
    pub positions: &'a [Point],
    /// Vertices of each triangle. Without indices, every three positions are a triangle.
    pub indices: Option<&'a [[u32; 3]]>,
    /// Transform of the positions.
    pub transform: Option<Affine>,
}

impl Triangles<'_> {
    /// Number of triangles.
    pub fn count(&self) -> usize {
        self.indices.map_or(self.positions.len() / 3, <[_]>::len)
    }

    /// The transformed vertices of an active triangle.
    #[inline]
    pub fn vertices(&self, triangle: usize) -> Option<[Point; 3]> {
        let raw = match self.indices {
            Some(indices) => {
                let [a, b, c] = *indices.get(triangle)?;
                let at = |i: u32| self.positions.get(i as usize).copied();
                [at(a)?, at(b)?, at(c)?]
            }
            None => {
                let first = triangle.checked_mul(3)?;
                let three = self.positions.get(first..first.checked_add(3)?)?;
                [three[0], three[1], three[2]]
            }
        };
        if raw.iter().any(|p| p[0].is_nan()) {
            return None;
        }
        Some(match &self.transform {
            Some(m) => raw.map(|p| transform_point(m, p)),
            None => raw,
        })
    }
}

impl Primitives<'_> {
    /// Number of primitives.
    pub fn count(&self) -> usize {
        match self {
            Primitives::Triangles(triangles) => triangles.count(),
            Primitives::Boxes(boxes) => boxes.len(),
        }
    }
}

/// Opacities of the triangles of a geometry.
#[derive(Clone, Copy, Debug)]
pub struct Opacity<'a> {
    /// The micromap. Without one, only special indices select something.
    pub micromap: Option<&'a Arc<Micromap>>,
    /// For each triangle, the number of a triangle of the micromap, or a special index: -1 for transparent, -2 for
    /// opaque, -3 and -4 for unknown triangles that are transparent and opaque to rays that see two states. Missing
    /// triangles are transparent.
    pub indices: &'a [u32],
}

impl Opacity<'_> {
    /// The word that a block has for a triangle.
    pub(crate) fn word(&self, triangle: u32) -> u32 {
        self.indices.get(triangle as usize).copied().unwrap_or(u32::MAX).wrapping_add(5)
    }
}

/// A geometry of a bottom level.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<'a> {
    /// The primitives.
    pub primitives: Primitives<'a>,
    /// `true` if hits need no confirmation.
    pub opaque: bool,
    /// `true` if each primitive must be reported at most once for each ray. This holds for every geometry; the flag is
    /// kept because an update must not change it.
    pub no_duplicates: bool,
    /// Opacities of triangles, which take the place of `opaque`.
    pub opacity: Option<Opacity<'a>>,
}

/// Relation between the time of building and the speed of rays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quality {
    /// Building is fast.
    FastBuild,
    /// A compromise.
    #[default]
    Balanced,
    /// Rays are fast.
    FastTrace,
}

/// Options of building.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BuildOptions {
    /// The relation between the time of building and the speed of rays.
    pub quality: Quality,
    /// `true` if the structure can be updated. Degenerate primitives are then part of the structure.
    pub allow_update: bool,
}

/// Flags of an instance, with the bits of the API.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct InstanceFlags(pub u8);

impl InstanceFlags {
    /// Faces are not culled.
    pub const FACING_CULL_DISABLE: InstanceFlags = InstanceFlags(1);
    /// Front faces are back faces and the reverse.
    pub const FLIP_FACING: InstanceFlags = InstanceFlags(2);
    /// All geometries are opaque.
    pub const FORCE_OPAQUE: InstanceFlags = InstanceFlags(4);
    /// No geometry is opaque.
    pub const FORCE_NO_OPAQUE: InstanceFlags = InstanceFlags(8);
    /// Micromaps have two states.
    pub const FORCE_OPACITY_MICROMAP_2_STATE: InstanceFlags = InstanceFlags(0x10);
    /// Micromaps have no effect.
    pub const DISABLE_OPACITY_MICROMAPS: InstanceFlags = InstanceFlags(0x20);

    /// `true` if all bits of `flags` are set.
    pub fn has(self, flags: InstanceFlags) -> bool {
        self.0 & flags.0 == flags.0
    }
}

impl std::ops::BitOr for InstanceFlags {
    type Output = InstanceFlags;
    fn bitor(self, other: InstanceFlags) -> InstanceFlags {
        InstanceFlags(self.0 | other.0)
    }
}

/// `true` if all components are finite.
#[inline(always)]
pub(crate) fn is_finite(p: Point) -> bool {
    // Products with 0 are 0, or not numbers.
    (p[0] * 0.0 + p[1] * 0.0) + p[2] * 0.0 == 0.0
}

/// Transforms a point. The order of the operations is part of the contract: every host computes the same bits.
#[inline(always)]
pub fn transform_point(m: &Affine, p: Point) -> Point {
    let row = |r: &[f32; 4]| ((r[0] * p[0] + r[1] * p[1]) + r[2] * p[2]) + r[3];
    [row(&m[0]), row(&m[1]), row(&m[2])]
}

/// Transforms a direction, without the translation.
#[inline(always)]
pub fn transform_vector(m: &Affine, p: Point) -> Point {
    let row = |r: &[f32; 4]| (r[0] * p[0] + r[1] * p[1]) + r[2] * p[2];
    [row(&m[0]), row(&m[1]), row(&m[2])]
}

/// The inverse of a transform, computed in f64 and rounded once. `None` if it is not finite.
pub fn invert(m: &Affine) -> Option<Affine> {
    let m = m.map(|row| row.map(f64::from));
    let minor = |r: usize, c: usize| {
        let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
        m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
    };
    let det = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
    let mut out = [[0.0f32; 4]; 3];
    for r in 0..3 {
        let row: [f64; 3] = std::array::from_fn(|c| minor(c, r) / det);
        let moved = row[0] * m[0][3] + row[1] * m[1][3] + row[2] * m[2][3];
        out[r] = [row[0] as f32, row[1] as f32, row[2] as f32, -moved as f32];
    }
    out.iter().flatten().all(|x| x.is_finite()).then_some(out)
}
