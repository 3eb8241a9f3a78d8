//! X windows, through libxcb: images are copied to pixels of the window, with MIT-SHM if the server can share memory,
//! otherwise through the connection.
//!
//! Xlib windows are used through the XCB connection beneath Xlib. Requests are checked, so that errors do not reach the
//! application's event loop. An error, or the end of the connection, loses the surface.

use std::ffi::{c_int, c_uint, c_ulong, c_void};
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd};
use std::time::Duration;

use ash::vk;
use quadrille::reserve;
use rustix::net::{AddressFamily, getsockname};

use super::library::library;
use super::shared::Shared;
use super::{Frame, Looks, Rect, Screen, TEXEL, Window};
use crate::interface::guard::{VkResult, code};
use crate::newer::FIFO_LATEST_READY;

/// An `xcb_connection_t`.
type Connection = *mut c_void;

/// A reply, an error or a property of the connection, as in the header of libxcb.
type Reply<T> = *mut T;

/// `xcb_void_cookie_t` and the other cookies, which all have this form.
#[repr(C)]
#[derive(Clone, Copy)]
struct Cookie(c_uint);

/// `xcb_generic_error_t`, up to the members used here.
#[repr(C)]
struct GenericError {
    _response_type: u8,
    code: u8,
}

/// `xcb_get_geometry_reply_t`, up to the members used here.
#[repr(C)]
struct Geometry {
    _response_type: u8,
    depth: u8,
    _sequence: u16,
    _length: u32,
    _root: u32,
    _place: [i16; 2],
    width: u16,
    height: u16,
}

/// `xcb_get_window_attributes_reply_t`, up to the members used here.
#[repr(C)]
struct Attributes {
    _response_type: u8,
    _backing_store: u8,
    _sequence: u16,
    _length: u32,
    visual: u32,
}

/// `xcb_query_extension_reply_t`, up to the members used here.
#[repr(C)]
struct Extension {
    _response_type: u8,
    _pad: u8,
    _sequence: u16,
    _length: u32,
    present: u8,
}

/// `xcb_shm_query_version_reply_t`, up to the members used here.
#[repr(C)]
struct ShmVersion {
    _response_type: u8,
    _shared_pixmaps: u8,
    _sequence: u16,
    _length: u32,
    major: u16,
    minor: u16,
}

/// `xcb_setup_t`, up to the members used here.
#[repr(C)]
struct Setup {
    _head: [u8; 8],
    _release_and_ids: [u32; 4],
    _vendor_len: u16,
    _maximum_request_length: u16,
    _roots_len: u8,
    _pixmap_formats_len: u8,
    image_byte_order: u8,
}

/// `xcb_format_t`, up to the members used here.
#[repr(C)]
struct PixmapFormat {
    depth: u8,
    bits_per_pixel: u8,
    scanline_pad: u8,
    _pad: [u8; 5],
}

/// `xcb_depth_t`.
#[repr(C)]
struct Depth {
    depth: u8,
    _pad: [u8; 7],
}

/// `xcb_visualtype_t`.
#[repr(C)]
struct Visual {
    id: u32,
    _class_and_bits: [u8; 4],
    masks: [u32; 3],
    _pad: u32,
}

/// The form of all iterators of libxcb.
#[repr(C)]
struct Iter<T> {
    data: *mut T,
    rem: c_int,
    index: c_int,
}

library! {
    /// libxcb.
    Xcb = "libxcb.so.1";
    fn xcb_connection_has_error(Connection) -> c_int;
    fn xcb_get_file_descriptor(Connection) -> c_int;
    fn xcb_get_extension_data(Connection, *mut c_void) -> *const Extension;
    fn xcb_get_setup(Connection) -> *const Setup;
    fn xcb_setup_pixmap_formats_iterator(*const Setup) -> Iter<PixmapFormat>;
    fn xcb_format_next(*mut Iter<PixmapFormat>);
    fn xcb_setup_roots_iterator(*const Setup) -> Iter<c_void>;
    fn xcb_screen_next(*mut Iter<c_void>);
    fn xcb_screen_allowed_depths_iterator(*const c_void) -> Iter<Depth>;
    fn xcb_depth_next(*mut Iter<Depth>);
    fn xcb_depth_visuals_iterator(*const Depth) -> Iter<Visual>;
    fn xcb_visualtype_next(*mut Iter<Visual>);
    fn xcb_get_geometry(Connection, u32) -> Cookie;
    fn xcb_get_geometry_reply(Connection, Cookie, *mut Reply<GenericError>) -> Reply<Geometry>;
    fn xcb_get_window_attributes(Connection, u32) -> Cookie;
    fn xcb_get_window_attributes_reply(Connection, Cookie, *mut Reply<GenericError>) -> Reply<Attributes>;
    fn xcb_generate_id(Connection) -> u32;
    fn xcb_create_gc_checked(Connection, u32, u32, u32, *const c_void) -> Cookie;
    fn xcb_free_gc(Connection, u32) -> Cookie;
    fn xcb_get_maximum_request_length(Connection) -> u32;
    fn xcb_put_image_checked(
        Connection, u8, u32, u32, u16, u16, i16, i16, u8, u8, u32, *const u8,
    ) -> Cookie;
    fn xcb_request_check(Connection, Cookie) -> Reply<GenericError>;
    fn xcb_flush(Connection) -> c_int;
}

