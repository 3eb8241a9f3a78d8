//! The host system, as far as the driver's interface shows it: descriptors of files as numbers, the file of this
//! library, the clock, and the window systems.
//!
//! The only room of the driver that knows the operating system, besides the window systems `wsi::xcb` and
//! `wsi::wayland`, which Linux has, and `wsi::win32`.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::{HOST_CLOCK, borrow, give, host_time, own, own_file, stay_loaded};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::{HOST_CLOCK, borrow, give, host_time, own, own_file, stay_loaded};

/// `true` if the values of [`HOST_CLOCK`] are those of the device's clock, nanoseconds.
pub const HOST_IN_NANOSECONDS: bool = cfg!(unix);

/// `true` if devices share memory and payloads by descriptors of files.
pub fn has_descriptors() -> bool {
    cfg!(target_os = "linux")
}

/// `true` if programs have windows of X and Wayland.
pub fn has_x_and_wayland() -> bool {
    cfg!(target_os = "linux")
}

/// `true` if programs have windows of Windows.
pub fn has_win32() -> bool {
    cfg!(windows)
}
