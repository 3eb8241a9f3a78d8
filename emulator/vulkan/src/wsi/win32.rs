//! Windows of Windows: images are copied to the pixels of a window by GDI.
//!
//! Any thread may draw in a window of its process. A window that no longer exists loses the surface.

use std::time::Duration;

use ash::vk;
use quadrille::reserve;
use windows_sys::Win32::Foundation::{HWND, RECT};
use windows_sys::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, DIB_RGB_COLORS, GdiFlush, GetDC, RGBQUAD, ReleaseDC,
    SetDIBitsToDevice,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{GetClientRect, IsWindow};

use super::{Frame, Looks, Rect, Screen, TEXEL, Window};
use crate::interface::guard::{VkResult, code};
use crate::newer::FIFO_LATEST_READY;

/// Assumed period of vertical blanks: GDI does not report blanks.
const PERIOD: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// A window of the process.
#[derive(Clone, Copy)]
pub struct Win32Window {
    /// Handle of the window, a number.
    handle: isize,
}

/// `true`: every window can show images.
pub fn is_there() -> bool {
    true
}

impl Win32Window {
    /// Returns a window by its handle.
    pub fn of_hwnd(handle: isize) -> VkResult<Win32Window> {
        Ok(Win32Window { handle })
    }

    fn handle(self) -> HWND {
        std::ptr::without_provenance_mut(self.handle.cast_unsigned())
    }

    /// Width and height of the client area, in pixels. Those of a minimized window are 0.
    fn area(self) -> VkResult<[u32; 2]> {
        let mut rect = RECT { left: 0, top: 0, right: 0, bottom: 0 };
        // SAFETY: `rect` is a live variable; the system checks the handle.
        match unsafe { GetClientRect(self.handle(), &raw mut rect) } {
            0 => Err(vk::Result::ERROR_SURFACE_LOST_KHR),
            _ => Ok([rect.right, rect.bottom].map(|n| n.max(0).cast_unsigned())),
        }
    }

    /// Draws pixels in rows of `width`, of which `rect` is shown at its place.
    fn put(self, pixels: &[u32], width: u32, rect: Rect) -> VkResult {
        let rows = rect.y1 - rect.y0;
        let part = &pixels[rect.y0 as usize * width as usize..rect.y1 as usize * width as usize];
        let none = RGBQUAD { rgbBlue: 0, rgbGreen: 0, rgbRed: 0, rgbReserved: 0 };
        let header = BITMAPINFOHEADER {
            biSize: size_of::<BITMAPINFOHEADER>() as u32,
            biWidth: width.cast_signed(),
            // Negative: the first row is the upper one.
            biHeight: -rows.cast_signed(),
            biPlanes: 1,
            biBitCount: 8 * TEXEL as u16,
            biCompression: BI_RGB,
            biSizeImage: 0,
            biXPelsPerMeter: 0,
            biYPelsPerMeter: 0,
            biClrUsed: 0,
            biClrImportant: 0,
        };
        let info = BITMAPINFO { bmiHeader: header, bmiColors: [none] };
        let (x, y) = (rect.x0.cast_signed(), rect.y0.cast_signed());
        // SAFETY: the system checks the window's handle; the context is released by the thread that got it. `part` has
        // the rows that `info` states, of `width` pixels of four bytes each.
        let shown = unsafe {
            let context = GetDC(self.handle());
            if context.is_null() {
                return Err(vk::Result::ERROR_SURFACE_LOST_KHR);
            }
            let shown = SetDIBitsToDevice(
                context,
                x,
                y,
                rect.x1 - rect.x0,
                rows,
                x,
                0,
                0,
                rows,
                part.as_ptr().cast(),
                &raw const info,
                DIB_RGB_COLORS,
            );
            GdiFlush();
            ReleaseDC(self.handle(), context);
            // No row is shown if the window has none now.
            shown != 0 || IsWindow(self.handle()) != 0
        };
        if shown { Ok(()) } else { Err(vk::Result::ERROR_SURFACE_LOST_KHR) }
    }
}

impl Window for Win32Window {
    fn size(&self) -> VkResult<Option<[u32; 2]>> {
        Ok(Some(self.area()?))
    }

    fn is_supported(&self) -> bool {
        true
    }

    fn modes(&self) -> &'static [vk::PresentModeKHR] {
        use vk::PresentModeKHR as M;
        &[M::FIFO, M::FIFO_RELAXED, M::MAILBOX, M::IMMEDIATE, FIFO_LATEST_READY]
    }

    /// GDI ignores alpha.
    fn alpha(&self) -> vk::CompositeAlphaFlagsKHR {
        vk::CompositeAlphaFlagsKHR::OPAQUE
    }

    fn open(&self, looks: &Looks) -> VkResult<Box<dyn Screen>> {
        // A destroyed window has no screen.
        let area = self.area()?;
        let [width, height] = looks.size.map(|n| n as usize);
        let pixels = reserve::zeroed(width * height).map_err(|e| code(&e))?;
        Ok(Box::new(GdiScreen { window: *self, area, size: looks.size, pixels }))
    }
}

struct GdiScreen {
    window: Win32Window,
    /// Size of the client area when an image was last shown.
    area: [u32; 2],
    /// Size of the images.
    size: [u32; 2],
    pixels: Vec<u32>,
}

impl Screen for GdiScreen {
    fn period(&self) -> Option<Duration> {
        Some(PERIOD)
    }

    fn show(&mut self, frame: &Frame<'_>) -> VkResult<bool> {
        // SAFETY: `pixels` has aligned memory for all pixels of images with the size of the screen.
        unsafe { frame.copy_to(self.pixels.as_mut_ptr().cast(), false)? };
        let now = self.window.area()?;
        // Windows may be erased when their size changes.
        let is_kept = std::mem::replace(&mut self.area, now) == now;
        let damage = if is_kept { frame.damage } else { Rect::all(self.size) };
        if !damage.is_empty() {
            self.window.put(&self.pixels, self.size[0], damage)?;
        }
        Ok(now == self.size)
    }
}
