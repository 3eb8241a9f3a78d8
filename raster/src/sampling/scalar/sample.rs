//! Operations with a sampler: sample, gather and the lod query. Y'CbCr conversion is left to [`super::ycbcr`].
//!
//! Spec: Vulkan, "Image Operations Steps" (textures-operation-steps).

use quadrille_jit::abi::{ImageArgs, MAX_LANES};
use quadrille_jit::ir::{ImageDim, ImageOpKind, LodMode};

use super::super::lod::Footprint;
use super::super::state::{AddressMode, Filter, Reduction};
use super::super::{coords, cube, lod};
use super::{Call, ONE_F32, Place, float, lanes, put};
use crate::memory::format::{Numeric, Texel};

/// Coordinates of one lane after face selection, normalized unless the sampler uses unnormalized coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Coords {
    pub(super) c: [f32; 3],
    /// Layer or face of the view.
    pub(super) slice: u32,
}

/// Taps of a linear filter along one axis.
#[derive(Clone, Copy, Debug)]
struct Taps {
    /// Texels, not wrapped.
    i: [i32; 2],
    /// Weight of the second texel in 1/256.
    w: u32,
}

/// Result of the level selection for a lane.
#[derive(Clone, Copy, Debug)]
struct Selection {
    /// Lod after bias, lambda'.
    biased: f32,
    /// Lod after the clamp, lambda.
    lambda: f32,
    /// Number of samples of the footprint.
    samples: u32,
    /// Change of the coordinates along the footprint.
    along: [f32; 3],
}

impl Taps {
    const ZERO: Taps = Taps { i: [0, 0], w: 0 };
}

