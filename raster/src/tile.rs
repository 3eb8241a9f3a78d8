//! A tile: its primitives in API order, from coverage to merge.

use std::cell::RefCell;
use std::sync::atomic::Ordering;

use quadrille_jit::abi::{Ctx, Plane, Stamp};

use crate::bin::{Chunk, Command, Prim};
use crate::coverage::cover;
use crate::draw_state::DrawState;
use crate::geometry::planes_of;
use crate::invoke::{Lines, call_fragment, ctx_for};
use crate::limits::{MAX_COLOR_TARGETS, MAX_RUN_STAMPS, TILE_PX};
use crate::merge::kernel::Kernels;
use crate::merge::scalar;
use crate::merge::{MergeRun, count_lanes};
use crate::pass::{Attachment, BindRecord, LoadOp, Recorded, Stats};
use crate::setup::intersect;
use crate::target::{TileMemory, TileView};

/// Memory of a thread that renders tiles.
#[derive(Default)]
struct Scratch {
    stamps: Vec<Stamp>,
    /// All stamps of the tile that they lie in.
    whole: Vec<Stamp>,
    masks: Vec<u32>,
    output: Lines,
    lanes: Lines,
    /// Copies of attachments: colours, then depth.
    copies: [Lines; MAX_COLOR_TARGETS + 1],
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
    if clear {
        clear_tile(rec, layer, rect);
    }
    SCRATCH.with_borrow_mut(|scratch| {
        let mut view = |a: &Option<Attachment>, i: usize| {
            a.as_ref().and_then(|a| a.target.tile([layer, 0], at, rect, &mut scratch.copies[i]))
        };
        let colors: [Option<TileView>; MAX_COLOR_TARGETS] =
            std::array::from_fn(|i| view(&rec.desc.colors[i], i));
        let depth = view(&rec.desc.depth, MAX_COLOR_TARGETS);
        let memory = |v: &Option<TileView>| v.as_ref().map_or(TileMemory::NONE, TileView::memory);
        let memory_colors = std::array::from_fn(|i| memory(&colors[i]));
        scratch.stamps.reserve(MAX_RUN_STAMPS);
        scratch.masks.resize(MAX_RUN_STAMPS, 0);
        let mut t = TileRun {
            rec,
            at,
            colors: &colors,
            depth: depth.as_ref(),
            memory_colors: &memory_colors,
            memory_depth: memory(&depth),
            scratch,
            stats,
        };
        let (mut result, mut job) = (Ok(()), None);
        for chunk in chunks {
            chunk.for_tile(tile, |c| {
                if result.is_ok() {
                    result = t.command(&mut job, chunk, c);
                }
            });
        }
        colors.iter().chain([&depth]).flatten().for_each(TileView::finish);
        result
    })
}

/// Clears the part of a layer's attachments that a tile holds.
pub(crate) fn clear_tile(rec: &Recorded<'_>, layer: u32, rect: [i32; 4]) {
    let rect = rect.map(|v| v.max(0) as u32);
    for a in rec.desc.colors.iter().flatten().chain(&rec.desc.depth) {
        if let LoadOp::Clear(value) = a.load {
            a.target.fill(layer, rect, &a.target.format().pack(value));
        }
    }
}

/// What stays the same while the bound state does.
struct BoundJob<'a> {
    bind: u32,
    draw: u32,
    record: &'a BindRecord,
    state: &'a DrawState,
    kernels: Option<&'a Kernels>,
    ctx: Ctx,
}

struct TileRun<'a> {
    rec: &'a Recorded<'a>,
    at: [i32; 2],
    colors: &'a [Option<TileView>; MAX_COLOR_TARGETS],
    depth: Option<&'a TileView>,
    memory_colors: &'a [TileMemory; MAX_COLOR_TARGETS],
    memory_depth: TileMemory,
    scratch: &'a mut Scratch,
    stats: &'a mut Stats,
}

impl<'a> TileRun<'a> {
    /// Makes `job` that of a draw.
    fn bind(&self, job: &mut Option<BoundJob<'a>>, draw: u32) {
        let d = &self.rec.draws[draw as usize];
        if job.as_ref().is_none_or(|j| j.bind != d.bind) {
            let record = &self.rec.binds[d.bind as usize];
            let state = &*record.state;
            // Without an attachment behind it, a kernel would have nothing to read.
            let m = &state.merge;
            let attached = (m.depth_format.is_none() || self.depth.is_some())
                && m.colors.iter().all(|c| self.colors[c.target].is_some());
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
            j.ctx.view_index = d.draw.view_index;
        }
    }

