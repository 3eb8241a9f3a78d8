//! Fragments of several pixels: shaded once, merged pixel by pixel.
//!
//! Coverage and early tests run per pixel and sample, in the usual stamps. The remaining samples of a primitive in the
//! tile are gathered by stamp, and a fragment is shaded if any of its samples remains. A stamp of fragments is like any
//! other, except that neighbouring lanes are a fragment apart. Its outputs are copied to the pixels of each fragment,
//! and merged there. Fragments are aligned to their size, so none spans two tiles. Finding the stamps is left to
//! [`super::fragments`].
//!
//! Spec: Vulkan, "Fragment Shading Rates" (primsrast-fragment-shading-rate).

use quadrille_jit::abi::{SAMPLE_POSITIONS, Stamp, stamp_lane};

use super::density::scaled_positions;
use super::fragments::{Coarse, Parts};
use super::merge::count_lanes;
use super::rates::ShadingRates;
use super::tile::{Primitive, TileDrawContext, TileRun};
use crate::invoke::call_fragment;
use crate::limits::MAX_RUN_STAMPS;
use crate::record::Unfinished;
use crate::samples::MAX_SAMPLES;
use crate::state::shading_rate::encode;

impl<'a> TileRun<'a> {
    /// Renders a primitive in the tile whose fragments may have several pixels; `full` if it covers the whole tile.
    pub(super) fn command_coarse(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        full: bool,
        rates: &ShadingRates,
    ) -> Result<(), Unfinished> {
        let samples = self.samples as usize;
        let mut coarse = std::mem::take(&mut self.scratch.coarse);
        coarse.left.clear(samples, job.record.shape);
        coarse.covered = job.state.covered_before_tests.then(|| {
            let mut covered = coarse.covered.take().unwrap_or_default();
            covered.clear(samples, job.record.shape);
            covered
        });
        let offsets = job.record.offsets_fx8(self.samples);
        let mut result = self.each_run(job, p, full, offsets, |tile, job, p| {
            let mut run = std::mem::take(&mut tile.scratch.sample.run);
            if let Some(covered) = &mut coarse.covered {
                covered.add(&run, samples, tile.at, job.record.shape);
            }
            tile.test_run(job, p, &mut run);
            coarse.left.add(&run, samples, tile.at, job.record.shape);
            tile.scratch.sample.run = run;
            Ok(())
        });
        let attachment = self.desc.shading_rate.as_ref();
        coarse.cells.of_rates(rates, rates.of(p.planes), attachment, p.prim.fragment.layer, self.at);
        for size in coarse.cells.sizes() {
            let parts = Parts::new(job.record.lanes, job.record.shape, size);
            result = result.and_then(|()| self.shade_sized(job, p, &mut coarse, &parts, None));
        }
        self.scratch.coarse = coarse;
        result
    }

    /// Shades the remaining fragments of one size, and merges their pixels: all samples, or sample `only`.
    pub(super) fn shade_sized(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        coarse: &mut Coarse,
        parts: &Parts,
        only: Option<usize>,
    ) -> Result<(), Unfinished> {
        coarse.find(parts, only);
        let fragments = std::mem::take(&mut coarse.fragments);
        let mut runs = fragments.chunks(MAX_RUN_STAMPS);
        let result = runs.try_for_each(|run| self.shade_fragments(job, p, coarse, (run, only), parts));
        coarse.fragments = fragments;
        result
    }

    /// Sample locations in pixels from the corner of a fragment.
    fn places(&self, job: &TileDrawContext<'a>, parts: &Parts) -> [[f32; 2]; SAMPLE_POSITIONS] {
        let positions = job.record.positions(self.samples);
        if parts.one_set { scaled_positions(positions, parts.size) } else { *positions }
    }

