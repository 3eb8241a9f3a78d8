//! A unit of front work: vertices of some draws, or of a part of one, to binned primitives.
//!
//! Units are independent of each other; where one ends depends on counts in the draws alone. Those of
//! tessellated draws end with patches, which [`super::patches`] makes work of again, and those of draws with a
//! task stage with task workgroups ([`super::tasks`]).

use std::ops::Range;
use std::sync::atomic::Ordering;

use quadrille_jit::reserve::{Room, carry};

use super::assembly::{Assembled, Span, assemble};
use super::bound::Bound;
use super::emitter::{Emitter, Place};
use super::geometry::{Batch, run_geometry};
use super::job::{BoundJob, CHUNK_ROOM, Progress, UnitOutput};
use super::mesh::{Source, run_groups};
use super::patches::Patches;
use super::primitives::primitives;
use super::scratch::{Scratch, with_scratch};
use super::tasks::Tasks;
use crate::bins::Chunk;
use crate::record::{Recorded, Stats, total_groups};

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
    /// Workgroups of a draw whose first stage is the task or mesh stage.
    Groups {
        /// Number of the draw.
        draw: u32,
        /// Workgroups.
        groups: Range<u32>,
    },
}

impl Unit {
    /// Number of its first draw.
    pub fn first_draw(&self) -> u32 {
        match self {
            Unit::Draws(draws) => draws.start,
            Unit::Part { draw, .. } | Unit::Groups { draw, .. } => *draw,
        }
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
    let mut to = UnitOutput { chunk, stats, at: Progress::from(resume) };
    let _room = carry(Room::quick(CHUNK_ROOM));
    with_scratch(|s| for_parts(rec, unit, |job, part| run_part(rec, job, part, s, &mut to)))?;
    Ok(to.at.left_off())
}

/// Runs a unit of tessellated draws as far as its patches.
pub(crate) fn run_to_patches(
    rec: &Recorded<'_, Bound>,
    unit: &Unit,
    stats: &mut Stats,
) -> Result<Patches, String> {
    let mut patches = Patches::default();
    with_scratch(|s| {
        for_parts(rec, unit, |job, part| {
            shade(rec, job, part, s, Some(&mut *stats))?;
            list_primitives(job, part, s);
            stats.input_primitives += s.ids.len() as u64;
            patches.control(job, part.draw, s, stats)
        })
    })?;
    Ok(patches)
}

/// Runs a unit of draws with a task stage as far as that.
pub(crate) fn run_to_tasks(
    rec: &Recorded<'_, Bound>,
    unit: &Unit,
    stats: &mut Stats,
) -> Result<Tasks, String> {
    let mut tasks = Tasks::default();
    with_scratch(|s| {
        for_parts(rec, unit, |job, part| tasks.run(rec, job, part.draw, &part.groups, s, stats))
    })?;
    Ok(tasks)
}

/// Part of a draw.
pub(super) struct Part {
    pub draw: u32,
    pub instances: Range<u32>,
    pub span: Span,
    /// Workgroups, where the first stage is the task or mesh stage: instances and positions do not count then.
    pub groups: Range<u32>,
}

/// Calls `f` for each part of a draw that a unit has.
fn for_parts<'a>(
    rec: &'a Recorded<'_, Bound>,
    unit: &Unit,
    mut f: impl FnMut(&mut BoundJob<'a>, &Part) -> Result<(), String>,
) -> Result<(), String> {
    let mut job = None;
    match unit {
        Unit::Draws(draws) => draws.clone().try_for_each(|draw| {
            let d = &rec.draws[draw as usize].draw;
            let span = Span { first: 0, end: d.count, start: 0, primitive: 0 };
            let part = Part { draw, instances: 0..d.instances, span, groups: 0..total_groups(d.groups) };
            f(BoundJob::of_draw(rec, draw, &mut job), &part)
        }),
        Unit::Part { draw, instances, span } => {
            let part = Part { draw: *draw, instances: instances.clone(), span: *span, groups: 0..0 };
            f(BoundJob::of_draw(rec, *draw, &mut job), &part)
        }
        Unit::Groups { draw, groups } => {
            let (span, groups) = (Span::default(), groups.clone());
            let part = Part { draw: *draw, instances: 0..0, span, groups };
            f(BoundJob::of_draw(rec, *draw, &mut job), &part)
        }
    }
}

/// The vertex stage.
fn shade(
    rec: &Recorded<'_, Bound>,
    job: &mut BoundJob<'_>,
    part: &Part,
    s: &mut Scratch,
    stats: Option<&mut Stats>,
) -> Result<(), String> {
    if rec.stop.load(Ordering::Relaxed) != 0 {
        return Err(job.record.state.desc.vertex().name.clone());
    }
    let d = &rec.draws[part.draw as usize].draw;
    s.vertices.shade(job, d, &part.instances, &part.span, &mut s.lane, stats)
}

/// Fills `list` and `ids` with the primitives of all instances as the stage after the vertex stage takes them.
fn list_primitives(job: &BoundJob<'_>, part: &Part, s: &mut Scratch) {
    s.list.clear();
    s.ids.clear();
    let (topology, patch) = (job.record.state.desc.topology, job.record.patch);
    let (list, ids, vertices) = (&mut s.list, &mut s.ids, &s.vertices);
    for i in 0..part.instances.len() {
        let first = (i * vertices.per_instance()) as u32;
        let local = |p| vertices.local(p);
        primitives(topology, patch, &part.span, local, |v, number| {
            list.extend(v.iter().map(|v| first + v));
            ids.push(number);
        });
    }
}

fn run_part(
    rec: &Recorded<'_, Bound>,
    job: &mut BoundJob<'_>,
    part: &Part,
    s: &mut Scratch,
    to: &mut UnitOutput<'_>,
) -> Result<(), String> {
    if job.record.state.mesh.is_some() {
        let payload = s.no_payload.room(job.record.payload_stride() as usize);
        payload.fill(0);
        let counts = rec.draws[part.draw as usize].draw.groups;
        let source = Source { draw: part.draw, counts, payload };
        return run_groups(rec, job, &source, part.groups.clone(), (&mut s.meshes, &mut s.raster), to);
    }
    let may_run_again = !job.record.state.desc.vertex().writes_memory;
    if to.at.leaves_off(to.chunk, may_run_again) {
        return Ok(());
    }
    let first_time = to.at.primitives >= to.at.resume;
    shade(rec, job, part, s, first_time.then_some(&mut *to.stats))?;
    let state = &*job.record.state;
    if let Some(later) = &state.later {
        let Some(g) = &later.geometry else { return Ok(()) };
        let before = to.at.primitives;
        list_primitives(job, part, s);
        let batch = Batch {
            records: s.vertices.records(),
            stride: state.vertex_words,
            per_primitive: g.modes.input.vertices(),
            may_run_again,
        };
        let lists = (&mut s.list, &mut s.ids);
        let scratch = (&mut s.emitted, &mut s.lane, &mut s.raster);
        run_geometry(rec, job, part.draw, g, &batch, lists, scratch, to)?;
        to.stats.input_primitives += to.at.taken_since(before);
        return Ok(());
    }
    assemble_part(rec, job, part, s, to);
    Ok(())
}

/// What the vertex stage has made of a part to the bins, where it is the last stage.
fn assemble_part(
    rec: &Recorded<'_, Bound>,
    job: &BoundJob<'_>,
    part: &Part,
    s: &mut Scratch,
    to: &mut UnitOutput<'_>,
) {
    let (state, topology) = (&*job.record.state, job.record.state.desc.topology);
    let (last, vertices) = (state.desc.provoking_last, &s.vertices);
    let before = to.at.primitives;
    let place = Place { rec, bound: job.record, draw: part.draw };
    let records = vertices.records();
    place.to_screen(records, vertices.per_instance() * part.instances.len(), &mut s.raster.screen);
    let mut out = Emitter::new(&place, records, &s.raster.screen, &mut s.raster.clipper, to.chunk, to.stats);
    let kind = state.output();
    let stippled_strip = state.desc.line_stipple && topology.is_line_strip();
    let may_run_again = !state.desc.vertex().writes_memory;
    let at = &mut to.at;
    for i in 0..part.instances.len() {
        let first = (i * vertices.per_instance()) as u32;
        let local = |p: u32| vertices.local(p);
        assemble(topology, last, &part.span, local, |Assembled { vertices: v, number, fresh }| {
            // A vertex stage that stores runs once: its chunk takes what it needs.
            if !at.takes(out.chunk, may_run_again) {
                // The stipple of what was done before goes on.
                if !stippled_strip || at.full {
                    return;
                }
                out.passed_over = true;
            }
            if fresh {
                out.stipple_at = 0.0;
            }
            out.primitive(kind, v.map(|v| first + v), last, number);
            out.passed_over = false;
        });
    }
    to.stats.input_primitives += to.at.taken_since(before);
    to.stats.generated[0] += to.at.taken_since(before);
}
