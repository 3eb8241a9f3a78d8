//! Presentation to X windows, on a private server (Xvfb): every pixel arrives, in its place and colour. Without Xvfb or
//! the X libraries the tests are skipped.

#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "a client of Vulkan and X")]

mod common;

use std::ffi::{CString, c_char, c_int, c_uint, c_ulong, c_void};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use ash::vk;
use common::window::{SHARED, Windows, pattern};
use libloading::Library;
use quadrille_jit::testing::{self, Requirement};

/// An X server.
struct Server {
    process: Child,
    display: CString,
}

impl Server {
    fn start(options: &[&str]) -> Option<Server> {
        let mut command = Command::new("Xvfb");
        let screen = ["-displayfd", "1", "-screen", "0", "320x240x24", "-nolisten", "tcp", "-noreset"];
        command.args(screen).args(options).stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut process) = command.spawn() else {
            testing::skipped(Requirement::Xvfb, "no Xvfb");
            return None;
        };
        let mut number = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let display = CString::new(format!(":{}", number.trim())).unwrap();
        Some(Server { process, display })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

type Connection = *mut c_void;

/// `xcb_depth_iterator_t` and `xcb_visualtype_iterator_t`; the elements begin with the depth, and with the id of the
/// visual.
#[repr(C)]
struct List<T> {
    data: *const T,
    rem: c_int,
    _index: c_int,
}

/// `xcb_screen_t`, up to the members used here.
#[repr(C)]
struct Screen {
    root: u32,
    _head: [u32; 7],
    root_visual: u32,
}

/// `xcb_screen_iterator_t`.
#[repr(C)]
struct Screens {
    data: *const Screen,
    _rem: c_int,
    _index: c_int,
}

/// A client with a window, through libxcb.
struct Client {
    library: Library,
    connection: Connection,
    window: u32,
}

/// Returns a function of libxcb.
macro_rules! x {
    ($library:expr, $name:ident: fn($($ty:ty),*) $(-> $ret:ty)?) => {
        // SAFETY: the type is that of the function in the library's header.
        *unsafe {
            let name = concat!(stringify!($name), "\0").as_bytes();
            $library.get::<unsafe extern "C" fn($($ty),*) $(-> $ret)?>(name)
        }.unwrap()
    };
}

impl Client {
    fn connect(server: &Server) -> Option<Client> {
        // SAFETY: the library has no initializers with requirements on the process.
        let Ok(library) = (unsafe { Library::new("libxcb.so.1") }) else {
            testing::skipped(Requirement::X11, "no libxcb");
            return None;
        };
        let connect = x!(library, xcb_connect: fn(*const c_char, *mut c_int) -> Connection);
        // SAFETY: the name is a C string, and the screen number is optional.
        let connection = unsafe { connect(server.display.as_ptr(), std::ptr::null_mut()) };
        Some(Client::with(library, connection, [67, 41]))
    }

    fn screen(library: &Library, connection: Connection) -> (u32, u32) {
        let setup = x!(library, xcb_get_setup: fn(Connection) -> *const c_void);
        let roots = x!(library, xcb_setup_roots_iterator: fn(*const c_void) -> Screens);
        // SAFETY: the connection is open, and the server has a screen.
        unsafe {
            let screen = roots(setup(connection)).data;
            ((*screen).root, (*screen).root_visual)
        }
    }

    fn with(library: Library, connection: Connection, [width, height]: [u16; 2]) -> Client {
        let (root, visual) = Client::screen(&library, connection);
        let id = x!(library, xcb_generate_id: fn(Connection) -> u32);
        let create = x!(library, xcb_create_window: fn(
            Connection, u8, u32, u32, i16, i16, u16, u16, u16, u16, u32, u32, *const u32
        ) -> c_uint);
        let map = x!(library, xcb_map_window: fn(Connection, u32) -> c_uint);
        // SAFETY: the connection is open, and the value mask is empty.
        let window = unsafe {
            let window = id(connection);
            create(connection, 0, window, root, 0, 0, width, height, 0, 1, visual, 0, std::ptr::null());
            map(connection, window);
            window
        };
        let client = Client { library, connection, window };
        // The reply shows that the server has created the window.
        client.pixels([1, 1]);
        client
    }

    /// Returns the first visual of a depth.
    fn visual(&self, depth: u8) -> u32 {
        let library = &self.library;
        let setup = x!(library, xcb_get_setup: fn(Connection) -> *const c_void);
        let roots = x!(library, xcb_setup_roots_iterator: fn(*const c_void) -> Screens);
        let depths = x!(library, xcb_screen_allowed_depths_iterator: fn(*const Screen) -> List<u8>);
        let next = x!(library, xcb_depth_next: fn(*mut List<u8>));
        let visuals = x!(library, xcb_depth_visuals_iterator: fn(*const u8) -> List<u32>);
        // SAFETY: the connection is open, and the server has a screen.
        unsafe {
            let mut list = depths(roots(setup(self.connection)).data);
            while list.rem > 0 && *list.data != depth {
                next(&mut list);
            }
            assert!(list.rem > 0, "the screen has visuals of depth {depth}");
            *visuals(list.data).data
        }
    }

