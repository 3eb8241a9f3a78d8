//! The walk through the trees, from one candidate to the next.
//!
//! A node is visited by testing the bounds of all its children, whose keys then wait: first those of the current node,
//! below them those of the nodes above it. The child with the smallest key is next. Nodes of the bottom level lie on the
//! same stack, above the nodes of the top level; [`RayQuery::base`] separates them.
//!
//! The walk ends for every state and every tree: each step removes a key of a level, and nodes come after their parents.
//! A state whose stack is full loses nodes, which no tree of the builder does.

use crate::geometry::{InstanceFlags, Point};
use crate::layout::{BLOCK, BottomLevel, GEOMETRY_MASK, GEOMETRY_OPAQUE, Kind, LEAF, TopLevel};

use super::host::{Host, NONE};
use super::ray::{Contents, Shear, Slabs, Tested};
use super::state::{
    FRONT, KIND_BOX, KIND_TRIANGLE, NOTHING, OPAQUE, PHASE_ENDED, PHASE_STARTED, PHASE_WALKING, RayFlags,
    RayQuery, Record, STACK, object_direction, object_origin,
};

/// Reason why the walk through a bottom level stops.
pub enum Stop {
    /// There is a candidate.
    Candidate,
    /// The bottom level is exhausted.
    Exhausted,
    /// The ray ends.
    Ended,
}

/// Walks to the next candidate. Returns `false` at the end.
#[inline(always)]
pub fn proceed<H: Host>(host: H, query: &mut RayQuery, top: &TopLevel) -> bool {
    query.candidate.kind = 0;
    let mut world = None;
    if !query.is_sound() {
        query.phase = PHASE_ENDED;
    }
    let mut fresh = false;
    if query.phase == PHASE_STARTED {
        fresh = start(host, query, top, &mut world);
    } else if query.phase == PHASE_WALKING {
        query.depth = query.depth.min(STACK as u32);
        query.base = query.base.min(query.depth);
    }
    if query.phase != PHASE_WALKING {
        return false;
    }
    loop {
        if query.instance == NOTHING {
            if !next_instance(host, query, top, &mut world) {
                break;
            }
            fresh = true;
        }
        match object(host, query, top, fresh) {
            Stop::Candidate => return true,
            Stop::Exhausted => leave(query),
            Stop::Ended => break,
        }
    }
    query.phase = PHASE_ENDED;
    false
}

/// The ray against the bounds of the top level.
#[inline(always)]
fn world_slabs(query: &RayQuery, top: &TopLevel) -> Slabs {
    Slabs::new(query.origin, query.direction, query.tmin, &top.bounds, Contents::Instances)
}

/// Begins a walk. Returns `true` if it begins in an instance.
#[inline(always)]
pub fn start<H: Host>(host: H, query: &mut RayQuery, top: &TopLevel, world: &mut Option<Slabs>) -> bool {
    query.phase = PHASE_WALKING;
    query.instance = NOTHING;
    (query.depth, query.base, query.node, query.places) = (0, 0, 0, 0);
    let Some(node) = top.nodes.first() else {
        query.keys = [NONE; 8];
        return false;
    };
    // The only instance needs no test of its bounds: its first node has them too, and `Object::new` rejects one whose
    // transform has no inverse.
    if top.instances.len() == 1 {
        query.keys = [NONE; 8];
        if u32::from(top.instances[0].instance.mask) & query.mask == 0 {
            return false;
        }
        (query.nodes[0], query.stack[0]) = (0, [NONE; 8]);
        (query.instance, query.depth, query.base) = (0, 1, 1);
        return true;
    }
    let slabs = world.insert(world_slabs(query, top));
    query.keys = host.store(host.keys(node, slabs, query.limit));
    false
}

/// Returns from a bottom level to the node of the top level from which it was entered.
#[inline(always)]
pub fn leave(query: &mut RayQuery) {
    query.instance = NOTHING;
    query.places = 0;
    query.depth = query.base.saturating_sub(1);
    query.node = query.nodes[query.depth as usize % STACK];
    query.keys = query.stack[query.depth as usize % STACK];
    if query.base == 0 {
        query.keys = [NONE; 8];
    }
}

