//! Copies, blits, resolves and clears of images and buffers.

use crate::buffer::Buffer;
use crate::copies::{BufferCopy, BufferImageCopy, ImageBlit, ImageCopy, SubresourceRange};
use crate::error::{Error, Result};
use crate::image::Image;

pub(super) fn copy_buffer(src: &Buffer, dst: &Buffer, regions: &[BufferCopy]) -> Result<()> {
    let ((from, from_base), (to, to_base)) = (src.memory()?, dst.memory()?);
    for r in regions {
        to.copy_from(to_base + r.dst_offset, from, from_base + r.src_offset, r.size)?;
    }
    Ok(())
}

pub(super) fn copy_image(_src: &Image, _dst: &Image, _regions: &[ImageCopy]) -> Result<()> {
    Err(Error::unsupported("image copies"))
}

pub(super) fn copy_buffer_to_image(_src: &Buffer, _dst: &Image, _regions: &[BufferImageCopy]) -> Result<()> {
    Err(Error::unsupported("copies to images"))
}

pub(super) fn copy_image_to_buffer(_src: &Image, _dst: &Buffer, _regions: &[BufferImageCopy]) -> Result<()> {
    Err(Error::unsupported("copies from images"))
}

pub(super) fn blit(_src: &Image, _dst: &Image, _regions: &[ImageBlit], _linear: bool) -> Result<()> {
    Err(Error::unsupported("blits"))
}

pub(super) fn resolve(_src: &Image, _dst: &Image, _regions: &[ImageCopy]) -> Result<()> {
    Err(Error::unsupported("resolves"))
}

pub(super) fn clear(_image: &Image, _value: [u32; 4], _ranges: &[SubresourceRange]) -> Result<()> {
    Err(Error::unsupported("clears of images"))
}
