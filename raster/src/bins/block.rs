//! Small primitives: their coverage is computed at set-up, while their vertices are at hand.
//!
//! A primitive inside a few stamps needs no outline, since one bit per lane holds its coverage. A primitive that covers
//! no pixel centre is dropped before its planes are computed. Blocks exist only for one sample per pixel. The general
//! coverage in [`crate::tiles`], which gives the same stamps, handles all other primitives.

use std::num::NonZeroU64;

use quadrille_jit::abi::Stamp;

use super::{StampShape, lanes_inside};
use crate::level::{Baseline, Level};
use crate::limits::{SUBPIXEL_BITS, SUBPIXELS, TILE_PX};

/// Lanes of the stamps that a small primitive touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// Covered lanes: lanes of the first stamp in the lowest bits, then the other stamps row by row.
    lanes: u64,
    place: BlockPlace,
}

/// Place and size of a [`Block`]. One word, because blocks are loaded as soon as they are stored, and a word could not be
/// forwarded from stores of its parts.
///
/// From the lowest bit on: the upper left pixel of the first stamp, x and y with 16 bits each; then with 8 bits each the
/// number of stamps per row, the number of rows of stamps, and width and height of a stamp in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BlockPlace(NonZeroU64);

impl BlockPlace {
    #[inline]
    fn byte(self, from: u32) -> i32 {
        i32::from((self.0.get() >> from) as u8)
    }

    /// Upper left pixel of the first stamp.
    #[inline]
    fn corner(self) -> [i32; 2] {
        [i32::from(self.0.get() as u16), i32::from((self.0.get() >> 16) as u16)]
    }

    /// Number of stamps per row, and of rows.
    #[inline]
    fn stamps(self) -> [i32; 2] {
        [self.byte(32), self.byte(40)]
    }

    /// Size of a stamp in pixels.
    #[inline]
    fn stamp(self) -> [i32; 2] {
        [self.byte(48), self.byte(56)]
    }
}

/// The stamps around some pixels.
pub(crate) struct Around {
    /// `true` if a block can hold their lanes.
    pub fits: bool,
    /// Upper left pixel of the first stamp.
    corner: [i32; 2],
    /// Halves of [`BlockPlace`], which only blocks that fit have.
    pub words: [u32; 2],
}

impl Around {
    /// The stamps of a shape around the pixels in `bounds`.
    #[inline(always)]
    pub fn new(bounds: [i32; 4], shape: &StampShape) -> Around {
        let [x0, y0, x1, y1] = bounds;
        let [log_w, log_h] = shape.log_size;
        let (left, top) = (x0 >> log_w, y0 >> log_h);
        // Sums wrap around for bounds without pixels, which may be anything.
        let stamps =
            |first: i32, end: i32, log: u32| (end.wrapping_sub(1) >> log).wrapping_sub(first).wrapping_add(1);
        let (across, down) = (stamps(left, x1, log_w), stamps(top, y1, log_h));
        let most = 64 >> (log_w + log_h);
        // The first two checks prevent overflow of the product.
        let few = (across <= most) & (down <= most) & (across.wrapping_mul(down) <= most);
        let [x, y] = [left << log_w, top << log_h];
        let size = (shape.w as u32) << 16 | (shape.h as u32) << 24;
        Around {
            fits: few & (across > 0) & (down > 0),
            corner: [x, y],
            words: [
                x as u32 & 0xffff | (y as u32) << 16,
                across as u32 & 0xff | (down as u32 & 0xff) << 8 | size,
            ],
        }
    }

    /// The edge from one corner of a triangle with positive area to the next: its value at the first pixel centre, and its
    /// changes per pixel to the right and down. Corners are in 1/256 pixels.
    ///
    /// Values in 1/65536 are exact if the block fits: a block is at most 32 pixels wide or high, and corners are less than a
    /// pixel outside it, so products stay below 2^28.
    #[inline(always)]
    pub fn edge(&self, [x0, y0]: [i32; 2], [x1, y1]: [i32; 2]) -> [i32; 3] {
        let center = |p: i32| p.wrapping_mul(SUBPIXELS).wrapping_add(SUBPIXELS / 2);
        let (a, b) = (y0.wrapping_sub(y1), x1.wrapping_sub(x0));
        // Pixel centres on left and top edges belong to the triangle.
        let owned = (a > 0) | ((a == 0) & (b > 0));
        let across = a.wrapping_mul(center(self.corner[0]).wrapping_sub(x0));
        let down = b.wrapping_mul(center(self.corner[1]).wrapping_sub(y0));
        let at = across.wrapping_add(down).wrapping_sub(i32::from(!owned));
        [at, a << SUBPIXEL_BITS, b << SUBPIXEL_BITS]
    }
}

