//! Wayland surfaces, through libwayland-client: images are copied to buffers of `wl_shm`.
//!
//! All objects made here use separate event queues, so that the application's events stay in its own queue. In FIFO
//! modes the compositor signals when it wants another image. It sends no such signal for an invisible window, which
//! then shows one image per second.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ash::vk;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::library::library;
use super::shared::Shared;
use super::{Frame, Looks, Rect, Screen, TEXEL, Window};
use crate::interface::guard::VkResult;
use crate::newer::FIFO_LATEST_READY;

/// A `wl_proxy`: any object of the protocol.
type Proxy = *mut c_void;

/// A `wl_interface` of the library.
type Interface = *const c_void;

/// `wl_argument`.
#[repr(C)]
#[derive(Clone, Copy)]
union Argument {
    i: i32,
    u: u32,
    s: *const c_char,
    o: Proxy,
    h: c_int,
}

/// Placeholder for the new object among the arguments of the request that makes it.
const NEW: Argument = Argument { o: std::ptr::null_mut() };

fn int(i: i32) -> Argument {
    Argument { i }
}

library! {
    /// libwayland-client.
    Wayland = "libwayland-client.so.0";
    fn wl_display_create_queue(Proxy) -> *mut c_void;
    fn wl_event_queue_destroy(*mut c_void);
    fn wl_display_roundtrip_queue(Proxy, *mut c_void) -> c_int;
    fn wl_display_dispatch_queue_pending(Proxy, *mut c_void) -> c_int;
    fn wl_display_prepare_read_queue(Proxy, *mut c_void) -> c_int;
    fn wl_display_read_events(Proxy) -> c_int;
    fn wl_display_cancel_read(Proxy);
    fn wl_display_flush(Proxy) -> c_int;
    fn wl_display_get_fd(Proxy) -> c_int;
    fn wl_display_get_error(Proxy) -> c_int;
    fn wl_proxy_create_wrapper(Proxy) -> Proxy;
    fn wl_proxy_wrapper_destroy(Proxy);
    fn wl_proxy_set_queue(Proxy, *mut c_void);
    fn wl_proxy_get_version(Proxy) -> u32;
    fn wl_proxy_add_listener(Proxy, *const c_void, *mut c_void) -> c_int;
    fn wl_proxy_destroy(Proxy);
    fn wl_proxy_marshal_array(Proxy, u32, *mut Argument);
    fn wl_proxy_marshal_array_constructor_versioned(Proxy, u32, *mut Argument, Interface, u32) -> Proxy;
    static wl_registry_interface;
    static wl_shm_interface;
    static wl_shm_pool_interface;
    static wl_buffer_interface;
    static wl_callback_interface;
}

/// Request numbers of `wayland.xml`.
mod request {
    pub const DISPLAY_GET_REGISTRY: u32 = 1;
    pub const REGISTRY_BIND: u32 = 0;
    pub const SHM_CREATE_POOL: u32 = 0;
    pub const POOL_CREATE_BUFFER: u32 = 0;
    pub const POOL_DESTROY: u32 = 1;
    pub const BUFFER_DESTROY: u32 = 0;
    pub const SURFACE_ATTACH: u32 = 1;
    pub const SURFACE_DAMAGE: u32 = 2;
    pub const SURFACE_FRAME: u32 = 3;
    pub const SURFACE_COMMIT: u32 = 6;
    pub const SURFACE_DAMAGE_BUFFER: u32 = 9;
}

/// First version of `wl_surface` with `damage_buffer`.
const DAMAGE_BUFFER: u32 = 4;

/// Values of `wl_shm.format`: blue, green, red, alpha in memory; with and without alpha.
const ARGB8888: u32 = 0;
const XRGB8888: u32 = 1;

/// Greatest time to wait for the compositor to want another image or to release a buffer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Greatest number of buffers of a window; usually one is shown, one is pending and one is being written.
const MAX_BUFFERS: usize = 4;

/// `true` if the library exists; without it nothing can be presented.
pub fn is_there() -> bool {
    Wayland::get().is_some()
}

/// A surface of the application.
pub struct WaylandWindow {
    library: &'static Wayland,
    display: Proxy,
    surface: Proxy,
    /// The compositor's `wl_shm`, once there was a swapchain. All swapchains of the surface use it, because the protocol
    /// has no request that destroys it.
    shm: Mutex<Option<Shm>>,
}

// SAFETY: libwayland-client objects may be used from any thread.
unsafe impl Send for WaylandWindow {}
// SAFETY: libwayland-client locks its displays internally.
unsafe impl Sync for WaylandWindow {}

