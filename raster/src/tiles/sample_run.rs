//! A run of stamps with the covered lanes of each sample, and the inputs derived from them. Testing and shading runs is
//! left to [`super::multisample`].

use quadrille_jit::abi::{MAX_LANES, Stamp};

use crate::limits::MAX_RUN_STAMPS;
use crate::samples::MAX_SAMPLES;

/// Per-thread memory for multisampled primitives.
#[derive(Default)]
pub(crate) struct SampleScratch {
    pub run: SampleRun,
    /// The part of a run with one sample, for shading per sample.
    pub part: SampleRun,
    /// Coverage of a run before early tests.
    pub covered: SampleRun,
    /// Stamps of one sample during its early tests.
    pub list: Vec<Stamp>,
    /// SampleMask inputs of a run.
    pub rows: Vec<u32>,
    /// Positions within pixels at which centroid inputs of the run are evaluated.
    pub centroids: Vec<f32>,
}

/// Stamps of a primitive, with the covered lanes of each sample.
#[derive(Default)]
pub(crate) struct SampleRun {
    /// Stamps, whose masks are the lanes with any covered sample.
    pub stamps: Vec<Stamp>,
    /// Lane masks by sample and stamp; only the first `stamps.len()` entries per sample are used.
    pub masks: Vec<[u32; MAX_RUN_STAMPS]>,
}

impl SampleRun {
    /// Removes all stamps, and allocates memory for the maximum number on first use. A new run allocates nothing, so
    /// that runs can be moved out of the scratch memory for free.
    pub fn begin(&mut self) {
        self.stamps.clear();
        if self.masks.is_empty() {
            self.stamps.reserve(MAX_RUN_STAMPS);
            self.masks.resize(MAX_SAMPLES, [0; MAX_RUN_STAMPS]);
        }
    }

    /// Adds a stamp. The run must not be full.
    #[inline]
    pub fn push(&mut self, [x, y]: [i32; 2], masks: &[u32]) {
        let (n, mut mask) = (self.stamps.len(), 0);
        for (list, &m) in self.masks.iter_mut().zip(masks) {
            list[n] = m;
            mask |= m;
        }
        self.stamps.push(Stamp { x, y, mask });
    }

    /// Sets the mask of a sample to the result of its early tests: some of the stamps, in order.
    pub fn keep(&mut self, sample: usize, left: &[Stamp]) {
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

    /// Removes stamps without any covered sample.
    pub fn compact(&mut self, samples: usize) {
        let mut n = 0;
        for i in 0..self.stamps.len() {
            let mask = self.masks[..samples].iter().fold(0, |any, list| any | list[i]);
            self.move_stamp(i, n, samples);
            self.stamps[n].mask = mask;
            n += usize::from(mask != 0);
        }
        self.stamps.truncate(n);
    }

    /// Makes the run a copy of another run.
    pub fn copy(&mut self, from: &SampleRun, samples: usize) {
        self.begin();
        self.stamps.extend_from_slice(&from.stamps);
        let n = self.stamps.len();
        for (to, from) in self.masks.iter_mut().zip(&from.masks).take(samples) {
            to[..n].copy_from_slice(&from[..n]);
        }
    }

    /// Removes the stamps that `other` no longer has. The run must be an earlier copy of `other`.
    pub fn compact_as(&mut self, other: &SampleRun, samples: usize) {
        let mut n = 0;
        for i in 0..self.stamps.len() {
            let [own, left] = [Some(&self.stamps[i]), other.stamps.get(n)].map(|s| s.map(|s| [s.x, s.y]));
            if own == left {
                self.move_stamp(i, n, samples);
                n += 1;
            }
        }
        self.stamps.truncate(n);
    }

    fn move_stamp(&mut self, from: usize, to: usize, samples: usize) {
        if from != to {
            self.stamps[to] = self.stamps[from];
            self.masks[..samples].iter_mut().for_each(|list| list[to] = list[from]);
        }
    }

    /// Makes the run a copy of one sample of another run.
    pub fn copy_sample(&mut self, from: &SampleRun, sample: usize, samples: usize) {
        self.begin();
        for (s, &mask) in from.stamps.iter().zip(&from.masks[sample]).filter(|(_, m)| **m != 0) {
            let mut masks = [0; MAX_SAMPLES];
            masks[sample] = mask;
            self.push([s.x, s.y], &masks[..samples]);
        }
    }
}

impl SampleScratch {
    /// Computes the SampleMask inputs of a run, and the positions for its centroid inputs.
    pub fn inputs(
        &mut self,
        run: &SampleRun,
        positions: &[[f32; 2]],
        samples: u32,
        s: usize,
        full: u32,
        centroid_inputs: bool,
    ) {
        self.rows.clear();
        self.centroids.clear();
        let lists = &run.masks[..samples as usize];
        for i in 0..run.stamps.len() {
            let first = self.rows.len();
            if lists.iter().all(|list| list[i] == full) {
                self.rows.resize(first + s, (1 << samples) - 1);
            } else {
                // Eight lanes at a time, so that the compiler vectorizes the loop.
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
                let places = self.rows[first..].iter().map(|&mask| centroid(mask, positions, samples));
                self.centroids.extend(places.clone().map(|p| p[0]));
                self.centroids.extend(places.map(|p| p[1]));
            }
        }
    }
}

/// Position at which centroid inputs of a pixel are evaluated: the centre if all samples or none are covered, else the
/// first covered sample.
fn centroid(mask: u32, positions: &[[f32; 2]], samples: u32) -> [f32; 2] {
    let full = mask.count_ones() == samples;
    if full || mask == 0 { [0.5; 2] } else { positions[mask.trailing_zeros() as usize] }
}

pub(super) fn lanes_where(lanes: usize, f: impl Fn(usize) -> bool) -> u32 {
    (0..lanes).fold(0, |m, lane| m | u32::from(f(lane)) << lane)
}

/// Number of samples that an alpha value covers; NaN covers none.
pub(super) fn alpha_samples(alpha: f32, samples: u32) -> u32 {
    let alpha = if alpha > 0.0 { alpha.min(1.0) } else { 0.0 };
    (alpha * samples as f32).round_ties_even() as u32
}
