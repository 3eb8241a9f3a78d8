//! Decodes ASTC: blocks of two and three dimensions, of the profiles LDR and HDR. Other formats are left to the parent module.
//!
//! Spec: Khronos Data Format, "ASTC Compressed Texture Image Formats".

mod endpoints;
mod integers;

use super::Texels;
use endpoints::{Pair, endpoints};
use integers::{COLOR_RANGES, Range, color_value, range, sequence, weight_value};

/// Encoding of the decoded texels, and whether HDR modes are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Codes of 8 bits.
    Srgb,
    /// 16-bit floats. Blocks and partitions of HDR modes have the error colour.
    Ldr,
    /// 16-bit floats.
    Hdr,
}

fn field(word: u128, low: u32, n: u32) -> u32 {
    (word >> low) as u32 & ((1 << n) - 1)
}

/// The grid of weights in a block.
#[derive(Clone, Copy, Debug)]
struct Grid {
    size: [u32; 3],
    dual: bool,
    range: Range,
}

/// Decodes the block mode of blocks of two dimensions, or three if `deep`; `None` for reserved modes.
///
/// Spec: "Block Mode".
fn grid(mode: u32, deep: bool) -> Option<Grid> {
    let (size, r, limited) = if deep { deep_grid(mode)? } else { flat_grid(mode)? };
    let (high, dual) = if limited { (false, false) } else { (mode >> 9 & 1 != 0, mode >> 10 & 1 != 0) };
    Some(Grid { size, dual, range: weight_range(high, r)? })
}

/// Size of the grid, range of its weights, and `true` if the mode has no bits for two planes and high precision.
type GridMode = ([u32; 3], u32, bool);

/// Block modes of three dimensions.
fn deep_grid(mode: u32) -> Option<GridMode> {
    let (a, b) = (mode >> 5 & 3, mode >> 7 & 3);
    if mode & 3 != 0 {
        return Some(([a + 2, b + 2, (mode >> 2 & 3) + 2], (mode & 3) << 1 | mode >> 4 & 1, false));
    }
    let r = (mode >> 2 & 3) << 1 | mode >> 4 & 1;
    let high = (mode >> 9 & 3) + 2;
    Some(match b {
        0 => ([6, high, a + 2], r, true),
        1 => ([a + 2, 6, high], r, true),
        2 => ([a + 2, high, 6], r, true),
        _ => ([[6, 2, 2], [2, 6, 2], [2, 2, 6]].get(a as usize).copied()?, r, false),
    })
}

/// Block modes of two dimensions.
fn flat_grid(mode: u32) -> Option<GridMode> {
    let (a, b) = (mode >> 5 & 3, mode >> 7 & 3);
    let ([width, height], r, limited) = if mode & 3 != 0 {
        let r = (mode & 3) << 1 | mode >> 4 & 1;
        let size = match mode >> 2 & 3 {
            0 => [b + 4, a + 2],
            1 => [b + 8, a + 2],
            2 => [a + 2, b + 8],
            _ if mode >> 8 & 1 != 0 => [(b & 1) + 2, a + 2],
            _ => [a + 2, (b & 1) + 6],
        };
        (size, r, false)
    } else {
        let r = (mode >> 2 & 3) << 1 | mode >> 4 & 1;
        let size = match b {
            0 => [12, a + 2],
            1 => [a + 2, 12],
            2 => [a + 6, (mode >> 9 & 3) + 6],
            _ => match a {
                0 => [6, 10],
                1 => [10, 6],
                _ => return None,
            },
        };
        (size, r, b == 2)
    };
    Some(([width, height, 1], r, limited))
}

fn weight_range(high: bool, r: u32) -> Option<Range> {
    Some(match (high, r) {
        (false, 2) => range(1, 1),
        (false, 3) => range(3, 0),
        (false, 4) => range(1, 2),
        (false, 5) => range(5, 0),
        (false, 6) => range(3, 1),
        (false, 7) => range(1, 3),
        (true, 2) => range(5, 1),
        (true, 3) => range(3, 2),
        (true, 4) => range(1, 4),
        (true, 5) => range(5, 2),
        (true, 6) => range(3, 3),
        (true, 7) => range(1, 5),
        _ => return None,
    })
}