    /// Makes a window whose pixels have alpha, in front of the one before.
    fn use_alpha(&mut self, [width, height]: [u16; 2]) {
        let (library, c) = (&self.library, self.connection);
        let ((root, _), visual) = (Client::screen(library, c), self.visual(32));
        let id = x!(library, xcb_generate_id: fn(Connection) -> u32);
        let colours = x!(library, xcb_create_colormap: fn(Connection, u8, u32, u32, u32) -> c_uint);
        let create = x!(library, xcb_create_window: fn(
            Connection, u8, u32, u32, i16, i16, u16, u16, u16, u16, u32, u32, *const u32
        ) -> c_uint);
        let map = x!(library, xcb_map_window: fn(Connection, u32) -> c_uint);
        // SAFETY: the connection is open; the mask selects border pixel and colormap, which `values` has.
        let window = unsafe {
            let (window, table) = (id(c), id(c));
            colours(c, 0, table, root, visual);
            let values = [0, table];
            create(c, 32, window, root, 0, 0, width, height, 0, 1, visual, 8 | 0x2000, values.as_ptr());
            map(c, window);
            window
        };
        self.window = window;
        self.pixels([1, 1]);
    }

    fn resize(&self, size: [u32; 2]) {
        let configure =
            x!(self.library, xcb_configure_window: fn(Connection, u32, u16, *const u32) -> c_uint);
        // SAFETY: the connection is open; the mask selects width and height, which `size` has.
        unsafe { configure(self.connection, self.window, 4 | 8, size.as_ptr()) };
        self.pixels([1, 1]);
    }

    fn destroy_window(&self) {
        let destroy = x!(self.library, xcb_destroy_window: fn(Connection, u32) -> c_uint);
        // SAFETY: the connection is open, and the window belongs to it.
        unsafe { destroy(self.connection, self.window) };
    }

    /// Reads the pixels of the window, from its upper left corner, without alpha.
    fn pixels(&self, size: [u32; 2]) -> Vec<u32> {
        self.texels(size).iter().map(|p| p & 0xff_ffff).collect()
    }

    /// Reads the pixels of the window, from its upper left corner.
    fn texels(&self, [width, height]: [u32; 2]) -> Vec<u32> {
        let get = x!(self.library, xcb_get_image: fn(Connection, u8, u32, i16, i16, u16, u16, u32) -> c_uint);
        let reply = x!(self.library, xcb_get_image_reply: fn(
            Connection, c_uint, *mut *mut c_void
        ) -> *mut c_void);
        let data = x!(self.library, xcb_get_image_data: fn(*const c_void) -> *const u32);
        // SAFETY: the connection is open; the reply has the requested number of pixels.
        unsafe {
            let cookie = get(self.connection, 2, self.window, 0, 0, width as u16, height as u16, u32::MAX);
            let reply = reply(self.connection, cookie, std::ptr::null_mut());
            assert!(!reply.is_null(), "the window can be read");
            let n = (width * height) as usize;
            let pixels = std::slice::from_raw_parts(data(reply), n).to_vec();
            libc::free(reply);
            pixels
        }
    }

    fn surface(&self, on: &Windows) -> vk::SurfaceKHR {
        let commands = ash::khr::xcb_surface::Instance::new(&vk_quadrille::entry(), &on.gpu.instance);
        let (_, visual) = Client::screen(&self.library, self.connection);
        let info = vk::XcbSurfaceCreateInfoKHR::default().connection(self.connection).window(self.window);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            // SAFETY: the connection is open.
            let connection = &mut *self.connection;
            assert!(commands.get_physical_device_xcb_presentation_support(
                on.gpu.physical,
                0,
                connection,
                visual
            ));
            assert!(!commands.get_physical_device_xcb_presentation_support(
                on.gpu.physical,
                0,
                connection,
                0
            ));
            commands.create_xcb_surface(&info, None).unwrap()
        }
    }

    fn disconnect(self) {
        let disconnect = x!(self.library, xcb_disconnect: fn(Connection));
        // SAFETY: no object of the connection is used afterwards.
        unsafe { disconnect(self.connection) };
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

/// Every format and mode, with and without memory shared with the server.
#[test]
fn every_pixel_arrives() {
    for options in [&[][..], &["-extension", "MIT-SHM"]] {
        let Some(server) = Server::start(options) else { return };
        let Some(client) = Client::connect(&server) else { return };
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
                assert!(client.pixels(size) == shown(&pixels, swap), "{format:?} {mode:?} {options:?}");
            }
        }
        destroy(&on, surface);
        client.disconnect();
    }
}

