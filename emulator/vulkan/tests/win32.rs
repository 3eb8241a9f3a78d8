//! Presentation to windows of Windows: every pixel arrives, in its place and colour.
#![cfg(windows)]
#![expect(unsafe_code, reason = "a client of Vulkan and of Windows")]

mod common;

use std::ptr::{null, null_mut};

use ash::vk;
use common::window::{SHARED, Windows, pattern};
use windows_sys::Win32::Foundation::HWND;
use windows_sys::Win32::Graphics::Gdi::{BI_RGB, BITMAPINFO, BITMAPINFOHEADER};
use windows_sys::Win32::Graphics::Gdi::{
    BitBlt, CreateCompatibleBitmap, CreateCompatibleDC, DIB_RGB_COLORS, DeleteDC, DeleteObject, GetDC,
    GetDIBits, ReleaseDC, SRCCOPY, SelectObject,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    CreateWindowExW, DestroyWindow, DispatchMessageW, MSG, PM_REMOVE, PeekMessageW, SWP_NOMOVE, SWP_NOZORDER,
    SetWindowPos, WS_POPUP, WS_VISIBLE,
};

/// A window without borders, of a class that Windows has.
struct Client(HWND);

impl Client {
    fn new([width, height]: [i32; 2]) -> Client {
        let class: Vec<u16> = "STATIC\0".encode_utf16().collect();
        let style = WS_POPUP | WS_VISIBLE;
        // SAFETY: the class name ends with a zero, and the other pointers may be null.
        let window = unsafe {
            let none = (null_mut(), null_mut(), null_mut());
            let class = class.as_ptr();
            CreateWindowExW(0, class, null(), style, 0, 0, width, height, none.0, none.1, none.2, null())
        };
        assert!(!window.is_null(), "a window");
        let client = Client(window);
        client.handle_messages();
        client
    }

    fn handle_messages(&self) {
        // SAFETY: a message consists of numbers and handles, for which zeros are valid; it lives during the calls.
        unsafe {
            let mut message: MSG = std::mem::zeroed();
            while PeekMessageW(&raw mut message, null_mut(), 0, 0, PM_REMOVE) != 0 {
                DispatchMessageW(&raw const message);
            }
        }
    }

    fn resize(&self, [width, height]: [u32; 2]) {
        let how = SWP_NOMOVE | SWP_NOZORDER;
        // SAFETY: the window belongs to this thread.
        assert!(unsafe { SetWindowPos(self.0, null_mut(), 0, 0, width as i32, height as i32, how) } != 0);
        self.handle_messages();
    }

    fn destroy_window(&self) {
        // SAFETY: the window belongs to this thread.
        assert!(unsafe { DestroyWindow(self.0) } != 0);
        self.handle_messages();
    }

    /// Reads the pixels of the window, from its upper left corner.
    fn pixels(&self, [width, height]: [u32; 2]) -> Vec<u32> {
        let mut pixels = vec![0u32; (width * height) as usize];
        let (w, h) = (width as i32, height as i32);
        // SAFETY: a header consists of numbers, for which zeros are valid. The handles are live, and `pixels` has the
        // rows that the header states, of four bytes per pixel.
        unsafe {
            let mut info: BITMAPINFO = std::mem::zeroed();
            info.bmiHeader.biSize = size_of::<BITMAPINFOHEADER>() as u32;
            (info.bmiHeader.biWidth, info.bmiHeader.biHeight) = (w, -h);
            (info.bmiHeader.biPlanes, info.bmiHeader.biBitCount) = (1, 32);
            info.bmiHeader.biCompression = BI_RGB;
            let context = GetDC(self.0);
            let copy = CreateCompatibleDC(context);
            let bitmap = CreateCompatibleBitmap(context, w, h);
            let before = SelectObject(copy, bitmap);
            assert!(BitBlt(copy, 0, 0, w, h, context, 0, 0, SRCCOPY) != 0);
            SelectObject(copy, before);
            let rows =
                GetDIBits(copy, bitmap, 0, height, pixels.as_mut_ptr().cast(), &raw mut info, DIB_RGB_COLORS);
            assert_eq!(rows, h);
            DeleteObject(bitmap);
            DeleteDC(copy);
            ReleaseDC(self.0, context);
        }
        pixels.iter().map(|p| p & 0xff_ffff).collect()
    }

    fn surface(&self, on: &Windows) -> vk::SurfaceKHR {
        let commands = ash::khr::win32_surface::Instance::new(&vk_quadrille::entry(), &on.gpu.instance);
        let info = vk::Win32SurfaceCreateInfoKHR::default().hwnd(self.0.addr().cast_signed());
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            assert!(commands.get_physical_device_win32_presentation_support(on.gpu.physical, 0));
            commands.create_win32_surface(&info, None).unwrap()
        }
    }
}

/// Converts pixels of an image to those of the window; `swap` if red and blue differ in order.
fn shown(pixels: &[u32], swap: bool) -> Vec<u32> {
    let swapped = |p: u32| p & 0xff00 | (p & 0xff) << 16 | p >> 16 & 0xff;
    pixels.iter().map(|&p| if swap { swapped(p) } else { p & 0xff_ffff }).collect()
}

