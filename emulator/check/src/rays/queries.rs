//! States of the ray queries of invocations, and the states that each operation requires.
//! Spec: SPIR-V, SPV_KHR_ray_query, "Ray Query Instructions".

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{Inst, RayOp};
use rustc_hash::FxHashMap;

use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place::report;

/// State of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Traversal {
    /// Initialized, without a candidate yet.
    Begun,
    /// The last OpRayQueryProceedKHR returned true.
    Candidate,
    /// OpRayQueryProceedKHR returned false.
    Complete,
}

#[derive(Clone, Copy, Debug)]
struct Query {
    traversal: Traversal,
    /// Ray Tmin and Ray Tmax.
    interval: [f32; 2],
}

/// Queries that are initialized, by lane group, lane and number.
#[derive(Default)]
pub struct Queries(FxHashMap<(u32, usize, u32), Query>);

/// The state that an operation requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// None: the operation sets the state of the query.
    Nothing,
    /// An initialized query.
    Ray,
    /// A query that is not complete.
    Incomplete,
    /// A candidate; of type triangle or AABB if there is a type.
    Candidate(Option<u32>),
    /// A committed intersection; with a triangle if there is a type.
    Committed(Option<u32>),
}

/// Ray Query Candidate Intersection Types.
const TRIANGLE: u32 = 0;
const AABB: u32 = 1;
/// RayQueryCommittedIntersectionTriangleKHR.
const COMMITTED_TRIANGLE: u32 = 1;

/// Name of an operation in SPIR-V, and the state that it requires of the candidate or of the committed intersection.
fn rule(op: RayOp, committed: bool) -> (&'static str, Needs) {
    use Needs::{Candidate, Committed, Incomplete, Nothing, Ray};
    let of = |triangle: bool| match committed {
        true => Committed(triangle.then_some(COMMITTED_TRIANGLE)),
        false => Candidate(triangle.then_some(TRIANGLE)),
    };
    match op {
        RayOp::Initialize => ("OpRayQueryInitializeKHR", Nothing),
        RayOp::Proceed => ("OpRayQueryProceedKHR", Incomplete),
        RayOp::Terminate => ("OpRayQueryTerminateKHR", Candidate(None)),
        RayOp::Confirm => ("OpRayQueryConfirmIntersectionKHR", Candidate(Some(TRIANGLE))),
        RayOp::Generate => ("OpRayQueryGenerateIntersectionKHR", Candidate(Some(AABB))),
        // The copy of a query that was not initialized is not initialized either.
        RayOp::Copy => ("OpLoad", Nothing),
        RayOp::TMin => ("OpRayQueryGetRayTMinKHR", Ray),
        RayOp::Flags => ("OpRayQueryGetRayFlagsKHR", Ray),
        RayOp::WorldDirection => ("OpRayQueryGetWorldRayDirectionKHR", Ray),
        RayOp::WorldOrigin => ("OpRayQueryGetWorldRayOriginKHR", Ray),
        RayOp::CandidateAabbOpaque => {
            ("OpRayQueryGetIntersectionCandidateAABBOpaqueKHR", Candidate(Some(AABB)))
        }
        // The type of the committed intersection may be read at any time.
        RayOp::Type => ("OpRayQueryGetIntersectionTypeKHR", if committed { Ray } else { Candidate(None) }),
        RayOp::T => {
            let needs = if committed { Committed(None) } else { Candidate(Some(TRIANGLE)) };
            ("OpRayQueryGetIntersectionTKHR", needs)
        }
        RayOp::CustomIndex => ("OpRayQueryGetIntersectionInstanceCustomIndexKHR", of(false)),
        RayOp::InstanceId => ("OpRayQueryGetIntersectionInstanceIdKHR", of(false)),
        RayOp::RecordOffset => {
            ("OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR", of(false))
        }
        RayOp::GeometryIndex => ("OpRayQueryGetIntersectionGeometryIndexKHR", of(false)),
        RayOp::PrimitiveIndex => ("OpRayQueryGetIntersectionPrimitiveIndexKHR", of(false)),
        RayOp::Barycentrics => ("OpRayQueryGetIntersectionBarycentricsKHR", of(true)),
        RayOp::FrontFace => ("OpRayQueryGetIntersectionFrontFaceKHR", of(true)),
        RayOp::ObjectDirection => ("OpRayQueryGetIntersectionObjectRayDirectionKHR", of(false)),
        RayOp::ObjectOrigin => ("OpRayQueryGetIntersectionObjectRayOriginKHR", of(false)),
        RayOp::ObjectToWorld => ("OpRayQueryGetIntersectionObjectToWorldKHR", of(false)),
        RayOp::WorldToObject => ("OpRayQueryGetIntersectionWorldToObjectKHR", of(false)),
        RayOp::Positions => ("OpRayQueryGetIntersectionTriangleVertexPositionsKHR", of(true)),
        RayOp::HitObject => ("OpHitObjectRecordFromQueryEXT", Ray),
    }
}

impl Queries {
    /// Starts a lane group, whose queries are uninitialized.
    pub fn start(&mut self, at: &View<'_>) {
        let group = at.group();
        self.0.retain(|key, _| key.0 != group);
    }

