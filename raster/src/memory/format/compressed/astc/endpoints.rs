//! End points of colours: from values of 8 bits to two colours, by mode.
//!
//! Spec: Khronos Data Format, "LDR Endpoint Decoding", "HDR Endpoint Decoding".

/// Two colours.
type Ends = [[i32; 4]; 2];

/// The end points of a partition.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    /// Components of 12 bits where they are logarithmic, of 8 bits elsewhere.
    pub(super) ends: Ends,
    /// The components that are logarithmic.
    pub(super) logarithmic: [bool; 4],
}

/// Decodes the end points of a partition; `None` for HDR modes unless `hdr`.
pub(super) fn endpoints(mode: u32, v: &[i32], hdr: bool) -> Option<Pair> {
    if let Some(ends) = ldr(mode, v) {
        return Some(Pair { ends, logarithmic: [false; 4] });
    }
    let ends = match mode {
        2 => wide_luminance([v[0], v[1]]),
        3 => narrow_luminance([v[0], v[1]]),
        7 => scaled([v[0], v[1], v[2], v[3]]),
        _ => direct([v[0], v[1], v[2], v[3], v[4], v[5]]),
    };
    let alpha = match mode {
        14 => [v[6], v[7]],
        15 => alpha([v[6], v[7]]),
        _ => [ONE; 2],
    };
    let with_alpha = |i: usize| [ends[i][0], ends[i][1], ends[i][2], alpha[i]];
    let logarithmic = [true, true, true, mode != 14];
    hdr.then_some(Pair { ends: [with_alpha(0), with_alpha(1)], logarithmic })
}

