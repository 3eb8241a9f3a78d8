//! Chapter "Devices and Queues": queues and queue families.

use ash::vk;

use crate::capabilities::limits;
use crate::interface::guard::{commands, device_code};
use crate::interface::handle::{get, objects};

/// The queue families: one with all capabilities, and one without graphics, which programs use for computation or
/// transfers beside rendering. Queues of both take turns, and each uses all threads of the device.
const FAMILIES: [vk::QueueFlags; 2] = {
    const GENERAL: u32 = vk::QueueFlags::COMPUTE.as_raw()
        | vk::QueueFlags::TRANSFER.as_raw()
        | if quadrille::FEATURES.sparse_binding { vk::QueueFlags::SPARSE_BINDING.as_raw() } else { 0 };
    [vk::QueueFlags::from_raw(vk::QueueFlags::GRAPHICS.as_raw() | GENERAL), vk::QueueFlags::from_raw(GENERAL)]
};

/// Number of queues of each family.
const QUEUES: u32 = 4;

/// Returns VkQueueFamilyProperties of all families.
pub fn families() -> [vk::QueueFamilyProperties; FAMILIES.len()] {
    FAMILIES.map(|queue_flags| vk::QueueFamilyProperties {
        queue_flags,
        queue_count: QUEUES,
        timestamp_valid_bits: limits::TIMESTAMP_BITS,
        min_image_transfer_granularity: vk::Extent3D { width: 1, height: 1, depth: 1 },
    })
}

/// A VkQueue.
pub struct Queue {
    /// The queue itself.
    pub queue: quadrille::Queue,
}

objects!(Queue => Queue);

commands! {
    fn queue_wait_idle(queue: vk::Queue) -> vk::Result {
        let queue = &get::<Queue>(queue).queue;
        queue.wait_idle().map_err(|e| device_code(queue.device(), &e))
    }
}
