//! Copies between images and host memory without a queue, on the calling thread.

#![expect(unsafe_code, reason = "callers promise that host memory is valid")]

use quadrille_raster::image::Span;
use quadrille_raster::transfer;

use super::copies::{BufferImageCopy, ImageCopy};
use super::image::Image;
use crate::device::Device;
use crate::error::{Result, guard};
use crate::object::same_device;

/// Runs a copy on the calling thread, and makes aliased memory of sparse `images` equal before and after it.
fn on_host(images: &[&Image], copy: impl FnOnce() -> Result<()>) -> Result<()> {
    guard("copy", || {
        images.iter().try_for_each(|image| image.settle())?;
        copy()?;
        images.iter().try_for_each(|image| image.settle())
    })
}

impl Device {
    /// Copies texels from `bytes`, laid out as in a buffer, to an image, on the calling thread. No queue may be using
    /// the image. Spec: Vulkan, vkCopyMemoryToImage.
    ///
    /// # Errors
    /// `Invalid` if the image belongs to another device, is not bound or is multisampled, and if the image or `bytes`
    /// does not have the region.
    pub fn copy_bytes_to_image(&self, bytes: &[u8], image: &Image, region: &BufferImageCopy) -> Result<()> {
        self.check_process()?;
        same_device(image, self)?;
        image.keep_zeros();
        on_host(&[image], || transfer::copy_bytes_to_image(self.pool(), bytes, &image.transfer()?, region))
    }

    /// Copies texels of an image to `bytes`: the reverse of [`Device::copy_bytes_to_image`].
    ///
    /// # Errors
    /// Those of [`Device::copy_bytes_to_image`].
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

    /// Copies like [`Device::copy_bytes_to_image`], from memory that other threads or shaders may write at the same
    /// time, such as mapped memory. Concurrent writes give unspecified texels.
    ///
    /// # Errors
    /// Those of [`Device::copy_bytes_to_image`].
    ///
    /// # Safety
    /// [`Image::region_bytes`] bytes from `at` on must be readable.
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
        // SAFETY: the caller promises that `size` bytes from `at` on are readable; the copy never writes to its source,
        // and no reference to the bytes exists.
        let bytes = unsafe { Span::new(at.cast_mut(), size) };
        on_host(&[image], || {
            transfer::copy_buffer_to_image(self.pool(), bytes, &image.transfer()?, &[region])
        })
    }

    /// Copies texels of an image to memory: the reverse of [`Device::copy_memory_to_image`].
    ///
    /// # Errors
    /// Those of [`Device::copy_bytes_to_image`].
    ///
    /// # Safety
    /// [`Image::region_bytes`] bytes from `at` on must be writable.
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
        // SAFETY: the caller promises that `size` bytes from `at` on are writable; no reference to the bytes exists.
        let bytes = unsafe { Span::new(at, size) };
        on_host(&[image], || {
            transfer::copy_image_to_buffer(self.pool(), &image.transfer()?, bytes, &[region])
        })
    }

    /// Copies between images without a queue. Spec: Vulkan, vkCopyImageToImage.
    ///
    /// # Errors
    /// `Invalid` if an image belongs to another device, is not bound or does not have a region, and for formats,
    /// aspects or sample counts that do not go together.
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
