//! Decodes ASTC, LDR profile, two-dimensional blocks. Other formats are left to the parent module.
//!
//! Spec: Khronos Data Format, "ASTC Compressed Texture Image Formats".

use super::Texels;

/// Number of values of a quantized integer: `base` times 2^`bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    /// 1 without trits and quints, 3 with trits, 5 with quints.
    base: u32,
    bits: u32,
}

const fn range(base: u32, bits: u32) -> Range {
    Range { base, bits }
}

/// Ranges of colour end points, in descending order.
const COLOR_RANGES: [Range; 17] = [
    range(1, 8),
    range(3, 6),
    range(5, 5),
    range(1, 7),
    range(3, 5),
    range(5, 4),
    range(1, 6),
    range(3, 4),
    range(5, 3),
    range(1, 5),
    range(3, 3),
    range(5, 2),
    range(1, 4),
    range(3, 2),
    range(5, 1),
    range(1, 3),
    range(3, 1),
];

impl Range {
    /// Number of bits of a sequence of `n` values.
    fn sequence_bits(self, n: u32) -> u32 {
        let extra = match self.base {
            3 => (8 * n).div_ceil(5),
            5 => (7 * n).div_ceil(3),
            _ => 0,
        };
        n * self.bits + extra
    }
}

/// Reads bits from the low end of a word.
struct Reader(u128);

impl Reader {
    fn take(&mut self, n: u32) -> u32 {
        let v = self.0 as u32 & ((1 << n) - 1);
        self.0 >>= n;
        v
    }
}

fn field(word: u128, low: u32, n: u32) -> u32 {
    (word >> low) as u32 & ((1 << n) - 1)
}

/// Decodes an integer sequence into pairs of low bits and trit or quint.
///
/// Spec: "Bounded Integer Sequence Encoding".
fn sequence(data: u128, r: Range, n: usize, out: &mut [(u32, u32); 64]) {
    // Bits past the end of the sequence are zero.
    let length = r.sequence_bits(n as u32);
    let mut bits = Reader(if length < 128 { data & ((1 << length) - 1) } else { data });
    let mut i = 0;
    let mut put = |i: &mut usize, v: (u32, u32)| {
        if *i < n {
            out[*i] = v;
        }
        *i += 1;
    };
    while i < n {
        match r.base {
            3 => {
                let mut m = [0; 5];
                let mut t = 0;
                for (k, (at, len)) in [(0, 2), (2, 2), (4, 1), (5, 2), (7, 1)].into_iter().enumerate() {
                    m[k] = bits.take(r.bits);
                    t |= bits.take(len) << at;
                }
                let trits = trits(t);
                (0..5).for_each(|k| put(&mut i, (m[k], trits[k])));
            }
            5 => {
                let mut m = [0; 3];
                let mut q = 0;
                for (k, (at, len)) in [(0, 3), (3, 2), (5, 2)].into_iter().enumerate() {
                    m[k] = bits.take(r.bits);
                    q |= bits.take(len) << at;
                }
                let quints = quints(q);
                (0..3).for_each(|k| put(&mut i, (m[k], quints[k])));
            }
            _ => {
                let m = bits.take(r.bits);
                put(&mut i, (m, 0));
            }
        }
    }
}

fn trits(t: u32) -> [u32; 5] {
    let bit = |v: u32, i: u32| v >> i & 1;
    let (c, t4, t3) = if t >> 2 & 7 == 7 {
        ((t >> 5 & 7) << 2 | t & 3, 2, 2)
    } else if t >> 5 & 3 == 3 {
        (t & 31, 2, bit(t, 7))
    } else {
        (t & 31, bit(t, 7), t >> 5 & 3)
    };
    let (t2, t1, t0) = if c & 3 == 3 {
        (2, bit(c, 4), bit(c, 3) << 1 | (bit(c, 2) & !bit(c, 3) & 1))
    } else if c >> 2 & 3 == 3 {
        (2, 2, c & 3)
    } else {
        (bit(c, 4), c >> 2 & 3, bit(c, 1) << 1 | (bit(c, 0) & !bit(c, 1) & 1))
    };
    [t0, t1, t2, t3, t4]
}

