//! Several samples per pixel: positions, coverage, and the run from early depth to merge.
//!
//! Each sample is a plane of its own in the attachments, so depth and merge run once per sample with
//! the single-sample code; the fragment stage runs once per pixel over all stamps with a sample.
//!
//! Spec: Vulkan, "Multisampling" (primsrast-multisampling).

use std::sync::atomic::Ordering;

use quadrille_jit::abi::{Plane, SAMPLE_POSITIONS, Stamp};

use crate::bin::Prim;
use crate::draw_state::DrawState;
use crate::format::{Format, Numeric};
use crate::invoke::call_fragment;
use crate::limits::{MAX_RUN_STAMPS, TILE_PX};
use crate::lines::{cover_stippled, kind, smooth};
use crate::merge::{count_lanes, scalar};
use crate::pass::ResolveMode;
use crate::target::Target;
use crate::tile::{BoundJob, Scratch, TileRun};

/// Most samples.
pub(crate) const MAX_SAMPLES: usize = 16;

/// Positions within the pixel by logarithm of the number of samples, in 1/16 pixels.
///
/// Spec: Vulkan, "Standard sample locations".
const SIXTEENTHS: [&[[u8; 2]]; 5] = [
    &[[8, 8]],
    &[[12, 12], [4, 4]],
    &[[6, 2], [14, 6], [2, 10], [10, 14]],
    &[[9, 5], [7, 11], [13, 9], [5, 3], [3, 13], [1, 7], [11, 15], [15, 1]],
    &[
        [9, 9],
        [7, 5],
        [5, 10],
        [12, 7],
        [3, 6],
        [10, 13],
        [13, 11],
        [11, 3],
        [6, 14],
        [8, 1],
        [4, 2],
        [2, 12],
        [0, 8],
        [15, 4],
        [14, 15],
        [1, 0],
    ],
];

/// The same in pixels, as shaders want them: the rest are centres.
static POSITIONS: [[[f32; 2]; SAMPLE_POSITIONS]; 5] = {
    let mut all = [[[0.5; 2]; SAMPLE_POSITIONS]; 5];
    let mut log = 0;
    while log < 5 {
        let mut i = 0;
        while i < SIXTEENTHS[log].len() {
            let [x, y] = SIXTEENTHS[log][i];
            all[log][i] = [x as f32 / 16.0, y as f32 / 16.0];
            i += 1;
        }
        log += 1;
    }
    all
};

/// True for sample counts that are offered.
pub const fn offered(samples: u32) -> bool {
    matches!(samples, 1 | 2 | 4 | 8 | 16)
}

/// Positions of the samples, as many as there are.
pub fn sample_positions(samples: u32) -> &'static [[f32; 2]] {
    &table(samples)[..samples.clamp(1, MAX_SAMPLES as u32) as usize]
}

/// Positions for shaders.
fn table(samples: u32) -> &'static [[f32; 2]; SAMPLE_POSITIONS] {
    &POSITIONS[samples.max(1).ilog2().min(4) as usize]
}

/// Position of a sample relative to the pixel's centre, in 1/256 pixels.
fn offset_fx8(position: [f32; 2]) -> [i32; 2] {
    position.map(|v| (v * 256.0) as i32 - 128)
}

/// Greatest distance of a sample from the centre along an axis, in 1/256 pixels.
pub(crate) fn reach_fx8(samples: u32) -> i32 {
    [0, 64, 96, 112, 128][samples.max(1).ilog2().min(4) as usize]
}

/// Memory of a thread for primitives with samples.
#[derive(Default)]
pub(crate) struct SampleScratch {
    /// Stamps of each sample.
    lists: [Vec<Stamp>; MAX_SAMPLES],
    /// Lanes covered, by stamp of the tile and sample.
    cells: Vec<[u32; MAX_SAMPLES]>,
    /// Stamps of the tile with a sample.
    touched: Vec<u32>,
    /// Stamps of a run, by number in the tile.
    run: Vec<u32>,
    /// SampleMask inputs of a run.
    rows: Vec<u32>,
    /// Places within pixels where its centroid inputs are evaluated.
    centroids: Vec<f32>,
    /// Masks of a run for one sample.
    masks: Vec<u32>,
}

