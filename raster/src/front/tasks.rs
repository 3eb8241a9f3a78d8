//! Draws with a task stage, which determines the number of mesh workgroups.
//!
//! The first phase of a unit of such a draw ends with [`Tasks`]: the payload of each task workgroup, and the number of
//! mesh workgroups it requests. The mesh workgroups are divided into pieces of similar cost, which [`run_tasks`] runs
//! and bins. The pieces are generated on demand, because there may be billions. Running the mesh stage is left to
//! [`super::mesh`].

use std::ops::Range;
use std::sync::atomic::Ordering;

use quadrille_jit::reserve::{carry, more_room};

use super::bound::{FrontBoundState, FrontDrawContext};
use super::job::{self, LeftOff};
use super::mesh::{Source, run_groups};
use super::scratch::Scratch;
use crate::bins::Chunk;
use crate::invoke::{Lines, call_task};
use crate::limits::UNIT_VERTICES;
use crate::record::{RecordedDraws, Stats, Unfinished, total_groups};

/// Task workgroups of a unit that have run, without those that request no mesh workgroups.
#[derive(Default)]
pub(crate) struct Tasks {
    runs: Vec<Run>,
    kept: Vec<Task>,
}

/// Task workgroups of part of a draw.
struct Run {
    draw: u32,
    payloads: Lines,
    /// Words per payload.
    stride: usize,
}

struct Task {
    run: u32,
    /// Number of the workgroup in the run.
    at: u32,
    /// Requested mesh workgroups in x, y and z.
    counts: [u32; 3],
    /// Total number of requested mesh workgroups, at least one.
    total: u32,
}

/// A mesh workgroup: the number of its task workgroup, and its own number there.
pub(crate) type GroupAt = (u32, u32);

impl Tasks {
    /// Runs task workgroups of a draw. Fails if the stage did not complete.
    pub(super) fn run(
        &mut self,
        rec: &RecordedDraws<'_, FrontBoundState>,
        job: &mut FrontDrawContext<'_>,
        draw: u32,
        groups: &Range<u32>,
        s: &mut Scratch,
        stats: &mut Stats,
    ) -> Result<(), Unfinished> {
        let state = &*job.record.state;
        let (Some(mesh), Some(f)) = (&state.mesh, job.record.stages.first()) else { return Ok(()) };
        let (count, stride) = (groups.len(), job.record.payload_stride());
        if count == 0 {
            return Ok(());
        }
        let mut payloads = Lines::default();
        let words = payloads.room(count * stride as usize);
        words.fill(0);
        s.list.clear();
        s.list.resize(3 * count, 0);
        job.ctx.num_workgroups = rec.draws[draw as usize].groups;
        if rec.stop.load(Ordering::Relaxed) != 0 {
            return Err(job.not_called(0));
        }
        if !call_task(f, &mut job.ctx, groups.start, count as u32, (words, stride), &mut s.list) {
            return Err(job.called(0));
        }
        stats.task_invocations += count as u64 * u64::from(mesh.invocations[0]);
        let run = self.runs.len() as u32;
        carry(more_room(&mut self.kept, count));
        for (at, counts) in (0..).zip(s.list.as_chunks::<3>().0) {
            let total = total_groups(*counts);
            if total > 0 {
                self.kept.push(Task { run, at, counts: *counts, total });
            }
        }
        self.runs.push(Run { draw, payloads, stride: stride as usize / 4 });
        Ok(())
    }

    /// Divides the mesh workgroups into ranges of similar cost, generated on demand.
    pub fn works<'a>(
        &'a self,
        rec: &'a RecordedDraws<'_, FrontBoundState>,
    ) -> impl Iterator<Item = Range<GroupAt>> + 'a {
        let weight = |t: &Task| {
            let bind = rec.draws[self.runs[t.run as usize].draw as usize].bind;
            rec.binds[bind as usize].state.mesh.as_ref().map_or(1, |m| m.weight())
        };
        let mut next: GroupAt = (0, 0);
        std::iter::from_fn(move || {
            let (first, mut cost) = (next, 0);
            while let Some(t) = self.kept.get(next.0 as usize).filter(|_| cost < UNIT_VERTICES) {
                let weight = weight(t);
                let n = (UNIT_VERTICES - cost).div_ceil(weight).min(t.total - next.1);
                cost += n * weight;
                next = if next.1 + n < t.total { (next.0, next.1 + n) } else { (next.0 + 1, 0) };
            }
            (first < next).then_some(first..next)
        })
    }
}

/// Runs mesh workgroups of some task workgroups into an empty chunk; see [`run_unit`](super::unit::run_unit).
pub(crate) fn run_tasks(
    rec: &RecordedDraws<'_, FrontBoundState>,
    tasks: &Tasks,
    range: Range<GroupAt>,
    resume: Option<LeftOff>,
    chunk: &mut Chunk,
    stats: &mut Stats,
) -> Result<Option<LeftOff>, Unfinished> {
    job::run(resume, chunk, stats, |s, to| {
        let mut job = None;
        let numbered = (range.start.0..=range.end.0).zip(&tasks.kept[range.start.0 as usize..]);
        for (number, task) in numbered.skip(to.at.parts) {
            let first = if number == range.start.0 { range.start.1 } else { 0 };
            let end = if number == range.end.0 { range.end.1 } else { task.total };
            let run = &tasks.runs[task.run as usize];
            let payload = &run.payloads.words()[task.at as usize * run.stride..][..run.stride];
            let source = Source { draw: run.draw, counts: task.counts, payload };
            let job = FrontDrawContext::of_draw(rec, run.draw, &mut job);
            run_groups(rec, job, &source, first..end, (&mut s.meshes, &mut s.raster), to)?;
            if !to.at.ends_part() {
                break;
            }
        }
        Ok(())
    })
}
