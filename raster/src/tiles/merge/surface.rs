//! Loads and stores the texels of a stamp in merge kernels, as rows of words.
//!
//! Values are in quad order, like the fragment stage's outputs: the four pixels of a quad, then the next quad. Memory is in
//! pixel order: the pixels of a row, then the next row. Stamps are at least two quads wide. Converting the texels is left to
//! [`super::texel`].

use std::mem::offset_of;

use quadrille_jit::abi::{Stamp, stamp_lane, stamp_size};
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{Lane, LaneBuilder};

use super::args::Args;
use crate::memory::target::TileMemory;

pub(super) fn field(b: &mut LaneBuilder, args: Lane, ty: Ty, offset: usize) -> Lane {
    b.load(ty, args, offset as i32)
}

/// Memory of an attachment in the tile.
pub(super) struct Surface {
    base: Lane,
    pitch: Lane,
}

impl Surface {
    pub fn new(b: &mut LaneBuilder, args: Lane, offset: i32) -> Surface {
        let base = b.load(Ty::I64, args, offset + offset_of!(TileMemory, base) as i32);
        let pitch = b.load(Ty::I32, args, offset + offset_of!(TileMemory, pitch) as i32);
        Surface { base, pitch }
    }

    /// Addresses of the stamp's rows; `dx` and `dy` are relative to the tile.
    pub fn rows(&self, b: &mut LaneBuilder, dx: Lane, dy: Lane, texel_bytes: u32) -> Vec<Lane> {
        let down = b.imul(dy, self.pitch);
        let size = b.u32(texel_bytes);
        let across = b.imul(dx, size);
        let offset = b.iadd(down, across);
        let mut at = b.index(self.base, offset, 1);
        let (_, height) = stamp_size(b.lanes());
        let mut rows = vec![at];
        for _ in 1..height {
            at = b.index(at, self.pitch, 1);
            rows.push(at);
        }
        rows
    }
}

/// Converts words from pixel order to quad order.
pub(super) fn to_quads(b: &mut LaneBuilder, v: Lane) -> Lane {
    let lanes = b.lanes();
    let width = stamp_size(lanes).0;
    let orders = (0..lanes / 4).map(|q| {
        let (x, y) = stamp_lane(lanes, 4 * q);
        let [upper, lower] = [y, y + 1].map(|row| row * width + x);
        let k = (upper % 4) as u8;
        (((upper / 4) as u8, (lower / 4) as u8), [k, k + 1, k + 4, k + 5])
    });
    let (from, picks): (Vec<_>, Vec<_>) = orders.unzip();
    b.shuffle_quads(v, v, &from, &picks)
}

/// Converts words from quad order to pixel order.
pub(super) fn to_pixels(b: &mut LaneBuilder, v: Lane) -> Lane {
    let lanes = b.lanes();
    let width = stamp_size(lanes).0;
    let orders = (0..lanes / 4).map(|i| {
        let (row, x) = part(lanes, i);
        let quad = (row / 2 * (width / 2) + x / 2) as u8;
        ((quad, quad + 1), if row % 2 == 0 { [0, 1, 4, 5] } else { [2, 3, 6, 7] })
    });
    let (from, picks): (Vec<_>, Vec<_>) = orders.unzip();
    b.shuffle_quads(v, v, &from, &picks)
}

/// Location of the `i`th four pixels of a stamp in pixel order: row, and pixels from the stamp's left edge.
fn part(lanes: u32, i: u32) -> (u32, u32) {
    let width = stamp_size(lanes).0;
    (4 * i / width, 4 * i % width)
}

pub(super) fn load_words(b: &mut LaneBuilder, ty: Ty, rows: &[Lane]) -> Lane {
    b.load_spans(ty, rows, stamp_size(b.lanes()).0)
}

pub(super) fn store_words(b: &mut LaneBuilder, v: Lane, rows: &[Lane]) {
    b.store_spans(v, rows, stamp_size(b.lanes()).0);
}

