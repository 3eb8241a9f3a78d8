//! The geometry stage: takes primitives and emits strips, in batches of bounded size. Culling, clipping and binning are
//! left to [`super::emitter`].

use std::sync::atomic::Ordering;

use quadrille_jit::ir::MAX_STREAMS;

use super::bound::{FrontBoundState, FrontDrawContext};
use super::emitter::{Emitter, Place, RasterScratch, capture_primitive};
use super::output::Output;
use super::stages::{Geometry, Primitives};

use crate::invoke::{Emitted, EmittedStream, Lines, PrimitiveInput, call_geometry};
use crate::limits::{GEOMETRY_UNITS, GEOMETRY_WORDS};
use crate::record::{RecordedDraws, Unfinished};

/// Output of the previous stage.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub records: &'a [u32],
    /// Words per record.
    pub stride: u32,
    /// Vertices per primitive.
    pub per_primitive: u32,
}

/// Number of primitives per call; depends only on the stage.
fn at_once(g: &Geometry, lanes: u32) -> usize {
    let words = g.stream_words.iter().sum::<u32>().max(1) * g.modes.max_vertices.max(1);
    let units = (GEOMETRY_WORDS / words).clamp(lanes, GEOMETRY_UNITS);
    (units / g.modes.invocations.max(1)).max(1) as usize
}

/// Runs the geometry stage for listed primitives (their vertices, and PrimitiveId of each), and bins the emitted
/// primitives, starting where the work was suspended. Fails if the stage did not complete.
pub(super) fn run_geometry(
    rec: &RecordedDraws<'_, FrontBoundState>,
    job: &mut FrontDrawContext<'_>,
    draw: u32,
    g: &Geometry,
    before: &Before<'_>,
    (list, ids): (&mut Vec<u32>, &mut Vec<u32>),
    (emitted, lane, raster): (&mut Emitted, &mut Lines, &mut RasterScratch),
    to: &mut Output<'_>,
) -> Result<(), Unfinished> {
    let Some(f) = job.record.stages.last() else { return Ok(()) };
    let lanes = f.meta().lanes as usize;
    let (per, rasterized) = (before.per_primitive as usize, job.record.state.stream);
    // The lists are restored at the end, since suspended work needs them again.
    let n = ids.len();
    // Padding for whole lane groups: lanes past the last primitive read the first record.
    list.resize((n + lanes) * per, 0);
    ids.resize(n + lanes, 0);
    let step = at_once(g, lanes as u32);
    while to.at.inputs < n {
        let first = to.at.inputs;
        let count = step.min(n - first);
        let units = count * g.modes.invocations as usize;
        let place = Place { rec, bound: job.record, draw };
        if !to.at.emitted {
            // Captured words of other streams fill the chunk too.
            if to.at.leaves_off(to.chunk) {
                break;
            }
            if rec.stop.load(Ordering::Relaxed) != 0 {
                return Err(job.not_called(job.last()));
            }
            let end = first + count + lanes;
            let input = PrimitiveInput {
                records: before.records,
                stride: before.stride,
                words: &g.words,
                vertices: &list[first * per..end * per],
                per_primitive: before.per_primitive,
                ids: &ids[first..end],
            };
            if !call_geometry(f, &mut job.ctx, &input, count, emitted, lane) {
                return Err(job.called(job.last()));
            }
            to.at.emitted = true;
            to.stats.geometry_invocations += units as u64;
            for stream in (0..MAX_STREAMS as u32).filter(|&s| s != rasterized) {
                other_stream(&place, g, emitted.stream(stream as usize), stream, units, to);
            }
            to_screen(&place, g, emitted.stream(rasterized as usize), units, raster);
        }
        let from = emitted.stream(rasterized as usize);
        strips(&place, g, from, &ids[first..first + count], raster, to);
        if to.at.full {
            break;
        }
        to.at.next_inputs(count);
    }
    list.truncate(n * per);
    ids.truncate(n);
    Ok(())
}

