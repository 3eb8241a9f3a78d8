//! Decodes ETC2 and EAC, from blocks read as big-endian words. Other formats are left to the parent module.
//!
//! Spec: Khronos Data Format, "ETC1 Compressed Texture Image Formats", "ETC2 Compressed Texture Image Formats".

use super::Texels;

/// Intensity modifiers by table and index.
const MODIFIERS: [[i32; 4]; 8] = [
    [2, 8, -2, -8],
    [5, 17, -5, -17],
    [9, 29, -9, -29],
    [13, 42, -13, -42],
    [18, 60, -18, -60],
    [24, 80, -24, -80],
    [33, 106, -33, -106],
    [47, 183, -47, -183],
];
/// Distances of the T and H modes.
const DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];
/// Alpha modifiers by table and index; entries 4 to 7 are the bitwise complements of entries 0 to 3.
const ALPHA_MODIFIERS: [[i32; 4]; 16] = [
    [-3, -6, -9, -15],
    [-3, -7, -10, -13],
    [-2, -5, -8, -13],
    [-2, -4, -6, -13],
    [-3, -6, -8, -12],
    [-3, -7, -9, -11],
    [-4, -7, -8, -11],
    [-3, -5, -8, -11],
    [-2, -6, -8, -10],
    [-2, -5, -8, -10],
    [-2, -4, -8, -10],
    [-2, -5, -7, -10],
    [-3, -4, -7, -10],
    [-1, -2, -3, -10],
    [-4, -6, -8, -9],
    [-3, -5, -7, -9],
];

fn bits(block: u64, low: u32, n: u32) -> i32 {
    (block >> low & ((1 << n) - 1)) as i32
}

/// Widens a value of `n` bits to 8 by repeating its top bits.
fn widen(v: i32, n: u32) -> i32 {
    v << (8 - n) | v >> (2 * n - 8)
}

fn signed3(v: i32) -> i32 {
    (v ^ 4) - 4
}

fn word([r, g, b]: [i32; 3]) -> u64 {
    let [r, g, b] = [r, g, b].map(|v| v.clamp(0, 255) as u64);
    r | g << 8 | b << 16
}

/// The two bits that select a texel's colour; texels are numbered down the columns.
fn index(block: u64, x: usize, y: usize) -> usize {
    let i = 4 * x + y;
    ((block >> (16 + i) & 1) << 1 | block >> i & 1) as usize
}

/// Decodes the colours of an ETC2 block. With `punch` they have one bit of alpha, else zero alpha.
pub fn colors(block: u64, punch: bool, out: &mut Texels) {
    let opaque_alpha = if punch { 255u64 << 24 } else { 0 };
    let bit = bits(block, 33, 1) != 0;
    let base = [59, 51, 43].map(|at| bits(block, at, 5));
    let delta = [56, 48, 40].map(|at| signed3(bits(block, at, 3)));
    let outside: Vec<bool> = (0..3).map(|c| !(0..32).contains(&(base[c] + delta[c]))).collect();
    let holes = punch && !bit;
    let paint: Option<[[i32; 3]; 4]> = if !punch && !bit {
        None
    } else if outside[0] {
        Some(t_mode(block))
    } else if outside[1] {
        Some(h_mode(block))
    } else if outside[2] {
        planar(block, opaque_alpha, out);
        return;
    } else {
        None
    };
    if let Some(paint) = paint {
        for (y, x) in texels() {
            let i = index(block, x, y);
            out[4 * y + x] = if holes && i == 2 { 0 } else { word(paint[i]) | opaque_alpha };
        }
        return;
    }
    let halves: [[i32; 3]; 2] = if !punch && !bit {
        [60, 56].map(|first| [0, 8, 16].map(|down| widen(bits(block, first - down, 4), 4)))
    } else {
        [0, 1].map(|half| std::array::from_fn(|c| widen(base[c] + half * delta[c], 5)))
    };
    let tables = [bits(block, 37, 3), bits(block, 34, 3)];
    let flip = bits(block, 32, 1) != 0;
    for (y, x) in texels() {
        let half = usize::from(if flip { y >= 2 } else { x >= 2 });
        let i = index(block, x, y);
        out[4 * y + x] = if holes && i == 2 {
            0
        } else {
            let m = if holes && i == 0 { 0 } else { MODIFIERS[tables[half] as usize][i] };
            word(halves[half].map(|v| v + m)) | opaque_alpha
        };
    }
}