/// Loads texels of one or two bytes, as words.
pub(super) fn load_narrow(b: &mut LaneBuilder, bytes: u32, rows: &[Lane]) -> Lane {
    let lanes = b.lanes();
    let at: Vec<Lane> = (0..lanes / 4)
        .map(|i| {
            let (row, x) = part(lanes, i);
            b.offset(rows[row as usize], i64::from(bytes * x))
        })
        .collect();
    b.load_quads_narrow(bytes, &at)
}

pub(super) fn store_narrow(b: &mut LaneBuilder, bytes: u32, v: Lane, rows: &[Lane]) {
    let lanes = b.lanes();
    for i in 0..lanes / 4 {
        let (row, x) = part(lanes, i);
        b.store_quad_narrow(v, i, bytes, rows[row as usize], (bytes * x) as i32);
    }
}

pub(super) fn stamp_fields(b: &mut LaneBuilder, args: Lane, stamp: Lane) -> ([Lane; 2], [Lane; 2]) {
    let x = b.load(Ty::I32, stamp, offset_of!(Stamp, x) as i32);
    let y = b.load(Ty::I32, stamp, offset_of!(Stamp, y) as i32);
    let tx = field(b, args, Ty::I32, offset_of!(Args, tile_x));
    let ty = field(b, args, Ty::I32, offset_of!(Args, tile_y));
    ([x, y], [b.isub(x, tx), b.isub(y, ty)])
}

/// Writes rows of words in quad order to the lanes in the mask.
pub(super) fn store_masked(b: &mut LaneBuilder, texel: Lane, rows: &[Lane], mask: Lane, whole: Lane) {
    let load = |b: &mut LaneBuilder| load_words(b, Ty::I32, rows);
    store_where(b, texel, mask, whole, load, |b, v| store_words(b, v, rows));
}

/// Like [`store_masked`], for texels of one or two bytes.
pub(super) fn store_masked_narrow(
    b: &mut LaneBuilder,
    bytes: u32,
    texel: Lane,
    rows: &[Lane],
    mask: Lane,
    whole: Lane,
) {
    let load = |b: &mut LaneBuilder| load_narrow(b, bytes, rows);
    store_where(b, texel, mask, whole, load, |b, v| store_narrow(b, bytes, v, rows));
}

/// Writes words in quad order to the lanes in the mask; `load` and `store` access the stamp in pixel order.
fn store_where(
    b: &mut LaneBuilder,
    texel: Lane,
    mask: Lane,
    whole: Lane,
    load: impl FnOnce(&mut LaneBuilder) -> Lane,
    store: impl Fn(&mut LaneBuilder, Lane),
) {
    b.if_else(
        whole,
        |b| {
            let new = to_pixels(b, texel);
            store(b, new);
        },
        |b| {
            let old = load(b);
            let old = to_quads(b, old);
            let lanes = b.mask_from_bits(mask);
            let new = b.select(lanes, texel, old);
            let new = to_pixels(b, new);
            store(b, new);
        },
    );
}

/// Address of pixel `k` of each quad, for texels of `bytes` bytes.
fn quad_pixels(b: &mut LaneBuilder, rows: &[Lane], k: u32, bytes: u32) -> Vec<Lane> {
    let lanes = b.lanes();
    (0..lanes / 4)
        .map(|q| {
            let (x, y) = stamp_lane(lanes, 4 * q + k);
            b.offset(rows[y as usize], i64::from(x * bytes))
        })
        .collect()
}

fn shuffle(b: &mut LaneBuilder, x: Lane, y: Lane, pick: [u8; 4]) -> Lane {
    let n = (b.lanes() / 4) as u8;
    let from: Vec<(u8, u8)> = (0..n).map(|q| (q, q)).collect();
    b.shuffle_quads(x, y, &from, &vec![pick; n as usize])
}

