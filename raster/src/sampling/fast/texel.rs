//! Texels in lanes: loads, component conversion, results.
//!
//! A loaded texel is up to four rows of 32-bit words; components are cut out of them.

use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{ICmp, Lane, LaneBuilder};

use super::super::coords::{NORM8_HI, NORM8_LO};
use super::{FastKey, Group, TEXEL, is_eight_bit, row_at};
use crate::memory::format::{Aspects, FormatInfo, Numeric, lane};
use crate::sampling::Swizzle;

/// Formats whose texels the routines can read.
pub fn offered(info: &FormatInfo) -> bool {
    // The quotient of 24-bit integers is the nearest float either way.
    let depth24 = info.numeric == Numeric::Unorm && info.bytes == 4 && info.fields[0].bits == 24;
    lane::supported(info) || depth24
}

/// Formats whose texels the routines can write.
pub fn writable(info: &FormatInfo) -> bool {
    info.aspects == Aspects::COLOR && !matches!(info.numeric, Numeric::Srgb | Numeric::SharedExp)
}

/// Words of the texels at byte offsets (I32 lanes) from `base`.
pub fn load(b: &mut LaneBuilder, info: &FormatInfo, base: Lane, offset: Lane) -> Vec<Lane> {
    let ty = match info.bytes {
        1 => Ty::I8,
        2 => Ty::I16,
        8 => {
            let (low, high) = b.gather_pairs(base, offset);
            return vec![low, high];
        }
        12 => {
            let (low, high) = b.gather_pairs(base, offset);
            let last = b.offset(base, 8);
            let last = b.gather(Ty::I32, last, offset);
            return vec![low, high, b.bitcast(last, Ty::I32)];
        }
        16 => return b.gather_quads(base, offset).to_vec(),
        _ => Ty::I32,
    };
    let word = b.gather(ty, base, offset);
    vec![b.bitcast(word, Ty::I32)]
}

/// Words of the texels at byte offsets and of those that follow them; texels of 4 or 8 bytes.
pub fn load_two(b: &mut LaneBuilder, info: &FormatInfo, base: Lane, offset: Lane) -> (Vec<Lane>, Vec<Lane>) {
    if info.bytes == 4 {
        let (first, second) = b.gather_pairs(base, offset);
        return (vec![first], vec![second]);
    }
    let [a, b, c, d] = b.gather_quads(base, offset);
    (vec![a, b], vec![c, d])
}

/// Words where the Bool holds, else those of the texel `other`.
pub fn replace(b: &mut LaneBuilder, words: Vec<Lane>, inside: Lane, other: u128) -> Vec<Lane> {
    let pick = |b: &mut LaneBuilder, (i, w): (usize, Lane)| {
        let o = b.u32((other >> (32 * i)) as u32);
        b.select(inside, w, o)
    };
    words.into_iter().enumerate().map(|w| pick(b, w)).collect()
}

/// Component `c` in the domain of filters (F32), or as an integer (I32) for integer formats.
pub fn component(b: &mut LaneBuilder, info: &FormatInfo, words: &[Lane], c: usize) -> Lane {
    if is_eight_bit(info) && info.numeric == Numeric::Unorm {
        let v = lane::cut(b, words, info.fields[c], false);
        return b.s32_to_f32(v);
    }
    lane::component(b, info, words, c)
}

/// Components are 16-bit floats.
pub fn is_half(info: &FormatInfo) -> bool {
    info.numeric == Numeric::Sfloat && info.fields.iter().all(|f| f.bits == 0 || f.bits == 16)
}

