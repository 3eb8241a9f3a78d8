//! Values of formats: the nearest value that a format can store.

use super::plain::Range;

/// Room for the rounding of `f32` before a value is stored, relative to it.
const ROUNDING: f64 = 1e-5;

/// Conversion of a value to the values of a format, in 4 components.
pub type Stored = fn(usize, f64) -> f64;

fn unorm(value: f64, bits: u32) -> f64 {
    let most = f64::from((1u32 << bits) - 1);
    (value.clamp(0.0, 1.0) * most).round() / most
}

/// A float without sign, with 5 bits of exponent, rounded to the nearest.
fn small_float(value: f64, mantissa: i32) -> f64 {
    let exponent = value.max(f64::MIN_POSITIVE).log2().floor().max(-14.0) as i32;
    let step = f64::powi(2.0, exponent - mantissa);
    (value / step).round_ties_even() * step
}

/// A float of 16 bits that is not negative.
pub fn half(value: f64) -> f64 {
    small_float(value, 10)
}

/// R5G6B5: a missing alpha reads 1.
pub fn packed_565(component: usize, value: f64) -> f64 {
    match component {
        3 => 1.0,
        1 => unorm(value, 6),
        _ => unorm(value, 5),
    }
}

/// R8G8B8A8 with the curve of sRGB in three components.
pub fn srgb(component: usize, value: f64) -> f64 {
    if component == 3 {
        return unorm(value, 8);
    }
    let encoded = if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    let code = unorm(encoded, 8);
    if code <= 0.040_45 { code / 12.92 } else { ((code + 0.055) / 1.055).powf(2.4) }
}

/// B10G11R11: floats of 11, 11 and 10 bits.
pub fn floats_11_11_10(component: usize, value: f64) -> f64 {
    match component {
        3 => 1.0,
        2 => small_float(value, 5),
        _ => small_float(value, 6),
    }
}

/// R8G8B8A8.
pub fn bytes(_: usize, value: f64) -> f64 {
    unorm(value, 8)
}

/// The bounds with room for rounding.
pub fn roomy([low, high]: Range) -> Range {
    [low * (1.0 - ROUNDING), high * (1.0 + ROUNDING)]
}

/// Bounds of a component after a format stored it.
pub fn kept(stored: Stored, component: usize, range: Range) -> Range {
    roomy(range).map(|value| stored(component, value))
}
