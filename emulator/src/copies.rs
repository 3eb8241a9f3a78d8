//! Regions of copies, blits and clears, in Vulkan's words.

pub use quadrille_raster::transfer::{
    BufferCopy, BufferImageCopy, ImageBlit, ImageCopy, ImageResolve, SubresourceLayers, SubresourceRange,
};

/// What `clear_attachments` clears. Spec: Vulkan, VkClearAttachment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClearAttachment {
    /// Colour attachment by number, with bits of R, G, B, A as the format's numeric type wants them.
    Color(u32, [u32; 4]),
    /// Depth.
    Depth(f32),
    /// Stencil.
    Stencil(u32),
}

/// Where `clear_attachments` clears. Spec: Vulkan, VkClearRect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClearRect {
    /// Pixels.
    pub rect: quadrille_raster::state::Rect,
    /// First layer.
    pub base_layer: u32,
    /// Layers.
    pub layers: u32,
}