/// Walks the top level to the next instance and enters it. Returns `false` at the end.
#[inline(always)]
pub fn next_instance<H: Host>(
    host: H,
    query: &mut RayQuery,
    top: &TopLevel,
    world: &mut Option<Slabs>,
) -> bool {
    let mut keys = host.load(&query.keys);
    loop {
        let key = host.least(keys);
        if key & !7 > query.limit.to_bits() {
            if query.depth == 0 {
                return false;
            }
            query.depth -= 1;
            query.node = query.nodes[query.depth as usize];
            keys = host.load(&query.stack[query.depth as usize]);
            continue;
        }
        keys = host.without(keys, key);
        let Some(node) = top.nodes.get(query.node as usize) else { continue };
        let slot = key as usize % 8;
        let child = node.children[slot];
        if child & LEAF != 0 && node.extra[slot] & query.mask == 0 {
            continue;
        }
        if query.depth >= STACK as u32 {
            continue;
        }
        query.nodes[query.depth as usize] = query.node;
        query.stack[query.depth as usize] = host.store(keys);
        query.depth += 1;
        if child & LEAF != 0 {
            query.instance = child & !LEAF;
            query.base = query.depth;
            return true;
        }
        query.node = child;
        keys = match top.nodes.get(child as usize) {
            Some(node) => {
                let slabs = world.get_or_insert_with(|| world_slabs(query, top));
                host.keys(node, slabs, query.limit)
            }
            None => host.load(&[NONE; 8]),
        };
    }
}

/// The bottom level of the current instance, with what the walk must know of the instance.
pub struct Object<'a> {
    pub tree: &'a BottomLevel,
    pub origin: Point,
    pub direction: Point,
    pub slabs: Slabs,
    pub rules: Rules,
}

impl<'a> Object<'a> {
    /// `None` if the ray misses the object whatever its primitives are.
    #[inline(always)]
    pub fn new(query: &RayQuery, top: &'a TopLevel) -> Option<Object<'a>> {
        let placed = top.instances.get(query.instance as usize)?;
        let tree = &**placed.instance.bottom.as_ref()?;
        let flags = RayFlags(query.flags);
        let (skip, contents) = match tree.kind {
            Kind::Triangles => (RayFlags::SKIP_TRIANGLES, Contents::Triangles),
            Kind::Boxes => (RayFlags::SKIP_AABBS, Contents::Boxes),
        };
        if flags.has(skip) || tree.nodes.is_empty() {
            return None;
        }
        let origin = object_origin(placed, query.origin);
        let direction = object_direction(placed, query.direction);
        // A transform without an inverse.
        if direction == [0.0; 3] {
            return None;
        }
        let slabs = Slabs::new(origin, direction, query.tmin, &tree.bounds, contents);
        Some(Object {
            tree,
            origin,
            direction,
            slabs,
            rules: Rules { ray: flags, instance: placed.instance.flags },
        })
    }
}

/// Flags of a ray in an instance.
#[derive(Clone, Copy, Default)]
pub struct Rules {
    ray: RayFlags,
    instance: InstanceFlags,
}

impl Rules {
    /// `true` if the geometry is opaque; `None` if the ray misses it.
    #[inline(always)]
    fn opaque(&self, of_geometry: bool) -> Option<bool> {
        let opaque = if self.ray.has(RayFlags::OPAQUE) {
            true
        } else if self.ray.has(RayFlags::NO_OPAQUE) {
            false
        } else if self.instance.has(InstanceFlags::FORCE_OPAQUE) {
            true
        } else if self.instance.has(InstanceFlags::FORCE_NO_OPAQUE) {
            false
        } else {
            of_geometry
        };
        let cull = if opaque { RayFlags::CULL_OPAQUE } else { RayFlags::CULL_NO_OPAQUE };
        (!self.ray.has(cull)).then_some(opaque)
    }

