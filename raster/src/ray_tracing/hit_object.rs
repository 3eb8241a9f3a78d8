//! Hit objects: the calls that fill them, that execute their shaders, and that ask about them.
//!
//! The words of a hit object come from the caller, who may have made them up. Structures and records that they name are
//! looked up in each call; numbers of instances and places that do not exist give zeros.

use quadrille_jit::ir::{HIT_RESULTS, HIT_WORDS, HitQuery, RayCall, hit_object as word};
use quadrille_rays::{Hit, HitKind, Ray, RayFlags, RayQuery, TopLevel};

use super::bad_record::Table;
use super::call::{Frame, Rows};
use super::hit::{FRONT, is_box};
use super::memory::Scene;
use super::path::{Attribute, Path, Told};
use super::walk::{Walk, end, traverse};
use crate::rays::columns;

/// Number of the first word of a hit object among the operands of a trace.
fn first_of_trace() -> u32 {
    RayCall::HitTrace.results_at()
}

/// Traces rays to hit objects.
pub(super) fn trace(frame: &Frame<'_>, rows: &mut Rows<'_>) {
    // The deepest closest hit and miss shaders trace too: none of these runs for a hit object.
    if frame.depth > frame.running.pipeline.max_depth {
        return;
    }
    let walk = traverse(frame, rows);
    for k in 0..walk.paths().len() {
        let path = &walk.paths()[k];
        let lane = path.lane;
        let structure = [walk.rows.operand(0, lane), walk.rows.operand(1, lane)];
        let words = words_of(path, walk.scene(path), structure);
        for (i, bits) in (first_of_trace()..).zip(words) {
            walk.rows.set_operand(i, lane, bits);
        }
    }
    walk.close(frame);
}

/// The words of the hit object of a ray that has ended.
fn words_of(path: &Path, scene: Option<&TopLevel>, structure: [u32; 2]) -> [u32; HIT_WORDS] {
    let mut words = [0; HIT_WORDS];
    let mut put = |at: u32, values: &[u32]| words[at as usize..][..values.len()].copy_from_slice(values);
    let query = &path.query;
    put(word::STRUCTURE, &structure);
    put(word::FLAGS, &[path.flags, path.mask]);
    put(word::ORIGIN, &query.world_origin().map(f32::to_bits));
    put(word::T_MIN, &[query.tmin().to_bits()]);
    put(word::DIRECTION, &query.world_direction().map(f32::to_bits));
    put(word::T_MAX, &[query.limit().to_bits()]);
    let Some(hit) = query.committed() else {
        put(word::KIND, &[word::MISS]);
        put(word::RECORD, &[path.miss]);
        return words;
    };
    let told = path.told(&hit, true);
    put(word::KIND, &[if is_box(&hit) { word::PROCEDURAL } else { word::TRIANGLE }]);
    put(word::INSTANCE, &[hit.instance, hit.geometry, hit.primitive, hit.slot, told.kind]);
    // A number that the words cannot hold is that of no record.
    let record = path.record_of(scene, &hit).and_then(|record| u32::try_from(record).ok());
    put(word::RECORD, &[record.unwrap_or(u32::MAX)]);
    put(word::ATTRIBUTE, &told.attribute);
    words
}

/// A hit object.
struct Object {
    kind: u32,
    address: u64,
    scene: Option<Scene>,
    query: RayQuery,
    flags: u32,
    mask: u32,
    hit: Option<Hit>,
    record: u32,
    told: Told,
}