library! {
    /// libxcb-shm.
    XcbShm = "libxcb-shm.so.0";
    fn xcb_shm_query_version(Connection) -> Cookie;
    fn xcb_shm_query_version_reply(Connection, Cookie, *mut Reply<GenericError>) -> Reply<ShmVersion>;
    fn xcb_shm_attach_fd_checked(Connection, u32, c_int, u8) -> Cookie;
    fn xcb_shm_detach(Connection, u32) -> Cookie;
    fn xcb_shm_put_image_checked(
        Connection, u32, u32, u16, u16, u16, u16, u16, u16, i16, i16, u8, u8, u8, u32, u32,
    ) -> Cookie;
    static xcb_shm_id;
}

library! {
    /// libX11-xcb, which is part of libX11.
    X11Xcb = "libX11-xcb.so.1";
    fn XGetXCBConnection(*mut c_void) -> Connection;
}

/// Depth of windows whose pixels have alpha.
const WITH_ALPHA: u8 = 32;

/// ZPixmap.
const Z_PIXMAP: u8 = 2;

/// Masks of red, green and blue of pixels that are blue, green, red, alpha in memory.
const BGR: [u32; 3] = [0xff_0000, 0xff00, 0xff];

/// Assumed period of vertical blanks: X does not report blanks to programs that copy pixels.
const PERIOD: Duration = Duration::from_nanos(1_000_000_000 / 60);

/// Reads and frees a reply of libxcb.
///
/// # Safety
/// `reply` is null or a reply that was not freed yet.
unsafe fn take<T, U>(reply: Reply<T>, read: impl FnOnce(&T) -> U) -> Option<U> {
    if reply.is_null() {
        return None;
    }
    // SAFETY: `reply` is not null, so the caller promises a reply of libxcb, which was allocated with `malloc`.
    unsafe {
        let value = read(&*reply);
        libc::free(reply.cast());
        Some(value)
    }
}

/// Returns the elements of an iterator; `next` advances it.
fn elements<T>(mut iter: Iter<T>, next: unsafe extern "C" fn(*mut Iter<T>)) -> impl Iterator<Item = *mut T> {
    std::iter::from_fn(move || {
        if iter.rem <= 0 {
            return None;
        }
        let data = iter.data;
        // SAFETY: `rem` is positive, so the iterator has an element to advance past.
        unsafe { next(&mut iter) };
        Some(data)
    })
}

/// A connection of the application, with the functions of libxcb.
#[derive(Clone, Copy)]
struct Link {
    x: &'static Xcb,
    connection: Connection,
}

// SAFETY: connections of libxcb may be used from any thread.
unsafe impl Send for Link {}
// SAFETY: libxcb locks its connections internally.
unsafe impl Sync for Link {}

impl Link {
    fn new(connection: Connection) -> VkResult<Link> {
        let x = Xcb::get().ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
        Ok(Link { x, connection })
    }

    fn of_xlib(display: *mut c_void) -> VkResult<Link> {
        let library = X11Xcb::get().ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
        // SAFETY: valid usage keeps the application's display open while the Vulkan surface exists.
        Link::new(unsafe { (library.XGetXCBConnection)(display) })
    }