    /// `true` if a triangle of a geometry with opacities is opaque at a point, before flags change it; `None` if the ray
    /// misses the point. Spec: Vulkan, "Ray Opacity Micromap".
    fn micromap(&self, tree: &BottomLevel, geometry: u32, word: u32, at: [f32; 2]) -> Option<bool> {
        if self.instance.has(InstanceFlags::DISABLE_OPACITY_MICROMAPS) {
            return Some(geometry & GEOMETRY_OPAQUE != 0);
        }
        let two_states = self.instance.has(InstanceFlags::FORCE_OPACITY_MICROMAP_2_STATE)
            || self.ray.has(RayFlags::FORCE_OPACITY_MICROMAP_2_STATE);
        tree.opacity(geometry, word, at).seen(two_states)
    }

    /// `true` if the ray hits the front; `None` if it misses the face.
    #[inline(always)]
    fn front(&self, sum: f32) -> Option<bool> {
        let front = (sum > 0.0) != self.instance.has(InstanceFlags::FLIP_FACING);
        let cull = if front { RayFlags::CULL_FRONT_FACING } else { RayFlags::CULL_BACK_FACING };
        let culled = self.ray.has(cull) && !self.instance.has(InstanceFlags::FACING_CULL_DISABLE);
        (!culled).then_some(front)
    }
}

/// Walks the bottom level of the current instance, from its first node if the instance is `fresh`.
#[inline(always)]
fn object<H: Host>(host: H, query: &mut RayQuery, top: &TopLevel, fresh: bool) -> Stop {
    let Some(object) = Object::new(query, top) else { return Stop::Exhausted };
    let place = Place::enter(host, query, &object, fresh);
    match object.tree.kind {
        Kind::Triangles => match Shear::new(object.origin, object.direction, object.slabs.inverse) {
            Some(shear) => triangles(place, query, &object, &shear),
            None => Stop::Exhausted,
        },
        Kind::Boxes => boxes(place, query, &object),
    }
}

/// The position in a bottom level while it is walked.
pub struct Place<H: Host> {
    host: H,
    pub node: u32,
    pub depth: usize,
    pub keys: H::Keys,
}

impl<H: Host> Place<H> {
    /// The first node if the walk is `fresh`, or else the position of the query.
    #[inline(always)]
    pub fn enter(host: H, query: &mut RayQuery, object: &Object<'_>, fresh: bool) -> Place<H> {
        let depth = query.depth as usize;
        if fresh {
            query.places = 0;
            let keys = host.keys(&object.tree.nodes[0], &object.slabs, query.limit);
            return Place { host, node: 0, depth, keys };
        }
        Place { host, node: query.node, depth, keys: host.load(&query.keys) }
    }

    #[inline(always)]
    fn save(&self, query: &mut RayQuery) {
        (query.node, query.depth) = (self.node, self.depth as u32);
        query.keys = self.host.store(self.keys);
    }