impl WaylandWindow {
    /// Returns the window of a surface on a display.
    pub fn new(display: Proxy, surface: Proxy) -> VkResult<WaylandWindow> {
        let library = Wayland::get().ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
        Ok(WaylandWindow { library, display, surface, shm: Mutex::default() })
    }

    /// Returns a wrapper of `wl_shm` for these events.
    fn shm(&self, events: &Events) -> VkResult<Wrapper> {
        let mut shm = self.shm.lock().unwrap_or_else(PoisonError::into_inner);
        let bound = match shm.take() {
            Some(bound) => bound,
            None => Shm::bind(Events::new(self.library, self.display)?)?,
        };
        events.wrapper(shm.insert(bound).object.proxy)
    }
}

impl Window for WaylandWindow {
    fn size(&self) -> VkResult<Option<[u32; 2]>> {
        Ok(None)
    }

    fn is_supported(&self) -> bool {
        true
    }

    /// Compositors never tear, so there is no immediate mode.
    fn modes(&self) -> &'static [vk::PresentModeKHR] {
        &[vk::PresentModeKHR::FIFO, vk::PresentModeKHR::MAILBOX, FIFO_LATEST_READY]
    }

    fn alpha(&self) -> vk::CompositeAlphaFlagsKHR {
        vk::CompositeAlphaFlagsKHR::OPAQUE | vk::CompositeAlphaFlagsKHR::PRE_MULTIPLIED
    }

    fn open(&self, looks: &Looks) -> VkResult<Box<dyn Screen>> {
        let opaque = looks.alpha == vk::CompositeAlphaFlagsKHR::OPAQUE;
        let format = if opaque { XRGB8888 } else { ARGB8888 };
        let events = Events::new(self.library, self.display)?;
        let shm = self.shm(&events)?;
        let surface = events.wrapper(self.surface)?;
        Ok(Box::new(WaylandScreen {
            buffers: Vec::new(),
            frame: None,
            surface,
            shm,
            events,
            size: looks.size,
            format,
        }))
    }
}

/// An event queue on the application's display.
struct Events {
    library: &'static Wayland,
    display: Proxy,
    queue: *mut c_void,
}

impl Events {
    fn new(library: &'static Wayland, display: Proxy) -> VkResult<Events> {
        // SAFETY: valid usage keeps the application's display open while the Vulkan surface exists.
        let queue = unsafe { (library.wl_display_create_queue)(display) };
        if queue.is_null() {
            return Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
        }
        Ok(Events { library, display, queue })
    }

    /// Returns a wrapper of an object; objects made through it send their events to this queue.
    fn wrapper(&self, object: Proxy) -> VkResult<Wrapper> {
        // SAFETY: valid usage keeps the application's objects alive while the Vulkan surface exists, and the surface keeps
        // its own.
        let proxy = unsafe { (self.library.wl_proxy_create_wrapper)(object) };
        if proxy.is_null() {
            return Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
        }
        // SAFETY: the wrapper was made above, and `self` owns the queue.
        unsafe { (self.library.wl_proxy_set_queue)(proxy, self.queue) };
        Ok(Wrapper { library: self.library, proxy })
    }

    /// Fails if the connection has an error: the surface is lost then.
    fn check(&self) -> VkResult {
        // SAFETY: valid usage keeps the application's display open.
        match unsafe { (self.library.wl_display_get_error)(self.display) } {
            0 => Ok(()),
            _ => Err(vk::Result::ERROR_SURFACE_LOST_KHR),
        }
    }

    /// Waits until the compositor has handled all requests sent so far.
    fn round_trip(&self) -> VkResult {
        // SAFETY: valid usage keeps the application's display open; `self` owns the queue, which belongs to it.
        unsafe { (self.library.wl_display_roundtrip_queue)(self.display, self.queue) };
        self.check()
    }

