//! Rays that walk side by side, each as if it was alone.
//!
//! A step of a ray waits for the one before, and takes the processor many cycles of which it uses few. So the rays of a
//! group take turns: all choose their next child, then those with a node test its bounds, those with a leaf its
//! primitives, and those without a child return to the node above. Nothing passes from one ray to another: hits,
//! candidates and their order are those of [`walk::proceed`], which is the slow twin.
//!
//! Only bottom levels are walked this way. The top level is walked ray by ray.

use crate::layout::{BottomLevel, Kind, LEAF, Node, TopLevel};

use super::host::{Host, NONE};
use super::ray::{Shear, Slabs};
use super::state::{NOTHING, PHASE_ENDED, PHASE_STARTED, PHASE_WALKING, RayQuery, STACK};
use super::walk::{self, Object, Place, Rules, Stop};

/// Largest number of rays that walk side by side.
pub const GROUP: usize = 16;

/// Rays that wait for the same thing.
#[derive(Clone, Copy)]
struct List {
    rays: [u8; GROUP],
    len: usize,
}

impl List {
    const EMPTY: List = List { rays: [0; GROUP], len: 0 };

    /// Adds a ray. No ray is added twice, so that there is room.
    #[inline(always)]
    fn push(&mut self, ray: usize) {
        self.rays[self.len % GROUP] = ray as u8;
        self.len += 1;
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = usize> {
        self.rays[..self.len.min(GROUP)].iter().map(|&ray| usize::from(ray) % GROUP)
    }
}

/// The rays of a group. All arrays but `queries` have a place for each ray, which has a meaning while it walks a bottom level.
struct Group<'a, 'q, H: Host> {
    host: H,
    top: &'a TopLevel,
    queries: &'a mut [&'q mut RayQuery],
    /// The ray against the bounds of the top level, once they are needed.
    world: [Option<Slabs>; GROUP],
    /// The bottom level.
    nodes: [&'a [Node]; GROUP],
    trees: [Option<&'a BottomLevel>; GROUP],
    slabs: [Slabs; GROUP],
    shears: [Shear; GROUP],
    rules: [Rules; GROUP],
    /// The current node, the keys of its unvisited children, and the key of the child that was chosen last.
    node: [u32; GROUP],
    keys: [H::Keys; GROUP],
    key: [u32; GROUP],
    /// Number of nodes on the stack, and of those that belong to the top level.
    depth: [u32; GROUP],
    base: [u32; GROUP],
    /// The node, block or box that is next, and the triangles of the block that must be tested.
    next: [u32; GROUP],
    places: [u32; GROUP],
    /// Rays with a candidate, as bits.
    candidates: u32,
}

/// Walks each ray to its next candidate or to its end. Returns the rays that have a candidate, as bits.
#[inline(always)]
pub fn proceed<H: Host>(host: H, queries: &mut [&mut RayQuery], top: &TopLevel) -> u32 {
    let none = host.load(&[NONE; 8]);
    let mut group = Group {
        host,
        top,
        queries,
        world: [const { None }; GROUP],
        nodes: [&[]; GROUP],
        trees: [None; GROUP],
        slabs: [Slabs::NOWHERE; GROUP],
        shears: [Shear::NONE; GROUP],
        rules: [Rules::default(); GROUP],
        node: [0; GROUP],
        keys: [none; GROUP],
        key: [NONE; GROUP],
        depth: [0; GROUP],
        base: [0; GROUP],
        next: [0; GROUP],
        places: [0; GROUP],
        candidates: 0,
    };
    group.walk();
    group.candidates
}

impl<'a, H: Host> Group<'a, '_, H> {
    #[inline(always)]
    fn walk(&mut self) {
        // Rays with keys, with a node to visit, with a block to test, and without a key that is close enough.
        let (mut ready, mut leaves) = (List::EMPTY, List::EMPTY);
        for ray in 0..self.queries.len().min(GROUP) {
            if self.begin(ray) {
                if self.places[ray] == 0 { &mut ready } else { &mut leaves }.push(ray);
            }
        }
        while ready.len + leaves.len != 0 {
            let mut lists = [List::EMPTY, leaves, List::EMPTY];
            for ray in ready.iter() {
                lists[self.choose(ray)].push(ray);
            }
            ready.len = 0;
            leaves.len = 0;
            for ray in lists[NODE].iter() {
                self.visit(ray);
                ready.push(ray);
            }
            for ray in lists[PRIMITIVES].iter() {
                if self.test(ray) {
                    ready.push(ray);
                }
            }
            for ray in lists[ABOVE].iter() {
                if self.rise(ray) {
                    if self.places[ray] == 0 { &mut ready } else { &mut leaves }.push(ray);
                }
            }
        }
    }

    /// Begins or continues a ray. Returns `true` if it walks a bottom level.
    #[inline(always)]
    fn begin(&mut self, ray: usize) -> bool {
        let query = &mut *self.queries[ray];
        query.candidate.kind = 0;
        if !query.is_sound() {
            query.phase = PHASE_ENDED;
        }
        let mut fresh = false;
        if query.phase == PHASE_STARTED {
            fresh = walk::start(self.host, query, self.top, &mut self.world[ray]);
        } else if query.phase == PHASE_WALKING {
            query.depth = query.depth.min(STACK as u32);
            query.base = query.base.min(query.depth);
        }
        query.phase == PHASE_WALKING && self.enter(ray, fresh)
    }

    /// Walks to the next instance, or in the current one, whose walk may be `fresh`. Returns `false` if the ray ends.
    #[inline(always)]
    fn enter(&mut self, ray: usize, mut fresh: bool) -> bool {
        loop {
            let query = &mut *self.queries[ray];
            if query.instance == NOTHING {
                if !walk::next_instance(self.host, query, self.top, &mut self.world[ray]) {
                    query.phase = PHASE_ENDED;
                    return false;
                }
                fresh = true;
            }
            if let Some(object) = Object::new(query, self.top) {
                let shear = match object.tree.kind {
                    Kind::Triangles => Shear::new(object.origin, object.direction, object.slabs.inverse),
                    Kind::Boxes => Some(Shear::NONE),
                };
                if let Some(shear) = shear {
                    self.enter_object(ray, &object, shear, fresh);
                    return true;
                }
            }
            walk::leave(query);
            fresh = false;
        }
    }

    /// Enters a bottom level, or continues in it.
    #[inline(always)]
    fn enter_object(&mut self, ray: usize, object: &Object<'a>, shear: Shear, fresh: bool) {
        let query = &mut *self.queries[ray];
        let place = Place::enter(self.host, query, object, fresh);
        self.nodes[ray] = &object.tree.nodes;
        self.trees[ray] = Some(object.tree);
        (self.slabs[ray], self.shears[ray], self.rules[ray]) = (object.slabs, shear, object.rules);
        (self.node[ray], self.depth[ray]) = (place.node, place.depth as u32);
        self.keys[ray] = place.keys;
        self.base[ray] = query.base;
        // Only blocks of triangles are left in the middle.
        (self.next[ray], self.places[ray]) = match object.tree.kind {
            Kind::Triangles => (query.block, query.places),
            Kind::Boxes => (0, 0),
        };
        if place.node as usize >= object.tree.nodes.len() {
            self.keys[ray] = self.host.load(&[NONE; 8]);
        }
    }

    /// Takes the nearest unvisited child of the current node. Returns the list of rays that wait for the same.
    #[inline(always)]
    fn choose(&mut self, ray: usize) -> usize {
        let keys = self.keys[ray];
        let key = self.host.least(keys);
        self.keys[ray] = self.host.without(keys, key);
        self.key[ray] = key;
        let far = key & !7 > self.queries[ray].limit.to_bits();
        let child = match self.nodes[ray].get(self.node[ray] as usize) {
            Some(node) => node.children[key as usize % 8],
            None => LEAF,
        };
        self.next[ray] = child & !LEAF;
        self.places[ray] = u32::MAX;
        let near = if child & LEAF != 0 { PRIMITIVES } else { NODE };
        if far { ABOVE } else { near }
    }

    /// Goes to the next node, and tests the bounds of its children.
    #[inline(always)]
    fn visit(&mut self, ray: usize) {
        self.places[ray] = 0;
        let next = self.next[ray];
        let Some(node) = self.nodes[ray].get(next as usize) else { return };
        let query = &mut *self.queries[ray];
        let depth = self.depth[ray] as usize;
        if depth < STACK {
            query.nodes[depth] = self.node[ray];
            query.stack[depth] = self.host.store(self.keys[ray]);
            self.depth[ray] += u32::from(!self.host.is_empty(self.keys[ray]));
        }
        self.node[ray] = next;
        self.keys[ray] = self.host.keys(node, &self.slabs[ray], query.limit);
    }

    /// Returns to the node above. At the end of the bottom level, enters the next one. Returns `false` if the ray ends or
    /// has a candidate.
    #[inline(always)]
    fn rise(&mut self, ray: usize) -> bool {
        self.places[ray] = 0;
        let query = &mut *self.queries[ray];
        if self.depth[ray] <= self.base[ray] {
            walk::leave(query);
            return self.enter(ray, false);
        }
        self.depth[ray] -= 1;
        let depth = self.depth[ray] as usize % STACK;
        let node = query.nodes[depth];
        self.node[ray] = node;
        self.keys[ray] = self.host.load(match (node as usize) < self.nodes[ray].len() {
            true => &query.stack[depth],
            false => &[NONE; 8],
        });
        true
    }

    /// Tests the primitives of a leaf. Returns `false` if the ray ends or has a candidate.
    #[inline(always)]
    fn test(&mut self, ray: usize) -> bool {
        let places = std::mem::take(&mut self.places[ray]);
        let Some(tree) = self.trees[ray] else { return true };
        match tree.kind {
            Kind::Triangles => self.test_block(ray, tree, places),
            Kind::Boxes => self.test_box(ray),
        }
    }

    /// Tests triangles of a block.
    #[inline(always)]
    fn test_block(&mut self, ray: usize, tree: &BottomLevel, mut places: u32) -> bool {
        let block = self.next[ray];
        let Some(data) = tree.blocks.get(block as usize) else { return true };
        let query = &mut *self.queries[ray];
        let tested = self.host.triangles(data, &self.shears[ray], query.tmin, query.limit);
        places &= tested.mask;
        while places != 0 {
            let lane = places.trailing_zeros() as usize;
            places &= places - 1;
            match walk::take(query, self.rules[ray], &tested, tree, (block, lane)) {
                None => {}
                Some(Stop::Candidate) => {
                    (query.block, query.places) = (block, places);
                    self.pause(ray);
                    return false;
                }
                Some(Stop::Ended | Stop::Exhausted) => return false,
            }
        }
        true
    }

    /// Makes a box the candidate, unless the ray misses its geometry.
    #[inline(always)]
    fn test_box(&mut self, ray: usize) -> bool {
        let Some(node) = self.nodes[ray].get(self.node[ray] as usize) else { return true };
        let key = self.key[ray];
        let leaf = (self.next[ray], node.extra[key as usize % 8], key);
        let query = &mut *self.queries[ray];
        let Some(record) = walk::box_record(query, self.rules[ray], leaf) else { return true };
        query.candidate = record;
        self.pause(ray);
        false
    }

    /// Leaves a ray with a candidate where it is.
    #[inline(always)]
    fn pause(&mut self, ray: usize) {
        let query = &mut *self.queries[ray];
        (query.node, query.depth) = (self.node[ray], self.depth[ray]);
        query.keys = self.host.store(self.keys[ray]);
        self.candidates |= 1 << ray;
    }
}

/// Lists of rays that have chosen.
const NODE: usize = 0;
const PRIMITIVES: usize = 1;
const ABOVE: usize = 2;