/// Images of an opaque swapchain have an alpha of 1 in a window with alpha. Spec: Vulkan, VkCompositeAlphaFlagBitsKHR.
#[test]
fn opaque_images_have_no_alpha() {
    use vk::CompositeAlphaFlagsKHR as A;
    for options in [&[][..], &["-extension", "MIT-SHM"]] {
        let Some(server) = Server::start(options) else { return };
        let Some(mut client) = Client::connect(&server) else { return };
        client.use_alpha([67, 41]);
        let on = Windows::new();
        let surface = client.surface(&on);
        let size = current(&on, surface);
        let pixels: Vec<u32> = pattern(size, 1).iter().map(|p| p & 0x5aff_ffff).collect();
        for (alpha, bits) in [(A::OPAQUE, 0xff00_0000), (A::INHERIT, 0x5a00_0000)] {
            let chain = on.chain(&Windows::info(surface, size).composite_alpha(alpha)).unwrap();
            chain.show(&pixels).unwrap();
            let expected: Vec<u32> = pixels.iter().map(|p| p & 0xff_ffff | bits).collect();
            assert!(client.texels(size) == expected, "{alpha:?} {options:?}");
        }
        destroy(&on, surface);
        client.disconnect();
    }
}

/// Only the rectangles of a region change. Spec: VK_KHR_incremental_present.
#[test]
fn regions_are_updated() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    let mut pixels = pattern(size, 1);
    chain.show(&pixels).unwrap();
    // Only the rectangle in the region has changed.
    for y in 10..15 {
        for x in 20..40 {
            pixels[y * size[0] as usize + x] = 0x12_3456;
        }
    }
    let (image, _) = chain.acquire().unwrap();
    chain.draw(image, &pixels);
    let rectangles = [vk::RectLayerKHR::default()
        .offset(vk::Offset2D { x: 20, y: 10 })
        .extent(vk::Extent2D { width: 20, height: 5 })];
    let region = vk::PresentRegionKHR::default().rectangles(&rectangles);
    chain.show_region(image, region);
    assert!(client.pixels(size) == shown(&pixels, false));
    drop(chain);
    destroy(&on, surface);
    client.disconnect();
}

/// The first image of a swapchain has no image before it, from which only a region could differ.
/// Spec: VK_KHR_incremental_present.
#[test]
fn the_first_image_is_shown_as_a_whole() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let old = on.chain(&Windows::info(surface, size)).unwrap();
    old.show(&pattern(size, 1)).unwrap();
    let chain = on.chain(&Windows::info(surface, size).old_swapchain(old.handle)).unwrap();
    let (image, _) = chain.acquire().unwrap();
    let pixels = pattern(size, 2);
    chain.draw(image, &pixels);
    let rectangles = [vk::RectLayerKHR::default().extent(vk::Extent2D { width: 3, height: 2 })];
    let region = vk::PresentRegionKHR::default().rectangles(&rectangles);
    chain.show_region(image, region);
    assert!(client.pixels(size) == shown(&pixels, false));
    drop((old, chain));
    destroy(&on, surface);
    client.disconnect();
}

/// A window that was resized has lost the rest of the image before. Spec: VK_KHR_incremental_present, a region is a hint.
#[test]
fn images_in_resized_windows_are_shown_as_a_whole() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
    let change =
        x!(client.library, xcb_change_window_attributes: fn(Connection, u32, u32, *const u32) -> c_uint);
    // SAFETY: the connection is open; the mask selects the background, a number.
    unsafe { change(client.connection, client.window, 2, [0].as_ptr()) };
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
    let region = vk::PresentRegionKHR::default().rectangles(&rectangles);
    chain.show_region(image, region);
    assert!(client.pixels(size) == shown(&pixels, false));
    drop(chain);
    destroy(&on, surface);
    client.disconnect();
}

/// A region need not have its rectangles. Spec: Vulkan, VkPresentRegionKHR, `pRectangles`.
#[test]
fn a_region_without_rectangles_is_the_whole_image() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    chain.show(&pattern(size, 1)).unwrap();
    for (seed, count) in [(2, 0), (3, 3)] {
        let (image, _) = chain.acquire().unwrap();
        let pixels = pattern(size, seed);
        chain.draw(image, &pixels);
        let region = vk::PresentRegionKHR { rectangle_count: count, ..Default::default() };
        chain.show_region(image, region);
        assert!(client.pixels(size) == shown(&pixels, false), "{count} rectangles");
    }
    drop(chain);
    destroy(&on, surface);
    client.disconnect();
}

