//! Tessellated draws: the control stage, the tessellator, and the evaluation stage.
//!
//! The first phase of a unit of such a draw ends with [`Patches`]: the output of the control stage, and the levels of
//! each patch that is not discarded. The levels tell the number of points. The patches are then divided into [`Piece`]s
//! of similar cost, which [`run_piece`] evaluates and bins, or passes through the geometry stage. If the geometry stage
//! amplifies a patch strongly, the patch is divided among several pieces. The division of domains is left to
//! [`super::tessellate`].

use std::iter;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use quadrille_jit::reserve::{carry, filled};

use super::bound::{FrontBoundState, FrontDrawContext};
use super::emitter::{Emitter, Place};
use super::geometry::{Before, run_geometry};
use super::job::{self, LeftOff};
use super::output::Output;
use super::scratch::{Scratch, with_tessellator};
use super::stages::{Geometry, LaterStages, Primitives, Tessellation as Stages};
use super::tessellate::{Levels, Tessellation};

use crate::bins::Chunk;
use crate::invoke::{PatchInput, PrimitiveInput, call_control, call_evaluation};
use crate::limits::{BATCH_POINTS, UNIT_VERTICES};
use crate::record::{RecordedDraws, Stats, Unfinished};

/// Patches of a unit after the control stage, without discarded ones.
#[derive(Default)]
pub(crate) struct Patches {
    parts: Vec<Part>,
    kept: Vec<Kept>,
}

/// Patches of part of a draw.
struct Part {
    draw: u32,
    /// Output of the control stage.
    words: Vec<u32>,
}

struct Kept {
    part: u32,
    /// Number of the patch in the part.
    patch: u32,
    /// PrimitiveId.
    id: u32,
    levels: Levels,
}

/// A piece of work.
#[derive(Clone)]
pub(crate) enum Piece {
    /// Some patches, by number.
    Whole(Range<usize>),
    /// Some primitives of a patch that the geometry stage amplifies strongly.
    Divided {
        patch: usize,
        primitives: Range<usize>,
        evaluated: Arc<OnceLock<Result<Evaluated, Unfinished>>>,
    },
}

/// Output of the evaluation stage for a divided patch; the first piece that needs it runs the stage.
pub(crate) struct Evaluated {
    records: Vec<u32>,
    /// Vertices of each primitive.
    list: Vec<u32>,
}

impl Patches {
    /// Runs the control stage for the patches listed in `s`. Fails if the stage did not complete.
    pub(super) fn control(
        &mut self,
        job: &mut FrontDrawContext<'_>,
        draw: u32,
        s: &mut Scratch,
        stats: &mut Stats,
    ) -> Result<(), Unfinished> {
        let state = &*job.record.state;
        let Some(t) = state.later.as_ref().and_then(|l| l.tessellation.as_ref()) else { return Ok(()) };
        let (count, stride) = (s.ids.len(), t.patch_stride());
        if count == 0 {
            return Ok(());
        }
        // One extra word: generated code may read a word behind the last patch.
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
            return Err(job.called(1));
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

    /// Divides the patches into pieces of similar cost, generated on demand because there may be very many.
    pub fn pieces<'a>(
        &'a self,
        rec: &'a RecordedDraws<'_, FrontBoundState>,
    ) -> impl Iterator<Item = Piece> + 'a {
        let (mut first, mut divided) = (0, None);
        iter::from_fn(move || {
            if let Some(piece) = divided.as_mut().and_then(Iterator::next) {
                return Some(piece);
            }
            let (mut end, mut cost) = (first, 0);
            while let Some(k) = self.kept.get(end) {
                let more = self.cost(rec, k);
                if end > first && cost + more > UNIT_VERTICES as usize {
                    break;
                }
                (end, cost) = (end + 1, cost + more);
            }
            let range = first..end;
            first = end;
            if let Some(step) = self.kept.get(range.clone()).and_then(|k| self.division(rec, k)) {
                divided = Some(self.divide(rec, range.start, step));
                return divided.as_mut().and_then(Iterator::next);
            }
            (!range.is_empty()).then_some(Piece::Whole(range))
        })
    }

    fn later<'a>(&self, rec: &'a RecordedDraws<'_, FrontBoundState>, k: &Kept) -> Option<&'a LaterStages> {
        let bind = rec.draws[self.parts[k.part as usize].draw as usize].bind;
        rec.binds[bind as usize].state.later.as_ref()
    }

    /// Cost of a patch, in vertices of a triangle list.
    fn cost(&self, rec: &RecordedDraws<'_, FrontBoundState>, k: &Kept) -> usize {
        let geometry = self.later(rec, k).and_then(|l| l.geometry.as_ref());
        k.levels.points() + k.levels.primitives() * cost_of_primitive(geometry)
    }

    /// Number of primitives per piece, if `kept` is a single patch that must be divided.
    fn division(&self, rec: &RecordedDraws<'_, FrontBoundState>, kept: &[Kept]) -> Option<usize> {
        let [k] = kept else { return None };
        let geometry = self.later(rec, k)?.geometry.as_ref()?;
        (self.cost(rec, k) > 2 * UNIT_VERTICES as usize)
            .then(|| (UNIT_VERTICES as usize / cost_of_primitive(Some(geometry))).max(1))
    }

    /// Divides a patch into pieces of `step` primitives each.
    fn divide<'a>(
        &self,
        rec: &RecordedDraws<'_, FrontBoundState>,
        patch: usize,
        step: usize,
    ) -> impl Iterator<Item = Piece> + use<'a> {
        let k = &self.kept[patch];
        let tessellation = self.later(rec, k).and_then(|l| l.tessellation.as_ref());
        let n = tessellation.map_or(0, |t| primitives_of(t, &k.levels));
        let evaluated = Arc::new(OnceLock::new());
        (0..n).step_by(step).map(move |first| Piece::Divided {
            patch,
            primitives: first..(first + step).min(n),
            evaluated: evaluated.clone(),
        })
    }
}

