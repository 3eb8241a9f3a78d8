//! A tile: its primitives in API order, from coverage to merge.

use std::cell::RefCell;
use std::sync::atomic::Ordering;

use quadrille_jit::abi::{Ctx, Plane, Stamp};
use smallvec::SmallVec;

use crate::bin::{Chunk, Command, Prim};
use crate::coverage::{StampShape, cover};
use crate::draw_state::DrawState;
use crate::geometry::planes_of;
use crate::invoke::{Lines, call_fragment, ctx_for};
use crate::limits::{MAX_COLOR_TARGETS, MAX_RUN_STAMPS, TILE_PX};
use crate::lines::{cover_stippled, kind, smooth};
use crate::merge::kernel::Kernels;
use crate::merge::scalar;
use crate::merge::{MergeRun, MergeState, count_lanes};
use crate::multisample::{SampleScratch, alpha_samples, lanes_where};
use crate::pass::{Attachment, BindRecord, LoadOp, Recorded, Stats};
use crate::setup::intersect;
use crate::target::{TileMemory, TileView};

/// Memory of a thread that renders tiles.
#[derive(Default)]
pub(crate) struct Scratch {
    pub stamps: Vec<Stamp>,
    /// All stamps of the tile that they lie in.
    pub whole: Vec<Stamp>,
    pub masks: Vec<u32>,
    pub output: Lines,
    pub lanes: Lines,
    /// Copies of attachments: colours, then depth and stencil, for each sample.
    copies: Vec<Lines>,
    pub sample: SampleScratch,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Renders a tile. The name of a lane function is returned if it was stopped.
pub(crate) fn run_tile(
    rec: &Recorded<'_>,
    chunks: &[&Chunk],
    tile: usize,
    clear: bool,
    stats: &mut Stats,
) -> Result<(), String> {
    let (layer, at) = rec.grid.place(tile);
    let t = TILE_PX as i32;
    let rect = intersect(rec.area, [at[0], at[1], at[0] + t, at[1] + t]);
    let hidden = hidden(rec, chunks, tile);
    if clear && hidden == 0 {
        clear_tile(rec, layer, rect);
    }
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.stamps.reserve(MAX_RUN_STAMPS);
        scratch.masks.resize(MAX_RUN_STAMPS, 0);
        let views = Views::new(rec, layer, at, rect, &mut scratch.copies);
        let mut t = TileRun { rec, at, samples: rec.samples, views: &views, scratch, stats };
        let (mut result, mut job) = (Ok(()), None);
        let mut number = 0;
        for chunk in chunks {
            chunk.for_tile(tile, |c| {
                number += 1;
                if result.is_ok() && number > hidden {
                    result = t.command(&mut job, chunk, c);
                }
            });
        }
        views.finish();
        result
    })
}

/// How many of a tile's first commands nobody will see: a later one writes every texel of every
/// attachment whatever was there, and they do nothing else.
fn hidden(rec: &Recorded<'_>, chunks: &[&Chunk], tile: usize) -> usize {
    if rec.desc.depth.is_some() || rec.desc.stencil.is_some() || rec.samples > 1 {
        return 0;
    }
    let (mut hidden, mut number, mut may_hide) = (0, 0, true);
    for chunk in chunks {
        chunk.for_tile(tile, |c| {
            let bind = &rec.binds[rec.draws[chunk.prims[c.prim()].draw as usize].bind as usize];
            if may_hide && c.full() && bind.replaces(&rec.desc.colors) {
                hidden = number;
            }
            may_hide &= !bind.acts();
            number += 1;
        });
    }
    hidden
}

/// Clears the part of a layer's attachments that a tile holds.
pub(crate) fn clear_tile(rec: &Recorded<'_>, layer: u32, rect: [i32; 4]) {
    let rect = rect.map(|v| v.max(0) as u32);
    for a in rec.desc.all() {
        if let LoadOp::Clear(value) = a.load {
            a.target.fill(layer, rect, &a.target.format().pack(value));
        }
    }
}

/// What stays the same while the bound state does.
pub(crate) struct BoundJob<'a> {
    bind: u32,
    draw: u32,
    pub record: &'a BindRecord,
    pub state: &'a DrawState,
    pub kernels: Option<&'a Kernels>,
    pub ctx: Ctx,
}

/// The attachments on a tile.
pub(crate) struct Views {
    samples: SmallVec<[SampleViews; 1]>,
}

/// One sample of the attachments on a tile.
struct SampleViews {
    colors: [Option<TileView>; MAX_COLOR_TARGETS],
    depth: Option<TileView>,
    stencil: Option<TileView>,
    memory_colors: [TileMemory; MAX_COLOR_TARGETS],
    memory_depth: TileMemory,
    memory_stencil: TileMemory,
}

