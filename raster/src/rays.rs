//! Ray queries of shaders: the routine behind [`RayHost`], and the top levels that shaders can see, by device address.
//!
//! Owns the look-up of addresses, which happens in each operation of a query, so that a query never holds a pointer.
//! Left to `quadrille_rays`: trees and traversal. Left to callers: what lies at an address, and when it changes.

#![expect(unsafe_code, reason = "a routine that generated code calls, with states in its memory")]

use std::mem::offset_of;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_jit::abi::{MAX_LANES, RAY_QUERY_BYTES, RAY_RESULTS, RayArgs, RayHost};
use quadrille_jit::ir::RayOp;
use quadrille_rays::{Affine, Hit, HitKind, Ray, RayFlags, RayQuery, TopLevel};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pool::shards::Shards;
use crate::resources::RayTable;

/// Top levels that shaders can see.
#[repr(C)]
pub struct Scenes {
    /// First, so that its address is that of the whole.
    host: RayHost,
    by_address: Shards<FxHashMap<u64, Arc<TopLevel>>>,
    /// Number of changes of `by_address`.
    changes: AtomicU64,
}

const _: () = assert!(offset_of!(Scenes, host) == 0);

impl Default for Scenes {
    fn default() -> Scenes {
        Scenes { host: RayHost { routine }, by_address: Shards::default(), changes: AtomicU64::new(0) }
    }
}

impl Scenes {
    /// Sets the top level at an address. Shaders that run see it from their next operation on.
    pub fn set(&self, address: u64, scene: Option<Arc<TopLevel>>) {
        self.by_address.write(|scenes| match &scene {
            Some(scene) => drop(scenes.insert(address, scene.clone())),
            None => drop(scenes.remove(&address)),
        });
        self.changes.fetch_add(1, Ordering::Release);
    }

    /// Number of changes so far: as long as it stays, so does what [`Scenes::find`] returns.
    pub(crate) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// The top level at an address.
    pub(crate) fn find(&self, address: u64) -> Option<Arc<TopLevel>> {
        self.by_address.read().get(&address).cloned()
    }

    /// The table for shaders.
    ///
    /// # Safety
    /// The scenes must stay where they are as long as shaders run with the table.
    pub unsafe fn table(&self) -> RayTable {
        // SAFETY: the caller keeps `self` in place. The pointer may be used for all of `self`, whose first field is the
        // host.
        unsafe { RayTable::new((&raw const *self).cast()) }
    }
}

/// State of a query in a shader. All bytes are valid, and zeros are a query without a hit.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct State {
    /// Device address of the top level.
    scene: u64,
    query: RayQuery,
}

const _: () = assert!(size_of::<State>() <= RAY_QUERY_BYTES && align_of::<State>() <= 64);

/// Executes an operation for each active lane.
///
/// # Safety
/// As [`RayArgs`] states. The host is the first field of [`Scenes`], which live until the call returns.
unsafe extern "C" fn routine(args: *mut RayArgs) {
    // SAFETY: the caller passes arguments that nothing else accesses during the call.
    let args = unsafe { &mut *args };
    // SAFETY: this routine is in no host but that of `Scenes`.
    let scenes = unsafe { &*args.host.cast::<Scenes>() };
    let Some(op) = RayOp::from_number(args.op) else { return };
    let results = op.results().count();
    // Operations on intersections choose between the committed one and the candidate.
    let chooses = !op.is_step() && op.args().next().is_some();
    args.results[..results].fill([0; MAX_LANES]);
    if op == RayOp::Proceed {
        // SAFETY: the states are those of the arguments, which nothing else accesses during the call.
        return unsafe { proceed(args, &scenes.by_address.read()) };
    }
    let by_address = reads_scene(op).then(|| scenes.by_address.read());
    let find = |address: u64| by_address.as_ref().and_then(|all| all.get(&address)).map(|scene| &**scene);
    let mut last: Option<(u64, Option<&TopLevel>)> = None;
    for lane in 0..(args.lanes as usize).min(MAX_LANES) {
        let number = args.query[lane];
        if args.mask >> lane & 1 == 0 || number >= args.queries {
            continue;
        }
        let at = (lane * args.queries as usize + number as usize) * RAY_QUERY_BYTES;
        // SAFETY: `states` has `queries` states of `RAY_QUERY_BYTES` for each of `lanes` lanes, aligned to 64, and
        // nothing else accesses them during the call. All bytes are a valid `State`.
        let state = unsafe { &mut *args.states.add(at).cast::<State>() };
        let operand = |row: usize| args.operands[row][lane];
        if op == RayOp::Copy {
            // A number past the last query stands for a query without a ray.
            let from = operand(0) as usize;
            if from == number as usize {
                continue;
            }
            *state = State::default();
            if from < args.queries as usize {
                let at = (lane * args.queries as usize + from) * RAY_QUERY_BYTES;
                // SAFETY: `from` is below `queries`, so this is another state of the lane; nothing else accesses it.
                *state = unsafe { args.states.add(at).cast::<State>().read() };
            }
            continue;
        }
        if op == RayOp::Initialize {
            state.initialize(&operand);
            continue;
        }
        let scene = match last {
            Some((address, scene)) if address == state.scene => scene,
            _ => last.insert((state.scene, find(state.scene))).1,
        };
        let mut out = [0; RAY_RESULTS];
        match op {
            RayOp::Terminate => state.query.terminate(),
            RayOp::Confirm => state.query.confirm(),
            RayOp::Generate => state.query.generate(f32::from_bits(operand(0))),
            _ => state.get(op, chooses && operand(0) != 0, scene, &mut out),
        }
        for (row, word) in args.results[..results].iter_mut().zip(out) {
            row[lane] = word;
        }
    }
}

