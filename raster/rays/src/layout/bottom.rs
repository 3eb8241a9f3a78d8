//! Bottom levels: triangles or boxes.

use std::collections::HashSet;
use std::sync::Arc;

use crate::geometry::{Aabb, BuildOptions, Point};
use crate::micromap::{Micromap, PartOpacity};

use super::node::{BLOCK, Block, GEOMETRY_MASK, Node};

/// Kind of the primitives of a bottom level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Triangles, in blocks.
    Triangles,
    /// Boxes, whose bounds are those of children of nodes.
    Boxes,
}

/// A geometry of a structure. Updates must not change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GeometryInfo {
    /// Number of primitives, with inactive ones.
    pub count: u32,
    /// `true` if hits need no confirmation.
    pub opaque: bool,
    /// `true` if each primitive must be reported at most once for each ray.
    pub no_duplicates: bool,
    /// `true` if the triangles have opacities of their own.
    pub opacity: bool,
}

/// A bottom level: the tree of the primitives of some geometries.
#[derive(Clone, Debug)]
pub struct BottomLevel {
    pub(crate) kind: Kind,
    pub(crate) options: BuildOptions,
    /// Empty if there is no active primitive.
    pub(crate) nodes: Vec<Node>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) geometries: Vec<GeometryInfo>,
    /// Micromaps of the geometries; empty if there are none.
    pub(crate) micromaps: Vec<Option<Arc<Micromap>>>,
    /// Bounds of the first node.
    pub(crate) bounds: Aabb,
}

impl BottomLevel {
    /// The kind of the primitives.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The options of the build.
    pub fn options(&self) -> BuildOptions {
        self.options
    }

    /// The geometries.
    pub fn geometries(&self) -> &[GeometryInfo] {
        &self.geometries
    }

    /// Bounds of all primitives. `None` if there are none.
    pub fn bounds(&self) -> Option<Aabb> {
        (!self.nodes.is_empty()).then_some(self.bounds)
    }

    /// Size in memory, in bytes.
    pub fn size(&self) -> u64 {
        let lists = size_of_val(&self.nodes[..]) + size_of_val(&self.blocks[..]);
        (size_of::<BottomLevel>() + lists + size_of_val(&self.geometries[..])) as u64
    }

    /// The different micromaps, in the order of their first use.
    pub(crate) fn different_micromaps(&self) -> Vec<&Arc<Micromap>> {
        let mut seen = HashSet::new();
        self.micromaps.iter().flatten().filter(|map| seen.insert(Arc::as_ptr(map))).collect()
    }

    /// Size of its micromaps in memory, in bytes.
    pub fn micromap_size(&self) -> u64 {
        self.different_micromaps().iter().map(|map| map.size()).sum()
    }

    /// Opacity of a triangle with an opacity of its own, at a point.
    pub(crate) fn opacity(&self, geometry: u32, word: u32, at: [f32; 2]) -> PartOpacity {
        // Spec: Vulkan, VkOpacityMicromapSpecialIndexKHR, from -1 to -4.
        if word < 5 {
            return PartOpacity::of(4 - word);
        }
        let map = self.micromaps.get((geometry & GEOMETRY_MASK) as usize).and_then(Option::as_ref);
        map.map_or(PartOpacity::Transparent, |map| map.at(word - 5, at))
    }

    /// The vertices at a place, which a hit names.
    pub(crate) fn vertices(&self, slot: u32) -> Option<[Point; 3]> {
        let block = self.blocks.get(slot as usize / BLOCK)?;
        Some(block.get(slot as usize % BLOCK))
    }
}
