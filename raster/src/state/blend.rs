//! State of blending and logic operations. The operations themselves are left to `tiles::merge`, except those on bits.

/// Spec: VkBlendFactor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkBlendFactor")]
pub enum BlendFactor {
    #[default]
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    ConstantColor,
    OneMinusConstantColor,
    ConstantAlpha,
    OneMinusConstantAlpha,
    SrcAlphaSaturate,
    Src1Color,
    OneMinusSrc1Color,
    Src1Alpha,
    OneMinusSrc1Alpha,
}

/// Spec: VkBlendOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkBlendOp")]
pub enum BlendOp {
    #[default]
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
    /// Advanced operation on colour and alpha together. Both equations name it, and their factors are ignored.
    Advanced(AdvancedBlend),
}

/// Parameters of an advanced blend operation. Spec: VkPipelineColorBlendAdvancedStateCreateInfoEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AdvancedBlend {
    /// The operation.
    pub op: AdvancedOp,
    /// `true` if the source colour is premultiplied by alpha.
    pub src_premultiplied: bool,
    /// `true` if the destination colour is premultiplied by alpha.
    pub dst_premultiplied: bool,
    /// Correlation of the areas that source and destination cover.
    pub overlap: BlendOverlap,
}

/// Spec: VkBlendOverlapEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkBlendOverlapEXT")]
pub enum BlendOverlap {
    Uncorrelated,
    Disjoint,
    Conjoint,
}

macro_rules! advanced_ops {
    ($($op:ident),* $(,)?) => {
        /// Advanced blend operations. Spec: VkBlendOp.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of VkBlendOp")]
        pub enum AdvancedOp { $($op),* }

        impl AdvancedOp {
            /// All operations, in the order of their numbers from `VK_BLEND_OP_ZERO_EXT` on.
            pub const ALL: &[AdvancedOp] = &[$(AdvancedOp::$op),*];
        }
    };
}

advanced_ops! {
    Zero, Src, Dst, SrcOver, DstOver, SrcIn, DstIn, SrcOut, DstOut, SrcAtop, DstAtop, Xor, Multiply, Screen,
    Overlay, Darken, Lighten, ColorDodge, ColorBurn, HardLight, SoftLight, Difference, Exclusion, Invert,
    InvertRgb, LinearDodge, LinearBurn, VividLight, LinearLight, PinLight, HardMix, HslHue, HslSaturation,
    HslColor, HslLuminosity, Plus, PlusClamped, PlusClampedAlpha, PlusDarker, Minus, MinusClamped, Contrast,
    InvertOvg, Red, Green, Blue,
}

/// Blend factors and operation of colour or of alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BlendEquation {
    /// Factor of the source.
    pub src: BlendFactor,
    /// Factor of the destination.
    pub dst: BlendFactor,
    /// Operation on the products; minimum and maximum ignore the factors.
    pub op: BlendOp,
}

/// Blending of one attachment. Spec: VkPipelineColorBlendAttachmentState.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlendState {
    /// `true` if blending is enabled; otherwise the source replaces the destination.
    pub enable: bool,
    /// Colour and alpha equations.
    pub equations: [BlendEquation; 2],
    /// Components written: bits 0 to 3 for R, G, B, A.
    pub write_mask: u8,
}

macro_rules! logic_ops {
    ($($name:ident)*) => {
        /// Spec: VkLogicOp.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names are those of VkLogicOp")]
        pub enum LogicOp { $($name),* }

        impl LogicOp {
            /// Returns the operation with this `VkLogicOp` number.
            pub fn from_vk(v: u32) -> Option<LogicOp> {
                [$(LogicOp::$name),*].get(v as usize).copied()
            }
        }
    };
}

logic_ops! {
    Clear And AndReverse Copy AndInverted NoOp Xor Or
    Nor Equivalent Invert OrReverse CopyInverted OrInverted Nand Set
}

impl Default for LogicOp {
    /// The source replaces the destination.
    fn default() -> Self {
        LogicOp::Copy
    }
}

impl LogicOp {
    /// Applies the operation to bits of the source and of the destination.
    #[inline]
    pub fn apply(self, s: u128, d: u128) -> u128 {
        match self {
            LogicOp::Clear => 0,
            LogicOp::And => s & d,
            LogicOp::AndReverse => s & !d,
            LogicOp::Copy => s,
            LogicOp::AndInverted => !s & d,
            LogicOp::NoOp => d,
            LogicOp::Xor => s ^ d,
            LogicOp::Or => s | d,
            LogicOp::Nor => !(s | d),
            LogicOp::Equivalent => !(s ^ d),
            LogicOp::Invert => !d,
            LogicOp::OrReverse => s | !d,
            LogicOp::CopyInverted => !s,
            LogicOp::OrInverted => !s | d,
            LogicOp::Nand => !(s & d),
            LogicOp::Set => !0,
        }
    }

    /// True if the result depends on the source.
    pub fn takes_source(self) -> bool {
        [0, !0].iter().any(|&d| self.apply(0, d) != self.apply(!0, d))
    }
}

impl Default for BlendState {
    fn default() -> Self {
        BlendState { enable: false, equations: Default::default(), write_mask: 0xf }
    }
}

impl BlendState {
    /// `src * src.a + dst * (1 - src.a)`; alpha is accumulated with a source factor of one.
    pub fn source_over() -> Self {
        let color = BlendEquation {
            src: BlendFactor::SrcAlpha,
            dst: BlendFactor::OneMinusSrcAlpha,
            op: BlendOp::Add,
        };
        BlendState {
            enable: true,
            equations: [color, BlendEquation { src: BlendFactor::One, ..color }],
            write_mask: 0xf,
        }
    }
}
