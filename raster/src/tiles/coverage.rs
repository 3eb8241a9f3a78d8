//! Coverage: the pixels of a tile that a primitive covers, as stamps.
//!
//! There are three levels. Edges with the whole tile on their inner side are dropped. Blocks of 8x8 pixels are accepted
//! or rejected as a whole. The remaining blocks are tested quad by quad in 32-bit arithmetic against the edges that
//! cross the block. Coverage of small primitives is left to [`crate::bins`].

use quadrille_jit::abi::Stamp;

use crate::bins::{Outline, StampShape, intersect, kind};
use crate::level::{self, Level, Octet, Quad, Work};
use crate::limits::TILE_PX;
use crate::samples::MAX_SAMPLES;

/// Mask of the lanes of a block, stamp by stamp, at which a function is not negative. The function has the value `at` at
/// the first pixel, and changes by `right` and `below` per pixel.
#[inline(always)]
fn block_inside<L: Level>(level: L, at: i32, right: i32, below: i32, shape: &StampShape) -> u64 {
    let next = level.splat(right.wrapping_mul(4));
    let under = level.splat(below.wrapping_mul(2));
    let mut row = level.slope(at, right, below);
    let mut rows = [row; BLOCK as usize];
    for pair in rows.chunks_exact_mut(2) {
        (pair[0], pair[1]) = (row, row.plus(next));
        row = row.plus(under);
    }
    let [a, b, c, d, e, f, g, h] = rows;
    let inside = !(u64::from(L::Octet::negative_of([a, b, c, d]))
        | u64::from(L::Octet::negative_of([e, f, g, h])) << 32);
    // In all stamps but those of 4x4 pixels, the order of lanes is the order of octets by rows.
    if shape.w != shape.h || shape.w != 4 {
        return inside;
    }
    let swapped = (inside >> 8 ^ inside) & 0x0000_ff00_0000_ff00;
    inside ^ swapped ^ swapped << 8
}

/// Edges relative to a tile.
#[derive(Clone, Copy, Default)]
struct TileEdges {
    a: [i32; 4],
    b: [i32; 4],
    /// Values at the tile's first pixel. Unused edges are zero everywhere.
    c: [i32; 4],
}

impl TileEdges {
    /// The edges of an outline that cross the tile, evaluated at an offset from pixel centres; `None` if the whole tile
    /// is outside one of them.
    #[inline]
    fn crossing(outline: &Outline, [tx, ty]: [i32; 2], offset_fx8: [i32; 2]) -> Option<TileEdges> {
        let (mut edges, mut n) = (TileEdges::default(), 0);
        for e in &outline.edges[..outline.n_edges as usize] {
            let e = e.seen_from(offset_fx8);
            let [low, high] = e.range(tx, ty, TILE_PX as i32 - 1);
            if high < 0 {
                return None;
            }
            if low < 0 {
                // An edge that crosses the tile has values below its span across the tile, so they fit 32 bits.
                (edges.a[n], edges.b[n], edges.c[n]) = (e.a, e.b, e.at_center(tx, ty) as i32);
                n += 1;
            }
        }
        Some(edges)
    }
}

const BLOCK: i32 = 8;

/// Calls `emit` with the stamps of an outline in the tile at `[tx, ty]`, row by row of blocks. Pixels are tested at
/// `offset_fx8` from their centre.
#[inline]
pub(crate) fn cover(
    outline: &Outline,
    tile: [i32; 2],
    offset_fx8: [i32; 2],
    shape: &StampShape,
    emit: &mut impl FnMut(Stamp),
) {
    level::run(Cover { outline, tile, offset_fx8, shape, emit });
}

/// Work of [`cover`].
struct Cover<'a, F> {
    outline: &'a Outline,
    tile: [i32; 2],
    offset_fx8: [i32; 2],
    shape: &'a StampShape,
    emit: &'a mut F,
}

impl<F: FnMut(Stamp)> Work for Cover<'_, F> {
    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let Cover { outline, tile, offset_fx8, shape, emit } = self;
        cover_at(level, outline, tile, offset_fx8, shape, emit);
    }
}

