//! The rays of one call, on their way from candidate to candidate, and the shaders that they need.

use std::cell::{OnceCell, RefCell};

use quadrille_jit::abi::MAX_LANES;
use quadrille_jit::ir::{HitEnd, Report, Stage};
use quadrille_rays::{Hit, Ray, RayFlags, RayQuery, TopLevel};
use smallvec::{SmallVec, smallvec};

use super::bad_record::Table;
use super::call::{Call, Frame, Reports, Rows, Running};
use super::hit::{View, is_box, triangle_attribute, triangle_kind};
use super::memory::{Scene, WalkMemory};
use super::path::{Attribute, Path, Told};
use super::shaders::{GroupKind, Input, Output, TraceGroup, TraceShader};

/// A shader that a ray needs, in the order of execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    shader: usize,
    /// Index of the ray.
    path: usize,
    /// Address of the data in the shader record.
    data: u64,
}

/// Shaders that the rays of a call need.
type Needs = SmallVec<[Need; MAX_LANES]>;

/// Indices of rays.
type Rays = SmallVec<[usize; MAX_LANES]>;

/// Ends of the invocations of an any-hit shader.
type Ends = SmallVec<[HitEnd; MAX_LANES]>;

/// The rays of one call.
pub(super) struct Walk<'a, 'r> {
    /// Operands and payloads, in the lanes of the caller.
    pub rows: &'a mut Rows<'r>,
    memory: Box<WalkMemory>,
    /// Number of rays.
    count: usize,
}

/// Traces the rays of a call, and runs the shaders that they need.
pub(super) fn trace(frame: &Frame<'_>, rows: &mut Rows<'_>) {
    if frame.depth < frame.running.pipeline.max_depth {
        let walk = traverse(frame, rows);
        end(frame, walk);
    }
}

/// Walks the rays of a call to their ends, with the any-hit and intersection shaders that they need.
pub(super) fn traverse<'a, 'r>(frame: &Frame<'_>, rows: &'a mut Rows<'r>) -> Walk<'a, 'r> {
    let running = frame.running;
    let walk = RefCell::new(Walk::new(frame, rows));
    let mut needs = Needs::new();
    loop {
        walk.borrow_mut().advance(frame, &mut needs);
        if needs.is_empty() || running.is_over() {
            break;
        }
        needs.sort_unstable();
        for needs in batches(running, &needs, |need| need.shader) {
            let shader = &running.pipeline.shaders[needs[0].shader];
            match shader.stage {
                Stage::Intersection => intersect(&walk, frame, shader, needs),
                _ => filter(&walk, frame, shader, needs),
            }
        }
    }
    walk.into_inner()
}

/// Runs the closest hit and miss shaders that rays need.
pub(super) fn end(frame: &Frame<'_>, walk: Walk<'_, '_>) {
    let running = frame.running;
    let mut needs = Needs::new();
    walk.last(frame, &mut needs);
    let walk = RefCell::new(walk);
    needs.sort_unstable();
    for needs in batches(running, &needs, |need| need.shader) {
        finish(&walk, frame, &running.pipeline.shaders[needs[0].shader], needs);
    }
    walk.into_inner().close(frame);
}

/// Splits a sorted list into parts that one call of their shader runs: of one lane group of it, so that the place in the part is
/// the lane.
pub(super) fn batches<'l, T>(
    running: &'l Running<'_>,
    list: &'l [T],
    shader: impl Fn(&T) -> usize + Copy + 'l,
) -> impl Iterator<Item = &'l [T]> {
    let most = move |part: &[T]| running.pipeline.shaders[shader(&part[0])].lanes.max(1);
    list.chunk_by(move |a, b| shader(a) == shader(b)).flat_map(move |part| part.chunks(most(part)))
}

/// Number of the top level at an address among those of a trace.
fn number_of(scenes: &mut Vec<(u64, Option<Scene>)>, frame: &Frame<'_>, address: u64) -> usize {
    scenes.iter().rposition(|(known, _)| *known == address).unwrap_or_else(|| {
        scenes.push((address, frame.worker.scene(address)));
        scenes.len() - 1
    })
}

