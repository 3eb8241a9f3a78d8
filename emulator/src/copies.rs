//! Regions of copies, blits and clears, in Vulkan's words.

use quadrille_raster::format::Aspects;

/// A range of one buffer copied to another. Spec: Vulkan, VkBufferCopy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BufferCopy {
    /// First byte in the source.
    pub src_offset: u64,
    /// First byte in the destination.
    pub dst_offset: u64,
    /// Bytes.
    pub size: u64,
}

/// Layers of one level. Spec: Vulkan, VkImageSubresourceLayers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubresourceLayers {
    /// Which aspect.
    pub aspects: Aspects,
    /// Level.
    pub level: u32,
    /// First layer.
    pub base_layer: u32,
    /// Layers; `u32::MAX` for all that follow.
    pub layers: u32,
}

impl SubresourceLayers {
    /// Colour of level 0, layer 0.
    pub const COLOR: Self = SubresourceLayers { aspects: Aspects::COLOR, level: 0, base_layer: 0, layers: 1 };
}

/// Layers of a range of levels. Spec: Vulkan, VkImageSubresourceRange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubresourceRange {
    /// Which aspects.
    pub aspects: Aspects,
    /// First level.
    pub base_level: u32,
    /// Levels; `u32::MAX` for all that follow.
    pub levels: u32,
    /// First layer.
    pub base_layer: u32,
    /// Layers; `u32::MAX` for all that follow.
    pub layers: u32,
}

impl SubresourceRange {
    /// Every level and layer of these aspects.
    pub const fn all(aspects: Aspects) -> Self {
        SubresourceRange { aspects, base_level: 0, levels: u32::MAX, base_layer: 0, layers: u32::MAX }
    }
}

/// Texels between a buffer and an image. Spec: Vulkan, VkBufferImageCopy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferImageCopy {
    /// First byte in the buffer.
    pub buffer_offset: u64,
    /// Texels from a row to the next; 0 for tightly packed.
    pub row_length: u32,
    /// Rows from a slice or layer to the next; 0 for tightly packed.
    pub image_height: u32,
    /// Level and layers of the image.
    pub subresource: SubresourceLayers,
    /// First texel.
    pub offset: [i32; 3],
    /// Texels.
    pub extent: [u32; 3],
}

impl BufferImageCopy {
    /// Colour of level 0, layer 0, tightly packed from the buffer's first byte.
    pub fn whole(extent: [u32; 3]) -> Self {
        BufferImageCopy {
            buffer_offset: 0,
            row_length: 0,
            image_height: 0,
            subresource: SubresourceLayers::COLOR,
            offset: [0; 3],
            extent,
        }
    }
}

/// Texels of one image copied, or resolved, to another. Spec: Vulkan, VkImageCopy, VkImageResolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageCopy {
    /// Level and layers of the source.
    pub src: SubresourceLayers,
    /// First texel of the source.
    pub src_offset: [i32; 3],
    /// Level and layers of the destination.
    pub dst: SubresourceLayers,
    /// First texel of the destination.
    pub dst_offset: [i32; 3],
    /// Texels.
    pub extent: [u32; 3],
}

/// A box of one image scaled to a box of another. Spec: Vulkan, VkImageBlit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageBlit {
    /// Level and layers of the source.
    pub src: SubresourceLayers,
    /// Two corners in the source.
    pub src_offsets: [[i32; 3]; 2],
    /// Level and layers of the destination.
    pub dst: SubresourceLayers,
    /// Two corners in the destination.
    pub dst_offsets: [[i32; 3]; 2],
}

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
