//! Filter weights along one axis, shared by blits and sampling. Reading the texels is left to them.

/// Nearest or linear filtering, of texels and of mip levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The nearest texel or level.
    #[default]
    Nearest,
    /// The two nearest, weighted by distance.
    Linear,
}

/// First texel of a linear filter, and weight of the second texel in 1/256.
pub fn linear(u: f32) -> (i32, u32) {
    let fixed = (u * 256.0 + 0.5).floor() as i32 - 128;
    (fixed >> 8, (fixed & 255) as u32)
}

/// `a + (b - a) * w`, with the weight in 1/256.
pub fn lerp(a: f32, b: f32, w: u32) -> f32 {
    a + (b - a) * (w as f32 * (1.0 / 256.0))
}