fn texels() -> impl Iterator<Item = (usize, usize)> {
    (0..16).map(|i| (i / 4, i % 4))
}

fn t_mode(block: u64) -> [[i32; 3]; 4] {
    let r1 = bits(block, 59, 2) << 2 | bits(block, 56, 2);
    let first = [r1, bits(block, 52, 4), bits(block, 48, 4)].map(|v| widen(v, 4));
    let second = [44, 40, 36].map(|at| widen(bits(block, at, 4), 4));
    let d = DISTANCES[(bits(block, 34, 2) << 1 | bits(block, 32, 1)) as usize];
    [first, second.map(|v| v + d), second, second.map(|v| v - d)]
}

fn h_mode(block: u64) -> [[i32; 3]; 4] {
    let g1 = bits(block, 56, 3) << 1 | bits(block, 52, 1);
    let b1 = bits(block, 51, 1) << 3 | bits(block, 47, 3);
    let first = [bits(block, 59, 4), g1, b1].map(|v| widen(v, 4));
    let second = [43, 39, 35].map(|at| widen(bits(block, at, 4), 4));
    let order = i32::from(first >= second);
    let d = DISTANCES[(bits(block, 34, 1) << 2 | bits(block, 32, 1) << 1 | order) as usize];
    [first.map(|v| v + d), first.map(|v| v - d), second.map(|v| v + d), second.map(|v| v - d)]
}

fn planar(block: u64, alpha: u64, out: &mut Texels) {
    let origin = [
        widen(bits(block, 57, 6), 6),
        widen(bits(block, 56, 1) << 6 | bits(block, 49, 6), 7),
        widen(bits(block, 48, 1) << 5 | bits(block, 43, 2) << 3 | bits(block, 39, 3), 6),
    ];
    let across = [
        widen(bits(block, 34, 5) << 1 | bits(block, 32, 1), 6),
        widen(bits(block, 25, 7), 7),
        widen(bits(block, 19, 6), 6),
    ];
    let down = [widen(bits(block, 13, 6), 6), widen(bits(block, 6, 7), 7), widen(bits(block, 0, 6), 6)];
    for (y, x) in texels() {
        let (fx, fy) = (x as i32, y as i32);
        let v = std::array::from_fn(|c| {
            (fx * (across[c] - origin[c]) + fy * (down[c] - origin[c]) + 4 * origin[c] + 2) >> 2
        });
        out[4 * y + x] = word(v) | alpha;
    }
}

/// Modifier of a texel of an EAC block.
fn modifier(block: u64, x: usize, y: usize) -> i32 {
    let i = bits(block, (45 - 3 * (4 * x + y)) as u32, 3) as usize;
    let m = ALPHA_MODIFIERS[bits(block, 48, 4) as usize][i & 3];
    if i < 4 { m } else { -m - 1 }
}

/// Adds the 8-bit alpha of an EAC block.
pub fn alpha(block: u64, out: &mut Texels) {
    for (y, x) in texels() {
        let a = bits(block, 56, 8) + bits(block, 52, 4) * modifier(block, x, y);
        out[4 * y + x] |= (a.clamp(0, 255) as u64) << 24;
    }
}

/// Decodes an 11-bit component to 16-bit normalized. With `shift` 0 it replaces the texel's word, else it is added at
/// that bit.
pub fn red(block: u64, signed: bool, out: &mut Texels, shift: u32) {
    let multiplier = bits(block, 52, 4);
    for (y, x) in texels() {
        let m = modifier(block, x, y);
        let m = if multiplier == 0 { m } else { 8 * multiplier * m };
        let v = if signed {
            let base = i32::from((block >> 56) as i8).max(-127);
            let v = (8 * base + m).clamp(-1023, 1023);
            nearest(v * 32767, 1023)
        } else {
            let v = (8 * bits(block, 56, 8) + 4 + m).clamp(0, 2047);
            nearest(v * 65535, 2047)
        };
        let v = (v as u64 & 0xffff) << shift;
        let o = &mut out[4 * y + x];
        *o = if shift == 0 { v } else { *o | v };
    }
}

/// Quotient rounded to the nearest integer; ties do not occur with odd denominators.
fn nearest(n: i32, d: i32) -> i32 {
    (2 * n + d).div_euclid(2 * d)
}
