//! Conversions between `f32` and the encodings of single components.
//!
//! All operations are exact or correctly rounded, so the results are the same on every host. Whole texels are left to
//! the parent module.

/// Bits of the quiet NaN that conversions return.
pub const NAN_BITS: u32 = 0x7fc0_0000;

/// High part of 1/255: products with integers up to 2^15 are exact.
pub const NORM8_HI: f32 = 257.0 / 65536.0;
/// Low part of 1/255.
pub const NORM8_LO: f32 = f32::from_bits(0x3380_8081);

/// Converts binary16 to `f32`, exactly.
#[inline]
pub fn f16_to_f32(h: u16) -> f32 {
    // Written without branches, so that loops over rows vectorize.
    let sign = u32::from(h & 0x8000) << 16;
    let magnitude = u32::from(h & 0x7fff);
    // Exponent and mantissa in the position of `f32`, scaled by 2^112 to correct the exponent's bias.
    let bits = (f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000)).to_bits() | sign;
    let bits = if magnitude == 0x7c00 { sign | 0x7f80_0000 } else { bits };
    f32::from_bits(if magnitude > 0x7c00 { NAN_BITS } else { bits })
}

/// Converts `f32` to binary16, rounding to nearest even. Overflow gives infinity, NaN a quiet NaN.
#[inline]
pub fn f32_to_f16(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let a = bits & 0x7fff_ffff;
    // Subnormal or zero: adding 0.5 aligns the bits and rounds to nearest even.
    let small = (f32::from_bits(a) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    let normal = (a + 0xfff + ((a >> 13) & 1)).wrapping_sub(112 << 23) >> 13;
    let magnitude = if a < 0x3880_0000 { small } else { normal };
    let magnitude = if a >= 0x477f_f000 { 0x7c00 } else { magnitude };
    let h = sign | magnitude;
    (if a > 0x7f80_0000 { 0x7e00 } else { h }) as u16
}

/// Converts an unsigned small float with 5 exponent bits and `mantissa` (6 or 5) mantissa bits to `f32`, exactly.
pub fn ufloat_to_f32(v: u32, mantissa: u32) -> f32 {
    f16_to_f32((v << (10 - mantissa)) as u16)
}

/// Converts `f32` to an unsigned small float, rounding to nearest even. Negative numbers give 0, finite overflow the
/// largest finite value, infinity infinity, NaN NaN.
pub fn f32_to_ufloat(x: f32, mantissa: u32) -> u32 {
    let infinity = 31u32 << mantissa;
    if x.is_nan() {
        return infinity | 1 << (mantissa - 1);
    }
    if x <= 0.0 {
        return 0;
    }
    if x == f32::INFINITY {
        return infinity;
    }
    let a = x.to_bits();
    let drop = 23 - mantissa;
    let magnitude = if a < 0x3880_0000 {
        // Below 2^-14 the unit is 2^(-14 - mantissa): scale to integers and round.
        round_even(x * (1u32 << (14 + mantissa)) as f32) as u32
    } else {
        let rounded = u64::from(a) + (1 << (drop - 1)) - 1 + u64::from((a >> drop) & 1);
        ((rounded - (112 << 23)) >> drop).min(u64::from(u32::MAX)) as u32
    };
    magnitude.min(infinity - 1)
}

/// Packs three floats with nine-bit mantissas and a shared exponent.
///
/// Spec: Vulkan, "RGB to Shared Exponent Conversion" (textures-sexp).
pub fn pack_shared_exp(rgb: [f32; 3]) -> u32 {
    const MAX: f32 = 65408.0;
    let clamp = |x: f32| if x > 0.0 { if x < MAX { x } else { MAX } } else { 0.0 };
    let c = rgb.map(clamp);
    let max = c.iter().copied().fold(0.0f32, |a, b| if b > a { b } else { a });
    // floor(log2(max)) determines the exponent field; subnormals lie far below the minimum exponent.
    let floor_log2 = (max.to_bits() >> 23) as i32 - 127;
    let mut exponent = floor_log2.max(-16) + 16;
    // Dividing by 2^(exponent - 24) is exact.
    let scale = |e: i32| f64::from_bits(((24 - e + 1023) as u64) << 52);
    let quantize = |x: f32, e: i32| (f64::from(x) * scale(e) + 0.5).floor() as u32;
    if quantize(max, exponent) == 512 {
        exponent += 1;
    }
    let [r, g, b] = c.map(|x| quantize(x, exponent));
    r | g << 9 | b << 18 | (exponent as u32) << 27
}

/// Unpacks the result of [`pack_shared_exp`], exactly.
pub fn unpack_shared_exp(v: u32) -> [f32; 3] {
    let exponent = (v >> 27) as i32 - 24;
    let scale = f32::from_bits(((exponent + 127) as u32) << 23);
    [v & 511, (v >> 9) & 511, (v >> 18) & 511].map(|m| m as f32 * scale)
}

/// Rounds a number of magnitude below 2^22 to the nearest integer, ties to even. Adding 1.5 * 2^23 leaves no bits for a
/// fraction; the baseline host has no rounding instruction.
#[inline]
fn round_even(x: f32) -> f32 {
    const MAGIC: f32 = 12_582_912.0;
    (x + MAGIC) - MAGIC
}

/// Converts unsigned normalized of `bits` bits to `f32`.
pub fn unorm_to_f32(v: u32, bits: u32) -> f32 {
    if bits <= 16 {
        v as f32 / ((1u32 << bits) - 1) as f32
    } else {
        (f64::from(v) / ((1u64 << bits) - 1) as f64) as f32
    }
}

/// Converts `f32` to unsigned normalized; NaN gives 0.
pub fn f32_to_unorm(x: f32, bits: u32) -> u32 {
    let x = if x > 0.0 { if x < 1.0 { x } else { 1.0 } } else { 0.0 };
    if bits <= 16 {
        round_even(x * ((1u32 << bits) - 1) as f32) as u32
    } else {
        (f64::from(x) * ((1u64 << bits) - 1) as f64).round_ties_even() as u32
    }
}

/// Converts signed normalized of `bits` bits (sign-extended) to `f32`.
pub fn snorm_to_f32(v: i32, bits: u32) -> f32 {
    let x = v as f32 / ((1u32 << (bits - 1)) - 1) as f32;
    if x < -1.0 { -1.0 } else { x }
}

/// Converts `f32` to signed normalized; NaN gives 0.
pub fn f32_to_snorm(x: f32, bits: u32) -> i32 {
    if x.is_nan() {
        return 0;
    }
    let x = if x > -1.0 { if x < 1.0 { x } else { 1.0 } } else { -1.0 };
    round_even(x * ((1u32 << (bits - 1)) - 1) as f32) as i32
}

/// Converts `f32` to an unsigned integer of `bits` bits, towards zero, clamped; NaN gives 0.
pub fn f32_to_uint(x: f32, bits: u32) -> u32 {
    (x as u32).min(max_uint(bits))
}

/// Converts `f32` to a signed integer of `bits` bits, towards zero, clamped; NaN gives 0.
pub fn f32_to_sint(x: f32, bits: u32) -> i32 {
    clamp_sint(x as i32, bits)
}

/// Largest unsigned integer of `bits` bits.
pub fn max_uint(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

/// Clamps to the range of signed integers of `bits` bits.
pub fn clamp_sint(v: i32, bits: u32) -> i32 {
    let max = (max_uint(bits) >> 1) as i32;
    v.clamp(-max - 1, max)
}

/// Sign-extends the low `bits` bits.
pub fn sign_extend(v: u32, bits: u32) -> i32 {
    let s = 32 - bits;
    ((v << s) as i32) >> s
}
