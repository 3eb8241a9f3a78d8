//! Fragments of several pixels: the remaining pixels and samples of a primitive in a tile, and the stamps of their
//! fragments. Shading and merging are left to [`super::coarse`].

use quadrille_jit::abi::{MAX_LANES, Stamp, stamp_lane};

use super::rates::Cells;
use super::sample_run::SampleRun;
use crate::bins::StampShape;
use crate::invoke::Lines;
use crate::limits::TILE_PX;
use crate::state::shading_rate::LogSize;

/// Per-thread memory for fragments of several pixels.
#[derive(Default)]
pub(crate) struct Coarse {
    /// Sizes of the fragments of a primitive in the tile.
    pub cells: Cells,
    /// With a density map, coverage at the samples of fragments of one size.
    pub hit: SampleLanes,
    /// With a density map, coverage of the pixels of fragments of one size.
    pub spread: SampleLanes,
    /// Samples that passed early tests.
    pub left: SampleLanes,
    /// Samples covered before early tests, if the fragment stage reads them.
    pub covered: Option<SampleLanes>,
    /// Stamps of fragments to shade, in pixels relative to the tile's corner.
    pub fragments: Vec<Stamp>,
    /// Pixels of the shaded fragments.
    pub pixels: SampleRun,
    /// Outputs of the fragments, copied to their pixels.
    pub output: Lines,
    /// SampleMask inputs of a run.
    pub masks: Vec<u32>,
    /// Positions within fragments at which centroid inputs are evaluated.
    pub centroids: Vec<f32>,
}

/// Lane masks, by sample and stamp of the tile.
#[derive(Default)]
pub(crate) struct SampleLanes {
    /// All zero but for the stamps within the bounds.
    masks: Vec<u32>,
    /// Numbers of samples, and binary logarithms of the size of stamps.
    samples: usize,
    log_size: [u32; 2],
    /// Left, top, right and bottom of the stamps that may have lanes, in pixels of the tile.
    pub bounds: [i32; 4],
}

impl SampleLanes {
    /// Resets to no lanes, for a tile. Takes time for the stamps within the bounds, not for all of the tile.
    pub fn clear(&mut self, samples: usize, shape: &StampShape) {
        let [log_w, log_h] = self.log_size;
        let (across, n) = (TILE_PX as usize >> log_w, Coarse::stamps_of(self.log_size));
        let [left, top, right, bottom] = self.bounds.map(|v| v as usize);
        for (sample, row) in
            (0..self.samples).flat_map(|s| (top >> log_h..bottom >> log_h).map(move |y| (s, y)))
        {
            let first = sample * n + row * across;
            self.masks[first + (left >> log_w)..first + (right >> log_w)].fill(0);
        }
        let needed = samples * Coarse::stamps(shape);
        self.masks.resize(self.masks.len().max(needed), 0);
        (self.samples, self.log_size) = (samples, shape.log_size);
        self.bounds = [TILE_PX as i32, TILE_PX as i32, 0, 0];
    }

    /// Adds the lanes of a run.
    pub fn add(&mut self, run: &SampleRun, samples: usize, at: [i32; 2], shape: &StampShape) {
        let (n, [log_w, log_h]) = (Coarse::stamps(shape), shape.log_size);
        for (i, s) in run.stamps.iter().enumerate() {
            let [x, y] = [s.x - at[0], s.y - at[1]];
            let number = ((y >> log_h) * (TILE_PX as i32 >> log_w) + (x >> log_w)) as usize;
            for (sample, masks) in run.masks[..samples].iter().enumerate() {
                self.masks[sample * n + number] |= masks[i];
            }
            let [left, top, right, bottom] = self.bounds;
            self.bounds = [left.min(x), top.min(y), right.max(x + shape.w), bottom.max(y + shape.h)];
        }
    }

    /// Lanes of a sample in stamp `number` of the tile's `n` stamps.
    pub fn of(&self, sample: usize, number: usize, n: usize) -> u32 {
        self.masks[sample * n + number]
    }

