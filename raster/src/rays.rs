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
    pub fn find(&self, address: u64) -> Option<Arc<TopLevel>> {
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
    // Each operation has a loop of its own, for it runs for few rays and many times.
    // SAFETY: the states are those of the arguments, which nothing else accesses during the call.
    unsafe {
        match op {
            RayOp::Proceed => proceed(args, &scenes.by_address.read()),
            RayOp::Copy => copy(args),
            RayOp::Initialize => each(args, |args, lane, s| s.initialize(&|row| args.operands[row][lane])),
            RayOp::Terminate => each(args, |_, _, s| s.query.terminate()),
            RayOp::Confirm => each(args, |_, _, s| s.query.confirm()),
            RayOp::Generate => {
                each(args, |args, lane, s| s.query.generate(f32::from_bits(args.operands[0][lane])));
            }
            RayOp::TMin => read(args, |s| [s.query.tmin().to_bits()]),
            RayOp::Flags => read(args, |s| [s.query.flags().0]),
            RayOp::WorldDirection => read(args, |s| bits(s.query.world_direction())),
            RayOp::WorldOrigin => read(args, |s| bits(s.query.world_origin())),
            RayOp::CandidateAabbOpaque => {
                read(args, |s| [s.query.candidate().is_some_and(|hit| hit.opaque).into()]);
            }
            RayOp::Type => read_hit(args, |_, hit, committed| [kind(hit, committed)]),
            // The distance of the committed intersection, or t maximum without one. Spec: undefined without one, but
            // programs compare their candidates with it.
            RayOp::T => read_hit(args, |s, hit, committed| {
                [if committed { s.query.limit() } else { hit.map_or(0.0, |hit| hit.t) }.to_bits()]
            }),
            RayOp::InstanceId => read_hit(args, |_, hit, _| [hit.map_or(0, |hit| hit.instance)]),
            RayOp::GeometryIndex => read_hit(args, |_, hit, _| [hit.map_or(0, |hit| hit.geometry)]),
            RayOp::PrimitiveIndex => read_hit(args, |_, hit, _| [hit.map_or(0, |hit| hit.primitive)]),
            RayOp::Barycentrics => {
                read_hit(args, |_, hit, _| bits(hit.map_or([0.0; 2], |hit| hit.barycentrics)));
            }
            RayOp::FrontFace => read_hit(args, |_, hit, _| [hit.is_some_and(|hit| hit.front_face).into()]),
            RayOp::HitObject => read_hit(args, State::hit_object),
            RayOp::CustomIndex => read_instance(args, scenes, |_, hit, top| {
                [hit.zip(top).and_then(|(hit, top)| hit.placed(top)).map_or(0, |p| p.instance().custom_index)]
            }),
            RayOp::RecordOffset => read_instance(args, scenes, |_, hit, top| {
                [hit.zip(top).and_then(|(hit, top)| hit.placed(top)).map_or(0, |p| p.instance().sbt_offset)]
            }),
            RayOp::ObjectDirection => read_instance(args, scenes, |s, hit, top| {
                let world = s.query.world_direction();
                bits(hit.zip(top).map_or(world, |(hit, top)| s.query.object_direction(&hit, top)))
            }),
            RayOp::ObjectOrigin => read_instance(args, scenes, |s, hit, top| {
                let world = s.query.world_origin();
                bits(hit.zip(top).map_or(world, |(hit, top)| s.query.object_origin(&hit, top)))
            }),
            RayOp::ObjectToWorld => read_instance(args, scenes, |_, hit, top| {
                let placed = hit.zip(top).and_then(|(hit, top)| hit.placed(top));
                bits(columns(placed.map(|p| p.object_to_world())))
            }),
            RayOp::WorldToObject => read_instance(args, scenes, |_, hit, top| {
                let placed = hit.zip(top).and_then(|(hit, top)| hit.placed(top));
                bits(columns(placed.map(|p| p.world_to_object())))
            }),
            RayOp::Positions => read_instance(args, scenes, |_, hit, top| {
                let vertices = hit.zip(top).and_then(|(hit, top)| hit.vertices(top)).unwrap_or_default();
                let mut words = [0; 9];
                words.iter_mut().zip(vertices.as_flattened()).for_each(|(word, of)| *word = of.to_bits());
                words
            }),
        }
    }
}

/// Bits of floats.
fn bits<const N: usize>(floats: [f32; N]) -> [u32; N] {
    floats.map(f32::to_bits)
}

