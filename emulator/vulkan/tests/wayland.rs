//! Presentation to a Wayland surface. The test implements the compositor: it speaks the protocol on the other end of a
//! socket, and checks the pixels of every committed buffer. Without libwayland-client the tests are skipped with a
//! message.

#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "a client of Vulkan and Wayland")]

mod common;

use std::ffi::{c_char, c_int, c_void};
use std::fs::File;
use std::io::{IoSliceMut, Write};
use std::mem::MaybeUninit;
use std::os::fd::{IntoRawFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use ash::vk;
use common::window::{SHARED, Windows, pattern};
use libloading::Library;
use quadrille_jit::testing::{self, Requirement};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};

/// VK_PRESENT_MODE_FIFO_LATEST_READY_KHR.
const FIFO_LATEST_READY: vk::PresentModeKHR = vk::PresentModeKHR::from_raw(1_000_361_000);

/// A committed buffer.
#[derive(Debug)]
struct Commit {
    size: [u32; 2],
    /// `wl_shm.format`.
    format: u32,
    pixels: Vec<u32>,
    /// Damaged rectangles in buffer coordinates.
    damage: Vec<[i32; 4]>,
    /// `true` if the client requested a frame callback.
    paced: bool,
}

/// Type of a client's object.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Display,
    Registry,
    Shm,
    Pool(usize),
    Buffer { pool: usize, offset: u64, size: [u32; 2], stride: u64, format: u32 },
    Compositor,
    Surface,
}

/// Pending state of the only surface.
#[derive(Default)]
struct Pending {
    buffer: Option<u32>,
    damage: Vec<[i32; 4]>,
    frame: Option<u32>,
}

/// A compositor with `wl_shm` and `wl_compositor`, for one client.
struct Compositor {
    socket: UnixStream,
    objects: std::collections::HashMap<u32, Kind>,
    files: Vec<File>,
    received: Vec<u8>,
    fds: Vec<OwnedFd>,
    pending: Pending,
    commits: Sender<Commit>,
    /// `true` if the compositor never wants another image and never releases a buffer.
    hidden: bool,
}

impl Compositor {
    /// Serves requests until the client disconnects. Returns the number of registries and `wl_shm`, which no request destroys.
    fn run(mut self) -> usize {
        while self.receive() {
            while self.received.len() >= 8 {
                let word = |at: usize| u32::from_ne_bytes(self.received[at..at + 4].try_into().unwrap());
                let (object, head) = (word(0), word(4));
                let len = (head >> 16) as usize;
                if self.received.len() < len {
                    break;
                }
                let arguments: Vec<u32> = (8..len).step_by(4).map(word).collect();
                self.received.drain(..len);
                self.request(object, head & 0xffff, &arguments);
            }
        }
        self.objects.values().filter(|kind| matches!(kind, Kind::Registry | Kind::Shm)).count()
    }

