//! The rays of one call, on their way from candidate to candidate, and the shaders that they need.

use std::cell::RefCell;
use std::sync::Arc;

use quadrille_jit::ir::{HitEnd, Report, Stage};
use quadrille_rays::{Hit, Ray, RayFlags, RayQuery, TopLevel};

use super::bad_record::Table;
use super::call::{Call, Frame, Reports, Rows};
use super::hit::{View, is_box, triangle_attribute, triangle_kind};
use super::shaders::{GroupKind, Input, Output, TraceGroup, TraceShader};
use super::table::Record;

/// Words of a hit attribute.
pub(super) type Attribute = [u32; quadrille_jit::ir::MAX_ATTRIBUTE_WORDS as usize];

/// A hit, apart from what the query knows.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    pub t: f32,
    pub kind: u32,
    pub attribute: Attribute,
}

/// A ray of a call.
pub(super) struct Path {
    /// Lane of the caller.
    pub lane: usize,
    pub scene: Option<Arc<TopLevel>>,
    pub query: RayQuery,
    /// Ray flags and cull mask, as the shader gave them.
    pub flags: u32,
    pub mask: u32,
    /// Offset and stride of records of hit groups.
    offset: u32,
    stride: u32,
    pub miss: u32,
    /// The record of the hit group, if the hit does not select it.
    record: Option<u32>,
    /// `true` once the ray has ended.
    ended: bool,
    /// The hit that an intersection shader reported last, and the closest one of those that were accepted.
    reported: Told,
    pub accepted: Told,
}

/// A shader that a ray needs, in the order of execution.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Need {
    shader: usize,
    /// Index of the ray.
    path: usize,
    /// Address of the data in the shader record.
    data: u64,
}

/// The rays of one call.
pub(super) struct Walk {
    pub paths: Vec<Path>,
    /// Words of the payloads, ray by ray.
    payload: Vec<u32>,
    /// Number of words of a payload.
    words: usize,
}

/// Traces the rays of a call, and runs the shaders that they need.
pub(super) fn trace(frame: &Frame<'_>, rows: &mut Rows<'_>) {
    if frame.depth < frame.running.pipeline.max_depth {
        let walk = traverse(frame, rows);
        end(frame, rows, walk);
    }
}

/// Walks the rays of a call to their ends, with the any-hit and intersection shaders that they need.
pub(super) fn traverse(frame: &Frame<'_>, rows: &Rows<'_>) -> Walk {
    let running = frame.running;
    let walk = RefCell::new(Walk::new(frame, rows));
    loop {
        let mut needs = Vec::new();
        walk.borrow_mut().advance(frame, &mut needs);
        if needs.is_empty() || running.is_over() {
            break;
        }
        needs.sort_unstable();
        for needs in needs.chunk_by(|a, b| a.shader == b.shader) {
            let shader = &running.pipeline.shaders[needs[0].shader];
            match shader.stage {
                Stage::Intersection => intersect(&walk, frame, shader, needs),
                _ => filter(&walk, frame, shader, needs),
            }
        }
    }
    walk.into_inner()
}

/// Runs the closest hit and miss shaders that rays need, and returns their payloads to the caller.
pub(super) fn end(frame: &Frame<'_>, rows: &mut Rows<'_>, walk: Walk) {
    let running = frame.running;
    let mut needs = walk.last(frame);
    let walk = RefCell::new(walk);
    needs.sort_unstable();
    for needs in needs.chunk_by(|a, b| a.shader == b.shader) {
        finish(&walk, frame, &running.pipeline.shaders[needs[0].shader], needs);
    }
    walk.into_inner().give_payloads(rows);
}

impl Walk {
    /// Rays that have ended, with the payloads of their lanes.
    pub fn ended(paths: Vec<Path>, rows: &Rows<'_>) -> Walk {
        let words = rows.scalars() as usize;
        let payload = |path: &Path| {
            let lane = path.lane;
            (0..words).map(move |word| rows.scalar(word as u32, lane))
        };
        let payload = paths.iter().flat_map(payload).collect();
        Walk { paths, payload, words }
    }

    /// Returns the payloads to the caller.
    pub fn give_payloads(&self, rows: &mut Rows<'_>) {
        for (k, path) in self.paths.iter().enumerate() {
            for word in 0..self.words {
                rows.set_scalar(word as u32, path.lane, self.payload[k * self.words + word]);
            }
        }
    }