/// Stamps of a tile.
#[derive(Clone, Copy)]
enum Run<'r> {
    /// By number, with what is covered in `SampleScratch::cells`.
    Cells(&'r [u32]),
    /// With all samples of all lanes.
    Whole(&'r [Stamp]),
}

/// Samples that the state lets through.
fn static_mask(state: &DrawState) -> u32 {
    if state.desc.sample_mask == 0 { u32::MAX } else { state.desc.sample_mask }
}

impl<'a> TileRun<'a> {
    /// A primitive on the tile, with several samples; `full` if it covers all of them.
    pub(crate) fn command_samples(
        &mut self,
        job: &mut BoundJob<'a>,
        prim: &Prim,
        planes: &[Plane],
        extra: &[Plane],
        full: bool,
    ) -> Result<(), String> {
        let samples = self.samples as usize;
        let shape = job.record.shape;
        let (state, m) = (job.state, &job.state.merge);
        let positions = table(self.samples);
        let across = TILE_PX as i32 / shape.w;
        let [left, top] = self.at;
        let cell = move |s: &Stamp| ((s.y - top) / shape.h * across + (s.x - left) / shape.w) as usize;

        // Coverage and early depth, sample by sample.
        let full = full && (0..samples).all(|sample| static_mask(state) >> sample & 1 != 0);
        let whole = if full { self.take_whole(&shape) } else { Vec::new() };
        // All samples are left of all stamps.
        let mut uniform = full;
        let Scratch { sample: own, .. } = &mut *self.scratch;
        for sample in 0..samples {
            let mut list = std::mem::take(&mut own.lists[sample]);
            list.clear();
            let early = state.early_tests();
            if full && (early.is_some() || !uniform) {
                list.extend_from_slice(&whole);
            } else if !full && static_mask(state) >> sample & 1 != 0 {
                let whole = prim.kind & kind::WHOLE_PIXELS != 0;
                let offset = if whole { [0; 2] } else { offset_fx8(positions[sample]) };
                let stipple = job.record.line_stipple;
                cover_stippled(prim, extra, stipple, self.at, offset, &shape, &mut |s| list.push(s));
            }
            if let Some(write) = early {
                let run = self.views.run(job, prim, self.at, sample, positions[sample]);
                match job.kernels {
                    Some(k) => k.early(&run, &mut list),
                    None => {
                        scalar::early_tests(m, &run, &mut list, write);
                        list.retain(|s| s.mask != 0);
                    }
                }
                uniform &= list.len() == whole.len() && list.iter().all(|s| s.mask == shape.full);
            }
            own.lists[sample] = list;
        }
        if uniform {
            let mut result = Ok(());
            for run in whole.chunks(MAX_RUN_STAMPS) {
                if result.is_ok() {
                    result = self.shade_run(job, prim, planes, extra, Run::Whole(run));
                }
            }
            self.scratch.whole = whole;
            return result;
        }
        if full {
            self.scratch.whole = whole;
        }
        let Scratch { sample: own, .. } = &mut *self.scratch;
        own.cells.resize((TILE_PX * TILE_PX / 4) as usize, [0; MAX_SAMPLES]);
        own.touched.clear();
        for sample in 0..samples {
            for s in &own.lists[sample] {
                let at = cell(s);
                if own.cells[at] == [0; MAX_SAMPLES] {
                    own.touched.push(at as u32);
                }
                own.cells[at][sample] = s.mask;
            }
        }
        let mut touched = std::mem::take(&mut own.touched);
        touched.sort_unstable();
        let mut result = Ok(());
        for run in touched.chunks(MAX_RUN_STAMPS) {
            if result.is_ok() {
                result = self.shade_run(job, prim, planes, extra, Run::Cells(run));
            }
        }
        let own = &mut self.scratch.sample;
        for &t in &touched {
            own.cells[t as usize] = [0; MAX_SAMPLES];
        }
        own.touched = touched;
        result
    }

    /// A run of stamps, once or for each sample.
    fn shade_run(
        &mut self,
        job: &mut BoundJob<'a>,
        prim: &Prim,
        planes: &[Plane],
        extra: &[Plane],
        run: Run<'_>,
    ) -> Result<(), String> {
        if !job.state.per_sample {
            return self.shade_samples(job, prim, planes, extra, run, None);
        }
        let samples = self.samples as usize;
        (0..samples).try_for_each(|s| self.shade_samples(job, prim, planes, extra, run, Some(s)))
    }

    /// A run of stamps: all samples with one run of the fragment stage, or `only` one of them.
    fn shade_samples(
        &mut self,
        job: &mut BoundJob<'a>,
        prim: &Prim,
        planes: &[Plane],
        extra: &[Plane],
        run: Run<'_>,
        only: Option<usize>,
    ) -> Result<(), String> {
        let Scratch { stamps, masks, output, lanes, sample: own, .. } = &mut *self.scratch;
        let (state, m) = (job.state, &job.state.merge);
        let shape = &job.record.shape;
        let s = job.record.lanes as usize;
        let positions = table(self.samples);
        let all = only.map_or(0..self.samples as usize, |sample| sample..sample + 1);
        let across = TILE_PX as i32 / shape.w;
        stamps.clear();
        own.run.clear();
        own.rows.clear();
        own.centroids.clear();
        let (cells, whole) = match run {
            Run::Cells(cells) => (cells, &[][..]),
            Run::Whole(whole) => (&[][..], whole),
        };
        if !whole.is_empty() {
            stamps.extend_from_slice(whole);
            own.rows.resize(whole.len() * s, all.clone().fold(0, |bits, i| bits | 1 << i));
            if state.centroid {
                own.centroids.resize(2 * whole.len() * s, 0.5);
            }
        }
        for &t in cells {
            let covered = &own.cells[t as usize];
            let mask = covered[all.clone()].iter().fold(0, |m, c| m | c);
            if mask == 0 {
                continue;
            }
            let (x, y) = (t as i32 % across * shape.w, t as i32 / across * shape.h);
            stamps.push(Stamp { x: self.at[0] + x, y: self.at[1] + y, mask });
            own.run.push(t);
            let first = own.rows.len();
            own.rows.extend(
                (0..s).map(|lane| all.clone().map(|i| (covered[i] >> lane & 1) << i).fold(0, |m, b| m | b)),
            );
            if state.centroid {
                let places = own.rows[first..].iter().map(|&mask| centroid(mask, self.samples));
                own.centroids.extend(places.clone().map(|p| p[0]));
                own.centroids.extend(places.map(|p| p[1]));
            }
        }
        let n = stamps.len();
        if n == 0 {
            return Ok(());
        }
        let mut passed = 0;
        let shaded = match (&job.record.fragment, &state.desc.fragment) {
            (Some(f), Some(info)) if state.shades => {
                self.stats.fragment_invocations +=
                    u64::from(count_lanes(stamps.iter().map(|s| s.mask), shape.full));
                let out = output.room(n * m.words as usize * s * 4);
                let ctx = &mut job.ctx;
                ctx.sample_count = self.samples;
                ctx.in_sample_masks = own.rows.as_ptr();
                ctx.sample_positions = positions.as_ptr();
                if state.centroid {
                    ctx.centroids = own.centroids.as_ptr();
                }
                if let Some(sample) = only {
                    ctx.sample_id = sample as u32;
                    ctx.pixel_offset = positions[sample];
                }
                let done = call_fragment(f, ctx, &prim.fragment, planes, stamps, out, masks, lanes);
                (ctx.in_sample_masks, ctx.centroids) = (std::ptr::null(), std::ptr::null());
                (ctx.sample_id, ctx.pixel_offset) = (0, [0.5; 2]);
                if !done {
                    return Err(info.name.clone());
                }
                if prim.kind & kind::SMOOTH != 0 {
                    smooth(prim, extra, m, job.record.lanes, stamps, out);
                }
                Some(&*out)
            }
            _ => None,
        };
        for sample in all {
            let left = |i: usize| {
                let covered = own.run.get(i).map_or(shape.full, |&t| own.cells[t as usize][sample]);
                let Some(out) = shaded else { return covered };
                let word = |w: u32, lane: usize| out[(i * m.words as usize + w as usize) * s + lane];
                let mut mask = covered & masks[i];
                if let Some(w) = state.sample_mask_word {
                    mask &= lanes_where(s, |lane| word(w, lane) >> sample & 1 != 0);
                }
                if let Some(w) = state.coverage_alpha {
                    mask &= lanes_where(s, |lane| {
                        alpha_samples(f32::from_bits(word(w, lane)), self.samples) > sample as u32
                    });
                }
                mask
            };
            own.masks.clear();
            own.masks.extend((0..n).map(left));
            if let Some(out) = shaded {
                let run = self.views.run(job, prim, self.at, sample, positions[sample]);
                match job.kernels {
                    Some(k) => k.late(&run, stamps, &mut own.masks, out, m.words),
                    None => scalar::merge(m, &run, stamps, &mut own.masks, out, state.late_tests()),
                }
            }
            passed += u64::from(count_lanes(own.masks.iter().copied(), shape.full));
        }
        if let Some(counter) = &job.record.occlusion {
            counter.fetch_add(passed, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Where centroid inputs of a pixel are evaluated: the centre if all samples are covered, or none, else
/// the first covered one.
fn centroid(mask: u32, samples: u32) -> [f32; 2] {
    let full = mask.count_ones() == samples;
    if full || mask == 0 { [0.5; 2] } else { table(samples)[mask.trailing_zeros() as usize] }
}

pub(crate) fn lanes_where(lanes: usize, f: impl Fn(usize) -> bool) -> u32 {
    (0..lanes).fold(0, |m, lane| m | u32::from(f(lane)) << lane)
}

/// Number of samples that an alpha value covers; NaN covers none.
pub(crate) fn alpha_samples(alpha: f32, samples: u32) -> u32 {
    let alpha = if alpha > 0.0 { alpha.min(1.0) } else { 0.0 };
    (alpha * samples as f32).round_ties_even() as u32
}

/// Resolves a rectangle of a layer to a target of the same format.
///
/// Averages of integers and of stencil are sample 0.
pub(crate) fn resolve(from: &Target, to: &Target, mode: ResolveMode, layer: u32, [x0, y0, x1, y1]: [u32; 4]) {
    let format = from.format();
    let mode = match mode {
        ResolveMode::Average if format.is_integer() => ResolveMode::SampleZero,
        mode => mode,
    };
    let n = if mode == ResolveMode::SampleZero { 1 } else { from.desc().samples };
    let scale = 1.0 / n as f32;
    let bytes8 = matches!(format, Format::R8G8B8A8_UNORM | Format::B8G8R8A8_UNORM);
    let info = format.info();
    let combine = |a: u32, b: u32| match mode {
        ResolveMode::Min | ResolveMode::Max if info.numeric == Numeric::Sint => {
            let (a, b) = (a as i32, b as i32);
            if mode == ResolveMode::Min { a.min(b) as u32 } else { a.max(b) as u32 }
        }
        ResolveMode::Min if info.numeric == Numeric::Uint => a.min(b),
        ResolveMode::Max if info.numeric == Numeric::Uint => a.max(b),
        _ => {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            let less = b < a;
            let v = match mode {
                ResolveMode::Min => {
                    if less {
                        b
                    } else {
                        a
                    }
                }
                ResolveMode::Max => {
                    if less {
                        a
                    } else {
                        b
                    }
                }
                _ => a + b,
            };
            v.to_bits()
        }
    };
    for y in y0..y1 {
        let mut pixel = |x: u32| {
            let first = from.read(layer, 0, x, y);
            let rest = (1..n).map(|s| from.read(layer, s, x, y));
            if n == 1 {
                to.write(layer, x, y, first);
                return;
            }
            let mut sum = info.unpack_word(first);
            for t in rest {
                let t = info.unpack_word(t);
                sum = std::array::from_fn(|c| combine(sum[c], t[c]));
            }
            if mode == ResolveMode::Average {
                sum = sum.map(|v| (f32::from_bits(v) * scale).to_bits());
            }
            to.write(layer, x, y, info.pack_word(sum));
        };
        if bytes8 && n > 1 {
            // Mostly all samples are the same, and an average of equal numbers is that number.
            from.copy_equal(to, layer, y, [x0, x1], &mut pixel);
        } else {
            (x0..x1).for_each(pixel);
        }
    }
}
