//! Copies and fills of sparse buffers: unbound pages are skipped.
//!
//! Shaders check residency before they store (buffer words: `quadrille_jit::missing`), and so do transfers to images
//! (`quadrille_raster::transfer`). Copies and fills of buffers write only bound pages, because the unbound ones may be
//! much larger than the host's memory. Writes of other commands to
//! unbound pages are cleared afterwards (`command::observe::residency`). Spec: Vulkan, "Accessing Unbound
//! Regions".

use quadrille_raster::image::Span;
use quadrille_raster::transfer::{self, Runner};

use super::buffer::Buffer;
use super::copies::BufferCopy;
use crate::error::Result;

/// Copies to the bound parts of a buffer.
pub(crate) fn copy_buffer(on: Runner<'_>, src: Span, dst: &Buffer, regions: &[BufferCopy]) -> Result<()> {
    let to = dst.span()?;
    if !dst.pages().is_some_and(|p| p.is_any_missing()) {
        return transfer::copy_buffer(on, src, to, regions);
    }
    regions.iter().try_for_each(|r| {
        dst.parts(r.dst_offset..r.dst_offset + r.size).try_for_each(|part| {
            let src_offset = r.src_offset + (part.start - r.dst_offset);
            let size = part.end - part.start;
            transfer::copy_buffer(on, src, to, &[BufferCopy { src_offset, dst_offset: part.start, size }])
        })
    })
}

/// Fills the bound parts of a range of a buffer.
pub(crate) fn fill_buffer(on: Runner<'_>, dst: &Buffer, offset: u64, size: u64, word: u32) -> Result<()> {
    let to = dst.span()?;
    dst.parts(offset..offset + size)
        .try_for_each(|part| transfer::fill_buffer(on, to, part.start, part.end - part.start, word))
}
