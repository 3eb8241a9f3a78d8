//! Copies between images and memory of the host, without a queue: now, and on the caller's time.

#![expect(unsafe_code, reason = "memory that callers vouch for")]

use quadrille_raster::image::Span;
use quadrille_raster::transfer;

use crate::copies::{BufferImageCopy, ImageCopy};
use crate::device::Device;
use crate::error::{Result, guard};
use crate::image::Image;
use crate::object::same_device;

/// Runs a copy of images. Memory of theirs that shows elsewhere, too, is the same there before and after.
fn on_host(images: &[&Image], copy: impl FnOnce() -> Result<()>) -> Result<()> {
    guard("copy", || {
        images.iter().try_for_each(|image| image.settle())?;
        copy()?;
        images.iter().try_for_each(|image| image.settle())
    })
}

impl Device {
    /// Copies texels that lie in `bytes` as in a buffer to an image, now and on this thread's time. No
    /// queue may be using the image. Spec: Vulkan, vkCopyMemoryToImage.
    pub fn copy_bytes_to_image(&self, bytes: &[u8], image: &Image, region: &BufferImageCopy) -> Result<()> {
        self.check_process()?;
        same_device(image, self)?;
        image.keep_zeros();
        on_host(&[image], || transfer::copy_bytes_to_image(self.pool(), bytes, &image.transfer()?, region))
    }

    /// The other direction of [`Device::copy_bytes_to_image`].
    pub fn copy_image_to_bytes(
        &self,
        image: &Image,
        bytes: &mut [u8],
        region: &BufferImageCopy,
    ) -> Result<()> {
        self.check_process()?;
        same_device(image, self)?;
        on_host(&[image], || transfer::copy_image_to_bytes(self.pool(), &image.transfer()?, bytes, region))
    }

    /// As [`Device::copy_bytes_to_image`], from memory that others may write at the same time, which gives
    /// unspecified texels: mapped memory that shaders use, for example.
    ///
    /// # Safety
    /// From `at` on, [`Image::region_bytes`] bytes can be read.
    pub unsafe fn copy_memory_to_image(
        &self,
        at: *const u8,
        image: &Image,
        region: &BufferImageCopy,
    ) -> Result<()> {
        self.check_process()?;
        same_device(image, self)?;
        let region = BufferImageCopy { buffer_offset: 0, ..*region };
        let size = image.region_bytes(&region)?;
        image.keep_zeros();
        // SAFETY: readable by contract, and a source is not written; no reference to the bytes is made.
        let bytes = unsafe { Span::new(at.cast_mut(), size) };
        on_host(&[image], || {
            transfer::copy_buffer_to_image(self.pool(), bytes, &image.transfer()?, &[region])
        })
    }

    /// The other direction of [`Device::copy_memory_to_image`].
    ///
    /// # Safety
    /// From `at` on, [`Image::region_bytes`] bytes can be written.
    pub unsafe fn copy_image_to_memory(
        &self,
        image: &Image,
        at: *mut u8,
        region: &BufferImageCopy,
    ) -> Result<()> {
        self.check_process()?;
        same_device(image, self)?;
        let region = BufferImageCopy { buffer_offset: 0, ..*region };
        let size = image.region_bytes(&region)?;
        // SAFETY: writable by contract; no reference to the bytes is made.
        let bytes = unsafe { Span::new(at, size) };
        on_host(&[image], || {
            transfer::copy_image_to_buffer(self.pool(), &image.transfer()?, bytes, &[region])
        })
    }

    /// Copies between images without a queue. Spec: Vulkan, vkCopyImageToImage.
    pub fn copy_image_on_host(&self, src: &Image, dst: &Image, regions: &[ImageCopy]) -> Result<()> {
        self.check_process()?;
        same_device(src, self)?;
        same_device(dst, self)?;
        dst.keep_zeros();
        on_host(&[src, dst], || {
            transfer::copy_image(self.pool(), &src.transfer()?, &dst.transfer()?, regions)
        })
    }
}
