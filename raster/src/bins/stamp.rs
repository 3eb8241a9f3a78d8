//! Stamps: the rectangles of pixels that a lane group of the fragment stage shades, and the lanes of a stamp that lie
//! inside edge functions.

use quadrille_jit::abi::{stamp_lane, stamp_size};

use crate::level::{Level, Octet};

/// Shape of the stamps of a lane group size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StampShape {
    /// Width in pixels.
    pub w: i32,
    /// Height in pixels.
    pub h: i32,
    /// Logarithms of width and height.
    pub log_size: [u32; 2],
    /// Mask of all lanes.
    pub full: u32,
    /// Masks of the lanes in the first n columns, and in the first n rows.
    columns: [u32; 9],
    rows: [u32; 5],
}

impl StampShape {
    /// The shape for a lane group of 4, 8, 16 or 32 lanes.
    #[inline]
    pub fn of(lanes: u32) -> &'static StampShape {
        static SHAPES: [StampShape; 4] =
            [StampShape::new(4), StampShape::new(8), StampShape::new(16), StampShape::new(32)];
        &SHAPES[(lanes.ilog2() as usize).clamp(2, 5) - 2]
    }

    const fn new(lanes: u32) -> Self {
        let (w, h) = stamp_size(lanes);
        let full = if lanes >= 32 { u32::MAX } else { (1 << lanes) - 1 };
        let (mut columns, mut rows) = ([0; 9], [0; 5]);
        let mut lane = 0;
        while lane < lanes {
            let (x, y) = stamp_lane(lanes, lane);
            let mut n = 0;
            while n < 9 {
                columns[n] |= if (x as usize) < n { 1 << lane } else { 0 };
                n += 1;
            }
            let mut n = 0;
            while n < 5 {
                rows[n] |= if (y as usize) < n { 1 << lane } else { 0 };
                n += 1;
            }
            lane += 1;
        }
        StampShape { w: w as i32, h: h as i32, log_size: [w.ilog2(), h.ilog2()], full, columns, rows }
    }

    /// Lanes of the stamp at (x, y) that are inside a rectangle.
    #[inline]
    pub fn inside(&self, x: i32, y: i32, r: &[i32; 4]) -> u32 {
        let below = |table: &[u32], n: i32, size: i32| table[n.clamp(0, size) as usize];
        let columns = below(&self.columns, r[2] - x, self.w) & !below(&self.columns, r[0] - x, self.w);
        let rows = below(&self.rows, r[3] - y, self.h) & !below(&self.rows, r[1] - y, self.h);
        columns & rows
    }
}

/// Mask of the lanes of `across` by `down` stamps, row by row, at which none of `N` functions is negative. The
/// functions have the values `at` at the first pixel, and change by `right` and `below` per pixel.
#[inline(always)]
pub(crate) fn lanes_inside<const N: usize>(
    level: impl Level,
    at: &[i32; N],
    right: &[i32; N],
    below: &[i32; N],
    [across, down]: [u32; 2],
    shape: &StampShape,
) -> u64 {
    let [log_w, log_h] = shape.log_size;
    let mut outside = 0;
    if log_w == 1 {
        // Stamps of one quad. Where their number in a row is odd, every other octet reaches beyond the row.
        let size = [across.div_ceil(2), down];
        each_octet(level, at, right, below, size, |x, y, any| {
            let any = if 2 * x + 1 == across { any & 15 } else { any };
            outside |= u64::from(any) << (((y * across + 2 * x) * 4) & 63);
        });
        return !outside;
    }
    // Logarithms of a stamp's size in octets.
    let [log_w, log_h] = [log_w - 2, log_h - 1];
    let size = [across << log_w, down << log_h];
    if log_w | log_h == 0 {
        // In stamps of one octet, the order of lanes is the order of octets by rows.
        let mut shift = 0;
        each_octet(level, at, right, below, size, |_, _, any| {
            outside |= u64::from(any) << (shift & 63);
            shift += 8;
        });
        return !outside;
    }
    each_octet(level, at, right, below, size, |x, y, any| {
        let stamp = (y >> log_h) * across + (x >> log_w);
        let (x, y) = (x & ((1 << log_w) - 1), y & ((1 << log_h) - 1));
        outside |= u64::from(any) << ((((stamp << (log_w + log_h)) + (y << log_w) + x) * 8) & 63);
    });
    !outside
}

/// Calls `put` with the column and row of each octet of pixels, row by row, and the mask of its lanes at which some function
/// is negative.
#[inline(always)]
fn each_octet<L: Level, const N: usize>(
    level: L,
    at: &[i32; N],
    right: &[i32; N],
    below: &[i32; N],
    [across, down]: [u32; 2],
    mut put: impl FnMut(u32, u32, u32),
) {
    let mut row: [L::Octet; N] = std::array::from_fn(|k| level.slope(at[k], right[k], below[k]));
    let next = right.map(|v| level.splat(v.wrapping_mul(4)));
    let under = below.map(|v| level.splat(v.wrapping_mul(2)));
    for y in 0..down {
        let mut here = row;
        for x in 0..across {
            put(x, y, here[1..].iter().fold(here[0], |any, &v| any.or(v)).negative());
            (0..N).for_each(|k| here[k] = here[k].plus(next[k]));
        }
        (0..N).for_each(|k| row[k] = row[k].plus(under[k]));
    }
}