/// Partition number of a texel.
///
/// Spec: "Partition Pattern Generation".
fn partition(index: u32, count: u32, at: [u32; 3], small: bool) -> usize {
    let [x, y, z] = if small { at.map(|c| c << 1) } else { at };
    let seed = index + (count - 1) * 1024;
    let mut h = seed;
    h ^= h >> 15;
    h = h.wrapping_sub(h << 17);
    h = h.wrapping_add(h << 7);
    h = h.wrapping_add(h << 4);
    h ^= h >> 5;
    h = h.wrapping_add(h << 16);
    h ^= h >> 7;
    h ^= h >> 3;
    h ^= h << 6;
    h ^= h >> 17;
    let (by_parity, by_count) = (if seed & 2 != 0 { 4 } else { 5 }, if count == 3 { 6 } else { 5 });
    let [s1, s2] = if seed & 1 != 0 { [by_parity, by_count] } else { [by_count, by_parity] };
    let s3 = if seed & 16 != 0 { s1 } else { s2 };
    // Evaluates the four planes with three seeds each.
    let of = |at: u32, shift: u32| {
        let v = h.rotate_right(at) & 15;
        (v * v) >> shift
    };
    let plane = |i: u32| {
        let deep = of([26, 30, 18, 22][i as usize], s3) * z;
        of(8 * i, s1) * x + of(8 * i + 4, s2) * y + deep + (h >> (14 - 4 * i))
    };
    let mut p = [0, 1, 2, 3].map(|i| plane(i) & 63);
    p[2] = if count > 2 { p[2] } else { 0 };
    p[3] = if count > 3 { p[3] } else { 0 };
    let [a, b, c, d] = p;
    if a >= b && a >= c && a >= d {
        0
    } else if b >= c && b >= d {
        1
    } else if c >= d {
        2
    } else {
        3
    }
}

/// Converts a 16-bit normalized value to a 16-bit float, rounded towards zero; 65535 becomes 1.
fn half_of(c: u32) -> u64 {
    if c == 0xffff {
        return 0x3c00;
    }
    // The value is C / 2^16; below 2^-14 the result is subnormal.
    if c < 4 {
        return u64::from(c) << 8;
    }
    let top = 31 - c.leading_zeros();
    let mantissa = if top >= 10 { c >> (top - 10) } else { c << (10 - top) } & 0x3ff;
    u64::from((top - 1) << 10 | mantissa)
}

/// Converts a logarithmic value of 16 bits to a finite 16-bit float.
///
/// Spec: "Weight Application".
fn half_of_logarithm(c: u32) -> u64 {
    let (exponent, m) = (c >> 11, c & 0x7ff);
    let mantissa = match m {
        0..512 => 3 * m,
        512..1536 => 4 * m - 512,
        _ => 5 * m - 2048,
    };
    u64::from(((exponent << 10) + (mantissa >> 3)).min(0x7bff))
}

/// Packs the components of a texel.
fn pack(parts: [u64; 4], profile: Profile) -> u64 {
    let bits = if profile == Profile::Srgb { 8 } else { 16 };
    (0..4).fold(0, |w, i| w | parts[i] << (bits * i))
}

/// Encodes a colour with 16 bits per component as a texel word.
fn word(c: [u32; 4], profile: Profile) -> u64 {
    pack(c.map(|c| if profile == Profile::Srgb { u64::from(c >> 8) } else { half_of(c) }), profile)
}

/// Decodes a block of `size` texels.
pub fn decode(block: u128, size: [u32; 3], profile: Profile, out: &mut Texels) {
    if try_decode(block, size, profile, out).is_none() {
        out.fill(error_word(profile));
    }
}

fn error_word(profile: Profile) -> u64 {
    word([0xffff, 0, 0xffff, 0xffff], profile)
}

