//! Wayland surfaces, by libwayland-client: images become buffers of `wl_shm`.
//!
//! Everything that is made here has an event queue of its own, so that the application's events stay its own.
//! In FIFO order the compositor says when it wants another image; it does not for windows that nobody sees, which
//! then show one image a second.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ash::vk;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::library::library;
use super::shared::Shared;
use super::{Frame, Looks, Rect, Screen, TEXEL, Window};
use crate::guard::VkResult;
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

/// A new object, among the arguments of the request that makes it.
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

/// Numbers of requests, from `wayland.xml`.
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

/// Of `wl_surface`, the version that knows `damage_buffer`.
const DAMAGE_BUFFER: u32 = 4;

/// `wl_shm.format`: blue, green, red, alpha in memory; alpha counts or not.
const ARGB8888: u32 = 0;
const XRGB8888: u32 = 1;

/// How long the compositor may take to want another image, or to give a buffer back.
const PATIENCE: Duration = Duration::from_secs(1);

/// Buffers of a window at most: one is shown, one waits to be, one is written.
const MAX_BUFFERS: usize = 4;

/// Whether there is a library, without which nothing is presented.
pub fn is_there() -> bool {
    Wayland::get().is_some()
}

/// A surface of the application.
pub struct WaylandWindow {
    library: &'static Wayland,
    display: Proxy,
    surface: Proxy,
}

// SAFETY: libwayland-client may be used from any thread.
unsafe impl Send for WaylandWindow {}
// SAFETY: libwayland-client locks its displays itself.
unsafe impl Sync for WaylandWindow {}

impl WaylandWindow {
    /// A surface of a display.
    pub fn new(display: Proxy, surface: Proxy) -> VkResult<WaylandWindow> {
        let library = Wayland::get().ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
        Ok(WaylandWindow { library, display, surface })
    }
}

impl Window for WaylandWindow {
    fn size(&self) -> VkResult<Option<[u32; 2]>> {
        Ok(None)
    }

    fn is_supported(&self) -> bool {
        true
    }

