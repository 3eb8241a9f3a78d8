//! Several samples per pixel: coverage, and the run from early depth to merge.
//!
//! Each sample is a plane of its own in the attachments, so depth and merge run once per sample with
//! the single-sample code; the fragment stage runs once per pixel over all stamps with a sample.
//!
//! Spec: Vulkan, "Multisampling" (primsrast-multisampling).

use quadrille_jit::abi::{MAX_LANES, Stamp};

use super::coverage::cover_samples;
use super::lines::{Stippled, smooth};
use super::merge::{count_lanes, scalar};
use super::state::TileState;
use super::tile::{BoundJob, Primitive, Scratch, TileRun};
use crate::bins::kind;
use crate::invoke::call_fragment;
use crate::limits::{MAX_RUN_STAMPS, TILE_PX};
use crate::samples::{MAX_SAMPLES, offsets_fx8, table};

/// Memory of a thread for primitives with samples.
#[derive(Default)]
pub(crate) struct SampleScratch {
    run: SampleRun,
    /// The part of a run that one sample is shaded for.
    part: SampleRun,
    /// Stamps of a sample during its early tests.
    list: Vec<Stamp>,
    /// SampleMask inputs of a run.
    rows: Vec<u32>,
    /// Places within pixels where its centroid inputs are evaluated.
    centroids: Vec<f32>,
}

/// Stamps of a primitive, with what is covered of each sample.
struct SampleRun {
    /// Their masks are lanes with a sample.
    stamps: Vec<Stamp>,
    /// By sample and stamp, of which the first are those that there are.
    masks: Box<[[u32; MAX_RUN_STAMPS]; MAX_SAMPLES]>,
}

impl Default for SampleRun {
    fn default() -> Self {
        let masks = Box::new([[0; MAX_RUN_STAMPS]; MAX_SAMPLES]);
        SampleRun { stamps: Vec::with_capacity(MAX_RUN_STAMPS), masks }
    }
}

impl SampleRun {
    /// Adds a stamp, for which there must be room.
    #[inline]
    fn push(&mut self, [x, y]: [i32; 2], masks: &[u32]) {
        let (n, mut mask) = (self.stamps.len(), 0);
        for (list, &m) in self.masks.iter_mut().zip(masks) {
            list[n] = m;
            mask |= m;
        }
        self.stamps.push(Stamp { x, y, mask });
    }

    /// Takes over what early tests left of a sample: some of the stamps, in order.
    fn keep(&mut self, sample: usize, left: &[Stamp]) {
        let list = &mut self.masks[sample][..self.stamps.len()];
        if left.len() == list.len() {
            list.iter_mut().zip(left).for_each(|(mask, l)| *mask = l.mask);
            return;
        }
        let mut left = left.iter();
        let mut next = left.next();
        for (s, mask) in self.stamps.iter().zip(list) {
            *mask = 0;
            if let Some(l) = next.filter(|l| [l.x, l.y] == [s.x, s.y]) {
                *mask = l.mask;
                next = left.next();
            }
        }
    }

    /// Removes stamps that have no sample left.
    fn compact(&mut self, samples: usize) {
        let mut n = 0;
        for i in 0..self.stamps.len() {
            let mask = self.masks[..samples].iter().fold(0, |any, list| any | list[i]);
            if n != i {
                self.stamps[n] = self.stamps[i];
                self.masks[..samples].iter_mut().for_each(|list| list[n] = list[i]);
            }
            self.stamps[n].mask = mask;
            n += usize::from(mask != 0);
        }
        self.stamps.truncate(n);
    }

    /// What there is of one sample.
    fn copy_sample(&mut self, from: &SampleRun, sample: usize, samples: usize) {
        self.stamps.clear();
        for (s, &mask) in from.stamps.iter().zip(&from.masks[sample]).filter(|(_, m)| **m != 0) {
            let mut masks = [0; MAX_SAMPLES];
            masks[sample] = mask;
            self.push([s.x, s.y], &masks[..samples]);
        }
    }
}

/// Samples that the state lets through.
fn static_mask(state: &TileState) -> u32 {
    state.desc.sample_mask.unwrap_or(u32::MAX)
}