/// A Bool, uniform: some half of the words may be an infinity or NaN. `taps` are words of texels; false
/// alarms come from texels of a filter that are above and below 2.
pub fn may_be_special(b: &mut LaneBuilder, taps: &[Vec<Lane>]) -> Lane {
    let mut found: Option<Lane> = None;
    for i in 0..taps[0].len() {
        let mut all = taps[0][i];
        for words in &taps[1..] {
            all = b.or(all, words[i]);
        }
        // A half of 1-bits carries into its top bit.
        let (exponents, carry) = (b.u32(0x7c00_7c00), b.u32(0x0400_0400));
        let all = b.and(all, exponents);
        let all = b.iadd(all, carry);
        found = Some(found.map_or(all, |f| b.or(f, all)));
    }
    let Some(found) = found else { return b.bool(false) };
    let (tops, zero) = (b.u32(0x8000_8000), b.u32(0));
    let found = b.and(found, tops);
    let found = b.icmp(ICmp::Ne, found, zero);
    b.any(found)
}

/// [`component`] of words of finite 16-bit floats.
pub fn finite_half(b: &mut LaneBuilder, info: &FormatInfo, words: &[Lane], c: usize) -> Lane {
    let f = info.fields[c];
    let (three, sixteen) = (b.u32(3), b.u32(16));
    let w = words[usize::from(f.shift / 32)];
    let w = if f.shift.is_multiple_of(32) { b.shl(w, sixteen) } else { w };
    // Sign, exponent and mantissa at their place, scaled by 2^112 for the exponent's bias.
    let w = b.sshr(w, three);
    let mask = b.u32(0x8fff_e000);
    let w = b.and(w, mask);
    let v = b.bitcast(w, Ty::F32);
    let scale = b.bits(Ty::F32, 0x7780_0000);
    b.fmul(v, scale)
}

/// See [`super::super::coords::normalize8`]; `scale` is a power of two.
pub fn normalize8(b: &mut LaneBuilder, v: Lane, scale: f32) -> Lane {
    let (hi, lo) = (b.f32(NORM8_HI * scale), b.f32(NORM8_LO * scale));
    let (x, y) = (b.fmul(v, hi), b.fmul(v, lo));
    b.fadd(x, y)
}

/// What a result row shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Component(usize),
    Zero,
    One,
}

impl FastKey {
    /// Source of result row `c`.
    pub fn source(&self, c: usize) -> Source {
        let component = |i: usize| {
            if self.info().fields[i].bits != 0 {
                Source::Component(i)
            } else if i == 3 {
                Source::One
            } else {
                Source::Zero
            }
        };
        match self.swizzle[c] {
            Swizzle::Zero | Swizzle::Identity => Source::Zero,
            Swizzle::One => Source::One,
            Swizzle::R => component(0),
            Swizzle::G => component(1),
            Swizzle::B => component(2),
            Swizzle::A => component(3),
        }
    }

    /// Components that some result row shows and the format has.
    pub fn present(&self) -> [bool; 4] {
        let used = self.used();
        std::array::from_fn(|c| used[c] && self.info().fields[c].bits != 0)
    }

    /// Components that some result row shows.
    pub fn used(&self) -> [bool; 4] {
        let sources: Vec<Source> = (0..4).map(|c| self.source(c)).collect();
        std::array::from_fn(|i| sources.contains(&Source::Component(i)))
    }
}

/// Stores component values, already final, to the result rows. `mask` limits which lanes change.
pub fn store(b: &mut LaneBuilder, k: &FastKey, g: &Group, values: &[Option<Lane>; 4], mask: Option<Lane>) {
    for c in 0..4 {
        let v = match k.source(c) {
            Source::Component(i) => match values[i] {
                Some(v) => v,
                None => continue,
            },
            Source::Zero => b.u32(0),
            Source::One => b.u32(k.info().one()),
        };
        let v = b.bitcast(v, Ty::I32);
        let v = match mask {
            Some(m) => {
                let old = g.row(b, Ty::I32, TEXEL, c);
                b.select(m, v, old)
            }
            None => v,
        };
        let v = b.splat(v);
        b.store_row(v, g.rows, row_at(TEXEL, c));
    }
}

pub use lane::pack;