impl<'a, 'r> Walk<'a, 'r> {
    /// Rays with the operands of [`RayCall::Trace`](quadrille_jit::ir::RayCall::Trace).
    fn new(frame: &Frame<'_>, rows: &'a mut Rows<'r>) -> Walk<'a, 'r> {
        let mut memory = frame.worker.walk_memory();
        let WalkMemory { paths, scenes } = &mut *memory;
        let mut count = 0;
        for lane in rows.active() {
            let address = u64::from(rows.operand(0, lane)) | u64::from(rows.operand(1, lane)) << 32;
            let scene = number_of(scenes, frame, address);
            if count == paths.len() {
                paths.push(Path::default());
            }
            paths[count].start(rows, lane, scene, frame.running.pipeline.flags);
            count += 1;
        }
        Walk { rows, memory, count }
    }

    /// Rays that have ended: those of the lanes for which `make` gives a ray and the address of its top level.
    pub fn ended(
        frame: &Frame<'_>,
        rows: &'a mut Rows<'r>,
        make: impl Fn(&Rows<'r>, usize) -> Option<(u64, Path)>,
    ) -> Walk<'a, 'r> {
        let mut memory = frame.worker.walk_memory();
        let WalkMemory { paths, scenes } = &mut *memory;
        paths.clear();
        for lane in rows.active() {
            if let Some((address, mut path)) = make(rows, lane) {
                path.scene = number_of(scenes, frame, address);
                paths.push(path);
            }
        }
        let count = paths.len();
        Walk { rows, memory, count }
    }

    /// Gives the memory of the rays back.
    pub fn close(self, frame: &Frame<'_>) {
        frame.worker.keep_walk(self.memory);
    }

    /// The rays.
    pub fn paths(&self) -> &[Path] {
        &self.memory.paths[..self.count]
    }

    /// A ray, and the top level that it walks through.
    fn path(&mut self, path: usize) -> (&mut Path, Option<&TopLevel>) {
        let path = &mut self.memory.paths[path];
        let scene = self.memory.scenes[path.scene].1.as_ref();
        (path, scene.map(|scene| &***scene))
    }

    /// The top level that a ray walks through.
    pub fn scene(&self, path: &Path) -> Option<&TopLevel> {
        self.memory.scenes[path.scene].1.as_ref().map(|scene| &***scene)
    }

    /// Walks each ray to its next candidate for which a shader must run, or to its end. The rays in one top level walk
    /// side by side.
    fn advance(&mut self, frame: &Frame<'_>, needs: &mut Needs) {
        needs.clear();
        let WalkMemory { paths, scenes } = &mut *self.memory;
        let paths = &mut paths[..self.count];
        for (number, (_, scene)) in scenes.iter().enumerate() {
            let Some(scene) = scene.as_deref() else { continue };
            loop {
                let mut rays = Rays::new();
                let walks = |k: usize, path: &Path| {
                    path.scene == number && !path.ended && needs.iter().all(|need| need.path != k)
                };
                let found = {
                    let mut queries = SmallVec::<[&mut RayQuery; MAX_LANES]>::new();
                    for (k, path) in paths.iter_mut().enumerate() {
                        if walks(k, path) {
                            rays.push(k);
                            queries.push(&mut path.query);
                        }
                    }
                    RayQuery::proceed_all(&mut queries, scene)
                };
                if rays.is_empty() {
                    break;
                }
                for (bit, k) in rays.into_iter().enumerate() {
                    if let Some((shader, data)) = paths[k].next_shader(frame, scene, found >> bit & 1 == 1) {
                        needs.push(Need { shader, path: k, data });
                    }
                }
            }
        }
    }

    /// The closest hit and miss shaders that the rays need.
    fn last(&self, frame: &Frame<'_>, needs: &mut Needs) {
        needs.clear();
        for (k, path) in self.paths().iter().enumerate() {
            if let Some((shader, data)) = path.last_shader(frame, self.scene(path)) {
                needs.push(Need { shader, path: k, data });
            }
        }
    }

    /// Replaces a word of the payload of a ray.
    fn set_word(&mut self, path: usize, word: u32, bits: u32) {
        self.rows.set_scalar(word, self.memory.paths[path].lane, bits);
    }

    /// Words of the input of a shader that runs for a ray, for a hit or for none, of which `told` tells.
    fn inputs<'w>(
        &'w self,
        need: &Need,
        hit: Option<Hit>,
        told: Told,
    ) -> impl Fn(Input) -> u32 + use<'w, 'a, 'r> {
        let (path, data) = (&self.memory.paths[need.path], need.data);
        let view = View {
            query: &path.query,
            flags: path.flags,
            mask: path.mask,
            t_max: told.t,
            hit: hit.zip(self.scene(path)),
            hit_kind: told.kind,
            object_ray: OnceCell::new(),
        };
        move |of| match of {
            Input::Payload(word) => self.rows.scalar(word, path.lane),
            Input::Attribute(word) => told.attribute.get(word as usize).copied().unwrap_or(0),
            Input::Record(part) => (data >> (32 * part)) as u32,
            Input::BuiltIn(b, component) => view.builtin(b, component),
        }
    }

    /// The frame of a shader that some rays need.
    fn callee<'f>(&self, frame: &Frame<'f>, needs: &[Need]) -> Frame<'f> {
        frame.callee(needs.iter().map(|need| self.memory.paths[need.path].lane))
    }
}

