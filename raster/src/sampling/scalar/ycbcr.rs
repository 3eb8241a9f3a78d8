//! Sampler Y'CbCr conversion: chroma reconstruction, range expansion and model conversion.
//!
//! Luma and chroma are filtered first and converted afterwards; the conversion is affine, so the order does not matter.
//! Chroma uses its own filter, either at its own resolution (implicit reconstruction) or at every luma texel before the
//! sampler's filter (explicit reconstruction, when forced). Samplers with a conversion clamp to edges. Level selection
//! is left to [`super::sample`].
//!
//! Spec: Vulkan, "Chroma Reconstruction" (textures-chroma-reconstruction) and "Sampler Y'CBCR Conversion"
//! (textures-sampler-YCbCr-conversion).

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::ir::ImageDim;

use super::super::coords;
use super::super::state::{ChromaLocation, Filter, YcbcrConversion, YcbcrModel};
use super::{Call, Place};
use crate::memory::format::{Format, Texel};
use crate::sampling::Swizzle;

/// Coefficients of the model conversion: Cr for red, Cb and Cr for green, Cb for blue.
struct Matrix {
    red: f32,
    green: [f32; 2],
    blue: f32,
}

const BT709: Matrix =
    Matrix { red: 1.5748, green: [0.133_974_3 / 0.7152, 0.334_802_5 / 0.7152], blue: 1.8556 };
const BT601: Matrix = Matrix { red: 1.402, green: [0.202_008 / 0.587, 0.419_198 / 0.587], blue: 1.772 };
const BT2020: Matrix = Matrix { red: 1.4746, green: [0.111_567 / 0.678, 0.387_377_4 / 0.678], blue: 1.8814 };

/// Taps of a filter along one axis: two texels and the weight of the second.
fn taps(u: f32, filter: Filter) -> (i32, i32, u32) {
    match filter {
        Filter::Nearest => (coords::nearest(u), coords::nearest(u), 0),
        // No format with chroma has cubic filters.
        Filter::Linear | Filter::Cubic => {
            let (i, w) = coords::linear(u);
            (i, i + 1, w)
        }
    }
}

/// Taps in chroma texels for a luma texel, for explicit reconstruction.
fn chroma_taps(i: i32, subsampled: bool, location: ChromaLocation, filter: Filter) -> (i32, i32, u32) {
    if !subsampled {
        return (i, i, 0);
    }
    match (filter, location) {
        (Filter::Nearest, _) => (i >> 1, i >> 1, 0),
        (Filter::Linear | Filter::Cubic, ChromaLocation::CositedEven) => {
            (i >> 1, (i >> 1) + 1, (i & 1) as u32 * 128)
        }
        (Filter::Linear | Filter::Cubic, ChromaLocation::Midpoint) => {
            let first = (i - 1) >> 1;
            (first, first + 1, if i & 1 == 0 { 192 } else { 64 })
        }
    }
}

fn mix<const N: usize>(a: [f32; N], b: [f32; N], w: u32) -> [f32; N] {
    std::array::from_fn(|c| coords::lerp(a[c], b[c], w))
}

/// Applies a filter along two axes.
fn over<const N: usize>(
    x: (i32, i32, u32),
    y: (i32, i32, u32),
    fetch: impl Fn(i32, i32) -> [f32; N],
) -> [f32; N] {
    let row = |j: i32| {
        let first = fetch(x.0, j);
        if x.2 == 0 { first } else { mix(first, fetch(x.1, j), x.2) }
    };
    let first = row(y.0);
    if y.2 == 0 { first } else { mix(first, row(y.1), y.2) }
}