    /// The next leaf: its child, extra word and key. `None` at the end.
    #[inline(always)]
    fn next_leaf(
        &mut self,
        query: &mut RayQuery,
        object: &Object<'_>,
        base: usize,
    ) -> Option<(u32, u32, u32)> {
        loop {
            let key = self.host.least(self.keys);
            if key & !7 > query.limit.to_bits() {
                if self.depth <= base {
                    return None;
                }
                self.depth -= 1;
                self.node = *query.nodes.get(self.depth)?;
                self.keys = self.host.load(&query.stack[self.depth]);
                continue;
            }
            self.keys = self.host.without(self.keys, key);
            let slot = key as usize % 8;
            let Some(node) = object.tree.nodes.get(self.node as usize) else { continue };
            let child = node.children[slot];
            if child & LEAF != 0 {
                return Some((child & !LEAF, node.extra[slot], key));
            }
            let Some(node) = object.tree.nodes.get(child as usize) else { continue };
            if self.depth < STACK && !self.host.is_empty(self.keys) {
                query.nodes[self.depth] = self.node;
                query.stack[self.depth] = self.host.store(self.keys);
                self.depth += 1;
            }
            self.node = child;
            self.keys = self.host.keys(node, &object.slabs, query.limit);
        }
    }
}

/// Walks triangles.
#[inline(always)]
fn triangles<H: Host>(mut place: Place<H>, query: &mut RayQuery, object: &Object<'_>, shear: &Shear) -> Stop {
    let base = query.base as usize;
    let (mut block, mut places) = (query.block, query.places);
    loop {
        if places == 0 {
            match place.next_leaf(query, object, base) {
                Some((child, _, _)) => (block, places) = (child, u32::MAX),
                None => return Stop::Exhausted,
            }
        }
        if let Some(data) = object.tree.blocks.get(block as usize) {
            let tested = place.host.triangles(data, shear, query.tmin, query.limit);
            places &= tested.mask;
            while places != 0 {
                let lane = places.trailing_zeros() as usize;
                places &= places - 1;
                let Some(stop) = take(query, object.rules, &tested, object.tree, (block, lane)) else {
                    continue;
                };
                if let Stop::Candidate = stop {
                    (query.block, query.places) = (block, places);
                    place.save(query);
                }
                return stop;
            }
        }
        places = 0;
    }
}

/// Takes the hit of a triangle: commits it, or makes it the candidate. Returns a reason to stop, if it is one.
#[inline(always)]
pub fn take(
    query: &mut RayQuery,
    rules: Rules,
    tested: &Tested,
    tree: &BottomLevel,
    (block, lane): (u32, usize),
) -> Option<Stop> {
    let record = hit(query, rules, tested, tree, (block, lane))?;
    if record.bits & OPAQUE == 0 {
        query.candidate = record;
        return Some(Stop::Candidate);
    }
    query.commit(record);
    (query.phase == PHASE_ENDED).then_some(Stop::Ended)
}

/// The hit of a triangle, unless it is culled or not closer than the closest one.
#[inline(always)]
fn hit(
    query: &RayQuery,
    rules: Rules,
    tested: &Tested,
    tree: &BottomLevel,
    (block, lane): (u32, usize),
) -> Option<Record> {
    let lane = lane % BLOCK;
    let t = tested.t[lane];
    let data = &tree.blocks[block as usize];
    let (geometry, primitive) = (data.geometry[lane], data.primitive[lane]);
    let order = (query.instance, geometry & GEOMETRY_MASK, primitive);
    if t >= query.limit && !(t == query.limit && query.committed.kind != 0 && query.wins_tie(order)) {
        return None;
    }
    let front = rules.front(tested.sum[lane])?;
    let barycentrics = [tested.v[lane] / tested.sum[lane], tested.w[lane] / tested.sum[lane]];
    let own = match data.opacity[lane] {
        0 => geometry & GEOMETRY_OPAQUE != 0,
        word => rules.micromap(tree, geometry, word, barycentrics)?,
    };
    let opaque = rules.opaque(own)?;
    Some(Record {
        kind: KIND_TRIANGLE,
        t,
        instance: query.instance,
        geometry: order.1,
        primitive,
        slot: block * BLOCK as u32 + lane as u32,
        barycentrics,
        bits: if front { FRONT } else { 0 } | if opaque { OPAQUE } else { 0 },
    })
}

/// Walks boxes.
#[inline(always)]
fn boxes<H: Host>(mut place: Place<H>, query: &mut RayQuery, object: &Object<'_>) -> Stop {
    let base = query.base as usize;
    while let Some(leaf) = place.next_leaf(query, object, base) {
        let Some(record) = box_record(query, object.rules, leaf) else { continue };
        query.candidate = record;
        place.save(query);
        return Stop::Candidate;
    }
    Stop::Exhausted
}

/// A box as a candidate: its primitive, geometry and key. `None` if the ray misses the geometry.
#[inline(always)]
pub fn box_record(
    query: &RayQuery,
    rules: Rules,
    (primitive, geometry, key): (u32, u32, u32),
) -> Option<Record> {
    let opaque = rules.opaque(geometry & GEOMETRY_OPAQUE != 0)?;
    Some(Record {
        kind: KIND_BOX,
        t: f32::from_bits(key & !7),
        instance: query.instance,
        geometry: geometry & GEOMETRY_MASK,
        primitive,
        slot: 0,
        barycentrics: [0.0; 2],
        bits: if opaque { OPAQUE } else { 0 },
    })
}
