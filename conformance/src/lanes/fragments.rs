//! Runs fragment shaders on plain memory: one primitive over a rectangle of pixels.
#![expect(unsafe_code, reason = "calls lane functions, which take raw pointers")]

use std::iter::repeat_n;

use quadrille_jit::abi::{self, Ctx, Plane, Primitive, Stamp};
use quadrille_jit::call::LaneFn;

use super::job::{Given, Outcome};
use super::lines::{Lines, bytes_of};

/// The primitive: the pixels that it covers, and the interpolation of its inputs.
pub(super) struct Area<'a> {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Coverage row by row; pixels beyond the end of the list are covered.
    pub(super) covered: &'a [bool],
    /// For each word: value at the origin, change in x, change in y.
    pub(super) planes: &'a [[f32; 3]],
    pub(super) inv_w: &'a [f32; 3],
}

impl Area<'_> {
    /// Index of the pixel of a lane, if it is inside the rectangle.
    fn pixel(&self, stamp: (u32, u32), s: u32, lane: u32) -> Option<usize> {
        let (dx, dy) = abi::stamp_lane(s, lane);
        let (x, y) = (stamp.0 + dx, stamp.1 + dy);
        (x < self.width && y < self.height).then_some((y * self.width + x) as usize)
    }

    /// Stamps with at least one covered pixel.
    fn stamps(&self, s: u32) -> Vec<Stamp> {
        let (w, h) = abi::stamp_size(s);
        let mut stamps = Vec::new();
        for y in (0..self.height).step_by(h as usize) {
            for x in (0..self.width).step_by(w as usize) {
                let covered = |lane: &u32| {
                    let pixel = self.pixel((x, y), s, *lane);
                    pixel.is_some_and(|p| self.covered.get(p).copied().unwrap_or(true))
                };
                let mask = (0..s).filter(covered).fold(0, |mask, lane| mask | 1 << lane);
                if mask != 0 {
                    stamps.push(Stamp { x: x as i32, y: y as i32, mask });
                }
            }
        }
        stamps
    }
}

/// Standard sample locations of a pixel.
fn sample_positions(given: &Given) -> &'static [[f32; 2]] {
    match given.samples {
        4 => &[[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]],
        _ => &[[0.5, 0.5]],
    }
}

/// A point inside the covered area: the centre if all or no samples are covered, otherwise the first covered sample.
fn centroid(given: &Given, samples: &[[f32; 2]]) -> [f32; 2] {
    let covered = given.sample_mask & ((1 << samples.len()) - 1);
    let full = covered.count_ones() as usize == samples.len();
    if full || covered == 0 { [0.5; 2] } else { samples[covered.trailing_zeros() as usize] }
}

/// Runs the fragments of the primitive; `per_sample` shades one sample instead of the pixel.
pub(super) fn fragments(
    f: &LaneFn,
    ctx: &mut Ctx,
    given: &Given,
    area: &Area<'_>,
    per_sample: bool,
) -> (u32, Outcome) {
    let (meta, s) = (f.meta(), f.meta().lanes);
    let plane = |p: &[f32; 3]| Plane { a0: p[0], dadx: p[1], dady: p[2] };
    let inputs: Vec<Plane> = area.planes.iter().map(plane).collect();
    let primitive = Primitive {
        origin: [0.0, 0.0],
        z: Plane { a0: 0.5, ..Plane::default() },
        inv_w: plane(area.inv_w),
        inputs: inputs.as_ptr(),
        front_facing: given.front_facing,
        primitive_id: given.primitive_id,
        layer: given.layer,
        viewport_index: given.viewport_index,
    };
    let stamps = area.stamps(s);
    let lanes = s as usize * stamps.len();
    let words = meta.n_output_words as usize;
    let mut out = Lines::new(4 * words * lanes);
    let mut masks = Lines::of(&bytes_of(stamps.iter().map(|t| t.mask)));
    let samples = sample_positions(given);
    let mut positions = [[0.5f32, 0.5]; abi::SAMPLE_POSITIONS];
    positions[..samples.len()].copy_from_slice(samples);
    let rows = centroid(given, samples).map(|v| repeat_n(v.to_bits(), s as usize));
    let mut centroids =
        Lines::of(&bytes_of(rows.into_iter().flatten().collect::<Vec<_>>().repeat(stamps.len())));
    let mut in_samples = Lines::of(&bytes_of(repeat_n(given.sample_mask, lanes)));
    ctx.stamps = stamps.as_ptr();
    ctx.primitive = &primitive;
    ctx.output = out.pointer();
    ctx.out_masks = masks.pointer().cast();
    ctx.view_index = given.view_index;
    ctx.sample_id = given.sample_id;
    ctx.sample_count = samples.len() as u32;
    (ctx.frag_size, ctx.frag_invocations) = ([given.frag_width, given.frag_height], given.frag_invocations);
    if given.samples != 1 {
        ctx.in_sample_masks = in_samples.pointer().cast();
        ctx.centroids = centroids.pointer().cast();
    }
    ctx.sample_positions = positions.as_ptr();
    let sample = (given.sample_id as usize).min(positions.len() - 1);
    ctx.pixel_offset = if per_sample { positions[sample] } else { [0.5; 2] };
    // SAFETY: `run_until` built `ctx` with memory of the sizes that `meta` states, and the lines above point it to live
    // outputs: one row of S words per stamp and output word, and one mask per stamp.
    let status = unsafe { f.call(ctx, 0, stamps.len() as u32) };
    (status, scattered(area, &stamps, &out.words(), &masks.words(), (s, words)))
}

/// Outputs of the live lanes, pixel by pixel.
fn scattered(
    area: &Area<'_>,
    stamps: &[Stamp],
    out: &[u32],
    masks: &[u32],
    (s, words): (u32, usize),
) -> Outcome {
    let pixels = (area.width * area.height) as usize;
    let mut outcome =
        Outcome { output: vec![vec![0; words]; pixels], alive: vec![false; pixels], ..Outcome::default() };
    for (i, stamp) in stamps.iter().enumerate() {
        for lane in (0..s).filter(|l| masks[i] >> l & 1 == 1) {
            let at = area.pixel((stamp.x as u32, stamp.y as u32), s, lane);
            let pixel = at.expect("lanes outside of the rectangle begin inactive");
            outcome.alive[pixel] = true;
            for (word, to) in outcome.output[pixel].iter_mut().enumerate() {
                *to = out[(i * words + word) * s as usize + lane as usize];
            }
        }
    }
    outcome
}