impl Path {
    /// Becomes the ray of a lane.
    fn start(&mut self, rows: &Rows<'_>, lane: usize, scene: usize, more: RayFlags) {
        let float = |word: u32| rows.float(word, lane);
        let ray = Ray {
            origin: [float(7), float(8), float(9)],
            tmin: float(10),
            direction: [float(11), float(12), float(13)],
            tmax: float(14),
        };
        (self.flags, self.mask) = (rows.operand(2, lane), rows.operand(3, lane) & 0xff);
        self.query.initialize(&ray, RayFlags(self.flags) | more, self.mask);
        (self.lane, self.scene, self.ended, self.record) = (lane, scene, false, None);
        // Spec: SPIR-V, OpTraceRayKHR: only the lowest bits are used.
        (self.offset, self.stride) = (rows.operand(4, lane) & 0xf, rows.operand(5, lane) & 0xf);
        self.miss = rows.operand(6, lane) & 0xffff;
        (self.reported, self.accepted) = (Told::default(), Told::default());
    }

    /// A ray of a lane that has ended, with the record of its hit group or miss shader.
    pub fn ended(
        (lane, record): (usize, u32),
        (query, flags, mask): (RayQuery, u32, u32),
        accepted: Told,
    ) -> Path {
        let (miss, record) = (record, Some(record));
        Path { lane, query, flags, mask, miss, record, ended: true, accepted, ..Path::default() }
    }

    /// Number of the record of a hit. Spec: Vulkan, "Hit Shaders", shader binding table indexing.
    pub fn record_of(&self, scene: Option<&TopLevel>, hit: &Hit) -> Option<u64> {
        if let Some(record) = self.record {
            return Some(record.into());
        }
        let offset = hit.placed(scene?)?.instance().sbt_offset;
        let of_geometry = u64::from(hit.geometry) * u64::from(self.stride);
        Some(u64::from(offset) + of_geometry + u64::from(self.offset))
    }