impl Views {
    fn new(rec: &Recorded<'_>, layer: u32, at: [i32; 2], rect: [i32; 4], copies: &mut Vec<Lines>) -> Views {
        let per_sample = MAX_COLOR_TARGETS + 2;
        copies.resize_with(copies.len().max(per_sample * rec.samples as usize), Lines::default);
        let samples = (0..rec.samples).map(|sample| {
            let copies = &mut copies[per_sample * sample as usize..];
            let mut view = |a: &Option<Attachment>, i: usize| {
                a.as_ref().and_then(|a| a.target.tile([layer, sample], at, rect, &mut copies[i]))
            };
            let colors = std::array::from_fn(|i| view(&rec.desc.colors[i], i));
            let depth = view(&rec.desc.depth, MAX_COLOR_TARGETS);
            let stencil = view(&rec.desc.stencil, MAX_COLOR_TARGETS + 1);
            let memory = |v: &Option<TileView>| v.as_ref().map_or(TileMemory::NONE, TileView::memory);
            SampleViews {
                memory_colors: std::array::from_fn(|i| memory(&colors[i])),
                memory_depth: memory(&depth),
                memory_stencil: memory(&stencil),
                colors,
                depth,
                stencil,
            }
        });
        Views { samples: samples.collect() }
    }

    fn finish(&self) {
        for s in &self.samples {
            s.colors.iter().chain([&s.depth, &s.stencil]).flatten().for_each(TileView::finish);
        }
    }

    /// True if everything that a state merges into is there.
    fn attached(&self, m: &MergeState) -> bool {
        self.samples.iter().all(|s| {
            (m.depth_format.is_none() || s.depth.is_some())
                && (m.stencil.is_none() || s.stencil.is_some())
                && m.colors.iter().all(|c| s.colors[c.target].is_some())
        })
    }

    /// What merging needs to know of a primitive, for a sample at `position` in the pixel.
    pub fn run<'v>(
        &'v self,
        job: &BoundJob<'_>,
        prim: &Prim,
        tile: [i32; 2],
        sample: usize,
        position: [f32; 2],
    ) -> MergeRun<'v> {
        let index = prim.fragment.viewport_index as usize;
        let clamped = job.record.views.get(index).filter(|_| job.state.desc.depth_clamp);
        let views = &self.samples[sample];
        let back = prim.fragment.front_facing == 0;
        // Depth is taken at centres; an origin moved the other way makes that the sample.
        let [ox, oy] = prim.fragment.origin;
        MergeRun {
            lanes: job.record.lanes,
            z: prim.fragment.z,
            origin: [ox - (position[0] - 0.5), oy - (position[1] - 0.5)],
            // What is not clamped may be anything that the format can hold.
            depth_range: clamped.map_or([f32::NEG_INFINITY, f32::INFINITY], |v| v.depth),
            depth_bounds: job.record.depth_bounds,
            back,
            stencil_dynamic: job.record.stencil[usize::from(back)],
            constants: job.record.blend_constants,
            colors: &views.colors,
            depth: views.depth.as_ref(),
            stencil: views.stencil.as_ref(),
            tile,
            memory_colors: &views.memory_colors,
            memory_depth: views.memory_depth,
            memory_stencil: views.memory_stencil,
        }
    }
}

pub(crate) struct TileRun<'a> {
    rec: &'a Recorded<'a>,
    pub at: [i32; 2],
    pub samples: u32,
    pub views: &'a Views,
    pub scratch: &'a mut Scratch,
    pub stats: &'a mut Stats,
}

impl<'a> TileRun<'a> {
    /// Makes `job` that of a draw.
    fn bind(&self, job: &mut Option<BoundJob<'a>>, draw: u32) {
        let d = &self.rec.draws[draw as usize];
        if job.as_ref().is_none_or(|j| j.bind != d.bind) {
            let record = &self.rec.binds[d.bind as usize];
            let state = &*record.state;
            // Without an attachment behind it, a kernel would have nothing to read.
            let attached = self.views.attached(&state.merge);
            *job = Some(BoundJob {
                bind: d.bind,
                draw,
                record,
                state,
                kernels: state.kernels(record.lanes).filter(|_| attached),
                ctx: ctx_for(&record.resources(&self.rec.pushes[d.push as usize]), self.rec.stop),
            });
        }
        if let Some(j) = job {
            j.draw = draw;
            j.ctx.push = self.rec.pushes[d.push as usize].as_ptr();
            let zero = j.state.desc.view_index_is_zero[1];
            j.ctx.view_index = if zero { 0 } else { d.draw.view_index };
        }
    }

