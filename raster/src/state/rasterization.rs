//! Rasterization state of polygons and lines. Set-up by this state is left to `front`.

/// Spec: VkLineRasterizationMode; the default mode is `Rectangular`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkLineRasterizationMode")]
pub enum LineMode {
    #[default]
    Rectangular,
    Bresenham,
    RectangularSmooth,
}

/// Spec: vkCmdSetLineStipple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineStipple {
    /// Repetitions of each pattern bit, 1 to 256.
    pub factor: u32,
    /// Pattern bits, starting with the lowest.
    pub pattern: u16,
}

impl Default for LineStipple {
    fn default() -> Self {
        LineStipple { factor: 1, pattern: 0xffff }
    }
}

/// Spec: VkCullModeFlags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CullMode {
    /// `true` if front-facing triangles are culled.
    pub front: bool,
    /// `true` if back-facing triangles are culled.
    pub back: bool,
}

/// Spec: VkConservativeRasterizationModeEXT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConservativeMode {
    /// A sample is covered if it lies in the polygon.
    #[default]
    Disabled,
    /// All samples of a pixel are covered if the polygon touches the pixel.
    Overestimate,
    /// All samples of a pixel are covered if the polygon contains the pixel with its edges and corners, and none of them
    /// is on the polygon's border.
    Underestimate,
}

/// Spec: VkFrontFace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkFrontFace")]
pub enum FrontFace {
    #[default]
    CounterClockwise,
    Clockwise,
}

/// Spec: VkPolygonMode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkPolygonMode")]
pub enum PolygonMode {
    #[default]
    Fill,
    Line,
    Point,
}