impl<'a> TileRun<'a> {
    /// A primitive on the tile, with several samples; `full` if it covers all of them.
    pub(crate) fn command_samples(
        &mut self,
        job: &mut BoundJob<'a>,
        p: &Primitive<'_>,
        full: bool,
    ) -> Result<(), String> {
        let samples = self.samples as usize;
        let shape = job.record.shape;
        let let_through: [u32; MAX_SAMPLES] =
            std::array::from_fn(|i| if static_mask(job.state) >> i & 1 != 0 { shape.full } else { 0 });
        let (at, stipple, offsets) = (self.at, job.record.line_stipple, offsets_fx8(self.samples));
        let lets_all = let_through[..samples].iter().all(|&m| m == shape.full);
        self.scratch.sample.run.stamps.clear();
        let mut result = Ok(());
        let mut emit = |corner: [i32; 2], masks: &[u32; MAX_SAMPLES]| {
            if self.scratch.sample.run.stamps.len() == MAX_RUN_STAMPS {
                if result.is_ok() {
                    result = self.shade_run(job, p);
                }
                self.scratch.sample.run.stamps.clear();
            }
            if lets_all {
                self.scratch.sample.run.push(corner, &masks[..samples]);
            } else {
                let masks: [u32; MAX_SAMPLES] = std::array::from_fn(|i| masks[i] & let_through[i]);
                self.scratch.sample.run.push(corner, &masks[..samples]);
            }
        };
        if full {
            let t = TILE_PX as i32;
            for y in (at[1]..at[1] + t).step_by(shape.h as usize) {
                for x in (at[0]..at[0] + t).step_by(shape.w as usize) {
                    emit([x, y], &[shape.full; MAX_SAMPLES]);
                }
            }
        } else if let Some(outline) = p.outline {
            let whole = outline.kind & kind::WHOLE_PIXELS != 0;
            let offsets = if whole { &[[0; 2]; MAX_SAMPLES][..samples] } else { offsets };
            match Stippled::of(outline, p.prim, p.extra, stipple, shape) {
                None => cover_samples(outline, at, offsets, shape, &mut emit),
                Some(line) => cover_samples(outline, at, offsets, shape, &mut |[x, y], masks| {
                    let mut masks = *masks;
                    for (mask, &offset) in masks.iter_mut().zip(offsets) {
                        let mut s = Stamp { x, y, mask: *mask };
                        line.keep(&mut s, offset);
                        *mask = s.mask;
                    }
                    emit([x, y], &masks);
                }),
            }
        }
        if result.is_ok() {
            result = self.shade_run(job, p);
        }
        result
    }

    /// The run that was gathered: early depth, and the fragment stage once or for each sample.
    fn shade_run(&mut self, job: &mut BoundJob<'a>, p: &Primitive<'_>) -> Result<(), String> {
        let samples = self.samples as usize;
        let mut run = std::mem::take(&mut self.scratch.sample.run);
        if let Some(write) = job.state.early_tests() {
            let mut done = false;
            if let Some(k) = job.kernels {
                for (sample, &position) in table(self.samples)[..samples].iter().enumerate() {
                    job.aim(p.prim, sample, position);
                }
                done = k.early_samples(&mut job.args, &run.stamps, &mut run.masks[..samples]);
            }
            for sample in 0..if done { 0 } else { samples } {
                self.early_sample(job, p, &mut run, sample, write);
            }
        }
        run.compact(samples);
        let result = if run.stamps.is_empty() {
            Ok(())
        } else if job.state.per_sample {
            let mut part = std::mem::take(&mut self.scratch.sample.part);
            let result = (0..samples).try_for_each(|sample| {
                part.copy_sample(&run, sample, samples);
                if part.stamps.is_empty() {
                    return Ok(());
                }
                self.shade_samples(job, p, &mut part, Some(sample))
            });
            self.scratch.sample.part = part;
            result
        } else {
            self.shade_samples(job, p, &mut run, None)
        };
        self.scratch.sample.run = run;
        result
    }

    /// Early tests of a sample.
    fn early_sample(
        &mut self,
        job: &mut BoundJob<'a>,
        p: &Primitive<'_>,
        run: &mut SampleRun,
        sample: usize,
        write: bool,
    ) {
        let position = table(self.samples)[sample];
        let list = &mut self.scratch.sample.list;
        list.clear();
        list.reserve(MAX_RUN_STAMPS);
        for (s, &mask) in run.stamps.iter().zip(&run.masks[sample]) {
            if mask != 0 {
                list.push(Stamp { mask, ..*s });
            }
        }
        match job.kernels {
            Some(k) => k.early(job.aim(p.prim, sample, position), p.prim.back(), list, 0),
            None => {
                let merge = self.views.run(job, p.prim, sample, position);
                scalar::early_tests(&job.state.merge, &merge, list, write);
                list.retain(|s| s.mask != 0);
            }
        }
        run.keep(sample, list);
    }

