//! The state of a ray, and its commands that need no walk.

use bytemuck::{Pod, Zeroable};

use crate::geometry::{Affine, IDENTITY, Point, is_finite, transform_point, transform_vector};
use crate::layout::{BOTTOM_LEVELS, PlacedInstance, TOP_LEVELS, TopLevel};

/// Nodes with unvisited children above the current one: all levels of both trees except for the current node.
pub const STACK: usize = TOP_LEVELS + BOTTOM_LEVELS - 1;

/// A number that is in use nowhere.
pub const NOTHING: u32 = u32::MAX;

/// A ray: the points `origin + t * direction` with `tmin < t < tmax`.
///
/// Rays without a direction, or whose components are not finite, hit nothing. Only `tmax` may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The origin.
    pub origin: Point,
    /// The direction, of any length.
    pub direction: Point,
    /// The smallest distance, in lengths of the direction.
    pub tmin: f32,
    /// The largest distance, in lengths of the direction.
    pub tmax: f32,
}

/// Flags of a ray, with the bits of shading languages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RayFlags(pub u32);

impl RayFlags {
    /// No flag.
    pub const NONE: RayFlags = RayFlags(0);
    /// All geometries are opaque. It takes precedence over `NO_OPAQUE`.
    pub const OPAQUE: RayFlags = RayFlags(1);
    /// No geometry is opaque.
    pub const NO_OPAQUE: RayFlags = RayFlags(2);
    /// The first hit ends the ray.
    pub const TERMINATE_ON_FIRST_HIT: RayFlags = RayFlags(4);
    /// No shader is called for the closest hit. It has no effect here.
    pub const SKIP_CLOSEST_HIT_SHADER: RayFlags = RayFlags(8);
    /// Back faces of triangles are missed.
    pub const CULL_BACK_FACING: RayFlags = RayFlags(0x10);
    /// Front faces of triangles are missed.
    pub const CULL_FRONT_FACING: RayFlags = RayFlags(0x20);
    /// Opaque geometries are missed.
    pub const CULL_OPAQUE: RayFlags = RayFlags(0x40);
    /// Geometries that are not opaque are missed.
    pub const CULL_NO_OPAQUE: RayFlags = RayFlags(0x80);
    /// Triangles are missed.
    pub const SKIP_TRIANGLES: RayFlags = RayFlags(0x100);
    /// Boxes are missed.
    pub const SKIP_AABBS: RayFlags = RayFlags(0x200);
    /// Micromaps have two states.
    pub const FORCE_OPACITY_MICROMAP_2_STATE: RayFlags = RayFlags(0x400);

    /// `true` if all bits of `flags` are set.
    #[inline]
    pub fn has(self, flags: RayFlags) -> bool {
        self.0 & flags.0 == flags.0
    }
}

impl std::ops::BitOr for RayFlags {
    type Output = RayFlags;
    fn bitor(self, other: RayFlags) -> RayFlags {
        RayFlags(self.0 | other.0)
    }
}

/// Kind of a hit or of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitKind {
    /// A triangle.
    Triangle,
    /// A box, as a candidate: its contents must be intersected.
    Box,
    /// A hit in a box that [`RayQuery::generate`] made.
    Generated,
}

/// A hit or a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The kind.
    pub kind: HitKind,
    /// Distance in lengths of the direction. Of boxes, where the ray may enter the bounds.
    pub t: f32,
    /// Number of the instance in the top level.
    pub instance: u32,
    /// Number of the geometry in the bottom level.
    pub geometry: u32,
    /// Number of the primitive in the geometry.
    pub primitive: u32,
    /// Weights of the second and third vertex of a triangle.
    pub barycentrics: [f32; 2],
    /// `true` if the ray hits the front of a triangle.
    pub front_face: bool,
    /// `true` if the candidate is opaque, which only boxes can be.
    pub opaque: bool,
    /// Place of the triangle in the bottom level. Places that do not exist have no vertices.
    pub slot: u32,
}

impl Hit {
    /// The instance. `None` if the top level is not the one of the hit.
    pub fn placed<'a>(&self, top: &'a TopLevel) -> Option<&'a PlacedInstance> {
        top.instances.get(self.instance as usize)
    }

    /// Transform from the space of the object to that of the world.
    pub fn object_to_world(&self, top: &TopLevel) -> Affine {
        self.placed(top).map_or(IDENTITY, |i| *i.object_to_world())
    }

    /// Transform from the space of the world to that of the object.
    pub fn world_to_object(&self, top: &TopLevel) -> Affine {
        self.placed(top).map_or(IDENTITY, |i| *i.world_to_object())
    }

    /// The vertices of the triangle in the space of the object. `None` for boxes, or if the top level is not the one of
    /// the hit.
    pub fn vertices(&self, top: &TopLevel) -> Option<[Point; 3]> {
        let bottom = self.placed(top)?.instance.bottom.as_ref()?;
        (self.kind == HitKind::Triangle).then(|| bottom.vertices(self.slot))?
    }
}

