//! Chapter "Devices and Queues": physical devices, memory types and queue families. Properties are in
//! `capabilities::properties`.

use std::ffi::c_char;

use ash::vk;

use super::queue::families;
use crate::capabilities::heap::MEMORY_TYPES;
use crate::capabilities::properties::{extended_properties, properties};
use crate::capabilities::{features, heap, matrix, versions};
use crate::interface::chain::{each, enumerate, enumerate_with};
use crate::interface::guard::commands;
use crate::interface::handle::{get, objects};
use crate::registry::extensions::Offer;
use crate::registry::row::{Extension, Kind};

/// A VkPhysicalDevice: the host that runs the program.
pub struct PhysicalDevice {
    /// Version of Vulkan that the application requested.
    pub api_version: u32,
    /// Supported versions and extensions.
    pub offer: Offer,
    /// Enabled extensions of the instance.
    pub extensions: Vec<Extension>,
}
objects!(PhysicalDevice => PhysicalDevice);

/// Supported global priorities of queues. Queues are threads of the process, so a priority above the normal one could
/// not be guaranteed.
pub const GLOBAL_PRIORITIES: [vk::QueueGlobalPriorityKHR; 2] =
    [vk::QueueGlobalPriorityKHR::LOW, vk::QueueGlobalPriorityKHR::MEDIUM];

fn memory_properties() -> vk::PhysicalDeviceMemoryProperties {
    let mut p = vk::PhysicalDeviceMemoryProperties {
        memory_type_count: MEMORY_TYPES as u32,
        memory_heap_count: 1,
        ..Default::default()
    };
    p.memory_types[..MEMORY_TYPES].fill(vk::MemoryType {
        property_flags: vk::MemoryPropertyFlags::DEVICE_LOCAL
            | vk::MemoryPropertyFlags::HOST_VISIBLE
            | vk::MemoryPropertyFlags::HOST_COHERENT
            | vk::MemoryPropertyFlags::HOST_CACHED,
        heap_index: 0,
    });
    p.memory_heaps[0] = vk::MemoryHeap { size: heap::size(), flags: vk::MemoryHeapFlags::DEVICE_LOCAL };
    p
}

commands! {
    fn get_physical_device_properties(d: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties) {
        *out = properties(&get::<PhysicalDevice>(d).offer);
    }

    fn get_physical_device_properties2(d: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties2<'_>) {
        let offer = &get::<PhysicalDevice>(d).offer;
        (*out).properties = properties(offer);
        each((*out).p_next, |link| {
            if offer.structure(link.structure()) {
                extended_properties(link);
                versions::fill_properties(link);
            }
        });
    }

    fn get_physical_device_multisample_properties(
        _d: vk::PhysicalDevice,
        samples: vk::SampleCountFlags,
        out: *mut vk::MultisamplePropertiesEXT<'_>,
    ) {
        let side = u32::from(crate::capabilities::limits::movable_samples().contains(samples));
        (*out).max_sample_location_grid_size = vk::Extent2D { width: side, height: side };
    }

    fn get_physical_device_fragment_shading_rates(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut vk::PhysicalDeviceFragmentShadingRateKHR<'_>,
    ) -> vk::Result {
        let all = crate::capabilities::limits::fragment_sizes();
        enumerate_with(all.len(), count, out, |i, rate| {
            let ([width, height], samples) = all[i];
            rate.sample_counts = samples;
            rate.fragment_size = vk::Extent2D { width, height };
        })
    }

    fn get_physical_device_cooperative_matrix_properties(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut vk::CooperativeMatrixPropertiesKHR<'_>,
    ) -> vk::Result {
        enumerate_with(matrix::PRODUCTS, count, out, matrix::product)
    }

    fn get_physical_device_cooperative_matrix_properties2(
        _d: vk::PhysicalDevice,
        info: *const crate::newer::PhysicalDeviceCooperativeMatrixInfo2EXT,
        count: *mut u32,
        out: *mut crate::newer::CooperativeMatrixProperties2EXT,
    ) -> vk::Result {
        let kinds = matrix::kinds(&*info);
        enumerate_with(kinds.len(), count, out, |i, p| matrix::kind(kinds[i], p))
    }

    fn get_physical_device_cooperative_matrix_flexible_dimensions_properties(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut crate::newer::CooperativeMatrixFlexibleDimensionsPropertiesNV,
    ) -> vk::Result {
        enumerate_with(matrix::FLEXIBLE_PRODUCTS, count, out, matrix::flexible_product)
    }

    fn get_physical_device_features(_d: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceFeatures) {
        *out = features::core();
    }

    fn get_physical_device_features2(d: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceFeatures2<'_>) {
        let offer = &get::<PhysicalDevice>(d).offer;
        (*out).features = features::core();
        each((*out).p_next, |link| {
            if offer.structure(link.structure()) {
                features::extended(link);
                versions::fill_features(link);
            }
        });
    }

    fn get_physical_device_queue_family_properties(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut vk::QueueFamilyProperties,
    ) {
        // The command returns nothing, so it cannot report an array that is too short.
        let _ = enumerate(&families(), count, out);
    }

    fn get_physical_device_queue_family_properties2(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut vk::QueueFamilyProperties2<'_>,
    ) {
        let families = families();
        let _ = enumerate_with(families.len(), count, out, |i, p| {
            p.queue_family_properties = families[i];
            each(p.p_next, |link| {
                if let Some(p) = link.get::<vk::QueueFamilyGlobalPriorityPropertiesKHR<'_>>() {
                    p.priority_count = GLOBAL_PRIORITIES.len() as u32;
                    p.priorities[..GLOBAL_PRIORITIES.len()].copy_from_slice(&GLOBAL_PRIORITIES);
                }
                if let Some(p) =
                    link.get::<crate::newer::QueueFamilyOptimalImageTransferGranularityPropertiesKHR>()
                {
                    p.optimal_image_transfer_granularity = vk::Extent3D { width: 1, height: 1, depth: 1 };
                }
                if let Some(p) = link.get::<crate::newer::QueueFamilyOwnershipTransferPropertiesKHR>() {
                    // Ownership has no effect: a bit for each family.
                    p.optimal_image_transfer_to_queue_families = (1 << families.len()) - 1;
                }
            });
        });
    }

    fn get_physical_device_memory_properties(
        _d: vk::PhysicalDevice,
        out: *mut vk::PhysicalDeviceMemoryProperties,
    ) {
        *out = memory_properties();
    }

    fn get_physical_device_memory_properties2(
        _d: vk::PhysicalDevice,
        out: *mut vk::PhysicalDeviceMemoryProperties2<'_>,
    ) {
        (*out).memory_properties = memory_properties();
        each((*out).p_next, |link| {
            if let Some(p) = link.get::<vk::PhysicalDeviceMemoryBudgetPropertiesEXT>() {
                (p.heap_budget, p.heap_usage) = Default::default();
                (p.heap_budget[0], p.heap_usage[0]) = (heap::size(), heap::used());
            }
        });
    }

    fn enumerate_device_extension_properties(
        d: vk::PhysicalDevice,
        layer: *const c_char,
        count: *mut u32,
        out: *mut vk::ExtensionProperties,
    ) -> vk::Result {
        if !layer.is_null() {
            return Err(vk::Result::ERROR_LAYER_NOT_PRESENT);
        }
        get::<PhysicalDevice>(d).offer.enumerate(Kind::Device, count, out)
    }

    fn enumerate_device_layer_properties(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut vk::LayerProperties,
    ) -> vk::Result {
        enumerate(&[], count, out)
    }
}
