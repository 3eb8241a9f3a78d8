//! Fragment shading rates: the size of fragments in pixels. Reading the rates of primitives and attachments is left to
//! `tiles::rates`.
//!
//! Spec: Vulkan, "Fragment Shading Rates" (primsrast-fragment-shading-rate).

use crate::limits::{MAX_COVERAGE_SAMPLES, MAX_FRAGMENT_PX};

/// Operation that combines two rates. Spec: VkFragmentShadingRateCombinerOpKHR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RateCombiner {
    /// The first rate.
    #[default]
    Keep,
    /// The second rate.
    Replace,
    /// The minimum of widths and of heights.
    Min,
    /// The maximum of widths and of heights.
    Max,
    /// The product of widths and of heights.
    Mul,
}

/// Fragment shading rate of a draw. Spec: VkPipelineFragmentShadingRateStateCreateInfoKHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShadingRate {
    /// Width and height of fragments in pixels: 1, 2 or 4.
    pub size: [u32; 2],
    /// Operation that combines this rate with the primitive's, and operation that combines the result with the
    /// attachment's.
    pub combiners: [RateCombiner; 2],
}

impl Default for ShadingRate {
    fn default() -> Self {
        ShadingRate { size: [1; 2], combiners: Default::default() }
    }
}

/// Logarithms of a fragment's width and height.
pub(crate) type LogSize = [u32; 2];

/// Maximum logarithm of width or height.
pub(crate) const MAX_LOG_SIZE: u32 = MAX_FRAGMENT_PX.ilog2();

/// Clamps a size to those supported with `samples` samples: the largest one that is no wider and no higher. Of equally
/// large sizes, the result has the least difference between width and height, and rather the greater width.
pub(crate) fn clamp(size: LogSize, samples: u32) -> LogSize {
    let most = (MAX_COVERAGE_SAMPLES / samples.max(1)).max(1).ilog2();
    let [mut w, mut h] = size.map(|log| log.min(MAX_LOG_SIZE));
    while w + h > most {
        if w > h { w -= 1 } else { h -= 1 }
    }
    [w, h]
}

impl RateCombiner {
    /// Combines two fragment sizes; operands and result are clamped to sizes supported with `samples` samples.
    pub(crate) fn combine(self, a: LogSize, b: LogSize, samples: u32) -> LogSize {
        let (a, b) = (clamp(a, samples), clamp(b, samples));
        let size = [0, 1].map(|k| {
            let (a, b) = (a[k], b[k]);
            match self {
                RateCombiner::Keep => a,
                RateCombiner::Replace => b,
                RateCombiner::Min => a.min(b),
                RateCombiner::Max => a.max(b),
                RateCombiner::Mul => a + b,
            }
        });
        clamp(size, samples)
    }
}

impl ShadingRate {
    /// Size of the fragments that the draw itself requests.
    pub(crate) fn log_size(&self) -> LogSize {
        self.size.map(|v| v.clamp(1, MAX_FRAGMENT_PX).ilog2())
    }
}

/// Decodes the size in a SPIR-V word or an attachment texel.
pub(crate) fn decode(rate: u32) -> LogSize {
    [rate >> 2 & 3, rate & 3].map(|log| log.min(MAX_LOG_SIZE))
}

/// Encodes a size as a SPIR-V word.
pub(crate) fn encode([width, height]: LogSize) -> u32 {
    width << 2 | height
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: Vulkan, VkFragmentShadingRateCombinerOpKHR, and the clamping of the result.
    #[test]
    fn rates_combine_across_and_down() {
        use RateCombiner::{Keep, Max, Min, Mul, Replace};
        let (a, b) = ([1, 0], [0, 2]);
        let all = [Keep, Replace, Min, Max, Mul].map(|op| op.combine(a, b, 4));
        assert_eq!(all, [[1, 0], [0, 2], [0, 0], [1, 2], [1, 2]]);
        assert_eq!(Mul.combine([1, 2], [1, 1], 2), [2, 2]);
        // Sizes of eight pixels exceed the maximum; the result is clamped, too.
        assert_eq!(Min.combine([3, 3], [3, 1], 1), [2, 1]);
        // At most 32 samples: the largest area, then the least difference of width and height, then the greater width.
        let of = |samples| Mul.combine([1, 2], [1, 1], samples);
        assert_eq!([1, 2, 4, 8, 16].map(of), [[2, 2], [2, 2], [2, 1], [1, 1], [1, 0]]);
        assert_eq!(Keep.combine([0, 2], [0, 0], 16), [0, 1]);
        assert_eq!(Max.combine([2, 0], [0, 2], 8), [1, 1]);
        assert_eq!(ShadingRate { size: [4, 1], ..Default::default() }.log_size(), [2, 0]);
        assert_eq!((decode(0b1001), encode([2, 1])), ([2, 1], 0b1001));
    }
}