/// Transforms the vertices that units have emitted on the rasterized stream to the first viewport.
fn to_screen(
    place: &Place<'_>,
    g: &Geometry,
    from: EmittedStream<'_>,
    units: usize,
    raster: &mut RasterScratch,
) {
    if place.discards() {
        return;
    }
    let (words, max) = (place.bound.state.record.words as usize, g.modes.max_vertices as usize);
    if raster.screen.len() < units * max {
        raster.screen.resize(units * max, Default::default());
    }
    for (u, &count) in from.counts[..units].iter().enumerate() {
        for v in u * max..u * max + count as usize {
            raster.screen[v] = place.screen(&from.records[v * words..(v + 1) * words]);
        }
    }
}

/// Bins the primitives that invocations have emitted on the rasterized stream. `ids` are the PrimitiveIds of the input
/// primitives.
fn strips(
    place: &Place<'_>,
    g: &Geometry,
    from: EmittedStream<'_>,
    ids: &[u32],
    raster: &mut RasterScratch,
    to: &mut Output<'_>,
) {
    let state = &*place.bound.state;
    let (words, max, invocations) =
        (state.record.words as usize, g.modes.max_vertices as usize, g.modes.invocations as usize);
    let last = state.desc.provoking_last;
    let done = to.at.primitives;
    let mut out = Emitter::new(place, from.records, raster, to);
    let mut passed = 0;
    for (u, &count) in from.counts[..ids.len() * invocations].iter().enumerate() {
        let id = ids[u / invocations];
        let cuts = &from.cuts[u * max.div_ceil(32)..];
        for_primitives(g.output, last, count, cuts, |v, fresh| {
            if passed < done {
                passed += 1;
                return;
            }
            let v = v.map(|k| (u * max) as u32 + k);
            let provoking = v[usize::from(last && g.output == Primitives::Lines)] as usize;
            let id = state.record.primitive_id.map_or(id, |w| from.records[provoking * words + w as usize]);
            out.next(g.output, v, last, id, fresh);
        });
    }
    let emitted = out.finish() - done;
    to.stats.geometry_primitives += emitted;
    to.stats.generated[state.stream as usize] += emitted;
}

/// Counts and captures the primitives that units have emitted on a stream that is not rasterized.
fn other_stream(
    place: &Place<'_>,
    g: &Geometry,
    from: EmittedStream<'_>,
    stream: u32,
    units: usize,
    to: &mut Output<'_>,
) {
    let (max, words) = (g.modes.max_vertices as usize, g.stream_words[stream as usize] as usize);
    let (last, bind) = (place.bound.state.desc.provoking_last, place.rec.draws[place.draw as usize].bind);
    let mut primitives = 0;
    for (u, &count) in from.counts[..units].iter().enumerate().filter(|(_, count)| **count != 0) {
        let cuts = &from.cuts[u * max.div_ceil(32)..];
        for_primitives(g.output, last, count, cuts, |v, _| {
            primitives += 1;
            if let Some(capture) = place.capture() {
                let v = v.map(|k| (u * max) as u32 + k);
                let records = (from.records, words);
                capture_primitive(capture, to.chunk, (bind, stream), records, g.output, v, last);
            }
        });
    }
    to.stats.geometry_primitives += primitives;
    to.stats.generated[stream as usize] += primitives;
}

/// Calls `f` with the primitives of `count` emitted vertices, the provoking vertex of a triangle first. Strips begin at
/// vertices whose bit in `cuts` is set. The flag passed to `f` is true for the first primitive of a strip.
fn for_primitives(
    output: Primitives,
    last: bool,
    count: u32,
    cuts: &[u32],
    mut f: impl FnMut([u32; 3], bool),
) {
    let mut start = 0;
    for k in 0..count {
        if cuts[k as usize / 32] >> (k % 32) & 1 != 0 {
            start = k;
        }
        let n = k - start;
        match output {
            Primitives::Points => f([k; 3], true),
            Primitives::Lines if n >= 1 => f([k - 1, k, k - 1], n == 1),
            Primitives::Triangles if n >= 2 => {
                let [x, y, z] = [k - 2, k - 1, k];
                let v = match (last, n % 2 == 1) {
                    (false, false) => [x, y, z],
                    (false, true) => [x, z, y],
                    (true, false) => [z, x, y],
                    (true, true) => [z, y, x],
                };
                f(v, n == 2);
            }
            _ => {}
        }
    }
}
