//! Recording of copies, blits, resolves, fills and clears.

use bytemuck::Pod;
use quadrille_raster::pass::ResolveMode;
use quadrille_raster::sampling::Filter;
use quadrille_raster::transfer;

use super::list::{Command, Regions, Run};
use super::record::CommandBuffer;
use crate::error::{Result, ensure};
use crate::flags::{BufferUsage, ImageUsage};
use crate::limits::{LIMITS, at_most};
use crate::resource::buffer::Buffer;
use crate::resource::copies::{
    BufferCopy, BufferImageCopy, ImageBlit, ImageCopy, ImageResolve, SubresourceRange,
};
use crate::resource::image::Image;

impl CommandBuffer {
    /// Copies between buffers.
    pub fn copy_buffer(&mut self, src: &Buffer, dst: &Buffer, regions: &[BufferCopy]) -> &mut Self {
        self.step(|c| {
            c.outside("copy")?;
            src.need(BufferUsage::TRANSFER_SRC, "copy")?;
            dst.need(BufferUsage::TRANSFER_DST, "copy")?;
            for r in regions {
                src.check(r.src_offset, r.size)?;
                dst.check(r.dst_offset, r.size)?;
            }
            let cost = sum(regions, |r| r.size / 16);
            let (src, dst) = (c.keep(src)?, c.keep(dst)?);
            let regions = Regions::put(&mut c.list.parameters, regions);
            c.add(cost, Command::CopyBuffer { src, dst, regions })
        })
    }

    /// Copies between images, texel by texel.
    pub fn copy_image(&mut self, src: &Image, dst: &Image, regions: &[ImageCopy]) -> &mut Self {
        self.step(|c| {
            c.transfer(src, dst, "copy")?;
            let cost = sum(regions, |r| texels(r.extent));
            let (from, to) = (c.keep(src)?, c.keep(dst)?);
            transfer::check_copy_image(&src.transfer()?, &dst.transfer()?, regions)?;
            let regions = Regions::put(&mut c.list.parameters, regions);
            c.add(cost, Command::CopyImage { src: from, dst: to, regions })
        })
    }

    fn transfer(&mut self, src: &Image, dst: &Image, what: &str) -> Result<()> {
        self.outside(what)?;
        src.need(ImageUsage::TRANSFER_SRC, what)?;
        dst.need(ImageUsage::TRANSFER_DST, what)
    }

    /// Copies texels from a buffer to an image.
    pub fn copy_buffer_to_image(
        &mut self,
        src: &Buffer,
        dst: &Image,
        regions: &[BufferImageCopy],
    ) -> &mut Self {
        self.step(|c| {
            c.outside("copy")?;
            src.need(BufferUsage::TRANSFER_SRC, "copy")?;
            dst.need(ImageUsage::TRANSFER_DST, "copy")?;
            let cost = sum(regions, |r| texels(r.extent));
            let (from, to) = (c.keep(src)?, c.keep(dst)?);
            transfer::check_buffer_image(&dst.transfer()?, src.span()?, regions)?;
            let regions = Regions::put(&mut c.list.parameters, regions);
            c.add(cost, Command::CopyBufferToImage { src: from, dst: to, regions })
        })
    }

    /// Copies texels from an image to a buffer.
    pub fn copy_image_to_buffer(
        &mut self,
        src: &Image,
        dst: &Buffer,
        regions: &[BufferImageCopy],
    ) -> &mut Self {
        self.step(|c| {
            c.outside("copy")?;
            src.need(ImageUsage::TRANSFER_SRC, "copy")?;
            dst.need(BufferUsage::TRANSFER_DST, "copy")?;
            let cost = sum(regions, |r| texels(r.extent));
            let (from, to) = (c.keep(src)?, c.keep(dst)?);
            transfer::check_buffer_image(&src.transfer()?, dst.span()?, regions)?;
            let regions = Regions::put(&mut c.list.parameters, regions);
            c.add(cost, Command::CopyImageToBuffer { src: from, dst: to, regions })
        })
    }

    /// Copies with scaling and conversion. `linear` selects linear filtering instead of nearest.
    pub fn blit_image(&mut self, src: &Image, dst: &Image, regions: &[ImageBlit], linear: bool) -> &mut Self {
        self.blit_image_by(src, dst, regions, if linear { Filter::Linear } else { Filter::Nearest })
    }

    /// Like [`blit_image`](Self::blit_image), with any filter. A cubic filter does not scale slices of 3D images.
    pub fn blit_image_by(
        &mut self,
        src: &Image,
        dst: &Image,
        regions: &[ImageBlit],
        filter: Filter,
    ) -> &mut Self {
        self.step(|c| {
            c.transfer(src, dst, "blit")?;
            let size = |r: &ImageBlit| {
                texels(std::array::from_fn(|i| r.dst_offsets[0][i].abs_diff(r.dst_offsets[1][i])))
            };
            let cost = sum(regions, size);
            let (from, to) = (c.keep(src)?, c.keep(dst)?);
            transfer::check_blit(&src.transfer()?, &dst.transfer()?, regions, filter)?;
            let regions = Regions::put(&mut c.list.parameters, regions);
            c.add(cost, Command::Blit { src: from, dst: to, regions, filter })
        })
    }