/// [`cover`] with the instructions of a level.
#[inline(always)]
fn cover_at(
    level: impl Level,
    outline: &Outline,
    [tx, ty]: [i32; 2],
    offset_fx8: [i32; 2],
    shape: &StampShape,
    emit: &mut impl FnMut(Stamp),
) {
    let t = TILE_PX as i32;
    let r = intersect(outline.bounds, [tx, ty, tx + t, ty + t]);
    if r[0] >= r[2] || r[1] >= r[3] {
        return;
    }
    let Some(edges) = TileEdges::crossing(outline, [tx, ty], offset_fx8) else { return };
    let TileEdges { a, b, c } = edges;
    let each = |f: &dyn Fn(usize) -> i32| Quad::new([f(0), f(1), f(2), f(3)]);
    // Differences from a block's first pixel to the maximum and minimum of each edge in the block.
    let most = each(&|k| (BLOCK - 1) * (a[k].max(0) + b[k].max(0)));
    let least = each(&|k| (BLOCK - 1) * (a[k].min(0) + b[k].min(0)));
    let bounded = outline.kind & kind::BOUNDED != 0;
    let (x0, y0) = (r[0] & !(BLOCK - 1), r[1] & !(BLOCK - 1));
    let mut row: [i32; 4] = std::array::from_fn(|k| c[k] + a[k] * (x0 - tx) + b[k] * (y0 - ty));
    for by in (y0..r[3]).step_by(BLOCK as usize) {
        let mut at = row;
        for bx in (x0..r[2]).step_by(BLOCK as usize) {
            let first = Quad::new(at);
            if first.plus(most).negative() == 0 {
                let mut crossing = first.plus(least).negative();
                let mut lanes = u64::MAX;
                while crossing != 0 {
                    let k = crossing.trailing_zeros() as usize & 3;
                    lanes &= block_inside(level, at[k], a[k], b[k], shape);
                    crossing &= crossing - 1;
                }
                let inside = bx >= r[0] && by >= r[1] && bx + BLOCK <= r[2] && by + BLOCK <= r[3];
                let limit = (bounded && !inside).then_some(&r);
                block_stamps(lanes, [bx, by], limit, shape, emit);
            }
            (0..4).for_each(|k| at[k] = at[k].wrapping_add(BLOCK * a[k]));
        }
        (0..4).for_each(|k| row[k] = row[k].wrapping_add(BLOCK * b[k]));
    }
}

/// Edges that cross a tile for some sample.
struct SampleEdges {
    a: [i32; 4],
    b: [i32; 4],
    /// Values at the tile's first pixel, by sample. Unused edges are zero everywhere.
    c: [[i32; 4]; MAX_SAMPLES],
    /// Minimum and maximum of `c` over the samples.
    least: [i32; 4],
    most: [i32; 4],
}

impl SampleEdges {
    /// Like [`TileEdges::crossing`], for samples at these offsets.
    fn crossing(outline: &Outline, [tx, ty]: [i32; 2], offsets_fx8: &[[i32; 2]]) -> Option<SampleEdges> {
        let mut edges =
            SampleEdges { a: [0; 4], b: [0; 4], c: [[0; 4]; MAX_SAMPLES], least: [0; 4], most: [0; 4] };
        let mut n = 0;
        for e in &outline.edges[..outline.n_edges as usize] {
            let (mut low, mut high) = (i64::MAX, i64::MIN);
            for &offset in offsets_fx8 {
                let [l, h] = e.seen_from(offset).range(tx, ty, TILE_PX as i32 - 1);
                (low, high) = (low.min(l), high.max(h));
            }
            if high < 0 {
                return None;
            }
            if low < 0 {
                // The edge crosses the tile for some sample, so its values for all samples fit 32 bits.
                (edges.a[n], edges.b[n], edges.least[n], edges.most[n]) = (e.a, e.b, i32::MAX, i32::MIN);
                for (c, &offset) in edges.c.iter_mut().zip(offsets_fx8) {
                    c[n] = e.seen_from(offset).at_center(tx, ty) as i32;
                    edges.least[n] = edges.least[n].min(c[n]);
                    edges.most[n] = edges.most[n].max(c[n]);
                }
                n += 1;
            }
        }
        Some(edges)
    }
}

