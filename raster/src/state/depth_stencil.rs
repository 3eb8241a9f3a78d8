//! State of depth and stencil tests. Performing the tests is left to `tiles`.

/// Spec: VkCompareOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkCompareOp")]
pub enum CompareOp {
    Never,
    Less,
    Equal,
    LessOrEqual,
    Greater,
    NotEqual,
    GreaterOrEqual,
    #[default]
    Always,
}

impl CompareOp {
    /// True if `a op b`; comparisons with NaN are true for `NotEqual` and `Always` only.
    #[inline]
    pub fn test<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            CompareOp::Never => false,
            CompareOp::Less => a < b,
            CompareOp::Equal => a == b,
            CompareOp::LessOrEqual => a <= b,
            CompareOp::Greater => a > b,
            CompareOp::NotEqual => a != b,
            CompareOp::GreaterOrEqual => a >= b,
            CompareOp::Always => true,
        }
    }
}

/// Depth test and write. Spec: VkPipelineDepthStencilStateCreateInfo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DepthState {
    /// depthTestEnable; without it, depth is not written either.
    pub test: bool,
    /// depthWriteEnable.
    pub write: bool,
    /// depthCompareOp.
    pub compare: CompareOp,
    /// depthBoundsTestEnable.
    pub bounds: bool,
}

/// Spec: VkStencilOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkStencilOp")]
pub enum StencilOp {
    #[default]
    Keep,
    Zero,
    Replace,
    IncrementAndClamp,
    DecrementAndClamp,
    Invert,
    IncrementAndWrap,
    DecrementAndWrap,
}

impl StencilOp {
    /// Applies the operation to an 8-bit value `old`.
    #[inline]
    pub fn apply(self, old: u32, reference: u32) -> u32 {
        match self {
            StencilOp::Keep => old,
            StencilOp::Zero => 0,
            StencilOp::Replace => reference & 255,
            StencilOp::IncrementAndClamp => (old + 1).min(255),
            StencilOp::DecrementAndClamp => old.saturating_sub(1),
            StencilOp::Invert => !old & 255,
            StencilOp::IncrementAndWrap => (old + 1) & 255,
            StencilOp::DecrementAndWrap => old.wrapping_sub(1) & 255,
        }
    }
}

/// Spec: VkStencilOpState, without the masks and the reference, which are dynamic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StencilFace {
    /// failOp.
    pub fail: StencilOp,
    /// passOp.
    pub pass: StencilOp,
    /// depthFailOp.
    pub depth_fail: StencilOp,
    /// compareOp.
    pub compare: CompareOp,
}

impl StencilFace {
    /// True if no operation of this face changes the stencil value.
    pub fn keeps(&self) -> bool {
        [self.fail, self.pass, self.depth_fail] == [StencilOp::Keep; 3]
    }
}
