//! Sequences of small integers: their bits, and what their values stand for.
//!
//! Spec: Khronos Data Format, "Bounded Integer Sequence Encoding", "Endpoint Unquantization", "Weight Unquantization".

/// Number of values of a quantized integer: `base` times 2^`bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    /// 1 without trits and quints, 3 with trits, 5 with quints.
    pub(super) base: u32,
    pub(super) bits: u32,
}

pub(super) const fn range(base: u32, bits: u32) -> Range {
    Range { base, bits }
}

/// Ranges of colour end points, in descending order.
pub(super) const COLOR_RANGES: [Range; 17] = [
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
    pub(super) fn sequence_bits(self, n: u32) -> u32 {
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

/// Decodes an integer sequence into pairs of low bits and trit or quint.
///
/// Spec: "Bounded Integer Sequence Encoding".
pub(super) fn sequence(data: u128, r: Range, n: usize, out: &mut [(u32, u32); 64]) {
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
pub(super) fn color_value(r: Range, (m, d): (u32, u32)) -> i32 {
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
pub(super) fn weight_value(r: Range, (m, d): (u32, u32)) -> u32 {
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
