//! Chapter "Initialization": instances, and queries before an instance exists.

use std::ffi::c_char;

use ash::vk;
use quadrille::reserve::Room;

use super::physical::PhysicalDevice;
use super::profile;
use crate::interface::chain::{enumerate, text};
use crate::interface::guard::{code, commands};
use crate::interface::handle;
use crate::interface::handle::{ROOM, create, get, objects};
use crate::registry::extensions::Offer;
use crate::registry::row::{Extension, Kind};

/// A VkInstance.
pub struct Instance {
    /// Enabled instance extensions.
    pub extensions: Vec<Extension>,
    /// Versions and extensions of the physical device.
    pub offer: Offer,
    physical: vk::PhysicalDevice,
}
objects!(Instance => Instance);

commands! {
    fn create_instance(
        info: *const vk::InstanceCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Instance,
    ) -> vk::Result {
        let info = &*info;
        let _room = Room::new(ROOM).map_err(|e| code(&e))?;
        if info.enabled_layer_count != 0 {
            return Err(vk::Result::ERROR_LAYER_NOT_PRESENT);
        }
        let app = info.p_application_info.as_ref();
        let offer = profile::offer(app.map_or("", |app| text(app.p_engine_name)));
        let (names, n) = (info.pp_enabled_extension_names, info.enabled_extension_count);
        let extensions = offer.enable(Kind::Instance, &[], names, n)?;
        // An application without a version, or with version 0, is one for Vulkan 1.0.
        let api_version = app.map_or(0, |app| app.api_version).max(vk::API_VERSION_1_0);
        let physical = create(PhysicalDevice { api_version, offer, extensions: extensions.clone() });
        *out = create(Instance { extensions, offer, physical });
        Ok(())
    }

    fn destroy_instance(instance: vk::Instance, _allocator: *const vk::AllocationCallbacks<'_>) {
        if let Some(instance) = handle::destroy::<Instance>(instance) {
            let _ = handle::destroy::<PhysicalDevice>(instance.physical);
        }
    }

    fn enumerate_instance_version(out: *mut u32) -> vk::Result {
        *out = profile::implemented();
        Ok(())
    }

    fn enumerate_instance_extension_properties(
        layer: *const c_char,
        count: *mut u32,
        out: *mut vk::ExtensionProperties,
    ) -> vk::Result {
        if !layer.is_null() {
            return Err(vk::Result::ERROR_LAYER_NOT_PRESENT);
        }
        profile::offer("").enumerate(Kind::Instance, count, out)
    }

    fn enumerate_instance_layer_properties(count: *mut u32, out: *mut vk::LayerProperties) -> vk::Result {
        enumerate(&[], count, out)
    }

    fn enumerate_physical_devices(
        instance: vk::Instance,
        count: *mut u32,
        out: *mut vk::PhysicalDevice,
    ) -> vk::Result {
        enumerate(&[get::<Instance>(instance).physical], count, out)
    }

    fn enumerate_physical_device_groups(
        instance: vk::Instance,
        count: *mut u32,
        out: *mut vk::PhysicalDeviceGroupProperties<'_>,
    ) -> vk::Result {
        let device = get::<Instance>(instance).physical;
        crate::interface::chain::enumerate_with(1, count, out, |_, group| {
            group.physical_device_count = 1;
            group.physical_devices = [vk::PhysicalDevice::null(); vk::MAX_DEVICE_GROUP_SIZE];
            group.physical_devices[0] = device;
            group.subset_allocation = vk::FALSE;
        })
    }
}
