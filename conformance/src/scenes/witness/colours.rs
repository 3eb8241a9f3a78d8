//! Formulas of scenes whose colours pass through a format or a conversion.

use super::Expected;
use super::formats::{Stored, floats_11_11_10, half, kept, roomy};
use super::plain::{Plain, Range};
use super::samples::{CLEAR, N, corners, each_pixel, exactly};

/// `blend_*`: two triangles over the clear colour, with two fifths of alpha, stored after each draw. The source weighs
/// alpha like the colours, or replaces it.
pub fn blended(stored: Stored, alpha_too: bool) -> Expected {
    let keep = |c: usize, range: Range| kept(stored, c, range);
    let mut plain = Plain::new(N, 1, CLEAR);
    let cleared = [0, 1, 2, 3].map(|c| keep(c, [CLEAR[c]; 2]));
    for triangle in corners([0.0; 2]) {
        plain.triangle(triangle, |f, samples| {
            let [r, g, b, _] = f.v([0.0; 2]);
            let source = [r, g, b, 0.4];
            let below = if samples[0].stencil == 0 { cleared } else { samples[0].color };
            samples[0].stencil = 1;
            samples[0].color = [0, 1, 2, 3].map(|c| match c == 3 && !alpha_too {
                true => [0.4; 2],
                false => keep(c, below[c].map(|d| source[c] * 0.4 + d * 0.6)),
            });
        });
    }
    each_pixel(|x, y| match plain.pixel(x, y)[0] {
        sample if sample.stencil == 0 => cleared,
        sample => sample.color,
    })
}

/// `float_attachments`: eight formats of floats, each in its own rectangle.
pub fn float_attachments() -> Expected {
    each_pixel(|x, y| {
        let v = [(x % 16) as f64 / 16.0 + 1.0 / 32.0, (y % 32) as f64 / 32.0 + 1.0 / 64.0];
        let values = [v[0] * 40.0, v[1] * 0.004, v[0] + v[1] * 200.0];
        let stored = |c: usize, value: f64| match x / 16 + y / 32 * 4 {
            0 | 7 => {
                if c == 0 {
                    half(value)
                } else {
                    0.0
                }
            }
            1 => {
                if c < 2 {
                    half(value)
                } else {
                    0.0
                }
            }
            2 => half(value),
            3 => {
                if c == 0 {
                    value
                } else {
                    0.0
                }
            }
            4 => {
                if c < 2 {
                    value
                } else {
                    0.0
                }
            }
            5 => value,
            _ => floats_11_11_10(c, value),
        };
        let shown = [1.0 / 40.0, 250.0, 1.0 / 201.0];
        let range = |c: usize| roomy([values[c]; 2]).map(|v| stored(c, v) * shown[c]);
        [range(0), range(1), range(2), [1.0; 2]]
    })
}

/// `depth_16_bits`: depth of a tilted plane as codes of 16 bits.
pub fn depth_16_bits() -> Expected {
    each_pixel(|x, y| {
        let v = [x, y].map(|k| (k as f64 + 0.5) / N as f64);
        let place = (0.4 + v[0] * 0.000_07 + v[1] * 0.3) * 65535.0;
        // The plane is computed in `f32`, whose steps near 0.5 are a 256th of a code.
        let codes = [(place - 0.01).round(), (place + 0.01).round()];
        let offset = codes.map(|code| code - (0.4 + v[1] * 0.3) * 65535.0 + 0.5);
        let shown = [(offset[0] - 0.01).floor() / 8.0, (offset[1] + 0.01).floor() / 8.0];
        [codes.map(|code| code / 65535.0), shown.map(|x: f64| x.clamp(0.0, 1.0)), [1.0; 2], [1.0; 2]]
    })
}

/// `lod_query`: logarithm of the larger step between texels of neighbours in a quad.
pub fn lod_query() -> Expected {
    each_pixel(|x, _| {
        let u = |x: usize| ((x as f64 + 0.5) / N as f64).powi(2) * 30.0;
        let [dx, dy] = [(u(x / 2 * 2 + 1) - u(x / 2 * 2)) * 16.0, 8.0 / N as f64 * 16.0];
        let level = dx.max(dy).log2();
        // The nearest level: a sampler without a filter between levels.
        let nearest = (level.clamp(0.0, 4.0) + 0.5).ceil() - 1.0;
        exactly([nearest / 4.0, level / 4.0, 0.0, 1.0].map(|c| c.clamp(0.0, 1.0)))
    })
}

/// A conversion from Y'CbCr: weights of red and blue, or none.
#[derive(Clone, Copy)]
pub struct Model {
    /// Weights of red and blue in Y'; without them, only the range is expanded.
    pub weights: Option<[f64; 2]>,
    /// True if codes have the narrow range.
    pub narrow: bool,
}

impl Model {
    /// Red, green and blue of codes of Y', Cb and Cr ("Sampler Y'CbCr Conversion").
    fn rgb(&self, luma: f64, blue: f64, red: f64) -> [f64; 4] {
        let (y, cb, cr) = match self.narrow {
            true => ((luma - 16.0) / 219.0, (blue - 128.0) / 224.0, (red - 128.0) / 224.0),
            false => (luma / 255.0, (blue - 128.0) / 255.0, (red - 128.0) / 255.0),
        };
        let Some([kr, kb]) = self.weights else { return [cr, y, cb, 1.0].map(|c| c.clamp(0.0, 1.0)) };
        let (r, b) = (y + 2.0 * (1.0 - kr) * cr, y + 2.0 * (1.0 - kb) * cb);
        let g = (y - kr * r - kb * b) / (1.0 - kr - kb);
        [r.clamp(0.0, 1.0), g.clamp(0.0, 1.0), b.clamp(0.0, 1.0), 1.0]
    }
}

/// `ycbcr_*` with nearest filters: the chroma of the pair of texels.
pub fn ycbcr(model: Model) -> Expected {
    each_pixel(|x, y| {
        let luma = (40 + x / 4 * 8 + y / 4 * 5) as f64;
        exactly(model.rgb(luma, (60 + x / 8 * 20) as f64, (200 - y / 8 * 20) as f64))
    })
}

/// `ycbcr_linear_chroma`: both planes filtered at the same place, chroma between the texels of its pair.
pub fn ycbcr_linear(model: Model) -> Expected {
    let between = |k: usize, size: f64| (((k as f64 + 0.5) / N as f64) * size - 0.5).clamp(0.0, size - 1.0);
    each_pixel(|x, y| {
        let luma = 40.0 + between(x, 16.0) * 8.0 + between(y, 16.0) * 5.0;
        exactly(model.rgb(luma, 60.0 + between(x, 8.0) * 20.0, 200.0 - between(y, 8.0) * 20.0))
    })
}

/// `ring.frag` of the command's tests: a blue ring of radius 20 around the centre.
pub fn ring() -> Expected {
    each_pixel(|x, y| {
        let d = (x as f64 + 0.5 - 32.0).hypot(y as f64 + 0.5 - 32.0);
        let t = (((d - 20.0).abs() - 3.0) / (2.0 - 3.0)).clamp(0.0, 1.0);
        let step = t * t * (3.0 - 2.0 * t);
        exactly([0.2 * step, 0.6 * step, step, 1.0])
    })
}