impl Object {
    /// The hit object in the operands of a lane from `first` on.
    fn new(frame: &Frame<'_>, rows: &Rows<'_>, first: u32, lane: usize) -> Object {
        let get = |at: u32| rows.operand(first + at, lane);
        let float = |at: u32| f32::from_bits(get(at));
        let point = |at: u32| [float(at), float(at + 1), float(at + 2)];
        let address = u64::from(get(word::STRUCTURE)) | u64::from(get(word::STRUCTURE + 1)) << 32;
        let ray = Ray {
            origin: point(word::ORIGIN),
            tmin: float(word::T_MIN),
            direction: point(word::DIRECTION),
            tmax: float(word::T_MAX),
        };
        let (kind, flags, mask) = (get(word::KIND), get(word::FLAGS), get(word::MASK) & 0xff);
        let mut attribute = Attribute::default();
        attribute.iter_mut().zip(word::ATTRIBUTE..).for_each(|(to, at)| *to = get(at));
        let told = Told { t: ray.tmax, kind: get(word::HIT_KIND), attribute };
        let is_triangle = kind == word::TRIANGLE;
        let hit = (kind > word::MISS).then(|| Hit {
            kind: if is_triangle { HitKind::Triangle } else { HitKind::Generated },
            t: ray.tmax,
            instance: get(word::INSTANCE),
            geometry: get(word::GEOMETRY),
            primitive: get(word::PRIMITIVE),
            barycentrics: [attribute[0], attribute[1]].map(f32::from_bits),
            front_face: told.kind == FRONT,
            opaque: false,
            slot: get(word::PLACE),
        });
        let mut query = RayQuery::default();
        query.initialize(&ray, RayFlags(flags), mask);
        query.settle(hit.as_ref());
        let scene = frame.worker.scene(address);
        Object { kind, address, scene, query, flags, mask, hit, record: get(word::RECORD), told }
    }
}

/// Executes the closest hit and miss shaders of hit objects.
pub(super) fn execute(frame: &Frame<'_>, rows: &mut Rows<'_>) {
    if frame.depth >= frame.running.pipeline.max_depth {
        return;
    }
    let walk = Walk::ended(frame, rows, |rows, lane| {
        let Object { kind, address, query, flags, mask, record, told, scene: _, hit: _ } =
            Object::new(frame, rows, 0, lane);
        let path = Path::ended((lane, record), (query, flags, mask), told);
        (kind != word::EMPTY).then_some((address, path))
    });
    end(frame, walk);
}

/// Answers questions about hit objects.
pub(super) fn get(frame: &Frame<'_>, rows: &mut Rows<'_>) {
    for lane in rows.active() {
        let of = HitQuery::from_number(rows.operand(0, lane));
        let object = Object::new(frame, rows, 1, lane);
        let words = of.map_or([0; HIT_RESULTS], |of| answer(frame, &object, of));
        for (i, bits) in (0..).zip(words) {
            rows.set_operand(i, lane, bits);
        }
    }
}

fn answer(frame: &Frame<'_>, object: &Object, of: HitQuery) -> [u32; HIT_RESULTS] {
    let mut out = [0; HIT_RESULTS];
    let placed = object.hit.as_ref().zip(object.scene.as_deref()).and_then(|(hit, top)| hit.placed(top));
    let query = &object.query;
    let at = object.hit.as_ref().zip(object.scene.as_deref());
    let mut floats = |values: &[f32]| {
        out.iter_mut().zip(values).for_each(|(word, value)| *word = value.to_bits());
    };
    match of {
        HitQuery::CustomIndex => out[0] = placed.map_or(0, |p| p.instance().custom_index),
        HitQuery::ObjectOrigin => {
            floats(&at.map_or(query.world_origin(), |(hit, top)| query.object_origin(hit, top)));
        }
        HitQuery::ObjectDirection => {
            floats(&at.map_or(query.world_direction(), |(hit, top)| query.object_direction(hit, top)));
        }
        HitQuery::ObjectToWorld => floats(&columns(placed.map(|p| p.object_to_world()))),
        HitQuery::WorldToObject => floats(&columns(placed.map(|p| p.world_to_object()))),
        HitQuery::Positions => {
            floats(at.and_then(|(hit, top)| hit.vertices(top)).unwrap_or_default().as_flattened());
        }
        HitQuery::RecordData => {
            let table = match object.kind {
                word::EMPTY => return out,
                word::MISS => Table::Miss,
                _ => Table::Hit,
            };
            let data = frame.running.record(table, object.record.into()).data;
            out[..2].copy_from_slice(&[data as u32, (data >> 32) as u32]);
        }
    }
    out
}
