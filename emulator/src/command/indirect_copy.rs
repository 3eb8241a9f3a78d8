//! Copies whose parameters are in memory and name other memory by device address.
//!
//! A copy does nothing if an address belongs to no live buffer or if the parameters do not fit the resources.

use quadrille_raster::Watched;
use quadrille_raster::image::{ImageType, level_extent};
use quadrille_raster::transfer::{self, Runner};

use super::list::{Command, CommandList, CopyIndirect};
use super::parameters::{COPY_WORDS, IMAGE_COPY_WORDS};
use super::record::CommandBuffer;
use super::resources::check_budget;
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::flags::{BufferUsage, ImageUsage};
use crate::resource::buffer::Buffer;
use crate::resource::copies::{BufferCopy, BufferImageCopy, SubresourceLayers};
use crate::resource::image::{Image, ImageDesc};
use crate::resource::missing::copy_buffer;

impl CommandBuffer {
    /// Copies memory `count` times. The parameters of each copy are in a buffer, `stride` bytes apart.
    /// Spec: Vulkan, vkCmdCopyMemoryIndirectKHR.
    pub fn copy_memory_indirect(&mut self, from: (&Buffer, u64), stride: u64, count: u32) -> &mut Self {
        self.step(|c| c.copy_indirect(from, stride, count, None))
    }

    /// Copies memory to an image, once for each element of the given layers. The parameters of each copy are in a
    /// buffer, `stride` bytes apart. Spec: Vulkan, vkCmdCopyMemoryToImageIndirectKHR.
    pub fn copy_memory_to_image_indirect(
        &mut self,
        from: (&Buffer, u64),
        stride: u64,
        image: &Image,
        layers: &[SubresourceLayers],
    ) -> &mut Self {
        self.step(|c| {
            image.need(ImageUsage::TRANSFER_DST, "copy")?;
            c.copy_indirect(from, stride, layers.len() as u32, Some((image, layers)))
        })
    }

    fn copy_indirect(
        &mut self,
        (parameters, offset): (&Buffer, u64),
        stride: u64,
        count: u32,
        image: Option<(&Image, &[SubresourceLayers])>,
    ) -> Result<()> {
        self.outside("copy")?;
        parameters.need(BufferUsage::INDIRECT, "indirect copy")?;
        parameters.check(offset, 0)?;
        let words = if image.is_some() { IMAGE_COPY_WORDS } else { COPY_WORDS };
        let least = 4 * words as u64;
        ensure(count <= 1 || (stride >= least && stride.is_multiple_of(4)), || {
            format!(
                "indirect copies {stride} bytes apart; the stride must be a multiple of 4 and at least {least}"
            )
        })?;
        let parameters = self.keep(parameters)?;
        let image = match image {
            Some((image, layers)) => Some((self.keep(image)?, layers.to_vec())),
            None => None,
        };
        let copies = self.list.parameters.put(CopyIndirect { parameters, offset, stride, count, image });
        self.add(u64::MAX, Command::CopyIndirect(copies))
    }
}

/// Region of a VkCopyMemoryToImageIndirectCommandKHR. For 3D images the layers select the slices; `imageOffset.z` and
/// `imageExtent.depth` are ignored. Spec: Vulkan, vkCmdCopyMemoryToImageIndirectKHR.
fn region(
    p: &[u32],
    buffer_offset: u64,
    mut subresource: SubresourceLayers,
    image: &ImageDesc,
) -> BufferImageCopy {
    let mut offset = [p[8], p[9], p[10]].map(|word| word as i32);
    let mut extent = [p[11], p[12], p[13]];
    if image.image_type == ImageType::D3 {
        let depth = level_extent(image.extent, subresource.level)[2];
        let rest = depth.saturating_sub(subresource.base_layer);
        extent[2] = if subresource.layers == u32::MAX { rest } else { subresource.layers };
        offset[2] = i32::try_from(subresource.base_layer).unwrap_or(i32::MAX);
        (subresource.base_layer, subresource.layers) = (0, 1);
    }
    BufferImageCopy { buffer_offset, row_length: p[2], image_height: p[3], subresource, offset, extent }
}

/// Runs the copies of a command.
pub(super) fn run(device: &Device, list: &CommandList, copies: &CopyIndirect) -> Result<()> {
    let watched = Watched::begin(device.budget())?;
    let on = Runner::new(device.pool(), &watched);
    let mut p = [0u32; IMAGE_COPY_WORDS];
    for i in 0..copies.count {
        check_budget(device, &watched, "copy_indirect")?;
        let at = u64::from(i).saturating_mul(copies.stride).saturating_add(copies.offset);
        if list.buffers[copies.parameters].read_into(at, &mut p[..copies.words()]).is_err() {
            return Ok(());
        }
        let long = |i: usize| u64::from(p[i]) | u64::from(p[i + 1]) << 32;
        let Ok((src, src_offset)) = Buffer::at(device, long(0)) else { continue };
        match &copies.image {
            None => {
                let (dst_address, size) = (long(2), long(4));
                let Ok((dst, dst_offset)) = Buffer::at(device, dst_address) else { continue };
                if src.check(src_offset, size).is_err() || dst.check(dst_offset, size).is_err() {
                    continue;
                }
                let region = BufferCopy { src_offset, dst_offset, size };
                copy_buffer(on, src.span()?, &dst, &[region])?;
            }
            Some((image, layers)) => {
                let region = [region(&p, src_offset, layers[i as usize], list.images[*image].desc())];
                let to = list.images[*image].transfer()?;
                if transfer::check_buffer_image(&to, src.span()?, &region).is_ok() {
                    transfer::copy_buffer_to_image(on, src.span()?, &to, &region)?;
                }
            }
        }
    }
    // The budget may have stopped the last copy.
    check_budget(device, &watched, "copy_indirect")
}
