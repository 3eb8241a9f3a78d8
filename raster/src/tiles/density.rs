//! Fragments whose size a density map sets. They have one set of samples, at the sample locations scaled by the size of
//! the fragment: a sample of the fragment is covered or not, for all its pixels.
//!
//! A scaled location lies in one pixel of the fragment. Coverage runs once for each size, with the pixels' samples moved
//! to the scaled locations; only those pixels count, and their coverage is spread to all pixels of the fragment inside
//! of the render area. From there on, pixels are tested, shaded and merged like those of shading rates.
//!
//! Reading the map is left to [`super::density_map`], shading to [`super::coarse`].
//!
//! Spec: Vulkan, "Multisampling" (primsrast-multisampling), for render passes with a fragment density map.

use quadrille_jit::abi::{SAMPLE_POSITIONS, stamp_lane};

use super::fragments::{Coarse, Parts, SampleLanes, bits};
use super::sample_run::SampleRun;
use super::tile::{Primitive, TileDrawContext, TileRun};
use crate::bins::kind;
use crate::limits::{MAX_RUN_STAMPS, SUBPIXEL_BITS, SUBPIXELS};
use crate::record::Unfinished;
use crate::samples::MAX_SAMPLES;
use crate::state::ConservativeMode;
use crate::state::shading_rate::LogSize;

/// Samples of fragments of one size.
struct Scaled {
    /// The pixel of the fragment in which each sample lies.
    pixels: [[u32; 2]; MAX_SAMPLES],
    /// Location of each sample relative to the centre of that pixel, in 1/256 pixels.
    offsets_fx8: [[i32; 2]; MAX_SAMPLES],
}

impl Scaled {
    /// Scales sample locations, which are relative to the centre of a pixel.
    fn new(offsets_fx8: &[[i32; 2]], size: LogSize) -> Scaled {
        let mut scaled = Scaled { pixels: [[0; 2]; MAX_SAMPLES], offsets_fx8: [[0; 2]; MAX_SAMPLES] };
        for (i, offset) in offsets_fx8.iter().enumerate().take(MAX_SAMPLES) {
            let at = [0, 1].map(|k| (offset[k] + SUBPIXELS / 2) << size[k]);
            scaled.pixels[i] = at.map(|v| (v >> SUBPIXEL_BITS) as u32);
            scaled.offsets_fx8[i] = at.map(|v| (v & (SUBPIXELS - 1)) - SUBPIXELS / 2);
        }
        scaled
    }
}

/// Sample locations in pixels from the corner of a fragment.
pub(super) fn scaled_positions(
    positions: &[[f32; 2]; SAMPLE_POSITIONS],
    size: LogSize,
) -> [[f32; 2]; SAMPLE_POSITIONS] {
    positions.map(|at| [0, 1].map(|k| at[k] * (1 << size[k]) as f32))
}

/// Rule by which the pixels of a fragment cover its samples.
#[derive(Clone, Copy)]
enum By<'a> {
    /// The pixel in which the sample lies.
    Sample(&'a Scaled),
    /// Any pixel: lines of whole pixels and overestimation.
    AnyPixel,
    /// All pixels: underestimation.
    AllPixels,
}

impl By<'_> {
    /// Fragment lanes of the stamp of fragments at `corner` whose sample is covered.
    fn covered(self, hit: &SampleLanes, sample: usize, parts: &Parts, corner: [i32; 2]) -> u32 {
        let (n, lanes) = (Coarse::stamps(parts.shape), parts.shape.full.count_ones());
        let (mut any, mut missing) = (0, 0);
        for ([x, y], number, of) in parts.pixels(corner) {
            let pixels = hit.of(sample, number, n);
            for lane in bits(pixels) {
                let counts = match self {
                    By::AnyPixel | By::AllPixels => true,
                    By::Sample(scaled) => {
                        let (lx, ly) = stamp_lane(lanes, lane as u32);
                        parts.within([x + lx as i32, y + ly as i32]) == scaled.pixels[sample]
                    }
                };
                any |= u32::from(counts) << of[lane];
            }
            bits(parts.shape.full & !pixels).for_each(|lane| missing |= 1 << of[lane]);
        }
        if matches!(self, By::AllPixels) { any & !missing } else { any }
    }
}

impl<'a> TileRun<'a> {
    /// Renders a primitive in the tile in a pass with a density map; `full` if it covers the whole tile.
    pub(super) fn command_density(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        full: bool,
    ) -> Result<(), Unfinished> {
        let Some(map) = &self.desc.density else { return Ok(()) };
        let mut coarse = std::mem::take(&mut self.scratch.coarse);
        if !std::mem::replace(&mut self.maps_cells, true) {
            coarse.cells.of_map(map, p.prim.fragment.layer, self.at, self.samples);
        }
        let mut result = Ok(());
        for size in coarse.cells.sizes() {
            let parts = Parts::of_map(job.record.lanes, job.record.shape, size);
            result = result.and_then(|()| {
                self.cover_fragments(job, p, full, &mut coarse, &parts)?;
                self.test_fragments(job, p, &mut coarse);
                if job.state.shades && job.record.fragment.is_some() {
                    self.shade_density(job, p, &mut coarse, &parts)?;
                }
                Ok(())
            });
        }
        self.scratch.coarse = coarse;
        result
    }