    /// Compositors never tear, so that there is no immediate mode.
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
        let shm = Shm::bind(&events)?;
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
        // SAFETY: the application's display is open.
        let queue = unsafe { (library.wl_display_create_queue)(display) };
        if queue.is_null() {
            return Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
        }
        Ok(Events { library, display, queue })
    }

    /// An object of the application whose new objects have their events here.
    fn wrapper(&self, object: Proxy) -> VkResult<Wrapper> {
        // SAFETY: an object of the application, which is alive as long as the Vulkan surface is.
        let proxy = unsafe { (self.library.wl_proxy_create_wrapper)(object) };
        if proxy.is_null() {
            return Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
        }
        // SAFETY: the wrapper was just made.
        unsafe { (self.library.wl_proxy_set_queue)(proxy, self.queue) };
        Ok(Wrapper { library: self.library, proxy })
    }

    /// The connection's end is the surface's.
    fn check(&self) -> VkResult {
        // SAFETY: the application's display is open.
        match unsafe { (self.library.wl_display_get_error)(self.display) } {
            0 => Ok(()),
            _ => Err(vk::Result::ERROR_SURFACE_LOST_KHR),
        }
    }

    /// Waits for what the compositor has to say to what it was sent.
    fn round_trip(&self) -> VkResult {
        // SAFETY: the application's display is open, and the queue is of it.
        unsafe { (self.library.wl_display_roundtrip_queue)(self.display, self.queue) };
        self.check()
    }

    /// Handles events until `done`, for so long at most. Whether it is.
    fn wait(&self, time: Duration, hurry: &AtomicBool, done: impl Fn() -> bool) -> VkResult<bool> {
        let deadline = Instant::now() + time;
        loop {
            // SAFETY: the application's display is open, and the queue is of it.
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

    /// Reads events, if some come in this time.
    fn read(&self, time: Duration) {
        let l = self.library;
        // SAFETY: the application's display is open, and the queue is of it. What is prepared is either read
        // or cancelled.
        unsafe {
            if (l.wl_display_prepare_read_queue)(self.display, self.queue) != 0 {
                // There are some already.
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
        // SAFETY: the queue was made by `new`; what has its events here is gone before.
        unsafe { (self.library.wl_event_queue_destroy)(self.queue) };
    }
}

/// See [`Events::wrapper`].
struct Wrapper {
    library: &'static Wayland,
    proxy: Proxy,
}

impl Drop for Wrapper {
    fn drop(&mut self) {
        // SAFETY: made by `Events::wrapper`.
        unsafe { (self.library.wl_proxy_wrapper_destroy)(self.proxy) };
    }
}

/// An object of the protocol that is ours.
struct Object {
    library: &'static Wayland,
    proxy: Proxy,
    /// The request that ends it, if there is one.
    destroy: Option<u32>,
}

impl Object {
    /// Has an object made by a request. `arguments` are those of the request, with [`NEW`] for the object.
    ///
    /// # Safety
    /// Of `of`, request, arguments and interface are the protocol's.
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
        // SAFETY: request and arguments are the protocol's, by contract.
        let proxy = unsafe { make(of, request, arguments.as_mut_ptr(), interface, version) };
        if proxy.is_null() {
            return Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
        }
        Ok(Object { library, proxy, destroy })
    }

    /// Has its events call functions.
    ///
    /// # Safety
    /// `listener` is the protocol's for this object; it and `data` live as long as the object.
    unsafe fn listen<T>(&self, listener: &'static T, data: *mut c_void) {
        // SAFETY: by contract.
        unsafe { (self.library.wl_proxy_add_listener)(self.proxy, (&raw const *listener).cast(), data) };
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: the object was made by `make`, and its requests that end it have no arguments.
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

/// `wl_callback_listener`, and `wl_shm_listener`: one event with a number.
#[repr(C)]
struct NumberListener(unsafe extern "C" fn(*mut c_void, Proxy, u32));

/// `wl_buffer_listener`.
#[repr(C)]
struct BufferListener(unsafe extern "C" fn(*mut c_void, Proxy));

/// Notes the number of `wl_shm`.
unsafe extern "C" fn global(data: *mut c_void, _: Proxy, number: u32, interface: *const c_char, _: u32) {
    // SAFETY: libwayland passes a string, and the number of `Shm::bind`.
    unsafe {
        if CStr::from_ptr(interface) == c"wl_shm" {
            *data.cast::<Option<u32>>() = Some(number);
        }
    }
}

unsafe extern "C" fn global_remove(_: *mut c_void, _: Proxy, _: u32) {}

/// Every compositor knows the two formats that are used.
unsafe extern "C" fn format_known(_: *mut c_void, _: Proxy, _: u32) {}

/// The compositor wants another image.
unsafe extern "C" fn frame_done(data: *mut c_void, _: Proxy, _: u32) {
    // SAFETY: libwayland passes the flag of the callback, which lives as long.
    unsafe { &*data.cast::<AtomicBool>() }.store(true, Ordering::Relaxed);
}

/// The compositor does not read the buffer any more.
unsafe extern "C" fn released(data: *mut c_void, _: Proxy) {
    // SAFETY: libwayland passes the flag of the buffer, which lives as long.
    unsafe { &*data.cast::<AtomicBool>() }.store(false, Ordering::Relaxed);
}

static ON_GLOBAL: RegistryListener = RegistryListener { global, global_remove };
static ON_FORMAT: NumberListener = NumberListener(format_known);
static ON_FRAME: NumberListener = NumberListener(frame_done);
static ON_RELEASE: BufferListener = BufferListener(released);

/// The compositor's `wl_shm`.
struct Shm(Object);

impl Shm {
    fn bind(events: &Events) -> VkResult<Shm> {
        let l = events.library;
        let display = events.wrapper(events.display)?;
        let mut number: Option<u32> = None;
        let get = request::DISPLAY_GET_REGISTRY;
        // SAFETY: requests and listeners as `wayland.xml` has them; `number` outlives the registry.
        unsafe {
            let registry = Object::make(l, display.proxy, get, &mut [NEW], l.wl_registry_interface, 1, None)?;
            registry.listen(&ON_GLOBAL, (&raw mut number).cast());
            events.round_trip()?;
            let number = (&raw const number).read().ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
            let name = Argument { s: c"wl_shm".as_ptr() };
            let mut arguments = [Argument { u: number }, name, Argument { u: 1 }, NEW];
            let bind = request::REGISTRY_BIND;
            let shm = Object::make(l, registry.proxy, bind, &mut arguments, l.wl_shm_interface, 1, None)?;
            shm.listen(&ON_FORMAT, std::ptr::null_mut());
            Ok(Shm(shm))
        }
    }
}

/// A buffer that the compositor sees.
struct Buffer {
    object: Object,
    memory: Shared,
    /// The compositor reads it.
    busy: Box<AtomicBool>,
}

impl Buffer {
    fn new(shm: &Shm, [width, height]: [u32; 2], format: u32) -> VkResult<Buffer> {
        let stride = width as usize * TEXEL;
        let memory = Shared::new(stride * height as usize)?;
        let size = i32::try_from(memory.len()).map_err(|_| vk::Result::ERROR_OUT_OF_HOST_MEMORY)?;
        let busy = Box::new(AtomicBool::new(false));
        let l = shm.0.library;
        let file = Argument { h: memory.file().as_raw_fd() };
        let (pool, buffer) = (l.wl_shm_pool_interface, l.wl_buffer_interface);
        let destroy = (Some(request::POOL_DESTROY), Some(request::BUFFER_DESTROY));
        // SAFETY: requests and listeners as `wayland.xml` has them; the flag lives as long as the buffer.
        // The buffer stays when its pool goes.
        let object = unsafe {
            let mut arguments = [NEW, file, int(size)];
            let create = request::SHM_CREATE_POOL;
            let pool = Object::make(l, shm.0.proxy, create, &mut arguments, pool, 1, destroy.0)?;
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
    /// Says when the compositor wants another image than the one shown last.
    frame: Option<(Object, Box<AtomicBool>)>,
    // In the order in which they go.
    surface: Wrapper,
    shm: Shm,
    events: Events,
    size: [u32; 2],
    format: u32,
}

// SAFETY: libwayland-client may be used from any thread; the screen's own objects have their events on its own
// queue.
unsafe impl Send for WaylandScreen {}

impl WaylandScreen {
    /// A buffer that the compositor does not read; the first one if none comes back in time.
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
    /// The arguments are those of the request.
    unsafe fn request(&self, number: u32, arguments: &mut [Argument]) {
        // SAFETY: by contract.
        unsafe {
            (self.events.library.wl_proxy_marshal_array)(self.surface.proxy, number, arguments.as_mut_ptr())
        };
    }

    /// Asks to be told when the compositor wants another image.
    fn ask(&mut self) -> VkResult {
        let l = self.events.library;
        let done = Box::new(AtomicBool::new(false));
        let (frame, callback) = (request::SURFACE_FRAME, l.wl_callback_interface);
        // SAFETY: request and listener as `wayland.xml` has them; the flag lives as long as the callback.
        let object = unsafe {
            let object = Object::make(l, self.surface.proxy, frame, &mut [NEW], callback, 1, None)?;
            object.listen(&ON_FRAME, (&raw const *done).cast_mut().cast());
            object
        };
        self.frame = Some((object, done));
        Ok(())
    }

    /// The whole buffer, or what of it is new.
    fn damage(&self, r: Rect) {
        let [x, y, w, h] = [r.x0, r.y0, r.x1 - r.x0, r.y1 - r.y0].map(|n| int(n as i32));
        // SAFETY: the requests take a rectangle; the second is sent to surfaces that know it.
        unsafe {
            if (self.events.library.wl_proxy_get_version)(self.surface.proxy) >= DAMAGE_BUFFER {
                self.request(request::SURFACE_DAMAGE_BUFFER, &mut [x, y, w, h]);
            } else {
                // In units of the surface, whose scale is the application's business.
                let all = int(i32::MAX);
                self.request(request::SURFACE_DAMAGE, &mut [int(0), int(0), all, all]);
            }
        }
    }
}

impl Screen for WaylandScreen {
    /// The compositor tells.
    fn period(&self) -> Option<Duration> {
        None
    }

    fn show(&mut self, frame: &Frame<'_>) -> VkResult<bool> {
        if let Some((_object, done)) = self.frame.take_if(|_| frame.paced) {
            self.events.wait(PATIENCE, frame.hurry, || done.load(Ordering::Relaxed))?;
        }
        let at = self.free_buffer(frame.hurry)?;
        let buffer = &self.buffers[at];
        // SAFETY: the buffer has room for all pixels of an image, which has the size of the screen.
        unsafe { frame.copy_to(buffer.memory.as_ptr())? };
        buffer.busy.store(true, Ordering::Relaxed);
        let proxy = buffer.object.proxy;
        // SAFETY: the request takes a buffer and its place.
        unsafe { self.request(request::SURFACE_ATTACH, &mut [Argument { o: proxy }, int(0), int(0)]) };
        if !frame.damage.is_empty() {
            self.damage(frame.damage);
        }
        if frame.paced {
            self.ask()?;
        }
        // SAFETY: the request has no argument.
        unsafe { self.request(request::SURFACE_COMMIT, &mut [NEW]) };
        // SAFETY: the application's display is open.
        unsafe { (self.events.library.wl_display_flush)(self.events.display) };
        self.events.check()?;
        Ok(true)
    }
}