    fn receive(&mut self) -> bool {
        let mut bytes = [0; 4096];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(8))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let buffers = &mut [IoSliceMut::new(&mut bytes)];
        let Ok(got) = recvmsg(&self.socket, buffers, &mut control, RecvFlags::empty()) else { return false };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(files) = message {
                self.fds.extend(files);
            }
        }
        self.received.extend(&bytes[..got.bytes]);
        got.bytes > 0
    }

    fn event(&mut self, object: u32, number: u32, arguments: &[u32]) {
        let len = 8 + 4 * arguments.len() as u32;
        let words = [object, len << 16 | number].into_iter().chain(arguments.iter().copied());
        let bytes: Vec<u8> = words.flat_map(u32::to_ne_bytes).collect();
        let _ = self.socket.write_all(&bytes);
    }

    /// Sends an event with a number, a string and a number.
    fn global(&mut self, registry: u32, number: u32, name: &str, version: u32) {
        let mut text = name.as_bytes().to_vec();
        text.push(0);
        let len = text.len() as u32;
        text.resize(text.len().next_multiple_of(4), 0);
        let words = text.chunks(4).map(|c| u32::from_ne_bytes(c.try_into().unwrap()));
        let arguments: Vec<u32> = [number, len].into_iter().chain(words).chain([version]).collect();
        self.event(registry, 0, &arguments);
    }

    /// Calls the callback and deletes it.
    fn call_back(&mut self, callback: u32) {
        self.event(callback, 0, &[0]);
        self.event(1, 1, &[callback]);
    }

    /// Handles a request, numbered as in `wayland.xml`.
    fn request(&mut self, object: u32, number: u32, a: &[u32]) {
        let kind = *self.objects.get(&object).unwrap_or_else(|| panic!("no object {object}"));
        match (kind, number) {
            (Kind::Display, 0) => self.call_back(a[0]),
            (Kind::Display, 1) => {
                self.objects.insert(a[0], Kind::Registry);
                self.global(a[0], 1, "wl_compositor", 4);
                self.global(a[0], 2, "wl_shm", 1);
            }
            (Kind::Registry, 0) => {
                let kind = if a[0] == 1 { Kind::Compositor } else { Kind::Shm };
                let new = a[a.len() - 1];
                self.objects.insert(new, kind);
                if kind == Kind::Shm {
                    self.event(new, 0, &[0]);
                    self.event(new, 0, &[1]);
                }
            }
            (Kind::Compositor, 0) => {
                self.objects.insert(a[0], Kind::Surface);
            }
            (Kind::Shm, 0) => {
                self.files.push(File::from(self.fds.remove(0)));
                self.objects.insert(a[0], Kind::Pool(self.files.len() - 1));
            }
            (Kind::Pool(pool), 0) => {
                let size = [a[2], a[3]];
                let (offset, stride) = (a[1].into(), a[4].into());
                self.objects.insert(a[0], Kind::Buffer { pool, offset, size, stride, format: a[5] });
            }
            (Kind::Pool(_), 1) | (Kind::Buffer { .. }, 0) => {
                self.objects.remove(&object);
                self.event(1, 1, &[object]);
            }
            (Kind::Surface, 1) => self.pending.buffer = Some(a[0]),
            (Kind::Surface, 9) => self.pending.damage.push([0, 1, 2, 3].map(|i| a[i] as i32)),
            (Kind::Surface, 3) => self.pending.frame = Some(a[0]),
            (Kind::Surface, 6) => self.commit(),
            (kind, number) => panic!("request {number} of {kind:?}"),
        }
    }

    fn commit(&mut self) {
        let Pending { buffer, damage, frame } = std::mem::take(&mut self.pending);
        let buffer = buffer.expect("a buffer was attached");
        let Kind::Buffer { pool, offset, size, stride, format } = self.objects[&buffer] else {
            panic!("{buffer} is no buffer")
        };
        let mut pixels = Vec::new();
        for y in 0..u64::from(size[1]) {
            let mut row = vec![0; size[0] as usize * 4];
            self.files[pool].read_exact_at(&mut row, offset + y * stride).expect("the pool has the buffer");
            pixels.extend(row.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())));
        }
        let _ = self.commits.send(Commit { size, format, pixels, damage, paced: frame.is_some() });
        if self.hidden {
            return;
        }
        // The pixels were copied: the client may write the buffer again.
        self.event(buffer, 0, &[]);
        if let Some(frame) = frame {
            self.call_back(frame);
        }
    }
}

/// A client with a surface.
struct Client {
    library: Library,
    display: *mut c_void,
    surface: *mut c_void,
    commits: Receiver<Commit>,
    compositor: JoinHandle<usize>,
}

/// `wl_argument`, up to the members used here.
#[repr(C)]
union Argument {
    number: u32,
    text: *const c_char,
    object: *mut c_void,
}

/// Returns a function of libwayland-client.
macro_rules! wl {
    ($library:expr, $name:ident: fn($($ty:ty),*) $(-> $ret:ty)?) => {
        // SAFETY: the type is that of the function in the library's header.
        *unsafe {
            let name = concat!(stringify!($name), "\0").as_bytes();
            $library.get::<unsafe extern "C" fn($($ty),*) $(-> $ret)?>(name)
        }.unwrap()
    };
}