fn quints(q: u32) -> [u32; 3] {
    let bit = |i: u32| q >> i & 1;
    if q >> 1 & 3 == 3 && q >> 5 & 3 == 0 {
        let not = !bit(0) & 1;
        return [4, 4, bit(0) << 2 | (bit(4) & not) << 1 | (bit(3) & not)];
    }
    let (c, q2) = if q >> 1 & 3 == 3 {
        ((q >> 3 & 3) << 3 | (!(q >> 5) & 3) << 1 | bit(0), 4)
    } else {
        (q & 31, q >> 5 & 3)
    };
    if c & 7 == 5 { [c >> 3, 4, q2] } else { [c & 7, c >> 3, q2] }
}

/// Repeats the `n` bits of `v` to fill `to` bits.
fn replicate(v: u32, n: u32, to: u32) -> u32 {
    let mut out = 0;
    let mut have = 0;
    while have < to {
        let rest = to - have;
        out = if rest >= n { out << n | v } else { out << rest | v >> (n - rest) };
        have += n;
    }
    out
}

/// Unquantizes a colour value to 8 bits.
///
/// Spec: "Endpoint Unquantization".
fn color_value(r: Range, (m, d): (u32, u32)) -> i32 {
    if r.base == 1 {
        return replicate(m, r.bits, 8) as i32;
    }
    // The bits b, c, d, e, f of the specification, above the lowest, as a number `x` of `n` bits.
    let (n, x) = (r.bits - 1, m >> 1);
    let trit = r.base == 3;
    let (scale, b) = match (trit, r.bits) {
        (true, 1) => (204, 0),
        (false, 1) => (113, 0),
        (true, 2) => (93, x << 8 | x << 4 | x << 2 | x << 1),
        (false, 2) => (54, x << 8 | x << 3 | x << 2),
        (true, 3) => (44, x << 7 | x << 2 | x),
        (false, 3) => (26, x << 7 | x << 1 | x >> 1),
        (true, 4) => (22, x << 6 | x),
        (false, 4) => (13, x << 6 | x >> 1),
        (true, 5) => (11, x << 5 | x >> 2),
        (false, 5) => (6, x << 5 | x >> 3),
        _ => (5, x << (9 - n) | x >> 4),
    };
    let a = if m & 1 != 0 { 0x1ff } else { 0 };
    ((a & 0x80) | (((d * scale + b) ^ a) >> 2)) as i32
}

/// Unquantizes a weight to 0..=64.
///
/// Spec: "Weight Unquantization".
fn weight_value(r: Range, (m, d): (u32, u32)) -> u32 {
    let x = m >> 1;
    let (scale, b) = match (r.base, r.bits) {
        (1, n) => {
            let v = replicate(m, n, 6);
            return v + u32::from(v > 32);
        }
        (3, 0) => return [0, 32, 64][d as usize],
        (5, 0) => return [0, 16, 32, 48, 64][d as usize],
        (3, 1) => (50, 0),
        (5, 1) => (28, 0),
        (3, 2) => (23, x << 6 | x << 2 | x),
        (5, 2) => (13, x << 6 | x << 1),
        _ => (11, x << 5 | x),
    };
    let a = if m & 1 != 0 { 0x7f } else { 0 };
    let v = (a & 0x20) | (((d * scale + b) ^ a) >> 2);
    v + u32::from(v > 32)
}

/// The grid of weights in a block.
#[derive(Clone, Copy, Debug)]
struct Grid {
    size: [u32; 2],
    dual: bool,
    range: Range,
}

