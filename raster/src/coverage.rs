//! Coverage: which pixels of a tile a primitive covers, as stamps.
//!
//! Three levels: edges that a tile lies inside of are dropped, blocks of 8x8 pixels are accepted or
//! rejected whole, and what is left is tested stamp by stamp in 32-bit arithmetic.

use quadrille_jit::abi::{MAX_LANES, Stamp, stamp_lane, stamp_size};

use crate::bin::Prim;
use crate::limits::TILE_PX;
use crate::setup::intersect;

/// Shape of the stamps of a lane group size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StampShape {
    /// Width in pixels.
    pub w: i32,
    /// Height in pixels.
    pub h: i32,
    /// All lanes.
    pub full: u32,
    /// Corner of each quad.
    quads: [[i32; 2]; MAX_LANES / 4],
    n_quads: usize,
    /// Lanes in columns below n, rows below n.
    columns: [u32; 9],
    rows: [u32; 5],
}

impl StampShape {
    /// The shape for S lanes.
    pub fn new(lanes: u32) -> Self {
        let (w, h) = stamp_size(lanes);
        let full = if lanes >= 32 { u32::MAX } else { (1 << lanes) - 1 };
        let mut s = StampShape {
            w: w as i32,
            h: h as i32,
            full,
            quads: [[0; 2]; MAX_LANES / 4],
            n_quads: lanes as usize / 4,
            columns: [0; 9],
            rows: [0; 5],
        };
        for lane in 0..lanes.min(MAX_LANES as u32) {
            let (x, y) = stamp_lane(lanes, lane);
            (x as usize + 1..9).for_each(|n| s.columns[n] |= 1 << lane);
            (y as usize + 1..5).for_each(|n| s.rows[n] |= 1 << lane);
            if lane % 4 == 0 {
                s.quads[lane as usize / 4] = [x as i32, y as i32];
            }
        }
        s
    }

    /// Lanes of the stamp at (x, y) that are inside a rectangle.
    #[inline]
    fn inside(&self, x: i32, y: i32, r: &[i32; 4]) -> u32 {
        let below = |table: &[u32], n: i32, size: i32| table[n.clamp(0, size) as usize];
        let columns = below(&self.columns, r[2] - x, self.w) & !below(&self.columns, r[0] - x, self.w);
        let rows = below(&self.rows, r[3] - y, self.h) & !below(&self.rows, r[1] - y, self.h);
        columns & rows
    }
}

/// An edge relative to the tile.
#[derive(Clone, Copy, Default)]
struct TileEdge {
    a: i32,
    b: i32,
    /// Value at the tile's first pixel.
    c: i32,
}

const BLOCK: i32 = 8;

/// Calls `emit` with the stamps of `prim` in the tile at `[tx, ty]`, row by row of blocks. A pixel
/// is looked at `offset_fx8` from its centre.
#[inline]
pub(crate) fn cover(
    prim: &Prim,
    [tx, ty]: [i32; 2],
    offset_fx8: [i32; 2],
    shape: &StampShape,
    emit: &mut impl FnMut(Stamp),
) {
    let t = TILE_PX as i32;
    let r = intersect(prim.bounds, [tx, ty, tx + t, ty + t]);
    if r[0] >= r[2] || r[1] >= r[3] {
        return;
    }
    let mut edges = [TileEdge::default(); 4];
    let mut n = 0;
    for e in &prim.edges[..prim.n_edges as usize] {
        let e = e.seen_from(offset_fx8);
        let [low, high] = e.range(tx, ty, t - 1);
        if high < 0 {
            return;
        }
        if low < 0 {
            // It crosses the tile, so its values there are less than the span of the tile: they fit.
            edges[n] = TileEdge { a: e.a, b: e.b, c: e.at_center(tx, ty) as i32 };
            n += 1;
        }
    }
    match n {
        0 => stamps(&[], &r, [tx, ty], shape, emit),
        1 => stamps::<1>(&[edges[0]], &r, [tx, ty], shape, emit),
        2 => stamps::<2>(&[edges[0], edges[1]], &r, [tx, ty], shape, emit),
        3 => stamps::<3>(&[edges[0], edges[1], edges[2]], &r, [tx, ty], shape, emit),
        _ => stamps::<4>(&edges, &r, [tx, ty], shape, emit),
    }
}

