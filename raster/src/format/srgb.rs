//! The sRGB transfer function for 8-bit codes, exact in both directions.

pub use super::srgb_table::{DECODE_BITS, THRESHOLD_BITS};

/// Linear value of a code: the nearest `f32`.
pub fn decode(code: u8) -> f32 {
    f32::from_bits(DECODE_BITS[code as usize])
}

/// The code whose exact value is nearest to the encoding of `x`; clamps; NaN gives 0.
pub fn encode(x: f32) -> u8 {
    // Positive floats order like their bits: count the thresholds that are reached.
    let bits = if x > 0.0 { x.to_bits() } else { 0 };
    (THRESHOLD_BITS.partition_point(|&t| t <= bits) - 1) as u8
}