impl Client {
    fn connect(hidden: bool) -> Option<Client> {
        // SAFETY: the library has no initializers with requirements on the process.
        let Ok(library) = (unsafe { Library::new("libwayland-client.so.0") }) else {
            testing::skipped(Requirement::Wayland, "no libwayland-client");
            return None;
        };
        let (client, server) = UnixStream::pair().unwrap();
        let (sender, commits) = channel();
        let compositor = Compositor {
            socket: server,
            objects: [(1, Kind::Display)].into(),
            files: Vec::new(),
            received: Vec::new(),
            fds: Vec::new(),
            pending: Pending::default(),
            commits: sender,
            hidden,
        };
        let compositor = std::thread::spawn(move || compositor.run());
        let connect = wl!(library, wl_display_connect_to_fd: fn(c_int) -> *mut c_void);
        let make = wl!(library, wl_proxy_marshal_array_constructor_versioned: fn(
            *mut c_void, u32, *mut Argument, *const c_void, u32
        ) -> *mut c_void);
        let interface = |name: &[u8]| {
            // SAFETY: the symbol is a constant of the library, of which only the address is used.
            *unsafe { library.get::<*const c_void>(name) }.unwrap()
        };
        let new = || Argument { object: std::ptr::null_mut() };
        // SAFETY: requests and arguments match `wayland.xml`; the compositor above assigns the numbers 1 and 2.
        let (display, surface) = unsafe {
            let display = connect(client.into_raw_fd());
            let registry = make(display, 1, [new()].as_mut_ptr(), interface(b"wl_registry_interface\0"), 1);
            let text = Argument { text: c"wl_compositor".as_ptr() };
            let mut bind = [Argument { number: 1 }, text, Argument { number: 4 }, new()];
            let compositor = interface(b"wl_compositor_interface\0");
            let compositor = make(registry, 0, bind.as_mut_ptr(), compositor, 4);
            let surface = interface(b"wl_surface_interface\0");
            (display, make(compositor, 0, [new()].as_mut_ptr(), surface, 4))
        };
        Some(Client { library, display, surface, commits, compositor })
    }

    fn surface(&self, on: &Windows) -> vk::SurfaceKHR {
        let commands = ash::khr::wayland_surface::Instance::new(&vk_quadrille::entry(), &on.gpu.instance);
        let info = vk::WaylandSurfaceCreateInfoKHR::default().display(self.display).surface(self.surface);
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        unsafe { commands.create_wayland_surface(&info, None) }.unwrap()
    }

    /// Returns the result of [`Compositor::run`].
    fn disconnect(self) -> usize {
        let disconnect = wl!(self.library, wl_display_disconnect: fn(*mut c_void));
        // SAFETY: no object of the display is used afterwards.
        unsafe { disconnect(self.display) };
        self.compositor.join().expect("the client kept to the protocol")
    }
}

const SIZE: [u32; 2] = [37, 23];

