//! Vulkan clients: an instance with its first physical device, and a device with one queue.
//!
//! Left to others: each client names the version, the extensions and the features that it needs, and owns all objects
//! of its device.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use std::ffi::{CStr, c_char};
use std::ops::Deref;

use ash::prelude::VkResult;
use ash::vk;

/// An instance, with its first physical device.
pub struct Host {
    /// The instance.
    pub instance: ash::Instance,
    /// The first physical device.
    pub physical: vk::PhysicalDevice,
    /// The driver; keeps the library of its commands loaded.
    pub entry: ash::Entry,
}

/// A device with one queue.
pub struct Opened {
    /// The device.
    pub device: ash::Device,
    /// Its queue.
    pub queue: vk::Queue,
    host: Host,
}

/// The text of an error of the driver.
pub fn text(e: vk::Result) -> String {
    e.to_string()
}

fn pointers(names: &[&CStr]) -> Vec<*const c_char> {
    names.iter().map(|name| name.as_ptr()).collect()
}

impl Host {
    /// Creates an instance for a version of Vulkan.
    ///
    /// # Errors
    /// The error of the driver; `ERROR_INITIALIZATION_FAILED` if it has no device.
    pub fn new(entry: ash::Entry, version: u32, extensions: &[&CStr]) -> VkResult<Host> {
        let app = vk::ApplicationInfo::default().api_version(version);
        let names = pointers(extensions);
        let info = vk::InstanceCreateInfo::default().application_info(&app).enabled_extension_names(&names);
        // SAFETY: `entry` keeps its library loaded; `info`, `app` and `names` are locals that outlive the call.
        let instance = unsafe { entry.create_instance(&info, None) }?;
        let mut host = Host { instance, physical: vk::PhysicalDevice::null(), entry };
        // SAFETY: `host` has just created the instance.
        let all = unsafe { host.instance.enumerate_physical_devices() }?;
        host.physical = *all.first().ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
        Ok(host)
    }

    /// Creates a device with one queue, these extensions, and the features of `info`.
    ///
    /// # Errors
    /// The error of the driver.
    ///
    /// # Safety
    /// The chain of `info` is valid. The caller destroys the device before `self` is dropped.
    pub unsafe fn device(
        &self,
        extensions: &[&CStr],
        info: vk::DeviceCreateInfo<'_>,
    ) -> VkResult<ash::Device> {
        let names = pointers(extensions);
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
        let info = info.queue_create_infos(&queues).enabled_extension_names(&names);
        // SAFETY: `physical` belongs to `instance`, which `self` keeps alive; the caller promises a valid chain, and
        // `names` and `queues` outlive the call.
        unsafe { self.instance.create_device(self.physical, &info, None) }
    }
}

impl Opened {
    /// Creates a device with one queue, these extensions, and the features of `info`.
    ///
    /// # Errors
    /// The error of the driver.
    ///
    /// # Safety
    /// The chain of `info` is valid. When the value is dropped, no work is in flight.
    pub unsafe fn new(host: Host, extensions: &[&CStr], info: vk::DeviceCreateInfo<'_>) -> VkResult<Opened> {
        // SAFETY: the caller promises a valid chain; `drop` destroys the device before its field `host` is dropped.
        let device = unsafe { host.device(extensions, info) }?;
        // SAFETY: `Host::device` created the device with one queue of the first family.
        let queue = unsafe { device.get_device_queue(0, 0) };
        Ok(Opened { device, queue, host })
    }
}

impl Deref for Opened {
    type Target = Host;

    fn deref(&self) -> &Host {
        &self.host
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: the caller of `new` promised that no work is in flight. Only the owner of `self` uses the device.
        unsafe { self.device.destroy_device(None) };
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // SAFETY: `Opened` and the callers of `device` destroy their devices before this value is dropped.
        unsafe { self.instance.destroy_instance(None) };
    }
}