fn stamps<const N: usize>(
    edges: &[TileEdge; N],
    r: &[i32; 4],
    [tx, ty]: [i32; 2],
    shape: &StampShape,
    emit: &mut impl FnMut(Stamp),
) {
    let (w, h) = (shape.w, shape.h);
    // What a quad's lanes add to the value at its corner.
    let steps: [[i32; 4]; N] = std::array::from_fn(|k| [0, edges[k].a, edges[k].b, edges[k].a + edges[k].b]);
    let mut one = |x: i32, y: i32, whole: bool| {
        let mut mask = shape.full;
        if x < r[0] || y < r[1] || x + w > r[2] || y + h > r[3] {
            mask = shape.inside(x, y, r);
        }
        if !whole {
            let mut outside = 0;
            for (q, &[qx, qy]) in shape.quads[..shape.n_quads].iter().enumerate() {
                let at: [i32; N] = std::array::from_fn(|k| {
                    edges[k].c + edges[k].a * (x + qx - tx) + edges[k].b * (y + qy - ty)
                });
                outside |= quad_outside(&at, &steps) << (4 * q);
            }
            mask &= !outside;
        }
        if mask != 0 {
            emit(Stamp { x, y, mask });
        }
    };
    let (x0, y0) = (r[0] & !(w - 1), r[1] & !(h - 1));
    if r[2] - x0 <= BLOCK && r[3] - y0 <= BLOCK {
        for y in (y0..r[3]).step_by(h as usize) {
            for x in (x0..r[2]).step_by(w as usize) {
                one(x, y, N == 0);
            }
        }
        return;
    }
    for by in (r[1] & !(BLOCK - 1)..r[3]).step_by(BLOCK as usize) {
        for bx in (r[0] & !(BLOCK - 1)..r[2]).step_by(BLOCK as usize) {
            let (mut outside, mut whole) = (false, true);
            for e in edges {
                let at = e.c + e.a * (bx - tx) + e.b * (by - ty);
                let (a, b) = (e.a * (BLOCK - 1), e.b * (BLOCK - 1));
                outside |= at + a.max(0) + b.max(0) < 0;
                whole &= at + a.min(0) + b.min(0) >= 0;
            }
            if outside {
                continue;
            }
            for y in (by.max(y0)..(by + BLOCK).min(r[3])).step_by(h as usize) {
                for x in (bx.max(x0)..(bx + BLOCK).min(r[2])).step_by(w as usize) {
                    one(x, y, whole);
                }
            }
        }
    }
}

/// Lanes of a quad where any of the edge values is negative.
#[cfg(target_arch = "x86_64")]
#[inline]
fn quad_outside<const N: usize>(at: &[i32; N], steps: &[[i32; 4]; N]) -> u32 {
    use std::arch::x86_64::*;
    // SAFETY: SSE2 is part of x86-64.
    #[expect(unsafe_code, reason = "baseline vector instructions")]
    unsafe {
        let mut sign = _mm_setzero_si128();
        for k in 0..N {
            let [s0, s1, s2, s3] = steps[k];
            let v = _mm_add_epi32(_mm_set1_epi32(at[k]), _mm_set_epi32(s3, s2, s1, s0));
            sign = _mm_or_si128(sign, v);
        }
        _mm_movemask_ps(_mm_castsi128_ps(sign)) as u32
    }
}

/// Lanes of a quad where any of the edge values is negative.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn quad_outside<const N: usize>(at: &[i32; N], steps: &[[i32; 4]; N]) -> u32 {
    let mut out = 0;
    for lane in 0..4 {
        let negative = (0..N).any(|k| at[k] + steps[k][lane] < 0);
        out |= u32::from(negative) << lane;
    }
    out
}
