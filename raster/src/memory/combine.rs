//! Resolve modes: operations that combine the samples of a pixel. Iterating over the samples is left to their users.
//!
//! Spec: Vulkan, VkResolveModeFlagBits.

use super::format::{Format, Numeric};

/// Operation that resolves the samples of a pixel. Spec: VkResolveModeFlagBits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResolveMode {
    /// Sample 0.
    SampleZero,
    /// The average of the samples; sample 0 for integers.
    #[default]
    Average,
    /// The minimum of the samples.
    Min,
    /// The maximum of the samples.
    Max,
}

impl ResolveMode {
    /// The mode that applies to a format: integers are not averaged.
    pub(crate) fn of(self, format: Format) -> Self {
        if self == ResolveMode::Average && format.is_integer() { ResolveMode::SampleZero } else { self }
    }

    /// Combines two components. Returns the sum for averages; otherwise the component that the mode selects. Of
    /// equal numbers with different bits, the minimum is the first and the maximum the second.
    #[inline]
    pub(crate) fn combine(self, numeric: Numeric, a: u32, b: u32) -> u32 {
        let pick = |less: bool| match self {
            ResolveMode::Min if less => b,
            ResolveMode::Max if !less => b,
            _ => a,
        };
        match (self, numeric) {
            (ResolveMode::Min | ResolveMode::Max, _) if a == b => a,
            (ResolveMode::Min | ResolveMode::Max, Numeric::Sint) => pick((b as i32) < a as i32),
            (ResolveMode::Min | ResolveMode::Max, Numeric::Uint) => pick(b < a),
            (ResolveMode::Min, _) => pick(f32::from_bits(b) < f32::from_bits(a)),
            // If either is NaN, the result is the second one.
            (ResolveMode::Max, _) => pick(f32::from_bits(b) < f32::from_bits(a)),
            _ => (f32::from_bits(a) + f32::from_bits(b)).to_bits(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: Vulkan, VkResolveModeFlagBits.
    #[test]
    fn modes_combine_by_the_kind_of_number() {
        use ResolveMode::{Average, Max, Min};
        let f = f32::to_bits;
        for (mode, numeric, a, b, wanted) in [
            (Min, Numeric::Uint, 1, u32::MAX, 1),
            (Max, Numeric::Uint, 1, u32::MAX, u32::MAX),
            (Min, Numeric::Sint, 1, u32::MAX, u32::MAX),
            (Max, Numeric::Sint, 1, u32::MAX, 1),
            (Min, Numeric::Unorm, f(0.5), f(0.25), f(0.25)),
            (Max, Numeric::Sfloat, f(-0.5), f(0.25), f(0.25)),
            (Average, Numeric::Sfloat, f(0.5), f(0.25), f(0.75)),
        ] {
            assert_eq!(mode.combine(numeric, a, b), wanted, "{mode:?} {numeric:?}");
        }
        assert_eq!(Average.of(Format::R32_UINT), ResolveMode::SampleZero);
        assert_eq!(Average.of(Format::R32_SFLOAT), Average);
    }
}
