//! Renders a tile: its primitives in API order, from coverage to merge. Coverage is left to [`super::coverage`], tests
//! and blending to [`super::merge`].

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::Ordering;

use quadrille_jit::abi::{Ctx, Plane, Stamp};
use quadrille_jit::call::LaneFn;
use smallvec::SmallVec;

use super::attachment::{LoadOp, PassDesc};
use super::bound::TileBoundState;
use super::coverage::cover;
use super::fragments::Coarse;
use super::lines::{Stippled, smooth};
use super::merge::count_lanes;
use super::merge::kernel::{Args, Kernels};
use super::merge::scalar;
use super::missing::{Holes, each_there};
use super::packing::Packed;
use super::rates::Rates;
use super::sample_run::{SampleScratch, alpha_samples, lanes_where};
use super::state::TileState;
use super::views::{Views, depth_origin, depth_range};
use super::waiting::Deferred;
use crate::activity::Activity;
use crate::bins::{Chunk, Command, Outline, Prim, Shape, StampShape, intersect, kind};
use crate::invoke::{Lines, call_fragment};
use crate::limits::{MAX_RUN_STAMPS, TILE_PX};
use crate::record::{RecordedDraws, ShaderAt, Stats, Unfinished};

/// Per-thread memory for rendering tiles.
#[derive(Default)]
pub(crate) struct Scratch {
    pub stamps: Vec<Stamp>,
    /// All stamps of a tile, fully covered.
    pub whole: Vec<Stamp>,
    pub masks: Vec<u32>,
    pub output: Lines,
    pub lanes: Lines,
    /// Copies of attachments: for each sample, colours, depth and stencil.
    copies: Vec<Lines>,
    pub sample: SampleScratch,
    pub coarse: Coarse,
    pub deferred: Deferred,
    pub packed: Packed,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Renders a tile. Fails if a shader did not complete.
pub(crate) fn run_tile(
    rec: &RecordedDraws<'_, TileBoundState>,
    desc: &PassDesc,
    chunks: &[&Chunk],
    tile: usize,
    clear: bool,
    stats: &mut Stats,
) -> Result<(), Unfinished> {
    let (layer, at) = rec.grid.place(tile);
    let t = TILE_PX as i32;
    let rect = intersect(rec.area, [at[0], at[1], at[0] + t, at[1] + t]);
    let hidden = hidden(rec, desc, chunks, tile);
    if clear && hidden == 0 {
        clear_tile(desc, layer, rect);
    }
    let holes = Holes::new(desc, layer, rect);
    let _activity = Activity::Tiles.begin();
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.stamps.reserve(MAX_RUN_STAMPS);
        scratch.masks.resize(MAX_RUN_STAMPS, 0);
        let views = Views::new(desc, rec.samples, layer, at, rect, &mut scratch.copies, &holes);
        let (samples, views) = (rec.samples, &views);
        let mut t = TileRun {
            rec,
            desc,
            chunks,
            at,
            samples,
            views,
            scratch,
            stats,
            shaded: 0,
            asked: None,
            stopped: None,
            maps_cells: false,
        };
        t.scratch.stamps.clear();
        t.scratch.deferred.clear();
        t.scratch.packed.clear();
        let (mut result, mut job) = (Ok(()), None);
        let mut number = 0;
        for (i, chunk) in chunks.iter().enumerate() {
            if let Some(later) = chunks.get(i + 1) {
                later.first_near(tile);
            }
            chunk.for_tile_near(tile, |c| {
                number += 1;
                if number <= hidden {
                    t.count_hidden(i, c);
                } else if result.is_ok() {
                    result = t.command(&mut job, i, c);
                    if !holes.is_empty() {
                        result = std::mem::replace(&mut result, Ok(())).and_then(|()| t.finish(&mut job));
                        views.clear(&holes);
                    }
                }
            });
        }
        if result.is_ok() {
            result = t.finish(&mut job);
        }
        let stopped = t.stopped;
        t.stats.tiles += u64::from(number > 0);
        views.finish();
        result.and_then(|()| stopped.map_or(Ok(()), Err))
    })
}