    /// Resolves a multisampled image to an image of one sample: averages colours, and takes sample 0 of other formats.
    pub fn resolve_image(&mut self, src: &Image, dst: &Image, regions: &[ImageResolve]) -> &mut Self {
        self.resolve(src, dst, regions, None)
    }

    /// Like [`resolve_image`](Self::resolve_image), with an explicit resolve mode.
    /// Spec: Vulkan, VkResolveImageModeInfoKHR.
    pub fn resolve_image_by(
        &mut self,
        src: &Image,
        dst: &Image,
        regions: &[ImageResolve],
        mode: ResolveMode,
    ) -> &mut Self {
        self.resolve(src, dst, regions, Some(mode))
    }

    fn resolve(
        &mut self,
        src: &Image,
        dst: &Image,
        regions: &[ImageResolve],
        mode: Option<ResolveMode>,
    ) -> &mut Self {
        self.step(|c| {
            c.transfer(src, dst, "resolve")?;
            let cost = sum(regions, |r| texels(r.extent));
            let (from, to) = (c.keep(src)?, c.keep(dst)?);
            transfer::check_resolve(&src.transfer()?, &dst.transfer()?, regions)?;
            let regions = Regions::put(&mut c.list.parameters, regions);
            c.add(cost, Command::Resolve { src: from, dst: to, regions, mode })
        })
    }

    /// Fills a range with a repeated word. `size: None` means up to the end of the buffer, rounded down to whole words.
    pub fn fill_buffer(&mut self, dst: &Buffer, offset: u64, size: Option<u64>, word: u32) -> &mut Self {
        self.step(|c| {
            c.outside("fill")?;
            dst.need(BufferUsage::TRANSFER_DST, "fill")?;
            let size = size.unwrap_or(dst.size().saturating_sub(offset) / 4 * 4);
            ensure(offset.is_multiple_of(4) && size.is_multiple_of(4), || "fill: not whole words".into())?;
            dst.check(offset, size)?;
            let dst = c.keep(dst)?;
            c.add(size / 16, Command::FillBuffer { dst, offset, size, word })
        })
    }

    /// Writes `data` to a buffer. The data is copied when the command is recorded.
    pub fn update_buffer<T: Pod>(&mut self, dst: &Buffer, offset: u64, data: &[T]) -> &mut Self {
        self.step(|c| {
            c.outside("update")?;
            dst.need(BufferUsage::TRANSFER_DST, "update")?;
            let data: &[u8] = bytemuck::cast_slice(data);
            at_most("bytes of an update", data.len() as u64, LIMITS.max_update_buffer_size)?;
            dst.check(offset, data.len() as u64)?;
            let dst = c.keep(dst)?;
            let cost = data.len() as u64 / 16;
            let data = Run::put(&mut c.list.updates, data);
            c.add(cost, Command::UpdateBuffer { dst, offset, data })
        })
    }

    /// Sets texels of a colour image. `value` holds the bits of R, G, B, A in the numeric type of the format.
    pub fn clear_color_image(
        &mut self,
        image: &Image,
        value: [u32; 4],
        ranges: &[SubresourceRange],
    ) -> &mut Self {
        self.step(|c| {
            ensure(!image.format().is_depth_stencil(), || "colour clear of a depth image".into())?;
            c.clear_image(image, value, ranges)
        })
    }

    /// Sets texels of a depth or stencil image.
    pub fn clear_depth_stencil_image(
        &mut self,
        image: &Image,
        depth: f32,
        stencil: u32,
        ranges: &[SubresourceRange],
    ) -> &mut Self {
        self.step(|c| {
            ensure(image.format().is_depth_stencil(), || "depth clear of a colour image".into())?;
            c.clear_image(image, [depth.to_bits(), stencil, 0, 0], ranges)
        })
    }

    fn clear_image(&mut self, image: &Image, value: [u32; 4], ranges: &[SubresourceRange]) -> Result<()> {
        self.outside("clear")?;
        image.need(ImageUsage::TRANSFER_DST, "clear")?;
        let cost = sum(ranges, |_| image.layout().size / 64);
        let at = self.keep(image)?;
        transfer::check_clear(&image.transfer()?, ranges)?;
        let ranges = Regions::put(&mut self.list.parameters, ranges);
        self.add(cost, Command::ClearImage { image: at, value, ranges })
    }
}

/// Total cost of all regions.
fn sum<R>(regions: &[R], cost: impl Fn(&R) -> u64) -> u64 {
    regions.iter().fold(0, |n: u64, r| n.saturating_add(cost(r)))
}

fn texels(extent: [u32; 3]) -> u64 {
    extent.iter().fold(1, |n, e| n.saturating_mul(u64::from(*e)))
}