    /// Sets the lanes of a sample in stamp `number` of the tile's `n` stamps, which lies within the bounds.
    pub fn set(&mut self, sample: usize, number: usize, n: usize, mask: u32) {
        self.masks[sample * n + number] = mask;
    }

    /// Lanes with any sample in stamp `number` of the tile's `n` stamps.
    pub fn any(&self, number: usize, n: usize) -> u32 {
        self.masks[number..].iter().step_by(n).take(self.samples).fold(0, |any, mask| any | mask)
    }

    /// Numbers of the stamps within the bounds, row by row.
    pub fn numbers(&self, shape: &StampShape) -> impl Iterator<Item = usize> {
        let ([left, top, right, bottom], [log_w, log_h]) = (self.bounds, shape.log_size);
        let across = TILE_PX as i32 >> log_w;
        let rows = top >> log_h..bottom >> log_h;
        rows.flat_map(move |y| (left >> log_w..right >> log_w).map(move |x| (y * across + x) as usize))
    }
}

/// Mapping from stamps of pixels to lanes of a stamp of fragments.
pub(crate) struct Parts {
    pub size: LogSize,
    /// Fragment lane of each pixel lane, by stamp of pixels, row by row.
    lanes: Vec<[u8; MAX_LANES]>,
    pub shape: &'static StampShape,
    /// `true` if fragments have one set of samples; `false` if each of their pixels has its own.
    pub one_set: bool,
}

impl Parts {
    /// Fragments whose size a density map sets: they have one set of samples.
    pub fn of_map(lanes: u32, shape: &'static StampShape, size: LogSize) -> Parts {
        Parts { one_set: true, ..Parts::new(lanes, shape, size) }
    }

    /// Fragments whose size shading rates set: each of their pixels has its own samples.
    pub fn new(lanes: u32, shape: &'static StampShape, size: LogSize) -> Parts {
        let mut at = [[0; 8]; 8];
        for lane in 0..lanes {
            let (x, y) = stamp_lane(lanes, lane);
            at[y as usize][x as usize] = lane as u8;
        }
        let of_stamp = |i: u32| {
            let corner = [(i & ((1 << size[0]) - 1)) * shape.w as u32, (i >> size[0]) * shape.h as u32];
            std::array::from_fn(|lane| {
                let (x, y) = stamp_lane(lanes, (lane as u32).min(lanes - 1));
                at[((corner[1] + y) >> size[1]) as usize][((corner[0] + x) >> size[0]) as usize]
            })
        };
        Parts { size, lanes: (0..1 << (size[0] + size[1])).map(of_stamp).collect(), shape, one_set: false }
    }

    /// Size of a stamp of fragments in pixels.
    fn stamp_px(&self) -> [i32; 2] {
        [self.shape.w << self.size[0], self.shape.h << self.size[1]]
    }

    /// Bounds of the stamps of fragments that touch pixels within these bounds.
    pub fn around(&self, [left, top, right, bottom]: [i32; 4]) -> [i32; 4] {
        let [w, h] = self.stamp_px();
        [left / w * w, top / h * h, (right + w - 1) / w * w, (bottom + h - 1) / h * h]
    }

    /// Calls `f` with the corner of each stamp of fragments that touches pixels within the bounds, row by row.
    pub fn each_stamp(&self, bounds: [i32; 4], mut f: impl FnMut([i32; 2])) {
        let ([w, h], [left, top, right, bottom]) = (self.stamp_px(), self.around(bounds));
        for y in (top..bottom).step_by(h as usize) {
            (left..right).step_by(w as usize).for_each(|x| f([x, y]));
        }
    }

    /// Position of a pixel in its fragment, from its position in the tile.
    pub fn within(&self, px: [i32; 2]) -> [u32; 2] {
        [0, 1].map(|k| px[k] as u32 & ((1 << self.size[k]) - 1))
    }

    /// Index of the first bit for a pixel's samples in the SampleMask of its fragment. Spec: Vulkan, "Multisampling"
    /// (primsrast-multisampling-coverage-mask-vrfs).
    pub fn first_bit(&self, px: [i32; 2], samples: u32) -> u32 {
        if self.one_set {
            return 0;
        }
        let [x, y] = self.within(px);
        let last = (1 << (self.size[0] + self.size[1])) - 1;
        samples * (last - (x + (y << self.size[0])))
    }