/// Returns the number of leading commands of a tile without visible effect: a later command overwrites every texel of
/// all attachments without reading any, and the leading commands have no other effect.
fn hidden(rec: &RecordedDraws<'_, TileBoundState>, desc: &PassDesc, chunks: &[&Chunk], tile: usize) -> usize {
    if desc.depth.is_some() || desc.stencil.is_some() || rec.samples > 1 {
        return 0;
    }
    // Most tiles have no full command, and the lists are faster to scan than the primitives.
    let mut covered = false;
    chunks.iter().for_each(|chunk| chunk.for_tile(tile, |c| covered |= c.full()));
    if !covered {
        return 0;
    }
    let (mut hidden, mut number, mut may_hide) = (0, 0, true);
    for chunk in chunks {
        chunk.for_tile(tile, |c| {
            let bind = &rec.binds[rec.draws[chunk.prims[c.prim()].draw as usize].bind as usize];
            if may_hide && c.full() && bind.replaces(&desc.colors) {
                hidden = number;
            }
            // Large fragments are counted as they are shaded.
            may_hide &= !bind.acts() && bind.rates.is_none();
            number += 1;
        });
    }
    hidden
}

/// Clears the part of a layer's attachments inside a tile, or expands it from a single-sampled target.
pub(crate) fn clear_tile(desc: &PassDesc, layer: u32, rect: [i32; 4]) {
    let _activity = Activity::Attachments.begin();
    let rect = rect.map(|v| v.max(0) as u32);
    for (number, a) in desc.numbered() {
        match (&a.expand, a.load) {
            (Some(from), _) => a.target.expand(from, layer, rect),
            (None, LoadOp::Clear(value)) => {
                let texel = a.target.format().pack_clear(value);
                each_there(desc, number, layer, rect, |rect| a.target.fill(layer, rect, &texel));
            }
            (None, LoadOp::Load | LoadOp::DontCare) => {}
        }
    }
}

/// Shader context and kernel arguments of a draw in a tile. They are made anew only if the bound state changes.
pub(crate) struct TileDrawContext<'a> {
    bind: u32,
    draw: u32,
    pub record: &'a TileBoundState,
    pub state: &'a TileState,
    pub kernels: Option<&'a Kernels>,
    /// Kernel arguments for each sample, apart from those that depend on the primitive.
    pub args: SmallVec<[Args; 1]>,
    pub ctx: Ctx,
    /// `true` if shaded stamps may be merged together with later ones, because the merge needs nothing but the outputs
    /// of the fragment stage.
    gathers: bool,
    /// The fragment stage compiled for packed groups, if stamps may be shaded in them.
    pub packed: Option<&'a LaneFn>,
    /// Number of fragment stage runs and of their stamps' pixels that are not yet added to the footprint.
    pub runs: [u32; 2],
}

impl Drop for TileDrawContext<'_> {
    fn drop(&mut self) {
        let [runs, pixels] = self.runs;
        if let Some(footprint) = self.record.footprint.as_ref().filter(|_| runs > 0) {
            footprint.note(runs, pixels);
        }
    }
}

impl TileDrawContext<'_> {
    /// The fragment stage, after its lane function returned early.
    pub fn called(&self) -> Unfinished {
        Unfinished::called(self.bind, ShaderAt::Fragment)
    }

    /// Updates the kernel arguments of a sample, at `position` in the pixel, for a primitive.
    #[inline]
    pub fn aim(&mut self, prim: &Prim, sample: usize, position: [f32; 2]) -> &mut Args {
        let args = &mut self.args[sample];
        args.z = prim.fragment.z;
        args.origin = depth_origin(prim, position);
        if !self.record.depth_ranges.is_empty() {
            args.depth_range = depth_range(self.record, prim);
        }
        if self.state.merge.stencil.is_some() {
            args.face(&self.record.stencil[usize::from(prim.back())]);
        }
        args
    }

    /// Adds samples that passed to the occlusion counter. It is called both before the fragment stage (`early`) and after
    /// it, and counts once: see [`TileState::counts_early`].
    #[inline]
    pub fn count(&self, early: bool, passed: impl FnOnce() -> u32) {
        if let Some(counter) = &self.record.occlusion
            && early == self.state.counts_early
        {
            counter.fetch_add(u64::from(passed()), Ordering::Relaxed);
        }
    }
}

