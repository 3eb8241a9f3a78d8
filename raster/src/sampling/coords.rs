//! Texel coordinates along one axis. Reading the texels is left to [`super::scalar`] and `fast`.
//!
//! Spec: Vulkan, "Unnormalized Texel Coordinate Operations" (textures-unnormalized-to-integer) and "Wrapping Operation"
//! (textures-wrapping-operation).

use super::lod::clamp;
use super::state::AddressMode;
pub use crate::memory::filter::{cubic, lerp, linear, weighted};
pub use crate::memory::format::convert::{NORM8_HI, NORM8_LO};

/// Distance from the image, in texels, beyond which clamping address modes treat all coordinates alike; larger than every
/// offset within the limits. With a larger one, such a coordinate may select a texel of the image: Vulkan leaves the result
/// undefined, and all routines have the same one.
pub const FAR: f32 = 1024.0;

/// Converts a filtered value of 8-bit UNORM texels from units of 1/255 to [0, 1]; integers give `v / 255`, correctly
/// rounded.
pub fn normalize8(v: f32) -> f32 {
    v * NORM8_HI + v * NORM8_LO
}

/// Converts a normalized coordinate to an unnormalized one. The result is in a range that converts safely to integers,
/// and the address mode maps it to the same texel.
pub fn unnormalize(mode: AddressMode, s: f32, size: f32) -> f32 {
    match mode {
        AddressMode::Repeat => clamp(s - s.floor(), 0.0, 1.0) * size,
        AddressMode::MirroredRepeat => clamp(s - (s * 0.5).floor() * 2.0, 0.0, 2.0) * size,
        _ => bound(s * size, size),
    }
}

/// Clamps unnormalized coordinates, for address modes without repetition.
pub fn bound(u: f32, size: f32) -> f32 {
    clamp(u, -size - FAR, size + size + FAR)
}

/// Texel that a nearest filter selects.
pub fn nearest(u: f32) -> i32 {
    u.floor() as i32
}

/// First texel of a gather along an axis: like [`linear`], but rounded down, because no weight could compensate for
/// rounding up to the next texel.
pub fn gathered(u: f32) -> i32 {
    ((u * 256.0).floor() as i32 - 128) >> 8
}

/// Wraps a texel coordinate into the image; `None` for the border.
pub fn wrap(mode: AddressMode, i: i32, size: i32) -> Option<i32> {
    let mirror = |n: i32| if n >= 0 { n } else { -(1 + n) };
    if size <= 0 {
        return None;
    }
    match mode {
        AddressMode::Repeat => Some(i.rem_euclid(size)),
        AddressMode::MirroredRepeat => Some(size - 1 - mirror(i.rem_euclid(2 * size) - size)),
        AddressMode::ClampToEdge => Some(i.clamp(0, size - 1)),
        AddressMode::ClampToBorder => (0..size).contains(&i).then_some(i),
        AddressMode::MirrorClampToEdge => Some(mirror(i).clamp(0, size - 1)),
    }
}

/// Array layer of a float coordinate: rounded to nearest, ties to even, and clamped.
pub fn layer(a: f32, layers: u32) -> u32 {
    clamp(a.round_ties_even(), 0.0, layers.saturating_sub(1) as f32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalize8_is_exact_for_all_codes() {
        for v in 0..=255u32 {
            assert_eq!(normalize8(v as f32), v as f32 / 255.0);
        }
    }

    #[test]
    fn wrapping_follows_the_specification() {
        let row = |mode| (-5..9).map(|i| wrap(mode, i, 4).unwrap_or(-1)).collect::<Vec<_>>();
        assert_eq!(row(AddressMode::Repeat), [3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]);
        assert_eq!(row(AddressMode::MirroredRepeat), [3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 2, 1, 0, 0]);
        assert_eq!(row(AddressMode::ClampToEdge), [0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3]);
        assert_eq!(row(AddressMode::ClampToBorder), [-1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, -1]);
        assert_eq!(row(AddressMode::MirrorClampToEdge), [3, 3, 2, 1, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3]);
    }

    #[test]
    fn odd_coordinates_stay_in_range() {
        use AddressMode::*;
        for mode in [Repeat, MirroredRepeat, ClampToEdge, ClampToBorder, MirrorClampToEdge] {
            for s in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, -1e-30, 0.999_999_94, 1.0] {
                for size in [1.0f32, 3.0, 16384.0] {
                    let u = unnormalize(mode, s, size);
                    let range = -size - FAR..=size * 2.0 + FAR;
                    assert!(range.contains(&u), "{mode:?} {s} {size} {u}");
                    let (i, w) = linear(u);
                    assert!(w < 256 && wrap(mode, i, size as i32).is_none_or(|t| t < size as i32));
                }
            }
        }
        assert_eq!(linear(1.5), (1, 0));
        assert_eq!(linear(0.0), (-1, 128));
        let below = 1.499_f32;
        assert_eq!((linear(below).0, gathered(below), gathered(1.5)), (1, 0, 1));
        assert_eq!(nearest(-0.5), -1);
        assert_eq!([layer(0.5, 4), layer(1.5, 4), layer(9.0, 4), layer(f32::NAN, 4)], [0, 2, 3, 0]);
    }
}