/// A hit in the state of a ray.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Record {
    /// A value of `KIND_*`.
    pub kind: u32,
    pub t: f32,
    pub instance: u32,
    pub geometry: u32,
    pub primitive: u32,
    pub slot: u32,
    pub barycentrics: [f32; 2],
    /// [`FRONT`] and [`OPAQUE`].
    pub bits: u32,
}

pub const KIND_NONE: u32 = 0;
pub const KIND_TRIANGLE: u32 = 1;
pub const KIND_BOX: u32 = 2;
pub const KIND_GENERATED: u32 = 3;
/// Bit of records: the ray hits the front of a triangle.
pub const FRONT: u32 = 1;
/// Bit of records: the geometry is opaque.
pub const OPAQUE: u32 = 2;

impl Record {
    pub const NONE: Record = Record {
        kind: KIND_NONE,
        t: 0.0,
        instance: 0,
        geometry: 0,
        primitive: 0,
        slot: 0,
        barycentrics: [0.0; 2],
        bits: 0,
    };

    fn of(hit: &Hit) -> Record {
        Record {
            kind: match hit.kind {
                HitKind::Triangle => KIND_TRIANGLE,
                HitKind::Box => KIND_BOX,
                HitKind::Generated => KIND_GENERATED,
            },
            t: hit.t,
            instance: hit.instance,
            geometry: hit.geometry,
            primitive: hit.primitive,
            slot: hit.slot,
            barycentrics: hit.barycentrics,
            bits: if hit.front_face { FRONT } else { 0 } | if hit.opaque { OPAQUE } else { 0 },
        }
    }

    /// The order of hits at the same distance.
    #[inline]
    pub fn order(&self) -> (u32, u32, u32) {
        (self.instance, self.geometry, self.primitive)
    }

    #[inline]
    fn hit(&self) -> Option<Hit> {
        let kind = match self.kind {
            KIND_TRIANGLE => HitKind::Triangle,
            KIND_BOX => HitKind::Box,
            KIND_GENERATED => HitKind::Generated,
            _ => return None,
        };
        Some(Hit {
            kind,
            t: self.t,
            instance: self.instance,
            geometry: self.geometry,
            primitive: self.primitive,
            barycentrics: self.barycentrics,
            front_face: self.bits & FRONT != 0,
            opaque: self.bits & OPAQUE != 0,
            slot: self.slot,
        })
    }
}

/// Phases of a ray. Other values mean that it has ended.
pub const PHASE_ENDED: u32 = 0;
pub const PHASE_STARTED: u32 = 1;
pub const PHASE_WALKING: u32 = 2;

/// A ray on its way through a top level.
///
/// The state is plain data. It may be copied, and may lie in memory that others write: any bytes are a valid state, with
/// arbitrary hits. The top level may even be another one in each call.
///
/// Of hits at the same distance, the one with the lowest instance, geometry and primitive is committed, whatever the
/// shape of the trees is.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct RayQuery {
    pub(super) origin: [f32; 3],
    pub(super) direction: [f32; 3],
    pub(super) tmin: f32,
    /// The distance beyond which there is nothing to find.
    pub(super) limit: f32,
    pub(super) flags: u32,
    pub(super) mask: u32,
    /// A value of `PHASE_*`.
    pub(super) phase: u32,
    pub(super) committed: Record,
    pub(super) candidate: Record,
    /// The instance whose bottom level is walked, or [`NOTHING`].
    pub(super) instance: u32,
    /// Number of nodes on the stack.
    pub(super) depth: u32,
    /// Number of those that belong to the top level, while a bottom level is walked.
    pub(super) base: u32,
    /// The current node.
    pub(super) node: u32,
    /// A block, and the triangles of it that must still be tested, as bits.
    pub(super) block: u32,
    pub(super) places: u32,
    /// Keys of the unvisited children of the current node.
    pub(super) keys: [u32; 8],
    /// Nodes above the current one.
    pub(super) nodes: [u32; STACK],
    /// Keys of their unvisited children.
    pub(super) stack: [[u32; 8]; STACK],
}

impl Default for RayQuery {
    /// A ray that has ended without a hit.
    fn default() -> RayQuery {
        RayQuery::zeroed()
    }
}