/// Decodes a block; `None` if the whole block must have the error colour.
fn try_decode(block: u128, size: [u32; 3], profile: Profile, out: &mut Texels) -> Option<()> {
    let mode = field(block, 0, 11);
    if mode & 0x1ff == 0x1fc {
        return void_extent(block, size[2] > 1, profile, out);
    }
    if mode & 15 == 0 {
        return None;
    }
    let g = grid(mode, size[2] > 1)?;
    let planes = if g.dual { 2 } else { 1 };
    let n_weights = g.size.iter().product::<u32>() * planes;
    let weight_bits = g.range.sequence_bits(n_weights);
    let parts = field(block, 11, 2) + 1;
    let inside = g.size.iter().zip(size).all(|(&grid, block)| grid <= block);
    let fits = inside && n_weights <= 64 && (24..=96).contains(&weight_bits);
    if !fits || (g.dual && parts == 4) {
        return None;
    }
    let Colors { pairs, selector } = colors(block, parts, g.dual, 128 - weight_bits, profile)?;
    let mut coded = [(0, 0); 64];
    sequence(block.reverse_bits(), g.range, n_weights as usize, &mut coded);
    let weights: [u32; 64] = std::array::from_fn(|i| match (i as u32) < n_weights {
        true => weight_value(g.range, coded[i]),
        false => 0,
    });
    let [width, height, _] = size;
    let count: u32 = size.iter().product();
    let index = field(block, 13, 10);
    for (n, texel) in (0..count).zip(out) {
        let at = [n % width, n / width % height, n / (width * height)];
        let part = if parts == 1 { 0 } else { partition(index, parts, at, count < 31) };
        let Some(pair) = pairs[part] else {
            *texel = error_word(profile);
            continue;
        };
        let [w0, w1] = [0, planes - 1].map(|p| infill(&g, &weights, planes, p, size, at));
        *texel = pack(
            std::array::from_fn(|c| pair.mix(c, if selector == Some(c as u32) { w1 } else { w0 }, profile)),
            profile,
        );
    }
    Some(())
}

impl Pair {
    /// A component between the end points, `w` of 64 parts from the first one.
    ///
    /// Spec: "Weight Application".
    fn mix(&self, c: usize, w: u32, profile: Profile) -> u64 {
        let [a, b] = self.ends.map(|end| match (end[c] as u32, self.logarithmic[c], profile) {
            (e, true, _) => e << 4,
            (e, false, Profile::Srgb) => e << 8 | 0x80,
            (e, false, Profile::Ldr | Profile::Hdr) => e << 8 | e,
        });
        let color = (a * (64 - w) + b * w + 32) >> 6;
        match (self.logarithmic[c], profile) {
            (true, _) => half_of_logarithm(color),
            (false, Profile::Srgb) => u64::from(color >> 8),
            (false, Profile::Ldr | Profile::Hdr) => half_of(color),
        }
    }
}

/// The colours of a block.
struct Colors {
    /// End points of each partition; `None` for the error colour.
    pairs: [Option<Pair>; 4],
    /// The component that the second plane of weights applies to.
    selector: Option<u32>,
}

/// Decodes the end points of `parts` partitions. The weights begin at bit `end`; `dual` blocks have two planes of them.
fn colors(block: u128, parts: u32, dual: bool, mut end: u32, profile: Profile) -> Option<Colors> {
    // End point modes, and the fields between the colours and the weights.
    let mut modes = [0; 4];
    let start = if parts == 1 {
        modes[0] = field(block, 13, 4);
        17
    } else {
        let shared = field(block, 23, 2);
        if shared == 0 {
            modes = [field(block, 25, 4); 4];
        } else {
            let extra = 3 * parts - 4;
            end -= extra;
            let bits = field(block, 25, 4) | field(block, end, extra) << 4;
            for i in 0..parts {
                let class = shared - 1 + (bits >> i & 1);
                modes[i as usize] = class << 2 | bits >> (parts + 2 * i) & 3;
            }
        }
        29
    };
    let selector = dual.then(|| {
        end -= 2;
        field(block, end, 2)
    });
    let n_values: u32 = modes[..parts as usize].iter().map(|m| ((m >> 2) + 1) * 2).sum();
    let room = end.checked_sub(start)?;
    if n_values > 18 || room < (13 * n_values).div_ceil(5) {
        return None;
    }
    let range = *COLOR_RANGES.iter().find(|r| r.sequence_bits(n_values) <= room)?;
    let mut coded = [(0, 0); 64];
    sequence(block >> start, range, n_values as usize, &mut coded);
    let values: [i32; 18] = std::array::from_fn(|i| color_value(range, coded[i]));
    let mut pairs: [Option<Pair>; 4] = [None; 4];
    let mut at = 0;
    for (pair, mode) in pairs.iter_mut().zip(&modes[..parts as usize]) {
        let n = ((mode >> 2) as usize + 1) * 2;
        *pair = endpoints(*mode, &values[at..at + n], profile == Profile::Hdr);
        at += n;
    }
    Some(Colors { pairs, selector })
}

