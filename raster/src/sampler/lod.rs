//! Level of detail.
//!
//! Spec: Vulkan, "Scale Factor Operation, LOD Operation and Image Level(s) Selection"
//! (textures-scale-factor).

use super::state::{Filter, MAX_SAMPLER_LOD_BIAS, SamplerState};

/// Coefficients of [`log2`]: `log2(1 + t) = t * ((C[0] + C[1] * t) + t^2 * (C[2] + C[3] * t))`.
pub const LOG2: [f32; 4] = [1.440_780_8, -0.683_450_2, 0.324_285_2, -0.081_615_74];

/// Base-2 logarithm of the magnitude, to 2^-11, exact for powers of two; finite for every input (0:
/// -127; infinity and NaN: 128 and more). A lod is half of it.
pub fn log2(x: f32) -> f32 {
    let bits = x.to_bits() & 0x7fff_ffff;
    let exponent = ((bits >> 23) as i32 - 127) as f32;
    let t = f32::from_bits((bits & 0x7f_ffff) | 0x3f80_0000) - 1.0;
    let low = LOG2[0] + LOG2[1] * t;
    let high = LOG2[2] + LOG2[3] * t;
    exponent + t * (low + t * t * high)
}

/// `x` clamped to [lo, hi]; NaN gives `lo`.
pub fn clamp(x: f32, lo: f32, hi: f32) -> f32 {
    let x = if x > lo { x } else { lo };
    if x < hi { x } else { hi }
}

/// Lod of gradients in texels of level 0.
pub fn from_gradients(dx: [f32; 3], dy: [f32; 3]) -> f32 {
    let dot = |v: [f32; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let (x, y) = (dot(dx), dot(dy));
    0.5 * log2(if x > y { x } else { y })
}

/// Lod after bias: lambda'.
pub fn biased(base: f32, bias: f32, sampler: &SamplerState) -> f32 {
    base + clamp(f32::from_bits(sampler.lod_bias) + bias, -MAX_SAMPLER_LOD_BIAS, MAX_SAMPLER_LOD_BIAS)
}

/// Lod after the sampler's clamp: lambda.
pub fn clamped(biased: f32, min_lod: f32, sampler: &SamplerState) -> f32 {
    let lo = f32::from_bits(sampler.min_lod);
    let lo = if min_lod > lo { min_lod } else { lo };
    clamp(biased, lo, f32::from_bits(sampler.max_lod))
}

/// Levels to read: `fine`, and `coarse` with a weight in 1/256 above 0 where it counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The finer level.
    pub fine: u32,
    /// The coarser level.
    pub coarse: u32,
    /// Weight of the coarser one in 1/256.
    pub weight: u32,
    /// Level coordinate, for queries.
    pub coordinate: f32,
}

/// Levels for a lambda in a view of `n` levels whose least lod is `view_min`.
pub fn levels(lambda: f32, view_min: f32, n: u32, mode: Filter) -> Levels {
    let q = n.saturating_sub(1) as f32;
    let d = clamp(lambda, 0.0, q);
    let d = clamp(if d > view_min { d } else { view_min }, 0.0, q);
    match mode {
        Filter::Nearest => {
            let l = (d + 0.5).ceil() - 1.0;
            Levels { fine: l as u32, coarse: l as u32, weight: 0, coordinate: l }
        }
        Filter::Linear => {
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
