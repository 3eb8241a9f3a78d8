//! Several samples per pixel: coverage, and the steps from early depth to merge.
//!
//! Each sample is a separate plane of the attachments, so tests and merge run once per sample with the single-sample
//! code; the fragment stage runs once per pixel over all stamps with a covered sample. The masks of a run are left to
//! [`super::sample_run`].
//!
//! Spec: Vulkan, "Multisampling" (primsrast-multisampling).

use quadrille_jit::abi::{MAX_LANES, Stamp};

use super::coverage::cover_samples;
use super::lines::{Stippled, smooth};
use super::merge::{count_lanes, scalar};
use super::sample_run::{SampleRun, alpha_samples, lanes_where};
use super::state::TileState;
use super::tile::{Primitive, Scratch, TileDrawContext, TileRun};
use crate::bins::{Shape, kind};
use crate::invoke::call_fragment;
use crate::limits::{MAX_RUN_STAMPS, TILE_PX};
use crate::record::Unfinished;
use crate::samples::MAX_SAMPLES;

/// Sample mask of the state.
fn static_mask(state: &TileState) -> u32 {
    state.desc.sample_mask.unwrap_or(u32::MAX)
}

/// Lanes of each sample that the sample mask passes before early tests.
fn let_through(state: &TileState, full: u32) -> [u32; MAX_SAMPLES] {
    let mask = if state.masks_after_tests() { u32::MAX } else { static_mask(state) };
    std::array::from_fn(|i| if mask >> i & 1 != 0 { full } else { 0 })
}

impl<'a> TileRun<'a> {
    /// Renders a primitive in the tile, with several samples; `full` if it covers the whole tile.
    pub(crate) fn command_samples(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        full: bool,
    ) -> Result<(), Unfinished> {
        let offsets = job.record.offsets_fx8(self.samples);
        self.each_run(job, p, full, offsets, Self::shade_run)
    }