    /// The hit group of a hit, with the address of the data in its record.
    fn hit_group<'a>(
        &self,
        frame: &Frame<'a>,
        scene: Option<&TopLevel>,
        hit: &Hit,
    ) -> Option<(&'a TraceGroup, u64)> {
        let index = self.record_of(scene, hit)?;
        let running = frame.running;
        let read = || running.record(Table::Hit, index);
        let record = frame.worker.hit_record(index, || {
            let record = read();
            Some((running.pipeline.number(record.handle)?, record.data))
        });
        let fits = |group: &TraceGroup| match group.kind {
            GroupKind::General => false,
            GroupKind::Triangles => !is_box(hit),
            GroupKind::Procedural => is_box(hit),
        };
        let group = record.and_then(|(group, _)| running.pipeline.numbered(group));
        if !group.is_some_and(fits) {
            running.look_at(Some(self.lane), (Table::Hit, index), &read(), &fits);
        }
        // Applications use procedural groups for triangles too, against the rules: these need no intersection shader.
        let group = group.filter(|group| fits(group) || group.kind == GroupKind::Procedural);
        Some((group?, record?.1))
    }

    /// The shader for the candidate that the ray has just found, if it found one. A ray without a candidate has ended. A
    /// candidate without a shader is hit or missed at once.
    fn next_shader(&mut self, frame: &Frame<'_>, scene: &TopLevel, found: bool) -> Option<(usize, u64)> {
        let Some(hit) = self.query.candidate().filter(|_| found) else {
            self.ended = true;
            return None;
        };
        let pipeline = frame.running.pipeline;
        let group = self.hit_group(frame, Some(scene), &hit);
        let shader = group.and_then(|(group, data)| {
            let shader = match is_box(&hit) {
                true => pipeline.of_stage(group.intersection, Stage::Intersection),
                false => pipeline.of_stage(group.any_hit, Stage::AnyHit),
            };
            Some((shader?, data))
        });
        if shader.is_none() {
            // Without a shader, triangles are hit and boxes are missed.
            self.query.confirm();
        }
        shader
    }

    /// The any-hit shader for a reported hit. Opaque candidates need none.
    fn any_hit(&self, frame: &Frame<'_>, scene: Option<&TopLevel>) -> Option<(usize, u64)> {
        let hit = self.query.candidate().filter(|hit| !hit.opaque)?;
        let (group, data) = self.hit_group(frame, scene, &hit)?;
        Some((frame.running.pipeline.of_stage(group.any_hit, Stage::AnyHit)?, data))
    }

    /// The closest hit or miss shader, with the address of the data in its record.
    fn last_shader(&self, frame: &Frame<'_>, scene: Option<&TopLevel>) -> Option<(usize, u64)> {
        let running = frame.running;
        match self.query.committed() {
            Some(_) if RayFlags(self.flags).has(RayFlags::SKIP_CLOSEST_HIT_SHADER) => None,
            Some(hit) => {
                let (group, data) = self.hit_group(frame, scene, &hit)?;
                Some((running.pipeline.of_stage(group.closest_hit, Stage::ClosestHit)?, data))
            }
            None => {
                let miss = (Table::Miss, self.miss.into());
                let (shader, record) = running.general(Some(self.lane), miss, Stage::Miss)?;
                Some((shader, record.data))
            }
        }
    }

    /// The closest hit, or the candidate.
    pub fn told(&self, hit: &Hit, committed: bool) -> Told {
        if is_box(hit) {
            return if committed { self.accepted } else { self.reported };
        }
        let mut attribute = Attribute::default();
        attribute.iter_mut().zip(0..2).for_each(|(to, word)| *to = triangle_attribute(hit, word));
        Told { t: hit.t, kind: triangle_kind(hit), attribute }
    }

    /// Commits the reported hit.
    fn accept(&mut self) {
        self.accepted = self.reported;
        self.query.generate(self.reported.t);
    }
}

/// Runs an any-hit shader for candidates. Returns the end of each invocation.
fn any_hit(
    walk: &RefCell<Walk<'_, '_>>,
    frame: &Frame<'_>,
    callee: &Frame<'_>,
    shader: &TraceShader,
    needs: &[Need],
) -> Ends {
    let mut call = {
        let walk = &*walk.borrow();
        Call::new(callee, shader, needs.len(), |k| {
            let path = &walk.paths()[needs[k].path];
            let hit = path.query.candidate();
            walk.inputs(&needs[k], hit, hit.map(|hit| path.told(&hit, false)).unwrap_or_default())
        })
    };
    call.run(callee);
    let mut ends = smallvec![HitEnd::Accept; needs.len()];
    let mut walk = walk.borrow_mut();
    call.outputs(frame, |of, k, bits| match of {
        Output::Payload(word) => walk.set_word(needs[k].path, word, bits),
        Output::End => {
            ends[k] = match bits {
                1 => HitEnd::Ignore,
                2 => HitEnd::Terminate,
                _ => HitEnd::Accept,
            }
        }
    });
    ends
}

/// Runs an any-hit shader for candidate triangles.
fn filter(walk: &RefCell<Walk<'_, '_>>, frame: &Frame<'_>, shader: &TraceShader, needs: &[Need]) {
    let mut callee = walk.borrow().callee(frame, needs);
    callee.tracer.triangles = u32::MAX;
    let ends = any_hit(walk, frame, &callee, shader, needs);
    let mut walk = walk.borrow_mut();
    for (need, end) in needs.iter().zip(ends) {
        let (path, _) = walk.path(need.path);
        if end != HitEnd::Ignore {
            path.query.confirm();
        }
        if end == HitEnd::Terminate {
            path.query.terminate();
        }
    }
}

/// The receiver of hits that an intersection shader reports: lane k runs for the ray of need k.
struct Receiver<'a, 'w, 'r> {
    walk: &'a RefCell<Walk<'w, 'r>>,
    needs: &'a [Need],
}