fn cost_of_primitive(geometry: Option<&Geometry>) -> usize {
    2 + 3 * geometry.map_or(0, |g| g.modes.emitted_at_most()) as usize / 2
}

/// Runs a piece into an empty chunk; see [`run_unit`](super::unit::run_unit).
pub(crate) fn run_piece(
    rec: &RecordedDraws<'_, FrontBoundState>,
    patches: &Patches,
    piece: &Piece,
    resume: Option<LeftOff>,
    chunk: &mut Chunk,
    stats: &mut Stats,
) -> Result<Option<LeftOff>, Unfinished> {
    job::run(resume, chunk, stats, |s, to| match piece {
        Piece::Whole(range) => run_whole(rec, patches, &patches.kept[range.clone()], s, to),
        Piece::Divided { patch, primitives, evaluated } => {
            let k = &patches.kept[*patch..=*patch];
            run_divided(rec, patches, k, primitives.clone(), evaluated, s, to)
        }
    })
}

/// Evaluates and bins patches, in batches of consecutive patches of one part.
fn run_whole(
    rec: &RecordedDraws<'_, FrontBoundState>,
    patches: &Patches,
    kept: &[Kept],
    s: &mut Scratch,
    to: &mut Output<'_>,
) -> Result<(), Unfinished> {
    let (mut job, mut first, mut batch) = (None, 0, 0);
    while first < kept.len() && !to.at.full {
        let part = kept[first].part;
        let (mut end, mut points) = (first, 0);
        while let Some(k) = kept.get(end).filter(|k| k.part == part) {
            if end > first && points + k.levels.points() > BATCH_POINTS {
                break;
            }
            points += k.levels.points();
            end += 1;
        }
        if batch >= to.at.parts {
            let part = &patches.parts[part as usize];
            let job = FrontDrawContext::of_draw(rec, part.draw, &mut job);
            run_batch(rec, job, part, &kept[first..end], s, to)?;
        }
        (first, batch) = (end, batch + 1);
    }
    Ok(())
}