    /// Calls `shade` with runs of the stamps that a primitive covers in the tile, with samples at these locations relative
    /// to pixel centres, in 1/256 pixels.
    #[inline]
    pub(super) fn each_run(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        full: bool,
        offsets_fx8: &[[i32; 2]],
        mut shade: impl FnMut(&mut Self, &mut TileDrawContext<'a>, &Primitive<'_>) -> Result<(), Unfinished>,
    ) -> Result<(), Unfinished> {
        let samples = self.samples as usize;
        let shape = job.record.shape;
        let let_through = let_through(job.state, shape.full);
        let record = job.record;
        let (at, stipple) = (self.at, record.line_stipple);
        let discards = &record.discards;
        let lets_all = let_through[..samples].iter().all(|&m| m == shape.full);
        self.scratch.sample.run.begin();
        let mut result = Ok(());
        let mut emit = |corner: [i32; 2], masks: &[u32; MAX_SAMPLES]| {
            if self.scratch.sample.run.stamps.len() == MAX_RUN_STAMPS {
                if result.is_ok() {
                    result = shade(self, job, p);
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
            let offsets = if whole { &[[0; 2]; MAX_SAMPLES][..samples] } else { offsets_fx8 };
            match Stippled::of(outline, p.prim, p.extra, stipple, shape) {
                None if outline.kind & kind::DISCARDS == 0 => {
                    cover_samples(outline, at, offsets, shape, &mut emit);
                }
                line => cover_samples(outline, at, offsets, shape, &mut |[x, y], masks| {
                    let kept = discards.as_ref().map_or(u32::MAX, |d| d.kept([x, y], shape));
                    let mut masks = masks.map(|mask| mask & kept);
                    for (mask, &offset) in masks.iter_mut().zip(offsets) {
                        let mut s = Stamp { x, y, mask: *mask };
                        line.iter().for_each(|line| line.keep(&mut s, offset));
                        *mask = s.mask;
                    }
                    emit([x, y], &masks);
                }),
            }
        } else if let Shape::Block(block) = &p.prim.shape {
            block.stamps(at, &mut |s| emit([s.x, s.y], &[s.mask; MAX_SAMPLES]));
        }
        if result.is_ok() {
            result = shade(self, job, p);
        }
        result
    }

    /// Shades the gathered run: early tests, and the fragment stage once per pixel or for each sample.
    fn shade_run(&mut self, job: &mut TileDrawContext<'a>, p: &Primitive<'_>) -> Result<(), Unfinished> {
        let samples = self.samples as usize;
        let own = &mut self.scratch.sample;
        let (mut run, mut covered) = (std::mem::take(&mut own.run), std::mem::take(&mut own.covered));
        if job.state.covered_before_tests {
            covered.copy(&run, samples);
        }
        self.test_run(job, p, &mut run);
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
                self.shade_samples(job, p, &mut part, None, Some(sample))
            });
            self.scratch.sample.part = part;
            result
        } else {
            let covered = job.state.covered_before_tests.then(|| {
                covered.compact_as(&run, samples);
                &covered
            });
            self.shade_samples(job, p, &mut run, covered, None)
        };
        (self.scratch.sample.run, self.scratch.sample.covered) = (run, covered);
        result
    }

    /// Runs the early tests of all samples of a run, and counts those that remain if they are counted then.
    pub(super) fn test_run(&mut self, job: &mut TileDrawContext<'a>, p: &Primitive<'_>, run: &mut SampleRun) {
        let samples = self.samples as usize;
        if let Some(write) = job.state.early_tests() {
            for sample in 0..samples {
                self.early_sample(job, p, run, sample, write);
            }
        }
        if job.state.masks_after_tests() {
            let out = (0..samples).filter(|i| static_mask(job.state) >> i & 1 == 0);
            out.for_each(|i| run.masks[i].fill(0));
        }
        self.count_samples(job, true, run);
    }

    /// Runs the early tests of one sample.
    fn early_sample(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        run: &mut SampleRun,
        sample: usize,
        write: bool,
    ) {
        let position = job.record.positions(self.samples)[sample];
        if let Some(k) = job.kernels.filter(|k| k.several()) {
            let args = job.aim(p.prim, sample, position);
            k.early_of_sample(args, p.prim.back(), &run.stamps, &mut run.masks[sample]);
            return;
        }
        let list = &mut self.scratch.sample.list;
        list.clear();
        list.reserve(MAX_RUN_STAMPS);
        for (s, &mask) in run.stamps.iter().zip(&run.masks[sample]) {
            if mask != 0 {
                list.push(Stamp { mask, ..*s });
            }
        }
        match job.kernels {
            // Fragments of several pixels with one sample each.
            Some(k) => k.early(job.aim(p.prim, sample, position), p.prim.back(), list, 0),
            None => {
                let merge = self.views.run(job.record, p.prim, sample, position);
                scalar::early_tests(&job.state.merge, &merge, list, write);
                list.retain(|s| s.mask != 0);
            }
        }
        run.keep(sample, list);
    }

    /// Shades and merges a run of stamps: all samples with one run of the fragment stage, or only sample `only`.
    /// `covered`, if given, provides the coverage that the fragment stage reads, which may exceed the remaining
    /// samples.
    fn shade_samples(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        run: &mut SampleRun,
        covered: Option<&SampleRun>,
        only: Option<usize>,
    ) -> Result<(), Unfinished> {
        let mut output = std::mem::take(&mut self.scratch.output);
        let Scratch { masks, lanes, sample: own, .. } = &mut *self.scratch;
        let (state, m) = (job.state, &job.state.merge);
        let shape = job.record.shape;
        let s = job.record.lanes;
        let samples = self.samples as usize;
        let record = job.record;
        let positions = record.positions(self.samples);
        let n = run.stamps.len();
        if let Some(f) =
            job.record.fragment.as_ref().filter(|_| state.shades && state.desc.fragment.is_some())
        {
            own.inputs(
                covered.unwrap_or(run),
                positions,
                self.samples,
                s as usize,
                shape.full,
                state.centroid,
            );
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
                return Err(job.called());
            }
            job.runs[0] += 1;
            job.runs[1] += n as u32 * s;
            for list in &mut run.masks[..samples] {
                list.iter_mut().zip(&*masks).take(n).for_each(|(mask, &left)| *mask &= left);
            }
            self.merge_samples(job, p, run, out);
        }
        self.scratch.output = output;
        Ok(())
    }

    /// Merges a run of stamps with the outputs `out` of their fragments, and counts the samples that pass.
    pub(super) fn merge_samples(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        run: &mut SampleRun,
        out: &mut [u32],
    ) {
        let (state, m, s) = (job.state, &job.state.merge, job.record.lanes);
        let (samples, n) = (self.samples as usize, run.stamps.len());
        let positions = job.record.positions(self.samples);
        if let Some(outline) = p.outline.filter(|o| o.kind & kind::SMOOTH != 0) {
            smooth(outline, p.prim, p.extra, m, s, &run.stamps, 0, out);
        }
        if state.sample_mask_word.is_some() || state.coverage_alpha.is_some() {
            for (sample, list) in run.masks[..samples].iter_mut().enumerate() {
                for (i, mask) in list[..n].iter_mut().enumerate() {
                    mask_by_output(mask, state, sample as u32, self.samples, |w, lane| {
                        out[(i * m.words as usize + w as usize) * s as usize + lane]
                    });
                }
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
                    let merge = self.views.run(job.record, p.prim, sample, position);
                    let masks = &mut run.masks[sample][..n];
                    scalar::merge(m, &merge, &run.stamps, masks, out, state.late_tests());
                }
            }
        }
        self.count_samples(job, false, run);
    }

    /// Adds the samples of a run to the occlusion counter; see [`TileDrawContext::count`].
    fn count_samples(&self, job: &TileDrawContext<'a>, early: bool, run: &SampleRun) {
        let (n, full) = (run.stamps.len(), job.record.shape.full);
        let count = |list: &[u32; MAX_RUN_STAMPS]| count_lanes(list[..n].iter().copied(), full);
        job.count(early, || run.masks[..self.samples as usize].iter().map(count).sum());
    }
}

/// Removes lanes of a sample that the fragment stage's SampleMask or alpha excludes; `word` returns a word of the
/// stage's output.
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