/// The image is shown again and again, as a whole, until another swapchain takes the window. Spec: Vulkan,
/// VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR and VkSwapchainCreateInfoKHR, `oldSwapchain`.
#[test]
fn a_shared_image_is_refreshed() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let mode = vk::PresentModeKHR::SHARED_CONTINUOUS_REFRESH;
    let chain = on.chain(&Windows::info(surface, size).present_mode(mode).min_image_count(1)).unwrap();
    let (image, _) = chain.acquire().unwrap();
    chain.draw(image, &pattern(size, 1));
    let rectangles = [vk::RectLayerKHR::default().extent(vk::Extent2D { width: 3, height: 2 })];
    let regions = [vk::PresentRegionKHR::default().rectangles(&rectangles)];
    let mut regions = vk::PresentRegionsKHR::default().regions(&regions);
    chain.present_with(image, |info| info.push_next(&mut regions)).unwrap();
    // The region is that of the only presentation, not of what is drawn afterwards.
    chain.draw_shared(image, &pattern(size, 2));
    let pixels = shown(&pattern(size, 2), false);
    let end = Instant::now() + Duration::from_secs(20);
    while client.pixels(size) != pixels {
        assert!(Instant::now() < end, "the image is not refreshed");
        std::thread::sleep(Duration::from_millis(5));
    }
    let next = on.chain(&Windows::info(surface, size).old_swapchain(chain.handle)).unwrap();
    let pixels = pattern(size, 3);
    next.show(&pixels).unwrap();
    // The time of several refreshes.
    std::thread::sleep(Duration::from_millis(200));
    assert!(client.pixels(size) == shown(&pixels, false), "the old image is refreshed");
    drop((chain, next));
    destroy(&on, surface);
    client.disconnect();
}

/// A swapchain with another size than its window reports that and shows the part that fits; the next one has the new
/// size.
#[test]
fn windows_are_resized() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    assert!(!chain.show(&pattern(size, 1)).unwrap());
    let larger = [90, 50];
    client.resize(larger);
    assert_eq!(current(&on, surface), larger);
    // The next acquisition notices it, before an image is shown. Spec: Vulkan, vkAcquireNextImageKHR.
    let (image, suboptimal) = chain.acquire().unwrap();
    assert!(suboptimal, "the next acquisition");
    let pixels = pattern(size, 2);
    chain.draw(image, &pixels);
    chain.present(image).unwrap();
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
    client.disconnect();
}

/// A destroyed window loses the surface, without other effects.
#[test]
fn windows_are_lost() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
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
    client.disconnect();
}

/// A server that dies loses the surface.
#[test]
fn servers_are_lost() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    chain.show(&pattern(size, 1)).unwrap();
    drop(server);
    let codes: Vec<_> = (0..3).filter_map(|i| chain.show(&pattern(size, i)).err()).collect();
    assert!(!codes.is_empty());
    assert!(codes.iter().all(|&code| code == vk::Result::ERROR_SURFACE_LOST_KHR), "{codes:?}");
    drop(chain);
    destroy(&on, surface);
    client.disconnect();
}

/// An Xlib window is used through the XCB connection beneath Xlib.
#[test]
fn windows_of_xlib() {
    let Some(server) = Server::start(&[]) else { return };
    let Some(client) = Client::connect(&server) else { return };
    // SAFETY: the libraries have no initializers with requirements on the process.
    let libraries = unsafe { (Library::new("libX11.so.6"), Library::new("libX11-xcb.so.1")) };
    let (Ok(xlib), Ok(_)) = libraries else {
        testing::skipped(Requirement::X11, "no libX11 or libX11-xcb");
        return;
    };
    let open = x!(xlib, XOpenDisplay: fn(*const c_char) -> *mut c_void);
    let close = x!(xlib, XCloseDisplay: fn(*mut c_void) -> c_int);
    // SAFETY: the name is a C string.
    let display = unsafe { open(server.display.as_ptr()) };
    let on = Windows::new();
    let commands = ash::khr::xlib_surface::Instance::new(&vk_quadrille::entry(), &on.gpu.instance);
    let info = vk::XlibSurfaceCreateInfoKHR::default().dpy(display).window(c_ulong::from(client.window));
    // SAFETY: valid usage of Vulkan; the display is open.
    let surface = unsafe {
        let (_, visual) = Client::screen(&client.library, client.connection);
        assert!(commands.get_physical_device_xlib_presentation_support(on.gpu.physical, 0, display, visual));
        commands.create_xlib_surface(&info, None).unwrap()
    };
    let size = current(&on, surface);
    let chain = on.chain(&Windows::info(surface, size)).unwrap();
    let pixels = pattern(size, 5);
    assert!(!chain.show(&pixels).unwrap());
    assert!(client.pixels(size) == shown(&pixels, false));
    drop(chain);
    destroy(&on, surface);
    // SAFETY: no object of the display is used afterwards.
    unsafe { close(display) };
    client.disconnect();
}