impl Call<'_> {
    /// Returns whether chroma has half the resolution, in x and in y.
    fn subsampling(&self, format: Format) -> [bool; 2] {
        let info = format.info();
        match info.planes.get(1) {
            Some(plane) => plane.shift.map(|s| s != 0),
            None => [info.is_ycbcr(), false],
        }
    }

    /// Filtered and converted value at normalized coordinates of a slice.
    pub(super) fn converted(
        &self,
        c: &YcbcrConversion,
        [s, t, _]: [f32; 3],
        slice: u32,
        filter: Filter,
    ) -> Texel {
        let l = self.level(0);
        let (u, v) = (coords::bound(s * l.width_f, l.width_f), coords::bound(t * l.height_f, l.height_f));
        // One-dimensional views have no second axis.
        let v = if self.op.dim == ImageDim::D1 { 0.5 } else { v };
        let half = self.subsampling(c.format);
        let luma = |i: i32, j: i32| [self.luma(i, j, slice)];
        let chroma = |i: i32, j: i32| self.chroma(i, j, slice, half);
        let [blue, green, red] = if c.force_explicit {
            let at = |i: i32, j: i32| {
                let (i, j) = (i.clamp(0, l.width as i32 - 1), j.clamp(0, l.height as i32 - 1));
                let x = chroma_taps(i, half[0], c.chroma_location[0], c.chroma_filter);
                let y = chroma_taps(j, half[1], c.chroma_location[1], c.chroma_filter);
                let [b, r] = over(x, y, chroma);
                [b, luma(i, j)[0], r]
            };
            over(taps(u, filter), taps(v, filter), at)
        } else {
            let [g] = over(taps(u, filter), taps(v, filter), luma);
            // Nearest filters treat chroma as located between its luma texels.
            let down = |u: f32, axis: usize| {
                let cosited = c.chroma_location[axis] == ChromaLocation::CositedEven;
                let shift = if cosited && c.chroma_filter == Filter::Linear { 0.5 } else { 0.0 };
                if half[axis] { 0.5 * (u + shift) } else { u }
            };
            let (x, y) = (taps(down(u, 0), c.chroma_filter), taps(down(v, 1), c.chroma_filter));
            let [b, r] = over(x, y, chroma);
            [b, g, r]
        };
        self.model(c, [red, green, blue, 1.0])
    }

    /// Components of a texel of a plane, clamped to the edges.
    fn plane_texel(&self, plane: usize, i: i32, j: i32, slice: u32) -> [f32; 4] {
        let Some(p) = self.view.planes().get(plane) else { return [0.0; 4] };
        let x = i.clamp(0, p.level.width as i32 - 1) as u64;
        let y = j.clamp(0, p.level.height as i32 - 1) as u64;
        let info = p.format.info();
        let at = p.level.offset
            + u64::from(slice) * p.layer_pitch
            + y * u64::from(p.level.row_pitch)
            + x * u64::from(info.bytes);
        self.count(info.bytes);
        info.unpack_word(p.memory.read_texel(at, info.bytes)).map(f32::from_bits)
    }

    /// Components of a texel of an image without planes, clamped to the edges.
    fn packed_texel(&self, i: i32, j: i32, slice: u32) -> [f32; 4] {
        let l = self.level(0);
        let (x, y) = (i.clamp(0, l.width as i32 - 1), j.clamp(0, l.height as i32 - 1));
        let word = self.word(Place { level: 0, slice, sample: 0, x, y, z: 0 });
        word.map_or([0.0; 4], |w| self.info.unpack_word(w).map(f32::from_bits))
    }

    fn luma(&self, i: i32, j: i32, slice: u32) -> f32 {
        match self.view.planes() {
            [] => self.packed_texel(i, j, slice)[1],
            _ => self.plane_texel(0, i, j, slice)[0],
        }
    }

    /// Blue and red colour differences.
    fn chroma(&self, i: i32, j: i32, slice: u32, half: [bool; 2]) -> [f32; 2] {
        match self.view.planes().len() {
            0 => {
                // Both texels of a pair hold the pair's chroma.
                let l = self.level(0);
                let i = if half[0] { i.clamp(0, (l.width as i32 + 1) / 2 - 1) * 2 } else { i };
                let [r, _, b, _] = self.packed_texel(i, j, slice);
                [b, r]
            }
            2 => {
                let [b, r, ..] = self.plane_texel(1, i, j, slice);
                [b, r]
            }
            _ => [self.plane_texel(1, i, j, slice)[0], self.plane_texel(2, i, j, slice)[0]],
        }
    }

    /// Applies component mapping, range expansion and model conversion to R, G, B, A.
    pub(super) fn model(&self, c: &YcbcrConversion, texel: [f32; 4]) -> Texel {
        let mapped: [f32; 4] = std::array::from_fn(|i| match c.swizzle[i] {
            Swizzle::Identity => texel[i],
            Swizzle::Zero => 0.0,
            Swizzle::One => 1.0,
            Swizzle::R => texel[0],
            Swizzle::G => texel[1],
            Swizzle::B => texel[2],
            Swizzle::A => texel[3],
        });
        if c.model == YcbcrModel::RgbIdentity {
            return mapped.map(f32::to_bits);
        }
        let [r, g, b, a] = mapped;
        let n = c.bits();
        let max = ((1u32 << n) - 1) as f32;
        let scale = (1u32 << (n - 8)) as f32;
        let (y, cb, cr) = if c.narrow {
            let chroma = |v: f32| (v * max - 128.0 * scale) / (224.0 * scale);
            ((g * max - 16.0 * scale) / (219.0 * scale), chroma(b), chroma(r))
        } else {
            let chroma = |v: f32| v - (1u32 << (n - 1)) as f32 / max;
            (g, chroma(b), chroma(r))
        };
        let m = match c.model {
            YcbcrModel::RgbIdentity | YcbcrModel::YcbcrIdentity => {
                return [cr, y, cb, a].map(f32::to_bits);
            }
            YcbcrModel::Bt709 => BT709,
            YcbcrModel::Bt601 => BT601,
            YcbcrModel::Bt2020 => BT2020,
        };
        let green = y - m.green[0] * cb - m.green[1] * cr;
        [y + m.red * cr, green, y + m.blue * cb, a].map(f32::to_bits)
    }

    /// Samples one lane with a conversion; `None` for formats that have no chroma.
    pub(super) fn sample_converted(
        &self,
        c: &YcbcrConversion,
        args: &ImageArgs,
        lane: usize,
        lambda: f32,
    ) -> Option<Texel> {
        if !c.format.info().is_ycbcr() && self.view.planes().is_empty() {
            return None;
        }
        let filter = if lambda <= 0.0 { self.sampler.mag_filter } else { self.sampler.min_filter };
        let at = self.coords(args, lane, [0.0; 3]);
        Some(self.converted(c, at.c, at.slice, filter))
    }
}