/// Transposes each quad: from four rows to the four words of each pixel, and back.
fn transpose(b: &mut LaneBuilder, v: [Lane; 4]) -> [Lane; 4] {
    let low = [0, 4, 1, 5];
    let high = [2, 6, 3, 7];
    let (rg0, ba0) = (shuffle(b, v[0], v[1], low), shuffle(b, v[2], v[3], low));
    let (rg1, ba1) = (shuffle(b, v[0], v[1], high), shuffle(b, v[2], v[3], high));
    let (first, second) = ([0, 1, 4, 5], [2, 3, 6, 7]);
    [
        shuffle(b, rg0, ba0, first),
        shuffle(b, rg0, ba0, second),
        shuffle(b, rg1, ba1, first),
        shuffle(b, rg1, ba1, second),
    ]
}

pub(super) fn load_four(b: &mut LaneBuilder, rows: &[Lane]) -> Vec<Lane> {
    let pixels: [Lane; 4] = std::array::from_fn(|k| {
        let at = quad_pixels(b, rows, k as u32, 16);
        b.load_quads(Ty::I32, &at)
    });
    transpose(b, pixels).to_vec()
}

pub(super) fn store_four(b: &mut LaneBuilder, words: [Lane; 4], rows: &[Lane], mask: Lane, whole: Lane) {
    let pixels = transpose(b, words);
    let put = |b: &mut LaneBuilder, lanes: Option<Lane>| {
        for (k, &pixel) in pixels.iter().enumerate() {
            let at = quad_pixels(b, rows, k as u32, 16);
            let new = match lanes {
                None => pixel,
                Some(lanes) => {
                    let old = b.load_quads(Ty::I32, &at);
                    let mine = b.quad_swizzle(lanes, [k as u8; 4]);
                    b.select(mine, pixel, old)
                }
            };
            for (q, &a) in at.iter().enumerate() {
                b.store_quad(new, q as u32, a, 0);
            }
        }
    };
    b.if_else(
        whole,
        |b| put(b, None),
        |b| {
            let lanes = b.mask_from_bits(mask);
            put(b, Some(lanes));
        },
    );
}

/// Loads texels of two words: the upper and the lower pair of pixels of each quad.
pub(super) fn load_two(b: &mut LaneBuilder, rows: &[Lane]) -> Vec<Lane> {
    let pairs = [0, 2].map(|k| {
        let at = quad_pixels(b, rows, k, 8);
        b.load_quads(Ty::I32, &at)
    });
    vec![shuffle(b, pairs[0], pairs[1], [0, 2, 4, 6]), shuffle(b, pairs[0], pairs[1], [1, 3, 5, 7])]
}

pub(super) fn store_two(b: &mut LaneBuilder, words: [Lane; 2], rows: &[Lane], mask: Lane, whole: Lane) {
    let words = words.map(|w| b.splat(w));
    let pairs = [shuffle(b, words[0], words[1], [0, 4, 1, 5]), shuffle(b, words[0], words[1], [2, 6, 3, 7])];
    let put = |b: &mut LaneBuilder, lanes: Option<Lane>| {
        for (i, &pair) in pairs.iter().enumerate() {
            let at = quad_pixels(b, rows, 2 * i as u32, 8);
            let new = match lanes {
                None => pair,
                Some(lanes) => {
                    let old = b.load_quads(Ty::I32, &at);
                    let k = 2 * i as u8;
                    let mine = b.quad_swizzle(lanes, [k, k, k + 1, k + 1]);
                    b.select(mine, pair, old)
                }
            };
            for (q, &a) in at.iter().enumerate() {
                b.store_quad(new, q as u32, a, 0);
            }
        }
    };
    b.if_else(
        whole,
        |b| put(b, None),
        |b| {
            let lanes = b.mask_from_bits(mask);
            put(b, Some(lanes));
        },
    );
}
