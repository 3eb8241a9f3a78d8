//! Linear filters across the edges of cubes on eight lanes, with the formulas of [`crate::sampling::fast::cube`],
//! operation by operation. Lanes whose filter stays on its face get the same bits as from [`super::texels::linear`].
//! Filters of whole groups on one face are left to [`super::texels`].

use super::super::super::state::CompareOp;
use super::super::cube::edges;
use super::UNORM8;
use super::axes::{ROUND, over_edges};
use super::host::{Avx2, F8, I8, M8, Rare, Values, Vectors, Wide, mix, vectors};
use super::texels::{Test, nearest, shift, weight};

/// Inputs of the filters of eight lanes, each at its level.
pub struct Filters {
    pub base: *const u8,
    /// `true` for loads by the host's gathers.
    pub gathers: bool,
    /// Bits of the active lanes.
    pub active: u32,
    /// Coordinates on the faces, and indices of the faces.
    pub at: [F8; 2],
    pub face: I8,
    /// Width of the faces in texels.
    pub size: F8,
    /// Byte offset of the first face, pitch of faces, and pitch of rows.
    pub offset: I8,
    pub face_pitch: I8,
    pub row_pitch: I8,
}

/// The two texels along an axis, one of which may be outside the face.
struct Axis {
    /// Texel coordinates clamped to the face.
    clamped: [I8; 2],
    /// Lanes with the texel outside.
    out: [M8; 2],
    /// Entry of [`edges`] for the edge that is crossed, if any.
    entry: I8,
    /// Weight of the second texel in 1/256.
    weight: I8,
}

impl Filters {
    /// The texels along `axis`, which is 0 or 1.
    #[inline(always)]
    fn axis(&self, h: Avx2, axis: usize) -> Axis {
        let (first, weight) = over_edges(h, self.at[axis], self.size, ROUND);
        let texels = [first, first + h.i(1)];
        let n = h.trunc(self.size);
        let last = n - h.i(1);
        let clamped = each!(2, i in texels => h.min_s(h.max_s(i, h.i(0)), last));
        let out = each!(2, i in texels => h.ge_u(i, n));
        let edge = h.increment(h.ge_s(texels[1], n), h.i(2 * axis as i32));
        let at = h.shl(h.shl(self.face, 2) + edge, 2);
        // SAFETY: entries are `face * 4 + edge` for 6 faces and 4 edges, so they lie inside the 24 words of `edges`.
        let entry = unsafe { h.load(edges().as_ptr().cast(), at, self.gathers) };
        Axis { clamped, out, entry, weight }
    }

    /// Byte offsets of the texels in column `i` and row `j` of the filters, across at most one edge.
    #[inline(always)]
    fn texel<const T: u8>(&self, h: Avx2, x: &Axis, i: usize, y: &Axis, j: usize) -> I8 {
        let one = h.i(1);
        let last = h.trunc(self.size) - one;
        let (ci, cj) = (x.clamped[i], y.clamped[j]);
        let entry = h.select_i(x.out[i], x.entry, y.entry);
        let along = h.select_i(x.out[i], cj, ci);
        let crosses = x.out[i] | y.out[j];
        let [to_x, to_y] = each!(2, place in [h.shr(entry, 8), h.shr(entry, 16)] => {
            let step = (h.shr(place, 1) & h.i(3)) - one;
            (place & one) * last + step * along
        });
        let face = h.select_i(crosses, entry & h.i(7), self.face);
        let column = h.select_i(crosses, to_x, ci);
        let row = h.select_i(crosses, to_y, cj);
        self.offset + face * self.face_pitch + row * self.row_pitch + h.shl(column, shift(T))
    }

    /// The filtered values, in the domain of filters. Returns `None` if an active lane is outside its face with both
    /// columns or both rows.
    #[inline(always)]
    pub fn linear<W: Wide, const T: u8>(&self, w: W) -> Option<Values<W>> {
        w.rarely(Linear::<T>(self))
    }
}

/// The linear filter of texels `T`.
struct Linear<'a, const T: u8>(&'a Filters);

impl<const T: u8> Rare for Linear<'_, T> {
    type Output<W: Wide> = Option<Values<W>>;

    #[inline(always)]
    fn run<W: Wide>(self, w: W) -> Option<Values<W>> {
        let (filters, h) = (self.0, w.eight());
        let (x, y) = (filters.axis(h, 0), filters.axis(h, 1));
        let corners = (x.out[0] | x.out[1]) & (y.out[0] | y.out[1]);
        let far = corners & (x.out[0] & x.out[1] | y.out[0] & y.out[1]);
        if h.bits(far) & filters.active != 0 {
            return None;
        }
        let test = Test { op: CompareOp::Always, reference: h.f(0.0) };
        // The four texels, as rows of columns.
        let mut taps = each!(2, j in [0, 1] => each!(2, i in [0, 1] => {
            let at = filters.texel::<T>(h, &x, i, &y, j);
            // SAFETY: `axis` clamps texel coordinates to the face, and `edges` leads to texels of other faces, so all
            // offsets are inside the view's memory.
            unsafe { nearest::<W, T>(w, filters.base, at, filters.gathers, test) }
        }));
        if h.bits(corners) != 0 {
            fill_corners(w, &x, &y, &mut taps);
        }
        let (wx, wy) = (weight(w, x.weight), weight(w, y.weight));
        let mut v = taps[0][0];
        unroll!(k in 0 1 2 3 => {
            if k < vectors::<W>(4) {
                let rows = each!(2, j in [0, 1] => mix(taps[j][0][k], taps[j][1][k], wx));
                v[k] = mix(rows[0], rows[1], wy);
                // Factor that other filters of bytes leave.
                if T == UNORM8 {
                    v[k] = v[k] * w.f(W::BYTE_FACTOR);
                }
            }
        });
        Some(v)
    }
}

/// At a corner of a cube, the average of the three texels that meet there replaces the missing fourth.
#[inline(always)]
fn fill_corners<W: Wide>(w: W, x: &Axis, y: &Axis, taps: &mut [[Values<W>; 2]; 2]) {
    let three = w.f(3.0);
    unroll!(j in 0 1 => { unroll!(i in 0 1 => {
        let here = w.spread_m(x.out[i] & y.out[j]);
        unroll!(k in 0 1 2 3 => {
            if k < vectors::<W>(4) {
                let (inner, over_column) = (taps[1 - j][1 - i][k], taps[1 - j][i][k]);
                let mean = (inner + over_column + taps[j][1 - i][k]) / three;
                taps[j][i][k] = w.select(here, mean, taps[j][i][k]);
            }
        });
    }) });
}