    /// Rays with the operands of [`RayCall::Trace`](quadrille_jit::ir::RayCall::Trace).
    fn new(frame: &Frame<'_>, rows: &Rows<'_>) -> Walk {
        let words = rows.scalars() as usize;
        let mut walk = Walk { paths: Vec::new(), payload: Vec::new(), words };
        let mut last = None;
        for lane in rows.active() {
            let address = u64::from(rows.operand(0, lane)) | u64::from(rows.operand(1, lane)) << 32;
            let scene = match &last {
                Some((known, scene)) if *known == address => scene,
                _ => &last.insert((address, frame.running.scenes.find(address))).1,
            };
            let float = |word: u32| rows.float(word, lane);
            let ray = Ray {
                origin: [float(7), float(8), float(9)],
                tmin: float(10),
                direction: [float(11), float(12), float(13)],
                tmax: float(14),
            };
            let (flags, mask) = (rows.operand(2, lane), rows.operand(3, lane) & 0xff);
            let mut query = RayQuery::default();
            query.initialize(&ray, RayFlags(flags) | frame.running.pipeline.flags, mask);
            walk.paths.push(Path {
                lane,
                scene: scene.clone(),
                query,
                flags,
                mask,
                // Spec: SPIR-V, OpTraceRayKHR: only the lowest bits are used.
                offset: rows.operand(4, lane) & 0xf,
                stride: rows.operand(5, lane) & 0xf,
                miss: rows.operand(6, lane) & 0xffff,
                record: None,
                ended: false,
                reported: Told::default(),
                accepted: Told::default(),
            });
            walk.payload.extend((0..words).map(|word| rows.scalar(word as u32, lane)));
        }
        walk
    }

    /// Walks each ray to its next candidate for which a shader must run, or to its end.
    fn advance(&mut self, frame: &Frame<'_>, needs: &mut Vec<Need>) {
        for (k, path) in self.paths.iter_mut().enumerate() {
            if let Some((shader, record)) = path.next_shader(frame) {
                needs.push(Need { shader, path: k, data: record.data });
            }
        }
    }

    /// The closest hit and miss shaders that the rays need.
    fn last(&self, frame: &Frame<'_>) -> Vec<Need> {
        let paths = self.paths.iter().enumerate();
        let needs = paths.filter_map(|(k, path)| {
            let (shader, record) = path.last_shader(frame)?;
            Some(Need { shader, path: k, data: record.data })
        });
        needs.collect()
    }

    fn word(&self, path: usize, word: u32) -> u32 {
        let word = word as usize;
        if word < self.words { self.payload[path * self.words + word] } else { 0 }
    }

    fn set_word(&mut self, path: usize, word: u32, bits: u32) {
        let word = word as usize;
        if word < self.words {
            self.payload[path * self.words + word] = bits;
        }
    }

    /// A word of the input of a shader that runs for a ray; `told` is the hit that it runs for, if there is one.
    fn input(&self, of: Input, need: &Need, view: &View<'_>, told: Option<&Told>) -> u32 {
        match of {
            Input::Payload(word) => self.word(need.path, word),
            Input::Attribute(word) => told.and_then(|t| t.attribute.get(word as usize)).copied().unwrap_or(0),
            Input::Record(part) => (need.data >> (32 * part)) as u32,
            Input::BuiltIn(b, component) => view.builtin(b, component),
        }
    }
}

impl Path {
    /// A ray that has ended, with the record of its hit group or miss shader.
    pub fn ended(
        (lane, record): (usize, u32),
        scene: Option<Arc<TopLevel>>,
        (query, flags, mask): (RayQuery, u32, u32),
        accepted: Told,
    ) -> Path {
        Path {
            lane,
            scene,
            query,
            flags,
            mask,
            offset: 0,
            stride: 0,
            miss: record,
            record: Some(record),
            ended: true,
            reported: Told::default(),
            accepted,
        }
    }

    /// Number of the record of a hit. Spec: Vulkan, "Hit Shaders", shader binding table indexing.
    pub fn record_of(&self, hit: &Hit) -> Option<u64> {
        if let Some(record) = self.record {
            return Some(record.into());
        }
        let offset = hit.placed(self.scene.as_ref()?)?.instance().sbt_offset;
        let of_geometry = u64::from(hit.geometry) * u64::from(self.stride);
        Some(u64::from(offset) + of_geometry + u64::from(self.offset))
    }