    /// A run of stamps: all samples with one run of the fragment stage, or `only` one of them.
    fn shade_samples(
        &mut self,
        job: &mut BoundJob<'a>,
        p: &Primitive<'_>,
        run: &mut SampleRun,
        only: Option<usize>,
    ) -> Result<(), String> {
        let Scratch { masks, output, lanes, sample: own, .. } = &mut *self.scratch;
        let (state, m) = (job.state, &job.state.merge);
        let shape = job.record.shape;
        let s = job.record.lanes;
        let samples = self.samples as usize;
        let positions = table(self.samples);
        let n = run.stamps.len();
        if let (Some(f), Some(info), true) = (&job.record.fragment, &state.desc.fragment, state.shades) {
            own.inputs(run, self.samples, s as usize, shape.full, state.centroid);
            self.stats.fragment_invocations +=
                u64::from(count_lanes(run.stamps.iter().map(|s| s.mask), shape.full));
            let out = output.room(MAX_RUN_STAMPS * (m.words * s) as usize * 4);
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
            let done = call_fragment(f, ctx, &p.prim.fragment, p.planes, &run.stamps, 0, out, masks, lanes);
            (ctx.in_sample_masks, ctx.centroids) = (std::ptr::null(), std::ptr::null());
            (ctx.sample_id, ctx.pixel_offset) = (0, [0.5; 2]);
            if !done {
                return Err(info.name.clone());
            }
            if let Some(outline) = p.outline.filter(|o| o.kind & kind::SMOOTH != 0) {
                smooth(outline, p.prim, p.extra, m, s, &run.stamps, 0, out);
            }
            for (sample, list) in run.masks[..samples].iter_mut().enumerate() {
                let list = &mut list[..n];
                list.iter_mut().zip(&*masks).for_each(|(mask, &left)| *mask &= left);
                if state.sample_mask_word.is_none() && state.coverage_alpha.is_none() {
                    continue;
                }
                for (i, mask) in list.iter_mut().enumerate() {
                    mask_by_output(mask, state, sample as u32, self.samples, |w, lane| {
                        out[(i * m.words as usize + w as usize) * s as usize + lane]
                    });
                }
            }
            match job.kernels {
                Some(k) => {
                    let back = p.prim.back();
                    for (sample, &position) in positions[..samples].iter().enumerate() {
                        job.aim(p.prim, sample, position);
                    }
                    k.late(&mut job.args, back, &run.stamps, &mut run.masks[..samples], out, (m.words, s));
                }
                None => {
                    for (sample, &position) in positions[..samples].iter().enumerate() {
                        let merge = self.views.run(job, p.prim, sample, position);
                        let masks = &mut run.masks[sample][..n];
                        scalar::merge(m, &merge, &run.stamps, masks, out, state.late_tests());
                    }
                }
            }
        }
        if job.record.occlusion.is_some() {
            let count = |list: &[u32; MAX_RUN_STAMPS]| count_lanes(list[..n].iter().copied(), shape.full);
            job.count(run.masks[..samples].iter().map(count).sum());
        }
        Ok(())
    }
}

impl SampleScratch {
    /// Makes the SampleMask inputs of a run, and where its centroid inputs are evaluated.
    fn inputs(&mut self, run: &SampleRun, samples: u32, s: usize, full: u32, centroid_inputs: bool) {
        self.rows.clear();
        self.centroids.clear();
        let lists = &run.masks[..samples as usize];
        for i in 0..run.stamps.len() {
            let first = self.rows.len();
            if lists.iter().all(|list| list[i] == full) {
                self.rows.resize(first + s, (1 << samples) - 1);
            } else {
                // Eight lanes at a time, so that it is done wide.
                let mut row = [0; MAX_LANES];
                for (k, list) in lists.iter().enumerate() {
                    for (group, lanes) in
                        row.as_chunks_mut::<8>().0.iter_mut().take(s.div_ceil(8)).enumerate()
                    {
                        let mask = list[i] >> (8 * group);
                        (0..8).for_each(|l| lanes[l] |= u32::from(mask & (1 << l) != 0) << k);
                    }
                }
                self.rows.extend_from_slice(&row[..s]);
            }
            if centroid_inputs {
                let places = self.rows[first..].iter().map(|&mask| centroid(mask, samples));
                self.centroids.extend(places.clone().map(|p| p[0]));
                self.centroids.extend(places.map(|p| p[1]));
            }
        }
    }
}

/// Takes away lanes of a sample that SampleMask and alpha of the fragment stage leave out; `word` gives
/// its output.
#[inline(always)]
fn mask_by_output(
    mask: &mut u32,
    state: &TileState,
    sample: u32,
    samples: u32,
    word: impl Fn(u32, usize) -> u32,
) {
    let s = MAX_LANES.min(32);
    if let Some(w) = state.sample_mask_word {
        let covered = *mask;
        *mask &= lanes_where(s, |lane| covered >> lane & 1 != 0 && word(w, lane) >> sample & 1 != 0);
    }
    if let Some(w) = state.coverage_alpha {
        let covered = *mask;
        *mask &= lanes_where(s, |lane| {
            covered >> lane & 1 != 0 && alpha_samples(f32::from_bits(word(w, lane)), samples) > sample
        });
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
