//! The sRGB transfer function for 8-bit codes, exact in both directions. Other conversions are left to
//! [`super::convert`].

use once_cell::race::OnceBox;

pub use super::srgb_table::{DECODE_BITS, THRESHOLD_BITS};

/// Decodes a code to the nearest `f32`.
pub fn decode(code: u8) -> f32 {
    f32::from_bits(DECODE_BITS[code as usize])
}

/// Encodes `x` as the code nearest to the exact curve, with clamping; NaN gives 0.
pub fn encode(x: f32) -> u8 {
    // The bits of positive floats have the order of the floats.
    let bits = if x > 0.0 { x.to_bits() } else { 0 };
    if bits < LEAST {
        return 0;
    }
    let Some(&code) = first_codes().get((bits - LEAST) as usize >> STEP) else { return 255 };
    match THRESHOLD_BITS.get(usize::from(code) + 1) {
        Some(&next) if next <= bits => code + 1,
        _ => code,
    }
}

/// Bits of a float below the threshold of code 1. Smaller floats have code 0.
const LEAST: u32 = 0x3900_0000;
/// Number of low bits dropped to index [`first_codes`]; no two thresholds share their remaining bits.
const STEP: u32 = 15;

/// Code of the smallest float of each step from [`LEAST`] to 1.
fn first_codes() -> &'static [u8] {
    static CODES: OnceBox<Vec<u8>> = OnceBox::new();
    let code = |bits: u32| (THRESHOLD_BITS.partition_point(|&t| t <= bits) - 1) as u8;
    CODES.get_or_init(|| Box::new((LEAST..1.0f32.to_bits()).step_by(1 << STEP).map(code).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_change_at_the_thresholds() {
        let slow = |x: f32| {
            let bits = if x > 0.0 { x.to_bits() } else { 0 };
            (THRESHOLD_BITS.partition_point(|&t| t <= bits) - 1) as u8
        };
        let near = THRESHOLD_BITS.iter().flat_map(|&t| [t.saturating_sub(1), t, t + 1]);
        let all = near.chain((0..1 << 18).map(|i| i << 14));
        for x in all.map(f32::from_bits) {
            assert_eq!(encode(x), slow(x), "{x}");
        }
    }
}
