//! Chapter "Initialization": instances. `loader::initial` creates them.

use ash::vk;

use super::physical::PhysicalDevice;
use crate::interface::chain::enumerate;
use crate::interface::guard::commands;
use crate::interface::handle;
use crate::interface::handle::{create, get, objects};
use crate::registry::extensions::Offer;
use crate::registry::row::Extension;

/// A VkInstance.
pub struct Instance {
    /// Enabled instance extensions.
    pub extensions: Vec<Extension>,
    /// Versions and extensions of the physical device.
    pub offer: Offer,
    physical: vk::PhysicalDevice,
}
objects!(Instance => Instance);

impl Instance {
    /// An instance for an application's version of Vulkan, with its physical device.
    pub fn new(api_version: u32, offer: Offer, extensions: Vec<Extension>) -> Instance {
        let physical = create(PhysicalDevice { api_version, offer, extensions: extensions.clone() });
        Instance { extensions, offer, physical }
    }
}

/// Returns the implemented version of Vulkan.
pub fn implemented() -> u32 {
    let [major, minor, patch] = quadrille::limits::VULKAN_VERSION;
    vk::make_api_version(0, major, minor, patch)
}

commands! {
    fn destroy_instance(instance: vk::Instance, _allocator: *const vk::AllocationCallbacks<'_>) {
        if let Some(instance) = handle::destroy::<Instance>(instance) {
            let _ = handle::destroy::<PhysicalDevice>(instance.physical);
        }
    }

    fn enumerate_instance_version(out: *mut u32) -> vk::Result {
        *out = implemented();
        Ok(())
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