/// Evaluates and bins a batch of patches.
fn run_batch(
    rec: &RecordedDraws<'_, FrontBoundState>,
    job: &mut FrontDrawContext<'_>,
    part: &Part,
    kept: &[Kept],
    s: &mut Scratch,
    to: &mut Output<'_>,
) -> Result<(), Unfinished> {
    let state = &*job.record.state;
    let Some(later) = &state.later else { return Ok(()) };
    let Some(t) = &later.tessellation else { return Ok(()) };
    let points: usize = kept.iter().map(|k| k.levels.points()).sum();
    let place = Place { rec, bound: job.record, draw: part.draw };
    let shaded = to.at.shaded;
    if !shaded {
        evaluate(rec, job, part, kept, s, to.stats)?;
        to.at.shaded = true;
    }
    let records = &s.evaluated.words()[..points * t.output_words as usize];
    if let Some(g) = &later.geometry {
        let before = Before { records, stride: t.output_words, per_primitive: t.output.vertices() };
        let lists = (&mut s.list, &mut s.ids);
        let scratch = (&mut s.emitted, &mut s.lane, &mut s.raster);
        run_geometry(rec, job, part.draw, g, &before, lists, scratch, to)?;
    } else {
        let raster = &mut s.raster;
        if !shaded {
            place.to_screen(records, points, &mut raster.screen);
        }
        let (done, last) = (to.at.primitives, state.desc.provoking_last);
        let mut out = Emitter::new(&place, records, raster, to);
        let per = t.output.vertices() as usize;
        for (v, &id) in s.list.chunks_exact(per).zip(&s.ids).skip(done as usize) {
            if out.is_full() {
                break;
            }
            out.next(t.output, [v[0], v[1 % per], v[2 % per]], last, id, true);
        }
        let emitted = out.finish() - done;
        to.stats.generated[0] += emitted;
    }
    to.at.ends_part();
    Ok(())
}

/// Passes some primitives of a patch through the geometry stage and bins the result.
fn run_divided(
    rec: &RecordedDraws<'_, FrontBoundState>,
    patches: &Patches,
    kept: &[Kept],
    primitives: Range<usize>,
    evaluated: &OnceLock<Result<Evaluated, Unfinished>>,
    s: &mut Scratch,
    to: &mut Output<'_>,
) -> Result<(), Unfinished> {
    let Some(k) = kept.first() else { return Ok(()) };
    let (part, mut job) = (&patches.parts[k.part as usize], None);
    let job = FrontDrawContext::of_draw(rec, part.draw, &mut job);
    let state = &*job.record.state;
    let Some(LaterStages { tessellation: Some(t), geometry: Some(g) }) = &state.later else {
        return Ok(());
    };
    let stats = &mut *to.stats;
    let evaluated = evaluated.get_or_init(|| {
        evaluate(rec, job, part, kept, s, stats)?;
        let records = &s.evaluated.words()[..k.levels.points() * t.output_words as usize];
        let mut e = Evaluated { records: carry(filled(0, records.len())), list: std::mem::take(&mut s.list) };
        e.records.copy_from_slice(records);
        Ok(e)
    });
    let evaluated = evaluated.as_ref().map_err(|&unfinished| unfinished)?;
    let per = t.output.vertices() as usize;
    if !to.at.shaded {
        s.list.clear();
        s.list.extend_from_slice(&evaluated.list[primitives.start * per..primitives.end * per]);
        s.ids.clear();
        s.ids.resize(primitives.len(), k.id);
        to.at.shaded = true;
    }
    let records = &evaluated.records[..];
    let before = Before { records, stride: t.output_words, per_primitive: t.output.vertices() };
    let lists = (&mut s.list, &mut s.ids);
    let scratch = (&mut s.emitted, &mut s.lane, &mut s.raster);
    run_geometry(rec, job, part.draw, g, &before, lists, scratch, to)
}

/// Number of primitives that the tessellator emits.
fn primitives_of(t: &Stages, levels: &Levels) -> usize {
    if t.output == Primitives::Points { levels.points() } else { levels.primitives() }
}

/// Runs the evaluation stage for some patches, and lists their primitives.
fn evaluate(
    rec: &RecordedDraws<'_, FrontBoundState>,
    job: &mut FrontDrawContext<'_>,
    part: &Part,
    kept: &[Kept],
    s: &mut Scratch,
    stats: &mut Stats,
) -> Result<(), Unfinished> {
    let state = &*job.record.state;
    let Some(t) = state.later.as_ref().and_then(|l| l.tessellation.as_ref()) else { return Ok(()) };
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
            return Err(job.not_called(2));
        }
        let domain = with_tessellator(|t| t.divide(&k.levels));
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
            return Err(job.called(2));
        }
        list_primitives(t, &domain, points as u32, &mut s.list);
        s.ids.resize(s.ids.len() + primitives_of(t, &k.levels), k.id);
        points += n;
    }
    stats.evaluation_invocations += points as u64;
    Ok(())
}

/// Appends the primitives of a patch whose points are records from `first` on.
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