/// The colours of 8 bits of a mode; `None` for HDR modes.
///
/// Spec: "LDR Endpoint Decoding".
fn ldr(mode: u32, v: &[i32]) -> Option<Ends> {
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

/// 1.0 as a logarithmic number.
const ONE: i32 = 0x780;

/// Two colours without alpha, logarithmic numbers of 12 bits.
type Colors = [[i32; 3]; 2];

fn clamp(color: [i32; 3]) -> [i32; 3] {
    color.map(|c| c.clamp(0, 0xfff))
}

/// Mode 2.
fn wide_luminance([v0, v1]: [i32; 2]) -> Colors {
    if v1 >= v0 { [[v0 << 4; 3], [v1 << 4; 3]] } else { [[(v1 << 4) + 8; 3], [(v0 << 4) - 8; 3]] }
}

/// Mode 3.
fn narrow_luminance([v0, v1]: [i32; 2]) -> Colors {
    let (low, distance) = match v0 & 0x80 != 0 {
        true => ((v1 & 0xe0) << 4 | (v0 & 0x7f) << 2, (v1 & 0x1f) << 2),
        false => ((v1 & 0xf0) << 4 | (v0 & 0x7f) << 1, (v1 & 0x0f) << 1),
    };
    [[low; 3], [(low + distance).min(0xfff); 3]]
}

/// Places of extra bits: a field, and a bit of it.
type Places<const N: usize> = [(usize, u32); N];

/// Adds extra bits to fields.
fn place<const N: usize>(fields: &mut [i32], places: &Places<N>, extra: [i32; N]) {
    for (&(field, bit), x) in places.iter().zip(extra) {
        fields[field] |= (x & 1) << bit;
    }
}

/// Bit allocations of mode 7: bits of the largest component, and the places of X0 to X6 among red (0), green (1), blue (2)
/// and scale (3).
const SCALED: [(u32, Places<7>); 6] = [
    (11, [(0, 9), (0, 8), (0, 7), (0, 10), (0, 6), (3, 6), (3, 5)]),
    (11, [(0, 8), (1, 5), (0, 7), (2, 5), (0, 6), (0, 10), (0, 9)]),
    (10, [(0, 9), (0, 8), (0, 7), (0, 6), (3, 7), (3, 6), (3, 5)]),
    (9, [(0, 8), (1, 5), (0, 7), (2, 5), (0, 6), (3, 6), (3, 5)]),
    (8, [(1, 6), (1, 5), (2, 6), (2, 5), (0, 6), (0, 7), (3, 5)]),
    (7, [(1, 6), (1, 5), (2, 6), (2, 5), (0, 6), (3, 6), (3, 5)]),
];

/// Mode 7: a colour, and the same colour minus the scale.
fn scaled(v: [i32; 4]) -> Colors {
    let bits = v[0] >> 6 | v[1] >> 7 << 2 | v[2] >> 7 << 3;
    let (major, mode) = match bits {
        0..12 => (bits >> 2, bits & 3),
        12..15 => (bits & 3, 4),
        _ => (0, 5),
    };
    let (width, places) = &SCALED[mode as usize];
    let mut fields = [v[0] & 0x3f, v[1] & 0x1f, v[2] & 0x1f, v[3] & 0x1f];
    let extra = [v[1] >> 6, v[1] >> 5, v[2] >> 6, v[2] >> 5, v[3] >> 7, v[3] >> 6, v[3] >> 5];
    place(&mut fields, places, extra);
    let [red, green, blue, scale] = fields.map(|f| f << (12 - width));
    // Smaller components are distances from the largest one.
    let mut color = if mode == 5 { [red, green, blue] } else { [red, red - green, red - blue] };
    color.swap(0, major as usize);
    [clamp(color.map(|c| c - scale)), clamp(color)]
}

/// Bit allocations of mode 11: bits of `a` and of `d`, and the places of X0 to X5 among `a` (0), `b0` (1), `b1` (2), `c` (3),
/// `d0` (4) and `d1` (5).
const DIRECT: [(u32, u32, Places<6>); 8] = [
    (9, 7, [(1, 6), (2, 6), (4, 6), (5, 6), (4, 5), (5, 5)]),
    (9, 6, [(1, 6), (2, 6), (1, 7), (2, 7), (4, 5), (5, 5)]),
    (10, 7, [(0, 9), (3, 6), (4, 6), (5, 6), (4, 5), (5, 5)]),
    (10, 6, [(1, 6), (2, 6), (0, 9), (3, 6), (4, 5), (5, 5)]),
    (11, 5, [(1, 6), (2, 6), (1, 7), (2, 7), (0, 9), (0, 10)]),
    (11, 6, [(0, 9), (0, 10), (3, 7), (3, 6), (4, 5), (5, 5)]),
    (12, 5, [(1, 6), (2, 6), (0, 11), (3, 6), (0, 9), (0, 10)]),
    (12, 6, [(0, 9), (0, 10), (0, 11), (3, 6), (4, 5), (5, 5)]),
];

/// Modes 11, 14 and 15.
fn direct(v: [i32; 6]) -> Colors {
    let major = v[4] >> 7 | v[5] >> 7 << 1;
    if major == 3 {
        return [0, 1].map(|i| [v[i] << 4, v[2 + i] << 4, (v[4 + i] & 0x7f) << 5]);
    }
    let (a_bits, d_bits, places) = &DIRECT[(v[1] >> 7 | v[2] >> 7 << 1 | v[3] >> 7 << 2) as usize];
    let mut fields =
        [v[0] | (v[1] & 0x40) << 2, v[2] & 0x3f, v[3] & 0x3f, v[1] & 0x3f, v[4] & 0x1f, v[5] & 0x1f];
    place(&mut fields, places, [v[2] >> 6, v[3] >> 6, v[4] >> 6, v[5] >> 6, v[4] >> 5, v[5] >> 5]);
    for d in &mut fields[4..] {
        *d = *d << (32 - d_bits) >> (32 - d_bits);
    }
    let [a, b0, b1, c, d0, d1] = fields.map(|f| f << (12 - a_bits));
    let [mut low, mut high] = [[a - c, a - b0 - c - d0, a - b1 - c - d1], [a, a - b0, a - b1]];
    low.swap(0, major as usize);
    high.swap(0, major as usize);
    [clamp(low), clamp(high)]
}

/// The alphas of mode 15.
fn alpha([v6, v7]: [i32; 2]) -> [i32; 2] {
    let mode = v6 >> 7 | v7 >> 7 << 1;
    let (low, high) = (v6 & 0x7f, v7 & 0x7f);
    if mode == 3 {
        return [low << 5, high << 5];
    }
    let base = (low | high << (mode + 1) & 0x780) << (4 - mode);
    let sign = 0x20 >> mode;
    let distance = ((high & (0x3f >> mode)) ^ sign) - sign;
    [base, (base + (distance << (4 - mode))).clamp(0, 0xfff)]
}
