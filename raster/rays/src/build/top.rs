//! Top levels from instances.

use crate::geometry::{Aabb, Affine, BuildOptions, IDENTITY, MAX_INSTANCES, Point, invert};
use crate::layout::{Block, Instance, LEAF, Node, PlacedInstance, TOP_LEVELS, TopLevel};

use super::bottom::tree;
use super::parts::Leaves;
use super::refs::{Bounds, Ref};
use super::{BuildError, with_room};

/// Size of a top level in bytes that its count suggests.
pub fn estimate_top(instances: u64) -> u64 {
    let one = size_of::<PlacedInstance>() as u64;
    size_of::<TopLevel>() as u64 + instances * one + (instances * 5).div_ceil(8) * size_of::<Node>() as u64
}

/// Leaves of instances: a child of a node is an instance.
pub(super) struct InstanceLeaves<'a>(pub &'a [PlacedInstance]);

impl Leaves for InstanceLeaves<'_> {
    const CAPACITY: usize = 1;
    const BLOCKS: bool = false;

    fn child(&self, r: &Ref) -> (u32, u32) {
        let number = r.primitive();
        (LEAF | number, u32::from(self.0[number as usize].instance.mask))
    }

    fn block(&self, _: &[Ref]) -> Block {
        Block::EMPTY
    }
}

impl TopLevel {
    /// Builds a top level, with the threads of the calling [`Threads::run`](crate::Threads::run).
    ///
    /// Rays miss instances without primitives and those whose transform has no inverse.
    pub fn build(instances: &[Instance], options: BuildOptions) -> Result<TopLevel, BuildError> {
        let instances = placed(instances)?;
        let mut refs = with_room(instances.len())?;
        for (number, placed) in instances.iter().enumerate() {
            let origin = placed.instance.transform.map(|row| row[3]);
            let point = Some(Aabb { min: origin, max: origin });
            // An update can make such an instance visible.
            let kept = options.allow_update && placed.instance.bottom.is_some();
            if let Some(bounds) = world_bounds(placed).or(point.filter(|_| kept)) {
                refs.push(Ref::new(Bounds::of_box(bounds), number as u32, 0));
            }
        }
        let tree = tree(&InstanceLeaves(&instances), refs, options.quality, TOP_LEVELS)?;
        let (min, max) = tree.nodes.first().unwrap_or(&Node::EMPTY).union();
        Ok(TopLevel { options, nodes: tree.nodes, instances, bounds: Aabb { min, max } })
    }
}

/// Instances with their inverse transforms. The upper bits of numbers that have 24 are ignored.
pub(crate) fn placed(instances: &[Instance]) -> Result<Vec<PlacedInstance>, BuildError> {
    if instances.len() > MAX_INSTANCES {
        return Err(BuildError::TooMany("the number of instances"));
    }
    let mut list = with_room(instances.len())?;
    for instance in instances {
        let mut instance = instance.clone();
        instance.custom_index &= 0xff_ffff;
        instance.sbt_offset &= 0xff_ffff;
        let finite = instance.transform.iter().flatten().all(|x| x.is_finite());
        list.push(PlacedInstance {
            inverse: invert(&instance.transform).filter(|_| finite).unwrap_or_default(),
            identity: instance.transform == IDENTITY,
            instance,
        });
    }
    Ok(list)
}

/// Bounds of an instance in the world. `None` if no ray can hit it.
pub(super) fn world_bounds(placed: &PlacedInstance) -> Option<Aabb> {
    let bounds = placed.instance.bottom.as_ref()?.bounds()?;
    let visible = placed.inverse != Affine::default();
    visible.then(|| transformed(&placed.instance.transform, &bounds))
}

/// Bounds of a transformed box, larger by the rounding errors of transforms of rays.
fn transformed(m: &Affine, bounds: &Aabb) -> Aabb {
    let (mut min, mut max): (Point, Point) = ([0.0; 3], [0.0; 3]);
    for (row, to) in m.iter().zip(min.iter_mut().zip(&mut max)) {
        let (mut lo, mut hi, mut size) = (f64::from(row[3]), f64::from(row[3]), f64::from(row[3].abs()));
        for axis in 0..3 {
            let ends = [bounds.min[axis], bounds.max[axis]].map(|x| f64::from(row[axis]) * f64::from(x));
            lo += ends[0].min(ends[1]);
            hi += ends[0].max(ends[1]);
            size += ends[0].abs().max(ends[1].abs());
        }
        let slack = size * 2.0f64.powi(-20);
        (*to.0, *to.1) = ((lo - slack) as f32, (hi + slack) as f32);
    }
    Aabb { min, max }
}
