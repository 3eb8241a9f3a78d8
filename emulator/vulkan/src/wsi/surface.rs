//! Chapter "Window System Integration", surfaces: creation and queries.

use std::ffi::c_ulong;
use std::sync::{Arc, Mutex, Weak};

use ash::vk;

use super::presenter::Presenter;
use super::times::stage;
use super::{FORMATS, SHARED, Window, headless, wayland, win32, xcb};
use crate::capabilities::format::uncompressed;
use crate::capabilities::{limits, wide_flags};
use crate::device::instance::Instance;
use crate::interface::chain::{each, enumerate, enumerate_with, find};
use crate::interface::guard::{VkResult, commands};
use crate::interface::handle::{create, destroy, get, objects};
use crate::newer;
use crate::registry::row::Extension;

/// A VkSurfaceKHR.
pub struct Surface {
    /// Window of the surface.
    pub window: Arc<dyn Window>,
    /// Presenter of the current swapchain.
    pub swapchain: Mutex<Weak<Presenter>>,
    /// `true` if the instance has enabled colour spaces other than sRGB.
    colour_spaces: bool,
}
objects!(Surface => SurfaceKHR);

/// Least number of images of a swapchain.
const MIN_IMAGES: u32 = 2;

const COLOUR_SPACES: Extension = "VK_EXT_swapchain_colorspace";

/// Supported swapchain flags, as bits of the registry: split instance bind regions, mutable format, deferred memory
/// allocation, present ids and waits for them, multisampled rendering, times of presentations.
const FLAGS: vk::SwapchainCreateFlagsKHR =
    vk::SwapchainCreateFlagsKHR::from_raw(1 | 1 << 2 | 1 << 3 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9);

/// Usages of swapchain images, as far as their format supports them.
const USAGE: vk::ImageUsageFlags = vk::ImageUsageFlags::from_raw(
    vk::ImageUsageFlags::TRANSFER_SRC.as_raw()
        | vk::ImageUsageFlags::TRANSFER_DST.as_raw()
        | vk::ImageUsageFlags::SAMPLED.as_raw()
        | vk::ImageUsageFlags::STORAGE.as_raw()
        | vk::ImageUsageFlags::COLOR_ATTACHMENT.as_raw()
        | vk::ImageUsageFlags::INPUT_ATTACHMENT.as_raw()
        | vk::ImageUsageFlags::ATTACHMENT_FEEDBACK_LOOP_EXT.as_raw()
        | vk::ImageUsageFlags::HOST_TRANSFER_EXT.as_raw(),
);

/// `currentExtent` of surfaces whose size is determined by the images.
const ANY: vk::Extent2D = vk::Extent2D { width: u32::MAX, height: u32::MAX };

impl Surface {
    fn new(instance: &Instance, window: impl Window + 'static) -> Surface {
        let colour_spaces = instance.extensions.contains(&COLOUR_SPACES);
        Surface { window: Arc::new(window), swapchain: Mutex::default(), colour_spaces }
    }

    fn formats(&self) -> Vec<vk::SurfaceFormatKHR> {
        use vk::ColorSpaceKHR as C;
        let srgb = FORMATS.map(|(format, _)| (format, C::SRGB_NONLINEAR));
        // Pass-through, for applications that interpret the values differently than the window system does.
        let plain = FORMATS.map(|(format, _)| (format, C::PASS_THROUGH_EXT));
        let plain = plain.iter().filter(|_| self.colour_spaces);
        let all = srgb.iter().chain(plain);
        all.map(|&(format, color_space)| vk::SurfaceFormatKHR { format, color_space }).collect()
    }

    /// All present modes.
    pub fn modes(&self) -> Vec<vk::PresentModeKHR> {
        [self.window.modes(), &SHARED].concat()
    }

    /// Returns the modes that a swapchain of this mode may switch to. The mode itself comes first, in case there is no
    /// room for all.
    fn compatible(&self, mode: Option<vk::PresentModeKHR>) -> Vec<vk::PresentModeKHR> {
        let others = match mode {
            Some(mode) if SHARED.contains(&mode) => &[],
            _ => self.window.modes(),
        };
        let others = others.iter().copied().filter(|&other| Some(other) != mode);
        mode.into_iter().chain(others).collect()
    }

    fn capabilities(&self) -> VkResult<vk::SurfaceCapabilitiesKHR> {
        let most = limits::limits().max_image_dimension2_d;
        let (current, min, max) = match self.window.size()? {
            Some([width, height]) => {
                let size = vk::Extent2D { width, height };
                (size, size, size)
            }
            None => {
                let max = vk::Extent2D { width: most, height: most };
                (ANY, vk::Extent2D { width: 1, height: 1 }, max)
            }
        };
        Ok(vk::SurfaceCapabilitiesKHR {
            min_image_count: MIN_IMAGES,
            max_image_count: 0,
            current_extent: current,
            min_image_extent: min,
            max_image_extent: max,
            max_image_array_layers: 1,
            supported_transforms: vk::SurfaceTransformFlagsKHR::IDENTITY,
            current_transform: vk::SurfaceTransformFlagsKHR::IDENTITY,
            supported_composite_alpha: self.window.alpha(),
            supported_usage_flags: USAGE,
        })
    }