impl Block {
    /// An empty block with these halves of a place. Returns `None` without stamps.
    #[inline(always)]
    fn empty([low, high]: [u32; 2]) -> Option<Block> {
        let place = BlockPlace(NonZeroU64::new(u64::from(low) | u64::from(high) << 32)?);
        Some(Block { lanes: 0, place })
    }

    /// Returns an empty block around these pixels; `None` if it would have too many lanes.
    #[inline]
    fn around(bounds: [i32; 4], shape: &StampShape) -> Option<Block> {
        let around = Around::new(bounds, shape);
        if around.fits { Block::empty(around.words) } else { None }
    }

    /// Coverage of a triangle with positive area. Its corners, in 1/256 pixels, lie inside `bounds`. Returns `None` if
    /// the triangle is too large.
    #[inline]
    pub fn triangle(corners: [[i32; 2]; 3], bounds: [i32; 4], shape: &StampShape) -> Option<Block> {
        let around = Around::new(bounds, shape);
        if !around.fits {
            return None;
        }
        let [a, b, c] = corners;
        Block::inside(
            Baseline,
            around.words,
            [around.edge(a, b), around.edge(b, c), around.edge(c, a)],
            shape,
        )
    }

    /// Coverage inside three edges, each as [`Around::edge`] gives it, in the block with these halves of a place. Returns
    /// `None` without stamps.
    #[inline(always)]
    pub fn inside(
        level: impl Level,
        place: [u32; 2],
        edges: [[i32; 3]; 3],
        shape: &StampShape,
    ) -> Option<Block> {
        let mut block = Block::empty(place)?;
        let stamps = block.place.stamps().map(|n| n as u32);
        let n = (stamps[0] * stamps[1]) << (shape.log_size[0] + shape.log_size[1]);
        let [at, right, below] = [0, 1, 2].map(|m| [edges[0][m], edges[1][m], edges[2][m]]);
        let lanes = lanes_inside(level, &at, &right, &below, stamps, shape);
        block.lanes = lanes & (u64::MAX >> (64u32.wrapping_sub(n) & 63));
        Some(block)
    }

    /// Coverage of a rectangle of pixels; `None` if it has too many pixels.
    pub fn rectangle(bounds: [i32; 4], shape: &StampShape) -> Option<Block> {
        let mut block = Block::around(bounds, shape)?;
        let (lanes, mut bit) = (shape.w * shape.h, 0);
        let ([left, top], [across, down]) = (block.place.corner(), block.place.stamps());
        for row in 0..down {
            for column in 0..across {
                let (x, y) = (left + column * shape.w, top + row * shape.h);
                block.lanes |= u64::from(shape.inside(x, y, &bounds)) << bit;
                bit += lanes;
            }
        }
        Some(block)
    }