impl RayQuery {
    /// Starts a ray. It sees instances whose mask shares a bit with the lowest eight bits of `mask`.
    pub fn initialize(&mut self, ray: &Ray, flags: RayFlags, mask: u32) {
        (self.origin, self.direction) = (ray.origin, ray.direction);
        (self.tmin, self.limit) = (ray.tmin, ray.tmax);
        (self.flags, self.mask) = (flags.0, mask & 0xff);
        self.phase = PHASE_STARTED;
        (self.committed, self.candidate) = (Record::NONE, Record::NONE);
        self.instance = NOTHING;
    }

    /// `true` if there may be hits.
    #[inline]
    pub(super) fn is_sound(&self) -> bool {
        let finite = is_finite(self.origin) && is_finite(self.direction) && self.tmin.is_finite();
        finite && self.direction != [0.0; 3] && self.tmin <= self.limit
    }

    /// The candidate: a triangle that is not opaque, or a box.
    #[inline]
    pub fn candidate(&self) -> Option<Hit> {
        self.candidate.hit()
    }

    /// The closest hit so far.
    #[inline]
    pub fn committed(&self) -> Option<Hit> {
        self.committed.hit()
    }

    /// Commits the candidate if it is a triangle.
    #[inline]
    pub fn confirm(&mut self) {
        if self.candidate.kind == KIND_TRIANGLE {
            self.commit(self.candidate);
        }
    }

    /// `true` if [`RayQuery::generate`] would commit a hit at this distance.
    #[inline]
    pub fn accepts(&self, t: f32) -> bool {
        let nearest = t < self.limit || (t == self.limit && self.wins_tie(self.candidate.order()));
        self.candidate.kind == KIND_BOX && t >= self.tmin && nearest
    }

    /// Commits a hit in the candidate, a box. Distances that are not between `tmin` and the closest hit are ignored.
    #[inline]
    pub fn generate(&mut self, t: f32) {
        if self.accepts(t) {
            self.commit(Record { kind: KIND_GENERATED, t, ..self.candidate });
        }
    }

    /// Ends the ray with this hit, or without one.
    pub fn settle(&mut self, hit: Option<&Hit>) {
        self.phase = PHASE_ENDED;
        (self.candidate, self.committed) = (Record::NONE, hit.map_or(Record::NONE, Record::of));
        self.limit = hit.map_or(self.limit, |hit| hit.t);
    }

    /// The mask of instances that the ray sees.
    pub fn mask(&self) -> u32 {
        self.mask
    }

    /// Ends the ray.
    pub fn terminate(&mut self) {
        self.phase = PHASE_ENDED;
    }

    /// `true` if a hit at the same distance as the committed one replaces it.
    #[inline]
    pub(super) fn wins_tie(&self, order: (u32, u32, u32)) -> bool {
        self.committed.kind == KIND_NONE || order <= self.committed.order()
    }

    #[inline]
    pub(super) fn commit(&mut self, record: Record) {
        self.committed = record;
        self.limit = record.t;
        if RayFlags(self.flags).has(RayFlags::TERMINATE_ON_FIRST_HIT) {
            self.phase = PHASE_ENDED;
        }
    }

    /// The flags.
    #[inline]
    pub fn flags(&self) -> RayFlags {
        RayFlags(self.flags)
    }

    /// `true` if no further candidate will be found.
    pub fn has_ended(&self) -> bool {
        self.phase == PHASE_ENDED
    }

    /// The largest distance: that of the closest hit so far, if there is one.
    #[inline]
    pub fn limit(&self) -> f32 {
        self.limit
    }

    /// The smallest distance.
    #[inline]
    pub fn tmin(&self) -> f32 {
        self.tmin
    }

    /// Origin in the world.
    pub fn world_origin(&self) -> Point {
        self.origin
    }

    /// Direction in the world.
    pub fn world_direction(&self) -> Point {
        self.direction
    }

    /// Origin in the space of the object of a hit.
    pub fn object_origin(&self, hit: &Hit, top: &TopLevel) -> Point {
        hit.placed(top).map_or(self.origin, |i| object_origin(i, self.origin))
    }

    /// Direction in the space of the object of a hit.
    pub fn object_direction(&self, hit: &Hit, top: &TopLevel) -> Point {
        hit.placed(top).map_or(self.direction, |i| object_direction(i, self.direction))
    }
}

/// Origin of a ray in the space of an object.
#[inline(always)]
pub fn object_origin(placed: &PlacedInstance, origin: Point) -> Point {
    if placed.identity { origin } else { transform_point(&placed.inverse, origin) }
}

/// Direction of a ray in the space of an object.
#[inline(always)]
pub fn object_direction(placed: &PlacedInstance, direction: Point) -> Point {
    if placed.identity { direction } else { transform_vector(&placed.inverse, direction) }
}
