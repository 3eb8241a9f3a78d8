//! Rasterization: faces, polygons and lines.

/// Spec: VkLineRasterizationMode; the default mode is that of rectangular lines.
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
    /// Times that each bit is repeated, 1 to 256.
    pub factor: u32,
    /// Bits, the lowest first.
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
    /// Front-facing triangles are dropped.
    pub front: bool,
    /// Back-facing triangles are dropped.
    pub back: bool,
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
