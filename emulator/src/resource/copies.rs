//! Regions of copies, blits and clears, as in Vulkan.

pub use quadrille_raster::transfer::{
    BufferCopy, BufferImageCopy, ImageBlit, ImageCopy, ImageResolve, SubresourceLayers, SubresourceRange,
};

/// Attachment that `clear_attachments` clears. Spec: Vulkan, VkClearAttachment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClearAttachment {
    /// Colour attachment by number, with the bits of R, G, B, A in the numeric type of the format.
    Color(u32, [u32; 4]),
    /// Depth, with the clear value.
    Depth(f32),
    /// Stencil, with the clear value.
    Stencil(u32),
}

/// Region that `clear_attachments` clears. Spec: Vulkan, VkClearRect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClearRect {
    /// Rectangle, in pixels.
    pub rect: quadrille_raster::state::Rect,
    /// First layer.
    pub base_layer: u32,
    /// Number of layers.
    pub layers: u32,
}
