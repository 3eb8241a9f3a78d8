//! Tessellated draws: the control stage, the tessellator, and the evaluation stage.
//!
//! A unit of a draw ends with [`Patches`]: what the control stage has written, and the levels of each patch that
//! is left. How many points those make is known then, and the patches are cut anew into pieces of work of
//! about the same size, which [`run_patches`] takes to the bins, or through the geometry stage.

use std::ops::Range;
use std::sync::atomic::Ordering;

use quadrille_jit::reserve::{Room, carry, filled};

use super::bound::Bound;
use super::emitter::{Emitter, Place};
use super::geometry::{Batch, run_geometry};
use super::job::{BoundJob, CHUNK_ROOM, Progress, UnitOutput};
use super::scratch::{Scratch, with_scratch};
use super::stages::{Primitives, Tessellation as Stages};
use super::tessellate::{Levels, Tessellation};

use crate::bins::Chunk;
use crate::invoke::{PatchInput, PrimitiveInput, call_control, call_evaluation};
use crate::limits::{BATCH_POINTS, UNIT_VERTICES};
use crate::record::{Recorded, Stats};

/// Patches of a unit after the control stage, those that are discarded left out.
#[derive(Default)]
pub(crate) struct Patches {
    parts: Vec<Part>,
    kept: Vec<Kept>,
}

/// Patches of part of a draw.
struct Part {
    draw: u32,
    /// What the control stage has written.
    words: Vec<u32>,
}

struct Kept {
    part: u32,
    /// Its number in the part.
    patch: u32,
    /// PrimitiveId.
    id: u32,
    levels: Levels,
}

impl Patches {
    /// Runs the control stage for the patches that are listed in `s`. The name of the lane function is returned
    /// if it was stopped.
    pub(super) fn control(
        &mut self,
        job: &mut BoundJob<'_>,
        draw: u32,
        s: &mut Scratch,
        stats: &mut Stats,
    ) -> Result<(), String> {
        let state = &*job.record.state;
        let Some(t) = state.later.as_ref().and_then(|l| l.tessellation.as_ref()) else { return Ok(()) };
        let (count, stride) = (s.ids.len(), t.patch_stride());
        if count == 0 {
            return Ok(());
        }
        // Generated code may read a word behind the last patch.
        let mut words = carry(filled(0, count * stride as usize + 1));
        let input = PrimitiveInput {
            records: s.vertices.records(),
            stride: state.vertex_words,
            words: &t.control_words,
            vertices: &s.list,
            per_primitive: job.record.patch,
            ids: &s.ids,
        };
        let f = &job.record.stages[1];
        stats.control_patches += count as u64;
        if !call_control(f, &mut job.ctx, &input, count, &mut words, stride, &mut s.lane) {
            return Err(state.desc.stages[1].info.name.clone());
        }
        let part = self.parts.len() as u32;
        for (patch, &id) in s.ids.iter().enumerate() {
            let (outer, inner) = t.levels(&words[patch * stride as usize..]);
            if let Some(levels) = Levels::new(t.domain, t.spacing, outer, inner) {
                self.kept.push(Kept { part, patch: patch as u32, id, levels });
            }
        }
        self.parts.push(Part { draw, words });
        Ok(())
    }

    /// Ranges of patches that make about as much work each: one patch, or more.
    pub fn works<'a>(&'a self, rec: &'a Recorded<'_, Bound>) -> impl Iterator<Item = Range<u32>> + 'a {
        let mut next = 0;
        std::iter::from_fn(move || {
            let (first, mut cost) = (next, 0);
            while let Some(k) = self.kept.get(next as usize) {
                let bind = rec.draws[self.parts[k.part as usize].draw as usize].bind;
                let later = rec.binds[bind as usize].state.later.as_ref();
                let emitted =
                    later.and_then(|l| l.geometry.as_ref()).map_or(0, |g| g.modes.emitted_at_most());
                // As much as so many vertices of a list of triangles.
                let more = k.levels.points() + k.levels.primitives() * (2 + 3 * emitted / 2) as usize;
                if next > first && cost + more > UNIT_VERTICES as usize {
                    break;
                }
                cost += more;
                next += 1;
            }
            (first < next).then_some(first..next)
        })
    }
}

/// Takes some patches to an empty chunk, without their first `resume` primitives; as
/// [`run_unit`](super::unit::run_unit).
pub(crate) fn run_patches(
    rec: &Recorded<'_, Bound>,
    patches: &Patches,
    range: Range<u32>,
    resume: u64,
    chunk: &mut Chunk,
    stats: &mut Stats,
) -> Result<u64, String> {
    let mut to = UnitOutput { chunk, stats, at: Progress::from(resume) };
    let _room = carry(Room::quick(CHUNK_ROOM));
    let kept = &patches.kept[range.start as usize..range.end as usize];
    with_scratch(|s| {
        let (mut job, mut first) = (None, 0);
        while first < kept.len() && !to.at.full {
            // Patches of a draw, as many as make a batch.
            let part = kept[first].part;
            let (mut end, mut points) = (first, 0);
            while let Some(k) = kept.get(end).filter(|k| k.part == part) {
                if end > first && points + k.levels.points() > BATCH_POINTS {
                    break;
                }
                points += k.levels.points();
                end += 1;
            }
            let part = &patches.parts[part as usize];
            let job = BoundJob::of_draw(rec, part.draw, &mut job);
            run_batch(rec, job, part, &kept[first..end], s, &mut to)?;
            first = end;
        }
        Ok::<_, String>(())
    })?;
    Ok(to.at.left_off())
}