/// Runs an intersection shader for candidate boxes.
fn intersect(walk: &RefCell<Walk<'_, '_>>, frame: &Frame<'_>, shader: &TraceShader, needs: &[Need]) {
    let receiver = Receiver { walk, needs };
    let mut callee = walk.borrow().callee(frame, needs);
    callee.reports = Some(&receiver);
    let mut call = {
        let walk = &*walk.borrow();
        Call::new(&callee, shader, needs.len(), |k| {
            let path = &walk.paths()[needs[k].path];
            let told = Told { t: path.query.limit(), ..Told::default() };
            walk.inputs(&needs[k], path.query.candidate(), told)
        })
    };
    call.run(&callee);
    call.outputs(frame, |_, _, _| {});
}

impl Reports for Receiver<'_, '_, '_> {
    fn report(&self, frame: &Frame<'_>, rows: &mut Rows<'_>) {
        let pipeline = frame.running.pipeline;
        let mut needs = SmallVec::<[(Need, usize); MAX_LANES]>::new();
        let mut states = SmallVec::<[(usize, usize, HitEnd); MAX_LANES]>::new();
        for lane in rows.active() {
            let Some(need) = self.needs.get(lane) else { continue };
            let mut walk = self.walk.borrow_mut();
            let (path, scene) = walk.path(need.path);
            let mut attribute = Attribute::default();
            attribute.iter_mut().zip(0..).for_each(|(to, word)| *to = rows.scalar(word, lane));
            path.reported = Told { t: rows.float(0, lane), kind: rows.operand(1, lane), attribute };
            let end = if path.query.has_ended() || !path.query.accepts(path.reported.t) {
                HitEnd::Ignore
            } else {
                if let Some((shader, data)) = path.any_hit(frame, scene) {
                    needs.push((Need { shader, path: need.path, data }, lane));
                }
                HitEnd::Accept
            };
            states.push((lane, need.path, end));
        }
        needs.sort_unstable();
        for batch in batches(frame.running, &needs, |(need, _)| need.shader) {
            let needs: Needs = batch.iter().map(|(need, _)| *need).collect();
            let callee = frame.callee(batch.iter().map(|(_, lane)| *lane));
            let ends = any_hit(self.walk, frame, &callee, &pipeline.shaders[needs[0].shader], &needs);
            for ((_, lane), end) in batch.iter().zip(ends) {
                states.iter_mut().filter(|state| state.0 == *lane).for_each(|state| state.2 = end);
            }
        }
        let mut walk = self.walk.borrow_mut();
        for (lane, path, end) in states {
            let (path, _) = walk.path(path);
            if end != HitEnd::Ignore {
                path.accept();
            }
            if end == HitEnd::Terminate {
                path.query.terminate();
            }
            let became = match end {
                HitEnd::Ignore if path.query.has_ended() => Report::Ended,
                HitEnd::Ignore => Report::Ignored,
                HitEnd::Accept | HitEnd::Terminate if path.query.has_ended() => Report::Ended,
                HitEnd::Accept | HitEnd::Terminate => Report::Accepted,
            };
            rows.set_operand(0, lane, became as u32);
            rows.set_operand(1, lane, path.query.limit().to_bits());
        }
    }
}

/// Runs a closest hit or miss shader.
fn finish(walk: &RefCell<Walk<'_, '_>>, frame: &Frame<'_>, shader: &TraceShader, needs: &[Need]) {
    let mut callee = walk.borrow().callee(frame, needs);
    callee.depth += 1;
    let mut call = {
        let walk = &*walk.borrow();
        let hit = |need: &Need| walk.paths()[need.path].query.committed();
        let triangle = |need: &Need| hit(need).is_some_and(|hit| !is_box(&hit));
        callee.tracer.triangles =
            needs.iter().zip(0..).fold(0, |mask, (need, k)| mask | u32::from(triangle(need)) << k);
        Call::new(&callee, shader, needs.len(), |k| {
            let path = &walk.paths()[needs[k].path];
            let none = Told { t: path.query.limit(), ..Told::default() };
            let hit = path.query.committed();
            walk.inputs(&needs[k], hit, hit.map_or(none, |hit| Told { t: hit.t, ..path.told(&hit, true) }))
        })
    };
    call.run(&callee);
    let mut walk = walk.borrow_mut();
    call.outputs(frame, |of, k, bits| match of {
        Output::Payload(word) => walk.set_word(needs[k].path, word, bits),
        Output::End => {}
    });
}