/// Visits the lanes that an operation runs for, with their states.
///
/// # Safety
/// As [`RayArgs`] states.
#[inline(always)]
unsafe fn each(args: &mut RayArgs, mut visit: impl FnMut(&mut RayArgs, usize, &mut State)) {
    for lane in 0..(args.lanes as usize).min(MAX_LANES) {
        let number = args.query[lane];
        if args.mask >> lane & 1 == 0 || number >= args.queries {
            continue;
        }
        let at = (lane * args.queries as usize + number as usize) * RAY_QUERY_BYTES;
        // SAFETY: `states` has `queries` states of `RAY_QUERY_BYTES` for each of `lanes` lanes, aligned to 64, and
        // nothing else accesses them during the call. All bytes are a valid `State`.
        let state = unsafe { &mut *args.states.add(at).cast::<State>() };
        visit(args, lane, state);
    }
}

/// Reads words of each state.
///
/// # Safety
/// As [`RayArgs`] states.
#[inline(always)]
unsafe fn read<const N: usize>(args: &mut RayArgs, words: impl Fn(&State) -> [u32; N]) {
    args.results[..N].fill([0; MAX_LANES]);
    // SAFETY: the caller promises arguments as for `each`.
    unsafe {
        each(args, |args, lane, state| {
            args.results.iter_mut().zip(words(state)).for_each(|(row, word)| row[lane] = word);
        });
    }
}

/// Reads words of an intersection of each state: the committed one (`true`) or the candidate, as the operand chooses.
///
/// # Safety
/// As [`RayArgs`] states.
#[inline(always)]
unsafe fn read_hit<const N: usize>(
    args: &mut RayArgs,
    words: impl Fn(&State, Option<Hit>, bool) -> [u32; N],
) {
    args.results[..N].fill([0; MAX_LANES]);
    // SAFETY: the caller promises arguments as for `each`.
    unsafe {
        each(args, |args, lane, state| {
            let committed = args.operands[0][lane] != 0;
            let words = words(state, state.hit(committed), committed);
            args.results.iter_mut().zip(words).for_each(|(row, word)| row[lane] = word);
        });
    }
}

/// Like [`read_hit`], for words that depend on the top level, which is that of the last lane most often.
///
/// # Safety
/// As [`RayArgs`] states.
#[inline(always)]
unsafe fn read_instance<const N: usize>(
    args: &mut RayArgs,
    scenes: &Scenes,
    words: impl Fn(&State, Option<Hit>, Option<&TopLevel>) -> [u32; N],
) {
    args.results[..N].fill([0; MAX_LANES]);
    let by_address = scenes.by_address.read();
    let mut last: Option<(u64, Option<&TopLevel>)> = None;
    // SAFETY: the caller promises arguments as for `each`.
    unsafe {
        each(args, |args, lane, state| {
            let top = match last {
                Some((address, top)) if address == state.scene => top,
                _ => last.insert((state.scene, by_address.get(&state.scene).map(|top| &**top))).1,
            };
            let words = words(state, state.hit(args.operands[0][lane] != 0), top);
            args.results.iter_mut().zip(words).for_each(|(row, word)| row[lane] = word);
        });
    }
}

/// Executes [`RayOp::Copy`].
///
/// # Safety
/// As [`RayArgs`] states.
unsafe fn copy(args: &mut RayArgs) {
    // SAFETY: the caller promises arguments as for `each`. `from` is below `queries`, so it is another state of the lane,
    // which nothing else accesses.
    unsafe {
        each(args, |args, lane, state| {
            // A number past the last query stands for a query without a ray.
            let from = args.operands[0][lane];
            if from == args.query[lane] {
                return;
            }
            *state = State::default();
            if from < args.queries {
                let at = (lane * args.queries as usize + from as usize) * RAY_QUERY_BYTES;
                *state = args.states.add(at).cast::<State>().read();
            }
        });
    }
}

/// Executes [`RayOp::Proceed`]. The rays in one top level walk side by side.
///
/// # Safety
/// As [`RayArgs`] states.
unsafe fn proceed(args: &mut RayArgs, by_address: &FxHashMap<u64, Arc<TopLevel>>) {
    args.results[0] = [0; MAX_LANES];
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

    /// The committed intersection, or the candidate.
    #[inline(always)]
    fn hit(&self, committed: bool) -> Option<Hit> {
        if committed { self.query.committed() } else { self.query.candidate() }
    }

    /// The results of [`RayOp::HitObject`].
    fn hit_object(&self, hit: Option<Hit>, committed: bool) -> [u32; RAY_RESULTS] {
        let mut out = [0; RAY_RESULTS];
        out[..3].copy_from_slice(&[self.scene as u32, (self.scene >> 32) as u32, self.query.mask()]);
        let Some(hit) = hit else { return out };
        let of = [hit.t.to_bits(), hit.instance, hit.geometry, hit.primitive, hit.slot];
        out[3] = kind(Some(hit), committed);
        out[4..9].copy_from_slice(&of);
        out[9] = hit.front_face.into();
        out[10..].copy_from_slice(&hit.barycentrics.map(f32::to_bits));
        out
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
