//! Filter weights along one axis, shared by blits and sampling. Reading the texels is left to them.

/// Filtering of texels and of mip levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The nearest texel or level.
    #[default]
    Nearest,
    /// The two nearest, weighted by distance.
    Linear,
    /// The four nearest texels, weighted as in Catmull-Rom splines; of mip levels, like `Linear`.
    Cubic,
}

/// First texel of a linear filter, and weight of the second texel in 1/256.
pub fn linear(u: f32) -> (i32, u32) {
    let fixed = (u * 256.0 + 0.5).floor() as i32 - 128;
    (fixed >> 8, (fixed & 255) as u32)
}

/// Weights of the four texels of a cubic filter, from the one before the first of [`linear`] on, for its weight.
///
/// Spec: Vulkan, "Texel Filtering" (textures-texel-filtering).
pub fn cubic(w: u32) -> [f32; 4] {
    let w = w as f32 * (1.0 / 256.0);
    let (w2, w3) = (w * w, w * w * w);
    [2.0 * w2 - w - w3, 2.0 - 5.0 * w2 + 3.0 * w3, w + 4.0 * w2 - 3.0 * w3, w3 - w2].map(|v| v * 0.5)
}

/// Sum of values with these weights, in order.
pub fn weighted([a, b, c, d]: [f32; 4], w: [f32; 4]) -> f32 {
    a * w[0] + b * w[1] + c * w[2] + d * w[3]
}

/// `a + (b - a) * w`, with the weight in 1/256.
pub fn lerp(a: f32, b: f32, w: u32) -> f32 {
    a + (b - a) * (w as f32 * (1.0 / 256.0))
}
