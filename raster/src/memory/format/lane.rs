//! Emits the scalar texel conversions of the parent module as code of the lane builder.
//!
//! A texel is up to four rows of 32-bit words. The kernels of samplers and of the output merge use these functions. The
//! results are bitwise those of [`FormatInfo::unpack_word`] and [`FormatInfo::pack_word`], apart from the payload of
//! NaNs that are read. Loads and stores of the words are left to the kernels.

use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::convert::{NORM8_HI, NORM8_LO};
use super::{Field, FormatInfo, Numeric, srgb};

/// True if the format's components can be extracted from words.
pub fn supported(info: &FormatInfo) -> bool {
    let normalized = matches!(info.numeric, Numeric::Unorm | Numeric::Snorm);
    let small = !normalized || info.fields.iter().all(|f| f.bits <= 16);
    let in_words = info.fields.iter().all(|f| f.shift % 32 + f.bits <= 32);
    let scaled = matches!(info.numeric, Numeric::Uscaled | Numeric::Sscaled);
    let plain = info.block.is_none() && !info.is_ycbcr() && !scaled;
    plain && small && in_words && matches!(info.bytes, 1 | 2 | 4 | 8 | 12 | 16)
}

/// Extracts the bits of a field to the low end of a word.
pub fn cut(b: &mut LaneBuilder, words: &[Lane], f: Field, signed: bool) -> Lane {
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

/// Converts component `c` to a float (F32), or to an integer (I32) for integer formats.
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
            normalize8(b, v)
        }
        Numeric::Unorm if bits == 8 => {
            let v = unorm(b);
            normalize8(b, v)
        }
        Numeric::Ufloat => {
            let v = cut(b, words, f, false);
            ufloat(b, v, bits - 5)
        }
        Numeric::SharedExp => {
            let v = unorm(b);
            let (shift, bias, up) = (b.u32(27), b.u32(127 - 24), b.u32(23));
            let e = b.ushr(words[0], shift);
            let e = b.iadd(e, bias);
            let scale = b.shl(e, up);
            let scale = b.bitcast(scale, Ty::F32);
            b.fmul(v, scale)
        }
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

/// Divides an 8-bit number by 255; the result equals that of a division.
fn normalize8(b: &mut LaneBuilder, v: Lane) -> Lane {
    let (hi, lo) = (b.f32(NORM8_HI), b.f32(NORM8_LO));
    let (x, y) = (b.fmul(v, hi), b.fmul(v, lo));
    b.fadd(x, y)
}

/// Converts a number with five exponent bits and `mantissa` mantissa bits to a float, exactly.
fn ufloat(b: &mut LaneBuilder, v: Lane, mantissa: u32) -> Lane {
    let up = b.u32(23 - mantissa);
    let m = b.shl(v, up);
    let f = b.bitcast(m, Ty::F32);
    // Corrects the exponent's bias, which differs by 112; also correct for zero and subnormals.
    let scale = b.bits(Ty::F32, 0x7780_0000);
    let f = b.fmul(f, scale);
    let f = b.bitcast(f, Ty::I32);
    let (largest, ones, zero) = (b.u32(0x0f7f_ffff), b.u32(0x7f80_0000), b.u32(0));
    let special = b.icmp(ICmp::Sgt, m, largest);
    let special = b.select(special, ones, zero);
    let f = b.or(f, special);
    b.bitcast(f, Ty::F32)
}

/// Converts like [`super::convert::f32_to_ufloat`].
fn to_ufloat(b: &mut LaneBuilder, x: Lane, mantissa: u32) -> Lane {
    let infinity = 31u32 << mantissa;
    let drop = 23 - mantissa;
    let a = b.bitcast(x, Ty::I32);
    let (least, scale) = (b.bits(Ty::F32, 0x3880_0000), b.f32((1u32 << (14 + mantissa)) as f32));
    let (zero, inf) = (b.f32(0.0), b.f32(f32::INFINITY));
    let is_small = b.fcmp(FCmp::OrdLt, x, least);
    let is_positive = b.fcmp(FCmp::OrdGt, x, zero);
    let small = b.select(is_small, x, zero);
    let small = b.fmax(small, zero);
    let small = b.fmul(small, scale);
    let small = b.nearest(small);
    let small = b.f32_to_s32_in_range(small);
    let (n, one) = (b.u32(drop), b.u32(1));
    let odd = b.ushr(a, n);
    let odd = b.and(odd, one);
    let bias = b.u32((1u32 << (drop - 1)) - 1);
    let bias = b.iadd(bias, odd);
    let normal = b.iadd(a, bias);
    let base = b.u32(112 << 23);
    let normal = b.isub(normal, base);
    let normal = b.ushr(normal, n);
    let v = b.select(is_small, small, normal);
    let (most, infinite) = (b.u32(infinity - 1), b.u32(infinity));
    let v = b.umin(v, most);
    let is_infinite = b.fcmp(FCmp::OrdEq, x, inf);
    let v = b.select(is_infinite, infinite, v);
    let none = b.u32(0);
    let v = b.select(is_positive, v, none);
    let is_nan = b.fcmp(FCmp::Unordered, x, x);
    let nan = b.u32(infinity | 1 << (mantissa - 1));
    b.select(is_nan, nan, v)
}

/// Converts the 16-bit float in the low or high half of words, exactly.
fn half(b: &mut LaneBuilder, word: Lane, high: bool) -> Lane {
    // Exponent and mantissa in the position of `f32`, scaled by 2^112 to correct the exponent's bias; also correct for
    // subnormals.
    let (up, down, sixteen) = (b.u32(13), b.u32(3), b.u32(16));
    let m = if high { b.ushr(word, down) } else { b.shl(word, up) };
    let mask = b.u32(0x0fff_e000);
    let m = b.and(m, mask);
    let f = b.bitcast(m, Ty::F32);
    let scale = b.bits(Ty::F32, 0x7780_0000);
    let f = b.fmul(f, scale);
    let f = b.bitcast(f, Ty::I32);
    // Infinity and NaN have all exponent bits set.
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

/// Converts all components; missing ones are 0, 0, 0, 1.
pub fn components(b: &mut LaneBuilder, info: &FormatInfo, words: &[Lane]) -> [Lane; 4] {
    let ty = if info.numeric.is_integer() { Ty::I32 } else { Ty::F32 };
    std::array::from_fn(|c| match info.fields[c].bits {
        0 => {
            let missing = if c == 3 { info.one() } else { 0 };
            b.bits(ty, missing.into())
        }
        _ => component(b, info, words, c),
    })
}

/// Packs component values, as rows of F32 or of words, into the words of texels. Not for sRGB and shared exponents.
pub fn pack(b: &mut LaneBuilder, info: &FormatInfo, texel: &[Lane; 4]) -> Vec<Lane> {
    let mut words: Vec<Option<Lane>> = vec![None; info.bytes.div_ceil(4) as usize];
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

/// Encodes one component; the bits above it are zero.
fn pack_component(b: &mut LaneBuilder, numeric: Numeric, bits: u32, v: Lane) -> Lane {
    let v = b.bitcast(v, Ty::I32);
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
            let x = b.splat(x);
            let h = b.f32_to_f16_bits(x);
            let nan = b.fcmp(FCmp::Unordered, x, x);
            let quiet = b.u32(0x7e00);
            b.select(nan, quiet, h)
        }
        Numeric::Ufloat => {
            let x = b.bitcast(v, Ty::F32);
            to_ufloat(b, x, bits - 5)
        }
        _ => v,
    }
}
