//! Reports about device memory and device addresses. Spec: Vulkan, VK_EXT_device_memory_report, and
//! VkDeviceAddressBindingCallbackDataEXT.
//!
//! Memory reports are about VkDeviceMemory, the only memory that the application can run out of: everything else is
//! memory of the host. Only buffers have device addresses; acceleration structures lie in buffers.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use ash::vk;
use ash::vk::Handle;
use quadrille::{Buffer, Memory};

use crate::interface::chain::{all, find};
use crate::interface::handle::attached;
use crate::interface::messages::{About, send_with};

/// A callback for memory reports.
struct Listener {
    callback: vk::PFN_vkDeviceMemoryReportCallbackEXT,
    /// Address that is passed to the callback and never dereferenced.
    user_data: usize,
}

/// Memory that has been reported.
struct Known {
    id: u64,
    imported: bool,
}

/// Receivers of a device's reports.
#[derive(Default)]
pub struct Reports {
    listeners: Vec<Listener>,
    /// `true` if bindings of device addresses are reported.
    addresses: bool,
    next: AtomicU64,
    /// Live memory by handle; empty without listeners.
    known: Mutex<HashMap<u64, Known>>,
}

impl Reports {
    /// Returns the receivers that a create info asks for.
    ///
    /// # Safety
    /// `info` and its chain are valid.
    pub unsafe fn of(info: &vk::DeviceCreateInfo<'_>) -> Reports {
        // SAFETY: the caller promises a valid chain.
        let (listeners, addresses) = unsafe {
            let listeners = all::<vk::DeviceDeviceMemoryReportCreateInfoEXT<'_>>(info.p_next);
            let addresses = find::<vk::PhysicalDeviceAddressBindingReportFeaturesEXT<'_>>(info.p_next);
            (listeners, addresses.is_some_and(|f| f.report_address_binding == vk::TRUE))
        };
        let listener = |l: &vk::DeviceDeviceMemoryReportCreateInfoEXT<'_>| Listener {
            callback: l.pfn_user_callback,
            user_data: l.p_user_data as usize,
        };
        Reports { listeners: listeners.into_iter().map(listener).collect(), addresses, ..Reports::default() }
    }

    /// Reports an event of memory of the only heap.
    fn tell(&self, data: vk::DeviceMemoryReportCallbackDataEXT<'_>) {
        let object_type = vk::ObjectType::DEVICE_MEMORY;
        let data = vk::DeviceMemoryReportCallbackDataEXT { object_type, heap_index: 0, ..data };
        for listener in &self.listeners {
            let Some(callback) = listener.callback else { continue };
            // SAFETY: the application passed a callback of this type with its data, both valid while the device lives.
            unsafe { callback(&data, listener.user_data as *mut c_void) };
        }
    }

    /// Reports new memory. Imported memory has the number of its file, so that it is counted once.
    pub fn allocated(&self, handle: vk::DeviceMemory, memory: &Memory, imported: bool) {
        if self.listeners.is_empty() {
            return;
        }
        // The lowest bit tells numbers of files from numbers of this device.
        let id = match memory.file_number() {
            Some(number) => number << 1 | 1,
            None => (self.next.fetch_add(1, Ordering::Relaxed) + 1) << 1,
        };
        let known = Known { id, imported };
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(handle.as_raw(), known);
        use vk::DeviceMemoryReportEventTypeEXT as T;
        self.tell(vk::DeviceMemoryReportCallbackDataEXT {
            ty: if imported { T::IMPORT } else { T::ALLOCATE },
            memory_object_id: id,
            size: memory.size(),
            object_handle: handle.as_raw(),
            ..Default::default()
        });
    }

    /// Reports memory of `size` bytes that could not be allocated.
    pub fn failed(&self, size: u64) {
        self.tell(vk::DeviceMemoryReportCallbackDataEXT {
            ty: vk::DeviceMemoryReportEventTypeEXT::ALLOCATION_FAILED,
            size,
            ..Default::default()
        });
    }

    /// Reports memory that is about to be freed.
    pub fn freed(&self, handle: vk::DeviceMemory) {
        if self.listeners.is_empty() {
            return;
        }
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).remove(&handle.as_raw());
        let Some(Known { id, imported }) = known else { return };
        use vk::DeviceMemoryReportEventTypeEXT as T;
        self.tell(vk::DeviceMemoryReportCallbackDataEXT {
            ty: if imported { T::UNIMPORT } else { T::FREE },
            memory_object_id: id,
            object_handle: handle.as_raw(),
            ..Default::default()
        });
    }

    /// Reports that a buffer has got its device address, or loses it.
    ///
    /// # Safety
    /// `handle` is the live handle of `buffer`.
    pub unsafe fn addressed(&self, handle: vk::Buffer, buffer: &Buffer, ty: vk::DeviceAddressBindingTypeEXT) {
        if !self.addresses {
            return;
        }
        let Some(address) = buffer.assigned_address() else { return };
        let mut data = vk::DeviceAddressBindingCallbackDataEXT::default()
            .base_address(address)
            .size(buffer.size())
            .binding_type(ty);
        // SAFETY: the caller promises a live handle.
        let name = unsafe { attached(handle.as_raw()) }.name.clone();
        let about = About { ty: vk::ObjectType::BUFFER, raw: handle.as_raw(), name };
        let what = match ty {
            vk::DeviceAddressBindingTypeEXT::BIND => "bound to",
            _ => "unbound from",
        };
        let text = format!("{} bytes are {what} device address {address:#x}: {about}", buffer.size());
        use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Type};
        send_with((Severity::INFO, Type::DEVICE_ADDRESS_BINDING), "address", &text, &[about], &mut data);
    }
}
