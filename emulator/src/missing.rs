//! What copies leave where sparse images and buffers have no memory: nothing.
//!
//! Shaders look whether a texel is there before they write it (a word of a buffer: `quadrille_jit::missing`). Copies to
//! images write all texels that they are told to; here those go that are missing. Copies and fills of buffers write
//! what is there alone: what is not may be much larger than the host's memory. What other commands do is for them to
//! say. Spec: Vulkan, "Accessing Unbound Regions".

use quadrille_raster::image::{ImageType, Span};
use quadrille_raster::pool::Pool;
use quadrille_raster::transfer;

use crate::buffer::Buffer;
use crate::copies::{BufferCopy, BufferImageCopy, ImageCopy, SubresourceLayers};
use crate::error::Result;
use crate::image::Image;

/// A box of texels: first texel and end.
pub(crate) type Box3 = [[u32; 3]; 2];

/// From an offset and an extent.
pub(crate) fn box_of(offset: [i32; 3], extent: [u32; 3]) -> Box3 {
    let first = offset.map(|v| v.max(0) as u32);
    [first, std::array::from_fn(|i| first[i].saturating_add(extent[i]))]
}

/// Makes zero what is missing of layers as regions say them; where they stand for slices, the depth stands for layers.
pub(crate) fn clear_region(
    image: &Image,
    of: &SubresourceLayers,
    offset: [i32; 3],
    extent: [u32; 3],
) -> Result<()> {
    let deep = image.desc().image_type == ImageType::D3;
    let all = |n: u32| if n == u32::MAX { image.desc().layers } else { n };
    let (mut size, mut layers) = (extent, all(of.layers).max(extent[2]));
    if deep {
        (size[2], layers) = (layers, 1);
    }
    image.clear_missing(of.level, of.base_layer..of.base_layer.saturating_add(layers), box_of(offset, size))
}

/// After a copy to an image from elsewhere.
pub(crate) fn copied_in(image: &Image, r: &BufferImageCopy) -> Result<()> {
    clear_region(image, &r.subresource, r.offset, r.extent)
}

/// After a copy between images, of which one may have blocks that are texels of the other.
pub(crate) fn copied(src: &Image, dst: &Image, r: &ImageCopy) -> Result<()> {
    let ([sw, sh], [dw, dh]) = (src.format().block(), dst.format().block());
    let [width, height, depth] = r.extent;
    let extent = [width.div_ceil(sw).saturating_mul(dw), height.div_ceil(sh).saturating_mul(dh), depth];
    // Slices may be copied to layers, and the other way round.
    let layers = if r.src.layers == u32::MAX { src.desc().layers } else { r.src.layers };
    clear_region(dst, &r.dst, r.dst_offset, [extent[0], extent[1], depth.max(layers)])
}

/// Copies to the parts of a buffer that have memory.
pub(crate) fn copy_buffer(pool: &Pool, src: Span, dst: &Buffer, regions: &[BufferCopy]) -> Result<()> {
    let to = dst.span()?;
    if !dst.pages().is_some_and(|p| p.is_any_missing()) {
        return transfer::copy_buffer(pool, src, to, regions);
    }
    regions.iter().try_for_each(|r| {
        dst.parts(r.dst_offset..r.dst_offset + r.size).try_for_each(|part| {
            let src_offset = r.src_offset + (part.start - r.dst_offset);
            let size = part.end - part.start;
            transfer::copy_buffer(pool, src, to, &[BufferCopy { src_offset, dst_offset: part.start, size }])
        })
    })
}

/// Fills the parts of a range of a buffer that have memory.
pub(crate) fn fill_buffer(pool: &Pool, dst: &Buffer, offset: u64, size: u64, word: u32) -> Result<()> {
    let to = dst.span()?;
    dst.parts(offset..offset + size)
        .try_for_each(|part| transfer::fill_buffer(pool, to, part.start, part.end - part.start, word))
}