/// Takes patches to the bins at once.
fn run_batch(
    rec: &Recorded<'_, Bound>,
    job: &mut BoundJob<'_>,
    part: &Part,
    kept: &[Kept],
    s: &mut Scratch,
    to: &mut UnitOutput<'_>,
) -> Result<(), String> {
    let state = &*job.record.state;
    let Some(later) = &state.later else { return Ok(()) };
    let Some(t) = &later.tessellation else { return Ok(()) };
    let primitives: u64 = kept.iter().map(|k| primitives_of(t, &k.levels) as u64).sum();
    if to.at.primitives + primitives <= to.at.resume {
        to.at.primitives += primitives;
        return Ok(());
    }
    let may_run_again = !state.desc.stages[2].info.writes_memory;
    if to.at.leaves_off(to.chunk, may_run_again) {
        return Ok(());
    }
    let first_time = to.at.primitives >= to.at.resume;
    let points = evaluate(rec, job, part, kept, s)?;
    if first_time {
        to.stats.evaluation_invocations += points as u64;
    }
    let words = t.output_words as usize;
    let records = &s.evaluated.words()[..points * words];
    if let Some(g) = &later.geometry {
        let batch =
            Batch { records, stride: t.output_words, per_primitive: t.output.vertices(), may_run_again };
        let lists = (&mut s.list, &mut s.ids);
        let scratch = (&mut s.emitted, &mut s.lane, &mut s.raster);
        return run_geometry(rec, job, part.draw, g, &batch, lists, scratch, to);
    }

    let place = Place { rec, bound: job.record, draw: part.draw };
    let raster = &mut s.raster;
    place.to_screen(records, points, &mut raster.screen);
    let before = to.at.primitives;
    let last = state.desc.provoking_last;
    let mut out = Emitter::new(&place, records, &raster.screen, &mut raster.clipper, to.chunk, to.stats);
    let per = t.output.vertices() as usize;
    for (v, &id) in s.list.chunks_exact(per).zip(&s.ids) {
        if !to.at.takes(out.chunk, may_run_again) {
            continue;
        }
        out.stipple_at = 0.0;
        let v = [v[0], v[1 % per], v[2 % per]];
        out.primitive(t.output, v, last, id);
    }
    to.stats.generated[0] += to.at.taken_since(before);
    Ok(())
}

/// Number of primitives that the tessellator puts out.
fn primitives_of(t: &Stages, levels: &Levels) -> usize {
    if t.output == Primitives::Points { levels.points() } else { levels.primitives() }
}

/// Runs the evaluation stage for some patches, and lists their primitives; gives the number of points.
fn evaluate(
    rec: &Recorded<'_, Bound>,
    job: &mut BoundJob<'_>,
    part: &Part,
    kept: &[Kept],
    s: &mut Scratch,
) -> Result<usize, String> {
    let state = &*job.record.state;
    let Some(t) = state.later.as_ref().and_then(|l| l.tessellation.as_ref()) else { return Ok(0) };
    let f = &job.record.stages[2];
    let total: usize = kept.iter().map(|k| k.levels.points()).sum();
    let (words, stride) = (t.output_words as usize, t.patch_stride() as usize);
    let whole_group = f.meta().lanes as usize;
    let records = s.evaluated.room((total + whole_group) * words * 4);
    s.list.clear();
    s.ids.clear();
    let mut points = 0;
    for k in kept {
        if rec.stop.load(Ordering::Relaxed) != 0 {
            return Err(state.desc.stages[2].info.name.clone());
        }
        let domain = s.tessellator.divide(&k.levels);
        let at = k.patch as usize * stride;
        let input = PatchInput {
            patch: &part.words[at..=at + stride],
            patch_words: t.patch_words,
            vertex_words: t.vertex_words,
            vertices: t.output_vertices,
            words: &t.evaluation_words,
            words_of_patch: &t.evaluation_patch_words,
            id: k.id,
        };
        let (n, to) = (domain.n_points, &mut records[points * words..]);
        let coords = domain.points.each_ref().map(|c| &c[..]);
        if !call_evaluation(f, &mut job.ctx, &input, coords, n, to, &mut s.lane) {
            return Err(state.desc.stages[2].info.name.clone());
        }
        list_primitives(t, &domain, points as u32, &mut s.list);
        s.ids.resize(s.ids.len() + primitives_of(t, &k.levels), k.id);
        points += n;
    }
    Ok(points)
}

/// Adds the primitives of a patch whose points are records from `first` on.
fn list_primitives(t: &Stages, domain: &Tessellation, first: u32, list: &mut Vec<u32>) {
    match t.output {
        Primitives::Points => list.extend(first..first + domain.n_points as u32),
        Primitives::Triangles if t.reversed => {
            for v in domain.indices.chunks_exact(3) {
                list.extend([v[0], v[2], v[1]].map(|v| first + u32::from(v)));
            }
        }
        _ => list.extend(domain.indices.iter().map(|&v| first + u32::from(v))),
    }
}