/// A primitive with its outline and planes.
pub(crate) struct Primitive<'c> {
    pub prim: &'c Prim,
    pub outline: Option<&'c Outline>,
    /// Planes of the inputs.
    pub planes: &'c [Plane],
    /// Additional planes of lines.
    pub extra: &'c [Plane],
}

pub(crate) struct TileRun<'a> {
    pub rec: &'a RecordedDraws<'a, TileBoundState>,
    pub desc: &'a PassDesc,
    pub chunks: &'a [&'a Chunk],
    pub at: [i32; 2],
    pub samples: u32,
    pub views: &'a Views,
    pub scratch: &'a mut Scratch,
    pub stats: &'a mut Stats,
    /// Number of gathered stamps that are shaded but not merged.
    shaded: usize,
    /// Bind for which `defers` last checked whether shading may be deferred, and the result.
    pub asked: Option<(u32, bool)>,
    /// The fragment stage that returned early from a packed group, if any did.
    pub stopped: Option<Unfinished>,
    /// `true` if the cells have the fragment sizes that the density map sets in the tile.
    pub maps_cells: bool,
}

/// Calls `emit` with the stamps that a primitive covers in the tile at `at`.
#[inline]
pub(super) fn stamps_of(
    p: &Primitive<'_>,
    at: [i32; 2],
    bind: &TileBoundState,
    emit: &mut impl FnMut(Stamp),
) {
    let shape = bind.shape;
    match (&p.prim.shape, p.outline) {
        (Shape::Block(b), _) => b.stamps(at, emit),
        (_, Some(outline)) => match Stippled::of(outline, p.prim, p.extra, bind.line_stipple, shape) {
            None if outline.kind & kind::DISCARDS == 0 => cover(outline, at, [0; 2], shape, emit),
            line => cover(outline, at, [0; 2], shape, &mut |mut s| {
                line.iter().for_each(|line| line.keep(&mut s, [0; 2]));
                bind.discards.iter().for_each(|d| s.mask &= d.kept([s.x, s.y], shape));
                if s.mask != 0 {
                    emit(s);
                }
            }),
        },
        _ => {}
    }
}

