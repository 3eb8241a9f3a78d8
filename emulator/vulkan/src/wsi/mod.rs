//! Window system integration: surfaces, swapchains, and the window systems that show their images.
//!
//! A surface is a [`Window`] of one of the platforms (`headless`, `xcb`, which also serves Xlib, `wayland`, `win32`). A
//! swapchain opens a [`Screen`] on it. A thread per swapchain (`presenter`) passes finished images to the screen, in
//! the order and at the pace of the present mode. Screens copy: an image is free again once it has been copied. In
//! every other respect, images belong to the device library.
//!
//! `times` and `timing` tell when images were shown. `library` opens the libraries of window systems when a program passes one of their windows.

#![cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "GDI ignores alpha, headless screens show nothing")
)]

mod headless;
mod presenter;
pub mod surface;
pub mod swapchain;
mod times;
pub mod timing;

#[cfg(target_os = "linux")]
mod library;
#[cfg(target_os = "linux")]
mod shared;
#[cfg(target_os = "linux")]
mod wayland;
#[cfg(target_os = "linux")]
mod xcb;

#[cfg(windows)]
mod win32;

mod absent;
#[cfg(not(windows))]
use absent::win32;
#[cfg(not(target_os = "linux"))]
use absent::{wayland, xcb};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ash::vk;
use quadrille::{Aspects, BufferImageCopy, Device, Image};

use crate::interface::guard::{VkResult, code};

/// Image formats that every window supports, with `true` if red and blue must be swapped for the window.
pub const FORMATS: [(vk::Format, bool); 4] = [
    (vk::Format::B8G8R8A8_UNORM, false),
    (vk::Format::B8G8R8A8_SRGB, false),
    (vk::Format::R8G8B8A8_UNORM, true),
    (vk::Format::R8G8B8A8_SRGB, true),
];

/// Present modes in which the only image of a swapchain stays with the application while it is shown: on demand, or
/// continuously. Every window supports them, because images are copied.
pub const SHARED: [vk::PresentModeKHR; 2] =
    [vk::PresentModeKHR::SHARED_DEMAND_REFRESH, vk::PresentModeKHR::SHARED_CONTINUOUS_REFRESH];

/// Size of a texel of all formats, in bytes.
const TEXEL: usize = 4;

/// Alpha of 1 in a texel of all formats.
const ALPHA: u32 = 0xff00_0000;

/// A window or other target of a surface.
pub trait Window: Send + Sync {
    /// Returns the size in pixels; `None` if the swapchain's images determine it.
    fn size(&self) -> VkResult<Option<[u32; 2]>>;
    /// `true` if the window can show images.
    fn is_supported(&self) -> bool;
    /// Present modes besides [`SHARED`]; a swapchain may switch between all of these.
    fn modes(&self) -> &'static [vk::PresentModeKHR];
    /// Supported composite alpha modes.
    fn alpha(&self) -> vk::CompositeAlphaFlagsKHR;
    /// Creates a screen for the images of a swapchain.
    fn open(&self, looks: &Looks) -> VkResult<Box<dyn Screen>>;
}

/// Appearance of a swapchain's images.
#[derive(Clone, Copy)]
pub struct Looks {
    /// Width and height, in pixels.
    pub size: [u32; 2],
    /// Composite alpha mode.
    pub alpha: vk::CompositeAlphaFlagsKHR,
}

/// Shows the images of one swapchain.
pub trait Screen: Send {
    /// Time between vertical blanks, if only the clock can tell when a blank occurs.
    fn period(&self) -> Option<Duration>;
    /// Shows an image by copying it, so that the image may be written as soon as this returns. Returns `false` if the
    /// window has changed its size.
    fn show(&mut self, frame: &Frame<'_>) -> VkResult<bool>;
}

/// A finished image to show.
pub struct Frame<'a> {
    /// Device of the image.
    pub device: &'a Device,
    /// The image.
    pub image: &'a Image,
    /// `true` if red and blue must be swapped.
    pub swap: bool,
    /// Area that differs from the image shown before.
    pub damage: Rect,
    /// `true` to wait until the window system wants another image.
    pub paced: bool,
    /// Set to end all waits.
    pub hurry: &'a AtomicBool,
}

/// Texels `x0..x1` by `y0..y1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x0: u32,
    /// Top edge.
    pub y0: u32,
    /// Right edge, exclusive.
    pub x1: u32,
    /// Bottom edge, exclusive.
    pub y1: u32,
}

impl Rect {
    /// Returns the rectangle of a whole image.
    pub fn all([x1, y1]: [u32; 2]) -> Rect {
        Rect { x0: 0, y0: 0, x1, y1 }
    }

    /// Returns the smallest rectangle around both.
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

    /// `true` if the rectangle has no texels.
    pub fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }
}

impl Frame<'_> {
    /// Width and height, in texels.
    pub fn size(&self) -> [u32; 2] {
        let [width, height, _] = self.image.desc().extent;
        [width, height]
    }

    /// Copies the whole image to tightly packed rows of pixels: blue, green, red, alpha; `opaque` for an alpha of 1.
    ///
    /// # Safety
    /// `at` is aligned to 4, and all bytes of the pixels from `at` on are readable and writable.
    pub unsafe fn copy_to(&self, at: *mut u8, opaque: bool) -> VkResult {
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
        // SAFETY: the caller promises that all bytes of the pixels are writable; the region is tightly packed.
        unsafe { self.device.copy_image_to_memory(self.image, at, &region) }.map_err(|e| code(&e))?;
        if self.swap || opaque {
            let (texels, alpha) = (at.cast::<u32>(), if opaque { ALPHA } else { 0 });
            for i in 0..width as usize * height as usize {
                // SAFETY: the texel was written above, and the caller promises an aligned address.
                unsafe {
                    let texel = texels.add(i).read();
                    let texel = if self.swap { red_and_blue_swapped(texel) } else { texel };
                    texels.add(i).write(texel | alpha);
                }
            }
        }
        Ok(())
    }
}

/// Swaps the first and the third byte of a texel.
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
