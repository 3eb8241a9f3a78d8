//! Level of detail and anisotropic footprints. Differences of coordinates are left to [`super::scalar`] and `fast`.
//!
//! Spec: Vulkan, "Scale Factor Operation, LOD Operation and Image Level(s) Selection" (textures-scale-factor).

use super::state::{Filter, MAX_SAMPLER_LOD_BIAS, SamplerState};

/// Coefficients of [`log2`]: `log2(1 + t) = t * ((C[0] + C[1] * t) + t^2 * (C[2] + C[3] * t))`.
pub const LOG2: [f32; 4] = [1.440_780_8, -0.683_450_2, 0.324_285_2, -0.081_615_74];

/// Base-2 logarithm of the magnitude, to 2^-11, exact for powers of two. The result is finite for every input (0: -127;
/// infinity and NaN: at least 128). A lod is half of this value.
pub fn log2(x: f32) -> f32 {
    let bits = x.to_bits() & 0x7fff_ffff;
    let exponent = ((bits >> 23) as i32 - 127) as f32;
    let t = f32::from_bits((bits & 0x7f_ffff) | 0x3f80_0000) - 1.0;
    let low = LOG2[0] + LOG2[1] * t;
    let high = LOG2[2] + LOG2[3] * t;
    exponent + t * (low + t * t * high)
}

/// Clamps `x` to [lo, hi]; NaN gives `lo`.
pub fn clamp(x: f32, lo: f32, hi: f32) -> f32 {
    let x = if x > lo { x } else { lo };
    if x < hi { x } else { hi }
}

/// Footprint of a pixel in a texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// lambda_base.
    pub lod: f32,
    /// Number of samples along the longer gradient.
    pub samples: u32,
    /// `true` if the longer gradient is the one along y.
    pub along_y: bool,
}

impl Footprint {
    /// Footprint of explicit lods: a single sample.
    pub const ZERO: Footprint = Footprint { lod: 0.0, samples: 1, along_y: false };
}

/// Maximum excess of a ratio over a whole number for which no further sample is taken.
pub const RATIO_SLACK: f32 = 1.0 / 32.0;

/// Footprint of gradients in texels of level 0; anisotropic with up to `max` samples.
pub fn footprint(dx: [f32; 3], dy: [f32; 3], max: Option<f32>) -> Footprint {
    let dot = |v: [f32; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let (x, y) = (dot(dx), dot(dy));
    let along_x = x > y;
    let along_y = !along_x;
    let long = if along_x { x } else { y };
    let Some(max) = max else { return Footprint { lod: 0.5 * log2(long), samples: 1, along_y } };
    let short = if along_x { y } else { x };
    // The square of eta.
    let square = clamp(long / short, 1.0, max * max);
    let samples = clamp((square.sqrt() - RATIO_SLACK).ceil(), 1.0, max.ceil()) as u32;
    Footprint { lod: 0.5 * (log2(long) - log2(square)), samples, along_y }
}

/// Position of sample `i`, from 1, of `n` along the longer gradient.
pub fn sample_position(i: u32, n: u32) -> f32 {
    i as f32 / (n + 1) as f32 - 0.5
}

/// Lod after bias, lambda' in the specification.
pub fn biased(base: f32, bias: f32, sampler: &SamplerState) -> f32 {
    base + clamp(f32::from_bits(sampler.lod_bias) + bias, -MAX_SAMPLER_LOD_BIAS, MAX_SAMPLER_LOD_BIAS)
}

/// Lod after the sampler's clamp, lambda in the specification.
pub fn clamped(biased: f32, min_lod: f32, sampler: &SamplerState) -> f32 {
    let lo = f32::from_bits(sampler.min_lod);
    let lo = if min_lod > lo { min_lod } else { lo };
    clamp(biased, lo, f32::from_bits(sampler.max_lod))
}

/// Levels to sample. `coarse` is sampled only if its weight is above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The finer level.
    pub fine: u32,
    /// The coarser level.
    pub coarse: u32,
    /// Weight of the coarser level in 1/256.
    pub weight: u32,
    /// Level coordinate, for lod queries.
    pub coordinate: f32,
}

/// Selects levels for a lambda, in a view of `n` levels with minimum lod `view_min`.
pub fn levels(lambda: f32, view_min: f32, n: u32, mode: Filter) -> Levels {
    let q = n.saturating_sub(1) as f32;
    let d = clamp(lambda, 0.0, q);
    let d = clamp(if d > view_min { d } else { view_min }, 0.0, q);
    match mode {
        Filter::Nearest => {
            let l = (d + 0.5).ceil() - 1.0;
            Levels { fine: l as u32, coarse: l as u32, weight: 0, coordinate: l }
        }
        Filter::Linear | Filter::Cubic => {
            let fine = d.floor();
            let weight = ((d - fine) * 256.0 + 0.5).floor() as u32;
            let coarse = if fine < q { fine + 1.0 } else { q };
            Levels { fine: fine as u32, coarse: coarse as u32, weight, coordinate: d }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log2_is_close_and_exact_at_powers() {
        for i in 1..5000 {
            let x = i as f32 * 0.37;
            assert!((f64::from(log2(x)) - f64::from(x).log2()).abs() < 4e-4, "{x}");
        }
        for e in -20..20 {
            assert_eq!(log2(f32::from_bits(((127 + e) as u32) << 23)), e as f32);
        }
        assert_eq!(log2(0.0), -127.0);
        assert!(log2(f32::NAN).is_finite() && log2(f32::INFINITY) == 128.0);
    }

    #[test]
    fn footprints_follow_the_longer_gradient() {
        let of = |x: f32, y: f32, max| footprint([x, 0.0, 0.0], [0.0, y, 0.0], max);
        assert_eq!(of(8.0, 2.0, None), Footprint { lod: 3.0, samples: 1, along_y: false });
        assert_eq!(of(8.0, 2.0, Some(16.0)), Footprint { lod: 1.0, samples: 4, along_y: false });
        assert_eq!(of(2.0, 8.0, Some(2.0)), Footprint { lod: 2.0, samples: 2, along_y: true });
        assert_eq!(of(4.0, 4.0, Some(16.0)), Footprint { lod: 2.0, samples: 1, along_y: true });
        for odd in [0.0, f32::NAN, f32::INFINITY] {
            for other in [0.0, 1.0, f32::INFINITY] {
                let f = of(odd, other, Some(16.0));
                assert!((1..=16).contains(&f.samples) && f.lod.is_finite(), "{odd} {other} {f:?}");
            }
        }
        // Samples lie inside the footprint, evenly spaced around its centre.
        assert_eq!((1..4).map(|i| sample_position(i, 3)).collect::<Vec<_>>(), [-0.25, 0.0, 0.25]);
    }

    #[test]
    fn level_selection() {
        // ceil(d + 0.5) - 1: a tie goes to the finer level.
        assert_eq!(levels(0.5, 0.0, 5, Filter::Nearest).fine, 0);
        assert_eq!(levels(0.51, 0.0, 5, Filter::Nearest).fine, 1);
        assert_eq!(levels(99.0, 0.0, 5, Filter::Nearest).fine, 4);
        assert_eq!(levels(f32::NAN, 0.0, 5, Filter::Nearest).fine, 0);
        assert_eq!(levels(0.2, 2.0, 5, Filter::Nearest).fine, 2);
        let l = levels(1.25, 0.0, 5, Filter::Linear);
        assert_eq!((l.fine, l.coarse, l.weight), (1, 2, 64));
        let l = levels(99.0, 0.0, 5, Filter::Linear);
        assert_eq!((l.fine, l.coarse, l.weight), (4, 4, 0));
    }
}