    /// The hit group of a hit, with its record.
    fn hit_group<'a>(&self, frame: &Frame<'a>, hit: &Hit) -> Option<(&'a TraceGroup, Record)> {
        let index = self.record_of(hit)?;
        let running = frame.running;
        let record = running.record(Table::Hit, index);
        let fits = |group: &TraceGroup| match group.kind {
            GroupKind::General => false,
            GroupKind::Triangles => !is_box(hit),
            GroupKind::Procedural => is_box(hit),
        };
        let group = running.pipeline.group(record.handle);
        if !group.is_some_and(fits) {
            running.look_at(Some(self.lane), (Table::Hit, index), &record, &fits);
        }
        // Applications use procedural groups for triangles too, against the rules: these need no intersection shader.
        let group = group.filter(|group| fits(group) || group.kind == GroupKind::Procedural);
        Some((group?, record))
    }

    /// Walks to the next candidate for which a shader must run. `None` at the end.
    fn next_shader(&mut self, frame: &Frame<'_>) -> Option<(usize, Record)> {
        if self.ended {
            return None;
        }
        let pipeline = frame.running.pipeline;
        while let Some(scene) = &self.scene
            && self.query.proceed(scene)
        {
            let Some(hit) = self.query.candidate() else { break };
            let group = self.hit_group(frame, &hit);
            let found = group.and_then(|(group, record)| {
                let shader = match is_box(&hit) {
                    true => pipeline.of_stage(group.intersection, Stage::Intersection),
                    false => pipeline.of_stage(group.any_hit, Stage::AnyHit),
                };
                Some((shader?, record))
            });
            match found {
                Some(found) => return Some(found),
                // Without a shader, triangles are hit and boxes are missed.
                None => self.query.confirm(),
            }
        }
        self.ended = true;
        None
    }

    /// The any-hit shader for a reported hit. Opaque candidates need none.
    fn any_hit(&self, frame: &Frame<'_>) -> Option<(usize, Record)> {
        let hit = self.query.candidate().filter(|hit| !hit.opaque)?;
        let (group, record) = self.hit_group(frame, &hit)?;
        Some((frame.running.pipeline.of_stage(group.any_hit, Stage::AnyHit)?, record))
    }

    /// The closest hit or miss shader.
    fn last_shader(&self, frame: &Frame<'_>) -> Option<(usize, Record)> {
        let running = frame.running;
        match self.query.committed() {
            Some(_) if RayFlags(self.flags).has(RayFlags::SKIP_CLOSEST_HIT_SHADER) => None,
            Some(hit) => {
                let (group, record) = self.hit_group(frame, &hit)?;
                Some((running.pipeline.of_stage(group.closest_hit, Stage::ClosestHit)?, record))
            }
            None => running.general(Some(self.lane), (Table::Miss, self.miss.into()), Stage::Miss),
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

    /// The ray, as a shader sees it that runs for a hit, or for none.
    fn view(&self, hit: Option<Hit>, told: &Told) -> View<'_> {
        View {
            query: &self.query,
            flags: self.flags,
            mask: self.mask,
            t_max: told.t,
            hit: hit.zip(self.scene.as_deref()),
            hit_kind: told.kind,
        }
    }

    /// Commits the reported hit.
    fn accept(&mut self) {
        self.accepted = self.reported;
        self.query.generate(self.reported.t);
    }
}

/// Lanes of the caller that need a shader.
fn lanes(walk: &Walk, needs: &[Need]) -> Vec<usize> {
    needs.iter().map(|need| walk.paths[need.path].lane).collect()
}

/// Runs an any-hit shader for candidates. Returns the end of each invocation.
fn any_hit(
    walk: &RefCell<Walk>,
    frame: &Frame<'_>,
    callee: &Frame<'_>,
    shader: &TraceShader,
    needs: &[Need],
) -> Vec<HitEnd> {
    let mut call = {
        let walk = walk.borrow();
        let candidates = needs.iter().map(|need| {
            let path = &walk.paths[need.path];
            let hit = path.query.candidate();
            (hit, hit.map(|hit| path.told(&hit, false)).unwrap_or_default())
        });
        let candidates = candidates.collect::<Vec<_>>();
        Call::new(callee, shader, needs.len(), |of, k| {
            let (hit, told) = &candidates[k];
            let view = walk.paths[needs[k].path].view(*hit, told);
            walk.input(of, &needs[k], &view, Some(told))
        })
    };
    call.run(callee);
    let mut ends = vec![HitEnd::Accept; needs.len()];
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
fn filter(walk: &RefCell<Walk>, frame: &Frame<'_>, shader: &TraceShader, needs: &[Need]) {
    let mut callee = frame.callee(&lanes(&walk.borrow(), needs));
    callee.tracer.triangles = u32::MAX;
    let ends = any_hit(walk, frame, &callee, shader, needs);
    let mut walk = walk.borrow_mut();
    for (need, end) in needs.iter().zip(ends) {
        let path = &mut walk.paths[need.path];
        if end != HitEnd::Ignore {
            path.query.confirm();
        }
        if end == HitEnd::Terminate {
            path.query.terminate();
        }
    }
}

/// The receiver of hits that an intersection shader reports: lane k runs for the ray of need k.
struct Receiver<'a> {
    walk: &'a RefCell<Walk>,
    needs: &'a [Need],
}