fn destroy(on: &Windows, surface: vk::SurfaceKHR) {
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Size that the surface reports.
fn current(on: &Windows, surface: vk::SurfaceKHR) -> [u32; 2] {
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let c = unsafe { on.surface.get_physical_device_surface_capabilities(on.gpu.physical, surface) };
    let size = c.unwrap().current_extent;
    [size.width, size.height]
}

/// Every format and mode.
#[test]
fn every_pixel_arrives() {
    let client = Client::new([67, 41]);
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    assert_eq!(size, [67, 41]);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the calls.
    let (formats, mut modes) = unsafe {
        assert!(on.surface.get_physical_device_surface_support(on.gpu.physical, 0, surface).unwrap());
        let formats = on.surface.get_physical_device_surface_formats(on.gpu.physical, surface);
        let modes = on.surface.get_physical_device_surface_present_modes(on.gpu.physical, surface);
        (formats.unwrap(), modes.unwrap())
    };
    modes.retain(|mode| !SHARED.contains(mode));
    for (i, format) in formats.iter().enumerate() {
        let swap = format!("{:?}", format.format).starts_with("R8");
        let mode = modes[i % modes.len()];
        let info = Windows::info(surface, size)
            .image_format(format.format)
            .image_color_space(format.color_space)
            .present_mode(mode);
        let chain = on.chain(&info).unwrap();
        for frame in 0..4 {
            let pixels = pattern(size, frame + 7 * i as u32);
            assert!(!chain.show(&pixels).unwrap());
            assert!(client.pixels(size) == shown(&pixels, swap), "{format:?} {mode:?}");
        }
    }
    destroy(&on, surface);
    client.destroy_window();
}

/// Only the rectangles of a region change. Spec: VK_KHR_incremental_present.
#[test]
fn regions_are_updated() {
    let client = Client::new([67, 41]);
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    let before = pattern(size, 1);
    chain.show(&before).unwrap();
    // All pixels change in the image, those of the rectangle in the window.
    let (after, mut expected) = (pattern(size, 2), before);
    for y in 10..15 {
        let row = y * size[0] as usize;
        expected[row + 20..row + 40].copy_from_slice(&after[row + 20..row + 40]);
    }
    let (image, _) = chain.acquire().unwrap();
    chain.draw(image, &after);
    let rectangles = [vk::RectLayerKHR::default()
        .offset(vk::Offset2D { x: 20, y: 10 })
        .extent(vk::Extent2D { width: 20, height: 5 })];
    chain.show_region(image, vk::PresentRegionKHR::default().rectangles(&rectangles));
    assert!(client.pixels(size) == shown(&expected, false));
    drop(chain);
    destroy(&on, surface);
    client.destroy_window();
}

/// A window that was resized may have lost the rest of the image before. Spec: VK_KHR_incremental_present, a region is a
/// hint.
#[test]
fn images_in_resized_windows_are_shown_as_a_whole() {
    let client = Client::new([67, 41]);
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    chain.show(&pattern(size, 1)).unwrap();
    client.resize([90, 50]);
    let (image, _) = chain.acquire().unwrap();
    let pixels = pattern(size, 2);
    chain.draw(image, &pixels);
    let rectangles = [vk::RectLayerKHR::default().extent(vk::Extent2D { width: 3, height: 2 })];
    chain.show_region(image, vk::PresentRegionKHR::default().rectangles(&rectangles));
    assert!(client.pixels(size) == shown(&pixels, false));
    drop(chain);
    destroy(&on, surface);
    client.destroy_window();
}

/// A swapchain with another size than its window reports that and shows the part that fits; the next one has the new
/// size.
#[test]
fn windows_are_resized() {
    let client = Client::new([67, 41]);
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    assert!(!chain.show(&pattern(size, 1)).unwrap());
    let larger = [90, 50];
    client.resize(larger);
    assert_eq!(current(&on, surface), larger);
    let pixels = pattern(size, 2);
    let noticed = (0..2).any(|_| chain.show(&pixels).unwrap());
    assert!(noticed, "suboptimal");
    assert!(client.pixels(size) == shown(&pixels, false));
    let next = on.chain(&Windows::info(surface, larger).old_swapchain(chain.handle)).unwrap();
    drop(chain);
    let pixels = pattern(larger, 3);
    assert!(!next.show(&pixels).unwrap());
    assert!(client.pixels(larger) == shown(&pixels, false));
    drop(next);
    destroy(&on, surface);
    client.destroy_window();
}

/// A destroyed window loses the surface, without other effects.
#[test]
fn windows_are_lost() {
    let client = Client::new([67, 41]);
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    chain.show(&pattern(size, 1)).unwrap();
    client.destroy_window();
    let lost = vk::Result::ERROR_SURFACE_LOST_KHR;
    let codes: Vec<_> = (0..3).filter_map(|i| chain.show(&pattern(size, i)).err()).collect();
    assert!(!codes.is_empty() && codes.iter().all(|&code| code == lost), "{codes:?}");
    drop(chain);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let asked = unsafe { on.surface.get_physical_device_surface_capabilities(on.gpu.physical, surface) };
    assert_eq!(asked.err(), Some(lost));
    assert_eq!(on.chain(&Windows::info(surface, size)).err(), Some(lost));
    destroy(&on, surface);
}
