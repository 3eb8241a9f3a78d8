//! Bottom levels from geometries.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::geometry::{
    Aabb, BuildOptions, Geometry, MAX_GEOMETRIES, MAX_PRIMITIVES, Point, Primitives, Quality, Triangles,
    is_finite,
};
use crate::layout::{
    BLOCK, BOTTOM_LEVELS, Block, BottomLevel, GEOMETRY_OPAQUE, GeometryInfo, Kind, LEAF, Node,
};
use crate::micromap::Micromap;
use crate::threads;

use super::parts::{Leaves, Tree, concatenate, is_serial};
use super::refs::{Bounds, Extent, Ref, triangle_bounds};
use super::split::Rules;
use super::wide::Room;
use super::{BuildError, morton, wide, with_room};

/// Primitives that one thread reads at a time.
const CHUNK: usize = 1 << 12;

/// Size of a bottom level in bytes that its counts suggest. Shapes that fit boxes badly can need more.
pub fn estimate_bottom(kind: Kind, geometries: usize, primitives: u64) -> u64 {
    let primitives = primitives.max(1);
    let fixed = (size_of::<BottomLevel>() + geometries * size_of::<GeometryInfo>()) as u64;
    let (blocks, nodes) = match kind {
        Kind::Triangles => (primitives.div_ceil(2), primitives.div_ceil(8)),
        Kind::Boxes => (0, (primitives * 5).div_ceil(8)),
    };
    fixed + blocks * size_of::<Block>() as u64 + nodes * size_of::<Node>() as u64
}

/// Number and flags of a geometry, as nodes and blocks have it.
pub(super) fn geometry_word(geometry: usize, opaque: bool) -> u32 {
    geometry as u32 | if opaque { GEOMETRY_OPAQUE } else { 0 }
}

/// `true` if no ray can hit the triangle: two vertices are equal, or one is not finite.
#[inline]
fn degenerate(vertices: &[Point; 3]) -> bool {
    let [a, b, c] = vertices;
    let finite = vertices.iter().all(|p| is_finite(*p));
    !finite || a == b || b == c || c == a
}

/// Leaves of triangles.
struct TriangleLeaves<'a>(&'a [Geometry<'a>]);

impl Leaves for TriangleLeaves<'_> {
    const CAPACITY: usize = BLOCK;
    const BLOCKS: bool = true;

    fn child(&self, r: &Ref) -> (u32, u32) {
        (LEAF | r.primitive(), 0)
    }

    fn block(&self, refs: &[Ref]) -> Block {
        let mut block = Block::EMPTY;
        let mut corners = [[[f32::NAN; 3]; 3]; BLOCK];
        for (place, r) in refs.iter().take(BLOCK).enumerate() {
            let geometry = &self.0[r.geometry() as usize];
            if let Primitives::Triangles(triangles) = &geometry.primitives
                && let Some(vertices) = triangles.vertices(r.primitive() as usize)
            {
                corners[place] = vertices;
            }
            block.primitive[place] = r.primitive();
            block.geometry[place] = geometry_word(r.geometry() as usize, geometry.opaque);
            block.opacity[place] = geometry.opacity.map_or(0, |opacity| opacity.word(r.primitive()));
        }
        block.set_all(&corners);
        block
    }
}

/// Leaves of boxes: a child of a node is a box.
struct BoxLeaves<'a>(&'a [Geometry<'a>]);

impl Leaves for BoxLeaves<'_> {
    const CAPACITY: usize = 1;
    const BLOCKS: bool = false;

    fn child(&self, r: &Ref) -> (u32, u32) {
        let opaque = self.0[r.geometry() as usize].opaque;
        (LEAF | r.primitive(), geometry_word(r.geometry() as usize, opaque))
    }

    fn block(&self, _: &[Ref]) -> Block {
        Block::EMPTY
    }
}