/// Decodes the block mode. Spec: "Block Mode".
fn grid(mode: u32) -> Option<Grid> {
    let (a, b) = (mode >> 5 & 3, mode >> 7 & 3);
    let (size, r, limited) = if mode & 3 != 0 {
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
    let (high, dual) = if limited { (false, false) } else { (mode >> 9 & 1 != 0, mode >> 10 & 1 != 0) };
    let range = match (high, r) {
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
    };
    Some(Grid { size, dual, range })
}

/// Partition number of a texel.
///
/// Spec: "Partition Pattern Generation".
fn partition(index: u32, count: u32, x: u32, y: u32, small: bool) -> usize {
    let (x, y) = if small { (x << 1, y << 1) } else { (x, y) };
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
    // Evaluates the four planes with two seeds each; z is always 0.
    let of = |at: u32, shift: u32| {
        let v = h >> at & 15;
        (v * v) >> shift
    };
    let plane = |i: u32| of(8 * i, s1) * x + of(8 * i + 4, s2) * y + (h >> (14 - 4 * i));
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

/// Two end points of a partition, 8 bits per component.
type Pair = [[i32; 4]; 2];

/// Decodes the end points of a partition; `None` for HDR modes. Spec: "LDR Endpoint Decoding".
fn endpoints(mode: u32, v: &[i32]) -> Option<Pair> {
    // Signed offset, and the base that provides one of its bits.
    let transfer = |offset: i32, base: i32| {
        let b = base >> 1 | offset & 0x80;
        let o = offset >> 1 & 0x3f;
        (if o & 0x20 != 0 { o - 0x40 } else { o }, b)
    };
    let contract = |c: [i32; 4]| [(c[0] + c[2]) >> 1, (c[1] + c[2]) >> 1, c[2], c[3]];
    let direct = |alpha: [i32; 2]| {
        let (a, b) = ([v[0], v[2], v[4], alpha[0]], [v[1], v[3], v[5], alpha[1]]);
        if v[1] + v[3] + v[5] >= v[0] + v[2] + v[4] { [a, b] } else { [contract(b), contract(a)] }
    };
    let offset = |alpha: [i32; 2]| {
        let pairs = [transfer(v[1], v[0]), transfer(v[3], v[2]), transfer(v[5], v[4])];
        let base = [pairs[0].1, pairs[1].1, pairs[2].1, alpha[0]];
        let sum = [0, 1, 2].map(|c| pairs[c].0 + pairs[c].1);
        let moved = [sum[0], sum[1], sum[2], alpha[1]];
        let up = pairs.iter().map(|p| p.0).sum::<i32>() >= 0;
        if up { [base, moved] } else { [contract(moved), contract(base)] }
    };
    let scaled = |alpha: [i32; 2]| {
        let low = [0, 1, 2].map(|c| (v[c] * v[3]) >> 8);
        [[low[0], low[1], low[2], alpha[0]], [v[0], v[1], v[2], alpha[1]]]
    };
    let grey = |l: i32, a: i32| [l, l, l, a];
    let pair = match mode {
        0 => [grey(v[0], 255), grey(v[1], 255)],
        1 => {
            let l = v[0] >> 2 | v[1] & 0xc0;
            [grey(l, 255), grey(l + (v[1] & 0x3f), 255)]
        }
        4 => [grey(v[0], v[2]), grey(v[1], v[3])],
        5 => {
            let ((dl, l), (da, a)) = (transfer(v[1], v[0]), transfer(v[3], v[2]));
            [grey(l, a), grey(l + dl, a + da)]
        }
        6 => scaled([255, 255]),
        8 => direct([255, 255]),
        9 => offset([255, 255]),
        10 => scaled([v[4], v[5]]),
        12 => direct([v[6], v[7]]),
        13 => {
            let (d, a) = transfer(v[7], v[6]);
            offset([a, a + d])
        }
        _ => return None,
    };
    Some(pair.map(|e| e.map(|c| c.clamp(0, 255))))
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

/// Encodes a colour with 16 bits per component as a texel word.
fn word(c: [u32; 4], srgb: bool) -> u64 {
    let part = |c: u32| if srgb { u64::from(c >> 8) } else { half_of(c) };
    let bits = if srgb { 8 } else { 16 };
    (0..4).fold(0, |w, i| w | part(c[i]) << (bits * i))
}

/// Decodes a block of `size` texels to 16-bit floats, or to 8-bit codes if `srgb`.
pub fn decode(block: u128, size: [u32; 2], srgb: bool, out: &mut Texels) {
    if try_decode(block, size, srgb, out).is_none() {
        out.fill(error_word(srgb));
    }
}

fn error_word(srgb: bool) -> u64 {
    word([0xffff, 0, 0xffff, 0xffff], srgb)
}

/// Decodes a block; `None` if the whole block must have the error colour.
fn try_decode(block: u128, [bw, bh]: [u32; 2], srgb: bool, out: &mut Texels) -> Option<()> {
    let mode = field(block, 0, 11);
    if mode & 0x1ff == 0x1fc {
        return void_extent(block, srgb, out);
    }
    if mode & 15 == 0 || (mode & 3 == 0 && mode >> 6 & 7 == 7) {
        return None;
    }
    let g = grid(mode)?;
    let planes = if g.dual { 2 } else { 1 };
    let n_weights = g.size[0] * g.size[1] * planes;
    let weight_bits = g.range.sequence_bits(n_weights);
    let parts = field(block, 11, 2) + 1;
    let fits = g.size[0] <= bw && g.size[1] <= bh && n_weights <= 64 && (24..=96).contains(&weight_bits);
    if !fits || (g.dual && parts == 4) {
        return None;
    }
    let Colors { pairs, selector } = colors(block, parts, g.dual, 128 - weight_bits)?;
    let mut coded = [(0, 0); 64];
    sequence(block.reverse_bits(), g.range, n_weights as usize, &mut coded);
    let weights: [u32; 64] = std::array::from_fn(|i| match (i as u32) < n_weights {
        true => weight_value(g.range, coded[i]),
        false => 0,
    });
    let small = bw * bh < 31;
    let index = field(block, 13, 10);
    for y in 0..bh {
        for x in 0..bw {
            let part = if parts == 1 { 0 } else { partition(index, parts, x, y, small) };
            let Some(pair) = pairs[part] else {
                out[(y * bw + x) as usize] = error_word(srgb);
                continue;
            };
            let [w0, w1] = [0, planes - 1].map(|p| infill(&g, &weights, planes, p, [bw, bh], [x, y]));
            let color = std::array::from_fn(|c| {
                let w = if selector == Some(c as u32) { w1 } else { w0 };
                let [a, b] = [0, 1].map(|i| {
                    let e = pair[i][c] as u32;
                    if srgb { e << 8 | 0x80 } else { e << 8 | e }
                });
                (a * (64 - w) + b * w + 32) >> 6
            });
            out[(y * bw + x) as usize] = word(color, srgb);
        }
    }
    Some(())
}

/// The colours of a block.
struct Colors {
    /// End points of each partition; `None` for the error colour.
    pairs: [Option<Pair>; 4],
    /// The component that the second plane of weights applies to.
    selector: Option<u32>,
}

/// Decodes the end points of `parts` partitions. The weights begin at bit `end`; `dual` blocks have two planes of them.
fn colors(block: u128, parts: u32, dual: bool, mut end: u32) -> Option<Colors> {
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
        *pair = endpoints(*mode, &values[at..at + n]);
        at += n;
    }
    Some(Colors { pairs, selector })
}

/// Interpolates the weight of a texel from the grid.
///
/// Spec: "Weight Infill".
fn infill(g: &Grid, weights: &[u32; 64], planes: u32, plane: u32, size: [u32; 2], at: [u32; 2]) -> u32 {
    let place = |c: usize| {
        let scale = (1024 + size[c] / 2) / (size[c] - 1);
        (scale * at[c] * (g.size[c] - 1) + 32) >> 6
    };
    let (gx, gy) = (place(0), place(1));
    let (fx, fy) = (gx & 15, gy & 15);
    let at = (gx >> 4) + (gy >> 4) * g.size[0];
    let w11 = (fx * fy + 8) >> 4;
    let (w10, w01, w00) = (fy - w11, fx - w11, 16 + w11 - fx - fy);
    // Grid points outside the grid have weight 0.
    let get = |i: u32| weights.get((i * planes + plane) as usize).copied().unwrap_or(0);
    let sum = get(at) * w00 + get(at + 1) * w01 + get(at + g.size[0]) * w10 + get(at + g.size[0] + 1) * w11;
    (sum + 8) >> 4
}

/// Decodes a block with a constant colour. Spec: "Void-Extent Blocks".
fn void_extent(block: u128, srgb: bool, out: &mut Texels) -> Option<()> {
    let extents = [12, 25, 38, 51].map(|at| field(block, at, 13));
    let [s0, s1, t0, t1] = extents;
    let unlimited = extents == [0x1fff; 4];
    if field(block, 9, 1) != 0 || (!unlimited && (s0 >= s1 || t0 >= t1)) {
        return None;
    }
    out.fill(word([64, 80, 96, 112].map(|at| field(block, at, 16)), srgb));
    Some(())
}