    /// Waits until the server has handled a request.
    fn check(&self, cookie: Cookie) -> VkResult {
        // SAFETY: the cookie belongs to this connection and is checked once; the error is freed once.
        let error = unsafe { take((self.x.xcb_request_check)(self.connection, cookie), |e| e.code) };
        if let Some(error) = error {
            crate::interface::guard::log(&format!("the X server refuses a request: error {error}"));
            return Err(vk::Result::ERROR_SURFACE_LOST_KHR);
        }
        // SAFETY: valid usage keeps the application's connection open.
        match unsafe { (self.x.xcb_connection_has_error)(self.connection) } {
            0 => Ok(()),
            _ => Err(vk::Result::ERROR_SURFACE_LOST_KHR),
        }
    }

    /// Returns depth, width and height of a window.
    fn geometry(&self, window: u32) -> VkResult<(u8, [u32; 2])> {
        let read = |g: &Geometry| (g.depth, [u32::from(g.width), u32::from(g.height)]);
        // SAFETY: valid usage keeps the application's connection open; reply and error are each freed once.
        let answer = unsafe {
            let mut error = std::ptr::null_mut();
            let cookie = (self.x.xcb_get_geometry)(self.connection, window);
            let answer = (self.x.xcb_get_geometry_reply)(self.connection, cookie, &mut error);
            take(error, |_| ());
            take(answer, read)
        };
        answer.ok_or(vk::Result::ERROR_SURFACE_LOST_KHR)
    }

    /// Returns the visual of a window.
    fn visual(&self, window: u32) -> Option<u32> {
        // SAFETY: valid usage keeps the application's connection open; reply and error are each freed once.
        unsafe {
            let mut error = std::ptr::null_mut();
            let cookie = (self.x.xcb_get_window_attributes)(self.connection, window);
            let answer = (self.x.xcb_get_window_attributes_reply)(self.connection, cookie, &mut error);
            take(error, |_| ());
            take(answer, |a| a.visual)
        }
    }

    /// `true` if pixels of the visual are blue, green, red and possibly alpha in memory.
    fn is_supported(&self, visual: u32) -> bool {
        let x = self.x;
        // SAFETY: the setup and its lists live as long as the connection, which valid usage keeps open.
        unsafe {
            let setup = (x.xcb_get_setup)(self.connection);
            if setup.is_null() || (*setup).image_byte_order != 0 {
                return false;
            }
            let screens = elements((x.xcb_setup_roots_iterator)(setup), x.xcb_screen_next);
            let depths =
                screens.flat_map(|s| elements((x.xcb_screen_allowed_depths_iterator)(s), x.xcb_depth_next));
            let has = |depth: *mut Depth| {
                let mut visuals = elements((x.xcb_depth_visuals_iterator)(depth), x.xcb_visualtype_next);
                visuals.any(|v| (*v).id == visual && (*v).masks == BGR)
            };
            let mut depths = depths.filter(|&d| has(d)).map(|d| (*d).depth);
            depths.any(|depth| {
                let mut formats = elements((x.xcb_setup_pixmap_formats_iterator)(setup), x.xcb_format_next);
                formats.any(|f| (*f).depth == depth && (*f).bits_per_pixel == 32 && (*f).scanline_pad == 32)
            })
        }
    }