impl BottomLevel {
    /// Builds a bottom level, with the threads of the calling [`Threads::run`](crate::Threads::run).
    pub fn build(geometries: &[Geometry<'_>], options: BuildOptions) -> Result<BottomLevel, BuildError> {
        let kind = kind_of(geometries)?;
        let refs = collect(geometries, options.allow_update)?;
        let tree = match kind {
            Kind::Triangles => tree(&TriangleLeaves(geometries), refs, options.quality, BOTTOM_LEVELS)?,
            Kind::Boxes => tree(&BoxLeaves(geometries), refs, options.quality, BOTTOM_LEVELS)?,
        };
        let (min, max) = tree.nodes.first().unwrap_or(&Node::EMPTY).union();
        Ok(BottomLevel {
            kind,
            options,
            nodes: tree.nodes,
            blocks: tree.blocks,
            geometries: infos(geometries),
            micromaps: micromaps(geometries),
            bounds: Aabb { min, max },
        })
    }
}

/// The descriptions of geometries that a structure keeps.
pub(super) fn infos(geometries: &[Geometry<'_>]) -> Vec<GeometryInfo> {
    let info = |g: &Geometry<'_>| GeometryInfo {
        count: g.primitives.count() as u32,
        opaque: g.opaque,
        no_duplicates: g.no_duplicates,
        opacity: g.opacity.is_some(),
    };
    geometries.iter().map(info).collect()
}

/// The micromaps of geometries, or nothing if none has one.
pub(super) fn micromaps(geometries: &[Geometry<'_>]) -> Vec<Option<Arc<Micromap>>> {
    let of = |g: &Geometry<'_>| g.opacity.and_then(|opacity| opacity.micromap.cloned());
    let all: Vec<_> = geometries.iter().map(of).collect();
    if all.iter().all(Option::is_none) { Vec::new() } else { all }
}

/// Checks the counts; returns the kind of all primitives.
pub(super) fn kind_of(geometries: &[Geometry<'_>]) -> Result<Kind, BuildError> {
    if geometries.len() > MAX_GEOMETRIES {
        return Err(BuildError::TooMany("the number of geometries"));
    }
    let count = geometries.iter().fold(0usize, |sum, g| sum.saturating_add(g.primitives.count()));
    if count > MAX_PRIMITIVES {
        return Err(BuildError::TooMany("the number of primitives"));
    }
    let boxes = geometries.iter().filter(|g| matches!(g.primitives, Primitives::Boxes(_))).count();
    match boxes {
        0 => Ok(Kind::Triangles),
        n if n == geometries.len() => Ok(Kind::Boxes),
        _ => Err(BuildError::MixedGeometries),
    }
}

/// Builds the tree of some primitives.
pub(super) fn tree<L: Leaves>(
    leaves: &L,
    mut refs: Vec<Ref>,
    quality: Quality,
    levels: usize,
) -> Result<Tree, BuildError> {
    if refs.is_empty() {
        return Ok(Tree::default());
    }
    let chunks = threads::map(refs.chunks(CHUNK).collect(), Extent::of);
    let extent = chunks.into_iter().fold(Extent::EMPTY, Extent::union);
    let rules = match quality {
        Quality::FastBuild => {
            let (part, refs) = morton::build(leaves, refs, &extent, levels)?;
            return concatenate(leaves, part, &refs);
        }
        Quality::Balanced => Rules { leaf: L::CAPACITY, bins: 16, all_axes: false },
        Quality::FastTrace => Rules { leaf: L::CAPACITY, bins: 32, all_axes: true },
    };
    let mut spare = with_room(refs.len())?;
    spare.resize(refs.len(), Ref::NONE);
    let room = Room { refs: &mut refs, spare: &mut spare };
    let part = wide::build(leaves, room, extent, levels, &rules);
    drop(spare);
    concatenate(leaves, part, &refs)
}

/// Bounds of a triangle that must be in the tree.
fn triangle(triangles: &Triangles<'_>, at: usize, keep_degenerate: bool) -> Option<Bounds> {
    let vertices = triangles.vertices(at)?;
    (keep_degenerate || !degenerate(&vertices)).then(|| triangle_bounds(&vertices))
}

/// Bounds of a primitive; `None` for inactive ones.
#[inline]
fn bounds(geometry: &Geometry<'_>, at: usize, keep_degenerate: bool) -> Option<Bounds> {
    match &geometry.primitives {
        Primitives::Triangles(triangles) => triangle(triangles, at, keep_degenerate),
        Primitives::Boxes(boxes) => boxes.get(at).filter(|b| !b.min[0].is_nan()).map(|b| Bounds::of_box(*b)),
    }
}

/// The active primitives of geometries.
fn collect(geometries: &[Geometry<'_>], keep_degenerate: bool) -> Result<Vec<Ref>, BuildError> {
    let mut starts = Vec::with_capacity(geometries.len());
    let mut count = 0;
    for geometry in geometries {
        starts.push(count);
        count += geometry.primitives.count();
    }
    let mut refs = with_room(count)?;
    if is_serial(count) {
        for (number, geometry) in (0..).zip(geometries) {
            let active = (0..geometry.primitives.count())
                .filter_map(|at| Some(Ref::new(bounds(geometry, at, keep_degenerate)?, at as u32, number)));
            refs.extend(active);
        }
        return Ok(refs);
    }
    // All primitives have a place until the inactive ones are known.
    let any_inactive = AtomicBool::new(false);
    threads::fill(&mut refs, count, CHUNK, |place| {
        let number = starts.partition_point(|&start| start <= place) - 1;
        let at = place - starts[number];
        if let Some(bounds) = bounds(&geometries[number], at, keep_degenerate) {
            return Ref::new(bounds, at as u32, number as u32);
        }
        any_inactive.store(true, Relaxed);
        Ref::INACTIVE
    });
    if any_inactive.into_inner() {
        refs.retain(|r| !r.is_inactive());
    }
    Ok(refs)
}

/// Bounds of nothing, for structures without primitives.
pub(super) fn corners(bounds: &Bounds) -> Aabb {
    let (min, max) = bounds.corners();
    Aabb { min, max }
}