/// `true` if an operation on an intersection reads the top level; others need the state only.
fn reads_scene(op: RayOp) -> bool {
    match op {
        RayOp::Proceed
        | RayOp::CustomIndex
        | RayOp::RecordOffset
        | RayOp::ObjectDirection
        | RayOp::ObjectOrigin
        | RayOp::ObjectToWorld
        | RayOp::WorldToObject
        | RayOp::Positions => true,
        RayOp::Initialize
        | RayOp::Terminate
        | RayOp::Confirm
        | RayOp::Generate
        | RayOp::Copy
        | RayOp::TMin
        | RayOp::Flags
        | RayOp::WorldDirection
        | RayOp::WorldOrigin
        | RayOp::CandidateAabbOpaque
        | RayOp::Type
        | RayOp::T
        | RayOp::InstanceId
        | RayOp::GeometryIndex
        | RayOp::PrimitiveIndex
        | RayOp::Barycentrics
        | RayOp::FrontFace
        | RayOp::HitObject => false,
    }
}

/// Executes [`RayOp::Proceed`]. The rays in one top level walk side by side. Results are zeros before.
///
/// # Safety
/// As [`RayArgs`] states.
unsafe fn proceed(args: &mut RayArgs, by_address: &FxHashMap<u64, Arc<TopLevel>>) {
    let number = |lane: usize| (lane * args.queries as usize + args.query[lane] as usize) * RAY_QUERY_BYTES;
    let mut states = SmallVec::<[(usize, &mut State); MAX_LANES]>::new();
    for lane in 0..(args.lanes as usize).min(MAX_LANES) {
        if args.mask >> lane & 1 == 1 && args.query[lane] < args.queries {
            // SAFETY: `states` has `queries` states of `RAY_QUERY_BYTES` for each of `lanes` lanes, aligned to 64, and
            // nothing else accesses them during the call. Each lane has its own. All bytes are a valid `State`.
            states.push((lane, unsafe { &mut *args.states.add(number(lane)).cast::<State>() }));
        }
    }
    while let Some(address) = states.first().map(|(_, state)| state.scene) {
        let mut lanes = SmallVec::<[usize; MAX_LANES]>::new();
        let mut queries = SmallVec::<[&mut RayQuery; MAX_LANES]>::new();
        let mut others = SmallVec::new();
        for (lane, state) in states {
            if state.scene == address {
                lanes.push(lane);
                queries.push(&mut state.query);
            } else {
                others.push((lane, state));
            }
        }
        if let Some(scene) = by_address.get(&address) {
            let found = RayQuery::proceed_all(&mut queries, scene);
            for (k, lane) in lanes.into_iter().enumerate() {
                args.results[0][lane] = found >> k & 1;
            }
        }
        states = others;
    }
}

impl State {
    /// Operands in the order of [`RayOp::Initialize`].
    fn initialize(&mut self, operand: &dyn Fn(usize) -> u32) {
        self.scene = u64::from(operand(0)) | u64::from(operand(1)) << 32;
        let float = |row: usize| f32::from_bits(operand(row));
        let ray = Ray {
            origin: [float(4), float(5), float(6)],
            tmin: float(7),
            direction: [float(8), float(9), float(10)],
            tmax: float(11),
        };
        self.query.initialize(&ray, RayFlags(operand(2)), operand(3));
    }