    /// Stamps of pixels in the stamp of fragments at `[x, y]`: position, number in the tile, and fragment lane of each
    /// pixel lane.
    pub fn pixels(&self, [x, y]: [i32; 2]) -> impl Iterator<Item = ([i32; 2], usize, &[u8; MAX_LANES])> {
        let (size, shape) = (self.size, self.shape);
        self.lanes.iter().enumerate().map(move |(i, lanes)| {
            let at = [x + (i as i32 & ((1 << size[0]) - 1)) * shape.w, y + (i as i32 >> size[0]) * shape.h];
            let [log_w, log_h] = shape.log_size;
            let number = (at[1] >> log_h) * (TILE_PX as i32 >> log_w) + (at[0] >> log_w);
            (at, number as usize, lanes)
        })
    }
}

/// Indices of the bits that are set.
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

impl Coarse {
    /// Number of stamps in a tile.
    pub fn stamps(shape: &StampShape) -> usize {
        Self::stamps_of(shape.log_size)
    }

    /// The same for stamps of a size.
    fn stamps_of(log_size: [u32; 2]) -> usize {
        (TILE_PX * TILE_PX) as usize >> (log_size[0] + log_size[1])
    }

    /// Position of stamp `number` of the tile's stamps.
    pub fn corner(shape: &StampShape, number: usize) -> [i32; 2] {
        let [log_w, log_h] = shape.log_size;
        let (number, log_across) = (number as i32, TILE_PX.ilog2() as i32 - log_w as i32);
        [(number & ((1 << log_across) - 1)) << log_w, number >> log_across << log_h]
    }

    /// Finds the stamps of fragments of one size with any remaining sample, or with sample `only`.
    pub fn find(&mut self, parts: &Parts, only: Option<usize>) {
        let Coarse { cells, left, fragments, .. } = self;
        let (n, one_size) = (Self::stamps(parts.shape), cells.is_uniform());
        let lanes = parts.shape.full.count_ones();
        fragments.clear();
        parts.each_stamp(left.bounds, |[x, y]| {
            let mut mask = 0;
            for (_, number, of) in parts.pixels([x, y]) {
                let pixels = only.map_or_else(|| left.any(number, n), |sample| left.of(sample, number, n));
                bits(pixels).for_each(|lane| mask |= 1 << of[lane]);
            }
            if !one_size {
                let of_size = |&lane: &usize| {
                    let (lx, ly) = stamp_lane(lanes, lane as u32);
                    let px = [x + (lx << parts.size[0]) as i32, y + (ly << parts.size[1]) as i32];
                    cells.at(px) == parts.size
                };
                mask = bits(mask).filter(of_size).fold(0, |mask, lane| mask | 1 << lane);
            }
            if mask != 0 {
                fragments.push(Stamp { x, y, mask });
            }
        });
    }

    /// SampleMask inputs of a run: the covered samples of all pixels of each fragment, or of them only `only`.
    pub fn find_masks(&mut self, run: &[Stamp], parts: &Parts, samples: usize, only: Option<usize>) {
        let (n, lanes) = (Self::stamps(parts.shape), parts.shape.full.count_ones() as usize);
        let Coarse { left, covered, masks, .. } = self;
        let seen = covered.as_ref().unwrap_or(left);
        masks.clear();
        for s in run {
            let mut row = [0u32; MAX_LANES];
            for ([x, y], number, of) in parts.pixels([s.x, s.y]) {
                for sample in (0..samples).filter(|&sample| only.is_none_or(|only| only == sample)) {
                    for lane in bits(seen.of(sample, number, n)) {
                        let (lx, ly) = stamp_lane(lanes as u32, lane as u32);
                        let first = parts.first_bit([x + lx as i32, y + ly as i32], samples as u32);
                        row[of[lane] as usize] |= 1 << (first + sample as u32);
                    }
                }
            }
            masks.extend_from_slice(&row[..lanes]);
        }
    }

