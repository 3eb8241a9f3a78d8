//! Built-ins of ray tracing stages: the values of rays and hits that shaders read.

use std::cell::OnceCell;

use quadrille_jit::ir::BuiltIn;
use quadrille_rays::{Affine, Hit, HitKind, Point, RayQuery, TopLevel};

/// HitKindKHR of the front and of the back of a triangle. Spec: Vulkan, "HitKindKHR".
pub(super) const FRONT: u32 = 0xfe;
pub(super) const BACK: u32 = 0xff;

/// A ray, as a shader sees it.
pub(super) struct View<'a> {
    pub query: &'a RayQuery,
    /// IncomingRayFlags.
    pub flags: u32,
    /// CullMask.
    pub mask: u32,
    /// RayTmax.
    pub t_max: f32,
    /// The hit or the candidate, and the top level that it is in.
    pub hit: Option<(Hit, &'a TopLevel)>,
    /// HitKind.
    pub hit_kind: u32,
    /// Origin and direction in the space of the object, once a shader has read them.
    pub object_ray: OnceCell<[Point; 2]>,
}

/// HitKind of a hit on a triangle.
pub(super) fn triangle_kind(hit: &Hit) -> u32 {
    if hit.front_face { FRONT } else { BACK }
}

/// Words of the attribute of a hit on a triangle: the barycentric coordinates.
pub(super) fn triangle_attribute(hit: &Hit, word: u32) -> u32 {
    hit.barycentrics.get(word as usize).map_or(0, |b| b.to_bits())
}

impl View<'_> {
    /// Component of a built-in; 0 for those that say nothing of rays, and of hits if there is none.
    pub fn builtin(&self, b: BuiltIn, component: u32) -> u32 {
        use BuiltIn as B;
        let (q, c) = (self.query, component as usize);
        let of = |values: &[f32]| values.get(c).map_or(0, |v| v.to_bits());
        let placed = || self.hit.as_ref().and_then(|(hit, top)| hit.placed(top));
        let number = |f: fn(&Hit) -> u32| self.hit.as_ref().map_or(0, |(hit, _)| f(hit));
        match b {
            B::WorldRayOrigin => of(&q.world_origin()),
            B::WorldRayDirection => of(&q.world_direction()),
            B::RayTmin => q.tmin().to_bits(),
            B::RayTmax => self.t_max.to_bits(),
            B::IncomingRayFlags => self.flags,
            B::CullMask => self.mask,
            B::HitKind => self.hit_kind,
            B::PrimitiveId => number(|hit| hit.primitive),
            B::InstanceId => number(|hit| hit.instance),
            B::GeometryIndex => number(|hit| hit.geometry),
            B::InstanceCustomIndex => placed().map_or(0, |p| p.instance().custom_index),
            B::ObjectRayOrigin => of(&self.object_ray()[0]),
            B::ObjectRayDirection => of(&self.object_ray()[1]),
            B::ObjectToWorld => placed().map_or(0, |p| of_columns(p.object_to_world(), c)),
            B::WorldToObject => placed().map_or(0, |p| of_columns(p.world_to_object(), c)),
            B::HitTriangleVertexPositions => {
                let vertices = self.hit.as_ref().and_then(|(hit, top)| hit.vertices(top)).unwrap_or_default();
                of(vertices.as_flattened())
            }
            _ => 0,
        }
    }

    /// Origin and direction in the space of the object; zeros without a hit.
    fn object_ray(&self) -> &[Point; 2] {
        self.object_ray.get_or_init(|| match &self.hit {
            Some((hit, top)) => [self.query.object_origin(hit, top), self.query.object_direction(hit, top)],
            None => [[0.0; 3]; 2],
        })
    }
}

/// Component of a transform, column by column; 0 past the last one.
fn of_columns(m: &Affine, c: usize) -> u32 {
    m[c % 3].get(c / 3).map_or(0, |value| value.to_bits())
}

/// `true` for candidates that an intersection shader must intersect.
pub(super) fn is_box(hit: &Hit) -> bool {
    match hit.kind {
        HitKind::Box | HitKind::Generated => true,
        HitKind::Triangle => false,
    }
}