/// Runs an intersection shader for candidate boxes.
fn intersect(walk: &RefCell<Walk>, frame: &Frame<'_>, shader: &TraceShader, needs: &[Need]) {
    let receiver = Receiver { walk, needs };
    let mut callee = frame.callee(&lanes(&walk.borrow(), needs));
    callee.reports = Some(&receiver);
    let mut call = {
        let walk = walk.borrow();
        Call::new(&callee, shader, needs.len(), |of, k| {
            let path = &walk.paths[needs[k].path];
            let told = Told { t: path.query.limit(), ..Told::default() };
            walk.input(of, &needs[k], &path.view(path.query.candidate(), &told), None)
        })
    };
    call.run(&callee);
    call.outputs(frame, |_, _, _| {});
}

impl Reports for Receiver<'_> {
    fn report(&self, frame: &Frame<'_>, rows: &mut Rows<'_>) {
        let pipeline = frame.running.pipeline;
        let (mut needs, mut states) = (Vec::new(), Vec::new());
        for lane in rows.active() {
            let Some(need) = self.needs.get(lane) else { continue };
            let mut walk = self.walk.borrow_mut();
            let path = &mut walk.paths[need.path];
            let mut attribute = Attribute::default();
            attribute.iter_mut().zip(0..).for_each(|(to, word)| *to = rows.scalar(word, lane));
            path.reported = Told { t: rows.float(0, lane), kind: rows.operand(1, lane), attribute };
            let end = if path.query.has_ended() || !path.query.accepts(path.reported.t) {
                HitEnd::Ignore
            } else {
                if let Some((shader, record)) = path.any_hit(frame) {
                    needs.push((Need { shader, path: need.path, data: record.data }, lane));
                }
                HitEnd::Accept
            };
            states.push((lane, need.path, end));
        }
        needs.sort_unstable();
        for batch in needs.chunk_by(|a, b| a.0.shader == b.0.shader) {
            let (needs, lanes): (Vec<Need>, Vec<usize>) = batch.iter().copied().unzip();
            let callee = frame.callee(&lanes);
            let ends = any_hit(self.walk, frame, &callee, &pipeline.shaders[needs[0].shader], &needs);
            for (lane, end) in lanes.into_iter().zip(ends) {
                states.iter_mut().filter(|state| state.0 == lane).for_each(|state| state.2 = end);
            }
        }
        let mut walk = self.walk.borrow_mut();
        for (lane, path, end) in states {
            let path = &mut walk.paths[path];
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
fn finish(walk: &RefCell<Walk>, frame: &Frame<'_>, shader: &TraceShader, needs: &[Need]) {
    let mut callee = frame.callee(&lanes(&walk.borrow(), needs));
    callee.depth += 1;
    let mut call = {
        let walk = walk.borrow();
        let hits: Vec<_> = needs
            .iter()
            .map(|need| {
                let path = &walk.paths[need.path];
                let none = Told { t: path.query.limit(), ..Told::default() };
                let hit = path.query.committed();
                (hit, hit.map_or(none, |hit| Told { t: hit.t, ..path.told(&hit, true) }))
            })
            .collect();
        let triangle = |hit: &Option<Hit>| hit.as_ref().is_some_and(|hit| !is_box(hit));
        callee.tracer.triangles =
            hits.iter().zip(0..).fold(0, |mask, ((hit, _), k)| mask | u32::from(triangle(hit)) << k);
        Call::new(&callee, shader, needs.len(), |of, k| {
            let (hit, told) = &hits[k];
            let view = walk.paths[needs[k].path].view(*hit, told);
            walk.input(of, &needs[k], &view, Some(told))
        })
    };
    call.run(&callee);
    let mut walk = walk.borrow_mut();
    call.outputs(frame, |of, k, bits| match of {
        Output::Payload(word) => walk.set_word(needs[k].path, word, bits),
        Output::End => {}
    });
}
