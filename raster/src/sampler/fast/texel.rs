//! Texels in lanes: loads, component conversion, results.
//!
//! A loaded texel is up to four rows of 32-bit words; components are cut out of them.

use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::super::coords::{NORM8_HI, NORM8_LO};
use super::{FastKey, Group, TEXEL, is_eight_bit, row_at};
use crate::format::{Aspects, Field, FormatInfo, Numeric, srgb};
use crate::image::Swizzle;

/// Formats whose texels the routines can read.
pub fn offered(info: &FormatInfo) -> bool {
    let numeric = match info.numeric {
        Numeric::Uint | Numeric::Sint | Numeric::Srgb | Numeric::Sfloat => true,
        Numeric::Unorm | Numeric::Snorm => info.fields.iter().all(|f| f.bits <= 16),
        _ => false,
    };
    if info.block.is_some() || info.is_ycbcr() {
        return false;
    }
    let in_words = info.fields.iter().all(|f| f.shift % 32 + f.bits <= 32);
    numeric && in_words && matches!(info.bytes, 1 | 2 | 4 | 8 | 16)
}

/// Formats whose texels the routines can write.
pub fn writable(info: &FormatInfo) -> bool {
    info.aspects == Aspects::COLOR && info.numeric != Numeric::Srgb
}

