//! Window systems that this system lacks: their extensions are not offered, and creating a window of them is an error.

use std::convert::Infallible;

use ash::vk;

use super::{Looks, Screen, Window};
use crate::interface::guard::VkResult;

/// A window, of which this system has none.
pub struct Absent(Infallible);

impl Absent {
    fn none() -> VkResult<Absent> {
        Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT)
    }
}

impl Window for Absent {
    fn size(&self) -> VkResult<Option<[u32; 2]>> {
        match self.0 {}
    }

    fn is_supported(&self) -> bool {
        match self.0 {}
    }

    fn modes(&self) -> &'static [vk::PresentModeKHR] {
        match self.0 {}
    }

    fn alpha(&self) -> vk::CompositeAlphaFlagsKHR {
        match self.0 {}
    }

    fn open(&self, _looks: &Looks) -> VkResult<Box<dyn Screen>> {
        match self.0 {}
    }
}

#[cfg(not(target_os = "linux"))]
pub mod xcb {
    //! Windows of X.

    use std::ffi::{c_ulong, c_void};

    use super::{Absent, VkResult};

    /// A window of X.
    pub struct XWindow;

    impl XWindow {
        /// Refuses the window.
        pub fn of_xcb(_connection: *mut c_void, _window: u32) -> VkResult<Absent> {
            Absent::none()
        }

        /// Refuses the window.
        pub fn of_xlib(_display: *mut c_void, _window: c_ulong) -> VkResult<Absent> {
            Absent::none()
        }
    }

    /// `false`: no visual is supported.
    pub fn visual_supported(_connection: *mut c_void, _visual: u32) -> bool {
        false
    }

    /// `false`: no visual is supported.
    pub fn xlib_visual_supported(_display: *mut c_void, _visual: c_ulong) -> bool {
        false
    }
}

#[cfg(not(target_os = "linux"))]
pub mod wayland {
    //! Windows of Wayland.

    use std::ffi::c_void;

    use super::{Absent, VkResult};

    /// A window of Wayland.
    pub struct WaylandWindow;

    impl WaylandWindow {
        /// Refuses the window.
        pub fn new(_display: *mut c_void, _surface: *mut c_void) -> VkResult<Absent> {
            Absent::none()
        }
    }

    /// `false`: the system has no Wayland.
    pub fn is_there() -> bool {
        false
    }
}

#[cfg(not(windows))]
pub mod win32 {
    //! Windows of Windows.

    use super::{Absent, VkResult};

    /// A window of Windows.
    pub struct Win32Window;

    impl Win32Window {
        /// Refuses the window.
        pub fn of_hwnd(_window: isize) -> VkResult<Absent> {
            Absent::none()
        }
    }

    /// `false`: the system has no such windows.
    pub fn is_there() -> bool {
        false
    }
}
