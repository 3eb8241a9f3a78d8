//! Operations with a sampler: sample, gather and the lod query.
//!
//! Spec: Vulkan, "Image Operations Steps" (textures-operation-steps).

use quadrille_jit::abi::{ImageArgs, MAX_LANES};
use quadrille_jit::ir::{ImageDim, ImageOpKind, LodMode};

use super::super::state::{AddressMode, Filter};
use super::super::{coords, cube, lod};
use super::{Call, Place, float, lanes, put};
use crate::format::{Numeric, Texel};

/// Coordinates of one lane after face selection, normalized unless the sampler says otherwise.
#[derive(Clone, Copy, Debug, Default)]
struct Coords {
    c: [f32; 3],
    /// Layer or face of the view.
    slice: u32,
}

/// Where the taps of a linear filter are along one axis.
#[derive(Clone, Copy, Debug)]
struct Taps {
    /// Texels, not wrapped.
    i: [i32; 2],
    /// Weight of the second in 1/256.
    w: u32,
}

impl Taps {
    const ZERO: Taps = Taps { i: [0, 0], w: 0 };
}

impl Call<'_> {
    pub(super) fn sampled(&self, args: &mut ImageArgs) {
        let lambdas = self.lambdas(args);
        for lane in lanes(args) {
            match self.op.kind {
                ImageOpKind::QueryLod => {
                    let (biased, lambda) = lambdas[lane];
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
                    let t = self.sample(args, lane, lambdas[lane].1);
                    if self.op.dref {
                        args.texel[0][lane] = t[0];
                    } else {
                        put(args, lane, self.swizzled(t));
                    }
                }
            }
        }
    }

    /// lambda' and lambda of each lane.
    fn lambdas(&self, args: &ImageArgs) -> [(f32, f32); MAX_LANES] {
        let mut out = [(0.0, 0.0); MAX_LANES];
        if self.op.kind == ImageOpKind::Gather {
            return out;
        }
        for lane in lanes(args) {
            let base = match self.op.lod {
                LodMode::Implicit | LodMode::Bias => self.implicit_lod(args, lane),
                LodMode::Explicit => float(&args.lod, lane),
                LodMode::Grad => {
                    let n = self.n_coords();
                    let row = |i: usize| float(&args.grad[i], lane);
                    let dx = std::array::from_fn(|c| if c < n { row(c) } else { 0.0 });
                    let dy = std::array::from_fn(|c| if c < n { row(n + c) } else { 0.0 });
                    self.gradient_lod(args, lane, dx, dy)
                }
                LodMode::Zero => 0.0,
            };
            // Unnormalized coordinates have lod 0.
            let base = if self.sampler.unnormalized { 0.0 } else { base };
            let bias = if self.op.lod == LodMode::Bias { float(&args.lod, lane) } else { 0.0 };
            let biased = lod::biased(base, bias, self.sampler);
            let min = if self.op.min_lod { float(&args.min_lod, lane) } else { f32::NEG_INFINITY };
            out[lane] = (biased, lod::clamped(biased, min, self.sampler));
        }
        out
    }

    /// From the differences within the lane's quad; lanes that take no part give no difference.
    fn implicit_lod(&self, args: &ImageArgs, lane: usize) -> f32 {
        let q = lane & !3;
        let there = |i: usize| q + i < MAX_LANES && args.quad_mask >> (q + i) & 1 != 0;
        let difference = |to: usize| -> [f32; 3] {
            std::array::from_fn(|c| {
                if c < self.n_coords() && there(0) && there(to) {
                    float(&args.coord[c], q + to) - float(&args.coord[c], q)
                } else {
                    0.0
                }
            })
        };
        self.gradient_lod(args, q, difference(1), difference(2))
    }

    /// From changes of the coordinates; for cubes those of the direction at `lane`.
    fn gradient_lod(&self, args: &ImageArgs, lane: usize, dx: [f32; 3], dy: [f32; 3]) -> f32 {
        let l = self.level(0);
        let size = [l.width_f, l.height_f, l.depth_f];
        let scale = |d: [f32; 3]| std::array::from_fn(|c| d[c] * size[c]);
        if !self.is_cube() {
            return lod::from_gradients(scale(dx), scale(dy));
        }
        let v = std::array::from_fn(|c| float(&args.coord[c], lane));
        let face = cube::select(v);
        let on_face = cube::project(face, v);
        let change = |d: [f32; 3]| {
            let [s, t] = cube::face_gradient(on_face, cube::project(face, d));
            [s * l.width_f, t * l.width_f, 0.0]
        };
        lod::from_gradients(change(dx), change(dy))
    }

    /// Coordinates and slice of a lane.
    fn coords(&self, args: &ImageArgs, lane: usize) -> Coords {
        let n = self.n_coords();
        let mut c: [f32; 3] = std::array::from_fn(|i| if i < n { float(&args.coord[i], lane) } else { 0.0 });
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

    fn sample(&self, args: &ImageArgs, lane: usize, lambda: f32) -> Texel {
        let at = self.coords(args, lane);
        // Integers are not filtered.
        let mipmap_mode =
            if self.info.numeric.is_integer() { Filter::Nearest } else { self.sampler.mipmap_mode };
        let l = lod::levels(lambda, self.view.min_lod, self.view.head.levels, mipmap_mode);
        let filter = if lambda <= 0.0 { self.sampler.mag_filter } else { self.sampler.min_filter };
        let offset = std::array::from_fn(|c| if self.op.offset { args.offset[c][lane] as i32 } else { 0 });
        let dref = self.op.dref.then(|| float(&args.dref, lane));
        if self.info.numeric.is_integer() {
            return self.integer_nearest(&at, l.fine, offset);
        }
        let mut v = self.filter(&at, l.fine, filter, offset, dref);
        if l.weight != 0 {
            let coarse = self.filter(&at, l.coarse, filter, offset, dref);
            for c in 0..4 {
                v[c] = coords::lerp(v[c], coarse[c], l.weight);
            }
        }
        if dref.is_some() { [v[0].to_bits(), 0, 0, 0] } else { self.filter_result(v) }
    }

    /// Address mode of an axis; cubes clamp, their edges are crossed elsewhere.
    fn mode(&self, axis: usize) -> AddressMode {
        if self.is_cube() { AddressMode::ClampToEdge } else { self.sampler.address[axis] }
    }

    /// Axes that have texels: 1, 2 or 3.
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
            let i = i.saturating_add(offset[axis]);
            Taps { i: [i, i.saturating_add(1)], w }
        })
    }

    fn nearest_texel(&self, at: &Coords, level: u32, offset: [i32; 3]) -> [i32; 3] {
        std::array::from_fn(|axis| {
            if axis >= self.n_axes() {
                return 0;
            }
            let i = coords::nearest(self.unnormalized(at, level, axis));
            // On a cube the coordinate 1.0 belongs to the last texel, not to the neighbour.
            let i = if self.is_cube() { i.clamp(0, self.level(level).width as i32 - 1) } else { i };
            i.saturating_add(offset[axis])
        })
    }

    /// The word of the texel at unwrapped coordinates; `None` is the border. Not for cube corners.
    fn tap_word(&self, level: u32, slice: u32, i: [i32; 3]) -> Option<u128> {
        let l = self.level(level);
        let size = [l.width, l.height, l.depth];
        let mut slice = slice;
        let mut t = i;
        if self.is_cube() {
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

    /// One texel in the domain of filters, compared if there is a reference.
    fn tap(&self, level: u32, slice: u32, i: [i32; 3], dref: Option<f32>) -> [f32; 4] {
        if self.is_cube() {
            let n = self.level(level).width as i32;
            let out = |v: i32| v < 0 || v >= n;
            if out(i[0]) && out(i[1]) {
                // Three texels meet at a corner of a cube: their average stands for the fourth.
                let (x, y) = (i[0].clamp(0, n - 1), i[1].clamp(0, n - 1));
                let three = [[x, y, 0], [i[0], y, 0], [x, i[1], 0]];
                let [a, b, c] = three.map(|p| self.tap(level, slice, p, dref));
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

    /// Spec: Vulkan, "Depth Compare Operation" (textures-depth-compare-operation).
    fn compare(&self, dref: f32, depth: f32) -> bool {
        let fixed_point = self.info.numeric == Numeric::Unorm;
        let dref = if fixed_point { lod::clamp(dref, 0.0, 1.0) } else { dref };
        self.sampler.compare.is_some_and(|op| op.holds(dref, depth))
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
        let row = |y: i32, z: i32| {
            let [a, b] = tx.i.map(|x| self.tap(level, at.slice, [x, y, z], dref));
            mix(a, b, tx.w)
        };
        let slice = |z: i32| {
            if self.n_axes() < 2 {
                return row(0, z);
            }
            mix(row(ty.i[0], z), row(ty.i[1], z), ty.w)
        };
        if self.n_axes() < 3 {
            return slice(0);
        }
        mix(slice(tz.i[0]), slice(tz.i[1]), tz.w)
    }

    fn integer_nearest(&self, at: &Coords, level: u32, offset: [i32; 3]) -> Texel {
        let i = self.nearest_texel(at, level, offset);
        match self.tap_word(level, at.slice, i) {
            Some(w) => self.info.unpack_word(w),
            None => self.border(),
        }
    }

    /// One component of the texels that a linear filter of level 0 would take.
    ///
    /// Spec: Vulkan, "Texel Gathering" (textures-gather).
    fn gather(&self, args: &mut ImageArgs, lane: usize) {
        let at = self.coords(args, lane);
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
            let [tx, ty, _] = self.taps(&at, 0, [offset(0), offset(1), 0]);
            let i = [tx.i[a], ty.i[b], 0];
            out[k] = if let Some(d) = dref {
                self.tap(0, at.slice, i, Some(d))[0].to_bits()
            } else {
                self.pick(self.gathered(&at, i), self.key.swizzle[self.op.component as usize & 3])
            };
        }
        put(args, lane, out);
    }

    fn gathered(&self, at: &Coords, i: [i32; 3]) -> Texel {
        if !self.info.numeric.is_integer() {
            return self.filter_result(self.tap(0, at.slice, i, None));
        }
        let n = self.level(0).width as i32;
        // Integers have no average at a cube's corner: the texel of this face.
        let both_out = self.is_cube() && [i[0], i[1]].iter().all(|&v| v < 0 || v >= n);
        let i = if both_out { [i[0].clamp(0, n - 1), i[1].clamp(0, n - 1), 0] } else { i };
        match self.tap_word(0, at.slice, i) {
            Some(w) => self.info.unpack_word(w),
            None => self.border(),
        }
    }
}

fn mix(a: [f32; 4], b: [f32; 4], w: u32) -> [f32; 4] {
    std::array::from_fn(|c| coords::lerp(a[c], b[c], w))
}
