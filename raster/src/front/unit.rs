//! A unit of front work: turns vertices of some draws, or of a part of one, into binned primitives.
//!
//! Units are independent of each other; their boundaries depend only on counts in the draws. The first phase of
//! tessellated draws ends with patches, whose further work is left to [`super::patches`]. The first phase of draws with
//! a task stage ends with task workgroups, whose further work is left to [`super::tasks`].

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::assembly::{Span, assemble, triangle_list};
use super::bound::{FrontBoundState, FrontDrawContext};
use super::emitter::{Emitter, Place};
use super::geometry::{Before, run_geometry};
use super::job::{self, LeftOff};
use super::mesh::{Source, run_groups};
use super::output::Output;
use super::patches::Patches;
use super::primitives::primitives;
use super::scratch::{Scratch, with_scratch};
use super::tasks::Tasks;
use crate::bins::Chunk;
use crate::record::{DrawRecord, RecordedDraws, Stats, Unfinished, total_groups};
use crate::state::Topology;

/// A unit of front work.
#[derive(Clone, Debug)]
pub(crate) enum Unit {
    /// Whole draws, by number.
    Draws(Range<u32>),
    /// Part of a draw: instances (counted from firstInstance), and positions.
    Part {
        /// Number of the draw.
        draw: u32,
        /// Range of instances.
        instances: Range<u32>,
        /// Range of positions.
        span: Span,
    },
    /// Some workgroups of a draw whose first stage is the task or mesh stage.
    Groups {
        /// Number of the draw.
        draw: u32,
        /// Range of workgroups.
        groups: Range<u32>,
    },
}

impl Unit {
    /// Number of the unit's first draw.
    pub fn first_draw(&self) -> u32 {
        match self {
            Unit::Draws(draws) => draws.start,
            Unit::Part { draw, .. } | Unit::Groups { draw, .. } => *draw,
        }
    }
}

/// Runs a unit into an empty chunk, starting where it was suspended. Returns the rest if the chunk gets full. Fails
/// if a shader did not complete.
pub(crate) fn run_unit(
    rec: &RecordedDraws<'_, FrontBoundState>,
    unit: &Unit,
    resume: Option<LeftOff>,
    chunk: &mut Chunk,
    stats: &mut Stats,
) -> Result<Option<LeftOff>, Unfinished> {
    job::run(resume, chunk, stats, |s, to| {
        for_parts(rec, unit, to.at.parts, |job, part| run_part(rec, job, part, s, to))
    })
}

/// Runs the first phase of a unit of tessellated draws, which ends with patches.
pub(crate) fn run_to_patches(
    rec: &RecordedDraws<'_, FrontBoundState>,
    unit: &Unit,
    stats: &mut Stats,
) -> Result<Patches, Unfinished> {
    let mut patches = Patches::default();
    with_scratch(|s| {
        for_parts(rec, unit, 0, |job, part| {
            shade(rec, job, part, s, stats)?;
            list_primitives(job, part, s);
            stats.input_primitives += s.ids.len() as u64;
            patches.control(job, part.draw, s, stats)?;
            Ok(true)
        })
    })?;
    Ok(patches)
}

/// Runs the first phase of a unit of draws with a task stage, which ends with task workgroups.
pub(crate) fn run_to_tasks(
    rec: &RecordedDraws<'_, FrontBoundState>,
    unit: &Unit,
    stats: &mut Stats,
) -> Result<Tasks, Unfinished> {
    let mut tasks = Tasks::default();
    with_scratch(|s| {
        for_parts(rec, unit, 0, |job, part| {
            tasks.run(rec, job, part.draw, &part.groups, s, stats)?;
            Ok(true)
        })
    })?;
    Ok(tasks)
}

/// Part of a draw.
pub(super) struct Part {
    pub draw: u32,
    pub instances: Range<u32>,
    pub span: Span,
    /// Workgroups, if the first stage is the task or mesh stage; instances and positions are unused then.
    pub groups: Range<u32>,
}

/// Calls `f` for the parts of draws in a unit, starting with number `first`, as long as it returns true.
fn for_parts<'a>(
    rec: &'a RecordedDraws<'_, FrontBoundState>,
    unit: &Unit,
    first: usize,
    mut f: impl FnMut(&mut FrontDrawContext<'a>, &Part) -> Result<bool, Unfinished>,
) -> Result<(), Unfinished> {
    let mut job = None;
    match unit {
        Unit::Draws(draws) => {
            for draw in draws.clone().skip(first) {
                let DrawRecord { draw: d, groups, .. } = &rec.draws[draw as usize];
                let span = Span { first: 0, end: d.count, start: 0, primitive: 0 };
                let part = Part { draw, instances: 0..d.instances, span, groups: 0..total_groups(*groups) };
                if !f(FrontDrawContext::of_draw(rec, draw, &mut job), &part)? {
                    break;
                }
            }
        }
        _ if first > 0 => {}
        Unit::Part { draw, instances, span } => {
            let part = Part { draw: *draw, instances: instances.clone(), span: *span, groups: 0..0 };
            f(FrontDrawContext::of_draw(rec, *draw, &mut job), &part)?;
        }
        Unit::Groups { draw, groups } => {
            let (span, groups) = (Span::default(), groups.clone());
            let part = Part { draw: *draw, instances: 0..0, span, groups };
            f(FrontDrawContext::of_draw(rec, *draw, &mut job), &part)?;
        }
    }
    Ok(())
}