/// Calls `emit` with the corners of an outline's stamps in the tile at `[tx, ty]`, and the covered lanes of each
/// sample. `offsets_fx8` are the samples' offsets from pixel centres. The result equals that of [`cover`] for each
/// sample.
#[inline]
pub(crate) fn cover_samples(
    outline: &Outline,
    tile: [i32; 2],
    offsets_fx8: &[[i32; 2]],
    shape: &StampShape,
    emit: &mut impl FnMut([i32; 2], &[u32; MAX_SAMPLES]),
) {
    level::run(CoverSamples { outline, tile, offsets_fx8, shape, emit });
}

/// Work of [`cover_samples`].
struct CoverSamples<'a, F> {
    outline: &'a Outline,
    tile: [i32; 2],
    offsets_fx8: &'a [[i32; 2]],
    shape: &'a StampShape,
    emit: &'a mut F,
}

impl<F: FnMut([i32; 2], &[u32; MAX_SAMPLES])> Work for CoverSamples<'_, F> {
    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let CoverSamples { outline, tile, offsets_fx8, shape, emit } = self;
        cover_samples_at(level, outline, tile, offsets_fx8, shape, emit);
    }
}

/// [`cover_samples`] with the instructions of a level.
#[inline(always)]
fn cover_samples_at(
    level: impl Level,
    outline: &Outline,
    [tx, ty]: [i32; 2],
    offsets_fx8: &[[i32; 2]],
    shape: &StampShape,
    emit: &mut impl FnMut([i32; 2], &[u32; MAX_SAMPLES]),
) {
    let t = TILE_PX as i32;
    let r = intersect(outline.bounds, [tx, ty, tx + t, ty + t]);
    if r[0] >= r[2] || r[1] >= r[3] {
        return;
    }
    let Some(edges) = SampleEdges::crossing(outline, [tx, ty], offsets_fx8) else { return };
    let SampleEdges { a, b, c, least, most } = &edges;
    // Maximum and minimum of each edge in a block over all samples, relative to the first block.
    let greatest: [i32; 4] = std::array::from_fn(|k| most[k] + (BLOCK - 1) * (a[k].max(0) + b[k].max(0)));
    let smallest: [i32; 4] = std::array::from_fn(|k| least[k] + (BLOCK - 1) * (a[k].min(0) + b[k].min(0)));
    let bounded = outline.kind & kind::BOUNDED != 0;
    for by in (r[1] & !(BLOCK - 1)..r[3]).step_by(BLOCK as usize) {
        for bx in (r[0] & !(BLOCK - 1)..r[2]).step_by(BLOCK as usize) {
            let at: [i32; 4] = std::array::from_fn(|k| a[k] * (bx - tx) + b[k] * (by - ty));
            let first = Quad::new(at);
            if first.plus(Quad::new(greatest)).negative() != 0 {
                continue;
            }
            let all_crossing = first.plus(Quad::new(smallest)).negative();
            let inside = bx >= r[0] && by >= r[1] && bx + BLOCK <= r[2] && by + BLOCK <= r[3];
            let limit = (bounded && !inside).then_some(&r);
            let mut lanes = [0; MAX_SAMPLES];
            for (lanes, c) in lanes.iter_mut().zip(c).take(offsets_fx8.len()) {
                let mut crossing = all_crossing;
                *lanes = u64::MAX;
                while crossing != 0 {
                    let k = crossing.trailing_zeros() as usize & 3;
                    *lanes &= block_inside(level, c[k] + at[k], a[k], b[k], shape);
                    crossing &= crossing - 1;
                }
            }
            block_samples(&mut lanes[..offsets_fx8.len()], [bx, by], limit, shape, emit);
        }
    }
}