    /// Fills the structures in the chain of VkSurfaceCapabilities2KHR.
    ///
    /// # Safety
    /// The chain of `out` is valid, and so is the room for lists in it.
    unsafe fn extended_capabilities(
        &self,
        mode: Option<vk::PresentModeKHR>,
        out: &mut vk::SurfaceCapabilities2KHR<'_>,
    ) {
        if mode.is_some_and(|mode| SHARED.contains(&mode)) {
            let own = &mut out.surface_capabilities;
            (own.min_image_count, own.max_image_count) = (1, 1);
        }
        let most = limits::limits().max_image_dimension2_d;
        // SAFETY: the caller promises a valid chain, and room for the list in it.
        unsafe {
            each(out.p_next, |link| {
                if let Some(p) = link.get::<vk::SurfaceProtectedCapabilitiesKHR>() {
                    p.supports_protected = vk::FALSE;
                }
                if let Some(p) = link.get::<newer::SwapchainFlagsSurfaceCapabilitiesEXT>() {
                    p.swapchain_supported_flags = FLAGS;
                }
                if let Some(p) = link.get::<newer::SurfaceCapabilitiesPresentId2KHR>() {
                    p.present_id2_supported = vk::TRUE;
                }
                if let Some(p) = link.get::<newer::SurfaceCapabilitiesPresentWait2KHR>() {
                    p.present_wait2_supported = vk::TRUE;
                }
                if let Some(p) = link.get::<newer::PresentTimingSurfaceCapabilitiesEXT>() {
                    p.present_timing_supported = vk::TRUE;
                    p.present_at_absolute_time_supported = vk::TRUE;
                    p.present_at_relative_time_supported = vk::TRUE;
                    p.present_stage_queries = stage::TIMED;
                }
                if let Some(p) = link.get::<vk::SurfacePresentScalingCapabilitiesEXT>() {
                    // Images of another size are cropped, or leave a border at the right and the bottom.
                    p.supported_present_scaling = vk::PresentScalingFlagsEXT::ONE_TO_ONE;
                    p.supported_present_gravity_x = vk::PresentGravityFlagsEXT::MIN;
                    p.supported_present_gravity_y = vk::PresentGravityFlagsEXT::MIN;
                    p.min_scaled_image_extent = vk::Extent2D { width: 1, height: 1 };
                    p.max_scaled_image_extent = vk::Extent2D { width: most, height: most };
                }
                if let Some(p) = link.get::<vk::SurfacePresentModeCompatibilityEXT>() {
                    let room = p.p_present_modes;
                    // A list that is too short does not change the result of the command.
                    let _ = enumerate(&self.compatible(mode), &mut p.present_mode_count, room);
                }
                wide_flags::surface(link, USAGE);
                if let Some(p) = link.get::<vk::SharedPresentSurfaceCapabilitiesKHR>() {
                    p.shared_present_supported_usage_flags = USAGE;
                }
            });
        }
    }
}

/// Returns the surface of VkPhysicalDeviceSurfaceInfo2KHR.
///
/// # Safety
/// `info` is valid, and its surface is live.
unsafe fn of<'a>(info: *const vk::PhysicalDeviceSurfaceInfo2KHR<'_>) -> &'a Surface {
    // SAFETY: the caller promises a valid structure with a live surface.
    unsafe { get::<Surface>((*info).surface) }
}