/// Interpolates the weight of a texel from the grid: bilinearly in two dimensions, between the corners of a simplex in
/// three.
///
/// Spec: "Weight Infill".
fn infill(g: &Grid, weights: &[u32; 64], planes: u32, plane: u32, size: [u32; 3], at: [u32; 3]) -> u32 {
    // Places in the grid, in units of 1/16.
    let place: [u32; 3] = std::array::from_fn(|c| match size[c] {
        1 => 0,
        n => ((1024 + n / 2) / (n - 1) * at[c] * (g.size[c] - 1) + 32) >> 6,
    });
    let steps = [1, g.size[0], g.size[0] * g.size[1]];
    let first: u32 = (0..3).map(|c| (place[c] >> 4) * steps[c]).sum();
    // Grid points outside the grid have weight 0.
    let get = |i: u32| weights.get((i * planes + plane) as usize).copied().unwrap_or(0);
    let [fx, fy, fz] = place.map(|p| p & 15);
    if size[2] == 1 {
        let w11 = (fx * fy + 8) >> 4;
        let (w10, w01, w00) = (fy - w11, fx - w11, 16 + w11 - fx - fy);
        let sum = get(first) * w00
            + get(first + 1) * w01
            + get(first + steps[1]) * w10
            + get(first + steps[1] + 1) * w11;
        return (sum + 8) >> 4;
    }
    // The axes by falling fraction; of equal fractions, the later axis comes first.
    let axes = match (fx > fy, fy > fz, fx > fz) {
        (true, true, _) => [0, 1, 2],
        (false, _, true) => [1, 0, 2],
        (true, false, true) => [0, 2, 1],
        (true, false, false) => [2, 0, 1],
        (false, true, false) => [1, 2, 0],
        (false, false, false) => [2, 1, 0],
    };
    let [high, middle, low] = axes.map(|axis| [fx, fy, fz][axis]);
    let sum = get(first) * (16 - high)
        + get(first + steps[axes[0]]) * (high - middle)
        + get(first + steps[axes[0]] + steps[axes[1]]) * (middle - low)
        + get(first + steps.iter().sum::<u32>()) * low;
    (sum + 8) >> 4
}

/// Decodes a block with a constant colour. Spec: "Void-Extent Blocks", "Illegal Encodings".
fn void_extent(block: u128, deep: bool, profile: Profile, out: &mut Texels) -> Option<()> {
    // In three dimensions the extents begin at these bits.
    if !deep && field(block, 10, 2) != 3 {
        return None;
    }
    // Minimum and maximum by axis.
    let range = |at: u32, bits: u32| [field(block, at, bits), field(block, at + bits, bits)];
    let extents = match deep {
        true => vec![range(10, 9), range(28, 9), range(46, 9)],
        false => vec![range(12, 13), range(38, 13)],
    };
    let unlimited = extents.as_flattened().iter().all(|&e| e == if deep { 0x1ff } else { 0x1fff });
    let floats = field(block, 9, 1) != 0;
    if (floats && profile != Profile::Hdr) || (!unlimited && extents.iter().any(|[low, high]| low >= high)) {
        return None;
    }
    let color = [64, 80, 96, 112].map(|at| field(block, at, 16));
    out.fill(if floats { pack(color.map(u64::from), profile) } else { word(color, profile) });
    Some(())
}