    /// Handles events until `done`, for `time` at most. Returns `true` if `done` holds.
    fn wait(&self, time: Duration, hurry: &AtomicBool, done: impl Fn() -> bool) -> VkResult<bool> {
        let deadline = Instant::now() + time;
        loop {
            // SAFETY: valid usage keeps the application's display open; `self` owns the queue, which belongs to it.
            unsafe { (self.library.wl_display_dispatch_queue_pending)(self.display, self.queue) };
            self.check()?;
            if done() {
                return Ok(true);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || hurry.load(Ordering::Relaxed) {
                return Ok(false);
            }
            self.read(left.min(Duration::from_millis(20)));
        }
    }

    /// Reads events that arrive within `time`.
    fn read(&self, time: Duration) {
        let l = self.library;
        // SAFETY: valid usage keeps the application's display open; `self` owns the queue, which belongs to it. Each
        // prepared read is either done or cancelled.
        unsafe {
            if (l.wl_display_prepare_read_queue)(self.display, self.queue) != 0 {
                // The queue already has events.
                return;
            }
            (l.wl_display_flush)(self.display);
            let socket = BorrowedFd::borrow_raw((l.wl_display_get_fd)(self.display));
            let mut fds = [PollFd::from_borrowed_fd(socket, PollFlags::IN)];
            let time = Timespec { tv_sec: 0, tv_nsec: time.subsec_nanos().into() };
            match poll(&mut fds, Some(&time)) {
                Ok(n) if n > 0 => {
                    (l.wl_display_read_events)(self.display);
                }
                _ => (l.wl_display_cancel_read)(self.display),
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        // SAFETY: `new` made the queue, and all objects with events in it were dropped before.
        unsafe { (self.library.wl_event_queue_destroy)(self.queue) };
    }
}

/// An object of [`Events::wrapper`].
struct Wrapper {
    library: &'static Wayland,
    proxy: Proxy,
}

impl Drop for Wrapper {
    fn drop(&mut self) {
        // SAFETY: `Events::wrapper` made the proxy, and this is its only owner.
        unsafe { (self.library.wl_proxy_wrapper_destroy)(self.proxy) };
    }
}

/// A protocol object that this module has made.
struct Object {
    library: &'static Wayland,
    proxy: Proxy,
    /// Request that destroys the object, if there is one.
    destroy: Option<u32>,
}

impl Object {
    /// Makes an object by a request. `arguments` are those of the request, with [`NEW`] in place of the object.
    ///
    /// # Safety
    /// `request`, `arguments` and `interface` match the protocol of `of`, which is live.
    unsafe fn make(
        library: &'static Wayland,
        of: Proxy,
        request: u32,
        arguments: &mut [Argument],
        interface: Interface,
        version: u32,
        destroy: Option<u32>,
    ) -> VkResult<Object> {
        let make = library.wl_proxy_marshal_array_constructor_versioned;
        // SAFETY: the caller promises a live object, and a request and arguments of its protocol.
        let proxy = unsafe { make(of, request, arguments.as_mut_ptr(), interface, version) };
        if proxy.is_null() {
            return Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
        }
        Ok(Object { library, proxy, destroy })
    }

    /// Sets the functions that the object's events call.
    ///
    /// # Safety
    /// `listener` matches the protocol of the object; it and `data` live as long as the object.
    unsafe fn listen<T>(&self, listener: &'static T, data: *mut c_void) {
        // SAFETY: the caller promises a listener of the object's protocol, and data that lives as long as the object.
        unsafe { (self.library.wl_proxy_add_listener)(self.proxy, (&raw const *listener).cast(), data) };
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: `make` made the object, and requests that destroy objects have no arguments.
        unsafe {
            if let Some(request) = self.destroy {
                (self.library.wl_proxy_marshal_array)(self.proxy, request, [NEW].as_mut_ptr());
            }
            (self.library.wl_proxy_destroy)(self.proxy);
        }
    }
}

/// `wl_registry_listener`.
#[repr(C)]
struct RegistryListener {
    global: unsafe extern "C" fn(*mut c_void, Proxy, u32, *const c_char, u32),
    global_remove: unsafe extern "C" fn(*mut c_void, Proxy, u32),
}

/// `wl_callback_listener` and `wl_shm_listener`: one event with a number.
#[repr(C)]
struct NumberListener(unsafe extern "C" fn(*mut c_void, Proxy, u32));

/// `wl_buffer_listener`.
#[repr(C)]
struct BufferListener(unsafe extern "C" fn(*mut c_void, Proxy));

/// Stores the number of `wl_shm`.
///
/// # Safety
/// `data` is the `Option<u32>` of `Shm::bind`, and `interface` is a C string.
unsafe extern "C" fn global(data: *mut c_void, _: Proxy, number: u32, interface: *const c_char, _: u32) {
    // SAFETY: `Shm::bind` registered the listener with its `Option<u32>`, and libwayland passes a C string.
    unsafe {
        if CStr::from_ptr(interface) == c"wl_shm" {
            *data.cast::<Option<u32>>() = Some(number);
        }
    }
}

/// Ignores removed globals.
///
/// # Safety
/// None: the arguments are not used.
unsafe extern "C" fn global_remove(_: *mut c_void, _: Proxy, _: u32) {}

/// Ignores the format: every compositor supports the two formats used.
///
/// # Safety
/// None: the arguments are not used.
unsafe extern "C" fn format_known(_: *mut c_void, _: Proxy, _: u32) {}

/// Records that the compositor wants another image.
///
/// # Safety
/// `data` is the live flag of the callback.
unsafe extern "C" fn frame_done(data: *mut c_void, _: Proxy, _: u32) {
    // SAFETY: `ask` registered the listener with its flag, which lives as long as the callback.
    unsafe { &*data.cast::<AtomicBool>() }.store(true, Ordering::Relaxed);
}

/// Records that the compositor no longer reads the buffer.
///
/// # Safety
/// `data` is the live flag of the buffer.
unsafe extern "C" fn released(data: *mut c_void, _: Proxy) {
    // SAFETY: `Buffer::new` registered the listener with its flag, which lives as long as the buffer.
    unsafe { &*data.cast::<AtomicBool>() }.store(false, Ordering::Relaxed);
}

static ON_GLOBAL: RegistryListener = RegistryListener { global, global_remove };
static ON_FORMAT: NumberListener = NumberListener(format_known);
static ON_FRAME: NumberListener = NumberListener(frame_done);
static ON_RELEASE: BufferListener = BufferListener(released);

/// The compositor's `wl_shm`.
struct Shm {
    // Fields are dropped in this order: the object before the queue of its events.
    object: Object,
    _events: Events,
}

impl Shm {
    fn bind(events: Events) -> VkResult<Shm> {
        let l = events.library;
        let display = events.wrapper(events.display)?;
        let mut number: Option<u32> = None;
        let get = request::DISPLAY_GET_REGISTRY;
        // SAFETY: requests, arguments and listeners match `wayland.xml`; `number` outlives the registry.
        unsafe {
            let registry = Object::make(l, display.proxy, get, &mut [NEW], l.wl_registry_interface, 1, None)?;
            registry.listen(&ON_GLOBAL, (&raw mut number).cast());
            events.round_trip()?;
            let number = (&raw const number).read().ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
            let name = Argument { s: c"wl_shm".as_ptr() };
            let mut arguments = [Argument { u: number }, name, Argument { u: 1 }, NEW];
            let bind = request::REGISTRY_BIND;
            let object = Object::make(l, registry.proxy, bind, &mut arguments, l.wl_shm_interface, 1, None)?;
            object.listen(&ON_FORMAT, std::ptr::null_mut());
            Ok(Shm { object, _events: events })
        }
    }
}

/// A buffer shared with the compositor.
struct Buffer {
    object: Object,
    memory: Shared,
    /// `true` while the compositor reads the buffer.
    busy: Box<AtomicBool>,
}

impl Buffer {
    fn new(shm: &Wrapper, [width, height]: [u32; 2], format: u32) -> VkResult<Buffer> {
        let stride = width as usize * TEXEL;
        let memory = Shared::new(stride * height as usize)?;
        let size = i32::try_from(memory.len()).map_err(|_| vk::Result::ERROR_OUT_OF_HOST_MEMORY)?;
        let busy = Box::new(AtomicBool::new(false));
        let l = shm.library;
        let file = Argument { h: memory.file().as_raw_fd() };
        let (pool, buffer) = (l.wl_shm_pool_interface, l.wl_buffer_interface);
        let destroy = (Some(request::POOL_DESTROY), Some(request::BUFFER_DESTROY));
        // SAFETY: requests, arguments and listeners match `wayland.xml`; the flag lives as long as the buffer. The
        // buffer stays valid when its pool is destroyed.
        let object = unsafe {
            let mut arguments = [NEW, file, int(size)];
            let create = request::SHM_CREATE_POOL;
            let pool = Object::make(l, shm.proxy, create, &mut arguments, pool, 1, destroy.0)?;
            let (w, h) = (width as i32, height as i32);
            let mut arguments = [NEW, int(0), int(w), int(h), int(stride as i32), Argument { u: format }];
            let create = request::POOL_CREATE_BUFFER;
            let object = Object::make(l, pool.proxy, create, &mut arguments, buffer, 1, destroy.1)?;
            object.listen(&ON_RELEASE, (&raw const *busy).cast_mut().cast());
            object
        };
        Ok(Buffer { object, memory, busy })
    }
}

struct WaylandScreen {
    buffers: Vec<Buffer>,
    /// Callback by which the compositor signals that it wants an image after the one shown last.
    frame: Option<(Object, Box<AtomicBool>)>,
    // Fields are dropped in this order: objects before the queue of their events.
    surface: Wrapper,
    shm: Wrapper,
    events: Events,
    size: [u32; 2],
    format: u32,
}

// SAFETY: libwayland-client may be used from any thread, and the screen's objects use its own event queue.
unsafe impl Send for WaylandScreen {}

impl WaylandScreen {
    /// Returns a buffer that the compositor does not read, or the first one if none is released in time.
    fn free_buffer(&mut self, hurry: &AtomicBool) -> VkResult<usize> {
        let free = |buffers: &[Buffer]| buffers.iter().position(|b| !b.busy.load(Ordering::Relaxed));
        self.events.read(Duration::ZERO);
        self.events.wait(Duration::ZERO, hurry, || true)?;
        if let Some(i) = free(&self.buffers) {
            return Ok(i);
        }
        if self.buffers.len() < MAX_BUFFERS {
            self.buffers.push(Buffer::new(&self.shm, self.size, self.format)?);
            return Ok(self.buffers.len() - 1);
        }
        self.events.wait(PATIENCE, hurry, || free(&self.buffers).is_some())?;
        Ok(free(&self.buffers).unwrap_or(0))
    }

    /// Sends a request of the surface.
    ///
    /// # Safety
    /// The arguments match the request.
    unsafe fn request(&self, number: u32, arguments: &mut [Argument]) {
        // SAFETY: the surface's wrapper is live, and the caller promises arguments that match the request.
        unsafe {
            (self.events.library.wl_proxy_marshal_array)(self.surface.proxy, number, arguments.as_mut_ptr())
        };
    }

    /// Requests an event when the compositor wants another image.
    fn ask(&mut self) -> VkResult {
        let l = self.events.library;
        let done = Box::new(AtomicBool::new(false));
        let (frame, callback) = (request::SURFACE_FRAME, l.wl_callback_interface);
        // SAFETY: request and listener match `wayland.xml`; the flag lives as long as the callback.
        let object = unsafe {
            let object = Object::make(l, self.surface.proxy, frame, &mut [NEW], callback, 1, None)?;
            object.listen(&ON_FRAME, (&raw const *done).cast_mut().cast());
            object
        };
        self.frame = Some((object, done));
        Ok(())
    }

    /// Reports the changed area of the buffer, or all of it.
    fn damage(&self, r: Rect) {
        let [x, y, w, h] = [r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0].map(|n| int(n as i32));
        // SAFETY: both requests take a rectangle; `damage_buffer` is sent only to surfaces of a version that has it.
        unsafe {
            if (self.events.library.wl_proxy_get_version)(self.surface.proxy) >= DAMAGE_BUFFER {
                self.request(request::SURFACE_DAMAGE_BUFFER, &mut [x, y, w, h]);
            } else {
                // This request uses surface coordinates, whose scale is known only to the application.
                let all = int(i32::MAX);
                self.request(request::SURFACE_DAMAGE, &mut [int(0), int(0), all, all]);
            }
        }
    }
}

impl Screen for WaylandScreen {
    /// `None`: the compositor signals when to show an image.
    fn period(&self) -> Option<Duration> {
        None
    }

    fn show(&mut self, frame: &Frame<'_>) -> VkResult<bool> {
        if let Some((_object, done)) = self.frame.take_if(|_| frame.paced) {
            self.events.wait(PATIENCE, frame.hurry, || done.load(Ordering::Relaxed))?;
        }
        let at = self.free_buffer(frame.hurry)?;
        let buffer = &self.buffers[at];
        // SAFETY: `Buffer::new` made room for all pixels of images with the size of the screen, and the mapping is
        // page-aligned.
        unsafe { frame.copy_to(buffer.memory.as_ptr(), false)? };
        buffer.busy.store(true, Ordering::Relaxed);
        let proxy = buffer.object.proxy;
        // SAFETY: the request takes a buffer and two coordinates.
        unsafe { self.request(request::SURFACE_ATTACH, &mut [Argument { o: proxy }, int(0), int(0)]) };
        if !frame.damage.is_empty() {
            self.damage(frame.damage);
        }
        if frame.paced {
            self.ask()?;
        }
        // SAFETY: the request has no arguments.
        unsafe { self.request(request::SURFACE_COMMIT, &mut [NEW]) };
        // SAFETY: valid usage keeps the application's display open.
        unsafe { (self.events.library.wl_display_flush)(self.events.display) };
        self.events.check()?;
        Ok(true)
    }
}