fn destroy(on: &Windows, surface: vk::SurfaceKHR) {
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Every format and mode: each committed buffer has the drawn pixels.
#[test]
fn every_pixel_arrives() {
    let Some(client) = Client::connect(false) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the calls.
    let (formats, mut modes) = unsafe {
        let formats = on.surface.get_physical_device_surface_formats(on.gpu.physical, surface);
        let modes = on.surface.get_physical_device_surface_present_modes(on.gpu.physical, surface);
        (formats.unwrap(), modes.unwrap())
    };
    modes.retain(|mode| !SHARED.contains(mode));
    let opaque = [vk::CompositeAlphaFlagsKHR::OPAQUE, vk::CompositeAlphaFlagsKHR::PRE_MULTIPLIED];
    for (i, format) in formats.iter().enumerate() {
        let (mode, alpha) = (modes[i % modes.len()], opaque[i / 2 % 2]);
        let info = Windows::info(surface, SIZE)
            .image_format(format.format)
            .image_color_space(format.color_space)
            .composite_alpha(alpha)
            .present_mode(mode);
        let chain = on.chain(&info).unwrap();
        for frame in 0..8 {
            let pixels = pattern(SIZE, frame + 9 * i as u32);
            assert!(!chain.show(&pixels).unwrap());
            let commit = client.commits.recv().unwrap();
            let swap = format!("{:?}", format.format).starts_with("R8");
            let swapped = |p: &u32| p & 0xff00_ff00 | (p & 0xff) << 16 | p >> 16 & 0xff;
            let expected: Vec<u32> = pixels.iter().map(|p| if swap { swapped(p) } else { *p }).collect();
            assert!(commit.pixels == expected, "{format:?} {mode:?}");
            // Modes that wait for the compositor.
            let fifo = [vk::PresentModeKHR::FIFO, FIFO_LATEST_READY].contains(&mode);
            let xrgb = u32::from(alpha == opaque[0]);
            assert_eq!((commit.size, commit.format, commit.paced), (SIZE, xrgb, fifo));
            assert_eq!(commit.damage, [[0, 0, SIZE[0] as i32, SIZE[1] as i32]]);
        }
    }
    destroy(&on, surface);
    client.disconnect();
}

/// Metadata of displays with a high dynamic range does not change what is shown: neither before the first image, nor between
/// two. Spec: Vulkan, VkHdrMetadataEXT: it influences neither the colour space nor the encoding.
#[test]
fn metadata_of_displays_changes_no_pixel() {
    let Some(client) = Client::connect(false) else { return };
    let on = Windows::new();
    let hdr = ash::ext::hdr_metadata::Device::new(&on.gpu.instance, &on.gpu.device);
    let surface = client.surface(&on);
    let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
    let at = |x, y| vk::XYColorEXT { x, y };
    for (frame, most) in (0..).zip([100.0, 4000.0, 0.0, f32::NAN]) {
        // Primaries of BT.2020.
        let metadata = vk::HdrMetadataEXT::default()
            .display_primary_red(at(0.708, 0.292))
            .display_primary_green(at(0.17, 0.797))
            .display_primary_blue(at(0.131, 0.046))
            .white_point(at(0.3127, 0.329))
            .max_luminance(most)
            .min_luminance(0.001)
            .max_content_light_level(most)
            .max_frame_average_light_level(most / 2.0);
        // SAFETY: valid usage of Vulkan: the swapchain is live, and each has its metadata.
        unsafe { hdr.set_hdr_metadata(&[chain.handle, chain.handle], &[metadata, metadata]) };
        let pixels = pattern(SIZE, frame);
        assert!(!chain.show(&pixels).unwrap());
        assert!(client.commits.recv().unwrap().pixels == pixels, "{most} nits");
    }
    drop(chain);
    destroy(&on, surface);
    client.disconnect();
}

/// A compositor that never wants another image slows the swapchain down, but neither stops it nor delays its
/// destruction.
#[test]
fn hidden_windows_go_on() {
    let Some(client) = Client::connect(true) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
    for frame in 0..2 {
        chain.show(&pattern(SIZE, frame)).unwrap();
        client.commits.recv().unwrap();
    }
    // This presentation still waits for the compositor when the swapchain is destroyed.
    let (image, _) = chain.acquire().unwrap();
    chain.draw(image, &pattern(SIZE, 5));
    chain.present(image).unwrap();
    drop(chain);
    assert!(client.commits.recv().unwrap().pixels == pattern(SIZE, 5), "the last image is shown");
    destroy(&on, surface);
    client.disconnect();
}

/// No request of the protocol destroys a registry or `wl_shm`, so swapchains do not make their own: a program that resizes
/// its window for long would leave very many to the compositor.
#[test]
fn swapchains_leave_no_objects() {
    let Some(client) = Client::connect(false) else { return };
    let on = Windows::new();
    let surface = client.surface(&on);
    for seed in 0..3 {
        let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
        chain.show(&pattern(SIZE, seed)).unwrap();
        assert!(client.commits.recv().unwrap().pixels == pattern(SIZE, seed), "swapchain {seed}");
    }
    destroy(&on, surface);
    assert_eq!(client.disconnect(), 3, "the client's registry, that of the surface, and its `wl_shm`");
}