fn n_words(info: &FormatInfo) -> u32 {
    info.bytes.div_ceil(4)
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

/// Bits of a field, at the bottom of the word.
fn cut(b: &mut LaneBuilder, words: &[Lane], f: Field, signed: bool) -> Lane {
    let word = words[usize::from(f.shift / 32)];
    let (shift, bits) = (u32::from(f.shift % 32), u32::from(f.bits));
    if bits == 32 {
        return word;
    }
    if signed {
        let (up, down) = (b.u32(32 - bits - shift), b.u32(32 - bits));
        let v = b.shl(word, up);
        return b.sshr(v, down);
    }
    let n = b.u32(shift);
    let v = if shift == 0 { word } else { b.ushr(word, n) };
    if shift + bits == 32 {
        return v;
    }
    let mask = b.u32((1 << bits) - 1);
    b.and(v, mask)
}

/// Component `c` in the domain of filters (F32), or as an integer (I32) for integer formats.
pub fn component(b: &mut LaneBuilder, info: &FormatInfo, words: &[Lane], c: usize) -> Lane {
    let f = info.fields[c];
    let bits = u32::from(f.bits);
    let unorm = |b: &mut LaneBuilder| {
        let v = cut(b, words, f, false);
        b.s32_to_f32(v)
    };
    match info.numeric {
        Numeric::Uint => cut(b, words, f, false),
        Numeric::Sint => cut(b, words, f, true),
        Numeric::Srgb if c < 3 => {
            let v = cut(b, words, f, false);
            let two = b.u32(2);
            let at = b.shl(v, two);
            let table = b.ptr(srgb::DECODE_BITS.as_ptr());
            b.gather(Ty::F32, table, at)
        }
        Numeric::Srgb => {
            let v = unorm(b);
            normalize8(b, v, 1.0)
        }
        Numeric::Unorm if is_eight_bit(info) => unorm(b),
        Numeric::Unorm => {
            let v = unorm(b);
            let max = b.f32(((1u32 << bits) - 1) as f32);
            b.fdiv(v, max)
        }
        Numeric::Snorm => {
            let v = cut(b, words, f, true);
            let v = b.s32_to_f32(v);
            let max = b.f32(((1u32 << (bits - 1)) - 1) as f32);
            let v = b.fdiv(v, max);
            let least = b.f32(-1.0);
            b.fmax(v, least)
        }
        _ if bits == 16 => half(b, words[usize::from(f.shift / 32)], !f.shift.is_multiple_of(32)),
        _ => {
            let v = cut(b, words, f, false);
            b.bitcast(v, Ty::F32)
        }
    }
}

/// The 16-bit float in the low or high half of words, exact.
fn half(b: &mut LaneBuilder, word: Lane, high: bool) -> Lane {
    // Exponent and mantissa at their place, scaled by 2^112 for the exponent's bias: subnormals too.
    let (up, down, sixteen) = (b.u32(13), b.u32(3), b.u32(16));
    let m = if high { b.ushr(word, down) } else { b.shl(word, up) };
    let mask = b.u32(0x0fff_e000);
    let m = b.and(m, mask);
    let f = b.bitcast(m, Ty::F32);
    let scale = b.bits(Ty::F32, 0x7780_0000);
    let f = b.fmul(f, scale);
    let f = b.bitcast(f, Ty::I32);
    // Infinity and NaN: all exponent bits.
    let (largest, ones, zero) = (b.u32(0x0f7f_ffff), b.u32(0x7f80_0000), b.u32(0));
    let special = b.icmp(ICmp::Sgt, m, largest);
    let special = b.select(special, ones, zero);
    let sign = if high { word } else { b.shl(word, sixteen) };
    let top = b.u32(0x8000_0000);
    let sign = b.and(sign, top);
    let f = b.or(f, special);
    let f = b.or(f, sign);
    b.bitcast(f, Ty::F32)
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

/// Words of texels from component values (I32 rows).
pub fn pack(b: &mut LaneBuilder, info: &FormatInfo, texel: &[Lane; 4]) -> Vec<Lane> {
    let mut words: Vec<Option<Lane>> = vec![None; n_words(info) as usize];
    for (c, f) in info.fields.iter().enumerate() {
        if f.bits == 0 {
            continue;
        }
        let v = pack_component(b, info.numeric, u32::from(f.bits), texel[c]);
        let n = b.u32(u32::from(f.shift % 32));
        let v = if f.shift.is_multiple_of(32) { v } else { b.shl(v, n) };
        let word = &mut words[usize::from(f.shift / 32)];
        *word = Some(match *word {
            Some(w) => b.or(w, v),
            None => v,
        });
    }
    words.into_iter().map(|w| w.unwrap_or_else(|| b.u32(0))).collect()
}

/// Bits of one component, the others zero.
fn pack_component(b: &mut LaneBuilder, numeric: Numeric, bits: u32, v: Lane) -> Lane {
    let mask = u32::MAX >> (32 - bits);
    let (low, high) = (-((mask >> 1) as i32) - 1, (mask >> 1) as i32);
    match numeric {
        Numeric::Unorm => {
            let x = b.bitcast(v, Ty::F32);
            let (zero, one, max) = (b.f32(0.0), b.f32(1.0), b.f32(mask as f32));
            let x = b.fmax(x, zero);
            let x = b.fmin(x, one);
            let x = b.fmul(x, max);
            let x = b.nearest(x);
            b.f32_to_s32_in_range(x)
        }
        Numeric::Snorm => {
            let x = b.bitcast(v, Ty::F32);
            let (least, one, max) = (b.f32(-1.0), b.f32(1.0), b.f32(high as f32));
            let ordered = b.fcmp(FCmp::OrdEq, x, x);
            let x = b.fmax(x, least);
            let x = b.fmin(x, one);
            let x = b.fmul(x, max);
            let x = b.nearest(x);
            let i = b.f32_to_s32_in_range(x);
            let zero = b.u32(0);
            let i = b.select(ordered, i, zero);
            let m = b.u32(mask);
            b.and(i, m)
        }
        Numeric::Uint if bits < 32 => {
            let m = b.u32(mask);
            b.umin(v, m)
        }
        Numeric::Sint if bits < 32 => {
            let (low, high, m) = (b.i32(low), b.i32(high), b.u32(mask));
            let v = b.smax(v, low);
            let v = b.smin(v, high);
            b.and(v, m)
        }
        Numeric::Sfloat if bits == 16 => {
            let x = b.bitcast(v, Ty::F32);
            b.f32_to_f16_bits(x)
        }
        _ => v,
    }
}