/// Like [`block_stamps`], for several samples.
#[inline(always)]
fn block_samples(
    lanes: &mut [u64],
    [bx, by]: [i32; 2],
    limit: Option<&[i32; 4]>,
    shape: &StampShape,
    emit: &mut impl FnMut([i32; 2], &[u32; MAX_SAMPLES]),
) {
    let mut masks = [0; MAX_SAMPLES];
    let any = lanes.iter().fold(0, |any, l| any | l);
    block_stamps(any, [bx, by], limit, shape, &mut |s| {
        let i = ((s.y - by) >> shape.log_size[1] << (BLOCK.ilog2() - shape.log_size[0]))
            + ((s.x - bx) >> shape.log_size[0]);
        let shift = (i as u32) << (shape.log_size[0] + shape.log_size[1]);
        for (mask, lanes) in masks.iter_mut().zip(&*lanes) {
            *mask = (lanes >> shift) as u32 & s.mask;
        }
        emit([s.x, s.y], &masks);
    });
}

/// Emits the stamps of a block with these covered lanes, without lanes outside `limit`.
#[inline(always)]
fn block_stamps(
    mut lanes: u64,
    [bx, by]: [i32; 2],
    limit: Option<&[i32; 4]>,
    shape: &StampShape,
    emit: &mut impl FnMut(Stamp),
) {
    let [log_w, log_h] = shape.log_size;
    let log_across = BLOCK.ilog2() - log_w;
    while lanes != 0 {
        // The next stamp with a covered lane.
        let i = lanes.trailing_zeros() >> (log_w + log_h);
        let first = i << (log_w + log_h);
        let mut mask = (lanes >> first) as u32 & shape.full;
        lanes &= !(u64::from(shape.full) << first);
        let x = bx + ((i as i32 & ((1 << log_across) - 1)) << log_w);
        let y = by + ((i as i32 >> log_across) << log_h);
        if let Some(r) = limit {
            mask &= shape.inside(x, y, r);
            if mask == 0 {
                continue;
            }
        }
        emit(Stamp { x, y, mask });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bins::Edge;
    use crate::samples::offsets_fx8;
    use crate::tests::harness::Rng;

    #[test]
    fn samples_together_are_covered_as_one_by_one() {
        let mut rng = Rng(13);
        for i in 0..3000 {
            let shape = *StampShape::of([4, 8, 16, 32][i % 4]);
            let samples = [2, 4, 8, 16][i / 4 % 4];
            let offsets = offsets_fx8(samples);
            let reach = [3, 20, 90, 2000][i / 16 % 4] * 256;
            let mut corner = || [(); 2].map(|()| rng.next() as i32 % reach - reach / 2 + 100 * 256);
            let mut p = [corner(), corner(), corner()];
            let cross = |a: [i32; 2], b: [i32; 2]| {
                i64::from(a[0]) * i64::from(b[1]) - i64::from(a[1]) * i64::from(b[0])
            };
            let from = |k: usize| [p[k][0] - p[0][0], p[k][1] - p[0][1]];
            if cross(from(1), from(2)) < 0 {
                p.swap(1, 2);
            }
            let edge = |k: usize| if k < 3 { Edge::new(p[k], p[(k + 1) % 3]) } else { Edge::default() };
            let [x, y] = [rng.next() as i32 % 150, rng.next() as i32 % 150];
            let bounds = [x, y, x + 70, y + 50];
            let outline =
                Outline { edges: std::array::from_fn(edge), n_edges: 3, kind: kind::BOUNDED, bounds };
            for tile in [[0, 0], [64, 64], [128, 64]] {
                let mut together = vec![Vec::new(); samples as usize];
                cover_samples(&outline, tile, offsets, &shape, &mut |[x, y], masks| {
                    for (list, &mask) in together.iter_mut().zip(masks).filter(|(_, m)| **m != 0) {
                        list.push((x, y, mask));
                    }
                });
                for (list, &offset) in together.iter().zip(offsets) {
                    let mut one = Vec::new();
                    cover(&outline, tile, offset, &shape, &mut |s| one.push((s.x, s.y, s.mask)));
                    assert_eq!(*list, one, "{p:?}, tile {tile:?}, offset {offset:?}");
                }
            }
        }
    }
}
