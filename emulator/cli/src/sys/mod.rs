//! The host system, as far as the command shows it: the name of the driver's library, where the Vulkan loader looks for
//! a user's drivers, folders of a user, and programs that take the place of this process.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub use unix::{announce, cache, make_private, manifests, named, replace_by, temporary, withdraw};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub use windows::{announce, cache, make_private, manifests, named, replace_by, temporary, withdraw};

/// File name of the driver's library.
pub const DRIVER: &str = if cfg!(windows) {
    "vk_quadrille.dll"
} else if cfg!(target_os = "macos") {
    "libvk_quadrille.dylib"
} else {
    "libvk_quadrille.so"
};