/// Runs the vertex stage for a part.
fn shade(
    rec: &RecordedDraws<'_, FrontBoundState>,
    job: &mut FrontDrawContext<'_>,
    part: &Part,
    s: &mut Scratch,
    stats: &mut Stats,
) -> Result<(), Unfinished> {
    if rec.stop.load(Ordering::Relaxed) != 0 {
        return Err(job.not_called(0));
    }
    let d = &rec.draws[part.draw as usize].draw;
    s.vertices.shade(job, d, &part.instances, &part.span, &mut s.lane, stats)?;
    stats.input_vertices += s.vertices.count(&part.span) * part.instances.len() as u64;
    Ok(())
}

/// Fills `list` and `ids` with the primitives of all instances, as inputs of the stage after the vertex stage.
fn list_primitives(job: &FrontDrawContext<'_>, part: &Part, s: &mut Scratch) {
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

/// Runs a part of a draw into the bins; returns false if the chunk got full before the part was complete.
fn run_part(
    rec: &RecordedDraws<'_, FrontBoundState>,
    job: &mut FrontDrawContext<'_>,
    part: &Part,
    s: &mut Scratch,
    to: &mut Output<'_>,
) -> Result<bool, Unfinished> {
    if job.record.state.mesh.is_some() {
        let payload = s.no_payload.room(job.record.payload_stride() as usize);
        payload.fill(0);
        let counts = rec.draws[part.draw as usize].groups;
        let source = Source { draw: part.draw, counts, payload };
        run_groups(rec, job, &source, part.groups.clone(), (&mut s.meshes, &mut s.raster), to)?;
        return Ok(to.at.ends_part());
    }
    let state = &*job.record.state;
    let geometry = state.later.as_ref().and_then(|l| l.geometry.as_ref());
    let place = Place { rec, bound: job.record, draw: part.draw };
    if !to.at.shaded {
        shade(rec, job, part, s, to.stats)?;
        to.at.shaded = true;
        if geometry.is_some() {
            list_primitives(job, part, s);
            to.stats.input_primitives += s.ids.len() as u64;
        } else {
            let n = s.vertices.per_instance() * part.instances.len();
            place.to_screen(s.vertices.records(), n, &mut s.raster.screen);
        }
    }
    if let Some(g) = geometry {
        let before = Before {
            records: s.vertices.records(),
            stride: state.vertex_words,
            per_primitive: g.modes.input.vertices(),
        };
        let lists = (&mut s.list, &mut s.ids);
        let scratch = (&mut s.emitted, &mut s.lane, &mut s.raster);
        run_geometry(rec, job, part.draw, g, &before, lists, scratch, to)?;
    } else {
        assemble_part(&place, part, s, to);
    }
    Ok(to.at.ends_part())
}

/// Bins the primitives of a part whose last stage before rasterization is the vertex stage.
fn assemble_part(place: &Place<'_>, part: &Part, s: &mut Scratch, to: &mut Output<'_>) {
    let state = &*place.bound.state;
    let (topology, last, vertices) = (state.desc.topology, state.desc.provoking_last, &s.vertices);
    let done = to.at.primitives;
    let mut out = Emitter::new(place, vertices.records(), &mut s.raster, to);
    let kind = state.output();
    let mut passed = 0;
    for i in 0..part.instances.len() {
        let first = (i * vertices.per_instance()) as u32;
        let local = |p: u32| vertices.local(p);
        let mut next = |v: [u32; 3], number, fresh| {
            if passed < done {
                passed += 1;
            } else {
                out.next(kind, [first + v[0], first + v[1], first + v[2]], last, number, fresh);
            }
        };
        if topology == Topology::TriangleList && !state.desc.primitive_restart {
            triangle_list(last, &part.span, local, |v, number| next(v, number, true));
        } else {
            assemble(topology, last, &part.span, local, |a| next(a.vertices, a.number, a.fresh));
        }
    }
    let emitted = out.finish() - done;
    to.stats.input_primitives += emitted;
    to.stats.generated[0] += emitted;
}
