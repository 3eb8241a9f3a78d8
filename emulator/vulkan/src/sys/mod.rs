//! The host system, as far as the driver's interface shows it: descriptors of files as numbers, the file of this
//! library, and the window systems.
//!
//! The only room of the driver that knows the operating system, besides the window systems `wsi::xcb` and
//! `wsi::wayland`, which Linux has, and `wsi::win32`.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::{borrow, give, own, own_file, stay_loaded};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::{borrow, give, own, own_file, stay_loaded};

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
