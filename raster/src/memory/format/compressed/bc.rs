//! Decodes BC1 to BC5. Other formats are left to the parent module.
//!
//! Spec: Khronos Data Format, "S3TC Compressed Texture Image Formats", "RGTC Compressed Texture Image Formats".

use super::Texels;

/// Red, green, blue of a 5:6:5 colour, widened to 8 bits.
fn expand(c: u64) -> [u64; 3] {
    let (r, g, b) = (c >> 11 & 31, c >> 5 & 63, c & 31);
    [r << 3 | r >> 2, g << 2 | g >> 4, b << 3 | b >> 2]
}

/// True if a BC1 block uses the palette of three colours and black.
fn three_colors(block: u64) -> bool {
    block & 0xffff <= block >> 16 & 0xffff
}

/// Decodes the colours of a BC1 block, with zero alpha. BC2 and BC3 always use the palette of `four` colours.
pub fn colors(block: u64, four: bool, out: &mut Texels) {
    let (a, b) = (expand(block & 0xffff), expand(block >> 16 & 0xffff));
    let mix = |wa: u64, wb: u64| -> [u64; 3] {
        let n = wa + wb;
        std::array::from_fn(|c| (2 * (wa * a[c] + wb * b[c]) + n) / (2 * n))
    };
    let palette = match four || !three_colors(block) {
        true => [a, b, mix(2, 1), mix(1, 2)],
        false => [a, b, mix(1, 1), [0; 3]],
    };
    for i in 0..16 {
        let [r, g, b] = palette[(block >> (32 + 2 * i) & 3) as usize];
        out[i] = r | g << 8 | b << 16;
    }
}

/// Adds the one-bit alpha of a BC1 block.
pub fn one_bit_alpha(block: u64, out: &mut Texels) {
    let three = three_colors(block);
    for i in 0..16 {
        if !(three && block >> (32 + 2 * i) & 3 == 3) {
            out[i] |= 255 << 24;
        }
    }
}

/// The palette of a BC4 block: end points, weighted means, and the two extreme values. `round` divides a numerator by a
/// denominator, in units of the decoded format.
fn palette(e0: i64, e1: i64, extremes: [i64; 2], round: impl Fn(i64, i64) -> i64) -> [i64; 8] {
    let n = if e0 > e1 { 7 } else { 5 };
    std::array::from_fn(|i| match i as i64 {
        0 => round(e0, 1),
        1 => round(e1, 1),
        i if i <= n => round(e0 * (n + 1 - i) + e1 * (i - 1), n),
        i => round(extremes[i as usize - 6], 1),
    })
}

/// Quotient rounded to the nearest integer; ties do not occur with odd denominators.
fn nearest(n: i64, d: i64) -> i64 {
    (2 * n + d).div_euclid(2 * d)
}

fn index(block: u64, i: usize) -> usize {
    (block >> (16 + 3 * i) & 7) as usize
}

/// Adds the 8-bit alpha of a BC4-style block.
pub fn alpha(block: u64, out: &mut Texels) {
    let p = palette((block & 255) as i64, (block >> 8 & 255) as i64, [0, 255], nearest);
    for i in 0..16 {
        out[i] |= (p[index(block, i)] as u64) << 24;
    }
}

/// Decodes a 16-bit normalized component. With `shift` 0 it replaces the texel's word, else it is added at that bit.
pub fn red(block: u64, signed: bool, out: &mut Texels, shift: u32) {
    let (e0, e1) = (block as u8, (block >> 8) as u8);
    let p = if signed {
        let [e0, e1] = [e0, e1].map(|e| i64::from((e as i8).max(-127)));
        palette(e0, e1, [-127, 127], |n, d| nearest(n * 32767, d * 127))
    } else {
        palette(e0.into(), e1.into(), [0, 255], |n, d| nearest(n * 65535, d * 255))
    };
    for i in 0..16 {
        let v = (p[index(block, i)] as u64 & 0xffff) << shift;
        out[i] = if shift == 0 { v } else { out[i] | v };
    }
}
