//! Top levels: instances of bottom levels.

use std::sync::Arc;

use crate::geometry::{Aabb, Affine, BuildOptions, IDENTITY, InstanceFlags};

use super::bottom::BottomLevel;
use super::node::Node;

/// An instance.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Transform from the space of the object to that of the world.
    pub transform: Affine,
    /// A number for users, of 24 bits.
    pub custom_index: u32,
    /// Rays whose mask shares no bit with this mask miss the instance.
    pub mask: u8,
    /// Offset in the shader binding table, of 24 bits.
    pub sbt_offset: u32,
    /// The flags.
    pub flags: InstanceFlags,
    /// The object. `None` for an inactive instance.
    pub bottom: Option<Arc<BottomLevel>>,
}

impl Instance {
    /// An instance of an object in its place, visible to all rays.
    pub fn new(bottom: Arc<BottomLevel>) -> Instance {
        Instance {
            transform: IDENTITY,
            custom_index: 0,
            mask: 0xff,
            sbt_offset: 0,
            flags: InstanceFlags::default(),
            bottom: Some(bottom),
        }
    }
}

/// An instance of a top level.
#[derive(Clone, Debug)]
pub struct PlacedInstance {
    /// The instance.
    pub(crate) instance: Instance,
    /// The inverse of its transform, or zeros if it has none. Rays miss such an instance.
    pub(crate) inverse: Affine,
    /// `true` if the transform changes nothing.
    pub(crate) identity: bool,
}

impl PlacedInstance {
    /// The instance as it was given.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Transform from the space of the object to that of the world.
    pub fn object_to_world(&self) -> &Affine {
        &self.instance.transform
    }

    /// Transform from the space of the world to that of the object.
    pub fn world_to_object(&self) -> &Affine {
        &self.inverse
    }
}

/// A top level: the tree of some instances.
#[derive(Clone, Debug)]
pub struct TopLevel {
    pub(crate) options: BuildOptions,
    /// Empty if no instance can be hit.
    pub(crate) nodes: Vec<Node>,
    pub(crate) instances: Vec<PlacedInstance>,
    /// Bounds of the first node.
    pub(crate) bounds: Aabb,
}

impl TopLevel {
    /// The instances, with inactive ones.
    pub fn instances(&self) -> &[PlacedInstance] {
        &self.instances
    }

    /// The bottom level of each instance; `None` for inactive ones.
    pub fn bottoms(&self) -> Vec<Option<Arc<BottomLevel>>> {
        self.instances.iter().map(|placed| placed.instance.bottom.clone()).collect()
    }

    /// The same tree with other bottom levels: `bottom` returns the one of an instance. Bounds of instances stay those
    /// of the build, so that rays may miss primitives outside of them.
    pub fn with_bottoms(&self, mut bottom: impl FnMut(usize) -> Option<Arc<BottomLevel>>) -> TopLevel {
        let mut new = self.clone();
        for (number, placed) in new.instances.iter_mut().enumerate() {
            placed.instance.bottom = bottom(number);
        }
        new
    }

    /// The options of the build.
    pub fn options(&self) -> BuildOptions {
        self.options
    }

    /// Bounds of all instances. `None` if there are none.
    pub fn bounds(&self) -> Option<Aabb> {
        (!self.nodes.is_empty()).then_some(self.bounds)
    }

    /// Size in memory, in bytes, without the bottom levels.
    pub fn size(&self) -> u64 {
        let lists = size_of_val(&self.nodes[..]) + size_of_val(&self.instances[..]);
        (size_of::<TopLevel>() + lists) as u64
    }
}
