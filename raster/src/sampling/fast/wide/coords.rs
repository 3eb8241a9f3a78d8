//! Lods, footprints and faces of cubes on eight lanes, with the formulas of [`crate::sampling::fast::lod`] and
//! [`crate::sampling::fast::cube`], operation by operation. Texels along axes are left to [`super::axes`].

use quadrille_jit::abi::{ImageArgs, MAX_LANES, Row};
use quadrille_jit::ir::LodMode;

use super::super::super::lod::{LOG2, RATIO_SLACK};
use super::super::super::state::{CompareOp, Filter, MAX_SAMPLER_LOD_BIAS};
use super::super::Lod;
use super::host::{Avx2, F8, I8, M8, Vectors, clamp};
use super::{CUBE, D2, D3};
use crate::sampling::View;

const _: () = assert!(MAX_LANES == 32);

/// Eight lanes of a row of the arguments, from a multiple of eight on.
#[inline(always)]
pub fn lanes(row: &Row, first: u32) -> &[u32; 8] {
    row[first as usize & 24..].first_chunk().expect("a row has 32 lanes")
}

/// Eight lanes of a row of results, from a multiple of eight on.
#[inline(always)]
pub fn lanes_mut(row: &mut Row, first: u32) -> &mut [u32; 8] {
    row[first as usize & 24..].first_chunk_mut().expect("a row has 32 lanes")
}

/// Sixteen lanes of a row of results, from a multiple of sixteen on.
#[inline(always)]
pub fn sixteen_mut(row: &mut Row, first: u32) -> &mut [u32; 16] {
    row[first as usize & 16..].first_chunk_mut().expect("a row has 32 lanes")
}

/// Eight lanes of a row of the arguments, as floats.
#[inline(always)]
pub fn row(h: Avx2, row: &Row, first: u32) -> F8 {
    h.row(lanes(row, first))
}

/// Eight lanes of a row of the arguments, as integers.
#[inline(always)]
pub fn integers(h: Avx2, row: &Row, first: u32) -> I8 {
    h.as_i(h.row(lanes(row, first)))
}

/// Coordinates of eight lanes.
#[inline(always)]
pub fn coordinates<const DIM: u8>(h: Avx2, args: &ImageArgs, first: u32) -> [F8; 3] {
    let mut c = [h.f(0.0); 3];
    for i in 0..if DIM == D2 { 2 } else { 3 } {
        c[i] = row(h, &args.coord[i], first);
    }
    c
}

/// Byte offsets of the lanes' array layers, of a view of two dimensions.
#[inline(always)]
pub fn layer(h: Avx2, args: &ImageArgs, first: u32, view: &View) -> I8 {
    let a = h.nearest(row(h, &args.coord[2], first));
    let last = h.f((view.slices as i32 - 1) as f32);
    h.trunc(clamp(h, a, h.f(0.0), last)) * h.i(view.layer_pitch as i32)
}

/// Base-2 logarithm; see [`crate::sampling::lod::log2`].
#[inline(always)]
fn log2(h: Avx2, x: F8) -> F8 {
    let bits = h.as_i(h.abs(x));
    let e = h.float(h.shr(bits, 23) - h.i(127));
    let m = h.as_f((bits & h.i(0x7f_ffff)) | h.i(0x3f80_0000));
    let t = m - h.f(1.0);
    let c = each!(4, c in LOG2 => h.f(c));
    let low = c[0] + c[1] * t;
    let high = (t * t) * (c[2] + c[3] * t);
    e + t * (low + high)
}

/// Changes of the coordinates along x and along y in quads; 0 where a necessary lane is missing.
#[inline(always)]
fn differences<const DIM: u8>(h: Avx2, quads: u32, c: &[F8; 3]) -> [[F8; 3]; 2] {
    let [there_x, there_y] = h.neighbours(h.lanes_of(quads));
    let mut d = [[h.f(0.0); 3]; 2];
    for i in 0..if DIM == D2 { 2 } else { 3 } {
        let [origin, x, y] = h.of_quads(c[i]);
        (d[0][i], d[1][i]) = (h.keep(there_x, x - origin), h.keep(there_y, y - origin));
    }
    d
}