    fn command(&mut self, job: &mut Option<BoundJob<'a>>, chunk: &Chunk, c: Command) -> Result<(), String> {
        let prim = &chunk.prims[c.prim()];
        if job.as_ref().is_none_or(|j| j.draw != prim.draw) {
            self.bind(job, prim.draw);
        }
        let Some(job) = job else { return Ok(()) };
        let planes = planes_of(chunk, prim, job.state.links.len());
        if c.full() {
            return self.whole_tile(job, prim, planes);
        }
        let mut result = Ok(());
        self.scratch.stamps.clear();
        let mut covered = 0;
        cover(prim, self.at, &job.record.shape, &mut |s| {
            self.scratch.stamps.push(s);
            covered += s.mask.count_ones();
            if self.scratch.stamps.len() == MAX_RUN_STAMPS && result.is_ok() {
                result = self.shade(job, prim, planes, None, covered);
                self.scratch.stamps.clear();
                covered = 0;
            }
        });
        if !self.scratch.stamps.is_empty() && result.is_ok() {
            result = self.shade(job, prim, planes, None, covered);
        }
        result
    }

    /// A primitive that covers the whole tile: its stamps are kept from one such to the next.
    fn whole_tile(&mut self, job: &mut BoundJob<'a>, prim: &Prim, planes: &[Plane]) -> Result<(), String> {
        let shape = &job.record.shape;
        let mut whole = std::mem::take(&mut self.scratch.whole);
        let first = Stamp { x: self.at[0], y: self.at[1], mask: shape.full };
        if whole.first() != Some(&first) {
            let t = TILE_PX as i32;
            let row = |y| (0..t).step_by(shape.w as usize).map(move |x| (x, y));
            let corners = (0..t).step_by(shape.h as usize).flat_map(row);
            whole.clear();
            whole.extend(corners.map(|(x, y)| Stamp { x: first.x + x, y: first.y + y, ..first }));
        }
        let lanes = shape.full.count_ones();
        let mut result = Ok(());
        for run in whole.chunks(MAX_RUN_STAMPS) {
            result = self.shade(job, prim, planes, Some(run), run.len() as u32 * lanes);
            if result.is_err() {
                break;
            }
        }
        self.scratch.whole = whole;
        result
    }

    /// A run of stamps of one primitive, those given or else those gathered, which cover so many
    /// pixels: early depth, fragment stage, merge.
    fn shade(
        &mut self,
        job: &mut BoundJob<'a>,
        prim: &Prim,
        planes: &[Plane],
        given: Option<&[Stamp]>,
        mut covered: u32,
    ) -> Result<(), String> {
        let Scratch { stamps: gathered, masks, output, lanes, .. } = &mut *self.scratch;
        let (state, m) = (job.state, &job.state.merge);
        let clamped =
            job.record.views.get(prim.fragment.viewport_index as usize).filter(|_| state.desc.depth_clamp);
        let run = MergeRun {
            lanes: job.record.lanes,
            z: prim.fragment.z,
            origin: prim.fragment.origin,
            depth_range: clamped.map_or([0.0, 1.0], |v| v.depth),
            constants: job.record.dynamic.blend_constants,
            colors: self.colors,
            depth: self.depth,
            tile: self.at,
            memory_colors: self.memory_colors,
            memory_depth: self.memory_depth,
        };
        let full = job.record.shape.full;
        let mut stamps = given;
        if let Some(write) = state.early_depth() {
            if let Some(given) = stamps.take() {
                gathered.clear();
                gathered.extend_from_slice(given);
            }
            match job.kernels {
                Some(k) => k.early(&run, gathered),
                None => {
                    scalar::early_depth(m, &run, gathered, write);
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
            match job.kernels {
                Some(k) => k.late(&run, stamps, &mut masks[..n], out, m.words),
                None => scalar::merge(m, &run, stamps, &mut masks[..n], out, state.late_depth()),
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
