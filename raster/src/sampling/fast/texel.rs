//! Emits loads, component conversion and stores of texels in lanes.
//!
//! A loaded texel is up to four rows of 32-bit words, from which components are extracted. Conversion of single
//! components is left to [`crate::memory::format::lane`].

use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{ICmp, Lane, LaneBuilder};

use super::super::coords::{NORM8_HI, NORM8_LO};
use super::{FastKey, Group, TEXEL, is_eight_bit, row_at};
use crate::memory::format::{Aspects, FormatInfo, Numeric, lane};
use crate::sampling::Swizzle;

/// True for formats whose texels the routines can read.
pub fn offered(info: &FormatInfo) -> bool {
    // Division of 24-bit integers gives the nearest float in `f32` as well as in `f64`.
    let depth24 = info.numeric == Numeric::Unorm && info.bytes == 4 && info.fields[0].bits == 24;
    lane::supported(info) || depth24
}

/// True for formats whose texels the routines can write.
pub fn writable(info: &FormatInfo) -> bool {
    info.aspects == Aspects::COLOR && !matches!(info.numeric, Numeric::Srgb | Numeric::SharedExp)
}

/// Loads the words of the texels at byte offsets (I32 lanes) from `base`.
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

/// Loads the words of the texels at byte offsets and of the texels that follow them, for texels of 4 or 8 bytes.
pub fn load_two(b: &mut LaneBuilder, info: &FormatInfo, base: Lane, offset: Lane) -> (Vec<Lane>, Vec<Lane>) {
    if info.bytes == 4 {
        let (first, second) = b.gather_pairs(base, offset);
        return (vec![first], vec![second]);
    }
    let [a, b, c, d] = b.gather_quads(base, offset);
    (vec![a, b], vec![c, d])
}

/// Selects `words` where `inside` holds, else the words of the texel `other`.
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

/// True if the components are 16-bit floats.
pub fn is_half(info: &FormatInfo) -> bool {
    info.numeric == Numeric::Sfloat && info.fields.iter().all(|f| f.bits == 0 || f.bits == 16)
}

/// Uniform Bool: some 16-bit float in the words of `taps` may be infinite or NaN. False alarms occur if a filter has
/// texels both above and below 2.
pub fn may_be_special(b: &mut LaneBuilder, taps: &[Vec<Lane>]) -> Lane {
    let mut found: Option<Lane> = None;
    for i in 0..taps[0].len() {
        let mut all = taps[0][i];
        for words in &taps[1..] {
            all = b.or(all, words[i]);
        }
        // An exponent of all ones carries into the top bit of its half.
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

/// Like [`component`], for words with finite 16-bit floats.
pub fn finite_half(b: &mut LaneBuilder, info: &FormatInfo, words: &[Lane], c: usize) -> Lane {
    let f = info.fields[c];
    let (three, sixteen) = (b.u32(3), b.u32(16));
    let w = words[usize::from(f.shift / 32)];
    let w = if f.shift.is_multiple_of(32) { b.shl(w, sixteen) } else { w };
    // Sign, exponent and mantissa in the position of `f32`, scaled by 2^112 to correct the exponent's bias.
    let w = b.sshr(w, three);
    let mask = b.u32(0x8fff_e000);
    let w = b.and(w, mask);
    let v = b.bitcast(w, Ty::F32);
    let scale = b.bits(Ty::F32, 0x7780_0000);
    b.fmul(v, scale)
}

/// Normalizes like [`super::super::coords::normalize8`], times `scale`, which must be a power of two.
pub fn normalize8(b: &mut LaneBuilder, v: Lane, scale: f32) -> Lane {
    let (hi, lo) = (b.f32(NORM8_HI * scale), b.f32(NORM8_LO * scale));
    let (x, y) = (b.fmul(v, hi), b.fmul(v, lo));
    b.fadd(x, y)
}

/// Source of a result row.
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

    /// Components that some result row shows and that the format has.
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

/// Stores final component values to the result rows. `mask` limits the lanes that change.
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