    /// Checks the state that an operation finds.
    pub fn before(&mut self, pending: &mut Pending, at: &View<'_>, inst: &Inst, op: RayOp) {
        let place = Where::instruction(inst.src, std::ptr::from_ref(inst).addr());
        for lane in lanes(at.active() & !at.helpers()) {
            let committed = !op.is_step() && inst.args.get(1).is_some_and(|&v| at.value(v, lane) != 0);
            let (name, needs) = rule(op, committed);
            let query = at.value(inst.args[0], lane) as u32;
            let found = self.0.get(&(at.group(), lane, query)).copied();
            let broken = lacks(at, (query, lane), found, needs)
                .or_else(|| (op == RayOp::Generate).then(|| generated(at, inst, (query, lane), found?))?);
            if let Some((kind, why)) = broken {
                pending.add(at, lane, (place, 0, kind), || {
                    report(at, inst, name, kind, format!("{name} {why}"))
                });
            }
        }
    }

    /// Follows a step that was executed.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst, op: RayOp) {
        for lane in lanes(at.active()) {
            let key = (at.group(), lane, at.value(inst.args[0], lane) as u32);
            match op {
                RayOp::Initialize => {
                    let float = |i: usize| f32::from_bits(at.value(inst.args[i], lane) as u32);
                    let query = Query { traversal: Traversal::Begun, interval: [float(7), float(11)] };
                    self.0.insert(key, query);
                }
                RayOp::Proceed => {
                    let more = at.value(inst.results[0], lane) & 1 == 1;
                    if let Some(query) = self.0.get_mut(&key) {
                        query.traversal = if more { Traversal::Candidate } else { Traversal::Complete };
                    }
                }
                RayOp::Copy => {
                    let from = at.value(inst.args[1], lane) as u32;
                    match self.0.get(&(key.0, lane, from)).copied() {
                        Some(query) => _ = self.0.insert(key, query),
                        None => _ = self.0.remove(&key),
                    }
                }
                // The state is the same.
                RayOp::Terminate
                | RayOp::Confirm
                | RayOp::Generate
                | RayOp::TMin
                | RayOp::Flags
                | RayOp::WorldDirection
                | RayOp::WorldOrigin
                | RayOp::CandidateAabbOpaque
                | RayOp::Type
                | RayOp::T
                | RayOp::CustomIndex
                | RayOp::InstanceId
                | RayOp::RecordOffset
                | RayOp::GeometryIndex
                | RayOp::PrimitiveIndex
                | RayOp::Barycentrics
                | RayOp::FrontFace
                | RayOp::ObjectDirection
                | RayOp::ObjectOrigin
                | RayOp::ObjectToWorld
                | RayOp::WorldToObject
                | RayOp::Positions
                | RayOp::HitObject => {}
            }
        }
    }
}

/// Returns the reason why a query is not in the state that an operation requires.
fn lacks(
    at: &View<'_>,
    (query, lane): (u32, usize),
    found: Option<Query>,
    needs: Needs,
) -> Option<(Kind, String)> {
    if needs == Needs::Nothing {
        return None;
    }
    let Some(Query { traversal, .. }) = found else {
        return Some((Kind::RayQueryUninitialized, "of a ray query that was not initialized".into()));
    };
    let no_candidate = match traversal {
        Traversal::Candidate => None,
        Traversal::Begun => Some("of a candidate, but OpRayQueryProceedKHR was not executed"),
        Traversal::Complete => Some("of a candidate, but OpRayQueryProceedKHR has returned false"),
    };
    let ty = |committed| at.query_word(RayOp::Type, query, lane, committed);
    let why = match needs {
        Needs::Nothing | Needs::Ray => return None,
        Needs::Incomplete if traversal == Traversal::Complete => "after it has returned false".to_owned(),
        Needs::Incomplete => return None,
        Needs::Candidate(wanted) => match (no_candidate, wanted) {
            (Some(why), _) => why.to_owned(),
            (None, Some(wanted)) if ty(false) != wanted => {
                let names = ["a triangle", "an AABB"];
                let [is, must] = [ty(false), wanted].map(|n| names[(n & 1) as usize]);
                format!("of a candidate that is {is}, but must be {must}")
            }
            (None, _) => return None,
        },
        Needs::Committed(wanted) => match (ty(true), wanted) {
            (0, _) => "of the committed intersection, but none is committed".to_owned(),
            (is, Some(wanted)) if is != wanted => {
                "of a committed intersection that is generated, but must be a triangle".to_owned()
            }
            _ => return None,
        },
    };
    Some((Kind::RayQueryState, why))
}

/// Returns the reason why a generated hit is invalid. Spec: Vulkan,
/// VUID-RuntimeSpirv-OpRayQueryGenerateIntersectionKHR-06353.
fn generated(
    at: &View<'_>,
    inst: &Inst,
    (query, lane): (u32, usize),
    Query { interval: [least, most], .. }: Query,
) -> Option<(Kind, String)> {
    let t = f32::from_bits(at.value(inst.args[1], lane) as u32);
    let most = match at.query_word(RayOp::Type, query, lane, true) {
        0 => most,
        _ => f32::from_bits(at.query_word(RayOp::T, query, lane, true)),
    };
    // False for NaN.
    let inside = least <= t && t <= most;
    (!inside).then(|| (Kind::InvalidHit, format!("with Hit T {t}, which is not in [{least}, {most}]")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<_> = RayOp::ALL.iter().map(|&op| rule(op, true).0).collect();
        assert_eq!(names.len(), RayOp::ALL.len());
        let others = ["OpLoad", "OpHitObjectRecordFromQueryEXT"];
        let of_query = |name: &str| name.starts_with("OpRayQuery") && name.ends_with("KHR");
        assert!(names.iter().all(|name| others.contains(name) || of_query(name)));
    }
}