    fn command(&mut self, job: &mut Option<BoundJob<'a>>, chunk: &Chunk, c: Command) -> Result<(), String> {
        let prim = &chunk.prims[c.prim()];
        if job.as_ref().is_none_or(|j| j.draw != prim.draw) {
            self.bind(job, prim.draw);
        }
        let Some(job) = job else { return Ok(()) };
        if job.state.masked_out() {
            return Ok(());
        }
        let (planes, extra) = planes_of(chunk, prim, job.state.links.len());
        if self.samples > 1 {
            return self.command_samples(job, prim, planes, extra, c.full());
        }
        if c.full() {
            return self.whole_tile(job, prim, planes);
        }
        let mut result = Ok(());
        self.scratch.stamps.clear();
        let mut covered = 0;
        let (at, shape, stipple) = (self.at, job.record.shape, job.record.line_stipple);
        let mut emit = |s: Stamp| {
            self.scratch.stamps.push(s);
            covered += s.mask.count_ones();
            if self.scratch.stamps.len() == MAX_RUN_STAMPS && result.is_ok() {
                result = self.shade(job, prim, planes, extra, None, covered);
                self.scratch.stamps.clear();
                covered = 0;
            }
        };
        if prim.kind & kind::STIPPLE == 0 {
            cover(prim, at, [0; 2], &shape, &mut emit);
        } else {
            cover_stippled(prim, extra, stipple, at, [0; 2], &shape, &mut emit);
        }
        if !self.scratch.stamps.is_empty() && result.is_ok() {
            result = self.shade(job, prim, planes, extra, None, covered);
        }
        result
    }

    /// A primitive that covers the whole tile: its stamps are kept from one such to the next.
    fn whole_tile(&mut self, job: &mut BoundJob<'a>, prim: &Prim, planes: &[Plane]) -> Result<(), String> {
        let whole = self.take_whole(&job.record.shape);
        let lanes = job.record.shape.full.count_ones();
        let mut result = Ok(());
        for run in whole.chunks(MAX_RUN_STAMPS) {
            result = self.shade(job, prim, planes, &[], Some(run), run.len() as u32 * lanes);
            if result.is_err() {
                break;
            }
        }
        self.scratch.whole = whole;
        result
    }

    /// All stamps of the tile; to be put back to `Scratch::whole`.
    pub fn take_whole(&mut self, shape: &StampShape) -> Vec<Stamp> {
        let mut whole = std::mem::take(&mut self.scratch.whole);
        let first = Stamp { x: self.at[0], y: self.at[1], mask: shape.full };
        if whole.first() != Some(&first) {
            let t = TILE_PX as i32;
            let row = |y| (0..t).step_by(shape.w as usize).map(move |x| (x, y));
            let corners = (0..t).step_by(shape.h as usize).flat_map(row);
            whole.clear();
            whole.extend(corners.map(|(x, y)| Stamp { x: first.x + x, y: first.y + y, ..first }));
        }
        whole
    }

    /// A run of stamps of one primitive, those given or else those gathered, which cover so many
    /// pixels: early depth, fragment stage, merge.
    fn shade(
        &mut self,
        job: &mut BoundJob<'a>,
        prim: &Prim,
        planes: &[Plane],
        extra: &[Plane],
        given: Option<&[Stamp]>,
        mut covered: u32,
    ) -> Result<(), String> {
        let Scratch { stamps: gathered, masks, output, lanes, .. } = &mut *self.scratch;
        let (state, m) = (job.state, &job.state.merge);
        let run = self.views.run(job, prim, self.at, 0, [0.5; 2]);
        let full = job.record.shape.full;
        let mut stamps = given;
        if let Some(write) = state.early_tests() {
            if let Some(given) = stamps.take() {
                gathered.clear();
                gathered.extend_from_slice(given);
            }
            match job.kernels {
                Some(k) => k.early(&run, gathered),
                None => {
                    scalar::early_tests(m, &run, gathered, write);
                    gathered.retain(|s| s.mask != 0);
                }
            }
            covered = count_lanes(gathered.iter().map(|s| s.mask), full);
        }
        let stamps = stamps.unwrap_or(gathered);
        let n = stamps.len();
        let mut shaded = false;
        if let (Some(f), Some(info)) = (&job.record.fragment, &state.desc.fragment)
            && state.shades
            && n > 0
        {
            self.stats.fragment_invocations += u64::from(covered);
            let out = output.room(n * (m.words * run.lanes) as usize * 4);
            if !call_fragment(f, &mut job.ctx, &prim.fragment, planes, stamps, out, masks, lanes) {
                return Err(info.name.clone());
            }
            if let Some(w) = state.coverage_alpha {
                mask_by_alpha(&mut masks[..n], out, m.words, w, run.lanes);
            }
            if prim.kind & kind::SMOOTH != 0 {
                smooth(prim, extra, m, run.lanes, stamps, out);
            }
            match job.kernels {
                Some(k) => k.late(&run, stamps, &mut masks[..n], out, m.words),
                None => scalar::merge(m, &run, stamps, &mut masks[..n], out, state.late_tests()),
            }
            shaded = true;
        }
        if let Some(counter) = &job.record.occlusion {
            let passed = if shaded { count_lanes(masks[..n].iter().copied(), full) } else { covered };
            counter.fetch_add(u64::from(passed), Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Alpha to coverage with one sample: clears lanes whose alpha, word `w` of the output, covers none.
fn mask_by_alpha(masks: &mut [u32], out: &[u32], words: u32, w: u32, lanes: u32) {
    let lanes = lanes as usize;
    for (i, mask) in masks.iter_mut().enumerate() {
        let at = (i * words as usize + w as usize) * lanes;
        *mask &= lanes_where(lanes, |lane| alpha_samples(f32::from_bits(out[at + lane]), 1) > 0);
    }
}