commands! {
    fn create_headless_surface(
        instance: vk::Instance,
        _info: *const vk::HeadlessSurfaceCreateInfoEXT<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::SurfaceKHR,
    ) -> vk::Result {
        *out = create(Surface::new(get::<Instance>(instance), headless::Headless));
        Ok(())
    }

    fn create_xcb_surface(
        instance: vk::Instance,
        info: *const vk::XcbSurfaceCreateInfoKHR<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::SurfaceKHR,
    ) -> vk::Result {
        let window = xcb::XWindow::of_xcb((*info).connection, (*info).window)?;
        *out = create(Surface::new(get::<Instance>(instance), window));
        Ok(())
    }

    fn create_xlib_surface(
        instance: vk::Instance,
        info: *const vk::XlibSurfaceCreateInfoKHR<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::SurfaceKHR,
    ) -> vk::Result {
        let window = xcb::XWindow::of_xlib((*info).dpy.cast(), (*info).window)?;
        *out = create(Surface::new(get::<Instance>(instance), window));
        Ok(())
    }

    fn create_wayland_surface(
        instance: vk::Instance,
        info: *const vk::WaylandSurfaceCreateInfoKHR<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::SurfaceKHR,
    ) -> vk::Result {
        let window = wayland::WaylandWindow::new((*info).display.cast(), (*info).surface.cast())?;
        *out = create(Surface::new(get::<Instance>(instance), window));
        Ok(())
    }

    fn create_win32_surface(
        instance: vk::Instance,
        info: *const vk::Win32SurfaceCreateInfoKHR<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::SurfaceKHR,
    ) -> vk::Result {
        let window = win32::Win32Window::of_hwnd((*info).hwnd)?;
        *out = create(Surface::new(get::<Instance>(instance), window));
        Ok(())
    }

    fn destroy_surface(
        _i: vk::Instance,
        surface: vk::SurfaceKHR,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Surface>(surface));
    }

    fn get_physical_device_xcb_presentation_support(
        _d: vk::PhysicalDevice,
        _family: u32,
        connection: *mut vk::xcb_connection_t,
        visual: vk::xcb_visualid_t,
    ) -> vk::Bool32 {
        xcb::visual_supported(connection, visual).into()
    }

    fn get_physical_device_xlib_presentation_support(
        _d: vk::PhysicalDevice,
        _family: u32,
        display: *mut vk::Display,
        visual: vk::VisualID,
    ) -> vk::Bool32 {
        xcb::xlib_visual_supported(display, c_ulong::from(visual)).into()
    }

    fn get_physical_device_wayland_presentation_support(
        _d: vk::PhysicalDevice,
        _family: u32,
        _display: *mut vk::wl_display,
    ) -> vk::Bool32 {
        wayland::is_there().into()
    }

    fn get_physical_device_win32_presentation_support(_d: vk::PhysicalDevice, _family: u32) -> vk::Bool32 {
        win32::is_there().into()
    }

    fn get_physical_device_surface_support(
        _d: vk::PhysicalDevice,
        _family: u32,
        surface: vk::SurfaceKHR,
        out: *mut vk::Bool32,
    ) -> vk::Result {
        *out = get::<Surface>(surface).window.is_supported().into();
        Ok(())
    }

    fn get_physical_device_surface_capabilities(
        _d: vk::PhysicalDevice,
        surface: vk::SurfaceKHR,
        out: *mut vk::SurfaceCapabilitiesKHR,
    ) -> vk::Result {
        *out = get::<Surface>(surface).capabilities()?;
        Ok(())
    }

    fn get_physical_device_surface_capabilities2(
        _d: vk::PhysicalDevice,
        info: *const vk::PhysicalDeviceSurfaceInfo2KHR<'_>,
        out: *mut vk::SurfaceCapabilities2KHR<'_>,
    ) -> vk::Result {
        let surface = of(info);
        let out = &mut *out;
        out.surface_capabilities = surface.capabilities()?;
        // With a present mode in the chain, the capabilities are those of that mode, including scaling.
        let mode = find::<vk::SurfacePresentModeEXT>((*info).p_next).map(|m| m.present_mode);
        if mode.is_some_and(|mode| !surface.modes().contains(&mode)) {
            return Err(vk::Result::ERROR_UNKNOWN);
        }
        surface.extended_capabilities(mode, out);
        Ok(())
    }

    fn get_physical_device_surface_formats(
        _d: vk::PhysicalDevice,
        surface: vk::SurfaceKHR,
        count: *mut u32,
        out: *mut vk::SurfaceFormatKHR,
    ) -> vk::Result {
        enumerate(&get::<Surface>(surface).formats(), count, out)
    }

    fn get_physical_device_surface_formats2(
        _d: vk::PhysicalDevice,
        info: *const vk::PhysicalDeviceSurfaceInfo2KHR<'_>,
        count: *mut u32,
        out: *mut vk::SurfaceFormat2KHR<'_>,
    ) -> vk::Result {
        let formats = of(info).formats();
        enumerate_with(formats.len(), count, out, |i, p| {
            p.surface_format = formats[i];
            each(p.p_next, |link| {
                link.get().map(uncompressed);
            });
        })
    }

    fn get_physical_device_surface_present_modes(
        _d: vk::PhysicalDevice,
        surface: vk::SurfaceKHR,
        count: *mut u32,
        out: *mut vk::PresentModeKHR,
    ) -> vk::Result {
        enumerate(&get::<Surface>(surface).modes(), count, out)
    }

    fn get_physical_device_present_rectangles(
        _d: vk::PhysicalDevice,
        surface: vk::SurfaceKHR,
        count: *mut u32,
        out: *mut vk::Rect2D,
    ) -> vk::Result {
        let extent = get::<Surface>(surface).capabilities()?.current_extent;
        enumerate(&[vk::Rect2D { offset: Default::default(), extent }], count, out)
    }

    fn get_device_group_present_capabilities(
        _d: vk::Device,
        out: *mut vk::DeviceGroupPresentCapabilitiesKHR<'_>,
    ) -> vk::Result {
        (*out).present_mask = [0; vk::MAX_DEVICE_GROUP_SIZE];
        (*out).present_mask[0] = 1;
        (*out).modes = vk::DeviceGroupPresentModeFlagsKHR::LOCAL;
        Ok(())
    }

    fn get_device_group_surface_present_modes(
        _d: vk::Device,
        _surface: vk::SurfaceKHR,
        out: *mut vk::DeviceGroupPresentModeFlagsKHR,
    ) -> vk::Result {
        *out = vk::DeviceGroupPresentModeFlagsKHR::LOCAL;
        Ok(())
    }
}