    /// Shades a run of stamps of fragments of one size, and merges their pixels: all samples, or sample `only`.
    fn shade_fragments(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        coarse: &mut Coarse,
        (run, only): (&[Stamp], Option<usize>),
        parts: &Parts,
    ) -> Result<(), Unfinished> {
        let (record, samples, at) = (job.record, self.samples as usize, self.at);
        let (Some(f), Some(info)) = (&record.fragment, &job.state.desc.fragment) else { return Ok(()) };
        let (s, words) = (record.lanes as usize, job.state.merge.words as usize);
        let positions = &self.places(job, parts);
        let moved: Vec<Stamp> =
            run.iter().map(|s| Stamp { x: s.x + at[0], y: s.y + at[1], mask: s.mask }).collect();
        self.stats.fragment_invocations +=
            u64::from(count_lanes(moved.iter().map(|s| s.mask), record.shape.full));
        let out = self.scratch.output.room(MAX_RUN_STAMPS * words * s * 4);
        let masks = &mut self.scratch.masks;
        let ctx = &mut job.ctx;
        ctx.shading_rate = encode(parts.size);
        if parts.one_set {
            ctx.frag_size = parts.size.map(|log| 1 << log);
        }
        ctx.pixel_offset = parts.size.map(|log| (1 << log) as f32 * 0.5);
        if let Some(sample) = only {
            (ctx.sample_id, ctx.pixel_offset) = (sample as u32, positions[sample]);
        }
        (ctx.sample_count, ctx.sample_positions) = (self.samples, positions.as_ptr());
        if info.sample_mask {
            coarse.find_masks(run, parts, samples, only);
            ctx.in_sample_masks = coarse.masks.as_ptr();
        }
        if info.centroid {
            coarse.find_centroids(run, parts, positions, samples, only);
            ctx.centroids = coarse.centroids.as_ptr();
        }
        let lanes = &mut self.scratch.lanes;
        let done = call_fragment(f, ctx, &p.prim.fragment, p.planes, &moved, 0, out, masks, lanes);
        (ctx.shading_rate, ctx.frag_size) = (0, [1; 2]);
        (ctx.sample_id, ctx.pixel_offset) = (0, [0.5; 2]);
        (ctx.in_sample_masks, ctx.centroids) = (std::ptr::null(), std::ptr::null());
        if !done {
            return Err(job.called());
        }
        self.merge_fragments(job, p, coarse, (run, only), parts);
        Ok(())
    }

    /// Copies the outputs of a run of stamps of fragments to their pixels, and merges the pixels: all samples, or sample
    /// `only`.
    fn merge_fragments(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        coarse: &mut Coarse,
        (run, only): (&[Stamp], Option<usize>),
        parts: &Parts,
    ) {
        let (samples, at, n) = (self.samples as usize, self.at, Coarse::stamps(parts.shape));
        let (s, words) = (job.record.lanes as usize, job.state.merge.words as usize);
        // The samples of a pixel are masked by its part of the fragment's SampleMask.
        let mask_row =
            job.state.sample_mask_word.or(job.state.merge.sample_mask).map(|word| word as usize * s);
        let (mut pixels, mut output) =
            (std::mem::take(&mut coarse.pixels), std::mem::take(&mut coarse.output));
        let to = output.room(MAX_RUN_STAMPS * words * s * 4);
        pixels.begin();
        for (i, stamp) in run.iter().enumerate() {
            let alive = stamp.mask & self.scratch.masks[i];
            for ([x, y], number, of) in parts.pixels([stamp.x, stamp.y]) {
                let lit = (0..s).fold(0, |lit, lane| lit | (alive >> of[lane] & 1) << lane);
                let mut masks = [0; MAX_SAMPLES];
                for (sample, mask) in masks[..samples].iter_mut().enumerate() {
                    let merged = only.is_none_or(|only| only == sample);
                    *mask = if merged { coarse.left.of(sample, number, n) & lit } else { 0 };
                }
                if masks.iter().all(|&mask| mask == 0) {
                    continue;
                }
                if pixels.stamps.len() == MAX_RUN_STAMPS {
                    self.merge_samples(job, p, &mut pixels, to);
                    pixels.stamps.clear();
                }
                let from = &self.scratch.output.words()[i * words * s..];
                let to = &mut to[pixels.stamps.len() * words * s..];
                for row in (0..words).map(|word| word * s) {
                    (0..s).for_each(|lane| to[row + lane] = from[row + of[lane] as usize]);
                }
                let masks_out = mask_row.map_or(&mut [][..], |row| &mut to[row..row + s]);
                for (lane, mask) in masks_out.iter_mut().enumerate() {
                    let (lx, ly) = stamp_lane(s as u32, lane as u32);
                    *mask >>= parts.first_bit([x + lx as i32, y + ly as i32], samples as u32);
                }
                pixels.push([x + at[0], y + at[1]], &masks[..samples]);
            }
        }
        if !pixels.stamps.is_empty() {
            self.merge_samples(job, p, &mut pixels, to);
        }
        (coarse.pixels, coarse.output) = (pixels, output);
    }
}
