//! The fixed-function tessellator: turns the levels of a patch into points of its domain, and primitives between them.
//!
//! Owns the rules for levels ([`Levels`]) and the subdivision itself ([`Tessellation`]), with a bounded cache
//! ([`Tessellator`]). It uses nothing else of the rasterizer. The orientation of triangles and the use of the points
//! are left to [`super::patches`].
//!
//! Every coordinate is a multiple of 2^-24 in \[0, 1\], so that `1 - u` and sums of barycentric coordinates are exact.
//! The points of an edge depend only on its own level and lie symmetrically. The same level gives the same numbers from
//! either end, on every edge of every domain, so patches that share an edge meet without a crack.
//!
//! Spec: Vulkan, "Tessellator" (tessellation), "Tessellation Invariance" (invariance-tessellation).

mod levels;
mod quads;
mod stitch;
#[cfg(test)]
mod tests;
mod triangles;

use std::rc::Rc;

use quadrille_jit::abi::MAX_LANES;
use quadrille_jit::ir::TessellationDomain as Domain;
use rustc_hash::FxHashMap;

use crate::limits::MAX_TESSELLATION_LEVEL;

pub(crate) use levels::Levels;

/// Maximum level. Spec: maxTessellationGenerationLevel.
pub(crate) const MAX_LEVEL: u32 = MAX_TESSELLATION_LEVEL;

/// The coordinate 1.0 in fixed point.
const ONE: u32 = 1 << 24;

/// Converts a fixed-point coordinate for shaders.
fn coordinate(fx24: u32) -> f32 {
    fx24 as f32 / ONE as f32
}

/// A divided domain.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tessellation {
    /// u, v and w of each point, padded with zeros to a whole lane group; w is 0 except in triangles.
    pub points: [Vec<f32>; 3],
    /// Number of points.
    pub n_points: usize,
    /// Indices of the points of each primitive: three per triangle, two per line. Triangles are wound so that their
    /// area in (u, v) is positive.
    pub indices: Vec<u16>,
}

impl Tessellation {
    /// Divides the domain. Equal levels give the same points and primitives in the same order.
    pub fn new(levels: &Levels) -> Tessellation {
        let mut t = Tessellation::default();
        let padded = levels.points().next_multiple_of(MAX_LANES);
        t.points.iter_mut().for_each(|p| p.reserve_exact(padded));
        t.indices.reserve_exact(levels.indices());
        match levels.domain {
            Domain::Triangles => triangles::divide(levels, &mut t),
            Domain::Quads => quads::divide(levels, &mut t),
            Domain::Isolines => isolines(levels, &mut t),
        }
        t.n_points = t.points[0].len();
        t.points.iter_mut().for_each(|p| p.resize(padded, 0.0));
        t
    }

    fn point(&mut self, at: [u32; 3]) {
        for (list, c) in self.points.iter_mut().zip(at) {
            list.push(coordinate(c));
        }
    }

    fn triangle(&mut self, points: [u32; 3]) {
        self.indices.extend(points.map(|p| p as u16));
    }

    fn bytes(&self) -> usize {
        3 * size_of_val(&self.points[0][..]) + size_of_val(&self.indices[..])
    }
}

/// Spec: Vulkan, "Isoline Tessellation".
fn isolines(levels: &Levels, t: &mut Tessellation) {
    let [lines, segments] = [levels.outer[0].subdivide(), levels.outer[1].subdivide()];
    for &v in &lines.at()[..lines.n() as usize] {
        let first = t.points[0].len() as u16;
        segments.at().iter().for_each(|&u| t.point([u, v, 0]));
        (0..segments.n() as u16).for_each(|i| t.indices.extend([first + i, first + i + 1]));
    }
}

/// Maximum number of bytes that a [`Tessellator`] keeps.
const CACHE_BYTES: usize = 2 << 20;

/// Divides domains, and caches recent results.
#[derive(Default)]
pub(crate) struct Tessellator {
    made: FxHashMap<Levels, Rc<Tessellation>>,
    bytes: usize,
}

impl Tessellator {
    /// Returns the domain divided by these levels.
    pub fn divide(&mut self, levels: &Levels) -> Rc<Tessellation> {
        if let Some(t) = self.made.get(levels) {
            return t.clone();
        }
        let t = Rc::new(Tessellation::new(levels));
        if self.bytes + t.bytes() > CACHE_BYTES {
            self.made.clear();
            self.bytes = 0;
        }
        self.bytes += t.bytes() + size_of::<(Levels, Rc<Tessellation>)>();
        self.made.insert(*levels, t.clone());
        t
    }
}
