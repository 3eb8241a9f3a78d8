//! Window system integration: surfaces, swapchains, and the window systems that show their images.
//!
//! A surface is a [`Window`] of one of the platforms (`headless`, `xcb`, which serves Xlib too, `wayland`).
//! A swapchain opens a [`Screen`] on it, which a thread of its own (`presenter`) hands finished images to, in the
//! order and at the pace of the present mode. Screens copy: an image is free again as soon as it was copied, and
//! belongs to the device library in every other respect.
//!
//! Libraries of window systems are opened when a program brings a window of theirs (`library`).

mod headless;
mod library;
mod presenter;
mod shared;
pub mod surface;
pub mod swapchain;
mod wayland;
mod xcb;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ash::vk;
use quadrille::{Aspects, BufferImageCopy, Device, Image};

use crate::guard::{VkResult, code};

/// Formats of images that every window shows, and whether red and blue are the other way round in windows.
pub const FORMATS: [(vk::Format, bool); 4] = [
    (vk::Format::B8G8R8A8_UNORM, false),
    (vk::Format::B8G8R8A8_SRGB, false),
    (vk::Format::R8G8B8A8_UNORM, true),
    (vk::Format::R8G8B8A8_SRGB, true),
];

/// Modes in which the one image of a swapchain stays with the application while it is shown: when it is asked for,
/// or again and again. Every window has them, since showing is copying.
pub const SHARED: [vk::PresentModeKHR; 2] =
    [vk::PresentModeKHR::SHARED_DEMAND_REFRESH, vk::PresentModeKHR::SHARED_CONTINUOUS_REFRESH];

/// Bytes of a texel of all of them.
const TEXEL: usize = 4;

/// What images are shown on.
pub trait Window: Send + Sync {
    /// Its size; `None` where images give it its size.
    fn size(&self) -> VkResult<Option<[u32; 2]>>;
    /// Whether it can show images at all.
    fn is_supported(&self) -> bool;
    /// Present modes besides those of [`SHARED`]; a swapchain may change between all of them.
    fn modes(&self) -> &'static [vk::PresentModeKHR];
    /// What can become of alpha.
    fn alpha(&self) -> vk::CompositeAlphaFlagsKHR;
    /// Begins to show the images of a swapchain.
    fn open(&self, looks: &Looks) -> VkResult<Box<dyn Screen>>;
}

/// What the images of a swapchain look like.
#[derive(Clone, Copy)]
pub struct Looks {
    /// Width and height.
    pub size: [u32; 2],
    /// What becomes of alpha.
    pub alpha: vk::CompositeAlphaFlagsKHR,
}

/// What shows the images of one swapchain.
pub trait Screen: Send {
    /// Time from one vertical blank to the next, where nothing but the clock tells.
    fn period(&self) -> Option<Duration>;
    /// Shows an image: copies it, so that the image may be written as soon as this returns. Whether the window
    /// still has its size.
    fn show(&mut self, frame: &Frame<'_>) -> VkResult<bool>;
}

/// A finished image to be shown.
pub struct Frame<'a> {
    /// The device of the image.
    pub device: &'a Device,
    /// The image.
    pub image: &'a Image,
    /// Red and blue are the other way round.
    pub swap: bool,
    /// What differs from the image shown before.
    pub damage: Rect,
    /// Wait until the window system wants another image.
    pub paced: bool,
    /// Do not wait any more.
    pub hurry: &'a AtomicBool,
}

/// Texels `x0..x1` by `y0..y1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left.
    pub x0: u32,
    /// Top.
    pub y0: u32,
    /// Right, exclusive.
    pub x1: u32,
    /// Bottom, exclusive.
    pub y1: u32,
}

impl Rect {
    /// All of an image.
    pub fn all([x1, y1]: [u32; 2]) -> Rect {
        Rect { x0: 0, y0: 0, x1, y1 }
    }

    /// The smallest one around both.
    pub fn around(self, other: Rect) -> Rect {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Rect {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Nothing is inside.
    pub fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }
}

impl Frame<'_> {
    /// Width and height.
    pub fn size(&self) -> [u32; 2] {
        let [width, height, _] = self.image.desc().extent;
        [width, height]
    }

    /// Copies the whole image to tight rows of pixels: blue, green, red, alpha.
    ///
    /// # Safety
    /// From `at`, which is aligned to 4, as many bytes as the pixels take can be read and written.
    pub unsafe fn copy_to(&self, at: *mut u8) -> VkResult {
        let [width, height] = self.size();
        let region = BufferImageCopy {
            buffer_offset: 0,
            row_length: 0,
            image_height: 0,
            subresource: quadrille::SubresourceLayers {
                aspects: Aspects::COLOR,
                level: 0,
                base_layer: 0,
                layers: 1,
            },
            offset: [0; 3],
            extent: [width, height, 1],
        };
        // SAFETY: writable by contract; the region is tight.
        unsafe { self.device.copy_image_to_memory(self.image, at, &region) }.map_err(|e| code(&e))?;
        if self.swap {
            let texels = at.cast::<u32>();
            for i in 0..width as usize * height as usize {
                // SAFETY: the texels that were just written, aligned by contract.
                unsafe { texels.add(i).write(red_and_blue_swapped(texels.add(i).read())) };
            }
        }
        Ok(())
    }
}

/// A texel of four bytes with its first and third exchanged.
fn red_and_blue_swapped(texel: u32) -> u32 {
    texel & 0xff00_ff00 | texel >> 16 & 0xff | (texel & 0xff) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_grow() {
        let r = |x0, y0, x1, y1| Rect { x0, y0, x1, y1 };
        assert_eq!(r(1, 2, 3, 4).around(r(2, 1, 9, 3)), r(1, 1, 9, 4));
        assert_eq!(r(5, 5, 5, 9).around(r(2, 1, 9, 3)), r(2, 1, 9, 3));
        assert_eq!(r(2, 1, 9, 3).around(r(0, 0, 0, 0)), r(2, 1, 9, 3));
    }

    #[test]
    fn bytes_of_texels_are_exchanged() {
        assert_eq!(red_and_blue_swapped(u32::from_le_bytes([1, 2, 3, 4])).to_le_bytes(), [3, 2, 1, 4]);
    }
}
