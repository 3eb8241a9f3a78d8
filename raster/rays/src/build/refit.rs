//! Updates: the tree keeps its shape, and primitives and bounds change.

use crate::geometry::{Aabb, Geometry, Point, Primitives};
use crate::layout::{BLOCK, Block, BottomLevel, GEOMETRY_MASK, Instance, Kind, LEAF, Node, TopLevel, WIDTH};
use crate::threads;

use super::bottom::{infos, kind_of, micromaps};
use super::refs::{Bounds, triangle_bounds};
use super::top::{placed, world_bounds};
use super::{BuildError, copied};

/// Bounds that no ray hits.
const NOWHERE: Aabb = Aabb { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

/// Blocks that a thread moves at a time.
const CHUNK: usize = 256;

impl BottomLevel {
    /// A structure of the same primitives at other positions. Only positions, transforms and opacities of triangles may
    /// differ from the build.
    ///
    /// A primitive that was inactive stays so; rays miss one that becomes inactive.
    pub fn update(&self, geometries: &[Geometry<'_>]) -> Result<BottomLevel, BuildError> {
        if !self.options.allow_update {
            return Err(BuildError::NotUpdatable);
        }
        if kind_of(geometries)? != self.kind && !geometries.is_empty() {
            return Err(BuildError::Changed("the kind of primitives"));
        }
        if infos(geometries) != self.geometries {
            return Err(BuildError::Changed("the number of geometries or primitives, or their flags"));
        }
        let mut new = BottomLevel {
            kind: self.kind,
            options: self.options,
            nodes: copied(&self.nodes)?,
            blocks: copied(&self.blocks)?,
            geometries: self.geometries.clone(),
            micromaps: micromaps(geometries),
            bounds: self.bounds,
        };
        match self.kind {
            Kind::Triangles => {
                let bounds = threads::map(new.blocks.chunks_mut(CHUNK).collect(), |blocks| {
                    blocks.iter_mut().map(|block| move_block(block, geometries)).collect::<Vec<_>>()
                });
                let of = |child: usize| bounds.get(child / CHUNK)?.get(child % CHUNK).copied();
                refit(&mut new.nodes, |child, _| of(child as usize).unwrap_or(NOWHERE));
            }
            Kind::Boxes => refit(&mut new.nodes, |child, extra| {
                let geometry = geometries.get((extra & GEOMETRY_MASK) as usize);
                match geometry.map(|g| &g.primitives) {
                    Some(Primitives::Boxes(boxes)) => boxes.get(child as usize).map_or(NOWHERE, clean),
                    Some(Primitives::Triangles(_)) | None => NOWHERE,
                }
            }),
        }
        (new.bounds.min, new.bounds.max) = new.nodes.first().unwrap_or(&Node::EMPTY).union();
        Ok(new)
    }
}

/// The bounds of a box as the builder has them.
fn clean(b: &Aabb) -> Aabb {
    if b.min[0].is_nan() {
        return NOWHERE;
    }
    super::bottom::corners(&Bounds::of_box(*b))
}

/// Moves the triangles of a block; returns their bounds.
fn move_block(block: &mut Block, geometries: &[Geometry<'_>]) -> Aabb {
    let mut bounds = NOWHERE;
    for place in 0..BLOCK {
        if block.primitive[place] == u32::MAX {
            continue;
        }
        let geometry = geometries.get((block.geometry[place] & GEOMETRY_MASK) as usize);
        let vertices = match geometry.map(|g| &g.primitives) {
            Some(Primitives::Triangles(t)) => t.vertices(block.primitive[place] as usize),
            Some(Primitives::Boxes(_)) | None => None,
        };
        let opacity = geometry.and_then(|g| g.opacity);
        block.opacity[place] = opacity.map_or(0, |opacity| opacity.word(block.primitive[place]));
        block.set(place, vertices.unwrap_or([[f32::NAN; 3]; 3]));
        if let Some(vertices) = vertices {
            let own = super::bottom::corners(&triangle_bounds(&vertices));
            bounds = union(&bounds, &own);
        }
    }
    bounds
}

fn union(a: &Aabb, b: &Aabb) -> Aabb {
    let both = |pick: fn(f32, f32) -> f32, a: Point, b: Point| std::array::from_fn(|i| pick(a[i], b[i]));
    Aabb { min: both(f32::min, a.min, b.min), max: both(f32::max, a.max, b.max) }
}

/// Sets the bounds of all children, the leaves' by a function of their index and extra word.
fn refit(nodes: &mut [Node], leaf: impl Fn(u32, u32) -> Aabb) {
    // Children come after their parents.
    for at in (0..nodes.len()).rev() {
        for slot in 0..WIDTH {
            let node = &nodes[at];
            if node.is_unused(slot) {
                continue;
            }
            let child = node.children[slot];
            let Aabb { min, max } = if child & LEAF != 0 {
                leaf(child & !LEAF, node.extra[slot])
            } else {
                let (min, max) = nodes[child as usize].union();
                Aabb { min, max }
            };
            nodes[at].set_bounds(slot, min, max);
        }
    }
}

impl TopLevel {
    /// A structure of the same instances with other properties. Only active instances may be active.
    pub fn update(&self, instances: &[Instance]) -> Result<TopLevel, BuildError> {
        if !self.options.allow_update {
            return Err(BuildError::NotUpdatable);
        }
        if instances.len() != self.instances.len() {
            return Err(BuildError::Changed("the number of instances"));
        }
        let mut new = self.clone();
        new.instances = placed(instances)?;
        for node in &mut new.nodes {
            for slot in (0..WIDTH).filter(|&slot| node.children[slot] & LEAF != 0) {
                let instance = new.instances.get((node.children[slot] & !LEAF) as usize);
                node.extra[slot] = instance.map_or(0, |i| u32::from(i.instance.mask));
            }
        }
        refit(&mut new.nodes, |child, _| {
            let instance = new.instances.get(child as usize);
            instance.and_then(world_bounds).map_or(NOWHERE, |bounds| clean(&bounds))
        });
        (new.bounds.min, new.bounds.max) = new.nodes.first().unwrap_or(&Node::EMPTY).union();
        Ok(new)
    }
}