/// Squared lengths of changes of the coordinates, in texels of the first level.
#[inline(always)]
fn lengths<const DIM: u8>(h: Avx2, view: &View, d: &[[F8; 3]; 2]) -> [F8; 2] {
    let level = &view.level[0];
    let sizes = [level.width_f, level.height_f, level.depth_f];
    let mut sums = [h.f(0.0); 2];
    for i in 0..if DIM == D3 { 3 } else { 2 } {
        let size = h.f(sizes[i]);
        for k in 0..2 {
            let v = d[k][i] * size;
            sums[k] = if i == 0 { v * v } else { sums[k] + v * v };
        }
    }
    sums
}

/// Applies the sampler's bias and clamp to the lod `base`.
#[inline(always)]
fn clamped(h: Avx2, args: &ImageArgs, first: u32, l: &Lod, base: F8) -> F8 {
    let bias = f32::from_bits(l.lod_bias);
    let most = MAX_SAMPLER_LOD_BIAS;
    let biased = if l.mode == LodMode::Bias {
        base + clamp(h, h.f(bias) + row(h, &args.lod, first), h.f(-most), h.f(most))
    } else if bias == 0.0 {
        base
    } else {
        base + h.f(bias.clamp(-most, most))
    };
    clamp(h, biased, h.f(f32::from_bits(l.min_lod)), h.f(f32::from_bits(l.max_lod)))
}

/// Computes lambda of the lanes from `first`; see [`super::super::lod::select`]. `c` are the coordinates, which are
/// unused for cubes.
#[inline(always)]
pub fn lambda<const DIM: u8>(h: Avx2, args: &ImageArgs, first: u32, view: &View, l: &Lod, c: &[F8; 3]) -> F8 {
    let quads = args.quad_mask >> first;
    let base = match l.mode {
        LodMode::Explicit => row(h, &args.lod, first),
        LodMode::Zero => h.f(0.0),
        _ => {
            let [x, y] = if DIM == CUBE {
                let v = coordinates::<CUBE>(h, args, first);
                let [x, y] = cube_lengths(h, view, &v, &differences::<DIM>(h, quads, &v));
                // The direction of a missing lane may be 0 or NaN, and then have no lengths.
                let [there_x, there_y] = h.neighbours(h.lanes_of(quads));
                [h.keep(there_x, x), h.keep(there_y, y)]
            } else {
                lengths::<DIM>(h, view, &differences::<DIM>(h, quads, c))
            };
            h.f(0.5) * log2(h, h.max(x, y))
        }
    };
    clamped(h, args, first, l, base)
}

/// Footprint of pixels in two dimensions; see [`crate::sampling::lod::Footprint`].
pub struct Footprint {
    pub lambda: F8,
    /// Number of samples.
    pub samples: F8,
    /// Change of the coordinates along the footprint.
    pub along: [F8; 2],
}

/// Computes footprints of at most `most` samples; see [`crate::sampling::lod::footprint`].
#[inline(always)]
pub fn footprint(
    h: Avx2,
    args: &ImageArgs,
    first: u32,
    view: &View,
    l: &Lod,
    c: &[F8; 3],
    most: f32,
) -> Footprint {
    let d = differences::<D2>(h, args.quad_mask >> first, c);
    let [x, y] = lengths::<D2>(h, view, &d);
    let long = h.max(x, y);
    let along_x = h.compare(CompareOp::Greater, x, y);
    let one = h.f(1.0);
    let square = clamp(h, long / h.select(along_x, y, x), one, h.f(most * most));
    let n = h.ceil(h.sqrt(square) - h.f(RATIO_SLACK));
    let samples = clamp(h, n, one, h.f(most.ceil()));
    let base = h.f(0.5) * (log2(h, long) - log2(h, square));
    let along = each!(2, i in [0, 1] => h.select(along_x, d[0][i], d[1][i]));
    Footprint { lambda: clamped(h, args, first, l, base), samples, along }
}

