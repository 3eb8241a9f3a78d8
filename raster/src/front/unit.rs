//! A unit of front work: vertices of some draws, or of a part of one, to binned primitives.
//!
//! Units are independent of each other; where one ends depends on counts in the draws alone.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::Ordering;

use quadrille_jit::abi::Ctx;
use quadrille_jit::reserve::{Room, carry};

use super::assembly::{Assembled, RESTART, Span, assemble};
use super::bound::Bound;
use super::clip::Clipper;
use super::emitter::{Emitter, screen_vertex};
use super::setup::{ScreenVertex, SetupState};
use crate::bins::Chunk;
use crate::invoke::{Lines, call_vertex};
use crate::limits::CHUNK_BYTES;
use crate::record::{Draw, DrawRecord, Recorded, Stats};
use crate::samples::reach_fx8;
use crate::state::{PolygonMode, Topology};

/// A unit of front work.
#[derive(Clone, Debug)]
pub(crate) enum Unit {
    /// Whole draws, by number.
    Draws(Range<u32>),
    /// Part of a draw: instances (counted from the first), and positions.
    Part {
        /// Number of the draw.
        draw: u32,
        /// Instances.
        instances: Range<u32>,
        /// Positions.
        span: Span,
    },
}

/// What a thread needs to run units; kept from unit to unit.
#[derive(Default)]
struct Scratch {
    /// Local vertex of each position from the first that is reached, then of the span's start.
    locals: Vec<u32>,
    /// VertexIndex of each local vertex.
    unique: Vec<u32>,
    reuse: ReuseTable,
    vertex_ids: Vec<u32>,
    instance_ids: Vec<u32>,
    input: Lines,
    records: Lines,
    lane_scratch: Lines,
    screen: Vec<ScreenVertex>,
    clipper: Clipper,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Recently used indices and their local vertices.
struct ReuseTable {
    slots: Vec<[u32; 3]>,
    stamp: u32,
}

impl Default for ReuseTable {
    fn default() -> Self {
        ReuseTable { slots: vec![[0; 3]; 4096], stamp: 0 }
    }
}

impl ReuseTable {
    fn clear(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill([0; 3]);
            self.stamp = 1;
        }
    }

    /// The local vertex of an index, a new one if it is not remembered.
    #[inline]
    fn local(&mut self, index: u32, unique: &mut Vec<u32>) -> u32 {
        let slot = &mut self.slots[index as usize & 4095];
        if slot[0] == self.stamp && slot[1] == index {
            return slot[2];
        }
        let local = unique.len() as u32;
        unique.push(index);
        *slot = [self.stamp, index, local];
        local
    }
}

/// Runs a unit into an empty chunk, without its first `resume` primitives. When the chunk is full, the
/// number of primitives that are done is returned, 0 when all are. The name of a lane function is
/// returned if it was stopped. Where memory is out, the error goes to the next guard.
pub(crate) fn run_unit(
    rec: &Recorded<'_, Bound>,
    unit: &Unit,
    resume: u64,
    chunk: &mut Chunk,
    stats: &mut Stats,
) -> Result<u64, String> {
    let mut at = Progress { primitives: 0, resume, full: false };
    let _room = carry(Room::quick(CHUNK_ROOM));
    SCRATCH.with_borrow_mut(|s| match unit {
        Unit::Draws(draws) => {
            let mut job = None;
            for draw in draws.clone() {
                let d = &rec.draws[draw as usize].draw;
                let span = Span { first: 0, end: d.count, start: 0, primitive: 0 };
                run_part(rec, draw, 0..d.instances, &span, s, chunk, stats, &mut job, &mut at)?;
            }
            Ok(())
        }
        Unit::Part { draw, instances, span } => {
            run_part(rec, *draw, instances.clone(), span, s, chunk, stats, &mut None, &mut at)
        }
    })?;
    Ok(if at.full { at.primitives } else { 0 })
}

/// Memory of the host that a unit finds: a full chunk, and the copy while its vectors grow.
const CHUNK_ROOM: usize = 2 * CHUNK_BYTES;

/// How far a unit has come.
struct Progress {
    /// Primitives of the unit so far.
    primitives: u64,
    /// Those below were done before.
    resume: u64,
    /// The chunk is full: nothing more is taken.
    full: bool,
}

impl Progress {
    /// Whether the next primitive is to be worked on.
    #[inline]
    fn takes(&mut self, chunk: &Chunk, may_run_again: bool) -> bool {
        if self.full {
            return false;
        }
        if may_run_again && self.primitives > self.resume && chunk.bytes() > CHUNK_BYTES {
            self.full = true;
            return false;
        }
        self.primitives += 1;
        self.primitives > self.resume
    }
}

/// What stays the same while the bound state does.
struct BoundJob<'a> {
    bind: u32,
    ctx: Ctx,
    record: &'a Bound,
}