    /// Returns the MIT-SHM functions if memory can be shared with the server by file descriptors, which requires a
    /// local socket.
    fn shm(&self) -> Option<&'static XcbShm> {
        let shm = XcbShm::get()?;
        // SAFETY: valid usage keeps the application's connection and its socket open; the extension data lives as long
        // as the connection. No request is sent of an extension that the server lacks.
        unsafe {
            let socket = (self.x.xcb_get_file_descriptor)(self.connection);
            // The connection has failed.
            if socket < 0 {
                return None;
            }
            let socket = BorrowedFd::borrow_raw(socket);
            if getsockname(socket).ok()?.address_family() != AddressFamily::UNIX {
                return None;
            }
            let data = (self.x.xcb_get_extension_data)(self.connection, shm.xcb_shm_id.cast_mut());
            if data.is_null() || (*data).present == 0 {
                return None;
            }
            let mut error = std::ptr::null_mut();
            let cookie = (shm.xcb_shm_query_version)(self.connection);
            let version = (shm.xcb_shm_query_version_reply)(self.connection, cookie, &mut error);
            take(error, |_| ());
            // File descriptors are supported since version 1.2.
            take(version, |v| (v.major, v.minor) >= (1, 2))?.then_some(shm)
        }
    }

    /// Allocates memory for the pixels of images of this size.
    fn pixels(&self, size: [u32; 2]) -> VkResult<Pixels> {
        let [width, height] = size.map(|n| n as usize);
        if let Some(shm) = self.shm()
            && let Some(pixels) = self.shared(shm, width * height * TEXEL)?
        {
            return Ok(pixels);
        }
        Ok(Pixels::Own(reserve::zeroed(width * height).map_err(|e| code(&e))?))
    }

    /// Allocates memory that is attached as a segment of the server; `None` if the server refuses.
    fn shared(&self, shm: &'static XcbShm, bytes: usize) -> VkResult<Option<Pixels>> {
        let memory = Shared::new(bytes)?;
        let copy = memory.file().as_fd().try_clone_to_owned();
        let copy = copy.map_err(|_| vk::Result::ERROR_OUT_OF_HOST_MEMORY)?;
        // SAFETY: valid usage keeps the application's connection open; libxcb takes ownership of the descriptor and
        // closes it.
        let (segment, cookie) = unsafe {
            let segment = (self.x.xcb_generate_id)(self.connection);
            let file = copy.into_raw_fd();
            (segment, (shm.xcb_shm_attach_fd_checked)(self.connection, segment, file, 1))
        };
        // The server refuses, for example, if it runs in another file system namespace.
        Ok(self.check(cookie).ok().map(|()| Pixels::Shared(shm, memory, segment)))
    }
}

/// A window of X.
pub struct XWindow {
    link: Link,
    window: u32,
    supported: bool,
}

impl XWindow {
    /// Returns a window of a libxcb connection.
    pub fn of_xcb(connection: *mut c_void, window: u32) -> VkResult<XWindow> {
        Ok(XWindow::new(Link::new(connection)?, window))
    }

    /// Returns a window of an Xlib display.
    pub fn of_xlib(display: *mut c_void, window: c_ulong) -> VkResult<XWindow> {
        Ok(XWindow::new(Link::of_xlib(display)?, window as u32))
    }

    fn new(link: Link, window: u32) -> XWindow {
        let supported = link.visual(window).is_some_and(|v| link.is_supported(v));
        XWindow { link, window, supported }
    }
}

/// `true` if windows with this visual can be presented to.
pub fn visual_supported(connection: *mut c_void, visual: u32) -> bool {
    Link::new(connection).is_ok_and(|link| link.is_supported(visual))
}

/// `true` if windows with this visual can be presented to.
pub fn xlib_visual_supported(display: *mut c_void, visual: c_ulong) -> bool {
    Link::of_xlib(display).is_ok_and(|link| link.is_supported(visual as u32))
}

impl Window for XWindow {
    fn size(&self) -> VkResult<Option<[u32; 2]>> {
        Ok(Some(self.link.geometry(self.window)?.1))
    }

    fn is_supported(&self) -> bool {
        self.supported
    }

    fn modes(&self) -> &'static [vk::PresentModeKHR] {
        use vk::PresentModeKHR as M;
        &[M::FIFO, M::FIFO_RELAXED, M::MAILBOX, M::IMMEDIATE, FIFO_LATEST_READY]
    }

    /// Windows without alpha ignore it; for inherited alpha of others the server or a compositor decides.
    fn alpha(&self) -> vk::CompositeAlphaFlagsKHR {
        vk::CompositeAlphaFlagsKHR::OPAQUE | vk::CompositeAlphaFlagsKHR::INHERIT
    }

    fn open(&self, looks: &Looks) -> VkResult<Box<dyn Screen>> {
        let (link, window) = (self.link, self.window);
        let (depth, window_size) = link.geometry(window)?;
        let pixels = link.pixels(looks.size)?;
        // SAFETY: valid usage keeps the application's connection and its window alive.
        let gc = unsafe {
            let gc = (link.x.xcb_generate_id)(link.connection);
            let cookie = (link.x.xcb_create_gc_checked)(link.connection, gc, window, 0, std::ptr::null());
            link.check(cookie)?;
            gc
        };
        // The server and compositors use the alpha of windows that have it.
        let opaque = depth == WITH_ALPHA && looks.alpha == vk::CompositeAlphaFlagsKHR::OPAQUE;
        Ok(Box::new(XScreen { link, window, window_size, gc, depth, size: looks.size, opaque, pixels }))
    }
}