    /// The results of [`RayOp::HitObject`].
    fn hit_object(&self, hit: Option<Hit>, committed: bool, out: &mut [u32; RAY_RESULTS]) {
        out[..3].copy_from_slice(&[self.scene as u32, (self.scene >> 32) as u32, self.query.mask()]);
        let Some(hit) = hit else { return };
        let of = [hit.t.to_bits(), hit.instance, hit.geometry, hit.primitive, hit.slot];
        out[3] = kind(Some(hit), committed);
        out[4..9].copy_from_slice(&of);
        out[9] = hit.front_face.into();
        out[10..].copy_from_slice(&hit.barycentrics.map(f32::to_bits));
    }

    /// Reads the state, of the committed intersection or of the candidate.
    fn get(&self, op: RayOp, committed: bool, scene: Option<&TopLevel>, out: &mut [u32; RAY_RESULTS]) {
        let mut floats = |values: &[f32]| {
            for (word, value) in out.iter_mut().zip(values) {
                *word = value.to_bits();
            }
        };
        let q = &self.query;
        let hit = if committed { q.committed() } else { q.candidate() };
        let placed = || hit.and_then(|hit| hit.placed(scene?));
        match op {
            RayOp::TMin => floats(&[q.tmin()]),
            RayOp::WorldDirection => floats(&q.world_direction()),
            RayOp::WorldOrigin => floats(&q.world_origin()),
            // The distance of the committed intersection, or t maximum without one. Spec: undefined without one, but
            // programs compare their candidates with it.
            RayOp::T if committed => floats(&[q.limit()]),
            RayOp::T => floats(&[hit.map_or(0.0, |hit| hit.t)]),
            RayOp::Barycentrics => floats(&hit.map_or([0.0; 2], |hit| hit.barycentrics)),
            RayOp::ObjectDirection => {
                floats(&hit.zip(scene).map_or(q.world_direction(), |(hit, s)| q.object_direction(&hit, s)));
            }
            RayOp::ObjectOrigin => {
                floats(&hit.zip(scene).map_or(q.world_origin(), |(hit, s)| q.object_origin(&hit, s)));
            }
            RayOp::ObjectToWorld => floats(&columns(placed().map(|p| p.object_to_world()))),
            RayOp::WorldToObject => floats(&columns(placed().map(|p| p.world_to_object()))),
            RayOp::Positions => {
                let vertices = hit.zip(scene).and_then(|(hit, s)| hit.vertices(s)).unwrap_or_default();
                floats(vertices.as_flattened());
            }
            RayOp::Flags => out[0] = q.flags().0,
            RayOp::CandidateAabbOpaque => out[0] = hit.is_some_and(|hit| hit.opaque).into(),
            RayOp::Type => out[0] = kind(hit, committed),
            RayOp::CustomIndex => out[0] = placed().map_or(0, |p| p.instance().custom_index),
            RayOp::InstanceId => out[0] = hit.map_or(0, |hit| hit.instance),
            RayOp::RecordOffset => out[0] = placed().map_or(0, |p| p.instance().sbt_offset),
            RayOp::GeometryIndex => out[0] = hit.map_or(0, |hit| hit.geometry),
            RayOp::PrimitiveIndex => out[0] = hit.map_or(0, |hit| hit.primitive),
            RayOp::FrontFace => out[0] = hit.is_some_and(|hit| hit.front_face).into(),
            RayOp::HitObject => self.hit_object(hit, committed, out),
            RayOp::Initialize
            | RayOp::Proceed
            | RayOp::Terminate
            | RayOp::Confirm
            | RayOp::Generate
            | RayOp::Copy => {}
        }
    }
}

/// Number of a type of intersection. Spec: SPIR-V, "Ray Query Candidate Intersection Type" and "Ray Query Committed
/// Intersection Type".
fn kind(hit: Option<Hit>, committed: bool) -> u32 {
    match (hit.map(|hit| hit.kind), committed) {
        (None, _) => 0,
        (Some(HitKind::Triangle), false) => 0,
        (Some(HitKind::Box | HitKind::Generated), false) => 1,
        (Some(HitKind::Triangle), true) => 1,
        (Some(HitKind::Box | HitKind::Generated), true) => 2,
    }
}

/// Columns of a transform; zeros without one.
pub(crate) fn columns(m: Option<&Affine>) -> [f32; 12] {
    let mut out = [0.0; 12];
    if let Some(m) = m {
        for (i, value) in out.iter_mut().enumerate() {
            *value = m[i % 3][i / 3];
        }
    }
    out
}