    /// True if no lane is covered.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.lanes == 0
    }

    /// Rectangle of pixels that the block's stamps span.
    #[inline]
    pub fn bounds(&self) -> [i32; 4] {
        let ([x, y], [across, down], [w, h]) = (self.place.corner(), self.place.stamps(), self.place.stamp());
        [x, y, x + w * across, y + h * down]
    }

    /// Calls `emit` with the covered stamps in the tile at `[tx, ty]`.
    #[inline]
    pub fn stamps(&self, [tx, ty]: [i32; 2], emit: &mut impl FnMut(Stamp)) {
        let [x0, y0, x1, y1] = self.bounds();
        let t = TILE_PX as i32;
        let within = x0 >= tx && y0 >= ty && x1 <= tx + t && y1 <= ty + t;
        let [w, h] = self.place.stamp();
        let lanes = w * h;
        let full = u32::MAX >> (32 - lanes);
        let (mut left, mut x, mut y) = (self.lanes, x0, y0);
        while left != 0 {
            let mask = left as u32 & full;
            if mask != 0 && (within || (x >= tx && y >= ty && x < tx + t && y < ty + t)) {
                emit(Stamp { x, y, mask });
            }
            left >>= lanes;
            x += w;
            if x == x1 {
                (x, y) = (x0, y + h);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bins::{Edge, Outline};
    use crate::tests::harness::Rng;
    use crate::tiles::coverage::cover;

    fn stamps_of(f: impl Fn([i32; 2], &mut dyn FnMut(Stamp))) -> Vec<(i32, i32, u32)> {
        let mut all = Vec::new();
        for ty in (0..256).step_by(TILE_PX as usize) {
            for tx in (0..256).step_by(TILE_PX as usize) {
                f([tx, ty], &mut |s| all.push((s.x, s.y, s.mask)));
            }
        }
        all.sort_unstable();
        all
    }

    /// Stamps that the general coverage test finds for the corners.
    fn general(corners: &[[i32; 2]], bounds: [i32; 4], shape: &StampShape) -> Vec<(i32, i32, u32)> {
        let n = corners.len();
        let edge =
            |k: usize| if k < n { Edge::new(corners[k], corners[(k + 1) % n]) } else { Edge::default() };
        let outline = Outline { edges: std::array::from_fn(edge), n_edges: n as u16, kind: 0, bounds };
        stamps_of(|at, emit| cover(&outline, at, [0; 2], shape, &mut |s| emit(s)))
    }

    #[test]
    fn small_triangles_are_covered_as_in_general() {
        let mut rng = Rng(11);
        let mut blocks = 0;
        for i in 0..40_000 {
            let shape = *StampShape::of([4, 8, 16, 32][i % 4]);
            // Every third triangle lies on a grid of half pixels, where edges pass through pixel centres.
            let step = if i % 3 == 0 { 128 } else { 1 };
            let reach = [2, 6, 15, 40][i / 4 % 4] * 256 / step;
            let at = [(); 2].map(|()| (rng.next() % (200 * 256)) as i32 / step);
            let mut p = [(); 3].map(|()| at.map(|v| (v + rng.next() as i32 % reach) * step));
            let cross = |p: [[i32; 2]; 3]| {
                let d = |k: usize, c: usize| i64::from(p[k][c] - p[0][c]);
                d(1, 0) * d(2, 1) - d(2, 0) * d(1, 1)
            };
            if cross(p) < 0 {
                p.swap(1, 2);
            }
            if cross(p) == 0 {
                continue;
            }
            let pixels = |c: usize| {
                let (low, high) = (p.map(|p| p[c]).into_iter().min(), p.map(|p| p[c]).into_iter().max());
                crate::front::setup::pixels(low.unwrap(), high.unwrap(), 0)
            };
            let ([x0, x1], [y0, y1]) = (pixels(0), pixels(1));
            let bounds = [x0, y0, x1, y1];
            if x0 >= x1 || y0 >= y1 {
                continue;
            }
            let Some(block) = Block::triangle(p, bounds, &shape) else { continue };
            blocks += 1;
            let got = stamps_of(|at, emit| block.stamps(at, &mut |s| emit(s)));
            assert_eq!(got, general(&p, bounds, &shape), "{p:?}");
            assert_eq!(block.is_empty(), got.is_empty());
        }
        assert!(blocks > 10_000, "{blocks}");
    }

    #[test]
    fn rectangles_are_covered_as_in_general() {
        let mut rng = Rng(12);
        for i in 0..4000 {
            let shape = *StampShape::of([4, 8, 16, 32][i % 4]);
            let [x0, y0] = [(); 2].map(|()| (rng.next() % 200) as i32);
            let bounds = [x0, y0, x0 + 1 + rng.next() as i32 % 9, y0 + 1 + rng.next() as i32 % 9];
            let Some(block) = Block::rectangle(bounds, &shape) else { continue };
            let got = stamps_of(|at, emit| block.stamps(at, &mut |s| emit(s)));
            let [l, t, r, b] = bounds.map(|v| v * 256);
            assert_eq!(got, general(&[[l, t], [r, t], [r, b], [l, b]], bounds, &shape));
        }
    }
}