/// Memory from which pixels go to the server.
enum Pixels {
    /// A segment that the server reads, with its id.
    Shared(&'static XcbShm, Shared, u32),
    /// Memory of the process; pixels are sent through the connection.
    Own(Vec<u32>),
}

struct XScreen {
    link: Link,
    window: u32,
    /// Size of the window when an image was last shown.
    window_size: [u32; 2],
    gc: u32,
    depth: u8,
    /// Size of the images.
    size: [u32; 2],
    /// `true` to show pixels with an alpha of 1.
    opaque: bool,
    pixels: Pixels,
}

impl XScreen {
    /// Shows pixels of a segment, and waits until the server has read them.
    fn put_shared(&self, shm: &XcbShm, segment: u32, r: Rect) -> VkResult {
        let [width, height] = self.size.map(|n| n as u16);
        let (x, y) = (r.x0 as u16, r.y0 as u16);
        let (w, h) = ((r.x1 - r.x0) as u16, (r.y1 - r.y0) as u16);
        // SAFETY: valid usage keeps the application's connection open, to which window, graphics context and segment
        // belong.
        let cookie = unsafe {
            (shm.xcb_shm_put_image_checked)(
                self.link.connection,
                self.window,
                self.gc,
                width,
                height,
                x,
                y,
                w,
                h,
                x as i16,
                y as i16,
                self.depth,
                Z_PIXMAP,
                0,
                segment,
                0,
            )
        };
        self.link.check(cookie)
    }

    /// Sends whole rows, as many at a time as a request allows.
    fn put(&self, pixels: &[u32], r: Rect) -> VkResult {
        let width = self.size[0] as usize;
        // SAFETY: valid usage keeps the application's connection open.
        let words = unsafe { (self.link.x.xcb_get_maximum_request_length)(self.link.connection) } as usize;
        // The header of a request has fewer than 16 words.
        let rows = (words.saturating_sub(16) / width).clamp(1, usize::from(u16::MAX));
        let rect = &pixels[r.y0 as usize * width..r.y1 as usize * width];
        for (i, part) in rect.chunks(rows * width).enumerate() {
            let y = r.y0 as usize + i * rows;
            // SAFETY: valid usage keeps the application's connection open, to which window and graphics context belong;
            // `part` has as many bytes as the request states.
            let cookie = unsafe {
                (self.link.x.xcb_put_image_checked)(
                    self.link.connection,
                    Z_PIXMAP,
                    self.window,
                    self.gc,
                    width as u16,
                    (part.len() / width) as u16,
                    0,
                    y as i16,
                    0,
                    self.depth,
                    size_of_val(part) as u32,
                    part.as_ptr().cast(),
                )
            };
            self.link.check(cookie)?;
        }
        Ok(())
    }
}

impl Screen for XScreen {
    fn period(&self) -> Option<Duration> {
        Some(PERIOD)
    }

    fn show(&mut self, frame: &Frame<'_>) -> VkResult<bool> {
        let at = match &mut self.pixels {
            Pixels::Shared(_, memory, _) => memory.as_ptr(),
            Pixels::Own(pixels) => pixels.as_mut_ptr().cast(),
        };
        // SAFETY: `pixels` allocated aligned memory for all pixels of images with the size of the screen, and the
        // server has finished reading the previous image.
        unsafe { frame.copy_to(at, self.opaque)? };
        let (_, now) = self.link.geometry(self.window)?;
        // The server discards the contents of a window whose size changes.
        let is_kept = std::mem::replace(&mut self.window_size, now) == now;
        let damage = if is_kept { frame.damage } else { Rect::all(self.size) };
        if !damage.is_empty() {
            match &self.pixels {
                Pixels::Shared(shm, _, segment) => self.put_shared(shm, *segment, damage)?,
                Pixels::Own(pixels) => self.put(pixels, damage)?,
            }
        }
        Ok(now == self.size)
    }
}

impl Drop for XScreen {
    fn drop(&mut self) {
        // SAFETY: valid usage keeps the application's connection open while its surface exists; this screen made the
        // graphics context and the segment.
        unsafe {
            if let Pixels::Shared(shm, _, segment) = &self.pixels {
                (shm.xcb_shm_detach)(self.link.connection, *segment);
            }
            (self.link.x.xcb_free_gc)(self.link.connection, self.gc);
            (self.link.x.xcb_flush)(self.link.connection);
        }
    }
}