/// Level, and weight of the next level; see [`super::super::lod::levels`].
#[inline(always)]
pub fn levels(h: Avx2, view: &View, lambda: F8, filter: Filter) -> (I8, F8) {
    let q = (view.head.levels as i32 - 1) as f32;
    let lo = super::super::super::lod::clamp(view.min_lod, 0.0, q);
    let d = clamp(h, lambda, h.f(lo), h.f(q));
    if filter == Filter::Nearest {
        return (h.trunc(h.ceil(d + h.f(0.5)) - h.f(1.0)), h.f(0.0));
    }
    let fine = h.floor(d);
    let w = h.floor((d - fine) * h.f(256.0) + h.f(0.5));
    (h.trunc(fine), w * h.f(1.0 / 256.0))
}

/// The faces that directions select; see [`super::super::cube`].
struct Faces {
    z_major: M8,
    /// False where `z_major`.
    y_major: M8,
    negative: M8,
}

impl Faces {
    /// Selects the faces of directions.
    #[inline(always)]
    fn of(h: Avx2, [x, y, z]: [F8; 3]) -> Faces {
        use CompareOp::{GreaterOrEqual, Less};
        let (ax, ay, az) = (h.abs(x), h.abs(y), h.abs(z));
        let z_major = h.compare(GreaterOrEqual, az, ax) & h.compare(GreaterOrEqual, az, ay);
        let y_major = h.and_not(h.compare(GreaterOrEqual, ay, ax), z_major);
        let major = h.select(z_major, z, h.select(y_major, y, x));
        Faces { z_major, y_major, negative: h.compare(Less, major, h.f(0.0)) }
    }

    /// Components (sc, tc, rc) of vectors for the faces.
    #[inline(always)]
    fn project(&self, h: Avx2, [x, y, z]: [F8; 3]) -> [F8; 3] {
        let (ny, nz) = (h.opposite(y), h.opposite(z));
        let sc = h.negate(self.negative, h.select(self.z_major, x, nz));
        let sc = h.select(self.y_major, x, sc);
        let tc = h.select(self.y_major, h.negate(self.negative, z), ny);
        let rc = h.select(self.z_major, z, h.select(self.y_major, y, x));
        [sc, tc, h.negate(self.negative, rc)]
    }

    /// Indices of the faces.
    #[inline(always)]
    fn numbers(&self, h: Avx2) -> I8 {
        let face = h.keep_i(self.y_major, h.i(2)) | h.keep_i(self.z_major, h.i(4));
        h.increment(self.negative, face)
    }
}

/// The faces that directions select, and coordinates on them; see [`super::super::cube::prepare`].
#[inline(always)]
pub fn face(h: Avx2, v: [F8; 3]) -> ([F8; 3], I8) {
    let faces = Faces::of(h, v);
    let [sc, tc, rc] = faces.project(h, v);
    let half = h.f(0.5);
    let scale = half / rc;
    let [s, t] = each!(2, v in [sc, tc] => v * scale + half);
    ([s, t, t], faces.numbers(h))
}

/// Squared lengths of changes `d` of directions, in texels of the first level. The faces are those of the first lane in
/// each quad. See [`super::super::cube::lengths`].
#[inline(always)]
fn cube_lengths(h: Avx2, view: &View, directions: &[F8; 3], d: &[[F8; 3]; 2]) -> [F8; 2] {
    let first = each!(3, v in *directions => h.first_of_quads(v));
    let faces = Faces::of(h, first);
    let [sc, tc, rc] = faces.project(h, first);
    let scale = h.f(0.5) / (rc * rc);
    let size = h.f(view.level[0].width_f);
    each!(2, d in *d => {
        let [dsc, dtc, drc] = faces.project(h, d);
        let [s, t] = each!(2, c in [(sc, dsc), (tc, dtc)] => {
            let v = (rc * c.1 - c.0 * drc) * scale * size;
            v * v
        });
        s + t
    })
}