impl Call<'_> {
    pub(super) fn sampled(&self, args: &mut ImageArgs) {
        let selections = self.selections(args);
        for lane in lanes(args) {
            match self.op.kind {
                ImageOpKind::QueryLod => {
                    let Selection { biased, lambda, .. } = selections[lane];
                    let l = lod::levels(
                        lambda,
                        self.view.min_lod,
                        self.view.head.levels,
                        self.sampler.mipmap_mode,
                    );
                    args.texel[0][lane] = l.coordinate.to_bits();
                    args.texel[1][lane] = biased.to_bits();
                }
                ImageOpKind::Gather => self.gather(args, lane),
                _ => {
                    let t = self.sample(args, lane, &selections[lane]);
                    if self.op.dref {
                        args.texel[0][lane] = self.pick(t, self.key.swizzle[0]);
                    } else {
                        put(args, lane, 0, self.swizzled(t));
                    }
                }
            }
            self.tell(args, lane);
        }
    }

    /// Level selection of each lane.
    fn selections(&self, args: &ImageArgs) -> [Selection; MAX_LANES] {
        let none = Selection { biased: 0.0, lambda: 0.0, samples: 1, along: [0.0; 3] };
        let mut out = [none; MAX_LANES];
        if self.op.kind == ImageOpKind::Gather {
            return out;
        }
        for lane in lanes(args) {
            // Lane at whose coordinates the changes apply, and the changes.
            let (at, d) = match self.op.lod {
                LodMode::Implicit | LodMode::Bias => (lane & !3, self.differences(args, lane)),
                LodMode::Grad => (lane, self.given_gradients(args, lane)),
                LodMode::Explicit | LodMode::Zero => (lane, [None; 2]),
            };
            let f = match self.op.lod {
                LodMode::Explicit => Footprint { lod: float(&args.lod, lane), ..Footprint::ZERO },
                LodMode::Zero => Footprint::ZERO,
                _ => self.footprint(args, at, d),
            };
            // Unnormalized coordinates have lod 0.
            let base = if self.sampler.unnormalized { 0.0 } else { f.lod };
            let bias = if self.op.lod == LodMode::Bias { float(&args.lod, lane) } else { 0.0 };
            let biased = lod::biased(base, bias, self.sampler);
            let min = if self.op.min_lod { float(&args.min_lod, lane) } else { f32::NEG_INFINITY };
            out[lane] = Selection {
                biased,
                lambda: lod::clamped(biased, min, self.sampler),
                samples: f.samples,
                along: d[usize::from(f.along_y)].unwrap_or_default(),
            };
        }
        out
    }

    /// Differences within the lane's quad; `None`, which counts as 0, if a necessary lane is missing.
    fn differences(&self, args: &ImageArgs, lane: usize) -> [Option<[f32; 3]>; 2] {
        let q = lane & !3;
        let there = |i: usize| q + i < MAX_LANES && args.quad_mask >> (q + i) & 1 != 0;
        [1, 2].map(|to| {
            let difference = |c: usize| match c < self.n_coords() {
                true => float(&args.coord[c], q + to) - float(&args.coord[c], q),
                false => 0.0,
            };
            (there(0) && there(to)).then(|| std::array::from_fn(difference))
        })
    }

    fn given_gradients(&self, args: &ImageArgs, lane: usize) -> [Option<[f32; 3]>; 2] {
        let n = self.n_coords();
        [0, n].map(|first| {
            Some(std::array::from_fn(|c| if c < n { float(&args.grad[first + c], lane) } else { 0.0 }))
        })
    }

    /// Footprint for changes of the coordinates; for cubes, of the direction at `lane`, which does not matter without a
    /// change.
    fn footprint(&self, args: &ImageArgs, lane: usize, d: [Option<[f32; 3]>; 2]) -> Footprint {
        let l = self.level(0);
        let size = [l.width_f, l.height_f, l.depth_f];
        let max = if self.info.numeric.is_integer() { None } else { self.sampler.max_anisotropy() };
        if !self.is_cube() {
            let [dx, dy] = d.map(|d| d.map_or([0.0; 3], |d| std::array::from_fn(|c| d[c] * size[c])));
            return lod::footprint(dx, dy, max);
        }
        let v = std::array::from_fn(|c| float(&args.coord[c], lane));
        let face = cube::select(v);
        let on_face = cube::project(face, v);
        let on_faces = |d: [f32; 3]| {
            let [s, t] = cube::face_gradient(on_face, cube::project(face, d));
            [s * l.width_f, t * l.width_f, 0.0]
        };
        let [dx, dy] = d.map(|d| d.map_or([0.0; 3], on_faces));
        lod::footprint(dx, dy, max)
    }

    /// Coordinates and slice of a lane, displaced by `shift`.
    pub(super) fn coords(&self, args: &ImageArgs, lane: usize, shift: [f32; 3]) -> Coords {
        let n = self.n_coords();
        let mut c: [f32; 3] =
            std::array::from_fn(|i| if i < n { float(&args.coord[i], lane) + shift[i] } else { 0.0 });
        let layer = if self.op.arrayed {
            coords::layer(float(&args.coord[n], lane), self.view.head.layers)
        } else {
            0
        };
        if !self.is_cube() {
            return Coords { c, slice: layer };
        }
        let face = cube::select(c);
        let [s, t] = cube::face_coords(cube::project(face, c));
        c = [s, t, 0.0];
        Coords { c, slice: layer * 6 + face }
    }

    fn sample(&self, args: &ImageArgs, lane: usize, selection: &Selection) -> Texel {
        let lambda = selection.lambda;
        let ycbcr = self.sampler.ycbcr.as_ref();
        if let Some(t) = ycbcr.and_then(|c| self.sample_converted(c, args, lane, lambda)) {
            return t;
        }
        // Integer formats are not filtered.
        let mipmap_mode =
            if self.info.numeric.is_integer() { Filter::Nearest } else { self.sampler.mipmap_mode };
        let l = lod::levels(lambda, self.view.min_lod, self.view.head.levels, mipmap_mode);
        let filter = if lambda <= 0.0 { self.sampler.mag_filter } else { self.sampler.min_filter };
        let offset = std::array::from_fn(|c| if self.op.offset { args.offset[c][lane] as i32 } else { 0 });
        let dref = self.op.dref.then(|| float(&args.dref, lane));
        if self.info.numeric.is_integer() {
            return self.integer_nearest(&self.coords(args, lane, [0.0; 3]), l.fine, offset);
        }
        let filtered = |level: u32| {
            let n = selection.samples;
            let anisotropic = matches!(self.op.lod, LodMode::Implicit | LodMode::Bias | LodMode::Grad)
                && self.sampler.max_anisotropy().is_some();
            if !anisotropic {
                return self.filter(&self.coords(args, lane, [0.0; 3]), level, filter, offset, dref);
            }
            let mut sum = [0.0; 4];
            for i in 1..=n {
                let t = lod::sample_position(i, n);
                let at = self.coords(args, lane, selection.along.map(|d| d * t));
                let v = self.filter(&at, level, filter, offset, dref);
                sum = match self.sampler.reduction {
                    Reduction::WeightedAverage => std::array::from_fn(|c| sum[c] + v[c]),
                    _ if i == 1 => v,
                    r => std::array::from_fn(|c| extreme(r, sum[c], v[c])),
                };
            }
            match self.sampler.reduction {
                Reduction::WeightedAverage => sum.map(|v| v / n as f32),
                _ => sum,
            }
        };
        let mut v = filtered(l.fine);
        if l.weight != 0 {
            v = self.mix(v, filtered(l.coarse), l.weight);
        }
        if dref.is_some() {
            return [v[0].to_bits(), 0, 0, ONE_F32];
        }
        let texel = self.filter_result(v);
        ycbcr.map_or(texel, |c| self.model(c, texel.map(f32::from_bits)))
    }

    /// Combines two steps of a filter; the second has a weight in 1/256.
    fn mix(&self, a: [f32; 4], b: [f32; 4], w: u32) -> [f32; 4] {
        match self.sampler.reduction {
            Reduction::WeightedAverage => std::array::from_fn(|c| coords::lerp(a[c], b[c], w)),
            // Weights are below 1, so the first step always counts.
            _ if w == 0 => a,
            r => std::array::from_fn(|c| extreme(r, a[c], b[c])),
        }
    }

    /// True if filters cross the edges of cubes.
    fn is_seamless(&self) -> bool {
        self.is_cube() && !self.sampler.non_seamless
    }

    /// Address mode of an axis. Cubes clamp; [`Self::tap_word`] crosses their edges.
    fn mode(&self, axis: usize) -> AddressMode {
        if self.is_seamless() { AddressMode::ClampToEdge } else { self.sampler.address[axis] }
    }

    /// Number of axes with texels: 1, 2 or 3.
    fn n_axes(&self) -> usize {
        match self.op.dim {
            ImageDim::D1 | ImageDim::Buffer => 1,
            ImageDim::D3 => 3,
            _ => 2,
        }
    }

    /// Unnormalized coordinate along an axis.
    fn unnormalized(&self, at: &Coords, level: u32, axis: usize) -> f32 {
        let l = self.level(level);
        let size = [l.width_f, l.height_f, l.depth_f][axis];
        if self.sampler.unnormalized {
            coords::bound(at.c[axis], size)
        } else {
            coords::unnormalize(self.mode(axis), at.c[axis], size)
        }
    }

    fn taps(&self, at: &Coords, level: u32, offset: [i32; 3]) -> [Taps; 3] {
        std::array::from_fn(|axis| {
            if axis >= self.n_axes() {
                return Taps::ZERO;
            }
            let (i, w) = coords::linear(self.unnormalized(at, level, axis));
            let i = i.wrapping_add(offset[axis]);
            Taps { i: [i, i.wrapping_add(1)], w }
        })
    }

    fn nearest_texel(&self, at: &Coords, level: u32, offset: [i32; 3]) -> [i32; 3] {
        std::array::from_fn(|axis| {
            if axis >= self.n_axes() {
                return 0;
            }
            let i = coords::nearest(self.unnormalized(at, level, axis));
            // On a cube, coordinate 1.0 belongs to the last texel instead of the neighbouring face.
            let i = if self.is_seamless() { i.clamp(0, self.level(level).width as i32 - 1) } else { i };
            i.wrapping_add(offset[axis])
        })
    }

    /// The word of the texel at unwrapped coordinates; `None` for the border. Not for cube corners.
    fn tap_word(&self, level: u32, slice: u32, i: [i32; 3]) -> Option<u128> {
        let l = self.level(level);
        let size = [l.width, l.height, l.depth];
        let mut slice = slice;
        let mut t = i;
        if self.is_seamless() {
            let (face, x, y) = cube::across_edge(slice % 6, i[0], i[1], l.width as i32);
            slice = slice / 6 * 6 + face;
            t = [x, y, 0];
        } else {
            for axis in 0..self.n_axes() {
                t[axis] = coords::wrap(self.mode(axis), i[axis], size[axis] as i32)?;
            }
        }
        self.word(Place { level, slice, sample: 0, x: t[0], y: t[1], z: t[2] })
    }

    /// One texel in the domain of filters, or the result of comparing it if there is a reference.
    fn tap(&self, level: u32, slice: u32, i: [i32; 3], dref: Option<f32>) -> [f32; 4] {
        if self.is_seamless() {
            let n = self.level(level).width as i32;
            let out = |v: i32| v < 0 || v >= n;
            if out(i[0]) && out(i[1]) {
                // At a corner of a cube, the average of the three texels that meet there replaces the missing fourth.
                let (x, y) = (i[0].clamp(0, n - 1), i[1].clamp(0, n - 1));
                let three = [[x, y, 0], [i[0], y, 0], [x, i[1], 0]];
                let [a, b, c] = three.map(|p| self.tap(level, slice, p, dref));
                if self.sampler.reduction != Reduction::WeightedAverage {
                    let r = self.sampler.reduction;
                    return std::array::from_fn(|k| extreme(r, extreme(r, a[k], b[k]), c[k]));
                }
                return std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0);
            }
        }
        let word = self.tap_word(level, slice, i);
        let v = match word {
            Some(w) => self.filter_value(w),
            None => self.border_filter_value(),
        };
        match dref {
            Some(d) => [if self.compare(d, v[0]) { 1.0 } else { 0.0 }, 0.0, 0.0, 0.0],
            None => v,
        }
    }

    /// Compares the reference with a depth, which the result replaces in the texel. Spec: Vulkan, "Depth Compare
    /// Operation" (textures-depth-compare-operation).
    fn compare(&self, dref: f32, depth: f32) -> bool {
        let fixed_point = self.info.numeric == Numeric::Unorm;
        let dref = if fixed_point { lod::clamp(dref, 0.0, 1.0) } else { dref };
        self.sampler.compare.is_some_and(|op| op.test(dref, depth))
    }

    /// Filtered value at a level.
    fn filter(
        &self,
        at: &Coords,
        level: u32,
        filter: Filter,
        offset: [i32; 3],
        dref: Option<f32>,
    ) -> [f32; 4] {
        if filter == Filter::Nearest {
            return self.tap(level, at.slice, self.nearest_texel(at, level, offset), dref);
        }
        let [tx, ty, tz] = self.taps(at, level, offset);
        if filter == Filter::Cubic && self.n_axes() == 2 {
            return self.cubic([tx, ty], level, at.slice, dref);
        }
        let row = |y: i32, z: i32| {
            let [a, b] = tx.i.map(|x| self.tap(level, at.slice, [x, y, z], dref));
            self.mix(a, b, tx.w)
        };
        let slice = |z: i32| {
            if self.n_axes() < 2 {
                return row(0, z);
            }
            self.mix(row(ty.i[0], z), row(ty.i[1], z), ty.w)
        };
        if self.n_axes() < 3 {
            return slice(0);
        }
        self.mix(slice(tz.i[0]), slice(tz.i[1]), tz.w)
    }

    /// Filtered value of four by four texels, in rows.
    fn cubic(&self, [x, y]: [Taps; 2], level: u32, slice: u32, dref: Option<f32>) -> [f32; 4] {
        let tap = |i: usize, j: usize| {
            let at = |taps: Taps, n: usize| taps.i[0].wrapping_add(n as i32 - 1);
            self.tap(level, slice, [at(x, i), at(y, j), 0], dref)
        };
        let over = |w: u32, values: [[f32; 4]; 4]| match self.sampler.reduction {
            Reduction::WeightedAverage => {
                let weights = coords::cubic(w);
                std::array::from_fn(|c| coords::weighted(values.map(|v| v[c]), weights))
            }
            // Without a distance, only one texel has a weight.
            _ if w == 0 => values[1],
            r => {
                let [a, b, c, d] = values;
                [b, c, d].iter().fold(a, |all, v| std::array::from_fn(|c| extreme(r, all[c], v[c])))
            }
        };
        over(y.w, std::array::from_fn(|j| over(x.w, std::array::from_fn(|i| tap(i, j)))))
    }

    fn integer_nearest(&self, at: &Coords, level: u32, offset: [i32; 3]) -> Texel {
        let i = self.nearest_texel(at, level, offset);
        match self.tap_word(level, at.slice, i) {
            Some(w) => self.info.unpack_word(w),
            None => self.border(),
        }
    }

    /// Gathers components of the texels that a linear filter of level 0 would use.
    ///
    /// Spec: Vulkan, "Texel Gathering" (textures-gather).
    fn gather(&self, args: &mut ImageArgs, lane: usize) {
        for (n, component) in self.op.gathered().enumerate() {
            self.gather_component(args, lane, component, 4 * n);
        }
    }

    /// Gathers a component to four rows of results.
    fn gather_component(&self, args: &mut ImageArgs, lane: usize, component: u8, row: usize) {
        // If level 0 is below the integer part of the view's minimum lod, gathered values are zero.
        if self.key.withheld {
            return put(args, lane, row, [0; 4]);
        }
        let at = self.coords(args, lane, [0.0; 3]);
        let dref = self.op.dref.then(|| float(&args.dref, lane));
        // (i0, j1), (i1, j1), (i1, j0), (i0, j0).
        const CORNERS: [(usize, usize); 4] = [(0, 1), (1, 1), (1, 0), (0, 0)];
        let mut out = [0; 4];
        for (k, (a, b)) in CORNERS.into_iter().enumerate() {
            let (a, b) = if self.op.offsets4 { (0, 0) } else { (a, b) };
            let offset = |c: usize| {
                let row = if self.op.offsets4 { 2 * k + c } else { c };
                if self.op.offsets4 || self.op.offset { args.offset[row][lane] as i32 } else { 0 }
            };
            let first = |axis| coords::gathered(self.unnormalized(&at, 0, axis)).wrapping_add(offset(axis));
            let i = [first(0).wrapping_add(a as i32), first(1).wrapping_add(b as i32), 0];
            let texel = match dref {
                Some(_) => [self.tap(0, at.slice, i, dref)[0].to_bits(), 0, 0, ONE_F32],
                None => self.gathered(&at, i),
            };
            out[k] = self.pick(texel, self.key.swizzle[component as usize & 3]);
        }
        put(args, lane, row, out);
    }

    fn gathered(&self, at: &Coords, i: [i32; 3]) -> Texel {
        if !self.info.numeric.is_integer() {
            return self.filter_result(self.tap(0, at.slice, i, None));
        }
        let n = self.level(0).width as i32;
        // Integers have no average at a cube's corner; the texel of this face is used instead.
        let both_out = self.is_seamless() && [i[0], i[1]].iter().all(|&v| v < 0 || v >= n);
        let i = if both_out { [i[0].clamp(0, n - 1), i[1].clamp(0, n - 1), 0] } else { i };
        match self.tap_word(0, at.slice, i) {
            Some(w) => self.info.unpack_word(w),
            None => self.border(),
        }
    }
}

/// The minimum or the maximum; NaN only if both are NaN.
fn extreme(r: Reduction, a: f32, b: f32) -> f32 {
    if b.is_nan() {
        return a;
    }
    let second = if r == Reduction::Max { b > a } else { b < a };
    if second || a.is_nan() { b } else { a }
}