fn run_part<'a>(
    rec: &'a Recorded<'_, Bound>,
    draw: u32,
    instances: Range<u32>,
    span: &Span,
    s: &mut Scratch,
    chunk: &mut Chunk,
    stats: &mut Stats,
    job: &mut Option<BoundJob<'a>>,
    at: &mut Progress,
) -> Result<(), String> {
    if at.full {
        return Ok(());
    }
    let recorded = &rec.draws[draw as usize];
    let DrawRecord { bind, push, draw: d } = recorded;
    if job.as_ref().is_none_or(|j| j.bind != *bind) {
        let record = &rec.binds[*bind as usize];
        *job = Some(BoundJob { bind: *bind, ctx: rec.ctx(recorded), record });
    }
    let Some(job) = job else { return Ok(()) };
    let state = &*job.record.state;
    if rec.stop.load(Ordering::Relaxed) != 0 {
        return Err(state.desc.vertex().name.clone());
    }
    let topology = state.desc.topology;

    // Which vertices: the same for every instance.
    let fan = topology == Topology::TriangleFan;
    let back = span.reach_back(topology, job.record.patch);
    find_vertices(job.record, d, span, back, fan, s);
    let unique = s.unique.len();
    let lanes = job.record.stages[0].meta().lanes as usize;
    let total = unique * instances.len();
    if total == 0 {
        return Ok(());
    }

    // Ids of all invocations, padded to whole groups.
    s.vertex_ids.clear();
    s.instance_ids.clear();
    for i in instances.clone() {
        s.vertex_ids.extend_from_slice(&s.unique);
        s.instance_ids.resize(s.vertex_ids.len(), d.first_instance.wrapping_add(i));
    }
    let n_input = state.fetch.words as usize;
    let groups = total.div_ceil(lanes);
    let rows = s.input.room(groups * n_input * lanes * 4);
    s.vertex_ids.resize(groups * lanes, 0);
    s.instance_ids.resize(groups * lanes, 0);
    let buffers = &job.record.buffers;
    state.fetch.run(buffers, &s.vertex_ids, &s.instance_ids, d.first_instance, lanes, rows);

    let words = state.record.words as usize;
    let records = s.records.room(groups * lanes * words * 4);
    let ctx = &mut job.ctx;
    ctx.push = rec.pushes[*push as usize].as_ptr();
    ctx.base_vertex = if d.indexed { d.vertex_offset } else { d.first as i32 };
    ctx.base_instance = d.first_instance;
    ctx.draw_index = d.draw_index;
    ctx.view_index = if state.desc.view_index_is_zero[0] { 0 } else { d.view_index };
    let vertex = &job.record.stages[0];
    if at.primitives >= at.resume {
        stats.vertex_invocations += total as u64;
    }
    if !call_vertex(vertex, ctx, &s.vertex_ids, &s.instance_ids, rows, records, total, &mut s.lane_scratch) {
        return Err(state.desc.vertex().name.clone());
    }
    if state.desc.rasterizer_discard || job.record.views.is_empty() {
        return Ok(());
    }

    // To framebuffer space, for the first viewport.
    s.screen.clear();
    let records = &records[..total * words];
    let view = &job.record.views[0];
    for i in 0..total {
        s.screen.push(screen_vertex(state, view, &records[i * words..(i + 1) * words]));
    }

    let bind = job.record;
    let setup = SetupState {
        state,
        view,
        bias: bind.depth_bias,
        line_width: bind.line_width,
        line_stipple: bind.line_stipple,
        draw,
        layer: 0,
        viewport_index: 0,
        reach_fx8: reach_fx8(rec.samples),
        blocks: (rec.samples == 1).then_some(&bind.shape),
    };
    let mut out = Emitter {
        setup,
        views: &bind.views,
        records,
        words,
        screen: &s.screen,
        clipper: &mut s.clipper,
        grid: &rec.grid,
        chunk,
        stats,
        stipple_at: 0.0,
        passed_over: false,
    };
    let (last, polygons) = (state.desc.provoking_last, state.desc.polygon_mode);
    let locals = &s.locals;
    for i in 0..instances.len() {
        let first = (i * unique) as u32;
        let local = |p: u32| {
            // A fan's centre lies before what is reached; its vertex comes last in the list.
            let at = if fan && p < back { locals.len() - 1 } else { (p - back) as usize };
            locals[at]
        };
        assemble(topology, last, span, local, |Assembled { vertices: v, number, fresh }| {
            // A vertex stage that stores runs once: its chunk takes what it needs.
            if !at.takes(out.chunk, !state.desc.vertex().writes_memory) {
                // The stipple of what was done before goes on.
                if !(state.desc.line_stipple && topology.is_line_strip()) || at.full {
                    return;
                }
                out.passed_over = true;
            }
            let v = v.map(|v| first + v);
            if topology == Topology::PointList {
                out.point(v[0], number);
            } else if topology.is_line() {
                if fresh {
                    out.stipple_at = 0.0;
                }
                out.line([v[0], v[1]], last, number);
            } else if polygons == PolygonMode::Fill {
                out.triangle(v, number);
            } else {
                out.unfilled(v, number);
            }
            out.passed_over = false;
        });
    }
    Ok(())
}

/// Fills `locals` and `unique`.
fn find_vertices(bind: &Bound, d: &Draw, span: &Span, back: u32, fan: bool, s: &mut Scratch) {
    s.locals.clear();
    s.unique.clear();
    let positions = (back..span.end).chain(fan.then_some(span.start));
    if !d.indexed {
        for p in positions {
            s.locals.push(s.unique.len() as u32);
            s.unique.push(d.first.wrapping_add(p));
        }
        return;
    }
    let Some(index) = &bind.index else { return };
    let restart = bind.state.desc.primitive_restart.then(|| index.ty.restart());
    s.reuse.clear();
    for p in positions {
        let i = index.get(u64::from(d.first) + u64::from(p));
        if restart == Some(i) {
            s.locals.push(RESTART);
        } else {
            s.locals.push(s.reuse.local(i.wrapping_add_signed(d.vertex_offset), &mut s.unique));
        }
    }
}