    /// Finds the covered samples of the fragments of one size, and spreads them to the pixels of the fragments.
    fn cover_fragments(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        full: bool,
        coarse: &mut Coarse,
        parts: &Parts,
    ) -> Result<(), Unfinished> {
        let (samples, shape) = (self.samples as usize, job.record.shape);
        let scaled = Scaled::new(job.record.offsets_fx8(self.samples), parts.size);
        let Coarse { hit, spread, cells, .. } = coarse;
        hit.clear(samples, shape);
        self.each_run(job, p, full, &scaled.offsets_fx8[..samples], |tile, _, _| {
            hit.add(&tile.scratch.sample.run, samples, tile.at, shape);
            Ok(())
        })?;
        let whole = p.outline.is_some_and(|o| o.kind & kind::WHOLE_PIXELS != 0);
        let by = match job.state.desc.conservative {
            _ if !whole => By::Sample(&scaled),
            ConservativeMode::Underestimate => By::AllPixels,
            ConservativeMode::Disabled | ConservativeMode::Overestimate => By::AnyPixel,
        };
        let (n, lanes) = (Coarse::stamps(shape), shape.full.count_ones());
        let one_size = cells.is_uniform();
        spread.clear(samples, shape);
        spread.bounds = parts.around(hit.bounds);
        parts.each_stamp(hit.bounds, |corner| {
            for sample in 0..samples {
                let covered = by.covered(hit, sample, parts, corner);
                if covered == 0 {
                    continue;
                }
                for ([x, y], number, of) in parts.pixels(corner) {
                    let place = |lane: usize| {
                        let (lx, ly) = stamp_lane(lanes, lane as u32);
                        [x + lx as i32, y + ly as i32]
                    };
                    let has_size = |lane: usize| one_size || cells.at(place(lane)) == parts.size;
                    let pixels = bits(shape.inside(x + self.at[0], y + self.at[1], &self.rec.area));
                    let pixels = pixels.filter(|&lane| covered >> of[lane] & 1 != 0 && has_size(lane));
                    spread.set(sample, number, n, pixels.fold(0, |mask, lane| mask | 1 << lane));
                }
            }
        });
        Ok(())
    }

    /// Runs the early tests on the pixels of covered fragments.
    fn test_fragments(&mut self, job: &mut TileDrawContext<'a>, p: &Primitive<'_>, coarse: &mut Coarse) {
        let (samples, shape, at) = (self.samples as usize, job.record.shape, self.at);
        let n = Coarse::stamps(shape);
        let Coarse { left, spread, covered, pixels: run, .. } = coarse;
        left.clear(samples, shape);
        let mut test = |run: &mut SampleRun| {
            self.test_run(job, p, run);
            left.add(run, samples, at, shape);
            run.stamps.clear();
        };
        run.begin();
        for number in spread.numbers(shape) {
            if spread.any(number, n) == 0 {
                continue;
            }
            if run.stamps.len() == MAX_RUN_STAMPS {
                test(run);
            }
            let mut masks = [0; MAX_SAMPLES];
            (0..samples).for_each(|sample| masks[sample] = spread.of(sample, number, n));
            let [x, y] = Coarse::corner(shape, number);
            run.push([x + at[0], y + at[1]], &masks[..samples]);
        }
        if !run.stamps.is_empty() {
            test(run);
        }
        let spare = covered.take().unwrap_or_default();
        *covered = job.state.covered_before_tests.then(|| std::mem::replace(spread, spare));
    }

    /// Shades the remaining fragments, once or once for each sample.
    fn shade_density(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        coarse: &mut Coarse,
        parts: &Parts,
    ) -> Result<(), Unfinished> {
        let samples = self.samples as usize;
        let each = (0..samples).map(Some).filter(|_| job.state.per_sample);
        let once = std::iter::once(None).filter(|_| !job.state.per_sample);
        each.chain(once).try_for_each(|only| self.shade_sized(job, p, coarse, parts, only))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::offsets_fx8;

    /// The location of a sample in a fragment is that in a pixel, times the size of the fragment.
    #[test]
    fn samples_are_scaled_by_the_size_of_fragments() {
        for samples in [1, 2, 4, 8, 16] {
            let offsets = offsets_fx8(samples);
            for size in [[0, 0], [1, 0], [0, 1], [1, 2], [2, 2]] {
                let scaled = Scaled::new(offsets, size);
                for (i, offset) in offsets.iter().enumerate() {
                    for k in 0..2 {
                        let within = scaled.offsets_fx8[i][k] + 128;
                        assert!((0..256).contains(&within));
                        let at = scaled.pixels[i][k] as i32 * 256 + within;
                        assert_eq!(
                            at,
                            (offset[k] + 128) * (1 << size[k]),
                            "sample {i} of {samples}, {size:?}"
                        );
                    }
                }
            }
        }
    }
}
