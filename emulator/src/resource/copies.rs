//! Regions of copies, blits, clears and decompressions, as in Vulkan.

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

/// Method of decompression: GDeflate 1.0, the only one. Spec: Vulkan, VkMemoryDecompressionMethodFlagBitsEXT.
pub const GDEFLATE_1_0: u64 = 1;

/// Page of GDeflate that `decompress_memory` decompresses. Spec: Vulkan, VkDecompressMemoryRegionEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecompressRegion {
    /// Device address of the compressed bytes, a multiple of 4.
    pub src_address: u64,
    /// Device address of the destination, a multiple of 4.
    pub dst_address: u64,
    /// Number of compressed bytes, not 0.
    pub compressed_size: u64,
    /// Number of bytes of the destination, from 1 to 65536: those of the page, or more.
    pub decompressed_size: u64,
}