    /// Positions within fragments at which centroid inputs are evaluated: the centre if all samples or none are
    /// covered, else the first covered sample of the first covered pixel.
    pub fn find_centroids(
        &mut self,
        run: &[Stamp],
        parts: &Parts,
        positions: &[[f32; 2]],
        samples: usize,
        only: Option<usize>,
    ) {
        if parts.one_set {
            return self.find_scaled_centroids(run, parts, positions, samples, only);
        }
        let (n, lanes) = (Self::stamps(parts.shape), parts.shape.full.count_ones() as usize);
        let middle = parts.size.map(|log| (1 << log) as f32 * 0.5);
        let Coarse { left, covered: before, centroids, .. } = self;
        let seen = before.as_ref().unwrap_or(left);
        centroids.clear();
        for s in run {
            let (mut place, mut covered) = ([[0.0; 2]; MAX_LANES], [0; MAX_LANES]);
            for ([x, y], number, of) in parts.pixels([s.x, s.y]) {
                for (sample, position) in positions[..samples].iter().enumerate() {
                    for lane in bits(seen.of(sample, number, n)) {
                        let (lx, ly) = stamp_lane(lanes as u32, lane as u32);
                        let within = parts.within([x + lx as i32, y + ly as i32]);
                        let fragment = of[lane] as usize;
                        if covered[fragment] == 0 {
                            place[fragment] = [0, 1].map(|k| within[k] as f32 + position[k]);
                        }
                        covered[fragment] += 1;
                    }
                }
            }
            let all = samples << (parts.size[0] + parts.size[1]);
            for k in 0..2 {
                let of = |lane: usize| match covered[lane] {
                    0 => middle[k],
                    n if n == all => middle[k],
                    _ => place[lane][k],
                };
                centroids.extend((0..lanes).map(of));
            }
        }
    }

    /// [`Self::find_centroids`] of fragments with one set of samples, at `positions` in the fragment.
    fn find_scaled_centroids(
        &mut self,
        run: &[Stamp],
        parts: &Parts,
        positions: &[[f32; 2]],
        samples: usize,
        only: Option<usize>,
    ) {
        let middle = parts.size.map(|log| (1 << log) as f32 * 0.5);
        let masks = std::mem::take(&mut self.masks);
        self.find_masks(run, parts, samples, only);
        let lanes = parts.shape.full.count_ones() as usize;
        let place = |&mask: &u32| match mask.count_ones() as usize {
            0 => middle,
            n if n == samples => middle,
            _ => positions[mask.trailing_zeros() as usize],
        };
        self.centroids.clear();
        for row in self.masks.chunks(lanes) {
            (0..2).for_each(|k| self.centroids.extend(row.iter().map(|mask| place(mask)[k])));
        }
        self.masks = masks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Masks of one draw do not reach the next one, whatever its samples and stamps.
    #[test]
    fn clearing_leaves_no_lanes() {
        let mut masks = SampleLanes::default();
        let draws = [(16, 4), (1, 32), (4, 8), (16, 16), (2, 4), (8, 32), (16, 8), (1, 4)];
        for (turn, (samples, lanes)) in draws.into_iter().cycle().take(4 * draws.len()).enumerate() {
            let shape = StampShape::of(lanes);
            masks.clear(samples, shape);
            let n = Coarse::stamps(shape);
            assert!(
                (0..n).all(|number| masks.any(number, n) == 0),
                "draw {turn}: {samples} samples, {lanes} lanes"
            );
            assert!((0..samples).all(|s| (0..n).all(|number| masks.of(s, number, n) == 0)), "draw {turn}");
            // A part of the tile that varies, aligned to stamps of every size.
            let (left, top) = (8 * (turn as i32 % 5), 8 * (turn as i32 % 7));
            masks.bounds = [left, top, left + 24, top + 8];
            for number in masks.numbers(shape).collect::<Vec<_>>() {
                (0..samples).for_each(|s| masks.set(s, number, n, u32::MAX));
            }
        }
    }
}
