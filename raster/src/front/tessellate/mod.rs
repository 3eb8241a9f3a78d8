//! The fixed-function tessellator: levels of a patch to points of its domain, and the primitives between them.
//!
//! Owns the rules for levels ([`Levels`]) and the subdivision itself ([`Tessellation`]), with a bounded cache
//! ([`Tessellator`]). Which of the two orientations triangles have, and what becomes of the points, is for the
//! stages around it. It needs nothing else of the rasterizer.
//!
//! Every coordinate is a multiple of 2^-24 in \[0, 1\], so that `1 - u` is exact, and so are the sums of
//! barycentric ones. The points of an edge depend on its own level alone and lie symmetrically: from whichever
//! end, on whichever edge of whichever domain, the same level gives the same numbers. Patches that share an
//! edge meet without a crack.
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

pub(crate) use levels::Levels;

/// The greatest level. Spec: maxTessellationGenerationLevel.
pub(crate) const MAX_LEVEL: u32 = 64;

/// One, in the unit of coordinates.
const ONE: u32 = 1 << 24;

/// A coordinate as shaders see it.
fn coordinate(fx24: u32) -> f32 {
    fx24 as f32 / ONE as f32
}

/// A divided domain.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tessellation {
    /// u, v and w of each point, and zeros up to a whole lane group; w is 0 except in triangles.
    pub points: [Vec<f32>; 3],
    /// Number of points.
    pub n_points: usize,
    /// Points of each primitive, one primitive after the other: three of a triangle, two of a line.
    /// Triangles wind so that their area in (u, v) is positive.
    pub indices: Vec<u16>,
}

impl Tessellation {
    /// Divides the domain; always the same points and primitives, in the same order, for the same levels.
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

/// Bytes that a [`Tessellator`] keeps.
const CACHE_BYTES: usize = 2 << 20;

/// Divides domains, and remembers what was made lately.
#[derive(Default)]
pub(crate) struct Tessellator {
    made: FxHashMap<Levels, Rc<Tessellation>>,
    bytes: usize,
}

impl Tessellator {
    /// The domain divided by these levels.
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