impl<'a> TileRun<'a> {
    /// Returns a primitive of a chunk with its outline and planes.
    pub(super) fn primitive(&self, chunk: usize, number: usize) -> Primitive<'a> {
        let chunk = self.chunks[chunk];
        let prim = &chunk.prims[number];
        let record = &self.rec.binds[self.rec.draws[prim.draw as usize].bind as usize];
        let (planes, extra) = chunk.planes_of(prim, record.n_planes);
        Primitive { prim, outline: chunk.outline(prim), planes, extra }
    }

    /// Sets `job` to that of a draw.
    pub(super) fn bind(&mut self, job: &mut Option<TileDrawContext<'a>>, draw: u32) {
        let d = &self.rec.draws[draw as usize];
        if job.as_ref().is_none_or(|j| j.bind != d.bind) {
            if let Some(job) = job {
                self.merge_shaded(job);
            }
            let record = &self.rec.binds[d.bind as usize];
            let state = &*record.state;
            // Kernels require memory for every attachment that the state merges into.
            let attached = self.views.attached(&state.merge);
            let fits = |k: &&Kernels| attached && k.several() == (self.samples > 1);
            let kernels = state.kernels(record.lanes).filter(fits);
            let late = state.late_tests();
            let gathers =
                kernels.is_some() && state.shades && !late.test && !late.write && !record.reads_in_order();
            let packs = gathers && self.samples == 1 && state.coverage_alpha.is_none();
            *job = Some(TileDrawContext {
                bind: d.bind,
                draw,
                record,
                state,
                kernels,
                args: self.views.args(record, self.at),
                ctx: Ctx { frag_invocations: self.invocations(state), ..self.rec.ctx(d) },
                runs: [0; 2],
                gathers,
                packed: record.packed.as_ref().filter(|_| packs),
            });
        }
        if let Some(j) = job {
            if j.draw != draw {
                self.shade_packed(j);
            }
            j.draw = draw;
            j.ctx.push = self.rec.pushes[d.push as usize].as_ptr();
            let zero = j.state.desc.view_index_is_zero[1];
            j.ctx.view_index = if zero { 0 } else { d.draw.view_index };
        }
    }

    /// Number of invocations of a fragment.
    fn invocations(&self, state: &TileState) -> u32 {
        if state.per_sample { self.samples } else { 1 }
    }

    fn command(
        &mut self,
        job: &mut Option<TileDrawContext<'a>>,
        chunk: usize,
        c: Command,
    ) -> Result<(), Unfinished> {
        let prim = &self.chunks[chunk].prims[c.prim()];
        let record = &self.rec.binds[self.rec.draws[prim.draw as usize].bind as usize];
        let state = &record.state;
        if state.masked_out() && !state.masks_after_tests() {
            return Ok(());
        }
        if self.rec.stop.load(Ordering::Relaxed) != 0 {
            let bind = self.rec.draws[prim.draw as usize].bind;
            let shades = state.desc.fragment.is_some();
            let next = if shades { ShaderAt::Fragment } else { ShaderAt::PreRaster(0) };
            return Err(Unfinished::not_called(bind, next));
        }
        // Small primitives rarely hide whole stamps. They are deferred only behind other deferred primitives, or if
        // packed quads could be hidden.
        let none_waits = self.scratch.deferred.is_empty();
        let alone = none_waits && record.packed.is_none();
        if !(alone && matches!(prim.shape, Shape::Block(_))) && self.defers(prim.draw) {
            return self.defer(job, chunk, c);
        }
        if !none_waits {
            self.shade_deferred(job)?;
        }
        if job.as_ref().is_none_or(|j| j.draw != prim.draw) {
            self.bind(job, prim.draw);
        }
        let Some(job) = job else { return Ok(()) };
        if record.reads_in_order() {
            // The fragment stage reads attachments from memory.
            self.merge_shaded(job);
            self.views.finish();
        }
        let p = self.primitive(chunk, c.prim());
        if let Some(rates) = record.rates.as_ref().filter(|r| r.coarse(p.planes)) {
            self.merge_shaded(job);
            return match rates {
                Rates::Shading(rates) => self.command_coarse(job, &p, c.full(), rates),
                Rates::Density => self.command_density(job, &p, c.full()),
            };
        }
        if self.samples > 1 {
            return self.command_samples(job, &p, c.full());
        }
        if c.full() {
            self.merge_shaded(job);
            return self.whole_tile(job, &p);
        }
        self.gather(job, &p)
    }

    /// Shades and merges all waiting stamps.
    fn finish(&mut self, job: &mut Option<TileDrawContext<'a>>) -> Result<(), Unfinished> {
        self.shade_deferred(job)?;
        if let Some(job) = job {
            self.merge_shaded(job);
        }
        Ok(())
    }

    /// Shades the stamps of a primitive, in runs that may start with stamps of earlier primitives.
    fn gather(&mut self, job: &mut TileDrawContext<'a>, p: &Primitive<'_>) -> Result<(), Unfinished> {
        let mut result = Ok(());
        let mut covered = 0;
        let (at, record) = (self.at, job.record);
        let mut emit = |s: Stamp| {
            if self.scratch.stamps.len() == MAX_RUN_STAMPS {
                if result.is_ok() && self.shaded < MAX_RUN_STAMPS {
                    result = self.shade(job, p, None, covered);
                }
                self.merge_shaded(job);
                covered = 0;
            }
            self.scratch.stamps.push(s);
            covered += s.mask.count_ones();
        };
        stamps_of(p, at, record, &mut emit);
        if self.scratch.stamps.len() > self.shaded && result.is_ok() {
            result = self.shade(job, p, None, covered);
        }
        if !job.gathers {
            self.merge_shaded(job);
        }
        result
    }

    /// Shades a primitive that covers the whole tile. Its stamps are reused for the next such primitive.
    fn whole_tile(&mut self, job: &mut TileDrawContext<'a>, p: &Primitive<'_>) -> Result<(), Unfinished> {
        let whole = self.take_whole(job.record.shape);
        let lanes = job.record.shape.full.count_ones();
        let mut result = Ok(());
        for run in whole.chunks(MAX_RUN_STAMPS) {
            result = self.shade(job, p, Some(run), run.len() as u32 * lanes);
            self.merge_shaded(job);
            if result.is_err() {
                break;
            }
        }
        self.scratch.whole = whole;
        result
    }

    /// Like [`Self::whole_tile`], without tests and counters.
    pub(super) fn shade_whole(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        whole: &[Stamp],
    ) -> Result<(), Unfinished> {
        self.merge_shaded(job);
        whole.chunks(MAX_RUN_STAMPS).try_for_each(|run| self.run(job, p, Some(run)))
    }

    /// Returns all stamps of the tile; the caller must return them to `Scratch::whole`.
    pub(super) fn take_whole(&mut self, shape: &StampShape) -> Vec<Stamp> {
        let mut whole = std::mem::take(&mut self.scratch.whole);
        let t = TILE_PX as i32;
        match whole.first().copied() {
            // Stamps of another tile are moved. A different mask indicates another stamp shape.
            Some(first) if first.mask == shape.full => {
                let [dx, dy] = [self.at[0] - first.x, self.at[1] - first.y];
                for s in &mut whole {
                    (s.x, s.y) = (s.x + dx, s.y + dy);
                }
            }
            _ => {
                whole.clear();
                for y in (0..t).step_by(shape.h as usize) {
                    let row = (0..t).step_by(shape.w as usize);
                    let stamp = |x| Stamp { x: self.at[0] + x, y: self.at[1] + y, mask: shape.full };
                    whole.extend(row.map(stamp));
                }
            }
        }
        whole
    }

    /// Runs early tests and the fragment stage on a run of stamps of one primitive: `given`, or else the gathered
    /// stamps that are not shaded yet, which cover `covered` pixels. Stamps in `given`, and those that cannot wait, are
    /// merged too.
    fn shade(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        given: Option<&[Stamp]>,
        mut covered: u32,
    ) -> Result<(), Unfinished> {
        let gathered = &mut self.scratch.stamps;
        let (state, m) = (job.state, &job.state.merge);
        let first = self.shaded;
        let mut whole = given;
        if let Some(write) = state.early_tests() {
            if let Some(given) = whole.take() {
                gathered.extend_from_slice(given);
            }
            match job.kernels {
                Some(k) => k.early(job.aim(p.prim, 0, [0.5; 2]), p.prim.back(), gathered, first),
                None => {
                    let run = self.views.run(job.record, p.prim, 0, [0.5; 2]);
                    scalar::early_tests(m, &run, &mut gathered[first..], write);
                    gathered.retain(|s| s.mask != 0);
                }
            }
            covered = count_lanes(gathered[first..].iter().map(|s| s.mask), job.record.shape.full);
        }
        if state.masked_out() {
            // The tests came before the sample mask.
            gathered.truncate(first);
            return Ok(());
        }
        job.count(true, || covered);
        if !state.shades || job.record.fragment.is_none() || state.desc.fragment.is_none() {
            gathered.clear();
            return Ok(());
        }
        if whole.is_none() && gathered.len() == first {
            return Ok(());
        }
        self.stats.fragment_invocations += u64::from(covered);
        self.run(job, p, whole)
    }

    /// Runs the fragment stage on a run of stamps of one primitive: `whole`, or else the gathered stamps that are not
    /// shaded yet. Stamps in `whole`, and those that cannot wait, are merged too.
    pub(super) fn run(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        whole: Option<&[Stamp]>,
    ) -> Result<(), Unfinished> {
        let Scratch { stamps: gathered, masks, output, lanes, .. } = &mut *self.scratch;
        let (state, m) = (job.state, &job.state.merge);
        let (Some(f), true) = (&job.record.fragment, state.desc.fragment.is_some()) else { return Ok(()) };
        let (s, full, first) = (job.record.lanes, job.record.shape.full, self.shaded);
        let stamps = whole.unwrap_or(gathered);
        let n = stamps.len();
        job.runs[0] += 1;
        job.runs[1] += (n - first) as u32 * s;
        if whole.is_none() && job.packed(p) {
            self.pack(job, p, first);
            self.shaded = n;
            return Ok(());
        }
        let out = output.room(MAX_RUN_STAMPS * (m.words * s) as usize * 4);
        let fragment = &p.prim.fragment;
        if !call_fragment(f, &mut job.ctx, fragment, p.planes, stamps, first, out, masks, lanes) {
            return Err(job.called());
        }
        if let Some(w) = state.coverage_alpha {
            mask_by_alpha(masks, first..n, out, m.words, w, s);
        }
        if let Some(outline) = p.outline.filter(|o| o.kind & kind::SMOOTH != 0) {
            smooth(outline, p.prim, p.extra, m, s, stamps, first, out);
        }
        if whole.is_none() && job.gathers {
            self.shaded = n;
            return Ok(());
        }
        match job.kernels {
            Some(k) => {
                let back = p.prim.back();
                job.aim(p.prim, 0, [0.5; 2]);
                k.late(&mut job.args, back, stamps, &mut [&mut masks[..n]], out, (m.words, s));
            }
            None => {
                let run = self.views.run(job.record, p.prim, 0, [0.5; 2]);
                scalar::merge(m, &run, stamps, &mut masks[..n], out, state.late_tests());
            }
        }
        job.count(false, || count_lanes(masks[..n].iter().copied(), full));
        gathered.clear();
        Ok(())
    }

    /// Merges the stamps that wait for it, and empties the gathered run.
    pub(super) fn merge_shaded(&mut self, job: &mut TileDrawContext<'a>) {
        self.shade_packed(job);
        let Scratch { stamps, masks, output, .. } = &mut *self.scratch;
        let n = std::mem::take(&mut self.shaded);
        if let Some(k) = job.kernels.filter(|_| n > 0) {
            let (words, s) = (job.state.merge.words, job.record.lanes);
            let out = output.room(MAX_RUN_STAMPS * (words * s) as usize * 4);
            // Depth and stencil tests are complete, so the facing does not matter.
            k.late(&mut job.args, false, &stamps[..n], &mut [&mut masks[..n]], out, (words, s));
            job.count(false, || count_lanes(masks[..n].iter().copied(), job.record.shape.full));
        }
        stamps.clear();
    }
}

/// Alpha to coverage with one sample: clears lanes whose alpha, word `w` of the output, covers no sample.
fn mask_by_alpha(masks: &mut [u32], run: Range<usize>, out: &[u32], words: u32, w: u32, lanes: u32) {
    let lanes = lanes as usize;
    for (i, mask) in masks.iter_mut().enumerate().take(run.end).skip(run.start) {
        let at = (i * words as usize + w as usize) * lanes;
        *mask &= lanes_where(lanes, |lane| alpha_samples(f32::from_bits(out[at + lane]), 1) > 0);
    }
}
